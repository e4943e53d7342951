//! Recognises the outermost layer of a file by its first bytes.

use super::layer::{Chunk, Header};
use super::zlib::{is_zlib, peek};
use crate::unreal::Save;
use crate::unreal::compression::Method;
use crate::unreal::tables::PACKAGE_TAG;
use alloc::vec::Vec;

/// A layer that was recognised.
pub(super) struct Found {
    pub header: Header,
    pub form: Form,
    /// Offset of the data after the header.
    pub start: usize,
    /// The size of the data after decompression, if the header states it.
    pub size: Option<u64>,
    /// The compressed size, if the header states it.
    pub stored_size: Option<u64>,
}

/// The form of the data after a header.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Form {
    Stored,
    Zlib,
    ZlibTwice,
    Oodle,
    Containers,
}

const ASTRONEER: &[u8; 12] = b"\xBE\x40\x37\x4A\xEE\x0B\x74\xA3\x01\0\0\0";

/// Known kinds of saves that cannot be unwrapped, such as encrypted saves. Each entry consists of
/// the first bytes of such a file and a description of the file.
const REFUSED: [(&[u8], &str); 5] = [
    (b"\x82\xF2\x98\x4F\x92\x77\x47\x1A", "an encrypted save of Goat Simulator 3"),
    (b"GEVASEND", "a save whose content is encrypted or compressed in an unknown way"),
    (b"\xCF\xCC\x5D\xA7", "an encrypted save of Mortal Kombat 1 or Mortal Kombat 11"),
    (b"\xED\xC0\xDA\x71", "an encrypted save of Aliens: Dark Descent"),
    (b"GVAS\x04\0\0\0", "a save of State of Decay 2, whose content is in the game's own format"),
];

/// Returns a description of the file if it is a known kind of save that cannot be unwrapped, such
/// as an encrypted save.
pub(super) fn refused(bytes: &[u8]) -> Option<&'static str> {
    REFUSED.iter().find(|(magic, _)| bytes.starts_with(magic)).map(|(_, what)| *what)
}

/// Maximum number of unknown bytes before `GVAS`.
const MAX_PREFIX: usize = 256;

/// Recognises the outermost layer. If `prefixes` is `true`, also accepts up to 256 unknown bytes
/// before a save.
pub(super) fn detect(bytes: &[u8], prefixes: bool) -> Option<Found> {
    if is_containers(bytes) {
        return Some(Found::new(Header::None, Form::Containers, 0));
    }
    if Save::is_save(bytes) || bytes.starts_with(&PACKAGE_TAG.to_le_bytes()) {
        return None;
    }
    palworld(bytes)
        .or_else(|| game_header(bytes))
        .or_else(|| zlib(bytes, prefixes))
        .or_else(|| sized(bytes, prefixes))
        .or_else(|| other_magic(bytes))
        .or_else(|| prefix(bytes).filter(|_| prefixes))
}

impl Found {
    fn new(header: Header, form: Form, start: usize) -> Self {
        Self { header, form, start, size: None, stored_size: None }
    }

    fn sized(header: Header, form: Form, start: usize, size: u32) -> Option<Self> {
        Some(Self { size: Some(size.into()), ..Self::new(header, form, start) })
    }
}

/// Returns `true` if the bytes begin like a container. A package begins with the same tag, but
/// continues with a negative version, whereas a container continues with a block size or the other
/// half of the tag.
fn is_containers(bytes: &[u8]) -> bool {
    let (Some(first), Some(second)) = (word(bytes, 0), word(bytes, 4)) else { return false };
    let is_size = |word: u32| matches!(word, 0 | 0x2222_2222 | 0x0002_0000);
    let swapped = PACKAGE_TAG.swap_bytes();
    (first == PACKAGE_TAG && is_size(second))
        || (first == swapped && is_size(second.swap_bytes()))
        || (matches!(first, 0 | 0x2222_2222) && second == swapped)
}

/// Recognises a save of Palworld. An additional header, with the magic `CNK` at its start or at
/// offset 8, can precede the header of the save.
fn palworld(bytes: &[u8]) -> Option<Found> {
    let is_chunk = |at: usize| bytes.get(at..).is_some_and(|bytes| bytes.starts_with(b"CNK"));
    let start = if is_chunk(8) || is_chunk(0) { 12 } else { 0 };
    let (size, stored) = (word(bytes, start)?, word(bytes, start.saturating_add(4))?);
    let [a, b, c, digit] = word(bytes, start.saturating_add(8))?.to_le_bytes();
    let begin = start.saturating_add(12);
    let data = bytes.get(begin..)?;
    let form = match (&[a, b, c], digit) {
        (b"PlZ", b'0') if Save::is_save(data) => Form::Stored,
        (b"PlZ", b'1') if is_zlib(data) => Form::Zlib,
        (b"PlZ", b'2') if is_zlib(data) => Form::ZlibTwice,
        (b"PlM", b'1') if is_oodle(data) => Form::Oodle,
        _ => return None,
    };
    let chunk = bytes.first_chunk().filter(|_| start > 0);
    let chunk = chunk.map(|bytes| Chunk { bytes: *bytes, sizes: [size, stored] });
    let found = Found::sized(Header::Palworld(chunk), form, begin, size)?;
    Some(Found { stored_size: Some(stored.into()), ..found })
}

