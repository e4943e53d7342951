//! Data about the files of packages.

use super::records::{ChunkHash, StoredPackage};
use super::view::Registry;
use crate::unreal::format::{Guid, List, NameText, Records, Result, StrRef, Versions};
use crate::unreal::tables::CustomVersions;
use core::iter::FusedIterator;

/// Data about the file of a package. Methods return `None` or an empty list for data that the
/// version of the registry does not store.
#[derive(Clone, Copy, Debug)]
pub struct PackageData<'a, 'r> {
    registry: &'r Registry<'a>,
    stored: StoredPackage<'a>,
    offset: u64,
}

/// The versions that the file of a package states. Registries store them from version 9 on.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct FileVersions<'a> {
    /// The file versions of engines 4 and 5. Below version 11, the file version of engine 5 is 0.
    pub versions: Versions,
    /// Version of a licensee's engine.
    pub licensee: i32,
    /// Flags (`FAssetPackageData::Flags`).
    pub flags: u32,
    /// Versions of subsystems.
    pub custom: CustomVersions<'a>,
}

impl<'a, 'r> PackageData<'a, 'r> {
    /// Returns the offset of the data in the file.
    pub const fn offset(&self) -> u64 {
        self.offset
    }

    /// Returns the name of the package. Fails if the name is missing from the table of names.
    pub fn name(&self) -> Result<NameText<'a>> {
        self.registry.text(self.stored.name, self.offset)
    }

    /// Returns the size of the file in bytes.
    pub const fn disk_size(&self) -> i64 {
        self.stored.disk_size
    }

    /// Returns the GUID of the package, below version 20.
    pub const fn guid(&self) -> Option<Guid> {
        self.stored.guid
    }

    /// Returns the hash of the package as it was saved (`FIoHash`), from version 20 on.
    pub const fn saved_hash(&self) -> Option<[u8; 20]> {
        self.stored.saved_hash
    }

    /// Returns the MD5 hash of the cooked file, if the registry states it. Versions below 6 do not.
    pub fn cooked_hash(&self) -> Option<[u8; 16]> {
        self.stored.cooked_hash?.md5
    }

    /// Returns the hashes of the package's chunks, from version 13 on.
    pub fn chunk_hashes(&self) -> List<'a, ChunkHash> {
        self.stored.chunk_hashes.unwrap_or_default()
    }

    /// Returns the versions of the file, from version 9 on.
    pub fn file_versions(&self) -> Option<FileVersions<'a>> {
        let stored = &self.stored;
        let ue5 = stored.ue5_version.unwrap_or(0);
        Some(FileVersions {
            versions: Versions { ue4: stored.ue4_version?, ue5 },
            licensee: stored.licensee_version?,
            flags: stored.flags?,
            custom: stored.custom_versions?,
        })
    }

    /// Returns the names of the classes that the package imports, from version 10 on. If a name is
    /// missing from the table of names, the iterator returns an error instead of the name, and
    /// continues.
    pub fn imported_classes(&self) -> impl Iterator<Item = Result<NameText<'a>>> + use<'a, 'r> {
        let (registry, offset) = (self.registry, self.offset);
        let classes = self.stored.imported_classes.unwrap_or_default().iter();
        classes.map(move |class| registry.text(class?, offset))
    }

    /// Returns the extension of the file, such as `.uasset`, from version 17 on.
    pub fn extension(&self) -> Option<StrRef<'a>> {
        self.stored.extension.map(|extension| self.registry.utf8(extension))
    }
}

/// An iterator over the data of packages. [`Registry::packages`] returns it.
#[derive(Clone, Debug)]
pub struct Packages<'a, 'r> {
    registry: &'r Registry<'a>,
    stored: Records<'a, StoredPackage<'a>>,
}

impl<'a, 'r> Packages<'a, 'r> {
    pub(super) const fn new(
        registry: &'r Registry<'a>,
        stored: Records<'a, StoredPackage<'a>>,
    ) -> Self {
        Self { registry, stored }
    }

    /// Returns the number of packages that have not been read yet, as the file states it.
    pub fn count_left(&self) -> usize {
        self.stored.len()
    }

    pub(super) fn offset(&self) -> u64 {
        self.stored.offset()
    }
}

impl<'a, 'r> Iterator for Packages<'a, 'r> {
    type Item = Result<PackageData<'a, 'r>>;

    fn next(&mut self) -> Option<Self::Item> {
        let (registry, offset) = (self.registry, self.stored.offset());
        Some(self.stored.next()?.map(|stored| PackageData { registry, stored, offset }))
    }

    fn size_hint(&self) -> (usize, Option<usize>) {
        (0, Some(self.stored.len()))
    }
}

impl FusedIterator for Packages<'_, '_> {}
