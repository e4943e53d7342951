//! Reads compressed data. The compressed packages were **transformed** from real packages, because
//! current engines do not compress packages. Other libraries compressed the blocks.

use crate::support::unreal::compressed_containers::{Form, PLAIN, TAG, in_chunks};
use crate::support::unreal::transform::Described;
use gamewire::unreal::compression::{
    CodecError, Compressed, CompressedPackage, ContainerFormat, ContainerVersion,
    DECOMPRESSED_LIMIT, Method, PackageFormat, standard_codec, standard_encoder,
};
use gamewire::unreal::{ByteOrder, Error, ErrorKind, Package};
use miniz_oxide::deflate::compress_to_vec_zlib;
use std::fs;
use std::path::Path;

/// 23 bytes, compressed by zlib itself: `Unreal ` three times, and then two letters.
const BY_ZLIB: &[u8] = b"\x78\x9c\x0b\xcd\x2b\x4a\x4d\xcc\x51\x08\x45\xa3\x00\x65\xdc\x08\x59";

/// An LZ4 block that was written by hand: seven letters, then a copy of 13 bytes that begins 7
/// bytes back, then the last five bytes.
const BY_HAND: &[u8] = b"\x79Unreal \x07\x00\x50 Unre";

fn zlib(data: &[u8]) -> Vec<u8> {
    compress_to_vec_zlib(data, 6)
}

fn read(name: &str) -> Vec<u8> {
    let path = Path::new(env!("CARGO_MANIFEST_DIR")).join("corpus/unreal").join(name);
    fs::read(path).unwrap_or_else(|error| panic!("{name}: {error}"))
}

fn kind<T: std::fmt::Debug>(result: Result<T, Error>) -> ErrorKind {
    *result.unwrap_err().kind()
}

#[test]
fn every_form() {
    let data: Vec<u8> = read("ue4.10-SimpleRefsRoot.uasset");
    for wide in [true, false] {
        for big in [false, true] {
            let form = Form { wide, big, method: None };
            let bytes = form.compressed(&data, 4096, zlib);
            let container = Compressed::open(&bytes, Method::Zlib).unwrap();
            assert_eq!(container.size(), data.len() as u64);
            assert_eq!(container.block_size(), 4096);
            assert_eq!(container.stored_size(), bytes.len() as u64);
            assert_eq!(container.blocks().len(), data.len().div_ceil(4096));
            assert_eq!(container.decompress(data.len(), standard_codec).unwrap(), data);
            // Each block can be decompressed alone.
            for (block, wanted) in container.blocks().zip(data.chunks(4096)) {
                let mut to = vec![0; block.size as usize];
                block.decompress_into(&mut to, standard_codec).unwrap();
                assert_eq!(to, wanted);
                let at = block.offset as usize;
                assert_eq!(&bytes[at..at + block.bytes.len()], block.bytes);
            }
            // Bytes after the data are ignored.
            let more = [&bytes[..], &[1, 2, 3]].concat();
            let container = Compressed::open(&more, Method::Zlib).unwrap();
            assert_eq!(container.stored_size(), bytes.len() as u64);
        }
    }
    // If the field for the block size contains the magic, blocks have 131072 bytes.
    for wide in [true, false] {
        let form = Form { wide, ..PLAIN };
        let block = zlib(&data[..100]);
        let row = (block.len() as i64, 100, &block[..]);
        let bytes = form.container(i64::from(TAG), [row.0, 100], &[row]);
        let container = Compressed::open(&bytes, Method::Zlib).unwrap();
        assert_eq!(container.block_size(), 0x2_0000);
        assert_eq!(container.decompress(100, standard_codec).unwrap(), &data[..100]);
    }
    // Engines also read these bytes as the magic in the other byte order.
    let mut bytes = Form { big: true, ..PLAIN }.compressed(&data, 4096, zlib);
    bytes[..8].copy_from_slice(&[0x9E, 0x2A, 0x83, 0xC1, 0, 0, 0, 0]);
    let container = Compressed::open(&bytes, Method::Zlib).unwrap();
    assert_eq!(container.decompress(data.len(), standard_codec).unwrap(), data);
}

