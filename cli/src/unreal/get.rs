use super::select::{MAX_NAMES, Missing, Print, Stop as Selection, What, select};
use super::{Files, LACKS_EXPORTS, Opened, Refusal, zen};
use crate::args::Get;
use crate::ui::indented;
use crate::ui::input::Stop;
use crate::ui::output::BareString;
use crate::ui::path::{Segment, parse, quote_if_needed, short};
use crate::ui::report;
use crate::ui::text::escaped;
use erased_serde::Serialize;
use gamewire::unreal::tables::Export;
use gamewire::unreal::{
    Error, Object, Package, PartialDocument, Properties, PropertyValue, Save, Tag, ZenPackage,
};
use std::io::{self, Write};

/// Prints the value at each path of a package or save. Returns `true` if all paths exist.
pub fn get<W: Write>(args: &Get, name: &str, files: &Files, out: &mut W) -> Result<bool, Stop> {
    if args.frame.is_some() {
        return Err(Stop::input("packages and saves have no frames (--frame)"));
    }
    let opened = match files.open() {
        Ok(opened) => opened,
        Err(error) => {
            if !args.raw {
                beginning(args, &files.unopened(error), out)?;
            }
            return Err(Stop::input(Refusal(&error)));
        }
    };
    let mut ok = files.report_version(name);
    for path in args.paths() {
        let segments = parse(path).map_err(|fault| Stop::input(escaped(fault)))?;
        let stop = match args.raw {
            true => raw(&opened, &segments, out)?,
            false => value(&opened, &segments, &mut Value { json: args.json, out })?,
        };
        match stop {
            Selection::Output(error) => return Err(Stop::Output(error)),
            Selection::Missing(left, missing) => {
                out.flush().map_err(Stop::Output)?;
                report_missing(name, &segments, left, &missing);
                hint(&opened, &segments);
                ok = false;
            }
            Selection::Done | Selection::Another(_) => {}
        }
    }
    Ok(ok)
}

/// Prints the requested values that are in the readable part of a file that cannot be opened. The
/// caller reports the error.
fn beginning<W: Write>(args: &Get, of: &PartialDocument<'_>, out: &mut W) -> Result<(), Stop> {
    for path in args.paths() {
        let segments = parse(path).map_err(|fault| Stop::input(escaped(fault)))?;
        if let Selection::Output(error) = select(of, &segments, &mut Value { json: args.json, out })
        {
            return Err(Stop::Output(error));
        }
    }
    Ok(())
}

/// Prints the value at `path`.
fn value(opened: &Opened<'_>, path: &[Segment<'_>], to: &mut dyn Print) -> Result<Selection, Stop> {
    match opened {
        Opened::Save(save) => Ok(select(save, path, to)),
        Opened::Package(package) => {
            in_package(package, path, to).map_err(|error| Stop::input(Refusal(&error)))
        }
        Opened::Zen(package) => Ok(in_zen(package, path, to)),
    }
}

/// Prints the value at `path` of a package from an `IoStore` container. If the path leads into an
/// export that is named by its index or path, reads only this export.
fn in_zen(package: &ZenPackage<'_>, path: &[Segment<'_>], to: &mut dyn Print) -> Selection {
    let (index, rest) = match path {
        [table, object, rest @ ..] if table.is("exports") => (zen_export(package, object), rest),
        _ => (None, path),
    };
    match index.map(|index| package.export_document(index)) {
        Some(Ok(export)) => select(&export, rest, to),
        _ => select(package, path, to),
    }
}

/// Returns the index of the export that a segment names by its index, path or name.
fn zen_export(package: &ZenPackage<'_>, segment: &Segment<'_>) -> Option<u32> {
    match segment.index() {
        Some(index) => u32::try_from(index).ok(),
        None => package.find_export(&segment.text),
    }
}

