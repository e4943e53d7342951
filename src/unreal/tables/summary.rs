//! The summary of a package (`FPackageFileSummary`).

use super::versions::{CustomVersions, EngineVersion};
use crate::buffer::{Full, Sink};
use crate::unreal::format::{
    FileCursor, Guid, Layout, List, Result, StrRef, Value, flags, records,
};
use crate::unreal::format::{ue4, ue5};

records! { <'a> (this, layout)
    /// The summary of a package: offsets and counts of its tables, and general facts. Offsets count
    /// from the start of the file; 0 or −1 means that the table does not exist.
    struct Summary<'a> {
        /// Hash of the package; present from 5:1016 on.
        saved_hash: [u8; 20], if layout.has_ue5(ue5::PACKAGE_SAVED_HASH);
        /// Size of the summary and all tables, in files from 5:1016 on. [`Summary::header_size`]
        /// returns it for all versions.
        early_header_size as "total_header_size": i32, if layout.has_ue5(ue5::PACKAGE_SAVED_HASH);
        /// Versions of engine subsystems.
        custom_versions: CustomVersions<'a>;
        /// Size of the summary and all tables, in files below 5:1016. [`Summary::header_size`]
        /// returns it for all versions.
        late_header_size as "total_header_size": i32, if !layout.has_ue5(ue5::PACKAGE_SAVED_HASH);
        /// Name of the package in files of engine 5; usually `None` in older files.
        package_name: StrRef<'a>;
        /// Flags of the package: [`package_flags`].
        package_flags: u32;
        /// Number of names.
        name_count: i32;
        /// Offset of the names.
        name_offset: i32;
        /// Number of soft object paths.
        soft_object_path_count: i32, if layout.has_ue5(ue5::ADD_SOFTOBJECTPATH_LIST);
        /// Offset of the soft object paths.
        soft_object_path_offset: i32, if layout.has_ue5(ue5::ADD_SOFTOBJECTPATH_LIST);
        /// Localization namespace of the package.
        localization_id: StrRef<'a>, if layout.has_ue4(ue4::ADDED_PACKAGE_SUMMARY_LOCALIZATION_ID) && this.has_editor_data();
        /// Number of gatherable texts.
        gatherable_text_count: i32, if layout.has_ue4(ue4::SERIALIZE_TEXT_IN_PACKAGES);
        /// Offset of the gatherable texts.
        gatherable_text_offset: i32, if layout.has_ue4(ue4::SERIALIZE_TEXT_IN_PACKAGES);
        /// Number of exports.
        export_count: i32;
        /// Offset of the exports.
        export_offset: i32;
        /// Number of imports.
        import_count: i32;
        /// Offset of the imports.
        import_offset: i32;
        /// Number of Verse cell exports.
        cell_export_count: i32, if layout.has_ue5(ue5::VERSE_CELLS);
        /// Offset of the Verse cell exports.
        cell_export_offset: i32, if layout.has_ue5(ue5::VERSE_CELLS);
        /// Number of Verse cell imports.
        cell_import_count: i32, if layout.has_ue5(ue5::VERSE_CELLS);
        /// Offset of the Verse cell imports.
        cell_import_offset: i32, if layout.has_ue5(ue5::VERSE_CELLS);
        /// Offset of the metadata.
        metadata_offset: i32, if layout.has_ue5(ue5::METADATA_SERIALIZATION_OFFSET);
        /// Offset of the dependencies of exports.
        depends_offset: i32;
        /// Number of soft package references.
        soft_package_reference_count: i32, if layout.has_ue4(ue4::ADD_STRING_ASSET_REFERENCES_MAP);
        /// Offset of the soft package references.
        soft_package_reference_offset: i32, if layout.has_ue4(ue4::ADD_STRING_ASSET_REFERENCES_MAP);
        /// Offset of the searchable names.
        searchable_names_offset: i32, if layout.has_ue4(ue4::ADDED_SEARCHABLE_NAMES);
        /// Offset of the table of thumbnails.
        thumbnail_table_offset: i32;
        /// Number of import type hierarchies.
        import_type_hierarchy_count: i32, if layout.has_ue5(ue5::IMPORT_TYPE_HIERARCHIES);
        /// Offset of the import type hierarchies.
        import_type_hierarchy_offset: i32, if layout.has_ue5(ue5::IMPORT_TYPE_HIERARCHIES);
        /// GUID of this version of the package; present below 5:1016.
        guid: Guid, if !layout.has_ue5(ue5::PACKAGE_SAVED_HASH);
        /// GUID that the package keeps when it is saved again.
        persistent_guid: Guid, if layout.has_ue4(ue4::ADDED_PACKAGE_OWNER) && this.has_editor_data();
        /// GUID of the owning package, in files of engines 4.24 and 4.25.
        owner_persistent_guid: Guid,
            if layout.has_ue4(ue4::ADDED_PACKAGE_OWNER) && !layout.has_ue4(ue4::NON_OUTER_PACKAGE_IMPORT) && this.has_editor_data();
        /// For each time the package was saved, the numbers of exports and names that it had.
        /// Usually, the last entry describes this file.
        generations: List<'a, Generation>;
        /// Engine that saved the package.
        saved_by_engine: EngineVersion<'a>;
        /// Oldest engine that can read the package.
        compatible_with_engine: EngineVersion<'a>, if layout.has_ue4(ue4::PACKAGE_SUMMARY_HAS_COMPATIBLE_ENGINE_VERSION);
        /// Flags that state the compression method of the chunks.
        compression_flags: u32;
        /// Chunks of a compressed package. Current engines do not write such packages.
        compressed_chunks: List<'a, CompressedChunk>;
        /// Checksum of the file name, or a random number.
        package_source: u32;
        /// Other packages that must be cooked along with this one.
        additional_packages_to_cook: List<'a, StrRef<'a>>;
        /// Always 0.
        texture_allocations: i32, if layout.legacy > -7;
        /// Offset of the asset registry data.
        asset_registry_data_offset: i32;
        /// Offset of the bulk data after the exports.
        bulk_data_start_offset: i64;
        /// Offset of the world tile info.
        world_tile_info_data_offset: i32, if layout.has_ue4(ue4::WORLD_LEVEL_INFO);
        /// Chunks of a build that contain the package.
        chunk_ids: ChunkIds<'a>, if layout.has_ue4(ue4::ADDED_CHUNKID_TO_ASSETDATA_AND_UPACKAGE);
        /// Number of preload dependencies; −1 if the package is not cooked.
        preload_dependency_count: i32, if layout.has_ue4(ue4::PRELOAD_DEPENDENCIES_IN_COOKED_EXPORTS);
        /// Offset of the preload dependencies.
        preload_dependency_offset: i32, if layout.has_ue4(ue4::PRELOAD_DEPENDENCIES_IN_COOKED_EXPORTS);
        /// Number of names that exports use.
        names_referenced_from_export_data_count: i32, if layout.has_ue5(ue5::NAMES_REFERENCED_FROM_EXPORT_DATA);
        /// Offset of the trailer.
        payload_toc_offset: i64, if layout.has_ue5(ue5::PAYLOAD_TOC);
        /// Offset of the table of bulk data.
        data_resource_offset: i32, if layout.has_ue5(ue5::DATA_RESOURCES);
    }

    /// Counts of a saved version of the package.
    struct Generation {
        /// Number of exports.
        export_count: i32;
        /// Number of names.
        name_count: i32;
    }

    /// A compressed range of the package.
    struct CompressedChunk {
        /// Offset in the decompressed package.
        uncompressed_offset: i32;
        /// Size in the decompressed package.
        uncompressed_size: i32;
        /// Offset of the compressed data in the file.
        compressed_offset: i32;
        /// Size of the compressed data.
        compressed_size: i32;
    }
}

