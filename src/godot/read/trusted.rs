//! Decodes and skips values in bytes that a walk has already checked. On such bytes, these functions
//! fail only because of a bug in this crate; a `debug_assert!` reports it. `skip_with`,
//! `value_of_key` and `leaf_len` also accept other bytes.

use super::fast_path::{Start, string_or_int};
use super::walk::{Bounds, Skip, Walk};
use crate::buffer::Cursor;
use crate::godot::table::dialect::{Job, Spec};
use crate::godot::table::layouts::U32;
use crate::godot::table::payload::{DiscardLeaf, Head, Header, StoreLeaf};
use crate::godot::types::text::{self, StrRef};
use crate::godot::{Container, Dialect, Encoded, ObjectRef, Result, VariantRef};

/// Decodes the next value of trusted bytes.
#[inline]
pub(crate) fn decode_checked<'a>(at: &mut Cursor<'a>, dialect: Dialect) -> Option<VariantRef<'a>> {
    if let Some(value) = string_or_int(at) {
        return Some(value);
    }
    let mut value = VariantRef::Nil;
    // `put_rest` takes and returns slices, so that the caller's cursor stays in registers.
    at.set_rest(put_rest(at.rest(), dialect, &mut value)?);
    Some(value)
}

/// Decodes a value into `to`, and returns the bytes after the value. Meant for values that are
/// neither a String nor an Int, but accepts any value.
#[inline(never)]
fn put_rest<'a>(rest: &'a [u8], dialect: Dialect, to: &mut VariantRef<'a>) -> Option<&'a [u8]> {
    let mut at = Cursor::new(rest);
    let put = dialect.run(PutOther(&mut at, to));
    debug_assert!(put.is_ok(), "checked when the view was made");
    put.ok()?;
    Some(at.rest())
}

/// Moves past the next value of trusted bytes, and returns the bytes of the value.
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

/// Decodes the next value of trusted bytes. If it is a container, calls `end` to find the position
/// after it. `end` receives the position of the header of the container.
#[inline(always)]
pub(crate) fn decode_as<'a, D: Spec>(
    at: &mut Cursor<'a>,
    end: impl FnOnce(Cursor<'a>) -> Result<Cursor<'a>>,
) -> Result<VariantRef<'a>> {
    match string_or_int(at) {
        Some(value) => Ok(value),
        None => {
            let mut value = VariantRef::Nil;
            put_other::<D>(at, &mut value, end)?;
            Ok(value)
        }
    }
}

/// Decodes the next value into `to` without trying the fast path first.
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

/// Skips a value of trusted bytes.
#[inline(always)]
pub(crate) fn skip_checked<D: Spec>(at: &mut Cursor<'_>) -> Result<()> {
    skip_with::<D>(at, skip_container::<D>)
}

/// Skips a value. If it is a container, calls `end` to find the position after it. `end` receives
/// the position of the header of the container. The bytes need not be trusted, unless `end` requires
/// it.
#[inline(always)]
pub(crate) fn skip_with<'a, D: Spec>(
    at: &mut Cursor<'a>,
    end: impl FnOnce(Cursor<'a>) -> Result<Cursor<'a>>,
) -> Result<()> {
    if string_or_int(at).is_some() {
        return Ok(());
    }
    let start = *at;
    if cfg!(gamewire_small) {
        *at = end(start)?;
        return Ok(());
    }
    let header = Header(at.read::<U32>()?.get());
    if !matches!(D::head(at, header, DiscardLeaf)?, Head::Leaf(())) {
        *at = end(start)?;
    }
    Ok(())
}

/// Returns the position of the value of the first String or StringName key that equals `key`, in
/// `pairs` pairs. Calls `end` for each container before it, as [`skip_with`] does.
#[inline(always)]
pub(crate) fn value_of_key<'a, D: Spec>(
    mut at: Cursor<'a>,
    pairs: u32,
    key: &[u8],
    end: impl Fn(Cursor<'a>) -> Result<Cursor<'a>>,
) -> Result<Option<Cursor<'a>>> {
    for _ in 0..pairs {
        match at.peek::<Start>() {
            Some((&[header, len], after)) if is_text::<D>(header.get()) => {
                at.set_rest(after.rest());
                let text = text::rest(&mut at, len.get(), D::RULES)?;
                if StrRef::new(text) == *key {
                    return Ok(Some(at));
                }
            }
            _ => skip_with::<D>(&mut at, &end)?,
        }
        skip_with::<D>(&mut at, &end)?;
    }
    Ok(None)
}

#[inline(always)]
fn is_text<D: Spec>(header: u32) -> bool {
    let id = Header(header).id(D::RULES);
    header == D::STRING || id == D::STRING || id == D::STRING_NAME
}

/// Returns the size of the leaf at the start of `bytes`, or `None` if they do not start with a
/// well-formed leaf. `bytes` need not be trusted. For a single value, this function is faster than
/// a walk.
#[inline]
pub(crate) fn leaf_len<D: Spec>(bytes: &[u8]) -> Option<usize> {
    let mut at = Cursor::new(bytes);
    if string_or_int(&mut at).is_some() {
        return Some(at.pos());
    }
    let header = Header(at.read::<U32>().ok()?.get());
    match D::head(&mut at, header, DiscardLeaf) {
        Ok(Head::Leaf(())) => Some(at.pos()),
        _ => None,
    }
}

/// Returns the position after the container at `at`. Takes the cursor by value, so that the
/// caller's copy stays in registers.
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

    /// Callers fall back to a walk, so only this test notices a leaf that is not recognised.
    #[test]
    fn sizes_of_leaves() {
        assert_eq!(leaf_len::<Godot4>(b"\x02\0\0\0\x05\0\0\0"), Some(8));
        assert_eq!(leaf_len::<Godot4>(b"\x01\0\0\0\x01\0\0\0\x01"), Some(8));
        assert_eq!(leaf_len::<Godot4>(b"\x1c\0\0\0\0\0\0\0"), None);
    }
}
