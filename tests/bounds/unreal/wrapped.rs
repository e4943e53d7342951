//! Tests the bounds of wrapped saves.

use crate::measure::{
    Entry, Family, Memory, SMALL_INPUT, Work, consume, shape, without_allocation,
};
use crate::support::unreal::wrapped::wrap;
use gamewire::unreal::wrapper::{Options, Unwrapped, is_wrapped, unwrap};
use miniz_oxide::deflate::compress_to_vec_zlib;

/// Limit on the size of the data in each layer, set by the caller.
const LIMIT: usize = 128 << 10;

fn options() -> Options {
    let mut options = Options::default();
    (options.limit, options.prefixes) = (LIMIT, true);
    options
}

fn opened(file: &[u8]) -> Option<Unwrapped> {
    unwrap(file, &options()).ok().flatten()
}

fn family() -> Family {
    let limited = |name, bytes, run| Entry {
        // Two layers, one of which can double its memory while it grows, and the tables of a
        // compressor.
        memory: Memory::PerByte(bytes, 3 * LIMIT + (400 << 10)),
        work: Work::AtMost(400_000.0),
        ..without_allocation(name, run)
    };
    let entries = vec![
        Entry {
            memory: Memory::PerByte(0, 64 << 10),
            ..without_allocation("wrapper::is_wrapped", |file| {
                consume(is_wrapped(file, &options()));
            })
        },
        limited("wrapper::unwrap", 2, |file| consume(opened(file).is_some())),
        limited("Wrapping::rewrap", 8, |file| {
            let Some(Unwrapped { wrapping, mut bytes }) = opened(file) else { return };
            consume(wrapping.rewrap(&bytes, file).is_ok());
            if let Some(last) = bytes.last_mut() {
                *last ^= 1;
            }
            consume(wrapping.rewrap(&bytes, file).is_ok());
        }),
        limited("Wrapping::find_compressors", 8, |file| {
            let Some(mut unwrapped) = opened(file) else { return };
            consume(unwrapped.wrapping.find_compressors(file));
        }),
    ];
    let save = |len: usize| {
        let head = b"GVAS\x02\0\0\0\x0A\x02\0\0\x04\0\x1B\0\x02\0\0\0\0\0\0\0\0\0";
        [&head[..], &vec![7; len]].concat()
    };
    let noise = move |len: usize| {
        let mut state = 1u32;
        let noise = (0..len).map(|_| {
            state = state.wrapping_mul(1_664_525).wrapping_add(1_013_904_223);
            (state >> 24) as u8
        });
        [save(0), noise.collect()].concat()
    };
    let shapes = vec![
        shape("data larger than the limit", move |size| compress_to_vec_zlib(&save(900 * size), 9)),
        shape("twice", move |size| wrap("PlZ2", &noise(size))),
        shape("many containers", move |size| wrap("containers in a row", &noise(size))),
        shape("empty containers", |size| {
            let one = [0x9E2A_83C1u64, 1, 0, 0].map(u64::to_le_bytes);
            one.as_flattened().repeat(size / 32)
        }),
        shape("streams in streams", move |size| {
            (0..6).fold(noise(size), |file, _| compress_to_vec_zlib(&file, 1))
        }),
        shape("a header", move |size| [&[1; 255][..], &noise(size)].concat()),
        shape("a header that is none", |size| b"GVAX".repeat(size / 4)),
    ];
    Family { entries, shapes, max_instructions_per_byte: 400_000.0, small_input: 4 * SMALL_INPUT }
}

#[test]
fn wrapped_work() {
    family().assert_work("unreal::wrapped::wrapped_work");
}

#[test]
fn wrapped_memory() {
    family().assert_memory();
}
