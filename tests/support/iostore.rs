//! A writer of `IoStore` containers, based on a description of the format instead of the library's
//! tables.

use super::paks::{How, NAMES, compressed, encrypted};
use super::strings::string;
use sha1::{Digest, Sha1};

#[derive(Clone, Debug)]
pub struct Chunk {
    /// Chunks without a path are not in the directory index.
    pub path: Option<String>,
    pub data: Vec<u8>,
    pub how: How,
    /// The number of the type.
    pub kind: u8,
}

pub fn chunk(path: &str, data: &[u8], how: How) -> Chunk {
    Chunk { path: Some(path.to_owned()), data: data.to_vec(), how, kind: 2 }
}

/// A container to write.
#[derive(Clone, Debug)]
pub struct Container {
    pub version: u8,
    pub mount_point: String,
    pub chunks: Vec<Chunk>,
    pub block: usize,
    pub is_encrypted: bool,
    pub is_signed: bool,
    pub partition_size: Option<usize>,
    /// If this is set, every chunk has the place of the chunk with this index.
    pub shared: Option<usize>,
}

/// The bytes of a container.
#[derive(Clone, Debug)]
pub struct Written {
    pub utoc: Vec<u8>,
    pub partitions: Vec<Vec<u8>>,
    /// Number of bytes before the directory index.
    pub directory: usize,
}

impl Container {
    pub fn new(version: u8, chunks: Vec<Chunk>) -> Self {
        Self {
            version,
            mount_point: "../../../Game/".into(),
            chunks,
            block: 0x1_0000,
            is_encrypted: false,
            is_signed: false,
            partition_size: None,
            shared: None,
        }
    }

    /// Returns the identifier of the chunk with this index.
    pub fn id(&self, index: usize) -> [u8; 12] {
        let mut id = [0; 12];
        id[..8].copy_from_slice(&(0xABCD_0000 + index as u64).to_le_bytes());
        id[11] = self.chunks[index].kind;
        id
    }

    pub fn write(&self) -> Written {
        let mut partitions = vec![Vec::new()];
        let (mut places, mut blocks, mut metas) = (Vec::new(), Vec::new(), Vec::new());
        for chunk in &self.chunks {
            let start = blocks.len() / 12 * self.block;
            places.push(
                [&(start as u64).to_be_bytes()[3..], &(chunk.data.len() as u64).to_be_bytes()[3..]]
                    .concat(),
            );
            for data in chunk.data.chunks(self.block) {
                blocks.extend(self.add(chunk.how, data, &mut partitions));
            }
            metas.extend(Sha1::digest(&chunk.data));
            metas.extend(vec![0; if self.version >= 8 { 0 } else { 12 }]);
            metas.push(u8::from(chunk.how != How::Stored));
            metas.extend(vec![0; if self.version >= 8 { 3 } else { 0 }]);
        }
        if let Some(index) = self.shared {
            let place = places[index].clone();
            places.fill(place);
        }
        let mut directory = if self.version >= 2 { self.directory() } else { Vec::new() };
        if self.is_encrypted {
            directory = encrypted(directory);
        }
        let count = blocks.len() / 12;
        let mut utoc = self.header(count, directory.len(), partitions.len());
        (0..self.chunks.len()).for_each(|index| utoc.extend(self.id(index)));
        utoc.extend(places.concat());
        utoc.extend(vec![7; if self.version >= 4 { 8 } else { 0 }]);
        utoc.extend(vec![0; if self.version >= 5 { 4 } else { 0 }]);
        utoc.extend(blocks);
        for (_, name) in NAMES {
            let mut name = name.as_bytes().to_vec();
            name.resize(32, 0);
            utoc.extend(name);
        }
        if self.is_signed {
            utoc.extend(6u32.to_le_bytes());
            utoc.extend(vec![9; 12 + 20 * count]);
        }
        let start = utoc.len();
        utoc.extend(directory);
        utoc.extend(metas);
        Written { utoc, partitions, directory: start }
    }

