//! `gamewire set` for packages and saves.

use super::edit_value::{self, Change, Fault};
use super::get;
use super::{Files, Opened, Refusal, zen};
use crate::args::Set;
use crate::ui::path::{Segment, parse};
use crate::ui::report;
use crate::ui::text::escaped;
use gamewire::unreal::edit::WrittenPackage;
use gamewire::unreal::{BytesForm, Package, PackageEditor, Properties, Save, SaveDocument};
use serde::Serialize;
use serde_json::Value;

/// Error message, or `None` if the error was already reported.
type Problem = Option<String>;

/// Returns the changed package or save. A package can consist of two files: the second one is its
/// `.uexp`.
pub fn set(args: &Set, name: &str, files: &Files) -> Result<WrittenPackage, Problem> {
    if args.frame.is_some() {
        return Err(Some("packages and saves have no frames (--frame)".into()));
    }
    let opened = files.open().map_err(|error| Some(Refusal(&error).to_string()))?;
    let path = parse(&args.path).map_err(|fault| Some(escaped(fault)))?;
    // In base64, arrays of bytes need little memory, but their elements have no paths. If the path
    // is not found, the arrays are therefore serialized as lists.
    for form in [BytesForm::Base64, BytesForm::List] {
        let changed = match &opened {
            Opened::Save(save) => in_save(args, &save.clone().with_bytes(form), &path),
            Opened::Package(package) => in_package(args, &package.clone().with_bytes(form), &path),
            Opened::Zen(_) => return Err(Some(zen::READ_ONLY.into())),
        };
        match changed {
            Ok((file, added)) => {
                if let Some(added) = added {
                    report::warning(name, escaped(format_args!("{added} is added")));
                }
                return Ok(file);
            }
            Err(Fault::Other(problem)) => return Err(Some(problem)),
            Err(Fault::Missing) => {}
        }
    }
    get::report_path(name, &opened, &path);
    Err(None)
}

type Changed = Result<(WrittenPackage, Option<String>), Fault>;

/// Returns the change that the command line requests. As in configuration files, the value `null`
/// removes an entry.
fn change_of(args: &Set) -> Change<'_> {
    match &*args.value {
        name if args.rename => Change::Rename(name),
        "null" => Change::Remove,
        text => Change::Set { text, json: args.json },
    }
}

fn in_save(args: &Set, save: &Save<'_>, path: &[Segment<'_>]) -> Changed {
    let only = |header| WrittenPackage { header, exports: None };
    if let [list, path @ ..] = path
        && list.is("properties")
        && !path.is_empty()
    {
        let (range, list, added) = changed_list(args, save.properties(), path)?;
        let file = save.replace_properties(range, list).map_err(other)?;
        return Ok((only(file), added));
    }
    let mut document = serde_json::to_value(save).map_err(other)?;
    let added = edit_value::change(&mut document, path, change_of(args), None)?;
    let head: SaveDocument = serde_json::from_value(document.clone()).map_err(other)?;
    Ok((only(head.write(document).map_err(other)?), added))
}

fn other(error: impl std::fmt::Display) -> Fault {
    Fault::Other(error.to_string())
}

