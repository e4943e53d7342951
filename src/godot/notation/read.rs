//! Parses the notation into owned values. Memory and time are proportional to the length of the
//! text, and nested values use no stack.

mod args;
mod colors;
mod convert;
mod error;
mod extent;
mod keys;
mod lexer;
mod names;
mod number;
mod packed_items;
mod parser;

pub use error::{Error, ErrorKind};

use super::Engine;
use super::Style;
use crate::godot::table::dialect::Width;
use crate::godot::{Dialect, Variant};
use core::str::FromStr;

/// Options for reading text in the notation, and the functions that read it.
///
/// By default, numbers are rounded correctly (`1e400` to infinity, as in the engines). Text is an
/// error if an engine can read it only by ignoring or changing a part of it. Examples are text
/// after the value, an int that does not fit, a wrong number of arguments, and an element that a
/// typed container does not accept. With [`as_the_engine`](Self::as_the_engine), such text is read
/// as the engine reads it.
///
/// An element whose type differs from the type that its container declares is converted as in the
/// engines. Two groups of the engines' conversions are missing: those between matrices and
/// rotations (Transform2D, Transform3D, Basis, Quaternion, Projection), and those from names of
/// colours. The engine ignores an element type that is an unknown class. This crate accepts every
/// class.
///
/// Printing a value as text loses some information: the sign of −0.0, the width of numbers, digits
/// that are not printed, the order of keys, callables and signals. Reading the text cannot restore
/// it. Godot 3's notation also loses RIDs, and all but six digits of floats.
///
/// ```
/// use gamewire::godot::notation::Reading;
/// use gamewire::godot::{Dialect, Variant, Vector2};
///
/// let value = Reading::default().read("[1, Vector2(0.5, 2)]")?;
/// let items = &value.as_array().unwrap().items;
/// assert_eq!(items[0], Variant::from(1));
/// assert_eq!(items[1], Variant::from(Vector2 { x: 0.5_f32, y: 2.0 }));
///
/// // An engine ignores text after the value.
/// assert!(Reading::default().read("1abc").is_err());
/// assert_eq!(Reading::of(Dialect::Godot3).as_the_engine().read("1abc")?, Variant::from(1));
/// # Ok::<(), gamewire::godot::notation::Error>(())
/// ```
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct Reading {
    dialect: Dialect,
    as_the_engine: bool,
    double: bool,
    /// `true` to reject what the engine rejects in a file, although `str_to_var` accepts it.
    in_file: bool,
}

/// Returns the options for Godot 4's notation.
impl Default for Reading {
    fn default() -> Self {
        Self::of(Dialect::Godot4)
    }
}

impl Reading {
    /// Returns the default options for the notation of the dialect's engine. The values that are
    /// read belong to this dialect.
    pub const fn of(dialect: Dialect) -> Self {
        Self { dialect, as_the_engine: false, double: false, in_file: false }
    }

    /// Reads exactly like the dialect's engine, including its inaccuracies. Floats can be off by a
    /// few units in the last place, ints that do not fit saturate or wrap around, and text after
    /// the value is ignored.
    #[must_use]
    pub const fn as_the_engine(self) -> Self {
        Self { as_the_engine: true, ..self }
    }

    /// Reads vectors and similar types as `f64`, as a double-precision build of Godot 4 does. The
    /// text itself does not state whether their components are `f32` or `f64`.
    #[must_use]
    pub const fn double(self) -> Self {
        Self { double: true, ..self }
    }

    /// Reads a value.
    ///
    /// # Errors
    /// Returns an error if the text is not in the notation, nests more than 1024 containers (the
    /// engines have no limit), contains a value that the dialect cannot represent, or contains a
    /// resource other than a script. Only an engine can load such a resource.
    pub fn read(self, text: &str) -> Result<Variant, Error> {
        let mut parser = parser::Parser::new(text, self);
        let value = parser.read()?;
        if self.as_the_engine { Ok(value) } else { parser.finish().map(|()| value) }
    }

    /// Reads the first of several values that are separated by white space or comments. Returns
    /// the value and the remaining text, or `None` if only white space and comments are left.
    ///
    /// # Errors
    /// Returns the errors of [`read`](Self::read), except that text after the value is an error
    /// only if no white space or comment separates it from the value. With
    /// [`as_the_engine`](Self::as_the_engine), it is never an error.
    pub fn read_first(self, text: &str) -> Result<Option<(Variant, &str)>, Error> {
        let mut parser = parser::Parser::new(text, self);
        if parser.finish().is_ok() {
            return Ok(None);
        }
        let mut parser = parser::Parser::new(text, self);
        let value = parser.read()?;
        let rest = parser.rest();
        // `5-3` and `1true` are more likely typing errors than two values.
        let is_separated = rest.starts_with(|next: char| next <= ' ' || next == ';');
        if rest.is_empty() || is_separated || self.as_the_engine {
            return Ok(Some((value, rest)));
        }
        let offset = text.len().saturating_sub(rest.len());
        Err(Error::new(ErrorKind::TrailingText, offset as u64))
    }

    /// Reads the value at the start of `text` as the engine reads a value in a file. In a file,
    /// unlike in `str_to_var`, the engine rejects a value whose closing parenthesis is missing.
    pub(crate) fn read_in_file(self, text: &str) -> Result<Variant, Error> {
        parser::Parser::new(text, Self { in_file: true, ..self.as_the_engine() }).read()
    }

    /// Returns the dialect of the notation.
    pub(crate) const fn dialect(self) -> Dialect {
        self.dialect
    }

    /// Returns `true` if text is read [as the engine reads it](Self::as_the_engine).
    pub(crate) const fn is_as_the_engine(self) -> bool {
        self.as_the_engine
    }

    fn is_double(self) -> bool {
        self.double || self.dialect.rules().reals == Width::Double
    }

    /// Returns `true` for Godot 4's notation, and `false` for Godot 3's.
    pub(crate) fn is_godot4(self) -> bool {
        self.engine() == Engine::Godot4
    }

    fn engine(self) -> Engine {
        Style::of(self.dialect).engine
    }
}

/// Reads a value in Godot 4's notation, with the default options of [`Reading`].
///
/// ```
/// use gamewire::godot::Variant;
///
/// let value: Variant = r#"{ "hp": 5, &"at": Vector2i(1, 2) }"#.parse()?;
/// assert_eq!(value.get("hp").unwrap().as_i64(), Some(5));
/// # Ok::<(), gamewire::godot::notation::Error>(())
/// ```
impl FromStr for Variant {
    type Err = Error;

    fn from_str(text: &str) -> Result<Self, Error> {
        Reading::default().read(text)
    }
}
