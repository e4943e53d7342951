//! Reads the types that a package declares. The native data of a class or struct (`UStruct`)
//! contain its properties (`FProperty`), and the native data of an enum (`UEnum`) contain its
//! entries.

use crate::unreal::format::{
    Error, ErrorKind, FileCursor, Layout, PackageIndex, Result, StrRef, ue4,
};
use crate::unreal::mappings::{
    EnumBuf, LONGEST, MappedStruct, MappedType, MappedTypeBuf, MappingsBuf, PropertyBuf, StructBuf,
    bounded,
};
use crate::unreal::properties::types::{NameRef, PropertyContext};
use alloc::borrow::Cow;
use alloc::boxed::Box;
use alloc::string::{String, ToString};
use alloc::vec::Vec;

/// Reads declarations. The declaration of a class or struct has this form:
///
/// ```text
/// index super, i32 count, indices of functions
/// i32 count, properties:
///   name kind, name, u32 flags
///   u32 has metadata, metadata?         in editor packages: i32 count, name and string each
///   i32 elements, i32 size, u64 flags, u16, name, u8
///   data of the kind                    such as the index of a struct, or the inner properties
/// ```
pub(crate) struct Declarations<'c> {
    pub(crate) context: &'c PropertyContext<'c>,
    /// Returns the name of the object with this index, unless the name is not known or too long.
    pub(crate) name: &'c dyn Fn(PackageIndex) -> Option<String>,
}

/// Maximum nesting depth of types. The types of engines have at most two levels of containers.
const DEPTH: u8 = 8;

/// What an export declares.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum DeclaredKind {
    Class,
    Struct,
    Enum,
}

/// Returns what an export of this class declares. Returns `None` if it declares no type, or if the
/// file version is below that of engine 4.25. Older engines store declarations in another form.
pub(crate) fn declared_kind(class: &MappedStruct<'_>, layout: &Layout) -> Option<DeclaredKind> {
    layout.has_ue4(ue4::ADDED_PACKAGE_OWNER).then_some(())?;
    class.with_parents().find_map(|of| {
        let name = of.name();
        let is = |wanted: &str| name.bytes().eq_ignore_ascii_case(wanted.as_bytes());
        match () {
            () if is("Class") => Some(DeclaredKind::Class),
            () if is("ScriptStruct") => Some(DeclaredKind::Struct),
            () if is("Enum") => Some(DeclaredKind::Enum),
            () => None,
        }
    })
}

