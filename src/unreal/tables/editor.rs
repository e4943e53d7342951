//! Editor-only tables: thumbnails and metadata.

use crate::buffer::{Full, Sink};
use crate::unreal::format::{
    FileCursor, Layout, Link, List, Name, PackageIndex, Result, StrRef, Value, records,
};

records! { <'a> (this, layout)
    /// The location of the thumbnail of an object.
    struct Thumbnail<'a> {
        /// Class of the object, without its package.
        class_name: StrRef<'a>;
        /// Path of the object in the package.
        object_path: StrRef<'a>;
        /// Offset of the [header](ThumbnailHead) of the picture. The picture follows its header.
        offset: i32;
    }

    /// The header of a thumbnail picture.
    struct ThumbnailHead {
        /// Width in pixels.
        width: i32;
        /// Height in pixels. It is negative if the picture is JPEG.
        height: i32;
        /// Size in bytes of the picture, which follows this header.
        size: i32;
    }

    /// The metadata of an object.
    struct ObjectMetadata<'a> {
        /// The object.
        object: PackageIndex;
        /// The metadata entries.
        values: List<'a, MetadataPair<'a>>;
    }

    /// A metadata entry.
    struct MetadataPair<'a> {
        /// Name of the entry.
        key: Name;
        /// Value of the entry.
        value: StrRef<'a>;
    }
}

/// Editor metadata of objects and of the package, which packages from 5:1014 on can have.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct Metadata<'a> {
    /// Metadata of objects.
    pub objects: List<'a, ObjectMetadata<'a>>,
    /// Metadata of the package.
    pub root: List<'a, MetadataPair<'a>>,
}

impl<'a> Value<'a> for Metadata<'a> {
    const LEAST: u64 = 8;

    fn read(from: &mut FileCursor<'a>, layout: &Layout) -> Result<Self> {
        let objects = from.count(ObjectMetadata::LEAST, layout)?;
        let root = from.count(MetadataPair::LEAST, layout)?;
        let objects = List::counted(from, objects, layout)?;
        Ok(Self { objects, root: List::counted(from, root, layout)? })
    }

    fn write<S: Sink>(&self, to: &mut S, layout: &Layout) -> Result<(), Full> {
        (self.objects.len() as u32).write(to, layout)?;
        (self.root.len() as u32).write(to, layout)?;
        self.objects.write_values(to, layout)?;
        self.root.write_values(to, layout)
    }

    fn links(&self, layout: &Layout, to: &mut dyn FnMut(Link)) {
        self.objects.links(layout, to);
        self.root.links(layout, to);
    }
}
