//! First pass of a conversion.

use crate::rems::identity::{Identities, Identity};
use crate::rems::item::Scope;
use crate::rems::{Item, ItemSource, Object, Result, StrRef};
use alloc::vec::Vec;

/// Facts about a whole file that [`convert`](super::convert) needs: which objects pointers refer
/// to, the number of each object, and which lists can be written without object numbers.
///
/// A plan takes up to 72 bytes for each object, list and pointer of the file. Each of these takes
/// at least one byte in the file.
///
/// The plan gives a number to every object that has none. It also replaces numbers of more than 31
/// bits, which objects could have in May 2020 (see [`Pointers`](crate::rems::Pointers)). If each
/// number in the file equals the position of its object, counted from 1, an object without a number
/// gets its own position as its number, because pointers may refer to the object by it (see
/// [`Target::Implied`](crate::rems::Target::Implied)). The exception is an object whose position is
/// the number in a pointer that does not lead to the object. All other objects that need a number
/// get the lowest numbers that occur in no object or pointer. An object with the number 0 always
/// gets such a number, since no pointer can refer to it. In this way every pointer keeps its
/// target, and a pointer that leads to no object in the file leads to none in the output.
#[derive(Clone, Debug, Default)]
pub struct Plan<'a> {
    /// All objects in the order of the file.
    objects: Vec<Entry<'a>>,
    /// A pair for each object that has a number in the file: its number ([`Entry::source`]) and its
    /// index in `objects`. Sorted by number.
    by_number: Vec<(u64, u32)>,
    /// Numbers of all pointers, sorted.
    pointers: Vec<u64>,
    /// A number that no object has in the output. It replaces numbers of more than 31 bits in
    /// pointers that lead to no object.
    no_object: u32,
    /// `true` if at least one pointer leads to no object.
    has_dangling: bool,
    /// A flag for each list: `true` if the list can be written without object numbers. Such a list
    /// contains all elements that it declares, and at least one. All its elements are objects to
    /// which no pointer refers.
    lists: Vec<bool>,
}

#[derive(Clone, Copy, Debug)]
struct Entry<'a> {
    class: StrRef<'a>,
    /// Number of the object in the file. For an object without a number in the file, this is its
    /// position if that serves as its number, and 0 otherwise.
    source: u64,
    /// Number of the object in the output; 0 until it has one.
    number: u32,
    /// Index of the list that contains the object as an element, plus 1; 0 if no list does.
    list: u32,
    /// `true` if the file contains the number 0 for the object.
    unnamed: bool,
    /// `true` if pointers can refer to the object by its position.
    countable: bool,
}

/// An open object or list: its index and, for a list, the number of elements that have not been
/// read yet.
#[derive(Clone, Copy)]
enum Open {
    Object(usize),
    List { at: usize, left: u32 },
}

