//! Going on from value to value in bytes that a walk has checked: decoding them and passing
//! them. Nothing of this fails; should a bug break that, it ends behind a `debug_assert!`.

use super::walk::{Bounds, Skip, Walk};
use crate::buffer::Cursor;
use crate::godot::table::dialect::{Job, Spec};
use crate::godot::table::layouts::U32;
use crate::godot::table::payload::{DiscardLeaf, Head, Header, StoreLeaf};
use crate::godot::types::text::{self, StrRef};
use crate::godot::{Container, Dialect, Encoded, Kind, ObjectRef, Result, VariantRef};

/// Decodes the next value of checked bytes.
#[inline]
pub(crate) fn decode_checked<'a>(at: &mut Cursor<'a>, dialect: Dialect) -> Option<VariantRef<'a>> {
    if let Some(value) = decode_quick(at) {
        return Some(value);
    }
    let mut value = VariantRef::Nil;
    // As a slice, so that the caller's position stays in registers.
    at.set_rest(put_rest(at.rest(), dialect, &mut value)?);
    Some(value)
}

/// The value that is mostly not [quick](decode_quick), written there; and what comes after it.
#[inline(never)]
fn put_rest<'a>(rest: &'a [u8], dialect: Dialect, to: &mut VariantRef<'a>) -> Option<&'a [u8]> {
    let mut at = Cursor::new(rest);
    let put = dialect.run(PutOther(&mut at, to));
    debug_assert!(put.is_ok(), "checked when the view was made");
    put.ok()?;
    Some(at.rest())
}

/// The bytes of the next value of checked bytes.
pub(crate) fn encoded_checked<'a>(at: &mut Cursor<'a>, dialect: Dialect) -> Option<Encoded<'a>> {
    let start = *at;
    let end = dialect.run(SkipChecked(at));
    debug_assert!(end.is_ok(), "checked when the view was made");
    end.ok()?;
    Some(Encoded::trusted(at.since(&start), dialect))
}

struct PutOther<'a, 'c>(&'c mut Cursor<'a>, &'c mut VariantRef<'a>);

impl Job for PutOther<'_, '_> {
    type Output = Result<()>;

    #[inline(always)]
    fn run<D: Spec>(self) -> Result<()> {
        put_other::<D>(self.0, self.1, skip_container::<D>)
    }
}

struct SkipChecked<'a, 'c>(&'c mut Cursor<'a>);

impl Job for SkipChecked<'_, '_> {
    type Output = Result<()>;

    fn run<D: Spec>(self) -> Self::Output {
        skip_checked::<D>(self.0)
    }
}

/// The next value of checked bytes, if it is text or a small int, as most are: iterators ask
/// for these first, in the caller's own code, where a test for each costs less than a call.
#[inline(always)]
pub(crate) fn decode_quick<'a>(at: &mut Cursor<'a>) -> Option<VariantRef<'a>> {
    const STRING: u32 = everywhere(Kind::String);
    const INT: u32 = everywhere(Kind::Int);
    let (&[header, word], mut after) = at.peek::<[U32; 2]>()?;
    let value = match header.get() {
        // Where a pad may be missing and is, this is not quick.
        STRING => VariantRef::String(StrRef::new(text::padded(&mut after, word.get()).ok()?)),
        INT => VariantRef::Int((word.get() as i32).into()),
        _ => return None,
    };
    at.set_rest(after.rest());
    Some(value)
}

/// The id that a kind has in all dialects.
#[allow(clippy::indexing_slicing, reason = "at compile time")]
pub(crate) const fn everywhere(kind: Kind) -> u32 {
    let id = Dialect::Godot4.rules().ids.of(kind);
    let mut dialect = 0;
    while dialect < Dialect::ALL.len() {
        assert!(Dialect::ALL[dialect].rules().ids.of(kind) == id);
        dialect = dialect.wrapping_add(1);
    }
    id
}

/// Decodes the next value of checked bytes; where a container ends, `end` says, given where it
/// starts.
#[inline(always)]
pub(crate) fn decode_as<'a, D: Spec>(
    at: &mut Cursor<'a>,
    end: impl FnOnce(Cursor<'a>) -> Result<Cursor<'a>>,
) -> Result<VariantRef<'a>> {
    match decode_quick(at) {
        Some(value) => Ok(value),
        None => decode_other::<D>(at, end),
    }
}

