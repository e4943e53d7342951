//! Values. A reader only locates them in the file, and they are decoded when the program requests
//! them.

use super::array::Array;
use super::error::fail;
use super::span::Span;
use super::text::TextOptions;
use super::{Error, ErrorKind, Kind, Part, Result, Scalar, StrRef};

/// A value that is not an object: its bytes in the file and its type.
///
/// A text reader only finds the end of a value, so decoding can fail. Every value of a binary
/// stream can be decoded.
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
    /// Number of array dimensions.
    pub(super) dim: u8,
    pub(super) encoding: Encoding,
    pub(super) span: Span<'a>,
    /// Number of elements of a binary array.
    pub(super) count: u32,
    pub(super) offset: u64,
}

impl Span<'_> {
    /// Decodes the whole span as a number, if the number has its most common form.
    #[inline(always)]
    fn fast_path<T: Part>(&self) -> Option<T> {
        let (part, len) = T::fast_path(self.lookahead())?;
        (len == self.len()).then_some(part)
    }
}

/// Encoding of a value.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Encoding {
    Text(TextOptions),
    /// Big-endian numbers. The span does not include the count of an array, but includes the counts
    /// of inner arrays.
    #[cfg_attr(not(feature = "alloc"), allow(dead_code, reason = "used with `alloc` only"))]
    Binary,
    /// An omitted element. It has no bytes, and has the default value of its kind.
    Initial,
}

impl<'a> Value<'a> {
    /// Returns the kind of the value, or of the elements of an array.
    #[inline]
    pub const fn kind(&self) -> Kind {
        self.kind
    }

    /// Returns the number of array dimensions: 0 for a plain value, 1 for an array, 2 for an array
    /// of arrays.
    #[inline]
    pub const fn dim(&self) -> u8 {
        self.dim
    }

    /// Returns the encoded bytes. In a text file, they include brackets, and also quotes unless the
    /// value is a string or path. In a binary stream, they do not include the count of an array. An
    /// omitted element has no bytes.
    #[inline]
    pub fn raw(&self) -> &'a [u8] {
        self.span.bytes()
    }

    /// Returns `true` for an omitted element of an array.
    #[inline]
    pub fn is_omitted(&self) -> bool {
        self.encoding == Encoding::Initial
    }

    /// Returns the offset of the encoded bytes in the file.
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

    /// Returns a string or the path of a file.
    ///
    /// # Errors
    /// If the value is an array, or neither a string nor a path.
    #[inline(always)]
    pub fn text(&self) -> Result<StrRef<'a>> {
        match self.dim == 0 && self.kind.is_text() {
            true => Ok(StrRef::quoted(self.raw(), self.span.has_escapes())),
            false => Err(self.other_kind()),
        }
    }

    /// Returns the single component of a value.
    ///
    /// # Errors
    /// If the value is an array or has more than one component, if its component is not a `T`, or
    /// if its bytes are malformed.
    #[inline(always)]
    pub fn get<T: Part>(&self) -> Result<T> {
        if self.dim != 0 || self.kind.parts() != 1 || self.kind.scalar() != T::SCALAR {
            return Err(self.no_such_part::<T>());
        }
        match self.encoding {
            Encoding::Text(options) => match self.span.fast_path() {
                Some(part) => Ok(part),
                None => self.general(options),
            },
            Encoding::Binary => match T::of_bytes(self.raw()) {
                Some(part) => Ok(part),
                None => Err(fail(ErrorKind::UnexpectedEnd { missing: 1 }, self.offset)),
            },
            Encoding::Initial => Ok(T::default()),
        }
    }

    #[cold]
    fn general<T: Part>(self, options: TextOptions) -> Result<T> {
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
        self.error(ErrorKind::OtherScalar { kind: self.kind, requested: T::SCALAR })
    }

    /// Returns an integer of 8 to 64 bits, or a colour.
    ///
    /// # Errors
    /// If the value is not a single integer or colour, or if its bytes are malformed.
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

    /// Returns a number of single or double precision.
    ///
    /// # Errors
    /// If the value is not a single floating-point number, or if its bytes are malformed.
    #[inline]
    pub fn real(&self) -> Result<f64> {
        match self.kind.scalar() {
            Scalar::F32 => self.get::<f32>().map(f64::from),
            Scalar::F64 => self.get(),
            _ => Err(self.other_kind()),
        }
    }

    /// Returns the elements of an array.
    ///
    /// # Errors
    /// If the value is not an array, or if the count at the start of an array in a text file is
    /// missing or malformed. An empty array needs no count.
    #[inline(always)]
    pub fn array(&self) -> Result<Array<'a>> {
        if self.dim == 0 { Err(self.other_kind()) } else { Array::open(*self) }
    }
}
