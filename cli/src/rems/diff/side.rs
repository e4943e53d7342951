//! One of the two saves that are compared.

use crate::rems::{File, inline};
use crate::ui::input::Stop;
use gamewire::rems::{Item, Pointers, Slot, Tape};
use std::collections::hash_map::DefaultHasher;
use std::hash::{Hash, Hasher};

/// A save whose items are all in memory.
pub struct Side<'s, 'a> {
    pub tape: Tape<'a>,
    pointers: Pointers<'s, 'a>,
    fingerprints: Vec<u64>,
}

impl<'s, 'a> Side<'s, 'a> {
    pub fn load(file: &'a File, slots: &'s mut Vec<Slot<'a>>) -> Result<Self, Stop> {
        let (tape, error) = file.tape()?;
        if let Some(error) = error {
            return Err(Stop::input(file.refusal(error)));
        }
        let pointers = tape.pointers(slots);
        Ok(Self { fingerprints: fingerprints(&tape), pointers, tape })
    }

    /// Returns the hash of an item and its subtree. The hash ignores the numbers of objects and
    /// pointers.
    pub fn fingerprint(&self, at: usize) -> u64 {
        self.fingerprints.get(at).copied().unwrap_or_default()
    }

    /// Returns the index of the object with this number.
    pub fn target(&self, number: u64) -> Option<usize> {
        self.tape.index_of(&self.pointers.get(number).object()?)
    }
}

/// Returns the hash of each item and its subtree. Ignores the numbers of objects and pointers.
fn fingerprints(tape: &Tape<'_>) -> Vec<u64> {
    let mut fingerprints = vec![0; tape.len()];
    let mut open: Vec<(usize, DefaultHasher)> = Vec::new();
    for at in 0..tape.len() {
        let Some(item) = tape.item(at) else { break };
        let mut hasher = DefaultHasher::new();
        std::mem::discriminant(item).hash(&mut hasher);
        let (at, hash) = match item {
            Item::Object(object) => {
                object.class.to_bytes().hash(&mut hasher);
                open.push((at, hasher));
                continue;
            }
            Item::List(_) => {
                open.push((at, hasher));
                continue;
            }
            Item::End => match open.pop() {
                Some((begun, hasher)) => (begun, hasher.finish()),
                None => continue,
            },
            Item::Property(property) => {
                property.name.to_bytes().hash(&mut hasher);
                (at, hasher.finish())
            }
            Item::Value(value) => {
                inline::value(value, true).ok().hash(&mut hasher);
                (at, hasher.finish())
            }
            _ => (at, hasher.finish()),
        };
        if let Some(fingerprint) = fingerprints.get_mut(at) {
            *fingerprint = hash;
        }
        if let Some((_, outer)) = open.last_mut() {
            hash.hash(outer);
        }
    }
    fingerprints
}
