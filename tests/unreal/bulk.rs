//! Locates bulk data by the headers and tables of real packages, and by headers of other forms,
//! which were **transformed** from the real ones.

use crate::support::unreal::transform::Described;
use gamewire::unreal::bulk::{BulkData, BulkFile, BulkFiles, BulkFlags};
use gamewire::unreal::compression::Method;
use gamewire::unreal::tables::DataResource;
use gamewire::unreal::{ErrorKind, Package};
use std::fs;
use std::path::Path;

fn read(extension: &str) -> Vec<u8> {
    let name = format!("corpus/unreal/ue5.8-cooked-tagged-T_Streaming.{extension}");
    fs::read(Path::new(env!("CARGO_MANIFEST_DIR")).join(name)).unwrap()
}

/// Offset of the first mip in the export. Each mip is followed by three sizes.
const MIPS: i64 = 211;

/// Reads the mips of the texture one after the other, and returns the bulk data and the location of
/// each.
fn mips(package: &Package<'_>) -> Vec<(BulkData, gamewire::unreal::bulk::BulkLocation)> {
    let export = package.export(0).unwrap();
    let bytes = package.export_bytes(&export).unwrap();
    let mut at = MIPS as usize;
    let mut found = Vec::new();
    for mip in 0..10 {
        let (data, place, end) = package.bulk_at(export.serial.offset + at as i64).unwrap();
        at = end as usize - export.serial.offset as usize;
        let size = |n: usize| u32::from_le_bytes(bytes[at + 4 * n..][..4].try_into().unwrap());
        let side = 512 >> mip;
        assert_eq!((size(0), size(1), size(2)), (side, side, 1), "the mip's own size");
        // A block of 4 × 4 pixels takes 8 bytes.
        assert_eq!(place.size, u64::from(side.div_ceil(4).pow(2) * 8), "mip {mip}");
        at += 12;
        found.push((data, place));
    }
    found
}

fn resources(package: &Package<'_>) -> Vec<DataResource> {
    let table = package.data_resources().unwrap().unwrap();
    table.entries.iter().map(Result::unwrap).collect()
}

#[test]
fn mips_of_a_texture() {
    let [header, exports, bulk] = ["uasset", "uexp", "ubulk"].map(read);
    let package = Package::open_as(&header, Some(&exports), None).unwrap();
    let files = BulkFiles { separate: Some(&bulk), ..BulkFiles::default() };
    let table = resources(&package);
    let mut streamed = 0;
    for (index, (data, place)) in mips(&package).into_iter().enumerate() {
        assert_eq!(data, BulkData::Resource(index as u32, table[index]));
        // The object and the table of data resources give the same location.
        assert_eq!(package.bulk_from_resource(&table[index]).unwrap(), place);
        assert_eq!((place.method, place.duplicate), (None, None));
        let got = package.bulk_bytes(&place, &files).unwrap();
        assert_eq!(got.len() as u64, place.size);
        if index < 3 {
            assert_eq!(place.file, BulkFile::Separate);
            assert_eq!(got, &bulk[streamed..][..got.len()], "one behind the other");
            streamed += got.len();
            let error = package.bulk_bytes(&place, &BulkFiles::default()).unwrap_err();
            assert_eq!(*error.kind(), ErrorKind::NotAtHand(BulkFile::Separate));
        } else {
            assert_eq!(place.file, BulkFile::Inline);
            let at = place.offset as usize - header.len();
            assert_eq!(got, &exports[at..][..got.len()]);
            assert_eq!(got, package.bulk_bytes(&place, &BulkFiles::default()).unwrap());
        }
    }
    assert_eq!(streamed, bulk.len(), "the streamed mips fill the file");
}

