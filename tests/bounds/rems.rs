//! Bounds of Rem's Engine saves: texts, binary streams, containers.

use crate::measure::{
    Entry, Family, Memory, SMALL_INPUT, Shape, consume, shape, with_memory, without_allocation,
};
use gamewire::rems::{
    BinaryReader, BinaryWriter, Compared, ConvertOptions, Dialect, Era, Item, ItemSource,
    OutputFormat, Part, Plan, Pointers, Scalar, Tables, TextReader, TextWriter, Value, compress,
    convert, decompress, from_items, rewrite, verify,
};
use serde::de::IgnoredAny;
use std::cell::RefCell;
use std::hint::black_box;

fn texts() -> Family {
    let entries = vec![
        without_allocation("TextReader::next", |text| read_all(&mut TextReader::new(text))),
        without_allocation("TextReader::skip", |text| {
            let mut reader = TextReader::new(text);
            while let Ok(Some(_)) = reader.next() {
                if reader.skip().is_err() {
                    break;
                }
            }
        }),
        with_memory("Pointers::collect of a text", 50, |text| {
            collect_pointers(&mut TextReader::new(text), &mut TextReader::new(text));
        }),
        with_memory("rems::from_items of a text", 1, |text| {
            consume(from_items::<IgnoredAny>(&mut TextReader::new(text)).is_ok());
        }),
        Entry {
            stack: RECURSIVE_STACK,
            ..with_memory("a type inside itself, of a text", 240, |text| {
                consume(from_items::<serde_json::Value>(&mut TextReader::new(text)).is_ok());
            })
        },
        with_memory("rems::rewrite of a text", 6, |text| {
            let mut writer = TextWriter::new(Vec::new(), Dialect::Engine2026);
            consume(rewrite(&mut TextReader::new(text), &mut writer, consume).is_ok());
        }),
        // By default, the writer adds up to 16 MiB for omitted elements. Here, its limit is 0.
        with_memory("rems::convert of a text", 80, |text| consume(to_binary(text))),
        with_memory("rems::verify of a text", 106, |text| consume(verify_rewritten(text))),
    ];
    Family {
        entries,
        shapes: shapes(),
        max_instructions_per_byte: 12_000.0,
        small_input: SMALL_INPUT,
    }
}

#[test]
fn texts_work() {
    texts().assert_work("rems::texts_work");
}

#[test]
fn texts_memory() {
    texts().assert_memory();
}

/// The stack for a recursive type with 128 levels.
const RECURSIVE_STACK: usize = 2 << 20;

thread_local! {
    /// The caller's tables, which are reused for every file.
    static TABLES: RefCell<Tables> = RefCell::new(Tables::new());
}

fn binaries() -> Family {
    let entries = vec![
        // The tables take 20 bytes per byte of input, and twice as much while they grow.
        with_memory("BinaryReader::next", 40, |bytes| {
            with_reader(bytes, |reader| read_all(reader))
        }),
        with_memory("BinaryReader::skip", 40, |bytes| {
            with_reader(bytes, |reader| {
                while let Ok(Some(_)) = reader.next() {
                    if reader.skip().is_err() {
                        break;
                    }
                }
            });
        }),
        with_memory("rems::from_items of a stream", 40, |bytes| {
            with_reader(bytes, |reader| consume(from_items::<IgnoredAny>(reader).is_ok()));
        }),
        with_memory("rems::rewrite of a stream", 100, |bytes| {
            with_reader(bytes, |reader| {
                let mut writer = BinaryWriter::new(Vec::new(), ERA);
                consume(rewrite(reader, &mut writer, consume).is_ok());
            });
        }),
    ];
    let streams = streams()
        .map(|Shape { name, make }| shape(name, move |size| to_binary(&make(size)).unwrap()));
    let damaged = self::streams().map(|Shape { name, make }| {
        shape(name, move |size| {
            let mut stream = to_binary(&make(size)).unwrap();
            stream.truncate(stream.len() / 8 * 7);
            stream
        })
    });
    let shapes = streams.chain(damaged).collect();
    Family { entries, shapes, max_instructions_per_byte: 12_000.0, small_input: SMALL_INPUT }
}

