//! Descriptions of values as text.

use super::facts::Facts;
use super::shape::Items;
use super::span::{Ordered, Span, Texts};
use crate::godot::Kind;
use core::fmt::{self, Display, Formatter};

/// If a value has at most this many numbers, the description gives the range of each number.
/// Otherwise, it gives one range for all of them.
const FEW_NUMBERS: usize = 4;
/// Number of texts that are printed if the schema does not store all texts of a location.
const SOME_TEXTS: usize = 3;

impl Display for Facts {
    fn fmt(&self, f: &mut Formatter<'_>) -> fmt::Result {
        let mut list = List { f, separator: "" };
        types(self, &mut list)?;
        lens(self, &mut list)?;
        numbers(self, &mut list)?;
        width(self, &mut list)?;
        match (&self.items, self.keys()) {
            (Items::Values(_), Some(keys)) => {
                keys.facts().iter().try_for_each(|facts| list.item(Keys(facts)))
            }
            _ => texts(&self.texts, &mut list),
        }
    }
}

/// Prints the declared types or classes. Omits a single declared type, which is printed with the
/// kind.
fn types(facts: &Facts, list: &mut List<'_, '_>) -> fmt::Result {
    match facts.types.iter().len() {
        0 => Ok(()),
        1 if facts.kind != Kind::Object => Ok(()),
        _ => list.item(Types(&facts.types)),
    }
}

fn lens(facts: &Facts, list: &mut List<'_, '_>) -> fmt::Result {
    let Some(lens) = facts.lens else { return Ok(()) };
    let (one, many) = match (facts.kind, &facts.items) {
        // If there is only one text, the text itself is printed in place of its length.
        (Kind::String | Kind::StringName, _) if facts.texts.only().is_some() => return Ok(()),
        (Kind::String | Kind::StringName, _) => ("byte", "bytes"),
        (Kind::Dictionary, Items::Fields(_)) => ("key", "keys"),
        (Kind::Dictionary, _) => ("pair", "pairs"),
        (Kind::Object, _) => ("property", "properties"),
        _ => ("element", "elements"),
    };
    let unit = if lens.is_one() && lens.min == 1 { one } else { many };
    list.item(format_args!("{} {unit}", Numbers(lens)))
}

fn numbers(facts: &Facts, list: &mut List<'_, '_>) -> fmt::Result {
    match (&*facts.ints, &*facts.reals) {
        ([truth], _) if facts.kind == Kind::Bool => match truth.is_one() {
            true => list.item(truth.min == 1),
            false => Ok(()),
        },
        (ints, []) => ranges(ints, list),
        (_, reals) => ranges(reals, list),
    }
}

fn width(facts: &Facts, list: &mut List<'_, '_>) -> fmt::Result {
    match facts.wide {
        0 => Ok(()),
        ids if facts.kind == Kind::Object => list.item(format_args!("{ids} by id")),
        wide if wide == facts.seen => list.item("64-bit"),
        wide => list.item(format_args!("{wide} in 64 bits")),
    }
}

fn texts(texts: &Texts, list: &mut List<'_, '_>) -> fmt::Result {
    if texts.iter().len() == 0 {
        return Ok(());
    }
    if !list.separator.is_empty() {
        list.separator = ": ";
    }
    list.item(Examples(texts))
}

/// A writer of a separated list of items.
struct List<'f, 'b> {
    f: &'f mut Formatter<'b>,
    separator: &'static str,
}

impl List<'_, '_> {
    fn item(&mut self, item: impl Display) -> fmt::Result {
        let separator = core::mem::replace(&mut self.separator, ", ");
        write!(self.f, "{separator}{item}")
    }
}

/// Displays the keys of one kind in a map.
struct Keys<'s>(&'s Facts);

impl Display for Keys<'_> {
    fn fmt(&self, f: &mut Formatter<'_>) -> fmt::Result {
        write!(f, "keys {:?} {}", self.0.kind, self.0)
    }
}

fn ranges<T: Number>(spans: &[Span<T>], list: &mut List<'_, '_>) -> fmt::Result {
    match spans {
        [] => Ok(()),
        [span] => list.item(Numbers(*span)),
        _ if spans.len() <= FEW_NUMBERS => list.item(Parts(spans)),
        [first, others @ ..] => {
            let mut all = *first;
            others.iter().for_each(|span| all.cover(*span));
            list.item(Numbers(all))
        }
    }
}

/// Displays the range of each number of a value: `(0.0 to 4.5, 0.1)`.
struct Parts<'s, T>(&'s [Span<T>]);

impl<T: Number> Display for Parts<'_, T> {
    fn fmt(&self, f: &mut Formatter<'_>) -> fmt::Result {
        let mut separator = "(";
        for span in self.0 {
            write!(f, "{separator}{}", Numbers(*span))?;
            separator = ", ";
        }
        f.write_str(")")
    }
}

/// Displays a range: `5` or `5 to 7`.
struct Numbers<T>(Span<T>);

impl<T: Number> Display for Numbers<T> {
    fn fmt(&self, f: &mut Formatter<'_>) -> fmt::Result {
        let Span { min, max } = self.0;
        if self.0.is_empty() {
            return f.write_str("NaN"); // all numbers are NaN
        }
        min.show(f)?;
        if self.0.is_one() {
            return Ok(());
        }
        f.write_str(" to ")?;
        max.show(f)
    }
}

trait Number: Ordered {
    fn show(self, f: &mut Formatter<'_>) -> fmt::Result;
}

impl Number for u64 {
    fn show(self, f: &mut Formatter<'_>) -> fmt::Result {
        self.fmt(f)
    }
}

impl Number for i64 {
    fn show(self, f: &mut Formatter<'_>) -> fmt::Result {
        self.fmt(f)
    }
}

impl Number for f64 {
    /// Prints the shortest digits that identify the number. Prints it as an `f32` if an `f32`
    /// represents it exactly.
    fn show(self, f: &mut Formatter<'_>) -> fmt::Result {
        let single = self as f32;
        if f64::from(single) == self { write!(f, "{single:?}") } else { write!(f, "{self:?}") }
    }
}

/// Displays texts: `"blue", "red"`, followed by `…` if there are others.
struct Examples<'s>(&'s Texts);

impl Display for Examples<'_> {
    fn fmt(&self, f: &mut Formatter<'_>) -> fmt::Result {
        let texts = self.0;
        let count = if texts.is_all() { usize::MAX } else { SOME_TEXTS };
        let mut separator = "";
        for text in texts.iter().take(count) {
            write!(f, "{separator}{text:?}")?;
            separator = ", ";
        }
        if texts.is_all() { Ok(()) } else { f.write_str(", …") }
    }
}

/// Displays declared types (`[int] or untyped`) or classes.
struct Types<'s>(&'s Texts);

impl Display for Types<'_> {
    fn fmt(&self, f: &mut Formatter<'_>) -> fmt::Result {
        let mut separator = "";
        for text in self.0.iter() {
            let text = if text.is_empty() { "untyped" } else { text };
            write!(f, "{separator}{}", text.escape_debug())?;
            separator = " or ";
        }
        if self.0.is_all() { Ok(()) } else { f.write_str(" …") }
    }
}
