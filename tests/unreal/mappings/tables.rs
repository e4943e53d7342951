//! Tables of mappings, in every version of the format.

use gamewire::unreal::mappings::{
    EnumBuf, MappedTypeBuf, MappingsBuf, MappingsCompression, PropertyBuf, StructBuf, VersionsBuf,
};
use gamewire::unreal::{ErrorKind, Guid, Mappings, MappingsFile, Versions};

fn plain(name: &'static str, number: u8) -> PropertyBuf {
    PropertyBuf::new(name, MappedTypeBuf::Plain(number))
}

fn made(version: u8) -> MappingsBuf {
    let mut all = MappingsBuf::new(version);
    all.enums.push(EnumBuf {
        name: "EKind".into(),
        path: "/Script/A".into(),
        entries: vec![("One".into(), 0), ("Two".into(), -5), ("Same".into(), -5)],
    });
    all.enums.push(EnumBuf { name: "ekind".into(), ..EnumBuf::default() });
    let list = PropertyBuf { elements: 3, ..plain("List", 2) };
    all.structs.push(StructBuf::new("Base").with(plain("Number", 2)).with(list));
    let child = StructBuf::new("Child").under("BASE").with(plain("Own", 1));
    all.structs.push(StructBuf { path: "/Script/B".into(), ..child });
    all
}

#[test]
fn names_are_found_without_regard_to_case() {
    let bytes = made(4).write();
    let mappings = Mappings::open(&bytes).unwrap();
    let child = mappings.find_struct("CHILD").unwrap();
    assert_eq!(child.parent().unwrap().name().to_string(), "Base");
    assert_eq!((child.slots(), child.all_slots()), (1, 5));
    let slot = |slot| {
        let (property, index) = child.property_at(slot)?;
        Some(format!("{}[{index}]", property.name()))
    };
    let slots: Vec<_> = (0..6).map(|index| slot(index).unwrap_or_default()).collect();
    assert_eq!(slots, ["Own[0]", "Number[0]", "List[0]", "List[1]", "List[2]", ""]);
    assert_eq!(child.find_property("LIST").unwrap().1, 2);
    assert!(child.find_property("Missing").is_none());
    assert!(mappings.find_struct("Chil").is_none() && mappings.find_struct("").is_none());
    // If several enums have the same name, the first one is used.
    assert_eq!(mappings.find_enum("EKIND").unwrap().entries().len(), 3);
}

#[test]
fn values_of_enums_are_explicit_positions_or_an_extension() {
    for version in 0..=4 {
        for has_enum_values in [false, true] {
            let bytes = MappingsBuf { has_enum_values, ..made(version) }.write();
            let mappings = Mappings::open(&bytes).unwrap();
            let kind = mappings.find_enum("EKind").unwrap();
            let explicit = version == 4 || has_enum_values;
            let values: Vec<_> = kind.entries().map(|(_, value)| value).collect();
            assert_eq!(values, if explicit { [0, -5, -5] } else { [0, 1, 2] }, "{version}");
            let two = if explicit { -5 } else { 1 };
            assert_eq!(kind.name_of(two).unwrap().to_string(), "Two");
            assert_eq!(kind.value_of("EKind::same"), Some(if explicit { -5 } else { 2 }));
            assert_eq!((kind.name_of(99), kind.value_of("Three")), (None, None));
        }
    }
}

#[test]
fn paths_are_in_an_extension() {
    let bytes = MappingsBuf { has_paths: true, has_enum_values: true, ..made(3) }.write();
    let mappings = Mappings::open(&bytes).unwrap();
    assert_eq!(mappings.find_struct("Child").unwrap().path().unwrap().to_string(), "/Script/B");
    assert_eq!(mappings.enums().next().unwrap().path().unwrap().to_string(), "/Script/A");
    let bytes = made(3).write();
    assert!(Mappings::open(&bytes).unwrap().structs().all(|of| of.path().is_none()));
}

