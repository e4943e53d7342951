//! Writes captures for Wireshark (`--write`): the captured packets with comments, exported PDUs, or
//! both.

use super::comment::comment;
use super::json::JsonLines;
use super::state::{self, State};
use super::{Capture, is_accepted, is_shown, open, problem, report_foreign};
use crate::args::Packets;
use crate::ui::file_output::FileOutput;
use crate::ui::input::{self, Input, Stop};
use crate::ui::progress::Progress;
use crate::ui::report;
use crate::ui::text::Count;
use gamewire::capture::{
    Additions, Copier, CopyError, ExportedPdu, Interface, LinkType, Packet, Writer,
};
use gamewire::traffic::methods::MethodNames;
use gamewire::traffic::{Record, Transport};
use std::io::{self, BufWriter, IsTerminal, Write};
use std::path::Path;

/// Maximum captured length of an exported PDU in bytes. Wireshark refuses longer packets.
const MAX_PDU: usize = 256 << 10;

/// Writes all captures to `to`, and the state of a series after them. Returns `true` if all of them
/// could be read to the end.
pub fn run(
    args: &Packets,
    to: &Path,
    names: &MethodNames,
    mut series: Option<State>,
    out: &mut dyn Write,
) -> io::Result<bool> {
    let written = all(args, to, names, series.as_mut(), out)?;
    let carried = series.is_none_or(|series| state::write(args, &series, written));
    Ok(written && carried)
}

fn all(
    args: &Packets,
    to: &Path,
    names: &MethodNames,
    series: Option<&mut State>,
    out: &mut dyn Write,
) -> io::Result<bool> {
    let target = Input::new(to);
    if !target.is_stdin() {
        let mut file = match FileOutput::create(to) {
            Ok(file) => BufWriter::with_capacity(1 << 16, file),
            Err(error) => {
                report::error(&target.name(), error);
                return Ok(false);
            }
        };
        let written = captures(args, names, series, &mut file);
        let written = written.and_then(|ok| {
            file.into_inner().map_err(io::IntoInnerError::into_error)?.commit()?;
            Ok(ok)
        });
        return Ok(written.unwrap_or_else(|error| {
            report::error(&target.name(), error);
            false
        }));
    }
    if io::stdout().is_terminal() {
        report::binary_on_terminal();
        return Ok(false);
    }
    captures(args, names, series, out)
}

/// Writes all captures to `out`, one after another.
fn captures(
    args: &Packets,
    names: &MethodNames,
    mut series: Option<&mut State>,
    out: &mut dyn Write,
) -> io::Result<bool> {
    let mut writer = Writer::new(out);
    if !args.writes_comments() {
        writer.section()?;
        writer.interface(&Interface::new(LinkType::UPPER_PDU))?;
    }
    let mut left = args.files.len();
    input::for_each(&args.files, &mut io::sink(), |input, _| {
        left = left.saturating_sub(1);
        let progress = Progress::of(input, false);
        let capture = match open(input, &progress)? {
            Ok(capture) => capture,
            Err(kind) => {
                drop(progress);
                return Ok(report_foreign(input, kind));
            }
        };
        let (additions, json, lines) = (Additions::default(), Vec::new(), JsonLines::default());
        let found = Found { args, names, additions, json, lines, number: 0, any_record: false };
        let is_last = series.is_none() || left == 0 && args.state_out.is_none();
        let mut own = State::new(args.options());
        let mut decoder = Decoder {
            state: series.as_deref_mut().unwrap_or(&mut own),
            is_last,
            found,
            is_live: input.is_stdin(),
        };
        let read = match args.writes_comments() {
            true => decoder.copy(capture, &mut writer),
            false => decoder.pdus(capture, &mut writer),
        };
        drop(progress); // clears the progress bar before any message
        let dropped = read?;
        if dropped > 0 {
            let dropped = Count(dropped, "addition");
            let problem = format_args!("{dropped} (comments or PDUs) exceeded the limits");
            report::warning(&input.name(), problem);
        }
        if !decoder.found.any_record {
            report::warning(&input.name(), "the capture contains no packets of Godot games");
        }
        Ok(true)
    })
}

/// Decodes the packets of one capture.
struct Decoder<'a> {
    state: &'a mut State,
    /// `true` if no other capture continues this one.
    is_last: bool,
    found: Found<'a>,
    is_live: bool,
}

