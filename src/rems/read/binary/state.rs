//! State of the reader: the open objects and lists, and the next item.

use crate::rems::binary::{AttributeType, Text};
use crate::rems::{Kind, StrRef, binary::Tables};

/// The tables that the reader uses.
#[derive(Debug)]
pub(super) enum TablesRef<'t> {
    Growing(&'t mut Tables),
    /// The tables of a stream that has already been read. They contain all definitions.
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

/// The next element of the stream.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Due {
    /// The header, and the marker byte of the first object.
    Start,
    /// The marker byte after a top-level object.
    MoreRoots,
    /// The object of a reader that reads a single object.
    Alone,
    Attribute,
    /// The value of an attribute, or an element. If it is an object or a list of one class, its
    /// class has already been read.
    Value(AttributeType),
    /// An object in a list of one class.
    Bare,
    /// An element of a list, or the end of the list.
    Element,
    Nothing,
    /// Nothing: the marker byte after the last object has been read.
    End,
}

/// A class: its name, and its index in the tables.
#[derive(Clone, Copy, Debug)]
pub(super) struct ClassRef<'a> {
    pub(super) name: StrRef<'a>,
    pub(super) class: u32,
    /// Offset of the name.
    pub(super) offset: u64,
}

#[derive(Clone, Copy, Debug)]
pub(super) struct Frame<'a> {
    pub(super) enclosing: Enclosing,
    /// Class of the object, or of the elements of a list of one class.
    pub(super) class: StrRef<'a>,
    /// Index of the class whose attribute table the indices refer to.
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

/// A reference to a string.
#[derive(Clone, Copy)]
pub(super) enum Reference {
    Null,
    /// A string that the stream defined earlier, with its index.
    Known(u32, Text),
    /// A string that is defined at this position, with its new index, or `None` if the tables are
    /// complete.
    New(Option<u32>, Text),
}

impl<'a> Frame<'a> {
    pub(super) const FILE: Self =
        Self { enclosing: Enclosing::File, class: StrRef::new(&[]), table: u32::MAX, left: 0 };
}
