//! Deserializes saves of Rem's Engine as Rust types.

use crate::laws::rems as laws;
use crate::laws::rems::Tree;
use crate::support::random::Random;
use crate::support::rems::expected::{self, Case, File, Meaning, cases};
use gamewire::rems::serde::{Deserializer, Error, Link};
use gamewire::rems::{
    BinaryReader, Era, ErrorKind, Pointers, Tables, TextReader, from_items, read_object,
};
use serde::Deserialize;
use serde::de::{DeserializeOwned, IgnoredAny, MapAccess, Visitor};
use serde_json::{Value as Json, json};
use std::collections::{BTreeMap, HashMap};
use std::fmt::Debug;

/// The number of a case that contains a class with the name of a kind. Neither the engine nor this
/// reader can read the text of this case.
const NAMED_LIKE_A_KIND: u32 = 53;

fn era_of(case: &Case) -> Era {
    match case.era {
        2021 => Era::October2021,
        _ => Era::October2024,
    }
}

/// Deserializes a file of a case as a tree.
fn tree(case: &Case) -> Tree {
    let tree = match case.name().ends_with(".bin") {
        true => from_items(&mut BinaryReader::new(&case.bytes, era_of(case), &mut Tables::new())),
        false => from_items(&mut TextReader::new(&case.bytes)),
    };
    tree.unwrap_or_else(|error| panic!("{}: {error}", case.name()))
}

fn file(case: &Case) -> File {
    match case.name().ends_with(".bin") {
        true => {
            let mut tables = Tables::new();
            expected::read(&mut BinaryReader::new(&case.bytes, era_of(case), &mut tables)).unwrap()
        }
        false => expected::read(&mut TextReader::new(&case.bytes)).unwrap(),
    }
}

/// Returns a leaf in the form that the expectations use.
fn leaf(tree: &Tree) -> Json {
    match tree {
        Tree::Null => json!(""), // in a list of strings
        Tree::Bool(value) => json!(value),
        Tree::Int(value) => json!(value),
        Tree::Long(value) => json!(format!("i64:{value}")),
        Tree::Char(value) => json!(format!("u16:{}", u32::from(*value))),
        Tree::Utf16Unit(value) => json!(format!("u16:{value}")),
        Tree::Single(value) => json!(format!("f32:{:08x}", value.to_bits())),
        Tree::Double(value) => json!(format!("f64:{:016x}", value.to_bits())),
        Tree::Text(value) => json!(value),
        Tree::Seq(elements) => elements.iter().map(leaf).collect(),
        other => panic!("{other:?}"),
    }
}

/// Joins nested arrays, such as the columns of a matrix, into one array.
fn flat(json: &Json) -> Json {
    let Some(elements) = json.as_array() else { return json.clone() };
    let mut all = Vec::new();
    for element in elements.iter().map(flat) {
        match element {
            Json::Array(elements) => all.extend(elements),
            other => all.push(other),
        }
    }
    all.into()
}

fn same(file: &File, meaning: &Meaning, tree: &Tree) {
    match (meaning, tree) {
        (Meaning::Null, Tree::Null) => {}
        (Meaning::Pointer(a), Tree::Number(b)) => assert_eq!(a, b),
        (Meaning::Object(at), Tree::Map(pairs)) => object(file, *at, pairs),
        (Meaning::List(elements, len), Tree::Seq(found)) => {
            assert_eq!(found.len(), *len as usize);
            let all = elements.iter().chain(std::iter::repeat(&Meaning::Null));
            all.zip(found).for_each(|(a, b)| same(file, a, b));
        }
        (Meaning::Leaf(expected), tree) => {
            let found = leaf(tree);
            assert!(*expected == found || flat(expected) == flat(&found), "{expected} {found}");
        }
        (a, b) => panic!("{a:?} {b:?}"),
    }
}

fn object(file: &File, at: usize, pairs: &[(Tree, Tree)]) {
    let node = &file.objects[at];
    let mut pairs = pairs.iter();
    let mut next = || pairs.next().map(|(key, value)| (leaf(key), value));
    let class = (json!("class"), &Tree::Text(node.class.clone()));
    assert_eq!(next(), Some(class));
    if let Some(number @ 1..) = node.pointer {
        assert_eq!(next(), Some((json!("*ptr"), &Tree::Number(number))));
    }
    for (_, name, meaning) in &node.properties {
        let (key, value) = next().unwrap();
        match &name[..] {
            "class" => assert_eq!(key, ":class"),
            name => assert_eq!(key, name),
        }
        same(file, meaning, value);
    }
    assert_eq!(next(), None);
}

