use super::layer::{BlockMethod, Body, Containers, Header, Layer};
use super::layers::{Options, layers, open_layer};
use super::open::first_block;
use super::zlib::{Deflate, inflate};
use crate::unreal::compression::{
    Codec, ContainerVersion, DECOMPRESSED_LIMIT, Encoder, standard_codec, standard_encoder,
};
use crate::unreal::format::Result;
use alloc::borrow::Cow;
use alloc::vec::Vec;
use core::fmt;

/// The layers around a save or package. `Display` prints a description for people.
///
/// With the feature `serde`, a wrapping can be serialized, for example in a JSON document. A
/// [`Document`](super::Document) also stores what is needed to write an unchanged file byte for
/// byte.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize), serde(transparent))]
pub struct Wrapping {
    /// The layers, beginning with the outermost one.
    pub layers: Vec<Layer>,
}

impl Wrapping {
    /// Puts the layers around data. Compresses the data again, so the result can differ from the
    /// original file even if the data have not changed. [`rewrap`](Self::rewrap) avoids this.
    ///
    /// # Errors
    /// If a layer uses a method for which there is no encoder, such as Oodle, if the data are too
    /// large for the fields of a header, or if a layer is a compressed package and the data are not
    /// a package of a known version.
    pub fn wrap(&self, data: &[u8]) -> Result<Vec<u8>> {
        self.wrap_with(data, standard_encoder)
    }

    /// Like [`wrap`](Self::wrap), but uses the caller's encoder for all methods except zlib.
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

    /// Returns the original file if it contains exactly these data. Otherwise [wraps](Self::wrap)
    /// the data.
    ///
    /// # Errors
    /// The errors of [`wrap`](Self::wrap). A damaged original file is not an error; it is treated
    /// like a file with different data.
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

    /// Returns `true` if unwrapping `file` returns exactly `data`.
    fn is_content(&self, data: &[u8], file: &[u8], codec: impl Codec) -> bool {
        // The data inside an outer layer are larger than `data` if `data` cannot be compressed.
        let limit = data.len().max(file.len()).saturating_add(1 << 16);
        let options = Options { limit, ..self.options() };
        let opened = layers(file, &options, codec).ok().flatten();
        opened.is_some_and(|(_, content)| content == data)
    }

    /// Returns the options for unwrapping a file with these layers.
    fn options(&self) -> Options {
        let versions = self.layers.iter().find_map(|layer| layer.body.versions());
        Options { prefixes: self.has_prefix(), versions, ..Options::default() }
    }

    /// Looks for compressors that exactly reproduce the compressed streams of `file`, and stores
    /// them in the layers. `file` must have these layers. Returns `true` if [`wrap`](Self::wrap)
    /// then reproduces the whole file from its content.
    ///
    /// A compressor that does not reproduce a stream is usually rejected within the first 64 KiB of
    /// the stream.
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

    /// Returns layers without Oodle that the same game can read. For a save of Palworld, zlib
    /// replaces Oodle (`PlZ1`). In containers that state their method, the blocks are stored
    /// without compression. Returns `None` if Oodle is used anywhere else.
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

    /// Returns `true` if bytes with an unknown meaning precede the save. A size or checksum in
    /// these bytes becomes wrong if the save changes.
    pub fn has_prefix(&self) -> bool {
        self.layers.iter().any(|layer| matches!(layer.header, Header::Prefix(_)))
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

impl Layer {
    /// Looks for the compressors that reproduce the streams of this layer, which must be the
    /// outermost layer of `file`. `data` are the data inside the layer.
    fn find_compressors(&mut self, file: &[u8], data: &[u8]) {
        let versions = self.body.versions();
        match &mut self.body {
            Body::Zlib(deflate) => {
                let stream = self.header.data_of(file, &self.rest);
                find_deflate(deflate, data, stream);
            }
            Body::ZlibTwice { inner, outer } => {
                let stream = self.header.data_of(file, &self.rest);
                let Ok((once, _)) = inflate(stream, None, DECOMPRESSED_LIMIT, 0) else {
                    return;
                };
                find_deflate(inner, data, &once);
                find_deflate(outer, &once, stream);
            }
            Body::Containers(containers) | Body::Package { containers, .. } => {
                let start = self.header.data_of(file, &self.rest);
                let Some(deflate) = containers.deflate_mut() else { return };
                if let Some((block, stream)) = first_block(start, data, versions) {
                    find_deflate(deflate, block, stream);
                }
            }
            Body::Stored | Body::Oodle => {}
        }
    }
}

/// Replaces a compressor with one that exactly reproduces this stream, if there is one.
fn find_deflate(deflate: &mut Deflate, data: &[u8], stream: &[u8]) {
    if let Some(found) = Deflate::candidates().find(|one| one.reproduces(data, stream)) {
        *deflate = found;
    }
}
