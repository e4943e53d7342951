//! Implements the option `--lines`. Each line of the input is a packet in hexadecimal or base64,
//! and each line of the output is a JSON object about one packet. `schema` uses only the code for
//! the input, and `encode` uses only the loop over the lines.

use crate::args::{Size, Source};
use crate::recognise::{Sample, hint_for_encoding};
use crate::ui::encoding::{Encoding, NotEncoded};
use crate::ui::input::{self, Input, Stop};
use crate::ui::report::hint;
use gamewire::godot::Error;
use gamewire::godot::json::Text;
use std::fmt::Display;
use std::io::{self, BufRead, BufReader, Read, Write};
use std::path::PathBuf;

/// A line of a file, decoded as a packet.
pub struct Line<'a> {
    pub input: Input<'a>,
    /// Number of the line, counted from 1.
    pub number: u64,
    pub packet: Result<&'a [u8], NotEncoded>,
}

/// Calls `process` for the packet of each line. If a line is not valid hexadecimal or base64,
/// prints a refusal instead. Returns `true` if all files could be read, even if lines were refused.
pub fn each<W: Write>(
    files: &[PathBuf],
    source: Source,
    max_line: Size,
    out: &mut W,
    mut process: impl FnMut(&[u8], &mut W) -> io::Result<()>,
) -> io::Result<bool> {
    each_line(files, source, max_line, out, |Line { packet, .. }, out| match packet {
        Ok(packet) => process(packet, out),
        Err(error) => print_refusal(error.offset(), &error, out),
    })
}

/// Calls `process` for each line of all files, or of standard input if there are no files. Returns
/// `true` if all files could be read.
pub fn each_line<W: Write>(
    files: &[PathBuf],
    source: Source,
    max_line: Size,
    out: &mut W,
    mut process: impl FnMut(Line<'_>, &mut W) -> io::Result<()>,
) -> io::Result<bool> {
    let stdin = [PathBuf::from("-")];
    let files = if files.is_empty() { &stdin } else { files };
    let encoding = if source.base64 { Encoding::Base64 } else { Encoding::Hex };
    let mut bytes = Vec::new();
    input::for_each(files, out, |input, out| {
        let mut reader = input.open()?;
        let head = reader.fill_buf().map_err(Stop::unreadable)?.to_vec();
        let mut number = 0_u64;
        each_line_in(reader, max_line, out, |text, out| {
            number = number.saturating_add(1);
            let packet = encoding.decode_into(text, &mut bytes).map(|()| &*bytes);
            if number == 1 && packet.is_err() {
                let sample = Sample::ends(input.path(), &head, &[]);
                hint_for_encoding(&sample, encoding).into_iter().for_each(hint);
            }
            process(Line { input, number, packet }, out).map_err(Stop::Output)
        })
    })
}

/// Calls `process` for each line of an input, including its line break. Holds only one line in
/// memory at a time. Fails at a line that is longer than `max_line`.
pub fn each_line_in<W: Write>(
    mut input: BufReader<Box<dyn Read>>,
    max_line: Size,
    out: &mut W,
    mut process: impl FnMut(&[u8], &mut W) -> Result<(), Stop>,
) -> Result<bool, Stop> {
    let mut text = Vec::new();
    for number in 1_u64.. {
        // Print the output for all lines that have been read before waiting for the next line.
        if input.buffer().is_empty() {
            out.flush().map_err(Stop::Output)?;
        }
        text.clear();
        let mut line = input.by_ref().take(max_line.0.saturating_add(1));
        if line.read_until(b'\n', &mut text).map_err(Stop::unreadable)? == 0 {
            break;
        }
        if text.len() as u64 > max_line.0 {
            return Err(Stop::input(format_args!(
                "line {number} is longer than {max_line} (--max-line)"
            )));
        }
        process(&text, out)?;
    }
    Ok(true)
}

/// Prints the start of the JSON object for an accepted packet, up to the value of `member`.
pub fn accepted(size: u64, member: &str, out: &mut impl Write) -> io::Result<()> {
    write!(out, "{{\"ok\":true,\"size\":{size},\"{member}\":")
}

/// Prints the JSON object for a refused packet.
pub fn refused(error: &Error, out: &mut impl Write) -> io::Result<()> {
    print_refusal(error.offset(), error.kind(), out)
}

fn print_refusal(offset: u64, reason: &impl Display, out: &mut impl Write) -> io::Result<()> {
    let reason = reason.to_string();
    writeln!(out, "{{\"ok\":false,\"offset\":{offset},\"error\":{}}}", Text(&reason))
}
