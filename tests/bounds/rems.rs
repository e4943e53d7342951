//! Bounds of Rem's Engine saves: texts, binary streams, containers.

use crate::measure::{Entry, Family, Memory, SMALL, Shape, holding, plain, see, shape};
use gamewire::rems::{
    BinaryReader, BinaryWriter, ConvertOptions, Dialect, Era, Item, ItemSource, Part, Plan,
    Pointers, Scalar, Tables, TextReader, TextWriter, Value, compress, convert, decompress,
    from_items, rewrite,
};
use serde::de::IgnoredAny;
use std::cell::RefCell;
use std::hint::black_box;

fn texts() -> Family {
    let entries = vec![
        plain("TextReader::next", |text| all(&mut TextReader::new(text))),
        plain("TextReader::skip", |text| {
            let mut reader = TextReader::new(text);
            while let Ok(Some(_)) = reader.next() {
                if reader.skip().is_err() {
                    break;
                }
            }
        }),
        holding("Pointers::collect of a text", 50, |text| {
            pointers(&mut TextReader::new(text), &mut TextReader::new(text));
        }),
        holding("rems::from_items of a text", 1, |text| {
            see(from_items::<IgnoredAny>(&mut TextReader::new(text)).is_ok());
        }),
        Entry {
            stack: RECURSIVE,
            ..holding("a type inside itself, of a text", 240, |text| {
                see(from_items::<serde_json::Value>(&mut TextReader::new(text)).is_ok());
            })
        },
        holding("rems::rewrite of a text", 6, |text| {
            let mut writer = TextWriter::new(Vec::new(), Dialect::Engine2026);
            see(rewrite(&mut TextReader::new(text), &mut writer, see).is_ok());
        }),
        // Omitted elements are written, up to 16 MiB of them; this input has none.
        holding("rems::convert of a text", 80, |text| see(binary(text))),
    ];
    Family { entries, shapes: shapes(), most: 12_000.0, small: SMALL }
}

#[test]
fn texts_work() {
    texts().work("rems::texts_work");
}

#[test]
fn texts_memory() {
    texts().assert_memory();
}

/// The stack for a recursive type with 128 levels.
const RECURSIVE: usize = 2 << 20;

thread_local! {
    /// The caller's tables, which are reused for every file.
    static TABLES: RefCell<Tables> = RefCell::new(Tables::new());
}

fn binaries() -> Family {
    let entries = vec![
        // Twice 20 bytes per byte while the tables grow.
        holding("BinaryReader::next", 40, |bytes| with(bytes, |reader| all(reader))),
        holding("BinaryReader::skip", 40, |bytes| {
            with(bytes, |reader| {
                while let Ok(Some(_)) = reader.next() {
                    if reader.skip().is_err() {
                        break;
                    }
                }
            });
        }),
        holding("rems::from_items of a stream", 40, |bytes| {
            with(bytes, |reader| see(from_items::<IgnoredAny>(reader).is_ok()));
        }),
        holding("rems::rewrite of a stream", 100, |bytes| {
            with(bytes, |reader| {
                let mut writer = BinaryWriter::new(Vec::new(), ERA);
                see(rewrite(reader, &mut writer, see).is_ok());
            });
        }),
    ];
    let streams =
        streams().map(|Shape { name, make }| shape(name, move |size| binary(&make(size)).unwrap()));
    let damaged = self::streams().map(|Shape { name, make }| {
        shape(name, move |size| {
            let mut stream = binary(&make(size)).unwrap();
            stream.truncate(stream.len() / 8 * 7);
            stream
        })
    });
    let shapes = streams.chain(damaged).collect();
    Family { entries, shapes, most: 12_000.0, small: SMALL }
}

/// Texts of this length that can be converted to streams.
fn streams() -> impl Iterator<Item = Shape> {
    let is_one = |text: &Shape| binary(&(text.make)(SMALL)).is_some_and(|bytes| bytes.len() > 99);
    shapes().into_iter().filter(is_one)
}

const ERA: Era = Era::October2024;

#[test]
fn binaries_work() {
    binaries().work("rems::binaries_work");
}

#[test]
fn binaries_memory() {
    binaries().assert_memory();
}

fn containers() -> Family {
    let entries = vec![Entry {
        // The limit, twice during growth, plus the memory of the inflater.
        memory: Memory::Each(0, 3 * LIMIT + (64 << 10)),
        ..plain("rems::decompress", |bytes| see(decompress(bytes, LIMIT).is_ok()))
    }];
    let shapes = vec![
        // Each byte of it is decompressed to a thousand.
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
    Family { entries, shapes, most: 200_000.0, small: 4 * SMALL }
}

/// Limit on the decompressed size, set by the caller.
const LIMIT: usize = 64 << 10;

#[test]
fn containers_work() {
    containers().work("rems::containers_work");
}

#[test]
fn containers_memory() {
    containers().assert_memory();
}

fn with(bytes: &[u8], run: impl FnOnce(&mut BinaryReader<'_, '_>)) {
    TABLES.with_borrow_mut(|tables| run(&mut BinaryReader::new(bytes, ERA, tables)));
}

/// Reads every item, number and character.
fn all<'a>(items: &mut impl ItemSource<'a>) {
    let mut count = 0;
    while let Ok(Some(item)) = items.next() {
        count += 1;
        if let Item::Value(value) = item {
            count += look(value);
        }
    }
    black_box(count);
}

