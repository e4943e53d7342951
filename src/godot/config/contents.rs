//! The values of a configuration file, as the engine holds them after it has loaded the file.

use super::ConfigWriter;
use super::error::{Error, Result};
use super::reader::{ConfigReader, Entry, Item};
use crate::godot::Dialect;
use crate::godot::notation::Reading;
use alloc::borrow::Cow;
use alloc::collections::BTreeMap;
use alloc::string::String;
use alloc::vec::Vec;

/// The values of a configuration file, as the engine holds them after it has loaded the file.
///
/// If a key has several values, the last one is kept, at the position of the first. `null` removes
/// a key. Sections without entries are left out. Finding an entry takes logarithmic time.
///
/// ```
/// use gamewire::godot::Dialect;
/// use gamewire::godot::config::Config;
///
/// let file = b"[a]\nx=1\ny=2\n[b]\nz=3\n[a]\nx=4\ny=null\n";
/// let config = Config::parse(file, Dialect::Godot4)?;
/// assert_eq!(config.get("a", "x").unwrap().value(), "4");
/// assert!(config.get("a", "y").is_none());
/// assert_eq!(config.save()?, "[a]\n\nx=4\n\n[b]\n\nz=3\n");
/// # Ok::<(), gamewire::godot::config::Error>(())
/// ```
#[derive(Clone, Debug)]
pub struct Config<'a> {
    sections: Vec<ConfigSection<'a>>,
    /// Positions in `sections`.
    by_name: BTreeMap<Cow<'a, str>, usize>,
    dialect: Dialect,
}

/// A section of a [`Config`] and its entries.
#[derive(Clone, Debug)]
pub struct ConfigSection<'a> {
    name: Cow<'a, str>,
    /// The entries in the order of the engine. Removed entries are `None`.
    entries: Vec<Option<(Cow<'a, str>, Entry<'a>)>>,
    /// Positions in `entries`.
    by_key: BTreeMap<Cow<'a, str>, usize>,
    /// The rank of the section when sections are ordered by their first entry.
    order: usize,
}

impl<'a> Config<'a> {
    /// Reads a file as the engine of `dialect` does. Values are only read when they are accessed.
    ///
    /// Takes O(n log n) time and O(n) memory for n bytes.
    ///
    /// # Errors
    /// Returns the first error of [`ConfigReader`].
    pub fn parse(file: &'a [u8], dialect: Dialect) -> Result<Self> {
        let mut sections = Sections::default();
        for item in ConfigReader::new(file, dialect)? {
            match item? {
                Item::Section(header) => sections.begin(header.name()),
                Item::Entry(entry) => sections.set(entry),
                Item::Space(_) | Item::Incomplete(_) => {}
            }
        }
        let sections = sections.finish();
        let names = sections.iter().map(|section| section.name.clone());
        let by_name = names.enumerate().map(|(at, name)| (name, at)).collect();
        Ok(Self { sections, by_name, dialect })
    }

    /// Returns the dialect that was given to [`parse`](Self::parse).
    pub fn dialect(&self) -> Dialect {
        self.dialect
    }

    /// Returns the sections in the order of the engine. Each has at least one entry.
    pub fn sections(&self) -> impl Iterator<Item = &ConfigSection<'a>> {
        self.sections.iter()
    }

    /// Returns the section with this name.
    pub fn section(&self, name: &str) -> Option<&ConfigSection<'a>> {
        self.by_name.get(name).and_then(|at| self.sections.get(*at))
    }

    /// Returns the entry with this key.
    pub fn get(&self, section: &str, key: &str) -> Option<Entry<'a>> {
        self.section(section)?.get(key)
    }

    /// Returns the text that `ConfigFile.save` would write after the engine has loaded this file.
    /// Objects are written with the properties that the file contains; an engine also writes their
    /// other properties.
    ///
    /// # Errors
    /// Returns an error if a value cannot be read. Also returns an error if the engine would write
    /// a section name that it cannot read back.
    pub fn save(&self) -> Result<String> {
        let mut writer = ConfigWriter::new(self.dialect);
        let options = Reading::of(self.dialect).as_the_engine();
        let is_root = |section: &&ConfigSection<'a>| section.name.is_empty();
        // Godot 4 writes the section `""` first.
        let (first, others): (Vec<_>, Vec<_>) = match writer.has_root() {
            true => self.sections().partition(is_root),
            false => (Vec::new(), self.sections().collect()),
        };
        for section in first.into_iter().chain(others) {
            writer.section(section.name())?;
            for (key, entry) in section.entries() {
                let at_value = |error: Error| error.shifted(entry.value_offset());
                writer.entry(key, &entry.read_with(options)?).map_err(at_value)?;
            }
        }
        Ok(writer.into_string())
    }
}

