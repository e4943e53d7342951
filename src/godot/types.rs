//! Types whose payload is not a plain number: text, paths, packed arrays, vectors, containers and
//! objects.

pub(crate) mod array;
pub(crate) mod components;
pub(crate) mod container;
pub(crate) mod convert;
pub(crate) mod dictionary;
pub(crate) mod godot2;
pub(crate) mod node_path;
pub(crate) mod object;
pub(crate) mod packed;
pub(crate) mod packed_strings;
pub(crate) mod parts;
pub(crate) mod reals;
pub(crate) mod text;