fn bytes_in_zen<'p>(
    package: &'p ZenPackage<'_>,
    path: &[Segment<'_>],
) -> Result<Option<&'p [u8]>, Error> {
    let [table, segment, rest @ ..] = path else { return Ok(None) };
    let index = zen_export(package, segment).filter(|_| table.is("exports"));
    match (index, rest) {
        (Some(index), []) => package.export_bytes(index).map(Some),
        (Some(index), [list, path @ ..]) if list.is("properties") => {
            let object = package.properties(index)?;
            Ok(object.and_then(|object| tag(object.iter(), path)).map(|tag| tag.bytes()))
        }
        _ => Ok(None),
    }
}

/// Prints the value at `path` of a package. If the path leads into an export, reads only this
/// export.
fn in_package(
    package: &Package<'_>,
    path: &[Segment<'_>],
    to: &mut dyn Print,
) -> Result<Selection, Error> {
    Ok(match path {
        [table, object, rest @ ..] if table.is("exports") => match export(package, object)? {
            Ok(export) => select(&package.export_document(&export), rest, to),
            Err(missing) => Selection::Missing(rest.len(), missing),
        },
        [table, object, rest @ ..] if table.is("imports") && object.index().is_none() => {
            match package.find_import(&object.text) {
                Some(index) => {
                    let index =
                        Segment { text: index.to_string().into(), quoted: false, ..*object };
                    select(package, &[&[table.clone(), index], rest].concat(), to)
                }
                None => {
                    let missing = no_object(package, object, What::Import, Object::Import);
                    Selection::Missing(rest.len(), missing)
                }
            }
        }
        path => select(package, path, to),
    })
}

/// Returns the index of the export that a segment identifies by its index, path or name.
pub fn export_index(package: &Package<'_>, segment: &Segment<'_>) -> Option<u32> {
    let count = package.exports().len();
    let index = match segment.index() {
        Some(index @ ..0) => i64::try_from(count).unwrap_or(i64::MAX).checked_add(index),
        Some(index) => Some(index),
        None => package.find_export(&segment.text).map(i64::from),
    };
    let index = index.and_then(|index| u32::try_from(index).ok());
    index.filter(|index| (*index as usize) < count)
}

/// Finds the export that a segment names by its index, path or name.
fn export(package: &Package<'_>, segment: &Segment<'_>) -> Result<Result<Export, Missing>, Error> {
    match export_index(package, segment) {
        Some(index) => package.export(index).map(Ok),
        None if segment.index().is_some() => Ok(Err(Missing::Elements(package.exports().len()))),
        None => Ok(Err(no_object(package, segment, What::Export, Object::Export))),
    }
}

/// Returns the reason why a name does not identify an object: no object has the name, or several
/// objects have it.
fn no_object(
    package: &Package<'_>,
    segment: &Segment<'_>,
    what: What,
    object: fn(u32) -> Object,
) -> Missing {
    // Count the records that can be read, since the counts in the summary may be wrong.
    let count = match what {
        What::Import => package.imports().flatten().count(),
        _ => package.exports().flatten().count(),
    };
    let objects = || (0..).take(count).map(|index| object(index).into());
    let path = |index| quote_if_needed(&short(format_args!("{:#}", package.path_of(index))));
    let is_called = |index| package.object_name(index).is_some_and(|name| name == *segment.text);
    let called: Vec<_> =
        objects().filter(|index| is_called(*index)).take(MAX_NAMES).map(path).collect();
    match called.is_empty() {
        false => Missing::Several(called),
        true => Missing::Names(what, objects().take(MAX_NAMES).map(path).collect()),
    }
}

/// Prints a value and ends the line.
struct Value<'o, W> {
    json: bool,
    out: &'o mut W,
}

impl<W: Write> Print for Value<'_, W> {
    fn print(&mut self, value: &dyn Serialize) -> io::Result<()> {
        if self.json {
            serde_json::to_writer(&mut *self.out, value)?;
            return self.out.write_all(b"\n");
        }
        let mut text = BareString::new(self.out);
        indented::write(&mut text, value)?;
        text.finish()
    }
}

