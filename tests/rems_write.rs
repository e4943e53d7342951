//! Files of Rem's Engine, written as engines of 2021 and 2026 did.
#![cfg(all(feature = "rems", feature = "alloc"))]
#![allow(clippy::unwrap_used, clippy::panic, clippy::indexing_slicing)]

#[path = "laws/rems_write.rs"]
mod laws;
#[path = "support/random.rs"]
#[allow(dead_code)]
mod random;
#[path = "support/rems.rs"]
mod support;

use gamewire::SliceSink;
use gamewire::rems::{
    BinaryReader, BinaryWriter, Conversion, Dialect, Era, Form, ItemSink, Items, Kind, Many, Met,
    Numbering, Part, Plan, Scalar, Str, Tables, TextReader, TextWriter, Type, Unit, Unreadable,
    WriteError, WriteErrorKind, convert, rewrite,
};
use serde_json::Value as Json;
use support::{Case, cases};

/// Case 53 has a class named like a kind, which cannot be read by the engine, either.
const NAMED_LIKE_A_KIND: u32 = 53;

fn dialect_of(case: &Case) -> Dialect {
    match case.era {
        2021 => Dialect::Engine2021,
        _ => Dialect::Engine2026,
    }
}

fn era_of(case: &Case) -> Era {
    match case.era {
        2021 => Era::October2021,
        _ => Era::October2024,
    }
}

/// The file again, and what the engine could not read back of it.
fn again<'a>(from: &mut impl Items<'a>, to: &mut impl ItemSink) -> Vec<Unreadable> {
    let mut warnings = Vec::new();
    rewrite(from, to, |warning| warnings.push(warning.reason)).unwrap();
    warnings
}

fn show(bytes: &[u8]) -> String {
    bytes.escape_ascii().to_string()
}

#[test]
fn texts_are_the_same_again() {
    for case in cases(".text.json", 73) {
        if case.number == NAMED_LIKE_A_KIND {
            continue;
        }
        let mut writer = TextWriter::new(Vec::new(), dialect_of(&case));
        again(&mut TextReader::new(&case.bytes), &mut writer);
        assert_eq!(show(&writer.finish().unwrap()), show(&case.bytes), "{}", case.name());
    }
}

#[test]
fn binary_streams_are_the_same_again() {
    let mut tables = Tables::new();
    for case in cases(".binary.bin", 73) {
        let mut writer = BinaryWriter::new(Vec::new(), era_of(&case));
        let mut reader = BinaryReader::new(&case.bytes, era_of(&case), &mut tables);
        again(&mut reader, &mut writer);
        assert_eq!(show(&writer.finish().unwrap()), show(&case.bytes), "{}", case.name());
    }
}

/// Without the blanks between tokens.
fn compact(text: &[u8]) -> Vec<u8> {
    let (mut compact, mut quoted, mut escaped) = (Vec::new(), false, false);
    for byte in text {
        if quoted || !b" \t\r\n".contains(byte) {
            compact.push(*byte);
        }
        quoted ^= *byte == b'"' && !escaped;
        escaped = quoted && *byte == b'\\' && !escaped;
    }
    compact
}

#[test]
fn real_files_are_the_same_again() {
    for (name, bytes) in support::real() {
        // Newer files are known by their colours and letters.
        let of_2026 = ["theme", "node-graph", "dangling"].iter().any(|part| name.contains(part));
        let dialect = if of_2026 { Dialect::Engine2026 } else { Dialect::Engine2021 };
        let mut writer = TextWriter::new(Vec::new(), dialect);
        again(&mut TextReader::new(&bytes), &mut writer);
        assert_eq!(show(&writer.finish().unwrap()), show(&compact(&bytes)), "{name}");
    }
}

fn text_of(case: &Case) -> Vec<u8> {
    file_of(case, "text.json")
}

fn file_of(case: &Case, end: &str) -> Vec<u8> {
    let name = case.path.file_name().unwrap().to_str().unwrap();
    let stem = name.split('.').next().unwrap();
    std::fs::read(case.path.with_file_name(format!("{stem}.{end}"))).unwrap()
}

const FORCED: Conversion = Conversion { force: true, colors: true };

fn text_to_binary(text: &[u8], era: Era, how: Conversion) -> Vec<u8> {
    let plan = Plan::of(&mut TextReader::new(text)).unwrap();
    let mut writer = BinaryWriter::new(Vec::new(), era);
    convert(&mut TextReader::new(text), &mut writer, &plan, how, |_| {}).unwrap();
    writer.force(how.force);
    writer.finish().unwrap()
}

fn binary_to_text(stream: &[u8], era: Era, dialect: Dialect, how: Conversion) -> Vec<u8> {
    let (mut tables, mut others) = (Tables::new(), Tables::new());
    let plan = Plan::of(&mut BinaryReader::new(stream, era, &mut others)).unwrap();
    let mut writer = TextWriter::new(Vec::new(), dialect);
    let mut reader = BinaryReader::new(stream, era, &mut tables);
    convert(&mut reader, &mut writer, &plan, how, |_| {}).unwrap();
    writer.finish().unwrap()
}

/// Where one form does not say all that the engine has written in the other: what is written
/// from it instead, and what the engine has there.
struct Lost {
    case: (u32, u32),
    ours: &'static [u8],
    engine: &'static [u8],
}

const fn lost(era: u32, number: u32, ours: &'static [u8], engine: &'static [u8]) -> Lost {
    Lost { case: (era, number), ours, engine }
}

/// What the engine has written, but for what is lost; each of these is there just once.
fn without(lost: &[Lost], case: &Case, mut engine: Vec<u8>) -> Vec<u8> {
    for Lost { ours, engine: has, .. } in lost.iter().filter(|l| l.case == (case.era, case.number))
    {
        let mut places = engine.windows(has.len()).enumerate().filter(|(_, part)| part == has);
        let (at, _) = places.next().unwrap_or_else(|| panic!("{}", case.name()));
        assert!(places.next().is_none(), "{}", case.name());
        engine.splice(at..at + has.len(), ours.iter().copied());
    }
    engine
}

