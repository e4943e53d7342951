//! `FText`: text that is shown to people, and how it comes about.

mod write;

use super::context::{Context, NameRef};
use super::words::Code;
use crate::unreal::text::Text;
use crate::unreal::wire::Input;
use crate::unreal::{ErrorKind, Result};

/// Texts inside each other.
const DEPTH: u8 = 24;

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
        source: Text<'p>,
        /// Of the key, from 4:226.
        namespace: Option<Text<'p>>,
        /// To find translations by.
        key: Text<'p>,
    },
    /// Text as it is.
    None {
        /// The text, if there is one.
        culture_invariant: Option<Text<'p>>,
    },
    /// Text that is translated.
    Base {
        /// Of the key.
        namespace: Text<'p>,
        /// To find translations by.
        key: Text<'p>,
        /// The text.
        source: Text<'p>,
        /// For translators.
        dev_notes: Option<Text<'p>>,
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
        key: Text<'p>,
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
    from: Input<'p>,
    context: &'p Context<'p>,
    depth: u8,
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
    from: Input<'p>,
    count: u32,
    style: Style,
    reader: Reader<'p>,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Style {
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
    Text(Text<'p>),
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
    pub currency: Option<Text<'p>>,
    /// The number.
    pub argument: Argument<'p>,
    /// How it is written, if that is said.
    pub options: Option<NumberOptions>,
    /// Which culture's way it is.
    pub culture: Text<'p>,
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
    pub pattern: Option<Text<'p>>,
    /// Of which zone; a date has one from 4:422.
    pub time_zone: Option<Text<'p>>,
    /// Which culture's way it is.
    pub culture: Text<'p>,
}

/// Reads texts, and counts how far they are inside each other.
#[derive(Clone, Copy, Debug)]
struct Reader<'p> {
    context: &'p Context<'p>,
    depth: u8,
}

impl<'p> FormattedText<'p> {
    pub(super) fn read(from: &mut Input<'p>, context: &'p Context<'p>) -> Result<Self> {
        Reader { context, depth: DEPTH }.text(from)
    }
}

impl<'p> Reader<'p> {
    fn inside(self, at: &Input<'_>) -> Result<Self> {
        match self.depth.checked_sub(1) {
            Some(depth) => Ok(Self { depth, ..self }),
            None => Err(at.error(ErrorKind::TooDeep { limit: DEPTH.into() })),
        }
    }

