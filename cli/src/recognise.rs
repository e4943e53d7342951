//! Recognises files by their content or extension, for messages about files that a command does not
//! read.

mod binary;
mod text;
mod unreal;

pub use binary::is_capture;
pub use text::is_godot_configuration;

use crate::ui::encoding::Encoding;
use std::fmt::{self, Display};
use std::fs::{File, Metadata};
use std::io::{Read, Seek, SeekFrom};
use std::path::Path;

/// What a file is, and what can be done with it.
#[derive(Debug, PartialEq, Eq)]
pub struct FileKind {
    /// A phrase that can follow "this is": `a PNG image`.
    name: &'static str,
    pub advice: &'static str,
}

impl Display for FileKind {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.name)
    }
}

/// The parts of a file from which its format is recognised.
#[derive(Clone, Copy, Debug)]
pub struct Sample<'a> {
    head: &'a [u8],
    tail: &'a [u8],
    path: &'a Path,
}

/// Number of bytes at the end of a file that are examined.
const TAIL: usize = 256;

impl<'a> Sample<'a> {
    /// Creates a sample from the whole content of a file.
    pub fn whole(path: &'a Path, bytes: &'a [u8]) -> Self {
        let tail = bytes.len().saturating_sub(TAIL);
        Self { head: bytes, tail: bytes.get(tail..).unwrap_or(bytes), path }
    }

    /// Creates a sample from the first bytes of a file and its last bytes, which [`tail`] returned.
    pub fn ends(path: &'a Path, head: &'a [u8], tail: &'a [u8]) -> Self {
        Self { head, tail, path }
    }
}

/// Returns the last bytes of a regular file. Returns an empty vector for other files, such as
/// pipes, and if the file cannot be read.
pub fn tail(path: &Path) -> Vec<u8> {
    let read = || {
        let metadata = std::fs::metadata(path).ok().filter(Metadata::is_file)?;
        let mut file = File::open(path).ok()?;
        let start = metadata.len().saturating_sub(TAIL as u64);
        file.seek(SeekFrom::Start(start)).ok()?;
        let mut bytes = Vec::new();
        file.take(TAIL as u64).read_to_end(&mut bytes).ok().map(|_| bytes)
    };
    read().unwrap_or_default()
}

/// A format and the test for it.
struct Row {
    sign: Sign,
    kind: FileKind,
}

