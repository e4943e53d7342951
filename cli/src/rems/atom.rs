//! What values are made of: one thing for each part, whatever its kind.

use data_encoding::HEXLOWER;
use gamewire::rems::{Error, Kind, Part, Scalar, Str, Type, Value};
use serde::{Serialize, Serializer};

/// A text, or a part of anything else.
#[derive(Clone, Copy, Debug)]
pub enum Atom<'a> {
    Text(Str<'a>),
    Bool(bool),
    /// A unit of UTF-16.
    Char(u16),
    /// `0xAARRGGBB`.
    Color(i32),
    Int(i64),
    Single(f32),
    Double(f64),
}

/// The parts of a value that is no array.
#[derive(Clone, Copy, Debug)]
pub struct Atoms<'a> {
    kind: Kind,
    parts: [Atom<'a>; 16],
}

impl<'a> Atoms<'a> {
    /// Reads a value.
    ///
    /// # Errors
    /// If its bytes are no such thing.
    pub fn of(value: &Value<'a>) -> Result<Self, Error> {
        let kind = value.kind();
        let parts = match kind.scalar() {
            Scalar::Text => [Atom::Text(value.text()?); 16],
            Scalar::Bool => read(value, Atom::Bool)?,
            Scalar::Char => read(value, Atom::Char)?,
            Scalar::I32 if kind == Kind::Color => read(value, Atom::Color)?,
            Scalar::I8 => read(value, |part: i8| Atom::Int(part.into()))?,
            Scalar::I16 => read(value, |part: i16| Atom::Int(part.into()))?,
            Scalar::I32 => read(value, |part: i32| Atom::Int(part.into()))?,
            Scalar::I64 => read(value, Atom::Int)?,
            Scalar::F32 => read(value, Atom::Single)?,
            Scalar::F64 => read(value, Atom::Double)?,
        };
        Ok(Self { kind, parts })
    }

    /// The one part of what has but one.
    pub fn single(&self) -> Option<&Atom<'a>> {
        self.parts.first().filter(|_| self.parts().len() == 1)
    }

    pub fn parts(&self) -> &[Atom<'a>] {
        self.parts.get(..self.kind.parts()).unwrap_or_default()
    }

    /// Several columns, which are vectors; of a box the least and the greatest.
    pub fn columns(&self) -> Option<impl Iterator<Item = &[Atom<'a>]>> {
        let columns = self.parts().chunks(self.kind.rows().max(1));
        Some(columns).filter(|_| self.kind.columns() > 1)
    }
}

fn read<'a, T: Part>(
    value: &Value<'a>,
    atom: impl Fn(T) -> Atom<'a>,
) -> Result<[Atom<'a>; 16], Error> {
    let parts = value.parts::<T>()?;
    let mut atoms = [Atom::Bool(false); 16];
    for (to, part) in atoms.iter_mut().zip(parts.iter()) {
        *to = atom(*part);
    }
    Ok(atoms)
}

/// Bit for bit, but that every NaN is as any other: texts have only one.
impl PartialEq for Atom<'_> {
    fn eq(&self, other: &Self) -> bool {
        match (self, other) {
            (Self::Text(a), Self::Text(b)) => a == b,
            (Self::Bool(a), Self::Bool(b)) => a == b,
            (Self::Char(a), Self::Char(b)) => a == b,
            (Self::Color(a), Self::Color(b)) => a == b,
            (Self::Int(a), Self::Int(b)) => a == b,
            (Self::Single(a), Self::Single(b)) => {
                a.to_bits() == b.to_bits() || a.is_nan() && b.is_nan()
            }
            (Self::Double(a), Self::Double(b)) => {
                a.to_bits() == b.to_bits() || a.is_nan() && b.is_nan()
            }
            _ => false,
        }
    }
}

impl PartialEq for Atoms<'_> {
    fn eq(&self, other: &Self) -> bool {
        self.kind == other.kind && self.parts() == other.parts()
    }
}

impl Atom<'_> {
    /// Whether it is a number that no engine reads in a text.
    pub fn is_finite(&self) -> bool {
        match self {
            Self::Single(real) => real.is_finite(),
            Self::Double(real) => real.is_finite(),
            _ => true,
        }
    }
}

/// A unit of UTF-16 as a character, if it is one.
pub fn char_of(unit: u16) -> Option<char> {
    char::from_u32(unit.into())
}

/// As JSON. What that has no numbers for is text: NaN and infinities. Half a pair of UTF-16 is a
/// number.
impl Serialize for Atom<'_> {
    fn serialize<S: Serializer>(&self, to: S) -> Result<S::Ok, S::Error> {
        match self {
            Self::Text(text) => Text(*text).serialize(to),
            Self::Bool(value) => to.serialize_bool(*value),
            Self::Char(unit) => match char_of(*unit) {
                Some(char) => to.serialize_char(char),
                None => to.serialize_u16(*unit),
            },
            Self::Color(color) => to.collect_str(&format_args!("#{color:08x}")),
            Self::Int(value) => to.serialize_i64(*value),
            Self::Single(real) if real.is_finite() => to.serialize_f32(*real),
            Self::Double(real) if real.is_finite() => to.serialize_f64(*real),
            Self::Single(real) => to.collect_str(real),
            Self::Double(real) => to.collect_str(real),
        }
    }
}

/// A vector as an array, a matrix as an array of its columns, a box of its corners.
impl Serialize for Atoms<'_> {
    fn serialize<S: Serializer>(&self, to: S) -> Result<S::Ok, S::Error> {
        match (self.columns(), self.single()) {
            (Some(columns), _) => to.collect_seq(columns),
            (None, Some(atom)) => atom.serialize(to),
            (None, None) => to.collect_seq(self.parts()),
        }
    }
}

/// Text for JSON; what is not UTF-8 as `{"bytes":"HEX"}`.
pub struct Text<'a>(pub Str<'a>);

impl Serialize for Text<'_> {
    fn serialize<S: Serializer>(&self, to: S) -> Result<S::Ok, S::Error> {
        let bytes = self.0.to_bytes();
        match std::str::from_utf8(&bytes) {
            Ok(text) => to.serialize_str(text),
            Err(_) => to.collect_map([("bytes", HEXLOWER.encode(&bytes))]),
        }
    }
}

/// A type by its name, which need not be UTF-8.
pub struct TypeName<'a>(pub Type<'a>);

impl Serialize for TypeName<'_> {
    fn serialize<S: Serializer>(&self, to: S) -> Result<S::Ok, S::Error> {
        match self.0 {
            Type::Class(class, dim) => {
                let mut name = class.to_bytes().into_owned();
                (0..dim).for_each(|_| name.extend(b"[]"));
                Text(Str::new(&name)).serialize(to)
            }
            ty => to.collect_str(&ty),
        }
    }
}
