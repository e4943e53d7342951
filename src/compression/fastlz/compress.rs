use super::distance::{NEAR_1, NEAR_2};
use alloc::vec::Vec;

/// A level of FastLZ. Compressed blocks contain references to earlier bytes. In level 2, references
/// can reach farther back than in level 1, and can have any length.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Level {
    /// References of up to 264 bytes, at most 8 KiB back.
    One,
    /// References of any length, at most 72 KiB back.
    Two,
}

impl Level {
    /// Returns the longest distance of a reference.
    const fn reach(self) -> usize {
        match self {
            Self::One => NEAR_1.wrapping_sub(1),
            Self::Two => NEAR_2.wrapping_add(FAR).wrapping_sub(2),
        }
    }
}

/// Largest number that the two extra bytes of a distant reference can hold.
const FAR: usize = 65_535;
/// Longest reference of level 1.
const LONGEST_1: usize = 264;
/// A reference ends at least this many bytes before the end of the content.
const MATCH_END: usize = 2;
/// A reference begins more than this many bytes before the end of the content.
const SEARCH_END: usize = 13;
const HASH_BITS: u32 = 13;

/// Returns an upper bound for the length of a block with `len` bytes of content.
pub const fn max_compressed_len(len: usize) -> usize {
    len.saturating_add(len.div_ceil(32))
}

/// Compresses `plain` and appends the block to `out`. Uses level 1 for less than 64 KiB, and level
/// 2 for longer content, as FastLZ itself does.
///
/// The encoder makes the same choices as FastLZ 0.1, which is part of Godot. To find repetitions,
/// it hashes three bytes and looks up the last position with this hash. The table has 8192
/// positions and takes 32 KiB on the stack. The blocks are identical to all FastLZ blocks of Godot
/// 3.6.2 and 4.6.3 in this project's corpus, all of which use level 1. Takes time linear in the
/// length of the content.
///
/// ```
/// use gamewire::compression::fastlz;
///
/// let mut block = Vec::new();
/// fastlz::compress(&[7; 100], &mut block);
/// assert_eq!(block, b"\x01\x07\x07\xe0\x56\x01\x02\x07\x07\x07");
/// ```
pub fn compress(plain: &[u8], out: &mut Vec<u8>) {
    let level = if plain.len() < 1 << 16 { Level::One } else { Level::Two };
    compress_level(level, plain, out);
}

/// Compresses `plain` with a level, and appends the block to `out`. See [`compress`].
pub fn compress_level(level: Level, plain: &[u8], out: &mut Vec<u8>) {
    let start = out.len();
    match level {
        Level::One => encode(Level::One, plain, out),
        Level::Two => encode(Level::Two, plain, out),
    }
    if level == Level::Two
        && let Some(first) = out.get_mut(start)
    {
        *first |= 1 << 5;
    }
}

#[inline(always)]
fn encode(level: Level, plain: &[u8], out: &mut Vec<u8>) {
    find_all(level, plain, |bytes, found| {
        literals(bytes, out);
        match (level, found) {
            (Level::One, Some(found)) => reference_1(found, out),
            (Level::Two, Some(found)) => reference_2(found, out),
            (_, None) => {}
        }
    });
}

/// Divides `plain` into literals (bytes that are not repeated) and repetitions. Calls `each` for
/// each repetition, with the literals before it. At the end, calls `each` with the remaining
/// literals.
#[inline(always)]
pub(in crate::compression) fn find_all<'p>(
    level: Level,
    plain: &'p [u8],
    mut each: impl FnMut(&'p [u8], Option<Match>),
) {
    let mut positions = Positions([0; 1 << HASH_BITS]);
    let (mut literals_start, mut pos) = (0, 2);
    while let Some(found) = find(level, plain, &mut positions, pos) {
        each(plain.get(literals_start..found.pos).unwrap_or_default(), Some(found));
        let end = found.pos.saturating_add(found.len);
        // Of the positions inside the reference, only the last two are entered in the table.
        for pos in [end.wrapping_sub(2), end.wrapping_sub(1)] {
            if let Some(key) = key_at(plain, pos) {
                positions.replace(key, pos);
            }
        }
        (literals_start, pos) = (end, end);
    }
    each(plain.get(literals_start..).unwrap_or_default(), None);
}

/// A repetition of earlier bytes.
#[derive(Clone, Copy)]
pub(in crate::compression) struct Match {
    pos: usize,
    pub(in crate::compression) distance: usize,
    /// Length in bytes, at least 3.
    pub(in crate::compression) len: usize,
}

/// Finds the first repetition at `pos` or after it.
#[inline(always)]
fn find(level: Level, plain: &[u8], positions: &mut Positions, mut pos: usize) -> Option<Match> {
    let end = plain.len().saturating_sub(SEARCH_END);
    while pos < end {
        if level == Level::Two && is_run(plain, pos) {
            let len = match_len(plain, pos.wrapping_sub(1), pos);
            return Some(Match { pos, distance: 1, len });
        }
        let key = key_at(plain, pos)?;
        let distance = positions.replace(key, pos);
        let start = pos.wrapping_sub(distance);
        // The distance can be 0, because positions are stored modulo 2³².
        if (1..=level.reach()).contains(&distance)
            && key_at(plain, start) == Some(key)
            && (distance < NEAR_2 || level == Level::One || is_long(plain, start, pos))
        {
            return Some(Match { pos, distance, len: match_len(plain, start, pos) });
        }
        pos = pos.wrapping_add(1);
    }
    None
}

