use super::cursor::FileCursor;
use super::error::Result;
use super::layout::Layout;
use super::value::Value;
use crate::buffer::{Full, Sink};
use core::fmt;

/// Storage options of bulk data (`EBulkDataFlags`).
///
/// ```
/// use gamewire::unreal::bulk::BulkFlags;
///
/// let streamed = BulkFlags(0x1_0501);
/// assert!(streamed.has(BulkFlags::SEPARATE_FILE) && !streamed.is_inline());
/// ```
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
pub struct BulkFlags(pub u32);

#[allow(missing_docs, reason = "the names of some flags say everything")]
impl BulkFlags {
    /// The data are after the exports or in another file. Without this flag they follow their
    /// header.
    pub const AT_END_OF_FILE: Self = Self(0x1);
    pub const ZLIB: Self = Self(0x2);
    pub const SINGLE_ELEMENT: Self = Self(0x4);
    pub const SINGLE_USE: Self = Self(0x8);
    pub const LZO: Self = Self(0x10);
    /// There are no data.
    pub const UNUSED: Self = Self(0x20);
    pub const FORCE_INLINE: Self = Self(0x40);
    pub const FORCE_STREAM: Self = Self(0x80);
    /// The data are in the `.ubulk`, unless a flag below selects another file.
    pub const SEPARATE_FILE: Self = Self(0x100);
    pub const PLATFORM_BIT_WINDOW: Self = Self(0x200);
    pub const FORCE_NOT_INLINE: Self = Self(0x400);
    /// The data are in the `.uptnl`.
    pub const OPTIONAL: Self = Self(0x800);
    /// The data are in the `.m.ubulk`.
    pub const MEMORY_MAPPED: Self = Self(0x1000);
    /// Sizes in the header have 64 bits.
    pub const SIZE_64_BIT: Self = Self(0x2000);
    /// A second copy of the data is in the `.uptnl`.
    pub const DUPLICATE: Self = Self(0x4000);
    /// The header has two unused bytes.
    pub const BAD_VERSION: Self = Self(0x8000);
    /// The offset is absolute. Without this flag, `bulk_data_start_offset` is added to it.
    pub const NO_OFFSET_FIX_UP: Self = Self(0x1_0000);
    /// The data are in the editor's copy of the package.
    pub const WORKSPACE_DOMAIN: Self = Self(0x2_0000);
    pub const LAZY_LOADABLE: Self = Self(0x4_0000);
}

impl<'a> Value<'a> for BulkFlags {
    const LEAST: u64 = u32::LEAST;

    fn read(from: &mut FileCursor<'a>, layout: &Layout) -> Result<Self> {
        from.read(layout).map(Self)
    }

    fn write<S: Sink>(&self, to: &mut S, layout: &Layout) -> Result<(), Full> {
        self.0.write(to, layout)
    }
}

impl BulkFlags {
    /// Returns `true` if all of `flags` are set.
    pub const fn has(self, flags: Self) -> bool {
        self.0 & flags.0 == flags.0
    }

    /// Returns `true` if the data follow their header.
    pub const fn is_inline(self) -> bool {
        self.has(Self::FORCE_INLINE) || !self.has(Self::AT_END_OF_FILE)
    }

    /// Returns the file that contains the data.
    pub const fn file(self) -> BulkFile {
        match self {
            _ if self.is_inline() => BulkFile::Inline,
            _ if !self.has(Self::SEPARATE_FILE) => BulkFile::EndOfFile,
            _ if self.has(Self::DUPLICATE) => BulkFile::Separate,
            _ if self.has(Self::OPTIONAL) => BulkFile::Optional,
            _ if self.has(Self::MEMORY_MAPPED) => BulkFile::MemoryMapped,
            _ if self.has(Self::WORKSPACE_DOMAIN) => BulkFile::Workspace,
            _ => BulkFile::Separate,
        }
    }
}

/// The place of bulk data: a part of the package, or another file.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum BulkFile {
    /// The package, after the header of the data.
    Inline,
    /// The package, after the exports.
    EndOfFile,
    /// The `.ubulk` file.
    Separate,
    /// The `.uptnl` file: optional data that a game can omit.
    Optional,
    /// The `.m.ubulk` file: data to map into memory.
    MemoryMapped,
    /// The editor's copy of the package, from which this one was cooked.
    Workspace,
}

impl fmt::Display for BulkFile {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.pad(match self {
            Self::Inline | Self::EndOfFile => "the package",
            Self::Separate => ".ubulk",
            Self::Optional => ".uptnl",
            Self::MemoryMapped => ".m.ubulk",
            Self::Workspace => "the editor's package",
        })
    }
}
