//! `IoStore` containers.

use super::{KEY, LIMIT};
use gamewire::unreal::Error;
use gamewire::unreal::compression::standard_codec;
use gamewire::unreal::iostore::{Chunk, Toc, TocBuf};
use gamewire::unreal::pak::ReadError;
use std::ffi::OsString;
use std::fs::File;
use std::io;
use std::path::{Path, PathBuf};

/// A container whose table of contents is in memory.
#[derive(Clone, Copy, Debug)]
pub struct Container {
    pub path: &'static Path,
    pub toc: &'static Toc<'static>,
    /// The chunks without a path.
    unnamed: &'static [u32],
}

/// A chunk of a container. If it has no path, `path` is its identifier.
pub struct Listed {
    pub path: String,
    pub chunk: Chunk<'static>,
}

impl Container {
    pub(super) fn read(path: &Path) -> Result<Self, ReadError> {
        let buf = TocBuf::load(&mut File::open(path)?, KEY.get())?;
        let buf: &'static TocBuf = Box::leak(Box::new(buf));
        let toc = Box::leak(Box::new(buf.toc()?));
        let mut is_named = vec![false; toc.count() as usize];
        for file in toc.files().flatten() {
            if let Some(is_named) = is_named.get_mut(file.chunk as usize) {
                *is_named = true;
            }
        }
        let unnamed = (0..toc.count()).zip(is_named).filter(|(_, is_named)| !is_named);
        let unnamed: Vec<u32> = unnamed.map(|(index, _)| index).collect();
        let path = Box::leak(path.to_path_buf().into_boxed_path());
        Ok(Self { path, toc, unnamed: unnamed.leak() })
    }

    /// Returns the chunks with paths, and then the others.
    pub fn files(self) -> impl Iterator<Item = Result<Listed, Error>> {
        let named = self.toc.files().filter_map(move |file| match file {
            Ok(file) => self
                .toc
                .chunk(file.chunk)
                .map(|chunk| chunk.map(|chunk| Listed { path: file.path.to_string(), chunk })),
            Err(error) => Some(Err(error)),
        });
        let unnamed = self.unnamed.iter().filter_map(move |index| self.toc.chunk(*index));
        let unnamed =
            unnamed.map(|chunk| chunk.map(|chunk| Listed { path: chunk.id.to_string(), chunk }));
        named.chain(unnamed)
    }

    /// Returns the path of a partition, beside the `.utoc`.
    pub fn partition(self, index: u32) -> PathBuf {
        let mut name = OsString::from(self.path.file_stem().unwrap_or_default());
        if index > 0 {
            name.push(format!("_s{index}"));
        }
        name.push(".ucas");
        self.path.with_file_name(name)
    }

    pub(super) fn read_chunk(self, chunk: &Chunk<'_>) -> Result<Vec<u8>, ReadError> {
        let open = |index| {
            let path = self.partition(index);
            File::open(&path).map_err(|error| {
                io::Error::new(error.kind(), format!("{}: {error}", path.display()))
            })
        };
        chunk.read(open, KEY.get(), LIMIT, standard_codec)
    }
}
