//! Runs gamewire for the comparison on Unreal packages and saves. Does the same work as the peers,
//! and reads every value. Strings are borrowed without a check; they are checked for ASCII only
//! when a `str` is requested.

pub mod floor;
pub mod interleaved;
pub mod results;

use gamewire::unreal::properties::{
    Argument, ArgumentName, Format, FormattedText, History, NativeFields, NativeValue, NestedText,
};
use gamewire::unreal::{
    Package, Properties, PropertyValue, PropertyVisitor, PropertyWriter, Save, Tag, Versions,
};
use interleaved::{Effort, Rotations, Work, interleave};
use std::env;
use std::fs;
use std::hint::black_box;
use std::path::{Path, PathBuf};

/// A file of the corpus, its `.uexp`, and the engine version that must be supplied with it.
pub struct File {
    pub name: String,
    pub bytes: Vec<u8>,
    pub exports: Option<Vec<u8>>,
    pub engine: Option<(u16, u16)>,
    /// The peers that can read the file.
    pub readers: Vec<String>,
}

#[expect(clippy::len_without_is_empty, reason = "none is")]
impl File {
    pub fn len(&self) -> usize {
        self.bytes.len() + self.exports.as_ref().map_or(0, Vec::len)
    }

    pub fn is_read_by(&self, peer: &str) -> bool {
        self.readers.iter().any(|reader| reader.starts_with(peer))
    }

    fn versions(&self) -> Option<Versions> {
        self.engine.and_then(|(major, minor)| Versions::of_engine(major, minor))
    }
}

/// Returns the files of the corpus with this extension, sorted by name.
pub fn corpus(ending: &str) -> Vec<File> {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("../corpus/unreal");
    let mut paths: Vec<PathBuf> =
        fs::read_dir(folder).unwrap().map(|entry| entry.unwrap().path()).collect();
    paths.sort();
    paths.retain(|path| path.extension().is_some_and(|end| end == ending));
    paths.iter().map(|path| file(path)).collect()
}

fn file(path: &Path) -> File {
    let expected = fs::read(format!("{}.expected.json", path.display())).unwrap();
    let expected: serde_json::Value = serde_json::from_slice(&expected).unwrap();
    let engine = expected["engine"].as_str().and_then(|engine| engine.split_once('.'));
    let readers = expected["peers"].as_object().unwrap().iter();
    let readers = readers.filter(|(_, says)| *says == "reads it");
    File {
        name: path.file_name().unwrap().to_string_lossy().into_owned(),
        bytes: fs::read(path).unwrap(),
        exports: fs::read(path.with_extension("uexp")).ok(),
        engine: engine.map(|(major, minor)| (major.parse().unwrap(), minor.parse().unwrap())),
        readers: readers.map(|(peer, _)| peer.clone()).collect(),
    }
}

fn look<T>(value: T) {
    black_box(value);
}

/// Opens a package and reads every field of its names, imports and exports.
pub fn tables(file: &[u8]) -> usize {
    // The package and its records are not moved out of their `Result`s, which would copy them.
    let package = &Package::open(file);
    let package = package.as_ref().unwrap();
    black_box(package.summary());
    let mut seen = 0;
    let (mut names, mut imports, mut exports) =
        (package.names(), package.imports(), package.exports());
    while let Some(name) = &names.next() {
        black_box(name.as_ref().unwrap());
        seen += 1;
    }
    while let Some(import) = &imports.next() {
        black_box(import.as_ref().unwrap());
        seen += 1;
    }
    while let Some(export) = &exports.next() {
        black_box(export.as_ref().unwrap());
        seen += 1;
    }
    seen
}

/// Opens a package and reads the name and every value of all properties of all exports.
pub fn properties(file: &File) -> usize {
    let (exports, versions) = (file.exports.as_deref(), file.versions());
    let package = &Package::open_as(&file.bytes, exports, versions);
    let package = package.as_ref().unwrap();
    let (mut seen, mut imports, mut exports) = (0, package.imports(), package.exports());
    while let Some(import) = &imports.next() {
        black_box(import.as_ref().unwrap());
    }
    while let Some(export) = &exports.next() {
        let export = export.as_ref().unwrap();
        match package.properties(export).unwrap() {
            Some(object) => list(object.iter(), &mut seen),
            None => look(package.export_bytes(export)),
        }
    }
    seen
}

/// Opens a save and reads the name and every value of its properties.
pub fn save(file: &[u8]) -> usize {
    let save = &Save::open(file);
    let save = save.as_ref().unwrap();
    black_box((save.header(), save.class()));
    let mut versions = save.custom_versions().iter();
    while let Some(version) = &versions.next() {
        black_box(version.as_ref().unwrap());
    }
    let mut seen = 0;
    list(save.properties(), &mut seen);
    seen
}

/// Reads every value. Structs and containers are visited by the library.
struct Reader<'s> {
    seen: &'s mut usize,
}

fn list(list: Properties<'_>, seen: &mut usize) {
    list.visit(&mut Reader { seen }).unwrap();
}

impl<'p> PropertyVisitor<'p> for Reader<'_> {
    #[inline(always)]
    fn enter(&mut self, tag: &Tag<'p>) -> bool {
        look(tag.name());
        true
    }

    #[inline(always)]
    fn value(&mut self, value: &PropertyValue<'p>) {
        *self.seen += 1;
        match *value {
            // Their contents follow.
            PropertyValue::Optional(_) | PropertyValue::Array(_) | PropertyValue::Set(_) => {}
            PropertyValue::Map(_) | PropertyValue::Struct(_) | PropertyValue::Instanced(_) => {}
            PropertyValue::Bool(value) => look(value),
            PropertyValue::Int(value) => look(value),
            PropertyValue::UInt(value) => look(value),
            PropertyValue::Float(value) => look(value),
            PropertyValue::Double(value) => look(value),
            PropertyValue::Name(name) => look(name),
            PropertyValue::Str(text) => look(text),
            PropertyValue::Object(object) => look(object),
            ref other => rare(other, self.seen),
        }
    }
}

