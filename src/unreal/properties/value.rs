//! The values of properties.

use super::containers::{Delegates, Elements, Map, Names, Set};
use super::context::{Context, Hint, NameRef, ObjectRef};
use super::formatted::FormattedText;
use super::kind::Kind;
use super::structs::{Native, NativeFields, NativeForm, NativeValue, size};
use super::tag::{Tag, TagHead};
use super::types::Type;
use super::words::{Code, Word};
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
        let mut value = PropertyValue::Bool(self.truth);
        if let Err(reason) = self.read_value(&mut value) {
            value = PropertyValue::Opaque(self.bytes(), reason);
        }
        value
    }

    fn read_value(&self, to: &mut PropertyValue<'p>) -> Result<(), Reason> {
        let mut decode = Decode::new(self);
        match self.kind() {
            // `to` is that; no bytes belong to it.
            Kind::Bool => match self.payload.remaining() {
                0 => Ok(()),
                left => Err(Reason::LeftOver(u32::try_from(left).unwrap_or(u32::MAX))),
            },
            Kind::Struct => decode.whole(self, |all, from| all.structure(from, self.code, to)),
            kind @ (Kind::Array | Kind::Set | Kind::Map | Kind::Optional) => {
                let of = self.of();
                decode.hint = self.context.hint_of(self);
                let mut read = |decode: &Decode<'p>| match kind {
                    Kind::Array => decode.whole(self, |all, from| all.array(from, &of, to)),
                    _ => decode.whole(self, |all, from| all.container(from, kind, &of, to)),
                };
                match read(&decode) {
                    // Enums in sets and maps may be names; nothing says so.
                    Err(_) if matches!(kind, Kind::Set | Kind::Map) => {
                        decode.bytes_are_names = true;
                        read(&decode)
                    }
                    read => read,
                }
            }
            kind => decode.whole(self, |all, from| all.value(from, kind, None, to)),
        }
    }
}

/// How to read a value.
#[derive(Clone, Copy, Debug)]
pub(super) struct Decode<'p> {
    pub context: &'p Context<'p>,
    /// What the caller knows of the property.
    hint: Option<&'p Hint<'p>>,
    /// Whether enums of one byte are written as names.
    bytes_are_names: bool,
    /// Whether the tag says that structs are in forms of their own; `None` where tags do not.
    native: Option<bool>,
    /// Where in a container the value is.
    pub place: Place,
    /// How many values may still be inside each other.
    room: u8,
}