/// serde yields the same values as the readers, for all files.
#[test]
fn all_of_all_files() {
    let compare = |name: &str, file: &File, tree: &Tree| {
        let Tree::Seq(roots) = tree else { panic!("{name}") };
        assert_eq!(roots.len(), file.roots.len(), "{name}");
        let expected = file.roots.iter().map(|root| Meaning::Object(*root));
        expected.zip(roots).for_each(|(root, tree)| same(file, &root, tree));
    };
    for case in
        [cases(".text.json", 73), cases(".pretty.json", 38), cases(".binary.bin", 73)].concat()
    {
        if case.number != NAMED_LIKE_A_KIND || case.name().ends_with(".bin") {
            compare(&case.name(), &file(&case), &tree(&case));
        }
    }
    for (name, bytes) in expected::real() {
        let file = expected::read(&mut TextReader::new(&bytes)).unwrap();
        compare(&name, &file, &from_items(&mut TextReader::new(&bytes)).unwrap());
    }
}

/// Deserializes the root of a case from each of its files: text and binary, from 2021 and from
/// 2026. Returns the names of the files and the results.
fn roots<T: DeserializeOwned>(number: u32) -> Vec<(String, T)> {
    let mut roots = Vec::new();
    for case in [cases(".text.json", 73), cases(".binary.bin", 73)].concat() {
        if case.number == number {
            let root: Result<(T,), Error> = match case.name().ends_with(".bin") {
                true => {
                    let mut tables = Tables::new();
                    from_items(&mut BinaryReader::new(&case.bytes, era_of(&case), &mut tables))
                }
                false => from_items(&mut TextReader::new(&case.bytes)),
            };
            let (root,) = root.unwrap_or_else(|error| panic!("{}: {error}", case.name()));
            roots.push((case.name(), root));
        }
    }
    assert!(roots.len() >= 2);
    roots
}

fn each<T: DeserializeOwned + PartialEq + Debug>(number: u32, expected: T) {
    for (name, root) in roots::<T>(number) {
        assert_eq!(root, expected, "{name}");
    }
}

#[derive(Deserialize, PartialEq, Debug)]
#[allow(non_snake_case)]
struct Scalars {
    bT: bool,
    bF: bool,
    by: i8,
    sh: i16,
    r#in: i32,
    lo: i64,
    fl: f32,
    f5: f64,
    db: f64,
    st: String,
    ch: char,
    nothing: Option<u8>,
    class: String,
    #[serde(rename = "*ptr")]
    number: u32,
}

#[test]
fn scalars() {
    each(
        1,
        Scalars {
            bT: true,
            bF: false,
            by: -64,
            sh: -426,
            r#in: -516265,
            lo: -54416516313,
            fl: -7.9,
            f5: 5.0,
            db: -98.5,
            st: "Hello World!".into(),
            ch: 'A',
            nothing: None,
            class: "T".into(),
            number: 1,
        },
    );
}

#[test]
fn arrays() {
    #[derive(Deserialize, PartialEq, Debug)]
    struct Chars {
        c: Vec<char>,
    }
    each(7, Chars { c: vec!['a', '0', ' ', '\'', '"', '\\', 'é', '\0'] });
    #[derive(Deserialize, PartialEq, Debug)]
    struct Units {
        c: [u16; 8],
        i: Vec<i64>,
    }
    each(7, Units { c: [97, 48, 32, 39, 34, 92, 233, 0], i: vec![9, 10, 11, 0, 0, 0] });
    #[derive(Deserialize, PartialEq, Debug)]
    #[allow(non_snake_case)]
    struct Others {
        b: Vec<bool>,
        B: [i8; 5],
        s: Vec<u16>,
        l: (i64, u8, i128, f64),
        f: Vec<f32>,
        S: Vec<String>,
    }
    each(
        7,
        Others {
            b: vec![true, false, true, false, false],
            B: [1, -2, 3, 0, 0],
            s: vec![6, 7, 8, 0],
            l: (12, 13, 14, 0.0),
            f: vec![15.0, 16.5, 17.0, 0.0],
            S: vec!["a".into(), String::new(), "b".into()],
        },
    );
    // The type must accept all elements of the value.
    for (_, error) in failing::<Few>(7) {
        assert_eq!(error.path(), "B");
        assert!(error.to_string().contains("5 elements where the type accepts 4"), "{error}");
    }
    for (_, error) in failing::<KindValue>(7) {
        assert_eq!(error.path(), "B");
        assert!(error.to_string().contains("invalid length 5"), "{error}");
    }
}

#[derive(Deserialize, Debug)]
#[allow(non_snake_case, dead_code)]
struct Few {
    B: [i8; 4],
}

#[derive(Deserialize, Debug)]
#[allow(non_snake_case, dead_code)]
struct KindValue {
    B: [i8; 6],
}

