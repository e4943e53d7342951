//! Types of properties: a number, with types and names as parameters.

use super::index::NONE;
use super::view::Mappings;
use crate::unreal::format::{ErrorKind, FileCursor, Layout, Result, Utf8StrRef};
use core::fmt::{self, Display, Write};

/// Numbers of the types that have parameters.
pub(crate) mod type_number {
    /// A type with a parameter.
    pub const ARRAY: u8 = 8;
    /// A type with a name.
    pub const STRUCT: u8 = 9;
    /// A type with two parameters.
    pub const MAP: u8 = 24;
    /// A type with a parameter.
    pub const SET: u8 = 25;
    /// A type with a parameter, which has no parameters itself, and a name.
    pub const ENUM: u8 = 26;
    /// A type with a parameter.
    pub const OPTIONAL: u8 = 28;
}

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

/// Maximum nesting depth of a type. The types that engines write have far fewer levels.
const DEPTH: u32 = 16;

/// Maximum number of nodes of a type.
const NODES: u32 = 256;

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

    /// Returns the type of the elements or keys, or the underlying type of an enum.
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

    /// Returns the index of the name of the struct or enum.
    pub(crate) fn name_index(&self) -> Option<u32> {
        let place = match self.number() {
            type_number::STRUCT => 1,
            type_number::ENUM => 2,
            _ => return None,
        };
        let index = self.mappings.number(self.at.saturating_add(place));
        (index != NONE).then_some(index)
    }

    /// Returns the offset of the type in the body.
    pub(crate) const fn place(&self) -> u32 {
        self.at
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

/// The depth of the recursion is at most [`DEPTH`].
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

/// Skips a type that has been checked.
fn skip(from: &mut FileCursor<'_>) -> Result<()> {
    check(from, &mut |_, _| Ok(()))
}

/// Reads a type to its end. Calls `name` with the index of each name and its position.
pub(super) fn check<'a>(
    from: &mut FileCursor<'a>,
    name: &mut dyn FnMut(i32, &FileCursor<'a>) -> Result<()>,
) -> Result<()> {
    let layout = &Layout::default();
    // The types that follow: one bit per open map, whose first parameter is read.
    let (mut left, mut nodes) = (1u32, NODES);
    let mut depth = Depth::default();
    while left > 0 {
        let at = *from;
        let number: u8 = from.read(layout)?;
        left = left.wrapping_sub(1);
        nodes = nodes.checked_sub(1).ok_or_else(|| too_deep(&at, NODES))?;
        let parameters = match number {
            type_number::ARRAY | type_number::SET | type_number::OPTIONAL => 1,
            type_number::MAP => 2,
            type_number::STRUCT => {
                let at = *from;
                name(from.read(layout)?, &at)?;
                0
            }
            type_number::ENUM => {
                underlying(from)?;
                let at = *from;
                name(from.read(layout)?, &at)?;
                0
            }
            _ => 0,
        };
        left = left.saturating_add(parameters);
        depth.node(parameters).ok_or_else(|| too_deep(&at, DEPTH))?;
    }
    Ok(())
}

fn too_deep(at: &FileCursor<'_>, limit: u32) -> crate::unreal::format::Error {
    at.error(ErrorKind::TooDeep { limit })
}

/// Reads the underlying type of an enum, which has no parameters.
fn underlying(from: &mut FileCursor<'_>) -> Result<()> {
    let at = *from;
    let number: u8 = from.read(&Layout::default())?;
    match number {
        type_number::ARRAY
        | type_number::STRUCT
        | type_number::MAP
        | type_number::SET
        | type_number::ENUM
        | type_number::OPTIONAL => {
            let (what, value) = ("underlying type of an enum", number.into());
            Err(at.error(ErrorKind::Unknown { what, value }))
        }
        _ => Ok(()),
    }
}

/// The number of open types on each level: bit k is set if a type on level k has another parameter.
#[derive(Default)]
struct Depth {
    level: u32,
    more: u32,
}

impl Depth {
    /// Adds a node with this number of parameters. Returns `None` if it is nested too deeply.
    fn node(&mut self, parameters: u32) -> Option<()> {
        if parameters > 0 {
            if self.level >= DEPTH {
                return None;
            }
            let bit = 1u32.wrapping_shl(self.level);
            self.more = if parameters > 1 { self.more | bit } else { self.more & !bit };
            self.level = self.level.wrapping_add(1);
            return Some(());
        }
        // A leaf completes the types above it that have no other parameter.
        while let Some(above) = self.level.checked_sub(1) {
            let bit = 1u32.wrapping_shl(above);
            if self.more & bit != 0 {
                self.more &= !bit;
                break;
            }
            self.level = above;
        }
        Some(())
    }
}
