//! Removes and restores the layers that games put around saves and packages: headers, compression,
//! or both.
//!
//! Many games compress a save after the engine has written it, and put a header before it.
//! [`unwrap`] recognises such files by their first bytes, and removes the layers until a save
//! (`GVAS`) or a package is left. [`Wrapping::wrap`] puts the same layers around changed content.
//!
//! | layer | bytes |
//! |---|---|
//! | Palworld | `u32` size, `u32` compressed size, `PlZ0`, `PlZ1`, `PlZ2` or `PlM1`, data; an additional header of 12 bytes that contains `CNK` can precede these |
//! | `SerializeCompressed` | [containers of compressed blocks](super::compression::Compressed), one or several in a row |
//! | size | `u32` size of the save, then the save or a zlib stream of it |
//! | zlib | a zlib stream of the save |
//! | Bravely Default II | `SAVE`, `u32` 1, `u32` size, zlib stream |
//! | Astroneer | 12 bytes, `u32` size, zlib stream |
//! | Days Gone | `pmOc`, `u32` size, containers |
//! | size and Oodle | `u64` size, Oodle stream |
//! | magic | four other bytes in place of `GVAS` |
//! | prefix | up to 256 bytes before `GVAS`, only if [requested](Options::prefixes) |
//! | compressed package | [`CompressedPackage`](super::compression::CompressedPackage) |
//!
//! Before memory is allocated for a size in a file, the size is checked against [`Options::limit`]
//! and against the maximum compression ratio of the method. gamewire has no encoder for Oodle, so
//! [`Wrapping::wrap`] fails if a layer uses Oodle. [`Wrapping::without_oodle`] returns similar
//! layers without Oodle.
//!
//! ```
//! use gamewire::unreal::Save;
//! use gamewire::unreal::wrapper::{Options, unwrap};
//!
//! # if !std::path::Path::new("corpus").exists() { return Ok(()) } // not published
//! let file = std::fs::read("corpus/unreal-small/palworld_PlZ1.sav")?;
//! let unwrapped = unwrap(&file, &Options::default())?.expect("a wrapped save");
//! assert_eq!(unwrapped.wrapping.to_string(), "a header of Palworld, zlib");
//! let save = Save::open(&unwrapped.bytes)?;
//! assert_eq!(save.class().save_game_class.to_string(), "/Script/Game.Save");
//!
//! let mut changed = unwrapped.bytes.clone();
//! changed[94] = 2; // the value of the property `A`
//! let file = unwrapped.wrapping.wrap(&changed)?;
//! assert_eq!(unwrap(&file, &Options::default())?.unwrap().bytes, changed);
//! # Ok::<(), Box<dyn std::error::Error>>(())
//! ```

#[cfg(feature = "serde")]
mod base64;
mod detect;
#[cfg(feature = "serde")]
mod document;
mod layer;
mod layers;
mod open;
mod wrapping;
mod write;
mod zlib;

#[cfg(feature = "serde")]
pub use document::Document;
pub use layer::{BlockMethod, Body, Chunk, Containers, Header, Layer};
pub use layers::Options;
pub use wrapping::Wrapping;
pub use zlib::{Deflate, DeflateEncoder};

use super::compression::{Codec, standard_codec};
use super::format::Result;
use alloc::vec::Vec;
use layers::layers;

/// The result of [`unwrap`]. The default is an empty file without a wrapper.
#[derive(Clone, Debug, Default)]
pub struct Unwrapped {
    /// The layers.
    pub wrapping: Wrapping,
    /// The data inside the innermost layer.
    pub bytes: Vec<u8>,
}

/// Removes the layers around a save or package. Returns `None` if the file has no known layer, for
/// example because it is a plain save.
///
/// The result is usually a save or a package. Some games wrap other data, such as a list of
/// properties without the header of a save.
///
/// # Errors
/// If a layer is damaged, if its data are larger than the limit, if there are more than four
/// layers, if the file is encrypted or in a known format that cannot be unwrapped, or if it is
/// compressed with a method other than zlib or LZ4. The offset of an error in the outermost layer
/// counts from the start of the file. The offset of an error in an inner layer counts from the
/// start of the data inside the layer that encloses it.
pub fn unwrap(file: &[u8], options: &Options) -> Result<Option<Unwrapped>> {
    unwrap_with(file, options, standard_codec)
}

/// Like [`unwrap`], but decompresses the data with the caller's codec, which can support further
/// methods, such as Oodle. The codec is not called for zlib streams that are not in a container.
///
/// Before memory for the content of an Oodle stream without a container is allocated, the codec is
/// called with empty slices. If it then returns
/// [`CodecError::Unsupported`](super::compression::CodecError::Unsupported), no memory is
/// allocated.
///
/// # Errors
/// Returns the errors of [`unwrap`].
pub fn unwrap_with(file: &[u8], options: &Options, codec: impl Codec) -> Result<Option<Unwrapped>> {
    let opened = layers(file, options, codec)?;
    Ok(opened.map(|(layers, bytes)| Unwrapped { wrapping: Wrapping { layers }, bytes }))
}

/// Returns `true` if a file begins like a wrapped file, or like a file that [`unwrap`] refuses,
/// such as an encrypted save. Decompresses at most a few hundred bytes. Does not recognise
/// compressed packages.
pub fn is_wrapped(file: &[u8], options: &Options) -> bool {
    detect::refused(file).is_some() || detect::detect(file, options.prefixes).is_some()
}
