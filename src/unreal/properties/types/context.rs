//! The context of properties: names, layout and soft references of the file, and struct types from
//! the caller.

use super::kind::PropertyKind;
use super::kind_names::kind_of;
use super::known_names::{KnownNameIndex, NameCode};
use super::refs::{NameRef, ObjectRef};
use crate::unreal::format::ue4;
use crate::unreal::format::{
    ByteOrder, Error, ErrorKind, FileCursor, Layout, NEWEST, Name, NameEntry, NameForm, NameText,
    OLDEST, Object, Records, Result, SampledIndex, StrRef, Values, Versions,
};
use crate::unreal::mappings::{MappedStruct, Mappings};
use crate::unreal::tables::{Import, SoftObjectPath};
use crate::unreal::zen::imports::ZenImports;
use core::fmt;

/// How a document represents arrays of bytes.
#[cfg(feature = "serde")]
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
#[non_exhaustive]
pub enum BytesForm {
    /// A list of numbers.
    #[default]
    List,
    /// An object with the member `hex`, a string of hexadecimal digits.
    Hex,
    /// An object with the member `base64`, a string in base64 with padding.
    Base64,
}

/// The facts about a file that reading its properties requires.
#[derive(Clone)]
pub(crate) struct PropertyContext<'a> {
    pub(crate) layout: Layout,
    pub(crate) names: NameTable<'a>,
    /// The list of soft references, which properties refer to by index.
    pub(crate) soft_paths: SoftPaths<'a>,
    pub(crate) hints: &'a [StructHint<'a>],
    /// How documents represent arrays of bytes.
    #[cfg(feature = "serde")]
    pub(crate) bytes: BytesForm,
    /// The names and types of properties without tags.
    pub(crate) mappings: Option<&'a Mappings<'a>>,
    /// The imports of the package, if there are mappings. An `FInstancedStruct` refers to its
    /// struct by an import.
    pub(crate) imports: ImportStructs<'a>,
}

/// The imports of a package, for properties that refer to a struct by an import.
#[derive(Clone)]
pub(crate) enum ImportStructs<'a> {
    None,
    Package(Records<'a, Import>),
    Zen(ZenImports<'a>),
}

/// The names of a package, and an index of the names with a meaning in properties.
#[derive(Debug)]
pub(crate) struct NameTable<'a> {
    all: SampledIndex<'a, NameForm<'a>, 256>,
    known: KnownNameIndex,
}

impl<'a> NameTable<'a> {
    /// Creates a table of `count` names at `input`.
    pub(crate) const fn new(input: FileCursor<'a>, count: u32) -> Self {
        Self::of_form(NameForm::Strings, input, count)
    }

    /// Creates a table of `count` names that are stored in this form.
    pub(crate) const fn of_form(form: NameForm<'a>, input: FileCursor<'a>, count: u32) -> Self {
        Self { all: SampledIndex::new(form, input, count), known: KnownNameIndex::new() }
    }

    /// Sets the names of an unused table: `count` strings at `input`. The table is large, so this is
    /// faster than moving a new table here.
    pub(crate) const fn set_input(&mut self, input: FileCursor<'a>, count: u32) {
        self.all.set_input(input, count);
    }

    /// Reads all names once to find their offsets, and to find the names that have a meaning in
    /// properties.
    #[inline(always)]
    fn prepare(&self, layout: &Layout) {
        if !self.all.is_ready() {
            self.walk(layout);
        }
    }

    #[inline(never)]
    fn walk(&self, layout: &Layout) {
        let mut known = self.known.builder();
        let is_usual = layout.order == ByteOrder::Little
            && matches!(self.all.items(), NameForm::Strings)
            && !cfg!(gamewire_small);
        // For the usual form of names, the code is also compiled with the form as a constant. Each
        // call has a closure of its own, since the compiler does not inline a shared one.
        match (is_usual, layout.has_ue4(ue4::NAME_HASHES_SERIALIZED)) {
            (true, true) => {
                let layout = layout.little_endian(NEWEST);
                let all = &self.all;
                all.prepare_as(NameForm::Strings, &layout, |index, name| {
                    known.add(index, &name.text);
                });
            }
            (true, false) => {
                let layout = layout.little_endian(Versions { ue4: OLDEST, ue5: 0 });
                let all = &self.all;
                all.prepare_as(NameForm::Strings, &layout, |index, name| {
                    known.add(index, &name.text);
                });
            }
            (false, _) => self.all.prepare(layout, |index, name| known.add(index, &name.text)),
        }
    }

