//! Asserts that no wrong type is inferred for structs. The tests use the structs of the corpus,
//! whose types are known, and generated structs of every type with usual contents.

use crate::support::random::Random;
use crate::support::unreal::oracle::FIELDS;
use crate::support::unreal::samples::{packages, saves};
use crate::support::unreal::saves::{Bytes, UE4_27};
use gamewire::unreal::{
    Package, Properties, PropertyKind, PropertyTypeBuf, PropertyValue, PropertyVisitor, Save, Tag,
};
use std::collections::BTreeMap;

/// The bytes of structs without tags: for each type, groups of structs from the same container. The
/// structs in a group have the same size.
type Found = BTreeMap<String, Vec<Vec<Vec<u8>>>>;

/// A visitor that collects the structs whose types are known.
#[derive(Default)]
struct Collect(Found);

impl Collect {
    fn add(&mut self, name: &str, bytes: &[u8], count: usize) {
        if count > 0 && bytes.len() >= count && bytes.len().is_multiple_of(count) {
            let all = bytes.chunks(bytes.len() / count).map(<[u8]>::to_vec).collect();
            self.0.entry(name.to_owned()).or_default().push(all);
        }
    }
}

impl<'p> PropertyVisitor<'p> for Collect {
    fn enter(&mut self, tag: &Tag<'p>) -> bool {
        let is_fixed = |value: &PropertyValue<'_>| {
            matches!(value, PropertyValue::Native(..) | PropertyValue::Guid(_))
                || matches!(value, PropertyValue::Int(_) | PropertyValue::UInt(_))
        };
        let of = tag.head().of;
        match tag.value() {
            value if of.kind() == PropertyKind::Struct && is_fixed(&value) => {
                self.add(&of.name().unwrap().to_string(), tag.bytes(), 1);
            }
            PropertyValue::Array(all) => self.elements(all),
            PropertyValue::Set(set) => self.elements(set.values()),
            _ => {}
        }
        true
    }

    fn value(&mut self, _: &PropertyValue<'p>) {}
}

impl Collect {
    fn elements(&mut self, mut all: gamewire::unreal::properties::Elements<'_>) {
        let (bytes, count, of) = (all.bytes(), all.len(), all.of());
        let first = all.next();
        if let (Some(name), Some(PropertyValue::Native(..) | PropertyValue::Guid(_))) =
            (of.name(), first)
        {
            self.add(&name.to_string(), bytes, count);
        }
    }

    fn list(&mut self, list: Properties<'_>) {
        list.visit(self).unwrap();
    }
}

/// Returns the name of the struct that is inferred for the values of a map.
fn inferred_as_values(structs: &[Vec<u8>]) -> Option<String> {
    let of = PropertyTypeBuf::map(
        PropertyTypeBuf::of(PropertyKind::Int),
        PropertyTypeBuf::of(PropertyKind::Struct),
    );
    let mut bytes = Bytes::default().i32(0).i32(structs.len() as i32);
    for (key, value) in (0..).zip(structs) {
        bytes = bytes.i32(key).bytes(value);
    }
    inferred(&UE4_27.file(&of, &bytes.0))
}

/// Returns the name of the struct that is inferred for the elements of a set.
fn inferred_as_elements(structs: &[Vec<u8>]) -> Option<String> {
    let of = PropertyTypeBuf::set(PropertyTypeBuf::of(PropertyKind::Struct));
    let bytes = Bytes::default().i32(0).i32(structs.len() as i32).bytes(&structs.concat());
    inferred(&UE4_27.file(&of, &bytes.0))
}

fn inferred(file: &[u8]) -> Option<String> {
    let save = Save::open(file).unwrap();
    let tag = save.properties().next().unwrap().unwrap();
    tag.inferred().and_then(|inferred| inferred.value).map(str::to_owned)
}

/// Returns the fields of a struct. Structs whose fields differ only in their names or signedness
/// cannot be told apart.
fn fields(name: &str) -> String {
    let known = FIELDS.iter().find(|(of, _)| of.eq_ignore_ascii_case(name));
    known.map_or(name.to_owned(), |(_, letters)| letters.replace('u', "i"))
}

