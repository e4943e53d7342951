//! Serializes the crate's newtypes to other formats, and serializes foreign content under the names
//! of these newtypes. Serde passes the name of a newtype to every format, so a type of another
//! crate may use the same name.

use gamewire::godot::{
    Callable, Color, Dialect, Encoded, Kind, NodePath, ObjectId, Packed, Reader, Rid, Signal,
    StringName, Variant, VariantRef, Vector2, Vector3, Vector4, to_vec,
};
use serde::de::value::{
    BoolDeserializer, Error as Plain, I128Deserializer, MapDeserializer, SeqDeserializer,
};
use serde::de::{Deserialize, DeserializeOwned, Deserializer, IntoDeserializer, Visitor};
use serde::forward_to_deserialize_any;
use serde::ser::{self, Impossible, Serialize, SerializeSeq, SerializeStruct, Serializer};
use std::fmt;

/// A serializer that always fails. The error contains the name of the type that it was given.
struct NameSerializer;

#[derive(Debug)]
struct Name(&'static str);

impl fmt::Display for Name {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.0)
    }
}

impl std::error::Error for Name {}

impl ser::Error for Name {
    fn custom<T: fmt::Display>(_: T) -> Self {
        Self("")
    }
}

macro_rules! without_name {
    ($($method:ident($($T:ty),*);)*) => {$(
        fn $method(self, $(_: $T),*) -> Result<(), Name> {
            Err(Name(""))
        }
    )*};
    (open $($method:ident($($T:ty),*);)*) => {$(
        fn $method(self, $(_: $T),*) -> Result<Impossible<(), Name>, Name> {
            Err(Name(""))
        }
    )*};
}

impl Serializer for NameSerializer {
    type Ok = ();
    type Error = Name;
    type SerializeSeq = Impossible<(), Name>;
    type SerializeTuple = Impossible<(), Name>;
    type SerializeTupleStruct = Impossible<(), Name>;
    type SerializeTupleVariant = Impossible<(), Name>;
    type SerializeMap = Impossible<(), Name>;
    type SerializeStruct = Impossible<(), Name>;
    type SerializeStructVariant = Impossible<(), Name>;

    fn serialize_unit_struct(self, name: &'static str) -> Result<(), Name> {
        Err(Name(name))
    }

    fn serialize_newtype_struct<T: Serialize + ?Sized>(
        self,
        name: &'static str,
        _: &T,
    ) -> Result<(), Name> {
        Err(Name(name))
    }

    fn serialize_struct(self, name: &'static str, _: usize) -> Result<Self::SerializeStruct, Name> {
        Err(Name(name))
    }

    without_name! {
        serialize_bool(bool); serialize_i8(i8); serialize_i16(i16); serialize_i32(i32);
        serialize_i64(i64); serialize_u8(u8); serialize_u16(u16); serialize_u32(u32);
        serialize_u64(u64); serialize_f32(f32); serialize_f64(f64); serialize_char(char);
        serialize_str(&str); serialize_bytes(&[u8]); serialize_none(); serialize_unit();
        serialize_unit_variant(&'static str, u32, &'static str);
    }
    without_name! { open
        serialize_seq(Option<usize>); serialize_tuple(usize); serialize_map(Option<usize>);
        serialize_tuple_struct(&'static str, usize);
        serialize_tuple_variant(&'static str, u32, &'static str, usize);
        serialize_struct_variant(&'static str, u32, &'static str, usize);
    }

    fn serialize_some<T: Serialize + ?Sized>(self, _: &T) -> Result<(), Name> {
        Err(Name(""))
    }

    fn serialize_newtype_variant<T: Serialize + ?Sized>(
        self,
        _: &'static str,
        _: u32,
        _: &'static str,
        _: &T,
    ) -> Result<(), Name> {
        Err(Name(""))
    }
}

#[track_caller]
fn name(value: impl Serialize) -> &'static str {
    let Name(name) = value.serialize(NameSerializer).unwrap_err();
    assert!(!name.is_empty());
    name
}

