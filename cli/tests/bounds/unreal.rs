//! Tests the bounds of the commands on packages and saves of Unreal Engine.

use crate::measure::{Command, Input, OUTPUT, SMALL_INPUT, Work, check, command, files, pick};
use crate::support::hostile::unreal_packages::{self, edited_package};
use crate::support::hostile::{Shape, shape, unreal_saves, zen};
use gamewire::unreal::tables::{Export, Import, SoftPackage};
use gamewire::unreal::{Name, Package, PackageEditor, PackageIndex};

/// Returns a name that is much longer than a reference to it.
fn long_name() -> String {
    "N".repeat(255)
}

const SOFT_REFERENCES: &str = "soft references of one long name and many numbers";
const IMPORTS: &str = "imports of one long name and many numbers";

/// Returns shapes of packages that are expensive only for a program that prints or collects
/// references.
fn referring() -> Vec<Shape> {
    vec![
        shape(SOFT_REFERENCES, |size| {
            const FILE: &[u8] = include_bytes!("../../../corpus/unreal/ue4.27-TestActorBP.uasset");
            let package = Package::open(FILE).unwrap();
            let mut editor = PackageEditor::new(&package).unwrap();
            let name = editor.add_name(&long_name()).unwrap();
            for number in 1..size as i32 / 12 {
                editor.soft_package_references.push(SoftPackage::Name(Name { number, ..name }));
            }
            editor.write().unwrap().header
        }),
        shape("imports in one with a long name", |size| {
            edited_package(|editor| {
                let object_name = editor.add_name(&long_name()).unwrap();
                let outer = editor.add_import(Import { object_name, ..Import::default() });
                for number in 0..size as i32 / 32 {
                    let object_name = Name { index: 1, number };
                    editor.add_import(Import { outer, object_name, ..Import::default() });
                }
            })
        }),
        shape(IMPORTS, |size| {
            edited_package(|editor| {
                let name = editor.add_name(&long_name()).unwrap();
                for number in 0..size as i32 / 32 {
                    let object_name = Name { number, ..name };
                    editor.add_import(Import { object_name, ..Import::default() });
                }
            })
        }),
        shape("exports that share their bytes", |size| {
            let object_name = Name { index: 1, number: 0 };
            let mut file = edited_package(|editor| {
                let export = Export { class: PackageIndex(-1), object_name, ..Export::default() };
                editor.add_export(export, vec![0; size / 2]);
                for _ in 0..size / 128 {
                    editor.add_export(export, vec![7; 4]);
                }
            });
            share_bytes(&mut file, size / 2);
            file
        }),
    ]
}

/// Makes each export of 4 bytes refer to the bytes of the export that has `len` bytes.
fn share_bytes(file: &mut [u8], len: usize) {
    let package = Package::open(file).unwrap();
    let serials: Vec<_> = package.exports().flatten().map(|export| export.serial).collect();
    let words = |size: i64, offset: i64| {
        [(size as i32).to_le_bytes(), (offset as i32).to_le_bytes()].concat()
    };
    let large = serials.iter().find(|serial| serial.size == len as i64).unwrap();
    let large = words(large.size, large.offset);
    let mut at = 0;
    for serial in serials.iter().filter(|serial| serial.size == 4) {
        let small = words(serial.size, serial.offset);
        at += file[at..].windows(8).position(|bytes| bytes == small).unwrap();
        file[at..at + 8].copy_from_slice(&large);
    }
}

fn packages() -> Vec<Input> {
    let names = ["an import that is in itself", "exports of bytes that mean nothing"];
    let shapes = pick(unreal_packages::shapes(), &names);
    files("input", shapes.into_iter().chain(referring()).collect())
}

#[test]
fn show() {
    // Each object is printed with its path, which has up to 64 names.
    let commands = [command("show --full input", 5)];
    check("unreal::show", &commands, &packages(), SMALL_INPUT / 2);
}

#[test]
fn check_packages() {
    check("unreal::check_packages", &[command("check input", 30)], &packages(), SMALL_INPUT / 2);
}

#[test]
fn get_objects() {
    let commands = [command("get exports.no_such_name input", 100).and_memory(4 << 20)];
    let shape = "exports of bytes that mean nothing";
    let shapes = pick(unreal_packages::shapes(), &[shape]).into_iter();
    let shared = pick(referring(), &["exports that share their bytes"]);
    let inputs = files("input", shapes.chain(shared).collect());
    check("unreal::get_objects", &commands, &inputs, SMALL_INPUT / 2);
}

#[test]
fn documents() {
    check("unreal::documents", &[command("json input", 30)], &packages(), SMALL_INPUT);
}

#[test]
fn packages_of_containers() {
    // The name of each import is found by passing over the names of the imported packages.
    let superlinear =
        |args, memory| Command { work: Work::AtMost(2_000_000.0), ..command(args, memory) };
    let commands = [
        superlinear("show --full input", 5),
        superlinear("check input", 30),
        superlinear("json input", 30),
    ];
    let inputs = files("input", zen::shapes());
    check("unreal::packages_of_containers", &commands, &inputs, SMALL_INPUT / 2);
}

