//! Data for the asset registry.

use crate::buffer::{Full, Sink};
use crate::unreal::format::{
    ErrorKind, FileCursor, Layout, List, Name, Result, StrRef, Value, records,
};
use crate::unreal::format::{ue4, ue5};

records! { <'a> (this, layout)
    /// The registry data of an object.
    struct RegistryObject<'a> {
        /// Path of the object in the package.
        path: StrRef<'a>;
        /// Class of the object.
        class: StrRef<'a>;
        /// Searchable tags.
        tags: List<'a, RegistryTag<'a>>;
    }

    /// A tag of the asset registry.
    struct RegistryTag<'a> {
        /// Name of the tag.
        key: StrRef<'a>;
        /// Value of the tag.
        value: StrRef<'a>;
    }

    /// Usage flags of imports and soft references.
    struct RegistryDependencies<'a> {
        /// For each import, `true` if the game uses it.
        imports_used_in_game: Bits<'a>;
        /// For each soft package reference, `true` if the game uses it.
        soft_packages_used_in_game: Bits<'a>;
        /// Additional packages; present from 5:1013 on.
        extra: List<'a, ExtraDependency>, if layout.has_ue5(ue5::ASSETREGISTRY_PACKAGEBUILDDEPENDENCIES);
    }

    /// A package on which a build depends.
    struct ExtraDependency {
        /// The package.
        package: Name;
        /// Kind of the dependency.
        flags: u32;
    }
}

/// An array of bits (`TBitArray`).
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct Bits<'a> {
    words: List<'a, u32>,
    len: u32,
}

impl<'a> Bits<'a> {
    /// Creates an array of `len` bits. Returns `None` if the number of words does not match.
    pub const fn new(words: List<'a, u32>, len: u32) -> Option<Self> {
        if words.len() == len.div_ceil(32) as usize { Some(Self { words, len }) } else { None }
    }

    /// Returns the bits in order.
    pub fn iter(&self) -> impl Iterator<Item = bool> + use<'a> {
        let bits = |word: u32| (0..32).map(move |bit| word.wrapping_shr(bit) & 1 == 1);
        self.words.iter().flatten().flat_map(bits).take(self.len as usize)
    }

    /// Returns the number of bits.
    pub const fn len(&self) -> usize {
        self.len as usize
    }

    /// Returns `true` if there are no bits.
    pub const fn is_empty(&self) -> bool {
        self.len == 0
    }
}

impl<'a> Value<'a> for Bits<'a> {
    const LEAST: u64 = 4;

    fn read(from: &mut FileCursor<'a>, layout: &Layout) -> Result<Self> {
        let start = *from;
        let count: i32 = from.read(layout)?;
        let len = u32::try_from(count).map_err(|_| start.error(ErrorKind::BadCount(count)))?;
        let words = List::counted(from, len.div_ceil(32), layout)?;
        Ok(Self { words, len })
    }

    fn write<S: Sink>(&self, to: &mut S, layout: &Layout) -> Result<(), Full> {
        self.len.write(to, layout)?;
        self.words.write_values(to, layout)
    }
}

/// The registry data of a package.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct AssetRegistry<'a> {
    /// Offset of the [dependencies](RegistryDependencies); present in editor packages from 4:521
    /// on.
    pub dependency_data_offset: Option<i64>,
    /// Registry data of the objects of the package.
    pub objects: List<'a, RegistryObject<'a>>,
}

impl<'a> Value<'a> for AssetRegistry<'a> {
    const LEAST: u64 = 4;

    fn read(from: &mut FileCursor<'a>, layout: &Layout) -> Result<Self> {
        let dependency_data_offset =
            match layout.has_ue4(ue4::ASSETREGISTRY_DEPENDENCYFLAGS) && layout.editor_data {
                true => Some(from.read(layout)?),
                false => None,
            };
        Ok(Self { dependency_data_offset, objects: from.read(layout)? })
    }

    fn write<S: Sink>(&self, to: &mut S, layout: &Layout) -> Result<(), Full> {
        if layout.has_ue4(ue4::ASSETREGISTRY_DEPENDENCYFLAGS) && layout.editor_data {
            self.dependency_data_offset.unwrap_or_default().write(to, layout)?;
        }
        self.objects.write(to, layout)
    }
}
