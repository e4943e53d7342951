//! Writes new properties of every kind, in all forms of tags, to packages and saves. Also reads
//! properties that engines wrote, and rebuilds them from their names, types and values.

use crate::laws::unreal as laws;
use crate::support::unreal::samples;
use gamewire::unreal::properties::{
    ContainerWriter, Elements, FormattedText, History, NativeFields, NativeValue, NumberText,
    OpaqueReason, SoftReference,
};
use gamewire::unreal::tables::{CustomVersions, EngineVersion, Export, Serial, SubPath};
use gamewire::unreal::{
    ErrorKind, Guid, Layout, Name, NameRef, ObjectRef, Package, PackageEditor, PackageIndex,
    Properties, PropertyKind, PropertyTypeBuf, PropertyValue, PropertyWriter, Save, StrBuf,
    StructHint, Tag, TagBuf, Utf8StrRef, Versions,
};
use std::collections::BTreeMap;
use std::fs;

/// The number of values of each kind. Values that could be rebuilt and values that were copied as
/// bytes are counted separately.
type Tally = BTreeMap<String, u32>;

/// State for rebuilding lists of properties from their names, types and values.
struct Anew<'f, 'n> {
    /// Creates a tag with this name and type.
    tag: &'f mut dyn FnMut(&str, &PropertyTypeBuf) -> TagBuf,
    /// The tags created so far, by name and type.
    tags: BTreeMap<(String, String), TagBuf>,
    tally: &'n mut Tally,
}

impl Anew<'_, '_> {
    /// Returns a new tag with the name and the type of `of`. Copies the fields that do not follow
    /// from name, type and value: GUIDs, indices in arrays of fixed size, overrides, and the flag
    /// of native structs if the struct is opaque.
    fn tag(&mut self, of: &Tag<'_>) -> TagBuf {
        let (name, of_type) = (of.name().to_string(), PropertyTypeBuf::from(of.head().of));
        let known = self.tags.entry((name.clone(), of_type.to_string()));
        let mut tag = known.or_insert_with(|| (self.tag)(&name, &of_type)).clone();
        let inner = of.inner_tag().and_then(|inner| inner.struct_guid);
        tag.struct_guid = of.head().struct_guid.or(inner).unwrap_or_default();
        tag.guid = of.head().guid;
        tag.array_index = of.head().array_index;
        tag.overridden = of.head().overridden;
        if let PropertyValue::Opaque(_, OpaqueReason::NativeStruct) = of.value() {
            tag.native = of.head().flags.is_some_and(|flags| flags & 8 != 0);
        }
        tag
    }

    fn list(&mut self, list: Properties<'_>, to: PropertyWriter<'_, '_, Vec<u8>>) {
        let mut to = to;
        for tag in list {
            self.property(&tag.unwrap(), &mut to);
        }
        to.finish().unwrap();
    }

    fn property(&mut self, tag: &Tag<'_>, to: &mut PropertyWriter<'_, '_, Vec<u8>>) {
        let new = self.tag(tag);
        let value = tag.value();
        let what = match &value {
            PropertyValue::Opaque(_, reason) => {
                format!(
                    "{:?}: bytes, {}",
                    tag.kind(),
                    reason.to_string().split(':').next().unwrap()
                )
            }
            _ => format!("{:?}", tag.kind()),
        };
        *self.tally.entry(what).or_default() += 1;
        match value {
            PropertyValue::Struct(list) => self.list(list, to.nested(&new).unwrap()),
            PropertyValue::Instanced(instanced) if instanced.size > 0 => {
                self.list(instanced.properties, to.instanced(&new, instanced.of).unwrap());
            }
            PropertyValue::Native(_, fields) => to.native(&new, &leaves(fields)).unwrap(),
            PropertyValue::FieldPath(path) => {
                let names: Vec<_> = path.path.collect();
                to.field_path(&new, &names, path.owner).unwrap();
            }
            PropertyValue::Opaque(bytes, _) => to.bytes(&new, bytes).unwrap(),
            PropertyValue::Array(_)
            | PropertyValue::Set(_)
            | PropertyValue::Map(_)
            | PropertyValue::Optional(_)
            | PropertyValue::Delegates(_)
            | PropertyValue::Names(_) => {
                let mut container = to.container(&new).unwrap();
                self.elements(value, &mut container);
                container.finish().unwrap();
            }
            value => to.value(&new, &value).unwrap(),
        }
    }

