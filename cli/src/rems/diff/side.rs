//! One of the two saves.

use crate::rems::tape::Tape;
use crate::rems::{File, inline};
use crate::ui::input::Stop;
use gamewire::rems::{Item, Pointers, Slot};
use std::collections::hash_map::DefaultHasher;
use std::hash::{Hash, Hasher};

/// A save that could be read to its end.
pub struct Side<'s, 'a> {
    pub tape: Tape<'a>,
    pointers: Pointers<'s, 'a>,
    likeness: Vec<u64>,
}

impl<'s, 'a> Side<'s, 'a> {
    pub fn load(file: &'a File, slots: &'s mut Vec<Slot<'a>>) -> Result<Self, Stop> {
        let tape = Tape::of(file)?;
        match (tape.end, tape.pointers(slots)) {
            (Some(error), _) | (None, Err(error)) => Err(Stop::input(file.refusal(error))),
            (None, Ok(pointers)) => Ok(Self { likeness: likeness(&tape), pointers, tape }),
        }
    }

    /// What an item and all in it is like: a number that is the same for what is alike.
    pub fn likeness(&self, at: usize) -> u64 {
        self.likeness.get(at).copied().unwrap_or_default()
    }

    /// Where the object is that has that number.
    pub fn place(&self, number: u32) -> Option<usize> {
        self.tape.place(&self.pointers.get(number).object()?)
    }
}

/// What is in an object or list counts for that, too; numbers of objects do not.
fn likeness(tape: &Tape<'_>) -> Vec<u64> {
    let mut likeness = vec![0; tape.len()];
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
        if let Some(place) = likeness.get_mut(at) {
            *place = hash;
        }
        if let Some((_, outer)) = open.last_mut() {
            hash.hash(outer);
        }
    }
    likeness
}
