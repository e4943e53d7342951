//! Reads packages of kinds that the corpus lacks. They were **transformed** from real packages,
//! with the independent description of headers in `support/unreal/transform.rs`.

use crate::support::unreal::compare;
use crate::support::unreal::samples::{self, Sample};
use crate::support::unreal::transform::{self, Described, Edit};
use gamewire::unreal::tables::{TilePoint, TilePosition, WorldTileInfo, WorldTileLod};
use gamewire::unreal::{
    ByteOrder, Name, Package, PackageEditor, PackageIndex, StrBuf, Value, Versions,
};
use std::fs;

fn read(name: &str) -> Vec<u8> {
    let path = format!("{}/corpus/unreal/{name}", env!("CARGO_MANIFEST_DIR"));
    fs::read(path).unwrap_or_else(|error| panic!("{name}: {error}"))
}

/// Asserts that the crate and the oracle read the same tables from a transformed file.
fn agrees_with_oracle(file: &[u8]) {
    assert!(compare::package(file, None, None).unwrap() > 100);
}

fn described(sample: &Sample) -> Described {
    let engine = sample.supplied().map(|versions| (versions.ue4.into(), versions.ue5.into()));
    Described::new(&sample.bytes, engine)
}

/// Returns the printed records of every table.
fn tables(package: &Package<'_>) -> Vec<(&'static str, Vec<String>)> {
    let mut found = vec![("summary", vec![format!("{:#?}", package.summary())])];
    macro_rules! all {
        ($($table:ident)*) => {$(
            let records = package.$table().map(|record| format!("{:?}", record.unwrap()));
            found.push((stringify!($table), records.collect()));
        )*};
    }
    all! {
        names imports exports depends soft_package_references soft_object_paths
        gatherable_text preload_dependencies import_type_hierarchies
    }
    macro_rules! single {
        ($($table:ident)*) => {$(
            found.push((stringify!($table), vec![format!("{:?}", package.$table().unwrap())]));
        )*};
    }
    single! {
        searchable_names thumbnails metadata asset_registry registry_dependencies
        world_tile_info data_resources trailer
    }
    for thumbnail in package.thumbnails().unwrap().into_iter().flatten() {
        let (head, picture) = package.thumbnail(&thumbnail.unwrap()).unwrap();
        found.push(("thumbnail", vec![format!("{head:?} {picture:?}")]));
    }
    found
}

/// The description of headers covers every byte of every header.
#[test]
fn description_is_whole() {
    for sample in samples::packages() {
        let package = sample.package();
        let described = described(&sample);
        let end = package.summary().header_size() as usize;
        assert_eq!(described.gap(end), None, "{}: a byte that is not described", sample.name());
    }
}

/// Transformed: reads every package of the corpus in the other byte order, except for the bytes of
/// exports.
#[test]
fn big_endian() {
    for sample in samples::packages() {
        let little = sample.package();
        let swapped = described(&sample).swapped();
        let big = Package::open_as(&swapped, sample.exports.as_deref(), sample.supplied())
            .unwrap_or_else(|error| panic!("{}: {error}", sample.name()));
        assert_eq!(big.layout().order, ByteOrder::Big);
        assert_eq!(big.versions(), little.versions(), "{}", sample.name());
        assert!(big.verify(|problem| println!("{}: {problem}", sample.name())));
        for (table, same) in tables(&big).iter().zip(tables(&little)) {
            assert_eq!(table, &same, "{}", sample.name());
        }
        for (a, b) in big.exports().zip(little.exports()) {
            let (a, b) = (a.unwrap(), b.unwrap());
            assert_eq!(big.export_bytes(&a), little.export_bytes(&b), "{}", sample.name());
            assert_eq!(
                big.name(a.object_name).unwrap().to_string(),
                little.name(b.object_name).unwrap().to_string()
            );
        }
    }
}

