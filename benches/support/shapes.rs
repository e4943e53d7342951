//! Godot 4 packets that are expensive to read. An attacker could send such packets. Some are
//! generated, some are the hostile files of the corpus, and some repeat values that the engine
//! wrote.

#![allow(dead_code)] // each bench uses a part

use super::packets::WAYS;
use std::path::Path;
use std::{fs, io};

pub struct Shape {
    pub name: String,
    pub packet: Vec<u8>,
}

/// Approximate size, in bytes, of a packet that consists of repetitions.
pub const SIZE: usize = 16 << 10;

const STRING: u32 = 4;
const NODE_PATH: u32 = 22;
const OBJECT: u32 = 24;
const SIGNAL: u32 = 26;
const DICTIONARY: u32 = 27;
const ARRAY: u32 = 28;
const PACKED_BYTES: u32 = 29;
const PACKED_STRINGS: u32 = 34;
const PACKED_LAST: u32 = 38;

const NIL: &[u32] = &[0];
const INT: &[u32] = &[2, 1];

/// Header bits that state whether the declared type is a built-in type or a class. The bits `OF_…`
/// are for the elements of an array and the keys of a dictionary, and the bits `TO_…` are for the
/// values of a dictionary.
const OF_BUILTIN: u32 = 1 << 16;
const OF_CLASS: u32 = 2 << 16;
const TO_CLASS: u32 = 2 << 18;

/// A part of a packet, in whole 4-byte words.
#[derive(Clone, Default)]
pub struct Words(pub Vec<u8>);

fn words(words: &[u32]) -> Words {
    Words(words.iter().flat_map(|word| word.to_le_bytes()).collect())
}

fn joined(parts: &[&Words]) -> Words {
    Words(parts.iter().flat_map(|part| &part.0).copied().collect())
}

impl Words {
    fn times(&self, count: usize) -> Self {
        Self(self.0.repeat(count))
    }

    /// Returns how many repetitions of these words fill a packet.
    fn often(&self) -> usize {
        SIZE / self.0.len()
    }
}

fn text(bytes: &[u8]) -> Words {
    let len = bytes.len() as u32;
    let pad = vec![0; bytes.len().next_multiple_of(4) - bytes.len()];
    joined(&[&words(&[len]), &Words([bytes, &pad].concat())])
}

fn string(bytes: &[u8]) -> Words {
    joined(&[&words(&[STRING]), &text(bytes)])
}

fn array(count: usize, item: &Words) -> Words {
    joined(&[&words(&[ARRAY, count as u32]), &item.times(count)])
}

fn dictionary(count: usize, key: &Words, value: &Words) -> Words {
    let pair = joined(&[key, value]);
    joined(&[&words(&[DICTIONARY, count as u32]), &pair.times(count)])
}

/// Makes an object with one property whose name is empty.
fn object(class: &[u8], value: &Words) -> Words {
    joined(&[&words(&[OBJECT]), &text(class), &words(&[1, 0]), value])
}

/// Makes the given number of nested arrays around a value.
fn chain(depth: usize, inside: &Words) -> Words {
    joined(&[&words(&[ARRAY, 1]).times(depth), inside])
}

/// Makes 1,024 nested containers around a null.
fn deep(head: &Words) -> Words {
    joined(&[&head.times(1024), &words(NIL)])
}

/// Makes an array at this depth, each item of which opens and closes one more level.
fn comb(depth: usize, tooth: &Words) -> Words {
    chain(depth - 1, &array(tooth.often(), tooth))
}

/// Returns all generated shapes.
pub fn made() -> Vec<Shape> {
    let whole = [empty(), texts(), singles(), depth(), counts(), typed(), many()];
    let whole = whole.into_iter().flatten().map(|named| (named, true));
    let all = whole.chain(missing().into_iter().map(|named| (named, false)));
    all.map(|((name, Words(packet)), whole)| {
        // If the reader refused a shape by mistake, the shape would seem cheap. The code therefore
        // checks that the reader refuses only the incomplete shapes. The check calls the measured
        // function, since a second instantiation would change what is inlined.
        let (_, skip) = WAYS[0];
        assert_eq!(skip(&packet), whole, "{name}");
        Shape { name, packet }
    })
    .collect()
}