#[test]
fn methods() {
    let text = b"Unreal Unreal Unreal Unreal"; // 27 bytes
    let open = |bytes: &'static [u8], size: i64, method: &'static [u8]| {
        let form = Form { method: Some(method), ..PLAIN };
        let len = bytes.len() as i64;
        form.container(131_072, [len, size], &[(len, size, bytes)])
    };
    // Decompresses blocks that zlib compressed or that were written by hand.
    let bytes = open(BY_ZLIB, 23, &[3]);
    let data = Compressed::open(&bytes, Method::Lzo).unwrap();
    assert_eq!(data.method(), Method::Zlib);
    assert_eq!(data.decompress(23, standard_codec).unwrap(), &text[..23]);
    let bytes = open(BY_HAND, 25, &[5]);
    let data = Compressed::open(&bytes, Method::Lzo).unwrap();
    assert_eq!(data.method(), Method::Lz4);
    assert_eq!(data.decompress(25, standard_codec).unwrap(), &text[..25]);
    let bytes = open(text, 27, &[1]);
    let data = Compressed::open(&bytes, Method::Zlib).unwrap();
    assert_eq!(data.method(), Method::Stored);
    let none = |_: Method<'_>, _: &[u8], _: &mut [u8]| panic!("there is nothing to decompress");
    assert_eq!(data.decompress(27, none).unwrap(), text);

    // The standard codec does not support these methods, so the caller supplies a codec.
    for (number, method) in [(&[2u8][..], Method::Oodle), (&[4], Method::Gzip)] {
        let bytes = open(b"\x1b", 27, number);
        let data = Compressed::open(&bytes, Method::Zlib).unwrap();
        assert_eq!(data.method(), method);
        let refused = data.decompress(27, standard_codec);
        assert_eq!(kind(refused), ErrorKind::Codec(CodecError::Unsupported));
        let own = |of: Method<'_>, from: &[u8], to: &mut [u8]| {
            assert_eq!((of, from), (method, &b"\x1b"[..]));
            to.copy_from_slice(text);
            Ok(to.len())
        };
        assert_eq!(data.decompress(27, own).unwrap(), text);
        let short = |_: Method<'_>, _: &[u8], _: &mut [u8]| Ok(26);
        let differ = ErrorKind::SizesDiffer { declared: 27, found: 26 };
        assert_eq!(kind(data.decompress(27, short)), differ);
    }
    let bytes = open(b"\x1b", 27, b"\0\x05\0\0\0Fast\0");
    let data = Compressed::open(&bytes, Method::Zlib).unwrap();
    let Method::Named(name) = data.method() else { panic!("{:?}", data.method()) };
    assert_eq!(name.as_str(), Some("Fast"));
    let bytes = open(b"\x1b", 27, &[6]);
    let unknown = ErrorKind::Unknown { what: "method of compression", value: 6 };
    assert_eq!(kind(Compressed::open(&bytes, Method::Zlib)), unknown);
}

