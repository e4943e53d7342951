//! Iteration over the entries of an index, in each of its forms.

use super::entry::Entry;
use super::format::{Format, LAYOUT};
use super::path::{EntryPath, LONGEST};
use super::table::EntryTable;
use crate::unreal::format::{ErrorKind, FileCursor, Result, StrRef};

/// A list of paths, each with its entry or with the location of its entry.
#[derive(Clone, Copy, Debug)]
pub(super) struct Locations<'a> {
    from: FileCursor<'a>,
    form: Form<'a>,
}

#[derive(Clone, Copy, Debug)]
enum Form<'a> {
    /// Paths with entries.
    Listed {
        left: u32,
    },
    /// Hashes with locations.
    Hashes {
        left: u32,
    },
    /// Folders, each with its files.
    Folders {
        left: u32,
        folder: StrRef<'a>,
        files: u32,
    },
    /// A list whose number of items has not been read yet.
    Unread {
        is_folders: bool,
    },
    None,
}

/// A path, and the place of its entry.
#[derive(Clone, Copy, Debug)]
pub(super) struct Located<'a> {
    pub path: EntryPath<'a>,
    pub place: Place<'a>,
}

/// The place of an entry.
#[derive(Clone, Copy, Debug)]
pub(super) enum Place<'a> {
    /// The entry follows its path.
    Here(FileCursor<'a>),
    /// A location in the table of entries, and the offset in the pak at which this location is
    /// stored.
    At(i32, u64),
}

/// Least size in bytes of a folder: the length of its path, and its number of files.
const LEAST_FOLDER: u64 = 8;
/// Least size in bytes of a file in a folder: the length of its name, and its location.
const LEAST_FILE: u64 = 8;
/// Size in bytes of a hash and its location.
const HASH: u64 = 12;

impl<'a> Locations<'a> {
    pub(super) const fn listed(from: FileCursor<'a>, left: u32) -> Self {
        Self { from, form: Form::Listed { left } }
    }

    pub(super) const fn hashes(from: FileCursor<'a>) -> Self {
        Self { from, form: Form::Unread { is_folders: false } }
    }

    pub(super) const fn folders(from: FileCursor<'a>) -> Self {
        Self { from, form: Form::Unread { is_folders: true } }
    }

    pub(super) const fn none() -> Self {
        Self { from: FileCursor::new(&[], 0), form: Form::None }
    }

    /// Reads the next path. `format` is the format of entries that follow their paths.
    pub(super) fn advance(&mut self, format: &Format<'a>) -> Result<Option<Located<'a>>> {
        let next = self.try_advance(format);
        if next.is_err() {
            self.form = Form::None;
        }
        next
    }

    fn try_advance(&mut self, format: &Format<'a>) -> Result<Option<Located<'a>>> {
        loop {
            match &mut self.form {
                Form::None | Form::Listed { left: 0 } | Form::Hashes { left: 0 } => {
                    return Ok(None);
                }
                Form::Folders { left: 0, files: 0, .. } => return Ok(None),
                Form::Unread { is_folders: true } => {
                    let left = self.from.count(LEAST_FOLDER, LAYOUT)?;
                    self.form = Form::Folders { left, folder: StrRef::default(), files: 0 };
                }
                Form::Unread { is_folders: false } => {
                    self.form = Form::Hashes { left: self.from.count(HASH, LAYOUT)? };
                }
                Form::Listed { left } => {
                    *left = left.saturating_sub(1);
                    let (folder, name) = (StrRef::default(), text(&mut self.from)?);
                    let path = EntryPath::Name { folder, name };
                    let place = Place::Here(self.from);
                    // The entry is read here only to find its end.
                    let _ = Entry::read_listed(&mut self.from, path, format)?;
                    return Ok(Some(Located { path, place }));
                }
                Form::Hashes { left } => {
                    *left = left.saturating_sub(1);
                    let path = EntryPath::Hash(self.from.read(LAYOUT)?);
                    return Ok(Some(Located { path, place: location(&mut self.from)? }));
                }
                Form::Folders { left, folder, files: files @ 0 } => {
                    *left = left.saturating_sub(1);
                    *folder = text(&mut self.from)?;
                    *files = self.from.count(LEAST_FILE, LAYOUT)?;
                }
                Form::Folders { folder, files, .. } => {
                    *files = files.saturating_sub(1);
                    let path = EntryPath::Name { folder: *folder, name: text(&mut self.from)? };
                    return Ok(Some(Located { path, place: location(&mut self.from)? }));
                }
            }
        }
    }
}

fn location<'a>(from: &mut FileCursor<'a>) -> Result<Place<'a>> {
    let at = from.offset();
    Ok(Place::At(from.read(LAYOUT)?, at))
}

/// Reads a path, or a part of one. Refuses more than [`LONGEST`] units, because many files can
/// share a folder.
pub(in crate::unreal) fn text<'a>(from: &mut FileCursor<'a>) -> Result<StrRef<'a>> {
    let start = *from;
    let text: StrRef<'a> = from.read(LAYOUT)?;
    let units = if text.is_wide() { text.bytes().len() >> 1 } else { text.bytes().len() };
    match units <= LONGEST {
        true => Ok(text),
        false => {
            let len = i32::try_from(units).unwrap_or(i32::MAX);
            Err(start.error(ErrorKind::BadTextLength(len)))
        }
    }
}

/// An iterator over the files of a pak. [`Index::entries`](super::Index::entries) returns it.
#[derive(Clone, Debug)]
pub struct Entries<'a, 'i> {
    locations: Locations<'a>,
    source: Source<'a, 'i>,
}

/// What entries are read from.
#[derive(Clone, Copy, Debug)]
struct Source<'a, 'i> {
    table: Option<&'i EntryTable<'a>>,
    format: Format<'a>,
}

impl<'a> Source<'a, '_> {
    fn entry(&self, located: &Located<'a>) -> Result<Entry<'a>> {
        let path = located.path;
        match (located.place, self.table) {
            (Place::Here(mut from), _) => Entry::read_listed(&mut from, path, &self.format)?,
            (Place::At(location, at), Some(table)) => table.get(location, path, &self.format, at),
            (Place::At(..), None) => Ok(Entry::deleted(path)),
        }
    }
}

/// An entry that has not been read yet.
#[derive(Clone, Copy)]
pub(super) struct Unread<'a, 'i> {
    located: Located<'a>,
    source: Source<'a, 'i>,
}

impl<'a> Unread<'a, '_> {
    pub(super) fn read(&self) -> Result<Entry<'a>> {
        self.source.entry(&self.located)
    }
}

impl<'a, 'i> Entries<'a, 'i> {
    pub(super) const fn new(
        locations: Locations<'a>,
        table: Option<&'i EntryTable<'a>>,
        format: Format<'a>,
    ) -> Self {
        Self { locations, source: Source { table, format } }
    }

    /// Returns the paths with entries that have not been read yet.
    pub(super) fn lazily(
        mut self,
    ) -> impl Iterator<Item = Result<(EntryPath<'a>, Unread<'a, 'i>)>> + use<'a, 'i> {
        core::iter::from_fn(move || {
            let located = self.locations.advance(&self.source.format).transpose()?;
            let source = self.source;
            Some(located.map(|located| (located.path, Unread { located, source })))
        })
    }
}

impl<'a> Iterator for Entries<'a, '_> {
    type Item = Result<Entry<'a>>;

    fn next(&mut self) -> Option<Self::Item> {
        let located = self.locations.advance(&self.source.format).transpose()?;
        Some(located.and_then(|located| self.source.entry(&located)))
    }
}

impl core::iter::FusedIterator for Entries<'_, '_> {}
