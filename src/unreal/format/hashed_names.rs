//! Names as packages from `IoStore` containers store them: a length, the text without a NUL, and a
//! hash.

use super::byte_order::ByteOrder;
use super::city_hash::city_hash_64;
use super::cursor::FileCursor;
use super::error::{Error, ErrorKind, Result};
use super::layout::Layout;
use super::names::NameEntry;
use super::sampled_index::ReadItem;
use super::str_ref::{Encoding, StrRef};
use super::value::Value;
use core::iter::FusedIterator;

/// The number that stands for `CityHash64` of the text in lower case.
pub(crate) const HASH_ALGORITHM: u64 = 0xC164_0000;

/// How a file stores its names.
#[derive(Clone, Copy, Debug)]
pub(crate) enum NameForm<'a> {
    /// Strings, in files that are not from `IoStore` containers.
    Strings,
    /// A text after each length, in engine 4.
    Inline,
    /// All lengths, then all texts, in engine 5. Holds the lengths.
    Batch(&'a [[u8; 2]]),
}

impl<'a> ReadItem<'a> for NameForm<'a> {
    type Item = NameEntry<'a>;

    #[inline(always)]
    fn read_item(
        &self,
        index: u32,
        from: &mut FileCursor<'a>,
        layout: &Layout,
    ) -> Result<NameEntry<'a>> {
        match self {
            Self::Strings => NameEntry::read(from, layout),
            _ => Ok(NameEntry { text: self.read_text(index, from)?, hashes: None }),
        }
    }
}

impl<'a> NameForm<'a> {
    /// Reads the text of a name that is stored in one of the two forms of `IoStore`.
    fn read_text(&self, index: u32, from: &mut FileCursor<'a>) -> Result<StrRef<'a>> {
        let [high, low] = match self {
            Self::Batch(lengths) => match lengths.get(index as usize) {
                Some(length) => *length,
                None => return Err(from.error(ErrorKind::UnexpectedEnd { missing: 2 })),
            },
            _ => *from.next::<[u8; 2]>()?,
        };
        let len = u64::from(u16::from_be_bytes([high & 0x7F, low]));
        if high & 0x80 == 0 {
            return from.bytes(len).map(StrRef::latin1);
        }
        // In engine 4, 16-bit units begin at an even offset.
        if matches!(self, Self::Inline) && from.offset() & 1 == 1 {
            from.bytes(1)?;
        }
        let bytes = from.bytes(len.saturating_mul(2))?;
        Ok(StrRef::new(bytes, Encoding::Utf16(ByteOrder::Little)))
    }
}

/// A name in a package from an `IoStore` container, with its hash.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct HashedName<'a> {
    /// The text.
    pub text: StrRef<'a>,
    /// The stored hash of the text in lower case.
    pub hash: u64,
}

impl HashedName<'_> {
    /// Computes the hash that engines store with a name: `CityHash64` of its units, with ASCII
    /// letters in lower case. Engines store ASCII text in 8-bit units and other text in 16-bit
    /// units.
    ///
    /// ```
    /// use gamewire::unreal::{HashedName, NameEntry};
    ///
    /// # if !std::path::Path::new("corpus").exists() { return Ok(()) } // not published
    /// let file = &std::fs::read("corpus/unreal/ue4.27-TestActorBP.uasset")?;
    /// let package = gamewire::unreal::Package::open(file)?;
    /// let none = package.names().flatten().find(|name| name.text == *"None").unwrap();
    /// assert_eq!(HashedName::hash_of(&none.text), 0x7537_0f5b_a635_2dc2);
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    pub fn hash_of(text: &StrRef<'_>) -> u64 {
        let bytes = text.bytes();
        let at = |index: usize| bytes.get(index).copied().unwrap_or(0);
        match text.is_wide() {
            false => city_hash_64(bytes.len(), |index| at(index).to_ascii_lowercase()),
            // A unit is an ASCII letter only if its upper byte is zero.
            true => city_hash_64(bytes.len(), |index| match (index & 1, at(index | 1)) {
                (0, 0) => at(index).to_ascii_lowercase(),
                _ => at(index),
            }),
        }
    }

    /// Returns `true` if the stored hash is the right one for the text.
    pub fn has_right_hash(&self) -> bool {
        self.check_hash().is_ok()
    }

    /// Returns an error if the stored hash is not the right one for the text.
    pub(crate) fn check_hash(&self) -> Result<(), ErrorKind> {
        let (expected, found) = (Self::hash_of(&self.text), self.hash);
        match expected == found {
            true => Ok(()),
            false => Err(ErrorKind::WrongHash { expected, found }),
        }
    }
}

