//! Views of the body: enums, structs and properties.

use super::extension::{self, Extensions, Tables};
use super::file::MappingsFile;
use super::index::{Counts, NONE, Words, enumeration, name, property, structure};
use super::names::{Printed, compare};
use super::scan::{self, Beneath, MISSING, Scan, entry_form, name_at};
use super::types::MappedType;
use crate::unreal::format::{ErrorKind, FileCursor, Layout, NameText, Result, Utf8StrRef, Value};
use core::cmp::Ordering;
use core::fmt;
use core::ops::Range;

/// A view of the body of a mappings file.
///
/// Opening checks the whole body and builds an index. After that, nothing fails.
///
/// ```
/// use gamewire::unreal::Mappings;
///
/// # if !std::path::Path::new("corpus").exists() { return Ok(()) } // not published
/// let file = &std::fs::read("corpus/unreal-mappings/tiny.v4.usmap")?;
/// let mappings = Mappings::open(file)?;
/// let thing = mappings.find_struct("Thing").unwrap();
/// assert_eq!(thing.parent().unwrap().name().to_string(), "BaseThing");
/// let property = thing.properties().find(|property| property.name().as_str() == Some("AKind"));
/// assert_eq!(property.unwrap().of().to_string(), "ArrayProperty(EnumProperty(EKind,ByteProperty))");
/// let kinds = mappings.find_enum("EKind").unwrap();
/// assert_eq!(kinds.name_of(2).unwrap().to_string(), "Two");
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Clone)]
pub struct Mappings<'a> {
    body: FileCursor<'a>,
    version: u8,
    counts: Counts,
    index: Words<'a>,
    extensions: Extensions,
    /// The mappings that these mappings extend.
    base: Option<&'a Mappings<'a>>,
    before: Before,
}

/// The numbers of enums, structs and bytes in the mappings that these mappings extend. The index of
/// an enum or struct counts from the first one in those mappings.
#[derive(Clone, Copy, Debug, Default)]
struct Before {
    enums: u32,
    structs: u32,
    bytes: u32,
}

/// Prints the numbers of rows.
impl fmt::Debug for Mappings<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Mappings").field("counts", &self.counts).finish_non_exhaustive()
    }
}

impl<'a> Mappings<'a> {
    /// Opens a file whose body is not compressed.
    ///
    /// # Errors
    /// If the body is compressed, or [`MappingsFile::open`] or [`of_body`](Self::of_body) fails.
    #[cfg(feature = "alloc")]
    pub fn open(file: &'a [u8]) -> Result<Self> {
        let file = MappingsFile::open(file)?;
        Self::allocated(file.stored_cursor()?, file.version(), None)
    }

    /// Opens a file that extends these mappings: its types can refer to types in these mappings.
    /// The body of the file must not be compressed. If the file has a type with the same name as a
    /// type in these mappings, the name refers to the type in the file, except where types in these
    /// mappings refer to each other.
    ///
    /// To make such a file from the classes and structs that a package declares, see
    /// [`Package::declared_structs`](crate::unreal::Package::declared_structs).
    ///
    /// ```
    /// use gamewire::unreal::Mappings;
    /// use gamewire::unreal::mappings::{MappingsBuf, StructBuf};
    ///
    /// let of = |all: StructBuf| MappingsBuf { structs: vec![all], ..MappingsBuf::new(4) }.write();
    /// let (game, own) = (of(StructBuf::new("Actor")), of(StructBuf::new("Door_C").under("Actor")));
    /// let game = Mappings::open(&game)?;
    /// let both = game.extended(&own)?;
    /// let door = both.find_struct("Door_C").unwrap();
    /// assert_eq!(door.parent().unwrap().name().to_string(), "Actor");
    /// # Ok::<(), gamewire::unreal::Error>(())
    /// ```
    ///
    /// # Errors
    /// If [`open`](Self::open) fails, or all bodies together have 2 GiB or more.
    #[cfg(feature = "alloc")]
    pub fn extended(&'a self, file: &'a [u8]) -> Result<Self> {
        let file = MappingsFile::open(file)?;
        Self::allocated(file.stored_cursor()?, file.version(), Some(self))
    }

