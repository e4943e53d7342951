//! The header of a mappings file, and the decompression of its body.

use crate::unreal::compression::{Codec, Method};
use crate::unreal::format::{Error, ErrorKind, FileCursor, Layout, Result, Versions};
use crate::unreal::tables::CustomVersions;
#[cfg(feature = "alloc")]
use alloc::vec::Vec;

/// The first two bytes of a mappings file, as a little-endian number.
pub(super) const MAGIC: u16 = 0x30C4;

/// The newest version of the format.
pub(super) const NEWEST: u8 = 4;

/// A mappings file: its header, and its body, which can be compressed.
///
/// ```
/// use gamewire::unreal::MappingsFile;
///
/// # if !std::path::Path::new("corpus").exists() { return Ok(()) } // not published
/// let file = &std::fs::read("corpus/unreal-mappings/tiny.v4.usmap")?;
/// let file = MappingsFile::open(file)?;
/// assert_eq!(file.version(), 4);
/// assert!(file.stored().is_some());
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Clone, Copy, Debug)]
pub struct MappingsFile<'a> {
    version: u8,
    versions: Option<Versions>,
    custom_versions: CustomVersions<'a>,
    changelist: Option<u32>,
    compression: MappingsCompression,
    /// The bytes of the body as they are stored.
    body: FileCursor<'a>,
    size: u32,
}

/// The compression of a mappings file's body.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
#[non_exhaustive]
pub enum MappingsCompression {
    /// No compression.
    Stored,
    /// An Oodle stream.
    Oodle,
    /// A Brotli stream.
    Brotli,
    /// A Zstandard frame.
    Zstd,
}

impl MappingsCompression {
    #[cfg(feature = "alloc")]
    pub(super) const fn number(self) -> u8 {
        match self {
            Self::Stored => 0,
            Self::Oodle => 1,
            Self::Brotli => 2,
            Self::Zstd => 3,
        }
    }

    fn of_number(number: u8, at: &FileCursor<'_>) -> Result<Self> {
        Ok(match number {
            0 => Self::Stored,
            1 => Self::Oodle,
            2 => Self::Brotli,
            3 => Self::Zstd,
            _ => {
                let (what, value) = ("compression of mappings", number.into());
                return Err(at.error(ErrorKind::Unknown { what, value }));
            }
        })
    }

    /// Returns the compression method to pass to a [`Codec`].
    pub const fn method(self) -> Method<'static> {
        match self {
            Self::Stored => Method::Stored,
            Self::Oodle => Method::Oodle,
            Self::Brotli => Method::Brotli,
            Self::Zstd => Method::Zstd,
        }
    }
}

impl<'a> MappingsFile<'a> {
    /// File name extension of mappings files.
    pub const EXTENSION: &'static str = "usmap";

    /// Returns `true` if the file begins with the magic number of mappings.
    ///
    /// ```
    /// use gamewire::unreal::MappingsFile;
    ///
    /// assert!(MappingsFile::is_mappings(&[0xC4, 0x30, 4]));
    /// assert!(!MappingsFile::is_mappings(b"GVAS"));
    /// ```
    pub fn is_mappings(file: &[u8]) -> bool {
        file.first_chunk().is_some_and(|magic| u16::from_le_bytes(*magic) == MAGIC)
    }

    /// Reads the header. Works in constant time, apart from the custom versions.
    ///
    /// # Errors
    /// If the file does not begin with the magic number, its version or compression is unknown, the
    /// header or the body is truncated, or the two sizes of a body without compression differ. Such
    /// a body may be shorter than the header states, because some tools state a size that is too
    /// large.
    pub fn open(file: &'a [u8]) -> Result<Self> {
        let layout = &Layout::default();
        let mut from = FileCursor::new(file, 0);
        let start = from;
        let magic: u16 = from.read(layout)?;
        if magic != MAGIC {
            let (expected, found) = (MAGIC.into(), magic.into());
            return Err(start.error(ErrorKind::BadMark { expected, found }));
        }
        let at = from;
        let version: u8 = from.read(layout)?;
        if version > NEWEST {
            let (what, value) = ("version of mappings", version.into());
            return Err(at.error(ErrorKind::Unknown { what, value }));
        }
        let has_versions = version >= 1 && from.read(layout)?;
        let (mut versions, mut custom_versions, mut changelist) = <_>::default();
        if has_versions {
            versions = Some(Versions { ue4: from.read(layout)?, ue5: from.read(layout)? });
            custom_versions = from.read(layout)?;
            changelist = Some(from.read(layout)?);
        }
        let at = from;
        let compression = MappingsCompression::of_number(from.read(layout)?, &at)?;
        let at = from;
        let (stored, size): (u32, u32) = (from.read(layout)?, from.read(layout)?);
        let body = match compression {
            MappingsCompression::Stored if stored != size => {
                let (declared, found) = (size.into(), stored.into());
                return Err(at.error(ErrorKind::SizesDiffer { declared, found }));
            }
            // Some tools state a size that is too large, although the tables are complete.
            MappingsCompression::Stored => from.window(from.remaining().min(stored.into()))?,
            _ => from.window(stored.into())?,
        };
        Ok(Self { version, versions, custom_versions, changelist, compression, body, size })
    }