fn assert_right(name: &str, structs: &[Vec<u8>]) -> u32 {
    let guesses = [inferred_as_values(structs), inferred_as_elements(structs)];
    for guess in guesses.iter().flatten() {
        assert_eq!(fields(guess), fields(name), "{name} {structs:02x?}");
    }
    guesses.iter().flatten().count() as u32
}

#[test]
fn structs_of_the_corpus() {
    let mut collect = Collect::default();
    for sample in packages() {
        let exports = sample.exports.as_deref();
        let package = Package::open_as(&sample.bytes, exports, sample.supplied()).unwrap();
        for export in package.exports().flatten() {
            if let Some(object) = package.properties(&export).unwrap() {
                collect.list(object.iter());
            }
        }
    }
    for sample in saves() {
        collect.list(Save::open(&sample.bytes).unwrap().properties());
    }
    let (mut types, mut right, mut all) = (0, 0, 0);
    for (name, containers) in &collect.0 {
        types += 1;
        let mut together: BTreeMap<usize, Vec<Vec<u8>>> = BTreeMap::new();
        for container in containers {
            right += assert_right(name, container);
            together.entry(container[0].len()).or_default().extend_from_slice(container);
            all += 1;
        }
        together.values().for_each(|structs| right += assert_right(name, structs));
    }
    println!("{all} containers of {types} types, {right} inferred");
    assert!(types >= 15 && all > 300 && right > 100, "{all} of {types} types, {right} inferred");
}

/// Structs of every type with numbers that are common in games: small numbers, colors, positions,
/// rotations and values of counters.
#[test]
fn structs_with_usual_numbers() {
    let mut random = Random::new(0x1_4FE2);
    let mut right = 0;
    for (name, letters) in FIELDS {
        for _ in 0..60 {
            let largest = [2, 100, 5_000, 1_000_000, 100_000_000][random.below(5)];
            let count = 1 + random.below(4);
            let mut one = |_| -> Vec<u8> {
                letters.chars().flat_map(|letter| usual(letter, largest, &mut random)).collect()
            };
            let structs: Vec<_> = (0..count).map(&mut one).collect();
            right += assert_right(name, &structs);
        }
    }
    assert!(right > 200, "{right}");
}

fn usual(letter: char, largest: usize, random: &mut Random) -> Vec<u8> {
    let whole = random.below(largest) as i64 - if letter == 'i' { largest as i64 / 2 } else { 0 };
    let real = random.below(largest) as f64 / 8.0 - largest as f64 / 16.0;
    match letter {
        'R' | 'f' => (real as f32).to_le_bytes().to_vec(),
        'd' => real.to_le_bytes().to_vec(),
        'i' => (whole as i32).to_le_bytes().to_vec(),
        'u' => (whole as u32).to_le_bytes().to_vec(),
        'l' | 'q' => whole.to_le_bytes().to_vec(),
        'b' => vec![random.below(3) as u8],
        _ => (random.next() as u32 | 0xFF00_0000).to_le_bytes().to_vec(),
    }
}

/// Random GUIDs are inferred, even if some of the GUIDs are zero, but not if all are. Dates are
/// inferred, too.
#[test]
fn guids_and_dates() {
    let mut random = Random::new(7);
    for zeros in 0..3 {
        let guid = |random: &mut Random| -> Vec<u8> {
            [random.next() | 0x10_0000_0000_1000, random.next() | 0x10_0000_0000_1000]
                .iter()
                .flat_map(|half| half.to_le_bytes())
                .collect()
        };
        let mut guids: Vec<_> = (0..5).map(|_| guid(&mut random)).collect();
        guids.extend(vec![vec![0; 16]; zeros]);
        assert_eq!(assert_right("Guid", &guids), 2);
    }
    assert_eq!(assert_right("Guid", &vec![vec![0; 16]; 3]), 0);
    // 2020-01-01
    let dates = vec![637_134_336_000_000_000_i64.to_le_bytes().to_vec(); 2];
    assert_eq!(inferred_as_values(&dates).as_deref(), Some("DateTime"));
}
