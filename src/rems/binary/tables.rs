//! Tables of the strings and attributes that a stream has defined so far.

use super::names::NameTree;
use crate::rems::Kind;
use alloc::vec::Vec;

/// The strings and attributes that a binary stream has defined so far. An attribute is the name and
/// type of a property. Later parts of the stream refer to strings and attributes by index.
///
/// The caller can use the same tables for the next file, to avoid allocating them again. In a
/// hostile stream, each entry may take only 4 bytes, so the tables can become up to 20 times as
/// large as the stream. In ordinary files, entries are defined once and used often, so the tables
/// are small.
///
/// After a file has been read to its end, its objects can be read one by one with the same tables;
/// see [`BinaryReader::at`](crate::rems::BinaryReader::at).
#[derive(Clone, Debug, Default)]
pub struct Tables {
    strings: Vec<Text>,
    classes: Vec<Class>,
    names: NameTree,
    /// Attributes of all classes. The attributes of each class are contiguous, and spare capacity
    /// follows them.
    attributes: Vec<Attribute>,
}

/// Location of a string.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Text {
    pub(crate) offset: usize,
    pub(crate) len: u32,
    /// Index of the class with this name, plus 1; 0 if the class has not been looked up.
    class: u32,
}

/// Location of the attributes of a class.
#[derive(Clone, Copy, Debug)]
struct Class {
    name: Text,
    start: usize,
    len: u32,
    capacity: u32,
}

/// An attribute: the name and type of a property.
#[derive(Clone, Copy, Debug, Default)]
pub(crate) struct Attribute {
    pub(crate) offset: usize,
    pub(crate) len: u32,
    pub(crate) attribute_type: AttributeType,
    /// Size in bytes of a value that is neither text nor an array; 0 for all others.
    pub(crate) size: u8,
}

impl Attribute {
    pub(crate) fn new(name: Text, attribute_type: AttributeType) -> Self {
        let size = match attribute_type {
            AttributeType::Plain(kind, 0) => u8::try_from(kind.size()).unwrap_or_default(),
            _ => 0,
        };
        Self { offset: name.offset, len: name.len, attribute_type, size }
    }
}

/// Meaning of a type id.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(crate) enum AttributeType {
    #[default]
    Null,
    /// Numbers with this number of array dimensions, or a single string or path.
    Plain(Kind, u8),
    /// Strings or paths with this number of array dimensions.
    Texts(Kind, u8),
    Object,
    Pointer,
    /// A list of objects of several classes (1), or a list of such lists (2).
    Mixed(u8),
    /// A list of objects of one class.
    Classes,
    /// The list of all top-level objects. It occurs only once, at the start of the stream.
    Roots,
}

impl Text {
    pub(crate) const fn new(offset: usize, len: u32) -> Self {
        Self { offset, len, class: 0 }
    }

    #[inline]
    pub(crate) fn of<'a>(&self, bytes: &'a [u8]) -> &'a [u8] {
        let end = self.offset.wrapping_add(self.len as usize);
        bytes.get(self.offset..end).unwrap_or_default()
    }
}

impl Tables {
    /// Creates empty tables.
    pub fn new() -> Self {
        Self::default()
    }

    pub(crate) fn clear(&mut self) {
        self.strings.clear();
        self.classes.clear();
        self.names.clear();
        self.attributes.clear();
    }

    pub(crate) fn add_string(&mut self, text: Text) -> u32 {
        self.strings.push(text);
        // A stream can refer to at most 2³¹ strings, which take 8 GiB of input.
        u32::try_from(self.strings.len()).unwrap_or(u32::MAX).wrapping_sub(1)
    }

    #[inline]
    pub(crate) fn string(&self, index: u32) -> Option<Text> {
        self.strings.get(index as usize).copied()
    }

    /// Returns the index of the class with this name, if the stream has mentioned the class.
    pub(crate) fn find_class(&self, bytes: &[u8], name: Text) -> Option<u32> {
        let text = |class: u32| match self.classes.get(class as usize) {
            Some(class) => class.name.of(bytes),
            None => &[],
        };
        self.names.find(name.of(bytes), text)
    }

    /// Returns the index of the class whose name is the string at `index`, or `u32::MAX` if there
    /// is no such string. Adds the class if it is new.
    #[inline]
    pub(crate) fn class_of(&mut self, bytes: &[u8], index: u32) -> u32 {
        match self.strings.get(index as usize) {
            Some(text) if text.class > 0 => text.class.wrapping_sub(1),
            Some(text) => self.add_class(bytes, *text, index),
            None => u32::MAX,
        }
    }

    #[cold]
    fn add_class(&mut self, bytes: &[u8], name: Text, index: u32) -> u32 {
        let classes = &self.classes;
        let text = |class: u32| match classes.get(class as usize) {
            Some(class) => class.name.of(bytes),
            None => &[],
        };
        let class = self.names.find_or_add(name.of(bytes), text);
        if class as usize == self.classes.len() {
            self.classes.push(Class { name, start: self.attributes.len(), len: 0, capacity: 0 });
        }
        if let Some(text) = self.strings.get_mut(index as usize) {
            text.class = class.wrapping_add(1);
        }
        class
    }

    #[inline]
    pub(crate) fn attribute(&self, class: u32, index: u32) -> Option<Attribute> {
        let class = self.classes.get(class as usize)?;
        let at = class.start.wrapping_add(index as usize);
        if index < class.len { self.attributes.get(at).copied() } else { None }
    }

    /// Returns the attributes of a class.
    #[inline]
    pub(crate) fn attributes(&self, class: u32) -> &[Attribute] {
        let Some(class) = self.classes.get(class as usize) else { return &[] };
        let end = class.start.wrapping_add(class.len as usize);
        self.attributes.get(class.start..end).unwrap_or_default()
    }

    /// Appends an attribute to a class. If the capacity of the class is used up, copies the
    /// attributes to a range of twice the capacity; on average, each attribute is copied at most
    /// once.
    #[cold]
    #[allow(clippy::disallowed_methods, reason = "the range is in bounds")]
    pub(crate) fn add_attribute(&mut self, class: u32, attribute: Attribute) {
        let Some(class) = self.classes.get_mut(class as usize) else { return };
        let len = class.len as usize;
        if class.len == class.capacity {
            let start = self.attributes.len();
            let range = class.start..class.start.wrapping_add(len);
            // The range of a class is always in bounds.
            if range.end <= start {
                self.attributes.extend_from_within(range);
            }
            class.start = start;
            class.capacity = class.capacity.saturating_mul(2).max(4);
            let capacity = start.wrapping_add(class.capacity as usize);
            self.attributes.resize(capacity, Attribute::default());
        }
        if let Some(place) = self.attributes.get_mut(class.start.wrapping_add(len)) {
            *place = attribute;
            class.len = class.len.saturating_add(1);
        }
    }
}
