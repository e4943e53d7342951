//! A save in memory: its items in a row, to be led through and compared.

use super::File;
use crate::ui::input::Stop;
use gamewire::rems::{Error, Item, Items, Object, Pointers, Slot, Tables};

/// How many items there may be: each takes some 100 bytes, and in a container next to none.
const ITEMS: usize = 1 << 24;

/// The items of a save, as far as it can be read.
pub struct Tape<'a> {
    items: Vec<Item<'a>>,
    /// Of each item that begins something, where that ends: the next item is behind it.
    ends: Vec<usize>,
    /// Where each item ends in the file.
    behind: Vec<u64>,
    /// The objects among them.
    objects: Vec<usize>,
    /// Those of the file itself.
    pub roots: Vec<usize>,
    /// Why that is not all.
    pub end: Option<Error>,
}

impl<'a> Tape<'a> {
    pub fn of(file: &'a File) -> Result<Self, Stop> {
        let mut tables = Tables::new();
        let mut reader = file.read(&mut tables);
        let end = file.content().err();
        let (items, ends, behind) = (Vec::new(), Vec::new(), Vec::new());
        let mut tape = Self { items, ends, behind, objects: Vec::new(), roots: Vec::new(), end };
        let mut open = Vec::new();
        loop {
            match reader.next() {
                Ok(Some(_)) if tape.items.len() == ITEMS => {
                    return Err(Stop::input(format_args!("more than {ITEMS} objects and values")));
                }
                Ok(Some(item)) => tape.push(item, reader.offset(), &mut open),
                Ok(None) => break,
                Err(error) => {
                    tape.end = tape.end.or(Some(error));
                    break;
                }
            }
        }
        for begun in open {
            tape.close(begun);
        }
        Ok(tape)
    }

    fn push(&mut self, item: Item<'a>, behind: u64, open: &mut Vec<usize>) {
        let at = self.items.len();
        self.items.push(item);
        self.behind.push(behind);
        self.ends.push(at.saturating_add(1));
        match item {
            Item::Object(_) => {
                if open.is_empty() {
                    self.roots.push(at);
                }
                self.objects.push(at);
                open.push(at);
            }
            Item::List(_) => open.push(at),
            Item::End => {
                if let Some(begun) = open.pop() {
                    self.close(begun);
                }
            }
            _ => {}
        }
    }

    fn close(&mut self, begun: usize) {
        let end = self.items.len();
        if let Some(at) = self.ends.get_mut(begun) {
            *at = end;
        }
    }

    /// How many items there are.
    pub fn len(&self) -> usize {
        self.items.len()
    }

    pub fn item(&self, at: usize) -> Option<&Item<'a>> {
        self.items.get(at)
    }

    /// The item and all that is in what it begins.
    pub fn items(&self, at: usize) -> &[Item<'a>] {
        self.items.get(at..self.end_of(at)).unwrap_or_default()
    }

    /// Where what comes behind it is.
    fn end_of(&self, at: usize) -> usize {
        self.ends.get(at).copied().unwrap_or(self.items.len())
    }

    /// Where it ends in the file.
    pub fn behind(&self, at: usize) -> Option<u64> {
        self.behind.get(self.end_of(at).checked_sub(1)?).copied()
    }

    /// What is directly in an object or list: of an object, its properties, whose values are the
    /// items behind them.
    pub fn inside(&self, at: usize) -> impl Iterator<Item = usize> {
        let mut next = at.saturating_add(1);
        let end = self.end_of(at);
        std::iter::from_fn(move || {
            let this = next;
            let value = match self.item(this).filter(|_| this < end)? {
                Item::End => return None,
                Item::Property(_) => this.saturating_add(1),
                _ => this,
            };
            next = self.end_of(value);
            Some(this)
        })
    }

    /// Where an object is that [`Pointers`] has told of.
    pub fn place(&self, object: &Object<'a>) -> Option<usize> {
        let offset = |at: &usize| match self.item(*at) {
            Some(Item::Object(object)) => object.offset,
            _ => u64::MAX,
        };
        let found = self.objects.binary_search_by_key(&object.offset, offset).ok()?;
        self.objects.get(found).copied()
    }

    /// Its objects by their numbers.
    pub fn pointers<'m>(&self, slots: &'m mut Vec<Slot<'a>>) -> Result<Pointers<'m, 'a>, Error> {
        Pointers::collect(&mut Again(self.items.iter()), slots)
    }
}

/// The items once more.
struct Again<'t, 'a>(std::slice::Iter<'t, Item<'a>>);

impl<'a> Items<'a> for Again<'_, 'a> {
    fn next(&mut self) -> Result<Option<Item<'a>>, Error> {
        Ok(self.0.next().copied())
    }

    fn skip(&mut self) -> Result<(), Error> {
        Ok(()) // nobody skips
    }

    fn offset(&self) -> u64 {
        0
    }
}
