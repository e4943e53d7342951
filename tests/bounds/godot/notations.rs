//! Bounds of printing and parsing text and JSON.

use super::shapes;
use crate::measure::{
    Entry, Family, SMALL_INPUT, Shape, Work, consume, shape, with_memory, without_allocation,
};
use gamewire::godot::json::{Document, Printer};
use gamewire::godot::notation::Reading;
use gamewire::godot::{Dialect, Reader, VariantRef, Writer};
use std::fmt::{self, Write};
use std::hint::black_box;

fn printing() -> Family {
    let entries = vec![
        without_allocation("Debug", |bytes| print(bytes, |value, out| write!(out, "{value:?}"))),
        without_allocation("Debug in lines", |bytes| {
            print(bytes, |value, out| write!(out, "{value:#?}"))
        }),
        // The work per byte is proportional to the depth, which the engine's notation limits to 100
        // levels.
        Entry { work: Work::AtMost(60_000.0), ..with_memory("Display", 25, print_display) },
        without_allocation("json::Printer", |bytes| print_json(bytes, false)),
        without_allocation("json::Printer, exact", |bytes| print_json(bytes, true)),
    ];
    Family {
        entries,
        shapes: shapes::all(),
        max_instructions_per_byte: 10_000.0,
        small_input: SMALL_INPUT,
    }
}

#[test]
fn printing_work() {
    printing().assert_work("godot::notations::printing_work");
}

#[test]
fn printing_memory() {
    printing().assert_memory();
}

/// A writer that counts bytes.
struct CountingWriter(usize);

impl Write for CountingWriter {
    fn write_str(&mut self, text: &str) -> fmt::Result {
        self.0 += text.len();
        Ok(())
    }
}

fn print(bytes: &[u8], print: impl Fn(VariantRef<'_>, &mut CountingWriter) -> fmt::Result) {
    let mut out = CountingWriter(0);
    if let Ok(value) = Reader::new(bytes, Dialect::Godot4).read() {
        print(value, &mut out).unwrap();
    }
    black_box(out.0);
}

fn print_json(bytes: &[u8], exact: bool) {
    let mut out = CountingWriter(0);
    let mut printer = Printer::new(&mut out).exact(exact);
    consume(Reader::new(bytes, Dialect::Godot4).visit(&mut printer));
    black_box(out.0);
}

fn print_display(bytes: &[u8]) {
    print(bytes, |value, out| write!(out, "{value}"));
}

fn reading() -> Family {
    let entries = vec![
        with_memory("Reading::read", 150, |text| read_text(text, Dialect::Godot4)),
        with_memory("Reading::read of Godot 3", 150, |text| read_text(text, Dialect::Godot3)),
    ];
    Family {
        entries,
        shapes: texts(),
        max_instructions_per_byte: 15_000.0,
        small_input: SMALL_INPUT,
    }
}

#[test]
fn reading_work() {
    reading().assert_work("godot::notations::reading_work");
}

#[test]
fn reading_memory() {
    reading().assert_memory();
}

fn read_text(text: &[u8], dialect: Dialect) {
    let text = str::from_utf8(text).unwrap();
    consume(Reading::of(dialect).read(text));
    consume(Reading::of(dialect).as_the_engine().read(text));
}

fn reading_json() -> Family {
    let entries = vec![with_memory("json::Document", 30, |text| {
        let Ok(document) = Document::parse(str::from_utf8(text).unwrap()) else { return };
        let mut packet = Vec::new();
        consume(document.write(&mut Writer::new(&mut packet, Dialect::Godot4)));
    })];
    let shapes = texts().into_iter().chain(json_texts()).collect();
    Family { entries, shapes, max_instructions_per_byte: 10_000.0, small_input: SMALL_INPUT }
}

#[test]
fn reading_json_work() {
    reading_json().assert_work("godot::notations::reading_json_work");
}

#[test]
fn reading_json_memory() {
    reading_json().assert_memory();
}

/// Returns a text of about `size` bytes: `head`, many pieces, and `tail`.
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

/// Returns the text of an array of values, each with up to 1,020 levels inside.
fn deep(size: usize, head: &str, inside: &str, tail: &str) -> Vec<u8> {
    let depth = (size / (head.len() + tail.len())).min(1020);
    let one = [&head.repeat(depth), inside, &tail.repeat(depth)].concat();
    let count = (size / one.len()).max(1);
    format!("[{}]", vec![one; count].join(",")).into_bytes()
}

fn texts() -> Vec<Shape> {
    let repeated = |name, head: &'static str, piece: &'static str, tail: &'static str| {
        shape(name, move |size| many(size, head, |_| piece.into(), tail))
    };
    let nested = |name, head: &'static str, tail: &'static str| {
        shape(name, move |size| deep(size, head, "1", tail))
    };
    vec![
        repeated("blanks", "", " ", "1"),
        repeated("a comment", ";", "x", "\n1"),
        repeated("comments", "", ";\n", "1"),
        repeated("a long text", "\"", "a", "\""),
        repeated("a text of escapes", "\"", "\\u00e9", "\""),
        repeated("a text without an end", "\"", "a", ""),
        repeated("a long word", "", "a", ""),
        repeated("digits", "", "1", ""),
        repeated("digits behind a point", "0.", "1", ""),
        repeated("a long exponent", "1e", "1", ""),
        repeated("signs", "", "-", "1"),
        repeated("empty arrays", "[", "[],", "[]]"),
        repeated("floats", "[", "0.1,", "1]"),
        repeated("long floats", "[", "0.1234567890123456789012345678901234567890,", "1]"),
        repeated("small floats", "[", "4.9e-324,", "1]"),
        repeated("empty dictionaries", "[", "{},", "{}]"),
        repeated("vectors", "[", "Vector2(1,2),", "1]"),
        repeated("packed texts", "PackedStringArray(", "\"\",", "\"\")"),
        repeated("too many numbers", "Vector2(", "1,", "1)"),
        repeated("a typed array", "Array[int]([", "1.5,", "1])"),
        repeated("the same key again", "{", "\"a\":1,", "\"a\":1}"),
        repeated("properties", "Object(A,", "\"a\":1,", "\"a\":1)"),
        shape("different keys", |size| many(size, "{", |n| format!("{n}:1,"), "\"\":1}")),
        shape("different texts", |size| {
            many(size, "{", |n| format!("\"{:x}\":1,", n * 0x9E37_79B1), "\"\":1}")
        }),
        nested("deep arrays", "[", "]"),
        nested("deep dictionaries", "{1:", "}"),
        nested("deep in keys", "{", ":1}"),
        nested("deep typed arrays", "Array[Array]([", "])"),
        nested("deep objects", "Object(A,\"b\":", ")"),
        repeated("brackets that stay open", "", "[", ""),
        repeated("braces that stay open", "", "{1:", ""),
        repeated("parentheses that stay open", "", "Vector2(", ""),
    ]
}

