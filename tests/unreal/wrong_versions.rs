//! Asserts that `Package::verify` detects packages that are read in a version other than their own.

use crate::support::unreal::samples::{Sample, packages};
use crate::support::unreal::transform::{Described, Edit};
use gamewire::unreal::tables::Dependencies;
use gamewire::unreal::{ErrorKind, Package, PackageEditor, Versions};
use std::collections::BTreeSet;

/// Returns the file versions of all engines.
fn all_versions() -> BTreeSet<Versions> {
    let engines = (0..28).map(|minor| (4, minor)).chain((0..9).map(|minor| (5, minor)));
    engines.map(|(major, minor)| Versions::of_engine(major, minor).unwrap()).collect()
}

/// Sets the versions that a package states; `None` makes it an unversioned package. Returns `false`
/// if the package has no field for the version of engine 5.
fn state(bytes: &mut [u8], versions: Option<Versions>) -> bool {
    let legacy = i32::from_le_bytes(bytes[4..8].try_into().unwrap());
    let Versions { ue4, ue5 } = versions.unwrap_or_default();
    bytes[12..16].copy_from_slice(&ue4.to_le_bytes());
    if legacy <= -8 {
        bytes[16..20].copy_from_slice(&ue5.to_le_bytes());
    }
    legacy <= -8 || ue5 == 0
}

/// Returns the bytes of a sample with its editor-only data marked as removed. Returns `None` if the
/// sample would then have different fields.
fn cooked(sample: &Sample) -> Option<Vec<u8>> {
    let layout = *sample.package().layout();
    if !layout.editor_data || layout.versions.ue4 >= 516 {
        return None;
    }
    let mut described = Described::new(&sample.bytes, None);
    let flags = described.field("package_flags");
    described.set(flags, described.number(flags) | 0x8000_0000);
    Some(described.bytes)
}

/// Returns a package as serialized by serde, without the versions that the package states.
fn document(package: &Package<'_>) -> serde_json::Value {
    let mut document = serde_json::to_value(package).unwrap();
    let summary = document["summary"].as_object_mut().unwrap();
    for key in ["ue4_version", "ue5_version", "unversioned"] {
        summary.remove(key);
    }
    document
}

/// Counts the results of reading packages in versions other than their own.
#[derive(Debug, Default)]
struct Results {
    /// The package could not be opened, or `verify` found a problem.
    refused: u32,
    /// `verify` found no problem, and the package is serialized in the same way as in its own
    /// version.
    same: u32,
}

impl Results {
    /// Reads a package in all versions but its own. If `stated` is `true`, the version is written
    /// into the package; otherwise it is supplied.
    fn try_all(&mut self, sample: &Sample, mut bytes: Vec<u8>, stated: bool) {
        let versions = sample.package().layout().versions;
        let exports = sample.exports.as_deref();
        assert!(state(&mut bytes, stated.then_some(versions)));
        let right = Package::open_as(&bytes, exports, Some(versions)).unwrap();
        assert!(right.verify(|problem| println!("{}: {problem}", sample.name())));
        let right = document(&right);
        for wrong in all_versions().into_iter().filter(|wrong| *wrong != versions) {
            if stated && !state(&mut bytes, Some(wrong)) {
                continue;
            }
            match Package::open_as(&bytes, exports, Some(wrong)) {
                Ok(package) if is_exact(&package) => {
                    assert_eq!(document(&package), right, "{} read as {wrong}", sample.name());
                    self.same += 1;
                }
                _ => self.refused += 1,
            }
            if stated {
                assert!(state(&mut bytes, Some(versions)));
            }
        }
    }
}

/// Returns `true` if `verify` finds no problem, not even a gap.
fn is_exact(package: &Package<'_>) -> bool {
    let mut count = 0;
    package.verify(|_| count += 1);
    count == 0
}

/// Every package of the corpus is refused in every version in which it would be read differently.
/// There are 2,004 such combinations of a package and a version. An earlier `verify`, which only
/// read the tables and resolved their references, accepted 24 of them.
#[test]
fn every_other_version() {
    let mut results = Results::default();
    for sample in packages() {
        for stated in [false, true] {
            results.try_all(&sample, sample.bytes.clone(), stated);
            cooked(&sample).into_iter().for_each(|bytes| results.try_all(&sample, bytes, stated));
        }
    }
    let Results { refused, same } = results;
    assert!(refused > 1900 && same < 60, "{results:?}");
}

const OLD: &str = "ue4.27-TestActorBP.uasset";
const NEW: &str = "ue5.6-SimpleRefsRoot.uasset";

fn sample(name: &str) -> Sample {
    packages().into_iter().find(|sample| sample.name() == name).unwrap()
}

fn described(name: &str) -> Described {
    Described::new(&sample(name).bytes, None)
}