/// Returns the errors of deserializing the files of a case as `T`.
fn failing<T: DeserializeOwned + Debug>(number: u32) -> Vec<(String, Error)> {
    let mut errors = Vec::new();
    for case in [cases(".text.json", 73), cases(".binary.bin", 73)].concat() {
        if case.number == number {
            let root = match case.name().ends_with(".bin") {
                true => {
                    let mut tables = Tables::new();
                    read_object::<T>(&mut BinaryReader::new(
                        &case.bytes,
                        era_of(&case),
                        &mut tables,
                    ))
                }
                false => read_object::<T>(&mut TextReader::new(&case.bytes)),
            };
            errors.push((case.name(), root.unwrap_err()));
        }
    }
    assert!(errors.len() >= 2);
    errors
}

#[derive(Deserialize, PartialEq, Debug)]
struct Xyz<T> {
    x: T,
    y: T,
    z: T,
}

#[test]
fn vectors_matrices_boxes() {
    #[derive(Deserialize, PartialEq, Debug)]
    struct Boxes {
        bf: Box3,
        bd: [f64; 6],
    }
    #[derive(Deserialize, PartialEq, Debug)]
    struct Box3 {
        min: Xyz<f32>,
        max: [i8; 3],
    }
    // Reals do not convert to integers.
    assert!(failing::<Boxes>(22)[0].1.to_string().starts_with("bf: invalid type: floating point"));
    #[derive(Deserialize, PartialEq, Debug)]
    struct RealBoxes {
        bf: RealBox,
        bd: [[f64; 3]; 2],
    }
    #[derive(Deserialize, PartialEq, Debug)]
    struct RealBox {
        max: [f64; 3],
        min: Xyz<f32>,
    }
    each(
        22,
        RealBoxes {
            bf: RealBox { max: [4.0, 5.0, 6.0], min: Xyz { x: -1.0, y: -2.0, z: -3.0 } },
            bd: [[-1.0, -2.0, -3.0], [4.0, 5.0, 6.0]],
        },
    );
    #[derive(Deserialize, PartialEq, Debug)]
    struct Matrices {
        m3: [[f64; 3]; 3],
        m43: Vec<Xyz<f64>>,
        m4: [f64; 16],
    }
    let count = |n: usize| n as f64;
    each(
        19,
        Matrices {
            m3: [[0.0, 1.0, 2.0], [3.0, 4.0, 5.0], [6.0, 7.0, 8.0]],
            m43: (0..4)
                .map(|n| Xyz { x: count(3 * n), y: count(3 * n + 1), z: count(3 * n + 2) })
                .collect(),
            m4: std::array::from_fn(count),
        },
    );
    let text = br#"[{"class":"T","v3:a":[0.5],"q4:b":[1,2,3,4],"v2i:c":[7,8],"v3[]:d":[2,[1]]}]"#;
    #[derive(Deserialize)]
    struct Vectors {
        a: Xyz<f32>,
        b: (f32, f32, f32, f32),
        c: [u8; 2],
        d: Vec<Option<[Wrapped; 3]>>,
    }
    #[derive(Deserialize, PartialEq, Debug)]
    struct Wrapped(f64);
    let [vectors] = from_items::<[Vectors; 1]>(&mut TextReader::new(text)).unwrap();
    assert_eq!(vectors.a, Xyz { x: 0.5, y: 0.5, z: 0.5 });
    assert_eq!((vectors.b, vectors.c), ((1.0, 2.0, 3.0, 4.0), [7, 8]));
    assert_eq!(vectors.d.len(), 2);
    assert_eq!(vectors.d[1], Some([Wrapped(0.0), Wrapped(0.0), Wrapped(0.0)]));
    #[derive(Deserialize, Debug)]
    #[allow(dead_code)]
    struct Short {
        a: [f32; 2],
    }
    let error = from_items::<[Short; 1]>(&mut TextReader::new(text)).unwrap_err();
    assert!(error.to_string().contains("3 elements where the type accepts 2"), "{error}");
}

#[test]
fn colours() {
    #[derive(Deserialize, PartialEq, Debug)]
    struct Colours {
        white: i32,
        rgb3: i32,
        argb8: i64,
        arr: Vec<i32>,
        arr2: Vec<Vec<i32>>,
    }
    let half = 0x80123456_u32 as i32;
    each(
        25,
        Colours {
            white: -1,
            rgb3: 0xff112233_u32 as i32,
            argb8: half.into(),
            arr: vec![-1, half, 0, 0],
            arr2: vec![vec![-1, 0], vec![0xff112233_u32 as i32]],
        },
    );
}