impl Declarations<'_> {
    /// Reads the type with this name from the native data of its export, and adds it to `all`.
    pub(crate) fn read(
        &self,
        kind: DeclaredKind,
        name: String,
        native: &[u8],
        all: &mut MappingsBuf,
    ) -> Result<()> {
        match kind {
            DeclaredKind::Class | DeclaredKind::Struct => {
                all.structs.push(self.structure(name, native)?)
            }
            DeclaredKind::Enum => all.enums.push(self.enumeration(name, native)?),
        }
        Ok(())
    }

    /// Reads the entries of an enum: `i32 count`, then the name and value (`i64`) of each.
    fn enumeration(&self, name: String, native: &[u8]) -> Result<EnumBuf> {
        let (layout, mut from) = (&self.context.layout, FileCursor::new(native, 0));
        let mut entries = Vec::new();
        for _ in 0..self.short_count(16, &mut from)? {
            let (entry, value) = (self.word(&mut from)?, from.read(layout)?);
            // In mappings, the name of an entry does not contain the name of the enum.
            let bare = entry.rsplit_once("::").map(|(_, bare)| bare.to_string());
            entries.push((bare.unwrap_or(entry).into(), value));
        }
        Ok(EnumBuf { name: name.into(), entries, ..EnumBuf::default() })
    }

    fn structure(&self, name: String, native: &[u8]) -> Result<StructBuf> {
        let (layout, mut from) = (&self.context.layout, FileCursor::new(native, 0));
        let parent: PackageIndex = from.read(layout)?;
        let functions = from.count(4, layout)?;
        from.bytes(u64::from(functions).saturating_mul(4))?;
        let mut declared = StructBuf::new(name);
        declared.parent = (!parent.is_null()).then(|| self.name_of(parent));
        for _ in 0..self.short_count(8, &mut from)? {
            let kind = self.word(&mut from)?;
            declared.properties.push(self.property(&kind, &mut from, DEPTH)?);
        }
        Ok(declared)
    }

    /// Reads the number of items that follow, each of which has at least `size` bytes. The number
    /// must fit in 16 bits, as it does in mappings.
    fn short_count(&self, size: u64, from: &mut FileCursor<'_>) -> Result<u16> {
        let at = *from;
        let count = from.count(size, &self.context.layout)?;
        let too_large = |_| at.error(ErrorKind::BadCount(count.cast_signed()));
        u16::try_from(count).map_err(too_large)
    }

    fn word(&self, from: &mut FileCursor<'_>) -> Result<String> {
        let at = *from;
        let name: NameRef<'_> = from.read(&self.context.layout)?;
        self.context.check(name, &at)?;
        let text = self.context.text(name).unwrap_or_default();
        let (size, limit) = (text.text().bytes().len() as u64, LONGEST as u64);
        bounded(text).ok_or_else(|| at.error(ErrorKind::TooLarge { size, limit }))
    }

    /// Returns the name of an object, or `?` if there is none.
    fn name_of(&self, index: PackageIndex) -> Cow<'static, str> {
        (self.name)(index).map_or(Cow::Borrowed("?"), Cow::Owned)
    }

    /// Reads the rest of a property, after the name of its kind.
    fn property(&self, kind: &str, from: &mut FileCursor<'_>, depth: u8) -> Result<PropertyBuf> {
        let layout = &self.context.layout;
        let name = self.word(from)?;
        from.read::<u32>(layout)?;
        if layout.editor_data && from.read::<bool>(layout)? {
            for _ in 0..from.count(12, layout)? {
                self.word(from)?;
                from.read::<StrRef<'_>>(layout)?;
            }
        }
        let at = *from;
        let count: i32 = from.read(layout)?;
        let elements = u8::try_from(count).ok().filter(|elements| *elements > 0);
        let elements = elements.ok_or_else(|| at.error(ErrorKind::BadCount(count)))?;
        from.bytes(4 + 8 + 2)?;
        self.word(from)?;
        from.read::<u8>(layout)?;
        let of = self.of_kind(kind, from, depth)?;
        Ok(PropertyBuf { name: name.into(), elements, of })
    }

    /// Reads the data that only properties of this kind have, and returns the type of the property.
    fn of_kind(&self, kind: &str, from: &mut FileCursor<'_>, depth: u8) -> Result<MappedTypeBuf> {
        let layout = &self.context.layout;
        Ok(match kind {
            "StructProperty" => MappedTypeBuf::Struct(self.name_of(from.read(layout)?)),
            "ArrayProperty" => MappedTypeBuf::Array(self.inner(from, depth)?),
            "SetProperty" => MappedTypeBuf::Set(self.inner(from, depth)?),
            "OptionalProperty" => MappedTypeBuf::Optional(self.inner(from, depth)?),
            "MapProperty" => MappedTypeBuf::Map(self.inner(from, depth)?, self.inner(from, depth)?),
            "EnumProperty" => {
                let name = self.name_of(from.read(layout)?);
                match *self.inner(from, depth)? {
                    MappedTypeBuf::Plain(number) => MappedTypeBuf::Enum(name, number),
                    _ => return Err(unknown(from)),
                }
            }
            // Mappings describe a byte property with an enum as an enum property.
            "ByteProperty" => match from.read::<PackageIndex>(layout)? {
                index if index.is_null() => number("ByteProperty"),
                index => MappedTypeBuf::Enum(self.name_of(index), 0),
            },
            _ => {
                from.bytes(size_after(kind).ok_or_else(|| unknown(from))?)?;
                number(kind)
            }
        })
    }

    /// Reads a property that is a part of another one, and returns its type.
    fn inner(&self, from: &mut FileCursor<'_>, depth: u8) -> Result<Box<MappedTypeBuf>> {
        let limit = u32::from(DEPTH);
        let too_deep = || from.error(ErrorKind::TooDeep { limit });
        let depth = depth.checked_sub(1).ok_or_else(too_deep)?;
        let kind = self.word(from)?;
        Ok(Box::new(self.property(&kind, from, depth)?.of))
    }
}

/// Returns the size of the data that only properties of this kind have. Returns `None` if the kind
/// is not known.
fn size_after(kind: &str) -> Option<u64> {
    Some(match kind {
        "BoolProperty" => 6,
        // The index of the class, interface or function.
        "ObjectProperty"
        | "WeakObjectProperty"
        | "LazyObjectProperty"
        | "SoftObjectProperty"
        | "InterfaceProperty"
        | "DelegateProperty"
        | "MulticastDelegateProperty"
        | "MulticastInlineDelegateProperty"
        | "MulticastSparseDelegateProperty" => 4,
        // A second index states the class that values must have.
        "ClassProperty" | "SoftClassProperty" => 8,
        // The name of a kind of property.
        "FieldPathProperty" => 8,
        "Int8Property" | "Int16Property" | "IntProperty" | "Int64Property" | "UInt16Property"
        | "UInt32Property" | "UInt64Property" | "FloatProperty" | "DoubleProperty"
        | "NameProperty" | "StrProperty" | "TextProperty" | "Utf8StrProperty"
        | "AnsiStrProperty" => 0,
        _ => return None,
    })
}

/// Returns the type of properties of this kind. The kind must not have parameters.
fn number(kind: &str) -> MappedTypeBuf {
    let kind = match kind {
        "MulticastSparseDelegateProperty" => "MulticastDelegateProperty",
        kind => kind,
    };
    let number = (0..u8::MAX).find(|number| MappedType::kind_name_of(*number) == kind);
    MappedTypeBuf::Plain(number.unwrap_or(u8::MAX))
}

fn unknown(from: &FileCursor<'_>) -> Error {
    from.error(ErrorKind::Unknown { what: "kind of property", value: 0 })
}
