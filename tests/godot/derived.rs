//! Test vectors derived by hand from the description of the format. They cover the dialects of
//! engines that cannot be run here: Godot 2, and the dialect of the 4.x manual page.
//!
//! Each vector is written as hex with comments: one line for each field, with its offset, bytes and
//! meaning. A file in `corpus/derived` contains the same bytes; `BLESS=1` rewrites the files.

mod docs;
mod godot2;
mod reals;
mod scalars;

use crate::support::corpus;
use crate::support::godot::oracle::{self, Kind, Real, Value, Why};
use crate::support::godot::values;
use gamewire::godot::{Dialect, Level, Limits, Reader};
use std::collections::HashSet;
use std::fs;

/// The test vectors of a dialect.
#[derive(Default)]
struct Vectors(Vec<Vector>);

struct Vector {
    /// Path of the file in the dialect's folder, without the extension.
    path: String,
    bytes: Vec<u8>,
    expected: Result<Value, Why>,
}

impl Vectors {
    /// Adds a vector whose bytes are canonical: a writer of the dialect produces the same bytes.
    fn written(&mut self, name: &str, value: Value, hex: &str) {
        self.push(name.to_owned(), Ok(value), hex);
    }

    /// Adds a vector whose bytes are not canonical, but are accepted by readers.
    fn tolerated(&mut self, name: &str, value: Value, hex: &str) {
        self.push(format!("tolerated/{name}"), Ok(value), hex);
    }

    fn refused(&mut self, name: &str, why: Why, hex: &str) {
        self.push(format!("refused/{name}"), Err(why), hex);
    }

    fn push(&mut self, path: String, expected: Result<Value, Why>, hex: &str) {
        let bytes = bytes_of(hex, &path);
        self.0.push(Vector { path, bytes, expected });
    }
}

/// Parses hex with comments, and checks the offset of each line.
fn bytes_of(hex: &str, path: &str) -> Vec<u8> {
    let mut bytes = Vec::new();
    for line in hex.lines().filter(|line| !line.trim().is_empty()) {
        let mut words = line.split_whitespace();
        let offset: usize = words.next().unwrap().parse().unwrap();
        assert_eq!(offset, bytes.len(), "{path}: {line}");
        bytes.extend(corpus::unhex(words.next().unwrap()));
        assert!(words.next().is_some(), "{path}: no meaning: {line}");
    }
    bytes
}

#[test]
fn godot2_vectors_are_read() {
    let mut vectors = Vectors::default();
    scalars::add(&mut vectors);
    reals::single(&mut vectors);
    godot2::add(&mut vectors);
    check_vectors(&vectors, Dialect::Godot2);
}

#[test]
fn docs_vectors_are_read() {
    let mut vectors = Vectors::default();
    scalars::add(&mut vectors);
    reals::single(&mut vectors);
    docs::either(&mut vectors);
    docs::single(&mut vectors);
    check_vectors(&vectors, Dialect::Docs);
}

#[test]
fn docs_double_vectors_are_read() {
    let mut vectors = Vectors::default();
    scalars::add(&mut vectors);
    reals::double(&mut vectors);
    docs::either(&mut vectors);
    docs::double(&mut vectors);
    check_vectors(&vectors, Dialect::DocsDouble);
}

fn check_vectors(vectors: &Vectors, dialect: Dialect) {
    let folder = format!("derived/{dialect}");
    if std::env::var("BLESS").is_ok_and(|value| value == "1") {
        bless(vectors, &folder);
    }
    for vector in &vectors.0 {
        let path = format!("{folder}/{}", vector.path);
        assert!(corpus::read(&format!("{path}.bin")) == vector.bytes, "{path}: the file differs");
        match &vector.expected {
            Ok(value) => assert_reads(&path, &vector.bytes, dialect, value),
            Err(why) => assert_rejects(&path, &vector.bytes, dialect, *why),
        }
    }
    assert_no_other_files(vectors, &folder);
}

fn bless(vectors: &Vectors, folder: &str) {
    for vector in &vectors.0 {
        let path = corpus::corpus(&format!("{folder}/{}.bin", vector.path));
        fs::create_dir_all(path.parent().unwrap()).unwrap();
        fs::write(path, &vector.bytes).unwrap();
    }
}

