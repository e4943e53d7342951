//! Prints the changes between two saves.

use crate::args::Diff;
use crate::godot::diff::{begin, short};
use crate::rems::inline;
use crate::rems::json::print_with;
use gamewire::rems::Item;
use gamewire::rems::json::Layout;
use std::io::{self, Write};

/// A printer of changes. Without an output, it only records that there is a change.
pub struct ChangePrinter<'d> {
    pub args: &'d Diff,
    /// Output; `None` for a pass that prints nothing.
    pub out: Option<&'d mut dyn Write>,
    /// `true` until a change is found.
    pub is_same: bool,
}

impl ChangePrinter<'_> {
    /// Prints that a value was changed, added or removed.
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
        begin(self.args, None, change, path, &mut *out)?;
        if self.args.json {
            for (member, items) in [("old", old), ("new", new)] {
                let Some(items) = items else { continue };
                write!(out, ",\"{member}\":")?;
                print_with(*out, Layout::Compact, |printer| {
                    items.iter().try_for_each(|item| printer.item(item))
                })?;
            }
            return out.write_all(b"}\n");
        }
        let types =
            old.and_then(type_of) != new.and_then(type_of) && old.is_some() && new.is_some();
        let is_pointer = matches!(old, Some([Item::Pointer(_)]));
        let [old, new] =
            [old, new].map(|items| items.map(|items| self::items(items, types, self.args.full)));
        match (old, new) {
            // The same number can mean different objects in the two files.
            (Some(old), Some(new)) if old == new && is_pointer => {
                writeln!(out, "{old} → {new} (a different object, or none)")
            }
            // Both values are malformed, or their texts are cut off before the difference.
            (Some(old), Some(new)) if old == new => {
                writeln!(out, "{old} → {new} (they differ in something that is not shown)")
            }
            (Some(old), Some(new)) => writeln!(out, "{old} → {new}"),
            (old, new) => writeln!(out, "{}", old.or(new).unwrap_or_default()),
        }
    }

    /// Prints that the properties of an object have a different order.
    pub fn order(&mut self, path: &str) -> io::Result<()> {
        self.is_same = false;
        let Some(out) = &mut self.out else { return Ok(()) };
        begin(self.args, None, "order", path, &mut *out)?;
        match self.args.json {
            true => out.write_all(b"}\n"),
            false => writeln!(out, "its properties are in another order"),
        }
    }
}

/// Returns the name of the type of a value; `None` for objects and lists.
fn type_of(items: &[Item<'_>]) -> Option<String> {
    match items.first()? {
        Item::Value(value) => Some(inline::kind_name(value)),
        _ => None,
    }
}

/// Formats a value, shortened unless `full` is `true`. Adds its type if `types` is `true`.
fn items(items: &[Item<'_>], types: bool, full: bool) -> String {
    let text = inline::items(items, full);
    let ty = type_of(items).filter(|_| types);
    let text = ty.map_or(text.clone(), |ty| format!("{ty} {text}"));
    short(text, full)
}
