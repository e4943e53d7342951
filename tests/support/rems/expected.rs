//! The contents of a Rem's Engine file in the form of `expected.json`, so that they can be compared
//! with `expected.json`. `expected.json` was written from the description of the cases,
//! independently of the readers.

use gamewire::rems::{
    Array, Error, ErrorKind, Item, ItemSource, Object, Part, Parts, Pointers, Scalar, Target,
    TextReader, Type, Value,
};
use serde_json::{Value as Json, json};
use std::collections::HashMap;
use std::fs;
use std::path::{Path, PathBuf};

type Result<T, E = Error> = std::result::Result<T, E>;

/// A case: a graph, and the file that an engine wrote for it.
#[derive(Clone)]
pub struct Case {
    pub era: u32,
    pub number: u32,
    pub path: PathBuf,
    pub bytes: Vec<u8>,
}

impl Case {
    pub fn name(&self) -> String {
        let name = self.path.file_name().unwrap().to_string_lossy();
        format!("{}/{name}", self.era)
    }

    pub fn expected(&self) -> Json {
        let name = self.path.file_name().unwrap().to_str().unwrap();
        let stem = name.split('.').next().unwrap();
        let text = fs::read_to_string(self.path.with_file_name(format!("{stem}.expected.json")));
        // One case contains an unpaired surrogate, which both writers replace with a question mark.
        serde_json::from_str(&text.unwrap().replace("\\ud83d", "?")).unwrap()
    }
}

pub fn folder(name: &str) -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("corpus/rems").join(name)
}

/// Returns all cases whose names end in `end`. Asserts that there are `count`.
pub fn cases(end: &str, count: usize) -> Vec<Case> {
    let mut cases = Vec::new();
    for era in [2021, 2026] {
        for entry in fs::read_dir(folder(&era.to_string())).unwrap() {
            let path = entry.unwrap().path();
            let name = path.file_name().unwrap().to_str().unwrap().to_owned();
            if name.ends_with(end) {
                let number = name[..2].parse().unwrap();
                cases.push(Case { era, number, bytes: fs::read(&path).unwrap(), path });
            }
        }
    }
    cases.sort_by(|a, b| a.path.cmp(&b.path));
    assert_eq!(cases.len(), count);
    cases
}

/// Returns the names and contents of the real files.
pub fn real() -> Vec<(String, Vec<u8>)> {
    let mut files: Vec<_> = fs::read_dir(folder("real"))
        .unwrap()
        .map(|entry| entry.unwrap().path())
        .filter(|path| path.extension().is_some_and(|end| end == "json"))
        .map(|path| (path.file_name().unwrap().to_string_lossy().into(), fs::read(path).unwrap()))
        .collect();
    files.sort();
    assert_eq!(files.len(), 18);
    files
}

/// The contents of a file.
#[derive(Debug, Default)]
pub struct File {
    pub objects: Vec<Node>,
    /// Indices of the roots in [`objects`](Self::objects).
    pub roots: Vec<usize>,
    /// The pointers in the file.
    pub pointers: Vec<u64>,
}

#[derive(Debug)]
pub struct Node {
    pub class: String,
    pub pointer: Option<u64>,
    pub offset: u64,
    pub properties: Vec<(TypeOf, String, Meaning)>,
}

/// A type as `expected.json` writes it: the name of the kind, and the nesting depth of arrays.
pub type TypeOf = (String, u8);

#[derive(Debug, Clone, PartialEq)]
pub enum Meaning {
    Leaf(Json),
    Null,
    Pointer(u64),
    Object(usize),
    /// A list of objects, with its declared length.
    List(Vec<Meaning>, u32),
}

fn type_of(ty: Type<'_>) -> TypeOf {
    match ty {
        Type::Kind(kind, dim) => (kind.name().to_owned(), dim),
        other => ("obj".to_owned(), other.dim()),
    }
}

/// An open object or list.
enum Open<'a> {
    Object(usize),
    List(Type<'a>, u32, Vec<Meaning>),
}

