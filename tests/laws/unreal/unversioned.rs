//! Laws of mappings and of properties without tags in arbitrary bytes.

use super::accessors::{Look, show};
use crate::support::unreal::unversioned::declared::Declared;
use crate::support::unreal::unversioned::linked;
use crate::support::unreal::unversioned::{CLASS, Made, VERSIONS, header};
#[cfg(feature = "serde")]
use gamewire::unreal::PackageEditor;
use gamewire::unreal::mappings::{
    EnumBuf, MappedType, MappedTypeBuf, MappingsBuf, PackageTypes, PropertyBuf, StructBuf, TypePath,
};
use gamewire::unreal::tables::{Export, Serial};
use gamewire::unreal::{
    Mappings, MappingsFile, ObjectProperties, Package, PropertyWriter, Versions,
};
use std::collections::BTreeSet;
use std::sync::OnceLock;

/// Checks the laws of mappings. The data are a mappings file, or a byte with the version and a
/// body.
pub fn unreal_mappings(data: &[u8]) {
    if let Ok(file) = MappingsFile::open(data) {
        if let Some(body) = file.stored() {
            let same = Mappings::open(data).is_ok();
            assert_eq!(same, body_as(&file, body));
        }
        return;
    }
    let Some((version, body)) = data.split_first() else { return };
    let of = MappingsBuf::new(version % 5);
    let bytes = of.write_compressed(
        gamewire::unreal::mappings::MappingsCompression::Stored,
        body.len(),
        body,
    );
    body_as(&MappingsFile::open(&bytes).unwrap(), body);
}

/// Opens a body with and without allocation, and writes its contents again. Returns `true` if the
/// body is valid.
fn body_as(file: &MappingsFile<'_>, body: &[u8]) -> bool {
    let (opened, len) = (Mappings::of_body(file, body), Mappings::index_len(file, body));
    let mut memory = vec![7; len.unwrap_or(4)];
    let borrowed = Mappings::open_in(file, body, &mut memory);
    let (mappings, borrowed) = match (opened, borrowed) {
        (Ok(opened), Ok(borrowed)) => (opened, borrowed),
        (Err(error), Err(other)) => {
            assert!(error.offset() <= body.len() as u64, "{error}");
            // Extensions can be wrong although the tables are right.
            assert!(len.is_ok() || error == other, "{error} {other}");
            return false;
        }
        (a, b) => panic!("{a:?} {b:?}"),
    };
    let (ours, theirs) = (rebuilt(file.version(), &mappings), rebuilt(file.version(), &borrowed));
    assert_eq!(ours, theirs);
    if let Some(ours) = ours {
        let written = ours.write();
        let again = Mappings::open(&written).unwrap();
        assert_eq!(rebuilt(file.version(), &again), Some(ours));
    }
    if len.is_ok_and(|len| len > 0) {
        let mut short = vec![0; len.unwrap() - 1];
        assert!(Mappings::open_in(file, body, &mut short).is_err());
    }
    for of in mappings.structs().take(100) {
        let name = of.name().to_string();
        if let Ok(text) = std::str::from_utf8(of.name().bytes())
            && !text.is_empty()
        {
            let found = mappings.find_struct(&text.to_ascii_lowercase()).expect("it is there");
            assert!(found.name().to_string().eq_ignore_ascii_case(&name));
        }
        show(of.path().unwrap_or_default());
        show(format_args!("{of:?} {:?}", of.parent()));
        assert!(of.with_parents().count() <= 256);
        for slot in [0, 1, of.slots(), 70_000] {
            if let Some((property, index)) = of.property_at(slot) {
                show(format_args!("{property:?}"));
                assert!(index < property.elements());
            }
        }
    }
    for of in mappings.enums().take(100) {
        show(format_args!("{of:?} {}", of.path().unwrap_or_default()));
        if let Some((name, value)) = of.entries().next() {
            show(name);
            assert!(of.name_of(value).is_some());
        }
    }
    true
}

