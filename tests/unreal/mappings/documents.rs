//! Documents of packages whose properties have no tags.

use super::values::{file, with_pair};
use gamewire::unreal::edit::WrittenPackage;
use gamewire::unreal::{BytesForm, Mappings, PackageDocument};

fn written(json: &str, mappings: Option<&Mappings<'_>>) -> serde_json::Result<WrittenPackage> {
    let document: PackageDocument = serde_json::from_str(json)?;
    let from = &mut serde_json::Deserializer::from_str(json);
    match mappings {
        Some(mappings) => document.write_with_mappings(from, mappings),
        None => document.write(from),
    }
}

#[test]
fn unchanged_documents_are_written_back() {
    with_pair("tiny.v4.usmap", |package| {
        for form in [BytesForm::List, BytesForm::Hex, BytesForm::Base64] {
            let json = serde_json::to_string(&package.clone().with_bytes(form).document()).unwrap();
            let written = written(&json, package.mappings()).unwrap();
            assert_eq!(written.header, file("tiny.uasset"));
            assert_eq!(written.exports.unwrap(), file("tiny.uexp"));
        }
    });
}

/// Names and tables can be changed, but properties cannot.
#[test]
fn changes() {
    with_pair("tiny.v4.usmap", |package| {
        let json = serde_json::to_string(&package.document()).unwrap();
        let error = written(&json, None).unwrap_err().to_string();
        assert!(error.contains("writing the document needs the mappings"), "{error}");

        let changed = json.replace(r#""value":1234"#, r#""value":4321"#);
        assert_ne!(changed, json);
        let error = written(&changed, package.mappings()).unwrap_err().to_string();
        assert!(error.contains("documents cannot change properties without tags"), "{error}");
        assert!(error.contains("exports[0].properties["), "{error}");
    });
}
