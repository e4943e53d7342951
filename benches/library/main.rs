//! Measures how fast gamewire reads Godot's compressed and encrypted files. For comparison, the
//! same data is also decompressed and decrypted by direct calls to the libraries that gamewire
//! uses.
//!
//! ```text
//! cargo bench -p gamewire-benches --bench library --features library
//! ```
//!
//! For each case, this command prints two figures for gamewire and for the library: the number of
//! instructions that callgrind counts, and the throughput in MB/s of the fastest of several runs.
//! It also prints the ratio of the two. It fails if gamewire needs more than 1.1 times as many
//! instructions as the library to read a file. Without valgrind, or in an unoptimised build,
//! nothing is counted and nothing fails.

#[path = "../instructions/callgrind.rs"]
mod callgrind;
mod direct;
#[path = "../../tests/support/net/pcap.rs"]
#[allow(dead_code)]
mod pcap;

use callgrind::{Count, Counter};
use direct::Direct;
use gamewire::compression::Compression;
use gamewire::godot::file::{Compressed, Encrypted, Encryption, Key, compress, encrypt};
use gamewire::transport::enet::{CompressionMode, Datagram, DatagramCodec};
use std::hint::black_box;
use std::io::Result;
use std::process::ExitCode;
use std::time::{Duration, Instant};

/// The state of a game, written by `var_to_bytes`.
const STATE: &[u8] = include_bytes!("../../corpus/bench/state.bin");
/// A file that Godot 4.6.3 wrote.
const ENGINE: &[u8] = include_bytes!("../../corpus/godot-files/4.6.3/compressed_zstd_blocks.dat");
/// A capture with compressed datagrams of Godot 4.6.3.
const CAPTURE: &[u8] = include_bytes!("../../corpus/captures-2/enet_zstd.pcap");
/// The first 4 KiB of [`content`], compressed by the reference encoder of Brotli, because neither
/// Godot nor gamewire can write Brotli.
const BROTLI: &[u8] = include_bytes!("brotli.block");

const KEY: [u8; 32] = [7; 32];
const IV: [u8; 16] = [9; 16];
const CASES: &str = "all";
/// Upper bound on the instructions of gamewire, as a multiple of the instructions of the library.
const TIMES: f64 = 1.1;
const RUNS: usize = 30;

/// A case of the comparison: `ours` reads data with gamewire, and `library` reads the same data by
/// calling another library directly.
struct Case {
    name: &'static str,
    len: usize,
    ours: Box<dyn FnMut()>,
    library: Box<dyn FnMut()>,
}

/// Returns 1 MiB of repetitions of [`STATE`]. Four of every 97 bytes are replaced by a number that
/// is different each time.
fn content() -> Vec<u8> {
    let number = |at: usize| (at as u32 / 97).wrapping_mul(0x9e37_79b9).to_le_bytes()[at % 4];
    let byte = |at: usize| if at % 97 < 4 { number(at) } else { STATE[at % STATE.len()] };
    (0..1 << 20).map(byte).collect()
}

fn cases() -> Vec<Case> {
    let content = content();
    let engine_len = Compressed::open(ENGINE).unwrap().len() as usize;
    let mut cases = Vec::new();
    for (name, compression) in [
        ("deflate", Compression::Deflate),
        ("gzip", Compression::Gzip),
        ("zstd", Compression::Zstd),
    ] {
        let file = compress(&content, compression).unwrap();
        cases.push(compressed(name, file, content.len()));
    }
    cases.push(compressed("zstd, engine's file", ENGINE.to_vec(), engine_len));
    cases.push(datagrams());
    cases.push(compressed("brotli", brotli_file(256), 256 * 4096));
    cases.push(encrypted("encrypted, Godot 4", &content, Encryption::Godot4 { iv: IV }));
    cases.push(encrypted("encrypted, Godot 3", &content, Encryption::Godot3));
    cases
}

/// Returns a file that contains the block [`BROTLI`] `blocks` times.
fn brotli_file(blocks: u32) -> Vec<u8> {
    let mut file = b"GCPF".to_vec();
    for word in [4, 4096, blocks * 4096] {
        file.extend(word.to_le_bytes());
    }
    for _ in 0..blocks {
        file.extend((BROTLI.len() as u32).to_le_bytes());
    }
    let empty = [0x3b];
    file.extend((empty.len() as u32).to_le_bytes());
    (0..blocks).for_each(|_| file.extend(BROTLI));
    file.extend(empty);
    file
}

