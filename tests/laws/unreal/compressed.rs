//! Laws for compressed data in arbitrary bytes: the output has the declared size, and never exceeds
//! the limit.

use super::accessors::{Look, show};
use super::package::package_as;
use gamewire::unreal::compression::{
    Block, CodecError, Compressed, CompressedPackage, Method, standard_codec,
};
use gamewire::unreal::{Error, ErrorKind, Package, Versions};
use std::cell::Cell;

/// The highest limit on the output, in bytes.
const LIMIT: usize = 1 << 20;

/// Reads compressed data and compressed packages. The first byte selects the compression method,
/// the decompressor and the output limit.
pub fn unreal_compressed(data: &[u8]) {
    let Some((first, bytes)) = data.split_first() else { return };
    let methods = [Method::Zlib, Method::Lz4, Method::Stored, Method::Oodle];
    let method = methods[usize::from(first & 3)];
    let codec = match first & 4 {
        0 => standard_codec,
        _ => repeat,
    };
    let limit = if first & 8 == 0 { LIMIT } else { bytes.len() };
    container(bytes, method, codec, limit);
    package(bytes, codec, limit);
}

type Function = fn(Method<'_>, &[u8], &mut [u8]) -> Result<usize, CodecError>;

/// Fills the output with repetitions of the input, for any method.
fn repeat(_: Method<'_>, from: &[u8], to: &mut [u8]) -> Result<usize, CodecError> {
    to.iter_mut().zip(from.iter().cycle()).for_each(|(to, from)| *to = *from);
    Ok(if from.is_empty() { 0 } else { to.len() })
}

/// Reads compressed data at the start of the bytes. Returns `true` if the data can be opened.
pub fn container(bytes: &[u8], method: Method<'_>, codec: Function, limit: usize) -> bool {
    let data = match Compressed::open(bytes, method) {
        Ok(data) => data,
        Err(error) => {
            show(error);
            assert!(error.offset() <= bytes.len() as u64);
            return false;
        }
    };
    let stored = usize::try_from(data.stored_size()).unwrap();
    assert!(stored <= bytes.len(), "it is all there");
    blocks(&data, bytes);
    // Bytes after the data make no difference, and every byte of the data is needed.
    let same = Compressed::open(&bytes[..stored], method).unwrap();
    assert_eq!((same.size(), same.stored_size()), (data.size(), data.stored_size()));
    assert!(Compressed::open(&bytes[..stored - 1], method).is_err());

    let asked = Cell::new(0);
    let counting = |method: Method<'_>, from: &[u8], to: &mut [u8]| {
        asked.set(asked.get() + to.len() as u64);
        codec(method, from, to)
    };
    let whole = data.decompress(limit, counting);
    assert!(asked.get() <= data.size(), "no more is asked for than was declared");
    made(&whole, data.size(), limit, asked.get());
    if data.size() > LIMIT as u64 {
        return true;
    }
    let len = data.size() as usize;
    let mut pieces = Vec::new();
    let by_blocks = data.blocks().try_for_each(|block| {
        let mut to = vec![0; block.size as usize];
        block.decompress_into(&mut to, codec)?;
        pieces.extend(to);
        Ok::<_, Error>(())
    });
    match &whole {
        Ok(whole) => assert!(by_blocks.is_ok() && pieces == *whole),
        Err(_) => assert!(len > limit || by_blocks.is_err()),
    }
    // It is an error if a decompressor returns a size that is not the size of the block.
    for said in [0, len / 2, len + 1, usize::MAX] {
        let wrong = data
            .decompress_into(&mut vec![0; len], |_: Method<'_>, _: &[u8], _: &mut [u8]| Ok(said));
        let one = data.blocks().all(|block| block.size as usize == said);
        assert!(wrong.is_err() || one || data.method() == Method::Stored, "{said} of {len}");
    }
    assert!(data.decompress_into(&mut vec![0; len + 1], codec).is_err());
    true
}

/// Asserts that the output has the declared size and stays within the limit. If the declared size
/// is above the limit, asserts instead that the data are rejected before a codec is called.
fn made(result: &Result<Vec<u8>, Error>, size: u64, limit: usize, asked: u64) {
    match result {
        Ok(bytes) => {
            assert_eq!(bytes.len() as u64, size);
            assert!(bytes.len() <= limit && bytes.capacity() <= limit);
        }
        Err(error) => {
            show(error);
            let too_large = matches!(error.kind(), ErrorKind::TooLarge { .. });
            assert!(!too_large || asked == 0 && size > limit as u64);
            assert!(too_large || size <= limit as u64);
        }
    }
}

/// Asserts that the blocks are adjacent, lie inside the bytes, and do not exceed the maximum size.
fn blocks(data: &Compressed<'_>, bytes: &[u8]) {
    let mut look = Look::default();
    let blocks = data.blocks();
    assert_eq!(blocks.len() as u64, data.size().div_ceil(data.block_size()));
    let (mut size, mut end) = (0, None);
    for block in blocks {
        let Block { method, bytes: of, size: each, offset } = block;
        assert_eq!(method, data.method());
        assert!(each <= data.block_size());
        assert!(end.is_none_or(|end| end == offset), "blocks are in a row");
        let at = offset as usize;
        assert_eq!(&bytes[at..at + of.len()], of);
        end = Some(offset + of.len() as u64);
        size += each;
        look.items += 1;
    }
    assert_eq!(size, data.size());
    assert!(end.is_none_or(|end| end == data.stored_size()));
    look.assert_linear(bytes.len() as u64);
}

/// Reads a package that consists of compressed chunks. Returns `true` if it can be decompressed.
pub fn package(file: &[u8], codec: Function, limit: usize) -> bool {
    let supplied = Versions::of_engine(4, 27);
    let opened = CompressedPackage::open(file, supplied);
    let refused = Package::open_as(file, None, supplied).err();
    let package = match opened {
        Ok(Some(package)) => package,
        Ok(None) => {
            assert!(refused.is_none_or(|error| *error.kind() != ErrorKind::CompressedPackage));
            return false;
        }
        Err(error) => {
            show(error);
            return false;
        }
    };
    assert!(refused.is_some(), "nobody takes it for one that is not compressed");
    let mut chunks = 0;
    for chunk in package.chunks() {
        chunks += 1;
        if let Ok(data) = package.open_chunk(&chunk) {
            assert_eq!(data.size(), chunk.uncompressed_size as u64);
            assert!(data.stored_size() <= chunk.compressed_size as u64);
        }
    }
    assert!(16 * chunks <= file.len());
    let asked = Cell::new(0);
    let counting = |method: Method<'_>, from: &[u8], to: &mut [u8]| {
        asked.set(asked.get() + to.len() as u64);
        codec(method, from, to)
    };
    let plain = package.decompress(limit, counting);
    assert!(asked.get() <= package.size());
    if plain.is_ok() || package.size() <= limit as u64 {
        made(&plain, package.size(), limit, asked.get());
    }
    let Ok(plain) = plain else { return false };
    let mut same = vec![0xA5; plain.len()];
    package.decompress_into(&mut same, codec).unwrap();
    assert!(same == plain);
    if plain.len() < 1 << 16 {
        let again = CompressedPackage::open(&plain, supplied);
        assert!(!matches!(again, Ok(Some(_))), "it is compressed no more");
        package_as(&plain, None, supplied);
    }
    true
}
