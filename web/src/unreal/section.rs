//! The parts of a file that contain its properties: headers, tables, objects.

use super::node::{Child, Content, Context, Each, File, Label, Node, element, fault, skip, tags};
use crate::file::place::{Fault, Role, Row, Shape};
use crate::file::text::{SHORT, limited};
use gamewire::unreal::properties::DataTableRows;
use gamewire::unreal::tables::Export;
use gamewire::unreal::{
    NameRef, Object, ObjectRef, Package, PackageIndex, PropertyValue, Save, ZenPackage,
};
use std::ops::Range;

#[derive(Clone, Copy)]
pub enum Section<'p> {
    /// The whole file.
    Root,
    /// The header of a save.
    Header,
    Summary,
    Names,
    Imports,
    Exports,
    /// The export with this index.
    Export(u32),
    /// The import with this index.
    Import(u32),
    Rows(DataTableRows<'p>),
}

fn section(section: Section<'_>, at: usize) -> Node<'_> {
    Node { at, value: Content::Section(section) }
}

impl<'p> Context<'p> {
    /// Returns the whole file as a node.
    pub const fn root() -> Node<'p> {
        Node { at: 0, value: Content::Section(Section::Root) }
    }

    pub fn in_section(
        &self,
        section: Section<'p>,
        from: (u64, usize),
        each: &mut Each<'_, 'p>,
    ) -> Result<(), Fault> {
        match (self.file, section) {
            (File::Save(save), Section::Root) => self.save(save, from, each),
            (File::Save(save), _) => {
                self.header(save, from.0, each);
                Ok(())
            }
            (File::Package(package), Section::Root) => {
                package_sections(package, from.0, each);
                Ok(())
            }
            (File::Package(package), section) => self.in_package(package, section, from, each),
            (File::Zen(package), Section::Root) => {
                zen_sections(package, from.0, each);
                Ok(())
            }
            (File::Zen(package), section) => self.in_zen(package, section, from, each),
        }
    }

    /// Returns the row of a section.
    pub fn section(&self, section: Section<'p>) -> Row {
        let counted = |kind: &str, count: usize| Row {
            kind: kind.into(),
            count: Some(count as u64),
            can_open: count > 0,
            shape: Shape::List,
            ..Row::default()
        };
        let open = |kind: String, text: String| Row {
            kind,
            text,
            can_open: true,
            shape: Shape::Object,
            ..Row::default()
        };
        match (self.file, section) {
            (File::Save(save), Section::Header) => {
                let class = limited(save.class().save_game_class, SHORT);
                open("header".into(), class)
            }
            (File::Package(package), Section::Names) => counted("Name", package.names().len()),
            (File::Package(package), Section::Imports) => {
                counted("Import", package.imports().len())
            }
            (File::Package(package), Section::Exports) => {
                counted("Export", package.exports().len())
            }
            (File::Zen(package), Section::Names) => counted("Name", package.names().len()),
            (File::Zen(package), Section::Imports) => counted("Import", package.imports().len()),
            (File::Zen(package), Section::Exports) => counted("Export", package.exports().len()),
            (File::Package(package), Section::Export(index)) => {
                let class = package.export(index).ok();
                let class = class.and_then(|export| package.class_name(&export));
                let kind = class.map_or_else(|| "Class".into(), |class| class.to_string());
                let path = package.path_of(Object::Export(index).into()).to_string();
                open(kind, path)
            }
            (File::Zen(package), Section::Export(index)) => {
                let class = package.export(index).ok();
                let class = class.and_then(|export| package.class_name(&export));
                let kind = class.map_or_else(|| "Class".into(), |class| class.to_string());
                open(kind, String::new())
            }
            (File::Package(package), Section::Import(index)) => {
                let import = package.import(index).ok();
                let kind = import.and_then(|import| package.name(import.class_name));
                let path = package.path_of(Object::Import(index).into()).to_string();
                let kind = kind.map(|kind| kind.to_string()).unwrap_or_default();
                Row { kind, text: path, ..Row::default() }
            }
            (_, Section::Rows(rows)) => Row {
                count: None,
                shape: Shape::Object,
                can_open: { rows }.next().is_some(),
                kind: "rows".into(),
                ..Row::default()
            },
            (_, Section::Summary | Section::Header) => open("header".into(), String::new()),
            _ => Row::default(),
        }
    }

    /// Calls `each` with the header, the properties and the rest of a save.
    fn save(
        &self,
        save: &'p Save<'p>,
        from: (u64, usize),
        each: &mut Each<'_, 'p>,
    ) -> Result<(), Fault> {
        let list = save.properties();
        let start = list.offset() as usize;
        if from.0 == 0 {
            let node = self::section(Section::Header, 0);
            let child = element(0, 0..start, Label::Word("header"), node.value);
            if !each(child) {
                return Ok(());
            }
        }
        let from = (from.0.max(1), from.1.max(start));
        let Some((index, end)) = tags(list, from, 1, each)? else { return Ok(()) };
        self.rest(index, end, self.stored.bytes.len(), each);
        Ok(())
    }

    /// Calls `each` with the bytes after the name that ends the properties.
    fn rest(&self, index: u64, at: usize, end: usize, each: &mut Each<'_, 'p>) {
        let name = match self.file {
            File::Save(_) => self.stored.end_of_string(at).unwrap_or(at),
            _ => at + 8,
        };
        let Some(bytes) = self.stored.bytes.get(name..end).filter(|bytes| !bytes.is_empty()) else {
            return;
        };
        let node = Node { at: name, value: Content::Bytes(bytes) };
        let label = Label::Word("after the properties");
        each(Child { role: Role::Element, index, key: at..name, bytes: name..end, label, node });
    }

    /// Calls `each` with the fields of the header of a save.
    fn header(&self, save: &'p Save<'p>, first: u64, each: &mut Each<'_, 'p>) {
        let (versions, header) = (save.versions(), save.header());
        let mut lines = Lines { at: 4, index: 0, first, each, more: true };
        let int = |value: i32| PropertyValue::Int(value.into());
        lines.line("save_game_version", 4, int(versions.save_game_version));
        lines.line("ue4_version", 4, int(versions.ue4_version));
        if let Some(version) = versions.ue5_version {
            lines.line("ue5_version", 4, int(version));
        }
        let engine = &header.engine;
        for (label, part) in [
            ("engine_major", engine.major),
            ("engine_minor", engine.minor),
            ("engine_patch", engine.patch),
        ] {
            lines.line(label, 2, PropertyValue::UInt(part.into()));
        }
        lines.line("engine_changelist", 4, PropertyValue::UInt(engine.changelist.into()));
        let end = self.stored.end_of_string(lines.at).unwrap_or(lines.at);
        lines.line("engine_branch", end - lines.at, PropertyValue::Str(engine.branch));
        let class = save.class();
        let control = usize::from(class.serialization_control.is_some());
        let end = save.properties().offset() as usize - control;
        let text = class.save_game_class;
        let size = match text.bytes().len() {
            0 => 4,
            len if text.is_wide() => 4 + len + 2,
            len => 4 + len + 1,
        };
        let custom = end.saturating_sub(size).saturating_sub(lines.at);
        let value = PropertyValue::Str(Default::default());
        lines.line("custom_versions", custom, value);
        lines.line("save_game_class", size, PropertyValue::Str(text));
        if let Some(control) = class.serialization_control {
            lines.line("serialization_control", 1, PropertyValue::UInt(control.into()));
        }
    }

    fn in_package(
        &self,
        package: &'p Package<'p>,
        section: Section<'p>,
        from: (u64, usize),
        each: &mut Each<'_, 'p>,
    ) -> Result<(), Fault> {
        match section {
            Section::Summary => summary(package, from.0, each),
            Section::Names => {
                let mut names = package.names();
                skip(&mut names, from.0);
                for index in from.0.. {
                    let at = names.offset() as usize;
                    let Some(name) = names.next() else { break };
                    let value = PropertyValue::Str(name.map_err(fault)?.text);
                    let bytes = at..names.offset() as usize;
                    if !each(element(index, bytes, Label::Index, Content::Shown(value))) {
                        break;
                    }
                }
            }
            Section::Imports => {
                let mut imports = package.imports();
                skip(&mut imports, from.0);
                for index in from.0.. {
                    let at = imports.offset() as usize;
                    let Some(import) = imports.next() else { break };
                    let name = package.name(import.map_err(fault)?.object_name);
                    let bytes = at..imports.offset() as usize;
                    let value = Content::Section(Section::Import(index as u32));
                    if !each(element(index, bytes, Label::Name(name.unwrap_or_default()), value)) {
                        break;
                    }
                }
            }
            Section::Exports => {
                let mut exports = package.exports();
                skip(&mut exports, from.0);
                for index in from.0.. {
                    let at = exports.offset() as usize;
                    let Some(export) = exports.next() else { break };
                    let export = export.map_err(fault)?;
                    let key = at..exports.offset() as usize;
                    let name = package.name(export.object_name).unwrap_or_default();
                    if !each(self.export(index, key, export_range(&export), Label::Name(name))) {
                        break;
                    }
                }
            }
            Section::Export(index) => return self.in_export(package, index, from, each),
            Section::Rows(rows) => return self.rows(rows, from.0, each),
            _ => {}
        }
        Ok(())
    }

    fn export(
        &self,
        index: u64,
        key: Range<usize>,
        bytes: Range<usize>,
        label: Label<'p>,
    ) -> Child<'p> {
        // The bytes of an export can be missing.
        let len = self.stored.bytes.len();
        let bytes = bytes.start.min(len)..bytes.end.min(len);
        let node = self::section(Section::Export(index as u32), bytes.start);
        Child { role: Role::Property, index, key, bytes, label, node }
    }

    fn in_export(
        &self,
        package: &'p Package<'p>,
        index: u32,
        from: (u64, usize),
        each: &mut Each<'_, 'p>,
    ) -> Result<(), Fault> {
        let export = package.export(index).map_err(fault)?;
        let range = export_range(&export);
        let Some(object) = package.properties(&export).map_err(fault)? else {
            let bytes = package.export_bytes(&export).map_err(fault)?;
            let label = Label::Word("properties that need mappings");
            each(element(0, range, label, Content::Bytes(bytes)));
            return Ok(());
        };
        let list = object.iter();
        // A walk cannot begin at the rows or the native data. It reaches them after the properties.
        let Some(end) = tags(list, from, 0, each)? else { return Ok(()) };
        let native = object.tail().map_err(fault)?.native;
        let rows = package.data_table_rows(&export).map_err(fault)?;
        native_data(end, range.end, native, rows, each);
        Ok(())
    }

    fn rows(
        &self,
        mut rows: DataTableRows<'p>,
        first: u64,
        each: &mut Each<'_, 'p>,
    ) -> Result<(), Fault> {
        let at = |rows: &DataTableRows<'_>| rows.offset() as usize;
        skip(&mut rows, first);
        for index in first.. {
            let start = at(&rows);
            let Some(row) = rows.next() else { break };
            let (name, list) = row.map_err(fault)?;
            let (key, bytes) = (start..start + 8, start + 8..at(&rows));
            let label = Label::Key(PropertyValue::Name(name));
            let value = Content::Value(PropertyValue::Struct(list));
            let node = Node { at: bytes.start, value };
            if !each(Child { role: Role::Pair, index, key, bytes, label, node }) {
                break;
            }
        }
        Ok(())
    }

    fn in_zen(
        &self,
        package: &'p ZenPackage<'p>,
        section: Section<'p>,
        from: (u64, usize),
        each: &mut Each<'_, 'p>,
    ) -> Result<(), Fault> {
        match section {
            Section::Names => {
                for index in from.0..package.names().len() as u64 {
                    let name = gamewire::unreal::Name { index: index as i32, number: 0 };
                    let value = PropertyValue::Name(NameRef::Index(name));
                    let value = Content::Shown(value);
                    if !each(element(index, 0..0, Label::Index, value)) {
                        break;
                    }
                }
            }
            Section::Imports => {
                for index in from.0..package.imports().len() as u64 {
                    let object = PackageIndex::from(Object::Import(index as u32));
                    let value = PropertyValue::Object(ObjectRef::Index(object));
                    let value = Content::Shown(value);
                    if !each(element(index, 0..0, Label::Index, value)) {
                        break;
                    }
                }
            }
            Section::Exports => {
                for index in from.0..package.exports().len() as u64 {
                    let export = package.export(index as u32).map_err(fault)?;
                    let at = package.export_offset(index as u32).map_err(fault)? as usize;
                    let len = package.export_bytes(index as u32).map_err(fault)?.len();
                    let name = package.mapped_name(export.object_name).unwrap_or_default();
                    if !each(self.export(index, 0..0, at..at + len, Label::Name(name))) {
                        break;
                    }
                }
            }
            Section::Export(index) => {
                let at = package.export_offset(index).map_err(fault)? as usize;
                let bytes = package.export_bytes(index).map_err(fault)?;
                let Some(object) = package.properties(index).map_err(fault)? else {
                    let label = Label::Word("properties that need mappings");
                    each(element(0, at..at + bytes.len(), label, Content::Bytes(bytes)));
                    return Ok(());
                };
                let Some(end) = tags(object.iter(), from, 0, each)? else { return Ok(()) };
                let native = object.tail().map_err(fault)?.native;
                let rows = package.data_table_rows(index).map_err(fault)?;
                native_data(end, at + bytes.len(), native, rows, each);
            }
            _ => {}
        }
        Ok(())
    }
}

