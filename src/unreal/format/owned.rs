//! Owned strings and lists, for writing.

use super::byte_order::ByteOrder;
use super::cursor::FileCursor;
use super::error::{Error, ErrorKind, Result};
use super::layout::Layout;
use super::list::List;
use super::str_ref::{Encoding, StrRef};
use super::value::Value;
use alloc::vec::Vec;

/// An owned string for writing. As in files that engines write, ASCII is stored in 8-bit units and
/// other text in 16-bit units.
///
/// ```
/// use gamewire::unreal::StrBuf;
///
/// let text = StrBuf::new("日本");
/// assert!(text.as_text().is_wide());
/// assert_eq!(text.as_text(), *"日本");
/// ```
#[derive(Clone, Debug, Default, PartialEq, Eq, Hash)]
pub struct StrBuf {
    /// The bytes of the code units of the string, including the NUL at its end. An empty string has
    /// no bytes.
    bytes: Vec<u8>,
    encoding: Encoding,
}

impl StrBuf {
    /// Encodes a string.
    pub fn new(text: &str) -> Self {
        if text.is_empty() {
            return Self::default();
        }
        if text.is_ascii() {
            let bytes = text.bytes().chain([0]).collect();
            return Self { bytes, encoding: Encoding::Latin1 };
        }
        let units = text.encode_utf16().chain([0]);
        let bytes = units.flat_map(u16::to_le_bytes).collect();
        Self { bytes, encoding: Encoding::Utf16(ByteOrder::Little) }
    }

    /// Returns a borrowed view, which can be assigned to the field of a record.
    pub fn as_text(&self) -> StrRef<'_> {
        StrRef::new(&self.bytes, self.encoding)
    }
}

impl From<&str> for StrBuf {
    fn from(text: &str) -> Self {
        Self::new(text)
    }
}

/// An owned list for writing. Its values are stored encoded, and can themselves contain lists.
///
/// ```
/// use gamewire::unreal::{Layout, ListBuf, StrBuf};
/// use gamewire::unreal::tables::RegistryTag;
///
/// let (key, value) = (StrBuf::new("AssetImportData"), StrBuf::new("[]"));
/// let tag = RegistryTag { key: key.as_text(), value: value.as_text() };
/// let tags = ListBuf::new([tag], &Layout::default())?;
/// assert_eq!(tags.list::<RegistryTag>()?.iter().next(), Some(Ok(tag)));
/// # Ok::<(), gamewire::unreal::Error>(())
/// ```
#[derive(Clone, Debug)]
pub struct ListBuf {
    bytes: Vec<u8>,
    count: u32,
    layout: Layout,
}

impl ListBuf {
    /// Encodes values for a layout, usually the [layout of a
    /// package](crate::unreal::Package::layout).
    ///
    /// # Errors
    /// If there are more values than a list can have.
    pub fn new<'a, T: Value<'a>>(
        values: impl IntoIterator<Item = T>,
        layout: &Layout,
    ) -> Result<Self> {
        let (mut bytes, mut count) = (Vec::new(), 0i32);
        for value in values {
            let full = |_| Error::new(ErrorKind::FieldTooSmall(i64::from(count)), 0);
            value.write(&mut bytes, layout).map_err(full)?;
            count = count.checked_add(1).ok_or_else(|| full(crate::Full { missing: 0 }))?;
        }
        Ok(Self { bytes, count: count.unsigned_abs(), layout: *layout })
    }

    /// Returns a borrowed view, which can be assigned to the field of a record.
    ///
    /// # Errors
    /// If the bytes of the list cannot be read as values of type `T`.
    pub fn list<'a, T: Value<'a>>(&'a self) -> Result<List<'a, T>> {
        let mut from = FileCursor::new(&self.bytes, 0);
        let list = List::counted(&mut from, self.count, &self.layout)?;
        match from.is_empty() {
            true => Ok(list),
            false => Err(from.error(ErrorKind::BadCount(self.count.cast_signed()))),
        }
    }
}