/// Recognises the headers of Bravely Default II, Astroneer and Days Gone.
fn game_header(bytes: &[u8]) -> Option<Found> {
    let follows = |at: usize, test: fn(&[u8]) -> bool| bytes.get(at..).is_some_and(test);
    if bytes.starts_with(b"SAVE\x01\0\0\0") && follows(12, is_zlib) {
        return Found::sized(Header::Save, Form::Zlib, 12, word(bytes, 8)?);
    }
    if bytes.starts_with(ASTRONEER) && follows(16, is_zlib) {
        return Found::sized(Header::Astroneer, Form::Zlib, 16, word(bytes, 12)?);
    }
    if bytes.starts_with(b"pmOc") && follows(8, is_containers) {
        return Found::sized(Header::DaysGone, Form::Containers, 8, word(bytes, 4)?);
    }
    None
}

/// Recognises a zlib stream that contains a save, a package or a further layer.
fn zlib(bytes: &[u8], prefixes: bool) -> Option<Found> {
    (is_zlib(bytes) && holds_save(bytes, prefixes)).then(|| Found::new(Header::None, Form::Zlib, 0))
}

/// Recognises a size that is followed by a save, by a zlib stream, or by an Oodle stream.
fn sized(bytes: &[u8], prefixes: bool) -> Option<Found> {
    let (size, rest) = (word(bytes, 0)?, bytes.get(4..)?);
    if Save::is_save(rest) && u64::from(size) == rest.len() as u64 {
        return Some(Found::new(Header::Size, Form::Stored, 4));
    }
    if is_zlib(rest) && holds_save(rest, prefixes) {
        return Found::sized(Header::Size, Form::Zlib, 4, size);
    }
    let is_long = word(bytes, 4) == Some(0) && bytes.get(8..).is_some_and(is_oodle);
    // An Oodle stream has no signature. A decompressed size below half the size of the file shows
    // that this is not an Oodle stream.
    let is_larger = size as usize > bytes.len() / 2 && size > 0;
    if is_long && is_larger {
        return Found::sized(Header::LongSize, Form::Oodle, 8, size);
    }
    None
}

/// Recognises a save with four other bytes in place of `GVAS`.
fn other_magic(bytes: &[u8]) -> Option<Found> {
    let magic = bytes.first_chunk::<4>()?;
    is_save_header(bytes.get(4..)?).then(|| Found::new(Header::Magic(*magic), Form::Stored, 4))
}

/// Recognises a save that follows up to 256 unknown bytes.
fn prefix(bytes: &[u8]) -> Option<Found> {
    let near = bytes.get(..bytes.len().min(MAX_PREFIX.saturating_add(4)))?;
    let is_save = |at: &usize| {
        let rest = bytes.get(*at..).unwrap_or_default();
        Save::is_save(rest) && is_save_header(rest.get(4..).unwrap_or_default())
    };
    let start = (1..near.len()).find(is_save)?;
    let header = Header::Prefix(near.get(..start)?.to_vec());
    Some(Found::new(header, Form::Stored, start))
}

/// Returns `true` if a zlib stream contains a save, a package, or a further layer.
fn holds_save(stream: &[u8], prefixes: bool) -> bool {
    let (head, len) = peek(stream);
    let head = head.get(..len).unwrap_or_default();
    let is_package = head.starts_with(&PACKAGE_TAG.to_le_bytes());
    // A zlib stream inside the stream is not decompressed here, so a hostile file cannot cause deep
    // recursion.
    let is_layer = is_zlib(head)
        || is_containers(head)
        || palworld(head).is_some()
        || game_header(head).is_some()
        || other_magic(head).is_some()
        || matches!(head, [_, _, _, _, rest @ ..] if Save::is_save(rest) || is_zlib(rest));
    Save::is_save(head) || is_package || is_layer || (prefixes && prefix(head).is_some())
}

/// Returns `true` if the bytes begin like a block of an Oodle stream. The low four bits of the
/// first byte are the same in all blocks. The low seven bits of the second byte are the number of
/// the decoder.
fn is_oodle(bytes: &[u8]) -> bool {
    matches!(bytes, [first, second, ..]
        if matches!(first, 0x8C | 0xCC) && matches!(second & 0x7F, 5 | 6 | 10 | 11 | 12))
}