fn json_texts() -> Vec<Shape> {
    let nested = |name, head: &'static str, tail: &'static str| {
        shape(name, move |size| {
            let text = String::from_utf8(deep(size, head, "null", tail)).unwrap();
            format!(r#"{{"type":"Array","args":{text}}}"#).into_bytes()
        })
    };
    let repeated = |name, head: &'static str, piece: &'static str, tail: &'static str| {
        shape(name, move |size| many(size, head, |_| piece.into(), tail))
    };
    vec![
        nested("arrays in arrays", r#"{"type":"Array","args":["#, "]}"),
        nested("args before types", r#"{"args":["#, r#"],"type":"Array"}"#),
        nested("dictionaries in values", r#"{"type":"Dictionary","args":["i:1","#, "]}"),
        nested("dictionaries in keys", r#"{"type":"Dictionary","args":["#, r#","i:1"]}"#),
        nested("objects in objects", r#"{"type":"A","props":["s:b","#, "]}"),
        repeated("members that mean nothing", "{", r#""a":[[]],"#, r#""type":"Nil"}"#),
        repeated("types again and again", "{", r#""type":"Array","#, r#""args":[]}"#),
        repeated("args again and again", "{", r#""args":[],"#, r#""type":"Array"}"#),
        repeated("ints", r#"{"type":"Array","args":["#, r#""i:1","#, r#""i:1"]}"#),
        repeated("packed ints", r#"{"type":"PackedInt64Array","args":["#, "1,", "1]}"),
        repeated("texts", r#"{"type":"Array","args":["#, r#""s:","#, r#""s:"]}"#),
        repeated("base64", r#"{"type":"PackedByteArray","args":[""#, "AAAA", r#""]}"#),
        repeated("a NodePath", r#""np:"#, "a/", r#"b""#),
    ]
}