/// Calls `each` with what follows the properties of an export, which end at `at`.
fn native_data<'p>(
    (index, at): (u64, usize),
    end: usize,
    native: &'p [u8],
    rows: Option<DataTableRows<'p>>,
    each: &mut Each<'_, 'p>,
) {
    let bytes = end.saturating_sub(native.len())..end;
    let (label, value) = match rows {
        Some(rows) => (Label::Word("rows"), Content::Section(Section::Rows(rows))),
        None if native.is_empty() => return,
        None => (Label::Word("native data"), Content::Bytes(native)),
    };
    let node = Node { at: bytes.start, value };
    each(Child { role: Role::Element, index, key: at..bytes.start, bytes, label, node });
}

fn export_range(export: &Export) -> Range<usize> {
    let start = usize::try_from(export.serial.offset).unwrap_or(usize::MAX);
    let size = usize::try_from(export.serial.size).unwrap_or(0);
    start..start.saturating_add(size)
}

/// Rows of a header, which follow one another.
struct Lines<'e, 'c, 'p> {
    at: usize,
    index: u64,
    first: u64,
    each: &'e mut Each<'c, 'p>,
    more: bool,
}

impl<'p> Lines<'_, '_, 'p> {
    fn line(&mut self, label: &'static str, size: usize, value: PropertyValue<'p>) {
        let bytes = self.at..self.at + size;
        let value = Content::Shown(value);
        if self.more && self.index >= self.first {
            self.more = (self.each)(element(self.index, bytes, Label::Word(label), value));
        }
        self.index += 1;
        self.at += size;
    }
}

