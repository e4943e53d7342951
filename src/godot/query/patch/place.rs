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

/// A value, number or element in a packet.
#[derive(Clone, Debug)]
pub(super) struct Place {
    /// Without the header.
    pub bytes: Range<usize>,
    /// The header, where there is one.
    pub header: Option<u32>,
    pub kind: Kind,
    pub dialect: Dialect,
    /// Whether the packet ends there.
    pub is_last: bool,
    form: Form,
}

/// What is there.
#[derive(Clone, Copy, Debug)]
enum Form {
    Container,
    /// One number; nothing of a value may be lost if it has to be `exact`.
    Number {
        number: Number,
        exact: bool,
    },
    /// Those of a vector or the like.
    Numbers {
        numbers: Components,
        each: Number,
    },
    /// A packed array's text, which perhaps counts a NUL.
    Text {
        nul: bool,
    },
    /// Whatever is written as a whole.
    Whole,
}

impl Place {
    /// What was found at `offset` of a packet, perhaps at its end.
    pub(super) fn new(found: &Found<'_>, offset: usize, dialect: Dialect, is_last: bool) -> Self {
        let (value, payload) = (found.value(), found.payload());
        let start = offset.saturating_add(found.bytes().len().saturating_sub(payload.len()));
        Self {
            bytes: start..start.saturating_add(payload.len()),
            header: found.encoded().map(|encoded| encoded.header()),
            kind: value.kind(),
            dialect,
            is_last,
            form: Form::of(found),
        }
    }

    /// Where it is, with its header.
    pub(super) fn offset(&self) -> usize {
        let header = self.header.map_or(0, |_| size_of::<u32>());
        self.bytes.start.saturating_sub(header)
    }

    /// Overwrites it in `packet`, if the value fits.
    pub(super) fn set(&self, value: &VariantRef<'_>, packet: &mut [u8]) -> Result<()> {
        match self.form {
            Form::Container => Err(ErrorKind::IsContainer(self.kind)),
            Form::Number { number, exact } => {
                let bytes = number.bytes_of(value, exact).ok_or_else(|| self.refusal(value))?;
                overwrite::put(self.room(packet), &bytes);
                Ok(())
            }
            Form::Numbers { numbers, each } if value.kind() == self.kind => {
                write_numbers(value, numbers, each, self.room(packet));
                Ok(())
            }
            Form::Text { nul } => match value.as_str() {
                Some(text) if text.is_accepted_by(self.dialect) => {
                    self.set_text(text.as_bytes(), nul, packet)
                }
                Some(_) => Err(ErrorKind::BadText),
                None => Err(self.refusal(value)),
            },
            Form::Whole if !is_accepted(value, self.dialect) => Err(ErrorKind::BadText),
            Form::Numbers { .. } | Form::Whole => self.write(value, packet),
        }
    }

    /// The same for a value that is no view: with text that every engine accepts, and longer
    /// than numbers are.
    pub(super) fn write(&self, value: &impl ToVariant, packet: &mut [u8]) -> Result<()> {
        let writing = overwrite::measure(value, self.dialect)?;
        match (self.form, self.header) {
            (Form::Container, _) => Err(ErrorKind::IsContainer(self.kind)),
            (Form::Whole, Some(header)) => {
                writing.fits(self, header, self.room(packet))?;
                overwrite::write(value, self.dialect, self.room(packet))
            }
            _ => Err(writing.wrong_type(self)),
        }
    }

    fn room<'p>(&self, packet: &'p mut [u8]) -> &'p mut [u8] {
        packet.get_mut(self.bytes.clone()).unwrap_or_default()
    }

    /// Returns the error for a value that does not fit here.
    fn refusal(&self, value: &VariantRef<'_>) -> ErrorKind {
        let (expected, found) = (self.kind, value.kind());
        let is_number = |kind| matches!(kind, Kind::Int | Kind::Float);
        match expected == found || (is_number(found) && expected == Kind::Float) {
            true => ErrorKind::DoesNotFit,
            false => ErrorKind::WrongType { expected, found },
        }
    }

    /// Length, text and pad, in as many bytes as there are.
    fn set_text(&self, text: &[u8], nul: bool, packet: &mut [u8]) -> Result<()> {
        let there = self.bytes.len();
        let len = text.len().saturating_add(usize::from(nul || text.ends_with(&[0])));
        let whole = len.saturating_add(size_of::<u32>());
        let missing = whole.saturating_add(text::pad(len)).checked_sub(there);
        // At the packet's end, a pad may be missing.
        let fits = whole <= there && missing.is_some_and(|missing| missing == 0 || self.is_last);
        let Some(written) = u32::try_from(len).ok().filter(|_| fits) else {
            return Err(ErrorKind::WrongSize {
                expected: u32::try_from(there).unwrap_or(u32::MAX),
            });
        };
        let room = self.room(packet);
        room.fill(0);
        overwrite::put(room, &written.to_le_bytes());
        overwrite::put(room.get_mut(size_of::<u32>()..).unwrap_or_default(), text);
        Ok(())
    }
}

impl Form {
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

/// Each number where it stands, rounded if need be.
fn write_numbers(value: &VariantRef<'_>, numbers: Components, each: Number, room: &mut [u8]) {
    let mut number = 0_usize;
    let told = value.parts(&mut |part: Part<'_>| {
        if let Some(bytes) = each.bytes_of(&part.value(), false)
            && let Some(place) = numbers.range(number, room.len())
        {
            overwrite::put(room.get_mut(place).unwrap_or_default(), &bytes);
        }
        number = number.saturating_add(1);
        Ok::<(), Infallible>(())
    });
    let Ok(()) = told;
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
        let place = at(bytes)..at(bytes).saturating_add(bytes.len());
        return leaf.get_mut(place).unwrap_or_default().fill(letter);
    }
    // Where a value has several texts, they stand in a row.
    let (mut first, mut count) = (None, 0_u32);
    let told = value.texts(&mut |text| {
        first = first.or_else(|| at(text.as_bytes()).checked_sub(size_of::<u32>()));
        count = count.saturating_add(1);
        Ok(())
    });
    debug_assert!(told.is_ok(), "nothing was refused");
    let mut rest = first.and_then(|first| leaf.get_mut(first..)).unwrap_or_default();
    for _ in 0..count {
        rest = fill_text(rest, letter);
    }
}

/// Overwrites a text and gives what follows its pad. A NUL at its end may be one that counts.
fn fill_text(text: &mut [u8], letter: u8) -> &mut [u8] {
    let Some((len, text)) = text.split_first_chunk_mut() else { return &mut [] };
    let len = u32::from_le_bytes(*len) as usize;
    let Some((text, rest)) = text.split_at_mut_checked(len) else { return &mut [] };
    let kept = usize::from(text.ends_with(&[0]));
    text.iter_mut().rev().skip(kept).for_each(|byte| *byte = letter);
    rest.get_mut(text::pad(len)..).unwrap_or_default()
}
