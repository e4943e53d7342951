//! Unwraps saves and wraps them again: files of the corpus, and files that the independent writer
//! of the tests makes, one for each wrapper.

use crate::support::random::Random;
use crate::support::unreal::compressed_containers::in_chunks;
use crate::support::unreal::compressed_containers::{Form, PLAIN};
use crate::support::unreal::wrapped::{WRAPPERS, wrap};
use gamewire::unreal::compression::{CodecError, Method};
use gamewire::unreal::wrapper::{
    Body, Header, Options, Unwrapped, Wrapping, is_wrapped, unwrap, unwrap_with,
};
use gamewire::unreal::{Error, ErrorKind, Package, PropertyValue, Save, Versions};
use miniz_oxide::deflate::compress_to_vec_zlib;
use std::borrow::Cow;
use std::fs;
use std::path::Path;

fn corpus(name: &str) -> Vec<u8> {
    let path = Path::new(env!("CARGO_MANIFEST_DIR")).join("corpus").join(name);
    fs::read(path).unwrap_or_else(|error| panic!("{name}: {error}"))
}

fn options() -> Options {
    Options::default()
}

fn with_prefixes() -> Options {
    let mut options = options();
    options.prefixes = true;
    options
}

fn opened(file: &[u8], options: &Options) -> Unwrapped {
    unwrap(file, options).unwrap().unwrap()
}

fn kind<T: std::fmt::Debug>(result: Result<T, Error>) -> ErrorKind {
    *result.unwrap_err().kind()
}

/// Returns a changed save of the same size.
fn changed(save: &[u8]) -> Vec<u8> {
    let mut changed = save.to_vec();
    let last = changed.len() - 6;
    changed[last] ^= 0x15;
    changed
}

#[test]
fn corpus_files() {
    for (name, wrapping) in [
        ("zlib", "zlib"),
        ("palworld_PlZ1", "a header of Palworld, zlib"),
        ("serialize_compressed", "blocks of zlib"),
        ("magic_SAVE", "`SAVE` in place of `GVAS`"),
        ("prefix_8", "a header of the game, 8 bytes"),
    ] {
        let file = corpus(&format!("unreal-small/{name}.sav"));
        let unwrapped = opened(&file, &with_prefixes());
        assert_eq!(unwrapped.wrapping.to_string(), wrapping);
        let save = Save::open(&unwrapped.bytes).unwrap();
        let first = save.properties().next().unwrap().unwrap();
        assert_eq!(first.name().to_string(), "A");
        assert!(matches!(first.value(), PropertyValue::Int(1)), "{name}");
        assert_eq!(save.trailer().unwrap().1, [0; 4]);
        let again = unwrapped.wrapping.rewrap(&unwrapped.bytes, &file).unwrap();
        assert!(matches!(again, Cow::Borrowed(_)) && *again == file, "{name}");
        // Unknown bytes before a save are accepted only if the options request it.
        assert_eq!(unwrap(&file, &options()).unwrap().is_none(), name == "prefix_8");
        assert_eq!(is_wrapped(&file, &options()), name != "prefix_8");
    }
    for name in ["unreal/gvas-ue4.27-Slot1.sav", "unreal/ue4.10-SimpleRefsRoot.uasset"] {
        assert!(unwrap(&corpus(name), &with_prefixes()).unwrap().is_none());
    }
}

#[test]
fn every_wrapper_is_removed_and_written_again() {
    let save = corpus("unreal/gvas-ue4.27-Slot1.sav");
    for wrapper in WRAPPERS {
        let file = wrap(wrapper, &save);
        let mut unwrapped = opened(&file, &options());
        assert!(unwrapped.bytes == save, "{wrapper}");
        // Unchanged content.
        assert!(*unwrapped.wrapping.rewrap(&save, &file).unwrap() == file, "{wrapper}");
        let original = unwrapped.wrapping.clone();
        let found = unwrapped.wrapping.find_compressors(&file);
        // The independent writer makes LZ4 blocks that no encoder of the library makes.
        assert_eq!(found, wrapper != "container LZ4", "{wrapper}");
        // Changed content, also of a different size.
        for changed in
            [changed(&save), save[..save.len() - 40].to_vec(), [&save[..], &save].concat()]
        {
            let rewrapped = original.rewrap(&changed, &file).unwrap();
            let again = opened(&rewrapped, &options());
            assert!(again.bytes == changed, "{wrapper}");
            assert_eq!(again.wrapping.to_string(), original.to_string());
            match wrapper {
                "container LZ4" => continue,
                "CNK at 8, PlZ1" | "PlZ1 in CNK in zlib" => {}
                _ => assert_eq!(again.wrapping.layers.len(), original.layers.len()),
            }
            // The independent writer wraps the changed content in the same way.
            let wrapped = unwrapped.wrapping.wrap(&changed).unwrap();
            assert!(wrapped == wrap(wrapper, &changed), "{wrapper}");
        }
    }
}

