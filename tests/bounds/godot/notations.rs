//! Bounds of printing and parsing text and JSON.

use super::shapes;
use crate::measure::{Entry, Family, SMALL, Shape, Work, holding, plain, see, shape};
use gamewire::godot::json::{Document, Printer};
use gamewire::godot::notation::Reading;
use gamewire::godot::{Dialect, Reader, VariantRef, Writer};
use std::fmt::{self, Write};
use std::hint::black_box;

fn printing() -> Family {
    let entries = vec![
        plain("Debug", |bytes| print(bytes, |value, out| write!(out, "{value:?}"))),
        plain("Debug in lines", |bytes| print(bytes, |value, out| write!(out, "{value:#?}"))),
        // Nested views print the text that is sorted, down to the engine's limit of 100 levels.
        Entry { work: Work::More(60_000.0), ..holding("Display", 25, display) },
        plain("json::Printer", |bytes| json(bytes, false)),
        plain("json::Printer, exact", |bytes| json(bytes, true)),
    ];
    Family { entries, shapes: shapes::all(), most: 10_000.0, small: SMALL }
}

#[test]
fn printing_work() {
    printing().work("godot::notations::printing_work");
}

#[test]
fn printing_memory() {
    printing().assert_memory();
}

/// Counts characters.
struct Nowhere(usize);

impl Write for Nowhere {
    fn write_str(&mut self, text: &str) -> fmt::Result {
        self.0 += text.len();
        Ok(())
    }
}

fn print(bytes: &[u8], print: impl Fn(VariantRef<'_>, &mut Nowhere) -> fmt::Result) {
    let mut out = Nowhere(0);
    if let Ok(value) = Reader::new(bytes, Dialect::Godot4).read() {
        print(value, &mut out).unwrap();
    }
    black_box(out.0);
}

fn json(bytes: &[u8], exact: bool) {
    let mut out = Nowhere(0);
    let mut printer = Printer::new(&mut out).exact(exact);
    see(Reader::new(bytes, Dialect::Godot4).visit(&mut printer));
    black_box(out.0);
}

fn display(bytes: &[u8]) {
    print(bytes, |value, out| write!(out, "{value}"));
}

fn reading() -> Family {
    let entries = vec![
        Entry { stack: DROPS, ..holding("Reading::read", 150, |text| read(text, Dialect::Godot4)) },
        Entry {
            stack: DROPS,
            ..holding("Reading::read of Godot 3", 150, |text| read(text, Dialect::Godot3))
        },
    ];
    Family { entries, shapes: texts(), most: 15_000.0, small: SMALL }
}

/// The stack for owned values, which are dropped recursively.
const DROPS: usize = 2 << 20;

#[test]
fn reading_work() {
    reading().work("godot::notations::reading_work");
}

#[test]
fn reading_memory() {
    reading().assert_memory();
}

fn read(text: &[u8], dialect: Dialect) {
    let text = str::from_utf8(text).unwrap();
    see(Reading::of(dialect).read(text));
    see(Reading::of(dialect).as_the_engine().read(text));
}

fn reading_json() -> Family {
    let entries = vec![holding("json::Document", 30, |text| {
        let Ok(document) = Document::parse(str::from_utf8(text).unwrap()) else { return };
        let mut packet = Vec::new();
        see(document.write(&mut Writer::new(&mut packet, Dialect::Godot4)));
    })];
    let shapes = texts().into_iter().chain(json_texts()).collect();
    Family { entries, shapes, most: 10_000.0, small: SMALL }
}

#[test]
fn reading_json_work() {
    reading_json().work("godot::notations::reading_json_work");
}

#[test]
fn reading_json_memory() {
    reading_json().assert_memory();
}

/// Texts of many pieces inside a container.
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

/// Many values with up to 1,023 levels.
fn deep(size: usize, head: &str, inside: &str, tail: &str) -> Vec<u8> {
    let depth = (size / (head.len() + tail.len())).min(1020);
    let one = [&head.repeat(depth), inside, &tail.repeat(depth)].concat();
    let count = (size / one.len()).max(1);
    format!("[{}]", vec![one; count].join(",")).into_bytes()
}

fn texts() -> Vec<Shape> {
    let again = |name, head: &'static str, piece: &'static str, tail: &'static str| {
        shape(name, move |size| many(size, head, |_| piece.into(), tail))
    };
    let nested = |name, head: &'static str, tail: &'static str| {
        shape(name, move |size| deep(size, head, "1", tail))
    };
    vec![
        again("blanks", "", " ", "1"),
        again("a comment", ";", "x", "\n1"),
        again("comments", "", ";\n", "1"),
        again("a long text", "\"", "a", "\""),
        again("a text of escapes", "\"", "\\u00e9", "\""),
        again("a text without an end", "\"", "a", ""),
        again("a long word", "", "a", ""),
        again("digits", "", "1", ""),
        again("digits behind a point", "0.", "1", ""),
        again("a long exponent", "1e", "1", ""),
        again("signs", "", "-", "1"),
        again("empty arrays", "[", "[],", "[]]"),
        again("floats", "[", "0.1,", "1]"),
        again("long floats", "[", "0.1234567890123456789012345678901234567890,", "1]"),
        again("small floats", "[", "4.9e-324,", "1]"),
        again("empty dictionaries", "[", "{},", "{}]"),
        again("vectors", "[", "Vector2(1,2),", "1]"),
        again("packed texts", "PackedStringArray(", "\"\",", "\"\")"),
        again("too many numbers", "Vector2(", "1,", "1)"),
        again("a typed array", "Array[int]([", "1.5,", "1])"),
        again("the same key again", "{", "\"a\":1,", "\"a\":1}"),
        again("properties", "Object(A,", "\"a\":1,", "\"a\":1)"),
        shape("different keys", |size| many(size, "{", |n| format!("{n}:1,"), "\"\":1}")),
        shape("different texts", |size| {
            many(size, "{", |n| format!("\"{:x}\":1,", n * 0x9E37_79B1), "\"\":1}")
        }),
        nested("deep arrays", "[", "]"),
        nested("deep dictionaries", "{1:", "}"),
        nested("deep in keys", "{", ":1}"),
        nested("deep typed arrays", "Array[Array]([", "])"),
        nested("deep objects", "Object(A,\"b\":", ")"),
        again("brackets that stay open", "", "[", ""),
        again("braces that stay open", "", "{1:", ""),
        again("parentheses that stay open", "", "Vector2(", ""),
    ]
}

