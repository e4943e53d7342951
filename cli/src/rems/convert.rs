//! `gamewire rems convert`: converts a save to a different format.

use super::scan::{Numbering, Scan, pointers};
use super::{File, Reader};
use crate::args::Convert;
use crate::recognise::{Sample, recognise_specific};
use crate::ui::input::{Input, Stop};
use crate::ui::text::Occurrences;
use crate::ui::{file_output, report};
use clap::ValueEnum;
use gamewire::rems::json::{Loss, PlainError, print_plain};
use gamewire::rems::{
    BinaryReader, Compared, ConvertOptions, Dialect, Difference, Era, Error, FileFormat, Item,
    ItemSource, MAX_CONVERTED, OutputFormat, Plan, Pointers, Tables, TextReader, Unreadable,
    Warning, WriteErrorKind, compress, convert_to_vec, rewrite_to_vec, verify,
};
use std::fmt;
use std::io::{self, IsTerminal, Write};

/// Value of `--to`.
#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
pub enum OutputForm {
    /// Text as written by the engine from 2026
    #[value(name = "text-2026")]
    Text2026,
    /// Text as written by the engine from 2021
    #[value(name = "text-2021")]
    Text2021,
    /// A binary stream as written by the engine from 2026
    Binary,
    /// A binary stream as written by the engine from October 2021
    #[value(name = "binary-2021")]
    Binary2021,
    /// A compressed binary stream as written by the engine from 2026
    Container,
    /// Plain JSON without types
    Json,
}

impl OutputForm {
    /// Returns the format of the save to write; `None` for JSON.
    fn format(self) -> Option<OutputFormat> {
        Some(match self {
            Self::Text2026 => OutputFormat::Text(Dialect::Engine2026),
            Self::Text2021 => OutputFormat::Text(Dialect::Engine2021),
            Self::Binary | Self::Container => OutputFormat::Binary(Era::October2024),
            Self::Binary2021 => OutputFormat::Binary(Era::October2021),
            Self::Json => return None,
        })
    }

    fn is_text(self) -> bool {
        matches!(self, Self::Text2026 | Self::Text2021 | Self::Json)
    }
}

/// The zlib compression level that the engine uses.
const LEVEL: u8 = 6;

/// Converts a save. Returns `false` after an error. Writes nothing if the save cannot be converted.
pub fn convert(args: &Convert, out: &mut dyn Write) -> io::Result<bool> {
    let output = Input::new(&args.output);
    if output.is_stdin() && !args.to.is_text() && io::stdout().is_terminal() {
        report::refusal(
            "the output is binary: redirect standard output to a file or a pipe, or name OUT",
        );
        return Ok(false);
    }
    let input = Input::new(&args.input);
    let mut warnings = Warnings::default();
    let converted = load(args, input).and_then(|file| {
        let source = Source::of(file);
        bytes(args, &source, &mut warnings).map(|bytes| (bytes, source))
    });
    let (bytes, source) = match converted {
        Ok(converted) => converted,
        Err(Stop::Output(error)) => return Err(error),
        Err(Stop::Input(problem) | Stop::Unreadable(problem)) => {
            report::error(&input.name(), problem);
            if warnings.can_be_forced {
                report::hint("--force writes it anyway");
            }
            return Ok(false);
        }
    };
    source.losses.iter().for_each(|loss| report::warning(&input.name(), loss));
    if let Some(guessed) = warnings.guessed {
        let message =
            format_args!("read as of {}, the latest era that fits (--era)", guessed.name());
        report::warning(&input.name(), message);
    }
    for (loss, places) in &warnings.lost {
        report::warning(&input.name(), format_args!("{loss}{places}"));
    }
    for (difference, places) in &warnings.different {
        report::warning(&input.name(), format_args!("{difference}{places}"));
    }
    let name = if output.is_stdin() { "<stdout>".into() } else { output.name() };
    for (reason, places) in &warnings.found {
        report::warning(&name, format_args!("{reason}{places}"));
    }
    if output.is_stdin() {
        return out.write_all(&bytes).map(|()| true);
    }
    let written = file_output::write(&args.output, &bytes);
    if let Err(error) = &written {
        report::error(&name, error);
    }
    Ok(written.is_ok())
}

fn load(args: &Convert, input: Input<'_>) -> Result<File, Stop> {
    let file = File::open(input.load()?, args.rems.era);
    file.map_err(|bytes| match recognise_specific(&Sample::whole(input.path(), &bytes)) {
        Some(kind) => {
            let advice = kind.advice;
            Stop::input(format_args!("this is {kind}, not a save of Rem's Engine: {advice}"))
        }
        None => Stop::input("this is not a save of Rem's Engine"),
    })
}

