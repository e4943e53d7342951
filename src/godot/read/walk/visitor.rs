//! Visitors of a walk, and the events they receive.

use crate::godot::{Container, Dialect, Encoded, Error, Kind, Result, StrRef, VariantRef};

/// A type that receives every value of a packet in the order of the bytes, in one pass. The cost
/// per value does not grow with depth. See [`Reader::visit`](crate::godot::Reader::visit).
///
/// The walk is compiled for each visitor and each dialect, with the methods inlined. Mark large
/// methods `#[inline(never)]`, or use [`Reader::visit_dyn`](crate::godot::Reader::visit_dyn) to
/// compile less code.
pub trait Visitor<'a> {
    /// The error with which the visitor ends the walk early. If the packet is malformed, the walk
    /// ends with an [`Error`], converted to this type.
    type Error: From<Error>;

    /// `true` if the visitor ignores leaves, so that the walk may skip several at a time.
    #[doc(hidden)]
    const SILENT: bool = false;

    /// `true` if the visitor ignores short text that every engine accepts.
    #[doc(hidden)]
    const PASSES_PLAIN: bool = false;

    /// Selects how the walk handles a container that announces more items than the packet can hold.
    /// If this constant is `true`, the walk visits the container and the items that the packet
    /// contains before it fails. The walk then returns the error of the first missing item. If this
    /// constant is `false`, the walk returns the error of the container.
    const CUT_OFF: bool = false;

    /// Returns [`CUT_OFF`](Self::CUT_OFF). For a visitor that is called through a vtable, the walk
    /// learns this value only at run time.
    #[doc(hidden)]
    #[inline(always)]
    fn cuts_off(&self) -> bool {
        Self::CUT_OFF
    }

    /// Visits a value without items.
    fn leaf(&mut self, leaf: Leaf<'a>) -> core::result::Result<(), Self::Error>;

    /// Visits the start of a container. Its items follow, then [`close`](Self::close).
    fn open(&mut self, open: Open<'a>) -> core::result::Result<(), Self::Error>;

    /// Visits the name of a property of an object. Its value follows.
    fn property(&mut self, property: Property<'a>) -> core::result::Result<(), Self::Error>;

    /// Visits the end of the innermost open container.
    fn close(&mut self, kind: Kind) -> core::result::Result<(), Self::Error>;

    /// Visits the end of the innermost open container. Unlike [`close`](Self::close), also receives
    /// the offset of that end in the input. The walk calls this method instead of `close`.
    #[inline(always)]
    fn close_at(&mut self, kind: Kind, _end: u64) -> core::result::Result<(), Self::Error> {
        self.close(kind)
    }
}

/// Role of a value in its container.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Role {
    /// The packet's outermost value, or an element of an array.
    Element,
    /// A key of a dictionary. Its value follows.
    Key,
    /// A value of a dictionary.
    Value,
    /// The value of an object's property. The property's name comes before it.
    Property,
}

/// A value without items, as a [`Visitor`] receives it.
#[derive(Clone, Copy, Debug)]
pub struct Leaf<'a> {
    /// The value: never an Array, a Dictionary or a full object.
    pub value: VariantRef<'a>,
    /// The bytes of the value.
    pub encoded: Encoded<'a>,
    /// Offset of the value's header in the input.
    pub offset: u64,
    /// Role of the value in its container.
    pub role: Role,
}

/// The start of a container, as a [`Visitor`] receives it.
#[derive(Clone, Copy, Debug)]
pub struct Open<'a> {
    /// The kind of the container, its declared types and the number of its elements, pairs or
    /// properties.
    pub container: Container<'a>,
    /// The bytes of the container before its first item.
    pub head: &'a [u8],
    /// Offset of the container's header in the input.
    pub offset: u64,
    /// Role of this container in the container around it.
    pub role: Role,
    /// Dialect of the bytes.
    pub dialect: Dialect,
}

/// The name of a property, as a [`Visitor`] receives it.
#[derive(Clone, Copy, Debug)]
pub struct Property<'a> {
    /// The name.
    pub name: StrRef<'a>,
    /// The bytes of the name, including its length field and padding.
    pub bytes: &'a [u8],
    /// Offset of the name's length field in the input.
    pub offset: u64,
    /// Dialect of the bytes.
    pub dialect: Dialect,
}

/// Visitor that ignores everything.
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
