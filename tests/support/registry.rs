//! A writer of asset registries in each version, based on a description of the format.

use super::random::Random;
use super::strings::{string, utf16};
use std::collections::HashMap;

/// The contents of a registry, with the fields of all versions.
#[derive(Clone, Default)]
pub struct Model {
    /// Whether editor-only data are left out.
    pub filters: bool,
    pub assets: Vec<Asset>,
    pub nodes: Vec<Node>,
    pub packages: Vec<Package>,
}

/// A class: its package and its name.
type Class = (String, String);

#[derive(Clone, Default)]
pub struct Asset {
    pub package: String,
    pub path: String,
    pub name: String,
    pub class: Class,
    pub outer: String,
    pub tags: Vec<(String, Value)>,
    /// Each bundle has a name and paths. A path consists of a package, an asset, and an object in
    /// the asset.
    pub bundles: Vec<(String, Vec<[String; 3]>)>,
    pub chunks: Vec<i32>,
    pub flags: u32,
}

#[derive(Clone)]
pub enum Value {
    Ansi(String),
    Wide(String),
    Name(String),
    Path { class: Class, package: String, object: String },
    Text(String),
}

#[derive(Clone, Default)]
pub struct Node {
    /// Package, type of a primary asset, object and value.
    pub names: [Option<String>; 4],
    /// Each dependency has the index of a node, and the number that stands for its properties.
    pub packages: Vec<(i32, u8)>,
    pub uses: Vec<i32>,
    pub managed: Vec<(i32, u8)>,
    pub referencers: Vec<i32>,
}

#[derive(Clone, Default)]
pub struct Package {
    pub name: String,
    pub size: i64,
    pub hash: [u8; 20],
    pub md5: Option<[u8; 16]>,
    pub chunks: Vec<([u8; 12], [u8; 20])>,
    pub versions: [i32; 3],
    pub flags: u32,
    pub custom: Vec<([u8; 16], i32)>,
    pub classes: Vec<String>,
    pub extension: String,
}

/// The hashes that the file stores with each name.
#[derive(Clone, Copy)]
pub struct Hashes {
    /// In versions 2 to 7.
    pub table: fn(&str) -> [u16; 2],
    /// From version 8 on.
    pub batch: fn(&str) -> u64,
}

/// Hashes that are all 0.
pub const NO_HASHES: Hashes = Hashes { table: |_| [0; 2], batch: |_| 0 };

/// Splits a name into its text and its number.
fn split(name: &str) -> (&str, u32) {
    if let Some((text, number)) = name.rsplit_once('_')
        && let Ok(value) = number.parse::<u32>()
        && value.to_string() == number
    {
        return (text, value + 1);
    }
    (name, 0)
}

fn has_number(name: &str) -> bool {
    split(name).1 > 0
}

/// Returns a UTF-8 string without a NUL, after its size.
fn utf8(text: &str) -> Vec<u8> {
    [&(text.len() as u32).to_le_bytes()[..], text.as_bytes()].concat()
}

/// The names of a file, and the index of each name.
#[derive(Default)]
struct Names {
    list: Vec<String>,
    places: HashMap<String, u32>,
}

/// A part of a file. Names are collected in a table.
struct Out<'n> {
    version: u32,
    bytes: Vec<u8>,
    names: &'n mut Names,
}

