//! Random lists of properties in the encoding of saves, where names are texts and no package is
//! needed. Some lists are malformed; the oracle decides which.

use super::oracle::{FIELDS, KINDS, NAMES, SUBSYSTEMS, Versions, enclosed, layout};
use crate::support::random::Random;

/// A generator of values that a given version supports.
pub struct Make<'r> {
    pub random: &'r mut Random,
    pub ue4: i32,
    pub ue5: i32,
    /// `true` if the subsystems have their latest versions, `false` if they have the versions
    /// before all changes.
    pub latest: bool,
    /// The current nesting depth. At greater depths, fewer nested values are generated.
    pub depth: u32,
}

/// Structs with special encodings, structs with tags, and structs that the crate does not know.
const STRUCTS: [&str; 12] = [
    "Guid",
    "DateTime",
    "Timespan",
    "SoftObjectPath",
    "SoftClassPath",
    "StringAssetReference",
    "GameplayTagContainer",
    "InstancedStruct",
    "EdGraphPinType",
    "ColorMaterialInput",
    "Transform",
    "Mine",
];

/// The name of a type, with its parameters.
pub struct Of {
    word: String,
    of: Vec<Of>,
}

impl Of {
    fn new(word: &str, of: Vec<Of>) -> Self {
        Self { word: word.to_owned(), of }
    }
}

