//! `gamewire packets`: the packets of Godot games in captured traffic.

mod comment;
mod details;
mod diagnose;
mod encrypted;
mod flow;
mod json;
mod json_text;
mod ledger;
mod line;
mod names;
mod page;
#[cfg(feature = "parquet")]
mod parquet;
#[cfg(not(feature = "parquet"))]
#[path = "packets/no_parquet.rs"]
mod parquet;
mod seconds;
mod state;
mod stats;
mod stats_json;
mod stats_table;
mod summary;
mod totals;
pub mod wireshark;
mod write;

pub use ledger::{Sort, View};

use crate::args::Packets;
use crate::recognise::{self, FileKind, Sample};
use crate::ui::budget;
use crate::ui::input::{self, Input, Stop};
use crate::ui::parallel;
use crate::ui::progress::Progress;
use crate::ui::report;
use crate::ui::text::{Count, Offset};
use gamewire::capture::{Error, ErrorKind, Reader};
use gamewire::traffic::methods::MethodNames;
use gamewire::traffic::{Filter, Record};
use json::JsonLines;
use line::Lines;
use names::Names;
use state::State;
use std::io::{self, Cursor, Read, Write};
use std::path::PathBuf;
use totals::Totals;

/// Maximum number of bytes of output that wait until those of earlier captures are printed, for
/// each capture.
const WAITING: usize = 16 << 20;

/// Prints the packets of all captures. Returns `true` if all files could be read to the end: the
/// captures, and the files with names of methods.
///
/// The output is a trait object. Otherwise, the visitors of values would be compiled once for each
/// type of output.
pub fn run(args: &Packets, mut out: &mut dyn Write) -> io::Result<bool> {
    let loaded = names::load(args).and_then(|names| Ok((names, State::of_series(args)?)));
    let (Names { names, complete }, series) = match loaded {
        Ok(loaded) => loaded,
        Err(problem) => {
            report::refusal(problem);
            return Ok(false);
        }
    };
    if args.diagnose {
        return Ok(diagnose::run(args, &names, out)? && complete);
    }
    if let Some(to) = &args.write {
        return Ok(write::run(args, to, &names, series, out)? && complete);
    }
    let read = match series {
        None if can_use_all_cores(args) => on_all_cores(args, &names, &mut out)?,
        series => one_by_one(args, &names, series, out)?,
    };
    Ok(read && complete)
}

/// Prints the packets of one capture after another, and what is collected over all of them.
fn one_by_one(
    args: &Packets,
    names: &MethodNames,
    mut series: Option<State>,
    mut out: &mut dyn Write,
) -> io::Result<bool> {
    let mut totals = Totals::new(args.stats || args.report.is_some());
    let mut texts = Texts::default();
    let mut table = parquet::Output::new(args);
    let mut file_names = parquet::file_names(args).into_iter();
    let read = input::for_each(&args.files, &mut out, |input, out| {
        if series.is_none() {
            texts = Texts::default();
        }
        let progress = Progress::of(input, args.quiet);
        if let (Some(table), Some(name)) = (&mut table, file_names.next()) {
            table.set_name(&name);
        }
        let mut printer = Printer::new(args, names, &mut totals, &mut texts, out);
        printer.table = table.as_mut();
        let outcome = read(input, printer, progress, series.as_mut())?;
        out.flush().map_err(Stop::Output)?;
        Ok(outcome.report(input, args))
    });
    let read = read.and_then(|ok| {
        if let Some(series) = &mut series {
            let mut printer = Printer::new(args, names, &mut totals, &mut texts, out);
            printer.table = table.as_mut();
            printer.end_series(series)?;
        }
        Ok(ok)
    });
    if let Some(Err(failure)) = table.map(parquet::Output::finish) {
        failure.report();
        return Ok(false);
    }
    let mut ok = read?;
    if let Some(series) = &series {
        ok &= state::write(args, series, ok);
    }
    if args.stats || args.quiet {
        totals.print(args, out)?;
    }
    let reported = match (&args.report, &totals.stats) {
        (Some(path), Some(stats)) => page::write(path, &args.files, &totals, stats),
        _ => true,
    };
    Ok(ok && reported)
}

/// Returns `true` if several captures can be read at the same time: if the output contains nothing
/// that is collected over all captures, and no input is a pipe, whose packets may arrive slowly.
fn can_use_all_cores(args: &Packets) -> bool {
    let is_file = |path: &PathBuf| Input::new(path).size().is_some();
    let has_totals = args.stats || args.quiet || args.report.is_some();
    let is_separate = args.parquet.as_ref().is_none_or(|table| args.is_folder(table));
    !has_totals && is_separate && args.files.len() > 1 && args.files.iter().all(is_file)
}

