//! Compares gamewire with other crates, on the Unreal packages and saves that they can read, and
//! with a lower bound (see the module `floor` of the library): `peers [--quick] [PART OF A ROW'S
//! NAME ...]`. The first ratio is the peer's time divided by gamewire's, the second is gamewire's
//! time divided by the lower bound.

use gamewire_bench_peers::floor::Step;
use gamewire_bench_peers::interleaved::work;
use gamewire_bench_peers::{Asked, File, corpus, floor, larger, properties, save, tables};
use gvas::GvasFile;
use gvas::game_version::GameVersion;
use std::hint::black_box;
use std::io::Cursor;
use uasset::AssetHeader;
use uesave::Save;
use unreal_asset::Asset;
use unreal_asset::engine_version::EngineVersion;

fn main() {
    let asked = Asked::of_arguments();
    println!(
        "{:46} {:>8} {:>10} {:>10} {:>6}  {:22} of the floor",
        "", "bytes", "ours ns", "theirs ns", "MB/s", "times as fast"
    );
    packages(&asked);
    for file in &corpus("sav") {
        for (elements, times) in [(1, 1), (1, 1000), (1000, 1)] {
            if elements == 1000 && !file.name.contains("Slot1") {
                continue; // no arrays
            }
            let bytes = larger(&file.bytes, elements, times);
            saves(&asked, file, &format!("{} {elements}x{times}", file.name), &bytes);
        }
    }
}

fn packages(asked: &Asked) {
    let packages = corpus("uasset");
    for file in packages.iter().filter(|file| file.is_read_by("uasset ")) {
        let name = format!("tables, uasset: {}", file.name);
        let ours = || tables(&file.bytes);
        let theirs = || AssetHeader::new(Cursor::new(&file.bytes[..])).unwrap();
        let steps = floor::tables(&file.bytes);
        row(asked, &name, (&file.bytes, header_len(file)), ours, theirs, Some(&steps));
    }
    for file in packages.iter().filter(|file| file.is_read_by("unreal_asset")) {
        let name = format!("properties, unreal_asset: {}", file.name);
        let steps = floor::properties(&file.bytes);
        let (ours, theirs) = (|| properties(file), || asset(file));
        row(asked, &name, (&file.bytes, file.len()), ours, theirs, steps.as_deref());
    }
}

fn saves(asked: &Asked, file: &File, name: &str, bytes: &[u8]) {
    let steps = floor::save(bytes);
    let (ours, of) = (|| save(bytes), (bytes, bytes.len()));
    if file.is_read_by("gvas") {
        let read = || GvasFile::read(&mut Cursor::new(bytes), GameVersion::Default).unwrap();
        row(asked, &format!("gvas: {name}"), of, ours, read, Some(&steps));
    }
    if file.is_read_by("uesave") {
        let read = || Save::read(&mut Cursor::new(bytes)).unwrap();
        row(asked, &format!("uesave: {name}"), of, ours, read, Some(&steps));
    }
}

/// Measures and prints a row. `len` is the number of bytes that are read of the file.
fn row<A, B>(
    asked: &Asked,
    name: &str,
    (file, len): (&[u8], usize),
    ours: impl FnMut() -> A,
    theirs: impl FnMut() -> B,
    steps: Option<&[Step]>,
) {
    let mut works = vec![work(ours), work(theirs)];
    works.extend(steps.map(|steps| work(|| floor::run(file, steps))));
    let Some(rotations) = asked.measure(name, &mut works) else { return };
    let (ours, theirs) = (rotations.best(0), rotations.best(1));
    let (faster, rate) = (rotations.ratio(1, 0).to_string(), len as f64 * 1e3 / ours);
    let floor = steps.map(|_| rotations.ratio(0, 2).to_string()).unwrap_or_default();
    println!("{name:46} {len:>8} {ours:>10.0} {theirs:>10.0} {rate:>6.0}  {faster:22} {floor}");
}

/// Returns the length of the header, which ends where the exports begin. Reads nothing after it.
fn header_len(file: &File) -> usize {
    AssetHeader::new(Cursor::new(&file.bytes[..])).unwrap().total_header_size as usize
}

fn asset(file: &File) -> Asset<Cursor<&[u8]>> {
    let engine = match file.engine {
        None => EngineVersion::UNKNOWN,
        Some((5, 1)) => EngineVersion::VER_UE5_1,
        Some(_) => EngineVersion::VER_UE5_2,
    };
    let exports = file.exports.as_deref().map(Cursor::new);
    black_box(Asset::new(Cursor::new(&file.bytes[..]), exports, engine).unwrap())
}
