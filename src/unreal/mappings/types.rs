//! Types of properties in mappings: a number, which types and names can follow as parameters.

use super::index::NONE;
use super::type_check::{skip, type_number};
use super::view::{MappedEnum, MappedStruct, Mappings};
use crate::unreal::format::Utf8StrRef;
use core::fmt::{self, Display, Write};

/// Names of the types, by number.
const NAMES: [&str; 35] = [
    "ByteProperty",
    "BoolProperty",
    "IntProperty",
    "FloatProperty",
    "ObjectProperty",
    "NameProperty",
    "DelegateProperty",
    "DoubleProperty",
    "ArrayProperty",
    "StructProperty",
    "StrProperty",
    "TextProperty",
    "InterfaceProperty",
    "MulticastDelegateProperty",
    "WeakObjectProperty",
    "LazyObjectProperty",
    "AssetObjectProperty",
    "SoftObjectProperty",
    "UInt64Property",
    "UInt32Property",
    "UInt16Property",
    "Int64Property",
    "Int16Property",
    "Int8Property",
    "MapProperty",
    "SetProperty",
    "EnumProperty",
    "FieldPathProperty",
    "OptionalProperty",
    "Utf8StrProperty",
    "AnsiStrProperty",
    "ClassProperty",
    "MulticastInlineDelegateProperty",
    "SoftClassProperty",
    "VerseStringProperty",
];

/// The type of a property in mappings.
///
/// `Display` prints it in the form `MapProperty(NameProperty,StructProperty(Vector))`. An enum is
/// printed with its name and underlying type: `EnumProperty(EKind,ByteProperty)`.
#[derive(Clone, Copy)]
pub struct MappedType<'m> {
    pub(super) mappings: &'m Mappings<'m>,
    /// Offset of the type in the body.
    pub(super) at: u32,
}

impl<'m> MappedType<'m> {
    /// Returns the number of the type, as stored.
    pub fn number(&self) -> u8 {
        self.mappings.byte(self.at)
    }

    /// Returns the name of the kind of property, such as `IntProperty`; empty if the number is not
    /// known.
    ///
    /// ```
    /// use gamewire::unreal::mappings::MappedType;
    ///
    /// assert_eq!(MappedType::kind_name_of(24), "MapProperty");
    /// assert_eq!(MappedType::kind_name_of(255), "");
    /// ```
    #[allow(clippy::indexing_slicing, reason = "the index is smaller than the length")]
    pub const fn kind_name_of(number: u8) -> &'static str {
        let number = number as usize;
        if number < NAMES.len() { NAMES[number] } else { "" }
    }

    /// Returns the name of the kind of property; empty if it is not known.
    pub fn kind_name(&self) -> &'static str {
        Self::kind_name_of(self.number())
    }

    /// Returns the type of the elements or keys of a container, or the underlying type of an enum.
    pub fn inner(&self) -> Option<Self> {
        match self.number() {
            type_number::ARRAY
            | type_number::SET
            | type_number::OPTIONAL
            | type_number::MAP
            | type_number::ENUM => Some(self.behind(1)),
            _ => None,
        }
    }

    /// Returns the type of the values of a map.
    pub fn value(&self) -> Option<Self> {
        let mut from = match self.number() {
            type_number::MAP => self.mappings.cursor(self.at.saturating_add(1)),
            _ => return None,
        };
        let start = from;
        skip(&mut from).ok()?;
        let size = u32::try_from(from.since(&start).len()).ok()?;
        Some(self.behind(size.saturating_add(1)))
    }

    /// Returns the name of the struct or enum.
    pub fn name(&self) -> Option<Utf8StrRef<'m>> {
        self.name_index().map(|index| self.mappings.name(index))
    }

    /// Returns the index of the name that a struct or enum has.
    fn name_index(&self) -> Option<u32> {
        let place = match self.number() {
            type_number::STRUCT => 1,
            type_number::ENUM => 2,
            _ => return None,
        };
        let index = self.mappings.number(self.at.saturating_add(place));
        (index != NONE).then_some(index)
    }

    /// Returns the struct that this type names, if the mappings have it.
    #[inline]
    pub fn structure(&self) -> Option<MappedStruct<'m>> {
        match self.number() {
            type_number::STRUCT => self.mappings.struct_of_name(self.name_index()?),
            _ => None,
        }
    }

    /// Returns the enum that this type names, if the mappings have it.
    #[inline]
    pub fn enumeration(&self) -> Option<MappedEnum<'m>> {
        match self.number() {
            type_number::ENUM => self.mappings.enum_of_name(self.name_index()?),
            _ => None,
        }
    }

    const fn behind(&self, size: u32) -> Self {
        Self { at: self.at.saturating_add(size), ..*self }
    }
}

impl fmt::Debug for MappedType<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        Display::fmt(self, f)
    }
}

/// The depth of the recursion is at most 16.
impl Display for MappedType<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self.kind_name() {
            "" => write!(f, "UnknownProperty{}", self.number())?,
            name => f.write_str(name)?,
        }
        match (self.inner(), self.value(), self.name()) {
            (None, _, None) => Ok(()),
            (None, _, Some(name)) => write!(f, "({name})"),
            (Some(inner), _, Some(name)) => write!(f, "({name},{inner})"),
            (Some(inner), None, None) => write!(f, "({inner})"),
            (Some(key), Some(value), None) => {
                write!(f, "({key},{value}")?;
                f.write_char(')')
            }
        }
    }
}
