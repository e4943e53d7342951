//! Packages that refer to each other's classes, structs and enums.

use super::{Names, Stored, package_with};
use gamewire::unreal::mappings::{MappedTypeBuf, MappingsBuf, PropertyBuf, StructBuf};
use gamewire::unreal::tables::Import;
use gamewire::unreal::{Name, PackageIndex, Versions};

/// The file versions of engine 5.3.
pub const VERSIONS: Versions = Versions { ue4: 522, ue5: 1009 };

/// The type of a property: an integer, a struct, or a byte with an enum. A struct or enum is given
/// as the index of its object.
#[derive(Clone, Copy)]
pub enum Kind {
    Int,
    Struct(i32),
    Enum(i32),
}

/// A package to write. Its methods add names, imports and objects.
pub struct Linked {
    pub name: &'static str,
    pub names: Names,
    imports: Vec<Import>,
    exports: Vec<Stored>,
    bytes: Vec<u8>,
}

/// Returns mappings with the classes of exports that declare types, and with the class `Actor`,
/// which has the property `Health`.
pub fn mappings() -> Vec<u8> {
    let mut all = MappingsBuf { has_paths: true, ..MappingsBuf::new(4) };
    for (name, parent) in [
        ("Class", None),
        ("BlueprintGeneratedClass", Some("Class")),
        ("ScriptStruct", None),
        ("UserDefinedStruct", Some("ScriptStruct")),
        ("Enum", None),
        ("UserDefinedEnum", Some("Enum")),
        ("Actor", None),
    ] {
        let mut of = StructBuf { path: "/Script/Engine".into(), ..StructBuf::new(name) };
        of.parent = parent.map(Into::into);
        all.structs.push(of);
    }
    let health = PropertyBuf::new("Health", MappedTypeBuf::Plain(2));
    all.structs.last_mut().unwrap().properties.push(health);
    all.write()
}

/// Returns the header of a list without tags whose first `count` slots have values.
pub fn slots(count: usize) -> [u8; 2] {
    ((count as u16) << 9 | 0x100).to_le_bytes()
}

impl Linked {
    pub fn new(name: &'static str) -> Self {
        let names = Names(vec!["None".to_owned()]);
        Self { name, names, imports: Vec::new(), exports: Vec::new(), bytes: Vec::new() }
    }

    fn add_import(&mut self, name: &str, class: &str, outer: i32) -> i32 {
        let [object_name, class_name] =
            [name, class].map(|name| Name { index: self.names.index(name), number: 0 });
        let outer = PackageIndex(outer);
        let same = |import: &Import| import.object_name == object_name && import.outer == outer;
        let found = self.imports.iter().position(same);
        let index = found.unwrap_or_else(|| {
            let optional = Some(false);
            let import = Import { class_name, object_name, outer, optional, ..Import::default() };
            self.imports.push(import);
            self.imports.len() - 1
        });
        -1 - index as i32
    }

    /// Imports an object of another package, and returns its index. `path` is a path such as
    /// `/Game/Walls.Wall_C`, and `class` is the name of the object's class.
    pub fn import(&mut self, path: &str, class: &str) -> i32 {
        let (package, name) = path.split_once('.').unwrap();
        let package = self.add_import(package, "Package", 0);
        self.add_import(name, class, package)
    }

    /// Imports a class of the engine, and returns its index.
    pub fn engine(&mut self, name: &str) -> i32 {
        self.import(&format!("/Script/Engine.{name}"), "Class")
    }

    /// Adds an object, and returns its index.
    pub fn object(&mut self, name: &str, class: i32, bytes: &[u8]) -> i32 {
        self.object_under(name, class, 0, bytes)
    }

    fn object_under(&mut self, name: &str, class: i32, parent: i32, bytes: &[u8]) -> i32 {
        let (size, offset) = (bytes.len(), self.bytes.len());
        self.bytes.extend(bytes);
        let name = self.names.index(name);
        self.exports.push(Stored { class, parent, name, size, offset });
        self.exports.len() as i32
    }

    /// Declares a class.
    pub fn class(&mut self, name: &str, parent: i32, properties: &[(&str, Kind)]) -> i32 {
        let class = self.engine("BlueprintGeneratedClass");
        let bytes = self.declaration(parent, properties);
        self.object_under(name, class, parent, &bytes)
    }

    /// Declares a struct.
    pub fn structure(&mut self, name: &str, properties: &[(&str, Kind)]) -> i32 {
        let class = self.engine("UserDefinedStruct");
        let bytes = self.declaration(0, properties);
        self.object(name, class, &bytes)
    }

