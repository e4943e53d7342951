//! What only the editor needs: thumbnails, remarks about objects.

use crate::buffer::{Full, Sink};
use crate::unreal::format::{
    FileCursor, Layout, Link, List, Name, PackageIndex, Result, StrRef, Value, records,
};

records! { <'a> (this, layout)
    /// Where the thumbnail of an object is.
    struct Thumbnail<'a> {
        /// Class of the object, without its package.
        class_name: StrRef<'a>;
        /// Path of the object in the package.
        object_path: StrRef<'a>;
        /// Where the picture is.
        offset: i32;
    }

    /// The head of a thumbnail's picture.
    struct ThumbnailHead {
        /// In pixels.
        width: i32;
        /// In pixels.
        height: i32;
        /// Bytes of the picture, which follow.
        size: i32;
    }

    /// What the editor knows of an object.
    struct ObjectMetadata<'a> {
        /// The object.
        object: PackageIndex;
        /// Names and texts.
        values: List<'a, MetadataPair<'a>>;
    }

    /// A name and what it is for.
    struct MetadataPair<'a> {
        /// The name.
        key: Name;
        /// The text.
        value: StrRef<'a>;
    }
}

/// What the editor knows of objects and of the package as a whole, from 5:1014.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct Metadata<'a> {
    /// Of objects.
    pub objects: List<'a, ObjectMetadata<'a>>,
    /// Of the package.
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
