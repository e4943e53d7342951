//! Reads paks of each version. The writer in `tests/support/paks.rs` makes them.

use crate::laws::unreal::unreal_pak;
use crate::support::paks::{File, How, KEY, Pak, file};
use crate::support::random::Random;
use gamewire::unreal::compression::{CodecError, Method, standard_codec};
use gamewire::unreal::pak::{Entry, EntryPath, Footer, Index, IndexBuf, Key, Part, ReadError};
use gamewire::unreal::{Error, ErrorKind, Package};
use std::fs;
use std::io::Cursor;
use std::path::Path;

pub fn key() -> Key {
    Key::from_bytes(KEY)
}

type Decoder = fn(Method<'_>, &[u8], &mut [u8]) -> Result<usize, CodecError>;

/// Adds the fake Oodle of the writer to the standard codec.
pub fn codec(method: Method<'_>, from: &[u8], to: &mut [u8]) -> Result<usize, CodecError> {
    match method {
        Method::Oodle | Method::Lzo => {
            to.iter_mut().zip(from).for_each(|(to, from)| *to = from.wrapping_add(1));
            Ok(from.len())
        }
        other => standard_codec(other, from, to),
    }
}

/// Returns files of different sizes, some of them compressed with `how`.
fn files(how: How) -> Vec<File> {
    let text =
        |len: usize| b"a line of a file\n".iter().cycle().take(len).copied().collect::<Vec<_>>();
    vec![
        file("Content/A.uasset", &text(500), How::Stored),
        file("Content/Maps/Ünder.umap", &text(70_000), how),
        file("Content/Maps/Town.uexp", &text(140_001), how),
        file("Root.txt", &text(5), how),
        file("Empty.txt", &[], How::Stored),
    ]
}

/// Returns each version, and whether it is to be written as engine 4.22 writes version 8.
fn versions() -> impl Iterator<Item = (u32, bool)> {
    (1..=11).map(|version| (version, false)).chain([(8, true)])
}

fn load(pak: &[u8]) -> Result<IndexBuf, ReadError> {
    IndexBuf::load(&mut Cursor::new(pak), Some(&key()))
}

fn problems(pak: &[u8]) -> Vec<(String, ErrorKind)> {
    let mut problems = Vec::new();
    let index = load(pak).unwrap();
    let report = |problem: gamewire::unreal::pak::Problem<'_>| {
        problems.push((problem.part.to_string(), *problem.error.kind()));
    };
    index.verify(&mut Cursor::new(pak), report).unwrap();
    problems
}

/// Checks that a pak has exactly these files, by each way of reading it.
fn check(pak: &Pak) {
    let bytes = pak.write();
    let what = format!("version {} {} {:?}", pak.version, pak.is_4_22, pak.files.first());
    let parts = load(&bytes).unwrap_or_else(|error| panic!("{what}: {error}"));
    let index = parts.index().unwrap();
    assert_eq!(index.footer().version(), pak.version);
    assert_eq!(index.mount_point().to_string(), pak.mount_point);
    assert_eq!(index.count() as usize, pak.files.len());
    let entries: Vec<_> = index.entries().map(|entry| entry.unwrap()).collect();
    assert_eq!(entries.len(), pak.files.len());
    for file in &pak.files {
        let entry = index.find(&file.path).unwrap().unwrap();
        assert!(entries.contains(&entry), "{what}: {}", file.path);
        assert_eq!(entry.is_deleted, file.is_deleted);
        let is_listed = entry.path.is(&file.path);
        assert_eq!(is_listed, index.has_paths());
        if !file.is_deleted {
            assert_eq!(entry.is_encrypted, file.is_encrypted);
            check_file(&entry, &bytes, file);
        }
    }
    assert_eq!(problems(&bytes), [], "{what}");

    // The same pak in memory.
    match Index::open(&bytes) {
        Err(error) => {
            assert!(pak.has_encrypted_index, "{what}: {error}");
            assert_eq!(*error.kind(), ErrorKind::NeedsKey);
        }
        Ok(index) => {
            let same: Vec<_> = index.entries().map(|entry| entry.unwrap()).collect();
            assert_eq!(same, entries);
        }
    }
}

