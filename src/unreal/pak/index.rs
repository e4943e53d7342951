//! The index: a view of the paths and entries of a pak.

use super::entry::Entry;
use super::footer::{Footer, Region};
use super::format::{CORRECT_HASHES, LAYOUT, PATH_HASHES};
use super::path::{EntryPath, hash_of, relative};
use super::table::EntryTable;
use super::walk::{Entries, Locations};
use crate::unreal::format::{Error, ErrorKind, FileCursor, Result, StrRef};

/// A view of the index of a pak.
///
/// [`open`](Self::open) is for a pak in memory. [`of_part`](Self::of_part) takes only the first
/// part of the index, from any source. From version 10 on, an index has other parts, which are
/// added with [`with_folders`](Self::with_folders) and
/// [`with_path_hashes`](Self::with_path_hashes).
#[derive(Clone, Debug)]
pub struct Index<'a> {
    footer: Footer<'a>,
    mount_point: StrRef<'a>,
    count: u32,
    form: Form<'a>,
}

/// The form of the index.
#[allow(clippy::large_enum_variant, reason = "a box would need an allocator")]
#[derive(Clone, Debug)]
enum Form<'a> {
    /// Up to version 9: paths and entries.
    Listed(FileCursor<'a>),
    Hashed(Hashed<'a>),
}

/// An index from version 10 on.
#[derive(Clone, Debug)]
struct Hashed<'a> {
    seed: u64,
    path_hashes: Option<Region>,
    folders: Option<Region>,
    entries: EntryTable<'a>,
    /// Bytes of the list of hashes.
    path_hash_list: Option<FileCursor<'a>>,
    /// Bytes of the list of folders.
    folder_list: Option<FileCursor<'a>>,
}

impl<'a> Index<'a> {
    /// Reads the index of a pak that is in memory. Works in constant time, except that from version
    /// 10 on, it reads the entries that are not encoded. Few paks have any.
    ///
    /// # Errors
    /// If the bytes are not a pak, or the index is encrypted, frozen, truncated or not within the
    /// pak. The errors of [`Footer::read`] apply, too.
    pub fn open(pak: &'a [u8]) -> Result<Self> {
        let footer = Footer::of(pak)?;
        if footer.is_index_encrypted() {
            return Err(Error::new(ErrorKind::NeedsKey, footer.index().offset));
        }
        let mut index = Self::of_part(footer, footer.index().of(pak)?)?;
        if let Some(region) = index.folders_region() {
            index = index.with_folders(region.of(pak)?);
        }
        if let Some(region) = index.path_hashes_region() {
            index = index.with_path_hashes(region.of(pak)?);
        }
        Ok(index)
    }

    /// Reads the first part of the index. `bytes` is the region [`Footer::index`], decrypted if it is
    /// encrypted.
    ///
    /// # Errors
    /// If the index is frozen or truncated.
    pub fn of_part(footer: Footer<'a>, bytes: &'a [u8]) -> Result<Self> {
        let (format, region) = (&footer.format, footer.index());
        if footer.is_index_frozen() {
            return Err(Error::new(ErrorKind::FrozenIndex, region.offset));
        }
        let mut from = FileCursor::new(bytes, region.offset);
        let mount_point = from.read(LAYOUT)?;
        if format.version < PATH_HASHES {
            // A path takes at least four bytes.
            let count = from.count(format.header_size(None).saturating_add(4), LAYOUT)?;
            return Ok(Self { footer, mount_point, count, form: Form::Listed(from) });
        }
        let at = from;
        let stated: i32 = from.read(LAYOUT)?;
        let count = u32::try_from(stated).map_err(|_| at.error(ErrorKind::BadCount(stated)))?;
        let seed = from.read(LAYOUT)?;
        let mut region = || -> Result<_> {
            let is_present: bool = from.read(LAYOUT)?;
            is_present.then(|| Region::read(&mut from, footer.start())).transpose()
        };
        let (path_hashes, folders) = (region()?, region()?);
        let entries = EntryTable::read(&mut from, format)?;
        let (path_hash_list, folder_list) = (None, None);
        let hashed = Hashed { seed, path_hashes, folders, entries, path_hash_list, folder_list };
        Ok(Self { footer, mount_point, count, form: Form::Hashed(hashed) })
    }

