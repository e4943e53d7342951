//! The tables of `json --parquet` and `unreal deps --parquet`.

use super::{check_page, field, json, rows};
use crate::command::{empty_folder, root, run, run_on, shown};
use crate::support::native_json::{self, Json};
use parquet::record::{Field, Row};
use std::fs;

fn text<'r>(row: &'r Row, column: &str) -> &'r str {
    match field(row, column) {
        Field::Str(text) => text,
        other => panic!("{column}: {other:?}"),
    }
}

#[test]
fn values_are_those_of_json() {
    let folder = empty_folder("parquet/values");
    let file = folder.join("values.parquet");
    let out = file.to_str().unwrap();
    let frames = ["--as", "godot4-frames", "corpus/frames/store_var.dat"];
    let files = ["corpus/godot4/array_mixed.bin", "corpus/godot4/transform3d.bin"];
    for args in [&frames[..], &files, &["--exact", "corpus/hostile/x_str_nul.bin"]] {
        shown(run(&[&["json", "--parquet", out], args].concat()));
        let printed = shown(run(&[&["json"], args].concat()));
        let printed: Vec<_> =
            printed.lines().map(|line| native_json::parse(line).unwrap()).collect();
        let rows = rows(&file);
        let values = rows.iter().map(|row| native_json::parse(text(row, "value")).unwrap());
        assert_eq!(values.collect::<Vec<_>>(), printed);
        assert!(rows.iter().all(|row| *field(row, "error") == Field::Null));
    }
    shown(run(&[&["json", "--parquet", out], &files[..]].concat()));
    let rows = rows(&file);
    let row = |row| (text(row, "file"), text(row, "type"), field(row, "index").clone());
    assert_eq!(row(&rows[0]), (files[0], "Array", Field::Long(0)));
    assert_eq!(row(&rows[1]), (files[1], "Transform3D", Field::Long(0)));
    let size = fs::metadata(root(files[0])).unwrap().len() as i64;
    assert_eq!(*field(&rows[0], "size"), Field::Long(size));
    check_page(&file, "Values");
}

#[test]
fn lines_have_values_or_errors() {
    let folder = empty_folder("parquet/lines");
    let file = folder.join("lines.parquet");
    let out = file.to_str().unwrap();
    let input = "0200000005000000\n02000000050000\nxyz\n00000000\n";
    shown(run_on(&["json", "--lines", "--parquet", out], input.as_bytes()));
    let printed = run_on(&["json", "--lines"], input.as_bytes()).out;
    let rows = rows(&file);
    assert_eq!((rows.len(), printed.lines().count()), (4, 4));
    for (index, (row, line)) in rows.iter().zip(printed.lines()).enumerate() {
        let line = native_json::parse(line).unwrap();
        assert_eq!(*field(row, "index"), Field::Long(index as i64));
        for column in ["value", "error", "offset", "size"] {
            let expected = line.get(column).cloned();
            assert_eq!(json(column, field(row, column)), expected, "{column} of line {index}");
        }
    }
}

#[test]
fn other_files_have_no_values() {
    let folder = empty_folder("parquet/foreign");
    let file = folder.join("values.parquet");
    let package = "corpus/unreal/ue5.6-SimpleRefsRoot.uasset";
    let ran = run(&["json", "--parquet", file.to_str().unwrap(), package]);
    assert_eq!(ran.code, Some(1));
    assert!(ran.err.contains(package), "{}", ran.err);
    assert_eq!(rows(&file).len(), 0);
}

#[test]
fn edges_are_the_references_of_packages() {
    let folder = empty_folder("parquet/edges");
    let file = folder.join("edges.parquet");
    let out = file.to_str().unwrap();
    let args = ["unreal", "deps", "corpus/unreal"];
    let ran = run(&[&args[..], &["--parquet", out]].concat());
    let printed = run(&[&args[..], &["--json"]].concat());
    assert_eq!((ran.code, ran.out.as_str(), ran.err), (printed.code, "", printed.err));
    let mut expected = Vec::new();
    for line in printed.out.lines() {
        let package = native_json::parse(line).unwrap();
        let text = |name| package.get(name).and_then(Json::as_str).unwrap().to_owned();
        for (kind, list) in [("import", "imports"), ("soft", "soft")] {
            for reference in package.get(list).and_then(Json::as_array).unwrap() {
                let reference = reference.as_str().unwrap().to_owned();
                expected.push([text("file"), text("package"), kind.to_owned(), reference]);
            }
        }
    }
    let columns = ["file", "package", "kind", "reference"];
    let rows: Vec<_> =
        rows(&file).iter().map(|row| columns.map(|name| text(row, name).to_owned())).collect();
    assert!(rows.len() > 100, "{}", rows.len());
    assert_eq!(rows, expected);
    check_page(&file, "References of Unreal packages");
}
