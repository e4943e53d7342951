//! Reads the summary at the start of a package.

use super::bytes::{Bad, Cursor, Out};
use super::node::{Fields, Node};
use super::versions::Versions;

/// The summary of a package. `node` contains all fields; the other members are those that are
/// needed to read the rest of the package.
#[derive(Clone, Debug, Default)]
pub struct Summary {
    pub versions: Versions,
    pub node: Option<Node>,
    pub big: bool,
    pub header_size: i32,
    /// The counts and offsets of tables, by name.
    places: Vec<(&'static str, i64)>,
}

impl Summary {
    /// Returns a count or an offset, or 0 if the version of the file lacks it.
    pub fn place(&self, name: &str) -> i64 {
        self.places.iter().find(|(of, _)| *of == name).map_or(0, |(_, number)| *number)
    }
}

/// Reads the summary of a package. `supplied` are the versions to use if the package is
/// unversioned.
pub fn summary(file: &[u8], supplied: Option<(i32, i32)>) -> Out<Summary> {
    let mut from = Cursor::new(file, false);
    let big = match from.u32()? {
        0x9E2A_83C1 => false,
        0xC183_2A9E => true,
        _ => return Err(Bad),
    };
    from.big = big;
    let summary = Summary { big, ..Summary::default() };
    let mut reading = Reading { from, summary, fields: Fields::default() };
    reading.versions(supplied)?;
    reading.rest()?;
    let Reading { mut summary, fields, .. } = reading;
    if summary.place("compressed_chunk_count") > 0 {
        return Err(Bad);
    }
    summary.node = Some(fields.done());
    Ok(summary)
}

struct Reading<'a> {
    from: Cursor<'a>,
    summary: Summary,
    fields: Fields,
}

impl<'a> Reading<'a> {
    fn i32(&mut self, name: &'static str) -> Out<i32> {
        let number = self.from.i32()?;
        self.fields.put(name, Node::number(number));
        self.summary.places.push((name, number.into()));
        Ok(number)
    }

    fn i64(&mut self, name: &'static str) -> Out<()> {
        let number = self.from.i64()?;
        self.fields.put(name, Node::number(number));
        self.summary.places.push((name, number));
        Ok(())
    }

    fn pair(&mut self, count: &'static str, offset: &'static str) -> Out<()> {
        self.i32(count)?;
        self.i32(offset).map(drop)
    }

