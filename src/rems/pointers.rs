//! Resolves object numbers.

use super::error::fail;
use super::identity::{Identities, Identity};
use super::item::Scope;
use super::{ErrorKind, Item, ItemSource, Object, Result, StrRef};
#[cfg(feature = "alloc")]
use alloc::vec::Vec;

/// An index of the objects of a file by number, in memory that the caller provides.
///
/// A first pass over the file collects the objects. After that, the index finds the object with a
/// given number anywhere in the file. The object may come before or after the pointer, may be in a
/// list, or may contain the pointer. Engines cannot resolve a pointer in a list to a later object.
///
/// ```
/// use gamewire::rems::{Item, Pointers, Slot, Target, TextReader};
///
/// let text = br#"[{"class":"Outer","i:*ptr":1,"Inner:child":2},{"class":"Inner","i:*ptr":2}]"#;
/// let mut slots = [Slot::default(); 8];
/// let pointers = Pointers::index(&mut TextReader::new(text), &mut slots)?;
/// assert_eq!(pointers.objects().count(), 2);
/// let Target::Object(inner) = pointers.get(2) else { panic!() };
/// assert_eq!(inner.class, *"Inner");
/// // A reader can read this object alone.
/// let mut reader = TextReader::at(text, inner);
/// assert!(matches!(reader.next()?, Some(Item::Object(_))));
/// assert!(matches!(pointers.get(3), Target::Dangling));
/// # Ok::<(), gamewire::rems::Error>(())
/// ```
///
/// In a file from May 2020, the number of an object is its property `l:uuid`. The index recognises
/// such a file by the absence of numbers in headers. In the objects that it returns,
/// [`Object::pointer`] is then the value of this property.
///
/// The index costs one pass, and a sort if the numbers are not in order. A lookup is a binary
/// search, or a single access if the numbers have no gaps.
#[derive(Clone, Copy, Debug)]
pub struct Pointers<'m, 'a> {
    slots: &'m [Slot<'a>],
    /// Number of objects that have a number.
    numbered: usize,
    /// `true` if the file has numbers, and each equals the position of its object, counted from 1.
    counted: bool,
    /// `true` if the numbers are the properties `l:uuid` of the objects.
    has_uuids: bool,
}

/// Memory for one object.
#[derive(Clone, Copy, Debug)]
pub struct Slot<'a> {
    /// The object. Slots are in the order of the file.
    object: Object<'a>,
    /// The slots together store a list of slot indices, sorted by object number, and this field is
    /// one entry of the list. Slot 0 stores the index of the slot whose object has the lowest
    /// number, slot 1 that of the second lowest, and so on. While the objects are collected, this
    /// field is instead the slot index of the object that contains `object`.
    by_number: u32,
    /// Number of open lists between `object` and the object that contains it, while the objects are
    /// collected.
    lists: u32,
}

impl Default for Slot<'_> {
    fn default() -> Self {
        let class = StrRef::new(&[]);
        let object = Object { class, pointer: None, offset: 0, scope: Scope::Own };
        Self { object, by_number: 0, lists: 0 }
    }
}

#[cfg(feature = "alloc")]
impl Slot<'_> {
    /// Turns the slots of a previous file into an empty vector that reuses the allocation. The new
    /// vector does not borrow from the previous file.
    ///
    /// ```
    /// use gamewire::rems::{Pointers, Slot, TextReader};
    ///
    /// let mut capacity = Vec::new();
    /// for text in [br#"[{"class":"A"},{"class":"B"}]"#.to_vec(), br#"[{"class":"C"}]"#.to_vec()] {
    ///     let mut slots = Slot::recycle(capacity);
    ///     let pointers = Pointers::collect(&mut TextReader::new(&text), &mut slots)?;
    ///     println!("{} objects", pointers.objects().count());
    ///     capacity = Slot::recycle(slots);
    /// }
    /// assert!(capacity.capacity() >= 2);
    /// # Ok::<(), gamewire::rems::Error>(())
    /// ```
    pub fn recycle<'a>(mut slots: Vec<Self>) -> Vec<Slot<'a>> {
        slots.clear();
        // The vector is empty, and slots of all lifetimes have the same layout, so the new vector
        // reuses the allocation.
        slots.into_iter().map(|_| Slot::default()).collect()
    }
}

