//! The content of a packet, as it is passed to every format.

use gamewire::godot::{
    Container, Dialect, Error, Kind, Leaf, Open, Property, Reader, Role, VariantRef, Vector3,
    Visitor,
};
use serde::ser::{Serialize, Serializer};

/// A value of any type that occurs in the contents. Strings borrow from the packet, which is
/// leaked.
pub enum Value {
    Nil,
    Bool(bool),
    Int(i64),
    Float(f64),
    Text(&'static str),
    /// A StringName, which other formats store as a string.
    Name(&'static str),
    /// A NodePath, which other formats store as a string.
    Path(String),
    /// A Vector2i. Other formats store vectors as arrays.
    Vector2i([i32; 2]),
    Vector2([f32; 2]),
    Vector3([f32; 3]),
    Quaternion([f32; 4]),
    Color([f32; 4]),
    Ints(Vec<i32>),
    Floats(Vec<f32>),
    /// A packed array of Vector3, which other formats store as one array of floats.
    Vectors {
        vectors: Vec<Vector3<f32>>,
        flat: Vec<f32>,
    },
    Texts(Vec<&'static str>),
    Array(Vec<Value>),
    Map(Vec<(&'static str, Value)>),
}

impl Value {
    pub fn of(packet: &'static [u8]) -> Self {
        let mut build = Build::default();
        Reader::new(packet, Dialect::Godot4).visit(&mut build).unwrap();
        build.whole.expect("one value")
    }

    pub fn as_map(&self) -> Option<&[(&'static str, Self)]> {
        match self {
            Self::Map(pairs) => Some(pairs),
            _ => None,
        }
    }
}

/// A visitor that builds a value. The stack holds the open containers.
#[derive(Default)]
struct Build {
    stack: Vec<Value>,
    keys: Vec<&'static str>,
    whole: Option<Value>,
}

impl Build {
    fn put(&mut self, value: Value) {
        match self.stack.last_mut() {
            None => self.whole = Some(value),
            Some(Value::Array(items)) => items.push(value),
            Some(Value::Map(pairs)) => pairs.push((self.keys.pop().expect("a key"), value)),
            Some(_) => unreachable!("only these are open"),
        }
    }
}

impl Visitor<'static> for Build {
    type Error = Error;

    fn leaf(&mut self, leaf: Leaf<'static>) -> Result<(), Error> {
        let value = of_leaf(leaf.value);
        match (leaf.role, value) {
            (Role::Key, Value::Text(key)) => self.keys.push(key),
            (Role::Key, _) => unimplemented!("keys of other types"),
            (_, value) => self.put(value),
        }
        Ok(())
    }

    fn open(&mut self, open: Open<'static>) -> Result<(), Error> {
        self.stack.push(match open.container {
            Container::Array { .. } => Value::Array(Vec::new()),
            Container::Dictionary { .. } => Value::Map(Vec::new()),
            Container::Object { .. } => unimplemented!("objects"),
        });
        Ok(())
    }

    fn property(&mut self, _: Property<'static>) -> Result<(), Error> {
        Ok(())
    }

    fn close(&mut self, _: Kind) -> Result<(), Error> {
        let closed = self.stack.pop().expect("what was opened");
        self.put(closed);
        Ok(())
    }
}

fn of_leaf(leaf: VariantRef<'static>) -> Value {
    let single = |part: f64| part as f32; // as it is on the wire
    match leaf {
        VariantRef::Nil => Value::Nil,
        VariantRef::Bool(value) => Value::Bool(value),
        VariantRef::Int(int) => Value::Int(int),
        VariantRef::Float(float) => Value::Float(float),
        VariantRef::String(text) => Value::Text(text.to_str().unwrap()),
        VariantRef::StringName(text) => Value::Name(text.to_str().unwrap()),
        VariantRef::NodePath(path) => Value::Path(path.to_string()),
        VariantRef::Vector2i(v) => Value::Vector2i([v.x, v.y]),
        VariantRef::Vector2(v) => Value::Vector2([v.get().x, v.get().y].map(single)),
        VariantRef::Vector3(v) => Value::Vector3([v.get().x, v.get().y, v.get().z].map(single)),
        VariantRef::Quaternion(q) => {
            Value::Quaternion([q.get().x, q.get().y, q.get().z, q.get().w].map(single))
        }
        VariantRef::Color(c) => {
            Value::Color([c.get().r, c.get().g, c.get().b, c.get().a].map(single))
        }
        VariantRef::PackedInt32Array(ints) => {
            Value::Ints(ints.iter().map(|int| int.get()).collect())
        }
        VariantRef::PackedFloat32Array(floats) => {
            Value::Floats(floats.iter().map(|float| float.get()).collect())
        }
        VariantRef::PackedVector3Array(vectors) => {
            let vector = |v: Vector3| v.map(single);
            let vectors: Vec<Vector3<f32>> = vectors.iter().map(vector).collect();
            let flat = vectors.iter().flat_map(|v| [v.x, v.y, v.z]).collect();
            Value::Vectors { vectors, flat }
        }
        VariantRef::PackedStringArray(texts) => {
            Value::Texts(texts.iter().map(|text| text.to_str().unwrap()).collect())
        }
        other => unimplemented!("{other:?}"),
    }
}

/// Serializes the value for JSON. BSON has its own implementation, which uses a special type for
/// arrays of floats.
impl Serialize for Value {
    fn serialize<S: Serializer>(&self, to: S) -> Result<S::Ok, S::Error> {
        match self {
            Self::Nil => to.serialize_unit(),
            Self::Bool(value) => to.serialize_bool(*value),
            Self::Int(int) => to.serialize_i64(*int),
            Self::Float(float) => to.serialize_f64(*float),
            Self::Text(text) | Self::Name(text) => to.serialize_str(text),
            Self::Path(text) => to.serialize_str(text),
            Self::Vector2i(parts) => to.collect_seq(parts),
            Self::Vector2(parts) => to.collect_seq(parts),
            Self::Vector3(parts) => to.collect_seq(parts),
            Self::Quaternion(parts) | Self::Color(parts) => to.collect_seq(parts),
            Self::Ints(ints) => to.collect_seq(ints),
            Self::Floats(floats) => to.collect_seq(floats),
            Self::Vectors { flat, .. } => to.collect_seq(flat),
            Self::Texts(texts) => to.collect_seq(texts),
            Self::Array(items) => to.collect_seq(items),
            Self::Map(pairs) => to.collect_map(pairs.iter().map(|(key, value)| (key, value))),
        }
    }
}
