//! The description of a layer, which can be stored, and from which the layer can be written again.

use super::zlib::Deflate;
use crate::unreal::compression::{ContainerFormat, ContainerVersion, Method};
use crate::unreal::format::{ByteOrder, StrBuf, Versions};
use alloc::string::{String, ToString};
use alloc::vec::Vec;
use core::fmt;

/// One layer around a save: a header, and how the data after it are compressed. `Display` prints a
/// description for people, such as `a header of Palworld, zlib`.
#[derive(Clone, Debug, PartialEq, Eq)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
pub struct Layer {
    /// The header.
    pub header: Header,
    /// The form of the data after the header.
    pub body: Body,
    /// Bytes after the data. They are written unchanged.
    #[cfg_attr(
        feature = "serde",
        serde(default, skip_serializing_if = "Vec::is_empty", with = "super::base64")
    )]
    pub rest: Vec<u8>,
}

/// The header of a [`Layer`]. All numbers are little-endian.
///
/// In these descriptions, "size" means the size of the data after decompression.
#[derive(Clone, Debug, PartialEq, Eq)]
#[cfg_attr(
    feature = "serde",
    derive(serde::Serialize, serde::Deserialize),
    serde(rename_all = "snake_case")
)]
#[non_exhaustive]
pub enum Header {
    /// No header.
    None,
    /// Bytes with an unknown meaning. They are written unchanged, so a size or checksum in them
    /// becomes wrong if the data change.
    Prefix(#[cfg_attr(feature = "serde", serde(with = "super::base64"))] Vec<u8>),
    /// Four other bytes in place of `GVAS`.
    Magic([u8; 4]),
    /// `u32` size.
    Size,
    /// `u64` size.
    LongSize,
    /// `SAVE`, `u32` 1, `u32` size: Bravely Default II.
    Save,
    /// A magic number of 12 bytes, `u32` size: Astroneer.
    Astroneer,
    /// `pmOc`, `u32` size: Days Gone.
    DaysGone,
    /// `u32` size, `u32` compressed size, `PlZ` (zlib) or `PlM` (Oodle), and a digit: Palworld. The
    /// digit is 0 for data that are not compressed, 1 for compressed data, and 2 for data that are
    /// compressed twice. If the data are compressed twice, the compressed size is the size after
    /// the first compression.
    Palworld(#[cfg_attr(feature = "serde", serde(default))] Option<Chunk>),
}

/// The additional header that precedes the header of a Palworld save from the Xbox store.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
pub struct Chunk {
    /// The bytes of the header. It contains `CNK` at its start or at offset 8. The meaning of the
    /// other bytes is unknown.
    pub bytes: [u8; 12],
    /// The size and the compressed size in the file that was read. If either of the first two `u32`
    /// in `bytes` is equal to one of these sizes, it is replaced with the new size when the header
    /// is written.
    pub sizes: [u32; 2],
}

/// The form of the data in a [`Layer`].
#[derive(Clone, Debug, PartialEq, Eq)]
#[cfg_attr(
    feature = "serde",
    derive(serde::Serialize, serde::Deserialize),
    serde(rename_all = "snake_case")
)]
#[non_exhaustive]
pub enum Body {
    /// Data that are not compressed.
    Stored,
    /// A zlib stream.
    Zlib(Deflate),
    /// A zlib stream that contains another zlib stream.
    ZlibTwice {
        /// The compressor of the data.
        inner: Deflate,
        /// The compressor of the stream that `inner` writes.
        outer: Deflate,
    },
    /// An Oodle stream without a container.
    Oodle,
    /// One or more [containers](crate::unreal::compression::Compressed) in a row.
    Containers(Containers),
    /// A [compressed package](crate::unreal::compression::CompressedPackage).
    Package {
        /// The compression flags in the summary of the package.
        flags: u32,
        /// Size of its chunks in bytes, before compression.
        chunk_size: u32,
        /// The format of the containers; each chunk is a container.
        containers: Containers,
        /// The versions of engine 4 and engine 5 that were supplied when the package was read
        /// ([`Options::versions`](super::Options::versions)).
        #[cfg_attr(feature = "serde", serde(default, skip_serializing_if = "Option::is_none"))]
        versions: Option<[i32; 2]>,
    },
}

/// The format of [containers](crate::unreal::compression::Compressed), and the compressor of their
/// blocks.
#[derive(Clone, Debug, PartialEq, Eq)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
pub struct Containers {
    /// Version of the format.
    pub version: ContainerVersion,
    /// `true` if numbers are big-endian.
    #[cfg_attr(feature = "serde", serde(default, skip_serializing_if = "core::ops::Not::not"))]
    pub big_endian: bool,
    /// Compression method of the blocks.
    pub method: BlockMethod,
    /// Maximum size of a block in bytes, before compression.
    pub block_size: u64,
    /// Size in bytes, before compression, of the data in each container except for the last one;
    /// `None` if there is only one container.
    #[cfg_attr(feature = "serde", serde(default, skip_serializing_if = "Option::is_none"))]
    pub part: Option<u64>,
    /// The compressor of the blocks if the method is zlib.
    pub deflate: Deflate,
}

