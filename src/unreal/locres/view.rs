//! The view of a file of localized texts.

use super::records::{LocalizedString, StoredText, TextKey};
use crate::unreal::format::{
    ByteOrder, Error, ErrorKind, FileCursor, Guid, Layout, NEWEST as VERSIONS, Result,
    SampledIndex, StrRef, Value, Values,
};

/// The magic number at the start of the file, from version 1 on.
const MAGIC: Guid = Guid([0x7574_140E, 0xFC03_4A67, 0x9D90_154A, 0x1B7F_37C3]);

/// The newest version of the format.
const NEWEST: u8 = 3;

/// A view of localized texts (`.locres`).
///
/// ```
/// use gamewire::unreal::Locres;
///
/// # if !std::path::Path::new("corpus").exists() { return Ok(()) } // not published
/// let file = &std::fs::read("corpus/unreal-locres/v3.locres")?;
/// let locres = Locres::open(file)?;
/// let text = locres.find("Menu", "Start").unwrap()?;
/// assert_eq!(text.text.to_string(), "Spiel starten");
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Clone, Debug)]
pub struct Locres<'a> {
    version: u8,
    layout: Layout,
    count: Option<u32>,
    /// Size of the file.
    len: u64,
    has_strings: bool,
    namespaces: FileCursor<'a>,
    namespace_count: u32,
    strings: SampledIndex<'a, Values<LocalizedString<'a>>, 128>,
}

/// A localized text.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Text<'a> {
    /// The key, which is unique in its namespace.
    pub key: TextKey<'a>,
    /// CRC-32 of the source text from which the text was translated.
    pub source_hash: u32,
    /// The text.
    pub text: StrRef<'a>,
}

impl<'a> Locres<'a> {
    /// Extension of files of localized texts.
    pub const EXTENSION: &'static str = "locres";

    /// Returns `true` if the file begins with the magic number. Files of version 0 have none.
    ///
    /// ```
    /// use gamewire::unreal::Locres;
    ///
    /// assert!(!Locres::is_locres(b"GVAS"));
    /// ```
    pub fn is_locres(file: &[u8]) -> bool {
        FileCursor::new(file, 0).read(&layout(0)).is_ok_and(|magic: Guid| magic == MAGIC)
    }

    /// Reads the header. A file without the magic number is read as version 0. Works in constant
    /// time.
    ///
    /// # Errors
    /// If the version is unknown, or the header or the number of strings is truncated or wrong.
    pub fn open(file: &'a [u8]) -> Result<Self> {
        let mut from = FileCursor::new(file, 0);
        let (mut version, mut strings, mut has_strings) =
            (0, SampledIndex::none(Values::NEW), false);
        if Self::is_locres(file) {
            from.bytes(Guid::LEAST)?;
            let at = from;
            version = from.read(&layout(0))?;
            if version > NEWEST {
                let (what, value) = ("version of localized texts", version.into());
                return Err(at.error(ErrorKind::Unknown { what, value }));
            }
        }
        let layout = layout(version.into());
        if version > 0 {
            let at = from;
            let offset: i64 = from.read(&layout)?;
            if offset != -1 {
                let wrong = || at.error(ErrorKind::BadOffset(offset));
                let mut table = FileCursor::new(file, 0);
                table.bytes(u64::try_from(offset).map_err(|_| wrong())?).map_err(|_| wrong())?;
                let count = table.count(LocalizedString::LEAST, &layout)?;
                (strings, has_strings) = (SampledIndex::new(Values::NEW, table, count), true);
            }
        }
        let count = if version >= 2 { Some(from.read(&layout)?) } else { None };
        let namespace_count = from.count(TextKey::LEAST.saturating_add(4), &layout)?;
        let (namespaces, len) = (from, file.len() as u64);
        Ok(Self { version, layout, count, len, has_strings, namespaces, namespace_count, strings })
    }

    /// Stores the offset of each string, so that the string of a text is found in constant time.
    /// Without these offsets, up to 1/128 of the strings are read for each text.
    #[cfg(feature = "alloc")]
    #[must_use]
    pub fn with_string_index(mut self) -> Self {
        self.strings.index_all(&self.layout);
        self
    }

    /// Returns the version of the format, 0 to 3.
    pub const fn version(&self) -> u8 {
        self.version
    }

    /// Returns the number of texts, as files from version 2 on state it.
    pub const fn stated_count(&self) -> Option<u32> {
        self.count
    }

    /// Returns the number of namespaces, as the file states it.
    pub const fn namespace_count(&self) -> u32 {
        self.namespace_count
    }

    /// Returns the number of strings to which texts refer; 0 in version 0.
    pub const fn string_count(&self) -> u32 {
        self.strings.count()
    }

    /// Returns the size of the file in bytes.
    pub(super) const fn len(&self) -> u64 {
        self.len
    }