    /// Opens the body of a file. The caller must have decompressed a compressed body. Offsets in
    /// errors count from the start of the body.
    ///
    /// ```
    /// use gamewire::unreal::{Mappings, MappingsFile};
    /// # #[cfg(all(feature = "unreal-compression", feature = "compression"))] {
    /// use gamewire::unreal::compression::standard_codec;
    ///
    /// # if !std::path::Path::new("corpus").exists() { return Ok(()) } // not published
    /// let file = &std::fs::read("corpus/unreal-mappings/tiny.v3zstd.usmap")?;
    /// let file = MappingsFile::open(file)?;
    /// let body = file.decompress(1 << 20, standard_codec)?;
    /// let mappings = Mappings::of_body(&file, &body)?;
    /// assert!(mappings.find_struct("thing").is_some());
    /// # }
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    ///
    /// # Errors
    /// If the body is truncated or has 2 GiB or more, the index of a name is out of range, a count
    /// does not fit in the remaining bytes, a type is nested too deeply, the underlying type of an
    /// enum has parameters, or an extension is invalid.
    #[cfg(feature = "alloc")]
    pub fn of_body(file: &MappingsFile<'_>, body: &'a [u8]) -> Result<Self> {
        Self::allocated(FileCursor::new(body, 0), file.version(), None)
    }

    #[cfg(feature = "alloc")]
    fn allocated(
        body: FileCursor<'a>,
        version: u8,
        base: Option<&'a Mappings<'a>>,
    ) -> Result<Self> {
        let counts = scan::count(body, version)?;
        let before = Self::before(&body, base)?;
        let mut words = alloc::vec![0; counts.words()];
        let extensions = Self::fill(body, version, &counts, &mut words, base)?;
        Ok(Self { body, version, counts, index: Words::Owned(words), extensions, base, before })
    }

    /// Returns the numbers of enums, structs and bytes in the mappings that this body extends.
    fn before(body: &FileCursor<'_>, base: Option<&Self>) -> Result<Before> {
        let Some(base) = base else { return Ok(Before::default()) };
        let Before { enums, structs, bytes } = base.before;
        let bytes = u64::from(bytes).saturating_add(base.body.remaining());
        let (size, limit) = (bytes.saturating_add(body.remaining()), u64::from(u32::MAX >> 1));
        if size > limit {
            return Err(body.error(ErrorKind::TooLarge { size, limit }));
        }
        Ok(Before {
            // Each enum or struct takes at least one byte of a body, so these sums cannot exceed
            // `limit`.
            enums: enums.saturating_add(base.counts.enums),
            structs: structs.saturating_add(base.counts.structs),
            bytes: u32::try_from(bytes).unwrap_or(u32::MAX),
        })
    }

    /// Returns the number of words that the index of a body takes.
    ///
    /// # Errors
    /// If a table of the body is truncated or the body has 2 GiB or more, the index of a name is
    /// out of range, a count does not fit in the remaining bytes, a type is nested too deeply, or
    /// the underlying type of an enum has parameters.
    pub fn index_len(file: &MappingsFile<'_>, body: &[u8]) -> Result<usize> {
        Ok(scan::count(FileCursor::new(body, 0), file.version())?.words())
    }

