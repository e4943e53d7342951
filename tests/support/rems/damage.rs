//! Random damage to Rem's Engine files.

use crate::support::random::Random;

/// Tokens to insert into a text, most of which have a special meaning for readers.
const WORDS: [&str; 103] = [
    "'\\'",
    "'\\''",
    "\"\\ud83d\"",
    "'\\u00e4'",
    "\"\\\\\"",
    "\"#f\"",
    "#12345678",
    ",",
    ":",
    "[",
    "]",
    "{",
    "}",
    "\"",
    "'",
    " ",
    "\n",
    "0",
    "1",
    "-1",
    "-",
    "-0",
    "00",
    "017",
    "089",
    "0x1F",
    "0X",
    "0b101",
    "0b",
    "0b2",
    "-0x7f",
    "-017",
    "_",
    "1_0",
    "_1",
    "1_",
    "#abc",
    "#1",
    "#12",
    "-#abc",
    "#80ffffff",
    "127",
    "128",
    "-128",
    "-129",
    "255",
    "256",
    "32768",
    "65535",
    "65536",
    "2147483647",
    "2147483648",
    "-2147483648",
    "4294967295",
    "9223372036854775807",
    "9223372036854775808",
    "-9223372036854775809",
    "99999999999999999999999999999999999999999999",
    "1.5",
    ".5",
    "5.",
    ".",
    "+5",
    "1e5",
    "1E-5",
    "1e",
    "1e+5",
    "1e400",
    "4.9E-324",
    "1e-400",
    "0.10000000149011612",
    "16777217",
    "NaN",
    "-NaN",
    "Infinity",
    "-Infinity",
    "inf",
    "\"1.5\"",
    "\"NaN\"",
    "\"2\"",
    "true",
    "false",
    "TRUE",
    "False",
    "\"true\"",
    "tru",
    "null",
    "nULL",
    "'a'",
    "'''",
    "'ä'",
    "'\\n'",
    "\"\\u0041\"",
    "\\u0041",
    "\\ud83d\\ude00",
    "\\",
    "/* c */",
    "// c\n",
    "/*/",
    "[1,2,3]",
    "{}",
    "{\"class\":\"K\"}",
    "\"#fff\"",
];

/// Keys with values, to insert into objects.
const MEMBERS: [&str; 49] = [
    "\"K[]:k\":[1,{},]",
    "\"K[]:k\":[2,3,]",
    "\"i[]:k\":[1,5,]",
    "\"S[][]:k\":[2,[0,],null,]",
    "\"i:\\u002aptr\":5",
    "\"\\u0063lass\":\"K\"",
    "\"c:c\":\"\\ud83d\"",
    "\"\\u004b:k\":{\"class\":\"\\u004b\"}",
    "\"K\\u003a:k\":1",
    "\"i:x\":5",
    "\"class\":\"K\"",
    "\"i:*ptr\":3",
    "\"*ptr\":4",
    "\"ptr\":5",
    "\"x\":1",
    "\":x\":{}",
    "\"i:\":1",
    "\"\\u0069:x\":7",
    "\"i\\u003ax\":7",
    "\"K:k\":{}",
    "\"K:k\":3",
    "\"K:k\":null",
    "\"?:k\":null",
    "\"?:k\":{}",
    "\"?:k\":{\"class\":\"K\"}",
    "\"K[]:k\":[2,{},1]",
    "\"*[]:k\":[2,{\"class\":\"K\"}]",
    "\"[][]:k\":[1,[1,null]]",
    "\"K[][]:k\":[2,[1,{}],null]",
    "\"S[]:k\":[3,\"a\",null,]",
    "\"S[][]:k\":[2,[1,\"a\"]]",
    "\"R[]:k\":[2,null]",
    "\"R:k\":null",
    "\"i[]:k\":[3,1,]",
    "\"i[][]:k\":[3,[2,1]]",
    "\"i[][]:k\":[2,null]",
    "\"pos:v2i\":[1,2]",
    "\"pos:v3i\":[1,2,3,4]",
    "\"i:v4i\":[7]",
    "\"v2:v2i\":[3]",
    "\"c:c\":\"\\n\"",
    "\"col:c\":\"#12345678\"",
    "\"mat3x2:m\":[[1,2],[3],[4,5]]",
    "\"AABBf:b\":[[1],[2]]",
    "\"q4:q\":[0,0,0,1]",
    "\"vd4:v\":[1,2,3]",
    "\"i[][][]:k\":[1]",
    "\"?[]:k\":[1,null]",
    "\"f[]:k\":[4,1,-0.0,NaN]",
];

/// Applies one to three edits to the text. Inserted parts may come from `other`.
pub fn damaged_text(text: &[u8], other: &[u8], random: &mut Random) -> Vec<u8> {
    let mut text = text.to_vec();
    for _ in 0..=random.below(3) {
        edit(&mut text, other, random);
    }
    text
}

