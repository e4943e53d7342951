//! Compares dictionaries by key and objects by property name.

use super::super::path::Segment;
use super::tree::{Node, Tree};
use super::{Change, Diff, Task, Todo, What};
use crate::buffer::Cursor;
use crate::godot::types::text;
use crate::godot::{Dialect, StrRef, Writer};
use alloc::collections::{BTreeMap, BTreeSet};
use alloc::string::ToString;
use alloc::vec::Vec;

/// A pair or a property.
#[derive(Clone, Copy, Debug)]
struct Pair<'a> {
    key: Key<'a>,
    value: Node,
    /// `true` if a later pair has the same path segment.
    hidden: bool,
}

#[derive(Clone, Copy, Debug)]
enum Key<'a> {
    Value(Node),
    /// The name of a property, with length prefix and padding.
    Name(&'a [u8]),
}

impl<'a, E, F: FnMut(Change<'_, 'a>) -> Result<(), E>> Diff<'a, F> {
    /// Schedules the comparison of the pairs of dictionaries or the properties of objects.
    pub(super) fn pairs(&mut self, old: Node, new: Node) -> Result<(), E> {
        let (was, is) = (pairs(&self.old, old), pairs(&self.new, new));
        let partners = Partners::of((&self.old, &was), (&self.new, &is));
        if !partners.are_in_order() {
            self.report_change(What::Order)?;
        }
        let depth = self.path.len();
        for (number, pair) in was.iter().enumerate().rev() {
            if !partners.old.get(number).is_some_and(|has_partner| *has_partner) {
                let segment = Some(segment(&self.old, pair, number));
                let task = Task::Report(What::Removed(self.old.found(pair.value)));
                self.todo.push(Todo { depth, segment, task });
            }
        }
        for (number, pair) in is.iter().enumerate().rev() {
            let partner = partners.new.get(number).copied().flatten();
            let partner = partner.and_then(|number| was.get(number));
            let segment = segment(&self.new, pair, number);
            let task = match partner {
                Some(partner) => Task::Compare(partner.value, pair.value),
                None => Task::Report(What::Added(self.new.found(pair.value))),
            };
            self.todo.push(Todo { depth, segment: Some(segment), task });
            if let Some(partner) = partner {
                self.key(partner, pair, number, segment);
            }
        }
        Ok(())
    }

    /// Schedules a report if the encodings of a common key differ.
    fn key(&mut self, old: &Pair<'a>, new: &Pair<'a>, number: usize, segment: Segment<'a>) {
        let [was, is] = [bytes(&self.old, old), bytes(&self.new, new)];
        if was == is || self.old.dialect() != self.new.dialect() {
            return;
        }
        let segment = match new.key {
            Key::Value(_) => Segment::KeyOf(number as u64),
            Key::Name(_) => segment,
        };
        let task = Task::Report(What::Form { old: was, new: is });
        self.todo.push(Todo { depth: self.path.len(), segment: Some(segment), task });
    }
}

fn pairs<'a>(tree: &Tree<'a>, node: Node) -> Vec<Pair<'a>> {
    let mut pairs = Vec::new();
    let mut children = tree.children(node);
    while let Some(first) = children.next() {
        let (key, value) = match tree.name(first) {
            Some(name) => (Key::Name(name), first),
            None => match children.next() {
                Some(value) => (Key::Value(first), value),
                None => break,
            },
        };
        pairs.push(Pair { key, value, hidden: false });
    }
    hide(tree, &mut pairs);
    pairs
}

/// Marks the pairs that a path cannot select by key, because a later pair has the same segment.
/// Different keys can have the same segment: Godot 3 prints six digits of a float.
fn hide<'a>(tree: &Tree<'a>, pairs: &mut [Pair<'a>]) {
    let mut later = BTreeSet::new();
    for (number, pair) in pairs.iter_mut().enumerate().rev() {
        pair.hidden = !later.insert(segment(tree, pair, number).to_string());
    }
}

fn bytes<'a>(tree: &Tree<'a>, pair: &Pair<'a>) -> &'a [u8] {
    match pair.key {
        Key::Value(key) => tree.encoded(key).as_bytes(),
        Key::Name(name) => name,
    }
}

fn segment<'a>(tree: &Tree<'a>, pair: &Pair<'a>, number: usize) -> Segment<'a> {
    match pair.key {
        _ if pair.hidden => Segment::Pair(number as u64),
        Key::Value(key) => Segment::of_key(tree.encoded(key), number as u64),
        Key::Name(name) => Segment::of_name(name_of(name, tree.dialect()), number as u64),
    }
}

fn name_of(name: &[u8], dialect: Dialect) -> StrRef<'_> {
    StrRef::new(text::read(&mut Cursor::new(name), dialect.rules()).unwrap_or_default())
}

/// Returns bytes that are equal for keys that an engine considers equal. For a text key or a name,
/// this is its visible text; for any other key, it is the key as the writer encodes it.
fn meaning(tree: &Tree<'_>, pair: &Pair<'_>) -> Vec<u8> {
    let key = match pair.key {
        Key::Name(name) => return name_of(name, tree.dialect()).visible().to_vec(),
        Key::Value(key) => tree.encoded(key),
    };
    let value = key.decode();
    if let Some(text) = value.as_str() {
        return text.visible().to_vec();
    }
    let mut bytes = Vec::from([0]); // distinguishes it from text, which contains no NUL
    let written = Writer::new(&mut bytes, Dialect::Godot4).put(value);
    if written.is_err() {
        // Godot 4 does not have the type of this key.
        bytes.extend(key.as_bytes());
    }
    bytes
}

/// The pairs of two dictionaries, matched by key.
struct Partners {
    /// For each new pair, the number of the old pair with the same key.
    new: Vec<Option<usize>>,
    /// For each old pair, `true` if there is a new pair with the same key.
    old: Vec<bool>,
}

impl Partners {
    /// Matches pairs by key. If a key occurs more than once, the last old pair with this key is
    /// matched with the last new pair, because an engine keeps the value of the last one. The
    /// earlier pairs are matched in the same way, from the last to the first.
    fn of<'a>((old, was): (&Tree<'a>, &[Pair<'a>]), (new, is): (&Tree<'a>, &[Pair<'a>])) -> Self {
        let mut partners = Self { new: vec_of(None, is.len()), old: vec_of(false, was.len()) };
        let mut numbers = by_meaning(old, was);
        let mut new_numbers = by_meaning(new, is);
        for (meaning, new_numbers) in &mut new_numbers {
            let Some(numbers) = numbers.get_mut(meaning) else { continue };
            while let Some((number, partner)) = new_numbers.pop().zip(numbers.pop()) {
                if let Some(entry) = partners.new.get_mut(number) {
                    *entry = Some(partner);
                }
                if let Some(entry) = partners.old.get_mut(partner) {
                    *entry = true;
                }
            }
        }
        partners
    }

    fn are_in_order(&self) -> bool {
        self.new.iter().flatten().is_sorted()
    }
}

fn vec_of<T: Clone>(value: T, len: usize) -> Vec<T> {
    core::iter::repeat_n(value, len).collect()
}

/// Returns the numbers of the pairs with each key, in ascending order.
fn by_meaning<'a>(tree: &Tree<'a>, pairs: &[Pair<'a>]) -> BTreeMap<Vec<u8>, Vec<usize>> {
    let mut numbers = BTreeMap::<_, Vec<usize>>::new();
    for (number, pair) in pairs.iter().enumerate() {
        numbers.entry(meaning(tree, pair)).or_default().push(number);
    }
    numbers
}
