//! Tests limits of the deserializer for Rem's Engine saves, omitted elements of lists, and ignored
//! values.
use gamewire::rems::serde::Deserializer;
use gamewire::rems::{ErrorKind, TextReader, from_items};
use serde::Deserialize;
use serde::de::IgnoredAny;

#[derive(Deserialize, PartialEq, Debug, Default)]
#[serde(default)]
struct Node {
    c: Vec<Node>,
}

/// The depth limit applies to nested objects, and not to the total number of objects.
#[test]
fn many_objects_beside_each_other() {
    let objects = vec![r#"{"class":"T","T[]:c":[1,{"T[]:c":[0]}]}"#; 300].join(",");
    let text = format!("[{objects}]");
    let nodes: Vec<Node> = from_items(&mut TextReader::new(text.as_bytes())).unwrap();
    assert_eq!(nodes.len(), 300);
    let text = format!(r#"[{{"class":"T","*[]:c":[300,{objects}]}}]"#);
    let nodes: Vec<Node> = from_items(&mut TextReader::new(text.as_bytes())).unwrap();
    assert_eq!(nodes[0].c.len(), 300);
}

/// The fill limit for omitted elements applies to each call separately.
#[test]
fn each_call_has_all_of_the_limit() {
    #[derive(Deserialize)]
    struct Row {
        a: Vec<u8>,
    }
    let text = format!("[{}]", [r#"{"class":"T","B[]:a":[3,7]}"#; 3].join(","));
    let mut reader = TextReader::new(text.as_bytes());
    let mut rows = Deserializer::new(&mut reader).fill_limit(3);
    for _ in 0..3 {
        assert_eq!(rows.read::<Row>().unwrap().unwrap().a, [7, 0, 0]);
    }
    assert!(rows.read::<Row>().unwrap().is_none());
    // Within one call, the limit applies to all objects.
    let mut reader = TextReader::new(text.as_bytes());
    let error = Deserializer::new(&mut reader).fill_limit(3).read_all::<Vec<Row>>();
    let kind = *error.map(|rows| rows.len()).unwrap_err().kind().unwrap();
    assert_eq!(kind, ErrorKind::NotWritten { count: 2, limit: 3 });
}

/// Omitted elements of a list have their default value: null, or an empty list.
#[test]
fn lists_that_are_not_written() {
    #[derive(Deserialize)]
    struct Object<T> {
        k: Vec<T>,
    }
    for ty in ["K[][]", "*[][]"] {
        let text = format!(r#"[{{"class":"T","{ty}:k":[2]}}]"#);
        let mut reader = TextReader::new(text.as_bytes());
        let lists: Vec<Object<Vec<Option<u32>>>> = from_items(&mut reader).unwrap();
        assert_eq!(lists[0].k, [[], []], "{ty}");
    }
    for ty in ["K[]", "*[]"] {
        let text = format!(r#"[{{"class":"T","{ty}:k":[2]}}]"#);
        let mut reader = TextReader::new(text.as_bytes());
        let nulls: Vec<Object<Option<u32>>> = from_items(&mut reader).unwrap();
        assert_eq!(nulls[0].k, [None, None], "{ty}");
    }
}

/// Ignored values are still parsed: the reader reports errors in them, and continues after them.
#[test]
fn all_that_is_ignored_is_passed() {
    let text = br#"[{"class":"T","i:x":1},{"class":"T","i:x":2}]"#;
    let mut reader = TextReader::new(text);
    Deserializer::new(&mut reader).read_all::<IgnoredAny>().unwrap();
    assert!(reader.next().unwrap().is_none());
    assert_eq!(reader.offset(), text.len() as u64);
    let cut = &text[..30];
    assert!(Deserializer::new(&mut TextReader::new(cut)).read_all::<IgnoredAny>().is_err());
}
