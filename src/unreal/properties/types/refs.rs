use crate::buffer::{Full, Sink};
use crate::unreal::format::{FileCursor, Layout, Link, Name, PackageIndex, Result, StrRef, Value};

/// A stored name: an index in a package, or a string in a save.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum NameRef<'a> {
    /// An index, in a package.
    Index(Name),
    /// A string, in a save. An empty string stands for `None`.
    Text(StrRef<'a>),
}

impl<'a> Value<'a> for NameRef<'a> {
    const LEAST: u64 = 4;

    #[inline(always)]
    fn read(from: &mut FileCursor<'a>, layout: &Layout) -> Result<Self> {
        match layout.names_as_text {
            false => from.read(layout).map(Self::Index),
            true => from.read(layout).map(Self::Text),
        }
    }

    fn write<S: Sink>(&self, to: &mut S, layout: &Layout) -> Result<(), Full> {
        match self {
            Self::Index(name) => name.write(to, layout),
            Self::Text(text) if layout.normalizes && text.is_empty() => {
                StrRef::NONE.write(to, layout)
            }
            Self::Text(text) => text.write(to, layout),
        }
    }

    #[inline]
    fn links(&self, _: &Layout, to: &mut dyn FnMut(Link)) {
        if let Self::Index(name) = self {
            to(Link::Name(*name));
        }
    }
}

impl Default for NameRef<'_> {
    /// Returns the first name of a package. A writer for a save does not accept it.
    fn default() -> Self {
        Self::Index(Name::default())
    }
}

impl NameRef<'_> {
    /// Writes the reference. Returns `false` if it has the wrong form for the file: a string for a
    /// package, or an index for a save.
    pub(crate) fn write_matching<S: Sink>(
        &self,
        to: &mut S,
        layout: &Layout,
    ) -> Result<bool, Full> {
        self.write(to, layout)?;
        Ok(matches!(self, Self::Text(_)) == layout.names_as_text)
    }
}

/// A reference to an object: an index in a package, or a path in a save.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum ObjectRef<'a> {
    /// An index, in a package.
    Index(PackageIndex),
    /// A path, in a save.
    Path(StrRef<'a>),
}

impl<'a> Value<'a> for ObjectRef<'a> {
    const LEAST: u64 = 4;

    #[inline]
    fn read(from: &mut FileCursor<'a>, layout: &Layout) -> Result<Self> {
        match layout.names_as_text {
            false => from.read(layout).map(Self::Index),
            true => from.read(layout).map(Self::Path),
        }
    }

    fn write<S: Sink>(&self, to: &mut S, layout: &Layout) -> Result<(), Full> {
        match self {
            Self::Index(index) => index.write(to, layout),
            Self::Path(text) => text.write(to, layout),
        }
    }

    #[inline]
    fn links(&self, _: &Layout, to: &mut dyn FnMut(Link)) {
        if let Self::Index(index) = self {
            to(Link::Object(*index));
        }
    }
}

impl Default for ObjectRef<'_> {
    /// Returns the null reference of a package. A writer for a save does not accept it.
    fn default() -> Self {
        Self::Index(PackageIndex::default())
    }
}

impl ObjectRef<'_> {
    /// Writes the reference. Returns `false` if it has the wrong form for the file: a path for a
    /// package, or an index for a save.
    pub(crate) fn write_matching<S: Sink>(
        &self,
        to: &mut S,
        layout: &Layout,
    ) -> Result<bool, Full> {
        self.write(to, layout)?;
        Ok(matches!(self, Self::Path(_)) == layout.names_as_text)
    }
}
