//! `gamewire rems convert`: a save as something else.

use super::plain::{self, Losses};
use super::survey::{Numbering, Survey, pointers};
use super::{File, Reader, Written};
use crate::args::Convert;
use crate::ui::input::{Input, Stop};
use crate::ui::text::Occurrences;
use crate::ui::{output, replace_file, report};
use clap::ValueEnum;
use gamewire::rems::{
    BinaryWriter, Conversion, Dialect, Era, Error, FileForm, Form, Item, ItemSink, Items, Plan,
    Tables, TextWriter, Unreadable, Warning, WriteError, WriteErrorKind, compress,
    convert as converted, rewrite,
};
use std::fs;
use std::io::{self, IsTerminal, Write};
use std::path::Path;

/// What a save is to become.
#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
pub enum Target {
    /// Text of 2026
    #[value(name = "text-2026")]
    Text2026,
    /// Text of 2021
    #[value(name = "text-2021")]
    Text2021,
    /// A binary stream of 2026
    Binary,
    /// A binary stream of October 2021
    #[value(name = "binary-2021")]
    Binary2021,
    /// A compressed binary stream of 2026
    Container,
    /// JSON that does not say types
    Json,
}

impl Target {
    fn written(self) -> Option<Written> {
        match self {
            Self::Text2026 | Self::Binary | Self::Container => Some(Written::Y2026),
            Self::Text2021 | Self::Binary2021 => Some(Written::Y2021),
            Self::Json => None,
        }
    }

    fn is_text(self) -> bool {
        matches!(self, Self::Text2026 | Self::Text2021 | Self::Json)
    }
}

/// How deep the engine's zlib looks.
const LEVEL: u8 = 6;

/// Writes a save as something else; whether all of it could be. Otherwise nothing is written.
pub fn convert(args: &Convert, out: &mut impl Write) -> io::Result<bool> {
    let output = Input::new(&args.output);
    if output.is_stdin() && !args.to.is_text() && io::stdout().is_terminal() {
        report::refusal("this is binary: send standard output to a file or a pipe, or name OUT");
        return Ok(false);
    }
    let input = Input::new(&args.input);
    let mut warnings = Warnings::default();
    let bytes = match load(args, input).and_then(|file| bytes(args, &file, &mut warnings)) {
        Ok(bytes) => bytes,
        Err(Stop::Output(error)) => return Err(error),
        Err(Stop::Input(problem)) => {
            report::error(&input.name(), problem);
            if warnings.can_be_forced {
                report::hint("--force writes it all the same");
            }
            return Ok(false);
        }
    };
    if let Some(guessed) = warnings.guessed {
        let message = format_args!("read as of {guessed}, the latest that fits (--era)");
        report::warning(&input.name(), message);
    }
    for (loss, places) in &warnings.lost {
        report::warning(&input.name(), format_args!("{loss}{places}"));
    }
    let name = if output.is_stdin() { "<stdout>".into() } else { output.name() };
    for (reason, places) in &warnings.found {
        report::warning(&name, format_args!("{reason}{places}"));
    }
    if output.is_stdin() {
        match io::stdout().is_terminal() {
            true => output::print_line(String::from_utf8_lossy(&bytes), out)?,
            false => out.write_all(&bytes)?,
        }
        return Ok(true);
    }
    let written = write(&args.output, &bytes);
    if let Err(error) = &written {
        report::error(&name, error);
    }
    Ok(written.is_ok())
}

/// What is there is replaced as a whole.
fn write(path: &Path, bytes: &[u8]) -> io::Result<()> {
    if path.exists() { replace_file::replace_content(path, bytes) } else { fs::write(path, bytes) }
}

fn load(args: &Convert, input: Input<'_>) -> Result<File, Stop> {
    let file = File::presumed(input.load_undecoded()?, args.rems.era);
    let mut file = file.map_err(|_| Stop::input("no save of Rem's Engine"))?;
    // A text does not say, either, but it may show.
    if file.form == FileForm::Text && !file.is_said && is_of_2021(&file) {
        file.written = Written::Y2021;
    }
    Ok(file)
}

fn is_of_2021(file: &File) -> bool {
    let mut slots = Vec::new();
    pointers(file, &mut slots)
        .is_ok_and(|pointers| Survey::of(file, &pointers).numbering == Some(Numbering::Until2022))
}

/// What is written that the engine could not read back.
#[derive(Default)]
struct Warnings {
    found: Vec<(Unreadable, Occurrences)>,
    /// What JSON has no place for, and where it was read.
    lost: Losses,
    /// What was refused is nothing else.
    can_be_forced: bool,
    /// When a binary save was written, if nobody has said so and it is no recent one.
    guessed: Option<Written>,
}

