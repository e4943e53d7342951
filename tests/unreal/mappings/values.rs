//! Values of the synthetic pair, which was made by code that is not part of this repository.

use gamewire::unreal::{Mappings, Package, Versions};
use serde_json::{Value, json};

pub fn file(name: &str) -> Vec<u8> {
    std::fs::read(format!("{}/corpus/unreal-mappings/{name}", env!("CARGO_MANIFEST_DIR"))).unwrap()
}

#[test]
fn dump() {
    let (mappings, header, exports) =
        (file("tiny.v4.usmap"), file("tiny.uasset"), file("tiny.uexp"));
    let mappings = Mappings::open(&mappings).unwrap();
    let package = Package::open_as(&header, Some(&exports), Versions::of_engine(5, 3)).unwrap();
    let package = package.with_mappings(&mappings);
    for export in package.exports() {
        let value = serde_json::to_value(package.export_document(&export.unwrap())).unwrap();
        println!("{}", serde_json::to_string_pretty(&value).unwrap());
    }
    let _: Value = json!(null);
}
