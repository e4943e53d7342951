//! Collects statistics and irregularities of a save in one pass, for `check`, `show` and `convert`.

use super::{File, Reader, Refusal};
use crate::ui::text::{Count, Occurrences};
use gamewire::rems::{
    Component, Components, Error, FileFormat, Item, ItemSource, Pointers, Slot, Tables, Target,
    Value,
};
use std::borrow::Cow;
use std::collections::{BTreeMap, HashSet};
use std::fmt::{self, Display, Formatter};

/// The result of the pass.
#[derive(Default)]
pub struct Scan<'a> {
    pub roots: u64,
    pub objects: u64,
    pub properties: u64,
    pub pointers: u64,
    /// Number of objects of each class.
    pub classes: BTreeMap<Cow<'a, [u8]>, u64>,
    /// Objects that have the same number as a later object.
    pub duplicates: Occurrences,
    /// Pointers to numbers that no object has.
    pub dangling: Occurrences,
    /// Pointers to objects whose number is not written, but follows from the position of the
    /// object.
    pub implied: Occurrences,
    /// Pointers in lists that refer to a later object.
    pub forward: Occurrences,
    /// NaN and infinities without quotes in a text file.
    pub non_finite: Occurrences,
    /// Comments in a text file.
    pub comments: Occurrences,
    /// Bytes after the end of the save.
    pub trailing: Vec<Refusal<Trailing>>,
    /// Errors in single values, at most [`MAX_MALFORMED`].
    pub malformed: Vec<Error>,
    /// Number of malformed values.
    pub malformed_count: u64,
    /// The numbering of a text file. It is `None` if the file is malformed, if its numbers fit
    /// several numberings, or if the save is a binary stream.
    pub numbering: Option<Numbering>,
    /// Error at which reading stopped.
    pub end: Option<Error>,
}

/// Maximum number of errors in single values that a scan stores.
const MAX_MALFORMED: usize = 100;

/// The number of bytes after the end of a save. Engines ignore these bytes.
pub struct Trailing(u64);

impl Display for Trailing {
    fn fmt(&self, f: &mut Formatter<'_>) -> fmt::Result {
        write!(f, "{} after the end of the save", Count(self.0, "byte"))
    }
}

/// The numbering of a text file, which shows the age of the file.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Numbering {
    /// The objects have their numbers in a property `l:uuid`.
    May2020,
    /// At least one object has no number.
    Until2022,
    /// All objects have numbers, and at least one nested object has a number although no pointer
    /// refers to it.
    Since2023,
}

/// A reader that ends at the first error, and stores the error.
pub struct UpToError<'r, 't, 'a> {
    pub items: &'r mut Reader<'t, 'a>,
    pub error: Option<Error>,
}

impl<'a> ItemSource<'a> for UpToError<'_, '_, 'a> {
    fn next(&mut self) -> Result<Option<Item<'a>>, Error> {
        match self.items.next() {
            Ok(item) => Ok(item),
            Err(error) => {
                self.error = Some(error);
                Ok(None)
            }
        }
    }

    fn skip(&mut self) -> Result<(), Error> {
        self.items.skip()
    }

    fn offset(&self) -> u64 {
        self.items.offset()
    }
}

impl UpToError<'_, '_, '_> {
    /// Adds the offset of the last comment that was skipped since the previous call, if any.
    fn add_comment(&self, comments: &mut Occurrences, last: &mut Option<u64>) {
        let comment = self.items.last_comment();
        if let Some(offset) = comment.filter(|_| comment != *last) {
            comments.add(offset);
            *last = comment;
        }
    }
}

/// Indexes the objects of a save by their numbers, up to the first error.
pub fn pointers<'m, 'a>(
    file: &'a File,
    slots: &'m mut Vec<Slot<'a>>,
) -> Result<Pointers<'m, 'a>, Error> {
    let mut tables = Tables::new();
    let mut items = file.read(&mut tables);
    Pointers::collect(&mut UpToError { items: &mut items, error: None }, slots)
}

impl<'a> Scan<'a> {
    pub fn of(file: &'a File, pointers: &Pointers<'_, 'a>) -> Self {
        let mut scan = Self { end: file.content().err(), ..Self::default() };
        let mut tables = Tables::new();
        let mut items = file.read(&mut tables);
        let mut items = UpToError { items: &mut items, error: None };
        let mut walk = Walk { scan: &mut scan, pointers, file, open: Vec::new() };
        let (mut numbers, mut comment) = (Numbers::default(), None);
        loop {
            let offset = items.offset();
            let item = items.next();
            items.add_comment(&mut walk.scan.comments, &mut comment);
            let Ok(Some(item)) = item else { break };
            numbers.note(&item, walk.open.is_empty());
            walk.item(&item, offset);
        }
        scan.end = scan.end.or(items.error);
        scan.trailing = trailing(file, items.items.trailing().len());
        let is_whole_text = file.format == FileFormat::Text && scan.end.is_none();
        let age = if pointers.has_uuids() { Some(Numbering::May2020) } else { numbers.age() };
        scan.numbering = age.filter(|_| is_whole_text);
        pointers.duplicates().for_each(|object| scan.duplicates.add(object.offset));
        scan
    }

