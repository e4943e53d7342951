//! Asserts that reading Rem's Engine files and writing text saves does not allocate, except that
//! the tables for binary streams allocate when they are first used.

use crate::counting::without_allocating;
use gamewire::SliceSink;
use gamewire::rems::{
    BinaryReader, Dialect, Era, Error, Item, ItemSource, Object, Part, Pointers, Scalar, Slot,
    Tables, TextReader, TextWriter, Value, Visitor, rewrite,
};
use std::fs;
use std::path::{Path, PathBuf};

fn files(folder: &str, suffix: &str) -> Vec<(PathBuf, Vec<u8>)> {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("corpus/rems").join(folder);
    let files = fs::read_dir(folder).unwrap().map(|entry| entry.unwrap().path());
    let files = files.filter(|path| path.to_str().unwrap().ends_with(suffix));
    files.map(|path| (path.clone(), fs::read(path).unwrap())).collect()
}

#[test]
fn reading_texts_does_not_allocate() {
    let mut count = 0;
    for (folder, suffix) in [("2021", ".text.json"), ("2026", ".pretty.json"), ("real", ".json")] {
        for (path, bytes) in files(folder, suffix) {
            // The reader rejects this file.
            if path.to_str().unwrap().contains("/53_") {
                continue;
            }
            count += 1;
            without_allocating(&path.to_string_lossy(), || {
                let found = read(&mut TextReader::new(&bytes));
                let mut visited = Objects(0);
                TextReader::new(&bytes).visit(&mut visited).unwrap();
                assert_eq!(visited.0, found);
                let mut slots = [Slot::default(); 600];
                let pointers = Pointers::index(&mut TextReader::new(&bytes), &mut slots).unwrap();
                assert_eq!(pointers.objects().count(), found);
                for object in pointers.objects() {
                    assert!(TextReader::at(&bytes, object).next().unwrap().is_some());
                }
            });
        }
    }
    assert!(count > 80);
}

/// The caller can reuse one vector of slots for all files.
#[test]
fn reused_slots_do_not_allocate() {
    let mut spare = Vec::with_capacity(600);
    for (path, bytes) in files("real", ".json") {
        without_allocating(&path.to_string_lossy(), || {
            let mut slots = Slot::recycle(std::mem::take(&mut spare));
            let pointers = Pointers::collect(&mut TextReader::new(&bytes), &mut slots).unwrap();
            assert!(pointers.objects().count() > 0);
            spare = Slot::recycle(slots);
        });
    }
    assert!(spare.capacity() >= 600);
}

/// The slice is exactly as long as the text save that is written to it.
#[test]
fn writing_texts_does_not_allocate() {
    for (folder, dialect) in [("2021", Dialect::Engine2021), ("2026", Dialect::Engine2026)] {
        for (path, bytes) in files(folder, ".text.json") {
            if path.to_str().unwrap().contains("/53_") {
                continue;
            }
            let mut memory = vec![0; bytes.len()];
            without_allocating(&path.to_string_lossy(), || {
                let mut writer = TextWriter::new(SliceSink::new(&mut memory), dialect);
                rewrite(&mut TextReader::new(&bytes), &mut writer, |_| {}).unwrap();
                assert_eq!(writer.finish().unwrap().written(), bytes);
            });
        }
    }
}

#[test]
fn reading_binaries_does_not_allocate_after_warm_up() {
    let mut tables = Tables::new();
    let mut count = 0;
    for (folder, era) in [("2021", Era::October2021), ("2026", Era::October2024)] {
        for (path, bytes) in files(folder, ".binary.bin") {
            read(&mut BinaryReader::new(&bytes, era, &mut tables));
            count += 1;
            without_allocating(&path.to_string_lossy(), || {
                let found = read(&mut BinaryReader::new(&bytes, era, &mut tables));
                let mut visited = Objects(0);
                BinaryReader::new(&bytes, era, &mut tables).visit(&mut visited).unwrap();
                assert_eq!(visited.0, found);
                let mut slots = [Slot::default(); 600];
                let mut reader = BinaryReader::new(&bytes, era, &mut tables);
                let pointers = Pointers::index(&mut reader, &mut slots).unwrap();
                for object in pointers.objects() {
                    let mut reader = BinaryReader::at(&bytes, era, &tables, object);
                    assert!(reader.next().unwrap().is_some());
                }
            });
        }
    }
    assert_eq!(count, 73);
}

/// A visitor that counts objects.
struct Objects(usize);

impl<'a> Visitor<'a> for Objects {
    type Error = Error;

    fn object(&mut self, _: &Object<'a>) -> Result<(), Error> {
        self.0 += 1;
        Ok(())
    }
}

/// Reads all items and returns the number of objects.
fn read<'a>(items: &mut impl ItemSource<'a>) -> usize {
    let mut objects = 0;
    while let Some(item) = items.next().unwrap() {
        match item {
            Item::Object(object) => {
                objects += 1;
                assert!(!object.class.is_empty());
            }
            Item::Value(value) => read_value(value),
            _ => {}
        }
    }
    objects
}

fn read_value(value: Value<'_>) {
    match (value.dim(), value.kind().scalar()) {
        (0, Scalar::Text) => {
            let text = value.text().unwrap();
            assert_eq!(text.bytes().count() == text.raw().len(), !text.has_escapes());
        }
        (0, Scalar::Bool) => read_parts::<bool>(value),
        (0, Scalar::I8) => read_parts::<i8>(value),
        (0, Scalar::Char) => read_parts::<u16>(value),
        (0, Scalar::I16) => read_parts::<i16>(value),
        (0, Scalar::I32) => read_parts::<i32>(value),
        (0, Scalar::I64) => read_parts::<i64>(value),
        (0, Scalar::F32) => read_parts::<f32>(value),
        (0, Scalar::F64) => read_parts::<f64>(value),
        _ => value.array().unwrap().iter().for_each(|element| read_value(element.unwrap())),
    }
}

fn read_parts<T: Part>(value: Value<'_>) {
    assert_eq!(value.parts::<T>().unwrap().len(), value.kind().parts());
}
