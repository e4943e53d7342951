//! Laws for arbitrary bytes that are read as a Rem's Engine file.

use super::visit::Expected;
use crate::support::rems::oracle;
use gamewire::rems::{
    Array, BinaryReader, Era, Error, FileFormat, Item, ItemSource, Kind, Object, Part, Pointers,
    Scalar, Slot, Tables, Target, TextOptions, TextReader, Value,
};

/// Maximum number of items that are compared one by one.
const ENOUGH: usize = 48;

/// Only inputs shorter than this go through every check.
const SMALL: usize = 256;

pub const ERAS: [Era; 5] =
    [Era::October2024, Era::March2022, Era::October2021, Era::August2021, Era::December2020];

/// Checks the laws on a file that is read as text.
pub fn rems_text(bytes: &[u8]) {
    check_form(bytes);
    let read = whole(&mut TextReader::new(bytes), bytes.len());
    let mut reader = TextReader::new(bytes).options(TextOptions { octal: true, wrapping: true });
    assert_eq!(whole(&mut reader, bytes.len()).places, read.places, "that is for values only");
    oracle::same_text(bytes, oracle::Options::default());
    if bytes.len() < SMALL {
        oracle::same_text(bytes, oracle::Options { octal: false, wrapping: false });
        oracle::same_text(bytes, oracle::Options { octal: true, wrapping: true });
    }
    for (at, begins) in read.begins.iter().enumerate().take(ENOUGH) {
        let mut reader = TextReader::new(bytes);
        check_skip(&mut reader, &read, at, *begins);
    }
    for (at, object) in read.objects.iter().take(ENOUGH) {
        check_alone(&mut TextReader::at(bytes, *object), &read, *at, object);
    }
    let mut slots = Vec::new();
    let pointers = Pointers::collect(&mut TextReader::new(bytes), &mut slots);
    assert_eq!(pointers.as_ref().err(), read.error.as_ref());
    if let Ok(pointers) = pointers {
        check_pointers(&pointers, &read);
        let mut slots = vec![Slot::default(); read.objects.len()];
        let again = Pointers::index(&mut TextReader::new(bytes), &mut slots).unwrap();
        check_pointers(&again, &read);
        if let Some(few) = read.objects.len().checked_sub(1) {
            let mut slots = vec![Slot::default(); few];
            assert!(Pointers::index(&mut TextReader::new(bytes), &mut slots).is_err());
        }
    }
    shallow(&mut TextReader::<2>::with_depth(bytes), &read);
    let expected = Expected::of(&mut TextReader::new(bytes));
    for start in expected.starts() {
        expected.check(&mut TextReader::new(bytes), start);
    }
    Expected::of(&mut TextReader::<2>::with_depth(bytes))
        .check(&mut TextReader::<2>::with_depth(bytes), 0);
    let mut reader = TextReader::new(bytes);
    for _ in 0..ENOUGH {
        match reader.next() {
            Ok(Some(Item::Value(value))) if value.kind().scalar() != Scalar::Text => at_end(value),
            Ok(Some(_)) => {}
            _ => break,
        }
    }
}

