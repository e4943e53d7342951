//! A writer of paks, made from the description of the format and without the library's tables.

use super::strings::string;
use aes::Aes256;
use aes::cipher::{Array, Block, BlockCipherEncrypt, KeyInit};
use sha1::{Digest, Sha1};
use std::collections::BTreeMap;

/// The key of encrypted paks.
pub const KEY: [u8; 32] = *b"0123456789abcdef0123456789ABCDEF";

/// How the files of a pak are compressed.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum How {
    Stored,
    Zlib,
    Lz4,
    Zstd,
    Oodle,
}

#[derive(Clone, Debug)]
pub struct File {
    pub path: String,
    pub data: Vec<u8>,
    pub how: How,
    pub is_encrypted: bool,
    pub is_deleted: bool,
}

pub fn file(path: &str, data: &[u8], how: How) -> File {
    let (path, data) = (path.to_owned(), data.to_vec());
    File { path, data, how, is_encrypted: false, is_deleted: false }
}

/// A pak to write.
#[derive(Clone, Debug)]
pub struct Pak {
    pub version: u32,
    /// Writes version 8 as engine 4.22 does.
    pub is_4_22: bool,
    pub mount_point: String,
    pub files: Vec<File>,
    pub block: usize,
    pub has_encrypted_index: bool,
    pub is_frozen: bool,
    /// From version 10 on: writes the list of folders.
    pub has_folders: bool,
    /// From version 10 on: writes the list of hashes.
    pub has_hashes: bool,
    /// From version 10 on: writes entries in full instead of encoding them.
    pub in_full: bool,
    /// From version 10 on: every path leads to the file with this number.
    pub shared: Option<usize>,
    pub seed: u64,
}

impl Pak {
    pub fn new(version: u32, files: Vec<File>) -> Self {
        Self {
            version,
            is_4_22: false,
            mount_point: "../../../Game/".into(),
            files,
            block: 0x1_0000,
            has_encrypted_index: false,
            is_frozen: false,
            has_folders: true,
            has_hashes: true,
            in_full: false,
            shared: None,
            seed: 0x1234_5678,
        }
    }

    pub fn write(&self) -> Vec<u8> {
        let mut out = Vec::new();
        let entries: Vec<_> = self.files.iter().map(|file| self.add(file, &mut out)).collect();
        let start = out.len() as u64;
        let first = match self.version {
            ..10 => self.listed(&entries),
            _ => return self.with_parts(&entries, out),
        };
        let index = self.finish_index(first);
        out.extend(&index.0);
        self.footer(&mut out, start, &index);
        out
    }

    /// Writes the data of a file, and returns its entry.
    fn add(&self, file: &File, out: &mut Vec<u8>) -> Entry {
        let mut entry = Entry { offset: out.len() as u64, ..Entry::default() };
        entry.is_deleted = file.is_deleted;
        if file.is_deleted {
            return entry;
        }
        (entry.size, entry.is_encrypted) = (file.data.len() as u64, file.is_encrypted);
        (entry.how, entry.method) = (file.how, self.number(file.how));
        let mut data = Vec::new();
        if file.how == How::Stored {
            data.clone_from(&file.data);
            entry.stored = data.len() as u64;
            if file.is_encrypted {
                data = encrypted(data);
            }
        } else {
            let chunks: Vec<_> = file.data.chunks(self.block).collect();
            entry.block = if chunks.len() == 1 { file.data.len() } else { self.block } as u32;
            let mut ends = Vec::new();
            for chunk in &chunks {
                let block = compressed(file.how, chunk);
                ends.push((data.len() as u64, (data.len() + block.len()) as u64));
                data.extend(if file.is_encrypted { encrypted(block) } else { block });
            }
            let header = self.size_of_header(file.how, chunks.len());
            let base = if self.version < 5 { entry.offset } else { 0 } + header;
            entry.blocks = ends.iter().map(|(start, end)| (base + start, base + end)).collect();
            entry.stored = data.len() as u64;
        }
        entry.sha1 = Sha1::digest(&data[..entry.stored as usize]).to_vec();
        let header = Entry { offset: 0, ..entry.clone() }.bytes(self);
        out.extend(header);
        out.extend(data);
        entry
    }

