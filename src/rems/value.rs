//! Values: found by a reader, and decoded when they are asked for.

use super::array::Array;
use super::error::fail;
use super::kind::{Fill, Initial};
use super::text::{Scan, TextOptions};
use super::{Error, ErrorKind, Kind, Part, Result, Scalar, Str};
use core::ops::Deref;

/// A value that is no object: where it lies, and what it is.
///
/// Text: its bytes were not looked at but for their end, so that asking for it may be an error.
/// Binary: they can be anything.
///
/// ```
/// use gamewire::rems::{Item, Kind, TextReader};
///
/// let mut reader = TextReader::new(br#"[{"class":"T","v3:at":[0.5],"i[]:ids":[4,7,-8]}]"#);
/// let mut values = Vec::new();
/// while let Some(item) = reader.next()? {
///     if let Item::Value(value) = item {
///         values.push(value);
///     }
/// }
/// assert_eq!(values[0].kind(), Kind::Vec3);
/// assert_eq!(*values[0].parts::<f32>()?, [0.5; 3]);
/// let ids = values[1].array()?;
/// assert_eq!(ids.len(), 4);
/// assert!(ids.numbers::<i32>()?.map(|id| id.unwrap()).eq([7, -8, 0, 0]));
/// # Ok::<(), gamewire::rems::Error>(())
/// ```
#[derive(Clone, Copy, Debug)]
pub struct Value<'a> {
    pub(super) kind: Kind,
    /// How many arrays are around what is of the kind.
    pub(super) dim: u8,
    pub(super) form: Form,
    pub(super) span: Span<'a>,
    /// Binary: how many elements an array has.
    pub(super) count: u32,
    pub(super) offset: u64,
}

/// Bytes in front of others, which are looked at with them: digits eight at a time.
#[derive(Clone, Copy, Debug, Default)]
pub(super) struct Span<'a> {
    wide: &'a [u8],
    len: usize,
    /// As [`Str::has_escapes`].
    escapes: bool,
}

impl<'a> Span<'a> {
    #[inline(always)]
    pub(super) const fn in_front(wide: &'a [u8], len: usize) -> Self {
        Self { wide, len, escapes: false }
    }

    #[inline(always)]
    pub(super) const fn alone(bytes: &'a [u8]) -> Self {
        Self::in_front(bytes, bytes.len())
    }

    #[inline(always)]
    pub(super) fn bytes(&self) -> &'a [u8] {
        self.wide.get(..self.len).unwrap_or_default()
    }

    #[inline(always)]
    pub(super) const fn len(&self) -> usize {
        self.len
    }

    /// With what is behind it.
    #[inline(always)]
    pub(super) const fn wide(&self) -> &'a [u8] {
        self.wide
    }

    /// Passes over so many bytes of it.
    #[inline(always)]
    pub(super) fn bump(&mut self, bytes: usize) {
        self.wide = self.wide.get(bytes..).unwrap_or_default();
        self.len = self.len.saturating_sub(bytes);
    }

    /// The same as a number, if it is one as writers have it.
    #[inline(always)]
    fn quick<T: Part>(&self) -> Option<T> {
        let (part, len) = T::quick(self.wide)?;
        (len == self.len).then_some(part)
    }
}

impl<'a> From<Str<'a>> for Span<'a> {
    #[inline(always)]
    fn from(text: Str<'a>) -> Self {
        Self { escapes: text.has_escapes(), ..Self::alone(text.raw()) }
    }
}

/// How the bytes of a value are to be understood.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Form {
    Text(TextOptions),
    /// Big-endian, without the counts of an array but with those of arrays in it.
    #[cfg_attr(not(feature = "alloc"), allow(dead_code))]
    Binary,
    /// There are no bytes: the value that one has where nothing is written.
    Initial,
}

impl<'a> Value<'a> {
    /// What it is.
    #[inline]
    pub const fn kind(&self) -> Kind {
        self.kind
    }

    /// Inside how many arrays: 0 for the value itself, up to 2.
    #[inline]
    pub const fn dim(&self) -> u8 {
        self.dim
    }