const BINARY_LOSES: [Lost; 13] = [
    // 2021 writes an empty string in binary where it leaves it out of texts.
    lost(2021, 2, br#","S:S":""}"#, b"}"),
    // An object in a list of one class has no number, and is there each time that it is met.
    lost(2021, 41, br#"[3,{"i:v":1},{"i:v":2},{"i:v":1}]"#, br#"[3,2,{"i:v":2},2]"#),
    lost(
        2026,
        41,
        br#"[3,{"i:*ptr":3,"i:v":1},{"i:*ptr":4,"i:v":2},{"i:*ptr":5,"i:v":1}]"#,
        br#"[3,2,{"i:*ptr":3,"i:v":2},2]"#,
    ),
    // There are no colours, and these are not called so.
    lost(2026, 25, br#""i:white":-1"#, br##""col:white":"#fff""##),
    lost(2026, 25, br#""i:black":-16777216"#, br##""col:black":"#000""##),
    lost(2026, 25, br#""i:rgb3":-15654349"#, br##""col:rgb3":"#123""##),
    lost(2026, 25, br#""i:argb4":-2012143053"#, br##""col:argb4":"#8123""##),
    lost(2026, 25, br#""i:rgb6":-15584170"#, br##""col:rgb6":"#123456""##),
    lost(2026, 25, br#""i:argb8":-2146290602"#, br##""col:argb8":"#80123456""##),
    lost(2026, 25, br#""i:zero":0"#, br##""col:zero":"#0000""##),
    lost(2026, 25, br#""i[]:arr":[4,-1,-2146290602]"#, br##""col[]:arr":[4,"#fff","#80123456"]"##),
    lost(2026, 25, br#""i[][]:arr2":[2,[2,-1]"#, br##""col[][]:arr2":[2,[2,"#fff"]"##),
    lost(2026, 25, br#"[1,-15654349]"#, br##"[1,"#123"]"##),
];

#[test]
fn binary_becomes_the_text() {
    for case in cases(".binary.bin", 73) {
        let found = binary_to_text(&case.bytes, era_of(&case), dialect_of(&case), FORCED);
        let text = without(&BINARY_LOSES, &case, text_of(&case));
        assert_eq!(show(&found), show(&text), "{}", case.name());
    }
}

const TEXT_LOSES: [Lost; 7] = [
    // As above, the other way round.
    lost(2021, 2, b"", b"\xFF\xFF\xFF\xFF\xFF\xFF\xFF\xFDS\x1F\0\0\0\0"),
    // Zeros at the end of an array lose their sign; those of 2026 anywhere.
    lost(2021, 8, b"\0\0\0\0\0\0\0\0\0\0\0\0\xFF", b"\0\0\0\0\x80\0\0\0\0\0\0\0\xFF"),
    lost(2026, 8, b"\0\0\0\0\0\0\0\0\0\0\0\0\xFF", b"\0\0\0\0\x80\0\0\0\0\0\0\0\xFF"),
    lost(2026, 4, b"nz\x19\0\0\0\0\xFF\xFF\xFF\xFF\xFF\xFF\xFF\xFDz", b"nz\x19\x80\0\0\0\xFF\xFF\xFF\xFF\xFF\xFF\xFF\xFDz"),
    lost(2026, 4, b"dnz\x1C\0\0\0\0\0\0\0\0", b"dnz\x1C\x80\0\0\0\0\0\0\0"),
    // An object in the list is also somewhere else, and so it is a list that keeps numbers.
    lost(
        2021,
        41,
        b"kids\x02\0\0\0\x03\x06\0\0\0\x02\x01\0\0\0\x03\0\0\0\x03\0\0\0\0\0\0\0\x02\xFF\xFF\xFF\xFE\x06\0\0\0\x02",
        b"kids\x04\0\0\0\x03\0\0\0\x03\xFF\xFF\xFF\xFF\0\0\0\x04\x13\0\0\0\x01\xFF\xFF\xFF\xFE\0\0\0\x02\0\0\0\x02\xFF\xFF\xFF\xFE\0\0\0\x02\0\0\0\x01\xFF\xFF\xFF\xFE",
    ),
    lost(
        2026,
        41,
        b"kids\x02\0\0\0\x03\x06\0\0\0\x02\x01\0\0\0\x03\0\0\0\x03\0\0\0\0\0\0\0\x02\xFF\xFF\xFF\xFE\x06\0\0\0\x02",
        b"kids\x04\0\0\0\x03\0\0\0\x03\0\0\0\0\0\0\0\x01\xFF\xFF\xFF\xFE\0\0\0\0\0\0\0\x02\xFF\xFF\xFF\xFE\0\0\0\0\0\0\0\x01\xFF\xFF\xFF\xFE",
    ),
];

#[test]
fn text_becomes_the_binary() {
    for case in cases(".text.json", 73) {
        if case.number == NAMED_LIKE_A_KIND {
            continue;
        }
        let found = text_to_binary(&case.bytes, era_of(&case), FORCED);
        let binary = without(&TEXT_LOSES, &case, file_of(&case, "binary.bin"));
        assert_eq!(show(&found), show(&binary), "{}", case.name());
    }
}

/// By way of binary a text is the same again, but for colours, and a list that is no longer of
/// one class. Those of 2021 go through its own streams and through those of today.
#[test]
fn text_becomes_binary_and_text() {
    let lost = [
        lost(
            2021,
            41,
            br#""*[]:kids":[3,2,{"class":"K","i:v":2},2]"#,
            br#""K[]:kids":[3,2,{"i:v":2},2]"#,
        ),
        lost(
            2026,
            41,
            br#""*[]:kids":[3,2,{"class":"K","i:*ptr":3,"i:v":2},2]"#,
            br#""K[]:kids":[3,2,{"i:*ptr":3,"i:v":2},2]"#,
        ),
    ];
    for case in cases(".text.json", 73) {
        if case.number == NAMED_LIKE_A_KIND {
            continue;
        }
        let mut expected = without(&lost, &case, case.bytes.clone());
        if case.number == 25 {
            expected = without(&BINARY_LOSES, &case, expected);
        }
        for era in [era_of(&case), Era::October2024] {
            let binary = text_to_binary(&case.bytes, era, FORCED);
            let text = binary_to_text(&binary, era, dialect_of(&case), FORCED);
            assert_eq!(show(&text), show(&expected), "{} {era:?}", case.name());
        }
    }
}

/// A real file has no numbers where it needs none, and keeps its list of one class in binary.
#[test]
fn real_files_become_binary_and_text() {
    let how = Conversion { force: false, colors: false };
    for (name, bytes) in support::real() {
        let plan = Plan::of(&mut TextReader::new(&bytes)).unwrap();
        let mut writer = TextWriter::new(Vec::new(), Dialect::Engine2026);
        convert(&mut TextReader::new(&bytes), &mut writer, &plan, how, |_| {}).unwrap();
        let today = writer.finish().unwrap();
        let stream = text_to_binary(&bytes, Era::October2024, how);
        let text = binary_to_text(&stream, Era::October2024, Dialect::Engine2026, how);
        // Colours go; mixed lists are no longer of one class.
        if !name.contains("theme") && !name.contains("node-graph") {
            assert_eq!(show(&text), show(&today), "{name}");
        }
        let again = text_to_binary(&text, Era::October2024, how);
        assert_eq!(show(&again), show(&stream), "{name}");
    }
}

/// What the engine does with a graph, by the calls that anyone has.
struct Graph<'g, S> {
    nodes: &'g std::collections::HashMap<u64, &'g Json>,
    numbering: Numbering<u64>,
    to: S,
}

fn id(node: &Json) -> u64 {
    node["same"].as_u64().or(node["id"].as_u64()).unwrap()
}

/// All objects by their ids.
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
            Met::Written(_) => self.object(node),
            Met::Elsewhere(number) => self.to.pointer(number).unwrap(),
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
        let bare = of_one.is_some() && matches!(self.to.form(), Form::Binary(_));
        self.to.property(ty, name).unwrap();
        self.to.list(children.len() as u32).unwrap();
        for child in children {
            if bare {
                self.to.object(self.nodes[&child]["class"].as_str().unwrap(), None).unwrap();
                self.properties(child);
                continue;
            }
            match self.numbering.element(child) {
                Met::Written(_) => self.object(child),
                Met::Elsewhere(number) => self.to.pointer(number).unwrap(),
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
            0 => Many::one(kind, rows[0]),
            1 => Many::array(kind, rows[0]),
            _ => Many::rows(kind, &rows),
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

/// What a graph becomes: its file, and what the engine could not read back of it.
fn built<S: ItemSink>(case: &Case, form: Form, mut open: impl FnMut() -> S) -> S {
    let expected = case.expected();
    let roots: Vec<u64> = expected.as_array().unwrap().iter().map(id).collect();
    let mut nodes = Default::default();
    collect(&expected, &mut nodes);
    let numbering = Numbering::new(form, roots.iter().copied());
    let mut graph = Graph { nodes: &nodes, numbering, to: open() };
    graph.to.force(true);
    graph.file();
    // In texts of 2021 there are numbers where something points.
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
        let writer = built(&case, Form::Text(dialect), || TextWriter::new(Vec::new(), dialect));
        assert_eq!(show(&writer.finish().unwrap()), show(&case.bytes), "{}", case.name());
    }
}

#[test]
fn graphs_become_binary() {
    for case in cases(".binary.bin", 73) {
        let era = era_of(&case);
        let writer = built(&case, Form::Binary(era), || BinaryWriter::new(Vec::new(), era));
        assert_eq!(show(&writer.finish().unwrap()), show(&case.bytes), "{}", case.name());
    }
}

/// What it is that keeps something from being written, unless by force; what is then.
fn refused<S: ItemSink>(
    open: impl Fn() -> S,
    write: impl Fn(&mut S) -> Result<(), WriteError>,
    finish: impl Fn(S) -> Result<Vec<u8>, WriteError>,
) -> (Unreadable, Vec<u8>) {
    let mut writer = open();
    let error = write(&mut writer).and_then(|()| finish(writer).map(drop)).unwrap_err();
    let WriteErrorKind::Unreadable(reason) = *error.kind() else { panic!("{error}") };
    let mut writer = open();
    writer.force(true);
    write(&mut writer).unwrap();
    let warning = writer.take_warning();
    assert!(warning.is_none_or(|warning| warning.reason == reason));
    (reason, finish(writer).unwrap())
}

fn object<S: ItemSink>(
    properties: impl Fn(&mut S) -> Result<(), WriteError>,
) -> impl Fn(&mut S) -> Result<(), WriteError> {
    move |writer| {
        writer.object("T", Some(1))?;
        properties(writer)?;
        writer.end()
    }
}

type Texts = TextWriter<Vec<u8>>;

/// What text does not let pass, and by force the text between what is always there.
fn refused_text(
    dialect: Dialect,
    properties: impl Fn(&mut Texts) -> Result<(), WriteError>,
) -> (Unreadable, String) {
    let open = || TextWriter::new(Vec::new(), dialect);
    let (reason, text) = refused(open, object(properties), TextWriter::finish);
    let text = String::from_utf8(text).unwrap();
    let inside = text.strip_prefix(r#"[{"class":"T","i:*ptr":1,"#).unwrap();
    (reason, inside.strip_suffix("}]").unwrap().to_owned())
}

const DIALECTS: [Dialect; 2] = [Dialect::Engine2021, Dialect::Engine2026];

#[test]
fn texts_that_no_engine_reads() {
    for dialect in DIALECTS {
        for (value, text) in
            [(f32::NAN, "NaN"), (f32::INFINITY, "Infinity"), (f32::NEG_INFINITY, "-Infinity")]
        {
            let found = refused_text(dialect, |to| to.put("x", value));
            assert_eq!(found, (Unreadable::NotFinite, format!("\"f:x\":{text}")));
            let found = refused_text(dialect, |to| to.put("x", &[1.0, f64::from(value)][..]));
            assert_eq!(found, (Unreadable::NotFinite, format!("\"d[]:x\":[2,1,{text}]")));
        }
        for blank in ["", " ", "\t\u{A0}", "\u{200B}", "\u{FEFF}\u{3000}", "\0"] {
            let (reason, text) = refused_text(dialect, |to| to.put(blank, 1));
            assert_eq!(reason, Unreadable::BlankName);
            assert!(text.ends_with(":1"));
        }
        for class in ["i", "f64", "v3", "mat4", "m4x4", "a:b", "K[]", "K[][]", "?", "*[]", "[]"] {
            let found = refused_text(dialect, |to| {
                to.property(Type::Class(class.into(), 0), "x")?;
                to.pointer(1)
            });
            assert_eq!(found, (Unreadable::ClassName, format!("\"{class}:x\":1")));
        }
        let star = refused_text(dialect, |to| {
            to.property(Type::Class("*".into(), 1), "x")?;
            to.list(0)?;
            to.end()
        });
        assert_eq!(star, (Unreadable::ClassName, "\"*[]:x\":[0]".to_owned()));
        for (ty, name) in [("S", 0), ("S", 1), ("R", 1), ("f", 1), ("K", 1), ("*", 1)] {
            let found = refused_text(dialect, |to| {
                let name = format!("{ty}{}", "[]".repeat(name));
                to.property(Type::named(name.as_str().into()), "x")?;
                to.null()
            });
            let text = format!("\"{ty}{}:x\":null", "[]".repeat(name));
            assert_eq!(found, (Unreadable::Null, text));
        }
        let open = || TextWriter::new(Vec::new(), dialect);
        let number = |to: &mut Texts| {
            to.object("T", None)?;
            to.put("*ptr", 5)?;
            to.end()
        };
        let (reason, text) = refused(open, number, TextWriter::finish);
        assert_eq!(reason, Unreadable::LooksLikeNumber);
        assert_eq!(text, br#"[{"class":"T","i:*ptr":5}]"#);
        let latin = Str::new(b"\xE4");
        let (reason, _) =
            refused(open, object(|to: &mut Texts| to.put(latin, 5)), TextWriter::finish);
        assert_eq!(reason, Unreadable::NotUtf8);
        let put = |to: &mut Texts| {
            to.property(Type::Kind(Kind::String, 0), "x")?;
            to.text(latin)
        };
        let (reason, text) = refused(open, object(put), TextWriter::finish);
        assert_eq!(reason, Unreadable::NotUtf8);
        assert_eq!(text, b"[{\"class\":\"T\",\"i:*ptr\":1,\"S:x\":\"\xE4\"}]");
    }
}

/// A value of so many zeros.
fn zeros(to: &mut impl ItemSink, kind: Kind, dim: u8) -> Result<(), WriteError> {
    to.property(Type::Kind(kind, dim), "x")?;
    if kind.is_text() {
        return match dim {
            0 => to.text(""),
            _ => to.list(0).and_then(|()| to.end()),
        };
    }
    fn put<T: Part>(to: &mut impl ItemSink, kind: Kind, dim: u8) -> Result<(), WriteError> {
        let parts = [T::default(); 16];
        match dim {
            0 => to.parts(&parts[..kind.parts()]),
            1 => to.array(&parts[..0]),
            _ => to.rows(&[&parts[..0]]),
        }
    }
    match kind.scalar() {
        Scalar::Bool => put::<bool>(to, kind, dim),
        Scalar::I8 => put::<i8>(to, kind, dim),
        Scalar::Char => put::<u16>(to, kind, dim),
        Scalar::I16 => put::<i16>(to, kind, dim),
        Scalar::I32 => put::<i32>(to, kind, dim),
        Scalar::I64 => put::<i64>(to, kind, dim),
        Scalar::F32 => put::<f32>(to, kind, dim),
        Scalar::F64 => put::<f64>(to, kind, dim),
        Scalar::Text => panic!(),
    }
}

/// Types by the names that engines have for them, written down apart from the tables: what 2021
/// reads of what it writes.
#[test]
fn types_that_2021_reads() {
    let reads = [
        "b", "b[]", "B", "B[]", "c", "s", "s[]", "i", "i[]", "l", "l[]", "f", "f[]", "f[][]", "d",
        "d[]", "d[][]", "S", "S[]", "S[][]", "R", "R[]", "v2", "v2[]", "v3", "v3[]", "v4", "v4[]",
        "v2d", "v2d[]", "v3d", "v3d[]", "v4d[]", "q4", "q4d", "mat3", "mat4x3", "AABBf", "AABBd",
    ];
    let none = ["col", "p4", "p4d", "mat2", "mat3x2", "mat2d", "mat3x2d"];
    for kind in Kind::all() {
        for dim in 0..=2 {
            let name = format!("{}{}", kind.name(), "[]".repeat(dim.into()));
            let mut writer = TextWriter::new(Vec::new(), Dialect::Engine2021);
            writer.object("T", Some(1)).unwrap();
            let expected = match name.as_str() {
                name if reads.contains(&name) => Ok(()),
                _ if none.contains(&kind.name()) => Err(Unreadable::NoSuchKind(kind)),
                _ => Err(Unreadable::WriteOnly { kind, dim }),
            };
            let found = zeros(&mut writer, kind, dim).map_err(|error| match *error.kind() {
                WriteErrorKind::Unreadable(reason) => reason,
                other => panic!("{other}"),
            });
            assert_eq!(found, expected, "{name}");
            let mut writer = TextWriter::new(Vec::new(), Dialect::Engine2026);
            writer.object("T", Some(1)).unwrap();
            zeros(&mut writer, kind, dim).unwrap();
        }
    }
}

/// How the 2021 writer names what has another name today, in all dimensions that it had.
#[test]
fn names_of_2021() {
    let table = [
        (Kind::Vec4d, 0, r#""vd4:x":[0]"#),
        (Kind::Vec4d, 1, r#""v4d[]:x":[0]"#),
        (Kind::Vec2i, 0, r#""x:v2i":[0,0]"#),
        (Kind::Vec3i, 0, r#""x:v3i":[0,0,0]"#),
        (Kind::Vec4i, 0, r#""x:v3i":[0,0,0,0]"#),
        (Kind::Vec4i, 1, r#""v4i[]:x":[0]"#),
        (Kind::Mat4, 0, r#""m4x4:x":[[0],[0],[0],[0]]"#),
        (Kind::Mat4x3d, 0, r#""m4x3d:x":[[0],[0],[0],[0]]"#),
        (Kind::Quat, 0, r#""q4:x":[0,0,0,0]"#),
        (Kind::Char, 0, r#""c:x":0"#),
    ];
    for (kind, dim, text) in table {
        let mut writer = TextWriter::new(Vec::new(), Dialect::Engine2021);
        writer.force(true);
        writer.object("T", Some(1)).unwrap();
        zeros(&mut writer, kind, dim).unwrap();
        writer.end().unwrap();
        let expected = format!(r#"[{{"class":"T","i:*ptr":1,{text}}}]"#);
        let found = writer.finish().unwrap();
        assert_eq!(show(&found), show(expected.as_bytes()));
        // All of these are read by us.
        let mut again = TextWriter::new(Vec::new(), Dialect::Engine2021);
        self::again(&mut TextReader::new(&found), &mut again);
        assert_eq!(show(&again.finish().unwrap()), show(&found));
    }
}

#[test]
fn letters() {
    let put = |dialect, unit| refused_text(dialect, move |to| to.put("x", Unit(unit)));
    for (unit, text) in [
        (34, r#""\"""#),
        (92, r#""\\""#),
        (9, r#""\t""#),
        (10, r#""\n""#),
        (13, r#""\r""#),
        (8, r#""\b""#),
        (12, r#""\f""#),
    ] {
        let found = put(Dialect::Engine2026, unit);
        assert_eq!(found, (Unreadable::EscapedLetter, format!("\"c:x\":{text}")));
    }
    for half in [0xD800, 0xDFFF] {
        let found = put(Dialect::Engine2026, half);
        assert_eq!(found, (Unreadable::HalfPair, "\"c:x\":\"?\"".to_owned()));
    }
    // 2021 writes numbers for what is not common.
    for unit in 0..=u16::MAX {
        let mut writer = TextWriter::new(Vec::new(), Dialect::Engine2021);
        writer.object("T", None).unwrap();
        writer.put("x", Unit(unit)).unwrap();
        writer.end().unwrap();
        let text = String::from_utf8(writer.finish().unwrap()).unwrap();
        let common =
            "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789 _+-*/!§$%&()[]{}|~<>";
        let expected = match char::from_u32(unit.into()).filter(|c| common.contains(*c)) {
            Some(letter) => format!("'{letter}'"),
            None => unit.to_string(),
        };
        assert_eq!(text, format!(r#"[{{"class":"T","c:x":{expected}}}]"#));
    }
}

#[test]
fn streams_that_no_engine_reads() {
    let open = |era| move || BinaryWriter::new(Vec::new(), era);
    let finish = BinaryWriter::<Vec<u8>>::finish;
    let gaps = [
        Kind::Char,
        Kind::I16,
        Kind::Vec2i,
        Kind::Vec3i,
        Kind::Vec4i,
        Kind::Mat3,
        Kind::Mat4x3,
        Kind::Mat4,
        Kind::Mat3d,
        Kind::Mat4x3d,
        Kind::Mat4d,
        Kind::Aabb,
        Kind::Aabbd,
    ];
    for kind in gaps {
        let (reason, _) = refused(open(Era::October2021), object(|to| zeros(to, kind, 0)), finish);
        assert_eq!(reason, Unreadable::WriteOnly { kind, dim: 0 });
    }
    let mut writer = BinaryWriter::new(Vec::new(), Era::October2021);
    writer.object("T", Some(1)).unwrap();
    for kind in [Kind::Plane, Kind::Planed, Kind::Mat2, Kind::Mat3x2, Kind::Mat2d, Kind::Mat3x2d] {
        let error = zeros(&mut writer, kind, 0).unwrap_err();
        let expected = WriteErrorKind::NoSuchType { kind: Some(kind), dim: 0 };
        assert_eq!(*error.kind(), expected);
    }
    // All others can be written at both times; nothing of what was refused is there.
    for kind in Kind::all().filter(|kind| kind.name_2021().is_some() && !gaps.contains(kind)) {
        (0..=2).for_each(|dim| zeros(&mut writer, kind, dim).unwrap());
    }
    writer.end().unwrap();
    support::read(&mut BinaryReader::new(
        &writer.finish().unwrap(),
        Era::October2021,
        &mut Tables::new(),
    ))
    .unwrap();
    let mut writer = BinaryWriter::new(Vec::new(), Era::October2024);
    writer.object("T", Some(1)).unwrap();
    for kind in Kind::all() {
        (0..=2).for_each(|dim| zeros(&mut writer, kind, dim).unwrap());
    }
    let list = |to: &mut BinaryWriter<Vec<u8>>| {
        to.property(Type::Class("K".into(), 1), "x")?;
        to.list(0)?;
        to.end()
    };
    for era in [Era::October2021, Era::March2022] {
        assert_eq!(refused(open(era), object(list), finish).0, Unreadable::List);
    }
    object(list)(&mut open(Era::October2024)()).unwrap();
    for era in [Era::October2021, Era::October2024] {
        let (reason, stream) = refused(open(era), |_| Ok(()), finish);
        assert_eq!((reason, stream.len()), (Unreadable::NoObjects, 10));
        let latin = Str::new(b"\xE4");
        let (reason, _) =
            refused(open(era), object(|to: &mut BinaryWriter<Vec<u8>>| to.put(latin, 5)), finish);
        assert_eq!(reason, Unreadable::NotUtf8);
    }
    let lists = refused_text(Dialect::Engine2021, |to| {
        to.property(Type::Mixed(2), "x")?;
        to.list(1)?;
        to.list(0)?;
        to.end()?;
        to.end()
    });
    assert_eq!(lists, (Unreadable::List, "\"*[][]:x\":[1,[0]]".to_owned()));
}

/// What cannot stand where it comes; after that the file goes on as if it had not been there.
#[test]
fn out_of_turn() {
    fn all(to: &mut impl ItemSink, binary: bool) {
        let mut kinds = Vec::new();
        let mut fails = |result: Result<(), WriteError>| kinds.push(*result.unwrap_err().kind());
        fails(to.end());
        fails(to.pointer(1));
        fails(to.null());
        fails(to.list(0));
        fails(to.text(""));
        fails(to.parts(&[1]));
        fails(to.property(Type::Object, "x"));
        to.object("T", Some(1)).unwrap();
        fails(to.object("T", Some(2)));
        fails(to.parts(&[1]));
        to.property(Type::Kind(Kind::I32, 0), "x").unwrap();
        fails(to.property(Type::Kind(Kind::I32, 0), "y"));
        fails(to.end());
        fails(to.parts(&[1.0_f32]));
        fails(to.parts(&[1, 2]));
        fails(to.array(&[1]));
        fails(to.text(""));
        fails(to.null());
        fails(to.pointer(1));
        fails(to.object("T", Some(2)));
        to.parts(&[1]).unwrap();
        to.property(Type::Kind(Kind::Vec2, 1), "v").unwrap();
        fails(to.array(&[1.0_f32; 3]));
        fails(to.list(1));
        to.array(&[1.0_f32; 4]).unwrap();
        to.property(Type::Class("K".into(), 0), "k").unwrap();
        fails(to.object("L", Some(2)));
        fails(to.pointer(u32::MAX));
        fails(to.object("K", Some(u32::MAX)));
        to.null().unwrap();
        to.property(Type::Mixed(1), "l").unwrap();
        fails(to.list(u32::MAX));
        to.list(1).unwrap();
        to.pointer(1).unwrap();
        fails(to.pointer(1));
        to.end().unwrap();
        to.property(Type::Class("K".into(), 1), "one").unwrap();
        to.list(1).unwrap();
        fails(to.object("L", Some(3)));
        if binary {
            fails(to.null());
            fails(to.pointer(1));
            fails(to.end());
        }
        to.object("K", Some(3)).unwrap();
        to.end().unwrap();
        to.end().unwrap();
        to.end().unwrap();
        assert_eq!(kinds.len(), if binary { 29 } else { 26 });
        let turns = |kind: &&WriteErrorKind| matches!(kind, WriteErrorKind::OutOfTurn(_));
        assert_eq!(kinds.iter().filter(turns).count(), if binary { 17 } else { 15 });
    }
    let mut writer = TextWriter::new(Vec::new(), Dialect::Engine2026);
    all(&mut writer, false);
    let expected = r#"[{"class":"T","i:*ptr":1,"i:x":1,"v2[]:v":[2,[1],[1]],"K:k":null,"*[]:l":[1,1],"K[]:one":[1,{"i:*ptr":3}]}]"#;
    assert_eq!(show(&writer.finish().unwrap()), show(expected.as_bytes()));
    let mut writer = BinaryWriter::new(Vec::new(), Era::October2024);
    all(&mut writer, true);
    let stream = writer.finish().unwrap();
    let text = binary_to_text(&stream, Era::October2024, Dialect::Engine2026, FORCED);
    // The element of the list has lost its number; null has no class.
    let expected = expected.replace("K:k", "?:k").replace("ptr\":3", "ptr\":2");
    assert_eq!(show(&text), show(expected.as_bytes()));
}

/// A sink without room: nothing is there of what did not fit.
#[test]
fn full() {
    let text = &text_of(&cases(".text.json", 73)[0]);
    for room in 0..text.len() {
        let mut memory = vec![0; room];
        let mut writer = TextWriter::new(SliceSink::new(&mut memory), Dialect::Engine2021);
        let mut reader = TextReader::new(text);
        let result =
            rewrite(&mut reader, &mut writer, |_| {}).and_then(|()| writer.finish().map(drop));
        assert!(matches!(result.unwrap_err().kind(), WriteErrorKind::Full(_)));
        assert!(text.starts_with(&memory[..memory.iter().position(|b| *b == 0).unwrap_or(room)]));
    }
    let mut memory = vec![0; text.len()];
    let mut writer = TextWriter::new(SliceSink::new(&mut memory), Dialect::Engine2021);
    rewrite(&mut TextReader::new(text), &mut writer, |_| {}).unwrap();
    assert_eq!(writer.finish().unwrap().written(), text);
}

/// What a text declares and does not have is written in binary, but not without limit.
#[test]
fn declared_and_not_there() {
    let text = br#"[{"class":"T","i:*ptr":1,"i[]:a":[4,7],"q4[]:q":[1],"S[]:s":[2],"*[]:o":[3],"f[][]:r":[2,[1]],"S[][]:t":[1]}]"#;
    let stream = text_to_binary(text, Era::October2024, FORCED);
    let found = binary_to_text(&stream, Era::October2024, Dialect::Engine2026, FORCED);
    let expected = r#"[{"class":"T","i:*ptr":1,"i[]:a":[4,7],"q4[]:q":[1,[0,0,0,1]],"S[]:s":[2,"",""],"*[]:o":[3,null,null,null],"f[][]:r":[2,[1],[0]],"S[][]:t":[1,[0]]}]"#;
    assert_eq!(show(&found), show(expected.as_bytes()));
    let filled = 12 + 16 + 8 + 3 + 4 + 4 + 4;
    let convert_with = |limit| {
        let plan = Plan::of(&mut TextReader::new(text)).unwrap();
        let mut writer = BinaryWriter::new(Vec::new(), Era::October2024).fill_limit(limit);
        convert(&mut TextReader::new(text), &mut writer, &plan, FORCED, |_| {})
            .map_err(|e| *e.kind())
    };
    // (The one float that is missing in its row counts, too.)
    assert_eq!(convert_with(filled), Ok(()));
    let limit = filled - 1;
    assert_eq!(convert_with(limit), Err(WriteErrorKind::TooMuchToFill { limit }));
    for huge in [
        &b"[{\"class\":\"T\",\"i[]:a\":[2000000000]}]"[..],
        b"[{\"class\":\"T\",\"K[]:a\":[2000000000]}]",
    ] {
        let plan = Plan::of(&mut TextReader::new(huge)).unwrap();
        let mut writer = BinaryWriter::new(Vec::new(), Era::October2024);
        let error = convert(&mut TextReader::new(huge), &mut writer, &plan, FORCED, |_| {});
        let limit = 1 << 24;
        assert_eq!(*error.unwrap_err().kind(), WriteErrorKind::TooMuchToFill { limit });
    }
}

/// With each byte changed.
#[test]
fn damaged() {
    let mut random = random::Random::new(11);
    let mut damage = |bytes: &[u8], law: &dyn Fn(&[u8])| {
        law(bytes);
        for at in 0..bytes.len() {
            let mut bytes = bytes.to_vec();
            bytes[at] = match random.below(2) {
                0 => bytes[at] ^ (1 << random.below(8)),
                _ => random.next() as u8,
            };
            law(&bytes);
        }
    };
    for case in cases(".text.json", 73) {
        damage(&case.bytes, &laws::rems_text_written);
    }
    for case in cases(".binary.bin", 73) {
        damage(&case.bytes, &|bytes| laws::rems_binary_written(bytes, era_of(&case)));
    }
    for (_, bytes) in support::real() {
        laws::rems_text_written(&bytes);
    }
}

/// What the engines have printed, by the second opinion that Rust's own printing is: the digits
/// are the same, laid out by Java's rules.
fn java(digits: &str, size: f64) -> String {
    let (mantissa, exponent) = digits.split_once('e').unwrap();
    if !(1e-3..1e7).contains(&size.abs()) {
        let point = if mantissa.contains('.') { "" } else { ".0" };
        return format!("{mantissa}{point}E{exponent}");
    }
    let (sign, mantissa) = match mantissa.strip_prefix('-') {
        Some(mantissa) => ("-", mantissa),
        None => ("", mantissa),
    };
    let digits = mantissa.replace('.', "");
    let before: i32 = exponent.parse::<i32>().unwrap() + 1;
    match usize::try_from(before) {
        Ok(0) | Err(_) => format!("{sign}0.{}{digits}", "0".repeat(before.unsigned_abs() as usize)),
        Ok(before) if digits.len() <= before => {
            format!("{sign}{digits}{}", "0".repeat(before - digits.len()))
        }
        Ok(before) => format!("{sign}{}.{}", &digits[..before], &digits[before..]),
    }
}

/// Where a number is just in the middle between two of as many digits, Java takes the even one.
fn is_java(text: &str, shortest: &str, exact: &str, size: f64) -> bool {
    let digits = |text: &str| -> Vec<u8> {
        let mantissa = text.split(['e', 'E']).next().unwrap();
        let digits = mantissa.bytes().filter(u8::is_ascii_digit).skip_while(|digit| *digit == b'0');
        let mut digits: Vec<u8> = digits.collect();
        while digits.pop_if(|digit| *digit == b'0').is_some() {}
        digits
    };
    if text == java(shortest, size) {
        return true;
    }
    let (ours, exact) = (digits(text), digits(exact));
    let even = ours.last().is_some_and(|digit| digit % 2 == 0);
    let below = java(shortest, size).len() == text.len();
    even && below
        && exact.len() == ours.len() + 1
        && exact.ends_with(b"5")
        && exact.starts_with(&ours)
}

fn printed<P: gamewire::rems::Put>(dialect: Dialect, value: P) -> String {
    let mut writer = TextWriter::new(Vec::new(), dialect);
    writer.force(true);
    writer.object("T", None).unwrap();
    writer.put("x", value).unwrap();
    writer.end().unwrap();
    let text = String::from_utf8(writer.finish().unwrap()).unwrap();
    let value = text.strip_prefix(r#"[{"class":"T",""#).unwrap().strip_suffix("}]").unwrap();
    value.split_once("\":").unwrap().1.to_owned()
}

#[test]
fn numbers_as_java_prints_them() {
    let mut random = random::Random::new(3);
    for at in 0..40_000_u64 {
        let bits = match at % 4 {
            0 => random.next(),
            // Around one, and those that are short.
            1 => {
                random.next() >> 12
                    | (1023 - random.below(30) as u64 + random.below(30) as u64) << 52
            }
            2 => (random.below(2_000_000) as f64 / [1.0, 8.0, 10.0, 1000.0][random.below(4)])
                .to_bits(),
            _ => (at + 64) << random.below(12),
        };
        let value = f64::from_bits(bits);
        // Of the least numbers, two digits are asked for.
        let digits = format!("{value:e}");
        if !value.is_finite() || value == 0.0 || (digits.len() < 7 && value.abs() < 1e-320) {
            continue;
        }
        for dialect in DIALECTS {
            let text = printed(dialect, value);
            assert!(is_java(&text, &digits, &format!("{value:.99e}"), value), "{text} {digits}");
            assert_eq!(text.parse::<f64>().unwrap().to_bits(), bits);
        }
        let single = value as f32;
        if !single.is_finite() || single.abs() < f32::MIN_POSITIVE {
            continue;
        }
        let text = printed(Dialect::Engine2021, single);
        let exact = format!("{single:.99e}");
        assert!(is_java(&text, &format!("{single:e}"), &exact, single.into()), "{text} {exact}");
        assert_eq!(text.parse::<f32>().unwrap(), single);
        let text = printed(Dialect::Engine2026, single);
        let wide = f64::from(single);
        assert!(is_java(&text, &format!("{wide:e}"), &format!("{wide:.99e}"), wide), "{text}");
        assert_eq!(text.parse::<f32>().unwrap(), single);
    }
}

/// The least of all numbers have two digits, which may be others than the shortest and a zero.
#[test]
fn least_numbers() {
    for bits in 1..50_000_u64 {
        let value = f64::from_bits(bits);
        let text = printed(Dialect::Engine2026, value);
        assert_eq!(text.parse::<f64>().unwrap(), value);
        let (mantissa, _) = text.split_once('E').unwrap();
        assert!(mantissa.len() >= 3 && mantissa.as_bytes()[1] == b'.', "{text}");
        // No number of as many digits is nearer.
        let nearest = format!("{value:.*e}", mantissa.len() - 2).replace('e', "E");
        assert_eq!(text, nearest);
        let single = f32::from_bits(bits as u32);
        let text = printed(Dialect::Engine2021, single);
        assert_eq!(text.parse::<f32>().unwrap(), single);
        let (mantissa, _) = text.split_once('E').unwrap();
        assert_eq!(text, format!("{single:.*e}", mantissa.len() - 2).replace('e', "E"));
    }
}

#[test]
fn matrices_lose_what_is_small() {
    let put = |kind: Kind, parts: &[f32]| printed(Dialect::Engine2026, Many::one(kind, parts));
    // Row by row: 1e-8 is small beside 1, and not beside 1e-2.
    assert_eq!(
        put(Kind::Mat2, &[1.0, 0.01, 1e-8, 1e-8]),
        "[[1,0.009999999776482582],[0,9.99999993922529E-9]]"
    );
    assert_eq!(
        put(Kind::Mat2, &[1e-8, 0.0, f32::MIN_POSITIVE, 0.0]),
        "[[9.99999993922529E-9,0],[0]]"
    );
    // Of three columns of two rows, the third is not asked.
    assert_eq!(put(Kind::Mat3x2, &[0.5, 1.0, 0.25, 1.0, 1e9, 1.0]), "[[0.5,1],[0.25,1],[1.0E9,1]]");
    let stream = {
        let mut writer = BinaryWriter::new(Vec::new(), Era::October2024);
        writer.object("T", Some(1)).unwrap();
        writer.put("x", Many::one(Kind::Mat2, &[1.0_f32, 0.01, 1e-8, 1e-8])).unwrap();
        writer.end().unwrap();
        writer.finish().unwrap()
    };
    assert!(stream.windows(4).any(|bytes| bytes == 1e-8_f32.to_be_bytes()), "binary keeps it");
}

/// Short forms, in both times and widths; by `==`, so that 0 and -0 are the same and NaN is not.
#[test]
fn short_vectors() {
    for dialect in DIALECTS {
        let minus = if dialect == Dialect::Engine2021 { "-0" } else { "0" };
        assert_eq!(printed(dialect, [0.0_f32, -0.0]), "[0]");
        assert_eq!(printed(dialect, [-0.0_f32, 0.0]), format!("[{minus}]"));
        assert_eq!(printed(dialect, [0.0_f64, -0.0, 1.0]), format!("[0,{minus},1]"));
        assert_eq!(printed(dialect, [0.5_f32, 0.5, 0.5, 1.0]), "[0.5,1]");
        assert_eq!(printed(dialect, [0.5_f64, 0.5, 1.0, 1.0]), "[0.5,0.5,1,1]");
        assert_eq!(printed(dialect, Many::one(Kind::Quat, &[1.0_f32; 4])), "[1,1,1,1]");
        // In an array, a zero before the end keeps its sign, where that is written.
        let array = printed(dialect, &[-0.0_f64, 0.0, 3.0, -0.0][..]);
        assert_eq!(array, format!("[4,{minus},0,3]"));
    }
    assert_eq!(printed(Dialect::Engine2026, [3, 3]), "[3,3]");
    let plane = Many::one(Kind::Plane, &[1.0_f32; 4]);
    assert_eq!(printed(Dialect::Engine2026, plane), "[1,1,1,1]");
    let empty = Many::rows(Kind::Bool, &[&[true, false], &[], &[false, true]]);
    assert_eq!(printed(Dialect::Engine2026, empty), "[3,[2,1],[0],[2,0,1]]");
}

#[test]
fn colors_of_every_form() {
    let mut random = random::Random::new(5);
    for _ in 0..20_000 {
        let nibble = |random: &mut random::Random| random.below(16) as u32 * 0x11;
        let value = match random.below(3) {
            0 => random.next() as u32,
            1 => random.next() as u32 | 0xFF00_0000,
            _ => (0..4).fold(0, |color, _| color << 8 | nibble(&mut random)),
        };
        let text = printed(Dialect::Engine2026, Many::one(Kind::Color, &[value.cast_signed()]));
        let full = format!("{value:08x}");
        let pairs = full.as_bytes().chunks(2).all(|pair| pair[0] == pair[1]);
        let half: String = full.chars().step_by(2).collect();
        let expected = match (full.starts_with("ff"), pairs) {
            (true, true) => &half[1..],
            (false, true) => &half,
            (true, false) => &full[2..],
            (false, false) => &full,
        };
        assert_eq!(text, format!("\"#{expected}\""));
    }
}