/// The decompressed data must have exactly the declared sizes.
#[test]
fn declared_sizes_count() {
    let open = |size: i64| {
        let len = BY_ZLIB.len() as i64;
        PLAIN.container(131_072, [len, size], &[(len, size, BY_ZLIB)])
    };
    for size in [0, 1, 22, 24, 1000] {
        let bytes = open(size);
        let error = kind(match Compressed::open(&bytes, Method::Zlib) {
            Ok(data) => data.decompress(DECOMPRESSED_LIMIT, standard_codec).map(|data| data.len()),
            Err(error) => Err(error),
        });
        match error {
            ErrorKind::SizesDiffer { found: 23, .. } if size > 23 => {}
            ErrorKind::Codec(CodecError::Damaged) if (1..23).contains(&size) => {}
            // An empty block is invalid.
            ErrorKind::SizesDiffer { .. } if size == 0 => {}
            other => panic!("{size}: {other}"),
        }
    }
    let bytes = open(23);
    let data = Compressed::open(&bytes, Method::Zlib).unwrap();
    assert_eq!(
        kind(data.decompress(22, standard_codec)),
        ErrorKind::TooLarge { size: 23, limit: 22 }
    );
    kind(data.decompress_into(&mut [0; 22], standard_codec));
    kind(data.decompress_into(&mut [0; 24], standard_codec));
    // The largest size to which these bytes can be decompressed with each method, and one byte
    // more.
    let len = BY_ZLIB.len() as i64;
    let most =
        [(Method::Stored, 1), (Method::Zlib, 1032), (Method::Gzip, 1032), (Method::Lz4, 255)];
    for (method, times) in most {
        assert!(Compressed::open(&open(len * times), method).is_ok(), "{method:?}");
        let error = kind(Compressed::open(&open(len * times + 1), method));
        assert_eq!(error, ErrorKind::BadSize(len * times + 1), "{method:?}");
    }
    // These bytes cannot be decompressed to this size.
    let bytes = open(131_072);
    assert_eq!(kind(Compressed::open(&bytes, Method::Zlib)), ErrorKind::BadSize(131_072));
    assert!(Compressed::open(&bytes, Method::Oodle).is_ok());
}

/// Hostile: tables with false sizes are rejected.
#[test]
fn lying_tables() {
    let len = BY_ZLIB.len() as i64;
    let row = |stored, size| (stored, size, BY_ZLIB);
    let open = |block, totals, rows: &[(i64, i64, &[u8])]| {
        let bytes = PLAIN.container(block, totals, rows);
        kind(Compressed::open(&bytes, Method::Zlib))
    };
    let (max, min) = (i64::MAX, i64::MIN);
    // Blocks of zero or negative size.
    assert_eq!(open(0, [len, 23], &[row(len, 23)]), ErrorKind::BadSize(0));
    assert_eq!(open(-5, [len, 23], &[row(len, 23)]), ErrorKind::BadSize(-5));
    // Negative sizes anywhere.
    assert_eq!(open(100, [-1, 23], &[row(len, 23)]), ErrorKind::BadSize(-1));
    assert_eq!(open(100, [len, min], &[row(len, 23)]), ErrorKind::BadSize(min));
    assert_eq!(open(100, [len, 23], &[row(min, 23)]), ErrorKind::BadSize(min));
    assert_eq!(open(100, [len, 23], &[row(len, -2)]), ErrorKind::BadSize(-2));
    // A block above the maximum size.
    assert_eq!(open(20, [2 * len, 23], &[row(len, 21), row(len, 2)]), ErrorKind::BadSize(21));
    // Sums that differ from the declared totals, or that overflow.
    let differ = |declared, found| ErrorKind::SizesDiffer { declared, found };
    assert_eq!(open(100, [len + 1, 23], &[row(len, 23)]), differ(18, 17));
    assert_eq!(open(100, [len, 24], &[row(len, 23)]), differ(24, 23));
    let rows = [row(max, 1), row(max, 1), row(max, 1), row(5, 1)];
    assert!(matches!(open(1, [2, 4], &rows), ErrorKind::SizesDiffer { declared: 2, .. }));
    // Tables with more blocks than bytes, and blocks that are longer than the data.
    let end = |kind| matches!(kind, ErrorKind::UnexpectedEnd { .. });
    assert!(end(open(1, [len, max], &[row(len, 23)])));
    assert!(end(open(max, [max, 23], &[(max, 23, BY_ZLIB)])));
    assert!(end(open(100, [len + 1, 23], &[row(len + 1, 23)])));
    // Data in a different format.
    let package = read("ue4.10-SimpleRefsRoot.uasset");
    assert_eq!(kind(Compressed::open(&package, Method::Zlib)), ErrorKind::BadSize(-6));
    let mark = |found| ErrorKind::BadMark { expected: TAG.into(), found };
    assert_eq!(kind(Compressed::open(b"GVAS\0\0\0\0", Method::Zlib)), mark(0x5341_5647));
}