/// Asserts that a number near the end of a text save, where the fast path for numbers does not
/// apply, is read like the same number with more bytes after it.
fn at_end(value: Value<'_>) {
    let ty = format!("{}{}", value.kind().name(), "[]".repeat(value.dim().into()));
    let key = format!(r#"[{{"class":"A","{ty}:v":"#);
    let text = [key.as_bytes(), value.raw(), b"}"].concat();
    let mut reader = TextReader::new(&text);
    let same = loop {
        match reader.next().unwrap() {
            Some(Item::Value(same)) => break same,
            item => assert!(item.is_some()),
        }
    };
    assert_eq!(same.raw(), value.raw());
    each(value.kind().scalar(), Same(value, same));
}

/// Checks that every prefix of the file is detected as the format of the whole file, or as unknown.
fn check_form(bytes: &[u8]) {
    let form = FileFormat::detect(bytes);
    for len in 0..bytes.len().min(ENOUGH) {
        let beginning = FileFormat::detect(&bytes[..len]);
        assert!(beginning.is_none() || beginning == form);
    }
}

/// Checks the laws on a file that is read as a binary stream of an era.
pub fn rems_binary(bytes: &[u8], era: Era) {
    oracle::same_binary(bytes, era);
    let mut tables = Tables::new();
    let read = whole(&mut BinaryReader::new(bytes, era, &mut tables), bytes.len());
    let mut others = Tables::new();
    for (at, begins) in read.begins.iter().enumerate().take(ENOUGH) {
        check_skip(&mut BinaryReader::new(bytes, era, &mut others), &read, at, *begins);
    }
    for (at, object) in read.objects.iter().take(ENOUGH) {
        check_alone(&mut BinaryReader::at(bytes, era, &tables, *object), &read, *at, object);
    }
    let mut slots = Vec::new();
    let mut reader = BinaryReader::new(bytes, era, &mut tables);
    let pointers = Pointers::collect(&mut reader, &mut slots);
    assert_eq!(pointers.as_ref().err(), read.error.as_ref());
    if let Ok(pointers) = pointers {
        check_pointers(&pointers, &read);
    }
    shallow(&mut BinaryReader::<2>::with_depth(bytes, era, &mut others), &read);
    let expected = Expected::of(&mut BinaryReader::new(bytes, era, &mut others));
    for start in expected.starts() {
        expected.check(&mut BinaryReader::new(bytes, era, &mut others), start);
    }
    Expected::of(&mut BinaryReader::<2>::with_depth(bytes, era, &mut others))
        .check(&mut BinaryReader::<2>::with_depth(bytes, era, &mut others), 0);
}

/// Checks the laws on a binary stream. The first byte selects its era.
pub fn rems_binary_any(data: &[u8]) {
    if let [era, bytes @ ..] = data {
        rems_binary(bytes, ERAS[usize::from(*era) % ERAS.len()]);
    }
}

/// Checks decompression of three inputs: the bytes, the bytes after the signature of a container,
/// and, if the bytes are compressed data, a valid container of this data. Asserts that `decompress`
/// and `decompress_into` agree and stay within the limit, and reads the result as a stream. Also
/// asserts that the bytes are unchanged after compression and decompression.
#[cfg(feature = "rems-container")]
pub fn rems_container(data: &[u8]) {
    use gamewire::rems::{ErrorKind, compress, decompress, decompress_into, is_container};
    const LIMIT: usize = 1 << 16;
    let sealed = oracle::sealed(data, LIMIT).unwrap_or_default();
    for bytes in [data, &[b"RemsEngineZZ", data].concat(), &sealed] {
        oracle::same_container(bytes, LIMIT);
        let Ok(stream) = decompress(bytes, LIMIT) else {
            let error = decompress_into(bytes, &mut vec![0; LIMIT]).unwrap_err();
            assert!(error.offset() <= bytes.len() as u64);
            continue;
        };
        assert!(is_container(bytes) && stream.len() <= LIMIT && stream.capacity() <= 2 * LIMIT);
        let mut memory = vec![0; stream.len()];
        assert_eq!(decompress_into(bytes, &mut memory), Ok(stream.len()));
        assert_eq!(memory, stream);
        if memory.pop().is_some() {
            let kind = ErrorKind::TooLarge { limit: memory.len() as u64 };
            assert_eq!(decompress(bytes, memory.len()).unwrap_err().kind(), &kind);
            assert_eq!(decompress_into(bytes, &mut memory).unwrap_err().kind(), &kind);
        }
        rems_binary(&stream, Era::October2024);
    }
    let container = compress(data, (data.len() % 10) as u8);
    assert_eq!(decompress(&container, data.len()).as_deref(), Ok(data));
}

/// What was read from a file.
#[derive(Default)]
struct Read<'a> {
    /// For each item, a letter for its kind and the offset of the next item.
    places: Vec<(char, u64)>,
    /// For each item that begins a property, an object or a list, the index of the last item of
    /// this property, object or list. `None` for other items, and if the last item was not read.
    begins: Vec<Option<usize>>,
    objects: Vec<(usize, Object<'a>)>,
    /// For each object, the value of its last property `l:uuid`.
    uuids: Vec<Option<u64>>,
    error: Option<Error>,
    /// `true` if a value is malformed. In a text save, the end of a malformed value is ambiguous.
    unsound: bool,
}

impl<'a> Read<'a> {
    /// Records the value of a property `l:uuid` in the innermost object that has not ended yet.
    fn note_uuid(&mut self, item: &Item<'a>, before: Option<&Item<'a>>) {
        let (Item::Value(value), Some(Item::Property(property))) = (item, before) else { return };
        if property.name != *"uuid" || (value.kind(), value.dim()) != (Kind::I64, 0) {
            return;
        }
        let (begins, objects) = (&self.begins, &self.objects);
        let open = (0..objects.len()).rev().find(|at| begins[objects[*at].0].is_none());
        if let Some(uuid) = value.get::<i64>().ok().filter(|uuid| *uuid >= 0) {
            self.uuids[open.unwrap()] = Some(uuid as u64);
        }
    }

    /// Returns, for each object, the number by which pointers can refer to it. If an object has a
    /// number in its header, all `l:uuid` properties of the file are ordinary properties.
    fn numbers(&self) -> Vec<Option<u64>> {
        let headers: Vec<_> = self.objects.iter().map(|(_, object)| object.pointer).collect();
        if headers.iter().any(Option::is_some) { headers } else { self.uuids.clone() }
    }
}

fn letter(item: &Item<'_>) -> char {
    match item {
        Item::Object(_) => 'o',
        Item::Property(_) => 'p',
        Item::Value(_) => 'v',
        Item::Pointer(_) => '@',
        Item::Null => 'n',
        Item::List(_) => 'l',
        Item::End => 'e',
        other => panic!("{other:?}"),
    }
}

/// Reads all items of a file, up to the first error. Asserts that no item follows the error.
fn whole<'a>(items: &mut impl ItemSource<'a>, len: usize) -> Read<'a> {
    let mut read = Read::default();
    let (mut open, mut property) = (Vec::new(), None);
    let mut items_so_far = Vec::new();
    loop {
        let before = items.offset();
        let item = match items.next() {
            Ok(Some(item)) => item,
            Ok(None) => break,
            Err(error) => {
                assert!(error.offset() <= len as u64, "{error}");
                read.error = Some(error);
                assert!(items.next().unwrap().is_none());
                assert!(items.skip().is_ok());
                break;
            }
        };
        let at = read.places.len();
        read.note_uuid(&item, items_so_far.last());
        items_so_far.push(item);
        // Each item occupies at least one byte, except ends, and elements of binary lists that have
        // neither class nor number.
        assert!(items.offset() >= before && items.offset() <= len as u64);
        read.places.push((letter(&item), items.offset()));
        read.begins.push(None);
        let done = match item {
            Item::Property(named) => {
                property = Some(at);
                assert!(named.offset >= before);
                let _ = (named.ty.to_string(), named.name.bytes().count());
                continue;
            }
            Item::Object(object) => {
                open.push((at, property.take()));
                read.objects.push((at, object));
                read.uuids.push(None);
                continue;
            }
            Item::List(_) => {
                open.push((at, property.take()));
                continue;
            }
            Item::End => {
                let (begin, property) = open.pop().expect("something is open");
                read.begins[begin] = Some(at);
                property
            }
            Item::Value(value) => {
                read.unsound |= !look(value);
                property.take()
            }
            _ => property.take(),
        };
        if let Some(property) = done {
            read.begins[property] = Some(at);
        }
    }
    assert!(read.error.is_some() || open.is_empty());
    read
}