/// Returns the problems of a package.
fn problems(file: &[u8]) -> Vec<(&'static str, ErrorKind)> {
    let mut told = Vec::new();
    let package = Package::open(file).unwrap();
    package.verify(|problem| told.push((problem.table, *problem.error.kind())));
    told
}

/// Returns the problems of a sample after the first field with this name is changed.
fn problems_with(
    name: &str,
    field: &str,
    value: impl FnOnce(i64) -> i64,
) -> Vec<(&'static str, ErrorKind)> {
    let mut described = described(name);
    let field = described.all(field)[0];
    described.set(field, value(described.number(field)));
    problems(&described.bytes)
}

/// Bytes between two tables are reported for the later table, and bytes after the last table for
/// the summary.
#[test]
fn gaps() {
    for (field, table) in [
        ("name_offset", "names"),
        ("import_offset", "imports"),
        ("export_offset", "exports"),
        ("depends_offset", "depends"),
        ("asset_registry_data_offset", "asset_registry"),
        ("total_header_size", "summary"),
    ] {
        for name in [OLD, NEW] {
            let described = described(name);
            let at = described.number(described.field(field)) as usize;
            let file = described.edited(&[Edit { place: at..at, with: vec![0; 3] }]);
            assert_eq!(problems(&file), [(table, ErrorKind::Unused(3))], "{name} {table}");
            // Tools that convert packages leave gaps, so `verify` still returns `true`.
            let package = Package::open(&file).unwrap();
            assert!(package.verify(|problem| assert!(problem.is_gap())));
        }
    }
}

/// Bytes between tables are accepted if they are a table of Verse cells, or lists of dependencies
/// whose offset is not stored.
#[test]
fn known_gaps() {
    let mut described = described(NEW);
    let place = described.number(described.field("depends_offset")) as usize;
    for kind in ["export", "import"] {
        let [count, offset] = ["count", "offset"].map(|end| format!("cell_{kind}_{end}"));
        let (count, offset) = (described.field(&count), described.field(&offset));
        let before = [count, offset].map(|field| described.number(field));
        described.set(offset, 0);
        let edit = Edit { place: place..place, with: vec![7; 9] };
        let mut edited = Described { bytes: described.edited(&[edit]), ..self::described(NEW) };
        edited.set(offset, place as i64);
        assert_eq!(problems(&edited.bytes), [("depends", ErrorKind::Unused(9))]);
        edited.set(count, 1);
        assert_eq!(problems(&edited.bytes), []);
        described.set(count, before[0]);
        described.set(offset, before[1]);
    }

    let name = "ue4.14-SimpleRefsRoot.uasset";
    let described = self::described(name);
    let sample = sample(name);
    let package = sample.package();
    let summary = package.summary();
    let (start, end) =
        (summary.depends_offset as usize, summary.soft_package_reference_offset.unwrap() as usize);
    for (byte, refused) in [(0, false), (1, true)] {
        let mut lists = vec![0; summary.export_count as usize * 4];
        lists[5] = byte;
        let edit = Edit { place: start..end, with: lists };
        let mut edited = Described { bytes: described.edited(&[edit]), ..self::described(name) };
        edited.set(described.field("depends_offset"), 0);
        let told = problems(&edited.bytes);
        let len = summary.export_count as u64 * 4;
        let problem = ("soft_package_references", ErrorKind::Unused(len));
        assert_eq!(told, if refused { vec![problem] } else { vec![] });
    }
}

/// Tables, exports, thumbnails and bulk data that overlap are reported.
#[test]
fn overlaps() {
    let file = sample(OLD);
    let exports = file.package().summary().export_offset as usize;
    let zeros = file.bytes[exports..].windows(4).position(|bytes| bytes == [0; 4]).unwrap();
    let told = problems_with(OLD, "searchable_names_offset", |_| (exports + zeros) as i64);
    assert_eq!(told, [("searchable_names", ErrorKind::Overlap)]);
    // A gap before the overlap does not hide it.
    let old = described(OLD);
    let names = old.number(old.field("name_offset")) as usize;
    let edit = Edit { place: names..names, with: vec![0; 3] };
    let mut edited = Described { bytes: old.edited(&[edit]), ..old };
    edited.set(edited.field("searchable_names_offset"), (exports + 3 + zeros) as i64);
    assert_eq!(problems(&edited.bytes), [("searchable_names", ErrorKind::Overlap)]);

    for (field, by) in [("total_header_size", 1), ("bulk_data_start_offset", -1)] {
        let told = problems_with(OLD, field, |value| value + by);
        assert_eq!(told, [("exports", ErrorKind::Overlap)], "{field}");
    }
    let header = file.package().summary().header_size() as u64;
    let told = problems_with(OLD, "total_header_size", |value| value - 2);
    let sizes = ErrorKind::SizesDiffer { declared: header - 2, found: header };
    assert_eq!(told, [("summary", sizes)]);

    // Two exports share their bytes. They are neighbours in the table, or there is a third export
    // between them.
    for (of, other) in [(1, 0), (2, 0)] {
        let mut described = described(OLD);
        for field in ["serial_offset", "serial_size"] {
            let all = described.all(field);
            described.set(all[of], described.number(all[other]));
        }
        assert_eq!(problems(&described.bytes), [("exports", ErrorKind::Overlap)], "{of}");
    }
    let offset = file.bytes.len() as i64;
    let told = problems_with("ue4.08-Gaussian.uasset", "thumbnail_offset", |_| offset);
    assert!(matches!(told[..], [("thumbnails", ErrorKind::UnexpectedEnd { .. })] | []), "{told:?}");
    let told = problems_with("ue4.08-Gaussian.uasset", "thumbnail_size", |size| size - 1);
    assert!(matches!(told[..], [(_, ErrorKind::Unused(_))]), "{told:?}");
}

