//! Changes the value to which a path leads, in a document or in a part of one that is in memory.
//!
//! Paths have the same meaning as in [`select`](super::select). In a list of objects with a name or
//! a key, a segment selects the value by that name or key. An object with the member `entries` or
//! `values` is searched like the list in that member.

use crate::ui::path::{Segment, quote_if_needed};
use serde_json::{Map, Value, json};

/// A change of the value to which a path leads.
#[derive(Clone, Copy, Debug)]
pub enum Change<'a> {
    /// Sets the value to `text`. If `json` is `true`, the text is JSON; otherwise, the old value
    /// determines how the text is read.
    Set {
        text: &'a str,
        json: bool,
    },
    Remove,
    /// Changes the name of a property or the key of an entry.
    Rename(&'a str),
}

/// The reason why a value was not changed.
#[derive(Debug)]
pub enum Fault {
    /// The path does not exist.
    Missing,
    Other(String),
}

impl From<String> for Fault {
    fn from(text: String) -> Self {
        Self::Other(text)
    }
}

/// The segment that stands for a new element at the end of a list.
const APPENDED: &str = "+";

/// Changes the value at `path` in `node`. If the path does not exist, adds a value if possible, and
/// returns a description of what was added. `of` is the type of the property if one is added.
pub fn change(
    node: &mut Value,
    path: &[Segment<'_>],
    change: Change<'_>,
    of: Option<&str>,
) -> Result<Option<String>, Fault> {
    Edit { change, of, key: "" }.at(node, path)
}

#[derive(Clone, Copy)]
struct Edit<'a> {
    change: Change<'a>,
    of: Option<&'a str>,
    /// The type of the map that is being searched, without the leading `MapProperty(`. It begins
    /// with the type of the keys. Empty if no map is being searched.
    key: &'a str,
}

type Done = Result<Option<String>, Fault>;

