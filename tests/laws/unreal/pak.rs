//! Laws of paks in arbitrary bytes: each way of reading gives the same result, and a file has the
//! size that its entry states.

use super::accessors::show;
use gamewire::unreal::compression::standard_codec;
use gamewire::unreal::pak::{Entry, Footer, Index, IndexBuf, Key};
use std::io::Cursor;

/// The highest limit on the size of a file, in bytes.
const LIMIT: usize = 1 << 20;

/// Reads a pak. The first byte of `data` selects the version of a footer, and the next two bytes
/// are the offset of the index. The pak consists of the other bytes and this footer. Version 0 adds
/// no footer.
pub fn unreal_pak(data: &[u8]) {
    let Some((&[version, low, high], bytes)) = data.split_first_chunk() else { return };
    let version = version % 14;
    let mut pak = bytes.to_vec();
    if version > 0 {
        let offset = usize::from(u16::from_le_bytes([low, high])).min(pak.len());
        let size = pak.len() - offset;
        pak.extend(footer(version, offset as u64, size as u64));
    }
    assert_eq!(Footer::is_pak(&pak), Footer::of(&pak).is_ok() || Footer::is_pak(&pak));
    let parts = IndexBuf::load(&mut Cursor::new(&pak), Some(&Key::from_bytes([7; 32])));
    match (Index::open(&pak), &parts) {
        (Ok(index), Ok(parts)) => {
            let again = parts.index().unwrap();
            assert!(index.entries().eq(again.entries()));
            read(&index, parts, &pak);
        }
        (Err(error), Err(_)) => show(error),
        (Err(_), Ok(parts)) => read(&parts.index().unwrap(), parts, &pak),
        (Ok(_), Err(error)) => panic!("{error}"),
    }
}

/// Returns the footer of a pak whose index is not encrypted. Version 13 stands for version 8 as
/// engine 4.22 writes it.
fn footer(version: u8, offset: u64, size: u64) -> Vec<u8> {
    let number = if version == 13 { 8 } else { version };
    let mut footer = match number {
        7.. => vec![0; 17],
        4..=6 => vec![0],
        _ => Vec::new(),
    };
    footer.extend([0xE1, 0x12, 0x6F, 0x5A, number, 0, 0, 0]);
    footer.extend([offset.to_le_bytes(), size.to_le_bytes()].concat());
    footer.extend([0; 20]);
    let names = match version {
        13 => 4,
        8.. => 5,
        _ => 0,
    };
    footer.extend(vec![0; usize::from(version == 9)]);
    for name in ["Zlib", "LZ4", "Zstd", "", "x"].iter().take(names) {
        let mut name = name.as_bytes().to_vec();
        name.resize(32, 0);
        footer.extend(name);
    }
    footer
}

fn read(index: &Index<'_>, parts: &IndexBuf, pak: &[u8]) {
    let _ = (index.mount_point().to_string(), index.footer().methods().count());
    let mut files = 0;
    for entry in index.entries() {
        files += 1;
        match entry {
            Ok(entry) => read_entry(index, &entry, pak),
            Err(error) => show(error),
        }
    }
    // Each file takes at least eight bytes of a list.
    assert!(files * 8 <= pak.len(), "{files}");
    let mut problems = 0;
    let report = |problem: gamewire::unreal::pak::Problem<'_>| {
        problems += 1;
        let _ = problem.part.to_string();
        show(problem.error);
    };
    parts.verify(&mut Cursor::new(pak), report).unwrap();
    assert!(problems <= 2 * files + 5);
}

fn read_entry(index: &Index<'_>, entry: &Entry<'_>, pak: &[u8]) {
    let path = entry.path.to_string();
    assert!(path.len() <= 3 * 2 * 4096);
    assert!(entry.path.is(&path) && entry.path.is_ignoring_case(&path));
    assert!(index.find(&path).is_some() || path.starts_with('/') || path.contains('\u{FFFD}'));
    let blocks: Vec<_> = entry.blocks().collect();
    let is_whole = blocks.iter().all(Result::is_ok);
    let sizes = blocks.iter().flatten().map(|block| u128::from(block.size));
    assert!(!is_whole || sizes.sum::<u128>() == u128::from(entry.size));
    let key = Key::from_bytes([7; 32]);
    let read = entry.read(&mut Cursor::new(pak), Some(&key), LIMIT, standard_codec);
    assert!(is_whole || read.is_err());
    let size = entry.size.min(LIMIT as u64) as usize;
    let mut to = vec![0; size];
    match (read, entry.decompress_into(pak, &mut to, standard_codec)) {
        (Ok(read), Ok(())) => assert!(read == to),
        (Ok(read), Err(_)) => assert!(entry.is_encrypted && read.len() as u64 == entry.size),
        (Err(error), Ok(())) => panic!("{error}"),
        (Err(error), Err(_)) => drop(error.to_string()),
    }
}
