//! Reads asset registries of each version. The writer in `tests/support/registry.rs` makes them.

use crate::laws::unreal::unreal_registry;
use crate::support::random::Random;
use crate::support::registry::{Hashes, Model, lines, sample, some_model, write};
use crate::support::unreal::zen::name_hash;
use gamewire::unreal::registry::{Asset, Dependency, Node, PackageData, Registry};
use gamewire::unreal::{Error, ErrorKind, NameEntry, StrBuf};
use std::path::Path;
use std::{env, fs};

/// The versions that are read.
const VERSIONS: std::ops::RangeInclusive<u32> = 1..=24;

const HASHES: Hashes =
    Hashes { table: |text| NameEntry::hashes_of(&StrBuf::new(text).as_text()), batch: name_hash };

fn problems(registry: &Registry<'_>) -> Vec<ErrorKind> {
    let mut problems = Vec::new();
    let ok = registry.verify(|error| problems.push(*error.kind()));
    assert_eq!(ok, problems.is_empty());
    problems
}

/// Returns lines that describe a registry. They are the same as those that `lines` returns for the
/// model from which the registry was written.
fn read(registry: &Registry<'_>) -> Result<Vec<String>, Error> {
    let mut lines = vec![format!("version {}", registry.version())];
    lines.extend(registry.filters_editor_data().map(|filters| format!("filters {filters}")));
    for asset in registry.assets() {
        read_asset(&asset?, &mut lines)?;
    }
    for node in registry.dependencies()?.nodes() {
        read_node(&node?, &mut lines)?;
    }
    for package in registry.packages()? {
        lines.push(read_package(&package?)?);
    }
    Ok(lines)
}

fn read_asset(asset: &Asset<'_, '_>, lines: &mut Vec<String>) -> Result<(), Error> {
    let class = asset.class()?;
    let class = match class.package {
        Some(package) => format!("{package}.{}", class.name),
        None => class.name.to_string(),
    };
    let [package, path, name] = [asset.package_name()?, asset.package_path()?, asset.asset_name()?];
    lines.push(format!("asset {package} {path} {name} {class}"));
    if let Some(path) = asset.object_path() {
        lines.push(format!("object {}", path?));
    }
    if let Some(path) = asset.outer_path() {
        lines.push(format!("outer {}", path?));
    }
    assert_eq!(asset.tags().count(), asset.tag_count());
    for tag in asset.tags() {
        let tag = tag?;
        let found = asset.tag(&tag.key.to_string()).unwrap()?;
        lines.push(format!("tag {}={}", tag.key, tag.value));
        // Random assets can have several tags with one key.
        assert!(asset.tags().flatten().any(|tag| tag.value.to_string() == found.to_string()));
    }
    for bundle in asset.bundles() {
        lines.push(format!("bundle {}", bundle.name()?));
        for path in bundle.paths() {
            let path = path?;
            let colon = if path.sub_path.is_empty() { "" } else { ":" };
            let object = match path.package {
                Some(package) => format!("{package}.{}", path.asset),
                None => path.asset.to_string(),
            };
            lines.push(format!("path {object}{colon}{}", path.sub_path));
        }
    }
    let chunks: Vec<i32> = asset.chunks().iter().map(Result::unwrap).collect();
    lines.push(format!("chunks {chunks:?} flags {}", asset.flags()));
    Ok(())
}

fn read_node(node: &Node<'_, '_>, lines: &mut Vec<String>) -> Result<(), Error> {
    let identifier = node.identifier()?;
    let names =
        [identifier.package, identifier.primary_asset_type, identifier.object, identifier.value];
    let names = names.map(|name| name.map(|name| name.to_string()));
    let uses: Vec<i32> = node.name_dependencies().iter().map(Result::unwrap).collect();
    let referencers: Vec<i32> = node.referencers().iter().map(Result::unwrap).collect();
    lines.push(format!("node {names:?} {uses:?} {referencers:?}"));
    let mut put = |kind: &str, dependency: Dependency| {
        let combinations = dependency.properties.combinations();
        let combinations: Vec<_> = combinations.iter().map(u8::to_string).collect();
        lines.push(format!("{kind} {} {}", dependency.node, combinations.join("+")));
    };
    node.package_dependencies().for_each(|dependency| put("needs", dependency));
    node.manage_dependencies().for_each(|dependency| put("manages", dependency));
    Ok(())
}

