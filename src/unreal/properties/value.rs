//! The values of properties.

use super::containers::{Delegates, Elements, Map, Names, Set};
use super::context::{Context, NameRef, ObjectRef};
use super::formatted::FormattedText;
use super::kind::Kind;
use super::structs::{Native, NativeFields, NativeForm, NativeValue, skip};
use super::tag::{Tag, TagHead};
use super::types::Type;
use super::{Properties, ROOM};
use crate::unreal::tables::{AssetPath, SubPath, Utf8Text};
use crate::unreal::text::Text;
use crate::unreal::wire::{Guid, Input};
use crate::unreal::{Error, ErrorKind};

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
    Text(Text<'p>),
    /// Text for programs, as UTF-8.
    Utf8(Utf8Text<'p>),
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
    Native(&'static Native, NativeFields<'p>),
    /// Names of gameplay tags.
    Names(Names<'p>),
    /// A struct of any type.
    Instanced(Instanced<'p>),
    /// Text for people.
    Formatted(FormattedText<'p>),
    /// What is not understood, and why.
    Opaque(&'p [u8], Reason),
}

/// Why a value is only bytes.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, thiserror::Error)]
#[non_exhaustive]
pub enum Reason {
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

impl From<Error> for Reason {
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

impl<'p> Tag<'p> {
    /// The value. It was walked over to its last byte, so what it gives later is there: the
    /// properties of structs are the exception, they are values of their own.
    pub fn value(&self) -> PropertyValue<'p> {
        self.try_value().unwrap_or_else(|reason| PropertyValue::Opaque(self.bytes(), reason))
    }

    fn try_value(&self) -> Result<PropertyValue<'p>, Reason> {
        if self.kind() == Kind::Bool && self.head.size == 0 {
            return Ok(PropertyValue::Bool(self.head.truth));
        }
        let mut decode = Decode::new(self);
        match decode.whole(self) {
            // Enums in sets and maps may be names; nothing says so.
            Err(_) if matches!(self.kind(), Kind::Set | Kind::Map) => {
                decode.bytes_are_names = true;
                decode.whole(self)
            }
            value => value,
        }
    }
}

/// How to read a value.
#[derive(Clone, Copy, Debug)]
pub(super) struct Decode<'p> {
    pub context: &'p Context<'p>,
    /// For hints.
    property: NameRef<'p>,
    /// Whether enums of one byte are written as names.
    bytes_are_names: bool,
    /// Whether the tag says that structs are in forms of their own; `None` where tags do not.
    native: Option<bool>,
    /// Where in a container the value is.
    pub place: Place,
    /// How many values may still be inside each other.
    room: u8,
}

/// Where a value is.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Place {
    /// In its tag.
    Tag,
    Key,
    Element,
}

impl<'p> Decode<'p> {
    fn new(tag: &Tag<'p>) -> Self {
        Self {
            context: tag.head.of.context,
            property: tag.head.name_ref(),
            bytes_are_names: false,
            native: tag.native(),
            place: Place::Tag,
            room: tag.room,
        }
    }

    /// The same for what is inside of a value at `at`.
    fn inside(self, at: &Input<'_>) -> Result<Self, Error> {
        match self.room.checked_sub(1) {
            Some(room) => Ok(Self { room, ..self }),
            None => Err(at.error(ErrorKind::TooDeep { limit: ROOM.into() })),
        }
    }

    fn whole(&self, tag: &Tag<'p>) -> Result<PropertyValue<'p>, Reason> {
        let mut from = tag.payload;
        let value = match tag.kind() {
            Kind::Array => self.array(&mut from, tag)?,
            kind => self.value(&mut from, kind, Some(&tag.head.of))?,
        };
        match u32::try_from(from.remaining()) {
            Ok(0) => Ok(value),
            left => Err(Reason::LeftOver(left.unwrap_or(u32::MAX))),
        }
    }

    /// An array, which may have a tag for its elements.
    fn array(mut self, from: &mut Input<'p>, tag: &Tag<'p>) -> Result<PropertyValue<'p>, Reason> {
        let layout = &self.context.layout;
        let of = tag.head.of.inner().ok_or(Reason::UnknownElements)?;
        let count = from.count(0, layout)?;
        if tag.elements.is_some() {
            TagHead::read(from, self.context)?;
        }
        let each = from.remaining().checked_div(count.into()).unwrap_or_default();
        self.bytes_are_names = of.kind() == Kind::Byte && each > 1;
        Elements::read(from, count, of, self.inside(from)?.at(Place::Element))
            .map(PropertyValue::Array)
    }

    pub(super) fn at(self, place: Place) -> Self {
        Self { place, ..self }
    }

    /// A value of that kind, which `from` moves past.
    pub(super) fn value(
        &self,
        from: &mut Input<'p>,
        kind: Kind,
        of: Option<&Type<'p>>,
    ) -> Result<PropertyValue<'p>, Reason> {
        let layout = &self.context.layout;
        Ok(match kind {
            Kind::Bool => PropertyValue::Bool(from.read::<u8>(layout)? != 0),
            Kind::Int8 => PropertyValue::Int(from.read::<i8>(layout)?.into()),
            Kind::Int16 => PropertyValue::Int(from.read::<i16>(layout)?.into()),
            Kind::Int => PropertyValue::Int(from.read::<i32>(layout)?.into()),
            Kind::Int64 => PropertyValue::Int(from.read(layout)?),
            Kind::UInt16 => PropertyValue::UInt(from.read::<u16>(layout)?.into()),
            Kind::UInt32 => PropertyValue::UInt(from.read::<u32>(layout)?.into()),
            Kind::UInt64 => PropertyValue::UInt(from.read(layout)?),
            Kind::Float => PropertyValue::Float(from.read(layout)?),
            Kind::Double => PropertyValue::Double(from.read(layout)?),
            Kind::Byte if !self.is_named_byte(from) => {
                PropertyValue::UInt(from.read::<u8>(layout)?.into())
            }
            Kind::Byte | Kind::Enum | Kind::Name => PropertyValue::Name(self.name(from)?),
            Kind::Str => PropertyValue::Text(from.read(layout)?),
            Kind::AnsiStr | Kind::Utf8Str | Kind::VerseString => {
                PropertyValue::Utf8(from.read(layout)?)
            }
            Kind::Object | Kind::Class | Kind::WeakObject | Kind::Interface => {
                PropertyValue::Object(from.read(layout)?)
            }
            Kind::LazyObject => PropertyValue::Guid(from.read(layout)?),
            Kind::AssetObject | Kind::AssetClass if !layout.ue4(514) => {
                PropertyValue::Text(from.read(layout)?)
            }
            Kind::AssetObject | Kind::AssetClass | Kind::SoftObject | Kind::SoftClass => {
                PropertyValue::Soft(self.soft(from)?)
            }
            Kind::Delegate => PropertyValue::Delegate(self.delegate(from)?),
            Kind::MulticastDelegate
            | Kind::MulticastInlineDelegate
            | Kind::MulticastSparseDelegate => {
                PropertyValue::Delegates(Delegates::read(from, self)?)
            }
            Kind::FieldPath => PropertyValue::FieldPath(self.field_path(from)?),
            Kind::Optional => self.optional(from, of)?,
            Kind::Array => {
                let inner = of.and_then(Type::inner).ok_or(Reason::UnknownElements)?;
                let count = from.count(0, layout)?;
                PropertyValue::Array(Elements::read(from, count, inner, self.inside(from)?)?)
            }
            Kind::Set => PropertyValue::Set(Set::read(from, of, self.inside(from)?)?),
            Kind::Map => PropertyValue::Map(Map::read(from, of, self.inside(from)?)?),
            Kind::Struct => self.structure(from, of)?,
            Kind::Text => PropertyValue::Formatted(FormattedText::read(from, self.context)?),
            Kind::Unknown => return Err(Reason::UnknownKind),
        })
    }

    /// Whether a byte is written as the name of an enum's member.
    fn is_named_byte(&self, from: &Input<'_>) -> bool {
        match self.place {
            Place::Tag => from.remaining() > 1,
            _ => self.bytes_are_names,
        }
    }

    /// A name that the file has.
    fn name(&self, from: &mut Input<'p>) -> Result<NameRef<'p>, Error> {
        let at = *from;
        let name = from.read(&self.context.layout)?;
        self.context.expect(name, &at)?;
        Ok(name)
    }

    fn soft(&self, from: &mut Input<'p>) -> Result<SoftReference<'p>, Error> {
        let layout = &self.context.layout;
        if layout.soft_references_are_indices() {
            return self.listed(from);
        }
        let package = self.name(from)?;
        let asset = if layout.ue5(1007) { Some(self.name(from)?) } else { None };
        Ok(SoftReference { package, asset, sub_path: from.read(layout)?, index: None })
    }

    /// A reference that is an index into the list of them.
    fn listed(&self, from: &mut Input<'p>) -> Result<SoftReference<'p>, Error> {
        let at = *from;
        let index: i32 = from.read(&self.context.layout)?;
        let path = self.context.soft_paths.get(index, &self.context.layout);
        let path = path.ok_or_else(|| at.error(ErrorKind::NoSuchObject(index)))?;
        let (package, asset) = match path.path {
            AssetPath::Whole(name) => (name, None),
            AssetPath::Parts { package, asset } => (package, Some(NameRef::Index(asset))),
        };
        let (package, sub_path) = (NameRef::Index(package), path.sub_path);
        Ok(SoftReference { package, asset, sub_path, index: Some(index) })
    }

    pub(super) fn delegate(&self, from: &mut Input<'p>) -> Result<Delegate<'p>, Error> {
        let object = from.read(&self.context.layout)?;
        Ok(Delegate { object, function: self.name(from)? })
    }

    fn field_path(&self, from: &mut Input<'p>) -> Result<FieldPath<'p>, Error> {
        let layout = &self.context.layout;
        let path = Names::read(from, self.context)?;
        let owner = match layout.field_paths_have_owners() {
            true => Some(from.read(layout)?),
            false => None,
        };
        Ok(FieldPath { path, owner })
    }

    fn optional(
        &self,
        from: &mut Input<'p>,
        of: Option<&Type<'p>>,
    ) -> Result<PropertyValue<'p>, Reason> {
        let inner = of.and_then(Type::inner).ok_or(Reason::UnknownElements)?;
        let count = u32::from(from.read::<bool>(&self.context.layout)?);
        let inside = Self { native: None, ..self.inside(from)?.at(Place::Element) };
        Elements::read(from, count, inner, inside).map(PropertyValue::Optional)
    }

    /// A struct: in a form of its own, if it is one of those, or a list of properties.
    fn structure(
        &self,
        from: &mut Input<'p>,
        of: Option<&Type<'p>>,
    ) -> Result<PropertyValue<'p>, Reason> {
        let layout = &self.context.layout;
        let name = of.and_then(Type::name);
        let known = match name {
            Some(name) => name.as_str(),
            None => self.hinted(),
        };
        let native = known.and_then(|name| Native::named(name, layout));
        match (native, self.native) {
            (Some(native), None | Some(true)) => self.native(from, native),
            (None, Some(true)) if self.place == Place::Tag => Err(Reason::NativeStruct),
            (None, _) if known == Some("EdGraphPinType") => Err(Reason::NativeStruct),
            (None, None) if is_material_input(known) && layout.custom.core >= 1 => {
                Err(Reason::NativeStruct)
            }
            // What nobody has named may be anything, and so has to look like properties.
            _ => {
                let room = self.inside(from)?.room;
                let list = Properties::walked(from, self.context, name.is_none(), room)?;
                Ok(PropertyValue::Struct(list))
            }
        }
    }

    /// The name of a struct that the file does not name.
    fn hinted(&self) -> Option<&'p str> {
        let hint = self.context.hint(self.property)?;
        match self.place {
            Place::Key => hint.key,
            _ => hint.value,
        }
    }

    fn native(
        &self,
        from: &mut Input<'p>,
        native: &'static Native,
    ) -> Result<PropertyValue<'p>, Reason> {
        let (start, layout) = (*from, &self.context.layout);
        Ok(match native.form {
            NativeForm::Fields(fields) => {
                skip(fields, from, layout)?;
                let from = start.until(from);
                let fields = NativeFields { from, fields, layout: *layout };
                PropertyValue::Native(native, fields)
            }
            NativeForm::Scalar(part) => match part.read(from, layout)? {
                NativeValue::Int(value) => PropertyValue::Int(value),
                NativeValue::UInt(value) => PropertyValue::UInt(value),
                NativeValue::Guid(guid) => PropertyValue::Guid(guid),
                _ => return Err(Reason::NativeStruct),
            },
            NativeForm::SoftPath if !layout.ue4(514) => PropertyValue::Text(from.read(layout)?),
            NativeForm::SoftPath => PropertyValue::Soft(self.soft(from)?),
            NativeForm::Names => PropertyValue::Names(Names::read(from, self.context)?),
            NativeForm::Instanced => PropertyValue::Instanced(self.instanced(from)?),
        })
    }

    /// A struct of any type. Before its custom version there may be a mark and a version.
    fn instanced(&self, from: &mut Input<'p>) -> Result<Instanced<'p>, Reason> {
        const MARK: u32 = 0xABAB_ABAB;
        let layout = &self.context.layout;
        if layout.custom.instanced_struct < 0 && layout.editor_data {
            let mut after = *from;
            if after.read::<u32>(layout) == Ok(MARK) {
                after.read::<u8>(layout)?;
                *from = after;
            }
        }
        let of: ObjectRef<'p> = from.read(layout)?;
        let size = from.count(1, layout)?;
        let mut body = from.window(size.into())?;
        if size == 0 {
            return Ok(Instanced { of, size, properties: Properties::none(body, self.context) });
        }
        let properties =
            Properties::walked(&mut body, self.context, false, self.inside(from)?.room)?;
        match u32::try_from(body.remaining()) {
            Ok(0) => Ok(Instanced { of, size, properties }),
            left => Err(Reason::LeftOver(left.unwrap_or(u32::MAX))),
        }
    }
}

/// Inputs of materials; they have had tags before version 1 of `FCoreObjectVersion`.
fn is_material_input(name: Option<&str>) -> bool {
    matches!(
        name,
        Some(
            "ExpressionInput"
                | "MaterialAttributesInput"
                | "ColorMaterialInput"
                | "ScalarMaterialInput"
                | "ShadingModelMaterialInput"
                | "StrataMaterialInput"
                | "SubstrateMaterialInput"
                | "VectorMaterialInput"
                | "Vector2MaterialInput"
        )
    )
}
