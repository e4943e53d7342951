//! Converts the crate's values to those of the oracle.

use super::oracle::{self, TypeOf, Value};
use gamewire::godot::{
    self, Container, Dialect, Error, Kind, Leaf, NodePathRef, ObjectRef, Open, Property, Reader,
    Real, Reals, Role, StrRef, TypeRef, VariantRef, Visitor,
};
use zerocopy::IntoBytes;

pub fn to_oracle(dialect: Dialect) -> oracle::Dialect {
    match dialect {
        Dialect::Godot2 => oracle::Dialect::Godot2,
        Dialect::Godot3 => oracle::Dialect::Godot3,
        Dialect::Godot4 => oracle::Dialect::Godot4,
        Dialect::Docs => oracle::Dialect::Docs,
        Dialect::DocsDouble => oracle::Dialect::DocsDouble,
    }
}

/// Decodes the first value of `bytes` with the visitor. Returns the value and the offset of its
/// end.
pub fn value_of(bytes: &[u8], dialect: Dialect) -> Result<(Value, usize), Error> {
    let mut build = Build::default();
    let mut reader = Reader::new(bytes, dialect);
    reader.visit(&mut build)?;
    Ok((build.value(), reader.offset() as usize))
}

/// A visitor that builds the oracle's values.
#[derive(Default)]
pub struct Build<'a> {
    open: Vec<(Container<'a>, Vec<Value>, Vec<Vec<u8>>)>,
    done: Vec<Value>,
}

impl Build<'_> {
    /// Returns the value that was visited.
    pub fn value(mut self) -> Value {
        assert!(self.open.is_empty(), "a container was not closed");
        assert_eq!(self.done.len(), 1, "one value");
        self.done.pop().unwrap()
    }

    fn items(&mut self) -> &mut Vec<Value> {
        match self.open.last_mut() {
            Some((_, items, _)) => items,
            None => &mut self.done,
        }
    }

    /// Returns the role of the next value in the innermost open container.
    fn role(&self) -> Role {
        match self.open.last() {
            None | Some((Container::Array { .. }, ..)) => Role::Element,
            Some((Container::Dictionary { .. }, items, _)) if items.len() % 2 == 0 => Role::Key,
            Some((Container::Dictionary { .. }, ..)) => Role::Value,
            Some((Container::Object { .. }, ..)) => Role::Property,
        }
    }
}

impl<'a> Visitor<'a> for Build<'a> {
    type Error = Error;

    fn leaf(&mut self, leaf: Leaf<'a>) -> Result<(), Error> {
        assert_eq!(leaf.role, self.role());
        let value = leaf_value(leaf.value, leaf.encoded.is_wide());
        self.items().push(value);
        Ok(())
    }

    fn open(&mut self, open: Open<'a>) -> Result<(), Error> {
        assert_eq!(open.role, self.role());
        self.open.push((open.container, Vec::new(), Vec::new()));
        Ok(())
    }

    fn property(&mut self, property: Property<'a>) -> Result<(), Error> {
        let names = &mut self.open.last_mut().unwrap().2;
        names.push(property.name.as_bytes().to_vec());
        Ok(())
    }

    fn close(&mut self, kind: Kind) -> Result<(), Error> {
        let (container, items, names) = self.open.pop().unwrap();
        assert_eq!(container.kind(), kind);
        let value = container_value(container, items, names);
        self.items().push(value);
        Ok(())
    }
}

fn container_value(container: Container<'_>, items: Vec<Value>, names: Vec<Vec<u8>>) -> Value {
    match container {
        Container::Array { len, element, shared } => {
            assert_eq!(len as usize, items.len());
            Value::Array { shared, element: type_of(element), items }
        }
        Container::Dictionary { len, key, value, shared } => {
            assert_eq!(2 * len as usize, items.len());
            let mut items = items.into_iter();
            let mut pairs = Vec::new();
            while let (Some(key), Some(value)) = (items.next(), items.next()) {
                pairs.push((key, value));
            }
            Value::Dictionary { shared, key: type_of(key), value: type_of(value), pairs }
        }
        Container::Object { len, class } => {
            assert_eq!(len as usize, items.len());
            let properties = names.into_iter().zip(items).collect();
            Value::Object { class: class.as_bytes().to_vec(), properties }
        }
    }
}

