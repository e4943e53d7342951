//! Who is told of what a walk meets, and of what.

use crate::godot::{Container, Dialect, Encoded, Error, Kind, Result, StrRef, VariantRef};

/// Told of every value of a packet, in the order of its bytes, in one pass whose
/// cost per value does not grow with depth. See [`Reader::visit`](crate::godot::Reader::visit).
///
/// The walk is inlined into the visitor for each dialect; where a method is large,
/// keep it out of line.
pub trait Visitor<'a> {
    /// What ends the walk early; a malformed packet does.
    type Error: From<Error>;

    /// Nobody listens: values may be skipped without telling.
    #[doc(hidden)]
    const SILENT: bool = false;

    /// Nobody wants to hear of short text that every engine accepts.
    #[doc(hidden)]
    const PASSES_PLAIN: bool = false;

    /// Whether a container opens although the packet has not bytes enough for its
    /// count, so that the items that are there are told of before the walk fails.
    /// The error is then that of the first item missing; otherwise the container's.
    const CUT_OFF: bool = false;

    /// [`CUT_OFF`](Self::CUT_OFF), which a visitor behind a vtable knows at run time only.
    #[doc(hidden)]
    #[inline(always)]
    fn cuts_off(&self) -> bool {
        Self::CUT_OFF
    }

    /// A value without items of its own.
    fn leaf(&mut self, leaf: Leaf<'a>) -> core::result::Result<(), Self::Error>;

    /// A container opens. Its items follow, then [`close`](Self::close).
    fn open(&mut self, open: Open<'a>) -> core::result::Result<(), Self::Error>;

    /// The name of an object's property; its value comes next.
    fn property(&mut self, property: Property<'a>) -> core::result::Result<(), Self::Error>;

    /// The container that was opened last and not closed yet ends.
    fn close(&mut self, kind: Kind) -> core::result::Result<(), Self::Error>;

    /// The same with where it ends, from the start of the input; this is what is called.
    #[inline(always)]
    fn close_at(&mut self, kind: Kind, _end: u64) -> core::result::Result<(), Self::Error> {
        self.close(kind)
    }
}

/// What a value is to the container it stands in.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Role {
    /// The packet's value itself, or an array's element.
    Element,
    /// A dictionary's key; its value is next.
    Key,
    /// A dictionary's value.
    Value,
    /// An object's property, named just before.
    Property,
}

/// A value without items, as a [`Visitor`] is told of it.
#[derive(Clone, Copy, Debug)]
pub struct Leaf<'a> {
    /// Never a container, but for a null object or one that is an id.
    pub value: VariantRef<'a>,
    /// Its bytes.
    pub encoded: Encoded<'a>,
    /// Where its header is, from the start of the input.
    pub offset: u64,
    /// What it is to its container.
    pub role: Role,
}

/// A container that opens, as a [`Visitor`] is told of it.
#[derive(Clone, Copy, Debug)]
pub struct Open<'a> {
    /// What it is, and how many items follow.
    pub container: Container<'a>,
    /// Its bytes up to the first item.
    pub head: &'a [u8],
    /// Where its header is, from the start of the input.
    pub offset: u64,
    /// What it is to the container around it.
    pub role: Role,
    /// Whose bytes these are.
    pub dialect: Dialect,
}

/// The name of a property, as a [`Visitor`] is told of it.
#[derive(Clone, Copy, Debug)]
pub struct Property<'a> {
    /// The name.
    pub name: StrRef<'a>,
    /// Its bytes, with length and pad.
    pub bytes: &'a [u8],
    /// Where its length is, from the start of the input.
    pub offset: u64,
    /// Whose bytes these are.
    pub dialect: Dialect,
}

/// Tells nobody.
pub(crate) struct Skip;

impl Visitor<'_> for Skip {
    type Error = Error;
    const SILENT: bool = true;

    #[inline(always)]
    fn leaf(&mut self, _: Leaf<'_>) -> Result<()> {
        Ok(())
    }

    #[inline(always)]
    fn open(&mut self, _: Open<'_>) -> Result<()> {
        Ok(())
    }

    #[inline(always)]
    fn property(&mut self, _: Property<'_>) -> Result<()> {
        Ok(())
    }

    #[inline(always)]
    fn close(&mut self, _: Kind) -> Result<()> {
        Ok(())
    }
}
