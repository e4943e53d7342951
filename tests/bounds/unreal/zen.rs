//! Tests the bounds of reading packages from `IoStore` containers.

use super::recursive;
use crate::measure::{Entry, Family, SMALL_INPUT, Work, consume, with_memory, without_allocation};
use crate::support::hostile::unversioned::mappings;
use crate::support::hostile::zen::shapes;
use gamewire::unreal::tables::ObjectIndex;
use gamewire::unreal::{Mappings, ScriptNames, Versions, ZenPackage};
use std::fmt::{self, Write};
use std::hint::black_box;
use std::sync::OnceLock;

fn family() -> Family {
    let entries = vec![
        without_allocation("ZenPackage::is_zen", |file| consume(ZenPackage::is_zen(file))),
        without_allocation("ZenPackage::open", |file| consume(ZenPackage::open(file).is_ok())),
        without_allocation("tables of a Zen package", |file| with_package(file, read_tables)),
        // Below engine 5.3, an export is found by passing over the others.
        superlinear(without_allocation("ZenPackage::verify", |file| {
            with_package(file, |package| consume(package.verify(consume)));
        })),
        with_memory("ZenPackage::with_index", 2, |file| {
            with_package(file, |package| consume(package.clone().with_index().verify(consume)));
        }),
        superlinear(without_allocation("ZenPackage::path_of", |file| {
            with_package(file, print_paths);
        })),
        superlinear(without_allocation("ZenPackage::find_export", |file| {
            with_package(file, |package| consume(package.find_export("no such object").is_some()));
        })),
        superlinear(without_allocation("ZenPackage::properties", |file| {
            with_package(file, |package| {
                for index in 0..package.exports().len() as u32 {
                    consume(package.properties(index).is_ok());
                }
            });
        })),
        superlinear(recursive(with_memory("a Zen package by serde", 2, |file| {
            with_package(file, |package| {
                let package = package.clone().with_index();
                consume(serde_json::to_writer(std::io::sink(), &package).is_ok());
            });
        }))),
    ];
    Family {
        entries,
        shapes: shapes(),
        max_instructions_per_byte: 6_000.0,
        small_input: 2 * SMALL_INPUT,
    }
}

/// Allows work that is not linear in the input: up to 200,000 instructions per byte.
fn superlinear(entry: Entry) -> Entry {
    Entry { work: Work::AtMost(200_000.0), ..entry }
}

#[test]
fn work() {
    names();
    family().assert_work("unreal::zen::work");
}

#[test]
fn memory() {
    names();
    family().assert_memory();
}

/// Returns the script names with which packages are read.
fn names() -> &'static ScriptNames<'static> {
    static NAMES: OnceLock<ScriptNames<'static>> = OnceLock::new();
    static MAPPINGS: OnceLock<Mappings<'static>> = OnceLock::new();
    NAMES.get_or_init(|| {
        let mappings = MAPPINGS.get_or_init(|| Mappings::open(mappings().leak()).unwrap());
        ScriptNames::new(Some(mappings), None)
    })
}

fn with_package(file: &[u8], run: impl FnOnce(&ZenPackage<'_>)) {
    if let Ok(package) = ZenPackage::open_as(file, Versions::of_engine(5, 3)) {
        run(&package.with_script_names(names()));
    }
}

fn read_tables(package: &ZenPackage<'_>) {
    let imports = package.imports().flatten().filter(|import| import.is_null()).count();
    let exports = package.exports().flatten().map(|export| export.serial_size).sum::<u64>();
    let bytes = package.names().flatten().map(|name| name.text.bytes().len()).sum::<usize>();
    let entries = package.bundle_entries().flatten().count();
    let packages = package.imported_packages().map_or(0, Iterator::count);
    black_box((imports, exports, bytes, entries, packages));
}

/// A writer that counts bytes.
struct CountingWriter(usize);

impl Write for CountingWriter {
    fn write_str(&mut self, text: &str) -> fmt::Result {
        self.0 += text.len();
        Ok(())
    }
}

fn print_paths(package: &ZenPackage<'_>) {
    for import in package.imports().flatten() {
        write!(CountingWriter(0), "{}", package.path_of(import)).unwrap();
    }
    for index in 0..package.exports().len() as u64 {
        write!(CountingWriter(0), "{}", package.path_of(ObjectIndex(index))).unwrap();
    }
}
