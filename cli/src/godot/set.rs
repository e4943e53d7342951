//! `gamewire set`.

use super::file_values::{self, Piece};
use crate::args::Set;
use crate::ui::input::Input;
use crate::ui::{replace_file, report};
use gamewire::godot::json::Document;
use gamewire::godot::notation::{ErrorKind, Reading};
use gamewire::godot::patch::Patch;
use gamewire::godot::path::Found;
use gamewire::godot::{Dialect, Encoded, NodePath, Reader, TypeRef, VariantRef, Writer};
use std::io::{self, IsTerminal, Write};
use std::{fs, str};

/// Writes a changed copy; whether all went well. Otherwise nothing is written.
pub fn run(args: &Set, out: &mut impl Write) -> io::Result<bool> {
    let output = args.output.as_deref().filter(|output| !Input::new(output).is_stdin());
    if output.is_none() && !args.in_place && io::stdout().is_terminal() {
        report::refusal("packets are binary: send standard output to a file or a pipe, or say -o");
        return Ok(false);
    }
    let input = Input::new(&args.file);
    let name = input.name();
    let changed = match input.load(args.source) {
        Ok(bytes) => File { args, name: &name, bytes: &bytes }.changed(),
        Err(stop) => Err(Some(stop.to_string())),
    };
    let changed = match changed {
        Ok(changed) => encoded(args, changed),
        Err(problem) => {
            problem.into_iter().for_each(|problem| report::error(&name, problem));
            return Ok(false);
        }
    };
    let (target, written) = match output {
        _ if args.in_place => {
            (args.file.as_path(), replace_file::replace_content(&args.file, &changed))
        }
        Some(output) => (output, fs::write(output, &changed)),
        None => return out.write_all(&changed).map(|()| true),
    };
    if let Err(error) = &written {
        report::error(&Input::new(target).name(), error);
    }
    Ok(written.is_ok())
}

/// In the encoding that it came in.
fn encoded(args: &Set, bytes: Vec<u8>) -> Vec<u8> {
    match args.source.base64 {
        true => data_encoding::BASE64.encode(&bytes).into_bytes(),
        false => bytes,
    }
}

/// Why there is no changed copy, if that was not said yet.
type Problem = Option<String>;

struct File<'a> {
    args: &'a Set,
    name: &'a str,
    bytes: &'a [u8],
}