/// Asserts that skipping an item reaches the same position as reading it, if the item was read
/// without errors. (Skipping may report fewer errors than reading.)
fn check_skip<'a>(items: &mut impl ItemSource<'a>, read: &Read<'a>, at: usize, end: Option<usize>) {
    if !matches!(read.places[at].0, 'o' | 'p' | 'l') {
        return;
    }
    for place in &read.places[..=at] {
        let item = items.next().unwrap().unwrap();
        assert_eq!((letter(&item), items.offset()), *place);
    }
    let skipped = items.skip();
    let Some(end) = end.filter(|_| !read.unsound) else { return };
    skipped.unwrap();
    for place in &read.places[end + 1..] {
        let item = items.next().unwrap().unwrap();
        assert_eq!((letter(&item), items.offset()), *place, "after {at}");
    }
    assert_eq!(items.next().err(), read.error);
}

/// Asserts that a reader that starts at an object returns the same items as a reader that starts at
/// the beginning of the file.
fn check_alone<'a>(
    items: &mut impl ItemSource<'a>,
    read: &Read<'a>,
    at: usize,
    object: &Object<'a>,
) {
    let item = items.next();
    let Ok(Some(Item::Object(found))) = item else { panic!("{item:?} for {object:?}") };
    assert_eq!(
        (found.class, found.pointer, found.offset),
        (object.class, object.pointer, object.offset)
    );
    let Some(end) = read.begins[at] else { return };
    for place in &read.places[at + 1..=end] {
        let item = items.next().unwrap().unwrap();
        assert_eq!((letter(&item), items.offset()), *place);
    }
    assert!(items.next().unwrap().is_none());
}

