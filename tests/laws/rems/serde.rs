//! Laws for Rem's Engine files that are deserialized as Rust types: arbitrary bytes give a value,
//! or an error whose offset is inside the bytes. The size of the value is limited by the length of
//! the file and by the reader's limits.

use gamewire::rems::serde::{Deserializer, Error, Link};
use gamewire::rems::{BinaryReader, Era, ItemSource, Reader, Tables, TextReader, from_items};
use serde::de::{IgnoredAny, MapAccess, SeqAccess, Visitor};
use serde::{Deserialize, Deserializer as From};
use std::collections::BTreeMap;
use std::fmt;

/// A value of any type in serde's data model.
#[derive(Clone, Debug, PartialEq)]
pub enum Tree {
    Null,
    Bool(bool),
    /// An integer of up to 32 bits.
    Int(i64),
    Long(i64),
    Number(u64),
    Single(f32),
    Double(f64),
    Char(char),
    Utf16Unit(u16),
    Text(String),
    Bytes(Vec<u8>),
    Seq(Vec<Tree>),
    Map(Vec<(Tree, Tree)>),
}

impl Tree {
    pub fn len(&self) -> usize {
        match self {
            Self::Seq(elements) => 1 + elements.iter().map(Self::len).sum::<usize>(),
            Self::Map(pairs) => 1 + pairs.iter().map(|(_, value)| value.len()).sum::<usize>(),
            _ => 1,
        }
    }
}

impl<'de> Deserialize<'de> for Tree {
    fn deserialize<D: From<'de>>(from: D) -> Result<Self, D::Error> {
        from.deserialize_any(Anything)
    }
}

struct Anything;

macro_rules! visits {
    ($($visit:ident $T:ty => $value:expr;)*) => {$(
        fn $visit<E>(self, value: $T) -> Result<Tree, E> {
            let make: fn($T) -> Tree = $value;
            Ok(make(value))
        }
    )*};
}

impl<'de> Visitor<'de> for Anything {
    type Value = Tree;

    fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("anything")
    }

    visits! {
        visit_bool bool => Tree::Bool;
        visit_i8 i8 => |value| Tree::Int(value.into());
        visit_i16 i16 => |value| Tree::Int(value.into());
        visit_i32 i32 => |value| Tree::Int(value.into());
        visit_i64 i64 => Tree::Long;
        visit_u16 u16 => Tree::Utf16Unit;
        visit_u64 u64 => Tree::Number;
        visit_f32 f32 => Tree::Single;
        visit_f64 f64 => Tree::Double;
        visit_char char => Tree::Char;
        visit_str &str => |value| Tree::Text(value.to_owned());
        visit_bytes &[u8] => |value| Tree::Bytes(value.to_owned());
    }

    fn visit_unit<E>(self) -> Result<Tree, E> {
        Ok(Tree::Null)
    }

    fn visit_seq<A: SeqAccess<'de>>(self, mut seq: A) -> Result<Tree, A::Error> {
        assert!(seq.size_hint().unwrap_or(0) < 1 << 24, "what is not written is not hinted at");
        let mut elements = Vec::new();
        while let Some(element) = seq.next_element()? {
            elements.push(element);
        }
        Ok(Tree::Seq(elements))
    }

    fn visit_map<A: MapAccess<'de>>(self, mut map: A) -> Result<Tree, A::Error> {
        let mut pairs = Vec::new();
        while let Some(pair) = map.next_entry()? {
            pairs.push(pair);
        }
        Ok(Tree::Map(pairs))
    }
}

pub fn rems_text_typed(bytes: &[u8]) {
    typed(bytes, || TextReader::new(bytes));
}

pub fn rems_binary_typed(bytes: &[u8], era: Era) {
    let (mut tables, mut others) = (Tables::new(), Tables::new());
    whole(bytes, &mut BinaryReader::new(bytes, era, &mut tables));
    let tree = tree(bytes, &mut BinaryReader::new(bytes, era, &mut tables));
    one_by_one(&tree, &mut BinaryReader::new(bytes, era, &mut others));
    for take in TAKES {
        check(bytes, take(&mut Reader::Binary(BinaryReader::new(bytes, era, &mut tables))));
    }
}

/// Checks the laws on a binary stream. The first byte selects its era.
pub fn rems_binary_typed_any(data: &[u8]) {
    let eras =
        [Era::October2024, Era::March2022, Era::October2021, Era::August2021, Era::December2020];
    if let [era, bytes @ ..] = data {
        rems_binary_typed(bytes, eras[usize::from(*era) % eras.len()]);
    }
}

