//! Describes the fields of packages of the corpus, so that tests can build packages that the corpus
//! lacks: big-endian packages, packages of older versions, packages with tables that are empty in
//! all samples, and compressed packages.
//!
//! This code describes a header as a flat list of all numbers and runs of bytes, in which the
//! numbers that are offsets in the file are marked. With this list, fields can be swapped, removed
//! and inserted. The code was written from the description of the format, and is independent of the
//! code of the crate.

use std::ops::Range;

/// Type of a field.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Kind {
    /// A number, whose bytes are reversed in big-endian packages.
    Number,
    /// A number that is an offset in the file. It changes if bytes before this offset are inserted
    /// or removed.
    Offset,
    /// Bytes that do not depend on the byte order.
    Bytes,
}

/// A field of a header.
#[derive(Clone, Copy, Debug)]
pub struct Field {
    pub name: &'static str,
    pub at: usize,
    pub size: usize,
    pub kind: Kind,
}

/// The versions that decide which fields a header has.
#[derive(Clone, Copy, Debug, Default)]
pub struct Versions {
    pub legacy: i64,
    pub ue4: i64,
    pub ue5: i64,
    pub editor: bool,
    pub unversioned_properties: bool,
}

/// A little-endian package with a description of its fields.
pub struct Described {
    pub bytes: Vec<u8>,
    pub fields: Vec<Field>,
    pub versions: Versions,
}

/// A replacement for a range of bytes.
pub struct Edit {
    pub place: Range<usize>,
    pub with: Vec<u8>,
}

impl Described {
    /// Describes the package in a file, or in the first of two files. Uses the supplied version if
    /// the package does not state its version.
    pub fn new(bytes: &[u8], supplied: Option<(i64, i64)>) -> Self {
        let mut walk = Walk { bytes, at: 0, fields: Vec::new(), versions: Versions::default() };
        walk.package(supplied);
        let Walk { mut fields, versions, .. } = walk;
        fields.sort_by_key(|field| field.at);
        Self { bytes: bytes.to_vec(), fields, versions }
    }

    /// Returns the only field with this name.
    pub fn field(&self, name: &str) -> Field {
        let mut found = self.fields.iter().filter(|field| field.name == name);
        let field = *found.next().unwrap_or_else(|| panic!("no {name}"));
        assert!(found.next().is_none(), "{name} is there more than once");
        field
    }

    /// Returns all fields with this name.
    pub fn all(&self, name: &str) -> Vec<Field> {
        self.fields.iter().copied().filter(|field| field.name == name).collect()
    }

    pub fn number(&self, field: Field) -> i64 {
        number(&self.bytes, field.at, field.size)
    }

    pub fn set(&mut self, field: Field, value: i64) {
        let place = field.at..field.at + field.size;
        self.bytes[place].copy_from_slice(&value.to_le_bytes()[..field.size]);
    }

    /// Returns the first position before `end` at which there is a gap between fields, or an
    /// overlap.
    pub fn gap(&self, end: usize) -> Option<usize> {
        let mut at = 0;
        for field in self.fields.iter().filter(|field| field.at < end) {
            if field.at != at {
                return Some(at);
            }
            at += field.size;
        }
        (at != end).then_some(at)
    }

    /// Returns the package in big-endian byte order. The bytes of exports are not swapped.
    pub fn swapped(&self) -> Vec<u8> {
        let mut bytes = self.bytes.clone();
        for field in self.fields.iter().filter(|field| field.kind != Kind::Bytes) {
            bytes[field.at..field.at + field.size].reverse();
        }
        bytes
    }

