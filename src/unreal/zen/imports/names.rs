//! Names of objects to which Zen packages refer.

use super::script_names::ScriptNames;
use crate::unreal::format::{
    FileCursor, HashedNames, Layout, NameText, StrRef, display_eq_ignore_case,
};
use crate::unreal::mappings::{MappedStruct, Mappings};
use crate::unreal::tables::{ObjectHash, ObjectIndex, ZenObject, hash_of_path};
use core::fmt::{self, Write};

/// The name of an object. `Display` prints it.
#[derive(Clone, Copy, Debug)]
pub struct ObjectName<'a>(Parts<'a>);

#[derive(Clone, Copy, Debug)]
enum Parts<'a> {
    Text(NameText<'a>),
    /// The main asset of a package, its class, or the default object of this class.
    Asset {
        prefix: &'static str,
        asset: &'a str,
        number: i32,
        suffix: &'static str,
    },
}

impl<'a> ObjectName<'a> {
    /// Returns the name, if it is stored in one piece.
    pub const fn text(&self) -> Option<NameText<'a>> {
        match self.0 {
            Parts::Text(text) => Some(text),
            Parts::Asset { .. } => None,
        }
    }
}

impl<'a> From<NameText<'a>> for ObjectName<'a> {
    fn from(name: NameText<'a>) -> Self {
        Self(Parts::Text(name))
    }
}

impl fmt::Display for ObjectName<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self.0 {
            Parts::Text(text) => text.fmt(f),
            Parts::Asset { prefix, asset, number: 0, suffix } => {
                write!(f, "{prefix}{asset}{suffix}")
            }
            Parts::Asset { prefix, asset, number, suffix } => {
                write!(f, "{prefix}{asset}_{}{suffix}", number.wrapping_sub(1))
            }
        }
    }
}

/// Ignores ASCII case, as engines do.
impl PartialEq<str> for ObjectName<'_> {
    fn eq(&self, other: &str) -> bool {
        display_eq_ignore_case(self, other)
    }
}

/// The tables of a Zen package that state its imports.
#[derive(Clone, Copy, Debug)]
pub(crate) struct ZenImports<'a> {
    pub(crate) imports: FileCursor<'a>,
    /// Hashes of the objects of other packages.
    pub(crate) hashes: FileCursor<'a>,
    /// Names of the other packages, from engine 5.3 on. `numbers` has the numbers after these
    /// names.
    pub(crate) packages: HashedNames<'a>,
    pub(crate) numbers: FileCursor<'a>,
    /// Names of objects of C++ code.
    pub(crate) script: Option<&'a ScriptNames<'a>>,
}

impl<'a> ZenImports<'a> {
    /// Returns the import with this index.
    pub(crate) fn get(&self, index: u32) -> Option<ObjectIndex> {
        word(self.imports, index).map(ObjectIndex)
    }

    /// Returns the hash of an object of another package.
    pub(crate) fn hash(&self, index: u32) -> Option<ObjectHash> {
        word(self.hashes, index).map(ObjectHash)
    }

    /// Returns the name of another package. Takes time proportional to the number of packages.
    pub(crate) fn package(&self, index: u32) -> Option<NameText<'a>> {
        let text = self.packages.clone().nth(index as usize)?.ok()?.text;
        let mut numbers = self.numbers;
        numbers.bytes(u64::from(index).saturating_mul(4)).ok()?;
        Some(NameText::new(text, numbers.read(&Layout::default()).ok()?))
    }

    /// Returns the name of an object that is not an export, if the name is known. For an object of
    /// another package, this tries the names that follow from the name of the package, and returns
    /// the one that has the stored hash.
    pub(crate) fn name(&self, index: ObjectIndex) -> Option<ObjectName<'a>> {
        match index.object() {
            ZenObject::Script(_) => self.script?.name(index).map(ObjectName::from),
            ZenObject::Import(import) => {
                self.name_in(self.package((import >> 32) as u32)?, import as u32)
            }
            ZenObject::Null | ZenObject::Export(_) => None,
        }
    }

    /// Returns the name of an object in another package, if this name can be derived from the name
    /// of that package. `hash` is the index of the object's hash.
    pub(crate) fn name_in(&self, package: NameText<'a>, hash: u32) -> Option<ObjectName<'a>> {
        asset(package, self.hash(hash)?)
    }

    /// Returns the class or struct to which an import refers. `mappings` are the mappings of the
    /// [script names](Self::script), or mappings that extend these.
    pub(crate) fn structure(
        &self,
        index: ObjectIndex,
        mappings: Option<&'a Mappings<'a>>,
    ) -> Option<MappedStruct<'a>> {
        match index.object() {
            ZenObject::Script(_) => self.script?.structure(index),
            ZenObject::Import(_) => mappings?.struct_displayed(self.name(index)?),
            ZenObject::Null | ZenObject::Export(_) => None,
        }
    }
}

/// Returns the number with this index in a table of 64-bit numbers.
fn word(mut table: FileCursor<'_>, index: u32) -> Option<u64> {
    table.bytes(u64::from(index).saturating_mul(8)).ok()?;
    table.read(&Layout::default()).ok()
}

/// Returns the name of the object with this hash, if it is the main asset of the package, the class
/// of a blueprint, or the default object of this class.
fn asset(package: NameText<'_>, hash: ObjectHash) -> Option<ObjectName<'_>> {
    let name = StrRef::as_str(&package.text())?;
    let start = name.bytes().rposition(|byte| byte == b'/').map_or(0, |at| at.saturating_add(1));
    let asset = name.get(start..)?;
    let mut printed = Digits { bytes: [0; 12], len: 0 };
    if package.number() != 0 {
        write!(printed, "_{}", package.number().wrapping_sub(1)).ok()?;
    }
    let digits = printed.bytes.get(..printed.len)?;
    let kinds = [("", ""), ("", "_C"), ("Default__", "_C")];
    let fits = |(prefix, suffix): &(&'static str, &'static str)| {
        hash_of_path(&[prefix.as_bytes(), asset.as_bytes(), digits, suffix.as_bytes()]) == hash.0
    };
    let (prefix, suffix) = kinds.into_iter().find(fits)?;
    Some(ObjectName(Parts::Asset { prefix, asset, number: package.number(), suffix }))
}

/// The printed number after a name.
struct Digits {
    bytes: [u8; 12],
    len: usize,
}

impl Write for Digits {
    fn write_str(&mut self, text: &str) -> fmt::Result {
        let end = self.len.saturating_add(text.len());
        let room = self.bytes.get_mut(self.len..end).ok_or(fmt::Error)?;
        room.iter_mut().zip(text.bytes()).for_each(|(to, from)| *to = from);
        self.len = end;
        Ok(())
    }
}
