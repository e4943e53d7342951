//! Saves and packages in the wrappers of games: headers, compression, or both.
//!
//! Many games do not write a save as the engine does, but compress it and put a header before it.
//! [`unwrap`] recognises such files by their first bytes, and removes the layers until a save
//! (`GVAS`) or a package is left. [`Wrapping::wrap`] puts the same layers around changed content.
//!
//! | layer | bytes |
//! |---|---|
//! | Palworld | `u32` size, `u32` compressed size, `PlZ0`, `PlZ1`, `PlZ2` or `PlM1`, data; with a header of 12 bytes that contains `CNK` before it |
//! | `SerializeCompressed` | [containers of compressed blocks](super::compression::Compressed), one or several in a row |
//! | size | `u32` size of the save, then the save, or a zlib stream of it |
//! | zlib | a zlib stream of the save |
//! | Bravely Default II | `SAVE`, `u32` 1, `u32` size, zlib stream |
//! | Astroneer | 12 bytes, `u32` size, zlib stream |
//! | Days Gone | `pmOc`, `u32` size, containers |
//! | size and Oodle | `u64` size, Oodle stream |
//! | magic | four other bytes in place of `GVAS` |
//! | prefix | up to 256 bytes before `GVAS`, only if [requested](Options::prefixes) |
//! | compressed package | [`CompressedPackage`](super::compression::CompressedPackage) |
//!
//! Sizes in a file are checked against [`Options::limit`], and against the ratio that the
//! compression can reach, before memory is allocated. There is no encoder for Oodle, so such a file
//! is written in another form; see [`Wrapping::without_oodle`].
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
mod open;
mod write;
mod zlib;

#[cfg(feature = "serde")]
pub use document::Document;
pub use layer::{BlockMethod, Body, Chunk, Containers, Header, Layer};
pub use zlib::{Deflate, DeflateEncoder};

use super::compression::{
    Codec, ContainerVersion, DECOMPRESSED_LIMIT, Encoder, standard_codec, standard_encoder,
};
use super::format::{Error, ErrorKind, Result, Versions};
use alloc::borrow::Cow;
use alloc::vec::Vec;
use core::fmt;

/// Maximum number of layers.
const MAX_LAYERS: usize = 4;

/// Options of [`unwrap`].
#[derive(Clone, Copy, Debug)]
#[non_exhaustive]
pub struct Options {
    /// Maximum size of the data in each layer, in bytes: [`DECOMPRESSED_LIMIT`] by default.
    pub limit: usize,
    /// Accepts up to 256 unknown bytes before a save. They are kept when the save is written, so a
    /// size or checksum in them becomes wrong if the save changes. `false` by default.
    pub prefixes: bool,
    /// The version of a compressed package that does not state its version.
    pub versions: Option<Versions>,
}

impl Default for Options {
    fn default() -> Self {
        Self { limit: DECOMPRESSED_LIMIT, prefixes: false, versions: None }
    }
}

/// The result of [`unwrap`].
#[derive(Clone, Debug)]
pub struct Unwrapped {
    /// The layers.
    pub wrapping: Wrapping,
    /// The data in the innermost layer.
    pub bytes: Vec<u8>,
}

/// Removes the layers around a save or package. Returns `None` if the file is not wrapped in a known
/// way, for example because it is a plain save.
///
/// Usually the result is a save or a package, but some games compress other data, such as a list of
/// properties without the header of a save.
///
/// # Errors
/// If a layer is damaged, if its data are larger than the limit, if there are more than four layers,
/// if the file is encrypted, or if it is compressed with a method other than zlib or LZ4. The offset
/// counts from the start of the data in which the layer with the error begins: of the file, for the
/// outermost layer.
pub fn unwrap(file: &[u8], options: &Options) -> Result<Option<Unwrapped>> {
    unwrap_with(file, options, standard_codec)
}

/// Like [`unwrap`], but decompresses the data with the caller's codec, which can support further
/// methods, such as Oodle. Zlib streams that are not in a container are decompressed without it.
///
/// The codec is called with no bytes to find out whether it supports Oodle.
///
/// # Errors
/// The errors of [`unwrap`].
pub fn unwrap_with(
    file: &[u8],
    options: &Options,
    mut codec: impl Codec,
) -> Result<Option<Unwrapped>> {
    let mut layers = Vec::new();
    let mut bytes = Cow::Borrowed(file);
    while let Some((layer, inner)) = open_layer(&bytes, options, &mut codec)? {
        layers.push(layer);
        bytes = Cow::Owned(inner);
        if layers.len() > MAX_LAYERS {
            let limit = u32::try_from(MAX_LAYERS).unwrap_or_default();
            return Err(Error::new(ErrorKind::TooManyLayers { limit }, 0));
        }
    }
    Ok(match bytes {
        Cow::Borrowed(_) => None,
        Cow::Owned(bytes) => Some(Unwrapped { wrapping: Wrapping { layers }, bytes }),
    })
}