type Named = (String, Words);

fn named(name: impl Into<String>, words: Words) -> Named {
    (name.into(), words)
}

/// Makes an array of copies of one value.
fn only(name: &str, item: &Words) -> Named {
    named(name, array(item.often(), item))
}

/// Makes arrays of empty values.
fn empty() -> Vec<Named> {
    let packed = |id| words(&[id, 0]);
    let packed: Vec<_> = (PACKED_BYTES..=PACKED_LAST).map(packed).collect();
    let signal = joined(&[&words(&[SIGNAL]), &text(b""), &words(&[0, 0])]);
    vec![
        only("nulls", &words(NIL)),
        only("empty arrays", &array(0, &words(NIL))),
        only("empty dictionaries", &words(&[DICTIONARY, 0])),
        only("empty packed arrays", &joined(&packed.iter().collect::<Vec<_>>())),
        only("empty NodePaths", &words(&[NODE_PATH, 1 << 31, 0, 0])),
        only("empty signals", &signal),
        only("null objects", &words(&[OBJECT, 0])),
        only("empty objects", &joined(&[&words(&[OBJECT]), &text(b"A"), &words(&[0])])),
    ]
}

/// Makes strings that are examined slowly or repeatedly.
fn texts() -> Vec<Named> {
    let one = |name: &str, bytes: &[u8]| named(name, string(bytes));
    let bad_end = [&vec![b'a'; SIZE][..], b"\xFF"].concat();
    vec![
        only("empty texts", &string(b"")),
        only("texts of a letter", &string(b"a")),
        only("texts of an e acute", &string("é".as_bytes())),
        only("texts of 9 letters", &string(b"abcdefghi")),
        only("texts of 9 letters, the last one an e acute", &string("abcdefghé".as_bytes())),
        only("texts of a NUL", &string(b"\0")),
        only("texts of a byte order mark", &string(b"\xEF\xBB\xBF")),
        only("texts of 17 letters and a NUL", &string(b"abcdefghijklmnopq\0")),
        only("texts that are not UTF-8", &string(b"\xFF")),
        one("a long text", &vec![b'a'; SIZE]),
        one("a long text of two bytes a letter", "é".repeat(SIZE / 2).as_bytes()),
        one("a long text of three bytes a letter", "€".repeat(SIZE / 3).as_bytes()),
        one("a long text of four bytes a letter", "🎮".repeat(SIZE / 4).as_bytes()),
        one("a long text of letters in turns", "aé".repeat(SIZE / 3).as_bytes()),
        one("a long text, its last byte wrong", &bad_end),
        one("a long text of NULs", &vec![0; SIZE]),
    ]
}

/// Makes two kinds of shapes: containers of one item, in which opening and closing take most of the
/// time, and arrays of short runs of ints, each followed by a null.
fn singles() -> Vec<Named> {
    let nil = words(NIL);
    let ints = |count| joined(&[&words(INT).times(count), &nil]);
    let runs = |count| {
        let run = ints(count);
        let often = run.often();
        let items = words(&[ARRAY, (often * (count + 1)) as u32]);
        named(format!("runs of {count} ints"), joined(&[&items, &run.times(often)]))
    };
    let mut all = vec![
        only("arrays of one", &array(1, &nil)),
        only("dictionaries of one", &dictionary(1, &nil, &nil)),
        only("objects of one", &object(b"A", &nil)),
        only("arrays of an empty array", &array(1, &words(&[ARRAY, 0]))),
    ];
    all.extend([1, 2, 3, 4, 5, 7].map(runs));
    all
}

