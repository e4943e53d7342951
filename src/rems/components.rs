//! Decoded components of values, with one Rust type for all kinds of values.

use super::{Error, Kind, Part, Result, Scalar, StrRef, Value};

/// A string, a path, or one number of a value of any other kind.
///
/// Two components are equal if all their bits are equal, except that every NaN equals every other
/// NaN, because text files have only one NaN.
#[derive(Clone, Copy, Debug)]
pub enum Component<'a> {
    /// A string or the path of a file.
    Text(StrRef<'a>),
    /// A boolean.
    Bool(bool),
    /// A UTF-16 code unit.
    Char(u16),
    /// A colour, `0xAARRGGBB`.
    Color(i32),
    /// An integer of 8 to 64 bits.
    Int(i64),
    /// A single-precision number.
    F32(f32),
    /// A double-precision number.
    F64(f64),
}

impl Component<'_> {
    /// Returns `false` for NaN and infinities. Engines write them to text files without quotes, and
    /// cannot read them back in this form.
    pub fn is_finite(&self) -> bool {
        match self {
            Self::F32(real) => real.is_finite(),
            Self::F64(real) => real.is_finite(),
            _ => true,
        }
    }
}

impl PartialEq for Component<'_> {
    fn eq(&self, other: &Self) -> bool {
        match (self, other) {
            (Self::Text(a), Self::Text(b)) => a == b,
            (Self::Bool(a), Self::Bool(b)) => a == b,
            (Self::Char(a), Self::Char(b)) => a == b,
            (Self::Color(a), Self::Color(b)) => a == b,
            (Self::Int(a), Self::Int(b)) => a == b,
            (Self::F32(a), Self::F32(b)) => a.to_bits() == b.to_bits() || a.is_nan() && b.is_nan(),
            (Self::F64(a), Self::F64(b)) => a.to_bits() == b.to_bits() || a.is_nan() && b.is_nan(),
            _ => false,
        }
    }
}

/// The components of a value that is not an array. A number, string or path has one component, and
/// a matrix has up to 16.
///
/// ```
/// use gamewire::rems::{Component, Components, Item, TextReader};
///
/// let mut reader = TextReader::new(br#"[{"class":"T","v2:at":[0.5,2]}]"#);
/// while let Some(item) = reader.next()? {
///     if let Item::Value(value) = item {
///         let components = Components::of(&value)?;
///         assert_eq!(components.as_slice(), [Component::F32(0.5), Component::F32(2.0)]);
///     }
/// }
/// # Ok::<(), gamewire::rems::Error>(())
/// ```
#[derive(Clone, Copy, Debug)]
pub struct Components<'a> {
    kind: Kind,
    components: [Component<'a>; 16],
}

impl<'a> Components<'a> {
    /// Decodes a value.
    ///
    /// # Errors
    /// If the value is an array, or its bytes are malformed.
    pub fn of(value: &Value<'a>) -> Result<Self> {
        let kind = value.kind();
        let components = match kind.scalar() {
            Scalar::Text => [Component::Text(value.text()?); 16],
            Scalar::Bool => decode(value, Component::Bool)?,
            Scalar::Char => decode(value, Component::Char)?,
            Scalar::I32 if kind == Kind::Color => decode(value, Component::Color)?,
            Scalar::I8 => decode(value, |part: i8| Component::Int(part.into()))?,
            Scalar::I16 => decode(value, |part: i16| Component::Int(part.into()))?,
            Scalar::I32 => decode(value, |part: i32| Component::Int(part.into()))?,
            Scalar::I64 => decode(value, Component::Int)?,
            Scalar::F32 => decode(value, Component::F32)?,
            Scalar::F64 => decode(value, Component::F64)?,
        };
        Ok(Self { kind, components })
    }

    /// Returns the kind of the value.
    #[cfg(feature = "alloc")]
    pub(crate) const fn kind(&self) -> Kind {
        self.kind
    }

    /// Returns the component of a value that has only one, or `None` for other values.
    pub fn single(&self) -> Option<&Component<'a>> {
        self.components.first().filter(|_| self.as_slice().len() == 1)
    }

    /// Returns all components, column by column.
    pub fn as_slice(&self) -> &[Component<'a>] {
        self.components.get(..self.kind.parts()).unwrap_or_default()
    }

    /// Returns the columns of a matrix or the two corners of a box. Returns `None` for other
    /// values.
    #[allow(clippy::disallowed_methods, reason = "the chunk size is at least 1")]
    pub fn columns(&self) -> Option<impl Iterator<Item = &[Component<'a>]>> {
        let columns = self.as_slice().chunks(self.kind.rows().max(1));
        Some(columns).filter(|_| self.kind.columns() > 1)
    }
}

impl PartialEq for Components<'_> {
    fn eq(&self, other: &Self) -> bool {
        self.kind == other.kind && self.as_slice() == other.as_slice()
    }
}

fn decode<'a, T: Part>(
    value: &Value<'a>,
    wrap: impl Fn(T) -> Component<'a>,
) -> Result<[Component<'a>; 16], Error> {
    let parts = value.parts::<T>()?;
    let mut components = [Component::Bool(false); 16];
    for (component, part) in components.iter_mut().zip(parts.iter()) {
        *component = wrap(*part);
    }
    Ok(components)
}
