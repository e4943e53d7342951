//! Tests the examples that read native data.

use crate::support::unreal::samples::{self, Sample};
use gamewire::unreal::archive::{Archive, ArchiveReader, ArchiveWriter, BitArchive, Standalone};
use gamewire::unreal::bulk::{BulkFile, BulkFiles};
use gamewire::unreal::mappings::{MappingsBuf, StructBuf};
use gamewire::unreal::tables::{Export, Import};
use gamewire::unreal::{
    ByteOrder, Layout, Mappings, Object, Package, PackageEditor, PackageIndex, Versions,
};
use graph_pins::{PinRef, Pins, is_node, read_pins};
use std::collections::HashMap;
use std::fs;
use texture_mip::{first_texture, read_texture};

#[path = "../../../examples/graph_pins.rs"]
mod graph_pins;
#[path = "../../../examples/texture_mip.rs"]
mod texture_mip;

fn nodes(package: &Package<'_>) -> impl Iterator<Item = (PackageIndex, Export)> {
    let exports = (1..).map(PackageIndex).zip(package.exports().map(Result::unwrap));
    exports.filter(|(_, export)| is_node(package, export))
}

/// Reads the pins of all nodes in the corpus, and counts pins and links. Each link leads to a pin
/// that has a link back.
#[test]
fn pins_of_nodes() {
    let mut read = Vec::new();
    for sample in samples::packages() {
        let package = sample.package();
        let mut pins = HashMap::new();
        let mut refused = false;
        for (index, node) in nodes(&package) {
            match read_pins(&package, &node) {
                Ok((list, _)) => {
                    for pin in list.iter().map(|pin| pin.unwrap().pin.unwrap()) {
                        assert_eq!(pin.node, index, "{}", sample.name());
                        pins.insert((index, pin.id), pin);
                    }
                }
                Err(error) => {
                    assert!(error.to_string().starts_with("the package is too old"), "{error}");
                    refused = true;
                }
            }
        }
        let links = |pin: &graph_pins::Pin<'_>| {
            pin.linked_to.iter().map(|link| link.unwrap().0.unwrap()).collect::<Vec<_>>()
        };
        let mut count = 0;
        for (id, pin) in &pins {
            for link in links(pin) {
                assert!(links(&pins[&link]).contains(id), "{} {link:?}", sample.name());
                count += 1;
            }
            for sub in pin.sub_pins {
                let sub = &pins[&sub.unwrap().0.unwrap()];
                assert_eq!(sub.parent, PinRef(Some(*id)));
            }
        }
        if refused || !pins.is_empty() {
            read.push((sample.name(), pins.len(), count));
        }
    }
    let read: Vec<_> = read.iter().map(|(name, pins, links)| (&name[..6], *pins, *links)).collect();
    assert_eq!(read, PINS);
}

/// Version, number of pins and number of links for each package with nodes. In the first four
/// packages, pins are exports, so the example does not read them.
const PINS: &[(&str, usize, usize)] = &[
    ("ue4.06", 0, 0),
    ("ue4.07", 0, 0),
    ("ue4.10", 0, 0),
    ("ue4.12", 0, 0),
    ("ue4.13", 17, 6),
    ("ue4.14", 17, 6),
    ("ue4.15", 17, 6),
    ("ue4.17", 17, 6),
    ("ue4.18", 17, 6),
    ("ue4.19", 183, 124),
    ("ue4.19", 17, 6),
    ("ue4.21", 17, 6),
    ("ue4.22", 17, 6),
    ("ue4.24", 17, 6),
    ("ue4.25", 17, 6),
    ("ue4.27", 17, 6),
    ("ue4.27", 9, 0),
    ("ue5.0-", 18, 6),
    ("ue5.2-", 18, 6),
    ("ue5.4-", 18, 6),
    ("ue5.6-", 18, 6),
];

/// Packages that the example does not support are an error: cooked packages, and those of engines
/// that are too new or too old.
#[test]
fn unsupported_pins() {
    for (name, message) in [
        ("ue5.4-cooked-BP_CubePawn.uasset", "cooked"),
        ("ue5.8-cooked-tagged-Empty.umap", "newer"),
        ("ue4.12-SimpleRefsRoot.uasset", "too old"),
    ] {
        let samples = samples::packages();
        let sample = samples.iter().find(|sample| sample.name() == name).unwrap();
        let package = sample.package();
        let error = read_pins(&package, &package.export(0).unwrap()).unwrap_err().to_string();
        assert!(error.contains(message), "{name}: {error}");
    }
}

