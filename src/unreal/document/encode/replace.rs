//! Replaces some properties of a file with properties from a document.

use super::entry::EntrySeed;
use super::node::Fault;
use super::slots::{SlotValues, SlotsVisitor};
use super::value::DEPTH;
use super::writer::DocumentWriter;
use crate::unreal::edit::PackageEditor;
use crate::unreal::format::{Error, ErrorKind, Name, Value};
use crate::unreal::mappings::MappedStruct;
use crate::unreal::properties::Properties;
use crate::unreal::save::Save;
use alloc::borrow::ToOwned;
use alloc::collections::BTreeMap;
use alloc::string::String;
use alloc::vec::Vec;
use core::fmt;
use core::ops::Range;
use serde::de::{Deserializer, SeqAccess, Visitor};

impl Save<'_> {
    /// Returns the bytes of the save after replacing some of its properties. The properties with
    /// indices in `range` are replaced with those in `list`, which is a list of properties in the
    /// same form as in the document of a save. If `range` is empty, nothing is removed, and the new
    /// properties are inserted before the property with the index `range.start`. If `list` is
    /// empty, the properties are only removed. All other properties are copied.
    ///
    /// In each property of `list`, `name`, `type` and all other members must precede `value`. `at`,
    /// `size` and `array_index` can be left out.
    ///
    /// ```
    /// # #[cfg(feature = "std")] {
    /// use gamewire::unreal::Save;
    ///
    /// # if !std::path::Path::new("corpus").exists() { return Ok(()) } // not published
    /// let file = std::fs::read("corpus/unreal/gvas-ue4.27-Slot1.sav")?;
    /// let save = Save::open(&file)?;
    /// let list = r#"[{"name": "Level", "type": "IntProperty", "value": 7}]"#;
    /// let list = &mut serde_json::Deserializer::from_str(list);
    /// let changed = save.replace_properties(0..1, list)?;
    /// let save = Save::open(&changed)?;
    /// assert_eq!(save.properties().next().unwrap()?.name(), *"Level");
    /// # }
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    ///
    /// # Errors
    /// If the list contains a value that the format cannot express, or if the properties of the
    /// save are malformed.
    pub fn replace_properties<'de, D: Deserializer<'de>>(
        &self,
        range: Range<usize>,
        list: D,
    ) -> Result<Vec<u8>, D::Error> {
        let (_, trailer) = self.trailer().map_err(|error| Fault::from(error).of())?;
        let mut file = Vec::new();
        self.write_header(&mut file).map_err(|full| Fault::from(full).of())?;
        let mut names = |_: &str| Err(Error::new(ErrorKind::DoesNotFit, 0));
        let mut file = replaced(self.properties(), range, list, &mut names, file)?;
        file.extend_from_slice(trailer);
        Ok(file)
    }
}

impl PackageEditor<'_> {
    /// Replaces some properties of an export. `range` and `list` have the same meaning as for
    /// [`Save::replace_properties`]. Names in `list` that the package does not contain are added to
    /// its name table.
    ///
    /// # Errors
    /// If there is no such export, if it has no readable list of properties, or if the list contains
    /// a value that the format cannot express. Properties without tags can only be read if the
    /// package [has mappings](crate::unreal::Package::with_mappings).
    pub fn replace_properties<'de, D: Deserializer<'de>>(
        &mut self,
        export: usize,
        range: Range<usize>,
        list: D,
    ) -> Result<(), D::Error> {
        let fault = |error: Error| Fault::from(error).of::<D::Error>();
        let none = || fault(Error::new(ErrorKind::NoSuchTable("properties"), 0));
        let package = self.package().clone();
        let data = self.exports.get(export).ok_or_else(none)?.clone();
        let lacks_mappings = self.layout().unversioned_properties && package.mappings().is_none();
        if data.export.class.is_null() || lacks_mappings {
            return Err(none());
        }
        let object = package.properties_in(&data.bytes, &data.export).map_err(fault)?;
        let mut names = names_of(self);
        let bytes = match object.iter().structure() {
            Some(of) => replaced_slots(object.iter(), of, range, list, &mut names)?,
            None => replaced(object.iter(), range, list, &mut names, Vec::new())?,
        };
        drop(names);
        self.set_properties(export, &bytes).map_err(fault)
    }
}

