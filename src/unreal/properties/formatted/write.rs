//! Writes texts (`FText`). A nested text is read from its file and written again, so the nesting
//! limit of the reader also bounds the recursion here.

use super::text::{
    Argument, ArgumentName, DateText, Format, FormattedText, History, NestedText, NumberOptions,
    NumberText, Style,
};
use crate::buffer::{Full, Sink};
use crate::unreal::format::custom_versions::{editor, ue5_release};
use crate::unreal::format::ue4;
use crate::unreal::format::{Layout, StrRef, Value};

impl FormattedText<'_> {
    /// Writes the text. Returns `false` if the layout cannot express it. In that case, a part of
    /// the text may have been written.
    pub(crate) fn write<S: Sink>(&self, to: &mut S, layout: &Layout) -> Result<bool, Full> {
        if let History::Legacy { source, namespace, key } = self.history {
            source.write(to, layout)?;
            if layout.has_ue4(ue4::ADDED_NAMESPACE_AND_KEY_DATA_TO_FTEXT) {
                namespace.unwrap_or_default().write(to, layout)?;
            }
            key.write(to, layout)?;
            self.flags.write(to, layout)?;
            return Ok(!layout.has_ue4(ue4::FTEXT_HISTORY));
        }
        self.flags.write(to, layout)?;
        self.history.number().write(to, layout)?;
        Ok(layout.has_ue4(ue4::FTEXT_HISTORY) && self.history.write(to, layout)?)
    }
}

impl History<'_> {
    const fn number(&self) -> i8 {
        match self {
            Self::None { .. } | Self::Legacy { .. } => -1,
            Self::Base { .. } => 0,
            Self::NamedFormat(_) => 1,
            Self::OrderedFormat(_) => 2,
            Self::ArgumentFormat(_) => 3,
            Self::Number(_) => 4,
            Self::Percent(_) => 5,
            Self::Currency(_) => 6,
            Self::Date(_) => 7,
            Self::Time(_) => 8,
            Self::DateTime(_) => 9,
            Self::Transform { .. } => 10,
            Self::StringTable { .. } => 11,
            Self::Generator { .. } => 12,
        }
    }

    fn write<S: Sink>(&self, to: &mut S, layout: &Layout) -> Result<bool, Full> {
        match self {
            Self::Legacy { .. } => Ok(false),
            Self::None { culture_invariant } => {
                if layout.custom.editor < editor::CULTURE_INVARIANT_TEXT {
                    return Ok(culture_invariant.is_none());
                }
                culture_invariant.is_some().write(to, layout)?;
                optional(culture_invariant, to, layout)
            }
            Self::Base { namespace, key, source, dev_notes } => {
                namespace.write(to, layout)?;
                key.write(to, layout)?;
                source.write(to, layout)?;
                match layout.texts_have_notes() {
                    true => dev_notes.unwrap_or_default().write(to, layout)?,
                    false => return Ok(dev_notes.is_none()),
                }
                Ok(true)
            }
            Self::NamedFormat(format)
            | Self::OrderedFormat(format)
            | Self::ArgumentFormat(format) => format.write(to, layout),
            Self::Number(text) | Self::Percent(text) => text.write(false, to, layout),
            Self::Currency(text) => {
                text.write(layout.has_ue4(ue4::ADDED_CURRENCY_CODE_TO_FTEXT), to, layout)
            }
            Self::Date(text) => text.write(true, false, to, layout),
            Self::Time(text) => text.write(false, true, to, layout),
            Self::DateTime(text) => text.write(true, true, to, layout),
            Self::Transform { source, transform } => {
                let written = source.write(to, layout)?;
                transform.write(to, layout)?;
                Ok(written)
            }
            Self::StringTable { table, key } => {
                let written = table.write_matching(to, layout)?;
                key.write(to, layout)?;
                Ok(written)
            }
            Self::Generator { name: generator } => generator.write_matching(to, layout),
        }
    }
}

fn optional<S: Sink>(text: &Option<StrRef<'_>>, to: &mut S, layout: &Layout) -> Result<bool, Full> {
    text.map_or(Ok(()), |text| text.write(to, layout))?;
    Ok(true)
}

impl NestedText<'_> {
    fn write<S: Sink>(&self, to: &mut S, layout: &Layout) -> Result<bool, Full> {
        self.read().map_or(Ok(false), |text| text.write(to, layout))
    }
}