/// Writes the raw bytes of the item at `path`, if `--raw` supports this type of item.
fn raw(opened: &Opened<'_>, path: &[Segment<'_>], out: &mut impl Write) -> Result<Selection, Stop> {
    let refused = |error: Error| Stop::input(Refusal(&error));
    let bytes = match opened {
        Opened::Save(save) => bytes_in_save(save, path),
        Opened::Package(package) => bytes_in_package(package, path),
        Opened::Zen(package) => bytes_in_zen(package, path),
    };
    if let Some(bytes) = bytes.map_err(refused)? {
        out.write_all(bytes).map_err(Stop::Output)?;
        return Ok(Selection::Done);
    }
    // The path leads to a different type of item, or does not exist.
    match value(opened, path, &mut Discard)? {
        Selection::Done => Err(Stop::input(RAW)),
        stop => Ok(stop),
    }
}

fn bytes_in_save<'s>(save: &'s Save<'_>, path: &[Segment<'_>]) -> Result<Option<&'s [u8]>, Error> {
    match path {
        [list, path @ ..] if list.is("properties") => {
            Ok(tag(save.properties(), path).map(|tag| tag.bytes()))
        }
        [word] if word.is("trailer") => save.trailer().map(|(_, trailer)| Some(trailer)),
        _ => Ok(None),
    }
}

fn bytes_in_package<'p>(
    package: &'p Package<'_>,
    path: &[Segment<'_>],
) -> Result<Option<&'p [u8]>, Error> {
    match path {
        [table, segment, rest @ ..] if table.is("exports") => {
            let Ok(export) = export(package, segment)? else { return Ok(None) };
            match rest {
                [] => package.export_bytes(&export).map(Some),
                [list, path @ ..] if list.is("properties") => {
                    let object = package.properties(&export)?;
                    Ok(object.and_then(|object| tag(object.iter(), path)).map(|tag| tag.bytes()))
                }
                _ => Ok(None),
            }
        }
        [table, segment] if table.is("thumbnails") => {
            let list = package.thumbnails()?.unwrap_or_default();
            let index = segment.index().and_then(|index| usize::try_from(index).ok());
            let thumbnail = index.and_then(|index| list.iter().flatten().nth(index));
            let picture = thumbnail.map(|thumbnail| package.thumbnail(&thumbnail)).transpose()?;
            Ok(picture.map(|(_, picture)| picture))
        }
        _ => Ok(None),
    }
}

/// A receiver that ignores the value.
struct Discard;

impl Print for Discard {
    fn print(&mut self, _: &dyn Serialize) -> io::Result<()> {
        Ok(())
    }
}

const RAW: &str = "--raw writes the bytes of exports, of properties by their names, of thumbnails \
                   and of a save's trailer";

pub const NO_TAGS: &str = "the names and types of its properties are not in the package: name a mappings file of the game \
     with --mappings FILE.usmap";

