//! Tests structs whose fields have no tags: fields of every width with the smallest and largest
//! values, and the layout of the structs in different versions.

use crate::support::unreal::saves::{In, UE4_27, first, structure, written};
use gamewire::unreal::properties::NativeValue;
use gamewire::unreal::{Guid, PropertyKind, PropertyTypeBuf, PropertyValue, TagBuf};
use serde_json::json;

/// Writes a struct with these fields. Returns its bytes, or `None` if the fields do not fit.
fn fields(versions: In, name: &'static str, values: &[NativeValue<'_>]) -> Option<Vec<u8>> {
    let mut fits = false;
    let file = written(versions, |list| {
        fits = list.native(&structure(name), values).is_ok();
        list.value(
            &TagBuf::in_save("B", &PropertyTypeBuf::of(PropertyKind::Int)),
            &PropertyValue::Int(0),
        )
        .unwrap();
    });
    // If the values do not fit, nothing of property `A` is written, so the first property is `B`.
    first(&file, |tag| {
        assert_eq!(tag.name() == *"A", fits, "{name}");
        fits.then(|| tag.bytes().to_vec())
    })
}

/// Fields of each kind accept values up to their limits, and reject values beyond these limits.
#[test]
fn fields_at_their_limits() {
    use NativeValue::{Bool, Double, Float, Int, UInt};
    let guid = NativeValue::Guid(Guid([1, 2, 3, 4]));
    let le = |values: &[u64], size: usize| {
        values.iter().flat_map(|value| value.to_le_bytes()[..size].to_vec()).collect::<Vec<_>>()
    };
    let (most, least) = (i64::MAX, i64::MIN);
    let some = |name: &'static str, values: &[NativeValue<'_>], bytes: Vec<u8>| {
        assert_eq!(fields(In::ue5(1012), name, values), Some(bytes), "{name} {values:?}");
    };
    let none = |name: &'static str, values: &[NativeValue<'_>]| {
        assert_eq!(fields(In::ue5(1012), name, values), None, "{name} {values:?}");
    };
    some("IntPoint", &[Int(-1), UInt(5)], le(&[u64::MAX, 5], 4));
    none("IntPoint", &[Int(1 << 31), Int(0)]);
    none("IntPoint", &[Int(0), UInt(1 << 31)]);
    none("IntPoint", &[Int(0), Double(0.0)]);
    none("IntPoint", &[Int(0), Bool(true)]);
    some("UintVector2", &[UInt(u32::MAX.into()), Int(5)], le(&[u32::MAX.into(), 5], 4));
    none("UintVector2", &[UInt(1 << 32), Int(5)]);
    none("UintVector2", &[UInt(0), Int(-1)]);
    some("Int64Vector2", &[Int(least), UInt(1)], le(&[1 << 63, 1], 8));
    none("Int64Vector2", &[Int(0), UInt(1 << 63)]);
    some("Uint64Vector2", &[UInt(u64::MAX), Int(most)], le(&[u64::MAX, u64::MAX >> 1], 8));
    none("Uint64Vector2", &[UInt(0), Int(-1)]);
    none("Uint64Vector2", &[UInt(0)]);
    let reals = le(&[1.5f64.to_bits(), (-0.5f64).to_bits()], 8);
    some("Vector2D", &[Float(1.5), Double(-0.5)], reals.clone());
    some("Vector2d", &[Float(1.5), Double(-0.5)], reals.clone());
    none("Vector2d", &[Int(1), Double(-0.5)]);
    let singles = le(&[1.5f32.to_bits().into(), (0.1f32).to_bits().into()], 4);
    some("Vector2f", &[Float(1.5), Double(0.1)], singles.clone());
    none("Vector2f", &[Float(1.5), guid]);
    // The channels of a colour are the bytes blue, green, red and alpha.
    some("Color", &[Int(1), UInt(2), UInt(255), Bool(true)], vec![255, 2, 1, 1]);
    none("Color", &[Int(1), Int(2), Int(-1), Int(4)]);
    none("Color", &[UInt(256), Int(2), Int(3), Int(4)]);
    none("Color", &[Int(1), Int(2), Int(3), Double(4.0)]);
    none("Color", &[Int(1), Int(2), Int(3)]);
    some("Guid", &[guid], le(&[1, 2, 3, 4], 4));
    none("Guid", &[Int(1)]);
    none("Guid", &[]);
    none("Guid", &[guid, guid]);
    some("DateTime", &[Int(least)], le(&[1 << 63], 8));
    none("DateTime", &[Double(0.0)]);
    some("FrameNumber", &[Int(-1)], le(&[u64::MAX], 4));
    none("FrameNumber", &[Int(1 << 31)]);
    some("MovieSceneSequenceID", &[UInt(7)], le(&[7], 4));
    none("MovieSceneSequenceID", &[Int(-7)]);
    let range = [1, 4, 0, 0, 0, 0, 5, 0, 0, 0];
    some("MovieSceneFrameRange", &[Int(1), Int(4), Bool(false), UInt(5)], range.to_vec());
    none("MovieSceneFrameRange", &[Int(1), Int(4), Bool(false)]);
    none("SoftObjectPath", &[Int(1)]);
    // Before 5.0, reals were single-precision.
    let narrow = fields(In::ue4(522), "Vector2D", &[Float(1.5), Double(0.1)]);
    assert_eq!(narrow, Some(singles));
}

