//! The parts of an `FText`.

use super::read::Reader;
use crate::unreal::format::{FileCursor, Result, StrRef};
use crate::unreal::properties::types::{NameRef, PropertyContext};

/// Maximum nesting depth of texts.
pub(crate) const DEPTH: u8 = 24;

/// A text for display (`FText`).
#[derive(Clone, Copy, Debug)]
pub struct FormattedText<'p> {
    /// Flags: 1 transient, 2 culture-invariant, 4 converted, 8 immutable, 16 from a string.
    pub flags: u32,
    /// History of the text.
    pub history: History<'p>,
}

/// Returns an empty text without a history.
impl Default for FormattedText<'_> {
    fn default() -> Self {
        Self { flags: 0, history: History::None { culture_invariant: None } }
    }
}

/// The history of a text: how it is produced.
#[derive(Clone, Copy, Debug)]
#[non_exhaustive]
pub enum History<'p> {
    /// A text without a history, from a file below 4:368.
    Legacy {
        /// The text.
        source: StrRef<'p>,
        /// Namespace of the key; present from 4:226 on.
        namespace: Option<StrRef<'p>>,
        /// Key for translations.
        key: StrRef<'p>,
    },
    /// A text that is not translated.
    None {
        /// The text, if it is stored.
        culture_invariant: Option<StrRef<'p>>,
    },
    /// A translated text.
    Base {
        /// Namespace of the key.
        namespace: StrRef<'p>,
        /// Key for translations.
        key: StrRef<'p>,
        /// The text in the source language.
        source: StrRef<'p>,
        /// Notes for translators.
        dev_notes: Option<StrRef<'p>>,
    },
    /// A format with named arguments.
    NamedFormat(Format<'p>),
    /// A format with positional arguments.
    OrderedFormat(Format<'p>),
    /// A format with named arguments from a blueprint.
    ArgumentFormat(Format<'p>),
    /// A number.
    Number(NumberText<'p>),
    /// A percentage.
    Percent(NumberText<'p>),
    /// An amount of money.
    Currency(NumberText<'p>),
    /// A date.
    Date(DateText<'p>),
    /// A time of day.
    Time(DateText<'p>),
    /// A date and a time.
    DateTime(DateText<'p>),
    /// A text converted to upper or lower case.
    Transform {
        /// The text.
        source: NestedText<'p>,
        /// The change of case (`ETransformType`).
        transform: u8,
    },
    /// A text in a string table.
    StringTable {
        /// Name of the table.
        table: NameRef<'p>,
        /// Key in the table.
        key: StrRef<'p>,
    },
    /// A text that a class generates.
    Generator {
        /// The class.
        name: NameRef<'p>,
    },
}

/// A nested text, which is read on demand.
#[derive(Clone, Copy, Debug)]
pub struct NestedText<'p> {
    pub(super) from: FileCursor<'p>,
    pub(super) context: &'p PropertyContext<'p>,
    pub(super) depth: u8,
}

impl<'p> NestedText<'p> {
    /// Reads the text.
    ///
    /// # Errors
    /// If the text is invalid. This does not happen, because the nested text was checked when the
    /// enclosing text was read.
    pub fn read(&self) -> Result<FormattedText<'p>> {
        Reader { context: self.context, depth: self.depth }.text(&mut self.from.clone())
    }
}

/// A format and its arguments.
#[derive(Clone, Copy, Debug)]
pub struct Format<'p> {
    /// The format.
    pub format: NestedText<'p>,
    pub(super) from: FileCursor<'p>,
    pub(super) count: u32,
    pub(super) style: Style,
    pub(super) reader: Reader<'p>,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Style {
    Named,
    Ordered,
    Blueprint,
}

impl<'p> Format<'p> {
    /// Returns the arguments, with their names if they have any.
    pub fn arguments(
        &self,
    ) -> impl Iterator<Item = Result<(Option<ArgumentName<'p>>, Argument<'p>)>> {
        let (mut from, mut left) = (self.from, self.count);
        let (reader, style) = (self.reader, self.style);
        core::iter::from_fn(move || {
            left = left.checked_sub(1)?;
            let argument = reader.named(&mut from, style);
            if argument.is_err() {
                left = 0;
            }
            Some(argument)
        })
    }
}

/// The name of an argument.
#[derive(Clone, Copy, Debug)]
pub enum ArgumentName<'p> {
    /// A string.
    Text(StrRef<'p>),
    /// A text, in files below 4:488.
    Formatted(NestedText<'p>),
}

/// An argument of a format.
#[derive(Clone, Copy, Debug)]
pub enum Argument<'p> {
    /// A signed integer.
    Int(i64),
    /// An unsigned integer.
    UInt(u64),
    /// A single-precision number.
    Float(f32),
    /// A double-precision number.
    Double(f64),
    /// A text.
    Text(NestedText<'p>),
    /// A grammatical gender.
    Gender(u8),
}

/// A formatted number.
#[derive(Clone, Copy, Debug)]
pub struct NumberText<'p> {
    /// Currency code of an amount of money; present from 4:389 on.
    pub currency: Option<StrRef<'p>>,
    /// The number.
    pub argument: Argument<'p>,
    /// Format options, if they are stored.
    pub options: Option<NumberOptions>,
    /// Culture that determines the format.
    pub culture: StrRef<'p>,
}

/// Format options for a number.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct NumberOptions {
    /// `true` to print a plus sign; present from version 21 of `FEditorObjectVersion` on.
    pub always_sign: Option<bool>,
    /// `true` to separate groups of thousands.
    pub grouping: bool,
    /// Rounding mode (`ERoundingMode`).
    pub rounding: i8,
    /// Minimum number of digits before the decimal point.
    pub minimum_integral_digits: i32,
    /// Maximum number of digits before the decimal point.
    pub maximum_integral_digits: i32,
    /// Minimum number of digits after the decimal point.
    pub minimum_fractional_digits: i32,
    /// Maximum number of digits after the decimal point.
    pub maximum_fractional_digits: i32,
}

/// A formatted date, time, or both.
#[derive(Clone, Copy, Debug)]
pub struct DateText<'p> {
    /// Ticks of 100 ns since 0001-01-01.
    pub ticks: i64,
    /// Style of the date.
    pub date_style: Option<i8>,
    /// Style of the time.
    pub time_style: Option<i8>,
    /// Pattern of a date with a time; present if the date style is 5.
    pub pattern: Option<StrRef<'p>>,
    /// Time zone. A date without a time has a time zone only from 4:422 on.
    pub time_zone: Option<StrRef<'p>>,
    /// Culture that determines the format.
    pub culture: StrRef<'p>,
}