fn look(value: Value<'_>) -> usize {
    match (value.dim(), value.kind().scalar()) {
        (0, Scalar::Text) => value.text().map_or(0, |text| text.bytes().count()),
        (0, Scalar::I32) => parts::<i32>(value),
        (0, Scalar::F32) => parts::<f32>(value),
        (0, Scalar::F64) => parts::<f64>(value),
        (0, _) => 1,
        _ => value.array().map_or(0, |array| array.iter().written().flatten().map(look).sum()),
    }
}

fn parts<T: Part>(value: Value<'_>) -> usize {
    value.parts::<T>().map_or(0, |parts| parts.len())
}

fn pointers<'a>(first: &mut impl ItemSource<'a>, second: &mut impl ItemSource<'a>) {
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
fn binary(text: &[u8]) -> Option<Vec<u8>> {
    let plan = Plan::of(&mut TextReader::new(text)).ok()?;
    let mut writer = BinaryWriter::new(Vec::new(), ERA).fill_limit(0);
    let how = ConvertOptions { force: true, colors: true };
    convert(&mut TextReader::new(text), &mut writer, &plan, how, see).ok()?;
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

/// Many objects with up to 120 levels of objects and lists.
fn deep(size: usize, head: &str, tail: &str) -> Vec<u8> {
    let depth = (size / (head.len() + tail.len())).min(120);
    let one = format!(r#"{{"class":"A","A:b":{}null{}}}"#, head.repeat(depth), tail.repeat(depth));
    format!("[{}]", vec![&*one; (size / one.len()).max(1)].join(",")).into_bytes()
}

fn shapes() -> Vec<Shape> {
    let each = |name, head: &'static str, piece: fn(usize) -> String, tail: &'static str| {
        shape(name, move |size| many(size, head, piece, tail))
    };
    let row = |name, ty: &'static str, item: &'static str| {
        shape(name, move |size| {
            let count = size / item.len();
            let items = item.repeat(count);
            format!(r#"[{{"class":"A","{ty}":[{count}{items}]}}]"#).into_bytes()
        })
    };
    vec![
        each("objects", "[", |_| r#"{"class":"A"},"#.into(), r#"{"class":"A"}]"#),
        each("numbers", r#"[{"class":"A""#, |_| r#","i:x":1"#.into(), "}]"),
        each("different names", r#"[{"class":"A""#, |n| format!(r#","i:x{n}":1"#), "}]"),
        each(
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
        each("a long text", r#"[{"class":"A","S:t":""#, |_| "a".into(), "\"}]"),
        each("a text of escapes", r#"[{"class":"A","S:t":""#, |_| "\\u00e9".into(), "\"}]"),
        each("a text without an end", r#"[{"class":"A","S:t":""#, |_| "a".into(), ""),
        row("texts", "S[]:t", ",\"\""),
        row("floats", "f[]:t", ",0.1234567"),
        each("long numbers", r#"[{"class":"A","d:t":0."#, |_| "1".into(), "}]"),
        row("rows", "i[][]:t", ",[2,1,2]"),
        row("empty rows", "i[][]:t", ",[0]"),
        each(
            "arrays that claim much",
            r#"[{"class":"A""#,
            |_| r#","i[]:t":[2000000000]"#.into(),
            "}]",
        ),
        each(
            "lists that claim much",
            r#"[{"class":"A""#,
            |_| r#","A[]:t":[2000000000]"#.into(),
            "}]",
        ),
        row("elements", "A[]:t", ",{}"),
        each(
            "numbered from the end",
            "[",
            |n| format!(r#"{{"class":"A","i:*ptr":{},"A:a":{}}},"#, 90_000 - n, n),
            r#"{"class":"A"}]"#,
        ),
        each(
            "the same number again",
            "[",
            |_| r#"{"class":"A","i:*ptr":1,"A:a":1},"#.into(),
            r#"{"class":"A"}]"#,
        ),
        each("blanks", "[", |_| " ".into(), r#"{"class":"A"}]"#),
        shape("deep objects", |size| deep(size, r#"{"A:b":"#, "}")),
        shape("deep lists", |size| {
            let head = r#"{"A[]:b":[1,"#;
            deep(size, head, "]}")
        }),
        each("objects that stay open", "[", |_| r#"{"class":"A","A:b":"#.into(), ""),
        each("brackets that stay open", r#"[{"class":"A","i[][]:b":"#, |_| "[".into(), ""),
    ]
}