#[test]
fn wrapped_packages() {
    let file = corpus("unreal/ue4.27-TestActorBP.uasset");
    let zlib = |data: &[u8]| compress_to_vec_zlib(data, 6);
    for sizes in [&[][..], &[1000]] {
        let packed = in_chunks(&file, sizes, |data| PLAIN.compressed(data, 1024, zlib));
        let mut unwrapped = opened(&packed, &options());
        assert!(unwrapped.bytes == file);
        assert_eq!(unwrapped.wrapping.to_string(), "package compressed with zlib");
        Package::open(&unwrapped.bytes).unwrap();
        assert!(*unwrapped.wrapping.rewrap(&file, &packed).unwrap() == packed);
        // A layer states one chunk size, so it does not describe a package whose chunks have
        // different sizes exactly.
        assert_eq!(unwrapped.wrapping.find_compressors(&packed), sizes.is_empty());
        let wrapped = unwrapped.wrapping.wrap(&changed(&file)).unwrap();
        assert!(opened(&wrapped, &options()).bytes == changed(&file));
    }
    let wrapped = wrap("container 1", &file);
    assert!(opened(&wrapped, &options()).bytes == file);
}

/// A file that does not state its version is unwrapped with the version that is supplied.
#[test]
fn packages_without_a_version() {
    let mut file = corpus("unreal/ue4.27-TestActorBP.uasset");
    let versions = Versions::of_engine(4, 27).unwrap();
    for at in [8, 12, 16] {
        file[at..at + 4].fill(0);
    }
    let zlib = |data: &[u8]| compress_to_vec_zlib(data, 6);
    let plain = corpus("unreal/ue4.27-TestActorBP.uasset");
    let mut packed = in_chunks(&plain, &[], |data| PLAIN.compressed(data, 1024, zlib));
    for at in [8, 12, 16] {
        packed[at..at + 4].fill(0);
    }
    assert_eq!(kind(unwrap(&packed, &options())), ErrorKind::NeedsVersion);
    let mut with_version = options();
    with_version.versions = Some(versions);
    let unwrapped = opened(&packed, &with_version);
    assert!(unwrapped.bytes == file);
    assert!(*unwrapped.wrapping.rewrap(&file, &packed).unwrap() == packed);
    assert!(unwrapped.wrapping.wrap(&file).unwrap() == packed);
}

#[test]
fn refused_files() {
    for (magic, what) in [
        (&b"\x82\xF2\x98\x4F\x92\x77\x47\x1A"[..], "an encrypted save of Goat Simulator 3"),
        (
            b"GVAS\x04\0\0\0",
            "a save of State of Decay 2, whose content is in the game's own format",
        ),
    ] {
        let file = [magic, &[7; 100]].concat();
        assert_eq!(kind(unwrap(&file, &options())), ErrorKind::CannotUnwrap(what));
        assert!(is_wrapped(&file, &options()));
    }
    let save = corpus("unreal-small/zlib.sav");
    let nested = (0..4).fold(save, |save, _| compress_to_vec_zlib(&save, 6));
    assert_eq!(kind(unwrap(&nested, &options())), ErrorKind::TooManyLayers { limit: 4 });
    // Other data in a zlib stream are not unwrapped.
    let other = compress_to_vec_zlib(&[7; 100_000], 6);
    assert!(unwrap(&other, &options()).unwrap().is_none());
}

