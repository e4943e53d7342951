//! Godot's own JSON notation of values: what `JSON.from_native` prints and
//! `JSON.to_native` reads (4.4 and later; seen in 4.6.3), and what it lacks.
//!
//! [`Printer`] is a [`Visitor`](super::Visitor): it prints in the one pass of
//! [`Reader::visit`](super::Reader::visit), without allocating.
#![cfg_attr(feature = "alloc", doc = "[`Document`] reads the notation and writes packets.")]
//!
//! ```
//! # #[cfg(feature = "alloc")] {
//! use gamewire::godot::json::{Document, Printer};
//! use gamewire::godot::{Dialect, Reader, Writer};
//!
//! // ["a", Vector2(1, 2)]
//! let packet = b"\x1c\0\0\0\x02\0\0\0\x04\0\0\0\x01\0\0\0a\0\0\0\
//!     \x05\0\0\0\0\0\x80\x3f\0\0\0\x40";
//! let mut text = String::new();
//! Reader::new(packet, Dialect::Godot4).visit(&mut Printer::new(&mut text))?;
//! assert_eq!(text, r#"["s:a",{"type":"Vector2","args":[1.0,2.0]}]"#);
//!
//! let mut bytes = Vec::new();
//! Document::parse(&text)?.write(&mut Writer::new(&mut bytes, Dialect::Godot4))?;
//! assert_eq!(bytes, packet);
//! # }
//! # Ok::<(), Box<dyn std::error::Error>>(())
//! ```
//!
//! # Grammar
//!
//! ```text
//! VALUE  = null | true | false | STRING | [ VALUE, … ] | OBJECT
//! STRING = "i:INTEGER" | "f:FLOAT" | "s:TEXT" | "sn:TEXT" | "np:PATH"
//! FLOAT  = NUMBER | inf | -inf | nan
//! OBJECT = {"type":TYPE,"args":[NUMBER, …]}            vectors, packed numbers …
//!        | {"type":TYPE,"args":[TEXT, …]}              packed strings
//!        | {"type":TYPE,"args":[VALUE]}                what has a form of its own
//!        | {"type":"Dictionary","args":[KEY, VALUE, …]}
//!        | {"type":"Array","args":[VALUE, …]}
//!        | {"type":CLASS,"props":[NAME, VALUE, …]}     full objects
//!        | {"type":"EncodedObjectAsID","props":["object_id","i:ID"]}
//!        | {"type":"RID"} | {"type":"Callable"} | {"type":"Signal"}
//! ```
//!
//! TYPE is the type's name in the dialect ([`Dialect::type_name`](super::Dialect::type_name)): `Quaternion` in
//! Godot 4, `Quat` in Godot 3. `args` are in a script's order: Basis and Transform3D by
//! their axes, not by the rows of the wire; a Godot 2 Image has its four numbers, then
//! the bytes of its pixels, an InputEvent its type, its device and its fields. In `args`
//! infinity is `1e99999`, which a JSON reader takes for one or refuses. Single-precision
//! numbers are printed as the exact `f64` they are.
//!
//! # What is added
//!
//! The notation leaves out some of what the wire has. In an object form there is room:
//! members that `JSON.to_native` does not know are ignored by it (4.6.3).
//!
//! | member | of | what |
//! |---|---|---|
//! | `"elem_type"`, `"key_type"`, `"value_type"` | containers | the engine's own: a type, a class or a script's path |
//! | `"wide":true` | vectors and the like; int, float | double precision, 64 bits |
//! | `"id":N` | RID | its id, where not 0 |
//! | `"name":"…","object":N` | Signal | what it has, where not nothing |
//! | `"shared":true` | containers in Godot 2 and the documented dialects | bit 31 of the count |
//! | `"head":"HEX"` | containers, full objects | the bytes before the first item, where they are not what the form would give |
//! | `"wire":"HEX"` | all others | the value's bytes, where they are not what the form would give |
//!
//! NaN in `args` is `"nan"` where the engine prints `null`, which it reads as 0.
//!
//! Strings have no room. A packet that an engine made loses nothing in them, but for the
//! sign and payload of a float that is NaN. Of other packets the width, idle bits, and
//! what stands behind a NUL in a text are lost, unless [`Printer::exact`] wraps such
//! values: `{"type":"int","args":["i:1"],"wide":true}`. The name of a property becomes
//! `{"name":"…","wire":"HEX"}` then. In Godot 2 and the documented dialects, where no
//! engine's values are known in this notation, they always are wrapped.
//!
//! With that, what is printed gives the same bytes back: every canonical packet, and
//! with `exact` every packet; only pads become zeros.

#[cfg(feature = "alloc")]
mod args;
#[cfg(feature = "alloc")]
mod document;
#[cfg(feature = "alloc")]
mod error;
mod print;
#[cfg(feature = "alloc")]
mod tape;

#[cfg(feature = "alloc")]
pub use document::Document;
#[cfg(feature = "alloc")]
pub use error::{Error, ErrorKind};
pub use print::{PrintError, Printer};

use super::{Dialect, Kind};

/// Names of members. A form's own come first, then those that are added.
mod member {
    pub(super) const TYPE: &str = "type";
    pub(super) const ARGS: &str = "args";
    pub(super) const PROPS: &str = "props";
    pub(super) const ELEM_TYPE: &str = "elem_type";
    pub(super) const KEY_TYPE: &str = "key_type";
    pub(super) const VALUE_TYPE: &str = "value_type";
    pub(super) const WIDE: &str = "wide";
    pub(super) const ID: &str = "id";
    pub(super) const NAME: &str = "name";
    pub(super) const OBJECT: &str = "object";
    pub(super) const SHARED: &str = "shared";
    pub(super) const HEAD: &str = "head";
    pub(super) const WIRE: &str = "wire";
}

/// The class that engines give an object which came as an id.
const STAND_IN: &str = "EncodedObjectAsID";
/// The property that has the id.
const OBJECT_ID: &str = "object_id";

/// The prefix of the types that are strings.
fn prefix(kind: Kind) -> Option<&'static str> {
    match kind {
        Kind::Int => Some("i:"),
        Kind::Float => Some("f:"),
        Kind::String => Some("s:"),
        Kind::StringName => Some("sn:"),
        Kind::NodePath => Some("np:"),
        _ => None,
    }
}

/// Types with a form of their own, an object only where that lacks something.
fn is_bare(kind: Kind) -> bool {
    matches!(kind, Kind::Nil | Kind::Bool) || prefix(kind).is_some()
}

/// The members that have the parts of types without `args`.
fn named_parts(kind: Kind) -> Option<&'static [&'static str]> {
    match kind {
        Kind::Rid => Some(&[member::ID]),
        Kind::Signal => Some(&[member::NAME, member::OBJECT]),
        Kind::Callable => Some(&[]),
        _ => None,
    }
}

/// The built-in type that a text as an element type stands for. Only Godot 4 states such
/// types, so the names are its own: an `Image` is a class there.
fn element_type(text: &[u8]) -> Option<Kind> {
    let is_called = |kind: &Kind| Dialect::Godot4.type_name(*kind).map(str::as_bytes) == Some(text);
    Kind::ALL.iter().copied().find(is_called)
}

/// What a text as an element type stands for, a built-in type apart: scripts have a path.
fn is_script_path(text: &[u8]) -> bool {
    memchr::memmem::find(text, b"://").is_some()
}
