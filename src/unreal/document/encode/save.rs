//! Writes saves from documents.

use super::entry::ListSeed;
use super::node::{Fault, Node};
use super::value::DEPTH;
use super::writer::{DocumentWriter, guid};
use crate::unreal::format::{Error, ErrorKind, FileCursor, Name, StrBuf, Value, Versions};
use crate::unreal::save::Save;
use crate::unreal::tables::{CustomVersion, EngineVersion, SaveHeader};
use alloc::format;
use alloc::string::String;
use alloc::vec::Vec;
use core::fmt;
use serde::de::{Deserialize, Deserializer, Error as _, IgnoredAny, MapAccess, Visitor};

/// The document of a save, without its properties. [`write`](Self::write) parses the document a
/// second time, and writes each property while it is parsed, so the properties are never in memory
/// as a tree.
///
/// An unchanged document results in the bytes of the original save. Sizes and offsets are computed;
/// those in the document are ignored. The members `stored`, `stored_tag` and `stored_header`
/// contain bytes of the original save that differ from those that a writer would choose. They are
/// written if they still mean the same as the readable members next to them. `stored_end` contains
/// the bytes that end the list of properties, if a writer would choose different ones.
///
/// In a property, `name`, `type` and all other members must precede `value`.
///
/// ```
/// # #[cfg(feature = "std")] {
/// use gamewire::unreal::{Save, SaveDocument};
///
/// # if !std::path::Path::new("corpus").exists() { return Ok(()) } // not published
/// let file = std::fs::read("corpus/unreal/gvas-ue4.27-Slot1.sav")?;
/// let json = serde_json::to_string(&Save::open(&file)?)?;
/// let write = |json: &str| {
///     let document: SaveDocument = serde_json::from_str(json)?;
///     document.write(&mut serde_json::Deserializer::from_str(json))
/// };
/// assert!(write(&json)? == file);
///
/// let changed = write(&json.replace(r#""value":129"#, r#""value":77"#))?;
/// let first = Save::open(&changed)?.properties().next().unwrap()?.bytes().to_vec();
/// assert_eq!(first, [77]);
/// # }
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Clone, Debug)]
pub struct SaveDocument {
    head: Node,
}

impl<'de> Deserialize<'de> for SaveDocument {
    fn deserialize<D: Deserializer<'de>>(from: D) -> Result<Self, D::Error> {
        struct HeadVisitor;

        impl<'de> Visitor<'de> for HeadVisitor {
            type Value = SaveDocument;

            fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
                f.write_str("the document of a save")
            }

            fn visit_map<A: MapAccess<'de>>(self, mut from: A) -> Result<SaveDocument, A::Error> {
                let mut members = Vec::new();
                while let Some(key) = from.next_key::<String>()? {
                    match &*key {
                        "properties" => {
                            from.next_value::<IgnoredAny>()?;
                        }
                        "properties_error" | "error" => return Err(A::Error::custom(INCOMPLETE)),
                        _ => members.push((key, from.next_value()?)),
                    }
                }
                let head = Node::Map(members);
                match head.get("kind") {
                    Some(Node::Text(kind)) if kind == "save" => Ok(SaveDocument { head }),
                    _ => Err(A::Error::custom("this is not the document of a save")),
                }
            }
        }

        from.deserialize_map(HeadVisitor)
    }
}

const INCOMPLETE: &str = "the document does not contain the whole file, because a part of the file \
                          could not be read";

impl SaveDocument {
    /// Writes the save. `from` is a deserializer of the same document from which `self` was
    /// deserialized.
    ///
    /// # Errors
    /// If the document lacks a value or contains one that the format cannot express, or if the
    /// written save cannot be read.
    pub fn write<'de, D: Deserializer<'de>>(&self, from: D) -> Result<Vec<u8>, D::Error> {
        let header = self.header().map_err(Fault::of)?;
        let save = Save::open(&header).map_err(|error| Fault::from(error).of())?;
        let mut names = no_names;
        let list = save.properties();
        let mut to = DocumentWriter::new(list.context, &mut names, header.clone());
        from.deserialize_map(PropertiesVisitor { to: &mut to, seen: false })?;
        let mut file = to.out;
        self.settle_end(&save, &mut file).map_err(Fault::of)?;
        let trailer = self.head.get("trailer").map_or(Ok(Vec::new()), Node::hex);
        file.extend_from_slice(&trailer.map_err(Fault::of)?);
        Save::open(&file).and_then(|save| save.trailer().map(drop)).map_err(|error| {
            Fault::from(format!("the written save cannot be read: {error}")).of()
        })?;
        Ok(file)
    }

