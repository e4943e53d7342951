//! Asset registries, localized texts and mappings.

use super::failed;
use super::mappings::Mapped;
use crate::documents::to_python;
use crate::error::{guarded, raise};
use gamewire::unreal::Locres;
use gamewire::unreal::mappings::{MappedStruct, MappedType};
use gamewire::unreal::registry::Registry;
use pyo3::prelude::*;
use pyo3::types::{PyDict, PyList};

/// Returns the document of an asset registry.
#[pyfunction]
fn registry_document<'py>(py: Python<'py>, data: &[u8]) -> PyResult<Bound<'py, PyAny>> {
    guarded(py, || {
        let registry = Registry::open(data).map(Registry::with_name_index);
        let registry = registry.map_err(|error| failed(py, &error))?;
        if registry.shares_tags() {
            let message = "the assets of this registry share tags, so the document would be many \
                           times as large as the file";
            return Err(raise(py, message, "TooLarge".into(), None, None));
        }
        to_python(py, &registry)
    })
}

/// Returns the document of localized texts.
#[pyfunction]
fn locres_document<'py>(py: Python<'py>, data: &[u8]) -> PyResult<Bound<'py, PyAny>> {
    guarded(py, || {
        let locres = Locres::open(data).map(Locres::with_string_index);
        let locres = locres.map_err(|error| failed(py, &error))?;
        to_python(py, &locres)
    })
}

/// Returns a type as it is written in documents, such as `ArrayProperty(IntProperty)`.
fn type_text(of: &MappedType<'_>) -> String {
    let mut text = of.kind_name().to_owned();
    let parts = [
        of.name().map(|name| name.to_string()),
        of.inner().map(|inner| type_text(&inner)),
        of.value().map(|value| type_text(&value)),
    ];
    let parts: Vec<_> = parts.into_iter().flatten().collect();
    if !parts.is_empty() {
        text.push_str(&format!("({})", parts.join(", ")));
    }
    text
}

fn struct_of<'py>(py: Python<'py>, of: &MappedStruct<'_>) -> PyResult<Bound<'py, PyDict>> {
    let object = PyDict::new(py);
    let parent = of.parent().map(|parent| parent.name().to_string());
    object
        .set_item("parent", parent.or_else(|| of.missing_parent().map(|name| name.to_string())))?;
    object.set_item("path", of.path().map(|path| path.to_string()))?;
    let properties = PyList::empty(py);
    for property in of.properties() {
        let entry = PyDict::new(py);
        entry.set_item("name", property.name().to_string())?;
        entry.set_item("type", type_text(&property.of()))?;
        entry.set_item("slot", property.slot())?;
        entry.set_item("elements", property.elements())?;
        properties.append(entry)?;
    }
    object.set_item("properties", properties)?;
    Ok(object)
}

/// Returns the structs and the enums of mappings, by name, and the versions of the packages that
/// the mappings belong to.
#[pyfunction]
fn read_mappings<'py>(
    py: Python<'py>,
    data: &[u8],
) -> PyResult<(Bound<'py, PyDict>, Bound<'py, PyDict>, Option<String>)> {
    guarded(py, || {
        let mapped = Mapped::load(data.to_vec()).map_err(|error| failed(py, &error))?;
        let mappings = mapped.open().map_err(|error| failed(py, &error))?;
        let (structs, enums) = (PyDict::new(py), PyDict::new(py));
        for of in mappings.structs() {
            structs.set_item(of.name().to_string(), struct_of(py, &of)?)?;
        }
        for of in mappings.enums() {
            let values = PyDict::new(py);
            for (name, value) in of.entries() {
                values.set_item(name.to_string(), value)?;
            }
            enums.set_item(of.name().to_string(), values)?;
        }
        Ok((structs, enums, mapped.versions.map(|versions| versions.to_string())))
    })
}

pub(super) fn add_to(module: &Bound<'_, PyModule>) -> PyResult<()> {
    module.add_function(wrap_pyfunction!(registry_document, module)?)?;
    module.add_function(wrap_pyfunction!(locres_document, module)?)?;
    module.add_function(wrap_pyfunction!(read_mappings, module)?)
}