fn check_file(entry: &Entry<'_>, pak: &[u8], file: &File) {
    let what = &file.path;
    assert_eq!(entry.size, file.data.len() as u64, "{what}");
    let read = entry.read(&mut Cursor::new(pak), Some(&key()), file.data.len(), codec);
    assert!(read.unwrap_or_else(|error| panic!("{what}: {error}")) == file.data, "{what}");
    let mut to = vec![0; file.data.len()];
    match entry.decompress_into(pak, &mut to, codec) {
        Ok(()) => assert!(to == file.data, "{what}"),
        Err(error) => {
            assert!(entry.is_encrypted, "{what}: {error}");
            assert_eq!(*error.kind(), ErrorKind::NeedsKey);
        }
    }
    let blocks: Vec<_> = entry.blocks().map(|block| block.unwrap()).collect();
    assert_eq!(blocks.len() as u32, entry.blocks().total());
    assert_eq!(blocks.iter().map(|block| block.size).sum::<u64>(), entry.size);
}

#[test]
fn every_version() {
    for (version, is_4_22) in versions() {
        let methods = match version {
            1 | 2 => &[How::Stored][..],
            3..=7 => &[How::Stored, How::Zlib, How::Oodle],
            _ => &[How::Stored, How::Zlib, How::Lz4, How::Zstd, How::Oodle],
        };
        for how in methods {
            let mut pak = Pak { is_4_22, ..Pak::new(version, files(*how)) };
            check(&pak);
            pak.block = 1000;
            check(&pak);
            if version >= 3 {
                pak.files.iter_mut().for_each(|file| file.is_encrypted = !file.data.is_empty());
                check(&pak);
            }
            if version >= 4 {
                pak.has_encrypted_index = true;
                check(&pak);
                pak.files.iter_mut().for_each(|file| file.is_encrypted = false);
                check(&pak);
            }
            if version >= 6 {
                pak.files[1].is_deleted = true;
                check(&pak);
            }
        }
    }
}

#[test]
fn indexes_from_version_10_on() {
    for version in [10, 11] {
        for in_full in [false, true] {
            for (has_folders, has_hashes) in [(true, true), (true, false), (false, true)] {
                let pak =
                    Pak { in_full, has_folders, has_hashes, ..Pak::new(version, files(How::Zlib)) };
                check(&pak);
                let bytes = pak.write();
                let index = Index::open(&bytes).unwrap();
                assert_eq!(index.has_paths(), has_folders);
                assert_eq!(index.path_hash("Root.txt"), Some(pak.hash("Root.txt")));
                if !has_folders {
                    let hash = EntryPath::Hash(pak.hash("Root.txt"));
                    let entry = index.find("Root.txt").unwrap().unwrap();
                    assert_eq!(entry.path, hash);
                    assert_eq!(index.find(&hash.to_string()).unwrap().unwrap(), entry);
                }
            }
        }
    }
    // More entries that are not encoded than there are stored offsets.
    let names =
        (0..1000).map(|index| file(&format!("{index}.txt"), &[index as u8; 9], How::Stored));
    check(&Pak { in_full: true, ..Pak::new(11, names.collect()) });
}

#[test]
fn paths() {
    let pak = Pak::new(11, files(How::Zlib)).write();
    let index = Index::open(&pak).unwrap();
    let found = |path: &str| index.find(path).map(|entry| entry.unwrap().path.to_string());
    for path in [
        "Content/Maps/Town.uexp",
        "content/maps/TOWN.uexp",
        "/Content/Maps/Town.uexp",
        "../../../Game/Content/Maps/Town.uexp",
        "Game/Content/Maps/Town.uexp",
        "game/content/Maps/Town.uexp",
    ] {
        assert_eq!(found(path).as_deref(), Some("Content/Maps/Town.uexp"), "{path}");
    }
    for path in ["", "Town.uexp", "Content/Maps/", "Content/Maps/Town", "Content\\Maps\\Town.uexp"]
    {
        assert_eq!(found(path), None, "{path}");
    }
    // An exact match comes first, whatever the order.
    let two = vec![file("a/B.txt", b"1", How::Stored), file("a/b.txt", b"22", How::Stored)];
    for version in [3, 11] {
        let pak = Pak::new(version, two.clone()).write();
        let index = Index::open(&pak).unwrap();
        assert_eq!(index.find("a/b.txt").unwrap().unwrap().size, 2);
        assert_eq!(index.find("A/B.TXT").unwrap().unwrap().size, 1);
    }
}

fn kind<T: std::fmt::Debug>(result: Result<T, ReadError>) -> ErrorKind {
    match result.unwrap_err() {
        ReadError::Pak(error) => *error.kind(),
        error => panic!("{error}"),
    }
}