    /// Returns the number of a method: a flag below version 8, otherwise the position of its name.
    fn number(&self, how: How) -> u32 {
        match (self.version, how) {
            (_, How::Stored) => 0,
            (..8, How::Zlib) => 1,
            (..8, How::Oodle) => 4,
            (..8, _) => panic!("version {} has no names", self.version),
            (_, how) => NAMES.iter().position(|(of, _)| *of == how).unwrap() as u32 + 1,
        }
    }

    fn size_of_header(&self, how: How, blocks: usize) -> u64 {
        let blocks = if how == How::Stored { 0 } else { 4 + 16 * blocks as u64 };
        match self.version {
            1 => 56,
            2 => 48,
            8 if self.is_4_22 => 50 + blocks,
            _ => 53 + blocks,
        }
    }

    /// Returns the index of a version below 10.
    fn listed(&self, entries: &[Entry]) -> Vec<u8> {
        let mut index = string(&self.mount_point);
        index.extend((entries.len() as u32).to_le_bytes());
        for (file, entry) in self.files.iter().zip(entries) {
            index.extend(string(&file.path));
            index.extend(entry.bytes(self));
        }
        index
    }

    /// Pads and encrypts a part of the index if needed. Returns its bytes, and the SHA-1 of the
    /// bytes before encryption.
    fn finish_index(&self, mut part: Vec<u8>) -> (Vec<u8>, Vec<u8>) {
        if self.has_encrypted_index {
            part.resize(part.len().next_multiple_of(16), 0);
        }
        let sha1 = Sha1::digest(&part).to_vec();
        (if self.has_encrypted_index { encrypted(part) } else { part }, sha1)
    }

    /// Writes the index and the footer of versions 10 and 11.
    fn with_parts(&self, entries: &[Entry], mut out: Vec<u8>) -> Vec<u8> {
        let (mut encoded, mut full, mut places) = (Vec::new(), Vec::new(), Vec::new());
        let mut count = 0i32;
        for entry in entries {
            if entry.is_deleted {
                places.push(i32::MIN);
            } else if self.in_full {
                count += 1;
                places.push(-count);
                full.extend(entry.bytes(self));
            } else {
                places.push(encoded.len() as i32);
                encoded.extend(entry.encoded());
            }
        }
        if let Some(index) = self.shared {
            let place = places[index];
            places.fill(place);
        }
        let hashes = self.finish_index(self.hashes(&places));
        let folders = self.finish_index(self.folders(&places));
        let start = out.len() as u64;
        let mut offset = start;
        let mut region = |is_there: bool, part: &(Vec<u8>, Vec<u8>)| {
            if !is_there {
                return 0u32.to_le_bytes().to_vec();
            }
            let size = part.0.len() as u64;
            let bytes = [&1u32.to_le_bytes()[..], &offset.to_le_bytes(), &size.to_le_bytes()];
            offset += size;
            [&bytes.concat()[..], &part.1].concat()
        };
        let (hash_region, folder_region) =
            (region(self.has_hashes, &hashes), region(self.has_folders, &folders));
        let mut first = string(&self.mount_point);
        first.extend((entries.len() as u32).to_le_bytes());
        first.extend(self.seed.to_le_bytes());
        first.extend([hash_region, folder_region].concat());
        first.extend((encoded.len() as u32).to_le_bytes());
        first.extend(encoded);
        first.extend((count as u32).to_le_bytes());
        first.extend(full);
        out.extend(if self.has_hashes { hashes.0 } else { Vec::new() });
        out.extend(if self.has_folders { folders.0 } else { Vec::new() });
        let (start, index) = (out.len() as u64, self.finish_index(first));
        out.extend(&index.0);
        self.footer(&mut out, start, &index);
        out
    }