#[test]
fn pin_with_its_values() {
    let samples = samples::packages();
    let sample = samples.iter().find(|sample| sample.name().contains("ue5.6-Simple")).unwrap();
    let package = sample.package();
    let (_, branch) = nodes(&package)
        .find(|(_, node)| *"K2Node_IfThenElse" == *package.class_name(node).unwrap().to_string())
        .unwrap();
    let (pins, rest) = read_pins(&package, &branch).unwrap();
    assert!(rest.is_at_end());
    let pins: Vec<_> = pins.iter().map(|pin| pin.unwrap().pin.unwrap()).collect();
    let names: Vec<_> = pins.iter().map(|pin| pin.name.to_string(&package)).collect();
    assert_eq!(names, ["execute", "Condition", "then", "else"]);
    let types: Vec<_> = pins.iter().map(|pin| pin.pin_type.category.to_string(&package)).collect();
    assert_eq!(types, ["exec", "bool", "exec", "exec"]);
    assert_eq!(pins[1].default_value, *"true");
    assert_eq!(pins[1].autogenerated_default_value, *"true");
    assert_eq!(pins.iter().map(|pin| pin.direction).collect::<Vec<_>>(), [0, 0, 1, 1]);
    assert_eq!(pins[3].linked_to.len(), 0);
    assert_eq!(pins[1].source_index, Some(-1));
}

/// Pins are written as the bytes from which they were read. They are also converted to the other
/// byte order and back.
#[test]
fn pins_are_written_again() {
    let mut count = 0;
    for sample in samples::packages() {
        let package = sample.package();
        for (_, node) in nodes(&package) {
            let Ok((mut pins, rest)) = read_pins(&package, &node) else { continue };
            let native = package.native_archive(&node).unwrap().unwrap().rest();
            let bytes = &native[..native.len() - rest.rest().len()];
            let mut written = Vec::new();
            ArchiveWriter::new(&mut written, &package).serialize(&mut pins).unwrap();
            assert_eq!(written, bytes, "{}", sample.name());

            let mut swapped = Vec::new();
            let writer = ArchiveWriter::new(&mut swapped, &package);
            writer.with_order(ByteOrder::Big).serialize(&mut pins).unwrap();
            assert_ne!(swapped, bytes);
            let origin = Standalone::new(Layout { order: ByteOrder::Big, ..*package.layout() });
            let mut reader = ArchiveReader::new(&swapped, 0, &origin);
            let mut again: Pins<'_> = reader.read().unwrap();
            assert!(reader.is_at_end());
            written.clear();
            let writer = ArchiveWriter::new(&mut written, &origin);
            writer.with_order(ByteOrder::Little).serialize(&mut again).unwrap();
            assert_eq!(written, bytes, "{}", sample.name());
            count += pins.len();
        }
    }
    assert!(count > 400, "{count}");
}

