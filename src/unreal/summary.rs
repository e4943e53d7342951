//! `FPackageFileSummary`: where everything in a package is.

use super::flags::flags;
use super::layout::{Layout, Versions};
use super::list::List;
use super::record::{Record, records};
use super::text::Text;
use super::wire::{ByteOrder, Guid, Input, Value};
use super::{ErrorKind, Result};
use crate::buffer::{Full, Sink};
use core::fmt;

/// With this every package begins and ends; in the other byte order, if it is that.
pub(super) const TAG: u32 = 0x9E2A_83C1;

records! { <'a> (this, layout)
    /// The versions a package says it is in, its first fields after the tag.
    struct FileVersions {
        /// −3 … −9: which of the fields to come there are.
        legacy_version: i32;
        /// 864 in what has versions, to make engine 3 refuse it.
        ue3_version: i32, if this.legacy_version != -4;
        /// The version that counts the changes of engine 4.
        ue4_version: i32;
        /// The version that counts the changes of engine 5.
        ue5_version: i32, if this.legacy_version <= -8;
        /// The version that the owner of a modified engine counts.
        licensee_version: i32;
    }

    /// All that is said of a package at its beginning. Offsets count from the start of the
    /// file; one of 0 (or −1) means that there is no such table.
    struct Summary<'a> {
        /// Hash of the package, from 5:1016.
        saved_hash: [u8; 20], if layout.ue5(1016);
        /// The size of all tables, from 5:1016: [`Summary::header_size`].
        early_header_size as "total_header_size": i32, if layout.ue5(1016);
        /// The versions of the engine's subsystems that were at work.
        custom_versions: CustomVersions<'a>;
        /// The size of all tables, below 5:1016: [`Summary::header_size`].
        late_header_size as "total_header_size": i32, if !layout.ue5(1016);
        /// From 5.0 on the name of the package, before it mostly `None`.
        package_name: Text<'a>;
        /// What the package is and how it was saved: [`package_flags`].
        package_flags: u32;
        /// How many names there are.
        name_count: i32;
        /// Where the names are.
        name_offset: i32;
        /// How many soft object paths are listed.
        soft_object_path_count: i32, if layout.ue5(1008);
        /// Where the soft object paths are.
        soft_object_path_offset: i32, if layout.ue5(1008);
        /// For the texts of the package.
        localization_id: Text<'a>, if layout.ue4(516) && this.has_editor_data();
        /// How many texts are to be translated.
        gatherable_text_count: i32, if layout.ue4(459);
        /// Where the texts to be translated are.
        gatherable_text_offset: i32, if layout.ue4(459);
        /// How many objects the package has.
        export_count: i32;
        /// Where the exports are.
        export_offset: i32;
        /// How many objects of other packages it refers to.
        import_count: i32;
        /// Where the imports are.
        import_offset: i32;
        /// Of Verse.
        cell_export_count: i32, if layout.ue5(1015);
        /// Of Verse.
        cell_export_offset: i32, if layout.ue5(1015);
        /// Of Verse.
        cell_import_count: i32, if layout.ue5(1015);
        /// Of Verse.
        cell_import_offset: i32, if layout.ue5(1015);
        /// Where the editor's remarks about objects are.
        metadata_offset: i32, if layout.ue5(1014);
        /// Where it is said which objects an export depends on.
        depends_offset: i32;
        /// How many packages are referred to softly.
        soft_package_reference_count: i32, if layout.ue4(384);
        /// Where these are.
        soft_package_reference_offset: i32, if layout.ue4(384);
        /// Where the names are by which objects can be found.
        searchable_names_offset: i32, if layout.ue4(510);
        /// Where it is said which thumbnails there are.
        thumbnail_table_offset: i32;
        /// How many imports have their types listed.
        import_type_hierarchy_count: i32, if layout.ue5(1018);
        /// Where these are.
        import_type_hierarchy_offset: i32, if layout.ue5(1018);
        /// Of this state of the package, below 5:1016.
        guid: Guid, if !layout.ue5(1016);
        /// Of the package, whatever its state.
        persistent_guid: Guid, if layout.ue4(518) && this.has_editor_data();
        /// Of the package it belongs to; engines 4.24 and 4.25.
        owner_persistent_guid: Guid,
            if layout.ue4(518) && !layout.ue4(520) && this.has_editor_data();
        /// How many names and exports earlier states had.
        generations: List<'a, Generation>;
        /// The engine that has saved it.
        saved_by_engine: EngineVersion<'a>;
        /// The oldest engine that can read it.
        compatible_with_engine: EngineVersion<'a>, if layout.ue4(444);
        /// How the chunks are compressed.
        compression_flags: u32;
        /// Of a package that is compressed as a whole; no engine of today makes these.
        compressed_chunks: List<'a, CompressedChunk>;
        /// A checksum of the file's name, or a random number.
        package_source: u32;
        /// What else belongs into a build.
        additional_packages_to_cook: List<'a, Text<'a>>;
        /// Always 0.
        texture_allocations: i32, if layout.legacy > -7;
        /// Where it is said what the asset registry knows of the package.
        asset_registry_data_offset: i32;
        /// Where the bulk data behind the exports begin.
        bulk_data_start_offset: i64;
        /// Where the place of a level in its world is.
        world_tile_info_data_offset: i32, if layout.ue4(224);
        /// In which chunks of a build it goes.
        chunk_ids: ChunkIds<'a>, if layout.ue4(278);
        /// How many dependencies exports have in all; −1 if it was not cooked.
        preload_dependency_count: i32, if layout.ue4(507);
        /// Where these are.
        preload_dependency_offset: i32, if layout.ue4(507);
        /// How many of the names are used outside of the tables.
        names_referenced_from_export_data_count: i32, if layout.ue5(1001);
        /// Where the trailer is.
        payload_toc_offset: i64, if layout.ue5(1002);
        /// Where it is said which bulk data there are.
        data_resource_offset: i32, if layout.ue5(1009);
    }

    /// How much there was in an earlier state of the package.
    struct Generation {
        /// Exports then.
        export_count: i32;
        /// Names then.
        name_count: i32;
    }

    /// Which bytes of the package lie compressed where.
    struct CompressedChunk {
        /// Where they begin, once decompressed.
        uncompressed_offset: i32;
        /// How many.
        uncompressed_size: i32;
        /// Where the block is.
        compressed_offset: i32;
        /// Its size.
        compressed_size: i32;
    }
}