/// Target of a pointer.
#[derive(Clone, Copy, Debug)]
pub enum Target<'a> {
    /// The object with this number. If several objects have this number, the target is the last
    /// one, as in engines.
    Object(Object<'a>),
    /// An object that has no number, but whose position in the file, counted from 1, equals the
    /// number of the pointer. The engine of 2021 omits the number of an object if the engine does
    /// not recognise the pointers to that object. A pointer is resolved by position only if the
    /// file has numbers, and each equals the position of its object. Elements of a list of one
    /// class in a binary stream are never found by position.
    Implied(Object<'a>),
    /// The pointer has no target.
    Dangling,
}

impl<'a> Target<'a> {
    /// Returns the object, whether its number is written or implied.
    pub const fn object(self) -> Option<Object<'a>> {
        match self {
            Self::Object(object) | Self::Implied(object) => Some(object),
            Self::Dangling => None,
        }
    }
}

impl<'m, 'a> Pointers<'m, 'a> {
    /// Collects the objects of a file.
    ///
    /// # Errors
    /// If the file is malformed, or has more objects than there are slots.
    pub fn index(items: &mut impl ItemSource<'a>, slots: &'m mut [Slot<'a>]) -> Result<Self> {
        let capacity = slots.len();
        let mut collector = Collector::new(slots);
        while let Some(item) = items.next()? {
            if collector.item(&item).is_none() {
                let kind = ErrorKind::TooManyObjects { capacity: capacity as u64 };
                return Err(fail(kind, items.offset()));
            }
        }
        let Collector { count, identities, .. } = collector;
        Ok(Self::of(slots.get_mut(..count).unwrap_or_default(), identities))
    }

    /// Collects the objects of a file in a vector. Clears the vector first.
    ///
    /// # Errors
    /// If the file is malformed.
    #[cfg(feature = "alloc")]
    pub fn collect(items: &mut impl ItemSource<'a>, slots: &'m mut Vec<Slot<'a>>) -> Result<Self> {
        slots.clear();
        let mut collector = Collector::new(&mut *slots);
        while let Some(item) = items.next()? {
            collector.item(&item);
        }
        let identities = collector.identities;
        Ok(Self::of(slots, identities))
    }

    /// Indexes the objects among items that the caller has already read.
    #[cfg(feature = "alloc")]
    pub(crate) fn from_items<'i>(
        items: impl Iterator<Item = &'i Item<'a>>,
        slots: &'m mut Vec<Slot<'a>>,
    ) -> Self
    where
        'a: 'i,
    {
        slots.clear();
        let mut collector = Collector::new(&mut *slots);
        items.for_each(|item| {
            collector.item(item);
        });
        let identities = collector.identities;
        Self::of(slots, identities)
    }

