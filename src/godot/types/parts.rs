//! Values as the parts that a script lists: `Vector2(1, 2)` has the parts 1 and 2.
//! Notations print a value by listing its parts and read one from a list, so that
//! no notation needs to know the types.

use super::node_path::NodePathRef;
use super::text::StrRef;
use crate::godot::VariantRef;

/// One part of a value.
#[derive(Clone, Copy, Debug)]
pub(crate) enum Part<'a> {
    Bool(bool),
    Int(i64),
    /// Of something that only the engine which wrote it can look up.
    Id(u64),
    Real(f64),
    Text(StrRef<'a>),
    Path(NodePathRef<'a>),
}

impl<'a> Part<'a> {
    /// The value that is this part alone.
    pub(crate) fn value(self) -> VariantRef<'a> {
        match self {
            Self::Bool(bool) => VariantRef::Bool(bool),
            Self::Int(int) => VariantRef::Int(int),
            Self::Id(id) => VariantRef::Rid(Some(id)),
            Self::Real(real) => VariantRef::Float(real),
            Self::Text(text) => VariantRef::String(text),
            Self::Path(path) => VariantRef::NodePath(path),
        }
    }
}

/// What telling a value's parts comes to.
pub(crate) type PartResult<E> = Result<(), E>;

/// What writing a value from its parts comes to.
#[cfg(feature = "alloc")]
pub(crate) type BuildResult<'t, P> = Result<(), <P as PartSource<'t>>::Error>;

/// Gives the parts of a value, in a script's order.
#[cfg(feature = "alloc")]
pub(crate) trait PartSource<'t> {
    type Error: From<crate::godot::Error>;

    /// How many parts are left.
    fn left(&self) -> usize;

    /// Whether reals are to be written in double precision.
    fn is_double(&self) -> bool;

    /// Whether reals come in the order of the wire: a basis by its rows, not by its axes.
    fn is_by_rows(&self) -> bool {
        false
    }

    fn bool(&mut self) -> Result<bool, Self::Error>;

    /// An integer that fits `T`.
    fn int<T: TryFrom<i64>>(&mut self) -> Result<T, Self::Error>;

    fn id(&mut self) -> Result<u64, Self::Error>;

    fn real(&mut self) -> Result<f64, Self::Error>;

    /// The nearest `f32`, widened.
    fn single(&mut self) -> Result<f64, Self::Error> {
        self.real().map(|real| f64::from(real as f32))
    }

    /// Text as a packet has it, UTF-8 mostly.
    fn text(&mut self) -> Result<alloc::borrow::Cow<'t, [u8]>, Self::Error>;

    /// That `count` more parts cannot be had from `left` ones: too few, or not a
    /// multiple.
    fn wrong_count(&self, count: usize) -> Self::Error;

    /// All parts that are left, each read by `read`.
    fn all<T>(
        &mut self,
        mut read: impl FnMut(&mut Self) -> Result<T, Self::Error>,
    ) -> Result<alloc::vec::Vec<T>, Self::Error>
    where
        Self: Sized,
    {
        let mut all = alloc::vec::Vec::with_capacity(self.left());
        while self.left() > 0 {
            all.push(read(self)?);
        }
        Ok(all)
    }
}
