//! `gamewire packets`: the packets of Godot games in captured traffic.

mod details;
mod diagnose;
mod filter;
mod json;
mod line;
mod names;
mod stats;
mod summary;
mod totals;

pub use filter::{Filter, kinds};

use crate::args::Packets;
use crate::recognise::{self, FileKind, Sample};
use crate::ui::input::{self, Input, Stop};
use crate::ui::progress::Progress;
use crate::ui::report;
use crate::ui::text::Offset;
use gamewire::capture::{Error, ErrorKind, Reader};
use gamewire::traffic::methods::MethodNames;
use gamewire::traffic::{Conversations, Record};
use line::Lines;
use names::Names;
use std::io::{self, Cursor, Read, Write};
use totals::Totals;

/// Prints the packets of all captures. Returns `true` if the files with names of methods and all
/// captures could be read to the end.
///
/// The output is a trait object so that the visitors of values are compiled once, rather than
/// for each kind of output.
pub fn run(args: &Packets, mut out: &mut dyn Write) -> io::Result<bool> {
    let Names { names, complete } = match names::load(args) {
        Ok(names) => names,
        Err(problem) => {
            report::refusal(problem);
            return Ok(false);
        }
    };
    if args.diagnose {
        return Ok(diagnose::run(args, &names, out)? && complete);
    }
    let mut totals = Totals::new(args.stats);
    let mut lines = Lines::default();
    let ok = input::for_each(&args.files, &mut out, |input, out| {
        let (names, totals, lines) = (&names, &mut totals, &mut lines);
        let mut printer =
            Printer { args, names, totals, lines, any_record: false, printed: Ok(()), out };
        let progress = Progress::of(input, args.quiet);
        let capture = match open(input, &progress)? {
            Ok(capture) => capture,
            Err(kind) => {
                drop(progress);
                printer.out.flush().map_err(Stop::Output)?;
                return Ok(report_foreign(input, kind));
            }
        };
        let read = printer.capture(capture, input);
        drop(progress); // clears the progress bar before any message
        read?;
        if !printer.any_record {
            printer.out.flush().map_err(Stop::Output)?;
            report::warning(&input.name(), "the capture contains no packets of Godot games");
        }
        Ok(true)
    })?;
    if args.stats || args.quiet {
        totals.print(out)?;
    }
    Ok(ok && complete)
}

