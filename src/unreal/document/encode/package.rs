//! Writes packages from documents.

use super::entry::ListSeed;
use super::node::{Fault, Node};
use super::records;
use super::to_node::to_node;
use super::value::DEPTH;
use super::writer::{DocumentWriter, OriginalTags};
use crate::unreal::document::package::Rows;
use crate::unreal::edit::{PackageEditor, WrittenPackage, split_name};
use crate::unreal::format::{Error, Name, Value, Versions};
use crate::unreal::mappings::Mappings;
use crate::unreal::package::Package;
use crate::unreal::properties::{BytesForm, Properties};
use crate::unreal::tables::Export;
use alloc::borrow::ToOwned;
use alloc::collections::BTreeMap;
use alloc::string::{String, ToString};
use alloc::vec::Vec;
use core::fmt;
use serde::Serialize;
use serde::de::{
    Deserialize, DeserializeSeed, Deserializer, Error as _, IgnoredAny, MapAccess, SeqAccess,
    Visitor,
};

/// The document of a package, without its properties. [`write`](Self::write) parses the document a
/// second time to write the package.
///
/// The document must be one that [`Package::document`] serialized: besides its readable members, it
/// contains all bytes of the original package, which include native data and unknown bytes. Where
/// the readable members differ from the original package, the package is changed. Everything else
/// is copied. Sizes, offsets and counts are computed; those in the document are ignored.
///
/// Properties, rows of data tables, names, imports, and most fields of exports can be changed.
/// Names and imports can be added at the end of their tables. A change to anything else is an
/// error.
///
/// ```
/// # #[cfg(feature = "std")] {
/// use gamewire::unreal::{Package, PackageDocument};
///
/// # if !std::path::Path::new("corpus").exists() { return Ok(()) } // not published
/// let file = std::fs::read("corpus/unreal/ue4.27-TestActorBP.uasset")?;
/// let json = serde_json::to_string(&Package::open(&file)?.document())?;
/// let write = |json: &str| {
///     let document: PackageDocument = serde_json::from_str(json)?;
///     document.write(&mut serde_json::Deserializer::from_str(json))
/// };
/// assert!(write(&json)?.header == file);
///
/// let [old, new] = ["TestActorBP_C", "Renamed_C"].map(|name| format!(r#""object_name":"{name}""#));
/// let changed = write(&json.replace(&old, &new))?;
/// assert!(Package::open(&changed.header)?.find_export("Renamed_C").is_some());
/// # }
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Clone, Debug)]
pub struct PackageDocument {
    header: Vec<u8>,
    exports: Option<Vec<u8>>,
    head: Node,
}

const WITHOUT_FILE: &str = "the document lacks the bytes of the package (`stored`)";

impl<'de> Deserialize<'de> for PackageDocument {
    fn deserialize<D: Deserializer<'de>>(from: D) -> Result<Self, D::Error> {
        from.deserialize_map(HeadVisitor { files: None })
    }
}

/// A visitor that reads a document.
struct HeadVisitor {
    /// The bytes of the one or two files of the package. If they are given, the bytes in the
    /// document are ignored.
    files: Option<(Vec<u8>, Option<Vec<u8>>)>,
}

impl<'de> Visitor<'de> for HeadVisitor {
    type Value = PackageDocument;

    fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("the document of a package")
    }

    fn visit_map<A: MapAccess<'de>>(self, mut from: A) -> Result<Self::Value, A::Error> {
        let (mut members, mut stored) = (Vec::new(), None);
        while let Some(key) = from.next_key::<String>()? {
            match &*key {
                "stored" if self.files.is_some() => {
                    from.next_value::<IgnoredAny>()?;
                }
                "stored" => stored = Some(from.next_value::<Node>()?),
                "exports" => {
                    members.push((key, from.next_value_seed(Exports(&mut Headers))?));
                }
                _ => members.push((key, from.next_value()?)),
            }
        }
        let head = Node::Map(members);
        match head.get("kind") {
            Some(Node::Text(kind)) if kind == "package" => {}
            _ => return Err(A::Error::custom("this is not the document of a package")),
        }
        if let Some((header, exports)) = self.files {
            return Ok(PackageDocument { header, exports, head });
        }
        let stored = stored.ok_or_else(|| A::Error::custom(WITHOUT_FILE))?;
        let bytes = |name| stored.get(name).map(bytes_of).transpose();
        let header = bytes("header").map_err(Fault::of)?;
        let header = header.ok_or_else(|| A::Error::custom(WITHOUT_FILE))?;
        Ok(PackageDocument { header, exports: bytes("exports").map_err(Fault::of)?, head })
    }
}

