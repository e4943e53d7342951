//! What a property means outside of itself: the names of the file, its layout, its list of
//! soft references, and what the caller knows.

use super::kind::Kind;
use super::tag::Tag;
use super::words::{self, Code, Words};
use crate::buffer::{Full, Sink};
use crate::unreal::indexed::Indexed;
use crate::unreal::layout::Layout;
use crate::unreal::list::Records;
use crate::unreal::names::{Name, NameEntry, NameText, PackageIndex};
use crate::unreal::tables::SoftObjectPath;
use crate::unreal::text::Text;
use crate::unreal::wire::{Input, Value};
use crate::unreal::{Error, ErrorKind, Result};
use core::fmt;

/// What is needed to read the properties of a file.
#[derive(Clone)]
pub(crate) struct Context<'a> {
    pub(crate) layout: Layout,
    pub(crate) names: NameTable<'a>,
    /// Those that the file lists and properties refer to by index.
    pub(crate) soft_paths: SoftPaths<'a>,
    pub(crate) hints: &'a [Hint<'a>],
}

/// The names of a package, and which of them mean something in properties.
#[derive(Debug)]
pub(crate) struct NameTable<'a> {
    all: Indexed<'a, NameEntry<'a>, 128>,
    words: Words,
}

impl<'a> NameTable<'a> {
    /// So many, of which the first is where `input` starts.
    pub(crate) const fn new(input: Input<'a>, count: u32) -> Self {
        Self { all: Indexed::new(input, count), words: Words::new() }
    }

    /// Walks over all of them, if that was not done yet.
    #[inline(always)]
    fn prepare(&self, layout: &Layout) {
        if !self.all.is_ready() {
            self.walk(layout);
        }
    }

    #[inline(never)]
    fn walk(&self, layout: &Layout) {
        let mut words = self.words.adder();
        self.all.prepare(layout, |index, name| words.add(index, &name.text));
    }

    /// Remembers where each of them is.
    #[cfg(feature = "alloc")]
    pub(crate) fn index_all(&mut self, layout: &Layout) {
        self.all.index_all(layout);
    }

    pub(crate) const fn count(&self) -> u32 {
        self.all.count()
    }

    /// All of them, with what they are read from.
    pub(crate) const fn input(&self) -> Input<'a> {
        self.all.input()
    }
}

/// What was found is found anew.
impl Clone for NameTable<'_> {
    fn clone(&self) -> Self {
        Self { all: self.all.clone(), words: Words::new() }
    }
}

/// The soft references of a package.
pub(crate) type SoftPaths<'a> = Indexed<'a, SoftObjectPath<'a>, 64>;

/// Which structs the keys and values of a map are, or the elements of a set, array or optional:
/// below 5:1012 files do not say (of arrays below 4:500).
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Hint<'a> {
    /// Name of the property.
    pub property: &'a str,
    /// Struct of the keys, if they are structs.
    pub key: Option<&'a str>,
    /// Struct of the values or elements, if they are structs.
    pub value: Option<&'a str>,
}

/// What every engine has.
const KNOWN: &[Hint<'static>] =
    &[Hint { property: "PropertyGuids", key: None, value: Some("Guid") }];

/// Short, since every value has one.
impl fmt::Debug for Context<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Context").finish_non_exhaustive()
    }
}

impl<'a> Context<'a> {
    /// Of a file without names and soft references.
    pub(crate) const fn new(layout: Layout) -> Self {
        Self {
            layout,
            names: NameTable::new(Input::new(&[], 0), 0),
            soft_paths: SoftPaths::none(),
            hints: &[],
        }
    }

    /// What is known of the structs in a property, where its tag may not name them.
    pub(super) fn hint_of(&self, tag: &Tag<'_>) -> Option<&Hint<'a>> {
        match tag.kind() {
            Kind::Set | Kind::Map | Kind::Optional => {}
            Kind::Array if !self.layout.ue4(500) => {}
            _ => return None,
        }
        let name = self.text(tag.name_ref())?;
        self.hints.iter().chain(KNOWN).find(|hint| name == *hint.property)
    }

    /// The name that ends a list, as far as the file has it.
    pub(super) fn none(&self) -> NameRef<'a> {
        if self.layout.names_as_text {
            return NameRef::Text(Text::NONE);
        }
        let Self { names, layout, .. } = self;
        let mut all = Records::<NameEntry<'_>>::new(names.input(), names.count(), *layout);
        let is_none = |name: NameEntry<'_>| NameText::new(name.text, 0) == *"None";
        // (With no such name there is no list either.)
        let index = all.position(|name| name.is_ok_and(is_none)).unwrap_or_default();
        let index = u32::try_from(index).unwrap_or_default();
        NameRef::Index(Name { index: index.cast_signed(), number: 0 })
    }

