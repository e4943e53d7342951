use super::bulk_flags::BulkFile;
use super::versions::{NEWEST, NEWEST_MINOR, Versions};
use crate::buffer::{self, UnexpectedEnd};

/// An error that occurred while reading or writing a package or a save.
///
/// The offset counts from the start of the file, and continues into the `.uexp` if there is one.
pub type Error = buffer::Error<ErrorKind>;

/// The result of reading or writing a package or a save.
pub type Result<T, E = Error> = core::result::Result<T, E>;

/// The kind of an [`Error`].
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, thiserror::Error)]
#[non_exhaustive]
pub enum ErrorKind {
    /// The file, or the part of it that may be read, ends too early.
    #[error("unexpected end of data (bytes missing: {missing})")]
    UnexpectedEnd {
        /// Minimum number of missing bytes.
        missing: u32,
    },
    /// The file does not begin with the tag of a package. Containers of an `IoStore` do not begin
    /// with this tag either.
    #[error("{0:#010x} is not the tag of a package (0x9e2a83c1)")]
    NotAPackage(u32),
    /// The file does not have the complete header of a package from an `IoStore` container.
    #[error("not a package from an IoStore container: it has no complete header of a known form")]
    NotAZenPackage,
    /// A version that does not fit the form of the header of a package from an `IoStore` container.
    #[error("version {0} does not fit the header")]
    OtherHeader(Versions),
    /// A stored hash of a name that differs from the hash of its text.
    #[error("the hash of a name is {found:#x} instead of {expected:#x}")]
    WrongHash {
        /// The hash of the text.
        expected: u64,
        /// The hash, as stored.
        found: u64,
    },
    /// The file does not begin with the tag of a save.
    #[error("not a saved game: the file does not begin with GVAS")]
    NotASave,
    /// The file is a container of compressed data. Such containers begin with the same tag as
    /// packages.
    #[error("compressed data instead of a package: the tag is followed by a block size")]
    CompressedBlock,
    /// The package has compressed chunks; see
    /// [`CompressedPackage`](crate::unreal::compression::CompressedPackage).
    #[error("the package is compressed; decompress its chunks first")]
    CompressedPackage,
    /// A package from engine 3, or a package with a `LegacyFileVersion` that no engine writes.
    #[error("{0} is not a legacy version of engine 4 or 5 (-2 to -9)")]
    UnknownLegacyVersion(i32),
    /// The file does not state its version; see
    /// [`Package::open_as`](crate::unreal::Package::open_as).
    #[error("the package does not state its version: supply the version of its engine")]
    NeedsVersion,
    /// A version below 214, the oldest version that current engines load. Version 214 is older than
    /// engine 4.0.
    #[error("version {0} is older than engine 4.0")]
    OlderVersion(Versions),
    /// A version that is newer than the newest known one.
    #[error("version {0} is newer than the newest supported one ({newest}, engine 5.{minor})", newest = NEWEST, minor = NEWEST_MINOR)]
    NewerVersion(Versions),
    /// A negative count, or a count that exceeds the remaining bytes.
    #[error("invalid count {0}: the remaining bytes cannot hold as many items")]
    BadCount(i32),
    /// Bytes that were read as a list of properties on trial. They hold no property, so they may be
    /// something else.
    #[error("these bytes read as an empty list, so they may be something else")]
    UnlikelyList,
    /// A boolean that is neither 0 nor 1.
    #[error("invalid boolean {0:#x}: expected 0 or 1")]
    BadBool(u32),
    /// An integer in parts of seven bits (`SerializeIntPacked`) that is too large for its type.
    #[error("a packed integer has more than {width} bits")]
    BadPackedInt {
        /// Size of the type in bits.
        width: u32,
    },
    /// An invalid length of a string.
    #[error("invalid string length {0}")]
    BadTextLength(i32),
    /// An offset outside of the file.
    #[error("offset {0} is outside of the file")]
    BadOffset(i64),
    /// A negative size, or a size that exceeds the available bytes.
    #[error("invalid size {0}")]
    BadSize(i64),
    /// Sizes that do not add up to their declared total, decompressed data whose size is not the
    /// declared one, or a slice whose size is not that of the decompressed data.
    #[error("found {found} bytes, but {declared} are declared")]
    SizesDiffer {
        /// The declared size.
        declared: u64,
        /// The actual size.
        found: u64,
    },
    /// A size that exceeds the limit that the caller set.
    #[error("{size} bytes are more than the limit of {limit}")]
    TooLarge {
        /// The required size.
        size: u64,
        /// The limit.
        limit: u64,
    },
    /// A chunk of a compressed package that does not begin at the end of the previous one.
    #[error("found a chunk for offset {found}, but expected one for {expected}")]
    ChunkOutOfPlace {
        /// End of the previous chunk, or of the summary for the first chunk.
        expected: u64,
        /// Start of the chunk, as stored.
        found: i64,
    },
    /// Bytes that could not be decompressed.
    #[error(transparent)]
    Codec(CodecError),
    /// The body of a mappings file is compressed; see
    /// [`MappingsFile::decompress`](crate::unreal::MappingsFile::decompress).
    #[error("the mappings are compressed; decompress them first")]
    CompressedMappings,
    /// A class or struct that is not in the mappings, so its properties cannot be read.
    #[error("the mappings do not contain this class or struct")]
    NoSchema,
    /// A value at a slot for which the mappings have no property. The mappings do not match the
    /// package.
    #[error("the mappings have no property at slot {0}")]
    NoSuchSlot(u32),
    /// A value that has no tag and cannot be decoded. Nothing else states its size, so the values
    /// after it cannot be found.
    #[error("a value cannot be decoded, so the values after it cannot be found")]
    UnknownEnd,
    /// Bulk data in a file that the caller did not supply.
    #[error("the bytes are in a file that was not supplied ({0})")]
    NotAtHand(BulkFile),
    /// An index of a name that the package does not have.
    #[error("name index {index} is out of range (names: {count})")]
    NoSuchName {
        /// The index, as stored.
        index: i32,
        /// Number of names of the package.
        count: u32,
    },
    /// An index of an object that the package does not have.
    #[error("object index {0} is out of range")]
    NoSuchObject(i32),
    /// A wrong magic number.
    #[error("found {found:#x} instead of the magic number {expected:#x}")]
    BadMark {
        /// The number that the format requires.
        expected: u64,
        /// The number in the file.
        found: u64,
    },
    /// Values that are nested too deeply.
    #[error("values are nested more than {limit} levels deep")]
    TooDeep {
        /// The maximum depth.
        limit: u32,
    },
    /// The sink is full. The offset is a position in the output.
    #[error("the sink is full (bytes missing: {missing})")]
    SinkFull {
        /// Minimum number of missing bytes.
        missing: u32,
    },
    /// A value that does not have the type of its property or field or is too large for it, a tag
    /// that readers would reject, or a number of elements that the container cannot have.
    #[error("the value does not fit its property or field")]
    DoesNotFit,
    /// An unknown value of an enumeration or version.
    #[error("unknown {what}: {value}")]
    Unknown {
        /// The field.
        what: &'static str,
        /// The value, as stored.
        value: i64,
    },
    /// Two parts of the package overlap, so they cannot be moved independently.
    #[error("two parts of the package overlap")]
    Overlap,
    /// Bytes before a table that belong to no part of the package. Engines leave no such bytes, but
    /// some tools that convert packages do. If no such tool wrote the package, the version or an
    /// offset is wrong.
    #[error("bytes that belong to no table: {0}")]
    Unused(u64),
    /// A count that contradicts the table that it describes.
    #[error("{what}: the file states {found}, but there are {there}")]
    CountsDiffer {
        /// The items that are counted.
        what: &'static str,
        /// The count, as stored.
        found: i32,
        /// The number of items.
        there: u32,
    },
    /// A `LegacyFileVersion` that engine 4 writes, together with a file version of engine 5, or the
    /// reverse.
    #[error("legacy version {legacy} does not match package version {versions}")]
    LegacyVersionDiffers {
        /// `LegacyFileVersion`, as stored.
        legacy: i32,
        /// The file versions of engines 4 and 5.
        versions: Versions,
    },
    /// A number that is too large for its field.
    #[error("{0} is too large for its field in this version")]
    FieldTooSmall(i64),
    /// A table that a package of this version cannot have, or a list of tagged properties that an
    /// export does not have.
    #[error("a package of this version has no such table: {0}")]
    NoSuchTable(&'static str),
    /// More layers around the data of a file than any game writes.
    #[error("the file has more than {limit} layers around its data")]
    TooManyLayers {
        /// The maximum number.
        limit: u32,
    },
    /// A known kind of save that cannot be unwrapped, such as an encrypted save.
    #[error("this is {0}, which cannot be unwrapped")]
    CannotUnwrap(&'static str),
    /// The file does not end with the footer of a pak.
    #[error("not a pak: the file does not end with the footer of a pak")]
    NotAPak,
    /// The file does not begin with the magic number of a `.utoc`.
    #[error("not a table of contents of an IoStore container: it begins with other bytes")]
    NotAToc,
    /// A folder or file that the directory index of a container lists more than once.
    #[error("the directory index lists a folder or file more than once")]
    ListedTwice,
    /// An index of a pak that is stored just as it was in the memory of the engine that wrote it.
    #[error("the index of the pak is frozen, so only the engine that wrote it can read it")]
    FrozenIndex,
    /// Encrypted data in a pak or container for which no key was supplied.
    #[error("the data are encrypted, and no key was supplied")]
    NeedsKey,
    /// A key that does not decrypt the index of a pak, or the directory index of a container.
    #[error("the key does not decrypt this archive")]
    WrongKey,
    /// Bytes of a pak whose SHA-1 differs from the stored one.
    #[error("the SHA-1 of the bytes is not the stored one")]
    HashDiffers,
    /// A file in a pak whose header, before its data, differs from its entry in the index.
    #[error("the header before the file's data differs from the index")]
    HeaderDiffers,
    /// A path in the index of a pak whose hash is missing there or belongs to another entry.
    #[error("the list of path hashes does not lead from this path to its entry")]
    PathHashDiffers,
    /// A text that refers to a string that the file does not have.
    #[error("string index {index} is out of range (strings: {count})")]
    NoSuchString {
        /// The index, as stored.
        index: i32,
        /// Number of strings in the file.
        count: u32,
    },
    /// The file does not begin with the magic number of an asset registry.
    #[error("not an asset registry: the file begins with other bytes")]
    NotARegistry,
    /// An index of an item that the file does not have.
    #[error("{what} {index} is out of range (there are {count})")]
    OutOfRange {
        /// The kind of item.
        what: &'static str,
        /// The index, as stored.
        index: u32,
        /// Number of items of this kind.
        count: u32,
    },
    /// An asset whose tags do not follow those of the asset before it.
    #[error("the tags of this asset begin at index {found} instead of {expected}")]
    TagsOutOfPlace {
        /// Index of the first tag after those of the previous asset.
        expected: u32,
        /// Index of the first tag, as stored.
        found: u32,
    },
    /// A stored hash of a key that differs from the hash of its text.
    #[error(
        "the file states the hash {found:#010x} for this key, but the key has the hash {expected:#010x}"
    )]
    KeyHashDiffers {
        /// The hash of the text.
        expected: u32,
        /// The hash in the file.
        found: u32,
    },
    /// A block of data in an archive that begins before the end of the previous one.
    #[error("a block of data overlaps the one before it")]
    BlocksOverlap,
    /// Files in a pak that are together many times as large as the pak, or chunks in a container
    /// that together have many times as many blocks as the container.
    #[error("the files have many more bytes than the archive, so they share bytes")]
    FilesShareBytes,
    /// A table that would not be read back as it was written: its values do not suit the version of
    /// the package, or flags or versions that decide its layout were changed.
    #[error("the table would not be read back as it was written")]
    NotReadBack,
}

impl From<buffer::Error<UnexpectedEnd>> for Error {
    #[cold]
    fn from(error: buffer::Error<UnexpectedEnd>) -> Self {
        let missing = error.kind().missing;
        Self::new(ErrorKind::UnexpectedEnd { missing }, error.offset())
    }
}

/// An error that a [`Codec`](crate::unreal::compression::Codec) returns.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, thiserror::Error)]
pub enum CodecError {
    /// The codec does not support the method.
    #[error("the compression method is not supported")]
    Unsupported,
    /// The bytes are invalid for the method, or decompress to more bytes than declared.
    #[error("the compressed bytes are damaged")]
    Damaged,
}