/// If the native data of a node are cut, its pins are an error, unless all of them are before the
/// cut.
#[test]
fn truncated_pins() {
    let samples = samples::packages();
    let sample = samples.iter().find(|sample| sample.name().contains("ue4.27-TestActor")).unwrap();
    let package = sample.package();
    for (_, node) in nodes(&package) {
        let ar = package.native_archive(&node).unwrap().unwrap();
        let (_, rest) = read_pins(&package, &node).unwrap();
        let needed = ar.rest().len() - rest.rest().len();
        for end in 0..ar.rest().len() {
            let mut cut = package.archive(&ar.rest()[..end], ar.offset());
            assert_eq!(cut.read::<Pins<'_>>().is_ok(), end >= needed, "{end}");
        }
    }
}

fn texture() -> (Sample, Vec<u8>) {
    let samples = samples::packages();
    let sample = samples.into_iter().find(|sample| sample.name().contains("T_Streaming")).unwrap();
    let bulk = fs::read(sample.path.with_extension("ubulk")).unwrap();
    (sample, bulk)
}

#[test]
fn mips_of_a_texture() {
    let (sample, bulk) = texture();
    let package = sample.package();
    let texture = first_texture(&package).unwrap();
    let data = texture.data;
    assert_eq!((data.width, data.height, data.packed, data.first_mip), (512, 512, 1, 0));
    assert_eq!(data.pixel_format, *"PF_DXT1");
    assert_eq!(data.optional, None);
    let files = BulkFiles { separate: Some(&bulk), ..BulkFiles::default() };
    assert_eq!(texture.mips.len(), 10);
    for (level, mip) in (0u32..).zip(&texture.mips) {
        let size = 512 >> level;
        assert_eq!((mip.width, mip.height, mip.depth), (size, size, 1));
        // A block of four by four pixels takes eight bytes.
        let blocks = (size as usize).div_ceil(4).pow(2);
        let file = if level < 3 { BulkFile::Separate } else { BulkFile::Inline };
        assert_eq!(mip.location.file, file);
        let pixels = package.bulk_bytes(&mip.location, &files).unwrap();
        assert_eq!(pixels.len(), 8 * blocks);
        let without = package.bulk_bytes(&mip.location, &BulkFiles::default());
        assert_eq!(without.is_ok(), level >= 3);
    }
    let streamed: usize = texture.mips[..3].iter().map(|mip| mip.location.size as usize).sum();
    assert_eq!(streamed, bulk.len());
}

/// The description of the pixels is written as the bytes from which it was read.
#[test]
fn description_of_pixels_is_written_again() {
    let (sample, _) = texture();
    let package = sample.package();
    let mut data = first_texture(&package).unwrap().data;
    let mut written = Vec::new();
    ArchiveWriter::new(&mut written, &package).serialize(&mut data).unwrap();
    let native = package.native_archive(&package.export(0).unwrap()).unwrap().unwrap().rest();
    assert!(native.windows(written.len()).any(|bytes| bytes == written));
    assert_eq!(written.len(), 16 + 3 * 4 + 12 + 4);
}

/// The parts that differ between the textures that tests write.
#[derive(Clone, Copy)]
struct Written {
    /// `true` if there is a flag that states whether the mips have data.
    mip_flag: bool,
    packed: u32,
    is_virtual: u32,
}

/// Returns the native data of a texture with two mips. The pixels of the first one follow their
/// header, and those of the second one are in the `.ubulk`. `format` and `none` are the indices of
/// the names of the pixel format and of `None`.
fn native(format: i32, none: i32, of: Written) -> Vec<u8> {
    let words =
        |words: &[i32]| words.iter().copied().flat_map(i32::to_le_bytes).collect::<Vec<_>>();
    let mut data = [vec![0; 16], words(&[8, 4, of.packed as i32, 6]), b"PF_G8\0".to_vec()].concat();
    if of.packed & 1 << 30 != 0 {
        data.extend(words(&[7, 9]));
    }
    data.extend(words(&[0, 2]));
    data.extend(words(&[0x40, 8, 8, 0, 0]));
    data.extend(b"12345678");
    data.extend(words(&[8, 4, 1]));
    data.extend(words(&[0x1_0501, 2, 2, 4, 0, 4, 2, 1, of.is_virtual as i32]));
    let flags = if of.mip_flag { vec![1, 1] } else { vec![1] };
    let skip = words(&[data.len() as i32 + 8, 0]);
    [&[1, 0, 1, 0][..], &words(&flags), &words(&[format, 0]), &skip, &data, &words(&[none, 0])]
        .concat()
}

/// Writes a texture into a package of engine 5.1 whose properties have no tags, and reads it as one
/// of `engine`.
fn written_texture(of: Written, engine: Versions) -> Result<(String, Vec<Vec<u8>>), String> {
    let samples = samples::packages();
    let name = "ue5.1-cooked-NewDataTable.uasset";
    let sample = samples.iter().find(|sample| sample.name() == name).unwrap();
    let package = sample.package();
    let mut editor = PackageEditor::new(&package).unwrap();
    let [texture, format, none] =
        ["Texture2D", "PF_G8", "None"].map(|name| editor.add_name(name).unwrap());
    let Object::Import(class) = editor.exports[0].export.class.object() else { panic!() };
    let class = Import { object_name: texture, ..package.import(class).unwrap() };
    editor.exports[0].export.class = editor.add_import(class);
    // The header states that no property has a value. No GUID follows.
    let bytes = [&[0, 1, 0, 0, 0, 0][..], &native(format.index, none.index, of)].concat();
    editor.exports[0].bytes = bytes.into();
    let written = editor.write().unwrap();

    let mut mappings = MappingsBuf::new(4);
    mappings.structs.push(StructBuf::new("Texture2D"));
    let mappings = mappings.write();
    let mappings = Mappings::open(&mappings).unwrap();
    let (header, exports) = (&written.header, written.exports.as_deref());
    let package = Package::open_as(header, exports, Some(engine)).unwrap();
    let without = first_texture(&package).unwrap_err().to_string();
    assert!(without.contains("mappings are needed") || without.contains("engine"), "{without}");
    let package = package.with_mappings(&mappings);
    let texture = first_texture(&package).map_err(|error| error.to_string())?;
    let files = BulkFiles { separate: Some(b"..abcd"), ..BulkFiles::default() };
    let mips = texture.mips.iter().map(|mip| {
        let sizes = [mip.width, mip.height, mip.depth];
        assert!(sizes == [8, 4, 1] || sizes == [4, 2, 1], "{sizes:?}");
        package.bulk_bytes(&mip.location, &files).unwrap().to_vec()
    });
    let description = format!("{} {:?}", texture.data.pixel_format, texture.data.optional);
    Ok((description, mips.collect()))
}

/// In engine 5.1, each mip has a header for its bulk data instead of an index into a table, and
/// textures have no flag for the data of mips.
#[test]
fn written_textures() {
    let engine = |minor| Versions::of_engine(5, minor).unwrap();
    let plain = Written { mip_flag: false, packed: 1, is_virtual: 0 };
    let mips = vec![b"12345678".to_vec(), b"cd".to_vec()];
    let read = written_texture(plain, engine(1));
    assert_eq!(read, Ok(("PF_G8 None".into(), mips.clone())));
    let optional = Written { packed: 1 | 1 << 30, ..plain };
    let expected = format!("PF_G8 {:?}", Some(9u64 << 32 | 7));
    assert_eq!(written_texture(optional, engine(1)), Ok((expected, mips)));
    for (of, engine, message) in [
        (Written { is_virtual: 1, ..plain }, engine(1), "virtual"),
        (Written { packed: 1 | 1 << 29, ..plain }, engine(1), "copy for the processor"),
        (Written { mip_flag: true, ..plain }, engine(1), ""),
    ] {
        let error = written_texture(of, engine).unwrap_err();
        assert!(error.contains(message), "{error}");
    }
}

/// Changes the header or the exports of the texture's package, and returns the error.
fn refused(change: impl FnOnce(&mut Vec<u8>, &mut Vec<u8>), supplied: Option<Versions>) -> String {
    let (sample, _) = texture();
    let (mut header, mut exports) = (sample.bytes.clone(), sample.exports.clone().unwrap());
    change(&mut header, &mut exports);
    let package = match Package::open_as(&header, Some(&exports), supplied) {
        Ok(package) => package,
        Err(error) => return error.to_string(),
    };
    match first_texture(&package) {
        Ok(texture) => panic!("{texture:?}"),
        Err(error) => error.to_string(),
    }
}

/// Textures that the example does not support are an error: those of other versions or kinds.
#[test]
fn unsupported_textures() {
    // The native data begin at offset 135, with the flags that state what was removed.
    let place =
        |at: usize, byte: u8| move |_: &mut Vec<u8>, exports: &mut Vec<u8>| exports[at] = byte;
    assert!(refused(place(135, 0), None).contains("data for the editor"));
    assert!(refused(place(139, 0), None).contains("not cooked"));
    assert!(refused(place(143, 0), None).contains("no data"));
    assert!(refused(place(163, 1), None).contains("derived data"));
    assert!(refused(place(190, 0x20), None).contains("copy for the processor"));
    assert!(refused(place(155, 0), None).contains("does not end where it should"));
    assert!(refused(|_, exports| exports.truncate(300), None).contains("offset"));
    assert!(refused(|_, exports| exports.truncate(150), None).contains("offset"));
    for sample in samples::packages() {
        let package = sample.package();
        for export in package.exports().flatten() {
            if !sample.name().contains("T_Streaming") {
                let error = read_texture(&package, &export).unwrap_err().to_string();
                assert!(!error.is_empty(), "{}", sample.name());
            }
        }
        if package.layout().versions.ue5 < 1004 && package.exports().len() > 0 {
            let error = read_texture(&package, &package.export(0).unwrap()).unwrap_err();
            assert!(error.to_string().contains("before 5.0"), "{}: {error}", sample.name());
        }
    }
}

/// Damaged textures may be read or be an error, but do not cause a panic.
#[test]
fn damaged_textures() {
    let (sample, bulk) = texture();
    let files = BulkFiles { separate: Some(&bulk), ..BulkFiles::default() };
    let mut exports = sample.exports.clone().unwrap();
    for at in 100..400 {
        for byte in [0, 1, 0x7F, 0x80, 0xFF] {
            let was = std::mem::replace(&mut exports[at], byte);
            let package = Package::open_as(&sample.bytes, Some(&exports), None).unwrap();
            if let Ok(texture) = first_texture(&package) {
                for mip in &texture.mips {
                    _ = package.bulk_bytes(&mip.location, &files);
                }
            }
            exports[at] = was;
        }
    }
}
