//! Tests exports of classes that write data before their properties, or no properties at all.

use gamewire::unreal::tables::{Export, Import};
use gamewire::unreal::{
    Name, Package, PackageEditor, PackageIndex, PropertyKind, PropertyTypeBuf, PropertyValue,
    PropertyWriter,
};

const JSON: &str = r#"[{ "RelativeFilename" : "a.png" }]"#;

/// Writes a package with an export of this class. The export begins with `before` and a list with
/// an int. Passes the package and the export to `check`.
fn with_export(
    sample: &[u8],
    class: &str,
    before: &[u8],
    script_start: Option<i64>,
    check: impl Fn(&Package<'_>, &Export),
) {
    let package = Package::open(sample).unwrap();
    let mut editor = PackageEditor::new(&package).unwrap();
    let names: Vec<Name> = [class, "Class", "/Script/Engine", "X"]
        .iter()
        .map(|text| editor.add_name(text).unwrap())
        .collect();
    let [class_name, class_word, class_package, object_name] = names[..] else { panic!() };
    let outer = package.import(0).unwrap().outer;
    let import = Import {
        class_package,
        class_name: class_word,
        outer,
        object_name: class_name,
        ..package.import(0).unwrap()
    };
    let class = editor.add_import(import);
    let tag = editor.tag("A", &PropertyTypeBuf::of(PropertyKind::Int)).unwrap();
    let mut list = Vec::new();
    let mut writer = PropertyWriter::in_package(&mut list, &package).unwrap();
    writer.value(&tag, &PropertyValue::Int(7)).unwrap();
    writer.finish().unwrap();
    let is_new = package.layout().versions.ue5 >= 1011;
    let control = if is_new { &[0][..] } else { &[] };
    let bytes = [before, control, &list, &[0; 4], b"tail"].concat();
    let first = package.export(0).unwrap();
    let export = Export {
        class,
        object_name,
        object_flags: 0,
        outer: PackageIndex(0),
        script_start: first.script_start.and(script_start.or(Some(0))),
        ..first
    };
    editor.add_export(export, bytes);
    let written = editor.write().unwrap();
    let package = Package::open(&written.header).unwrap();
    let last = package.exports().last().unwrap().unwrap();
    assert_eq!(package.class_name(&last).unwrap().to_string(), names_of(&package, class));
    check(&package, &last);
}

fn names_of(package: &Package<'_>, class: PackageIndex) -> String {
    package.object_name(class).unwrap().to_string()
}

fn text(text: &str) -> Vec<u8> {
    [&(text.len() as i32 + 1).to_le_bytes()[..], text.as_bytes(), &[0]].concat()
}

fn wide(text: &str) -> Vec<u8> {
    let units: Vec<u8> = text.encode_utf16().chain([0]).flat_map(u16::to_le_bytes).collect();
    [&(-(units.len() as i32 / 2)).to_le_bytes()[..], &units].concat()
}

const OLD: &[u8] = include_bytes!("../../../corpus/unreal/ue4.27-TestActorBP.uasset");
const NEW: &[u8] = include_bytes!("../../../corpus/unreal/ue5.4-SimpleRefsRoot.uasset");

/// The list of source files of an imported asset precedes the properties of its import data.
#[test]
fn sources_of_imported_assets() {
    for sample in [OLD, NEW] {
        for class in ["AssetImportData", "FbxStaticMeshImportData", "InterchangeAssetImportData"] {
            for before in [text(JSON), wide(JSON), text("[]")] {
                with_export(sample, class, &before, None, |package, export| {
                    let object = package.properties(export).unwrap().unwrap();
                    assert_eq!(object.before, before);
                    let sources = object.import_sources().unwrap().to_string();
                    assert!([JSON, "[]"].contains(&&*sources), "{sources}");
                    let tag = object.iter().next().unwrap().unwrap();
                    assert!(matches!(tag.value(), PropertyValue::Int(7)));
                    assert_eq!(object.tail().unwrap().native, b"tail");
                });
            }
        }
    }
}

/// Exports of such a class can lack the list of source files, and other classes never have it.
#[test]
fn exports_without_sources() {
    for (class, before) in [("AssetImportData", vec![]), ("StaticMesh", vec![])] {
        with_export(OLD, class, &before, None, |package, export| {
            let object = package.properties(export).unwrap().unwrap();
            assert!(object.before.is_empty() && object.import_sources().is_none());
            assert_eq!(object.iter().count(), 1);
        });
    }
    with_export(OLD, "StaticMesh", &text(JSON), None, |package, export| {
        let object = package.properties(export).unwrap().unwrap();
        assert!(object.before.is_empty());
        assert!(object.iter().next().unwrap().is_err());
    });
}

/// From 5.4 on, the table of exports states where the properties begin.
#[test]
fn properties_at_a_stated_place() {
    with_export(NEW, "StaticMesh", b"123", Some(3), |package, export| {
        let object = package.properties(export).unwrap().unwrap();
        assert_eq!((object.before, object.import_sources()), (&b"123"[..], None));
        assert_eq!(object.iter().count(), 1);
        let document = serde_json::to_value(package.export_document(export)).unwrap();
        assert_eq!(document["before_properties"], "313233");
    });
    // A place outside of the export is ignored.
    with_export(NEW, "StaticMesh", b"", Some(3000), |package, export| {
        let object = package.properties(export).unwrap().unwrap();
        assert_eq!((object.before.len(), object.iter().count()), (0, 1));
    });
}
