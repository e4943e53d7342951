//! `gamewire set` for configuration files.

use super::get::report_missing;
use super::path::{self, Target};
use super::{File, malformed};
use crate::args::Set;
use crate::godot::set::{Change, Problem};
use crate::ui::report;
use crate::ui::text::Escaped;
use gamewire::godot::config::{Config, ConfigEditor, Entry};
use gamewire::godot::{Encoded, Error as ValueError, Reader, VariantRef};

/// Returns a copy of a file with one value changed, added or removed.
pub fn set(args: &Set, name: &str, file: &File<'_>) -> Result<Vec<u8>, Problem> {
    let config = file.parse(name).ok_or(None)?;
    if args.frame.is_some_and(|frame| frame > 0) {
        return Err(Some("this is a configuration file, which has no frames".into()));
    }
    let editor = ConfigEditor::new(file.text, file.dialect);
    let mut editor = editor.map_err(|error| Some(error.to_string()))?;
    match path::find(&config, &args.path) {
        Some(Target::Entry(entry, inner)) => {
            let change = Change { args, path: inner, dialect: file.dialect };
            let old = old_value(name, file, &entry, inner)?;
            let new = change.changed_value(name, "", read(&old, file)?)?;
            let (section, key) = (entry.section(), entry.key());
            put(&mut editor, &section, &key, read(&new, file)?)?;
        }
        Some(_) => return Err(Some("the path must be SECTION/KEY".into())),
        None => add(args, name, file, &config, &mut editor)?,
    }
    Ok(editor.into_string().into_bytes())
}

/// Returns the old value of an entry as a packet. If the old value cannot be read, and `set`
/// replaces all of it (`inner` is empty), returns a null instead.
fn old_value(
    name: &str,
    file: &File<'_>,
    entry: &Entry<'_>,
    inner: &str,
) -> Result<Vec<u8>, Problem> {
    match file.packet(entry) {
        Ok(packet) => Ok(packet),
        Err(_) if inner.is_empty() => Ok(NIL.to_vec()),
        Err(error) => {
            malformed(name, "", &error);
            Err(None)
        }
    }
}

const NIL: [u8; 4] = [0; 4];

fn read<'p>(packet: &'p [u8], file: &File<'_>) -> Result<Encoded<'p>, Problem> {
    let value = Reader::new(packet, file.dialect).read_encoded();
    value.map_err(|error: ValueError| Some(error.to_string()))
}

/// Adds an entry, and prints a warning, since the path may contain a typo.
fn add(
    args: &Set,
    name: &str,
    file: &File<'_>,
    config: &Config<'_>,
    editor: &mut ConfigEditor,
) -> Result<(), Problem> {
    let (section, key) = path::new_entry(config, &args.path);
    let change = Change { args, path: "", dialect: file.dialect };
    let new = change.changed_value(name, "", read(&NIL, file)?)?;
    let value = read(&new, file)?;
    if matches!(value.decode(), VariantRef::Nil) {
        report_missing(name, config, &args.path);
        return Err(None);
    }
    put(editor, section, key, value)?;
    let [section, key] = [section, key].map(|text| Escaped(text.as_bytes()).to_string());
    let place = match &*section {
        "" => "before the first section".into(),
        section => format!("in section [{section}]"),
    };
    report::warning(name, format_args!("there was no key `{key}` {place}; it is added"));
    Ok(())
}

/// Sets an entry, or removes it if the value is null.
fn put(
    editor: &mut ConfigEditor,
    section: &str,
    key: &str,
    value: Encoded<'_>,
) -> Result<(), Problem> {
    let changed = match value.decode() {
        VariantRef::Nil => editor.remove(section, key).map(|_| ()),
        _ => editor.set(section, key, value),
    };
    changed.map_err(|error| Some(error.kind().to_string()))
}
