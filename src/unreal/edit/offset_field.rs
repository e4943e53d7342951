//! FieldVisitor of the summary that say where something is, or how much of it there is.

use crate::unreal::format::ErrorKind;

/// A number of 32 or 64 bits, in some versions only.
pub(crate) trait OffsetField {
    /// 0 where the version has none.
    fn get(&self) -> i64;

    /// Where the version has none, only 0 can be said.
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