    /// Replaces ranges of bytes, which must be in ascending order, and adjusts all offsets.
    pub fn edited(&self, edits: &[Edit]) -> Vec<u8> {
        let moved = |place: i64| {
            let behind = |edit: &&Edit| edit.place.end as i64 <= place;
            let by = |edit: &Edit| edit.with.len() as i64 - edit.place.len() as i64;
            place + edits.iter().filter(behind).map(by).sum::<i64>()
        };
        let mut bytes = self.bytes.clone();
        for field in self.fields.iter().filter(|field| field.kind == Kind::Offset) {
            let place = number(&bytes, field.at, field.size);
            if place > 0 {
                let place = moved(place).to_le_bytes();
                bytes[field.at..field.at + field.size].copy_from_slice(&place[..field.size]);
            }
        }
        for edit in edits.iter().rev() {
            bytes.splice(edit.place.clone(), edit.with.iter().copied());
        }
        bytes
    }

    /// Returns the package without the fields that have these names.
    pub fn without(&self, names: &[&str]) -> Vec<u8> {
        let out = self.fields.iter().filter(|field| names.contains(&field.name));
        let cut = |field: &Field| Edit { place: field.at..field.at + field.size, with: vec![] };
        self.edited(&out.map(cut).collect::<Vec<_>>())
    }
}

fn number(bytes: &[u8], at: usize, size: usize) -> i64 {
    let mut wide = [0; 8];
    wide[..size].copy_from_slice(&bytes[at..at + size]);
    let up = 64 - 8 * size as u32;
    (i64::from_le_bytes(wide) << up) >> up
}

struct Walk<'a> {
    bytes: &'a [u8],
    at: usize,
    fields: Vec<Field>,
    versions: Versions,
}

