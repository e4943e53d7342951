//! Finds values and frames in arbitrary bytes, such as memory dumps, captures, and files that also
//! contain other data. A frame is a length followed by a value of this length.
//!
//! Nothing marks the start of a value. [`Finder`] therefore tries each offset as the start of a
//! value, as the start of a frame with a little-endian length, and as the start of a frame with a
//! big-endian length. Other data can look like a value by chance. The finder estimates how many
//! bits would have to match by chance, and reports the estimate as a [`Confidence`]. A type id is
//! weak evidence, since small integers are frequent everywhere. Readable text, plausible reals, and
//! a length that fits its value exactly are stronger evidence.
//!
//! ```
//! use gamewire::godot::find::{Confidence, Endian, Finder};
//!
//! // A length, {"hp": 5} and other data around them.
//! let file = b"HEAD\x1c\0\0\0\x1b\0\0\0\x01\0\0\0\x04\0\0\0\x02\0\0\0hp\0\0\x02\0\0\0\x05\0\0\0\xff";
//! let mut finder = Finder::new(file);
//! let found = finder.next().unwrap();
//! assert_eq!((found.offset, found.len, found.framing), (4, 32, Some(Endian::Little)));
//! assert_eq!(found.confidence, Confidence::Certain);
//! assert_eq!(found.value.decode().as_dictionary().unwrap().len(), 1);
//! assert!(finder.next().is_none());
//! ```

mod candidate;
mod evidence;
mod header;
mod run;

use self::candidate::{Budget, Candidate};
use self::header::word;
use self::run::{Run, bits_in_run};
use crate::godot::frame::Framing;
use crate::godot::{Dialect, Encoded, Kind};
use core::iter::FusedIterator;

/// Byte order of the length before a value. The value itself is always little-endian.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Endian {
    /// Little-endian, the default of all engines.
    Little,
    /// Big-endian, as in a file or stream whose property `big_endian` is set.
    Big,
}

/// The degree of certainty that some bytes are a value.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub enum Confidence {
    /// Bytes that are also common in files without values: a single number or vector in a frame, or
    /// short text without a frame.
    Possible,
    /// Bytes that are rare in files without values: text or a container of numbers without a frame,
    /// or a small array in a frame. Values that an engine would write with different bytes are
    /// never more than likely.
    Likely,
    /// Bytes that practically never occur in files without values: a container with text, several
    /// frames in a row, or a single frame with text or several numbers, whose length is exactly
    /// that of its value. In each case, the bytes of the value are exactly those that an engine
    /// would write.
    Certain,
}

/// The minimum number of bits for each confidence.
struct Threshold;

impl Threshold {
    const POSSIBLE: i32 = 8;
    const LIKELY: i32 = 16;
    const CERTAIN: i32 = 24;
}

impl Confidence {
    fn of(bits: i32) -> Option<Self> {
        match bits {
            Threshold::CERTAIN.. => Some(Self::Certain),
            Threshold::LIKELY.. => Some(Self::Likely),
            Threshold::POSSIBLE.. => Some(Self::Possible),
            _ => None,
        }
    }

    /// Returns the name: `certain`, `likely` or `possible`.
    pub const fn name(self) -> &'static str {
        match self {
            Self::Certain => "certain",
            Self::Likely => "likely",
            Self::Possible => "possible",
        }
    }
}

/// A value that was found.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Found<'a> {
    /// Offset of the length, or of the value if no length precedes it.
    pub offset: u64,
    /// Size in bytes, including the length before the value.
    pub len: u64,
    /// Byte order of the length before the value. `None` if no length precedes the value.
    pub framing: Option<Endian>,
    /// The value. [`Level::Engine`](crate::godot::Level::Engine) accepts it.
    pub value: Encoded<'a>,
    /// How certain it is that the bytes are a value.
    pub confidence: Confidence,
    /// The estimated number of bits from which `confidence` is derived.
    bits: i32,
}

impl Found<'_> {
    /// Returns the dialect of the value. If the bytes are a value in several dialects, returns the
    /// dialect with the most evidence, or the newest if the evidence is equal.
    pub fn dialect(&self) -> Dialect {
        self.value.dialect()
    }

    /// Returns the type of the value.
    pub fn kind(&self) -> Kind {
        self.value.kind()
    }
}

/// Iterator over the values in any bytes, in the order of their offsets.
///
/// Values inside a reported value are usually not reported. However, likely and certain values are
/// reported even if they begin inside a [`Possible`](Confidence::Possible) value, because the
/// possible value is then probably not a value. Values with too little evidence even for
/// `Possible`, such as a null or a number without a frame, are not reported.
///
/// The search takes linear time in the number of bytes, and does not allocate. To stay linear, it
/// has a budget for the work on bytes that turn out not to be values. The budget is proportional to
/// the number of bytes. When it is used up, the finder skips values of more than 128 bytes, and
/// [`is_complete`](Self::is_complete) returns `false`. Hostile input can use up the budget. In a
/// test, 7 in 1,000 files of an operating system used it up, too; most of these files were compiled
/// Python or message catalogues.
#[derive(Clone, Debug)]
pub struct Finder<'a> {
    bytes: &'a [u8],
    pos: usize,
    dialects: &'static [Dialect],
    budget: Budget,
    /// End of the last value that was reported as [`Confidence::Possible`]. Up to this offset, only
    /// values with more confidence are reported.
    end_of_possible: usize,
    /// The run of frames that ends with the last frame that was found.
    run: Option<Run>,
}