/// Hostile: data truncated at any length cause an error, and a change of any single bit causes no
/// panic.
#[test]
fn cut_off_and_changed() {
    let data: Vec<u8> = (0..600u32).map(|n| (n * n / 7) as u8).collect();
    for form in [
        PLAIN,
        Form { big: true, ..PLAIN },
        Form { wide: false, ..PLAIN },
        Form { method: Some(&[3]), ..PLAIN },
        Form { method: Some(b"\0\x05\0\0\0Zlib\0"), ..PLAIN },
    ] {
        let bytes = form.compressed(&data, 256, zlib);
        assert!(Compressed::open(&bytes, Method::Zlib).is_ok());
        for len in 0..bytes.len() {
            Compressed::open(&bytes[..len], Method::Zlib).unwrap_err();
        }
        for at in 0..bytes.len() {
            for bit in 0..8 {
                let mut bytes = bytes.clone();
                bytes[at] ^= 1 << bit;
                if let Ok(data) = Compressed::open(&bytes, Method::Zlib) {
                    let _ = data.decompress(1 << 16, standard_codec);
                }
            }
        }
    }
}

/// Transformed: reads packages whose bodies were compressed, in one chunk or in several.
#[test]
fn compressed_packages() {
    for name in [
        "ue4.06-MyoUtilityBPLibrary.uasset",
        "ue4.10-SimpleRefsRoot.uasset",
        "ue4.27-TestActorBP.uasset",
        "ue5.6-SimpleRefsRoot.uasset",
    ] {
        let file = read(name);
        for sizes in [&[][..], &[1000, 0, 3000]] {
            let packed = in_chunks(&file, sizes, |data| PLAIN.compressed(data, 1024, zlib));
            let error = Package::open(&packed).unwrap_err();
            assert_eq!(*error.kind(), ErrorKind::CompressedPackage, "{name}");
            // The summary of a compressed package can still be read.
            let (_, summary, error) = Package::peek(&packed);
            assert_eq!(error, None);
            assert_eq!(summary.compressed_chunks.len(), sizes.len() + 1);

            let package = CompressedPackage::open(&packed, None).unwrap().unwrap();
            assert_eq!(package.size(), file.len() as u64);
            let plain = package.decompress(DECOMPRESSED_LIMIT, standard_codec).unwrap();
            assert!(plain == file, "{name}");
            Package::open(&plain).unwrap();
            let limit = file.len() - 1;
            let (size, at_most) = (file.len() as u64, limit as u64);
            assert_eq!(
                kind(package.decompress(limit, standard_codec)),
                ErrorKind::TooLarge { size, limit: at_most }
            );
        }
        assert!(CompressedPackage::open(&file, None).unwrap().is_none());
    }
}

