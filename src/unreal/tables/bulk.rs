//! Where bulk data are: the table of data resources, and the trailer.

use crate::buffer::{Full, Sink};
use crate::unreal::format::{
    BulkFlags, ErrorKind, FileCursor, Layout, Link, List, PackageIndex, Result, Value, records,
};

records! { <'a> (this, layout)
    /// Bulk data of the package, from 5:1009.
    struct DataResource {
        /// Of the entry: 1 inline, 2 streamed, 4 optional, 8 duplicate, 16 memory-mapped,
        /// 32 a reference to derived data.
        flags: u32;
        /// Among files of the same kind, from version 2 of the table.
        cooked_index: u8, if layout.table_version >= 2;
        /// Where they are in their file.
        serial_offset: i64;
        /// Where they are a second time, or −1.
        duplicate_serial_offset: i64;
        /// Bytes there.
        serial_size: i64;
        /// Bytes when decompressed.
        raw_size: i64;
        /// The object they belong to.
        outer: PackageIndex;
        /// As of bulk data without a table.
        legacy_flags: BulkFlags;
    }

    /// What begins the trailer of a package that the editor saves.
    struct TrailerHead {
        /// The mark it begins with.
        magic: Magic<0xD1C4_3B2E_80A5_F697>;
        /// 0 to 2.
        version: i32;
        /// Bytes of the trailer before the payloads.
        header_size: u32;
        /// Bytes of the payloads, which follow.
        payload_size: u64;
        /// Where the payloads are, in version 0.
        access: u8, if this.version < 1;
    }

    /// What ends the trailer.
    struct TrailerFooter {
        /// The mark of its end.
        magic: Magic<0x29BF_CA04_5138_DE76>;
        /// Bytes of the trailer, with this.
        trailer_size: u64;
        /// The tag of packages.
        tag: u32;
    }

    /// A payload of the trailer: compressed by the engine, and opaque here.
    struct TrailerEntry {
        /// Hash of its bytes.
        id: [u8; 20];
        /// Where it is among the payloads, or −1.
        offset: i64;
        /// Bytes there.
        compressed_size: u64;
        /// Bytes when decompressed.
        raw_size: u64;
        /// Of the payload, from version 2 of the trailer.
        flags: u16, if layout.table_version >= 2;
        /// Why it is not elsewhere, from version 2.
        filter: u16, if layout.table_version >= 2;
        /// 0 here, 1 in another package, 2 in a store; from version 1.
        access: u8, if layout.table_version >= 1;
    }
}

/// A number that has to stand there.
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

/// Which bulk data a package has, from 5:1009.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct DataResources<'a> {
    /// Of the table: 1 or 2.
    pub version: u32,
    /// One for each.
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

/// What is behind the exports of a package that the editor saves, from 5:1002.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct Trailer<'a> {
    /// Its first fields.
    pub head: TrailerHead,
    /// The payloads.
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
