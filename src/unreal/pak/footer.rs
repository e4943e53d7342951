//! The footer: the last bytes of a pak.

use super::format::{self, Format, LAYOUT, MethodName};
use crate::unreal::format::{Error, ErrorKind, FileCursor, Guid, Result};
use zerocopy::FromBytes;

/// The magic number of the footer.
const MAGIC: u32 = 0x5A6F_12E1;

/// A part of a pak.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
pub struct Region {
    /// Number of bytes from the start of the pak.
    pub offset: u64,
    /// Size in bytes.
    pub size: u64,
    /// SHA-1 of the bytes, decrypted if the region is encrypted.
    pub sha1: [u8; 20],
}

impl Region {
    /// Reads the fields. The region must end within the first `len` bytes of the pak.
    pub(super) fn read(from: &mut FileCursor<'_>, len: u64) -> Result<Self> {
        let start = *from;
        let [offset, size]: [i64; 2] = from.row(LAYOUT)?;
        let sha1 = from.read(LAYOUT)?;
        let (Ok(offset), Ok(size)) = (u64::try_from(offset), u64::try_from(size)) else {
            return Err(start.error(ErrorKind::BadOffset(offset.min(size))));
        };
        if offset.checked_add(size).is_none_or(|end| end > len) {
            return Err(start.error(ErrorKind::BadOffset(offset.cast_signed())));
        }
        Ok(Self { offset, size, sha1 })
    }

    /// Returns the bytes of the region in a pak that is in memory.
    pub(super) fn of<'a>(&self, file: &'a [u8]) -> Result<&'a [u8]> {
        slice(file, self.offset, self.size)
    }
}

/// Returns `size` bytes at an offset of a pak that is in memory. If `size` is 0, the offset can be
/// after the end of the pak, as when a file on disk is read.
pub(in crate::unreal) fn slice(file: &[u8], offset: u64, size: u64) -> Result<&[u8]> {
    if size == 0 {
        return Ok(&[]);
    }
    let start = usize::try_from(offset).ok().and_then(|offset| file.get(offset..));
    let bytes = start.and_then(|rest| rest.get(..usize::try_from(size).ok()?));
    bytes.ok_or_else(|| Error::new(ErrorKind::BadOffset(offset.cast_signed()), offset))
}

/// A form of the footer.
struct Form {
    /// Versions with this form.
    versions: core::ops::RangeInclusive<u32>,
    /// Number of bytes before the magic number.
    before: usize,
    /// Number of names of compression methods.
    methods: usize,
    /// `true` if the footer states whether the index is frozen.
    has_frozen: bool,
}

const fn form(
    versions: core::ops::RangeInclusive<u32>,
    before: usize,
    methods: usize,
    has_frozen: bool,
) -> Form {
    Form { versions, before, methods, has_frozen }
}

/// The forms, from the longest to the shortest. Engine 4.22 writes version 8 with four names.
const FORMS: [Form; 6] = [
    form(9..=9, 17, 5, true),
    form(8..=u32::MAX, 17, 5, false),
    form(8..=8, 17, 4, false),
    form(7..=7, 17, 0, false),
    form(4..=6, 1, 0, false),
    form(1..=3, 0, 0, false),
];

impl Form {
    const fn size(&self) -> usize {
        let frozen = if self.has_frozen { 1 } else { 0 };
        let names = self.methods.saturating_mul(size_of::<MethodName>());
        self.before.saturating_add(44).saturating_add(frozen).saturating_add(names)
    }

    /// Returns the footer in the last bytes of a pak, if it has this form.
    fn footer<'a>(&self, tail: &'a [u8]) -> Option<&'a [u8]> {
        let footer = tail.get(tail.len().checked_sub(self.size())?..)?;
        let [magic, version] = footer.get(self.before..)?.as_chunks::<4>().0.first_chunk()?;
        let is_version = self.versions.contains(&u32::from_le_bytes(*version));
        (u32::from_le_bytes(*magic) == MAGIC && is_version).then_some(footer)
    }
}

