//! Generates mappings, and exports whose properties have no tags and match these mappings. The code
//! follows the descriptions of both formats, and uses the crate only to write the header of the
//! package.

pub mod declared;
pub mod linked;

use crate::support::random::Random;
use gamewire::unreal::tables::{FileVersions, Import, Summary};
use gamewire::unreal::{ByteOrder, Layout, Name, PackageIndex, StrBuf, Value, Versions};
use serde_json::{Map, Value as Json, json};

/// Generated mappings, and an export whose class is `Thing`.
pub struct Made {
    /// A file of mappings without compression.
    pub mappings: Vec<u8>,
    /// A package without exports, whose import 0 is the class.
    pub header: Vec<u8>,
    pub versions: Versions,
    /// The bytes of an export.
    pub export: Vec<u8>,
    /// Number of bytes of `export` before the GUID flag.
    pub size: usize,
    /// The properties as a document, without offsets and sizes.
    pub properties: Json,
}

/// Names of the package. The name of an enum entry begins with the name of its enum.
const NAMES: &[&str] = &[
    "None",
    "Thing",
    "Alpha",
    "Beta",
    "/Game/Asset",
    "EKind::One",
    "EKind::Two",
    "ÜberName",
    "EWide::Big",
];

#[derive(Clone)]
enum Type {
    Plain(u8),
    Struct(String),
    Enum(usize, u8),
    Array(Box<Type>),
    Set(Box<Type>),
    Optional(Box<Type>),
    Map(Box<Type>, Box<Type>),
}

struct Property {
    name: String,
    elements: u8,
    of: Type,
}

struct Struct {
    name: String,
    parent: Option<usize>,
    properties: Vec<Property>,
}

struct Enum {
    name: &'static str,
    entries: Vec<(&'static str, i64)>,
}

pub struct Generator {
    random: Random,
    version: u8,
    versions: Versions,
    enums: Vec<Enum>,
    structs: Vec<Struct>,
    /// `true` if the package can declare structs. Engines that write such declarations no longer
    /// have asset references (`AssetObjectProperty`).
    is_newer: bool,
    /// The index of the first struct that a property can contain.
    inner: usize,
}

/// Structs with native serialization, which have no header of slots.
const NATIVE: &[&str] = &[
    "Vector",
    "Guid",
    "Color",
    "IntPoint",
    "DateTime",
    "LinearColor",
    "NameCurveKey",
    "StringCurveKey",
    "PerPlatformInt",
];

/// Underlying types of enums: the number of the type, its size in bytes, and whether it is signed.
const UNDERLYING: &[(u8, usize, bool)] = &[
    (0, 1, false),
    (23, 1, true),
    (20, 2, false),
    (22, 2, true),
    (19, 4, false),
    (2, 4, true),
    (18, 8, false),
    (21, 8, true),
];

/// File versions of the generated packages.
pub const VERSIONS: &[(i32, i32)] = &[
    (522, 0),
    (522, 1004),
    (522, 1008),
    (522, 1009),
    (522, 1012),
    (522, 1013),
    (522, 1017),
    (522, 1018),
];

impl Made {
    /// Returns the header of a package with an export of this size.
    pub fn with_export_of(&self, size: usize) -> Vec<u8> {
        let names: Vec<_> = NAMES.iter().map(|name| name.to_string()).collect();
        let export = Stored { class: -1, parent: 0, name: 2, size, offset: 0 };
        package(self.versions, &names, &[1], &[export])
    }

    pub fn new(seed: u64) -> Self {
        let mut made = Generator::new(seed);
        made.declare();
        let class = made.structs.len() - 1;
        let (mut bytes, properties) = made.list(class, 0);
        let is_54 = (1010..=1012).contains(&made.versions.ue5);
        if is_54 {
            bytes.splice(0..0, [0; 4]);
        }
        let size = bytes.len();
        bytes.extend([0; 4]);
        bytes.extend(b"tail");
        Self {
            mappings: made.mappings(made.structs.len()),
            header: header(made.versions),
            versions: made.versions,
            export: bytes,
            size,
            properties,
        }
    }
}

impl Generator {
    fn new(seed: u64) -> Self {
        let mut random = Random::new(seed);
        let (ue4, ue5) = random.one_of(VERSIONS);
        let version = random.below(5) as u8;
        let versions = Versions { ue4, ue5 };
        let (enums, structs) = (Vec::new(), Vec::new());
        Self { random, version, versions, enums, structs, is_newer: false, inner: 0 }
    }