/// Reads an object with the member `hex` or `base64`.
fn bytes_of(value: &Node) -> Result<Vec<u8>, Fault> {
    match value {
        Node::Map(members) => match &members[..] {
            [(form, text)] => super::bytes_text::parse(form, text.text()?),
            _ => Err("expected an object with `hex` or `base64`".into()),
        },
        other => Err(other.unlike("an object with `hex` or `base64`")),
    }
}

/// Handles the exports in a document one by one.
trait EachExport<'de> {
    /// Handles the properties of the export with this index.
    fn properties<A: MapAccess<'de>>(&mut self, index: usize, from: &mut A)
    -> Result<(), A::Error>;

    /// Handles the rows of the export with this index, which is a data table.
    fn rows<A: MapAccess<'de>>(&mut self, index: usize, from: &mut A) -> Result<(), A::Error>;

    /// `true` to keep the other members of each export in memory.
    const KEEPS: bool;
}

/// Keeps all members of each export except for the properties.
struct Headers;

impl<'de> EachExport<'de> for Headers {
    const KEEPS: bool = true;

    fn properties<A: MapAccess<'de>>(&mut self, _: usize, from: &mut A) -> Result<(), A::Error> {
        from.next_value::<IgnoredAny>().map(drop)
    }

    fn rows<A: MapAccess<'de>>(&mut self, _: usize, from: &mut A) -> Result<(), A::Error> {
        from.next_value::<IgnoredAny>().map(drop)
    }
}

/// A seed for `serde` that passes the exports in a document to an [`EachExport`].
struct Exports<'e, E>(&'e mut E);

impl<'de, E: EachExport<'de>> DeserializeSeed<'de> for Exports<'_, E> {
    type Value = Node;

    fn deserialize<D: Deserializer<'de>>(self, from: D) -> Result<Node, D::Error> {
        from.deserialize_seq(self)
    }
}

impl<'de, E: EachExport<'de>> Visitor<'de> for Exports<'_, E> {
    type Value = Node;

    fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("a list of exports")
    }

    fn visit_seq<A: SeqAccess<'de>>(self, mut from: A) -> Result<Node, A::Error> {
        let mut kept = Vec::new();
        let mut index = 0usize;
        while let Some(export) = from.next_element_seed(ExportSeed { each: &mut *self.0, index })? {
            index = index.saturating_add(1);
            kept.push(export);
        }
        Ok(Node::List(kept))
    }
}

struct ExportSeed<'e, E> {
    each: &'e mut E,
    index: usize,
}

impl<'de, E: EachExport<'de>> DeserializeSeed<'de> for ExportSeed<'_, E> {
    type Value = Node;

    fn deserialize<D: Deserializer<'de>>(self, from: D) -> Result<Node, D::Error> {
        from.deserialize_map(self)
    }
}

impl<'de, E: EachExport<'de>> Visitor<'de> for ExportSeed<'_, E> {
    type Value = Node;

    fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("an export")
    }

    fn visit_map<A: MapAccess<'de>>(self, mut from: A) -> Result<Node, A::Error> {
        let mut members = Vec::new();
        while let Some(key) = from.next_key::<String>()? {
            match &*key {
                "properties" => self.each.properties(self.index, &mut from)?,
                "rows" => self.each.rows(self.index, &mut from)?,
                _ if E::KEEPS => members.push((key, from.next_value()?)),
                _ => {
                    from.next_value::<IgnoredAny>()?;
                }
            }
        }
        Ok(Node::Map(members))
    }
}

impl PackageDocument {
    /// Reads a document that does not contain the bytes of the package, such as the one that
    /// [`Package`] serializes. `header` and `exports` are the one or two files of the package. If
    /// the document contains the bytes (`stored`), they are ignored.
    ///
    /// ```
    /// # #[cfg(feature = "std")] {
    /// use gamewire::unreal::{Package, PackageDocument};
    ///
    /// # if !std::path::Path::new("corpus").exists() { return Ok(()) } // not published
    /// let file = std::fs::read("corpus/unreal/ue4.27-TestActorBP.uasset")?;
    /// let json = serde_json::to_value(Package::open(&file)?)?;
    /// let document = PackageDocument::with_files(&json, file.clone(), None)?;
    /// assert!(document.write(&json)?.header == file);
    /// # }
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    ///
    /// # Errors
    /// If this is not the document of a package.
    pub fn with_files<'de, D: Deserializer<'de>>(
        from: D,
        header: Vec<u8>,
        exports: Option<Vec<u8>>,
    ) -> Result<Self, D::Error> {
        from.deserialize_map(HeadVisitor { files: Some((header, exports)) })
    }

