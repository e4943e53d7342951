//! Reads and writes compressed and encrypted files.

use crate::laws::{godot_compressed, godot_encrypted, godot_file, godot_file_round_trip, key};
use crate::support::corpus;
use crate::support::godot::{compare, oracle, values};
use crate::support::random::Random;
use gamewire::compression::Compression;
use gamewire::godot::file::{
    BLOCK_SIZE, Compressed, Container, Encrypted, Encryption, ErrorKind, Key, MAX_BLOCK_SIZE,
    compress, encrypt,
};
use gamewire::godot::frame::{Frames, Framing};
use gamewire::godot::{Dialect, Reader};
use std::fs;
use std::io::Read;

const FOLDERS: [&str; 2] = ["4.6.3", "3.6.2"];

/// Returns the name and content of each container in the corpus.
fn containers() -> Vec<(String, Vec<u8>)> {
    let mut files = Vec::new();
    for folder in FOLDERS {
        for entry in fs::read_dir(corpus::corpus("godot-files").join(folder)).unwrap() {
            let path = entry.unwrap().path();
            let bytes = fs::read(&path).unwrap();
            if Container::recognise(&bytes).is_some() {
                files.push((path.file_name().unwrap().to_str().unwrap().to_owned(), bytes));
            }
        }
    }
    assert!(files.len() > 20);
    files
}

fn key_of(name: &str) -> Key {
    if name.contains("encrypted_key") { key() } else { Key::from_password("hunter2") }
}

/// Returns the content of a container in the corpus, or of another file.
fn content(name: &str, file: &[u8]) -> Vec<u8> {
    match Container::recognise(file) {
        Some(Container::Compressed) => godot_compressed(file).unwrap(),
        Some(Container::Encrypted) => godot_encrypted(file, key_of(name)).unwrap(),
        None => file.to_vec(),
    }
}

/// Returns the contents of the frames of a file.
fn frames<'a>(name: &str, content: &'a [u8]) -> Vec<&'a [u8]> {
    let framing = Framing { big_endian: name.contains("_be."), ..Framing::default() };
    Frames::with(content, framing).map(|frame| frame.unwrap().bytes).collect()
}

#[test]
fn values_are_those_that_godot_4_reads() {
    for line in corpus::lines("godot-files/4.6.3/engine.jsonl") {
        let name = line.get("file").unwrap().as_str().unwrap();
        let file = corpus::read(&format!("godot-files/4.6.3/{name}"));
        if name.contains("brotli") {
            // The engine cannot write Brotli. It writes only a header, which it rejects when it
            // reads the file.
            assert!(godot_compressed(&file).is_err());
            continue;
        }
        let content = content(name, &file);
        let frames = frames(name, &content);
        if name == "compressed_zstd_blocks.dat" {
            // The engine's script recorded only the number of pairs.
            let value = Reader::new(frames[0], Dialect::Godot4).read().unwrap();
            assert_eq!((frames.len(), value.as_dictionary().unwrap().len()), (1, 400));
            continue;
        }
        let expected = line.get("values").unwrap().as_array().unwrap();
        assert_eq!(frames.len(), expected.len(), "{name}");
        for (frame, expected) in frames.iter().zip(expected) {
            let expected = crate::support::native_json::parse(expected.as_str().unwrap()).unwrap();
            let (value, _) = values::value_of(frame, Dialect::Godot4).unwrap();
            compare::matches_build(&value, &expected, oracle::Dialect::Godot4, true)
                .unwrap_or_else(|difference| panic!("{name}: {difference}"));
        }
    }
}

#[test]
fn values_are_those_that_godot_3_reads() {
    for line in corpus::lines("godot-files/3.6.2/engine3.jsonl") {
        let name = line.get("file").unwrap().as_str().unwrap();
        let content = content(name, &corpus::read(&format!("godot-files/3.6.2/{name}")));
        // `hex` is an Array of the values: its header and length, and then the values.
        let engine = corpus::unhex(line.get("hex").unwrap().as_str().unwrap());
        let array = [&engine[..8], &frames(name, &content).concat()].concat();
        let [expected, array] =
            [engine, array].map(|bytes| values::value_of(&bytes, Dialect::Godot3).unwrap());
        assert_eq!(array, expected, "{name}");
    }
}

