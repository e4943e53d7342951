//! Expensive Godot 4 packets: deep nesting, empty items, false counts, repetition.

use super::{Shape, shape};

pub const NIL: u32 = 0;
pub const INT: u32 = 2;
pub const FLOAT: u32 = 3;
pub const STRING: u32 = 4;
pub const NODE_PATH: u32 = 22;
pub const OBJECT: u32 = 24;
pub const DICTIONARY: u32 = 27;
pub const ARRAY: u32 = 28;
const PACKED_BYTES: u32 = 29;
const PACKED_FLOATS: u32 = 32;
const PACKED_STRINGS: u32 = 34;

/// Header bits of an array that declares a class as the type of its elements.
const OF_CLASS: u32 = 2 << 16;

/// The engine's depth limit minus one level for the enclosing container.
const MAX_DEPTH: usize = 1023;

/// Returns all shapes of valid packets.
pub fn valid() -> Vec<Shape> {
    [empty(), texts(), deep(), keys()].into_iter().flatten().collect()
}

/// Returns the shapes of valid packets, and those with false counts.
pub fn all() -> Vec<Shape> {
    valid().into_iter().chain(false_counts()).collect()
}

pub fn words(words: &[u32]) -> Vec<u8> {
    words.iter().flat_map(|word| word.to_le_bytes()).collect()
}

pub fn text(bytes: &[u8]) -> Vec<u8> {
    let mut text = [&words(&[bytes.len() as u32]), bytes].concat();
    text.resize(text.len().next_multiple_of(4), 0);
    text
}

pub fn string(bytes: &[u8]) -> Vec<u8> {
    [words(&[STRING]), text(bytes)].concat()
}

/// Returns an array of about `size` bytes that repeats an item.
pub fn array_of(item: &[u8], size: usize) -> Vec<u8> {
    let count = size / item.len();
    [words(&[ARRAY, count as u32]), item.repeat(count)].concat()
}

/// Returns a dictionary of about `size` bytes with the pairs `pair(0)`, `pair(1)` and so on.
pub fn dictionary_of(size: usize, pair: impl Fn(usize) -> Vec<u8>) -> Vec<u8> {
    let (mut pairs, mut count) = (Vec::new(), 0);
    while pairs.len() < size {
        pairs.extend(pair(count));
        count += 1;
    }
    [words(&[DICTIONARY, count as u32]), pairs].concat()
}

/// Repeats `head` `depth` times, appends `inside`, and then repeats `tail` `depth` times.
fn nested(depth: usize, head: &[u8], inside: &[u8], tail: &[u8]) -> Vec<u8> {
    [head.repeat(depth), inside.to_vec(), tail.repeat(depth)].concat()
}

/// Returns an array of about `size` bytes. Each item is nested as deeply as the size or the engine
/// allows.
fn chains(size: usize, head: &[u8], tail: &[u8]) -> Vec<u8> {
    let each = head.len() + tail.len();
    let depth = (size / each).min(MAX_DEPTH);
    let chain = nested(depth, head, &words(&[NIL]), tail);
    let count = (size / chain.len()).max(1);
    [words(&[ARRAY, count as u32]), chain.repeat(count)].concat()
}

/// Returns nested arrays whose headers take at most a quarter of the packet. The innermost array
/// repeats `tooth`, a container with one more level.
fn comb(size: usize, tooth: &[u8]) -> Vec<u8> {
    let depth = (size / 4 / 8).min(MAX_DEPTH - 1);
    nested(depth, &words(&[ARRAY, 1]), &array_of(tooth, size - depth * 8), &[])
}

/// Returns shapes of arrays that repeat a small item, such as a null or an empty container.
fn empty() -> Vec<Shape> {
    vec![
        shape("nulls", |size| array_of(&words(&[NIL]), size)),
        shape("empty arrays", |size| array_of(&words(&[ARRAY, 0]), size)),
        shape("empty dictionaries", |size| array_of(&words(&[DICTIONARY, 0]), size)),
        shape("empty packed arrays", |size| array_of(&words(&[PACKED_STRINGS, 0]), size)),
        shape("empty NodePaths", |size| array_of(&words(&[NODE_PATH, 1 << 31, 0, 0]), size)),
        shape("empty objects", |size| {
            array_of(&[words(&[OBJECT]), text(b"A"), words(&[0])].concat(), size)
        }),
        shape("typed arrays, empty", |size| {
            array_of(&[words(&[ARRAY | OF_CLASS]), text(b"A"), words(&[0])].concat(), size)
        }),
        shape("arrays of one", |size| array_of(&words(&[ARRAY, 1, INT, 5]), size)),
        shape("floats", |size| {
            array_of(&words(&[FLOAT | 1 << 16, 0x1234_5678, 0x3FF1_2345]), size)
        }),
    ]
}