    /// Opens the body of a file without allocation. The index is stored in `memory`, which must
    /// have at least [`index_len`](Self::index_len) words.
    ///
    /// ```
    /// use gamewire::unreal::{Mappings, MappingsFile};
    ///
    /// # if !std::path::Path::new("corpus").exists() { return Ok(()) } // not published
    /// let file = &std::fs::read("corpus/unreal-mappings/tiny.v4.usmap")?;
    /// let file = MappingsFile::open(file)?;
    /// let mut memory = [0; 1024];
    /// let mappings = Mappings::open_in(&file, file.stored().unwrap(), &mut memory)?;
    /// assert!(mappings.find_struct("Inner").is_some());
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    ///
    /// # Errors
    /// If `memory` is too short, [`index_len`](Self::index_len) fails, or an extension is invalid.
    pub fn open_in(file: &MappingsFile<'_>, body: &'a [u8], memory: &'a mut [u32]) -> Result<Self> {
        let (body, version) = (FileCursor::new(body, 0), file.version());
        let counts = scan::count(body, version)?;
        let extensions = Self::fill(body, version, &counts, memory, None)?;
        let (base, before) = (None, Self::before(&body, None)?);
        let index = Words::Borrowed(memory);
        Ok(Self { body, version, counts, index, extensions, base, before })
    }

    /// Fills the index, and reads the extensions.
    fn fill(
        body: FileCursor<'a>,
        version: u8,
        counts: &Counts,
        words: &mut [u32],
        base: Option<&Mappings<'a>>,
    ) -> Result<Extensions> {
        let row = |text: &[u8], column| base.map_or(NONE, |base| base.row_named(text, column));
        let beneath = Beneath {
            enums: base.map_or(0, Self::all_enums),
            structs: base.map_or(0, Self::all_structs),
            row: &row,
        };
        let end = scan::fill(body, version, counts, words, &beneath)?;
        let mut scan = Scan::new(body, version)?;
        (scan.from, scan.names) = (end, counts.names);
        let tables = Tables { enums: counts.enums, structs: counts.structs };
        extension::read(&mut scan, &tables, &mut |row, entries, count| {
            let form = entry_form::NAME_FIRST.wrapping_shl(entry_form::SHIFT);
            let at = counts.enum_at(row, enumeration::ENTRIES);
            if let Some(place) = words.get_mut(at..).and_then(<[u32]>::first_chunk_mut) {
                *place = [entries, count | form];
            }
        })
    }

    /// Returns the number of enums, including those in the mappings that these mappings extend.
    fn all_enums(&self) -> u32 {
        self.before.enums.saturating_add(self.counts.enums)
    }

    /// Returns the number of structs, including those in the mappings that these mappings extend.
    fn all_structs(&self) -> u32 {
        self.before.structs.saturating_add(self.counts.structs)
    }

