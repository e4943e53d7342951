//! Assets.

use super::class_path::{ClassPath, is_none};
use super::names::StoredName;
use super::records::{StoredAsset, StoredBundle, StoredPath};
use super::tags::{TagRange, TagValue, Tags};
use super::view::Registry;
use crate::unreal::format::{List, NameText, Records, Result, StrRef};
use core::fmt;
use core::iter::FusedIterator;

/// An asset: an object that a package publishes. Methods that return names fail if a name is
/// missing from the table of names.
#[derive(Clone, Copy, Debug)]
pub struct Asset<'a, 'r> {
    registry: &'r Registry<'a>,
    stored: StoredAsset<'a>,
    offset: u64,
}

impl<'a, 'r> Asset<'a, 'r> {
    /// Returns the offset of the asset in the file.
    pub const fn offset(&self) -> u64 {
        self.offset
    }

    fn text(&self, name: StoredName<'a>) -> Result<NameText<'a>> {
        self.registry.text(name, self.offset)
    }

    /// Returns the name of the package, such as `/Game/Maps/Start`.
    pub fn package_name(&self) -> Result<NameText<'a>> {
        self.text(self.stored.package_name)
    }

    /// Returns the folder of the package, such as `/Game/Maps`.
    pub fn package_path(&self) -> Result<NameText<'a>> {
        self.text(self.stored.package_path)
    }

    /// Returns the name of the asset in its package.
    pub fn asset_name(&self) -> Result<NameText<'a>> {
        self.text(self.stored.asset_name)
    }

    /// Returns the path of the asset, which only versions below 15 store.
    pub fn object_path(&self) -> Option<Result<NameText<'a>>> {
        self.stored.object_path.map(|name| self.text(name))
    }

    /// Returns the path of the object that contains the asset, or the name `None` if the package
    /// contains the asset directly. Files from version 15 on store the path, unless editor-only
    /// data are left out.
    pub fn outer_path(&self) -> Option<Result<NameText<'a>>> {
        self.stored.outer_path.map(|name| self.text(name))
    }

    /// Returns the class.
    pub fn class(&self) -> Result<ClassPath<'a>> {
        self.registry.class(&self.stored.class, self.offset)
    }

    /// Returns the tags, in the order of the file. After an error, the iterator ends.
    pub fn tags(&self) -> Tags<'a, 'r> {
        match &self.stored.loose_tags {
            Some(tags) => Tags::loose(self.registry, tags.iter()),
            None => Tags::fixed(self.registry, self.tag_range().unwrap_or_default(), self.offset),
        }
    }

    /// Returns the number of tags, as the file states it.
    pub fn tag_count(&self) -> usize {
        match (&self.stored.loose_tags, self.tag_range()) {
            (Some(tags), _) => tags.len(),
            (None, range) => range.unwrap_or_default().count.into(),
        }
    }

    /// Returns the value of the tag with this key, or `None` if there is no such tag. Comparison
    /// ignores ASCII case. Works in linear time.
    pub fn tag(&self, key: &str) -> Option<Result<TagValue<'a>>> {
        self.tags().find_map(|tag| match tag {
            Ok(tag) => (tag.key == *key).then_some(Ok(tag.value)),
            Err(error) => Some(Err(error)),
        })
    }

    /// Returns the place of the tags in the store, from version 8 on.
    pub(super) fn tag_range(&self) -> Option<TagRange> {
        self.stored.fixed_tags.map(TagRange::of)
    }

    /// Returns the bundles of the asset. Below version 8, the bundles are stored as a tag, and this
    /// iterator is empty.
    pub fn bundles(&self) -> Bundles<'a, 'r> {
        let stored = self.stored.bundles.unwrap_or_default().iter();
        Bundles { registry: self.registry, stored }
    }

    /// Returns the numbers of the game's chunks that contain the asset.
    pub const fn chunks(&self) -> List<'a, i32> {
        self.stored.chunks
    }

    /// Returns the flags of the package:
    /// [`package_flags`](crate::unreal::tables::package_flags).
    pub const fn flags(&self) -> u32 {
        self.stored.flags
    }
}

