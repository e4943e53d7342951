//! The directory index: the paths of chunks.

use crate::unreal::format::{
    Error, ErrorKind, FileCursor, Layout, ReadItem, Result, SampledIndex, StrRef, display_eq,
    display_eq_ignore_case,
};
use crate::unreal::pak::{LAYOUT, LONGEST, text};
use core::fmt;

/// Maximum number of folders around a file.
const MOST_FOLDERS: usize = 32;

/// The index that stands for no folder, file or name.
const NONE: u32 = u32::MAX;

/// Maximum number of names whose offsets are stored. Any other name is found by reading on from the
/// nearest stored offset before it.
const MARKS: usize = 128;

/// The names of folders and files. Names longer than [`LONGEST`] are refused.
#[derive(Clone, Copy, Debug)]
struct Names;

impl<'a> ReadItem<'a> for Names {
    type Item = StrRef<'a>;

    fn read_item(&self, _: u32, from: &mut FileCursor<'a>, _: &Layout) -> Result<StrRef<'a>> {
        text(from)
    }
}

/// A view of the directory index. Folders and files form linked lists: each item has the index of
/// the next one.
#[derive(Clone, Debug)]
pub(super) struct Directory<'a> {
    pub mount_point: StrRef<'a>,
    /// For each folder, the indices of its name, its first subfolder, the next folder and its first
    /// file.
    folders: &'a [[[u8; 4]; 4]],
    /// For each file, the indices of its name, the next file and its chunk.
    files: &'a [[[u8; 4]; 3]],
    names: SampledIndex<'a, Names, MARKS>,
    /// Number of bytes from the start of the `.utoc`.
    offset: u64,
}

impl<'a> Directory<'a> {
    pub(super) fn read(bytes: &'a [u8], offset: u64) -> Result<Self> {
        let mut from = FileCursor::new(bytes, offset);
        let mount_point = text(&mut from)?;
        let folders = words(&mut from, 16)?.as_chunks().0;
        let files = words(&mut from, 12)?.as_chunks().0;
        let count = from.count(4, LAYOUT)?;
        let names = SampledIndex::new(Names, from, count);
        names.prepare(LAYOUT, |_, _| ());
        Ok(Self { mount_point, folders, files, names, offset })
    }

    #[cfg(feature = "alloc")]
    pub(super) fn index_names(&mut self) {
        self.names.index_all(LAYOUT);
    }

    fn error(&self, kind: ErrorKind) -> Error {
        Error::new(kind, self.offset)
    }

    fn name(&self, index: u32) -> Result<StrRef<'a>> {
        let index = index.cast_signed();
        let kind = ErrorKind::NoSuchString { index, count: self.names.count() };
        self.names.get(index, LAYOUT).ok_or_else(|| self.error(kind))
    }

    fn folder(&self, index: u32) -> Result<[u32; 4]> {
        let folder = self.folders.get(index as usize).map(|folder| folder.map(u32::from_le_bytes));
        folder.ok_or_else(|| self.error(ErrorKind::BadOffset(index.into())))
    }

    fn file(&self, index: u32) -> Result<[u32; 3]> {
        let file = self.files.get(index as usize).map(|file| file.map(u32::from_le_bytes));
        file.ok_or_else(|| self.error(ErrorKind::BadOffset(index.into())))
    }

    pub(super) const fn files(&self) -> Files<'a, '_> {
        Files {
            next: Next::Root,
            folders_left: self.folders.len(),
            files_left: self.files.len(),
            ..Files::of(Some(self))
        }
    }
}

/// Reads a list of items, each of `size` bytes.
fn words<'a>(from: &mut FileCursor<'a>, size: u64) -> Result<&'a [[u8; 4]]> {
    let count = from.count(size, LAYOUT)?;
    Ok(from.bytes(u64::from(count).saturating_mul(size))?.as_chunks().0)
}

/// The path of a file in a container, relative to the [mount point](super::Toc::mount_point).
///
/// `Display` prints the path.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct FilePath<'a> {
    folders: [StrRef<'a>; MOST_FOLDERS],
    depth: usize,
    name: StrRef<'a>,
}

impl<'a> FilePath<'a> {
    /// Returns the names of the folders around the file, beginning with the outermost one.
    pub fn folders(&self) -> &[StrRef<'a>] {
        self.folders.get(..self.depth).unwrap_or_default()
    }

    /// Returns the name of the file.
    pub const fn name(&self) -> StrRef<'a> {
        self.name
    }

    /// Returns `true` if `Display` prints this text.
    pub fn is(&self, text: &str) -> bool {
        display_eq(self, text)
    }

    /// Returns `true` if `Display` prints this text, ignoring ASCII case.
    pub fn is_ignoring_case(&self, text: &str) -> bool {
        display_eq_ignore_case(self, text)
    }

    /// Returns the total size of the folders in bytes, with one byte for the slash after each.
    fn folders_size(&self) -> usize {
        let sizes = self.folders().iter().map(|folder| folder.bytes().len().saturating_add(1));
        sizes.fold(0, usize::saturating_add)
    }
}

