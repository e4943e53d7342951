use super::bulk_flags::BulkFile;
use super::versions::Versions;
use crate::buffer::{self, UnexpectedEnd};

/// Why a package or a save cannot be read, or written.
///
/// The offset counts from the start of the file, on into the `.uexp` where there is one.
pub type Error = buffer::Error<ErrorKind>;

pub(crate) type Result<T, E = Error> = core::result::Result<T, E>;

/// What went wrong; the [`Error`] around it says where.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, thiserror::Error)]
#[non_exhaustive]
pub enum ErrorKind {
    /// The file, or the part of it that this belongs to, ends before it does.
    #[error("the data end here (bytes missing: {missing})")]
    UnexpectedEnd {
        /// How many more bytes are needed, at the least.
        missing: u32,
    },
    /// It does not begin as a package does (a container of an `IoStore` does not, either).
    #[error("{0:#010x} is not the tag of a package (0x9e2a83c1)")]
    NotAPackage(u32),
    /// It does not begin as a save does.
    #[error("a save begins with GVAS")]
    NotASave,
    /// A block of compressed data, which shares the tag of packages.
    #[error("compressed data, not a package: the tag is followed by a size of blocks")]
    CompressedBlock,
    /// A package that is compressed as a whole: see
    /// [`CompressedPackage`](super::CompressedPackage).
    #[error("the package is compressed: its chunks have to be decompressed first")]
    CompressedPackage,
    /// A package of engine 3, or a `LegacyFileVersion` that no engine has written.
    #[error("{0} is not the legacy version of a package of engine 4 or 5 (-2 to -9)")]
    UnknownLegacyVersion(i32),
    /// The file does not say in which version it is: see
    /// [`Package::open_as`](super::Package::open_as).
    #[error("the package is unversioned: the version of its engine has to be supplied")]
    NeedsVersion,
    /// Older than 4.0.
    #[error("version {0} is older than engine 4.0")]
    OlderVersion(Versions),
    /// In a version newer than any whose layout is known.
    #[error("version {0} is newer than what is known (522/1018, engine 5.8)")]
    NewerVersion(Versions),
    /// A count that is negative, or of more than there are bytes for.
    #[error("{0} is no count of what can follow in the bytes there are")]
    BadCount(i32),
    /// Neither 0 nor 1.
    #[error("{0:#x} is neither true (1) nor false (0)")]
    BadBool(u32),
    /// A length of text that cannot be one.
    #[error("{0} is no length of text")]
    BadTextLength(i32),
    /// An offset outside of the file.
    #[error("{0} is an offset outside of the file")]
    BadOffset(i64),
    /// A size that is negative, or that these bytes cannot have.
    #[error("{0} is no size that these bytes can have")]
    BadSize(i64),
    /// Sizes that add up to something else than what is said of all together, or more or fewer
    /// bytes than were declared.
    #[error("{found} bytes where {declared} were declared")]
    SizesDiffer {
        /// In the file.
        declared: u64,
        /// What there is.
        found: u64,
    },
    /// More bytes than the caller wants.
    #[error("{size} bytes are more than the limit of {limit}")]
    TooLarge {
        /// What it would take.
        size: u64,
        /// What is allowed.
        limit: u64,
    },
    /// A chunk of a compressed package that does not go on where the last one ends.
    #[error("a chunk for offset {found} where one for {expected} belongs")]
    ChunkOutOfPlace {
        /// Where the last one ends.
        expected: u64,
        /// In the file.
        found: i64,
    },
    /// Bytes that could not be decompressed.
    #[error(transparent)]
    Codec(CodecError),
    /// Bytes of another file than the package, which was not given.
    #[error("the file that has the bytes is not at hand ({0})")]
    NotAtHand(BulkFile),
    /// A number of a name that the package does not have.
    #[error("{index} is no index of the {count} names")]
    NoSuchName {
        /// As the file has it.
        index: i32,
        /// How many there are.
        count: u32,
    },
    /// An index of an object that the package does not have.
    #[error("{0} is no index of an import or export of the package")]
    NoSuchObject(i32),
    /// A mark that is not where the layout has it.
    #[error("{found:#x} stands where {expected:#x} belongs")]
    BadMark {
        /// By the format.
        expected: u64,
        /// In the file.
        found: u64,
    },
    /// More values inside each other than is allowed.
    #[error("more than {limit} values inside each other")]
    TooDeep {
        /// The limit.
        limit: u32,
    },
    /// The sink has no room for what is to be written; the offset counts in the output.
    #[error("no room left (bytes missing: {missing})")]
    SinkFull {
        /// How many more it would have to hold, at the least.
        missing: u32,
    },
    /// A value that is not of its property's kind, or too large for it; the offset counts in
    /// the output.
    #[error("the value does not fit into its property")]
    DoesNotFit,
    /// A value that is not there in any known form.
    #[error("{what}: {value} is not known")]
    Unknown {
        /// What it is for.
        what: &'static str,
        /// As the file has it.
        value: i64,
    },
    /// What begins here lies inside of something else: apart they cannot be moved.
    #[error("two parts of the package share the bytes here")]
    Overlap,
    /// More than the field for it can hold.
    #[error("{0} does not fit into its field in this version")]
    FieldTooSmall(i64),
    /// A table with something in it, of which the summary of this version has no place.
    #[error("a package of this version has no such table: {0}")]
    NoSuchTable(&'static str),
    /// What was written would not be read as it was meant: it has values of another version,
    /// or flags or versions of the package were changed on which the table depends.
    #[error("the table here would not be read as it was written")]
    NotReadBack,
}

impl From<buffer::Error<UnexpectedEnd>> for Error {
    #[cold]
    fn from(error: buffer::Error<UnexpectedEnd>) -> Self {
        let missing = error.kind().missing;
        Self::new(ErrorKind::UnexpectedEnd { missing }, error.offset())
    }
}

/// Why bytes are not decompressed.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, thiserror::Error)]
pub enum CodecError {
    /// By a method that the codec does not know.
    #[error("the bytes are compressed by a method for which there is no codec")]
    Unsupported,
    /// They are not what the method makes, or become more than was declared.
    #[error("the compressed bytes are damaged")]
    Damaged,
}