    /// Writes a block, and returns its place.
    fn add(&self, how: How, data: &[u8], partitions: &mut Vec<Vec<u8>>) -> Vec<u8> {
        let stored = compressed(how, data);
        let size = stored.len();
        let bytes = if self.is_encrypted { encrypted(stored) } else { stored };
        let full = |last: &Vec<u8>| {
            self.partition_size.is_some_and(|most| last.len() + bytes.len() > most)
        };
        if full(partitions.last().unwrap()) {
            partitions.push(Vec::new());
        }
        let base = (partitions.len() - 1) * self.partition_size.unwrap_or_default();
        let last = partitions.last_mut().unwrap();
        let offset = (base + last.len()) as u64;
        last.extend(bytes);
        let method = match how {
            How::Stored => 0,
            how => 1 + NAMES.iter().position(|(of, _)| *of == how).unwrap() as u8,
        };
        let mut place = offset.to_le_bytes()[..5].to_vec();
        place.extend(&(size as u32).to_le_bytes()[..3]);
        place.extend(&(data.len() as u32).to_le_bytes()[..3]);
        place.push(method);
        place
    }

    fn header(&self, blocks: usize, directory: usize, partitions: usize) -> Vec<u8> {
        let mut header = b"-==--==--==--==-".to_vec();
        header.extend([self.version, 0, 0, 0]);
        let chunks = self.chunks.len();
        let directory = if self.version >= 2 { directory } else { 77 };
        for number in [144, chunks, blocks, 12, NAMES.len(), 32, self.block, directory, partitions]
        {
            header.extend((number as u32).to_le_bytes());
        }
        header.extend(0x1234_5678_9ABC_DEF0u64.to_le_bytes());
        header.extend([0; 16]);
        let flags = 1 | u8::from(self.is_encrypted) << 1 | u8::from(self.is_signed) << 2;
        header.extend([flags | 8, 0, 0, 0]);
        // In older versions, newer fields have no meaning.
        header.extend((if self.version >= 4 { 2u32 } else { 99 }).to_le_bytes());
        header.extend(self.partition_size.map_or(u64::MAX, |size| size as u64).to_le_bytes());
        header.extend((if self.version >= 5 { 1u32 } else { 99 }).to_le_bytes());
        header.extend([0; 44]);
        header
    }

    /// Returns the directory index. Each list begins with the item that was added last, as in files of
    /// the engine.
    fn directory(&self) -> Vec<u8> {
        const NONE: u32 = u32::MAX;
        let (mut folders, mut files) = (vec![[NONE; 4]], Vec::new());
        let mut names: Vec<&str> = Vec::new();
        let mut name = |text| {
            let index = names.iter().position(|name| *name == text);
            index.unwrap_or_else(|| {
                names.push(text);
                names.len() - 1
            }) as u32
        };
        for (index, chunk) in self.chunks.iter().enumerate() {
            let Some(path) = &chunk.path else { continue };
            let mut parts: Vec<_> = path.split('/').collect();
            let last = name(parts.pop().unwrap());
            let mut folder = 0;
            for part in parts {
                let part = name(part);
                let mut child = folders[folder][1];
                while child != NONE && folders[child as usize][0] != part {
                    child = folders[child as usize][2];
                }
                if child == NONE {
                    child = folders.len() as u32;
                    folders.push([part, NONE, folders[folder][1], NONE]);
                    folders[folder][1] = child;
                }
                folder = child as usize;
            }
            files.push([last, folders[folder][3], index as u32]);
            folders[folder][3] = files.len() as u32 - 1;
        }
        let mut bytes = string(&self.mount_point);
        let mut list = |rows: Vec<u8>, count: usize| {
            bytes.extend((count as u32).to_le_bytes());
            bytes.extend(rows);
        };
        let (count, rows) = (folders.len(), folders.concat());
        list(rows.iter().flat_map(|word| word.to_le_bytes()).collect(), count);
        let (count, rows) = (files.len(), files.concat());
        list(rows.iter().flat_map(|word| word.to_le_bytes()).collect(), count);
        list(names.iter().flat_map(|name| string(name)).collect(), names.len());
        bytes
    }
}
