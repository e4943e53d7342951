//! Types of structs in containers: the option `--types`, and the command `gamewire unreal types`.

use super::{Files, Opened, Refusal, archives, is_package, size_on_disk, sought};
use crate::args::TypesOf;
use crate::recognise::{Sample, recognise};
use crate::ui::input::{Input, Stop};
use crate::ui::path::{parse, quote_if_needed};
use crate::ui::text::escaped;
use crate::ui::walk::{Wanted, expand_folders};
use gamewire::unreal::properties::NativeValue;
use gamewire::unreal::{
    Error, Properties, PropertyKind, PropertyType, PropertyValue, StructHint, Tag,
};
use std::collections::BTreeMap;
use std::fs;
use std::io::{self, Write};
use std::str::FromStr;

/// The types of structs that a file from the user states. They stay in memory until the program
/// ends.
#[derive(Clone, Copy, Debug, Default)]
pub struct Types(&'static [StructHint<'static>]);

impl Types {
    pub const fn hints(self) -> &'static [StructHint<'static>] {
        self.0
    }
}

/// Maximum size of such a file in bytes.
const LARGEST: u64 = 1 << 24;

impl FromStr for Types {
    type Err = String;

    /// Reads the file at `path`.
    fn from_str(path: &str) -> Result<Self, String> {
        let size = fs::metadata(path).map_err(|error| error.to_string())?.len();
        if size > LARGEST {
            return Err(format!("the file is larger than {LARGEST} bytes"));
        }
        let text = fs::read_to_string(path).map_err(|error| error.to_string())?;
        let mut hints = Vec::new();
        for (number, line) in (1..).zip(text.lines()) {
            let line = line.trim();
            if !line.is_empty() && !line.starts_with('#') {
                hints.push(hint(line).map_err(|fault| format!("line {number}: {fault}"))?);
            }
        }
        Ok(Self(hints.leak()))
    }
}

/// Reads a line such as `properties.Kills = MapProperty(StructProperty(Guid),IntProperty)`.
fn hint(line: &str) -> Result<StructHint<'static>, String> {
    let (path, of) = line.split_once('=').ok_or("expected PATH = TYPE")?;
    let mut property = String::new();
    let segments = parse(path.trim())?;
    let skipped = usize::from(segments.first().is_some_and(|first| first.is("properties")));
    for segment in segments.iter().skip(skipped).filter(|segment| segment.index().is_none()) {
        property.push('.');
        property.push_str(&segment.text);
    }
    if property.is_empty() {
        return Err("the path names no property".into());
    }
    let (key, value) = sides(of.trim()).ok_or(
        "expected MapProperty(KEY,VALUE), SetProperty(ELEMENT), ArrayProperty(ELEMENT) or \
         OptionalProperty(ELEMENT)",
    )?;
    let kept = |name: Option<&str>| name.map(|name| &*name.to_owned().leak());
    Ok(StructHint { property: property.leak(), key: kept(key), value: kept(value) })
}

/// Returns the names of the structs of keys and of values.
fn sides(of: &str) -> Option<(Option<&str>, Option<&str>)> {
    let (kind, inner) = of.strip_suffix(')')?.split_once('(')?;
    match kind {
        "MapProperty" => {
            let (key, value) = inner.split_at_checked(top_level_comma(inner)?)?;
            Some((name_of_struct(key), name_of_struct(value.strip_prefix(',')?)))
        }
        "SetProperty" | "ArrayProperty" | "OptionalProperty" => Some((None, name_of_struct(inner))),
        _ => None,
    }
}

fn top_level_comma(text: &str) -> Option<usize> {
    let mut open = 0_u32;
    text.bytes().position(|byte| {
        match byte {
            b'(' => open = open.saturating_add(1),
            b')' => open = open.saturating_sub(1),
            _ => {}
        }
        byte == b',' && open == 0
    })
}

fn name_of_struct(of: &str) -> Option<&str> {
    of.trim().strip_prefix("StructProperty(")?.strip_suffix(')')
}

/// Prints the inferred types of all files. Returns `true` if all files could be read.
pub fn run(args: &TypesOf, out: &mut impl Write) -> io::Result<bool> {
    let wanted = Wanted { name: is_package, content: |_| Ok(true), description: sought() };
    let found = expand_folders(&args.files, &wanted);
    found.for_each(size_on_disk, out, |input, out| file(args, input, out))
}

