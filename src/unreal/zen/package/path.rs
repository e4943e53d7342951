//! Prints the paths of the objects of a Zen package, and finds exports by their paths.

use super::ZenPackage;
use crate::unreal::format::display_eq_ignore_case;
use crate::unreal::tables::{ObjectHash, ObjectIndex, ZenObject};
use crate::unreal::zen::header::form;
use core::fmt;

impl<'a> ZenPackage<'a> {
    /// Returns the path of an object. `Display` prints it.
    pub fn path_of(&self, index: ObjectIndex) -> ZenPath<'_, 'a> {
        ZenPath { package: self, index }
    }

    /// Returns the index of the export with this [path](Self::path_of). If no path matches but
    /// exactly one export has this name, returns the index of that export. ASCII case is ignored.
    pub fn find_export(&self, path: &str) -> Option<u32> {
        let indices = || 0..u32::try_from(self.exports().len()).unwrap_or(u32::MAX);
        let has_path =
            |index: &u32| display_eq_ignore_case(self.path_of(ObjectIndex((*index).into())), path);
        let is_called = |index: &u32| {
            let name = self.object_name(ObjectIndex((*index).into()));
            name.is_some_and(|name| name == *path)
        };
        indices().find(has_path).or_else(|| {
            let mut called = indices().filter(is_called);
            let found = called.next()?;
            called.next().is_none().then_some(found)
        })
    }
}

/// The path of an object of a Zen package. `Display` prints it. For an object of C++ code, it is a
/// path such as `/Script/Engine.StaticMesh`. For an export, it is the path without the package. For
/// an object of another package, it is the name of that package and the name of the object, or its
/// hash if the name is not known.
#[derive(Clone, Copy, Debug)]
pub struct ZenPath<'p, 'a> {
    package: &'p ZenPackage<'a>,
    index: ObjectIndex,
}

/// Maximum number of objects in a path. Engines use only a few.
const LEVELS: usize = 64;

impl ZenPath<'_, '_> {
    fn write_export(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let mut chain = [0; LEVELS];
        let (mut depth, mut next) = (0usize, self.index.object());
        for place in &mut chain {
            let ZenObject::Export(export) = next else { break };
            *place = export;
            depth = depth.saturating_add(1);
            next = match self.package.export(export) {
                Ok(export) => export.outer.object(),
                Err(_) => ZenObject::Null,
            };
        }
        let chain = chain.get(..depth).unwrap_or_default();
        for (export, level) in chain.iter().rev().zip(0u32..) {
            f.write_str(match level {
                0 => "",
                1 => ":",
                _ => ".",
            })?;
            match self.package.object_name(ObjectIndex((*export).into())) {
                Some(name) => write!(f, "{name}")?,
                None => f.write_str("?")?,
            }
        }
        Ok(())
    }

    fn write_import(&self, import: u64, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let imports = self.package.known_imports();
        match imports.package((import >> 32) as u32) {
            Some(package) => write!(f, "{package}.")?,
            None => f.write_str("?.")?,
        }
        let hash = imports.hash(import as u32);
        match (imports.name(self.index), hash) {
            (Some(name), _) => write!(f, "{name}"),
            (None, Some(ObjectHash(hash))) => write!(f, "{hash:016x}"),
            (None, None) => f.write_str("?"),
        }
    }
}

impl fmt::Display for ZenPath<'_, '_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self.index.object() {
            ZenObject::Null => f.write_str("None"),
            ZenObject::Export(_) => self.write_export(f),
            ZenObject::Script(hash) => {
                let imports = self.package.known_imports();
                match imports.script.and_then(|script| script.path(self.index)) {
                    Some(path) => path.fmt(f),
                    None => write!(f, "/Script/?.{hash:016x}"),
                }
            }
            ZenObject::Import(hash) if self.package.header.form == form::ENGINE_4_26 => {
                write!(f, "?.{hash:016x}")
            }
            ZenObject::Import(import) => self.write_import(import, f),
        }
    }
}