/// Opens a capture. Returns the kind of the input if it is recognised and is not a capture.
fn open(input: Input<'_>, progress: &Progress) -> Result<Result<Capture, &'static FileKind>, Stop> {
    let mut stream = progress.wrap(input.open_stream()?);
    let head = first_bytes(&mut stream)?;
    if let Some(kind) = foreign(input, &head) {
        return Ok(Err(kind));
    }
    Ok(Ok(Reader::new(Box::new(head.chain(stream)))))
}

/// Reports an input that is not a capture. Returns `false`.
fn report_foreign(input: Input<'_>, kind: &FileKind) -> bool {
    report::error(&input.name(), format_args!("this is {kind}, not a capture of traffic"));
    report::hint(kind.advice);
    false
}

/// Reads the first bytes of a stream with a single read, which may return only few of them. Does
/// not wait for more, since a live capture can be slow.
fn first_bytes(stream: &mut impl Read) -> Result<Cursor<Vec<u8>>, Stop> {
    let mut head = vec![0; 4096];
    let len = loop {
        match stream.read(&mut head) {
            Err(error) if error.kind() == io::ErrorKind::Interrupted => {}
            read => break read.map_err(|error| Stop::unreadable(error.kind()))?,
        }
    };
    head.truncate(len);
    Ok(Cursor::new(head))
}

/// Returns the kind of an input that is not a capture. Returns `None` if the kind is not
/// recognised, or for a compressed file, since [`problem`] has a better message for it.
fn foreign(input: Input<'_>, head: &Cursor<Vec<u8>>) -> Option<&'static FileKind> {
    let head = head.get_ref();
    let magic = head.first_chunk()?;
    if recognise::is_capture(head) || decompressor(magic).is_some() {
        return None;
    }
    let tail = recognise::tail(input.path());
    recognise::recognise(&Sample::ends(input.path(), head, &tail))
}

type Capture = Reader<Box<dyn io::Read>>;

/// A printer of the records of one capture.
struct Printer<'a> {
    args: &'a Packets,
    names: &'a MethodNames,
    totals: &'a mut Totals,
    lines: &'a mut Lines,
    any_record: bool,
    /// The first error in writing the output. It is stored, since the closure that
    /// [`Conversations`] calls for each record cannot return it.
    printed: io::Result<()>,
    out: &'a mut dyn Write,
}

impl Printer<'_> {
    /// Reads to the end of the capture, or to the first error of input or output.
    fn capture(&mut self, capture: Capture, input: Input<'_>) -> Result<(), Stop> {
        let mut conversations = Conversations::new(self.args.options());
        let read = self.packets(capture, &mut conversations, input.is_stdin());
        // Reports packets that are still waiting for missing packets, even if the capture is
        // truncated.
        conversations.finish(&mut |record| self.record(record));
        std::mem::replace(&mut self.printed, Ok(())).map_err(Stop::Output)?;
        read
    }

    /// Reads all packets. Flushes the output after each packet of a `live` capture.
    fn packets(
        &mut self,
        mut capture: Capture,
        conversations: &mut Conversations,
        live: bool,
    ) -> Result<(), Stop> {
        while let Some(packet) = capture.next_packet().map_err(|error| problem(&error))? {
            self.totals.captured(packet.time, packet.data.len());
            match &packet.segment() {
                Ok(segment) => {
                    let mut listener = |record: &Record<'_>| self.record(record);
                    conversations.segment(packet.time, segment, &mut listener);
                }
                Err(reason) => self.totals.skipped(*reason),
            }
            if live && self.printed.is_ok() {
                self.printed = self.out.flush();
            }
            if self.printed.is_err() {
                break;
            }
        }
        Ok(())
    }

    fn record(&mut self, record: &Record<'_>) {
        self.any_record = true;
        let filters = &self.args.filters;
        if !filters.iter().all(|filter| filter.accepts(record, self.names)) {
            return;
        }
        self.totals.add(record, self.names);
        if !self.args.quiet && self.printed.is_ok() && self.is_shown(record) {
            self.printed = self.print(record);
        }
    }

    /// Returns `true` if the record is printed. Control packets are printed only on request.
    fn is_shown(&self, record: &Record<'_>) -> bool {
        !record.is_control() || self.args.all || self.args.filters.iter().any(Filter::selects_kinds)
    }

    fn print(&mut self, record: &Record<'_>) -> io::Result<()> {
        let Self { args, names, out, .. } = self;
        if args.json {
            return json::print(record, names, *out);
        }
        self.lines.print(record, names, *out)?;
        match (args.tree, args.hex) {
            (true, hex) => details::tree(record, hex, *out),
            (false, true) => details::bytes(record, *out),
            (false, false) => Ok(()),
        }
    }
}

/// Returns the message for the error at which reading of a capture stopped.
fn problem(error: &Error) -> Stop {
    let offset = Offset(error.offset());
    match (error.offset(), error.kind()) {
        (0, ErrorKind::CutOff { missing: 4 }) => Stop::input("not a capture: the input is empty"),
        (0, ErrorKind::Read(kind)) => Stop::input(kind),
        (0, kind @ ErrorKind::NotACapture(magic)) => match decompressor(magic) {
            None => Stop::input(format_args!("not a capture: {kind}")),
            Some(tool) => Stop::input(format_args!(
                "the capture is compressed; try `{tool} FILE | gamewire packets -`"
            )),
        },
        (_, kind) => Stop::input(format_args!("offset {offset}: {kind}")),
    }
}

/// Returns the command that decompresses a file that starts with these bytes.
fn decompressor(magic: &[u8; 4]) -> Option<&'static str> {
    match magic {
        [0x1F, 0x8B, ..] => Some("gzip -dc"),
        [0x28, 0xB5, 0x2F, 0xFD] => Some("zstd -dc"),
        [0xFD, b'7', b'z', b'X'] => Some("xz -dc"),
        _ => None,
    }
}
