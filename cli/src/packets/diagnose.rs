//! Prints the problems in captured traffic (`--diagnose`).

mod json;
mod text;

use super::{Capture, open, problem, report_foreign};
use crate::args::Packets;
use crate::ui::input::{self, Input, Stop};
use crate::ui::progress::Progress;
use crate::ui::style::{GOOD, Styled};
use crate::ui::text::Count;
use gamewire::capture::Reassembler;
use gamewire::traffic::diagnosis::{Diagnoser, Diagnosis};
use gamewire::traffic::methods::MethodNames;
use gamewire::traffic::{Conversations, Observed};
use std::io::{self, Write};

/// Prints the problems in all captures. Returns `true` if all captures could be read to the end and
/// nothing was found.
pub fn run(args: &Packets, names: &MethodNames, out: &mut dyn Write) -> io::Result<bool> {
    let mut out = out;
    input::for_each(&args.files, &mut out, |input, out| {
        let progress = Progress::of(input, false);
        let capture = match open(input, &progress)? {
            Ok(capture) => capture,
            Err(kind) => {
                drop(progress);
                return Ok(report_foreign(input, kind));
            }
        };
        let mut diagnoser = Diagnoser::new(names);
        let read = read(capture, &mut diagnoser, args);
        let found = diagnoser.finish();
        drop(progress); // clears the progress bar before any message
        let report = Report { args, input, found: &found, diagnoser: &diagnoser };
        report.print(out).map_err(Stop::Output)?;
        read.map(|()| found.is_empty())
    })
}

/// Reads all packets of a capture.
fn read(mut capture: Capture, diagnoser: &mut Diagnoser<'_>, args: &Packets) -> Result<(), Stop> {
    let mut conversations = Conversations::new(args.options());
    let mut reassembler = Reassembler::default();
    let read = loop {
        let packet = match capture.next_packet() {
            Ok(Some(packet)) => packet,
            Ok(None) => break Ok(()),
            Err(error) => break Err(problem(&error)),
        };
        diagnoser.packet(packet.time, &packet.segment());
        if let Ok(Some(segment)) = reassembler.segment(&packet) {
            let mut observer = |observed: Observed<'_, '_>| diagnoser.observed(observed);
            conversations.observe(packet.time, &segment, &mut observer);
        }
    };
    conversations.finish(&mut |record| diagnoser.record(record));
    read
}

/// The problems of one capture.
struct Report<'r> {
    args: &'r Packets,
    input: Input<'r>,
    found: &'r [Diagnosis],
    diagnoser: &'r Diagnoser<'r>,
}

impl Report<'_> {
    fn print(&self, out: &mut dyn Write) -> io::Result<()> {
        if self.args.json {
            return self
                .found
                .iter()
                .try_for_each(|found| json::print(found, &self.args.scripts, out));
        }
        let packets = Count(self.diagnoser.packets(), "packet");
        if self.args.files.len() > 1 {
            write!(out, "{}: ", self.input.name())?;
        }
        if self.found.is_empty() {
            return writeln!(out, "{}", Styled(GOOD, format_args!("nothing found in {packets}")));
        }
        let problems = Count(self.found.len() as u64, "problem");
        writeln!(out, "{problems} in {packets}")?;
        for found in self.found {
            writeln!(out)?;
            text::print(found, &self.args.scripts, out)?;
        }
        match self.diagnoser.omitted() {
            0 => Ok(()),
            more => writeln!(out, "\n{more} more are not listed"),
        }
    }
}
