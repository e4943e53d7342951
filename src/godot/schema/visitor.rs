//! The visitor that adds a packet to a schema. When a container opens, its shape is moved from the
//! schema to `SchemaVisitor::open`. There it can be reached without a search from the root. The
//! shape is put back when the container ends.

use super::DEPTH;
use super::shape::{Budget, Items, Shape};
use crate::godot::{Error, Kind, Leaf, Open, Property, Result, Role, StrRef, Visitor};
use alloc::vec::Vec;
use core::mem;

pub(super) struct SchemaVisitor<'s, 'a> {
    root: &'s mut Shape,
    budget: &'s mut Budget,
    /// The open containers, from the root on.
    open: Vec<Level<'a>>,
    /// Number of nested open containers that are ignored.
    ignored: u32,
}

/// An open container.
struct Level<'a> {
    /// The shape at the location of the container.
    shape: Shape,
    kind: Kind,
    /// The position of the last added item or, once it is known, of the next one.
    at: At<'a>,
    /// Number of elements or values of this container so far.
    before: usize,
}

/// The position of an item in a container.
#[derive(Clone, Copy)]
enum At<'a> {
    Element(usize),
    Key,
    Field(&'a str),
    Value,
}

impl<'s, 'a> SchemaVisitor<'s, 'a> {
    pub(super) fn new(root: &'s mut Shape, budget: &'s mut Budget) -> Self {
        Self { root, budget, open: Vec::new(), ignored: 0 }
    }

    /// Adds a value without items.
    pub(super) fn add_leaf(&mut self, leaf: &Leaf<'a>) {
        if self.ignored > 0 {
            return;
        }
        if let Some((shape, budget)) = self.arrive(leaf.role) {
            shape.add_leaf(leaf, budget);
        }
        if leaf.role == Role::Key {
            self.key(leaf.value.as_str());
        }
    }

    /// Closes the containers that an incomplete walk left open.
    pub(super) fn finish(mut self) {
        while self.leave().is_some() {}
    }

    /// Returns the location of the next value.
    fn arrive(&mut self, role: Role) -> Option<(&mut Shape, &mut Budget)> {
        if let Some(level) = self.open.last_mut() {
            match role {
                Role::Element => level.at = At::Element(level.before),
                Role::Key => level.at = At::Key,
                Role::Value if matches!(level.at, At::Key) => level.at = At::Value,
                Role::Value | Role::Property => {} // `key` has set the position
            }
            if role != Role::Key {
                level.before = level.before.saturating_add(1);
            }
        }
        let budget = &mut *self.budget;
        match self.open.last_mut() {
            Some(level) => Some((level.place()?, budget)),
            None => Some((self.root, budget)),
        }
    }

    /// Sets the name of the next value, or `None` if the key is not text.
    fn key(&mut self, name: Option<StrRef<'a>>) {
        if let Some(level) = self.open.last_mut() {
            level.key(name.and_then(|name| name.to_str().ok()), self.budget);
        }
    }

    /// Moves the shape of a container out of its location. Returns `None` if the container is
    /// ignored.
    fn enter(&mut self, open: &Open<'a>) -> Option<Level<'a>> {
        if self.ignored > 0 {
            return None;
        }
        if open.role == Role::Key {
            self.key(None);
        }
        let (kind, depth) = (open.container.kind(), self.open.len());
        let (shape, budget) = self.arrive(open.role)?;
        shape.seen = shape.seen.saturating_add(1);
        let facts = shape.of_kind(kind, budget)?;
        facts.open(open);
        if depth >= DEPTH {
            shape.cut = true;
            return None;
        }
        facts.items.open(&open.container, budget);
        Some(Level { shape: mem::take(shape), kind, at: At::Value, before: 0 })
    }

    /// Puts the innermost shape back into its location. Returns `None` if no container is open.
    fn leave(&mut self) -> Option<()> {
        let level = self.open.pop()?;
        let place = match self.open.last_mut() {
            Some(around) => around.place(),
            None => Some(&mut *self.root),
        };
        debug_assert!(place.is_some(), "it was taken from there");
        *place? = level.shape;
        Some(())
    }
}

impl<'a> Level<'a> {
    fn place(&mut self) -> Option<&mut Shape> {
        let facts = self.shape.known(self.kind)?;
        match (&mut facts.items, self.at) {
            (_, At::Key) => Some(facts.keys.get_or_insert_default()),
            (Items::Places(places), At::Element(index)) => places.get_mut(index),
            (Items::Fields(fields), At::Field(name)) => fields.get_mut(name),
            (Items::Elements(any) | Items::Values(any), _) => Some(any),
            _ => None,
        }
    }

    fn key(&mut self, name: Option<&'a str>, budget: &mut Budget) {
        self.at = At::Value;
        let Some(facts) = self.shape.known(self.kind) else { return };
        let Items::Fields(fields) = &mut facts.items else { return };
        let (record, place) = (facts.seen, self.before as u64);
        match name.filter(|name| fields.note(name, record, place, budget).is_some()) {
            Some(name) => self.at = At::Field(name),
            None => {
                let is_cut = budget.is_full();
                facts.items.join(budget);
                self.shape.cut |= is_cut;
            }
        }
    }
}

impl<'a> Visitor<'a> for SchemaVisitor<'_, 'a> {
    type Error = Error;

    fn leaf(&mut self, leaf: Leaf<'a>) -> Result<()> {
        self.add_leaf(&leaf);
        Ok(())
    }

    fn open(&mut self, open: Open<'a>) -> Result<()> {
        match self.enter(&open) {
            Some(level) => self.open.push(level),
            None => self.ignored = self.ignored.saturating_add(1),
        }
        Ok(())
    }

    fn property(&mut self, property: Property<'a>) -> Result<()> {
        if self.ignored == 0 {
            self.key(Some(property.name));
        }
        Ok(())
    }

    fn close(&mut self, _: Kind) -> Result<()> {
        match self.ignored.checked_sub(1) {
            Some(ignored) => self.ignored = ignored,
            None => {
                self.leave();
            }
        }
        Ok(())
    }
}