    /// Declares an enum.
    pub fn enumeration(&mut self, name: &str, entries: &[(&str, i64)]) -> i32 {
        let class = self.engine("UserDefinedEnum");
        let mut to = [&slots(0)[..], &[0; 4]].concat();
        to.extend((entries.len() as u32).to_le_bytes());
        for (entry, value) in entries {
            self.names.put(&format!("{name}::{entry}"), &mut to);
            to.extend(value.to_le_bytes());
        }
        to.push(1); // form in C++
        self.object(name, class, &to)
    }

    /// Returns the bytes of an export that declares a class or struct with these properties.
    fn declaration(&mut self, parent: i32, properties: &[(&str, Kind)]) -> Vec<u8> {
        let mut to = [&slots(0)[..], &[0; 4]].concat();
        to.extend(parent.to_le_bytes());
        to.extend(0u32.to_le_bytes());
        to.extend((properties.len() as u32).to_le_bytes());
        for (name, kind) in properties {
            let word = match kind {
                Kind::Int => "IntProperty",
                Kind::Struct(_) => "StructProperty",
                Kind::Enum(_) => "ByteProperty",
            };
            self.names.put(word, &mut to);
            self.names.put(name, &mut to);
            to.extend([0; 4]);
            to.extend(1u32.to_le_bytes());
            to.extend([0; 14]);
            self.names.put("None", &mut to);
            to.push(0);
            match kind {
                Kind::Int => {}
                Kind::Struct(of) | Kind::Enum(of) => to.extend(of.to_le_bytes()),
            }
        }
        to.extend(b"more");
        to
    }

    /// Adds zeros to the last export.
    pub fn pad(&mut self, size: usize) {
        self.bytes.resize(self.bytes.len() + size, 0);
        self.exports.last_mut().unwrap().size += size;
    }

    /// Returns the `.uasset` and `.uexp` of the package. `is_named` states whether it stores its
    /// name.
    pub fn write(&self, is_named: bool) -> (Vec<u8>, Vec<u8>) {
        let name = if is_named { self.name } else { "None" };
        let header = package_with(VERSIONS, &self.names.0, &self.imports, &self.exports, name);
        (header, self.bytes.clone())
    }
}

/// Returns the packages of the samples:
///
/// ```text
/// Base/E_State, Base/S_Size   an enum and a struct
/// Base/Wall                   a class with properties of these types
/// Doors/Door                  a subclass of Wall_C, and an object of this subclass
/// Doors/Room                  an object of the class that Doors/Door declares
/// Loops/A, Loops/B            two classes, each the super class of the other
/// ```
pub fn samples() -> Vec<Linked> {
    let mut state = Linked::new("/Game/Base/E_State");
    state.enumeration("E_State", &[("NewEnumerator0", 0), ("NewEnumerator3", 1), ("E_MAX", 2)]);
    let mut size = Linked::new("/Game/Base/S_Size");
    size.structure("S_Size", &[("Width", Kind::Int)]);
    let mut wall = Linked::new("/Game/Base/Wall");
    let actor = wall.engine("Actor");
    let kinds = [
        ("Height", Kind::Int),
        ("State", Kind::Enum(wall.import("/Game/Base/E_State.E_State", "UserDefinedEnum"))),
        ("Size", Kind::Struct(wall.import("/Game/Base/S_Size.S_Size", "UserDefinedStruct"))),
    ];
    wall.class("Wall_C", actor, &kinds);
    let mut door = Linked::new("/Game/Doors/Door");
    let parent = door.import("/Game/Base/Wall.Wall_C", "BlueprintGeneratedClass");
    let class = door.class("Door_C", parent, &[("Open", Kind::Int)]);
    door.object("Default__Door_C", class, &object());
    let mut room = Linked::new("/Game/Doors/Room");
    let class = room.import("/Game/Doors/Door.Door_C", "BlueprintGeneratedClass");
    room.object("Left", class, &object());
    let loops =
        [("/Game/Loops/A", "A", "B"), ("/Game/Loops/B", "B", "A")].map(|(name, own, other)| {
            let mut made = Linked::new(name);
            let parent = format!("/Game/Loops/{other}.{other}_C");
            let parent = made.import(&parent, "BlueprintGeneratedClass");
            let class = made.class(&format!("{own}_C"), parent, &[("Own", Kind::Int)]);
            made.object(
                "Object",
                class,
                &[&slots(3)[..], &[1, 0, 0, 0].repeat(3), &[0; 4]].concat(),
            );
            made
        });
    [state, size, wall, door, room].into_iter().chain(loops).collect()
}

/// Returns the bytes of an object of the class `Door_C`: Open 7, Height 300, State 1, Size 90,
/// Health 100.
fn object() -> Vec<u8> {
    let mut to = slots(5).to_vec();
    to.extend(7i32.to_le_bytes());
    to.extend(300i32.to_le_bytes());
    to.push(1);
    to.extend(slots(1));
    to.extend(90i32.to_le_bytes());
    to.extend(100i32.to_le_bytes());
    to.extend([0; 4]);
    to
}
