//! Files of Unreal Engine: packages and saves as documents, archives, asset registries, localized
//! texts and mappings.

mod archives;
mod mappings;
mod tables;

use crate::documents::{Fault, FromPython, to_python};
use crate::error::{guarded, kind_name, raise};
use gamewire::unreal::edit::WrittenPackage;
use gamewire::unreal::mappings::{PackagePaths, PackageTypes};
use gamewire::unreal::wrapper::{self, Options, Unwrapped, Wrapping};
use gamewire::unreal::{
    BytesForm, Error, ErrorKind, Package, PackageDocument, Save, SaveDocument, ScriptNames,
    Versions, ZenPackage,
};
use mappings::{Mapped, Objects};
use pyo3::prelude::*;
use pyo3::types::{PyBytes, PyTuple};
use serde::de::Deserialize;
use std::fs;
use std::path::{Path, PathBuf};
use std::sync::Arc;

/// Returns the exception for an error of the library.
#[cold]
pub(crate) fn failed(py: Python<'_>, error: &Error) -> PyErr {
    let advice = match error.kind() {
        ErrorKind::NeedsVersion => " (engine=\"5.4\")",
        ErrorKind::NeedsKey => " (key=…)",
        _ => "",
    };
    let message = format!("{error}{advice}");
    raise(py, &message, kind_name(error.kind()), Some(error.offset()), None)
}

/// Reads the version of an engine, such as `5.4`.
fn engine_of(py: Python<'_>, text: &str) -> PyResult<Versions> {
    let parts = text
        .split_once('.')
        .and_then(|(major, minor)| Versions::of_engine(major.parse().ok()?, minor.parse().ok()?));
    parts.ok_or_else(|| {
        let message = format!("{text:?} is not an engine from 4.0 to 4.27 or 5.0 to 5.8");
        raise(py, &message, "UnknownVersion".into(), None, None)
    })
}

fn bytes_form(py: Python<'_>, text: &str) -> PyResult<BytesForm> {
    match text {
        "list" => Ok(BytesForm::List),
        "hex" => Ok(BytesForm::Hex),
        "base64" => Ok(BytesForm::Base64),
        _ => {
            let message = format!("{text:?} is not list, hex or base64");
            Err(raise(py, &message, "UnknownForm".into(), None, None))
        }
    }
}

#[derive(Clone, Copy, PartialEq, Eq)]
enum Kind {
    Save,
    Package,
    Zen,
}

/// A package with its companion file, or a save.
#[pyclass(frozen, module = "gamewire._gamewire")]
struct UnrealFile {
    file: Vec<u8>,
    /// The content of a wrapped or compressed file, and a description of the wrapper.
    unwrapped: Option<(Vec<u8>, Wrapping)>,
    exports: Option<Vec<u8>>,
    kind: Kind,
    engine: Option<Versions>,
    form: BytesForm,
    mapped: Option<Arc<Mapped>>,
    objects: Option<Arc<Objects>>,
    /// Mappings with the types that this package and other packages declare.
    declared: Option<Vec<u8>>,
}

/// The reason why a file cannot be read.
enum Refusal {
    Format(Error),
    /// Contains a message.
    Other(String),
}

/// Maximum size of a package that is searched for declarations, in bytes.
const MAX_SIZE: u64 = 1 << 28;

