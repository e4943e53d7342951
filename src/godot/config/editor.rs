//! Changes entries of a configuration file and keeps every other byte.

use super::error::{Error, ErrorKind, Result};
use super::names::{checked_key, encode_section, is_space, line_end};
use super::reader::{ConfigReader, Item};
use super::writer::print;
use crate::godot::notation::{self, Reading};
use crate::godot::{Dialect, ToVariant};
use alloc::string::String;
use alloc::vec::Vec;
use core::ops::Range;

/// A configuration file whose entries can be changed. Comments, blank lines, the order of the
/// entries and all other bytes stay as they are.
///
/// Each change reads the file again, in time proportional to its length.
///
/// ```
/// use gamewire::godot::Dialect;
/// use gamewire::godot::config::ConfigEditor;
///
/// let file = "; settings\n[audio]\nvolume = 0.8 ; of 1\n";
/// let mut editor = ConfigEditor::new(file, Dialect::Godot4)?;
/// editor.set("audio", "volume", 0.5)?;
/// editor.set("video", "full screen", true)?;
/// assert_eq!(editor.as_str(), "\
/// ; settings
/// [audio]
/// volume = 0.5 ; of 1
///
/// [video]
///
/// \"full screen\"=true
/// ");
/// assert!(editor.remove("video", "full screen")?);
/// assert!(!editor.remove("video", "full screen")?);
/// # Ok::<(), gamewire::godot::config::Error>(())
/// ```
#[derive(Clone, Debug)]
pub struct ConfigEditor {
    text: String,
    dialect: Dialect,
}

impl ConfigEditor {
    /// Creates an editor for the text of a file that the engine of `dialect` reads.
    ///
    /// # Errors
    /// Returns the first error of [`ConfigReader`].
    pub fn new(text: impl Into<String>, dialect: Dialect) -> Result<Self> {
        let text = text.into();
        ConfigReader::of(&text, dialect).try_for_each(|item| item.map(|_| ()))?;
        Ok(Self { text, dialect })
    }

    /// Returns the text of the file.
    pub fn as_str(&self) -> &str {
        &self.text
    }

    /// Returns the text of the file.
    pub fn into_string(self) -> String {
        self.text
    }

    /// Sets a key to a value, printed in the notation of the dialect. Replaces the text of the old
    /// value. If the file has several values for the key, replaces the last one, because the engine
    /// uses that one. Adds a new key after the last entry of its section, and a new section at the
    /// end of the file, as the engine does.
    ///
    /// A null value removes the key when the engine loads the file.
    ///
    /// # Errors
    /// Returns an error if the engine would read back a different key or section name. Also returns
    /// an error if the dialect cannot represent the value. The text is then unchanged.
    pub fn set(&mut self, section: &str, key: &str, value: impl ToVariant) -> Result<()> {
        let value = print(value, self.dialect)?;
        // The notation of an object ends with a line feed.
        self.put(section, key, value.trim_end_matches('\n'))
    }

    /// Sets a key to a value that is given as text in the notation of the dialect. The text is
    /// written unchanged, but without white space and comments around the value.
    ///
    /// # Errors
    /// Returns the errors of [`set`](Self::set), and errors of [`Reading::read`] with offsets that
    /// count from the start of `value`. A resource is accepted, although only an engine can read
    /// it.
    pub fn set_text(&mut self, section: &str, key: &str, value: &str) -> Result<()> {
        let options = Reading::of(self.dialect);
        match options.read(value) {
            Err(error) if *error.kind() != notation::ErrorKind::Resource => {
                return Err(error.into());
            }
            _ => {}
        }
        let extent = options.first_extent(value, 0)?;
        let after = value.get(extent.end..).unwrap_or_default().trim_start_matches(is_space);
        if !after.is_empty() && !after.starts_with(';') {
            let kind = ErrorKind::Notation(notation::ErrorKind::TrailingText);
            return Err(Error::new(kind, extent.end as u64));
        }
        self.put(section, key, value.get(extent).unwrap_or_default())
    }