/// The save to convert, and facts about it.
struct Source {
    file: File,
    /// `true` for a text save from May 2020. No save can be converted to this form.
    is_of_may_2020: bool,
    /// Warnings about content that is lost or guessed, whatever the format of the output.
    losses: Vec<String>,
    /// Pointers to numbers that no object has.
    dangling: Occurrences,
}

impl Source {
    fn of(mut file: File) -> Self {
        let mut slots = Vec::new();
        let Ok(pointers) = pointers(&file, &mut slots) else {
            let dangling = Occurrences::default();
            return Self { file, is_of_may_2020: false, losses: Vec::new(), dangling };
        };
        let scan = Scan::of(&file, &pointers);
        let (numbering, losses) = (scan.numbering, losses(&scan));
        let dangling = scan.dangling;
        // A text file does not state its era. But if it contains objects without numbers, it is
        // treated as a file from 2021.
        if numbering == Some(Numbering::Until2022) && !file.is_era_given {
            file.era = Era::October2021;
        }
        let is_of_may_2020 = numbering == Some(Numbering::May2020);
        Self { file, is_of_may_2020, losses, dangling }
    }

    /// Returns `true` if the engine that writes this format wrote the save.
    fn is_of_engine(&self, format: OutputFormat) -> bool {
        format.era() == self.file.era && !self.is_of_may_2020
    }

    /// Returns `true` if the save already has this format.
    fn has_format(&self, format: OutputFormat) -> bool {
        let is_text = matches!(format, OutputFormat::Text(_));
        is_text == (self.file.format == FileFormat::Text) && self.is_of_engine(format)
    }
}

fn losses(scan: &Scan<'_>) -> Vec<String> {
    let dangling = "a pointer to a number that no object has";
    let implied =
        "a pointer to an object whose number is not written, found by counting the objects";
    let comments = "one or more comments, which are lost";
    let places = [(dangling, &scan.dangling), (implied, &scan.implied), (comments, &scan.comments)];
    let found = places.into_iter().filter(|(_, places)| places.count() > 0);
    let found = found.map(|(what, places)| format!("{what}{places}"));
    let trailing = scan.trailing.iter().map(|trailing| format!("{trailing}, which are lost"));
    found.chain(trailing).collect()
}

/// Warnings about a conversion.
#[derive(Default)]
struct Warnings {
    /// Reasons why the engine cannot read back the output, with offsets in the output.
    found: Vec<(Unreadable, Occurrences)>,
    /// Information that JSON cannot represent, with offsets in the save.
    lost: Vec<(Loss, Occurrences)>,
    /// Differences between the save and the output, with offsets in the save.
    different: Vec<(Difference, Occurrences)>,
    /// `true` if the conversion failed only because the engine could not read back the output.
    can_be_forced: bool,
    /// Era of a binary save, if it was detected and is not the latest era.
    guessed: Option<Era>,
}

impl Warnings {
    fn add(&mut self, warning: Warning) {
        // Dangling pointers are in `Source::losses`, with their offsets in the save.
        if warning.reason != Unreadable::Dangling {
            add(&mut self.found, warning.reason, warning.offset);
        }
    }
}

/// Adds an occurrence to a list with one entry for each reason.
fn add<T: PartialEq>(found: &mut Vec<(T, Occurrences)>, reason: T, offset: u64) {
    match found.iter_mut().find(|(known, _)| *known == reason) {
        Some((_, places)) => places.add(offset),
        None => found.push((reason, Occurrences::at(offset))),
    }
}

/// Returns the content of the new file.
fn bytes(args: &Convert, source: &Source, warnings: &mut Warnings) -> Result<Vec<u8>, Stop> {
    let file = &source.file;
    file.content().map_err(|error| Stop::input(file.refusal(error)))?;
    let is_guess = file.format != FileFormat::Text && !file.is_era_given;
    let guessed = Some(file.era).filter(|era| is_guess && *era != Era::October2024);
    *warnings = Warnings { guessed, ..Warnings::default() };
    let Some(format) = args.to.format() else {
        return plain_json(file, &mut warnings.lost);
    };
    let written = match write_as(format, source, args.force, warnings) {
        // A save can be written in a format of the engine that wrote it, even if that engine could
        // not read it back. But if pointers are dangling, or if the result would differ from the
        // save, `--force` is needed.
        Err(stop)
            if warnings.can_be_forced
                && source.is_of_engine(format)
                && source.dangling.count() == 0
                && warnings.different.is_empty() =>
        {
            *warnings = Warnings { guessed, ..Warnings::default() };
            write_as(format, source, true, warnings).map_err(|_| stop)
        }
        written => written,
    }?;
    Ok(if args.to == OutputForm::Container { compress(&written, LEVEL) } else { written })
}

