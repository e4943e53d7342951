use crate::args;
use crate::input;
use crate::report::{BAD, GOOD, Report, Verdict, WARNING, hint, place, reason};
use crate::text::{plural, type_name};
use gamewire::godot::frame::Frame;
use gamewire::godot::{Departure, Dialect, Level, Limits, Reader};
use std::io::{self, Write};

/// How many offsets to print of each kind of departure.
const SHOWN: usize = 3;

pub fn run(args: &args::Check, report: &mut Report) -> io::Result<Verdict> {
    let mut verdict = Verdict::Fine;
    for path in &args.input.files {
        let name = input::name(path);
        match input::read(path) {
            Ok(file) => verdict = verdict.max(check(args, &name, &file, report)?),
            Err(error) => {
                report.error(&name, &error);
                verdict = Verdict::Malformed;
            }
        }
    }
    Ok(verdict)
}

fn check(args: &args::Check, name: &str, file: &[u8], report: &mut Report) -> io::Result<Verdict> {
    let format = args.input.format;
    let (mut verdict, mut frames, mut refused) = (Verdict::Fine, 0_usize, 0_usize);
    for (index, frame) in format.packets(file).enumerate() {
        let found = match frame {
            Ok(frame) => {
                let name =
                    if format.frames { format!("{name}, frame {index}") } else { name.into() };
                check_packet(args, &name, frame, report)?
            }
            Err(error) => {
                report.error(name, &reason(&error));
                Verdict::Malformed
            }
        };
        frames = frames.saturating_add(1);
        refused = refused.saturating_add(usize::from(found == Verdict::Malformed));
        verdict = verdict.max(found);
    }
    if format.frames {
        let frames_word = plural("frame", frames);
        writeln!(report.out, "{name}: {frames} {frames_word}, {refused} refused")?;
    }
    Ok(verdict)
}

fn check_packet(
    args: &args::Check,
    name: &str,
    frame: Frame<'_>,
    report: &mut Report,
) -> io::Result<Verdict> {
    let dialect = args.input.format.dialect;
    let level = if args.strict { Level::Strict } else { Level::Engine };
    let limits = Limits { level, objects: args.objects, ..Limits::default() };
    let mut reader = Reader::new(frame.bytes, dialect).origin(frame.offset).limits(limits);
    let read = reader.read_encoded();
    // Bytes after the value are not canonical either.
    let finished = if args.strict { reader.finish() } else { Ok(()) };
    let size = frame.bytes.len();
    match read.and_then(|encoded| finished.map(|()| encoded)) {
        Ok(encoded) => {
            let kind = type_name(encoded.kind(), dialect);
            writeln!(report.out, "{GOOD}ok{GOOD:#}      {size:>9} bytes  {name}  {kind}")?;
            warnings(&reader, frame, dialect, report)?;
            Ok(Verdict::Fine)
        }
        Err(error) => {
            let reason = reason(&error);
            writeln!(report.out, "{BAD}refused{BAD:#} {size:>9} bytes  {name}  {reason}")?;
            if let Some(hint) = hint(frame.bytes, dialect) {
                writeln!(report.out, "        {WARNING}hint{WARNING:#}: {hint}")?;
            }
            Ok(Verdict::Malformed)
        }
    }
}

/// What the engine accepts, but would not have written.
fn warnings(
    reader: &Reader<'_, '_>,
    frame: Frame<'_>,
    dialect: Dialect,
    report: &mut Report,
) -> io::Result<()> {
    let mut found: Vec<(Departure, usize, Vec<String>)> = Vec::new();
    let collect = |departure, offset| {
        let known = found.iter_mut().find(|(other, ..)| *other == departure);
        match known {
            Some((_, count, places)) => {
                *count = count.saturating_add(1);
                if places.len() < SHOWN {
                    places.push(place(offset));
                }
            }
            None => found.push((departure, 1, vec![place(offset)])),
        }
        Ok(())
    };
    // The packet was accepted, so this goes through.
    let walked = Reader::new(frame.bytes, dialect).origin(frame.offset).departures(collect);
    debug_assert!(walked.is_ok());
    for (departure, count, places) in found {
        let more = if count > places.len() { ", …" } else { "" };
        let times = if count == 1 { String::new() } else { format!("{count} × ") };
        warn(report, &format!("{times}{departure}: {}{more}", places.join(", ")))?;
    }
    match reader.rest().len() {
        0 => Ok(()),
        left => {
            let (bytes, place) = (plural("byte", left), place(reader.offset()));
            warn(report, &format!("{left} {bytes} after the value: {place}"))
        }
    }
}

fn warn(report: &mut Report, text: &str) -> io::Result<()> {
    writeln!(report.out, "        {WARNING}warning{WARNING:#}: {text}")
}
