//! Values in text files.

use super::TextWriter;
use crate::buffer::Sink;
use crate::rems::kind::Fill;
use crate::rems::print::numbers::{self, is_matrix, shortens};
use crate::rems::print::{PrintContext, for_scalar};
use crate::rems::write::error::{KindResult, WriteErrorKind};
use crate::rems::write::output::Output;
use crate::rems::write::readback;
use crate::rems::write::scanned_str::ScannedStr;
use crate::rems::write::state::fits;
use crate::rems::{Kind, Part, Result, Scalar, StrRef, Value};

impl<S: Sink, const DEPTH: usize> TextWriter<S, DEPTH> {
    /// Writes a value that a reader returned.
    pub(super) fn any_value(&mut self, value: &Value<'_>) -> KindResult {
        let (kind, dim) = self.state.plain()?;
        if !fits(kind, value.kind) || dim != value.dim {
            return Err(WriteErrorKind::OtherKind { expected: Some(kind), found: value.kind });
        }
        for_scalar!(
            kind.scalar(),
            T => self.of_parts(kind, |out| out.source_value::<T>(value)),
            self.any_text(value.text()?)
        )
    }

    pub(super) fn any_text(&mut self, text: StrRef<'_>) -> KindResult {
        match self.state.plain()? {
            (kind, 0) if kind.is_text() => {}
            (kind, _) => {
                return Err(WriteErrorKind::OtherKind {
                    expected: Some(kind),
                    found: Kind::String,
                });
            }
        }
        let text = ScannedStr::new(text);
        self.out.read_back(readback::utf8(text))?;
        self.comma();
        self.quoted(text);
        self.out.hold()?;
        self.state.done();
        Ok(())
    }

    /// Writes a value, an array, or an array of arrays.
    pub(super) fn new_value<T: Part>(&mut self, dim: u8, rows: &[&[T]]) -> KindResult {
        let kind = self.state.expect_parts(dim, rows)?;
        self.of_parts(kind, |out| match (dim, rows) {
            (0, [[part]]) => out.part(*part),
            (0, [parts]) => out.value(parts),
            (1, [parts]) => out.new_array(parts),
            _ => {
                out.count(len(rows.len())?);
                for row in rows {
                    out.byte(b',');
                    out.new_array(row)?;
                }
                out.byte(b']');
                Ok(())
            }
        })
    }

    /// Calls `write` to write a value of this kind.
    #[inline]
    fn of_parts(
        &mut self,
        kind: Kind,
        write: impl FnOnce(&mut Parts<'_, S>) -> KindResult,
    ) -> KindResult {
        let context = PrintContext { dialect: self.dialect, kind, in_array: false };
        write(&mut Parts { out: &mut self.out, context })?;
        self.out.hold()?;
        self.state.done();
        Ok(())
    }
}

fn len(len: usize) -> KindResult<u32> {
    match u32::try_from(len) {
        Ok(count @ 0..=0x7FFF_FFFF) => Ok(count),
        _ => Err(WriteErrorKind::TooLong(len)),
    }
}

/// A writer of a single value.
struct Parts<'w, S> {
    out: &'w mut Output<S>,
    context: PrintContext,
}