/// Buffers of a wrong size are rejected before anything is decompressed.
#[test]
fn slices_of_another_size() {
    let never = |_: Method<'_>, _: &[u8], _: &mut [u8]| -> Result<usize, CodecError> {
        panic!("nothing is to be decompressed")
    };
    let file = read("ue4.10-SimpleRefsRoot.uasset");
    let packed = in_chunks(&file, &[1000], |data| PLAIN.compressed(data, 1024, zlib));
    let package = CompressedPackage::open(&packed, None).unwrap().unwrap();
    let bytes = PLAIN.compressed(&file, 1024, zlib);
    let container = Compressed::open(&bytes, Method::Zlib).unwrap();
    let block = container.blocks().next().unwrap();
    for more in [-1, 1, 1000] {
        let slice = |size: u64| vec![0; size.checked_add_signed(more).unwrap() as usize];
        let differ = |declared: u64| ErrorKind::SizesDiffer {
            declared,
            found: declared.checked_add_signed(more).unwrap(),
        };
        let found = package.decompress_into(&mut slice(package.size()), never);
        assert_eq!(kind(found), differ(package.size()));
        let found = container.decompress_into(&mut slice(container.size()), never);
        assert_eq!(kind(found), differ(container.size()));
        let found = block.decompress_into(&mut slice(block.size), never);
        assert_eq!(kind(found), differ(block.size));
    }
    // It is an error if a chunk is outside of the file, or if its size differs from the total size
    // of its blocks.
    let chunk = package.chunks().next().unwrap();
    let mut other = chunk;
    other.uncompressed_size += 1;
    let (declared, found) = (other.uncompressed_size as u64, chunk.uncompressed_size as u64);
    assert_eq!(kind(package.open_chunk(&other)), ErrorKind::SizesDiffer { declared, found });
    for (offset, size) in [(-1, 10), (i32::MAX, 1), (packed.len() as i32 - 9, 10), (0, -1)] {
        let mut chunk = chunk;
        (chunk.compressed_offset, chunk.compressed_size) = (offset, size);
        let error = package.open_chunk(&chunk).unwrap_err();
        assert_eq!(*error.kind(), ErrorKind::BadOffset(offset.into()));
        assert_eq!(error.offset(), u64::from(offset.unsigned_abs()));
    }
}

/// Transformed: reads a compressed package in the other byte order. Its containers may have either
/// byte order.
#[test]
fn compressed_and_swapped() {
    let file = Described::new(&read("ue4.10-SimpleRefsRoot.uasset"), None).swapped();
    let little = read("ue4.10-SimpleRefsRoot.uasset");
    for big in [false, true] {
        let form = Form { big, ..PLAIN };
        let packed = in_chunks(&little, &[777], |data| form.compressed(data, 1024, zlib));
        // Only the summary is read before decompression, so only the summary is swapped.
        let described = Described::new(&little, None);
        let start = described.number(described.field("name_offset")) as usize;
        let list = described.field("compressed_chunk_count").at + 4;
        let rows = packed[list..list + 32].chunks(4).flat_map(|n| n.iter().rev().copied());
        let mut head = file[..start].to_vec();
        head[list - 8..list].copy_from_slice(&[0, 0, 0, 0x21, 0, 0, 0, 2]);
        head.splice(list..list, rows.collect::<Vec<_>>());
        let packed = [&head[..], &packed[start + 32..]].concat();
        let package = CompressedPackage::open(&packed, None).unwrap().unwrap();
        let plain = package.decompress(DECOMPRESSED_LIMIT, standard_codec).unwrap();
        assert!(plain == [&file[..start], &little[start..]].concat());
    }
}