/// A compression method: a [`Method`] that owns its name.
#[derive(Clone, Debug, PartialEq, Eq)]
#[cfg_attr(
    feature = "serde",
    derive(serde::Serialize, serde::Deserialize),
    serde(rename_all = "snake_case")
)]
#[non_exhaustive]
pub enum BlockMethod {
    /// [`Method::Stored`]
    Stored,
    /// [`Method::Zlib`]
    Zlib,
    /// [`Method::Gzip`]
    Gzip,
    /// [`Method::Lz4`]
    Lz4,
    /// [`Method::Oodle`]
    Oodle,
    /// [`Method::Zstd`]
    Zstd,
    /// [`Method::Brotli`]
    Brotli,
    /// [`Method::Lzo`]
    Lzo,
    /// [`Method::Named`]
    Named(String),
}

impl From<Method<'_>> for BlockMethod {
    fn from(method: Method<'_>) -> Self {
        match method {
            Method::Stored => Self::Stored,
            Method::Zlib => Self::Zlib,
            Method::Gzip => Self::Gzip,
            Method::Lz4 => Self::Lz4,
            Method::Oodle => Self::Oodle,
            Method::Zstd => Self::Zstd,
            Method::Brotli => Self::Brotli,
            Method::Lzo => Self::Lzo,
            Method::Named(name) => Self::Named(name.to_string()),
        }
    }
}

impl BlockMethod {
    /// Returns the method as a [`Method`]. Stores the name of a named method in `name`, from which
    /// the result borrows it.
    fn as_method<'n>(&self, name: &'n mut Option<StrBuf>) -> Method<'n> {
        match self {
            Self::Stored => Method::Stored,
            Self::Zlib => Method::Zlib,
            Self::Gzip => Method::Gzip,
            Self::Lz4 => Method::Lz4,
            Self::Oodle => Method::Oodle,
            Self::Zstd => Method::Zstd,
            Self::Brotli => Method::Brotli,
            Self::Lzo => Method::Lzo,
            Self::Named(text) => Method::Named(name.insert(StrBuf::new(text)).as_text()),
        }
    }

    /// Returns `true` for [`Oodle`](Self::Oodle), and for a [name](Self::Named) that stands for
    /// Oodle.
    pub fn is_oodle(&self) -> bool {
        self.as_method(&mut None).resolved() == Method::Oodle
    }
}

impl Containers {
    /// Describes containers of this format.
    pub(super) fn of(format: ContainerFormat<'_>, part: Option<u64>) -> Self {
        Self {
            version: format.version,
            big_endian: format.order == ByteOrder::Big,
            method: format.method.into(),
            block_size: format.block_size,
            part,
            deflate: Deflate::default(),
        }
    }

    /// Returns the format of the containers. Stores the name of a named method in `name`, from
    /// which the result borrows it.
    pub(super) fn format<'n>(&self, name: &'n mut Option<StrBuf>) -> ContainerFormat<'n> {
        ContainerFormat {
            version: self.version,
            order: if self.big_endian { ByteOrder::Big } else { ByteOrder::Little },
            method: self.method.as_method(name),
            block_size: self.block_size,
        }
    }

    /// Returns the compressor of the blocks if the method is zlib.
    pub(super) fn deflate_mut(&mut self) -> Option<&mut Deflate> {
        let is_zlib = self.method.as_method(&mut None).resolved() == Method::Zlib;
        is_zlib.then_some(&mut self.deflate)
    }
}

impl Body {
    /// Returns `true` if writing the body needs an encoder for Oodle.
    pub fn needs_oodle(&self) -> bool {
        match self {
            Self::Oodle => true,
            Self::Containers(containers) | Self::Package { containers, .. } => {
                containers.method.is_oodle()
            }
            _ => false,
        }
    }
}

impl Body {
    /// Returns the versions that were supplied when a compressed package was read.
    pub(super) fn versions(&self) -> Option<Versions> {
        match self {
            Self::Package { versions, .. } => versions.map(|[ue4, ue5]| Versions { ue4, ue5 }),
            _ => None,
        }
    }
}

impl fmt::Display for Layer {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let header = match &self.header {
            Header::None => return self.body.fmt(f),
            Header::Prefix(bytes) => {
                return write!(f, "a header of the game, {} bytes", bytes.len());
            }
            Header::Magic(magic) => {
                return write!(f, "`{}` in place of `GVAS`", magic.escape_ascii());
            }
            Header::Size | Header::LongSize => "a size",
            Header::Save => "a header of Bravely Default II",
            Header::Astroneer => "a header of Astroneer",
            Header::DaysGone => "a header of Days Gone",
            Header::Palworld(None) => "a header of Palworld",
            Header::Palworld(Some(_)) => "two headers of Palworld",
        };
        match &self.body {
            Body::Stored => f.write_str(header),
            body => write!(f, "{header}, {body}"),
        }
    }
}

impl fmt::Display for Body {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Stored => f.write_str("no compression"),
            Self::Zlib(_) => f.write_str("zlib"),
            Self::ZlibTwice { .. } => f.write_str("zlib twice"),
            Self::Oodle => f.write_str("Oodle"),
            Self::Containers(containers) => write!(f, "blocks of {}", containers.method),
            Self::Package { containers, .. } => {
                write!(f, "package compressed with {}", containers.method)
            }
        }
    }
}

impl fmt::Display for BlockMethod {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            Self::Stored => "stored bytes",
            Self::Zlib => "zlib",
            Self::Gzip => "gzip",
            Self::Lz4 => "LZ4",
            Self::Oodle => "Oodle",
            Self::Zstd => "Zstandard",
            Self::Brotli => "Brotli",
            Self::Lzo => "LZO",
            Self::Named(name) => name,
        })
    }
}