fn file(args: &TypesOf, input: Input<'_>, out: &mut dyn Write) -> Result<bool, Stop> {
    let files = match Files::load(input, archives::load(input)?, args.unreal)? {
        Ok(files) => files,
        Err(bytes) => {
            return Err(match recognise(&Sample::whole(input.path(), &bytes)) {
                Some(kind) => Stop::input(format_args!("neither a package nor a save: {kind}")),
                None => Stop::input("neither a package nor a save"),
            });
        }
    };
    let mut found = Found::default();
    let all = match files.open() {
        Ok(Opened::Save(save)) => found.list(save.properties(), "properties"),
        Ok(Opened::Package(package)) => {
            package.exports().try_for_each(|export| match package.properties(&export?)? {
                Some(object) => found.list(object.iter(), "properties"),
                None => Ok(()),
            })
        }
        Ok(Opened::Zen(package)) => {
            let indices = 0..u32::try_from(package.exports().len()).unwrap_or(u32::MAX);
            indices.into_iter().try_for_each(|index| match package.properties(index)? {
                Some(object) => found.list(object.iter(), "properties"),
                None => Ok(()),
            })
        }
        Err(error) => Err(error),
    };
    for (path, line) in found.0 {
        let written = match line {
            Line::Inferred(of) => writeln!(out, "{path} = {of}"),
            Line::Unknown(of) => writeln!(out, "# {path} = {of}"),
            Line::Conflicting(first, second) => {
                writeln!(out, "# {path} = {first} or {second}")
            }
        };
        written.map_err(Stop::Output)?;
    }
    all.map(|()| true).map_err(|error| Stop::input(Refusal(&error)))
}

/// The types of those containers whose structs the file does not name, by path.
#[derive(Default)]
struct Found(BTreeMap<String, Line>);

enum Line {
    Inferred(String),
    /// No type was inferred.
    Unknown(String),
    /// Two containers with the same path have different types.
    Conflicting(String, String),
}

/// Maximum length of a path in bytes, and maximum number of paths.
const LONGEST: usize = 4096;
const MOST: usize = 100_000;

impl Found {
    fn list(&mut self, list: Properties<'_>, path: &str) -> Result<(), Error> {
        list.into_iter().try_for_each(|tag| self.tag(&tag?, path))
    }

    fn tag(&mut self, tag: &Tag<'_>, path: &str) -> Result<(), Error> {
        let name = quote_if_needed(&tag.name().to_string());
        let path = format!("{path}.{}", escaped(name));
        if path.len() > LONGEST {
            return Ok(());
        }
        let value = tag.value();
        if let Some(inferred) = tag.inferred() {
            self.add(&path, Line::Inferred(escaped(inferred)));
        } else if matches!(value, PropertyValue::Opaque(..)) && is_unnamed(&tag.head().of) {
            self.add(&path, Line::Unknown(escaped(tag.head().of)));
        }
        self.value(&value, &path)
    }

    fn add(&mut self, path: &str, line: Line) {
        if self.0.len() >= MOST {
            return;
        }
        let Some(known) = self.0.get_mut(path) else {
            self.0.insert(path.to_owned(), line);
            return;
        };
        match (&*known, line) {
            (Line::Inferred(first), Line::Inferred(second)) if *first != second => {
                *known = Line::Conflicting(first.clone(), second);
            }
            // `--types` gives the inferred type to all containers with this path.
            (Line::Unknown(_), line @ Line::Inferred(_)) => *known = line,
            _ => {}
        }
    }

    fn value(&mut self, value: &PropertyValue<'_>, path: &str) -> Result<(), Error> {
        match *value {
            PropertyValue::Struct(list) => self.list(list, path),
            PropertyValue::Instanced(of) if of.size > 0 => self.list(of.properties, path),
            PropertyValue::Native(_, fields) => fields.into_iter().try_for_each(|(_, field)| {
                if let NativeValue::Struct(list) = field { self.list(list, path) } else { Ok(()) }
            }),
            PropertyValue::Array(all) | PropertyValue::Optional(all) => {
                all.into_iter().try_for_each(|value| self.value(&value, path))
            }
            PropertyValue::Set(set) => set.values().try_for_each(|value| self.value(&value, path)),
            PropertyValue::Map(map) => map.entries().try_for_each(|(key, value)| {
                self.value(&key, path)?;
                self.value(&value, path)
            }),
            _ => Ok(()),
        }
    }
}

/// Returns `true` for a container of structs whose names the tag does not state.
fn is_unnamed(of: &PropertyType<'_>) -> bool {
    let unnamed = |of: Option<PropertyType<'_>>| {
        of.is_some_and(|of| of.kind() == PropertyKind::Struct && of.name().is_none())
    };
    unnamed(of.inner()) || of.kind() == PropertyKind::Map && unnamed(of.value())
}
