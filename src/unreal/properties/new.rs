//! Properties from nothing: their types and tags.

use super::context::NameRef;
use super::head::{Details, Head, Shape};
use super::kind::Kind;
use super::tag::{OVERRIDDEN, Overridden, tag_flags};
use super::types::{DEPTH, NODES, Type};
use super::words::Word;
use crate::buffer::{Full, Sink};
use crate::unreal::Result;
use crate::unreal::buffers::TextBuf;
use crate::unreal::layout::Layout;
use crate::unreal::names::Name;
use crate::unreal::wire::{Guid, Value};
use alloc::borrow::Cow;
use alloc::vec::Vec;
use core::fmt::{self, Write};

/// The type of a new property: a word, and the types or names in it.
///
/// It is that of files from 5:1012; a tag of an older one has what such tags have of it.
/// `Display` prints it as [`Type`] does.
///
/// ```
/// use gamewire::unreal::{Kind, TypeBuf};
///
/// let item = TypeBuf::structure("Item", "/Script/Game");
/// let items = TypeBuf::map(TypeBuf::of(Kind::Name), item);
/// assert_eq!(items.to_string(), "MapProperty(NameProperty,StructProperty(Item(/Script/Game)))");
/// ```
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub struct TypeBuf {
    word: Cow<'static, str>,
    of: Vec<TypeBuf>,
}

impl TypeBuf {
    /// A kind of property, or the name of a struct or enum, or of the package of one.
    pub fn new(word: impl Into<Cow<'static, str>>) -> Self {
        Self { word: word.into(), of: Vec::new() }
    }

    /// A kind of property, with nothing in it.
    pub fn of(kind: Kind) -> Self {
        Self::new(kind.word())
    }

    /// The same with something more in it.
    #[must_use]
    pub fn with(mut self, parameter: Self) -> Self {
        self.of.push(parameter);
        self
    }

    /// A struct, and the package that it is of.
    pub fn structure(
        name: impl Into<Cow<'static, str>>,
        package: impl Into<Cow<'static, str>>,
    ) -> Self {
        Self::of(Kind::Struct).with(Self::new(name).with(Self::new(package)))
    }

    /// An enum, the package that it is of, and what its numbers are.
    pub fn enumeration(
        name: impl Into<Cow<'static, str>>,
        package: impl Into<Cow<'static, str>>,
        underlying: Kind,
    ) -> Self {
        let name = Self::new(name).with(Self::new(package));
        Self::of(Kind::Enum).with(name).with(Self::of(underlying))
    }

    /// An array of these.
    pub fn array(of: Self) -> Self {
        Self::of(Kind::Array).with(of)
    }

    /// A set of these.
    pub fn set(of: Self) -> Self {
        Self::of(Kind::Set).with(of)
    }

    /// One of these or none.
    pub fn optional(of: Self) -> Self {
        Self::of(Kind::Optional).with(of)
    }

    /// A map.
    pub fn map(key: Self, value: Self) -> Self {
        Self::of(Kind::Map).with(key).with(value)
    }

    /// What is in it.
    pub fn parameters(&self) -> &[Self] {
        &self.of
    }

    /// Its first word.
    pub fn word(&self) -> &str {
        &self.word
    }
}

/// As far as the tag says; types are no deeper inside each other than those that were read.
impl From<Type<'_>> for TypeBuf {
    fn from(of: Type<'_>) -> Self {
        let word = alloc::string::ToString::to_string(&of.word());
        let mut parameters: Vec<_> = of.parameters().map(Self::from).collect();
        if let (true, Some(name)) = (parameters.is_empty(), of.name()) {
            parameters.push(Self::new(alloc::string::ToString::to_string(&name)));
        }
        Self { word: word.into(), of: parameters }
    }
}

impl fmt::Display for TypeBuf {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.word)?;
        for (index, of) in self.of.iter().enumerate() {
            f.write_char(if index == 0 { '(' } else { ',' })?;
            of.fmt(f)?;
        }
        if self.of.is_empty() { Ok(()) } else { f.write_char(')') }
    }
}

