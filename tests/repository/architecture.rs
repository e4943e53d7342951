//! Checks the layers of the library: compares the imports in the sources with those that are
//! allowed for each part.
//!
//! `cargo test --test repository architecture -- --nocapture` prints all import cycles.

mod cycles;
mod imports;

use cycles::{Cycle, cycles};
use imports::{Imports, module_path};
use std::fs;
use std::path::Path;

/// A part of the library: its name, its modules, and the parts that it may import. It may also
/// import itself and `buffer`.
struct Part {
    name: &'static str,
    modules: &'static [&'static str],
    imports: &'static [&'static str],
}

const fn part(
    name: &'static str,
    modules: &'static [&'static str],
    imports: &'static [&'static str],
) -> Part {
    Part { name, modules, imports }
}

/// The parts, from the lowest layer to the highest. A file belongs to the part that lists the
/// innermost module around the file.
const PARTS: &[Part] = &[
    // The cursor, the errors and the sinks, which all formats use.
    part("buffer", &["buffer"], &[]),
    // Block compressions, which depend on no format.
    part("compression", &["compression"], &[]),
    // Paths into documents, and characters that a terminal prints.
    part("document path", &["path"], &[]),
    part("printable", &["printable"], &[]),
    // The kernel of `godot` imports none of the parts built on it.
    part("kernel", KERNEL, &[]),
    // Alternatives to the kernel for reading, storing and converting values.
    part("compact", &["godot::compact"], &["kernel"]),
    part("fields", &["godot::fields"], &["kernel"]),
    part("index", &["godot::index"], &["kernel"]),
    part("lazy", &["godot::lazy"], &["kernel"]),
    part("mint", &["godot::mint"], &["kernel"]),
    part("native", &["godot::native"], &["kernel"]),
    part("owned", &["godot::owned"], &["kernel"]),
    part("generate", &["godot::generate"], &["kernel", "owned"]),
    // Compressed and encrypted files.
    part("file", &["godot::file"], &["compression"]),
    // Conversion of values to text, and of text to values.
    part("json", &["godot::json"], &["kernel"]),
    part("notation", &["godot::notation"], &["kernel", "owned"]),
    // Access to values by a path. A path may contain a key in Godot's text notation.
    part("config", &["godot::config"], &["kernel", "owned", "notation"]),
    part("path", &["godot::query::path"], &["kernel", "lazy", "owned", "notation"]),
    part("patch", &["godot::query::patch"], &["kernel", "path"]),
    part("diff", &["godot::query::diff"], &["kernel", "path"]),
    // Rust types. Serde reads and writes them, with paths in errors; `schema` generates them from
    // packets.
    part("serde", &["godot::serde"], &["kernel", "owned", "path"]),
    part("schema", &["godot::schema"], &["kernel", "notation", "path"]),
    // Protocols whose messages contain values.
    part("frame", &["godot::protocols::frame"], &["kernel"]),
    part("find", &["godot::find"], &["kernel", "frame"]),
    part("debugger", &["godot::protocols::debugger"], &["kernel", "frame"]),
    part(
        "multiplayer",
        &["godot::protocols::multiplayer"],
        &["kernel", "compact", "fields", "serde"],
    ),
    // `godot.rs` only re-exports the parts above.
    part(
        "godot",
        &["godot"],
        &["kernel", "fields", "index", "lazy", "native", "owned", "generate", "serde"],
    ),
    // The other formats, none of which imports another. In Rem's Engine, the modules of values also
    // parse values from text and print them.
    part("rems values", REMS_VALUES, &[]),
    part("rems binary", &["rems::binary", "rems::container"], &["rems values"]),
    part("rems read", &["rems::read"], &["rems values", "rems binary"]),
    part("rems write", &["rems::write"], &["rems values", "rems binary"]),
    part(
        "rems convert",
        &["rems::convert", "rems::identity", "rems::pointers", "rems::tape"],
        &["rems values", "rems binary", "rems read", "rems write"],
    ),
    part("rems serde", &["rems::serde"], &["rems values"]),
    part(
        "rems json",
        &["rems::json"],
        &["rems values", "rems binary", "rems read", "rems convert"],
    ),
    // `rems.rs` only re-exports the parts above.
    part(
        "rems",
        &["rems"],
        &["rems values", "rems binary", "rems read", "rems write", "rems convert", "rems serde"],
    ),
    // Unreal, from the lowest layer to the highest. A package imports its tables and properties;
    // editing, bulk data and documents are built on the package.
    part("unreal format", &["unreal::format"], &[]),
    part("unreal tables", &["unreal::tables"], &["unreal format"]),
    part(
        "unreal compression",
        &["unreal::compression"],
        &["compression", "unreal format", "unreal tables"],
    ),
    part(
        "unreal mappings",
        &["unreal::mappings"],
        &["unreal format", "unreal tables", "unreal compression"],
    ),
    part("unreal locres", &["unreal::locres"], &["unreal format"]),
    part("unreal registry", &["unreal::registry"], &["unreal format", "unreal tables"]),
    part("unreal pak", &["unreal::pak"], &["unreal format", "unreal compression"]),
    part(
        "unreal iostore",
        &["unreal::iostore"],
        &["unreal format", "unreal compression", "unreal pak"],
    ),
    // Names of imports in packages from `IoStore` containers, for structs in properties.
    part(
        "unreal imports",
        &["unreal::zen::imports"],
        &["unreal format", "unreal tables", "unreal mappings"],
    ),
    part(
        "unreal properties",
        &["unreal::properties"],
        &["unreal format", "unreal tables", "unreal mappings", "unreal imports"],
    ),
    part(
        "unreal files",
        &["unreal::package", "unreal::save", "unreal::zen"],
        &[
            "unreal format",
            "unreal tables",
            "unreal mappings",
            "unreal imports",
            "unreal properties",
        ],
    ),
    part(
        "unreal archive",
        &["unreal::archive"],
        &["unreal format", "unreal tables", "unreal properties", "unreal files"],
    ),
    part(
        "unreal bulk",
        &["unreal::bulk"],
        &["unreal format", "unreal tables", "unreal compression", "unreal files"],
    ),
    part(
        "unreal wrapper",
        &["unreal::wrapper"],
        &["unreal format", "unreal tables", "unreal compression", "unreal files"],
    ),
    part(
        "unreal edit",
        &["unreal::edit"],
        &["unreal format", "unreal tables", "unreal properties", "unreal bulk", "unreal files"],
    ),
    part(
        "unreal document",
        &["unreal::document"],
        &[
            "unreal format",
            "unreal locres",
            "unreal registry",
            "unreal tables",
            "unreal mappings",
            "unreal properties",
            "unreal files",
            "unreal edit",
        ],
    ),
    // `unreal.rs` only re-exports the parts above.
    part(
        "unreal",
        &["unreal"],
        &[
            "unreal format",
            "unreal locres",
            "unreal mappings",
            "unreal imports",
            "unreal properties",
            "unreal files",
            "unreal edit",
            "unreal document",
        ],
    ),
    // Transports import no format. Captures use the segment types of the transports.
    part("transport", &["transport"], &["compression"]),
    part("capture", &["capture"], &["transport"]),
    // The only parts that import both transports and a format.
    part("server", &["server"], &["transport", "kernel", "multiplayer"]),
    part(
        "traffic",
        &["traffic"],
        &["capture", "transport", "kernel", "frame", "find", "json", "debugger", "multiplayer"],
    ),
    // Calls the functions that detect each format.
    part(
        "recognise",
        &["recognise"],
        &[
            "capture",
            "config",
            "file",
            "find",
            "kernel",
            "rems",
            "rems read",
            "unreal",
            "unreal files",
            "unreal locres",
            "unreal pak",
            "unreal registry",
            "unreal wrapper",
        ],
    ),
    // `lib.rs` declares the modules.
    part("crate", &[""], &[]),
];

