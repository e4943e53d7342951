//! Detects the format of a file.

use super::TextReader;
use crate::rems::is_container;
use crate::rems::text::Scan;

/// Format of a file, detected from its first bytes.
///
/// ```
/// use gamewire::rems::FileFormat;
///
/// assert_eq!(FileFormat::detect(br#"[ {"class": "Prefab", "i:*ptr": 1}]"#), Some(FileFormat::Text));
/// assert_eq!(FileFormat::detect(b"RemsEngineZZ\x78\x9C"), Some(FileFormat::Container));
/// assert_eq!(FileFormat::detect(b"\xFF\xFF\xFF\xFF\xFF\xFF\xFF\xFE\x05\x25"), Some(FileFormat::Binary));
/// assert_eq!(FileFormat::detect(br#"[{"name":"class"}]"#), None);
/// assert_eq!(FileFormat::detect(b"[]"), None); // could be any JSON file
/// ```
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum FileFormat {
    /// Text: a list whose first object begins with `"class"`.
    Text,
    /// A binary stream: it begins with the declaration of the list of all objects.
    Binary,
    /// A compressed binary stream after the signature `RemsEngineZZ`.
    Container,
}

/// The first bytes of a binary stream, which are two big-endian 32-bit numbers. The number −1
/// starts the definition of an attribute, and −2 defines an empty string as the name of that
/// attribute. The type id of the attribute follows.
const BINARY: [u8; 8] = [0xFF, 0xFF, 0xFF, 0xFF, 0xFF, 0xFF, 0xFF, 0xFE];

impl FileFormat {
    /// Returns the name of the format: `text`, `binary` or `container`.
    pub const fn name(self) -> &'static str {
        match self {
            Self::Text => "text",
            Self::Binary => "binary",
            Self::Container => "container",
        }
    }

    /// Detects the format of a file from its first bytes. Returns `None` if the file is not a save
    /// of Rem's Engine.
    ///
    /// Leading whitespace is skipped. For a binary stream, nine bytes are enough. A text file
    /// without objects looks like any other empty JSON list, and is not detected; see
    /// [`is_empty_list`](Self::is_empty_list).
    pub fn detect(bytes: &[u8]) -> Option<Self> {
        match bytes.split_first_chunk() {
            _ if is_container(bytes) => Some(Self::Container),
            // The type id of the list of all objects: 5 since 2021, `&` in December 2020.
            Some((&BINARY, [5 | b'&', ..])) => Some(Self::Binary),
            _ => is_text(bytes).then_some(Self::Text),
        }
    }

    /// Returns `true` for a text file without objects: an empty list. Engines write and read such
    /// files, but [`detect`](Self::detect) does not recognise them, since any program could have
    /// written an empty list. Bytes after the list are ignored, as in other text files.
    ///
    /// ```
    /// use gamewire::rems::FileFormat;
    ///
    /// assert!(FileFormat::is_empty_list(b"[ ]"));
    /// assert!(!FileFormat::is_empty_list(b"[1]"));
    /// ```
    pub fn is_empty_list(bytes: &[u8]) -> bool {
        matches!(TextReader::<1>::with_depth(bytes).next(), Ok(None))
    }
}

/// Checks for the opening bracket of the file, for the opening brace of the first object, and for
/// the key `"class"` at the start of the first object. As in the reader, any number of commas may
/// precede an object, and comments may precede the key.
fn is_text(bytes: &[u8]) -> bool {
    let mut scan = Scan::new(bytes, 0);
    scan.skip_whitespace();
    if scan.expect(b'[', "").is_err() {
        return false;
    }
    scan.skip_whitespace();
    while scan.peek() == Some(b',') {
        scan.advance(1);
        scan.skip_whitespace();
    }
    if scan.expect(b'{', "").is_err() {
        return false;
    }
    if scan.skip_trivia().is_err() {
        return false;
    }
    let Some(rest) = scan.rest().strip_prefix(b"\"class\"") else { return false };
    let mut scan = Scan::new(rest, 0);
    scan.skip_whitespace();
    scan.peek() == Some(b':')
}
