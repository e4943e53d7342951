//! Tests serde's data model: sequences and maps, size hints, human readability, and recursion
//! limits.

use gamewire::godot::serde::{Deserializer, Error};
use gamewire::godot::{
    Array, Dialect, Dictionary, ErrorKind, F32, Object, ObjectId, Packed, Reader, ToVariant,
    Variant, Vector2, Vector3, from_bytes, to_vec,
};
use serde::Deserialize;
use serde::de::{self, IgnoredAny, MapAccess, SeqAccess, Visitor};
use std::cell::{Cell, RefCell};
use std::fmt;
use std::marker::PhantomData;
use std::net::Ipv4Addr;

fn put(value: impl ToVariant) -> Vec<u8> {
    Variant::new(value, Dialect::Godot4).unwrap().to_bytes(Dialect::Godot4).unwrap()
}

fn pairs<const N: usize>(pairs: [(&str, i32); N]) -> Vec<u8> {
    put(&Variant::from(Dictionary::from_iter(pairs)))
}

/// The size hints that were read before each item and after the last one.
#[derive(Debug, PartialEq)]
struct Hints(Vec<Option<usize>>);

struct HintsVisitor;

impl<'de> Visitor<'de> for HintsVisitor {
    type Value = Hints;

    fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("items")
    }

    fn visit_seq<A: SeqAccess<'de>>(self, mut seq: A) -> Result<Hints, A::Error> {
        let mut hints = vec![seq.size_hint()];
        while seq.next_element::<IgnoredAny>()?.is_some() {
            hints.push(seq.size_hint());
        }
        Ok(Hints(hints))
    }

    fn visit_map<A: MapAccess<'de>>(self, mut map: A) -> Result<Hints, A::Error> {
        let mut hints = vec![map.size_hint()];
        while map.next_entry::<IgnoredAny, IgnoredAny>()?.is_some() {
            hints.push(map.size_hint());
        }
        Ok(Hints(hints))
    }
}

impl<'de> Deserialize<'de> for Hints {
    fn deserialize<D: de::Deserializer<'de>>(from: D) -> Result<Self, D::Error> {
        from.deserialize_any(HintsVisitor)
    }
}

#[test]
fn size_hints_are_exact() {
    let mut object = Object::new("Node");
    object.properties.extend([(b"a".to_vec(), 1.into()), (b"b".to_vec(), 2.into())]);
    let point = Vector2 { x: 1.0_f32, y: 2.0 };
    let signal = gamewire::godot::Signal { name: "hit".into(), object: 7 };
    for packet in [
        put(&Variant::from(Array::from_iter(["x", "y"]))),
        pairs([("a", 1), ("b", 2)]),
        put(&Variant::from(object)),
        put(&[1_u8, 2][..]),
        put(&[1_i64, 2][..]),
        put(&[point, point][..]),
        put(&["x", "y"][..]),
        put(point),
        put(signal),
    ] {
        let hints: Hints = from_bytes(&packet).unwrap();
        assert_eq!(hints.0, [Some(2), Some(1), Some(0)], "{packet:?}");
    }
    // The hints for an element of a packed array are exact as well.
    let hints: [Hints; 1] =
        from_bytes(&put(&[Vector3 { x: 1.0_f32, y: 2.0, z: 3.0 }][..])).unwrap();
    assert_eq!(hints[0].0, [Some(3), Some(2), Some(1), Some(0)]);
}

thread_local! {
    /// The `visit` methods that were called so far: "in order" stands for `visit_seq`, and "by
    /// name" for `visit_map`.
    static CALLS: RefCell<Vec<&'static str>> = const { RefCell::new(Vec::new()) };
}

const ABC: &[&str] = &["a", "b", "c"];

/// A visitor for a struct with up to three fields. It reads the first `taken` items of a sequence,
/// and records which of its methods was called.
struct FieldsVisitor {
    fields: usize,
    taken: usize,
    seed: bool,
}

impl<'de> Visitor<'de> for FieldsVisitor {
    type Value = ();

    fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("fields")
    }

    fn visit_seq<A: SeqAccess<'de>>(self, mut seq: A) -> Result<(), A::Error> {
        CALLS.with_borrow_mut(|calls| calls.push("in order"));
        for expected in 1..=self.taken {
            let item = match self.seed {
                true => seq.next_element_seed(PhantomData::<usize>)?,
                false => seq.next_element::<usize>()?,
            };
            if item != Some(expected) {
                return Err(de::Error::custom("another item"));
            }
        }
        Ok(())
    }

    fn visit_map<A: MapAccess<'de>>(self, mut map: A) -> Result<(), A::Error> {
        CALLS.with_borrow_mut(|calls| calls.push("by name"));
        while map.next_entry::<&str, usize>()?.is_some() {}
        Ok(())
    }
}

struct Requests<const FIELDS: usize, const TAKEN: usize, const SEED: bool>;