/// Reads the whole file and decodes every value.
pub fn read<'a>(items: &mut impl ItemSource<'a>) -> Result<File> {
    let mut file = File::default();
    let mut open = Vec::new();
    let mut names = Vec::new();
    while let Some(item) = items.next()? {
        let meaning = match item {
            Item::Object(object) => {
                open.push(Open::Object(file.objects.len()));
                file.objects.push(node(object));
                continue;
            }
            Item::List(list) => {
                open.push(Open::List(list.ty, list.len, Vec::new()));
                continue;
            }
            Item::Property(property) => {
                names.push((type_of(property.ty), property.name.to_string()));
                continue;
            }
            Item::End => match open.pop().unwrap() {
                Open::Object(object) => Meaning::Object(object),
                Open::List(ty, len, elements) => list(ty, len, elements),
            },
            Item::Null => Meaning::Null,
            Item::Pointer(number) => {
                file.pointers.push(number);
                Meaning::Pointer(number)
            }
            Item::Value(value) => Meaning::Leaf(leaf(value)?),
            other => panic!("{other:?}"),
        };
        match (open.last_mut(), meaning) {
            (Some(Open::List(_, _, elements)), meaning) => elements.push(meaning),
            (Some(Open::Object(object)), meaning) => {
                let (ty, name) = names.pop().unwrap();
                file.objects[*object].properties.push((ty, name, meaning));
            }
            (None, Meaning::Object(object)) => file.roots.push(object),
            (None, other) => panic!("{other:?} among the roots"),
        }
    }
    assert!(open.is_empty() && names.is_empty());
    Ok(file)
}

fn node(object: Object<'_>) -> Node {
    let class = object.class.to_string();
    Node { class, pointer: object.pointer, offset: object.offset, properties: Vec::new() }
}

/// Returns the meaning of a list. A list of strings is a leaf, as in `expected.json`.
fn list(ty: Type<'_>, len: u32, elements: Vec<Meaning>) -> Meaning {
    assert!(elements.len() <= len as usize);
    let Type::Kind(_, dim) = ty else { return Meaning::List(elements, len) };
    let mut leaves: Vec<_> = elements
        .into_iter()
        .map(|element| match element {
            Meaning::Leaf(leaf) => leaf,
            Meaning::Null => json!(""),
            other => panic!("{other:?} in an array of text"),
        })
        .collect();
    leaves.resize(len as usize, if dim > 1 { json!([]) } else { json!("") });
    Meaning::Leaf(leaves.into())
}

fn leaf(value: Value<'_>) -> Result<Json> {
    if value.dim() > 0 {
        return elements(value.array()?);
    }
    let kind = value.kind();
    if kind.is_text() {
        return Ok(json!(value.text()?.to_string()));
    }
    Ok(match kind.scalar() {
        Scalar::Bool => parts(value.parts::<bool>()?, |part| json!(part)),
        Scalar::I8 => parts(value.parts::<i8>()?, |part| json!(part)),
        Scalar::I16 => parts(value.parts::<i16>()?, |part| json!(part)),
        Scalar::I32 => parts(value.parts::<i32>()?, |part| json!(part)),
        Scalar::I64 => parts(value.parts::<i64>()?, |part| json!(format!("i64:{part}"))),
        Scalar::Char => parts(value.parts::<u16>()?, |part| json!(format!("u16:{part}"))),
        Scalar::F32 => {
            parts(value.parts::<f32>()?, |part| json!(format!("f32:{:08x}", part.to_bits())))
        }
        Scalar::F64 => {
            parts(value.parts::<f64>()?, |part| json!(format!("f64:{:016x}", part.to_bits())))
        }
        Scalar::Text => panic!("{kind:?} is text"),
    })
}

fn parts<T: Part>(parts: Parts<T>, show: impl Fn(T) -> Json) -> Json {
    match *parts {
        [part] => show(part),
        _ => parts.iter().map(|part| show(*part)).collect(),
    }
}

fn elements(array: Array<'_>) -> Result<Json> {
    let json: Vec<_> = array.iter().map(|element| leaf(element?)).collect::<Result<_>>()?;
    assert_eq!(json.len(), array.len() as usize);
    Ok(json.into())
}

/// Treatment of the sign of zero in a format.
#[derive(Clone, Copy, PartialEq)]
pub enum Zeros {
    Exact,
    /// Text saves from 2026 lose the sign of all zeros.
    Lost,
    /// Text saves from 2021 lose the sign of zeros that they omit: zeros at the end of an array,
    /// and components of a vector that equal the previous component.
    LostInArrays,
}

