//! The location of a value to overwrite, and the values that fit there.

use super::super::path::Found;
use super::number::Number;
use super::overwrite;
use crate::godot::types::components::{Components, SubValues};
use crate::godot::types::parts::Part;
use crate::godot::types::text::{self, StrRef};
use crate::godot::write::to_variant::ToVariant;
use crate::godot::{Dialect, Encoded, ErrorKind, Kind, ObjectRef, VariantRef};
use core::convert::Infallible;
use core::ops::Range;

pub(super) type Result<T> = core::result::Result<T, ErrorKind>;

/// The longest value of fixed size: a Projection in double precision.
pub(super) const LONGEST_FIXED: usize = 4 + 16 * 8;

/// The location and type of a value, component or element in a packet.
#[derive(Clone, Debug)]
pub(super) struct PatchTarget {
    /// Range of the payload, without the header.
    pub bytes: Range<usize>,
    /// The header, if there is one.
    pub header: Option<u32>,
    pub kind: Kind,
    pub dialect: Dialect,
    /// `true` if the packet ends after the value.
    pub is_last: bool,
    shape: TargetShape,
}

/// The structure of the old value, which decides how a new one is written.
#[derive(Clone, Copy, Debug)]
enum TargetShape {
    Container,
    /// One number. If `exact` is set, a new number must not be rounded.
    Number {
        number: Number,
        exact: bool,
    },
    /// The components of a vector or similar type.
    Numbers {
        numbers: Components,
        each: Number,
    },
    /// A string in a packed array. `nul` is `true` if the length in the prefix includes a NUL.
    Text {
        nul: bool,
    },
    /// Any other value, which is overwritten completely.
    Whole,
}

impl PatchTarget {
    /// Creates the target for a value that was found at `offset` in a packet.
    pub(super) fn new(found: &Found<'_>, offset: usize, dialect: Dialect, is_last: bool) -> Self {
        let (value, payload) = (found.value(), found.payload());
        let start = offset.saturating_add(found.bytes().len().saturating_sub(payload.len()));
        Self {
            bytes: start..start.saturating_add(payload.len()),
            header: found.encoded().map(|encoded| encoded.header()),
            kind: value.kind(),
            dialect,
            is_last,
            shape: TargetShape::of(found),
        }
    }

    /// Returns the offset of the value, including its header.
    pub(super) fn offset(&self) -> usize {
        let header = self.header.map_or(0, |_| size_of::<u32>());
        self.bytes.start.saturating_sub(header)
    }

    /// Overwrites the old value in `packet` if the new value fits.
    pub(super) fn set(&self, value: &VariantRef<'_>, packet: &mut [u8]) -> Result<()> {
        match self.shape {
            TargetShape::Container => Err(ErrorKind::IsContainer(self.kind)),
            TargetShape::Number { number, exact } => {
                let bytes = number.bytes_of(value, exact).ok_or_else(|| self.mismatch(value))?;
                overwrite::put(self.payload(packet), &bytes);
                Ok(())
            }
            TargetShape::Numbers { numbers, each } if value.kind() == self.kind => {
                write_numbers(value, numbers, each, self.payload(packet));
                Ok(())
            }
            TargetShape::Text { nul } => match value.as_str() {
                Some(text) if text.is_accepted_by(self.dialect) => {
                    self.set_text(text.as_bytes(), nul, packet)
                }
                Some(_) => Err(ErrorKind::BadText),
                None => Err(self.mismatch(value)),
            },
            TargetShape::Whole if !is_accepted(value, self.dialect) => Err(ErrorKind::BadText),
            TargetShape::Numbers { .. } | TargetShape::Whole => self.write(value, packet),
        }
    }

    /// Encodes `value` over the old value, unless the old value consists of numbers, which only
    /// [`set`](Self::set) overwrites. Does not check the text of `value`.
    pub(super) fn write(&self, value: &impl ToVariant, packet: &mut [u8]) -> Result<()> {
        let writing = overwrite::measure(value, self.dialect)?;
        match (self.shape, self.header) {
            (TargetShape::Container, _) => Err(ErrorKind::IsContainer(self.kind)),
            (TargetShape::Whole, Some(header)) => {
                writing.fits(self, header, self.payload(packet))?;
                overwrite::write(value, self.dialect, self.payload(packet))
            }
            _ => Err(writing.wrong_type(self)),
        }
    }

