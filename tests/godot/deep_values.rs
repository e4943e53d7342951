//! Owned values that are built by hand and are far deeper than any engine accepts. On a small
//! stack, every operation on them either works or returns an error, even in an unoptimised build.

use crate::support::small_stack::on_small_stack;
use gamewire::godot::{
    Array, Dialect, Dictionary, ErrorKind, Kind, Object, Reader, TypeRef, Variant, Writer,
};

const LEVELS: usize = 100_000;

/// Returns `innermost` inside `levels` nested containers: arrays, dictionaries with the next level
/// as a key or as a value, and objects.
fn deep(levels: usize, innermost: impl Into<Variant>) -> Variant {
    (0..levels).fold(innermost.into(), |inner, level| match level % 5 {
        0 => Array::from_iter([Variant::from(1), inner]).into(),
        1 => Dictionary::from_iter([("value", inner), ("other", 2.into())]).into(),
        2 => Dictionary::from_iter([(inner, "key")]).into(),
        3 => {
            let mut object = Object::new("Node");
            object.properties.push((b"property".to_vec(), inner));
            object.into()
        }
        _ => {
            let pair = (Variant::from(vec![3.into()]), inner);
            Array::from_iter([Variant::from(Dictionary::from_iter([pair])), Variant::NIL]).into()
        }
    })
}

fn arrays(levels: usize) -> Variant {
    (0..levels).fold(Variant::from(5), |inner, _| vec![inner].into())
}

#[test]
fn deep_value_is_dropped() {
    on_small_stack(|| {
        let Variant::Array(mut array) = arrays(LEVELS) else { unreachable!() };
        array.items.push(deep(LEVELS, 5));
        array.items.push(6.into());
        array.items.push(arrays(LEVELS));
        drop(array);
        drop(deep(LEVELS, 5));
    });
}

#[test]
fn deep_value_is_cloned() {
    on_small_stack(|| {
        let value = deep(LEVELS, 5);
        let mut clone = value.clone();
        assert!(clone == value);
        clone.as_array_mut().unwrap().items.push(7.into());
        assert!(clone != value);
        let Variant::Array(array) = arrays(LEVELS) else { unreachable!() };
        assert!(array.clone() == array);
    });
}

#[test]
fn deep_values_are_compared() {
    on_small_stack(|| {
        let value = deep(LEVELS, 5);
        assert!(value == deep(LEVELS, 5));
        assert!(value != deep(LEVELS, 6));
        assert!(arrays(LEVELS) != arrays(LEVELS + 1));
        assert!(arrays(LEVELS + 1) != arrays(LEVELS));
        let mut dictionary = Dictionary::from_iter([(arrays(LEVELS), 1)]);
        assert_eq!(dictionary.get_by(&arrays(LEVELS)), Some(&1.into()));
        assert_eq!(dictionary.insert(arrays(LEVELS), 2), Some(1.into()));
    });
}

#[test]
fn types_classes_and_names_of_nested_containers_are_compared() {
    let outer = |inner: Variant| Variant::from(vec![1.into(), inner, 2.into()]);
    let mut typed = Array::from_iter([1]);
    typed.set_element_type(TypeRef::Builtin(Kind::Int));
    let mut typed_pairs = Dictionary::from_iter([(1, 2)]);
    typed_pairs.set_types(TypeRef::Untyped, TypeRef::Builtin(Kind::Int));
    let object = |class: &str, name: &str| {
        let mut object = Object::new(class);
        object.properties.push((name.into(), 5.into()));
        outer(object.into())
    };
    let all = [
        outer(1.into()),
        outer(vec![1.into()].into()),
        outer(typed.into()),
        outer(Array::new().into()),
        outer(vec![1.into(), 2.into()].into()),
        outer(Dictionary::new().into()),
        outer(Dictionary::from_iter([(1, 2)]).into()),
        outer(typed_pairs.into()),
        outer(Object::new("A").into()),
        object("A", "a"),
        object("A", "b"),
        object("B", "a"),
    ];
    for (index, value) in all.iter().enumerate() {
        for (other_index, other) in all.iter().enumerate() {
            assert_eq!(value == other, index == other_index, "{value:?}, {other:?}");
            assert_eq!(value.clone() == *other, index == other_index, "{value:?}, {other:?}");
        }
    }
}

#[test]
fn deep_value_is_refused_when_written() {
    on_small_stack(|| {
        let too_deep = ErrorKind::TooDeep { limit: 1024 };
        for value in [deep(LEVELS, 5), arrays(LEVELS), arrays(1025)] {
            assert_eq!(*value.to_bytes(Dialect::Godot4).unwrap_err().kind(), too_deep);
            assert!(value.to_bytes(Dialect::Godot2).is_err());
            let mut writer = Writer::new(Vec::new(), Dialect::Godot4);
            assert_eq!(*writer.put(&value).unwrap_err().kind(), too_deep);
            assert!(writer.into_sink().is_empty());
            assert_eq!(*Variant::new(&value, Dialect::Godot4).unwrap_err().kind(), too_deep);
        }
    });
}

/// The depth limits of writers and readers are the same.
#[test]
fn deepest_value_that_can_be_written() {
    on_small_stack(|| {
        let empty =
            |levels| (0..levels).fold(Variant::from(vec![]), |inner, _| Variant::from(vec![inner]));
        for value in [arrays(1024), empty(1024), deep(850, 5)] {
            let bytes = value.to_bytes(Dialect::Godot4).unwrap();
            let read = Reader::new(&bytes, Dialect::Godot4).read_encoded().unwrap();
            assert!(read.to_variant().unwrap() == value);
        }
        assert!(arrays(1025).to_bytes(Dialect::Godot4).is_err());
        assert!(empty(1025).to_bytes(Dialect::Godot4).is_err());
    });
}

