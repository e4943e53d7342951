//! Names as a registry stores them, and the table of their texts.

use super::versions::{ADD_ASSET_REGISTRY_STATE, FIXED_TAGS};
use crate::buffer::{Full, Sink};
use crate::unreal::format::{
    Error, ErrorKind, FileCursor, HashedNames, Layout, Name, NameEntry, NameForm, NameText, Result,
    SampledIndex, StrRef, Value,
};

/// A name: an index into the table of names or, in version 1, a string.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum StoredName<'a> {
    Index(Name),
    Text(StrRef<'a>),
}

/// From version 8 on, the bit of an index that is set if a number follows.
const NUMBERED: u32 = 1 << 31;

impl Default for StoredName<'_> {
    fn default() -> Self {
        Self::Index(Name::default())
    }
}

impl<'a> Value<'a> for StoredName<'a> {
    const LEAST: u64 = 4;

    #[inline]
    fn read(from: &mut FileCursor<'a>, layout: &Layout) -> Result<Self> {
        match layout.table_version {
            ..ADD_ASSET_REGISTRY_STATE => from.read(layout).map(Self::Text),
            ADD_ASSET_REGISTRY_STATE..FIXED_TAGS => from.read(layout).map(Self::Index),
            FIXED_TAGS.. => {
                let index: u32 = from.read(layout)?;
                let number = if index & NUMBERED == 0 { 0 } else { from.read(layout)? };
                let index = (index & !NUMBERED).cast_signed();
                Ok(Self::Index(Name { index, number }))
            }
        }
    }

    fn write<S: Sink>(&self, to: &mut S, layout: &Layout) -> Result<(), Full> {
        match self {
            Self::Text(text) => text.write(to, layout),
            Self::Index(name) if layout.table_version < FIXED_TAGS => name.write(to, layout),
            Self::Index(Name { index, number: 0 }) => index.write(to, layout),
            Self::Index(Name { index, number }) => {
                (index.cast_unsigned() | NUMBERED).write(to, layout)?;
                number.write(to, layout)
            }
        }
    }
}

#[cfg(feature = "serde")]
impl<'a> crate::unreal::format::SerializeIn<'a> for StoredName<'a> {
    fn serialize_in<S: serde::Serializer>(
        &self,
        context: crate::unreal::format::SerializeContext<'_, 'a>,
        to: S,
    ) -> Result<S::Ok, S::Error> {
        match self {
            Self::Index(name) => name.serialize_in(context, to),
            Self::Text(text) => text.serialize_in(context, to),
        }
    }
}

/// The table of names.
#[derive(Clone, Debug)]
pub(super) struct NameTable<'a> {
    names: SampledIndex<'a, NameForm<'a>, 256>,
    layout: Layout,
    /// The names with their hashes, from version 8 on.
    hashed: Option<HashedNames<'a>>,
}

impl<'a> NameTable<'a> {
    /// Returns an empty table, for version 1.
    pub(super) const fn none(layout: Layout) -> Self {
        Self { names: SampledIndex::none(NameForm::Strings), layout, hashed: None }
    }

    /// Reads the offset of a table of strings, and the number of names in the table.
    pub(super) fn strings(
        file: &'a [u8],
        from: &mut FileCursor<'a>,
        layout: Layout,
    ) -> Result<Self> {
        let at = *from;
        let offset: i64 = from.read(&layout)?;
        let wrong = || at.error(ErrorKind::BadOffset(offset));
        let mut table = FileCursor::new(file, 0);
        table.bytes(u64::try_from(offset).map_err(|_| wrong())?).map_err(|_| wrong())?;
        let count = table.count(NameEntry::LEAST, &layout)?;
        let names = SampledIndex::new(NameForm::Strings, table, count);
        Ok(Self { names, layout, hashed: None })
    }

    /// Reads a batch of names.
    pub(super) fn batch(from: &mut FileCursor<'a>, layout: Layout) -> Result<Self> {
        let hashed = HashedNames::batch(from)?;
        let (form, texts, count) = hashed.source();
        let names = SampledIndex::new(form, texts, count);
        Ok(Self { names, layout, hashed: Some(hashed) })
    }

    #[cfg(feature = "alloc")]
    pub(super) fn index_all(&mut self) {
        self.names.index_all(&self.layout);
    }

    pub(super) const fn count(&self) -> u32 {
        self.names.count()
    }

    /// Returns a cursor at the first name.
    pub(super) const fn input(&self) -> FileCursor<'a> {
        self.names.input()
    }

    /// Returns the names with their hashes, from version 8 on.
    pub(super) const fn hashed(&self) -> Option<HashedNames<'a>> {
        self.hashed
    }

    /// Returns the text of a name. Errors state `offset`.
    pub(super) fn text(&self, name: StoredName<'a>, offset: u64) -> Result<NameText<'a>> {
        let Name { index, number } = match name {
            StoredName::Text(text) => return Ok(NameText::new(text, 0)),
            StoredName::Index(name) => name,
        };
        self.names.prepare(&self.layout, |_, _| {});
        match self.names.get(index, &self.layout) {
            Some(entry) => Ok(NameText::new(entry.text, number)),
            None => {
                let count = self.names.count();
                Err(Error::new(ErrorKind::NoSuchName { index, count }, offset))
            }
        }
    }
}
