//! Runs the laws on the corpus, on damaged copies of it, and on packets generated from the table of
//! types.

#[allow(dead_code, unused_imports)]
#[path = "laws"]
mod laws {
    pub mod godot;

    pub use godot::*;
}
#[allow(dead_code, unused_imports)]
#[path = "support"]
mod support {
    pub mod corpus;
    pub mod damage;
    pub mod fields;
    pub mod godot;
    pub mod native_json;
    pub mod random;
    pub mod strict_json;
}

use crate::support::corpus;
use crate::support::godot::values;
use crate::support::random::Random;
use gamewire::godot::{Dialect, Encoded, Error, Kind, Reader, Writer};
use std::thread;

/// Calls `law` with each packet of the corpus that has at most `largest` bytes. The calls run on a
/// stack that suffices for values with 1,024 levels in an unoptimised build.
fn on_files(largest: usize, law: impl Fn(&str, &[u8], Dialect) + Send + Sync + 'static) {
    deep(move || {
        for (folder, dialect) in corpus::WRITTEN.into_iter().chain([corpus::HOSTILE]) {
            let packets = corpus::packets(folder).into_iter();
            for (name, bytes) in packets.filter(|(_, bytes)| bytes.len() <= largest) {
                law(&format!("{folder}/{name}"), &bytes, dialect);
            }
        }
    });
}

fn deep(run: impl FnOnce() + Send + 'static) {
    let thread = thread::Builder::new().stack_size(64 << 20).spawn(run).unwrap();
    if let Err(panic) = thread.join() {
        std::panic::resume_unwind(panic);
    }
}

/// Returns a random packet of `kind`, which is valid in about half of all cases. The function knows
/// the layouts only of containers. For other types, and at depth 0, it appends random words to the
/// header, and removes the bytes after the first valid value.
fn packet(random: &mut Random, dialect: Dialect, kind: Kind, depth: usize) -> Vec<u8> {
    let Some(id) = dialect.id(kind) else { return Vec::new() };
    let flags = random.one_of(&[0, 0, 0, 0, 0, 1 << 16, 1 << 16, 2 << 16, 5 << 16, 0x100]);
    let mut bytes = (u32::from(id) | flags).to_le_bytes().to_vec();
    if matches!(kind, Kind::Array | Kind::Dictionary | Kind::Object) && depth > 0 {
        if flags & (3 << 16) != 0 || kind == Kind::Object {
            bytes.extend(random.one_of(&[b"\x02\0\0\0", b"\x01\0\0\0"]));
            bytes.extend(random.one_of(&[b"A\0\0\0".as_slice(), b"", b"", b"\0\0\0\0"]));
        }
        let count = random.below(4);
        bytes.extend((count as u32 | random.one_of(&[0, 0, 0, 1 << 31])).to_le_bytes());
        for _ in 0..if kind == Kind::Dictionary { 2 * count } else { count } {
            if kind == Kind::Object {
                bytes.extend(b"\x01\0\0\0p\0\0\0");
            }
            let kind = random.one_of(Kind::ALL);
            bytes.extend(packet(random, dialect, kind, depth - 1));
        }
        return bytes;
    }
    for _ in 0..40 {
        bytes.extend(word(random).to_le_bytes());
    }
    let mut reader = Reader::new(&bytes, dialect);
    if reader.skip().is_ok() {
        bytes.truncate(reader.range().end);
    }
    bytes
}

fn word(random: &mut Random) -> u32 {
    match random.below(16) {
        0..8 => random.below(5) as u32,
        8 => random.one_of(&[u32::MAX, i32::MAX as u32, 1 << 31, 0x7F80_0001, 0x3F80_0000]),
        9 => random
            .one_of(&[*b"\xEF\xBB\xBFa", *b"a\0b\0", *b"\xFF\xFE\0a", *b"\xED\xA0\x80a"])
            .map(u32::from)
            .iter()
            .rev()
            .fold(0, |word, byte| word << 8 | byte),
        10 => (1 << 31) | random.below(3) as u32,
        11 => random.next() as u32,
        _ => u32::from_le_bytes(random.one_of(&[*b"abcd", *b"/a:b", *b"\0\0\0\0", *b"aa\0\0"])),
    }
}

/// Calls `law` with `each` random packets for every kind in every dialect.
fn on_packets(seed: u64, each: usize, law: impl Fn(&[u8], Dialect) + Send + 'static) {
    deep(move || {
        let mut random = Random(seed);
        for &dialect in Dialect::ALL {
            for &kind in Kind::ALL {
                for _ in 0..each {
                    let mut packet = packet(&mut random, dialect, kind, 3);
                    // Some packets lack the last byte, which may be a byte of padding.
                    if random.below(8) == 0 {
                        packet.pop();
                    }
                    law(&packet, dialect);
                }
            }
        }
    });
}