impl Edit<'_> {
    /// Changes the value to which `path` leads within `node`. The recursion is bounded by the
    /// length of the path, which comes from the command line.
    fn at(self, node: &mut Value, path: &[Segment<'_>]) -> Done {
        let Some((segment, rest)) = path.split_first() else {
            return match self.change {
                Change::Set { text, json } => {
                    *node = parsed(text, json, node)?;
                    Ok(None)
                }
                _ => Err(Fault::Other("only an entry of a list can be removed or renamed".into())),
            };
        };
        match node {
            Value::Array(list) => self.in_list(list, segment, rest),
            Value::Object(members) => self.in_object(members, segment, rest),
            _ => Err(Fault::Missing),
        }
    }

    fn in_object(
        self,
        members: &mut Map<String, Value>,
        segment: &Segment<'_>,
        rest: &[Segment<'_>],
    ) -> Done {
        if segment.is(&segment.text)
            && let Some(member) = members.get_mut(&*segment.text)
        {
            return self.at(member, rest);
        }
        for inner in ["entries", "values"] {
            if let Some(list @ Value::Array(_)) = members.get_mut(inner) {
                return self.at(list, &[std::slice::from_ref(segment), rest].concat());
            }
        }
        Err(Fault::Missing)
    }

    fn in_list(self, list: &mut Vec<Value>, segment: &Segment<'_>, rest: &[Segment<'_>]) -> Done {
        if segment.is(APPENDED) && rest.is_empty() {
            return self.append(list);
        }
        let found = match segment.index() {
            Some(index) => position(list.len(), index),
            None => list.iter().position(|entry| is_called(entry, segment)),
        };
        let found = found.or_else(|| list.iter().position(|entry| has_key(entry, segment)));
        let Some(index) = found else {
            return if rest.is_empty() { self.add(list, segment) } else { Err(Fault::Missing) };
        };
        match (rest, self.change) {
            ([], Change::Remove) => {
                list.remove(index);
                return Ok(None);
            }
            ([], Change::Rename(name)) => {
                let entry = list.get_mut(index).and_then(Value::as_object_mut);
                return rename(entry.ok_or(Fault::Missing)?, name);
            }
            _ => {}
        }
        let by_index = segment.index().is_some();
        let Some(entry) = list.get_mut(index) else { return Err(Fault::Missing) };
        match entry.as_object_mut().filter(|members| is_entry(members)) {
            Some(members) if !by_index || has_key_of(members, segment) => {
                self.in_entry(members, rest)
            }
            _ => self.at(entry, rest),
        }
    }

    /// Changes the value of a property or of an entry of a map.
    fn in_entry(self, members: &mut Map<String, Value>, rest: &[Segment<'_>]) -> Done {
        let of = members.get("type").and_then(Value::as_str).unwrap_or_default().to_owned();
        let key = of.strip_prefix("MapProperty(").unwrap_or_default();
        if rest.is_empty() && members.contains_key("raw") {
            return Err(Fault::Other("its value is only known as bytes; set its `raw`".into()));
        }
        match members.get_mut("value") {
            Some(value) => Edit { key, ..self }.at(value, rest),
            None => Err(Fault::Missing),
        }
    }

    /// Adds a value at the end of a list. The last value determines how the new one is read.
    fn append(self, list: &mut Vec<Value>) -> Done {
        let Change::Set { text, json } = self.change else { return Err(Fault::Missing) };
        let like = list.last().cloned().unwrap_or(Value::Null);
        list.push(parsed(text, json, &like)?);
        Ok(Some("an element".into()))
    }

    /// Adds a property or an entry of a map.
    fn add(self, list: &mut Vec<Value>, segment: &Segment<'_>) -> Done {
        let Change::Set { text, json } = self.change else { return Err(Fault::Missing) };
        if segment.index().is_some() && !self.key_is_number(list, &segment.text) {
            return Err(Fault::Missing);
        }
        let is_map = match list.first().and_then(Value::as_object) {
            Some(members) => members.contains_key("key"),
            None => !self.key.is_empty(),
        };
        let name = quote_if_needed(&segment.text);
        if is_map {
            let sample = list.first().and_then(|entry| entry.get("value")).cloned();
            let key = match self.key_is_number(list, &segment.text) {
                true => serde_json::from_str(&segment.text)
                    .map_err(|_| format!("the key `{name}` is not a number"))?,
                false => Value::String(segment.text.clone().into_owned()),
            };
            let value = parsed(text, json, &sample.unwrap_or(Value::Null))?;
            list.push(json!({"key": key, "value": value}));
            return Ok(Some(format!("the key `{name}`")));
        }
        let mut value = parsed(text, json, &Value::Null)?;
        let of = match self.of {
            Some(of) => of.to_owned(),
            None => guessed_type(&value)
                .ok_or_else(|| format!("there is no property `{name}`; --type TYPE adds one"))?
                .to_owned(),
        };
        if of.starts_with("StrProperty") && !value.is_string() {
            value = Value::String(text.into());
        }
        let mut entry = Map::new();
        entry.insert("name".into(), Value::String(segment.text.clone().into_owned()));
        entry.insert("type".into(), Value::String(of));
        entry.insert("array_index".into(), segment.array_index.unwrap_or(0).into());
        entry.insert("value".into(), value);
        list.push(Value::Object(entry));
        Ok(Some(format!("the property `{name}`")))
    }

    /// Returns `true` if a new key of the map is a number. The first entry or the type of the map
    /// determines this. In an empty map of bytes, a key can also be the name of an enum member.
    fn key_is_number(self, entries: &[Value], key: &str) -> bool {
        match entries.first().and_then(|entry| entry.get("key")) {
            Some(first) => first.is_number(),
            None if self.key.starts_with("Byte") => key.parse::<u8>().is_ok(),
            None => ["Int", "UInt"].iter().any(|kind| self.key.starts_with(kind)),
        }
    }
}

/// Returns the type of a new property that has this value.
fn guessed_type(value: &Value) -> Option<&'static str> {
    match value {
        Value::Bool(_) => Some("BoolProperty"),
        Value::Number(number) if number.is_f64() => Some("FloatProperty"),
        Value::Number(number) => match number.as_i64().map(i32::try_from) {
            Some(Ok(_)) => Some("IntProperty"),
            _ => Some("Int64Property"),
        },
        Value::String(_) => Some("StrProperty"),
        _ => None,
    }
}

fn rename(members: &mut Map<String, Value>, name: &str) -> Done {
    match members.get_mut("key") {
        Some(key @ Value::Number(_)) => {
            *key = serde_json::from_str(name).map_err(|_| "the key must be a number".to_owned())?;
        }
        Some(key) => *key = Value::String(name.into()),
        None => match members.get_mut("name") {
            Some(old) => *old = Value::String(name.into()),
            None => return Err(Fault::Missing),
        },
    }
    // The stored bytes of the tag contain the old name.
    members.remove("stored_tag");
    if let Some(inner) = members.get_mut("inner_tag").and_then(|inner| inner.get_mut("name")) {
        *inner = Value::String(name.into());
    }
    Ok(None)
}