fn read_package(package: &PackageData<'_, '_>) -> Result<String, Error> {
    let hash = match (package.guid(), package.saved_hash()) {
        (Some(guid), None) => guid.to_string(),
        (None, Some(hash)) => format!("{hash:?}"),
        both => panic!("{both:?}"),
    };
    let chunks = package.chunk_hashes();
    let chunks: Vec<_> =
        chunks.iter().map(Result::unwrap).map(|chunk| (chunk.chunk, chunk.hash)).collect();
    let versions = package.file_versions().map(|of| {
        let custom: Vec<i32> = of.custom.iter().map(|one| one.unwrap().version).collect();
        let (ue4, ue5) = (of.versions.ue4, of.versions.ue5);
        format!("{ue4} {ue5} {} {} {custom:?}", of.licensee, of.flags)
    });
    let classes: Vec<String> = package
        .imported_classes()
        .map(|class| class.map(|class| class.to_string()))
        .collect::<Result<_, _>>()?;
    Ok(format!(
        "package {} {} {hash} {:?} {chunks:?} {versions:?} {classes:?} {:?}",
        package.name()?,
        package.disk_size(),
        package.cooked_hash(),
        package.extension().map(|extension| extension.to_string()),
    ))
}

/// The sample is written in each version, and read back.
#[test]
fn every_version() {
    let model = sample();
    for version in VERSIONS {
        for texts_first in [true, false] {
            let file = write(&model, version, texts_first, HASHES);
            assert!(Registry::is_registry(&file));
            let registry = Registry::open(&file).unwrap();
            assert_eq!(registry.version(), version);
            assert_eq!((registry.asset_count(), registry.name_count() > 0), (2, version > 1));
            for registry in [registry.clone(), registry.with_name_index()] {
                assert_eq!(read(&registry).unwrap(), lines(&model, version));
                assert_eq!(problems(&registry), [], "version {version}");
            }
        }
    }
}

/// Random registries are written in each version, and read back.
#[test]
fn random_models() {
    let mut random = Random(0xA55E_7B12);
    for _ in 0..40 {
        let model = some_model(&mut random);
        for version in VERSIONS {
            let file = write(&model, version, random.below(2) == 0, HASHES);
            let registry = Registry::open(&file).unwrap();
            assert_eq!(read(&registry).unwrap(), lines(&model, version));
            assert_eq!(problems(&registry), [], "version {version}");
            let graph = registry.dependencies().unwrap();
            let indexed = graph.clone().with_node_index();
            for (index, node) in (0..).zip(graph.nodes()) {
                let offset = node.unwrap().offset();
                let found = [&graph, &indexed].map(|graph| graph.node(index).unwrap().offset());
                assert_eq!(found, [offset; 2]);
            }
            let end = graph.node_count() as i32;
            assert!(graph.node(end).is_none() && indexed.node(-1).is_none());
        }
    }
}

fn sample_file(version: u32) -> Vec<u8> {
    write(&sample(), version, true, HASHES)
}

fn kind<T>(result: Result<T, Error>) -> ErrorKind {
    match result {
        Ok(_) => panic!("this should be an error"),
        Err(error) => *error.kind(),
    }
}

/// Replaces `old`, which must occur exactly once.
fn replace(file: &[u8], old: &[u8], new: &[u8]) -> Vec<u8> {
    let mut places = (0..file.len()).filter(|at| file[*at..].starts_with(old));
    let (Some(at), None) = (places.next(), places.next()) else { panic!("not one place") };
    [&file[..at], new, &file[at + old.len()..]].concat()
}

