//! Finds the names of objects of C++ code by the hashes of their paths.

use super::script_objects::ScriptObjects;
use crate::unreal::format::{Error, ErrorKind, NameText, Result, StrRef};
use crate::unreal::mappings::{MappedStruct, Mappings};
use crate::unreal::tables::{ObjectIndex, ScriptObjectEntry};
use core::fmt;

#[cfg(feature = "alloc")]
use alloc::vec::Vec;

/// The packages of the engine, without `/Script/`, that declare most of the classes whose objects
/// games store. If mappings do not state the package of a struct, each of these packages is tried.
const MODULES: [&str; 32] = [
    "AIModule",
    "AnimGraphRuntime",
    "AudioMixer",
    "Chaos",
    "ChaosSolverEngine",
    "CinematicCamera",
    "ClothingSystemRuntimeCommon",
    "ClothingSystemRuntimeInterface",
    "CoreUObject",
    "Engine",
    "EnhancedInput",
    "Foliage",
    "GameplayAbilities",
    "GameplayTags",
    "GameplayTasks",
    "GeometryCollectionEngine",
    "InputCore",
    "Landscape",
    "LevelSequence",
    "MediaAssets",
    "MovieScene",
    "MovieSceneTracks",
    "NavigationSystem",
    "Niagara",
    "Paper2D",
    "PhysicsCore",
    "PropertyAccess",
    "Slate",
    "SlateCore",
    "StaticMeshDescription",
    "UMG",
    "UMGEditor",
];

/// An entry of the index of [`ScriptNames`].
#[derive(Clone, Copy, Debug, Default)]
pub struct ScriptEntry {
    index: u64,
    /// The row of a struct in the mappings, or the position of an object in the table.
    row: u32,
    is_object: bool,
}

#[derive(Clone, Debug)]
enum Entries<'m> {
    #[cfg(feature = "alloc")]
    Owned(Vec<ScriptEntry>),
    Borrowed(&'m [ScriptEntry]),
}

/// Finds the classes, structs and other objects of C++ code to which Zen packages refer.
///
/// A package states the hash of a path such as `/Script/Engine/StaticMesh`. The paths are in a
/// table of the game ([`ScriptObjects`]), and often also in its mappings. If the mappings do not
/// state the package of a class, 32 packages of the engine are tried.
///
/// ```
/// use gamewire::unreal::mappings::{MappingsBuf, StructBuf};
/// use gamewire::unreal::tables::ObjectIndex;
/// use gamewire::unreal::{Mappings, ScriptNames};
///
/// let mut all = MappingsBuf::new(4);
/// all.structs.push(StructBuf::new("StaticMesh"));
/// let file = all.write();
/// let mappings = Mappings::open(&file)?;
/// let names = ScriptNames::new(Some(&mappings), None);
/// let found = names.structure(ObjectIndex::of_script("/Script/Engine", "StaticMesh"));
/// assert_eq!(found.unwrap().name().to_string(), "StaticMesh");
/// # Ok::<(), gamewire::unreal::Error>(())
/// ```
#[derive(Clone, Debug)]
pub struct ScriptNames<'m> {
    mappings: Option<&'m Mappings<'m>>,
    objects: Option<&'m ScriptObjects<'m>>,
    /// Sorted by their indices.
    entries: Entries<'m>,
}

impl<'m> ScriptNames<'m> {
    /// Creates an index of the structs of mappings and of the objects of a table. The index takes
    /// 16 bytes for each object and for each struct. For a struct whose package is not known, it
    /// takes 16 bytes for each of 32 possible paths.
    #[cfg(feature = "alloc")]
    pub fn new(mappings: Option<&'m Mappings<'m>>, objects: Option<&'m ScriptObjects<'m>>) -> Self {
        let mut entries = Vec::with_capacity(Self::index_len(mappings, objects));
        each_entry(mappings, objects, |entry| entries.push(entry));
        sort(&mut entries);
        Self { mappings, objects, entries: Entries::Owned(entries) }
    }

    /// Returns the number of entries of the index.
    pub fn index_len(
        mappings: Option<&Mappings<'_>>,
        objects: Option<&ScriptObjects<'_>>,
    ) -> usize {
        let paths = |of: MappedStruct<'_>| if package(&of).is_some() { 1 } else { MODULES.len() };
        let structs = mappings.iter().flat_map(|mappings| mappings.structs()).map(paths);
        let structs = structs.fold(0, usize::saturating_add);
        structs.saturating_add(objects.map_or(0, ScriptObjects::len))
    }

    /// Creates the index without allocation, in `memory`, which must have at least
    /// [`index_len`](Self::index_len) entries.
    ///
    /// # Errors
    /// If `memory` is too short.
    pub fn new_in(
        mappings: Option<&'m Mappings<'m>>,
        objects: Option<&'m ScriptObjects<'m>>,
        memory: &'m mut [ScriptEntry],
    ) -> Result<Self> {
        let (size, limit) = (Self::index_len(mappings, objects) as u64, memory.len() as u64);
        let mut free = memory.iter_mut();
        let mut used = 0usize;
        each_entry(mappings, objects, |entry| {
            if let Some(place) = free.next() {
                *place = entry;
                used = used.saturating_add(1);
            }
        });
        let Some(entries) = memory.get_mut(..used).filter(|_| size <= limit) else {
            return Err(Error::new(ErrorKind::TooLarge { size, limit }, 0));
        };
        sort(entries);
        Ok(Self { mappings, objects, entries: Entries::Borrowed(entries) })
    }

