//! Reads `IoStore` containers of each version. The writer in `tests/support/iostore.rs` makes them.

use crate::laws::unreal::unreal_iostore;
use crate::paks::{codec, key};
use crate::support::iostore::{Chunk, Container, Written, chunk};
use crate::support::paks::How;
use crate::support::random::Random;
use gamewire::unreal::compression::{CodecError, standard_codec};
use gamewire::unreal::iostore::{ChunkId, Part, Toc, TocBuf};
use gamewire::unreal::pak::{Key, ReadError};
use gamewire::unreal::{Error, ErrorKind, ZenPackage};
use std::fs;
use std::io::Cursor;
use std::path::Path;

fn chunks(how: How) -> Vec<Chunk> {
    let text =
        |len: usize| b"a line of a file\n".iter().cycle().take(len).copied().collect::<Vec<_>>();
    let unnamed = Chunk { path: None, kind: 6, ..chunk("", &text(300), how) };
    vec![
        chunk("Content/A.uasset", &text(500), How::Stored),
        chunk("Content/Maps/Ünder.umap", &text(70_000), how),
        chunk("Content/Maps/Town.ubulk", &text(140_001), how),
        unnamed,
        chunk("Root.txt", &text(5), how),
        chunk("Empty.txt", &[], How::Stored),
    ]
}

fn open<'w>(written: &'w Written) -> impl FnMut(u32) -> std::io::Result<Cursor<&'w [u8]>> {
    move |index| {
        let partition = written.partitions.get(index as usize);
        partition.map(|bytes| Cursor::new(&bytes[..])).ok_or(std::io::ErrorKind::NotFound.into())
    }
}

fn problems(toc: &Toc<'_>, written: &Written) -> Vec<(Part, ErrorKind)> {
    let mut problems = Vec::new();
    let len =
        |index| written.partitions.get(index as usize).map(|bytes: &Vec<u8>| bytes.len() as u64);
    toc.verify(len, |problem| problems.push((problem.part, *problem.error.kind())));
    problems
}

/// Checks that each way of reading a container finds exactly its chunks.
fn check(container: &Container) {
    let written = container.write();
    let what = format!("version {} {:?}", container.version, container.chunks.first());
    let buf = TocBuf::load(&mut Cursor::new(&written.utoc), Some(&key())).expect(&what);
    let toc = buf.toc().unwrap();
    assert_eq!(toc.version(), container.version);
    assert_eq!(toc.count() as usize, container.chunks.len());
    assert_eq!(toc.has_paths(), container.version >= 2);
    assert_eq!(toc.is_encrypted(), container.is_encrypted);
    assert_eq!(toc.is_signed(), container.is_signed);
    assert_eq!(problems(&toc, &written), [], "{what}");
    if toc.has_paths() {
        assert_eq!(toc.mount_point().to_string(), container.mount_point);
        let mut paths: Vec<_> = toc
            .files()
            .map(|file| file.unwrap())
            .map(|file| (file.chunk, file.path.to_string()))
            .collect();
        paths.sort();
        let numbered = container.chunks.iter().enumerate();
        let expected =
            numbered.filter_map(|(index, chunk)| Some((index as u32, chunk.path.clone()?)));
        assert_eq!(paths, expected.collect::<Vec<_>>(), "{what}");
    }
    let plain = Toc::open(&written.utoc).unwrap();
    assert_eq!(plain.has_paths(), toc.has_paths() && !container.is_encrypted);
    let partitions: Vec<&[u8]> = written.partitions.iter().map(|bytes| &bytes[..]).collect();
    for (index, expected) in container.chunks.iter().enumerate() {
        let chunk = toc.chunk(index as u32).unwrap().unwrap();
        assert_eq!(plain.chunk(index as u32), Some(Ok(chunk)));
        assert_eq!(chunk.id, ChunkId(container.id(index)));
        assert_eq!(toc.find_chunk(chunk.id), Some(Ok(chunk)));
        assert_eq!(toc.find(&chunk.id.to_string()), Some(Ok(chunk)));
        if let (Some(path), true) = (&expected.path, toc.has_paths()) {
            assert_eq!(toc.find(path), Some(Ok(chunk)), "{what}");
        }
        assert_eq!(chunk.size as usize, expected.data.len());
        assert_eq!(chunk.is_compressed, expected.how != How::Stored);
        assert_eq!(chunk.hash.len(), if container.version >= 8 { 20 } else { 32 });
        let read = chunk.read(open(&written), Some(&key()), 1 << 20, codec).expect(&what);
        assert!(read == expected.data, "{what}");
        let mut to = vec![0; expected.data.len()];
        let result = chunk.decompress_into(&partitions, &mut to, codec);
        assert_eq!(result.is_ok(), !container.is_encrypted, "{what}");
        assert!(container.is_encrypted || to == expected.data);
    }
}