    fn of(slots: &'m mut [Slot<'a>], identities: Identities) -> Self {
        let has_uuids = identities.are_properties();
        let (mut numbered, mut counted, mut sorted, mut last) = (0usize, !has_uuids, true, 0);
        for at in 0..slots.len() {
            let Some(number) = slots.get(at).and_then(|slot| number_of(&slot.object)) else {
                continue;
            };
            sorted &= number > last;
            last = number;
            counted &= number == (at as u64).wrapping_add(1);
            set_by_number(slots, numbered, u32::try_from(at).unwrap_or(u32::MAX));
            numbered = numbered.wrapping_add(1);
        }
        if !sorted {
            sort(slots, numbered);
        }
        Self { slots, numbered, counted: counted && numbered > 0, has_uuids }
    }

    /// Returns an iterator over all objects in the order of the file, including objects without a
    /// number.
    pub fn objects(&self) -> impl ExactSizeIterator<Item = Object<'a>> + use<'m, 'a> {
        self.slots.iter().map(|slot| slot.object)
    }

    /// Returns `true` if the numbers of the objects are their properties `l:uuid`, as in files from
    /// May 2020.
    pub const fn has_uuids(&self) -> bool {
        self.has_uuids
    }

    /// Returns the position of an object among all objects of the file, counted from 0.
    #[cfg(feature = "alloc")]
    pub(crate) fn position(&self, object: &Object<'_>) -> Option<usize> {
        self.slots.binary_search_by_key(&object.offset, |slot| slot.object.offset).ok()
    }

    /// Returns the target of a pointer with this number. Number 0 has no target.
    pub fn get(&self, number: u64) -> Target<'a> {
        let Some(before) = number.checked_sub(1) else { return Target::Dangling };
        // Numbers from May 2020 have 64 bits, even where an index has 32.
        let before = usize::try_from(before).unwrap_or(usize::MAX);
        // Usually the numbers are 1, 2, 3 and so on, so the object is at index `before`. If several
        // objects have the same number, the target is the last one.
        let number_at = |at: usize| (at < self.numbered).then(|| sort_key(self.slots, at).0);
        let at = match (number_at(before), number_at(before.wrapping_add(1))) {
            (Some(found), next) if found == number && next != Some(number) => Some(before),
            _ => self.search(number),
        };
        match at.and_then(|at| self.slots.get(slot_index(self.slots, at))) {
            Some(slot) => Target::Object(slot.object),
            None => self.implied(before),
        }
    }

    fn search(&self, number: u64) -> Option<usize> {
        let (mut low, mut high) = (0, self.numbered);
        while low < high {
            let middle = low.midpoint(high);
            match sort_key(self.slots, middle).0 <= number {
                true => low = middle.wrapping_add(1),
                false => high = middle,
            }
        }
        let last = low.checked_sub(1)?;
        (sort_key(self.slots, last).0 == number).then_some(last)
    }

    fn implied(&self, before: usize) -> Target<'a> {
        match self.slots.get(before) {
            // An object with the number 0 is never a target.
            Some(Slot { object, .. })
                if self.counted && object.pointer.is_none() && object.scope == Scope::Own =>
            {
                Target::Implied(*object)
            }
            _ => Target::Dangling,
        }
    }

    /// Returns an iterator over the objects that have the same number as a later object. No pointer
    /// refers to them.
    pub fn duplicates(&self) -> impl Iterator<Item = Object<'a>> + use<'m, 'a> {
        let Self { slots, numbered, .. } = *self;
        (1..numbered).filter_map(move |at| {
            let before = at.wrapping_sub(1);
            let same = sort_key(slots, before).0 == sort_key(slots, at).0;
            slots.get(slot_index(slots, before)).filter(|_| same).map(|slot| slot.object)
        })
    }

    /// Calls `report` with the number and the offset of each dangling pointer, including pointers
    /// with the number 0. If whitespace precedes the pointer, the offset is that of the whitespace.
    ///
    /// # Errors
    /// If the file is malformed.
    pub fn dangling<'i>(
        &self,
        items: &mut impl ItemSource<'i>,
        mut report: impl FnMut(u64, u64),
    ) -> Result<()> {
        loop {
            let offset = items.offset();
            match items.next()? {
                Some(Item::Pointer(number)) if self.get(number).object().is_none() => {
                    report(number, offset);
                }
                Some(_) => {}
                None => return Ok(()),
            }
        }
    }
}

/// Memory for collected objects.
trait SlotMemory<'a> {
    /// Stores a slot at the end. Returns `None` if the memory is full.
    fn push(&mut self, count: usize, slot: Slot<'a>) -> Option<()>;

    fn slots(&mut self) -> &mut [Slot<'a>];
}

impl<'a> SlotMemory<'a> for [Slot<'a>] {
    fn push(&mut self, count: usize, slot: Slot<'a>) -> Option<()> {
        *self.get_mut(count)? = slot;
        Some(())
    }

    fn slots(&mut self) -> &mut [Slot<'a>] {
        self
    }
}

#[cfg(feature = "alloc")]
impl<'a> SlotMemory<'a> for Vec<Slot<'a>> {
    fn push(&mut self, _: usize, slot: Slot<'a>) -> Option<()> {
        Vec::push(self, slot);
        Some(())
    }

    fn slots(&mut self) -> &mut [Slot<'a>] {
        self
    }
}

