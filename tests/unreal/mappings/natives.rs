//! Structs with native serialization that contain lists of properties, stored without tags.

use crate::support::unreal::unversioned::linked::{Linked, VERSIONS, slots};
use crate::support::unreal::unversioned::without_places;
use gamewire::unreal::mappings::{MappedTypeBuf, MappingsBuf, PropertyBuf, StructBuf};
use gamewire::unreal::properties::OpaqueReason;
use gamewire::unreal::{
    ErrorKind, Mappings, Package, PackageDocument, PackageEditor, PropertyValue,
};
use serde_json::json;

/// Returns mappings with these structs and the class `Actor`. The class has the property `Value`,
/// which is a struct of the type `of`, and the integer `Last`.
fn mappings(of: &'static str, structs: Vec<StructBuf>) -> Vec<u8> {
    let plain = |name, number| PropertyBuf::new(name, MappedTypeBuf::Plain(number));
    let value = PropertyBuf::new("Value", MappedTypeBuf::Struct(of.into()));
    let mut all = MappingsBuf { structs, ..MappingsBuf::new(4) };
    all.structs.push(StructBuf::new("Actor").with(value).with(plain("Last", 2)));
    all.write()
}

/// Returns a package with an object of the class `Actor`. `value` has the bytes of its property
/// `Value`; its property `Last` is 7.
fn package(made: &mut Linked, value: &[u8]) -> (Vec<u8>, Vec<u8>) {
    let class = made.engine("Actor");
    let object = [&slots(2)[..], value, &7i32.to_le_bytes(), &[0; 4]].concat();
    made.object("Object", class, &object);
    made.write(true)
}

fn open<'a>((header, exports): &'a (Vec<u8>, Vec<u8>), game: &'a Mappings<'a>) -> Package<'a> {
    let package = Package::open_as(header, Some(exports), Some(VERSIONS)).unwrap();
    package.with_mappings(game)
}

/// Returns the property `Value` as JSON. Checks that writing the properties anew gives the same
/// bytes.
fn value(package: &Package<'_>) -> serde_json::Value {
    let object = package.properties(&package.export(0).unwrap()).unwrap().unwrap();
    let PropertyValue::Int(7) = object.iter().get("Last").unwrap().value() else { panic!() };
    let list = serde_json::to_value(object.iter()).unwrap();
    let mut editor = PackageEditor::new(package).unwrap();
    editor.replace_properties(0, 0..object.iter().count(), list.clone()).unwrap();
    let written = editor.write().unwrap().exports.unwrap();
    let export = package.export(0).unwrap();
    assert!(written.starts_with(package.export_bytes(&export).unwrap()));
    without_places(&list)[0]["value"].clone()
}

#[test]
fn variables_of_niagara() {
    let plain = |name, number| PropertyBuf::new(name, MappedTypeBuf::Plain(number));
    let definition = StructBuf::new("NiagaraTypeDefinition")
        .with(plain("Object", 4))
        .with(plain("Type", 20))
        .with(plain("Flags", 0));
    let mut made = Linked::new("/Game/Effect");
    let name = made.names.index("SpawnRate");
    let mut bytes = [name.to_le_bytes(), [0; 4]].concat();
    // The header of a list with three slots. Its mask marks the last value as zero.
    bytes.extend([0x80, 0x07, 0x04]);
    bytes.extend((-1i32).to_le_bytes());
    bytes.extend(2u16.to_le_bytes());
    bytes.extend([3, 0, 0, 0, 1, 2, 3]);
    let written = package(&mut made, &bytes);

    let game = mappings("NiagaraVariable", vec![StructBuf::new("NiagaraVariable"), definition]);
    let game = Mappings::open(&game).unwrap();
    let found = value(&open(&written, &game));
    assert_eq!(found["name"], "SpawnRate");
    let values: Vec<_> = found["of"].as_array().unwrap().iter().map(|tag| &tag["value"]).collect();
    assert_eq!(values, [&json!(-1), &json!(2), &json!(0)]);

    // Without `NiagaraTypeDefinition` in the mappings, the end of the value is not known.
    let game = mappings("NiagaraVariable", vec![StructBuf::new("NiagaraVariable")]);
    let game = Mappings::open(&game).unwrap();
    let package = open(&written, &game);
    let object = package.properties(&package.export(0).unwrap()).unwrap().unwrap();
    let value = object.iter().next().unwrap().unwrap().value();
    let PropertyValue::Opaque(_, OpaqueReason::Malformed(error)) = value else { panic!() };
    assert_eq!(*error.kind(), ErrorKind::NoSchema);
    assert!(object.tail().is_err());
}

