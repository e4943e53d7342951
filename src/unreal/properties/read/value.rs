//! The values of properties.

use super::containers::{Delegates, Elements, Map, Names, Set};
use super::list::Properties;
use crate::unreal::format::{Error, Guid, StrRef, Utf8StrRef};
use crate::unreal::properties::formatted::FormattedText;
use crate::unreal::properties::types::{NameRef, NativeFields, NativeStruct, ObjectRef};
use crate::unreal::tables::SubPath;

/// The value of a property: borrowed, with containers and lists read when they are asked for.
#[derive(Clone, Copy, Debug)]
#[non_exhaustive]
pub enum PropertyValue<'p> {
    /// True or false.
    Bool(bool),
    /// `i8` to `i64`.
    Int(i64),
    /// `u8` to `u64`.
    UInt(u64),
    /// `f32`
    Float(f32),
    /// `f64`
    Double(f64),
    /// A name; of an enum, that of its member.
    Name(NameRef<'p>),
    /// Text for programs, and soft references below 4:514.
    Str(StrRef<'p>),
    /// Text for programs, as UTF-8.
    Utf8Str(Utf8StrRef<'p>),
    /// A reference to an object.
    Object(ObjectRef<'p>),
    /// A GUID.
    Guid(Guid),
    /// A reference to an object that is loaded when needed.
    Soft(SoftReference<'p>),
    /// A function of an object.
    Delegate(Delegate<'p>),
    /// Functions of objects.
    Delegates(Delegates<'p>),
    /// A path to a property.
    FieldPath(FieldPath<'p>),
    /// One value or none.
    Optional(Elements<'p>),
    /// Values.
    Array(Elements<'p>),
    /// Values, each once.
    Set(Set<'p>),
    /// Keys and values.
    Map(Map<'p>),
    /// A struct: properties of its own.
    Struct(Properties<'p>),
    /// A struct without tags: fields in a row.
    Native(&'static NativeStruct, NativeFields<'p>),
    /// Names of gameplay tags.
    Names(Names<'p>),
    /// A struct of any type.
    Instanced(Instanced<'p>),
    /// Text for people.
    Formatted(FormattedText<'p>),
    /// What is not understood, and why.
    Opaque(&'p [u8], OpaqueReason),
}

/// Why a value is only bytes.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, thiserror::Error)]
#[non_exhaustive]
pub enum OpaqueReason {
    /// The kind of property is not known.
    #[error("a kind of property that is not known")]
    UnknownKind,
    /// A struct in a form of its own, which is not known.
    #[error("a struct in a form of its own")]
    NativeStruct,
    /// The tag does not say what is in the container.
    #[error("a container of which the tag does not say what is in it")]
    UnknownElements,
    /// It is left over where the value ends.
    #[error("bytes left over: {0}")]
    LeftOver(u32),
    /// It is not in the form of its type.
    #[error("{0}")]
    Malformed(Error),
}

impl From<Error> for OpaqueReason {
    #[cold]
    fn from(error: Error) -> Self {
        Self::Malformed(error)
    }
}

/// A reference to an object that is loaded when needed.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct SoftReference<'p> {
    /// The package, or below 5:1007 package and asset with a dot between.
    pub package: NameRef<'p>,
    /// The asset.
    pub asset: Option<NameRef<'p>>,
    /// What in it.
    pub sub_path: SubPath<'p>,
    /// Index into the package's list of these, if it is there.
    pub index: Option<i32>,
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
    /// From the property outwards.
    pub path: Names<'p>,
    /// What the outermost belongs to, where the version says.
    pub owner: Option<ObjectRef<'p>>,
}

/// A struct of any type (`FInstancedStruct`).
#[derive(Clone, Copy, Debug)]
pub struct Instanced<'p> {
    /// Its type; none for no struct.
    pub of: ObjectRef<'p>,
    /// Bytes of the struct.
    pub size: u32,
    /// Its properties.
    pub properties: Properties<'p>,
}