    /// Returns the version of the format, 0 to 4.
    pub const fn version(&self) -> u8 {
        self.version
    }

    /// Returns the versions of the packages that the mappings belong to, if the file states them.
    pub const fn package_versions(&self) -> Option<Versions> {
        self.versions
    }

    /// Returns the custom versions of the packages; none if the file does not state versions.
    pub const fn custom_versions(&self) -> CustomVersions<'a> {
        self.custom_versions
    }

    /// Returns the changelist of the game, if the file states versions.
    pub const fn changelist(&self) -> Option<u32> {
        self.changelist
    }

    /// Returns the compression of the body.
    pub const fn compression(&self) -> MappingsCompression {
        self.compression
    }

    /// Returns the size of the decompressed body in bytes, as the header states it.
    pub const fn size(&self) -> u32 {
        self.size
    }

    /// Returns the bytes of the body as they are stored, with or without compression.
    pub fn bytes(&self) -> &'a [u8] {
        self.body.rest()
    }

    /// Returns the body, if it is not compressed.
    pub fn stored(&self) -> Option<&'a [u8]> {
        (self.compression == MappingsCompression::Stored).then_some(self.body.rest())
    }

    /// Returns a cursor over the body. Its offsets count from the start of the file.
    ///
    /// # Errors
    /// If the body is compressed.
    #[cfg(feature = "alloc")]
    pub(super) fn stored_cursor(&self) -> Result<FileCursor<'a>> {
        match self.compression {
            MappingsCompression::Stored => Ok(self.body),
            _ => Err(self.body.error(ErrorKind::CompressedMappings)),
        }
    }

    /// Decompresses the body into a slice of exactly [`size`](Self::size) bytes.
    ///
    /// # Errors
    /// If the slice has a different size, or the codec fails or returns another number of bytes. A
    /// body without compression is passed to the codec as [`Method::Stored`], which
    /// `standard_codec` does not support; use [`stored`](Self::stored) instead.
    pub fn decompress_into(&self, to: &mut [u8], mut codec: impl Codec) -> Result<()> {
        let differ = |found: usize| {
            let (declared, found) = (self.size.into(), found as u64);
            Error::new(ErrorKind::SizesDiffer { declared, found }, self.body.offset())
        };
        if to.len() as u64 != u64::from(self.size) {
            return Err(differ(to.len()));
        }
        match codec(self.compression.method(), self.body.rest(), to) {
            Ok(found) if found == to.len() => Ok(()),
            Ok(found) => Err(differ(found)),
            Err(error) => Err(Error::new(ErrorKind::Codec(error), self.body.offset())),
        }
    }

    /// Decompresses the body into new memory, or copies it if it is not compressed.
    ///
    /// # Errors
    /// If the body is compressed and its [`size`](Self::size) is larger than `limit`, or
    /// [`decompress_into`](Self::decompress_into) fails. The limit does not apply to a body without
    /// compression.
    #[cfg(feature = "alloc")]
    pub fn decompress(&self, limit: usize, codec: impl Codec) -> Result<Vec<u8>> {
        if let Some(body) = self.stored() {
            return Ok(body.to_vec());
        }
        let size = self.size as usize;
        if size > limit {
            let (size, limit) = (self.size.into(), limit as u64);
            return Err(Error::new(ErrorKind::TooLarge { size, limit }, self.body.offset()));
        }
        let mut body = alloc::vec![0; size];
        self.decompress_into(&mut body, codec)?;
        Ok(body)
    }
}
