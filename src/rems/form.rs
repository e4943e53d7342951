//! In which form a file is.

use super::is_container;
use super::text::Scan;

/// In which form a file is, as its first bytes tell.
///
/// ```
/// use gamewire::rems::FileForm;
///
/// assert_eq!(FileForm::of(br#"[ {"class": "Prefab", "i:*ptr": 1}]"#), Some(FileForm::Text));
/// assert_eq!(FileForm::of(b"RemsEngineZZ\x78\x9C"), Some(FileForm::Container));
/// assert_eq!(FileForm::of(b"\xFF\xFF\xFF\xFF\xFF\xFF\xFF\xFE\x05\x25"), Some(FileForm::Binary));
/// assert_eq!(FileForm::of(br#"[{"name":"class"}]"#), None);
/// assert_eq!(FileForm::of(b"[]"), None); // anybody's
/// ```
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum FileForm {
    /// A text: a list whose first object begins with `"class"`.
    Text,
    /// A binary stream: it begins with the declaration of the list of all objects.
    Binary,
    /// A binary stream that is compressed, behind the letters `RemsEngineZZ`.
    Container,
}

/// A new attribute, whose name is a new string of no length; then the type.
const BINARY: [u8; 8] = [0xFF, 0xFF, 0xFF, 0xFF, 0xFF, 0xFF, 0xFF, 0xFE];

impl FileForm {
    /// The form of a file that begins so; none if it is no save of Rem's Engine.
    ///
    /// A text without objects is not told from any other empty list. Blanks are passed over, so a
    /// beginning of any length does; of a binary stream nine bytes are looked at.
    pub fn of(bytes: &[u8]) -> Option<Self> {
        match bytes.split_first_chunk() {
            _ if is_container(bytes) => Some(Self::Container),
            // A number, or the letter of December 2020.
            Some((&BINARY, [5 | b'&', ..])) => Some(Self::Binary),
            _ => is_text(bytes).then_some(Self::Text),
        }
    }
}

/// The brackets, and the key that every object begins with. Commas between objects may be any
/// number, also before the first; and before the key there may be comments, as for the reader.
fn is_text(bytes: &[u8]) -> bool {
    let mut scan = Scan::new(bytes, 0);
    scan.blanks();
    if scan.expect(b'[', "").is_err() {
        return false;
    }
    scan.blanks();
    while scan.peek() == Some(b',') {
        scan.bump(1);
        scan.blanks();
    }
    if scan.expect(b'{', "").is_err() {
        return false;
    }
    if scan.gap().is_err() {
        return false;
    }
    let Some(rest) = scan.rest().strip_prefix(b"\"class\"") else { return false };
    let mut scan = Scan::new(rest, 0);
    scan.blanks();
    scan.peek() == Some(b':')
}
