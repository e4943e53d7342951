//! The reader: a cursor over a packet that reads, skips or visits one value after another.

use super::strictness::{CanonicalCheck, EngineCheck};
use super::walk::{Bounds, ENGINE_DEPTH, Erased, Leaf, Role, Skip, Stop, Visitor, Walk, erase};
use crate::buffer::Cursor;
use crate::godot::table::dialect::{Job, Spec};
use crate::godot::table::layouts::U32;
use crate::godot::table::payload::{Head, Header, LeafHandler, ReturnLeaf};
use crate::godot::{
    Container, Deviation, Dialect, Encoded, Error, ErrorKind, Level, ObjectRef, Result, VariantRef,
};
use core::ops::Range;

/// Limits of a [`Reader`]: depth, objects and strictness.
///
/// ```
/// use gamewire::godot::{Dialect, Limits, Reader};
///
/// let nested = [28, 0, 0, 0, 1, 0, 0, 0, 0, 0, 0, 0]; // [null]
/// let flat = Limits { depth: 0, ..Limits::default() };
/// assert!(Reader::new(&nested, Dialect::Godot4).limits(flat).read().is_err());
/// Reader::new(&nested, Dialect::Godot4).limits(Limits::ENGINE).read()?;
/// # Ok::<(), gamewire::godot::Error>(())
/// ```
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Limits {
    /// Maximum number of containers around a value. The default is 1024, the limit of the engines
    /// since Godot 3.3.5, 3.4.3 and 4.0. A larger number needs [`Reader::with_stack`].
    pub depth: u32,
    /// `true` to accept full objects, with class and properties. This library treats them as data,
    /// so the default is `true`. `bytes_to_var` rejects them.
    pub objects: bool,
    /// Strictness of the checks.
    pub level: Level,
}

impl Default for Limits {
    fn default() -> Self {
        Self { depth: ENGINE_DEPTH, objects: true, level: Level::Structure }
    }
}

impl Limits {
    /// The limits of `bytes_to_var`: text is checked, and full objects are rejected.
    pub const ENGINE: Self = Self { depth: ENGINE_DEPTH, objects: false, level: Level::Engine };
}

/// A cursor over a packet, which reads one value after another.
///
/// Reading copies nothing and allocates nothing. Reading a container checks everything in it once,
/// which costs as much as skipping it.
///
/// ```
/// use gamewire::godot::{Dialect, Reader};
///
/// // Two values in a row: 5 and "x".
/// let bytes = b"\x02\0\0\0\x05\0\0\0\x04\0\0\0\x01\0\0\0x\0\0\0";
/// let mut reader = Reader::new(bytes, Dialect::Godot4);
/// assert_eq!(reader.read()?.as_i64(), Some(5));
/// assert!(reader.read()?.as_str().unwrap() == "x");
/// reader.finish()?;
/// # Ok::<(), gamewire::godot::Error>(())
/// ```
#[derive(Debug)]
pub struct Reader<'a, 's> {
    bytes: &'a [u8],
    pos: usize,
    origin: u64,
    dialect: Dialect,
    limits: Limits,
    stack: Option<&'s mut [u32]>,
    last: Range<usize>,
}

