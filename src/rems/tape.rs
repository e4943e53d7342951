//! All items of a file in memory.

use super::{Error, ErrorKind, Item, ItemSource, Object, Pointers, Result, Slot};
use alloc::vec::Vec;

/// The items of a file in one vector, with links from the start of each object and list to its end.
/// With a tape, a program can follow a path or compare two files without reading them again.
///
/// An item takes about 100 bytes.
///
/// ```
/// use gamewire::rems::{Item, Tape, TextReader};
///
/// let text = br#"[{"class":"Outer","i:*ptr":1,"K[]:kids":[2,{"i:x":1},{"i:x":2}],"i:y":7}]"#;
/// let tape = Tape::collect(&mut TextReader::new(text), 1000)?;
/// let outer = tape.roots()[0];
/// let [kids, y] = tape.children(outer).collect::<Vec<_>>()[..] else { panic!() };
/// assert!(matches!(tape.item(kids), Some(Item::Property(property)) if property.name == *"kids"));
/// assert_eq!(tape.children(kids + 1).count(), 2);
/// assert!(matches!(tape.item(y + 1), Some(Item::Value(value)) if value.integer()? == 7));
/// # Ok::<(), gamewire::rems::Error>(())
/// ```
#[derive(Clone, Debug)]
pub struct Tape<'a> {
    items: Vec<Item<'a>>,
    /// For each item, the index of the first item after its subtree.
    ends: Vec<usize>,
    /// For each item, the offset of its end in the file.
    end_offsets: Vec<u64>,
    /// Indices of all objects.
    objects: Vec<usize>,
    roots: Vec<usize>,
    error: Option<Error>,
}

impl<'a> Tape<'a> {
    /// Reads all items. If the file is malformed, the tape ends at the error, and
    /// [`error`](Self::error) returns the error.
    ///
    /// # Errors
    /// If the file has more than `limit` items. A small compressed container can expand to a very
    /// large number of items.
    pub fn collect(source: &mut dyn ItemSource<'a>, limit: usize) -> Result<Self> {
        let mut tape = Self {
            items: Vec::new(),
            ends: Vec::new(),
            end_offsets: Vec::new(),
            objects: Vec::new(),
            roots: Vec::new(),
            error: None,
        };
        let mut open = Vec::new();
        loop {
            match source.next() {
                Ok(Some(_)) if tape.items.len() == limit => {
                    let limit = limit as u64;
                    return Err(Error::new(ErrorKind::TooManyItems { limit }, source.offset()));
                }
                Ok(Some(item)) => tape.push(item, source.offset(), &mut open),
                Ok(None) => break,
                Err(error) => {
                    tape.error = Some(error);
                    break;
                }
            }
        }
        for start in open {
            tape.close(start);
        }
        Ok(tape)
    }

    fn push(&mut self, item: Item<'a>, end_offset: u64, open: &mut Vec<usize>) {
        let at = self.items.len();
        self.items.push(item);
        self.end_offsets.push(end_offset);
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
                if let Some(start) = open.pop() {
                    self.close(start);
                }
            }
            _ => {}
        }
    }

    fn close(&mut self, start: usize) {
        let end = self.items.len();
        if let Some(at) = self.ends.get_mut(start) {
            *at = end;
        }
    }

    /// Returns the number of items.
    pub fn len(&self) -> usize {
        self.items.len()
    }

    /// Returns `true` if the tape has no items.
    pub fn is_empty(&self) -> bool {
        self.items.is_empty()
    }

    /// Returns the error at which reading stopped, if the file is malformed.
    pub fn error(&self) -> Option<Error> {
        self.error
    }

    /// Returns the indices of the top-level objects.
    pub fn roots(&self) -> &[usize] {
        &self.roots
    }

    /// Returns the item at an index.
    pub fn item(&self, at: usize) -> Option<&Item<'a>> {
        self.items.get(at)
    }

    /// Returns the item at an index and, if it starts an object or list, all items up to its
    /// [`Item::End`].
    pub fn subtree(&self, at: usize) -> &[Item<'a>] {
        self.items.get(at..self.end_of(at)).unwrap_or_default()
    }

    /// Returns the index of the first item after the subtree of an item.
    fn end_of(&self, at: usize) -> usize {
        self.ends.get(at).copied().unwrap_or(self.items.len())
    }

    /// Returns the offset in the file at which the subtree of an item ends.
    pub fn end_offset(&self, at: usize) -> Option<u64> {
        self.end_offsets.get(self.end_of(at).checked_sub(1)?).copied()
    }

    /// Returns the indices of the direct children of an object or list. The children of an object
    /// are its properties, and the value of each property is at the next index. The children of a
    /// list are its elements.
    pub fn children(&self, at: usize) -> impl Iterator<Item = usize> {
        let mut next = at.saturating_add(1);
        let end = self.end_of(at);
        core::iter::from_fn(move || {
            let child = next;
            let value = match self.item(child).filter(|_| child < end)? {
                Item::End => return None,
                Item::Property(_) => child.saturating_add(1),
                _ => child,
            };
            next = self.end_of(value);
            Some(child)
        })
    }

    /// Returns the index of the item that starts `object`. Looks it up by the offset of the object.
    pub fn index_of(&self, object: &Object<'a>) -> Option<usize> {
        let offset = |at: &usize| match self.item(*at) {
            Some(Item::Object(object)) => object.offset,
            _ => u64::MAX,
        };
        let found = self.objects.binary_search_by_key(&object.offset, offset).ok()?;
        self.objects.get(found).copied()
    }

    /// Returns an index of the objects by number. The index is stored in `slots`.
    pub fn pointers<'m>(&self, slots: &'m mut Vec<Slot<'a>>) -> Pointers<'m, 'a> {
        Pointers::from_items(self.items.iter(), slots)
    }
}
