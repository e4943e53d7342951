//! Arrays: their declared length and their elements.

use super::span::Span;
use super::text::{self, Scan, TextOptions};
use super::value::Encoding;
use super::{Error, ErrorKind, Kind, Part, Result, Value};
use core::iter::FusedIterator;
use core::marker::PhantomData;

/// An array, whose elements are values or arrays.
///
/// A text file omits trailing elements that have the default value. Omitted elements are part of
/// the array, and cost nothing until they are read. [`len`](Self::len) can therefore be any number,
/// even in a small file; the iterator from [`Elements::written`] stops after the last element in
/// the file.
#[derive(Clone, Copy, Debug)]
pub struct Array<'a> {
    kind: Kind,
    /// Number of array dimensions of an element: 0 if the elements are plain values.
    dim: u8,
    len: u32,
    source: Source<'a>,
}

/// The encoded elements that have not been read yet.
#[derive(Clone, Copy, Debug)]
enum Source<'a> {
    /// The unread bytes of the array, the offset of the end of the array, and options for parsing
    /// numbers.
    Text(Span<'a>, u64, TextOptions),
    /// The unread bytes of the array, and the offset of the end of the array. The reader has
    /// checked that the bytes hold all elements.
    Binary(&'a [u8], u64),
}

impl<'a> Array<'a> {
    /// Creates a view of the array that a value contains. The `dim` of the value must be at least
    /// 1.
    #[inline(always)]
    pub(super) fn open(value: Value<'a>) -> Result<Self> {
        let Value { kind, dim, encoding, span, count, offset } = value;
        let dim = dim.saturating_sub(1);
        let (len, source) = match encoding {
            Encoding::Text(options) => {
                let mut scan = Scan::new(span.bytes(), offset);
                scan.expect(b'[', "an opening bracket")?;
                let len = text::array_len(&mut scan, options)?;
                let (mut rest, end) = (span, scan.end());
                rest.advance(span.len().wrapping_sub(scan.rest().len()));
                (len, Source::Text(rest, end, options))
            }
            Encoding::Initial => (0, Source::Binary(&[], offset)),
            Encoding::Binary => {
                let bytes = span.bytes();
                (count, Source::Binary(bytes, offset.wrapping_add(bytes.len() as u64)))
            }
        };
        Ok(Self { kind, dim, len, source })
    }

    /// Returns the kind of the elements.
    pub const fn kind(&self) -> Kind {
        self.kind
    }

    /// Returns the number of array dimensions of an element. It is 0 if the elements are plain
    /// values, and 1 if they are arrays.
    pub const fn dim(&self) -> u8 {
        self.dim
    }

    /// Returns the declared number of elements.
    #[inline]
    pub const fn len(&self) -> u32 {
        self.len
    }

    /// Returns `true` if the array declares no elements.
    pub const fn is_empty(&self) -> bool {
        self.len == 0
    }

    /// Returns the bytes of the numbers in a binary array, big-endian and without gaps. In an array
    /// of arrays, the count of each inner array precedes its numbers. Returns `None` for an array
    /// in a text file, and no bytes for an omitted array.
    pub const fn big_endian(&self) -> Option<&'a [u8]> {
        match self.source {
            Source::Binary(bytes, _) => Some(bytes),
            Source::Text(..) => None,
        }
    }

    /// Returns an iterator over the elements, including omitted ones.
    #[inline(always)]
    pub const fn iter(&self) -> Elements<'a> {
        let Self { kind, dim, len, source } = *self;
        Elements { kind, dim, left: len, source, more: true, written: false }
    }

    /// Returns an iterator over the elements as numbers, booleans or UTF-16 code units.
    ///
    /// # Errors
    /// If the elements are arrays, have several components, or are not of type `T`.
    #[inline(always)]
    pub fn numbers<T: Part>(&self) -> Result<Numbers<'a, T>> {
        if self.dim != 0 || self.kind.parts() != 1 || self.kind.scalar() != T::SCALAR {
            return Err(self.no_such_numbers::<T>());
        }
        Ok(Numbers { elements: self.iter(), part: PhantomData })
    }
}

impl Array<'_> {
    #[cold]
    fn no_such_numbers<T: Part>(self) -> Error {
        let (kind, dim) = (self.kind, self.dim);
        let single = dim == 0 && kind.parts() == 1;
        let error = match single {
            true => ErrorKind::OtherScalar { kind, requested: T::SCALAR },
            false => ErrorKind::OtherKind { kind, dim },
        };
        Error::new(error, self.iter().offset())
    }
}

impl<'a> IntoIterator for Array<'a> {
    type Item = Result<Value<'a>>;
    type IntoIter = Elements<'a>;

    fn into_iter(self) -> Elements<'a> {
        self.iter()
    }
}