impl<'a> Reader<'a, '_> {
    /// Creates a reader at the start of `bytes`, with [`Limits::default`].
    #[inline]
    pub fn new(bytes: &'a [u8], dialect: Dialect) -> Self {
        Self {
            bytes,
            pos: 0,
            origin: 0,
            dialect,
            limits: Limits { depth: ENGINE_DEPTH, objects: true, level: Level::Structure },
            stack: None,
            last: 0..0,
        }
    }

    /// Sets the limits. A depth over 1024 is lowered to 1024.
    #[must_use]
    pub fn limits(mut self, limits: Limits) -> Self {
        self.limits = Limits { depth: limits.depth.min(ENGINE_DEPTH), ..limits };
        self
    }

    /// Adds `origin` to the offsets in errors and to those that visitors receive. Use this method
    /// if the bytes are a part of a larger input.
    #[must_use]
    pub fn origin(mut self, origin: u64) -> Self {
        self.origin = origin;
        self
    }

    /// Sets the maximum depth of nesting to the number of words in `stack`, but at least to 1024.
    /// The reader uses the words to count pending items. At most 1024 full objects can nest inside
    /// each other, even if other containers lie between them.
    ///
    /// ```
    /// use gamewire::godot::{Dialect, Reader};
    ///
    /// let mut deep = b"\x1c\0\0\0\x01\0\0\0".repeat(5000); // arrays of one array
    /// deep.extend([0; 4]);
    /// assert!(Reader::new(&deep, Dialect::Godot4).read().is_err());
    /// let mut stack = [0; 5000];
    /// let value = Reader::new(&deep, Dialect::Godot4).with_stack(&mut stack).read()?;
    /// assert_eq!(value.as_array().unwrap().len(), 1);
    /// # Ok::<(), gamewire::godot::Error>(())
    /// ```
    #[must_use]
    pub fn with_stack<'s>(self, stack: &'s mut [u32]) -> Reader<'a, 's> {
        let depth = u32::try_from(stack.len()).unwrap_or(u32::MAX).max(ENGINE_DEPTH);
        Reader {
            bytes: self.bytes,
            pos: self.pos,
            origin: self.origin,
            dialect: self.dialect,
            limits: Limits { depth, ..self.limits },
            stack: Some(stack),
            last: self.last,
        }
    }

    /// Returns the dialect of the bytes.
    pub fn dialect(&self) -> Dialect {
        self.dialect
    }

    /// Returns the offset of the next value, in bytes from the start of the input, plus the
    /// [`origin`](Self::origin).
    #[inline]
    pub fn offset(&self) -> u64 {
        self.origin.saturating_add(self.pos as u64)
    }

    /// Returns `true` if all bytes have been read.
    #[inline]
    pub fn is_empty(&self) -> bool {
        self.pos >= self.bytes.len()
    }

    /// Returns the bytes that have not been read yet.
    #[inline]
    pub fn rest(&self) -> &'a [u8] {
        self.bytes.get(self.pos..).unwrap_or_default()
    }

    /// Returns the range of the last value that was read, visited or skipped, as indices into the
    /// input.
    pub fn range(&self) -> Range<usize> {
        self.last.clone()
    }

    /// Returns the position of `part` in the input, as a range of indices. `part` is a slice that a
    /// view borrowed from the input.
    ///
    /// ```
    /// use gamewire::godot::{Dialect, Reader};
    ///
    /// let packet = b"\x04\0\0\0\x01\0\0\0x\0\0\0";
    /// let mut reader = Reader::new(packet, Dialect::Godot4);
    /// let text = reader.read()?.as_str().unwrap();
    /// assert_eq!(reader.range_of(text.as_bytes()), Some(8..9));
    /// # Ok::<(), gamewire::godot::Error>(())
    /// ```
    pub fn range_of(&self, part: &[u8]) -> Option<Range<usize>> {
        let start = part.as_ptr().addr().checked_sub(self.bytes.as_ptr().addr())?;
        let end = start.checked_add(part.len())?;
        (end <= self.bytes.len()).then_some(start..end)
    }

    /// Reads the next value.
    ///
    /// # Errors
    /// Returns an error if the next bytes are not a value of the dialect, or if the limits reject
    /// the value. The reader then keeps its position.
    pub fn read(&mut self) -> Result<VariantRef<'a>> {
        if self.is_plain() {
            return match read_one(self.window(), self.dialect, self.bounds()) {
                Ok((value, end)) => {
                    self.advance(end);
                    Ok(value)
                }
                Err(error) => Err(self.fail(error)),
            };
        }
        Ok(self.read_encoded()?.decode())
    }

    /// Reads the next value and returns its bytes.
    ///
    /// # Errors
    /// Returns the errors of [`read`](Self::read).
    pub fn read_encoded(&mut self) -> Result<Encoded<'a>> {
        self.skip()?;
        Ok(Encoded::trusted(self.last(), self.dialect))
    }

    /// Moves past the next value, checking it as [`read`](Self::read) does.
    ///
    /// # Errors
    /// Returns the errors of [`read`](Self::read).
    pub fn skip(&mut self) -> Result<()> {
        match self.limits.level {
            Level::Structure => self.skip_as(&mut Skip),
            Level::Engine => self.skip_as(&mut EngineCheck),
            Level::Strict => {
                let mark = self.mark();
                self.skip_as(&mut EngineCheck)?;
                self.go_back(mark);
                self.deviations(|deviation, offset| match deviation {
                    Deviation::NodePathPad => Ok(()),
                    _ => Err(Error::new(ErrorKind::NotCanonical(deviation), offset)),
                })
            }
        }
    }

    /// Visits everything in the next value in one pass.
    ///
    /// The [level](Limits::level) of strictness is always [`Level::Structure`]. The walk ends at
    /// the first error, after the visitor has received everything before it.
    ///
    /// ```
    /// use gamewire::godot::{Dialect, Error, Kind, Leaf, Open, Property, Reader, Visitor};
    ///
    /// /// Adds up all ints, however deep they are.
    /// struct Sum(i64);
    ///
    /// impl<'a> Visitor<'a> for Sum {
    ///     type Error = Error;
    ///     fn leaf(&mut self, leaf: Leaf<'a>) -> Result<(), Error> {
    ///         self.0 += leaf.value.as_i64().unwrap_or(0);
    ///         Ok(())
    ///     }
    ///     fn open(&mut self, _: Open<'a>) -> Result<(), Error> {
    ///         Ok(())
    ///     }
    ///     fn property(&mut self, _: Property<'a>) -> Result<(), Error> {
    ///         Ok(())
    ///     }
    ///     fn close(&mut self, _: Kind) -> Result<(), Error> {
    ///         Ok(())
    ///     }
    /// }
    ///
    /// let packet = b"\x1c\0\0\0\x02\0\0\0\x02\0\0\0\x05\0\0\0\x02\0\0\0\x06\0\0\0"; // [5, 6]
    /// let mut sum = Sum(0);
    /// Reader::new(packet, Dialect::Godot4).visit(&mut sum)?;
    /// assert_eq!(sum.0, 11);
    /// # Ok::<(), Error>(())
    /// ```
    ///
    /// # Errors
    /// Returns the errors of [`read`](Self::read) and of the visitor.
    #[inline]
    pub fn visit<V: Visitor<'a>>(&mut self, visitor: &mut V) -> core::result::Result<(), V::Error> {
        self.walk(visitor)
    }

    /// Visits the next value as [`visit`](Self::visit) does, but calls the visitor through a
    /// vtable. `visit` compiles the entire walk for each visitor and each dialect, which can take
    /// the compiler several seconds. This method compiles only four small functions per visitor.
    /// Each event is an indirect call, which costs a few nanoseconds. Use this method for visitors
    /// that do more work than that per event, such as printing.
    ///
    /// # Errors
    /// Returns the errors of [`visit`](Self::visit).
    pub fn visit_dyn<V: Visitor<'a>>(
        &mut self,
        visitor: &mut V,
    ) -> core::result::Result<(), V::Error> {
        erase(visitor, |visitor| self.visit_erased(visitor))
    }

    #[inline(never)]
    fn visit_erased(&mut self, visitor: &mut Erased<'_, 'a>) -> core::result::Result<(), Stop> {
        self.walk(visitor)
    }

    /// Moves past the next value. Calls `report` with each [`Deviation`] from the bytes that an
    /// engine would write, and with the offset of the deviation.
    ///
    /// # Errors
    /// Returns the errors of [`read`](Self::read) and of `report`.
    pub fn deviations(
        &mut self,
        mut report: impl FnMut(Deviation, u64) -> Result<()>,
    ) -> Result<()> {
        self.compare_with_canonical(&mut report).map(drop)
    }

    /// Reports deviations, and returns the number of pad bytes that are not zero.
    #[inline(never)]
    fn compare_with_canonical(
        &mut self,
        report: &mut dyn FnMut(Deviation, u64) -> Result<()>,
    ) -> Result<u64> {
        let mut canonical = CanonicalCheck { dialect: self.dialect, leaked: 0, report };
        self.walk(&mut canonical)?;
        Ok(canonical.leaked)
    }

    /// Moves past the next value and counts the padding bytes in it that are not zero.
    ///
    /// Such a byte is leftover memory of the engine that wrote it; see [`Deviation::Pad`] and
    /// [`Deviation::NodePathPad`]. If a leaf also deviates in a different way, only its padding
    /// before that deviation is counted, because the positions of later pads are uncertain.
    ///
    /// ```
    /// use gamewire::godot::{Dialect, Reader};
    ///
    /// let packet = b"\x04\0\0\0\x05\0\0\0hello\xde\0\xad";
    /// assert_eq!(Reader::new(packet, Dialect::Godot4).leaked()?, 2);
    /// # Ok::<(), gamewire::godot::Error>(())
    /// ```
    ///
    /// # Errors
    /// Returns the errors of [`read`](Self::read).
    pub fn leaked(&mut self) -> Result<u64> {
        self.compare_with_canonical(&mut |_, _| Ok(()))
    }

    /// Checks that no bytes follow the values that were read.
    ///
    /// # Errors
    /// Returns [`ErrorKind::TrailingBytes`] if there are more bytes.
    pub fn finish(&self) -> Result<()> {
        match self.rest().len() {
            0 => Ok(()),
            count => {
                let count = u32::try_from(count).unwrap_or(u32::MAX);
                Err(Error::new(ErrorKind::TrailingBytes { count }, self.offset()))
            }
        }
    }

    /// Returns `true` if only the structure is checked and the caller provided no stack.
    #[inline(always)]
    pub(crate) fn is_plain(&self) -> bool {
        !cfg!(gamewire_small) && self.limits.level == Level::Structure && self.stack.is_none()
    }

    pub(crate) fn level(&self) -> Level {
        self.limits.level
    }

    /// Returns the bytes of the last value that was read.
    pub(crate) fn last(&self) -> &'a [u8] {
        self.bytes.get(self.last.clone()).unwrap_or_default()
    }

    /// Returns the current position, which [`go_back`](Self::go_back) can restore.
    pub(crate) fn mark(&self) -> Mark {
        Mark { pos: self.pos, last: self.last.clone() }
    }

    /// Returns to an earlier position.
    pub(crate) fn go_back(&mut self, mark: Mark) {
        let Mark { pos, last } = mark;
        (self.pos, self.last) = (pos, last);
    }

    /// Visits the next value. Reads a leaf directly, without a walk.
    #[inline(always)]
    fn skip_as<V: Visitor<'a, Error = Error>>(&mut self, visitor: &mut V) -> Result<()> {
        let (window, base) = (self.window(), self.offset());
        if cfg!(gamewire_small) {
            return self.walk(visitor);
        }
        if let Some(end) = self.dialect.run(VisitLeaf { window, visitor, base }) {
            self.advance(end?);
            return Ok(());
        }
        self.walk(visitor)
    }

    #[inline]
    fn walk<V: Visitor<'a>>(&mut self, visitor: &mut V) -> core::result::Result<(), V::Error> {
        let walk = Walk {
            window: self.window(),
            visitor,
            bounds: self.bounds(),
            base: self.offset(),
            stack: self.stack.as_deref_mut(),
        };
        let end = walk.value_of(self.dialect)?;
        self.advance(end);
        Ok(())
    }

    /// Returns the bytes that the next value can occupy. Engines compute sizes in signed 32 bits,
    /// so no value reaches 2 GiB and positions within it fit in 31 bits.
    #[inline(always)]
    pub(crate) fn window(&self) -> &'a [u8] {
        let rest = self.rest();
        rest.get(..i32::MAX as usize).unwrap_or(rest)
    }

    #[inline(always)]
    pub(crate) fn bounds(&self) -> Bounds {
        Bounds { depth: self.limits.depth, objects: self.limits.objects }
    }

    #[inline(always)]
    pub(crate) fn advance(&mut self, len: usize) {
        let start = self.pos;
        self.pos = start.saturating_add(len);
        self.last = start..self.pos;
    }

    #[cold]
    #[inline(never)]
    fn fail(&self, error: Error) -> Error {
        error.shifted(self.offset())
    }
}

