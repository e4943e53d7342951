//! JSON in lines, but for what is said to be on one.

use serde_json::ser::{CompactFormatter, Formatter, PrettyFormatter};
use std::cell::Cell;
use std::io::{Result, Write};

/// In lines, or on one while that is set.
pub struct Lines<'c> {
    lines: PrettyFormatter<'static>,
    is_inline: &'c Cell<bool>,
}

impl<'c> Lines<'c> {
    pub fn new(is_inline: &'c Cell<bool>) -> Self {
        Self { lines: PrettyFormatter::new(), is_inline }
    }
}

macro_rules! both {
    ($($method:ident($($arg:ident: $T:ty)?))*) => {$(
        fn $method<W: Write + ?Sized>(&mut self, to: &mut W $(, $arg: $T)?) -> Result<()> {
            match self.is_inline.get() {
                true => CompactFormatter.$method(to $(, $arg)?),
                false => self.lines.$method(to $(, $arg)?),
            }
        }
    )*};
}

impl Formatter for Lines<'_> {
    both! {
        begin_array()
        end_array()
        begin_array_value(is_first: bool)
        end_array_value()
        begin_object()
        end_object()
        begin_object_key(is_first: bool)
        begin_object_value()
        end_object_value()
    }
}