/// The same of what is mostly not [quick](decode_quick).
#[inline(always)]
pub(crate) fn decode_other<'a, D: Spec>(
    at: &mut Cursor<'a>,
    end: impl FnOnce(Cursor<'a>) -> Result<Cursor<'a>>,
) -> Result<VariantRef<'a>> {
    let mut value = VariantRef::Nil;
    put_other::<D>(at, &mut value, end)?;
    Ok(value)
}

/// The same, written there.
#[inline(always)]
pub(crate) fn put_other<'a, D: Spec>(
    at: &mut Cursor<'a>,
    to: &mut VariantRef<'a>,
    end: impl FnOnce(Cursor<'a>) -> Result<Cursor<'a>>,
) -> Result<()> {
    let start = *at;
    let header = Header(at.read::<U32>()?.get());
    let opens = match D::head(at, header, StoreLeaf(to))? {
        Head::Leaf(()) => return Ok(()),
        Head::Open(opens) => opens,
    };
    let Some(container) = Container::read(opens, at, header, D::RULES, true)? else {
        *to = VariantRef::Object(ObjectRef::Null);
        return Ok(());
    };
    *at = end(start)?;
    *to = container.view(at.since(&start), D::RULES.dialect);
    Ok(())
}

/// Moves past one value of checked bytes.
#[inline(always)]
pub(crate) fn skip_checked<D: Spec>(at: &mut Cursor<'_>) -> Result<()> {
    if decode_quick(at).is_some() {
        return Ok(());
    }
    let start = *at;
    let header = Header(at.read::<U32>()?.get());
    if !matches!(D::head(at, header, DiscardLeaf)?, Head::Leaf(())) {
        *at = skip_container::<D>(start)?;
    }
    Ok(())
}

/// Where the value at the start of `bytes` ends, if it has no items and nothing is wrong with
/// it: a shorter way to that than a walk, for values that stand alone.
#[inline]
pub(crate) fn leaf_len<D: Spec>(bytes: &[u8]) -> Option<usize> {
    let mut at = Cursor::new(bytes);
    if decode_quick(&mut at).is_some() {
        return Some(at.pos());
    }
    let header = Header(at.read::<U32>().ok()?.get());
    match D::head(&mut at, header, DiscardLeaf) {
        Ok(Head::Leaf(())) => Some(at.pos()),
        _ => None,
    }
}

/// By value, so that the caller's position stays in a register.
#[inline(never)]
pub(crate) fn skip_container<D: Spec>(mut at: Cursor<'_>) -> Result<Cursor<'_>> {
    let bounds = Bounds { depth: u32::MAX, objects: true };
    let window = at.rest();
    let walk = Walk::<_, true> { window, visitor: &mut Skip, bounds, base: 0, stack: None };
    let end = walk.run::<D>()?;
    at.skip(end);
    Ok(at)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::godot::table::dialect::Godot4;

    /// Whoever asks goes the long way where there is nothing, so that only this test can tell.
    #[test]
    fn short_ways() {
        let quick = |bytes: &[u8]| {
            let mut at = Cursor::new(bytes);
            decode_quick(&mut at).map(|value| (value.kind(), at.pos()))
        };
        assert_eq!(quick(b"\x02\0\0\0\x05\0\0\0"), Some((Kind::Int, 8)));
        assert_eq!(quick(b"\x04\0\0\0\x01\0\0\0a\0\0\0"), Some((Kind::String, 12)));
        assert_eq!(quick(b"\x01\0\0\0\x01\0\0\0"), None);

        assert_eq!(leaf_len::<Godot4>(b"\x02\0\0\0\x05\0\0\0"), Some(8));
        assert_eq!(leaf_len::<Godot4>(b"\x01\0\0\0\x01\0\0\0\x01"), Some(8));
        assert_eq!(leaf_len::<Godot4>(b"\x1c\0\0\0\0\0\0\0"), None);
    }
}
