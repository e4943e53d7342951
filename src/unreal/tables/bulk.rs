//! Tables for bulk data: data resources, and the trailer.

use crate::buffer::{Full, Sink};
use crate::unreal::format::{
    BulkFlags, ErrorKind, FileCursor, Layout, Link, List, PackageIndex, Result, Value, records,
};

records! { <'a> (this, layout)
    /// An entry of the table of bulk data, which packages from 5:1009 on can have.
    struct DataResource {
        /// Flags of the entry: 1 inline, 2 streamed, 4 optional, 8 duplicate, 16 memory-mapped, 32
        /// a reference to derived data.
        flags: u32;
        /// Index of the file among the companion files of the same kind; present from version 2 of
        /// the table on.
        cooked_index: u8, if layout.table_version >= 2;
        /// Offset of the data. Use [`Package::bulk_from_resource`] to find their position in the
        /// file.
        ///
        /// [`Package::bulk_from_resource`]: crate::unreal::Package::bulk_from_resource
        serial_offset: i64;
        /// Offset of a second copy, or −1.
        duplicate_serial_offset: i64;
        /// Size in the file.
        serial_size: i64;
        /// Size after decompression.
        raw_size: i64;
        /// The object that owns the data.
        outer: PackageIndex;
        /// Flags of the data, as a header of bulk data stores them.
        legacy_flags: BulkFlags;
    }

    /// The start of the trailer of an editor package.
    struct TrailerHead {
        /// Magic number.
        magic: Magic<0xD1C4_3B2E_80A5_F697>;
        /// Version, 0 to 2.
        version: i32;
        /// Size of the part of the trailer that precedes the payloads.
        header_size: u32;
        /// Size of the payloads, which follow.
        payload_size: u64;
        /// Access mode of the payloads; present only in version 0.
        access: u8, if this.version < 1;
    }

    /// The end of the trailer.
    struct TrailerFooter {
        /// Magic number.
        magic: Magic<0x29BF_CA04_5138_DE76>;
        /// Size of the trailer, including this footer.
        trailer_size: u64;
        /// The tag of a package.
        tag: u32;
    }

    /// An entry of the trailer's table of payloads. The engine compresses payloads. The library
    /// does not interpret them.
    struct TrailerEntry {
        /// Hash of the payload.
        id: [u8; 20];
        /// Offset from the start of the payloads, or −1.
        offset: i64;
        /// Size in the file.
        compressed_size: u64;
        /// Size after decompression.
        raw_size: u64;
        /// Flags of the payload; present from version 2 of the trailer on.
        flags: u16, if layout.table_version >= 2;
        /// Reason why the payload is not virtualized; present from version 2 of the trailer on.
        filter: u16, if layout.table_version >= 2;
        /// Access mode: 0 local, 1 in another package, 2 virtualized; present from version 1 of the
        /// trailer on.
        access: u8, if layout.table_version >= 1;
    }
}

/// A magic number.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Magic<const MAGIC: u64>;

impl<'a, const MAGIC: u64> Value<'a> for Magic<MAGIC> {
    const LEAST: u64 = 8;

    fn read(from: &mut FileCursor<'a>, layout: &Layout) -> Result<Self> {
        let start = *from;
        match from.read::<u64>(layout)? {
            found if found == MAGIC => Ok(Self),
            found => Err(start.error(ErrorKind::BadMark { expected: MAGIC, found })),
        }
    }

    fn write<S: Sink>(&self, to: &mut S, layout: &Layout) -> Result<(), Full> {
        MAGIC.write(to, layout)
    }
}

/// The table of bulk data that packages from 5:1009 on can have.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct DataResources<'a> {
    /// Version of the table, 1 or 2.
    pub version: u32,
    /// The entries.
    pub entries: List<'a, DataResource>,
}

impl<'a> Value<'a> for DataResources<'a> {
    const LEAST: u64 = 8;

    fn read(from: &mut FileCursor<'a>, layout: &Layout) -> Result<Self> {
        let start = *from;
        let version = from.read::<u32>(layout)?;
        if !(1..=2).contains(&version) {
            let (what, value) = ("version of the data resources", version.into());
            return Err(start.error(ErrorKind::Unknown { what, value }));
        }
        let entries = from.read(&layout.with_table(version))?;
        Ok(Self { version, entries })
    }

    fn write<S: Sink>(&self, to: &mut S, layout: &Layout) -> Result<(), Full> {
        self.version.write(to, layout)?;
        self.entries.write(to, &layout.with_table(self.version))
    }

    fn links(&self, layout: &Layout, to: &mut dyn FnMut(Link)) {
        self.entries.links(layout, to);
    }
}

/// The trailer that editor packages from 5:1002 on can have.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct Trailer<'a> {
    /// The header.
    pub head: TrailerHead,
    /// The table of payloads. The payloads follow it, and are not part of this value.
    pub entries: List<'a, TrailerEntry>,
}

impl<'a> Value<'a> for Trailer<'a> {
    const LEAST: u64 = TrailerHead::LEAST;

    fn read(from: &mut FileCursor<'a>, layout: &Layout) -> Result<Self> {
        let start = *from;
        let head: TrailerHead = from.read(layout)?;
        if !(0..=2).contains(&head.version) {
            let (what, value) = ("version of the trailer", head.version.into());
            return Err(start.error(ErrorKind::Unknown { what, value }));
        }
        let entries = from.read(&layout.with_table(head.version.cast_unsigned()))?;
        Ok(Self { head, entries })
    }

    fn write<S: Sink>(&self, to: &mut S, layout: &Layout) -> Result<(), Full> {
        self.head.write(to, layout)?;
        self.entries.write(to, &layout.with_table(self.head.version.cast_unsigned()))
    }
}