/// Fields of the summary that contradict each other are reported.
#[test]
fn contradictions() {
    let names = sample(NEW).package().names().len() as u32;
    for used in [-1, names as i32 + 1] {
        let told = problems_with(NEW, "names_referenced_from_export_data_count", |_| used.into());
        let what = "names used by exports";
        assert_eq!(
            told,
            [("summary", ErrorKind::CountsDiffer { what, found: used, there: names })]
        );
    }
    // Changes the number of bits within the last word of the bits, so that the table keeps its
    // size.
    for (index, what) in
        ["usage flags of imports", "usage flags of soft references"].into_iter().enumerate()
    {
        let mut described = described(NEW);
        let field = described.all("bit_count")[index];
        let there = described.number(field) as u32;
        let found = there as i32 + 1;
        described.set(field, found.into());
        let differ = ErrorKind::CountsDiffer { what, found, there };
        assert_eq!(problems(&described.bytes), [("asset_registry_dependencies", differ)]);
    }

    let what = "number of texture allocations";
    let told = problems_with("ue4.13-SimpleRefsRoot.uasset", "texture_allocations", |_| 3);
    assert_eq!(told, [("summary", ErrorKind::Unknown { what, value: 3 })]);

    // A legacy version of engine 5 in a package of engine 4.
    let mut described = described(OLD);
    described.set(described.field("legacy_version"), -8);
    let file = described.edited(&[Edit { place: 16..16, with: vec![0; 4] }]);
    let versions = Versions { ue4: 522, ue5: 0 };
    let differs = ErrorKind::LegacyVersionDiffers { legacy: -8, versions };
    assert_eq!(problems(&file), [("summary", differs)]);
}

/// Returns the problems that a package has after a change.
fn problems_after(
    name: &str,
    change: impl FnOnce(&mut PackageEditor<'_>),
) -> Vec<(&'static str, ErrorKind)> {
    let sample = sample(name);
    let package = sample.package();
    let mut editor = PackageEditor::new(&package).unwrap();
    change(&mut editor);
    problems(&editor.write().unwrap().header)
}

/// The properties of an export must lie in its bytes, and its preload dependencies in their table.
#[test]
fn places_in_exports() {
    let size = sample(NEW).package().export(0).unwrap().serial.size;
    for (start, end, fits) in
        [(0, size, true), (0, size + 1, false), (-1, size, false), (size, size - 1, false)]
    {
        let told = problems_after(NEW, |editor| {
            let export = &mut editor.exports[0].export;
            (export.script_start, export.script_end) = (Some(start), Some(end));
        });
        let problem = ("exports", ErrorKind::BadOffset(end));
        assert_eq!(told, if fits { vec![] } else { vec![problem] }, "{start} {end}");
    }
    for (first, lengths, found) in [
        (-1, [9, 9, 9, 9], None),
        (0, [1, 1, 1, 1], Some(4)),
        (0, [1, 1, 1, 0], None),
        (1, [2, 0, 0, 0], None),
        (1, [2, 0, 0, 1], Some(4)),
        (1, [-1, 0, 0, 1], Some(1)),
        (i32::MAX, [1, 0, 0, 0], Some(i32::MAX)),
    ] {
        let told = problems_after(NEW, |editor| {
            editor.preload_dependencies.to_mut().clear();
            (0..3).for_each(|_| editor.preload_dependencies.push(Default::default()));
            let [a, b, c, d] = lengths;
            editor.exports[0].export.dependencies = Some(Dependencies {
                first,
                serialize_before_serialize: a,
                create_before_serialize: b,
                serialize_before_create: c,
                create_before_create: d,
            });
        });
        let what = "preload dependencies of the export";
        let problem = |found| ("exports", ErrorKind::CountsDiffer { what, found, there: 3 });
        assert_eq!(told, Vec::from_iter(found.map(problem)), "{first} {lengths:?}");
    }
}