#[test]
fn nulls_and_pointers() {
    #[derive(Deserialize, PartialEq, Debug)]
    struct Nulls {
        o: Option<IgnoredAny>,
        after: u8,
    }
    each(28, Nulls { o: None, after: 1 });
    #[derive(Deserialize, PartialEq, Debug)]
    struct Shared {
        c1: Link<Inner>,
        c2: Link<Inner>,
    }
    #[derive(Deserialize, PartialEq, Debug)]
    struct Inner {
        x: i32,
    }
    each(31, Shared { c1: Link::Object(Inner { x: 5 }), c2: Link::Number(2) });
    #[derive(Deserialize, PartialEq, Debug)]
    #[serde(untagged)]
    enum Either {
        Number(u32),
        Object(Inner),
    }
    #[derive(Deserialize, PartialEq, Debug)]
    struct Untagged {
        c1: Either,
        c2: Either,
    }
    each(31, Untagged { c1: Either::Object(Inner { x: 5 }), c2: Either::Number(2) });
    for (_, error) in failing::<NotThere>(31) {
        assert!(
            error.to_string().starts_with("c2: invalid type: integer `2`, expected"),
            "{error}"
        );
    }
    let text = br#"[{"class":"T","A:a":0,"A:b":3,"A[]:c":[4,0,null]}]"#;
    #[derive(Deserialize)]
    struct Zeros {
        a: Option<Inner>,
        b: Option<u32>,
        c: Vec<Option<Link<Inner>>>,
    }
    let zeros = read_object::<Zeros>(&mut TextReader::new(text)).unwrap().unwrap();
    assert_eq!((zeros.a, zeros.b, zeros.c), (None, Some(3), vec![None, None, None, None]));
}

#[derive(Deserialize, Debug)]
#[allow(dead_code)]
struct NotThere {
    c2: HashMap<String, i32>,
}

/// Deserializes, one by one, objects that refer to each other by number.
#[test]
fn by_numbers() {
    let case = cases(".text.json", 73).into_iter().find(|case| case.number == 32).unwrap();
    #[derive(Deserialize)]
    struct Named<'a> {
        name: &'a str,
    }
    let mut slots = Vec::new();
    let pointers = Pointers::collect(&mut TextReader::new(&case.bytes), &mut slots).unwrap();
    let objects = pointers.objects().map(|object| {
        let mut reader = TextReader::at(&case.bytes, object);
        let named = read_object::<Named<'_>>(&mut reader).unwrap().unwrap();
        assert!(read_object::<IgnoredAny>(&mut reader).unwrap().is_none());
        named.name
    });
    assert_eq!(objects.collect::<Vec<_>>(), ["a", "b"]);
}

/// A link can be deserialized from content that serde buffers until the type is known.
#[test]
fn links_put_aside() {
    #[derive(Deserialize, PartialEq, Debug)]
    #[serde(tag = "class")]
    enum Tagged {
        Inner { x: i32 },
        Outer { c1: Link<Box<Tagged>>, c2: Link<Box<Tagged>> },
    }
    let inner = Link::Object(Box::new(Tagged::Inner { x: 5 }));
    each(31, Tagged::Outer { c1: inner, c2: Link::Number(2) });
    let json = r#"[{ "class": "Inner", "x": 5 }, 7, null, 0]"#;
    let links: Vec<Link<Tagged>> = serde_json::from_str(json).unwrap();
    let object = Link::Object(Tagged::Inner { x: 5 });
    assert_eq!(links, [object, Link::Number(7), Link::Null, Link::Null]);
    let link: Link<Tagged> = serde_json::from_str("4294967296").unwrap();
    assert_eq!(link, Link::Number(1 << 32));
    assert!(serde_json::from_str::<Link<Tagged>>("-1").is_err());
}

/// The first `TAKEN` keys of an object. The visitor stops after these keys, and requests no values.
struct Keys<const TAKEN: usize>(Vec<String>);

impl<'de, const TAKEN: usize> Deserialize<'de> for Keys<TAKEN> {
    fn deserialize<D: serde::Deserializer<'de>>(from: D) -> Result<Self, D::Error> {
        from.deserialize_map(Self(Vec::new()))
    }
}

impl<'de, const TAKEN: usize> Visitor<'de> for Keys<TAKEN> {
    type Value = Self;

    fn expecting(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.write_str("an object")
    }

    fn visit_map<A: MapAccess<'de>>(mut self, mut map: A) -> Result<Self, A::Error> {
        while self.0.len() < TAKEN
            && let Some(key) = map.next_key()?
        {
            self.0.push(key);
        }
        Ok(self)
    }
}

#[test]
fn partially_read_objects() {
    fn taken<const TAKEN: usize>() -> Vec<String> {
        #[derive(Deserialize)]
        struct Outer<T> {
            kids: Vec<T>,
            after: u8,
        }
        let mut taken = Vec::new();
        for (_, outer) in roots::<Outer<Keys<TAKEN>>>(43) {
            assert_eq!((outer.kids.len(), outer.after), (1, 3));
            taken = outer.kids.into_iter().flat_map(|keys| keys.0).collect();
            taken.retain(|key| key != "*ptr");
        }
        taken
    }
    assert!(taken::<0>().is_empty());
    assert_eq!(taken::<1>(), ["class"]);
    assert_eq!(taken::<2>(), ["class", "sub"]);
    assert_eq!(taken::<3>(), ["class", "sub", "v"]);
    assert_eq!(taken::<9>(), ["class", "sub", "v"]);
}

