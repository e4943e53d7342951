//! Resolution of pointers to objects in a Rem's Engine save, and numbering of objects without a
//! number. Small files in all combinations are compared with the rules in the documentation.
use gamewire::rems::{
    ConvertOptions, Dialect, Item, Plan, Pointers, Target, TextReader, TextWriter, convert,
};

/// Returns the numbers of the objects of all files with up to four objects. Each object has no
/// number, or a number from 0 to 5.
fn files() -> impl Iterator<Item = Vec<Option<u32>>> {
    (0..=4u32).flat_map(|len| {
        (0..7u32.pow(len))
            .map(move |code| (0..len).map(|at| (code / 7u32.pow(at) % 7).checked_sub(1)).collect())
    })
}

/// Returns a text with objects of these numbers. The first object has a pointer to the number
/// `pointer`.
fn text(numbers: &[Option<u32>], pointer: u32) -> String {
    let mut property = format!(r#","T:to":{pointer}"#);
    let objects = numbers.iter().map(|number| {
        let number = number.map_or(String::new(), |number| format!(r#","i:*ptr":{number}"#));
        format!(r#"{{"class":"T"{number}{}}}"#, std::mem::take(&mut property))
    });
    format!("[{}]", objects.collect::<Vec<_>>().join(","))
}

/// Returns `true` if every written number except 0 is the position of its object, counted from 1.
fn is_counted(numbers: &[Option<u32>]) -> bool {
    numbers
        .iter()
        .zip(1..)
        .all(|(number, count)| matches!(number, None | Some(0)) || *number == Some(count))
}

/// A pointer leads to the last object with the number. If there is none and all written numbers
/// except 0 are positions, it leads to the object without a number at that position. The pointer 0
/// leads to no object.
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
            let implied = is_counted(&numbers) && numbers.get(place) == Some(&None);
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

/// An object without a number gets its position as its number, if all written numbers except 0 are
/// positions. Otherwise, it gets the lowest number that no object has and no pointer contains; an
/// object with the number 0 always gets such a number. So every pointer keeps its target.
#[test]
fn objects_get_numbers() {
    for (numbers, pointer) in files().flat_map(|file| (1..=3).map(move |to| (file.clone(), to))) {
        let text = text(&numbers, pointer);
        let own = (1..).zip(&numbers).map(|(count, number)| match number {
            None if is_counted(&numbers) => Some(count),
            None | Some(0) => None,
            Some(number) => Some(*number),
        });
        let own: Vec<_> = own.collect();
        let is_taken = |number: u32| number == pointer || own.contains(&Some(number));
        let mut free = (1..).filter(|number| !is_taken(*number));
        let expected = own.iter().map(|own| own.unwrap_or_else(|| free.next().unwrap()));
        let expected: Vec<_> = expected.map(Some).collect();
        let plan = Plan::of(&mut TextReader::new(text.as_bytes())).unwrap();
        let mut writer = TextWriter::new(Vec::new(), Dialect::Engine2026);
        let mut reader = TextReader::new(text.as_bytes());
        convert(&mut reader, &mut writer, &plan, ConvertOptions::default(), |_| {}).unwrap();
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
