//! What typed containers make of elements of other types.

use super::Reading;
use super::args::narrow;
use super::number::cut;
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

/// What a typed container says of itself.
#[derive(Debug)]
pub(super) enum Stated {
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

/// The typed container. An engine takes all elements or, where one cannot be converted,
/// none.
pub(super) fn fit(container: Variant, stated: &Stated, how: Reading) -> Option<Variant> {
    match (container, stated) {
        (Variant::Array(array), Stated::Array(element)) => {
            let items = array.items.into_iter().map(|item| convert(item, element, how));
            let items = all(items.collect(), how)?;
            let mut array = Array::from_iter(items);
            array.set_element_type(element.get());
            Some(array.into())
        }
        (Variant::Dictionary(dictionary), Stated::Dictionary(key, value)) => {
            let pairs = dictionary
                .pairs
                .into_iter()
                .map(|pair| Some((convert(pair.0, key, how)?, convert(pair.1, value, how)?)));
            let pairs = all(pairs.collect(), how)?;
            let mut dictionary = Dictionary::from_iter(pairs);
            dictionary.set_types(key.get(), value.get());
            Some(dictionary.into())
        }
        (container, _) => Some(container),
    }
}

fn all<T>(items: Option<Vec<T>>, how: Reading) -> Option<Vec<T>> {
    items.or_else(|| how.as_the_engine.then(Vec::new))
}

fn convert(item: Variant, to: &Type, how: Reading) -> Option<Variant> {
    match to.get() {
        to if to.accepts(item.kind()) => Some(item),
        TypeRef::Builtin(kind) => convert_to(&item, kind, how),
        _ => None,
    }
}

/// By its parts, where the types have the same ones, but for how they are written.
fn convert_to(item: &Variant, to: Kind, how: Reading) -> Option<Variant> {
    let from = item.kind();
    match (item, packed_of(to), packed_of(from)) {
        (Variant::Array(array), Some(element), _) => {
            let mut parts = Vec::new();
            for item in &array.items {
                parts = packed_item(parts, item, element, how)?;
            }
            built(to, parts, how)
        }
        (Variant::Leaf(_), _, Some(element)) if to == Kind::Array => unpacked(item, element, how),
        (Variant::Leaf(_), ..) if have_same_parts(from, to) => {
            built(to, gather(Vec::new(), item)?, how)
        }
        (Variant::Leaf(_), ..) if to == Kind::Color => color(item, how),
        _ => None,
    }
}

/// Adds the parts of an item that a packed array takes. Engines take anything, and make
/// zeros of what is no such element.
fn packed_item<'v>(
    mut parts: Vec<Part<'v>>,
    item: &'v Variant,
    (kind, each): (Kind, usize),
    how: Reading,
) -> Option<Vec<Part<'v>>> {
    if item.kind() == kind || have_same_parts(item.kind(), kind) {
        return gather(parts, item);
    }
    let zeros = how.as_the_engine && kind != Kind::String;
    parts.extend(core::iter::repeat_n(Part::Int(0), each));
    Some(parts).filter(|_| zeros)
}

/// An int has a byte each for red, green, blue and alpha; a text the digits. Engines make
/// opaque black of any other text.
fn color(item: &Variant, how: Reading) -> Option<Variant> {
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
    let black = how.as_the_engine.then_some([0.0, 0.0, 0.0, 1.0]);
    let [r, g, b, a] = parts.or(black)?;
    Some(Color { r, g, b, a }.into())
}

/// Adds the parts of a leaf.
fn gather<'v>(mut parts: Vec<Part<'v>>, item: &'v Variant) -> Option<Vec<Part<'v>>> {
    let leaf = item.leaf()?;
    leaf.parts(&mut |part| {
        parts.push(part);
        Ok::<(), Error>(())
    })
    .ok()?;
    Some(parts)
}

/// What a packed array's elements are, each by itself.
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

#[allow(clippy::disallowed_methods, reason = "`of_elements` gives 1 to 4")]
fn unpacked(item: &Variant, (kind, each): (Kind, usize), how: Reading) -> Option<Variant> {
    let parts = gather(Vec::new(), item)?;
    let items = parts.chunks(each).map(|element| built(kind, element.to_vec(), how));
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

fn built(kind: Kind, parts: Vec<Part<'_>>, how: Reading) -> Option<Variant> {
    let (mut bytes, dialect) = (Vec::new(), how.dialect);
    let mut out = Encoder::new(&mut bytes, dialect.into(), ENGINE_DEPTH);
    let mut from = Given { parts: parts.into_iter(), how };
    VariantRef::build(kind, &mut from, &mut out).ok()?;
    Encoded::trusted(&bytes, dialect).to_variant().ok()
}

/// Parts of one value for another.
struct Given<'v> {
    parts: IntoIter<Part<'v>>,
    how: Reading,
}

impl<'v> Given<'v> {
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

impl<'v> PartSource<'v> for Given<'v> {
    type Error = Error;

    fn left(&self) -> usize {
        self.parts.len()
    }

    fn is_double(&self) -> bool {
        self.how.is_double()
    }

    fn bool(&mut self) -> Result<bool> {
        match self.number()? {
            number if number.is_nan() && !self.how.as_the_engine => Err(self.wrong_count(1)),
            number => Ok(number != 0.0),
        }
    }

    /// Engines cut off what is behind the point.
    fn int<T: TryFrom<i64>>(&mut self) -> Result<T> {
        let is_whole = |int: i64, real: f64| self.how.as_the_engine || int as f64 == real;
        let int = match self.parts.next() {
            Some(Part::Bool(value)) => Some(i64::from(value)),
            Some(Part::Int(value)) => Some(value),
            Some(Part::Real(value)) => {
                Some(cut(value, i64::MIN)).filter(|int| is_whole(*int, value))
            }
            _ => None,
        };
        int.and_then(|int| narrow(int, self.how)).ok_or_else(|| self.wrong_count(1))
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