/// A position of a [`Reader`].
#[derive(Clone)]
pub(crate) struct Mark {
    pos: usize,
    last: Range<usize>,
}

/// A job that visits the value at the start of `window` if it is a well-formed leaf.
struct VisitLeaf<'a, 'v, V> {
    window: &'a [u8],
    visitor: &'v mut V,
    base: u64,
}

impl<'a, V: Visitor<'a>> Job for VisitLeaf<'a, '_, V> {
    /// The end of the leaf, or `None` if the window does not start with a well-formed leaf.
    type Output = Option<core::result::Result<usize, V::Error>>;

    // Not inlined in unoptimised builds: a function that contains the decoders of all dialects
    // would take 384 KiB of stack there.
    #[cfg_attr(not(debug_assertions), inline(always))]
    fn run<D: Spec>(self) -> Self::Output {
        let mut at = Cursor::new(self.window);
        let header = Header(at.read::<U32>().ok()?.get());
        let report = ReportLeaf { leaf: self, dialect: D::RULES.dialect };
        match D::head(&mut at, header, report) {
            Ok(Head::Leaf(result)) => Some(result.map(|()| at.pos())),
            _ => None,
        }
    }
}

struct ReportLeaf<'a, 'v, V> {
    leaf: VisitLeaf<'a, 'v, V>,
    dialect: Dialect,
}

