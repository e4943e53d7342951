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
#![doc = include_str!("../../docs/json.md")]

#[cfg(feature = "alloc")]
mod args;
#[cfg(feature = "alloc")]
mod document;
#[cfg(feature = "alloc")]
mod error;
mod form;
mod loss;
mod print;
#[cfg(feature = "alloc")]
mod tape;

#[cfg(feature = "alloc")]
pub use document::Document;
#[cfg(feature = "alloc")]
pub use error::{Error, ErrorKind};
pub use form::Text;
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
    Dialect::Godot4.named(text)
}

/// What a text as an element type stands for, a built-in type apart: scripts have a path.
fn is_script_path(text: &[u8]) -> bool {
    memchr::memmem::find(text, b"://").is_some()
}
