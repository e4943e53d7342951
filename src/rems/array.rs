//! Arrays: how many elements they declare, and these.

use super::text::{self, Scan, TextOptions};
use super::value::{Form, Span};
use super::{Error, ErrorKind, Kind, Part, Result, Value};
use core::iter::FusedIterator;
use core::marker::PhantomData;

/// The elements of an array, which are values or arrays.
///
/// A text leaves out elements at the end that are nothing special; they are there all the same,
/// and cost nothing before they are asked for. So [`len`](Self::len) may be any number, whatever
/// the size of the file; [`Elements::written`] ends where the file does.
#[derive(Clone, Copy, Debug)]
pub struct Array<'a> {
    kind: Kind,
    /// Of the elements.
    dim: u8,
    len: u32,
    source: Source<'a>,
}

/// Where elements come from.
#[derive(Clone, Copy, Debug)]
enum Source<'a> {
    /// What is left, and where it ends.
    Text(Span<'a>, u64, TextOptions),
    /// What is left, and where it ends. As many bytes were counted as the elements take.
    Binary(&'a [u8], u64),
}

impl<'a> Array<'a> {
    /// Of a value that is inside at least one.
    #[inline(always)]
    pub(super) fn open(value: Value<'a>) -> Result<Self> {
        let Value { kind, dim, form, span, count, offset } = value;
        let dim = dim.saturating_sub(1);
        let (len, source) = match form {
            Form::Text(options) => {
                let mut scan = Scan::new(span.bytes(), offset);
                scan.expect(b'[', "an opening bracket")?;
                let len = text::count(&mut scan, options)?;
                let (mut rest, end) = (span, scan.end());
                rest.bump(span.len().wrapping_sub(scan.rest().len()));
                (len, Source::Text(rest, end, options))
            }
            Form::Initial => (0, Source::Binary(&[], offset)),
            Form::Binary => {
                let bytes = span.bytes();
                (count, Source::Binary(bytes, offset.wrapping_add(bytes.len() as u64)))
            }
        };
        Ok(Self { kind, dim, len, source })
    }

    /// The kind of what is in it.
    pub const fn kind(&self) -> Kind {
        self.kind
    }

    /// Inside how many arrays the elements are: 1 if they are arrays themselves.
    pub const fn dim(&self) -> u8 {
        self.dim
    }

    /// How many elements it declares.
    #[inline]
    pub const fn len(&self) -> u32 {
        self.len
    }

    /// Whether it declares none.
    pub const fn is_empty(&self) -> bool {
        self.len == 0
    }

    /// Binary: the numbers as they lie there, big-endian and in a row. (Of an array of arrays,
    /// counts lie between them.)
    pub const fn big_endian(&self) -> Option<&'a [u8]> {
        match self.source {
            Source::Binary(bytes, _) => Some(bytes),
            Source::Text(..) => None,
        }
    }

    /// The elements, as many as it declares.
    #[inline(always)]
    pub const fn iter(&self) -> Elements<'a> {
        let Self { kind, dim, len, source } = *self;
        Elements { kind, dim, left: len, source, more: true, written: false }
    }

    /// The elements as numbers (or truth values, or units of UTF-16).
    ///
    /// # Errors
    /// If they are arrays, or something else than a `T`.
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
            true => ErrorKind::OtherScalar { kind, asked: T::SCALAR },
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

/// The elements of an [`Array`]. After an error it ends.
#[derive(Clone, Debug)]
pub struct Elements<'a> {
    kind: Kind,
    dim: u8,
    left: u32,
    source: Source<'a>,
    /// Text: the closing bracket is not reached.
    more: bool,
    /// Ends there.
    written: bool,
}

impl<'a> Elements<'a> {
    /// Only those that are written.
    #[must_use]
    pub const fn written(self) -> Self {
        Self { written: true, ..self }
    }

    /// The next element's bytes; none behind those that are written.
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

