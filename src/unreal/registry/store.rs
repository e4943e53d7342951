//! The store of all tags and their values, from version 8 on.

use super::names::StoredName;
use super::records::{StoredExportPath, StoredPair};
use super::versions::{CLASS_PATHS, MEMORY_MAPPED_TAG_DATA_STORE};
use crate::unreal::format::{
    ByteOrder, Encoding, Error, ErrorKind, FileCursor, Layout, Result, SampledIndex, StrRef, Value,
    Values,
};

/// The number at the start of a store in which the texts come first.
const TEXTS_FIRST: u32 = 0x1234_5679;
/// The number at the start of a store in which the texts follow the paths.
const TEXTS_AFTER_PATHS: u32 = 0x1234_5678;
/// The number at the end of a store.
const END: u32 = 0x8765_4321;

/// The parts of a store begin at multiples of this number, from version 24 on.
const ALIGNMENT: u64 = 16;

/// A sequence of items of variable size.
type Items<'a, T> = SampledIndex<'a, Values<T>, 128>;

/// A sequence of items of one size.
#[derive(Clone, Copy, Debug)]
struct Fixed<'a> {
    input: FileCursor<'a>,
    count: u32,
    size: u64,
}

impl<'a> Fixed<'a> {
    const NONE: Self = Self { input: FileCursor::new(&[], 0), count: 0, size: 0 };

    fn read(from: &mut FileCursor<'a>, count: u32, size: u64) -> Result<Self> {
        let input = from.window(u64::from(count).saturating_mul(size))?;
        Ok(Self { input, count, size })
    }

    const fn count(&self) -> u32 {
        self.count
    }

    /// Returns a cursor at the item with this index.
    fn at(&self, index: u32) -> Option<FileCursor<'a>> {
        let mut at = self.input;
        at.bytes(u64::from(index).saturating_mul(self.size)).ok()?;
        (index < self.count).then_some(at)
    }

    fn get<T: Value<'a>>(&self, index: u32, layout: &Layout) -> Option<T> {
        self.at(index)?.window(self.size).ok()?.read(layout).ok()
    }
}

/// All tags and their values. The fields have the names that the engine uses. In a numberless part,
/// the number of every name is 0 and is not stored.
#[derive(Clone, Debug)]
pub(super) struct Store<'a> {
    layout: Layout,
    numberless_names: Fixed<'a>,
    names: Items<'a, StoredName<'a>>,
    numberless_export_paths: Fixed<'a>,
    export_paths: Items<'a, StoredExportPath<'a>>,
    texts: Items<'a, StrRef<'a>>,
    ansi_offsets: Fixed<'a>,
    wide_offsets: Fixed<'a>,
    ansi_strings: FileCursor<'a>,
    wide_strings: FileCursor<'a>,
    numberless_pairs: Fixed<'a>,
    pairs: Items<'a, StoredPair<'a>>,
}

/// Reads `count` items of variable size, and moves `from` past them.
fn items<'a, T: Value<'a>>(
    from: &mut FileCursor<'a>,
    count: u32,
    layout: &Layout,
) -> Result<Items<'a, T>> {
    let start = *from;
    for _ in 0..count {
        from.read::<T>(layout)?;
    }
    Ok(SampledIndex::new(Values::NEW, start.until(from), count))
}

/// A reader of the parts of a store.
struct Parts<'f, 'a> {
    from: &'f mut FileCursor<'a>,
    layout: Layout,
}

impl<'a> Parts<'_, 'a> {
    /// Skips the padding before the next part.
    fn align(&mut self) -> Result<()> {
        if self.layout.table_version >= MEMORY_MAPPED_TAG_DATA_STORE {
            let excess = self.from.offset() & ALIGNMENT.saturating_sub(1);
            let padding = ALIGNMENT.saturating_sub(excess) & ALIGNMENT.saturating_sub(1);
            self.from.bytes(padding)?;
        }
        Ok(())
    }

    fn fixed(&mut self, count: u32, size: u64) -> Result<Fixed<'a>> {
        self.align()?;
        Fixed::read(self.from, count, size)
    }

    fn bytes(&mut self, count: u32, unit: u64) -> Result<FileCursor<'a>> {
        self.align()?;
        self.from.window(u64::from(count).saturating_mul(unit))
    }

    fn items<T: Value<'a>>(&mut self, count: u32) -> Result<Items<'a, T>> {
        self.align()?;
        items(self.from, count, &self.layout)
    }

    /// Reads texts that take exactly `size` bytes in total.
    fn sized_texts(&mut self, count: u32, size: u32) -> Result<Items<'a, StrRef<'a>>> {
        self.align()?;
        let mut from = self.from.window(size.into())?;
        let texts = items(&mut from, count, &self.layout)?;
        match from.remaining() {
            0 => Ok(texts),
            unused => Err(from.error(ErrorKind::Unused(unused))),
        }
    }
}

