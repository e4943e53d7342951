//! Laws for documents. The document of a complete save is written as the bytes of the save.
//! Arbitrary text is either refused as a document, or results in a save that can be read.

use gamewire::unreal::{BytesForm, Package, PackageDocument, Save, SaveDocument};

/// Message of `serde_json` about a document that is nested too deeply. A valid save can have such a
/// document.
const TOO_DEEP: &str = "recursion limit exceeded";

fn written(json: &str) -> serde_json::Result<Vec<u8>> {
    let document: SaveDocument = serde_json::from_str(json)?;
    document.write(&mut serde_json::Deserializer::from_str(json))
}

/// Checks that the document of a package is written as the bytes of the package. The document may
/// be refused if the package is damaged.
pub fn package_document(package: &Package<'_>, header: &[u8], exports: Option<&[u8]>) {
    let is_fine = package.verify(|_| ());
    let json = serde_json::to_string(&package.document()).unwrap();
    let document: PackageDocument = match serde_json::from_str(&json) {
        Ok(document) => document,
        Err(error) if error.to_string().contains(TOO_DEEP) => return,
        Err(error) => panic!("{error}"),
    };
    match document.write(&mut serde_json::Deserializer::from_str(&json)) {
        Ok(file) => {
            assert!(file.header == header, "the document is written as it was read: {json}");
            assert!(
                file.exports.as_deref() == exports,
                "the document is written as it was read: {json}"
            );
        }
        Err(error) if !is_fine || error.to_string().contains(TOO_DEEP) => {}
        Err(error) => panic!("{error}: {json}"),
    }
}

/// Checks `data` both as the text of a document and as a save.
pub fn unreal_document(data: &[u8]) {
    if let Ok(text) = core::str::from_utf8(data)
        && let Ok(file) = written(text)
    {
        assert!(Save::open(&file).unwrap().trailer().is_ok(), "the written save can be read");
        round_trip(&file);
    }
    if let Ok(text) = core::str::from_utf8(data)
        && let Ok(document) = serde_json::from_str::<PackageDocument>(text)
    {
        // The result is not checked: the package in the document can be damaged.
        let _ = document.write(&mut serde_json::Deserializer::from_str(text));
    }
    round_trip(data);
}

fn round_trip(data: &[u8]) {
    let Ok(save) = Save::open(data) else { return };
    if save.trailer().is_err() {
        return;
    }
    let form = match data.len() % 3 {
        0 => BytesForm::List,
        1 => BytesForm::Hex,
        _ => BytesForm::Base64,
    };
    let json = serde_json::to_string(&save.clone().with_bytes(form)).unwrap();
    match written(&json) {
        Ok(file) => assert!(file == data, "the document is written as it was read: {json}"),
        Err(error) if error.to_string().contains(TOO_DEEP) => {}
        Err(error) => panic!("{error}: {json}"),
    }
}
