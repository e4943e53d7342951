//! Expensive saves of Unreal Engine.

use super::{Shape, shape};
use gamewire::unreal::tables::{CustomVersions, EngineVersion};
use gamewire::unreal::{
    PropertyKind, PropertyTypeBuf, PropertyValue, PropertyWriter, Save, StrBuf, TagBuf, Versions,
};

type List<'w, 'p> = PropertyWriter<'w, 'p, Vec<u8>>;

/// Returns a save with the properties that `write` adds.
pub fn save(write: impl FnOnce(&mut List<'_, '_>)) -> Vec<u8> {
    let (branch, class) = (StrBuf::new("++UE5+Release-5.3"), StrBuf::new("/Script/A.B"));
    let branch = branch.as_text();
    let engine = EngineVersion { major: 5, minor: 3, branch, ..EngineVersion::default() };
    let versions = Versions::of_engine(5, 3).unwrap();
    let save = Save::new(versions, engine, CustomVersions::default(), class.as_text()).unwrap();
    let mut file = Vec::new();
    save.write_header(&mut file).unwrap();
    let properties = save.properties();
    let mut list = PropertyWriter::new(&mut file, &properties);
    write(&mut list);
    list.finish().unwrap();
    file.extend([0; 4]);
    file
}

fn int(name: &str) -> TagBuf {
    TagBuf::in_save(name, &PropertyTypeBuf::of(PropertyKind::Int))
}

/// Returns a save with one property of this type and value.
fn save_with_property(property_type: &PropertyTypeBuf, bytes: &[u8]) -> Vec<u8> {
    let tag = TagBuf::in_save("A", property_type);
    save(|list| list.bytes(&tag, bytes).unwrap())
}

fn nested_structs(list: &mut List<'_, '_>, depth: usize) {
    let property_type = PropertyTypeBuf::structure("S", "/Script/A");
    let tag = TagBuf::in_save("A", &property_type);
    match depth.checked_sub(1) {
        Some(depth) => {
            let mut inner = list.nested(&tag).unwrap();
            nested_structs(&mut inner, depth);
            inner.finish().unwrap();
        }
        None => list.value(&int("B"), &PropertyValue::Int(5)).unwrap(),
    }
}

/// Returns nested arrays of structs, with this many levels.
fn nested_arrays(depth: usize) -> Vec<u8> {
    let property_type = PropertyTypeBuf::array(PropertyTypeBuf::structure("S", "/Script/A"));
    let tag = TagBuf::in_save("A", &property_type);
    fn nest(list: &mut List<'_, '_>, tag: &TagBuf, depth: usize) {
        let Some(depth) = depth.checked_sub(1) else { return };
        let mut array = list.container(tag).unwrap();
        let mut element = array.nested().unwrap();
        nest(&mut element, tag, depth);
        element.finish().unwrap();
        array.finish().unwrap();
    }
    save(|list| nest(list, &tag, depth))
}

