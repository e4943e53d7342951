//! Finds the types that a package declares, and those that it needs from other packages.

use super::Package;
use crate::unreal::format::{NameText, Object, PackageIndex};
use crate::unreal::mappings::{
    Mappings, MappingsBuf, PackageTypes, TypePath, TypePaths, bounded, printed,
};
use crate::unreal::properties::{Declarations, DeclaredKind, declared_kind};
use crate::unreal::tables::{Export, Import};
use alloc::collections::BTreeSet;
use alloc::string::String;
use alloc::vec::Vec;

impl<'a> Package<'a> {
    /// Returns the classes, structs and enums that the package itself declares, such as the class of
    /// a blueprint. The mappings of a game usually lack them. Once [`Mappings::extended`] has added
    /// them to the mappings, the properties of their objects can be read.
    ///
    /// Returns no types if properties have tags, or if the package [has no
    /// mappings](Self::with_mappings). Leaves out declarations that cannot be read.
    ///
    /// [`Mappings::extended`]: crate::unreal::Mappings::extended
    ///
    /// ```
    /// use gamewire::unreal::{Error, Mappings, Package};
    ///
    /// fn print(package: &Package<'_>, game: &Mappings<'_>) -> Result<(), Error> {
    ///     let own = package.clone().with_mappings(game).declared_structs().write();
    ///     let mappings = game.extended(&own)?;
    ///     let package = package.clone().with_mappings(&mappings);
    ///     for export in package.exports() {
    ///         println!("{:?}", package.properties(&export?)?);
    ///     }
    ///     Ok(())
    /// }
    /// ```
    pub fn declared_structs(&self) -> MappingsBuf {
        let mut all = MappingsBuf::new(u8::MAX);
        if !self.context.layout.unversioned_properties {
            return all;
        }
        // Damaged exports can share bytes. To take linear time, reading ends when the declarations
        // are together larger than the data.
        let (header, exports) = self.sizes();
        let mut left = exports.unwrap_or(header);
        for export in self.exports().flatten() {
            let Some(kind) = self.declares(&export) else { continue };
            let size = u64::try_from(export.serial.size).unwrap_or(u64::MAX);
            match left.checked_sub(size) {
                Some(rest) => left = rest,
                None => break,
            }
            let _ = self.declared(kind, &export, &mut all);
        }
        all
    }

    fn declares(&self, export: &Export) -> Option<DeclaredKind> {
        declared_kind(&self.schema(export)?, self.layout())
    }

    /// Adds the type that an export declares.
    fn declared(&self, kind: DeclaredKind, export: &Export, all: &mut MappingsBuf) -> Option<()> {
        let name = |index| self.object_name(index).and_then(bounded);
        let declarations = Declarations { context: &self.context, name: &name };
        let tail = self.properties(export).ok()??.tail().ok()?;
        declarations.read(kind, printed(self.name(export.object_name)?)?, tail.native, all).ok()
    }

    /// Returns the types of other packages that the package needs and that its mappings lack: the
    /// classes of its exports, the super classes of the classes that it declares, and all structs
    /// and enums that it imports. Types of C++ code (`/Script/…`) are left out, because no package
    /// declares them.
    ///
    /// To read the declarations of such types, call [`declared_structs`](Self::declared_structs) on
    /// the packages in their paths. Returns at most 16,384 paths, and none if properties have tags,
    /// or if the package [has no mappings](Self::with_mappings).
    ///
    /// ```
    /// use gamewire::unreal::{Mappings, Package};
    ///
    /// fn print(package: &Package<'_>, game: &Mappings<'_>) {
    ///     for of in package.clone().with_mappings(game).missing_types() {
    ///         println!("{of}: needs {}", of.package);
    ///     }
    /// }
    /// ```
    pub fn missing_types(&self) -> Vec<TypePath> {
        let mut found = TypePaths::default();
        let mappings = self.context.mappings;
        let Some(mappings) = mappings.filter(|_| self.layout().unversioned_properties) else {
            return found.into_vec();
        };
        let used = self.exports().flatten().flat_map(|export| [export.class, export.super_struct]);
        let used: BTreeSet<_> = used.map(|index| index.0).collect();
        for (import, index) in self.imports().flatten().zip(0u32..) {
            let index = PackageIndex::from(Object::Import(index));
            let Some(name) = self.name(import.object_name) else { continue };
            let lacks = match self.imported_kind(&import, mappings) {
                Some(DeclaredKind::Enum) => {
                    printed(name).is_some_and(|name| mappings.find_enum(&name).is_none())
                }
                Some(DeclaredKind::Struct) => mappings.struct_named(name).is_none(),
                Some(DeclaredKind::Class) | None => {
                    used.contains(&index.0) && mappings.struct_named(name).is_none()
                }
            };
            if let (true, Some(package)) = (lacks, self.package_of(&import)) {
                found.add(package, name);
            }
        }
        found.into_vec()
    }

    /// Returns the kind of an imported type, if the mappings have the class of the import.
    fn imported_kind(&self, import: &Import, mappings: &Mappings<'_>) -> Option<DeclaredKind> {
        declared_kind(&mappings.struct_named(self.name(import.class_name)?)?, self.layout())
    }

    /// Returns the name of the package that contains an imported object.
    fn package_of(&self, import: &Import) -> Option<NameText<'a>> {
        let outer = |import: &Import| match import.outer.object() {
            Object::Import(index) => self.import(index).ok(),
            _ => None,
        };
        let chain = core::iter::successors(outer(import), outer).take(LEVELS);
        self.name(chain.last()?.object_name)
    }

    /// Returns the types that the package declares, and those that it needs from other packages. If
    /// the package does not state its name, `name` is used instead.
    pub fn package_types(&self, name: &str) -> PackageTypes {
        let stated = self.long_name().and_then(printed);
        PackageTypes {
            package: stated.unwrap_or_else(|| String::from(name)),
            declared: self.declared_structs(),
            missing: self.missing_types(),
        }
    }
}

/// Maximum number of outers above a type. Types that engines write have one, the package.
const LEVELS: usize = 8;