/// A newtype with the given name.
struct Named<T>(&'static str, T);

impl<T: Serialize> Serialize for Named<T> {
    fn serialize<S: Serializer>(&self, to: S) -> Result<S::Ok, S::Error> {
        to.serialize_newtype_struct(self.0, &self.1)
    }
}

/// A struct with the given name and one field.
struct Struct<T>(&'static str, T);

impl<T: Serialize> Serialize for Struct<T> {
    fn serialize<S: Serializer>(&self, to: S) -> Result<S::Ok, S::Error> {
        let mut fields = to.serialize_struct(self.0, 1)?;
        fields.serialize_field("x", &self.1)?;
        fields.end()
    }
}

/// A sequence that announces a number of elements, or `None`. The announced number may differ from
/// the real one.
struct Announced<'e, T>(Option<usize>, &'e [T]);

impl<T: Serialize> Serialize for Announced<'_, T> {
    fn serialize<S: Serializer>(&self, to: S) -> Result<S::Ok, S::Error> {
        let mut seq = to.serialize_seq(self.0)?;
        self.1.iter().try_for_each(|element| seq.serialize_element(element))?;
        seq.end()
    }
}

/// Returns the error message of the serializer, without the offset.
#[track_caller]
fn refused(value: impl Serialize) -> String {
    let error = to_vec(&value).unwrap_err().to_string();
    error.split(" at offset").next().unwrap().to_owned()
}

#[track_caller]
fn same(value: impl Serialize, as_what: impl Serialize) {
    assert_eq!(to_vec(&value).unwrap(), to_vec(&as_what).unwrap());
}

const OTHER_CONTENT: &str = "unexpected content of a newtype of this crate";
const NO_PART: &str = "a component has the wrong type";
const MISCOUNTED: &str = "the number of elements of a packed array differs from the announced one";

/// An intermediate format may pass the elements of a packed array to this crate's serializer one by
/// one.
#[test]
fn packed_arrays_accept_elements_one_by_one() {
    let (ints, longs) = (name(Packed([0_i32; 0])), name(Packed([0_i64; 0])));
    let (singles, doubles) = (name(Packed([0_f32; 0])), name(Packed([0_f64; 0])));
    same(Named(ints, &[1, -2][..]), Packed([1, -2]));
    same(Named(longs, &[1_i64, -2][..]), Packed([1_i64, -2]));
    same(Named(singles, &[0.5_f32, 0.1][..]), Packed([0.5_f32, 0.1]));
    same(Named(doubles, &[0.5, 0.1][..]), Packed([0.5, 0.1]));
    same(Named(name(Packed([""; 0])), &["a", "b"][..]), Packed(["a", "b"]));
    // Each packed array accepts only numbers of its own type.
    for (name, ok) in [(ints, 0), (longs, 1), (singles, 2), (doubles, 3)] {
        let all = [
            to_vec(&Named(name, [1_i32].as_slice())).is_ok(),
            to_vec(&Named(name, [1_i64].as_slice())).is_ok(),
            to_vec(&Named(name, [1_f32].as_slice())).is_ok(),
            to_vec(&Named(name, [1_f64].as_slice())).is_ok(),
        ];
        assert_eq!(all, [0, 1, 2, 3].map(|at| at == ok), "{name}");
        for other in [
            refused(Named(name, &[true][..])),
            refused(Named(name, &['x'][..])),
            refused(Named(name, &[()][..])),
            refused(Named(name, &[Some(1)][..])),
            refused(Named(name, &[[1]][..])),
            refused(Named(name, &[StringName("x")][..])),
        ] {
            assert_eq!(other, NO_PART, "{name}");
        }
    }
    let points = name(Packed([Vector2 { x: 0.0_f32, y: 0.0 }; 0]));
    assert_eq!(refused(Named(points, &[1.0_f32, 2.0][..])), NO_PART);
}