/// Transformed: adds a table of searchable names, which is missing or empty in all samples. All
/// later bytes move.
#[test]
fn searchable_names() {
    for name in ["ue4.27-TestActorBP.uasset", "ue5.6-SimpleRefsRoot.uasset"] {
        let file = read(name);
        let before = Package::open(&file).unwrap();
        let mut described = Described::new(&file, None);
        let end = described.number(described.field("total_header_size")) as usize;
        let table = [2, 1, 2, 3, 0, 5, 7, -1, 0].map(i32::to_le_bytes).concat();
        described.set(described.field("searchable_names_offset"), 0);
        let edit = Edit { place: end..end, with: table };
        let mut described = Described::new(&described.edited(&[edit]), None);
        described.set(described.field("searchable_names_offset"), end as i64);
        agrees_with_oracle(&described.bytes);
        let package = Package::open(&described.bytes).unwrap();

        let names = package.searchable_names().unwrap().unwrap();
        let names: Vec<_> = names.iter().map(Result::unwrap).collect();
        assert_eq!(names.len(), 2, "{name}");
        assert_eq!((names[0].object, names[1].object), (PackageIndex(1), PackageIndex(-1)));
        let of_first: Vec<_> = names[0].names.iter().map(Result::unwrap).collect();
        assert_eq!(of_first, [Name { index: 3, number: 0 }, Name { index: 5, number: 7 }]);
        assert!(names[1].names.is_empty());
        for (a, b) in package.exports().zip(before.exports()) {
            assert_eq!(
                package.export_bytes(&a.unwrap()).unwrap(),
                before.export_bytes(&b.unwrap()).unwrap()
            );
        }
    }
}

/// Encodes the position of a level in its world, in the layout of a version.
fn tile(versions: transform::Versions, three: bool) -> Vec<u8> {
    let mut bytes = Vec::new();
    let ints = |to: &mut Vec<u8>, all: &[i32]| {
        all.iter().for_each(|number| to.extend(number.to_le_bytes()));
    };
    let text = |to: &mut Vec<u8>, text: &[u8]| {
        to.extend((text.len() as i32).to_le_bytes());
        to.extend(text);
    };
    ints(&mut bytes, &[-3, 7]);
    if three {
        ints(&mut bytes, &[11]);
    }
    for bound in BOUNDS {
        match versions.ue5 {
            1004.. => bytes.extend(bound.to_le_bytes()),
            _ => bytes.extend((bound as f32).to_le_bytes()),
        }
    }
    bytes.push(1);
    text(&mut bytes, b"Uncategorized\0");
    ints(&mut bytes, &[1, 2, 3]);
    if versions.ue4 >= 268 {
        ints(&mut bytes, &[50_000]);
    }
    if versions.ue4 >= 329 {
        ints(&mut bytes, &[1]);
    }
    if versions.ue4 >= 268 {
        ints(&mut bytes, &[1]);
    }
    text(&mut bytes, b"/Game/Maps/Parent\0");
    if versions.ue4 >= 316 {
        ints(&mut bytes, &[2, 100, 1.5f32.to_bits() as i32, (-0.0f32).to_bits() as i32, 4, 5]);
        ints(&mut bytes, &[200, 0, 0, -6, i32::MAX]);
    }
    if versions.ue4 >= 319 {
        ints(&mut bytes, &[-9]);
    }
    bytes
}

/// Numbers that an `f32` represents exactly.
const BOUNDS: [f64; 6] = [-1000.5, -2000.25, 0.0, 1000.5, 2000.25, 1e10];

