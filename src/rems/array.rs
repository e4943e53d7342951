//! Arrays: how many elements they declare, and these.

use super::text::{Scan, TextOptions, count};
use super::value::Form;
use super::{Error, ErrorKind, Kind, Part, Result, Str, Value};
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
    /// Behind the count.
    Text(Scan<'a>, TextOptions),
    Binary(&'a [u8], u64),
}

impl<'a> Array<'a> {
    /// Of a value that is inside at least one.
    #[inline(always)]
    pub(super) fn open(value: Value<'a>) -> Result<Self> {
        let Value { kind, dim, form, raw, count, offset } = value;
        let dim = dim.saturating_sub(1);
        let (len, source) = match form {
            Form::Text(options) => {
                let (len, scan) = text_count(raw.raw(), offset)?;
                (len, Source::Text(scan, options))
            }
            Form::Initial => (0, Source::Binary(&[], offset)),
            Form::Binary => (count, Source::Binary(raw.raw(), offset)),
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
            Source::Text(..) if !self.more => Ok(None),
            Source::Text(scan, _) => text_raw(scan, self.kind, self.dim, &mut self.more),
            Source::Binary(bytes, offset) => Ok(binary_raw(bytes, offset, self.kind, self.dim)),
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
    fn quick<T: Part>(&mut self) -> Option<Result<T>> {
        let left = self.left.checked_sub(1)?;
        let number = match &mut self.source {
            Source::Text(scan, _) => {
                let number = scan.rest().strip_prefix(b",")?;
                let (number, len) = T::quick(number)?;
                scan.bump(len.wrapping_add(1));
                number
            }
            Source::Binary(bytes, offset) => {
                let (number, rest) = bytes.split_at_checked(size_of::<T>())?;
                *offset = offset.wrapping_add(size_of::<T>() as u64);
                *bytes = rest;
                T::of_bytes(number)?
            }
        };
        self.left = left;
        Some(Ok(number))
    }

    fn offset(&self) -> u64 {
        match &self.source {
            Source::Text(scan, _) => scan.offset(),
            Source::Binary(_, offset) => *offset,
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
            (_, Source::Text(_, options)) => Form::Text(*options),
            (_, Source::Binary(..)) => Form::Binary,
        };
        let Raw { bytes, offset, count } = raw;
        Value {
            kind: self.kind,
            dim: self.dim,
            form,
            raw: bytes.unwrap_or_default(),
            count,
            offset,
        }
    }
}

/// The count of an array, and the place behind it.
fn text_count(text: &[u8], offset: u64) -> Result<(u32, Scan<'_>)> {
    let mut scan = Scan::new(text, offset);
    scan.expect(b'[', "an opening bracket")?;
    Ok((count(&mut scan)?, scan))
}

/// An element, or none behind what is written.
struct Raw<'a> {
    bytes: Option<Str<'a>>,
    offset: u64,
    /// Binary: how many elements it has itself.
    count: u32,
}

/// A comma and what is behind it, which may be nothing: then that is an element as well, but
/// none that is written.
#[inline(always)]
fn text_raw<'a>(
    scan: &mut Scan<'a>,
    kind: Kind,
    dim: u8,
    more: &mut bool,
) -> Result<Option<Raw<'a>>> {
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
    if scan.peek() == Some(b']') {
        *more = false;
        return Ok(Some(Raw { bytes: None, offset, count: 0 }));
    }
    let bytes = scan.value(kind, kind.brackets().wrapping_add(dim))?;
    Ok(Some(Raw { bytes: Some(bytes), offset, count: 0 }))
}

/// The next of values of one size, or of arrays with their counts; all were counted before.
#[inline(always)]
fn binary_raw<'a>(bytes: &mut &'a [u8], offset: &mut u64, kind: Kind, dim: u8) -> Option<Raw<'a>> {
    let mut count = 0;
    if dim > 0 {
        let (head, rest) = bytes.split_first_chunk::<4>()?;
        count = u32::from_be_bytes(*head);
        (*bytes, *offset) = (rest, offset.wrapping_add(4));
    }
    let each = if dim > 0 { count as usize } else { 1 };
    let (raw, rest) = bytes.split_at_checked(kind.size().checked_mul(each)?)?;
    let raw = Raw { bytes: Some(Str::new(raw)), offset: *offset, count };
    if bytes.is_empty() && dim == 0 {
        return None;
    }
    *offset = offset.wrapping_add(bytes.len().wrapping_sub(rest.len()) as u64);
    *bytes = rest;
    Some(raw)
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
        self.elements.quick().or_else(|| self.any())
    }

    fn size_hint(&self) -> (usize, Option<usize>) {
        self.elements.size_hint()
    }
}

impl<T: Part> Numbers<'_, T> {
    fn any(&mut self) -> Option<Result<T>> {
        let raw = match self.elements.raw()? {
            Ok(raw) => raw,
            Err(error) => return Some(Err(error)),
        };
        let Some(bytes) = raw.bytes else { return Some(Ok(T::default())) };
        Some(match &self.elements.source {
            Source::Binary(..) => Ok(T::of_bytes(bytes.raw()).unwrap_or_default()),
            Source::Text(_, options) => {
                let read = T::of_text(bytes.raw(), self.elements.kind, *options);
                read.map_err(|kind| self.fail(kind, raw.offset))
            }
        })
    }
}

impl<T: Part> FusedIterator for Numbers<'_, T> {}

impl<T> Numbers<'_, T> {
    #[cold]
    fn fail(&self, kind: ErrorKind, offset: u64) -> Error {
        Error::new(kind, offset)
    }
}