#[test]
fn wrong_headers() {
    let file = sample_file(8);
    assert_eq!(kind(Registry::open(b"")), ErrorKind::NotARegistry);
    assert_eq!(kind(Registry::open(&file[1..])), ErrorKind::NotARegistry);
    for version in [0, 25, u32::MAX] {
        let mut other = file.clone();
        other[16..20].copy_from_slice(&version.to_le_bytes());
        let unknown = kind(Registry::open(&other));
        assert!(matches!(unknown, ErrorKind::Unknown { .. }), "{unknown:?}");
    }
    let mut filter = sample_file(16);
    filter[20] = 2;
    assert_eq!(kind(Registry::open(&filter)), ErrorKind::BadBool(2));
    let start = replace(&file, &[0x79, 0x56, 0x34, 0x12], &[0; 4]);
    let end = replace(&file, &[0x21, 0x43, 0x65, 0x87], &[0; 4]);
    for (file, expected) in [(start, 0x1234_5679), (end, 0x8765_4321)] {
        assert_eq!(kind(Registry::open(&file)), ErrorKind::BadMark { expected, found: 0 });
    }
    let mut outside = sample_file(6);
    outside[20..28].copy_from_slice(&(-1i64).to_le_bytes());
    assert_eq!(kind(Registry::open(&outside)), ErrorKind::BadOffset(-1));
}

#[test]
fn wrong_references() {
    // The first tag, whose value is an ANSI string, refers to a value that does not exist.
    let file = sample_file(8);
    let registry = Registry::open(&file).unwrap();
    let asset = registry.assets().next().unwrap().unwrap();
    assert_eq!(asset.tag("title").unwrap().unwrap().to_string(), "A long way");
    assert!(asset.tag("Titl").is_none());
    let end = file.windows(4).position(|bytes| bytes == [0x21, 0x43, 0x65, 0x87]).unwrap();
    let first = end - 6 * 8;
    for (value, expected) in [
        (2 << 3, ErrorKind::OutOfRange { what: "value", index: 2, count: 2 }),
        (7, ErrorKind::Unknown { what: "type of the value of a tag", value: 7 }),
    ] {
        let mut wrong = file.clone();
        wrong[first + 4] = value;
        let registry = Registry::open(&wrong).unwrap();
        let tags: Vec<_> = registry.assets().next().unwrap().unwrap().tags().collect();
        assert_eq!(tags.len(), 1);
        assert_eq!(kind(tags.into_iter().next().unwrap()), expected);
        assert_eq!(problems(&registry), [expected]);
    }
    let mut name = file.clone();
    name[first] = 99;
    let no_name = problems(&Registry::open(&name).unwrap());
    assert!(matches!(no_name[..], [ErrorKind::NoSuchName { index: 99, .. }]), "{no_name:?}");

    // An asset refers to more tags than the store has, or to a tag of the previous asset.
    let handle = (1u64 << 63 | 1 << 32 | 5).to_le_bytes();
    let many = replace(&file, &handle, &(1u64 << 63 | 2 << 32 | 5).to_le_bytes());
    let expected = ErrorKind::OutOfRange { what: "tag", index: 6, count: 6 };
    assert_eq!(problems(&Registry::open(&many).unwrap()), [expected]);
    let shared = replace(&file, &handle, &(1u64 << 63 | 1 << 32 | 4).to_le_bytes());
    let expected = ErrorKind::TagsOutOfPlace { expected: 5, found: 4 };
    assert_eq!(problems(&Registry::open(&shared).unwrap()), [expected]);

    let mut model = sample();
    model.nodes[0].packages[0].0 = 3;
    model.nodes[2].referencers[0] = -1;
    let file = write(&model, 8, true, HASHES);
    let found = problems(&Registry::open(&file).unwrap());
    let no_node = |index| ErrorKind::OutOfRange { what: "node", index, count: 3 };
    assert_eq!(found, [no_node(3), no_node(u32::MAX)]);

    let mut model = sample();
    model.nodes[0].packages[0].1 = 19;
    let file = write(&model, 8, true, HASHES);
    let found = problems(&Registry::open(&file).unwrap());
    let what = "set of properties of a dependency";
    assert_eq!(found, [ErrorKind::Unknown { what, value: 19 }]);
}