impl Make<'_> {
    pub fn text(&mut self) -> Vec<u8> {
        match self.random.below(8) {
            0 => number(0).to_vec(),
            1 => [&number(-2)[..], b"\x42\x04\0\0"].concat(),
            _ => text(self.random.one_of(&["A", "None", "Sub", "/Game/A.A", "x"])),
        }
    }

    fn one_in(&mut self, count: usize) -> bool {
        self.random.below(count) == 0
    }

    /// Generates a few properties, and the name that ends the list.
    pub fn list(&mut self) -> Vec<u8> {
        let mut bytes = Vec::new();
        for _ in 0..1 + self.random.below(3) {
            bytes.extend(self.property());
        }
        bytes.extend(text("None"));
        bytes
    }

    pub fn property(&mut self) -> Vec<u8> {
        let of = self.any_type();
        let name = self.random.one_of(&["A", "B", "PropertyGuids"]);
        let value = match of.word.as_str() {
            "BoolProperty" => Vec::new(),
            _ => self.value(&of, true),
        };
        let mut tag = self.tag(name, &of, value.len());
        tag.extend(value);
        tag
    }

    fn any_type(&mut self) -> Of {
        let mut kind = self.random.one_of(&KINDS);
        if self.depth >= 4 && ["Array", "Set", "Map", "Optional"].contains(&kind) {
            kind = "Int";
        }
        let word = format!("{kind}Property");
        self.depth += 1;
        let of = match kind {
            "Array" | "Set" | "Optional" => vec![self.any_type()],
            "Map" => vec![self.any_type(), self.any_type()],
            "Struct" => vec![self.a_struct()],
            "Enum" => vec![Of::new("Mode", vec![]), Of::new("ByteProperty", vec![])],
            "Byte" if self.one_in(2) => vec![Of::new("Mode", vec![])],
            _ => vec![],
        };
        self.depth -= 1;
        Of { word, of }
    }

    fn a_struct(&mut self) -> Of {
        let name = match self.random.below(3) {
            0 => self.random.one_of(&STRUCTS),
            1 => self.random.one_of(&FIELDS).0,
            _ => self.random.one_of(&NAMES),
        };
        Of::new(name, vec![Of::new("/Script/Game", vec![])])
    }

    fn tag(&mut self, name: &str, of: &Of, size: usize) -> Vec<u8> {
        let mut tag = text(name);
        let wrong = if self.one_in(30) { 4 } else { 0 };
        let size = number(size as i32 + wrong);
        if self.ue5 >= 1012 {
            tree(of, &mut tag);
            tag.extend(size);
            let native = if self.one_in(8) { 0 } else { 8 };
            tag.push(native | if self.one_in(2) { 16 } else { 0 });
            return tag;
        }
        tag.extend(text(&of.word));
        tag.extend(size);
        tag.extend(number(0));
        let inner = of.of.iter().map(|of| text(&of.word));
        match of.word.as_str() {
            "StructProperty" => {
                tag.extend(inner.flatten());
                tag.extend(if self.ue4 >= 441 { &[0; 16][..] } else { &[] });
            }
            "BoolProperty" => tag.push(1),
            "EnumProperty" => tag.extend(text("Mode")),
            "ByteProperty" => {
                tag.extend(if of.of.is_empty() { text("None") } else { text("Mode") })
            }
            "ArrayProperty" if self.ue4 >= 282 => tag.extend(inner.flatten()),
            "SetProperty" | "MapProperty" if self.ue4 >= 509 => tag.extend(inner.flatten()),
            "OptionalProperty" => tag.extend(inner.flatten()),
            _ => {}
        }
        tag.extend(if self.ue4 >= 503 { &[0][..] } else { &[] });
        tag.extend(if self.ue5 >= 1011 { &[0][..] } else { &[] });
        tag
    }

    /// Generates a value. `whole` is `true` if it is the value of a property and not an element.
    fn value(&mut self, of: &Of, whole: bool) -> Vec<u8> {
        match of.word.trim_end_matches("Property") {
            "Bool" | "Int8" => vec![self.random.below(3) as u8],
            "Byte" if of.of.is_empty() => vec![7],
            "Byte" if whole || self.one_in(2) => text("Mode::A"),
            "Byte" => vec![7],
            "Int16" | "UInt16" => vec![1, 2],
            "Int" | "UInt32" | "Float" => number(self.random.next() as i32).to_vec(),
            "Int64" | "UInt64" | "Double" => self.random.next().to_le_bytes().to_vec(),
            "Utf8Str" | "AnsiStr" | "VerseString" => [&number(2)[..], b"ab"].concat(),
            "LazyObject" => vec![3; 16],
            "SoftObject" | "SoftClass" => self.soft(),
            "Delegate" => [self.text(), self.text()].concat(),
            "FieldPath" if self.latest => [&number(1)[..], &self.text(), &self.text()].concat(),
            "FieldPath" => [&number(1)[..], &self.text()].concat(),
            "Text" => self.formatted(),
            "Struct" => self.structure(&of.of[0].word),
            "Optional" if self.one_in(3) => number(0).to_vec(),
            "Optional" => [&number(1)[..], &self.value(&of.of[0], false)].concat(),
            "Array" => self.array(&of.of[0]),
            "Set" => [self.several(&of.of), self.several(&of.of)].concat(),
            "Map" => [self.several(&of.of[..1]), self.several(&of.of)].concat(),
            word if word.starts_with("Multicast") => {
                [&number(1)[..], &self.text(), &self.text()].concat()
            }
            _ => self.text(),
        }
    }

    fn several(&mut self, of: &[Of]) -> Vec<u8> {
        let count = self.random.below(3);
        let mut bytes = number(count as i32).to_vec();
        for _ in 0..count {
            of.iter().for_each(|of| bytes.extend(self.value(of, false)));
        }
        bytes
    }

    fn array(&mut self, of: &Of) -> Vec<u8> {
        let mut bytes = self.several(std::slice::from_ref(of));
        if of.word == "StructProperty" && self.ue4 >= 500 && self.ue5 < 1012 {
            let tag = self.tag("A", of, bytes.len() - 4);
            bytes.splice(4..4, tag);
        }
        bytes
    }

    fn soft(&mut self) -> Vec<u8> {
        let mut bytes = self.text();
        if self.ue5 >= 1007 {
            bytes.extend(self.text());
        }
        match self.latest && self.ue5 >= 1007 {
            true => bytes.extend([&number(2)[..], b"ab"].concat()),
            false => bytes.extend(self.text()),
        }
        bytes
    }

    fn structure(&mut self, name: &str) -> Vec<u8> {
        if let Some((_, letters)) = FIELDS.iter().find(|(of, _)| *of == name) {
            let real = if self.ue5 >= 1004 { 8 } else { 4 };
            let size = |letter| match letter {
                'R' => real,
                'd' | 'l' | 'q' => 8,
                'b' => 1,
                _ => 4,
            };
            let size: usize = letters.chars().map(size).sum();
            return (0..size).map(|_| self.random.next() as u8).collect();
        }
        if NAMES.contains(&name) && !self.one_in(4) {
            return self.fields_of(name);
        }
        match name {
            "Guid" => vec![9; 16],
            "DateTime" | "Timespan" => vec![5; 8],
            "SoftObjectPath" | "SoftClassPath" if self.ue4 >= 514 => self.soft(),
            "SoftObjectPath" | "SoftClassPath" | "StringAssetReference" => self.text(),
            "GameplayTagContainer" => [&number(1)[..], &self.text()].concat(),
            "InstancedStruct" if self.depth > 4 || self.one_in(3) => {
                [number(0), number(0)].concat()
            }
            "InstancedStruct" => {
                self.depth += 1;
                let list = self.list();
                self.depth -= 1;
                [&self.text()[..], &number(list.len() as i32), &list].concat()
            }
            _ if self.depth > 4 => text("None"),
            _ => {
                self.depth += 1;
                let list = self.list();
                self.depth -= 1;
                list
            }
        }
    }

    /// Generates the fields of a struct whose fields depend on the version or on each other.
    fn fields_of(&mut self, name: &str) -> Vec<u8> {
        let custom = SUBSYSTEMS.map(|guid| (guid, 1000)).to_vec();
        let custom = if self.latest { custom } else { Vec::new() };
        let Self { ue4, ue5, .. } = *self;
        let versions = Versions { ue4, ue5, save: true, custom, ..Versions::default() };
        let layout = layout(&name.to_ascii_lowercase(), &versions).unwrap();
        let letters = layout.second.filter(|_| self.one_in(4)).unwrap_or(layout.letters);
        self.fields(letters.as_bytes())
    }

    fn fields(&mut self, letters: &[u8]) -> Vec<u8> {
        let (mut bytes, mut at, mut first) = (Vec::new(), 0, None);
        while let Some(letter) = letters.get(at) {
            at += 1;
            let set = first.is_some_and(|first: u8| first != 0);
            let wanted = match letter {
                b'!' => Some(set),
                b'~' => Some(!set),
                b'=' => {
                    at += 1;
                    Some(first == Some(letters[at - 1] - b'0'))
                }
                b'+' if self.one_in(2) => return bytes,
                b'+' => continue,
                _ => None,
            };
            if let b'(' | b'[' | b'<' | b'!' | b'~' | b'=' = letter {
                let begin = if wanted.is_some() { at } else { at - 1 };
                let (of, end) = enclosed(letters, begin);
                at = end;
                let count = self.random.below(3);
                match letter {
                    b'[' => bytes.extend(number(count as i32)),
                    b'<' => {
                        let size = self.fields(of).len() as i32;
                        let wrong = i32::from(self.one_in(8));
                        bytes.extend([number(size + wrong), number(count as i32)].concat());
                    }
                    _ => {}
                }
                let count = if matches!(letter, b'[' | b'<') { count } else { 1 };
                for _ in 0..count * usize::from(wanted != Some(false)) {
                    bytes.extend(self.fields(of));
                }
                continue;
            }
            let field = self.field(*letter);
            if first.is_none() {
                first = Some(match letter {
                    b's' if field.len() == 4 => 0,
                    _ => field.first().copied().unwrap_or_default(),
                });
            }
            bytes.extend(field);
        }
        bytes
    }

    fn field(&mut self, letter: u8) -> Vec<u8> {
        match letter {
            b'R' if self.ue5 >= 1004 => vec![1; 8],
            b'd' | b'l' | b'q' => vec![2; 8],
            b'b' => vec![self.random.below(4) as u8],
            b'h' => vec![1, 2],
            b'?' => number(self.random.below(2) as i32).to_vec(),
            b'g' => vec![7; 16],
            b's' | b'n' | b'o' => self.text(),
            b'p' => self.soft(),
            b'B' => [&number(3)[..], &[1, 2, 3]].concat(),
            b'T' if self.depth > 4 => text("None"),
            b'T' => {
                self.depth += 1;
                let list = self.list();
                self.depth -= 1;
                list
            }
            b'1'..=b'9' => vec![0xCD; usize::from(letter - b'0')],
            _ => number(self.random.below(3) as i32).to_vec(),
        }
    }

    /// Generates a localised text with a random history.
    fn formatted(&mut self) -> Vec<u8> {
        let history = if self.depth > 5 { 12 } else { self.random.below(14) as u8 };
        self.depth += 1;
        let mut bytes = match self.ue4 {
            368.. => [&number(2)[..], &[history.wrapping_sub(1)]].concat(),
            _ => vec![],
        };
        match history {
            _ if self.ue4 < 368 => {
                (0..3).for_each(|_| bytes.extend(self.text()));
                bytes.extend(number(2));
            }
            0 if self.latest => bytes.extend([&number(1)[..], &self.text()].concat()),
            0 => {}
            1 => (0..3).for_each(|_| bytes.extend(self.text())),
            2..=4 => {
                bytes.extend(self.formatted());
                bytes.extend(number(1));
                if history != 3 {
                    bytes.extend(self.text());
                }
                match history == 4 && !self.latest {
                    true => bytes.extend(self.formatted()),
                    false => bytes.extend(self.argument()),
                }
            }
            5..=7 => {
                if history == 7 && self.ue4 >= 389 {
                    bytes.extend(self.text());
                }
                bytes.extend(self.argument());
                let options = self.one_in(2);
                bytes.extend(number(options.into()));
                if options {
                    bytes.extend([1, 0, 0, 0].repeat(1 + usize::from(self.latest)));
                    bytes.extend([2; 17]);
                }
                bytes.extend(self.text());
            }
            8..=10 => {
                bytes.extend([1; 8]);
                bytes.extend(vec![4; usize::from(history / 10) + 1]);
                (0..2).for_each(|_| bytes.extend(self.text()));
            }
            11 => {
                bytes.extend(self.formatted());
                bytes.push(1);
            }
            12 => bytes.extend([self.text(), self.text()].concat()),
            _ => bytes.extend(text("None")),
        }
        self.depth -= 1;
        bytes
    }

    fn argument(&mut self) -> Vec<u8> {
        let kind = self.random.below(7) as u8;
        let mut bytes = vec![kind];
        match kind {
            0 | 1 | 3 => bytes.extend([1; 8]),
            2 => bytes.extend([1; 4]),
            4 => bytes.extend(self.formatted()),
            _ => bytes.push(1),
        }
        bytes
    }
}

fn number(number: i32) -> [u8; 4] {
    number.to_le_bytes()
}

pub fn text(text: &str) -> Vec<u8> {
    [&number(text.len() as i32 + 1)[..], text.as_bytes(), &[0]].concat()
}

/// Generates a type with its parameters.
fn tree(of: &Of, to: &mut Vec<u8>) {
    to.extend(text(&of.word));
    to.extend(number(of.of.len() as i32));
    of.of.iter().for_each(|of| tree(of, to));
}
