//! Which object has which number.

use super::error::fail;
use super::item::Scope;
use super::{ErrorKind, Item, Items, Object, Result, Str};
#[cfg(feature = "alloc")]
use alloc::vec::Vec;

/// The objects of a file by their numbers, in memory of the caller's.
///
/// A first pass over the file collects them; then every number leads to its object, wherever
/// that is in the file: before or behind, in an array, around the pointer itself. (Engines
/// cannot resolve a pointer in an array to what comes later.)
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
/// // From there it can be read alone.
/// let mut reader = TextReader::at(text, inner);
/// assert!(matches!(reader.next()?, Some(Item::Object(_))));
/// assert!(matches!(pointers.get(3), Target::Dangling));
/// # Ok::<(), gamewire::rems::Error>(())
/// ```
///
/// It costs one pass, and sorting where the numbers are not in order; looking one up is a
/// search, or one step where no number is left out.
#[derive(Clone, Copy, Debug)]
pub struct Pointers<'m, 'a> {
    slots: &'m [Slot<'a>],
    /// How many have a number.
    numbered: usize,
    /// Every number is that which counting all objects gives.
    counted: bool,
}

/// Memory for one object.
#[derive(Clone, Copy, Debug)]
pub struct Slot<'a> {
    /// In the order of the file.
    object: Object<'a>,
    /// The place of the object that has so many numbers before its own.
    by_number: u32,
}

impl Default for Slot<'_> {
    fn default() -> Self {
        let class = Str::new(&[]);
        let object = Object { class, pointer: None, offset: 0, scope: Scope::Own };
        Self { object, by_number: 0 }
    }
}

#[cfg(feature = "alloc")]
impl Slot<'_> {
    /// An empty vector in the memory of one that was used for another file, whose bytes may be
    /// gone by now.
    ///
    /// ```
    /// use gamewire::rems::{Pointers, Slot, TextReader};
    ///
    /// let mut room = Vec::new();
    /// for text in [br#"[{"class":"A"},{"class":"B"}]"#.to_vec(), br#"[{"class":"C"}]"#.to_vec()] {
    ///     let mut slots = Slot::recycle(room);
    ///     let pointers = Pointers::collect(&mut TextReader::new(&text), &mut slots)?;
    ///     println!("{} objects", pointers.objects().count());
    ///     room = Slot::recycle(slots);
    /// }
    /// assert!(room.capacity() >= 2);
    /// # Ok::<(), gamewire::rems::Error>(())
    /// ```
    pub fn recycle<'a>(mut slots: Vec<Self>) -> Vec<Slot<'a>> {
        slots.clear();
        // Collected where it lies, since the elements are of the same size; there are none.
        slots.into_iter().map(|_| Slot::default()).collect()
    }
}