impl Out<'_> {
    fn put(&mut self, bytes: impl AsRef<[u8]>) {
        self.bytes.extend(bytes.as_ref());
    }

    fn u32(&mut self, number: u32) {
        self.put(number.to_le_bytes());
    }

    fn count(&mut self, count: usize) {
        self.u32(count as u32);
    }

    fn align(&mut self) {
        if self.version >= 24 {
            self.bytes.resize(self.bytes.len().next_multiple_of(16), 0);
        }
    }

    /// Returns the index of a name in the table.
    fn index(&mut self, text: &str) -> u32 {
        let Names { list, places } = &mut *self.names;
        *places.entry(text.into()).or_insert_with(|| {
            list.push(text.into());
            list.len() as u32 - 1
        })
    }

    fn name(&mut self, name: &str) {
        if self.version < 2 {
            return self.put(string(name));
        }
        let (text, number) = split(name);
        let index = self.index(text);
        match (self.version, number) {
            (..8, _) => {
                self.u32(index);
                self.u32(number);
            }
            (_, 0) => self.u32(index),
            _ => {
                self.u32(index | 0x8000_0000);
                self.u32(number);
            }
        }
    }

    fn class(&mut self, (package, name): &Class) {
        if self.version >= 14 {
            self.name(package);
        }
        self.name(name);
    }

    fn indices(&mut self, list: &[i32]) {
        self.count(list.len());
        list.iter().for_each(|index| self.put(index.to_le_bytes()));
    }

    /// Writes a list of nodes, and then a number of `width` bits for each node.
    fn flagged(&mut self, list: &[(i32, u8)], width: usize) {
        self.indices(&list.iter().map(|(node, _)| *node).collect::<Vec<_>>());
        let mut words = vec![0u32; (list.len() * width).div_ceil(32)];
        for (index, (_, number)) in list.iter().enumerate() {
            for bit in (0..width).filter(|bit| number >> bit & 1 == 1) {
                let place = index * width + bit;
                words[place / 32] |= 1 << (place % 32);
            }
        }
        words.iter().for_each(|word| self.u32(*word));
    }
}

/// The parts of a store.
#[derive(Default)]
struct Store {
    numberless_names: Vec<String>,
    names: Vec<String>,
    numberless_paths: Vec<(Class, String, String)>,
    paths: Vec<(Class, String, String)>,
    texts: Vec<String>,
    ansi: Vec<String>,
    wide: Vec<String>,
    numberless_pairs: Vec<(String, u32)>,
    pairs: Vec<(String, u32)>,
}

fn push<T>(list: &mut Vec<T>, item: T, kind: u32) -> u32 {
    list.push(item);
    (list.len() as u32 - 1) << 3 | kind
}

impl Store {
    /// Adds a value, and returns its type and index.
    fn value(&mut self, value: &Value) -> u32 {
        match value.clone() {
            Value::Ansi(text) => push(&mut self.ansi, text, 0),
            Value::Wide(text) => push(&mut self.wide, text, 1),
            Value::Name(name) if has_number(&name) => push(&mut self.names, name, 3),
            Value::Name(name) => push(&mut self.numberless_names, name, 2),
            Value::Path { class, package, object } => {
                match [&class.0, &class.1, &package, &object].iter().any(|name| has_number(name)) {
                    true => push(&mut self.paths, (class, object, package), 5),
                    false => push(&mut self.numberless_paths, (class, object, package), 4),
                }
            }
            Value::Text(text) => push(&mut self.texts, text, 6),
        }
    }

    /// Adds the tags of an asset, and returns where they are.
    fn tags(&mut self, tags: &[(String, Value)]) -> u64 {
        let numberless = !tags.iter().any(|(key, _)| has_number(key));
        let pairs: Vec<_> =
            tags.iter().map(|(key, value)| (key.clone(), self.value(value))).collect();
        let list = if numberless { &mut self.numberless_pairs } else { &mut self.pairs };
        let start = list.len() as u64;
        list.extend(pairs);
        if tags.is_empty() {
            return 0;
        }
        u64::from(numberless) << 63 | (tags.len() as u64) << 32 | start
    }