/// A group of fields that was read can be written like a single field.
#[test]
fn groups_as_they_were_read() {
    let corners = [1.0, 2.0, 3.0, 4.0].map(NativeValue::Double);
    let values = [&corners[..], &[NativeValue::Bool(true)]].concat();
    let file = written(In::ue5(1012), |list| list.native(&structure("Box2D"), &values).unwrap());
    first(&file, |tag| {
        let PropertyValue::Native(native, all) = tag.value() else { panic!("{:?}", tag.value()) };
        assert_eq!(native.name, "Box2D");
        let values: Vec<_> = all.map(|(_, value)| value).collect();
        let names: Vec<_> = all.map(|(name, _)| name).collect();
        assert_eq!(names, ["min", "max", "valid"]);
        assert_eq!(fields(In::ue5(1012), "Box2D", &values).as_deref(), Some(tag.bytes()));
        // If the width of the fields differs, the fields of a group are written one by one.
        let narrow = fields(In::ue4(522), "Box2D", &values).unwrap();
        let expected: Vec<u8> =
            [1.0f32, 2.0, 3.0, 4.0].into_iter().flat_map(f32::to_le_bytes).chain([1]).collect();
        assert_eq!(narrow, expected);
        let [NativeValue::Group(min), NativeValue::Group(max), _] = values[..] else { panic!() };
        assert!(min == min && min != max);
        // Neither a group with too few fields nor a group in place of a single field fits.
        assert_eq!(fields(In::ue5(1012), "Box", &values), None);
        assert_eq!(fields(In::ue5(1012), "Vector2D", &values[..1]), None);
    });
}

/// A struct that was read in one version can be written in a different version.
#[test]
fn structs_of_other_versions() {
    let put = |versions: In, name: &'static str, value: &PropertyValue<'_>| {
        let mut fits = false;
        let file = written(versions, |list| {
            fits = list.value(&structure(name), value).is_ok();
            list.value(
                &TagBuf::in_save("B", &PropertyTypeBuf::of(PropertyKind::Int)),
                &PropertyValue::Int(0),
            )
            .unwrap();
        });
        first(&file, |tag| fits.then(|| tag.bytes().to_vec()))
    };
    let vector = [1.0f32, 2.0, 3.0].map(NativeValue::Float);
    let file = written(UE4_27, |list| list.native(&structure("Vector"), &vector).unwrap());
    first(&file, |tag| {
        let value = tag.value();
        let wide: Vec<u8> = [1.0f64, 2.0, 3.0].into_iter().flat_map(f64::to_le_bytes).collect();
        assert_eq!(put(In::ue5(1004), "Vector", &value), Some(wide));
        assert_eq!(put(In::ue4(500), "Vector", &value).as_deref(), Some(tag.bytes()));
        assert_eq!(put(In::ue5(1004), "Rotator", &value), None);
        assert_eq!(put(UE4_27, "Struct", &value), None);
        // A struct cannot be written if some of its fields have already been read.
        let PropertyValue::Native(native, mut fields) = value else { panic!("{value:?}") };
        fields.next();
        assert_eq!(put(In::ue5(1004), "Vector", &PropertyValue::Native(native, fields)), None);
        assert_eq!(put(UE4_27, "Vector", &PropertyValue::Native(native, fields)), None);
    });
    // A struct of one field is read as the value of this field.
    for (name, value, size) in [
        ("DateTime", PropertyValue::Int(-5), 8),
        ("Timespan", PropertyValue::Int(i64::MAX), 8),
        ("FrameNumber", PropertyValue::Int(-5), 4),
        ("MovieSceneSequenceID", PropertyValue::UInt(5), 4),
        ("NavAgentSelector", PropertyValue::UInt(u32::MAX.into()), 4),
        ("Guid", PropertyValue::Guid(Guid([9; 4])), 16),
    ] {
        let bytes = put(UE4_27, name, &value).unwrap();
        assert_eq!(bytes.len(), size, "{name}");
        let file = written(UE4_27, |list| list.value(&structure(name), &value).unwrap());
        first(&file, |tag| {
            assert_eq!(format!("{:?}", tag.value()), format!("{value:?}"), "{name}");
        });
    }
    assert_eq!(put(UE4_27, "FrameNumber", &PropertyValue::Int(1 << 31)), None);
    assert_eq!(put(UE4_27, "NavAgentSelector", &PropertyValue::UInt(1 << 32)), None);
    assert_eq!(put(UE4_27, "Guid", &PropertyValue::Int(1)), None);
    assert_eq!(put(UE4_27, "Vector", &PropertyValue::Int(1)), None);
}

/// Fields of every width are serialized.
#[test]
fn fields_in_documents() {
    use NativeValue::{Double, Float, Int, UInt};
    for (name, values, expected) in [
        ("Vector2D", [Double(0.1), Float(-2.0)], json!({ "x": f64::from(0.1f32), "y": -2.0 })),
        ("Vector2f", [Float(0.5), Double(f64::NAN)], json!({ "x": 0.5, "y": "NaN" })),
        ("IntPoint", [Int(-1), Int(5)], json!({ "x": -1, "y": 5 })),
        ("Int64Vector2", [Int(i64::MIN), Int(5)], json!({ "x": i64::MIN, "y": 5 })),
        ("UintVector2", [UInt(u32::MAX.into()), UInt(5)], json!({ "x": u32::MAX, "y": 5 })),
        ("Uint64Vector2", [UInt(u64::MAX), UInt(5)], json!({ "x": u64::MAX, "y": 5 })),
    ] {
        let file = written(UE4_27, |list| list.native(&structure(name), &values).unwrap());
        first(&file, |tag| {
            assert_eq!(serde_json::to_value(tag).unwrap()["value"], expected, "{name}");
            let PropertyValue::Native(native, _) = tag.value() else { panic!("{:?}", tag.value()) };
            assert_eq!(native.name, name);
        });
    }
}