    /// Declares enums, structs and the class `Thing` with a chain of super classes.
    fn declare(&mut self) {
        let big = if self.version >= 4 { 100 } else { 1 };
        self.enums = vec![
            Enum { name: "EKind", entries: vec![("None", 0), ("One", 1), ("Two", 2)] },
            Enum { name: "EWide", entries: vec![("Zero", 0), ("Big", big)] },
        ];
        for index in 0..3 {
            let parent = (index > 0 && self.random.below(2) == 0).then(|| self.random.below(index));
            let parent = parent.map(|parent| self.inner + parent);
            self.declare_struct(format!("Inner{index}"), parent, 6);
        }
        let levels = self.random.below(4);
        let mut parent = None;
        for index in 0..levels {
            self.declare_struct(format!("Base{index}"), parent, 20);
            parent = Some(self.structs.len() - 1);
        }
        let most = self.random.one_of(&[8, 40, 300]);
        self.declare_struct("Thing".into(), parent, most);
    }

    fn declare_struct(&mut self, name: String, parent: Option<usize>, most: usize) {
        let known = self.structs.len();
        let properties = (0..self.random.below(most)).map(|index| Property {
            name: format!("{name}P{index}{}", if index == 3 { "é" } else { "" }),
            elements: if self.random.below(9) == 0 { 2 + self.random.below(3) as u8 } else { 1 },
            of: self.type_of(known, 0),
        });
        let properties = properties.collect();
        self.structs.push(Struct { name, parent, properties });
    }

    fn type_of(&mut self, known: usize, depth: u32) -> Type {
        let inner = |this: &mut Self| Box::new(this.type_of(known, depth + 1));
        match self.random.below(if depth < 3 { 40 } else { 34 }) {
            number @ 0..=7 => Type::Plain(number as u8),
            16 if self.is_newer => Type::Plain(10),
            number @ 10..=23 => Type::Plain(number as u8),
            number @ 27..=30 if number != 28 => Type::Plain(number as u8),
            8 | 9 => {
                let (number, ..) = self.random.one_of(UNDERLYING);
                Type::Enum(self.random.below(2), number)
            }
            24..=26 if known > self.inner => {
                let index = self.inner + self.random.below((known - self.inner).min(3));
                Type::Struct(self.structs[index].name.clone())
            }
            34 | 35 => Type::Array(inner(self)),
            36 => Type::Set(inner(self)),
            37 => Type::Optional(inner(self)),
            38 | 39 => Type::Map(inner(self), inner(self)),
            _ => Type::Struct(self.random.one_of(NATIVE).into()),
        }
    }

