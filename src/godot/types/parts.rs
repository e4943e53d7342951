//! The parts of a leaf: the arguments of its constructor in a script, with vectors and arrays among
//! them replaced by their numbers. `Vector2(1, 2)` has the parts 1 and 2.
//!
//! A notation prints a value as a list of its parts, and reads a value from such a list, without
//! knowing the types.

use super::node_path::NodePathRef;
use super::text::StrRef;
use crate::godot::VariantRef;
#[cfg(feature = "alloc")]
use alloc::{borrow::Cow, vec::Vec};
#[cfg(feature = "alloc")]
use core::ops::RangeInclusive;

/// One part of a value.
#[derive(Clone, Copy, Debug)]
pub(crate) enum Part<'a> {
    Bool(bool),
    Int(i64),
    /// An id of an object or RID, which only the process that wrote it can look up.
    Id(u64),
    Real(f64),
    Text(StrRef<'a>),
    Path(NodePathRef<'a>),
}

impl<'a> Part<'a> {
    /// Returns the value that consists of this part alone.
    pub(crate) fn value(self) -> VariantRef<'a> {
        match self {
            Self::Bool(value) => VariantRef::Bool(value),
            Self::Int(int) => VariantRef::Int(int),
            Self::Id(id) => VariantRef::Rid(Some(id)),
            Self::Real(real) => VariantRef::Float(real),
            Self::Text(text) => VariantRef::String(text),
            Self::Path(path) => VariantRef::NodePath(path),
        }
    }
}

/// The result of a callback that receives parts.
pub(crate) type PartResult<E> = Result<(), E>;

/// The result of writing a value from its parts.
#[cfg(feature = "alloc")]
pub(crate) type BuildResult<E> = Result<(), E>;

/// A type-erased source of a value's parts. The code that writes values is large, so it is not
/// compiled for each type of source.
#[cfg(feature = "alloc")]
pub(crate) type PartSource<'p, 't, E> = dyn ReadParts<'t, Error = E> + 'p;

/// Reads a value's parts, in the order in which a script passes them to the type's constructor.
#[cfg(feature = "alloc")]
pub(crate) trait ReadParts<'t> {
    type Error;

    /// Returns the number of remaining parts.
    fn left(&self) -> usize;

    /// Returns `true` if reals are to be written in double precision.
    fn is_double(&self) -> bool;

    /// Returns `true` if reals come in wire order, in which a basis is listed row by row and not
    /// axis by axis.
    fn is_by_rows(&self) -> bool {
        false
    }

    fn bool(&mut self) -> Result<bool, Self::Error>;

    /// Reads an integer in this range.
    fn int_in(&mut self, range: RangeInclusive<i64>) -> Result<i64, Self::Error>;

    fn id(&mut self) -> Result<u64, Self::Error>;

    fn real(&mut self) -> Result<f64, Self::Error>;

    /// Reads a real and rounds it to the nearest `f32`.
    fn single(&mut self) -> Result<f64, Self::Error> {
        self.real().map(|real| f64::from(real as f32))
    }

    /// Reads text as raw bytes, normally UTF-8.
    fn text(&mut self) -> Result<Cow<'t, [u8]>, Self::Error>;

    /// Returns the error for a list with a wrong number of parts. `count` is the number of missing
    /// or surplus parts.
    fn wrong_count(&self, count: usize) -> Self::Error;
}

#[cfg(feature = "alloc")]
impl<E> PartSource<'_, '_, E> {
    /// Reads an integer that fits in `T`.
    pub(crate) fn int<T: PartInt>(&mut self) -> Result<T, E> {
        let int = self.int_in(T::RANGE)?;
        T::try_from(int).map_err(|_| self.wrong_count(1)) // unreachable: the range is that of `T`
    }

    /// Reads all remaining parts with `read`.
    pub(crate) fn all<T>(
        &mut self,
        mut read: impl FnMut(&mut Self) -> Result<T, E>,
    ) -> Result<Vec<T>, E> {
        let mut all = Vec::with_capacity(self.left());
        while self.left() > 0 {
            all.push(read(self)?);
        }
        Ok(all)
    }
}

/// A type of integer that a part can have.
#[cfg(feature = "alloc")]
pub(crate) trait PartInt: TryFrom<i64> {
    const RANGE: RangeInclusive<i64>;
}

#[cfg(feature = "alloc")]
macro_rules! part_ints {
    ($($Int:ident)*) => {$(
        impl PartInt for $Int {
            const RANGE: RangeInclusive<i64> = $Int::MIN as i64..=$Int::MAX as i64;
        }
    )*};
}
#[cfg(feature = "alloc")]
part_ints!(u8 u32 i32 i64);