    /// Writes the package. `from` is a deserializer of the same document from which `self` was
    /// deserialized.
    ///
    /// # Errors
    /// If the document lacks a value or contains one that the format cannot express, if it changes
    /// a part of the package that cannot be changed, or if [`PackageEditor::write`] fails.
    pub fn write<'de, D: Deserializer<'de>>(&self, from: D) -> Result<WrittenPackage, D::Error> {
        self.written(from, None)
    }

    /// Writes a package whose properties have no tags. The mappings must be those with which the
    /// document was made.
    ///
    /// ```
    /// # #[cfg(feature = "std")] {
    /// use gamewire::unreal::{Mappings, Package, PackageDocument, Versions};
    ///
    /// # if !std::path::Path::new("corpus").exists() { return Ok(()) } // not published
    /// let mappings = &std::fs::read("corpus/unreal-mappings/tiny.v4.usmap")?;
    /// let mappings = Mappings::open(mappings)?;
    /// let file = std::fs::read("corpus/unreal-mappings/tiny.uasset")?;
    /// let exports = std::fs::read("corpus/unreal-mappings/tiny.uexp")?;
    /// let package = Package::open_as(&file, Some(&exports), Versions::of_engine(5, 3))?;
    /// let json = serde_json::to_string(&package.with_mappings(&mappings).document())?;
    /// let document: PackageDocument = serde_json::from_str(&json)?;
    /// let from = &mut serde_json::Deserializer::from_str(&json);
    /// assert!(document.write_with_mappings(from, &mappings)?.header == file);
    /// # }
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    ///
    /// # Errors
    /// If [`write`](Self::write) fails, or if the mappings lack a changed property or state another
    /// type for it.
    pub fn write_with_mappings<'de, D: Deserializer<'de>>(
        &self,
        from: D,
        mappings: &Mappings<'_>,
    ) -> Result<WrittenPackage, D::Error> {
        self.written(from, Some(mappings))
    }

