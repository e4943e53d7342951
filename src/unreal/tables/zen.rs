//! Records of packages in `IoStore` containers. Engines call such packages Zen packages.
//!
//! The `table_version` of the layout is the form of the header: 0 in engine 4, 1 in engines 5.0 to
//! 5.2, 2 in engines 5.3 to 5.5, 3 from engine 5.6 on.

use super::versions::CustomVersions;
use crate::buffer::{Full, Sink};
use crate::unreal::format::{
    FileCursor, Layout, Link, List, Name, Result, Value, city_hash_64, records,
};

records! { <'a> (this, layout)
    /// The start of a Zen package. Offsets count from the start of the file.
    struct ZenSummary {
        /// `true` if the package states its versions.
        has_versions: bool, if layout.table_version >= 1;
        /// Size of the header. The exports follow.
        header_size: u32, if layout.table_version >= 1;
        /// Name of the package.
        name: MappedName;
        /// Name of the package from which a localized package was made.
        source_name: MappedName, if layout.table_version < 1;
        /// Flags: [`package_flags`](crate::unreal::tables::package_flags).
        package_flags: u32;
        /// Size of the header of the cooked package from which the Zen package was made.
        cooked_header_size: u32;
        /// Offset of the texts of the names.
        names_offset: u32, if layout.table_version < 1;
        /// Size of the texts of the names.
        names_size: u32, if layout.table_version < 1;
        /// Offset of the hashes of the names.
        name_hashes_offset: u32, if layout.table_version < 1;
        /// Size of the hashes of the names.
        name_hashes_size: u32, if layout.table_version < 1;
        /// Offset of the hashes of imported objects.
        imported_hashes_offset: u32, if layout.table_version >= 1;
        /// Offset of the imports.
        import_offset: u32;
        /// Offset of the exports.
        export_offset: u32;
        /// Offset of the entries of export bundles. In engine 4, it is the offset of the bundles,
        /// and the entries follow them.
        bundle_entries_offset: u32;
        /// Offset of the graph, which states what must be loaded first.
        graph_offset: u32, if layout.table_version < 2;
        /// Offset of the dependencies of exports.
        dependencies_offset: u32, if layout.table_version >= 2;
        /// Offset of the objects to which the dependencies refer.
        dependency_entries_offset: u32, if layout.table_version >= 2;
        /// Offset of the names of imported packages.
        imported_names_offset: u32, if layout.table_version >= 2;
        /// Size of the graph.
        graph_size: u32, if layout.table_version < 1;
        /// Always 0.
        padding: u32, if layout.table_version < 1;
    }

    /// The versions of a Zen package, if it states them.
    struct ZenVersions<'a> {
        /// Version of the header (`EZenPackageVersion`), 0 to 3.
        zen_version: u32;
        /// `FileVersionUE4`
        ue4_version: i32;
        /// `FileVersionUE5`
        ue5_version: i32;
        /// Version of a licensee's engine.
        licensee_version: i32;
        /// Versions of subsystems.
        custom_versions: CustomVersions<'a>;
    }

    /// Offsets of the tables of Verse cells.
    struct ZenCellOffsets {
        /// Offset of the imported cells.
        cell_import_offset: u32;
        /// Offset of the exported cells.
        cell_export_offset: u32;
    }

    /// An object of a Zen package.
    struct ZenExport {
        /// Offset of the object. From engine 5.3 on, it counts from the end of the header. Below
        /// engine 5.3, it is the offset in the cooked package from which the Zen package was made.
        serial_offset: u64;
        /// Size of the object in bytes.
        serial_size: u64;
        /// Name of the object.
        object_name: MappedName;
        /// Outer of the object; null if it is directly in the package.
        outer: ObjectIndex;
        /// Class of the object.
        class: ObjectIndex;
        /// Superclass of a class, or super struct of a struct.
        super_struct as "super": ObjectIndex;
        /// Template of the object. It supplies the values of properties that are not stored.
        template: ObjectIndex;
        /// Hash by which other packages refer to the object, or 0. In engine 4, this is the
        /// [`ObjectIndex`] that other packages use.
        public_hash: ObjectHash;
        /// Flags of the object: [`object_flags`](crate::unreal::tables::object_flags).
        object_flags: u32;
        /// 1 if clients do not load the object, 2 if servers do not load it, otherwise 0.
        filter: u8;
        /// Padding.
        padding: [u8; 3];
    }

    /// An exported Verse cell.
    struct ZenCellExport {
        /// Offset from the end of the header.
        serial_offset: u64;
        /// Size of the layout in bytes.
        layout_size: u64;
        /// Size in bytes, with the layout.
        serial_size: u64;
        /// Class of the cell.
        class: MappedName;
        /// Hash by which other packages refer to the cell.
        public_hash: ObjectHash;
    }

    /// A group of exports that are loaded together; below engine 5.3.
    struct ExportBundle {
        /// Offset of the first export of the bundle, from the end of the header.
        serial_offset: u64, if layout.table_version >= 1;
        /// Index of the first entry.
        first_entry: u32;
        /// Number of entries.
        entry_count: u32;
    }

    /// A step in loading a package.
    struct BundleEntry {
        /// Index of the export.
        export: u32;
        /// 0 to create the export, 1 to read its properties.
        command: u32;
    }

    /// The dependencies of an export, from engine 5.3 on: four consecutive runs of entries in the
    /// table of dependencies. The four numbers after `first` are the lengths of the runs.
    struct ZenDependencies {
        /// Index of the first entry of the first run; −1 if there are no runs.
        first: i32;
        /// Number of objects to create before this one is created.
        create_before_create: u32;
        /// Number of objects to serialize before this one is created.
        serialize_before_create: u32;
        /// Number of objects to create before this one is serialized.
        create_before_serialize: u32;
        /// Number of objects to serialize before this one is serialized.
        serialize_before_serialize: u32;
    }

    /// A bundle that must be loaded before another one.
    struct BundleArc {
        /// The bundle that must be loaded first.
        from_bundle: i32;
        /// The bundle that waits.
        to_bundle: i32;
    }

    /// An import that must be loaded before a bundle; in engines 5.0 to 5.2.
    struct ImportArc {
        /// Index of the import.
        from_import: i32;
        /// 0 if the import must exist, 1 if it must have its properties.
        command: u8;
        /// The bundle that waits.
        to_bundle: i32;
    }

    /// Bundles of another package that must be loaded before bundles of this one; in engine 4.
    struct PackageArcs<'a> {
        /// Hash of the name of the other package.
        package_id: ObjectHash;
        /// Pairs: a bundle in the other package, and the bundle in this one that waits for it.
        arcs: List<'a, BundleArc>;
    }

    /// The position of bulk data, from engine 5.2 on.
    struct ZenBulkData {
        /// Offset of the data.
        serial_offset: i64;
        /// Offset of a second copy, or −1.
        duplicate_serial_offset: i64;
        /// Size in bytes.
        serial_size: i64;
        /// Flags of the data, as a header of bulk data stores them.
        flags: u32;
        /// Index of the file among the companion files of the same kind.
        cooked_index: u8;
        /// Padding.
        padding: [u8; 3];
    }

    /// An object that the engine or the game declares in C++ code.
    struct ScriptObjectEntry {
        /// Name of the object.
        object_name: MappedName;
        /// Index by which packages refer to the object.
        index: ObjectIndex;
        /// Outer of the object; null for a package.
        outer: ObjectIndex;
        /// If the object holds the default values of a class, that class; otherwise null.
        default_of: ObjectIndex;
    }
}

