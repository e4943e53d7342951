//! The laws of mappings and of properties without tags, on generated, damaged and truncated input.

use super::values::file;
use crate::laws::unreal as laws;
use crate::support::random::Random;
use crate::support::unreal::unversioned::{Made, VERSIONS};

fn damage(random: &mut Random, bytes: &mut Vec<u8>) {
    for _ in 0..=random.below(6) {
        if bytes.is_empty() {
            return;
        }
        let (at, any) = (random.below(bytes.len()), random.next() as u8);
        bytes[at] = random.one_of(&[0, 1, 2, 8, 9, 24, 0x7F, 0x80, 0xFF, any]);
    }
    if random.below(4) == 0 {
        bytes.truncate(random.below(bytes.len()));
    }
}

/// Mappings with damaged and missing bytes.
#[test]
fn laws_hold_for_mappings() {
    let mut random = Random::new(3);
    for name in ["tiny.v0.usmap", "tiny.v2.usmap", "tiny.v3zstd.usmap", "tiny.v4.usmap"] {
        let bytes = file(name);
        laws::unreal_mappings(&bytes);
        for end in 0..bytes.len() {
            laws::unreal_mappings(&bytes[..end]);
        }
        for _ in 0..2000 {
            let mut bytes = bytes.clone();
            damage(&mut random, &mut bytes);
            laws::unreal_mappings(&bytes);
            laws::unreal_mappings(&bytes[12.min(bytes.len())..]);
        }
    }
    for seed in 0..200 {
        let mut bytes = Made::new(seed).mappings;
        laws::unreal_mappings(&bytes);
        damage(&mut random, &mut bytes);
        laws::unreal_mappings(&bytes);
    }
}

/// Exports with damaged and missing bytes, and exports that are read with the wrong mappings.
#[test]
fn laws_hold_for_exports() {
    let mut random = Random::new(4);
    for seed in 0..16 {
        let made = Made::new(seed);
        let version = VERSIONS.iter().position(|of| *of == (made.versions.ue4, made.versions.ue5));
        let with = |mappings: u64, bytes: &[u8]| {
            let first = [version.unwrap() as u8, mappings as u8];
            laws::unreal_unversioned(&[&first[..], bytes].concat());
        };
        with(seed, &made.export);
        for end in (0..made.export.len()).rev().take(40) {
            with(seed, &made.export[..end]);
        }
        for _ in 0..20 {
            let mut bytes = made.export.clone();
            damage(&mut random, &mut bytes);
            with(seed, &bytes);
            with(random.next() % 64, &bytes);
        }
    }
}

/// Generates the seeds for fuzzing, like the test `seeds` of the other laws.
#[test]
fn seeds() {
    let wanted = std::env::var_os("GAMEWIRE_SEEDS").map(std::path::PathBuf::from);
    let write = |target: &str, name: &str, seed: &[u8]| {
        let Some(folder) = wanted.as_ref().map(|folder| folder.join(target)) else { return };
        std::fs::create_dir_all(&folder).unwrap();
        std::fs::write(folder.join(name), seed).unwrap();
    };
    for name in ["tiny.v0.usmap", "tiny.v2.usmap", "tiny.v4.usmap"] {
        write("unreal_mappings", name, &file(name));
    }
    for seed in 0..16u8 {
        let made = Made::new(seed.into());
        let version = VERSIONS.iter().position(|of| *of == (made.versions.ue4, made.versions.ue5));
        let first = [version.unwrap() as u8, seed];
        write("unreal_unversioned", &seed.to_string(), &[&first[..], &made.export].concat());
        write("unreal_mappings", &seed.to_string(), &made.mappings);
    }
}
