//! Calls every accessor of every view, and checks that the results agree with one another.

use crate::support::godot::oracle::{godot3_code_points, seen};
use gamewire::godot::{
    ArrayRef, Dialect, DictionaryRef, Encoded, EventType, FullObject, NodePathRef, ObjectRef,
    PackedStringArrayRef, Real, RealLayout, Reals, StrRef, TypeRef, VariantRef,
};
use std::collections::hash_map::DefaultHasher;
use std::fmt::{self, Write};
use std::hash::{Hash, Hasher};

pub struct Look<'a> {
    /// The input that every view must borrow from.
    pub input: &'a [u8],
    /// Number of values that may still be visited, which limits the work.
    pub left: usize,
}

impl Look<'_> {
    /// Visits the value, and the values inside it down to `depth` levels.
    pub fn at(&mut self, encoded: Encoded<'_>, depth: usize) {
        let Some(left) = self.left.checked_sub(1) else { return };
        self.left = left;
        self.inside(encoded.as_bytes());
        let value = encoded.decode();
        assert_eq!(encoded.kind(), value.kind());
        assert!(encoded.dialect().id(value.kind()).is_some());
        assert!(encoded.as_bytes().starts_with(&encoded.header().to_le_bytes()));
        glance(encoded);
        glance(value);
        accessors(value);
        match value {
            VariantRef::Array(array) => self.array(array, encoded, depth),
            VariantRef::Dictionary(dictionary) => self.dictionary(dictionary, encoded, depth),
            VariantRef::Object(ObjectRef::Full(object)) => self.object(object, encoded, depth),
            VariantRef::String(text) | VariantRef::StringName(text) => self.text(text),
            VariantRef::Signal(signal) => self.text(signal.name),
            VariantRef::NodePath(path) => self.path(path, encoded.dialect()),
            VariantRef::PackedStringArray(texts) => self.texts(texts),
            VariantRef::PackedByteArray(bytes) => self.inside(bytes),
            VariantRef::Image(image) => self.inside(image.pixels),
            VariantRef::InputEvent(event) => {
                self.inside(event.body());
                if let EventType::Other(other) = event.decode() {
                    assert_eq!((other, event.body().len()), (event.event(), 0));
                }
            }
            reals => real_types(reals),
        }
    }

    fn inside(&self, part: &[u8]) {
        let (input, range) = (self.input.as_ptr_range(), part.as_ptr_range());
        let inside = input.start <= range.start && range.end <= input.end;
        assert!(part.is_empty() || inside, "borrowed from the input");
    }

    fn array(&mut self, array: ArrayRef<'_>, encoded: Encoded<'_>, depth: usize) {
        assert_eq!(array.encoded(), encoded);
        empty(array.is_empty(), array.len());
        array.is_shared();
        self.type_of(array.element_type());
        if depth == 0 || array.len() > self.left {
            return;
        }
        let items = exact(array.iter().encoded(), array.len());
        let values = exact(array.into_iter(), array.len());
        for (index, (item, value)) in items.iter().zip(values).enumerate() {
            assert_eq!(item.kind(), value.kind());
            if index < 3 || index + 1 == array.len() {
                assert_eq!(array.get(index).map(|value| value.kind()), Some(value.kind()));
            }
            self.at(*item, depth - 1);
        }
        assert!(array.get(array.len()).is_none());
    }

    fn dictionary(&mut self, dictionary: DictionaryRef<'_>, encoded: Encoded<'_>, depth: usize) {
        assert_eq!(dictionary.encoded(), encoded);
        empty(dictionary.is_empty(), dictionary.len());
        dictionary.is_shared();
        self.type_of(dictionary.key_type());
        self.type_of(dictionary.value_type());
        if depth == 0 || dictionary.len() > self.left {
            return;
        }
        let pairs = exact(dictionary.iter().encoded(), dictionary.len());
        let flat = exact(dictionary.flat().encoded(), 2 * dictionary.len());
        assert_eq!(exact(dictionary.into_iter(), dictionary.len()).len(), pairs.len());
        assert!(flat.chunks(2).map(|pair| (pair[0], pair[1])).eq(pairs.iter().copied()));
        for (index, (key, value)) in pairs.iter().enumerate() {
            if index < 4 {
                keys(dictionary, &pairs, *key);
            }
            self.at(*key, depth - 1);
            self.at(*value, depth - 1);
        }
        keys(dictionary, &pairs, encoded);
    }

    fn object(&mut self, object: FullObject<'_>, encoded: Encoded<'_>, depth: usize) {
        assert_eq!(object.encoded(), encoded);
        empty(object.is_empty(), object.len());
        self.text(object.class());
        if depth == 0 || object.len() > self.left {
            return;
        }
        let properties = exact(object.properties().encoded(), object.len());
        assert_eq!(exact(object.properties(), object.len()).len(), properties.len());
        for (index, (name, value)) in properties.iter().enumerate() {
            self.text(*name);
            if let (true, Ok(name)) = (index < 4, name.to_str()) {
                let last = properties.iter().rfind(|(other, _)| *other == name);
                let kind = last.map(|(_, value)| value.kind());
                assert_eq!(object.get(name).map(|value| value.kind()), kind);
            }
            self.at(*value, depth - 1);
        }
    }

    fn type_of(&self, of: TypeRef<'_>) {
        match of {
            TypeRef::Class(text) | TypeRef::Script(text) => self.text(text),
            TypeRef::Builtin(kind) => assert!(Dialect::Godot4.id(kind).is_some()),
            TypeRef::Untyped => {}
        }
    }

    fn path(&self, path: NodePathRef<'_>, dialect: Dialect) {
        glance(path);
        let names = exact(path.names(), path.names().len());
        let subnames = exact(path.subnames(), path.subnames().len());
        names.iter().chain(&subnames).for_each(|text| self.text(*text));
        path.property().into_iter().for_each(|text| self.text(text));
        if let Some(old) = path.old_form() {
            self.text(old);
            assert!(names.is_empty() && subnames.is_empty() && path.property().is_none());
            assert!(!path.is_absolute());
            assert_eq!(path.to_string(), old.to_string());
            return;
        }
        let join = |texts: &[StrRef<'_>], by: &str| {
            texts.iter().map(ToString::to_string).collect::<Vec<_>>().join(by)
        };
        let root = if path.is_absolute() { "/" } else { "" };
        let mut shown = format!("{root}{}", join(&names, "/"));
        let subnames: Vec<_> = subnames.into_iter().chain(path.property()).collect();
        // Godot 4 prints sub-names only if their text, joined by colons, is not empty.
        let older = matches!(dialect, Dialect::Godot2 | Dialect::Godot3);
        if older && !subnames.is_empty() || !join(&subnames, ":").is_empty() {
            shown = format!("{shown}:{}", join(&subnames, ":"));
        }
        assert_eq!(path.to_string(), shown);
    }

    fn texts(&self, texts: PackedStringArrayRef<'_>) {
        empty(texts.is_empty(), texts.len());
        for text in exact(texts.into_iter(), texts.len()).into_iter().take(20) {
            self.text(text);
        }
    }

    fn text(&self, text: StrRef<'_>) {
        let bytes = text.as_bytes();
        self.inside(bytes);
        let visible = seen(bytes);
        let utf8 = str::from_utf8(visible);
        let lossy = String::from_utf8_lossy(visible);
        assert_eq!(text.visible(), visible);
        assert_eq!(text.to_str(), utf8);
        assert_eq!(text.to_string_lossy(), lossy);
        assert_eq!(text.to_string(), lossy);
        glance(text);
        for &dialect in Dialect::ALL {
            let accepted = match dialect {
                Dialect::Godot2 => true,
                Dialect::Godot3 => godot3_code_points(bytes).is_some(),
                _ => utf8.is_ok(),
            };
            assert_eq!(text.is_accepted_by(dialect), accepted, "{dialect} {text:?}");
        }
        equal(text, visible);
        equal(text, bytes);
        equal(text, bytes.get(1..).unwrap_or(b"x"));
        equal(text, &[bytes, b"x"].concat());
        assert_eq!(hash(text), hash(StrRef::new([bytes, b"\0x"].concat().as_slice())));
    }
}

