//! Holds the output, and the facts about the file that writing a value requires.

use super::node::{Fault, Node, WideText};
use crate::unreal::format::{
    ByteOrder, Error, FileCursor, Guid, Layout, Name, PackageIndex, StrBuf, Value,
};
use crate::unreal::mappings::MappedStruct;
use crate::unreal::package::Package;
use crate::unreal::properties::{
    HintScope, MAX_DEPTH, NameRef, ObjectRef, PropertyContext, PropertyTypeBuf, Tag, TagBuf,
};
use crate::unreal::tables::Export;
use alloc::format;
use alloc::string::ToString;
use alloc::vec::Vec;

/// A writer for the values of a document.
pub struct DocumentWriter<'c> {
    pub context: &'c PropertyContext<'c>,
    /// The layout of the file, with [`normalizes`](Layout::normalizes) set.
    pub layout: Layout,
    /// A function that returns the name with this text in a package.
    pub names: &'c mut dyn FnMut(&str) -> Result<Name, Error>,
    pub out: Vec<u8>,
    /// The tags of the original package, if a package is written.
    pub original: Option<OriginalTags<'c>>,
    /// The position in `out` of the value that is being written, and the bytes of the same value in
    /// the original package.
    pub aligned: Option<(usize, &'c [u8])>,
}

/// Finds the tags of the original package by the offsets in the document. Two limits keep the total
/// search time proportional to the size of the file: the offsets of the tags in an export must
/// increase, and the sizes of the exports must not add up to more than the size of the file.
pub struct OriginalTags<'c> {
    package: &'c Package<'c>,
    /// Minimum offset of the next tag.
    next: u64,
    /// The size of the file minus the sizes of the exports so far.
    left: u64,
}

impl<'c> OriginalTags<'c> {
    pub fn new(package: &'c Package<'c>) -> Self {
        Self { package, next: u64::MAX, left: package.size() }
    }

    /// Begins an export, and returns the offset of its end. If the sizes of the exports so far add
    /// up to more than the size of the file, returns 0, so that no tag of the export is found.
    pub fn begin(&mut self, export: &Export) -> u64 {
        let size = self.package.export_bytes(export).map_or(0, <[u8]>::len) as u64;
        let start = u64::try_from(export.serial.offset).unwrap_or(0);
        let Some(left) = self.left.checked_sub(size) else { return 0 };
        (self.left, self.next) = (left, start);
        start.saturating_add(size)
    }

    /// Returns the tag at the offset `at`, if it ends at `limit` or earlier.
    pub fn take(&mut self, at: u64, limit: u64) -> Option<Tag<'c>> {
        let mut from = self.package.at(i64::try_from(at).ok()?).ok().filter(|_| at >= self.next)?;
        let tag =
            Tag::read(&mut from, self.package.context(), MAX_DEPTH, HintScope::NONE).ok()??;
        self.next = at.saturating_add(1);
        (from.offset() <= limit).then_some(tag)
    }

    /// Skips the tags before the offset `end`.
    pub fn skip_to(&mut self, end: u64) {
        self.next = self.next.max(end);
    }
}

impl<'c> DocumentWriter<'c> {
    pub fn new(
        context: &'c PropertyContext<'c>,
        names: &'c mut dyn FnMut(&str) -> Result<Name, Error>,
        out: Vec<u8>,
    ) -> Self {
        let layout = context.layout.normalizing();
        Self { context, layout, names, out, original: None, aligned: None }
    }

