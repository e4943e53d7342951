//! Writes graphs of objects through the public API, and compares the files with those of the
//! engine.

use crate::support::rems::expected::{Case, cases};
use crate::support::rems::writing::{dialect_of, era_of, show};
use gamewire::rems::{
    BinaryWriter, ItemSink, Kind, KindValue, Numbering, OutputFormat, Part, Placement, Scalar,
    TextWriter, Type,
};
use serde_json::Value as Json;

/// A graph that is written in the order that the engine uses, with functions of the public API.
struct Graph<'g, S> {
    nodes: &'g std::collections::HashMap<u64, &'g Json>,
    numbering: Numbering<u64>,
    to: S,
}

fn id(node: &Json) -> u64 {
    node["same"].as_u64().or(node["id"].as_u64()).unwrap()
}

/// Collects all objects in a value, by their ids.
fn collect<'g>(value: &'g Json, nodes: &mut std::collections::HashMap<u64, &'g Json>) {
    match value {
        Json::Array(values) => values.iter().for_each(|value| collect(value, nodes)),
        Json::Object(node) if node.contains_key("class") => {
            nodes.insert(id(value), value);
            for property in node["props"].as_array().unwrap() {
                collect(&property["value"], nodes);
            }
        }
        _ => {}
    }
}

impl<S: ItemSink> Graph<'_, S> {
    fn file(&mut self) {
        while let Some((node, number)) = self.numbering.next_root() {
            let class = self.nodes[&node]["class"].as_str().unwrap();
            self.to.object(class, Some(number)).unwrap();
            self.properties(node);
        }
    }

    fn properties(&mut self, node: u64) {
        let node = self.nodes[&node];
        for property in node["props"].as_array().unwrap() {
            let name = property["name"].as_str().unwrap();
            let force = property["force"].as_bool().unwrap();
            let dim = property["dim"].as_u64().unwrap();
            let value = &property["value"];
            match (property["kind"].as_str().unwrap(), dim) {
                ("obj", 0) => self.child(node, name, value, force),
                ("obj", 1) if !force && *value == serde_json::json!([]) => {}
                ("obj", 1) => self.children(name, value),
                ("S" | "R", _) => self.texts(name, value, force),
                (kind, _) => self.value(kind, dim, name, value, force),
            }
        }
        self.to.end().unwrap();
    }

    fn child(&mut self, owner: &Json, name: &str, value: &Json, force: bool) {
        if value.is_null() {
            if force {
                self.to.property(Type::Object, name).unwrap();
                self.to.null().unwrap();
            }
            return;
        }
        let node = id(value);
        let child = self.nodes[&node];
        if !force && child["isDefault"] == true {
            return;
        }
        let class = child["class"].as_str().unwrap();
        let size = |node: &Json| node["approxSize"].as_i64().unwrap() as i32;
        self.to.property(Type::Class(class.into(), 0), name).unwrap();
        match self.numbering.property(node, size(owner), size(child)) {
            Placement::Inline(_) => self.object(node),
            Placement::Reference(number) => self.to.pointer(number).unwrap(),
        }
    }

    fn object(&mut self, node: u64) {
        let class = self.nodes[&node]["class"].as_str().unwrap();
        self.to.object(class, self.numbering.shown(&node)).unwrap();
        self.properties(node);
    }

    fn children(&mut self, name: &str, value: &Json) {
        let children: Vec<u64> = value.as_array().unwrap().iter().map(id).collect();
        let class = |node: &u64| self.nodes[node]["class"].as_str().unwrap();
        let of_one = children
            .first()
            .map(class)
            .filter(|first| children.iter().all(|child| class(child) == *first));
        let ty = of_one.map_or(Type::Mixed(1), |class| Type::Class(class.into(), 1));
        let bare = of_one.is_some() && matches!(self.to.format(), OutputFormat::Binary(_));
        self.to.property(ty, name).unwrap();
        self.to.list(children.len() as u32).unwrap();
        for child in children {
            if bare {
                self.to.object(self.nodes[&child]["class"].as_str().unwrap(), None).unwrap();
                self.properties(child);
                continue;
            }
            match self.numbering.element(child) {
                Placement::Inline(_) => self.object(child),
                Placement::Reference(number) => self.to.pointer(number).unwrap(),
            }
        }
        self.to.end().unwrap();
    }

    fn texts(&mut self, name: &str, value: &Json, force: bool) {
        match value {
            Json::String(text) if force => self.to.put(name, text.as_str()).unwrap(),
            Json::String(text) => self.to.put_or_omit(name, text.as_str()).unwrap(),
            Json::Array(texts) => {
                let texts: Vec<&str> = texts.iter().map(|text| text.as_str().unwrap()).collect();
                match force {
                    true => self.to.put(name, &texts[..]).unwrap(),
                    false => self.to.put_or_omit(name, &texts[..]).unwrap(),
                }
            }
            other => panic!("{other}"),
        }
    }

    fn value(&mut self, kind: &str, dim: u64, name: &str, value: &Json, force: bool) {
        let Type::Kind(kind, 0) = Type::named(kind.into()) else { panic!("{kind}") };
        match kind.scalar() {
            Scalar::Bool => self.of(kind, dim, name, value, force, |v| v.as_bool().unwrap()),
            Scalar::I8 => self.of(kind, dim, name, value, force, |v| v.as_i64().unwrap() as i8),
            Scalar::I16 => self.of(kind, dim, name, value, force, |v| v.as_i64().unwrap() as i16),
            Scalar::I32 => self.of(kind, dim, name, value, force, |v| v.as_i64().unwrap() as i32),
            Scalar::Char => self.of(kind, dim, name, value, force, |v| {
                v.as_str().unwrap().strip_prefix("u16:").unwrap().parse::<u16>().unwrap()
            }),
            Scalar::I64 => self.of(kind, dim, name, value, force, |v| {
                v.as_str().unwrap().strip_prefix("i64:").unwrap().parse::<i64>().unwrap()
            }),
            Scalar::F32 => self.of(kind, dim, name, value, force, |v| {
                let bits = v.as_str().unwrap().strip_prefix("f32:").unwrap();
                f32::from_bits(u32::from_str_radix(bits, 16).unwrap())
            }),
            Scalar::F64 => self.of(kind, dim, name, value, force, |v| {
                let bits = v.as_str().unwrap().strip_prefix("f64:").unwrap();
                f64::from_bits(u64::from_str_radix(bits, 16).unwrap())
            }),
            Scalar::Text => panic!("{kind:?}"),
        }
    }

    fn of<T: Part>(
        &mut self,
        kind: Kind,
        dim: u64,
        name: &str,
        value: &Json,
        force: bool,
        part: impl Fn(&Json) -> T,
    ) {
        let flat = |value: &Json| {
            let mut parts = Vec::new();
            leaves(value, &mut |leaf| parts.push(part(leaf)));
            parts
        };
        let rows: Vec<Vec<T>> = match (dim, value) {
            (2, Json::Array(rows)) => rows.iter().map(flat).collect(),
            _ => vec![flat(value)],
        };
        let rows: Vec<&[T]> = rows.iter().map(Vec::as_slice).collect();
        let many = match dim {
            0 => KindValue::one(kind, rows[0]),
            1 => KindValue::array(kind, rows[0]),
            _ => KindValue::rows(kind, &rows),
        };
        match force {
            true => self.to.put(name, many).unwrap(),
            false => self.to.put_or_omit(name, many).unwrap(),
        }
    }
}

