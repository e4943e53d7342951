//! Asserts what the small saves of the corpus contain. They were made by code, one form each.

use gamewire::unreal::{PropertyValue, Save, Versions};
use std::fs;
use std::path::Path;

/// Returns the bytes of a save in `corpus/unreal-small`.
fn file(name: &str) -> Vec<u8> {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("corpus/unreal-small");
    fs::read(folder.join(format!("{name}.sav"))).unwrap()
}

/// A version of a licensee is read as version 522, and written as the file states it.
#[test]
fn versions_of_licensees() {
    for version in [523, 524, 525] {
        let file = file(&format!("version_{version}"));
        let save = Save::open(&file).unwrap();
        assert_eq!(save.versions().ue4_version, version);
        assert_eq!(save.layout().versions, Versions { ue4: 522, ue5: 0 });
        let first = save.properties().next().unwrap().unwrap();
        assert!(matches!(first.value(), PropertyValue::Int(1)), "{version}");
        let mut header = Vec::new();
        save.write_header(&mut header).unwrap();
        assert_eq!(header, file[..header.len()]);
        #[cfg(feature = "serde")]
        assert_eq!(serde_json::to_value(&save).unwrap()["ue4_version"], version);
    }
}

/// The units of a text contain half of a surrogate pair as it is; only `Display` replaces it.
#[test]
fn half_of_a_surrogate_pair() {
    let file = file("lone_surrogate");
    let save = Save::open(&file).unwrap();
    let PropertyValue::Str(text) = save.properties().next().unwrap().unwrap().value() else {
        panic!()
    };
    assert_eq!(text.units().collect::<Vec<_>>(), [0xD800, 0x41]);
    assert_eq!(text.to_string(), "\u{FFFD}A");
}
