//! Tags of new properties.

use super::tag_source::{TagDetails, ValueShape, WriteTag};
use crate::buffer::{Full, Sink};
use crate::unreal::format::{Guid, Layout, Name, Result, StrBuf, Value};
use crate::unreal::format::{ue4, ue5};
use crate::unreal::properties::read::{OVERRIDDEN, Overridden, tag_flags};
use crate::unreal::properties::types::{
    DEPTH, KnownName, NODES, NameRef, NativeStruct, PropertyKind, PropertyTypeBuf,
};
use alloc::borrow::Cow;
use alloc::vec::Vec;

/// The tag of a new property, created for a package
/// ([`PackageEditor::tag`](crate::unreal::PackageEditor::tag)) or for a save ([`TagBuf::in_save`]).
///
/// The tag is written in the format of the file.
///
/// ```
/// use gamewire::unreal::{
///     PropertyKind, PropertyValue, PropertyWriter, Save, TagBuf, PropertyTypeBuf,
/// };
///
/// # if !std::path::Path::new("corpus").exists() { return Ok(()) } // not published
/// let file = &std::fs::read("corpus/unreal/gvas-ue4.27-Slot1.sav")?;
/// let save = Save::open(file)?;
/// let mut bytes = Vec::new();
/// let mut list = PropertyWriter::new(&mut bytes, &save.properties());
/// let score = TagBuf::in_save("Score", &PropertyTypeBuf::of(PropertyKind::Int));
/// list.value(&score, &PropertyValue::Int(1200))?;
/// let times = TagBuf::in_save("Times", &PropertyTypeBuf::array(PropertyTypeBuf::of(PropertyKind::Float)));
/// let mut elements = list.container(&times)?;
/// for time in [12.5, 9.25] {
///     elements.value(&PropertyValue::Float(time))?;
/// }
/// elements.finish()?;
/// list.finish()?;
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Clone, Debug)]
pub struct TagBuf {
    name: NameBuf,
    /// Nodes of the type in pre-order.
    nodes: Vec<Node>,
    /// `true` if the type is within the limits of readers.
    is_readable: bool,
    /// The name `None`, which the tag of a byte without an enum contains.
    none: NameBuf,
    /// Index in a fixed-size array.
    pub array_index: i32,
    /// GUID of the struct, or of the struct type of an array. Files from 4:441 to 5:1011 contain
    /// it. Zero unless the struct was made in the editor.
    pub struct_guid: Guid,
    /// GUID of the property.
    pub guid: Option<Guid>,
    /// Flag for native serialization, which files from 5:1012 on contain. Initially `true` if the
    /// type is or contains a struct with known native serialization.
    pub native: bool,
    /// Further flags for files from 5:1012 on.
    pub(crate) flags: u8,
    /// Overridable serialization data, which files from 5:1011 on can contain.
    pub overridden: Option<Overridden>,
}

/// An owned name for writing.
#[derive(Clone, Debug)]
enum NameBuf {
    Index(Name),
    Text(StrBuf),
}

impl NameBuf {
    fn as_ref(&self) -> NameRef<'_> {
        match self {
            Self::Index(name) => NameRef::Index(*name),
            Self::Text(text) => NameRef::Text(text.as_text()),
        }
    }
}

#[derive(Clone, Debug)]
struct Node {
    name: NameBuf,
    kind: PropertyKind,
    /// Text of the name, which identifies a struct.
    text: Cow<'static, str>,
    count: u32,
}

impl TagBuf {
    /// Creates a tag for a save.
    pub fn in_save(name: &str, of: &PropertyTypeBuf) -> Self {
        let text = |text: &str| core::result::Result::<_, Never>::Ok(NameBuf::Text(text.into()));
        let Ok(tag) = Self::named(name, of, text);
        tag
    }

    /// Creates a tag for a package. `names` returns the name that stands for a text in the package.
    ///
    /// # Errors
    /// If `names` fails.
    pub fn in_package(
        name: &str,
        of: &PropertyTypeBuf,
        mut names: impl FnMut(&str) -> Result<Name>,
    ) -> Result<Self> {
        Self::named(name, of, |text| names(text).map(NameBuf::Index))
    }

    fn named<E>(
        name: &str,
        of: &PropertyTypeBuf,
        mut names: impl FnMut(&str) -> Result<NameBuf, E>,
    ) -> Result<Self, E> {
        let (mut nodes, mut depth) = (Vec::new(), 0);
        for (next, level) in of.nodes() {
            depth = depth.max(level);
            nodes.push(Node {
                name: names(next.name())?,
                kind: KnownName::named(next.name()).kind(),
                text: next.name_cow(),
                count: u32::try_from(next.parameters().len()).unwrap_or(u32::MAX),
            });
        }
        let native = nodes.windows(2).any(|pair| match pair {
            [of, name] if of.kind == PropertyKind::Struct => {
                KnownName::named(&name.text).known().is_some_and(NativeStruct::is_in_newest)
            }
            _ => false,
        });
        Ok(Self {
            name: names(name)?,
            is_readable: depth <= DEPTH && nodes.len() <= NODES as usize,
            nodes,
            none: names("None")?,
            array_index: 0,
            struct_guid: Guid::default(),
            guid: None,
            native,
            flags: 0,
            overridden: None,
        })
    }