    /// Returns a mappings file with the first `structs` structs.
    fn mappings(&self, structs: usize) -> Vec<u8> {
        let mut names: Vec<String> = Vec::new();
        let mut tables = (self.enums.len() as u32).to_le_bytes().to_vec();
        let wide = |version, from: u8, count: usize, to: &mut Vec<u8>| match version >= from {
            true => to.extend((count as u16).to_le_bytes()),
            false => to.push(count as u8),
        };
        fn put(name: &str, names: &mut Vec<String>, to: &mut Vec<u8>) {
            let at = names.iter().position(|known| known == name).unwrap_or_else(|| {
                names.push(name.into());
                names.len() - 1
            });
            to.extend((at as u32).to_le_bytes());
        }
        fn write(of: &Type, enums: &[Enum], names: &mut Vec<String>, to: &mut Vec<u8>) {
            match of {
                Type::Plain(number) => to.push(*number),
                Type::Struct(name) => {
                    to.push(9);
                    put(name, names, to);
                }
                Type::Enum(index, number) => {
                    to.extend([26, *number]);
                    put(enums[*index].name, names, to);
                }
                Type::Array(of) => {
                    to.push(8);
                    write(of, enums, names, to);
                }
                Type::Set(of) => {
                    to.push(25);
                    write(of, enums, names, to);
                }
                Type::Optional(of) => {
                    to.push(28);
                    write(of, enums, names, to);
                }
                Type::Map(key, value) => {
                    to.push(24);
                    write(key, enums, names, to);
                    write(value, enums, names, to);
                }
            }
        }
        for of in &self.enums {
            put(of.name, &mut names, &mut tables);
            wide(self.version, 3, of.entries.len(), &mut tables);
            for (name, value) in &of.entries {
                if self.version >= 4 {
                    tables.extend(value.to_le_bytes());
                }
                put(name, &mut names, &mut tables);
            }
        }
        tables.extend((structs as u32).to_le_bytes());
        for of in &self.structs[..structs] {
            put(&of.name, &mut names, &mut tables);
            match of.parent {
                Some(parent) => put(&self.structs[parent].name, &mut names, &mut tables),
                None => tables.extend((-1i32).to_le_bytes()),
            }
            tables.extend((slots(of) as u16).to_le_bytes());
            tables.extend((of.properties.len() as u16).to_le_bytes());
            let mut slot = 0u16;
            for property in &of.properties {
                tables.extend(slot.to_le_bytes());
                tables.push(property.elements);
                put(&property.name, &mut names, &mut tables);
                write(&property.of, &self.enums, &mut names, &mut tables);
                slot += u16::from(property.elements);
            }
        }
        let mut body = (names.len() as u32).to_le_bytes().to_vec();
        for name in &names {
            wide(self.version, 2, name.len(), &mut body);
            body.extend(name.as_bytes());
        }
        body.extend(tables);
        let mut file = vec![0xC4, 0x30, self.version];
        if self.version >= 1 {
            file.extend([0; 4]);
        }
        file.push(0);
        file.extend((body.len() as u32).to_le_bytes());
        file.extend((body.len() as u32).to_le_bytes());
        file.extend(body);
        file
    }

    /// Returns the slots of a struct in order: for each one, the name of the property, its array
    /// index and its type.
    fn all(&self, of: usize) -> Vec<(String, u8, Type)> {
        let (mut all, mut next) = (Vec::new(), Some(of));
        while let Some(index) = next {
            let of = &self.structs[index];
            for property in &of.properties {
                let one = |at| (property.name.clone(), at, property.of.clone());
                all.extend((0..property.elements).map(one));
            }
            next = of.parent;
        }
        all
    }

    /// Generates a list of properties of a struct. Returns its bytes and its document.
    fn list(&mut self, of: usize, depth: u32) -> (Vec<u8>, Json) {
        let all = self.all(of);
        let one_in = self.random.one_of(&[1, 2, 9, 200]);
        let mut stored: Vec<(usize, bool)> = Vec::new();
        let (mut values, mut list) = (Vec::new(), Vec::new());
        for (slot, (name, index, of)) in all.iter().enumerate() {
            if self.random.below(one_in) > 0 {
                continue;
            }
            let is_zero = self.random.below(3) == 0;
            let value = match is_zero {
                true => self.zero(of),
                false => self.slot(of, depth, &mut values),
            };
            stored.push((slot, is_zero));
            let mut tag = json!({
                "name": name, "type": self.print(of), "array_index": index, "slot": slot,
                "value": value,
            });
            if is_zero {
                tag["zero"] = json!(true);
            }
            list.push(tag);
        }
        let mut bytes = self.fragments(&stored, all.len());
        bytes.extend(values);
        (bytes, list.into())
    }

