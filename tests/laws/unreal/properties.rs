//! Laws for properties in arbitrary bytes: values agree with the oracle, and a list is written as
//! the bytes from which it was read.

use super::COMPARED;
use super::Files;
use super::accessors::Look;
use super::visit::visit_as;
use crate::support::unreal::{compare, oracle};
use gamewire::unreal::properties::ContainerWriter;
use gamewire::unreal::tables::{Export, FileVersions, Serial, Summary, package_flags};
use gamewire::unreal::{
    ByteOrder, Layout, ObjectProperties, Package, PackageIndex, Properties, PropertyKind,
    PropertyValue, PropertyWriter, StructHint, Tag, Value, Versions,
};
use gamewire::{Full, PatchSink, Sink};
use std::cell::RefCell;
use std::sync::OnceLock;

/// Checks the laws on an export. The first byte selects its package, and the other bytes are the
/// export.
pub fn unreal_properties(data: &[u8]) {
    let Some((first, bytes)) = data.split_first() else { return };
    let headers = headers();
    let Header { header, supplied } = &headers[usize::from(*first) % headers.len()];
    let unhinted = Package::open_as(header, Some(bytes), *supplied).unwrap();
    let package = unhinted.clone().with_hints(HINTS);
    let serial = Serial { size: bytes.len() as i64, offset: header.len() as i64 };
    let export = Export { class: PackageIndex(-1), serial, ..Export::default() };
    if bytes.len() <= COMPARED {
        let theirs = opinions()[usize::from(*first) % headers.len()].with_exports(bytes);
        compare::object(&package, &theirs, HINTS, &export).unwrap();
    }
    if let Ok(Some(object)) = unhinted.properties(&export) {
        visit_as(object.iter());
    }
    let Ok(Some(object)) = package.properties(&export) else { return };
    let files = Files { header, exports: Some(bytes) };
    object_as(&object, files, bytes.len() as u64);
    #[cfg(feature = "serde")]
    serde_json::to_writer(std::io::sink(), &object.iter()).unwrap();
}

/// Returns the packages of [`headers`], opened by the oracle.
fn opinions() -> &'static [oracle::Package] {
    static OPINIONS: OnceLock<Vec<oracle::Package>> = OnceLock::new();
    OPINIONS.get_or_init(|| {
        let open = |Header { header, supplied }: &Header| {
            let versions = supplied.map(|versions| (versions.ue4, versions.ue5));
            oracle::Package::open(header, None, versions).expect("the crate opens it")
        };
        headers().iter().map(open).collect()
    })
}

const HINTS: &[StructHint<'static>] = &[
    StructHint { property: "A", key: Some("Guid"), value: Some("Vector") },
    StructHint { property: "B", key: None, value: Some("InstancedStruct") },
];

/// The header of a package, which precedes the bytes of an export.
pub struct Header {
    pub header: Vec<u8>,
    pub supplied: Option<Versions>,
}

/// Returns headers of packages of the corpus, then generated headers for several versions. For each
/// version, there are little-endian headers with editor data and big-endian headers without, both
/// with the earliest and with the latest custom versions.
pub fn headers() -> &'static [Header] {
    static HEADERS: OnceLock<Vec<Header>> = OnceLock::new();
    HEADERS.get_or_init(|| {
        let mut headers: Vec<_> = SAMPLES.iter().map(|sample| of_sample(sample)).collect();
        for (order, editor_data) in [(ByteOrder::Little, true), (ByteOrder::Big, false)] {
            headers.extend(VERSIONS.into_iter().flat_map(|(ue4, ue5)| {
                let versions = Versions { ue4, ue5 };
                [false, true].map(|latest| made(order, editor_data, versions, latest))
            }));
        }
        assert!(headers.len() < 256);
        headers
    })
}

const VERSIONS: [(i32, i32); 18] = [
    (214, 0),
    (282, 0),
    (366, 0),
    (385, 0),
    (441, 0),
    (482, 0),
    (500, 0),
    (503, 0),
    (508, 0),
    (510, 0),
    (514, 0),
    (522, 0),
    (522, 1004),
    (522, 1007),
    (522, 1009),
    (522, 1011),
    (522, 1012),
    (522, 1018),
];

macro_rules! samples {
    ($($name:literal)*) => {
        /// Files of the corpus that provide names and versions.
        const SAMPLES: &[&[u8]] = &[$( include_bytes!(concat!("../../../corpus/unreal/", $name)), )*];
    };
}
samples! {
    "ue4.08-Gaussian.uasset"
    "ue4.09-PS_X.uasset"
    "ue4.10-SimpleRefsRoot.uasset"
    "ue4.13-SimpleRefsRoot.uasset"
    "ue4.18-SimpleRefsRoot.uasset"
    "ue4.27-TestActorBP.uasset"
    "ue5.0-SimpleRefsRoot.uasset"
    "ue5.2-SimpleRefsRoot.uasset"
    "ue5.6-SimpleRefsRoot.uasset"
    "ue5.8-cooked-tagged-DA_AllProperties.uasset"
    "ue5.8-cooked-tagged-DT_AllProperties.uasset"
}