impl<S: Sink> Parts<'_, S> {
    #[inline]
    fn byte(&mut self, byte: u8) {
        self.out.reserve_part();
        self.out.printed.push_byte(byte);
    }

    /// Writes the bracket and count of an array.
    fn count(&mut self, count: u32) {
        self.out.reserve_part();
        self.out.printed.push_byte(b'[');
        _ = numbers::integer(count, &mut self.out.printed);
    }

    #[inline]
    fn part<T: Part>(&mut self, part: T) -> KindResult {
        self.out.reserve_part();
        let verdict = part.print(self.context, &mut self.out.printed);
        self.out.read_back(verdict)
    }

    /// Writes a comma and a component.
    #[inline]
    fn next_part<T: Part>(&mut self, part: T) -> KindResult {
        self.part_after(b',', part)
    }

    /// Writes a separator and a component.
    #[inline]
    fn part_after<T: Part>(&mut self, separator: u8, part: T) -> KindResult {
        self.out.reserve_part();
        self.out.printed.push_byte(separator);
        let verdict = part.print(self.context, &mut self.out.printed);
        self.out.read_back(verdict)
    }

    /// Writes a value that a reader returned.
    #[inline]
    fn source_value<T: Part>(&mut self, value: &Value<'_>) -> KindResult {
        match value.dim {
            0 if value.kind.parts() == 1 => self.part(value.get::<T>()?),
            0 => self.value(&value.parts::<T>()?),
            1 => self.source_array::<T>(value),
            _ => {
                let rows = value.array()?;
                self.count(rows.len());
                for row in rows.iter().written() {
                    self.byte(b',');
                    self.source_array::<T>(&row?)?;
                }
                self.byte(b']');
                Ok(())
            }
        }
    }

    /// Writes a vector, matrix or box.
    #[allow(
        clippy::disallowed_methods,
        reason = "both slices have the same length; chunk sizes are at least 1"
    )]
    fn value<T: Part>(&mut self, parts: &[T]) -> KindResult {
        let kind = self.context.kind;
        let mut clamped = [T::default(); 16];
        let parts = match clamped.get_mut(..parts.len()) {
            Some(copy) if is_matrix(kind) => {
                copy.copy_from_slice(parts);
                T::clamp(copy, kind);
                copy
            }
            _ => parts,
        };
        if kind.brackets() < 2 {
            return self.column(parts);
        }
        for (at, column) in parts.chunks(kind.rows()).enumerate() {
            self.byte(if at == 0 { b'[' } else { b',' });
            self.column(column)?;
        }
        self.byte(b']');
        Ok(())
    }

    /// Writes a column, and omits components if the kind allows it. Components are compared with
    /// `==`: NaN differs from NaN, and −0 equals 0.
    fn column<T: Part>(&mut self, parts: &[T]) -> KindResult {
        let short = shortens(self.context.kind) && self.context.kind.row().fill == Fill::Short;
        match parts {
            [x, rest @ ..] if short && rest.iter().all(|part| part == x) => {
                self.part_after(b'[', *x)?;
            }
            [x, y, z, w] if short && x == y && x == z => {
                self.row(b'[', &[*x, *w])?;
            }
            [x, y] => self.row(b'[', &[*x, *y])?,
            [x, y, z] => self.row(b'[', &[*x, *y, *z])?,
            [x, y, z, w] => self.row(b'[', &[*x, *y, *z, *w])?,
            _ => self.byte(b'['), // a column has one to four components
        }
        self.byte(b']');
        Ok(())
    }

    /// Writes components, each after a separator, which is a comma for all but the first.
    #[inline]
    fn row<T: Part, const N: usize>(&mut self, separator: u8, parts: &[T; N]) -> KindResult {
        self.out.reserve_row();
        if T::print_row(parts, separator, self.context, &mut self.out.printed) {
            return Ok(());
        }
        let separators = core::iter::once(separator).chain(core::iter::repeat(b','));
        parts
            .iter()
            .zip(separators)
            .try_for_each(|(part, separator)| self.part_after(separator, *part))
    }

    /// Writes an array that a reader returned. Elements that the source omits remain omitted.
    fn source_array<T: Part>(&mut self, value: &Value<'_>) -> KindResult {
        let array = value.array()?;
        if self.context.kind.parts() == 1 {
            return self.numbers(array.len(), array.numbers::<T>()?.written());
        }
        self.count(array.len());
        for element in array.iter().written() {
            self.byte(b',');
            self.value(&element?.parts::<T>()?)?;
        }
        self.byte(b']');
        Ok(())
    }

    #[allow(clippy::disallowed_methods, reason = "the chunk size is at least 1")]
    fn new_array<T: Part>(&mut self, parts: &[T]) -> KindResult {
        let each = self.context.kind.parts();
        if each == 1 {
            return self.new_numbers(parts);
        }
        self.count(len(parts.len().checked_div(each).unwrap_or(0))?);
        for parts in parts.chunks(each) {
            self.byte(b',');
            self.value(parts)?;
        }
        self.byte(b']');
        Ok(())
    }

    /// Writes an array of numbers, without the zeros at its end.
    fn new_numbers<T: Part>(&mut self, numbers: &[T]) -> KindResult {
        self.context.in_array = true;
        self.count(len(numbers.len())?);
        let last = numbers.iter().rposition(|number| !number.is_zero());
        let written = last.and_then(|last| numbers.get(..=last)).unwrap_or_default();
        let (rows, rest) = written.as_chunks::<4>();
        rows.iter().try_for_each(|row| self.row(b',', row))?;
        rest.iter().try_for_each(|number| self.next_part(*number))?;
        self.byte(b']');
        Ok(())
    }

    /// Writes an array of numbers that a reader returns, without the zeros at its end.
    #[inline]
    fn numbers<T: Part>(
        &mut self,
        count: u32,
        mut numbers: impl Iterator<Item = Result<T>> + Clone,
    ) -> KindResult {
        self.context.in_array = true;
        self.count(count);
        // The current run of zeros: its first zero, a copy of the iterator as it was after that
        // zero, and the number of further zeros in the run.
        let mut zeros: Option<(T, _, usize)> = None;
        while let Some(number) = numbers.next() {
            let number = number?;
            match &mut zeros {
                None if number.is_zero() => zeros = Some((number, numbers.clone(), 0)),
                Some((.., others)) if number.is_zero() => *others = others.wrapping_add(1),
                None => self.next_part(number)?,
                Some((first, others, count)) => {
                    self.zeros(*first, others.take(*count))?;
                    zeros = None;
                    self.next_part(number)?;
                }
            }
        }
        self.byte(b']');
        Ok(())
    }

    /// Writes a run of zeros that is followed by a number other than zero. Some of the zeros may be
    /// −0.
    #[inline(never)]
    fn zeros<T: Part>(
        &mut self,
        first: T,
        mut others: impl Iterator<Item = Result<T>>,
    ) -> KindResult {
        self.next_part(first)?;
        others.try_for_each(|zero| self.next_part(zero?))
    }
}
