//! Serde support for views. Views can be written to any format; packets receive their encoded
//! bytes.
//!
//! Other formats see text, numbers, sequences and maps, as a script would. Vectors and similar
//! types are written as a list of their parts. The serializer of packets sees the bytes; see
//! `raw.rs`.

use super::names::KnownName;
use super::raw::{from_ours, is_ours};
use crate::godot::read::walk::TYPE_DEPTH;
use crate::godot::table::payload::Number;
use crate::godot::types::parts::Part;
use crate::godot::write::writer::in_some_dialect;
use crate::godot::{
    ArrayRef, Dialect, DictionaryRef, Encoded, FullObject, NodePathRef, ObjectRef, VariantRef,
};
use alloc::string::ToString;
use core::fmt;
use core::marker::PhantomData;
use serde::de::{self, Deserialize, Deserializer, Visitor};
use serde::ser::{self, Serialize, SerializeMap, SerializeSeq, Serializer};

/// The name that stands for any value.
pub(super) const ENCODED: &str = KnownName::Encoded.name();

impl Serialize for Encoded<'_> {
    fn serialize<S: Serializer>(&self, to: S) -> Result<S::Ok, S::Error> {
        to.serialize_newtype_struct(ENCODED, &Content::Encoded(*self))
    }
}

/// Leaves are encoded as an engine would encode them; containers are copied.
impl Serialize for VariantRef<'_> {
    fn serialize<S: Serializer>(&self, to: S) -> Result<S::Ok, S::Error> {
        to.serialize_newtype_struct(ENCODED, &Content::Value(*self))
    }
}

impl Serialize for ArrayRef<'_> {
    fn serialize<S: Serializer>(&self, to: S) -> Result<S::Ok, S::Error> {
        self.encoded().serialize(to)
    }
}

impl Serialize for DictionaryRef<'_> {
    fn serialize<S: Serializer>(&self, to: S) -> Result<S::Ok, S::Error> {
        self.encoded().serialize(to)
    }
}

/// The content of the newtype: bytes for this crate's serializer, a value for others.
enum Content<'a> {
    Encoded(Encoded<'a>),
    Value(VariantRef<'a>),
}

impl Serialize for Content<'_> {
    fn serialize<S: Serializer>(&self, to: S) -> Result<S::Ok, S::Error> {
        match (is_ours(|| to.is_human_readable()), self) {
            (true, Self::Encoded(encoded)) => bytes(*encoded, to),
            (true, Self::Value(value)) => value_bytes(value, to),
            (false, Self::Encoded(encoded)) => PlainValue::new(encoded.decode()).serialize(to),
            (false, Self::Value(value)) => PlainValue::new(*value).serialize(to),
        }
    }
}

fn bytes<S: Serializer>(encoded: Encoded<'_>, to: S) -> Result<S::Ok, S::Error> {
    let (dialect, form) = (encoded.dialect(), encoded.form());
    let name = KnownName::Bytes { dialect, form }.name();
    to.serialize_newtype_struct(name, &Bytes(encoded.as_bytes()))
}

struct Bytes<'a>(&'a [u8]);

impl Serialize for Bytes<'_> {
    fn serialize<S: Serializer>(&self, to: S) -> Result<S::Ok, S::Error> {
        to.serialize_bytes(self.0)
    }
}

/// Serializes the bytes of a value. A leaf does not store its bytes, so it is encoded first.
fn value_bytes<S: Serializer>(value: &VariantRef<'_>, to: S) -> Result<S::Ok, S::Error> {
    match value {
        VariantRef::Array(array) => return bytes(array.encoded(), to),
        VariantRef::Dictionary(dictionary) => return bytes(dictionary.encoded(), to),
        VariantRef::Object(ObjectRef::Full(object)) => return bytes(object.encoded(), to),
        _ => {}
    }
    match in_some_dialect(*value, Dialect::Godot4) {
        Ok((written, dialect)) => bytes(Encoded::trusted(&written, dialect), to),
        Err(error) => Err(ser::Error::custom(error)),
    }
}

/// A value as other formats see it.
struct PlainValue<'a> {
    value: VariantRef<'a>,
    /// Number of further levels of nested containers that are allowed.
    budget: u32,
}

impl<'a> PlainValue<'a> {
    fn new(value: VariantRef<'a>) -> Self {
        Self { value, budget: TYPE_DEPTH }
    }

