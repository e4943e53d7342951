//! Values in texts.

use super::TextWriter;
use crate::base::Sink;
use crate::rems::kind::Fill;
use crate::rems::write::error::{WriteErrorKind as Why, Written};
use crate::rems::write::part::{How, for_scalar};
use crate::rems::write::print::{PART, Printed, integer, is_matrix, shortens};
use crate::rems::write::readback;
use crate::rems::write::state::fits;
use crate::rems::{Kind, Part, Result, Scalar, Str, Value};

impl<S: Sink, const DEPTH: usize> TextWriter<S, DEPTH> {
    /// Of a file that was read.
    pub(super) fn any_value(&mut self, value: &Value<'_>) -> Written {
        let (kind, dim) = self.state.plain()?;
        if !fits(kind, value.kind) || dim != value.dim {
            return Err(Why::OtherKind { expected: Some(kind), found: value.kind });
        }
        for_scalar!(kind.scalar(), T => self.read_value::<T>(kind, value), self.any_text(value.text()?))
    }

    pub(super) fn any_text(&mut self, text: Str<'_>) -> Written {
        match self.state.plain()? {
            (kind, 0) if kind.is_text() => {}
            (kind, _) => {
                return Err(Why::OtherKind { expected: Some(kind), found: Kind::String });
            }
        }
        self.read_back(readback::utf8(text.raw()))?;
        self.comma()?;
        self.quoted(text)?;
        self.state.done();
        Ok(())
    }

    fn read_value<T: Part>(&mut self, kind: Kind, value: &Value<'_>) -> Written {
        let mut out = Out::new(self, kind);
        match value.dim {
            0 if value.kind.parts() == 1 => out.part(value.get::<T>()?, false)?,
            0 => out.value(&value.parts::<T>()?)?,
            1 => out.read_array::<T>(value)?,
            _ => {
                let rows = value.array()?;
                out.count(rows.len())?;
                for row in rows.iter().written() {
                    out.byte(b',')?;
                    out.read_array::<T>(&row?)?;
                }
                out.byte(b']')?;
            }
        }
        out.flush()?;
        self.state.done();
        Ok(())
    }

    /// What the values of the type are made of, if that is these parts.
    fn new_parts<T: Part>(&self, dim: u8, parts: &[T]) -> Written<Kind> {
        let (kind, expected) = self.state.plain()?;
        let each = kind.parts();
        let whole = match dim {
            0 => parts.len() == each,
            _ => parts.len().is_multiple_of(each),
        };
        if (expected, kind.scalar()) != (dim, T::SCALAR) || !whole {
            return Err(Why::BadParts { kind, found: T::SCALAR, count: parts.len() });
        }
        Ok(kind)
    }

    pub(super) fn new_value<T: Part>(&mut self, parts: &[T]) -> Written {
        let kind = self.new_parts(0, parts)?;
        self.comma()?;
        let mut out = Out::new(self, kind);
        match parts {
            [part] => out.part(*part, false)?,
            parts => out.value(parts)?,
        }
        out.flush()?;
        self.state.done();
        Ok(())
    }

    pub(super) fn new_array<T: Part>(&mut self, parts: &[T]) -> Written {
        let kind = self.new_parts(1, parts)?;
        let mut out = Out::new(self, kind);
        out.new_array(parts)?;
        out.flush()?;
        self.state.done();
        Ok(())
    }

    pub(super) fn new_rows<T: Part>(&mut self, rows: &[&[T]]) -> Written {
        let kind = self.new_parts::<T>(2, &[])?;
        rows.iter().try_for_each(|row| self.new_parts(2, row).map(drop))?;
        let mut out = Out::new(self, kind);
        out.count(len(rows.len())?)?;
        for row in rows {
            out.byte(b',')?;
            out.new_array(row)?;
        }
        out.byte(b']')?;
        out.flush()?;
        self.state.done();
        Ok(())
    }
}

fn len(len: usize) -> Written<u32> {
    match u32::try_from(len) {
        Ok(count @ 0..=0x7FFF_FFFF) => Ok(count),
        _ => Err(Why::TooLong(len)),
    }
}

/// The bytes of one value.
struct Out<'w, S, const DEPTH: usize> {
    writer: &'w mut TextWriter<S, DEPTH>,
    how: How,
    printed: Printed,
}

impl<'w, S: Sink, const DEPTH: usize> Out<'w, S, DEPTH> {
    #[inline]
    fn new(writer: &'w mut TextWriter<S, DEPTH>, kind: Kind) -> Self {
        let how = How { dialect: writer.dialect, kind, in_array: false };
        Self { writer, how, printed: Printed::new() }
    }