    /// Returns the enums, in the order of the file. If these mappings [extend](Self::extended)
    /// others, the enums of the others come first.
    pub fn enums(&self) -> impl ExactSizeIterator<Item = MappedEnum<'_>> {
        (0..self.all_enums()).map(|row| self.enumeration(row))
    }

    /// Returns the classes and structs, in the order of the file. If these mappings
    /// [extend](Self::extended) others, the classes and structs of the others come first.
    pub fn structs(&self) -> impl ExactSizeIterator<Item = MappedStruct<'_>> {
        (0..self.all_structs()).map(|row| self.structure(row))
    }

    /// Returns the class or struct with this name, in which the prefix of the C++ name (such as
    /// `F`) is omitted. ASCII case is ignored. If several have the name, returns the last one in
    /// the file.
    pub fn find_struct(&self, name: &str) -> Option<MappedStruct<'_>> {
        self.struct_of_text(name.as_bytes())
    }

    /// Returns the enum with this name. ASCII case is ignored. If several have the name, returns
    /// the first one in the file.
    pub fn find_enum(&self, name: &str) -> Option<MappedEnum<'_>> {
        let row = self.row_named(name.as_bytes(), name::ENUM);
        (row != NONE).then(|| self.enumeration(row))
    }

    /// Returns the class or struct with a name that a package gives to an object.
    pub(crate) fn struct_named(&self, name: NameText<'_>) -> Option<MappedStruct<'_>> {
        match name.as_str() {
            Some(text) => self.struct_of_text(text.as_bytes()),
            None => self.struct_displayed(name),
        }
    }

    /// Returns the class or struct whose name is the text that `name` displays.
    pub(crate) fn struct_displayed(&self, name: impl fmt::Display) -> Option<MappedStruct<'_>> {
        self.struct_of_text(Printed::new(name)?.bytes())
    }

    fn struct_of_text(&self, text: &[u8]) -> Option<MappedStruct<'_>> {
        let row = self.row_named(text, name::STRUCT);
        (row != NONE).then(|| self.structure(row))
    }

    /// Returns the row of the struct or enum with this name, or [`NONE`].
    fn row_named(&self, text: &[u8], column: usize) -> u32 {
        let row = self.find(text).map_or(NONE, |index| self.of_name(index, column));
        match (row, self.base) {
            (NONE, Some(base)) => base.row_named(text, column),
            _ => row,
        }
    }

    /// Returns the enum with this index.
    fn enumeration(&self, row: u32) -> MappedEnum<'_> {
        match (row.checked_sub(self.before.enums), self.base) {
            (None, Some(base)) => base.enumeration(row),
            (own, _) => MappedEnum { mappings: self, row: own.unwrap_or(NONE) },
        }
    }

    /// Returns the struct with this index.
    #[inline]
    pub(crate) fn structure(&self, row: u32) -> MappedStruct<'_> {
        match (row.checked_sub(self.before.structs), self.base) {
            (None, Some(base)) => base.structure(row),
            (own, _) => MappedStruct { mappings: self, row: own.unwrap_or(NONE) },
        }
    }

    /// Returns the struct whose name has this index in the file.
    #[inline(always)]
    pub(super) fn struct_of_name(&self, index: u32) -> Option<MappedStruct<'_>> {
        let row = self.of_name(index, name::STRUCT);
        (row != NONE).then(|| self.structure(row))
    }

    /// Returns the enum whose name has this index in the file.
    #[inline(always)]
    pub(super) fn enum_of_name(&self, index: u32) -> Option<MappedEnum<'_>> {
        let row = self.of_name(index, name::ENUM);
        (row != NONE).then(|| self.enumeration(row))
    }

    #[inline(always)]
    fn of_name(&self, index: u32, column: usize) -> u32 {
        let same = self.index.get(self.counts.name_at(index, name::SAME));
        self.index.get(self.counts.name_at(same, column))
    }

    /// Returns the index of a name with this text.
    fn find(&self, text: &[u8]) -> Option<u32> {
        let (mut low, mut high) = (0, self.counts.names as usize);
        while low < high {
            let middle = low.midpoint(high);
            let index = self.index.get(middle);
            match compare(self.name_bytes(index), text) {
                Ordering::Equal => return Some(index),
                Ordering::Less => low = middle.saturating_add(1),
                Ordering::Greater => high = middle,
            }
        }
        None
    }

    #[inline(always)]
    fn name_bytes(&self, index: u32) -> &'a [u8] {
        match index {
            NONE => &[],
            _ => {
                let offset = self.index.get(self.counts.name_at(index, name::OFFSET));
                name_at(&self.body, self.version, offset)
            }
        }
    }

    /// Returns the text of a name; empty for no name.
    pub(crate) fn name(&self, index: u32) -> Utf8StrRef<'a> {
        Utf8StrRef::of_bytes(self.name_bytes(index))
    }

    /// Returns a cursor at an offset of the body.
    pub(super) fn cursor(&self, at: u32) -> FileCursor<'a> {
        let mut from = self.body;
        match from.bytes(at.into()) {
            Ok(_) => from,
            Err(_) => FileCursor::new(&[], 0),
        }
    }

    fn read<T: Value<'a>>(&self, at: u32) -> Option<T> {
        self.cursor(at).read(&Layout::default()).ok()
    }

    /// Returns the byte at an offset of the body.
    #[inline(always)]
    pub(super) fn byte(&self, at: u32) -> u8 {
        self.body.rest().get(at as usize).copied().unwrap_or(u8::MAX)
    }

    /// Returns the index of a name at an offset of the body. Every negative number means no name.
    #[inline(always)]
    pub(super) fn number(&self, at: u32) -> u32 {
        let number: i32 = self.read(at).unwrap_or(-1);
        u32::try_from(number).unwrap_or(NONE)
    }
}