/// Asserts that `text` equals `other` if and only if `other` is the text that a script sees, or the
/// bytes on the wire.
fn equal(text: StrRef<'_>, other: &[u8]) {
    let same = text.visible() == other || text.as_bytes() == other;
    assert_eq!(text == *other, same, "{text:?} {other:?}");
    assert_eq!(text == StrRef::new(other), text.visible() == StrRef::new(other).visible());
    if let Ok(other) = str::from_utf8(other) {
        assert_eq!(text == other, same);
        assert_eq!(text == *other, same);
    }
}

fn hash(text: StrRef<'_>) -> u64 {
    let mut hasher = DefaultHasher::new();
    text.hash(&mut hasher);
    hasher.finish()
}

/// Looks up the text of `key` in the dictionary, or a missing key if `key` has no text. `key` need
/// not be a key of the dictionary.
fn keys(dictionary: DictionaryRef<'_>, pairs: &[(Encoded<'_>, Encoded<'_>)], key: Encoded<'_>) {
    let text = key.decode().as_str().and_then(|text| text.to_str().ok());
    let text = text.unwrap_or("no such key");
    let is_key = |(key, _): &&(Encoded<'_>, Encoded<'_>)| {
        key.decode().as_str().is_some_and(|found| found == text)
    };
    let kind = |found: Option<VariantRef<'_>>| found.map(|value| value.kind());
    let first = pairs.iter().find(is_key).map(|(_, value)| value.kind());
    let last = pairs.iter().rfind(is_key).map(|(_, value)| value.kind());
    assert_eq!(kind(dictionary.get(text)), first);
    assert_eq!(kind(dictionary.get_last(text)), last);
    let by = dictionary.get_by(|key| key.as_str().is_some_and(|found| found == text));
    assert_eq!(kind(by), first);
}

