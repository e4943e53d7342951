//! Packets as text, one a line, and the JSON objects that come out for them.

use crate::args::Source;
use crate::input::{self, Input, Stop};
use data_encoding::{DecodeError, DecodeKind, Specification};
use gamewire::godot::Error;
use gamewire::godot::json::Text;
use std::fmt::{self, Display};
use std::io::{self, BufRead, Write};
use std::path::PathBuf;
use std::sync::LazyLock;

/// How bytes are written as text. Spaces count nowhere.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Encoding {
    Hex,
    Base64,
}

const SPACES: &str = " \t\r\n";

#[allow(clippy::expect_used, reason = "valid, as every run of the tests shows")]
static HEX: LazyLock<data_encoding::Encoding> = LazyLock::new(|| {
    let mut hex = Specification::new();
    hex.symbols.push_str("0123456789abcdef");
    hex.translate.from.push_str("ABCDEF");
    hex.translate.to.push_str("abcdef");
    hex.ignore.push_str(SPACES);
    hex.encoding().expect("hexadecimal")
});

#[allow(clippy::expect_used, reason = "valid, as every run of the tests shows")]
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

    fn decode_into(self, text: &[u8], bytes: &mut Vec<u8>) -> Result<(), NotEncoded> {
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

/// Text that is not in the encoding.
#[derive(Debug)]
pub struct NotEncoded {
    encoding: Encoding,
    error: DecodeError,
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

/// A line of a file, and the packet it stands for.
pub struct Line<'a> {
    pub input: Input<'a>,
    /// Counted from 1.
    pub number: u64,
    pub packet: Result<&'a [u8], NotEncoded>,
}

/// Gives each line's packet to `line`, which prints an object for it. Whether all files
/// could be read; what is in them changes nothing.
pub fn each<W: Write>(
    files: &[PathBuf],
    source: Source,
    out: &mut W,
    mut line: impl FnMut(&[u8], &mut W) -> io::Result<()>,
) -> io::Result<bool> {
    each_line(files, source, out, |Line { packet, .. }, out| match packet {
        Ok(packet) => line(packet, out),
        Err(error) => print_refusal(error.error.position as u64, &error, out),
    })
}

/// Gives each line of all files to `line`. Whether they could be read.
pub fn each_line<W: Write>(
    files: &[PathBuf],
    source: Source,
    out: &mut W,
    mut line: impl FnMut(Line<'_>, &mut W) -> io::Result<()>,
) -> io::Result<bool> {
    let stdin = [PathBuf::from("-")];
    let files = if files.is_empty() { &stdin } else { files };
    let encoding = if source.base64 { Encoding::Base64 } else { Encoding::Hex };
    let mut bytes = Vec::new();
    input::each(files, out, |input, out| {
        let mut number = 0_u64;
        each_of(input, out, |text, out| {
            number = number.saturating_add(1);
            let packet = encoding.decode_into(text, &mut bytes).map(|()| &*bytes);
            line(Line { input, number, packet }, out).map_err(Stop::Output)
        })
    })
}

/// Gives each line of an input to `line`, its end included, in memory for one.
pub fn each_of<W: Write>(
    input: Input<'_>,
    out: &mut W,
    mut line: impl FnMut(&[u8], &mut W) -> Result<(), Stop>,
) -> Result<bool, Stop> {
    let mut input = input.open()?;
    let mut text = Vec::new();
    loop {
        // Whoever waits for an answer before the next line gets it.
        if input.buffer().is_empty() {
            out.flush().map_err(Stop::Output)?;
        }
        text.clear();
        if input.read_until(b'\n', &mut text).map_err(Stop::input)? == 0 {
            return Ok(true);
        }
        line(&text, out)?;
    }
}

/// How the object of an accepted packet begins; the member's value is next.
pub fn accepted(size: u64, member: &str, out: &mut impl Write) -> io::Result<()> {
    write!(out, "{{\"ok\":true,\"size\":{size},\"{member}\":")
}

/// The object of a refused packet.
pub fn refused(error: &Error, out: &mut impl Write) -> io::Result<()> {
    print_refusal(error.offset(), error.kind(), out)
}

fn print_refusal(offset: u64, reason: &impl Display, out: &mut impl Write) -> io::Result<()> {
    let reason = reason.to_string();
    writeln!(out, "{{\"ok\":false,\"offset\":{offset},\"error\":{}}}", Text(&reason))
}
