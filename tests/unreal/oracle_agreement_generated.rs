//! Compares random packages and properties of every version with an oracle.

use crate::support::random::Random;
use crate::support::unreal::random_lists::{Make, text};
use crate::support::unreal::tally::Tally;
use crate::support::unreal::{compare, oracle};
use gamewire::unreal::tables::{CustomVersion, EngineVersion, FileVersions, Summary};
use gamewire::unreal::{ByteOrder, Guid, Layout, ListBuf, Save, StrBuf, Value, Versions};

/// Compares packages of all versions. Random numbers, most of them small, follow the summary, and
/// the tables start at random offsets in the bytes of these numbers.
#[test]
fn made() {
    let (mut tally, mut random) = (Tally::default(), Random::new(0x0AC1E));
    for ue4 in VERSIONS_4 {
        made_as(Versions { ue4, ue5: 0 }, &mut random, &mut tally);
    }
    for ue5 in 1000..=1019 {
        made_as(Versions { ue4: 522, ue5 }, &mut random, &mut tally);
    }
    assert!(tally.opened * 2 > tally.files);
}

const VERSIONS_4: [i32; 27] = [
    213, 214, 224, 268, 278, 282, 316, 319, 326, 329, 336, 365, 384, 444, 459, 485, 504, 507, 508,
    510, 511, 514, 516, 518, 520, 522, 523,
];

fn made_as(versions: Versions, random: &mut Random, tally: &mut Tally) {
    for round in 0..40 {
        let order = random.one_of(&[ByteOrder::Little, ByteOrder::Big]);
        let legacy = match versions.ue5 {
            0 => random.one_of(&[-2, -3, -4, -5, -6, -7, -8, -9]),
            _ => random.one_of(&[-8, -9]),
        };
        let editor_data = random.below(2) == 0;
        let layout = Layout { order, legacy, versions, editor_data, ..Layout::default() };
        let supplied = (random.below(4) == 0).then_some(versions);
        let mut file = beginning(&layout, supplied.is_some(), random);
        let small = file.len();
        while file.len() < small + 1200 {
            numbers(&mut file, order, random);
        }
        let same = compare::package(&file, None, supplied);
        tally.add(|| format!("{layout:?} {round}"), same);
    }
}

/// Returns a summary. Its tables have a few rows each, at random offsets after the summary.
fn beginning(layout: &Layout, unversioned: bool, random: &mut Random) -> Vec<u8> {
    let Versions { ue4, ue5 } = if unversioned { Versions::default() } else { layout.versions };
    let file_versions = FileVersions {
        legacy_version: layout.legacy,
        ue3_version: Some(864),
        ue4_version: ue4,
        ue5_version: Some(ue5),
        licensee_version: 0,
    };
    let mut places = || 600 + random.below(600) as i32;
    let mut summary = Summary {
        package_flags: if layout.editor_data { 0 } else { 0x8000_0000 },
        name_offset: places(),
        soft_object_path_offset: Some(places()),
        gatherable_text_offset: Some(places()),
        export_offset: places(),
        import_offset: places(),
        metadata_offset: Some(places()),
        depends_offset: places(),
        soft_package_reference_offset: Some(places()),
        searchable_names_offset: Some(places()),
        thumbnail_table_offset: places(),
        import_type_hierarchy_offset: Some(places()),
        asset_registry_data_offset: places(),
        world_tile_info_data_offset: Some(places()),
        preload_dependency_offset: Some(places()),
        payload_toc_offset: Some(places().into()),
        data_resource_offset: Some(places()),
        ..Summary::default()
    };
    let mut count = || random.below(6) as i32 - 1;
    summary.name_count = count().max(0);
    summary.soft_object_path_count = Some(count());
    summary.gatherable_text_count = Some(count());
    summary.export_count = count();
    summary.import_count = count();
    summary.soft_package_reference_count = Some(count());
    summary.import_type_hierarchy_count = Some(count());
    summary.preload_dependency_count = Some(count());
    let mut file = Vec::new();
    0x9E2A_83C1u32.write(&mut file, layout).unwrap();
    file_versions.write(&mut file, layout).unwrap();
    summary.write(&mut file, layout).unwrap();
    file
}

