//! Finds the types that a Zen package declares, and those that it needs from other packages.

use super::package::ZenPackage;
use crate::unreal::mappings::{MappingsBuf, PackageTypes, TypePath, TypePaths, bounded, printed};
use crate::unreal::properties::{
    Declarations, DeclaredKind, ObjectRef, PropertyValue, declared_kind,
};
use crate::unreal::tables::{ObjectIndex, ZenExport, ZenObject};
use alloc::collections::BTreeSet;
use alloc::vec::Vec;

impl<'a> ZenPackage<'a> {
    /// Returns the classes, structs and enums that the package itself declares, as
    /// [`Package::declared_structs`](crate::unreal::Package::declared_structs) does. The package
    /// must have [script names](Self::with_script_names) with mappings.
    pub fn declared_structs(&self) -> MappingsBuf {
        let mut all = MappingsBuf::new(u8::MAX);
        if !self.layout().unversioned_properties {
            return all;
        }
        // Damaged exports can share bytes. To take linear time, reading ends when the declarations
        // are together larger than the data.
        let mut left = self.size();
        for (export, index) in self.exports().flatten().zip(0..) {
            let Some(kind) = self.declares(&export) else { continue };
            match left.checked_sub(export.serial_size) {
                Some(rest) => left = rest,
                None => break,
            }
            let _ = self.declared(kind, &export, index, &mut all);
        }
        all
    }

    fn declares(&self, export: &ZenExport) -> Option<DeclaredKind> {
        declared_kind(&self.structure(export.class)?, self.layout())
    }

    /// Adds the type that an export declares.
    fn declared(
        &self,
        kind: DeclaredKind,
        export: &ZenExport,
        index: u32,
        all: &mut MappingsBuf,
    ) -> Option<()> {
        let name = |index| bounded(self.object_name(self.object_at(index)?)?);
        let declarations = Declarations { context: self.context(), name: &name };
        let tail = self.properties(index).ok()??.tail().ok()?;
        let name = printed(self.mapped_name(export.object_name)?)?;
        declarations.read(kind, name, tail.native, all).ok()
    }

    /// Returns the types of other packages that the package needs and that its mappings lack, as
    /// [`Package::missing_types`](crate::unreal::Package::missing_types) does. These are the
    /// classes of its exports, the super classes of the classes that it declares, the types of the
    /// properties that it declares, and the row structs of its data tables.
    ///
    /// Returns no paths below engine 5.3, because packages of older engines do not state the names
    /// of other packages.
    pub fn missing_types(&self) -> Vec<TypePath> {
        self.missing_beside(&self.declared_structs())
    }

    /// Returns the types that the package declares, and those that it needs from other packages.
    pub fn package_types(&self) -> PackageTypes {
        let declared = self.declared_structs();
        let missing = self.missing_beside(&declared);
        let package = self.long_name().and_then(printed).unwrap_or_default();
        PackageTypes { package, declared, missing }
    }

    /// Returns the types that the package needs from other packages. `declared` has the types that
    /// the package declares.
    fn missing_beside(&self, declared: &MappingsBuf) -> Vec<TypePath> {
        let mut found = TypePaths::default();
        let mappings = self.context().mappings;
        let Some(mappings) = mappings.filter(|_| self.layout().unversioned_properties) else {
            return found.into_vec();
        };
        let (names, objects) = (declared.names_in_use(), self.objects_in_use());
        // The names of other packages have different lengths and cannot be found by index, so all
        // are read once.
        let packages = self.imported_packages().into_iter().flatten().map(Result::ok);
        let packages: Vec<_> = packages.collect();
        for import in self.imports().flatten() {
            let ZenObject::Import(parts) = import.object() else { continue };
            let package = packages.get((parts >> 32) as usize).copied().flatten();
            let Some(package) = package else { continue };
            let name = self.known_imports().name_in(package, parts as u32);
            let Some(name) = name.and_then(printed) else { continue };
            let is_used = objects.contains(&import.0) || names.contains(&name.to_ascii_lowercase());
            let is_known =
                || mappings.find_struct(&name).is_some() || mappings.find_enum(&name).is_some();
            if is_used && !is_known() {
                found.add(package, name);
            }
        }
        found.into_vec()
    }

    /// Returns the classes and super classes of all exports, and the row structs of data tables.
    fn objects_in_use(&self) -> BTreeSet<u64> {
        let mut all = BTreeSet::new();
        let mut left = self.size();
        for (export, index) in self.exports().flatten().zip(0..) {
            all.extend([export.class.0, export.super_struct.0]);
            let is_table = |name: &str| self.class_name(&export).is_some_and(|of| of == *name);
            if let Some(rest) = left.checked_sub(export.serial_size)
                && (is_table("DataTable") || is_table("CompositeDataTable"))
            {
                left = rest;
                all.extend(self.row_struct(index).map(|object| object.0));
            }
        }
        all
    }

    fn row_struct(&self, index: u32) -> Option<ObjectIndex> {
        let object = self.properties(index).ok()??;
        match object.iter().get("RowStruct")?.value() {
            PropertyValue::Object(ObjectRef::Index(row)) => self.object_at(row),
            _ => None,
        }
    }
}
