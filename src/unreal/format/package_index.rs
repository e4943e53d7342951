use super::cursor::FileCursor;
use super::error::Result;
use super::layout::Layout;
use super::link::Link;
use super::value::Value;
use crate::buffer::{Full, Sink};

/// A reference to an object: null, an export or an import.
///
/// In the file, 0 is null, v > 0 is export v − 1, and v < 0 is import −v − 1. A widely read article
/// claims that negative indices refer to exports, too; that is wrong.
///
/// ```
/// use gamewire::unreal::{Object, PackageIndex};
///
/// assert_eq!(PackageIndex(0).object(), Object::Null);
/// assert_eq!(PackageIndex(3).object(), Object::Export(2));
/// assert_eq!(PackageIndex(-1).object(), Object::Import(0));
/// assert_eq!(PackageIndex::from(Object::Import(4)), PackageIndex(-5));
/// ```
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
pub struct PackageIndex(pub i32);

/// The object that a [`PackageIndex`] refers to.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Object {
    /// No object. An export whose outer is null is directly in the package, and an import whose
    /// outer is null is itself a package. An export whose class is null is itself a class.
    Null,
    /// The import with this index.
    Import(u32),
    /// The export with this index.
    Export(u32),
}

impl PackageIndex {
    /// Returns the object. Does not check that the package has it.
    #[inline]
    pub const fn object(self) -> Object {
        match self.0 {
            0 => Object::Null,
            v if v < 0 => Object::Import((!v).unsigned_abs()),
            v => Object::Export(v.unsigned_abs().wrapping_sub(1)),
        }
    }

    /// Returns `true` for the null reference.
    pub const fn is_null(self) -> bool {
        self.0 == 0
    }
}

impl From<Object> for PackageIndex {
    /// Converts an index. Indices that exceed `i32` wrap around; no package has that many objects.
    fn from(object: Object) -> Self {
        Self(match object {
            Object::Null => 0,
            Object::Import(index) => !index.cast_signed(),
            Object::Export(index) => index.wrapping_add(1).cast_signed(),
        })
    }
}

impl<'a> Value<'a> for PackageIndex {
    const LEAST: u64 = 4;

    #[inline]
    fn size(_: &Layout) -> Option<u64> {
        Some(Self::LEAST)
    }

    #[inline(always)]
    fn read(from: &mut FileCursor<'a>, layout: &Layout) -> Result<Self> {
        Ok(Self(from.read(layout)?))
    }

    #[inline]
    fn write<S: Sink>(&self, to: &mut S, layout: &Layout) -> Result<(), Full> {
        self.0.write(to, layout)
    }

    fn links(&self, _: &Layout, to: &mut dyn FnMut(Link)) {
        to(Link::Object(*self));
    }
}
