//! First pass of a conversion.

use crate::rems::{Item, ItemSource, Result, StrRef};
use alloc::vec::Vec;

/// Facts about a whole file that [`convert`](super::convert) needs: which objects pointers refer
/// to, the number of each object, and which lists can be written without object numbers.
///
/// A plan takes up to 40 bytes for each object, list and pointer of the file. Each of these takes
/// at least one byte in the file.
///
/// The plan gives a number to every object that has none. If each number in the file equals the
/// position of its object, counted from 1, the new number is the position as well, as for
/// [`Target::Implied`](crate::rems::Target::Implied). Otherwise it is the lowest number that no
/// object or pointer has. An object with the number 0 always gets such a free number, since no
/// pointer can refer to it.
#[derive(Clone, Debug, Default)]
pub struct Plan<'a> {
    /// All objects in the order of the file.
    objects: Vec<Entry<'a>>,
    /// Pairs of the number and index of each object, sorted.
    by_number: Vec<(u32, u32)>,
    /// Numbers of all pointers, sorted.
    pointers: Vec<u32>,
    /// For each list, `true` if it is not empty, has all its declared elements, and they are
    /// objects to which no pointer refers.
    lists: Vec<bool>,
}

#[derive(Clone, Copy, Debug)]
struct Entry<'a> {
    class: StrRef<'a>,
    /// Number of the object; 0 until it has one.
    number: u32,
    /// `true` if the file contains the number 0 for the object.
    unnamed: bool,
    /// Index of the list that contains the object as an element, plus 1; 0 if no list does.
    list: u32,
}

/// An open object, or an open list with its index and the number of elements that have not been
/// read.
#[derive(Clone, Copy)]
enum Open {
    Object,
    List { at: usize, left: u32 },
}

impl<'a> Plan<'a> {
    /// Reads a whole file and creates its plan.
    ///
    /// # Errors
    /// If the file is malformed.
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

    /// Gives the lowest free numbers to the objects that have no number yet.
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

    /// Returns the number of an object, given by its index in the file.
    pub(super) fn number(&self, object: usize) -> Option<u32> {
        self.objects.get(object).map(|object| object.number)
    }

    /// Returns `true` if the file has a pointer with this number.
    pub(super) fn is_referred_to(&self, number: u32) -> bool {
        self.pointers.binary_search(&number).is_ok()
    }

    /// Returns the class of the object with a number. If several objects have the number, the last
    /// one counts, as in engines.
    pub(super) fn class(&self, number: u32) -> Option<StrRef<'a>> {
        let end = self.by_number.partition_point(|(found, _)| *found <= number);
        let (found, at) = self.by_number.get(end.checked_sub(1)?)?;
        let object = self.objects.get(*at as usize)?;
        (*found == number).then_some(object.class)
    }

    /// Returns `true` if a list, given by its index in the file, can be written without object
    /// numbers.
    pub(super) fn is_of_one_class(&self, list: usize) -> bool {
        self.lists.get(list).copied().unwrap_or(false)
    }
}
