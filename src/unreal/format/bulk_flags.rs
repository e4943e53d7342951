use super::cursor::FileCursor;
use super::error::Result;
use super::layout::Layout;
use super::value::Value;
use crate::buffer::{Full, Sink};
use core::fmt;

/// Where bulk data are and in which form (`EBulkDataFlags`).
///
/// ```
/// use gamewire::unreal::bulk::BulkFlags;
///
/// let streamed = BulkFlags(0x1_0501);
/// assert!(streamed.has(BulkFlags::SEPARATE_FILE) && !streamed.is_inline());
/// ```
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
pub struct BulkFlags(pub u32);

#[allow(missing_docs, reason = "some say all there is to say by their names")]
impl BulkFlags {
    /// Behind the exports, or in another file; without it they follow their header.
    pub const AT_END_OF_FILE: Self = Self(0x1);
    pub const ZLIB: Self = Self(0x2);
    pub const SINGLE_ELEMENT: Self = Self(0x4);
    pub const SINGLE_USE: Self = Self(0x8);
    pub const LZO: Self = Self(0x10);
    /// There are none.
    pub const UNUSED: Self = Self(0x20);
    pub const FORCE_INLINE: Self = Self(0x40);
    pub const FORCE_STREAM: Self = Self(0x80);
    /// In the `.ubulk`, unless a flag below says which other file.
    pub const SEPARATE_FILE: Self = Self(0x100);
    pub const PLATFORM_BIT_WINDOW: Self = Self(0x200);
    pub const FORCE_NOT_INLINE: Self = Self(0x400);
    /// In the `.uptnl`.
    pub const OPTIONAL: Self = Self(0x800);
    /// In the `.m.ubulk`.
    pub const MEMORY_MAPPED: Self = Self(0x1000);
    /// The header has 64 bits for sizes.
    pub const SIZE_64_BIT: Self = Self(0x2000);
    /// The same bytes are in the `.uptnl`, too.
    pub const DUPLICATE: Self = Self(0x4000);
    /// The header has two bytes that mean nothing.
    pub const BAD_VERSION: Self = Self(0x8000);
    /// The offset is one in the file; without it `bulk_data_start_offset` is to be added.
    pub const NO_OFFSET_FIX_UP: Self = Self(0x1_0000);
    /// In the package that the editor has.
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
    /// Whether all of these are set.
    pub const fn has(self, flags: Self) -> bool {
        self.0 & flags.0 == flags.0
    }

    /// Whether the data follow their header.
    pub const fn is_inline(self) -> bool {
        self.has(Self::FORCE_INLINE) || !self.has(Self::AT_END_OF_FILE)
    }

    /// The file that the data are in.
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

/// Which of a package's files bulk data are in.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum BulkFile {
    /// Among the bytes of the export, behind the header of the data.
    Inline,
    /// Behind the exports of the package.
    EndOfFile,
    /// `.ubulk`
    Separate,
    /// `.uptnl`: what a game may come without.
    Optional,
    /// `.m.ubulk`: what is mapped into memory.
    MemoryMapped,
    /// The package of the same name that the editor has, from which this one was made.
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
