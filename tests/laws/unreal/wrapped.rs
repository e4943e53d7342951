//! Laws for arbitrary bytes that are unwrapped: the content stays within the limit, wrapping the
//! unchanged content gives the same file, and changed content that is wrapped can be read back.

use super::accessors::show;
use gamewire::unreal::compression::{CodecError, Method, standard_codec, standard_encoder};
use gamewire::unreal::wrapper::{Options, is_wrapped, unwrap_with};
use gamewire::unreal::{ErrorKind, Save, Versions};

/// The highest limit on the output, in bytes.
const LIMIT: usize = 1 << 20;

/// Unwraps a file, and wraps its content again. The first byte determines the limit, whether
/// unknown headers are accepted, and whether there is a codec for Oodle.
pub fn unreal_wrapped(data: &[u8]) {
    let Some((first, file)) = data.split_first() else { return };
    let mut options = Options::default();
    options.limit = if first & 1 == 0 { LIMIT } else { file.len() };
    options.prefixes = first & 2 != 0;
    options.versions = Versions::of_engine(4, 27);
    let codec = if first & 4 == 0 { standard_codec } else { with_oodle };
    let unwrapped = match unwrap_with(file, &options, codec) {
        Ok(Some(unwrapped)) => unwrapped,
        Ok(None) => return assert!(!is_wrapped(file, &options)),
        Err(error) => {
            show(error);
            assert!(error.offset() <= options.limit.max(file.len()) as u64);
            return;
        }
    };
    assert!(unwrapped.bytes.len() <= options.limit.max(file.len()));
    assert!(!unwrapped.wrapping.layers.is_empty() && unwrapped.wrapping.layers.len() <= 4);
    let _ = unwrapped.wrapping.to_string();
    let bytes = &unwrapped.bytes;
    let wrapping = &unwrapped.wrapping;
    let same = wrapping.rewrap_with(bytes, file, codec, standard_encoder).unwrap();
    assert!(*same == *file, "unchanged data give the same file");

    if !Save::is_save(bytes) || bytes.len() < 64 {
        return;
    }
    let mut changed = bytes.clone();
    changed.extend(b"more");
    changed[40] ^= 1;
    let oodle_is_needed = wrapping.needs_oodle();
    let Some(wrapping) = wrapping.without_oodle() else { return };
    let written = match wrapping.wrap(&changed) {
        Ok(written) => written,
        Err(error) => {
            assert!(matches!(error.kind(), ErrorKind::Codec(CodecError::Unsupported)));
            return;
        }
    };
    options.limit = LIMIT + written.len();
    let again = unwrap_with(&written, &options, codec).unwrap().unwrap();
    assert!(again.bytes == changed, "changed data are read back");
    let mut found = unwrapped.wrapping.clone();
    if !oodle_is_needed && found.find_compressors(file) {
        assert!(found.wrap(bytes).unwrap() == file);
    }
}

/// Stands in for an Oodle decoder: fills the output with repetitions of the compressed bytes.
fn with_oodle(method: Method<'_>, from: &[u8], to: &mut [u8]) -> Result<usize, CodecError> {
    match method {
        Method::Oodle => {
            to.iter_mut().zip(from.iter().cycle()).for_each(|(to, from)| *to = *from);
            Ok(if from.is_empty() { 0 } else { to.len() })
        }
        _ => standard_codec(method, from, to),
    }
}