    fn elements(&mut self, of: PropertyValue<'_>, to: &mut ContainerWriter<'_, '_, Vec<u8>>) {
        let mut all = |elements: Elements<'_>, to: &mut ContainerWriter<'_, '_, Vec<u8>>| {
            elements.for_each(|element| self.element(element, to));
        };
        match of {
            PropertyValue::Array(elements) | PropertyValue::Optional(elements) => all(elements, to),
            PropertyValue::Set(set) => {
                set.removed().for_each(|element| to.removed(&element).unwrap());
                all(set.values(), to);
            }
            PropertyValue::Map(map) => {
                map.removed().for_each(|key| to.removed(&key).unwrap());
                for (key, value) in map.entries() {
                    self.element(key, to);
                    self.element(value, to);
                }
            }
            PropertyValue::Delegates(all) => {
                all.for_each(|one| to.value(&PropertyValue::Delegate(one)).unwrap());
            }
            PropertyValue::Names(all) => {
                all.for_each(|one| to.value(&PropertyValue::Name(one)).unwrap());
            }
            other => panic!("{other:?}"),
        }
    }

    fn element(&mut self, value: PropertyValue<'_>, to: &mut ContainerWriter<'_, '_, Vec<u8>>) {
        match value {
            PropertyValue::Struct(list) => self.list(list, to.nested().unwrap()),
            PropertyValue::Instanced(instanced) if instanced.size > 0 => {
                self.list(instanced.properties, to.instanced(instanced.of).unwrap());
            }
            PropertyValue::Native(_, fields) => to.native(&leaves(fields)).unwrap(),
            value => to.value(&value).unwrap(),
        }
    }
}

