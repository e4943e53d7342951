//! Tagged properties: what an object is made of, each with its name and type.
//!
//! A list of them ends with the name `None`. Values are borrowed; what cannot be understood
//! is [`Opaque`](PropertyValue::Opaque) with its [`Reason`], and the next property is read
//! all the same, since a tag says how long its value is.

mod container;
mod containers;
mod context;
#[cfg(feature = "serde")]
mod document;
mod encode;
mod find;
mod formatted;
mod head;
mod kind;
#[cfg(feature = "alloc")]
mod new;
mod object;
mod structs;
mod tag;
mod types;
mod unversioned;
mod value;
mod visit;
mod words;
mod write;

pub use container::Container;
pub use containers::{Delegates, Elements, Entries, Map, Names, Set};
pub(crate) use context::{Context, NameTable};
pub use context::{Hint, NameRef, ObjectRef};
pub use formatted::*;
pub use head::Head;
pub use kind::Kind;
#[cfg(feature = "alloc")]
pub use new::{TagBuf, TypeBuf};
pub use object::{ObjectProperties, Tail};
pub use structs::{Native, NativeFields, NativeValue};
pub use tag::{Overridden, Tag, TagHead, tag_flags};
pub use types::Type;
pub use unversioned::{Fragment, Slot, Unversioned};
pub use value::{Delegate, FieldPath, Instanced, PropertyValue, Reason, SoftReference};
pub use visit::{Counts, PropertyVisitor, Reference, References};
pub use write::PropertyWriter;

use super::wire::Input;
use super::{Error, ErrorKind, NameText, Result};
use core::iter::FusedIterator;

/// A list of properties, up to the name that ends it. After an error there are no more.
#[derive(Clone, Copy, Debug)]
pub struct Properties<'p> {
    at: Input<'p>,
    context: &'p Context<'p>,
    /// How many values may still be inside each other: who goes through them calls itself.
    room: u8,
    done: bool,
}

/// Structs and containers inside each other; no engine comes near.
pub(crate) const ROOM: u8 = 48;

impl<'p> Properties<'p> {
    pub(super) const fn new(at: Input<'p>, context: &'p Context<'p>) -> Self {
        Self { at, context, room: ROOM, done: false }
    }

    /// A list that is over before it begins.
    pub(super) const fn none(at: Input<'p>, context: &'p Context<'p>) -> Self {
        Self { at, context, room: 0, done: true }
    }

    /// A list inside of a value, which `from` moves past. What may be something else is asked
    /// for the names of its kinds of properties.
    pub(super) fn walked(
        from: &mut Input<'p>,
        context: &'p Context<'p>,
        doubtful: bool,
        room: u8,
    ) -> Result<Self> {
        let list = Self { room, ..Self::new(*from, context) };
        while pass(from, context, doubtful)? {}
        Ok(list)
    }

    /// Where the next property begins; once there are no more, where the list ends.
    pub fn offset(&self) -> u64 {
        self.at.offset()
    }

    /// What comes behind the list; properties that were not looked at are passed.
    ///
    /// # Errors
    /// If the list does not end as it should.
    pub(super) fn end(mut self) -> Result<Input<'p>> {
        self.try_for_each(|tag| tag.map(drop))?;
        Ok(self.at)
    }

    /// The name that ends the list, if it ends as it should. (Of one that is over already it
    /// is no longer known.)
    pub(super) fn ending(&self) -> Option<NameRef<'p>> {
        if self.done {
            return None;
        }
        let mut at = self.end_of_tags()?;
        at.read(&self.context.layout).ok()
    }

    /// Where the name is that ends the list.
    fn end_of_tags(mut self) -> Option<Input<'p>> {
        loop {
            let at = self.at;
            match self.next() {
                Some(Ok(_)) => {}
                Some(Err(_)) => return None,
                None => return Some(at),
            }
        }
    }

    /// The text of a name in these properties.
    pub fn name(&self, name: NameRef<'p>) -> NameText<'p> {
        self.context.text(name).unwrap_or_default()
    }
}

/// Moves past a property, or the end of a list and is `false`.
fn pass<'p>(from: &mut Input<'p>, context: &'p Context<'p>, doubtful: bool) -> Result<bool> {
    let mut at = *from;
    let Some(head) = TagHead::read(&mut at, context)? else {
        *from = at;
        return Ok(false);
    };
    at.bytes(head.size.into())?;
    *from = at;
    if doubtful && !is_kind(&head) {
        let (what, value) = ("kind of property", 0);
        return Err(Error::new(ErrorKind::Unknown { what, value }, head.offset));
    }
    Ok(true)
}

/// Whether the word for its kind is one for a kind of property.
fn is_kind(head: &TagHead<'_>) -> bool {
    let word = head.of.word();
    head.of.kind() != Kind::Unknown
        || word.number() == 0 && word.text().bytes().ends_with(b"Property")
}

impl<'p> Iterator for Properties<'p> {
    type Item = Result<Tag<'p>>;

    fn next(&mut self) -> Option<Self::Item> {
        if self.done {
            return None;
        }
        let mut at = self.at;
        match Tag::read(&mut at, self.context, self.room) {
            Ok(Some(tag)) => {
                self.at = at;
                Some(Ok(tag))
            }
            Ok(None) => {
                (self.at, self.done) = (at, true);
                None
            }
            Err(error) => {
                self.done = true;
                Some(Err(error))
            }
        }
    }
}

impl FusedIterator for Properties<'_> {}
