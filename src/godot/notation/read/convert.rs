//! Conversion of elements to the declared type of their container.

use super::Reading;
use super::args::narrow;
use super::number::truncate;
use super::parser::color_parts;
use crate::godot::read::walk::ENGINE_DEPTH;
use crate::godot::types::parts::{Part, PartSource};
use crate::godot::write::encoder::Encoder;
use crate::godot::{
    Array, Color, Dictionary, Encoded, Error, ErrorKind, Kind, Result, StrRef, TypeRef, Variant,
    VariantRef,
};
use alloc::borrow::Cow;
use alloc::vec::{IntoIter, Vec};

/// The declared types of a typed container.
#[derive(Debug)]
pub(super) enum DeclaredTypes {
    Array(Type),
    Dictionary(Type, Type),
}

#[derive(Debug)]
pub(super) enum Type {
    Untyped,
    Builtin(Kind),
    Class(Vec<u8>),
    Script(Vec<u8>),
}

impl Type {
    fn get(&self) -> TypeRef<'_> {
        match self {
            Self::Untyped => TypeRef::Untyped,
            Self::Builtin(kind) => TypeRef::Builtin(*kind),
            Self::Class(name) => TypeRef::Class(StrRef::new(name)),
            Self::Script(path) => TypeRef::Script(StrRef::new(path)),
        }
    }
}

/// Converts the elements of a container to the declared types. Returns `None` if an element cannot
/// be converted. With [`Reading::as_the_engine`], returns an empty container instead, as the engine
/// does.
pub(super) fn convert_container(
    container: Variant,
    types: &DeclaredTypes,
    options: Reading,
) -> Option<Variant> {
    match (container, types) {
        (Variant::Array(array), DeclaredTypes::Array(element)) => {
            let items = array.into_iter().map(|item| convert(item, element, options));
            let items = all_or_none(items.collect(), options)?;
            let mut array = Array::from_iter(items);
            array.set_element_type(element.get());
            Some(array.into())
        }
        (Variant::Dictionary(dictionary), DeclaredTypes::Dictionary(key, value)) => {
            let pairs = dictionary.into_iter().map(|pair| {
                Some((convert(pair.0, key, options)?, convert(pair.1, value, options)?))
            });
            let pairs = all_or_none(pairs.collect(), options)?;
            let mut dictionary = Dictionary::from_iter(pairs);
            dictionary.set_types(key.get(), value.get());
            Some(dictionary.into())
        }
        (container, _) => Some(container),
    }
}

fn all_or_none<T>(items: Option<Vec<T>>, options: Reading) -> Option<Vec<T>> {
    items.or_else(|| options.as_the_engine.then(Vec::new))
}

fn convert(item: Variant, to: &Type, options: Reading) -> Option<Variant> {
    match to.get() {
        to if to.accepts(item.kind()) => Some(item),
        TypeRef::Builtin(kind) => convert_to(&item, kind, options),
        _ => None,
    }
}

/// Converts a value to another built-in type. This is possible if both types consist of the same
/// parts, or of elements with the same parts. An int or a text can also become a colour.
fn convert_to(item: &Variant, to: Kind, options: Reading) -> Option<Variant> {
    let from = item.kind();
    match (item, packed_of(to), packed_of(from)) {
        (Variant::Array(array), Some(element), _) => {
            let mut parts = Vec::new();
            for item in &array.items {
                parts = packed_item(parts, item, element, options)?;
            }
            build(to, parts, options)
        }
        (Variant::Leaf(_), _, Some(element)) if to == Kind::Array => {
            unpacked(item, element, options)
        }
        (Variant::Leaf(_), ..) if have_same_parts(from, to) => {
            build(to, collect_parts(Vec::new(), item)?, options)
        }
        (Variant::Leaf(_), ..) if to == Kind::Color => color(item, options),
        _ => None,
    }
}

/// Appends the parts of one item of a packed array. Engines accept an item of any type. An item
/// that they cannot convert becomes zeros.
fn packed_item<'v>(
    mut parts: Vec<Part<'v>>,
    item: &'v Variant,
    (kind, part_count): (Kind, usize),
    options: Reading,
) -> Option<Vec<Part<'v>>> {
    if item.kind() == kind || have_same_parts(item.kind(), kind) {
        return collect_parts(parts, item);
    }
    let allows_zeros = options.as_the_engine && kind != Kind::String;
    parts.extend(core::iter::repeat_n(Part::Int(0), part_count));
    Some(parts).filter(|_| allows_zeros)
}

/// Converts an int or a text to a colour. The low four bytes of an int are red, green, blue and
/// alpha; a text has hexadecimal digits. Engines convert any other text to opaque black.
fn color(item: &Variant, options: Reading) -> Option<Variant> {
    let parts = match item.leaf()? {
        VariantRef::Int(int) => {
            let [.., r, g, b, a] = int.to_be_bytes();
            Some([r, g, b, a].map(|part| f32::from(part) / 255.0))
        }
        VariantRef::String(text) => {
            let text = text.to_str().ok()?;
            color_parts(text.strip_prefix('#').unwrap_or(text), true)
        }
        _ => return None,
    };
    let black = options.as_the_engine.then_some([0.0, 0.0, 0.0, 1.0]);
    let [r, g, b, a] = parts.or(black)?;
    Some(Color { r, g, b, a }.into())
}

