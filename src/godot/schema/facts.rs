//! Statistics of the values of one kind at one location.

use super::shape::{Budget, Items, Shape};
use super::span::{Span, Texts, cover};
use crate::godot::types::components::SubValues;
use crate::godot::types::parts::Part;
use crate::godot::{Container, Dialect, Kind, Leaf, Open, StrRef, TypeRef, VariantRef, notation};
use alloc::boxed::Box;
use alloc::string::{String, ToString};
use alloc::vec::Vec;
use core::convert::Infallible;

/// Statistics of the values of one kind at one location. `Display` prints a summary on one line.
/// The summary contains declared types or classes, lengths, ranges of numbers, the number of 64-bit
/// values or object ids, and example strings or the keys of maps. It does not contain the kind, the
/// number of values or the items of containers. A declared type is omitted if all arrays or
/// dictionaries have the same one.
#[derive(Clone, Debug, PartialEq)]
pub struct Facts {
    pub(super) kind: Kind,
    pub(super) seen: u64,
    pub(super) wide: u64,
    pub(super) lens: Option<Span<u64>>,
    pub(super) ints: Vec<Span<i64>>,
    pub(super) reals: Vec<Span<f64>>,
    pub(super) texts: Texts,
    pub(super) types: Texts,
    pub(super) keys: Option<Box<Shape>>,
    pub(super) items: Items,
}

impl Facts {
    pub(super) fn new(kind: Kind) -> Self {
        Self {
            kind,
            seen: 0,
            wide: 0,
            lens: None,
            ints: Vec::new(),
            reals: Vec::new(),
            texts: Texts::default(),
            types: Texts::default(),
            keys: None,
            items: Items::None,
        }
    }

    /// Returns the kind of the values. Null objects are [`Kind::Nil`] here.
    pub fn kind(&self) -> Kind {
        self.kind
    }

    /// Returns the number of values.
    pub fn seen(&self) -> u64 {
        self.seen
    }

    /// Returns the number of values that store their numbers in 64 bits. It is 0 for kinds that
    /// cannot also store them in 32 bits. For objects, returns the number of object ids.
    pub fn wide(&self) -> u64 {
        self.wide
    }

    /// Returns the range of the lengths of the values. A length is the number of bytes of a string,
    /// elements of an array or packed array, pairs of a dictionary, or properties of an object.
    pub fn lens(&self) -> Option<Span<u64>> {
        self.lens
    }

    /// Returns the ranges of the integers in the values. There is one range for each integer of a
    /// value, for example two for a Vector2i: one for all `x` and one for all `y`. In packed
    /// arrays, a range includes all elements. A bool is 0 or 1.
    pub fn ints(&self) -> &[Span<i64>] {
        &self.ints
    }

    /// Returns the ranges of the floats in the values. There is one range for each float of a
    /// value, for example two for a Vector2: one for all `x` and one for all `y`. In packed arrays,
    /// a range includes all elements. NaNs are ignored: if all floats are NaNs, the range is from
    /// infinity to -infinity.
    pub fn reals(&self) -> &[Span<f64>] {
        &self.reals
    }

    /// Returns examples of the text in the values, including the text of NodePaths.
    pub fn texts(&self) -> &Texts {
        &self.texts
    }

    /// Returns the declared types of arrays and dictionaries, for example `[int]`, or the classes
    /// of full objects. The text for an untyped container is empty.
    pub fn types(&self) -> &Texts {
        &self.types
    }

    /// Returns the structure of the keys of dictionaries, or `None` if no key was added.
    pub fn keys(&self) -> Option<&Shape> {
        self.keys.as_deref()
    }

    /// Returns the items of containers.
    pub fn items(&self) -> &Items {
        &self.items
    }

    /// Adds a value without items.
    pub(super) fn add_leaf(&mut self, leaf: &Leaf<'_>) {
        self.seen = self.seen.saturating_add(1);
        self.wide = self.wide.saturating_add(is_wide(leaf).into());
        let each = match leaf.value.sub_values() {
            SubValues::Components(numbers) => numbers.names.len(),
            SubValues::Elements(mut elements) => {
                self.long(elements.len() as u64);
                elements.next().map_or(1, |first| count_parts(&first.value))
            }
            SubValues::None => 1,
        };
        if let Some(text) = leaf.value.as_str() {
            self.long(text.visible().len() as u64);
        }
        let mut place = 0_usize;
        let Ok(()) = leaf.value.parts(&mut |part| {
            self.part(place, part);
            place = place.saturating_add(1);
            if place >= each {
                place = 0;
            }
            Ok::<_, Infallible>(())
        });
    }