/// Returns the header of a package without the bytes after it.
fn of_sample(file: &[u8]) -> Header {
    let len = Package::open(file).unwrap().summary().header_size() as usize;
    Header { header: file[..len].to_vec(), supplied: None }
}

/// Returns the header of a package that contains only names. If `latest` is `true`, the package is
/// unversioned and has the custom versions after all changes; otherwise, it has the custom versions
/// before all changes.
fn made(order: ByteOrder, editor_data: bool, versions: Versions, latest: bool) -> Header {
    let legacy = if versions.ue5 > 0 { -8 } else { -7 };
    let layout = Layout { order, legacy, versions, editor_data, ..Layout::default() };
    let said = if latest { Versions { ue4: 0, ue5: 0 } } else { versions };
    let file_versions = FileVersions {
        legacy_version: legacy,
        ue3_version: Some(864),
        ue4_version: said.ue4,
        ue5_version: Some(said.ue5),
        licensee_version: 0,
    };
    let words = WORDS.split_whitespace();
    let flags = if editor_data { 0 } else { package_flags::FILTER_EDITOR_ONLY };
    let mut summary = Summary {
        package_flags: flags,
        name_count: words.clone().count() as i32,
        preload_dependency_count: Some(-1),
        ..Summary::default()
    };
    let mut header = Vec::new();
    for _ in 0..2 {
        header.clear();
        0x9E2A_83C1u32.write(&mut header, &layout).unwrap();
        file_versions.write(&mut header, &layout).unwrap();
        summary.write(&mut header, &layout).unwrap();
        summary.name_offset = header.len() as i32;
    }
    for word in words {
        (word.len() as i32 + 1).write(&mut header, &layout).unwrap();
        header.extend_from_slice(word.as_bytes());
        header.push(0);
        if versions.ue4 >= 504 {
            header.extend_from_slice(&[0; 4]);
        }
    }
    let supplied = latest.then_some(versions);
    let package = Package::open_as(&header, None, supplied).unwrap();
    assert_eq!(package.names().filter(Result::is_ok).count(), summary.name_count as usize);
    Header { header, supplied }
}

/// Names of properties, property types, structs and enums.
const WORDS: &str = "None A B BoolProperty Int8Property Int16Property IntProperty Int64Property
    UInt16Property UInt32Property UInt64Property FloatProperty DoubleProperty ByteProperty
    EnumProperty NameProperty StrProperty AnsiStrProperty Utf8StrProperty VerseStringProperty
    ObjectProperty ClassProperty WeakObjectProperty InterfaceProperty LazyObjectProperty
    AssetObjectProperty AssetClassProperty SoftObjectProperty SoftClassProperty
    DelegateProperty MulticastDelegateProperty MulticastInlineDelegateProperty
    MulticastSparseDelegateProperty FieldPathProperty OptionalProperty ArrayProperty
    SetProperty MapProperty StructProperty TextProperty OtherProperty Vector Guid Color Box
    Matrix RichCurveKey GameplayTagContainer InstancedStruct SoftObjectPath DateTime
    EdGraphPinType ExpressionInput Struct Enum PropertyGuids none FloatRange KeyHandleMap
    PerPlatformFloat UniqueNetIdRepl MovieSceneSegment MovieSceneFloatChannel NiagaraVariable
    MovieSceneSubSequenceTree FontData SmartName Vector_NetQuantize Tracks";

/// Checks the properties of an object whose export has `len` bytes.
pub fn object_as(object: &ObjectProperties<'_>, files: Files<'_>, len: u64) {
    let mut look = Look::default();
    look.object(object);
    look.assert_linear(len);
    list_as(object.iter(), files);
    visit_as(object.iter());
}

/// Asserts that the list, and each list in its values, is written unchanged if it has no errors.
pub fn list_as<'p>(list: Properties<'p>, files: Files<'p>) {
    let all: Vec<_> = list.into_iter().collect();
    let tags: Vec<_> = all.iter().flatten().copied().collect();
    for tag in &tags {
        inside(tag, files);
    }
    if tags.len() < all.len() {
        return;
    }
    let mut end = list;
    assert_eq!(end.by_ref().count(), tags.len());
    let bytes = files.at(list.offset()..end.offset());
    if bytes.is_empty() {
        return; // A class has no list of properties.
    }
    let (mut copied, mut written) = (Vec::new(), Vec::new());
    let mut copy = PropertyWriter::new(&mut copied, &list);
    let mut write = PropertyWriter::new(&mut written, &list);
    for tag in &tags {
        copy.copy(tag).unwrap();
        // Bools and instanced structs have several valid encodings.
        let value = tag.value();
        let forms =
            tag.kind() == PropertyKind::Bool || matches!(value, PropertyValue::Instanced(_));
        if forms || write.value(&tag.head(), &value).is_err() {
            write.copy(tag).unwrap();
        }
    }
    copy.finish().unwrap();
    write.finish().unwrap();
    by_elements(&tags, &list);
    assert_eq!(copied, bytes, "copied");
    assert_eq!(written, bytes, "written by values");
}

/// A sink whose contents can be inspected before writing ends.
struct Seen<'v>(&'v RefCell<Vec<u8>>);