    fn text(self, from: &mut Input<'p>) -> Result<FormattedText<'p>> {
        let layout = &self.context.layout;
        if !layout.ue4(368) {
            let source = from.read(layout)?;
            let namespace = if layout.ue4(226) { Some(from.read(layout)?) } else { None };
            let history = History::Legacy { source, namespace, key: from.read(layout)? };
            return Ok(FormattedText { flags: from.read(layout)?, history });
        }
        let flags = from.read(layout)?;
        let at = *from;
        let history = match from.read::<i8>(layout)? {
            -1 => self.none(from)?,
            0 => self.base(from)?,
            1 => History::NamedFormat(self.format(from, Style::Named)?),
            2 => History::OrderedFormat(self.format(from, Style::Ordered)?),
            3 => History::ArgumentFormat(self.format(from, Style::Blueprint)?),
            4 => History::Number(self.number(from, false)?),
            5 => History::Percent(self.number(from, false)?),
            6 => History::Currency(self.number(from, layout.ue4(389))?),
            7 => History::Date(self.date(from, true, false)?),
            8 => History::Time(self.date(from, false, true)?),
            9 => History::DateTime(self.date(from, true, true)?),
            10 => {
                let source = self.nested(from)?;
                History::Transform { source, transform: from.read(layout)? }
            }
            11 => History::StringTable { table: from.read(layout)?, key: from.read(layout)? },
            12 => self.generator(from)?,
            other => {
                let (what, value) = ("history of a text", other.into());
                return Err(at.error(ErrorKind::Unknown { what, value }));
            }
        };
        Ok(FormattedText { flags, history })
    }

    /// A text inside of this one, walked over.
    fn nested(self, from: &mut Input<'p>) -> Result<NestedText<'p>> {
        let (start, inside) = (*from, self.inside(from)?);
        inside.text(from)?;
        Ok(NestedText { from: start.until(from), context: self.context, depth: inside.depth })
    }

    fn none(self, from: &mut Input<'p>) -> Result<History<'p>> {
        let layout = &self.context.layout;
        let there = layout.custom.editor >= 32 && from.read(layout)?;
        let culture_invariant = if there { Some(from.read(layout)?) } else { None };
        Ok(History::None { culture_invariant })
    }

    fn base(self, from: &mut Input<'p>) -> Result<History<'p>> {
        let layout = &self.context.layout;
        let (namespace, key, source) = (from.read(layout)?, from.read(layout)?, from.read(layout)?);
        let dev_notes = match layout.texts_have_notes() {
            true => Some(from.read(layout)?),
            false => None,
        };
        Ok(History::Base { namespace, key, source, dev_notes })
    }

    fn format(self, from: &mut Input<'p>, style: Style) -> Result<Format<'p>> {
        let format = self.nested(from)?;
        let count = from.count(1, &self.context.layout)?;
        let start = *from;
        let reader = self;
        for _ in 0..count {
            reader.named(from, style)?;
        }
        Ok(Format { format, from: start.until(from), count, style, reader })
    }

    fn named(
        self,
        from: &mut Input<'p>,
        style: Style,
    ) -> Result<(Option<ArgumentName<'p>>, Argument<'p>)> {
        let layout = &self.context.layout;
        let name = match style {
            Style::Ordered => None,
            Style::Blueprint if !layout.ue4(488) => {
                Some(ArgumentName::Formatted(self.nested(from)?))
            }
            _ => Some(ArgumentName::Text(from.read(layout)?)),
        };
        Ok((name, self.argument(from, style == Style::Blueprint)?))
    }

    fn argument(self, from: &mut Input<'p>, blueprint: bool) -> Result<Argument<'p>> {
        let layout = &self.context.layout;
        if blueprint && layout.custom.editor < 5 {
            return self.nested(from).map(Argument::Text);
        }
        let at = *from;
        Ok(match from.read::<i8>(layout)? {
            0 if blueprint && layout.custom.ue5_release < 12 => {
                Argument::Int(from.read::<i32>(layout)?.into())
            }
            0 => Argument::Int(from.read(layout)?),
            1 => Argument::UInt(from.read(layout)?),
            2 => Argument::Float(from.read(layout)?),
            3 => Argument::Double(from.read(layout)?),
            4 => Argument::Text(self.nested(from)?),
            5 => Argument::Gender(from.read(layout)?),
            other => {
                let (what, value) = ("type of a text's argument", other.into());
                return Err(at.error(ErrorKind::Unknown { what, value }));
            }
        })
    }

    fn number(self, from: &mut Input<'p>, has_currency: bool) -> Result<NumberText<'p>> {
        let layout = &self.context.layout;
        let currency = if has_currency { Some(from.read(layout)?) } else { None };
        let argument = self.argument(from, false)?;
        let options = if from.read(layout)? { Some(self.options(from)?) } else { None };
        Ok(NumberText { currency, argument, options, culture: from.read(layout)? })
    }

    fn options(self, from: &mut Input<'p>) -> Result<NumberOptions> {
        let layout = &self.context.layout;
        let always_sign = match layout.custom.editor >= 21 {
            true => Some(from.read(layout)?),
            false => None,
        };
        Ok(NumberOptions {
            always_sign,
            grouping: from.read(layout)?,
            rounding: from.read(layout)?,
            minimum_integral_digits: from.read(layout)?,
            maximum_integral_digits: from.read(layout)?,
            minimum_fractional_digits: from.read(layout)?,
            maximum_fractional_digits: from.read(layout)?,
        })
    }

    fn date(self, from: &mut Input<'p>, has_date: bool, has_time: bool) -> Result<DateText<'p>> {
        let layout = &self.context.layout;
        let ticks = from.read(layout)?;
        let date_style = if has_date { Some(from.read(layout)?) } else { None };
        let time_style = if has_time { Some(from.read(layout)?) } else { None };
        let pattern = match (date_style, time_style) {
            (Some(5), Some(_)) => Some(from.read(layout)?),
            _ => None,
        };
        let time_zone = if has_time || layout.ue4(422) { Some(from.read(layout)?) } else { None };
        let culture = from.read(layout)?;
        Ok(DateText { ticks, date_style, time_style, pattern, time_zone, culture })
    }

    /// What a generator writes is its own: the text ends with its name, or is not understood.
    fn generator(self, from: &mut Input<'p>) -> Result<History<'p>> {
        let at = *from;
        let name: NameRef<'p> = from.read(&self.context.layout)?;
        Ok(match self.context.expect(name, &at)? == Code::NONE {
            true => History::Generator { name },
            false => {
                let (what, value) = ("generator of a text", 12);
                return Err(at.error(ErrorKind::Unknown { what, value }));
            }
        })
    }
}
