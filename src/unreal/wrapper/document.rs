use super::base64;
use super::wrapping::Wrapping;
use crate::unreal::format::Result;
use alloc::borrow::Cow;
use alloc::vec::Vec;

/// The layers around a file, with everything that is needed to write the unchanged file again byte
/// for byte. It can be serialized as a part of a document, such as the JSON of a save.
///
/// ```
/// use gamewire::unreal::wrapper::{Document, Options, unwrap};
///
/// # if !std::path::Path::new("corpus").exists() { return Ok(()) } // not published
/// let file = std::fs::read("corpus/unreal-small/zlib.sav")?;
/// let unwrapped = unwrap(&file, &Options::default())?.expect("a wrapped save");
/// let json = serde_json::to_string(&Document::new(unwrapped.wrapping, &file))?;
///
/// let document: Document = serde_json::from_str(&json)?;
/// assert_eq!(*document.wrap(&unwrapped.bytes)?, *file);
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Clone, Debug, PartialEq, Eq, serde::Serialize, serde::Deserialize)]
pub struct Document {
    /// The layers.
    pub layers: Wrapping,
    /// The original file, serialized as base64. It is empty, and is not serialized, if
    /// [`Wrapping::wrap`] reproduces the file.
    #[serde(default, skip_serializing_if = "Vec::is_empty", with = "base64")]
    pub original: Vec<u8>,
}

impl Document {
    /// Describes a file that has these layers. Looks for compressors that reproduce the compressed
    /// streams of the file. If [`Wrapping::wrap`] still cannot reproduce the whole file, stores the
    /// file itself in `original`.
    pub fn new(mut layers: Wrapping, file: &[u8]) -> Self {
        let original = if layers.find_compressors(file) { Vec::new() } else { file.to_vec() };
        Self { layers, original }
    }

    /// Puts the layers of the original file around data. Returns exactly the original file if the
    /// data have not changed.
    ///
    /// # Errors
    /// The errors of [`Wrapping::wrap`].
    pub fn wrap(&self, data: &[u8]) -> Result<Cow<'_, [u8]>> {
        match &*self.original {
            [] => self.layers.wrap(data).map(Cow::Owned),
            original => self.layers.rewrap(data, original),
        }
    }
}