    /// Adds a part of a value, or of an element of a packed array. `place` is the index of the
    /// part.
    fn part(&mut self, place: usize, part: Part<'_>) {
        match part {
            Part::Bool(truth) => cover(&mut self.ints, place, Span::of(truth.into())),
            Part::Int(int) => cover(&mut self.ints, place, Span::of(int)),
            Part::Real(real) if real.is_nan() => cover(&mut self.reals, place, Span::NO_REALS),
            Part::Real(real) => cover(&mut self.reals, place, Span::of(real)),
            Part::Text(text) => self.texts.add(text),
            Part::Path(path) => self.texts.add((*path.to_string()).into()),
            // Ids are only meaningful to their sender.
            Part::Id(_) => {}
        }
    }

    fn long(&mut self, len: u64) {
        match &mut self.lens {
            Some(lens) => lens.cover(Span::of(len)),
            lens => *lens = Some(Span::of(len)),
        }
    }

    /// Adds a container. Its items are added afterwards.
    pub(super) fn open(&mut self, open: &Open<'_>) {
        self.seen = self.seen.saturating_add(1);
        self.long(open.container.len().into());
        let types = match open.container {
            Container::Object { class, .. } => class.to_string(),
            Container::Array { element, .. } => stated(element, None, open.dialect),
            Container::Dictionary { key, value, .. } => stated(key, Some(value), open.dialect),
        };
        self.types.add(StrRef::from(&*types));
    }

    /// Returns the number of containers, which are all values except object ids.
    pub(super) fn opened(&self) -> u64 {
        self.seen.saturating_sub(self.wide)
    }

    /// Returns the number of entries that count towards the size limit of a schema. These are the
    /// fields and, for each location, the kinds of values there.
    pub(super) fn size(&self) -> usize {
        let keys = self.keys.as_deref().map_or(0, Shape::size);
        self.items.size().saturating_add(keys).saturating_add(1)
    }

    /// Merges other statistics into these. Returns `false` if something was left out because of the
    /// limit.
    pub(super) fn merge(&mut self, other: Self, budget: &mut Budget) -> bool {
        self.seen = self.seen.saturating_add(other.seen);
        self.wide = self.wide.saturating_add(other.wide);
        match (&mut self.lens, other.lens) {
            (Some(lens), Some(others)) => lens.cover(others),
            (lens, others) => *lens = lens.or(others),
        }
        let ints = other.ints.into_iter().enumerate();
        ints.for_each(|(place, span)| cover(&mut self.ints, place, span));
        let reals = other.reals.into_iter().enumerate();
        reals.for_each(|(place, span)| cover(&mut self.reals, place, span));
        self.texts.merge(&other.texts);
        self.types.merge(&other.types);
        if let Some(keys) = other.keys {
            self.keys.get_or_insert_default().merge(*keys, budget);
        }
        self.items.merge(other.items, budget)
    }
}

/// Returns `true` for the wider form of a kind with two widths, and for an object id.
fn is_wide(leaf: &Leaf<'_>) -> bool {
    match leaf.value {
        VariantRef::Int(_) | VariantRef::Float(_) | VariantRef::Object(_) => leaf.encoded.is_wide(),
        value => value.is_double(),
    }
}

/// Formats the declared types of an array or a dictionary.
fn stated(first: TypeRef<'_>, second: Option<TypeRef<'_>>, dialect: Dialect) -> String {
    let mut text = String::new();
    let _ = notation::types(&mut text, first, second, dialect); // writing to a String cannot fail
    text
}

fn count_parts(value: &VariantRef<'_>) -> usize {
    let mut count = 0_usize;
    let Ok(()) = value.parts(&mut |_| {
        count = count.saturating_add(1);
        Ok::<_, Infallible>(())
    });
    count
}
