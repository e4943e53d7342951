//! The structure of the values at one location and of everything nested in them. A location only
//! changes when a value is added or when another location is merged into it. Both operations are
//! commutative and associative, so the order of the values makes no difference.

use super::facts::Facts;
use super::{KEY_LEN, KEYS, PLACES};
use crate::godot::{Container, Kind, Leaf};
use alloc::boxed::Box;
use alloc::collections::BTreeMap;
use alloc::vec::Vec;

/// Number of fields, and of kinds of values at each location, that may still be added.
#[derive(Clone, Copy, Debug)]
pub(super) struct Budget(usize);

impl Budget {
    /// A budget without a limit, for data that was already counted.
    pub(super) const ENOUGH: Self = Self(usize::MAX);

    pub(super) const fn new(size: usize) -> Self {
        Self(size)
    }

    pub(super) fn is_full(self) -> bool {
        self.0 == 0
    }

    fn take(&mut self, size: usize) -> Option<()> {
        self.0 = self.0.checked_sub(size)?;
        Some(())
    }

    fn give(&mut self, size: usize) {
        self.0 = self.0.saturating_add(size);
    }
}

/// The structure of the values at one location in all packets.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Shape {
    pub(super) seen: u64,
    /// Sorted by kind.
    pub(super) facts: Vec<Facts>,
    pub(super) cut: bool,
}

impl Shape {
    /// Returns the number of values.
    pub fn seen(&self) -> u64 {
        self.seen
    }

    /// Returns the statistics of the values, by kind.
    pub fn facts(&self) -> &[Facts] {
        &self.facts
    }

    /// Returns `true` if values at this location were left out because of the
    /// [limits](super#limits).
    pub fn is_cut(&self) -> bool {
        self.cut
    }

    /// Returns the statistics of all kinds except null.
    pub(super) fn solid(&self) -> impl Iterator<Item = &Facts> + Clone {
        self.facts.iter().filter(|facts| facts.kind != Kind::Nil)
    }

    /// Adds a value without items.
    pub(super) fn add_leaf(&mut self, leaf: &Leaf<'_>, budget: &mut Budget) {
        self.seen = self.seen.saturating_add(1);
        let kind = if leaf.value.is_nil() { Kind::Nil } else { leaf.value.kind() };
        if let Some(facts) = self.of_kind(kind, budget) {
            facts.add_leaf(leaf);
        }
    }

    /// Returns the statistics of a kind, creating them if the limit permits.
    #[allow(
        clippy::disallowed_methods,
        reason = "a binary search returns an index of at most the length"
    )]
    pub(super) fn of_kind(&mut self, kind: Kind, budget: &mut Budget) -> Option<&mut Facts> {
        let place = match self.find(kind) {
            Ok(place) => place,
            Err(place) => {
                if budget.take(1).is_none() {
                    self.cut = true;
                    return None;
                }
                self.facts.insert(place, Facts::new(kind));
                place
            }
        };
        self.facts.get_mut(place)
    }

    /// Returns the existing statistics of a kind.
    pub(super) fn known(&mut self, kind: Kind) -> Option<&mut Facts> {
        let place = self.find(kind).ok()?;
        self.facts.get_mut(place)
    }

    fn find(&self, kind: Kind) -> Result<usize, usize> {
        self.facts.binary_search_by_key(&kind, |facts| facts.kind)
    }

    /// Returns the number of entries that count towards the size limit of a schema. These are the
    /// fields and, for each location, the kinds of values there.
    pub(super) fn size(&self) -> usize {
        self.facts.iter().map(Facts::size).fold(0, usize::saturating_add)
    }

    #[allow(
        clippy::disallowed_methods,
        reason = "a binary search returns an index of at most the length"
    )]
    pub(super) fn merge(&mut self, other: Self, budget: &mut Budget) {
        self.seen = self.seen.saturating_add(other.seen);
        self.cut |= other.cut;
        for facts in other.facts {
            match self.find(facts.kind) {
                Ok(place) => {
                    let fits = self.facts.get_mut(place).map(|known| known.merge(facts, budget));
                    self.cut |= fits != Some(true);
                }
                Err(place) if budget.take(facts.size()).is_some() => {
                    self.facts.insert(place, facts)
                }
                Err(_) => self.cut = true,
            }
        }
    }
}