/// Collects the objects of a file. In files from May 2020, the number of an object is one of its
/// properties. The collector therefore keeps track of the open objects. The stack of open objects
/// is stored in the slots.
struct Collector<'s, M: ?Sized> {
    slots: &'s mut M,
    count: usize,
    identities: Identities,
    /// Slot index of the innermost open object.
    current: u32,
    /// Number of open lists in that object.
    lists: u32,
}

impl<'s, M: ?Sized> Collector<'s, M> {
    fn new(slots: &'s mut M) -> Self {
        let identities = Identities::default();
        Self { slots, count: 0, identities, current: u32::MAX, lists: 0 }
    }

    /// Records the next item. Returns `None` if the memory is full.
    fn item<'a>(&mut self, item: &Item<'a>) -> Option<()>
    where
        M: SlotMemory<'a>,
    {
        match self.identities.note(item) {
            None => {}
            Some(Identity::FirstHeader) => {
                let slots = self.slots.slots().get_mut(..self.count).unwrap_or_default();
                slots.iter_mut().for_each(|slot| slot.object.pointer = None);
            }
            Some(Identity::Property(number)) => {
                let current = self.slots.slots().get_mut(self.current as usize);
                current.into_iter().for_each(|slot| slot.object.pointer = Some(number));
            }
        }
        match item {
            Item::Object(object) => {
                let (by_number, lists) = (self.current, self.lists);
                self.slots.push(self.count, Slot { object: *object, by_number, lists })?;
                self.current = u32::try_from(self.count).unwrap_or(u32::MAX);
                self.lists = 0;
                self.count = self.count.wrapping_add(1);
            }
            Item::List(_) => self.lists = self.lists.wrapping_add(1),
            Item::End if self.lists > 0 => self.lists = self.lists.wrapping_sub(1),
            Item::End => {
                let slot = self.slots.slots().get(self.current as usize);
                let outer = slot.map_or((u32::MAX, 0), |slot| (slot.by_number, slot.lists));
                (self.current, self.lists) = outer;
            }
            _ => {}
        }
        Some(())
    }
}

fn number_of(object: &Object<'_>) -> Option<u64> {
    object.pointer.filter(|number| *number > 0)
}

/// Returns the slot index of the object at position `at` in the order of object numbers.
fn slot_index(slots: &[Slot<'_>], at: usize) -> usize {
    slots.get(at).map_or(usize::MAX, |slot| slot.by_number as usize)
}

/// Returns the sort key of the object at position `at` in the order of object numbers. The key is a
/// pair: the number of the object, and the index of its slot.
fn sort_key(slots: &[Slot<'_>], at: usize) -> (u64, usize) {
    let place = slot_index(slots, at);
    (slots.get(place).and_then(|slot| number_of(&slot.object)).unwrap_or(0), place)
}

fn set_by_number(slots: &mut [Slot<'_>], at: usize, place: u32) {
    if let Some(slot) = slots.get_mut(at) {
        slot.by_number = place;
    }
}

/// Sorts the first `len` entries of `by_number` by object number. Uses heapsort, which needs no
/// memory besides the slots.
fn sort(slots: &mut [Slot<'_>], len: usize) {
    for root in (0..len / 2).rev() {
        sift(slots, root, len);
    }
    for end in (1..len).rev() {
        swap(slots, 0, end);
        sift(slots, 0, end);
    }
}

fn sift(slots: &mut [Slot<'_>], mut root: usize, len: usize) {
    loop {
        let left = root.wrapping_mul(2).wrapping_add(1);
        let right = left.wrapping_add(1);
        if left >= len {
            return;
        }
        let right_is_greater = right < len && sort_key(slots, right) > sort_key(slots, left);
        let child = if right_is_greater { right } else { left };
        if sort_key(slots, child) <= sort_key(slots, root) {
            return;
        }
        swap(slots, root, child);
        root = child;
    }
}

fn swap(slots: &mut [Slot<'_>], a: usize, b: usize) {
    let places = [a, b].map(|at| slots.get(at).map_or(0, |slot| slot.by_number));
    let [of_a, of_b] = places;
    set_by_number(slots, a, of_b);
    set_by_number(slots, b, of_a);
}