    /// Returns the header of a list: fragments and the zero mask. Runs of slots are split at
    /// random.
    fn fragments(&mut self, stored: &[(usize, bool)], total: usize) -> Vec<u8> {
        let (mut bytes, mut mask, mut next, mut rest) = (Vec::new(), Vec::new(), 0, stored);
        while !rest.is_empty() {
            let mut skip = rest[0].0 - next;
            while skip > 127 || skip > 0 && self.random.below(30) == 0 {
                let part = skip.min(1 + self.random.below(127));
                bytes.push(part as u16);
                skip -= part;
            }
            let most = self.random.one_of(&[1, 3, 127]);
            let mut run = 1;
            while run < rest.len().min(most) && rest[run].0 == rest[0].0 + run {
                run += 1;
            }
            let zeros = rest[..run].iter().any(|(_, zero)| *zero) || self.random.below(9) == 0;
            if zeros {
                mask.extend(rest[..run].iter().map(|(_, zero)| *zero));
            }
            let last = u16::from(run == rest.len()) << 8;
            bytes.push(skip as u16 | (run as u16) << 9 | u16::from(zeros) << 7 | last);
            next = rest[0].0 + run;
            rest = &rest[run..];
        }
        if stored.is_empty() {
            bytes.push(0x100 | total.min(127) as u16);
        }
        let mut bytes: Vec<u8> = bytes.into_iter().flat_map(u16::to_le_bytes).collect();
        let size = match mask.len() {
            0 => 0,
            1..=8 => 1,
            9..=16 => 2,
            bits => bits.div_ceil(32) * 4,
        };
        let mut packed = vec![0u8; size];
        mask.iter()
            .enumerate()
            .for_each(|(bit, zero)| packed[bit / 8] |= u8::from(*zero) << (bit % 8));
        bytes.extend(packed);
        bytes
    }

    fn print(&self, of: &Type) -> String {
        match of {
            Type::Plain(number) => format!("{}Property", TYPES[usize::from(*number)]),
            Type::Struct(name) => format!("StructProperty({name})"),
            Type::Enum(index, number) => {
                let (name, of) = (self.enums[*index].name, TYPES[usize::from(*number)]);
                format!("EnumProperty({name},{of}Property)")
            }
            Type::Array(of) => format!("ArrayProperty({})", self.print(of)),
            Type::Set(of) => format!("SetProperty({})", self.print(of)),
            Type::Optional(of) => format!("OptionalProperty({})", self.print(of)),
            Type::Map(key, value) => {
                format!("MapProperty({},{})", self.print(key), self.print(value))
            }
        }
    }

    /// Writes a value at a slot.
    fn slot(&mut self, of: &Type, depth: u32, to: &mut Vec<u8>) -> Json {
        let Type::Enum(index, number) = of else { return self.value(of, depth, to) };
        let (_, size, signed) = *UNDERLYING.iter().find(|(known, ..)| known == number).unwrap();
        let value: i64 = match self.random.below(4) {
            0 if signed => -7,
            0 => 77,
            _ => {
                let entries = &self.enums[*index].entries;
                entries[self.random.below(entries.len())].1
            }
        };
        to.extend(&value.to_le_bytes()[..size]);
        self.entry(*index, value)
    }

    fn entry(&self, index: usize, value: i64) -> Json {
        let of = &self.enums[index];
        match of.entries.iter().find(|(_, known)| *known == value) {
            Some((name, _)) => json!(format!("{}::{name}", of.name)),
            None => json!(value),
        }
    }