/// Deserializes enums whose variant is the class of an object, in two of serde's representations:
/// externally tagged, and tagged by `class`.
#[test]
fn classes() {
    #[derive(Deserialize, PartialEq, Debug)]
    struct Outer<T> {
        kids: Vec<T>,
        after: u8,
    }
    #[derive(Deserialize, PartialEq, Debug)]
    enum ByClass {
        K { v: i32 },
        L(V),
    }
    #[derive(Deserialize, PartialEq, Debug)]
    struct V {
        v: i8,
    }
    each(38, Outer { kids: vec![ByClass::K { v: 1 }, ByClass::L(V { v: 2 })], after: 3 });
    #[derive(Deserialize, PartialEq, Debug)]
    #[serde(tag = "class")]
    enum Tagged {
        K { v: i32 },
        L(V),
    }
    each(38, Outer { kids: vec![Tagged::K { v: 1 }, Tagged::L(V { v: 2 })], after: 3 });
    #[derive(Deserialize, PartialEq, Debug)]
    enum Some {
        L(V),
        #[serde(other)]
        Other,
    }
    each(38, Outer { kids: vec![Some::Other, Some::L(V { v: 2 })], after: 3 });
    for (_, error) in failing::<Outer<OnlyK>>(38) {
        assert_eq!(error.path(), "kids/1");
        assert!(error.to_string().contains("unknown variant `L`, expected `K`"), "{error}");
    }
    #[derive(Deserialize, PartialEq, Debug)]
    struct Kids {
        kids: Vec<Link<ByClass>>,
    }
    let objects = [ByClass::K { v: 1 }, ByClass::L(V { v: 2 })];
    each(38, Kids { kids: objects.map(Link::Object).into() });
    // The variant of an enum can also come from a string.
    let text = br#"[{"class":"T","S:a":"K","S:b":"\u004b"}]"#;
    #[derive(Deserialize, PartialEq, Debug)]
    enum Name {
        K,
    }
    let names = from_items::<Vec<BTreeMap<String, Tree>>>(&mut TextReader::new(text)).unwrap();
    assert_eq!(names[0]["b"], Tree::Text("K".into()));
    #[derive(Deserialize)]
    struct Names {
        a: Name,
        b: Name,
    }
    let names = read_object::<Names>(&mut TextReader::new(text)).unwrap().unwrap();
    assert_eq!((names.a, names.b), (Name::K, Name::K));
}

#[derive(Deserialize, Debug)]
#[allow(dead_code)]
enum OnlyK {
    K,
}

/// The class and the number of an object are fields, even if properties have the same names.
#[test]
fn class_and_number() {
    #[derive(Deserialize, PartialEq, Debug)]
    #[serde(deny_unknown_fields)]
    struct Names {
        class: String,
        #[serde(rename = ":class")]
        own: i32,
        #[serde(rename = "with space")]
        space: i32,
        #[serde(rename = "with:colon")]
        colon: i32,
        #[serde(rename = "ünïcödé")]
        unicode: i32,
        #[serde(rename = "a.b.c")]
        dots: i32,
    }
    each(50, Names { class: "T".into(), own: 5, space: 1, colon: 2, unicode: 3, dots: 4 });
    let text = br#"[{"class":"T","i:a":1,"i:*ptr":9,"i:c\u006cass":2}]"#;
    let maps = from_items::<Vec<BTreeMap<String, Tree>>>(&mut TextReader::new(text)).unwrap();
    let keys: Vec<_> = maps[0].keys().map(String::as_str).collect();
    assert_eq!(keys, [":*ptr", ":class", "a", "class"]);
    #[derive(Deserialize, Debug)]
    #[serde(deny_unknown_fields)]
    #[allow(dead_code)]
    struct Strict {
        a: i32,
    }
    let error = from_items::<Vec<Strict>>(&mut TextReader::new(text)).unwrap_err();
    assert!(error.to_string().contains("unknown field `:*ptr`, expected `a`"), "{error}");
    #[derive(Deserialize)]
    struct Flat {
        class: String,
        #[serde(flatten)]
        rest: BTreeMap<String, Tree>,
    }
    let flat = read_object::<Flat>(&mut TextReader::new(text)).unwrap().unwrap();
    assert_eq!((&flat.class[..], flat.rest.len()), ("T", 3));
}

