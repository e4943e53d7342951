//! What has to be known of a file before it is written as something else.

use crate::rems::{Item, ItemSource, Result, StrRef};
use alloc::vec::Vec;

/// Which objects of a file are referred to, which numbers they have or get, and which lists can
/// do without numbers: from a first pass over it, for [`convert`](super::convert).
///
/// It takes up to 40 bytes for each object, list and pointer, all of which have at least one byte
/// in the file.
///
/// Objects that have no number get one. Where counting all objects in the order of the file
/// gives every number that is written, that is their number, as for
/// [`Target::Implied`](crate::rems::Target::Implied); else the lowest that nobody has or refers to.
/// An object that says 0 gets such a one in any case, as nothing leads to it.
#[derive(Clone, Debug, Default)]
pub struct Plan<'a> {
    /// In the order of the file.
    objects: Vec<Entry<'a>>,
    /// The number of an object in [`objects`](Self::objects) behind its own; sorted.
    by_number: Vec<(u32, u32)>,
    /// The numbers of pointers, sorted.
    pointers: Vec<u32>,
    /// In the order of the file: all elements are objects of one class, and not referred to.
    lists: Vec<bool>,
}

#[derive(Clone, Copy, Debug)]
struct Entry<'a> {
    class: StrRef<'a>,
    /// 0 until it has one.
    number: u32,
    /// Says that its number is 0, so that nothing leads to it.
    unnamed: bool,
    /// The list that it is an element of, behind those before it; else 0.
    list: u32,
}

/// What is open: nothing that is known of objects; of a list its number and elements that are to
/// come.
#[derive(Clone, Copy)]
enum Open {
    Object,
    List { at: usize, left: u32 },
}

impl<'a> Plan<'a> {
    /// Of a file.
    ///
    /// # Errors
    /// If it cannot be read.
    pub fn of(items: &mut impl ItemSource<'a>) -> Result<Self> {
        let mut plan = Self::default();
        let mut open = Vec::new();
        while let Some(item) = items.next()? {
            let list = match open.last_mut() {
                Some(Open::List { at, left }) if !matches!(item, Item::End) => {
                    *left = left.wrapping_sub(1);
                    Some(*at)
                }
                _ => None,
            };
            match (item, list) {
                (Item::Object(object), list) => {
                    plan.objects.push(Entry {
                        class: object.class,
                        number: object.pointer.unwrap_or(0),
                        unnamed: object.pointer == Some(0),
                        list: list.map_or(0, |at| (at as u32).wrapping_add(1)),
                    });
                    open.push(Open::Object);
                    continue;
                }
                (Item::List(list), _) => {
                    open.push(Open::List { at: plan.lists.len(), left: list.len });
                    plan.lists.push(list.len > 0);
                }
                (Item::End, _) => {
                    if let Some(Open::List { at, left: 1.. }) = open.pop() {
                        plan.mark_mixed(at);
                    }
                }
                (Item::Pointer(number), _) => plan.pointers.push(number),
                _ => {}
            }
            list.into_iter().for_each(|at| plan.mark_mixed(at));
        }
        plan.finish();
        Ok(plan)
    }

    fn mark_mixed(&mut self, list: usize) {
        self.lists.get_mut(list).into_iter().for_each(|of_one_class| *of_one_class = false);
    }

    fn finish(&mut self) {
        self.pointers.sort_unstable();
        self.pointers.dedup();
        let mut counted = self.objects.iter().zip(1..);
        if counted.all(|(object, count)| object.number == 0 || object.number == count) {
            let named = self.objects.iter_mut().zip(1..).filter(|(object, _)| !object.unnamed);
            named.for_each(|(object, count)| object.number = count);
        }
        self.sort();
        self.number_others();
        for at in 0..self.objects.len() {
            let Some(Entry { number, list, .. }) = self.objects.get(at).copied() else { break };
            if let Some(list) = (list as usize).checked_sub(1)
                && self.is_referred_to(number)
            {
                self.mark_mixed(list);
            }
        }
    }

    fn sort(&mut self) {
        self.by_number.clear();
        let numbered = self.objects.iter().zip(0..).filter(|(object, _)| object.number > 0);
        self.by_number.extend(numbered.map(|(object, at)| (object.number, at)));
        self.by_number.sort_unstable();
    }

    /// Gives the lowest numbers that are free.
    fn number_others(&mut self) {
        let Self { objects, by_number, pointers, .. } = self;
        let mut used = by_number.iter().map(|(number, _)| *number).peekable();
        let mut referred = pointers.iter().copied().peekable();
        let mut free = 1u32;
        for object in objects.iter_mut().filter(|object| object.number == 0) {
            loop {
                while used.next_if(|number| *number < free).is_some() {}
                while referred.next_if(|number| *number < free).is_some() {}
                if used.peek() != Some(&free) && referred.peek() != Some(&free) {
                    break;
                }
                free = free.saturating_add(1);
            }
            object.number = free;
            free = free.saturating_add(1);
        }
        self.sort();
    }

    /// The number of an object, counted in the order of the file.
    pub(super) fn number(&self, object: usize) -> Option<u32> {
        self.objects.get(object).map(|object| object.number)
    }

    /// Whether a pointer has that number.
    pub(super) fn is_referred_to(&self, number: u32) -> bool {
        self.pointers.binary_search(&number).is_ok()
    }

    /// The class of the object of that number; of several, the last, as for engines.
    pub(super) fn class(&self, number: u32) -> Option<StrRef<'a>> {
        let end = self.by_number.partition_point(|(found, _)| *found <= number);
        let (found, at) = self.by_number.get(end.checked_sub(1)?)?;
        let object = self.objects.get(*at as usize)?;
        (*found == number).then_some(object.class)
    }

    /// Whether a list, counted in the order of the file, can be written without numbers.
    pub(super) fn is_of_one_class(&self, list: usize) -> bool {
        self.lists.get(list).copied().unwrap_or(false)
    }
}