    /// Counts a pointer, and records it if it is irregular.
    fn pointer(&mut self, target: Target<'_>, offset: u64, is_element: bool) {
        self.pointers = self.pointers.saturating_add(1);
        match target {
            Target::Object(object) if is_element && object.offset > offset => {
                self.forward.add(offset);
            }
            Target::Object(_) => {}
            Target::Implied(_) => self.implied.add(offset),
            Target::Dangling => self.dangling.add(offset),
        }
    }

    /// Decodes a value, with all elements that the file contains.
    fn value(&mut self, value: &Value<'_>, is_text: bool) -> Result<(), Error> {
        if value.dim() > 0 {
            let mut elements = value.array()?.iter().written();
            return elements.try_for_each(|element| self.value(&element?, is_text));
        }
        let components = Components::of(value)?;
        // NaN and infinities in quotes are not counted, since the engine of 2021 can read them.
        let is_bare = is_text && !value.raw().contains(&b'"');
        if is_bare && !components.as_slice().iter().all(Component::is_finite) {
            self.non_finite.add(value.offset());
        }
        Ok(())
    }
}

/// Finds unexpected bytes after the objects of a save, and after the compressed data of a
/// container. For each of these places that has such bytes, returns their number and their offset.
/// `count` is the number of bytes after the objects.
fn trailing(file: &File, count: usize) -> Vec<Refusal<Trailing>> {
    let start = |len: usize, count: usize| len.saturating_sub(count) as u64;
    let content = file.content().map_or(0, <[u8]>::len);
    let inner = file.refused_at(start(content, count), Trailing(count as u64));
    let after = file.after_container;
    let outer = Refusal {
        offset: start(file.size, after),
        is_decompressed: false,
        reason: Trailing(after as u64),
    };
    [inner, outer].into_iter().filter(|trailing| trailing.reason.0 > 0).collect()
}

/// State of the pass.
struct Walk<'s, 'm, 'a> {
    scan: &'s mut Scan<'a>,
    pointers: &'s Pointers<'m, 'a>,
    file: &'s File,
    /// For each open object and list, `true` if it is a list.
    open: Vec<bool>,
}

impl<'a> Walk<'_, '_, 'a> {
    fn item(&mut self, item: &Item<'a>, offset: u64) {
        let scan = &mut *self.scan;
        match item {
            Item::Object(object) => {
                scan.objects = scan.objects.saturating_add(1);
                scan.roots = scan.roots.saturating_add(self.open.is_empty().into());
                let count = scan.classes.entry(object.class.to_bytes()).or_default();
                *count = count.saturating_add(1);
                self.open.push(false);
            }
            Item::Property(_) => scan.properties = scan.properties.saturating_add(1),
            Item::List(_) => self.open.push(true),
            Item::End => drop(self.open.pop()),
            Item::Pointer(number @ 1..) => {
                let is_element = self.open.last().is_some_and(|is_list| *is_list);
                scan.pointer(self.pointers.get(*number), offset, is_element);
            }
            Item::Value(value) => {
                let read = scan.value(value, self.file.format == FileFormat::Text);
                if let Err(error) = read {
                    scan.malformed_count = scan.malformed_count.saturating_add(1);
                    if scan.malformed.len() < MAX_MALFORMED {
                        scan.malformed.push(error);
                    }
                }
            }
            _ => {}
        }
    }
}

/// Numbers of objects and of pointers.
#[derive(Default)]
struct Numbers {
    /// Numbers of the objects that are not top-level objects.
    nested: HashSet<u64>,
    /// Numbers to which pointers refer.
    referenced: HashSet<u64>,
    is_one_missing: bool,
}

impl Numbers {
    /// Records the number of an object or pointer. Ignores the numbers of top-level objects,
    /// because the engine of 2021 wrote these even if no pointer refers to them.
    fn note(&mut self, item: &Item<'_>, is_root: bool) {
        match item {
            Item::Pointer(number) => drop(self.referenced.insert(*number)),
            Item::Object(object) => match object.pointer {
                None => self.is_one_missing = true,
                Some(_) if is_root => {}
                Some(number) => drop(self.nested.insert(number)),
            },
            _ => {}
        }
    }

    fn age(&self) -> Option<Numbering> {
        if self.is_one_missing {
            return Some(Numbering::Until2022);
        }
        let has_unreferenced = !self.nested.is_subset(&self.referenced);
        has_unreferenced.then_some(Numbering::Since2023)
    }
}