/// A name in the header of a Zen package.
///
/// The two upper bits of `bits` are the kind: 0 for a name of the package, 1 for a name of the
/// container, 2 for a global name. The other bits are an index into the names of this kind.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
pub struct MappedName {
    /// The kind and the index.
    pub bits: u32,
    /// 0 if there is no suffix; otherwise the number after the underscore, plus one.
    pub number: u32,
}

impl MappedName {
    /// The kind of a name of the package.
    pub const PACKAGE: u8 = 0;
    /// The kind of a name of the container.
    pub const CONTAINER: u8 = 1;
    /// The kind of a global name.
    pub const GLOBAL: u8 = 2;

    /// Returns the kind.
    pub const fn kind(self) -> u8 {
        (self.bits >> 30) as u8
    }

    /// Returns the name without its kind. Its index is that in the table of the names of this kind.
    ///
    /// ```
    /// use gamewire::unreal::{Name, tables::MappedName};
    ///
    /// let name = MappedName { bits: 0x8000_0005, number: 0 };
    /// assert_eq!(name.kind(), MappedName::GLOBAL);
    /// assert_eq!(name.name(), Name { index: 5, number: 0 });
    /// ```
    pub const fn name(self) -> Name {
        Name { index: (self.bits & 0x3FFF_FFFF).cast_signed(), number: self.number.cast_signed() }
    }
}

