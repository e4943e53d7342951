//! `gamewire packets`.

mod details;
mod kind;
mod line;
mod object;
mod totals;

use crate::args::Packets;
use crate::input::{self, Stop};
use crate::methods::Methods;
use crate::report;
use gamewire::capture::Reader;
use gamewire::net::conversation::{Content, Conversations, Record};
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
    let fine = input::each(&args.files, out, |input, out| {
        let mut show = Show { args, methods: &methods, totals: &mut totals, printed: Ok(()), out };
        show.capture(Reader::new(input.open_unbuffered()?), input.is_stdin())
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

/// One capture on its way out.
struct Show<'a, W> {
    args: &'a Packets,
    methods: &'a Methods,
    totals: &'a mut Totals,
    /// How printing went so far.
    printed: io::Result<()>,
    out: &'a mut W,
}

impl<W: Write> Show<'_, W> {
    /// `live`: whoever looks on wants to see each packet as it comes.
    fn capture(
        &mut self,
        mut capture: Reader<Box<dyn io::Read>>,
        live: bool,
    ) -> Result<bool, Stop> {
        let mut conversations = Conversations::new(self.args.options());
        loop {
            let packet = match capture.next_packet() {
                Ok(Some(packet)) => packet,
                Ok(None) => {
                    conversations.finish(&mut |record| self.record(record));
                    return std::mem::replace(&mut self.printed, Ok(()))
                        .map(|()| true)
                        .map_err(Stop::Output);
                }
                Err(error) => {
                    conversations.finish(&mut |record| self.record(record));
                    return Err(Stop::input(format_args!(
                        "offset {}: {}",
                        crate::text::Offset(error.offset()),
                        error.kind()
                    )));
                }
            };
            self.totals.captured(packet.time, packet.data.len());
            match &packet.segment() {
                Ok(segment) => {
                    let mut each = |record: &Record<'_>| self.record(record);
                    conversations.segment(packet.time, segment, &mut each);
                }
                Err(reason) => self.totals.skipped(*reason),
            }
            if self.printed.is_err() {
                return std::mem::replace(&mut self.printed, Ok(()))
                    .map(|()| true)
                    .map_err(Stop::Output);
            }
            if live {
                self.out.flush().map_err(Stop::Output)?;
            }
        }
    }

    fn record(&mut self, record: &Record<'_>) {
        self.totals.add(record, self.methods);
        let hidden = matches!(record.content, Content::Control(_)) && !self.args.all;
        if hidden || self.args.quiet || self.printed.is_err() {
            return;
        }
        self.printed = if self.args.json {
            object::print(record, self.methods, self.out)
        } else {
            line::print(record, self.methods, self.out)
        };
    }
}