/// Returns a function that finds a name of the package by its text, or adds the name if the package
/// does not have it. The search for a name is linear, so the function remembers the names that it
/// has returned.
pub fn names_of(editor: &mut PackageEditor<'_>) -> impl FnMut(&str) -> Result<Name, Error> {
    let mut known = BTreeMap::<String, Name>::new();
    move |text| match known.get(text) {
        Some(name) => Ok(*name),
        None => {
            let name = editor.add_name(text)?;
            known.insert(text.to_owned(), name);
            Ok(name)
        }
    }
}

/// Returns `out`, followed by `list` with the properties in `range` replaced with those of
/// `document`.
fn replaced<'de, D: Deserializer<'de>>(
    list: Properties<'_>,
    range: Range<usize>,
    document: D,
    names: &mut dyn FnMut(&str) -> Result<Name, Error>,
    out: Vec<u8>,
) -> Result<Vec<u8>, D::Error> {
    let fault = |error: Error| Fault::from(error).of::<D::Error>();
    let layout = &list.context.layout;
    let end =
        list.ending().ok_or_else(|| Fault::from("the list of properties is malformed").of())?;
    let mut to = DocumentWriter::new(list.context, names, out);
    let mut document = Some(document);
    let mut add = |to: &mut DocumentWriter<'_>| match document.take() {
        Some(document) => document.deserialize_seq(AddedProperties(to)),
        None => Ok(()),
    };
    for (index, tag) in list.enumerate() {
        let tag = tag.map_err(fault)?;
        if index == range.start {
            add(&mut to)?;
        }
        if !range.contains(&index) {
            to.out.extend_from_slice(tag.head_bytes());
            to.out.extend_from_slice(tag.bytes());
        }
    }
    add(&mut to)?;
    end.write(&mut to.out, layout).map_err(|full| Fault::from(full).of())?;
    Ok(to.out)
}

/// Returns a list without tags in which the properties in `range` are replaced with those of
/// `document`. `of` is the class of the list.
fn replaced_slots<'de, D: Deserializer<'de>>(
    list: Properties<'_>,
    of: MappedStruct<'_>,
    range: Range<usize>,
    document: D,
    names: &mut dyn FnMut(&str) -> Result<Name, Error>,
) -> Result<Vec<u8>, D::Error> {
    let fault = |error: Error| Fault::from(error).of::<D::Error>();
    list.end().map_err(fault)?;
    let mut to = DocumentWriter::new(list.context, names, Vec::new());
    let mut values = SlotValues::new(Some(of), &to).map_err(Fault::of)?;
    for (index, tag) in list.enumerate() {
        let tag = tag.map_err(fault)?;
        if let Some(slot) = tag.slot().filter(|_| !range.contains(&index)) {
            values.copy(slot, tag.bytes(), &mut to);
        }
    }
    document.deserialize_seq(SlotsVisitor { to: &mut to, list: &mut values, depth: DEPTH })?;
    values.finish(&mut to).map_err(Fault::of)?;
    Ok(to.out)
}

/// A visitor that writes the properties of a list, without the name that ends the list.
struct AddedProperties<'e, 'c>(&'e mut DocumentWriter<'c>);

impl<'de> Visitor<'de> for AddedProperties<'_, '_> {
    type Value = ();

    fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("a list of properties")
    }

    fn visit_seq<A: SeqAccess<'de>>(self, mut from: A) -> Result<(), A::Error> {
        while from
            .next_element_seed(EntrySeed { to: &mut *self.0, depth: DEPTH, limit: 0 })?
            .is_some()
        {}
        Ok(())
    }
}
