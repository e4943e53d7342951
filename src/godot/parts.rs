//! Values as the parts that a script lists: `Vector2(1, 2)` has the parts 1 and 2.
//! Notations print a value by listing its parts and read one from a list, so that
//! no notation needs to know the types.

use super::node_path::NodePathRef;
use super::text::StrRef;

/// Is told the parts of a value, in a script's order.
pub(crate) trait Parts<'a> {
    type Error;
    fn truth(&mut self, value: bool) -> Result<(), Self::Error>;
    fn int(&mut self, value: i64) -> Result<(), Self::Error>;
    /// Of something that only the engine which wrote it can look up.
    fn id(&mut self, value: u64) -> Result<(), Self::Error>;
    fn real(&mut self, value: f64) -> Result<(), Self::Error>;
    fn text(&mut self, value: StrRef<'a>) -> Result<(), Self::Error>;
    fn path(&mut self, value: NodePathRef<'a>) -> Result<(), Self::Error>;
}

/// What telling comes to.
pub(crate) type Told<'a, P> = Result<(), <P as Parts<'a>>::Error>;

/// What writing a value from its parts comes to.
#[cfg(feature = "alloc")]
pub(crate) type Built<'t, P> = Result<(), <P as PartSource<'t>>::Error>;

/// Gives the parts of a value, in a script's order.
#[cfg(feature = "alloc")]
pub(crate) trait PartSource<'t> {
    type Error: From<super::Error>;

    /// How many parts are left.
    fn left(&self) -> usize;

    /// Whether reals are to be written in double precision.
    fn is_double(&self) -> bool;

    fn truth(&mut self) -> Result<bool, Self::Error>;

    /// An integer that fits `T`.
    fn int<T: TryFrom<i64>>(&mut self) -> Result<T, Self::Error>;

    fn id(&mut self) -> Result<u64, Self::Error>;

    fn real(&mut self) -> Result<f64, Self::Error>;

    fn text(&mut self) -> Result<alloc::borrow::Cow<'t, str>, Self::Error>;

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