    /// Returns the index in `nodes` of a parameter of the node `of`.
    fn parameter(&self, of: usize, index: u32) -> Option<usize> {
        let count = self.nodes.get(of)?.count;
        let mut at = of.checked_add(1)?;
        for _ in 0..index.min(count) {
            // Skips the subtree of this node.
            let mut left = 1u32;
            while left > 0 {
                left = left.checked_sub(1)?.checked_add(self.nodes.get(at)?.count)?;
                at = at.checked_add(1)?;
            }
        }
        (index < count).then_some(at)
    }

    fn shape_at(&self, at: usize) -> Option<ValueShape<'_>> {
        let node = self.nodes.get(at)?;
        let name = self.parameter(at, 0).and_then(|at| self.nodes.get(at));
        let name = name.filter(|_| node.kind == PropertyKind::Struct).map(|name| &*name.text);
        Some(ValueShape::new(node.kind, name))
    }

    /// Returns the name of a parameter, or the name `None` if there is no such parameter.
    fn word(&self, of: usize, index: u32) -> NameRef<'_> {
        let node = self.parameter(of, index).and_then(|at| self.nodes.get(at));
        node.map_or_else(|| self.none.as_ref(), |node| node.name.as_ref())
    }

    /// Returns the fields of the tag after the size.
    fn details(&self, bool_value: Option<bool>, layout: &Layout) -> TagDetails {
        let (is_flagged, kind) =
            (layout.has_ue5(ue5::PROPERTY_TAG_COMPLETE_TYPE_NAME), self.kind());
        let extensions = self
            .overridden
            .filter(|_| layout.has_ue5(ue5::PROPERTY_TAG_EXTENSION_AND_OVERRIDABLE_SERIALIZATION))
            .map(|_| OVERRIDDEN);
        TagDetails {
            array_index: self.array_index,
            flags: is_flagged.then(|| self.flags(bool_value)),
            bool_value: (kind == PropertyKind::Bool)
                .then_some(bool_value.unwrap_or_default().into()),
            struct_guid: (kind == PropertyKind::Struct
                && layout.has_ue4(ue4::STRUCT_GUID_IN_PROPERTY_TAG))
            .then_some(self.struct_guid),
            guid: self.guid,
            extensions: extensions
                .or((layout.has_ue5(ue5::PROPERTY_TAG_EXTENSION_AND_OVERRIDABLE_SERIALIZATION)
                    && !is_flagged)
                    .then_some(0)),
            overridden: self.overridden,
        }
    }

    fn flags(&self, bool_value: Option<bool>) -> u8 {
        let bits = [
            (self.array_index != 0, tag_flags::ARRAY_INDEX),
            (self.guid.is_some(), tag_flags::GUID),
            (self.overridden.is_some(), tag_flags::EXTENSIONS),
            (self.native, tag_flags::NATIVE),
            (bool_value == Some(true), tag_flags::TRUE),
        ];
        bits.into_iter().filter(|(set, _)| *set).fold(self.flags, |flags, (_, bit)| flags | bit)
    }

    fn kind(&self) -> PropertyKind {
        self.nodes.first().map_or(PropertyKind::Unknown, |node| node.kind)
    }
}

enum Never {}

impl WriteTag for TagBuf {
    fn name_ref(&self) -> NameRef<'_> {
        self.name.as_ref()
    }

    fn native_flag(&self, layout: &Layout) -> Option<bool> {
        layout.has_ue5(ue5::PROPERTY_TAG_COMPLETE_TYPE_NAME).then_some(self.native)
    }

    fn is_readable(&self) -> bool {
        self.is_readable
    }

    fn shape(&self) -> ValueShape<'_> {
        self.shape_at(0).unwrap_or(ValueShape::new(PropertyKind::Unknown, None))
    }

    fn inside(&self, index: u32) -> Option<ValueShape<'_>> {
        self.shape_at(self.parameter(0, index)?)
    }

    fn write<S: Sink>(
        &self,
        bool_value: Option<bool>,
        to: &mut S,
        layout: &Layout,
    ) -> Result<usize, Full> {
        self.name.as_ref().write(to, layout)?;
        for node in &self.nodes {
            node.name.as_ref().write(to, layout)?;
            if !layout.has_ue5(ue5::PROPERTY_TAG_COMPLETE_TYPE_NAME) {
                break;
            }
            node.count.write(to, layout)?;
        }
        let size = to.position();
        0u32.write(to, layout)?;
        let words = |to: &mut S| {
            (0..self.kind().tag_names(layout))
                .try_for_each(|index| self.word(0, index).write(to, layout))
        };
        self.details(bool_value, layout).write(words, to, layout)?;
        Ok(size)
    }

    fn write_inner<S: Sink>(&self, to: &mut S, layout: &Layout) -> Result<Option<usize>, Full> {
        let Some(inner) = self.parameter(0, 0) else { return Ok(None) };
        self.name.as_ref().write(to, layout)?;
        self.word(0, 0).write(to, layout)?;
        let size = to.position();
        0u32.write(to, layout)?;
        let struct_guid =
            layout.has_ue4(ue4::STRUCT_GUID_IN_PROPERTY_TAG).then_some(self.struct_guid);
        let own = self.details(None, layout);
        let details = TagDetails { array_index: 0, struct_guid, guid: None, ..own };
        details.write(|to| self.word(inner, 0).write(to, layout), to, layout)?;
        Ok(Some(size))
    }
}