/// Asserts that each number refers to the last object that has this number.
fn check_pointers(pointers: &Pointers<'_, '_>, read: &Read<'_>) {
    let objects = read.objects.iter().map(|(_, object)| object);
    assert!(pointers.objects().map(|object| object.offset).eq(objects.map(|o| o.offset)));
    let mut last = std::collections::HashMap::new();
    let mut replaced = 0;
    let numbers = read.numbers();
    for ((_, object), number) in read.objects.iter().zip(&numbers) {
        if let Some(number @ 1..) = *number {
            replaced += usize::from(last.insert(number, object.offset).is_some());
        }
    }
    for (number, offset) in &last {
        let Target::Object(object) = pointers.get(*number) else { panic!("{number} is there") };
        assert_eq!((object.offset, object.pointer), (*offset, Some(*number)));
    }
    assert_eq!(pointers.duplicates().count(), replaced);
    assert!(matches!(pointers.get(0), Target::Dangling));
    for number in (0..40).chain([u32::MAX.into(), u64::MAX]) {
        match pointers.get(number) {
            Target::Object(object) => assert_eq!(object.pointer, Some(number)),
            Target::Implied(object) => {
                assert!(!last.is_empty() && !pointers.has_uuids());
                assert!(object.pointer.is_none_or(|number| number == 0));
                assert_eq!(object.offset, read.objects[number as usize - 1].1.offset);
            }
            Target::Dangling => assert!(!last.contains_key(&number)),
        }
    }
}

/// Asserts that a reader with memory for two nesting levels reads the same items as a reader with
/// the default memory, up to the first object or list of the third level, and fails there.
fn shallow<'a>(items: &mut impl ItemSource<'a>, read: &Read<'a>) {
    let mut depth = 0;
    for place in &read.places {
        depth += usize::from(matches!(place.0, 'o' | 'l'));
        depth -= usize::from(place.0 == 'e');
        let item = items.next();
        match item {
            Ok(Some(item)) => assert_eq!((letter(&item), depth < 3), (place.0, true)),
            Ok(None) => panic!("{place:?}"),
            Err(error) => {
                let kind = gamewire::rems::ErrorKind::TooDeep { limit: 2 };
                assert_eq!((*error.kind(), depth), (kind, 3));
                return;
            }
        }
    }
}

/// Calls every accessor of a value. Returns `true` if the value is valid.
fn look(value: Value<'_>) -> bool {
    assert!(value.dim() <= 2 && !value.is_omitted());
    match (value.dim(), value.kind().scalar()) {
        (0, Scalar::Text) => {
            let text = value.text().unwrap();
            assert_eq!(text.to_string(), text.to_string_lossy());
            assert!(text.bytes().eq(text.to_bytes().iter().copied()));
            assert!(value.parts::<i32>().is_err() && value.array().is_err());
            true
        }
        (0, scalar) => {
            assert!(value.text().is_err() && value.array().is_err());
            each(scalar, Parts(value))
        }
        _ => {
            assert!(value.parts::<i32>().is_err() && value.get::<i32>().is_err());
            value.array().is_ok_and(|elements| array(elements, value.kind()))
        }
    }
}

