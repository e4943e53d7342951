//! Entry points: reading fields from a reader or a Dictionary.

use super::by_name::by_name;
use super::in_order::InOrder;
use super::{FieldError, FromFields};
use crate::godot::read::walk::{Bounds, ENGINE_DEPTH};
use crate::godot::{DictionaryRef, Reader, VariantRef};
use core::marker::PhantomData;

impl<'a> Reader<'a, '_> {
    /// Reads the next value, which must be a Dictionary, as a struct; see
    /// [`fields`](crate::godot::fields).
    ///
    /// # Errors
    /// Returns the errors of [`read`](Self::read). Also returns an error if a field is missing, if
    /// the value of a field cannot be converted, or if structs nest more than 128 levels deep.
    /// After an error, the position of the reader is unchanged.
    #[inline]
    pub fn read_fields<T: FromFields<'a>>(&mut self) -> Result<T, FieldError> {
        if self.is_plain() {
            let (window, bounds) = (self.window(), self.bounds());
            let mut rest = window;
            let in_order = InOrder { rest: &mut rest, bounds, what: PhantomData };
            let value = self.dialect().run(in_order);
            if value.is_ok() {
                self.advance(window.len().saturating_sub(rest.len()));
                return value;
            }
        }
        self.read_fields_by_name()
    }

    #[cold]
    #[inline(never)]
    fn read_fields_by_name<T: FromFields<'a>>(&mut self) -> Result<T, FieldError> {
        let (mark, offset) = (self.mark(), self.offset());
        let value = self.read()?;
        let read = by_name(value, offset);
        if read.is_err() {
            self.go_back(mark);
        }
        read
    }
}

impl<'a> DictionaryRef<'a> {
    /// Reads the dictionary as a struct; see [`fields`](crate::godot::fields). Offsets in errors
    /// count from the start of the dictionary.
    ///
    /// # Errors
    /// Returns an error if a field is missing, if the value of a field cannot be converted, or if
    /// structs nest more than 128 levels deep.
    #[inline]
    pub fn read_fields<T: FromFields<'a>>(&self) -> Result<T, FieldError> {
        let bounds = Bounds { depth: ENGINE_DEPTH, objects: true };
        let in_order = InOrder { rest: &mut { self.bytes }, bounds, what: PhantomData };
        let value = self.dialect.run(in_order);
        if value.is_ok() { value } else { by_name(VariantRef::Dictionary(*self), 0) }
    }
}
