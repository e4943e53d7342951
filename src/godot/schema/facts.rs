//! What is kept of the values of one kind in one place.

use super::shape::{Items, Room, Shape};
use super::span::{Span, Texts, cover};
use crate::godot::types::components::SubValues;
use crate::godot::types::parts::Part;
use crate::godot::{Container, Dialect, Kind, Leaf, Open, StrRef, TypeRef, VariantRef, notation};
use alloc::boxed::Box;
use alloc::string::{String, ToString};
use alloc::vec::Vec;
use core::convert::Infallible;

/// The values of one kind in one place. `Display` tells what is known of them, but for the
/// kind and how often it came.
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

    /// What they are. Null objects are [`Kind::Nil`] here.
    pub fn kind(&self) -> Kind {
        self.kind
    }

    /// How many there are.
    pub fn seen(&self) -> u64 {
        self.seen
    }

    /// How many of them have 64 bits for each number where the kind has two widths; of
    /// objects, how many are ids.
    pub fn wide(&self) -> u64 {
        self.wide
    }

    /// How long they are: texts in bytes, containers and packed arrays in elements.
    pub fn lens(&self) -> Option<Span<u64>> {
        self.lens
    }

    /// Of what consists of integers, the range of each; of packed arrays, over all elements.
    /// A bool is 0 or 1.
    pub fn ints(&self) -> &[Span<i64>] {
        &self.ints
    }

    /// Of what consists of floats, the range of each; of packed arrays, over all elements.
    /// NaN is in no range: that of NaNs only goes from infinity to -infinity.
    pub fn reals(&self) -> &[Span<f64>] {
        &self.reals
    }

    /// Texts in them.
    pub fn texts(&self) -> &Texts {
        &self.texts
    }

    /// The types that containers state, as in `[int]`, an empty text where they state none; the
    /// classes of full objects.
    pub fn types(&self) -> &Texts {
        &self.types
    }

    /// The keys of dictionaries.
    pub fn keys(&self) -> Option<&Shape> {
        self.keys.as_deref()
    }

    /// What is in them.
    pub fn items(&self) -> &Items {
        &self.items
    }

    /// Adds a value without items.
    pub(super) fn see(&mut self, leaf: &Leaf<'_>) {
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

    /// Adds number `place` of a value or element.
    fn part(&mut self, place: usize, part: Part<'_>) {
        match part {
            Part::Bool(truth) => cover(&mut self.ints, place, Span::of(truth.into())),
            Part::Int(int) => cover(&mut self.ints, place, Span::of(int)),
            Part::Real(real) if real.is_nan() => cover(&mut self.reals, place, Span::NO_REALS),
            Part::Real(real) => cover(&mut self.reals, place, Span::of(real)),
            Part::Text(text) => self.texts.add(text),
            Part::Path(path) => self.texts.add((*path.to_string()).into()),
            // Means something only where it comes from.
            Part::Id(_) => {}
        }
    }

    fn long(&mut self, len: u64) {
        match &mut self.lens {
            Some(lens) => lens.cover(Span::of(len)),
            lens => *lens = Some(Span::of(len)),
        }
    }

    /// Adds a container whose items are to come.
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

    /// How many of them have items: all containers, but no object that is an id.
    pub(super) fn opened(&self) -> u64 {
        self.seen.saturating_sub(self.wide)
    }

    /// How many fields, and kinds in how many places, hang on this.
    pub(super) fn size(&self) -> usize {
        let keys = self.keys.as_deref().map_or(0, Shape::size);
        self.items.size().saturating_add(keys).saturating_add(1)
    }

    /// Whether there was room for all.
    pub(super) fn merge(&mut self, other: Self, room: &mut Room) -> bool {
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
            self.keys.get_or_insert_default().merge(*keys, room);
        }
        self.items.merge(other.items, room)
    }
}

/// Of what has two widths, whether this is the wider one.
fn is_wide(leaf: &Leaf<'_>) -> bool {
    match leaf.value {
        VariantRef::Int(_) | VariantRef::Float(_) | VariantRef::Object(_) => leaf.encoded.is_wide(),
        value => value.is_double(),
    }
}

/// The types that an array or a dictionary states.
fn stated(first: TypeRef<'_>, second: Option<TypeRef<'_>>, dialect: Dialect) -> String {
    let mut text = String::new();
    let _ = notation::types(&mut text, first, second, dialect); // a String takes all
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