/// Writes a text again and compares the result with it.
fn verify_rewritten(text: &[u8]) -> Option<()> {
    let mut writer = TextWriter::new(Vec::new(), Dialect::Engine2026);
    rewrite(&mut TextReader::new(text), &mut writer, consume).ok()?;
    let written = writer.finish().ok()?;
    let (mut slots, mut others) = (Vec::new(), Vec::new());
    let before = Pointers::collect(&mut TextReader::new(text), &mut slots).ok()?;
    let after = Pointers::collect(&mut TextReader::new(&written), &mut others).ok()?;
    let before = Compared { items: &mut TextReader::new(text), pointers: &before };
    let after = Compared { items: &mut TextReader::new(&written), pointers: &after };
    let format = OutputFormat::Text(Dialect::Engine2026);
    verify(before, after, format, &mut |difference, at| consume((difference, at))).ok()
}

/// Returns the shapes of texts that can be converted to streams of at least 100 bytes.
fn streams() -> impl Iterator<Item = Shape> {
    let is_convertible =
        |text: &Shape| to_binary(&(text.make)(SMALL_INPUT)).is_some_and(|bytes| bytes.len() > 99);
    shapes().into_iter().filter(is_convertible)
}

const ERA: Era = Era::October2024;

#[test]
fn binaries_work() {
    binaries().assert_work("rems::binaries_work");
}

#[test]
fn binaries_memory() {
    binaries().assert_memory();
}

fn containers() -> Family {
    let entries = vec![Entry {
        // The output, which takes up to three times the limit while it grows, and the memory of the
        // inflater.
        memory: Memory::PerByte(0, 3 * LIMIT + (64 << 10)),
        ..without_allocation("rems::decompress", |bytes| consume(decompress(bytes, LIMIT).is_ok()))
    }];
    let shapes = vec![
        // Each byte of this input is decompressed to about a thousand bytes.
        shape("zeros", |_| compress(&vec![0; 2 * LIMIT], 1)),
        shape("what cannot be compressed", |size| {
            let mut state = 1_u32;
            let noise = (0..size).map(|_| {
                state = state.wrapping_mul(1_664_525).wrapping_add(1_013_904_223);
                (state >> 24) as u8
            });
            compress(&noise.collect::<Vec<_>>(), 9)
        }),
    ];
    Family { entries, shapes, max_instructions_per_byte: 200_000.0, small_input: 4 * SMALL_INPUT }
}

/// Limit on the decompressed size, set by the caller.
const LIMIT: usize = 64 << 10;

#[test]
fn containers_work() {
    containers().assert_work("rems::containers_work");
}

#[test]
fn containers_memory() {
    containers().assert_memory();
}

fn with_reader(bytes: &[u8], run: impl FnOnce(&mut BinaryReader<'_, '_>)) {
    TABLES.with_borrow_mut(|tables| run(&mut BinaryReader::new(bytes, ERA, tables)));
}

/// Reads every item, number and character.
fn read_all<'a>(items: &mut impl ItemSource<'a>) {
    let mut count = 0;
    while let Ok(Some(item)) = items.next() {
        count += 1;
        if let Item::Value(value) = item {
            count += read_value(value);
        }
    }
    black_box(count);
}

fn read_value(value: Value<'_>) -> usize {
    match (value.dim(), value.kind().scalar()) {
        (0, Scalar::Text) => value.text().map_or(0, |text| text.bytes().count()),
        (0, Scalar::I32) => count_parts::<i32>(value),
        (0, Scalar::F32) => count_parts::<f32>(value),
        (0, Scalar::F64) => count_parts::<f64>(value),
        (0, _) => 1,
        _ => {
            value.array().map_or(0, |array| array.iter().written().flatten().map(read_value).sum())
        }
    }
}

fn count_parts<T: Part>(value: Value<'_>) -> usize {
    value.parts::<T>().map_or(0, |parts| parts.len())
}

fn collect_pointers<'a>(first: &mut impl ItemSource<'a>, second: &mut impl ItemSource<'a>) {
    let mut slots = Vec::new();
    if let Ok(pointers) = Pointers::collect(first, &mut slots) {
        let mut found = pointers.duplicates().count();
        while let Ok(Some(item)) = second.next() {
            if let Item::Pointer(number) = item {
                found += usize::from(pointers.get(number).object().is_some());
            }
        }
        black_box(found);
    }
}

/// Converts a text to a stream.
fn to_binary(text: &[u8]) -> Option<Vec<u8>> {
    let plan = Plan::of(&mut TextReader::new(text)).ok()?;
    let mut writer = BinaryWriter::new(Vec::new(), ERA).fill_limit(0);
    let options = ConvertOptions { force: true, colors: true };
    convert(&mut TextReader::new(text), &mut writer, &plan, options, consume).ok()?;
    writer.finish().ok()
}