/// Appends an item to the contents of tables: mostly a small number, and sometimes an arbitrary
/// number, a text or a single byte.
fn numbers(to: &mut Vec<u8>, order: ByteOrder, random: &mut Random) {
    let number = match random.below(12) {
        0 => random.next() as i32,
        1 => -1,
        2 => 5,
        _ => random.below(3) as i32,
    };
    to.extend(match order {
        ByteOrder::Little => number.to_le_bytes(),
        ByteOrder::Big => number.to_be_bytes(),
    });
    if number == 5 {
        to.extend(b"Text\0");
    }
    if random.below(16) == 0 {
        to.push(random.below(3) as u8);
    }
}

/// Number of lists that are compared for each version.
const MANY: usize = 1000;

/// Compares lists of all kinds of properties and values, in saves of all versions.
#[test]
#[ignore = "slow"]
fn properties() {
    let (mut tally, mut random) = (Tally::default(), Random::new(0x0AC1E));
    let old = VERSIONS_4.map(|ue4| (ue4, 0));
    let new = (1000..=1018).map(|ue5| (522, ue5));
    for (ue4, ue5) in old.into_iter().filter(|(ue4, _)| (336..=522).contains(ue4)).chain(new) {
        for round in 0..MANY {
            let latest = round % 2 == 0;
            let mut file = save_header(Versions { ue4, ue5 }, latest);
            file.extend(Make { random: &mut random, ue4, ue5, latest, depth: 0 }.list());
            #[cfg(feature = "serde")]
            crate::laws::unreal::unreal_document(&file);
            tally.add(|| format!("{ue4} {ue5} {round}"), compare::save(&file));
        }
    }
    assert_eq!(tally.opened + tally.different.len(), tally.files);
}

fn save_header(versions: Versions, latest: bool) -> Vec<u8> {
    let (engine, class) = (EngineVersion::default(), StrBuf::new("/Script/Game.Save"));
    let all = oracle::SUBSYSTEMS.map(|guid| CustomVersion {
        guid: Guid(guid),
        version: 1000,
        name: None,
    });
    let some = all.into_iter().filter(|_| latest);
    let custom = ListBuf::new(some, &Layout::default()).unwrap();
    let save = Save::new(versions, engine, custom.list().unwrap(), class.as_text()).unwrap();
    let mut file = Vec::new();
    save.write_header(&mut file).unwrap();
    file
}

/// Compares the readers with the oracle on nested structs, arrays and texts, some of them nested
/// more deeply than the readers accept.
#[test]
fn deep() {
    let mut tally = Tally::default();
    let versions = Versions { ue4: 522, ue5: 0 };
    for depth in 1..60 {
        for of in ["StructProperty", "ArrayProperty", "TextProperty"] {
            let mut file = save_header(versions, false);
            file.extend(property(of, &inside_each_other(of, depth)));
            file.extend(text("None"));
            #[cfg(feature = "serde")]
            crate::laws::unreal::unreal_document(&file);
            tally.add(|| format!("{of} {depth}"), compare::save(&file));
        }
    }
    assert_eq!(tally.opened, tally.files);
}

fn inside_each_other(of: &str, depth: usize) -> Vec<u8> {
    let (end, upper) = (text("None"), [2, 0, 0, 0, 10]);
    match of {
        "TextProperty" => {
            let (open, close) = (upper.repeat(depth), [1].repeat(depth));
            [&open[..], &[2, 0, 0, 0, 255], &close].concat()
        }
        // Each array has one element, whose type is in the inner tag.
        "ArrayProperty" => (0..depth).fold([0; 4].to_vec(), |inside, _| {
            let list = [property(of, &inside), end.clone()].concat();
            let tag = property("StructProperty", &list);
            [&[1, 0, 0, 0][..], &tag].concat()
        }),
        _ => {
            (0..depth).fold(end.clone(), |inside, _| [property(of, &inside), end.clone()].concat())
        }
    }
}

fn property(of: &str, value: &[u8]) -> Vec<u8> {
    let mut tag = [text("A"), text(of)].concat();
    tag.extend((value.len() as i32).to_le_bytes());
    tag.extend([0; 4]);
    match of {
        "StructProperty" => tag.extend([text("Mine"), vec![0; 16]].concat()),
        "ArrayProperty" => tag.extend(text("StructProperty")),
        _ => {}
    }
    tag.push(0);
    [&tag, value].concat()
}
