//! Checks the laws of packages, properties and saves on the corpus and on damaged copies of it.

use crate::laws::unreal as laws;
use crate::support::random::Random;
use crate::support::unreal::{compressed_containers, samples};
use gamewire::unreal::{Package, Save};
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

/// The outer list of a save may end with a form of the name `None` that differs from the form in
/// the lists inside.
#[test]
fn lists_that_end_otherwise() {
    for sample in samples::saves() {
        let none = b"\x05\0\0\0None\0";
        let end = sample.bytes.windows(none.len()).rposition(|bytes| bytes == none).unwrap();
        let behind = &sample.bytes[end + none.len()..];
        for other in [&[0; 4][..], b"\x05\0\0\0nONE\0", b"\xFB\xFF\xFF\xFFN\0O\0n\0e\0\0\0"] {
            let bytes = [&sample.bytes[..end], other, behind].concat();
            laws::unreal_save(&bytes);
            let save = Save::open(&bytes).unwrap();
            assert_eq!(save.trailer().unwrap().1, behind);
        }
    }
}

/// Checks the laws on truncated files.
#[test]
#[ignore = "slow"]
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

/// Checks the laws on files with random changes.
#[test]
#[ignore = "slow"]
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

/// Checks the laws on exports that are read with the tables of other packages.
#[test]
#[ignore = "slow"]
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

/// If exports share their bytes, the size of the serialized package does not grow quadratically.
/// Engines never write such packages.
#[cfg(feature = "serde")]
#[test]
fn shared_bytes_are_printed_once() {
    use gamewire::unreal::Value;
    use gamewire::unreal::tables::Export;
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

fn files(sample: &samples::Sample) -> laws::Files<'_> {
    laws::Files { header: &sample.bytes, exports: sample.exports.as_deref() }
}

/// Generates the seeds for fuzzing: the smaller files, and the bytes of exports. Writes the seeds
/// to the directory in the variable `GAMEWIRE_SEEDS`, which `fuzz/seed` sets.
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
    for (number, sample) in (0..).zip(small) {
        let (name, files) = (sample.name(), files(&sample));
        let seed = laws::frame(files, sample.supplied());
        laws::unreal_package(&seed);
        write("unreal_package", &name, &seed);
        // The seeds have different steps, so that each step occurs in some seed.
        let step = |step: u8| [7 * number + step, step, 1, 2];
        let seed = [&[5][..], (0..5).map(step).collect::<Vec<_>>().as_flattened(), &seed].concat();
        laws::unreal_edit(&seed);
        write("unreal_edit", &name, &seed);
    }
    for sample in samples::packages() {
        exports(&sample, |name, seed| {
            laws::unreal_properties(seed);
            write("unreal_properties", name, seed);
        });
    }
    for sample in samples::saves() {
        write("unreal_save", &sample.name(), &sample.bytes);
        #[cfg(feature = "serde")]
        {
            let document = serde_json::to_vec(&Save::open(&sample.bytes).unwrap()).unwrap();
            laws::unreal_document(&document);
            write("unreal_document", &format!("{}.json", sample.name()), &document);
            write("unreal_document", &sample.name(), &sample.bytes);
        }
    }
    bulk(|name, seed| {
        laws::unreal_bulk(seed);
        write("unreal_bulk", name, seed);
    });
    #[cfg(feature = "unreal-compression")]
    compressed(|name, seed| {
        laws::unreal_compressed(seed);
        write("unreal_compressed", name, seed);
    });
    #[cfg(all(feature = "alloc", feature = "unreal-compression"))]
    wrapped(|name, seed| {
        laws::unreal_wrapped(seed);
        write("unreal_wrapped", name, seed);
    });
}

/// Generates seeds with a save in every wrapper, a save after an unknown header, and a save in an
/// Oodle stream.
#[cfg(all(feature = "alloc", feature = "unreal-compression"))]
fn wrapped(mut seed: impl FnMut(&str, &[u8])) {
    use crate::support::unreal::wrapped::{WRAPPERS, wrap};
    let small = samples::saves().into_iter().min_by_key(|save| save.bytes.len()).unwrap();
    for wrapper in WRAPPERS {
        let file = wrap(wrapper, &small.bytes);
        for first in [0, 3, 6] {
            seed(&format!("{wrapper}-{first}"), &[&[first][..], &file].concat());
        }
    }
    let header = [&[1; 12][..], &small.bytes].concat();
    seed("prefix", &[&[2][..], &header].concat());
    let stream = [&b"\x8C\x06"[..], &small.bytes[..100]].concat();
    let sizes = [300, stream.len() as u32].map(u32::to_le_bytes);
    let palworld = [sizes.as_flattened(), b"PlM1", &stream].concat();
    seed("oodle", &[&[4][..], &palworld].concat());
}