    fn write(&self, texts_first: bool, out: &mut Out<'_>) {
        out.align();
        out.u32(if texts_first { 0x1234_5679 } else { 0x1234_5678 });
        let ansi_len: usize = self.ansi.iter().map(|text| text.len() + 1).sum();
        let wide_len: usize = self.wide.iter().map(|text| text.encode_utf16().count() + 1).sum();
        for count in [
            self.numberless_names.len(),
            self.names.len(),
            self.numberless_paths.len(),
            self.paths.len(),
            self.texts.len(),
            self.ansi.len(),
            self.wide.len(),
            ansi_len,
            wide_len,
            self.numberless_pairs.len(),
            self.pairs.len(),
        ] {
            out.count(count);
        }
        let form = if out.version >= 19 { utf8 } else { string };
        let texts = self.texts.iter().map(|text| form(text)).collect::<Vec<_>>().concat();
        if texts_first {
            out.count(texts.len());
            out.align();
            out.put(&texts);
        }
        out.align();
        self.numberless_names.iter().for_each(|name| out.name(name));
        out.align();
        self.names.iter().for_each(|name| out.name(name));
        for paths in [&self.numberless_paths, &self.paths] {
            out.align();
            for (class, object, package) in paths {
                out.class(class);
                out.name(object);
                out.name(package);
            }
        }
        if !texts_first {
            out.put(&texts);
        }
        self.write_strings(out);
        for pairs in [&self.numberless_pairs, &self.pairs] {
            out.align();
            for (key, value) in pairs {
                out.name(key);
                out.u32(*value);
            }
        }
        out.u32(0x8765_4321);
    }

    fn write_strings(&self, out: &mut Out<'_>) {
        let ansi: Vec<Vec<u8>> =
            self.ansi.iter().map(|text| [text.as_bytes(), &[0]].concat()).collect();
        let wide: Vec<Vec<u8>> =
            self.wide.iter().map(|text| [utf16(text), vec![0; 2]].concat()).collect();
        for (strings, unit) in [(&ansi, 1), (&wide, 2)] {
            out.align();
            let mut offset = 0;
            for string in strings {
                out.count(offset);
                offset += string.len() / unit;
            }
        }
        for strings in [&ansi, &wide] {
            out.align();
            strings.iter().for_each(|string| out.put(string));
        }
    }
}

impl Value {
    /// Returns the value as versions below 8 store it.
    pub fn text(&self) -> String {
        match self {
            Self::Ansi(text) | Self::Wide(text) | Self::Name(text) | Self::Text(text) => {
                text.clone()
            }
            Self::Path { class, package, object } => path_text(&class.1, package, object),
        }
    }

    /// Returns the text that gamewire displays for the value in a file of this version.
    fn displayed(&self, version: u32) -> String {
        match self {
            Self::Path { class: (of, name), package, object } if version >= 14 => {
                let class = if of == "None" { name.clone() } else { format!("{of}.{name}") };
                path_text(if name == "None" { "None" } else { &class }, package, object)
            }
            _ => self.text(),
        }
    }
}

fn path_text(class: &str, package: &str, object: &str) -> String {
    let path = match (package, object) {
        ("None", "None") => String::new(),
        ("None", object) => object.into(),
        (package, "None") => package.into(),
        (package, object) => format!("{package}.{object}"),
    };
    if class == "None" { path } else { format!("{class}'{path}'") }
}

fn asset(asset: &Asset, filters: bool, store: &mut Store, out: &mut Out<'_>) {
    if out.version < 15 {
        out.name(&format!("{}.{}", asset.package, asset.name));
    }
    out.name(&asset.path);
    out.class(&asset.class);
    if out.version < 4 {
        out.name("None");
    }
    out.name(&asset.package);
    out.name(&asset.name);
    if out.version >= 15 && !(filters && out.version >= 16) {
        out.name(&asset.outer);
    }
    if out.version < 8 {
        out.count(asset.tags.len());
        for (key, value) in &asset.tags {
            out.name(key);
            out.put(string(&value.text()));
        }
    } else {
        out.put(store.tags(&asset.tags).to_le_bytes());
        out.count(asset.bundles.len());
        for (name, paths) in &asset.bundles {
            out.name(name);
            out.count(paths.len());
            for [package, asset, sub_path] in paths {
                match out.version {
                    15.. => {
                        out.name(package);
                        out.name(asset);
                    }
                    _ => out.name(&format!("{package}.{asset}")),
                }
                out.put(if out.version >= 19 { utf8(sub_path) } else { string(sub_path) });
            }
        }
    }
    out.indices(&asset.chunks);
    out.u32(asset.flags);
}