fn typed<'a>(bytes: &'a [u8], open: impl Fn() -> TextReader<'a>) {
    whole(bytes, &mut open());
    let tree = tree(bytes, &mut open());
    one_by_one(&tree, &mut open());
    for take in TAKES {
        check(bytes, take(&mut Reader::Text(open())));
    }
}

/// Deserializes the whole file and ignores every value.
fn whole<'a>(bytes: &[u8], items: &mut impl ItemSource<'a>) {
    let ignored = from_items::<IgnoredAny>(items);
    check(bytes, ignored.map(drop));
}

fn tree<'a>(bytes: &[u8], items: &mut impl ItemSource<'a>) -> Result<Tree, Error> {
    let tree = from_items::<Tree>(items);
    if let Ok(tree) = &tree {
        assert!(items.next().unwrap().is_none(), "all was read");
        // A matrix that the file omits is filled in, with up to 16 components in 4 columns.
        let len = tree.len();
        assert!(len <= 22 * bytes.len() + 22 * (1 << 16), "{len} out of {}", bytes.len());
    }
    check(bytes, tree.as_ref().map(drop));
    tree
}

/// Asserts that the objects of a file, deserialized one by one, equal the objects that are
/// deserialized together.
fn one_by_one<'a>(tree: &Result<Tree, Error>, items: &mut impl ItemSource<'a>) {
    let mut deserializer = Deserializer::new(items);
    let mut roots = Vec::new();
    let end = loop {
        match deserializer.read::<Tree>() {
            Ok(Some(root)) => roots.push(root),
            Ok(None) => break None,
            Err(error) => break Some(error),
        }
    };
    match (tree, end) {
        (Ok(tree), None) => {
            assert_eq!(format!("{tree:?}"), format!("{:?}", Tree::Seq(roots)));
        }
        (Ok(_), Some(error)) => panic!("{error}"),
        // Each call of `read` has the full limit for omitted values, so the limit can be exceeded
        // only if all objects are read together.
        (Err(_), None) => {}
        (Err(all), Some(one)) if all.offset() == one.offset() => assert_eq!(all.kind(), one.kind()),
        (Err(_), Some(_)) => {}
    }
}

fn check<E: std::borrow::Borrow<Error>>(bytes: &[u8], taken: Result<(), E>) {
    if let Err(error) = taken {
        let error = error.borrow();
        assert!(error.offset() <= bytes.len() as u64, "{error}");
        let place = format!(" at offset {} ({:#x})", error.offset(), error.offset());
        assert!(error.to_string().ends_with(&place), "{error}");
        assert!(error.path().len() < 1 << 14);
    }
}

type Take = fn(&mut Reader<'_, '_>) -> Result<(), Error>;

const TAKES: [Take; 5] = [
    |items| from_items::<Vec<Node>>(items).map(drop),
    |items| from_items::<Vec<Tagged>>(items).map(drop),
    |items| from_items::<Vec<Untagged>>(items).map(drop),
    |items| from_items::<Vec<Link<ByClass>>>(items).map(drop),
    |items| from_items::<Vec<BTreeMap<String, IgnoredAny>>>(items).map(drop),
];

/// An object with fields for the property names in the corpus.
#[derive(Deserialize)]
#[serde(default)]
#[allow(dead_code)]
#[derive(Default)]
struct Node {
    class: String,
    #[serde(rename = "*ptr")]
    number: Option<u64>,
    c: Option<Box<Node>>,
    a: Option<Link<Box<Node>>>,
    b: Option<Tree>,
    kids: Vec<Link<Node>>,
    sub: Vec<ByClass>,
    children: Vec<Untagged>,
    x: Option<Tree>,
    v: Vec<f64>,
    st: String,
    m4: Option<[f64; 16]>,
    bf: Option<[[f32; 3]; 2]>,
}

#[derive(Deserialize)]
#[allow(dead_code)]
enum ByClass {
    K {
        v: Option<i8>,
        sub: Option<Vec<ByClass>>,
    },
    L(Box<Node>),
    Outer,
    #[serde(other)]
    Other,
}

#[derive(Deserialize)]
#[serde(tag = "class")]
#[allow(dead_code)]
enum Tagged {
    Outer {
        kids: Option<Vec<Tagged>>,
        a: Option<Link<Box<Tagged>>>,
    },
    T(Box<Node>),
    #[serde(other)]
    Other,
}

#[derive(Deserialize)]
#[serde(untagged)]
#[allow(dead_code)]
enum Untagged {
    Number(u64),
    Object { children: Vec<Untagged> },
    Anything(Tree),
}
