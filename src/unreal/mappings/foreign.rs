//! Types that other packages declare: their paths, and a way to combine the declarations of several
//! packages.

use super::{MappedTypeBuf, MappingsBuf, StructBuf};
use alloc::collections::{BTreeMap, BTreeSet};
use alloc::string::String;
use alloc::vec::Vec;
use core::borrow::Borrow;
use core::fmt::{self, Write};

/// The path of a class, struct or enum. `Display` prints it in the form `/Game/Doors/Door.Door_C`.
///
/// [`Package::missing_types`](crate::unreal::Package::missing_types) returns such paths.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct TypePath {
    /// The package that declares the type, such as `/Game/Doors/Door`.
    pub package: String,
    /// The name of the type, such as `Door_C`.
    pub name: String,
}

impl fmt::Display for TypePath {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}.{}", self.package, self.name)
    }
}

/// The types that a package declares, and the types that it needs from other packages.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct PackageTypes {
    /// The name of the package, such as `/Game/Doors/Door`.
    pub package: String,
    /// The types that the package declares.
    pub declared: MappingsBuf,
    /// The types that the package needs from other packages.
    pub missing: Vec<TypePath>,
}

impl PackageTypes {
    /// Keeps only those missing types to which the declared types refer. These are enough to read
    /// the objects of other packages, but not those of this package.
    pub fn keep_declared(&mut self) {
        let names = self.declared.names_in_use();
        self.missing.retain(|of| names.contains(&of.name.to_ascii_lowercase()));
    }

    /// Combines the types of several packages, to read the objects of the first one. If several
    /// packages declare types with the same name, the first type keeps the name, and the others are
    /// renamed to their paths. References are changed accordingly. If the first package needs
    /// several types with the same name, all of them are renamed to their paths. Properties of
    /// these types in the first package cannot be read then, because packages refer to types by
    /// name only.
    ///
    /// ```
    /// use gamewire::unreal::Mappings;
    /// use gamewire::unreal::mappings::{MappingsBuf, PackageTypes, StructBuf, TypePath};
    ///
    /// let of = |package: &str, of: StructBuf, missing: Vec<TypePath>| PackageTypes {
    ///     package: package.into(),
    ///     declared: MappingsBuf { structs: vec![of], ..MappingsBuf::new(4) },
    ///     missing,
    /// };
    /// let old = TypePath { package: "/Game/Old".into(), name: "Door_C".into() };
    /// let new = of("/Game/New", StructBuf::new("Door_C").under("Door_C"), vec![old]);
    /// let old = of("/Game/Old", StructBuf::new("Door_C").under("Actor"), Vec::new());
    /// let file = PackageTypes::combine(&[new, old]).write();
    /// let mappings = Mappings::open(&file)?;
    /// let door = mappings.find_struct("Door_C").unwrap();
    /// assert_eq!(door.parent().unwrap().name().to_string(), "/Game/Old.Door_C");
    /// # Ok::<(), gamewire::unreal::Error>(())
    /// ```
    pub fn combine<T: Borrow<Self>>(all: &[T]) -> MappingsBuf {
        let mut names = Names::new(all.first().map(Borrow::borrow));
        all.iter().for_each(|of| names.add(of.borrow()));
        let mut combined = MappingsBuf::new(u8::MAX);
        for of in all.iter().map(Borrow::borrow) {
            let local = names.of_package(of);
            let mut declared = of.declared.clone();
            for of in &mut declared.enums {
                rename(&mut of.name, &|name| local.declared(name));
            }
            for of in &mut declared.structs {
                if let Some(parent) = &mut of.parent {
                    // No class is its own super class, so this is a class of another package.
                    match parent.eq_ignore_ascii_case(&of.name) {
                        true => rename(parent, &|name| local.needed(name)),
                        false => rename(parent, &|name| local.used(name)),
                    }
                }
                of.properties
                    .iter_mut()
                    .for_each(|field| field.of.rename(&|name| local.used(name)));
                rename(&mut of.name, &|name| local.declared(name));
            }
            combined.enums.append(&mut declared.enums);
            combined.structs.append(&mut declared.structs);
        }
        combined
    }

    /// Returns the names of the declared types.
    fn names(&self) -> impl Iterator<Item = &str> {
        let MappingsBuf { enums, structs, .. } = &self.declared;
        enums.iter().map(|of| &*of.name).chain(structs.iter().map(|of| &*of.name))
    }
}

impl MappingsBuf {
    /// Returns the names of the types to which these types refer, in lower case.
    pub(crate) fn names_in_use(&self) -> BTreeSet<String> {
        let mut names = BTreeSet::new();
        for StructBuf { parent, properties, .. } in &self.structs {
            let mut add = |name: &str| {
                names.insert(name.to_ascii_lowercase());
            };
            parent.iter().for_each(|parent| add(parent));
            properties.iter().for_each(|property| property.of.each_name(&mut add));
        }
        names
    }
}

type Text = alloc::borrow::Cow<'static, str>;

fn rename(name: &mut Text, renamed: &impl Fn(&str) -> Option<String>) {
    if let Some(new) = renamed(name) {
        *name = new.into();
    }
}

/// Decides which types get new names. The names in the set and in the keys of the map are in lower
/// case.
struct Names {
    /// Names that are in use, or that no type may keep.
    taken: BTreeSet<String>,
    /// The new names, keyed by the package and the name of the type.
    renamed: BTreeMap<(String, String), String>,
}

