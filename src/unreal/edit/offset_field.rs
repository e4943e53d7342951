//! Fields of the summary that hold an offset or a count.

use crate::unreal::format::ErrorKind;

/// A field of the summary that holds an offset or a count: an `i32` or `i64`, or an `Option` of
/// either type if some versions do not have the field.
pub(crate) trait OffsetField {
    /// Returns the value, or 0 if the version does not have the field.
    fn get(&self) -> i64;

    /// Sets the field. If the version does not have it, only 0 is accepted.
    fn set(&mut self, value: i64, table: &'static str) -> Result<(), ErrorKind>;
}

impl OffsetField for i32 {
    fn get(&self) -> i64 {
        (*self).into()
    }

    fn set(&mut self, value: i64, _: &'static str) -> Result<(), ErrorKind> {
        *self = Self::try_from(value).map_err(|_| ErrorKind::FieldTooSmall(value))?;
        Ok(())
    }
}

impl OffsetField for i64 {
    fn get(&self) -> i64 {
        *self
    }

    fn set(&mut self, value: i64, _: &'static str) -> Result<(), ErrorKind> {
        *self = value;
        Ok(())
    }
}

impl<P: OffsetField> OffsetField for Option<P> {
    fn get(&self) -> i64 {
        self.as_ref().map_or(0, P::get)
    }

    fn set(&mut self, value: i64, table: &'static str) -> Result<(), ErrorKind> {
        match self {
            Some(place) => place.set(value, table),
            None if value == 0 => Ok(()),
            None => Err(ErrorKind::NoSuchTable(table)),
        }
    }
}
