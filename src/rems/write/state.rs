//! What is open, and what can come next: the same for texts and binary streams.

use super::error::{KindResult, WriteErrorKind};
use crate::rems::{Kind, Part, StrRef, Type};

/// What a value has to be.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Expected {
    Kind(Kind, u8),
    /// Objects of a class, of which only a hash is kept: a writer stores no text.
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

    /// How many lists are around what is in it.
    pub(super) const fn dim(self) -> u8 {
        match self {
            Self::Kind(_, dim) | Self::Class(_, dim) | Self::Mixed(dim) => dim,
            Self::Object => 0,
        }
    }

    /// Whether what it holds is a list to the writer, and not one value.
    const fn is_list(self) -> bool {
        match self {
            Self::Kind(kind, dim) => dim > 0 && kind.is_text(),
            other => other.dim() > 0,
        }
    }
}

/// Whether a value of one kind can be written as another: colours are integers.
pub(super) const fn fits(kind: Kind, found: Kind) -> bool {
    use Kind::{Color, I32};
    kind as u8 == found as u8 || matches!((kind, found), (I32, Color) | (Color, I32))
}

/// FNV-1a.
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
    /// Of a list: what its elements are.
    elements: Expected,
    /// Elements that may still come.
    left: u32,
    /// Text: no comma is needed.
    pub(super) first: bool,
    /// Binary: the class whose attributes are in force.
    #[cfg_attr(not(feature = "alloc"), allow(dead_code, reason = "asked for with `alloc` only"))]
    pub(super) table: u32,
}

#[derive(Clone, Debug)]
pub(super) struct State<const DEPTH: usize> {
    pub(super) top: Frame,
    outer: [Frame; DEPTH],
    depth: usize,
    /// What the value of a property has to be, where that is what comes next.
    value: Option<Expected>,
}

impl<const DEPTH: usize> State<DEPTH> {
    pub(super) const fn new() -> Self {
        let elements = Expected::Object;
        let file =
            Frame { enclosing: Enclosing::File, elements, left: 0, first: true, table: u32::MAX };
        Self { top: file, outer: [file; DEPTH], depth: 0, value: None }
    }

    /// What may stand here.
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

    /// Whether a property may come.
    #[inline]
    pub(super) fn property(&self) -> KindResult {
        match (self.value, self.top.enclosing) {
            (None, Enclosing::Object) => Ok(()),
            _ => Err(WriteErrorKind::OutOfTurn("a property")),
        }
    }

    /// That a value of that type comes next.
    #[inline]
    pub(super) fn expect(&mut self, slot: Expected) {
        self.value = Some(slot);
    }

    /// Whether a value is what comes next.
    pub(super) const fn in_property(&self) -> bool {
        self.value.is_some()
    }

    /// What a value that is neither object nor list has to be.
    #[inline]
    pub(super) fn plain(&self) -> KindResult<(Kind, u8)> {
        match self.slot("a value")? {
            Expected::Kind(kind, dim) if dim == 0 || !kind.is_text() => Ok((kind, dim)),
            _ => Err(WriteErrorKind::OutOfTurn("a value")),
        }
    }

    /// The kind of a value, if what it is made of are these parts.
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

    /// Where an object may come: whether its class has been said.
    pub(super) fn object(&self, class: StrRef<'_>) -> KindResult<bool> {
        match self.slot("an object")? {
            Expected::Class(expected, 0) if expected == hash(class) => Ok(true),
            Expected::Class(_, 0) => Err(WriteErrorKind::OtherClass),
            Expected::Object => Ok(false),
            _ => Err(WriteErrorKind::OutOfTurn("an object")),
        }
    }

    /// Where the number of an object may come.
    pub(super) fn pointer(&self) -> KindResult<Expected> {
        match self.slot("a number of an object")? {
            slot @ (Expected::Class(_, 0) | Expected::Object) => Ok(slot),
            _ => Err(WriteErrorKind::OutOfTurn("a number of an object")),
        }
    }

    /// What the elements of the innermost list are.
    #[cfg(feature = "alloc")]
    pub(super) const fn elements(&self) -> Expected {
        self.top.elements
    }

    /// What null stands for.
    pub(super) fn null(&self) -> KindResult<Expected> {
        match self.slot("null")? {
            Expected::Kind(kind, 0) if !kind.is_text() => Err(WriteErrorKind::OutOfTurn("null")),
            slot => Ok(slot),
        }
    }

    /// What the elements are of a list that may come.
    pub(super) fn list(&self) -> KindResult<Expected> {
        match self.slot("a list")? {
            slot if slot.is_list() => Ok(slot),
            _ => Err(WriteErrorKind::OutOfTurn("a list")),
        }
    }

    /// After a value.
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

    /// Whether something may open.
    pub(super) fn check_depth(&self) -> KindResult {
        let limit = u32::try_from(DEPTH).unwrap_or(u32::MAX);
        if self.depth < DEPTH { Ok(()) } else { Err(WriteErrorKind::TooDeep { limit }) }
    }

    /// An object has begun; `first` if nothing of it is written.
    pub(super) fn open_object(&mut self, first: bool, table: u32) {
        let (enclosing, elements) = (Enclosing::Object, Expected::Object);
        self.push(Frame { enclosing, elements, left: 0, first, table });
    }

    /// A list has begun.
    pub(super) fn open_list(&mut self, of: Expected, len: u32, table: u32) {
        let elements = of.element();
        self.push(Frame { enclosing: Enclosing::List, elements, left: len, first: false, table });
    }

    /// What is to end, and how many elements a list lacks.
    pub(super) fn end(&self) -> KindResult<(Enclosing, u32)> {
        match (self.value, self.top.enclosing) {
            (None, enclosing @ (Enclosing::Object | Enclosing::List)) => {
                Ok((enclosing, self.top.left))
            }
            _ => Err(WriteErrorKind::OutOfTurn("an end")),
        }
    }

    /// The innermost object or list has ended.
    pub(super) fn close(&mut self) {
        self.depth = self.depth.wrapping_sub(1);
        if let Some(outer) = self.outer.get(self.depth) {
            self.top = *outer;
        }
    }

    /// Whether the file can end here.
    pub(super) fn finish(&self) -> KindResult {
        match (self.depth, self.value) {
            (0, None) => Ok(()),
            (depth, _) => Err(WriteErrorKind::Unfinished(u32::try_from(depth).unwrap_or(u32::MAX))),
        }
    }
}
