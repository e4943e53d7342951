//! The records of a registry. In their layout, `table_version` is the version of the file, and
//! `editor_data` is `false` if the header states that editor-only data are left out.

use super::names::StoredName;
use super::versions::*;
use crate::unreal::format::{Guid, List, StrRef, records};
use crate::unreal::tables::CustomVersions;

records! { <'a> (this, layout)
    /// An asset as it is stored.
    struct StoredAsset<'a> {
        object_path: StoredName<'a>, if layout.table_version < REMOVE_ASSET_PATH_FNAMES;
        package_path: StoredName<'a>;
        class: StoredClass<'a>;
        group: StoredName<'a>, if layout.table_version < REMOVED_MD5_HASH;
        package_name: StoredName<'a>;
        asset_name: StoredName<'a>;
        outer_path: StoredName<'a>,
            if layout.table_version >= REMOVE_ASSET_PATH_FNAMES && layout.editor_data;
        loose_tags: List<'a, LooseTag<'a>>, if layout.table_version < FIXED_TAGS;
        /// Bit 63: the keys have no number. Bits 32 to 47: number of tags. Bits 0 to 31: index of
        /// the first tag.
        fixed_tags: u64, if layout.table_version >= FIXED_TAGS;
        bundles: List<'a, StoredBundle<'a>>, if layout.table_version >= FIXED_TAGS;
        chunks: List<'a, i32>;
        flags: u32;
    }

    /// The class of an asset.
    struct StoredClass<'a> {
        package: StoredName<'a>, if layout.table_version >= CLASS_PATHS;
        name: StoredName<'a>;
    }

    /// A tag that is stored in its asset, below version 8.
    struct LooseTag<'a> {
        key: StoredName<'a>;
        value: StrRef<'a>;
    }

    /// A bundle: a named list of objects that are loaded together.
    struct StoredBundle<'a> {
        name: StoredName<'a>;
        paths: List<'a, StoredPath<'a>>;
    }

    /// The path of an object in a bundle.
    struct StoredPath<'a> {
        package: StoredName<'a>, if layout.table_version >= REMOVE_ASSET_PATH_FNAMES;
        /// Name of the asset. Below version 15, the path of the asset.
        asset: StoredName<'a>;
        sub_path: StrRef<'a>;
    }

    /// The path of an object, in the value of a tag.
    struct StoredExportPath<'a> {
        class: StoredClass<'a>;
        object: StoredName<'a>;
        package: StoredName<'a>;
    }

    /// A tag whose value is in the store.
    struct StoredPair<'a> {
        key: StoredName<'a>;
        /// Bits 0 to 2: type of the value. Bits 3 to 31: its index among the values of this type.
        value: u32;
    }

    /// The data of a package as they are stored.
    struct StoredPackage<'a> {
        name: StoredName<'a>;
        disk_size: i64;
        guid: Guid, if layout.table_version < PACKAGE_SAVED_HASH;
        saved_hash: [u8; 20], if layout.table_version >= PACKAGE_SAVED_HASH;
        cooked_hash: StoredMd5, if layout.table_version >= ADDED_COOKED_MD5_HASH;
        chunk_hashes: List<'a, ChunkHash>, if layout.table_version >= ADDED_CHUNK_HASHES;
        ue4_version: i32, if layout.table_version >= WORKSPACE_DOMAIN;
        ue5_version: i32, if layout.table_version >= PACKAGE_FILE_SUMMARY_VERSION_CHANGE;
        licensee_version: i32, if layout.table_version >= WORKSPACE_DOMAIN;
        flags: u32, if layout.table_version >= WORKSPACE_DOMAIN;
        custom_versions: CustomVersions<'a>, if layout.table_version >= WORKSPACE_DOMAIN;
        imported_classes: List<'a, StoredName<'a>>,
            if layout.table_version >= PACKAGE_IMPORTED_CLASSES;
        extension: StrRef<'a>, if layout.table_version >= ASSET_PACKAGE_DATA_HAS_EXTENSION;
    }

    /// An MD5 hash that can be missing.
    struct StoredMd5 {
        is_valid: bool;
        md5: [u8; 16], if this.is_valid;
    }

    /// The hash of a chunk of a package.
    struct ChunkHash {
        /// Identifier of the chunk (`FIoChunkId`).
        chunk: [u8; 12];
        /// The hash (`FIoHash`).
        hash: [u8; 20];
    }

    /// The identifier of a node.
    struct StoredIdentifier<'a> {
        /// Bits 0 to 3 state which names follow.
        names: u8;
        package: StoredName<'a>, if this.names & 1 != 0;
        primary_asset_type: StoredName<'a>, if this.names & 2 != 0;
        object: StoredName<'a>, if this.names & 4 != 0;
        value: StoredName<'a>, if this.names & 8 != 0;
    }
}

#[cfg(all(test, feature = "alloc"))]
#[allow(clippy::unwrap_used, reason = "in tests")]
mod tests {
    use crate::unreal::format::Value;
    use crate::unreal::registry::Registry;
    use alloc::vec::Vec;

    const FILES: [&[u8]; 5] = [
        include_bytes!("../../../corpus/unreal-registry/v1.bin"),
        include_bytes!("../../../corpus/unreal-registry/v6.bin"),
        include_bytes!("../../../corpus/unreal-registry/v8.bin"),
        include_bytes!("../../../corpus/unreal-registry/v16.bin"),
        include_bytes!("../../../corpus/unreal-registry/v24.bin"),
    ];

    /// The records of assets are written as they were read, in each form of names.
    #[test]
    fn written_as_read() {
        for file in FILES {
            let registry = Registry::open(file).unwrap();
            let mut records = registry.stored_assets();
            let mut count = 0;
            loop {
                let start = records.input();
                let Some(record) = records.next() else { break };
                let mut written = Vec::new();
                record.unwrap().write(&mut written, registry.layout()).unwrap();
                assert_eq!(
                    written,
                    records.input().since(&start),
                    "version {}",
                    registry.version()
                );
                count += 1;
            }
            assert_eq!(count, 2);
        }
    }
}
