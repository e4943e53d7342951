//! Views with an index: `get`, `at` and `names` return the same values as those of a view without
//! an index.

use crate::support::corpus;
use gamewire::godot::{
    Array, Dialect, IndexEntry, IndexedRef, Object, ObjectRef, Reader, Variant, VariantRef,
    Vector2, Writer,
};

fn indexed<T>(bytes: &[u8], dialect: Dialect, look: impl FnOnce(IndexedRef<'_, '_>) -> T) -> T {
    let mut memory = vec![IndexEntry::default(); bytes.len() / 8];
    look(Reader::new(bytes, dialect).index(&mut memory).unwrap().root())
}

fn shown(value: &impl std::fmt::Debug) -> String {
    format!("{value:?}")
}

/// Asserts that both lookups found the same value. Containers are compared by address, and other
/// values by their `Debug` output.
#[track_caller]
fn assert_same(indexed: Option<IndexedRef<'_, '_>>, view: Option<VariantRef<'_>>) {
    let found = indexed.map(|found| found.value());
    assert_eq!(address(found), address(view));
    if address(view).is_none() {
        assert_eq!(shown(&indexed), shown(&view));
    }
}

fn address(value: Option<VariantRef<'_>>) -> Option<*const u8> {
    Some(match value? {
        VariantRef::Array(array) => array.encoded().as_bytes().as_ptr(),
        VariantRef::Dictionary(dictionary) => dictionary.encoded().as_bytes().as_ptr(),
        VariantRef::Object(ObjectRef::Full(object)) => object.encoded().as_bytes().as_ptr(),
        _ => return None,
    })
}

/// Compares the lookups of existing and missing keys and indices, recursively.
fn compare_lookups(value: IndexedRef<'_, '_>) {
    match value.value() {
        VariantRef::Array(array) => {
            let (start, end) = (array.len().min(20), array.len().saturating_sub(2));
            for index in (0..start).chain(end..array.len() + 2) {
                assert_same(value.at(index), array.get(index));
            }
            assert!(value.get("0").is_none());
        }
        VariantRef::Dictionary(dictionary) => {
            let texts = dictionary.iter().take(20).filter_map(|(key, _)| key.as_str());
            let texts: Vec<_> = texts.collect();
            for key in texts.iter().filter_map(|key| key.to_str().ok()).chain(["", "none"]) {
                assert_same(value.get(key), dictionary.get(key));
            }
            assert!(value.at(0).is_none());
        }
        VariantRef::Object(ObjectRef::Full(object)) => {
            let mut items = value.items();
            for (at, (name, view)) in object.properties().enumerate() {
                assert_eq!(items.len(), object.len() - at);
                let (found, value) = items.next_named().unwrap();
                assert_eq!(found, name);
                assert_same(Some(value), Some(view));
            }
            assert!(items.next_named().is_none() && items.next().is_none());
            for (name, _) in object.properties() {
                assert_same(value.get(name.to_str().unwrap()), object.get(name.to_str().unwrap()));
            }
            assert!(value.get("none").is_none() && value.at(0).is_none());
        }
        _ => assert!(value.get("").is_none() && value.at(0).is_none()),
    }
    for item in value.items().take(40) {
        compare_lookups(item);
    }
}

#[test]
fn corpus_values_are_found_like_in_views() {
    for (folder, dialect) in corpus::WRITTEN.into_iter().chain([("bench", Dialect::Godot4)]) {
        for (_, bytes) in corpus::packets(folder) {
            if bytes.len() < 20_000 {
                indexed(&bytes, dialect, compare_lookups);
            }
        }
    }
}

/// For a repeated name, a dictionary returns the first value, and an object returns the last value.
/// Lookups skip the contents of nested containers.
#[test]
fn repeated_names_select_one_value() {
    let mut packet = Vec::new();
    let mut writer = Writer::new(&mut packet, Dialect::Godot4);
    let mut pairs = writer.dictionary(4).unwrap();
    pairs.entry(5, "no text").unwrap();
    pairs.put("list").unwrap();
    let mut list = pairs.array(2).unwrap();
    list.array(0).unwrap().finish().unwrap();
    list.put("a").unwrap();
    list.finish().unwrap();
    pairs.entry("a", 1).unwrap();
    pairs.entry("a", 2).unwrap();
    pairs.finish().unwrap();
    indexed(&packet, Dialect::Godot4, |value| {
        assert_eq!(value.get("a").unwrap().value().as_i64(), Some(1));
        assert_eq!(shown(&value.get("list").unwrap().at(1)), r#"Some(String "a")"#);
        assert!(value.get("no text").is_none() && value.get("5").is_none());
        // A lookup by key does not find a value whose text is the same as the key.
        assert!(value.get("list").unwrap().get("a").is_none());
    });

    let mut object = Object::new("Node");
    let values = [("a", Array::from_iter([1]).into()), ("b", 2.into()), ("a", 3.into())];
    object.properties.extend(values.map(|(name, value)| (name.as_bytes().to_vec(), value)));
    let packet = Variant::from(object).to_bytes(Dialect::Godot4).unwrap();
    indexed(&packet, Dialect::Godot4, |value| {
        assert_eq!(value.get("a").unwrap().value().as_i64(), Some(3));
        assert_eq!(value.get("b").unwrap().value().as_i64(), Some(2));
        assert_eq!(value.items().map(|item| item.items().len()).sum::<usize>(), 1);
        compare_lookups(value);
    });
}

/// Only the items of an object have names. For other containers, `next_named` returns `None` and
/// consumes no item.
#[test]
fn only_properties_have_names() {
    let packet = Variant::from(Array::from_iter([1, 2])).to_bytes(Dialect::Godot4).unwrap();
    indexed(&packet, Dialect::Godot4, |value| {
        let mut items = value.items();
        assert!(items.next_named().is_none());
        assert_eq!((items.len(), items.size_hint()), (2, (2, Some(2))));
        assert_eq!(shown(&items.next()), "Some(Int 1)");
    });
    let point = Variant::new(Vector2 { x: 1, y: 2 }, Dialect::Godot4).unwrap();
    indexed(&point.to_bytes(Dialect::Godot4).unwrap(), Dialect::Godot4, |value| {
        assert_eq!(value.items().len(), 0);
        assert_eq!(shown(&value), shown(&point));
    });
}

/// The `Debug` output of an index is the same as that of its value.
#[test]
fn index_prints_like_its_value() {
    let packet = Variant::from(Array::from_iter([1, 2])).to_bytes(Dialect::Godot4).unwrap();
    let mut memory = [IndexEntry::default()];
    let index = Reader::new(&packet, Dialect::Godot4).index(&mut memory).unwrap();
    assert_eq!(shown(&index), "Array [Int 1, Int 2]");
}
