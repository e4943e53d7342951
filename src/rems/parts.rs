//! Components of vectors, matrices and boxes, including the components that text files omit.

use super::kind::{Fill, Initial};
use super::text::{Scan, TextOptions};
use super::value::Encoding;
use super::{Error, ErrorKind, Kind, Part, Result, Value};
use core::ops::Deref;

impl Value<'_> {
    /// Returns the components of a vector, matrix or box, column by column, including the
    /// components that a text file omits. For a number, returns its single component.
    ///
    /// # Errors
    /// If the value is an array, a string or a path, if its components are not of type `T`, if
    /// their number is wrong, or if one of them is malformed.
    #[inline(always)]
    pub fn parts<T: Part>(&self) -> Result<Parts<T>> {
        if self.dim != 0 || self.kind.scalar() != T::SCALAR {
            return Err(self.no_such_parts::<T>());
        }
        if self.kind.parts() == 1 {
            return self.get().map(Parts::one);
        }
        let mut parts = Parts { values: [T::default(); 16], len: self.kind.parts() };
        match self.encoding {
            Encoding::Text(options) => {
                if self.fast_parts(&mut parts.values) != Some(self.span.len()) {
                    self.columns(&mut parts.values, options)?;
                }
            }
            Encoding::Binary => {
                for (part, bytes) in
                    parts.values.iter_mut().zip(self.raw().chunks_exact(size_of::<T>()))
                {
                    *part = T::of_bytes(bytes).unwrap_or_default();
                }
            }
            Encoding::Initial => parts.initial(self.kind),
        }
        Ok(parts)
    }

    /// Reads a value with a single column in its most common form. Returns the length of the column
    /// in bytes.
    #[inline(always)]
    fn fast_parts<T: Part>(&self, parts: &mut [T; 16]) -> Option<usize> {
        match self.kind.columns() {
            1 => fast_column(self.span.lookahead(), parts.get_mut(..self.kind.rows())?),
            _ => None,
        }
    }

    #[inline(never)]
    #[allow(clippy::disallowed_methods, reason = "the chunk size is at least 1")]
    fn columns<T: Part>(&self, parts: &mut [T; 16], options: TextOptions) -> Result<()> {
        let mut scan = Scan::new(self.raw(), self.offset);
        let columns = parts.chunks_mut(self.kind.rows()).take(self.kind.columns());
        let column = |scan: &mut Scan<'_>, column: &mut [T]| {
            let mut span = self.span;
            span.advance(self.span.len().wrapping_sub(scan.rest().len()));
            if let Some(len) = fast_column(span.lookahead(), column) {
                scan.advance(len);
                return Ok(());
            }
            text_column(scan, column, self.kind, options)
        };
        if self.kind.brackets() == 1 {
            return columns.into_iter().try_for_each(|part| column(&mut scan, part));
        }
        let bad = ErrorKind::BadParts(self.kind);
        scan.expect(b'[', "an opening bracket")?;
        for (at, part) in columns.enumerate() {
            scan.skip_whitespace();
            if at > 0 {
                scan.expect(b',', "a comma").map_err(|_| self.error(bad))?;
                scan.skip_whitespace();
            }
            column(&mut scan, part)?;
        }
        scan.skip_whitespace();
        scan.expect(b']', "the end of the columns").map_err(|_| self.error(bad))
    }

    #[cold]
    fn no_such_parts<T: Part>(self) -> Error {
        match self.dim != 0 || self.kind.is_text() {
            true => self.other_kind(),
            false => self.other_scalar::<T>(),
        }
    }
}

/// Reads a column that has all components and no whitespace. Returns its length in bytes.
#[inline(always)]
pub(super) fn fast_column<T: Part>(bytes: &[u8], column: &mut [T]) -> Option<usize> {
    let (mut at, mut before) = (0usize, b'[');
    for part in column {
        let (_, number) = bytes.get(at..)?.split_first().filter(|(first, _)| **first == before)?;
        let len;
        (*part, len) = T::fast_path(number)?;
        at = at.wrapping_add(len).wrapping_add(1);
        before = b',';
    }
    (bytes.get(at) == Some(&b']')).then_some(at.wrapping_add(1))
}

/// Reads a column, which may omit components.
fn text_column<T: Part>(
    scan: &mut Scan<'_>,
    column: &mut [T],
    kind: Kind,
    options: TextOptions,
) -> Result<()> {
    let start = *scan;
    let bad = || start.error(ErrorKind::BadParts(kind));
    scan.expect(b'[', "an opening bracket")?;
    let mut count = 0usize;
    loop {
        let part = text_part(scan, kind, options)?;
        *column.get_mut(count).ok_or_else(bad)? = part;
        count = count.wrapping_add(1);
        match scan.peek() {
            Some(b',') => scan.advance(1),
            Some(b']') => break scan.advance(1),
            _ => return Err(scan.expected("a comma or the end of the parts")),
        }
    }
    match (column, count) {
        (column, count) if column.len() == count => Ok(()),
        _ if kind.row().fill == Fill::Exact => Err(bad()),
        (column, 1) => {
            let first = column.first().copied().unwrap_or_default();
            column.fill(first);
            Ok(())
        }
        ([x, y, z, w], 2) => {
            *w = *y;
            (*y, *z) = (*x, *x);
            Ok(())
        }
        ([.., w], 3) => {
            *w = T::FULL;
            Ok(())
        }
        _ => Err(bad()),
    }
}

/// Reads a component with the whitespace around it.
fn text_part<T: Part>(scan: &mut Scan<'_>, kind: Kind, options: TextOptions) -> Result<T> {
    scan.skip_whitespace();
    let at = *scan;
    let token = scan.value(kind, 0)?.bytes();
    let part = T::of_text(token, kind, options).map_err(|kind| at.error(kind))?;
    scan.skip_whitespace();
    Ok(part)
}

/// The components of a value, as [`Value::parts`] returns them. Dereferences to a slice.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Parts<T> {
    values: [T; 16],
    len: usize,
}

impl<T: Part> Parts<T> {
    #[inline(always)]
    fn one(part: T) -> Self {
        let mut values = [T::default(); 16];
        let [first, ..] = &mut values;
        *first = part;
        Self { values, len: 1 }
    }

    /// Sets the components to the default value of the kind: the value of an omitted element.
    #[allow(clippy::disallowed_methods, reason = "the chunk size is at least 1")]
    fn initial(&mut self, kind: Kind) {
        let rows = kind.rows();
        let columns = self.values.chunks_mut(rows).take(kind.columns());
        match kind.row().initial {
            Initial::Zero => {}
            Initial::Unit => {
                let [_, _, _, w, ..] = &mut self.values;
                *w = T::ONE;
            }
            Initial::Empty => {
                columns.zip(T::EMPTY).for_each(|(column, edge)| column.fill(edge));
            }
            Initial::Identity => columns.enumerate().for_each(|(at, column)| {
                column.iter_mut().skip(at).take(1).for_each(|part| *part = T::ONE);
            }),
        }
    }
}

impl<T> Deref for Parts<T> {
    type Target = [T];

    #[inline]
    fn deref(&self) -> &[T] {
        self.values.get(..self.len).unwrap_or_default()
    }
}
