//! Compares the range coder with its oracle.

use crate::laws;
use crate::support::corpus;
use crate::support::net::range_coder as oracle;
use crate::support::random::Random;
use gamewire::transport::enet::RangeCoder;

/// Outputs of the reference coder in hex, each with the bytes that it encodes.
const VECTORS: [(&str, &[u8]); 6] = [
    ("619e619e", b"a"),
    ("00ff00ff", b"\0"),
    ("68fbe0c33d70a617f8bc911698", b"hello world"),
    ("6202df74d8204cda0e4bd34e50493f", b"abracadabra abracadabra"),
    ("0103e833690f77", &[0; 32]),
    ("02fc0832ffaec63ecd", b"\x01\xff\0\x01\0\0\0\xff"),
];

#[test]
fn reference_vectors_are_encoded_and_decoded() {
    let mut coder = RangeCoder::new();
    let mut memory = [0; 64];
    for (hex, plain) in VECTORS {
        let coded = corpus::unhex(hex);
        assert_eq!(coder.decode(&coded, &mut memory).unwrap(), plain);
        assert_eq!(coder.encode(plain, &mut memory).unwrap(), coded);
        assert_eq!(oracle::decode(&coded, 64).unwrap(), plain);
        assert_eq!(oracle::encode(plain).0, coded);
    }
}

/// Returns random bytes with few or many different values, and with repeated parts.
fn generated_bytes(random: &mut Random, len: usize) -> Vec<u8> {
    let values = random.one_of(&[2, 5, 30, 90, 256]);
    let repeats = random.below(4);
    let mut bytes: Vec<u8> = Vec::with_capacity(len);
    while bytes.len() < len {
        match bytes.len().checked_sub(1 + random.below(40)) {
            Some(from) if random.below(4) < repeats => {
                bytes.extend_from_within(from..bytes.len().min(from + 1 + random.below(40)));
            }
            _ => bytes.push(random.below(values) as u8),
        }
    }
    bytes.truncate(len);
    bytes
}

#[test]
#[ignore = "slow"]
fn generated_data_round_trips() {
    let mut random = Random(1);
    let mut resets = 0;
    for _ in 0..40 {
        let len = random.one_of(&[1, 2, 3, 20, 300, 1400, 4092]);
        let plain = generated_bytes(&mut random, len);
        laws::enet_range_coder(&plain);
        let (coded, dropped) = oracle::encode(&plain);
        assert_eq!(oracle::decode(&coded, 4092).unwrap(), plain);
        resets += dropped;
    }
    for _ in 0..3 {
        let noise: Vec<u8> = (0..4092).map(|_| random.next() as u8).collect();
        laws::enet_range_coder(&noise);
        resets += oracle::encode(&noise).1;
    }
    assert!(resets > 3, "{resets} times all contexts dropped");
    // These inputs have few different bytes, so the counts of these bytes grow until they are
    // halved.
    laws::enet_range_coder(&[7; 4092]);
    laws::enet_range_coder(&b"ab".repeat(2000));
}

/// `value` follows each of the 255 other byte values once, so a longer context never predicts it.
/// Its count in the root context grows until all counts there are halved. The lengths of the inputs
/// include the lengths just before and just after the halving.
#[test]
fn counts_of_the_root_are_halved() {
    for value in [0, 7, 16, 200, 255] {
        let others = (0..=255).filter(|other| *other != value);
        let plain: Vec<u8> = others.flat_map(|other| [other, value]).collect();
        for len in [2 * 83, 2 * 84, 2 * 85, 2 * 86, plain.len()] {
            let (coded, resets) = oracle::encode(&plain[..len]);
            assert_eq!((oracle::decode(&coded, len).unwrap(), resets), (plain[..len].to_vec(), 0));
            laws::enet_range_coder(&plain[..len]);
            let (mut coder, mut memory) = (RangeCoder::default(), [0; 4096]);
            assert_eq!(coder.encode(&plain[..len], &mut memory).unwrap(), coded, "{value} {len}");
            assert_eq!(coder.decode(&coded, &mut memory).unwrap(), &plain[..len], "{value} {len}");
        }
    }
}

/// The `Debug` output omits the learned contexts, which would fill a page.
#[test]
fn debug_output_is_short() {
    assert_eq!(format!("{:?}", RangeCoder::new()), "RangeCoder { .. }");
}

#[test]
#[ignore = "slow"]
fn damaged_streams_agree_with_the_oracle() {
    let mut random = Random(2);
    for len in (0..60).chain([400, 4092]) {
        let noise: Vec<u8> = (0..len).map(|_| random.next() as u8).collect();
        laws::enet_range_coder(&noise);
    }
    for _ in 0..300 {
        let len = 1 + random.below(300);
        let mut coded = oracle::encode(&generated_bytes(&mut random, len)).0;
        for _ in 0..=random.below(3) {
            let at = random.below(coded.len());
            coded[at] = random.next() as u8;
        }
        laws::enet_range_coder(&coded);
        coded.truncate(random.below(coded.len()));
        laws::enet_range_coder(&coded);
    }
}

/// Different values follow `ab` in these inputs. The counts of the context `ab` are halved at a
/// value that this context already contains in the first input, and at a new value in the second
/// input.
#[test]
#[ignore = "slow"]
fn counts_of_two_bytes_are_halved() {
    let up_to_the_limit = |values: usize, times: usize| {
        let value = |at: usize| [b'a', b'b', (at % values) as u8];
        (0..times).flat_map(value).collect::<Vec<u8>>()
    };
    let last = |value| [b'a', b'b', value].repeat(2);
    let again = [up_to_the_limit(256, 32_100), last(1)].concat();
    let another = [up_to_the_limit(255, 31_999), last(255), last(9), last(200)].concat();
    let mut memory = vec![0; 1 << 18];
    for plain in [again, another] {
        let coded = RangeCoder::new().encode(&plain, &mut memory).unwrap().to_vec();
        assert_eq!(coded, oracle::encode(&plain).0);
        assert_eq!(RangeCoder::new().decode(&coded, &mut memory).unwrap(), plain);
    }
}

/// At one point while the coder encodes this input, its interval has a width of exactly 2²⁴, so the
/// first bytes of its two ends differ by one. The coder must not write the first byte yet.
#[test]
fn interval_as_wide_as_its_first_byte() {
    let plain = [2, 6, 4, 6, 6, 5, 4, 4, 3, 7, 7];
    let mut memory = [0; 64];
    let mut coder = RangeCoder::new();
    assert_eq!(coder.encode(&plain, &mut memory).unwrap(), oracle::encode(&plain).0);
}