impl Warnings {
    fn add(&mut self, warning: Warning) {
        match self.found.iter_mut().find(|(reason, _)| *reason == warning.reason) {
            Some((_, places)) => places.add(warning.offset),
            None => self.found.push((warning.reason, Occurrences::at(warning.offset))),
        }
    }
}

/// The new file.
fn bytes(args: &Convert, file: &File, warnings: &mut Warnings) -> Result<Vec<u8>, Stop> {
    file.content().map_err(|error| Stop::input(file.refusal(error)))?;
    let is_guess = file.form != FileForm::Text && !file.is_said;
    let guessed = Some(file.written).filter(|written| is_guess && *written != Written::Y2026);
    *warnings = Warnings { guessed, ..Warnings::default() };
    if args.to == Target::Json {
        let mut bytes = Vec::new();
        warnings.lost = plain::write(file, &mut bytes)?;
        bytes.push(b'\n');
        return Ok(bytes);
    }
    // What the engine of the same time has written is never refused.
    let is_its_own = args.to.written() == Some(file.written);
    match attempt(args, file, args.force, warnings) {
        Err(stop) if warnings.can_be_forced && is_its_own => {
            *warnings = Warnings { guessed, ..Warnings::default() };
            attempt(args, file, true, warnings).map_err(|_| stop)
        }
        done => done,
    }
}

fn attempt(
    args: &Convert,
    file: &File,
    force: bool,
    warnings: &mut Warnings,
) -> Result<Vec<u8>, Stop> {
    let text = |dialect| TextWriter::new(Vec::new(), dialect);
    let binary = |era| BinaryWriter::new(Vec::new(), era);
    match args.to {
        Target::Text2021 => {
            fill(args, file, force, warnings, text(Dialect::Engine2021), TextWriter::finish)
        }
        Target::Binary2021 => {
            fill(args, file, force, warnings, binary(Era::October2021), BinaryWriter::finish)
        }
        Target::Binary | Target::Container => {
            let finish = BinaryWriter::finish;
            let stream = fill(args, file, force, warnings, binary(Era::October2024), finish)?;
            Ok(if args.to == Target::Binary { stream } else { compress(&stream, LEVEL) })
        }
        Target::Text2026 | Target::Json => {
            fill(args, file, force, warnings, text(Dialect::Engine2026), TextWriter::finish)
        }
    }
}

/// Writes all of the save.
fn fill<S: ItemSink>(
    args: &Convert,
    file: &File,
    force: bool,
    warnings: &mut Warnings,
    mut to: S,
    finish: impl FnOnce(S) -> Result<Vec<u8>, WriteError>,
) -> Result<Vec<u8>, Stop> {
    let is_as_it_was = args.to.written() == Some(file.written)
        && args.to.is_text() == (file.form == FileForm::Text);
    let (mut tables, mut of_plan) = (Tables::new(), Tables::new());
    let mut items = Followed { items: file.read(&mut tables), at: 0, is_empty: true };
    let warn = |warning| warnings.add(warning);
    let written = if is_as_it_was {
        rewrite(&mut items, &mut to, warn)
    } else {
        let plan = Plan::of(&mut file.read(&mut of_plan));
        let plan = plan.map_err(|error| Stop::input(file.refusal(error)))?;
        let how = Conversion { force, ..Conversion::default() };
        converted(&mut items, &mut to, &plan, how, warn)
    };
    // What is only seen at the end is not told.
    let is_told = (force || is_as_it_was) && matches!(to.form(), Form::Binary(_));
    if items.is_empty && written.is_ok() && is_told {
        warnings.add(Warning { reason: Unreadable::NoObjects, offset: 0 });
    }
    written.and_then(|()| finish(to)).map_err(|error| {
        warnings.can_be_forced = matches!(error.kind(), WriteErrorKind::Unreadable(_));
        Stop::input(match error.kind() {
            WriteErrorKind::Source(error) => file.refusal(*error).to_string(),
            kind => file.refused_at(items.at, kind).to_string(),
        })
    })
}

/// The items of a save, and where the last one is.
struct Followed<'t, 'a> {
    items: Reader<'t, 'a>,
    at: u64,
    /// There was none.
    is_empty: bool,
}

impl<'a> Items<'a> for Followed<'_, 'a> {
    fn next(&mut self) -> Result<Option<Item<'a>>, Error> {
        self.at = self.items.offset();
        let item = self.items.next()?;
        self.is_empty &= item.is_none();
        Ok(item)
    }

    fn skip(&mut self) -> Result<(), Error> {
        self.items.skip()
    }

    fn offset(&self) -> u64 {
        self.items.offset()
    }
}