#[test]
fn other_problems() {
    for version in VERSIONS.skip(3) {
        let more = [&sample_file(version)[..], b"more"].concat();
        let found = problems(&Registry::open(&more).unwrap());
        assert_eq!(found, [ErrorKind::Unused(4)], "version {version}");
    }
    let file = sample_file(8);
    let name = problems(&Registry::open(&replace(&file, b"Dimens", b"dimens")).unwrap());
    assert_eq!(name, [], "a hash ignores the case");
    let name = problems(&Registry::open(&replace(&file, b"Dimens", b"Rimens")).unwrap());
    assert!(matches!(name[..], [ErrorKind::WrongHash { .. }]), "{name:?}");
    let file = sample_file(6);
    let name = problems(&Registry::open(&replace(&file, b"Dimens", b"dimens")).unwrap());
    assert!(matches!(name[..], [ErrorKind::WrongHash { .. }]), "{name:?}");

    // A NUL in a string of the store.
    let file = replace(&sample_file(8), b"512x512\0", b"512\x00512\0");
    let found = problems(&Registry::open(&file).unwrap());
    assert_eq!(found, [ErrorKind::BadOffset(11)]);

    // A wrong size of the dependencies.
    let file = sample_file(7);
    let registry = Registry::open(&file).unwrap();
    let size = registry.dependencies().unwrap().nodes().next().unwrap().unwrap().offset() - 12;
    let mut wrong = file.clone();
    wrong[size as usize..][..8].copy_from_slice(&(-1i64).to_le_bytes());
    let registry = Registry::open(&wrong).unwrap();
    assert_eq!(kind(registry.dependencies()), ErrorKind::BadSize(-1));
    assert_eq!(kind(registry.packages()), ErrorKind::BadSize(-1));
    assert_eq!(problems(&registry), [ErrorKind::BadSize(-1)]);
}

/// An empty registry has no names, and its parts are empty.
#[test]
fn empty() {
    for version in VERSIONS {
        let file = write(&Model::default(), version, true, HASHES);
        let registry = Registry::open(&file).unwrap();
        assert_eq!(read(&registry).unwrap(), lines(&Model::default(), version));
        assert_eq!(problems(&registry), [], "version {version}");
    }
}

/// Checks the laws on files of each version, and on damaged and truncated copies of them.
#[test]
fn laws() {
    let mut random = Random(0x4E61_57A9);
    for version in VERSIONS {
        let file = sample_file(version);
        (0..file.len()).for_each(|end| unreal_registry(&file[..end]));
        for _ in 0..1000 {
            let mut damaged = file.clone();
            for _ in 0..=random.below(3) {
                let at = 20 + random.below(damaged.len() - 20);
                damaged[at] = random.one_of(&[0, 1, 0x7F, 0x80, 0xFF, random.0 as u8]);
            }
            unreal_registry(&damaged);
        }
    }
}

/// The files of the corpus are those that the writer makes. If the environment variable `BLESS` is
/// set, the test first writes the files.
#[test]
fn corpus() {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("corpus/unreal-registry");
    for version in [1, 6, 8, 16, 24] {
        let path = folder.join(format!("v{version}.bin"));
        if env::var_os("BLESS").is_some() {
            fs::create_dir_all(&folder).unwrap();
            fs::write(&path, sample_file(version)).unwrap();
        }
        assert!(fs::read(&path).unwrap() == sample_file(version), "version {version}");
    }
}
