//! Generates packages that declare the classes and structs of their objects.

use super::{Generator, Json, NAMES, NATIVE, Names, Property, Stored, TYPES, Type, package};
use gamewire::unreal::Versions;

/// A package that declares the class `Thing` and possibly other classes and structs, and mappings
/// that lack all of these. The last export of the package is an object of the class `Thing`.
pub struct Declared {
    pub mappings: Vec<u8>,
    pub header: Vec<u8>,
    pub exports: Vec<u8>,
    pub versions: Versions,
    /// Number of classes and structs that the package declares.
    pub structs: usize,
    /// The properties of the object, without offsets and sizes.
    pub properties: Json,
}

/// Indices in `Generator::structs`: the class of exports that declare classes, and the class of
/// exports that declare structs.
const CLASS_CLASS: usize = 1;
const STRUCT_CLASS: usize = 3;

struct Writer {
    names: Names,
    imports: Vec<i32>,
    /// The index of the first struct that the package declares.
    first: usize,
    made: Generator,
}

impl Declared {
    pub fn new(seed: u64) -> Self {
        let mut made = Generator::new(seed);
        made.is_newer = true;
        for (name, parent) in [
            ("Class", None),
            ("BlueprintGeneratedClass", Some(0)),
            ("ScriptStruct", None),
            ("UserDefinedStruct", Some(2)),
        ] {
            made.declare_struct(name.into(), parent, 5);
        }
        NATIVE.iter().for_each(|name| made.declare_struct((*name).into(), None, 1));
        let known = made.structs.len();
        made.inner = known;
        made.declare();
        let all = made.structs.len();
        let first = known + made.random.below(all - known);
        let (object, properties) = made.list(all - 1, 0);
        let mappings = made.mappings(first);
        let versions = made.versions;
        let names = Names(NAMES.iter().map(|name| name.to_string()).collect());
        let mut writer = Writer { names, imports: Vec::new(), first, made };
        let (mut exports, mut bytes) = (Vec::new(), Vec::new());
        for index in first..all {
            let class = writer.class_of(index);
            let data = writer.declaration(index, class);
            let name = writer.made.structs[index].name.clone();
            exports.push(writer.export(&name, class, data, &mut bytes));
        }
        let mut data = writer.prefix();
        data.extend(object);
        data.extend([0; 4]);
        data.extend(b"tail");
        exports.push(writer.export("Object", all - 1, data, &mut bytes));
        let header = package(versions, &writer.names.0, &writer.imports, &exports);
        Self { mappings, header, exports: bytes, versions, structs: all - first, properties }
    }
}

impl Writer {
    /// Returns the class of the export that declares the class or struct at `index`. The result,
    /// like `index`, is an index in `Generator::structs`.
    fn class_of(&self, index: usize) -> usize {
        match self.made.structs[index].name.starts_with("Inner") {
            true => STRUCT_CLASS,
            false => CLASS_CLASS,
        }
    }

    /// Returns the index of an object: an export if the package declares it, otherwise an import.
    fn object(&mut self, name: &str) -> i32 {
        let declared = &self.made.structs[self.first..];
        if let Some(index) = declared.iter().position(|of| of.name == name) {
            return index as i32 + 1;
        }
        let name = self.names.index(name);
        let found = self.imports.iter().position(|known| *known == name);
        let index = found.unwrap_or_else(|| {
            self.imports.push(name);
            self.imports.len() - 1
        });
        -1 - index as i32
    }

    /// Returns the bytes before the properties: four zeros in engine 5.4.
    fn prefix(&self) -> Vec<u8> {
        match self.made.versions.ue5 {
            1010..=1012 => vec![0; 4],
            _ => Vec::new(),
        }
    }

    fn export(&mut self, name: &str, of: usize, data: Vec<u8>, bytes: &mut Vec<u8>) -> Stored {
        let class = self.made.structs[of].name.clone();
        let (size, offset) = (data.len(), bytes.len());
        bytes.extend(data);
        Stored { class: self.object(&class), parent: 0, name: self.names.index(name), size, offset }
    }

    /// Returns the bytes of the export that declares a class or struct: the properties of the
    /// export, then the declaration.
    fn declaration(&mut self, index: usize, class: usize) -> Vec<u8> {
        let mut to = self.prefix();
        to.extend(self.made.list(class, 0).0);
        to.extend([0; 4]);
        let of = &self.made.structs[index];
        let (parent, count) = (of.parent, of.properties.len());
        let parent = parent.map(|parent| self.made.structs[parent].name.clone());
        let parent = parent.map_or(0, |parent| self.object(&parent));
        to.extend(parent.to_le_bytes());
        let functions = self.made.random.below(3);
        to.extend((functions as u32).to_le_bytes());
        to.extend(vec![7; 4 * functions]);
        to.extend((count as u32).to_le_bytes());
        for place in 0..count {
            let Property { name, elements, of } = &self.made.structs[index].properties[place];
            let (name, elements, of) = (name.clone(), *elements, of.clone());
            self.field(&name, elements, &of, &mut to);
        }
        to.extend(b"code of the class");
        to
    }

    /// Writes a property in a declaration: its kind, the fields that all properties have, and the
    /// data of its kind.
    fn field(&mut self, name: &str, elements: u8, of: &Type, to: &mut Vec<u8>) {
        // A byte with an enum can be a `ByteProperty` or an `EnumProperty`.
        let is_byte = matches!(of, Type::Enum(_, 0)) && self.made.random.below(2) == 0;
        let kind = match of {
            Type::Plain(13) => {
                let all = ["MulticastDelegate", "MulticastSparseDelegate"];
                self.made.random.one_of(&all).to_string()
            }
            Type::Plain(number) => TYPES[usize::from(*number)].to_string(),
            Type::Struct(_) => "Struct".into(),
            Type::Enum(..) if is_byte => "Byte".into(),
            Type::Enum(..) => "Enum".into(),
            Type::Array(_) => "Array".into(),
            Type::Set(_) => "Set".into(),
            Type::Optional(_) => "Optional".into(),
            Type::Map(..) => "Map".into(),
        };
        self.names.put(&format!("{kind}Property"), to);
        self.names.put(name, to);
        to.extend(self.made.random.next().to_le_bytes()[..4].iter());
        to.extend(u32::from(elements).to_le_bytes());
        to.extend(8u32.to_le_bytes());
        to.extend(self.made.random.next().to_le_bytes());
        to.extend([0, 0]);
        self.names.put("None", to);
        to.push(0);
        match of {
            // The index of a class, an interface or a function.
            Type::Plain(4 | 6 | 12 | 13 | 14 | 15 | 17) => to.extend([0; 4]),
            // The index of the enum, which this byte does not have.
            Type::Plain(0) => to.extend([0; 4]),
            Type::Plain(1) => to.extend([1, 0, 1, 255, 1, 0]),
            Type::Plain(27) => self.names.put("Property", to),
            Type::Plain(_) => {}
            Type::Struct(name) => to.extend(self.object(name).to_le_bytes()),
            Type::Enum(index, number) => {
                let name = self.made.enums[*index].name;
                to.extend(self.object(name).to_le_bytes());
                if !is_byte {
                    self.field("UnderlyingType", 1, &Type::Plain(*number), to);
                }
            }
            Type::Array(of) | Type::Set(of) | Type::Optional(of) => self.field(name, 1, of, to),
            Type::Map(key, value) => {
                self.field("Key", 1, key, to);
                self.field("Value", 1, value, to);
            }
        }
    }
}