    /// Removes all entries of a key. An entry that is alone on its line is removed with the line.
    /// Comments and the header of the section remain. Returns `false` if there is no such key.
    ///
    /// # Errors
    /// Returns the first error of [`ConfigReader`]. This should never happen, because
    /// [`new`](Self::new) has checked the file.
    pub fn remove(&mut self, section: &str, key: &str) -> Result<bool> {
        let found = self.scan(section, key)?.found;
        let mut kept = String::with_capacity(self.text.len());
        let mut end = 0;
        for entry in &found {
            let (removed, separator) = self.removal(entry.start..entry.value.end);
            kept.push_str(self.text.get(end..removed.start).unwrap_or_default());
            kept.push_str(separator);
            end = removed.end;
        }
        kept.push_str(self.text.get(end..).unwrap_or_default());
        self.text = kept;
        Ok(!found.is_empty())
    }

    /// Returns the range to remove for an entry, and the text to put in its place. If the entry is
    /// alone on its line, the range is the whole line.
    fn removal(&self, entry: Range<usize>) -> (Range<usize>, &'static str) {
        let before = self.text.get(..entry.start).unwrap_or_default();
        let after = self.text.get(entry.end..).unwrap_or_default();
        let indent = before.trim_end_matches([' ', '\t']);
        let rest = after.trim_start_matches([' ', '\t', '\r']);
        let starts_line = indent.is_empty() || indent.ends_with('\n');
        if starts_line && (rest.is_empty() || rest.starts_with('\n')) {
            let end = self.text.len().saturating_sub(rest.len());
            return (indent.len()..end.saturating_add(usize::from(!rest.is_empty())), "");
        }
        let is_apart =
            before.is_empty() || before.ends_with(|last| last <= ' ') || separates(after);
        (entry, if is_apart { "" } else { "\n" })
    }

    fn put(&mut self, section: &str, key: &str, value: &str) -> Result<()> {
        let Some(encoded_key) = checked_key(key) else {
            return Err(Error::new(ErrorKind::UnwritableKey, 0));
        };
        let scan = self.scan(section, key)?;
        if let Some(entry) = scan.found.last() {
            return self.replace_value(entry.value.clone(), value);
        }
        let entry = alloc::format!("{encoded_key}={value}");
        let insertion = match (scan.last_end, scan.header) {
            (Some(last_end), _) => self.after_entry(last_end, &entry),
            (None, Some(header)) => self.after_header(header, &entry),
            (None, None) if section.is_empty() => self.at_root(scan.first_header, scan.end, &entry),
            (None, None) => {
                let name = encode_section(section, self.dialect)
                    .ok_or(Error::new(ErrorKind::UnwritableSection, 0))?;
                self.at_end(scan.end, &name, &entry)
            }
        };
        self.splice(insertion.at..insertion.at, &insertion.text);
        Ok(())
    }

    fn replace_value(&mut self, range: Range<usize>, value: &str) -> Result<()> {
        let after = self.text.get(range.end..).unwrap_or_default();
        // A colour such as `#fff` is malformed at the very end of a file.
        let ends_file = after.is_empty() && !value.starts_with('#');
        let is_apart = ends_file || separates(after);
        let end = if is_apart { "" } else { self.new_line() };
        self.splice(range, &[value, end].concat());
        Ok(())
    }

    /// Returns an insertion that adds an entry after the last entry of its section. The new entry
    /// is on a separate line.
    fn after_entry(&self, last_end: usize, entry: &str) -> Insertion {
        let end = self.new_line();
        let rest = self.text.get(last_end..).unwrap_or_default();
        let rest = rest.trim_start_matches([' ', '\t', '\r']);
        let is_rest_of_line = rest.is_empty() || rest.starts_with(['\n', ';']);
        if !is_rest_of_line {
            return Insertion { at: last_end, text: [end, entry, end].concat() };
        }
        self.on_next_line(last_end, entry)
    }

    /// Returns the insertion of an entry on the line after the line that contains `position`.
    fn on_next_line(&self, position: usize, entry: &str) -> Insertion {
        let end = self.new_line();
        let at = line_end(&self.text, position);
        match self.text.len() {
            len if at >= len => Insertion { at, text: [end, entry, end].concat() },
            _ => Insertion { at: at.saturating_add(1), text: [entry, end].concat() },
        }
    }