    /// Returns the struct with this name in the mappings.
    pub fn mapped_struct(&self, name: Option<&str>) -> Option<MappedStruct<'c>> {
        self.context.mappings?.find_struct(name?)
    }

    /// Returns the struct in the mappings that an import refers to. `object` is the index of the
    /// import in a document.
    pub fn imported_struct(&self, object: &Node) -> Option<MappedStruct<'c>> {
        let index = PackageIndex(object.whole().ok()?);
        self.context.imported_struct(ObjectRef::Index(index))
    }

    pub fn put<'v>(&mut self, value: impl Value<'v>) -> Result<(), Fault> {
        Ok(value.write(&mut self.out, &self.layout)?)
    }

    /// Writes a placeholder for a number, and returns its position.
    pub fn later(&mut self) -> Result<usize, Fault> {
        let at = self.out.len();
        self.put(0i32)?;
        Ok(at)
    }

    /// Replaces the placeholder at `at` with a number.
    pub fn enter(&mut self, at: usize, number: usize) -> Result<(), Fault> {
        let number = i32::try_from(number).map_err(|_| "a size or count is 2^31 or more")?;
        let bytes = match self.layout.order {
            ByteOrder::Little => number.to_le_bytes(),
            ByteOrder::Big => number.to_be_bytes(),
        };
        if let Some(place) = self.out.get_mut(at..).and_then(|rest| rest.first_chunk_mut::<4>()) {
            *place = bytes;
        }
        Ok(())
    }

    /// Moves the `len` bytes at the position `start` to the end of the output.
    pub fn move_to_end(&mut self, start: usize, len: usize) {
        let bytes = self.out.get(start..).unwrap_or_default();
        let (moved, rest) = bytes.split_at_checked(len).unwrap_or((bytes, &[]));
        let reordered = [rest, moved].concat();
        self.out.truncate(start);
        self.out.extend_from_slice(&reordered);
    }

    /// Replaces the placeholder at `at` with the number of bytes written since `start`.
    pub fn close(&mut self, at: usize, start: usize) -> Result<(), Fault> {
        self.enter(at, self.out.len().saturating_sub(start))
    }

    /// Writes a string.
    pub fn text(&mut self, text: &WideText) -> Result<(), Fault> {
        match text.as_str() {
            Some(text) => self.put(StrBuf::new(text).as_text()),
            None => {
                let units = text.units();
                self.enter_units(&units)
            }
        }
    }

    fn enter_units(&mut self, units: &[u16]) -> Result<(), Fault> {
        let len = i32::try_from(units.len().saturating_add(1));
        self.put(len.map_err(|_| "a string is too long")?.saturating_neg())?;
        units.iter().chain([&0]).try_for_each(|unit| self.put(*unit))
    }

    /// Writes a name.
    pub fn name(&mut self, text: &str) -> Result<(), Fault> {
        match self.layout.names_as_text {
            true => self.put(StrBuf::new(text).as_text()),
            false => {
                let name = match self.aligned_name(text) {
                    Some(name) => name,
                    None => (self.names)(text)?,
                };
                self.put(name)
            }
        }
    }

    /// Returns the name at the same position in the original value, if it has this text. This keeps
    /// the index of the name, because several names of a package can have the same text.
    fn aligned_name(&self, text: &str) -> Option<Name> {
        let (start, bytes) = self.aligned?;
        let bytes = bytes.get(self.out.len().checked_sub(start)?..)?;
        let name: Name = FileCursor::new(bytes, 0).read(&self.layout).ok()?;
        let is_it = self.context.name(name).is_some_and(|name| name.to_string() == text);
        is_it.then_some(name)
    }

    /// Writes the name that ends a list of properties.
    pub fn end_of_list(&mut self) -> Result<(), Fault> {
        self.name("None")
    }

    pub fn tag(&mut self, name: &str, of: &PropertyTypeBuf) -> Result<TagBuf, Fault> {
        match self.layout.names_as_text {
            true => Ok(TagBuf::in_save(name, of)),
            false => Ok(TagBuf::in_package(name, of, &mut *self.names)?),
        }
    }

    /// Returns the text of a name that was read.
    pub fn text_of(&self, name: NameRef<'_>) -> alloc::string::String {
        format!("{}", self.context.text(name).unwrap_or_default())
    }
}

/// Reads the 32 digits of a GUID.
pub fn guid(digits: &str) -> Result<Guid, Fault> {
    let fault = || Fault::from(format!("`{digits}` is not a GUID of 32 hexadecimal digits"));
    let mut words = [0; 4];
    let (digits, rest) = digits.as_bytes().as_chunks::<8>();
    for (index, word) in words.iter_mut().enumerate() {
        let digits = digits.get(index).and_then(|digits| core::str::from_utf8(digits).ok());
        let digits = digits.filter(|digits| !digits.starts_with('+')).ok_or_else(fault)?;
        *word = u32::from_str_radix(digits, 16).map_err(|_| fault())?;
    }
    match digits.len() == words.len() && rest.is_empty() {
        true => Ok(Guid(words)),
        false => Err(fault()),
    }
}