    /// Opens the original package.
    ///
    /// # Errors
    /// See [`Package::open_as`].
    pub fn package(&self) -> Result<Package<'_>, Error> {
        Package::open_as(&self.header, self.exports.as_deref(), self.supplied())
    }

    fn written<'de, D: Deserializer<'de>>(
        &self,
        from: D,
        mappings: Option<&Mappings<'_>>,
    ) -> Result<WrittenPackage, D::Error> {
        let fault = |error: Error| Fault::from(error).of::<D::Error>();
        let mut package = self.package().map_err(fault)?.with_name_index();
        let (own, extended);
        if let Some(mappings) = mappings {
            package = package.with_mappings(mappings);
            own = package.declared_structs().write();
            extended = mappings.extended(&own).map_err(fault)?;
            package = package.with_mappings(&extended);
        }
        // A package that cannot be edited can still be written unchanged.
        let mut editor = PackageEditor::new(&package);
        let renamed = self.rename(&package, &mut editor).map_err(Fault::of)?;
        let mut known = self.known_names();
        let mut names = |text: &str| {
            let (base, number) = split_name(text);
            let name = |(index, number)| Name { index, number };
            let found = known.get(base).map(|index| (*index, number));
            let found = found.or_else(|| known.get(text).map(|index| (*index, 0)));
            if let Some(found) = found {
                return Ok(name(found));
            }
            let name = editor.as_mut().map_err(|error| *error)?.add_name(text)?;
            known.insert(base.to_owned(), name.index);
            Ok(name)
        };
        let mut to = DocumentWriter::new(package.context(), &mut names, Vec::new());
        // If names were replaced, no original tag is used: the index of a replaced name in it would
        // now stand for the new name.
        to.original = (!renamed).then(|| OriginalTags::new(&package));
        let mut lists =
            Lists { to, package: &package, limit: 0, changed: Vec::new(), rows: Vec::new() };
        from.deserialize_map(ExportsOnly(&mut lists))?;
        let (changed, rows) = (lists.changed, lists.rows);
        let tables = in_any_form(&package, |package| {
            let original = to_node(package, &["properties", "rows"]);
            records::changes(&self.head, &original.map_err(|error| error.to_string())?)
        });
        let tables = tables.map_err(Fault::of)?;
        let is_same = changed.is_empty() && rows.is_empty() && tables.is_empty() && !renamed;
        let is_longer = self.names().len() > package.names().len();
        if is_same && !is_longer {
            let (header, exports) = (self.header.clone(), self.exports.clone());
            return Ok(WrittenPackage { header, exports });
        }
        let mut editor = editor.map_err(fault)?;
        for (index, list) in changed {
            editor.set_properties(index, &list).map_err(fault)?;
        }
        for (index, native) in rows {
            editor.set_native(index, &native).map_err(fault)?;
        }
        for name in self.names().iter().skip(package.names().len()) {
            editor.add_name(name.text().map_err(Fault::of)?).map_err(fault)?;
        }
        tables.apply(&mut editor).map_err(Fault::of)?;
        editor.write().map_err(fault)
    }

    /// Returns the versions to assume if the package does not state its versions.
    fn supplied(&self) -> Option<Versions> {
        let summary = self.head.get("summary")?;
        let version = |name| summary.get(name).and_then(|version| version.whole().ok());
        Some(Versions { ue4: version("ue4_version")?, ue5: version("ue5_version").unwrap_or(0) })
    }

    /// Returns a map from the text of each name to its index. If several names have the same text,
    /// the index is that of the first.
    fn known_names(&self) -> BTreeMap<String, i32> {
        let mut known = BTreeMap::new();
        for (index, name) in (0..).zip(self.names()) {
            if let Ok(name) = name.text() {
                known.entry(name.to_owned()).or_insert(index);
            }
        }
        known
    }

    fn names(&self) -> &[Node] {
        self.head.get("names").and_then(|names| names.list().ok()).unwrap_or_default()
    }

    /// Replaces the names that are different in the document. Returns `true` if any name was
    /// replaced.
    fn rename(
        &self,
        package: &Package<'_>,
        editor: &mut Result<PackageEditor<'_>, Error>,
    ) -> Result<bool, Fault> {
        let mut renamed = false;
        if self.names().len() < package.names().flatten().count() {
            return Err("names cannot be removed".into());
        }
        for (index, (old, new)) in (0..).zip(package.names().flatten().zip(self.names())) {
            let new = new.text()?;
            if old.text.to_string() != new {
                editor.as_mut().map_err(|error| *error)?.replace_name(index, new)?;
                renamed = true;
            }
        }
        Ok(renamed)
    }
}

const WITHOUT_MAPPINGS: &str = "the properties of the package have no tags, so writing the \
                                document needs the mappings";

/// Calls `compare` with the package for each [`BytesForm`] until a call succeeds. If none does,
/// returns the first error.
fn in_any_form<T>(
    package: &Package<'_>,
    compare: impl Fn(&Package<'_>) -> Result<T, Fault>,
) -> Result<T, Fault> {
    compare(package).or_else(|fault| {
        let mut others = [BytesForm::Hex, BytesForm::Base64].into_iter();
        let found = others.find_map(|form| compare(&package.clone().with_bytes(form)).ok());
        found.ok_or(fault)
    })
}

/// Returns `true` if `stated` is the list that `list` returns for the package in one of the
/// [`BytesForm`]s.
fn is_in_any_form(
    stated: &Node,
    package: &Package<'_>,
    list: impl Fn(&Package<'_>) -> Result<Node, Fault>,
) -> bool {
    let compare = |package: &Package<'_>| match records::same_values(stated, &list(package)?) {
        true => Ok(()),
        false => Err("the list has changed".into()),
    };
    in_any_form(package, compare).is_ok()
}

fn list_to_node(list: &impl Serialize) -> Result<Node, Fault> {
    to_node(list, &[]).map_err(|error| error.to_string().into())
}

/// Reads the exports of a document, and ignores everything else.
struct ExportsOnly<'e, 'c>(&'e mut Lists<'c>);

impl<'de> Visitor<'de> for ExportsOnly<'_, '_> {
    type Value = ();

    fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("the document of a package")
    }

    fn visit_map<A: MapAccess<'de>>(self, mut from: A) -> Result<(), A::Error> {
        while let Some(key) = from.next_key::<String>()? {
            match &*key {
                "exports" => drop(from.next_value_seed(Exports(&mut *self.0))?),
                _ => {
                    from.next_value::<IgnoredAny>()?;
                }
            }
        }
        Ok(())
    }
}