/// Returns packages of several versions: samples, and the package of engine 4.6 with older version
/// numbers. Fields that these versions lack are removed.
fn tile_packages() -> Vec<Described> {
    let names = [
        "ue4.06-MyoUtilityBPLibrary",
        "ue4.27-TestActorBP",
        "ue4.27-SimpleRefsRoot",
        "ue5.0-SimpleRefsRoot",
        "ue5.6-SimpleRefsRoot",
    ];
    let mut all: Vec<_> =
        names.iter().map(|name| Described::new(&read(&format!("{name}.uasset")), None)).collect();
    for version in [224, 267, 268, 315, 316, 318, 319, 328, 329, 335] {
        let mut older = Described::new(&read("ue4.06-MyoUtilityBPLibrary.uasset"), None);
        older.set(older.field("ue4_version"), version);
        let mut out = vec!["soft_package_reference_count", "soft_package_reference_offset"];
        out.push("not_always_loaded");
        // The engine version, which is several numbers and a text, is replaced by a single number.
        let branch = older.field("engine_branch");
        let len = older.number(branch) as usize;
        let mut edits = vec![Edit { place: branch.at..branch.at + 4 + len, with: vec![] }];
        out.extend(["engine_major", "engine_minor", "engine_patch"]);
        if version < 278 {
            out.push("chunk_id_count");
        }
        let cut = older.fields.iter().filter(|field| out.contains(&field.name));
        edits
            .extend(cut.map(|field| Edit { place: field.at..field.at + field.size, with: vec![] }));
        edits.sort_by_key(|edit| edit.place.start);
        all.push(Described::new(&older.edited(&edits), None));
    }
    all
}

/// Transformed: adds the position of a level in its world, which no sample has. All fields of each
/// version are read in both byte orders, and are written back unchanged.
#[test]
fn world_tile_info() {
    let mut forms = std::collections::BTreeSet::new();
    for before in tile_packages() {
        let versions = before.versions;
        let what = format!("{versions:?}");
        let custom = Package::open(&before.bytes).unwrap().layout().custom;
        let bytes = tile(versions, custom.fortnite_main >= 1);
        forms.insert(bytes.len());
        let end = before.number(before.field("total_header_size")) as usize;
        let edit = Edit { place: end..end, with: bytes.clone() };
        let mut after = Described::new(&before.edited(&[edit]), None);
        after.set(after.field("world_tile_info_data_offset"), end as i64);
        // The description of the transformed file also covers every byte.
        let after = Described::new(&after.bytes, None);
        assert_eq!(after.gap(end + bytes.len()), None, "{what}");

        for file in [&after.bytes, &after.swapped()] {
            agrees_with_oracle(file);
            let package = Package::open(file).unwrap_or_else(|error| panic!("{what}: {error}"));
            let info = package.world_tile_info().unwrap().unwrap();
            is_the_tile(&info, &package, &what);
            let written = PackageEditor::new(&package).unwrap().write().unwrap();
            assert!(written.header == *file, "{what}: as it was");
            let mut written = Vec::new();
            info.write(&mut written, package.layout()).unwrap();
            assert_eq!(written, file[end..end + bytes.len()], "{what}");
            tile_moves(&package, &info, &what);
        }
        // Even the bits of a signalling NaN stay unchanged.
        let mut odd = after.bytes.clone();
        let bound = end + if custom.fortnite_main >= 1 { 12 } else { 8 };
        odd[bound..bound + 8].copy_from_slice(&[1, 0, 0xA0, 0x7F, 0, 0, 0xF4, 0xFF]);
        let package = Package::open(&odd).unwrap();
        assert!(package.world_tile_info().unwrap().unwrap().bounds.min[0].0.is_nan(), "{what}");
        let written = PackageEditor::new(&package).unwrap().write().unwrap();
        assert!(written.header == odd, "{what}");
        // A truncated table is an error, and the other tables remain readable.
        for len in [0, 1, bytes.len() - 1] {
            let cut = Package::open(&after.bytes[..end + len]).unwrap();
            assert!(cut.world_tile_info().is_err(), "{what}");
            assert!(cut.imports().all(|import| import.is_ok()), "{what}");
        }
    }
    assert_eq!(forms.len(), 7, "forms that are different");
}