    fn put(
        &mut self,
        name: &'static str,
        read: impl FnOnce(&mut Cursor<'a>) -> Out<Node>,
    ) -> Out<()> {
        let node = read(&mut self.from)?;
        self.fields.put(name, node);
        Ok(())
    }

    fn versions(&mut self, supplied: Option<(i32, i32)>) -> Out<()> {
        let legacy = self.i32("legacy_version")?;
        if !(-9..=-2).contains(&legacy) {
            return Err(Bad);
        }
        if legacy != -4 {
            self.i32("ue3_version")?;
        }
        let ue4 = self.i32("ue4_version")?;
        let ue5 = if legacy <= -8 { self.i32("ue5_version")? } else { 0 };
        let licensee = self.i32("licensee_version")?;
        let unversioned = (ue4, ue5, licensee) == (0, 0, 0);
        let (ue4, ue5) = if unversioned { supplied.ok_or(Bad)? } else { (ue4, ue5) };
        // Engines of licensees have version numbers above 522, but the layout of version 522.
        let ue4 = if !unversioned && (523..1000).contains(&ue4) { 522 } else { ue4 };
        if !(214..=522).contains(&ue4) || ue5 > 1018 {
            return Err(Bad);
        }
        self.summary.versions = Versions { legacy, ue4, ue5, unversioned, ..Versions::default() };
        Ok(())
    }

    fn rest(&mut self) -> Out<()> {
        let Versions { ue4, ue5, .. } = self.summary.versions;
        if ue5 >= 1016 {
            self.put("saved_hash", |from| Ok(Node::Bytes(from.bytes(20)?.to_vec())))?;
            self.summary.header_size = self.i32("early_header_size")?;
        }
        self.custom_versions()?;
        if ue5 < 1016 {
            self.summary.header_size = self.i32("late_header_size")?;
        }
        self.put("package_name", Cursor::string)?;
        self.flags()?;
        let editor = self.summary.versions.editor;
        self.pair("name_count", "name_offset")?;
        if ue5 >= 1008 {
            self.pair("soft_object_path_count", "soft_object_path_offset")?;
        }
        if editor && ue4 >= 516 {
            self.put("localization_id", Cursor::string)?;
        }
        if ue4 >= 459 {
            self.pair("gatherable_text_count", "gatherable_text_offset")?;
        }
        self.pair("export_count", "export_offset")?;
        self.pair("import_count", "import_offset")?;
        self.further_places()?;
        self.guids()?;
        self.history()?;
        self.last_places()
    }

    fn custom_versions(&mut self) -> Out<()> {
        let (legacy, mut found) = (self.summary.versions.legacy, Vec::new());
        let list = self.from.list(|from| custom_version(from, legacy, &mut found))?;
        self.fields.put("custom_versions", list);
        self.summary.versions.custom = found;
        Ok(())
    }

    fn flags(&mut self) -> Out<()> {
        let flags = self.from.u32()?;
        self.fields.put("package_flags", Node::number(flags));
        self.summary.versions.editor = flags & 0x8000_0000 == 0;
        self.summary.versions.unversioned_properties = flags & 0x2000 != 0;
        Ok(())
    }

    fn further_places(&mut self) -> Out<()> {
        let Versions { ue4, ue5, .. } = self.summary.versions;
        if ue5 >= 1015 {
            self.pair("cell_export_count", "cell_export_offset")?;
            self.pair("cell_import_count", "cell_import_offset")?;
        }
        if ue5 >= 1014 {
            self.i32("metadata_offset")?;
        }
        self.i32("depends_offset")?;
        if ue4 >= 384 {
            self.pair("soft_package_reference_count", "soft_package_reference_offset")?;
        }
        if ue4 >= 510 {
            self.i32("searchable_names_offset")?;
        }
        self.i32("thumbnail_table_offset")?;
        if ue5 >= 1018 {
            self.pair("import_type_hierarchy_count", "import_type_hierarchy_offset")?;
        }
        Ok(())
    }

    fn guids(&mut self) -> Out<()> {
        let Versions { ue4, ue5, editor, .. } = self.summary.versions;
        if ue5 < 1016 {
            self.put("guid", Cursor::id)?;
        }
        if editor && ue4 >= 518 {
            self.put("persistent_guid", Cursor::id)?;
        }
        if editor && (518..520).contains(&ue4) {
            self.put("owner_persistent_guid", Cursor::id)?;
        }
        Ok(())
    }

    /// Reads the generations, the engine versions that saved the package, its compression, its
    /// source and further packages to cook.
    fn history(&mut self) -> Out<()> {
        let Versions { legacy, ue4, .. } = self.summary.versions;
        self.put("generations", |from| from.list(generation))?;
        self.put("saved_by_engine", |from| engine(from, ue4))?;
        if ue4 >= 444 {
            self.put("compatible_with_engine", |from| engine(from, ue4))?;
        }
        self.put("compression_flags", Cursor::unsigned)?;
        let chunks = self.from.list(chunk)?;
        if let Node::List(chunks) = &chunks {
            self.summary.places.push(("compressed_chunk_count", chunks.len() as i64));
        }
        self.fields.put("compressed_chunks", chunks);
        self.put("package_source", Cursor::unsigned)?;
        self.put("additional_packages_to_cook", |from| from.list(Cursor::string))?;
        if legacy > -7 {
            self.put("texture_allocations", Cursor::number)?;
        }
        Ok(())
    }

    fn last_places(&mut self) -> Out<()> {
        let Versions { ue4, ue5, .. } = self.summary.versions;
        self.i32("asset_registry_data_offset")?;
        self.i64("bulk_data_start_offset")?;
        if ue4 >= 224 {
            self.i32("world_tile_info_data_offset")?;
        }
        if ue4 >= 326 {
            self.put("chunk_ids", |from| from.list(Cursor::number))?;
        } else if ue4 >= 278 {
            self.put("chunk_ids", one_chunk)?;
        }
        if ue4 >= 507 {
            self.pair("preload_dependency_count", "preload_dependency_offset")?;
        }
        if ue5 >= 1001 {
            self.i32("names_referenced_from_export_data_count")?;
        }
        if ue5 >= 1002 {
            self.i64("payload_toc_offset")?;
        }
        if ue5 >= 1009 {
            self.i32("data_resource_offset")?;
        }
        Ok(())
    }
}

/// Reads one number. A negative number means that there is no chunk.
fn one_chunk(from: &mut Cursor<'_>) -> Out<Node> {
    let chunk = from.i32()?;
    Ok(Node::List(if chunk < 0 { vec![] } else { vec![Node::number(chunk)] }))
}

/// Reads a custom version. Depending on the legacy version, its key is a number, a GUID with a
/// name, or only a GUID.
pub fn custom_version(
    from: &mut Cursor<'_>,
    legacy: i32,
    found: &mut Vec<([u32; 4], i32)>,
) -> Out<Node> {
    let mut fields = Fields::default();
    let guid = match legacy {
        -2 => [0, 0, 0, from.u32()?],
        _ => from.guid()?,
    };
    fields.put("guid", Node::Guid(guid));
    let version = from.i32()?;
    fields.put("version", Node::number(version));
    found.push((guid, version));
    if (-5..=-3).contains(&legacy) {
        fields.put("name", from.string()?);
    }
    Ok(fields.done())
}

fn generation(from: &mut Cursor<'_>) -> Out<Node> {
    let mut fields = Fields::default();
    fields.put("export_count", from.number()?);
    fields.put("name_count", from.number()?);
    Ok(fields.done())
}

fn chunk(from: &mut Cursor<'_>) -> Out<Node> {
    let mut fields = Fields::default();
    fields.put("uncompressed_offset", from.number()?);
    fields.put("uncompressed_size", from.number()?);
    fields.put("compressed_offset", from.number()?);
    fields.put("compressed_size", from.number()?);
    Ok(fields.done())
}

/// Reads the version of an engine. Before 4:336, the file contains only the number of a changelist.
pub fn engine(from: &mut Cursor<'_>, ue4: i32) -> Out<Node> {
    let mut fields = Fields::default();
    if ue4 >= 336 {
        for part in ["major", "minor", "patch"] {
            fields.put(part, Node::number(from.u16()?));
        }
        fields.put("changelist", from.unsigned()?);
        fields.put("branch", from.string()?);
    } else {
        fields.put("major", Node::number(4));
        fields.put("minor", Node::number(0));
        fields.put("patch", Node::number(0));
        fields.put("changelist", from.unsigned()?);
        fields.put("branch", Node::Text(false, Vec::new()));
    }
    Ok(fields.done())
}