fn empty(is_empty: bool, len: usize) {
    assert_eq!(is_empty, len == 0);
}

/// Consumes `iter`. Asserts that the iterator knows its exact length before each item, and still
/// returns `None` when it is called again after its end.
fn exact<I: ExactSizeIterator + Clone + fmt::Debug>(mut iter: I, len: usize) -> Vec<I::Item> {
    glance(iter.clone());
    let mut items = Vec::new();
    loop {
        let left = len - items.len();
        assert_eq!(iter.size_hint(), (left, Some(left)));
        match iter.next() {
            Some(item) => items.push(item),
            None => break,
        }
    }
    assert_eq!(items.len(), len);
    assert!(iter.next().is_none(), "stays at its end");
    items
}

/// Prints only the first bytes of the `Debug` output, so that a long array takes no longer than a
/// short one.
fn glance(value: impl fmt::Debug) {
    let _ = write!(Glance(100), "{value:?}");
}

struct Glance(usize);

impl Write for Glance {
    fn write_str(&mut self, text: &str) -> fmt::Result {
        self.0 = self.0.checked_sub(text.len()).ok_or(fmt::Error)?;
        Ok(())
    }
}

/// Asserts that every accessor returns a value for the types that it supports, and `None` for all
/// other types.
fn accessors(value: VariantRef<'_>) {
    use VariantRef as V;
    let object_is_null = value.as_object().is_some_and(|object| object.is_null());
    assert_eq!(value.is_nil(), matches!(value, V::Nil) || object_is_null);
    assert_eq!(value.as_bool().is_some(), matches!(value, V::Bool(_)));
    assert_eq!(value.as_i64().is_some(), matches!(value, V::Int(_)));
    assert_eq!(value.as_f64().is_some(), matches!(value, V::Int(_) | V::Float(_)));
    assert_eq!(value.as_str().is_some(), matches!(value, V::String(_) | V::StringName(_)));
    assert_eq!(value.as_bytes().is_some(), matches!(value, V::PackedByteArray(_)));
    assert_eq!(value.as_array().is_some(), matches!(value, V::Array(_)));
    assert_eq!(value.as_dictionary().is_some(), matches!(value, V::Dictionary(_)));
    assert_eq!(value.as_object().is_some(), matches!(value, V::Object(_)));
    assert_eq!(value.as_node_path().is_some(), matches!(value, V::NodePath(_)));
    assert_eq!(value.as_vector2().is_some(), matches!(value, V::Vector2(_) | V::Vector2i(_)));
    assert_eq!(value.as_vector3().is_some(), matches!(value, V::Vector3(_) | V::Vector3i(_)));
    assert_eq!(value.as_vector4().is_some(), matches!(value, V::Vector4(_) | V::Vector4i(_)));
}

fn real_types(value: VariantRef<'_>) {
    match value {
        VariantRef::Vector2(it) => real(it),
        VariantRef::Rect2(it) => real(it),
        VariantRef::Vector3(it) => real(it),
        VariantRef::Transform2D(it) => real(it),
        VariantRef::Vector4(it) => real(it),
        VariantRef::Plane(it) => real(it),
        VariantRef::Quaternion(it) => real(it),
        VariantRef::Aabb(it) => real(it),
        VariantRef::Basis(it) => real(it),
        VariantRef::Transform3D(it) => real(it),
        VariantRef::Projection(it) => real(it),
        VariantRef::Color(it) => real(it),
        VariantRef::PackedVector2Array(it) => reals(it),
        VariantRef::PackedVector3Array(it) => reals(it),
        VariantRef::PackedVector4Array(it) => reals(it),
        VariantRef::PackedColorArray(it) => reals(it),
        _ => {}
    }
}

fn real<L: RealLayout>(real: Real<'_, L>) {
    let value = real.get();
    assert_eq!(real.is_double(), matches!(real, Real::Double(_)));
    assert_eq!(bits(L::from_double(&value.to_double())), bits(value), "f64 holds both exactly");
    if !real.is_double() {
        assert_eq!(bits(L::from_single(&value.to_single())), bits(value), "f32 held it");
    }
}

fn reals<L: RealLayout>(reals: Reals<'_, L>) {
    empty(reals.is_empty(), reals.len());
    assert!(reals.get(reals.len()).is_none());
    for (index, element) in exact(reals.iter(), reals.len()).into_iter().enumerate() {
        assert_eq!(reals.get(index).map(bits), Some(bits(element)));
    }
}

/// Returns the bits of the components, with the same bits for all NaNs.
fn bits<L: RealLayout>(value: L) -> Vec<u64> {
    let quiet = |part: &f64| if part.is_nan() { 0x7FF8 << 48 } else { part.to_bits() };
    value.parts().as_ref().iter().map(quiet).collect()
}