#[test]
fn every_version() {
    for version in 1..=8 {
        for how in [How::Stored, How::Zlib, How::Lz4, How::Zstd, How::Oodle] {
            for (is_encrypted, is_signed) in
                [(false, false), (true, false), (false, true), (true, true)]
            {
                check(&Container {
                    is_encrypted,
                    is_signed,
                    ..Container::new(version, chunks(how))
                });
            }
        }
        check(&Container::new(version, Vec::new()));
    }
}

#[test]
fn partitions() {
    for version in 3..=8 {
        for is_encrypted in [false, true] {
            let container = Container {
                partition_size: Some(20_000),
                block: 4096,
                is_encrypted,
                ..Container::new(version, chunks(How::Stored))
            };
            assert!(container.write().partitions.len() > 5);
            check(&container);
        }
    }
}

#[test]
fn types() {
    let kinds = |version| {
        let of = |kind| ChunkId([0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, kind]).kind(version).to_string();
        (0..15).map(of).collect::<Vec<_>>()
    };
    let old = [
        "Invalid",
        "InstallManifest",
        "ExportBundleData",
        "BulkData",
        "OptionalBulkData",
        "MemoryMappedBulkData",
        "LoaderGlobalMeta",
        "LoaderInitialLoadMeta",
        "LoaderGlobalNames",
        "LoaderGlobalNameHashes",
        "ContainerHeader",
        "ShaderCodeLibrary",
        "ShaderCode",
        "Unknown(13)",
        "Unknown(14)",
    ];
    let new = [
        "Invalid",
        "ExportBundleData",
        "BulkData",
        "OptionalBulkData",
        "MemoryMappedBulkData",
        "ScriptObjects",
        "ContainerHeader",
        "ExternalFile",
        "ShaderCodeLibrary",
        "ShaderCode",
        "PackageStoreEntry",
        "DerivedData",
        "EditorDerivedData",
        "PackageResource",
        "Unknown(14)",
    ];
    for version in 1..=8 {
        assert_eq!(kinds(version), if version < 5 { old } else { new }, "{version}");
    }
}

#[test]
fn paths() {
    let written = Container::new(8, chunks(How::Zlib)).write();
    let toc = Toc::open(&written.utoc).unwrap();
    for path in [
        "Content/Maps/Town.ubulk",
        "content/maps/TOWN.ubulk",
        "/Content/Maps/Town.ubulk",
        "../../../Game/Content/Maps/Town.ubulk",
        "game/content/Maps/Town.ubulk",
    ] {
        assert_eq!(toc.find(path).unwrap().unwrap().size, 140_001, "{path}");
    }
    for path in ["", "Town.ubulk", "Content/Maps/", "Content\\Maps\\Town.ubulk", "00", "Ü"] {
        assert!(toc.find(path).is_none(), "{path}");
    }
    let file = toc.files().map(|file| file.unwrap()).find(|file| file.chunk == 2).unwrap();
    assert_eq!(file.path.name().to_string(), "Town.ubulk");
    assert_eq!(file.path.folders().len(), 2);
    // An exact match is preferred, whatever the order of the files.
    let two = vec![chunk("a/B.txt", b"1", How::Stored), chunk("a/b.txt", b"22", How::Stored)];
    let written = Container::new(8, two).write();
    let toc = Toc::open(&written.utoc).unwrap();
    assert_eq!(toc.find("a/b.txt").unwrap().unwrap().size, 2);
    assert_eq!(toc.find("a/B.txt").unwrap().unwrap().size, 1);
    assert!(toc.find("A/B.TXT").is_some());
}

