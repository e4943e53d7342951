//! Bulk data: data of an object, such as the pixels of a texture, that are stored apart from its
//! properties.
//!
//! [`Package::bulk_at`] locates bulk data without reading them, and [`Package::bulk_bytes`] returns
//! their bytes.

use crate::unreal::compression::Method;
use crate::unreal::format::{Error, ErrorKind, FileCursor, Layout, Result};

pub use super::format::{BulkFile, BulkFlags};
use crate::unreal::package::{Package, size_in};
use crate::unreal::tables::DataResource;
use core::ops::Range;

/// The contents of the companion files that hold the bulk data of a package. A file that the caller
/// does not have is `None`.
#[derive(Clone, Copy, Debug, Default)]
pub struct BulkFiles<'a> {
    /// The contents of the `.ubulk` file.
    pub separate: Option<&'a [u8]>,
    /// The contents of the `.uptnl` file.
    pub optional: Option<&'a [u8]>,
    /// The contents of the `.m.ubulk` file.
    pub memory_mapped: Option<&'a [u8]>,
}

/// The header of bulk data (`FByteBulkData`), which is stored among the bytes of an object unless
/// the package has a table of [`DataResource`]s.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct BulkHeader {
    /// Flags that state where and how the data are stored.
    pub flags: BulkFlags,
    /// Number of elements after decompression. The class of the object determines the size of an
    /// element, which is one byte for most classes.
    pub element_count: i64,
    /// Size in bytes in the file.
    pub size_on_disk: i64,
    /// Offset of the data. The flags determine the position to which it is relative.
    pub offset: i64,
    /// A field without meaning, present if the flags include [`BulkFlags::BAD_VERSION`].
    pub dummy: Option<u16>,
    /// The location of a second copy of the data; present if the flags include
    /// [`BulkFlags::DUPLICATE`].
    pub duplicate: Option<BulkDuplicate>,
}

/// The location of a second copy of bulk data.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct BulkDuplicate {
    /// Flags of the copy.
    pub flags: BulkFlags,
    /// Size in bytes of the copy.
    pub size_on_disk: i64,
    /// Offset of the copy; see [`BulkHeader::offset`].
    pub offset: i64,
}

/// Reads a size of 32 or 64 bits, depending on the flags.
fn size(from: &mut FileCursor<'_>, flags: BulkFlags, layout: &Layout) -> Result<i64> {
    match flags.has(BulkFlags::SIZE_64_BIT) {
        true => from.read(layout),
        false => from.read::<u32>(layout).map(i64::from),
    }
}

/// Reads a value if `there` is `true`.
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
    /// Reads the location of the copy. The flags of the copy determine the width of the size.
    fn read(from: &mut FileCursor<'_>, layout: &Layout) -> Result<Self> {
        let flags = from.read(layout)?;
        let size_on_disk = size(from, flags, layout)?;
        Ok(Self { flags, size_on_disk, offset: from.read(layout)? })
    }
}

/// The description of bulk data within an object.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum BulkData {
    /// A complete header.
    Header(BulkHeader),
    /// An index into the [table](Package::data_resources), and the entry with that index.
    Resource(u32, DataResource),
}

/// The location of bulk data in a file. [`Package::bulk_bytes`] returns the bytes there, or the
/// caller reads them from the file.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct BulkLocation {
    /// The file that contains the data.
    pub file: BulkFile,
    /// Offset of the data in `file`. If the file is the package itself, an offset past the end of
    /// its first file lies in the `.uexp`.
    pub offset: u64,
    /// Size in bytes, before decompression.
    pub size: u64,
    /// The [compression](super::compression::Compressed) method, if the data are compressed.
    pub method: Option<Method<'static>>,
    /// Offset of a second copy in the `.uptnl`.
    pub duplicate: Option<u64>,
}

impl BulkLocation {
    /// Returns the range of bytes in the file.
    pub fn range(&self) -> Range<u64> {
        self.offset..self.offset.saturating_add(self.size)
    }
}

impl<'a> Package<'a> {
    /// Reads the description of bulk data that begins at `offset` of the file. Returns the
    /// description, the location of the data, and the offset at which the object continues: the end
    /// of the description, or the end of the data if they directly follow the description.
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
    /// // The first mip of the texture is in the `.ubulk`.
    /// let (_, place, _) = package.bulk_at(export.serial.offset + 211)?;
    /// assert_eq!((place.file, place.range()), (BulkFile::Separate, 0..131_072));
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    ///
    /// # Errors
    /// If the description or the table of bulk data is outside of the file or truncated, or if the
    /// size or an offset of the data is negative.
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

    /// Returns the location of the bulk data that an entry of the [table](Package::data_resources)
    /// describes.
    ///
    /// # Errors
    /// If the size of the data or a resulting offset is negative.
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

    /// Returns the position to which the offset of an entry with these flags is relative. Returns
    /// `None` if the data are not in the package itself.
    pub(crate) fn resource_start(&self, flags: BulkFlags) -> Option<i64> {
        match flags.file() {
            BulkFile::Inline => Some(self.exports_start().cast_signed()),
            BulkFile::EndOfFile => Some(0),
            _ => None,
        }
    }

    /// Returns the bytes of bulk data as they are stored.
    ///
    /// # Errors
    /// If the data are in a companion file that is not in `files`, if they are in the editor's copy
    /// of the package ([`BulkFile::Workspace`]), or if the file is too short.
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

    /// Looks up an entry of the table of bulk data without reading the other entries, and returns
    /// it with its index. Returns `None` if there is no such table or entry.
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
            // For data in a separate file, the stored offset is the offset in that file minus
            // `bulk_data_start_offset`, so it can be negative.
            false => offset.saturating_add(start),
        };
        let offset = match header.flags.is_inline() {
            true => 0, // the stored offset is not used
            false => fixed_up(header.flags, header.offset),
        };
        let duplicate = header.duplicate.map(|second| fixed_up(second.flags, second.offset));
        place(header.flags, offset, header.size_on_disk, duplicate)
    }
}

/// Checks the offsets and sizes, and combines them into a location.
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
    /// Returns the compression method, or `None` if the data are not compressed. Compressed data
    /// are a [container of blocks](super::compression::Compressed).
    pub const fn method(self) -> Option<Method<'static>> {
        match self {
            _ if self.has(Self::ZLIB) => Some(Method::Zlib),
            _ if self.has(Self::LZO) => Some(Method::Lzo),
            _ => None,
        }
    }
}