impl<'de, const FIELDS: usize, const TAKEN: usize, const SEED: bool> Deserialize<'de>
    for Requests<FIELDS, TAKEN, SEED>
{
    fn deserialize<D: de::Deserializer<'de>>(from: D) -> Result<Self, D::Error> {
        let visitor = FieldsVisitor { fields: FIELDS, taken: TAKEN, seed: SEED };
        from.deserialize_struct("Requests", &ABC[..visitor.fields], visitor).map(|()| Self)
    }
}

#[track_caller]
fn calls<const FIELDS: usize, const TAKEN: usize, const SEED: bool>(
    packet: &[u8],
) -> Vec<&'static str> {
    from_bytes::<Requests<FIELDS, TAKEN, SEED>>(packet).map(|_| ()).unwrap();
    CALLS.take()
}

/// The deserializer first calls `visit_seq` if the pairs could be in the order of the fields. This
/// saves the comparison of names. If a pair does not belong to the next field, or the visitor
/// leaves items unread, the deserializer starts again with `visit_map`.
#[test]
fn fields_are_read_in_order_first() {
    let [one, two] = [pairs([("a", 1)]), pairs([("a", 1), ("b", 2)])];
    for seeded in [calls::<2, 2, true>(&two), calls::<2, 2, false>(&two), calls::<1, 1, true>(&one)]
    {
        assert_eq!(seeded, ["in order"]);
    }
    let turned = pairs([("b", 2), ("a", 1)]);
    assert_eq!(calls::<2, 2, true>(&turned), ["in order", "by name"]);
    assert_eq!(calls::<2, 2, false>(&turned), ["in order", "by name"]);
    assert_eq!(calls::<2, 1, true>(&two), ["in order", "by name"]);
    assert_eq!(calls::<2, 0, false>(&two), ["in order", "by name"]);
    // With more or fewer pairs than fields, `visit_seq` is not called.
    assert_eq!(calls::<3, 2, true>(&two), ["by name"]);
    assert_eq!(calls::<1, 1, true>(&two), ["by name"]);
    assert_eq!(calls::<0, 0, true>(&pairs([])), ["by name"]);
    // In a tuple of structs, `visit_seq` is called first for each struct.
    let packet = [&b"\x1c\0\0\0\x02\0\0\0"[..], &two, &one].concat();
    from_bytes::<(Requests<2, 2, true>, Requests<1, 1, true>)>(&packet).unwrap();
    assert_eq!(CALLS.take(), ["in order", "in order"]);
}

#[derive(Deserialize)]
struct Chain {
    next: Option<Box<Chain>>,
}

/// The limit for nested options and newtypes applies to each value separately. It does not limit
/// the number of options on the path to a value.
#[test]
fn options_in_nested_structs_are_not_limited() {
    let link = b"\x1b\0\0\0\x01\0\0\0\x04\0\0\0\x04\0\0\0next";
    let packet = [&link.repeat(100)[..], &[0; 4]].concat();
    let (mut chain, mut len) = (&from_bytes::<Chain>(&packet).unwrap(), 1);
    while let Some(next) = &chain.next {
        (chain, len) = (next, len + 1);
    }
    assert_eq!(len, 100);
}

/// A type whose visitor requests the same type again, without reading anything.
struct Endless<const NEWTYPE: bool>;

thread_local!(static REQUESTS: Cell<u32> = const { Cell::new(0) });

impl<'de, const NEWTYPE: bool> Visitor<'de> for Endless<NEWTYPE> {
    type Value = Self;

    fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("itself")
    }

    fn visit_some<D: de::Deserializer<'de>>(self, from: D) -> Result<Self, D::Error> {
        Self::deserialize(from)
    }

    fn visit_newtype_struct<D: de::Deserializer<'de>>(self, from: D) -> Result<Self, D::Error> {
        Self::deserialize(from)
    }
}

impl<'de, const NEWTYPE: bool> Deserialize<'de> for Endless<NEWTYPE> {
    fn deserialize<D: de::Deserializer<'de>>(from: D) -> Result<Self, D::Error> {
        REQUESTS.set(REQUESTS.get() + 1);
        if REQUESTS.get() > 1000 {
            return Err(de::Error::custom("requested without end"));
        }
        match NEWTYPE {
            true => from.deserialize_newtype_struct("Endless", Self),
            false => from.deserialize_option(Self),
        }
    }
}

#[test]
fn type_that_requests_itself_forever_is_rejected() {
    for error in [
        from_bytes::<Endless<true>>(&put(5)).map(|_| ()).unwrap_err(),
        from_bytes::<Endless<false>>(&put(5)).map(|_| ()).unwrap_err(),
    ] {
        assert!(matches!(error.kind(), Some(ErrorKind::TooDeep { .. })), "{error}");
    }
}