/// A packet on which a law is checked. If the thread panics while this struct exists, the packet
/// breaks the law, and up to 400 of its bytes are printed.
struct Shown<'a>(&'a [u8]);

impl Drop for Shown<'_> {
    fn drop(&mut self) {
        if thread::panicking() {
            let hex = |byte: &u8| format!("{byte:02x}");
            eprintln!("packet: {}", self.0.iter().take(400).map(hex).collect::<String>());
        }
    }
}

/// Checks the laws of reading and of rewriting on a packet.
fn laws_of_the_wire(bytes: &[u8], dialect: Dialect) {
    let _shown = Shown(bytes);
    laws::read_as(bytes, dialect);
    laws::differential_as(bytes, dialect);
    laws::round_trip_as(bytes, dialect);
    laws::json_round_trip_as(bytes, dialect);
}

fn all_laws(bytes: &[u8], dialect: Dialect) {
    laws_of_the_wire(bytes, dialect);
    let _shown = Shown(bytes);
    laws::paths_as(bytes, dialect);
    laws::patch_as(bytes, dialect);
    laws::diff_as(bytes, dialect);
    laws::owned_as(bytes, dialect);
    laws::notation_print_as(bytes, dialect);
    #[cfg(feature = "schema")]
    laws::schema_as(bytes, dialect);
    #[cfg(feature = "serde")]
    laws::serde_as(bytes, dialect);
}

#[test]
fn files_satisfy_the_laws() {
    on_files(usize::MAX, |_, bytes, _| {
        let _shown = Shown(bytes);
        laws::godot_read(bytes);
        laws::godot_differential(bytes);
        laws::godot_round_trip(bytes);
        laws::godot_json_round_trip(bytes);
        laws::godot_owned(bytes);
        #[cfg(feature = "schema")]
        laws::godot_schema(bytes);
        laws::godot_frames(bytes);
        laws::godot_find(bytes);
    });
}

#[test]
fn streams_satisfy_the_laws() {
    for name in ["frames/store_var.dat", "frames/debugger4.bin"] {
        let bytes = corpus::read(name);
        (0..bytes.len()).step_by(7).for_each(|end| laws::godot_frames(&bytes[..end]));
        laws::godot_frames(&bytes);
        for (framing, cut) in [(2, 0), (2, 6), (2, 7), (0x80, 3), (0xFC, 9), (3, 1)] {
            laws::godot_framer(&[&[framing, cut], &bytes[..]].concat());
            laws::godot_framer(&[&[framing, cut], &bytes[..bytes.len() / 2]].concat());
        }
    }
}

/// Each stream consists of short frames, some of them empty. The law feeds the stream in pieces of
/// various sizes.
#[test]
fn random_streams_satisfy_the_laws() {
    let mut random = Random(4);
    for _ in 0..5000 {
        let mut stream = vec![random.next() as u8, random.next() as u8];
        for _ in 0..random.below(8) {
            let len = random.one_of(&[0, 0, 1, 2, 5, 30, 300]);
            let prefix = random.one_of(&[(len as u32).to_le_bytes(), (len as u32).to_be_bytes()]);
            stream.extend(prefix);
            stream.extend(vec![7; len]);
        }
        stream.truncate(stream.len() - random.below(4).min(stream.len()));
        laws::godot_framer(&stream);
    }
}

/// The error for a truncated packet states the minimum number of missing bytes. Adding this number
/// of bytes, repeatedly if necessary, completes the packet. The error never asks for more bytes
/// than the complete packet has.
#[test]
fn truncated_files_state_the_missing_bytes() {
    on_files(700, |name, bytes, dialect| {
        let mut reader = Reader::new(bytes, dialect);
        if reader.skip().is_err() {
            return;
        }
        let whole = &bytes[..reader.range().end];
        for end in 0..whole.len() {
            prefix(name, whole, end, dialect);
            if whole.len() <= 128 {
                all_laws(&whole[..end], dialect);
            }
        }
    });
}

