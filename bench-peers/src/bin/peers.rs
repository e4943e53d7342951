//! Compares gamewire with other crates, on the Unreal packages and saves that they can read.

use gamewire_bench_peers::{File, best, corpus, larger, properties, save, tables};
use gvas::GvasFile;
use gvas::game_version::GameVersion;
use std::hint::black_box;
use std::io::Cursor;
use std::time::Duration;
use uasset::AssetHeader;
use uesave::Save;
use unreal_asset::Asset;
use unreal_asset::engine_version::EngineVersion;

fn main() {
    println!(
        "{:46} {:>8} {:>10} {:>10} {:>7} {:>7}",
        "", "bytes", "ours ns", "theirs ns", "ratio", "MB/s"
    );
    for file in &corpus("uasset") {
        if file.is_read_by("uasset ") {
            let name = format!("tables, uasset: {}", file.name);
            row(
                &name,
                header_len(file),
                || tables(&file.bytes),
                || AssetHeader::new(Cursor::new(&file.bytes[..])).unwrap(),
            );
        }
    }
    for file in &corpus("uasset") {
        if file.is_read_by("unreal_asset") {
            let name = format!("properties, unreal_asset: {}", file.name);
            row(&name, file.len(), || properties(file), || asset(file));
        }
    }
    for file in &corpus("sav") {
        for (elements, times) in [(1, 1), (1, 1000), (1000, 1)] {
            if elements == 1000 && !file.name.contains("Slot1") {
                continue; // no arrays
            }
            let bytes = larger(&file.bytes, elements, times);
            let name = format!("{} {elements}x{times}", file.name);
            if file.is_read_by("gvas") {
                row(
                    &format!("gvas: {name}"),
                    bytes.len(),
                    || save(&bytes),
                    || GvasFile::read(&mut Cursor::new(&bytes[..]), GameVersion::Default).unwrap(),
                );
            }
            if file.is_read_by("uesave") {
                row(
                    &format!("uesave: {name}"),
                    bytes.len(),
                    || save(&bytes),
                    || Save::read(&mut Cursor::new(&bytes[..])).unwrap(),
                );
            }
        }
    }
}

fn row<A, B>(name: &str, len: usize, ours: impl FnMut() -> A, theirs: impl FnMut() -> B) {
    let (ours, theirs) = (best(ours), best(theirs));
    let ns = |time: Duration| time.as_nanos() as f64;
    let (ratio, rate) = (ns(theirs) / ns(ours), len as f64 * 1e3 / ns(ours));
    println!(
        "{name:46} {len:>8} {:>10} {:>10} {ratio:>6.1}x {rate:>7.0}",
        ours.as_nanos(),
        theirs.as_nanos()
    );
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
