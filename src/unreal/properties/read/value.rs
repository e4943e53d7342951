//! The values of properties.

use super::containers::{Delegates, Elements, Map, Names, Set};
use super::list::Properties;
use super::native::NativeFields;
#[cfg(feature = "serde")]
use crate::unreal::format::NameText;
use crate::unreal::format::{Error, ErrorKind, FileCursor, Guid, StrRef, Utf8StrRef};
use crate::unreal::mappings::MappedEnum;
use crate::unreal::properties::formatted::FormattedText;
use crate::unreal::properties::types::{NameRef, NativeStruct, ObjectRef};
use crate::unreal::tables::SubPath;
use core::fmt;

/// The value of a property. It borrows from the file; containers and lists are read on demand.
#[derive(Clone, Copy, Debug)]
#[non_exhaustive]
pub enum PropertyValue<'p> {
    /// A bool.
    Bool(bool),
    /// A signed integer, `i8` to `i64`.
    Int(i64),
    /// An unsigned integer, `u8` to `u64`.
    UInt(u64),
    /// `f32`
    Float(f32),
    /// `f64`
    Double(f64),
    /// A name, or the name of an enum member.
    Name(NameRef<'p>),
    /// An `FString`, or a soft reference below 4:514.
    Str(StrRef<'p>),
    /// An `FUtf8String`, an `FAnsiString` or a string of Verse.
    Utf8Str(Utf8StrRef<'p>),
    /// A reference to an object.
    Object(ObjectRef<'p>),
    /// An enum value that is stored as a number, in a property without a tag.
    Enum(EnumValue<'p>),
    /// A GUID.
    Guid(Guid),
    /// A soft reference to an object.
    Soft(SoftReference<'p>),
    /// A function of an object.
    Delegate(Delegate<'p>),
    /// The functions that a multicast delegate calls.
    Delegates(Delegates<'p>),
    /// A path to a property.
    FieldPath(FieldPath<'p>),
    /// An optional value: zero or one element.
    Optional(Elements<'p>),
    /// An array.
    Array(Elements<'p>),
    /// A set.
    Set(Set<'p>),
    /// A map.
    Map(Map<'p>),
    /// A struct with tagged properties.
    Struct(Properties<'p>),
    /// A struct with native serialization.
    Native(&'static NativeStruct, NativeFields<'p>),
    /// Names of gameplay tags.
    Names(Names<'p>),
    /// A struct of a dynamic type.
    Instanced(Instanced<'p>),
    /// An `FText` of any kind.
    Formatted(FormattedText<'p>),
    /// The bytes of a value that cannot be decoded, and the reason.
    Opaque(&'p [u8], OpaqueReason),
}

/// The reason why a value is opaque.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, thiserror::Error)]
#[non_exhaustive]
pub enum OpaqueReason {
    /// An unknown kind of property.
    #[error("unknown kind of property")]
    UnknownKind,
    /// A struct with unknown native serialization.
    #[error("a struct with unknown native serialization")]
    NativeStruct,
    /// A container whose element types are not known.
    #[error("a container without known element types")]
    UnknownElements,
    /// Bytes remain after the value.
    #[error("bytes left over: {0}")]
    LeftOver(u32),
    /// The value does not match its type.
    #[error("{0}")]
    Malformed(Error),
}

impl OpaqueReason {
    /// Returns the error that the end of a list cannot be found for this reason. `at` is the
    /// position up to which the list was read.
    #[cold]
    pub(super) fn into_error(self, at: &FileCursor<'_>) -> Error {
        match self {
            Self::Malformed(error) => error,
            _ => at.error(ErrorKind::UnknownEnd),
        }
    }
}

impl From<Error> for OpaqueReason {
    #[cold]
    fn from(error: Error) -> Self {
        Self::Malformed(error)
    }
}

/// The value of an enum that is stored as a number. Containers store enums as names.
///
/// `Display` prints the name of the entry as files with tags store it, such as `EKind::Two`. If the
/// mappings have no entry with this number, it prints the number.
#[derive(Clone, Copy, Debug)]
pub struct EnumValue<'p> {
    /// The enum, if the mappings have it.
    pub of: Option<MappedEnum<'p>>,
    /// The number. A number above `i64::MAX` becomes negative.
    pub value: i64,
}

impl<'p> EnumValue<'p> {
    /// Returns the name of the entry with this number, without the name of the enum.
    pub fn entry(&self) -> Option<Utf8StrRef<'p>> {
        self.of?.name_of(self.value)
    }
}

impl fmt::Display for EnumValue<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self.of.zip(self.entry()) {
            Some((of, entry)) => write!(f, "{}::{entry}", of.name()),
            None => self.value.fmt(f),
        }
    }
}

/// A soft reference to an object.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct SoftReference<'p> {
    /// The package; below 5:1007, package and asset joined by a dot.
    pub package: NameRef<'p>,
    /// The asset; present from 5:1007 on.
    pub asset: Option<NameRef<'p>>,
    /// Path of a sub-object in the asset.
    pub sub_path: SubPath<'p>,
    /// Index into the package's list of soft object paths, if the reference is stored as an index.
    pub index: Option<i32>,
}

/// The path of an asset: the names of the package and of the asset, joined by a dot. A name that is
/// `None` is left out.
#[cfg(feature = "serde")]
pub(crate) struct JoinedPath<'n>(pub NameText<'n>, pub Option<NameText<'n>>);

#[cfg(feature = "serde")]
impl fmt::Display for JoinedPath<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Self(package, asset) = self;
        if *package != *"None" {
            fmt::Display::fmt(package, f)?;
        }
        match asset {
            Some(asset) if *asset != *"None" => write!(f, ".{asset}"),
            _ => Ok(()),
        }
    }
}

/// A function of an object.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Delegate<'p> {
    /// The object.
    pub object: ObjectRef<'p>,
    /// Name of the function.
    pub function: NameRef<'p>,
}

/// A path to a property.
#[derive(Clone, Copy, Debug)]
pub struct FieldPath<'p> {
    /// Names of the path, from the property to the outermost owner that has a name.
    pub path: Names<'p>,
    /// Object that owns the outermost name, if the version stores it.
    pub owner: Option<ObjectRef<'p>>,
}

/// A struct of a dynamic type (`FInstancedStruct`).
#[derive(Clone, Copy, Debug)]
pub struct Instanced<'p> {
    /// The type; null if there is no struct.
    pub of: ObjectRef<'p>,
    /// Size of the struct in bytes.
    pub size: u32,
    /// Properties of the struct.
    pub properties: Properties<'p>,
}