/// A size in a header is an error if it exceeds the limit or does not fit the data.
#[test]
fn declared_sizes() {
    let save = corpus("unreal/gvas-ue4.27-Slot1.sav");
    let size = save.len() as u64;
    let mut small = options();
    small.limit = save.len() - 1;
    let mut exact = options();
    exact.limit = save.len() + 100;
    for wrapper in WRAPPERS {
        let file = wrap(wrapper, &save);
        let limit = small.limit as u64;
        match kind(unwrap(&file, &small)) {
            ErrorKind::TooLarge { size: found, limit: at_most } => {
                assert!(at_most == limit && found > limit, "{wrapper}");
            }
            other => panic!("{wrapper}: {other}"),
        }
        opened(&file, &exact);
    }
    for (wrapper, at) in [("size and zlib", 0), ("SAVE", 8), ("Astroneer", 12), ("PlZ1", 0)] {
        let mut file = wrap(wrapper, &save);
        for (declared, error) in [
            (size - 1, ErrorKind::SizesDiffer { declared: size - 1, found: size }),
            (size + 1, ErrorKind::SizesDiffer { declared: size + 1, found: size }),
            (u64::from(u32::MAX), ErrorKind::BadSize(u32::MAX.into())),
        ] {
            file[at..at + 4].copy_from_slice(&(declared as u32).to_le_bytes());
            assert_eq!(kind(unwrap(&file, &options())), error, "{wrapper}");
        }
    }
    // The compressed size in the header of Palworld.
    let mut file = wrap("PlZ1", &save);
    let len = file.len() as u32 - 12;
    file[4..8].copy_from_slice(&(len + 3).to_le_bytes());
    let error = unwrap(&file, &options()).unwrap_err();
    assert_eq!(*error.kind(), ErrorKind::UnexpectedEnd { missing: 3 });
    assert_eq!(error.offset(), file.len() as u64);
    let mut file = wrap("PlZ2", &save);
    file[4] ^= 1;
    assert!(matches!(kind(unwrap(&file, &options())), ErrorKind::SizesDiffer { .. }));
}

/// Files that are cut off at any length, or in which any single bit is changed, are unwrapped
/// without a panic and within the limit. If such a file can be unwrapped, wrapping its content
/// again results in the same file.
#[test]
fn damaged_files() {
    let save = corpus("unreal-small/zlib.sav");
    let save = opened(&save, &options()).bytes;
    let mut options = with_prefixes();
    options.limit = 1000;
    for wrapper in WRAPPERS {
        let file = wrap(wrapper, &save);
        let try_one = |file: &[u8]| match unwrap(file, &options) {
            Ok(Some(unwrapped)) => {
                assert!(unwrapped.bytes.len() <= 1000);
                let again = unwrapped.wrapping.rewrap(&unwrapped.bytes, file).unwrap();
                assert!(*again == *file, "{wrapper}");
                Some(unwrapped.bytes)
            }
            Ok(None) => None,
            Err(error) => {
                assert!(error.offset() <= file.len().max(1000) as u64, "{wrapper}: {error}");
                None
            }
        };
        for len in 0..file.len() {
            try_one(&file[..len]);
        }
        for at in 0..file.len() {
            for bit in 0..8 {
                let mut file = file.clone();
                file[at] ^= 1 << bit;
                try_one(&file);
            }
        }
    }
}

#[test]
fn oodle_is_left_to_the_caller() {
    let save = opened(&corpus("unreal-small/zlib.sav"), &options()).bytes;
    let size = save.len() as u32;
    let stream = [&b"\x8C\x06"[..], &save].concat();
    let word = |size: usize| (size as u32).to_le_bytes();
    let oodle = |method: Method<'_>, from: &[u8], to: &mut [u8]| match (method, from) {
        (Method::Oodle, [_, _, from @ ..]) => {
            to.copy_from_slice(from);
            Ok(to.len())
        }
        (Method::Oodle, _) => Ok(0),
        _ => Err(CodecError::Unsupported),
    };
    let block = |data: &[u8]| [&b"\x8C\x06"[..], data].concat();
    for (file, plain) in [
        ([&word(save.len())[..], &word(stream.len()), b"PlM1", &stream].concat(), Some("zlib")),
        ([&size.to_le_bytes()[..], &[0; 4], &stream].concat(), None),
        (PLAIN.compressed(&save, 1000, block), None),
        (Form { method: Some(&[2]), ..PLAIN }.compressed(&save, 1000, block), Some("stored")),
        (
            Form { method: Some(b"\0\x06\0\0\0Oodle\0"), ..PLAIN }.compressed(&save, 50, block),
            Some("stored"),
        ),
    ] {
        assert_eq!(kind(unwrap(&file, &options())), ErrorKind::Codec(CodecError::Unsupported));
        let unwrapped = unwrap_with(&file, &options(), oodle).unwrap().unwrap();
        assert!(unwrapped.bytes == save);
        let Wrapping { layers } = &unwrapped.wrapping;
        assert!(layers[0].body.needs_oodle() && unwrapped.wrapping.needs_oodle());
        let unsupported = ErrorKind::Codec(CodecError::Unsupported);
        assert_eq!(kind(unwrapped.wrapping.wrap(&save)), unsupported);
        let encoder = |method: Method<'_>, from: &[u8], to: &mut Vec<u8>| {
            assert_eq!(method.resolved(), Method::Oodle);
            to.extend(block(from));
            Ok(())
        };
        assert!(unwrapped.wrapping.wrap_with(&save, encoder).unwrap() == file);
        let same = unwrapped.wrapping.rewrap_with(&save, &file, oodle, encoder).unwrap();
        assert!(matches!(same, Cow::Borrowed(_)));
        let other = unwrapped.wrapping.without_oodle();
        assert_eq!(other.is_some(), plain.is_some());
        if let Some(other) = other {
            let file = other.wrap(&save).unwrap();
            assert!(other.to_string().contains(plain.unwrap()), "{other}");
            assert!(opened(&file, &options()).bytes == save);
        }
    }
}