    /// Returns the value of a slot that is marked as zero.
    fn zero(&self, of: &Type) -> Json {
        let soft = json!({"path": "", "sub_path": ""});
        match of {
            Type::Enum(index, _) => self.entry(*index, 0),
            Type::Array(_) => json!([]),
            Type::Set(_) => json!({"removed": [], "values": []}),
            Type::Map(..) => json!({"removed": [], "entries": []}),
            Type::Optional(_) => json!({"set": false}),
            Type::Struct(name) => match name.as_str() {
                "Vector" => json!({"x": 0.0, "y": 0.0, "z": 0.0}),
                "Guid" => json!("0".repeat(32)),
                "Color" => json!({"r": 0, "g": 0, "b": 0, "a": 0}),
                "IntPoint" => json!({"x": 0, "y": 0}),
                "DateTime" => json!(0),
                "LinearColor" => json!({"r": 0.0, "g": 0.0, "b": 0.0, "a": 0.0}),
                _ => json!([]),
            },
            Type::Plain(number) => match number {
                1 => json!(false),
                3 | 7 => json!(0.0),
                5 => json!("None"),
                6 => json!({"object": 0, "function": "None"}),
                10 | 16 | 29 | 30 => json!(""),
                11 => json!({"flags": 0, "history": "none"}),
                13 => json!([]),
                15 => json!("0".repeat(32)),
                17 => soft,
                27 => json!({"path": [], "owner": 0}),
                _ => json!(0),
            },
        }
    }

    /// Writes a value in a container, or a value at a slot if it is not an enum.
    fn value(&mut self, of: &Type, depth: u32, to: &mut Vec<u8>) -> Json {
        match of {
            Type::Plain(number) => self.plain(*number, to),
            Type::Enum(..) => self.name(to),
            Type::Struct(name) => self.structure(&name.clone(), depth, to),
            Type::Array(of) => self.many(of, depth, to),
            Type::Set(of) => {
                let removed = self.many(of, depth, to);
                json!({"removed": removed, "values": self.many(of, depth, to)})
            }
            Type::Optional(of) => {
                let set = self.random.below(2);
                to.extend((set as u32).to_le_bytes());
                let mut value = json!({"set": set == 1});
                if set == 1 {
                    value["value"] = self.value(of, depth + 1, to);
                }
                value
            }
            Type::Map(key, of) => {
                let removed = self.many(key, depth, to);
                let count = self.count(depth, to);
                let entries: Vec<_> = (0..count)
                    .map(|_| {
                        let key = self.value(key, depth + 1, to);
                        json!({"key": key, "value": self.value(of, depth + 1, to)})
                    })
                    .collect();
                json!({"removed": removed, "entries": entries})
            }
        }
    }

    fn count(&mut self, depth: u32, to: &mut Vec<u8>) -> usize {
        let count = if depth > 4 { 0 } else { self.random.below(4) };
        to.extend((count as u32).to_le_bytes());
        count
    }

    fn many(&mut self, of: &Type, depth: u32, to: &mut Vec<u8>) -> Json {
        let count = self.count(depth, to);
        (0..count).map(|_| self.value(of, depth + 1, to)).collect()
    }

    fn structure(&mut self, name: &str, depth: u32, to: &mut Vec<u8>) -> Json {
        match name {
            "Vector" => {
                let numbers = [1.5, -2.0, 0.25 * self.random.below(9) as f64];
                for number in numbers {
                    match self.versions.ue5 >= 1004 {
                        true => to.extend(number.to_le_bytes()),
                        false => to.extend((number as f32).to_le_bytes()),
                    }
                }
                json!({"x": numbers[0], "y": numbers[1], "z": numbers[2]})
            }
            "Guid" => self.guid(to),
            "Color" => {
                let [b, g, r, a] = (self.random.next() as u32).to_le_bytes();
                to.extend([b, g, r, a]);
                json!({"r": r, "g": g, "b": b, "a": a})
            }
            "IntPoint" => {
                let (x, y) = (self.random.next() as i32, self.random.next() as i32);
                to.extend(x.to_le_bytes());
                to.extend(y.to_le_bytes());
                json!({"x": x, "y": y})
            }
            "DateTime" => {
                let value = self.random.next() as i64;
                to.extend(value.to_le_bytes());
                json!(value)
            }
            "LinearColor" => {
                [1.0f32, 0.5, 0.25, 0.0].iter().for_each(|part| to.extend(part.to_le_bytes()));
                json!({"r": 1.0, "g": 0.5, "b": 0.25, "a": 0.0})
            }
            "NameCurveKey" => {
                to.extend(0.5f32.to_le_bytes());
                json!({"time": 0.5, "value": self.name(to)})
            }
            "StringCurveKey" => {
                to.extend(0.5f32.to_le_bytes());
                json!({"time": 0.5, "value": self.text(to)})
            }
            // In a cooked package, the values of other platforms are left out.
            "PerPlatformInt" => {
                let (cooked, value) = (self.random.below(2), self.random.next() as i32);
                to.extend((cooked as u32).to_le_bytes());
                to.extend(value.to_le_bytes());
                json!({"cooked": cooked == 1, "value": value})
            }
            _ => {
                let index = self.structs.iter().position(|of| of.name == name).unwrap();
                let (bytes, list) = self.list(index, depth + 1);
                to.extend(bytes);
                list
            }
        }
    }