/// Returns `true` if the three bytes at `pos` repeat the byte before them.
fn is_run(plain: &[u8], pos: usize) -> bool {
    let bytes = plain.get(pos.wrapping_sub(1)..).and_then(|rest| rest.first_chunk::<4>());
    bytes.is_some_and(|[a, b, c, d]| a == b && a == c && a == d)
}

/// Returns `true` if at least five bytes at `start` and `pos` are equal. A shorter reference to
/// distant bytes saves nothing.
fn is_long(plain: &[u8], start: usize, pos: usize) -> bool {
    let bytes = |at: usize| plain.get(at..)?.first_chunk::<5>();
    bytes(start) == bytes(pos)
}

/// Returns the length of a repetition whose first three bytes are known to be equal. Like FastLZ's
/// encoder, leaves out the last byte if the repetition reaches the end of the search.
fn match_len(plain: &[u8], start: usize, pos: usize) -> usize {
    let end = plain.len().saturating_sub(MATCH_END);
    let here = plain.get(pos.saturating_add(3)..end).unwrap_or_default();
    let there = plain.get(start.saturating_add(3)..).unwrap_or_default();
    let equal = common_prefix(here, there);
    let is_all = equal == here.len();
    equal.saturating_add(if is_all { 2 } else { 3 })
}

/// Returns the number of equal bytes at the start of two slices. `b` must not be shorter than `a`.
fn common_prefix(a: &[u8], b: &[u8]) -> usize {
    let (words, others) = (a.as_chunks::<8>().0, b.as_chunks::<8>().0);
    let mut len = 0_usize;
    for (word, other) in words.iter().zip(others) {
        let differences = u64::from_le_bytes(*word) ^ u64::from_le_bytes(*other);
        if differences != 0 {
            return len.wrapping_add((differences.trailing_zeros() >> 3) as usize);
        }
        len = len.wrapping_add(8);
    }
    let rest = a.iter().zip(b).skip(len);
    len.wrapping_add(rest.take_while(|(a, b)| a == b).count())
}

/// For each hash of three bytes, the last position that had this hash, modulo 2³².
struct Positions([u32; 1 << HASH_BITS]);

impl Positions {
    /// Enters a position, and returns its distance from the previous position with the same hash.
    #[inline(always)]
    fn replace(&mut self, key: u32, pos: usize) -> usize {
        let (first, second) = (key & 0xffff, key >> 8);
        let hash = first ^ second ^ first >> (16 - HASH_BITS);
        let Some(last) = self.0.get_mut(hash as usize % (1 << HASH_BITS)) else {
            return usize::MAX;
        };
        let pos = pos as u32;
        pos.wrapping_sub(core::mem::replace(last, pos)) as usize
    }
}

/// Returns the three bytes at `pos` as a number.
#[inline(always)]
fn key_at(plain: &[u8], pos: usize) -> Option<u32> {
    let bytes = plain.get(pos..)?.first_chunk::<4>()?;
    Some(u32::from_le_bytes(*bytes) & 0xff_ffff)
}

fn literals(bytes: &[u8], out: &mut Vec<u8>) {
    for run in bytes.as_chunks::<32>().0 {
        out.push(31);
        out.extend_from_slice(run);
    }
    if let [_, rest @ ..] = bytes.as_chunks::<32>().1 {
        out.push(rest.len() as u8);
        out.extend_from_slice(bytes.as_chunks::<32>().1);
    }
}

/// Writes a repetition as a reference of level 1. If the repetition is too long for one reference,
/// writes several.
fn reference_1(found: Match, out: &mut Vec<u8>) {
    // A part leaves at least three bytes for the next one.
    const PART: usize = LONGEST_1 - 2;
    let [high, low] = (found.distance.wrapping_sub(1) as u16).to_be_bytes();
    // A reference stores the length of the repetition minus 2.
    let mut field = found.len.wrapping_sub(2);
    while field > PART {
        out.extend_from_slice(&[0xe0 | high, (PART - 2 - 7) as u8, low]);
        field = field.wrapping_sub(PART);
    }
    match field {
        0..7 => out.extend_from_slice(&[(field as u8) << 5 | high, low]),
        _ => out.extend_from_slice(&[0xe0 | high, field.wrapping_sub(7) as u8, low]),
    }
}

fn reference_2(found: Match, out: &mut Vec<u8>) {
    let far = found.distance.checked_sub(NEAR_2.wrapping_add(1));
    let near = if far.is_some() { NEAR_2 } else { found.distance.wrapping_sub(1) };
    let [high, low] = (near as u16).to_be_bytes();
    let field = found.len.wrapping_sub(2);
    match field.checked_sub(7) {
        None => out.push((field as u8) << 5 | high),
        Some(more) => {
            out.push(0xe0 | high);
            out.extend(core::iter::repeat_n(255, more / 255));
            out.push((more % 255) as u8);
        }
    }
    out.push(low);
    if let Some(far) = far {
        out.extend_from_slice(&(far as u16).to_be_bytes());
    }
}
