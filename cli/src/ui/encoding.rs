//! Encodings of bytes as text: hexadecimal and base64.

use data_encoding::{DecodeError, DecodeKind, Specification};
use std::fmt::{self, Display};
use std::sync::LazyLock;

/// An encoding of bytes as text. Whitespace is ignored.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Encoding {
    Hex,
    Base64,
}

const SPACES: &str = " \t\r\n";

#[allow(clippy::expect_used, reason = "a constant specification, which the tests use")]
static HEX: LazyLock<data_encoding::Encoding> = LazyLock::new(|| {
    let mut hex = Specification::new();
    hex.symbols.push_str("0123456789abcdef");
    hex.translate.from.push_str("ABCDEF");
    hex.translate.to.push_str("abcdef");
    hex.ignore.push_str(SPACES);
    hex.encoding().expect("hexadecimal")
});

#[allow(clippy::expect_used, reason = "a constant specification, which the tests use")]
static BASE64: LazyLock<data_encoding::Encoding> = LazyLock::new(|| {
    let mut base64 = data_encoding::BASE64.specification();
    base64.ignore.push_str(SPACES);
    base64.encoding().expect("base64")
});

impl Encoding {
    pub fn decode(self, text: &[u8]) -> Result<Vec<u8>, NotEncoded> {
        let mut bytes = Vec::new();
        self.decode_into(text, &mut bytes)?;
        Ok(bytes)
    }

    /// Decodes `text`, and replaces the content of `bytes` with the result.
    pub fn decode_into(self, text: &[u8], bytes: &mut Vec<u8>) -> Result<(), NotEncoded> {
        let encoding = match self {
            Self::Hex => &HEX,
            Self::Base64 => &BASE64,
        };
        let fail = |error: DecodeError| NotEncoded { encoding: self, error };
        bytes.resize(encoding.decode_len(text.len()).map_err(fail)?, 0);
        let len = encoding.decode_mut(text, bytes).map_err(|partial| fail(partial.error))?;
        bytes.truncate(len);
        Ok(())
    }
}

/// An error that occurred while decoding.
#[derive(Debug)]
pub struct NotEncoded {
    encoding: Encoding,
    error: DecodeError,
}

impl NotEncoded {
    /// Returns the offset of the error in the text.
    pub fn offset(&self) -> u64 {
        self.error.position as u64
    }
}

impl Display for NotEncoded {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let name = match self.encoding {
            Encoding::Hex => "hexadecimal",
            Encoding::Base64 => "base64",
        };
        let why = match self.error.kind {
            DecodeKind::Length | DecodeKind::Padding => "it ends too early",
            DecodeKind::Symbol => "a character that has no meaning there",
            DecodeKind::Trailing => "bits left over at the end",
        };
        write!(f, "the text is not {name}: {why}")
    }
}

impl std::error::Error for NotEncoded {}