impl<'a> Finder<'a> {
    /// Creates a finder that searches for values of Godot 4 and 3.
    pub fn new(bytes: &'a [u8]) -> Self {
        Self {
            bytes,
            pos: 0,
            dialects: &[Dialect::Godot4, Dialect::Godot3],
            budget: Budget::new(bytes.len()),
            end_of_possible: 0,
            run: None,
        }
    }

    /// Restricts the search to values of one dialect.
    #[must_use]
    pub fn only(mut self, dialect: Dialect) -> Self {
        let from = Dialect::ALL.iter().position(|other| *other == dialect);
        let from = from.and_then(|index| Dialect::ALL.get(index..)).unwrap_or_default();
        self.dialects = from.get(..1).unwrap_or_default();
        self
    }

    /// Returns `false` if the search has used up its budget. Large values may then be missing.
    pub fn is_complete(&self) -> bool {
        self.budget.is_complete
    }

    /// Returns the value at `pos` for which there is the most evidence.
    fn at(&mut self, pos: usize) -> Option<Found<'a>> {
        let rest = self.bytes.get(pos..)?;
        let mut best = None;
        for dialect in self.dialects.iter().copied() {
            let has_header = word(rest, 4).and_then(|word| header::kind(word, dialect)).is_some();
            for endian in [Endian::Little, Endian::Big] {
                if has_header {
                    best = better(best, self.frame(rest, pos, endian, dialect));
                }
            }
            best = better(best, self.value(rest, pos, dialect));
        }
        best
    }

    fn value(&mut self, rest: &'a [u8], pos: usize, dialect: Dialect) -> Option<Found<'a>> {
        let candidate = Candidate::value(rest, dialect, &mut self.budget)?;
        let found = candidate.accepted(candidate.bits_without_frame(), &mut self.budget)?;
        Some(Found { offset: pos as u64, ..found })
    }

    fn frame(
        &mut self,
        rest: &'a [u8],
        pos: usize,
        endian: Endian,
        dialect: Dialect,
    ) -> Option<Found<'a>> {
        let candidate = Candidate::frame(rest, endian, dialect, &mut self.budget)?;
        let size = candidate.value.as_bytes().len();
        let end = pos.saturating_add(Framing::PREFIX).saturating_add(size);
        let run = Run { end, endian, dialect, bits: candidate.bits, kind: candidate.value.kind() };
        let run = run.after(self.run, pos).within(pos, self.bytes.len());
        let bits = run.bits.saturating_add(self.bits_ahead(run));
        let found = candidate.accepted(bits, &mut self.budget)?;
        if found.confidence > Confidence::Possible {
            self.run = Some(run);
        }
        let len = found.len.saturating_add(Framing::PREFIX as u64);
        Some(Found { offset: pos as u64, len, framing: Some(endian), ..found })
    }

    /// Returns the bits of evidence in the next few frames. Stops as soon as `run` is certain.
    fn bits_ahead(&mut self, run: Run) -> i32 {
        let Run { end: mut pos, endian, dialect, mut kind, .. } = run;
        let mut bits = 0_i32;
        for _ in 0..run::AHEAD {
            if run.bits.saturating_add(bits) >= Threshold::CERTAIN {
                break;
            }
            let rest = self.bytes.get(pos..).unwrap_or_default();
            let next = Candidate::frame(rest, endian, dialect, &mut self.budget);
            let Some(next) = next else { break };
            self.budget.charge(next.work);
            bits = bits.saturating_add(bits_in_run(next.bits, next.value.kind(), kind));
            kind = next.value.kind();
            let size = next.value.as_bytes().len();
            pos = pos.saturating_add(Framing::PREFIX).saturating_add(size);
        }
        bits
    }
}

fn better<'a>(best: Option<Found<'a>>, found: Option<Found<'a>>) -> Option<Found<'a>> {
    match (best, found) {
        (Some(best), Some(found)) if found.bits > best.bits => Some(found),
        (best, found) => best.or(found),
    }
}

impl<'a> Iterator for Finder<'a> {
    type Item = Found<'a>;

    fn next(&mut self) -> Option<Found<'a>> {
        while self.pos < self.bytes.len() {
            let pos = self.pos;
            let found = self.at(pos);
            self.pos = pos.saturating_add(1);
            let Some(found) = found else { continue };
            let end = pos.saturating_add(usize::try_from(found.len).unwrap_or(usize::MAX));
            if found.confidence > Confidence::Possible {
                self.pos = end;
                return Some(found);
            }
            if pos >= self.end_of_possible {
                self.end_of_possible = end;
                return Some(found);
            }
        }
        None
    }
}

impl FusedIterator for Finder<'_> {}