/// An enum.
#[derive(Clone, Copy)]
pub struct MappedEnum<'m> {
    mappings: &'m Mappings<'m>,
    row: u32,
}

impl<'m> MappedEnum<'m> {
    fn column(&self, column: usize) -> u32 {
        self.mappings.index.get(self.mappings.counts.enum_at(self.row, column))
    }

    /// Returns the name.
    pub fn name(&self) -> Utf8StrRef<'m> {
        self.mappings.name(self.column(enumeration::NAME))
    }

    /// Returns the path of the package that declares the enum, if the file has paths.
    pub fn path(&self) -> Option<Utf8StrRef<'m>> {
        let paths = self.mappings.extensions.enum_paths?;
        let place = paths.saturating_add(self.row.saturating_mul(4));
        Some(self.mappings.name(self.mappings.number(place)))
    }

    /// Returns the entries: their names without the name of the enum, and their values. In mappings
    /// below version 4, the value of an entry is its position, unless the file has an extension
    /// with values.
    pub fn entries(&self) -> impl ExactSizeIterator<Item = (Utf8StrRef<'m>, i64)> + use<'m> {
        let this = *self;
        (0..this.len()).map(move |index| {
            let (name, value) = this.entry(index);
            (this.mappings.name(name), value)
        })
    }

    fn len(&self) -> u32 {
        self.column(enumeration::COUNT) & !(u32::MAX << entry_form::SHIFT)
    }

    /// Returns the index of the name of an entry, and the value.
    fn entry(&self, index: u32) -> (u32, i64) {
        let Self { mappings, .. } = self;
        let entries = self.column(enumeration::ENTRIES);
        let at = |size: u32, place: u32| {
            entries.saturating_add(index.saturating_mul(size)).saturating_add(place)
        };
        let value = |at| mappings.read(at).unwrap_or_default();
        match self.column(enumeration::COUNT).wrapping_shr(entry_form::SHIFT) {
            entry_form::VALUE_FIRST => (mappings.number(at(12, 8)), value(at(12, 0))),
            entry_form::NAME_FIRST => (mappings.number(at(12, 0)), value(at(12, 4))),
            _ => (mappings.number(at(4, 0)), index.into()),
        }
    }

    /// Returns the name of the first entry with this value. Takes constant time if the file does
    /// not store the enum's values and `value` is the position of an entry, otherwise time
    /// proportional to the number of entries.
    pub fn name_of(&self, value: i64) -> Option<Utf8StrRef<'m>> {
        let usual = u32::try_from(value).ok().filter(|index| *index < self.len());
        let is_it = |index: &u32| self.entry(*index).1 == value;
        // If the file stores values, an earlier entry can have the same value.
        let index = match usual.filter(is_it) {
            Some(index) if self.has_positions() => index,
            _ => (0..self.len()).find(is_it)?,
        };
        Some(self.mappings.name(self.entry(index).0))
    }

    fn has_positions(&self) -> bool {
        self.column(enumeration::COUNT).wrapping_shr(entry_form::SHIFT) == entry_form::NAMES
    }

    /// Returns the value of the entry with this name, which can be qualified with the name of the
    /// enum (`EKind::Two`). ASCII case is ignored. Takes time proportional to the number of
    /// entries.
    pub fn value_of(&self, name: &str) -> Option<i64> {
        let bare = name.rsplit_once("::").map_or(name, |(_, bare)| bare).as_bytes();
        let mut entries = (0..self.len()).map(|index| self.entry(index));
        let is_it = |index| self.mappings.name_bytes(index).eq_ignore_ascii_case(bare);
        entries.find(|(index, _)| is_it(*index)).map(|(_, value)| value)
    }
}

