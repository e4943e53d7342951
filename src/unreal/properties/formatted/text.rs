//! `FText`: text that is shown to people, and how it comes about.

use super::read::Reader;
use crate::unreal::format::{FileCursor, Result, StrRef};
use crate::unreal::properties::types::{NameRef, PropertyContext};

/// Texts inside each other.
pub(crate) const DEPTH: u8 = 24;

/// Text that is shown to people.
#[derive(Clone, Copy, Debug)]
pub struct FormattedText<'p> {
    /// 1 transient, 2 the same in every culture, 4 converted, 8 immutable, 16 from a string.
    pub flags: u32,
    /// How it comes about.
    pub history: History<'p>,
}

/// How a text comes about.
#[derive(Clone, Copy, Debug)]
#[non_exhaustive]
pub enum History<'p> {
    /// Below 4:368, where there is no history.
    Legacy {
        /// The text.
        source: StrRef<'p>,
        /// Of the key, from 4:226.
        namespace: Option<StrRef<'p>>,
        /// To find translations by.
        key: StrRef<'p>,
    },
    /// Text as it is.
    None {
        /// The text, if there is one.
        culture_invariant: Option<StrRef<'p>>,
    },
    /// Text that is translated.
    Base {
        /// Of the key.
        namespace: StrRef<'p>,
        /// To find translations by.
        key: StrRef<'p>,
        /// The text.
        source: StrRef<'p>,
        /// For translators.
        dev_notes: Option<StrRef<'p>>,
    },
    /// A format with named arguments.
    NamedFormat(Format<'p>),
    /// A format with arguments in order.
    OrderedFormat(Format<'p>),
    /// A format with named arguments, as blueprints make them.
    ArgumentFormat(Format<'p>),
    /// A number.
    Number(NumberText<'p>),
    /// A number as percentage.
    Percent(NumberText<'p>),
    /// An amount of money.
    Currency(NumberText<'p>),
    /// A date.
    Date(DateText<'p>),
    /// A time of day.
    Time(DateText<'p>),
    /// Both.
    DateTime(DateText<'p>),
    /// Text in upper or lower case.
    Transform {
        /// The text.
        source: NestedText<'p>,
        /// How.
        transform: u8,
    },
    /// Text of a table.
    StringTable {
        /// The table.
        table: NameRef<'p>,
        /// Its key there.
        key: StrRef<'p>,
    },
    /// Text that a class makes.
    Generator {
        /// The class.
        name: NameRef<'p>,
    },
}

/// A text in another one, read when asked for.
#[derive(Clone, Copy, Debug)]
pub struct NestedText<'p> {
    pub(super) from: FileCursor<'p>,
    pub(super) context: &'p PropertyContext<'p>,
    pub(super) depth: u8,
}

impl<'p> NestedText<'p> {
    /// The text.
    ///
    /// # Errors
    /// None in a text that was read: it was walked over then.
    pub fn read(&self) -> Result<FormattedText<'p>> {
        Reader { context: self.context, depth: self.depth }.text(&mut self.from.clone())
    }
}

/// A format and what goes into it.
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
    /// The arguments: names, where they have any, and values.
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
    /// As a string.
    Text(StrRef<'p>),
    /// As a text, below 4:488.
    Formatted(NestedText<'p>),
}

/// What goes into a format.
#[derive(Clone, Copy, Debug)]
pub enum Argument<'p> {
    /// A signed number.
    Int(i64),
    /// An unsigned number.
    UInt(u64),
    /// A number.
    Float(f32),
    /// A number.
    Double(f64),
    /// Text.
    Text(NestedText<'p>),
    /// A gender, for languages that ask.
    Gender(u8),
}

/// A number as text.
#[derive(Clone, Copy, Debug)]
pub struct NumberText<'p> {
    /// Of money, from 4:389.
    pub currency: Option<StrRef<'p>>,
    /// The number.
    pub argument: Argument<'p>,
    /// How it is written, if that is said.
    pub options: Option<NumberOptions>,
    /// Which culture's way it is.
    pub culture: StrRef<'p>,
}

/// How a number is written.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct NumberOptions {
    /// A plus, too; from version 21 of `FEditorObjectVersion` on.
    pub always_sign: Option<bool>,
    /// With separators of thousands.
    pub grouping: bool,
    /// `ERoundingMode`
    pub rounding: i8,
    /// Least digits before the point.
    pub minimum_integral_digits: i32,
    /// Most digits before the point.
    pub maximum_integral_digits: i32,
    /// Least digits behind the point.
    pub minimum_fractional_digits: i32,
    /// Most digits behind the point.
    pub maximum_fractional_digits: i32,
}

/// A date, a time or both as text.
#[derive(Clone, Copy, Debug)]
pub struct DateText<'p> {
    /// In 100 ns since the year 1.
    pub ticks: i64,
    /// How the date is written.
    pub date_style: Option<i8>,
    /// How the time is written.
    pub time_style: Option<i8>,
    /// In which pattern, for a date style of 5.
    pub pattern: Option<StrRef<'p>>,
    /// Of which zone; a date has one from 4:422.
    pub time_zone: Option<StrRef<'p>>,
    /// Which culture's way it is.
    pub culture: StrRef<'p>,
}