impl fmt::Display for FilePath<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        self.folders().iter().try_for_each(|folder| {
            folder.fmt(f)?;
            f.write_str("/")
        })?;
        self.name.fmt(f)
    }
}

/// A file of the directory index.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct File<'a> {
    /// The path.
    pub path: FilePath<'a>,
    /// The index of its chunk.
    pub chunk: u32,
}

/// What the iterator reads next.
#[derive(Clone, Copy, Debug)]
enum Next {
    Root,
    /// The file at `index` or, if this is [`NONE`], the first subfolder.
    File {
        index: u32,
        subfolder: u32,
    },
    End,
}

/// An iterator over the files of a container. [`Toc::files`](super::Toc::files) returns it.
///
/// The files of a folder come before those of its subfolders. It is an error if a folder or file is
/// listed twice, or if a path has more than 32 folders or 4,096 bytes. After an error, the iterator
/// ends.
#[derive(Clone, Debug)]
pub struct Files<'a, 'i> {
    directory: Option<&'i Directory<'a>>,
    path: FilePath<'a>,
    /// For each folder around the next file, the index of the folder after it.
    stack: [u32; MOST_FOLDERS],
    next: Next,
    folders_left: usize,
    files_left: usize,
}

impl<'a, 'i> Files<'a, 'i> {
    pub(super) const fn of(directory: Option<&'i Directory<'a>>) -> Self {
        let empty = StrRef::latin1(b"");
        Self {
            directory,
            path: FilePath { folders: [empty; MOST_FOLDERS], depth: 0, name: empty },
            stack: [NONE; MOST_FOLDERS],
            next: Next::End,
            folders_left: 0,
            files_left: 0,
        }
    }

    fn advance(&mut self, directory: &Directory<'a>) -> Result<Option<File<'a>>> {
        loop {
            match self.next {
                Next::End => return Ok(None),
                Next::Root if directory.folders.is_empty() => return Ok(None),
                Next::Root => self.enter(directory, 0)?,
                Next::File { index: NONE, subfolder: NONE } => self.leave(directory)?,
                Next::File { index: NONE, subfolder } => self.push(directory, subfolder)?,
                Next::File { index, subfolder } => {
                    let [name, index, chunk] = directory.file(index)?;
                    let left = self.files_left.checked_sub(1);
                    self.files_left =
                        left.ok_or_else(|| directory.error(ErrorKind::ListedTwice))?;
                    self.next = Next::File { index, subfolder };
                    self.path.name = directory.name(name)?;
                    self.check_size(directory)?;
                    return Ok(Some(File { path: self.path, chunk }));
                }
            }
        }
    }

    /// Continues with the files of a folder.
    fn enter(&mut self, directory: &Directory<'a>, index: u32) -> Result<()> {
        let [_, subfolder, _, file] = directory.folder(index)?;
        let left = self.folders_left.checked_sub(1);
        self.folders_left = left.ok_or_else(|| directory.error(ErrorKind::ListedTwice))?;
        self.next = Next::File { index: file, subfolder };
        Ok(())
    }

    /// Appends a folder to the path, and continues with its files.
    fn push(&mut self, directory: &Directory<'a>, index: u32) -> Result<()> {
        let [name, _, after, _] = directory.folder(index)?;
        let too_deep = || directory.error(ErrorKind::TooDeep { limit: MOST_FOLDERS as u32 });
        let folder = self.path.folders.get_mut(self.path.depth).ok_or_else(too_deep)?;
        *folder = directory.name(name)?;
        if let Some(next) = self.stack.get_mut(self.path.depth) {
            *next = after;
        }
        self.path.depth = self.path.depth.saturating_add(1);
        self.path.name = StrRef::default();
        self.check_size(directory)?;
        self.enter(directory, index)
    }

    /// Removes the last folder from the path, and continues with the folder after it, if there is
    /// one.
    fn leave(&mut self, directory: &Directory<'a>) -> Result<()> {
        let Some(depth) = self.path.depth.checked_sub(1) else {
            self.next = Next::End;
            return Ok(());
        };
        self.path.depth = depth;
        if let Some(folder) = self.path.folders.get_mut(depth) {
            *folder = StrRef::default();
        }
        match self.stack.get(depth).copied().unwrap_or(NONE) {
            NONE => self.next = Next::File { index: NONE, subfolder: NONE },
            next => self.push(directory, next)?,
        }
        Ok(())
    }

    fn check_size(&self, directory: &Directory<'a>) -> Result<()> {
        let size = self.path.folders_size().saturating_add(self.path.name.bytes().len());
        let stated = i32::try_from(size).unwrap_or(i32::MAX);
        match size <= LONGEST {
            true => Ok(()),
            false => Err(directory.error(ErrorKind::BadTextLength(stated))),
        }
    }
}

impl<'a> Iterator for Files<'a, '_> {
    type Item = Result<File<'a>>;

    fn next(&mut self) -> Option<Self::Item> {
        let next = self.advance(self.directory?).transpose();
        if let Some(Err(_)) = next {
            self.next = Next::End;
        }
        next
    }
}

impl core::iter::FusedIterator for Files<'_, '_> {}