    /// Returns the text of the name with this index. [`prepare`](Self::prepare) must have been
    /// called before.
    #[inline(always)]
    fn text(&self, index: i32, layout: &Layout) -> Option<StrRef<'a>> {
        // Nearly all files have this form, and an offset of each name.
        if layout.order == ByteOrder::Little
            && matches!(self.all.items(), NameForm::Strings)
            && let Some(at) = self.all.indexed_cursor(index)
            && let Some((text, _)) = StrRef::narrow_at(at)
        {
            return Some(text);
        }
        self.text_of_any(index, layout)
    }

    #[inline(never)]
    fn text_of_any(&self, index: i32, layout: &Layout) -> Option<StrRef<'a>> {
        self.all.get(index, layout).map(|entry| entry.text)
    }

    /// Stores the offset of each name.
    #[cfg(feature = "alloc")]
    pub(crate) fn index_all(&mut self, layout: &Layout) {
        self.all.index_all(layout);
    }

    pub(crate) const fn count(&self) -> u32 {
        self.all.count()
    }

    /// Returns a cursor at the first name.
    pub(crate) const fn input(&self) -> FileCursor<'a> {
        self.all.input()
    }
}

/// The clone computes its index again.
impl Clone for NameTable<'_> {
    fn clone(&self) -> Self {
        Self { all: self.all.clone(), known: KnownNameIndex::new() }
    }
}

/// The soft references of a package.
pub(crate) type SoftPaths<'a> = SampledIndex<'a, Values<SoftObjectPath<'a>>, 64>;

/// The types of the structs in a container, supplied by the caller for files whose tags do not
/// state them. Tags state these types for arrays from 4:500 on, and for sets, maps and optionals
/// from 5:1012 on.
///
/// ```
/// use gamewire::unreal::{PropertyValue, Save, StructHint};
///
/// # if !std::path::Path::new("corpus").exists() { return Ok(()) } // not published
/// let file = &std::fs::read("corpus/unreal-small/guid_keys_map.sav")?;
/// let hints = [StructHint { property: ".Owned", key: Some("Guid"), value: Some("Item") }];
/// let save = Save::open(file)?.with_hints(&hints);
/// let PropertyValue::Map(owned) = save.properties().get("Owned").unwrap().value() else { panic!() };
/// assert!(matches!(owned.entries().next(), Some((PropertyValue::Guid(_), _))));
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct StructHint<'a> {
    /// Name of the property, or its path: the names of the enclosing properties, the outermost one
    /// first, then the name of the property, with a dot before each name. Elements of containers
    /// add nothing to the path: `.Heroes.Skills` is the property `Skills` of each element of the
    /// array `Heroes`. A hint with a path takes precedence over a hint with a name.
    pub property: &'a str,
    /// Struct type of the keys, if they are structs.
    pub key: Option<&'a str>,
    /// Struct type of the values or elements, if they are structs.
    pub value: Option<&'a str>,
}

/// The path of a list of properties. It is stored as the index of a hint whose path begins with it,
/// and its length.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct HintScope {
    /// Index of the hint.
    hint: u16,
    /// Number of bytes of the hint's path that are the path of the list.
    len: u16,
}

impl HintScope {
    /// The outermost list of properties.
    pub const ROOT: Self = Self { hint: 0, len: 0 };
    /// A path with which no hint begins.
    pub const NONE: Self = Self { hint: 0, len: u16::MAX };

    fn path<'h>(self, hints: &[StructHint<'h>]) -> Option<&'h str> {
        hints.get(usize::from(self.hint))?.property.get(..usize::from(self.len))
    }
}

