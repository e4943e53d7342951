//! `gamewire rems convert --to json`: a save as JSON that does not say types, with the keys that the
//! library gives to serde.

mod lines;

use super::File;
use super::atom::{Atom, Atoms};
use super::room::Room;
use crate::ui::input::Stop;
use crate::ui::text::Occurrences;
use gamewire::rems::typed::key_of;
use gamewire::rems::{Error, Item, Items, List, Object, Str, Tables, Type, Value};
use lines::Lines;
use serde::ser::{Serialize, SerializeMap, SerializeSeq, Serializer};
use std::borrow::Cow;
use std::cell::{Cell, RefCell};
use std::collections::HashSet;
use std::fmt::{self, Display};
use std::io::Write;

/// What JSON has no place for.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Loss {
    NotUtf8,
    NotFinite,
    SameName,
}

impl Display for Loss {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            Self::NotUtf8 => "bytes that are not UTF-8 become U+FFFD",
            Self::NotFinite => "NaN and infinities become text, since JSON has no such numbers",
            Self::SameName => {
                "a name that the object has twice: most readers of JSON keep the last only"
            }
        })
    }
}

/// What was lost, and where that was in the save.
pub type Losses = Vec<(Loss, Occurrences)>;

/// Writes all of a save, unless not all of it can be read or it declares more than is written.
pub fn write(file: &File, out: &mut impl Write) -> Result<Losses, Stop> {
    let mut tables = Tables::new();
    let walk = Walk {
        items: RefCell::new(file.read(&mut tables)),
        room: RefCell::default(),
        losses: RefCell::default(),
        error: Cell::new(None),
        is_inline: Cell::new(false),
    };
    let mut to = serde_json::Serializer::with_formatter(out, Lines::new(&walk.is_inline));
    match (walk.serialize(&mut to), walk.error.get()) {
        (_, Some(error)) => Err(Stop::input(file.refusal(error))),
        (Err(error), None) => Err(Stop::Output(error.into())),
        (Ok(()), None) => Ok(walk.losses.take()),
    }
}

/// The items of a save, each of which is written as it is read.
struct Walk<I> {
    items: RefCell<I>,
    room: RefCell<Room>,
    losses: RefCell<Losses>,
    /// Why it ends before it is complete.
    error: Cell<Option<Error>>,
    is_inline: Cell<bool>,
}

impl<'a, I: Items<'a>> Walk<I> {
    /// The next item, and where it is or the blanks before it are.
    fn next<E: serde::ser::Error>(&self) -> Result<Option<(Item<'a>, u64)>, E> {
        let mut items = self.items.borrow_mut();
        let offset = items.offset();
        let item = self.check(items.next())?;
        Ok(item.map(|item| (item, offset)))
    }

    /// Keeps an error, of which serde gets to know that there is one.
    fn check<T, E: serde::ser::Error>(&self, read: Result<T, Error>) -> Result<T, E> {
        read.map_err(|error| {
            self.error.set(Some(error));
            E::custom("the save ends here")
        })
    }

    fn put_in<E: serde::ser::Error>(&self, count: u32, offset: u64) -> Result<(), E> {
        let taken = self.room.borrow_mut().take(count);
        self.check(taken.map_err(|kind| Error::new(kind, offset)))
    }

    fn lose(&self, loss: Loss, offset: u64) {
        let mut losses = self.losses.borrow_mut();
        match losses.iter_mut().find(|(known, _)| *known == loss) {
            Some((_, places)) => places.add(offset),
            None => losses.push((loss, Occurrences::at(offset))),
        }
    }

    fn text<'s>(&self, text: Str<'s>, offset: u64) -> Cow<'s, str> {
        let bytes = text.to_bytes();
        if std::str::from_utf8(&bytes).is_err() {
            self.lose(Loss::NotUtf8, offset);
        }
        text.to_string_lossy()
    }

    fn node(&self, item: Item<'a>, offset: u64) -> Node<'_, 'a, I> {
        Node { walk: self, item, offset }
    }
}

