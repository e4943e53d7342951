//! Reading the same properties of a package with tags, and without tags through mappings.
//!
//! `cargo bench -p gamewire-benches --bench unreal --features unreal` prints values per second.

use criterion::{Criterion, Throughput, criterion_group, criterion_main};
use gamewire::unreal::mappings::{MappedTypeBuf, MappingsBuf, PropertyBuf, StructBuf};
use gamewire::unreal::properties::Counts;
use gamewire::unreal::tables::{Export, FileVersions, Import, Serial, Summary};
use gamewire::unreal::{
    Layout, Mappings, Name, Package, PackageIndex, Properties, PropertyValue, Value, Versions,
};
use std::hint::black_box;

const VERSIONS: Versions = Versions { ue4: 522, ue5: 1009 };

/// Number of properties of each kind.
const ROUNDS: usize = 100;

/// Names of the package. The names of the properties follow.
const NAMES: [&str; 12] = [
    "None",
    "Thing",
    "IntProperty",
    "FloatProperty",
    "DoubleProperty",
    "NameProperty",
    "StrProperty",
    "ObjectProperty",
    "StructProperty",
    "Vector",
    "BoolProperty",
    "ByteProperty",
];

/// The kinds of properties: the name of the kind, its number in mappings, and the bytes of a value.
fn kinds() -> [(&'static str, u8, Vec<u8>); 7] {
    let text = [&6u32.to_le_bytes()[..], b"hello\0"].concat();
    let name = [1u32.to_le_bytes(), [0; 4]].concat();
    let vector = [1.0f64, -2.5, 3.25].map(f64::to_le_bytes).concat();
    [
        ("IntProperty", 2, 7i32.to_le_bytes().to_vec()),
        ("FloatProperty", 3, 1.5f32.to_le_bytes().to_vec()),
        ("DoubleProperty", 7, 2.5f64.to_le_bytes().to_vec()),
        ("NameProperty", 5, name),
        ("StrProperty", 10, text),
        ("ObjectProperty", 4, (-1i32).to_le_bytes().to_vec()),
        ("StructProperty", 9, vector),
    ]
}

fn property_name(index: usize) -> String {
    format!("Property{index}")
}

fn name_index(name: &str) -> Vec<u8> {
    let index = NAMES.iter().position(|known| *known == name).unwrap() as u32;
    [index.to_le_bytes(), [0; 4]].concat()
}

/// Returns a package without exports whose import 0 has the name `Thing`.
fn header(package_flags: u32) -> Vec<u8> {
    let layout = Layout { legacy: -8, versions: VERSIONS, ..Layout::default() };
    let unstated = FileVersions {
        legacy_version: -8,
        ue3_version: Some(864),
        ue5_version: Some(0),
        ..FileVersions::default()
    };
    let mut names: Vec<_> = NAMES.map(str::to_owned).into();
    names.extend((0..ROUNDS * kinds().len()).map(property_name));
    let mut summary = Summary {
        package_flags,
        name_count: names.len() as i32,
        import_count: 1,
        preload_dependency_count: Some(-1),
        ..Summary::default()
    };
    let mut header = Vec::new();
    for _ in 0..2 {
        header.clear();
        0x9E2A_83C1u32.write(&mut header, &layout).unwrap();
        unstated.write(&mut header, &layout).unwrap();
        summary.write(&mut header, &layout).unwrap();
        summary.name_offset = header.len() as i32;
        for name in &names {
            header.extend((name.len() as u32 + 1).to_le_bytes());
            header.extend(name.as_bytes());
            header.extend([0; 5]);
        }
        summary.import_offset = header.len() as i32;
        let import = Import { object_name: Name { index: 1, number: 0 }, ..Import::default() };
        import.write(&mut header, &layout).unwrap();
        summary.export_offset = header.len() as i32;
    }
    header
}

/// Returns properties with tags.
fn tagged() -> Vec<u8> {
    let mut export = Vec::new();
    for index in 0..ROUNDS * kinds().len() {
        let (kind, _, value) = &kinds()[index % kinds().len()];
        export.extend((NAMES.len() as u32 + index as u32).to_le_bytes());
        export.extend([0; 4]);
        export.extend(name_index(kind));
        export.extend((value.len() as u32).to_le_bytes());
        export.extend([0; 4]);
        if *kind == "StructProperty" {
            export.extend(name_index("Vector"));
            export.extend([0; 16]);
        }
        export.push(0);
        export.extend(value);
    }
    export.extend([0; 12]);
    export
}

/// Returns the same properties without tags.
fn untagged() -> Vec<u8> {
    let mut export = Vec::new();
    let mut left = ROUNDS * kinds().len();
    while left > 0 {
        let count = left.min(127);
        left -= count;
        let last = if left == 0 { 0x100 } else { 0 };
        export.extend(((count as u16) << 9 | last).to_le_bytes());
    }
    for index in 0..ROUNDS * kinds().len() {
        export.extend(&kinds()[index % kinds().len()].2);
    }
    export.extend([0; 4]);
    export
}

fn mappings() -> Vec<u8> {
    let mut thing = StructBuf::new("Thing");
    for index in 0..ROUNDS * kinds().len() {
        let (kind, number, _) = kinds()[index % kinds().len()];
        let of = match kind {
            "StructProperty" => MappedTypeBuf::Struct("Vector".into()),
            _ => MappedTypeBuf::Plain(number),
        };
        thing = thing.with(PropertyBuf::new(property_name(index), of));
    }
    let mut all = MappingsBuf::new(4);
    all.structs.push(thing);
    all.structs.push(StructBuf::new("Vector"));
    all.write()
}

fn with_properties(
    package: &Package<'_>,
    header: &[u8],
    exports: &[u8],
    run: impl FnOnce(Properties<'_>),
) {
    let serial = Serial { size: exports.len() as i64, offset: header.len() as i64 };
    let export = Export { class: PackageIndex(-1), serial, ..Export::default() };
    run(package.properties(&export).unwrap().unwrap().iter());
}

/// Reads the type and the value of each property. Returns the number of properties.
fn read(list: Properties<'_>) -> usize {
    let read = list.map(|tag| {
        let tag = tag.unwrap();
        assert!(!matches!(black_box(tag.value()), PropertyValue::Opaque(..)));
        black_box(tag.kind());
    });
    read.count()
}

fn properties(criterion: &mut Criterion) {
    let mappings = mappings();
    let mappings = Mappings::open(&mappings).unwrap();
    let count = ROUNDS * kinds().len();
    let forms = [("tagged", 0x8000_0000, tagged()), ("untagged", 0x8000_2000, untagged())];
    for (name, flags, exports) in forms {
        let header = header(flags);
        let package = Package::open_as(&header, Some(&exports), Some(VERSIONS)).unwrap();
        let package = package.with_mappings(&mappings);
        let mut group = criterion.benchmark_group(format!("properties/{name}"));
        group.throughput(Throughput::Elements(count as u64));
        with_properties(&package, &header, &exports, |list| {
            assert_eq!(read(list), count);
            group.bench_function("value", |bencher| bencher.iter(|| read(list)));
            group.bench_function("visit", |bencher| {
                bencher.iter(|| {
                    let mut counts = Counts::default();
                    list.visit(&mut counts).unwrap();
                    counts
                });
            });
        });
        group.finish();
    }
}

criterion_group!(benches, properties);
criterion_main!(benches);
