use super::text::{
    Argument, ArgumentName, DEPTH, DateText, Format, FormattedText, History, NestedText,
    NumberOptions, NumberText, Style,
};
use crate::unreal::format::custom_versions::{editor, ue5_release};
use crate::unreal::format::ue4;
use crate::unreal::format::{ErrorKind, FileCursor, Result};
use crate::unreal::properties::types::{NameCode, NameRef, PropertyContext};

/// A reader of texts with a limit for nesting.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Reader<'p> {
    pub(super) context: &'p PropertyContext<'p>,
    pub(super) depth: u8,
}

impl<'p> FormattedText<'p> {
    pub(crate) fn read(
        from: &mut FileCursor<'p>,
        context: &'p PropertyContext<'p>,
    ) -> Result<Self> {
        Reader { context, depth: DEPTH }.text(from)
    }
}

impl<'p> Reader<'p> {
    fn inside(self, at: &FileCursor<'_>) -> Result<Self> {
        match self.depth.checked_sub(1) {
            Some(depth) => Ok(Self { depth, ..self }),
            None => Err(at.error(ErrorKind::TooDeep { limit: DEPTH.into() })),
        }
    }

    pub(super) fn text(self, from: &mut FileCursor<'p>) -> Result<FormattedText<'p>> {
        let layout = &self.context.layout;
        if !layout.has_ue4(ue4::FTEXT_HISTORY) {
            let source = from.read(layout)?;
            let namespace = if layout.has_ue4(ue4::ADDED_NAMESPACE_AND_KEY_DATA_TO_FTEXT) {
                Some(from.read(layout)?)
            } else {
                None
            };
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
            6 => History::Currency(
                self.number(from, layout.has_ue4(ue4::ADDED_CURRENCY_CODE_TO_FTEXT))?,
            ),
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

    /// Reads a nested text to its end, and returns a view of it.
    fn nested(self, from: &mut FileCursor<'p>) -> Result<NestedText<'p>> {
        let (start, inside) = (*from, self.inside(from)?);
        inside.text(from)?;
        Ok(NestedText { from: start.until(from), context: self.context, depth: inside.depth })
    }

    fn none(self, from: &mut FileCursor<'p>) -> Result<History<'p>> {
        let layout = &self.context.layout;
        let there = layout.custom.editor >= editor::CULTURE_INVARIANT_TEXT && from.read(layout)?;
        let culture_invariant = if there { Some(from.read(layout)?) } else { None };
        Ok(History::None { culture_invariant })
    }

    fn base(self, from: &mut FileCursor<'p>) -> Result<History<'p>> {
        let layout = &self.context.layout;
        let (namespace, key, source) = (from.read(layout)?, from.read(layout)?, from.read(layout)?);
        let dev_notes = match layout.texts_have_notes() {
            true => Some(from.read(layout)?),
            false => None,
        };
        Ok(History::Base { namespace, key, source, dev_notes })
    }

    fn format(self, from: &mut FileCursor<'p>, style: Style) -> Result<Format<'p>> {
        let format = self.nested(from)?;
        let count = from.count(1, &self.context.layout)?;
        let start = *from;
        let reader = self;
        for _ in 0..count {
            reader.named(from, style)?;
        }
        Ok(Format { format, from: start.until(from), count, style, reader })
    }

    pub(super) fn named(
        self,
        from: &mut FileCursor<'p>,
        style: Style,
    ) -> Result<(Option<ArgumentName<'p>>, Argument<'p>)> {
        let layout = &self.context.layout;
        let name = match style {
            Style::Ordered => None,
            Style::Blueprint if !layout.has_ue4(ue4::K2NODE_VAR_REFERENCEGUIDS) => {
                Some(ArgumentName::Formatted(self.nested(from)?))
            }
            _ => Some(ArgumentName::Text(from.read(layout)?)),
        };
        Ok((name, self.argument(from, style == Style::Blueprint)?))
    }

    fn argument(self, from: &mut FileCursor<'p>, blueprint: bool) -> Result<Argument<'p>> {
        let layout = &self.context.layout;
        if blueprint && layout.custom.editor < editor::TEXT_FORMAT_ARGUMENT_DATA_IS_VARIANT {
            return self.nested(from).map(Argument::Text);
        }
        let at = *from;
        Ok(match from.read::<i8>(layout)? {
            0 if blueprint
                && layout.custom.ue5_release < ue5_release::TEXT_FORMAT_ARGUMENT_DATA_64_BIT =>
            {
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

    fn number(self, from: &mut FileCursor<'p>, has_currency: bool) -> Result<NumberText<'p>> {
        let layout = &self.context.layout;
        let currency = if has_currency { Some(from.read(layout)?) } else { None };
        let argument = self.argument(from, false)?;
        let options = if from.read(layout)? { Some(self.options(from)?) } else { None };
        Ok(NumberText { currency, argument, options, culture: from.read(layout)? })
    }

    fn options(self, from: &mut FileCursor<'p>) -> Result<NumberOptions> {
        let layout = &self.context.layout;
        let always_sign = match layout.custom.editor >= editor::ALWAYS_SIGN_NUMBER_OPTION {
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

    fn date(
        self,
        from: &mut FileCursor<'p>,
        has_date: bool,
        has_time: bool,
    ) -> Result<DateText<'p>> {
        let layout = &self.context.layout;
        let ticks = from.read(layout)?;
        let date_style = if has_date { Some(from.read(layout)?) } else { None };
        let time_style = if has_time { Some(from.read(layout)?) } else { None };
        let pattern = match (date_style, time_style) {
            (Some(5), Some(_)) => Some(from.read(layout)?),
            _ => None,
        };
        let time_zone = if has_time || layout.has_ue4(ue4::FTEXT_HISTORY_DATE_TIMEZONE) {
            Some(from.read(layout)?)
        } else {
            None
        };
        let culture = from.read(layout)?;
        Ok(DateText { ticks, date_style, time_style, pattern, time_zone, culture })
    }

    /// Reads the history of a text that a class generates. The format of the data that such a class
    /// writes is unknown, so only a history without a class can be read.
    fn generator(self, from: &mut FileCursor<'p>) -> Result<History<'p>> {
        let at = *from;
        let name: NameRef<'p> = from.read(&self.context.layout)?;
        Ok(match self.context.expect(name, &at)? == NameCode::NONE {
            true => History::Generator { name },
            false => {
                let (what, value) = ("generator of a text", 12);
                return Err(at.error(ErrorKind::Unknown { what, value }));
            }
        })
    }
}