fn prefix(name: &str, whole: &[u8], end: usize, dialect: Dialect) {
    let mut have = end;
    loop {
        let mut reader = Reader::new(&whole[..have], dialect);
        let Err(error) = reader.skip() else { break };
        let missing = error.missing().unwrap_or_else(|| panic!("{name}: {error}")) as usize;
        assert!(missing > 0, "{name}: {error}");
        have += missing;
        assert!(have <= whole.len(), "{name}: more bytes are missing than the packet has: {error}");
    }
    // Only padding at the end may be missing.
    assert!(whole.len() - have < 4, "{name}: {have}");
    let values = [whole, &whole[..have]].map(|bytes| values::value_of(bytes, dialect).unwrap().0);
    assert_eq!(values[0], values[1], "{name}: without padding");
}

/// Replaces each byte of a packet with several other values, one byte at a time.
#[test]
fn files_with_one_changed_byte_satisfy_the_laws() {
    on_files(100, |_, bytes, dialect| {
        let mut bytes = bytes.to_vec();
        for at in 0..bytes.len() {
            let was = bytes[at];
            for byte in [0, 1, 0x7F, 0x80, 0xFF] {
                bytes[at] = byte;
                laws_of_the_wire(&bytes, dialect);
            }
            bytes[at] = !was;
            all_laws(&bytes, dialect);
            bytes[at] = was;
        }
    });
}

#[test]
fn random_packets_satisfy_the_laws() {
    on_packets(1, 40, all_laws);
}

/// Each packet is read in every dialect. Two copies of it are also read as a stream.
#[test]
fn random_packets_satisfy_the_laws_in_every_dialect() {
    on_packets(2, 3, |bytes, _| {
        let _shown = Shown(bytes);
        laws::godot_read(bytes);
        laws::godot_differential(bytes);
        laws::godot_round_trip(bytes);
        laws::godot_json_round_trip(bytes);
        laws::godot_owned(bytes);
        laws::godot_frames(&[bytes, bytes].concat());
    });
}

/// For each position in the JSON of a small packet, truncates the JSON there. Also inserts each of
/// several tokens at that position, and replaces the character at that position with each of them.
#[test]
fn damaged_json_satisfies_the_laws() {
    on_files(40, |_, bytes, dialect| {
        for exact in [false, true] {
            if Reader::new(bytes, dialect).skip().is_ok() {
                damage(&laws::print_json(bytes, dialect, exact), dialect);
            }
        }
    });
}

fn damage(text: &str, dialect: Dialect) {
    assert!(laws::json_read_as(text, dialect).is_some(), "{text}");
    let pieces = ["", "\"", "]", "5", "nan", "\\u0000", ",null", "i:", "props", ":{}", "[9", "00"];
    for at in (0..=text.len()).filter(|at| text.is_char_boundary(*at)) {
        let (before, after) = text.split_at(at);
        laws::json_read_as(before, dialect);
        let mut rest = after.chars();
        rest.next();
        for piece in pieces {
            laws::json_read_as(&format!("{before}{piece}{after}"), dialect);
            laws::json_read_as(&format!("{before}{piece}{}", rest.as_str()), dialect);
        }
    }
}

#[cfg(feature = "arbitrary")]
#[test]
fn generated_packets_satisfy_the_laws() {
    use arbitrary::{Arbitrary, Unstructured};
    use gamewire::godot::ArbitraryPacket;

    deep(|| {
        let mut random = Random(5);
        for _ in 0..4000 {
            let seed: Vec<u8> = (0..300).map(|_| random.next() as u8).collect();
            let packet = ArbitraryPacket::arbitrary(&mut Unstructured::new(&seed)).unwrap();
            let _shown = Shown(&packet.bytes);
            assert!(laws::notation_print_as(&packet.bytes, packet.dialect).is_some());
            laws::owned_as(&packet.bytes, packet.dialect);
            #[cfg(feature = "serde")]
            laws::serde_as(&packet.bytes, packet.dialect);
            let text = laws::json_round_trip_as(&packet.bytes, packet.dialect).unwrap();
            assert!(laws::json_read_as(&text, packet.dialect).is_some(), "{text}");
        }
    });
}

#[cfg(feature = "arbitrary")]
#[test]
fn damaged_generated_packets_satisfy_the_laws() {
    deep(|| {
        let mut random = Random(7);
        for _ in 0..6000 {
            let seed: Vec<u8> = (0..400).map(|_| random.next() as u8).collect();
            let _shown = Shown(&seed);
            laws::godot_damaged(&seed);
        }
    });
}

#[test]
fn random_writer_programs_satisfy_the_laws() {
    deep(|| {
        let mut random = Random(3);
        for _ in 0..3000 {
            let len = 2 + random.below(80);
            let program: Vec<u8> = (0..len).map(|_| random.next() as u8).collect();
            let _shown = Shown(&program);
            laws::godot_write(&program);
        }
    });
}