/// Hostile: chunks that overlap, leave gaps or have false positions are rejected.
#[test]
fn lying_chunks() {
    let file = read("ue4.10-SimpleRefsRoot.uasset");
    let packed = in_chunks(&file, &[1000, 2000], |data| PLAIN.compressed(data, 1024, zlib));
    let described = Described::new(&file, None);
    let list = described.field("compressed_chunk_count").at + 4;
    let row = |chunk: usize, field: usize| list + 16 * chunk + 4 * field;
    let set = |at: usize, value: i32| {
        let mut bytes = packed.clone();
        bytes[at..at + 4].copy_from_slice(&value.to_le_bytes());
        bytes
    };
    let get = |at: usize| i32::from_le_bytes(packed[at..at + 4].try_into().unwrap());
    let opens = |bytes: &[u8]| kind(CompressedPackage::open(bytes, None));
    for chunk in 0..3 {
        let place = get(row(chunk, 0));
        for found in [place - 1, place + 1, 0, -1, i32::MIN, i32::MAX] {
            let out = ErrorKind::ChunkOutOfPlace { expected: place as u64, found: found.into() };
            assert_eq!(opens(&set(row(chunk, 0), found)), out);
        }
        for size in [-1, i32::MIN] {
            assert_eq!(opens(&set(row(chunk, 1), size)), ErrorKind::BadSize(size.into()));
            assert_eq!(opens(&set(row(chunk, 3), size)), ErrorKind::BadSize(size.into()));
        }
        // A negative offset is an error, and so is one in the summary, in the preceding chunk, or
        // after the end of the file.
        for offset in [-1, 0, get(row(chunk, 2)) - 1, i32::MAX] {
            let error = opens(&set(row(chunk, 2), offset));
            assert!(matches!(error, ErrorKind::BadOffset(_)), "{error}");
        }
        assert!(matches!(opens(&set(row(chunk, 3), i32::MAX)), ErrorKind::BadOffset(_)));
        // The offset and size of the first chunk's compressed data are copied to the row of each
        // chunk. This is an error for all but the first chunk.
        let mut same = packed.clone();
        same.copy_within(row(0, 2)..row(0, 4), row(chunk, 2));
        assert_eq!(CompressedPackage::open(&same, None).is_ok(), chunk == 0);
    }
    // A wrong size of the last chunk is only detected when the chunk is opened.
    for size in [0, get(row(2, 1)) - 1, i32::MAX] {
        let bytes = set(row(2, 1), size);
        let package = CompressedPackage::open(&bytes, None).unwrap().unwrap();
        let error = kind(package.decompress(usize::MAX, standard_codec));
        assert!(matches!(error, ErrorKind::SizesDiffer { .. }), "{error}");
    }
    // Flags that do not name a known method.
    for flags in [0x1000, 8, -1] {
        let error = opens(&set(list - 8, flags));
        assert!(matches!(error, ErrorKind::Unknown { .. }), "{error}");
    }
    for len in 0..packed.len() {
        CompressedPackage::open(&packed[..len], None).unwrap_err();
    }
    for at in (list - 8)..packed.len().min(list + 400) {
        let mut bytes = packed.clone();
        bytes[at] ^= 0x55;
        if let Ok(Some(package)) = CompressedPackage::open(&bytes, None) {
            let _ = package.decompress(1 << 20, standard_codec);
        }
    }
}

/// A container that starts with the magic of packages is reported as a container.
#[test]
fn containers_are_no_packages() {
    for wide in [true, false] {
        let form = Form { wide, ..PLAIN };
        let block = zlib(&[7; 100]);
        let row = (block.len() as i64, 100, &block[..]);
        let bytes = form.container(0x2_0000, [row.0, 100], &[row]);
        assert_eq!(kind(Package::open(&bytes)), ErrorKind::CompressedBlock);
    }
}

