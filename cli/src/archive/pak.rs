//! Paks.

use super::{KEY, LIMIT};
use gamewire::unreal::compression::standard_codec;
use gamewire::unreal::pak::{Entry, Index, IndexBuf, ReadError};
use std::fs::File;
use std::path::Path;

/// A pak whose index is in memory.
#[derive(Clone, Copy, Debug)]
pub struct Pak {
    pub path: &'static Path,
    pub parts: &'static IndexBuf,
    pub index: &'static Index<'static>,
}

impl Pak {
    pub(super) fn read(path: &Path) -> Result<Self, ReadError> {
        let parts = IndexBuf::load(&mut File::open(path)?, KEY.get())?;
        let parts: &'static IndexBuf = Box::leak(Box::new(parts));
        let index = Box::leak(Box::new(parts.index()?));
        Ok(Self { path: Box::leak(path.to_path_buf().into_boxed_path()), parts, index })
    }

    pub(super) fn read_entry(self, entry: &Entry<'_>) -> Result<Vec<u8>, ReadError> {
        entry.read(&mut File::open(self.path)?, KEY.get(), LIMIT, standard_codec)
    }
}
