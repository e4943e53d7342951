//! Tests the accessors of the facts that a schema records for a location.

use super::of_texts;
use gamewire::godot::Kind;
use gamewire::godot::compact::CompactReader;
use gamewire::godot::schema::{Items, Schema, Shape};

fn field<'s>(shape: &'s Shape, name: &str) -> &'s Shape {
    let [facts] = shape.facts() else { panic!("{shape:?}") };
    let Items::Fields(fields) = facts.items() else { panic!("{shape:?}") };
    fields.get(name).unwrap_or_else(|| panic!("{name}")).shape()
}

#[test]
fn facts_describe_each_field() {
    let shape = of_texts(&[
        "{\"hp\": 5, \"at\": Vector2(1, -2), \"name\": \"Ada\", \"list\": Array[int]([1, 2, 3])}",
        "{\"hp\": -7, \"at\": Vector2(0.5, 3), \"name\": \"Bo\", \"list\": Array[int]([4])}",
    ]);
    let facts = |name: &str| field(&shape, name).facts()[0].clone();
    let int = facts("hp");
    assert_eq!((int.kind(), int.seen(), int.wide()), (Kind::Int, 2, 0));
    let spans: Vec<_> = int.ints().iter().map(|span| (span.min, span.max)).collect();
    assert_eq!((spans, int.reals().len(), int.lens()), (vec![(-7, 5)], 0, None));
    let point = facts("at");
    let spans: Vec<_> = point.reals().iter().map(|span| (span.min, span.max)).collect();
    assert_eq!((point.kind(), spans), (Kind::Vector2, vec![(0.5, 1.0), (-2.0, 3.0)]));
    assert!(point.ints().is_empty());
    let text = facts("name");
    assert!(text.texts().iter().eq(["Ada", "Bo"]));
    assert!(text.texts().is_all() && text.texts().is_utf8());
    assert_eq!(text.lens().map(|lens| (lens.min, lens.max)), Some((2, 3)));
    let list = facts("list");
    assert_eq!(list.lens().map(|lens| (lens.min, lens.max)), Some((1, 3)));
    assert!(list.types().iter().eq(["[int]"]), "{:?}", list.types());
    let pairs = &shape.facts()[0];
    assert!(
        matches!(pairs.items(), Items::Fields(fields) if fields.len() == 4 && !fields.is_empty())
    );
    assert!(matches!(pairs.items(), Items::Fields(fields) if fields.get("none").is_none()));
}

#[test]
fn compact_values_are_recorded() {
    let mut schema = Schema::default();
    assert_eq!((schema.packets(), schema.shape().seen()), (0, 0));
    // The compact ints 5 and 300, a compact true, and a full String.
    let bytes = b"\x02\x05\x42\x2c\x01\x81\x04\0\0\0\x01\0\0\0x\0\0\0";
    let mut values = CompactReader::new(bytes);
    let mut count = 0;
    while !values.is_empty() {
        schema.add(values.read_encoded().unwrap()).unwrap();
        count += 1;
    }
    assert_eq!((count, schema.packets()), (4, 4));
    let shape = schema.shape();
    let seen: Vec<_> = shape.facts().iter().map(|facts| (facts.kind(), facts.seen())).collect();
    assert_eq!(seen.len(), 3);
    assert!(seen.contains(&(Kind::Int, 2)) && seen.contains(&(Kind::Bool, 1)));
    assert!(seen.contains(&(Kind::String, 1)));
}