fn is_the_tile(info: &WorldTileInfo<'_>, package: &Package<'_>, what: &str) {
    let layout = package.layout();
    let since = |version| layout.versions.ue4 >= version;
    let three = layout.custom.fortnite_main >= 1;
    let position = TilePosition { x: -3, y: 7, z: three.then_some(11) };
    assert_eq!(info.position, position, "{what}");
    let bounds = info.bounds.min.into_iter().chain(info.bounds.max);
    assert!(bounds.map(|real| real.0).eq(BOUNDS), "{what}: {:?}", info.bounds);
    assert_eq!(info.bounds.valid, 1, "{what}");
    let layer = &info.layer;
    assert_eq!(layer.name, *"Uncategorized", "{what}");
    assert_eq!((layer.reserved, layer.reserved_point), (1, TilePoint { x: 2, y: 3 }), "{what}");
    assert_eq!(layer.streaming_distance, since(268).then_some(50_000), "{what}");
    assert_eq!(layer.distance_streaming_enabled, since(329).then_some(true), "{what}");
    assert_eq!(info.hide_in_tile_view, since(268).then_some(true), "{what}");
    assert_eq!(info.parent_tile, *"/Game/Maps/Parent", "{what}");
    let lods: Option<Vec<_>> = info.lods.map(|lods| lods.iter().map(Result::unwrap).collect());
    let lod = |distance, [a, b]: [f32; 2], [c, d]: [i32; 2]| WorldTileLod {
        relative_streaming_distance: distance,
        reserved_0: a,
        reserved_1: b,
        reserved_2: c,
        reserved_3: d,
    };
    let wanted = vec![lod(100, [1.5, -0.0], [4, 5]), lod(200, [0.0, 0.0], [-6, i32::MAX])];
    assert_eq!(lods, since(316).then_some(wanted), "{what}");
    assert_eq!(info.z_order, since(319).then_some(-9), "{what}");
    #[cfg(feature = "serde")]
    is_the_tile_in_the_document(package, what);
}

/// Asserts that the serialized package contains the position, without the fields that the version
/// lacks.
#[cfg(feature = "serde")]
fn is_the_tile_in_the_document(package: &Package<'_>, what: &str) {
    use serde_json::{Value as Json, json};
    let layout = package.layout();
    let since = |version| layout.versions.ue4 >= version;
    let [a, b, c, d, e, f] = BOUNDS;
    let corner = |x: f64, y: f64, z: f64| json!({ "x": x, "y": y, "z": z });
    let mut tile = json!({
        "position": { "x": -3, "y": 7 },
        "bounds": { "min": corner(a, b, c), "max": corner(d, e, f), "valid": 1 },
        "layer": {
            "name": "Uncategorized", "reserved": 1, "reserved_point": { "x": 2, "y": 3 },
        },
        "parent_tile": "/Game/Maps/Parent",
    });
    let lod = |distance: i32, a: f32, b: f32, [c, d]: [i32; 2]| {
        json!({
            "relative_streaming_distance": distance, "reserved_0": a, "reserved_1": b,
            "reserved_2": c, "reserved_3": d,
        })
    };
    let lods = json!([lod(100, 1.5, -0.0, [4, 5]), lod(200, 0.0, 0.0, [-6, i32::MAX])]);
    let mut add = |has: bool, place: &str, key: &str, value: Json| {
        if has {
            tile.pointer_mut(place).unwrap()[key] = value;
        }
    };
    add(layout.custom.fortnite_main >= 1, "/position", "z", json!(11));
    add(since(268), "/layer", "streaming_distance", json!(50_000));
    add(since(329), "/layer", "distance_streaming_enabled", json!(true));
    add(since(268), "", "hide_in_tile_view", json!(true));
    add(since(316), "", "lods", lods);
    add(since(319), "", "z_order", json!(-9));
    let json = serde_json::to_value(package).unwrap();
    assert_eq!(json["world_tile_info"], tile, "{what}");
}