/// Prints the records of all captures, or writes a table for each capture. Reads several captures at
/// the same time.
fn on_all_cores(args: &Packets, names: &MethodNames, out: &mut &mut dyn Write) -> io::Result<bool> {
    let file_names = parquet::file_names(args);
    let process = |index: usize, input: Input<'_>, out: &mut dyn Write| {
        let (mut totals, mut texts) = (Totals::new(false), Texts::default());
        let mut table = parquet::Output::new(args);
        let _reserved = table.is_some().then(|| budget::FILES.reserve(parquet::MEMORY));
        if let (Some(table), Some(name)) = (&mut table, file_names.get(index)) {
            table.set_name(name);
        }
        let mut printer = Printer::new(args, names, &mut totals, &mut texts, out);
        printer.table = table.as_mut();
        let outcome = read(input, printer, Progress::none(), None);
        let written = table.map_or(Ok(()), parquet::Output::finish);
        (outcome, written)
    };
    let (mut ok, mut failure) = (true, None);
    let progress = Progress::files(args.files.len());
    let read = parallel::in_order(&args.files, WAITING, out, process, |input, result, out| {
        let (outcome, written) = result;
        out.flush()?;
        if let Err(error) = written {
            failure = Some(error);
            return Err(io::ErrorKind::Other.into());
        }
        let result = outcome.map(|outcome| outcome.report(input, args));
        ok &= input::report_stop(input, result, out)?;
        progress.advance(1);
        Ok(())
    });
    if let Some(failure) = failure {
        failure.report();
        return Ok(false);
    }
    read?;
    Ok(ok)
}

/// Prints the records of a capture.
fn read(
    input: Input<'_>,
    mut printer: Printer<'_>,
    progress: Progress,
    series: Option<&mut State>,
) -> Result<Outcome, Stop> {
    let capture = match open(input, &progress)? {
        Ok(capture) => capture,
        Err(kind) => return Ok(Outcome::Foreign(kind)),
    };
    printer.capture(capture, input, series)?;
    let Printer { encrypted, any_record, other_bytes, .. } = printer;
    Ok(Outcome::Capture { encrypted, any_record, other_bytes })
}

/// What is known about an input that was read.
enum Outcome {
    /// The input is not a capture.
    Foreign(&'static FileKind),
    Capture {
        encrypted: encrypted::Conversations,
        /// `true` if the capture contains records of games.
        any_record: bool,
        /// Number of bytes in the capture that are in no record.
        other_bytes: u64,
    },
}

impl Outcome {
    /// Prints warnings. Returns `false` if the input is not a capture.
    fn report(&self, input: Input<'_>, args: &Packets) -> bool {
        let (encrypted, any_record, other_bytes) = match self {
            Self::Foreign(kind) => return report_foreign(input, kind),
            Self::Capture { encrypted, any_record, other_bytes } => {
                (encrypted, *any_record, *other_bytes)
            }
        };
        if !any_record {
            report::warning(&input.name(), "the capture contains no packets of Godot games");
            if other_bytes > 0 {
                let bytes = Count(other_bytes, "byte");
                report::hint(format_args!(
                    "{bytes} of other protocols are not listed (--all lists them)"
                ));
            }
        }
        encrypted.report(&input.name(), !any_record || args.port.is_some());
        true
    }
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

/// Reads the first bytes of a stream. Reads only once, even if the read returns only a few bytes,
/// because the next bytes of a live capture may come late.
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
/// recognised. Also returns `None` for a compressed file, because [`problem`] has a better message
/// for such files.
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

/// The printers of single records.
#[derive(Debug, Default)]
struct Texts {
    lines: Lines,
    json: JsonLines,
}

/// A printer of the records of one capture.
struct Printer<'a> {
    args: &'a Packets,
    names: &'a MethodNames,
    totals: &'a mut Totals,
    texts: &'a mut Texts,
    /// The output of `--parquet`.
    table: Option<&'a mut parquet::Output>,
    encrypted: encrypted::Conversations,
    any_record: bool,
    /// Number of bytes in the capture that are in no record.
    other_bytes: u64,
    /// The first error in writing the output. It is stored, since the closure that
    /// [`Conversations`](gamewire::traffic::Conversations) calls for each record cannot return it.
    printed: io::Result<()>,
    out: &'a mut dyn Write,
}

impl<'a> Printer<'a> {
    fn new(
        args: &'a Packets,
        names: &'a MethodNames,
        totals: &'a mut Totals,
        texts: &'a mut Texts,
        out: &'a mut dyn Write,
    ) -> Self {
        Self {
            args,
            names,
            totals,
            texts,
            table: None,
            encrypted: encrypted::Conversations::default(),
            any_record: false,
            other_bytes: 0,
            printed: Ok(()),
            out,
        }
    }

