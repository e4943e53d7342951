//! Bulk data: what of an object is too large to be read with the rest. They are found here, and
//! looked at only when their bytes are asked for.

use crate::unreal::compression::Method;
use crate::unreal::format::{Error, ErrorKind, FileCursor, Layout, Result};

pub use super::format::{BulkFile, BulkFlags};
use crate::unreal::package::{Package, size_in};
use crate::unreal::tables::DataResource;
use core::ops::Range;

/// The files beside a package that have its bulk data, as far as they are at hand.
#[derive(Clone, Copy, Debug, Default)]
pub struct BulkFiles<'a> {
    /// `.ubulk`
    pub separate: Option<&'a [u8]>,
    /// `.uptnl`
    pub optional: Option<&'a [u8]>,
    /// `.m.ubulk`
    pub memory_mapped: Option<&'a [u8]>,
}

/// What an object has in the place of its bulk data (`FByteBulkData`), where the package has no
/// table of them.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct BulkHeader {
    /// Where and how.
    pub flags: BulkFlags,
    /// Elements when decompressed, whose size the object knows; bytes mostly.
    pub element_count: i64,
    /// Bytes where they are.
    pub size_on_disk: i64,
    /// Where that is; what it counts from depends on the flags.
    pub offset: i64,
    /// With [`BulkFlags::BAD_VERSION`]: means nothing.
    pub dummy: Option<u16>,
    /// With [`BulkFlags::DUPLICATE`].
    pub duplicate: Option<BulkDuplicate>,
}

/// Where bulk data are a second time.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct BulkDuplicate {
    /// Of this one.
    pub flags: BulkFlags,
    /// Bytes there.
    pub size_on_disk: i64,
    /// As [`BulkHeader::offset`].
    pub offset: i64,
}

/// A size of 32 or 64 bits, as the flags say.
fn size(from: &mut FileCursor<'_>, flags: BulkFlags, layout: &Layout) -> Result<i64> {
    match flags.has(BulkFlags::SIZE_64_BIT) {
        true => from.read(layout),
        false => from.read::<u32>(layout).map(i64::from),
    }
}

/// What is only there with a flag.
fn only<'a, T>(
    there: bool,
    from: &mut FileCursor<'a>,
    read: impl FnOnce(&mut FileCursor<'a>) -> Result<T>,
) -> Result<Option<T>> {
    if there { read(from).map(Some) } else { Ok(None) }
}

impl BulkHeader {
    fn read(from: &mut FileCursor<'_>, layout: &Layout) -> Result<Self> {
        let flags = from.read(layout)?;
        Ok(Self {
            flags,
            element_count: size(from, flags, layout)?,
            size_on_disk: size(from, flags, layout)?,
            offset: from.read(layout)?,
            dummy: only(flags.has(BulkFlags::BAD_VERSION), from, |from| from.read(layout))?,
            duplicate: only(flags.has(BulkFlags::DUPLICATE), from, |from| {
                BulkDuplicate::read(from, layout)
            })?,
        })
    }
}

impl BulkDuplicate {
    /// How wide its size is, say its own flags.
    fn read(from: &mut FileCursor<'_>, layout: &Layout) -> Result<Self> {
        let flags = from.read(layout)?;
        let size_on_disk = size(from, flags, layout)?;
        Ok(Self { flags, size_on_disk, offset: from.read(layout)? })
    }
}

/// What an object says of its bulk data.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum BulkData {
    /// All of it, there.
    Header(BulkHeader),
    /// An index into the [table](Package::data_resources), and what stands there.
    Resource(u32, DataResource),
}

/// Where bulk data are: so many bytes of a file, to be [had](Package::bulk_bytes) or read by
/// someone else.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct BulkLocation {
    /// The file.
    pub file: BulkFile,
    /// Where they begin in it; in the package itself on into the `.uexp`, as all offsets.
    pub offset: u64,
    /// Bytes, as they lie there.
    pub size: u64,
    /// How they are [compressed](super::Compressed), if they are.
    pub method: Option<Method<'static>>,
    /// Where the same bytes begin in the `.uptnl`.
    pub duplicate: Option<u64>,
}

impl BulkLocation {
    /// Where they are in the file.
    pub fn range(&self) -> Range<u64> {
        self.offset..self.offset.saturating_add(self.size)
    }
}

impl<'a> Package<'a> {
    /// What an object says of its bulk data at an offset of the file, where these are, and at
    /// which offset the object goes on: behind the header, and behind the data if these follow
    /// it.
    ///
    /// ```
    /// use gamewire::unreal::Package;
    /// use gamewire::unreal::bulk::BulkFile;
    ///
    /// # if !std::path::Path::new("corpus").exists() { return Ok(()) } // not published
    /// let file = &std::fs::read("corpus/unreal/ue5.8-cooked-tagged-T_Streaming.uasset")?;
    /// let exports = &std::fs::read("corpus/unreal/ue5.8-cooked-tagged-T_Streaming.uexp")?;
    /// let package = Package::open_as(file, Some(exports), None)?;
    /// let export = package.export(0)?;
    /// // The first of the texture's mips is in the file beside it, the fourth in this one.
    /// let (_, place, _) = package.bulk_at(export.serial.offset + 211)?;
    /// assert_eq!((place.file, place.range()), (BulkFile::Separate, 0..131_072));
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    ///
    /// # Errors
    /// If there is no header of bulk data, or it has sizes or offsets that cannot be.
    pub fn bulk_at(&self, offset: i64) -> Result<(BulkData, BulkLocation, u64)> {
        let mut from = self.at(offset)?;
        let start = from;
        let index = from.read::<i32>(self.layout());
        let resource = index.ok().and_then(|index| u32::try_from(index).ok());
        let (data, flags, mut place) = match self.data_resource(resource)? {
            Some((index, entry)) => {
                let place = self.bulk_from_resource(&entry)?;
                (BulkData::Resource(index, entry), entry.legacy_flags, place)
            }
            None => {
                from = start;
                let header = BulkHeader::read(&mut from, self.layout())?;
                let place = self.header_place(&header).map_err(|kind| start.error(kind))?;
                (BulkData::Header(header), header.flags, place)
            }
        };
        if !flags.is_inline() {
            return Ok((data, place, from.offset()));
        }
        place.offset = from.offset();
        Ok((data, place, place.range().end))
    }