/// Iterator over the elements of an [`Array`]. It ends after an error.
#[derive(Clone, Debug)]
pub struct Elements<'a> {
    kind: Kind,
    dim: u8,
    left: u32,
    source: Source<'a>,
    /// In a text file, `false` after the closing bracket of the array.
    more: bool,
    /// `true` if the iterator skips omitted elements.
    written: bool,
}

impl<'a> Elements<'a> {
    /// Makes the iterator skip omitted elements.
    #[must_use]
    pub const fn written(self) -> Self {
        Self { written: true, ..self }
    }

    /// Returns the encoded bytes of the next element.
    #[inline(always)]
    fn raw(&mut self) -> Option<Result<Raw<'a>>> {
        let raw = match &mut self.source {
            Source::Binary(bytes, end) => {
                return binary_raw(bytes, *end, self.kind, self.dim).map(Ok);
            }
            Source::Text(..) if !self.more => Ok(None),
            Source::Text(rest, end, _) => text_raw(rest, *end, self.kind, self.dim, &mut self.more),
        };
        match raw {
            Ok(Some(_)) if self.left == 0 => Some(Err(self.surplus())),
            Ok(Some(raw)) => {
                self.left = self.left.wrapping_sub(1);
                Some(Ok(raw))
            }
            Ok(None) if self.left == 0 || self.written => None,
            Ok(None) => {
                self.left = self.left.wrapping_sub(1);
                Some(Ok(Raw { bytes: None, offset: self.offset(), count: 0 }))
            }
            Err(error) => {
                self.end();
                Some(Err(error))
            }
        }
    }

    /// Reads the next number, or returns `None` if it does not have the most common form. In a text
    /// file, a number of this form follows a comma, without whitespace.
    #[inline(always)]
    fn fast_path<T: Part>(&mut self) -> Option<T> {
        match &mut self.source {
            Source::Text(rest, ..) => {
                let left = self.left.checked_sub(1)?;
                let [b',', number @ ..] = rest.lookahead() else { return None };
                let (part, len) = T::fast_path(number)?;
                if !matches!(number.get(len), Some(b',' | b']')) {
                    return None;
                }
                rest.advance(len.wrapping_add(1));
                self.left = left;
                Some(part)
            }
            Source::Binary(bytes, _) => {
                let (number, rest) = bytes.split_at_checked(size_of::<T>())?;
                *bytes = rest;
                T::of_bytes(number)
            }
        }
    }

    /// Reads numbers into the start of `batch`, up to the first one that does not have the most
    /// common form. Returns their count. In the loop, the position is in a register, since the next position depends
    /// on it.
    #[inline(always)]
    #[allow(clippy::disallowed_methods, reason = "the chunk size is at least 1")]
    fn batch<T: Part>(&mut self, batch: &mut [T]) -> usize {
        let mut count = 0usize;
        match &mut self.source {
            Source::Text(rest, ..) => {
                let (bytes, mut at) = (rest.lookahead(), 0usize);
                for place in batch.iter_mut().take(self.left as usize) {
                    let Some([b',', number @ ..]) = bytes.get(at..) else { break };
                    let Some((part, len)) = T::fast_path(number) else { break };
                    if !matches!(number.get(len), Some(b',' | b']')) {
                        break;
                    }
                    *place = part;
                    at = at.wrapping_add(len).wrapping_add(1);
                    count = count.wrapping_add(1);
                }
                rest.advance(at);
                self.left = self.left.wrapping_sub(count as u32);
            }
            Source::Binary(bytes, _) => {
                let numbers = bytes.chunks_exact(size_of::<T>());
                for (place, number) in batch.iter_mut().zip(numbers) {
                    *place = T::of_bytes(number).unwrap_or_default();
                    count = count.wrapping_add(1);
                }
                *bytes = bytes.get(count.wrapping_mul(size_of::<T>())..).unwrap_or_default();
            }
        }
        count
    }

    fn offset(&self) -> u64 {
        match &self.source {
            Source::Text(rest, end, _) => end.wrapping_sub(rest.len() as u64),
            Source::Binary(bytes, end) => end.wrapping_sub(bytes.len() as u64),
        }
    }

    #[cold]
    fn surplus(&mut self) -> Error {
        let error = Error::new(ErrorKind::TooManyElements, self.offset());
        self.end();
        error
    }

    /// Ends the iteration.
    #[cold]
    fn end(&mut self) {
        (self.left, self.more, self.written) = (0, false, true);
        self.source = Source::Binary(&[], self.offset());
    }

    #[inline(always)]
    fn value(&self, raw: Raw<'a>) -> Value<'a> {
        let encoding = match (raw.bytes, &self.source) {
            (None, _) => Encoding::Initial,
            (_, Source::Text(.., options)) => Encoding::Text(*options),
            (_, Source::Binary(..)) => Encoding::Binary,
        };
        let Raw { bytes, offset, count } = raw;
        Value {
            kind: self.kind,
            dim: self.dim,
            encoding,
            span: bytes.unwrap_or_default(),
            count,
            offset,
        }
    }
}