fn position(len: usize, index: i64) -> Option<usize> {
    let index = match index {
        ..0 => i64::try_from(len).ok()?.checked_add(index)?,
        index => index,
    };
    usize::try_from(index).ok().filter(|index| *index < len)
}

fn is_entry(members: &Map<String, Value>) -> bool {
    let has = |key| members.contains_key(key);
    // A row of a data table has a name and a list of properties.
    let has_list = || members.get("value").is_some_and(Value::is_array);
    has("key") || (has("name") && (has("type") || has_list()))
}

fn is_called(entry: &Value, segment: &Segment<'_>) -> bool {
    let Some(members) = entry.as_object().filter(|members| is_entry(members)) else { return false };
    match members.get("name") {
        Some(Value::String(name)) => {
            let index = members.get("array_index").and_then(Value::as_i64).unwrap_or(0);
            name.eq_ignore_ascii_case(&segment.text)
                && index == i64::from(segment.array_index.unwrap_or(0))
        }
        _ => has_key_of(members, segment),
    }
}

fn has_key(entry: &Value, segment: &Segment<'_>) -> bool {
    entry.as_object().is_some_and(|members| has_key_of(members, segment))
}

/// Returns `true` if the entry of a map has this key.
fn has_key_of(members: &Map<String, Value>, segment: &Segment<'_>) -> bool {
    let text = match members.get("key") {
        Some(Value::String(text)) => text.clone(),
        Some(other) => other.to_string(),
        None => return false,
    };
    text.eq_ignore_ascii_case(&segment.text) && segment.array_index.is_none()
}

/// Reads VALUE, which replaces the value `old`. The form of `old` determines how VALUE is read.
fn parsed(text: &str, is_json: bool, old: &Value) -> Result<Value, Fault> {
    let as_json = || serde_json::from_str::<Value>(text);
    if is_json {
        return as_json().map_err(|error| format!("VALUE is not JSON: {error}").into());
    }
    match old {
        Value::Number(_) => number(text),
        Value::String(old) if is_no_number(old) && number(text).is_ok() => number(text),
        Value::Bool(_) => match text {
            "true" => Ok(Value::Bool(true)),
            "false" => Ok(Value::Bool(false)),
            _ => Err(Fault::Other("VALUE must be true or false".into())),
        },
        Value::String(_) => Ok(match as_json() {
            Ok(Value::String(quoted)) if text.starts_with('"') => Value::String(quoted),
            _ => Value::String(text.into()),
        }),
        Value::Object(old) => object(text, old),
        Value::Array(_) => match as_json() {
            Ok(list @ (Value::Array(_) | Value::Object(_))) => Ok(list),
            _ => Err(Fault::Other("VALUE must be a list in JSON, such as [1, 2]".into())),
        },
        Value::Null => Ok(as_json().unwrap_or_else(|_| Value::String(text.into()))),
    }
}

fn is_no_number(text: &str) -> bool {
    matches!(text, "NaN" | "inf" | "-inf")
}

fn number(text: &str) -> Result<Value, Fault> {
    match serde_json::from_str(text) {
        Ok(number @ Value::Number(_)) => Ok(number),
        _ if is_no_number(text) => Ok(Value::String(text.into())),
        _ => Err(Fault::Other("VALUE must be a number".into())),
    }
}

/// Reads an object. Members that are missing keep their old values, except in containers. A text or
/// a soft reference can be given as a plain string.
fn object(text: &str, old: &Map<String, Value>) -> Result<Value, Fault> {
    match serde_json::from_str(text) {
        Ok(Value::Object(new)) => {
            let is_container = ["entries", "values", "history", "base64", "hex"];
            let is_part = new.keys().all(|key| old.contains_key(key))
                && !is_container.iter().any(|key| old.contains_key(*key));
            let mut members = if is_part { old.clone() } else { Map::new() };
            members.extend(new);
            Ok(Value::Object(members))
        }
        Ok(list @ Value::Array(_)) => Ok(list),
        _ => {
            let mut members = old.clone();
            let names = ["culture_invariant", "source", "path"];
            let name = names.into_iter().find(|name| old.get(*name).is_some_and(Value::is_string));
            let name = name.ok_or_else(|| {
                Fault::Other("VALUE must be an object in JSON, such as {\"x\": 1}".into())
            })?;
            members.insert(name.into(), Value::String(text.into()));
            Ok(Value::Object(members))
        }
    }
}
