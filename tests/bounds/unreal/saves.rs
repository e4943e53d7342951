//! Bounds of saves (properties, nested containers, texts) and of compressed data.

use super::recursive;
use crate::measure::{
    Entry, Family, Memory, SMALL_INPUT, Shape, Work, consume, shape, with_memory,
    without_allocation,
};
use gamewire::unreal::compression::{Compressed, Method, standard_codec};
use gamewire::unreal::properties::Counts;
use gamewire::unreal::tables::{CustomVersions, EngineVersion};
use gamewire::unreal::{
    PropertyKind, PropertyTypeBuf, PropertyValue, PropertyWriter, Save, StrBuf, TagBuf, Versions,
};
use std::fmt::{self, Write};
use std::hint::black_box;
use std::io::Write as _;

fn family() -> Family {
    let entries = vec![
        without_allocation("Save::open", |file| consume(Save::open(file).is_ok())),
        without_allocation("Save::properties", |file| {
            let Ok(save) = Save::open(file) else { return };
            let tags = save.properties().into_iter().flatten();
            black_box(tags.map(|tag| tag.bytes().len()).sum::<usize>());
        }),
        without_allocation("Properties::get", |file| {
            let Ok(save) = Save::open(file) else { return };
            consume(save.properties().get("no such property").is_some());
        }),
        // Each struct is scanned before it is reported, so bytes inside 48 nested structs are
        // scanned 48 times.
        recursive(Entry {
            work: Work::AtMost(40_000.0),
            ..without_allocation("Properties::visit", |file| {
                let Ok(save) = Save::open(file) else { return };
                let mut counts = Counts::default();
                consume(save.properties().visit(&mut counts).is_ok());
                black_box(counts);
            })
        }),
        recursive(Entry {
            work: Work::AtMost(60_000.0),
            ..without_allocation("a save's Debug", |file| {
                let Ok(save) = Save::open(file) else { return };
                write!(CountingWriter(0), "{:?}", save.properties()).unwrap();
            })
        }),
        recursive(Entry {
            work: Work::AtMost(60_000.0),
            ..with_memory("a save by serde", 1, |file| {
                let Ok(save) = Save::open(file) else { return };
                consume(serde_json::to_writer(std::io::sink(), &save).is_ok());
            })
        }),
        with_memory("Save::trailer, PropertyWriter::copy", 4, |file| {
            let Ok(save) = Save::open(file) else { return };
            let (mut copy, list) = (Vec::new(), save.properties());
            let mut writer = PropertyWriter::new(&mut copy, &list);
            list.into_iter().flatten().for_each(|tag| consume(writer.copy(&tag).is_ok()));
            consume((writer.finish().is_ok(), save.trailer().is_ok()));
        }),
    ];
    Family {
        entries,
        shapes: shapes(),
        max_instructions_per_byte: 12_000.0,
        small_input: SMALL_INPUT,
    }
}

#[test]
fn work() {
    family().assert_work("unreal::saves::work");
}

#[test]
fn memory() {
    family().assert_memory();
}

/// A writer that counts bytes.
struct CountingWriter(usize);

impl Write for CountingWriter {
    fn write_str(&mut self, text: &str) -> fmt::Result {
        self.0 += text.len();
        Ok(())
    }
}

type List<'w, 'p> = PropertyWriter<'w, 'p, Vec<u8>>;

/// Returns a save with the properties that `write` adds.
fn save(write: impl FnOnce(&mut List<'_, '_>)) -> Vec<u8> {
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

fn shapes() -> Vec<Shape> {
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
        shape("a save that is cut off", |size| {
            let mut file = save(|list| nested_structs(list, (size / 64).min(45)));
            file.truncate(file.len() / 2);
            file
        }),
    ]
}

fn compressed() -> Family {
    let entries = vec![
        without_allocation("Compressed::open", |bytes| consume(open(bytes).is_some())),
        Entry {
            memory: Memory::PerByte(0, LIMIT + (64 << 10)),
            ..without_allocation("Compressed::decompress", |bytes| {
                let Some(data) = open(bytes) else { return };
                consume(data.decompress(LIMIT, standard_codec).is_ok());
            })
        },
    ];
    let shapes = vec![
        shape("blocks of zeros", |size| compressed_blocks(size, |block| vec![0; block])),
        shape("empty blocks, which claim much", |size| {
            let words = [TAG, BLOCK, 0, (BLOCK * (size as u64 / 16)).min(1 << 40)];
            let table = [0, BLOCK].repeat(size / 16);
            words.into_iter().chain(table).flat_map(u64::to_le_bytes).collect()
        }),
        shape("a size too high", |size| {
            let words = [TAG, 1, u64::MAX >> 1, u64::MAX >> 1];
            words.into_iter().flat_map(u64::to_le_bytes).chain(vec![0; size]).collect()
        }),
    ];
    Family { entries, shapes, max_instructions_per_byte: 200_000.0, small_input: 4 * SMALL_INPUT }
}

const TAG: u64 = 0x9E2A_83C1;
const BLOCK: u64 = 1 << 14;

/// Limit on the decompressed size, set by the caller.
const LIMIT: usize = 128 << 10;

fn open(bytes: &[u8]) -> Option<Compressed<'_>> {
    Compressed::open(bytes, Method::Zlib).ok()
}

/// Returns `size / 64` compressed blocks, each of which is decompressed to 16 KiB.
fn compressed_blocks(size: usize, block: impl Fn(usize) -> Vec<u8>) -> Vec<u8> {
    let count = (size / 64).max(1);
    let plain = block(BLOCK as usize);
    let one = miniz_oxide::deflate::compress_to_vec_zlib(&plain, 9);
    let mut bytes = Vec::new();
    let stored = (one.len() * count) as u64;
    let head = [TAG, BLOCK, stored, BLOCK * count as u64];
    let table = [one.len() as u64, BLOCK].repeat(count);
    for word in head.into_iter().chain(table) {
        bytes.write_all(&word.to_le_bytes()).unwrap();
    }
    bytes.extend(one.repeat(count));
    bytes
}

#[test]
fn compressed_work() {
    compressed().assert_work("unreal::saves::compressed_work");
}

#[test]
fn compressed_packages_memory() {
    compressed().assert_memory();
}
