//! Checks that a schema does not depend on the order of its packets, and can be printed.

use gamewire::godot::schema::{Schema, Shape};
use gamewire::godot::{Dialect, Encoded, ObjectRef, Reader, VariantRef};

/// Maximum number of packets that are made from one value.
const PACKETS: usize = 64;

pub fn godot_schema(data: &[u8]) {
    Dialect::ALL.iter().for_each(|&dialect| schema_as(data, dialect));
}

/// Checks the schema of a value and of the values inside it, each as a packet.
pub fn schema_as(data: &[u8], dialect: Dialect) {
    let Ok(whole) = Reader::new(data, dialect).read_encoded() else { return };
    let mut packets = vec![whole];
    let mut next = 0;
    while packets.len() < PACKETS && next < packets.len() {
        packets.extend(items(packets[next]).into_iter().take(PACKETS));
        next += 1;
    }
    let shape = shape_of(packets.iter());
    assert_eq!(shape.seen(), packets.len() as u64);
    let rows = shape.rows();
    rows.iter().flat_map(|row| row.shape.facts()).for_each(|facts| drop(facts.to_string()));
    assert!(shape.to_rust("Packet").starts_with("// Made by gamewire from "));
    if rows.iter().any(|row| row.shape.is_cut()) {
        return;
    }
    assert!(shape == shape_of(packets.iter().rev()), "{dialect}: in whatever order");
    let again = shape_of(packets.iter().chain(&packets));
    let again = again.rows();
    assert!(rows.iter().map(|row| &row.path).eq(again.iter().map(|row| &row.path)));
    assert!(rows.iter().zip(&again).all(|(once, twice)| 2 * once.of == twice.of), "{dialect}");
}

fn shape_of<'a>(packets: impl Iterator<Item = &'a Encoded<'a>>) -> Shape {
    let mut schema = Schema::new();
    packets.for_each(|packet| schema.add(*packet).unwrap());
    schema.shape()
}

fn items(value: Encoded<'_>) -> Vec<Encoded<'_>> {
    match value.decode() {
        VariantRef::Array(array) => array.iter().encoded().collect(),
        VariantRef::Dictionary(pairs) => pairs.iter().encoded().map(|(_, value)| value).collect(),
        VariantRef::Object(ObjectRef::Full(object)) => {
            object.properties().encoded().map(|(_, value)| value).collect()
        }
        _ => Vec::new(),
    }
}