fn kind<T: std::fmt::Debug>(result: Result<T, ReadError>) -> ErrorKind {
    match result.unwrap_err() {
        ReadError::Pak(error) => *error.kind(),
        error => panic!("{error}"),
    }
}

#[test]
fn keys() {
    let container = Container { is_encrypted: true, ..Container::new(8, chunks(How::Zlib)) };
    let written = container.write();
    let load = |key: Option<&Key>| TocBuf::load(&mut Cursor::new(&written.utoc), key);
    assert_eq!(kind(load(None)), ErrorKind::NeedsKey);
    assert_eq!(kind(load(Some(&Key::from_bytes([1; 32])))), ErrorKind::WrongKey);
    let toc = Toc::open(&written.utoc).unwrap();
    let chunk = toc.chunk(1).unwrap().unwrap();
    let read = |key: Option<&Key>| chunk.read(open(&written), key, 1 << 20, codec);
    assert_eq!(kind(read(None)), ErrorKind::NeedsKey);
    assert_eq!(kind(read(Some(&Key::from_bytes([1; 32])))), ErrorKind::Codec(CodecError::Damaged));
    let error = chunk.decompress_into(&[], &mut [], codec).unwrap_err();
    assert_eq!(*error.kind(), ErrorKind::NeedsKey);
}

#[test]
fn refused() {
    let written = Container::new(8, chunks(How::Oodle)).write();
    let refusal = |bytes: &[u8]| Toc::open(bytes).map(|_| ()).map_err(|error| *error.kind());
    assert_eq!(refusal(b""), Err(ErrorKind::NotAToc));
    assert_eq!(refusal(b"-==--==--==--=="), Err(ErrorKind::NotAToc));
    for (at, byte) in [(16, 0), (16, 9), (20, 145), (32, 13)] {
        let mut changed = written.utoc.clone();
        changed[at] = byte;
        assert!(matches!(refusal(&changed), Err(ErrorKind::Unknown { .. })), "{at}");
    }
    for len in 16..written.utoc.len() {
        assert!(refusal(&written.utoc[..len]).is_err(), "{len}");
    }
    let toc = Toc::open(&written.utoc).unwrap();
    let chunk = toc.chunk(4).unwrap().unwrap();
    let read = |limit| chunk.read(open(&written), None, limit, standard_codec);
    assert_eq!(kind(read(5)), ErrorKind::Codec(CodecError::Unsupported));
    assert_eq!(kind(read(4)), ErrorKind::TooLarge { size: 5, limit: 4 });
    let error = chunk.decompress_into(&[], &mut [0; 4], codec).unwrap_err();
    assert_eq!(*error.kind(), ErrorKind::SizesDiffer { declared: 5, found: 4 });
    // The second partition does not exist.
    let split = Container {
        partition_size: Some(600),
        block: 500,
        ..Container::new(8, chunks(How::Stored))
    };
    let mut written = split.write();
    written.partitions.truncate(1);
    let toc = Toc::open(&written.utoc).unwrap();
    let error = toc.chunk(1).unwrap().unwrap().read(open(&written), None, 1 << 20, codec);
    assert!(matches!(error, Err(ReadError::Io(_))));
    let wrong = problems(&toc, &written);
    assert!(wrong.iter().any(|(part, _)| *part == Part::Chunk(ChunkId(split.id(1)))));
}

