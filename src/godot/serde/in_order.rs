//! Reads structs whose fields are all present, in the order of their declaration. This crate writes
//! fields in this order. An engine does so if the script fills the Dictionary in this order.
//!
//! Each key is then known before it is read. The struct is read from a sequence of values, as in
//! formats without field names. Each key is only compared with the expected name. The position of
//! the value follows from the length of this name, which is a constant, and not from a length in
//! the packet. If any key differs, `Deserializer::read` reads everything again and accepts the
//! fields in any order, which at most doubles the work. `fields/in_order.rs` does the same without
//! serde.

use super::recursion_budget::RecursionBudget;
use super::value::Value;
use super::{Error, Result, fast_path};
use crate::buffer::unlikely;
use crate::godot::table::dialect::Spec;
use core::marker::PhantomData;
use serde::de::{Deserialize, DeserializeSeed, SeqAccess};

/// The values of a dictionary with the expected keys.
pub(super) struct InOrder<'de, 'c, D> {
    pub window: &'de [u8],
    /// Position of the next key.
    pub pos: usize,
    pub budget: RecursionBudget,
    pub names: core::slice::Iter<'static, &'static str>,
    /// The variable that receives the end of the last value.
    pub end: &'c mut Option<usize>,
    pub spec: PhantomData<D>,
}

impl<'de, D: Spec> InOrder<'de, '_, D> {
    /// Returns the position of the value of the next field, or `None` after the last field.
    #[inline(always)]
    fn key(&mut self) -> Result<Option<usize>> {
        let Some(name) = self.names.next() else { return Ok(None) };
        match fast_path::after_key::<D>(self.window, self.pos, name) {
            Some(after) => Ok(Some(after)),
            None => Err(another_order()),
        }
    }

    /// Moves to `pos`, the end of the value of the last key.
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

    /// Reads the value of the next field. Derived `Deserialize` implementations call this method.
    /// This method is inlined for each field, so that the name of the field is a constant. It uses
    /// no seed, because the compiler might not inline the call to a seed.
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