#[test]
fn headers_state_the_versions_of_packages() {
    let versions = VersionsBuf {
        versions: Versions { ue4: 522, ue5: 1009 },
        custom_versions: vec![(Guid([1, 2, 3, 4]), 7)],
        changelist: 99,
    };
    for version in 0..=4 {
        let bytes = MappingsBuf { versions: Some(versions.clone()), ..made(version) }.write();
        let file = MappingsFile::open(&bytes).unwrap();
        let stated = (version > 0).then_some(versions.versions);
        assert_eq!((file.version(), file.package_versions()), (version, stated));
        assert_eq!(file.changelist(), (version > 0).then_some(99));
        assert!(Mappings::open(&bytes).is_ok());
    }
}

/// If several structs have the same name, the last one is used. A struct is never its own parent,
/// and a cycle of parents is cut off.
#[test]
fn structs_with_the_same_name() {
    let mut all = MappingsBuf::new(4);
    let named = |name| StructBuf::new(name).with(plain("Own", 2));
    all.structs.push(named("A"));
    all.structs.push(named("a").under("A").with(plain("More", 2)));
    all.structs.push(named("Loop").under("Pool"));
    all.structs.push(named("Pool").under("Loop"));
    all.structs.push(named("Self").under("Self"));
    let bytes = all.write();
    let mappings = Mappings::open(&bytes).unwrap();
    let last = mappings.find_struct("A").unwrap();
    assert_eq!((last.slots(), last.all_slots()), (2, 3));
    assert_eq!(mappings.find_struct("Loop").unwrap().with_parents().count(), 256);
    assert!(mappings.find_struct("Self").unwrap().parent().is_none());
}

#[test]
fn wrong_headers_are_refused() {
    let kind = |bytes: &[u8]| *MappingsFile::open(bytes).unwrap_err().kind();
    let bytes = made(0).write();
    assert!(matches!(kind(b"GVAS"), ErrorKind::BadMark { expected: 0x30C4, .. }));
    assert!(matches!(kind(&bytes[..7]), ErrorKind::UnexpectedEnd { .. }));
    let with = |at: usize, byte| {
        let mut bytes = bytes.clone();
        bytes[at] = byte;
        bytes
    };
    assert!(matches!(kind(&with(2, 5)), ErrorKind::Unknown { value: 5, .. }));
    assert!(matches!(kind(&with(3, 9)), ErrorKind::Unknown { value: 9, .. }));
    assert!(matches!(kind(&with(4, 1)), ErrorKind::SizesDiffer { .. }));
    let compressed = made(0).write_compressed(MappingsCompression::Oodle, 50, b"bytes");
    let error = Mappings::open(&compressed).unwrap_err();
    assert_eq!(*error.kind(), ErrorKind::CompressedMappings);
    // Some tools state a size that is too large.
    let mut long = bytes.clone();
    let size = u32::from_le_bytes(long[4..8].try_into().unwrap()) + 100;
    long.splice(4..12, [size.to_le_bytes(), size.to_le_bytes()].concat());
    assert!(Mappings::open(&long).is_ok());
}

/// Types that are nested too deeply are refused, as are names that do not exist.
#[test]
fn wrong_tables_are_refused() {
    let nested = |levels| {
        let array = |of| MappedTypeBuf::Array(Box::new(of));
        let of = (0..levels).fold(MappedTypeBuf::Plain(2), |of, _| array(of));
        let mut all = MappingsBuf::new(4);
        all.structs.push(StructBuf::new("A").with(PropertyBuf::new("P", of)));
        all.write()
    };
    assert!(Mappings::open(&nested(16)).is_ok());
    let error = |bytes: &[u8]| *Mappings::open(bytes).unwrap_err().kind();
    assert_eq!(error(&nested(17)), ErrorKind::TooDeep { limit: 16 });
    let mut all = MappingsBuf::new(4);
    all.structs.push(StructBuf::new("A"));
    let mut bytes = all.write();
    let at = bytes.len() - 12;
    bytes[at] = 9;
    assert_eq!(error(&bytes), ErrorKind::NoSuchName { index: 9, count: 1 });
    bytes[at] = 0;
    bytes[at - 4] = 200;
    assert_eq!(error(&bytes), ErrorKind::BadCount(200));
}
