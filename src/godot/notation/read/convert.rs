//! Conversion of elements to the declared type of their container.

use super::Reading;
use super::args::narrow;
use super::error::{Error, ErrorKind, Result};
use super::number::truncate;
use super::packed_items::{self, Element, Failure, collect_parts, have_same_parts};
use crate::godot::read::walk::ENGINE_DEPTH;
use crate::godot::types::parts::{Part, ReadParts};
use crate::godot::write::encoder::Encoder;
use crate::godot::{Array, Color, Dictionary, Encoded, Kind, StrRef, TypeRef, Variant, VariantRef};
use alloc::borrow::Cow;
use alloc::vec::{IntoIter, Vec};
use core::ops::RangeInclusive;

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
/// be converted. There is one exception: with [`Reading::as_the_engine`], the result is an empty
/// container if the engine could not convert the element, because the engine then empties the
/// container.
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
            let pairs = dictionary
                .into_iter()
                .map(|pair| Ok((convert(pair.0, key, options)?, convert(pair.1, value, options)?)));
            let pairs = all_or_none(pairs.collect(), options)?;
            let mut dictionary = Dictionary::from_iter(pairs);
            dictionary.set_types(key.get(), value.get());
            Some(dictionary.into())
        }
        (container, _) => Some(container),
    }
}

fn all_or_none<T>(
    items: core::result::Result<Vec<T>, Failure>,
    options: Reading,
) -> Option<Vec<T>> {
    match items {
        Ok(items) => Some(items),
        Err(Failure::Refused) if options.is_as_the_engine() => Some(Vec::new()),
        Err(_) => None,
    }
}

fn convert(item: Variant, to: &Type, options: Reading) -> core::result::Result<Variant, Failure> {
    match to.get() {
        to if to.accepts(item.kind()) => Ok(item),
        TypeRef::Builtin(kind) => convert_to(&item, kind, options),
        _ => Err(Failure::Refused),
    }
}

/// Converts a value to a different built-in type. This is possible if both types consist of the
/// same parts, or of elements with the same parts. An int or text can also become a colour.
fn convert_to(
    item: &Variant,
    to: Kind,
    options: Reading,
) -> core::result::Result<Variant, Failure> {
    if let (Variant::Array(array), Some(element)) = (item, Element::of(to)) {
        let as_the_engine = options.is_as_the_engine();
        let append = |parts, item| packed_items::append(parts, item, element, as_the_engine);
        let parts = array.items.iter().try_fold(Vec::new(), append)?;
        return build(to, parts, options).ok_or(Failure::Refused);
    }
    let converted = match (item, Element::of(item.kind())) {
        (Variant::Leaf(_), Some(element)) if to == Kind::Array => unpacked(item, element, options),
        (Variant::Leaf(_), _) if have_same_parts(item.kind(), to) => {
            collect_parts(Vec::new(), item).and_then(|parts| build(to, parts, options))
        }
        (Variant::Leaf(_), _) if to == Kind::Color => color(item, options),
        _ => None,
    };
    converted.ok_or(Failure::Refused)
}

/// Converts an int or text to a colour. Engines convert text that is not a colour to opaque black.
fn color(item: &Variant, options: Reading) -> Option<Variant> {
    if !matches!(item.kind(), Kind::Int | Kind::String) {
        return None;
    }
    let black = options.is_as_the_engine().then_some(packed_items::BLACK);
    let [r, g, b, a] = packed_items::color(item).or(black)?;
    Some(Color { r, g, b, a }.into())
}

#[allow(clippy::disallowed_methods, reason = "an element has 1 to 4 parts")]
fn unpacked(item: &Variant, element: Element, options: Reading) -> Option<Variant> {
    let parts = collect_parts(Vec::new(), item)?;
    let items = parts.chunks(element.parts).map(|item| build(element.kind, item.to_vec(), options));
    Some(items.collect::<Option<Vec<_>>>()?.into())
}

fn build(kind: Kind, parts: Vec<Part<'_>>, options: Reading) -> Option<Variant> {
    let (mut bytes, dialect) = (Vec::new(), options.dialect);
    // A `Writer` also writes into a reference, so that both share the compiled code.
    let mut sink = &mut bytes;
    let mut out = Encoder::new(&mut sink, dialect.into(), ENGINE_DEPTH);
    let mut from = PartList { parts: parts.into_iter(), options };
    VariantRef::build(kind, &mut from, &mut out).ok()?;
    Encoded::trusted(&bytes, dialect).to_variant().ok()
}

/// The parts of a value, from which a value of a different type is built.
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

impl<'v> ReadParts<'v> for PartList<'v> {
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

    /// Returns the next part as an integer. With [`Reading::as_the_engine`], a real is truncated.
    /// Without it, a real must be a whole number.
    fn int_in(&mut self, range: RangeInclusive<i64>) -> Result<i64> {
        let is_whole = |int: i64, real: f64| self.options.as_the_engine || int as f64 == real;
        let int = match self.parts.next() {
            Some(Part::Bool(value)) => Some(i64::from(value)),
            Some(Part::Int(value)) => Some(value),
            Some(Part::Real(value)) => {
                Some(truncate(value, i64::MIN)).filter(|int| is_whole(*int, value))
            }
            _ => None,
        };
        int.and_then(|int| narrow(int, &range, self.options)).ok_or_else(|| self.wrong_count(1))
    }

    fn id(&mut self) -> Result<u64> {
        self.int_in(i64::MIN..=i64::MAX).map(i64::cast_unsigned)
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

    fn wrong_count(&self, count: usize) -> Error {
        let count = u32::try_from(count).unwrap_or(u32::MAX);
        Error::new(ErrorKind::PartCount(count), 0) // `build` discards the error
    }
}
