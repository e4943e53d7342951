//! Paks: their output for `show`, `check` and `json`.

use super::{Problems, add};
use crate::archive::{Pak, method_name};
use crate::ui::input::{Input, Stop};
use crate::ui::on_demand::Sequence;
use crate::ui::style::{BOLD, PLAIN, Styled, TYPE};
use crate::ui::table::{self, Cell, field, table};
use crate::ui::text::{Count, escaped};
use gamewire::unreal::Guid;
use gamewire::unreal::pak::Entry;
use serde::ser::{Serialize, SerializeMap, Serializer};
use std::fs::File;
use std::io::{self, Write};

/// Prints the footer of a pak and its files.
pub fn show(pak: Pak, full: bool, out: &mut impl Write) -> io::Result<()> {
    head(pak, out)?;
    let rows = || pak.index.entries().flatten().map(|entry| row(&entry));
    let heads = ["size", "stored", "method", "encrypted", "path"];
    let count = pak.index.entries().flatten().count();
    let most = if full { usize::MAX } else { table::ROWS };
    table("files", heads, count, rows, most, out)
}

fn head(pak: Pak, out: &mut impl Write) -> io::Result<()> {
    let (index, footer) = (pak.index, pak.index.footer());
    writeln!(out, "{} {}", Styled(BOLD, "pak"), escaped(index.mount_point()))?;
    field(out, "version", footer.version())?;
    let size = Input::new(pak.path).size().unwrap_or_default();
    field(out, "size", Count(size, "byte"))?;
    let is_encrypted = if footer.is_index_encrypted() { "encrypted" } else { "not encrypted" };
    let paths = if index.has_paths() { "" } else { ", without paths" };
    field(out, "index", format_args!("{is_encrypted}{paths}"))?;
    if let Some(guid) = footer.key_guid().filter(|guid| *guid != Guid::default()) {
        field(out, "key GUID", guid)?;
    }
    let methods: Vec<_> = footer.methods().map(escaped).collect();
    match methods.is_empty() {
        true => Ok(()),
        false => field(out, "methods", methods.join(", ")),
    }
}

fn row(entry: &Entry<'_>) -> [Cell; 5] {
    let is_encrypted = if entry.is_encrypted { "yes" } else { "no" };
    let method = if entry.is_deleted { "deleted".into() } else { method_name(entry.method) };
    [
        Cell(PLAIN, entry.size.to_string()),
        Cell(PLAIN, entry.stored_size.to_string()),
        Cell(TYPE, method),
        Cell(PLAIN, is_encrypted.into()),
        Cell(PLAIN, escaped(entry.path)),
    ]
}

/// Returns a summary of a pak, and the problems that
/// [`verify`](gamewire::unreal::pak::IndexBuf::verify) finds.
pub fn check(pak: Pak) -> Result<(String, Problems), Stop> {
    let mut problems = Problems::default();
    let mut file = File::open(pak.path).map_err(Stop::unreadable)?;
    let verified =
        pak.parts.verify(&mut file, |problem| add(&mut problems, problem.part, problem.error));
    verified.map_err(Stop::unreadable)?;
    let (index, version) = (pak.index, pak.index.footer().version());
    let files = Count(index.entries().flatten().count() as u64, "file");
    let encrypted = index.entries().flatten().filter(|entry| entry.is_encrypted).count();
    let encrypted = match (encrypted, index.footer().is_index_encrypted()) {
        (0, false) => String::new(),
        (0, true) => ", index encrypted".into(),
        (count, false) => format!(", {count} encrypted"),
        (count, true) => format!(", {count} and the index encrypted"),
    };
    let description = format!("{} version {version}, {files}{encrypted}", Styled(TYPE, "pak"));
    Ok((description, problems))
}

/// The document of a pak. Its files are serialized one by one.
pub struct Document(pub Pak);

impl Serialize for Document {
    fn serialize<S: Serializer>(&self, to: S) -> Result<S::Ok, S::Error> {
        let Self(pak) = self;
        let footer = pak.index.footer();
        let mut map = to.serialize_map(None)?;
        map.serialize_entry("type", "pak")?;
        map.serialize_entry("version", &footer.version())?;
        map.serialize_entry("mount_point", &format_args!("{}", pak.index.mount_point()))?;
        map.serialize_entry("is_index_encrypted", &footer.is_index_encrypted())?;
        if let Some(guid) = footer.key_guid() {
            map.serialize_entry("key_guid", &format_args!("{guid}"))?;
        }
        map.serialize_entry("methods", &footer.methods().collect::<Vec<_>>())?;
        let files = || pak.index.entries().flatten().map(FileDocument);
        map.serialize_entry("files", &Sequence(files))?;
        map.end()
    }
}

struct FileDocument(Entry<'static>);

impl Serialize for FileDocument {
    fn serialize<S: Serializer>(&self, to: S) -> Result<S::Ok, S::Error> {
        let Self(entry) = self;
        let mut map = to.serialize_map(None)?;
        map.serialize_entry("path", &format_args!("{}", entry.path))?;
        if entry.is_deleted {
            map.serialize_entry("is_deleted", &true)?;
            return map.end();
        }
        map.serialize_entry("offset", &entry.offset)?;
        map.serialize_entry("size", &entry.size)?;
        map.serialize_entry("stored_size", &entry.stored_size)?;
        map.serialize_entry("method", &method_name(entry.method))?;
        map.serialize_entry("is_encrypted", &entry.is_encrypted)?;
        if let Some(sha1) = entry.sha1 {
            map.serialize_entry("sha1", &data_encoding::HEXLOWER.encode(&sha1))?;
        }
        map.end()
    }
}
