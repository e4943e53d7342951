//! Structs whose fields come in the order in which they are declared, all of them: as this
//! crate writes them, and an engine that fills a Dictionary so.
//!
//! Then each key is known before it is read. The type is told of a sequence, as other formats
//! without names do, so no name has to be looked up: a key is compared with a constant, and
//! what follows does not have to wait for its length. Where that comes to nothing, everything
//! is read again in the way for any order (`Deserializer::read`): at most twice the work.

use super::recursion_budget::RecursionBudget;
use super::value::Value;
use super::{Error, Result, fast_path};
use crate::buffer::unlikely;
use crate::godot::table::dialect::Spec;
use core::marker::PhantomData;
use serde::de::{Deserialize, DeserializeSeed, SeqAccess};

/// The values of a dictionary, whose keys are to be these.
pub(super) struct InOrder<'de, 'c, D> {
    pub window: &'de [u8],
    /// Of the next key.
    pub pos: usize,
    pub budget: RecursionBudget,
    pub names: core::slice::Iter<'static, &'static str>,
    /// Where to say that they end.
    pub end: &'c mut Option<usize>,
    pub spec: PhantomData<D>,
}

impl<'de, D: Spec> InOrder<'de, '_, D> {
    /// Where the value of the next field starts.
    #[inline(always)]
    fn key(&mut self) -> Result<Option<usize>> {
        let Some(name) = self.names.next() else { return Ok(None) };
        match fast_path::after_key::<D>(self.window, self.pos, name) {
            Some(after) => Ok(Some(after)),
            None => Err(another_order()),
        }
    }

    /// The value that was read ends at `pos`.
    #[inline(always)]
    fn passed(&mut self, pos: usize) {
        self.pos = pos;
        if self.names.as_slice().is_empty() {
            *self.end = Some(pos);
        }
    }
}

impl<'de, D: Spec> SeqAccess<'de> for InOrder<'de, '_, D> {
    type Error = Error;

    /// What derived types call: inlined for each field, where its name is a constant, and
    /// without a seed, which is one call more that the compiler may leave.
    #[inline(always)]
    fn next_element<T: Deserialize<'de>>(&mut self) -> Result<Option<T>> {
        let Some(mut pos) = self.key()? else { return Ok(None) };
        let value = T::deserialize(Value::<D>::new(self.window, &mut pos, self.budget));
        self.passed(pos);
        value.map(Some).map_err(unlikely)
    }

    #[inline]
    fn next_element_seed<T: DeserializeSeed<'de>>(&mut self, seed: T) -> Result<Option<T::Value>> {
        let Some(mut pos) = self.key()? else { return Ok(None) };
        let value = seed.deserialize(Value::<D>::new(self.window, &mut pos, self.budget));
        self.passed(pos);
        value.map(Some).map_err(unlikely)
    }
}

#[cold]
#[inline(never)]
fn another_order() -> Error {
    Error::fallback()
}
