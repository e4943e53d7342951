//! The fields of a Dictionary where each comes when it is asked for: then its place is known
//! before it is read.

use super::{Field, FieldError, FieldFault, Fields, FromFields};
use crate::godot::container::COUNT;
use crate::godot::dialect::{Job, Spec};
use crate::godot::kinds::Column;
use crate::godot::payload::Header;
use crate::godot::quick;
use crate::godot::reader::ReadOne;
use crate::godot::walk::{Bounds, TYPE_DEPTH};
use crate::godot::{ErrorKind, Kind, VariantRef};
use core::marker::PhantomData;

type Result<T> = core::result::Result<T, FieldError>;

/// A Dictionary at the start of bytes that may be anything, to be read so. An error means that
/// it has other fields than these, or in another order, or that anything is wrong with it:
/// another look finds out what.
pub(in crate::godot) struct InOrder<'a, 'r, T> {
    /// What comes after it, where it is read.
    pub rest: &'r mut &'a [u8],
    pub bounds: Bounds,
    pub what: PhantomData<T>,
}

impl<'a, T: FromFields<'a>> Job for InOrder<'a, '_, T> {
    type Output = Result<T>;

    #[inline]
    fn run<D: Spec>(self) -> Self::Output {
        let bounds = Bounds { depth: self.bounds.depth.min(TYPE_DEPTH), ..self.bounds };
        let mut at = At::<D> { rest: self.rest, asked: 0, bounds, spec: PhantomData };
        let value = at.record(self.rest);
        *self.rest = at.rest;
        value
    }
}

/// Where it goes on.
pub(super) struct At<'a, D> {
    /// From the next key on, but while its value is read.
    rest: &'a [u8],
    /// How many fields of this Dictionary were asked for.
    asked: u32,
    bounds: Bounds,
    spec: PhantomData<D>,
}

/// Something else is there. (What the error says is not looked at. It is one of those that are
/// told, so that no value has to be copied out of one result into another.)
#[cold]
#[inline(never)]
fn otherwise() -> FieldError {
    FieldError::new(FieldFault::Packet(ErrorKind::NoSuchPath), 0)
}

impl<'a, D: Spec> Fields<'a> for At<'a, D> {
    #[inline(always)]
    fn get<T: Field<'a>>(&mut self, name: &'static str) -> Result<T> {
        self.asked = self.asked.wrapping_add(1);
        let (rest, size) = (self.rest, quick::text_size(name.len()));
        // One test for the key and the least that a value has, but for null.
        if rest.len() < size.wrapping_add(8) || !quick::is_key::<D>(rest, name) {
            return Err(self.fail());
        }
        match rest.get(size..) {
            Some(value) => T::in_order(value, self),
            None => Err(self.fail()),
        }
    }
}

/// In place of how many fields were asked for: more than any Dictionary has.
const FAILED: u32 = 1 << 31;

impl<'a, D: Spec> At<'a, D> {
    /// Also where the type does without what it asked for: then this is not where it goes on.
    #[inline(always)]
    pub(super) fn fail(&mut self) -> FieldError {
        self.asked = FAILED;
        otherwise()
    }

    /// The Dictionary that is here, of all fields that `T` asks for and no others.
    #[inline(always)]
    pub(super) fn record<T: FromFields<'a>>(&mut self, value: &'a [u8]) -> Result<T> {
        let Some((&[a, b, c, d, count @ ..], rest)) = value.split_first_chunk::<8>() else {
            return Err(self.fail());
        };
        let is_dictionary =
            u32::from_le_bytes([a, b, c, d]) == const { D::Ids::IDS.of(Kind::Dictionary) };
        let depth = match self.bounds.depth.checked_sub(1) {
            Some(depth) if is_dictionary => depth,
            _ => return Err(self.fail()),
        };
        let mut fields = Self { rest, asked: 0, bounds: Bounds { depth, ..self.bounds }, ..*self };
        let mut value = T::from_fields(&mut fields);
        self.rest = fields.rest;
        if value.is_err() || u32::from_le_bytes(count) & COUNT != fields.asked {
            value = Err(self.fail());
        }
        value
    }

    /// A value by one of `quick`'s functions, if it is as `then` wants it.
    #[inline(always)]
    pub(super) fn quick<Q, T>(
        &mut self,
        quick: Option<(Q, &'a [u8])>,
        then: impl FnOnce(Q) -> Option<T>,
    ) -> Option<T> {
        let (value, rest) = quick?;
        let value = then(value)?;
        self.rest = rest;
        Some(value)
    }

    /// Whether that is null, an object that is none included. Then it goes on after it.
    #[inline(always)]
    pub(super) fn null(&mut self, value: &'a [u8]) -> bool {
        let Some((header, rest)) = value.split_first_chunk::<4>() else { return false };
        let header = Header(u32::from_le_bytes(*header));
        if header.0 == const { D::Ids::IDS.of(Kind::Nil) } {
            self.rest = rest;
            return true;
        }
        if header.id(D::RULES) != const { D::Ids::IDS.of(Kind::Object) } {
            return false;
        }
        match read_any::<D>(value, self.bounds) {
            Some((value, rest)) if value.is_nil() => {
                self.rest = rest;
                true
            }
            _ => false,
        }
    }

    /// A value of whatever type.
    #[inline(always)]
    pub(super) fn any(&mut self, value: &'a [u8]) -> Result<VariantRef<'a>> {
        match read_any::<D>(value, self.bounds) {
            Some((value, rest)) => {
                self.rest = rest;
                Ok(value)
            }
            None => Err(self.fail()),
        }
    }
}

/// A value and what comes after it. (Not of `At`, which so need not be in memory.)
#[cold]
#[inline(never)]
fn read_any<D: Spec>(rest: &[u8], bounds: Bounds) -> Option<(VariantRef<'_>, &[u8])> {
    let (value, len) = ReadOne { window: rest, bounds }.run::<D>().ok()?;
    Some((value, rest.get(len..)?))
}