    fn payload<'p>(&self, packet: &'p mut [u8]) -> &'p mut [u8] {
        packet.get_mut(self.bytes.clone()).unwrap_or_default()
    }

    /// Returns the error for a value that cannot replace the old value.
    fn mismatch(&self, value: &VariantRef<'_>) -> ErrorKind {
        let (expected, found) = (self.kind, value.kind());
        let is_number = |kind| matches!(kind, Kind::Int | Kind::Float);
        match expected == found || (is_number(found) && expected == Kind::Float) {
            true => ErrorKind::DoesNotFit,
            false => ErrorKind::WrongType { expected, found },
        }
    }

    /// Writes length prefix, text and padding over the old text, which must have the same size.
    fn set_text(&self, text: &[u8], nul: bool, packet: &mut [u8]) -> Result<()> {
        let old_len = self.bytes.len();
        let len = text.len().saturating_add(usize::from(nul || text.ends_with(&[0])));
        let whole = len.saturating_add(size_of::<u32>());
        let missing = whole.saturating_add(text::pad(len)).checked_sub(old_len);
        // The padding may be missing at the end of the packet.
        let fits = whole <= old_len && missing.is_some_and(|missing| missing == 0 || self.is_last);
        let Some(written) = u32::try_from(len).ok().filter(|_| fits) else {
            return Err(ErrorKind::WrongSize {
                expected: u32::try_from(old_len).unwrap_or(u32::MAX),
            });
        };
        let payload = self.payload(packet);
        payload.fill(0);
        overwrite::put(payload, &written.to_le_bytes());
        overwrite::put(payload.get_mut(size_of::<u32>()..).unwrap_or_default(), text);
        Ok(())
    }
}

impl TargetShape {
    fn of(found: &Found<'_>) -> Self {
        let (value, payload) = (found.value(), found.payload());
        let is_whole = found.encoded().is_some();
        match (value, value.sub_values()) {
            (VariantRef::Array(_) | VariantRef::Dictionary(_), _)
            | (VariantRef::Object(ObjectRef::Full(_)), _) => Self::Container,
            (VariantRef::String(text), _) if !is_whole => {
                let len = payload.first_chunk().map_or(0, |len| u32::from_le_bytes(*len));
                Self::Text { nul: text.as_bytes().len() < len as usize }
            }
            (_, SubValues::Components(numbers)) => {
                let width = payload.len().checked_div(numbers.names.len()).unwrap_or(0);
                match first_part(&value).and_then(|part| Number::of(&part, width)) {
                    Some(each) => Self::Numbers { numbers, each },
                    None => Self::Whole,
                }
            }
            _ => match Number::of(&value, payload.len()) {
                Some(number) => Self::Number { number, exact: is_whole },
                None => Self::Whole,
            },
        }
    }
}

fn first_part<'a>(value: &VariantRef<'a>) -> Option<VariantRef<'a>> {
    value.parts(&mut |part: Part<'a>| Err(part.value())).err()
}

/// Overwrites each component with a new one, which is rounded to the width of the old one.
fn write_numbers(value: &VariantRef<'_>, numbers: Components, each: Number, payload: &mut [u8]) {
    let mut number = 0_usize;
    let result = value.parts(&mut |part: Part<'_>| {
        if let Some(bytes) = each.bytes_of(&part.value(), false)
            && let Some(range) = numbers.range(number, payload.len())
        {
            overwrite::put(payload.get_mut(range).unwrap_or_default(), &bytes);
        }
        number = number.saturating_add(1);
        Ok::<(), Infallible>(())
    });
    let Ok(()) = result;
}

/// Returns `true` if the dialect's engine accepts all text in the value.
fn is_accepted(value: &VariantRef<'_>, dialect: Dialect) -> bool {
    let check = &mut |text: StrRef<'_>| match text.is_accepted_by(dialect) {
        true => Ok(()),
        false => Err(super::Error::new(ErrorKind::BadText, 0)),
    };
    value.texts(check).is_ok()
}

/// Overwrites the text and the byte arrays of a leaf.
pub(super) fn fill(leaf: &mut [u8], dialect: Dialect, letter: u8) {
    let start = leaf.as_ptr().addr();
    let at = |bytes: &[u8]| bytes.as_ptr().addr().wrapping_sub(start);
    let value = Encoded::trusted(leaf, dialect).decode();
    if let SubValues::Elements(elements) = value.sub_values()
        && let Some(bytes) = elements.as_bytes()
    {
        let range = at(bytes)..at(bytes).saturating_add(bytes.len());
        return leaf.get_mut(range).unwrap_or_default().fill(letter);
    }
    // The strings of a value are adjacent. It is therefore enough to store the start of the first
    // string and the number of strings.
    let (mut first, mut count) = (None, 0_u32);
    let result = value.texts(&mut |text| {
        first = first.or_else(|| at(text.as_bytes()).checked_sub(size_of::<u32>()));
        count = count.saturating_add(1);
        Ok(())
    });
    debug_assert!(result.is_ok(), "the closure returns no error");
    let mut rest = first.and_then(|first| leaf.get_mut(first..)).unwrap_or_default();
    for _ in 0..count {
        rest = fill_text(rest, letter);
    }
}

/// Overwrites one string and returns the bytes after its padding. Keeps a NUL at the end of the
/// text, because the length prefix may count it.
fn fill_text(text: &mut [u8], letter: u8) -> &mut [u8] {
    let Some((len, text)) = text.split_first_chunk_mut() else { return &mut [] };
    let len = u32::from_le_bytes(*len) as usize;
    let Some((text, rest)) = text.split_at_mut_checked(len) else { return &mut [] };
    let kept = usize::from(text.ends_with(&[0]));
    text.iter_mut().rev().skip(kept).for_each(|byte| *byte = letter);
    rest.get_mut(text::pad(len)..).unwrap_or_default()
}
