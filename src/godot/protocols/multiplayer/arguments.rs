//! Arguments of a call as Rust types.

#[cfg(feature = "serde")]
mod with_serde;

use super::{Run, RunReader};
use crate::godot::fields::{Field, from_argument};
use crate::godot::{Error, ErrorKind, FieldError, FieldFault};

/// A tuple into which the arguments of a call are converted; see [`Run::parse`].
pub trait FromArguments<'a>: Sized {
    /// Reads the values.
    ///
    /// # Errors
    /// Returns the errors of [`Run::parse`].
    fn from_arguments(values: &mut RunReader<'a>) -> Result<Self, FieldError>;
}

impl<'a> Run<'a> {
    /// Converts the values to a tuple of Rust types. There must be exactly as many values as the
    /// tuple has elements. An element can be any type that a field of a Dictionary can have; see
    /// [`Fields::get`](crate::godot::Fields::get). This includes structs that implement
    /// [`FromFields`](crate::godot::FromFields), and `Option`s of all types.
    ///
    /// ```
    /// use gamewire::godot::Vector2;
    /// use gamewire::godot::multiplayer::Run;
    ///
    /// let run = Run::compact(&[0x81, 0x02, 0x05]);
    /// assert_eq!(run.parse::<(bool, u8)>(), Ok((true, 5)));
    /// let error = run.parse::<(bool, Vector2<f32>)>().unwrap_err();
    /// assert_eq!(error.to_string(), "`#1`: cannot convert this Int to Vector2<f32> at offset 1 (0x1)");
    /// ```
    ///
    /// # Errors
    /// Returns an error if a value is malformed, if it cannot be converted, or if there are fewer or
    /// more values.
    pub fn parse<T: FromArguments<'a>>(&self) -> Result<T, FieldError> {
        let mut values = self.iter();
        let arguments = T::from_arguments(&mut values)?;
        match values.has_next() {
            true => Err(Error::new(ErrorKind::TooManyItems, values.offset()).into()),
            false => Ok(arguments),
        }
    }
}

fn next<'a, T: Field<'a>>(values: &mut RunReader<'a>, name: &'static str) -> Result<T, FieldError> {
    let offset = values.offset();
    match values.read()? {
        Some(value) => from_argument(value, name, offset),
        None => Err(FieldError::new(FieldFault::Packet(ErrorKind::MissingItems(1)), offset)),
    }
}

macro_rules! tuples {
    ($(($($T:ident $name:literal)*);)*) => {$(
        impl<'a, $($T: Field<'a>),*> FromArguments<'a> for ($($T,)*) {
            fn from_arguments(_values: &mut RunReader<'a>) -> Result<Self, FieldError> {
                Ok(($(next::<$T>(_values, $name)?,)*))
            }
        }
    )*};
}
tuples! {
    ();
    (A "#0");
    (A "#0" B "#1");
    (A "#0" B "#1" C "#2");
    (A "#0" B "#1" C "#2" D "#3");
    (A "#0" B "#1" C "#2" D "#3" E "#4");
    (A "#0" B "#1" C "#2" D "#3" E "#4" F "#5");
    (A "#0" B "#1" C "#2" D "#3" E "#4" F "#5" G "#6");
    (A "#0" B "#1" C "#2" D "#3" E "#4" F "#5" G "#6" H "#7");
    (A "#0" B "#1" C "#2" D "#3" E "#4" F "#5" G "#6" H "#7" I "#8");
    (A "#0" B "#1" C "#2" D "#3" E "#4" F "#5" G "#6" H "#7" I "#8" J "#9");
    (A "#0" B "#1" C "#2" D "#3" E "#4" F "#5" G "#6" H "#7" I "#8" J "#9" K "#10");
    (A "#0" B "#1" C "#2" D "#3" E "#4" F "#5" G "#6" H "#7" I "#8" J "#9" K "#10" L "#11");
}