fn compressed(name: &'static str, file: Vec<u8>, len: usize) -> Case {
    let copy = file.clone();
    let mut direct = Direct::new();
    let ours = move || {
        let mut reader = Compressed::open(black_box(&file)).unwrap().reader();
        let mut total = 0;
        loop {
            match black_box(reader.next_block().unwrap()) {
                [] => break,
                block => total += block.len(),
            }
        }
        assert_eq!(total, len);
    };
    let library = move || {
        let file = Compressed::open(black_box(&copy)).unwrap();
        let mut to = vec![0; 4096];
        let mut total = 0;
        for block in file.blocks() {
            let block = block.unwrap();
            total += direct.decompress(file.compression(), block.bytes, &mut to);
            black_box(&to);
        }
        assert_eq!(total, len);
    };
    Case { name, len, ours: Box::new(ours), library: Box::new(library) }
}

fn datagrams() -> Case {
    let capture = pcap::udp(CAPTURE);
    let datagrams = capture.iter().map(|udp| Datagram::parse(&udp.payload).unwrap());
    let compressed = datagrams.filter(|datagram| datagram.compressed);
    let bodies: Vec<_> = compressed.map(|datagram| datagram.body.to_vec()).collect();
    let copy = bodies.clone();
    let (mut codec, mut direct) = (DatagramCodec::new(), Direct::new());
    let mut decode = move || -> usize {
        let plain =
            |body: &Vec<u8>| codec.decompress(CompressionMode::Zstd, body, 4).unwrap().len();
        black_box(&bodies).iter().map(plain).sum()
    };
    let len = decode();
    let library = move || {
        let mut to = [0; 4092];
        let plain = |body: &Vec<u8>| direct.decompress(Compression::Zstd, body, &mut to);
        assert_eq!(black_box(&copy).iter().map(plain).sum::<usize>(), len);
    };
    let ours = move || assert_eq!(decode(), len);
    Case { name: "zstd, datagrams", len, ours: Box::new(ours), library: Box::new(library) }
}

fn encrypted(name: &'static str, content: &[u8], encryption: Encryption) -> Case {
    let (len, key) = (content.len(), Key::from_bytes(KEY));
    let file = encrypt(content, &key, encryption);
    let copy = file.clone();
    let mut to = vec![0; len];
    let ours = move || {
        let file = Encrypted::open(black_box(&file)).unwrap();
        black_box(file.decrypt_into(&key, &mut to).unwrap());
    };
    let header = copy.len() - len;
    let mut to = vec![0; len];
    let library = move || {
        to.copy_from_slice(&black_box(&copy)[header..]);
        let md5 = direct::decrypt(encryption, &KEY, &mut to);
        assert_eq!(md5[..], copy[if header == 44 { 4 } else { 8 }..][..16]);
    };
    Case { name, len, ours: Box::new(ours), library: Box::new(library) }
}

fn count(counter: &mut Counter) {
    for Case { name, len, mut ours, mut library } in cases() {
        counter.count(name, len, &mut ours);
        counter.count(name, len, &mut library);
    }
}

/// Prints the counts of gamewire and of the library for each case. Returns `true` if gamewire is
/// within the bound [`TIMES`] in all cases.
fn print_counts(counts: &[Count]) -> bool {
    println!("{:20} {:>12} {:>12}  instructions", "", "gamewire", "library");
    let (pairs, _) = counts.as_chunks::<2>();
    let mut good = true;
    for [ours, library] in pairs {
        let times = ours.instructions as f64 / library.instructions as f64;
        let mark = if times > TIMES { "  <--" } else { "" };
        println!(
            "{:20} {:>12} {:>12}  × {times:.3}{mark}",
            ours.name, ours.instructions, library.instructions
        );
        good &= times <= TIMES;
    }
    good
}

fn print_times() {
    println!("\n{:20} {:>12} {:>12}  MB/s, the fastest of {RUNS} runs", "", "gamewire", "library");
    for Case { name, len, mut ours, mut library } in cases() {
        let mut best = [Duration::MAX; 2];
        for _ in 0..RUNS {
            best[0] = best[0].min(time(&mut ours));
            best[1] = best[1].min(time(&mut library));
        }
        let rate = best.map(|best| len as f64 / best.as_secs_f64() / 1e6);
        println!("{name:20} {:>12.0} {:>12.0}  × {:.3}", rate[0], rate[1], rate[1] / rate[0]);
    }
}

fn time(run: &mut dyn FnMut()) -> Duration {
    let start = Instant::now();
    run();
    start.elapsed()
}

fn main() -> Result<ExitCode> {
    if let Some((_, mut counter)) = callgrind::watched() {
        count(&mut counter);
        return Ok(ExitCode::SUCCESS);
    }
    if cfg!(debug_assertions) {
        println!("unoptimised build: nothing is counted");
        return Ok(ExitCode::SUCCESS);
    }
    let good = match callgrind::watch(CASES)? {
        Some(counts) => print_counts(&counts),
        None => {
            println!("valgrind is not installed: nothing is counted");
            true
        }
    };
    print_times();
    Ok(if good { ExitCode::SUCCESS } else { ExitCode::FAILURE })
}