/// Calls `each` with the tables of a package.
fn package_sections<'p>(package: &'p Package<'p>, first: u64, each: &mut Each<'_, 'p>) {
    let summary = package.summary();
    let offset = |offset: i32| usize::try_from(offset).unwrap_or(0);
    let [names, imports, exports] =
        [summary.name_offset, summary.import_offset, summary.export_offset].map(offset);
    let header = usize::try_from(summary.header_size()).unwrap_or(0);
    let after =
        |at: usize| [names, imports, exports, header].into_iter().filter(|other| *other > at).min();
    let range = |at: usize| at..after(at).unwrap_or(at);
    let all = [
        ("summary", Section::Summary, range(0)),
        ("names", Section::Names, range(names)),
        ("imports", Section::Imports, range(imports)),
        ("exports", Section::Exports, range(exports)),
    ];
    for (index, (label, section, range)) in (0..).zip(all).skip(first as usize) {
        let content = Content::Section(section);
        if !each(element(index, range, Label::Word(label), content)) {
            break;
        }
    }
}

fn zen_sections<'p>(package: &'p ZenPackage<'p>, first: u64, each: &mut Each<'_, 'p>) {
    let header = package.header_size() as usize;
    let all = [
        ("names", Section::Names, 0..header),
        ("imports", Section::Imports, 0..header),
        ("exports", Section::Exports, header..header),
    ];
    for (index, (label, section, range)) in (0..).zip(all).skip(first as usize) {
        if !each(element(index, range, Label::Word(label), Content::Section(section))) {
            break;
        }
    }
}

/// Calls `each` with the most important fields of the summary.
fn summary<'p>(package: &'p Package<'p>, first: u64, each: &mut Each<'_, 'p>) {
    let (summary, layout) = (package.summary(), package.layout());
    let int = |value: i32| PropertyValue::Int(value.into());
    let uint = |value: u32| PropertyValue::UInt(value.into());
    let all = [
        ("ue4_version", int(layout.versions.ue4)),
        ("ue5_version", int(layout.versions.ue5)),
        ("package_flags", uint(summary.package_flags)),
        ("has_editor_data", PropertyValue::Bool(layout.editor_data)),
        ("unversioned_properties", PropertyValue::Bool(layout.unversioned_properties)),
        ("name_count", int(summary.name_count)),
        ("import_count", int(summary.import_count)),
        ("export_count", int(summary.export_count)),
    ];
    for (index, (label, value)) in (0..).zip(all).skip(first as usize) {
        if !each(element(index, 0..0, Label::Word(label), Content::Shown(value))) {
            break;
        }
    }
}