impl<'a> Value<'a> for MappedName {
    const LEAST: u64 = 8;

    #[inline]
    fn size(_: &Layout) -> Option<u64> {
        Some(Self::LEAST)
    }

    fn read(from: &mut FileCursor<'a>, layout: &Layout) -> Result<Self> {
        let [bits, number] = from.row(layout)?;
        Ok(Self { bits, number })
    }

    fn write<S: Sink>(&self, to: &mut S, layout: &Layout) -> Result<(), Full> {
        self.bits.write(to, layout)?;
        self.number.write(to, layout)
    }

    fn links(&self, _: &Layout, to: &mut dyn FnMut(Link)) {
        if self.kind() == Self::PACKAGE {
            to(Link::Name(self.name()));
        }
    }
}

/// A reference to an object in the header of a Zen package (`FPackageObjectIndex`).
///
/// ```
/// use gamewire::unreal::tables::{ObjectIndex, ZenObject};
///
/// assert_eq!(ObjectIndex(2).object(), ZenObject::Export(2));
/// assert_eq!(ObjectIndex(u64::MAX).object(), ZenObject::Null);
/// let class = ObjectIndex::of_script("/Script/Engine", "StaticMesh");
/// assert!(matches!(class.object(), ZenObject::Script(_)));
/// ```
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct ObjectIndex(pub u64);

/// The object that an [`ObjectIndex`] refers to.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum ZenObject {
    /// No object.
    Null,
    /// The export with this index.
    Export(u32),
    /// An object that the engine or the game declares in C++ code. The number is the hash of its
    /// path.
    Script(u64),
    /// An object of another package. From engine 5.0 on, the upper 32 bits are the index of the
    /// package, and the lower 32 bits are the index of the object's hash. In engine 4, the number
    /// is the hash of the object's path.
    Import(u64),
}

impl Default for ObjectIndex {
    fn default() -> Self {
        Self::NULL
    }
}

impl ObjectIndex {
    /// No object.
    pub const NULL: Self = Self(u64::MAX);

    /// Computes the index of an object of C++ code: a class, struct or enum in a package such as
    /// `/Script/Engine`. Case is ignored. Both names must be ASCII.
    pub fn of_script(package: &str, name: &str) -> Self {
        Self::of_script_parts(&[package.as_bytes()], name.as_bytes())
    }

    /// Computes the index of an object in a package whose name is passed in up to two parts.
    pub(crate) fn of_script_parts(package: &[&[u8]], name: &[u8]) -> Self {
        let part = |index: usize| package.get(index).copied().unwrap_or_default();
        let hash = hash_of_path(&[part(0), part(1), b"/", name]);
        Self((hash & !(3 << 62)) | (1 << 62))
    }

    /// Returns the object. Does not check that it exists.
    pub const fn object(self) -> ZenObject {
        let rest = self.0 & !(3 << 62);
        match self.0 >> 62 {
            0 => ZenObject::Export(self.0 as u32),
            1 => ZenObject::Script(rest),
            2 => ZenObject::Import(rest),
            _ => ZenObject::Null,
        }
    }

    /// Returns `true` for the null reference.
    pub const fn is_null(self) -> bool {
        self.0 >> 62 == 3
    }
}