/// Returns the offset of the table of blocks, which follows the header, the tables of chunks, and
/// twelve bytes for the perfect hash.
fn blocks_at(container: &Container) -> usize {
    144 + 22 * container.chunks.len() + 12
}

#[test]
fn wrong_blocks() {
    let container = Container { block: 1000, ..Container::new(8, chunks(How::Zlib)) };
    let written = container.write();
    let change = |at: usize, byte: u8| {
        let mut changed = written.clone();
        changed.utoc[at] = byte;
        let toc = Toc::open(&changed.utoc).unwrap();
        let found = problems(&toc, &written);
        found.first().unwrap_or_else(|| panic!("{at}")).1
    };
    let blocks = blocks_at(&container);
    // The second chunk begins with the second block.
    let second = blocks + 12;
    assert_eq!(change(second + 12, 0), ErrorKind::BlocksOverlap);
    assert!(matches!(change(second + 8, 1), ErrorKind::SizesDiffer { .. }));
    assert!(matches!(change(second + 11, 9), ErrorKind::Unknown { .. }));
    assert!(matches!(change(second + 4, 0xFF), ErrorKind::BlocksOverlap));
    // The second chunk does not begin with a block, or the table of blocks ends before the chunk
    // does.
    let place = 144 + 12 * container.chunks.len() + 10;
    assert!(matches!(change(place + 4, 1), ErrorKind::BadOffset(_)));
    assert!(matches!(change(place, 0xFF), ErrorKind::BadOffset(_)));
    assert!(matches!(change(place + 5, 0xFF), ErrorKind::BadOffset(_)));
    // A block size of 0.
    let mut changed = written.utoc.clone();
    changed[44..48].fill(0);
    let toc = Toc::open(&changed).unwrap();
    assert!(toc.chunk(1).unwrap().is_err() && toc.chunk(5).unwrap().is_ok());
}

/// Lists that lead back to themselves end with an error.
#[test]
fn lists_in_a_circle() {
    let container = Container::new(8, chunks(How::Zlib));
    let written = container.write();
    let mount_point = 4 + container.mount_point.len() + 1;
    let folders = written.directory + mount_point + 4;
    let files = folders + 3 * 16 + 4;
    let outcome = |at: usize, value: u32| {
        let mut changed = written.utoc.clone();
        changed[at..at + 4].copy_from_slice(&value.to_le_bytes());
        let toc = Toc::open(&changed).unwrap();
        assert!(toc.files().count() <= 6);
        let errors: Vec<Error> = toc.files().filter_map(Result::err).collect();
        assert_eq!(errors.len(), 1, "{at}");
        *errors[0].kind()
    };
    // The folder `Content` is its own subfolder, and is after itself in its list.
    assert_eq!(outcome(folders + 16 + 4, 1), ErrorKind::ListedTwice);
    assert_eq!(outcome(folders + 16 + 8, 1), ErrorKind::ListedTwice);
    assert_eq!(outcome(folders + 4, 0), ErrorKind::NoSuchString { index: -1, count: 7 });
    // A file is after itself.
    assert_eq!(outcome(files + 4, 0), ErrorKind::ListedTwice);
    assert_eq!(outcome(files + 4, 99), ErrorKind::BadOffset(99));
    assert_eq!(outcome(folders + 4, 99), ErrorKind::BadOffset(99));
    assert!(matches!(outcome(files, 99), ErrorKind::NoSuchString { index: 99, .. }));
    // A path to a chunk that does not exist.
    let mut changed = written.utoc.clone();
    changed[files + 8] = 99;
    let toc = Toc::open(&changed).unwrap();
    assert_eq!(problems(&toc, &written), [(Part::Directory, ErrorKind::BadOffset(99))]);
}