/// The kernel: types, their payloads, reading and writing. Containers hold values, and a value can
/// be a container, so the folders of the kernel import each other.
const KERNEL: &[&str] = &["godot::table", "godot::types", "godot::read", "godot::write"];

/// The modules for values of Rem's Engine: their types, and their components in text.
const REMS_VALUES: &[&str] = &[
    "rems::array",
    "rems::components",
    "rems::error",
    "rems::item",
    "rems::kind",
    "rems::part",
    "rems::parts",
    "rems::print",
    "rems::property_key",
    "rems::span",
    "rems::str",
    "rems::swar",
    "rems::text",
    "rems::types",
    "rems::value",
];

/// The accepted import cycles. Each entry is the innermost module that contains all files of a
/// cycle, and the maximum number of files in the cycle. A cycle without a comment is within one
/// feature, whose files may import each other.
const CYCLES: &[(&str, usize)] = &[
    ("buffer::sink", 2),
    // The kernel.
    ("godot", 28),
    ("godot::fields", 4),
    ("godot::index", 3),
    ("godot::lazy", 4),
    ("godot::json", 5),
    ("godot::notation", 12),
    ("godot::owned", 2),
    ("godot::find", 4),
    ("godot::protocols::debugger", 2),
    ("godot::protocols::frame", 3),
    ("godot::protocols::multiplayer::godot4", 3),
    // The methods of `Peer` are in several files.
    ("godot::protocols::multiplayer::peer", 8),
    ("godot::query::diff", 2),
    ("godot::query::patch", 2),
    ("godot::query::path", 3),
    ("godot::schema", 6),
    ("godot::serde", 12),
    // The writer opens a container, and the items of the container are written by the writer.
    ("godot::write::writer", 2),
    // An array holds values, and a value can be an array.
    ("rems", 2),
    ("rems::read::text", 2),
    ("rems::serde::node", 3),
    // The writer writes values of Rust types, and their impls call the writer.
    ("rems::write", 2),
    // Values are read from a cursor, and the cursor has methods that return values.
    ("unreal::format", 13),
    ("unreal::package", 6),
    ("unreal::properties::formatted", 2),
    // A list of properties contains values, and a value can contain a list.
    ("unreal::document::encode", 3),
    // A type refers to a place in the mappings, and the mappings return types.
    ("unreal::mappings", 2),
    // A value can be a container or a native struct, and these hold values. The end of a list
    // without tags is found by decoding its values.
    ("unreal::properties::read", 5),
    ("unreal::properties::write", 2),
    ("unreal::edit", 3),
];