/// The items of containers. [`Schema::shape`] decides whether arrays are tuples or lists, and
/// whether dictionaries are records or maps.
///
/// [`Schema::shape`]: super::Schema::shape
#[derive(Clone, Debug, PartialEq)]
#[non_exhaustive]
pub enum Items {
    /// No items: the values are not containers, or their items were not added.
    None,
    /// The elements of tuples, each position as a location of its own.
    Places(Vec<Shape>),
    /// The elements of lists, merged into one location.
    Elements(Box<Shape>),
    /// The fields of records.
    Fields(Fields),
    /// The values of maps, merged into one location.
    Values(Box<Shape>),
}

impl Items {
    /// Creates the locations for the items of a container.
    pub(super) fn open(&mut self, container: &Container<'_>, budget: &mut Budget) {
        let len = container.len() as usize;
        match self {
            Self::None if container.kind() != Kind::Array => {
                *self = Self::Fields(Fields::default());
            }
            Self::None if len <= PLACES => {
                *self = Self::Places((0..len).map(|_| Shape::default()).collect());
            }
            Self::None => *self = Self::Elements(Box::default()),
            Self::Places(places) if places.len() != len => self.join(budget),
            _ => {}
        }
    }

    /// Merges all locations into one: a tuple becomes a list, and a record becomes a map.
    pub(super) fn join(&mut self, budget: &mut Budget) {
        let size = self.size();
        match core::mem::replace(self, Self::None) {
            Self::Places(places) => {
                budget.give(size);
                *self = Self::Elements(Box::new(sum(places, budget)));
            }
            Self::Fields(fields) => {
                budget.give(size);
                let values = fields.0.into_values().map(|field| field.shape);
                *self = Self::Values(Box::new(sum(values, budget)));
            }
            other => *self = other,
        }
    }

    pub(super) fn size(&self) -> usize {
        let fields = if let Self::Fields(fields) = self { fields.len() } else { 0 };
        self.shapes().map(Shape::size).fold(fields, usize::saturating_add)
    }

    /// Iterates over the locations.
    pub(super) fn shapes(&self) -> impl Iterator<Item = &Shape> {
        let (places, fields, any) = match self {
            Self::None => (&[][..], None, None),
            Self::Places(places) => (&**places, None, None),
            Self::Fields(fields) => (&[][..], Some(fields), None),
            Self::Elements(any) | Self::Values(any) => (&[][..], None, Some(&**any)),
        };
        let fields = fields.into_iter().flat_map(|fields| fields.0.values());
        places.iter().chain(fields.map(|field| &field.shape)).chain(any)
    }

    /// Iterates over the locations.
    pub(super) fn shapes_mut(&mut self) -> impl Iterator<Item = &mut Shape> {
        let (places, fields, any) = match self {
            Self::None => (&mut [][..], None, None),
            Self::Places(places) => (&mut **places, None, None),
            Self::Fields(fields) => (&mut [][..], Some(fields), None),
            Self::Elements(any) | Self::Values(any) => (&mut [][..], None, Some(&mut **any)),
        };
        let fields = fields.into_iter().flat_map(|fields| fields.0.values_mut());
        places.iter_mut().chain(fields.map(|field| &mut field.shape)).chain(any)
    }

    /// Merges other items into these. Returns `false` if something was left out because of the
    /// limit.
    pub(super) fn merge(&mut self, mut other: Self, budget: &mut Budget) -> bool {
        match (&*self, &other) {
            (_, Self::None) => return true,
            (Self::None, _) => {
                let fits = budget.take(other.size()).is_some();
                *self = if fits { other } else { Self::None };
                return fits;
            }
            (Self::Places(these), Self::Places(others)) if these.len() == others.len() => {}
            (Self::Fields(these), Self::Fields(others)) if these.fits(others) => {}
            _ => {
                self.join(budget);
                other.join(&mut { Budget::ENOUGH });
            }
        }
        match (self, other) {
            (Self::Places(these), Self::Places(others)) => {
                these.iter_mut().zip(others).for_each(|(this, other)| this.merge(other, budget));
            }
            (Self::Elements(this), Self::Elements(other))
            | (Self::Values(this), Self::Values(other)) => this.merge(*other, budget),
            (Self::Fields(these), Self::Fields(others)) => return these.merge(others, budget),
            // No other combination can occur for containers of one kind.
            _ => {}
        }
        true
    }
}

/// Merges several locations into one.
fn sum(shapes: impl IntoIterator<Item = Shape>, budget: &mut Budget) -> Shape {
    let mut all = Shape::default();
    shapes.into_iter().for_each(|shape| all.merge(shape, budget));
    all
}

/// The fields of records, by name.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Fields(BTreeMap<Box<str>, Field>);

/// A field of records.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Field {
    pub(super) shape: Shape,
    /// Sum of the field's positions among the pairs of all records.
    places: u64,
    /// Number of the last record that had the field.
    last: u64,
}

