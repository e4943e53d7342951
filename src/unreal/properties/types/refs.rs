use crate::buffer::{Full, Sink};
use crate::unreal::format::{FileCursor, Layout, Name, PackageIndex, Result, StrRef, Value};

/// A name as the file has it: one of a package's, in a save text.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum NameRef<'a> {
    /// In a package.
    Index(Name),
    /// In a save; nothing stands for `None`.
    Text(StrRef<'a>),
}

impl<'a> Value<'a> for NameRef<'a> {
    const LEAST: u64 = 4;

    #[inline]
    fn read(from: &mut FileCursor<'a>, layout: &Layout) -> Result<Self> {
        match layout.names_as_text {
            false => from.read(layout).map(Self::Index),
            true => from.read(layout).map(Self::Text),
        }
    }

    fn write<S: Sink>(&self, to: &mut S, layout: &Layout) -> Result<(), Full> {
        match self {
            Self::Index(name) => name.write(to, layout),
            Self::Text(text) => text.write(to, layout),
        }
    }
}

impl NameRef<'_> {
    /// Writes the reference. `false` if it is not in the form of the file: an index in a
    /// package, text in a save.
    pub(crate) fn write_matching<S: Sink>(
        &self,
        to: &mut S,
        layout: &Layout,
    ) -> Result<bool, Full> {
        self.write(to, layout)?;
        Ok(matches!(self, Self::Text(_)) == layout.names_as_text)
    }
}

/// A reference to an object: an index in a package, in a save a path.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum ObjectRef<'a> {
    /// In a package.
    Index(PackageIndex),
    /// In a save.
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
}

impl ObjectRef<'_> {
    /// Writes the reference. `false` if it is not in the form of the file: an index in a
    /// package, text in a save.
    pub(crate) fn write_matching<S: Sink>(
        &self,
        to: &mut S,
        layout: &Layout,
    ) -> Result<bool, Full> {
        self.write(to, layout)?;
        Ok(matches!(self, Self::Path(_)) == layout.names_as_text)
    }
}