/// Asserts that the position moves with the bytes before it, and can be removed, inserted again,
/// and changed.
fn tile_moves(package: &Package<'_>, info: &WorldTileInfo<'_>, what: &str) {
    let mut editor = PackageEditor::new(package).unwrap();
    editor.add_name("A name that moves all that is behind it").unwrap();
    let written = editor.write().unwrap_or_else(|error| panic!("{what}: {error}"));
    let moved = Package::open(&written.header).unwrap();
    assert_eq!(moved.world_tile_info().unwrap().as_ref(), Some(info), "{what}");
    let offset = |package: &Package<'_>| package.summary().world_tile_info_data_offset.unwrap();
    assert!(offset(&moved) > offset(package), "{what}");

    editor.world_tile_info = None;
    let written = editor.write().unwrap();
    let without = Package::open(&written.header).unwrap();
    assert_eq!((without.world_tile_info().unwrap(), offset(&without)), (None, 0), "{what}");

    let mut editor = PackageEditor::new(&without).unwrap();
    let parent = StrBuf::new("/Game/Maps/Другой");
    let changed = WorldTileInfo { parent_tile: parent.as_text(), ..*info };
    editor.world_tile_info = Some(changed);
    let written = editor.write().unwrap();
    let again = Package::open(&written.header).unwrap();
    let found = again.world_tile_info().unwrap().unwrap();
    assert_eq!(found.parent_tile, *"/Game/Maps/Другой", "{what}");
    let parent_tile = info.parent_tile;
    assert_eq!(WorldTileInfo { parent_tile, ..found }, *info, "{what}");
}

/// Returns the names, sizes and array indices of all properties.
fn properties(package: &Package<'_>) -> Vec<String> {
    let mut found = Vec::new();
    for export in package.exports() {
        let export = export.unwrap();
        let Some(object) = package.properties(&export).unwrap() else { continue };
        if !export.class.is_null() {
            found.extend(object.iter().map(|tag| {
                let head = tag.unwrap().head();
                format!("{:?} {} {}", head.name(), head.size, head.array_index)
            }));
        }
    }
    assert!(found.len() > 20);
    found
}

/// Transformed: reads the package of engine 4.6 without the fields that engines 4.0 to 4.5 lack.
#[test]
fn engines_4_0_to_4_5() {
    let file = read("ue4.06-MyoUtilityBPLibrary.uasset");
    let newer = Package::open(&file).unwrap();
    assert_eq!(newer.versions().ue4_version, 413);
    let later = |version: i64| {
        let mut out = Vec::new();
        if version < 384 {
            out.extend(["soft_package_reference_count", "soft_package_reference_offset"]);
        }
        if version < 365 {
            out.push("not_always_loaded");
        }
        out
    };
    for (minor, version) in [(0, 342), (1, 352), (2, 363), (3, 382), (4, 385), (5, 401)] {
        let mut described = Described::new(&file, None);
        described.set(described.field("ue4_version"), version);
        let older = described.without(&later(version));
        // The description of the older file also covers every byte, by the rules of its own
        // version.
        let end = Described::new(&older, None);
        let header = end.number(end.field("total_header_size")) as usize;
        assert_eq!(end.gap(header), None, "4.{minor}");

        agrees_with_oracle(&older);
        let package = Package::open(&older).unwrap_or_else(|error| panic!("4.{minor}: {error}"));
        assert_eq!(package.layout().versions, Versions::of_engine(4, minor).unwrap());
        assert_eq!(package.summary().soft_package_reference_count.is_some(), version >= 384);
        for ((table, mut a), (_, mut b)) in tables(&package).into_iter().zip(tables(&newer)) {
            match table {
                // The records of these tables contain offsets. Exports are compared below.
                "summary" | "exports" | "thumbnails" => (a, b) = (Vec::new(), Vec::new()),
                "soft_package_references" if version < 384 => b.clear(),
                _ => {}
            }
            assert_eq!(a, b, "4.{minor}: {table}");
        }
        for (a, b) in package.exports().zip(newer.exports()) {
            let (mut a, b) = (a.unwrap(), b.unwrap());
            assert_eq!(a.not_always_loaded_for_editor_game.is_some(), version >= 365);
            assert_eq!(
                package.export_bytes(&a).unwrap(),
                newer.export_bytes(&b).unwrap(),
                "4.{minor}"
            );
            a.not_always_loaded_for_editor_game = b.not_always_loaded_for_editor_game;
            a.serial = b.serial;
            assert_eq!(a, b, "4.{minor}");
        }
        // The properties are the same as those of 4.6.
        assert!(properties(&package) == properties(&newer), "4.{minor}");
        // The closing tag of the file is still at the end.
        assert!(older.ends_with(&older[..4]));
    }
}