impl Walk<'_> {
    fn field(&mut self, name: &'static str, size: usize, kind: Kind) -> i64 {
        let at = self.at;
        self.fields.push(Field { name, at, size, kind });
        self.at += size;
        if kind == Kind::Bytes { 0 } else { number(self.bytes, at, size) }
    }

    fn i32(&mut self, name: &'static str) -> i64 {
        self.field(name, 4, Kind::Number)
    }

    fn numbers<const N: usize>(&mut self, names: [&'static str; N]) {
        for name in names {
            self.i32(name);
        }
    }

    fn i64(&mut self, name: &'static str) -> i64 {
        self.field(name, 8, Kind::Number)
    }

    fn offset(&mut self, name: &'static str) -> i64 {
        self.field(name, 4, Kind::Offset)
    }

    fn raw(&mut self, name: &'static str, size: i64) {
        if size > 0 {
            self.field(name, size as usize, Kind::Bytes);
        }
    }

    fn many(&mut self, count: i64, mut each: impl FnMut(&mut Self)) {
        (0..count).for_each(|_| each(self));
    }

    fn array(&mut self, name: &'static str, each: impl FnMut(&mut Self)) {
        let count = self.i32(name);
        self.many(count, each);
    }

    fn guid(&mut self, name: &'static str) {
        self.many(4, |walk| {
            walk.i32(name);
        });
    }

    fn name(&mut self, name: &'static str) {
        self.i32(name);
        self.i32("name_number");
    }

    fn text(&mut self, name: &'static str) {
        let len = self.i32(name);
        if len >= 0 {
            return self.raw("text_bytes", len);
        }
        self.many(-len, |walk| {
            walk.field("text_unit", 2, Kind::Number);
        });
    }

    fn engine(&mut self) {
        if self.versions.ue4 >= 336 {
            for part in ["engine_major", "engine_minor", "engine_patch"] {
                self.field(part, 2, Kind::Number);
            }
        }
        self.i32("engine_changelist");
        if self.versions.ue4 >= 336 {
            self.text("engine_branch");
        }
    }

    fn custom_versions(&mut self) {
        let legacy = self.versions.legacy;
        self.array("custom_version_count", |walk| {
            if legacy == -2 {
                walk.i32("custom_version_tag");
            } else {
                walk.guid("custom_version_guid");
            }
            walk.i32("custom_version");
            if (-5..=-3).contains(&legacy) {
                walk.text("custom_version_name");
            }
        });
    }

    fn package(&mut self, supplied: Option<(i64, i64)>) {
        self.i32("tag");
        let legacy = self.i32("legacy_version");
        if legacy != -4 {
            self.i32("ue3_version");
        }
        let ue4 = self.i32("ue4_version");
        let ue5 = if legacy <= -8 { self.i32("ue5_version") } else { 0 };
        let licensee = self.i32("licensee_version");
        let (ue4, ue5) = match supplied {
            Some(versions) if (ue4, ue5, licensee) == (0, 0, 0) => versions,
            _ => (ue4, ue5),
        };
        self.versions = Versions { legacy, ue4, ue5, ..Versions::default() };
        let summary = self.summary();
        assert_eq!(self.at as i64, summary.get("name_offset"), "names follow the summary");
        self.tables(&summary);
        self.end();
    }

    fn summary(&mut self) -> Summary {
        let Versions { legacy, ue4, ue5, .. } = self.versions;
        let first = self.fields.len();
        if ue5 >= 1016 {
            self.raw("saved_hash", 20);
            self.offset("total_header_size");
        }
        self.custom_versions();
        if ue5 < 1016 {
            self.offset("total_header_size");
        }
        self.text("package_name");
        let flags = self.i32("package_flags");
        let editor = flags & 0x8000_0000 == 0;
        self.versions.editor = editor;
        self.versions.unversioned_properties = flags & 0x2000 != 0;
        self.i32("name_count");
        self.offset("name_offset");
        if ue5 >= 1008 {
            self.i32("soft_object_path_count");
            self.offset("soft_object_path_offset");
        }
        if editor && ue4 >= 516 {
            self.text("localization_id");
        }
        if ue4 >= 459 {
            self.i32("gatherable_text_count");
            self.offset("gatherable_text_offset");
        }
        self.i32("export_count");
        self.offset("export_offset");
        self.i32("import_count");
        self.offset("import_offset");
        if ue5 >= 1015 {
            self.i32("cell_export_count");
            self.offset("cell_export_offset");
            self.i32("cell_import_count");
            self.offset("cell_import_offset");
        }
        if ue5 >= 1014 {
            self.offset("metadata_offset");
        }
        self.offset("depends_offset");
        if ue4 >= 384 {
            self.i32("soft_package_reference_count");
            self.offset("soft_package_reference_offset");
        }
        if ue4 >= 510 {
            self.offset("searchable_names_offset");
        }
        self.offset("thumbnail_table_offset");
        if ue5 >= 1018 {
            self.i32("import_type_hierarchy_count");
            self.offset("import_type_hierarchy_offset");
        }
        if ue5 < 1016 {
            self.guid("guid");
        }
        if editor && ue4 >= 518 {
            self.guid("persistent_guid");
        }
        if editor && (518..520).contains(&ue4) {
            self.guid("owner_persistent_guid");
        }
        self.array("generation_count", |walk| {
            walk.i32("generation_exports");
            walk.i32("generation_names");
        });
        self.engine();
        if ue4 >= 444 {
            self.engine();
        }
        self.i32("compression_flags");
        self.array("compressed_chunk_count", |walk| {
            walk.numbers(["chunk"; 4]);
        });
        self.i32("package_source");
        self.array("additional_package_count", |walk| walk.text("additional_package"));
        if legacy > -7 {
            self.i32("texture_allocations");
        }
        self.offset("asset_registry_data_offset");
        self.field("bulk_data_start_offset", 8, Kind::Offset);
        if ue4 >= 224 {
            self.offset("world_tile_info_data_offset");
        }
        match ue4 {
            326.. => self.array("chunk_id_count", |walk| {
                walk.i32("chunk_id");
            }),
            278.. => {
                self.i32("chunk_id");
            }
            _ => {}
        }
        if ue4 >= 507 {
            self.i32("preload_dependency_count");
            self.offset("preload_dependency_offset");
        }
        if ue5 >= 1001 {
            self.i32("names_referenced_from_export_data_count");
        }
        if ue5 >= 1002 {
            self.field("payload_toc_offset", 8, Kind::Offset);
        }
        if ue5 >= 1009 {
            self.offset("data_resource_offset");
        }
        let numbers = self.fields[first..].iter().filter(|field| field.kind != Kind::Bytes);
        let read = |field: &Field| (field.name, number(self.bytes, field.at, field.size));
        Summary(numbers.map(read).collect())
    }

    fn tables(&mut self, summary: &Summary) {
        let Versions { ue4, ue5, editor, .. } = self.versions;
        let fortnite_main = self.custom_version([0x601D1886, 0xAC644F84, 0xAA16D3DE, 0x0DEAC7D6]);
        let exports = summary.get("export_count");
        self.table(summary, "name_offset", "name_count", |walk| {
            walk.text("name");
            if ue4 >= 504 {
                walk.field("name_hash", 2, Kind::Number);
                walk.field("name_hash", 2, Kind::Number);
            }
        });
        self.table(summary, "soft_object_path_offset", "soft_object_path_count", |walk| {
            walk.name("soft_path_package");
            walk.name("soft_path_asset");
            if fortnite_main >= 192 {
                let len = walk.i32("sub_path");
                walk.raw("text_bytes", len);
            } else {
                walk.text("sub_path");
            }
        });
        self.table(summary, "gatherable_text_offset", "gatherable_text_count", |walk| {
            walk.text("namespace");
            walk.text("source");
            walk.metadata();
            walk.array("site_count", |walk| {
                walk.text("site_key");
                walk.text("site");
                walk.i32("site_editor_only");
                walk.i32("site_optional");
                walk.metadata();
                walk.metadata();
            });
        });
        self.imports(summary);
        self.table(summary, "export_offset", "export_count", Self::export);
        if self.seek(summary, "depends_offset") {
            self.many(exports, |walk| {
                walk.array("depends_count", |walk| {
                    walk.i32("depends");
                });
            });
        }
        let references = "soft_package_reference_count";
        self.table(summary, "soft_package_reference_offset", references, |walk| {
            if ue4 >= 514 {
                walk.name("soft_package_reference");
            } else {
                walk.text("soft_package_reference");
            }
        });
        if self.seek(summary, "searchable_names_offset") {
            self.array("searchable_object_count", |walk| {
                walk.i32("searchable_object");
                walk.array("searchable_name_count", |walk| walk.name("searchable_name"));
            });
        }
        self.thumbnails(summary);
        self.table(
            summary,
            "import_type_hierarchy_offset",
            "import_type_hierarchy_count",
            |walk| {
                walk.i32("hierarchy_import");
                walk.array("hierarchy_type_count", |walk| {
                    walk.many(4, |walk| walk.name("hierarchy_name"));
                });
            },
        );
        if self.seek(summary, "metadata_offset") {
            let objects = self.i32("metadata_objects");
            let root = self.i32("metadata_root");
            let pair = |walk: &mut Self| {
                walk.name("metadata_key");
                walk.text("metadata_value");
            };
            self.many(objects, |walk| {
                walk.i32("metadata_object");
                walk.array("metadata_count", pair);
            });
            self.many(root, pair);
        }
        self.registry(summary);
        if self.seek(summary, "world_tile_info_data_offset") {
            self.world_tile(fortnite_main);
        }
        self.table(summary, "preload_dependency_offset", "preload_dependency_count", |walk| {
            walk.i32("preload_dependency");
        });
        if self.seek(summary, "data_resource_offset") {
            self.data_resources();
        }
        if editor && ue5 >= 1002 && self.seek(summary, "payload_toc_offset") {
            self.trailer();
        }
    }

    /// Moves to the offset of a table, if the table exists.
    fn seek(&mut self, summary: &Summary, offset: &'static str) -> bool {
        let offset = summary.find(offset).unwrap_or(0);
        if offset > 0 {
            self.at = offset as usize;
        }
        offset > 0
    }

    fn table(
        &mut self,
        summary: &Summary,
        offset: &'static str,
        count: &'static str,
        each: impl FnMut(&mut Self),
    ) {
        let count = summary.find(count).unwrap_or(0);
        if count > 0 && self.seek(summary, offset) {
            self.many(count, each);
        }
    }

    /// Returns the custom version of a subsystem, or −1 if the package does not have it.
    fn custom_version(&self, guid: [u32; 4]) -> i64 {
        let words: Vec<&Field> =
            self.fields.iter().filter(|field| field.name == "custom_version_guid").collect();
        let at = words.chunks(4).position(|words| {
            let words = words.iter().map(|word| number(self.bytes, word.at, 4) as u32);
            words.eq(guid)
        });
        let mut versions = self.fields.iter().filter(|field| field.name == "custom_version");
        at.and_then(|at| versions.nth(at)).map_or(-1, |field| number(self.bytes, field.at, 4))
    }

    /// Describes the position of a level in its world. No sample has this table.
    fn world_tile(&mut self, fortnite_main: i64) {
        let Versions { ue4, ue5, .. } = self.versions;
        self.numbers(["tile_x", "tile_y"]);
        if fortnite_main >= 1 {
            self.i32("tile_z");
        }
        let real = if ue5 >= 1004 { 8 } else { 4 };
        self.many(6, |walk| {
            walk.field("tile_bound", real, Kind::Number);
        });
        self.raw("tile_bounds_valid", 1);
        self.text("tile_layer");
        self.numbers(["tile_reserved"; 3]);
        if ue4 >= 268 {
            self.i32("tile_distance");
        }
        if ue4 >= 329 {
            self.i32("tile_distance_counts");
        }
        if ue4 >= 268 {
            self.i32("tile_hidden");
        }
        self.text("tile_parent");
        if ue4 >= 316 {
            self.array("tile_lod_count", |walk| walk.numbers(["tile_lod"; 5]));
        }
        if ue4 >= 319 {
            self.i32("tile_z_order");
        }
    }

    fn metadata(&mut self) {
        self.array("text_metadata_count", |walk| {
            walk.text("text_metadata_key");
            assert_eq!(walk.i32("text_metadata_type"), 0, "no sample has any");
        });
    }

    fn imports(&mut self, summary: &Summary) {
        let Versions { ue4, ue5, editor, .. } = self.versions;
        let count = summary.get("import_count");
        let gap = summary.get("export_offset") - summary.get("import_offset");
        let short = if ue5 >= 1003 { 32 } else { 28 };
        let packages = match gap {
            _ if count > 0 && gap == count * short => false,
            _ if count > 0 && gap == count * (short + 8) => true,
            _ => ue4 >= 520 && editor,
        };
        self.table(summary, "import_offset", "import_count", |walk| {
            walk.name("class_package");
            walk.name("class_name");
            walk.i32("import_outer");
            walk.name("import_name");
            if packages {
                walk.name("import_package");
            }
            if ue5 >= 1003 {
                walk.i32("import_optional");
            }
        });
    }

    fn export(&mut self) {
        let Versions { ue4, ue5, unversioned_properties, .. } = self.versions;
        self.i32("export_class");
        self.i32("export_super");
        if ue4 >= 508 {
            self.i32("export_template");
        }
        self.i32("export_outer");
        self.name("export_name");
        self.i32("object_flags");
        let wide = if ue4 >= 511 { 8 } else { 4 };
        self.field("serial_size", wide, Kind::Number);
        self.field("serial_offset", wide, Kind::Offset);
        self.i32("forced_export");
        self.i32("not_for_client");
        self.i32("not_for_server");
        if ue5 < 1005 {
            self.guid("export_package_guid");
        }
        if ue5 >= 1006 {
            self.i32("inherited_instance");
        }
        self.i32("export_package_flags");
        if ue4 >= 365 {
            self.i32("not_always_loaded");
        }
        if ue4 >= 485 {
            self.i32("is_asset");
        }
        if ue5 >= 1003 {
            self.i32("generate_public_hash");
        }
        if ue4 >= 507 {
            self.numbers(["export_dependencies"; 5]);
        }
        if ue5 >= 1010 && !unversioned_properties {
            self.i64("script_start");
            self.i64("script_end");
        }
    }

    fn thumbnails(&mut self, summary: &Summary) {
        if !self.seek(summary, "thumbnail_table_offset") {
            return;
        }
        let mut pictures = Vec::new();
        self.array("thumbnail_count", |walk| {
            walk.text("thumbnail_class");
            walk.text("thumbnail_path");
            pictures.push(walk.offset("thumbnail_offset") as usize);
        });
        for at in pictures {
            self.at = at;
            self.i32("thumbnail_width");
            self.i32("thumbnail_height");
            let size = self.i32("thumbnail_size");
            self.raw("thumbnail_picture", size);
        }
    }

    fn registry(&mut self, summary: &Summary) {
        if !self.seek(summary, "asset_registry_data_offset") {
            return;
        }
        let Versions { ue4, ue5, editor, .. } = self.versions;
        let dependencies = match ue4 >= 521 && editor {
            true => self.field("registry_dependency_offset", 8, Kind::Offset),
            false => 0,
        };
        self.array("registry_object_count", |walk| {
            walk.text("registry_path");
            walk.text("registry_class");
            walk.array("registry_tag_count", |walk| {
                walk.text("registry_key");
                walk.text("registry_value");
            });
        });
        if dependencies <= 0 {
            return;
        }
        self.at = dependencies as usize;
        for _ in 0..2 {
            let bits = self.i32("bit_count");
            self.many((bits + 31) / 32, |walk| {
                walk.i32("bits");
            });
        }
        if ue5 >= 1013 {
            self.array("extra_dependency_count", |walk| {
                walk.name("extra_dependency");
                walk.i32("extra_dependency_flags");
            });
        }
    }

    fn data_resources(&mut self) {
        let version = self.i32("data_resource_version");
        self.array("data_resource_count", |walk| {
            walk.i32("data_resource_flags");
            if version >= 2 {
                walk.raw("cooked_index", 1);
            }
            walk.i64("resource_offset");
            walk.i64("resource_duplicate_offset");
            walk.i64("resource_size");
            walk.i64("resource_raw_size");
            walk.i32("resource_outer");
            walk.i32("resource_legacy_flags");
        });
    }

    fn trailer(&mut self) {
        self.i64("trailer_mark");
        assert!(self.i32("trailer_version") >= 1);
        self.i32("trailer_header_size");
        self.i64("trailer_payload_size");
        assert_eq!(self.i32("trailer_count"), 0, "no sample has any");
        self.i64("trailer_end_mark");
        self.i64("trailer_size");
        self.i32("trailer_tag");
    }

    /// Describes the tag at the end of a package of one file, if there is no trailer. (The trailer
    /// has this tag at its end.)
    fn end(&mut self) {
        let at = self.bytes.len() - 4;
        let tag = self.bytes[..4] == self.bytes[at..];
        if tag && !self.fields.iter().any(|field| field.at == at) {
            self.at = at;
            self.i32("end_tag");
        }
    }
}

struct Summary(Vec<(&'static str, i64)>);

impl Summary {
    fn find(&self, name: &str) -> Option<i64> {
        self.0.iter().find(|(field, _)| *field == name).map(|(_, value)| *value)
    }

    fn get(&self, name: &str) -> i64 {
        self.find(name).unwrap_or_else(|| panic!("no {name}"))
    }
}