#[test]
fn deep_and_long_paths() {
    let with = |path: &str| {
        let written = Container::new(8, vec![chunk(path, b"x", How::Stored)]).write();
        let toc = Toc::open(&written.utoc).unwrap();
        toc.files().next().unwrap().map(|file| file.path.to_string()).map_err(|error| *error.kind())
    };
    let deep = "d/".repeat(32) + "x";
    assert_eq!(with(&deep), Ok(deep.clone()));
    assert_eq!(with(&("d/".to_owned() + &deep)), Err(ErrorKind::TooDeep { limit: 32 }));
    let long = "d".repeat(2000) + "/" + &"f".repeat(2095);
    assert_eq!(with(&long), Ok(long.clone()));
    assert_eq!(with(&(long + "f")), Err(ErrorKind::BadTextLength(4097)));
}

/// If chunks share blocks, checking a small table could take quadratic time.
#[test]
fn shared_blocks() {
    let chunks = (0..40).map(|index| chunk(&index.to_string(), &[7; 160], How::Stored));
    let container = Container { block: 16, shared: Some(0), ..Container::new(8, chunks.collect()) };
    let written = container.write();
    let toc = Toc::open(&written.utoc).unwrap();
    assert_eq!(problems(&toc, &written), []);
    let many = Container { block: 1, ..container };
    let mut written = many.write();
    // Every chunk has all 6,400 blocks.
    for place in written.utoc[144 + 12 * 40..][..400].as_chunks_mut::<10>().0 {
        *place = [0, 0, 0, 0, 0, 0, 0, 0, 6400u16.to_be_bytes()[0], 6400u16.to_be_bytes()[1]];
    }
    let toc = Toc::open(&written.utoc).unwrap();
    let found = problems(&toc, &written);
    assert_eq!(found, [(Part::Chunk(ChunkId(many.id(16))), ErrorKind::FilesShareBytes)]);
}

/// Random chunks are read back from containers of all versions and options.
#[test]
fn random_containers() {
    let mut random = Random(0x0010_57A7);
    for _ in 0..200 {
        let mut below = |limit: u32| (random.next() >> 33) as u32 % limit;
        let chunks = (0..below(12)).map(|index| {
            let data: Vec<u8> = (0..below(3000)).map(|_| below(7) as u8).collect();
            let how = [How::Stored, How::Zlib, How::Lz4, How::Zstd, How::Oodle][below(5) as usize];
            let folder = ["a/", "a/b c/", "", "Ü/", "a/b/c/d/"][below(5) as usize];
            let path = (below(4) > 0).then(|| folder.to_owned() + &index.to_string());
            Chunk { path, kind: below(14) as u8, ..chunk("", &data, how) }
        });
        let chunks = chunks.collect();
        let mut container = Container::new(1 + below(8) as u8, chunks);
        container.block = 100 + below(3000) as usize;
        container.is_encrypted = below(2) == 0;
        container.is_signed = below(2) == 0;
        if container.version >= 3 && below(2) == 0 {
            container.partition_size = Some(3200 + below(3000) as usize);
        }
        check(&container);
    }
}

/// The containers of the corpus are those that the writer makes of these files. With the environment
/// variable `BLESS`, writes them.
#[test]
fn corpus() {
    let root = Path::new(env!("CARGO_MANIFEST_DIR")).join("corpus");
    let package = fs::read(root.join(PACKAGE)).unwrap();
    assert!(ZenPackage::open(&package).is_ok());
    let chunks = |version, how| {
        let new = version > 4;
        let package = Chunk {
            kind: if new { 1 } else { 2 },
            ..chunk("Content/Tiny.uasset", &package, How::Stored)
        };
        let text = chunk("Config/Game.ini", b"[Game]\nName=\"Tiny\"\n", how);
        let text = Chunk { kind: if new { 7 } else { 3 }, ..text };
        let header = chunk("", b"the header of a container", how);
        let header = Chunk { path: None, kind: if new { 6 } else { 10 }, ..header };
        // The package is not the first chunk, so that no `.ucas` looks like a package.
        vec![text, package, header]
    };
    let encrypted = Container {
        is_encrypted: true,
        is_signed: true,
        ..Container::new(5, chunks(5, How::Zstd))
    };
    let split = Container { partition_size: Some(1362), ..Container::new(3, chunks(3, How::Zlib)) };
    let containers = [
        ("v3", split),
        ("v5-encrypted", encrypted),
        ("v8", Container::new(8, chunks(8, How::Zlib))),
        ("v8-oodle", Container::new(8, chunks(8, How::Oodle))),
    ];
    let folder = root.join("unreal-iostore");
    for (name, container) in containers {
        check(&container);
        let written = container.write();
        let mut files = vec![(format!("{name}.utoc"), &written.utoc)];
        for (index, partition) in written.partitions.iter().enumerate() {
            let suffix = if index == 0 { String::new() } else { format!("_s{index}") };
            files.push((format!("{name}{suffix}.ucas"), partition));
        }
        for (name, bytes) in files {
            if std::env::var_os("BLESS").is_some() {
                fs::create_dir_all(&folder).unwrap();
                fs::write(folder.join(&name), bytes).unwrap();
            }
            assert!(fs::read(folder.join(&name)).unwrap() == *bytes, "{name}");
        }
    }
}

