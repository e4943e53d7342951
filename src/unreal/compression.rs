//! Compressed data: a container of blocks that can be decompressed one by one, and packages that
//! consist of a summary and compressed chunks.

#[cfg(feature = "unreal-compression")]
mod codec;
mod container;
mod method;
mod package;

#[cfg(feature = "unreal-compression")]
pub use codec::standard_codec;
pub use container::{Block, Blocks, Compressed, DECOMPRESSED_LIMIT};
pub use method::{Codec, Method};
pub use package::CompressedPackage;

pub use super::format::CodecError;