fn many(size: usize, head: &str, piece: impl Fn(usize) -> String, tail: &str) -> Vec<u8> {
    let mut text = head.to_owned();
    for number in 0.. {
        if text.len() >= size {
            break;
        }
        text += &piece(number);
    }
    (text + tail).into_bytes()
}

/// Returns a list of objects, each with up to 120 levels of nested values.
fn deep(size: usize, head: &str, tail: &str) -> Vec<u8> {
    let depth = (size / (head.len() + tail.len())).min(120);
    let one = format!(r#"{{"class":"A","A:b":{}null{}}}"#, head.repeat(depth), tail.repeat(depth));
    format!("[{}]", vec![&*one; (size / one.len()).max(1)].join(",")).into_bytes()
}

fn shapes() -> Vec<Shape> {
    let repeated = |name, head: &'static str, piece: fn(usize) -> String, tail: &'static str| {
        shape(name, move |size| many(size, head, piece, tail))
    };
    let array_of = |name, ty: &'static str, item: &'static str| {
        shape(name, move |size| {
            let count = size / item.len();
            let items = item.repeat(count);
            format!(r#"[{{"class":"A","{ty}":[{count}{items}]}}]"#).into_bytes()
        })
    };
    vec![
        repeated("objects", "[", |_| r#"{"class":"A"},"#.into(), r#"{"class":"A"}]"#),
        repeated("numbers", r#"[{"class":"A""#, |_| r#","i:x":1"#.into(), "}]"),
        repeated("different names", r#"[{"class":"A""#, |n| format!(r#","i:x{n}":1"#), "}]"),
        repeated(
            "different classes",
            "[",
            |n| format!(r#"{{"class":"A{n}","i:x":1}},"#),
            r#"{"class":"A"}]"#,
        ),
        shape("classes that go on where others end", |size| {
            let count = size.isqrt();
            many(
                size,
                "[",
                |n| format!(r#"{{"class":"{}"}},"#, "a".repeat(n % count + 1)),
                r#"{"class":"A"}]"#,
            )
        }),
        shape("one long class again and again", |size| {
            let class = "a".repeat(size / 4);
            let head = format!(r#"[{{"class":"{class}"}}"#);
            many(size, &head, |_| format!(r#",{{"class":"{class}"}}"#), "]")
        }),
        repeated("a long text", r#"[{"class":"A","S:t":""#, |_| "a".into(), "\"}]"),
        repeated("a text of escapes", r#"[{"class":"A","S:t":""#, |_| "\\u00e9".into(), "\"}]"),
        repeated("a text without an end", r#"[{"class":"A","S:t":""#, |_| "a".into(), ""),
        array_of("texts", "S[]:t", ",\"\""),
        array_of("floats", "f[]:t", ",0.1234567"),
        repeated("long numbers", r#"[{"class":"A","d:t":0."#, |_| "1".into(), "}]"),
        array_of("rows", "i[][]:t", ",[2,1,2]"),
        array_of("empty rows", "i[][]:t", ",[0]"),
        repeated(
            "arrays that claim much",
            r#"[{"class":"A""#,
            |_| r#","i[]:t":[2000000000]"#.into(),
            "}]",
        ),
        repeated(
            "lists that claim much",
            r#"[{"class":"A""#,
            |_| r#","A[]:t":[2000000000]"#.into(),
            "}]",
        ),
        array_of("elements", "A[]:t", ",{}"),
        repeated(
            "numbered from the end",
            "[",
            |n| format!(r#"{{"class":"A","i:*ptr":{},"A:a":{}}},"#, 90_000 - n, n),
            r#"{"class":"A"}]"#,
        ),
        repeated(
            "the same number again",
            "[",
            |_| r#"{"class":"A","i:*ptr":1,"A:a":1},"#.into(),
            r#"{"class":"A"}]"#,
        ),
        repeated("blanks", "[", |_| " ".into(), r#"{"class":"A"}]"#),
        shape("deep objects", |size| deep(size, r#"{"A:b":"#, "}")),
        shape("deep lists", |size| {
            let head = r#"{"A[]:b":[1,"#;
            deep(size, head, "]}")
        }),
        repeated("objects that stay open", "[", |_| r#"{"class":"A","A:b":"#.into(), ""),
        repeated("brackets that stay open", r#"[{"class":"A","i[][]:b":"#, |_| "[".into(), ""),
    ]
}
