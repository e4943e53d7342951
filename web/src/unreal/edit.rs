//! Changes of single values.

use super::node::{Child, Content, Context, File, Label, Node};
use super::row::source;
use crate::file::place::{Fault, Part, Place, Splice};
use gamewire::unreal::{
    Name, NameRef, Object, ObjectRef, Package, PackageIndex, PropertyKind, PropertyValue, Tag,
};
use std::ops::Range;

/// A change of a value, before the offsets of a package are corrected.
pub struct Change {
    pub splices: Vec<Splice>,
    /// A name that the package must have, and the offset of the index of the name in the changed
    /// content.
    pub name: Option<(String, usize)>,
}

impl<'p> Context<'p> {
    /// Returns the children on the way from the root to the last place.
    pub fn resolve(&self, chain: &[Place]) -> Option<Vec<Child<'p>>> {
        let mut found = Vec::new();
        let mut node = Self::root();
        for place in chain.get(1..)? {
            let mut next = None;
            let inside = self.inside(node, place.form);
            let from = (place.index, place.start());
            let _ = self.children(&inside, from, &mut |child| {
                next = Some(child);
                false
            });
            let child = next.filter(|child| child.index == place.index)?;
            node = child.node;
            found.push(child);
        }
        Some(found)
    }

    /// Returns the children on the way to a leaf, its value, and the range of its bytes.
    pub fn leaf(
        &self,
        chain: &[Place],
        part: Part,
    ) -> Option<(Vec<Child<'p>>, PropertyValue<'p>, Range<usize>)> {
        let found = self.resolve(chain)?;
        let child = found.last()?;
        let (value, range) = match (part, &child.label, child.node.value) {
            (Part::Key, Label::Key(key), _) => (*key, child.key.clone()),
            (Part::Value, _, Content::Tag(tag)) => (tag.value(), child.bytes.clone()),
            (Part::Value, _, Content::Value(value)) => (value, child.bytes.clone()),
            _ => return None,
        };
        match value {
            // A change of a text replaces only its source string.
            PropertyValue::Formatted(text) => {
                let source = source(&text)?;
                let pieces = self.pieces(&value, range.start);
                let is_source = |value: &PropertyValue<'_>| matches!(value, PropertyValue::Str(text) if *text == source);
                let label = ["source", "culture_invariant"];
                let piece = pieces.into_iter().find(|(name, _, value)| {
                    name.is_some_and(|name| label.contains(&name)) && is_source(value)
                })?;
                Some((found, piece.2, piece.1))
            }
            _ => Some((found, value, range)),
        }
    }

    /// Returns the replacements for a new value, and for the sizes around it.
    pub fn change(&self, chain: &[Place], part: Part, text: &str) -> Result<Change, Fault> {
        let offset = chain.last().map_or(0, |place| place.value.start);
        let fault = |text: String| Fault { text, offset };
        let none = || fault("this value cannot be changed here".into());
        let (found, old, range) = self.leaf(chain, part).ok_or_else(none)?;
        if self.text(&old) == text || !self.can_edit(&old) {
            return Ok(Change { splices: Vec::new(), name: None });
        }
        let mut name = None;
        let new = match (old, self.file, found.last().map(|child| child.node.value)) {
            (PropertyValue::Bool(_), _, Some(Content::Tag(tag))) if part == Part::Value => {
                self.bool_of_tag(&tag, text, &range).map_err(fault)?
            }
            (PropertyValue::Name(_), File::Package(package), _) => {
                let known = find_name(package, text);
                if known.is_none() {
                    name = Some((text.to_owned(), range.start));
                }
                let Name { index, number } = known.unwrap_or_default();
                [index, number].iter().flat_map(|word| self.word(*word)).collect()
            }
            (PropertyValue::Object(ObjectRef::Index(_)), File::Package(package), _) => {
                let index = find_object(package, text).map_err(fault)?;
                self.word(index.0)
            }
            (PropertyValue::Object(ObjectRef::Index(_)), ..)
            | (PropertyValue::Name(NameRef::Index(_)), ..) => return Err(none()),
            _ => self.stored.encode(&old, range.len(), text).map_err(fault)?,
        };
        let delta = new.len() as i64 - range.len() as i64;
        let old = self.stored.bytes.get(range.clone()).unwrap_or_default().to_vec();
        let mut splices = self.sizes(&found, chain, delta)?;
        splices.push(Splice { at: range.start, old, new });
        Ok(Change { splices, name })
    }

    fn word(&self, word: i32) -> Vec<u8> {
        self.stored.number(&word.to_le_bytes())
    }

    /// Returns the byte of a tag that holds a bool, with another value.
    fn bool_of_tag(
        &self,
        tag: &Tag<'_>,
        text: &str,
        range: &Range<usize>,
    ) -> Result<Vec<u8>, String> {
        let new = self.stored.encode(&PropertyValue::Bool(false), 1, text)?;
        let old = self.stored.bytes.get(range.start).copied().unwrap_or(0);
        Ok(match tag.head().flags {
            // A bit of the flags.
            Some(_) => vec![(old & !0x10) | (new[0] << 4)],
            None => new,
        })
    }

    /// Returns the replacements of the sizes around a value that grows by `delta` bytes.
    fn sizes(
        &self,
        found: &[Child<'p>],
        chain: &[Place],
        delta: i64,
    ) -> Result<Vec<Splice>, Fault> {
        let mut splices = Vec::new();
        if delta == 0 {
            return Ok(splices);
        }
        for (depth, child) in found.iter().enumerate() {
            let is_around = depth + 1 < found.len();
            let form = chain.get(depth + 2).map_or(0, |place| place.form);
            let Node { value, .. } = self.inside(child.node, form);
            let mut places = Vec::new();
            if let Content::Tag(tag) = child.node.value {
                places.extend(tag.size_offset());
                if is_around && tag.kind() == PropertyKind::Array {
                    places.extend(tag.inner_size_offset());
                }
            }
            if let (true, Content::Value(PropertyValue::Instanced(of))) = (is_around, value) {
                places.push(of.properties.offset().saturating_sub(4));
            }
            for place in places {
                splices.push(self.added(place as usize, delta)?);
            }
        }
        Ok(splices)
    }

    /// Returns the replacement that adds `delta` to the number at `at`.
    fn added(&self, at: usize, delta: i64) -> Result<Splice, Fault> {
        let fault = || Fault { text: "the value would be too large".into(), offset: at };
        let old = i64::from(self.stored.word(at).ok_or_else(fault)?);
        let new = i32::try_from(old + delta).map_err(|_| fault())?;
        Ok(Splice { at, old: self.word(old as i32), new: self.word(new) })
    }
}