/// Converts an encoded value by decoding it, and the values inside it, to views. The function is
/// recursive, so callers pass only values without deep nesting.
pub fn view_value(encoded: godot::Encoded<'_>) -> Value {
    match encoded.decode() {
        VariantRef::Array(array) => Value::Array {
            shared: array.is_shared(),
            element: type_of(array.element_type()),
            items: array.iter().encoded().map(view_value).collect(),
        },
        VariantRef::Dictionary(dictionary) => Value::Dictionary {
            shared: dictionary.is_shared(),
            key: type_of(dictionary.key_type()),
            value: type_of(dictionary.value_type()),
            pairs: dictionary
                .iter()
                .encoded()
                .map(|(key, value)| (view_value(key), view_value(value)))
                .collect(),
        },
        VariantRef::Object(ObjectRef::Full(object)) => Value::Object {
            class: object.class().as_bytes().to_vec(),
            properties: object
                .properties()
                .encoded()
                .map(|(name, value)| (name.as_bytes().to_vec(), view_value(value)))
                .collect(),
        },
        leaf => leaf_value(leaf, encoded.is_wide()),
    }
}

fn type_of(of: TypeRef<'_>) -> Option<TypeOf> {
    match of {
        TypeRef::Untyped => None,
        TypeRef::Builtin(kind) => Some(TypeOf::Builtin(Dialect::Godot4.id(kind).unwrap().into())),
        TypeRef::Class(name) => Some(TypeOf::Class(name.as_bytes().to_vec())),
        TypeRef::Script(path) => Some(TypeOf::Script(path.as_bytes().to_vec())),
    }
}

fn singles(bytes: &[u8]) -> Vec<oracle::Real> {
    bytes.as_chunks().0.iter().map(|part| oracle::Real::F32(u32::from_le_bytes(*part))).collect()
}

fn doubles(bytes: &[u8]) -> Vec<oracle::Real> {
    bytes.as_chunks().0.iter().map(|part| oracle::Real::F64(u64::from_le_bytes(*part))).collect()
}

fn reals<L: godot::RealLayout>(kind: oracle::Kind, value: Real<'_, L>) -> Value {
    match value {
        Real::Single(wire) => Value::Reals(kind, singles(wire.as_bytes())),
        Real::Double(wire) => Value::Reals(kind, doubles(wire.as_bytes())),
    }
}

fn real_array<L: godot::RealLayout>(kind: oracle::Kind, value: Reals<'_, L>) -> Value {
    let elements = match value {
        Reals::Single(wire) => wire.iter().map(|element| singles(element.as_bytes())).collect(),
        Reals::Double(wire) => wire.iter().map(|element| doubles(element.as_bytes())).collect(),
    };
    Value::RealArray(kind, elements)
}

fn node_path(path: NodePathRef<'_>) -> Value {
    let bytes = |text: StrRef<'_>| text.as_bytes().to_vec();
    match path.old_form() {
        Some(path) => Value::OldNodePath(bytes(path)),
        None => Value::NodePath {
            absolute: path.is_absolute(),
            names: path.names().map(bytes).collect(),
            subnames: path.subnames().map(bytes).collect(),
            property: path.property().map(bytes),
        },
    }
}

