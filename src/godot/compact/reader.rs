//! The reader of compact values.

use super::leaves::first_leaf;
use crate::buffer::Cursor;
use crate::godot::read::compact_form::{
    BOOL, INT, NULL_OBJECT, OBJECT, TYPE, WIDTH, WireForm, deviation,
};
use crate::godot::read::walk::{Erased, Stop, erase};
use crate::godot::{
    Dialect, Encoded, Error, ErrorKind, Leaf, Level, Limits, Reader, Result, Role, VariantRef,
    Visitor,
};
use core::iter::FusedIterator;
use core::ops::Range;

/// A cursor over consecutive compact values.
///
/// By default, it rejects full objects (objects with a class and properties), as a
/// `SceneMultiplayer` does until a script allows them, and does not check text.
/// [`limits`](Self::limits) changes both defaults. As an iterator, it ends at the end of the bytes
/// or after the first error.
///
/// If a variable is typed as an object and contains null, the engine sends `18 00 00 00`. It writes
/// a Nil of four bytes, and then replaces the type id of Nil by that of Object. The engine's own
/// decoder mistakes these bytes for a full object and rejects them. In 4.6.3, the receiver then
/// gets null for this argument and for all arguments after it. If objects are allowed, the decoder
/// continues and reads a class name.
///
/// If objects are not allowed, this reader returns a null object for these bytes, at every
/// [level](Limits::level). The header of a full object consists of the same bytes. The reader would
/// return a null object for it, too, and read the bytes after it as the next values. However, no
/// engine sends full objects unless they are allowed.
///
/// ```
/// use gamewire::godot::compact::CompactReader;
///
/// let arguments = b"\x81\x02\xfe\x04\0\0\0\x01\0\0\0x\0\0\0"; // true, -2, "x"
/// let mut reader = CompactReader::new(arguments);
/// assert_eq!(reader.read()?.as_bool(), Some(true));
/// assert_eq!(reader.read()?.as_i64(), Some(-2));
/// assert!(reader.read()?.as_str().unwrap() == "x");
/// assert!(reader.is_empty());
/// # Ok::<(), gamewire::godot::Error>(())
/// ```
#[derive(Clone, Debug)]
pub struct CompactReader<'a> {
    bytes: &'a [u8],
    pos: usize,
    origin: u64,
    /// The dialect of the bytes. Only Godot 4 has short forms; values of other dialects are always
    /// written in full.
    dialect: Dialect,
    limits: Limits,
    last: Range<usize>,
    /// `true` if the input is the content of one byte array, without a header or a length.
    raw: bool,
    /// `true` once the iterator has returned an error.
    failed: bool,
}

impl<'a> CompactReader<'a> {
    /// Creates a reader at the start of `bytes` that checks only the structure and rejects full
    /// objects.
    pub fn new(bytes: &'a [u8]) -> Self {
        Self::for_dialect(bytes, Dialect::Godot4)
    }

    /// Creates a reader for any dialect. Dialects other than Godot 4 have no short forms.
    pub(crate) fn for_dialect(bytes: &'a [u8], dialect: Dialect) -> Self {
        let limits = Limits { objects: false, ..Limits::default() };
        Self { bytes, pos: 0, origin: 0, dialect, limits, last: 0..0, raw: false, failed: false }
    }

    /// Treats the input as the content of one byte array, without a header or a length.
    pub(crate) fn raw(mut self) -> Self {
        self.raw = true;
        self
    }

    /// Sets the limits. [`Level::Strict`] accepts only the shortest form.
    #[must_use]
    pub fn limits(mut self, limits: Limits) -> Self {
        self.limits = limits;
        self
    }

    /// Adds `origin` to the offsets in errors and to those that visitors receive.
    #[must_use]
    pub fn origin(mut self, origin: u64) -> Self {
        self.origin = origin;
        self
    }

    /// Returns the offset of the next value in bytes. It is the offset from the start of the input,
    /// plus the [`origin`](Self::origin).
    pub fn offset(&self) -> u64 {
        self.origin.saturating_add(self.pos as u64)
    }