impl<'a, V: Visitor<'a>> LeafHandler<'a> for ReportLeaf<'a, '_, V> {
    type Output = core::result::Result<(), V::Error>;

    #[inline(always)]
    fn leaf(self, at: Cursor<'a>, value: VariantRef<'a>) -> Self::Output {
        let VisitLeaf { window, visitor, base } = self.leaf;
        let encoded = Encoded::trusted(at.since(&Cursor::new(window)), self.dialect);
        visitor.leaf(Leaf { value, encoded, offset: base, role: Role::Element })
    }
}

/// Reads the value at the start of `window`, and returns it with the position of its end. This
/// function is neither generic nor inlined. The walk is therefore compiled only in this crate, and
/// not again in each crate that calls a reader.
#[inline(never)]
pub(crate) fn read_one(
    window: &[u8],
    dialect: Dialect,
    bounds: Bounds,
) -> Result<(VariantRef<'_>, usize)> {
    dialect.run(ReadOne { window, bounds })
}

/// A job that reads one value at the start of a window. Only containers need a walk.
struct ReadOne<'a> {
    window: &'a [u8],
    bounds: Bounds,
}

impl<'a> Job for ReadOne<'a> {
    /// A value, and the position of its end.
    type Output = Result<(VariantRef<'a>, usize)>;

    #[inline]
    fn run<D: Spec>(self) -> Self::Output {
        let mut at = Cursor::new(self.window);
        let header = Header(at.read::<U32>()?.get());
        let opens = match D::head(&mut at, header, ReturnLeaf)? {
            Head::Leaf(value) => return Ok((value, at.pos())),
            Head::Open(opens) => opens,
        };
        let Self { window, bounds } = self;
        let Some(container) = Container::read(opens, &mut at, header, D::RULES, bounds.objects)?
        else {
            return Ok((VariantRef::Object(ObjectRef::Null), at.pos()));
        };
        let walk = Walk::<_> { window, visitor: &mut Skip, bounds, base: 0, stack: None };
        let end = walk.run::<D>()?;
        let bytes = self.window.get(..end).unwrap_or_default();
        Ok((container.view(bytes, D::RULES.dialect), end))
    }
}
