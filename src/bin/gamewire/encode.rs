//! `gamewire encode`.

use crate::args::Encode;
use crate::input::{self, Stop};
use crate::{lines, report};
use gamewire::godot::Writer;
use gamewire::godot::json::Document;
use std::fmt::Display;
use std::io::{self, IsTerminal, Write};

/// Writes the packets of all lines; whether all went well. Ends at the first that does
/// not, since what follows would stand in its place.
pub fn run(args: &Encode, out: &mut impl Write) -> io::Result<bool> {
    if io::stdout().is_terminal() {
        report::refusal("packets are binary: send standard output to a file or a pipe");
        return Ok(false);
    }
    let (mut number, mut packet) = (0_u64, Vec::new());
    input::each([&args.file], out, |input, out| {
        lines::each_of(input, out, |line, out| {
            number = number.saturating_add(1);
            packet.clear();
            let at = |(byte, reason)| format!("line {number}, byte {byte}: {reason}");
            encode(args, line, &mut packet).map_err(|error| Stop::Input(at(error)))?;
            write(args, &packet, out).map_err(Stop::Output)
        })
    })
}

/// An empty line is no packet. An error says at which byte of the line.
fn encode(args: &Encode, line: &[u8], packet: &mut Vec<u8>) -> Result<(), (u64, String)> {
    let at = |offset: u64, reason: &dyn Display| (offset.saturating_add(1), reason.to_string());
    let text = match str::from_utf8(line) {
        Ok(text) => text.strip_prefix('\u{FEFF}').unwrap_or(text),
        Err(error) => return Err(at(error.valid_up_to() as u64, &"the text is not UTF-8")),
    };
    if text.trim().is_empty() {
        return Ok(());
    }
    let mut writer = Writer::new(packet, args.format.dialect);
    let written = Document::parse(text).and_then(|document| document.write(&mut writer));
    written.map_err(|error| at(error.offset(), error.kind()))
}

fn write(args: &Encode, packet: &[u8], out: &mut impl Write) -> io::Result<()> {
    // (Every value takes four bytes at the least.)
    if args.format.frames && !packet.is_empty() {
        let len = u32::try_from(packet.len()).map_err(io::Error::other)?;
        out.write_all(&len.to_le_bytes())?;
    }
    out.write_all(packet)
}