fn array(array: Array<'_>, kind: Kind) -> bool {
    let (mut written, mut sound, mut failed) = (0, true, false);
    for element in array.iter().written() {
        assert!(!failed, "nothing comes after an error");
        let Ok(element) = element else {
            failed = true;
            continue;
        };
        written += 1;
        assert_eq!((element.kind(), element.dim()), (kind, array.dim()));
        sound &= element.is_omitted() || look(element);
    }
    assert!(written <= array.len());
    let enough = written as usize + 3;
    let some = array.iter().take(enough).filter(|element| element.is_ok()).count();
    if !failed {
        assert_eq!(some, enough.min(array.len() as usize));
    }
    if array.dim() == 0 && kind.parts() == 1 {
        assert_eq!(each(kind.scalar(), Numbers(array)), sound && !failed);
    } else {
        assert!(array.numbers::<i32>().is_err());
    }
    sound && !failed
}

/// An operation on a scalar of any type.
trait Each {
    fn with<T: Part + std::fmt::Debug>(self) -> bool;
}

fn each(scalar: Scalar, what: impl Each) -> bool {
    match scalar {
        Scalar::Bool => what.with::<bool>(),
        Scalar::I8 => what.with::<i8>(),
        Scalar::Char => what.with::<u16>(),
        Scalar::I16 => what.with::<i16>(),
        Scalar::I32 => what.with::<i32>(),
        Scalar::I64 => what.with::<i64>(),
        Scalar::F32 => what.with::<f32>(),
        Scalar::F64 => what.with::<f64>(),
        Scalar::Text => panic!("text has no parts"),
    }
}

struct Parts<'a>(Value<'a>);

impl Each for Parts<'_> {
    fn with<T: Part + std::fmt::Debug>(self) -> bool {
        let (parts, one) = (self.0.parts::<T>(), self.0.get::<T>());
        let sound = parts.is_ok();
        match (parts, one) {
            (Ok(parts), one) if parts.len() > 1 => {
                assert!(parts.len() == self.0.kind().parts() && one.is_err());
            }
            (Ok(parts), one) => {
                assert_eq!(format!("{:?}", &*parts), format!("[{:?}]", one.unwrap()))
            }
            (Err(error), one) if self.0.kind().parts() == 1 => assert_eq!(one.err(), Some(error)),
            (Err(_), one) => assert!(one.is_err()),
        }
        sound
    }
}

/// Two values that have the same bytes at different offsets. `with` asserts that both read the
/// same.
struct Same<'a>(Value<'a>, Value<'a>);

impl Each for Same<'_> {
    fn with<T: Part + std::fmt::Debug>(self) -> bool {
        let [one, other] = [self.0, self.1].map(|value| {
            let numbers = value.array().and_then(|array| array.numbers::<T>());
            let numbers = numbers.map(|numbers| numbers.written().map(Result::ok).collect());
            let numbers: Option<Vec<_>> = numbers.ok();
            let parts = value.parts::<T>().ok();
            format!("{:?} {numbers:?}", parts.as_deref())
        });
        assert_eq!(one, other);
        true
    }
}

/// An array. `with` reads its elements one by one and in bulk, and asserts that the results are
/// equal up to the first malformed element.
struct Numbers<'a>(Array<'a>);

impl Each for Numbers<'_> {
    fn with<T: Part + std::fmt::Debug>(self) -> bool {
        let numbers: Vec<_> = self.0.numbers::<T>().unwrap().written().collect();
        let mut values: Vec<_> = self.0.iter().written().map(|value| value?.get::<T>()).collect();
        let refused = values.iter().position(Result::is_err);
        values.truncate(refused.map_or(values.len(), |at| at + 1));
        assert_eq!(format!("{numbers:?}"), format!("{values:?}"));
        refused.is_none()
    }
}
