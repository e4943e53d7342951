//! Compressed data: a container of blocks that can be decompressed one by one, and packages that
//! consist of a summary and compressed chunks.
//!
//! [`Compressed`] reads a container, and [`CompressedPackage`] reads a compressed package. With the
//! feature `alloc`, `ContainerFormat::write` and `PackageFormat::write` write them.

#[cfg(feature = "unreal-compression")]
mod codec;
mod container;
#[cfg(feature = "alloc")]
mod encoder;
mod method;
mod package;
#[cfg(feature = "alloc")]
mod package_writer;
#[cfg(feature = "alloc")]
mod writer;

#[cfg(feature = "unreal-compression")]
pub use codec::standard_codec;
pub use container::{
    Block, Blocks, Compressed, ContainerFormat, ContainerVersion, DECOMPRESSED_LIMIT,
};
#[cfg(feature = "alloc")]
pub use encoder::Encoder;
#[cfg(all(feature = "alloc", feature = "unreal-compression"))]
pub use encoder::standard_encoder;
pub use method::{Codec, Method};
pub use package::CompressedPackage;
#[cfg(feature = "alloc")]
pub use package_writer::PackageFormat;

pub use super::format::CodecError;
