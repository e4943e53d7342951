//! Overwrites a value with a new one. First measures the encoded new value, and writes it only if
//! it fits.

use super::target::{PatchTarget, Result};
use crate::buffer::{Cursor, Full, Sink};
use crate::godot::read::walk::ENGINE_DEPTH;
use crate::godot::table::dialect::{Job, Spec};
use crate::godot::table::payload::{DiscardLeaf, Head, Header};
use crate::godot::write::encoder::Encoder;
use crate::godot::write::to_variant::ToVariant;
use crate::godot::{Dialect, ErrorKind, Kind};

/// Copies `bytes` to the start of `target`. Drops bytes that do not fit.
pub(super) fn put(target: &mut [u8], bytes: &[u8]) {
    target.iter_mut().zip(bytes).for_each(|(target, byte)| *target = *byte);
}

/// Encodes a value into a sink.
fn encode<S: Sink>(value: &impl ToVariant, dialect: Dialect, sink: &mut S) -> Result<()> {
    let mut out = Encoder::new(sink, dialect.into(), ENGINE_DEPTH);
    value.write(&mut out).map_err(|error| *error.kind())
}

/// Measures the encoded form of a value.
pub(super) fn measure(value: &impl ToVariant, dialect: Dialect) -> Result<Measured> {
    let mut measured = Measured { header: [0; 4], len: 0, without_pad: 0 };
    encode(value, dialect, &mut measured)?;
    Ok(measured)
}

/// Overwrites a payload of the same length.
pub(super) fn write(value: &impl ToVariant, dialect: Dialect, payload: &mut [u8]) -> Result<()> {
    encode(value, dialect, &mut Overwrite { payload, at: 0 })
}

/// A sink that stores only the header and the length of a value.
#[derive(Debug)]
pub(super) struct Measured {
    header: [u8; 4],
    len: usize,
    /// Length without the padding at the end.
    without_pad: usize,
}

impl Measured {
    fn header(&self) -> u32 {
        u32::from_le_bytes(self.header)
    }

    /// Checks that the new value can replace the old one in place. `payload` is the payload of
    /// `target`, and `header` is its header, which does not change.
    pub(super) fn fits(&self, target: &PatchTarget, header: u32, payload: &[u8]) -> Result<()> {
        let rules = target.dialect.rules();
        let kind = |header| target.dialect.kind(Header(header).id(rules));
        if kind(self.header()) != kind(header) {
            return Err(self.wrong_type(target));
        }
        // The old header is kept, and it distinguishes full objects from ids.
        let is_id = |header| Header(header).is_wide(rules);
        if target.kind == Kind::Object && is_id(self.header()) != is_id(header) {
            return Err(ErrorKind::DoesNotFit);
        }
        let old_len = payload.len().saturating_add(size_of::<u32>());
        // The padding may be missing at the end of the packet.
        let is_as_long = self.len == old_len
            || (target.is_last && self.without_pad <= old_len && old_len < self.len);
        // The header of an array of vectors states the width of their components. Reading the old
        // payload with the header of the new value must therefore take the same number of bytes.
        let means_the_same = target.dialect.run(FillsPayload { header: self.header(), payload });
        match is_as_long && means_the_same {
            true => Ok(()),
            false => {
                Err(ErrorKind::WrongSize { expected: u32::try_from(old_len).unwrap_or(u32::MAX) })
            }
        }
    }

    pub(super) fn wrong_type(&self, target: &PatchTarget) -> ErrorKind {
        let id = Header(self.header()).id(target.dialect.rules());
        match target.dialect.kind(id) {
            Some(found) => ErrorKind::WrongType { expected: target.kind, found },
            None => ErrorKind::UnknownType { id },
        }
    }
}

impl Sink for Measured {
    const REWINDS: bool = true;

    fn reserve(&mut self, _: usize) -> core::result::Result<(), Full> {
        Ok(())
    }

    fn put(&mut self, bytes: &[u8]) {
        if let Some(header) = self.header.get_mut(self.len..) {
            put(header, bytes);
        }
        self.len = self.len.saturating_add(bytes.len());
        self.without_pad = self.len;
    }

    fn pad(&mut self, n: usize) {
        self.without_pad = self.len; // a NUL that the length counts is not padding
        self.len = self.len.saturating_add(n);
    }

    fn position(&self) -> usize {
        self.len
    }

    fn rewind(&mut self, position: usize) {
        self.len = position;
    }
}

/// A sink that writes a value into a payload. It omits the header, and the part of the last padding
/// that does not fit.
struct Overwrite<'r> {
    payload: &'r mut [u8],
    at: usize,
}

impl Sink for Overwrite<'_> {
    const REWINDS: bool = true;

    fn reserve(&mut self, _: usize) -> core::result::Result<(), Full> {
        Ok(())
    }

    fn put(&mut self, bytes: &[u8]) {
        let header = size_of::<u32>().saturating_sub(self.at).min(bytes.len());
        let payload = bytes.get(header..).unwrap_or_default();
        let start = self.at.saturating_add(header).saturating_sub(size_of::<u32>());
        put(self.payload.get_mut(start..).unwrap_or_default(), payload);
        self.at = self.at.saturating_add(bytes.len());
    }

    fn position(&self) -> usize {
        self.at
    }

    fn rewind(&mut self, position: usize) {
        self.at = position;
    }
}

/// A job that reads a payload with a different header and checks that this takes exactly all of its
/// bytes.
struct FillsPayload<'r> {
    header: u32,
    payload: &'r [u8],
}

impl Job for FillsPayload<'_> {
    type Output = bool;

    fn run<D: Spec>(self) -> bool {
        let mut at = Cursor::new(self.payload);
        match D::head(&mut at, Header(self.header), DiscardLeaf) {
            Ok(Head::Leaf(())) => at.is_empty(),
            Ok(_) => true, // a null object
            Err(_) => false,
        }
    }
}