/// Returns `true` if the bytes can follow `GVAS`. Checks the version of the save format, the
/// versions of the engine, and the length of the engine's branch name.
fn is_save_header(bytes: &[u8]) -> bool {
    let (Some(save), Some(ue4)) = (word(bytes, 0), word(bytes, 4)) else { return false };
    let engine = if save == 3 { 12 } else { 8 };
    let ue5_fits = save != 3 || matches!(word(bytes, 8), Some(0 | 1000..=1100));
    let major = bytes.get(engine..).and_then(|bytes| bytes.first_chunk::<4>());
    let engine_fits = matches!(major, Some([4 | 5, 0, 0..=40, 0]));
    let branch = word(bytes, engine.saturating_add(10));
    let branch_fits = branch.is_some_and(|len| len.cast_signed().unsigned_abs() <= 256);
    matches!(save, 1..=3) && matches!(ue4, 214..=600) && ue5_fits && engine_fits && branch_fits
}

/// Returns the little-endian `u32` at an offset.
fn word(bytes: &[u8], at: usize) -> Option<u32> {
    bytes.get(at..)?.first_chunk().map(|bytes| u32::from_le_bytes(*bytes))
}

/// Returns the method with which a block is compressed, zlib or Oodle, judging by its first two
/// bytes.
pub(super) fn guess_method(block: &[u8]) -> Option<Method<'static>> {
    match block {
        _ if is_zlib(block) => Some(Method::Zlib),
        _ if is_oodle(block) => Some(Method::Oodle),
        _ => None,
    }
}

impl Header {
    /// Returns the data after the header of a file. Leaves out `rest`, the bytes at the end of the
    /// file that do not belong to the data.
    pub(super) fn data_of<'f>(&self, file: &'f [u8], rest: &[u8]) -> &'f [u8] {
        let start = match self {
            Self::None => 0,
            Self::Prefix(bytes) => bytes.len(),
            Self::Magic(_) | Self::Size => 4,
            Self::LongSize | Self::DaysGone => 8,
            Self::Save | Self::Palworld(None) => 12,
            Self::Astroneer => 16,
            Self::Palworld(Some(_)) => 24,
        };
        file.get(start..file.len().saturating_sub(rest.len())).unwrap_or_default()
    }

    /// Returns the bytes of the header for data of these sizes. If a size is too large for its
    /// field in the header, returns an error with that size.
    pub(super) fn write(&self, form: Form, size: u64, stored: u64) -> Result<Vec<u8>, u64> {
        let word = |size: u64| u32::try_from(size).map(u32::to_le_bytes).map_err(|_| size);
        let mut to = Vec::new();
        match self {
            Self::None | Self::Magic(_) => {}
            Self::Prefix(bytes) => to.extend(bytes),
            Self::Size => to.extend(word(size)?),
            Self::LongSize => to.extend(size.to_le_bytes()),
            Self::Save => to.extend([*b"SAVE", [1, 0, 0, 0], word(size)?].as_flattened()),
            Self::Astroneer => {
                to.extend(ASTRONEER);
                to.extend(word(size)?);
            }
            Self::DaysGone => to.extend([*b"pmOc", word(size)?].as_flattened()),
            Self::Palworld(chunk) => {
                let sizes = [word(size)?, word(stored)?];
                to.extend(chunk.iter().flat_map(|chunk| chunk.updated(sizes)));
                let magic = match form {
                    Form::Stored => b"PlZ0",
                    Form::Zlib => b"PlZ1",
                    Form::ZlibTwice => b"PlZ2",
                    Form::Oodle | Form::Containers => b"PlM1",
                };
                to.extend([sizes[0], sizes[1], *magic].as_flattened());
            }
        }
        Ok(to)
    }
}

impl Chunk {
    /// Returns the bytes of the header, with `new` in place of the two sizes from the file that was
    /// read.
    fn updated(&self, new: [[u8; 4]; 2]) -> [u8; 12] {
        let Self { bytes: [a, b, c, d, e, f, g, h, rest @ ..], sizes } = *self;
        let replace = |word: [u8; 4]| {
            let old = sizes.map(u32::to_le_bytes);
            let index = old.iter().position(|old| *old == word);
            index.and_then(|index| new.get(index)).copied().unwrap_or(word)
        };
        let ([a, b, c, d], [e, f, g, h]) = (replace([a, b, c, d]), replace([e, f, g, h]));
        let [i, j, k, l] = rest;
        [a, b, c, d, e, f, g, h, i, j, k, l]
    }
}
