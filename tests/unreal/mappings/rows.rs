//! The rows of a data table that an engine wrote without tags.

use gamewire::unreal::mappings::{EnumBuf, MappedTypeBuf, MappingsBuf, PropertyBuf, StructBuf};
use gamewire::unreal::{ErrorKind, Mappings, Package, PropertyValue, Versions};
#[cfg(feature = "serde")]
use gamewire::unreal::{PackageDocument, PackageEditor};

fn file(name: &str) -> Vec<u8> {
    std::fs::read(format!("{}/corpus/unreal/{name}", env!("CARGO_MANIFEST_DIR"))).unwrap()
}

/// The enum properties of the rows, with the numbers of their underlying types.
const ENUMS: [(&str, u8); 7] =
    [("U8", 0), ("U16", 20), ("U32", 19), ("E8", 23), ("E16", 22), ("E32", 2), ("E64", 21)];

fn mappings(has_row: bool) -> Vec<u8> {
    let mut all = MappingsBuf::new(4);
    let entries = ["None", "One", "Two", "Three", "Four"].into_iter().zip(0..);
    let entries = entries.map(|(name, value)| (name.into(), value)).collect();
    all.enums.push(EnumBuf { name: "Kind".into(), entries, ..EnumBuf::default() });
    let row = PropertyBuf::new("RowStruct", MappedTypeBuf::Plain(4));
    all.structs.push(StructBuf::new("DataTable").with(row));
    let mut of = StructBuf::new("CustomDatatableRow");
    for (name, underlying) in ENUMS {
        let kind = MappedTypeBuf::Enum("Kind".into(), underlying);
        of.properties.push(PropertyBuf::new(name, kind));
    }
    of.properties.push(PropertyBuf::new("FillerProperty", MappedTypeBuf::Plain(1)));
    if has_row {
        all.structs.push(of);
    }
    all.write()
}

/// The values are those that the author of the file set.
#[test]
fn rows_of_an_engine() {
    let (header, exports) =
        (file("ue5.1-cooked-NewDataTable.uasset"), file("ue5.1-cooked-NewDataTable.uexp"));
    let package = Package::open_as(&header, Some(&exports), Versions::of_engine(5, 1)).unwrap();
    let export = package.export(0).unwrap();
    assert!(package.data_table_rows(&export).unwrap().is_none());
    let made = mappings(true);
    let mappings_with_row = Mappings::open(&made).unwrap();
    let table = package.clone().with_mappings(&mappings_with_row);
    let mut rows = Vec::new();
    for row in table.data_table_rows(&export).unwrap().unwrap() {
        let (_, properties) = row.unwrap();
        let values = properties.map(|tag| {
            let tag = tag.unwrap();
            match tag.value() {
                PropertyValue::Enum(value) if tag.slot().unwrap().is_zero => {
                    assert_eq!(value.value, 0);
                    "Z".to_string()
                }
                PropertyValue::Enum(value) => value.entry().unwrap().to_string(),
                PropertyValue::Bool(value) => value.to_string(),
                other => panic!("{other:?}"),
            }
        });
        rows.push(values.collect::<Vec<_>>().join(","));
    }
    assert_eq!(
        rows,
        [
            "One,Two,Three,Four,Three,Two,One,true",
            "One,One,One,One,One,One,One,true",
            "Z,Z,Z,Z,Z,Z,Z,true",
            "One,Z,Two,Z,Three,Z,Four,true",
            "Z,One,Z,Two,Z,Three,Z,true",
        ]
    );

    let made = mappings(false);
    let mappings_without_row = Mappings::open(&made).unwrap();
    let table = package.with_mappings(&mappings_without_row);
    let mut rows = table.data_table_rows(&export).unwrap().unwrap();
    assert_eq!(*rows.next().unwrap().unwrap_err().kind(), ErrorKind::NoSchema);
    assert!(rows.next().is_none());
    #[cfg(feature = "serde")]
    {
        let document = serde_json::to_value(table.export_document(&export)).unwrap();
        assert_eq!(document["rows"], serde_json::json!([]));
        let error = document["rows_error"].as_str().unwrap();
        assert!(error.starts_with("the mappings do not contain this class or struct"), "{error}");
    }
}

