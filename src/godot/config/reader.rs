//! Splits a configuration file into its items.

use super::error::{Error, ErrorKind, Result};
use super::names::{decode_key, decode_section, line_end, section_len};
use crate::godot::notation::Reading;
use crate::godot::{Dialect, Variant};
use alloc::borrow::Cow;
use core::iter::FusedIterator;
use core::ops::Range;

/// A reader that yields the items of a configuration file in order. The texts of all items, joined
/// together, are the whole file.
///
/// The iterator ends after an error. The values themselves are not checked before they are
/// [read](Entry::read). Each item takes time proportional to its length.
///
/// ```
/// use gamewire::godot::Dialect;
/// use gamewire::godot::config::{ConfigReader, Item};
///
/// let file = b"; settings\n[audio]\nvolume=0.8\n";
/// let mut texts = Vec::new();
/// for item in ConfigReader::new(file, Dialect::Godot4)? {
///     let item = item?;
///     if let Item::Entry(entry) = item {
///         assert_eq!((&*entry.section(), &*entry.key()), ("audio", "volume"));
///         assert_eq!(entry.read()?.as_f64(), Some(0.8));
///     }
///     texts.push(item.text());
/// }
/// assert_eq!(texts, ["; settings\n", "[audio]", "\n", "volume=0.8", "\n"]);
/// # Ok::<(), gamewire::godot::config::Error>(())
/// ```
#[derive(Clone, Debug)]
pub struct ConfigReader<'a> {
    text: &'a str,
    position: usize,
    options: Reading,
    /// The name of the current section, as it is written in the file.
    section: &'a str,
}

/// An item of a configuration file.
#[derive(Clone, Copy, Debug)]
#[non_exhaustive]
pub enum Item<'a> {
    /// White space and comments between other items.
    Space(&'a str),
    /// The header of a section.
    Section(Section<'a>),
    /// A key and its value.
    Entry(Entry<'a>),
    /// Text that the engine ignores because it has no `=`. It is a key at the end of the file, or
    /// an empty string in quotes directly before the header of a section.
    Incomplete(&'a str),
}

impl<'a> Item<'a> {
    /// Returns the text of the item in the file.
    pub fn text(&self) -> &'a str {
        match self {
            Self::Space(text) | Self::Incomplete(text) => text,
            Self::Section(section) => section.text(),
            Self::Entry(entry) => entry.text(),
        }
    }
}

/// The header of a section.
#[derive(Clone, Copy, Debug)]
pub struct Section<'a> {
    text: &'a str,
    source: &'a str,
    offset: usize,
    options: Reading,
}

impl<'a> Section<'a> {
    /// Returns the name. It is empty for `[]`, which does not change the section.
    pub fn name(&self) -> Cow<'a, str> {
        decode_section(self.source, self.options)
    }

    /// Returns the header with its brackets.
    pub fn text(&self) -> &'a str {
        self.text
    }

    /// Returns the offset of the `[` in bytes from the start of the file.
    pub fn offset(&self) -> u64 {
        self.offset as u64
    }
}

/// A key and its value.
#[derive(Clone, Copy, Debug)]
pub struct Entry<'a> {
    section: &'a str,
    key: &'a str,
    /// The text from the start of the value to the end of the file.
    rest: &'a str,
    value: &'a str,
    text: &'a str,
    offset: usize,
    options: Reading,
}

impl<'a> Entry<'a> {
    /// Returns the name of the section, or `""` for an entry before the first section.
    pub fn section(&self) -> Cow<'a, str> {
        decode_section(self.section, self.options)
    }

    /// Returns the key. The engine ignores an entry with an empty key.
    pub fn key(&self) -> Cow<'a, str> {
        decode_key(self.key, self.options)
    }

    /// Returns the text of the value.
    pub fn value(&self) -> &'a str {
        self.value
    }

    /// Returns the text of the entry, from the key to the end of the value.
    pub fn text(&self) -> &'a str {
        self.text
    }

    /// Returns the offset of the entry in bytes from the start of the file.
    pub fn offset(&self) -> u64 {
        self.offset as u64
    }

    /// Returns the offset of the value in bytes from the start of the file.
    pub fn value_offset(&self) -> u64 {
        self.value_start() as u64
    }

    /// Returns `true` if the value is null. The engine then removes the key.
    pub fn is_null(&self) -> bool {
        matches!(self.value, "null" | "nil")
    }

    /// Reads the value with the default options of the dialect.
    ///
    /// # Errors
    /// Returns the errors of [`Reading::read`]: the value is malformed, or only an engine can load
    /// it. The offset of the error is in bytes from the start of the file.
    pub fn read(&self) -> Result<Variant> {
        self.read_with(Reading::of(self.options.dialect()))
    }

    /// Reads the value with the given options. With [`Reading::as_the_engine`], accepts the values
    /// that the engine accepts in a file.
    ///
    /// # Errors
    /// Returns the errors of [`read`](Self::read).
    pub fn read_with(&self, options: Reading) -> Result<Variant> {
        let value = match options.is_as_the_engine() {
            true => options.read_in_file(self.rest),
            false => options.read(self.value),
        };
        value.map_err(|error| Error::from(error).shifted(self.value_offset()))
    }

    pub(super) fn value_start(&self) -> usize {
        let end = self.offset.saturating_add(self.text.len());
        end.saturating_sub(self.value.len())
    }
}

