//! Where a reader is: what is open, and what comes next.

use crate::rems::binary::tables::{AttributeType, Text};
use crate::rems::{Kind, StrRef, binary::Tables};

/// The tables: of a stream that is read, or of one that was.
#[derive(Debug)]
pub(super) enum TablesRef<'t> {
    Growing(&'t mut Tables),
    /// What is told is in them already.
    Complete(&'t Tables),
}

impl TablesRef<'_> {
    #[inline(always)]
    pub(super) fn get(&self) -> &Tables {
        match self {
            Self::Growing(tables) => tables,
            Self::Complete(tables) => tables,
        }
    }
}

/// What comes next.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Due {
    /// What begins the stream, and whether there is an object.
    Start,
    /// Whether there is another one.
    MoreRoots,
    /// One object that is read alone.
    Alone,
    Attribute,
    /// A value, as an attribute has it. The class of an object or list of such was read.
    Value(AttributeType),
    /// An object of a list of one class.
    Bare,
    /// An element of a list, or its end.
    Element,
    Nothing,
}

/// A class: its name and its number in the tables.
#[derive(Clone, Copy, Debug)]
pub(super) struct ClassRef<'a> {
    pub(super) name: StrRef<'a>,
    pub(super) class: u32,
    /// Where it was read.
    pub(super) offset: u64,
}

#[derive(Clone, Copy, Debug)]
pub(super) struct Frame<'a> {
    pub(super) enclosing: Enclosing,
    /// Of the elements of a list of one class.
    pub(super) class: StrRef<'a>,
    /// The class whose attributes are in force.
    pub(super) table: u32,
    pub(super) left: u32,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Enclosing {
    File,
    Alone,
    Object,
    Classes,
    Mixed(u8),
    Texts(Kind, u8),
}

/// What a stream has for a string.
#[derive(Clone, Copy)]
pub(super) enum Reference {
    Null,
    /// By its number.
    Known(u32, Text),
    /// Told here; without a number if it was told before.
    New(Option<u32>, Text),
}

impl<'a> Frame<'a> {
    pub(super) const FILE: Self =
        Self { enclosing: Enclosing::File, class: StrRef::new(&[]), table: u32::MAX, left: 0 };
}