/// The footer of a pak: its version, where its index is, and what compression methods it uses.
#[derive(Clone, Copy, Debug)]
pub struct Footer<'a> {
    pub(super) format: Format<'a>,
    key_guid: Option<Guid>,
    is_index_encrypted: bool,
    is_index_frozen: bool,
    index: Region,
    /// Number of bytes before the footer.
    start: u64,
}

impl<'a> Footer<'a> {
    /// Size in bytes of the longest footer.
    pub const MAX_SIZE: usize = FORMS[0].size();

    /// Returns `true` if these last bytes of a file end with the footer of a pak.
    ///
    /// ```
    /// use gamewire::unreal::pak::Footer;
    ///
    /// let mut tail = [0; 44];
    /// tail[..5].copy_from_slice(&[0xE1, 0x12, 0x6F, 0x5A, 3]);
    /// assert!(Footer::is_pak(&tail));
    /// assert!(!Footer::is_pak(b"GVAS"));
    /// ```
    pub fn is_pak(tail: &[u8]) -> bool {
        FORMS.iter().any(|form| form.footer(tail).is_some())
    }

    /// Reads the footer. `tail` has the last bytes of the pak: [`MAX_SIZE`](Self::MAX_SIZE) bytes,
    /// or the whole pak if it is smaller. `len` is the size of the pak. Works in constant time.
    ///
    /// # Errors
    /// If the bytes do not end with a footer, its version is newer than 11, or the index is not
    /// within the pak before the footer.
    pub fn read(tail: &'a [u8], len: u64) -> Result<Self> {
        let found = FORMS.iter().find_map(|form| Some((form, form.footer(tail)?)));
        let (form, footer) = found.ok_or_else(|| Error::new(ErrorKind::NotAPak, len))?;
        let start = len.saturating_sub(footer.len() as u64);
        let mut from = FileCursor::new(footer, start);
        let key_guid = if form.before > 1 { Some(from.read(LAYOUT)?) } else { None };
        let is_index_encrypted = form.before > 0 && from.read::<u8>(LAYOUT)? != 0;
        from.bytes(4)?; // the magic number
        let at = from;
        let version: u32 = from.read(LAYOUT)?;
        if version > format::NEWEST {
            let (what, value) = ("version of a pak (newest supported: 11)", version.into());
            return Err(at.error(ErrorKind::Unknown { what, value }));
        }
        let index = Region::read(&mut from, start)?;
        let is_index_frozen = form.has_frozen && from.read::<u8>(LAYOUT)? != 0;
        let (methods, has_narrow_methods) = (from.rest(), form.methods == 4);
        let methods = <[MethodName]>::ref_from_bytes(methods).unwrap_or_default();
        let format = Format { version, has_narrow_methods, methods };
        Ok(Self { format, key_guid, is_index_encrypted, is_index_frozen, index, start })
    }

    /// Returns the version of the pak, 1 to 11.
    pub const fn version(&self) -> u32 {
        self.format.version
    }

    /// Returns the GUID that the engine uses to find the key. It is zero for the default key of a
    /// game. Paks below version 7 have none.
    pub const fn key_guid(&self) -> Option<Guid> {
        self.key_guid
    }

    /// Returns `true` if the index is encrypted. Files can be encrypted even if the index is not.
    pub const fn is_index_encrypted(&self) -> bool {
        self.is_index_encrypted
    }

    /// Returns `true` if the index is frozen: a copy of the engine's memory, which only the engine
    /// that wrote it can read. Only paks of version 9 can have such an index.
    pub const fn is_index_frozen(&self) -> bool {
        self.is_index_frozen
    }

    /// Returns the region of the index. From version 10 on, further parts of the index have their
    /// own regions.
    pub const fn index(&self) -> Region {
        self.index
    }

    /// Returns the names of the compression methods that the pak lists; none below version 8.
    pub fn methods(&self) -> impl Iterator<Item = &'a str> + Clone + use<'a> {
        let names = self.format.methods.iter().map(|name| format::trimmed(name));
        names.filter_map(|name| core::str::from_utf8(name).ok().filter(|name| !name.is_empty()))
    }

    /// Returns the number of bytes before the footer.
    pub(super) const fn start(&self) -> u64 {
        self.start
    }
}