/// Splits a list into the nodes whose number has the bit `bit`, and all others.
fn by_bit(list: &[(i32, u8)], bit: u8) -> [Vec<i32>; 2] {
    let of = |set: bool| {
        let chosen = list.iter().filter(|(_, number)| (number & bit != 0) == set);
        chosen.map(|(node, _)| *node).collect()
    };
    [of(true), of(false)]
}

fn node(node: &Node, out: &mut Out<'_>) {
    let bits = node.names.iter().enumerate().map(|(bit, name)| u8::from(name.is_some()) << bit);
    out.put([bits.sum::<u8>()]);
    node.names.iter().flatten().for_each(|name| out.name(name));
    if out.version >= 7 {
        out.flagged(&node.packages, 5);
        out.indices(&node.uses);
        out.flagged(&node.managed, if out.version >= 22 { 3 } else { 1 });
        return out.indices(&node.referencers);
    }
    let [hard, soft] = by_bit(&node.packages, 1);
    let [mut direct, mut indirect] = by_bit(&node.managed, 1);
    if out.version < 5 {
        indirect.append(&mut direct);
    }
    let mut lists = vec![hard, soft, node.uses.clone(), indirect];
    if out.version >= 5 {
        lists.push(direct);
    }
    lists.push(node.referencers.clone());
    lists.iter().for_each(|list| out.count(list.len()));
    lists.iter().flatten().for_each(|index| out.put(index.to_le_bytes()));
}

fn package(package: &Package, out: &mut Out<'_>) {
    let version = out.version;
    out.name(&package.name);
    out.put(package.size.to_le_bytes());
    out.put(if version >= 20 { &package.hash[..] } else { &package.hash[..16] });
    if version >= 6 {
        out.count(usize::from(package.md5.is_some()));
        package.md5.iter().for_each(|md5| out.put(md5));
    }
    if version >= 13 {
        out.count(package.chunks.len());
        package.chunks.iter().for_each(|(chunk, hash)| out.put([&chunk[..], hash].concat()));
    }
    if version >= 9 {
        let [ue4, ue5, licensee] = package.versions;
        let versions = if version >= 11 { vec![ue4, ue5] } else { vec![ue4] };
        versions.iter().for_each(|number| out.put(number.to_le_bytes()));
        out.put(licensee.to_le_bytes());
        out.u32(package.flags);
        out.count(package.custom.len());
        for (guid, number) in &package.custom {
            out.put(guid);
            out.put(number.to_le_bytes());
        }
    }
    if version >= 10 {
        out.count(package.classes.len());
        package.classes.iter().for_each(|class| out.name(class));
    }
    if version >= 17 {
        out.put(string(&package.extension));
    }
}

/// Returns the parts after the store.
fn body(model: &Model, version: u32, names: &mut Names) -> (Store, Vec<u8>) {
    let (mut store, mut out) = (Store::default(), Out { version, bytes: Vec::new(), names });
    out.count(model.assets.len());
    model.assets.iter().for_each(|one| asset(one, model.filters, &mut store, &mut out));
    if version < 4 {
        return (store, out.bytes);
    }
    let start = out.bytes.len();
    out.count(model.nodes.len());
    model.nodes.iter().for_each(|one| node(one, &mut out));
    if version >= 7 {
        let size = (out.bytes.len() - start) as u64;
        out.bytes.splice(start..start, size.to_le_bytes());
    }
    out.count(model.packages.len());
    model.packages.iter().for_each(|one| package(one, &mut out));
    (store, out.bytes)
}

/// Returns a batch of names.
fn batch(names: &[String], hash: fn(&str) -> u64) -> Vec<u8> {
    let mut out = (names.len() as u32).to_le_bytes().to_vec();
    if names.is_empty() {
        return out;
    }
    let texts: Vec<(u16, Vec<u8>)> = names
        .iter()
        .map(|text| match text.is_ascii() {
            true => (text.len() as u16, text.as_bytes().to_vec()),
            false => (0x8000 | text.encode_utf16().count() as u16, utf16(text)),
        })
        .collect();
    out.extend((texts.iter().map(|(_, text)| text.len()).sum::<usize>() as u32).to_le_bytes());
    out.extend(0xC164_0000u64.to_le_bytes());
    names.iter().for_each(|text| out.extend(hash(text).to_le_bytes()));
    texts.iter().for_each(|(length, _)| out.extend(length.to_be_bytes()));
    texts.iter().for_each(|(_, text)| out.extend(text));
    out
}

