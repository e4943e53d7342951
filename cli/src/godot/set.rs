//! `gamewire set`.

use super::file_values::{self, FileValue, FileValues};
use super::{config, messages};
use crate::args::Set;
use crate::content::{self, Content};
use crate::ui::input::Input;
use crate::ui::{file_output, report};
use crate::unreal;
use gamewire::godot::json::Document;
use gamewire::godot::notation::{ErrorKind, Reading};
use gamewire::godot::patch::Patch;
use gamewire::godot::path::Found;
use gamewire::godot::{Dialect, Encoded, NodePath, Reader, TypeRef, VariantRef, Writer};
use std::io::{self, IsTerminal, Write};
use std::str;

/// Writes a changed copy of the file. Returns `false` after an error. Writes nothing if the value
/// cannot be changed.
pub fn run(args: &Set, out: &mut impl Write) -> io::Result<bool> {
    let output = args.output.as_deref().filter(|output| !Input::new(output).is_stdin());
    let input = Input::new(&args.file);
    let name = input.name();
    let to_terminal = output.is_none() && !args.in_place && io::stdout().is_terminal();
    let changed = match content::load(input, args.source) {
        Ok(content) => {
            if unreal::is_file(&content.bytes, args.source.is_format_given()) {
                return run_unreal(args, input, content, out);
            }
            let config = config::File::detect(&content.bytes, args.source);
            if to_terminal && (config.is_none() || content.form.container().is_some()) {
                report::refusal(
                    "the output is binary: name a file with -o, or redirect standard output to a \
                     file or a pipe",
                );
                return Ok(false);
            }
            let changed = match config {
                Some(file) => config::set(args, &name, &file),
                None => File { args, input, name: &name, bytes: &content.bytes }.changed(),
            };
            changed.and_then(|changed| content.form.restore(changed).map_err(Some))
        }
        Err(stop) => Err(Some(stop.to_string())),
    };
    let changed = match changed {
        Ok(changed) => changed,
        Err(problem) => {
            problem.into_iter().for_each(|problem| report::error(&name, problem));
            return Ok(false);
        }
    };
    let target = if args.in_place { Some(args.file.as_path()) } else { output };
    let Some(target) = target else { return out.write_all(&changed).map(|()| true) };
    Ok(file_output::write_or_report(Input::new(target), &changed))
}

/// Writes a changed copy of a package or save of Unreal Engine.
fn run_unreal(
    args: &Set,
    input: Input<'_>,
    content: Content,
    out: &mut impl Write,
) -> io::Result<bool> {
    let name = input.name();
    let files = match unreal::Files::load(input, content.bytes, args.unreal) {
        Ok(Ok(files)) => files,
        Ok(Err(_)) => return Ok(false), // not reached: `is_file` has recognised the file
        Err(stop) => {
            report::error(&name, stop);
            return Ok(false);
        }
    };
    let changed = unreal::set(args, &name, &files).and_then(|mut changed| {
        let wrapped = files.wrap(&name, changed.header).map_err(|stop| Some(stop.to_string()))?;
        changed.header = content.form.restore(wrapped).map_err(Some)?;
        Ok(changed)
    });
    let changed = match changed {
        Ok(changed) => changed,
        Err(problem) => {
            problem.into_iter().for_each(|problem| report::error(&name, problem));
            return Ok(false);
        }
    };
    let target = if args.in_place { Some(&args.file) } else { args.output.as_ref() };
    unreal::write_files(&name, &changed, target.map(|path| Input::new(path)), out)
}

/// Error message, or `None` if the error was already reported.
pub type Problem = Option<String>;

struct File<'a> {
    args: &'a Set,
    input: Input<'a>,
    name: &'a str,
    bytes: &'a [u8],
}