flags! {
    /// Bits of [`Summary::package_flags`]; others may be set and mean nothing here.
    mod package_flags {
        NEWLY_CREATED = 0x1;
        CLIENT_OPTIONAL = 0x2;
        SERVER_SIDE_ONLY = 0x4;
        COMPILED_IN = 0x10;
        FOR_DIFFING = 0x20;
        EDITOR_ONLY = 0x40;
        DEVELOPER = 0x80;
        UNCOOKED_ONLY = 0x100;
        COOKED = 0x200;
        CONTAINS_NO_ASSET = 0x400;
        NOT_EXTERNALLY_REFERENCEABLE = 0x800;
        /// Properties without tags: a schema is needed to read them.
        UNVERSIONED_PROPERTIES = 0x2000;
        CONTAINS_MAP_DATA = 0x4000;
        CONTAINS_MAP = 0x2_0000;
        REQUIRES_LOCALIZATION_GATHER = 0x4_0000;
        CONTAINS_SCRIPT = 0x20_0000;
        STORE_COMPRESSED = 0x200_0000;
        /// What only the editor needs has been left out.
        FILTER_EDITOR_ONLY = 0x8000_0000;
    }
}

impl Summary<'_> {
    /// Whether what only the editor needs is there.
    pub const fn has_editor_data(&self) -> bool {
        self.package_flags & package_flags::FILTER_EDITOR_ONLY == 0
    }

    /// Whether properties have no tags.
    pub const fn has_unversioned_properties(&self) -> bool {
        self.package_flags & package_flags::UNVERSIONED_PROPERTIES != 0
    }

    /// The size of all tables together: where the exports begin.
    pub fn header_size(&self) -> i32 {
        self.early_header_size.or(self.late_header_size).unwrap_or_default()
    }
}

impl FileVersions {
    /// Whether the package does not say in which version it is.
    pub fn is_unversioned(&self) -> bool {
        self.ue4_version == 0 && self.ue5_version.unwrap_or(0) == 0 && self.licensee_version == 0
    }

    pub(super) fn versions(&self) -> Versions {
        Versions { ue4: self.ue4_version, ue5: self.ue5_version.unwrap_or(0) }
    }

    /// What is between the tag and the end of the versions, checked; `layout` becomes that of
    /// what follows.
    pub(super) fn open(
        &mut self,
        from: &mut Input<'_>,
        supplied: Option<Versions>,
        layout: &mut Layout,
    ) -> Result<()> {
        let start = *from;
        let tag: u32 = from.read(layout)?;
        layout.order = match tag {
            TAG => ByteOrder::Little,
            _ if tag == TAG.swap_bytes() => ByteOrder::Big,
            _ => return Err(start.error(ErrorKind::NotAPackage(tag))),
        };
        let start = *from;
        // What failed to be filled is in `self` nonetheless.
        let filled = self.fill(from, layout);
        match self.legacy_version {
            -9..=-2 => {}
            0 if filled.is_err() => {} // not even that is there
            // What stands behind the tag of compressed data, of 64-bit and of 32-bit fields.
            0 | 0x2222_2222 | 0x2_0000 => return Err(start.error(ErrorKind::CompressedBlock)),
            other => return Err(start.error(ErrorKind::UnknownLegacyVersion(other))),
        }
        filled?;
        layout.legacy = self.legacy_version;
        layout.versions = match supplied {
            _ if !self.is_unversioned() => self.versions(),
            Some(versions) => versions,
            None => return Err(start.error(ErrorKind::NeedsVersion)),
        };
        layout.versions.known().map_err(|kind| start.error(kind))
    }
}