#[test]
fn keys() {
    let mut pak = Pak::new(11, files(How::Zlib));
    pak.has_encrypted_index = true;
    let bytes = pak.write();
    let load = |key: Option<&Key>| IndexBuf::load(&mut Cursor::new(&bytes), key);
    assert_eq!(kind(load(None)), ErrorKind::NeedsKey);
    assert_eq!(kind(load(Some(&Key::from_bytes([1; 32])))), ErrorKind::WrongKey);
    assert!(!format!("{:?}", key()).contains("48"));

    pak.has_encrypted_index = false;
    pak.files[1].is_encrypted = true;
    let bytes = pak.write();
    let parts = IndexBuf::load(&mut Cursor::new(&bytes), None).unwrap();
    let index = parts.index().unwrap();
    let entry = index.find(&pak.files[1].path).unwrap().unwrap();
    let read = |key: Option<&Key>| entry.read(&mut Cursor::new(&bytes), key, 1 << 20, codec);
    assert_eq!(kind(read(None)), ErrorKind::NeedsKey);
    assert_eq!(kind(read(Some(&Key::from_bytes([1; 32])))), ErrorKind::Codec(CodecError::Damaged));
    assert!(read(Some(&key())).unwrap() == pak.files[1].data);
}

#[test]
fn refused() {
    let pak = Pak::new(11, files(How::Oodle));
    let bytes = pak.write();
    let open = |bytes: &[u8]| Index::open(bytes).map(|_| ()).map_err(|error| *error.kind());
    assert_eq!(open(b""), Err(ErrorKind::NotAPak));
    assert_eq!(open(&[0; 300]), Err(ErrorKind::NotAPak));
    assert_eq!(open(&bytes[..bytes.len() - 1]), Err(ErrorKind::NotAPak));
    assert_eq!(
        open(&bytes[500..]),
        Err(ErrorKind::BadOffset(Footer::of(&bytes).unwrap().index().offset as i64))
    );
    let frozen = Pak { is_frozen: true, ..Pak::new(9, files(How::Zlib)) }.write();
    assert_eq!(open(&frozen), Err(ErrorKind::FrozenIndex));
    assert_eq!(kind(load(&frozen)), ErrorKind::FrozenIndex);
    let newer = Pak::new(12, files(How::Zlib)).write();
    assert!(matches!(open(&newer), Err(ErrorKind::Unknown { value: 12, .. })));

    // The standard codec does not support Oodle.
    let index = Index::open(&bytes).unwrap();
    let entry = index.find("Root.txt").unwrap().unwrap();
    let read = |limit, codec: Decoder| entry.read(&mut Cursor::new(&bytes), None, limit, codec);
    assert_eq!(kind(read(5, standard_codec)), ErrorKind::Codec(CodecError::Unsupported));
    assert_eq!(kind(read(4, codec)), ErrorKind::TooLarge { size: 5, limit: 4 });
    assert_eq!(read(5, codec).unwrap(), pak.files[3].data);
    let error = entry.decompress_into(&bytes, &mut [0; 4], codec).unwrap_err();
    assert_eq!(*error.kind(), ErrorKind::SizesDiffer { declared: 5, found: 4 });
}

/// A method that the footer does not list is an error of the entries that use it, not of the others.
#[test]
fn unknown_methods() {
    for version in [3, 8, 11] {
        let mut bytes = Pak::new(version, files(How::Zlib)).write();
        if version == 3 {
            // The flag 8 is unknown.
            let start = Footer::of(&bytes).unwrap().index().offset as usize;
            let path = b"Content/Maps/Town.uexp\0";
            let at = bytes[start..].windows(path.len()).position(|bytes| bytes == path).unwrap();
            bytes[start + at + path.len() + 24] = 8;
        } else {
            let at = bytes.len() - 160;
            bytes[at..at + 32].fill(0);
        }
        let index = Index::open(&bytes).unwrap();
        let wrong = index.entries().filter(|entry| {
            entry.is_err_and(|error| matches!(error.kind(), ErrorKind::Unknown { .. }))
        });
        assert_eq!(wrong.count(), if version == 3 { 1 } else { 3 });
        assert_eq!(index.entries().count(), 5);
        assert!(index.find("Content/Maps/Town.uexp").unwrap().is_err());
        assert!(index.find("Content/A.uasset").unwrap().is_ok());
    }
}

