//! Rust types that can be written as values of properties.

use super::error::Result;
use super::item_sink::{ItemSink, OutputFormat};
use crate::rems::{Kind, Part, Scalar, Type};

/// A Rust type that can be written as the value of a property: booleans, numbers, strings, vectors,
/// and arrays of numbers or strings. [`KindValue`] covers all other kinds except `File`.
pub trait Put {
    /// Returns the type of the property.
    fn ty(&self) -> Type<'static>;

    /// Returns `true` if the engine, by default, omits properties that have this value.
    fn is_default(&self, form: OutputFormat) -> bool;

    /// Writes the value. The caller must have started the property.
    ///
    /// # Errors
    /// If the method of `to` that writes the value returns an error.
    fn put_to(&self, to: &mut impl ItemSink) -> Result;
}

/// A UTF-16 code unit.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Utf16Unit(pub u16);

/// A value of any kind except strings and paths, or an array of such values.
///
/// ```
/// use gamewire::rems::{Dialect, ItemSink, Kind, KindValue, TextWriter};
///
/// let mut writer = TextWriter::new(Vec::new(), Dialect::Engine2026);
/// writer.object("T", Some(1))?;
/// writer.put("turn", KindValue::one(Kind::Quat, &[0.0_f32, 0.0, 0.0, 1.0]))?;
/// writer.put("colors", KindValue::array(Kind::Color, &[-1, 0]))?;
/// writer.end()?;
/// let text = writer.finish()?;
/// let expected = br##"[{"class":"T","i:*ptr":1,"q4:turn":[0,0,0,1],"col[]:colors":[2,"#fff"]}]"##;
/// assert_eq!(text, expected);
/// # Ok::<(), gamewire::rems::WriteError>(())
/// ```
#[derive(Clone, Copy, Debug)]
pub struct KindValue<'v, T> {
    kind: Kind,
    value: Shape<'v, T>,
}

#[derive(Clone, Copy, Debug)]
enum Shape<'v, T> {
    One(&'v [T]),
    Array(&'v [T]),
    Rows(&'v [&'v [T]]),
}

impl<'v, T: Part> KindValue<'v, T> {
    /// Creates a single value, given by its components.
    pub const fn one(kind: Kind, parts: &'v [T]) -> Self {
        Self { kind, value: Shape::One(parts) }
    }

    /// Creates an array, given by the components of all elements.
    pub const fn array(kind: Kind, parts: &'v [T]) -> Self {
        Self { kind, value: Shape::Array(parts) }
    }

    /// Creates an array of arrays.
    pub const fn rows(kind: Kind, rows: &'v [&'v [T]]) -> Self {
        Self { kind, value: Shape::Rows(rows) }
    }
}

/// Returns `true` if the engine omits this value. The engine always writes matrices, boxes and
/// planes. It has two bugs: it omits every `v4i` in which x and y are 0, and, in binary streams,
/// every `v2` in which at least one component is 0.
fn is_default<T: Part>(kind: Kind, parts: &[T], form: OutputFormat) -> bool {
    let binary = !matches!(form, OutputFormat::Text(_));
    match (kind, parts) {
        (Kind::Vec4i, [x, y, ..]) => x.is_zero() && y.is_zero(),
        (Kind::Vec2, [x, y]) if binary => x.is_zero() || y.is_zero(),
        (Kind::Quat | Kind::Quatd, [rest @ .., w]) => {
            *w == T::ONE && rest.iter().all(|part| part.is_zero())
        }
        _ if kind.columns() > 1 || matches!(kind, Kind::Plane | Kind::Planed) => false,
        _ => parts.iter().all(|part| part.is_zero()),
    }
}

/// Returns `true` if the engine writes empty arrays of this kind. The engine of 2021 does so in
/// binary streams for some kinds.
fn is_kept_empty(kind: Kind, form: OutputFormat) -> bool {
    use Kind::*;
    is_binary_2021(form) && matches!(kind, Vec2i | Vec3i | Vec4i | Quat | Quatd)
}

fn is_binary_2021(form: OutputFormat) -> bool {
    match form {
        OutputFormat::Text(_) => false,
        #[cfg(feature = "alloc")]
        OutputFormat::Binary(era) => era < crate::rems::Era::March2022,
    }
}

impl<T: Part> Put for KindValue<'_, T> {
    fn ty(&self) -> Type<'static> {
        let dim = match self.value {
            Shape::One(_) => 0,
            Shape::Array(_) => 1,
            Shape::Rows(_) => 2,
        };
        Type::Kind(self.kind, dim)
    }

    fn is_default(&self, form: OutputFormat) -> bool {
        match self.value {
            Shape::One(parts) => is_default(self.kind, parts, form),
            Shape::Array([]) | Shape::Rows([]) => !is_kept_empty(self.kind, form),
            Shape::Array(_) | Shape::Rows(_) => false,
        }
    }

    fn put_to(&self, to: &mut impl ItemSink) -> Result {
        match self.value {
            Shape::One(parts) => to.parts(parts),
            Shape::Array(parts) => to.array(parts),
            Shape::Rows(rows) => to.rows(rows),
        }
    }
}