#[test]
fn levels_of_detail_of_cloths() {
    let count = PropertyBuf::new("Count", MappedTypeBuf::Plain(2));
    let game = mappings("ClothLODData", vec![StructBuf::new("ClothLODData").with(count)]);
    let game = Mappings::open(&game).unwrap();
    let mut bytes = slots(1).to_vec();
    bytes.extend(5i32.to_le_bytes());
    bytes.extend(1u32.to_le_bytes());
    (0..12u8).for_each(|number| bytes.extend(f32::from(number).to_le_bytes()));
    [1u16, 2, 3, 0xFFFF].into_iter().for_each(|number| bytes.extend(number.to_le_bytes()));
    bytes.extend(0.5f32.to_le_bytes());
    bytes.extend([0; 4]);
    bytes.extend(0u32.to_le_bytes());
    let written = package(&mut Linked::new("/Game/Cloth"), &bytes);
    let found = value(&open(&written, &game));
    assert_eq!(found["value"][0]["value"], 5);
    let vertex = &found["transition_up"][0];
    assert_eq!(vertex["position"], json!({ "x": 0.0, "y": 1.0, "z": 2.0, "w": 3.0 }));
    assert_eq!((&vertex["mode"], &vertex["weight"]), (&json!(0xFFFF), &json!(0.5)));
    assert_eq!(found["transition_down"], json!([]));
}

/// The path of a struct is stored before its properties.
#[test]
fn templates_of_level_sequences() {
    let count = PropertyBuf::new("Count", MappedTypeBuf::Plain(2));
    let structs = ["MovieSceneEvalTemplatePtr", "Template"].map(StructBuf::new);
    let [pointer, template] = structs;
    let game = mappings("MovieSceneEvalTemplatePtr", vec![pointer, template.with(count)]);
    let game = Mappings::open(&game).unwrap();
    let made = |path: &str, list: &[u8]| {
        let mut bytes = (path.len() as u32 + 1).to_le_bytes().to_vec();
        bytes.extend(path.bytes().chain([0]));
        bytes.extend(list);
        package(&mut Linked::new("/Game/Sequence"), &bytes)
    };
    let list = [&slots(1)[..], &5i32.to_le_bytes()].concat();
    let written = made("/Script/Movie.Template", &list);
    let found = value(&open(&written, &game));
    assert_eq!(
        (&found["of"], &found["value"][0]["value"]),
        (&json!("/Script/Movie.Template"), &json!(5))
    );

    let written = package(&mut Linked::new("/Game/Sequence"), &[0; 4]);
    assert_eq!(value(&open(&written, &game)), json!({ "of": "" }));

    let written = made("/Script/Movie.Unknown", &list);
    let package = open(&written, &game);
    let object = package.properties(&package.export(0).unwrap()).unwrap().unwrap();
    let value = object.iter().next().unwrap().unwrap().value();
    let PropertyValue::Opaque(_, OpaqueReason::Malformed(error)) = value else { panic!() };
    assert_eq!(*error.kind(), ErrorKind::NoSchema);
}

/// Changes to members such as `serial_offset` are ignored, but not changes to a value's member with
/// a similar name.
#[test]
fn values_named_like_offsets_are_changed() {
    let game = mappings("FontCharacter", vec![StructBuf::new("FontCharacter")]);
    let game = Mappings::open(&game).unwrap();
    let (header, exports) = package(&mut Linked::new("/Game/Font"), &[1; 21]);
    let package = Package::open_as(&header, Some(&exports), Some(VERSIONS)).unwrap();
    let mut document = serde_json::to_value(package.with_mappings(&game).document()).unwrap();
    document["exports"][0]["properties"][0]["value"]["vertical_offset"] = json!(7);
    let text = document.to_string();
    let document: PackageDocument = serde_json::from_str(&text).unwrap();
    let from = &mut serde_json::Deserializer::from_str(&text);
    let written = document.write_with_mappings(from, &game).unwrap();
    let written = (written.header, written.exports.unwrap());
    assert_eq!(value(&open(&written, &game))["vertical_offset"], 7);
}
