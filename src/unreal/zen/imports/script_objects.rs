//! The table of objects that are declared in C++ code.

use crate::unreal::format::{
    ErrorKind, FileCursor, HashedNames, Layout, NameForm, NameText, Records, Result, SampledIndex,
};
use crate::unreal::tables::{MappedName, ScriptObjectEntry};
use core::fmt;

/// The objects that the engine and the game declare in C++ code, with their names. The container
/// `global.utoc` of a game has this table.
///
/// ```text
/// names         a batch of names
/// u32 count
/// objects       ScriptObjectEntry, 32 bytes each
/// ```
///
/// If the container is not compressed and contains nothing else, the file `global.ucas` consists of
/// this table and up to 15 more bytes, which are ignored.
#[derive(Clone)]
pub struct ScriptObjects<'a> {
    names: HashedNames<'a>,
    index: SampledIndex<'a, NameForm<'a>, 128>,
    objects: Records<'a, ScriptObjectEntry>,
}

/// Prints the number of objects.
impl fmt::Debug for ScriptObjects<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("ScriptObjects").field("len", &self.len()).finish_non_exhaustive()
    }
}

impl<'a> ScriptObjects<'a> {
    /// Opens the table of an engine from 5.0 on.
    ///
    /// # Errors
    /// If the names or the objects are truncated, the hash algorithm of the names is unknown, or
    /// more than 15 bytes follow the objects.
    pub fn open(file: &'a [u8]) -> Result<Self> {
        let mut from = FileCursor::new(file, 0);
        let names = HashedNames::batch(&mut from)?;
        Self::of_parts(names, from)
    }

    /// Opens the table of engine 4.26 or 4.27, which the container stores in three parts: the texts
    /// of the names, their hashes, and the objects.
    ///
    /// # Errors
    /// See [`open`](Self::open).
    pub fn open_parts(names: &'a [u8], hashes: &'a [u8], objects: &'a [u8]) -> Result<Self> {
        let names = HashedNames::inline(FileCursor::new(names, 0), FileCursor::new(hashes, 0))?;
        Self::of_parts(names, FileCursor::new(objects, 0))
    }

    fn of_parts(names: HashedNames<'a>, mut from: FileCursor<'a>) -> Result<Self> {
        let layout = Layout::default();
        let count = from.count(32, &layout)?;
        let objects = from.window(u64::from(count).saturating_mul(32))?;
        if from.remaining() > 15 {
            return Err(from.error(ErrorKind::Unused(from.remaining())));
        }
        let (form, text, len) = names.source();
        let index = SampledIndex::new(form, text, len);
        Ok(Self { names, index, objects: Records::new(objects, count, layout) })
    }

    /// Stores the offset of each name, in four bytes per name. Without this index, finding a name
    /// takes time proportional to the number of names.
    #[cfg(feature = "alloc")]
    #[must_use]
    pub fn with_name_index(mut self) -> Self {
        self.index.index_all(&Layout::default());
        self
    }

    /// Returns the number of objects.
    pub fn len(&self) -> usize {
        self.objects.len()
    }

    /// Returns `true` if there are no objects.
    pub fn is_empty(&self) -> bool {
        self.len() == 0
    }

    /// Returns the names.
    pub const fn names(&self) -> HashedNames<'a> {
        self.names
    }

    /// Returns the objects in the order of the file.
    pub fn objects(&self) -> Records<'a, ScriptObjectEntry> {
        self.objects.clone()
    }

    /// Returns the object at a position.
    pub fn get(&self, index: u32) -> Option<ScriptObjectEntry> {
        self.objects.fixed_size_at(index)
    }

    /// Returns the text of a global name.
    pub fn name(&self, name: MappedName) -> Option<NameText<'a>> {
        let layout = Layout::default();
        self.index.prepare(&layout, |_, _| ());
        let found = self.index.get(name.name().index, &layout)?;
        Some(NameText::new(found.text, name.name().number))
    }
}