/// A change of any byte of the data, the headers or the index is found, unless the byte has no
/// meaning.
#[test]
fn verify_finds_changed_bytes() {
    for version in [3, 11] {
        let files = vec![file("a/b.txt", &[7; 40], How::Zlib), file("c.txt", b"text", How::Stored)];
        let bytes = Pak::new(version, files).write();
        assert_eq!(problems(&bytes), []);
        let index = Index::open(&bytes).unwrap();
        let end = index.footer().index().offset + index.footer().index().size;
        // The offset in the header of a file has no meaning. From version 10 on, the size of blocks
        // at the end of the header is not compared with the entry.
        let mut unused = Vec::new();
        for entry in index.entries().flatten() {
            unused.extend(entry.offset..entry.offset + 8);
            unused.extend(
                entry.data_offset() - if version < 10 { 0 } else { 4 }..entry.data_offset(),
            );
        }
        let is_unused = |at: u64| unused.contains(&at);
        for at in (0..end).filter(|at| !is_unused(*at)) {
            let mut changed = bytes.clone();
            changed[at as usize] ^= 2;
            let is_found = load(&changed).is_err() || !problems(&changed).is_empty();
            assert!(is_found, "version {version}, byte {at}");
        }
    }
}

#[test]
fn problems_are_named() {
    let pak = Pak::new(11, files(How::Zlib));
    let bytes = pak.write();
    let index = Index::open(&bytes).unwrap();
    let entry = index.find("Content/A.uasset").unwrap().unwrap();
    let mut changed = bytes.clone();
    changed[entry.data_offset() as usize] ^= 1;
    assert_eq!(problems(&changed), [("Content/A.uasset".to_owned(), ErrorKind::HashDiffers)]);
    let mut changed = bytes.clone();
    changed[entry.offset as usize + 16] ^= 1;
    assert_eq!(problems(&changed), [("Content/A.uasset".to_owned(), ErrorKind::HeaderDiffers)]);
    // The hashes of version 10 in a pak of version 11.
    let mut changed = Pak::new(10, files(How::Zlib)).write();
    let at = changed.len() - 200;
    assert_eq!(changed[at], 10);
    changed[at] = 11;
    let found = problems(&changed);
    assert_eq!(found.len(), 5);
    assert!(found.iter().all(|(_, kind)| *kind == ErrorKind::PathHashDiffers));
    // Some programs write the hashes of version 11 in paks of version 10.
    let mut changed = Pak { has_folders: false, ..Pak::new(11, files(How::Zlib)) }.write();
    let at = changed.len() - 200;
    changed[at] = 10;
    assert_eq!(problems(&changed), []);
    assert!(Index::open(&changed).unwrap().find("Root.txt").is_some());
    assert_eq!(Part::PathHashes.to_string(), "hashes of paths");
}

/// Blocks that overlap are refused. With them, a small pak could take quadratic time.
#[test]
fn overlapping_blocks() {
    let mut bytes = Pak { block: 1000, ..Pak::new(3, files(How::Zlib)) }.write();
    let index = Index::open(&bytes).unwrap();
    let path = b"Content/Maps/Town.uexp\0";
    let entry = index.find("Content/Maps/Town.uexp").unwrap().unwrap();
    let second = entry.blocks().nth(1).unwrap().unwrap();
    let start = index.footer().index().offset as usize;
    let at = bytes[start..].windows(path.len()).position(|bytes| bytes == path).unwrap();
    let at = start + at + path.len() + 52 + 16;
    assert_eq!(bytes[at..at + 8], second.offset.to_le_bytes());
    bytes[at..at + 8].copy_from_slice(&(second.offset - 1).to_le_bytes());
    let index = Index::open(&bytes).unwrap();
    let entry = index.find("Content/Maps/Town.uexp").unwrap().unwrap();
    let errors: Vec<Error> = entry.blocks().filter_map(Result::err).collect();
    assert_eq!(errors.len(), 1);
    assert_eq!(*errors[0].kind(), ErrorKind::BlocksOverlap);
    assert!(problems(&bytes).iter().any(|(_, kind)| *kind == ErrorKind::BlocksOverlap));
}

/// Random files are read back from a pak unchanged, whatever its version and options.
#[test]
fn random_paks() {
    let mut random = Random(0x000F_00D5);
    for _ in 0..200 {
        let mut below = |limit: u32| (random.next() >> 33) as u32 % limit;
        let version = 3 + below(9);
        let methods = if version < 8 { 2 } else { 5 };
        let files = (0..below(12)).map(|index| {
            let data: Vec<u8> = (0..below(3000)).map(|_| below(7) as u8).collect();
            let how =
                [How::Stored, How::Zlib, How::Lz4, How::Zstd, How::Oodle][below(methods) as usize];
            let path =
                ["a/", "a/b c/", "", "Ü/"][below(4) as usize].to_owned() + &index.to_string();
            let how = if data.is_empty() { How::Stored } else { how };
            let is_encrypted = !data.is_empty() && below(2) == 0;
            File {
                is_encrypted,
                is_deleted: version >= 6 && below(9) == 0,
                ..file(&path, &data, how)
            }
        });
        let mut pak = Pak::new(version, files.collect());
        pak.is_4_22 = version == 8 && below(2) == 0;
        pak.block = 100 + below(3000) as usize;
        pak.has_encrypted_index = version >= 4 && below(2) == 0;
        pak.in_full = below(2) == 0;
        pak.seed = u64::from(below(u32::MAX));
        check(&pak);
    }
}