/// Transformed: one of the streamed mips is moved into a memory-mapped file, and two into an
/// optional file.
#[test]
fn optional_and_mapped() {
    let [header, exports, bulk] = ["uasset", "uexp", "ubulk"].map(read);
    let original = Package::open_as(&header, Some(&exports), None).unwrap();
    let whole = BulkFiles { separate: Some(&bulk), ..BulkFiles::default() };
    let wanted: Vec<_> = mips(&original)
        .iter()
        .map(|(_, place)| original.bulk_bytes(place, &whole).unwrap())
        .collect();

    let mut described = Described::new(&header, None);
    let flags = described.all("resource_legacy_flags");
    let offsets = described.all("resource_offset");
    for (mip, more, offset) in [(0, 0x1000, 0), (1, 0x800, 0), (2, 0x800, 32768)] {
        described.set(flags[mip], 0x1_0501 | more);
        described.set(offsets[mip], offset);
    }
    let (mapped, optional) = bulk.split_at(131_072);
    let package = Package::open_as(&described.bytes, Some(&exports), None).unwrap();
    let files = BulkFiles { separate: None, optional: Some(optional), memory_mapped: Some(mapped) };
    let places = mips(&package);
    for ((_, place), wanted) in places.iter().zip(wanted) {
        assert_eq!(package.bulk_bytes(place, &files).unwrap(), wanted);
    }
    let found: Vec<_> = places.iter().take(4).map(|(_, place)| place.file).collect();
    use BulkFile::*;
    assert_eq!(found, [MemoryMapped, Optional, Optional, Inline]);
    assert_eq!(places[2].1.range(), 32768..40960);
}

/// The header of bulk data without a table of data resources, encoded little-endian.
struct Legacy {
    flags: u32,
    sizes: [i64; 2],
    offset: i64,
    dummy: bool,
    duplicate: Option<(u32, i64, i64)>,
}

impl Legacy {
    fn bytes(&self) -> Vec<u8> {
        let size = |size: i64, flags: u32| match flags & 0x2000 {
            0 => (size as u32).to_le_bytes().to_vec(),
            _ => size.to_le_bytes().to_vec(),
        };
        let mut bytes = self.flags.to_le_bytes().to_vec();
        bytes.extend(size(self.sizes[0], self.flags));
        bytes.extend(size(self.sizes[1], self.flags));
        bytes.extend(self.offset.to_le_bytes());
        if self.dummy {
            bytes.extend([0xAB, 0xCD]);
        }
        if let Some((flags, second, offset)) = self.duplicate {
            bytes.extend(flags.to_le_bytes());
            bytes.extend(size(second, flags));
            bytes.extend(offset.to_le_bytes());
        }
        bytes
    }
}

