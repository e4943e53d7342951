//! Documents of structs that have several forms, or whose types the file does not state.

use crate::documents::written;
use crate::support::unreal::saves::{Bytes, UE4_27};
use gamewire::unreal::{PropertyKind, PropertyTypeBuf, Save, StructHint};
use serde_json::{Value, json};

fn engine(name: &'static str) -> PropertyTypeBuf {
    PropertyTypeBuf::structure(name, "/Script/CoreUObject")
}

fn document(file: &[u8], hints: &[StructHint<'_>]) -> Value {
    serde_json::to_value(Save::open(file).unwrap().with_hints(hints)).unwrap()
}

/// Checks that writing the document of a file gives the same file, and that the member at `pointer`
/// in the first value can be changed. Returns the changed file.
fn changed(file: &[u8], hints: &[StructHint<'_>], pointer: &str, new: Value) -> Vec<u8> {
    let mut document = document(file, hints);
    assert!(written(&document.to_string()).unwrap() == file, "{document}");
    let pointer = format!("/properties/0/value{pointer}");
    let value = document.pointer_mut(&pointer).unwrap_or_else(|| panic!("{pointer}"));
    *value = new.clone();
    let changed = written(&document.to_string()).unwrap();
    let again = self::document(&changed, hints);
    assert_eq!(again.pointer(&pointer), Some(&new), "{again}");
    assert_eq!(again["properties"][0].get("inferred"), document["properties"][0].get("inferred"));
    changed
}

/// The constant of a material input consists of floats or, in the second form, of doubles. The
/// values in a document look the same in both forms. For the second form, the document also
/// contains the stored bytes.
#[test]
fn second_forms() {
    let head = || {
        let head = Bytes::default().i32(0).i32(0).i32(1).i32(1).i32(1).i32(1).i32(0);
        head.text("Add_1").truth(true)
    };
    let narrow = head().f32(0.5).f32(1.5).f32(-2.0);
    let wide = head().f64(0.5).f64(1.5).f64(-2.0);
    for value in [&narrow, &wide] {
        let file = UE4_27.file(&engine("VectorMaterialInput"), &value.0);
        let new = changed(&file, &[], "/constant/y", json!(0.25));
        assert_eq!(new.len(), file.len());
        let array = PropertyTypeBuf::set(engine("VectorMaterialInput"));
        let value = Bytes::default().i32(0).i32(1).bytes(&value.0);
        let hints = [StructHint { property: "A", key: None, value: Some("VectorMaterialInput") }];
        let file = UE4_27.file(&array, &value.0);
        let new = changed(&file, &hints, "/values/0/constant/y", json!(0.25));
        assert_eq!(new.len(), file.len());
    }
}

/// A `GameplayTagContainer` is a list of names in one form, and a list of properties in the other.
#[test]
fn lists_in_the_place_of_names() {
    let names = Bytes::default().i32(2).text("One").text("Two");
    let file = UE4_27.file(&engine("GameplayTagContainer"), &names.0);
    changed(&file, &[], "/1", json!("Three"));
    changed(&file, &[], "", json!([]));
    let list = Bytes::default().text("Count").text("IntProperty").i32(4).i32(0).bytes(&[0]);
    let list = list.i32(7).text("None");
    let file = UE4_27.file(&engine("GameplayTagContainer"), &list.0);
    changed(&file, &[], "/0/value", json!(8));
}

/// The types of structs in a map are inferred or given by a hint. Documents keep them.
#[test]
fn structs_without_a_name() {
    let guid = |first| Bytes::default().i32(first).i32(0x1234_5678).i32(-0x0765_4321).i32(99_999);
    let of = PropertyTypeBuf::map(engine("Own"), PropertyTypeBuf::of(PropertyKind::Float));
    // A NaN with a payload is kept in `stored`.
    let map = |number: u32| {
        let map = Bytes::default().i32(0).i32(2).bytes(&guid(-77_777_777).0).f32(1.5);
        map.bytes(&guid(0x7ABC_DEF0).0).f32(f32::from_bits(number))
    };
    for number in [0x3F80_0000, 0x7FC0_1234] {
        let file = UE4_27.file(&of, &map(number).0);
        let hints = [StructHint { property: ".A", key: Some("Guid"), value: None }];
        for hints in [&[][..], &hints] {
            let key = json!("89ABCDEF123456780F0F0F0F76543210");
            changed(&file, hints, "/entries/0/key", key);
            changed(&file, hints, "/entries/0/value", json!(2.5));
        }
    }
}
