//! Collects the parts of a package or save that `check` cannot decode: opaque values, lists of
//! properties that cannot be read, and native data.

use super::Refusal;
use crate::ui::text::{Count, Occurrences, Offset, clipped, escaped};
use gamewire::unreal::properties::OpaqueReason;
use gamewire::unreal::tables::{Export, ObjectIndex};
use gamewire::unreal::{
    Error, ErrorKind, Object, ObjectProperties, Package, PackageIndex, Properties, PropertyValue,
    PropertyVisitor, Save, Tag, ZenPackage,
};
use std::fmt::Display;
use std::mem::discriminant;

/// Maximum number of exports with unreadable properties that the output names.
const NAMED: usize = 3;

/// Maximum number of types for which opaque values are listed separately.
const TYPES: usize = 8;

/// Maximum length of the name of a type, in bytes.
const TYPE_NAME: usize = 80;

/// The bytes after the properties of a save that contains no other data.
const NO_TRAILER: [u8; 4] = [0; 4];

/// The parts of a file that are not decoded.
#[derive(Default)]
pub struct Unread {
    opaque: Vec<OpaqueValues>,
    /// Number of opaque values of types beyond [`TYPES`].
    more_opaque: u64,
    /// Descriptions of the first exports whose properties cannot be read.
    lists: Vec<String>,
    more_lists: u64,
    /// Exports whose properties have no tags.
    untagged: Total,
    /// Data that classes write in their own formats.
    native: Total,
    /// Size and offset of the data after the properties of a save.
    trailer: Option<(u64, u64)>,
}

/// The values of one type that are opaque for the same reason.
struct OpaqueValues {
    of: String,
    /// The reason why the values are opaque, with the details of the first value.
    reason: OpaqueReason,
    occurrences: Occurrences,
}

/// A number of exports, and the number of their bytes that are not decoded.
#[derive(Default)]
struct Total {
    exports: u64,
    bytes: u64,
}

impl Total {
    fn add(&mut self, bytes: &[u8]) {
        if !bytes.is_empty() {
            self.exports = self.exports.saturating_add(1);
            self.bytes = self.bytes.saturating_add(bytes.len() as u64);
        }
    }
}

/// Describes the class that the mappings lack: the class of the object, or its nearest missing
/// super class. Returns `None` if none is missing. `path` is the path of the object's class.
/// `import` finds an import by its name, and returns its path. If another package declares the
/// missing class, the description contains its path and asks for the file of that package.
fn missing(
    object: Option<ObjectProperties<'_>>,
    path: String,
    import: impl Fn(&str) -> Option<String>,
) -> Option<String> {
    let path = match object?.iter().structure() {
        None => path,
        Some(of) => {
            let parent = of.with_parents().last()?.missing_parent()?.to_string();
            import(&parent).unwrap_or(parent)
        }
    };
    Some(match path.rsplit_once('.') {
        Some((package, class)) if package.starts_with("/Script/") => escaped(class),
        Some((package, _)) if package.starts_with('/') => {
            let (path, package) = (escaped(&path), escaped(package));
            format!("{path}: give the file of {package} with --declarations FILE")
        }
        _ => escaped(path),
    })
}

impl Unread {
    /// Reads the properties of all exports. The exports must not share bytes.
    pub fn of_package(package: &Package<'_>) -> Self {
        let mut unread = Self::default();
        for (export, index) in package.exports().flatten().zip(0_u32..) {
            if let Err(error) = unread.export(package, &export) {
                let path = package.path_of(Object::Export(index).into());
                let class = || {
                    let of = package.properties(&export).ok().flatten();
                    missing(of, package.path_of(export.class).to_string(), |name| {
                        let import = Object::Import(package.find_import(name)?);
                        Some(package.path_of(import.into()).to_string())
                    })
                };
                unread.list(index, format_args!("{path:#}"), class, &error);
            }
        }
        unread
    }

    /// Reads the properties of all exports of a package from an `IoStore` container.
    pub fn of_zen(package: &ZenPackage<'_>) -> Self {
        let mut unread = Self::default();
        for (export, index) in package.exports().flatten().zip(0_u32..) {
            if let Err(error) = unread.zen_export(package, index) {
                let class = || {
                    let of = package.properties(index).ok().flatten();
                    missing(of, package.path_of(export.class).to_string(), |name| {
                        let is_it = |import: &ObjectIndex| {
                            package.object_name(*import).is_some_and(|found| found == *name)
                        };
                        let import = package.imports().flatten().find(is_it)?;
                        Some(package.path_of(import).to_string())
                    })
                };
                unread.list(index, package.path_of(ObjectIndex(index.into())), class, &error);
            }
        }
        unread
    }

    fn zen_export(&mut self, package: &ZenPackage<'_>, index: u32) -> Result<(), Error> {
        match package.properties(index)? {
            None => self.untagged.add(package.export_bytes(index)?),
            Some(object) => {
                self.properties(object.iter())?;
                self.native.add(object.tail()?.native);
            }
        }
        Ok(())
    }

