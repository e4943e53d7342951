//! Primitive values of a stream: numbers, strings and classes.

use super::BinaryReader;
use super::state::{ClassRef, Reference, TablesRef};
use crate::rems::binary::Text;
use crate::rems::error::fail;
use crate::rems::{Error, ErrorKind, Result, StrRef};
use zerocopy::byteorder::{BigEndian, I32};

impl<'a, const DEPTH: usize> BinaryReader<'_, 'a, DEPTH> {
    #[cold]
    pub(super) fn error(&self, kind: ErrorKind) -> Error {
        fail(kind, self.offset())
    }

    #[cold]
    pub(super) fn missing(&self, wanted: u64) -> Error {
        let error = self.cursor.unexpected_end(wanted);
        fail(ErrorKind::UnexpectedEnd { missing: error.kind().missing }, error.offset())
    }

    #[inline(always)]
    pub(super) fn u8(&mut self) -> Result<u8> {
        match self.cursor.peek::<u8>() {
            Some((byte, next)) => {
                self.cursor = next;
                Ok(*byte)
            }
            None => Err(self.missing(1)),
        }
    }

    #[inline(always)]
    pub(super) fn i32(&mut self) -> Result<i32> {
        match self.cursor.peek::<I32<BigEndian>>() {
            Some((value, next)) => {
                self.cursor = next;
                Ok(value.get())
            }
            None => Err(self.missing(4)),
        }
    }

    #[inline(always)]
    pub(super) fn take(&mut self, len: u64) -> Result<&'a [u8]> {
        self.cursor.take(len).ok_or_else(|| self.missing(len))
    }

    /// Reads the count of elements, each of which takes at least `each` bytes.
    #[inline(always)]
    pub(super) fn count(&mut self, each: u64) -> Result<u32> {
        let start = self.cursor;
        let count = self.i32()?;
        match u32::try_from(count) {
            Ok(n) if u64::from(n).wrapping_mul(each) <= self.cursor.remaining() as u64 => Ok(n),
            Ok(n) => Err(self.missing(u64::from(n).wrapping_mul(each))),
            Err(_) => {
                self.cursor = start;
                Err(self.error(ErrorKind::BadCount(count.into())))
            }
        }
    }

    #[inline(always)]
    pub(super) fn reference(&mut self) -> Result<Reference> {
        let start = self.cursor;
        match self.i32()? {
            -1 => Ok(Reference::Null),
            known @ 0.. => match self.tables.get().string(known.unsigned_abs()) {
                Some(text) => Ok(Reference::Known(known.unsigned_abs(), text)),
                None => {
                    self.cursor = start;
                    Err(self.error(ErrorKind::NoSuchString(known)))
                }
            },
            new => self.new_string(new.unsigned_abs().wrapping_sub(2)),
        }
    }

    pub(super) fn new_string(&mut self, len: u32) -> Result<Reference> {
        let offset = self.cursor.pos();
        self.take(len.into())?;
        let text = Text::new(offset, len);
        let index = match &mut self.tables {
            TablesRef::Growing(tables) => Some(tables.add_string(text)),
            TablesRef::Complete(_) => None,
        };
        Ok(Reference::New(index, text))
    }

    /// Reads a name, which must not be null.
    #[inline(always)]
    pub(super) fn name(&mut self) -> Result<(Option<u32>, Text)> {
        let start = self.cursor;
        match self.reference()? {
            Reference::Known(index, text) => Ok((Some(index), text)),
            Reference::New(index, text) => Ok((index, text)),
            Reference::Null => {
                self.cursor = start;
                Err(self.error(ErrorKind::NullName))
            }
        }
    }

    #[inline(always)]
    pub(super) fn class(&mut self) -> Result<ClassRef<'a>> {
        let offset = self.offset();
        let (index, text) = self.name()?;
        let class = match (&mut self.tables, index) {
            (TablesRef::Growing(tables), Some(index)) => tables.class_of(self.bytes, index),
            (tables, _) => tables.get().find_class(self.bytes, text).unwrap_or(u32::MAX),
        };
        Ok(ClassRef { name: StrRef::new(text.of(self.bytes)), class, offset })
    }

    #[cold]
    pub(super) fn unknown(&self, what: &'static str, value: u8) -> Error {
        self.error(ErrorKind::Unknown { what, value: value.into() })
    }

    #[inline(always)]
    pub(super) fn number(&mut self) -> Result<u64> {
        let start = self.cursor;
        let number = self.i32()?;
        u64::try_from(number).map_err(|_| {
            self.cursor = start;
            self.error(ErrorKind::BadPointer(number.into()))
        })
    }
}
