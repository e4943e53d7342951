//! Encodes arrays, dictionaries and objects.

use super::dumper::{Done, Dumper};
use super::items::{Items, Open};
use crate::error::Failure;
use crate::python::with_bytes_of;
use crate::wire::Wire;
use gamewire::godot::{Dialect, ErrorKind, Kind, StrRef, TypeRef};
use pyo3::prelude::*;
use pyo3::types::{PyDict, PyString};

/// Maximum number of containers around a value, as in the engines.
const DEPTH: u32 = 1024;

/// The bit of a count that Godot 2 sets for containers in shared mode.
const SHARED: u32 = 1 << 31;

impl<'py> Dumper<'py> {
    /// Appends the start of an array without a type.
    pub(super) fn array(&mut self, len: usize, items: Items<'py>) -> Done {
        self.check_depth(len)?;
        self.plain_head(Kind::Array, len)?;
        self.open(len, items)
    }

    /// Appends the start of an array with the type and flags of `object`.
    pub(super) fn typed_array(
        &mut self,
        object: &Bound<'py, PyAny>,
        len: usize,
        items: Items<'py>,
    ) -> Done {
        self.check_depth(len)?;
        if !self.head_of(object, len)? {
            let element = self.type_of(&object.getattr("element_type")?)?;
            let element = element.as_ref().map_or(TypeRef::Untyped, Declared::borrowed);
            self.out.writer().typed_array(0, element)?.finish()?;
            self.set_count(object, len)?;
        }
        self.open(len, items)
    }

    /// Appends the start of a dictionary without types.
    pub(super) fn plain_dictionary(&mut self, dict: &Bound<'py, PyDict>) -> Done {
        self.check_depth(dict.len())?;
        self.plain_head(Kind::Dictionary, dict.len())?;
        self.open(dict.len(), Items::Pairs(dict.iter()))
    }

    /// Appends the start of a dictionary with the types and flags of `object`.
    pub(super) fn typed_dictionary(
        &mut self,
        object: &Bound<'py, PyAny>,
        dict: &Bound<'py, PyDict>,
    ) -> Done {
        self.check_depth(dict.len())?;
        if !self.head_of(object, dict.len())? {
            let key = self.type_of(&object.getattr("key_type")?)?;
            let value = self.type_of(&object.getattr("value_type")?)?;
            let [key, value] =
                [&key, &value].map(|of| of.as_ref().map_or(TypeRef::Untyped, Declared::borrowed));
            self.out.writer().typed_dictionary(0, key, value)?.finish()?;
            self.set_count(object, dict.len())?;
        }
        self.open(dict.len(), Items::Pairs(dict.iter()))
    }

    /// Appends the start of a full object.
    pub(super) fn object(&mut self, object: &Bound<'py, PyAny>) -> Done {
        let properties =
            object.getattr("properties")?.cast_into::<PyDict>().map_err(PyErr::from)?;
        let len = properties.len();
        self.check_depth(len)?;
        if !self.head_of(object, len)? {
            let class = object.getattr("class_name")?;
            let class = class.cast::<PyString>().map_err(PyErr::from)?;
            self.out.writer().object(&utf8(class)?, 0)?.finish()?;
            self.set_count(object, len)?;
        }
        self.open(len, Items::Properties(properties.iter()))
    }

    /// Opens a container whose start was written.
    fn open(&mut self, len: usize, items: Items<'py>) -> Done {
        if len > 0 {
            self.open.push(Open::new(len, items));
        }
        Ok(())
    }

    /// Appends the name of a property.
    pub(super) fn name(&mut self, name: &Bound<'py, PyAny>) -> Done {
        if name.is_instance(self.classes.key.bind(self.py))? {
            return self.name(&name.getattr("value")?);
        }
        let Ok(text) = name.cast::<PyString>() else {
            let message = "the name of a property must be a str".to_owned();
            return Err(Failure::Value("UnsupportedType", message));
        };
        if name.is_instance(self.classes.string.bind(self.py))?
            && let Ok(wire) = name.getattr("_wire")?.cast::<Wire>()
        {
            // A name is encoded as a String without the header.
            let bytes = wire.get().0.bytes.get(4..).unwrap_or_default();
            self.out.next().extend_from_slice(bytes);
            return Ok(());
        }
        let out = self.out.next();
        let len = with_bytes_of(text, |text| {
            out.extend_from_slice(&(text.len() as u32).to_le_bytes());
            out.extend_from_slice(text);
            out.resize(out.len() + (text.len().next_multiple_of(4) - text.len()), 0);
            text.len()
        })
        .map_err(|error| Failure::Value("BadText", error.to_string()))?;
        count(len).map(drop)
    }