    /// Reads the properties of a save.
    pub fn of_save(save: &Save<'_>) -> Result<Self, Error> {
        let mut unread = Self::default();
        unread.properties(save.properties())?;
        let (offset, trailer) = save.trailer()?;
        if !trailer.is_empty() && trailer != NO_TRAILER {
            unread.trailer = Some((trailer.len() as u64, offset));
        }
        Ok(unread)
    }

    fn export(&mut self, package: &Package<'_>, export: &Export) -> Result<(), Error> {
        if package.mappings().is_none() && package.unversioned(export)?.is_some() {
            self.untagged.add(package.export_bytes(export)?);
        }
        if let Some(object) = package.properties(export)? {
            self.properties(object.iter())?;
            self.native.add(object.tail()?.native);
        }
        Ok(())
    }

    fn properties(&mut self, properties: Properties<'_>) -> Result<(), Error> {
        properties.visit(&mut OpaqueVisitor { unread: self, tag: None })
    }

    /// Records the error that ended the properties of the export with this index. `missing` finds
    /// the class that the mappings lack. It takes time, so it is called only for exports that the
    /// output names.
    fn list(
        &mut self,
        export: u32,
        path: impl Display,
        missing: impl FnOnce() -> Option<String>,
        error: &Error,
    ) {
        if self.lists.len() >= NAMED {
            self.more_lists = self.more_lists.saturating_add(1);
            return;
        }
        let missing = match error.kind() {
            ErrorKind::NoSchema => missing(),
            _ => None,
        };
        let problem = match missing {
            Some(class) => format!("the mappings have no class {class}"),
            None => Refusal(error).to_string(),
        };
        let (number, path) = (PackageIndex::from(Object::Export(export)).0, escaped(path));
        self.lists.push(format!("properties of export {number} ({path}): {problem}"));
    }

    fn opaque(&mut self, tag: &Tag<'_>, reason: OpaqueReason) {
        let of = escaped(clipped(tag.head().of, TYPE_NAME));
        let same = |known: &&mut OpaqueValues| {
            known.of == of && discriminant(&known.reason) == discriminant(&reason)
        };
        let types = self.opaque.len();
        if let Some(known) = self.opaque.iter_mut().find(same) {
            known.occurrences.add(tag.offset());
        } else if types < TYPES {
            let occurrences = Occurrences::at(tag.offset());
            self.opaque.push(OpaqueValues { of, reason, occurrences });
        } else {
            self.more_opaque = self.more_opaque.saturating_add(1);
        }
    }

    /// Returns descriptions of the unread parts. Parts of the same kind share a line.
    pub fn into_lines(self) -> Vec<String> {
        let mut lines = self.lists;
        if self.more_lists > 0 {
            lines.push(format!("and {}", Count(self.more_lists, "more export")));
        }
        lines.extend(self.opaque.iter().map(OpaqueValues::line));
        if self.more_opaque > 0 {
            let values = Count(self.more_opaque, "value");
            lines.push(format!("not decoded: {values} of further types"));
        }
        let Total { exports, bytes } = self.untagged;
        if exports > 0 {
            let (exports, bytes) = (Count(exports, "export"), Count(bytes, "byte"));
            let what = format!("untagged properties of {exports}, {bytes} (needs --mappings)");
            lines.push(format!("not decoded: {what}"));
        }
        let Total { exports, bytes } = self.native;
        if exports > 0 {
            let (exports, bytes) = (Count(exports, "export"), Count(bytes, "byte"));
            lines.push(format!("not decoded: class-specific data of {exports}, {bytes}"));
        }
        if let Some((size, offset)) = self.trailer {
            let (size, offset) = (Count(size, "byte"), Offset(offset));
            lines.push(format!("not decoded: {size} after the properties, at offset {offset}"));
        }
        lines
    }
}

impl OpaqueValues {
    fn line(&self) -> String {
        let Self { of, reason, occurrences } = self;
        match reason {
            OpaqueReason::Malformed(error) => {
                format!("not decoded: {of}: {}{occurrences}", Refusal(error))
            }
            reason => format!("not decoded: {of}: {reason}{occurrences}"),
        }
    }
}

/// A visitor that records opaque values. An opaque value contains no tags, so it belongs to the tag
/// that was entered last.
struct OpaqueVisitor<'u, 'p> {
    unread: &'u mut Unread,
    tag: Option<Tag<'p>>,
}

impl<'p> PropertyVisitor<'p> for OpaqueVisitor<'_, 'p> {
    fn enter(&mut self, tag: &Tag<'p>) -> bool {
        self.tag = Some(*tag);
        true
    }

    fn value(&mut self, value: &PropertyValue<'p>) {
        if let (PropertyValue::Opaque(_, reason), Some(tag)) = (value, &self.tag) {
            self.unread.opaque(tag, *reason);
        }
    }
}
