//! Paths of objects.

use crate::unreal::format::{Name, NameText, Object, PackageIndex, StrRef, display_eq_ignore_case};
use crate::unreal::package::Package;
use crate::unreal::tables::Export;
use core::fmt;

/// Maximum number of objects in a path. Engines use only a few.
const LEVELS: usize = 64;

/// The path of an object with its package, such as `/Game/Folder/Package.Asset:Sub.Object`.
///
/// `{:#}` leaves out the package in the path of an export. The path of an import always includes
/// the package. Most packages of engine 4 do not store their name. In such a package, the paths of
/// exports begin with the asset even without `#`. A path of more than 64 objects or with a cycle
/// begins with `…`. An invalid object is printed as `?`.
#[derive(Clone, Copy, Debug)]
pub struct ObjectPath<'p, 'a> {
    package: &'p Package<'a>,
    /// The object, then its outers.
    chain: [PackageIndex; LEVELS],
    len: usize,
    /// `true` if the object has more outers than `chain` can hold.
    cut: bool,
}

impl<'a> Package<'a> {
    /// Returns the path of an import or export. The path of the null reference is empty.
    ///
    /// ```
    /// use gamewire::unreal::{Package, PackageIndex};
    ///
    /// # if !std::path::Path::new("corpus").exists() { return Ok(()) } // not published
    /// let file = &std::fs::read("corpus/unreal/ue5.6-SimpleRefsRoot.uasset")?;
    /// let package = Package::open(file)?;
    /// let path = |index| package.path_of(PackageIndex(index)).to_string();
    /// assert_eq!(path(1), "/Game/SimpleRefs/SimpleRefsRoot.SimpleRefsRoot");
    /// assert_eq!(format!("{:#}", package.path_of(PackageIndex(3))), "SimpleRefsRoot:EventGraph");
    /// assert_eq!(path(-3), "/Script/BlueprintGraph.EdGraphSchema_K2");
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    pub fn path_of(&self, index: PackageIndex) -> ObjectPath<'_, 'a> {
        let mut path =
            ObjectPath { package: self, chain: [PackageIndex(0); LEVELS], len: 0, cut: false };
        let mut at = index;
        for place in &mut path.chain {
            if at.is_null() {
                return path;
            }
            *place = at;
            path.len = path.len.wrapping_add(1);
            at = self.outer_of(at).unwrap_or_default();
        }
        path.cut = !at.is_null();
        path
    }

    /// Returns the outer of an object. Returns `None` if there is no such object.
    pub fn outer_of(&self, index: PackageIndex) -> Option<PackageIndex> {
        match index.object() {
            Object::Null => None,
            Object::Import(index) => self.import(index).ok().map(|import| import.outer),
            Object::Export(index) => self.export(index).ok().map(|export| export.outer),
        }
    }

    /// Returns the index of the export with this path, as [printed](Self::path_of) with or without
    /// its package. If no path matches but exactly one export has this name, returns the index of
    /// that export. ASCII case is ignored.
    ///
    /// ```
    /// use gamewire::unreal::Package;
    ///
    /// # if !std::path::Path::new("corpus").exists() { return Ok(()) } // not published
    /// let file = &std::fs::read("corpus/unreal/ue5.6-SimpleRefsRoot.uasset")?;
    /// let package = Package::open(file)?;
    /// assert_eq!(package.find_export("SimpleRefsRoot:EventGraph"), Some(2));
    /// assert_eq!(package.find_export("/Game/SimpleRefs/SimpleRefsRoot.SimpleRefsRoot"), Some(0));
    /// assert_eq!(package.find_export("TestEvent"), Some(4));
    /// assert_eq!(package.find_export("TestEvnet"), None);
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    pub fn find_export(&self, path: &str) -> Option<u32> {
        let exports = || self.exports().flatten().map(|export| export.object_name).zip(0..);
        self.find_object(path, exports, Object::Export)
    }

    /// Returns the index of the import with this path or name; see
    /// [`find_export`](Self::find_export).
    pub fn find_import(&self, path: &str) -> Option<u32> {
        let imports = || self.imports().flatten().map(|import| import.object_name).zip(0..);
        self.find_object(path, imports, Object::Import)
    }

    /// Returns the index of the object with this path. If no path matches but exactly one object
    /// has this name, returns the index of that object. `objects` returns the name and index of
    /// each object.
    fn find_object<I: Iterator<Item = (Name, u32)>>(
        &self,
        path: &str,
        objects: impl Fn() -> I,
        object: fn(u32) -> Object,
    ) -> Option<u32> {
        let is_there = |index: &u32| {
            let found = self.path_of(object(*index).into());
            display_eq_ignore_case(format_args!("{found:#}"), path)
                || display_eq_ignore_case(found, path)
        };
        let is_called = |name: Name| self.name(name).is_some_and(|name| name == *path);
        objects().map(|(_, index)| index).find(is_there).or_else(|| {
            let mut called = objects().filter(|(name, _)| is_called(*name));
            let (_, index) = called.next()?;
            called.next().is_none().then_some(index)
        })
    }

    /// Returns the name of an object without its outers. Returns `None` if there is no such object.
    pub fn object_name(&self, index: PackageIndex) -> Option<NameText<'a>> {
        self.name(match index.object() {
            Object::Null => return None,
            Object::Import(index) => self.import(index).ok()?.object_name,
            Object::Export(index) => self.export(index).ok()?.object_name,
        })
    }

    /// Returns the name of the class of an export, which is `Class` if the export is a class.
    /// Returns `None` if the class or its name does not exist.
    pub fn class_name(&self, export: &Export) -> Option<NameText<'a>> {
        match export.class.is_null() {
            true => Some(NameText::new(StrRef::latin1(b"Class"), 0)),
            false => self.object_name(export.class),
        }
    }

    /// Returns the name of the package, or `None` if the package does not store its name. Most
    /// packages of engine 4 do not store it.
    pub fn long_name(&self) -> Option<StrRef<'a>> {
        let name = self.summary().package_name;
        (!name.is_empty() && name != *"None").then_some(name)
    }
}

impl fmt::Display for ObjectPath<'_, '_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let chain = self.chain.get(..self.len).unwrap_or_default();
        // The outermost import is a package; the outermost export is in this package.
        let outermost = chain.last().map(|index| index.object());
        let mut level = usize::from(matches!(outermost, Some(Object::Export(_))));
        let mut alone = false;
        match self.package.long_name() {
            _ if self.cut => f.write_str("…")?,
            Some(name) if level == 1 && !f.alternate() => write!(f, "{name}")?,
            _ => alone = true,
        }
        for index in chain.iter().rev() {
            f.write_str(match level {
                _ if alone => "",
                2 if !self.cut => ":",
                _ => ".",
            })?;
            match self.package.object_name(*index) {
                Some(name) => write!(f, "{name}")?,
                None => f.write_str("?")?,
            }
            alone = false;
            level = level.wrapping_add(1);
        }
        Ok(())
    }
}
