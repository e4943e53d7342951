//! The fields of a Dictionary where each comes when it is asked for: then its place is known
//! before it is read.

use super::{Field, FieldError, FieldFault, Fields, FromFields};
use crate::godot::read::fast_path;
use crate::godot::read::reader::read_one;
use crate::godot::read::walk::{Bounds, TYPE_DEPTH};
use crate::godot::table::dialect::{Job, Spec};
use crate::godot::table::kinds::Column;
use crate::godot::table::payload::Header;
use crate::godot::types::container::COUNT;
use crate::godot::{Dialect, ErrorKind, Kind, VariantRef};
use core::marker::PhantomData;

type Result<T> = core::result::Result<T, FieldError>;

/// A Dictionary at the start of bytes that may be anything, to be read so. An error means that
/// it has other fields than these, or in another order, or that anything is wrong with it:
/// another look finds out what.
pub(super) struct InOrder<'a, 'r, T> {
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
        let (rest, size) = (self.rest, fast_path::text_size(name.len()));
        // One test for the key and the least that a value has, but for null.
        if rest.len() < size.wrapping_add(8) || !fast_path::is_key::<D>(rest, name) {
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

    /// A value by one of `fast_path`'s functions, if it is as `then` wants it.
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
        match read_any(value, D::RULES.dialect, self.bounds) {
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
        match read_any(value, D::RULES.dialect, self.bounds) {
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
fn read_any(rest: &[u8], dialect: Dialect, bounds: Bounds) -> Option<(VariantRef<'_>, &[u8])> {
    let (value, len) = read_one(rest, dialect, bounds).ok()?;
    Some((value, rest.get(len..)?))
}

/// Whoever asks looks the fields up where something is not in order, so that only these tests can
/// tell.
#[cfg(all(test, feature = "alloc"))]
mod tests {
    use super::*;
    use crate::godot::table::dialect::Godot4;
    use alloc::boxed::Box;
    use alloc::vec::Vec;

    struct Unit<'a> {
        any: VariantRef<'a>,
        inner: Option<Inner>,
        none: Option<Inner>,
        hp: i32,
    }

    struct Inner {
        x: f32,
    }

    impl<'a> FromFields<'a> for Unit<'a> {
        fn from_fields<F: Fields<'a>>(fields: &mut F) -> Result<Self> {
            let (any, inner) = (fields.get("any")?, fields.get("inner")?);
            Ok(Self { any, inner, none: fields.get("none")?, hp: fields.get("hp")? })
        }
    }

    impl<'a> FromFields<'a> for Inner {
        fn from_fields<F: Fields<'a>>(fields: &mut F) -> Result<Self> {
            Ok(Self { x: fields.get("x")? })
        }
    }

    /// A struct in itself, so many times.
    struct Chain(u32);

    impl<'a> FromFields<'a> for Chain {
        fn from_fields<F: Fields<'a>>(fields: &mut F) -> Result<Self> {
            let next = fields.get::<Option<Boxed>>("next")?;
            fields.get::<i32>("hp")?;
            Ok(Self(next.map_or(0, |Boxed(next)| next.0).wrapping_add(1)))
        }
    }

    struct Boxed(Box<Chain>);

    impl<'a> FromFields<'a> for Boxed {
        fn from_fields<F: Fields<'a>>(fields: &mut F) -> Result<Self> {
            Chain::from_fields(fields).map(|chain| Self(Box::new(chain)))
        }
    }

    fn read<'a, T: FromFields<'a>>(packet: &'a [u8], depth: u32) -> Option<(T, &'a [u8])> {
        let mut rest = packet;
        let bounds = Bounds { depth, objects: true };
        let in_order = InOrder { rest: &mut rest, bounds, what: PhantomData };
        let value = in_order.run::<Godot4>().ok()?;
        Some((value, rest))
    }

    const INNER: &[u8] = b"\x1b\0\0\0\x01\0\0\0\x04\0\0\0\x01\0\0\0x\0\0\0\x03\0\0\0\0\0\x80\x3f";

    fn unit() -> Vec<u8> {
        [
            &b"\x1b\0\0\0\x04\0\0\0"[..],
            b"\x04\0\0\0\x03\0\0\0any\0\x1c\0\0\0\x01\0\0\0\0\0\0\0",
            b"\x04\0\0\0\x05\0\0\0inner\0\0\0",
            INNER,
            b"\x04\0\0\0\x04\0\0\0none\0\0\0\0",
            b"\x04\0\0\0\x02\0\0\0hp\0\0\x02\0\0\0\x07\0\0\0",
        ]
        .concat()
    }

    #[test]
    fn fields_in_order_are_read_so() {
        let packet = unit();
        let (unit, rest) = read::<Unit<'_>>(&packet, 2).unwrap();
        assert!(unit.any.as_array().is_some() && unit.none.is_none() && rest.is_empty());
        assert_eq!((unit.inner.unwrap().x, unit.hp), (1.0, 7));
        // Another value follows.
        let two = [&packet[..], b"abc"].concat();
        assert_eq!(read::<Unit<'_>>(&two, 2).unwrap().1, b"abc");
        for end in 0..packet.len() {
            assert!(read::<Unit<'_>>(&packet[..end], 2).is_none(), "{end}");
        }
        // Other types than a Dictionary that look alike, and other counts.
        for (place, other) in [(0, 0x1c), (2, 1), (4, 3), (4, 5)] {
            let mut packet = packet.clone();
            packet[place] = other;
            assert!(read::<Unit<'_>>(&packet, 2).is_none(), "{place} {other}");
        }
        // What stands in the highest bit of a count does not count.
        let mut shared = packet;
        shared[7] = 0x80;
        assert!(read::<Unit<'_>>(&shared, 2).is_some());
    }

    #[test]
    fn depth_is_counted() {
        let packet = unit();
        assert!(read::<Unit<'_>>(&packet, 1).is_none());
        assert!(read::<Inner>(INNER, 1).is_some() && read::<Inner>(INNER, 0).is_none());
        let chain = |len: usize| {
            let begin = b"\x1b\0\0\0\x02\0\0\0\x04\0\0\0\x04\0\0\0next".repeat(len);
            let end = b"\x04\0\0\0\x02\0\0\0hp\0\0\x02\0\0\0\x07\0\0\0".repeat(len);
            [&begin[..], &[0; 4], &end].concat()
        };
        for (len, depth, reads) in
            [(3, 3, true), (4, 3, false), (128, 1024, true), (129, 1024, false)]
        {
            let packet = chain(len);
            let read = read::<Chain>(&packet, depth).map(|(chain, _)| chain.0 as usize);
            assert_eq!(read, reads.then_some(len), "{len} in {depth}");
        }
    }

    #[test]
    fn what_is_quick_is_taken() {
        let bounds = Bounds { depth: 1, objects: true };
        let mut at = At::<Godot4> { rest: b"", asked: 0, bounds, spec: PhantomData };
        assert_eq!(at.quick(Some((5, &b"x"[..])), Some), Some(5));
        assert_eq!(at.rest, b"x");
        assert_eq!(at.quick::<i32, i32>(None, Some), None);
        assert_eq!(at.quick(Some((5, &b"y"[..])), |_: i32| None::<i32>), None);
        assert_eq!(at.rest, b"x");
    }
}