/// What a number leads to.
#[derive(Clone, Copy, Debug)]
pub enum Target<'a> {
    /// The object that has it; of several, the last, as it is for engines.
    Object(Object<'a>),
    /// No object has it, but this one would if all had been written. 2021 left out the number
    /// of an object whose pointers it did not recognise as such. Objects are counted from 1 in
    /// the order of the file, if that gives every number that is written.
    Implied(Object<'a>),
    /// None.
    Dangling,
}

impl<'a> Target<'a> {
    /// The object, whether it says its number or not.
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
    /// If the file cannot be read, or has more objects than there are slots.
    pub fn index(items: &mut impl Items<'a>, slots: &'m mut [Slot<'a>]) -> Result<Self> {
        let room = slots.len();
        let numbering = collect(items, |at, object| {
            *slots.get_mut(at)? = Slot { object, by_number: 0 };
            Some(())
        })?;
        let slots = slots.get_mut(..numbering.unwrap_or(room)).unwrap_or_default();
        match numbering {
            Some(_) => Ok(Self::of(slots)),
            None => Err(fail(ErrorKind::NoRoom { room: room as u64 }, items.offset())),
        }
    }

    /// The same in a vector, which is emptied first.
    ///
    /// # Errors
    /// If the file cannot be read.
    #[cfg(feature = "alloc")]
    pub fn collect(items: &mut impl Items<'a>, slots: &'m mut Vec<Slot<'a>>) -> Result<Self> {
        slots.clear();
        collect(items, |_, object| {
            slots.push(Slot { object, by_number: 0 });
            Some(())
        })?;
        Ok(Self::of(slots))
    }

    fn of(slots: &'m mut [Slot<'a>]) -> Self {
        let (mut numbered, mut counted, mut sorted, mut last) = (0usize, true, true, 0);
        for at in 0..slots.len() {
            let Some(number) = slots.get(at).and_then(|slot| number_of(&slot.object)) else {
                continue;
            };
            sorted &= number > last;
            last = number;
            counted &= u64::from(number) == (at as u64).wrapping_add(1);
            set(slots, numbered, u32::try_from(at).unwrap_or(u32::MAX));
            numbered = numbered.wrapping_add(1);
        }
        if !sorted {
            sort(slots, numbered);
        }
        Self { slots, numbered, counted }
    }

    /// The objects in the order of the file, those without numbers as well.
    pub fn objects(&self) -> impl ExactSizeIterator<Item = Object<'a>> + use<'m, 'a> {
        self.slots.iter().map(|slot| slot.object)
    }

    /// What that number leads to. 0 leads nowhere.
    pub fn get(&self, number: u32) -> Target<'a> {
        let Some(before) = usize::try_from(number).ok().and_then(|number| number.checked_sub(1))
        else {
            return Target::Dangling;
        };
        // Mostly there is just one for each number; with several, the last counts.
        let number_at = |at: usize| (at < self.numbered).then(|| key(self.slots, at).0);
        let at = match (number_at(before), number_at(before.wrapping_add(1))) {
            (Some(found), next) if found == number && next != Some(number) => Some(before),
            _ => self.search(number),
        };
        match at.and_then(|at| self.slots.get(place(self.slots, at))) {
            Some(slot) => Target::Object(slot.object),
            None => self.implied(before),
        }
    }

    fn search(&self, number: u32) -> Option<usize> {
        let (mut low, mut high) = (0, self.numbered);
        while low < high {
            let middle = low.midpoint(high);
            match key(self.slots, middle).0 <= number {
                true => low = middle.wrapping_add(1),
                false => high = middle,
            }
        }
        let last = low.checked_sub(1)?;
        (key(self.slots, last).0 == number).then_some(last)
    }

    fn implied(&self, before: usize) -> Target<'a> {
        match self.slots.get(before) {
            // (One that says 0 is never found.)
            Some(slot) if self.counted && slot.object.pointer.is_none() => {
                Target::Implied(slot.object)
            }
            _ => Target::Dangling,
        }
    }

    /// The objects whose number a later one has as well, so that nothing leads to them.
    pub fn duplicates(&self) -> impl Iterator<Item = Object<'a>> + use<'m, 'a> {
        let Self { slots, numbered, .. } = *self;
        (1..numbered).filter_map(move |at| {
            let before = at.wrapping_sub(1);
            let same = key(slots, before).0 == key(slots, at).0;
            slots.get(place(slots, before)).filter(|_| same).map(|slot| slot.object)
        })
    }

    /// Tells of the pointers that lead nowhere: number, and where it is or the blanks before it.
    ///
    /// # Errors
    /// If the file cannot be read.
    pub fn dangling<'i>(
        &self,
        items: &mut impl Items<'i>,
        mut tell: impl FnMut(u32, u64),
    ) -> Result<()> {
        loop {
            let offset = items.offset();
            match items.next()? {
                Some(Item::Pointer(number)) if self.get(number).object().is_none() => {
                    tell(number, offset);
                }
                Some(_) => {}
                None => return Ok(()),
            }
        }
    }
}

/// Gives each object with its place to `keep`; how many there were, if all were kept.
fn collect<'a>(
    items: &mut impl Items<'a>,
    mut keep: impl FnMut(usize, Object<'a>) -> Option<()>,
) -> Result<Option<usize>> {
    let mut count = 0usize;
    while let Some(item) = items.next()? {
        if let Item::Object(object) = item {
            if keep(count, object).is_none() {
                return Ok(None);
            }
            count = count.wrapping_add(1);
        }
    }
    Ok(Some(count))
}

fn number_of(object: &Object<'_>) -> Option<u32> {
    object.pointer.filter(|number| *number > 0)
}

/// The place of the object that is at `at` in the order of numbers.
fn place(slots: &[Slot<'_>], at: usize) -> usize {
    slots.get(at).map_or(usize::MAX, |slot| slot.by_number as usize)
}

/// By what it is in that order: its number, then its place.
fn key(slots: &[Slot<'_>], at: usize) -> (u32, usize) {
    let place = place(slots, at);
    (slots.get(place).and_then(|slot| number_of(&slot.object)).unwrap_or(0), place)
}

fn set(slots: &mut [Slot<'_>], at: usize, place: u32) {
    if let Some(slot) = slots.get_mut(at) {
        slot.by_number = place;
    }
}

/// Heap sort: what is sorted is spread over the slots, and there is no memory but these.
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
        let right_is_greater = right < len && key(slots, right) > key(slots, left);
        let child = if right_is_greater { right } else { left };
        if key(slots, child) <= key(slots, root) {
            return;
        }
        swap(slots, root, child);
        root = child;
    }
}

fn swap(slots: &mut [Slot<'_>], a: usize, b: usize) {
    let places = [a, b].map(|at| slots.get(at).map_or(0, |slot| slot.by_number));
    let [of_a, of_b] = places;
    set(slots, a, of_b);
    set(slots, b, of_a);
}