/// The tag of a new property, whose names are those of a package
/// ([`PackageEditor::tag`](crate::unreal::PackageEditor::tag)) or of a save.
///
/// It is in the form of whichever file it is written in.
///
/// ```
/// use gamewire::unreal::{Kind, PropertyValue, PropertyWriter, Save, TagBuf, TypeBuf};
///
/// # if !std::path::Path::new("corpus").exists() { return Ok(()) } // not published
/// let file = &std::fs::read("corpus/unreal/gvas-ue4.27-Slot1.sav")?;
/// let save = Save::open(file)?;
/// let mut bytes = Vec::new();
/// let mut list = PropertyWriter::new(&mut bytes, &save.properties());
/// let score = TagBuf::in_save("Score", &TypeBuf::of(Kind::Int));
/// list.value(&score, &PropertyValue::Int(1200))?;
/// let times = TagBuf::in_save("Times", &TypeBuf::array(TypeBuf::of(Kind::Float)));
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
    /// Of the type, in pre-order.
    nodes: Vec<Node>,
    /// Whether readers take a type of as many nodes, as deep inside each other.
    is_readable: bool,
    /// For a byte that is no enum's.
    none: NameBuf,
    /// Which element of an array of fixed size it is.
    pub array_index: i32,
    /// Of the struct that it is or that is in it, from 4:441 to 5:1011: nothing, unless the
    /// struct was made in the editor.
    pub struct_guid: Guid,
    /// Of the property.
    pub guid: Option<Guid>,
    /// Whether the value is in a form of its own, from 5:1012 on: so it is from the start if it
    /// is a struct of which that is known, or such structs are in it.
    pub native: bool,
    /// What is overridden, from 5:1011 on.
    pub overridden: Option<Overridden>,
}

/// A name to be written.
#[derive(Clone, Debug)]
enum NameBuf {
    Index(Name),
    Text(TextBuf),
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
    kind: Kind,
    /// Of what may be a struct.
    text: Cow<'static, str>,
    count: u32,
}

impl TagBuf {
    /// A property of a save.
    pub fn in_save(name: &str, of: &TypeBuf) -> Self {
        let text = |text: &str| core::result::Result::<_, Never>::Ok(NameBuf::Text(text.into()));
        let Ok(tag) = Self::named(name, of, text);
        tag
    }

    /// A property of a package, whose names a function knows.
    ///
    /// # Errors
    /// If the function does not.
    pub fn in_package(
        name: &str,
        of: &TypeBuf,
        mut names: impl FnMut(&str) -> Result<Name>,
    ) -> Result<Self> {
        Self::named(name, of, |text| names(text).map(NameBuf::Index))
    }

    fn named<E>(
        name: &str,
        of: &TypeBuf,
        mut names: impl FnMut(&str) -> Result<NameBuf, E>,
    ) -> Result<Self, E> {
        let (mut nodes, mut depth) = (Vec::new(), 0usize);
        let mut rest: Vec<(&TypeBuf, usize)> = alloc::vec![(of, 0)];
        while let Some((next, above)) = rest.pop() {
            depth = depth.max(above);
            nodes.push(Node {
                name: names(&next.word)?,
                kind: Word::named(&next.word).kind(),
                text: next.word.clone(),
                count: u32::try_from(next.of.len()).unwrap_or(u32::MAX),
            });
            rest.extend(next.of.iter().rev().map(|of| (of, above.saturating_add(1))));
        }
        let native = nodes.windows(2).any(|pair| match pair {
            [of, name] if of.kind == Kind::Struct => {
                Word::named(&name.text).native(&Layout::default()).is_some()
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
            overridden: None,
        })
    }

    /// Where in the nodes a parameter of one of them is.
    fn parameter(&self, of: usize, index: u32) -> Option<usize> {
        let count = self.nodes.get(of)?.count;
        let mut at = of.checked_add(1)?;
        for _ in 0..index.min(count) {
            // Past all that is in this one.
            let mut left = 1u32;
            while left > 0 {
                left = left.checked_sub(1)?.checked_add(self.nodes.get(at)?.count)?;
                at = at.checked_add(1)?;
            }
        }
        (index < count).then_some(at)
    }

    fn shape_at(&self, at: usize) -> Option<Shape<'_>> {
        let node = self.nodes.get(at)?;
        let name = self.parameter(at, 0).and_then(|at| self.nodes.get(at));
        let name = name.filter(|_| node.kind == Kind::Struct).map(|name| &*name.text);
        Some(Shape { kind: node.kind, name })
    }