impl fmt::Debug for MappedEnum<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "MappedEnum({})", self.name())
    }
}

/// A class or struct.
#[derive(Clone, Copy)]
pub struct MappedStruct<'m> {
    mappings: &'m Mappings<'m>,
    row: u32,
}

/// Maximum number of structs in a chain: a struct and its super structs. In engines, such a chain
/// has fewer than 32.
const LEVELS: usize = 256;

impl<'m> MappedStruct<'m> {
    #[inline(always)]
    fn column(&self, column: usize) -> u32 {
        self.mappings.index.get(self.mappings.counts.struct_at(self.row, column))
    }

    /// Returns the index of the struct.
    pub(crate) const fn row(&self) -> u32 {
        self.mappings.before.structs.saturating_add(self.row)
    }

    /// Returns the name, without a path and without the prefix of the C++ name.
    pub fn name(&self) -> Utf8StrRef<'m> {
        self.mappings.name(self.column(structure::NAME))
    }

    /// Returns the path of the package that declares the struct, if the file has paths.
    pub fn path(&self) -> Option<Utf8StrRef<'m>> {
        let paths = self.mappings.extensions.struct_paths?;
        let place = paths.saturating_add(self.row.saturating_mul(4));
        Some(self.mappings.name(self.mappings.number(place)))
    }

    /// Returns the super struct. Returns `None` if there is none, or if the mappings do not have it.
    #[inline]
    pub fn parent(&self) -> Option<Self> {
        let row = self.column(structure::SUPER);
        (row & MISSING == 0).then(|| self.mappings.structure(row))
    }

    /// Returns the name of the super struct if the mappings do not have that struct.
    ///
    /// ```
    /// use gamewire::unreal::Mappings;
    /// use gamewire::unreal::mappings::{MappingsBuf, StructBuf};
    ///
    /// let mut all = MappingsBuf::new(4);
    /// all.structs.push(StructBuf::new("Door_C").under("Actor"));
    /// let file = all.write();
    /// let mappings = Mappings::open(&file)?;
    /// let door = mappings.find_struct("Door_C").unwrap();
    /// assert_eq!(door.missing_parent().unwrap().to_string(), "Actor");
    /// # Ok::<(), gamewire::unreal::Error>(())
    /// ```
    pub fn missing_parent(&self) -> Option<Utf8StrRef<'m>> {
        let name = self.column(structure::SUPER);
        (name != NONE && name & MISSING != 0).then(|| self.mappings.name(name & !MISSING))
    }

    /// Returns the struct, then its super structs from the nearest one on; at most 256 structs in
    /// all.
    pub fn with_parents(&self) -> impl Iterator<Item = Self> + use<'m> {
        core::iter::successors(Some(*self), Self::parent).take(LEVELS)
    }

    /// Returns the number of slots for the struct's own properties, without those of super structs.
    /// A fixed-size array has a slot for each element.
    #[inline]
    pub fn slots(&self) -> u32 {
        self.column(structure::COUNTS).wrapping_shr(16)
    }

    /// Returns the number of slots, including those of the super structs.
    pub fn all_slots(&self) -> u32 {
        self.with_parents().fold(0, |sum, of| sum.saturating_add(of.slots()))
    }

    /// Returns the struct's own properties, without those of super structs, in the order of their
    /// slots.
    pub fn properties(&self) -> impl ExactSizeIterator<Item = MappedProperty<'m>> + use<'m> {
        let this = *self;
        self.rows().map(move |row| this.property(row))
    }

    /// Returns the rows of the struct's own properties.
    #[inline(always)]
    pub(crate) fn rows(&self) -> Range<u32> {
        let first = self.column(structure::FIRST);
        first..first.saturating_add(self.column(structure::COUNTS) & 0xFFFF)
    }

    /// Returns the property in one of the struct's rows.
    #[inline(always)]
    pub(crate) fn property(&self, row: u32) -> MappedProperty<'m> {
        let mappings = self.mappings;
        let head = mappings.index.get(mappings.counts.property_at(row, property::HEAD));
        MappedProperty { mappings, row, head }
    }

    /// Returns the property at a slot, and the index of the element that has the slot; 0 unless the
    /// property is a fixed-size array. The slots of a super struct follow those of the struct
    /// itself.
    pub fn property_at(&self, slot: u32) -> Option<(MappedProperty<'m>, u32)> {
        let mut slot = slot;
        for of in self.with_parents() {
            match slot.checked_sub(of.slots()) {
                Some(left) => slot = left,
                None => return of.own_property_at(slot),
            }
        }
        None
    }

    /// Returns the struct's own property at one of its own slots, and the index of the element.
    pub(crate) fn own_property_at(&self, slot: u32) -> Option<(MappedProperty<'m>, u32)> {
        let Range { start: mut low, end: mut high } = self.rows();
        while low < high {
            let middle = low.midpoint(high);
            let property = self.property(middle);
            match slot.checked_sub(property.slot()) {
                None => high = middle,
                Some(index) if index < property.elements() => return Some((property, index)),
                Some(_) => low = middle.saturating_add(1),
            }
        }
        None
    }

    /// Returns the property with this name, and its first slot. Searches the struct, then its super
    /// structs from the nearest one on, and returns the first match. ASCII case is ignored. Takes
    /// time proportional to the number of properties.
    pub fn find_property(&self, name: &str) -> Option<(MappedProperty<'m>, u32)> {
        let mut base = 0u32;
        for of in self.with_parents() {
            let mut properties = of.properties();
            let is_it = |property: &MappedProperty<'_>| {
                property.name().bytes().eq_ignore_ascii_case(name.as_bytes())
            };
            if let Some(property) = properties.find(is_it) {
                return Some((property, base.saturating_add(property.slot())));
            }
            base = base.saturating_add(of.slots());
        }
        None
    }
}

