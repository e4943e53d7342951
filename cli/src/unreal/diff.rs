//! `gamewire diff` for packages and saves.

use super::{Files, Opened, Refusal};
use crate::args::Diff;
use crate::godot::diff::{begin, short};
use crate::ui::input::Stop;
use crate::ui::path::quote_if_needed;
use crate::ui::text::Escaped;
use gamewire::unreal::BytesForm;
use serde_json::{Map, Value};
use std::io::{self, Write};

/// Prints the changes between two packages or saves. Returns `true` if there are none. If a file
/// cannot be read, returns the error, and `true` if the error is about the old file.
pub fn diff(
    args: &Diff,
    old: &Files,
    new: &Files,
    out: &mut dyn Write,
) -> Result<io::Result<bool>, (bool, Stop)> {
    let old_value = document(old).map_err(|stop| (true, stop))?;
    let new_value = document(new).map_err(|stop| (false, stop))?;
    let mut compare = Compare { args, path: String::new(), is_same: true, out };
    Ok(compare.values(&old_value, &new_value).map(|()| compare.is_same))
}

fn document(files: &Files) -> Result<Value, Stop> {
    let value = match files.open().map_err(|error| Stop::input(Refusal(&error)))? {
        Opened::Save(save) => serde_json::to_value(save.with_bytes(BytesForm::Base64)),
        Opened::Package(package) => serde_json::to_value(package.with_bytes(BytesForm::Base64)),
    };
    value.map_err(Stop::input)
}

struct Compare<'a> {
    args: &'a Diff,
    path: String,
    is_same: bool,
    out: &'a mut dyn Write,
}

/// Returns `true` if a member of a document follows from other members. Such a member is a size, an
/// offset or a hash.
fn is_derived(key: &str) -> bool {
    matches!(key, "at" | "size" | "native_size" | "properties_end" | "script_start" | "script_end")
        || matches!(key, "name_hashes" | "serial_size" | "properties_size" | "total_header_size")
        || (key.ends_with("_offset") && key != "dependency_data_offset")
}

