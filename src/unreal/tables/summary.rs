//! `FPackageFileSummary`: where everything in a package is.

use super::versions::{CustomVersions, EngineVersion};
use crate::buffer::{Full, Sink};
use crate::unreal::format::{
    FileCursor, Guid, Layout, List, Result, StrRef, Value, flags, records,
};
use crate::unreal::format::{ue4, ue5};

records! { <'a> (this, layout)
    /// All that is said of a package at its beginning. Offsets count from the start of the
    /// file; one of 0 (or −1) means that there is no such table.
    struct Summary<'a> {
        /// Hash of the package, from 5:1016.
        saved_hash: [u8; 20], if layout.has_ue5(ue5::PACKAGE_SAVED_HASH);
        /// The size of all tables, from 5:1016: [`Summary::header_size`].
        early_header_size as "total_header_size": i32, if layout.has_ue5(ue5::PACKAGE_SAVED_HASH);
        /// The versions of the engine's subsystems that were at work.
        custom_versions: CustomVersions<'a>;
        /// The size of all tables, below 5:1016: [`Summary::header_size`].
        late_header_size as "total_header_size": i32, if !layout.has_ue5(ue5::PACKAGE_SAVED_HASH);
        /// From 5.0 on the name of the package, before it mostly `None`.
        package_name: StrRef<'a>;
        /// What the package is and how it was saved: [`package_flags`].
        package_flags: u32;
        /// How many names there are.
        name_count: i32;
        /// Where the names are.
        name_offset: i32;
        /// How many soft object paths are listed.
        soft_object_path_count: i32, if layout.has_ue5(ue5::ADD_SOFTOBJECTPATH_LIST);
        /// Where the soft object paths are.
        soft_object_path_offset: i32, if layout.has_ue5(ue5::ADD_SOFTOBJECTPATH_LIST);
        /// For the texts of the package.
        localization_id: StrRef<'a>, if layout.has_ue4(ue4::ADDED_PACKAGE_SUMMARY_LOCALIZATION_ID) && this.has_editor_data();
        /// How many texts are to be translated.
        gatherable_text_count: i32, if layout.has_ue4(ue4::SERIALIZE_TEXT_IN_PACKAGES);
        /// Where the texts to be translated are.
        gatherable_text_offset: i32, if layout.has_ue4(ue4::SERIALIZE_TEXT_IN_PACKAGES);
        /// How many objects the package has.
        export_count: i32;
        /// Where the exports are.
        export_offset: i32;
        /// How many objects of other packages it refers to.
        import_count: i32;
        /// Where the imports are.
        import_offset: i32;
        /// Of Verse.
        cell_export_count: i32, if layout.has_ue5(ue5::VERSE_CELLS);
        /// Of Verse.
        cell_export_offset: i32, if layout.has_ue5(ue5::VERSE_CELLS);
        /// Of Verse.
        cell_import_count: i32, if layout.has_ue5(ue5::VERSE_CELLS);
        /// Of Verse.
        cell_import_offset: i32, if layout.has_ue5(ue5::VERSE_CELLS);
        /// Where the editor's remarks about objects are.
        metadata_offset: i32, if layout.has_ue5(ue5::METADATA_SERIALIZATION_OFFSET);
        /// Where it is said which objects an export depends on.
        depends_offset: i32;
        /// How many packages are referred to softly.
        soft_package_reference_count: i32, if layout.has_ue4(ue4::ADD_STRING_ASSET_REFERENCES_MAP);
        /// Where these are.
        soft_package_reference_offset: i32, if layout.has_ue4(ue4::ADD_STRING_ASSET_REFERENCES_MAP);
        /// Where the names are by which objects can be found.
        searchable_names_offset: i32, if layout.has_ue4(ue4::ADDED_SEARCHABLE_NAMES);
        /// Where it is said which thumbnails there are.
        thumbnail_table_offset: i32;
        /// How many imports have their types listed.
        import_type_hierarchy_count: i32, if layout.has_ue5(ue5::IMPORT_TYPE_HIERARCHIES);
        /// Where these are.
        import_type_hierarchy_offset: i32, if layout.has_ue5(ue5::IMPORT_TYPE_HIERARCHIES);
        /// Of this state of the package, below 5:1016.
        guid: Guid, if !layout.has_ue5(ue5::PACKAGE_SAVED_HASH);
        /// Of the package, whatever its state.
        persistent_guid: Guid, if layout.has_ue4(ue4::ADDED_PACKAGE_OWNER) && this.has_editor_data();
        /// Of the package it belongs to; engines 4.24 and 4.25.
        owner_persistent_guid: Guid,
            if layout.has_ue4(ue4::ADDED_PACKAGE_OWNER) && !layout.has_ue4(ue4::NON_OUTER_PACKAGE_IMPORT) && this.has_editor_data();
        /// How many names and exports earlier states had.
        generations: List<'a, Generation>;
        /// The engine that has saved it.
        saved_by_engine: EngineVersion<'a>;
        /// The oldest engine that can read it.
        compatible_with_engine: EngineVersion<'a>, if layout.has_ue4(ue4::PACKAGE_SUMMARY_HAS_COMPATIBLE_ENGINE_VERSION);
        /// How the chunks are compressed.
        compression_flags: u32;
        /// Of a package that is compressed as a whole; no engine of today makes these.
        compressed_chunks: List<'a, CompressedChunk>;
        /// A checksum of the file's name, or a random number.
        package_source: u32;
        /// What else belongs into a build.
        additional_packages_to_cook: List<'a, StrRef<'a>>;
        /// Always 0.
        texture_allocations: i32, if layout.legacy > -7;
        /// Where it is said what the asset registry knows of the package.
        asset_registry_data_offset: i32;
        /// Where the bulk data behind the exports begin.
        bulk_data_start_offset: i64;
        /// Where the place of a level in its world is.
        world_tile_info_data_offset: i32, if layout.has_ue4(ue4::WORLD_LEVEL_INFO);
        /// In which chunks of a build it goes.
        chunk_ids: ChunkIds<'a>, if layout.has_ue4(ue4::ADDED_CHUNKID_TO_ASSETDATA_AND_UPACKAGE);
        /// How many dependencies exports have in all; −1 if it was not cooked.
        preload_dependency_count: i32, if layout.has_ue4(ue4::PRELOAD_DEPENDENCIES_IN_COOKED_EXPORTS);
        /// Where these are.
        preload_dependency_offset: i32, if layout.has_ue4(ue4::PRELOAD_DEPENDENCIES_IN_COOKED_EXPORTS);
        /// How many of the names are used outside of the tables.
        names_referenced_from_export_data_count: i32, if layout.has_ue5(ue5::NAMES_REFERENCED_FROM_EXPORT_DATA);
        /// Where the trailer is.
        payload_toc_offset: i64, if layout.has_ue5(ue5::PAYLOAD_TOC);
        /// Where it is said which bulk data there are.
        data_resource_offset: i32, if layout.has_ue5(ue5::DATA_RESOURCES);
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
