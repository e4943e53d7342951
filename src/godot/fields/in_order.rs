//! Reads the fields of a Dictionary in the order in which a type requests them. The type states the
//! next key, so the position of the value is known before the key is read. `serde/in_order.rs` does
//! the same for structs that are read through serde. Both use the functions of `fast_path`.

use super::{Field, FieldError, FieldFault, Fields, FromFields};
use crate::godot::read::fast_path::{self, Null};
use crate::godot::read::reader::read_one;
use crate::godot::read::walk::{Bounds, TYPE_DEPTH};
use crate::godot::table::dialect::{Job, Spec};
use crate::godot::{Dialect, ErrorKind, VariantRef};
use core::marker::PhantomData;

type Result<T> = core::result::Result<T, FieldError>;

/// A job that reads the Dictionary at the start of untrusted bytes. An error has one of three
/// causes: the Dictionary is malformed, it exceeds the limits, or it does not have the expected
/// fields in the expected order. The caller then looks up the fields by name, which also reveals
/// the cause.
pub(super) struct InOrder<'a, 'r, T> {
    /// The bytes to read. After a success, the bytes that follow the Dictionary.
    pub rest: &'r mut &'a [u8],
    pub bounds: Bounds,
    pub what: PhantomData<T>,
}

impl<'a, T: FromFields<'a>> Job for InOrder<'a, '_, T> {
    type Output = Result<T>;

    #[inline]
    fn run<D: Spec>(self) -> Self::Output {
        let bounds = Bounds { depth: self.bounds.depth.min(TYPE_DEPTH), ..self.bounds };
        let mut at = At::<D> { rest: self.rest, requested: 0, bounds, spec: PhantomData };
        let value = at.record(self.rest);
        *self.rest = at.rest;
        value
    }
}

/// A position in a Dictionary.
pub(super) struct At<'a, D> {
    /// The bytes from the next key on. Out of date while the value of a key is read.
    rest: &'a [u8],
    /// Number of fields that the type has requested from this Dictionary.
    requested: u32,
    bounds: Bounds,
    spec: PhantomData<D>,
}

/// Returns the error that signals that the fast path does not apply. The kind of the error is never
/// read. The error has the same type as errors that are returned to the user, so no value has to be
/// copied from one type of `Result` to another.
#[cold]
#[inline(never)]
fn not_in_order() -> FieldError {
    FieldError::new(FieldFault::Packet(ErrorKind::NoSuchPath), 0)
}

impl<'a, D: Spec> Fields<'a> for At<'a, D> {
    #[inline(always)]
    fn get<T: Field<'a>>(&mut self, name: &'static str) -> Result<T> {
        self.requested = self.requested.wrapping_add(1);
        // Nearly all values have 8 bytes or more. If fewer bytes are left, the fields are looked up
        // by name.
        match fast_path::after_key::<D>(self.rest, name, 8) {
            Some(value) => T::in_order(value, self),
            None => Err(self.fail()),
        }
    }
}

/// The value of `requested` that marks a failure. No Dictionary has this many pairs.
const FAILED: u32 = 1 << 31;

impl<'a, D: Spec> At<'a, D> {
    /// Makes reading the whole Dictionary fail, even if the type ignores the error that this method
    /// returns. After an error, the position of the next value is not known.
    #[inline(always)]
    pub(super) fn fail(&mut self) -> FieldError {
        self.requested = FAILED;
        not_in_order()
    }

    /// Reads a Dictionary, outermost or nested, that has exactly the fields that `T` requests.
    #[inline(always)]
    pub(super) fn record<T: FromFields<'a>>(&mut self, value: &'a [u8]) -> Result<T> {
        let Some((count, rest)) = fast_path::dictionary::<D>(value) else {
            return Err(self.fail());
        };
        let Some(depth) = self.bounds.depth.checked_sub(1) else { return Err(self.fail()) };
        let mut fields =
            Self { rest, requested: 0, bounds: Bounds { depth, ..self.bounds }, ..*self };
        let mut value = T::from_fields(&mut fields);
        self.rest = fields.rest;
        if value.is_err() || count != fields.requested {
            value = Err(self.fail());
        }
        value
    }

    /// Moves past a value that a function of `fast_path` has read, if `then` accepts it.
    #[inline(always)]
    pub(super) fn take<Q, T>(
        &mut self,
        read: Option<(Q, &'a [u8])>,
        then: impl FnOnce(Q) -> Option<T>,
    ) -> Option<T> {
        let (value, rest) = read?;
        let value = then(value)?;
        self.rest = rest;
        Some(value)
    }

    /// Returns `true` and moves past the value if it is null or a null object.
    #[inline(always)]
    pub(super) fn null(&mut self, value: &'a [u8]) -> bool {
        match fast_path::null::<D>(value) {
            Null::Nil(rest) => {
                self.rest = rest;
                return true;
            }
            Null::Never => return false,
            Null::Unclear => {}
        }
        match read_any(value, D::RULES.dialect, self.bounds) {
            Some((value, rest)) if value.is_nil() => {
                self.rest = rest;
                true
            }
            _ => false,
        }
    }

    /// Reads a value of any kind.
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

/// Reads a value of any kind, and returns it with the bytes after it. This is not a method of `At`,
/// because a method would force the `At` into memory.
#[cold]
#[inline(never)]
fn read_any(rest: &[u8], dialect: Dialect, bounds: Bounds) -> Option<(VariantRef<'_>, &[u8])> {
    let (value, len) = read_one(rest, dialect, bounds).ok()?;
    Some((value, rest.get(len..)?))
}

/// These tests check that the fast path is taken. No other test would notice if it never were:
/// callers would look up the fields by name, with the same result.
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

    /// A recursive struct, with the depth of its nesting.
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
    fn reads_fields_in_order() {
        let packet = unit();
        let (unit, rest) = read::<Unit<'_>>(&packet, 2).unwrap();
        assert!(unit.any.as_array().is_some() && unit.none.is_none() && rest.is_empty());
        assert_eq!((unit.inner.unwrap().x, unit.hp), (1.0, 7));
        // Other bytes follow the Dictionary.
        let two = [&packet[..], b"abc"].concat();
        assert_eq!(read::<Unit<'_>>(&two, 2).unwrap().1, b"abc");
        for end in 0..packet.len() {
            assert!(read::<Unit<'_>>(&packet[..end], 2).is_none(), "{end}");
        }
        // Values that are not a Dictionary, and Dictionaries with a different count.
        for (position, byte) in [(0, 0x1c), (2, 1), (4, 3), (4, 5)] {
            let mut packet = packet.clone();
            packet[position] = byte;
            assert!(read::<Unit<'_>>(&packet, 2).is_none(), "{position} {byte}");
        }
        // The highest bit of a count is a flag.
        let mut shared = packet;
        shared[7] = 0x80;
        assert!(read::<Unit<'_>>(&shared, 2).is_some());
    }

    #[test]
    fn limits_depth() {
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
    fn take_moves_past_accepted_values() {
        let bounds = Bounds { depth: 1, objects: true };
        let mut at = At::<Godot4> { rest: b"", requested: 0, bounds, spec: PhantomData };
        assert_eq!(at.take(Some((5, &b"x"[..])), Some), Some(5));
        assert_eq!(at.rest, b"x");
        assert_eq!(at.take::<i32, i32>(None, Some), None);
        assert_eq!(at.take(Some((5, &b"y"[..])), |_: i32| None::<i32>), None);
        assert_eq!(at.rest, b"x");
    }
}