const fn hint(
    property: &'static str,
    key: Option<&'static str>,
    value: Option<&'static str>,
) -> StructHint<'static> {
    StructHint { property, key, value }
}

const TRACK: Option<&str> = Some("MovieSceneTrackIdentifier");
const SEQUENCE: Option<&str> = Some("MovieSceneSequenceID");
const VARIABLE: Option<&str> = Some("NiagaraVariable");
const GUID: Option<&str> = Some("Guid");

/// Built-in hints, for properties of the engine. Properties of a game can have the same names, so a
/// hint is dropped where it does not fit.
static KNOWN: &[StructHint<'static>] = &[
    hint("PropertyGuids", None, GUID),
    hint("AnimSequenceInstances", None, GUID),
    hint("BindingIdToReferences", GUID, None),
    hint("ColorDatabase", None, Some("LinearColor")),
    hint("Hierarchy", SEQUENCE, None),
    hint("PostProcessInstances", None, GUID),
    hint("SubSequences", SEQUENCE, None),
    hint("TrackReferenceCounts", TRACK, None),
    hint("TrackSignatureToTrackIdentifier", GUID, TRACK),
    hint("Tracks", TRACK, None),
    hint("UserParameterRedirects", VARIABLE, VARIABLE),
];

/// Does not print the fields, since every value holds a reference to the context.
impl fmt::Debug for PropertyContext<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Context").finish_non_exhaustive()
    }
}

impl StructHint<'_> {
    /// Returns `true` for a built-in hint.
    pub(crate) fn is_known(&self) -> bool {
        KNOWN.iter().any(|known| core::ptr::addr_eq(known, self))
    }

    /// Returns the built-in hint for a property.
    #[cfg(feature = "serde")]
    pub(crate) fn known(property: &str) -> Option<&'static StructHint<'static>> {
        KNOWN.iter().find(|hint| hint.property.eq_ignore_ascii_case(property))
    }
}

impl<'a> PropertyContext<'a> {
    /// Creates the context of a file without names and soft references.
    pub(crate) const fn new(layout: Layout) -> Self {
        Self {
            layout,
            names: NameTable::new(FileCursor::new(&[], 0), 0),
            soft_paths: SoftPaths::none(Values::NEW),
            hints: &[],
            #[cfg(feature = "serde")]
            bytes: BytesForm::List,
            mappings: None,
            imports: ImportStructs::None,
        }
    }

