//! The rows of a data table that an engine wrote without tags.

use gamewire::unreal::mappings::{EnumBuf, MappedTypeBuf, MappingsBuf, PropertyBuf, StructBuf};
use gamewire::unreal::{ErrorKind, Mappings, Package, PropertyValue, Versions};

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