    /// The bytes: of a text with brackets and quotes, but for those around a string; of a
    /// binary array without its count. None of a value behind what was written of an array.
    #[inline]
    pub fn raw(&self) -> &'a [u8] {
        self.span.bytes()
    }

    /// Whether nothing is written of it: an element behind what was written of an array.
    #[inline]
    pub fn is_initial(&self) -> bool {
        self.form == Form::Initial
    }

    /// Where its bytes are.
    #[inline]
    pub const fn offset(&self) -> u64 {
        self.offset
    }

    #[cold]
    fn error(self, kind: ErrorKind) -> Error {
        fail(kind, self.offset)
    }

    #[cold]
    fn other_kind(self) -> Error {
        self.error(ErrorKind::OtherKind { kind: self.kind, dim: self.dim })
    }

    /// The text of a string or the path of a file.
    ///
    /// # Errors
    /// If it is of another kind.
    #[inline(always)]
    pub fn text(&self) -> Result<Str<'a>> {
        match self.dim == 0 && self.kind.is_text() {
            true => Ok(Str::quoted(self.raw(), self.span.escapes)),
            false => Err(self.other_kind()),
        }
    }

    /// The value itself, if it has but one part and that is a `T`.
    ///
    /// # Errors
    /// If it is of another kind, or its bytes are no such thing.
    #[inline(always)]
    pub fn get<T: Part>(&self) -> Result<T> {
        if self.dim != 0 || self.kind.parts() != 1 || self.kind.scalar() != T::SCALAR {
            return Err(self.no_such_part::<T>());
        }
        match self.form {
            Form::Text(options) => match self.span.quick() {
                Some(part) => Ok(part),
                None => self.odd(options),
            },
            Form::Binary => match T::of_bytes(self.raw()) {
                Some(part) => Ok(part),
                None => Err(fail(ErrorKind::UnexpectedEnd { missing: 1 }, self.offset)),
            },
            Form::Initial => Ok(T::default()),
        }
    }

    #[cold]
    fn odd<T: Part>(self, options: TextOptions) -> Result<T> {
        T::of_text(self.raw(), self.kind, options).map_err(|kind| self.error(kind))
    }

    #[cold]
    fn no_such_part<T: Part>(self) -> Error {
        match self.dim == 0 && self.kind.parts() == 1 {
            true => self.other_scalar::<T>(),
            false => self.other_kind(),
        }
    }

    #[cold]
    fn other_scalar<T: Part>(self) -> Error {
        self.error(ErrorKind::OtherScalar { kind: self.kind, asked: T::SCALAR })
    }

    /// Any integer: of 8 to 64 bits, or a colour.
    ///
    /// # Errors
    /// If it is of another kind, or its bytes are no such thing.
    #[inline]
    pub fn integer(&self) -> Result<i64> {
        match self.kind.scalar() {
            Scalar::I8 => self.get::<i8>().map(i64::from),
            Scalar::I16 => self.get::<i16>().map(i64::from),
            Scalar::I32 => self.get::<i32>().map(i64::from),
            Scalar::I64 => self.get(),
            _ => Err(self.other_kind()),
        }
    }

    /// Any real; a single is widened.
    ///
    /// # Errors
    /// If it is of another kind, or its bytes are no such thing.
    #[inline]
    pub fn real(&self) -> Result<f64> {
        match self.kind.scalar() {
            Scalar::F32 => self.get::<f32>().map(f64::from),
            Scalar::F64 => self.get(),
            _ => Err(self.other_kind()),
        }
    }

    /// The parts of a vector, matrix or the like, column by column; what a text leaves out is
    /// put in. Of anything else that is no text, its one part.
    ///
    /// # Errors
    /// If its parts are no `T`, or not as many as its kind has.
    #[inline(always)]
    pub fn parts<T: Part>(&self) -> Result<Parts<T>> {
        if self.dim != 0 || self.kind.scalar() != T::SCALAR {
            return Err(self.no_such_parts::<T>());
        }
        let mut parts = Parts { values: [T::default(); 16], len: self.kind.parts() };
        match self.form {
            Form::Text(options) => {
                if self.quick_parts(&mut parts.values) != Some(self.span.len) {
                    self.odd_parts(&mut parts.values, options)?;
                }
            }
            Form::Binary => {
                for (part, bytes) in
                    parts.values.iter_mut().zip(self.raw().chunks_exact(size_of::<T>()))
                {
                    *part = T::of_bytes(bytes).unwrap_or_default();
                }
            }
            Form::Initial => parts.initial(self.kind),
        }
        Ok(parts)
    }

    /// As writers have nearly all of them. How many bytes that is.
    #[inline(always)]
    fn quick_parts<T: Part>(&self, parts: &mut [T; 16]) -> Option<usize> {
        match (self.kind.columns(), self.kind.rows()) {
            (1, 1) => {
                let [first, ..] = parts;
                let len;
                (*first, len) = T::quick(self.span.wide)?;
                Some(len)
            }
            (1, rows) => quick_column(self.span.wide, parts.get_mut(..rows)?),
            _ => None,
        }
    }

    #[inline(never)]
    fn odd_parts<T: Part>(&self, parts: &mut [T; 16], options: TextOptions) -> Result<()> {
        match self.kind.brackets() {
            0 => {
                let [first, ..] = parts;
                *first = self.get()?;
                Ok(())
            }
            _ => self.columns(parts, options),
        }
    }

    fn columns<T: Part>(&self, parts: &mut [T; 16], options: TextOptions) -> Result<()> {
        let mut scan = Scan::new(self.raw(), self.offset);
        let columns = parts.chunks_mut(self.kind.rows()).take(self.kind.columns());
        let column = |scan: &mut Scan<'_>, column: &mut [T]| {
            let mut span = self.span;
            span.bump(self.span.len.wrapping_sub(scan.rest().len()));
            if let Some(len) = quick_column(span.wide, column) {
                scan.bump(len);
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
            scan.blanks();
            if at > 0 {
                scan.expect(b',', "a comma").map_err(|_| self.error(bad))?;
                scan.blanks();
            }
            column(&mut scan, part)?;
        }
        scan.blanks();
        scan.expect(b']', "the end of the columns").map_err(|_| self.error(bad))
    }

    /// The elements of an array.
    ///
    /// # Errors
    /// If it is none, or a text does not begin with the count of one.
    #[inline(always)]
    pub fn array(&self) -> Result<Array<'a>> {
        if self.dim == 0 { Err(self.other_kind()) } else { Array::open(*self) }
    }

    #[cold]
    fn no_such_parts<T: Part>(self) -> Error {
        match self.dim != 0 || self.kind.is_text() {
            true => self.other_kind(),
            false => self.other_scalar::<T>(),
        }
    }
}

