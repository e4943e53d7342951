//! Reading the notation, into owned values. Takes memory and time in proportion to the
//! text; nesting takes no stack.

mod args;
mod convert;
mod error;
mod keys;
mod lexer;
mod names;
mod number;
mod parser;

pub use error::{Error, ErrorKind};

use super::Engine;
use super::Style;
use crate::godot::table::dialect::Width;
use crate::godot::{Dialect, Variant};
use core::str::FromStr;

/// How a text is read.
///
/// By default numbers are rounded correctly (`1e400` to infinity, as in the engines), and what
/// has no exact meaning is an error: text after the value, an int that does not fit, the wrong
/// count of numbers, an element that a typed container cannot take.
/// [`as_the_engine`](Self::as_the_engine) makes of all this what the engine makes of it.
///
/// Elements of typed containers that are of another type are converted, as engines do it: but
/// not between matrices and rotations (Transform2D and 3D, Basis, Quaternion, Projection), nor
/// from the names of colours. A class that the engine does not know is no type for it; here,
/// every class is one.
///
/// What printing has lost does not come back: the sign of −0.0, the width of numbers and
/// their digits past what is printed, the order of keys, callables and signals; from Godot
/// 3's texts RIDs, and all but six digits of floats.
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
/// // What an engine ignores:
/// assert!(Reading::default().read("1abc").is_err());
/// assert_eq!(Reading::of(Dialect::Godot3).as_the_engine().read("1abc")?, Variant::from(1));
/// # Ok::<(), gamewire::godot::notation::Error>(())
/// ```
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct Reading {
    dialect: Dialect,
    as_the_engine: bool,
    double: bool,
}

/// Of Godot 4's notation.
impl Default for Reading {
    fn default() -> Self {
        Self::of(Dialect::Godot4)
    }
}

impl Reading {
    /// Of the notation that the dialect's engine has. Values are that dialect's.
    pub const fn of(dialect: Dialect) -> Self {
        Self { dialect, as_the_engine: false, double: false }
    }

    /// As that engine reads, with its errors: floats are off by a few units in the last
    /// place, ints wrap, what follows the value is ignored.
    #[must_use]
    pub const fn as_the_engine(self) -> Self {
        Self { as_the_engine: true, ..self }
    }

    /// Makes vectors and the like of `f64`, as they are in a double-precision build of
    /// Godot 4. (The text does not tell.)
    #[must_use]
    pub const fn double(self) -> Self {
        Self { double: true, ..self }
    }

    /// Reads a value.
    ///
    /// # Errors
    /// Where the text is not in the notation; more than 1024 nested containers
    /// (the engines have no limit but their stack); resources, which only an engine can
    /// load.
    pub fn read(self, text: &str) -> Result<Variant, Error> {
        let mut parser = parser::Parser::new(text, self);
        let value = parser.read()?;
        if self.as_the_engine { Ok(value) } else { parser.finish().map(|()| value) }
    }

    /// Reads the first value of several, with a blank or a comment between them, and gives
    /// what follows it; nothing where only blanks and comments are left.
    ///
    /// # Errors
    /// As [`read`](Self::read).
    pub fn read_first(self, text: &str) -> Result<Option<(Variant, &str)>, Error> {
        let mut parser = parser::Parser::new(text, self);
        if parser.finish().is_ok() {
            return Ok(None);
        }
        let mut parser = parser::Parser::new(text, self);
        let value = parser.read()?;
        let rest = parser.rest();
        // `5-3` and `1true` are no two values, but a slip.
        let is_apart = rest.starts_with(|next: char| next <= ' ' || next == ';');
        if rest.is_empty() || is_apart || self.as_the_engine {
            return Ok(Some((value, rest)));
        }
        let offset = text.len().saturating_sub(rest.len());
        Err(Error::new(ErrorKind::TrailingText, offset as u64))
    }

    fn is_double(self) -> bool {
        self.double || self.dialect.rules().reals == Width::Double
    }

    fn is_godot4(self) -> bool {
        self.engine() == Engine::Godot4
    }

    fn engine(self) -> Engine {
        Style::of(self.dialect).engine
    }
}

/// Reads Godot 4's notation, with numbers rounded correctly.
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