impl<'a> ConfigReader<'a> {
    /// Checks that a file is UTF-8, and returns a reader that reads the file as the engine of
    /// `dialect` does.
    ///
    /// # Errors
    /// Returns [`ErrorKind::NotUtf8`] at the first byte that is not UTF-8.
    pub fn new(file: &'a [u8], dialect: Dialect) -> Result<Self> {
        match str::from_utf8(file) {
            Ok(text) => Ok(Self::of(text, dialect)),
            Err(error) => Err(Error::new(ErrorKind::NotUtf8, error.valid_up_to() as u64)),
        }
    }

    /// Returns a reader of the text of a file.
    pub fn of(text: &'a str, dialect: Dialect) -> Self {
        Self { text, position: 0, options: Reading::of(dialect).as_the_engine(), section: "" }
    }

    /// Returns the offset of the next item in bytes from the start of the file.
    pub fn offset(&self) -> u64 {
        self.position as u64
    }

    fn item(&mut self) -> Result<Item<'a>> {
        let start = self.position;
        let end = self.space_end(start);
        if end > start {
            return Ok(Item::Space(self.take(end)));
        }
        if self.byte(start) == Some(b'[') {
            return self.section();
        }
        let end = self.key_end(start)?;
        if self.byte(end) == Some(b'=') {
            return self.entry(end);
        }
        Ok(Item::Incomplete(self.take(end)))
    }

    /// Returns the end of the white space and comments at `position`.
    fn space_end(&self, mut position: usize) -> usize {
        loop {
            match self.byte(position) {
                Some(0..=b' ') => position = position.saturating_add(1),
                Some(b';') => position = line_end(self.text, position),
                _ => return position,
            }
        }
    }

    fn section(&mut self) -> Result<Item<'a>> {
        let (offset, options) = (self.position, self.options);
        let inside = offset.saturating_add(1);
        let rest = self.text.get(inside..).unwrap_or_default();
        let Some(len) = section_len(rest, options) else {
            return Err(Error::new(ErrorKind::UnclosedSection, offset as u64));
        };
        let source = rest.get(..len).unwrap_or_default();
        let text = self.take(inside.saturating_add(len).saturating_add(1));
        let section = Section { text, source, offset, options };
        if !section.name().is_empty() {
            self.section = source;
        }
        Ok(Item::Section(section))
    }

    /// Returns the offset of the `=` after the key at `position`. A key without `=` ends at the end
    /// of the file; an empty string in quotes can also end at the header of a section. In these
    /// cases, returns the offset of that end.
    fn key_end(&self, mut position: usize) -> Result<usize> {
        let mut is_empty = true;
        loop {
            match self.byte(position) {
                None | Some(b'=') => return Ok(position),
                Some(b'[') if is_empty => return Ok(position),
                Some(b'"') => {
                    let (text, end) = self.options.string_at(self.text, position)?;
                    (is_empty, position) = (text.is_empty(), end);
                }
                Some(b';') => position = line_end(self.text, position),
                Some(byte) => {
                    is_empty &= byte <= b' ';
                    position = position.saturating_add(1);
                }
            }
        }
    }

    fn entry(&mut self, equals: usize) -> Result<Item<'a>> {
        let (offset, options, section) = (self.position, self.options, self.section);
        let Range { start, end } = options.first_extent(self.text, equals.saturating_add(1))?;
        let key = self.text.get(offset..equals).unwrap_or_default();
        let value = self.text.get(start..end).unwrap_or_default();
        let rest = self.text.get(start..).unwrap_or_default();
        let text = self.take(end);
        Ok(Item::Entry(Entry { section, key, rest, value, text, offset, options }))
    }

    fn byte(&self, position: usize) -> Option<u8> {
        self.text.as_bytes().get(position).copied()
    }

    /// Returns the text from the position to `end`, and moves the position to `end`.
    fn take(&mut self, end: usize) -> &'a str {
        let text = self.text.get(self.position..end).unwrap_or_default();
        self.position = end;
        text
    }
}

impl<'a> Iterator for ConfigReader<'a> {
    type Item = Result<Item<'a>>;

    fn next(&mut self) -> Option<Self::Item> {
        if self.position >= self.text.len() {
            return None;
        }
        let item = self.item();
        if item.is_err() {
            self.position = self.text.len();
        }
        Some(item)
    }
}

impl FusedIterator for ConfigReader<'_> {}
