//! Converts localised texts (FText).

use super::super::oracle::{Fields, Node};
use super::properties::name_ref;
use super::records::text;
use gamewire::unreal::properties::{
    Argument, ArgumentName, DateText, Format, FormattedText, History, NestedText, NumberOptions,
    NumberText,
};

pub fn formatted(of: &FormattedText<'_>) -> Node {
    let mut fields = Fields::default();
    if let History::Legacy { source, namespace, key } = of.history {
        fields.put("source", text(source));
        fields.put_some("namespace", namespace.map(text));
        fields.put("key", text(key));
        fields.put("flags", Node::number(of.flags));
    } else {
        fields.put("flags", Node::number(of.flags));
        history(of.history, &mut fields);
    }
    Node::form("text", fields.done())
}

/// Returns the number that a file contains for the kind of a history.
fn number_of(history: &History<'_>) -> i8 {
    match history {
        History::Base { .. } => 0,
        History::NamedFormat(_) => 1,
        History::OrderedFormat(_) => 2,
        History::ArgumentFormat(_) => 3,
        History::Number(_) => 4,
        History::Percent(_) => 5,
        History::Currency(_) => 6,
        History::Date(_) => 7,
        History::Time(_) => 8,
        History::DateTime(_) => 9,
        History::Transform { .. } => 10,
        History::StringTable { .. } => 11,
        History::Generator { .. } => 12,
        _ => -1,
    }
}

fn history(history: History<'_>, to: &mut Fields) {
    to.put("history", Node::number(number_of(&history)));
    match history {
        History::None { culture_invariant } => {
            to.put_some("culture_invariant", culture_invariant.map(text));
        }
        History::Base { namespace, key, source, dev_notes } => {
            to.put("namespace", text(namespace));
            to.put("key", text(key));
            to.put("source", text(source));
            to.put_some("dev_notes", dev_notes.map(text));
        }
        History::NamedFormat(of) | History::OrderedFormat(of) | History::ArgumentFormat(of) => {
            format(&of, to);
        }
        History::Number(of) | History::Percent(of) | History::Currency(of) => number(&of, to),
        History::Date(of) | History::Time(of) | History::DateTime(of) => date(&of, to),
        History::Transform { source, transform } => {
            to.put("source", nested(source));
            to.put("transform", Node::number(transform));
        }
        History::StringTable { table, key } => {
            to.put("table", name_ref(table));
            to.put("key", text(key));
        }
        History::Generator { name } => to.put("generator", name_ref(name)),
        other => panic!("a history that is not known here: {other:?}"),
    }
}

/// Converts a text. The reader has already skipped it, so it is not malformed.
fn nested(of: NestedText<'_>) -> Node {
    formatted(&of.read().expect("the value has been checked"))
}

fn format(of: &Format<'_>, to: &mut Fields) {
    to.put("format", nested(of.format));
    let mut arguments = Vec::new();
    for each in of.arguments() {
        let (name, value) = each.expect("the value has been checked");
        let mut fields = Fields::default();
        match name {
            Some(ArgumentName::Text(name)) => fields.put("name", text(name)),
            Some(ArgumentName::Formatted(name)) => fields.put("name", nested(name)),
            None => {}
        }
        fields.put("value", argument(value));
        arguments.push(fields.done());
    }
    to.put("arguments", Node::List(arguments));
}

fn argument(of: Argument<'_>) -> Node {
    match of {
        Argument::Int(number) => Node::number(number),
        Argument::UInt(number) => Node::number(number),
        Argument::Float(number) => Node::Single(number.to_bits()),
        Argument::Double(number) => Node::Double(number.to_bits()),
        Argument::Text(text) => nested(text),
        Argument::Gender(gender) => Node::form("gender", Node::number(gender)),
    }
}

fn number(of: &NumberText<'_>, to: &mut Fields) {
    to.put_some("currency", of.currency.map(text));
    to.put("argument", argument(of.argument));
    to.put_some("options", of.options.map(|of| options(&of)));
    to.put("culture", text(of.culture));
}

fn options(of: &NumberOptions) -> Node {
    let mut fields = Fields::default();
    fields.put_some("always_sign", of.always_sign.map(Node::Truth));
    fields.put("grouping", Node::Truth(of.grouping));
    fields.put("rounding", Node::number(of.rounding));
    fields.put("least_before", Node::number(of.minimum_integral_digits));
    fields.put("most_before", Node::number(of.maximum_integral_digits));
    fields.put("least_behind", Node::number(of.minimum_fractional_digits));
    fields.put("most_behind", Node::number(of.maximum_fractional_digits));
    fields.done()
}

fn date(of: &DateText<'_>, to: &mut Fields) {
    to.put("ticks", Node::number(of.ticks));
    to.put_some("date_style", of.date_style.map(Node::number));
    to.put_some("time_style", of.time_style.map(Node::number));
    to.put_some("pattern", of.pattern.map(text));
    to.put_some("time_zone", of.time_zone.map(text));
    to.put("culture", text(of.culture));
}