impl Names {
    fn new(first: Option<&PackageTypes>) -> Self {
        let (mut once, mut taken) = (BTreeSet::new(), BTreeSet::new());
        for of in first.iter().flat_map(|first| &first.missing) {
            let name = of.name.to_ascii_lowercase();
            if !once.insert(name.clone()) {
                taken.insert(name);
            }
        }
        // Types that the first package declares keep their names, even if it also needs types with
        // these names.
        for name in first.iter().flat_map(|first| first.names()) {
            taken.remove(&name.to_ascii_lowercase());
        }
        Self { taken, renamed: BTreeMap::new() }
    }

    fn add(&mut self, of: &PackageTypes) {
        let own: BTreeMap<_, _> =
            of.names().map(|name| (name.to_ascii_lowercase(), name)).collect();
        for (key, name) in own {
            if !self.taken.insert(key.clone()) {
                let path = alloc::format!("{}.{name}", of.package);
                self.renamed.insert((of.package.to_ascii_lowercase(), key), path);
            }
        }
    }

    /// Returns the names of the types that a package declares or needs, and their new names.
    fn of_package(&self, of: &PackageTypes) -> LocalNames {
        let new = |package: &str, name: &str| {
            let key = (package.to_ascii_lowercase(), name.to_ascii_lowercase());
            let new = self.renamed.get(&key).cloned();
            (key.1, new)
        };
        let mut needed = BTreeMap::new();
        for (name, new) in of.missing.iter().map(|of| new(&of.package, &of.name)) {
            // The package refers to types by name, so it is not known which type with this name it
            // means.
            let unknown = || Some(String::from("?"));
            needed.entry(name).and_modify(|new| *new = unknown()).or_insert(new);
        }
        LocalNames { declared: of.names().map(|name| new(&of.package, name)).collect(), needed }
    }
}

/// The names that a package uses, in lower case, and their new names if they have any.
struct LocalNames {
    declared: BTreeMap<String, Option<String>>,
    needed: BTreeMap<String, Option<String>>,
}

impl LocalNames {
    /// Returns the new name of a type that the package declares.
    fn declared(&self, name: &str) -> Option<String> {
        self.declared.get(&name.to_ascii_lowercase())?.clone()
    }

    /// Returns the new name of a type of another package.
    fn needed(&self, name: &str) -> Option<String> {
        self.needed.get(&name.to_ascii_lowercase())?.clone()
    }

    /// Returns the new name of a type to which the package refers.
    fn used(&self, name: &str) -> Option<String> {
        let name = name.to_ascii_lowercase();
        self.declared.get(&name).or_else(|| self.needed.get(&name))?.clone()
    }
}

/// The recursion is as deep as the type, which the caller has built.
impl MappedTypeBuf {
    fn each_name(&self, add: &mut impl FnMut(&str)) {
        match self {
            Self::Plain(_) => {}
            Self::Struct(name) | Self::Enum(name, _) => add(name),
            Self::Array(of) | Self::Set(of) | Self::Optional(of) => of.each_name(add),
            Self::Map(key, value) => {
                key.each_name(add);
                value.each_name(add);
            }
        }
    }

    fn rename(&mut self, renamed: &impl Fn(&str) -> Option<String>) {
        match self {
            Self::Plain(_) => {}
            Self::Struct(name) | Self::Enum(name, _) => rename(name, renamed),
            Self::Array(of) | Self::Set(of) | Self::Optional(of) => of.rename(renamed),
            Self::Map(key, value) => {
                key.rename(renamed);
                value.rename(renamed);
            }
        }
    }
}

/// Maximum length of a name in bytes. Engines accept names of up to 1,023 characters.
pub(crate) const LONGEST: usize = 1024;

/// Prints a name. Returns `None` if the name is empty or too long.
pub(crate) fn printed(name: impl fmt::Display) -> Option<String> {
    bounded(name).filter(|text| !text.is_empty())
}

/// Prints a name, which can be empty. Returns `None` if the name is longer than [`LONGEST`]. Stops
/// printing at that length, because a file can refer to a long name many times.
pub(crate) fn bounded(name: impl fmt::Display) -> Option<String> {
    let mut text = Bounded(String::new());
    write!(text, "{name}").ok()?;
    Some(text.0)
}

/// A text that cannot become longer than [`LONGEST`].
struct Bounded(String);

impl Write for Bounded {
    fn write_str(&mut self, text: &str) -> fmt::Result {
        match self.0.len().saturating_add(text.len()) {
            ..=LONGEST => {
                self.0.push_str(text);
                Ok(())
            }
            _ => Err(fmt::Error),
        }
    }
}

/// Maximum number of paths that are collected. Levels of games need a few hundred.
const MOST: usize = 1 << 14;

/// Collects paths without repetitions, in the order in which they are found.
#[derive(Default)]
pub(crate) struct TypePaths {
    /// The paths, and their positions in this order.
    all: BTreeMap<TypePath, usize>,
}

impl TypePaths {
    /// Adds a path, unless the package contains C++ code and is therefore not a file.
    pub(crate) fn add(&mut self, package: impl fmt::Display, name: impl fmt::Display) {
        let (Some(package), Some(name)) = (printed(package), printed(name)) else { return };
        let is_file = package.starts_with('/') && !package.starts_with("/Script/");
        let place = self.all.len();
        if is_file && place < MOST {
            self.all.entry(TypePath { package, name }).or_insert(place);
        }
    }

    pub(crate) fn into_vec(self) -> Vec<TypePath> {
        let mut all: Vec<_> = self.all.into_iter().collect();
        all.sort_unstable_by_key(|(_, place)| *place);
        all.into_iter().map(|(of, _)| of).collect()
    }
}