fn assert_reads(path: &str, bytes: &[u8], dialect: Dialect, value: &Value) {
    let read = values::value_of(bytes, dialect).unwrap_or_else(|error| panic!("{path}: {error}"));
    assert_eq!((&read.0, read.1), (value, bytes.len()), "{path}");
    let level = oracle::Level::Engine;
    let second = oracle::decode(bytes, values::to_oracle(dialect), level, true);
    let second = second.unwrap_or_else(|reject| panic!("{path}: {reject:?}"));
    assert_eq!(second, read, "{path}: the oracle");

    let limits = Limits { level: Level::Strict, ..Limits::default() };
    let strict = Reader::new(bytes, dialect).limits(limits).skip();
    assert_eq!(strict.is_err(), path.contains("/tolerated/"), "{path}: strictly {strict:?}");
}

fn assert_rejects(path: &str, bytes: &[u8], dialect: Dialect, why: Why) {
    let limits = Limits { level: Level::Structure, ..Limits::default() };
    let reader = || Reader::new(bytes, dialect).limits(limits);
    assert!(reader().read().is_err(), "{path}: read");
    assert!(reader().skip().is_err(), "{path}: skip");
    let level = oracle::Level::Structure;
    let second = oracle::decode(bytes, values::to_oracle(dialect), level, true);
    assert_eq!(second.map_err(|reject| reject.why), Err(why), "{path}: the oracle");
}

/// Asserts that every vector has a unique name and that every file belongs to a vector.
fn assert_no_other_files(vectors: &Vectors, folder: &str) {
    let mut names = HashSet::new();
    for vector in &vectors.0 {
        assert!(names.insert(vector.path.clone()), "{}: twice", vector.path);
    }
    for part in ["", "tolerated/", "refused/"] {
        for (name, _) in corpus::packets(&format!("{folder}/{part}")) {
            assert!(
                names.contains(&format!("{part}{name}")),
                "{folder}/{part}{name}: belongs to no vector"
            );
        }
    }
}

// Functions with short names that create the expected values.

fn text(text: &str) -> Vec<u8> {
    text.as_bytes().to_vec()
}

fn string(content: &str) -> Value {
    Value::String(text(content))
}

fn int(value: i32) -> Value {
    Value::Int { value: value.into(), wide: false }
}

fn wide_int(value: i64) -> Value {
    Value::Int { value, wide: true }
}

fn float(value: f32) -> Value {
    Value::Float(Real::F32(value.to_bits()))
}

fn wide_float(value: f64) -> Value {
    Value::Float(Real::F64(value.to_bits()))
}

fn array(items: impl Into<Vec<Value>>) -> Value {
    Value::Array { shared: false, element: None, items: items.into() }
}

fn shared_array(items: impl Into<Vec<Value>>) -> Value {
    Value::Array { shared: true, element: None, items: items.into() }
}

fn dictionary(pairs: impl Into<Vec<(Value, Value)>>) -> Value {
    Value::Dictionary { shared: false, key: None, value: None, pairs: pairs.into() }
}

fn shared_dictionary(pairs: impl Into<Vec<(Value, Value)>>) -> Value {
    Value::Dictionary { shared: true, key: None, value: None, pairs: pairs.into() }
}

fn texts(parts: &[&str]) -> Vec<Vec<u8>> {
    parts.iter().map(|part| text(part)).collect()
}

fn strings(items: &[&str]) -> Value {
    Value::Strings(texts(items))
}

fn relative(names: &[&str], subnames: &[&str]) -> Value {
    let [names, subnames] = [names, subnames].map(texts);
    Value::NodePath { absolute: false, names, subnames, property: None }
}

fn absolute(names: &[&str], subnames: &[&str]) -> Value {
    let [names, subnames] = [names, subnames].map(texts);
    Value::NodePath { absolute: true, names, subnames, property: None }
}

fn singles(values: &[f32]) -> Vec<Real> {
    values.iter().map(|value| Real::F32(value.to_bits())).collect()
}

fn doubles(values: &[f64]) -> Vec<Real> {
    values.iter().map(|value| Real::F64(value.to_bits())).collect()
}

fn single_array(kind: Kind, elements: &[&[f32]]) -> Value {
    Value::RealArray(kind, elements.iter().map(|element| singles(element)).collect())
}

fn double_array(kind: Kind, elements: &[&[f64]]) -> Value {
    Value::RealArray(kind, elements.iter().map(|element| doubles(element)).collect())
}