/// The sections that have been read so far.
#[derive(Default)]
struct Sections<'a> {
    sections: Vec<ConfigSection<'a>>,
    /// Positions in `sections`.
    by_name: BTreeMap<Cow<'a, str>, usize>,
    /// The position of the current section, or `None` before the first entry or named section.
    current: Option<usize>,
    /// The number of times that a section without entries got an entry.
    filled: usize,
}

impl<'a> Sections<'a> {
    /// Starts a section. An empty name does not change the section.
    fn begin(&mut self, name: Cow<'a, str>) {
        if !name.is_empty() {
            self.current = Some(self.position(name));
        }
    }

    fn position(&mut self, name: Cow<'a, str>) -> usize {
        let next = self.sections.len();
        let position = *self.by_name.entry(name.clone()).or_insert(next);
        if position == next {
            self.sections.push(ConfigSection::new(name));
        }
        position
    }

    fn set(&mut self, entry: Entry<'a>) {
        let current = match self.current {
            Some(current) => current,
            None => self.position(Cow::Borrowed("")),
        };
        self.current = Some(current);
        let Some(section) = self.sections.get_mut(current) else { return };
        match entry.key() {
            key if key.is_empty() => {}
            key if entry.is_null() => section.remove(&key),
            key => {
                // The engine drops a section when its last entry is removed. If the section gets an
                // entry later, it comes last.
                if section.by_key.is_empty() {
                    self.filled = self.filled.saturating_add(1);
                    section.order = self.filled;
                }
                section.set(key, entry);
            }
        }
    }

    /// Returns the sections that have entries, in the order of the engine.
    fn finish(mut self) -> Vec<ConfigSection<'a>> {
        self.sections.retain(|section| !section.by_key.is_empty());
        self.sections.sort_by_key(|section| section.order);
        self.sections
    }
}

impl<'a> ConfigSection<'a> {
    fn new(name: Cow<'a, str>) -> Self {
        Self { name, entries: Vec::new(), by_key: BTreeMap::new(), order: 0 }
    }

    fn set(&mut self, key: Cow<'a, str>, entry: Entry<'a>) {
        let at = self.by_key.get(&key).copied();
        match at.and_then(|at| self.entries.get_mut(at)) {
            Some(old) => *old = Some((key, entry)),
            None => {
                self.by_key.insert(key.clone(), self.entries.len());
                self.entries.push(Some((key, entry)));
            }
        }
    }

    fn remove(&mut self, key: &str) {
        let at = self.by_key.remove(key);
        if let Some(entry) = at.and_then(|at| self.entries.get_mut(at)) {
            *entry = None;
        }
    }

    /// Returns the name, or `""` for the entries before the first section.
    pub fn name(&self) -> &str {
        &self.name
    }

    /// Returns the keys and entries in the order of the engine.
    pub fn entries(&self) -> impl Iterator<Item = (&str, Entry<'a>)> {
        self.entries.iter().flatten().map(|(key, entry)| (&**key, *entry))
    }

    /// Returns the entry with this key.
    pub fn get(&self, key: &str) -> Option<Entry<'a>> {
        let at = self.by_key.get(key)?;
        self.entries.get(*at)?.as_ref().map(|(_, entry)| *entry)
    }
}