/// Every encoding of null deserializes as `None`, and everything else as `Some`.
#[test]
fn null_deserializes_as_none() {
    let wide_nil = b"\0\0\x01\0";
    for null in [&[0; 4][..], wide_nil, b"\x18\0\x01\0\0\0\0\0\0\0\0\0", b"\x18\0\0\0\0\0\0\0"] {
        assert_eq!(from_bytes::<Option<u64>>(null).unwrap(), None, "{null:?}");
        from_bytes::<()>(null).unwrap();
        let value: serde_json::Value = from_bytes(null).unwrap();
        assert!(value.is_null());
        let view = Reader::new(null, Dialect::Godot4).read().unwrap();
        assert_eq!(serde_json::to_string(&view).unwrap(), "null");
    }
    let object = put(ObjectId(7));
    assert_eq!(from_bytes::<Option<u64>>(&object).unwrap(), Some(7));
    assert_eq!(from_bytes::<Option<u64>>(&put(7)).unwrap(), Some(7));
    assert_eq!(from_bytes::<(Option<u8>, u8)>(&to_vec(&(None::<u8>, 5)).unwrap()).unwrap().1, 5);
}

/// A script without types sends an empty Array where a packed array is expected. The empty Array
/// deserializes as any packed array.
#[test]
fn empty_array_is_read_as_any_packed_array() {
    let none = put(&Variant::from(Array::new()));
    assert!(from_bytes::<Packed<&[F32]>>(&none).unwrap().0.is_empty());
    assert!(from_bytes::<Packed<Vec<Vector3<f32>>>>(&none).unwrap().0.is_empty());
    assert!(from_bytes::<&[u8]>(&none).unwrap().is_empty());
    let one = put(&Variant::from(Array::from_iter([1])));
    assert!(from_bytes::<Packed<&[F32]>>(&one).is_err());
}

/// Elements are rejected if the Rust type has a different number of components.
#[test]
fn elements_with_other_components_are_rejected() {
    let points = put(&[Vector2 { x: 1.0_f32, y: 2.0 }][..]);
    assert_eq!(from_bytes::<Vec<Vector2<f64>>>(&points).unwrap()[0].y, 2.0);
    let error = from_bytes::<Vec<Vector3<f32>>>(&points).unwrap_err().to_string();
    assert!(error.contains("too few components"), "{error}");
    let solid = put(&[Vector3 { x: 1.0_f32, y: 2.0, z: 3.0 }][..]);
    let error = from_bytes::<Vec<Vector2<f32>>>(&solid).unwrap_err().to_string();
    assert!(error.contains("too many components in an element of a packed array"), "{error}");
}

#[test]
fn deserializer_reports_remaining_bytes() {
    let bytes = [put(5), to_vec(&Ipv4Addr::LOCALHOST).unwrap(), put("x")].concat();
    let mut from = Deserializer::new(&bytes, Dialect::Godot4);
    assert!(!from.is_empty());
    assert_eq!(from.read::<i32>().unwrap(), 5);
    assert!(!from.is_empty());
    // The format is not human-readable, so an address is four bytes. This call uses the
    // deserializer directly.
    assert_eq!(Ipv4Addr::deserialize(&mut from).unwrap(), Ipv4Addr::LOCALHOST);
    assert!(!from.is_empty());
    assert_eq!(from.read::<&str>().unwrap(), "x");
    assert!(from.is_empty() && from.rest().is_empty());
}

/// A deserializer that always fails. The error contains the name of the newtype that was requested.
struct NameOf;

impl<'de> de::Deserializer<'de> for NameOf {
    type Error = Error;

    fn deserialize_any<V: Visitor<'de>>(self, _: V) -> Result<V::Value, Error> {
        Err(de::Error::custom("no newtype"))
    }

    fn deserialize_newtype_struct<V: Visitor<'de>>(
        self,
        name: &'static str,
        _: V,
    ) -> Result<V::Value, Error> {
        Err(de::Error::custom(name))
    }

    serde::forward_to_deserialize_any! {
        bool i8 i16 i32 i64 i128 u8 u16 u32 u64 u128 f32 f64 char str string bytes byte_buf option
        unit unit_struct seq tuple tuple_struct map struct enum identifier ignored_any
    }
}

fn name_of<T: for<'de> Deserialize<'de>>() -> String {
    T::deserialize(NameOf).err().unwrap().to_string()
}

/// The names of the newtypes are part of the public interface, because other formats may print or
/// match them.
#[test]
fn newtypes_are_selected_by_godot_names() {
    use gamewire::godot::{NodePath, Rid, StringName};

    for (name, wanted) in [
        (name_of::<StringName<String>>(), "StringName"),
        (name_of::<NodePath<String>>(), "NodePath"),
        (name_of::<Rid>(), "RID"),
        (name_of::<ObjectId>(), "Object"),
        (name_of::<Packed<Vec<i32>>>(), "PackedInt32Array"),
        (name_of::<Variant>(), "Variant"),
    ] {
        assert!(name.starts_with(wanted), "{name}, {wanted}");
    }
}
