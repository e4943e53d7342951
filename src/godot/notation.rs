//! Godot's text notation of values. Godot 4 writes it with `var_to_str` and reads it with
//! `str_to_var`; in Godot 3 these functions are called `var2str` and `str2var`.
//!
//! `Display` of views prints this notation. Except for the differences listed below, it prints the
//! same bytes as the engine of the dialect. Like the engines, it sorts the pairs of a dictionary by
//! key, and merges pairs with equal keys. `Debug` shows all values in the order of the packet:
//! `{:?}` on one line, `{:#?}` as a tree with offsets.
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
//! Differences from the engines' output:
//!
//! * Elements of a typed array whose type differs from the declared one are printed unchanged. An
//!   engine would discard or convert them.
//! * A script is printed as its `res://` path. An engine that knows the `uid://` of the script
//!   prints both.
//! * Values of Godot 2 are printed like those of Godot 3, and values of `Docs` and `DocsDouble`
//!   like those of Godot 4, but with the type names of their dialect. The notation of these
//!   dialects was not compared with an engine's output.
//!
//! Printing stops after 101 levels, as in the engines. Deeper arrays are printed as `[]`,
//! dictionaries as `{}` and objects as `null`.

mod digits;
#[cfg(feature = "alloc")]
mod identity;
#[cfg(feature = "alloc")]
mod introsort;
mod keywords;
mod leaf;
#[cfg(feature = "alloc")]
mod order;
mod powers;
#[cfg(feature = "alloc")]
mod print;
#[cfg(feature = "alloc")]
mod read;
mod tree;

#[cfg(feature = "alloc")]
pub use print::Printed;
#[cfg(feature = "alloc")]
pub use read::{Error, ErrorKind, Reading};

pub(crate) use leaf::leaf;
#[cfg(feature = "schema")]
pub(crate) use leaf::types;

use super::Dialect;
use digits::Numbers;

/// The engine that a notation belongs to.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Engine {
    /// Godot 4: `var_to_str` and `str_to_var`.
    Godot4,
    /// Godot 3: `var2str` and `str2var`.
    Godot3,
}

/// The rules of an engine's notation, where the engines differ.
#[derive(Debug)]
pub(crate) struct Style {
    #[cfg_attr(not(feature = "alloc"), allow(dead_code, reason = "only `alloc` reads it"))]
    engine: Engine,
    /// The white space after an opening and before a closing bracket or parenthesis.
    pad: &'static str,
    /// The text of a dictionary without pairs.
    #[cfg_attr(not(feature = "alloc"), allow(dead_code, reason = "only `alloc` reads it"))]
    empty_dictionary: &'static str,
    numbers: Numbers,
    /// `true` if `?` is escaped in StringNames, paths and other text that is not a String.
    question_mark: bool,
    /// `true` if the path `/` is printed as `/`, `false` if it is printed as an empty path.
    root_path: bool,
    /// `true` if a RID is printed, `false` if nothing is printed in its place.
    rids: bool,
    #[cfg(feature = "alloc")]
    identity: identity::Identity,
    #[cfg(feature = "alloc")]
    order: order::Order,
}

impl Style {
    /// Returns the notation of the engine of `dialect`.
    pub(crate) const fn of(dialect: Dialect) -> &'static Self {
        match dialect {
            Dialect::Godot2 | Dialect::Godot3 => &GODOT3,
            _ => &GODOT4,
        }
    }
}

/// The notation of Godot 4.6.3.
static GODOT4: Style = Style {
    engine: Engine::Godot4,
    pad: "",
    empty_dictionary: "{}",
    numbers: Numbers::Grisu2,
    question_mark: false,
    root_path: true,
    rids: true,
    #[cfg(feature = "alloc")]
    identity: identity::Identity { dictionaries: true, strict_items: true },
    #[cfg(feature = "alloc")]
    order: order::Order { stops_at_pivot: true, arrays: true },
};

/// The notation of Godot 3.6.2.
static GODOT3: Style = Style {
    engine: Engine::Godot3,
    pad: " ",
    empty_dictionary: "{\n}",
    numbers: Numbers::SixDigits,
    question_mark: true,
    root_path: false,
    rids: false,
    #[cfg(feature = "alloc")]
    identity: identity::Identity { dictionaries: false, strict_items: false },
    #[cfg(feature = "alloc")]
    order: order::Order { stops_at_pivot: false, arrays: false },
};