fn json_texts() -> Vec<Shape> {
    let nested = |name, head: &'static str, tail: &'static str| {
        shape(name, move |size| {
            let text = String::from_utf8(deep(size, head, "null", tail)).unwrap();
            format!(r#"{{"type":"Array","args":{text}}}"#).into_bytes()
        })
    };
    let again = |name, head: &'static str, piece: &'static str, tail: &'static str| {
        shape(name, move |size| many(size, head, |_| piece.into(), tail))
    };
    vec![
        nested("arrays in arrays", r#"{"type":"Array","args":["#, "]}"),
        nested("args before types", r#"{"args":["#, r#"],"type":"Array"}"#),
        nested("dictionaries in values", r#"{"type":"Dictionary","args":["i:1","#, "]}"),
        nested("dictionaries in keys", r#"{"type":"Dictionary","args":["#, r#","i:1"]}"#),
        nested("objects in objects", r#"{"type":"A","props":["s:b","#, "]}"),
        again("members that mean nothing", "{", r#""a":[[]],"#, r#""type":"Nil"}"#),
        again("types again and again", "{", r#""type":"Array","#, r#""args":[]}"#),
        again("args again and again", "{", r#""args":[],"#, r#""type":"Array"}"#),
        again("ints", r#"{"type":"Array","args":["#, r#""i:1","#, r#""i:1"]}"#),
        again("packed ints", r#"{"type":"PackedInt64Array","args":["#, "1,", "1]}"),
        again("texts", r#"{"type":"Array","args":["#, r#""s:","#, r#""s:"]}"#),
        again("base64", r#"{"type":"PackedByteArray","args":[""#, "AAAA", r#""]}"#),
        again("a NodePath", r#""np:"#, "a/", r#"b""#),
    ]
}
