//! The view of an asset registry.

use super::names::{NameTable, StoredName};
use super::records::StoredAsset;
use super::store::Store;
use super::versions::{
    ADD_ASSET_REGISTRY_STATE, ADDED_HEADER, FIXED_TAGS, HARD_SOFT_DEPENDENCIES, NEWEST,
};
use crate::unreal::format::{
    ByteOrder, ErrorKind, FileCursor, Guid, Layout, NEWEST as VERSIONS, NameText, Records, Result,
    Value,
};

/// The magic number at the start of the file.
const MAGIC: Guid = Guid([0x717F_9EE7, 0xE9B0_493A, 0x88B3_9132, 0x1B38_8107]);

/// A view of the asset registry of a game (`AssetRegistry.bin`).
///
/// ```
/// use gamewire::unreal::registry::Registry;
///
/// # if !std::path::Path::new("corpus").exists() { return Ok(()) } // not published
/// let file = &std::fs::read("corpus/unreal-registry/v16.bin")?;
/// let registry = Registry::open(file)?;
/// let asset = registry.assets().next().unwrap()?;
/// assert_eq!(asset.package_name()?.to_string(), "/Game/Maps/Start");
/// assert_eq!(asset.class()?.to_string(), "/Script/Engine.World");
/// let tag = asset.tag("Title").unwrap()?;
/// assert_eq!(tag.to_string(), "A long way");
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Clone, Debug)]
pub struct Registry<'a> {
    layout: Layout,
    /// Size of the file.
    len: u64,
    names: NameTable<'a>,
    store: Store<'a>,
    assets: FileCursor<'a>,
    asset_count: u32,
}

impl<'a> Registry<'a> {
    /// Returns `true` if the file begins with the magic number.
    ///
    /// ```
    /// use gamewire::unreal::registry::Registry;
    ///
    /// assert!(!Registry::is_registry(b"GVAS"));
    /// ```
    pub fn is_registry(file: &[u8]) -> bool {
        FileCursor::new(file, 0).read(&layout(NEWEST)).is_ok_and(|magic: Guid| magic == MAGIC)
    }

    /// Reads the header, and locates the names, the tags and the first asset. Works in linear time.
    ///
    /// # Errors
    /// If the file does not begin with the magic number, its version is unknown, or the header, the
    /// store, or the number of names or assets is truncated or wrong.
    pub fn open(file: &'a [u8]) -> Result<Self> {
        let mut from = FileCursor::new(file, 0);
        if !Self::is_registry(file) {
            return Err(from.error(ErrorKind::NotARegistry));
        }
        from.bytes(Guid::LEAST)?;
        let at = from;
        let version: u32 = from.read(&layout(0))?;
        if !(HARD_SOFT_DEPENDENCIES..=NEWEST).contains(&version) {
            let (what, value) = ("version of an asset registry", version.cast_signed().into());
            return Err(at.error(ErrorKind::Unknown { what, value }));
        }
        let mut layout = layout(version);
        if version >= ADDED_HEADER {
            layout.editor_data = !from.read::<bool>(&layout)?;
        }
        let (names, store) = match version {
            ..ADD_ASSET_REGISTRY_STATE => (NameTable::none(layout), Store::none(layout)),
            ADD_ASSET_REGISTRY_STATE..FIXED_TAGS => {
                (NameTable::strings(file, &mut from, layout)?, Store::none(layout))
            }
            FIXED_TAGS.. => (NameTable::batch(&mut from, layout)?, Store::read(&mut from, layout)?),
        };
        let asset_count = from.count(StoredAsset::LEAST, &layout)?;
        Ok(Self { layout, len: file.len() as u64, names, store, assets: from, asset_count })
    }

    /// Stores the offsets of all names, and of the tags and values whose sizes vary, so that each
    /// is found in constant time, apart from the first search. Without these offsets, finding a
    /// name reads up to 1/256 of the names, and finding a tag or a value reads up to 1/128 of the
    /// tags or values.
    #[cfg(feature = "alloc")]
    #[must_use]
    pub fn with_name_index(mut self) -> Self {
        self.names.index_all();
        self.store.index_all();
        self
    }

    /// Returns `true` if the assets have more tags than fit in the file. This is possible only if
    /// assets share tags, which they do not in files that engines write.
    pub fn shares_tags(&self) -> bool {
        /// Minimum size of a tag in bytes.
        const MIN_TAG: u64 = 8;
        let counts = self.assets().flatten().map(|asset| asset.tag_count() as u64);
        counts.fold(0, u64::saturating_add) > self.len / MIN_TAG
    }

    /// Returns the version of the format, 1 to 24.
    pub const fn version(&self) -> u32 {
        self.layout.table_version
    }

    /// Returns whether editor-only data are left out, or `None` below version 16, where files do
    /// not state this.
    pub fn filters_editor_data(&self) -> Option<bool> {
        (self.version() >= ADDED_HEADER).then_some(!self.layout.editor_data)
    }

    /// Returns the number of names, as the file states it; 0 in version 1.
    pub const fn name_count(&self) -> u32 {
        self.names.count()
    }

    /// Returns the number of assets, as the file states it.
    pub const fn asset_count(&self) -> u32 {
        self.asset_count
    }

    /// Returns the size of the file in bytes.
    pub(super) const fn len(&self) -> u64 {
        self.len
    }

    pub(super) const fn layout(&self) -> &Layout {
        &self.layout
    }

    pub(super) const fn names(&self) -> &NameTable<'a> {
        &self.names
    }

    pub(super) const fn store(&self) -> &Store<'a> {
        &self.store
    }

    pub(super) fn stored_assets(&self) -> Records<'a, StoredAsset<'a>> {
        Records::new(self.assets, self.asset_count, self.layout)
    }

    /// Returns the text of a name. Errors state `offset`.
    pub(super) fn text(&self, name: StoredName<'a>, offset: u64) -> Result<NameText<'a>> {
        self.names.text(name, offset)
    }
}

/// Returns the layout of a version. Numbers are little-endian.
const fn layout(version: u32) -> Layout {
    Layout { table_version: version, ..Layout::new(ByteOrder::Little, -9, VERSIONS) }
}
