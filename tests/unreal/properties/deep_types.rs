//! Tests property types that are built by hand and are nested far deeper than any engine accepts.
//! On a small stack, every operation on these types works or returns an error.

use crate::support::small_stack::on_small_stack;
use gamewire::unreal::{ErrorKind, PropertyKind, PropertyTypeBuf, PropertyWriter, Save, TagBuf};
use std::collections::HashSet;
use std::fs;
use std::hash::{DefaultHasher, Hash, Hasher};

const LEVELS: usize = 100_000;

/// Returns the type of arrays and maps that are nested `levels` deep around `innermost`.
fn deep(levels: usize, innermost: PropertyKind) -> PropertyTypeBuf {
    (0..levels).fold(PropertyTypeBuf::of(innermost), |inner, level| match level % 3 {
        0 => PropertyTypeBuf::array(inner),
        1 => PropertyTypeBuf::map(inner, PropertyTypeBuf::of(PropertyKind::Int)),
        _ => PropertyTypeBuf::map(PropertyTypeBuf::structure("Item", "/Script/Game"), inner),
    })
}

fn hash(of: &PropertyTypeBuf) -> u64 {
    let mut hasher = DefaultHasher::new();
    of.hash(&mut hasher);
    hasher.finish()
}

#[test]
fn deep_type_is_dropped_copied_and_compared() {
    on_small_stack(|| {
        let of = deep(LEVELS, PropertyKind::Int);
        assert!(of.clone() == of);
        assert!(of != deep(LEVELS, PropertyKind::Float));
        assert!(of != deep(LEVELS + 1, PropertyKind::Int));
        assert_eq!(hash(&of), hash(&of.clone()));
        let all = HashSet::from([of, deep(LEVELS, PropertyKind::Float)]);
        assert!(all.contains(&deep(LEVELS, PropertyKind::Int)));
    });
}

#[test]
fn deep_type_is_printed() {
    on_small_stack(|| {
        let of = (0..LEVELS)
            .fold(PropertyTypeBuf::of(PropertyKind::Int), |inner, _| PropertyTypeBuf::array(inner));
        let printed = of.to_string();
        let text = format!("{}IntProperty{}", "ArrayProperty(".repeat(LEVELS), ")".repeat(LEVELS));
        assert!(printed == text);
        assert!(format!("{of:?}") == format!("PropertyTypeBuf({text})"));
    });
}

#[test]
fn deep_type_is_refused_when_written() {
    on_small_stack(|| {
        let sample = fs::read("corpus/unreal/gvas-ue4.27-Slot1.sav").unwrap();
        let save = Save::open(&sample).unwrap();
        let mut bytes = Vec::new();
        let mut list = PropertyWriter::new(&mut bytes, &save.properties());
        let tag = TagBuf::in_save("Deep", &deep(LEVELS, PropertyKind::Int));
        for error in [
            list.bytes(&tag, &[0; 4]).unwrap_err(),
            list.container(&tag.clone()).map(drop).unwrap_err(),
        ] {
            assert_eq!(*error.kind(), ErrorKind::DoesNotFit);
        }
        list.finish().unwrap();
        assert_eq!(bytes, b"\x05\0\0\0None\0");
    });
}

/// Two types are different if they print the same names in the same order, but nest them
/// differently.
#[test]
fn types_with_the_same_names_differ() {
    let int = || PropertyTypeBuf::of(PropertyKind::Int);
    let types = [
        int(),
        PropertyTypeBuf::new("A"),
        PropertyTypeBuf::new("A").with(int()),
        PropertyTypeBuf::new("A").with(int()).with(int()),
        PropertyTypeBuf::new("A").with(int().with(int())),
        PropertyTypeBuf::new("A").with(int().with(int())).with(int()),
        PropertyTypeBuf::new("A").with(int()).with(int().with(int())),
    ];
    let printed = [
        "IntProperty",
        "A",
        "A(IntProperty)",
        "A(IntProperty,IntProperty)",
        "A(IntProperty(IntProperty))",
        "A(IntProperty(IntProperty),IntProperty)",
        "A(IntProperty,IntProperty(IntProperty))",
    ];
    for (index, (of, printed)) in types.iter().zip(printed).enumerate() {
        assert_eq!(of.to_string(), printed);
        for (other_index, other) in types.iter().enumerate() {
            assert_eq!(of == other, index == other_index, "{of}, {other}");
            assert_eq!(of.clone() == *other, index == other_index, "{of}, {other}");
            assert_eq!(hash(of) == hash(other), index == other_index, "{of}, {other}");
        }
    }
}