impl Format<'_> {
    fn write<S: Sink>(&self, to: &mut S, layout: &Layout) -> Result<bool, Full> {
        let mut written = self.format.write(to, layout)?;
        self.count.write(to, layout)?;
        let blueprint = self.style == Style::Blueprint;
        let named_by_text = blueprint && !layout.has_ue4(ue4::K2NODE_VAR_REFERENCEGUIDS);
        for argument in self.arguments() {
            let Ok((name, value)) = argument else { return Ok(false) };
            written &= match name {
                None => true,
                Some(ArgumentName::Text(name)) => {
                    name.write(to, layout)?;
                    !named_by_text
                }
                Some(ArgumentName::Formatted(name)) => name.write(to, layout)? && named_by_text,
            };
            written &= value.write(blueprint, to, layout)?;
        }
        Ok(written)
    }
}

impl Argument<'_> {
    fn write<S: Sink>(&self, blueprint: bool, to: &mut S, layout: &Layout) -> Result<bool, Full> {
        if blueprint && layout.custom.editor < editor::TEXT_FORMAT_ARGUMENT_DATA_IS_VARIANT {
            return match self {
                Self::Text(text) => text.write(to, layout),
                _ => Ok(false),
            };
        }
        let kind = |kind: i8, to: &mut S| kind.write(to, layout);
        match self {
            Self::Int(value) => {
                kind(0, to)?;
                if blueprint
                    && layout.custom.ue5_release < ue5_release::TEXT_FORMAT_ARGUMENT_DATA_64_BIT
                {
                    let Ok(value) = i32::try_from(*value) else { return Ok(false) };
                    value.write(to, layout)?;
                } else {
                    value.write(to, layout)?;
                }
            }
            Self::UInt(value) => kind(1, to).and_then(|()| value.write(to, layout))?,
            Self::Float(value) => kind(2, to).and_then(|()| value.write(to, layout))?,
            Self::Double(value) => kind(3, to).and_then(|()| value.write(to, layout))?,
            Self::Text(text) => {
                kind(4, to)?;
                return text.write(to, layout);
            }
            Self::Gender(value) => kind(5, to).and_then(|()| value.write(to, layout))?,
        }
        Ok(true)
    }
}

impl NumberText<'_> {
    fn write<S: Sink>(&self, currency: bool, to: &mut S, layout: &Layout) -> Result<bool, Full> {
        let mut written = currency == self.currency.is_some();
        written &= optional(&self.currency, to, layout)?;
        written &= self.argument.write(false, to, layout)?;
        self.options.is_some().write(to, layout)?;
        if let Some(options) = &self.options {
            written &= options.write(to, layout)?;
        }
        self.culture.write(to, layout)?;
        Ok(written)
    }
}

impl NumberOptions {
    fn write<S: Sink>(&self, to: &mut S, layout: &Layout) -> Result<bool, Full> {
        if let Some(always_sign) = self.always_sign {
            always_sign.write(to, layout)?;
        }
        self.grouping.write(to, layout)?;
        self.rounding.write(to, layout)?;
        self.minimum_integral_digits.write(to, layout)?;
        self.maximum_integral_digits.write(to, layout)?;
        self.minimum_fractional_digits.write(to, layout)?;
        self.maximum_fractional_digits.write(to, layout)?;
        Ok(self.always_sign.is_some()
            == (layout.custom.editor >= editor::ALWAYS_SIGN_NUMBER_OPTION))
    }
}

impl DateText<'_> {
    fn write<S: Sink>(
        &self,
        has_date: bool,
        has_time: bool,
        to: &mut S,
        layout: &Layout,
    ) -> Result<bool, Full> {
        let styles = [(has_date, self.date_style), (has_time, self.time_style)];
        self.ticks.write(to, layout)?;
        for style in styles.iter().filter_map(|(_, style)| *style) {
            style.write(to, layout)?;
        }
        let has_pattern = has_time && self.date_style == Some(5);
        let mut fits = styles.iter().all(|(has, style)| *has == style.is_some());
        fits &= has_pattern == self.pattern.is_some();
        fits &= (has_time || layout.has_ue4(ue4::FTEXT_HISTORY_DATE_TIMEZONE))
            == self.time_zone.is_some();
        optional(&self.pattern, to, layout)?;
        optional(&self.time_zone, to, layout)?;
        self.culture.write(to, layout)?;
        Ok(fits)
    }
}
