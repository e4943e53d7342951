//! Godot's text notation of values: what `var_to_str` writes and `str_to_var` reads in Godot
//! 4, and `var2str` and `str2var` in Godot 3.
//!
//! `Display` of views is this notation, byte for byte as the engine of their dialect writes
//! it: a dictionary is sorted by its keys, and of pairs with the same key one is left. `Debug`
//! shows what is on the wire instead: `{:?}` on one line, `{:#?}` as a tree with offsets.
//!
//! ```
//! # #[cfg(feature = "alloc")] {
//! use gamewire::godot::{Dialect, Reader};
//!
//! // {"b": 1, "a": Vector2(0.5, 2)}
//! let packet = b"\x1b\0\0\0\x02\0\0\0\
//!     \x04\0\0\0\x01\0\0\0b\0\0\0\x02\0\0\0\x01\0\0\0\
//!     \x04\0\0\0\x01\0\0\0a\0\0\0\x05\0\0\0\0\0\0\x3f\0\0\0\x40";
//! let value = Reader::new(packet, Dialect::Godot4).read()?;
//! assert_eq!(value.to_string(), "{\n\"a\": Vector2(0.5, 2),\n\"b\": 1\n}");
//! assert_eq!(format!("{value:?}"), r#"Dictionary {"b": Int 1, "a": Vector2(0.5, 2)}"#);
//! assert_eq!(format!("{value:#?}"), "\
//! 0   Dictionary (2 pairs)
//! 8     \"b\": Int 1
//! 28    \"a\": Vector2(0.5, 2)");
//! # }
//! # Ok::<(), gamewire::godot::Error>(())
//! ```
//!
//! What the wire says and an engine would not keep is printed as it stands: a typed array's
//! elements of another type, the `res://` path of a script (without the `uid://` that an engine
//! may know of). Godot 2 and the documented dialects, whose notation no engine here has shown,
//! are printed as Godot 3 and 4, with type names of their own. Printing goes 101 levels deep,
//! as the engines' does; what would be deeper is `[]`, `{}` or `null`.

mod digits;
#[cfg(feature = "alloc")]
mod identity;
#[cfg(feature = "alloc")]
mod introsort;
mod leaf;
#[cfg(feature = "alloc")]
mod order;
mod powers;
#[cfg(feature = "alloc")]
mod print;
#[cfg(feature = "alloc")]
mod read;
mod tree;
mod words;

#[cfg(feature = "alloc")]
pub use print::Printed;
#[cfg(feature = "alloc")]
pub use read::{Error, ErrorKind, Reading};

pub(crate) use leaf::leaf;
#[cfg(feature = "schema")]
pub(crate) use leaf::types;

use super::Dialect;
use digits::Numbers;

/// Whose notation it is.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Engine {
    /// `var_to_str`, `str_to_var`.
    Godot4,
    /// `var2str`, `str2var`.
    Godot3,
}

/// In what the engines' notations differ.
#[derive(Debug)]
pub(crate) struct Style {
    #[cfg_attr(not(feature = "alloc"), allow(dead_code, reason = "asked for with `alloc` only"))]
    engine: Engine,
    /// What stands inside of brackets and parentheses, next to them.
    pad: &'static str,
    /// A dictionary without pairs.
    #[cfg_attr(not(feature = "alloc"), allow(dead_code, reason = "asked for with `alloc` only"))]
    empty_dictionary: &'static str,
    numbers: Numbers,
    /// Whether `?` is escaped, where `'` is.
    question_mark: bool,
    /// Whether a path that is absolute, and nothing else, is one; otherwise it is empty.
    lone_root: bool,
    /// Whether a RID is written; otherwise there is nothing in its place.
    rids: bool,
    #[cfg(feature = "alloc")]
    identity: identity::Identity,
    #[cfg(feature = "alloc")]
    order: order::Order,
}

impl Style {
    /// The notation of the engine of `dialect`.
    pub(crate) const fn of(dialect: Dialect) -> &'static Self {
        match dialect {
            Dialect::Godot2 | Dialect::Godot3 => &GODOT3,
            Dialect::Godot4 | Dialect::Docs | Dialect::DocsDouble => &GODOT4,
        }
    }
}

/// 4.6.3.
static GODOT4: Style = Style {
    engine: Engine::Godot4,
    pad: "",
    empty_dictionary: "{}",
    numbers: Numbers::Grisu2,
    question_mark: false,
    lone_root: true,
    rids: true,
    #[cfg(feature = "alloc")]
    identity: identity::Identity { dictionaries: true, strict_items: true },
    #[cfg(feature = "alloc")]
    order: order::Order { stops_at_pivot: true, arrays: true },
};

/// 3.6.2.
static GODOT3: Style = Style {
    engine: Engine::Godot3,
    pad: " ",
    empty_dictionary: "{\n}",
    numbers: Numbers::SixDigits,
    question_mark: true,
    lone_root: false,
    rids: false,
    #[cfg(feature = "alloc")]
    identity: identity::Identity { dictionaries: false, strict_items: false },
    #[cfg(feature = "alloc")]
    order: order::Order { stops_at_pivot: false, arrays: false },
};
