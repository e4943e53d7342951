//! Writes lists of properties and saves again.
use crate::support::unreal::samples;
use gamewire::unreal::{Properties, PropertyValue, PropertyWriter, Save};

/// Rewrites a list. A struct that is a list of properties is rewritten recursively. Any other value
/// is decoded and encoded again, or copied as bytes if the writer cannot encode it.
fn rewrite<'p>(list: Properties<'p>, writer: &mut PropertyWriter<'_, 'p, Vec<u8>>) {
    for tag in list {
        let tag = tag.unwrap();
        match tag.value() {
            PropertyValue::Struct(inner) => {
                let mut nested = writer.nested(&tag.head()).unwrap();
                rewrite(inner, &mut nested);
                nested.finish().unwrap();
            }
            value if writer.value(&tag.head(), &value).is_ok() => {}
            _ => writer.copy(&tag).unwrap(),
        }
    }
}

/// Every list of every export can be written again unchanged.
#[test]
fn properties_of_packages() {
    for sample in samples::packages() {
        let (name, package) = (sample.name(), sample.package());
        for export in package.exports() {
            let export = export.unwrap();
            let Some(object) = package.properties(&export).unwrap() else { continue };
            if export.class.is_null() {
                continue;
            }
            let list = object.iter();
            let start = (list.offset() - export.serial.offset as u64) as usize;
            let end = (object.tail().unwrap().offset - export.serial.offset as u64) as usize;
            let mut written = Vec::new();
            let mut writer = PropertyWriter::new(&mut written, &list);
            rewrite(list, &mut writer);
            writer.finish().unwrap();
            let bytes = package.export_bytes(&export).unwrap();
            assert_eq!(written, bytes[start..end], "{name}: {:?}", export.object_name);
        }
    }
}

/// Every save can be written again unchanged, including the bytes after the properties.
#[test]
fn saves() {
    for sample in samples::saves() {
        let save = Save::open(&sample.bytes).unwrap();
        let mut written = Vec::new();
        save.write_header(&mut written).unwrap();
        let mut writer = PropertyWriter::new(&mut written, &save.properties());
        rewrite(save.properties(), &mut writer);
        writer.finish().unwrap();
        written.extend_from_slice(save.trailer().unwrap().1);
        assert_eq!(written, sample.bytes, "{}", sample.name());
    }
}

/// A changed value can be read back, and the other properties are kept.
#[test]
fn changed() {
    let sample = samples::saves().into_iter().find(|s| s.name().contains("Slot1")).unwrap();
    let save = Save::open(&sample.bytes).unwrap();
    let mut written = Vec::new();
    save.write_header(&mut written).unwrap();
    let mut writer = PropertyWriter::new(&mut written, &save.properties());
    for tag in save.properties() {
        let tag = tag.unwrap();
        match &*tag.name().to_string() {
            "u8_test" => writer.value(&tag.head(), &PropertyValue::UInt(200)).unwrap(),
            "i8_test" => {
                let error = writer.value(&tag.head(), &PropertyValue::Int(200)).unwrap_err();
                assert!(error.to_string().contains("does not fit"), "{error}");
                writer.copy(&tag).unwrap();
            }
            _ => writer.copy(&tag).unwrap(),
        }
    }
    writer.finish().unwrap();
    written.extend_from_slice(save.trailer().unwrap().1);
    assert_eq!(written.len(), sample.bytes.len());
    let changed = Save::open(&written).unwrap();
    let first = changed.properties().next().unwrap().unwrap();
    assert!(matches!(first.value(), PropertyValue::UInt(200)));
    assert_eq!(changed.properties().count(), save.properties().count());
}
