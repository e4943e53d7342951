//! Writes texts (`FText`).

use super::node::{Fault, Node};
use super::writer::DocumentWriter;
use crate::unreal::format::custom_versions::{editor, ue5_release};
use crate::unreal::format::{Layout, ue4};
use alloc::format;

/// Maximum nesting depth of texts, the same as in the reader.
const DEPTH: u8 = crate::unreal::properties::TEXT_DEPTH;

/// Writes a text.
pub fn write(value: &Node, to: &mut DocumentWriter<'_>) -> Result<(), Fault> {
    text(value, to, DEPTH)
}

/// Writes a text within a text.
fn nested(value: &Node, to: &mut DocumentWriter<'_>, depth: u8) -> Result<(), Fault> {
    text(value, to, depth.checked_sub(1).ok_or("texts are nested too deeply")?)
}

/// Writes a text. The recursion is limited by `depth`.
fn text(value: &Node, to: &mut DocumentWriter<'_>, depth: u8) -> Result<(), Fault> {
    let flags = value.get("flags").map_or(Ok(0), Node::whole::<u32>)?;
    let history = value.member("history")?.text()?;
    if !to.layout.has_ue4(ue4::FTEXT_HISTORY) {
        to.string(value.member("source")?)?;
        if to.layout.has_ue4(ue4::ADDED_NAMESPACE_AND_KEY_DATA_TO_FTEXT) {
            to.string(value.member("namespace")?)?;
        }
        to.string(value.member("key")?)?;
        return to.put(flags);
    }
    to.put(flags)?;
    let code = number_of(history)
        .ok_or_else(|| Fault::from(format!("`{history}` is not a known `history` of a text")))?;
    to.put(code)?;
    match history {
        "none" => none(value, to),
        "base" => base(value, to),
        "named_format" | "ordered_format" | "argument_format" => {
            format_of(value, to, history, depth)
        }
        "number" | "percent" => number(value, to, false, depth),
        "currency" => {
            let stated = to.layout.has_ue4(ue4::ADDED_CURRENCY_CODE_TO_FTEXT);
            number(value, to, stated, depth)
        }
        "date" => date(value, to, true, false),
        "time" => date(value, to, false, true),
        "date_time" => date(value, to, true, true),
        "transform" => {
            nested(value.member("format")?, to, depth)?;
            to.put(value.member("transform")?.whole::<u8>()?)
        }
        "string_table" => {
            to.name(value.member("table")?.text()?)?;
            to.string(value.member("key")?)
        }
        _ => to.name(value.member("generator")?.text()?),
    }
}

fn number_of(history: &str) -> Option<i8> {
    Some(match history {
        "none" => -1,
        "base" => 0,
        "named_format" => 1,
        "ordered_format" => 2,
        "argument_format" => 3,
        "number" => 4,
        "percent" => 5,
        "currency" => 6,
        "date" => 7,
        "time" => 8,
        "date_time" => 9,
        "transform" => 10,
        "string_table" => 11,
        "generator" => 12,
        _ => return None,
    })
}

fn none(value: &Node, to: &mut DocumentWriter<'_>) -> Result<(), Fault> {
    let text = value.get("culture_invariant");
    if to.layout.custom.editor < editor::CULTURE_INVARIANT_TEXT {
        return match text {
            Some(_) => Err("this version does not store `culture_invariant`".into()),
            None => Ok(()),
        };
    }
    to.put(text.is_some())?;
    text.map_or(Ok(()), |text| to.string(text))
}

fn base(value: &Node, to: &mut DocumentWriter<'_>) -> Result<(), Fault> {
    for part in ["namespace", "key", "source"] {
        to.string(value.member(part)?)?;
    }
    match to.layout.texts_have_notes() {
        true => to.string(value.member("dev_notes")?),
        false => Ok(()),
    }
}

fn format_of(
    value: &Node,
    to: &mut DocumentWriter<'_>,
    history: &str,
    depth: u8,
) -> Result<(), Fault> {
    nested(value.member("format")?, to, depth)?;
    let blueprint = history == "argument_format";
    to.many(value.member("arguments")?, |to, value| {
        match history {
            "ordered_format" => {}
            _ if blueprint && !to.layout.has_ue4(ue4::K2NODE_VAR_REFERENCEGUIDS) => {
                nested(value.member("name")?, to, depth)?;
            }
            _ => to.string(value.member("name")?)?,
        }
        argument(value, to, blueprint, depth)
    })
}

fn argument(
    value: &Node,
    to: &mut DocumentWriter<'_>,
    blueprint: bool,
    depth: u8,
) -> Result<(), Fault> {
    let (kind, value) = (value.member("type")?.text()?, value.member("value")?);
    let layout: &Layout = &to.layout;
    if blueprint && layout.custom.editor < editor::TEXT_FORMAT_ARGUMENT_DATA_IS_VARIANT {
        return match kind {
            "text" => nested(value, to, depth),
            _ => Err("in this version, arguments must be texts".into()),
        };
    }
    let narrow =
        blueprint && layout.custom.ue5_release < ue5_release::TEXT_FORMAT_ARGUMENT_DATA_64_BIT;
    match kind {
        "int" if narrow => to.put(0i8).and_then(|()| to.put(value.whole::<i32>()?)),
        "int" => to.put(0i8).and_then(|()| to.put(value.whole::<i64>()?)),
        "uint" => to.put(1i8).and_then(|()| to.put(value.whole::<u64>()?)),
        "float" => to.put(2i8).and_then(|()| to.put(value.real()? as f32)),
        "double" => to.put(3i8).and_then(|()| to.put(value.real()?)),
        "text" => to.put(4i8).and_then(|()| nested(value, to, depth)),
        "gender" => to.put(5i8).and_then(|()| to.put(value.whole::<u8>()?)),
        other => Err(format!("`{other}` is not a type of argument").into()),
    }
}

fn number(
    value: &Node,
    to: &mut DocumentWriter<'_>,
    currency: bool,
    depth: u8,
) -> Result<(), Fault> {
    if currency {
        to.string(value.member("currency")?)?;
    }
    argument(value.member("argument")?, to, false, depth)?;
    let options = value.get("options");
    to.put(options.is_some())?;
    if let Some(options) = options {
        if to.layout.custom.editor >= editor::ALWAYS_SIGN_NUMBER_OPTION {
            to.put(options.member("always_sign")?.bool()?)?;
        }
        to.put(options.member("grouping")?.bool()?)?;
        to.put(options.member("rounding")?.whole::<i8>()?)?;
        for digits in [
            "minimum_integral_digits",
            "maximum_integral_digits",
            "minimum_fractional_digits",
            "maximum_fractional_digits",
        ] {
            to.put(options.member(digits)?.whole::<i32>()?)?;
        }
    }
    to.string(value.member("culture")?)
}

fn date(
    value: &Node,
    to: &mut DocumentWriter<'_>,
    has_date: bool,
    has_time: bool,
) -> Result<(), Fault> {
    to.put(value.member("ticks")?.whole::<i64>()?)?;
    let mut is_pattern = false;
    if has_date {
        let style = value.member("date_style")?.whole::<i8>()?;
        is_pattern = has_time && style == 5;
        to.put(style)?;
    }
    if has_time {
        to.put(value.member("time_style")?.whole::<i8>()?)?;
    }
    if is_pattern {
        to.string(value.member("pattern")?)?;
    }
    if has_time || to.layout.has_ue4(ue4::FTEXT_HISTORY_DATE_TIMEZONE) {
        to.string(value.member("time_zone")?)?;
    }
    to.string(value.member("culture")?)
}
