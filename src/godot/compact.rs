//! Compact values. Godot 4 uses this encoding for RPC arguments, spawn arguments and replicated
//! state. In the engine, `MultiplayerAPI.encode_and_compress_variant` writes it. The encoding has
//! not changed from 4.0 to 4.6.
//!
//! Only the outermost value has a short form. Values in a container are encoded in full. The low
//! six bits of the first byte are the type id.
//!
//! | value | bytes |
//! |---|---|
//! | bool | `01` false, `81` true; bit 6 is ignored |
//! | int | `02`, `42`, `82` or `C2`, then the integer in 1, 2, 4 or 8 bytes, the fewest that hold it |
//! | any other | the full encoding; bits 6 and 7 must be 0 |
//! | null object | `18 00 00 00`; see [`CompactReader`] |
//!
//! Values are not aligned, and no count or length precedes them.

mod writer;

pub use writer::CompactWriter;

use super::{
    Dialect, Encoded, Error, ErrorKind, Kind, Leaf, Level, Limits, Reader, Result, Role,
    VariantRef, Visitor,
};
use crate::buffer::Cursor;
use crate::godot::read::compact_form::{
    BOOL, INT, NULL_OBJECT, OBJECT, TYPE, WIDTH, WireForm, deviation, id_of,
};
use crate::godot::read::trusted::leaf_len;
use crate::godot::read::walk::{Erased, Stop, erase};
use crate::godot::table::dialect;
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

/// Returns the length of the leaf (a value that is not a container) at the start of `bytes`, and
/// whether values of its type can have padding. Returns `None` for a container or a malformed
/// value.
#[inline]
pub(crate) fn first_leaf(bytes: &[u8]) -> Option<(usize, bool)> {
    let (1, len) = skip_leaves(bytes, 1) else { return None };
    let id = bytes.first().map_or(0, |first| first & TYPE);
    Some((len, 1_u64.wrapping_shl(id.into()) & UNPADDED == 0))
}

/// The types of leaves that never have padding: numbers, vectors and the like.
const UNPADDED_KINDS: &[Kind] = &[
    Kind::Nil,
    Kind::Bool,
    Kind::Int,
    Kind::Float,
    Kind::Vector2,
    Kind::Vector2i,
    Kind::Vector3,
    Kind::Vector3i,
    Kind::Vector4,
    Kind::Vector4i,
    Kind::Rect2,
    Kind::Rect2i,
    Kind::Transform2D,
    Kind::Transform3D,
    Kind::Quaternion,
    Kind::Basis,
    Kind::Color,
];

/// The type ids of [`UNPADDED_KINDS`], as a set of bits.
const UNPADDED: u64 = {
    let (mut set, mut rest) = (0, UNPADDED_KINDS);
    while let [kind, others @ ..] = rest {
        set |= 1 << id_of(*kind);
        rest = others;
    }
    set
};

/// Skips up to `count` leaves and stops at the first container or malformed value. This is the
/// fast path for most arguments. Returns the number of leaves skipped and the offset after them.
#[inline]
pub(crate) fn skip_leaves(bytes: &[u8], count: usize) -> (usize, usize) {
    let (mut at, mut done) = (0_usize, 0_usize);
    while done < count {
        let rest = bytes.get(at..).unwrap_or_default();
        let Some(first) = rest.first() else { break };
        let len = match first & TYPE {
            BOOL => 1,
            INT => 1_usize.wrapping_shl(u32::from(*first).wrapping_shr(WIDTH)).wrapping_add(1),
            _ => match leaf_len::<dialect::Godot4>(rest) {
                Some(len) => len,
                None => break,
            },
        };
        if len > rest.len() {
            break;
        }
        at = at.wrapping_add(len);
        done = done.wrapping_add(1);
    }
    (done, at)
}

#[cfg(all(test, feature = "alloc"))]
mod tests {
    use super::*;
    use crate::godot::json::Printer;
    use crate::godot::{Deviation, Kind, Vector2, Wide, Writer};
    use alloc::string::String;
    use alloc::vec::Vec;

    const GODOT4: Dialect = Dialect::Godot4;

