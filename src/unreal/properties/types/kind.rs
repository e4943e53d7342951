//! Kinds of properties.

use crate::unreal::format::Layout;
use crate::unreal::format::ue4;
use crate::unreal::mappings::MappedType;

macro_rules! kinds {
    ($($(#[$doc:meta])* $PropertyKind:ident = $name:literal;)*) => {
        /// The kind of a property: the first name of its type.
        #[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
        #[non_exhaustive]
        pub enum PropertyKind {
            $( $(#[$doc])* $PropertyKind, )*
            /// An unknown kind.
            Unknown,
        }

        impl PropertyKind {
            /// Returns the number of type names in a tag, in files below 5:1012.
            #[inline(always)]
            pub(crate) const fn tag_names(self, layout: &Layout) -> u32 {
                match self {
                    Self::Struct | Self::Byte | Self::Enum | Self::Optional => 1,
                    Self::Array if layout.has_ue4(ue4::ARRAY_PROPERTY_INNER_TAGS) => 1,
                    Self::Set if layout.has_ue4(ue4::PROPERTY_TAG_SET_MAP_SUPPORT) => 1,
                    Self::Map if layout.has_ue4(ue4::PROPERTY_TAG_SET_MAP_SUPPORT) => 2,
                    _ => 0,
                }
            }

            /// Returns the kind with this name, or [`PropertyKind::Unknown`].
            pub(crate) const fn named(name: &str) -> Self {
                let mut all = Self::ALL;
                while let [(known, kind), rest @ ..] = all {
                    if same(known.as_bytes(), name.as_bytes()) {
                        return *kind;
                    }
                    all = rest;
                }
                Self::Unknown
            }

            /// All kinds with their names.
            pub(crate) const ALL: &[(&str, Self)] = &[$( ($name, Self::$PropertyKind), )*];

            /// Returns the name of the kind. It is empty for [`PropertyKind::Unknown`].
            ///
            /// ```
            /// assert_eq!(gamewire::unreal::PropertyKind::Int.name(), "IntProperty");
            /// ```
            pub const fn name(self) -> &'static str {
                match self {
                    $( Self::$PropertyKind => $name, )*
                    Self::Unknown => "",
                }
            }
        }
    };
}

const fn same(mut a: &[u8], mut b: &[u8]) -> bool {
    while let ([x, rest_a @ ..], [y, rest_b @ ..]) = (a, b) {
        if *x != *y {
            return false;
        }
        (a, b) = (rest_a, rest_b);
    }
    a.is_empty() && b.is_empty()
}

/// The kinds, indexed by the numbers of types in mappings.
#[allow(clippy::indexing_slicing, clippy::arithmetic_side_effects, reason = "at compile time")]
static BY_NUMBER: [PropertyKind; 64] = {
    let mut kinds = [PropertyKind::Unknown; 64];
    let mut number = 0;
    while number < 64 {
        kinds[number] = PropertyKind::named(MappedType::kind_name_of(number as u8));
        number += 1;
    }
    kinds
};

impl PropertyKind {
    /// Returns `true` if a type of this kind has a name or contains other types.
    pub(crate) const fn has_parameters(self) -> bool {
        matches!(
            self,
            Self::Struct | Self::Enum | Self::Optional | Self::Array | Self::Set | Self::Map
        )
    }

    /// Returns the kind for the number of a type in mappings.
    #[inline(always)]
    pub(crate) fn of_number(number: u8) -> Self {
        BY_NUMBER.get(usize::from(number)).copied().unwrap_or(Self::Unknown)
    }
}

kinds! {
    /// A bool, which is stored in the tag of the property, or as a byte in a container.
    Bool = "BoolProperty";
    /// `i8`
    Int8 = "Int8Property";
    /// `i16`
    Int16 = "Int16Property";
    /// `i32`
    Int = "IntProperty";
    /// `i64`
    Int64 = "Int64Property";
    /// `u16`
    UInt16 = "UInt16Property";
    /// `u32`
    UInt32 = "UInt32Property";
    /// `u64`
    UInt64 = "UInt64Property";
    /// `f32`
    Float = "FloatProperty";
    /// `f64`
    Double = "DoubleProperty";
    /// `u8`, or the name of an enum member.
    Byte = "ByteProperty";
    /// The name of an enum member.
    Enum = "EnumProperty";
    /// A name.
    Name = "NameProperty";
    /// `FString`
    Str = "StrProperty";
    /// `FAnsiString`
    AnsiStr = "AnsiStrProperty";
    /// `FUtf8String`
    Utf8Str = "Utf8StrProperty";
    /// A string of Verse.
    VerseString = "VerseStringProperty";
    /// A reference to an object.
    Object = "ObjectProperty";
    /// A reference to a class.
    Class = "ClassProperty";
    /// A weak reference to an object.
    WeakObject = "WeakObjectProperty";
    /// A reference to an object that implements an interface.
    Interface = "InterfaceProperty";
    /// A reference to an object by GUID.
    LazyObject = "LazyObjectProperty";
    /// A soft reference, in files below 4:514.
    AssetObject = "AssetObjectProperty";
    /// A soft reference to a class, in files below 4:514.
    AssetClass = "AssetClassProperty";
    /// A soft reference.
    SoftObject = "SoftObjectProperty";
    /// A soft reference to a class.
    SoftClass = "SoftClassProperty";
    /// A delegate: a reference to a function of an object.
    Delegate = "DelegateProperty";
    /// A multicast delegate.
    MulticastDelegate = "MulticastDelegateProperty";
    /// A multicast delegate.
    MulticastInlineDelegate = "MulticastInlineDelegateProperty";
    /// A multicast delegate.
    MulticastSparseDelegate = "MulticastSparseDelegateProperty";
    /// A path to a property.
    FieldPath = "FieldPathProperty";
    /// An optional value.
    Optional = "OptionalProperty";
    /// An array.
    Array = "ArrayProperty";
    /// A set.
    Set = "SetProperty";
    /// A map.
    Map = "MapProperty";
    /// A struct.
    Struct = "StructProperty";
    /// An `FText`.
    Text = "TextProperty";
}