/// Transformed: reads custom versions in the forms of the legacy versions −2 and −4, which only the
/// first engines wrote.
#[test]
fn legacy_2_and_4() {
    let file = read("ue4.10-SimpleRefsRoot.uasset");
    let newer = Package::open(&file).unwrap();
    let versions: Vec<_> = newer.summary().custom_versions.iter().map(Result::unwrap).collect();
    for legacy in [-2i32, -4] {
        let mut described = Described::new(&file, None);
        described.set(described.field("legacy_version"), legacy.into());
        let mut table = 3i32.to_le_bytes().to_vec();
        for number in 1..=3u32 {
            let guid = [0, 0, 0, number].map(u32::to_le_bytes).concat();
            table.extend(if legacy == -2 { &guid[12..] } else { &guid[..] });
            table.extend((10 + number).to_le_bytes());
            if legacy == -4 {
                table.extend(4i32.to_le_bytes());
                table.extend(b"Abc\0");
            }
        }
        let start = described.field("custom_version_count").at;
        let place = start..start + 4 + versions.len() * 20;
        let mut edits = vec![Edit { place, with: table }];
        let third = described.field("ue3_version");
        if legacy == -4 {
            edits.insert(0, Edit { place: third.at..third.at + 4, with: vec![] });
        }
        let older = described.edited(&edits);
        agrees_with_oracle(&older);
        let package = Package::open(&older).unwrap();
        assert_eq!(package.versions().ue3_version.is_some(), legacy != -4);
        let found: Vec<_> = package.summary().custom_versions.iter().map(Result::unwrap).collect();
        for (number, found) in (1u32..).zip(&found) {
            assert_eq!((found.guid.0, found.version), ([0, 0, 0, number], 10 + number as i32));
            assert_eq!(
                found.name.map(|name| name.to_string()),
                match legacy {
                    -4 => Some("Abc".into()),
                    _ => None,
                }
            );
        }
        assert_eq!(found.len(), 3);
        let texts = |package: &Package<'_>| -> Vec<String> {
            package.names().map(|name| format!("{:?}", name.unwrap())).collect()
        };
        assert_eq!(texts(&package), texts(&newer));
    }
}

/// Transformed: in a list of chunk ids, a negative number is an id like any other number. (From
/// 4:278 to 4:325, there is only one number, and a negative number means that there is no id.)
#[test]
fn negative_chunks_of_a_list() {
    let mut described = Described::new(&read("ue4.10-SimpleRefsRoot.uasset"), None);
    let count = described.field("chunk_id_count");
    described.set(count, 3);
    let end = count.at + count.size;
    let with = [7, -1, 9].map(i32::to_le_bytes).concat();
    let file = described.edited(&[Edit { place: end..end, with }]);
    let package = Package::open(&file).unwrap();
    assert!(package.summary().chunk_ids.unwrap().iter().eq([7, -1, 9]));
}

/// Transformed: a table with an unknown version cannot be read.
#[test]
fn tables_of_unknown_versions() {
    let name = "ue5.8-cooked-tagged-T_Streaming.uasset";
    for (version, known) in [(0, false), (1, true), (2, true), (3, false), (-1, false)] {
        let mut described = Described::new(&read(name), None);
        described.set(described.field("data_resource_version"), version);
        let package = Package::open(&described.bytes).unwrap();
        assert_eq!(package.data_resources().is_ok(), known, "{version}");
    }
    let name = "ue5.6-SimpleRefsRoot.uasset";
    for (version, known) in [(-1, false), (1, true), (2, true), (3, false)] {
        let mut described = Described::new(&read(name), None);
        described.set(described.field("trailer_version"), version);
        let package = Package::open(&described.bytes).unwrap();
        assert_eq!(package.trailer().is_ok(), known, "{version}");
    }
}
