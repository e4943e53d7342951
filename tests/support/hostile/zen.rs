//! Packages from `IoStore` containers that are expensive to read. The hashes of their names are
//! wrong, which only `verify` notices.

use super::{Shape, shape};

/// The contents of a package.
#[derive(Default)]
struct Parts {
    names: Vec<String>,
    imports: Vec<u64>,
    exports: usize,
    packages: usize,
}

fn put(bytes: &mut Vec<u8>, words: &[u32]) {
    words.iter().for_each(|word| bytes.extend(word.to_le_bytes()));
}

fn put_long(bytes: &mut Vec<u8>, words: &[u64]) {
    words.iter().for_each(|word| bytes.extend(word.to_le_bytes()));
}

fn batch(bytes: &mut Vec<u8>, names: &[String]) {
    put(bytes, &[names.len() as u32, names.iter().map(|name| name.len() as u32).sum()]);
    put_long(bytes, &[0xC164_0000]);
    names.iter().for_each(|_| put_long(bytes, &[0]));
    names.iter().for_each(|name| bytes.extend((name.len() as u16).to_be_bytes()));
    names.iter().for_each(|name| bytes.extend(name.as_bytes()));
}

/// Exports without bytes. Each is the outer of the next one.
fn exports(bytes: &mut Vec<u8>, count: usize) {
    for index in 0..count as u64 {
        let outer = index.checked_sub(1).unwrap_or(u64::MAX);
        put_long(bytes, &[0, 0, 0, outer, index, u64::MAX, u64::MAX, 0, 0]);
    }
}

/// The entries of bundles, in the reverse order of the exports.
fn entries(bytes: &mut Vec<u8>, count: usize) {
    (0..count as u32).rev().for_each(|index| put(bytes, &[index, 1]));
}

/// A package of engine 5.3.
fn newer(parts: &Parts) -> Vec<u8> {
    let mut bytes = Vec::new();
    put(&mut bytes, &[0; 13]);
    batch(&mut bytes, &parts.names);
    put_long(&mut bytes, &[0]);
    let mut offsets = vec![bytes.len()];
    put_long(&mut bytes, &[5; 4]);
    offsets.push(bytes.len());
    put_long(&mut bytes, &parts.imports);
    offsets.push(bytes.len());
    exports(&mut bytes, parts.exports);
    offsets.push(bytes.len());
    entries(&mut bytes, parts.exports);
    offsets.extend([bytes.len(); 3]);
    let packages: Vec<_> = (0..parts.packages).map(|at| format!("/P{at}")).collect();
    batch(&mut bytes, &packages);
    packages.iter().for_each(|_| put(&mut bytes, &[7]));
    let size = bytes.len();
    let words = [0, size, 0, 0, 0x2000, 0].into_iter().chain(offsets);
    for (word, at) in words.zip(0..) {
        bytes[4 * at..4 * at + 4].copy_from_slice(&(word as u32).to_le_bytes());
    }
    bytes
}

/// A package of engine 4.27.
fn older(parts: &Parts) -> Vec<u8> {
    let mut bytes = Vec::new();
    put(&mut bytes, &[0; 16]);
    let start = bytes.len();
    for name in &parts.names {
        bytes.extend((name.len() as u16).to_be_bytes());
        bytes.extend(name.as_bytes());
    }
    let end = bytes.len();
    bytes.resize(end.next_multiple_of(8), 0);
    let hashes = bytes.len();
    put_long(&mut bytes, &[0xC164_0000]);
    parts.names.iter().for_each(|_| put_long(&mut bytes, &[0]));
    let imports = bytes.len();
    put_long(&mut bytes, &parts.imports);
    let first_export = bytes.len();
    exports(&mut bytes, parts.exports);
    let bundles = bytes.len();
    put(&mut bytes, &[0, parts.exports as u32]);
    entries(&mut bytes, parts.exports);
    let graph = bytes.len();
    put(&mut bytes, &[0]);
    let words = [
        [0, 0, 0, 0],
        [0, 0, start, end - start],
        [hashes, imports - hashes, imports, first_export],
        [bundles, graph, 4, 0],
    ];
    for (word, at) in words.into_iter().flatten().zip(0..) {
        bytes[4 * at..4 * at + 4].copy_from_slice(&(word as u32).to_le_bytes());
    }
    bytes
}

fn names(count: usize) -> Vec<String> {
    (0..count.max(1)).map(|at| format!("N{at}")).collect()
}

/// Returns the shapes of expensive packages.
pub fn shapes() -> Vec<Shape> {
    let one = || names(1);
    vec![
        shape("names", |size| newer(&Parts { names: names(size / 16), ..Parts::default() })),
        shape("names of engine 4", |size| {
            older(&Parts { names: names(size / 16), ..Parts::default() })
        }),
        shape("imports of one package", move |size| {
            let imports = vec![2 << 62 | 1; size / 8];
            newer(&Parts { names: one(), imports, packages: 1, ..Parts::default() })
        }),
        shape("imports of many packages", move |size| {
            let last = (size / 40) as u64;
            let imports = vec![2 << 62 | last.saturating_sub(1) << 32; size / 16];
            newer(&Parts { names: one(), imports, packages: size / 40, ..Parts::default() })
        }),
        shape("imports of C++ code", move |size| {
            let imports = vec![1 << 62 | 77; size / 8];
            newer(&Parts { names: one(), imports, ..Parts::default() })
        }),
        shape("exports", move |size| {
            newer(&Parts { names: one(), exports: size / 80, ..Parts::default() })
        }),
        shape("exports of engine 4", move |size| {
            older(&Parts { names: one(), exports: size / 80, ..Parts::default() })
        }),
    ]
}
