//! Tests the bounds of reading packages (names, tables and objects) and of editing them.

use super::recursive;
use crate::measure::{
    Entry, Family, Memory, SMALL_INPUT, Work, consume, with_memory, without_allocation,
};
use crate::support::hostile::unreal_packages::shapes;
use gamewire::unreal::{Package, PackageDocument, PackageEditor, PackageIndex, Progress, Scanner};
use std::fmt::{self, Write};
use std::hint::black_box;

fn family() -> Family {
    let entries = vec![
        without_allocation("Package::peek", |file| {
            black_box(Package::peek(file).2.is_some());
        }),
        without_allocation("Package::open", |file| consume(Package::open(file).is_ok())),
        without_allocation("tables of a package", |file| with_package(file, read_tables)),
        without_allocation("Package::verify", |file| {
            with_package(file, |package| consume(package.verify(consume)));
        }),
        without_allocation("Scanner", |file| {
            with_package(file, |package| {
                let mut scanner = Scanner::new(package);
                while let Ok(Progress::Working) = scanner.tick(100, consume) {}
            });
        }),
        // A search for one name may scan a 128th of all names.
        superlinear(with_memory("Package::with_name_index", 2, |file| {
            if let Ok(package) = Package::open(file) {
                read_names(&package.with_name_index());
            }
        })),
        superlinear(without_allocation("Package::name", |file| with_package(file, read_names))),
        superlinear(without_allocation("Package::path_of", |file| with_package(file, print_paths))),
        superlinear(without_allocation("Package::find_export", |file| {
            with_package(file, |package| consume(package.find_export("no such object").is_some()));
        })),
        superlinear(recursive(with_memory("a package by serde", 1, |file| {
            with_package(file, |package| {
                consume(serde_json::to_writer(std::io::sink(), package).is_ok())
            });
        }))),
        superlinear(recursive(with_memory("PackageDocument::write", 1000, |file| {
            with_package(file, |package| {
                let json = serde_json::to_vec(&package.document()).unwrap();
                let document = serde_json::from_slice::<PackageDocument>(&json);
                let mut json = serde_json::Deserializer::from_slice(&json);
                consume(document.is_ok_and(|document| document.write(&mut json).is_ok()));
            });
        }))),
        superlinear(Entry {
            memory: Memory::PerByte(80, 64 << 10),
            ..without_allocation("PackageEditor", |file| {
                with_package(file, |package| {
                    if let Ok(mut editor) = PackageEditor::new(package) {
                        consume(editor.add_name("another name").is_ok());
                        consume(editor.write().is_ok());
                    }
                });
            })
        }),
    ];
    Family {
        entries,
        shapes: shapes(),
        max_instructions_per_byte: 6_000.0,
        small_input: 2 * SMALL_INPUT,
    }
}

/// Allows work that is not linear in the input: up to 80,000 instructions per byte.
fn superlinear(entry: Entry) -> Entry {
    Entry { work: Work::AtMost(80_000.0), ..entry }
}

#[test]
fn work() {
    family().assert_work("unreal::packages::work");
}

#[test]
fn memory() {
    family().assert_memory();
}

fn with_package(file: &[u8], run: impl FnOnce(&Package<'_>)) {
    if let Ok(package) = Package::open(file) {
        run(&package);
    }
}

fn read_tables(package: &Package<'_>) {
    let imports = package.imports().flatten().filter(|import| import.outer.is_null()).count();
    let exports = package.exports().flatten().map(|export| export.serial.size).sum::<i64>();
    let bytes = package.names().flatten().map(|name| name.text.bytes().len()).sum::<usize>();
    let depends = package.depends().flatten().map(|list| list.len()).sum::<usize>();
    black_box((imports, exports, bytes, depends, package.soft_package_references().count()));
    consume((package.asset_registry().is_ok(), package.thumbnails().is_ok()));
}

/// A writer that counts bytes.
struct CountingWriter(usize);

impl Write for CountingWriter {
    fn write_str(&mut self, text: &str) -> fmt::Result {
        self.0 += text.len();
        Ok(())
    }
}

/// Reads the name of every object.
fn read_names(package: &Package<'_>) {
    let exports = package.exports().flatten().map(|export| export.object_name);
    let imports = package.imports().flatten().map(|import| import.object_name);
    black_box(exports.chain(imports).filter(|name| package.name(*name).is_some()).count());
}

fn print_paths(package: &Package<'_>) {
    let (imports, exports) = (package.imports().len() as i32, package.exports().len() as i32);
    for index in -imports..=exports {
        write!(CountingWriter(0), "{}", package.path_of(PackageIndex(index))).unwrap();
    }
}
