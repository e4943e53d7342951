//! Tests archives: every operation in both byte orders, errors, random descriptions, and the
//! examples that read native data of real packages.

mod bits;
mod examples;
mod values;

use crate::laws::unreal::{bits_as, bytes_as, unreal_archive};
use crate::support::random::Random;
use crate::support::unreal::archives::Op;
use gamewire::unreal::ByteOrder;

const ORDERS: [ByteOrder; 2] = [ByteOrder::Little, ByteOrder::Big];

/// Random descriptions read random bytes. The values are then written again, and read back.
#[test]
fn random_descriptions() {
    let mut random = Random::new(0xA4C);
    let mut succeeded = [0; 2];
    for round in 0..6_000 {
        let for_bits = round % 2 == 0;
        let ops: Vec<_> = (0..random.below(12))
            .map(|_| Op::of((random.next() as u32).to_le_bytes(), for_bits))
            .collect();
        // Small numbers are valid counts, lengths and bools.
        let small = random.below(3) > 0;
        let bytes: Vec<u8> = (0..random.below(400))
            .map(|_| match small && random.below(4) > 0 {
                true => 0,
                false if small => random.below(4) as u8,
                false => random.next() as u8,
            })
            .collect();
        let order = ORDERS[random.below(2)];
        let success = match for_bits {
            true => bits_as(&ops, &bytes, random.below(9) as u64, order),
            false => bytes_as(&ops, &bytes, order),
        };
        succeeded[usize::from(for_bits)] += usize::from(success && !ops.is_empty());
    }
    assert!(succeeded.iter().all(|count| *count > 1_000), "{succeeded:?}");
}

/// Checks the law on random bytes, including native data in packages of many versions.
#[test]
fn law_on_random_bytes() {
    let mut random = Random::new(0xB17);
    for _ in 0..3_000 {
        let len = random.below(300);
        let bytes: Vec<u8> =
            (0..len).map(|_| if random.below(2) == 0 { 0 } else { random.next() as u8 }).collect();
        unreal_archive(&bytes);
    }
}