    fn nested<E: ser::Error>(&self) -> Result<u32, E> {
        self.budget
            .checked_sub(1)
            .ok_or_else(|| E::custom(format_args!("more than {TYPE_DEPTH} nested containers")))
    }

    fn array<S: Serializer>(&self, array: ArrayRef<'a>, to: S) -> Result<S::Ok, S::Error> {
        let budget = self.nested()?;
        let mut seq = to.serialize_seq(Some(array.len()))?;
        array.iter().try_for_each(|value| seq.serialize_element(&PlainValue { value, budget }))?;
        seq.end()
    }

    fn dictionary<S: Serializer>(
        &self,
        dictionary: DictionaryRef<'a>,
        to: S,
    ) -> Result<S::Ok, S::Error> {
        let budget = self.nested()?;
        let textual = to.is_human_readable();
        let mut map = to.serialize_map(Some(dictionary.len()))?;
        for (key, value) in dictionary {
            let value = PlainValue { value, budget };
            match key {
                VariantRef::Int(key) => map.serialize_entry(&key, &value)?,
                VariantRef::String(key) | VariantRef::StringName(key) => {
                    map.serialize_entry(&key, &value)?;
                }
                // Text formats need text keys, so other keys are printed as Godot prints them.
                key if textual => {
                    let key = key.printed_as(dictionary.dialect);
                    map.serialize_entry(&key.to_string(), &value)?;
                }
                key => map.serialize_entry(&PlainValue { value: key, budget }, &value)?,
            }
        }
        map.end()
    }

    fn object<S: Serializer>(&self, object: FullObject<'a>, to: S) -> Result<S::Ok, S::Error> {
        let budget = self.nested()?;
        let mut map = to.serialize_map(Some(object.len()))?;
        for (name, value) in object.properties() {
            map.serialize_entry(&name, &PlainValue { value, budget })?;
        }
        map.end()
    }
}

impl Serialize for PlainValue<'_> {
    fn serialize<S: Serializer>(&self, to: S) -> Result<S::Ok, S::Error> {
        match self.value {
            VariantRef::Nil | VariantRef::Callable => to.serialize_unit(),
            VariantRef::Bool(value) => to.serialize_bool(value),
            VariantRef::Int(value) => to.serialize_i64(value),
            VariantRef::Float(value) => to.serialize_f64(value),
            VariantRef::String(text) | VariantRef::StringName(text) => text.serialize(to),
            VariantRef::NodePath(path) => path.serialize(to),
            VariantRef::Rid(id) => to.serialize_u64(id.unwrap_or_default()),
            VariantRef::Object(ObjectRef::Full(object)) => self.object(object, to),
            VariantRef::Object(ObjectRef::Id(id)) if id != 0 => to.serialize_u64(id),
            VariantRef::Object(_) => to.serialize_unit(),
            VariantRef::Signal(signal) => signal.serialize(to),
            VariantRef::Array(array) => self.array(array, to),
            VariantRef::Dictionary(dictionary) => self.dictionary(dictionary, to),
            VariantRef::PackedByteArray(bytes) => to.serialize_bytes(bytes),
            value => parts(value, to),
        }
    }
}

impl Serialize for NodePathRef<'_> {
    fn serialize<S: Serializer>(&self, to: S) -> Result<S::Ok, S::Error> {
        to.collect_str(self)
    }
}

/// Serializes a leaf as the list of its parts.
fn parts<S: Serializer>(value: VariantRef<'_>, to: S) -> Result<S::Ok, S::Error> {
    let mut count = 0_usize;
    value.parts(&mut |_| {
        count = count.saturating_add(1);
        Ok::<(), S::Error>(())
    })?;
    let single = VariantRef::numbers(value.kind())
        .is_some_and(|it| matches!(it.number, Number::F32 | Number::Real { .. }))
        && !value.is_double();
    let mut seq = to.serialize_seq(Some(count))?;
    value.parts(&mut |part| match part {
        Part::Bool(value) => seq.serialize_element(&value),
        Part::Int(value) => seq.serialize_element(&value),
        Part::Id(value) => seq.serialize_element(&value),
        // The value was converted from an `f32`, which has fewer digits.
        Part::Real(value) if single => seq.serialize_element(&(value as f32)),
        Part::Real(value) => seq.serialize_element(&value),
        Part::Text(text) => seq.serialize_element(&text),
        Part::Path(path) => seq.serialize_element(&path),
    })?;
    seq.end()
}