/// The objects of the file.
impl<'a, I: Items<'a>> Serialize for Walk<I> {
    fn serialize<S: Serializer>(&self, to: S) -> Result<S::Ok, S::Error> {
        let mut roots = to.serialize_seq(None)?;
        while let Some((item, offset)) = self.next()? {
            roots.serialize_element(&self.node(item, offset))?;
        }
        roots.end()
    }
}

/// An item, and what it begins.
struct Node<'w, 'a, I> {
    walk: &'w Walk<I>,
    item: Item<'a>,
    offset: u64,
}

impl<'a, I: Items<'a>> Serialize for Node<'_, 'a, I> {
    fn serialize<S: Serializer>(&self, to: S) -> Result<S::Ok, S::Error> {
        match &self.item {
            Item::Object(object) => self.object(object, to),
            Item::List(list) => self.list(list, to),
            Item::Value(value) => self.inline(|| self.value(value, to)),
            Item::Pointer(number @ 1..) => self.inline(|| to.collect_map([("*ptr", number)])),
            _ => to.serialize_unit(),
        }
    }
}

impl<'a, I: Items<'a>> Node<'_, 'a, I> {
    /// On one line.
    fn inline<T>(&self, write: impl FnOnce() -> T) -> T {
        let was = self.walk.is_inline.replace(true);
        let written = write();
        self.walk.is_inline.set(was);
        written
    }

    fn object<S: Serializer>(&self, object: &Object<'a>, to: S) -> Result<S::Ok, S::Error> {
        let walk = self.walk;
        let mut map = to.serialize_map(None)?;
        map.serialize_entry("class", &walk.text(object.class, object.offset))?;
        if let Some(number @ 1..) = object.pointer {
            map.serialize_entry("*ptr", &number)?;
        }
        // (What it has takes more bytes in the file than here.)
        let mut names = HashSet::new();
        while let Some((Item::Property(property), _)) = walk.next()? {
            if !names.insert(key_of(property.name).to_bytes()) {
                walk.lose(Loss::SameName, property.offset);
            }
            let Some((item, offset)) = walk.next()? else { break };
            let key = walk.text(key_of(property.name), property.offset);
            map.serialize_entry(&key, &walk.node(item, offset))?;
        }
        map.end()
    }

    fn list<S: Serializer>(&self, list: &List<'a>, to: S) -> Result<S::Ok, S::Error> {
        let mut seq = to.serialize_seq(None)?;
        let mut left = list.len;
        while let Some((item, offset)) = self.walk.next()? {
            if let Item::End = item {
                break;
            }
            left = left.saturating_sub(1);
            seq.serialize_element(&self.walk.node(item, offset))?;
        }
        self.walk.put_in(left, self.offset)?;
        for _ in 0..left {
            match (list.ty, list.ty.dim()) {
                (_, 2..) => seq.serialize_element::<[(); 0]>(&[])?,
                (Type::Kind(..), _) => seq.serialize_element("")?,
                _ => seq.serialize_element(&())?,
            }
        }
        seq.end()
    }

    fn value<S: Serializer>(&self, value: &Value<'a>, to: S) -> Result<S::Ok, S::Error> {
        let walk = self.walk;
        if value.dim() > 0 {
            return self.array(value, to);
        }
        let atoms = walk.check(Atoms::of(value))?;
        if let Some(Atom::Text(text)) = atoms.single() {
            return to.serialize_str(&walk.text(*text, value.offset()));
        }
        if !atoms.parts().iter().all(Atom::is_finite) {
            walk.lose(Loss::NotFinite, value.offset());
        }
        atoms.serialize(to)
    }

    fn array<S: Serializer>(&self, value: &Value<'a>, to: S) -> Result<S::Ok, S::Error> {
        let array = self.walk.check(value.array())?;
        let mut is_written = true;
        let mut seq = to.serialize_seq(None)?;
        for (index, element) in (0_u32..).zip(array.iter()) {
            let element = self.walk.check(element)?;
            if is_written && element.is_initial() {
                self.walk.put_in(array.len().saturating_sub(index), value.offset())?;
                is_written = false;
            }
            seq.serialize_element(&self.walk.node(Item::Value(element), value.offset()))?;
        }
        seq.end()
    }
}