/// Returns the fields of a struct, with the fields of groups in place of the groups.
fn leaves(fields: NativeFields<'_>) -> Vec<NativeValue<'_>> {
    fields
        .flat_map(|(_, value)| match value {
            NativeValue::Group(fields) => leaves(fields),
            value => vec![value],
        })
        .collect()
}

/// All properties of all packages are rebuilt, and have the same bytes as before.
///
/// [`Anew::tag`] copies the fields of tags that do not follow from the name, type or value, such as
/// the GUIDs of structs that were made in the editor and of properties of blueprints.
#[test]
fn packages_made_anew() {
    let mut tally = Tally::new();
    for sample in samples::packages() {
        let package = sample.package();
        let mut editor = PackageEditor::new(&package).unwrap();
        let mut tags = BTreeMap::new();
        for (index, export) in package.exports().map(Result::unwrap).enumerate() {
            let Some(object) = package.properties(&export).unwrap() else { continue };
            if export.class.is_null() {
                continue;
            }
            let mut list = Vec::new();
            let mut tag = |name: &str, of: &PropertyTypeBuf| editor.tag(name, of).unwrap();
            let writer = PropertyWriter::in_package(&mut list, &package).unwrap();
            let mut anew = Anew { tag: &mut tag, tags, tally: &mut tally };
            anew.list(object.iter(), writer);
            tags = anew.tags;
            let place = |offset: u64| (offset - export.serial.offset as u64) as usize;
            let bytes = package.export_bytes(&export).unwrap();
            let end = object.tail().unwrap().offset;
            let was = &bytes[place(object.iter().offset())..place(end)];
            assert_same(&list, was, &object.iter(), &format!("{}: {index}", sample.name()));
            editor.set_properties(index, &list).unwrap();
        }
        // The package already contained all names, so the whole package is unchanged.
        let written = editor.write().unwrap();
        assert!(written.header == sample.bytes, "{}", sample.name());
        assert!(written.exports == sample.exports, "{}", sample.name());
    }
    let bytes: Vec<_> = tally.keys().filter(|what| what.contains("bytes")).collect();
    assert!(bytes.is_empty(), "{bytes:?}");
    assert!(tally.values().sum::<u32>() > 4000 && tally.len() >= 30, "{tally:#?}");
}

/// All properties of all saves are rebuilt. The bytes before and after the properties are also the
/// same.
#[test]
fn saves_made_anew() {
    let mut tally = Tally::new();
    for sample in samples::saves() {
        let read = Save::open(&sample.bytes).unwrap();
        let versions = read.layout().versions;
        let save = Save::new(
            versions,
            read.header().engine,
            read.custom_versions(),
            read.class().save_game_class,
        );
        let save = save.unwrap();
        let mut file = Vec::new();
        save.write_header(&mut file).unwrap();
        let mut tag = TagBuf::in_save;
        let context = save.properties();
        let writer = PropertyWriter::new(&mut file, &context);
        Anew { tag: &mut tag, tags: BTreeMap::new(), tally: &mut tally }
            .list(read.properties(), writer);
        file.extend(read.trailer().unwrap().1);
        assert_same(&file, &sample.bytes, &read.properties(), &sample.name());
    }
    assert!(tally.keys().all(|what| !what.contains("bytes")), "{tally:#?}");
    assert!(tally.len() > 15, "{tally:#?}");
}

#[track_caller]
fn assert_same(found: &[u8], wanted: &[u8], list: &Properties<'_>, what: &str) {
    if found == wanted {
        return;
    }
    let at = found.iter().zip(wanted).position(|(a, b)| a != b).unwrap_or(found.len());
    let start = list.offset();
    let tags = list.map(|tag| tag.unwrap()).filter(|tag| tag.head().offset <= start + at as u64);
    let tag = tags.last().unwrap();
    let near = |bytes: &[u8]| bytes[at.saturating_sub(40)..bytes.len().min(at + 24)].to_vec();
    panic!(
        "{what}: {} {} at {at}\n{:02x?}\n{:02x?}",
        tag.name(),
        tag.head().of,
        near(found),
        near(wanted)
    );
}

/// A value to be written.
#[allow(clippy::large_enum_variant)]
enum Put<'v> {
    Value(PropertyValue<'v>),
    /// The fields of a struct without tags.
    Fields(Vec<NativeValue<'v>>),
    /// The removed entries, and then the content: the elements of an array or a set, or the keys of
    /// a map, each followed by its value.
    Elements(Vec<Put<'v>>, Vec<Put<'v>>),
    /// The properties of a struct that has tags.
    List(Vec<(PropertyTypeBuf, Put<'v>)>),
    /// A struct of any type, with its type and its properties.
    Instanced(ObjectRef<'v>, Vec<(PropertyTypeBuf, Put<'v>)>),
    Path(Vec<NameRef<'v>>, Option<ObjectRef<'v>>),
}
use Put::{Elements as All, Fields, Instanced, List, Path};

type Sink = Vec<u8>;
type NewTag<'f> = &'f dyn Fn(&str, &PropertyTypeBuf) -> TagBuf;

fn write_list(
    all: &[(PropertyTypeBuf, Put<'_>)],
    tag: NewTag<'_>,
    mut to: PropertyWriter<'_, '_, Sink>,
) {
    for (of, put) in all {
        let new = tag("A", of);
        match put {
            Put::Value(value) => {
                to.value(&new, value).unwrap_or_else(|_| panic!("{of}: {value:?}"))
            }
            Fields(fields) => to.native(&new, fields).unwrap(),
            List(list) => write_list(list, tag, to.nested(&new).unwrap()),
            Instanced(object, list) => write_list(list, tag, to.instanced(&new, *object).unwrap()),
            Path(path, owner) => to.field_path(&new, path, *owner).unwrap(),
            All(removed, elements) => {
                let mut container = to.container(&new).unwrap();
                for value in removed {
                    let Put::Value(value) = value else { panic!("{of}") };
                    container.removed(value).unwrap();
                }
                elements.iter().for_each(|element| write_element(element, tag, &mut container));
                container.finish().unwrap_or_else(|_| panic!("{of}"));
            }
        }
    }
    to.finish().unwrap();
}

fn write_element(put: &Put<'_>, tag: NewTag<'_>, to: &mut ContainerWriter<'_, '_, Sink>) {
    match put {
        Put::Value(value) => to.value(value).unwrap_or_else(|_| panic!("{value:?}")),
        Fields(fields) => to.native(fields).unwrap(),
        List(list) => write_list(list, tag, to.nested().unwrap()),
        Instanced(of, list) => write_list(list, tag, to.instanced(*of).unwrap()),
        Path(..) | All(..) => panic!("no element"),
    }
}

fn same_list(found: Properties<'_>, wanted: &[(PropertyTypeBuf, Put<'_>)], what: &str) {
    let found: Vec<_> = found.map(Result::unwrap).collect();
    assert_eq!(found.len(), wanted.len(), "{what}");
    for (tag, (of, put)) in found.iter().zip(wanted) {
        let what = format!("{what}: {of}");
        assert_eq!(tag.name(), *"A", "{what}");
        assert_eq!(tag.kind().name(), of.name(), "{what}");
        same(tag.value(), put, &what);
    }
}

#[track_caller]
fn same(found: PropertyValue<'_>, wanted: &Put<'_>, what: &str) {
    match (found, wanted) {
        (PropertyValue::Native(_, found), Fields(wanted)) => {
            // Fields are read with the width that they have in the file, but all expected reals are
            // doubles.
            let mut found = leaves(found);
            for value in &mut found {
                if let NativeValue::Float(single) = value {
                    *value = NativeValue::Double((*single).into());
                }
            }
            assert_eq!(found, *wanted, "{what}");
        }
        (PropertyValue::Struct(found), List(wanted)) => same_list(found, wanted, what),
        (PropertyValue::Instanced(found), Instanced(of, wanted)) => {
            assert_eq!(found.of, *of, "{what}");
            same_list(found.properties, wanted, what);
        }
        (PropertyValue::FieldPath(found), Path(path, owner)) => {
            assert_eq!((found.path.collect::<Vec<_>>(), found.owner), (path.clone(), *owner));
        }
        (PropertyValue::Array(found) | PropertyValue::Optional(found), All(_, wanted)) => {
            same_elements(found, wanted, what);
        }
        (PropertyValue::Set(found), All(removed, wanted)) => {
            same_elements(found.removed(), removed, what);
            same_elements(found.values(), wanted, what);
        }
        (PropertyValue::Map(found), All(removed, wanted)) => {
            same_elements(found.removed(), removed, what);
            same_elements(found.entries().flat_map(|(key, value)| [key, value]), wanted, what);
        }
        (PropertyValue::Delegates(found), All(_, wanted)) => {
            same_elements(found.map(PropertyValue::Delegate), wanted, what);
        }
        (PropertyValue::Names(found), All(_, wanted)) => {
            same_elements(found.map(PropertyValue::Name), wanted, what);
        }
        (PropertyValue::Formatted(found), Put::Value(PropertyValue::Formatted(wanted))) => {
            assert_eq!(format!("{found:?}"), format!("{wanted:?}"), "{what}");
        }
        (found, Put::Value(wanted)) => {
            assert_eq!(format!("{found:?}"), format!("{wanted:?}"), "{what}");
        }
        (found, _) => panic!("{what}: {found:?}"),
    }
}

#[track_caller]
fn same_elements<'p>(
    found: impl Iterator<Item = PropertyValue<'p>>,
    wanted: &[Put<'_>],
    what: &str,
) {
    let found: Vec<_> = found.collect();
    assert_eq!(found.len(), wanted.len(), "{what}");
    found.into_iter().zip(wanted).for_each(|(found, wanted)| same(found, wanted, what));
}

/// Returns values of everything that a file of this layout can contain: properties of every kind,
/// and containers of every kind of element.
fn everything<'v>(
    layout: &Layout,
    texts: &'v [StrBuf; 2],
    names: [NameRef<'v>; 2],
    object: ObjectRef<'v>,
) -> Vec<(PropertyTypeBuf, Put<'v>)> {
    use PropertyKind::*;
    use PropertyValue as V;
    let since4 = |version| layout.versions.ue4 >= version;
    let since5 = |version| layout.versions.ue5 >= version;
    let [short, long] = texts.each_ref().map(StrBuf::as_text);
    let sub_path = match layout.custom.fortnite_main >= 192 {
        true => SubPath::Utf8(Utf8StrRef::new("Sub.Path")),
        false => SubPath::Text(short),
    };
    let asset = since5(1007).then_some(names[1]);
    let soft = SoftReference { package: names[0], asset, sub_path, index: None };
    let delegate = gamewire::unreal::properties::Delegate { object, function: names[1] };
    let guid = Guid([1, 2, 3, 0xFFFF_FFFF]);
    let plain = [
        (Bool, V::Bool(true)),
        (Bool, V::Bool(false)),
        (Int8, V::Int(-128)),
        (Int16, V::Int(-32768)),
        (Int, V::Int(i32::MIN.into())),
        (Int64, V::Int(i64::MIN)),
        (UInt16, V::UInt(65535)),
        (UInt32, V::UInt(u32::MAX.into())),
        (UInt64, V::UInt(u64::MAX)),
        (Float, V::Float(-1.5)),
        (Double, V::Double(0.1)),
        (Byte, V::UInt(255)),
        (Name, V::Name(names[0])),
        (Str, V::Str(short)),
        (Str, V::Str(long)),
        (AnsiStr, V::Utf8Str(Utf8StrRef::new("8 bit"))),
        (Utf8Str, V::Utf8Str(Utf8StrRef::new("名前"))),
        (VerseString, V::Utf8Str(Utf8StrRef::new(""))),
        (Object, V::Object(object)),
        (Class, V::Object(object)),
        (WeakObject, V::Object(object)),
        (Interface, V::Object(object)),
        (LazyObject, V::Guid(guid)),
        (AssetObject, if since4(514) { V::Soft(soft) } else { V::Str(short) }),
        (AssetClass, if since4(514) { V::Soft(soft) } else { V::Str(long) }),
        (SoftObject, V::Soft(soft)),
        (SoftClass, V::Soft(soft)),
        (Delegate, V::Delegate(delegate)),
    ];
    let mut all: Vec<_> = plain
        .iter()
        .map(|(kind, value)| (PropertyTypeBuf::of(*kind), Put::Value(*value)))
        .collect();
    let one = |of: PropertyTypeBuf, value: V<'v>| (of, Put::Value(value));
    let byte_of = PropertyTypeBuf::of(Byte)
        .with(PropertyTypeBuf::new("Enum").with(PropertyTypeBuf::new("B")));
    all.push(one(byte_of.clone(), V::Name(names[1])));
    let an_enum = PropertyTypeBuf::enumeration("Enum", "B", Byte);
    all.push(one(an_enum.clone(), V::Name(names[1])));
    for kind in [MulticastDelegate, MulticastInlineDelegate, MulticastSparseDelegate] {
        let both = || (0..2).map(|_| Put::Value(V::Delegate(delegate))).collect();
        all.push((PropertyTypeBuf::of(kind), All(vec![], both())));
    }
    let owned = layout.custom.release >= 30 || layout.custom.fortnite_main >= 33;
    all.push((PropertyTypeBuf::of(FieldPath), Path(names.to_vec(), owned.then_some(object))));
    for history in texts_of(layout, short, long, names[0]) {
        let text = FormattedText { flags: 8, history };
        all.push(one(PropertyTypeBuf::of(Text), V::Formatted(text)));
    }

    // Structs.
    let a_struct = |name: &'static str| PropertyTypeBuf::structure(name, "B");
    let inside = || {
        vec![
            (PropertyTypeBuf::of(Int), Put::Value(V::Int(5))),
            (PropertyTypeBuf::of(Bool), Put::Value(V::Bool(true))),
            (a_struct("Struct"), List(vec![(PropertyTypeBuf::of(Str), Put::Value(V::Str(long)))])),
        ]
    };
    all.push((a_struct("Struct"), List(inside())));
    all.push((a_struct("Struct"), List(vec![])));
    all.push((a_struct("InstancedStruct"), Instanced(object, inside())));
    let reals =
        |count: usize| Fields((0..count).map(|n| NativeValue::Double(n as f64 / 4.0)).collect());
    let bytes = |count: u64| Fields((0..count).map(|n| NativeValue::UInt(n * 60)).collect());
    all.push((a_struct("Vector"), reals(3)));
    all.push((a_struct("Matrix"), reals(16)));
    all.push((a_struct("Color"), bytes(4)));
    let Fields(mut parts) = reals(6) else { panic!() };
    parts.push(NativeValue::UInt(1));
    all.push((a_struct("Box"), Fields(parts)));
    all.push(one(a_struct("Guid"), V::Guid(guid)));
    all.push(one(a_struct("DateTime"), V::Int(1 << 60)));
    let soft_path = if since4(514) { V::Soft(soft) } else { V::Str(short) };
    all.push(one(a_struct("SoftObjectPath"), soft_path));
    let tags = names.iter().map(|name| Put::Value(V::Name(*name))).collect();
    all.push((a_struct("GameplayTagContainer"), All(vec![], tags)));

    // Containers whose elements are single values or structs.
    let twice = |value: &V<'v>| vec![Put::Value(*value), Put::Value(*value)];
    let lists = || vec![List(inside()), List(vec![]), List(inside())];
    if since4(282) {
        for (kind, value) in &plain {
            all.push((
                PropertyTypeBuf::array(PropertyTypeBuf::of(*kind)),
                All(vec![], twice(value)),
            ));
        }
        all.push((PropertyTypeBuf::array(PropertyTypeBuf::of(Int)), All(vec![], vec![])));
        all.push((PropertyTypeBuf::array(byte_of), All(vec![], twice(&V::Name(names[0])))));
        all.push((PropertyTypeBuf::array(an_enum), All(vec![], twice(&V::Name(names[0])))));
        all.push((PropertyTypeBuf::array(a_struct("Struct")), All(vec![], lists())));
    }
    if since4(500) {
        // In earlier versions, the file does not name the struct that is the type of the elements.
        all.push((PropertyTypeBuf::array(a_struct("Struct")), All(vec![], vec![])));
        let vectors = vec![reals(3), reals(3)];
        all.push((PropertyTypeBuf::array(a_struct("Vector")), All(vec![], vectors)));
        let guids = twice(&V::Guid(guid));
        all.push((PropertyTypeBuf::array(a_struct("Guid")), All(vec![], guids)));
        let instanced = vec![Instanced(object, inside())];
        all.push((PropertyTypeBuf::array(a_struct("InstancedStruct")), All(vec![], instanced)));
    }
    for (kind, value) in &plain {
        let of = PropertyTypeBuf::optional(PropertyTypeBuf::of(*kind));
        all.push((of, All(vec![], vec![Put::Value(*value)])));
    }
    all.push((PropertyTypeBuf::optional(PropertyTypeBuf::of(Int)), All(vec![], vec![])));
    if since4(509) {
        for (kind, value) in &plain {
            all.push((
                PropertyTypeBuf::set(PropertyTypeBuf::of(*kind)),
                All(twice(value), twice(value)),
            ));
            let of = PropertyTypeBuf::map(PropertyTypeBuf::of(*kind), PropertyTypeBuf::of(*kind));
            all.push((
                of,
                All(
                    vec![Put::Value(*value)],
                    [twice(value), twice(value)].into_iter().flatten().collect(),
                ),
            ));
        }
        let pairs =
            vec![Put::Value(V::Int(1)), List(inside()), Put::Value(V::Int(2)), List(vec![])];
        let of = PropertyTypeBuf::map(PropertyTypeBuf::of(Int), a_struct("Struct"));
        all.push((of, All(vec![], pairs)));
    }
    if since5(1012) {
        let pairs = vec![reals(3), Put::Value(V::Guid(guid))];
        all.push((PropertyTypeBuf::map(a_struct("Vector"), a_struct("Guid")), All(vec![], pairs)));
        all.push((PropertyTypeBuf::set(a_struct("Vector")), All(vec![], vec![reals(3)])));
        all.push((PropertyTypeBuf::optional(a_struct("Vector")), All(vec![], vec![reals(3)])));
    }
    all
}

/// Returns the histories of localised texts that contain no other texts.
fn texts_of<'v>(
    layout: &Layout,
    short: gamewire::unreal::StrRef<'v>,
    long: gamewire::unreal::StrRef<'v>,
    name: NameRef<'v>,
) -> Vec<History<'v>> {
    let since = |version| layout.versions.ue4 >= version;
    let (namespace, key, source) = (short, short, long);
    if !since(368) {
        let namespace = since(226).then_some(namespace);
        return vec![History::Legacy { source, namespace, key }];
    }
    let notes = layout.editor_data && layout.custom.fortnite_main >= 260;
    let dev_notes = notes.then_some(short);
    let argument = gamewire::unreal::properties::Argument::Double(2.5);
    let number = |currency| NumberText { currency, argument, options: None, culture: short };
    vec![
        History::None { culture_invariant: (layout.custom.editor >= 32).then_some(long) },
        History::Base { namespace, key, source, dev_notes },
        History::Number(number(None)),
        History::Percent(number(None)),
        History::Currency(number(since(389).then_some(short))),
        History::StringTable { table: name, key },
    ]
}

/// Every kind of property can be written to a package, and read back, in both byte orders and in
/// every version that changed the format of properties.
#[test]
fn every_kind_in_packages() {
    let texts = ["Short", "長い text"].map(StrBuf::new);
    let mut versions = 0;
    for header in laws::headers() {
        let empty = Package::open_as(&header.header, None, header.supplied).unwrap();
        let find = |text: &str| {
            let names = empty.names().map(Result::unwrap);
            let index = names.map(|name| name.text.to_string()).position(|name| name == text);
            index.map(|index| gamewire::unreal::Name { index: index as i32, number: 0 })
        };
        // Skips packages that lack one of these names.
        let Some(names) = ["A", "Enum"].map(find).into_iter().collect::<Option<Vec<_>>>() else {
            continue;
        };
        versions += 1;
        let layout = *empty.layout();
        let what = format!("{:?} {:?}", layout.versions, layout.order);
        let names =
            [names[0], gamewire::unreal::Name { number: 7, ..names[1] }].map(NameRef::Index);
        let all = everything(&layout, &texts, names, ObjectRef::Index(PackageIndex(-1)));

        let tag = |name: &str, of: &PropertyTypeBuf| {
            TagBuf::in_package(name, of, |text| Ok(find(text).unwrap_or_else(|| panic!("{text}"))))
                .unwrap()
        };
        let before = usize::from(layout.versions.ue5 >= 1011);
        let mut bytes = vec![0; before];
        write_list(&all, &tag, PropertyWriter::in_package(&mut bytes, &empty).unwrap());
        let package = Package::open_as(&header.header, Some(&bytes), header.supplied).unwrap();
        let offset = header.header.len() as i64;
        let serial = Serial { size: bytes.len() as i64, offset };
        let export = Export { class: PackageIndex(-1), serial, ..Export::default() };
        let object = package.properties(&export).unwrap().unwrap();
        same_list(object.iter(), &all, &what);
        assert_eq!(object.tail().unwrap().native, [0; 0], "{what}");
    }
    assert_eq!(versions, 72);
}

/// Every kind of property can be written to a save, and read back, in every version that changed
/// the format of properties.
#[test]
fn every_kind_in_saves() {
    let texts = ["Short", "長い text"].map(StrBuf::new);
    let names = ["A", "Enum::Member"].map(StrBuf::new);
    let path = StrBuf::new("/Game/Object.Object");
    for (ue4, ue5) in [
        (342, 0),
        (441, 0),
        (482, 0),
        (500, 0),
        (503, 0),
        (509, 0),
        (514, 0),
        (522, 0),
        (522, 1004),
        (522, 1007),
        (522, 1008),
        (522, 1011),
        (522, 1012),
        (522, 1018),
    ] {
        let engine = EngineVersion { major: 4, minor: 27, ..EngineVersion::default() };
        let class = StrBuf::new("/Script/Game.Save");
        let (versions, none) = (Versions { ue4, ue5 }, CustomVersions::default());
        let save = Save::new(versions, engine, none, class.as_text()).unwrap();
        let names = names.each_ref().map(|name| NameRef::Text(name.as_text()));
        let all = everything(save.layout(), &texts, names, ObjectRef::Path(path.as_text()));
        let mut file = Vec::new();
        save.write_header(&mut file).unwrap();
        let list = save.properties();
        write_list(&all, &TagBuf::in_save, PropertyWriter::new(&mut file, &list));
        file.extend([0; 4]);
        let read = Save::open(&file).unwrap();
        assert_eq!(read.layout(), save.layout());
        same_list(read.properties(), &all, &format!("{versions}"));
        assert_eq!(read.trailer().unwrap().1, [0; 4]);
        laws::unreal_save(&file);
    }
}

/// A value that does not match the kind of the property is an error, and nothing is written.
#[test]
fn values_that_do_not_fit() {
    use PropertyValue as V;
    let engine = EngineVersion::default();
    let versions = Versions::of_engine(4, 27).unwrap();
    let text = StrBuf::new("text");
    let save = Save::new(versions, engine, CustomVersions::default(), text.as_text()).unwrap();
    let list = save.properties();
    let mut bytes = Vec::new();
    let mut to = PropertyWriter::new(&mut bytes, &list);
    let tag = |of: PropertyTypeBuf| TagBuf::in_save("A", &of);
    let of = |kind| tag(PropertyTypeBuf::of(kind));
    let index = NameRef::Index(Name { index: 0, number: 0 });
    let vector = tag(PropertyTypeBuf::structure("Vector", "/Script/CoreUObject"));
    assert!(to.value(&of(PropertyKind::Int8), &V::Int(128)).is_err());
    assert!(to.value(&of(PropertyKind::Byte), &V::UInt(256)).is_err());
    assert!(to.value(&of(PropertyKind::Int), &V::Float(1.0)).is_err());
    assert!(to.value(&of(PropertyKind::Name), &V::Name(index)).is_err(), "names are text in saves");
    assert!(
        to.value(&of(PropertyKind::Object), &V::Object(ObjectRef::Index(PackageIndex(0)))).is_err()
    );
    assert!(to.value(&of(PropertyKind::Unknown), &V::Int(1)).is_err());
    assert!(to.native(&vector, &[NativeValue::Double(1.0); 2]).is_err());
    assert!(to.native(&vector, &[NativeValue::Double(1.0); 4]).is_err());
    assert!(to.native(&vector, &[NativeValue::Int(1); 3]).is_err());
    assert!(to.native(&of(PropertyKind::Int), &[NativeValue::Int(1)]).is_err());
    assert!(to.container(&of(PropertyKind::Int)).is_err());
    assert!(to.container(&of(PropertyKind::Array)).is_err(), "of nothing");
    let index = ObjectRef::Index(PackageIndex(0));
    let instanced = tag(PropertyTypeBuf::structure("InstancedStruct", "/Script/CoreUObject"));
    assert!(to.instanced(&instanced, index).is_err());
    assert!(to.field_path(&of(PropertyKind::FieldPath), &[], Some(index)).is_err());

    // A container rejects a value that does not match, and other values can follow.
    let map = tag(PropertyTypeBuf::map(
        PropertyTypeBuf::of(PropertyKind::Int),
        PropertyTypeBuf::of(PropertyKind::Str),
    ));
    let mut entries = to.container(&map).unwrap();
    assert!(entries.removed(&V::Str(text.as_text())).is_err());
    assert!(entries.value(&V::Str(text.as_text())).is_err(), "a key first");
    entries.value(&V::Int(1)).unwrap();
    assert!(entries.removed(&V::Int(2)).is_err(), "too late");
    assert!(entries.value(&V::Int(1)).is_err(), "a value next");
    assert!(entries.nested().is_err());
    entries.value(&V::Str(text.as_text())).unwrap();
    entries.finish().unwrap();
    let optional = tag(PropertyTypeBuf::optional(PropertyTypeBuf::of(PropertyKind::Int)));
    let mut only = to.container(&optional).unwrap();
    only.value(&V::Int(1)).unwrap();
    assert!(only.value(&V::Int(2)).is_err(), "one at the most");
    only.finish().unwrap();
    to.finish().unwrap();

    let mut file = Vec::new();
    save.write_header(&mut file).unwrap();
    file.extend(bytes);
    let read = Save::open(&file).unwrap();
    let kinds: Vec<_> = read.properties().map(|tag| tag.unwrap().kind()).collect();
    assert_eq!(kinds, [PropertyKind::Map, PropertyKind::Optional]);
}

/// A list whose iterator has reached its end can still be passed to a writer as the model for the
/// end of a new list.
#[test]
fn like_a_list_that_is_over() {
    for sample in samples::packages() {
        let package = sample.package();
        for export in package.exports().map(Result::unwrap) {
            let Some(object) = package.properties(&export).unwrap() else { continue };
            let (mut one, mut other) = (Vec::new(), Vec::new());
            let mut over = object.iter();
            PropertyWriter::new(&mut one, &over).finish().unwrap();
            over.by_ref().for_each(drop);
            PropertyWriter::new(&mut other, &over).finish().unwrap();
            assert_eq!(one, other, "{}", sample.name());
        }
    }
}

/// A value that would read back differently is rejected without output.
#[test]
fn texts_that_read_back_differently() {
    let sample = fs::read("corpus/unreal/gvas-ue4.27-Slot1.sav").unwrap();
    let save = Save::open(&sample).unwrap();
    let mut bytes = Vec::new();
    let mut list = PropertyWriter::new(&mut bytes, &save.properties());
    let refused = |result: Result<(), gamewire::unreal::Error>| {
        assert_eq!(*result.unwrap_err().kind(), ErrorKind::DoesNotFit);
    };
    let tag = |name: &str, of: PropertyTypeBuf| TagBuf::in_save(name, &of);
    let int = tag("Int", PropertyTypeBuf::of(PropertyKind::Int));
    let vector = tag("Vector", PropertyTypeBuf::structure("Vector", "/Script/CoreUObject"));
    let own = tag("Own", PropertyTypeBuf::structure("Own", "/Script/Game"));
    // A list cannot be the value of a number, or of a struct whose fields have no tags.
    refused(list.nested(&int).map(drop));
    refused(list.nested(&vector).map(drop));
    refused(list.instanced(&own, ObjectRef::Path(StrBuf::new("/Game/A.A").as_text())).map(drop));
    // A property cannot have a name that ends a list.
    refused(list.value(&tag("", PropertyTypeBuf::of(PropertyKind::Int)), &PropertyValue::Int(1)));
    refused(
        list.value(&tag("none", PropertyTypeBuf::of(PropertyKind::Int)), &PropertyValue::Int(1)),
    );
    // A GUID cannot be the value of a struct that has properties.
    refused(list.value(&own, &PropertyValue::Guid(Guid::default())));
    // A type must not be nested deeper than readers accept.
    let deep =
        (0..20).fold(PropertyTypeBuf::of(PropertyKind::Int), |of, _| PropertyTypeBuf::array(of));
    refused(list.bytes(&tag("Deep", deep), &[0; 4]));
    list.finish().unwrap();
    assert_eq!(bytes, b"\x05\0\0\0None\0");
}

/// A struct cannot be written as a different struct, even if their fields have the same total size.
#[test]
fn another_struct() {
    let sample = fs::read("corpus/unreal/gvas-ue4.27-Slot1.sav").unwrap();
    let sample = Save::open(&sample).unwrap();
    let named = |name: &'static str| {
        TagBuf::in_save("It", &PropertyTypeBuf::structure(name, "/Script/CoreUObject"))
    };
    let mut file = Vec::new();
    sample.write_header(&mut file).unwrap();
    let mut list = PropertyWriter::new(&mut file, &sample.properties());
    list.native(&named("Vector"), &[1.0, 2.0, 3.0].map(NativeValue::Float)).unwrap();
    list.finish().unwrap();

    let save = Save::open(&file).unwrap();
    let value = save.properties().next().unwrap().unwrap().value();
    assert!(matches!(value, PropertyValue::Native(native, _) if native.name == "Vector"));
    let mut bytes = Vec::new();
    let mut list = PropertyWriter::new(&mut bytes, &save.properties());
    for (name, fits) in [("Vector", true), ("Rotator", false), ("Guid", false), ("Own", false)] {
        assert_eq!(list.value(&named(name), &value).is_ok(), fits, "{name}");
    }
}