#[test]
fn parts_import_only_lower_parts() {
    let sources = sources();
    let imports = Imports::of(sources.iter().map(|(file, text)| (file.as_str(), text.as_str())));
    let forbidden = forbidden(&imports, PARTS);
    assert!(forbidden.is_empty(), "{}", forbidden.join("\n"));
}

#[test]
fn import_cycles_are_accepted_ones() {
    let sources = sources();
    let imports = Imports::of(sources.iter().map(|(file, text)| (file.as_str(), text.as_str())));
    let edges = imports.edges();
    let cycles = cycles(&edges);
    for cycle in &cycles {
        println!("{} ({} files): {}", cycle.common_module(), cycle.0.len(), cycle.0.join(" "));
    }
    let wrong = unknown_cycles(&cycles, PARTS, CYCLES);
    assert!(wrong.is_empty(), "{}", wrong.join("\n"));
}

/// Returns the names and the contents of all files under `src`.
fn sources() -> Vec<(String, String)> {
    let root = Path::new(env!("CARGO_MANIFEST_DIR"));
    let mut sources = Vec::new();
    let mut open = vec![root.join("src")];
    while let Some(folder) = open.pop() {
        for entry in fs::read_dir(folder).unwrap() {
            let path = entry.unwrap().path();
            if path.is_dir() {
                open.push(path);
            } else if path.extension().is_some_and(|extension| extension == "rs") {
                let name = path.strip_prefix(root).unwrap().to_str().unwrap().replace('\\', "/");
                sources.push((name, fs::read_to_string(path).unwrap()));
            }
        }
    }
    sources
}

/// Returns the part to which a file belongs. Of all listed modules that contain the file, the
/// innermost one determines the part.
fn part_of<'p>(file: &str, parts: &'p [Part]) -> &'p Part {
    let module = module_path(file).join("::");
    let is_in = |around: &str| {
        around.is_empty()
            || module
                .strip_prefix(around)
                .is_some_and(|rest| rest.is_empty() || rest.starts_with("::"))
    };
    let depth = |part: &&Part| {
        part.modules.iter().filter(|module| is_in(module)).map(|module| module.len() + 1).max()
    };
    parts.iter().max_by_key(depth).filter(|part| depth(part).is_some()).expect(file)
}

/// Returns a message for each import that the rules of the parts do not allow.
fn forbidden(imports: &Imports, parts: &[Part]) -> Vec<String> {
    let mut forbidden = Vec::new();
    for (from, to) in imports.edges() {
        let [part, imported] = [from, to].map(|file| part_of(file, parts));
        let is_allowed = part.name == imported.name
            || imported.name == "buffer"
            || part.imports.contains(&imported.name);
        if !is_allowed {
            forbidden.push(format!(
                "{from} imports {to}: `{}` may not import `{}`",
                part.name, imported.name
            ));
        }
    }
    forbidden
}

