//! Tests how pointers to objects in a Rem's Engine save are resolved, and how objects without a
//! number are numbered. The tests try all combinations of numbers in small files, and compare the
//! results with the rules in the documentation.
use gamewire::rems::{
    BinaryReader, BinaryWriter, ConvertOptions, Dialect, Era, Item, Plan, Pointers, Slot, Tables,
    Tape, Target, TextReader, TextWriter, convert,
};

/// Returns, for every possible file with up to four objects, the numbers of these objects. Each
/// object has no number, or a number from 0 to 5.
fn files() -> impl Iterator<Item = Vec<Option<u64>>> {
    (0..=4).flat_map(|len| {
        (0..7u64.pow(len))
            .map(move |code| (0..len).map(|at| (code / 7u64.pow(at) % 7).checked_sub(1)).collect())
    })
}

/// Returns a text save whose objects have these numbers. The first object has a pointer with the
/// number `pointer`.
fn text(numbers: &[Option<u64>], pointer: u64) -> String {
    let mut property = format!(r#","T:to":{pointer}"#);
    let objects = numbers.iter().map(|number| {
        let number = number.map_or(String::new(), |number| format!(r#","i:*ptr":{number}"#));
        format!(r#"{{"class":"T"{number}{}}}"#, std::mem::take(&mut property))
    });
    format!("[{}]", objects.collect::<Vec<_>>().join(","))
}

/// Returns `true` if every written number except 0 is the position of its object, counted from 1.
fn is_counted(numbers: &[Option<u64>]) -> bool {
    numbers
        .iter()
        .zip(1..)
        .all(|(number, count)| matches!(number, None | Some(0)) || *number == Some(count))
}

/// Returns `true` if at least one object has a written number other than 0.
fn has_numbers(numbers: &[Option<u64>]) -> bool {
    numbers.iter().any(|number| matches!(number, Some(1..)))
}

/// A pointer leads to the last object that has the number in the pointer. If no object has this
/// number, the pointer can lead to an object without a number, whose position is the number in the
/// pointer. It does so only if the file contains numbers other than 0, and each of them is the
/// position of its object. The pointer 0 leads to no object.
#[test]
fn numbers_lead_to_objects() {
    for numbers in files() {
        let text = text(&numbers, 0);
        let mut slots = Vec::new();
        let mut reader = TextReader::new(text.as_bytes());
        let pointers = Pointers::collect(&mut reader, &mut slots).unwrap();
        let offsets: Vec<_> = pointers.objects().map(|object| object.offset).collect();
        for asked in 1..=7 {
            let said = numbers.iter().rposition(|number| *number == Some(asked));
            let place = asked as usize - 1;
            let is_counted = is_counted(&numbers) && has_numbers(&numbers);
            let implied = is_counted && numbers.get(place) == Some(&None);
            let expected = match said {
                Some(at) => Some((offsets[at], true)),
                None => implied.then(|| (offsets[place], false)),
            };
            let found = match pointers.get(asked) {
                Target::Object(object) => Some((object.offset, true)),
                Target::Implied(object) => Some((object.offset, false)),
                Target::Dangling => None,
            };
            assert_eq!(found, expected, "{asked} in {text}");
        }
        assert!(matches!(pointers.get(0), Target::Dangling));
    }
}

/// If all written numbers except 0 are positions, an object without a number gets its position as
/// its number, unless the pointer contains this number and does not lead to the object. Otherwise,
/// the object gets the lowest number that no object has and no pointer contains; an object with the
/// number 0 always gets such a number. Every pointer therefore keeps its target.
#[test]
fn objects_get_numbers() {
    for (numbers, pointer) in files().flat_map(|file| (1..=3).map(move |to| (file.clone(), to))) {
        let text = text(&numbers, pointer);
        let own = (1..).zip(&numbers).map(|(count, number)| match number {
            None if is_counted(&numbers) && (has_numbers(&numbers) || count != pointer) => {
                Some(count)
            }
            None | Some(0) => None,
            Some(number) => Some(*number),
        });
        let own: Vec<_> = own.collect();
        let is_taken = |number: u64| number == pointer || own.contains(&Some(number));
        let mut free = (1..).filter(|number| !is_taken(*number));
        let expected = own.iter().map(|own| own.unwrap_or_else(|| free.next().unwrap()));
        let expected: Vec<_> = expected.map(Some).collect();
        let plan = Plan::of(&mut TextReader::new(text.as_bytes())).unwrap();
        let mut writer = TextWriter::new(Vec::new(), Dialect::Engine2026);
        let mut reader = TextReader::new(text.as_bytes());
        let options = ConvertOptions { force: true, ..ConvertOptions::default() };
        convert(&mut reader, &mut writer, &plan, options, |_| {}).unwrap();
        let written = writer.finish().unwrap();
        let mut reader = TextReader::new(&written);
        let mut found = Vec::new();
        while let Some(item) = reader.next().unwrap() {
            if let Item::Object(object) = item {
                found.push(object.pointer);
            }
        }
        assert_eq!(found, expected, "{text}");
    }
}

/// Indexes the objects of a text save. For each number, returns the class of the object to which a
/// pointer with this number leads, and `true` if the object was found by its position.
fn targets<const N: usize>(text: &str, numbers: [u64; N]) -> [Option<(String, bool)>; N] {
    let mut slots = Vec::new();
    let pointers = Pointers::collect(&mut TextReader::new(text.as_bytes()), &mut slots).unwrap();
    let mut fixed = vec![Slot::default(); pointers.objects().count()];
    let again = Pointers::index(&mut TextReader::new(text.as_bytes()), &mut fixed).unwrap();
    let tape = Tape::collect(&mut TextReader::new(text.as_bytes()), 1000).unwrap();
    let mut taped = Vec::new();
    let taped = tape.pointers(&mut taped);
    assert_eq!([again.has_uuids(), taped.has_uuids()], [pointers.has_uuids(); 2]);
    numbers.map(|number| {
        let [target, second, third] =
            [&pointers, &again, &taped].map(|pointers| match pointers.get(number) {
                Target::Object(object) => {
                    assert_eq!(object.pointer, Some(number));
                    Some((object.class.to_string(), false))
                }
                Target::Implied(object) => Some((object.class.to_string(), true)),
                Target::Dangling => None,
            });
        assert_eq!([&second, &third], [&target; 2]);
        target
    })
}

fn object(class: &str) -> Option<(String, bool)> {
    Some((class.to_owned(), false))
}

/// In May 2020, the number of an object was its property `l:uuid`, which had 64 bits and could be
/// at any position. If an object has several such properties, the last one is its number. An object
/// without such a property is never found by its position.
#[test]
fn numbers_of_may_2020() {
    let text = r#"[{"class":"Aa","l:uuid":9223372036854775807,"*[]:list":[2,{"class":"Ee"},
        {"class":"Ff","l:uuid":4}],"Bb:b":{"Cc:c":{"l:uuid":5000000000},"l:uuid":1,"l:uuid":3},"S:s":""},
        {"class":"Dd","S:uuid":"2","l:uuid":0,"i:uuid":2}]"#;
    let expected = ["Aa", "Cc", "Bb", "Ff"].map(object);
    assert_eq!(targets(text, [i64::MAX as u64, 5_000_000_000, 3, 4]), expected);
    assert_eq!(targets(text, [0, 1, 2, 5, 6]), [const { None }; 5]);
}

/// If any object has a number in its header, all `l:uuid` properties are ordinary properties, even
/// if the number is 0, and even if the object comes after all these properties.
#[test]
fn uuids_beside_numbers() {
    for number in [0, 7] {
        let header = format!(r#"{{"class":"Dd","i:*ptr":{number}}}"#);
        let uuids = r#"{"class":"Aa","l:uuid":5,"Bb:b":{"l:uuid":6}}"#;
        for text in [format!("[{header},{uuids}]"), format!("[{uuids},{header}]")] {
            assert_eq!(targets(&text, [5, 6]), [None, None]);
        }
    }
}

/// No object is found by its position if the file has no numbers at all. An object in a list of one
/// class in a binary stream is not found either, because no pointer can refer to it.
#[test]
fn objects_that_no_pointer_can_mean() {
    let text = r#"[{"class":"Aa","Bb:b":2,"K[]:k":[1,{"i:v":5}]}]"#;
    assert_eq!(targets(text, [1, 2]), [None, None]);
    let text = text.replace("\"Aa\"", "\"Aa\",\"i:*ptr\":1");
    assert_eq!(targets(&text, [1, 2]), [object("Aa"), Some(("K".to_owned(), true))]);

    let text = text.replace(":2,", ":9,"); // a stream whose pointer 9 leads nowhere
    let plan = Plan::of(&mut TextReader::new(text.as_bytes())).unwrap();
    let mut writer = BinaryWriter::new(Vec::new(), Era::October2024);
    let options = ConvertOptions { force: true, ..ConvertOptions::default() };
    convert(&mut TextReader::new(text.as_bytes()), &mut writer, &plan, options, |_| {}).unwrap();
    let stream = writer.finish().unwrap();
    let (mut tables, mut slots) = (Tables::new(), Vec::new());
    let mut reader = BinaryReader::new(&stream, Era::October2024, &mut tables);
    let pointers = Pointers::collect(&mut reader, &mut slots).unwrap();
    assert_eq!(pointers.objects().count(), 2);
    assert!(matches!(pointers.get(2), Target::Dangling));
}
