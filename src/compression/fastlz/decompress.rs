use super::super::{Error, ErrorKind, Result};
use super::distance::NEAR_2;
use crate::buffer::Cursor;

/// Decompresses a block of level 1 or 2 into `out`, and returns the number of bytes written. An
/// empty block has no content. Takes time linear in the lengths of the block and the output.
///
/// ```
/// use gamewire::compression::fastlz;
///
/// let mut out = [0; 100];
/// let len = fastlz::decompress(b"\x02abc\x80\x02", &mut out)?; // 3 literals, 6 bytes from 3 back
/// assert_eq!(&out[..len], b"abcabcabc");
/// # Ok::<(), gamewire::compression::Error>(())
/// ```
///
/// # Errors
///
/// Returns [`ErrorKind::UnexpectedEnd`] if the block ends inside an instruction. Returns
/// [`ErrorKind::Malformed`] if the level is unknown or a reference leads to a place before the
/// start of the output. Returns [`ErrorKind::TooLong`] if the content does not fit in `out`. `out`
/// then holds the bytes before the error.
pub fn decompress(block: &[u8], out: &mut [u8]) -> Result<usize> {
    let Some((&first, rest)) = block.split_first() else { return Ok(0) };
    let start = (first & 31, rest, block.len());
    match first >> 5 {
        0 => run::<false>(start, out),
        1 => run::<true>(start, out),
        _ => Err(Error::new(ErrorKind::Malformed, 0)),
    }
}

/// Executes all instructions: the first one, and those in the bytes after it.
fn run<const LEVEL_2: bool>(start: (u8, &[u8], usize), out: &mut [u8]) -> Result<usize> {
    let (mut opcode, rest, block_len) = start;
    let mut from = Cursor::new(rest);
    let mut len = 0;
    // The offset is computed only for errors.
    let fail = |kind, from: Cursor<'_>| {
        Err(Error::new(kind, block_len.saturating_sub(from.remaining()) as u64))
    };
    loop {
        let step = match opcode {
            0..32 => literals(opcode, &mut from, out, len),
            _ => match reference::<LEVEL_2>(opcode, &mut from) {
                Some((distance, count)) => copy(out, len, distance, count),
                None => Err(ErrorKind::UnexpectedEnd),
            },
        };
        match step {
            Ok(end) => len = end,
            Err(kind) => return fail(kind, from),
        }
        let Some((&next, rest)) = from.rest().split_first() else { return Ok(len) };
        from.set_rest(rest);
        opcode = next;
    }
}

/// Copies a run of literals to `out`, and returns the end of the run.
#[inline(always)]
fn literals(
    opcode: u8,
    from: &mut Cursor<'_>,
    out: &mut [u8],
    len: usize,
) -> core::result::Result<usize, ErrorKind> {
    let count = usize::from(opcode).wrapping_add(1);
    let end = len.wrapping_add(count);
    let limit = out.len() as u64;
    let (input, room) = (from.rest(), out.get_mut(len..).unwrap_or_default());
    // Copies 32 bytes, whatever the length of the run. A copy of constant size is faster than a
    // call to `memcpy`.
    if let (Some(bytes), Some(place)) = (input.first_chunk::<32>(), room.first_chunk_mut::<32>()) {
        *place = *bytes;
    } else {
        let bytes = input.get(..count).ok_or(ErrorKind::UnexpectedEnd)?;
        let place = room.get_mut(..count).ok_or(ErrorKind::TooLong { limit })?;
        #[allow(clippy::disallowed_methods, reason = "both slices have the same length")]
        place.copy_from_slice(bytes);
    }
    from.set_rest(input.get(count..).unwrap_or_default());
    Ok(end)
}

/// Reads the distance and the length of a reference.
#[inline(always)]
fn reference<const LEVEL_2: bool>(opcode: u8, from: &mut Cursor<'_>) -> Option<(usize, usize)> {
    let mut count = usize::from(opcode >> 5).wrapping_add(2);
    if opcode >= 0xe0 {
        count = count.wrapping_add(more_length::<LEVEL_2>(from)?);
    }
    let (&low, rest) = from.rest().split_first()?;
    from.set_rest(rest);
    let mut distance = usize::from(u16::from_be_bytes([opcode & 31, low])).wrapping_add(1);
    if LEVEL_2 && distance > NEAR_2 {
        let (&far, rest) = from.rest().split_first_chunk::<2>()?;
        from.set_rest(rest);
        distance = distance.wrapping_add(usize::from(u16::from_be_bytes(far)));
    }
    Some((distance, count))
}

/// Reads the bytes that are added to a length of 9.
#[inline(always)]
fn more_length<const LEVEL_2: bool>(from: &mut Cursor<'_>) -> Option<usize> {
    let mut more = 0_usize;
    loop {
        let (&byte, rest) = from.rest().split_first()?;
        from.set_rest(rest);
        more = more.wrapping_add(usize::from(byte));
        if !LEVEL_2 || byte != 255 {
            return Some(more);
        }
    }
}

/// Copies `count` bytes to the position `len`. The bytes to copy begin `distance` bytes before that
/// position. Returns the end of the copy.
#[inline(always)]
fn copy(
    out: &mut [u8],
    len: usize,
    distance: usize,
    count: usize,
) -> core::result::Result<usize, ErrorKind> {
    let limit = out.len() as u64;
    let start = len.checked_sub(distance).ok_or(ErrorKind::Malformed)?;
    let Some((behind, ahead)) =
        out.get_mut(start..).and_then(|out| out.split_at_mut_checked(distance))
    else {
        return Err(ErrorKind::Malformed);
    };
    if count <= 16
        && let (Some(bytes), Some(place)) =
            (behind.first_chunk::<16>(), ahead.first_chunk_mut::<16>())
    {
        *place = *bytes;
        return Ok(len.wrapping_add(count));
    }
    let place = ahead.get_mut(..count).ok_or(ErrorKind::TooLong { limit })?;
    repeat(behind, place);
    Ok(len.wrapping_add(count))
}

/// Fills `place` with repetitions of `pattern`.
#[allow(clippy::disallowed_methods, reason = "both slices have the same length")]
fn repeat(pattern: &[u8], place: &mut [u8]) {
    if let [byte] = pattern {
        return place.fill(*byte);
    }
    let mut len = pattern.len().min(place.len());
    if let (Some(to), Some(from)) = (place.get_mut(..len), pattern.get(..len)) {
        to.copy_from_slice(from);
    }
    // Each round copies all repetitions that exist, so a short pattern needs few rounds.
    while let Some((done, rest)) = place.split_at_mut_checked(len) {
        let more = done.len().min(rest.len());
        match (rest.get_mut(..more), done.get(..more)) {
            (Some(to), Some(from)) if more > 0 => to.copy_from_slice(from),
            _ => return,
        }
        len = len.wrapping_add(more);
    }
}
