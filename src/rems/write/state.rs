//! What is open, and what can come next: the same for texts and binary streams.

use super::error::{WriteErrorKind as Why, Written};
use crate::rems::{Kind, Part, Str, Type};

/// What a value has to be.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Slot {
    Kind(Kind, u8),
    /// Objects of a class, of which only a hash is kept: a writer stores no text.
    Class(u64, u8),
    Mixed(u8),
    Object,
}

impl Slot {
    pub(super) fn of(ty: Type<'_>) -> Self {
        match ty {
            Type::Kind(kind, dim) => Self::Kind(kind, dim),
            Type::Class(class, dim) => Self::Class(hash(class), dim),
            Type::Mixed(dim) => Self::Mixed(dim),
            Type::Object => Self::Object,
        }
    }

    const fn inside(self) -> Self {
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
fn hash(class: Str<'_>) -> u64 {
    class.bytes().fold(0xCBF2_9CE4_8422_2325, |hash, byte| {
        (hash ^ u64::from(byte)).wrapping_mul(0x0100_0000_01B3)
    })
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Place {
    File,
    Object,
    List,
}

#[derive(Clone, Copy, Debug)]
pub(super) struct Frame {
    pub(super) place: Place,
    /// Of a list: what its elements are.
    elements: Slot,
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
    value: Option<Slot>,
}

impl<const DEPTH: usize> State<DEPTH> {
    pub(super) const fn new() -> Self {
        let elements = Slot::Object;
        let file = Frame { place: Place::File, elements, left: 0, first: true, table: u32::MAX };
        Self { top: file, outer: [file; DEPTH], depth: 0, value: None }
    }

    /// What may stand here.
    #[inline]
    fn slot(&self, what: &'static str) -> Written<Slot> {
        match (self.value, self.top.place) {
            (Some(slot), _) => Ok(slot),
            (None, Place::File) if what == "an object" => Ok(Slot::Object),
            (None, Place::List) if self.top.left == 0 => Err(Why::TooManyElements),
            (None, Place::List) => Ok(self.top.elements),
            _ => Err(Why::OutOfTurn(what)),
        }
    }

    /// Whether a property may come.
    #[inline]
    pub(super) fn property(&self) -> Written {
        match (self.value, self.top.place) {
            (None, Place::Object) => Ok(()),
            _ => Err(Why::OutOfTurn("a property")),
        }
    }

    /// That a value of that type comes next.
    #[inline]
    pub(super) fn expect(&mut self, slot: Slot) {
        self.value = Some(slot);
    }

    /// Whether a value is what comes next.
    pub(super) const fn in_property(&self) -> bool {
        self.value.is_some()
    }

    /// What a value that is neither object nor list has to be.
    #[inline]
    pub(super) fn plain(&self) -> Written<(Kind, u8)> {
        match self.slot("a value")? {
            Slot::Kind(kind, dim) if dim == 0 || !kind.is_text() => Ok((kind, dim)),
            _ => Err(Why::OutOfTurn("a value")),
        }
    }

    /// The kind of a value, if what it is made of are these parts.
    pub(super) fn made_of<T: Part>(&self, dim: u8, rows: &[&[T]]) -> Written<Kind> {
        let (kind, expected) = self.plain()?;
        let each = kind.parts();
        let of_it = (expected, kind.scalar()) == (dim, T::SCALAR);
        let bad = |count| Err(Why::BadParts { kind, found: T::SCALAR, count });
        for row in rows {
            let whole = if dim == 0 { row.len() == each } else { row.len().is_multiple_of(each) };
            if !of_it || !whole {
                return bad(row.len());
            }
        }
        if of_it { Ok(kind) } else { bad(0) }
    }

    /// Where an object may come: whether its class has been said.
    pub(super) fn object(&self, class: Str<'_>) -> Written<bool> {
        match self.slot("an object")? {
            Slot::Class(expected, 0) if expected == hash(class) => Ok(true),
            Slot::Class(_, 0) => Err(Why::OtherClass),
            Slot::Object => Ok(false),
            _ => Err(Why::OutOfTurn("an object")),
        }
    }

    /// Where the number of an object may come.
    pub(super) fn pointer(&self) -> Written<Slot> {
        match self.slot("a number of an object")? {
            slot @ (Slot::Class(_, 0) | Slot::Object) => Ok(slot),
            _ => Err(Why::OutOfTurn("a number of an object")),
        }
    }

    /// What the elements of the innermost list are.
    #[cfg(feature = "alloc")]
    pub(super) const fn elements(&self) -> Slot {
        self.top.elements
    }

    /// What null stands for.
    pub(super) fn null(&self) -> Written<Slot> {
        match self.slot("null")? {
            Slot::Kind(kind, 0) if !kind.is_text() => Err(Why::OutOfTurn("null")),
            slot => Ok(slot),
        }
    }

    /// What the elements are of a list that may come.
    pub(super) fn list(&self) -> Written<Slot> {
        match self.slot("a list")? {
            slot if slot.is_list() => Ok(slot),
            _ => Err(Why::OutOfTurn("a list")),
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
    pub(super) fn room(&self) -> Written {
        let limit = u32::try_from(DEPTH).unwrap_or(u32::MAX);
        if self.depth < DEPTH { Ok(()) } else { Err(Why::TooDeep { limit }) }
    }

    /// An object has begun; `first` if nothing of it is written.
    pub(super) fn open_object(&mut self, first: bool, table: u32) {
        let (place, elements) = (Place::Object, Slot::Object);
        self.push(Frame { place, elements, left: 0, first, table });
    }

    /// A list has begun.
    pub(super) fn open_list(&mut self, of: Slot, len: u32, table: u32) {
        let elements = of.inside();
        self.push(Frame { place: Place::List, elements, left: len, first: false, table });
    }

    /// What is to end, and how many elements a list lacks.
    pub(super) fn end(&self) -> Written<(Place, u32)> {
        match (self.value, self.top.place) {
            (None, place @ (Place::Object | Place::List)) => Ok((place, self.top.left)),
            _ => Err(Why::OutOfTurn("an end")),
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
    pub(super) fn finish(&self) -> Written {
        match (self.depth, self.value) {
            (0, None) => Ok(()),
            (depth, _) => Err(Why::Unfinished(u32::try_from(depth).unwrap_or(u32::MAX))),
        }
    }
}