/// Returns the kind for a value with `parts` components of type `scalar`.
const fn kind_of(scalar: Scalar, parts: usize) -> Kind {
    match (scalar, parts) {
        (Scalar::F32, 2) => Kind::Vec2,
        (Scalar::F32, 3) => Kind::Vec3,
        (Scalar::F32, 4) => Kind::Vec4,
        (Scalar::F64, 2) => Kind::Vec2d,
        (Scalar::F64, 3) => Kind::Vec3d,
        (Scalar::F64, 4) => Kind::Vec4d,
        (Scalar::I32, 2) => Kind::Vec2i,
        (Scalar::I32, 3) => Kind::Vec3i,
        (Scalar::I32, 4) => Kind::Vec4i,
        (Scalar::Bool, _) => Kind::Bool,
        (Scalar::I8, _) => Kind::I8,
        (Scalar::Char, _) => Kind::Char,
        (Scalar::I16, _) => Kind::I16,
        (Scalar::I32, _) => Kind::I32,
        (Scalar::I64, _) => Kind::I64,
        (Scalar::F32, _) => Kind::F32,
        (Scalar::F64, _) => Kind::F64,
        (Scalar::Text, _) => Kind::String,
    }
}

macro_rules! put {
    ($([$($generic:tt)*] $T:ty, $self:ident => $many:expr;)*) => {$(
        impl $($generic)* Put for $T {
            fn ty(&self) -> Type<'static> {
                let $self = self;
                $many.ty()
            }

            fn is_default(&self, form: OutputFormat) -> bool {
                let $self = self;
                $many.is_default(form)
            }

            fn put_to(&self, to: &mut impl ItemSink) -> Result {
                let $self = self;
                $many.put_to(to)
            }
        }
    )*};
}
put! {
    [] bool, it => KindValue::one(Kind::Bool, &[*it]);
    [] i8, it => KindValue::one(Kind::I8, &[*it]);
    [] i16, it => KindValue::one(Kind::I16, &[*it]);
    [] i32, it => KindValue::one(Kind::I32, &[*it]);
    [] i64, it => KindValue::one(Kind::I64, &[*it]);
    [] f32, it => KindValue::one(Kind::F32, &[*it]);
    [] f64, it => KindValue::one(Kind::F64, &[*it]);
    [] Utf16Unit, it => KindValue::one(Kind::Char, &[it.0]);
    [] [f32; 2], it => KindValue::one(kind_of(Scalar::F32, 2), it);
    [] [f32; 3], it => KindValue::one(kind_of(Scalar::F32, 3), it);
    [] [f32; 4], it => KindValue::one(kind_of(Scalar::F32, 4), it);
    [] [f64; 2], it => KindValue::one(kind_of(Scalar::F64, 2), it);
    [] [f64; 3], it => KindValue::one(kind_of(Scalar::F64, 3), it);
    [] [f64; 4], it => KindValue::one(kind_of(Scalar::F64, 4), it);
    [] [i32; 2], it => KindValue::one(kind_of(Scalar::I32, 2), it);
    [] [i32; 3], it => KindValue::one(kind_of(Scalar::I32, 3), it);
    [] [i32; 4], it => KindValue::one(kind_of(Scalar::I32, 4), it);
    [<T: Part>] &[T], it => KindValue::array(kind_of(T::SCALAR, 1), it);
}

/// Writes a string.
impl Put for &str {
    fn ty(&self) -> Type<'static> {
        Type::Kind(Kind::String, 0)
    }

    /// The engine of 2021 does not omit empty strings in binary streams.
    fn is_default(&self, form: OutputFormat) -> bool {
        self.is_empty() && !is_binary_2021(form)
    }

    fn put_to(&self, to: &mut impl ItemSink) -> Result {
        to.text(*self)
    }
}

/// Writes a list of strings.
impl Put for &[&str] {
    fn ty(&self) -> Type<'static> {
        Type::Kind(Kind::String, 1)
    }

    fn is_default(&self, _: OutputFormat) -> bool {
        self.is_empty()
    }

    fn put_to(&self, to: &mut impl ItemSink) -> Result {
        to.list(u32::try_from(self.len()).unwrap_or(u32::MAX))?;
        self.iter().try_for_each(|text| to.text(*text))?;
        to.end()
    }
}