/// Transformed: the table of data resources is removed, and the texture's bulk data has headers of
/// the form without a table.
#[test]
fn legacy_headers() {
    let [header, exports] = ["uasset", "uexp"].map(read);
    let mut described = Described::new(&header, None);
    described.set(described.field("data_resource_offset"), -1);
    let start = described.number(described.field("bulk_data_start_offset"));
    let header = described.bytes;
    let at = header.len() as i64 + MIPS;

    let plain =
        |flags, offset| Legacy { flags, sizes: [100, 64], offset, dummy: false, duplicate: None };
    let wide = |flags, offset| Legacy { sizes: [1 << 33, 1 << 33], ..plain(flags, offset) };
    let doubled =
        |flags, offset, duplicate| Legacy { duplicate: Some(duplicate), ..plain(flags, offset) };
    let cases = [
        // The data follow the header, regardless of the offset. Some headers have 64-bit sizes, or
        // two additional bytes.
        (plain(0x48, -7), BulkFile::Inline, at as u64 + 20, None),
        (plain(0, 5), BulkFile::Inline, at as u64 + 20, None),
        (wide(0x2040, 5), BulkFile::Inline, at as u64 + 28, None),
        (Legacy { dummy: true, ..plain(0x8040, 5) }, BulkFile::Inline, at as u64 + 22, None),
        // The data follow the exports. The offset is relative to the start of bulk data or to the
        // file.
        (plain(0x1, 12), BulkFile::EndOfFile, start as u64 + 12, None),
        (plain(0x1_0001, 12), BulkFile::EndOfFile, 12, None),
        // The data are in separate files. Before 4.26, the offset is relative to the start of bulk
        // data.
        (plain(0x1_0101, 12), BulkFile::Separate, 12, None),
        (plain(0x101, 12 - start), BulkFile::Separate, 12, None),
        (plain(0x1_0901, 12), BulkFile::Optional, 12, None),
        (plain(0x1_1101, 12), BulkFile::MemoryMapped, 12, None),
        (plain(0x3_0101, 12), BulkFile::Workspace, 12, None),
        (wide(0x1_2101, 1 << 40), BulkFile::Separate, 1 << 40, None),
        // The data also have a duplicate in a different file.
        (doubled(0x1_4101, 12, (0x1_0901, 64, 30)), BulkFile::Separate, 12, Some(30)),
        (doubled(0x1_4101, 12, (0x1_2901, 64, 30)), BulkFile::Separate, 12, Some(30)),
    ];
    for (case, file, offset, duplicate) in cases {
        let mut exports = exports.clone();
        let bytes = case.bytes();
        exports[MIPS as usize..][..bytes.len()].copy_from_slice(&bytes);
        let package = Package::open_as(&header, Some(&exports), None).unwrap();
        let (data, place, end) = package.bulk_at(at).unwrap();
        let BulkData::Header(read) = data else { panic!("there is no table") };
        assert_eq!(read.flags, BulkFlags(case.flags));
        assert_eq!([read.element_count, read.size_on_disk], case.sizes, "{:#x}", case.flags);
        assert_eq!((place.file, place.offset), (file, offset), "{:#x}", case.flags);
        assert_eq!((place.size, place.duplicate), (case.sizes[1] as u64, duplicate));
        let inline = if file == BulkFile::Inline { place.size } else { 0 };
        assert_eq!(end, at as u64 + bytes.len() as u64 + inline);
        if file == BulkFile::Inline && place.size < 100 {
            let from = (offset - header.len() as u64) as usize;
            let got = package.bulk_bytes(&place, &BulkFiles::default()).unwrap();
            assert_eq!(got, &exports[from..from + 64]);
        }
    }

    // Unused data take no space. Compressed data have a flag for the method.
    for (flags, size, method) in
        [(0x20, 0, None), (0x42, 64, Some(Method::Zlib)), (0x50, 64, Some(Method::Lzo))]
    {
        let mut exports = exports.clone();
        exports[MIPS as usize..][..20].copy_from_slice(&plain(flags, 0).bytes());
        let package = Package::open_as(&header, Some(&exports), None).unwrap();
        let (_, place, _) = package.bulk_at(at).unwrap();
        assert_eq!((place.size, place.method), (size, method));
    }
}

/// Hostile: impossible sizes and offsets are errors.
#[test]
fn lies() {
    let [header, exports, bulk] = ["uasset", "uexp", "ubulk"].map(read);
    let files = BulkFiles { separate: Some(&bulk), ..BulkFiles::default() };
    let described = Described::new(&header, None);
    for name in ["resource_offset", "resource_size", "resource_legacy_flags"] {
        for field in described.all(name) {
            for value in [i64::MIN, -1, 1 << 20, i64::from(i32::MAX), 1 << 40, i64::MAX] {
                let mut lying = Described::new(&header, None);
                lying.set(field, value);
                let package = Package::open_as(&lying.bytes, Some(&exports), None).unwrap();
                for entry in resources(&package) {
                    if let Ok(place) = package.bulk_from_resource(&entry) {
                        let _ = package.bulk_bytes(&place, &files);
                    }
                }
                for at in (0..exports.len() as i64).step_by(13) {
                    if let Ok((_, place, _)) = package.bulk_at(header.len() as i64 + at)
                        && let Ok(bytes) = package.bulk_bytes(&place, &files)
                    {
                        assert_eq!(bytes.len() as u64, place.size);
                    }
                }
            }
        }
    }
    let package = Package::open_as(&header, Some(&exports), None).unwrap();
    for at in [-1, i64::MIN, i64::MAX, (header.len() + exports.len()) as i64] {
        package.bulk_at(at).unwrap_err();
    }
}