/// The version of an engine.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct EngineVersion<'a> {
    /// 4 or 5, or 0 where it is not known.
    pub major: u16,
    /// What stands behind the first dot.
    pub minor: u16,
    /// What stands behind the second.
    pub patch: u16,
    /// Number of the change it was built from; bit 31 for an engine that was modified.
    pub changelist: u32,
    /// As `++UE4+Release-4.27`.
    pub branch: Text<'a>,
}

impl EngineVersion<'_> {
    /// Whether a licensee has built the engine.
    pub const fn is_licensee(&self) -> bool {
        self.changelist & 0x8000_0000 != 0
    }
}

impl fmt::Display for EngineVersion<'_> {
    /// As engines print it: `4.27.2-18319896+++UE4+Release-4.27`.
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Self { major, minor, patch, changelist, branch } = self;
        write!(f, "{major}.{minor}.{patch}-{}", changelist & !0x8000_0000)?;
        match branch.is_empty() {
            true => Ok(()),
            false => write!(f, "+{branch}"),
        }
    }
}

impl<'a> Value<'a> for EngineVersion<'a> {
    const LEAST: u64 = 4;

    fn read(from: &mut Input<'a>, layout: &Layout) -> Result<Self> {
        if !layout.ue4(336) {
            let changelist = from.read(layout)?;
            return Ok(Self { major: 4, changelist, ..Self::default() });
        }
        Ok(Self {
            major: from.read(layout)?,
            minor: from.read(layout)?,
            patch: from.read(layout)?,
            changelist: from.read(layout)?,
            branch: from.read(layout)?,
        })
    }

    fn write<S: Sink>(&self, to: &mut S, layout: &Layout) -> Result<(), Full> {
        if layout.ue4(336) {
            self.major.write(to, layout)?;
            self.minor.write(to, layout)?;
            self.patch.write(to, layout)?;
        }
        self.changelist.write(to, layout)?;
        if layout.ue4(336) { self.branch.write(to, layout) } else { Ok(()) }
    }
}

/// The version of one subsystem.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct CustomVersion<'a> {
    /// Which subsystem; in the oldest form a number, the last word.
    pub guid: Guid,
    /// Its version.
    pub version: i32,
    /// Its name, from legacy −3 to −5.
    pub name: Option<Text<'a>>,
}

impl<'a> Value<'a> for CustomVersion<'a> {
    const LEAST: u64 = 8;

    #[inline]
    fn size(layout: &Layout) -> Option<u64> {
        match layout.legacy {
            -2.. => Some(8),
            -5..=-3 => None,
            _ => Some(20),
        }
    }

    fn read(from: &mut Input<'a>, layout: &Layout) -> Result<Self> {
        let guid = match layout.legacy {
            -2.. => Guid([0, 0, 0, from.read(layout)?]),
            _ => from.read(layout)?,
        };
        let version = from.read(layout)?;
        let name = match layout.legacy {
            -5..=-3 => Some(from.read(layout)?),
            _ => None,
        };
        Ok(Self { guid, version, name })
    }

    fn write<S: Sink>(&self, to: &mut S, layout: &Layout) -> Result<(), Full> {
        match (layout.legacy, self.guid) {
            (-2.., Guid([.., number])) => number.write(to, layout)?,
            (_, guid) => guid.write(to, layout)?,
        }
        self.version.write(to, layout)?;
        match layout.legacy {
            -5..=-3 => self.name.unwrap_or_default().write(to, layout),
            _ => Ok(()),
        }
    }
}

/// The versions of subsystems, in the order of the file.
pub type CustomVersions<'a> = List<'a, CustomVersion<'a>>;

/// Numbers of chunks: a list, and from 4:278 to 4:325 one number, of which a negative is none.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct ChunkIds<'a> {
    list: List<'a, i32>,
    /// Whether it is one number without a count.
    single: bool,
}

impl<'a> ChunkIds<'a> {
    /// The numbers.
    pub fn iter(&self) -> impl Iterator<Item = i32> + use<'a> {
        let single = self.single;
        self.list.iter().flatten().filter(move |id| *id >= 0 || !single)
    }
}

impl<'a> Value<'a> for ChunkIds<'a> {
    const LEAST: u64 = 4;

    fn read(from: &mut Input<'a>, layout: &Layout) -> Result<Self> {
        let single = !layout.ue4(326);
        let list = match single {
            false => from.read(layout)?,
            true => List::counted(from, 1, layout)?,
        };
        Ok(Self { list, single })
    }

    fn write<S: Sink>(&self, to: &mut S, layout: &Layout) -> Result<(), Full> {
        match layout.ue4(326) {
            true => self.list.write(to, layout),
            false if self.list.is_empty() => (-1i32).write(to, layout),
            false => self.list.write_values(to, layout),
        }
    }
}
