//! Packets as text, one a line, and the JSON objects that come out for them.

use crate::args::Source;
use crate::ui::encoding::{Encoding, NotEncoded};
use crate::ui::input::{self, Input, Stop};
use gamewire::godot::Error;
use gamewire::godot::json::Text;
use std::fmt::Display;
use std::io::{self, BufRead, Write};
use std::path::PathBuf;

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
        Err(error) => print_refusal(error.offset(), &error, out),
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
    input::for_each(files, out, |input, out| {
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
