//! Paths of classes.

use super::records::StoredClass;
use super::view::Registry;
use crate::unreal::format::{NameText, Result};
use core::fmt;

/// Returns `true` for the name `None`, which the engine stores in place of a missing name.
pub(super) fn is_none(name: &NameText<'_>) -> bool {
    name.number() == 0 && *name == *"None"
}

/// A class. `Display` prints its path, or its name if the path is not stored.
#[derive(Clone, Copy, Debug)]
pub struct ClassPath<'a> {
    /// The package of the class, from version 14 on.
    pub package: Option<NameText<'a>>,
    /// The name of the class.
    pub name: NameText<'a>,
}

impl fmt::Display for ClassPath<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match &self.package {
            Some(package) if !is_none(package) => write!(f, "{package}.{}", self.name),
            _ => self.name.fmt(f),
        }
    }
}

impl<'a> Registry<'a> {
    pub(super) fn class(&self, class: &StoredClass<'a>, offset: u64) -> Result<ClassPath<'a>> {
        let package = class.package.map(|package| self.text(package, offset)).transpose()?;
        Ok(ClassPath { package, name: self.text(class.name, offset)? })
    }
}