impl File<'_> {
    fn changed(&self) -> Result<Vec<u8>, Problem> {
        let file = file_values::read_all(self.input, self.bytes, self.args.source).ok_or(None)?;
        let (behind, FileValues { values, region }) = (file.behind(), file);
        let (format, count) = (region.format, values.len());
        file_values::check_frame(format, count, self.args.frame)?;
        let mut changed = Vec::with_capacity(self.bytes.len());
        changed.extend(region.before);
        let mut missing = Vec::new();
        for (index, old) in values.iter().enumerate() {
            let is_selected = self.args.frame.is_none_or(|frame| frame == index);
            let change = Change { args: self.args, path: &self.args.path, dialect: format.dialect };
            let value = match is_selected.then(|| change.try_changed_value(old.value)) {
                None => old.value.as_bytes().to_vec(),
                Some(Ok(value)) => value,
                Some(Err(SetError::Missing)) => {
                    missing.push(index);
                    old.value.as_bytes().to_vec()
                }
                Some(Err(error)) => {
                    let context = file_values::context(format, count, index);
                    return Err(error.problem(self.name, &context));
                }
            };
            if format.frames {
                let len = value.len().saturating_add(old.rest.len());
                let prefix = format.framing().prefix(len);
                changed.extend(prefix.map_err(|error| Some(error.kind().to_string()))?);
            }
            changed.extend(value);
            changed.extend(old.rest);
        }
        changed.extend(behind);
        let selected = if self.args.frame.is_some() { 1 } else { count };
        self.report_missing(&values, &missing, selected)?;
        Ok(changed)
    }

    /// Prints a warning if some of the selected values have no value at the path. Returns an error
    /// if none of them has one.
    fn report_missing(
        &self,
        values: &[FileValue<'_>],
        missing: &[usize],
        selected: usize,
    ) -> Result<(), Problem> {
        let format = self.args.source.format();
        let Some(first) = missing.first().copied() else { return Ok(()) };
        if missing.len() < selected {
            let many =
                format!("{} of {selected} have no value at {}", missing.len(), self.args.path);
            report::warning(self.name, format_args!("{many} and are unchanged"));
            return Ok(());
        }
        let found = values.get(first).map(|value| value.value.find(&self.args.path));
        if let Some(Err(missing)) = found {
            let context = file_values::context(format, values.len(), first);
            messages::path_not_found(self.name, &context, &missing);
        }
        Err(None)
    }
}

/// A change of a value. `path` starts at the outermost value of a packet, or at the value of an
/// entry of a configuration file.
#[derive(Clone, Copy)]
pub struct Change<'a> {
    pub args: &'a Set,
    pub path: &'a str,
    pub dialect: Dialect,
}

impl Change<'_> {
    /// Returns a copy of one value with the change. Error messages begin with `name`, the name of
    /// the file, and `context`, which identifies the value in the file.
    pub fn changed_value(
        &self,
        name: &str,
        context: &str,
        encoded: Encoded<'_>,
    ) -> Result<Vec<u8>, Problem> {
        self.try_changed_value(encoded).map_err(|error| match error {
            SetError::Missing => {
                if let Err(missing) = encoded.find(self.path) {
                    messages::path_not_found(name, context, &missing);
                }
                None
            }
            error => error.problem(name, context),
        })
    }

    fn try_changed_value(&self, encoded: Encoded<'_>) -> Result<Vec<u8>, SetError> {
        let dialect = encoded.dialect();
        let found = encoded.find(self.path).map_err(|_| SetError::Missing)?;
        let value = self.parse(&found)?;
        let value = Reader::new(&value, dialect).read_encoded().map_err(SetError::other)?;
        self.check_type(value, &found)?;
        let splice = |old| spliced(encoded, old, value).map_err(SetError::Other);
        let is_double = self.args.double && value.decode().is_double();
        if let Some(old) = found.encoded().filter(|_| is_double) {
            return splice(old);
        }
        let mut changed = encoded.as_bytes().to_vec();
        let mut packet = Patch::new(&mut changed, dialect).map_err(SetError::other)?;
        // Keep the old width if the new value fits.
        match (packet.set(self.path, value), found.encoded()) {
            (Ok(()), _) => Ok(changed),
            (Err(_), Some(old)) => splice(old),
            (Err(error), None) => Err(SetError::other(error.kind())),
        }
    }

    /// Returns an error if the container of `old` declares a built-in type that does not accept
    /// `value`. Declared classes are not checked, since only the engine knows the classes.
    fn check_type(&self, value: Encoded<'_>, old: &Found<'_>) -> Result<(), SetError> {
        let (stated, given, path) = (old.stated(), value.kind(), self.path);
        match stated {
            TypeRef::Builtin(kind) if !stated.accepts(given) => Err(SetError::Other(format!(
                "`{path}` is in a container of type {kind:?}, which cannot hold a VALUE of type {given:?}"
            ))),
            _ => Ok(()),
        }
    }

    /// Encodes VALUE, which is in the notation that the options select. Converts it to the type of
    /// the old value if a script would do so implicitly.
    fn parse(&self, old: &Found<'_>) -> Result<Vec<u8>, SetError> {
        let (text, dialect) = (&self.args.value, self.dialect);
        let at = |offset: u64, reason: &dyn std::fmt::Display| {
            format!("VALUE, byte {}: {reason}", offset.saturating_add(1))
        };
        let mut bytes = Vec::new();
        if self.args.json {
            let mut writer = Writer::new(&mut bytes, dialect);
            let written = Document::parse(text).and_then(|document| document.write(&mut writer));
            written.map_err(|error| SetError::Other(at(error.offset(), error.kind())))?;
        } else {
            let options = Reading::of(dialect);
            let is_double = self.args.double || old.value().is_double();
            let options = if is_double { options.double() } else { options };
            let value = options.read(text).map_err(|error| {
                let problem = at(error.offset(), error.kind());
                match error.kind() {
                    ErrorKind::UnknownName => {
                        SetError::UnknownName(word(text, error.offset()), problem)
                    }
                    _ => SetError::Other(problem),
                }
            })?;
            bytes = value.to_bytes(dialect).map_err(SetError::other)?;
        }
        convert_to_type_of(&bytes, &old.value(), dialect).map_err(SetError::Other)
    }
}