#[test]
fn twice() {
    #[derive(Deserialize, Debug)]
    #[allow(dead_code)]
    struct Once {
        x: f64,
    }
    for (_, error) in failing::<Once>(52) {
        assert!(error.to_string().starts_with("duplicate field `x`"), "{error}");
    }
    for (_, map) in roots::<BTreeMap<String, Tree>>(52) {
        assert_eq!(map["x"], Tree::Single(3.0));
    }
}

/// Reads a real file as types like those of a program that edits animations.
#[test]
fn a_real_file() {
    #[derive(Deserialize, Debug)]
    #[serde(rename_all = "camelCase")]
    struct Transform<'a> {
        class: Option<&'a str>,
        #[serde(borrow)]
        name: Option<&'a str>,
        #[serde(borrow, default)]
        children: Vec<Transform<'a>>,
        position: Option<Animated<[f32; 3]>>,
        timeline_slot: Option<u8>,
    }
    #[derive(Deserialize, Debug)]
    struct Animated<T> {
        v: T,
    }
    let (_, bytes) =
        expected::real().into_iter().find(|(name, _)| name.contains("ringoflove")).unwrap();
    let [root] = from_items::<[Transform<'_>; 1]>(&mut TextReader::new(&bytes)).unwrap();
    assert_eq!((root.class, root.name), (Some("GFXArray"), Some("Ring Of Love")));
    assert_eq!(root.position.unwrap().v, [-0.047919556, -0.84868646, 0.0]);
    assert_eq!(root.children.len(), 1);
    assert_eq!(root.children[0].name, Some("Text Container"));
    let slots: Vec<_> = root.children[0].children.iter().map(|text| text.timeline_slot).collect();
    assert_eq!(slots.len(), 3);
    assert_eq!(root.children[0].children[0].class, Some("Text"));
    assert_eq!(slots[0], Some(1));
}

#[test]
fn texts() {
    let text = b"[{\"class\":\"T\",\"S:a\":\"pl\xC3\xA4in\",\"S:b\":\"tab\\t\",\"S:c\":\"\xE4\",\"S[]:d\":[2,\"x\"]}]";
    #[derive(Deserialize, PartialEq, Debug)]
    struct Texts<'a> {
        a: &'a str,
        b: String,
        #[serde(borrow)]
        d: Vec<&'a str>,
    }
    let texts = read_object::<Texts<'_>>(&mut TextReader::new(text)).unwrap().unwrap();
    assert_eq!(texts, Texts { a: "pläin", b: "tab\t".into(), d: vec!["x", ""] });
    #[derive(Deserialize, Debug)]
    #[allow(dead_code)]
    struct Bad {
        c: String,
    }
    let error = read_object::<Bad>(&mut TextReader::new(text)).unwrap_err();
    assert_eq!((error.kind(), text[50]), (Some(&ErrorKind::NotUtf8), 0xE4));
    assert_eq!(error.to_string(), "c: the text is not UTF-8 at offset 50 (0x32)");
    #[derive(Deserialize, Debug)]
    struct Bytes<'a> {
        c: &'a [u8],
    }
    let bytes = read_object::<Bytes<'_>>(&mut TextReader::new(text)).unwrap().unwrap();
    assert_eq!(bytes.c, b"\xE4");
    #[derive(Deserialize, Debug)]
    #[allow(dead_code)]
    struct Borrowed<'a> {
        b: &'a str,
    }
    let error = read_object::<Borrowed<'_>>(&mut TextReader::new(text)).unwrap_err();
    assert!(error.to_string().contains("expected a borrowed string"), "{error}");
}