    fn guid(&mut self, to: &mut Vec<u8>) -> Json {
        let words: Vec<_> = (0..4).map(|_| self.random.next() as u32).collect();
        words.iter().for_each(|word| to.extend(word.to_le_bytes()));
        json!(words.iter().map(|word| format!("{word:08X}")).collect::<String>())
    }

    fn name(&mut self, to: &mut Vec<u8>) -> Json {
        let (index, number) = (self.random.below(NAMES.len()), self.random.below(3) as u32);
        to.extend((index as u32).to_le_bytes());
        to.extend(number.to_le_bytes());
        match number {
            0 => json!(NAMES[index]),
            number => json!(format!("{}_{}", NAMES[index], number - 1)),
        }
    }

    fn text(&mut self, to: &mut Vec<u8>) -> Json {
        match self.random.below(3) {
            0 => {
                to.extend([0; 4]);
                json!("")
            }
            1 => {
                to.extend(4u32.to_le_bytes());
                to.extend(b"abc\0");
                json!("abc")
            }
            _ => {
                to.extend((-3i32).to_le_bytes());
                "Ω!\0".encode_utf16().for_each(|unit| to.extend(unit.to_le_bytes()));
                json!("Ω!")
            }
        }
    }

    fn utf8(&mut self, to: &mut Vec<u8>) -> Json {
        let text = self.random.one_of(&["", "é!", "plain"]);
        to.extend((text.len() as u32).to_le_bytes());
        to.extend(text.as_bytes());
        json!(text)
    }

    fn delegate(&mut self, to: &mut Vec<u8>) -> Json {
        to.extend((-1i32).to_le_bytes());
        json!({"object": -1, "function": self.name(to)})
    }

    /// Writes a soft reference.
    fn soft(&mut self, to: &mut Vec<u8>) -> Json {
        let mut path = String::new();
        let mut part = |this: &mut Self, to: &mut Vec<u8>| {
            let name = this.name(to);
            let name = name.as_str().unwrap();
            if name != "None" {
                path += if path.is_empty() { "" } else { "." };
                path += name;
            }
            name == "None"
        };
        let no_package = part(self, to);
        if self.versions.ue5 >= 1007 && !part(self, to) && no_package {
            path.insert(0, '.');
        }
        let sub_path = if self.versions.ue5 >= 1017 { self.utf8(to) } else { self.text(to) };
        json!({"path": path, "sub_path": sub_path})
    }