    /// Checks that a container of `len` items may be opened. An empty container may be one level
    /// deeper than others.
    fn check_depth(&self, len: usize) -> Done {
        if self.open.len() < DEPTH as usize || len == 0 {
            return Ok(());
        }
        let kind = ErrorKind::TooDeep { limit: DEPTH };
        Err(gamewire::godot::Error::new(kind, self.out.bytes.len() as u64).into())
    }

    /// Appends the header and the count of a container.
    #[inline]
    fn plain_head(&mut self, kind: Kind, len: usize) -> Done {
        // All dialects have arrays and dictionaries.
        let id = self.out.dialect().id(kind).map_or(0, u32::from);
        let count = count(len)?;
        let out = self.out.next();
        out.extend_from_slice(&id.to_le_bytes());
        out.extend_from_slice(&count.to_le_bytes());
        Ok(())
    }

    /// Appends the head that the container of `object` had in a packet, with a new count if the
    /// number of its items has changed. Returns `false` if there is none for this dialect.
    fn head_of(&mut self, object: &Bound<'py, PyAny>, len: usize) -> Result<bool, Failure> {
        let wire = object.getattr("_wire")?;
        let Ok(wire) = wire.cast::<Wire>() else { return Ok(false) };
        let kept = &wire.get().0;
        let Some((before, old)) = kept.bytes.split_last_chunk::<4>() else { return Ok(false) };
        if kept.dialect != self.out.dialect() {
            return Ok(false);
        }
        let old = u32::from_le_bytes(*old);
        let is_object = object.is_instance(self.classes.object.bind(self.py))?;
        let new = match is_object {
            // A negative count means that there are no properties.
            true if len == 0 && old >= SHARED => old,
            true => count(len)?,
            false => count(len)? | (old & SHARED),
        };
        let out = self.out.next();
        out.extend_from_slice(before);
        out.extend_from_slice(&new.to_le_bytes());
        Ok(true)
    }

    /// Sets the count at the end of the bytes, and the flag of a shared container.
    fn set_count(&mut self, object: &Bound<'py, PyAny>, len: usize) -> Done {
        let shared = match object.getattr_opt("shared")? {
            Some(shared) => shared.is_truthy()?,
            None => false,
        };
        // Godot 3 and 4 ignore the flag.
        let has_flag = !matches!(self.out.dialect(), Dialect::Godot3 | Dialect::Godot4);
        let count = count(len)? | if shared && has_flag { SHARED } else { 0 };
        if let Some(end) = self.out.next().last_chunk_mut() {
            *end = count.to_le_bytes();
        }
        Ok(())
    }

    fn type_of(&self, name: &Bound<'py, PyAny>) -> Result<Option<Declared>, Failure> {
        if name.is_none() {
            return Ok(None);
        }
        let name = utf8(name.cast().map_err(PyErr::from)?)?;
        let dialect = self.out.dialect();
        let has_name = |kind: &Kind| dialect.type_name(*kind) == Some(&name);
        let kind = Kind::ALL.iter().copied().find(has_name);
        Ok(Some(match kind {
            Some(kind) => Declared::Builtin(kind),
            None if name.contains("://") => Declared::Script(name),
            None => Declared::Class(name),
        }))
    }
}

/// The declared type of items.
enum Declared {
    Builtin(Kind),
    Class(String),
    Script(String),
}

impl Declared {
    fn borrowed(&self) -> TypeRef<'_> {
        match self {
            Self::Builtin(kind) => TypeRef::Builtin(*kind),
            Self::Class(name) => TypeRef::Class(StrRef::from(name.as_str())),
            Self::Script(path) => TypeRef::Script(StrRef::from(path.as_str())),
        }
    }
}

/// Returns the name of a class or type, which must be UTF-8.
fn utf8(name: &Bound<'_, PyString>) -> Result<String, Failure> {
    let name = name.to_str().map_err(|error| Failure::Value("BadText", error.to_string()))?;
    Ok(name.to_owned())
}

/// Converts a length to its encoding.
fn count(len: usize) -> Result<u32, Failure> {
    match i32::try_from(len) {
        Ok(len) => Ok(len.unsigned_abs()),
        Err(_) => Err(gamewire::godot::Error::new(ErrorKind::TooLong, 0).into()),
    }
}
