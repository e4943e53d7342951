//! Laws of `IoStore` containers in arbitrary bytes: all ways of reading give the same result, and
//! each chunk has the size that the table states.

use super::accessors::show;
use gamewire::unreal::compression::standard_codec;
use gamewire::unreal::iostore::{Chunk, Toc, TocBuf};
use gamewire::unreal::pak::Key;
use std::io::Cursor;

/// The highest limit on the size of a chunk, in bytes.
const LIMIT: usize = 1 << 20;

/// Reads a container. The data begin with two bytes for the size of the table of contents, followed
/// by the table itself. All further bytes serve as both the first and the second partition.
pub fn unreal_iostore(data: &[u8]) {
    let Some((&size, bytes)) = data.split_first_chunk() else { return };
    let size = usize::from(u16::from_le_bytes(size)).min(bytes.len());
    let (utoc, container) = bytes.split_at(size);
    let key = Key::from_bytes([7; 32]);
    let buf = TocBuf::load(&mut Cursor::new(utoc), Some(&key));
    match (Toc::open(utoc), buf) {
        (Ok(toc), Ok(buf)) => {
            assert!(Toc::is_toc(utoc));
            let again = buf.toc().unwrap();
            assert!(toc.chunks().eq(again.chunks()));
            assert!(toc.is_encrypted() || toc.files().eq(again.files()));
            read(&again, container, utoc.len());
        }
        (Err(error), Err(_)) => show(error),
        (Ok(toc), Err(_)) => assert!(toc.is_encrypted()),
        (Err(error), Ok(_)) => panic!("{error}"),
    }
}

fn read(toc: &Toc<'_>, container: &[u8], size: usize) {
    let _ = (toc.mount_point().to_string(), toc.methods().count());
    let mut files = 0;
    for file in toc.files() {
        files += 1;
        match file {
            Ok(file) => {
                let path = file.path.to_string();
                assert!(path.len() <= 3 * 4096);
                assert!(file.path.is(&path) && file.path.is_ignoring_case(&path));
                let found = toc.find(&path);
                assert!(
                    found.is_some() || toc.chunk(file.chunk).is_none() || path.starts_with('/')
                );
            }
            Err(error) => show(error),
        }
    }
    // Each file takes twelve bytes in the directory index.
    assert!(files * 12 <= size.max(12), "{files}");
    for chunk in toc.chunks() {
        match chunk {
            Ok(chunk) => read_chunk(toc, &chunk, container),
            Err(error) => show(error),
        }
    }
    let mut problems = 0;
    toc.verify(
        |index| (index < 2).then_some(container.len() as u64),
        |problem| {
            problems += 1;
            let _ = problem.part.to_string();
            show(problem.error);
        },
    );
    assert!(problems <= toc.count() as usize + files + 1);
}

fn read_chunk(toc: &Toc<'_>, chunk: &Chunk<'_>, container: &[u8]) {
    assert!(toc.find_chunk(chunk.id).is_some() && toc.find(&chunk.id.to_string()).is_some());
    let _ = chunk.kind.to_string();
    let blocks: Vec<_> = chunk.blocks().take(1000).collect();
    let is_whole = blocks.iter().all(Result::is_ok);
    let sizes = blocks.iter().flatten().map(|part| u128::from(part.block.size));
    assert!(!is_whole || blocks.len() == 1000 || sizes.sum::<u128>() == u128::from(chunk.size));
    let key = Key::from_bytes([7; 32]);
    let open = |index| match index {
        0 | 1 => Ok(Cursor::new(container)),
        _ => Err(std::io::ErrorKind::NotFound.into()),
    };
    let read = chunk.read(open, Some(&key), LIMIT, standard_codec);
    assert!(is_whole || read.is_err());
    let mut to = vec![0; chunk.size.min(LIMIT as u64) as usize];
    match (read, chunk.decompress_into(&[container, container], &mut to, standard_codec)) {
        (Ok(read), Ok(())) => assert!(read == to),
        (Ok(read), Err(_)) => assert!(chunk.is_encrypted && read.len() as u64 == chunk.size),
        (Err(error), Ok(())) => panic!("{error}"),
        (Err(error), Err(_)) => drop(error.to_string()),
    }
}