/// Returns a message for each difference between the cycles and the list of accepted cycles, and
/// for each cycle with files of several parts.
fn unknown_cycles(cycles: &[Cycle<'_>], parts: &[Part], accepted: &[(&str, usize)]) -> Vec<String> {
    let mut wrong = Vec::new();
    for cycle in cycles {
        let (module, files) = (cycle.common_module(), cycle.0.join(" "));
        let limit = accepted.iter().find(|(accepted, _)| *accepted == module);
        let part = part_of(cycle.0[0], parts).name;
        if cycle.0.iter().any(|file| part_of(file, parts).name != part) {
            wrong.push(format!("files of several parts import each other: {files}"));
        } else if limit.is_none_or(|(_, limit)| cycle.0.len() > *limit) {
            let len = cycle.0.len();
            wrong.push(format!("{len} files in `{module}` import each other: {files}"));
        }
    }
    for (module, _) in accepted {
        if cycles.iter().all(|cycle| cycle.common_module() != *module) {
            wrong
                .push(format!("no files in `{module}` import each other: remove it from the list"));
        }
    }
    wrong
}

/// Returns the sources of a library of four files. The last file, `src/top.rs`, contains `top`.
fn example(top: &str) -> Vec<(&str, &str)> {
    vec![
        ("src/lib.rs", "mod low; mod top; pub use low::{Low, detail::Detail as Renamed};"),
        ("src/low.rs", "pub mod detail; pub struct Low; pub use detail::*;"),
        ("src/low/detail.rs", "pub struct Detail; pub fn run() {}"),
        ("src/top.rs", top),
    ]
}

const EXAMPLE_PARTS: &[Part] = &[
    part("low", &["low"], &[]),
    part("detail", &["low::detail"], &[]),
    part("top", &["top"], &["low"]),
    part("crate", &[""], &["low", "detail"]),
];

/// Returns the files that the last file of the [example] imports.
fn imported(top: &str) -> Vec<String> {
    let sources = example(top);
    let imports = Imports::of(sources);
    let edges = imports.edges().into_iter().filter(|(from, _)| *from == "src/top.rs");
    edges.map(|(_, to)| to.to_owned()).collect()
}

#[test]
fn imports_are_followed_to_the_file_that_defines_the_name() {
    let detail = ["src/low/detail.rs"];
    assert_eq!(imported("use crate::low::detail::Detail;"), detail);
    assert_eq!(imported("use crate::Renamed;"), detail);
    assert_eq!(
        imported("use super::low::{self, Low, Detail as Other};"),
        ["src/low.rs", detail[0]]
    );
    assert_eq!(imported("use crate::low; fn f() { low::detail::run() }"), detail);
    assert_eq!(imported("fn f() { crate::low::run::<'a', \"b\">() }"), detail);
    assert_eq!(imported("mod inner { fn f() { super::super::Renamed } }"), detail);
    assert_eq!(imported("macro_rules! m { () => { $crate::low::Low } }"), ["src/low.rs"]);
}

#[test]
fn tests_comments_and_declarations_do_not_import() {
    for top in [
        "mod low;",
        "use std::low::Low;",
        "// use crate::Renamed;",
        "/* use crate::Renamed; */",
        "const TEXT: &str = \"\\\" use crate::Renamed;\";",
        "const TEXT: &str = r#\"\" use crate::Renamed;\"#;",
        "pub(in crate::low) fn f<'a>() {}",
        "#[cfg(test)] mod tests { use crate::Renamed; fn f() {} }",
        "#[cfg(all(test, feature = \"alloc\"))] #[rustfmt::skip] mod tests { use crate::Low; }",
        "#[cfg(test)] use crate::{Low, Renamed};",
    ] {
        assert!(imported(top).is_empty(), "{top}");
    }
    let top = "#[cfg(test)] mod tests { use crate::Low; } use crate::Renamed;";
    assert_eq!(imported(top), ["src/low/detail.rs"]);
}

#[test]
fn forbidden_imports_are_reported() {
    let ok = Imports::of(example("use crate::Low;"));
    // `low.rs` re-exports names of `detail`, which the part `low` may not import.
    assert_eq!(forbidden(&ok, EXAMPLE_PARTS).len(), 1);
    let upward = Imports::of(example("use crate::Low; use crate::Renamed;"));
    assert_eq!(
        forbidden(&upward, EXAMPLE_PARTS)[1],
        "src/top.rs imports src/low/detail.rs: `top` may not import `detail`"
    );
}

#[test]
fn new_and_removed_cycles_are_reported() {
    let sources = [
        ("src/lib.rs", "mod low; mod top;"),
        ("src/low.rs", "mod a; mod b; pub struct Low;"),
        ("src/low/a.rs", "use super::b::B; pub struct A;"),
        ("src/low/b.rs", "use super::a::A; pub struct B; use crate::top::Top;"),
        ("src/top.rs", "use crate::low::Low; pub struct Top;"),
    ];
    let imports = Imports::of(sources);
    let edges = imports.edges();
    let cycles = cycles(&edges);
    let wrong = |accepted: &[(&str, usize)]| unknown_cycles(&cycles, EXAMPLE_PARTS, accepted);
    assert!(wrong(&[("low", 2)]).is_empty());
    assert_eq!(wrong(&[]), ["2 files in `low` import each other: src/low/a.rs src/low/b.rs"]);
    assert_eq!(wrong(&[("low", 1)]).len(), 1);
    assert_eq!(
        wrong(&[("low", 2), ("top", 2)]),
        ["no files in `top` import each other: remove it from the list"]
    );
    let one_part = &[part("low", &["low::a"], &[]), part("crate", &[""], &[])];
    assert_eq!(unknown_cycles(&cycles, one_part, &[("low", 2)]).len(), 1);
}