    /// Returns a cursor at the first string, if the file has a list of strings.
    pub(super) fn strings(&self) -> Option<FileCursor<'a>> {
        self.has_strings.then_some(self.strings.input())
    }

    pub(super) const fn layout(&self) -> &Layout {
        &self.layout
    }

    /// Returns the namespaces, in the order of the file. After an error, the iterator ends. It also
    /// ends after a namespace whose texts are malformed; in this case, [`Namespace::texts`] yields
    /// the error.
    pub const fn namespaces(&self) -> Namespaces<'a, '_> {
        Namespaces { locres: self, from: self.namespaces, left: self.namespace_count }
    }

    /// Finds a text by its namespace and key. Works in linear time. Returns an error if the text
    /// refers to a string that does not exist, or `None` if there is no such text.
    pub fn find(&self, namespace: &str, key: &str) -> Option<Result<Text<'a>>> {
        let mut namespaces = self.namespaces().flatten();
        let namespace = namespaces.find(|found| found.key.text == *namespace)?;
        namespace.stored().find_map(|stored| match stored {
            Ok(stored) if stored.key.text == *key => Some(self.text(&stored, &namespace)),
            _ => None,
        })
    }

    /// Returns an entry with its string.
    fn text(&self, stored: &StoredText<'a>, namespace: &Namespace<'a, '_>) -> Result<Text<'a>> {
        let StoredText { key, source_hash, .. } = *stored;
        let text = match (stored.text, stored.index) {
            (Some(text), _) => text,
            (None, index) => {
                let index = index.unwrap_or_default();
                self.strings.prepare(&self.layout, |_, _| {});
                let string = self.strings.get(index, &self.layout);
                let missing = || {
                    let count = self.strings.count();
                    let kind = ErrorKind::NoSuchString { index, count };
                    Error::new(kind, namespace.from.offset())
                };
                string.ok_or_else(missing)?.text
            }
        };
        Ok(Text { key, source_hash, text })
    }
}

/// Returns the layout of a version. Numbers are little-endian.
const fn layout(version: u32) -> Layout {
    Layout { table_version: version, ..Layout::new(ByteOrder::Little, -9, VERSIONS) }
}

/// A namespace: texts with different keys.
#[derive(Clone, Copy, Debug)]
pub struct Namespace<'a, 'l> {
    /// The key of the namespace, which can be empty.
    pub key: TextKey<'a>,
    locres: &'l Locres<'a>,
    pub(super) from: FileCursor<'a>,
    count: u32,
}

impl<'a, 'l> Namespace<'a, 'l> {
    /// Returns the number of texts, as the file states it.
    pub const fn count(&self) -> u32 {
        self.count
    }

    /// Returns the texts, in the order of the file. The iterator yields an error for a text whose
    /// string does not exist, and continues. After any other error, it ends.
    pub fn texts(&self) -> Texts<'a, 'l> {
        Texts { namespace: *self, stored: self.stored() }
    }

    pub(super) const fn stored(&self) -> StoredTexts<'a, 'l> {
        StoredTexts { locres: self.locres, from: self.from, left: self.count }
    }
}

/// An iterator over namespaces. [`Locres::namespaces`] returns it.
#[derive(Clone, Debug)]
pub struct Namespaces<'a, 'l> {
    locres: &'l Locres<'a>,
    pub(super) from: FileCursor<'a>,
    left: u32,
}

impl<'a, 'l> Namespaces<'a, 'l> {
    fn advance(&mut self) -> Result<Namespace<'a, 'l>> {
        let locres = self.locres;
        let key = self.from.read(&locres.layout)?;
        let count = self.from.count(StoredText::LEAST, &locres.layout)?;
        let namespace = Namespace { key, locres, from: self.from, count };
        let mut texts = namespace.stored();
        if texts.any(|text| text.is_err()) {
            // The iterator over the texts of this namespace yields the error.
            self.left = 0;
        }
        self.from = texts.from;
        Ok(namespace)
    }
}

impl<'a, 'l> Iterator for Namespaces<'a, 'l> {
    type Item = Result<Namespace<'a, 'l>>;

    fn next(&mut self) -> Option<Self::Item> {
        self.left = self.left.checked_sub(1)?;
        let next = self.advance();
        if next.is_err() {
            self.left = 0;
        }
        Some(next)
    }
}

impl core::iter::FusedIterator for Namespaces<'_, '_> {}

/// The entries of a namespace as they are stored. After an error, the iterator ends.
#[derive(Clone, Debug)]
pub(super) struct StoredTexts<'a, 'l> {
    locres: &'l Locres<'a>,
    from: FileCursor<'a>,
    left: u32,
}

impl<'a> Iterator for StoredTexts<'a, '_> {
    type Item = Result<StoredText<'a>>;

    fn next(&mut self) -> Option<Self::Item> {
        self.left = self.left.checked_sub(1)?;
        let next = self.from.read(&self.locres.layout);
        if next.is_err() {
            self.left = 0;
        }
        Some(next)
    }
}

/// An iterator over the texts of a namespace. [`Namespace::texts`] returns it.
#[derive(Clone, Debug)]
pub struct Texts<'a, 'l> {
    namespace: Namespace<'a, 'l>,
    stored: StoredTexts<'a, 'l>,
}

impl<'a> Iterator for Texts<'a, '_> {
    type Item = Result<Text<'a>>;

    fn next(&mut self) -> Option<Self::Item> {
        let at = self.stored.from;
        let namespace = Namespace { from: at, ..self.namespace };
        let stored = self.stored.next()?;
        Some(stored.and_then(|stored| self.stored.locres.text(&stored, &namespace)))
    }
}

impl core::iter::FusedIterator for Texts<'_, '_> {}