/// An error that occurred while changing one value.
enum SetError {
    /// The path does not exist in this value.
    Missing,
    /// VALUE contains an unknown name, such as text without quotes. The fields are the name and the
    /// message.
    UnknownName(String, String),
    Other(String),
}

impl SetError {
    fn other(why: impl std::fmt::Display) -> Self {
        Self::Other(why.to_string())
    }

    /// Returns the message of the error. If the error has a hint, reports the error and the hint,
    /// and returns `None`.
    fn problem(self, name: &str, context: &str) -> Problem {
        match self {
            Self::Missing => None,
            Self::Other(problem) => Some(format!("{context}{problem}")),
            Self::UnknownName(unknown, problem) => {
                report::error(name, format_args!("{context}{problem}"));
                report::hint(format_args!("text needs quotes, as in '\"{unknown}\"'"));
                None
            }
        }
    }
}

/// Returns the word that starts at an offset.
fn word(text: &str, offset: u64) -> String {
    let rest = usize::try_from(offset).ok().and_then(|offset| text.get(offset..));
    let is_part = |c: &char| c.is_alphanumeric() || *c == '_';
    rest.unwrap_or_default().chars().take_while(is_part).collect()
}

/// Converts an encoded value to the type of the old value, if a script would convert it implicitly.
/// A script converts an int to a float, and a String to a StringName or NodePath.
fn convert_to_type_of(
    value: &[u8],
    old: &VariantRef<'_>,
    dialect: Dialect,
) -> Result<Vec<u8>, String> {
    let encoded = Reader::new(value, dialect).read_encoded().map_err(|error| error.to_string())?;
    let mut bytes = Vec::new();
    let mut writer = Writer::new(&mut bytes, dialect);
    let written = match (old, encoded.decode()) {
        (VariantRef::Float(_), VariantRef::Int(int)) => writer.put(int as f64),
        (VariantRef::StringName(_), VariantRef::String(text)) => {
            writer.put(VariantRef::StringName(text))
        }
        (VariantRef::NodePath(_), VariantRef::String(text)) => {
            writer.put(NodePath(str::from_utf8(text.visible()).unwrap_or_default()))
        }
        _ => writer.put(encoded),
    };
    written.map_err(|error| error.to_string()).map(|()| bytes)
}

/// Returns `whole` with its part `old` replaced with `new`. Containers store their number of items
/// rather than their size in bytes, so no other byte changes.
fn spliced(whole: Encoded<'_>, old: Encoded<'_>, new: Encoded<'_>) -> Result<Vec<u8>, String> {
    let (bytes, dialect) = (whole.as_bytes(), whole.dialect());
    let range = Reader::new(bytes, dialect).range_of(old.as_bytes()).unwrap_or_default();
    let before = bytes.get(..range.start).unwrap_or_default();
    let after = bytes.get(range.end..).unwrap_or_default();
    let changed = [before, new.as_bytes(), after].concat();
    let mut reader = Reader::new(&changed, dialect);
    match reader.skip().and_then(|()| reader.finish()) {
        Ok(()) => Ok(changed),
        Err(error) => Err(error.kind().to_string()), // such as nesting that is too deep
    }
}