/// Changes one property of a list. Returns three values: the range of positions in the list that is
/// to be replaced, the list of properties that replace it, and a description of what was added. The
/// range covers the property; for a new property, the range is empty and at the end of the list.
fn changed_list(
    args: &Set,
    list: Properties<'_>,
    path: &[Segment<'_>],
) -> Result<(std::ops::Range<usize>, Value, Option<String>), Fault> {
    let Some(first) = path.first() else { return Err(Fault::Missing) };
    let count = list.filter(Result::is_ok).count();
    let index = match first.index() {
        Some(index @ ..0) => {
            let count = i64::try_from(count).unwrap_or(i64::MAX);
            usize::try_from(count.saturating_add(index)).ok()
        }
        Some(index) => usize::try_from(index).ok(),
        None => list.flatten().position(|tag| {
            let index = tag.head().array_index;
            tag.name() == *first.text && index == first.array_index.unwrap_or(0)
        }),
    };
    let tag = index.and_then(|index| list.flatten().nth(index));
    let mut entries = Vec::new();
    if let Some(tag) = &tag {
        entries.push(to_value(tag)?);
    }
    let mut entries = Value::Array(entries);
    let mut path = path.to_vec();
    if let (Some(first), true) = (path.first_mut(), tag.is_some() && first.index().is_some()) {
        first.text = "0".into();
    }
    let declared = match (&tag, &path[..]) {
        (None, [name]) => declared_type(list, name)?,
        _ => None,
    };
    let of = args.of.as_deref().or(declared.as_deref());
    let added = edit_value::change(&mut entries, &path, change_of(args), of)?;
    let range = match (index, &tag) {
        (Some(index), Some(_)) => index..index.saturating_add(1),
        _ => count..count,
    };
    Ok((range, entries, added))
}

/// Returns the type that the mappings state for a property of a list without tags. Returns `None`
/// for a list with tags.
fn declared_type(list: Properties<'_>, name: &Segment<'_>) -> Result<Option<String>, Fault> {
    let Some(of) = list.structure() else { return Ok(None) };
    let index = u32::try_from(name.array_index.unwrap_or(0)).unwrap_or(u32::MAX);
    match list.declared(&name.text, index) {
        Some(head) => Ok(Some(head.of.to_string())),
        None => {
            let (of, name) = (of.name(), &name.text);
            Err(Fault::Other(format!("`{of}` has no property `{name}` in the mappings")))
        }
    }
}

fn to_value(of: &impl Serialize) -> Result<Value, Fault> {
    serde_json::to_value(of).map_err(other)
}

fn in_package(args: &Set, package: &Package<'_>, path: &[Segment<'_>]) -> Changed {
    let refused = |error: gamewire::unreal::Error| Fault::Other(Refusal(&error).to_string());
    let mut editor = PackageEditor::new(package).map_err(refused)?;
    let added = match path {
        [table, object, list, rest @ ..]
            if table.is("exports") && list.is("properties") && !rest.is_empty() =>
        {
            let index = get::export_index(package, object).ok_or(Fault::Missing)?;
            let export = package.export(index).map_err(refused)?;
            let object = package.properties(&export).map_err(refused)?;
            let object = object.ok_or_else(|| Fault::Other(get::NO_TAGS.into()))?;
            let (range, list, added) = changed_list(args, object.iter(), rest)?;
            editor.replace_properties(index as usize, range, list).map_err(other)?;
            added
        }
        [table, object, list, rest @ ..]
            if table.is("exports") && list.is("rows") && !rest.is_empty() =>
        {
            let index = get::export_index(package, object).ok_or(Fault::Missing)?;
            let export = package.export(index).map_err(refused)?;
            let mut document = to_value(&package.export_document(&export))?;
            let rows = document.get_mut("rows").ok_or(Fault::Missing)?;
            let added = edit_value::change(rows, rest, change_of(args), args.of.as_deref())?;
            editor.replace_rows(index as usize, rows.take()).map_err(other)?;
            added
        }
        [table, index] if table.is("names") => {
            let index = index.index().and_then(|index| i32::try_from(index).ok());
            let index = index.ok_or(Fault::Missing)?;
            let (Change::Set { text, .. } | Change::Rename(text)) = change_of(args) else {
                return Err(Fault::Other("names cannot be removed".into()));
            };
            editor.replace_name(index, text).map_err(|_| Fault::Missing)?;
            None
        }
        [table, object, field] if table.is("exports") || table.is("imports") => {
            return in_table(args, package, editor, [table, object, field]);
        }
        _ => {
            return Err(Fault::Other(
                "of a package, `set` changes properties of exports, rows of data tables, names, \
                 and the names of exports and imports"
                    .into(),
            ));
        }
    };
    Ok((editor.write().map_err(refused)?, added))
}

/// Changes the name of an export or import.
fn in_table(
    args: &Set,
    package: &Package<'_>,
    mut editor: PackageEditor<'_>,
    [table, object, field]: [&Segment<'_>; 3],
) -> Changed {
    let refused = |error: gamewire::unreal::Error| Fault::Other(Refusal(&error).to_string());
    let Change::Set { text, .. } = change_of(args) else {
        return Err(Fault::Other("exports and imports cannot be removed".into()));
    };
    if !field.is("object_name") {
        return Err(Fault::Other("of exports and imports, `set` changes `object_name`".into()));
    }
    let name = editor.add_name(text).map_err(refused)?;
    if table.is("exports") {
        let index = get::export_index(package, object);
        let data = index.and_then(|index| editor.exports.get_mut(index as usize));
        data.ok_or(Fault::Missing)?.export.object_name = name;
    } else {
        let index = match object.index() {
            Some(index) => u32::try_from(index).ok(),
            None => package.find_import(&object.text),
        };
        let imports = editor.imports.to_mut();
        let import = index.and_then(|index| imports.get_mut(index as usize));
        import.ok_or(Fault::Missing)?.object_name = name;
    }
    Ok((editor.write().map_err(refused)?, None))
}
