//! Writes mappings files.

use super::file::{MAGIC, MappingsCompression, NEWEST};
use super::type_check::type_number;
use crate::unreal::format::{Guid, Versions};
use alloc::borrow::Cow;
use alloc::boxed::Box;
use alloc::string::String;
use alloc::vec::Vec;

type Text = Cow<'static, str>;

/// The content of a mappings file to write: enums, classes and structs, and extensions.
///
/// ```
/// use gamewire::unreal::Mappings;
/// use gamewire::unreal::mappings::{MappedTypeBuf, MappingsBuf, PropertyBuf, StructBuf};
///
/// let mut all = MappingsBuf::new(4);
/// let names = MappedTypeBuf::Array(Box::new(MappedTypeBuf::Plain(5)));
/// all.structs.push(StructBuf::new("Thing").with(PropertyBuf::new("Names", names)));
/// let file = all.write();
/// let mappings = Mappings::open(&file)?;
/// let (property, slot) = mappings.find_struct("Thing").unwrap().find_property("names").unwrap();
/// assert_eq!((property.of().to_string(), slot), ("ArrayProperty(NameProperty)".into(), 0));
/// # Ok::<(), gamewire::unreal::Error>(())
/// ```
#[derive(Clone, Debug, Default, PartialEq)]
pub struct MappingsBuf {
    /// Version of the format, 0 to 4.
    pub version: u8,
    /// Versions of the game's packages; written only from version 1 of the format on.
    pub versions: Option<VersionsBuf>,
    /// The enums.
    pub enums: Vec<EnumBuf>,
    /// The classes and structs.
    pub structs: Vec<StructBuf>,
    /// `true` to write the paths of enums and structs as an extension.
    pub has_paths: bool,
    /// `true` to write the values of enums as an extension. Below version 4, the table of enums has
    /// no values.
    pub has_enum_values: bool,
}

/// Package versions to write.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct VersionsBuf {
    /// File versions of the engine.
    pub versions: Versions,
    /// Custom versions.
    pub custom_versions: Vec<(Guid, i32)>,
    /// Changelist number of the game.
    pub changelist: u32,
}

/// An enum to write.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct EnumBuf {
    /// The name.
    pub name: Text,
    /// The path of the package.
    pub path: Text,
    /// The names of the entries and their values.
    pub entries: Vec<(Text, i64)>,
}

/// A class or struct to write.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct StructBuf {
    /// The name.
    pub name: Text,
    /// The path of the package.
    pub path: Text,
    /// The name of the super struct.
    pub parent: Option<Text>,
    /// The properties that the struct itself declares, in consecutive slots.
    pub properties: Vec<PropertyBuf>,
}

/// A property to write.
#[derive(Clone, Debug, PartialEq)]
pub struct PropertyBuf {
    /// The name.
    pub name: Text,
    /// Number of elements of an array of fixed size; 1 for other properties.
    pub elements: u8,
    /// The type.
    pub of: MappedTypeBuf,
}

/// A type to write.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum MappedTypeBuf {
    /// A type without parameters, by its number in the format.
    Plain(u8),
    /// A struct with this name.
    Struct(Text),
    /// An enum with this name, and the number of its underlying type.
    Enum(Text, u8),
    /// An array.
    Array(Box<MappedTypeBuf>),
    /// A set.
    Set(Box<MappedTypeBuf>),
    /// An optional value.
    Optional(Box<MappedTypeBuf>),
    /// A map.
    Map(Box<MappedTypeBuf>, Box<MappedTypeBuf>),
}

impl StructBuf {
    /// Creates a struct without properties.
    pub fn new(name: impl Into<Text>) -> Self {
        Self { name: name.into(), ..Self::default() }
    }

    /// Sets the super struct.
    #[must_use]
    pub fn under(mut self, parent: impl Into<Text>) -> Self {
        self.parent = Some(parent.into());
        self
    }

    /// Adds a property.
    #[must_use]
    pub fn with(mut self, property: PropertyBuf) -> Self {
        self.properties.push(property);
        self
    }
}

impl PropertyBuf {
    /// Creates a property.
    pub fn new(name: impl Into<Text>, of: MappedTypeBuf) -> Self {
        Self { name: name.into(), elements: 1, of }
    }
}

impl MappingsBuf {
    /// Creates empty mappings of this version of the format. A version above 4 counts as 4.
    pub fn new(version: u8) -> Self {
        Self { version: version.min(NEWEST), ..Self::default() }
    }

    /// Writes a file whose body is not compressed.
    pub fn write(&self) -> Vec<u8> {
        let body = self.body();
        self.write_compressed(MappingsCompression::Stored, body.len(), &body)
    }

    /// Writes the header, and a body that the caller has compressed. `size` is the size of the body
    /// without compression.
    pub fn write_compressed(
        &self,
        compression: MappingsCompression,
        size: usize,
        body: &[u8],
    ) -> Vec<u8> {
        let mut to = Vec::new();
        to.extend(MAGIC.to_le_bytes());
        to.push(self.version);
        match &self.versions {
            _ if self.version < 1 => {}
            None => put(&mut to, 0),
            Some(VersionsBuf { versions, custom_versions: custom, changelist }) => {
                put(&mut to, 1);
                put(&mut to, versions.ue4.cast_unsigned());
                put(&mut to, versions.ue5.cast_unsigned());
                count(&mut to, custom.len());
                for (guid, version) in custom {
                    guid.0.iter().for_each(|word| put(&mut to, *word));
                    put(&mut to, version.cast_unsigned());
                }
                put(&mut to, *changelist);
            }
        }
        to.push(compression.number());
        count(&mut to, body.len());
        count(&mut to, size);
        to.extend_from_slice(body);
        to
    }

