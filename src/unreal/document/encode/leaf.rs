//! Writes values without tags: numbers, names, references, and structs with native serialization.

use super::node::{Fault, Node};
use super::text;
use super::writer::{DocumentWriter, guid};
use crate::unreal::format::{PackageIndex, StrBuf, Utf8StrRef, ue4, ue5};
use crate::unreal::properties::PropertyKind;
use alloc::string::String;

impl DocumentWriter<'_> {
    /// Writes a value of a kind without elements.
    pub fn leaf(&mut self, kind: PropertyKind, value: &Node) -> Result<(), Fault> {
        match kind {
            PropertyKind::Bool => self.put(u8::from(value.bool()?)),
            PropertyKind::Int8 => self.put(value.whole::<i8>()?),
            PropertyKind::Int16 => self.put(value.whole::<i16>()?),
            PropertyKind::Int => self.put(value.whole::<i32>()?),
            PropertyKind::Int64 => self.put(value.whole::<i64>()?),
            PropertyKind::UInt16 => self.put(value.whole::<u16>()?),
            PropertyKind::UInt32 => self.put(value.whole::<u32>()?),
            PropertyKind::UInt64 => self.put(value.whole::<u64>()?),
            PropertyKind::Float => self.put(value.real()? as f32),
            PropertyKind::Double => self.put(value.real()?),
            PropertyKind::Byte if !matches!(value, Node::Text(_)) => self.put(value.whole::<u8>()?),
            PropertyKind::Byte | PropertyKind::Enum | PropertyKind::Name => {
                self.name(value.text()?)
            }
            PropertyKind::Str => self.string(value),
            PropertyKind::AnsiStr | PropertyKind::Utf8Str | PropertyKind::VerseString => {
                self.put(Utf8StrRef::new(value.text()?))
            }
            PropertyKind::Object
            | PropertyKind::Class
            | PropertyKind::WeakObject
            | PropertyKind::Interface => self.object(value),
            PropertyKind::LazyObject => self.put(guid(value.text()?)?),
            PropertyKind::AssetObject | PropertyKind::AssetClass => self.asset(value),
            PropertyKind::SoftObject | PropertyKind::SoftClass => self.soft(value),
            PropertyKind::Delegate => self.delegate(value),
            PropertyKind::MulticastDelegate
            | PropertyKind::MulticastInlineDelegate
            | PropertyKind::MulticastSparseDelegate => self.many(value, Self::delegate),
            PropertyKind::FieldPath => self.field_path(value),
            PropertyKind::Text => text::write(value, self),
            PropertyKind::Unknown
            | PropertyKind::Struct
            | PropertyKind::Array
            | PropertyKind::Set
            | PropertyKind::Map
            | PropertyKind::Optional => {
                Err("a value of this type can only be given as `raw`".into())
            }
        }
    }

    pub fn string(&mut self, value: &Node) -> Result<(), Fault> {
        self.put(StrBuf::new(value.text()?).as_text())
    }

    pub fn object(&mut self, value: &Node) -> Result<(), Fault> {
        match self.layout.names_as_text {
            true => self.string(value),
            false => self.put(PackageIndex(value.whole()?)),
        }
    }

    /// Writes the number of items in a list, and calls `each` to write each item.
    pub fn many(
        &mut self,
        value: &Node,
        mut each: impl FnMut(&mut Self, &Node) -> Result<(), Fault>,
    ) -> Result<(), Fault> {
        let items = value.list()?;
        let count = i32::try_from(items.len()).map_err(|_| "a list is too long")?;
        self.put(count)?;
        items.iter().try_for_each(|item| each(self, item))
    }

    fn delegate(&mut self, value: &Node) -> Result<(), Fault> {
        self.object(value.member("object")?)?;
        self.name(value.member("function")?.text()?)
    }

    fn field_path(&mut self, value: &Node) -> Result<(), Fault> {
        self.many(value.member("path")?, |to, name| to.name(name.text()?))?;
        match (self.layout.field_paths_have_owners(), value.get("owner")) {
            (true, Some(owner)) => self.object(owner),
            (true, None) => Err("`owner` is missing".into()),
            (false, _) => Ok(()),
        }
    }

    /// Writes a soft reference, which is a string in old versions.
    pub fn asset(&mut self, value: &Node) -> Result<(), Fault> {
        match self.layout.has_ue4(ue4::ADDED_SOFT_OBJECT_PATH) {
            true => self.soft(value),
            false => self.string(value),
        }
    }

    /// Writes a soft reference.
    pub fn soft(&mut self, value: &Node) -> Result<(), Fault> {
        if self.layout.soft_references_are_indices() {
            return self.put(value.member("index")?.whole::<i32>()?);
        }
        let path = value.member("path")?.text()?;
        let sub_path = value.get("sub_path").map_or(Ok(""), Node::text)?;
        let or_none = |name: &str| String::from(if name.is_empty() { "None" } else { name });
        match self.layout.has_ue5(ue5::FSOFTOBJECTPATH_REMOVE_ASSET_PATH_FNAMES) {
            false => self.name(&or_none(path))?,
            true => {
                let (package, asset) = path.split_once('.').unwrap_or((path, ""));
                self.name(&or_none(package))?;
                self.name(&or_none(asset))?;
            }
        }
        match self.layout.sub_paths_are_utf8() {
            true => self.put(Utf8StrRef::new(sub_path)),
            false => self.put(StrBuf::new(sub_path).as_text()),
        }
    }
}
