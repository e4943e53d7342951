//! Bounds of packages: names, tables, objects, editing.

use super::recursive;
use crate::measure::{Entry, Family, Memory, SMALL, Shape, Work, holding, plain, see, shape};
use gamewire::unreal::tables::{Export, Import};
use gamewire::unreal::{Name, Package, PackageEditor, PackageIndex, Progress, Scanner};
use std::fmt::{self, Write};
use std::hint::black_box;

fn family() -> Family {
    let entries = vec![
        plain("Package::peek", |file| {
            black_box(Package::peek(file).2.is_some());
        }),
        plain("Package::open", |file| see(Package::open(file).is_ok())),
        plain("tables of a package", |file| opened(file, tables)),
        plain("Package::verify", |file| {
            opened(file, |package| see(package.verify(see)));
        }),
        plain("Scanner", |file| {
            opened(file, |package| {
                let mut scanner = Scanner::new(package);
                while let Ok(Progress::Working) = scanner.tick(100, see) {}
            });
        }),
        // The search for a name may scan a 128th of all names.
        slow(holding("Package::with_name_index", 2, |file| {
            if let Ok(package) = Package::open(file) {
                names(&package.with_name_index());
            }
        })),
        slow(plain("Package::name", |file| opened(file, names))),
        slow(plain("Package::path_of", |file| opened(file, paths))),
        slow(plain("Package::find_export", |file| {
            opened(file, |package| see(package.find_export("no such object").is_some()));
        })),
        slow(recursive(holding("a package by serde", 1, |file| {
            opened(file, |package| see(serde_json::to_writer(std::io::sink(), package).is_ok()));
        }))),
        slow(Entry {
            memory: Memory::Each(80, 64 << 10),
            ..plain("PackageEditor", |file| {
                opened(file, |package| {
                    if let Ok(mut editor) = PackageEditor::new(package) {
                        see(editor.add_name("another name").is_ok());
                        see(editor.write().is_ok());
                    }
                });
            })
        }),
    ];
    Family { entries, shapes: shapes(), most: 6_000.0, small: 2 * SMALL }
}

/// Allows more than linear work in the number of names.
fn slow(entry: Entry) -> Entry {
    Entry { work: Work::More(80_000.0), ..entry }
}

#[test]
fn work() {
    family().work("unreal::packages::work");
}

#[test]
fn memory() {
    family().assert_memory();
}

fn opened(file: &[u8], run: impl FnOnce(&Package<'_>)) {
    if let Ok(package) = Package::open(file) {
        run(&package);
    }
}

fn tables(package: &Package<'_>) {
    let imports = package.imports().flatten().filter(|import| import.outer.is_null()).count();
    let exports = package.exports().flatten().map(|export| export.serial.size).sum::<i64>();
    let bytes = package.names().flatten().map(|name| name.text.bytes().len()).sum::<usize>();
    let depends = package.depends().flatten().map(|list| list.len()).sum::<usize>();
    black_box((imports, exports, bytes, depends, package.soft_package_references().count()));
    see((package.asset_registry().is_ok(), package.thumbnails().is_ok()));
}

/// Counts characters.
struct Nowhere(usize);

impl Write for Nowhere {
    fn write_str(&mut self, text: &str) -> fmt::Result {
        self.0 += text.len();
        Ok(())
    }
}

/// Reads the name of every object.
fn names(package: &Package<'_>) {
    let exports = package.exports().flatten().map(|export| export.object_name);
    let imports = package.imports().flatten().map(|import| import.object_name);
    black_box(exports.chain(imports).filter(|name| package.name(*name).is_some()).count());
}

fn paths(package: &Package<'_>) {
    let (imports, exports) = (package.imports().len() as i32, package.exports().len() as i32);
    for index in -imports..=exports {
        write!(Nowhere(0), "{}", package.path_of(PackageIndex(index))).unwrap();
    }
}

/// An engine's package with more content.
fn with(more: impl FnOnce(&mut PackageEditor<'_>)) -> Vec<u8> {
    const FILE: &[u8] = include_bytes!("../../../corpus/unreal/ue4.09-PS_X.uasset");
    let package = Package::open(FILE).unwrap();
    let mut editor = PackageEditor::new(&package).unwrap();
    more(&mut editor);
    editor.write().unwrap().header
}

fn shapes() -> Vec<Shape> {
    let named = |name| Name { index: name, number: 0 };
    vec![
        shape("names", |size| {
            with(|editor| {
                (0..size / 16).for_each(|n| see(editor.add_name(&format!("N{n:06}"))));
            })
        }),
        shape("names of objects", |size| {
            with(|editor| {
                for n in 0..size / 64 {
                    let object_name = editor.add_name(&format!("N{n:06}")).unwrap();
                    editor.add_import(Import { object_name, ..Import::default() });
                }
            })
        }),
        shape("imports in each other", move |size| {
            with(|editor| {
                let mut outer = PackageIndex(0);
                for _ in 0..size / 32 {
                    let object_name = named(1);
                    outer = editor.add_import(Import { outer, object_name, ..Import::default() });
                }
            })
        }),
        shape("exports in each other", move |size| {
            with(|editor| {
                let mut outer = PackageIndex(0);
                for _ in 0..size / 128 {
                    let object_name = named(1);
                    outer = editor
                        .add_export(Export { outer, object_name, ..Export::default() }, vec![]);
                }
            })
        }),
        shape("an import that is in itself", move |size| {
            with(|editor| {
                for _ in 0..size / 32 {
                    let outer = PackageIndex(-1 - editor.imports.len() as i32);
                    editor.add_import(Import { outer, object_name: named(1), ..Import::default() });
                }
            })
        }),
        shape("exports of bytes that mean nothing", move |size| {
            with(|editor| {
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
            with(|editor| {
                // No engine has names with more than 1,023 characters.
                let object_name = editor.add_name(&"N".repeat(1023)).unwrap();
                for _ in 0..size / 32 {
                    editor.add_import(Import { object_name, ..Import::default() });
                }
            })
        }),
        shape("a package that is cut off", |size| {
            let mut file = with(|editor| {
                (0..size / 16).for_each(|n| see(editor.add_name(&format!("N{n:06}"))));
            });
            file.truncate(file.len() / 2);
            file
        }),
    ]
}