/// Returns the name with this text, if the package has it.
fn find_name(package: &Package<'_>, text: &str) -> Option<Name> {
    let index = |text: &str| {
        let mut names = package.names();
        let found = names.position(|name| name.is_ok_and(|name| name.text.to_string() == text));
        found.and_then(|index| i32::try_from(index).ok())
    };
    if let Some(index) = index(text) {
        return Some(Name { index, number: 0 });
    }
    let (start, digits) = text.rsplit_once('_')?;
    let is_number = digits == "0" || !digits.starts_with('0');
    let number = digits.parse::<u32>().ok().filter(|_| is_number && !digits.starts_with('+'))?;
    let number = i32::try_from(number).ok()?.checked_add(1)?;
    Some(Name { index: index(start)?, number })
}

/// Returns the object with this path or index.
fn find_object(package: &Package<'_>, text: &str) -> Result<PackageIndex, String> {
    let text = text.trim();
    if text.is_empty() || text == "None" {
        return Ok(PackageIndex(0));
    }
    let index = match text.parse::<i32>() {
        Ok(index) => PackageIndex(index),
        Err(_) => match (package.find_export(text), package.find_import(text)) {
            (Some(export), _) => Object::Export(export).into(),
            (_, Some(import)) => Object::Import(import).into(),
            _ => return Err("the package has no such object".into()),
        },
    };
    let exists = match index.object() {
        Object::Null => true,
        Object::Export(export) => package.export(export).is_ok(),
        Object::Import(import) => package.import(import).is_ok(),
    };
    if exists { Ok(index) } else { Err("the package has no such object".into()) }
}
