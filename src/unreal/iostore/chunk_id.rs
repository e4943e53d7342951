//! Identifiers of chunks, and the types of chunks.

use crate::unreal::pak::write_hex;
use core::fmt;

/// The identifier of a chunk: 12 bytes, of which the last one states the type.
///
/// In most identifiers, the first eight bytes are a hash of the package's name, and the next two
/// are an index. `Display` prints 24 hexadecimal digits.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct ChunkId(pub [u8; 12]);

impl ChunkId {
    /// Returns the type of the chunk in a table of contents of this version.
    pub fn kind(self, version: u8) -> ChunkType {
        let [.., number] = self.0;
        let types: &[ChunkType] = if version >= NEW_TYPES { &NEW } else { &OLD };
        types.get(usize::from(number)).copied().unwrap_or(ChunkType::Unknown(number))
    }
}

impl fmt::Display for ChunkId {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write_hex(&self.0, f)
    }
}

/// The type of a chunk (`EIoChunkType`). `Display` prints the name that the type has in the engine.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
#[non_exhaustive]
pub enum ChunkType {
    /// No chunk.
    Invalid,
    /// A package: its header and exports.
    ExportBundleData,
    /// Bulk data of a package (`.ubulk`).
    BulkData,
    /// Bulk data that a game can be shipped without (`.uptnl`).
    OptionalBulkData,
    /// Bulk data that the engine maps into memory (`.m.ubulk`).
    MemoryMappedBulkData,
    /// The objects that C++ code defines, in the container `global`.
    ScriptObjects,
    /// A list of the packages in the container, with their imports.
    ContainerHeader,
    /// A file that is not a package.
    ExternalFile,
    /// A list of shaders.
    ShaderCodeLibrary,
    /// A shader.
    ShaderCode,
    /// An entry of the list of packages.
    PackageStoreEntry,
    /// Data computed from an asset.
    DerivedData,
    /// Data computed from an asset, for the editor only.
    EditorDerivedData,
    /// Data of a package for the editor.
    PackageResource,
    /// Only below version 5: a list of the installed files.
    InstallManifest,
    /// Only below version 5: data about the packages.
    LoaderGlobalMeta,
    /// Only below version 5: the objects that C++ code defines.
    LoaderInitialLoadMeta,
    /// Only below version 5: the names that all packages share.
    LoaderGlobalNames,
    /// Only below version 5: the hashes of the names that all packages share.
    LoaderGlobalNameHashes,
    /// A type without a known name, given by its number.
    Unknown(u8),
}

/// The first version that numbers the types as in `NEW`. Earlier versions number them as in `OLD`.
const NEW_TYPES: u8 = 5;

const NEW: [ChunkType; 14] = [
    ChunkType::Invalid,
    ChunkType::ExportBundleData,
    ChunkType::BulkData,
    ChunkType::OptionalBulkData,
    ChunkType::MemoryMappedBulkData,
    ChunkType::ScriptObjects,
    ChunkType::ContainerHeader,
    ChunkType::ExternalFile,
    ChunkType::ShaderCodeLibrary,
    ChunkType::ShaderCode,
    ChunkType::PackageStoreEntry,
    ChunkType::DerivedData,
    ChunkType::EditorDerivedData,
    ChunkType::PackageResource,
];

const OLD: [ChunkType; 13] = [
    ChunkType::Invalid,
    ChunkType::InstallManifest,
    ChunkType::ExportBundleData,
    ChunkType::BulkData,
    ChunkType::OptionalBulkData,
    ChunkType::MemoryMappedBulkData,
    ChunkType::LoaderGlobalMeta,
    ChunkType::LoaderInitialLoadMeta,
    ChunkType::LoaderGlobalNames,
    ChunkType::LoaderGlobalNameHashes,
    ChunkType::ContainerHeader,
    ChunkType::ShaderCodeLibrary,
    ChunkType::ShaderCode,
];

impl fmt::Display for ChunkType {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        fmt::Debug::fmt(self, f)
    }
}
