//! Finds out which numbers the objects of a file have.

use super::{Item, Kind, Property, Type};

/// Determines, while a file is read, where the file stores the numbers of its objects.
///
/// Since June 2020 the number of an object is in its header. In May 2020 it was the property
/// `l:uuid`. In later files, `l:uuid` is an ordinary property. The property is therefore used as an
/// object's number only if no object of the file has a number in its header.
#[derive(Clone, Copy, Debug, Default)]
pub(crate) struct Identities {
    in_headers: bool,
    in_properties: bool,
    /// `true` if the value of a property `l:uuid` is next.
    is_next: bool,
}

/// A fact about the numbers of objects.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Identity {
    /// The next object is the first one with a number in its header. All properties `l:uuid` so far
    /// are ordinary properties.
    FirstHeader,
    /// The innermost open object has this number, unless a later header in the file contains a
    /// number.
    Property(u64),
}

impl Identities {
    /// Records the next item of the file. Returns the fact that this item establishes, if any.
    pub(crate) fn note(&mut self, item: &Item<'_>) -> Option<Identity> {
        let is_uuid = core::mem::replace(&mut self.is_next, false);
        match item {
            _ if self.in_headers => None,
            Item::Object(object) if object.pointer.is_some() => {
                self.in_headers = true;
                self.in_properties = false;
                Some(Identity::FirstHeader)
            }
            Item::Property(property) => {
                self.is_next = is_number(property);
                None
            }
            Item::Value(value) if is_uuid => {
                let number = u64::try_from(value.integer().ok()?).ok()?;
                self.in_properties = true;
                Some(Identity::Property(number))
            }
            _ => None,
        }
    }

    /// Returns `true` if the numbers of objects are their properties `l:uuid`.
    pub(crate) const fn are_properties(&self) -> bool {
        self.in_properties
    }
}

fn is_number(property: &Property<'_>) -> bool {
    property.ty == Type::Kind(Kind::I64, 0) && property.name == *"uuid"
}