/// An encoded element.
struct Raw<'a> {
    bytes: Option<Span<'a>>,
    offset: u64,
    /// Number of elements of a binary array.
    count: u32,
}

/// Reads a comma and the element after it. If the closing bracket follows the comma directly, the
/// element is an omitted one. Returns `None` if the closing bracket comes before a comma.
#[inline(always)]
fn text_raw<'a>(
    rest: &mut Span<'a>,
    end: u64,
    kind: Kind,
    dim: u8,
    more: &mut bool,
) -> Result<Option<Raw<'a>>> {
    let mut scan = Scan::new(rest.bytes(), end.wrapping_sub(rest.len() as u64));
    scan.skip_whitespace();
    match scan.peek() {
        Some(b',') => scan.advance(1),
        Some(b']') => {
            *more = false;
            return Ok(None);
        }
        _ => return Err(scan.expected("a comma or the end of the array")),
    }
    scan.skip_whitespace();
    let offset = scan.offset();
    let bytes = match scan.peek() {
        Some(b']') => {
            *more = false;
            None
        }
        _ => Some(scan.value(kind, kind.brackets().wrapping_add(dim))?),
    };
    rest.advance(rest.len().wrapping_sub(scan.rest().len()));
    Ok(Some(Raw { bytes, offset, count: 0 }))
}

/// Reads the next value. If the elements are arrays, reads the count and the bytes of the next
/// array.
#[inline(always)]
fn binary_raw<'a>(bytes: &mut &'a [u8], end: u64, kind: Kind, dim: u8) -> Option<Raw<'a>> {
    let (mut count, mut each) = (0, 1);
    if dim > 0 {
        let head;
        (head, *bytes) = bytes.split_first_chunk()?;
        count = u32::from_be_bytes(*head);
        each = count as usize;
    } else if bytes.is_empty() {
        return None;
    }
    let offset = end.wrapping_sub(bytes.len() as u64);
    let raw;
    (raw, *bytes) = bytes.split_at_checked(kind.size().checked_mul(each)?)?;
    Some(Raw { bytes: Some(Span::exact(raw)), offset, count })
}

impl<'a> Iterator for Elements<'a> {
    type Item = Result<Value<'a>>;

    #[inline]
    fn next(&mut self) -> Option<Result<Value<'a>>> {
        let raw = self.raw()?;
        Some(raw.map(|raw| self.value(raw)))
    }

    fn size_hint(&self) -> (usize, Option<usize>) {
        // The iterator can return one item more than the array declares. This item is the error for
        // an array with too many elements.
        (0, usize::try_from(self.left).ok().and_then(|left| left.checked_add(1)))
    }
}

impl FusedIterator for Elements<'_> {}

/// Iterator over the [numbers](Array::numbers) of an array. It ends after an error.
#[derive(Clone, Debug)]
pub struct Numbers<'a, T> {
    elements: Elements<'a>,
    part: PhantomData<T>,
}

impl<T> Numbers<'_, T> {
    /// Makes the iterator skip omitted elements.
    #[must_use]
    pub fn written(self) -> Self {
        Self { elements: self.elements.written(), ..self }
    }
}

impl<T: Part> Numbers<'_, T> {
    /// Reads numbers into the start of `batch`, and returns their count. If there are fewer than
    /// `batch` holds, then the next number does not have its most common form, or there is none.
    #[inline(always)]
    pub(super) fn batch(&mut self, batch: &mut [T]) -> usize {
        self.elements.batch(batch)
    }
}

impl<T: Part> Iterator for Numbers<'_, T> {
    type Item = Result<T>;

    #[inline]
    fn next(&mut self) -> Option<Result<T>> {
        match self.elements.fast_path() {
            Some(number) => Some(Ok(number)),
            None => self.general(),
        }
    }

    fn size_hint(&self) -> (usize, Option<usize>) {
        self.elements.size_hint()
    }
}

impl<T: Part> Numbers<'_, T> {
    #[inline(never)]
    fn general(&mut self) -> Option<Result<T>> {
        let raw = match self.elements.raw()? {
            Ok(raw) => raw,
            Err(error) => return Some(Err(error)),
        };
        let Some(bytes) = raw.bytes else { return Some(Ok(T::default())) };
        Some(match self.elements.source {
            Source::Binary(..) => Ok(T::of_bytes(bytes.bytes()).unwrap_or_default()),
            Source::Text(.., options) => {
                let read = T::of_text(bytes.bytes(), self.elements.kind, options);
                read.map_err(|kind| self.fail(kind, raw.offset))
            }
        })
    }
}

impl<T: Part> FusedIterator for Numbers<'_, T> {}

impl<T> Numbers<'_, T> {
    #[cold]
    fn fail(&mut self, kind: ErrorKind, offset: u64) -> Error {
        self.elements.end();
        Error::new(kind, offset)
    }
}