#[test]
fn deep_value_is_printed_in_part() {
    on_small_stack(|| {
        for value in [deep(LEVELS, 5), arrays(LEVELS)] {
            let printed = format!("{value:?}");
            assert!(printed.contains('…'), "{printed}");
            assert!(printed.len() < 10_000);
            // No dialect can represent the value, so its `Display` output is its `Debug` output.
            assert_eq!(value.to_string(), printed);
            assert!(format!("{value:#?}").contains('…'));
        }
        let printed = format!("{:?}", arrays(LEVELS));
        assert_eq!(printed, format!("{}…{}", "[".repeat(100), "]".repeat(100)));
        assert_eq!(
            format!("{:?}", arrays(100)),
            format!("{}Int 5{}", "[".repeat(100), "]".repeat(100))
        );
        let Variant::Array(array) = arrays(LEVELS) else { unreachable!() };
        assert!(format!("{array:?}").contains('…'));
        let mut object = Object::new("Node");
        object.properties.push((b"hp".to_vec(), Variant::from(vec![5.into()])));
        let printed = r#"Object { class: "Node", properties: {"hp": [Int 5]} }"#;
        assert_eq!(format!("{object:?}"), printed);
        assert_eq!(format!("{:?}", Variant::from(object)), printed);
        let objects = |levels| {
            (0..levels).fold(Variant::from(5), |inner, _| {
                let mut object = Object::new("Node");
                object.properties.push((b"inner".to_vec(), inner));
                Variant::from(object)
            })
        };
        let printed = format!("{:?}", objects(LEVELS));
        assert_eq!(printed.matches("Node").count(), 100);
        let Variant::Object(object) = objects(LEVELS) else { unreachable!() };
        assert_eq!(format!("{object:?}"), printed);
        assert!(format!("{object:#?}").contains('…'));
    });
}

#[test]
fn paths_descend_into_a_deep_value() {
    on_small_stack(|| {
        let mut value = arrays(LEVELS);
        let path = vec!["0"; LEVELS].join("/");
        assert_eq!(value.at(&path), Some(&5.into()));
        *value.at_mut(&path).unwrap() = 6.into();
        assert_eq!(value.at(&path), Some(&6.into()));
    });
}

#[test]
fn items_are_taken_out_of_a_container() {
    let mut object = Object::new("Node");
    object.properties.push((b"hp".to_vec(), 5.into()));
    let properties: Vec<_> = object.into_iter().collect();
    assert_eq!(properties, [(b"hp".to_vec(), Variant::from(5))]);
    let pairs: Vec<_> = Dictionary::from_iter([(1, 2)]).into_iter().collect();
    assert_eq!(pairs, [(1.into(), 2.into())]);
    let items: Vec<_> = Array::from_iter([1, 2]).into_iter().collect();
    assert_eq!(items, [1.into(), 2.into()]);
}

#[cfg(feature = "serde")]
mod serde {
    use super::{LEVELS, arrays, deep};
    use crate::support::small_stack::on_small_stack;
    use gamewire::godot::{Dialect, Variant, to_vec, to_vec_for};
    use serde::de::value::{Error, SeqDeserializer};
    use serde::de::{Deserialize, Deserializer, IntoDeserializer, Visitor};
    use serde::forward_to_deserialize_any;

    #[test]
    fn deep_value_is_refused_when_serialized() {
        on_small_stack(|| {
            for value in [deep(LEVELS, 5), arrays(LEVELS)] {
                let error = serde_json::to_string(&value).unwrap_err();
                assert!(error.to_string().contains("1024"), "{error}");
                assert!(to_vec(&value).is_err());
                assert!(to_vec_for(&value, Dialect::Godot3).is_err());
            }
        });
    }

    /// A deserializer of a format without its own depth limit. The content is an int inside this
    /// many nested arrays.
    struct Nested(usize);

    impl<'de> Deserializer<'de> for Nested {
        type Error = Error;

        fn deserialize_any<V: Visitor<'de>>(self, visitor: V) -> Result<V::Value, Error> {
            match self.0.checked_sub(1) {
                None => visitor.visit_i64(5),
                Some(levels) => visitor.visit_seq(SeqDeserializer::new([Self(levels)].into_iter())),
            }
        }

        fn deserialize_option<V: Visitor<'de>>(self, visitor: V) -> Result<V::Value, Error> {
            self.deserialize_any(visitor)
        }

        forward_to_deserialize_any! {
            bool i8 i16 i32 i64 i128 u8 u16 u32 u64 u128 f32 f64 char str string bytes byte_buf
            unit unit_struct newtype_struct seq tuple tuple_struct map struct enum identifier
            ignored_any
        }
    }

    impl IntoDeserializer<'_, Error> for Nested {
        type Deserializer = Self;

        fn into_deserializer(self) -> Self {
            self
        }
    }

    /// Deserializing recurses through `Nested` up to the limit, so this test uses the normal stack
    /// of its thread.
    #[test]
    fn deep_value_is_refused_when_deserialized() {
        assert!(Variant::deserialize(Nested(1024)).unwrap() == arrays(1024));
        for levels in [1025, LEVELS] {
            let error = Variant::deserialize(Nested(levels)).unwrap_err();
            assert!(error.to_string().contains("more than 1024 nested containers"), "{error}");
        }
    }
}
