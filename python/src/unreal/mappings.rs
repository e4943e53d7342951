//! Mappings files, and tables of script objects: the names of the objects that C++ code declares.

use gamewire::unreal::compression::{DECOMPRESSED_LIMIT, standard_codec};
use gamewire::unreal::{Error, Mappings, MappingsFile, ScriptObjects, Versions};

/// A mappings file.
pub(crate) struct Mapped {
    file: Vec<u8>,
    /// The body of a compressed file.
    body: Option<Vec<u8>>,
    /// The versions of the packages that the mappings belong to, if the file states them.
    pub versions: Option<Versions>,
}

impl Mapped {
    /// Reads a file.
    pub(crate) fn load(file: Vec<u8>) -> Result<Self, Error> {
        let opened = MappingsFile::open(&file)?;
        let body = match opened.stored() {
            Some(_) => None,
            None => Some(opened.decompress(DECOMPRESSED_LIMIT, standard_codec)?),
        };
        let versions = opened.package_versions();
        let mapped = Self { file, body, versions };
        mapped.open()?;
        Ok(mapped)
    }

    pub(crate) fn open(&self) -> Result<Mappings<'_>, Error> {
        match &self.body {
            None => Mappings::open(&self.file),
            Some(body) => Mappings::of_body(&MappingsFile::open(&self.file)?, body),
        }
    }
}

/// A table of script objects.
pub(crate) struct Objects(Vec<u8>);

impl Objects {
    pub(crate) fn load(file: Vec<u8>) -> Result<Self, Error> {
        ScriptObjects::open(&file)?;
        Ok(Self(file))
    }

    pub(crate) fn open(&self) -> Result<ScriptObjects<'_>, Error> {
        ScriptObjects::open(&self.0).map(ScriptObjects::with_name_index)
    }
}