/// Depths near the limits at which the code takes a different path.
const DEPTHS: [usize; 9] = [2, 31, 32, 33, 34, 64, 128, 512, 1023];

fn depth() -> Vec<Named> {
    let nil = words(NIL);
    let head = |form| words(&[form, 1]);
    let teeth = [
        ("arrays", array(1, &nil)),
        ("dictionaries", dictionary(1, &nil, &nil)),
        ("objects", object(b"A", &nil)),
    ];
    let mut all = vec![
        named("deep arrays", deep(&head(ARRAY))),
        named("deep dictionaries, in values", deep(&joined(&[&head(DICTIONARY), &nil]))),
        named("deep dictionaries, in keys", {
            let (heads, values) = (head(DICTIONARY).times(1024), nil.times(1024));
            joined(&[&heads, &nil, &values])
        }),
        named("deep objects", deep(&joined(&[&words(&[OBJECT]), &text(b"A"), &words(&[1, 0])]))),
    ];
    for depth in DEPTHS {
        let chain = chain(depth - 1, &nil);
        let name = format!("chains in a row, {depth} deep");
        all.push(named(name, array(chain.often().max(2), &chain)));
        for (name, tooth) in &teeth {
            all.push(named(format!("comb of {name}, {depth} deep"), comb(depth, tooth)));
        }
    }
    all
}

/// Makes packets in which the number of containers is a power of two, or slightly more or less.
fn counts() -> Vec<Named> {
    let counts = [1022, 1023, 1024, 1025, 1026, 2047, 2048, 2049, 4095, 4096, 4097];
    counts.map(|count| named(format!("{count} arrays"), arrays_of_one(count))).into()
}

/// Makes typed containers, some of whose items have other types.
fn typed() -> Vec<Named> {
    let nil = words(NIL);
    let empty = words(&[0]);
    let array = |items: &[&Words]| joined(&[&[&words(&[ARRAY | OF_CLASS])], items].concat());
    let dictionary = joined(&[
        &words(&[DICTIONARY | OF_CLASS | TO_CLASS]),
        &text(b"A"),
        &text("é".as_bytes()),
        &empty,
    ]);
    vec![
        only("typed arrays of ints, empty", &words(&[ARRAY | OF_BUILTIN, 2, 0])),
        only("typed arrays of a class, empty", &array(&[&text(b"A"), &empty])),
        only("typed arrays of no class, empty", &array(&[&text(b""), &empty])),
        only("typed dictionaries of classes, empty", &dictionary),
        only("typed arrays of ints, of a null", &words(&[ARRAY | OF_BUILTIN, 2, 1, 0])),
        named("typed arrays, deep", deep(&array(&[&text(b"A"), &words(&[1])]))),
        only("typed arrays of a class, of a null", &array(&[&text(b"A"), &words(&[1]), &nil])),
    ]
}

/// Makes values with much uniform content.
fn many() -> Vec<Named> {
    let (a, e) = (text(b"a"), text("é".as_bytes()));
    let path = |name: &str, part: &Words| {
        let names = words(&[NODE_PATH, 1 << 31 | part.often() as u32, 0, 0]);
        named(format!("a NodePath of {name}"), joined(&[&names, &part.times(part.often())]))
    };
    let packed = |name: &str, part: &Words| {
        let count = words(&[PACKED_STRINGS, part.often() as u32]);
        named(format!("packed texts, {name}"), joined(&[&count, &part.times(part.often())]))
    };
    let pairs = |name: &str, key: &Words| {
        let nil = words(NIL);
        let often = joined(&[key, &nil]).often();
        named(format!("a dictionary of equal keys, {name}"), dictionary(often, key, &nil))
    };
    let inner = dictionary(4, &string(b"a"), &words(NIL));
    vec![
        path("empty names", &text(b"")),
        path("names of a letter", &a),
        path("names of an e acute", &e),
        packed("empty", &text(b"")),
        packed("of a NUL", &text(b"\0")),
        packed("of a letter", &a),
        packed("of an e acute", &e),
        pairs("nulls", &words(NIL)),
        pairs("ints", &words(INT)),
        pairs("texts", &string(b"a")),
        pairs("dictionaries", &inner),
        named("an object of nameless properties", {
            let property = words(&[0, 0]);
            let count = words(&[property.often() as u32]);
            joined(&[&words(&[OBJECT]), &text(b"A"), &count, &property.times(property.often())])
        }),
    ]
}