/// The hash of a path, which is either the path of an object within its package or the name of a
/// package.
///
/// ```
/// use gamewire::unreal::tables::ObjectHash;
///
/// assert_eq!(ObjectHash::of_path("Cube"), ObjectHash::of_path("cube"));
/// assert_eq!(ObjectHash::of_path("BP.Mesh"), ObjectHash::of_path("BP/Mesh"));
/// ```
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
pub struct ObjectHash(pub u64);

impl ObjectHash {
    /// Computes the hash of a path, which must be ASCII. For an object, pass the path without the
    /// package: the hash of the object `/Game/BP_Door.BP_Door_C:Mesh` is the hash of
    /// `BP_Door_C/Mesh`. Case does not matter, nor which of the separators `.`, `:` and `/` are
    /// used.
    pub fn of_path(path: &str) -> Self {
        Self(hash_of_path(&[path.as_bytes()]))
    }
}

macro_rules! as_u64 {
    ($($T:ident)*) => {$(
        impl<'a> Value<'a> for $T {
            const LEAST: u64 = 8;

            #[inline]
            fn size(_: &Layout) -> Option<u64> {
                Some(Self::LEAST)
            }

            fn read(from: &mut FileCursor<'a>, layout: &Layout) -> Result<Self> {
                Ok(Self(from.read(layout)?))
            }

            fn write<S: Sink>(&self, to: &mut S, layout: &Layout) -> Result<(), Full> {
                self.0.write(to, layout)
            }
        }
    )*};
}
as_u64! { ObjectIndex ObjectHash }

#[cfg(feature = "serde")]
mod with_serde {
    use super::{MappedName, ObjectHash, ObjectIndex};
    use crate::unreal::format::{SerializeContext, SerializeIn};
    use serde::Serializer;

    /// A name of the package is serialized as its text, any other name as its kind and index.
    impl<'a> SerializeIn<'a> for MappedName {
        fn serialize_in<S: Serializer>(
            &self,
            context: SerializeContext<'_, 'a>,
            to: S,
        ) -> Result<S::Ok, S::Error> {
            let index = self.name().index;
            match self.kind() {
                Self::PACKAGE => self.name().serialize_in(context, to),
                Self::GLOBAL => to.collect_str(&format_args!("<global name {index}>")),
                _ => to.collect_str(&format_args!("<container name {index}>")),
            }
        }
    }

    /// Serialized as hexadecimal digits, since JSON readers often round 64-bit numbers.
    impl<'a> SerializeIn<'a> for ObjectIndex {
        fn serialize_in<S: Serializer>(
            &self,
            context: SerializeContext<'_, 'a>,
            to: S,
        ) -> Result<S::Ok, S::Error> {
            ObjectHash(self.0).serialize_in(context, to)
        }
    }

    impl<'a> SerializeIn<'a> for ObjectHash {
        fn serialize_in<S: Serializer>(
            &self,
            _: SerializeContext<'_, 'a>,
            to: S,
        ) -> Result<S::Ok, S::Error> {
            to.collect_str(&format_args!("{:016x}", self.0))
        }
    }
}

/// Returns the hash of a path. What is hashed is its UTF-16 text in lower case, with `.` and `:`
/// replaced by `/`. The parts of the path must be ASCII.
pub(crate) fn hash_of_path(parts: &[&[u8]]) -> u64 {
    let len = parts.iter().fold(0usize, |sum, part| sum.saturating_add(part.len()));
    city_hash_64(len.saturating_mul(2), |at| match at & 1 {
        0 => lower_at(parts, at >> 1),
        _ => 0,
    })
}

fn lower_at(parts: &[&[u8]], at: usize) -> u8 {
    let mut at = at;
    for part in parts {
        match (part.get(at), at.checked_sub(part.len())) {
            (Some(b'.' | b':'), _) => return b'/',
            (Some(byte), _) => return byte.to_ascii_lowercase(),
            (None, Some(rest)) => at = rest,
            (None, None) => break,
        }
    }
    0
}
