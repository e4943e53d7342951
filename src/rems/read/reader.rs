//! A reader that reads both text files and binary streams.

use crate::rems::item::Next;
use crate::rems::{BinaryReader, Era, FileFormat, ItemSource, Result, Tables, TextReader, Visitor};

/// A reader of a text file or a binary stream.
///
/// ```
/// use gamewire::rems::{Era, Item, ItemSource, Reader, Tables};
///
/// fn classes(file: &[u8]) -> Result<Vec<String>, gamewire::rems::Error> {
///     let mut tables = Tables::new();
///     let mut reader = Reader::new(file, Era::default(), &mut tables);
///     let mut classes = Vec::new();
///     while let Some(item) = reader.next()? {
///         if let Item::Object(object) = item {
///             classes.push(object.class.to_string());
///             reader.skip()?;
///         }
///     }
///     Ok(classes)
/// }
///
/// assert_eq!(classes(br#"[{"class":"Empty","i:*ptr":1}]"#)?, ["Empty"]);
/// let stream = b"\xFF\xFF\xFF\xFF\xFF\xFF\xFF\xFE\x05\x01\xFF\xFF\xFF\xF9Empty\0\0\0\x01\
///     \xFF\xFF\xFF\xFE\x25";
/// assert_eq!(classes(stream)?, ["Empty"]);
/// # Ok::<(), gamewire::rems::Error>(())
/// ```
#[derive(Debug)]
#[allow(clippy::large_enum_variant, reason = "there is one reader at a time, and it is not moved")]
pub enum Reader<'t, 'a> {
    /// Reader of a text file.
    Text(TextReader<'a>),
    /// Reader of a binary stream.
    Binary(BinaryReader<'t, 'a>),
}

impl<'t, 'a> Reader<'t, 'a> {
    /// Creates a reader at the start of a file. A file that does not begin like a binary stream is
    /// read as text. A container must be decompressed first.
    pub fn new(bytes: &'a [u8], era: Era, tables: &'t mut Tables) -> Self {
        match FileFormat::detect(bytes) {
            Some(FileFormat::Binary) => Self::Binary(BinaryReader::new(bytes, era, tables)),
            _ => Self::Text(TextReader::new(bytes)),
        }
    }

    /// Passes the rest of the file to a visitor; see [`TextReader::visit`] and
    /// [`BinaryReader::visit`].
    ///
    /// # Errors
    /// If the file is malformed, or if the visitor returns an error.
    pub fn visit<V: Visitor<'a>>(&mut self, visitor: &mut V) -> core::result::Result<(), V::Error> {
        match self {
            Self::Text(reader) => reader.visit(visitor),
            Self::Binary(reader) => reader.visit(visitor),
        }
    }

    /// Returns the bytes after the end of the list of objects, once [`next`](ItemSource::next) has
    /// returned `None`; see [`TextReader::trailing`] and [`BinaryReader::trailing`].
    pub fn trailing(&self) -> &'a [u8] {
        match self {
            Self::Text(reader) => reader.trailing(),
            Self::Binary(reader) => reader.trailing(),
        }
    }

    /// Returns the offset of the last comment; see [`TextReader::last_comment`].
    pub const fn last_comment(&self) -> Option<u64> {
        match self {
            Self::Text(reader) => reader.last_comment(),
            Self::Binary(_) => None,
        }
    }
}

impl<'a> ItemSource<'a> for Reader<'_, 'a> {
    fn next(&mut self) -> Next<'a> {
        match self {
            Self::Text(reader) => reader.next(),
            Self::Binary(reader) => reader.next(),
        }
    }

    fn skip(&mut self) -> Result<()> {
        match self {
            Self::Text(reader) => reader.skip(),
            Self::Binary(reader) => reader.skip(),
        }
    }

    fn offset(&self) -> u64 {
        match self {
            Self::Text(reader) => reader.offset(),
            Self::Binary(reader) => reader.offset(),
        }
    }
}
