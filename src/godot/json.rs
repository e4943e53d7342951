//! Godot's JSON notation of values, which `JSON.from_native` prints and `JSON.to_native` reads (4.4
//! and later; tested with 4.6.3). This crate adds members for details that the notation lacks.
//!
//! [`Printer`] is a [`Visitor`](super::Visitor): it prints a packet during the single pass of
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

/// Names of members of objects. The engine's own members come first, then the members that this
/// crate adds.
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

    /// The start of an object, up to the name of its type. Written in one piece, since most values
    /// begin with it.
    pub(super) const TYPE_START: &str = "{\"type\":\"";
    /// The end of the name of a type, and the start of `args`.
    pub(super) const ARGS_START: &str = "\",\"args\":[";
}

/// Returns the prefix for a type whose values are printed as strings.
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

/// Returns `true` for types that have a short form. A value of such a type is printed as a JSON
/// object only if the short form would lose information.
fn has_short_form(kind: Kind) -> bool {
    matches!(kind, Kind::Nil | Kind::Bool) || prefix(kind).is_some()
}

/// Returns the names of the members that hold the parts of a value. Returns `None` for types whose
/// parts are in the member `args`.
fn named_parts(kind: Kind) -> Option<&'static [&'static str]> {
    match kind {
        Kind::Rid => Some(&[member::ID]),
        Kind::Signal => Some(&[member::NAME, member::OBJECT]),
        Kind::Callable => Some(&[]),
        _ => None,
    }
}

/// Returns the built-in type with the given name. Only Godot 4 declares element types, so its type
/// names apply. In Godot 4, `Image`, for example, is a class and not a built-in type.
fn element_type(text: &[u8]) -> Option<Kind> {
    Dialect::Godot4.named(text)
}

/// Returns `true` if `text` is the path of a script, and `false` if it is the name of a class.
/// `text` is a declared type that is not built-in.
fn is_script_path(text: &[u8]) -> bool {
    memchr::memmem::find(text, b"://").is_some()
}