    /// Returns the bytes before the properties.
    fn header(&self) -> Result<Vec<u8>, Fault> {
        let written = self.written_header()?;
        let Some(stored) = self.head.get("stored_header") else { return Ok(written) };
        let stored = stored.hex()?;
        let mut normal = Vec::new();
        if let Ok(save) = Save::open(&stored) {
            save.write_header_in(&save.layout().normalizing(), &mut normal)?;
        }
        Ok(if normal == written { stored } else { written })
    }

    fn written_header(&self) -> Result<Vec<u8>, Fault> {
        let of = &self.head;
        let mut out = b"GVAS".to_vec();
        let version: i32 = of.member("save_game_version")?.whole()?;
        let ue4: i32 = of.member("ue4_version")?.whole()?;
        let ue5 = match version {
            3.. => Some(of.member("ue5_version")?.whole::<i32>()?),
            _ => None,
        };
        let versions = Versions { ue4, ue5: ue5.unwrap_or(0) };
        let mut layout = Save::layout_of(versions);
        layout.table_version = version.unsigned_abs();
        let engine = of.member("engine")?;
        let branch = StrBuf::new(engine.member("branch")?.text()?);
        let licensee = u32::from(engine.member("licensee")?.bool()?).wrapping_shl(31);
        let format = match version {
            2.. => Some(of.member("custom_version_format")?.whole::<i32>()?),
            _ => None,
        };
        let header = SaveHeader {
            engine: EngineVersion {
                major: engine.member("major")?.whole()?,
                minor: engine.member("minor")?.whole()?,
                patch: engine.member("patch")?.whole()?,
                changelist: engine.member("changelist")?.whole::<u32>()? | licensee,
                branch: branch.as_text(),
            },
            custom_version_format: format,
        };
        version.write(&mut out, &layout)?;
        ue4.write(&mut out, &layout)?;
        ue5.map_or(Ok(()), |ue5| ue5.write(&mut out, &layout))?;
        header.write(&mut out, &layout)?;
        if let Some(legacy) = header.legacy_form() {
            let layout = crate::unreal::Layout { legacy, ..layout };
            let all = of.member("custom_versions")?.list()?;
            i32::try_from(all.len()).map_err(|_| "a list is too long")?.write(&mut out, &layout)?;
            for each in all {
                let name = each.get("name").map(Node::text).transpose()?.map(StrBuf::new);
                let custom = CustomVersion {
                    guid: guid(each.member("guid")?.text()?)?,
                    version: each.member("version")?.whole()?,
                    name: name.as_ref().map(StrBuf::as_text),
                };
                custom.write(&mut out, &layout)?;
            }
        }
        StrBuf::new(of.member("save_game_class")?.text()?).as_text().write(&mut out, &layout)?;
        if let Some(control) = of.get("serialization_control") {
            control.whole::<u8>()?.write(&mut out, &layout)?;
        }
        Ok(out)
    }

    /// Replaces the name that ends the properties with the bytes in `stored_end`, if the document
    /// contains them.
    fn settle_end(&self, save: &Save<'_>, file: &mut Vec<u8>) -> Result<(), Fault> {
        let Some(stored) = self.head.get("stored_end") else { return Ok(()) };
        let stored = stored.hex()?;
        let context = save.properties().context;
        let mut at = FileCursor::new(&stored, 0);
        let ends = at.read(&context.layout).and_then(|name| context.ends(name, &at));
        if ends != Ok(true) || !at.is_empty() {
            return Err("`stored_end` does not end a list of properties".into());
        }
        file.truncate(file.len().saturating_sub(NONE_SIZE));
        file.extend_from_slice(&stored);
        Ok(())
    }
}

/// Size in bytes of the string `None` that ends the properties of a save: the length of the string,
/// four characters, and a NUL.
const NONE_SIZE: usize = 9;

/// Returns an error. This function is never called, because names in a save are strings.
fn no_names(_: &str) -> Result<Name, Error> {
    Err(Error::new(ErrorKind::DoesNotFit, 0))
}

/// A visitor that writes the properties of the document, and ignores everything else.
struct PropertiesVisitor<'e, 'c> {
    to: &'e mut DocumentWriter<'c>,
    seen: bool,
}

impl<'de> Visitor<'de> for PropertiesVisitor<'_, '_> {
    type Value = ();

    fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("the document of a save")
    }

    fn visit_map<A: MapAccess<'de>>(mut self, mut from: A) -> Result<(), A::Error> {
        while let Some(key) = from.next_key::<String>()? {
            match (&*key, self.seen) {
                ("properties", false) => {
                    from.next_value_seed(ListSeed {
                        to: &mut *self.to,
                        depth: DEPTH,
                        limit: 0,
                        ends: true,
                        of: None,
                    })?;
                    self.seen = true;
                }
                ("properties", true) => return Err(A::Error::duplicate_field("properties")),
                _ => {
                    from.next_value::<IgnoredAny>()?;
                }
            }
        }
        match self.seen {
            true => Ok(()),
            false => Err(A::Error::missing_field("properties")),
        }
    }
}