impl Decoder<'_> {
    /// Copies a capture, and adds what is found in it. Returns the number of additions that were
    /// dropped.
    fn copy(&mut self, capture: Capture, writer: &mut Writer<&mut dyn Write>) -> Result<u64, Stop> {
        let mut copier = Copier::new(capture, writer);
        let read = loop {
            self.found.number = copier.next_number();
            match copier.next_packet() {
                Ok(Some(packet)) => self.packet(&packet),
                Ok(None) => break Ok(()),
                Err(CopyError::Read(error)) => break Err(problem(&error)),
                Err(CopyError::Write(error)) => return Err(Stop::Output(error)),
            }
            copier.add(&mut self.found.additions).map_err(Stop::Output)?;
            // If the capture ends, records that wait for missing packets are added to its last
            // packet, unless another capture follows. A flush would write that packet too early.
            let is_waiting = self.is_last && self.state.conversations.is_waiting();
            if self.is_live && copier.is_drained() && !is_waiting {
                copier.flush().map_err(Stop::Output)?;
            }
        };
        self.finish();
        copier.add(&mut self.found.additions).map_err(Stop::Output)?;
        let dropped = copier.finish().map_err(Stop::Output)?;
        read.map(|()| dropped)
    }

    /// Writes only exported PDUs. Returns the number of PDUs that were dropped.
    fn pdus(
        &mut self,
        mut capture: Capture,
        writer: &mut Writer<&mut dyn Write>,
    ) -> Result<u64, Stop> {
        let read = loop {
            match capture.next_packet() {
                Ok(Some(packet)) => {
                    self.found.number = self.found.number.saturating_add(1);
                    self.packet(&packet);
                }
                Ok(None) => break Ok(()),
                Err(error) => break Err(problem(&error)),
            }
            self.write_pdus(writer)?;
        };
        self.finish();
        self.write_pdus(writer)?;
        read.map(|()| self.found.additions.dropped())
    }

    fn write_pdus(&mut self, writer: &mut Writer<&mut dyn Write>) -> Result<(), Stop> {
        writer.added_packets(0, &mut self.found.additions).map_err(Stop::Output)?;
        match self.is_live {
            true => writer.get_mut().flush().map_err(Stop::Output),
            false => Ok(()),
        }
    }

    fn packet(&mut self, packet: &Packet<'_>) {
        let Self { state: State { conversations, reassembler }, found, .. } = self;
        if let Ok(Some(segment)) = reassembler.segment(packet) {
            conversations.segment(packet.time, &segment, &mut |record| found.record(record));
        }
    }

    /// Adds the records that waited for missing packets, unless another capture follows.
    fn finish(&mut self) {
        let Self { state, found, is_last, .. } = self;
        if *is_last {
            state.conversations.finish(&mut |record| found.record(record));
        }
    }
}

/// What is found in the current packet.
struct Found<'a> {
    args: &'a Packets,
    names: &'a MethodNames,
    additions: Additions,
    /// A reused buffer.
    json: Vec<u8>,
    lines: JsonLines,
    /// Number of the current packet: in the output, or in the capture if only PDUs are written.
    number: u64,
    any_record: bool,
}

impl Found<'_> {
    fn record(&mut self, record: &Record<'_>) {
        let Self { args, names, .. } = *self;
        self.any_record |= !record.is_encrypted();
        if !is_accepted(args, names, record) || !is_shown(args, record) {
            return;
        }
        let comment = comment(record, names);
        if args.writes_comments() {
            self.additions.comment(&comment);
        }
        if args.pdus {
            self.pdu(record, &comment);
        }
    }

    fn pdu(&mut self, record: &Record<'_>, info: &str) {
        let mut pdu = Limited { bytes: std::mem::take(&mut self.json), len: 0 };
        pdu.bytes.clear();
        let tags = ExportedPdu {
            dissector: "json",
            source: record.source,
            destination: record.destination,
            is_tcp: matches!(record.transport, Transport::Tcp | Transport::WebSocket),
            packet: u32::try_from(self.number).unwrap_or(u32::MAX),
            protocol: "Godot",
            info,
        };
        tags.write_tags(&mut pdu.bytes);
        pdu.len = pdu.bytes.len();
        let _ = self.lines.print(record, self.names, &mut pdu); // writing to memory cannot fail
        let len = u32::try_from(pdu.len).unwrap_or(u32::MAX);
        self.additions.packet(record.time, &pdu.bytes, len);
        self.json = pdu.bytes;
    }
}

/// The start of some bytes, and the length of all of them.
struct Limited {
    bytes: Vec<u8>,
    len: usize,
}

impl Write for Limited {
    fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
        self.len = self.len.saturating_add(bytes.len());
        let free = MAX_PDU.saturating_sub(self.bytes.len());
        self.bytes.extend_from_slice(bytes.get(..free).unwrap_or(bytes));
        Ok(bytes.len())
    }

    fn flush(&mut self) -> io::Result<()> {
        Ok(())
    }
}