    /// Returns the mappings.
    pub const fn mappings(&self) -> Option<&'m Mappings<'m>> {
        self.mappings
    }

    /// Returns the entries of the object with this index.
    fn find(&self, index: ObjectIndex) -> &[ScriptEntry] {
        let all = match &self.entries {
            #[cfg(feature = "alloc")]
            Entries::Owned(entries) => entries.as_slice(),
            Entries::Borrowed(entries) => *entries,
        };
        let start = all.partition_point(|entry| entry.index < index.0);
        let found = all.get(start..).unwrap_or_default();
        let len = found.partition_point(|entry| entry.index <= index.0);
        found.get(..len).unwrap_or_default()
    }

    /// Returns the object of the table with this index.
    fn object(&self, index: ObjectIndex) -> Option<ScriptObjectEntry> {
        let entry = self.find(index).iter().find(|entry| entry.is_object)?;
        self.objects?.get(entry.row)
    }

    fn mapped(&self, index: ObjectIndex) -> Option<MappedStruct<'m>> {
        let entry = self.find(index).iter().rfind(|entry| !entry.is_object)?;
        Some(self.mappings?.structure(entry.row))
    }

    /// Returns the class or struct of the mappings with this index. If only the table of objects
    /// has this index, returns the class or struct that has the object's name.
    pub fn structure(&self, index: ObjectIndex) -> Option<MappedStruct<'m>> {
        self.mapped(index).or_else(|| {
            let name = self.objects?.name(self.object(index)?.object_name)?;
            self.mappings?.struct_named(name)
        })
    }

    /// Returns the name of the object with this index, without its outers.
    pub fn name(&self, index: ObjectIndex) -> Option<NameText<'m>> {
        if let Some(object) = self.object(index) {
            return self.objects?.name(object.object_name);
        }
        let text = StrRef::utf8(self.mapped(index)?.name().bytes());
        Some(NameText::new(text, 0))
    }

    /// Returns the path of the object with this index, such as `/Script/Engine.StaticMesh`. Returns
    /// `None` if the object is not known.
    pub fn path(&self, index: ObjectIndex) -> Option<ScriptPath<'_, 'm>> {
        self.name(index).map(|_| ScriptPath { names: self, index })
    }
}

/// Returns the package of a struct, if the mappings state it.
fn package<'m>(of: &MappedStruct<'m>) -> Option<&'m str> {
    of.path().and_then(|path| path.as_str()).filter(|path| !path.is_empty())
}

fn each_entry(
    mappings: Option<&Mappings<'_>>,
    objects: Option<&ScriptObjects<'_>>,
    mut add: impl FnMut(ScriptEntry),
) {
    for of in mappings.iter().flat_map(|mappings| mappings.structs()) {
        let mut of_package = |package: &[&[u8]]| {
            let index = ObjectIndex::of_script_parts(package, of.name().bytes()).0;
            add(ScriptEntry { index, row: of.row(), is_object: false });
        };
        match package(&of) {
            Some(package) => of_package(&[package.as_bytes()]),
            None => {
                MODULES.iter().for_each(|module| of_package(&[b"/Script/", module.as_bytes()]));
            }
        }
    }
    let objects = objects.iter().flat_map(|objects| objects.objects()).flatten();
    for (object, row) in objects.zip(0..) {
        add(ScriptEntry { index: object.index.0, row, is_object: true });
    }
}

fn sort(entries: &mut [ScriptEntry]) {
    entries.sort_unstable_by_key(|entry| (entry.index, entry.is_object, entry.row));
}

/// The path of an object of C++ code. `Display` prints it.
#[derive(Clone, Copy, Debug)]
pub struct ScriptPath<'n, 'm> {
    names: &'n ScriptNames<'m>,
    index: ObjectIndex,
}

/// Maximum number of objects in a path. Engines use only a few.
const LEVELS: usize = 16;

impl fmt::Display for ScriptPath<'_, '_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Self { names, index } = self;
        let Some(object) = names.object(*index) else {
            let Some(of) = names.mapped(*index) else { return f.write_str("?") };
            let name = of.name();
            if let Some(path) = package(&of) {
                return write!(f, "{path}.{name}");
            }
            // The index was computed with one of these packages.
            let fits = |module: &&&str| {
                let package: [&[u8]; 2] = [b"/Script/", module.as_bytes()];
                ObjectIndex::of_script_parts(&package, name.bytes()) == *index
            };
            let module = MODULES.iter().find(fits).copied().unwrap_or_default();
            return write!(f, "/Script/{module}.{name}");
        };
        let outer = |object: &ScriptObjectEntry| names.object(object.outer);
        let depth = core::iter::successors(Some(object), outer).take(LEVELS).count();
        for level in (0..depth).rev() {
            let part = core::iter::successors(Some(object), outer).nth(level);
            let name = part.and_then(|part| names.objects?.name(part.object_name));
            match depth.wrapping_sub(level) {
                1 => {}
                3 => f.write_str(":")?,
                _ => f.write_str(".")?,
            }
            write!(f, "{}", name.unwrap_or_default())?;
        }
        Ok(())
    }
}