    /// Returns `true` if all bytes have been read.
    pub fn is_empty(&self) -> bool {
        self.pos >= self.bytes.len()
    }

    /// Returns the bytes that have not been read yet.
    pub fn rest(&self) -> &'a [u8] {
        self.bytes.get(self.pos..).unwrap_or_default()
    }

    /// Returns the range of the last value that was read, visited or skipped. The bounds of the
    /// range are indices into the input.
    pub fn range(&self) -> Range<usize> {
        self.last.clone()
    }

    /// Reads the next value.
    ///
    /// # Errors
    /// Returns an error if the next bytes are not a compact value, or if the limits reject the
    /// value. The reader then keeps its position.
    pub fn read(&mut self) -> Result<VariantRef<'a>> {
        if let Some(short) = self.short()? {
            self.advance(short.as_bytes().len());
            return Ok(short.decode());
        }
        let mut full = self.full();
        let value = full.read()?;
        self.advance(full.range().end);
        Ok(value)
    }

    /// Reads the next value and returns its bytes. [`Encoded::deviations`] reports a deviation if
    /// they are not the shortest form.
    ///
    /// ```
    /// use gamewire::godot::Deviation;
    /// use gamewire::godot::compact::CompactReader;
    ///
    /// let wide = [0x42, 5, 0]; // 5, in two bytes
    /// let value = CompactReader::new(&wide).read_encoded()?;
    /// assert_eq!(value.decode().as_i64(), Some(5));
    /// let mut found = Vec::new();
    /// value.deviations(|deviation| found.push(deviation));
    /// assert_eq!(found, [Deviation::Width]);
    /// # Ok::<(), gamewire::godot::Error>(())
    /// ```
    ///
    /// # Errors
    /// Returns the errors of [`read`](Self::read).
    pub fn read_encoded(&mut self) -> Result<Encoded<'a>> {
        let encoded = match self.short()? {
            Some(short) => short,
            None => self.full().read_encoded()?,
        };
        self.advance(encoded.as_bytes().len());
        Ok(encoded)
    }

    /// Visits the next value in one pass, as [`Reader::visit`] does. A short form is passed to
    /// the visitor as a leaf with [compact](Encoded::is_compact) bytes.
    ///
    /// ```
    /// use gamewire::godot::compact::CompactReader;
    /// use gamewire::godot::json::{PrintError, Printer};
    ///
    /// let mut text = String::new();
    /// CompactReader::new(&[0x42, 0x2c, 0x01]).visit(&mut Printer::new(&mut text))?;
    /// assert_eq!(text, r#""i:300""#);
    /// # Ok::<(), PrintError>(())
    /// ```
    ///
    /// # Errors
    /// Returns the errors of [`read`](Self::read) and those of the visitor.
    pub fn visit<V: Visitor<'a>>(&mut self, visitor: &mut V) -> core::result::Result<(), V::Error> {
        let Some(encoded) = self.short()? else {
            let mut full = self.full();
            full.visit(visitor)?;
            self.advance(full.range().end);
            return Ok(());
        };
        let (value, offset) = (encoded.decode(), self.offset());
        visitor.leaf(Leaf { value, encoded, offset, role: Role::Element })?;
        self.advance(encoded.as_bytes().len());
        Ok(())
    }

    /// Visits the next value as [`visit`](Self::visit) does, but calls the visitor through a
    /// vtable; see [`Reader::visit_dyn`].
    ///
    /// # Errors
    /// Returns the errors of [`visit`](Self::visit).
    pub fn visit_dyn<V: Visitor<'a>>(
        &mut self,
        visitor: &mut V,
    ) -> core::result::Result<(), V::Error> {
        // A single leaf needs neither a walk nor a vtable.
        if let Some(leaf) = self.leaf() {
            visitor.leaf(leaf)?;
            self.advance(leaf.encoded.as_bytes().len());
            return Ok(());
        }
        erase(visitor, |visitor| self.visit_erased(visitor))
    }

    /// Returns the next value if a fast check shows that it is a leaf.
    fn leaf(&self) -> Option<Leaf<'a>> {
        if self.raw || self.dialect != Dialect::Godot4 || self.limits.level != Level::Structure {
            return None;
        }
        let rest = self.rest();
        let (len, _) = first_leaf(rest)?;
        let form = match rest.first()? & TYPE {
            BOOL | INT => WireForm::Compact,
            OBJECT => return None,
            _ => WireForm::Full,
        };
        let encoded = Encoded::in_form(rest.get(..len)?, form);
        let offset = self.offset();
        Some(Leaf { value: encoded.decode(), encoded, offset, role: Role::Element })
    }

    #[inline(never)]
    fn visit_erased(&mut self, visitor: &mut Erased<'_, 'a>) -> core::result::Result<(), Stop> {
        self.visit(visitor)
    }

    /// Moves past the next value, checking it as [`read`](Self::read) does.
    ///
    /// # Errors
    /// Returns the errors of [`read`](Self::read).
    #[inline]
    pub fn skip_value(&mut self) -> Result<()> {
        let len = match self.short_len()? {
            Some(len) => len,
            None => self.full_len()?,
        };
        self.advance(len);
        Ok(())
    }

    fn full_len(&self) -> Result<usize> {
        let mut full = self.full();
        full.skip()?;
        Ok(full.range().end)
    }

    /// Returns the next value if it has a short form.
    fn short(&self) -> Result<Option<Encoded<'a>>> {
        let Some(len) = self.short_len()? else { return Ok(None) };
        let form = if self.raw { WireForm::Raw } else { WireForm::Compact };
        Ok(Some(Encoded::in_form(self.rest().get(..len).unwrap_or_default(), form)))
    }

    /// Returns the length of the next value if it has a short form.
    #[inline]
    fn short_len(&self) -> Result<Option<usize>> {
        if self.raw {
            return Ok(Some(self.rest().len()));
        }
        if self.dialect != Dialect::Godot4 {
            return Ok(None);
        }
        let fail = |end: Error| end.shifted(self.offset());
        let mut at = Cursor::new(self.rest());
        let start = at;
        let first = *at.read::<u8>().map_err(|end| fail(end.into()))?;
        let payload = match first & TYPE {
            BOOL => 0,
            INT => 1_u32.wrapping_shl(u32::from(first).wrapping_shr(WIDTH)),
            OBJECT if !self.limits.objects && start.rest().starts_with(&NULL_OBJECT) => 3,
            // Bits 6 and 7 must be 0 for any other type. All ids are below 64, so this lookup fails
            // if one of these bits is set.
            _ if self.dialect.kind(first.into()).is_none() => {
                return Err(fail(Error::new(ErrorKind::UnknownType { id: first.into() }, 0)));
            }
            _ => return Ok(None),
        };
        at.slice::<u8>(payload).map_err(|end| fail(end.into()))?;
        let deviation = || deviation(at.since(&start), WireForm::Compact);
        match self.limits.level {
            Level::Strict => match deviation() {
                Some(deviation) => Err(fail(Error::new(ErrorKind::NotCanonical(deviation), 0))),
                None => Ok(Some(at.pos())),
            },
            Level::Structure | Level::Engine => Ok(Some(at.pos())),
        }
    }

    fn full(&self) -> Reader<'a, 'static> {
        Reader::new(self.rest(), self.dialect).limits(self.limits).origin(self.offset())
    }

    fn advance(&mut self, len: usize) {
        let start = self.pos;
        self.pos = start.saturating_add(len);
        self.last = start..self.pos;
    }
}

impl<'a> Iterator for CompactReader<'a> {
    type Item = core::result::Result<VariantRef<'a>, Error>;

    fn next(&mut self) -> Option<Self::Item> {
        if self.failed || self.is_empty() {
            return None;
        }
        let value = self.read();
        self.failed = value.is_err();
        Some(value)
    }
}

impl FusedIterator for CompactReader<'_> {}
