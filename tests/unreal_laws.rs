//! Laws of packages, properties and saves, on the corpus and on what is left of it.
#![cfg(all(feature = "unreal", feature = "alloc"))]
#![allow(clippy::unwrap_used, clippy::panic, clippy::indexing_slicing)]

#[path = "laws/unreal/mod.rs"]
mod laws;
#[path = "support/random.rs"]
#[allow(dead_code)]
mod random;
#[path = "support/unreal.rs"]
#[allow(dead_code)]
mod samples;

use gamewire::unreal::{Package, Versions};
use random::Random;
use std::fs;
use std::path::Path;

#[test]
fn packages() {
    for sample in samples::packages() {
        let exports = sample.exports.as_deref();
        assert!(laws::package_as(&sample.bytes, exports, sample.supplied()), "{}", sample.name());
    }
}

#[test]
fn saves() {
    for sample in samples::saves() {
        laws::unreal_save(&sample.bytes);
    }
}

/// What ends too early.
#[test]
fn cut() {
    for sample in samples::packages() {
        let (len, exports) = (sample.bytes.len(), sample.exports.as_deref());
        for end in (0..len).step_by(len / 8 + 1) {
            laws::package_as(&sample.bytes[..end], exports, sample.supplied());
        }
        if let Some(exports) = exports {
            for end in (0..exports.len()).step_by(exports.len() / 16 + 1) {
                laws::package_as(&sample.bytes, Some(&exports[..end]), sample.supplied());
            }
        }
    }
    for sample in samples::saves() {
        (0..sample.bytes.len()).for_each(|end| laws::unreal_save(&sample.bytes[..end]));
    }
}

/// Bytes changed at random.
#[test]
fn damaged() {
    let mut random = Random(0x0005_EED0_F0E1);
    let small = samples::packages().into_iter().filter(|sample| sample.bytes.len() < 1 << 15);
    for sample in small {
        for _ in 0..30 {
            let (mut header, mut exports) = (sample.bytes.clone(), sample.exports.clone());
            damage(&mut random, &mut header);
            exports.iter_mut().for_each(|exports| damage(&mut random, exports));
            laws::package_as(&header, exports.as_deref(), sample.supplied());
        }
    }
    for sample in samples::saves() {
        for _ in 0..1000 {
            let mut bytes = sample.bytes.clone();
            damage(&mut random, &mut bytes);
            laws::unreal_save(&bytes);
        }
    }
}

fn damage(random: &mut Random, bytes: &mut [u8]) {
    for _ in 0..=random.below(8) {
        let (at, any) = (random.below(bytes.len()), random.next() as u8);
        bytes[at] = random.one_of(&[0, 1, 2, 0x7F, 0x80, 0xFE, 0xFF, any]);
    }
}

/// The exports of packages as those of any other.
#[test]
fn exchanged() {
    for sample in samples::packages() {
        let package: Package<'_> = sample.package();
        for export in package.exports().flatten().take(8) {
            let Ok(bytes) = package.export_bytes(&export) else { continue };
            let bytes = &bytes[..bytes.len().min(2000)];
            for first in 0..laws::headers().len() {
                laws::unreal_properties(&[&[first as u8][..], bytes].concat());
            }
        }
    }
}

/// Exports of the same bytes, which no engine makes: a document does not grow with the square.
#[cfg(feature = "serde")]
#[test]
fn shared_bytes_are_printed_once() {
    use gamewire::unreal::{Export, Value};
    let samples = samples::packages();
    let sample = samples.iter().find(|sample| sample.name() == "ue4.07-MyoUtilityBPLibrary.uasset");
    let (sample, mut bytes) = (sample.unwrap(), sample.unwrap().bytes.clone());
    let package = sample.package();
    let (mut exports, mut shared) = (package.exports(), 0);
    let whole = package.exports().flatten().max_by_key(|export| export.serial.size).unwrap();
    let serial = whole.serial;
    loop {
        let at = exports.offset() as usize;
        let Some(export) = exports.next() else { break };
        let mut written = Vec::new();
        let export = Export { serial, ..export.unwrap() };
        export.write(&mut written, package.layout()).unwrap();
        bytes[at..at + written.len()].copy_from_slice(&written);
        shared += 1;
    }
    let len = |bytes: &[u8]| serde_json::to_string(&Package::open(bytes).unwrap()).unwrap().len();
    assert!(shared > 100);
    assert!(len(&bytes) < 2 * len(&sample.bytes));
}

/// What fuzzing starts from: the smaller files, and the bytes of exports. `fuzz/seed` says
/// where it wants them.
#[test]
fn seeds() {
    let wanted = std::env::var_os("GAMEWIRE_SEEDS");
    let write = |target: &str, name: &str, seed: &[u8]| {
        let Some(folder) = wanted.as_ref().map(|folder| Path::new(folder).join(target)) else {
            return;
        };
        fs::create_dir_all(&folder).unwrap();
        fs::write(folder.join(name), seed).unwrap();
    };
    let small = samples::packages().into_iter().filter(|sample| sample.bytes.len() < 1 << 15);
    for sample in small {
        let (name, supplied) = (sample.name(), sample.supplied());
        let first = laws::ENGINES.iter().position(|(major, minor)| {
            Versions::of_engine(*major, *minor) == supplied && supplied.is_some()
        });
        let first = (first.map_or(0, |engine| engine + 1) << 1) as u8;
        let seed = match &sample.exports {
            None => [&[first][..], &sample.bytes].concat(),
            Some(exports) => {
                let len = (sample.bytes.len() as u16).to_le_bytes();
                [&[first | 1], &len[..], &sample.bytes, exports].concat()
            }
        };
        laws::unreal_package(&seed);
        write("unreal_package", &name, &seed);
    }
    for sample in samples::packages() {
        exports(&sample, |name, seed| {
            laws::unreal_properties(seed);
            write("unreal_properties", name, seed);
        });
    }
    for sample in samples::saves() {
        write("unreal_save", &sample.name(), &sample.bytes);
    }
}

/// Those that are small, of packages whose names are those of a header of the laws.
fn exports(sample: &samples::Sample, mut seed: impl FnMut(&str, &[u8])) {
    let header = |header: &laws::Header| sample.bytes.starts_with(&header.header);
    let Some(first) = laws::headers().iter().position(header) else { return };
    let package = sample.package();
    for (index, export) in package.exports().flatten().enumerate() {
        match package.export_bytes(&export) {
            Ok(bytes) if bytes.len() < 4096 && !export.class.is_null() => {
                let name = format!("{}-{index}", sample.name());
                seed(&name, &[&[first as u8][..], bytes].concat());
            }
            _ => {}
        }
    }
}