/// The header with `CNK`, which precedes saves from the Xbox store, is updated if it contains
/// sizes.
#[test]
fn chunk_headers() {
    let save = corpus("unreal/gvas-ue4.27-Slot1.sav");
    let file = wrap("CNK at 0, PlZ2", &save);
    let unwrapped = opened(&file, &options());
    let [layer] = &unwrapped.wrapping.layers[..] else { panic!() };
    let Header::Palworld(Some(chunk)) = layer.header else { panic!("{layer:?}") };
    assert_eq!(chunk.bytes, *b"CNK\x07abcdefgh");
    assert!(matches!(layer.body, Body::ZlibTwice { .. }));
    let changed = changed(&save);
    assert_eq!(unwrapped.wrapping.wrap(&changed).unwrap()[..12], *b"CNK\x07abcdefgh");
    let file = wrap("CNK at 8, PlZ1", &save);
    let again = opened(&file, &options()).wrapping.wrap(&save[..300]).unwrap();
    assert_eq!(again[..4], 300u32.to_le_bytes());
    assert_eq!(again[..8], again[12..20]);
}

/// Random saves in random wrappers, or after a header that the library does not know.
#[test]
fn random_wrappers() {
    let mut random = Random::new(30);
    let head = opened(&corpus("unreal-small/zlib.sav"), &options()).bytes;
    for _ in 0..300 {
        let len = random.below(3000);
        let noise = random.below(4);
        let tail: Vec<u8> = (0..len)
            .map(|at| if noise == 0 { random.below(256) as u8 } else { (at % 37) as u8 })
            .collect();
        let save = [&head[..], &tail].concat();
        let wrapper = random.one_of(&WRAPPERS);
        let mut file = wrap(wrapper, &save);
        let is_prefixed = random.below(3) == 0;
        if is_prefixed && wrapper == "size" {
            file = [&[9; 30][..], &save].concat();
        }
        let unwrapped = opened(&file, &with_prefixes());
        assert!(unwrapped.bytes == save, "{wrapper}");
        assert!(*unwrapped.wrapping.rewrap(&save, &file).unwrap() == file, "{wrapper}");
        let other = changed(&save);
        let again = unwrapped.wrapping.rewrap(&other, &file).unwrap();
        assert!(opened(&again, &with_prefixes()).bytes == other, "{wrapper}");
    }
}

#[cfg(feature = "serde")]
#[test]
fn documents() {
    use gamewire::unreal::wrapper::Document;
    let save = corpus("unreal/gvas-ue4.27-Slot1.sav");
    for wrapper in WRAPPERS {
        let file = wrap(wrapper, &save);
        let document = Document::new(opened(&file, &options()).wrapping, &file);
        assert_eq!(document.original.is_empty(), wrapper != "container LZ4", "{wrapper}");
        let json = serde_json::to_string(&document).unwrap();
        let read: Document = serde_json::from_str(&json).unwrap();
        assert_eq!(read, document, "{json}");
        assert!(*read.wrap(&save).unwrap() == file, "{wrapper}");
        let other = changed(&save);
        assert!(opened(&read.wrap(&other).unwrap(), &options()).bytes == other, "{wrapper}");
    }
    let file = corpus("unreal-small/palworld_PlZ1.sav");
    let document = Document::new(opened(&file, &options()).wrapping, &file);
    let json = serde_json::to_string(&document.layers).unwrap();
    let expected =
        r#"[{"header":{"palworld":null},"body":{"zlib":{"encoder":"miniz","level":6}}}]"#;
    assert_eq!(json, expected);
    // Hostile documents cause no panic.
    for json in [
        r#"{"layers":[{"header":"none","body":{"zlib":{"encoder":"miniz","level":255}}}]}"#,
        r#"{"layers":[],"original":"AAAA"}"#,
        r#"{"layers":[{"header":"magic","body":"stored"}]}"#,
        r#"{"layers":[{"header":"none","body":"stored","rest":"!"}]}"#,
    ] {
        if let Ok(document) = serde_json::from_str::<Document>(json) {
            let _ = document.wrap(b"GVAS");
            let _ = document.wrap(b"");
        }
    }
}