    fn hashes(&self, places: &[i32]) -> Vec<u8> {
        let mut part = (places.len() as u32).to_le_bytes().to_vec();
        for (file, place) in self.files.iter().zip(places) {
            part.extend(self.hash(&file.path).to_le_bytes());
            part.extend(place.to_le_bytes());
        }
        part.extend(0u32.to_le_bytes()); // no further folders
        part
    }

    pub fn hash(&self, path: &str) -> u64 {
        let bytes =
            path.to_lowercase().encode_utf16().flat_map(u16::to_le_bytes).collect::<Vec<_>>();
        let (offset, prime) = match self.version {
            10 => (0x100_0000_01B3u64, 0xCBF2_9CE4_8422_2325u64),
            _ => (0xCBF2_9CE4_8422_2325, 0x100_0000_01B3),
        };
        let start = offset.wrapping_add(self.seed);
        bytes.iter().fold(start, |hash, byte| (hash ^ u64::from(*byte)).wrapping_mul(prime))
    }

    fn folders(&self, places: &[i32]) -> Vec<u8> {
        let mut folders: BTreeMap<&str, Vec<(&str, i32)>> = BTreeMap::new();
        for (file, place) in self.files.iter().zip(places) {
            let end = file.path.rfind('/').map_or(0, |end| end + 1);
            let (folder, name) = file.path.split_at(end);
            folders
                .entry(if folder.is_empty() { "/" } else { folder })
                .or_default()
                .push((name, *place));
        }
        let mut part = (folders.len() as u32).to_le_bytes().to_vec();
        for (folder, files) in folders {
            part.extend(string(folder));
            part.extend((files.len() as u32).to_le_bytes());
            for (name, place) in files {
                part.extend(string(name));
                part.extend(place.to_le_bytes());
            }
        }
        part
    }

    fn footer(&self, out: &mut Vec<u8>, start: u64, index: &(Vec<u8>, Vec<u8>)) {
        if self.version >= 7 {
            out.extend([0; 16]);
        }
        if self.version >= 4 {
            out.push(self.has_encrypted_index.into());
        }
        out.extend(0x5A6F_12E1u32.to_le_bytes());
        out.extend(self.version.to_le_bytes());
        out.extend(start.to_le_bytes());
        out.extend((index.0.len() as u64).to_le_bytes());
        out.extend(&index.1);
        if self.version == 9 {
            out.push(self.is_frozen.into());
        }
        let names = match self.version {
            ..8 => 0,
            8 if self.is_4_22 => 4,
            _ => 5,
        };
        for place in 0..names {
            let mut name = NAMES.get(place).map_or("", |(_, name)| name).as_bytes().to_vec();
            name.resize(32, 0);
            out.extend(name);
        }
    }
}

/// The methods in paks that list methods by name.
pub const NAMES: [(How, &str); 4] =
    [(How::Zlib, "Zlib"), (How::Lz4, "LZ4"), (How::Zstd, "Zstd"), (How::Oodle, "Oodle")];

#[derive(Clone, Debug)]
struct Entry {
    offset: u64,
    stored: u64,
    size: u64,
    how: How,
    method: u32,
    sha1: Vec<u8>,
    blocks: Vec<(u64, u64)>,
    block: u32,
    is_encrypted: bool,
    is_deleted: bool,
}

impl Default for Entry {
    fn default() -> Self {
        Self {
            offset: 0,
            stored: 0,
            size: 0,
            how: How::Stored,
            method: 0,
            sha1: vec![0; 20],
            blocks: Vec::new(),
            block: 0,
            is_encrypted: false,
            is_deleted: false,
        }
    }
}