/// The paks of the corpus are those that the writer makes of these files. With the environment
/// variable `BLESS`, writes them.
#[test]
fn corpus() {
    let root = Path::new(env!("CARGO_MANIFEST_DIR")).join("corpus");
    let read = |name: &str| fs::read(root.join("unreal").join(name)).unwrap();
    let (header, exports) = (
        read("ue5.8-cooked-tagged-DT_AllProperties.uasset"),
        read("ue5.8-cooked-tagged-DT_AllProperties.uexp"),
    );
    let files = |how| {
        vec![
            file("Content/Tiny.uasset", &header, How::Stored),
            file("Content/Tiny.uexp", &exports, how),
            file("Config/Game.ini", b"[Game]\nName=\"Tiny\"\n", how),
        ]
    };
    let mut encrypted = Pak { has_encrypted_index: true, ..Pak::new(11, files(How::Zstd)) };
    encrypted.files.iter_mut().for_each(|file| file.is_encrypted = true);
    let paks = [
        ("v3.pak", Pak::new(3, files(How::Zlib))),
        ("v8.pak", Pak::new(8, files(How::Zlib))),
        ("v11.pak", Pak::new(11, files(How::Zlib))),
        ("v11-encrypted.pak", encrypted),
        ("v11-hashes.pak", Pak { has_folders: false, ..Pak::new(11, files(How::Zlib)) }),
        ("v11-oodle.pak", Pak::new(11, files(How::Oodle))),
    ];
    let folder = root.join("unreal-paks");
    for (name, pak) in paks {
        check(&pak);
        let bytes = pak.write();
        if std::env::var_os("BLESS").is_some() {
            fs::create_dir_all(&folder).unwrap();
            fs::write(folder.join(name), &bytes).unwrap();
        }
        assert!(fs::read(folder.join(name)).unwrap() == bytes, "{name}");
    }
    assert!(Package::open_as(&header, Some(&exports), None).is_ok());
}

/// Checks the laws on paks of each version, and on damaged copies of them.
#[test]
fn laws() {
    let mut random = Random(0x000D_A3A6_ED00);
    for (version, is_4_22) in versions() {
        let how = if version < 3 { How::Stored } else { How::Zlib };
        let mut pak = Pak { is_4_22, block: 300, ..Pak::new(version, files(how)) };
        pak.files.iter_mut().for_each(|file| file.data.truncate(700));
        for (in_full, has_folders) in [(false, true), (true, true), (false, false)] {
            let bytes = Pak { in_full, has_folders, ..pak.clone() }.write();
            law(&bytes);
            for _ in 0..60 {
                let mut damaged = bytes.clone();
                for _ in 0..=random.below(3) {
                    let at = random.below(damaged.len());
                    damaged[at] = random.one_of(&[0, 1, 0x7F, 0x80, 0xFF, random.0 as u8]);
                }
                law(&damaged);
            }
        }
    }
}

fn law(pak: &[u8]) {
    unreal_pak(&[&[0, 0, 0], pak].concat());
}

/// Writes seeds for the fuzz target `unreal_pak` if `GAMEWIRE_SEEDS` names a folder.
#[test]
fn seeds() {
    let Some(folder) = std::env::var_os("GAMEWIRE_SEEDS") else { return };
    let folder = Path::new(&folder).join("unreal_pak");
    fs::create_dir_all(&folder).unwrap();
    for (version, is_4_22) in versions() {
        let how = if version < 3 { How::Stored } else { How::Zlib };
        let mut pak = Pak { is_4_22, block: 300, ..Pak::new(version, files(how)) };
        pak.files.iter_mut().for_each(|file| file.data.truncate(400));
        let bytes = pak.write();
        let name = format!("v{version}{}", if is_4_22 { "-4.22" } else { "" });
        fs::write(folder.join(&name), [&[0, 0, 0], &bytes[..]].concat()).unwrap();
        let index = Footer::of(&bytes).unwrap().index();
        let [low, high, ..] = index.offset.to_le_bytes();
        let selector = if is_4_22 { 13 } else { version as u8 };
        let end = (index.offset + index.size) as usize;
        fs::write(folder.join(name + "-index"), [&[selector, low, high], &bytes[..end]].concat())
            .unwrap();
    }
}