fn texts() -> Vec<Shape> {
    vec![
        shape("a long text", |size| string(&vec![b'a'; size])),
        shape("a long text of quotes", |size| string(&vec![b'"'; size])),
        shape("a long text that is not ASCII", |size| string("aé".repeat(size / 3).as_bytes())),
        shape("empty texts", |size| array_of(&string(b""), size)),
        shape("packed texts, empty", |size| {
            [words(&[PACKED_STRINGS, (size / 4) as u32]), words(&[0]).repeat(size / 4)].concat()
        }),
        shape("packed bytes", |size| [words(&[PACKED_BYTES, size as u32]), vec![7; size]].concat()),
        shape("packed floats", |size| {
            [words(&[PACKED_FLOATS, (size / 4) as u32]), words(&[0x3FF1_2345]).repeat(size / 4)]
                .concat()
        }),
        shape("a NodePath of empty names", |size| {
            let count = (size / 4) as u32;
            [words(&[NODE_PATH, 1 << 31 | count, 0, 0]), words(&[0]).repeat(size / 4)].concat()
        }),
    ]
}

fn deep() -> Vec<Shape> {
    vec![
        shape("deep arrays", |size| chains(size, &words(&[ARRAY, 1]), &[])),
        shape("deep dictionaries", |size| chains(size, &words(&[DICTIONARY, 1, INT, 7]), &[])),
        shape("deep in keys", |size| chains(size, &words(&[DICTIONARY, 1]), &words(&[NIL]))),
        shape("deep objects", |size| {
            let head = [words(&[OBJECT]), text(b"A"), words(&[1]), text(b"b")].concat();
            chains(size, &head, &[])
        }),
        shape("comb of arrays", |size| comb(size, &words(&[ARRAY, 1, NIL]))),
        shape("comb of dictionaries", |size| comb(size, &words(&[DICTIONARY, 1, NIL, NIL]))),
        shape("comb of objects", |size| {
            let tooth = [words(&[OBJECT]), text(b"A"), words(&[1]), text(b"b"), words(&[NIL])];
            comb(size, &tooth.concat())
        }),
    ]
}

fn keys() -> Vec<Shape> {
    vec![
        shape("the same key again", |size| {
            dictionary_of(size, |_| [string(b"a"), words(&[NIL])].concat())
        }),
        shape("null keys", |size| dictionary_of(size, |_| words(&[NIL, NIL]))),
        shape("keys that are NaN", |size| {
            dictionary_of(size, |_| words(&[FLOAT | 1 << 16, 0, 0x7FF8_0000, NIL]))
        }),
        shape("ascending keys", |size| dictionary_of(size, |n| words(&[INT, n as u32, NIL]))),
        shape("descending keys", |size| dictionary_of(size, |n| words(&[INT, !n as u32, NIL]))),
        shape("different texts", |size| {
            let key = |n: usize| string(format!("{:08x}", n.wrapping_mul(0x9E37_79B1)).as_bytes());
            dictionary_of(size, |n| [key(n), words(&[NIL])].concat())
        }),
        shape("long keys that are nearly the same", |size| {
            // The number of keys is about the length of a key in bytes. The keys cause many
            // comparisons, and each comparison reads a long common prefix.
            let len = size.isqrt();
            let key = |n: usize| string(format!("{n:0len$}").as_bytes());
            dictionary_of(size, |n| [key(n), words(&[NIL])].concat())
        }),
        shape("dictionaries as keys", |size| {
            dictionary_of(size, |n| words(&[DICTIONARY, 1, INT, n as u32 / 2, NIL, NIL]))
        }),
        shape("an object of nameless properties", |size| {
            let count = size / 8;
            let head = [words(&[OBJECT]), text(b"A"), words(&[count as u32])].concat();
            [head, words(&[0, NIL]).repeat(count)].concat()
        }),
    ]
}

/// Returns shapes with counts that are greater than the number of items.
fn false_counts() -> Vec<Shape> {
    vec![
        shape("a count too high", |size| false_count(&[ARRAY, 0x7FFF_FFFF], size)),
        shape("a count of packed texts too high", |size| {
            false_count(&[PACKED_STRINGS, 0x7FFF_FFFF], size)
        }),
        shape("a count of names too high", |size| {
            false_count(&[NODE_PATH, 0xFFFF_FFFF, 0xFFFF_FFFF, 0], size)
        }),
        shape("a length too high", |size| false_count(&[STRING, 0x7FFF_FFFF], size)),
        shape("a count of pairs too high", |size| false_count(&[DICTIONARY, 0x7FFF_FFFF], size)),
        shape("arrays that claim all the rest", |size| {
            let heads = size / 16;
            let rest = |n| (size / 4 - 2 * (n + 1)) as u32;
            let heads: Vec<u32> = (0..heads).flat_map(|n| [ARRAY, rest(n)]).collect();
            false_count(&heads, size / 2)
        }),
    ]
}

fn false_count(head: &[u32], size: usize) -> Vec<u8> {
    [words(head), words(&[NIL]).repeat(size / 4)].concat()
}
