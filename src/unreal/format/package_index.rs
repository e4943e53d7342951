use super::cursor::FileCursor;
use super::error::Result;
use super::layout::Layout;
use super::link::Link;
use super::value::Value;
use crate::buffer::{Full, Sink};

/// A reference to an object: none, one that the package has, or one that it imports.
///
/// In the file 0 is none, v > 0 is export v − 1 and v < 0 import −v − 1. (A widely read
/// article on the format has a negative index point into the exports as well; it does not.)
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

/// What a [`PackageIndex`] stands for.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Object {
    /// None. As an outer it is the package itself, as the class of an export `Class`.
    Null,
    /// The import of that index.
    Import(u32),
    /// The export of that index.
    Export(u32),
}

impl PackageIndex {
    /// What it stands for; whether the package has that many is not looked at.
    #[inline]
    pub const fn object(self) -> Object {
        match self.0 {
            0 => Object::Null,
            v if v < 0 => Object::Import((!v).unsigned_abs()),
            v => Object::Export(v.unsigned_abs().wrapping_sub(1)),
        }
    }

    /// Whether it is none.
    pub const fn is_null(self) -> bool {
        self.0 == 0
    }
}

impl From<Object> for PackageIndex {
    /// (Indices beyond `i32` wrap around; no package has as many.)
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
