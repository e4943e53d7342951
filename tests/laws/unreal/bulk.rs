//! Laws for bulk data in arbitrary bytes: the reader finds the same location of the data as an
//! independent computation.

use super::Files;
use super::accessors::{Look, show};
use super::properties::{Header, headers};
use gamewire::unreal::bulk::{BulkData, BulkFile, BulkFiles, BulkFlags, BulkHeader, BulkLocation};
use gamewire::unreal::compression::Method;
use gamewire::unreal::tables::DataResource;
use gamewire::unreal::{ByteOrder, ErrorKind, Package, PackageIndex};
use std::sync::OnceLock;

/// Checks bulk data in arbitrary bytes. The first byte selects the header of a package. The second
/// byte determines where the remaining bytes are split: the bytes after that place are the contents
/// of separate files. The bytes before these contents follow the header as exports, and are read as
/// bulk data at many offsets.
pub fn unreal_bulk(data: &[u8]) {
    let Some(([first, beside], bytes)) = data.split_first_chunk() else { return };
    let headers = tables();
    let Header { header, supplied } = headers[usize::from(*first) % headers.len()];
    let (exports, beside) = bytes.split_at(bytes.len() - bytes.len() * usize::from(*beside) / 256);
    let package = Package::open_as(header, Some(exports), *supplied).unwrap();
    let parts = [beside.len() / 3, beside.len() / 2];
    let files = BulkFiles {
        separate: Some(&beside[..parts[0]]),
        optional: Some(&beside[parts[0]..parts[1]]),
        memory_mapped: (!beside.is_empty()).then_some(&beside[parts[1]..]),
    };
    let of = Beside { here: Files { header, exports: Some(exports) }, files };
    let start = header.len() as i64;
    for offset in (start..start + exports.len() as i64).take(300) {
        at(&package, offset, &of);
    }
    for offset in [i64::MIN, -1, 0, 1, start + exports.len() as i64, i64::MAX] {
        at(&package, offset, &of);
    }
    for entry in package.data_resources().ok().flatten().iter().flat_map(|table| table.entries) {
        entry_as(&package, &entry.unwrap(), &of);
    }
    bytes.chunks_exact(36).take(50).for_each(|bytes| entry_as(&package, &any_entry(bytes), &of));
}

/// Returns headers of packages with and without a table of bulk data.
pub fn tables() -> &'static [&'static Header] {
    static TABLES: OnceLock<Vec<&'static Header>> = OnceLock::new();
    TABLES.get_or_init(|| {
        let header =
            include_bytes!("../../../corpus/unreal/ue5.8-cooked-tagged-T_Streaming.uasset");
        let table = Box::leak(Box::new(Header { header: header.to_vec(), supplied: None }));
        headers().iter().chain([&*table]).rev().collect()
    })
}

struct Beside<'a> {
    here: Files<'a>,
    files: BulkFiles<'a>,
}

/// Checks the bulk data of an object at an offset.
fn at(package: &Package<'_>, offset: i64, of: &Beside<'_>) {
    let (data, place, end) = match package.bulk_at(offset) {
        Ok(found) => found,
        Err(error) => {
            let mut look = Look::default();
            look.item(&error);
            return show(error);
        }
    };
    let mut look = Look::default();
    look.item(&(data, place));
    look.assert_linear(100);
    let flags = match data {
        BulkData::Header(header) => {
            let len = header_as(package, &header, offset, of);
            let after = offset as u64 + len;
            let inline = if header.flags.is_inline() { place.size } else { 0 };
            assert_eq!(end, after.saturating_add(inline), "where the object goes on");
            place_of(package, &header, &place, after);
            header.flags
        }
        BulkData::Resource(index, entry) => {
            let table = package.data_resources().unwrap().unwrap();
            let same = table.entries.iter().nth(index as usize).unwrap().unwrap();
            assert_eq!(entry, same, "the entry of that index");
            let flags = entry.legacy_flags;
            let inline = if flags.is_inline() { place.size } else { 0 };
            assert_eq!(end, (offset as u64 + 4).saturating_add(inline));
            flags
        }
    };
    assert_eq!(place.file, file(flags.0));
    had(package, &place, of);
}

/// Decodes the header of bulk data independently, and compares it with the reader's result. Returns
/// the length of the header.
fn header_as(package: &Package<'_>, header: &BulkHeader, offset: i64, of: &Beside<'_>) -> u64 {
    let big = package.layout().order == ByteOrder::Big;
    let mut at = offset as u64;
    let mut number = |size: u64| {
        let mut bytes = of.here.at(at..at + size).to_vec();
        at += size;
        if big {
            bytes.reverse();
        }
        bytes.resize(8, 0);
        i64::from_le_bytes(bytes.try_into().unwrap())
    };
    let size = |flags: u32| if flags & 0x2000 == 0 { 4 } else { 8 };
    let flags = number(4) as u32;
    let sizes = [number(size(flags)), number(size(flags))];
    let place = number(8);
    let dummy = (flags & 0x8000 != 0).then(|| number(2) as u16);
    let duplicate = (flags & 0x4000 != 0).then(|| {
        let second = number(4) as u32;
        (BulkFlags(second), number(size(second)), number(8))
    });
    assert_eq!(header.flags.0, flags);
    assert_eq!([header.element_count, header.size_on_disk], sizes);
    assert_eq!((header.offset, header.dummy), (place, dummy));
    let found = header.duplicate.map(|second| (second.flags, second.size_on_disk, second.offset));
    assert_eq!(found, duplicate);
    at - offset as u64
}