/// Writes a registry. `texts_first` chooses between the two orders of a store. Version 24 has only
/// one order.
pub fn write(model: &Model, version: u32, texts_first: bool, hashes: Hashes) -> Vec<u8> {
    let texts_first = texts_first || version >= 24;
    let mut file = Vec::new();
    for word in [0x717F_9EE7u32, 0xE9B0_493A, 0x88B3_9132, 0x1B38_8107, version] {
        file.extend(word.to_le_bytes());
    }
    if version >= 16 {
        file.extend(u32::from(model.filters).to_le_bytes());
    }
    let mut names = Names::default();
    let (store, body) = body(model, version, &mut names);
    if version >= 8 {
        // The first pass collects the names, which precede the store.
        store.write(texts_first, &mut Out { version, bytes: Vec::new(), names: &mut names });
        file.extend(batch(&names.list, hashes.batch));
        let mut out = Out { version, bytes: file, names: &mut names };
        store.write(texts_first, &mut out);
        out.put(body);
        return out.bytes;
    }
    if version >= 2 {
        file.extend(((file.len() + 8 + body.len()) as u64).to_le_bytes());
    }
    file.extend(body);
    if version >= 2 {
        file.extend((names.list.len() as u32).to_le_bytes());
        for name in &names.list {
            file.extend(string(name));
            (hashes.table)(name).iter().for_each(|hash| file.extend(hash.to_le_bytes()));
        }
    }
    file
}

/// The combinations for each number that a file stores for three properties.
const THREE: [&str; 19] = [
    "0", "1", "2", "3", "4", "5", "6", "7", "1+2", "1+4", "1+6", "2+4", "2+5", "3+4", "3+5", "3+6",
    "5+6", "1+2+4", "3+5+6",
];
/// The combinations for each number that a file stores for two properties.
const TWO: [&str; 5] = ["0", "1", "2", "3", "1+2"];

/// Returns lines that describe the part of the model that a file of this version stores.
pub fn lines(model: &Model, version: u32) -> Vec<String> {
    let mut lines = vec![format!("version {version}")];
    if version >= 16 {
        lines.push(format!("filters {}", model.filters));
    }
    for asset in &model.assets {
        let Asset { package, path, name, class: (of, class), outer, .. } = asset;
        let class = if version >= 14 { format!("{of}.{class}") } else { class.clone() };
        lines.push(format!("asset {package} {path} {name} {class}"));
        if version < 15 {
            lines.push(format!("object {package}.{name}"));
        } else if !(model.filters && version >= 16) {
            lines.push(format!("outer {outer}"));
        }
        let tags = asset.tags.iter();
        lines.extend(tags.map(|(key, value)| format!("tag {key}={}", value.displayed(version))));
        for (name, paths) in asset.bundles.iter().filter(|_| version >= 8) {
            lines.push(format!("bundle {name}"));
            lines.extend(paths.iter().map(|[package, asset, sub_path]| {
                let colon = if sub_path.is_empty() { "" } else { ":" };
                format!("path {package}.{asset}{colon}{sub_path}")
            }));
        }
        lines.push(format!("chunks {:?} flags {}", asset.chunks, asset.flags));
    }
    if version >= 4 {
        model.nodes.iter().for_each(|node| node_lines(node, version, &mut lines));
        model.packages.iter().for_each(|package| lines.push(package_line(package, version)));
    }
    lines
}