/// Appends the parts of a leaf to `parts`.
fn collect_parts<'v>(mut parts: Vec<Part<'v>>, item: &'v Variant) -> Option<Vec<Part<'v>>> {
    let leaf = item.leaf()?;
    leaf.parts(&mut |part| {
        parts.push(part);
        Ok::<(), Error>(())
    })
    .ok()?;
    Some(parts)
}

/// Returns the type of the elements of a packed array, and the number of parts of an element.
fn packed_of(kind: Kind) -> Option<(Kind, usize)> {
    Some(match kind {
        Kind::PackedByteArray | Kind::PackedInt32Array | Kind::PackedInt64Array => (Kind::Int, 1),
        Kind::PackedFloat32Array | Kind::PackedFloat64Array => (Kind::Float, 1),
        Kind::PackedStringArray => (Kind::String, 1),
        Kind::PackedVector2Array => (Kind::Vector2, 2),
        Kind::PackedVector3Array => (Kind::Vector3, 3),
        Kind::PackedVector4Array => (Kind::Vector4, 4),
        Kind::PackedColorArray => (Kind::Color, 4),
        _ => return None,
    })
}

#[allow(clippy::disallowed_methods, reason = "`packed_of` returns 1 to 4 parts")]
fn unpacked(
    item: &Variant,
    (kind, part_count): (Kind, usize),
    options: Reading,
) -> Option<Variant> {
    let parts = collect_parts(Vec::new(), item)?;
    let items = parts.chunks(part_count).map(|element| build(kind, element.to_vec(), options));
    Some(items.collect::<Option<Vec<_>>>()?.into())
}

fn have_same_parts(from: Kind, to: Kind) -> bool {
    let families: [&[Kind]; 6] = [
        &[Kind::Bool, Kind::Int, Kind::Float],
        &[Kind::Vector2, Kind::Vector2i],
        &[Kind::Vector3, Kind::Vector3i],
        &[Kind::Vector4, Kind::Vector4i],
        &[Kind::Rect2, Kind::Rect2i],
        &[Kind::String, Kind::StringName],
    ];
    families.iter().any(|family| family.contains(&from) && family.contains(&to))
        || matches!((from, to), (Kind::NodePath, Kind::String) | (Kind::String, Kind::NodePath))
}

fn build(kind: Kind, parts: Vec<Part<'_>>, options: Reading) -> Option<Variant> {
    let (mut bytes, dialect) = (Vec::new(), options.dialect);
    let mut out = Encoder::new(&mut bytes, dialect.into(), ENGINE_DEPTH);
    let mut from = PartList { parts: parts.into_iter(), options };
    VariantRef::build(kind, &mut from, &mut out).ok()?;
    Encoded::trusted(&bytes, dialect).to_variant().ok()
}

/// The parts of a value, from which a value of another type is built.
struct PartList<'v> {
    parts: IntoIter<Part<'v>>,
    options: Reading,
}

impl<'v> PartList<'v> {
    fn next(&mut self) -> Result<Part<'v>> {
        self.parts.next().ok_or_else(|| self.wrong_count(1))
    }

    fn number(&mut self) -> Result<f64> {
        match self.next()? {
            Part::Bool(value) => Ok(f64::from(u8::from(value))),
            Part::Int(value) => Ok(value as f64),
            Part::Real(value) => Ok(value),
            _ => Err(self.wrong_count(1)),
        }
    }
}

impl<'v> PartSource<'v> for PartList<'v> {
    type Error = Error;

    fn left(&self) -> usize {
        self.parts.len()
    }

    fn is_double(&self) -> bool {
        self.options.is_double()
    }

    fn bool(&mut self) -> Result<bool> {
        match self.number()? {
            number if number.is_nan() && !self.options.as_the_engine => Err(self.wrong_count(1)),
            number => Ok(number != 0.0),
        }
    }

    /// Returns the next part as an integer. Engines truncate a real; otherwise only a whole number
    /// is accepted.
    fn int<T: TryFrom<i64>>(&mut self) -> Result<T> {
        let is_whole = |int: i64, real: f64| self.options.as_the_engine || int as f64 == real;
        let int = match self.parts.next() {
            Some(Part::Bool(value)) => Some(i64::from(value)),
            Some(Part::Int(value)) => Some(value),
            Some(Part::Real(value)) => {
                Some(truncate(value, i64::MIN)).filter(|int| is_whole(*int, value))
            }
            _ => None,
        };
        int.and_then(|int| narrow(int, self.options)).ok_or_else(|| self.wrong_count(1))
    }

    fn id(&mut self) -> Result<u64> {
        self.int::<i64>().map(i64::cast_unsigned)
    }

    fn real(&mut self) -> Result<f64> {
        self.number()
    }

    fn text(&mut self) -> Result<Cow<'v, [u8]>> {
        match self.next()? {
            Part::Text(text) => Ok(Cow::Borrowed(text.visible())),
            Part::Path(path) => {
                let pieces: Vec<_> = path.pieces().map(|piece| piece.visible()).collect();
                Ok(Cow::Owned(pieces.concat()))
            }
            _ => Err(self.wrong_count(1)),
        }
    }

    fn wrong_count(&self, _: usize) -> Error {
        Error::new(ErrorKind::WrongCount { found: 0 }, 0)
    }
}
