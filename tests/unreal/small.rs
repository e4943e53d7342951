//! Asserts what the small saves of the corpus contain. They were made by code, and each has a
//! different form of a value.

use gamewire::unreal::{PropertyValue, PropertyWriter, Save, Versions};
use std::fs;
use std::path::Path;

/// Returns the bytes of a save in `corpus/unreal-small`.
fn file(name: &str) -> Vec<u8> {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("corpus/unreal-small");
    fs::read(folder.join(format!("{name}.sav"))).unwrap()
}

/// The version of a licensee is read as version 522, and is written unchanged.
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

/// Half of a surrogate pair is kept in the units of a text. Only `Display` replaces it.
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

/// Names of saves. For each save, the value of its first property as a document, in which a set or
/// map is the list of its elements, and the inferred type.
#[cfg(feature = "serde")]
const VALUES: &[(&str, &str, Option<&str>)] = &[
    (
        "guid_keys_map",
        r#"[{"key":"14131211181716151C1B1A19201F1E1D","value":[{"at":172,"name":"Count","type":"IntProperty","size":4,"array_index":0,"value":7}]}]"#,
        Some("MapProperty(StructProperty(Guid),StructProperty)"),
    ),
    (
        "guid_int_map",
        r#"[{"key":"14131211181716151C1B1A19201F1E1D","value":5}]"#,
        Some("MapProperty(StructProperty(Guid),IntProperty)"),
    ),
    (
        "int_guid_map",
        r#"[{"key":5,"value":"14131211181716151C1B1A19201F1E1D"}]"#,
        Some("MapProperty(IntProperty,StructProperty(Guid))"),
    ),
    (
        "guid_set",
        r#"["14131211181716151C1B1A19201F1E1D"]"#,
        Some("SetProperty(StructProperty(Guid))"),
    ),
    (
        "enum_floatrange_map",
        r#"[{"key":"E::A","value":{"lower":{"kind":1,"value":0.25},"upper":{"kind":1,"value":0.5}}}]"#,
        Some("MapProperty(EnumProperty,StructProperty(FloatRange))"),
    ),
    ("struct_Box2D", r#"{"min":{"x":0.0,"y":0.0},"max":{"x":1.0,"y":1.0},"valid":1}"#, None),
    (
        "struct_FloatRange",
        r#"{"lower":{"kind":1,"value":0.25},"upper":{"kind":1,"value":0.5}}"#,
        None,
    ),
    ("struct_FontData", r#"{"cooked":false,"value":[]}"#, None),
    ("struct_FrameNumber", "9", None),
    ("struct_FrameRate", r#"{"numerator":30,"denominator":1}"#, None),
    ("struct_Int32Point", r#"{"x":1,"y":2}"#, None),
    ("struct_KeyHandleMap", "{}", None),
    ("struct_MovieSceneEvaluationKey", r#"{"sequence":1,"track":2,"section":3}"#, None),
    ("struct_MovieSceneTrackIdentifier", "3", None),
    ("struct_PerPlatformFloat", r#"{"cooked":true,"value":2.5}"#, None),
    ("struct_PerPlatformFloatUncooked", r#"{"cooked":false,"value":2.5,"platforms":[]}"#, None),
    ("struct_UniqueNetIdRepl", r#"{"size":0}"#, None),
    ("struct_Vector2f", r#"{"x":1.0,"y":2.0}"#, None),
];

#[cfg(feature = "serde")]
#[test]
fn values_and_inferred_types() {
    for (name, expected, inferred) in VALUES {
        let file = file(name);
        let save = Save::open(&file).unwrap();
        let document = serde_json::to_value(&save).unwrap();
        let property = &document["properties"][0];
        let value = match &property["value"] {
            serde_json::Value::Object(fields) if fields.contains_key("removed") => {
                let rest = fields.get("entries").or(fields.get("values"));
                rest.unwrap().clone()
            }
            value => value.clone(),
        };
        let expected: serde_json::Value = serde_json::from_str(expected).unwrap();
        assert_eq!(value, expected, "{name}");
        assert_eq!(property["inferred"].as_str(), *inferred, "{name}");
        let tag = save.properties().next().unwrap().unwrap();
        let found = tag.inferred().map(|inferred| inferred.to_string());
        assert_eq!(found.as_deref(), *inferred, "{name}");
    }
}

/// Only a text of an unknown kind is opaque, and all values can be written back.
#[test]
fn structs_can_be_written_back() {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("corpus/unreal-small");
    let mut written = 0;
    for entry in fs::read_dir(folder).unwrap() {
        let path = entry.unwrap().path();
        let name = path.file_stem().unwrap().to_string_lossy().into_owned();
        if path.extension().is_none_or(|end| end != "sav") {
            continue;
        }
        let file = fs::read(&path).unwrap();
        let Ok(save) = Save::open(&file) else { continue };
        for tag in save.properties().map(Result::unwrap) {
            let value = tag.value();
            let is_opaque = matches!(value, PropertyValue::Opaque(..));
            assert_eq!(is_opaque, name == "text_history_0x41" && tag.name() == *"T", "{name}");
            let mut to = Vec::new();
            let mut list = PropertyWriter::new(&mut to, &save.properties());
            let mut elements = match value {
                PropertyValue::Map(map) => {
                    let mut to = list.container(&tag).unwrap();
                    for (key, value) in map.entries() {
                        to.value(&key).unwrap();
                        to.value(&value).unwrap();
                    }
                    Some(to)
                }
                PropertyValue::Set(set) => {
                    let mut to = list.container(&tag).unwrap();
                    set.values().for_each(|value| to.value(&value).unwrap());
                    Some(to)
                }
                PropertyValue::Array(all) => {
                    let mut to = list.container(&tag).unwrap();
                    all.into_iter().for_each(|value| to.value(&value).unwrap());
                    Some(to)
                }
                value => {
                    list.value(&tag, &value).unwrap();
                    None
                }
            };
            if let Some(elements) = elements.take() {
                elements.finish().unwrap();
            }
            list.finish().unwrap();
            let at = tag.offset() as usize;
            let end = to.len() - 9; // the name that ends the list
            assert_eq!(to[..end], file[at..at + end], "{name}");
            written += 1;
        }
    }
    assert!(written > 30, "{written}");
}