/// An iterator over the names in a package from an `IoStore` container. A name that cannot be read
/// is an error, which ends the iterator.
#[derive(Clone, Copy, Debug)]
pub struct HashedNames<'a> {
    form: NameForm<'a>,
    text: FileCursor<'a>,
    hashes: FileCursor<'a>,
    next: u32,
    count: u32,
}

impl<'a> HashedNames<'a> {
    /// The names of a file without names.
    pub(crate) const NONE: HashedNames<'static> = HashedNames {
        form: NameForm::Inline,
        text: FileCursor::new(&[], 0),
        hashes: FileCursor::new(&[], 0),
        next: 0,
        count: 0,
    };

    /// Reads a batch of names, as engine 5 stores them.
    ///
    /// ```text
    /// u32 count                     nothing follows if it is 0
    /// u32 size of the texts
    /// u64 hash algorithm            0xC1640000
    /// u64 hash, for each name
    /// u8 high, u8 low, for each     bit 7 of high: UTF-16; the other bits: number of units
    /// texts
    /// ```
    pub(crate) fn batch(from: &mut FileCursor<'a>) -> Result<Self> {
        let layout = &Layout::default();
        let start = *from;
        let count: u32 = from.read(layout)?;
        if count == 0 {
            return Ok(Self { form: NameForm::Batch(&[]), ..Self::NONE });
        }
        if u64::from(count).saturating_mul(10) > from.remaining() {
            return Err(start.error(ErrorKind::BadCount(count.cast_signed())));
        }
        let size: u32 = from.read(layout)?;
        algorithm(from)?;
        let hashes = from.window(u64::from(count).saturating_mul(8))?;
        let lengths = from.bytes(u64::from(count).saturating_mul(2))?;
        let text = from.window(size.into())?;
        let form = NameForm::Batch(lengths.as_chunks().0);
        Ok(Self { form, text, hashes, next: 0, count })
    }

    /// Reads names as engine 4 stores them, with the texts in one part and the hashes in another.
    pub(crate) fn inline(text: FileCursor<'a>, mut hashes: FileCursor<'a>) -> Result<Self> {
        algorithm(&mut hashes)?;
        let count = u32::try_from(hashes.remaining() >> 3).unwrap_or(u32::MAX);
        if u64::from(count).saturating_mul(2) > text.remaining() {
            return Err(text.error(ErrorKind::BadCount(count.cast_signed())));
        }
        Ok(Self { form: NameForm::Inline, text, hashes, next: 0, count })
    }

    /// Returns how the names are stored, a cursor at the first text, and the number of names. Must
    /// be called before the first name is read.
    pub(crate) const fn source(&self) -> (NameForm<'a>, FileCursor<'a>, u32) {
        (self.form, self.text, self.count)
    }

    /// Returns the number of bytes that are left after the text of the last name.
    pub(crate) fn left_over(mut self) -> Result<u64> {
        for name in self.by_ref() {
            name?;
        }
        Ok(self.text.remaining())
    }

    fn read(&mut self) -> Result<HashedName<'a>> {
        let layout = &Layout::default();
        let text = self.form.read_text(self.next, &mut self.text)?;
        Ok(HashedName { text, hash: self.hashes.read(layout)? })
    }
}

/// Reads the number of the hash algorithm, and checks that it is the known one.
fn algorithm(from: &mut FileCursor<'_>) -> Result<()> {
    let start = *from;
    match from.read(&Layout::default())? {
        HASH_ALGORITHM => Ok(()),
        found => {
            Err(Error::new(ErrorKind::BadMark { expected: HASH_ALGORITHM, found }, start.offset()))
        }
    }
}

impl<'a> Iterator for HashedNames<'a> {
    type Item = Result<HashedName<'a>>;

    fn next(&mut self) -> Option<Self::Item> {
        if self.next >= self.count {
            return None;
        }
        let name = self.read();
        self.next = match name {
            Ok(_) => self.next.saturating_add(1),
            Err(_) => self.count,
        };
        Some(name)
    }

    fn size_hint(&self) -> (usize, Option<usize>) {
        let left = self.count.saturating_sub(self.next) as usize;
        (left, Some(left))
    }
}

impl ExactSizeIterator for HashedNames<'_> {}
impl FusedIterator for HashedNames<'_> {}