fn open_layer(
    bytes: &[u8],
    options: &Options,
    codec: impl Codec,
) -> Result<Option<(Layer, Vec<u8>)>> {
    if let Some(what) = detect::refused(bytes) {
        return Err(Error::new(ErrorKind::CannotUnwrap(what), 0));
    }
    match detect::detect(bytes, options.prefixes) {
        Some(found) => open::open(bytes, found, options.limit, codec).map(Some),
        None if super::Package::is_package(bytes) => {
            open::open_package(bytes, options.versions, options.limit, codec)
        }
        None => Ok(None),
    }
}

/// Returns `true` if a file begins like one that [`unwrap`] unwraps or refuses. Does not decompress
/// more than a few hundred bytes, and does not recognise compressed packages.
pub fn is_wrapped(file: &[u8], options: &Options) -> bool {
    detect::refused(file).is_some() || detect::detect(file, options.prefixes).is_some()
}

/// The layers around a save or package. `Display` prints what they are, for people.
///
/// With the feature `serde`, it can be stored, for example in a JSON document. See [`Document`] to
/// store also what is needed to write an unchanged file byte for byte.
#[derive(Clone, Debug, PartialEq, Eq)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize), serde(transparent))]
pub struct Wrapping {
    /// The layers, beginning with the outermost one.
    pub layers: Vec<Layer>,
}

impl Wrapping {
    /// Puts the layers around data. Compresses the data anew, so the result can differ from the
    /// original file even if the data have not changed; see [`rewrap`](Self::rewrap).
    ///
    /// # Errors
    /// If a layer uses a method for which there is no encoder, such as Oodle, or if the data are too
    /// large for the fields of a header.
    pub fn wrap(&self, data: &[u8]) -> Result<Vec<u8>> {
        self.wrap_with(data, standard_encoder)
    }

    /// Like [`wrap`](Self::wrap), but compresses with the caller's encoder, except for zlib.
    ///
    /// # Errors
    /// The errors of [`wrap`](Self::wrap).
    pub fn wrap_with(&self, data: &[u8], mut encoder: impl Encoder) -> Result<Vec<u8>> {
        let mut bytes = Cow::Borrowed(data);
        for layer in self.layers.iter().rev() {
            bytes = Cow::Owned(layer.write(&bytes, &mut encoder)?);
        }
        Ok(bytes.into_owned())
    }