fn leaf_value(value: VariantRef<'_>, wide: bool) -> Value {
    use oracle::Kind;
    let float = |float: f64| match wide {
        true => oracle::Real::F64(float.to_bits()),
        false => oracle::Real::F32((float as f32).to_bits()),
    };
    match value {
        VariantRef::Nil => Value::Nil,
        VariantRef::Bool(value) => Value::Bool(value),
        VariantRef::Int(value) => Value::Int { value, wide },
        VariantRef::Float(value) => Value::Float(float(value)),
        VariantRef::String(text) => Value::String(text.as_bytes().to_vec()),
        VariantRef::StringName(text) => Value::StringName(text.as_bytes().to_vec()),
        VariantRef::Vector2(v) => reals(Kind::Vector2, v),
        VariantRef::Rect2(v) => reals(Kind::Rect2, v),
        VariantRef::Vector3(v) => reals(Kind::Vector3, v),
        VariantRef::Transform2D(v) => reals(Kind::Transform2D, v),
        VariantRef::Vector4(v) => reals(Kind::Vector4, v),
        VariantRef::Plane(v) => reals(Kind::Plane, v),
        VariantRef::Quaternion(v) => reals(Kind::Quaternion, v),
        VariantRef::Aabb(v) => reals(Kind::Aabb, v),
        VariantRef::Basis(v) => reals(Kind::Basis, v),
        VariantRef::Transform3D(v) => reals(Kind::Transform3D, v),
        VariantRef::Projection(v) => reals(Kind::Projection, v),
        VariantRef::Color(v) => reals(Kind::Color, v),
        VariantRef::Vector2i(v) => Value::Ints(Kind::Vector2i, vec![v.x, v.y]),
        VariantRef::Rect2i(v) => {
            let (p, s) = (v.position, v.size);
            Value::Ints(Kind::Rect2i, vec![p.x, p.y, s.x, s.y])
        }
        VariantRef::Vector3i(v) => Value::Ints(Kind::Vector3i, vec![v.x, v.y, v.z]),
        VariantRef::Vector4i(v) => Value::Ints(Kind::Vector4i, vec![v.x, v.y, v.z, v.w]),
        VariantRef::NodePath(path) => node_path(path),
        VariantRef::Rid(id) => Value::Rid(id),
        VariantRef::Object(ObjectRef::Null) => Value::ObjectNull,
        VariantRef::Object(ObjectRef::Id(id)) => Value::ObjectId(id),
        VariantRef::Callable => Value::Callable,
        VariantRef::Signal(signal) => {
            Value::Signal { name: signal.name.as_bytes().to_vec(), object: signal.object }
        }
        VariantRef::PackedByteArray(bytes) => Value::Bytes(bytes.to_vec()),
        VariantRef::PackedInt32Array(v) => Value::Int32s(v.iter().map(|v| v.get()).collect()),
        VariantRef::PackedInt64Array(v) => Value::Int64s(v.iter().map(|v| v.get()).collect()),
        VariantRef::PackedFloat32Array(v) => {
            Value::Float32s(v.iter().map(|v| v.get().to_bits()).collect())
        }
        VariantRef::PackedFloat64Array(v) => {
            Value::Float64s(v.iter().map(|v| v.get().to_bits()).collect())
        }
        VariantRef::PackedStringArray(texts) => {
            assert_eq!(texts.len(), texts.iter().count());
            Value::Strings(texts.iter().map(|text| text.as_bytes().to_vec()).collect())
        }
        VariantRef::PackedVector2Array(v) => real_array(Kind::PackedVector2Array, v),
        VariantRef::PackedVector3Array(v) => real_array(Kind::PackedVector3Array, v),
        VariantRef::PackedVector4Array(v) => real_array(Kind::PackedVector4Array, v),
        VariantRef::PackedColorArray(v) => real_array(Kind::PackedColorArray, v),
        VariantRef::Image(image) => Value::Image {
            format: image.head.format.get(),
            mipmaps: image.head.mipmaps.get(),
            width: image.head.width.get(),
            height: image.head.height.get(),
            data: image.pixels.to_vec(),
        },
        VariantRef::InputEvent(event) => Value::InputEvent {
            kind: event.event(),
            device: event.device(),
            length: event.size(),
            body: event.body().to_vec(),
        },
        other => panic!("a container is no leaf: {other:?}"),
    }
}
