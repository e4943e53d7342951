//! `gamewire packets`.

mod below;
mod brief;
mod details;
mod filter;
mod kind;
mod line;
mod object;
mod totals;

pub use filter::{Filter, kinds};

use crate::args::Packets;
use crate::methods::Methods;
use crate::ui::input::{self, Input, Stop};
use crate::ui::progress::Progress;
use crate::ui::report;
use crate::ui::text::Offset;
use gamewire::capture::{Error, ErrorKind, Reader};
use gamewire::traffic::{Conversations, Record};
use line::Lines;
use std::io::{self, Write};
use totals::Totals;

/// Reads all captures; whether all were whole.
pub fn run(args: &Packets, out: &mut impl Write) -> io::Result<bool> {
    let mut methods = Methods::default();
    if let Err(problem) = names(args, &mut methods) {
        report::refusal(problem);
        return Ok(false);
    }
    let mut totals = Totals::new(args.stats);
    let mut lines = Lines::default();
    let fine = input::for_each(&args.files, out, |input, out| {
        let (methods, totals, lines) = (&methods, &mut totals, &mut lines);
        let mut show = Show { args, methods, totals, lines, heard: false, printed: Ok(()), out };
        let progress = Progress::of(input, args.quiet);
        let whole = show.capture(Reader::new(progress.wrap(input.open_unbuffered()?)), input);
        drop(progress); // before anything is said
        whole?;
        if !show.heard {
            show.out.flush().map_err(Stop::Output)?;
            report::warning(&input.name(), "no packets of Godot games in it");
        }
        Ok(true)
    })?;
    if args.stats || args.quiet {
        totals.print(out)?;
    }
    Ok(fine)
}

/// What the user knows of the methods.
fn names(args: &Packets, methods: &mut Methods) -> Result<(), String> {
    if let Some(path) = &args.methods {
        let name = path.display();
        let text = std::fs::read_to_string(path).map_err(|error| format!("{name}: {error}"))?;
        methods.add_list(&text).map_err(|problem| format!("{name}: {problem}"))?;
    }
    if let Some(folder) = &args.scripts {
        let name = folder.display();
        methods.add_scripts(folder).map_err(|error| format!("{name}: {error}"))?;
    }
    Ok(())
}

type Capture = Reader<Box<dyn io::Read>>;

/// One capture on its way out.
struct Show<'a, W> {
    args: &'a Packets,
    methods: &'a Methods,
    totals: &'a mut Totals,
    lines: &'a mut Lines,
    /// Whether there was any record.
    heard: bool,
    /// How printing went so far.
    printed: io::Result<()>,
    out: &'a mut W,
}

impl<W: Write> Show<'_, W> {
    /// Reads to the end, or to what cannot be read or printed.
    fn capture(&mut self, capture: Capture, input: Input<'_>) -> Result<(), Stop> {
        let mut conversations = Conversations::new(self.args.options());
        // Whoever looks on wants to see each packet as it comes.
        let read = self.packets(capture, &mut conversations, input.is_stdin());
        // (What waits for missing packets is told of, however the capture ends.)
        conversations.finish(&mut |record| self.record(record));
        std::mem::replace(&mut self.printed, Ok(())).map_err(Stop::Output)?;
        read
    }

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
                    let mut each = |record: &Record<'_>| self.record(record);
                    conversations.segment(packet.time, segment, &mut each);
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
        self.heard = true;
        let filters = &self.args.filters;
        if !filters.iter().all(|filter| filter.takes(record, self.methods)) {
            return;
        }
        self.totals.add(record, self.methods);
        if !self.args.quiet && self.printed.is_ok() {
            self.show(record);
        }
    }

    fn show(&mut self, record: &Record<'_>) {
        let wanted = self.args.all || self.args.filters.iter().any(Filter::names_kinds);
        if wanted || !kind::is_control(record) {
            self.printed = self.print(record);
        }
    }

    fn print(&mut self, record: &Record<'_>) -> io::Result<()> {
        let Self { args, methods, out, .. } = self;
        if args.json {
            return object::print(record, methods, out);
        }
        self.lines.print(record, methods, out)?;
        match (args.tree, args.hex) {
            (true, hex) => below::tree(record, hex, out),
            (false, true) => below::bytes(record, out),
            (false, false) => Ok(()),
        }
    }
}

/// Why a capture cannot be read on.
fn problem(error: &Error) -> Stop {
    let offset = Offset(error.offset());
    match (error.offset(), error.kind()) {
        (0, ErrorKind::CutOff { missing: 4 }) => Stop::input("empty, so no capture"),
        (0, ErrorKind::Read(kind)) => Stop::input(kind),
        (0, kind @ ErrorKind::NotACapture(magic)) => match packed(magic) {
            None => Stop::input(format_args!("no capture: {kind}")),
            Some(tool) => {
                Stop::input(format_args!("compressed; try `{tool} FILE | gamewire packets -`"))
            }
        },
        (_, kind) => Stop::input(format_args!("offset {offset}: {kind}")),
    }
}

/// What unpacks a file that begins so.
fn packed(magic: &[u8; 4]) -> Option<&'static str> {
    match magic {
        [0x1F, 0x8B, ..] => Some("gzip -dc"),
        [0x28, 0xB5, 0x2F, 0xFD] => Some("zstd -dc"),
        [0xFD, b'7', b'z', b'X'] => Some("xz -dc"),
        _ => None,
    }
}
