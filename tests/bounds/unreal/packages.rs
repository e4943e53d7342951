//! Bounds of packages: names, tables, objects, editing.

use super::recursive;
use crate::measure::{
    Entry, Family, Memory, SMALL_INPUT, Shape, Work, consume, shape, with_memory,
    without_allocation,
};
use gamewire::unreal::tables::{Export, Import};
use gamewire::unreal::{Name, Package, PackageEditor, PackageIndex, Progress, Scanner};
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
        // The search for a name may scan a 128th of all names.
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

/// Returns a package of an engine after `edit` has changed it.
fn edited_package(edit: impl FnOnce(&mut PackageEditor<'_>)) -> Vec<u8> {
    const FILE: &[u8] = include_bytes!("../../../corpus/unreal/ue4.09-PS_X.uasset");
    let package = Package::open(FILE).unwrap();
    let mut editor = PackageEditor::new(&package).unwrap();
    edit(&mut editor);
    editor.write().unwrap().header
}

fn shapes() -> Vec<Shape> {
    let named = |name| Name { index: name, number: 0 };
    vec![
        shape("names", |size| {
            edited_package(|editor| {
                (0..size / 16).for_each(|n| consume(editor.add_name(&format!("N{n:06}"))));
            })
        }),
        shape("names of objects", |size| {
            edited_package(|editor| {
                for n in 0..size / 64 {
                    let object_name = editor.add_name(&format!("N{n:06}")).unwrap();
                    editor.add_import(Import { object_name, ..Import::default() });
                }
            })
        }),
        shape("imports in each other", move |size| {
            edited_package(|editor| {
                let mut outer = PackageIndex(0);
                for _ in 0..size / 32 {
                    let object_name = named(1);
                    outer = editor.add_import(Import { outer, object_name, ..Import::default() });
                }
            })
        }),
        shape("exports in each other", move |size| {
            edited_package(|editor| {
                let mut outer = PackageIndex(0);
                for _ in 0..size / 128 {
                    let object_name = named(1);
                    outer = editor
                        .add_export(Export { outer, object_name, ..Export::default() }, vec![]);
                }
            })
        }),
        shape("an import that is in itself", move |size| {
            edited_package(|editor| {
                for _ in 0..size / 32 {
                    let outer = PackageIndex(-1 - editor.imports.len() as i32);
                    editor.add_import(Import { outer, object_name: named(1), ..Import::default() });
                }
            })
        }),
        shape("exports of bytes that mean nothing", move |size| {
            edited_package(|editor| {
                for _ in 0..size / 256 {
                    let export = Export {
                        class: PackageIndex(-1),
                        object_name: named(1),
                        ..Export::default()
                    };
                    editor.add_export(export, vec![7; 100]);
                }
            })
        }),
        shape("a name that is long and often used", |size| {
            edited_package(|editor| {
                // No engine has names with more than 1,023 characters.
                let object_name = editor.add_name(&"N".repeat(1023)).unwrap();
                for _ in 0..size / 32 {
                    editor.add_import(Import { object_name, ..Import::default() });
                }
            })
        }),
        shape("a package that is cut off", |size| {
            let mut file = edited_package(|editor| {
                (0..size / 16).for_each(|n| consume(editor.add_name(&format!("N{n:06}"))));
            });
            file.truncate(file.len() / 2);
            file
        }),
    ]
}