    /// Reads to the end of the capture, or to the first error of input or output. A capture of a
    /// series continues with the state of the series.
    fn capture(
        &mut self,
        mut capture: Capture,
        input: Input<'_>,
        series: Option<&mut State>,
    ) -> Result<(), Stop> {
        if let Some(table) = &mut self.table {
            table.begin(input).map_err(Stop::Output)?;
        }
        let (is_last, mut own) = (series.is_none(), State::new(self.args.options()));
        let state = series.unwrap_or(&mut own);
        let read = self.packets(&mut capture, state, input.is_stdin());
        // Reports packets that are still waiting for missing packets, even if the capture is
        // truncated.
        self.end(state, capture.offset(), is_last);
        std::mem::replace(&mut self.printed, Ok(())).map_err(Stop::Output)?;
        if let Some(table) = &mut self.table {
            table.end().map_err(Stop::Output)?;
        }
        read.map_err(|error| problem(&error))
    }

    /// Ends a series of captures. If no other captures will continue it, reports the packets that
    /// still wait for missing packets.
    fn end_series(&mut self, state: &mut State) -> io::Result<()> {
        if self.args.state_out.is_none() {
            self.end(state, 0, true);
        }
        std::mem::replace(&mut self.printed, Ok(()))?;
        self.out.flush()
    }

    /// Ends a capture of `len` bytes. If it `is_last`, reports the packets that wait for missing
    /// packets. Otherwise, keeps them for the next capture.
    fn end(&mut self, state: &mut State, len: u64, is_last: bool) {
        let State { conversations, reassembler } = state;
        if let Some(table) = &mut self.table {
            table.frame(None);
        }
        if is_last {
            conversations.finish(&mut |record| self.record(record));
        }
        if let Some(stats) = &mut self.totals.stats {
            stats.ledger.finish(conversations.breakdown(), len);
        }
        let (skipped, other) = match is_last {
            true => (reassembler.skipped(), conversations.other_protocols()),
            false => (reassembler.next_capture(), conversations.next_capture()),
        };
        for (reason, count) in skipped {
            self.totals.skipped(reason, count);
        }
        self.other_bytes = other.bytes;
        self.totals.other_protocols(other);
    }

    /// Reads all packets. Flushes the output after each packet of a `live` capture.
    fn packets(
        &mut self,
        capture: &mut Capture,
        state: &mut State,
        live: bool,
    ) -> Result<(), Error> {
        let State { conversations, reassembler } = state;
        let mut number = 0_u64;
        while let Some(packet) = capture.next_packet()? {
            number = number.saturating_add(1);
            if let Some(table) = &mut self.table {
                table.frame(Some((number, packet.original_len)));
            }
            self.totals.captured(packet.time, packet.data.len());
            let segment = reassembler.segment(&packet);
            if let Some(stats) = &mut self.totals.stats {
                stats.ledger.packet(&packet, &segment, conversations.breakdown());
            }
            match &segment {
                Ok(None) => {}
                Ok(Some(segment)) => {
                    let mut listener = |record: &Record<'_>| self.record(record);
                    conversations.segment(packet.time, segment, &mut listener);
                }
                Err(reason) => self.totals.skipped(*reason, 1),
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
        match record.is_encrypted() {
            true => self.encrypted.add(record),
            false => self.any_record = true,
        }
        if !is_accepted(self.args, self.names, record) {
            self.totals.exclude(record);
            return;
        }
        self.totals.add(record, self.names);
        let is_written = self.args.prints_records() || self.table.is_some();
        if is_written && self.printed.is_ok() && is_shown(self.args, record) {
            self.printed = self.print(record);
        }
    }

    fn print(&mut self, record: &Record<'_>) -> io::Result<()> {
        let Self { args, names, out, .. } = self;
        if let Some(table) = &mut self.table {
            return table.add(record, names);
        }
        if args.json {
            return self.texts.json.print(record, names, *out);
        }
        self.texts.lines.print(record, names, *out)?;
        match (args.tree, args.hex) {
            (true, hex) => details::tree(record, hex, *out),
            (false, true) => details::bytes(record, *out),
            (false, false) => Ok(()),
        }
    }
}

/// Returns `true` if all filters accept the record.
fn is_accepted(args: &Packets, names: &MethodNames, record: &Record<'_>) -> bool {
    args.filters.iter().all(|filter| filter.accepts(record, names))
}

/// Returns `true` if an accepted record is shown. Control packets and encrypted traffic are shown
/// only on request. For encrypted traffic, giving the option `--port` is a request, too.
fn is_shown(args: &Packets, record: &Record<'_>) -> bool {
    let shown = match record.is_encrypted() {
        true => args.port.is_some(),
        false => !record.is_control(),
    };
    shown || args.all || args.filters.iter().any(Filter::selects_kinds)
}

/// Returns the message for an error that ended the reading of a capture.
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
