//! Recognises every file of the corpus.
#![allow(clippy::unwrap_used)]

use gamewire::godot::Dialect;
use gamewire::godot::find::Endian;
use gamewire::recognise::{Format, Sample, guess_values, recognise, recognise_signature};
use std::path::{Path, PathBuf};

fn files(folder: &Path, found: &mut Vec<PathBuf>) {
    for entry in std::fs::read_dir(folder).unwrap() {
        let path = entry.unwrap().path();
        match path.is_dir() {
            true => files(&path, found),
            false => found.push(path),
        }
    }
}

/// Returns the expected name of the format of a file, if the corpus states it.
fn expected(path: &str) -> Option<&'static str> {
    let name = path.rsplit('/').next().unwrap();
    let extension = name.rsplit('.').next().unwrap();
    let folder = path.split('/').next().unwrap();
    Some(match (folder, extension) {
        (_, "pcap" | "pcapng") => "a capture of network traffic",
        ("godot-files", "dat") if name.contains("compressed") => "a compressed file of Godot",
        ("godot-files", _) if name.contains("encrypted") => "an encrypted file of Godot",
        ("config", "godot") => "a configuration file of Godot",
        ("unreal-locres", _) => "localized texts of Unreal Engine",
        ("unreal-registry", "bin") => "an asset registry of Unreal Engine",
        (_, "usmap") => "mappings of Unreal Engine",
        (_, "pak") => "a pak of Unreal Engine",
        (_, "utoc") => "the table of contents of an IoStore container of Unreal Engine",
        ("unreal", "uasset" | "umap") => "a package of Unreal Engine",
        ("unreal", "sav") => "a save of Unreal Engine",
        _ => return None,
    })
}

/// Returns `true` if the file is in a folder of files that need not be values of Godot.
fn is_not_values(path: &str) -> bool {
    let others = ["fastlz", "godot-files", "rems", "captures"];
    others.iter().any(|folder| path.starts_with(folder)) || path.starts_with("unreal")
}

#[test]
fn the_corpus_is_recognised() {
    let corpus = Path::new(env!("CARGO_MANIFEST_DIR")).join("corpus");
    let mut found = Vec::new();
    files(&corpus, &mut found);
    let (mut stated, mut values) = (0, 0);
    for path in found {
        let bytes = std::fs::read(&path).unwrap();
        let path = path.strip_prefix(&corpus).unwrap().to_str().unwrap().replace('\\', "/");
        let format = recognise(&Sample::whole(&path, &bytes));
        let name = format.as_ref().map(Format::name);
        if let Some(expected) = expected(&path) {
            assert_eq!(name, Some(expected), "{path}");
            stated += 1;
        } else if let Some(Format::GodotValues(guess)) = format {
            assert!(!path.starts_with("unreal") && !path.starts_with("rems"), "{path}: {guess:?}");
            values += 1;
        } else if path.ends_with(".bin") && !is_not_values(&path) {
            // Packets of other protocols, and values of dialects without an engine.
            let is_malformed = [Dialect::Godot4, Dialect::Godot3, Dialect::Godot2]
                .into_iter()
                .all(|dialect| !gamewire::godot::detect(&bytes).contains(dialect));
            // Engines set no bits in the second and the fourth byte of a header.
            let is_plausible = matches!(bytes[..], [_, 0, _, 0, ..]);
            assert!(is_malformed || !is_plausible, "{path}: {name:?}");
        }
        // A signature decides, whatever else the content could be.
        let has_no_signature = matches!(
            format,
            None | Some(Format::Rems(_) | Format::GodotValues(_) | Format::GodotConfig)
        );
        let by_signature = recognise_signature(&Sample::whole(&path, &bytes));
        assert_eq!(by_signature, format.filter(|_| !has_no_signature), "{path}");
        // Text and images are not values.
        if ["md", "json", "png", "gd", "log"].iter().any(|end| path.ends_with(end)) {
            assert!(!matches!(format, Some(Format::GodotValues(_))), "{path}");
        }
        // The ends of the file are enough.
        if bytes.len() > Sample::HEAD {
            let tail = &bytes[bytes.len() - Sample::TAIL..];
            let ends = recognise(&Sample::ends(&path, &bytes[..Sample::HEAD], tail));
            assert_eq!(ends.as_ref().map(Format::name), name, "{path}");
            let ends = Sample::ends(&path, &bytes[..Sample::HEAD], tail);
            assert_eq!(recognise_signature(&ends), by_signature, "{path}");
        }
    }
    assert!(stated > 100, "{stated}");
    assert!(values > 300, "{values}");
}

#[test]
fn framings_of_godot_values() {
    let guess = |path: &str| {
        let corpus = Path::new(env!("CARGO_MANIFEST_DIR")).join("corpus");
        let bytes = std::fs::read(corpus.join(path)).unwrap();
        let guess = guess_values(&bytes, true).unwrap();
        (guess.dialect, guess.framing, guess.is_unique)
    };
    let (godot3, godot4) = (Dialect::Godot3, Dialect::Godot4);
    let (little, big) = (Some(Endian::Little), Some(Endian::Big));
    assert_eq!(guess("godot-files/4.6.3/plain.dat"), (godot4, little, true));
    assert_eq!(guess("godot-files/4.6.3/plain_be.dat"), (godot4, big, true));
    assert_eq!(guess("godot-files/4.6.3/var_to_bytes.bin"), (godot4, None, true));
    assert_eq!(guess("godot-files/3.6.2/g3_plain.dat"), (godot3, little, true));
    assert_eq!(guess("godot-files/3.6.2/g3_plain_be.dat"), (godot3, big, true));
}

#[test]
fn values_that_several_dialects_have_in_common() {
    let guess = guess_values(&[2, 0, 0, 0, 5, 0, 0, 0], true).unwrap();
    assert_eq!((guess.dialect, guess.framing), (Dialect::Godot4, None));
    assert!(!guess.is_unique);
    assert_eq!(guess_values(b"", true), None);
    assert_eq!(guess_values(&[0; 64], true), None);
    assert_eq!(guess_values(b"any other text\n", true), None);
}

#[test]
fn a_value_that_is_cut_off() {
    let text = [&[48, 0, 0, 0, 4, 0, 0, 0, 40, 0, 0, 0][..], &[b'a'; 40]].concat();
    let frames = text.repeat(20);
    for end in 13..frames.len() {
        let guess = guess_values(&frames[..end], false).unwrap();
        assert_eq!(guess.framing, Some(Endian::Little), "{end}");
        assert_eq!(guess_values(&frames[..end], true).is_some(), end % text.len() == 0, "{end}");
    }
}