/// Generates seeds with headers of bulk data in every form, after packages with and without a table
/// of data resources. Also generates a seed with the end of the texture.
fn bulk(mut seed: impl FnMut(&str, &[u8])) {
    let texture = samples::packages();
    let texture = texture.iter().find(|sample| sample.name().contains("T_Streaming")).unwrap();
    let exports = texture.exports.as_deref().unwrap();
    seed("texture", &[&[0, 30][..], &exports[200..1500]].concat());
    for flags in [
        0u32, 0x40, 0x2040, 0x8040, 1, 0x1_0001, 0x101, 0x1_0101, 0x901, 0x1901, 0x2_0101, 0x2101,
        0x4101, 0x1_4901, 0x20, 0x42, 0x103, 0x1_0111, 0x6101,
    ] {
        let wide = |size: u32| match flags & 0x2000 {
            0 => size.to_le_bytes().to_vec(),
            _ => u64::from(size).to_le_bytes().to_vec(),
        };
        let mut bytes =
            [&flags.to_le_bytes()[..], &wide(8), &wide(8), &4i64.to_le_bytes()].concat();
        if flags & 0x8000 != 0 {
            bytes.extend([1, 2]);
        }
        if flags & 0x4000 != 0 {
            bytes.extend([&flags.to_le_bytes()[..], &wide(8), &2i64.to_le_bytes()].concat());
        }
        bytes.extend(0..120);
        for first in [1, 2, 40] {
            seed(&format!("{flags:x}-{first}"), &[&[first, 200][..], &bytes].concat());
        }
    }
}

/// Generates seeds with containers of both versions, in both byte orders, with known and unknown
/// methods; and seeds with packages of such containers.
#[cfg(feature = "unreal-compression")]
fn compressed(mut seed: impl FnMut(&str, &[u8])) {
    use compressed_containers::{Form, PLAIN, in_chunks};
    use miniz_oxide::deflate::compress_to_vec_zlib;
    let data: Vec<u8> = (0..600u32).map(|n| (n * n / 7) as u8).collect();
    let zlib = |data: &[u8]| compress_to_vec_zlib(data, 6);
    let stored = |data: &[u8]| data.to_vec();
    for (name, first, form) in [
        ("zlib", 0, PLAIN),
        ("big", 0, Form { big: true, ..PLAIN }),
        ("narrow", 0, Form { wide: false, ..PLAIN }),
        ("second", 0, Form { method: Some(&[3]), ..PLAIN }),
    ] {
        seed(name, &[&[first][..], &form.compressed(&data, 256, zlib)].concat());
    }
    for (name, first, form) in [
        ("stored", 0, Form { method: Some(&[1]), ..PLAIN }),
        ("oodle", 4, Form { method: Some(&[2]), ..PLAIN }),
        ("named", 4, Form { method: Some(b"\0\x05\0\0\0Zlib\0"), ..PLAIN }),
        ("context", 2, PLAIN),
        ("repeated", 15, Form { big: true, ..PLAIN }),
    ] {
        seed(name, &[&[first][..], &form.compressed(&data, 256, stored)].concat());
    }
    for sample in samples::packages() {
        if sample.exports.is_some() || sample.supplied().is_some() || sample.bytes.len() > 1 << 14 {
            continue;
        }
        let (form, name) = (Form { method: Some(&[1]), ..PLAIN }, sample.name());
        for sizes in [&[][..], &[1000, 0, 3000]] {
            let by = |with: &dyn Fn(&[u8]) -> Vec<u8>| in_chunks(&sample.bytes, sizes, with);
            let packed = by(&|data| PLAIN.compressed(data, 1024, zlib));
            seed(&format!("{name}-{}", sizes.len()), &[&[0][..], &packed].concat());
            let packed = by(&|data| form.compressed(data, 4096, stored));
            seed(&format!("{name}-{}-stored", sizes.len()), &[&[0][..], &packed].concat());
        }
    }
}

/// Generates seeds with small exports of packages whose header is one of [`laws::headers`].
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
