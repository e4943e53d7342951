//! The objects of a package: imports and exports.

use crate::buffer::{Full, Sink};
use crate::unreal::format::{
    FileCursor, Guid, Layout, List, Name, PackageIndex, Result, Value, flags, records,
};
use crate::unreal::format::{ue4, ue5};

records! { <'a> (this, layout)
    /// An object of another package that this package refers to.
    struct Import: Specialized {
        /// Package of the class.
        class_package: Name;
        /// Class of the object.
        class_name: Name;
        /// The outer: another import, or null for a package.
        outer: PackageIndex;
        /// Name of the object.
        object_name: Name;
        /// Package of the object. Written from 4:520 on in editor packages. Engine 5.8 also writes
        /// it in cooked packages. Such packages have the same version as cooked packages from 5.7,
        /// which lack the field, so only the size of the table shows whether the field is present.
        package_name: Name, if layout.import_packages;
        /// `true` if the object may be missing.
        optional as "optional": bool, if layout.has_ue5(ue5::OPTIONAL_RESOURCES);
    }

    /// An object of the package.
    struct Export: Specialized {
        /// Class of the object; null if the object is itself a class.
        class: PackageIndex;
        /// Super class of a class or super struct of a struct.
        super_struct as "super": PackageIndex;
        /// Template of the object. It supplies the values of properties that are not stored.
        template: PackageIndex, if layout.has_ue4(ue4::TEMPLATE_INDEX_IN_COOKED_EXPORTS);
        /// Outer of the object; null if it is directly in the package.
        outer: PackageIndex;
        /// Name of the object.
        object_name: Name;
        /// Flags of the object: [`object_flags`].
        object_flags: u32;
        /// Size and offset of the bytes of the export.
        serial: Serial;
        /// `true` if the object belongs to another package.
        forced_export: bool;
        /// `true` if clients do not load the object.
        not_for_client: bool;
        /// `true` if servers do not load the object.
        not_for_server: bool;
        /// GUID of the original package; present below 5:1005.
        package_guid: Guid, if !layout.has_ue5(ue5::REMOVE_OBJECT_EXPORT_PACKAGE_GUID);
        /// `true` if the object was created with its outer.
        inherited_instance: bool, if layout.has_ue5(ue5::TRACK_OBJECT_EXPORT_IS_INHERITED);
        /// Flags of the original package.
        package_flags: u32;
        /// `true` if the editor does not always load the object for a running game. Engines assume
        /// `true` in versions without this field.
        not_always_loaded_for_editor_game: bool, if layout.has_ue4(ue4::LOAD_FOR_EDITOR_GAME);
        /// `true` for an asset.
        is_asset: bool, if layout.has_ue4(ue4::COOKED_ASSETS_IN_EDITOR_SUPPORT);
        /// `true` if other packages can refer to the object by a hash.
        generate_public_hash: bool, if layout.has_ue5(ue5::OPTIONAL_RESOURCES);
        /// Objects that must be loaded or created before this one.
        dependencies: Dependencies, if layout.has_ue4(ue4::PRELOAD_DEPENDENCIES_IN_COOKED_EXPORTS);
        /// Start of the properties in the bytes of the export.
        script_start: i64, if layout.has_ue5(ue5::SCRIPT_SERIALIZATION_OFFSET) && !layout.unversioned_properties;
        /// End of the properties in the bytes of the export.
        script_end: i64, if layout.has_ue5(ue5::SCRIPT_SERIALIZATION_OFFSET) && !layout.unversioned_properties;
    }

    /// The preload dependencies of an export: four consecutive runs of entries in the table of
    /// preload dependencies. The four numbers after `first` are the lengths of the runs.
    struct Dependencies {
        /// Index of the first entry of the first run; −1 if there are no runs.
        first: i32;
        /// Number of objects to serialize before this one is serialized.
        serialize_before_serialize: i32;
        /// Number of objects to create before this one is serialized.
        create_before_serialize: i32;
        /// Number of objects to serialize before this one is created.
        serialize_before_create: i32;
        /// Number of objects to create before this one is created.
        create_before_create: i32;
    }

    /// The class of an import with its super classes.
    struct ImportTypeHierarchy<'a> {
        /// The import.
        object: PackageIndex;
        /// The class and its super classes, in this order.
        types: List<'a, HierarchyType>;
    }

    /// A type in a class hierarchy.
    struct HierarchyType {
        /// Name of the type.
        name as "type": Name;
        /// Package of the type.
        package: Name;
        /// Class of the type.
        class: Name;
        /// Package of the class of the type.
        class_package: Name;
    }
}