    /// Returns the insertion of a section's first entry, after the header and a blank line.
    fn after_header(&self, header: usize, entry: &str) -> Insertion {
        let end = self.new_line();
        let rest = self.text.get(header..).unwrap_or_default();
        let line = rest.trim_start_matches([' ', '\t', '\r']);
        if !line.is_empty() && !line.starts_with(['\n', ';']) {
            return Insertion { at: header, text: [end, end, entry, end].concat() };
        }
        let at = line_end(&self.text, header);
        let below = self.text.get(at.saturating_add(1)..).unwrap_or_default();
        let blank = below.len().saturating_sub(below.trim_start_matches(['\r']).len());
        if below.get(blank..).is_some_and(|below| below.starts_with('\n')) {
            let at = at.saturating_add(blank).saturating_add(2);
            let follows = self.text.get(at..).unwrap_or_default();
            let after = if follows.starts_with('[') { end } else { "" };
            return Insertion { at, text: [entry, end, after].concat() };
        }
        let Insertion { at, text } = self.on_next_line(header, entry);
        let after = if below.starts_with('[') { end } else { "" };
        Insertion { at, text: [end, &text, after].concat() }
    }

    /// Returns an insertion that adds the first entry of the section `""`. The entry is added
    /// before the first header of a section, or at the end of a file without headers.
    fn at_root(&self, first_header: Option<usize>, file_end: usize, entry: &str) -> Insertion {
        let end = self.new_line();
        let at = first_header.unwrap_or(file_end);
        let before = self.text.get(..at).unwrap_or_default();
        let line = if before.is_empty() || before.ends_with('\n') { "" } else { end };
        let blank = if first_header.is_some() { end } else { "" };
        Insertion { at, text: [line, entry, end, blank].concat() }
    }

    /// Returns the insertion of a new section with one entry at `at`, the end of the file.
    fn at_end(&self, at: usize, name: &str, entry: &str) -> Insertion {
        let end = self.new_line();
        let before = self.text.get(..at).unwrap_or_default();
        let line = if before.is_empty() || before.ends_with('\n') { "" } else { end };
        let is_blank = before.is_empty() || before.ends_with("\n\n") || before.ends_with("\n\r\n");
        let blank = if is_blank { "" } else { end };
        let text = [line, blank, "[", name, "]", end, end, entry, end].concat();
        Insertion { at, text }
    }

    /// Finds the positions in the file that are needed to change a key.
    fn scan(&self, section: &str, key: &str) -> Result<Scan> {
        let mut scan = Scan { end: self.text.len(), ..Scan::default() };
        let mut is_in_section = section.is_empty();
        let mut start = 0_usize;
        for item in ConfigReader::of(&self.text, self.dialect) {
            let item = item?;
            let end = start.saturating_add(item.text().len());
            match item {
                Item::Section(header) => {
                    scan.first_header = scan.first_header.or(Some(start));
                    let name = header.name();
                    if !name.is_empty() {
                        is_in_section = name == section;
                        scan.header = if is_in_section { Some(end) } else { scan.header };
                    }
                }
                Item::Entry(entry) if is_in_section => {
                    scan.last_end = Some(end);
                    if entry.key() == key {
                        let value = entry.value_start()..end;
                        scan.found.push(Found { start, value });
                    }
                }
                // A section that is added after an incomplete key would become part of this key.
                Item::Incomplete(_) if end == self.text.len() => scan.end = start,
                _ => {}
            }
            start = end;
        }
        Ok(scan)
    }

    fn splice(&mut self, range: Range<usize>, text: &str) {
        let before = self.text.get(..range.start).unwrap_or_default();
        let after = self.text.get(range.end..).unwrap_or_default();
        self.text = [before, text, after].concat();
    }

    /// Returns the line ending of the first line of the file.
    fn new_line(&self) -> &'static str {
        let first = self.text.get(..line_end(&self.text, 0)).unwrap_or_default();
        if first.ends_with('\r') { "\r\n" } else { "\n" }
    }
}

/// The positions in a file that are needed to change a key.
#[derive(Default)]
struct Scan {
    /// The entries of the key.
    found: Vec<Found>,
    /// The end of the last entry of the section.
    last_end: Option<usize>,
    /// The end of the section's last header.
    header: Option<usize>,
    /// The start of the first header in the file.
    first_header: Option<usize>,
    /// The offset of the end of the file. If the file ends with a key without `=`, the offset of
    /// the start of this key.
    end: usize,
}

/// The position of an entry.
struct Found {
    start: usize,
    value: Range<usize>,
}

/// Text to insert, and the offset at which it is inserted.
struct Insertion {
    at: usize,
    text: String,
}

/// Returns `true` if `text` begins with a character that cannot continue the value before it.
/// Returns `false` for a NUL, because the parser of values treats a NUL as the end of the file.
fn separates(text: &str) -> bool {
    text.starts_with(|first| first <= ' ' && first != '\0' || first == ';')
}