#[inline(never)]
fn rare(value: &PropertyValue<'_>, seen: &mut usize) {
    match *value {
        PropertyValue::Native(_, ref of) => fields(of, seen),
        PropertyValue::Names(names) => names.for_each(look),
        PropertyValue::Delegates(all) => all.for_each(look),
        PropertyValue::Formatted(text) => formatted(text, seen),
        PropertyValue::Utf8Str(text) => look(text),
        PropertyValue::Guid(guid) => look(guid),
        PropertyValue::Soft(soft) => look(soft),
        PropertyValue::Delegate(delegate) => look(delegate),
        PropertyValue::FieldPath(path) => look(path),
        PropertyValue::Opaque(bytes, _) => look(bytes),
        other => look(other),
    }
}

fn fields(of: &NativeFields<'_>, seen: &mut usize) {
    let mut of = *of;
    while let Some(field) = &of.next() {
        *seen += 1;
        match &field.1 {
            NativeValue::Group(of) => fields(of, seen),
            _ => {
                black_box(field);
            }
        }
    }
}

fn nested(text: NestedText<'_>, seen: &mut usize) {
    formatted(text.read().unwrap(), seen);
}

fn formatted(text: FormattedText<'_>, seen: &mut usize) {
    *seen += 1;
    match text.history {
        History::NamedFormat(of) | History::OrderedFormat(of) | History::ArgumentFormat(of) => {
            format(of, seen);
        }
        History::Transform { source, .. } => nested(source, seen),
        History::Number(of) | History::Percent(of) | History::Currency(of) => {
            argument(of.argument, seen);
        }
        other => look(other),
    }
}

fn format(of: Format<'_>, seen: &mut usize) {
    nested(of.format, seen);
    for pair in of.arguments() {
        let (name, of) = pair.unwrap();
        if let Some(ArgumentName::Formatted(name)) = name {
            nested(name, seen);
        }
        argument(of, seen);
    }
}

fn argument(of: Argument<'_>, seen: &mut usize) {
    match of {
        Argument::Text(text) => nested(text, seen),
        other => look(other),
    }
}

/// Enlarges a save: multiplies the elements of its arrays and repeats all of its properties.
pub fn larger(file: &[u8], elements: i32, properties: usize) -> Vec<u8> {
    let save = Save::open(file).unwrap();
    let mut larger = Vec::new();
    save.write_header(&mut larger).unwrap();
    let mut list = PropertyWriter::new(&mut larger, &save.properties());
    for _ in 0..properties {
        for tag in save.properties() {
            let tag = tag.unwrap();
            match tag.value() {
                PropertyValue::Array(of) if elements > 1 => {
                    let all = tag.bytes();
                    let (count, rest) = all.split_first_chunk().unwrap();
                    let (inner, each) = rest.split_at(rest.len() - of.bytes().len());
                    let count = (i32::from_le_bytes(*count) * elements).to_le_bytes();
                    let each = each.repeat(elements as usize);
                    // All elements share one tag, which contains their total length.
                    let mut inner = inner.to_vec();
                    if let Some(size) = inner.len().checked_sub(SIZE_FROM_END) {
                        let size =
                            size - of.of().name().map_or(0, |name| name.text().bytes().len());
                        inner[size..size + 4].copy_from_slice(&(each.len() as i32).to_le_bytes());
                    }
                    list.bytes(&tag.head(), &[&count[..], &inner, &each].concat()).unwrap();
                }
                _ => list.copy(&tag).unwrap(),
            }
        }
    }
    list.finish().unwrap();
    larger.extend_from_slice(save.trailer().unwrap().1);
    let seen = self::save(&larger);
    assert!(seen >= self::save(file) * properties.max(1));
    larger
}

/// Number of bytes from the field `size` of a struct tag to the end of the tag, not counting the
/// characters of the struct's name. The terms of the sum are: size, index, length of the name, NUL
/// at the end of the name, GUID of the struct, and the flag that states whether the property has a
/// GUID.
const SIZE_FROM_END: usize = 4 + 4 + 4 + 1 + 16 + 1;

/// The request in the arguments of a program: `[--quick] [PART OF A ROW'S NAME ...]`.
pub struct Asked {
    pub effort: Effort,
    pub is_quick: bool,
    pub parts: Vec<String>,
}

impl Asked {
    pub fn of_arguments() -> Self {
        let (flags, parts): (Vec<_>, Vec<_>) =
            env::args().skip(1).partition(|argument| argument.starts_with("--"));
        let is_quick = flags.iter().any(|flag| flag == "--quick");
        Self { effort: if is_quick { Effort::QUICK } else { Effort::FULL }, is_quick, parts }
    }

    /// Returns `true` if a row was requested.
    pub fn includes(&self, name: &str) -> bool {
        self.parts.is_empty() || self.parts.iter().any(|part| name.contains(part))
    }

    /// Measures a row, if it was requested.
    pub fn measure(&self, name: &str, works: &mut [Box<Work<'_>>]) -> Option<Rotations> {
        let mut works: Vec<_> = works.iter_mut().map(|work| &mut **work).collect();
        self.includes(name).then(|| interleave(&mut works, self.effort))
    }
}