/// Returns the mappings in a form that can be written. Returns `None` if they have a name that is
/// not UTF-8, gaps between slots, or several structs with the same name.
fn rebuilt(version: u8, of: &Mappings<'_>) -> Option<MappingsBuf> {
    let text = |name: gamewire::unreal::Utf8StrRef<'_>| Some(name.as_str()?.to_string().into());
    let mut all = MappingsBuf::new(version);
    for of in of.enums() {
        let entries = of.entries().map(|(name, value)| Some((text(name)?, value)));
        let entries = entries.collect::<Option<Vec<_>>>()?;
        all.enums.push(EnumBuf { name: text(of.name())?, entries, ..EnumBuf::default() });
    }
    all.has_enum_values = version < 4;
    for of in of.structs() {
        let mut new = StructBuf::new(of.name().as_str()?.to_string());
        new.parent = match of.parent() {
            Some(parent) => Some(text(parent.name())?),
            None => None,
        };
        let mut slot = 0;
        for property in of.properties() {
            if property.slot() != slot {
                return None;
            }
            slot += property.elements();
            let name = text(property.name())?;
            let elements = property.elements() as u8;
            new.properties.push(PropertyBuf { name, elements, of: type_of(property.of())? });
        }
        if slot != of.slots() {
            return None;
        }
        all.structs.push(new);
    }
    let same = |a: &StructBuf, b: &StructBuf| a.name.eq_ignore_ascii_case(&b.name);
    let twice = (1..all.structs.len())
        .any(|at| all.structs[..at].iter().any(|of| same(of, &all.structs[at])));
    (!twice).then_some(all)
}

fn type_of(of: MappedType<'_>) -> Option<MappedTypeBuf> {
    let name = |of: MappedType<'_>| Some(of.name()?.as_str()?.to_string().into());
    Some(match of.kind_name() {
        "StructProperty" => MappedTypeBuf::Struct(name(of)?),
        "EnumProperty" => MappedTypeBuf::Enum(name(of)?, of.inner()?.number()),
        "ArrayProperty" => MappedTypeBuf::Array(Box::new(type_of(of.inner()?)?)),
        "SetProperty" => MappedTypeBuf::Set(Box::new(type_of(of.inner()?)?)),
        "OptionalProperty" => MappedTypeBuf::Optional(Box::new(type_of(of.inner()?)?)),
        "MapProperty" => {
            MappedTypeBuf::Map(Box::new(type_of(of.inner()?)?), Box::new(type_of(of.value()?)?))
        }
        _ => MappedTypeBuf::Plain(of.number()),
    })
}

/// Number of generated mappings from which the data select one.
const MAPPINGS: u64 = 64;

/// Checks the laws of properties without tags. The first bytes select the version of the package
/// and the mappings, and the other bytes are the export.
pub fn unreal_unversioned(data: &[u8]) {
    static HEADERS: OnceLock<Vec<(Vec<u8>, Versions)>> = OnceLock::new();
    static ALL: OnceLock<Vec<Vec<u8>>> = OnceLock::new();
    let headers = HEADERS.get_or_init(|| {
        let versions = VERSIONS.iter().map(|(ue4, ue5)| Versions { ue4: *ue4, ue5: *ue5 });
        versions.map(|versions| (header(versions), versions)).collect()
    });
    let all = ALL.get_or_init(|| (0..MAPPINGS).map(|seed| Made::new(seed).mappings).collect());
    let [first, second, bytes @ ..] = data else { return };
    let (header, versions) = &headers[usize::from(*first) % headers.len()];
    let mappings = Mappings::open(&all[usize::from(*second) % all.len()]).unwrap();
    let package = Package::open_as(header, Some(bytes), Some(*versions)).unwrap();
    export_as(&package.with_mappings(&mappings), header.len(), bytes);
    declarations(usize::from(*second), bytes);
}

/// Checks the laws on a package that declares classes and structs. `bytes` replace the first bytes
/// of its exports.
fn declarations(seed: usize, bytes: &[u8]) {
    static ALL: OnceLock<Vec<Declared>> = OnceLock::new();
    let all = ALL.get_or_init(|| (0..MAPPINGS).map(Declared::new).collect());
    let made = &all[seed % all.len()];
    // The declarations come first, so the objects after them usually stay intact.
    let mut exports = made.exports.clone();
    exports.iter_mut().zip(bytes).for_each(|(to, from)| *to = *from);
    let game = Mappings::open(&made.mappings).unwrap();
    let package = Package::open_as(&made.header, Some(&exports), Some(made.versions)).unwrap();
    let package = package.with_mappings(&game);
    let declared = package.declared_structs();
    assert!(declared.structs.len() <= made.structs);
    let mut types = package.package_types("/Game/Own");
    assert_eq!((&*types.package, &types.declared), ("/Game/Own", &declared));
    types.keep_declared();
    let twice = PackageTypes::combine(&[&types, &types]);
    let (structs, enums) = (2 * declared.structs.len(), 2 * declared.enums.len());
    assert_eq!((twice.structs.len(), twice.enums.len()), (structs, enums));
    let own = declared.write();
    assert!(PackageTypes::combine(&[types]).write() == own);
    assert!(own.len() <= 40 * exports.len() + 256, "{}", own.len());
    let mappings = game.extended(&own).unwrap();
    let package = package.with_mappings(&mappings);
    assert_eq!(package.declared_structs(), declared);
    for export in package.exports() {
        let Ok(Some(object)) = package.properties(&export.unwrap()) else { continue };
        let mut look = Look { may_break: true, ..Look::default() };
        look.object(&object);
        assert!(look.items <= 400 * exports.len() as u64 + 64, "{}", look.items);
    }
    #[cfg(feature = "serde")]
    written_again(&package);
}

