//! Entry points that read saves of Rem's Engine.

use core::hint::black_box;
use gamewire::rems::{Item, TextReader, Value};

pub fn text(data: &[u8]) {
    let mut reader = TextReader::new(data);
    while let Ok(Some(item)) = reader.next() {
        if let Item::Value(value) = item {
            look(value, 3);
        }
        black_box(item);
    }
}

fn look(value: Value<'_>, depth: u32) {
    let Some(deeper) = depth.checked_sub(1) else { return };
    _ = black_box((value.dim(), value.kind()));
    _ = black_box(value.parts::<f32>());
    _ = black_box(value.parts::<i64>());
    if let Ok(text) = value.text() {
        black_box((text.raw(), text.has_escapes(), text.bytes().count()));
    }
    if let Ok(array) = value.array() {
        array.iter().flatten().for_each(|element| look(element, deeper));
    }
}