#[test]
fn element_count_matches_the_header() {
    let ints = name(Packed([0_i32; 0]));
    same(Named(ints, Announced(Some(2), &[1, 2])), Packed([1, 2]));
    for announced in [Some(0), Some(1), Some(3), None] {
        assert_eq!(refused(Named(ints, Announced(announced, &[1, 2]))), MISCOUNTED);
    }
}

#[test]
fn unexpected_content_of_a_newtype_is_rejected() {
    let texts = [name(StringName("")), name(NodePath(""))];
    let ids = [name(Rid(0)), name(ObjectId(0))];
    let point = name(Vector2 { x: 0.0_f32, y: 0.0 });
    let any = name(VariantRef::Nil);
    for name in [texts[0], texts[1], ids[0], ids[1], point, any] {
        let others = [
            refused(Named(name, true)),
            refused(Named(name, -1_i64)),
            refused(Named(name, 0.5)),
            refused(Named(name, 'x')),
            refused(Named(name, ())),
            refused(Named(name, Some("x"))),
            refused(Named(name, (1, 2))),
            refused(Named(name, std::collections::BTreeMap::from([(1, 2)]))),
        ];
        assert!(others.iter().all(|error| error == OTHER_CONTENT), "{name}: {others:?}");
    }
    for name in texts {
        assert!(to_vec(&Named(name, 5_u64)).is_err());
    }
    assert!(to_vec(&Named(ids[0], "x")).is_err());
    assert!(to_vec(&Named(point, "x")).is_err() && to_vec(&Named(point, 5_u64)).is_err());
    assert_eq!(refused(Named(any, "x")), OTHER_CONTENT);
    assert_eq!(refused(Named(any, [1].as_slice())), OTHER_CONTENT);
    same(Named(texts[0], "x"), StringName("x"));
    same(Named(ids[0], 7_u64), Rid(7));
    same(Named(ids[1], 7_u64), ObjectId(7));
    // User-defined newtypes with other names are transparent.
    same(Named(texts[0], Named("mine", "x")), StringName("x"));
    same(Named("mine", Named(texts[1], "a/b")), NodePath("a/b"));
}

#[test]
fn unexpected_fields_of_a_struct_are_rejected() {
    let point = name(Vector2 { x: 0.0_f32, y: 0.0 });
    let signal = name(Signal { name: "", object: 0 });
    for name in [point, signal] {
        for error in [
            refused(Struct(name, true)),
            refused(Struct(name, -1_i64)),
            refused(Struct(name, 1.0_f32)),
            refused(Struct(name, 1.0_f64)),
            refused(Struct(name, 'x')),
            refused(Struct(name, None::<i32>)),
            refused(Struct(name, &[1][..])),
            refused(Struct(name, Callable)),
        ] {
            assert_eq!(error, NO_PART, "{name}");
        }
    }
    assert_eq!(refused(Struct(point, 5_u64)), NO_PART);
    assert_eq!(refused(Struct(point, "x")), NO_PART);
}

/// A packed array with a missing element, or with an element of a wrong type, is an error.
#[test]
fn rejected_input_leaves_no_output() {
    let ints = name(Packed([0_i32; 0]));
    for wrong in [
        to_vec(&(1, Named(ints, Announced(Some(3), &[1, 2])))),
        to_vec(&(1, Named(ints, &[1_i64][..]))),
    ] {
        let error = wrong.unwrap_err();
        assert!(error.kind().is_none(), "{error}");
    }
    let packet = to_vec(&(1, Named(ints, Announced(Some(2), &[1, 2])), "x")).unwrap();
    let read = Reader::new(&packet, Dialect::Godot4).read().unwrap();
    let kinds: Vec<_> = read.as_array().unwrap().iter().map(|item| item.kind()).collect();
    assert_eq!(kinds, [Kind::Int, Kind::PackedInt32Array, Kind::String]);
}

#[track_caller]
fn of_items<T: DeserializeOwned, I>(items: &[I]) -> Result<T, Plain>
where
    I: Copy + IntoDeserializer<'static, Plain>,
{
    T::deserialize(SeqDeserializer::new(items.iter().copied()))
}