impl Sink for Seen<'_> {
    const REWINDS: bool = true;

    fn reserve(&mut self, _: usize) -> Result<(), Full> {
        Ok(())
    }

    fn put(&mut self, bytes: &[u8]) {
        self.0.borrow_mut().extend_from_slice(bytes);
    }

    fn position(&self) -> usize {
        self.0.borrow().len()
    }

    fn rewind(&mut self, position: usize) {
        self.0.borrow_mut().truncate(position);
    }
}

impl PatchSink for Seen<'_> {
    fn insert(&mut self, position: usize, bytes: &[u8]) -> Result<(), Full> {
        PatchSink::insert(&mut *self.0.borrow_mut(), position, bytes)
    }

    fn patch(&mut self, position: usize, bytes: [u8; 4]) {
        self.0.borrow_mut()[position..position + 4].copy_from_slice(&bytes);
    }
}

/// Asserts that a container gives the same bytes whether it is written element by element or
/// copied.
fn by_elements<'p>(tags: &[Tag<'p>], list: &Properties<'p>) {
    let written = RefCell::new(Vec::new());
    let mut sink = Seen(&written);
    let mut writer = PropertyWriter::new(&mut sink, list);
    for tag in tags {
        writer.copy(tag).unwrap();
        let copied = written.take();
        if container(tag, &mut writer, &ending(list)) {
            assert_eq!(written.take(), copied, "element by element: {}", tag.head().of);
        }
        written.take();
    }
}

/// Writes a container element by element. Returns `true` if the value of the tag is a container,
/// all of its elements can be written, and each element has only one valid encoding.
fn container<'p>(
    tag: &Tag<'p>,
    writer: &mut PropertyWriter<'_, 'p, Seen<'_>>,
    ends: &[u8],
) -> bool {
    let Ok(mut to) = writer.container(tag) else { return false };
    let mut all = true;
    match tag.value() {
        PropertyValue::Array(elements) | PropertyValue::Optional(elements) => {
            // Readers ignore the size in the inner tag, so it may differ from the real size.
            let len = elements.bytes().len();
            all &= tag.inner_tag().is_none_or(|inner| inner.size as usize == len);
            elements.for_each(|value| all &= element(value, &mut to, ends));
        }
        PropertyValue::Set(set) => {
            set.removed()
                .for_each(|value| all &= has_one_form(&value) && to.removed(&value).is_ok());
            set.values().for_each(|value| all &= element(value, &mut to, ends));
        }
        PropertyValue::Map(map) => {
            map.removed().for_each(|key| all &= has_one_form(&key) && to.removed(&key).is_ok());
            for (key, value) in map.entries() {
                all &= element(key, &mut to, ends) && element(value, &mut to, ends);
            }
        }
        PropertyValue::Delegates(delegates) => {
            delegates.for_each(|one| all &= element(PropertyValue::Delegate(one), &mut to, ends));
        }
        PropertyValue::Names(names) => {
            names.for_each(|name| all &= element(PropertyValue::Name(name), &mut to, ends));
        }
        _ => return false,
    }
    if all {
        to.finish().unwrap();
    }
    all
}

fn has_one_form(value: &PropertyValue<'_>) -> bool {
    !matches!(value, PropertyValue::Bool(_) | PropertyValue::Instanced(_))
}

/// Returns the encoded name that ends the list. In saves, this name has several encodings.
fn ending(list: &Properties<'_>) -> Vec<u8> {
    let mut ending = Vec::new();
    PropertyWriter::new(&mut ending, list).finish().unwrap();
    ending
}

fn element(
    value: PropertyValue<'_>,
    to: &mut ContainerWriter<'_, '_, Seen<'_>>,
    ends: &[u8],
) -> bool {
    match value {
        // The writer ends a nested list like the outer list, so a list that ends differently would
        // be changed.
        PropertyValue::Struct(list) if ending(&list) != ends => false,
        PropertyValue::Struct(list) => {
            let Ok(mut nested) = to.nested() else { return false };
            list.for_each(|tag| nested.copy(&tag.unwrap()).unwrap());
            nested.finish().is_ok()
        }
        value => has_one_form(&value) && to.value(&value).is_ok(),
    }
}

/// Checks the lists in the value of a tag: in a struct or instanced struct, and in the structs of
/// an array or a map.
fn inside<'p>(tag: &Tag<'p>, files: Files<'p>) {
    match tag.value() {
        PropertyValue::Struct(list) => {
            list_as(list, files);
            let end = files.at(list.offset()..list.offset() + tag.bytes().len() as u64);
            assert_eq!(end, tag.bytes());
        }
        PropertyValue::Array(elements) => {
            for element in elements {
                if let PropertyValue::Struct(list) = element {
                    list_as(list, files);
                }
            }
        }
        PropertyValue::Map(map) => {
            for (key, value) in map.entries() {
                for side in [key, value] {
                    if let PropertyValue::Struct(list) = side {
                        list_as(list, files);
                    }
                }
            }
        }
        PropertyValue::Instanced(instanced) if instanced.size > 0 => {
            list_as(instanced.properties, files);
        }
        _ => {}
    }
}