/// Unchanged rows that are written anew have the bytes that the engine wrote. After rows were
/// changed, added and removed, the table is read back as the document states it.
#[cfg(feature = "serde")]
#[test]
fn rows_are_written() {
    let made = mappings(true);
    let mappings = Mappings::open(&made).unwrap();
    let files = ["ue5.1-cooked-NewDataTable", "ue5.8-cooked-tagged-DT_AllProperties"];
    for (name, version) in files.into_iter().zip([Versions::of_engine(5, 1), None]) {
        let (header, exports) = (file(&format!("{name}.uasset")), file(&format!("{name}.uexp")));
        let package = Package::open_as(&header, Some(&exports), version).unwrap();
        let package = package.with_mappings(&mappings);
        let document = serde_json::to_value(package.document()).unwrap();
        let rows = document["exports"][0]["rows"].clone();
        let mut editor = PackageEditor::new(&package).unwrap();
        editor.replace_rows(0, rows).unwrap();
        let written = editor.write().unwrap();
        assert!(written.header == header && written.exports.unwrap() == exports, "{name}");

        let mut changed = document;
        let rows = changed["exports"][0]["rows"].as_array_mut().unwrap();
        rows.remove(1);
        let mut added = rows[1].clone();
        added["name"] = "Added_7".into();
        added["value"].as_array_mut().unwrap().remove(0);
        rows.insert(0, added);
        let (last, of) = match version {
            Some(_) => (rows.len() - 1, serde_json::json!(false)),
            None => (0, serde_json::json!(77)),
        };
        let value = rows[last]["value"].as_array_mut().unwrap();
        let at = if version.is_some() { value.len() - 1 } else { 0 };
        value[at]["value"] = of;
        let text = changed.to_string();
        let document: PackageDocument = serde_json::from_str(&text).unwrap();
        let from = &mut serde_json::Deserializer::from_str(&text);
        let written = document.write_with_mappings(from, &mappings).unwrap();
        let (header, exports) = (&written.header, written.exports.as_deref());
        let package = Package::open_as(header, exports, version).unwrap();
        let package = package.with_mappings(&mappings);
        assert!(package.verify(|problem| panic!("{problem:?}")));
        let mut found = serde_json::to_value(package.document()).unwrap();
        crate::documents::without_derived(&mut found);
        crate::documents::without_derived(&mut changed);
        crate::documents::assert_same(name, "", &found, &changed);
    }
}

/// A table that states one row too many has a document with an error. The document is written as
/// the bytes of the package if its rows are unchanged, and refused if they are changed.
#[cfg(feature = "serde")]
#[test]
fn unreadable_rows_are_kept() {
    let made = mappings(true);
    let mappings = Mappings::open(&made).unwrap();
    let files = ["ue5.1-cooked-NewDataTable", "ue5.8-cooked-tagged-DT_AllProperties"];
    for (name, version) in files.into_iter().zip([Versions::of_engine(5, 1), None]) {
        let header = file(&format!("{name}.uasset"));
        let mut exports = file(&format!("{name}.uexp"));
        let package = Package::open_as(&header, Some(&exports), version).unwrap();
        let package = package.with_mappings(&mappings);
        let export = package.export(0).unwrap();
        let properties = package.properties(&export).unwrap().unwrap();
        // The native data begin with the number of rows. They end before the tag of the package,
        // which has four bytes.
        let count = exports.len() - 4 - properties.tail().unwrap().native.len();
        exports[count] += 1;

        let package = Package::open_as(&header, Some(&exports), version).unwrap();
        let package = package.with_mappings(&mappings);
        let mut document = serde_json::to_value(package.document()).unwrap();
        assert!(document["exports"][0]["rows_error"].is_string(), "{name}");
        let write = |document: &serde_json::Value| {
            let text = document.to_string();
            let document: PackageDocument = serde_json::from_str(&text).unwrap();
            let from = &mut serde_json::Deserializer::from_str(&text);
            document.write_with_mappings(from, &mappings)
        };
        let written = write(&document).unwrap();
        assert!(written.header == header && written.exports.unwrap() == exports, "{name}");
        document["exports"][0]["rows"].as_array_mut().unwrap().remove(0);
        let error = write(&document).unwrap_err().to_string();
        assert!(error.contains("the rows cannot be changed"), "{name}: {error}");
    }
}