fn node_lines(node: &Node, version: u32, lines: &mut Vec<String>) {
    lines.push(format!("node {:?} {:?} {:?}", node.names, node.uses, node.referencers));
    let mut put = |kind: &str, index: i32, bits: &str| lines.push(format!("{kind} {index} {bits}"));
    if version >= 7 {
        node.packages.iter().for_each(|(index, of)| put("needs", *index, THREE[usize::from(*of)]));
        for (index, of) in &node.managed {
            let of = if version >= 22 { *of } else { of & 1 | 2 };
            put("manages", *index, TWO[usize::from(of)]);
        }
        return;
    }
    let [hard, soft] = by_bit(&node.packages, 1);
    hard.iter().for_each(|index| put("needs", *index, "7"));
    soft.iter().for_each(|index| put("needs", *index, "6"));
    let [direct, indirect] = by_bit(&node.managed, 1);
    indirect.iter().for_each(|index| put("manages", *index, "2"));
    direct.iter().for_each(|index| put("manages", *index, if version >= 5 { "3" } else { "2" }));
}

fn package_line(package: &Package, version: u32) -> String {
    let guid: String = package.hash[..16]
        .as_chunks::<4>()
        .0
        .iter()
        .map(|word| format!("{:08X}", u32::from_le_bytes(*word)))
        .collect();
    let hash = if version >= 20 { format!("{:?}", package.hash) } else { guid };
    let md5 = package.md5.filter(|_| version >= 6);
    let chunks = if version >= 13 { &package.chunks[..] } else { &[] };
    let [ue4, ue5, licensee] = package.versions;
    let ue5 = if version >= 11 { ue5 } else { 0 };
    let custom: Vec<i32> = package.custom.iter().map(|(_, number)| *number).collect();
    let versions =
        (version >= 9).then(|| format!("{ue4} {ue5} {licensee} {} {custom:?}", package.flags));
    let classes = if version >= 10 { &package.classes[..] } else { &[] };
    let extension = (version >= 17).then_some(&package.extension);
    format!(
        "package {} {} {hash} {md5:?} {chunks:?} {versions:?} {classes:?} {extension:?}",
        package.name, package.size
    )
}

/// Names for random models. Some have a number, and some are not ASCII.
const NAMES: [&str; 12] = [
    "None",
    "World",
    "/Game/Maps/Start",
    "/Game/Maps",
    "/Script/Engine",
    "Texture2D",
    "Wall_3",
    "Wall_03",
    "Wall_0",
    "Überall",
    "日本",
    "A long name that takes more bytes than all others in this list of names",
];

fn some_name(random: &mut Random) -> String {
    random.one_of(&NAMES).into()
}

fn list<T>(random: &mut Random, most: usize, item: impl Fn(&mut Random) -> T) -> Vec<T> {
    (0..random.below(most + 1)).map(|_| item(random)).collect()
}

fn some_class(random: &mut Random) -> Class {
    (some_name(random), some_name(random))
}

fn some_value(random: &mut Random) -> Value {
    match random.below(5) {
        0 => Value::Ansi(random.one_of(&["", "True", "512x512", "a\tb"]).into()),
        1 => Value::Wide(random.one_of(&["Überall", "日本", "𝄞"]).into()),
        2 => Value::Name(some_name(random)),
        3 => Value::Path {
            class: some_class(random),
            package: some_name(random),
            object: some_name(random),
        },
        _ => Value::Text(random.one_of(&["NSLOCTEXT(\"\", \"K\", \"T\")", "", "Grüße"]).into()),
    }
}

fn some_asset(random: &mut Random) -> Asset {
    Asset {
        package: some_name(random),
        path: some_name(random),
        name: some_name(random),
        class: some_class(random),
        outer: some_name(random),
        tags: list(random, 5, |random| (some_name(random), some_value(random))),
        bundles: list(random, 2, |random| {
            let path = |random: &mut Random| {
                [some_name(random), "Asset".into(), random.one_of(&["", "Sub.Object"]).into()]
            };
            (some_name(random), list(random, 3, path))
        }),
        chunks: list(random, 3, |random| random.below(100) as i32),
        flags: random.next() as u32,
    }
}

fn some_node(random: &mut Random, count: usize) -> Node {
    let index = |random: &mut Random| random.below(count) as i32;
    let name = |random: &mut Random| (random.below(2) == 0).then(|| some_name(random));
    Node {
        names: [name(random), name(random), name(random), name(random)],
        packages: list(random, 20, |random| (index(random), random.below(19) as u8)),
        uses: list(random, 3, index),
        managed: list(random, 20, |random| (index(random), random.below(5) as u8)),
        referencers: list(random, 3, index),
    }
}