    /// Returns the original file if it still has exactly this content, and otherwise
    /// [wraps](Self::wrap) the data. Unchanged data thus give the same bytes.
    ///
    /// # Errors
    /// The errors of [`wrap`](Self::wrap). An original file that is damaged is not an error.
    pub fn rewrap<'o>(&self, data: &[u8], original: &'o [u8]) -> Result<Cow<'o, [u8]>> {
        self.rewrap_with(data, original, standard_codec, standard_encoder)
    }

    /// Like [`rewrap`](Self::rewrap), but with the caller's codec and encoder.
    ///
    /// # Errors
    /// The errors of [`wrap`](Self::wrap).
    pub fn rewrap_with<'o>(
        &self,
        data: &[u8],
        original: &'o [u8],
        codec: impl Codec,
        encoder: impl Encoder,
    ) -> Result<Cow<'o, [u8]>> {
        match self.is_content(data, original, codec) {
            true => Ok(Cow::Borrowed(original)),
            false => self.wrap_with(data, encoder).map(Cow::Owned),
        }
    }

    /// Returns `true` if a file contains these data.
    fn is_content(&self, data: &[u8], file: &[u8], codec: impl Codec) -> bool {
        // An intermediate layer can be larger than the data if these cannot be compressed.
        let limit = data.len().max(file.len()).saturating_add(1 << 16);
        let options = Options { limit, ..self.options() };
        let same = |unwrapped: &Unwrapped| unwrapped.bytes == data;
        unwrap_with(file, &options, codec).ok().flatten().is_some_and(|unwrapped| same(&unwrapped))
    }

    /// Returns the options with which a file with these layers is unwrapped.
    fn options(&self) -> Options {
        let versions = self.layers.iter().find_map(|layer| layer.body.versions());
        Options { prefixes: self.has_prefix(), versions, ..Options::default() }
    }

    /// Looks for compressors that make exactly the streams of `file`, which has these layers, and
    /// keeps them. Returns `true` if [`wrap`](Self::wrap) then returns exactly this file for the
    /// data in it.
    ///
    /// A compressor that does not make the streams is usually given up within their first 64 KiB.
    pub fn find_compressors(&mut self, file: &[u8]) -> bool {
        let options = self.options();
        let mut bytes = Cow::Borrowed(file);
        for layer in &mut self.layers {
            let Ok(Some((_, inner))) = open_layer(&bytes, &options, standard_codec) else {
                return false;
            };
            layer.find_compressors(&bytes, &inner);
            bytes = Cow::Owned(inner);
        }
        self.wrap(&bytes).is_ok_and(|again| again == file)
    }

    /// Returns `true` if writing a layer needs an encoder for Oodle.
    pub fn needs_oodle(&self) -> bool {
        self.layers.iter().any(|layer| layer.body.needs_oodle())
    }

    /// Returns layers without Oodle that readers of the same game accept: zlib (`PlZ1`) for a save of
    /// Palworld, and stored blocks for containers that state their method. Returns `None` if there
    /// is no such form.
    #[must_use]
    pub fn without_oodle(&self) -> Option<Self> {
        let layers = self.layers.iter().map(|layer| {
            let body = match (&layer.header, layer.body.clone()) {
                (_, body) if !body.needs_oodle() => body,
                (Header::Palworld(_), Body::Oodle) => Body::Zlib(Deflate::default()),
                (_, Body::Containers(of)) if of.version == ContainerVersion::Two => {
                    Body::Containers(Containers { method: BlockMethod::Stored, ..of })
                }
                (_, Body::Package { flags, chunk_size, containers, versions })
                    if containers.version == ContainerVersion::Two =>
                {
                    let containers = Containers { method: BlockMethod::Stored, ..containers };
                    Body::Package { flags, chunk_size, containers, versions }
                }
                _ => return None,
            };
            Some(Layer { body, ..layer.clone() })
        });
        layers.collect::<Option<_>>().map(|layers| Self { layers })
    }

    /// Returns `true` if bytes of the game that are not understood precede the save. A checksum in
    /// them becomes wrong if the save changes.
    pub fn has_prefix(&self) -> bool {
        self.layers.iter().any(|layer| matches!(layer.header, Header::Prefix(_)))
    }
}

impl Layer {
    /// Looks for the compressors of the layer, which is the outermost one of `file` and contains
    /// `data`.
    fn find_compressors(&mut self, file: &[u8], data: &[u8]) {
        let versions = self.body.versions();
        match &mut self.body {
            Body::Zlib(deflate) => {
                let stream = self.header.data_of(file, &self.rest);
                find_deflate(deflate, data, stream);
            }
            Body::ZlibTwice { inner, outer } => {
                let stream = self.header.data_of(file, &self.rest);
                let Ok((once, _)) = zlib::inflate(stream, None, DECOMPRESSED_LIMIT, 0) else {
                    return;
                };
                find_deflate(inner, data, &once);
                find_deflate(outer, &once, stream);
            }
            Body::Containers(containers) | Body::Package { containers, .. } => {
                let start = self.header.data_of(file, &self.rest);
                let Some(deflate) = containers.deflate_mut() else { return };
                if let Some((block, stream)) = open::first_block(start, data, versions) {
                    find_deflate(deflate, block, stream);
                }
            }
            Body::Stored | Body::Oodle => {}
        }
    }
}

/// Replaces a compressor by one that makes exactly this stream, if there is one.
fn find_deflate(deflate: &mut Deflate, data: &[u8], stream: &[u8]) {
    if let Some(found) = Deflate::candidates().find(|one| one.reproduces(data, stream)) {
        *deflate = found;
    }
}

impl fmt::Display for Wrapping {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        for (layer, index) in self.layers.iter().zip(0..) {
            let separator = if index == 0 { "" } else { "; then " };
            write!(f, "{separator}{layer}")?;
        }
        Ok(())
    }
}