    #[inline]
    fn flush(&mut self) -> Written {
        self.writer.bytes(self.printed.as_bytes())?;
        self.printed.clear();
        Ok(())
    }

    #[inline]
    fn byte(&mut self, byte: u8) -> Written {
        if self.printed.room() == 0 {
            self.flush()?;
        }
        self.printed.push(&[byte]);
        Ok(())
    }

    /// What an array begins with.
    fn count(&mut self, count: u32) -> Written {
        self.byte(b'[')?;
        self.room()?;
        integer(count, &mut self.printed);
        Ok(())
    }

    #[inline]
    fn part<T: Part>(&mut self, part: T, in_array: bool) -> Written {
        self.room()?;
        match part.print(How { in_array, ..self.how }, &mut self.printed) {
            Ok(()) => Ok(()),
            Err(reason) => self.writer.read_back(Err(reason)),
        }
    }

    /// Room for a part.
    #[inline]
    fn room(&mut self) -> Written {
        if self.printed.room() < PART { self.flush() } else { Ok(()) }
    }

    /// A vector, matrix or the like.
    fn value<T: Part>(&mut self, parts: &[T]) -> Written {
        let kind = self.how.kind;
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
            self.byte(if at == 0 { b'[' } else { b',' })?;
            self.column(column)?;
        }
        self.byte(b']')
    }

    /// Parts between brackets, of which some that are the same are left out. (By `==`: NaN
    /// is not the same as any, and -0 is 0.)
    fn column<T: Part>(&mut self, parts: &[T]) -> Written {
        let short = shortens(self.how.kind) && self.how.kind.row().fill == Fill::Short;
        self.byte(b'[')?;
        match parts {
            [x, rest @ ..] if short && rest.iter().all(|part| part == x) => {
                self.part(*x, false)?;
            }
            [x, y, z, w] if short && x == y && x == z => {
                self.part(*x, false)?;
                self.byte(b',')?;
                self.part(*w, false)?;
            }
            parts => {
                for (at, part) in parts.iter().enumerate() {
                    if at > 0 {
                        self.byte(b',')?;
                    }
                    self.part(*part, false)?;
                }
            }
        }
        self.byte(b']')
    }

    /// An array out of a file; as many elements as that has, or less.
    fn read_array<T: Part>(&mut self, value: &Value<'_>) -> Written {
        let array = value.array()?;
        if self.how.kind.parts() == 1 {
            return self.numbers(array.len(), array.numbers::<T>()?.written());
        }
        self.count(array.len())?;
        for element in array.iter().written() {
            self.byte(b',')?;
            self.value(&element?.parts::<T>()?)?;
        }
        self.byte(b']')
    }

    fn new_array<T: Part>(&mut self, parts: &[T]) -> Written {
        let each = self.how.kind.parts();
        if each == 1 {
            return self.numbers(len(parts.len())?, parts.iter().map(|part| Ok(*part)));
        }
        self.count(len(parts.len().checked_div(each).unwrap_or(0))?)?;
        for parts in parts.chunks(each) {
            self.byte(b',')?;
            self.value(parts)?;
        }
        self.byte(b']')
    }

    /// Elements of one part each, without the zeros behind the last other one.
    fn numbers<T: Part>(
        &mut self,
        count: u32,
        mut numbers: impl Iterator<Item = Result<T>> + Clone,
    ) -> Written {
        self.count(count)?;
        let mut zeros = Zeros { count: 0, signed: false };
        let mut before = numbers.clone();
        while let Some(number) = numbers.next() {
            let number = number?;
            if number.is_zero() {
                zeros.count = zeros.count.wrapping_add(1);
                zeros.signed |= number.big_endian().0 != [0; 8];
                continue;
            }
            if zeros.count > 0 {
                self.zeros::<T>(zeros, before)?;
                zeros = Zeros { count: 0, signed: false };
            }
            self.byte(b',')?;
            self.part(number, true)?;
            before = numbers.clone();
        }
        self.byte(b']')
    }

    /// Zeros that were passed over, and are followed by something else.
    #[inline(never)]
    fn zeros<T: Part>(
        &mut self,
        zeros: Zeros,
        numbers: impl Iterator<Item = Result<T>>,
    ) -> Written {
        if !zeros.signed {
            return (0..zeros.count).try_for_each(|_| {
                self.byte(b',')?;
                self.part(T::default(), true)
            });
        }
        numbers.take(zeros.count as usize).try_for_each(|number| {
            self.byte(b',')?;
            self.part(number?, true)
        })
    }
}

/// Zeros in a row, and whether one of them has a sign.
#[derive(Clone, Copy)]
struct Zeros {
    count: u32,
    signed: bool,
}
