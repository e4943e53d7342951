//! Reading the notation, into owned values. Takes memory and time in proportion to the
//! text; nesting takes no stack.

mod args;
mod convert;
mod error;
mod lexer;
mod names;
mod number;
mod parser;

pub use error::{Error, ErrorKind};

use super::Engine;
use crate::godot::{Dialect, Variant};
use core::str::FromStr;

/// How a text is read.
///
/// By default numbers are rounded correctly, and what has no exact meaning is an error:
/// text after the value, an int that does not fit, the wrong count of numbers, an element
/// that a typed container cannot take. [`as_the_engine`](Self::as_the_engine) makes of all
/// this what the engine makes of it.
///
/// What printing has lost does not come back: the sign of −0.0, the width of numbers and
/// their digits past what is printed, the order of keys, callables and signals; from Godot
/// 3's texts RIDs, and all but six digits of floats.
///
/// ```
/// use gamewire::godot::notation::{Engine, Reading};
/// use gamewire::godot::{Variant, Vector2};
///
/// let value = Reading::default().read("[1, Vector2(0.5, 2)]")?;
/// let items = &value.as_array().unwrap().items;
/// assert_eq!(items[0], Variant::from(1));
/// assert_eq!(items[1], Variant::from(Vector2 { x: 0.5_f32, y: 2.0 }));
///
/// // What an engine ignores:
/// assert!(Reading::default().read("1abc").is_err());
/// let as_godot3 = Reading { engine: Engine::Godot3, ..Reading::AS_GODOT4 };
/// assert_eq!(as_godot3.read("1abc")?, Variant::from(1));
/// # Ok::<(), gamewire::godot::notation::Error>(())
/// ```
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
pub struct Reading {
    /// Whose notation it is.
    pub engine: Engine,
    /// Whether to read as that engine does, with its errors: floats are off by a few units
    /// in the last place, ints wrap, what follows the value is ignored.
    pub as_the_engine: bool,
    /// Whether vectors and the like are of `f64`, as in a text of a double-precision build
    /// of Godot 4. (The text does not tell.)
    pub double: bool,
}

impl Reading {
    /// As `str_to_var` of a single-precision Godot 4 does.
    pub const AS_GODOT4: Self = Self { engine: Engine::Godot4, as_the_engine: true, double: false };

    /// Reads a value.
    ///
    /// # Errors
    /// Where the text is not in the notation; more than 1024 containers inside each other
    /// (the engines have no limit but their stack); resources, which only an engine can
    /// load.
    pub fn read(self, text: &str) -> Result<Variant, Error> {
        parser::Parser::new(text, self).read()
    }

    /// Whose values these are.
    fn dialect(self) -> Dialect {
        match self.engine {
            Engine::Godot4 => Dialect::Godot4,
            Engine::Godot3 => Dialect::Godot3,
        }
    }

    fn is_godot4(self) -> bool {
        self.engine == Engine::Godot4
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