/// A package that was opened with all mappings.
#[allow(clippy::large_enum_variant, reason = "one at a time")]
enum Opened<'a> {
    Package(Package<'a>),
    Zen(ZenPackage<'a>),
}

impl UnrealFile {
    fn read(
        file: Vec<u8>,
        exports: Option<Vec<u8>>,
        engine: Option<Versions>,
        form: BytesForm,
    ) -> Result<Self, Refusal> {
        let mut options = Options::default();
        (options.prefixes, options.versions) = (true, engine);
        let unwrapped = match wrapper::is_wrapped(&file, &options) || Package::is_package(&file) {
            true => wrapper::unwrap(&file, &options),
            false => Ok(None),
        };
        let unwrapped = match unwrapped {
            // The mappings may state the version.
            Err(error) if *error.kind() == ErrorKind::NeedsVersion => None,
            unwrapped => unwrapped.map_err(Refusal::Format)?,
        };
        let unwrapped = unwrapped.map(|Unwrapped { bytes, wrapping }| (bytes, wrapping));
        let content = unwrapped.as_ref().map_or(&file, |(content, _)| content);
        let kind = if Save::is_save(content) {
            Kind::Save
        } else if Package::is_package(content) {
            Kind::Package
        } else if ZenPackage::is_zen(content) {
            Kind::Zen
        } else {
            let message = match &unwrapped {
                Some((_, wrapping)) => {
                    format!("the data in the file ({wrapping}) are neither a save nor a package")
                }
                None => "the file is neither a save nor a package".into(),
            };
            return Err(Refusal::Other(message));
        };
        Ok(Self {
            file,
            unwrapped,
            exports,
            kind,
            engine,
            form,
            mapped: None,
            objects: None,
            declared: None,
        })
    }

    fn content(&self) -> &[u8] {
        self.unwrapped.as_ref().map_or(&self.file, |(content, _)| content)
    }

    fn versions(&self) -> Option<Versions> {
        self.engine.or_else(|| self.mapped.as_ref()?.versions)
    }

    /// Opens a package, and calls `work` with it.
    fn with_package<T>(&self, work: impl FnOnce(&Opened<'_>) -> T) -> Result<T, Error> {
        let base = self.mapped.as_ref().map(|mapped| mapped.open()).transpose()?;
        let base = base.as_ref();
        let objects = self.objects.as_ref().map(|objects| objects.open()).transpose()?;
        let extended = match (base, &self.declared) {
            (Some(base), Some(declared)) => Some(base.extended(declared)?),
            _ => None,
        };
        if self.kind == Kind::Zen {
            let names = ScriptNames::new(base, objects.as_ref());
            let package = ZenPackage::open_as(self.content(), self.engine)?;
            let mut package = package.with_script_names(&names);
            if let Some(extended) = &extended {
                package = package.with_mappings(extended);
            }
            return Ok(work(&Opened::Zen(package.with_index().with_bytes(self.form))));
        }
        let exports = self.exports.as_deref();
        let mut package = Package::open_as(self.content(), exports, self.versions())?;
        if let Some(mappings) = extended.as_ref().or(base) {
            package = package.with_mappings(mappings);
        }
        Ok(work(&Opened::Package(package.with_name_index().with_bytes(self.form))))
    }

    /// Returns the types that the package declares, and the types that it needs.
    fn types(&self) -> Option<PackageTypes> {
        let types = self.with_package(|opened| match opened {
            Opened::Package(package) => package.package_types(""),
            Opened::Zen(package) => package.package_types(),
        });
        types.ok()
    }

    /// Returns `true` if the properties of the package have no tags, or if its version is not
    /// known.
    fn wants_mappings(&self) -> bool {
        if self.kind == Kind::Save {
            return false;
        }
        let unversioned = self.with_package(|opened| match opened {
            Opened::Package(package) => package.layout().unversioned_properties,
            Opened::Zen(package) => package.layout().unversioned_properties,
        });
        unversioned.unwrap_or_else(|error| *error.kind() == ErrorKind::NeedsVersion)
    }

    /// Extends the mappings by the types that the package declares, and by the types that it needs
    /// from other packages. Finds these packages in `given` or near `path`.
    fn extend(&mut self, given: &[PackageTypes], path: Option<&Path>) {
        let Some(own) = self.types().filter(|_| self.mapped.is_some()) else { return };
        let path = path.and_then(|path| std::path::absolute(path).ok());
        let near = path.map(|path| PackagePaths::new(path, &own.package));
        let (found, _) = PackageTypes::find_all(own, |of| {
            let given = given.iter().find(|types| types.may_declare(of)).cloned();
            let mut paths = near.iter().flat_map(|near| near.of(&of.package));
            let types = given.or_else(|| {
                paths.find_map(|path| self.declared_in(&path).filter(|types| types.may_declare(of)))
            })?;
            // Packages from before engine 5.0 do not state their name.
            let package = of.package.clone();
            Some(if types.package.is_empty() { PackageTypes { package, ..types } } else { types })
        });
        let types = PackageTypes::combine(&found);
        let is_empty = types.structs.is_empty() && types.enums.is_empty();
        self.declared = (!is_empty).then(|| types.write());
        // Types that contradict the mappings are left out.
        if self.with_package(|_| ()).is_err() {
            self.declared = None;
        }
    }

    /// Returns the types that a file declares, if it is a package. Reads it with the mappings of
    /// this package.
    fn declared_in(&self, path: &Path) -> Option<PackageTypes> {
        let size = fs::metadata(path).ok().filter(fs::Metadata::is_file)?.len();
        let file = (size <= MAX_SIZE).then(|| fs::read(path).ok())??;
        let exports = fs::read(path.with_extension("uexp")).ok();
        self.declared_by(file, exports)
    }

    fn declared_by(&self, file: Vec<u8>, exports: Option<Vec<u8>>) -> Option<PackageTypes> {
        let mut other = Self::read(file, exports, self.engine, self.form).ok()?;
        (other.mapped, other.objects) = (self.mapped.clone(), self.objects.clone());
        let mut types = other.types()?;
        types.keep_declared();
        Some(types)
    }

    fn save(&self, document: FromPython<'_, '_>) -> Result<Vec<u8>, Fault> {
        SaveDocument::deserialize(document)?.write(document)
    }

    fn package(&self, document: FromPython<'_, '_>) -> Result<WrittenPackage, Fault> {
        let (header, exports) = (self.content().to_vec(), self.exports.clone());
        let head = PackageDocument::with_files(document, header, exports)?;
        let written = self.with_mappings(|mappings| match mappings {
            Some(mappings) => head.write_with_mappings(document, mappings),
            None => head.write(document),
        });
        written.map_err(<Fault as serde::de::Error>::custom)?
    }

    fn with_mappings<T>(
        &self,
        work: impl FnOnce(Option<&gamewire::unreal::Mappings<'_>>) -> T,
    ) -> Result<T, Error> {
        let Some(mapped) = &self.mapped else { return Ok(work(None)) };
        let base = mapped.open()?;
        match &self.declared {
            Some(declared) => Ok(work(Some(&base.extended(declared)?))),
            None => Ok(work(Some(&base))),
        }
    }
}

#[pymethods]
impl UnrealFile {
    #[new]
    #[pyo3(signature = (file, exports = None, engine = None, bytes = "list", mappings = None,
        script_objects = None, declarations = Vec::new(), path = None))]
    #[allow(clippy::too_many_arguments, reason = "the options of `gamewire.open`")]
    fn open(
        py: Python<'_>,
        file: Vec<u8>,
        exports: Option<Vec<u8>>,
        engine: Option<&str>,
        bytes: &str,
        mappings: Option<Vec<u8>>,
        script_objects: Option<Vec<u8>>,
        declarations: Vec<(Vec<u8>, Option<Vec<u8>>)>,
        path: Option<PathBuf>,
    ) -> PyResult<Self> {
        let engine = engine.map(|engine| engine_of(py, engine)).transpose()?;
        let form = bytes_form(py, bytes)?;
        guarded(py, || {
            let read = py.detach(|| Self::read(file, exports, engine, form));
            let mut opened = read.map_err(|refusal| match refusal {
                Refusal::Format(error) => failed(py, &error),
                Refusal::Other(message) => raise(py, &message, "NotAPackage".into(), None, None),
            })?;
            let mapped = mappings.map(Mapped::load).transpose();
            opened.mapped = mapped.map_err(|error| failed(py, &error))?.map(Arc::new);
            let objects = script_objects.map(Objects::load).transpose();
            opened.objects = objects.map_err(|error| failed(py, &error))?.map(Arc::new);
            let mut given = Vec::new();
            for (file, exports) in declarations {
                given.push(opened.declared_by(file, exports).ok_or_else(|| {
                    let message = "a file in `declarations` is not a package that can be read";
                    raise(py, message, "NotAPackage".into(), None, None)
                })?);
            }
            py.detach(|| opened.extend(&given, path.as_deref()));
            Ok(opened)
        })
    }

    /// `save`, `package` or `zen_package`, as in the document.
    #[getter]
    fn kind(&self) -> &'static str {
        match self.kind {
            Kind::Save => "save",
            Kind::Package => "package",
            Kind::Zen => "zen_package",
        }
    }

    /// A description of the wrapper of the file, or `None`.
    #[getter]
    fn wrapper(&self) -> Option<String> {
        self.unwrapped.as_ref().map(|(_, wrapping)| wrapping.to_string())
    }

    /// `True` if the package needs mappings, and was opened without any.
    #[getter]
    fn needs_mappings(&self) -> bool {
        self.mapped.is_none() && self.wants_mappings()
    }

    /// The names of the packages with the types that this package needs and that are not known.
    #[getter]
    fn needed_packages(&self) -> Vec<String> {
        let missing = self.types().map(|types| types.missing).unwrap_or_default();
        missing.into_iter().map(|of| of.package).collect()
    }

    /// Returns the document.
    fn document<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyAny>> {
        guarded(py, || {
            if self.kind == Kind::Save {
                let save = Save::open(self.content()).map_err(|error| failed(py, &error))?;
                return to_python(py, &save.with_bytes(self.form));
            }
            let document = self.with_package(|opened| match opened {
                Opened::Package(package) => to_python(py, package),
                Opened::Zen(package) => to_python(py, package),
            });
            document.map_err(|error| failed(py, &error))?
        })
    }

    /// Returns the index of the export with this name or path, or `None`.
    fn find_export(&self, name: &str) -> Option<u32> {
        let found = self.with_package(|opened| match opened {
            Opened::Package(package) => package.find_export(name),
            Opened::Zen(package) => package.find_export(name),
        });
        found.ok().flatten()
    }

    /// Returns the index of the import with this name or path, or `None`.
    fn find_import(&self, name: &str) -> Option<u32> {
        let found = self.with_package(|opened| match opened {
            Opened::Package(package) => package.find_import(name),
            Opened::Zen(_) => None,
        });
        found.ok().flatten()
    }

    /// Returns the bytes of an export. Negative indices count from the end.
    fn export_bytes<'py>(&self, py: Python<'py>, index: i64) -> PyResult<Bound<'py, PyBytes>> {
        let position = |count: i64| {
            let position = if index < 0 { index.saturating_add(count) } else { index };
            let position = u32::try_from(position).ok().filter(|_| position < count);
            position.ok_or_else(|| {
                let message = format!("the package has no export {index} (exports: {count})");
                raise(py, &message, "NoSuchPath".into(), None, None)
            })
        };
        let bytes = self.with_package(|opened| {
            let bytes = match opened {
                Opened::Package(package) => {
                    let export = package.export(position(package.summary().export_count.into())?);
                    export.and_then(|export| package.export_bytes(&export))
                }
                Opened::Zen(package) => {
                    let count = i64::try_from(package.exports().len()).unwrap_or(i64::MAX);
                    package.export_bytes(position(count)?)
                }
            };
            bytes.map(<[u8]>::to_vec).map_err(|error| failed(py, &error))
        });
        let bytes = bytes.map_err(|error| failed(py, &error))??;
        Ok(PyBytes::new(py, &bytes))
    }

    /// Returns the bytes of the file that a document describes, and those of the `.uexp`, if the
    /// package has one.
    fn write<'py>(
        &self,
        py: Python<'py>,
        document: &Bound<'py, PyAny>,
    ) -> PyResult<Bound<'py, PyTuple>> {
        guarded(py, || {
            let from = FromPython::new(document);
            let written = match self.kind {
                Kind::Save => {
                    self.save(from).map(|header| WrittenPackage { header, exports: None })
                }
                Kind::Package => self.package(from),
                Kind::Zen => {
                    let message = "a package from an IoStore container cannot be changed";
                    return Err(raise(py, message, "ReadOnly".into(), None, None));
                }
            };
            let WrittenPackage { header, exports } = written.map_err(|fault| fault.raise(py))?;
            let header = match &self.unwrapped {
                None => header,
                Some((_, wrapping)) => {
                    let wrapped = py.detach(|| wrapping.rewrap(&header, &self.file));
                    wrapped.map_err(|error| failed(py, &error))?.into_owned()
                }
            };
            let exports = exports.map(|exports| PyBytes::new(py, &exports));
            (PyBytes::new(py, &header), exports).into_pyobject(py)
        })
    }
}

pub(crate) fn add_to(module: &Bound<'_, PyModule>) -> PyResult<()> {
    archives::add_to(module)?;
    tables::add_to(module)?;
    module.add_class::<UnrealFile>()
}