/// For compressions other than FastLZ, the engines' implementations differ from those that gamewire
/// uses, and produce different bytes.
#[test]
fn files_are_written_as_engines_write_them() {
    for (name, file) in containers() {
        match Container::recognise(&file).unwrap() {
            Container::Compressed if name.contains("brotli") => {}
            Container::Compressed => {
                let compression = Compressed::open(&file).unwrap().compression();
                let copy = compress(&content(&name, &file), compression).unwrap();
                assert_eq!(content(&name, &copy), content(&name, &file));
                let [old, new] = [&file, &copy].map(|file| Compressed::open(file).unwrap());
                assert_eq!((old.block_size(), old.len()), (new.block_size(), new.len()));
                assert!(copy == file || compression != Compression::FastLz, "{name}");
            }
            Container::Encrypted => {
                let key = key_of(&name);
                let encrypted = Encrypted::open(&file).unwrap();
                let (content, encryption) =
                    (encrypted.decrypt(&key).unwrap(), encrypted.encryption());
                assert_eq!(encrypt(&content, &key, encryption), file, "{name}");
                let is_godot3 = name.starts_with("g3");
                assert_eq!(encryption == Encryption::Godot3, is_godot3, "{name}");
            }
        }
    }
}

fn bytes(len: usize, random: &mut Random) -> Vec<u8> {
    (0..len).map(|at| if at % 3 == 0 { random.next() as u8 } else { at as u8 }).collect()
}

/// Contents can have any size: a multiple of a block size, or one byte more or less.
#[test]
fn sizes() {
    let mut random = Random::new(29);
    let block = BLOCK_SIZE as usize;
    let around = |size: usize| [size - 1, size, size + 1];
    let around = [16, 32, block, 2 * block, 5 * block].map(around);
    for len in [&[0, 1], around.as_flattened()].concat() {
        for content in [vec![b'a'; len], bytes(len, &mut random)] {
            (0..6).for_each(|form| godot_file_round_trip(&content, form));
            let file = compress(&content, Compression::Gzip).unwrap();
            let compressed = Compressed::open(&file).unwrap();
            let lens: Vec<_> = compressed.blocks().map(|block| block.unwrap().len).collect();
            let mut expected = vec![BLOCK_SIZE; len / block];
            expected.push((len % block) as u32);
            assert_eq!(lens, expected);
        }
    }
}

/// Truncates each file to every `step`-th length.
fn truncate(step: usize) {
    for (name, file) in containers() {
        let end = if file.starts_with(b"GCPF") { file.len() - 4 } else { file.len() };
        for len in (0..file.len()).step_by(step) {
            let file = &file[..len];
            assert!(godot_compressed(file).is_err() || len >= end, "{name} {len}");
            assert!(godot_encrypted(file, key_of(&name)).is_err(), "{name} {len}");
        }
    }
}

#[test]
fn truncated_files_are_errors() {
    truncate(31);
}

/// Changes every `step`-th byte of each file in two ways.
fn change_bytes(step: usize) {
    for (name, mut file) in containers() {
        let before = file.starts_with(b"GCPF").then(|| godot_compressed(&file));
        for at in (0..file.len()).step_by(step) {
            let old = file[at];
            for new in [old ^ 1, !old] {
                file[at] = new;
                if let (Ok(content), Some(Ok(before))) = (godot_compressed(&file), &before) {
                    // FastLZ (mode 0) has no checksum, and engines write Zstandard (mode 2) without
                    // one.
                    assert!(content == *before || matches!(file[4], 0 | 2), "{name} {at}");
                }
                let decrypted = godot_encrypted(&file, key_of(&name));
                // The padding is not part of the content.
                let in_padding = at + 16 >= file.len();
                assert!(decrypted.is_err() || in_padding, "{name} {at}");
            }
            file[at] = old;
        }
        assert_eq!(file.starts_with(b"GCPF").then(|| godot_compressed(&file)), before);
    }
}

#[test]
fn changed_bytes() {
    change_bytes(31);
}

#[test]
#[ignore = "slow"]
fn every_length_and_every_byte() {
    truncate(1);
    change_bytes(1);
}

#[test]
#[ignore = "slow"]
fn damaged_files() {
    let files = containers();
    let mut random = Random::new(7);
    for _ in 0..3000 {
        let [(_, file), (_, other)] = [(); 2].map(|()| &files[random.below(files.len())]);
        godot_file(&crate::support::damage::damaged(file, other, &mut random));
    }
}