fn of_pairs<T, K, V>(pairs: &[(K, V)]) -> Result<T, Plain>
where
    T: DeserializeOwned,
    K: Copy + IntoDeserializer<'static, Plain>,
    V: Copy + IntoDeserializer<'static, Plain>,
{
    T::deserialize(MapDeserializer::new(pairs.iter().copied()))
}

fn says<T: fmt::Debug>(result: Result<T, Plain>) -> String {
    result.unwrap_err().to_string()
}

/// Other formats may represent a newtype as a sequence of one item, or as its content alone.
#[test]
fn newtypes_deserialize_from_sequences_or_content() {
    let name: StringName<String> = of_items(&["jump"]).unwrap();
    assert_eq!(name.0, "jump");
    let ints: Packed<Vec<i32>> = of_items(&[1, 2, 3]).unwrap();
    assert_eq!(ints.0, [1, 2, 3]);
    let none = says(of_items::<StringName<String>, &str>(&[]));
    assert_eq!(none, "invalid length 0, expected the content of a newtype");
    let boolean = || BoolDeserializer::<Plain>::new(true);
    for (error, wanted) in [
        (says(StringName::<String>::deserialize(boolean())), "the content of a newtype"),
        (says(Packed::<Vec<i32>>::deserialize(boolean())), "a packed array"),
        (says(Packed::<&[u8]>::deserialize(boolean())), "a packed array to borrow from a packet"),
        (says(Encoded::deserialize(boolean())), "a value of a packet"),
        (says(VariantRef::deserialize(boolean())), "a value of a packet"),
        (says(Signal::<String>::deserialize(boolean())), "a Signal"),
        (says(Vector2::<f32>::deserialize(boolean())), "a Vector2"),
        (says(Color::<f64>::deserialize(boolean())), "a Color"),
    ] {
        assert_eq!(error, format!("invalid type: boolean `true`, expected {wanted}"));
    }
    let error = serde_json::from_str::<Encoded<'_>>("5").unwrap_err().to_string();
    assert!(error.contains("newtype struct, expected a value of a packet"), "{error}");
}

