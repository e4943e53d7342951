//! Configuration files of Godot as trees: sections, entries, and values in the text notation.

use crate::file::brackets::{end_of_value, skip_separators, unescaped};
use crate::file::json::is_plain;
use crate::file::place::{Fault, Layout, Opening, Part, Place, Role, Row, Shape, Source, Splice};
use crate::file::text::{LABEL, LONG, SHORT, limited};
use gamewire::godot::Dialect;
use gamewire::godot::config::{ConfigReader, Entry, Item, encode_key};
use gamewire::godot::notation::Reading;
use std::ops::Range;

/// A configuration file.
#[derive(Clone, Copy)]
pub struct Config {
    dialect: Dialect,
}

/// The [`Place::form`] of sections. That of values is 0.
const SECTION: u32 = 1;

impl Config {
    pub fn new(bytes: &[u8]) -> Self {
        // The notations differ in few values. `config_version` or one value that only Godot 3 reads
        // decides.
        let is_old = entries(bytes).any(|entry| match (&*entry.key(), entry.value()) {
            ("config_version", version) => version.parse().is_ok_and(|version: i64| version < 5),
            (_, value) => !reads(value, Dialect::Godot4) && reads(value, Dialect::Godot3),
        });
        Self { dialect: if is_old { Dialect::Godot3 } else { Dialect::Godot4 } }
    }

    /// Calls `each` with the items from `pos` on. They are the entries of one section if
    /// `in_section` is `true`, and otherwise the sections and the entries before them. Returns an
    /// error for malformed text.
    fn items(
        &self,
        bytes: &[u8],
        range: Range<usize>,
        (mut index, pos): (u64, usize),
        in_section: bool,
        each: &mut dyn FnMut(Place) -> bool,
    ) -> Result<(), Fault> {
        let from = pos.max(range.start);
        let text = text(bytes, from..range.end)?;
        let mut reader = ConfigReader::of(text, self.dialect);
        // The section that is read at the moment, which ends before the next one.
        let mut section: Option<Range<usize>> = None;
        loop {
            let at = from + reader.offset() as usize;
            let place = match reader.next() {
                None => break,
                Some(Err(error)) => {
                    let offset = from + error.offset() as usize;
                    return Err(Fault { text: error.kind().to_string(), offset });
                }
                Some(Ok(Item::Section(header))) => {
                    if in_section && at > range.start {
                        break;
                    }
                    if in_section {
                        continue;
                    }
                    let key = at..at + header.text().len();
                    match section.replace(key) {
                        Some(key) => Self::section(key, at, index),
                        None => continue,
                    }
                }
                Some(Ok(Item::Entry(entry))) if section.is_none() => {
                    let (key, value) = (entry.offset(), entry.value_offset());
                    let (key, value) = (from + key as usize, from + value as usize);
                    let end = value + entry.value().len();
                    Place {
                        role: Role::Property,
                        index,
                        key: key..value,
                        value: value..end,
                        form: 0,
                    }
                }
                Some(Ok(_)) => continue,
            };
            if !each(place) {
                return Ok(());
            }
            index += 1;
        }
        if let Some(key) = section {
            each(Self::section(key, range.end, index));
        }
        Ok(())
    }

    fn section(key: Range<usize>, end: usize, index: u64) -> Place {
        let value = key.end..end.max(key.end);
        Place { role: Role::Element, index, key, value, form: SECTION }
    }

    fn row(&self, bytes: &[u8], place: &Place) -> Row {
        let value = lossy(bytes, place.value.clone());
        let key = lossy(bytes, place.key.clone());
        if place.form == SECTION {
            let name = key.trim_start_matches('[').trim_end_matches(']').replace("\\]", "]");
            return Row {
                label: limited(name.trim(), LABEL),
                kind: "section".into(),
                can_open: entries(bytes.get(place.value.clone()).unwrap_or_default())
                    .next()
                    .is_some(),
                shape: Shape::Object,
                ..Row::default()
            };
        }
        let label = match place.role {
            Role::Property => match entry_at(bytes, place, self.dialect) {
                Some(entry) => limited(entry.key(), LABEL),
                None => String::new(),
            },
            Role::Pair => limited(plain(key.trim().trim_end_matches([':', ' '])), LABEL),
            _ => place.index.to_string(),
        };
        let inside = inside(bytes, &place.value);
        let (kind, shape) = kind(&value, inside.as_ref().map(|range| bytes[range.start - 1]));
        Row {
            label,
            kind: limited(kind, SHORT),
            text: limited(value.replace(['\n', '\r'], " "), SHORT),
            can_open: inside.is_some_and(|range| first(bytes, &range).is_some()),
            can_edit: true,
            can_edit_key: matches!(place.role, Role::Property | Role::Pair),
            shape,
            ..Row::default()
        }
    }
}