flags! {
    /// Bits of [`Export::object_flags`]. Other bits can be set.
    mod object_flags {
        PUBLIC = 0x1;
        STANDALONE = 0x2;
        TRANSACTIONAL = 0x8;
        /// The object holds the default values of its class, and has no GUID after its properties.
        CLASS_DEFAULT_OBJECT = 0x10;
        ARCHETYPE = 0x20;
        TRANSIENT = 0x40;
        DEFAULT_SUB_OBJECT = 0x4_0000;
    }
}

/// Size and offset of the bytes of an export; 32 bits each below 4:511.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Serial {
    /// Size in bytes.
    pub size: i64,
    /// Offset in the file. Offsets continue into the `.uexp`.
    pub offset: i64,
}

impl<'a> Value<'a> for Serial {
    const LEAST: u64 = 8;

    #[inline(always)]
    fn read(from: &mut FileCursor<'a>, layout: &Layout) -> Result<Self> {
        if layout.has_ue4(ue4::EXPORTMAP_SERIALSIZES_64BIT) {
            return Ok(Self { size: from.read(layout)?, offset: from.read(layout)? });
        }
        let (size, offset): (i32, i32) = (from.read(layout)?, from.read(layout)?);
        Ok(Self { size: size.into(), offset: offset.into() })
    }

    fn write<S: Sink>(&self, to: &mut S, layout: &Layout) -> Result<(), Full> {
        if layout.has_ue4(ue4::EXPORTMAP_SERIALSIZES_64BIT) {
            self.size.write(to, layout)?;
            return self.offset.write(to, layout);
        }
        // `PackageEditor` rejects larger numbers in such an old version.
        let narrow = |wide: i64| i32::try_from(wide).unwrap_or(i32::MAX);
        narrow(self.size).write(to, layout)?;
        narrow(self.offset).write(to, layout)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::unreal::format::{ByteOrder, NEWEST, OLDEST, Records, Versions};
    use core::fmt::Debug;

    /// Checks that specialized reading and reading that tests versions return the same records or
    /// errors. `file` must consist of words that are valid bools.
    fn reads_the_same<'a, T: Value<'a> + Debug + PartialEq>(file: &'a [u8], layout: Layout) {
        let mut at = FileCursor::new(file, 0);
        for record in Records::<T>::new(at, 4, layout) {
            assert_eq!(record, at.read(&layout), "{layout:?}");
        }
    }

    #[test]
    fn no_step_is_left_out() {
        let words = (0..400u32).map(|n| n.wrapping_mul(0x9E37_79B9) >> 31);
        let file: alloc::vec::Vec<u8> = words.flat_map(u32::to_le_bytes).collect();
        let old = (OLDEST..NEWEST.ue4).map(|ue4| Versions { ue4, ue5: 0 });
        let new = (0..=NEWEST.ue5 + 1).map(|ue5| Versions { ue4: NEWEST.ue4, ue5 });
        let odd = [(400, 1003), (511, 1018), (213, 0), (522, -1)];
        let odd = odd.into_iter().map(|(ue4, ue5)| Versions { ue4, ue5 });
        for versions in old.chain(new).chain(odd) {
            for flags in 0..8 {
                let layout = Layout {
                    versions,
                    order: if flags & 4 == 0 { ByteOrder::Little } else { ByteOrder::Big },
                    import_packages: flags & 1 != 0,
                    unversioned_properties: flags & 2 != 0,
                    ..Layout::default()
                };
                reads_the_same::<Import>(&file, layout);
                reads_the_same::<Export>(&file, layout);
            }
        }
    }

    extern crate alloc;
}
