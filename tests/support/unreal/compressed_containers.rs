//! Containers of compressed blocks, and packages made of them, written from the description of the
//! format. The caller compresses the blocks.

use super::transform::Described;

pub const TAG: u32 = 0x9E2A_83C1;

/// The encoding of the numbers in a container, and the compression method of the container.
#[derive(Clone, Copy, PartialEq)]
pub struct Form {
    pub wide: bool,
    pub big: bool,
    /// The method of compression, if the container has version 2.
    pub method: Option<&'static [u8]>,
}

pub const PLAIN: Form = Form { wide: true, big: false, method: None };

impl Form {
    pub fn number(self, value: i64) -> Vec<u8> {
        let mut bytes = value.to_le_bytes().to_vec();
        bytes.truncate(if self.wide { 8 } else { 4 });
        if self.big {
            bytes.reverse();
        }
        bytes
    }

    pub fn container(self, block: i64, totals: [i64; 2], blocks: &[(i64, i64, &[u8])]) -> Vec<u8> {
        let second = if self.method.is_some() { 0x2222_2222 } else { 0 };
        let mut bytes = self.number(i64::from(TAG) | second << 32);
        bytes.extend(self.number(block));
        bytes.extend(self.method.unwrap_or_default());
        bytes.extend(totals.into_iter().flat_map(|total| self.number(total)));
        for (stored, size, _) in blocks {
            bytes.extend(self.number(*stored));
            bytes.extend(self.number(*size));
        }
        bytes.extend(blocks.iter().flat_map(|(_, _, data)| *data));
        bytes
    }

    /// Splits data into blocks of `block` bytes, and compresses each block.
    pub fn compressed(self, data: &[u8], block: usize, with: fn(&[u8]) -> Vec<u8>) -> Vec<u8> {
        let blocks: Vec<_> = data.chunks(block).map(|block| (block.len(), with(block))).collect();
        let rows: Vec<_> = blocks
            .iter()
            .map(|(size, data)| (data.len() as i64, *size as i64, &data[..]))
            .collect();
        let stored = rows.iter().map(|row| row.0).sum();
        self.container(block as i64, [stored, data.len() as i64], &rows)
    }
}

/// Builds a package of one file. The summary is followed by compressed chunks: chunks of the given
/// sizes, and one chunk of the remaining bytes.
pub fn in_chunks(file: &[u8], sizes: &[usize], with: impl Fn(&[u8]) -> Vec<u8>) -> Vec<u8> {
    let mut described = Described::new(file, None);
    let start = described.number(described.field("name_offset")) as usize;
    let (flags, count) =
        (described.field("compression_flags"), described.field("compressed_chunk_count"));
    described.set(flags, 0x21);
    described.set(count, sizes.len() as i64 + 1);
    let (mut rows, mut chunks) = (Vec::new(), Vec::new());
    let (mut at, mut stored_at) = (start, start + 16 * (sizes.len() + 1));
    for size in sizes.iter().copied().chain([usize::MAX]) {
        let end = at.saturating_add(size).min(file.len());
        let chunk = with(&file[at..end]);
        for number in [at, end - at, stored_at, chunk.len()] {
            rows.extend((number as i32).to_le_bytes());
        }
        (at, stored_at) = (end, stored_at + chunk.len());
        chunks.extend(chunk);
    }
    // Offsets in the summary do not change: they refer to the uncompressed package.
    let mut bytes = described.bytes[..start].to_vec();
    let list = count.at + 4;
    bytes.splice(list..list, rows);
    [bytes, chunks].concat()
}