fn leaves(value: &Json, tell: &mut impl FnMut(&Json)) {
    match value {
        Json::Array(values) => values.iter().for_each(|value| leaves(value, tell)),
        leaf => tell(leaf),
    }
}

/// Writes a graph. The returned sink contains the file, and a warning if the engine could not read
/// the file back.
fn built<S: ItemSink>(case: &Case, form: OutputFormat, mut open: impl FnMut() -> S) -> S {
    let expected = case.expected();
    let roots: Vec<u64> = expected.as_array().unwrap().iter().map(id).collect();
    let mut nodes = Default::default();
    collect(&expected, &mut nodes);
    let numbering = Numbering::new(form, roots.iter().copied());
    let mut graph = Graph { nodes: &nodes, numbering, to: open() };
    graph.to.force(true);
    graph.file();
    // In text saves from 2021, only roots and targets of pointers have numbers. The first pass
    // finds the pointers, and the second pass writes the file.
    graph.numbering.again(roots);
    graph.to = open();
    graph.to.force(true);
    graph.file();
    graph.to
}

#[test]
fn graphs_become_texts() {
    for case in cases(".text.json", 73) {
        let dialect = dialect_of(&case);
        let writer =
            built(&case, OutputFormat::Text(dialect), || TextWriter::new(Vec::new(), dialect));
        assert_eq!(show(&writer.finish().unwrap()), show(&case.bytes), "{}", case.name());
    }
}

#[test]
fn graphs_become_binary() {
    for case in cases(".binary.bin", 73) {
        let era = era_of(&case);
        let writer = built(&case, OutputFormat::Binary(era), || BinaryWriter::new(Vec::new(), era));
        assert_eq!(show(&writer.finish().unwrap()), show(&case.bytes), "{}", case.name());
    }
}