#[test]
fn structs_deserialize_from_pairs_and_from_sequences() {
    let point: Vector2<f64> = of_pairs(&[("y", 2.0), ("none", 5.0), ("x", 1.0)]).unwrap();
    assert_eq!(point, Vector2 { x: 1.0, y: 2.0 });
    let by_bytes: Vector2<f64> = of_pairs(&[(&b"y"[..], 2.0), (b"?", 0.0), (b"x", 1.0)]).unwrap();
    assert_eq!(by_bytes, point);
    assert_eq!(
        says(of_pairs::<Vector2<f64>, _, _>(&[("x", 1.0), ("x", 2.0)])),
        "duplicate field `x`"
    );
    assert_eq!(says(of_pairs::<Vector2<f64>, _, _>(&[("x", 1.0)])), "missing field `y`");
    assert_eq!(
        says(of_pairs::<Vector2<f64>, _, _>(&[(5, 1.0)])),
        "invalid type: integer `5`, expected the name of a field"
    );
    assert_eq!(of_items::<Vector3<f32>, _>(&[1.0_f32, 2.0, 3.0]).unwrap().z, 3.0);
    assert_eq!(of_items::<Vector4<i32>, _>(&[1, 2, 3, 4]).unwrap().w, 4);
    let few = says(of_items::<Vector3<f32>, _>(&[1.0_f32, 2.0]));
    assert_eq!(few, "too few components");

    let json = |text| serde_json::from_str::<Signal<String>>(text).map_err(|e| e.to_string());
    let signal = Signal { name: "hit".to_string(), object: 7 };
    assert_eq!(json(r#"{"object": 7, "more": [1], "name": "hit"}"#), Ok(signal));
    for (text, error) in [
        (r#"{"name": "hit"}"#, "missing field `object`"),
        (r#"{"object": 7}"#, "missing field `name`"),
        (r#"["hit"]"#, "invalid length 1, expected a Signal"),
    ] {
        assert!(json(text).unwrap_err().starts_with(error), "{text}");
    }
}

/// A deserializer that calls `visit_some` or `visit_none`. Formats like bincode do this for
/// options.
struct Optional(Option<i64>);

impl<'de> Deserializer<'de> for Optional {
    type Error = Plain;

    fn deserialize_any<V: Visitor<'de>>(self, visitor: V) -> Result<V::Value, Plain> {
        match self.0 {
            Some(value) => visitor.visit_some(value.into_deserializer()),
            None => visitor.visit_none(),
        }
    }

    forward_to_deserialize_any! {
        bool i8 i16 i32 i64 i128 u8 u16 u32 u64 u128 f32 f64 char str string bytes byte_buf option
        unit unit_struct newtype_struct seq tuple tuple_struct map struct enum identifier
        ignored_any
    }
}

#[test]
fn owned_values_deserialize_from_other_formats() {
    for (json, notation) in [
        ("null", "null"),
        ("true", "true"),
        ("-5", "-5"),
        ("9223372036854775807", "9223372036854775807"),
        ("0.5", "0.5"),
        (r#""a\nb""#, "\"a\nb\""),
        (r#"[1, [], "x", null]"#, r#"[1, [], "x", null]"#),
        (r#"{"a": 1, "b": {"c": [2.5]}}"#, "{\"a\": 1, \"b\": {\"c\": [2.5]}}"),
    ] {
        let value: Variant = serde_json::from_str(json).unwrap();
        assert_eq!(value, notation.parse().unwrap(), "{json}");
        let again = serde_json::to_value(&value).unwrap();
        assert_eq!(again, serde_json::from_str::<serde_json::Value>(json).unwrap());
    }
    let large = serde_json::from_str::<Variant>("9223372036854775808").unwrap_err();
    assert!(large.to_string().starts_with("out of range"), "{large}");
    let bytes = IntoDeserializer::<Plain>::into_deserializer(&b"ab"[..]);
    assert_eq!(Variant::deserialize(bytes).unwrap(), (&b"ab"[..]).into());
    assert_eq!(Variant::deserialize(Optional(None)).unwrap(), Variant::NIL);
    assert_eq!(Variant::deserialize(Optional(Some(5))).unwrap(), 5.into());
    let letter = IntoDeserializer::<Plain>::into_deserializer('x');
    assert_eq!(Variant::deserialize(letter).unwrap(), "x".into());
    let wide = Variant::deserialize(I128Deserializer::new(1));
    assert!(says(wide).ends_with("expected a value that Godot has"));
}

/// The name of a type does not depend on the width of its components.
#[test]
fn names_are_those_of_the_engine() {
    assert_eq!(name(Color { r: 1.0_f32, g: 0.0, b: 0.0, a: 1.0 }), "Color");
    assert_eq!(name(Color { r: 1.0_f64, g: 0.0, b: 0.0, a: 1.0 }), "Color");
    assert_eq!(name(Vector2 { x: 1.0_f32, y: 0.0 }), "Vector2");
    assert_eq!(name(Vector2 { x: 1.0_f64, y: 0.0 }), "Vector2");
}

/// A Color does not deserialize as a Vector2, even in dialects whose reals have 64 bits.
#[test]
fn color_is_not_read_as_vector_in_other_dialects() {
    for dialect in [Dialect::Docs, Dialect::DocsDouble, Dialect::Godot3] {
        let mut packet = Vec::new();
        let mut writer = gamewire::godot::Writer::new(&mut packet, dialect);
        writer.put(Color { r: 1.0_f32, g: 0.0, b: 0.0, a: 1.0 }).unwrap();
        let read = |kind: &str| {
            let from = || gamewire::godot::serde::Deserializer::new(&packet, dialect);
            match kind {
                "Vector2" => Vector2::<f64>::deserialize(&mut from()).is_ok(),
                _ => Color::<f64>::deserialize(&mut from()).is_ok(),
            }
        };
        assert!(!read("Vector2"), "{dialect}");
        assert!(read("Color"), "{dialect}");
    }
}