    fn hashed(&self) -> Option<&Hashed<'a>> {
        match &self.form {
            Form::Listed(_) => None,
            Form::Hashed(hashed) => Some(hashed),
        }
    }

    /// Returns the region of the list of folders. Only paks from version 10 on have it, and games
    /// can be shipped without it.
    pub fn folders_region(&self) -> Option<Region> {
        self.hashed()?.folders
    }

    /// Returns the region of the list of hashes of paths. Only paks from version 10 on have it.
    pub fn path_hashes_region(&self) -> Option<Region> {
        self.hashed()?.path_hashes
    }

    /// Adds the bytes of [`folders_region`](Self::folders_region), decrypted if the index is
    /// encrypted.
    #[must_use]
    pub fn with_folders(mut self, bytes: &'a [u8]) -> Self {
        if let Form::Hashed(Hashed { folders: Some(region), folder_list, .. }) = &mut self.form {
            *folder_list = Some(FileCursor::new(bytes, region.offset));
        }
        self
    }

    /// Adds the bytes of [`path_hashes_region`](Self::path_hashes_region), decrypted if the index is
    /// encrypted.
    #[must_use]
    pub fn with_path_hashes(mut self, bytes: &'a [u8]) -> Self {
        if let Form::Hashed(Hashed { path_hashes: Some(region), path_hash_list, .. }) =
            &mut self.form
        {
            *path_hash_list = Some(FileCursor::new(bytes, region.offset));
        }
        self
    }

    /// Returns the footer of the pak.
    pub const fn footer(&self) -> &Footer<'a> {
        &self.footer
    }

    /// Returns the folder at which the game sees the files of the pak, such as
    /// `../../../Game/Content/`.
    pub const fn mount_point(&self) -> StrRef<'a> {
        self.mount_point
    }

    /// Returns the number of files, as the index states it.
    pub const fn count(&self) -> u32 {
        self.count
    }

    /// Returns `true` if the index has the paths of files. Otherwise, all paths are hashes.
    pub fn has_paths(&self) -> bool {
        self.hashed().is_none_or(|hashed| hashed.folder_list.is_some())
    }

    /// Returns the seed of the hashes of paths, from version 10 on.
    pub fn path_hash_seed(&self) -> Option<u64> {
        self.hashed().map(|hashed| hashed.seed)
    }

    /// Returns the hash under which engines store a path that is relative to the mount point. Paks
    /// below version 10 have no hashes.
    pub fn path_hash(&self, path: &str) -> Option<u64> {
        Some(hash_of(path, self.path_hash_seed()?, self.has_correct_hashes()))
    }

    /// Returns the hashes under which programs store a path: two in version 10, otherwise the same
    /// one twice.
    fn path_hashes_of(&self, path: &str) -> Option<[u64; 2]> {
        let seed = self.path_hash_seed()?;
        Some([self.has_correct_hashes(), true].map(|is_correct| hash_of(path, seed, is_correct)))
    }

    pub(super) const fn has_correct_hashes(&self) -> bool {
        self.footer.format.version >= CORRECT_HASHES
    }

    /// Returns the files of the pak, in the order of the index.
    ///
    /// If an entry is wrong, the iterator yields an error. Then it continues with the next entry,
    /// or ends if the position of the next entry is not known.
    pub fn entries(&self) -> Entries<'a, '_> {
        let format = self.footer.format;
        let (locations, table) = match &self.form {
            Form::Listed(from) => (Locations::listed(*from, self.count), None),
            Form::Hashed(hashed) => {
                let locations = match (hashed.folder_list, hashed.path_hash_list) {
                    (Some(folders), _) => Locations::folders(folders),
                    (None, Some(hashes)) => Locations::hashes(hashes),
                    (None, None) => Locations::none(),
                };
                (locations, Some(&hashed.entries))
            }
        };
        Entries::new(locations, table, format)
    }

    /// Returns the hashes of paths, each with the location of its entry; none below version 10.
    #[cfg(all(feature = "unreal-pak", feature = "std"))]
    pub(super) fn path_hashes(&self) -> Locations<'a> {
        let list = self.hashed().and_then(|hashed| hashed.path_hash_list);
        list.map_or(Locations::none(), Locations::hashes)
    }

    /// Returns the paths, each with the location of its entry; none below version 10.
    #[cfg(all(feature = "unreal-pak", feature = "std"))]
    pub(super) fn folders(&self) -> Locations<'a> {
        let list = self.hashed().and_then(|hashed| hashed.folder_list);
        list.map_or(Locations::none(), Locations::folders)
    }

    /// Finds a file by its path. The path is relative to the mount point or begins with it, with or
    /// without `../../../`. An exact match is preferred to one that ignores ASCII case. In an index
    /// without paths, the path is found by its hash; it can also be the hash itself, as
    /// [`EntryPath`] prints it.
    ///
    /// Works in linear time. Returns an error if the entry of the file is wrong, or `None` if there
    /// is no such file.
    pub fn find(&self, path: &str) -> Option<Result<Entry<'a>>> {
        let path = path.strip_prefix('/').unwrap_or(path);
        let names = [Some(path), relative(path, self.mount_point)];
        let hashes = names.map(|path| self.path_hashes_of(path?));
        let names = || names.into_iter().flatten();
        let mut other = None;
        for (found, entry) in self.entries().lazily().flatten() {
            let is_it = match found {
                EntryPath::Hash(hash) => {
                    hashes.iter().flatten().flatten().any(|of| *of == hash) || found.is(path)
                }
                EntryPath::Name { .. } => names().any(|name| found.is(name)),
            };
            if is_it {
                return Some(entry.read());
            }
            if other.is_none() && names().any(|name| found.is_ignoring_case(name)) {
                other = Some(entry);
            }
        }
        other.map(|entry| entry.read())
    }
}

impl<'a> Footer<'a> {
    /// Reads the footer of a pak that is in memory.
    ///
    /// # Errors
    /// Returns the errors of [`read`](Self::read).
    pub fn of(pak: &'a [u8]) -> Result<Self> {
        let start = pak.len().saturating_sub(Self::MAX_SIZE);
        Self::read(pak.get(start..).unwrap_or_default(), pak.len() as u64)
    }
}
