//! The forms of structs and the types of their fields.

use super::condition::Condition;
use crate::unreal::format::{Layout, Value, ue5};
use crate::unreal::properties::types::refs::NameRef;

/// The native serialization of a struct.
#[derive(Clone, Copy, Debug)]
pub struct NativeStruct {
    /// Name of the struct, without the prefix `F`.
    pub name: &'static str,
    pub(crate) form: NativeForm,
    /// The versions in which the struct is native. In other versions, it has tagged properties.
    pub(crate) when: Condition,
    /// Another native form, which is tried after the usual encoding has failed.
    pub(crate) other: Option<&'static NativeStruct>,
    /// `true` if the struct can contain a list of properties.
    pub(crate) has_lists: bool,
}

/// Two structs are equal if they have the same name.
impl PartialEq for NativeStruct {
    fn eq(&self, other: &Self) -> bool {
        self.name == other.name
    }
}

impl Eq for NativeStruct {}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum NativeForm {
    /// A sequence of fields.
    Fields(&'static [NativeField]),
    /// A single value.
    Scalar(NativePart),
    /// A soft reference.
    SoftPath,
    /// A list of names.
    Names,
    /// A reference to a struct, a size and a list of properties.
    Instanced,
}

/// A field of a struct with native serialization.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct NativeField {
    /// Name under which `serde` serializes the field.
    pub name: &'static str,
    pub part: NativePart,
    /// The condition under which the field is present.
    pub when: Condition,
}

/// The type of a field.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum NativePart {
    /// `f32`, or `f64` from 5:1004 on.
    Real,
    Float,
    Double,
    Int,
    UInt,
    Int64,
    UInt64,
    Byte,
    Short,
    /// A `u32` that is 0 or 1.
    Bool,
    Guid,
    /// One byte of a `u32`. The `u32` is stored in the byte order of the file. The number is the
    /// shift of the byte within the `u32`, in bits.
    Channel(u32),
    Group(&'static [NativeField]),
    /// `FString`
    Text,
    Name,
    /// A reference to an object.
    Object,
    /// A soft reference.
    Soft,
    /// This many bytes without meaning.
    Padding(u8),
    /// A count and that many bytes.
    Bytes,
    /// A count and that many elements.
    Array(&'static NativePart),
    /// The size of an element in memory, a count, and that many elements of fixed size.
    Bulk(&'static NativePart),
    /// The properties of the struct with this name. The name is empty if the struct varies.
    Properties(&'static str),
    /// The properties of the struct whose path is stored as a text in the first field.
    OfPath,
}

impl NativePart {
    /// Returns the size in bytes, or `None` if it is not fixed.
    pub(crate) fn size(self, layout: &Layout) -> Option<u64> {
        Some(match self {
            Self::Byte => 1,
            Self::Short => 2,
            Self::Real if !layout.has_ue5(ue5::LARGE_WORLD_COORDINATES) => 4,
            Self::Float | Self::Int | Self::UInt | Self::Channel(_) => 4,
            Self::Real | Self::Double | Self::Int64 | Self::UInt64 => 8,
            Self::Guid => 16,
            Self::Padding(size) => size.into(),
            Self::Group(fields) => return size(fields, layout),
            _ => return None,
        })
    }

    /// Returns `true` if a value of this type can contain a list of properties.
    const fn has_lists(self) -> bool {
        match self {
            Self::Properties(_) | Self::OfPath => true,
            Self::Array(part) => part.has_lists(),
            Self::Group(fields) => has_lists(fields),
            _ => false,
        }
    }

    /// Returns the minimum size in bytes, but at least 1. Counts of elements are checked against
    /// it.
    pub(crate) fn least(self, layout: &Layout) -> u64 {
        let least = match self {
            Self::Name => NameRef::LEAST,
            Self::Bulk(_) => 8,
            Self::Group(fields) => fields
                .iter()
                .filter(|field| field.when.by_layout(layout) == Some(true))
                .fold(0, |sum: u64, field| sum.saturating_add(field.part.least(layout))),
            part => part.size(layout).unwrap_or(4),
        };
        least.max(1)
    }
}

/// Returns the name of a struct, which is the last part of its path, such as
/// `/Script/MovieScene.MovieSceneEvalTemplate`.
pub(crate) fn name_in_path(path: &str) -> &str {
    // A search for a single `char` uses `memrchr`, which contains code that can panic.
    path.rsplit(['.']).next().unwrap_or(path)
}

/// Returns `true` if the fields can contain a list of properties.
pub(super) const fn has_lists(mut fields: &[NativeField]) -> bool {
    while let [field, rest @ ..] = fields {
        if field.part.has_lists() {
            return true;
        }
        fields = rest;
    }
    false
}

/// Returns the size of the fields in bytes, or `None` if it is not fixed. The depth of the
/// recursion is the nesting depth of the groups in `NATIVES`.
pub(crate) fn size(fields: &[NativeField], layout: &Layout) -> Option<u64> {
    let mut size = 0u64;
    let mut rest = fields;
    while let Some((field, after)) = rest.split_first() {
        rest = after;
        size = size.saturating_add(match (field.part, rest.first()) {
            _ if !field.when.by_layout(layout)? => 0,
            // Channels of one word are counted once.
            (NativePart::Channel(_), Some(NativeField { part: NativePart::Channel(_), .. })) => 0,
            (part, _) => part.size(layout)?,
        });
    }
    Some(size)
}

impl NativeStruct {
    /// Returns `true` if the struct has native serialization in the newest versions.
    #[cfg(feature = "alloc")]
    pub(crate) fn is_in_newest(&self) -> bool {
        self.when != Condition::Never
    }

    /// Returns `true` if the struct has native serialization in this layout, unless the flag of a
    /// tag states otherwise.
    pub(crate) fn is_in(&self, layout: &Layout) -> bool {
        self.when.by_layout(layout) == Some(true)
    }
}
