//! The values inside a leaf that a path can lead to. These are the components of a vector or
//! matrix, and the elements of a packed array.
//!
//! Each payload type returns these values itself (`Payload::sub_values`), so the code for paths,
//! patches and diffs need not know the types.

use super::packed_strings::PackedStrings;
use crate::godot::VariantRef;
use crate::godot::table::layouts::Wire;
use core::iter::FusedIterator;
use core::ops::Range;
use zerocopy::IntoBytes;

/// The values inside a leaf.
#[derive(Clone, Debug)]
pub(crate) enum SubValues<'a> {
    /// The leaf contains no values.
    None,
    /// A fixed number of named components.
    Components(Components),
    /// The elements of a packed array.
    Elements(Elements<'a>),
}

/// The components of a type of fixed size.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Components {
    /// Names of the components, in the order in which a script passes them to the type's
    /// constructor.
    pub names: &'static [&'static str],
    /// Maps a component to its position on the wire, where a basis is stored row by row.
    pub slot: fn(usize) -> usize,
}

impl Components {
    /// Returns the byte range of component `number` if all components together take `len` bytes.
    pub(crate) fn range(&self, number: usize, len: usize) -> Option<Range<usize>> {
        let width = len.checked_div(self.names.len())?;
        let start = (self.slot)(number).checked_mul(width)?;
        Some(start..start.checked_add(width)?)
    }
}

/// An element of a packed array.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Element<'a> {
    /// The element as a value of its own.
    pub value: VariantRef<'a>,
    /// Bytes of the element. For a string, they include its length and pad.
    pub bytes: &'a [u8],
}

/// The elements of a packed array, in order.
#[derive(Clone, Debug)]
pub(crate) struct Elements<'a>(ElementsRepr<'a>);

#[derive(Clone, Debug)]
enum ElementsRepr<'a> {
    /// Elements of the same size.
    Row {
        bytes: &'a [u8],
        size: usize,
        read: fn(&'a [u8]) -> Option<VariantRef<'a>>,
    },
    Texts(PackedStrings<'a>),
}

impl<'a> Elements<'a> {
    /// Creates elements of the same size, which `read` decodes.
    pub(crate) fn row<T: Wire>(
        elements: &'a [T],
        read: fn(&'a [u8]) -> Option<VariantRef<'a>>,
    ) -> Self {
        Self(ElementsRepr::Row { bytes: elements.as_bytes(), size: size_of::<T>(), read })
    }

    pub(crate) fn texts(texts: PackedStrings<'a>) -> Self {
        Self(ElementsRepr::Texts(texts))
    }

    /// Returns the remaining elements of a byte array.
    pub(crate) fn as_bytes(&self) -> Option<&'a [u8]> {
        match self.0 {
            ElementsRepr::Row { bytes, size: 1, .. } => Some(bytes),
            _ => None,
        }
    }
}

impl<'a> Iterator for Elements<'a> {
    type Item = Element<'a>;

    fn next(&mut self) -> Option<Element<'a>> {
        match &mut self.0 {
            ElementsRepr::Row { bytes, size, read } => {
                let (element, rest) = bytes.split_at_checked(*size).filter(|_| *size > 0)?;
                *bytes = rest;
                Some(Element { value: read(element)?, bytes: element })
            }
            ElementsRepr::Texts(texts) => {
                let (text, bytes) = texts.next_encoded()?;
                Some(Element { value: VariantRef::String(text), bytes })
            }
        }
    }

    /// Skips `n` elements and returns the next one. Takes constant time if all elements have the
    /// same size.
    fn nth(&mut self, n: usize) -> Option<Element<'a>> {
        match &mut self.0 {
            ElementsRepr::Row { bytes, size, .. } => {
                *bytes = n.checked_mul(*size).and_then(|skipped| bytes.get(skipped..))?;
            }
            ElementsRepr::Texts(texts) => texts.by_ref().take(n).for_each(drop),
        }
        self.next()
    }

    fn size_hint(&self) -> (usize, Option<usize>) {
        let len = match &self.0 {
            ElementsRepr::Row { bytes, size, .. } => bytes.len().checked_div(*size).unwrap_or(0),
            ElementsRepr::Texts(texts) => texts.len(),
        };
        (len, Some(len))
    }
}

impl ExactSizeIterator for Elements<'_> {}
impl FusedIterator for Elements<'_> {}
