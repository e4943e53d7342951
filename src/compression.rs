//! Blocks of bytes compressed with FastLZ, deflate, gzip, Zstandard or Brotli. Godot compresses
//! files, byte arrays and ENet datagrams into such blocks.
//!
//! Not every block stores the length of its content. The caller therefore supplies an output
//! buffer, which must be at least as long as the content. [`Decompressor`] and [`Compressor`]
//! process blocks one by one and reuse their memory. [`fastlz`] contains only the codec for FastLZ.
//!
//! ```
//! use gamewire::compression::{Compression, Compressor, Decompressor};
//!
//! let (mut compressor, mut decompressor) = (Compressor::new(), Decompressor::new());
//! let (mut block, mut plain) = (Vec::new(), [0; 100]);
//! compressor.compress(Compression::FastLz, b"sword, sword, sword, sword, sword", &mut block)?;
//! assert!(block.len() < 20);
//! let len = decompressor.decompress(Compression::FastLz, &block, &mut plain)?;
//! assert_eq!(&plain[..len], b"sword, sword, sword, sword, sword");
//! # Ok::<(), gamewire::compression::Error>(())
//! ```
//!
//! # Bounds
//!
//! The lengths of the block and of the output bound the work and memory of a [`Decompressor`],
//! whatever lengths the block itself announces. Brotli is an exception: its window takes up to 16
//! MiB.

#[cfg(not(gamewire_small))]
mod brotli;
mod compressor;
mod decompressor;
mod error;
pub mod fastlz;
mod gzip;
mod inflate;
mod mode;
#[cfg(feature = "transport")]
mod short;
mod zstd;

pub use compressor::Compressor;
pub use decompressor::Decompressor;
pub use error::{Error, ErrorKind};
pub use mode::{Compression, UnknownCompression};

pub(crate) use error::Result;
#[cfg(feature = "transport")]
pub(crate) use short::ShortEncoder;
