//! `gamewire encode`.

use super::packet_lines;
use crate::args::Encode;
use crate::content;
use crate::recognise::{self, Sample};
use crate::ui::input::{self, Input, Stop};
use crate::ui::{file_output, report};
use crate::unreal;
use gamewire::godot::Writer;
use gamewire::godot::json::Document;
use gamewire::godot::notation::{Error, Reading};
use std::fmt::{self, Display};
use std::fs;
use std::io::{self, BufRead, IsTerminal, Read, Write};

/// Writes the packets of all values in the input. Stops at the first error and returns `false`. If
/// the packets after the error were written, a reader of the output could not notice that one is
/// missing before them. After an error, a file that `--output` names keeps its old content.
pub fn run(args: &Encode, out: &mut impl Write) -> io::Result<bool> {
    if args.is_unreal() {
        return unreal::encode(args, out);
    }
    let output = args.output.as_deref().map(Input::new).filter(|output| !output.is_stdin());
    if let Some(output) = output {
        return write_file(args, output).or_else(|error| {
            report::error(&output.name(), error);
            Ok(false)
        });
    }
    if io::stdout().is_terminal() {
        report::binary_on_terminal();
        return Ok(false);
    }
    encode(args, out)
}

/// Writes a file. If it exists and is compressed or encrypted, the new content is, too.
fn write_file(args: &Encode, output: Input<'_>) -> io::Result<bool> {
    if !content::is_container(output) {
        return file_output::write_with(output.path(), |out| encode(args, out));
    }
    let old = fs::read(output.path())?;
    let form = content::open(old, args.key).map_err(io::Error::other)?.form;
    let mut packets = Vec::new();
    if !encode(args, &mut packets)? {
        return Ok(false);
    }
    let file = form.restore(packets).map_err(io::Error::other)?;
    file_output::write(output.path(), &file).map(|()| true)
}

fn encode(args: &Encode, mut out: &mut dyn Write) -> io::Result<bool> {
    match args.text {
        true => encode_text(args, &mut out),
        false => encode_json_lines(args, &mut out),
    }
}

/// Reads consecutive values in the text notation, and encodes them as packets. A value may span
/// several lines.
fn encode_text(args: &Encode, out: &mut impl Write) -> io::Result<bool> {
    let mut options = Reading::of(args.format().dialect);
    options = if args.double { options.double() } else { options };
    options = if args.as_the_engine { options.as_the_engine() } else { options };
    input::for_each([&args.file], out, |input, out| {
        let mut bytes = Vec::new();
        input.open()?.read_to_end(&mut bytes).map_err(Stop::input)?;
        let text = match String::from_utf8(bytes) {
            Ok(text) => text,
            Err(error) => {
                let stop = Stop::input(error.utf8_error());
                return report_foreign(args, input, error.as_bytes(), stop);
            }
        };
        let mut rest = text.strip_prefix('\u{FEFF}').unwrap_or(&text);
        let at = |rest: &str, error: &Error, reason: &dyn Display| {
            let before = text.len().saturating_sub(rest.len());
            let offset = usize::try_from(error.offset()).unwrap_or(usize::MAX);
            Stop::Input(format!(
                "{}: {reason}",
                LineAndColumn(&text, before.saturating_add(offset))
            ))
        };
        let mut is_first = true;
        let mut encode = || -> Result<bool, Stop> {
            while let Some((value, after)) =
                options.read_first(rest).map_err(|error| at(rest, &error, error.kind()))?
            {
                let packet = value.to_bytes(args.format().dialect).map_err(Stop::input)?;
                write(args, &packet, out).map_err(Stop::Output)?;
                (rest, is_first) = (after, false);
            }
            Ok(true)
        };
        match encode() {
            Err(stop) if is_first => report_foreign(args, input, text.as_bytes(), stop),
            encoded => encoded,
        }
    })
}

/// The line and column of a byte offset in a string. The column is counted in bytes.
struct LineAndColumn<'t>(&'t str, usize);

impl Display for LineAndColumn<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let before = self.0.as_bytes().get(..self.1).unwrap_or(self.0.as_bytes());
        let lines = before.split(|byte| *byte == b'\n');
        let column = lines.clone().next_back().map_or(0, <[u8]>::len);
        write!(f, "line {}, byte {}", lines.count(), column.saturating_add(1))
    }
}

fn encode_json_lines(args: &Encode, out: &mut impl Write) -> io::Result<bool> {
    let (mut number, mut packet) = (0_u64, Vec::new());
    input::for_each([&args.file], out, |input, out| {
        let mut reader = input.open()?;
        let head = reader.fill_buf().map_err(Stop::unreadable)?.to_vec();
        let encoded = packet_lines::each_line_in(reader, args.max_line, out, |line, out| {
            number = number.saturating_add(1);
            packet.clear();
            let at = |(byte, reason)| format!("line {number}, byte {byte}: {reason}");
            encode_line(args, line, &mut packet).map_err(|error| Stop::Input(at(error)))?;
            write(args, &packet, out).map_err(Stop::Output)
        });
        match encoded {
            Err(stop) if number <= 1 => report_foreign(args, input, &head, stop),
            encoded => encoded,
        }
    })
}

/// Handles the error `stop` in the first value of an input. If the input is recognised as a file of
/// a different kind, reports its kind instead. Otherwise returns `stop`.
fn report_foreign(args: &Encode, input: Input<'_>, head: &[u8], stop: Stop) -> Result<bool, Stop> {
    let tail = recognise::tail(input.path());
    let sample = Sample::ends(input.path(), head, &tail);
    match (&stop, recognise::recognise_unencodable(&sample)) {
        (Stop::Input(_), Some(kind)) => {
            report::error(&input.name(), format_args!("this is {kind}, not text with values"));
            report::hint(kind.advice);
            Ok(false)
        }
        (Stop::Input(_), None) => match recognise::hint_for_encode(&sample, args.text) {
            Some(hint) => {
                report::error(&input.name(), stop);
                report::hint(hint);
                Ok(false)
            }
            None => Err(stop),
        },
        _ => Err(stop),
    }
}

/// Encodes one line. A blank line results in an empty packet. The error contains the position in
/// the line, counted from 1, and the reason.
fn encode_line(args: &Encode, line: &[u8], packet: &mut Vec<u8>) -> Result<(), (u64, String)> {
    let at = |offset: u64, reason: &dyn Display| (offset.saturating_add(1), reason.to_string());
    let text = match str::from_utf8(line) {
        Ok(text) => text.strip_prefix('\u{FEFF}').unwrap_or(text),
        Err(error) => return Err(at(error.valid_up_to() as u64, &"the text is not UTF-8")),
    };
    if text.trim().is_empty() {
        return Ok(());
    }
    let mut writer = Writer::new(packet, args.format().dialect);
    let written = Document::parse(text).and_then(|document| document.write(&mut writer));
    written.map_err(|error| at(error.offset(), error.kind()))
}

fn write(args: &Encode, packet: &[u8], out: &mut impl Write) -> io::Result<()> {
    // Every value takes at least four bytes, so only a blank line results in an empty packet. An
    // empty packet gets no frame.
    let format = args.format();
    if format.frames && !packet.is_empty() {
        out.write_all(&format.framing().prefix(packet.len()).map_err(io::Error::other)?)?;
    }
    out.write_all(packet)
}