/// Recomputes the location of bulk data, and compares it with the reader's result.
fn place_of(package: &Package<'_>, header: &BulkHeader, place: &BulkLocation, after: u64) {
    let start = i128::from(package.summary().bulk_data_start_offset);
    let flags = header.flags.0;
    let inline = flags & 0x40 != 0 || flags & 1 == 0;
    let added = if flags & 0x1_0000 == 0 { start } else { 0 };
    let offset = match inline {
        true => i128::from(after),
        false => i128::from(header.offset) + added,
    };
    assert!(i128::from(place.offset) == offset || offset > i128::from(i64::MAX));
    let size = if flags & 0x20 == 0 { header.size_on_disk } else { 0 };
    assert_eq!(i128::from(place.size), i128::from(size));
    assert_eq!(place.duplicate.is_some(), header.duplicate.is_some());
    let method = match flags {
        _ if flags & 2 != 0 => Some(Method::Zlib),
        _ if flags & 0x10 != 0 => Some(Method::Lzo),
        _ => None,
    };
    assert_eq!(place.method, method);
}

/// Returns the file that the flags select.
fn file(flags: u32) -> BulkFile {
    let has = |flag: u32| flags & flag != 0;
    if has(0x40) || !has(1) {
        BulkFile::Inline
    } else if !has(0x100) {
        BulkFile::EndOfFile
    } else if has(0x4000) {
        BulkFile::Separate
    } else if has(0x800) {
        BulkFile::Optional
    } else if has(0x1000) {
        BulkFile::MemoryMapped
    } else if has(0x2_0000) {
        BulkFile::Workspace
    } else {
        BulkFile::Separate
    }
}

/// Asserts that the package returns all bytes at the location from the right file, or an error if
/// the file does not have them.
fn had(package: &Package<'_>, place: &BulkLocation, of: &Beside<'_>) {
    let got = package.bulk_bytes(place, &of.files);
    if place.size == 0 {
        return assert_eq!(got, Ok(&[][..]));
    }
    let Files { header, exports } = of.here;
    let split = header.len() as u64;
    let (file, start) = match place.file {
        BulkFile::Inline | BulkFile::EndOfFile if place.offset < split => (Some(header), 0),
        BulkFile::Inline | BulkFile::EndOfFile => (exports, split),
        BulkFile::Separate => (of.files.separate, 0),
        BulkFile::Optional => (of.files.optional, 0),
        BulkFile::MemoryMapped => (of.files.memory_mapped, 0),
        BulkFile::Workspace => (None, 0),
    };
    let Some(file) = file else {
        return assert_eq!(*got.unwrap_err().kind(), ErrorKind::NotAtHand(place.file));
    };
    let from = usize::try_from(place.offset - start).unwrap_or(usize::MAX);
    let end = from.saturating_add(usize::try_from(place.size).unwrap_or(usize::MAX));
    assert_eq!(got.ok(), file.get(from..end));
    #[cfg(feature = "unreal-compression")]
    if let (Ok(bytes), Some(method)) = (got, place.method) {
        let codec = gamewire::unreal::compression::standard_codec;
        super::compressed::container(bytes, method, codec, 1 << 16);
    }
}

/// Checks the data of a table entry, which may be from the file or generated.
fn entry_as(package: &Package<'_>, entry: &DataResource, of: &Beside<'_>) {
    let place = match package.bulk_from_resource(entry) {
        Ok(place) => place,
        Err(error) => return show(error),
    };
    let BulkFlags(flags) = entry.legacy_flags;
    assert_eq!(place.file, file(flags));
    let size = if flags & 0x20 == 0 { entry.serial_size } else { 0 };
    assert_eq!(Ok(place.size), u64::try_from(size));
    assert_eq!(place.duplicate.is_some(), entry.duplicate_serial_offset != -1);
    had(package, &place, of);
}

fn any_entry(bytes: &[u8]) -> DataResource {
    let long = |at: usize| i64::from_le_bytes(bytes[at..at + 8].try_into().unwrap());
    DataResource {
        legacy_flags: BulkFlags(u32::from_le_bytes(bytes[..4].try_into().unwrap())),
        serial_offset: long(4),
        duplicate_serial_offset: long(12),
        serial_size: long(20),
        raw_size: long(28),
        outer: PackageIndex(1),
        ..DataResource::default()
    }
}