impl<'a> Plan<'a> {
    /// Reads a whole file and creates its plan.
    ///
    /// # Errors
    /// If the file is malformed.
    pub fn of(items: &mut impl ItemSource<'a>) -> Result<Self> {
        let mut plan = Self::default();
        let mut identities = Identities::default();
        let mut open = Vec::new();
        while let Some(item) = items.next()? {
            if let Some(identity) = identities.note(&item) {
                plan.identify(identity, open.last());
            }
            let list = match open.last_mut() {
                Some(Open::List { at, left }) if !matches!(item, Item::End) => {
                    *left = left.wrapping_sub(1);
                    Some(*at)
                }
                _ => None,
            };
            match (item, list) {
                (Item::Object(object), list) => {
                    open.push(Open::Object(plan.objects.len()));
                    plan.objects.push(Entry::new(&object, list));
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
        plan.finish(identities);
        Ok(plan)
    }

    fn identify(&mut self, identity: Identity, innermost: Option<&Open>) {
        match (identity, innermost) {
            (Identity::FirstHeader, _) => {
                self.objects.iter_mut().for_each(|object| object.source = 0);
            }
            (Identity::Property(number), Some(Open::Object(at))) => {
                self.objects.get_mut(*at).into_iter().for_each(|object| object.source = number);
            }
            _ => {}
        }
    }

    fn mark_mixed(&mut self, list: usize) {
        self.lists.get_mut(list).into_iter().for_each(|of_one_class| *of_one_class = false);
    }

    fn finish(&mut self, identities: Identities) {
        self.pointers.sort_unstable();
        self.pointers.dedup();
        if !identities.are_properties() {
            self.count();
        }
        for object in &mut self.objects {
            object.number = i32::try_from(object.source).map_or(0, i32::cast_unsigned);
        }
        self.sort();
        self.has_dangling = self.pointers.iter().any(|number| self.is_dangling(*number));
        self.number_others();
        for at in 0..self.objects.len() {
            let Some(Entry { source, list, .. }) = self.objects.get(at).copied() else { break };
            if let Some(list) = (list as usize).checked_sub(1)
                && self.is_referred_to(source)
            {
                self.mark_mixed(list);
            }
        }
    }

    /// Gives objects without a number their positions as numbers, provided that every number in the
    /// file is the position of its object. Objects with the number 0 are left out. If the file has
    /// numbers, pointers can refer to a `countable` object by its position. Such an object
    /// therefore always gets its position. Any other object gets its position only if no pointer
    /// contains that number.
    fn count(&mut self) {
        let mut counted = self.objects.iter().zip(1..);
        if !counted.all(|(object, count)| object.source == 0 || object.source == count) {
            return;
        }
        let has_numbers = self.objects.iter().any(|object| object.source > 0);
        for (object, count) in self.objects.iter_mut().zip(1..) {
            let is_target = object.countable && has_numbers;
            let is_free = is_target || self.pointers.binary_search(&count).is_err();
            if object.source == 0 && !object.unnamed && is_free {
                object.source = count;
            }
        }
    }

    fn sort(&mut self) {
        self.by_number.clear();
        let numbered = self.objects.iter().zip(0..).filter(|(object, _)| object.source > 0);
        self.by_number.extend(numbered.map(|(object, at)| (object.source, at)));
        self.by_number.sort_unstable();
    }

    /// Gives the lowest free numbers to the objects that have no number yet.
    fn number_others(&mut self) {
        let Self { objects, by_number, pointers, .. } = self;
        let mut used = by_number.iter().map(|(number, _)| *number).peekable();
        let mut referred = pointers.iter().copied().peekable();
        let mut free = 0u32;
        let mut next = || loop {
            free = free.saturating_add(1);
            let number = u64::from(free);
            while used.next_if(|used| *used < number).is_some() {}
            while referred.next_if(|referred| *referred < number).is_some() {}
            if used.peek() != Some(&number) && referred.peek() != Some(&number) {
                break free;
            }
        };
        for object in objects.iter_mut().filter(|object| object.number == 0) {
            object.number = next();
        }
        self.no_object = next();
    }

    /// Returns the number that the output contains for the object with the index `object` in the
    /// file.
    pub(super) fn number(&self, object: usize) -> Option<u32> {
        self.objects.get(object).map(|object| object.number)
    }

    /// Returns `true` if the output must contain the number of the object with the index `object`
    /// in the file. This is the case if a pointer refers to the object. If the file has a dangling
    /// pointer, it is the case for all objects: the pointer would otherwise lead to an object
    /// without a number if its number equals that object's position.
    pub(super) fn needs_number(&self, object: usize) -> bool {
        let source = self.objects.get(object).map_or(0, |object| object.source);
        self.has_dangling || self.is_referred_to(source)
    }

    /// Returns the number that the output contains for a pointer.
    pub(super) fn pointer(&self, number: u64) -> u32 {
        match (self.target(number), i32::try_from(number)) {
            (Some(object), _) => object.number,
            (None, Ok(number)) => number.cast_unsigned(),
            (None, Err(_)) => self.no_object,
        }
    }

    /// Returns `true` if a pointer with this number should lead to an object, but no object has the
    /// number. The number 0 means that a pointer refers to no object on purpose.
    pub(super) fn is_dangling(&self, number: u64) -> bool {
        number > 0 && self.target(number).is_none()
    }

    fn is_referred_to(&self, source: u64) -> bool {
        source > 0 && self.pointers.binary_search(&source).is_ok()
    }

    /// Returns the class of the object to which a pointer refers.
    pub(super) fn class(&self, number: u64) -> Option<StrRef<'a>> {
        self.target(number).map(|object| object.class)
    }

    /// Returns the object that has this number in the file. If several objects have it, returns the
    /// last one, as engines do.
    fn target(&self, number: u64) -> Option<&Entry<'a>> {
        let end = self.by_number.partition_point(|(found, _)| *found <= number);
        let (found, at) = self.by_number.get(end.checked_sub(1)?)?;
        self.objects.get(*at as usize).filter(|_| *found == number)
    }

    /// Returns `true` if the list with the index `list` in the file can be written without object
    /// numbers.
    pub(super) fn is_of_one_class(&self, list: usize) -> bool {
        self.lists.get(list).copied().unwrap_or(false)
    }
}

impl<'a> Entry<'a> {
    /// Creates the entry of an object. `list` is the index of the list that has it as an element,
    /// if any.
    fn new(object: &Object<'a>, list: Option<usize>) -> Self {
        Self {
            class: object.class,
            source: object.pointer.unwrap_or(0),
            number: 0,
            list: list.map_or(0, |at| (at as u32).wrapping_add(1)),
            unnamed: object.pointer == Some(0),
            countable: object.scope == Scope::Own,
        }
    }
}