/// Writes each list of a package anew from its document. Each list is either refused, or can then
/// be read to its end.
#[cfg(feature = "serde")]
fn written_again(package: &Package<'_>) {
    let Ok(mut editor) = PackageEditor::new(package) else { return };
    let mut replaced = Vec::new();
    for (index, export) in package.exports().flatten().enumerate() {
        let Ok(Some(object)) = package.properties(&export) else { continue };
        let json = serde_json::to_string(&object.iter()).unwrap();
        let json = &mut serde_json::Deserializer::from_str(&json);
        if editor.replace_properties(index, 0..object.iter().count(), json).is_ok() {
            assert!(object.tail().is_ok());
            replaced.push((index as u32, object.iter().count()));
        }
    }
    let written = editor.write().unwrap();
    let (header, exports) = (&written.header, written.exports.as_deref());
    let versions = Some(package.layout().versions);
    let again = Package::open_as(header, exports, versions).unwrap();
    let again = again.with_mappings(package.mappings().unwrap());
    for (index, count) in replaced {
        let object = again.properties(&again.export(index).unwrap()).unwrap().unwrap();
        assert_eq!((object.iter().count(), object.tail().is_ok()), (count, true));
    }
}

/// Checks the laws on the types that a package needs from other packages. `size` is the size of the
/// package's files.
pub fn types_of(package: &Package<'_>, size: u64) {
    static GAME: OnceLock<Mappings<'static>> = OnceLock::new();
    let game = GAME.get_or_init(|| Mappings::open(Vec::leak(linked::mappings())).unwrap());
    let package = package.clone().with_mappings(game);
    let types = package.package_types("");
    assert_eq!(types.missing, package.missing_types());
    let text: usize = types.missing.iter().map(|of| of.package.len() + of.name.len()).sum();
    assert!(text as u64 <= 80 * size);
    let is_file =
        |of: &TypePath| of.package.starts_with('/') && !of.package.starts_with("/Script/");
    assert!(types.missing.iter().all(is_file));
    let different: BTreeSet<_> = types.missing.iter().collect();
    assert_eq!(different.len(), types.missing.len());
    assert!(game.extended(&PackageTypes::combine(&[types]).write()).is_ok());
}

/// Checks the laws on an export with these bytes.
pub fn export_as(package: &Package<'_>, offset: usize, bytes: &[u8]) {
    let serial = Serial { size: bytes.len() as i64, offset: offset as i64 };
    let export = Export { class: CLASS, serial, ..Export::default() };
    let Ok(Some(object)) = package.properties(&export) else { return };
    let mut look = Look { may_break: true, ..Look::default() };
    look.object(&object);
    // A value that is marked as zero takes only one bit, but can count as several items.
    assert!(look.items <= 400 * bytes.len() as u64 + 64, "{}", look.items);
    written_as(&object, package, &export, bytes);
    #[cfg(feature = "serde")]
    serde_json::to_writer(std::io::sink(), &package.export_document(&export)).unwrap();
}

/// Asserts that a list that can be read to its end is written unchanged.
fn written_as(object: &ObjectProperties<'_>, package: &Package<'_>, export: &Export, bytes: &[u8]) {
    let (Ok(tail), Ok(Some(header))) = (object.tail(), package.unversioned(export)) else { return };
    let (mut copied, mut written) = (Vec::new(), Vec::new());
    let mut copy = PropertyWriter::new(&mut copied, &object.iter());
    let mut write = PropertyWriter::new(&mut written, &object.iter());
    for tag in object.iter() {
        let tag = tag.expect("the list has an end");
        copy.copy(&tag).unwrap();
        // Zero marks are copied, as are values that `value` refuses.
        let before = tag.slot().unwrap().is_zero;
        if before || write.value(&tag.head(), &tag.value()).is_err() {
            write.copy(&tag).unwrap();
        }
    }
    copy.finish().unwrap();
    write.finish().unwrap();
    let size = (tail.offset - export.serial.offset as u64) as usize;
    let whole = &bytes[..size];
    // Engine 5.4 writes four zero bytes in front of the list.
    let zeros = whole.len() - copied.len();
    assert!(zeros == 0 || whole[..zeros] == [0; 4], "{zeros}");
    assert_eq!(copied, whole[zeros..]);
    assert_eq!(written, copied);
    assert!(header.offset() <= tail.offset);
}
