//! Values in binary streams.

use super::BinaryWriter;
use crate::buffer::Sink;
use crate::rems::array::Array;
use crate::rems::print::for_scalar;
use crate::rems::value;
use crate::rems::write::error::{KindResult, WriteErrorKind};
use crate::rems::write::readback;
use crate::rems::write::scanned_str::ScannedStr;
use crate::rems::write::state::fits;
use crate::rems::{Kind, Part, Scalar, StrRef, Value};

impl<S: Sink, const DEPTH: usize> BinaryWriter<S, DEPTH> {
    /// Writes a value that a reader returned.
    pub(super) fn any_value(&mut self, value: &Value<'_>) -> KindResult {
        let (kind, dim) = self.state.plain()?;
        if !fits(kind, value.kind) || dim != value.dim {
            return Err(WriteErrorKind::OtherKind { expected: Some(kind), found: value.kind });
        }
        if kind.is_text() {
            return self.any_text(value.text()?);
        }
        let id = self.id(kind, dim)?;
        match value.encoding {
            // The bytes are the same in all eras.
            value::Encoding::Binary => {
                self.attribute(id);
                if dim > 0 {
                    self.count(value.count)?;
                }
                self.out.bytes(value.raw());
            }
            _ => for_scalar!(kind.scalar(), T => self.source_value::<T>(id, value)?, ()),
        }
        self.out.hold()?;
        self.state.done();
        Ok(())
    }

    pub(super) fn any_text(&mut self, text: StrRef<'_>) -> KindResult {
        let kind = match self.state.plain()? {
            (kind, 0) if kind.is_text() => kind,
            (kind, _) => {
                return Err(WriteErrorKind::OtherKind {
                    expected: Some(kind),
                    found: Kind::String,
                });
            }
        };
        self.out.read_back(readback::utf8(ScannedStr::new(text)))?;
        if self.state.in_property() {
            self.attribute(self.id(kind, 0)?);
        }
        let name = self.find(text)?;
        self.string(name);
        self.out.hold()?;
        self.state.done();
        Ok(())
    }

    fn source_value<T: Part>(&mut self, id: u8, value: &Value<'_>) -> KindResult {
        if value.dim == 0 {
            // Decode the value before writing its attribute: the writer must not define an
            // attribute if the value is malformed.
            let parts = value.parts::<T>()?;
            self.attribute(id);
            self.numbers(&parts);
            return Ok(());
        }
        let rows = value.array()?;
        self.attribute(id);
        match value.dim {
            1 => self.source_array::<T>(rows),
            _ => {
                self.count(rows.len())?;
                let mut missing = rows.len();
                for row in rows.iter().written() {
                    self.source_array::<T>(row?.array()?)?;
                    missing = missing.wrapping_sub(1);
                }
                self.fill(missing, 4)?;
                self.zeros(u64::from(missing).wrapping_mul(4));
                Ok(())
            }
        }
    }

    /// Writes an array with all its declared elements, including those that the source omits.
    fn source_array<T: Part>(&mut self, array: Array<'_>) -> KindResult {
        self.count(array.len())?;
        let (mut missing, size) = (array.len(), array.kind().size());
        if array.kind().parts() == 1 {
            for number in array.numbers::<T>()?.written() {
                self.number(number?);
                missing = missing.wrapping_sub(1);
            }
            self.fill(missing, size)?;
            self.zeros(u64::from(missing).wrapping_mul(size as u64));
            return Ok(());
        }
        for element in array.iter() {
            let element = element?;
            if element.is_omitted() {
                self.fill(1, size)?;
            }
            self.numbers(&element.parts::<T>()?);
        }
        Ok(())
    }

    /// Adds the size of omitted elements to the total, and returns an error if the total exceeds
    /// the limit.
    pub(super) fn fill(&mut self, count: u32, size: usize) -> KindResult {
        let bytes = u64::from(count).saturating_mul(size as u64);
        self.filled = self.filled.saturating_add(bytes);
        let limit = self.fill_limit;
        if self.filled > limit { Err(WriteErrorKind::TooMuchToFill { limit }) } else { Ok(()) }
    }

    pub(super) fn zeros(&mut self, mut count: u64) {
        const ZEROS: [u8; 64] = [0; 64];
        while count > 0 {
            let some = count.min(ZEROS.len() as u64);
            self.out.bytes(ZEROS.get(..some as usize).unwrap_or_default());
            count = count.wrapping_sub(some);
        }
    }

    #[inline]
    fn number<T: Part>(&mut self, part: T) {
        let (bytes, len) = part.big_endian();
        self.out.bytes(bytes.get(..len).unwrap_or_default());
    }

    fn numbers<T: Part>(&mut self, parts: &[T]) {
        parts.iter().for_each(|part| self.number(*part));
    }

    /// Writes a value, an array, or an array of arrays.
    pub(super) fn new_value<T: Part>(&mut self, dim: u8, rows: &[&[T]]) -> KindResult {
        let kind = self.state.expect_parts(dim, rows)?;
        self.attribute(self.id(kind, dim)?);
        if dim == 2 {
            self.count(
                u32::try_from(rows.len()).map_err(|_| WriteErrorKind::TooLong(rows.len()))?,
            )?;
        }
        for row in rows {
            let count = row.len().checked_div(kind.parts()).unwrap_or(0);
            if dim > 0 {
                self.count(u32::try_from(count).map_err(|_| WriteErrorKind::TooLong(count))?)?;
            }
            self.numbers(row);
        }
        self.out.hold()?;
        self.state.done();
        Ok(())
    }
}
