//! Writes lists of properties without tags.

use super::values::{file, with_pair};
use gamewire::unreal::{Mappings, Package, PackageEditor, PropertyValue, PropertyWriter, Versions};

/// Each list is copied, and is written value by value. Both give the same bytes.
#[test]
fn lists_are_written_as_they_were_read() {
    with_pair("tiny.v4.usmap", |package| {
        let mut editor = PackageEditor::new(package).unwrap();
        for (index, export) in package.exports().enumerate() {
            let export = export.unwrap();
            let object = package.properties(&export).unwrap().unwrap();
            let (mut copied, mut written) = (Vec::new(), Vec::new());
            let mut copy = PropertyWriter::new(&mut copied, &object.iter());
            let mut write = PropertyWriter::new(&mut written, &object.iter());
            for tag in object {
                let tag = tag.unwrap();
                copy.copy(&tag).unwrap();
                if tag.slot().unwrap().is_zero || write.value(&tag, &tag.value()).is_err() {
                    write.copy(&tag).unwrap();
                }
            }
            copy.finish().unwrap();
            write.finish().unwrap();
            assert_eq!(copied, written);
            let tail = object.tail().unwrap();
            let size = (tail.offset - export.serial.offset as u64) as usize;
            assert_eq!(copied, package.export_bytes(&export).unwrap()[..size]);
            editor.set_properties(index, &copied).unwrap();
        }
        let written = editor.write().unwrap();
        assert_eq!(written.header, file("tiny.uasset"));
        assert_eq!(written.exports.unwrap(), file("tiny.uexp"));
    });
}

/// Some values are left out, some are changed, and one is added.
#[test]
fn changed_lists_have_new_headers() {
    with_pair("tiny.v4.usmap", |package| {
        let export = package.export(0).unwrap();
        let list = package.properties(&export).unwrap().unwrap().iter();
        let mut bytes = Vec::new();
        let mut writer = PropertyWriter::new(&mut bytes, &list);
        writer.copy(&list.get("Fixed").unwrap()).unwrap();
        let second = list.declared("fixed", 1).unwrap();
        writer.value(&second, &PropertyValue::Int(8)).unwrap();
        let kind = list.get("KI16").unwrap();
        let PropertyValue::Enum(mut number) = kind.value() else { panic!() };
        number.value = number.of.unwrap().value_of("EWide::Big").unwrap();
        writer.value(&kind, &PropertyValue::Enum(number)).unwrap();
        let out_of_order = list.declared("Flag", 0).unwrap();
        assert!(writer.value(&out_of_order, &PropertyValue::Bool(true)).is_err());
        let number = list.declared("BaseNumber", 0).unwrap();
        assert!(writer.value(&number, &PropertyValue::Bool(true)).is_err());
        writer.value(&number, &PropertyValue::Int(77)).unwrap();
        writer.copy(&list.get("BaseKind").unwrap()).unwrap();
        writer.finish().unwrap();

        let mut editor = PackageEditor::new(package).unwrap();
        editor.set_properties(0, &bytes).unwrap();
        let written = editor.write().unwrap();
        let mappings = package.mappings().unwrap();
        let exports = written.exports.as_deref();
        let changed = Package::open_as(&written.header, exports, Some(package.layout().versions));
        let changed = changed.unwrap().with_mappings(mappings);
        let object = changed.properties(&changed.export(0).unwrap()).unwrap().unwrap();
        let text: Vec<_> = object
            .iter()
            .map(|tag| {
                let tag = tag.unwrap();
                let value = match tag.value() {
                    PropertyValue::Int(value) => value.to_string(),
                    PropertyValue::Enum(value) => value.to_string(),
                    other => panic!("{other:?}"),
                };
                format!(
                    "{}[{}] {value} {}",
                    tag.name(),
                    tag.head().array_index,
                    tag.slot().unwrap().is_zero
                )
            })
            .collect();
        assert_eq!(
            text,
            [
                "Fixed[0] -7 false",
                "Fixed[1] 8 false",
                "KI16[0] EWide::Big false",
                "BaseNumber[0] 77 false",
                "BaseKind[0] EKind::None true",
            ]
        );
        assert_eq!(object.tail().unwrap().native, b"TAIL");
    });
}

/// Structs and containers are written value by value.
#[test]
fn nested_lists_are_written() {
    with_pair("tiny.v4.usmap", |package| {
        let export = package.export(0).unwrap();
        let list = package.properties(&export).unwrap().unwrap().iter();
        let mut bytes = Vec::new();
        let mut writer = PropertyWriter::new(&mut bytes, &list);
        let structs = list.get("AStruct").unwrap();
        let mut elements = writer.container(&structs).unwrap();
        for number in [5, 6] {
            let mut inner = elements.nested().unwrap();
            let PropertyValue::Array(mut all) = structs.value() else { panic!() };
            let Some(PropertyValue::Struct(like)) = all.next() else { panic!() };
            inner.value(&like.declared("A", 0).unwrap(), &PropertyValue::Int(number)).unwrap();
            inner.finish().unwrap();
        }
        elements.finish().unwrap();
        let nest = list.get("Nest").unwrap();
        let inner = writer.nested(&nest).unwrap();
        inner.finish().unwrap();
        writer.finish().unwrap();
        // The array follows the header of the outer list. In the array, `0x0300` is the header of a
        // struct with a value in its first slot only.
        let array = [&[2, 0, 0, 0][..], &[0x00, 0x03, 5, 0, 0, 0, 0x00, 0x03, 6, 0, 0, 0]].concat();
        let place = bytes.windows(array.len()).position(|bytes| bytes == array).unwrap();
        assert_eq!(bytes[place + array.len()..], [0x04, 0x01], "nothing stored in four slots");
    });
}

/// The mappings that a package was opened with are needed to edit it.
#[test]
fn lists_are_not_replaced_without_mappings() {
    let (header, exports) = (file("tiny.uasset"), file("tiny.uexp"));
    let package = Package::open_as(&header, Some(&exports), Versions::of_engine(5, 3)).unwrap();
    assert!(PackageEditor::new(&package).unwrap().set_properties(0, &[]).is_err());
    let _: Option<&Mappings<'_>> = package.mappings();
}