impl Field {
    /// Returns the values of the field. All records have the field if there are as many values as
    /// records.
    pub fn shape(&self) -> &Shape {
        &self.shape
    }

    /// Returns the average position of the field among the pairs of a record.
    fn place(&self) -> f64 {
        self.places as f64 / self.shape.seen.max(1) as f64
    }
}

impl Fields {
    /// Returns the number of fields.
    pub fn len(&self) -> usize {
        self.0.len()
    }

    /// Returns `true` if there are no fields.
    pub fn is_empty(&self) -> bool {
        self.0.is_empty()
    }

    /// Returns the field with the given name.
    pub fn get(&self, name: &str) -> Option<&Field> {
        self.0.get(name)
    }

    /// Iterates over names and fields, ordered by their average position in the records.
    pub fn iter(&self) -> impl Iterator<Item = (&str, &Field)> {
        let mut fields: Vec<_> = self.0.iter().map(|(name, field)| (&**name, field)).collect();
        fields.sort_by(|(_, a), (_, b)| a.place().total_cmp(&b.place()));
        fields.into_iter()
    }

    /// Adds a field, which is pair number `place` of a record. Returns `None` if this field shows
    /// that the dictionary is not a record, or if the limit is reached.
    pub(super) fn note(
        &mut self,
        name: &str,
        record: u64,
        place: u64,
        budget: &mut Budget,
    ) -> Option<()> {
        if !self.0.contains_key(name) {
            self.insert(name, budget)?;
        }
        let field = self.0.get_mut(name)?;
        if core::mem::replace(&mut field.last, record) == record {
            return None;
        }
        field.places = field.places.saturating_add(place);
        Some(())
    }

    fn insert(&mut self, name: &str, budget: &mut Budget) -> Option<()> {
        if self.0.len() >= KEYS || name.len() > KEY_LEN {
            return None;
        }
        budget.take(1)?;
        self.0.insert(name.into(), Field::default());
        Some(())
    }

    pub(super) fn get_mut(&mut self, name: &str) -> Option<&mut Shape> {
        self.0.get_mut(name).map(|field| &mut field.shape)
    }

    /// Clears data that is used only while values are added, so that equal fields compare equal.
    pub(super) fn clear_scratch(&mut self) {
        self.0.values_mut().for_each(|field| field.last = 0);
    }

    /// Returns `true` if the union with other fields is not too large.
    fn fits(&self, others: &Self) -> bool {
        let new = others.0.keys().filter(|name| !self.0.contains_key(*name)).count();
        self.len().saturating_add(new) <= KEYS
    }