    /// The name of a parameter, or `None`.
    fn word(&self, of: usize, index: u32) -> NameRef<'_> {
        let node = self.parameter(of, index).and_then(|at| self.nodes.get(at));
        node.map_or_else(|| self.none.as_ref(), |node| node.name.as_ref())
    }

    /// What stands behind the size in its tag.
    fn details(&self, truth: Option<bool>, layout: &Layout) -> Details {
        let (is_flagged, kind) = (layout.ue5(1012), self.kind());
        let extensions = self.overridden.filter(|_| layout.ue5(1011)).map(|_| OVERRIDDEN);
        Details {
            array_index: self.array_index,
            flags: is_flagged.then(|| self.flags(truth)),
            truth: (kind == Kind::Bool).then_some(truth.unwrap_or_default().into()),
            struct_guid: (kind == Kind::Struct && layout.ue4(441)).then_some(self.struct_guid),
            guid: self.guid,
            extensions: extensions.or((layout.ue5(1011) && !is_flagged).then_some(0)),
            overridden: self.overridden,
        }
    }

    fn flags(&self, truth: Option<bool>) -> u8 {
        let bits = [
            (self.array_index != 0, tag_flags::ARRAY_INDEX),
            (self.guid.is_some(), tag_flags::GUID),
            (self.overridden.is_some(), tag_flags::EXTENSIONS),
            (self.native, tag_flags::NATIVE),
            (truth == Some(true), tag_flags::TRUE),
        ];
        bits.into_iter().filter(|(set, _)| *set).fold(0, |flags, (_, bit)| flags | bit)
    }

    fn kind(&self) -> Kind {
        self.nodes.first().map_or(Kind::Unknown, |node| node.kind)
    }
}

enum Never {}

impl Head for TagBuf {
    fn name_ref(&self) -> NameRef<'_> {
        self.name.as_ref()
    }

    fn native_flag(&self, layout: &Layout) -> Option<bool> {
        layout.ue5(1012).then_some(self.native)
    }

    fn is_readable(&self) -> bool {
        self.is_readable
    }

    fn shape(&self) -> Shape<'_> {
        self.shape_at(0).unwrap_or(Shape { kind: Kind::Unknown, name: None })
    }

    fn inside(&self, index: u32) -> Option<Shape<'_>> {
        self.shape_at(self.parameter(0, index)?)
    }

    fn write<S: Sink>(
        &self,
        truth: Option<bool>,
        to: &mut S,
        layout: &Layout,
    ) -> Result<usize, Full> {
        self.name.as_ref().write(to, layout)?;
        for node in &self.nodes {
            node.name.as_ref().write(to, layout)?;
            if !layout.ue5(1012) {
                break;
            }
            node.count.write(to, layout)?;
        }
        let size = to.position();
        0u32.write(to, layout)?;
        let words = |to: &mut S| {
            (0..self.kind().words(layout))
                .try_for_each(|index| self.word(0, index).write(to, layout))
        };
        self.details(truth, layout).write(words, to, layout)?;
        Ok(size)
    }

    fn write_inner<S: Sink>(&self, to: &mut S, layout: &Layout) -> Result<Option<usize>, Full> {
        let Some(inner) = self.parameter(0, 0) else { return Ok(None) };
        self.name.as_ref().write(to, layout)?;
        self.word(0, 0).write(to, layout)?;
        let size = to.position();
        0u32.write(to, layout)?;
        let struct_guid = layout.ue4(441).then_some(self.struct_guid);
        let own = self.details(None, layout);
        let details = Details { array_index: 0, struct_guid, guid: None, ..own };
        details.write(|to| self.word(inner, 0).write(to, layout), to, layout)?;
        Ok(Some(size))
    }
}