/// A comparison of a graph with the expected graph.
pub struct Compare<'f> {
    pub file: &'f File,
    pub pointers: Pointers<'f, 'f>,
    /// For each id in the expected graph, the index of the object in the file.
    pub same: HashMap<u64, usize>,
    pub zeros: Zeros,
    /// In binary streams, an object in a list of one class has no number, and is written each time
    /// it is used.
    pub sharing_is_lost: bool,
    /// Binary streams have no colour type, so colours are written as integers.
    pub colors_are_integers: bool,
}

impl Compare<'_> {
    pub fn roots(&mut self, expected: &Json) {
        // After the roots, the file can have further top-level objects, to which pointers refer. A
        // root that an earlier root contains is not a top-level object of the file.
        let mut roots = self.file.roots.iter().copied();
        for root in expected.as_array().unwrap() {
            match root.get("same").and_then(Json::as_u64).or_else(|| self.seen(root)) {
                Some(_) => {}
                None => {
                    let at = roots.next().expect("a root");
                    self.node(root, at);
                }
            }
        }
        let met: Vec<_> = self.same.values().copied().collect();
        assert!(roots.all(|root| met.contains(&root)), "a root that nothing refers to");
    }

    fn seen(&self, node: &Json) -> Option<u64> {
        let id = node["id"].as_u64()?;
        self.same.contains_key(&id).then_some(id)
    }

    fn node(&mut self, expected: &Json, at: usize) {
        let node = &self.file.objects[at];
        assert_eq!(expected["class"], json!(node.class));
        let id = expected["id"].as_u64().unwrap();
        assert_eq!(self.same.insert(id, at), None);
        let mut found = node.properties.iter().peekable();
        for property in expected["props"].as_array().unwrap() {
            let kind = match property["kind"].as_str().unwrap() {
                "col" if self.colors_are_integers => "i",
                kind => kind,
            };
            let dim = property["dim"].as_u64().unwrap() as u8;
            let name = property["name"].as_str().unwrap();
            match found.next_if(|(ty, found, _)| *ty == (kind_name(kind), dim) && found == name) {
                Some((_, _, meaning)) => self.value(&property["value"], meaning, name),
                None => assert_eq!(property["force"], json!(false), "{name} is missing"),
            }
        }
        assert_eq!(found.next(), None);
    }

    fn value(&mut self, expected: &Json, found: &Meaning, name: &str) {
        match (expected, found) {
            (Json::Null, Meaning::Null) => {}
            (Json::Null, Meaning::Leaf(leaf)) if *leaf == json!("") => {}
            (Json::String(text), Meaning::Null) if text.is_empty() => {}
            (expected, Meaning::Leaf(leaf)) => {
                self.leaf(expected, leaf, name, self.zeros == Zeros::Lost);
            }
            (Json::Array(expected), Meaning::List(found, len)) => {
                assert_eq!(expected.len(), *len as usize, "{name}");
                for (at, expected) in expected.iter().enumerate() {
                    let found = found.get(at).unwrap_or(&Meaning::Null);
                    self.value(expected, found, name);
                }
            }
            (expected, Meaning::Object(at)) if expected.get("same").is_none() => {
                self.node(expected, *at);
            }
            (expected, Meaning::Object(at)) if self.sharing_is_lost => {
                let id = expected["same"].as_u64().unwrap();
                let (a, b) = (&self.file.objects[self.same[&id]], &self.file.objects[*at]);
                assert_eq!((&a.class, &a.properties), (&b.class, &b.properties));
            }
            (expected, Meaning::Pointer(number)) => {
                let Target::Object(target) = self.pointers.get(*number) else {
                    panic!("{name}: {number} is not there")
                };
                let at = self.file.objects.iter().position(|node| node.offset == target.offset);
                match expected.get("same").and_then(Json::as_u64) {
                    Some(id) if self.same.contains_key(&id) => {
                        assert_eq!(self.same.get(&id), at.as_ref(), "{name}");
                    }
                    // The object is a root that is compared later.
                    Some(id) => drop(self.same.insert(id, at.unwrap())),
                    None => self.node(expected, at.unwrap()),
                }
            }
            (expected, found) => panic!("{name}: {expected} and {found:?}"),
        }
    }

    fn leaf(&self, expected: &Json, found: &Json, name: &str, lost: bool) {
        match (expected, found) {
            (Json::Array(expected), Json::Array(found)) => {
                assert_eq!(expected.len(), found.len(), "{name}");
                let lost = self.zeros != Zeros::Exact;
                expected.iter().zip(found).for_each(|(a, b)| self.leaf(a, b, name, lost));
            }
            (Json::String(a), Json::String(b)) if lost => {
                let zero = |text: &str| {
                    text.replace("f32:80000000", "f32:00000000")
                        .replace("f64:8000000000000000", "f64:0000000000000000")
                };
                assert_eq!(zero(a), zero(b), "{name}");
            }
            _ => assert_eq!(expected, found, "{name}"),
        }
    }
}