impl<'a> Store<'a> {
    /// Returns an empty store, for versions in which each asset contains its tags.
    pub(super) const fn none(layout: Layout) -> Self {
        const NOTHING: FileCursor<'static> = FileCursor::new(&[], 0);
        Self {
            layout,
            numberless_names: Fixed::NONE,
            names: SampledIndex::none(Values::NEW),
            numberless_export_paths: Fixed::NONE,
            export_paths: SampledIndex::none(Values::NEW),
            texts: SampledIndex::none(Values::NEW),
            ansi_offsets: Fixed::NONE,
            wide_offsets: Fixed::NONE,
            ansi_strings: NOTHING,
            wide_strings: NOTHING,
            numberless_pairs: Fixed::NONE,
            pairs: SampledIndex::none(Values::NEW),
        }
    }

    /// Reads a store, and moves `from` past it. Works in linear time.
    pub(super) fn read(from: &mut FileCursor<'a>, layout: Layout) -> Result<Self> {
        let mut parts = Parts { from, layout };
        parts.align()?;
        let start = *parts.from;
        let texts_first = match parts.from.read(&layout)? {
            TEXTS_FIRST => true,
            TEXTS_AFTER_PATHS => false,
            found => return Err(start.error(bad_mark(TEXTS_FIRST, found))),
        };
        // The file states the number of items in each part, in this order.
        let mut counts = [0; 11];
        for count in &mut counts {
            *count = parts.from.count(1, &layout)?;
        }
        let [
            nameless,
            named,
            pathless,
            pathed,
            texts,
            ansi,
            wide,
            ansi_len,
            wide_len,
            pairless,
            paired,
        ] = counts;
        let mut store = Self::none(layout);
        if texts_first {
            let size: u32 = parts.from.read(&layout)?;
            store.texts = parts.sized_texts(texts, size)?;
        }
        let path_size = if layout.table_version >= CLASS_PATHS { 16 } else { 12 };
        store.numberless_names = parts.fixed(nameless, 4)?;
        store.names = parts.items(named)?;
        store.numberless_export_paths = parts.fixed(pathless, path_size)?;
        store.export_paths = parts.items(pathed)?;
        if !texts_first {
            store.texts = parts.items(texts)?;
        }
        store.ansi_offsets = parts.fixed(ansi, 4)?;
        store.wide_offsets = parts.fixed(wide, 4)?;
        store.ansi_strings = parts.bytes(ansi_len, 1)?;
        store.wide_strings = parts.bytes(wide_len, 2)?;
        store.numberless_pairs = parts.fixed(pairless, 8)?;
        store.pairs = parts.items(paired)?;
        let end = *parts.from;
        match parts.from.read(&layout)? {
            END => Ok(store),
            found => Err(end.error(bad_mark(END, found))),
        }
    }
}

