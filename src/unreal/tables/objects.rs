//! What a package imports and what it has: the objects.

use crate::buffer::{Full, Sink};
use crate::unreal::format::{
    FileCursor, Guid, Layout, List, Name, PackageIndex, Result, Value, flags, records,
};
use crate::unreal::format::{ue4, ue5};

records! { <'a> (this, layout)
    /// An object of another package that this one refers to.
    struct Import: Specialized {
        /// Package of the class.
        class_package: Name;
        /// Class of the object.
        class_name: Name;
        /// What the object is in: another import, or nothing for a package.
        outer: PackageIndex;
        /// Its name.
        object_name: Name;
        /// Package it is in. From 4:520 while there are data for the editor; engine 5.8 writes
        /// it in cooked packages, too, and has the same version as 5.7: the size of the table
        /// tells.
        package_name: Name, if layout.import_packages;
        /// Whether it may be missing.
        optional as "optional": bool, if layout.has_ue5(ue5::OPTIONAL_RESOURCES);
    }

    /// An object of the package.
    struct Export: Specialized {
        /// Its class; none for a class.
        class: PackageIndex;
        /// What a class or struct is derived from.
        super_struct as "super": PackageIndex;
        /// What it was made after, with values from there where no property is saved.
        template: PackageIndex, if layout.has_ue4(ue4::TEMPLATE_INDEX_IN_COOKED_EXPORTS);
        /// What it is in; none if directly in the package.
        outer: PackageIndex;
        /// Its name.
        object_name: Name;
        /// What it is and how it is used: [`object_flags`].
        object_flags: u32;
        /// Size and place of its bytes.
        serial: Serial;
        /// Whether it is here although it belongs to another package.
        forced_export: bool;
        /// Whether clients do without.
        not_for_client: bool;
        /// Whether servers do without.
        not_for_server: bool;
        /// Of the package it comes from, below 5:1005.
        package_guid: Guid, if !layout.has_ue5(ue5::REMOVE_OBJECT_EXPORT_PACKAGE_GUID);
        /// Whether it was made because what it is in was.
        inherited_instance: bool, if layout.has_ue5(ue5::TRACK_OBJECT_EXPORT_IS_INHERITED);
        /// Flags of the package it comes from.
        package_flags: u32;
        /// Whether the editor does without in a running game; true where it does not say.
        not_always_loaded_for_editor_game: bool, if layout.has_ue4(ue4::LOAD_FOR_EDITOR_GAME);
        /// Whether it is an asset.
        is_asset: bool, if layout.has_ue4(ue4::COOKED_ASSETS_IN_EDITOR_SUPPORT);
        /// Whether others can refer to it by a hash.
        generate_public_hash: bool, if layout.has_ue5(ue5::OPTIONAL_RESOURCES);
        /// What has to be loaded or made before it.
        dependencies: Dependencies, if layout.has_ue4(ue4::PRELOAD_DEPENDENCIES_IN_COOKED_EXPORTS);
        /// Where in its bytes the properties begin.
        script_start: i64, if layout.has_ue5(ue5::SCRIPT_SERIALIZATION_OFFSET) && !layout.unversioned_properties;
        /// Where they end.
        script_end: i64, if layout.has_ue5(ue5::SCRIPT_SERIALIZATION_OFFSET) && !layout.unversioned_properties;
    }

    /// Runs in the table of preload dependencies, one behind the other.
    struct Dependencies {
        /// Where the first run begins; −1 if there are none.
        first: i32;
        /// What has to be read before this is read.
        serialize_before_serialize: i32;
        /// What has to be made before this is read.
        create_before_serialize: i32;
        /// What has to be read before this is made.
        serialize_before_create: i32;
        /// What has to be made before this is made.
        create_before_create: i32;
    }

    /// The class of an import, what that is derived from, and so on.
    struct ImportTypeHierarchy<'a> {
        /// The import.
        object: PackageIndex;
        /// From its class to the base.
        types: List<'a, HierarchyType>;
    }

    /// A step on the way to the base.
    struct HierarchyType {
        /// The type.
        name as "type": Name;
        /// Its package.
        package: Name;
        /// Its own class.
        class: Name;
        /// The package of that.
        class_package: Name;
    }
}

flags! {
    /// Bits of [`Export::object_flags`]; others may be set and mean nothing here.
    mod object_flags {
        PUBLIC = 0x1;
        STANDALONE = 0x2;
        TRANSACTIONAL = 0x8;
        /// Holds the default values of its class, and no GUID behind its properties.
        CLASS_DEFAULT_OBJECT = 0x10;
        ARCHETYPE = 0x20;
        TRANSIENT = 0x40;
        DEFAULT_SUB_OBJECT = 0x4_0000;
    }
}

/// Size and place of an export's bytes: 32 bits each below 4:511.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Serial {
    /// Bytes.
    pub size: i64,
    /// Offset in the file, on into the `.uexp`.
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
        // A file of a version that old cannot be larger.
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

    /// Reads the same as what asks for the version, from words that may be bools.
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