const PACKAGE: &str = "unreal-zen/tiny.uasset";

fn small(version: u8) -> [Container; 4] {
    let mut container = Container { block: 300, ..Container::new(version, chunks(How::Zlib)) };
    container.chunks.iter_mut().for_each(|chunk| chunk.data.truncate(700));
    let encrypted = Container { is_encrypted: true, ..container.clone() };
    let signed = Container { is_signed: true, ..container.clone() };
    let split = Container { partition_size: Some(400), ..container.clone() };
    [container, encrypted, signed, split]
}

/// Returns the input from which the law reads this container.
fn input(written: &Written) -> Vec<u8> {
    let size = (written.utoc.len() as u16).to_le_bytes();
    [&size[..], &written.utoc, &written.partitions[0]].concat()
}

/// Checks the laws on containers of each version, and on damaged copies of them.
#[test]
fn laws() {
    let mut random = Random(0x000D_A3A6_ED01);
    for version in 1..=8 {
        for container in small(version) {
            let bytes = input(&container.write());
            unreal_iostore(&bytes);
            for _ in 0..60 {
                let mut damaged = bytes.clone();
                for _ in 0..=random.below(3) {
                    let at = 2 + random.below(damaged.len() - 2);
                    damaged[at] = random.one_of(&[0, 1, 0x7F, 0x80, 0xFF, random.0 as u8]);
                }
                unreal_iostore(&damaged);
            }
        }
    }
}

/// Writes seeds for the fuzz target `unreal_iostore` if `GAMEWIRE_SEEDS` names a folder.
#[test]
fn seeds() {
    let Some(folder) = std::env::var_os("GAMEWIRE_SEEDS") else { return };
    let folder = Path::new(&folder).join("unreal_iostore");
    fs::create_dir_all(&folder).unwrap();
    for version in 1..=8 {
        for (index, container) in small(version).iter().enumerate() {
            fs::write(folder.join(format!("v{version}-{index}")), input(&container.write()))
                .unwrap();
        }
    }
}

/// If the first of two files with the same path has no chunk, the second is found.
#[test]
fn files_without_a_chunk_are_not_found() {
    let same = || chunk("A.bin", b"data", How::Stored);
    let utoc = Container::new(4, vec![same(), same()]).write().utoc;
    let mut changed = 0;
    for place in 0..utoc.len() - 4 {
        let mut utoc = utoc.clone();
        utoc[place..place + 4].copy_from_slice(&7u32.to_le_bytes());
        let Ok(toc) = Toc::open(&utoc) else { continue };
        let chunks: Vec<_> = toc.files().flatten().map(|file| file.chunk).collect();
        if let [7, other @ 0..2] = chunks[..] {
            let found = toc.find("A.bin").unwrap().unwrap();
            assert_eq!(found.id, toc.chunk(other).unwrap().unwrap().id);
            changed += 1;
        }
    }
    assert_eq!(changed, 1);
}