pub fn shapes() -> Vec<Shape> {
    let many = |name, tag: fn(usize) -> TagBuf| {
        shape(name, move |size| {
            save(|list| {
                for number in 0..size / 40 {
                    list.value(&tag(number), &PropertyValue::Int(number as i64)).unwrap();
                }
            })
        })
    };
    let property = |name,
                    property_type: fn() -> PropertyTypeBuf,
                    head: &'static [i32],
                    item: &'static [u8]| {
        shape(name, move |size| {
            let head: Vec<u8> = head.iter().flat_map(|word| word.to_le_bytes()).collect();
            let items = item.repeat(size / item.len());
            save_with_property(&property_type(), &[head, items].concat())
        })
    };
    vec![
        many("ints", |n| int(&format!("A{n}"))),
        many("the same int again", |_| int("A")),
        shape("a long text", |size| {
            let tag = TagBuf::in_save("A", &PropertyTypeBuf::of(PropertyKind::Str));
            let text = StrBuf::new(&"é東".repeat(size / 4));
            save(|list| list.value(&tag, &PropertyValue::Str(text.as_text())).unwrap())
        }),
        shape("a long name", |size| {
            save(|list| {
                list.value(&int(&"A".repeat(size)), &PropertyValue::Int(5)).unwrap();
            })
        }),
        shape("structs in each other", |size| {
            save(|list| nested_structs(list, (size / 64).min(60)))
        }),
        shape("chains of structs", |size| {
            save(|list| (0..(size / 64 / 45).max(1)).for_each(|_| nested_structs(list, 45)))
        }),
        shape("arrays in each other", |size| nested_arrays((size / 100).min(40))),
        property(
            "a count too high",
            || PropertyTypeBuf::array(PropertyTypeBuf::of(PropertyKind::Int)),
            &[i32::MAX],
            &[7],
        ),
        property(
            "a negative count",
            || PropertyTypeBuf::array(PropertyTypeBuf::of(PropertyKind::Int)),
            &[-5],
            &[7],
        ),
        property(
            "texts that are empty",
            || PropertyTypeBuf::array(PropertyTypeBuf::of(PropertyKind::Str)),
            &[500],
            &[0],
        ),
        property(
            "structs that are empty",
            || PropertyTypeBuf::array(PropertyTypeBuf::structure("S", "/Script/A")),
            &[500],
            b"\x05\0\0\0None\0",
        ),
        property(
            "truths",
            || PropertyTypeBuf::array(PropertyTypeBuf::of(PropertyKind::Bool)),
            &[900],
            &[1],
        ),
        property(
            "a map of the same key",
            || {
                PropertyTypeBuf::map(
                    PropertyTypeBuf::of(PropertyKind::Int),
                    PropertyTypeBuf::of(PropertyKind::Int),
                )
            },
            &[0, 100],
            &[5, 0, 0, 0, 6, 0, 0, 0],
        ),
        property(
            "a set that removes much",
            || PropertyTypeBuf::set(PropertyTypeBuf::of(PropertyKind::Int)),
            &[200],
            &[0],
        ),
        property(
            "texts in texts",
            || PropertyTypeBuf::of(PropertyKind::Text),
            &[],
            &[0, 0, 0, 0, 3],
        ),
        property(
            "texts to be formatted",
            || PropertyTypeBuf::of(PropertyKind::Text),
            &[],
            &[0, 0, 0, 0, 1],
        ),
        // The count is one more than the number of entries, so every guess fails at the end.
        shape("structs without a name that nothing fits", |size| {
            let of = PropertyTypeBuf::of(PropertyKind::Struct);
            let of = PropertyTypeBuf::map(of.clone(), of);
            let count = i32::try_from(size / 32 + 1).unwrap();
            let head: Vec<u8> = [0, count].iter().flat_map(|word| word.to_le_bytes()).collect();
            let items = [0x80, 0x41, 0x9F, 0xC1].repeat(size / 32 * 8);
            save_with_property(&of, &[head, items].concat())
        }),
        shape("GUIDs without a name", |size| {
            let of = PropertyTypeBuf::of(PropertyKind::Struct);
            let of = PropertyTypeBuf::map(of.clone(), of);
            let count = i32::try_from(size / 32).unwrap();
            let head: Vec<u8> = [0, count].iter().flat_map(|word| word.to_le_bytes()).collect();
            let items = [0x80, 0x41, 0x9F, 0xC1].repeat(size / 32 * 8);
            save_with_property(&of, &[head, items].concat())
        }),
        property(
            "structs of no bytes",
            || PropertyTypeBuf::array(PropertyTypeBuf::structure("KeyHandleMap", "/Script/Game")),
            &[i32::MAX],
            &[7],
        ),
        shape("a save that is cut off", |size| {
            let mut file = save(|list| nested_structs(list, (size / 64).min(45)));
            file.truncate(file.len() / 2);
            file
        }),
    ]
}