    /// Returns the struct types that the caller has supplied for a property, or those in [`KNOWN`].
    /// Returns `None` if there are none. Also returns `None` for an array in a file from 4:500 on,
    /// because its tag names the struct type.
    pub(crate) fn hint_of(
        &self,
        kind: PropertyKind,
        name: NameRef<'_>,
        scope: HintScope,
    ) -> Option<&StructHint<'a>> {
        match kind {
            PropertyKind::Set | PropertyKind::Map | PropertyKind::Optional => {}
            PropertyKind::Array if !self.layout.has_ue4(ue4::INNER_ARRAY_TAG_INFO) => {}
            _ => return None,
        }
        if let Some(path) = scope.path(self.hints) {
            let mut all = self.hints.iter();
            let found = all.find(|hint| hint.property.eq_ignore_ascii_case(path));
            if found.is_some() {
                return found;
            }
        }
        let name = self.text(name)?;
        self.hints.iter().chain(KNOWN).find(|hint| name == *hint.property)
    }

    /// Returns the struct types of a property that is written. The writer does not know the path of
    /// the property, so only the last name in the path of a hint is compared.
    pub(crate) fn written_hint_of(&self, name: NameRef<'_>) -> Option<&StructHint<'a>> {
        let name = self.text(name)?;
        self.hints.iter().chain(KNOWN).find(|StructHint { property, .. }| {
            let last = property.strip_prefix('.').and_then(|path| path.rsplit('.').next());
            name == *last.unwrap_or(property)
        })
    }

    /// Returns the scope for lists inside a property. `scope` is the scope of the list that
    /// contains the property. Compares the name of the property with every hint that has a path.
    #[inline]
    pub(crate) fn inner_scope(&self, scope: HintScope, name: NameRef<'_>) -> HintScope {
        match self.hints.is_empty() || scope == HintScope::NONE {
            true => HintScope::NONE,
            false => self.scope_by_name(scope, name).unwrap_or(HintScope::NONE),
        }
    }

    #[cold]
    fn scope_by_name(&self, scope: HintScope, name: NameRef<'_>) -> Option<HintScope> {
        let name = self.text(name)?;
        let path = scope.path(self.hints).unwrap_or_default();
        let mut all = (0u16..).zip(self.hints);
        all.find_map(|(hint, StructHint { property, .. })| {
            let (start, rest) = property.split_at_checked(path.len())?;
            let rest = rest.strip_prefix('.').filter(|_| start.eq_ignore_ascii_case(path))?;
            // A name can contain dots.
            let mut ends = rest.match_indices('.').map(|(at, _)| at).chain([rest.len()]);
            let end = ends.find(|end| rest.get(..*end).is_some_and(|part| name == *part))?;
            let len = property.len().checked_sub(rest.len())?.checked_add(end)?;
            Some(HintScope { hint, len: u16::try_from(len).ok().filter(|len| *len < u16::MAX)? })
        })
    }

    /// Returns the struct in the mappings that has the name of an import.
    pub(crate) fn imported_struct(&self, object: ObjectRef<'_>) -> Option<MappedStruct<'a>> {
        let ObjectRef::Index(index) = object else { return None };
        let Object::Import(index) = index.object() else { return None };
        match &self.imports {
            ImportStructs::None => None,
            ImportStructs::Package(imports) => {
                let import = imports.fixed_size_at(index)?;
                self.mappings?.struct_named(self.name(import.object_name)?)
            }
            ImportStructs::Zen(imports) => imports.structure(imports.get(index)?, self.mappings),
        }
    }

    /// Returns the stored name that ends lists.
    pub(crate) fn none(&self) -> NameRef<'a> {
        if self.layout.names_as_text {
            return NameRef::Text(StrRef::NONE);
        }
        let Self { names, layout, .. } = self;
        let is_none = |name: NameEntry<'_>| NameText::new(name.text, 0) == *"None";
        // A file without the name `None` has no lists, so the index is not used.
        let index = names.all.iter(layout).position(is_none).unwrap_or_default();
        let index = u32::try_from(index).unwrap_or_default();
        NameRef::Index(Name { index: index.cast_signed(), number: 0 })
    }

    /// Returns the text of a name of the package.
    #[inline]
    pub(crate) fn name(&self, name: Name) -> Option<NameText<'a>> {
        self.names.prepare(&self.layout);
        let text = self.names.text(name.index, &self.layout)?;
        Some(NameText::new(text, name.number))
    }

    /// Returns the text of a name, or an empty text if the file does not have the name.
    #[inline(always)]
    pub(crate) fn text_or_empty<'n>(&self, name: NameRef<'n>) -> NameText<'n>
    where
        'a: 'n,
    {
        match name {
            NameRef::Index(name) => self.name_or_empty(name),
            NameRef::Text(text) if text.is_empty() => NameText::new(StrRef::NONE, 0),
            NameRef::Text(text) => NameText::new(text, 0),
        }
    }

    /// Returns the text of a name of the package, or an empty text. This function is not inlined, so
    /// that [`Tag::name`](crate::unreal::Tag::name) is.
    #[inline(never)]
    fn name_or_empty(&self, name: Name) -> NameText<'a> {
        self.name(name).unwrap_or_default()
    }

    /// Returns the text of a name.
    pub(crate) fn text<'n>(&self, name: NameRef<'n>) -> Option<NameText<'n>>
    where
        'a: 'n,
    {
        match name {
            NameRef::Index(name) => self.name(name),
            NameRef::Text(text) if text.is_empty() => Some(NameText::new(StrRef::NONE, 0)),
            NameRef::Text(text) => Some(NameText::new(text, 0)),
        }
    }

    /// Indexes the names if they have not been indexed yet, and returns the context. Reading tags
    /// requires this index.
    #[inline(always)]
    pub(crate) fn prepared(&self) -> &Self {
        self.names.prepare(&self.layout);
        self
    }

    /// Returns the code of a name.
    #[inline(always)]
    pub(crate) fn code(&self, name: NameRef<'_>) -> NameCode {
        match name {
            NameRef::Text(text) if text.is_empty() => NameCode::NONE,
            NameRef::Text(text) => NameCode::of(&text),
            NameRef::Index(Name { index, number: 0 }) => {
                match self.names.known.get(index.cast_unsigned()) {
                    Some(NameCode::OTHER) if !self.knows(name) => NameCode::UNKNOWN,
                    Some(code) => code,
                    None => self.code_by_text(index),
                }
            }
            NameRef::Index(_) if !self.knows(name) => NameCode::UNKNOWN,
            NameRef::Index(_) => NameCode::OTHER,
        }
    }

    /// Returns the kind with this name, or `None` if the file does not have the name.
    #[inline(always)]
    pub(crate) fn kind_of(&self, name: NameRef<'_>) -> Option<PropertyKind> {
        if let NameRef::Text(text) = name
            && !text.is_wide()
            && let Some(kind) = kind_of(text.stored_bytes())
        {
            return Some(kind);
        }
        match self.code(name) {
            NameCode::UNKNOWN => None,
            code => Some(code.kind()),
        }
    }

    /// Returns [`NameCode::NONE`] for a name that ends a list, [`NameCode::UNKNOWN`] for one that
    /// the file does not have, and another code for all other names.
    #[inline(always)]
    pub(crate) fn none_or_other(&self, name: NameRef<'_>) -> NameCode {
        match name {
            NameRef::Text(text) => NameCode::none_or_other(&text),
            NameRef::Index(_) => self.code(name),
        }
    }

    /// Finds the code of a name without a number by comparing its text. Used if the index of known
    /// names does not have the code.
    #[cold]
    fn code_by_text(&self, index: i32) -> NameCode {
        let text = self.name(Name { index, number: 0 });
        text.map_or(NameCode::UNKNOWN, |text| NameCode::of(&text.text()))
    }

    /// Returns the code of a name that was read at `at`.
    #[inline(always)]
    pub(crate) fn expect(&self, name: NameRef<'_>, at: &FileCursor<'_>) -> Result<NameCode> {
        match self.code(name) {
            NameCode::UNKNOWN => Err(self.unknown(name, at)),
            code => Ok(code),
        }
    }

    /// Returns `true` if a name that was read at `at` ends a list.
    #[inline(always)]
    pub(crate) fn ends(&self, name: NameRef<'_>, at: &FileCursor<'_>) -> Result<bool> {
        match name {
            NameRef::Text(text) => {
                Ok(text.is_empty() || self.none_or_other(name) == NameCode::NONE)
            }
            NameRef::Index(_) => Ok(self.expect(name, at)? == NameCode::NONE),
        }
    }

    /// Checks that the name, which was read at `at`, is in the name table of the file.
    #[inline(always)]
    pub(crate) fn check(&self, name: NameRef<'_>, at: &FileCursor<'_>) -> Result<()> {
        if self.knows(name) { Ok(()) } else { Err(self.unknown(name, at)) }
    }

    #[inline(always)]
    fn unknown(&self, name: NameRef<'_>, at: &FileCursor<'_>) -> Error {
        let index = match name {
            NameRef::Index(name) => name.index,
            NameRef::Text(_) => 0, // not reached: any text is a valid name
        };
        at.error(ErrorKind::NoSuchName { index, count: self.names.count() })
    }

    /// Returns `true` if the name is in the name table of the file.
    #[inline]
    pub(crate) fn knows(&self, name: NameRef<'_>) -> bool {
        match name {
            // A negative index becomes a large number.
            NameRef::Index(name) => name.index.cast_unsigned() < self.names.count(),
            NameRef::Text(_) => true,
        }
    }
}