/// The parts of a column, in brackets: all of them, and without blanks. How many bytes that is.
#[inline(always)]
fn quick_column<T: Part>(bytes: &[u8], column: &mut [T]) -> Option<usize> {
    let (mut at, mut before) = (0usize, b'[');
    for part in column {
        let (_, number) = bytes.get(at..)?.split_first().filter(|(first, _)| **first == before)?;
        let len;
        (*part, len) = T::quick(number)?;
        at = at.wrapping_add(len).wrapping_add(1);
        before = b',';
    }
    (bytes.get(at) == Some(&b']')).then_some(at.wrapping_add(1))
}

/// The parts of a column, in brackets.
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
            Some(b',') => scan.bump(1),
            Some(b']') => break scan.bump(1),
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

/// A part and the blanks around it.
fn text_part<T: Part>(scan: &mut Scan<'_>, kind: Kind, options: TextOptions) -> Result<T> {
    scan.blanks();
    let at = *scan;
    let token = scan.value(kind, 0)?.bytes();
    let part = T::of_text(token, kind, options).map_err(|kind| at.error(kind))?;
    scan.blanks();
    Ok(part)
}

/// The [parts](Value::parts) of a value, a slice of as many as its kind has.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Parts<T> {
    values: [T; 16],
    len: usize,
}

impl<T: Part> Parts<T> {
    /// What the kind is where nothing is written.
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
