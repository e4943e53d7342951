//! What is said of a change.

use crate::args::Diff;
use crate::diff::{begin, short};
use crate::rems::inline;
use crate::rems::json::Printer;
use gamewire::rems::Item;
use serde_json::ser::CompactFormatter;
use std::io::{self, Write};

/// Prints changes, or only notes that there are any.
pub struct Teller<'d, W> {
    pub args: &'d Diff,
    pub out: Option<&'d mut W>,
    pub is_same: bool,
}

impl<W: Write> Teller<'_, W> {
    /// That something is another, or has come or gone.
    pub fn changed(
        &mut self,
        path: &str,
        old: Option<&[Item<'_>]>,
        new: Option<&[Item<'_>]>,
    ) -> io::Result<()> {
        self.is_same = false;
        let Some(out) = &mut self.out else { return Ok(()) };
        let change = match (old, new) {
            (None, _) => "added",
            (_, None) => "removed",
            _ => "changed",
        };
        begin(self.args, None, change, path, out)?;
        if self.args.json {
            for (member, items) in [("old", old), ("new", new)] {
                let Some(items) = items else { continue };
                write!(out, ",\"{member}\":")?;
                let mut printer = Printer::new(&mut *out, CompactFormatter);
                items.iter().try_for_each(|item| printer.item(*item))?;
            }
            return out.write_all(b"}\n");
        }
        let types =
            old.and_then(type_of) != new.and_then(type_of) && old.is_some() && new.is_some();
        let [old, new] =
            [old, new].map(|items| items.map(|items| self::items(items, types, self.args.full)));
        match (old, new) {
            // The same number in both files need not be the same object.
            (Some(old), Some(new)) if old == new => {
                writeln!(out, "{old} → {new} (another object, or none)")
            }
            (Some(old), Some(new)) => writeln!(out, "{old} → {new}"),
            (old, new) => writeln!(out, "{}", old.or(new).unwrap_or_default()),
        }
    }

    /// That the properties of an object are the same, and come in another order.
    pub fn order(&mut self, path: &str) -> io::Result<()> {
        self.is_same = false;
        let Some(out) = &mut self.out else { return Ok(()) };
        begin(self.args, None, "order", path, out)?;
        match self.args.json {
            true => out.write_all(b"}\n"),
            false => writeln!(out, "its properties are in another order"),
        }
    }
}

/// The type of a value.
fn type_of(items: &[Item<'_>]) -> Option<String> {
    match items.first()? {
        Item::Value(value) => Some(inline::kind_name(value)),
        _ => None,
    }
}

/// As much of it as fits into a line; with its type, if that is other than before.
fn items(items: &[Item<'_>], types: bool, full: bool) -> String {
    let text = inline::items(items, full);
    let ty = type_of(items).filter(|_| types);
    let text = ty.map_or(text.clone(), |ty| format!("{ty} {text}"));
    short(text, full)
}