    fn plain(&mut self, number: u8, to: &mut Vec<u8>) -> Json {
        let bits = self.random.next();
        macro_rules! int {
            ($T:ty) => {{
                to.extend((bits as $T).to_le_bytes());
                json!(bits as $T)
            }};
        }
        match number {
            0 => int!(u8),
            1 => {
                to.push((bits & 1) as u8);
                json!(bits & 1 == 1)
            }
            2 => int!(i32),
            3 => {
                to.extend(((bits % 99) as f32 * 0.5).to_le_bytes());
                json!((bits % 99) as f64 * 0.5)
            }
            7 => {
                to.extend(((bits % 99) as f64 * 0.5).to_le_bytes());
                json!((bits % 99) as f64 * 0.5)
            }
            4 | 12 | 14 => {
                to.extend((-1i32).to_le_bytes());
                json!(-1)
            }
            5 => self.name(to),
            6 => self.delegate(to),
            10 | 16 => self.text(to),
            11 => {
                to.extend([2, 0, 0, 0, 0]);
                let parts: Vec<_> = (0..3).map(|_| self.text(to)).collect();
                json!({
                    "flags": 2, "history": "base", "namespace": parts[0], "key": parts[1],
                    "source": parts[2],
                })
            }
            13 => {
                let count = self.count(0, to);
                (0..count).map(|_| self.delegate(to)).collect()
            }
            15 => self.guid(to),
            17 => self.soft(to),
            18 => int!(u64),
            19 => int!(u32),
            20 => int!(u16),
            21 => int!(i64),
            22 => int!(i16),
            23 => int!(i8),
            27 => {
                let count = self.count(0, to);
                let path: Vec<_> = (0..count).map(|_| self.name(to)).collect();
                to.extend((-1i32).to_le_bytes());
                json!({"path": path, "owner": -1})
            }
            29 | 30 => self.utf8(to),
            other => panic!("{other}"),
        }
    }
}

fn slots(of: &Struct) -> usize {
    of.properties.iter().map(|property| usize::from(property.elements)).sum()
}

/// Names of the types of properties, without the suffix `Property`, by their numbers in mappings.
const TYPES: [&str; 31] = [
    "Byte",
    "Bool",
    "Int",
    "Float",
    "Object",
    "Name",
    "Delegate",
    "Double",
    "Array",
    "Struct",
    "Str",
    "Text",
    "Interface",
    "MulticastDelegate",
    "WeakObject",
    "LazyObject",
    "AssetObject",
    "SoftObject",
    "UInt64",
    "UInt32",
    "UInt16",
    "Int64",
    "Int16",
    "Int8",
    "Map",
    "Set",
    "Enum",
    "FieldPath",
    "Optional",
    "Utf8Str",
    "AnsiStr",
];

/// Returns a package without exports whose import 0 has the name `Thing`.
pub fn header(versions: Versions) -> Vec<u8> {
    let names: Vec<_> = NAMES.iter().map(|name| name.to_string()).collect();
    package(versions, &names, &[1], &[])
}

/// Returns the early and the late header size: `size` in the field where this version stores it,
/// and `None` in the other.
fn package_size(versions: Versions, size: usize) -> (Option<i32>, Option<i32>) {
    let is_early = versions.ue5 >= 1016;
    (is_early.then_some(size as i32), (!is_early).then_some(size as i32))
}

/// The names of a package to write.
pub struct Names(pub Vec<String>);

impl Names {
    /// Returns the index of a name, which is added if it is new.
    pub fn index(&mut self, name: &str) -> i32 {
        let found = self.0.iter().position(|known| known == name);
        found.unwrap_or_else(|| {
            self.0.push(name.into());
            self.0.len() - 1
        }) as i32
    }

