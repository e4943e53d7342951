//! Objects: null, an instance id, or a class with properties.
//!
//! | header bit 16 | payload | meaning |
//! |---|---|---|
//! | set | `u64` | an instance id, 0 for null; accepted even if full objects are not |
//! | clear | class (text), `i32` count, then the name (text) and value of each property | a full object |
//! | clear | an empty class name | null |
//!
//! Godot 2 writes only a header, which means null. Later engines write null as Nil. Release builds
//! of 3.0 to 3.2 are an exception: they write an id of 0 or an empty class name. A negative count
//! means that there are no properties.
//!
//! An engine decodes full objects only if the caller allows it, since setting properties can run
//! code. This library treats them as data.

use super::array::open;
use super::container::Container;
use super::text::{self, StrRef};
use crate::buffer::Cursor;
use crate::godot::read::trusted::{decode_checked, encoded_checked};
use crate::godot::table::dialect::Rules;
use crate::godot::table::layouts::U64;
use crate::godot::table::payload::{ContainerKind, Head, Header, LeafHandler};
use crate::godot::{Dialect, Encoded, Result, VariantRef};
use core::iter::FusedIterator;

/// The class of the stand-in that engines create for an object given by id.
pub(crate) const ENCODED_OBJECT_AS_ID: &str = "EncodedObjectAsID";
/// The property in which this stand-in holds the id.
pub(crate) const OBJECT_ID: &str = "object_id";

/// An Object: null, an id, or a class with properties.
///
/// ```
/// use gamewire::godot::{Dialect, ObjectRef, Reader};
///
/// let packet = [24, 0, 1, 0, 7, 0, 0, 0, 0, 0, 0, 0]; // the object with id 7
/// let object = Reader::new(&packet, Dialect::Godot4).read()?.as_object().unwrap();
/// assert!(matches!(object, ObjectRef::Id(7)));
/// # Ok::<(), gamewire::godot::Error>(())
/// ```
#[derive(Clone, Copy)]
pub enum ObjectRef<'a> {
    /// Null with the header of an Object. Godot 4 writes a null object as Nil instead.
    Null,
    /// An instance id, which is only meaningful to the process that wrote it. 0 is null.
    Id(u64),
    /// A class and its properties.
    Full(FullObject<'a>),
}

impl ObjectRef<'_> {
    /// Returns `true` for null, including an id of 0.
    pub const fn is_null(&self) -> bool {
        matches!(self, Self::Null | Self::Id(0))
    }
}

/// A class and its stored properties, in the order in which the engine sets them.
///
/// Since 4.3, the value of the property `script` is a resource path or null. Before 4.3, it was an
/// object that contained the source code.
///
/// ```
/// use gamewire::godot::{Dialect, ObjectRef, Reader};
///
/// let packet = b"\x18\0\0\0\x08\0\0\0Resource\x01\0\0\0\x02\0\0\0hp\0\0\x02\0\0\0\x05\0\0\0";
/// let Some(ObjectRef::Full(object)) = Reader::new(packet, Dialect::Godot4).read()?.as_object() else {
///     unreachable!()
/// };
/// assert!(object.class() == "Resource");
/// assert_eq!(object.get("hp").unwrap().as_i64(), Some(5));
/// # Ok::<(), gamewire::godot::Error>(())
/// ```
#[derive(Clone, Copy)]
pub struct FullObject<'a> {
    /// The bytes of the object, including its header.
    pub(crate) bytes: &'a [u8],
    pub(crate) len: u32,
    pub(crate) dialect: Dialect,
}

impl<'a> FullObject<'a> {
    pub(crate) fn open(&self) -> (Option<Container<'a>>, Cursor<'a>) {
        open(self.bytes, self.dialect, Container::full_object)
    }

    /// Returns the name of the native class.
    pub fn class(&self) -> StrRef<'a> {
        match self.open().0 {
            Some(Container::Object { class, .. }) => class,
            _ => StrRef::new(&[]),
        }
    }

    /// Returns the number of properties.
    pub const fn len(&self) -> usize {
        self.len as usize
    }

    /// Returns `true` if there are no properties.
    pub const fn is_empty(&self) -> bool {
        self.len == 0
    }

    /// Iterates over names and values, in order.
    pub fn properties(&self) -> Properties<'a> {
        Properties { at: self.open().1, left: self.len(), dialect: self.dialect }
    }

    /// Returns the value of the last property with this name. Engines set the properties in
    /// order, so the last one wins.
    pub fn get(&self, property: &str) -> Option<VariantRef<'a>> {
        self.properties().filter(|(name, _)| *name == property).last().map(|(_, value)| value)
    }

    /// Returns the bytes of this object.
    pub const fn encoded(&self) -> Encoded<'a> {
        Encoded::trusted(self.bytes, self.dialect)
    }
}

/// Iterator over the properties of a [`FullObject`].
#[derive(Clone, Debug)]
pub struct Properties<'a> {
    at: Cursor<'a>,
    left: usize,
    dialect: Dialect,
}

impl<'a> Properties<'a> {
    /// Iterates over the remaining properties, with the bytes of their values.
    pub fn encoded(self) -> EncodedProperties<'a> {
        EncodedProperties(self)
    }

    fn name(&mut self) -> Option<StrRef<'a>> {
        self.left = self.left.checked_sub(1)?;
        let name = text::read(&mut self.at, self.dialect.rules());
        debug_assert!(name.is_ok(), "checked when the view was made");
        name.ok().map(StrRef::new)
    }
}

impl<'a> Iterator for Properties<'a> {
    type Item = (StrRef<'a>, VariantRef<'a>);

    fn next(&mut self) -> Option<Self::Item> {
        let name = self.name()?;
        Some((name, decode_checked(&mut self.at, self.dialect)?))
    }

    fn size_hint(&self) -> (usize, Option<usize>) {
        (self.left, Some(self.left))
    }
}

impl ExactSizeIterator for Properties<'_> {}
impl FusedIterator for Properties<'_> {}

/// Iterator over the properties of a [`FullObject`], with the bytes of their values.
#[derive(Clone, Debug)]
pub struct EncodedProperties<'a>(Properties<'a>);

impl<'a> Iterator for EncodedProperties<'a> {
    type Item = (StrRef<'a>, Encoded<'a>);

    fn next(&mut self) -> Option<Self::Item> {
        let name = self.0.name()?;
        Some((name, encoded_checked(&mut self.0.at, self.0.dialect)?))
    }

    fn size_hint(&self) -> (usize, Option<usize>) {
        self.0.size_hint()
    }
}

impl ExactSizeIterator for EncodedProperties<'_> {}
impl FusedIterator for EncodedProperties<'_> {}

/// Reads an object that is null or an id. For a full object, reports that a container opens.
#[inline(always)]
pub(crate) fn head<'a, T: LeafHandler<'a>>(
    at: &mut Cursor<'a>,
    header: Header,
    rules: &Rules,
    then: T,
) -> Result<Head<T::Output>> {
    if !rules.objects {
        Ok(Head::Leaf(then.leaf(*at, VariantRef::Object(ObjectRef::Null))))
    } else if header.is_wide(rules) {
        let id = at.read::<U64>()?.get();
        Ok(Head::Leaf(then.leaf(*at, VariantRef::Object(ObjectRef::Id(id)))))
    } else {
        Ok(Head::Open(ContainerKind::Object))
    }
}
