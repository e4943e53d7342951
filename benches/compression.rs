//! Compresses and decompresses blocks. Rates are bytes of content per second.
//!
//! ```text
//! cargo bench -p gamewire-benches --bench compression --features compression
//! ```

use criterion::{Criterion, Throughput, criterion_group, criterion_main};
use gamewire::compression::{Compression, Compressor, Decompressor};
use std::hint::black_box;

/// The state of a game, written by `var_to_bytes`.
const STATE: &[u8] = include_bytes!("../corpus/bench/state.bin");

/// Returns three contents, which differ in length. The first is as long as a block of a file that
/// Godot compresses. The second is a byte array below 64 KiB, for which FastLZ has level 1. The
/// third is a larger byte array, for which FastLZ has level 2.
fn contents() -> [(&'static str, Vec<u8>); 3] {
    let large: Vec<u8> = STATE.iter().copied().cycle().take(1 << 20).collect();
    let changing = |len: usize| {
        let number = |at: usize| (at as u32 / 97).wrapping_mul(0x9e37_79b9).to_le_bytes()[at % 4];
        (0..len).map(|at| if at % 97 < 4 { number(at) } else { large[at] }).collect()
    };
    [("4 KiB", changing(4096)), ("60 KiB", changing(60 << 10)), ("1 MiB", changing(1 << 20))]
}

fn blocks(criterion: &mut Criterion) {
    let (mut compressor, mut decompressor) = (Compressor::new(), Decompressor::new());
    for compression in [Compression::FastLz, Compression::Deflate, Compression::Zstd] {
        let mut group = criterion.benchmark_group(compression.to_string());
        for (name, plain) in contents() {
            let mut block = Vec::new();
            compressor.compress(compression, &plain, &mut block).unwrap();
            println!("{compression}, {name}: {} bytes to {}", plain.len(), block.len());
            let mut out = vec![0; plain.len()];
            group.throughput(Throughput::Bytes(plain.len() as u64));
            group.bench_function(format!("decompress/{name}"), |bencher| {
                bencher.iter(|| {
                    let len = decompressor.decompress(compression, black_box(&block), &mut out);
                    assert_eq!(len, Ok(plain.len()));
                });
            });
            group.bench_function(format!("compress/{name}"), |bencher| {
                bencher.iter(|| {
                    block.clear();
                    compressor.compress(compression, black_box(&plain), &mut block).unwrap();
                });
            });
        }
        group.finish();
    }
}

criterion_group!(benches, blocks);
criterion_main!(benches);