/// Makes values that the reader refuses. One value has an unknown type. Each of the others has a
/// count or a length that is larger than the bytes after it allow.
fn missing() -> Vec<Named> {
    let nulls = words(NIL).times(SIZE / 4);
    let count = (SIZE / 4) as u32;
    let claim = |name: &str, head: &[u32], then: &Words| {
        named(format!("missing: {name}"), joined(&[&words(head), then]))
    };
    // The count of each array includes everything after its header, so each array lacks one item.
    let (heads, total) = (1000, 5000);
    let claims: Vec<u32> = (0..heads).flat_map(|n| [ARRAY, total - 2 * (n + 1)]).collect();
    let rest = words(NIL).times((total - 2 * heads) as usize);
    vec![
        claim("one of the highest count", &[ARRAY, 0x7FFF_FFFF], &nulls),
        claim("one behind as many as fit", &[ARRAY, count], &words(NIL).times(SIZE / 4 - 1)),
        claim("the last null is half there", &[ARRAY, count], &Words(nulls.0[1..].to_vec())),
        claim("a dictionary's last value", &[DICTIONARY, count / 2], &Words(nulls.0[1..].to_vec())),
        claim("the last type is unknown", &[ARRAY, count + 1], &joined(&[&nulls, &words(&[99])])),
        claim("arrays of all the rest", &claims, &rest),
        claim("packed texts", &[PACKED_STRINGS, 0x7FFF_FFFF], &text(b"").times(SIZE / 4)),
        claim("names of a NodePath", &[NODE_PATH, 0xFFFF_FFFF, 0, 0], &nulls),
        claim("both kinds of names", &[NODE_PATH, 0xFFFF_FFFF, 0xFFFF_FFFF, 0], &nulls),
        claim("bytes", &[PACKED_BYTES, 0x7FFF_FFFF], &nulls),
        claim("a text", &[STRING, 0x7FFF_FFFF], &nulls),
    ]
}

/// Makes an array at this depth whose items are arrays of one null.
pub fn comb_of_arrays(depth: usize) -> Vec<u8> {
    comb(depth, &array(1, &words(NIL))).0
}

pub fn arrays_of_one(count: usize) -> Words {
    array(count, &array(1, &words(INT)))
}

/// Returns the hostile files of the corpus.
pub fn hostile() -> io::Result<Vec<Shape>> {
    files("corpus/hostile", |name, packet| Shape { name: format!("hostile/{name}"), packet })
}

/// Returns a packet for each file of the corpus that Godot 4 wrote. The packet is an array of
/// copies of the file's value.
pub fn engine() -> io::Result<Vec<Shape>> {
    files("corpus/godot4", |name, packet| {
        let value = Words(packet);
        let count = value.often().max(1);
        Shape { name: format!("{count} of {name}"), packet: array(count, &value).0 }
    })
}

fn files(folder: &str, shape: impl Fn(&str, Vec<u8>) -> Shape) -> io::Result<Vec<Shape>> {
    let folder = Path::new(concat!(env!("CARGO_MANIFEST_DIR"), "/..")).join(folder);
    let mut shapes = Vec::new();
    for file in fs::read_dir(folder)? {
        let path = file?.path();
        if path.extension().is_some_and(|extension| extension == "bin") {
            let name = path.file_stem().unwrap_or_default().to_string_lossy();
            shapes.push(shape(&name, fs::read(&path)?));
        }
    }
    shapes.sort_by(|a, b| a.name.cmp(&b.name));
    Ok(shapes)
}
