//! Guesses the dialect and the framing of Godot values.

use crate::godot::find::Endian;
use crate::godot::{Dialect, Error, Kind, Leaf, Open, Property, Reader, Visitor};

/// A guess of how a file stores Godot values.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct ValuesGuess {
    /// Dialect of the values.
    pub dialect: Dialect,
    /// Byte order of the length before each value. `None` if there are no lengths.
    pub framing: Option<Endian>,
    /// `true` if no other dialect and no other framing fits.
    pub is_unique: bool,
}

/// The dialects that are tried, in this order. No engine writes the other dialects.
const DIALECTS: [Dialect; 3] = [Dialect::Godot4, Dialect::Godot3, Dialect::Godot2];

/// The framings that are tried, in this order.
const FRAMINGS: [Option<Endian>; 3] = [None, Some(Endian::Little), Some(Endian::Big)];

/// Guesses the dialect and the framing of a file that consists of values and nothing else. Returns
/// `None` if the bytes are not values, or are only zeros. Exception: four zeros are a null.
///
/// If several guesses fit, the first of these differences decides:
/// 1. A first value that is complete is preferred to one that is cut off.
/// 2. A single value, or frames, are preferred to several values in a row.
/// 3. Few values are preferred to many.
/// 4. New dialects are preferred to old ones.
/// 5. A single value is preferred to a frame.
///
/// If `is_whole` is `false`, `head` is only the beginning of the file, and its last value may be
/// cut off.
pub fn guess_values(head: &[u8], is_whole: bool) -> Option<ValuesGuess> {
    if head.iter().all(|byte| *byte == 0) && head.len() != 4 {
        return None;
    }
    let mut best: Option<(Count, ValuesGuess)> = None;
    let mut fitting = 0_u32;
    for dialect in DIALECTS {
        for framing in FRAMINGS {
            let Some(count) = count_values(head, dialect, framing, is_whole) else { continue };
            fitting = fitting.saturating_add(1);
            if best.as_ref().is_none_or(|(least, _)| count < *least) {
                best = Some((count, ValuesGuess { dialect, framing, is_unique: false }));
            }
        }
    }
    best.map(|(_, guess)| ValuesGuess { is_unique: fitting == 1, ..guess })
}

/// Counts the values if the bytes consist of values. A value that is cut off counts if
/// `is_whole` is `false`.
fn count_values(
    head: &[u8],
    dialect: Dialect,
    framing: Option<Endian>,
    is_whole: bool,
) -> Option<Count> {
    let (mut rest, mut count) = (head, 0_u64);
    // If the first value is cut off, nothing confirms its beginning.
    let cut_off =
        |count: u64| (count == 0, framing.is_none() && count > 0, count.saturating_add(1));
    while !rest.is_empty() {
        if rest.len() < PREFIX && !is_whole {
            return Some(cut_off(count));
        }
        let value = match framing {
            None => rest,
            Some(endian) => match frame(rest, endian)? {
                (value, true) => value,
                // The frame is longer than the bytes. Its value must at least start correctly.
                (value, false) if !is_whole => {
                    if count == 0 && !matches!(value, [] | [_, 0, _, 0, ..]) {
                        return None;
                    }
                    let error = skip(&mut Reader::new(value, dialect)).err();
                    let fits = value.is_empty() || error.is_some_and(is_cut_off);
                    return fits.then(|| cut_off(count));
                }
                _ => return None,
            },
        };
        // Engines set no bits in the second and the fourth byte of a header.
        if count == 0 && !matches!(value, [_, 0, _, 0, ..]) {
            return None;
        }
        let mut reader = Reader::new(value, dialect);
        match skip(&mut reader) {
            Ok(()) => {}
            Err(error) if framing.is_none() && !is_whole && is_cut_off(error) => {
                return Some(cut_off(count));
            }
            Err(_) => return None,
        }
        count = count.saturating_add(1);
        rest = match framing {
            None => reader.rest(),
            Some(_) => {
                reader.finish().ok()?;
                rest.get(value.len().saturating_add(PREFIX)..).unwrap_or_default()
            }
        };
    }
    // A frame whose length fits its value is strong evidence.
    (count > 0).then_some((false, framing.is_none() && count > 1, count))
}

/// The ranks of a guess: `true` if the first value is cut off, `true` if several values are in a
/// row, and the number of values. The least is the best guess.
type Count = (bool, bool, u64);

/// Size of the length before a value.
const PREFIX: usize = 4;

/// Returns the content of the first frame, and whether it is complete.
fn frame(bytes: &[u8], endian: Endian) -> Option<(&[u8], bool)> {
    let (prefix, rest) = bytes.split_first_chunk()?;
    let len = match endian {
        Endian::Little => u32::from_le_bytes(*prefix),
        Endian::Big => u32::from_be_bytes(*prefix),
    };
    // The shortest value takes four bytes, and no value reaches 2 GiB.
    let len = usize::try_from(len).ok().filter(|len| (4..1 << 31).contains(len))?;
    Some(rest.get(..len).map_or((rest, false), |value| (value, true)))
}

fn is_cut_off(error: Error) -> bool {
    error.missing().is_some()
}

/// Moves past a value. All callers of `visit_dyn` share its code, so the program is smaller than
/// with `Reader::skip`.
fn skip(reader: &mut Reader<'_, '_>) -> Result<(), Error> {
    reader.visit_dyn(&mut Ignore)
}

/// Visitor that ignores everything.
struct Ignore;

impl Visitor<'_> for Ignore {
    type Error = Error;

    fn leaf(&mut self, _: Leaf<'_>) -> Result<(), Error> {
        Ok(())
    }

    fn open(&mut self, _: Open<'_>) -> Result<(), Error> {
        Ok(())
    }

    fn property(&mut self, _: Property<'_>) -> Result<(), Error> {
        Ok(())
    }

    fn close(&mut self, _: Kind) -> Result<(), Error> {
        Ok(())
    }
}
