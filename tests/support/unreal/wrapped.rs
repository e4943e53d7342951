//! Puts saves into the wrappers of games. This code was written from the description of each
//! wrapper, and is independent of the library.

use super::compressed_containers::{Form, PLAIN};
use miniz_oxide::deflate::compress_to_vec_zlib;

/// The wrappers, by their names.
pub const WRAPPERS: [&str; 25] = [
    "zlib",
    "zlib level 1",
    "size",
    "size and zlib",
    "SAVE",
    "Astroneer",
    "Days Gone",
    "PlZ0",
    "PlZ1",
    "PlZ2",
    "CNK at 8, PlZ1",
    "CNK at 0, PlZ2",
    "magic",
    "container 1",
    "container 2",
    "container 3",
    "container big-endian",
    "container LZ4",
    "container stored",
    "container named",
    "containers in a row",
    "containers in a row, with the size",
    "container in zlib",
    "PlZ1 in CNK in zlib",
    "rest",
];

fn zlib(data: &[u8]) -> Vec<u8> {
    compress_to_vec_zlib(data, 6)
}

fn word(size: usize) -> [u8; 4] {
    (size as u32).to_le_bytes()
}

fn stored(data: &[u8]) -> Vec<u8> {
    data.to_vec()
}

/// Returns an LZ4 block in its simplest form, which consists only of literals.
fn lz4(data: &[u8]) -> Vec<u8> {
    let mut bytes = Vec::new();
    match data.len() {
        len @ ..15 => bytes.push((len as u8) << 4),
        len => {
            bytes.push(0xF0);
            bytes.extend(vec![255; (len - 15) / 255]);
            bytes.push(((len - 15) % 255) as u8);
        }
    }
    [&bytes, data].concat()
}

fn palworld(digit: u8, save: &[u8]) -> Vec<u8> {
    let once = if digit == b'0' { save.to_vec() } else { zlib(save) };
    let data = if digit == b'2' { zlib(&once) } else { once.clone() };
    [&word(save.len())[..], &word(once.len()), b"PlZ", &[digit], &data].concat()
}

/// Splits the data into parts of `part` bytes, and returns one container for each part. The last
/// part can be shorter.
fn in_a_row(data: &[u8], part: usize) -> Vec<u8> {
    data.chunks(part).flat_map(|part| PLAIN.compressed(part, 0x2_0000, zlib)).collect()
}

/// Puts a wrapper around a save.
pub fn wrap(wrapper: &str, save: &[u8]) -> Vec<u8> {
    let (size, packed) = (word(save.len()), zlib(save));
    let v2 = |method| Form { method: Some(method), ..PLAIN };
    match wrapper {
        "zlib" => packed,
        "zlib level 1" => compress_to_vec_zlib(save, 1),
        "size" => [&size, save].concat(),
        "size and zlib" => [&size[..], &packed].concat(),
        "SAVE" => [b"SAVE\x01\0\0\0", &size[..], &packed].concat(),
        "Astroneer" => {
            [&b"\xBE\x40\x37\x4A\xEE\x0B\x74\xA3\x01\0\0\0"[..], &size, &packed].concat()
        }
        "Days Gone" => [b"pmOc", &size[..], &PLAIN.compressed(save, 1000, zlib)].concat(),
        "PlZ0" => palworld(b'0', save),
        "PlZ1" => palworld(b'1', save),
        "PlZ2" => palworld(b'2', save),
        "CNK at 8, PlZ1" => {
            let inner = palworld(b'1', save);
            [&size[..], &inner[4..8], b"CNK0", &inner].concat()
        }
        "CNK at 0, PlZ2" => [&b"CNK\x07abcdefgh"[..], &palworld(b'2', save)].concat(),
        "magic" => [b"SAVE", &save[4..]].concat(),
        "container 1" => PLAIN.compressed(save, 0x2_0000, zlib),
        "container 2" => v2(&[3]).compressed(save, 1000, zlib),
        "container 3" => Form { wide: false, ..PLAIN }.compressed(save, 0x2_0000, zlib),
        "container big-endian" => Form { big: true, ..PLAIN }.compressed(save, 500, zlib),
        "container LZ4" => v2(&[5]).compressed(save, 1000, lz4),
        "container stored" => v2(&[1]).compressed(save, 1000, stored),
        "container named" => v2(b"\0\x05\0\0\0Zlib\0").compressed(save, 1000, zlib),
        "containers in a row" => in_a_row(save, 100),
        "containers in a row, with the size" => in_a_row(&[&size, save].concat(), 1000),
        "container in zlib" => zlib(&PLAIN.compressed(save, 1000, zlib)),
        "PlZ1 in CNK in zlib" => zlib(&wrap("CNK at 8, PlZ1", save)),
        "rest" => [&palworld(b'1', save), &b"after"[..]].concat(),
        other => panic!("{other}"),
    }
}