fn text(bytes: &[u8], range: Range<usize>) -> Result<&str, Fault> {
    let bytes = bytes.get(range.clone()).unwrap_or_default();
    std::str::from_utf8(bytes).map_err(|error| Fault {
        text: "this is not UTF-8".into(),
        offset: range.start + error.valid_up_to(),
    })
}

fn lossy(bytes: &[u8], range: Range<usize>) -> String {
    String::from_utf8_lossy(bytes.get(range).unwrap_or_default()).into_owned()
}

fn entries(bytes: &[u8]) -> impl Iterator<Item = Entry<'_>> {
    let text = std::str::from_utf8(bytes).unwrap_or_default();
    let items = ConfigReader::of(text, Dialect::Godot4).map_while(Result::ok);
    items.filter_map(|item| match item {
        Item::Entry(entry) => Some(entry),
        _ => None,
    })
}

fn entry_at<'a>(bytes: &'a [u8], place: &Place, dialect: Dialect) -> Option<Entry<'a>> {
    let text = text(bytes, place.key.start..place.value.end).ok()?;
    match ConfigReader::of(text, dialect).next()?.ok()? {
        Item::Entry(entry) => Some(entry),
        _ => None,
    }
}

fn reads(value: &str, dialect: Dialect) -> bool {
    Reading::of(dialect).read(value).is_ok()
}

/// Returns the text of a string in quotes, or the text itself.
fn plain(text: &str) -> String {
    match text.strip_prefix(['&', '^']).unwrap_or(text).strip_prefix('"') {
        Some(rest) => unescaped(rest.strip_suffix('"').unwrap_or(rest)),
        None => text.into(),
    }
}

/// Returns the name of the type of a value. `bracket` is the bracket before the values inside.
fn kind(value: &str, bracket: Option<u8>) -> (&str, Shape) {
    match (value.as_bytes().first(), bracket) {
        (_, Some(b'{')) => ("Dictionary", Shape::Object),
        (_, Some(b'[')) => ("Array", Shape::List),
        (_, Some(_)) => (value.split('(').next().unwrap_or_default(), Shape::List),
        (Some(b'"'), _) => ("String", Shape::Quoted),
        (Some(b'&'), _) => ("StringName", Shape::Quoted),
        (Some(b'^'), _) => ("NodePath", Shape::Quoted),
        _ if matches!(value, "true" | "false") => ("bool", Shape::Plain),
        _ if value == "null" => ("null", Shape::Plain),
        _ if value.parse::<i64>().is_ok() && is_plain(value) => ("int", Shape::Plain),
        _ if value.parse::<i64>().is_ok() => ("int", Shape::Text),
        _ if value.parse::<f64>().is_ok_and(f64::is_finite)
            && value.starts_with(|char: char| char == '-' || char.is_ascii_digit()) =>
        {
            ("float", Shape::Text)
        }
        _ => ("", Shape::Text),
    }
}

/// Returns the range between the last brackets of a value, such as `1, 2` in `Vector2(1, 2)`.
fn inside(bytes: &[u8], value: &Range<usize>) -> Option<Range<usize>> {
    let (open, end) = match bytes.get(value.end.checked_sub(1)?)? {
        b']' => (b'[', value.end - 1),
        b'}' => (b'{', value.end - 1),
        b')' => (b'(', value.end - 1),
        _ => return None,
    };
    let mut at = value.start;
    // Before the last brackets, there can only be a name and the types of elements in brackets.
    while at < end {
        let byte = *bytes.get(at)?;
        let close = if matches!(byte, b'[' | b'{' | b'(') {
            end_of_value(bytes, at + 1, end + 1)
        } else if byte == b'"' {
            return None;
        } else {
            at += 1;
            continue;
        };
        // Skips the values between these brackets.
        let mut close = close;
        while matches!(bytes.get(close), Some(b',' | b':')) && close < end {
            close = end_of_value(bytes, close + 1, end + 1);
        }
        let close = skip_separators(bytes, close);
        if byte == open && close == end {
            return Some(at + 1..end);
        }
        at = close + 1;
    }
    None
}

/// Returns the offset of the first value between brackets.
fn first(bytes: &[u8], inside: &Range<usize>) -> Option<usize> {
    Some(skip_separators(bytes, inside.start)).filter(|at| *at < inside.end)
}

impl Source for Config {
    fn open(&self, bytes: &[u8], chain: &[Place]) -> Option<Opening> {
        let place = chain.last()?;
        let (first, end) = match place.role {
            Role::Root => (0, bytes.len()),
            _ if place.form == SECTION => (place.value.start, place.value.end),
            _ => {
                let inside = inside(bytes, &place.value)?;
                (first(bytes, &inside)?, inside.end)
            }
        };
        Some(Opening { layout: Layout::Values, count: None, first, end, form: 0 })
    }