    fn read(bytes: &[u8]) -> Result<VariantRef<'_>> {
        CompactReader::new(bytes).origin(100).read()
    }

    fn written(put: impl FnOnce(&mut CompactWriter<&mut Vec<u8>>) -> Result<()>) -> Vec<u8> {
        let mut bytes = Vec::new();
        put(&mut CompactWriter::new(&mut bytes, GODOT4)).unwrap();
        bytes
    }

    /// Covers the smallest and largest value of each width, and the values just outside that range.
    #[test]
    fn ints_take_the_fewest_bytes() {
        for (value, bytes) in [
            (0, &b"\x02\x00"[..]),
            (127, b"\x02\x7f"),
            (-128, b"\x02\x80"),
            (128, b"\x42\x80\x00"),
            (-129, b"\x42\x7f\xff"),
            (-32768, b"\x42\x00\x80"),
            (32768, b"\x82\x00\x80\x00\x00"),
            (-0x8000_0000, b"\x82\x00\x00\x00\x80"),
            (0x8000_0000, b"\xc2\x00\x00\x00\x80\x00\x00\x00\x00"),
            (i64::MIN, b"\xc2\x00\x00\x00\x00\x00\x00\x00\x80"),
        ] {
            assert_eq!(written(|out| out.put(value)), bytes, "{value}");
            assert_eq!(read(bytes).unwrap().as_i64(), Some(value));
            for end in 0..bytes.len() {
                let error = read(&bytes[..end]).unwrap_err();
                let missing = if end == 0 { 1 } else { bytes.len() - end };
                assert_eq!(error.missing(), Some(missing as u32));
                assert!(error.offset() <= 101);
            }
        }
        assert_eq!(written(|out| out.put(Wide(1_i64))), b"\xc2\x01\0\0\0\0\0\0\0");
    }

    /// Bit 7 is the value of a bool, and bit 6 is ignored.
    #[test]
    fn bools() {
        for (byte, value) in [(0x01, false), (0x81, true), (0x41, false), (0xC1, true)] {
            assert_eq!(read(&[byte]).unwrap().as_bool(), Some(value));
        }
        assert_eq!(written(|out| out.put(true)), [0x81]);
        assert_eq!(written(|out| out.put(false)), [0x01]);
    }

    #[test]
    fn deviations_are_reported() {
        for (bytes, found) in [
            (&[0x41][..], Some(Deviation::HeaderBits)),
            (&[0x81], None),
            (&[0x42, 5, 0], Some(Deviation::Width)),
            (&[0x42, 0, 1], None),
            (&NULL_OBJECT, None),
        ] {
            let encoded = CompactReader::new(bytes).read_encoded().unwrap();
            assert!(encoded.is_compact() && encoded.as_bytes() == bytes);
            let mut deviations = Vec::new();
            encoded.deviations(|deviation| deviations.push(deviation));
            assert_eq!(deviations, found.into_iter().collect::<Vec<_>>());
            let strict = Limits { level: Level::Strict, objects: false, ..Limits::default() };
            let strict = CompactReader::new(bytes).limits(strict).read();
            assert_eq!(strict.is_ok(), found.is_none());
        }
    }

    /// In other types, bits 6 and 7 must be 0. The highest type id is 38.
    #[test]
    fn unknown_types_are_rejected() {
        for id in [0x27, 0x3F, 0x40, 0x43, 0x84, 0xC4] {
            let error = read(&[id, 0, 0, 0, 0, 0, 0, 0]).unwrap_err();
            assert_eq!(*error.kind(), ErrorKind::UnknownType { id: id.into() });
            assert_eq!(error.offset(), 100);
        }
        assert_eq!(*read(&[]).unwrap_err().kind(), ErrorKind::UnexpectedEnd { missing: 1 });
    }

    #[test]
    fn null_objects() {
        let null = CompactReader::new(&NULL_OBJECT).read_encoded().unwrap();
        assert_eq!((null.kind(), null.decode().is_nil()), (Kind::Object, true));
        assert_eq!(written(|out| out.put(null)), NULL_OBJECT);
        assert_eq!(written(|out| out.put(null.decode())), [0; 4]); // a Nil

        // If objects are allowed, these bytes are the start of a full object.
        let objects = CompactReader::new(&NULL_OBJECT).limits(Limits::default()).read();
        assert_eq!(objects.unwrap_err().missing(), Some(4));
        // The header of a full object is read as a null, or rejected if it has flags. An object
        // given by id has no short form.
        let full = read(b"\x18\0\0\0\x01\0\0\0A\0\0\0\0\0\0\0");
        assert!(full.unwrap().is_nil(), "its first four bytes are a null");
        assert!(read(b"\x18\0\x02\0\x01\0\0\0A\0\0\0\0\0\0\0").is_err());
        let id = b"\x18\0\x01\0\x07\0\0\0\0\0\0\0";
        assert!(!CompactReader::new(id).read_encoded().unwrap().is_compact());
    }

    #[test]
    fn consecutive_values() {
        let bytes = written(|out| {
            out.put(300)?;
            out.put(Vector2 { x: 1.0_f32, y: 2.0 })?;
            let mut list = out.array(2)?;
            list.put(true)?;
            list.put(1)?;
            list.finish()?;
            out.put(false)
        });
        assert_eq!(bytes.len(), 3 + 12 + 24 + 1);
        let mut reader = CompactReader::new(&bytes).origin(7);
        assert_eq!(reader.by_ref().filter_map(Result::ok).count(), 4);
        assert!(reader.is_empty() && reader.offset() == 47 && reader.range() == (39..40));

        // Writes each value again, from its bytes and from the decoded value.
        let mut reader = CompactReader::new(&bytes);
        let mut copies = [Vec::new(), Vec::new()];
        while !reader.is_empty() {
            let value = reader.read_encoded().unwrap();
            let [a, b] = copies.each_mut().map(|copy| CompactWriter::new(copy, GODOT4));
            { a }.put(value).unwrap();
            { b }.put(value.decode()).unwrap();
        }
        assert_eq!(copies, [bytes.clone(), bytes]);
    }

    /// `Writer`, and `CompactWriter` in a dialect without short forms, write every value in full.
    #[test]
    fn short_forms_are_expanded_for_other_writers() {
        let mut bytes = Vec::new();
        let value = CompactReader::new(&[0x42, 5, 0]).read_encoded().unwrap();
        Writer::new(&mut bytes, GODOT4).put(value).unwrap();
        CompactWriter::new(&mut bytes, Dialect::Godot3).put(value).unwrap();
        CompactWriter::new(&mut bytes, Dialect::Godot3).put(true).unwrap();
        assert_eq!(bytes, b"\x02\0\0\0\x05\0\0\0\x02\0\0\0\x05\0\0\0\x01\0\0\0\x01\0\0\0");
    }

    #[test]
    fn ends_after_an_error() {
        let mut reader = CompactReader::new(&[0x81, 0x27, 0x81]);
        assert!(reader.next().unwrap().is_ok());
        assert!(reader.next().unwrap().is_err());
        assert!(reader.next().is_none() && reader.rest() == [0x27, 0x81]);
    }

    /// `skip_leaves` must skip every leaf that it can. No other test would notice if it skipped
    /// less: callers read the values that it does not skip.
    /// Compares the output, the errors and the positions for random bytes.
    #[test]
    fn visits_through_a_vtable_see_the_same_values() {
        let mut random = 1_u64;
        let mut values = 0;
        for round in 0..40_000_u32 {
            let bytes: Vec<u8> = (0..40)
                .map(|at| {
                    random = random.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1);
                    let byte = random.to_be_bytes()[0];
                    // Headers and counts with few bits, so that most values are well-formed.
                    if at == 0 {
                        byte & 0xDF
                    } else if at % 4 == 0 {
                        byte & 3
                    } else {
                        byte & byte << 7
                    }
                })
                .collect();
            let level = [Level::Structure, Level::Engine, Level::Strict][round as usize % 3];
            let limits = Limits { level, objects: round % 2 == 0, ..Limits::default() };
            let reader = CompactReader::new(&bytes).origin(7).limits(limits);
            let reader = if round % 16 == 0 { reader.raw() } else { reader };
            let [mut direct, mut erased] = [reader.clone(), reader];
            let [mut expected, mut printed] = [const { String::new() }; 2];
            let result = direct.visit(&mut Printer::new(&mut expected).exact(true));
            assert_eq!(erased.visit_dyn(&mut Printer::new(&mut printed).exact(true)), result);
            assert_eq!((printed, erased.range()), (expected, direct.range()));
            values += u32::from(result.is_ok());
        }
        assert!(values > 4_000, "{values}");
    }

    #[test]
    fn skip_leaves_stops_at_containers_and_truncated_values() {
        let bytes = [0x81, 0x02, 5, 0x42, 5, 0, 0xC2, 1, 2, 3, 4, 5, 6, 7, 8, 1];
        for (count, end) in [(0, 0), (1, 1), (2, 3), (3, 6), (4, 15), (5, 16), (6, 16)] {
            assert_eq!(skip_leaves(&bytes, count), (count.min(5), end));
        }
        for cut in 7..15 {
            assert_eq!(skip_leaves(&bytes[..cut], 5), (3, 6), "{cut}");
        }
        let text = b"\x04\0\0\0\x01\0\0\0a\0\0\0";
        assert_eq!(skip_leaves(text, 2), (1, 12));
        assert_eq!(skip_leaves(b"\x1c\0\0\0\0\0\0\0", 1), (0, 0));
    }
}
