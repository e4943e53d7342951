//! What a leaf has inside that a path can lead to: numbers with names, as a vector has,
//! or the elements of a packed array. A payload tells (`Payload::inside`), so that
//! paths, patches and differences need not know the types.

use super::packed_strings::PackedStrings;
use crate::godot::VariantRef;
use crate::godot::table::layouts::Wire;
use core::iter::FusedIterator;
use core::ops::Range;
use zerocopy::IntoBytes;

/// What a leaf has inside.
#[derive(Clone, Debug)]
pub(crate) enum SubValues<'a> {
    /// Nothing that is not the whole of it.
    None,
    /// As many numbers as any value of the type has.
    Components(Components),
    /// What a packed array holds.
    Elements(Elements<'a>),
}

/// The numbers of a type of fixed size.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Components {
    /// What they are called, in a script's order.
    pub names: &'static [&'static str],
    /// Which of the wire's numbers that one is: a basis stands there by rows.
    pub slot: fn(usize) -> usize,
}

impl Components {
    /// Where one number is among `len` bytes that are all of them.
    pub(crate) fn range(&self, number: usize, len: usize) -> Option<Range<usize>> {
        let width = len.checked_div(self.names.len())?;
        let start = (self.slot)(number).checked_mul(width)?;
        Some(start..start.checked_add(width)?)
    }
}

/// An element of a packed array.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Element<'a> {
    /// As a value of its own.
    pub value: VariantRef<'a>,
    /// Its bytes; of a text, with length and pad.
    pub bytes: &'a [u8],
}

/// The elements of a packed array, in order.
#[derive(Clone, Debug)]
pub(crate) struct Elements<'a>(ElementsRepr<'a>);

#[derive(Clone, Debug)]
enum ElementsRepr<'a> {
    /// Elements of one size.
    Row {
        bytes: &'a [u8],
        size: usize,
        read: fn(&'a [u8]) -> Option<VariantRef<'a>>,
    },
    Texts(PackedStrings<'a>),
}

impl<'a> Elements<'a> {
    /// Elements of one size, each of which `read` reads.
    pub(crate) fn row<T: Wire>(
        elements: &'a [T],
        read: fn(&'a [u8]) -> Option<VariantRef<'a>>,
    ) -> Self {
        Self(ElementsRepr::Row { bytes: elements.as_bytes(), size: size_of::<T>(), read })
    }

    pub(crate) fn texts(texts: PackedStrings<'a>) -> Self {
        Self(ElementsRepr::Texts(texts))
    }

    /// All of them, if each is a byte.
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

    /// At once, where all are of one size.
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