fn bytes<const N: usize>(random: &mut Random) -> [u8; N] {
    std::array::from_fn(|_| random.next() as u8)
}

fn some_package(random: &mut Random) -> Package {
    Package {
        name: some_name(random),
        size: random.below(1 << 40) as i64,
        hash: bytes(random),
        md5: (random.below(2) == 0).then(|| bytes(random)),
        chunks: list(random, 2, |random| (bytes(random), bytes(random))),
        versions: [522, 1009, random.below(3) as i32],
        flags: random.below(4) as u32,
        custom: list(random, 3, |random| (bytes(random), random.below(50) as i32)),
        classes: list(random, 3, some_name),
        extension: random.one_of(&["", ".uasset", ".umap"]).into(),
    }
}

/// Returns a random model.
pub fn some_model(random: &mut Random) -> Model {
    let nodes = random.below(6);
    Model {
        filters: random.below(2) == 0,
        assets: list(random, 6, some_asset),
        nodes: (0..nodes).map(|_| some_node(random, nodes)).collect(),
        packages: list(random, 4, some_package),
    }
}

/// Returns a small model, without random values.
pub fn sample() -> Model {
    let names = |names: [&str; 4]| names.map(String::from);
    let [package, path, name, engine] =
        names(["/Game/Maps/Start", "/Game/Maps", "Start", "/Script/Engine"]);
    let tag = |key: &str, value| (key.to_string(), value);
    let class = (engine.clone(), "World".to_string());
    let texture = Value::Path {
        class: (engine.clone(), "Texture2D".into()),
        package: "/Game/Textures/Wall_3".into(),
        object: "Wall_3".into(),
    };
    let start = Asset {
        tags: vec![
            tag("Title", Value::Ansi("A long way".into())),
            tag("Place", Value::Wide("Überall".into())),
            tag("PrimaryAssetType", Value::Name("Map".into())),
            tag("Preview", texture),
            tag("Greeting", Value::Text("NSLOCTEXT(\"Menu\", \"Hello\", \"Hello\")".into())),
        ],
        bundles: vec![("Client".into(), vec![names3("/Game/Textures/Wall_3", "Wall_3", "")])],
        chunks: vec![0],
        flags: 0x20000,
        ..some_plain_asset(&package, &path, &name, class)
    };
    let wall = Asset {
        tags: vec![tag("Dimensions", Value::Ansi("512x512".into()))],
        chunks: vec![0, 7],
        ..some_plain_asset(
            "/Game/Textures/Wall_3",
            "/Game/Textures",
            "Wall_3",
            (engine.clone(), "Texture2D".into()),
        )
    };
    let node =
        |package: &str| Node { names: [Some(package.into()), None, None, None], ..Node::default() };
    let nodes = vec![
        Node { packages: vec![(1, 7), (2, 3)], managed: vec![(1, 3)], ..node(&package) },
        Node { packages: vec![(2, 3)], referencers: vec![0], ..node("/Game/Textures/Wall_3") },
        Node { referencers: vec![0, 1], ..node(&engine) },
    ];
    let packages = vec![Package {
        name: package,
        size: 4711,
        hash: [0xAB; 20],
        md5: Some([0xCD; 16]),
        chunks: vec![([1; 12], [2; 20])],
        versions: [522, 1009, 0],
        custom: vec![([0x11; 16], 42)],
        classes: vec!["World".into()],
        extension: ".umap".into(),
        ..Package::default()
    }];
    Model { filters: true, assets: vec![start, wall], nodes, packages }
}

fn names3(package: &str, asset: &str, sub_path: &str) -> [String; 3] {
    [package, asset, sub_path].map(String::from)
}

fn some_plain_asset(package: &str, path: &str, name: &str, class: Class) -> Asset {
    Asset {
        package: package.into(),
        path: path.into(),
        name: name.into(),
        class,
        outer: "None".into(),
        ..Asset::default()
    }
}
