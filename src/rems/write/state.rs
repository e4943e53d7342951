//! State of a writer of either format: the open objects and lists, and the items that are allowed
//! next.

use super::error::{KindResult, WriteErrorKind};
use crate::rems::{Kind, Part, StrRef, Type};

/// The type that a value must have.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Expected {
    Kind(Kind, u8),
    /// Objects of a class. The class is represented by its hash, so that writers need not store its
    /// name.
    Class(u64, u8),
    Mixed(u8),
    Object,
}

impl Expected {
    pub(super) fn of(ty: Type<'_>) -> Self {
        match ty {
            Type::Kind(kind, dim) => Self::Kind(kind, dim),
            Type::Class(class, dim) => Self::Class(hash(class), dim),
            Type::Mixed(dim) => Self::Mixed(dim),
            Type::Object => Self::Object,
        }
    }

    const fn element(self) -> Self {
        match self {
            Self::Kind(kind, dim) => Self::Kind(kind, dim.saturating_sub(1)),
            Self::Class(class, dim) => Self::Class(class, dim.saturating_sub(1)),
            Self::Mixed(0 | 1) | Self::Object => Self::Object,
            Self::Mixed(dim) => Self::Mixed(dim.saturating_sub(1)),
        }
    }

    /// Returns the number of array or list dimensions.
    pub(super) const fn dim(self) -> u8 {
        match self {
            Self::Kind(_, dim) | Self::Class(_, dim) | Self::Mixed(dim) => dim,
            Self::Object => 0,
        }
    }

    /// Returns `true` if the value consists of several items:
    /// [`Item::List`](crate::rems::Item::List), the elements and an end.
    const fn is_list(self) -> bool {
        match self {
            Self::Kind(kind, dim) => dim > 0 && kind.is_text(),
            other => other.dim() > 0,
        }
    }
}

/// Returns `true` if a value of the kind `found` can be written as `kind`. Colours and integers are
/// interchangeable.
pub(super) const fn fits(kind: Kind, found: Kind) -> bool {
    use Kind::{Color, I32};
    kind as u8 == found as u8 || matches!((kind, found), (I32, Color) | (Color, I32))
}