impl Entry {
    /// Returns the entry as the index lists it.
    fn bytes(&self, pak: &Pak) -> Vec<u8> {
        let numbers = [self.offset, self.stored, self.size].map(u64::to_le_bytes);
        let mut bytes = numbers.concat();
        match pak.is_4_22 {
            true => bytes.push(self.method as u8),
            false => bytes.extend(self.method.to_le_bytes()),
        }
        if pak.version == 1 {
            bytes.extend(7u64.to_le_bytes());
        }
        bytes.extend(&self.sha1);
        if pak.version >= 3 {
            if self.how != How::Stored {
                bytes.extend((self.blocks.len() as u32).to_le_bytes());
                for (start, end) in &self.blocks {
                    bytes.extend([start.to_le_bytes(), end.to_le_bytes()].concat());
                }
            }
            bytes.push(u8::from(self.is_encrypted) | u8::from(self.is_deleted) << 1);
            bytes.extend(self.block.to_le_bytes());
        }
        bytes
    }

    /// Returns the entry in the encoded form that most entries have from version 10 on.
    fn encoded(&self) -> Vec<u8> {
        let units = if self.block.is_multiple_of(2048) && self.block / 2048 < 63 {
            self.block / 2048
        } else {
            63
        };
        let narrow = |value: u64| u32::from(u32::try_from(value).is_ok());
        let bits = units
            | (self.blocks.len() as u32) << 6
            | u32::from(self.is_encrypted) << 22
            | self.method << 23
            | narrow(self.stored) << 29
            | narrow(self.size) << 30
            | narrow(self.offset) << 31;
        let mut bytes = bits.to_le_bytes().to_vec();
        if units == 63 {
            bytes.extend(self.block.to_le_bytes());
        }
        let mut number = |value: u64| match u32::try_from(value) {
            Ok(value) => bytes.extend(value.to_le_bytes()),
            Err(_) => bytes.extend(value.to_le_bytes()),
        };
        number(self.offset);
        number(self.size);
        if self.how != How::Stored {
            number(self.stored);
        }
        if self.blocks.len() > 1 || self.is_encrypted {
            for (start, end) in &self.blocks {
                bytes.extend(((end - start) as u32).to_le_bytes());
            }
        }
        bytes
    }
}

/// Pads with copies of the first bytes, and encrypts.
pub fn encrypted(mut bytes: Vec<u8>) -> Vec<u8> {
    let len = bytes.len();
    for index in 0..len.next_multiple_of(16) - len {
        bytes.push(bytes[index % len]);
    }
    let cipher = Aes256::new(&Array(KEY));
    for block in bytes.as_chunks_mut::<16>().0 {
        let mut inner = Block::<Aes256>::from(*block);
        cipher.encrypt_block(&mut inner);
        *block = inner.into();
    }
    bytes
}

pub fn compressed(how: How, data: &[u8]) -> Vec<u8> {
    match how {
        How::Stored => data.to_vec(),
        How::Zlib => miniz_oxide::deflate::compress_to_vec_zlib(data, 6),
        How::Lz4 => lz4(data),
        How::Zstd => zstd(data),
        // Not a stream of Oodle: the tests supply a codec that adds 1 to each byte.
        How::Oodle => data.iter().map(|byte| byte.wrapping_sub(1)).collect(),
    }
}

/// LZ4 in its simplest form: only literals.
fn lz4(data: &[u8]) -> Vec<u8> {
    let mut bytes = Vec::new();
    match data.len() {
        len @ ..15 => bytes.push((len as u8) << 4),
        len => {
            bytes.push(0xF0);
            bytes.extend(vec![255; (len - 15) / 255]);
            bytes.push(((len - 15) % 255) as u8);
        }
    }
    [&bytes, data].concat()
}

/// Zstandard in its simplest form: raw blocks.
fn zstd(data: &[u8]) -> Vec<u8> {
    let mut bytes = vec![0x28, 0xB5, 0x2F, 0xFD, 0xA0];
    bytes.extend((data.len() as u32).to_le_bytes());
    let chunks: Vec<_> = data.chunks(0x1_0000).collect();
    for (index, chunk) in chunks.iter().enumerate() {
        let is_last = u32::from(index + 1 == chunks.len());
        bytes.extend(&((chunk.len() as u32) << 3 | is_last).to_le_bytes()[..3]);
        bytes.extend(*chunk);
    }
    if chunks.is_empty() {
        bytes.extend([1, 0, 0]);
    }
    bytes
}