/// Returns the tag of the property at the end of `path`.
fn tag<'p>(list: Properties<'p>, path: &[Segment<'_>]) -> Option<Tag<'p>> {
    let (name, rest) = path.split_first()?;
    let found = list.get_at(&name.text, name.array_index.unwrap_or(0))?;
    if rest.is_empty() { Some(found) } else { tag_in(found.value(), rest) }
}

fn tag_in<'p>(value: PropertyValue<'p>, path: &[Segment<'_>]) -> Option<Tag<'p>> {
    match (value, path) {
        (PropertyValue::Struct(list), path) => tag(list, path),
        (PropertyValue::Array(mut elements), [segment, rest @ ..]) => {
            let index = usize::try_from(segment.index()?).ok()?;
            tag_in(elements.nth(index)?, rest)
        }
        (PropertyValue::Map(map), [key, rest @ ..]) => tag_in(map.get(&key.text)?, rest),
        (PropertyValue::Instanced(of), [value, rest @ ..]) if value.is("value") => {
            tag(of.properties, rest)
        }
        _ => None,
    }
}

/// Reports the first segment of a path that does not exist. If the whole path exists, reports that
/// its value cannot be changed.
pub fn report_path(name: &str, opened: &Opened<'_>, path: &[Segment<'_>]) {
    match value(opened, path, &mut Discard) {
        Ok(Selection::Missing(left, missing)) => {
            report_missing(name, path, left, &missing);
            hint(opened, path);
        }
        Err(stop) => report::error(name, stop),
        Ok(_) => report::error(name, "the value at this path cannot be changed"),
    }
}

/// Reports the first segment that does not exist, and lists the alternatives.
fn report_missing(name: &str, path: &[Segment<'_>], left: usize, missing: &Missing) {
    let at = path.len().saturating_sub(left).saturating_sub(1);
    let Some(segment) = path.get(at) else { return };
    let place = match segment.before.trim_end_matches(['.', '/']) {
        "" => "at the top".into(),
        before => format!("in `{before}`"),
    };
    let (message, names) = match missing {
        Missing::Names(what, names) => {
            let (one, many) = match what {
                What::Word | What::Key => ("key", "keys"),
                What::Property => ("property", "properties"),
                What::Export => ("export", "exports"),
                What::Import => ("import", "imports"),
            };
            let listed = report::list_names(names, &segment.to_string());
            (format!("no {one} `{segment}` {place} ({many}: {listed})"), &names[..])
        }
        Missing::Elements(count) => {
            (format!("no index `{segment}` {place} (elements: {count})"), &[][..])
        }
        Missing::Nothing => {
            (format!("no `{segment}` {place} (there is nothing inside it)"), &[][..])
        }
        Missing::Bytes => {
            (format!("no `{segment}` {place} (its value is only known as bytes)"), &[][..])
        }
        Missing::Several(paths) => {
            let listed = report::list_names(paths, &segment.text);
            (format!("several objects are called `{segment}` {place}: {listed}"), &[][..])
        }
    };
    report::error(name, escaped(message));
    if let (Missing::Nothing, Some(index @ 0..)) = (missing, segment.index()) {
        report::hint(format_args!("[#{index}] leads to an element of an array of fixed size"));
    }
    report::suggest_name(names.iter().cloned(), &segment.to_string());
}

/// Prints hints about other reasons for a missing value.
fn hint(opened: &Opened<'_>, path: &[Segment<'_>]) {
    let (package, segment) = match (opened, path) {
        (Opened::Zen(package), _) => return zen::hint(package),
        (Opened::Package(package), [table, segment, list, ..])
            if table.is("exports") && list.is("properties") =>
        {
            (package, segment)
        }
        (Opened::Save(save), [list, ..]) if list.is("properties") => return broken_off_save(save),
        (Opened::Save(save), [name, ..]) if save.properties().get(&name.text).is_some() => {
            let path = quote_if_needed(&short(&name.text));
            return report::hint(escaped(format_args!("did you mean `properties.{path}`?")));
        }
        _ => return,
    };
    if package.lacks_exports() {
        return report::hint(LACKS_EXPORTS);
    }
    let Ok(Ok(export)) = export(package, segment) else { return };
    match package.properties(&export) {
        Ok(None) => report::hint(NO_TAGS),
        Ok(Some(object)) => {
            if let Err(error) = object.tail() {
                broken_off(&error);
            }
        }
        Err(error) => broken_off(&error),
    }
}

fn broken_off_save(save: &Save<'_>) {
    if let Err(error) = save.trailer() {
        broken_off(&error);
    }
}

fn broken_off(error: &Error) {
    report::hint(format_args!("the properties break off: {}", Refusal(error)));
}