#[test]
fn errors_of_whole_files() {
    #[derive(Deserialize, Debug)]
    #[allow(dead_code)]
    struct Root {
        x: i32,
    }
    let error =
        from_items::<Root>(&mut TextReader::new(br#"[{"class":"T","i:x":1}]"#)).unwrap_err();
    assert_eq!(error.to_string(), "invalid type: sequence, expected struct Root at offset 0 (0x0)");
    let two = br#"[{"class":"T","i:x":1},{"class":"T","i:x":2}]"#;
    let error = from_items::<(Root,)>(&mut TextReader::new(two)).unwrap_err();
    assert!(error.to_string().contains("2 elements where the type accepts 1"), "{error}");
    // In the middle of a file, the deserializer reads the rest of the open object or list.
    let text = br#"[{"class":"T","K[]:kids":[3,{"i:x":1},{"i:x":2},{"i:x":3}],"i:y":4}]"#;
    let mut reader = TextReader::new(text);
    (0..3).for_each(|_| assert!(reader.next().unwrap().is_some()));
    let mut deserializer = Deserializer::new(&mut reader);
    assert_eq!(deserializer.read::<Root>().unwrap().unwrap().x, 1);
    assert_eq!(deserializer.read_all::<Vec<Root>>().unwrap().len(), 2);
    assert_eq!(deserializer.read::<i32>().unwrap(), Some(4)); // the value of a property
    assert!(deserializer.read::<Root>().unwrap().is_none());
    assert!(deserializer.read::<Root>().unwrap().is_none());
}

/// A few bytes can declare many elements, so the number of omitted elements has a limit.
#[test]
fn declared_but_not_written() {
    #[derive(Deserialize, Debug)]
    struct Any<T> {
        a: Vec<T>,
    }
    fn read<T: DeserializeOwned + Debug>(value: &str, limit: u32) -> Result<usize, Error> {
        let text = format!(r#"[{{"class":"T","{value}}}]"#);
        let mut reader = TextReader::new(text.as_bytes());
        let read = Deserializer::new(&mut reader).fill_limit(limit).read::<Any<T>>();
        read.map(|any| any.unwrap().a.len())
    }
    fn refused<T: DeserializeOwned + Debug>(value: &str, count: u32) {
        for limit in [1 << 16, 5, 0] {
            let error = read::<T>(value, limit).unwrap_err();
            assert_eq!(error.kind(), Some(&ErrorKind::NotWritten { count, limit }), "{value}");
            assert_eq!(error.path().split('/').next(), Some("a"));
        }
    }
    let all = 2147483647;
    refused::<i32>(r#"i[]:a":[2147483647]"#, all);
    refused::<i32>(r#"i[]:a":[2147483647,1]"#, all - 1);
    refused::<bool>(r#"b[]:a":[2147483647]"#, all);
    refused::<String>(r#"S[]:a":[2147483647,"x"]"#, all - 1);
    refused::<[[f32; 4]; 4]>(r#"mat4[]:a":[2147483647]"#, all);
    refused::<Vec<f64>>(r#"d[][]:a":[2147483647,[0]]"#, all - 1);
    refused::<Vec<f64>>(r#"d[][]:a":[1,[2147483647]]"#, all);
    refused::<Vec<String>>(r#"S[][]:a":[2147483647]"#, all);
    refused::<Option<Link<u8>>>(r#"T[]:a":[2147483647]"#, all);
    refused::<Vec<IgnoredAny>>(r#"T[][]:a":[2147483647]"#, all);
    refused::<IgnoredAny>(r#"*[]:a":[2147483647]"#, all);
    // The limit applies to the sum of all arrays, not to each array.
    let rows = "i[][]:a\":[3,[30000],[30000],[30000]]";
    assert!(read::<Vec<i32>>(rows, 90000).is_ok());
    let error = read::<Vec<i32>>(rows, 89999).unwrap_err();
    assert_eq!(error.path(), "a/2");
    assert_eq!(error.kind(), Some(&ErrorKind::NotWritten { count: 30000, limit: 89999 }));
    assert_eq!(read::<String>(r#"S[]:a":[65537,"x"]"#, 1 << 16).unwrap(), 65537);
    // Ignored values may declare any number of elements.
    let text = br#"[{"class":"T","i[]:b":[2147483647],"S[]:c":[2147483647],"i:x":1}]"#;
    #[derive(Deserialize)]
    struct Other {
        x: i32,
    }
    assert_eq!(read_object::<Other>(&mut TextReader::new(text)).unwrap().unwrap().x, 1);
    assert!(from_items::<IgnoredAny>(&mut TextReader::new(text)).is_ok());
}

/// Returns a text save with nested objects and lists.
fn nested(depth: usize) -> String {
    let (open, close) = (r#"{"T[]:c":[1,"#.repeat(depth), "]}".repeat(depth));
    format!(r#"[{{"class":"T","T:c":{open}{{}}{close}}}]"#)
}

/// A stack size that is less than half of a thread's default, but sufficient in an unoptimised
/// build.
const STACK: usize = 768 << 10;

#[test]
fn deep() {
    #[derive(Deserialize, Debug)]
    #[allow(dead_code)]
    struct One {
        c: Option<Box<KindValue>>,
    }
    #[derive(Deserialize, Debug)]
    #[serde(untagged)]
    #[allow(dead_code)]
    enum KindValue {
        Object(One),
        List(Vec<One>),
        Nothing {},
    }
    let text = nested(63);
    assert!(from_items::<Vec<One>>(&mut TextReader::new(text.as_bytes())).is_ok());
    assert!(from_items::<Tree>(&mut TextReader::new(text.as_bytes())).is_ok());
    let few = std::thread::Builder::new().stack_size(STACK).spawn(move || {
        assert!(from_items::<Vec<One>>(&mut TextReader::new(text.as_bytes())).is_ok());
        assert!(from_items::<Tree>(&mut TextReader::new(text.as_bytes())).is_ok());
    });
    few.unwrap().join().unwrap();
    let text = nested(64);
    let error = from_items::<Tree>(&mut TextReader::new(text.as_bytes())).unwrap_err();
    assert_eq!(error.kind(), Some(&ErrorKind::TooDeep { limit: 128 }));
    let mut reader = TextReader::new(text.as_bytes());
    assert!(Deserializer::new(&mut reader).depth(256).read::<Tree>().is_ok());
    // The reader stops at its own limit, although the limit of the deserializer is higher.
    let text = nested(128);
    let mut reader = TextReader::new(text.as_bytes());
    let error = Deserializer::new(&mut reader).depth(1000).read::<Tree>().unwrap_err();
    assert_eq!(error.kind(), Some(&ErrorKind::TooDeep { limit: 256 }));
    // A higher limit of the reader is not sufficient: the deserializer stops at its own limit.
    let text = nested(2_000);
    let mut reader = TextReader::<5_000>::with_depth(text.as_bytes());
    let error = from_items::<Tree>(&mut reader).unwrap_err();
    assert_eq!(error.kind(), Some(&ErrorKind::TooDeep { limit: 128 }));
    assert_eq!(error.path().matches("c/0").count(), 63);
    // Values that are skipped are not subject to the limit of the deserializer.
    let mut reader = TextReader::<5_000>::with_depth(text.as_bytes());
    assert!(from_items::<IgnoredAny>(&mut reader).is_ok());
    // For other values, the limit of the deserializer must be raised as well.
    let text = nested(1000);
    let read = move || {
        let mut reader = TextReader::<3000>::with_depth(text.as_bytes());
        let tree = Deserializer::new(&mut reader).depth(3000).read::<Tree>();
        tree.unwrap().unwrap().len()
    };
    let thread = std::thread::Builder::new().stack_size(64 << 20);
    assert_eq!(thread.spawn(read).unwrap().join().unwrap(), 3004);
}

#[test]
fn errors_of_mismatched_types() {
    let text =
        br#"[{"class":"T","i:a":xy,"f:b":1.5,"S:c":"x","T:d":{},"i[]:e":[1,2],"K[]:f":[1,{}]}]"#;
    fn why<T: DeserializeOwned + Debug>(text: &[u8]) -> String {
        read_object::<T>(&mut TextReader::new(text)).unwrap_err().to_string()
    }
    #[derive(Deserialize, Debug)]
    #[allow(dead_code)]
    struct A {
        a: i32,
    }
    assert_eq!(why::<A>(text), "a: malformed number at offset 20 (0x14)");
    #[derive(Deserialize, Debug)]
    #[allow(dead_code)]
    struct B {
        b: i32,
    }
    assert_eq!(
        why::<B>(text),
        "b: invalid type: floating point `1.5`, expected i32 at offset 29 (0x1d)"
    );
    #[derive(Deserialize, Debug)]
    #[allow(dead_code)]
    struct C {
        c: Vec<u8>,
    }
    assert_eq!(
        why::<C>(text),
        "c: invalid type: string \"x\", expected a sequence at offset 40 (0x28)"
    );
    #[derive(Deserialize, Debug)]
    #[allow(dead_code)]
    struct D {
        d: String,
    }
    assert_eq!(why::<D>(text), "d: invalid type: map, expected a string at offset 49 (0x31)");
    #[derive(Deserialize, Debug)]
    #[allow(dead_code)]
    struct E {
        e: A,
    }
    assert_eq!(why::<E>(text), "e: invalid type: sequence, expected struct A at offset 60 (0x3c)");
    #[derive(Deserialize, Debug)]
    #[allow(dead_code)]
    struct F {
        f: A,
    }
    assert_eq!(why::<F>(text), "f: invalid type: sequence, expected struct A at offset 74 (0x4a)");
    #[derive(Deserialize, Debug)]
    #[allow(dead_code)]
    struct Missing {
        nothing: u8,
    }
    assert_eq!(why::<Missing>(text), "missing field `nothing` at offset 1 (0x1)");
}

/// Truncates each file after each byte, and changes each byte.
#[test]
#[ignore = "slow"]
fn damaged() {
    let mut random = Random::new(11);
    let mut damage = |bytes: &[u8], law: &dyn Fn(&[u8])| {
        law(bytes);
        for at in 0..bytes.len() {
            law(&bytes[..at]);
            let mut bytes = bytes.to_vec();
            bytes[at] ^= 1 << random.below(8);
            law(&bytes);
        }
    };
    for case in cases(".text.json", 73) {
        damage(&case.bytes, &laws::rems_text_typed);
    }
    for case in cases(".binary.bin", 73) {
        damage(&case.bytes, &|bytes| laws::rems_binary_typed(bytes, era_of(&case)));
    }
    for (_, bytes) in expected::real() {
        laws::rems_text_typed(&bytes);
    }
    for depth in [60, 63, 64, 1000] {
        laws::rems_text_typed(nested(depth).as_bytes());
    }
}
