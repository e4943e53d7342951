//! `IoStore` containers: their output for `show`, `check` and `json`.

use super::{Problems, add};
use crate::archive::{Container, Listed, method_name};
use crate::ui::on_demand::Sequence;
use crate::ui::style::{BOLD, PLAIN, Styled, TYPE};
use crate::ui::table::{self, Cell, field, table};
use crate::ui::text::{Count, escaped};
use gamewire::unreal::Guid;
use serde::ser::{Serialize, SerializeMap, Serializer};
use std::fs;
use std::io::{self, Write};

/// Prints the header of a container and its chunks.
pub fn show(container: Container, full: bool, out: &mut impl Write) -> io::Result<()> {
    head(container, out)?;
    let rows = || container.files().flatten().map(|file| row(&file));
    let heads = ["size", "stored", "method", "type", "path"];
    let count = container.files().flatten().count();
    let most = if full { usize::MAX } else { table::ROWS };
    table("chunks", heads, count, rows, most, out)
}

fn head(container: Container, out: &mut impl Write) -> io::Result<()> {
    let toc = container.toc;
    writeln!(out, "{} {}", Styled(BOLD, "container"), escaped(toc.mount_point()))?;
    field(out, "version", toc.version())?;
    field(out, "identifier", format_args!("{:016x}", toc.container_id()))?;
    let encrypted = if toc.is_encrypted() { "encrypted" } else { "not encrypted" };
    let signed = if toc.is_signed() { ", signed" } else { "" };
    let paths = if toc.has_paths() { "" } else { ", without paths" };
    field(out, "form", format_args!("{encrypted}{signed}{paths}"))?;
    if toc.key_guid() != Guid::default() {
        field(out, "key GUID", toc.key_guid())?;
    }
    field(out, "partitions", toc.partitions())?;
    let methods: Vec<_> = toc.methods().map(escaped).collect();
    match methods.is_empty() {
        true => Ok(()),
        false => field(out, "methods", methods.join(", ")),
    }
}

fn row(Listed { path, chunk }: &Listed) -> [Cell; 5] {
    [
        Cell(PLAIN, chunk.size.to_string()),
        Cell(PLAIN, chunk.stored_size.to_string()),
        Cell(TYPE, method_name(chunk.method)),
        Cell(TYPE, chunk.kind.to_string()),
        Cell(PLAIN, escaped(path)),
    ]
}

/// Returns a summary of a container, and the problems that
/// [`verify`](gamewire::unreal::iostore::Toc::verify) finds.
pub fn check(container: Container) -> (String, Problems) {
    let (toc, mut problems) = (container.toc, Problems::default());
    let len = |index| fs::metadata(container.partition(index)).ok().map(|file| file.len());
    toc.verify(len, |problem| add(&mut problems, problem.part, problem.error));
    let chunks = Count(toc.count().into(), "chunk");
    let encrypted = if toc.is_encrypted() { ", encrypted" } else { "" };
    let word = Styled(TYPE, "container");
    (format!("{word} version {}, {chunks}{encrypted}", toc.version()), problems)
}

/// The document of a container. Its chunks are serialized one by one.
pub struct Document(pub Container);

impl Serialize for Document {
    fn serialize<S: Serializer>(&self, to: S) -> Result<S::Ok, S::Error> {
        let toc = self.0.toc;
        let mut map = to.serialize_map(None)?;
        map.serialize_entry("type", "container")?;
        map.serialize_entry("version", &toc.version())?;
        map.serialize_entry("id", &format_args!("{:016x}", toc.container_id()))?;
        map.serialize_entry("mount_point", &format_args!("{}", toc.mount_point()))?;
        map.serialize_entry("is_encrypted", &toc.is_encrypted())?;
        map.serialize_entry("is_signed", &toc.is_signed())?;
        map.serialize_entry("key_guid", &format_args!("{}", toc.key_guid()))?;
        map.serialize_entry("partitions", &toc.partitions())?;
        map.serialize_entry("block_size", &toc.block_size())?;
        map.serialize_entry("methods", &toc.methods().collect::<Vec<_>>())?;
        let chunks = || self.0.files().flatten().map(ChunkDocument);
        map.serialize_entry("chunks", &Sequence(chunks))?;
        map.end()
    }
}

struct ChunkDocument(Listed);

impl Serialize for ChunkDocument {
    fn serialize<S: Serializer>(&self, to: S) -> Result<S::Ok, S::Error> {
        let Self(Listed { path, chunk }) = self;
        let mut map = to.serialize_map(None)?;
        map.serialize_entry("path", path)?;
        map.serialize_entry("id", &format_args!("{}", chunk.id))?;
        map.serialize_entry("type", &format_args!("{}", chunk.kind))?;
        map.serialize_entry("offset", &chunk.offset)?;
        map.serialize_entry("size", &chunk.size)?;
        map.serialize_entry("stored_size", &chunk.stored_size)?;
        map.serialize_entry("method", &method_name(chunk.method))?;
        map.serialize_entry("hash", &data_encoding::HEXLOWER.encode(chunk.hash))?;
        map.end()
    }
}