fn header(mode: u32, block_size: u32, len: u32) -> Vec<u8> {
    [&b"GCPF"[..], [mode, block_size, len].map(u32::to_le_bytes).as_flattened()].concat()
}

fn open_error(file: &[u8]) -> (ErrorKind, u64) {
    let error = Compressed::open(file).unwrap_err();
    (*error.kind(), error.offset())
}

#[test]
fn invalid_headers_are_errors() {
    assert_eq!(open_error(b"GDEC"), (ErrorKind::NoSignature("GCPF"), 0));
    assert_eq!(open_error(&header(5, 4096, 0)), (ErrorKind::UnknownCompression(5), 4));
    for size in [0, MAX_BLOCK_SIZE + 1, u32::MAX] {
        assert_eq!(open_error(&header(0, size, 0)), (ErrorKind::BadBlockSize(size), 8));
    }
    // The table of sizes would have a row for each block, and would be longer than the file.
    let (kind, offset) = open_error(&header(0, 4096, u32::MAX));
    assert!(matches!(kind, ErrorKind::UnexpectedEnd(_)) && offset == 16, "{kind:?} {offset}");
    assert_eq!(Container::recognise(b"GCP"), None);
    assert!(Encrypted::open(b"GDEC").is_err());
}

/// A header that announces more or fewer bytes than the blocks contain is an error.
#[test]
fn false_lengths_are_errors() {
    let file = compress(&[7; 10_000], Compression::FastLz).unwrap();
    for (len, found, expected) in [(9_999, 1808, 1807), (10_001, 1808, 1809)] {
        let mut file = file.clone();
        file[12..16].copy_from_slice(&u32::to_le_bytes(len));
        let error = Compressed::open(&file).unwrap().decompress(1 << 20).unwrap_err();
        match error.kind() {
            ErrorKind::BlockLength { .. } => {
                assert_eq!(*error.kind(), ErrorKind::BlockLength { found, expected });
            }
            kind => assert!(matches!(kind, ErrorKind::Block(_)) && found > expected, "{kind:?}"),
        }
    }
    // A header that announces 1 GiB of blocks that are missing is an error, and causes no large
    // allocation.
    let mut file = header(0, MAX_BLOCK_SIZE, 1 << 30);
    file.extend(std::iter::repeat_n(0, 4 * 1025));
    assert!(Compressed::open(&file).unwrap().decompress(1 << 30).is_err());
}

#[test]
fn a_wrong_key_is_an_error() {
    let file = corpus::read("godot-files/4.6.3/encrypted_pass.dat");
    let encrypted = Encrypted::open(&file).unwrap();
    for key in [Key::from_password("hunter3"), Key::from_password(""), key()] {
        let error = encrypted.decrypt(&key).unwrap_err();
        assert_eq!((*error.kind(), error.offset()), (ErrorKind::WrongKey, 44));
        assert_eq!(error.kind().to_string(), "the key does not fit (the content's MD5 differs)");
        assert!(encrypted.reader(&key).is_err());
    }
    assert_eq!(format!("{:?}", key()), "Key(..)");
    let mut small = [0; 20];
    let key = Key::from_password("hunter2");
    let error = encrypted.decrypt_into(&key, &mut small).unwrap_err();
    assert!(matches!(error.kind(), ErrorKind::TooLarge { limit: 20, .. }));
}

#[test]
fn content_is_read_by_io() {
    for (name, file) in containers() {
        let whole = match Container::recognise(&file).unwrap() {
            _ if name.contains("brotli") => continue,
            Container::Compressed => {
                let mut content = Vec::new();
                Compressed::open(&file).unwrap().reader().read_to_end(&mut content).unwrap();
                content
            }
            Container::Encrypted => {
                let mut reader = Encrypted::open(&file).unwrap().reader(&key_of(&name)).unwrap();
                let (mut content, mut piece) = (Vec::new(), [0; 7]);
                loop {
                    match reader.read(&mut piece).unwrap() {
                        0 => break content,
                        len => content.extend_from_slice(&piece[..len]),
                    }
                }
            }
        };
        assert_eq!(whole, content(&name, &file), "{name}");
    }
}