/// Borrows the checked bytes of any value. Only packets can be deserialized into this type.
impl<'de: 'a, 'a> Deserialize<'de> for Encoded<'a> {
    fn deserialize<D: Deserializer<'de>>(from: D) -> Result<Self, D::Error> {
        from.deserialize_newtype_struct(ENCODED, EncodedVisitor(PhantomData))
    }
}

/// Reads a view of any value. Only packets can be deserialized into this type.
impl<'de: 'a, 'a> Deserialize<'de> for VariantRef<'a> {
    fn deserialize<D: Deserializer<'de>>(from: D) -> Result<Self, D::Error> {
        Encoded::deserialize(from).map(|encoded| encoded.decode())
    }
}

struct EncodedVisitor<'de>(PhantomData<&'de ()>);

impl<'de> Visitor<'de> for EncodedVisitor<'de> {
    type Value = Encoded<'de>;

    fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("a value of a packet")
    }

    fn visit_newtype_struct<D: Deserializer<'de>>(self, from: D) -> Result<Self::Value, D::Error> {
        of_ours(from_ours(from)?)
    }
}

/// Builds a value from a tag, which states the dialect, and the encoded bytes. Both come from this
/// crate's deserializer.
pub(super) fn of_ours<E: de::Error>((dialect, bytes): (u8, &[u8])) -> Result<Encoded<'_>, E> {
    match Dialect::ALL.get(usize::from(dialect)) {
        Some(dialect) => Ok(Encoded::trusted(bytes, *dialect)),
        None => Err(E::custom("unknown dialect")),
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::godot::{Dictionary, Variant, Vector2};
    use alloc::string::String;
    use alloc::vec::Vec;
    use serde::ser::Impossible;

    type Result<T> = core::result::Result<T, serde_json::Error>;

    /// A binary format that has only maps, with keys of any type.
    #[derive(Default)]
    struct Maps(Vec<String>);

    impl Serializer for Maps {
        type Ok = Vec<String>;
        type Error = serde_json::Error;
        type SerializeSeq = Impossible<Vec<String>, serde_json::Error>;
        type SerializeTuple = Impossible<Vec<String>, serde_json::Error>;
        type SerializeTupleStruct = Impossible<Vec<String>, serde_json::Error>;
        type SerializeTupleVariant = Impossible<Vec<String>, serde_json::Error>;
        type SerializeMap = Self;
        type SerializeStruct = Impossible<Vec<String>, serde_json::Error>;
        type SerializeStructVariant = Impossible<Vec<String>, serde_json::Error>;

        fn serialize_map(self, _: Option<usize>) -> Result<Self> {
            Ok(self)
        }

        fn serialize_newtype_struct<T: Serialize + ?Sized>(
            self,
            _: &'static str,
            value: &T,
        ) -> Result<Vec<String>> {
            value.serialize(self)
        }

        crate::godot::serde::unsupported_methods! { Err(ser::Error::custom("no map"));
            bool i8 i16 i32 i64 i128 u8 u16 u32 u64 u128 f32 f64 char str bytes none some unit
            unit_struct unit_variant newtype_variant seq tuple tuple_struct tuple_variant struct
            struct_variant
        }

        fn is_human_readable(&self) -> bool {
            false
        }
    }

    impl SerializeMap for Maps {
        type Ok = Vec<String>;
        type Error = serde_json::Error;

        fn serialize_key<T: Serialize + ?Sized>(&mut self, key: &T) -> Result<()> {
            self.0.push(serde_json::to_string(key)?);
            Ok(())
        }

        fn serialize_value<T: Serialize + ?Sized>(&mut self, _: &T) -> Result<()> {
            Ok(())
        }

        fn end(self) -> Result<Vec<String>> {
            Ok(self.0)
        }
    }

    #[test]
    fn keys_are_values_where_a_format_has_such() {
        let mut pairs = Dictionary::new();
        for key in
            [Variant::from(1), "a".into(), Vector2 { x: 0.5_f32, y: 1.0 }.into(), Variant::NIL]
        {
            pairs.insert(key, 1);
        }
        let pairs = Variant::from(pairs);
        assert_eq!(pairs.serialize(Maps::default()).unwrap(), ["1", r#""a""#, "[0.5,1.0]", "null"]);
        let json = r#"{"1":1,"a":1,"Vector2(0.5, 1)":1,"null":1}"#;
        assert_eq!(serde_json::to_string(&pairs).unwrap(), json);
    }
}