#[test]
fn references() {
    let commands = [
        command("unreal deps input", 30).and_memory(OUTPUT),
        command("unreal deps --json input", 30).and_memory(OUTPUT),
        command("unreal deps --dot input", 30).and_memory(OUTPUT),
    ];
    let inputs = files("input", pick(referring(), &[SOFT_REFERENCES, IMPORTS]));
    check("unreal::references", &commands, &inputs, SMALL_INPUT / 2);
}

#[test]
fn saves() {
    // Each struct is scanned before it is printed, so bytes inside 48 nested structs are scanned 48
    // times.
    let commands = [
        command("show --full input", 3),
        command("check input", 3),
        command("json input", 3),
        command("get properties.no_such_name input", 100),
    ];
    let names = ["the same int again", "chains of structs", "texts to be formatted"];
    let inputs = files("input", pick(unreal_saves::shapes(), &names));
    check("unreal::saves", &commands, &inputs, SMALL_INPUT);
}

/// Returns a pak of version 3 with empty files at these paths.
fn pak(paths: impl Iterator<Item = String>) -> Vec<u8> {
    let text =
        |text: &str| [&(text.len() as u32 + 1).to_le_bytes()[..], text.as_bytes(), &[0]].concat();
    let (mut entries, mut count) = (Vec::new(), 0_u32);
    for path in paths {
        count += 1;
        entries.extend([text(&path), vec![0; 53]].concat());
    }
    let mut pak = vec![0; 53];
    let index = [&text("../../../")[..], &count.to_le_bytes(), &entries].concat();
    pak.extend(&index);
    pak.extend([0x5A6F_12E1_u32, 3].map(u32::to_le_bytes).concat());
    pak.extend([53, index.len() as u64].map(u64::to_le_bytes).concat());
    pak.extend([0; 20]);
    pak
}

/// Returns the `.utoc` of a container of version 8 that has an empty chunk at each of these paths.
fn container(paths: impl Iterator<Item = String>) -> Vec<u8> {
    let text =
        |text: &str| [&(text.len() as u32 + 1).to_le_bytes()[..], text.as_bytes(), &[0]].concat();
    let (mut files, mut names, mut count) = (Vec::new(), Vec::new(), 0_u32);
    for path in paths {
        let next = if count == 0 { u32::MAX } else { count - 1 };
        files.extend([count, next, count].map(u32::to_le_bytes).concat());
        names.extend(text(&path));
        count += 1;
    }
    let folder = [1, u32::MAX, u32::MAX, u32::MAX, count - 1].map(u32::to_le_bytes).concat();
    let lists = [&count.to_le_bytes()[..], &files, &count.to_le_bytes(), &names].concat();
    let directory = [text("../../../"), folder, lists].concat();
    let mut utoc = b"-==--==--==--==-\x08\0\0\0".to_vec();
    let size = directory.len() as u32;
    utoc.extend([144, count, 0, 12, 0, 32, 1 << 16, size, 1].map(u32::to_le_bytes).concat());
    utoc.resize(144, 0);
    utoc.extend(vec![0; 22 * count as usize]);
    utoc.extend(directory);
    utoc.extend(vec![0; 24 * count as usize]);
    utoc
}

/// The commands that read an archive.
fn archive_commands() -> [Command; 5] {
    [
        command("show --full input", 8).and_memory(OUTPUT),
        command("json input", 8).and_memory(OUTPUT),
        command("check input", 8).and_memory(OUTPUT),
        command("unreal extract input -o output no/such/folder", 8),
        command("get exports input:no/such/file", 8),
    ]
}

#[test]
fn containers() {
    let shapes = vec![
        shape("chunks", |size| container((0..size / 70).map(|index| format!("{index}.uasset")))),
        shape("long paths", |size| container((0..size / 4000).map(|_| "p".repeat(3900)))),
    ];
    check("unreal::containers", &archive_commands(), &files("input", shapes), 4 * SMALL_INPUT);
}

#[test]
fn paks() {
    let shapes = vec![
        shape("files", |size| pak((0..size / 70).map(|index| format!("a/{index}.uasset")))),
        shape("long paths", |size| pak((0..size / 4000).map(|_| "p".repeat(3900)))),
    ];
    check("unreal::paks", &archive_commands(), &files("input", shapes), 4 * SMALL_INPUT);
}

/// Returns localized texts of version 1, all with the same string.
fn texts(count: usize) -> Vec<u8> {
    let mut file = b"\x0E\x14\x74\x75\x67\x4A\x03\xFC\x4A\x15\x90\x9D\xC3\x37\x7F\x1B\x01".to_vec();
    let end = file.len() + 8 + 4 + 4 + 4 + 14 * count;
    file.extend((end as u64).to_le_bytes());
    file.extend(1_u32.to_le_bytes());
    file.extend(0_u32.to_le_bytes());
    file.extend((count as u32).to_le_bytes());
    for _ in 0..count {
        file.extend([2, 0, 0, 0, b'k', 0, 7, 7, 7, 7, 0, 0, 0, 0]);
    }
    file.extend([1, 0, 0, 0, 5, 0, 0, 0, b't', b'e', b'x', b't', 0]);
    file
}

#[test]
fn locres() {
    let commands = [
        command("show --full input", 8).and_memory(OUTPUT),
        command("json input", 8).and_memory(OUTPUT),
        command("check input", 8).and_memory(OUTPUT),
    ];
    let shapes = vec![shape("texts", |size| texts(size / 14))];
    check("unreal::locres", &commands, &files("input", shapes), SMALL_INPUT);
}
