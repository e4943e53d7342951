//! Tests the bounds of printing and parsing text and JSON.

use crate::measure::{Entry, Family, SMALL_INPUT, Work, consume, with_memory, without_allocation};
use crate::support::hostile::godot as shapes;
use crate::support::hostile::godot_texts::{json_texts, texts};
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
