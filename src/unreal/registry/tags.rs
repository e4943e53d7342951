//! Tags: searchable values that objects publish.

use super::class_path::{ClassPath, is_none};
use super::records::{LooseTag, StoredExportPath, StoredPair};
use super::store::StoredValue;
use super::versions::MARSHALLED_TEXT_AS_UTF8_STRING;
use super::view::Registry;
use crate::unreal::format::{Error, ErrorKind, FileCursor, NameText, Records, Result, StrRef};
use core::fmt;
use core::iter::FusedIterator;

/// A searchable value of an asset.
#[derive(Clone, Copy, Debug)]
pub struct Tag<'a> {
    /// The key.
    pub key: NameText<'a>,
    /// The value.
    pub value: TagValue<'a>,
}

/// The value of a tag. Below version 8, all values are strings.
///
/// `Display` prints the value as the engine returns it to game code.
#[derive(Clone, Copy, Debug)]
pub enum TagValue<'a> {
    /// A string.
    String(StrRef<'a>),
    /// A name.
    Name(NameText<'a>),
    /// The path of an object.
    Path(ExportPath<'a>),
    /// A text that can be translated, stored as an expression such as `NSLOCTEXT("Menu", "Start",
    /// "Go")`.
    Text(StrRef<'a>),
}

impl fmt::Display for TagValue<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::String(text) | Self::Text(text) => text.fmt(f),
            Self::Name(name) => name.fmt(f),
            Self::Path(path) => path.fmt(f),
        }
    }
}

/// The path of an object, with its class. A part can be the name `None`.
///
/// `Display` prints the path as `Class'Package.Object'`, without the parts that are `None`.
#[derive(Clone, Copy, Debug)]
pub struct ExportPath<'a> {
    /// The class.
    pub class: ClassPath<'a>,
    /// The package.
    pub package: NameText<'a>,
    /// The object.
    pub object: NameText<'a>,
}

impl fmt::Display for ExportPath<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let (has_class, has_package) = (!is_none(&self.class.name), !is_none(&self.package));
        if has_class {
            write!(f, "{}'", self.class)?;
        }
        if has_package {
            self.package.fmt(f)?;
        }
        if !is_none(&self.object) {
            f.write_str(if has_package { "." } else { "" })?;
            self.object.fmt(f)?;
        }
        f.write_str(if has_class { "'" } else { "" })
    }
}

/// An iterator over the tags of an asset. [`Asset::tags`](super::Asset::tags) returns it.
#[derive(Clone, Debug)]
pub struct Tags<'a, 'r> {
    registry: &'r Registry<'a>,
    source: Source<'a>,
}

#[derive(Clone, Debug)]
enum Source<'a> {
    /// The tags are part of the asset.
    Loose(Records<'a, LooseTag<'a>>),
    /// The tags are in the store.
    Fixed {
        from: FileCursor<'a>,
        left: u16,
    },
    /// The asset refers to tags that the store does not have.
    Missing(Error),
    Ended,
}

/// The place of an asset's tags in the store.
#[derive(Clone, Copy, Debug, Default)]
pub(super) struct TagRange {
    pub(super) is_numberless: bool,
    pub(super) start: u32,
    pub(super) count: u16,
}

impl TagRange {
    pub(super) const fn of(bits: u64) -> Self {
        Self { is_numberless: bits >> 63 != 0, start: bits as u32, count: (bits >> 32) as u16 }
    }

    /// Returns the index after the last tag.
    pub(super) const fn end(&self) -> u32 {
        self.start.saturating_add(self.count as u32)
    }
}

impl<'a, 'r> Tags<'a, 'r> {
    pub(super) const fn loose(registry: &'r Registry<'a>, tags: Records<'a, LooseTag<'a>>) -> Self {
        Self { registry, source: Source::Loose(tags) }
    }

    /// Creates an iterator over tags in the store. Errors about the range state `offset`.
    pub(super) fn fixed(registry: &'r Registry<'a>, range: TagRange, offset: u64) -> Self {
        let TagRange { is_numberless, start, count: left } = range;
        let count = registry.store().pair_count(is_numberless);
        let source = match registry.store().pair_at(is_numberless, start) {
            _ if left == 0 => Source::Ended,
            Some(from) if range.end() <= count => Source::Fixed { from, left },
            _ => {
                let (what, index) = ("tag", range.end().saturating_sub(1));
                Source::Missing(Error::new(ErrorKind::OutOfRange { what, index, count }, offset))
            }
        };
        Self { registry, source }
    }

    fn read(&mut self) -> Result<Option<Tag<'a>>> {
        match &mut self.source {
            Source::Ended => Ok(None),
            Source::Missing(error) => Err(*error),
            Source::Loose(tags) => {
                let offset = tags.offset();
                match tags.next() {
                    Some(tag) => self.registry.loose_tag(tag?, offset).map(Some),
                    None => Ok(None),
                }
            }
            Source::Fixed { left: 0, .. } => Ok(None),
            Source::Fixed { from, left } => {
                *left = left.saturating_sub(1);
                let offset = from.offset();
                let pair = from.read(self.registry.layout())?;
                self.registry.fixed_tag(pair, offset).map(Some)
            }
        }
    }
}

impl<'a> Iterator for Tags<'a, '_> {
    type Item = Result<Tag<'a>>;

    fn next(&mut self) -> Option<Self::Item> {
        let next = self.read();
        if !matches!(next, Ok(Some(_))) {
            self.source = Source::Ended;
        }
        next.transpose()
    }
}

impl FusedIterator for Tags<'_, '_> {}

impl<'a> Registry<'a> {
    fn loose_tag(&self, tag: LooseTag<'a>, offset: u64) -> Result<Tag<'a>> {
        Ok(Tag { key: self.text(tag.key, offset)?, value: TagValue::String(tag.value) })
    }

    fn fixed_tag(&self, pair: StoredPair<'a>, offset: u64) -> Result<Tag<'a>> {
        let key = self.text(pair.key, offset)?;
        let value = match self.store().value(pair.value, offset)? {
            StoredValue::String(text) => TagValue::String(text),
            StoredValue::Name(name) => TagValue::Name(self.text(name, offset)?),
            StoredValue::Path(path) => TagValue::Path(self.export_path(&path, offset)?),
            StoredValue::Text(text) => TagValue::Text(self.utf8(text)),
        };
        Ok(Tag { key, value })
    }

    fn export_path(&self, path: &StoredExportPath<'a>, offset: u64) -> Result<ExportPath<'a>> {
        Ok(ExportPath {
            class: self.class(&path.class, offset)?,
            package: self.text(path.package, offset)?,
            object: self.text(path.object, offset)?,
        })
    }

    /// Returns the string with its encoding: from version 19 on, strings of 8-bit units are UTF-8.
    pub(super) fn utf8(&self, text: StrRef<'a>) -> StrRef<'a> {
        match text.is_wide() || self.version() < MARSHALLED_TEXT_AS_UTF8_STRING {
            true => text,
            false => StrRef::utf8(text.bytes()),
        }
    }
}