impl Compare<'_> {
    /// Compares two values. The nesting limit of the reader bounds the recursion.
    fn values(&mut self, old: &Value, new: &Value) -> io::Result<()> {
        match (old, new) {
            (Value::Object(old), Value::Object(new)) => self.objects(old, new),
            (Value::Array(old), Value::Array(new)) if is_keyed(old) && is_keyed(new) => {
                self.entries(old, new)
            }
            (Value::Array(old), Value::Array(new)) => self.lists(old, new),
            (old, new) if old == new => Ok(()),
            (old, new) => self.report(Some(old), Some(new)),
        }
    }

    fn inside(&mut self, step: &str, old: Option<&Value>, new: Option<&Value>) -> io::Result<()> {
        let len = self.path.len();
        if !step.starts_with('[') && len > 0 {
            self.path.push('.');
        }
        self.path.push_str(step);
        let result = match (old, new) {
            (Some(old), Some(new)) => self.values(old, new),
            (old, new) => self.report(old, new),
        };
        self.path.truncate(len);
        result
    }

    fn objects(&mut self, old: &Map<String, Value>, new: &Map<String, Value>) -> io::Result<()> {
        for (key, value) in old.iter().filter(|(key, _)| !is_derived(key)) {
            match key.as_str() {
                "entries" => self.values(value, new.get(key).unwrap_or(&Value::Null))?,
                key => self.inside(key, Some(value), new.get(key))?,
            }
        }
        for (key, value) in new.iter().filter(|(key, _)| !is_derived(key)) {
            if !old.contains_key(key) {
                self.inside(key, None, Some(value))?;
            }
        }
        Ok(())
    }

    /// Compares properties by their names, or entries of maps by their keys.
    fn entries(&mut self, old: &[Value], new: &[Value]) -> io::Result<()> {
        let mut counterparts = vec![false; new.len()];
        let mut start = 0;
        for entry in old {
            let step = step(entry);
            // Most entries have the same position in both lists, or nearly the same.
            let after = (start..new.len()).chain(0..start);
            let found = after.into_iter().find(|index| {
                counterparts.get(*index) == Some(&false)
                    && new.get(*index).is_some_and(|other| self::step(other) == step)
            });
            let other = found.and_then(|index| new.get(index));
            if let Some(place) = found.and_then(|index| counterparts.get_mut(index)) {
                *place = true;
                start = found.map_or(start, |index| index.saturating_add(1));
            }
            match other {
                Some(other) => self.entry(&step, entry, other)?,
                None => self.inside(&step, Some(value_of(entry)), None)?,
            }
        }
        for (entry, is_known) in new.iter().zip(counterparts) {
            if !is_known {
                self.inside(&step(entry), None, Some(value_of(entry)))?;
            }
        }
        Ok(())
    }

    /// Compares the values of two properties or entries, and then their types and flags.
    fn entry(&mut self, step: &str, old: &Value, new: &Value) -> io::Result<()> {
        let (old_value, new_value) = (value_of(old), value_of(new));
        let was_same = self.is_same;
        self.is_same = true;
        self.inside(step, Some(old_value), Some(new_value))?;
        let same_value = std::mem::replace(&mut self.is_same, was_same);
        self.is_same &= same_value;
        let (Some(old), Some(new)) = (old.as_object(), new.as_object()) else { return Ok(()) };
        // If the value has changed, the bytes that are stored for it are not compared.
        let is_other = |key: &str| {
            let is_value = matches!(key, "value" | "raw" | "reason" | "key" | "array_index");
            let is_stored = key.starts_with("stored") && !same_value;
            !is_value && !is_stored && !is_derived(key)
        };
        let len = self.path.len();
        if !step.starts_with('[') && len > 0 {
            self.path.push('.');
        }
        self.path.push_str(step);
        for key in old.keys().chain(new.keys().filter(|key| !old.contains_key(*key))) {
            if is_other(key) && key != "name" {
                self.inside(key, old.get(key), new.get(key))?;
            }
        }
        self.path.truncate(len);
        Ok(())
    }

    /// Compares lists element by element, without their common start. If their lengths differ,
    /// their common end is left out, too.
    fn lists(&mut self, old: &[Value], new: &[Value]) -> io::Result<()> {
        let is_same = |pair: &(&Value, &Value)| same(pair.0, pair.1);
        let start = old.iter().zip(new).take_while(is_same).count();
        let (old_rest, new_rest) = (old.get(start..), new.get(start..));
        let (old_rest, new_rest) = (old_rest.unwrap_or_default(), new_rest.unwrap_or_default());
        let end = match old.len() == new.len() {
            true => 0,
            false => old_rest.iter().rev().zip(new_rest.iter().rev()).take_while(is_same).count(),
        };
        let count = old_rest.len().max(new_rest.len()).saturating_sub(end);
        let within = |list: &[Value]| list.len().saturating_sub(end);
        for index in 0..count {
            let old = old_rest.get(index).filter(|_| index < within(old_rest));
            let new = new_rest.get(index).filter(|_| index < within(new_rest));
            self.inside(&format!("[{}]", start.saturating_add(index)), old, new)?;
        }
        Ok(())
    }

    fn report(&mut self, old: Option<&Value>, new: Option<&Value>) -> io::Result<()> {
        self.is_same = false;
        let change = match (old, new) {
            (Some(_), None) => "removed",
            (None, _) => "added",
            _ => "changed",
        };
        begin(self.args, None, change, &self.path, &mut self.out)?;
        if self.args.json {
            for (member, value) in [("old", old), ("new", new)] {
                if let Some(value) = value {
                    write!(self.out, ",\"{member}\":{value}")?;
                }
            }
            return self.out.write_all(b"}\n");
        }
        let shown = |value: &Value| {
            short(Escaped(value.to_string().as_bytes()).to_string(), self.args.full)
        };
        match (old.map(shown), new.map(shown)) {
            (Some(old), Some(new)) => writeln!(self.out, "{old} → {new}"),
            (old, new) => writeln!(self.out, "{}", old.or(new).unwrap_or_default()),
        }
    }
}

/// Returns `true` if two values are the same, apart from members that follow from others.
fn same(old: &Value, new: &Value) -> bool {
    match (old, new) {
        (Value::Object(old), Value::Object(new)) => {
            let has = |key: &str| old.contains_key(key);
            new.keys().all(|key| is_derived(key) || has(key))
                && old
                    .iter()
                    .filter(|(key, _)| !is_derived(key))
                    .all(|(key, value)| new.get(key).is_some_and(|other| same(value, other)))
        }
        (Value::Array(old), Value::Array(new)) => {
            old.len() == new.len() && old.iter().zip(new).all(|(old, new)| same(old, new))
        }
        (old, new) => old == new,
    }
}

/// Returns `true` for a list of properties or of entries of a map.
fn is_keyed(list: &[Value]) -> bool {
    let is_entry = |value: &Value| match value.as_object() {
        Some(entry) => {
            entry.contains_key("key") && entry.contains_key("value")
                || entry.contains_key("name") && entry.contains_key("type")
        }
        None => false,
    };
    list.iter().all(is_entry)
}

/// Returns the path segment that leads to an entry.
fn step(entry: &Value) -> String {
    let text = match entry.get("name").or(entry.get("key")) {
        Some(Value::String(text)) => quote_if_needed(text),
        Some(other) => format!("[{other}]"),
        None => String::new(),
    };
    match entry.get("array_index").and_then(Value::as_i64) {
        Some(index) if index != 0 => format!("{text}[#{index}]"),
        _ => text,
    }
}

fn value_of(entry: &Value) -> &Value {
    entry.get("value").or(entry.get("raw")).unwrap_or(&Value::Null)
}
