//! Removes the layers of a file one by one.

use super::detect;
use super::layer::Layer;
use super::open;
use crate::unreal::Package;
use crate::unreal::compression::{Codec, DECOMPRESSED_LIMIT};
use crate::unreal::format::{Error, ErrorKind, Result, Versions};
use alloc::borrow::Cow;
use alloc::vec::Vec;

/// Maximum number of layers.
const MAX_LAYERS: usize = 4;

/// Options of [`unwrap`](super::unwrap).
#[derive(Clone, Copy, Debug)]
#[non_exhaustive]
pub struct Options {
    /// Maximum size in bytes of the data inside each layer. The default is [`DECOMPRESSED_LIMIT`].
    pub limit: usize,
    /// `true` to accept up to 256 unknown bytes before a save. They are written unchanged, so a
    /// size or checksum in them becomes wrong if the save changes. The default is `false`.
    pub prefixes: bool,
    /// The version to assume for a compressed package that does not state its version.
    pub versions: Option<Versions>,
}

impl Default for Options {
    fn default() -> Self {
        Self { limit: DECOMPRESSED_LIMIT, prefixes: false, versions: None }
    }
}

/// Removes all layers of a file. Returns the layers, beginning with the outermost one, and the data
/// inside the innermost one. Returns `None` if the file has no layers.
pub(super) fn layers(
    file: &[u8],
    options: &Options,
    mut codec: impl Codec,
) -> Result<Option<(Vec<Layer>, Vec<u8>)>> {
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
        Cow::Owned(bytes) => Some((layers, bytes)),
    })
}

/// Removes the outermost layer of a file. Returns the layer and the data inside it, or `None` if
/// the file has no layers.
pub(super) fn open_layer(
    bytes: &[u8],
    options: &Options,
    codec: impl Codec,
) -> Result<Option<(Layer, Vec<u8>)>> {
    if let Some(what) = detect::refused(bytes) {
        return Err(Error::new(ErrorKind::CannotUnwrap(what), 0));
    }
    match detect::detect(bytes, options.prefixes) {
        Some(found) => open::open(bytes, found, options.limit, codec).map(Some),
        None if Package::is_package(bytes) => {
            open::open_package(bytes, options.versions, options.limit, codec)
        }
        None => Ok(None),
    }
}