/// The writer accepts values that are as deep as an engine reads, and no deeper ones. The depth of
/// a copied value is added to the number of open containers.
#[test]
fn writer_accepts_values_as_deep_as_the_reader() {
    deep(|| {
        for (around, inside) in [(0, 1024), (1, 1023), (1000, 24), (1023, 1), (1024, 0)] {
            for (more, fits) in [(0, true), (1, false)] {
                // If containers are open around the copy, the extra level is added to the copied
                // value. Otherwise, it is an open container around the copy.
                let (around, inside) =
                    if around == 0 { (more, inside) } else { (around, inside + more) };
                let copy = arrays(inside);
                let mut stack = [0; 2000];
                let mut reader = Reader::new(&copy, Dialect::Godot4).with_stack(&mut stack);
                let copy = reader.read_encoded().unwrap();
                for view in [true, false] {
                    let mut packet = Vec::new();
                    let mut writer = Writer::new(&mut packet, Dialect::Godot4);
                    assert_eq!(nest(&mut writer, around, copy, view).is_ok(), fits, "{around}");
                    assert!(if fits {
                        packet == arrays(around + inside)
                    } else {
                        packet.is_empty()
                    });
                }
            }
        }
    });
}

/// Returns nested arrays of one item each around a Nil.
fn arrays(depth: usize) -> Vec<u8> {
    let mut packet = b"\x1c\0\0\0\x01\0\0\0".repeat(depth);
    packet.extend([0; 4]);
    packet
}

fn nest(
    writer: &mut Writer<&mut Vec<u8>>,
    depth: usize,
    copy: Encoded<'_>,
    view: bool,
) -> Result<(), Error> {
    match depth.checked_sub(1) {
        Some(depth) => {
            let mut array = writer.array(1)?;
            nest(&mut array, depth, copy, view)?;
            array.finish()
        }
        None if view => writer.put(copy.decode()),
        None => writer.put(copy),
    }
}

/// With memory from the caller, the reader accepts values that are deeper than any engine accepts.
/// Views of the result still find the values after such a deep value.
#[test]
fn deeper_values_are_read_with_more_memory() {
    let opens: [&[u8]; 3] = [
        b"\x1c\0\0\0\x02\0\0\0", // an array with two items
        b"\x1b\0\0\0\x01\0\0\0", // a dictionary with one pair
        b"\x18\0\0\0\x01\0\0\0A\0\0\0\x02\0\0\0\x01\0\0\0p\0\0\0", // an object with two properties
    ];
    let seven = b"\x02\0\0\0\x07\0\0\0";
    let second = [&b"\x01\0\0\0q\0\0\0"[..], seven].concat();
    let closes: [&[u8]; 3] = [seven, seven, &second];
    let shapes = [[0, 0, 0], [1, 1, 1], [0, 2, 1], [1, 0, 2], [0, 0, 2]];
    for shape in shapes {
        for depth in [31_usize, 32, 33, 34, 1024, 1025, 1056, 1057, 1058, 3000] {
            let shape_at = |level: usize| shape[level % 3];
            let mut packet: Vec<u8> =
                (0..depth).flat_map(|level| opens[shape_at(level)]).copied().collect();
            packet.extend([0; 4]);
            packet.extend((0..depth).rev().flat_map(|level| closes[shape_at(level)]));
            let whole = [&b"\x1c\0\0\0\x02\0\0\0"[..], &packet, seven].concat();

            let mut stack = vec![0; depth + 1];
            let mut reader = Reader::new(&whole, Dialect::Godot4).with_stack(&mut stack);
            let encoded = reader.read_encoded().unwrap();
            reader.finish().unwrap();
            let array = encoded.decode().as_array().unwrap();
            let items: Vec<_> = array.iter().encoded().collect();
            assert_eq!((items.len(), items[0].as_bytes()), (2, &packet[..]), "{shape:?} {depth}");
            assert_eq!(array.get(1).and_then(|value| value.as_i64()), Some(7));

            // Without memory from the caller, the maximum depth is the engine's.
            let fits = depth < 1024;
            assert_eq!(Reader::new(&whole, Dialect::Godot4).read().is_ok(), fits);
            let again = Writer::new(Vec::new(), Dialect::Godot3).put(encoded);
            let view = Writer::new(Vec::new(), Dialect::Godot4).put(encoded.decode());
            assert_eq!((again.is_ok(), view.is_ok()), (fits, fits));
        }
    }
}