/// An iterator over the assets of a registry. [`Registry::assets`] returns it.
#[derive(Clone, Debug)]
pub struct Assets<'a, 'r> {
    registry: &'r Registry<'a>,
    stored: Records<'a, StoredAsset<'a>>,
}

impl<'a, 'r> Assets<'a, 'r> {
    pub(super) const fn new(
        registry: &'r Registry<'a>,
        stored: Records<'a, StoredAsset<'a>>,
    ) -> Self {
        Self { registry, stored }
    }
}

impl<'a, 'r> Iterator for Assets<'a, 'r> {
    type Item = Result<Asset<'a, 'r>>;

    fn next(&mut self) -> Option<Self::Item> {
        let (registry, offset) = (self.registry, self.stored.offset());
        Some(self.stored.next()?.map(|stored| Asset { registry, stored, offset }))
    }
}

impl FusedIterator for Assets<'_, '_> {}

/// A bundle: a named list of objects that the game loads together.
#[derive(Clone, Copy, Debug)]
pub struct Bundle<'a, 'r> {
    registry: &'r Registry<'a>,
    stored: StoredBundle<'a>,
    offset: u64,
}

impl<'a, 'r> Bundle<'a, 'r> {
    /// Returns the name of the bundle. Fails if the name is missing from the table of names.
    pub fn name(&self) -> Result<NameText<'a>> {
        self.registry.text(self.stored.name, self.offset)
    }

    /// Returns the paths of the objects. If a name is missing from the table of names, the iterator
    /// returns an error instead of the path, and continues.
    pub fn paths(&self) -> impl Iterator<Item = Result<BundlePath<'a>>> + use<'a, 'r> {
        let (registry, offset) = (self.registry, self.offset);
        self.stored.paths.iter().map(move |path| registry.bundle_path(&path?, offset))
    }
}

/// The path of an object in a bundle. `Display` prints it as `Package.Asset:SubPath`.
#[derive(Clone, Copy, Debug)]
pub struct BundlePath<'a> {
    /// The package, from version 15 on.
    pub package: Option<NameText<'a>>,
    /// The name of the asset. Below version 15, the path of the asset.
    pub asset: NameText<'a>,
    /// The path of the object in the asset; empty if the object is the asset.
    pub sub_path: StrRef<'a>,
}

impl fmt::Display for BundlePath<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match &self.package {
            Some(package) if is_none(&self.asset) => package.fmt(f)?,
            Some(package) => write!(f, "{package}.{}", self.asset)?,
            None => self.asset.fmt(f)?,
        }
        if !self.sub_path.is_empty() {
            write!(f, ":{}", self.sub_path)?;
        }
        Ok(())
    }
}

impl<'a> Registry<'a> {
    fn bundle_path(&self, path: &StoredPath<'a>, offset: u64) -> Result<BundlePath<'a>> {
        Ok(BundlePath {
            package: path.package.map(|package| self.text(package, offset)).transpose()?,
            asset: self.text(path.asset, offset)?,
            sub_path: self.utf8(path.sub_path),
        })
    }
}

/// An iterator over the bundles of an asset. [`Asset::bundles`] returns it.
#[derive(Clone, Debug)]
pub struct Bundles<'a, 'r> {
    registry: &'r Registry<'a>,
    stored: Records<'a, StoredBundle<'a>>,
}

impl<'a, 'r> Iterator for Bundles<'a, 'r> {
    type Item = Bundle<'a, 'r>;

    fn next(&mut self) -> Option<Self::Item> {
        let (registry, offset) = (self.registry, self.stored.offset());
        // The list was checked when the asset was read.
        let stored = self.stored.next()?.ok()?;
        Some(Bundle { registry, stored, offset })
    }
}

impl FusedIterator for Bundles<'_, '_> {}