    /// The text of one of the package's names.
    pub(crate) fn name(&self, name: Name) -> Option<NameText<'a>> {
        self.names.prepare(&self.layout);
        let entry = self.names.all.get(name.index, &self.layout)?;
        Some(NameText::new(entry.text, name.number))
    }

    /// The text of a name.
    pub(super) fn text<'n>(&self, name: NameRef<'n>) -> Option<NameText<'n>>
    where
        'a: 'n,
    {
        match name {
            NameRef::Index(name) => self.name(name),
            NameRef::Text(text) if text.is_empty() => Some(NameText::new(Text::NONE, 0)),
            NameRef::Text(text) => Some(NameText::new(text, 0)),
        }
    }

    /// The same, with all names walked over: what reads tags asks for that first.
    #[inline(always)]
    pub(super) fn prepared(&self) -> &Self {
        self.names.prepare(&self.layout);
        self
    }

    /// What a name means in properties.
    #[inline(always)]
    pub(super) fn code(&self, name: NameRef<'_>) -> Code {
        match name {
            NameRef::Text(text) if text.is_empty() => Code::NONE,
            NameRef::Text(text) => Code::of(&text),
            NameRef::Index(Name { index, number: 0 }) => {
                match self.names.words.get(index.cast_unsigned()) {
                    Some(Code::OTHER) if !self.knows(name) => Code::UNKNOWN,
                    Some(code) => code,
                    None => self.code_by_text(index),
                }
            }
            NameRef::Index(_) if !self.knows(name) => Code::UNKNOWN,
            NameRef::Index(_) => Code::OTHER,
        }
    }

    /// The same of a name without number, of which more is not known.
    #[cold]
    fn code_by_text(&self, index: i32) -> Code {
        let text = self.name(Name { index, number: 0 });
        text.map_or(Code::UNKNOWN, |text| Code::of(&text.text()))
    }

    /// The same of a name that was read at `at`.
    #[inline(always)]
    pub(super) fn expect(&self, name: NameRef<'_>, at: &Input<'_>) -> Result<Code> {
        match self.code(name) {
            Code::UNKNOWN => Err(self.unknown(name, at)),
            code => Ok(code),
        }
    }

    /// Whether a name that was read at `at` is the end of a list.
    #[inline(always)]
    pub(super) fn ends(&self, name: NameRef<'_>, at: &Input<'_>) -> Result<bool> {
        match name {
            // (What else it may mean is not asked.)
            NameRef::Text(text) => Ok(text.is_empty() || words::is_none(&text)),
            NameRef::Index(_) => Ok(self.expect(name, at)? == Code::NONE),
        }
    }

    /// Whether the file has the name that was read at `at`.
    #[inline(always)]
    pub(super) fn check(&self, name: NameRef<'_>, at: &Input<'_>) -> Result<()> {
        if self.knows(name) { Ok(()) } else { Err(self.unknown(name, at)) }
    }

    #[inline(always)]
    fn unknown(&self, name: NameRef<'_>, at: &Input<'_>) -> Error {
        let index = match name {
            NameRef::Index(name) => name.index,
            NameRef::Text(_) => 0, // the file has any
        };
        at.error(ErrorKind::NoSuchName { index, count: self.names.count() })
    }

    /// Whether the file has that name.
    #[inline]
    pub(super) fn knows(&self, name: NameRef<'_>) -> bool {
        match name {
            // (A negative one is too large.)
            NameRef::Index(name) => name.index.cast_unsigned() < self.names.count(),
            NameRef::Text(_) => true,
        }
    }
}

/// A name as the file has it: one of a package's, in a save text.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum NameRef<'a> {
    /// In a package.
    Index(Name),
    /// In a save; nothing stands for `None`.
    Text(Text<'a>),
}

impl<'a> Value<'a> for NameRef<'a> {
    const LEAST: u64 = 4;

    #[inline]
    fn read(from: &mut Input<'a>, layout: &Layout) -> Result<Self> {
        match layout.names_as_text {
            false => from.read(layout).map(Self::Index),
            true => from.read(layout).map(Self::Text),
        }
    }

    fn write<S: Sink>(&self, to: &mut S, layout: &Layout) -> Result<(), Full> {
        match self {
            Self::Index(name) => name.write(to, layout),
            Self::Text(text) => text.write(to, layout),
        }
    }
}

/// A reference to an object: an index in a package, in a save a path.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum ObjectRef<'a> {
    /// In a package.
    Index(PackageIndex),
    /// In a save.
    Path(Text<'a>),
}

impl<'a> Value<'a> for ObjectRef<'a> {
    const LEAST: u64 = 4;

    #[inline]
    fn read(from: &mut Input<'a>, layout: &Layout) -> Result<Self> {
        match layout.names_as_text {
            false => from.read(layout).map(Self::Index),
            true => from.read(layout).map(Self::Path),
        }
    }

    fn write<S: Sink>(&self, to: &mut S, layout: &Layout) -> Result<(), Full> {
        match self {
            Self::Index(index) => index.write(to, layout),
            Self::Path(text) => text.write(to, layout),
        }
    }
}