/// Returns the FNV-1a hash of a class name.
fn hash(class: StrRef<'_>) -> u64 {
    class.bytes().fold(0xCBF2_9CE4_8422_2325, |hash, byte| {
        (hash ^ u64::from(byte)).wrapping_mul(0x0100_0000_01B3)
    })
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Enclosing {
    File,
    Object,
    List,
}

#[derive(Clone, Copy, Debug)]
pub(super) struct Frame {
    pub(super) enclosing: Enclosing,
    /// Type of the elements of a list.
    elements: Expected,
    /// Number of elements that the list declares and that have not been written yet.
    left: u32,
    /// Text: `true` if no comma is needed before the next item. At the top level, in both formats:
    /// `true` before the first object.
    pub(super) first: bool,
    /// Binary: index of the class whose attribute table is in use.
    #[cfg_attr(not(feature = "alloc"), allow(dead_code, reason = "used with `alloc` only"))]
    pub(super) table: u32,
}

#[derive(Clone, Debug)]
pub(super) struct State<const DEPTH: usize> {
    pub(super) top: Frame,
    outer: [Frame; DEPTH],
    depth: usize,
    /// Type of the value that must come next, if a property has been started.
    value: Option<Expected>,
}

impl<const DEPTH: usize> State<DEPTH> {
    pub(super) const fn new() -> Self {
        let elements = Expected::Object;
        let file =
            Frame { enclosing: Enclosing::File, elements, left: 0, first: true, table: u32::MAX };
        Self { top: file, outer: [file; DEPTH], depth: 0, value: None }
    }

    /// Returns the type that the next value must have.
    #[inline]
    fn slot(&self, what: &'static str) -> KindResult<Expected> {
        match (self.value, self.top.enclosing) {
            (Some(slot), _) => Ok(slot),
            (None, Enclosing::File) if what == "an object" => Ok(Expected::Object),
            (None, Enclosing::List) if self.top.left == 0 => Err(WriteErrorKind::TooManyElements),
            (None, Enclosing::List) => Ok(self.top.elements),
            _ => Err(WriteErrorKind::OutOfTurn(what)),
        }
    }

    /// Checks that a property is allowed at this point.
    #[inline]
    pub(super) fn property(&self) -> KindResult {
        match (self.value, self.top.enclosing) {
            (None, Enclosing::Object) => Ok(()),
            _ => Err(WriteErrorKind::OutOfTurn("a property")),
        }
    }

    /// Sets the type of the next value.
    #[inline]
    pub(super) fn expect(&mut self, slot: Expected) {
        self.value = Some(slot);
    }

    /// Returns `true` between a property and its value.
    pub(super) const fn in_property(&self) -> bool {
        self.value.is_some()
    }

    /// Checks that a value is allowed at this point. Returns its kind and its number of array
    /// dimensions.
    #[inline]
    pub(super) fn plain(&self) -> KindResult<(Kind, u8)> {
        match self.slot("a value")? {
            Expected::Kind(kind, dim) if dim == 0 || !kind.is_text() => Ok((kind, dim)),
            _ => Err(WriteErrorKind::OutOfTurn("a value")),
        }
    }

    /// Checks that a value with these components is allowed at this point. Returns its kind.
    pub(super) fn expect_parts<T: Part>(&self, dim: u8, rows: &[&[T]]) -> KindResult<Kind> {
        let (kind, expected) = self.plain()?;
        let each = kind.parts();
        let of_it = (expected, kind.scalar()) == (dim, T::SCALAR);
        let bad = |count| Err(WriteErrorKind::BadParts { kind, found: T::SCALAR, count });
        for row in rows {
            let whole = if dim == 0 { row.len() == each } else { row.len().is_multiple_of(each) };
            if !of_it || !whole {
                return bad(row.len());
            }
        }
        if of_it { Ok(kind) } else { bad(0) }
    }

    /// Checks that an object is allowed at this point. Returns `true` if its declared type names
    /// the class.
    pub(super) fn object(&self, class: StrRef<'_>) -> KindResult<bool> {
        match self.slot("an object")? {
            Expected::Class(expected, 0) if expected == hash(class) => Ok(true),
            Expected::Class(_, 0) => Err(WriteErrorKind::OtherClass),
            Expected::Object => Ok(false),
            _ => Err(WriteErrorKind::OutOfTurn("an object")),
        }
    }

    /// Checks that the number of an object is allowed at this point.
    pub(super) fn pointer(&self) -> KindResult<Expected> {
        match self.slot("the number of an object")? {
            slot @ (Expected::Class(_, 0) | Expected::Object) => Ok(slot),
            _ => Err(WriteErrorKind::OutOfTurn("the number of an object")),
        }
    }

    /// Returns the type of the elements of the innermost list.
    #[cfg(feature = "alloc")]
    pub(super) const fn elements(&self) -> Expected {
        self.top.elements
    }

    /// Checks that null is allowed at this point. Returns the type of the value that is null.
    pub(super) fn null(&self) -> KindResult<Expected> {
        match self.slot("null")? {
            Expected::Kind(kind, 0) if !kind.is_text() => Err(WriteErrorKind::OutOfTurn("null")),
            slot => Ok(slot),
        }
    }

    /// Checks that a list is allowed at this point. Returns its type.
    pub(super) fn list(&self) -> KindResult<Expected> {
        match self.slot("a list")? {
            slot if slot.is_list() => Ok(slot),
            _ => Err(WriteErrorKind::OutOfTurn("a list")),
        }
    }

    /// Ends a value: counts it in its list, and clears the type of the next value.
    #[inline]
    pub(super) fn done(&mut self) {
        if self.value.take().is_none() {
            self.top.left = self.top.left.wrapping_sub(1);
        }
        self.top.first = false;
    }

    fn push(&mut self, frame: Frame) {
        self.done();
        if let Some(outer) = self.outer.get_mut(self.depth) {
            *outer = self.top;
            self.top = frame;
            self.depth = self.depth.wrapping_add(1);
        }
    }

    /// Checks the nesting limit.
    pub(super) fn check_depth(&self) -> KindResult {
        let limit = u32::try_from(DEPTH).unwrap_or(u32::MAX);
        if self.depth < DEPTH { Ok(()) } else { Err(WriteErrorKind::TooDeep { limit }) }
    }

    /// Starts an object. `first` must be `true` if no comma is needed before its first property.
    pub(super) fn open_object(&mut self, first: bool, table: u32) {
        let (enclosing, elements) = (Enclosing::Object, Expected::Object);
        self.push(Frame { enclosing, elements, left: 0, first, table });
    }

    /// Starts a list.
    pub(super) fn open_list(&mut self, of: Expected, len: u32, table: u32) {
        let elements = of.element();
        self.push(Frame { enclosing: Enclosing::List, elements, left: len, first: false, table });
    }

    /// Checks that an end is allowed at this point. Returns [`Enclosing::Object`] or
    /// [`Enclosing::List`], and the number of missing elements of a list.
    pub(super) fn end(&self) -> KindResult<(Enclosing, u32)> {
        match (self.value, self.top.enclosing) {
            (None, enclosing @ (Enclosing::Object | Enclosing::List)) => {
                Ok((enclosing, self.top.left))
            }
            _ => Err(WriteErrorKind::OutOfTurn("an end")),
        }
    }

    /// Closes the innermost object or list.
    pub(super) fn close(&mut self) {
        self.depth = self.depth.wrapping_sub(1);
        if let Some(outer) = self.outer.get(self.depth) {
            self.top = *outer;
        }
    }

    /// Checks that the file may end at this point.
    pub(super) fn finish(&self) -> KindResult {
        match (self.depth, self.value) {
            (0, None) => Ok(()),
            (depth, _) => Err(WriteErrorKind::Unfinished(u32::try_from(depth).unwrap_or(u32::MAX))),
        }
    }
}