impl File<'_> {
    fn changed(&self) -> Result<Vec<u8>, Problem> {
        let format = self.args.source.format;
        let pieces = file_values::of(self.name, self.bytes, format).ok_or(None)?;
        let count = pieces.len();
        file_values::lacking(format, count, self.args.frame)?;
        let mut changed = Vec::with_capacity(self.bytes.len());
        let mut missing = Vec::new();
        for (index, piece) in pieces.iter().enumerate() {
            let is_chosen = self.args.frame.is_none_or(|frame| frame == index);
            let value = match is_chosen.then(|| self.value(piece.value)) {
                None => piece.value.as_bytes().to_vec(),
                Some(Ok(value)) => value,
                Some(Err(Trouble::Missing)) => {
                    missing.push(index);
                    piece.value.as_bytes().to_vec()
                }
                Some(Err(Trouble::Other(problem))) => {
                    let context = file_values::context(format, count, index);
                    return Err(Some(format!("{context}{problem}")));
                }
                Some(Err(Trouble::Name(name, problem))) => {
                    let context = file_values::context(format, count, index);
                    report::error(self.name, format_args!("{context}{problem}"));
                    report::hint(format_args!("text needs quotes, like '\"{name}\"'"));
                    return Err(None);
                }
            };
            if format.frames {
                let len = u32::try_from(value.len().saturating_add(piece.rest.len()));
                let len = len.map_err(|error| Some(error.to_string()))?;
                changed.extend(len.to_le_bytes());
            }
            changed.extend(value);
            changed.extend(piece.rest);
        }
        let chosen = if self.args.frame.is_some() { 1 } else { count };
        self.missing(&pieces, &missing, chosen)?;
        Ok(changed)
    }

    /// What is said where the path leads nowhere: in none of those chosen, or in some.
    fn missing(
        &self,
        pieces: &[Piece<'_>],
        missing: &[usize],
        chosen: usize,
    ) -> Result<(), Problem> {
        let format = self.args.source.format;
        let Some(first) = missing.first().copied() else { return Ok(()) };
        if missing.len() < chosen {
            let many = format!("{} of {chosen} have nothing at {}", missing.len(), self.args.path);
            report::warning(self.name, format_args!("{many}, and stay as they are"));
            return Ok(());
        }
        let found = pieces.get(first).map(|piece| piece.value.find(&self.args.path));
        if let Some(Err(missing)) = found {
            let context = file_values::context(format, pieces.len(), first);
            report::path_not_found(self.name, &context, &missing);
        }
        Err(None)
    }

    /// One value, changed.
    fn value(&self, encoded: Encoded<'_>) -> Result<Vec<u8>, Trouble> {
        let dialect = encoded.dialect();
        let found = encoded.find(&self.args.path).map_err(|_| Trouble::Missing)?;
        let value = self.parse(&found)?;
        let value = Reader::new(&value, dialect).read_encoded().map_err(Trouble::other)?;
        self.is_taken(value, &found)?;
        let splice = |old| spliced(encoded, old, value).map_err(Trouble::Other);
        let is_asked_wide = self.args.double && value.decode().is_double();
        if let Some(old) = found.encoded().filter(|_| is_asked_wide) {
            return splice(old);
        }
        let mut changed = encoded.as_bytes().to_vec();
        let mut packet = Patch::new(&mut changed, dialect).map_err(Trouble::other)?;
        // In the width that is there, if that is possible.
        match (packet.set(&self.args.path, value), found.encoded()) {
            (Ok(()), _) => Ok(changed),
            (Err(_), Some(old)) => splice(old),
            (Err(error), None) => Err(Trouble::other(error.kind())),
        }
    }

    /// A container of a built-in type has no other values. (Of which class an object is, only
    /// an engine can tell.)
    fn is_taken(&self, value: Encoded<'_>, place: &Found<'_>) -> Result<(), Trouble> {
        let (stated, given, path) = (place.stated(), value.kind(), &self.args.path);
        match stated {
            TypeRef::Builtin(kind) if !stated.takes(given) => Err(Trouble::Other(format!(
                "the container of `{path}` holds {kind:?} only, and VALUE is {given:?}"
            ))),
            _ => Ok(()),
        }
    }

    /// The one place that decides in which notation VALUE is.
    fn parse(&self, place: &Found<'_>) -> Result<Vec<u8>, Trouble> {
        let (text, dialect) = (&self.args.value, self.args.source.format.dialect);
        let at = |offset: u64, reason: &dyn std::fmt::Display| {
            format!("VALUE, byte {}: {reason}", offset.saturating_add(1))
        };
        let mut bytes = Vec::new();
        if self.args.json {
            let mut writer = Writer::new(&mut bytes, dialect);
            let written = Document::parse(text).and_then(|document| document.write(&mut writer));
            written.map_err(|error| Trouble::Other(at(error.offset(), error.kind())))?;
        } else {
            let how = Reading::of(dialect);
            let is_double = self.args.double || place.value().is_double();
            let how = if is_double { how.double() } else { how };
            let value = how.read(text).map_err(|error| {
                let problem = at(error.offset(), error.kind());
                match error.kind() {
                    ErrorKind::UnknownName => Trouble::Name(word(text, error.offset()), problem),
                    _ => Trouble::Other(problem),
                }
            })?;
            bytes = value.to_bytes(dialect).map_err(Trouble::other)?;
        }
        as_there(&bytes, &place.value(), dialect).map_err(Trouble::Other)
    }
}

/// Why a value is not changed.
enum Trouble {
    /// The path leads nowhere.
    Missing,
    /// VALUE has a name that stands for nothing: text, perhaps.
    Name(String, String),
    Other(String),
}

impl Trouble {
    fn other(why: impl std::fmt::Display) -> Self {
        Self::Other(why.to_string())
    }
}

/// The word that starts there.
fn word(text: &str, offset: u64) -> String {
    let rest = usize::try_from(offset).ok().and_then(|offset| text.get(offset..));
    let is_part = |c: &char| c.is_alphanumeric() || *c == '_';
    rest.unwrap_or_default().chars().take_while(is_part).collect()
}

/// Of the type that is there, where a script would convert without being asked: an int to a
/// float, text to a name or a path.
fn as_there(value: &[u8], place: &VariantRef<'_>, dialect: Dialect) -> Result<Vec<u8>, String> {
    let encoded = Reader::new(value, dialect).read_encoded().map_err(|error| error.to_string())?;
    let mut bytes = Vec::new();
    let mut writer = Writer::new(&mut bytes, dialect);
    // What a script's conversion does.
    let written = match (place, encoded.decode()) {
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

/// `whole`, of which `old` is a part, with another value there. Containers say how many items
/// they have, and not how long they are, so nothing else changes.
fn spliced(whole: Encoded<'_>, old: Encoded<'_>, new: Encoded<'_>) -> Result<Vec<u8>, String> {
    let (bytes, dialect) = (whole.as_bytes(), whole.dialect());
    let place = Reader::new(bytes, dialect).range_of(old.as_bytes()).unwrap_or_default();
    let before = bytes.get(..place.start).unwrap_or_default();
    let after = bytes.get(place.end..).unwrap_or_default();
    let changed = [before, new.as_bytes(), after].concat();
    let mut reader = Reader::new(&changed, dialect);
    match reader.skip().and_then(|()| reader.finish()) {
        Ok(()) => Ok(changed),
        Err(error) => Err(error.kind().to_string()), // too deep now
    }
}