/// Returns a save as plain JSON.
fn plain_json(file: &File, lost: &mut Vec<(Loss, Occurrences)>) -> Result<Vec<u8>, Stop> {
    let mut json = Limited { text: String::new(), limit: MAX_CONVERTED, is_exceeded: false };
    let mut on_loss = |loss, offset| add(lost, loss, offset);
    let mut tables = Tables::new();
    let printed =
        print_plain(&mut file.read(&mut tables), &mut json, &mut on_loss).map_err(|error| {
            match error {
                PlainError::Source(error) => Stop::input(file.refusal(error)),
                PlainError::Output => Stop::Output(io::Error::other(error)),
            }
        });
    if json.is_exceeded {
        return Err(Stop::input(TOO_LONG));
    }
    printed?;
    json.text.push('\n');
    Ok(json.text.into_bytes())
}

const TOO_LONG: &str = "the result would be longer than 1 GiB";

/// A text of at most `limit` bytes.
struct Limited {
    text: String,
    limit: usize,
    /// `true` if a write failed because of the limit.
    is_exceeded: bool,
}

impl fmt::Write for Limited {
    fn write_str(&mut self, text: &str) -> fmt::Result {
        self.is_exceeded |= text.len() > self.limit.saturating_sub(self.text.len());
        match self.is_exceeded {
            true => Err(fmt::Error),
            false => self.text.write_str(text),
        }
    }
}

/// Returns the save in the given format. Records warnings about the conversion.
fn write_as(
    format: OutputFormat,
    source: &Source,
    force: bool,
    warnings: &mut Warnings,
) -> Result<Vec<u8>, Stop> {
    let file = &source.file;
    let (mut tables, mut plan_tables) = (Tables::new(), Tables::new());
    let mut items = Tracked { items: file.read(&mut tables), at: 0 };
    let mut warn = |warning| warnings.add(warning);
    let written = if source.has_format(format) {
        rewrite_to_vec(&mut items, format, &mut warn)
    } else {
        let plan = Plan::of(&mut file.read(&mut plan_tables));
        let plan = plan.map_err(|error| Stop::input(file.refusal(error)))?;
        let options = ConvertOptions { force, ..ConvertOptions::default() };
        convert_to_vec(&mut items, format, &plan, options, &mut warn)
    };
    let written = written.map_err(|error| {
        warnings.can_be_forced = matches!(error.kind(), WriteErrorKind::Unreadable(_));
        Stop::input(match error.kind() {
            WriteErrorKind::Unreadable(reason @ Unreadable::Dangling) => {
                format!("{reason}{}", source.dangling)
            }
            WriteErrorKind::Source(error) => file.refusal(*error).to_string(),
            WriteErrorKind::Full(_) => TOO_LONG.into(),
            kind => file.refused_at(items.at, kind).to_string(),
        })
    })?;
    compare(format, file, &written, warnings)
        .map_err(|error| Stop::input(format_args!("the result cannot be read back: {error}")))?;
    let different = warnings.different.iter().find(|(found, _)| *found == Difference::Other);
    match different.filter(|_| !force) {
        None => Ok(written),
        Some((difference, places)) => {
            warnings.can_be_forced = true;
            Err(Stop::input(format_args!("{difference}{places}")))
        }
    }
}

/// Reads the output back and records its differences from the save. Does nothing if the warnings
/// already state that values are lost.
fn compare(
    format: OutputFormat,
    file: &File,
    written: &[u8],
    warnings: &mut Warnings,
) -> Result<(), Error> {
    if warnings.found.iter().any(|(reason, _)| reason.is_lost()) {
        return Ok(());
    }
    let (mut slots, mut other_slots) = (Vec::new(), Vec::new());
    let (mut tables, mut other_tables) = (Tables::new(), Tables::new());
    let before = pointers(file, &mut slots)?;
    let after = Pointers::collect(&mut read(format, written, &mut other_tables), &mut other_slots)?;
    verify(
        Compared { items: &mut file.read(&mut tables), pointers: &before },
        Compared { items: &mut read(format, written, &mut other_tables), pointers: &after },
        format,
        &mut |difference, offset| add(&mut warnings.different, difference, offset),
    )
}

fn read<'t, 'a>(format: OutputFormat, bytes: &'a [u8], tables: &'t mut Tables) -> Reader<'t, 'a> {
    match format {
        OutputFormat::Text(_) => Reader::Text(TextReader::new(bytes)),
        format => Reader::Binary(BinaryReader::new(bytes, format.era(), tables)),
    }
}

/// A reader that remembers the offset of the last item.
struct Tracked<'t, 'a> {
    items: Reader<'t, 'a>,
    at: u64,
}

impl<'a> ItemSource<'a> for Tracked<'_, 'a> {
    fn next(&mut self) -> Result<Option<Item<'a>>, Error> {
        self.at = self.items.offset();
        self.items.next()
    }

    fn skip(&mut self) -> Result<(), Error> {
        self.items.skip()
    }

    fn offset(&self) -> u64 {
        self.items.offset()
    }
}