/// Collects the lists of properties that are different in the document and in the package.
struct Lists<'c> {
    to: DocumentWriter<'c>,
    package: &'c Package<'c>,
    /// The offset of the end of the current export in the original package, or 0 if no original tag
    /// is to be used.
    limit: u64,
    /// The index of each export whose properties are different, and the bytes of its new list.
    changed: Vec<(usize, Vec<u8>)>,
    /// The index of each data table whose rows are different, and its new native data.
    rows: Vec<(usize, Vec<u8>)>,
}

impl<'de> EachExport<'de> for Lists<'_> {
    const KEEPS: bool = false;

    fn properties<A: MapAccess<'de>>(
        &mut self,
        index: usize,
        from: &mut A,
    ) -> Result<(), A::Error> {
        let fault = |error: Error| Fault::from(error).of::<A::Error>();
        let position = u32::try_from(index).unwrap_or(u32::MAX);
        let export = self.package.export(position).map_err(fault)?;
        let object = self.package.properties(&export).map_err(fault)?;
        let object = object.ok_or_else(|| match self.package.layout().unversioned_properties {
            true => A::Error::custom(WITHOUT_MAPPINGS),
            false => A::Error::custom(format_args!("export {index} has no tagged properties")),
        })?;
        if self.package.layout().unversioned_properties {
            let stated: Node = from.next_value()?;
            let fault = |fault: Fault| A::Error::custom(format_args!("export {index}: {fault}"));
            return self.slots(index, &export, object.iter(), &stated).map_err(fault);
        }
        let limit = self.to.original.as_mut().map_or(0, |tags| tags.begin(&export));
        self.limit = limit;
        self.to.out.clear();
        from.next_value_seed(ListSeed {
            to: &mut self.to,
            depth: DEPTH,
            limit,
            ends: false,
            of: None,
        })?;
        let list = object.iter();
        let Some((old, end)) = list.whole_bytes().zip(list.ending()) else {
            // The document contains only the properties that could be read, so the list cannot be
            // changed.
            return match list.rest().starts_with(&self.to.out) {
                true => Ok(()),
                false => Err(A::Error::custom(format_args!(
                    "the properties of export {index} cannot be changed, as some are unreadable"
                ))),
            };
        };
        // The list ends with the same name as before.
        let layout = &self.to.context.layout;
        end.write(&mut self.to.out, layout).map_err(|full| Fault::from(full).of())?;
        if self.to.out != old {
            self.changed.push((index, self.to.out.clone()));
        }
        Ok(())
    }

    fn rows<A: MapAccess<'de>>(&mut self, index: usize, from: &mut A) -> Result<(), A::Error> {
        let stated: Node = from.next_value()?;
        let fault =
            |fault: Fault| A::Error::custom(format_args!("rows of export {index}: {fault}"));
        self.table(index, &stated).map_err(fault)
    }
}

impl<'c> Lists<'c> {
    /// Collects the rows of a data table if they differ between the document and the package.
    fn table(&mut self, index: usize, stated: &Node) -> Result<(), Fault> {
        let none = || Fault::from("the export has no rows of a data table");
        let export = self.package.export(u32::try_from(index).unwrap_or(u32::MAX))?;
        let is_same = is_in_any_form(stated, self.package, |package| {
            let rows = package.data_table_rows(&export)?.ok_or_else(none)?;
            list_to_node(&Rows::new(rows, package.context()))
        });
        if is_same {
            return Ok(());
        }
        let original = self.package.data_table_rows(&export)?.ok_or_else(none)?;
        self.to.out.clear();
        super::rows::write(original, stated, self.limit, &mut self.to)?;
        self.rows.push((index, self.to.out.clone()));
        Ok(())
    }

    /// Collects a list without tags if it differs between the document and the package. The bytes
    /// of an unchanged list are kept, even if the engine would write a different header.
    fn slots(
        &mut self,
        index: usize,
        export: &Export,
        old: Properties<'c>,
        stated: &Node,
    ) -> Result<(), Fault> {
        let is_same = is_in_any_form(stated, self.package, |package| {
            let object = package.properties(export)?.ok_or(WITHOUT_MAPPINGS)?;
            list_to_node(&object.iter())
        });
        if is_same {
            return Ok(());
        }
        if old.end().is_err() {
            return Err("the properties cannot be changed, as some are unreadable".into());
        }
        self.to.out.clear();
        let of = old.structure();
        ListSeed { to: &mut self.to, depth: DEPTH, limit: 0, ends: true, of }
            .deserialize(stated)?;
        self.changed.push((index, self.to.out.clone()));
        Ok(())
    }
}
