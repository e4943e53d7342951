//! Compares the crate's readers of packages, properties and saves with an oracle, on engine files
//! and on transformed and damaged files.

use crate::support::damage;
use crate::support::random::Random;
use crate::support::unreal::compare::{self, Same};
use crate::support::unreal::samples::{self, Sample};
use crate::support::unreal::tally::Tally;
use crate::support::unreal::transform::Described;

/// Compares every package of the corpus.
#[test]
fn packages() {
    let mut tally = Tally::default();
    for sample in samples::packages() {
        let exports = sample.exports.as_deref();
        let same = compare::package(&sample.bytes, exports, sample.supplied());
        tally.add(|| sample.name(), same);
    }
    assert_eq!(tally.opened, tally.files);
}

/// Compares the properties of every export of the corpus.
#[test]
fn properties() {
    let mut tally = Tally::default();
    for sample in samples::packages() {
        let exports = sample.exports.as_deref();
        let same = compare::objects(&sample.bytes, exports, sample.supplied());
        tally.add(|| sample.name(), same);
    }
}

fn described(sample: &Sample) -> Described {
    let engine = sample.supplied().map(|versions| (versions.ue4.into(), versions.ue5.into()));
    Described::new(&sample.bytes, engine)
}

/// Transformed: compares the tables of every package in the other byte order.
#[test]
fn transformed() {
    let mut tally = Tally::default();
    for sample in samples::packages() {
        let (described, exports) = (described(&sample), sample.exports.as_deref());
        let same = compare::package(&described.swapped(), exports, sample.supplied());
        tally.add(|| format!("{} swapped", sample.name()), same);
    }
    assert_eq!(tally.opened, tally.files);
}

/// Compares packages with random damage, half of the time only in the first 1000 bytes.
#[test]
#[ignore = "slow"]
fn damaged() {
    let (mut tally, mut random) = (Tally::default(), Random::new(0x0AC1E));
    let all = samples::packages();
    for sample in all.iter().filter(|sample| sample.bytes.len() < 1 << 15) {
        for round in 0..60 {
            let mut header = sample.bytes.clone();
            let end = if round % 2 == 0 { header.len() } else { 1000.min(header.len()) };
            let tail = header.split_off(end);
            let mut header = damage::damaged(&header, &tail, &mut random);
            header.extend(tail);
            let same = compare::package(&header, sample.exports.as_deref(), sample.supplied());
            tally.add(|| format!("{} {round}", sample.name()), same);
        }
    }
    assert!(tally.opened * 3 > tally.files);
}

/// Compares exports with damaged bytes.
#[test]
#[ignore = "slow"]
fn damaged_properties() {
    let (mut tally, mut random) = (Tally::default(), Random::new(0x0AC1E));
    let all = samples::packages();
    for sample in all.iter().filter(|sample| sample.bytes.len() < 1 << 15) {
        let end = sample.package().summary().header_size() as usize;
        for round in 0..60 {
            let (mut header, mut exports) = (sample.bytes.clone(), sample.exports.clone());
            match &mut exports {
                Some(exports) => *exports = damage::damaged(exports, &header, &mut random),
                None => {
                    let tail = header.split_off(end);
                    header.extend(damage::damaged(&tail, &header, &mut random));
                }
            }
            let same = compare::objects(&header, exports.as_deref(), sample.supplied());
            tally.add(|| format!("{} {round}", sample.name()), same);
        }
    }
}

/// Compares saves without damage, and saves with random damage.
#[test]
fn saves() {
    let (mut tally, mut random) = (Tally::default(), Random::new(0x0AC1E));
    let all = samples::saves();
    for sample in &all {
        tally.add(|| sample.name(), compare::save(&sample.bytes));
    }
    assert_eq!(tally.opened, all.len());
    for sample in &all {
        for round in 0..1000 {
            let other = &random.one_of(&[&all[0], &all[all.len() - 1]]).bytes;
            let bytes = damage::damaged(&sample.bytes, other, &mut random);
            tally.add(|| format!("{} {round}", sample.name()), compare::save(&bytes));
        }
    }
}

/// Compares saves that state a version other than their own. Both readers must read the same
/// values, although these are meaningless.
#[test]
fn saves_of_other_versions() {
    let mut tally = Tally::default();
    for sample in samples::saves() {
        for ue4 in VERSIONS_4 {
            tally.add(|| format!("{} {ue4}", sample.name()), save_as(&sample.bytes, ue4, None));
        }
        for ue5 in 1000..=1019 {
            let same = save_as(&sample.bytes, 522, Some(ue5));
            tally.add(|| format!("{} {ue5}", sample.name()), same);
        }
    }
}

fn save_as(file: &[u8], ue4: i32, ue5: Option<i32>) -> Same {
    let version = if ue5.is_some() { 3 } else { 2 };
    let mut bytes = [&b"GVAS"[..], &i32::to_le_bytes(version), &ue4.to_le_bytes()].concat();
    bytes.extend(ue5.iter().flat_map(|ue5| ue5.to_le_bytes()));
    let rest = if file[4] >= 3 { 16 } else { 12 };
    bytes.extend(&file[rest..]);
    compare::save(&bytes)
}

const VERSIONS_4: [i32; 27] = [
    213, 214, 224, 268, 278, 282, 316, 319, 326, 329, 336, 365, 384, 444, 459, 485, 504, 507, 508,
    510, 511, 514, 516, 518, 520, 522, 523,
];