    fn walk(
        &self,
        bytes: &[u8],
        chain: &[Place],
        opening: &Opening,
        (mut index, mut pos): (u64, usize),
        each: &mut dyn FnMut(Place) -> bool,
    ) -> Result<(), Fault> {
        let Some(place) = chain.last() else { return Ok(()) };
        if place.role == Role::Root || place.form == SECTION {
            let range = opening.first..opening.end;
            return self.items(bytes, range, (index, pos), place.form == SECTION, each);
        }
        let is_dictionary = bytes.get(place.value.end - 1) == Some(&b'}');
        loop {
            let start = skip_separators(bytes, pos);
            let mut end = end_of_value(bytes, start, opening.end);
            if start >= opening.end || end <= start {
                return Ok(());
            }
            let mut child =
                Place { role: Role::Element, index, key: 0..0, value: start..end, form: 0 };
            if is_dictionary {
                let colon = skip_separators(bytes, end);
                let value = skip_separators(bytes, colon + 1);
                end = end_of_value(bytes, value, opening.end);
                if bytes.get(colon) != Some(&b':') || end <= value {
                    let text = "a value is missing here".into();
                    return Err(Fault { text, offset: colon });
                }
                child = Place { role: Role::Pair, key: start..value, value: value..end, ..child };
            }
            pos = end;
            if !each(child) {
                return Ok(());
            }
            index += 1;
        }
    }

    fn rows(&self, bytes: &[u8], _: &[Place], children: &[Place]) -> Vec<Row> {
        children.iter().map(|place| self.row(bytes, place)).collect()
    }

    fn text(&self, bytes: &[u8], chain: &[Place], part: Part) -> String {
        let Some(place) = chain.last() else { return String::new() };
        match (part, place.role) {
            (Part::Value, _) => limited(lossy(bytes, place.value.clone()), LONG),
            (Part::Key, Role::Property) => entry_at(bytes, place, self.dialect)
                .map(|entry| entry.key().into_owned())
                .unwrap_or_default(),
            (Part::Key, _) => lossy(bytes, place.key.clone())
                .trim_end_matches([':', ' ', '\t', '\n', '\r'])
                .into(),
        }
    }

    fn edit(
        &self,
        bytes: &[u8],
        chain: &[Place],
        part: Part,
        new: &str,
    ) -> Result<Vec<Splice>, Fault> {
        let old_text = self.text(bytes, chain, part);
        let entry = chain.iter().find(|place| place.role == Role::Property);
        let (Some(place), Some(entry)) = (chain.last(), entry) else { return Ok(Vec::new()) };
        if old_text == new {
            return Ok(Vec::new());
        }
        let offset = place.value.start;
        let fault = |text: &str| Fault { text: text.into(), offset };
        let (range, new) = match (part, place.role) {
            (Part::Value, _) => (place.value.clone(), new.trim().to_owned()),
            (Part::Key, Role::Property) => {
                let key = lossy(bytes, place.key.clone());
                let end = key.rfind('=').ok_or_else(|| fault("the key has no equals sign"))?;
                let len = key[..end].trim_end().len();
                (place.key.start..place.key.start + len, encode_key(new).into_owned())
            }
            (Part::Key, _) => {
                (place.key.start..place.key.start + old_text.len(), new.trim().to_owned())
            }
        };
        // The changed entry must be one entry, with a value that the engine reads.
        let before = text(bytes, entry.key.start..range.start)?;
        let after = text(bytes, range.end..entry.value.end)?;
        let changed = format!("{before}{new}{after}");
        let mut reader = ConfigReader::of(&changed, self.dialect);
        let is_entry = match reader.next() {
            Some(Ok(Item::Entry(read))) if read.text().len() == changed.len() => {
                let was_read =
                    entry_at(bytes, entry, self.dialect).is_some_and(|old| old.read().is_ok());
                match read.read() {
                    Err(error) if was_read => return Err(fault(&error.kind().to_string())),
                    _ => true,
                }
            }
            _ => false,
        };
        if !is_entry {
            return Err(fault("this is not one value in Godot's notation (text needs quotes)"));
        }
        let old = bytes.get(range.clone()).unwrap_or_default().to_vec();
        Ok(vec![Splice { at: range.start, old, new: new.into_bytes() }])
    }

    fn json(&self, bytes: &[u8], chain: &[Place], out: &mut String) -> Result<(), Fault> {
        crate::file::json::write(self, bytes, chain, out)
    }

    fn check(&self, bytes: &[u8], chain: &[Place]) -> Result<(), Fault> {
        let Some(place) = chain.last() else { return Ok(()) };
        let own = bytes.get(place.start()..place.value.end).unwrap_or_default();
        for entry in entries(own) {
            if let Err(error) = entry.read() {
                let offset = place.start() + error.offset() as usize;
                return Err(Fault { text: error.kind().to_string(), offset });
            }
        }
        Ok(())
    }
}