    /// The next number where it is as nearly all are: of a text behind a comma and without
    /// blanks, of a binary array just there.
    #[inline(always)]
    fn quick<T: Part>(&mut self) -> Option<T> {
        match &mut self.source {
            Source::Text(rest, ..) => {
                let left = self.left.checked_sub(1)?;
                let [b',', number @ ..] = rest.wide() else { return None };
                let (part, len) = T::quick(number)?;
                if !matches!(number.get(len), Some(b',' | b']')) {
                    return None;
                }
                rest.bump(len.wrapping_add(1));
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

    /// Nothing comes any more.
    #[cold]
    fn end(&mut self) {
        (self.left, self.more, self.written) = (0, false, true);
        self.source = Source::Binary(&[], self.offset());
    }

    #[inline(always)]
    fn value(&self, raw: Raw<'a>) -> Value<'a> {
        let form = match (raw.bytes, &self.source) {
            (None, _) => Form::Initial,
            (_, Source::Text(.., options)) => Form::Text(*options),
            (_, Source::Binary(..)) => Form::Binary,
        };
        let Raw { bytes, offset, count } = raw;
        Value {
            kind: self.kind,
            dim: self.dim,
            form,
            span: bytes.unwrap_or_default(),
            count,
            offset,
        }
    }
}

/// An element, or none behind what is written.
struct Raw<'a> {
    bytes: Option<Span<'a>>,
    offset: u64,
    /// Binary: how many elements it has itself.
    count: u32,
}

/// A comma and what is behind it, which may be nothing: then that is an element as well, but
/// none that is written.
#[inline(always)]
fn text_raw<'a>(
    rest: &mut Span<'a>,
    end: u64,
    kind: Kind,
    dim: u8,
    more: &mut bool,
) -> Result<Option<Raw<'a>>> {
    let mut scan = Scan::new(rest.bytes(), end.wrapping_sub(rest.len() as u64));
    scan.blanks();
    match scan.peek() {
        Some(b',') => scan.bump(1),
        Some(b']') => {
            *more = false;
            return Ok(None);
        }
        _ => return Err(scan.expected("a comma or the end of the array")),
    }
    scan.blanks();
    let offset = scan.offset();
    let bytes = match scan.peek() {
        Some(b']') => {
            *more = false;
            None
        }
        _ => Some(scan.value(kind, kind.brackets().wrapping_add(dim))?),
    };
    rest.bump(rest.len().wrapping_sub(scan.rest().len()));
    Ok(Some(Raw { bytes, offset, count: 0 }))
}

/// The next of values of one size, or of arrays with their counts.
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
    Some(Raw { bytes: Some(Span::alone(raw)), offset, count })
}

impl<'a> Iterator for Elements<'a> {
    type Item = Result<Value<'a>>;

    #[inline]
    fn next(&mut self) -> Option<Result<Value<'a>>> {
        let raw = self.raw()?;
        Some(raw.map(|raw| self.value(raw)))
    }

    fn size_hint(&self) -> (usize, Option<usize>) {
        // One more for the error of there being more.
        (0, usize::try_from(self.left).ok().and_then(|left| left.checked_add(1)))
    }
}

impl FusedIterator for Elements<'_> {}

/// The [numbers](Array::numbers) of an array. After an error it ends.
#[derive(Clone, Debug)]
pub struct Numbers<'a, T> {
    elements: Elements<'a>,
    part: PhantomData<T>,
}

impl<T> Numbers<'_, T> {
    /// Only those that are written.
    #[must_use]
    pub fn written(self) -> Self {
        Self { elements: self.elements.written(), ..self }
    }
}

impl<T: Part> Iterator for Numbers<'_, T> {
    type Item = Result<T>;

    #[inline]
    fn next(&mut self) -> Option<Result<T>> {
        match self.elements.quick() {
            Some(number) => Some(Ok(number)),
            None => self.any(),
        }
    }

    fn size_hint(&self) -> (usize, Option<usize>) {
        self.elements.size_hint()
    }
}

impl<T: Part> Numbers<'_, T> {
    #[inline(never)]
    fn any(&mut self) -> Option<Result<T>> {
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
