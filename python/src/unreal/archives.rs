//! Archives: paks and `IoStore` containers.

use super::failed;
use crate::error::{guarded, raise};
use gamewire::unreal::compression::standard_codec;
use gamewire::unreal::iostore::TocBuf;
use gamewire::unreal::pak::{IndexBuf, Key, ReadError};
use pyo3::prelude::*;
use pyo3::types::PyBytes;
use std::ffi::OsString;
use std::fs::File;
use std::io::{self, Cursor};
use std::path::PathBuf;

/// Maximum size of a file that is read from an archive: 1 GiB.
const LIMIT: usize = 1 << 30;

/// An archive whose index is in memory.
#[pyclass(frozen, module = "gamewire._gamewire")]
struct UnrealArchive {
    place: Place,
    index: Index,
    key: Option<Key>,
}

/// The location of the archive's bytes.
enum Place {
    Disk(PathBuf),
    Memory(Vec<u8>),
}

enum Index {
    Pak(IndexBuf),
    Container(TocBuf),
}

fn raised(py: Python<'_>, error: ReadError) -> PyErr {
    match error {
        ReadError::Pak(error) => failed(py, &error),
        ReadError::Io(error) => error.into(),
        error => raise(py, &error.to_string(), "Archive".into(), None, None),
    }
}

/// A file in an archive: its path, its size, its chunk in a container, and `true` if the archive is
/// a patch that removes the file.
type Listed = (String, u64, Option<u32>, bool);

impl UnrealArchive {
    /// Returns the path of a partition of a container, beside the `.utoc`.
    fn partition(&self, index: u32) -> io::Result<PathBuf> {
        let Place::Disk(path) = &self.place else {
            let message = "the container was opened from bytes, without its .ucas";
            return Err(io::Error::new(io::ErrorKind::NotFound, message));
        };
        let mut name = OsString::from(path.file_stem().unwrap_or_default());
        if index > 0 {
            name.push(format!("_s{index}"));
        }
        name.push(".ucas");
        Ok(path.with_file_name(name))
    }

    fn listed(&self) -> Result<Vec<Listed>, ReadError> {
        match &self.index {
            Index::Pak(buf) => {
                let index = buf.index()?;
                let entries = index.entries().map(|entry| {
                    let entry = entry?;
                    Ok((entry.path.to_string(), entry.size, None, entry.is_deleted))
                });
                entries.collect()
            }
            Index::Container(buf) => {
                let toc = buf.toc()?;
                let mut all = Vec::new();
                let mut is_named = vec![false; toc.count() as usize];
                for file in toc.files() {
                    let file = file?;
                    let Some(chunk) = toc.chunk(file.chunk) else { continue };
                    if let Some(is_named) = is_named.get_mut(file.chunk as usize) {
                        *is_named = true;
                    }
                    all.push((file.path.to_string(), chunk?.size, Some(file.chunk), false));
                }
                for (index, _) in (0..).zip(is_named).filter(|(_, is_named)| !is_named) {
                    let Some(chunk) = toc.chunk(index) else { continue };
                    let chunk = chunk?;
                    all.push((chunk.id.to_string(), chunk.size, Some(index), false));
                }
                Ok(all)
            }
        }
    }

    fn bytes_of(&self, path: &str, chunk: Option<u32>) -> Result<Option<Vec<u8>>, ReadError> {
        let key = self.key.as_ref();
        match (&self.index, chunk) {
            (Index::Container(buf), Some(chunk)) => {
                let toc = buf.toc()?;
                let Some(chunk) = toc.chunk(chunk) else { return Ok(None) };
                let open = |index| {
                    let path = self.partition(index)?;
                    File::open(&path).map_err(|error| {
                        io::Error::new(error.kind(), format!("{}: {error}", path.display()))
                    })
                };
                chunk?.read(open, key, LIMIT, standard_codec).map(Some)
            }
            (Index::Pak(buf), _) => {
                let index = buf.index()?;
                let Some(entry) = index.find(path) else { return Ok(None) };
                let entry = entry?;
                match &self.place {
                    Place::Disk(path) => {
                        entry.read(&mut File::open(path)?, key, LIMIT, standard_codec).map(Some)
                    }
                    Place::Memory(bytes) => {
                        entry.read(&mut Cursor::new(bytes), key, LIMIT, standard_codec).map(Some)
                    }
                }
            }
            (Index::Container(_), None) => Ok(None),
        }
    }
}

#[pymethods]
impl UnrealArchive {
    /// Opens the archive at a path, or in memory.
    #[new]
    #[pyo3(signature = (path, bytes, is_container, key = None))]
    fn open(
        py: Python<'_>,
        path: Option<PathBuf>,
        bytes: Option<Vec<u8>>,
        is_container: bool,
        key: Option<[u8; 32]>,
    ) -> PyResult<Self> {
        let key = key.map(Key::from_bytes);
        let place = match path {
            Some(path) => Place::Disk(path),
            None => Place::Memory(bytes.unwrap_or_default()),
        };
        let opened = guarded(py, || {
            Ok(py.detach(|| {
                let key = key.as_ref();
                Ok(match (&place, is_container) {
                    (Place::Disk(path), false) => {
                        Index::Pak(IndexBuf::load(&mut File::open(path)?, key)?)
                    }
                    (Place::Disk(path), true) => {
                        Index::Container(TocBuf::load(&mut File::open(path)?, key)?)
                    }
                    (Place::Memory(bytes), false) => {
                        Index::Pak(IndexBuf::load(&mut Cursor::new(bytes), key)?)
                    }
                    (Place::Memory(bytes), true) => {
                        Index::Container(TocBuf::load(&mut Cursor::new(bytes), key)?)
                    }
                })
            }))
        })?;
        let index = opened.map_err(|error| raised(py, error))?;
        Ok(Self { place, index, key })
    }

    /// Returns the files.
    fn files(&self, py: Python<'_>) -> PyResult<Vec<Listed>> {
        let listed = guarded(py, || Ok(py.detach(|| self.listed())))?;
        listed.map_err(|error| raised(py, error))
    }

    /// Returns the bytes of a file, or `None` if the archive does not have it.
    #[pyo3(signature = (path, chunk = None))]
    fn read<'py>(
        &self,
        py: Python<'py>,
        path: &str,
        chunk: Option<u32>,
    ) -> PyResult<Option<Bound<'py, PyBytes>>> {
        let read = guarded(py, || Ok(py.detach(|| self.bytes_of(path, chunk))))?;
        let read = read.map_err(|error| raised(py, error))?;
        Ok(read.map(|bytes| PyBytes::new(py, &bytes)))
    }
}

pub(super) fn add_to(module: &Bound<'_, PyModule>) -> PyResult<()> {
    module.add_class::<UnrealArchive>()
}