/// In files below 5:1012, the tag of an optional struct does not name the struct. The caller may
/// supply the name as a hint.
#[test]
fn hinted_optional() {
    let versions = Versions { ue4: 522, ue5: 1009 };
    let class = StrBuf::new("/Script/Game.Save");
    let (engine, custom) = (EngineVersion::default(), CustomVersions::default());
    let save = Save::new(versions, engine, custom, class.as_text()).unwrap();
    let mut file = Vec::new();
    save.write_header(&mut file).unwrap();
    let mut list = PropertyWriter::new(&mut file, &save.properties());
    let of = PropertyTypeBuf::optional(PropertyTypeBuf::structure("Guid", "/Script/CoreUObject"));
    let value = [[1, 0, 0, 0].as_slice(), &[7; 16]].concat();
    list.bytes(&TagBuf::in_save("Owner", &of), &value).unwrap();
    list.finish().unwrap();
    let hints = [StructHint { property: "Owner", key: None, value: Some("Guid") }];
    let save = Save::open(&file).unwrap().with_hints(&hints);
    let tag = save.properties().next().unwrap().unwrap();
    let PropertyValue::Optional(mut value) = tag.value() else { panic!("{:?}", tag.value()) };
    assert!(matches!(value.next(), Some(PropertyValue::Guid(_))));
}
