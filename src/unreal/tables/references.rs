//! Soft references and searchable names.

use crate::buffer::{Full, Sink};
use crate::unreal::format::{
    FileCursor, Layout, Link, List, Name, PackageIndex, Result, StrRef, Utf8StrRef, Value, records,
};
use crate::unreal::format::{ue4, ue5};
use core::fmt;

records! { <'a> (this, layout)
    /// A soft reference to an object. From 5:1008 on, packages have a list of these references.
    struct SoftObjectPath<'a> {
        /// The asset.
        path: AssetPath;
        /// Path of a sub-object in the asset.
        sub_path: SubPath<'a>;
    }

    /// Names by which an object can be found.
    struct SearchableNames<'a> {
        /// The object.
        object: PackageIndex;
        /// Names of the object.
        names: List<'a, Name>;
    }
}

/// The path of an asset: a single name below 5:1007, and the names of package and asset from 5:1007
/// on.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum AssetPath {
    /// `/Game/Folder/Package.Asset`
    Whole(Name),
    /// Package and asset.
    Parts {
        /// `/Game/Folder/Package`
        package: Name,
        /// `Asset`, or `None` for the package itself.
        asset: Name,
    },
}

impl Default for AssetPath {
    fn default() -> Self {
        Self::Whole(Name::default())
    }
}

impl<'a> Value<'a> for AssetPath {
    const LEAST: u64 = 8;

    fn read(from: &mut FileCursor<'a>, layout: &Layout) -> Result<Self> {
        let package = from.read(layout)?;
        match layout.has_ue5(ue5::FSOFTOBJECTPATH_REMOVE_ASSET_PATH_FNAMES) {
            true => Ok(Self::Parts { package, asset: from.read(layout)? }),
            false => Ok(Self::Whole(package)),
        }
    }

    fn write<S: Sink>(&self, to: &mut S, layout: &Layout) -> Result<(), Full> {
        match self {
            Self::Whole(name) => name.write(to, layout),
            Self::Parts { package, asset } => {
                package.write(to, layout)?;
                asset.write(to, layout)
            }
        }
    }

    fn links(&self, _: &Layout, to: &mut dyn FnMut(Link)) {
        match self {
            Self::Whole(name) => to(Link::Name(*name)),
            Self::Parts { package, asset } => {
                to(Link::Name(*package));
                to(Link::Name(*asset));
            }
        }
    }
}

/// The path of a sub-object in an asset. It is UTF-8 in files from 5:1007 on whose version of
/// `FFortniteMainBranchObjectVersion` is at least 192.
#[derive(Clone, Copy, PartialEq, Eq)]
pub enum SubPath<'a> {
    /// An `FString`.
    Text(StrRef<'a>),
    /// An `FUtf8String`.
    Utf8(Utf8StrRef<'a>),
}

impl Default for SubPath<'_> {
    fn default() -> Self {
        Self::Text(StrRef::default())
    }
}

impl fmt::Display for SubPath<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Text(text) => text.fmt(f),
            Self::Utf8(text) => text.fmt(f),
        }
    }
}

impl fmt::Debug for SubPath<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Text(text) => text.fmt(f),
            Self::Utf8(text) => text.fmt(f),
        }
    }
}

impl<'a> Value<'a> for SubPath<'a> {
    const LEAST: u64 = 4;

    fn read(from: &mut FileCursor<'a>, layout: &Layout) -> Result<Self> {
        match layout.sub_paths_are_utf8() {
            true => from.read(layout).map(Self::Utf8),
            false => from.read(layout).map(Self::Text),
        }
    }

    fn write<S: Sink>(&self, to: &mut S, layout: &Layout) -> Result<(), Full> {
        match self {
            Self::Text(text) => text.write(to, layout),
            Self::Utf8(text) => text.write(to, layout),
        }
    }
}

/// A soft reference to a package: a name, or a string in files below 4:514. In files below 4:484,
/// the string also includes the object.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum SoftPackage<'a> {
    /// A name, from 4:514 on.
    Name(Name),
    /// A string, in files below 4:514.
    Text(StrRef<'a>),
}

impl<'a> Value<'a> for SoftPackage<'a> {
    const LEAST: u64 = 4;

    fn read(from: &mut FileCursor<'a>, layout: &Layout) -> Result<Self> {
        match layout.has_ue4(ue4::ADDED_SOFT_OBJECT_PATH) {
            true => from.read(layout).map(Self::Name),
            false => from.read(layout).map(Self::Text),
        }
    }

    fn write<S: Sink>(&self, to: &mut S, layout: &Layout) -> Result<(), Full> {
        match self {
            Self::Name(name) => name.write(to, layout),
            Self::Text(text) => text.write(to, layout),
        }
    }

    fn links(&self, _: &Layout, to: &mut dyn FnMut(Link)) {
        if let Self::Name(name) = self {
            to(Link::Name(*name));
        }
    }
}