/// Returns the name of a kind in the engine of 2026. The expected graphs from 2021 may contain
/// aliases.
fn kind_name(kind: &str) -> String {
    match kind {
        "obj" => kind.to_owned(),
        _ => match Type::named(kind.into()) {
            Type::Kind(kind, 0) => kind.name().to_owned(),
            other => panic!("{other:?}"),
        },
    }
}

/// Returns the contents of a text in the notation of the table of verdicts, or the reason why the
/// reader rejects the text.
pub fn shown(text: &[u8]) -> Result<String, ErrorKind> {
    let read = || -> Result<_> {
        let file = read(&mut TextReader::new(text))?;
        let mut slots = Vec::new();
        let pointers = Pointers::collect(&mut TextReader::new(text), &mut slots)?;
        let roots = file.roots.iter().map(|root| object(&file, &pointers, *root));
        Ok(format!("[{}]", roots.collect::<Vec<_>>().join(",")))
    };
    read().map_err(|error| *error.kind())
}

fn object(file: &File, pointers: &Pointers<'_, '_>, at: usize) -> String {
    let Node { class, properties, .. } = &file.objects[at];
    let properties = properties
        .iter()
        .filter(|(_, _, meaning)| *meaning != Meaning::Pointer(0))
        .map(|(ty, name, meaning)| format!("{name}={}", meant(file, pointers, ty, meaning)));
    format!("{class}{{{}}}", properties.collect::<Vec<_>>().join(","))
}

fn meant(file: &File, pointers: &Pointers<'_, '_>, ty: &TypeOf, meaning: &Meaning) -> String {
    match meaning {
        Meaning::Null if ty.0 == "R" => String::new(),
        Meaning::Null => "null".to_owned(),
        Meaning::Object(at) => object(file, pointers, *at),
        Meaning::Pointer(number) => match pointers.get(*number).object() {
            Some(object) => format!("@{}", object.class),
            None => "null".to_owned(),
        },
        Meaning::List(elements, len) => {
            let mut elements = elements.clone();
            elements.resize(*len as usize, Meaning::Null);
            let elements = elements.iter().map(|element| meant(file, pointers, ty, element));
            format!("[{}]", elements.collect::<Vec<_>>().join(","))
        }
        Meaning::Leaf(leaf) => meant_leaf(&ty.0, ty.1, leaf),
    }
}

fn meant_leaf(kind: &str, dim: u8, leaf: &Json) -> String {
    if let Json::Array(parts) = leaf {
        let show = |separator: &str| {
            let parts = parts.iter().map(|part| meant_leaf(kind, dim.saturating_sub(1), part));
            parts.collect::<Vec<_>>().join(separator)
        };
        return match (dim, kind) {
            (2, _) => format!("[{}]", show(",")),
            (1, _) => format!("[{}]", show(", ")),
            (_, "p4") => format!("Plane({})", show(", ")),
            (_, "v2i" | "v3i" | "v4i") => format!("i({})", show(",")),
            _ => format!("({})", show(",")),
        };
    }
    let Json::String(text) = leaf else { return leaf.to_string() };
    match (kind, text.split_once(':')) {
        ("S", _) => format!("\"{text}\""),
        ("R", _) => text.clone(),
        (_, Some(("f32", bits))) => {
            format!("{:?}", f32::from_bits(u32::from_str_radix(bits, 16).unwrap()))
        }
        (_, Some(("f64", bits))) => {
            format!("{:?}", f64::from_bits(u64::from_str_radix(bits, 16).unwrap()))
        }
        (_, Some(("u16", unit))) => format!("'{unit}'"),
        (_, Some((_, number))) => number.to_owned(),
        _ => panic!("{leaf}"),
    }
}