flags! {
    /// Bits of [`Summary::package_flags`]. Other bits can be set.
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
        /// Properties have no tags and need a schema.
        UNVERSIONED_PROPERTIES = 0x2000;
        CONTAINS_MAP_DATA = 0x4000;
        CONTAINS_MAP = 0x2_0000;
        REQUIRES_LOCALIZATION_GATHER = 0x4_0000;
        CONTAINS_SCRIPT = 0x20_0000;
        STORE_COMPRESSED = 0x200_0000;
        /// Editor-only data have been removed.
        FILTER_EDITOR_ONLY = 0x8000_0000;
    }
}

impl Summary<'_> {
    /// Returns `true` if editor-only data are present.
    pub const fn has_editor_data(&self) -> bool {
        self.package_flags & package_flags::FILTER_EDITOR_ONLY == 0
    }

    /// Returns `true` if properties have no tags.
    pub const fn has_unversioned_properties(&self) -> bool {
        self.package_flags & package_flags::UNVERSIONED_PROPERTIES != 0
    }

    /// Returns the size in bytes of the summary and all tables. The exports begin at this offset.
    pub fn header_size(&self) -> i32 {
        self.early_header_size.or(self.late_header_size).unwrap_or_default()
    }
}

/// The ids of the chunks of a build that contain a package. A file from 4:278 to 4:325 has a single
/// id, which is negative if no chunk contains the package.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct ChunkIds<'a> {
    list: List<'a, i32>,
    /// `true` if the file has a single id without a count.
    single: bool,
}

impl<'a> ChunkIds<'a> {
    /// Returns the ids.
    pub fn iter(&self) -> impl Iterator<Item = i32> + use<'a> {
        let single = self.single;
        self.list.iter().flatten().filter(move |id| *id >= 0 || !single)
    }
}

impl<'a> Value<'a> for ChunkIds<'a> {
    const LEAST: u64 = 4;

    fn read(from: &mut FileCursor<'a>, layout: &Layout) -> Result<Self> {
        let single = !layout.has_ue4(ue4::CHANGED_CHUNKID_TO_BE_AN_ARRAY_OF_CHUNKIDS);
        let list = match single {
            false => from.read(layout)?,
            true => List::counted(from, 1, layout)?,
        };
        Ok(Self { list, single })
    }

    fn write<S: Sink>(&self, to: &mut S, layout: &Layout) -> Result<(), Full> {
        match layout.has_ue4(ue4::CHANGED_CHUNKID_TO_BE_AN_ARRAY_OF_CHUNKIDS) {
            true => self.list.write(to, layout),
            false if self.list.is_empty() => (-1i32).write(to, layout),
            false => self.list.write_values(to, layout),
        }
    }
}