    /// Merges other fields into these. Returns `false` if something was left out because of the
    /// limit.
    fn merge(&mut self, others: Self, budget: &mut Budget) -> bool {
        let mut fits = true;
        for (name, other) in others.0 {
            if !self.0.contains_key(&name) && budget.take(1).is_none() {
                fits = false;
                continue;
            }
            let field = self.0.entry(name).or_default();
            field.places = field.places.saturating_add(other.places);
            field.shape.merge(other.shape, budget);
        }
        fits
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::godot::schema::visitor::SchemaVisitor;
    use crate::godot::{Array, Dialect, ObjectId, Reader, Variant};
    use alloc::format;
    use alloc::string::String;

    /// Returns the shape of values under a limit, and the remaining limit.
    fn kept(values: &[Variant], mut budget: Budget) -> (Shape, usize) {
        let mut root = Shape::default();
        for value in values {
            let packet = value.to_bytes(Dialect::Godot4).unwrap();
            let mut visitor = SchemaVisitor::new(&mut root, &mut budget);
            Reader::new(&packet, Dialect::Godot4).visit(&mut visitor).unwrap();
            visitor.finish();
        }
        (root, budget.0)
    }

    fn of_texts(texts: &[&str], budget: usize) -> (Shape, usize) {
        let values: Vec<_> = texts.iter().map(|text| text.parse::<Variant>().unwrap()).collect();
        kept(&values, Budget(budget))
    }

    fn cut(shape: &Shape) -> bool {
        let inside = |facts: &Facts| facts.items.shapes().chain(facts.keys.as_deref()).any(cut);
        shape.cut || shape.facts.iter().any(inside)
    }

    /// More keys than a record may have, spread over two dictionaries of a list.
    fn many_keys() -> String {
        let keys = |from: usize| {
            let pairs = (from..from + 200).map(|key| format!("\"{key}a\": 1"));
            pairs.collect::<Vec<_>>().join(", ")
        };
        format!("[{{{}}}, {{{}}}]", keys(0), keys(100))
    }

    /// Exactly the entries that are kept count towards the limit, even after merges.
    #[test]
    fn all_that_is_kept_is_counted() {
        let many = many_keys();
        // Each kind of key counts, too.
        for (texts, size) in [
            (&["1"][..], 1),
            (&["1", "2", "\"x\"", "null"], 3),
            (&["[1, \"x\"]"], 3),
            (&["{\"a\": 1, \"b\": {\"c\": null}}"], 2 + 2 + 1 + 4),
            // A tuple becomes a list.
            (&["[1, \"x\", [2.5, 1], {\"a\": 1}]", "[1]"], 1 + 2 + 3 + 4),
            (&["[[1, \"x\"], [2, \"y\"]]", "[[1], [1, \"x\", 2]]", "[[]]"], 1 + 3),
            // Records become maps if a key is not text, or if there are too many keys.
            (&["{\"a\": {\"b\": 1}, \"c\": {\"b\": 2, \"d\": null}}", "{5: 1}"], 3 + 6 + 1),
            (&["{5: 1, \"x\": 1, [1]: 2}"], 1 + 4 + 1),
            (&["[{5: 1}, {7: \"x\"}]", "[]"], 1 + 2 + 2),
            (&["[{\"a\": 1}, {\"b\": 1}, {\"a\": 1}]", "[]"], 1 + 2 + 4),
            (&["[{\"a\": 1}, {\"b\": 1}, {\"c\": 1}]", "[]"], 1 + 2 + 6),
            (&[&many, "[]"], 1 + 2 + 1),
        ] {
            let (shape, left) = of_texts(texts, 1000);
            assert_eq!((shape.size(), 1000 - left), (size, size), "{texts:?}");
            assert!(!cut(&shape), "{texts:?}");
            // With a smaller limit, less is kept.
            for budget in 0..size {
                let (shape, left) = of_texts(texts, budget);
                assert_eq!(shape.size() + left, budget, "{texts:?} in {budget}");
                assert!(cut(&shape), "{texts:?} in {budget}");
            }
        }
    }

    /// A record whose fields exceed the limit becomes a map that is marked as cut.
    #[test]
    fn fields_beyond_the_limit_make_a_cut_map() {
        let (shape, left) = of_texts(&["{\"a\": 1, \"b\": 2}"], 4);
        assert!(shape.cut && left == 1);
        let [facts] = &*shape.facts else { panic!("{shape:?}") };
        let Items::Values(values) = &facts.items else { panic!("{shape:?}") };
        assert!(values.seen == 2 && !values.cut, "{shape:?}");
        // A key that is not text also turns a record into a map. Nothing is left out in this case,
        // because no limit is reached.
        let (shape, _) = of_texts(&["{\"a\": 1, \"b\": 2, 5: 1}"], 100);
        assert!(!cut(&shape));
    }

    #[test]
    fn a_cut_shape_stays_cut_after_merging() {
        let (known, _) = of_texts(&["1"], 1);
        let cut = Shape { cut: true, ..known.clone() };
        for (mut one, other) in [(known.clone(), cut.clone()), (cut, known.clone())] {
            one.merge(other, &mut Budget(0));
            assert!(one.cut && one.seen == 2 && one.facts.len() == 1);
        }
        // Merges beyond the limit.
        let mut none = Shape::default();
        none.merge(known.clone(), &mut Budget(0));
        assert!(none.cut && none.facts.is_empty());
        let mut all = Shape::default();
        all.merge(known.clone(), &mut Budget(1));
        assert_eq!(all, known);
    }

    /// Merges the location of an object id with the location of an object that has properties.
    #[test]
    fn properties_that_only_one_place_has() {
        let mut object = crate::godot::Object::new("Node");
        object.properties.push((b"hp".to_vec(), 5.into()));
        let pair = Array::from_iter([Variant::from(ObjectId(7)), object.into()]);
        let (mut shape, left) = kept(&[pair.into(), Array::from_iter([1]).into()], Budget(10));
        assert_eq!((shape.size(), left), (5, 5));
        let facts = shape.known(Kind::Array).unwrap();
        let Items::Elements(any) = &mut facts.items else { panic!("{facts:?}") };
        let facts = any.known(Kind::Object).unwrap();
        assert_eq!((facts.seen, facts.wide), (2, 1));
        let Items::Fields(fields) = &facts.items else { panic!("{facts:?}") };
        assert!(fields.get("hp").unwrap().shape.seen == 1);
    }
}