    /// Writes the body without a header and without compression.
    pub fn body(&self) -> Vec<u8> {
        let mut names = Names::default();
        let mut tables = Vec::new();
        count(&mut tables, self.enums.len());
        for of in &self.enums {
            names.put(&of.name, &mut tables);
            self.small(3, of.entries.len(), &mut tables);
            for (name, value) in &of.entries {
                if self.version >= 4 {
                    tables.extend(value.to_le_bytes());
                }
                names.put(name, &mut tables);
            }
        }
        count(&mut tables, self.structs.len());
        for of in &self.structs {
            of.write(&mut names, &mut tables);
        }
        self.extensions(&mut names, &mut tables);
        let mut to = Vec::new();
        count(&mut to, names.all.len());
        for name in &names.all {
            self.small(2, name.len(), &mut to);
            to.extend_from_slice(name.as_bytes());
        }
        to.append(&mut tables);
        to
    }

    /// Writes a number that takes two bytes from version `wide_from` on, and one byte before.
    fn small(&self, wide_from: u8, number: usize, to: &mut Vec<u8>) {
        match self.version >= wide_from {
            true => short(to, number),
            false => to.push(u8::try_from(number).unwrap_or(u8::MAX)),
        }
    }

    fn extensions(&self, names: &mut Names, to: &mut Vec<u8>) {
        let mut sections = Vec::new();
        if self.has_paths {
            let mut paths = alloc::vec![0];
            count(&mut paths, self.enums.len());
            self.enums.iter().for_each(|of| names.put(&of.path, &mut paths));
            count(&mut paths, self.structs.len());
            self.structs.iter().for_each(|of| names.put(&of.path, &mut paths));
            sections.push((b"PPTH", paths));
        }
        if self.has_enum_values {
            let mut values = alloc::vec![0];
            count(&mut values, self.enums.len());
            for of in &self.enums {
                count(&mut values, of.entries.len());
                for (name, value) in &of.entries {
                    names.put(name, &mut values);
                    values.extend(value.to_le_bytes());
                }
            }
            sections.push((b"ENVP", values));
        }
        if !sections.is_empty() {
            to.extend_from_slice(b"CEXT\0");
            count(to, sections.len());
        }
        for (id, section) in sections {
            to.extend_from_slice(id);
            count(to, section.len());
            to.extend(section);
        }
    }
}

impl StructBuf {
    fn write(&self, names: &mut Names, to: &mut Vec<u8>) {
        names.put(&self.name, to);
        match &self.parent {
            Some(parent) => names.put(parent, to),
            None => put(to, u32::MAX),
        }
        let slots = self.properties.iter().map(|property| usize::from(property.elements));
        short(to, slots.fold(0, usize::saturating_add));
        short(to, self.properties.len());
        let mut slot = 0usize;
        for property in &self.properties {
            short(to, slot);
            to.push(property.elements);
            names.put(&property.name, to);
            property.of.write(names, to);
            slot = slot.saturating_add(property.elements.into());
        }
    }
}

/// The recursion is as deep as the type, which the caller has built.
impl MappedTypeBuf {
    fn write(&self, names: &mut Names, to: &mut Vec<u8>) {
        match self {
            Self::Plain(number) => to.push(*number),
            Self::Struct(name) => {
                to.push(type_number::STRUCT);
                names.put(name, to);
            }
            Self::Enum(name, underlying) => {
                to.extend([type_number::ENUM, *underlying]);
                names.put(name, to);
            }
            Self::Array(of) => of.write_in(type_number::ARRAY, names, to),
            Self::Set(of) => of.write_in(type_number::SET, names, to),
            Self::Optional(of) => of.write_in(type_number::OPTIONAL, names, to),
            Self::Map(key, value) => {
                key.write_in(type_number::MAP, names, to);
                value.write(names, to);
            }
        }
    }

    fn write_in(&self, number: u8, names: &mut Names, to: &mut Vec<u8>) {
        to.push(number);
        self.write(names, to);
    }
}

/// The table of names.
#[derive(Default)]
struct Names {
    all: Vec<String>,
    indices: alloc::collections::BTreeMap<String, u32>,
}

impl Names {
    /// Writes the index of a name. Adds the name to the table if it is new.
    fn put(&mut self, name: &str, to: &mut Vec<u8>) {
        let next = u32::try_from(self.all.len()).unwrap_or(u32::MAX);
        let index = *self.indices.entry(name.into()).or_insert_with(|| {
            self.all.push(name.into());
            next
        });
        put(to, index);
    }
}

fn put(to: &mut Vec<u8>, number: u32) {
    to.extend(number.to_le_bytes());
}

fn count(to: &mut Vec<u8>, number: usize) {
    put(to, u32::try_from(number).unwrap_or(u32::MAX));
}

fn short(to: &mut Vec<u8>, number: usize) {
    to.extend(u16::try_from(number).unwrap_or(u16::MAX).to_le_bytes());
}