/// A sign by which a format is recognised.
enum Sign {
    /// The file begins with these bytes.
    Magic(&'static [u8]),
    /// The file has these bytes at this offset.
    At(usize, &'static [u8]),
    /// The name of the file has this extension.
    Extension(&'static str),
    Test(fn(&Sample<'_>) -> bool),
}

impl Sign {
    fn is_in(&self, sample: &Sample<'_>) -> bool {
        match *self {
            Self::Magic(magic) => sample.head.starts_with(magic),
            Self::At(offset, magic) => {
                sample.head.get(offset..).is_some_and(|bytes| bytes.starts_with(magic))
            }
            Self::Extension(extension) => {
                let actual = sample.path.extension().unwrap_or_default();
                actual.eq_ignore_ascii_case(extension)
            }
            Self::Test(test) => test(sample),
        }
    }
}

const fn row(sign: Sign, name: &'static str, advice: &'static str) -> Row {
    Row { sign, kind: FileKind { name, advice } }
}

/// Returns the kind of a file if it is recognised. A file of Godot values has no signature, so it
/// can look like a file of a different format. Therefore, the caller must also test whether the
/// file contains values.
pub fn recognise(sample: &Sample<'_>) -> Option<&'static FileKind> {
    let find =
        |rows: &'static [Row]| rows.iter().find(|row| row.sign.is_in(sample)).map(|row| &row.kind);
    find(binary::OURS)
        .or_else(|| text::recognise(sample.head))
        .or_else(|| find(unreal::ROWS))
        .or_else(|| find(binary::GODOT))
        .or_else(|| find(binary::OTHERS))
        .or_else(|| find(unreal::BY_NAME))
}

/// Returns the kind of a file that `gamewire encode` cannot read. This can be a recognised kind for
/// which [`is_encodable`](text::is_encodable) returns `false`, or unknown binary data.
pub fn recognise_unencodable(sample: &Sample<'_>) -> Option<&'static FileKind> {
    match recognise(sample) {
        None if sample.head.contains(&0) => Some(&binary::UNKNOWN),
        _ => recognise_specific(sample),
    }
}

/// Returns the kind of a file if it is recognised. Returns `None` for the kinds of text for which
/// [`is_encodable`](text::is_encodable) returns `true`, such as JSON and plain text.
pub fn recognise_specific(sample: &Sample<'_>) -> Option<&'static FileKind> {
    recognise(sample).filter(|kind| !text::is_encodable(kind))
}

/// Returns a hint for `gamewire encode`. The hint states that the text is a value in the text
/// notation, or that it is already a packet, in hexadecimal or base64.
pub fn hint_for_encode(sample: &Sample<'_>, is_text: bool) -> Option<String> {
    let kind = recognise(sample)?;
    match () {
        () if text::is_notation_kind(kind) && !is_text => {
            Some(format!("this is {kind}: --text reads it"))
        }
        () if text::is_packet_text(kind) => {
            Some(format!("this is {kind}, which is a packet already: {}", kind.advice))
        }
        () => None,
    }
}

/// Returns a hint about text that is not in the requested encoding. `--base64` requests base64, and
/// `--lines` without `--base64` requests hexadecimal.
pub fn hint_for_encoding(sample: &Sample<'_>, encoding: Encoding) -> Option<String> {
    let kind = recognise(sample).filter(|kind| !text::is_plain_kind(kind))?;
    match encoding {
        Encoding::Hex if text::is_packet_text(kind) && !text::is_hexadecimal_kind(kind) => {
            Some(format!("this is {kind}: --base64 reads each line as a packet"))
        }
        Encoding::Base64 if text::is_hexadecimal_kind(kind) => {
            Some(format!("this is {kind}: without --base64, {}", kind.advice))
        }
        _ => Some(format!("this is {kind}: {}", kind.advice)),
    }
}

/// Returns `true` for text in hexadecimal.
pub fn is_hexadecimal(sample: &Sample<'_>) -> bool {
    recognise(sample).is_some_and(text::is_hexadecimal_kind)
}

#[cfg(test)]
mod tests {
    #![allow(clippy::unwrap_used)]

    use super::{Sample, recognise};
    use std::path::{Path, PathBuf};

    fn files(folder: &Path, found: &mut Vec<PathBuf>) {
        for entry in std::fs::read_dir(folder).unwrap() {
            let path = entry.unwrap().path();
            match path.is_dir() {
                true => files(&path, found),
                false => found.push(path),
            }
        }
    }

    /// Checks that no packet that an engine wrote is recognised as a different format, even without
    /// the test for values that the callers of `recognise` add.
    #[test]
    fn no_packet_of_the_corpus_is_recognised() {
        let corpus = Path::new(env!("CARGO_MANIFEST_DIR")).join("../corpus");
        let mut found = Vec::new();
        files(&corpus, &mut found);
        let is_packet = |path: &&PathBuf| {
            let extension = path.extension().unwrap_or_default();
            let others = ["godot-files", "rems", "unreal", "unreal-registry"];
            let is_other = others.iter().any(|name| path.starts_with(corpus.join(name)));
            !is_other && (extension == "bin" || extension == "dat")
        };
        let packets: Vec<_> = found.iter().filter(is_packet).collect();
        assert!(packets.len() > 300, "{}", packets.len());
        for path in packets {
            let bytes = std::fs::read(path).unwrap();
            assert_eq!(recognise(&Sample::whole(path, &bytes)), None, "{}", path.display());
        }
    }
}
