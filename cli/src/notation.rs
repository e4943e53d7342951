//! `gamewire text`.

use crate::args::Text;
use crate::json::TextOf;
use crate::{input, pieces};
use std::fmt::{self, Display, Write as _};
use std::io::{self, IsTerminal, Write};

/// Prints all values of all files; whether all were fine.
pub fn run(args: &Text, out: &mut impl Write) -> io::Result<bool> {
    input::each(&args.files, out, |input, out| {
        let (name, bytes) = (input.name(), input.load(args.source)?);
        pieces::each(&name, &bytes, args.source.format, out, |value, out| line(value, out))
    })
}

/// Prints what prints in the notation, and ends the line.
pub fn line(value: impl Display, out: &mut impl Write) -> io::Result<()> {
    let escapes = io::stdout().is_terminal();
    TextOf::write(out, |text| match escapes {
        true => writeln!(Harmless(text), "{value}"),
        false => writeln!(text, "{value}"),
    })
}

/// Control characters, which the notation has raw, as the escapes that it reads, too: whoever
/// wrote a packet must not get to write to a terminal.
struct Harmless<W>(W);

impl<W: fmt::Write> fmt::Write for Harmless<W> {
    fn write_str(&mut self, text: &str) -> fmt::Result {
        let is_plain = |character: char| !character.is_control() || "\n\t".contains(character);
        text.chars().try_for_each(|character| match is_plain(character) {
            true => self.0.write_char(character),
            false => write!(self.0, "\\u{:04x}", u32::from(character)),
        })
    }
}