fn edit(text: &mut Vec<u8>, other: &[u8], random: &mut Random) {
    let at = random.below(text.len() + 1);
    let to = (at + random.below(6)).min(text.len());
    match random.below(12) {
        0 => text.truncate(at),
        1 => drop(text.drain(at..to)),
        2 | 3 => {
            if let Some(byte) = text.get_mut(at) {
                *byte ^= 1 << random.below(8);
            }
        }
        4 => drop(text.splice(at..at, [random.next() as u8])),
        5 => drop(text.splice(at..at, random.one_of(&WORDS).bytes())),
        6 | 7 => {
            // Replace a value.
            let start = next_of(text, at, b":,[");
            let end = next_of(text, start, b",]}").saturating_sub(1).max(start);
            text.splice(start..end, random.one_of(&WORDS).bytes());
        }
        8 | 9 => {
            let member = format!("{},", random.one_of(&MEMBERS));
            let start = member_at(text, at);
            text.splice(start..start, member.bytes());
        }
        10 => {
            let type_at = next_of(text, next_of(text, at, b"{,"), b"\"");
            let end = next_of(text, type_at, b":").saturating_sub(1).max(type_at);
            text.splice(type_at..end, type_name(random).bytes());
        }
        _ => {
            let from = random.below(other.len() + 1);
            let until = (from + random.below(40)).min(other.len());
            text.splice(at..to, other[from..until].iter().copied());
        }
    }
}

/// Returns the position after the next byte that is one of `bytes`, or the end of the text.
fn next_of(text: &[u8], from: usize, bytes: &[u8]) -> usize {
    let rest = text.get(from..).unwrap_or_default();
    rest.iter().position(|byte| bytes.contains(byte)).map_or(text.len(), |at| from + at + 1)
}

/// Returns the position where the next key appears to begin, or the end of the text.
fn member_at(text: &[u8], from: usize) -> usize {
    let starts = |pair: &[u8]| matches!(pair, b"{\"" | b",\"");
    let rest = text.get(from..).unwrap_or_default();
    rest.windows(2).position(starts).map_or(text.len(), |at| from + at + 1)
}

fn type_name(random: &mut Random) -> String {
    const NAMES: [&str; 40] = [
        "b", "B", "c", "s", "i", "l", "f", "d", "S", "R", "col", "v2", "v3", "v4", "v2d", "v3d",
        "v4d", "vd4", "v2i", "v3i", "v4i", "q4", "q4d", "p4", "mat2", "mat3x2", "mat3", "mat4x3",
        "mat4", "m4x4d", "mat4d", "AABBf", "AABBd", "i1", "u64", "f32", "?", "*", "K", "",
    ];
    format!("{}{}", random.one_of(&NAMES), random.one_of(&["", "", "", "[]", "[]", "[][]"]))
}

/// Numbers that have special meanings for readers of streams.
const NUMBERS: [i32; 16] =
    [-1, -2, -3, -4, -5, 0, 1, 2, 3, 4, 5, 17, 0x7FFF_FFFF, -0x8000_0000, 0xFFFF, -0x100];

/// Applies one to three edits to the stream. Inserted parts may come from `other`.
pub fn damaged_stream(stream: &[u8], other: &[u8], random: &mut Random) -> Vec<u8> {
    let mut stream = stream.to_vec();
    for _ in 0..=random.below(3) {
        edit_stream(&mut stream, other, random);
    }
    stream
}

fn edit_stream(stream: &mut Vec<u8>, other: &[u8], random: &mut Random) {
    let at = random.below(stream.len() + 1);
    let to = (at + random.below(6)).min(stream.len());
    let number = random.one_of(&NUMBERS).to_be_bytes();
    match random.below(9) {
        0 => stream.truncate(at),
        1 => drop(stream.drain(at..to)),
        2 => set(stream, at, |byte, random| byte ^ 1 << random.below(8), random),
        3 => set(stream, at, |_, random| random.next() as u8, random),
        // Replace a type id or a marker.
        4 => set(stream, at, |_, random| random.below(120) as u8, random),
        5 => drop(stream.splice(at..(at + 4).min(stream.len()), number)),
        6 => drop(stream.splice(at..at, number)),
        7 => set(stream, at, |byte, random| byte.wrapping_add(random.one_of(&[1, 2, 255])), random),
        _ => {
            let from = random.below(other.len() + 1);
            let until = (from + random.below(40)).min(other.len());
            stream.splice(at..to, other[from..until].iter().copied());
        }
    }
}

fn set(bytes: &mut [u8], at: usize, to: impl Fn(u8, &mut Random) -> u8, random: &mut Random) {
    if let Some(byte) = bytes.get_mut(at) {
        *byte = to(*byte, random);
    }
}
