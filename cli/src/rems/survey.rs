//! What is in a save, and what is unusual about it: one pass over all of it.

use super::atom::{Atom, Atoms};
use super::{File, Reader};
use crate::ui::text::Occurrences;
use gamewire::rems::{Error, FileForm, Item, Items, Pointers, Slot, Tables, Target, Value};
use std::borrow::Cow;
use std::collections::{BTreeMap, HashSet};

/// What was found.
#[derive(Default)]
pub struct Survey<'a> {
    pub roots: u64,
    pub objects: u64,
    pub properties: u64,
    pub pointers: u64,
    /// By class.
    pub classes: BTreeMap<Cow<'a, [u8]>, u64>,
    pub duplicates: Occurrences,
    pub dangling: Occurrences,
    /// Pointers to objects that only counting gives a number.
    pub implied: Occurrences,
    /// Pointers in lists to what comes later.
    pub ahead: Occurrences,
    /// Values in a text that are NaN or infinite.
    pub infinite: Occurrences,
    /// Values that are malformed.
    pub malformed: Vec<Error>,
    /// Of a text.
    pub numbering: Option<Numbering>,
    /// Why that is not all.
    pub end: Option<Error>,
}

/// How many values that are malformed are told of.
const MALFORMED: usize = 100;

/// When a text was written, as its numbers of objects tell.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Numbering {
    /// Not every object has one.
    Until2022,
    /// Objects have one to which nothing points.
    Since2023,
}

/// A reader for which an error is the end.
pub struct UpToError<'r, 't, 'a> {
    pub items: &'r mut Reader<'t, 'a>,
    pub error: Option<Error>,
}

impl<'a> Items<'a> for UpToError<'_, '_, 'a> {
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

/// The objects of a save by their numbers, as far as it can be read.
pub fn pointers<'m, 'a>(
    file: &'a File,
    slots: &'m mut Vec<Slot<'a>>,
) -> Result<Pointers<'m, 'a>, Error> {
    let mut tables = Tables::new();
    let mut items = file.read(&mut tables);
    Pointers::collect(&mut UpToError { items: &mut items, error: None }, slots)
}

impl<'a> Survey<'a> {
    pub fn of(file: &'a File, pointers: &Pointers<'_, 'a>) -> Self {
        let mut survey = Self { end: file.content().err(), ..Self::default() };
        let mut tables = Tables::new();
        let mut items = file.read(&mut tables);
        let mut items = UpToError { items: &mut items, error: None };
        let mut walk = Walk { survey: &mut survey, pointers, file, open: Vec::new() };
        let mut numbers = Numbers::default();
        loop {
            let offset = items.offset();
            // (There is no error any more.)
            let Ok(Some(item)) = items.next() else { break };
            numbers.note(&item, walk.open.is_empty());
            walk.item(&item, offset);
        }
        survey.end = survey.end.or(items.error);
        let is_whole_text = file.form == FileForm::Text && survey.end.is_none();
        survey.numbering = numbers.tell().filter(|_| is_whole_text);
        pointers.duplicates().for_each(|object| survey.duplicates.add(object.offset));
        survey
    }

    /// What a pointer leads to.
    fn pointer(&mut self, target: Target<'_>, offset: u64, is_element: bool) {
        self.pointers = self.pointers.saturating_add(1);
        match target {
            Target::Object(object) if is_element && object.offset > offset => {
                self.ahead.add(offset);
            }
            Target::Object(_) => {}
            Target::Implied(_) => self.implied.add(offset),
            Target::Dangling => self.dangling.add(offset),
        }
    }

    /// Reads all that is written of a value.
    fn value(&mut self, value: &Value<'_>, is_text: bool) -> Result<(), Error> {
        if value.dim() > 0 {
            let mut elements = value.array()?.iter().written();
            return elements.try_for_each(|element| self.value(&element?, is_text));
        }
        let atoms = Atoms::of(value)?;
        // (In quotes, 2021 reads it.)
        let is_bare = is_text && !value.raw().contains(&b'"');
        if is_bare && !atoms.parts().iter().all(Atom::is_finite) {
            self.infinite.add(value.offset());
        }
        Ok(())
    }
}

/// The pass.
struct Walk<'s, 'm, 'a> {
    survey: &'s mut Survey<'a>,
    pointers: &'s Pointers<'m, 'a>,
    file: &'s File,
    /// Whether what is open is a list.
    open: Vec<bool>,
}

impl<'a> Walk<'_, '_, 'a> {
    fn item(&mut self, item: &Item<'a>, offset: u64) {
        let survey = &mut *self.survey;
        match item {
            Item::Object(object) => {
                survey.objects = survey.objects.saturating_add(1);
                survey.roots = survey.roots.saturating_add(self.open.is_empty().into());
                let count = survey.classes.entry(object.class.to_bytes()).or_default();
                *count = count.saturating_add(1);
                self.open.push(false);
            }
            Item::Property(_) => survey.properties = survey.properties.saturating_add(1),
            Item::List(_) => self.open.push(true),
            Item::End => drop(self.open.pop()),
            Item::Pointer(number @ 1..) => {
                let is_element = self.open.last().is_some_and(|is_list| *is_list);
                survey.pointer(self.pointers.get(*number), offset, is_element);
            }
            Item::Value(value) => {
                let read = survey.value(value, self.file.form == FileForm::Text);
                if let Err(error) = read
                    && survey.malformed.len() < MALFORMED
                {
                    survey.malformed.push(error);
                }
            }
            _ => {}
        }
    }
}

/// The numbers of objects, and those that something points to.
#[derive(Default)]
struct Numbers {
    inside: HashSet<u32>,
    pointed_to: HashSet<u32>,
    is_one_missing: bool,
}

impl Numbers {
    /// 2021 gave a number to the objects of the file, and else only to those to which something
    /// points.
    fn note(&mut self, item: &Item<'_>, is_root: bool) {
        match item {
            Item::Pointer(number) => drop(self.pointed_to.insert(*number)),
            Item::Object(object) => match object.pointer {
                None => self.is_one_missing = true,
                Some(_) if is_root => {}
                Some(number) => drop(self.inside.insert(number)),
            },
            _ => {}
        }
    }

    fn tell(&self) -> Option<Numbering> {
        if self.is_one_missing {
            return Some(Numbering::Until2022);
        }
        let is_superfluous = !self.inside.is_subset(&self.pointed_to);
        is_superfluous.then_some(Numbering::Since2023)
    }
}