/// Containers are written in every format, and read back. Uncompressed containers have the same
/// bytes as those of the independent writer.
#[test]
fn containers_are_written_as_they_are_read() {
    let data: Vec<u8> = read("ue4.10-SimpleRefsRoot.uasset");
    let versions = [ContainerVersion::Engine3, ContainerVersion::One, ContainerVersion::Two];
    for version in versions {
        for order in [ByteOrder::Little, ByteOrder::Big] {
            for (method, number) in [(Method::Zlib, 3), (Method::Lz4, 5), (Method::Stored, 1)] {
                let format = ContainerFormat { version, order, method, block_size: 4096 };
                let mut bytes = b"before".to_vec();
                format.write(&data, standard_encoder, &mut bytes).unwrap();
                let bytes = bytes.strip_prefix(b"before").unwrap();
                let container = Compressed::open(bytes, method).unwrap();
                assert_eq!(container.format(), format);
                assert_eq!(container.stored_size(), bytes.len() as u64);
                assert!(container.decompress(data.len(), standard_codec).unwrap() == data);
                if method == Method::Stored {
                    let form = Form {
                        wide: version != ContainerVersion::Engine3,
                        big: order == ByteOrder::Big,
                        method: (version == ContainerVersion::Two).then_some(&[1]),
                    };
                    assert!(bytes == form.compressed(&data, 4096, <[u8]>::to_vec), "{number}");
                }
            }
        }
    }
    let format = ContainerFormat {
        version: ContainerVersion::Two,
        order: ByteOrder::Little,
        method: Method::Oodle,
        block_size: 4096,
    };
    let refused =
        |format: ContainerFormat<'_>| kind(format.write(&data, standard_encoder, &mut Vec::new()));
    assert_eq!(refused(format), ErrorKind::Codec(CodecError::Unsupported));
    let method = Method::Lzo;
    assert_eq!(refused(ContainerFormat { method, ..format }), ErrorKind::DoesNotFit);
    assert_eq!(refused(ContainerFormat { block_size: 0, ..format }), ErrorKind::BadSize(0));
    let version = ContainerVersion::Engine3;
    let size = u64::from(u32::MAX);
    let large = ContainerFormat { version, method: Method::Stored, block_size: size, ..format };
    assert_eq!(refused(large), ErrorKind::FieldTooSmall(size as i64));
    // A container that names its method, and one without any block.
    let form = Form { method: Some(b"\0\x05\0\0\0zLiB\0"), ..PLAIN };
    let bytes = form.compressed(&data, 4096, zlib);
    let container = Compressed::open(&bytes, Method::Lzo).unwrap();
    assert!(container.decompress(data.len(), standard_codec).unwrap() == data);
    let mut again = Vec::new();
    container.format().write(&data, standard_encoder, &mut again).unwrap();
    assert!(again == bytes);
    let mut empty = Vec::new();
    container.format().write(&[], standard_encoder, &mut empty).unwrap();
    assert_eq!(Compressed::open(&empty, Method::Lzo).unwrap().size(), 0);
}

/// A compressed package is written as the independent writer writes it, and read back.
#[test]
fn packages_are_compressed() {
    for name in ["ue4.06-MyoUtilityBPLibrary.uasset", "ue4.27-TestActorBP.uasset"] {
        let file = read(name);
        let packed = in_chunks(&file, &[], |data| PLAIN.compressed(data, 1024, zlib));
        let package = CompressedPackage::open(&packed, None).unwrap().unwrap();
        let format = package.format().unwrap();
        assert_eq!((format.flags, format.container.block_size), (0x21, 1024));
        assert!(format.write(&file, None, standard_encoder).unwrap() == packed, "{name}");
        let again = format.write(&packed, None, standard_encoder);
        assert_eq!(kind(again), ErrorKind::CompressedPackage);
        for chunk_size in [1, 1000, 1 << 20] {
            let format = PackageFormat { chunk_size, ..format };
            let packed = format.write(&file, None, standard_encoder).unwrap();
            let package = CompressedPackage::open(&packed, None).unwrap().unwrap();
            assert_eq!(
                package.format().unwrap().chunk_size,
                chunk_size.min(package.chunks().next().unwrap().uncompressed_size as u32)
            );
            let plain = package.decompress(DECOMPRESSED_LIMIT, standard_codec).unwrap();
            // Like the original package, the decompressed package has no compression flags.
            assert!(plain == file, "{name}");
        }
        let refused = |format: PackageFormat<'_>| kind(format.write(&file, None, standard_encoder));
        assert_eq!(refused(PackageFormat { chunk_size: 0, ..format }), ErrorKind::DoesNotFit);
        assert_eq!(refused(PackageFormat { flags: 4, ..format }), ErrorKind::DoesNotFit);
        assert_eq!(
            kind(format.write(b"GVAS", None, standard_encoder)),
            ErrorKind::NotAPackage(0x5341_5647)
        );
    }
}