impl fmt::Debug for MappedStruct<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "MappedStruct({})", self.name())
    }
}

/// A property of a class or struct.
#[derive(Clone, Copy)]
pub struct MappedProperty<'m> {
    mappings: &'m Mappings<'m>,
    row: u32,
    /// The column [`HEAD`](property::HEAD).
    head: u32,
}

impl<'m> MappedProperty<'m> {
    #[inline(always)]
    fn column(&self, column: usize) -> u32 {
        self.mappings.index.get(self.mappings.counts.property_at(self.row, column))
    }

    /// Returns the row of the property in the mappings that declare it.
    pub(crate) const fn row(&self) -> u32 {
        self.row
    }

    /// Returns the name.
    pub fn name(&self) -> Utf8StrRef<'m> {
        self.mappings.name(self.name_index())
    }

    fn name_index(&self) -> u32 {
        self.column(property::NAME)
    }

    /// Returns the first slot of the property, counted from the first slot of the struct that
    /// declares it.
    #[inline(always)]
    pub fn slot(&self) -> u32 {
        self.head.wrapping_shr(16)
    }

    /// Returns the number of elements of a fixed-size array; 1 for other properties.
    #[inline(always)]
    pub fn elements(&self) -> u32 {
        self.head.wrapping_shr(8) & 0xFF
    }

    /// Returns the number of the type.
    #[inline(always)]
    pub(crate) fn number(&self) -> u8 {
        self.head.to_le_bytes()[0]
    }

    /// Returns the type.
    #[inline(always)]
    pub fn of(&self) -> MappedType<'m> {
        MappedType { mappings: self.mappings, at: self.column(property::TYPE) }
    }
}

impl fmt::Debug for MappedProperty<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "MappedProperty({}: {})", self.name(), self.of())
    }
}