/// The value of a tag as it is stored.
#[derive(Clone, Copy, Debug)]
pub(super) enum StoredValue<'a> {
    String(StrRef<'a>),
    Name(StoredName<'a>),
    Path(StoredExportPath<'a>),
    Text(StrRef<'a>),
}

/// Number of bits that state the type of a value.
const TYPE_BITS: u32 = 3;

impl<'a> Store<'a> {
    #[cfg(feature = "alloc")]
    pub(super) fn index_all(&mut self) {
        let layout = self.layout;
        self.names.index_all(&layout);
        self.export_paths.index_all(&layout);
        self.texts.index_all(&layout);
        self.pairs.index_all(&layout);
    }

    /// Returns the number of tags whose keys have no number if `is_numberless` is set, and
    /// otherwise the number of all other tags.
    pub(super) const fn pair_count(&self, is_numberless: bool) -> u32 {
        match is_numberless {
            true => self.numberless_pairs.count(),
            false => self.pairs.count(),
        }
    }

    /// Returns a cursor at the tag with this index.
    pub(super) fn pair_at(&self, is_numberless: bool, index: u32) -> Option<FileCursor<'a>> {
        match is_numberless {
            true => self.numberless_pairs.at(index),
            false => {
                self.pairs.prepare(&self.layout, |_, _| {});
                self.pairs.cursor_at(i32::try_from(index).ok()?, &self.layout)
            }
        }
    }

    /// Returns the value to which a tag refers. Errors state `offset`.
    pub(super) fn value(&self, value: u32, offset: u64) -> Result<StoredValue<'a>> {
        let index = value >> TYPE_BITS;
        let (found, count) = match value & 7 {
            0 => (self.ansi(index).map(StoredValue::String), self.ansi_offsets.count()),
            1 => (self.wide(index).map(StoredValue::String), self.wide_offsets.count()),
            2 => (self.numberless_name(index), self.numberless_names.count()),
            3 => (self.get(&self.names, index).map(StoredValue::Name), self.names.count()),
            4 => (self.numberless_path(index), self.numberless_export_paths.count()),
            5 => {
                let path = self.get(&self.export_paths, index);
                (path.map(StoredValue::Path), self.export_paths.count())
            }
            6 => (self.get(&self.texts, index).map(StoredValue::Text), self.texts.count()),
            unknown => {
                let (what, value) = ("type of the value of a tag", unknown.into());
                return Err(Error::new(ErrorKind::Unknown { what, value }, offset));
            }
        };
        let what = "value";
        found.ok_or_else(|| Error::new(ErrorKind::OutOfRange { what, index, count }, offset))
    }

    fn get<T: Value<'a>>(&self, items: &Items<'a, T>, index: u32) -> Option<T> {
        items.prepare(&self.layout, |_, _| {});
        items.get(i32::try_from(index).ok()?, &self.layout)
    }

    fn numberless_name(&self, index: u32) -> Option<StoredValue<'a>> {
        self.numberless_names.get(index, &self.layout).map(StoredValue::Name)
    }

    fn numberless_path(&self, index: u32) -> Option<StoredValue<'a>> {
        self.numberless_export_paths.get(index, &self.layout).map(StoredValue::Path)
    }

    fn ansi(&self, index: u32) -> Option<StrRef<'a>> {
        let bytes = self.string(&self.ansi_offsets, &self.ansi_strings, 1, index)?;
        Some(StrRef::new(bytes, Encoding::Latin1))
    }

    fn wide(&self, index: u32) -> Option<StrRef<'a>> {
        let bytes = self.string(&self.wide_offsets, &self.wide_strings, 2, index)?;
        Some(StrRef::new(bytes, Encoding::Utf16(ByteOrder::Little)))
    }

    /// Returns a string with its NUL. A string ends where the next one begins. Searching for the
    /// NUL instead would take quadratic time if many tags had the same long string.
    fn string(
        &self,
        offsets: &Fixed<'a>,
        strings: &FileCursor<'a>,
        unit: usize,
        index: u32,
    ) -> Option<&'a [u8]> {
        let bytes = strings.rest();
        let place = |offset: u32| (offset as usize).saturating_mul(unit);
        let start = place(offsets.get(index, &self.layout)?);
        let next = offsets.get(index.saturating_add(1), &self.layout);
        bytes.get(start..next.map_or(bytes.len(), place))
    }

    /// Calls `report` for each string that does not end with its only NUL, or does not begin at the
    /// end of the previous string.
    pub(super) fn verify(&self, mut report: impl FnMut(Error)) {
        let parts = [
            (&self.ansi_offsets, &self.ansi_strings, 1),
            (&self.wide_offsets, &self.wide_strings, 2),
        ];
        for (offsets, strings, unit) in parts {
            let mut expected = 0;
            for index in 0..offsets.count() {
                let start: u32 = offsets.get(index, &self.layout).unwrap_or(0);
                let string = self.string(offsets, strings, unit, index);
                let is_right = start == expected
                    && string.is_some_and(|string| match unit {
                        1 => ends_with_its_only_nul(string, &0),
                        _ => ends_with_its_only_nul(string.as_chunks().0, &[0; 2]),
                    });
                let len = string.map_or(0, |string| string.len().div_euclid(unit));
                expected = start.saturating_add(u32::try_from(len).unwrap_or(u32::MAX));
                if !is_right {
                    let offset = offsets.at(index).map_or(0, |at| at.offset());
                    report(Error::new(ErrorKind::BadOffset(start.into()), offset));
                }
            }
        }
    }
}

fn ends_with_its_only_nul<T: PartialEq>(units: &[T], nul: &T) -> bool {
    matches!(units.split_last(), Some((last, text)) if last == nul && !text.contains(nul))
}

fn bad_mark(expected: u32, found: u32) -> ErrorKind {
    ErrorKind::BadMark { expected: expected.into(), found: found.into() }
}