    /// Writes a reference to a name.
    pub fn put(&mut self, name: &str, to: &mut Vec<u8>) {
        to.extend(self.index(name).to_le_bytes());
        to.extend([0; 4]);
    }
}

/// An export of a package: its class, super class and name, and where its bytes are.
pub struct Stored {
    pub class: i32,
    pub parent: i32,
    pub name: i32,
    pub size: usize,
    pub offset: usize,
}

impl Stored {
    /// Writes the record of the export.
    fn write(&self, versions: Versions, start: usize) -> Vec<u8> {
        let zeros = |count: usize| vec![0; 4 * count];
        let (ue5, mut to) = (versions.ue5, self.class.to_le_bytes().to_vec());
        to.extend(self.parent.to_le_bytes());
        to.extend(zeros(2)); // template, outer
        to.extend(self.name.to_le_bytes());
        to.extend(zeros(2)); // number of the name, flags
        to.extend((self.size as u64).to_le_bytes());
        to.extend(((start + self.offset) as u64).to_le_bytes());
        to.extend(zeros(3));
        to.extend(zeros(if ue5 < 1005 { 4 } else { 0 })); // GUID of the package
        to.extend(zeros(usize::from(ue5 >= 1006)));
        to.extend(zeros(3));
        to.extend(zeros(usize::from(ue5 >= 1003)));
        to.extend((-1i32).to_le_bytes());
        to.extend(zeros(4));
        to
    }
}

/// Returns the header of a package with these exports. `imports` has the index of each import's
/// name.
pub fn package(
    versions: Versions,
    names: &[String],
    imports: &[i32],
    exports: &[Stored],
) -> Vec<u8> {
    let imports: Vec<_> = imports
        .iter()
        .map(|index| {
            let object_name = Name { index: *index, number: 0 };
            let optional = (versions.ue5 >= 1003).then_some(false);
            Import { object_name, optional, ..Import::default() }
        })
        .collect();
    package_with(versions, names, &imports, exports, "")
}

/// Returns the header of a package with these imports and exports. `name` is the name of the
/// package, which is stored from engine 5.0 on.
pub fn package_with(
    versions: Versions,
    names: &[String],
    imports: &[Import],
    exports: &[Stored],
    name: &str,
) -> Vec<u8> {
    let order = ByteOrder::Little;
    let legacy = if versions.ue5 > 0 { -8 } else { -7 };
    let mut layout = Layout { order, legacy, versions, editor_data: false, ..Layout::default() };
    layout.import_packages = false;
    let unstated = FileVersions {
        legacy_version: legacy,
        ue3_version: Some(864),
        ue4_version: 0,
        ue5_version: (legacy == -8).then_some(0),
        licensee_version: 0,
    };
    let name = StrBuf::new(name);
    let mut summary = Summary {
        package_flags: 0x8000_0000 | 0x2000,
        name_count: names.len() as i32,
        import_count: imports.len() as i32,
        export_count: exports.len() as i32,
        preload_dependency_count: Some(-1),
        package_name: name.as_text(),
        ..Summary::default()
    };
    let mut header = Vec::new();
    for _ in 0..2 {
        header.clear();
        0x9E2A_83C1u32.write(&mut header, &layout).unwrap();
        unstated.write(&mut header, &layout).unwrap();
        summary.write(&mut header, &layout).unwrap();
        summary.name_offset = header.len() as i32;
        for name in names {
            let units: Vec<_> = name.encode_utf16().chain([0]).collect();
            match name.is_ascii() {
                true => {
                    header.extend((units.len() as u32).to_le_bytes());
                    header.extend(units.iter().map(|unit| *unit as u8));
                }
                false => {
                    header.extend((-(units.len() as i32)).to_le_bytes());
                    units.iter().for_each(|unit| header.extend(unit.to_le_bytes()));
                }
            }
            header.extend([0; 4]);
        }
        summary.import_offset = header.len() as i32;
        for import in imports {
            import.write(&mut header, &layout).unwrap();
        }
        summary.export_offset = header.len() as i32;
        // The offsets of exports count from the end of the header.
        let size = exports.first().map_or(0, |export| export.write(versions, 0).len());
        let end = header.len() + exports.len() * size;
        (summary.early_header_size, summary.late_header_size) = package_size(versions, end);
        header.extend(exports.iter().flat_map(|export| export.write(versions, end)));
    }
    header
}

/// The class of the export: import 0.
pub const CLASS: PackageIndex = PackageIndex(-1);

/// Returns a document without the offsets and sizes of properties.
pub fn without_places(document: &Json) -> Json {
    match document {
        Json::Array(list) => list.iter().map(without_places).collect(),
        Json::Object(map) => {
            let is_tag = map.contains_key("slot");
            let kept =
                map.iter().filter(|(key, _)| !(is_tag && ["at", "size"].contains(&key.as_str())));
            kept.map(|(key, value)| (key.clone(), without_places(value)))
                .collect::<Map<_, _>>()
                .into()
        }
        other => other.clone(),
    }
}