/// How a struct lies there.
enum Form {
    Native(&'static Native),
    /// In a form that is not known.
    Unknown,
    /// Properties; or something else, if it does not look like some.
    Tagged {
        doubtful: bool,
    },
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
            context: tag.context,
            hint: None,
            bytes_are_names: false,
            native: tag.native,
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

    /// Reads all of a tag's value.
    #[inline(always)]
    fn whole(
        &self,
        tag: &Tag<'p>,
        read: impl FnOnce(&Self, &mut Input<'p>) -> Result<(), Reason>,
    ) -> Result<(), Reason> {
        let mut from = tag.payload;
        read(self, &mut from)?;
        match u32::try_from(from.remaining()) {
            Ok(0) => Ok(()),
            left => Err(Reason::LeftOver(left.unwrap_or(u32::MAX))),
        }
    }

    /// An array, which may have a tag for its elements.
    fn array(
        mut self,
        from: &mut Input<'p>,
        of: &Type<'p>,
        to: &mut PropertyValue<'p>,
    ) -> Result<(), Reason> {
        let mut of = of.inner().ok_or(Reason::UnknownElements)?;
        let count = from.count(0, &self.context.layout)?;
        let mut behind = *from;
        if of.shares_tag()
            && let Ok(Some(head)) = TagHead::read(&mut behind, self.context)
        {
            *from = behind;
            head.of.struct_name().into_iter().for_each(|name| of.name_it(name));
        }
        let each = from.remaining().checked_div(count.into()).unwrap_or_default();
        self.bytes_are_names = of.kind() == Kind::Byte && each > 1;
        let inside = self.inside(from)?.at(Place::Element);
        *to = PropertyValue::Array(Elements::read(from, count, of, inside)?);
        Ok(())
    }

    pub(super) fn at(self, place: Place) -> Self {
        Self { place, ..self }
    }

    /// A value of that kind, which `from` moves past. (Values are large: each is made where it
    /// is wanted. What all arms had in common would be made somewhere else, and copied.)
    pub(super) fn value(
        &self,
        from: &mut Input<'p>,
        kind: Kind,
        of: Option<&Type<'p>>,
        to: &mut PropertyValue<'p>,
    ) -> Result<(), Reason> {
        let layout = &self.context.layout;
        match kind {
            Kind::Bool => *to = PropertyValue::Bool(from.read::<u8>(layout)? != 0),
            Kind::Int8 => *to = PropertyValue::Int(from.read::<i8>(layout)?.into()),
            Kind::Int16 => *to = PropertyValue::Int(from.read::<i16>(layout)?.into()),
            Kind::Int => *to = PropertyValue::Int(from.read::<i32>(layout)?.into()),
            Kind::Int64 => *to = PropertyValue::Int(from.read(layout)?),
            Kind::UInt16 => *to = PropertyValue::UInt(from.read::<u16>(layout)?.into()),
            Kind::UInt32 => *to = PropertyValue::UInt(from.read::<u32>(layout)?.into()),
            Kind::UInt64 => *to = PropertyValue::UInt(from.read(layout)?),
            Kind::Float => *to = PropertyValue::Float(from.read(layout)?),
            Kind::Double => *to = PropertyValue::Double(from.read(layout)?),
            Kind::Byte if !self.is_named_byte(from) => {
                *to = PropertyValue::UInt(from.read::<u8>(layout)?.into());
            }
            Kind::Byte | Kind::Enum | Kind::Name => *to = PropertyValue::Name(self.name(from)?),
            Kind::Str => *to = PropertyValue::Text(from.read(layout)?),
            Kind::AnsiStr | Kind::Utf8Str | Kind::VerseString => {
                *to = PropertyValue::Utf8(from.read(layout)?);
            }
            Kind::Object | Kind::Class | Kind::WeakObject | Kind::Interface => {
                *to = PropertyValue::Object(from.read(layout)?);
            }
            Kind::LazyObject => *to = PropertyValue::Guid(from.read(layout)?),
            Kind::AssetObject | Kind::AssetClass if !layout.ue4(514) => {
                *to = PropertyValue::Text(from.read(layout)?);
            }
            Kind::AssetObject | Kind::AssetClass | Kind::SoftObject | Kind::SoftClass => {
                *to = PropertyValue::Soft(self.soft(from)?);
            }
            Kind::Delegate => *to = PropertyValue::Delegate(self.delegate(from)?),
            Kind::MulticastDelegate
            | Kind::MulticastInlineDelegate
            | Kind::MulticastSparseDelegate => {
                *to = PropertyValue::Delegates(Delegates::read(from, self)?);
            }
            Kind::FieldPath => *to = PropertyValue::FieldPath(self.field_path(from)?),
            Kind::Text => *to = PropertyValue::Formatted(FormattedText::read(from, self.context)?),
            Kind::Unknown => return Err(Reason::UnknownKind),
            Kind::Struct => {
                return self.structure(from, of.map_or(Code::UNKNOWN, |of| of.code), to);
            }
            Kind::Optional | Kind::Array | Kind::Set | Kind::Map => {
                return self.container(from, kind, of.ok_or(Reason::UnknownElements)?, to);
            }
        }
        Ok(())
    }

    #[inline(never)]
    fn container(
        &self,
        from: &mut Input<'p>,
        kind: Kind,
        of: &Type<'p>,
        to: &mut PropertyValue<'p>,
    ) -> Result<(), Reason> {
        *to = match kind {
            Kind::Set => PropertyValue::Set(Set::read(from, of, self.inside(from)?)?),
            Kind::Map => PropertyValue::Map(Map::read(from, of, self.inside(from)?)?),
            Kind::Optional => PropertyValue::Optional(self.optional(from, of)?),
            _ => {
                let inner = of.inner().ok_or(Reason::UnknownElements)?;
                let count = from.count(0, &self.context.layout)?;
                PropertyValue::Array(Elements::read(from, count, inner, self.inside(from)?)?)
            }
        };
        Ok(())
    }

    /// Moves past a value of that type, if it is one.
    pub(super) fn pass(&self, from: &mut Input<'p>, of: &Type<'p>) -> Result<(), Reason> {
        match of.kind() {
            Kind::Str => from.read::<Text<'p>>(&self.context.layout).map(drop)?,
            Kind::Enum | Kind::Name => self.name(from).map(drop)?,
            Kind::Struct => match self.form(of.code) {
                Form::Tagged { doubtful } => self.tagged(from, doubtful).map(drop)?,
                _ => self.structure(from, of.code, &mut PropertyValue::Bool(false))?,
            },
            kind => self.value(from, kind, Some(of), &mut PropertyValue::Bool(false))?,
        }
        Ok(())
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
        self.context.check(name, &at)?;
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
        let Context { soft_paths, layout, .. } = self.context;
        soft_paths.prepare(layout, |_, _| ());
        let path = soft_paths.get(index, layout);
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

    fn optional(&self, from: &mut Input<'p>, of: &Type<'p>) -> Result<Elements<'p>, Reason> {
        let inner = of.inner().ok_or(Reason::UnknownElements)?;
        let count = u32::from(from.read::<bool>(&self.context.layout)?);
        let inside = Self { native: None, ..self.inside(from)?.at(Place::Element) };
        Elements::read(from, count, inner, inside)
    }

    /// A struct: in a form of its own, if it is one of those, or a list of properties.
    fn structure(
        &self,
        from: &mut Input<'p>,
        code: Code,
        to: &mut PropertyValue<'p>,
    ) -> Result<(), Reason> {
        match self.form(code) {
            Form::Native(native) => return self.native(from, native, to),
            Form::Unknown => return Err(Reason::NativeStruct),
            Form::Tagged { doubtful } => *to = PropertyValue::Struct(self.tagged(from, doubtful)?),
        }
        Ok(())
    }

    fn tagged(&self, from: &mut Input<'p>, doubtful: bool) -> Result<Properties<'p>, Error> {
        let room = self.inside(from)?.room;
        Properties::walked(from, self.context, doubtful, room)
    }

    /// How a struct lies there whose name means that.
    fn form(&self, code: Code) -> Form {
        let word = match code {
            Code::UNKNOWN => self.hinted().map_or(Word::Other, Word::named),
            code => code.word(),
        };
        let layout = &self.context.layout;
        match (word.native(layout), word, self.native) {
            (Some(native), _, None | Some(true)) => Form::Native(native),
            (_, _, Some(true)) if self.place == Place::Tag => Form::Unknown,
            (_, Word::Opaque, _) => Form::Unknown,
            (_, Word::MaterialInput, None) if layout.custom.core >= 1 => Form::Unknown,
            // What nobody has named may be anything, and so has to look like properties.
            _ => Form::Tagged { doubtful: code == Code::UNKNOWN },
        }
    }

    /// The size of values of that type in a container, where all have the same and nothing in
    /// them can be wrong.
    pub(super) fn size(&self, of: &Type<'p>) -> Option<u64> {
        let layout = &self.context.layout;
        Some(match of.kind() {
            Kind::Bool | Kind::Int8 => 1,
            Kind::Byte if !self.bytes_are_names && self.place != Place::Tag => 1,
            Kind::Int16 | Kind::UInt16 => 2,
            Kind::Int | Kind::UInt32 | Kind::Float => 4,
            Kind::Int64 | Kind::UInt64 | Kind::Double => 8,
            Kind::Object | Kind::Class | Kind::WeakObject | Kind::Interface
                if !layout.names_as_text =>
            {
                4
            }
            Kind::LazyObject => 16,
            Kind::Struct => match self.form(of.code) {
                Form::Native(Native { form: NativeForm::Fields(fields), .. }) => {
                    size(fields, layout)
                }
                Form::Native(Native { form: NativeForm::Scalar(part), .. }) => part.size(layout),
                _ => return None,
            },
            _ => return None,
        })
    }

    /// The name of a struct that the file does not name.
    fn hinted(&self) -> Option<&'p str> {
        match self.place {
            Place::Key => self.hint?.key,
            _ => self.hint?.value,
        }
    }

    fn native(
        &self,
        from: &mut Input<'p>,
        native: &'static Native,
        to: &mut PropertyValue<'p>,
    ) -> Result<(), Reason> {
        let layout = &self.context.layout;
        *to = match native.form {
            NativeForm::Fields(fields) => {
                let from = from.window(size(fields, layout))?;
                PropertyValue::Native(native, NativeFields { from, fields, layout })
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
        };
        Ok(())
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
