//! Expensive packages of Unreal Engine.

use super::{Shape, shape};
use gamewire::unreal::tables::{Export, Import};
use gamewire::unreal::{Name, Package, PackageEditor, PackageIndex};

/// Returns a package that an engine wrote, after `edit` has changed it.
pub fn edited_package(edit: impl FnOnce(&mut PackageEditor<'_>)) -> Vec<u8> {
    const FILE: &[u8] = include_bytes!("../../../corpus/unreal/ue4.09-PS_X.uasset");
    let package = Package::open(FILE).unwrap();
    let mut editor = PackageEditor::new(&package).unwrap();
    edit(&mut editor);
    editor.write().unwrap().header
}

pub fn shapes() -> Vec<Shape> {
    let named = |name| Name { index: name, number: 0 };
    vec![
        shape("names", |size| {
            edited_package(|editor| {
                (0..size / 16).for_each(|n| {
                    editor.add_name(&format!("N{n:06}")).unwrap();
                });
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
                // The longest name that any engine can have.
                let object_name = editor.add_name(&"N".repeat(1023)).unwrap();
                for _ in 0..size / 32 {
                    editor.add_import(Import { object_name, ..Import::default() });
                }
            })
        }),
        shape("a package that is cut off", |size| {
            let mut file = edited_package(|editor| {
                (0..size / 16).for_each(|n| {
                    editor.add_name(&format!("N{n:06}")).unwrap();
                });
            });
            file.truncate(file.len() / 2);
            file
        }),
    ]
}