    /// Where the bulk data of an entry of the [table](Package::data_resources) are.
    ///
    /// # Errors
    /// If the entry has sizes or offsets that cannot be.
    pub fn bulk_from_resource(&self, entry: &DataResource) -> Result<BulkLocation> {
        let flags = entry.legacy_flags;
        let start = self.resource_start(flags).unwrap_or(0);
        let duplicate = match entry.duplicate_serial_offset {
            -1 => None,
            offset => Some(offset),
        };
        let offset = entry.serial_offset.saturating_add(start);
        place(flags, offset, entry.serial_size, duplicate).map_err(|kind| Error::new(kind, 0))
    }

    /// Where the offset of an entry counts from, if it is one in the package itself.
    pub(crate) fn resource_start(&self, flags: BulkFlags) -> Option<i64> {
        match flags.file() {
            BulkFile::Inline => Some(self.exports_start().cast_signed()),
            BulkFile::EndOfFile => Some(0),
            _ => None,
        }
    }

    /// The bytes of bulk data, as they lie in their file.
    ///
    /// # Errors
    /// If that file is not at hand, or has no such bytes.
    pub fn bulk_bytes<'b>(&self, place: &BulkLocation, files: &BulkFiles<'b>) -> Result<&'b [u8]>
    where
        'a: 'b,
    {
        let offset = place.offset.cast_signed();
        let rest = match place.file {
            _ if place.size == 0 => return Ok(&[]),
            BulkFile::Inline | BulkFile::EndOfFile => Ok(self.at(offset)?.rest()),
            BulkFile::Separate => Err(files.separate),
            BulkFile::Optional => Err(files.optional),
            BulkFile::MemoryMapped => Err(files.memory_mapped),
            BulkFile::Workspace => Err(None),
        };
        let error = |kind| Error::new(kind, place.offset);
        let rest = match rest {
            Ok(rest) => rest,
            Err(None) => return Err(error(ErrorKind::NotAtHand(place.file))),
            Err(Some(file)) => usize::try_from(place.offset)
                .ok()
                .and_then(|offset| file.get(offset..))
                .ok_or_else(|| error(ErrorKind::BadOffset(offset)))?,
        };
        usize::try_from(place.size).ok().and_then(|size| rest.get(..size)).ok_or_else(|| {
            let missing = place.size.saturating_sub(rest.len() as u64);
            let missing = u32::try_from(missing).unwrap_or(u32::MAX);
            error(ErrorKind::UnexpectedEnd { missing })
        })
    }

    /// The entry of the table with that index, if there is one. None of the others is read.
    fn data_resource(&self, index: Option<u32>) -> Result<Option<(u32, DataResource)>> {
        let (Some(index), Some(offset)) = (index, self.summary().data_resource_offset) else {
            return Ok(None);
        };
        if offset <= 0 {
            return Ok(None);
        }
        let mut table = self.at(offset.into())?;
        let layout = self.layout().with_table(table.read(self.layout())?);
        let count: i32 = table.read(&layout)?;
        if i64::from(index) >= i64::from(count) {
            return Ok(None);
        }
        table.bytes((size_in::<DataResource>(&layout) as u64).saturating_mul(index.into()))?;
        Ok(Some((index, table.read(&layout)?)))
    }

    fn header_place(&self, header: &BulkHeader) -> Result<BulkLocation, ErrorKind> {
        let start = self.summary().bulk_data_start_offset;
        let fixed_up = |flags: BulkFlags, offset: i64| match flags.is_inline()
            || flags.has(BulkFlags::NO_OFFSET_FIX_UP)
        {
            true => offset,
            // In a file of its own it is negative before this.
            false => offset.saturating_add(start),
        };
        let offset = match header.flags.is_inline() {
            true => 0, // what is stored does not count
            false => fixed_up(header.flags, header.offset),
        };
        let duplicate = header.duplicate.map(|second| fixed_up(second.flags, second.offset));
        place(header.flags, offset, header.size_on_disk, duplicate)
    }
}

/// A place whose offsets and sizes can be.
fn place(
    flags: BulkFlags,
    offset: i64,
    size: i64,
    duplicate: Option<i64>,
) -> Result<BulkLocation, ErrorKind> {
    let size = match flags.has(BulkFlags::UNUSED) {
        true => 0,
        false => size,
    };
    let unsigned = |offset| u64::try_from(offset).map_err(|_| ErrorKind::BadOffset(offset));
    Ok(BulkLocation {
        file: flags.file(),
        offset: unsigned(offset)?,
        size: u64::try_from(size).map_err(|_| ErrorKind::BadSize(size))?,
        method: flags.method(),
        duplicate: duplicate.map(unsigned).transpose()?,
    })
}

impl BulkFlags {
    /// How the data are compressed, if they are: they are a
    /// [container of blocks](super::Compressed) then.
    pub const fn method(self) -> Option<Method<'static>> {
        match self {
            _ if self.has(Self::ZLIB) => Some(Method::Zlib),
            _ if self.has(Self::LZO) => Some(Method::Lzo),
            _ => None,
        }
    }
}
