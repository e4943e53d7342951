//! Reads localized texts of each version. The writer in `tests/support/locres.rs` makes them.

use crate::laws::unreal::unreal_locres;
use crate::support::locres::{Entry, write};
use crate::support::random::Random;
use gamewire::unreal::{Error, ErrorKind, Locres};
use std::fs;
use std::path::Path;

/// Keys, each with its hash in version 3 as Python's library `cityhash` computes it. The lengths of
/// the keys reach every branch of the hash function.
const HASHES: [(&str, u32); 12] = [
    ("", 0),
    ("a", 0x1D2A_4DEE),
    ("ab", 0x7C62_CD09),
    ("Start", 0xDDA2_30F6),
    ("Menu", 0x3468_1421),
    ("Überall", 0x11F9_859D),
    ("xxxxxxxx", 0xE708_2C0A),
    ("0123456789abcde", 0x02C3_7470),
    ("0123456789abcdefg", 0x2BA4_92D1),
    ("The quick brown fox jumps over", 0xE4C4_5E7A),
    ("The quick brown fox jumps over the lazy dog and runs", 0xA498_AAC0),
    (
        "A key that is much longer than sixty-four units so that all of the loop is usedA key that is \
         much longer than sixty-four units so that all of the loop is usedA key that is much longer \
         than sixty-four units so that all of the loop is used",
        0x1FE7_3BD6,
    ),
];

fn hash(key: &str) -> u32 {
    HASHES.iter().find(|(known, _)| *known == key).unwrap().1
}

const MENU: &[Entry<'static>] =
    &[("Start", "Spiel starten"), ("Überall", "Überall"), ("ab", "Überall")];
const LONG: &[Entry<'static>] = &[
    ("a", "1"),
    ("xxxxxxxx", "2"),
    ("0123456789abcde", "3"),
    ("0123456789abcdefg", ""),
    (HASHES[9].0, "5"),
    (HASHES[10].0, "6"),
    (HASHES[11].0, "7"),
];
const NAMESPACES: &[(&str, &[Entry<'static>])] = &[("", LONG), ("Menu", MENU)];

fn sample(version: u8) -> Vec<u8> {
    write(version, NAMESPACES, hash)
}

fn problems(locres: &Locres<'_>) -> Vec<ErrorKind> {
    let mut problems = Vec::new();
    let ok = locres.verify(|error| problems.push(*error.kind()));
    assert_eq!(ok, problems.is_empty());
    problems
}

#[test]
fn every_version() {
    for version in 0..=3 {
        let file = sample(version);
        assert_eq!(Locres::is_locres(&file), version > 0);
        let locres = Locres::open(&file).unwrap();
        assert_eq!(locres.version(), version);
        assert_eq!(locres.stated_count(), (version >= 2).then_some(10));
        assert_eq!(locres.string_count(), if version == 0 { 0 } else { 9 });
        for locres in [locres.clone(), locres.with_string_index()] {
            assert_eq!(locres.namespace_count(), 2);
            let found: Vec<_> = locres.namespaces().map(|namespace| namespace.unwrap()).collect();
            assert_eq!(found.len(), 2);
            for (found, (namespace, entries)) in found.iter().zip(NAMESPACES) {
                assert!(found.key.text == **namespace && found.count() == entries.len() as u32);
                let texts: Vec<_> = found.texts().map(|text| text.unwrap()).collect();
                assert_eq!(texts.len(), entries.len());
                for (text, (key, string)) in texts.iter().zip(*entries) {
                    assert!(text.key.text == **key && text.text == **string, "{version} {key}");
                    assert_eq!(locres.find(namespace, key).unwrap().unwrap(), *text);
                }
            }
            assert!(locres.find("Menu", "a").is_none() && locres.find("menu", "Start").is_none());
            assert_eq!(problems(&locres), [], "version {version}");
        }
    }
}

fn kind<T: std::fmt::Debug>(result: Result<T, Error>) -> ErrorKind {
    *result.unwrap_err().kind()
}

#[test]
fn wrong_files() {
    let file = sample(3);
    let mut newer = file.clone();
    newer[16] = 4;
    assert!(matches!(kind(Locres::open(&newer)), ErrorKind::Unknown { value: 4, .. }));
    let mut outside = file.clone();
    outside[17..25].copy_from_slice(&(file.len() as i64 + 1).to_le_bytes());
    assert!(matches!(kind(Locres::open(&outside)), ErrorKind::BadOffset(_)));
    assert!(matches!(kind(Locres::open(&file[..20])), ErrorKind::UnexpectedEnd { .. }));

    // Without strings, every text is an error, and the list continues.
    let mut none = file.clone();
    none[17..25].copy_from_slice(&(-1i64).to_le_bytes());
    let locres = Locres::open(&none).unwrap();
    let texts: Vec<_> =
        locres.namespaces().flat_map(|namespace| namespace.unwrap().texts()).collect();
    assert_eq!(texts.len(), 10);
    for text in texts {
        assert!(matches!(kind(text), ErrorKind::NoSuchString { count: 0, .. }));
    }

    let mut count = file.clone();
    count[25] = 11;
    let expected = ErrorKind::CountsDiffer { what: "texts", found: 11, there: 10 };
    assert_eq!(problems(&Locres::open(&count).unwrap()), [expected]);
    let more = [&file[..], b"more"].concat();
    assert_eq!(problems(&Locres::open(&more).unwrap()), [ErrorKind::Unused(4)]);
    for version in [2, 3] {
        let mut file = sample(version);
        let key = b"Start\0";
        let at = file.windows(key.len()).position(|bytes| bytes == key).unwrap();
        file[at] = b's';
        let problems = problems(&Locres::open(&file).unwrap());
        assert!(matches!(problems[..], [ErrorKind::KeyHashDiffers { .. }]), "{problems:?}");
    }
}

/// Checks the laws on files of each version, and on damaged and truncated copies of them.
#[test]
fn laws() {
    let mut random = Random(0x0010_C4E5);
    for version in 0..=3 {
        let file = sample(version);
        (0..file.len()).for_each(|end| unreal_locres(&file[..end]));
        for _ in 0..2000 {
            let mut damaged = file.clone();
            for _ in 0..=random.below(3) {
                let at = random.below(damaged.len());
                damaged[at] = random.one_of(&[0, 1, 0x7F, 0x80, 0xFF, random.0 as u8]);
            }
            unreal_locres(&damaged);
        }
    }
}

/// The files of the corpus are those that the writer makes. With the environment variable `BLESS`,
/// writes them.
#[test]
fn corpus() {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("corpus/unreal-locres");
    for version in 0..=3 {
        let path = folder.join(format!("v{version}.locres"));
        if std::env::var_os("BLESS").is_some() {
            fs::create_dir_all(&folder).unwrap();
            fs::write(&path, sample(version)).unwrap();
        }
        assert!(fs::read(&path).unwrap() == sample(version), "version {version}");
    }
}
