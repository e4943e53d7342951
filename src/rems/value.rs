//! Values: found by a reader, and decoded when they are asked for.

use super::array::Array;
use super::error::fail;
use super::text::TextOptions;
use super::{Error, ErrorKind, Kind, Part, Result, Scalar, Str};

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
    #[cfg_attr(not(feature = "alloc"), allow(dead_code, reason = "asked for with `alloc` only"))]
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
    pub(super) fn error(self, kind: ErrorKind) -> Error {
        fail(kind, self.offset)
    }

    #[cold]
    pub(super) fn other_kind(self) -> Error {
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
    pub(super) fn other_scalar<T: Part>(self) -> Error {
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

    /// The elements of an array.
    ///
    /// # Errors
    /// If it is none, or a text does not begin with the count of one.
    #[inline(always)]
    pub fn array(&self) -> Result<Array<'a>> {
        if self.dim == 0 { Err(self.other_kind()) } else { Array::open(*self) }
    }
}
