//! The place of an unchecked value in the input, and the steps from there.

use super::{LazyArray, LazyDictionary, LazyObject, LazyRef};
use crate::buffer::Cursor;
use crate::godot::read::fast_path::{self, string_or_int};
use crate::godot::read::reader::read_one;
use crate::godot::read::trusted::{skip_with, value_of_key};
use crate::godot::read::walk::{Bounds, ENGINE_DEPTH, Skip, Walk};
use crate::godot::table::dialect::{Job, Rules, Spec};
use crate::godot::table::layouts::U32;
use crate::godot::table::payload::{Head, Header, ReturnLeaf};
use crate::godot::types::array::open;
use crate::godot::types::container::{Container, expect_items};
use crate::godot::types::text::{self, StrRef};
use crate::godot::{Dialect, Error, ErrorKind, ObjectRef, Reader, Result, VariantRef};

/// The place of a value that has not been checked, and the limits for the value.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Place<'a> {
    /// The input from the start of the value to the end of the packet.
    window: &'a [u8],
    /// Offset of the window in the input.
    offset: u64,
    /// Number of containers that may nest from here on.
    levels: u16,
    /// The limit of the reader, which is at most 1024. Errors contain it.
    limit: u16,
    /// `true` if full objects are allowed.
    objects: bool,
    dialect: Dialect,
}

/// A container whose items have not been checked.
#[derive(Clone, Copy, Debug)]
pub(super) struct Unchecked<'a> {
    /// The place of the container.
    place: Place<'a>,
    /// Number of bytes before the first item.
    head: u32,
    /// Number of elements, pairs or properties.
    pub len: u32,
}

impl<'a> Place<'a> {
    /// Returns the place of the next value of a reader.
    pub fn of(reader: &Reader<'a, '_>) -> Self {
        let Bounds { depth, objects } = reader.bounds();
        let limit = depth.min(ENGINE_DEPTH) as u16;
        Self {
            window: reader.window(),
            offset: reader.offset(),
            levels: limit,
            limit,
            objects,
            dialect: reader.dialect(),
        }
    }

    /// Reads a leaf, or the head of a container.
    #[inline]
    pub fn open(mut self) -> Result<LazyRef<'a>> {
        self.next()
    }

    /// Reads a leaf, or the head of a container. Moves to the end of a leaf; the end of a container
    /// is not known yet.
    #[inline]
    pub fn next(&mut self) -> Result<LazyRef<'a>> {
        let mut at = Cursor::new(self.window);
        let value = match string_or_int(&mut at) {
            Some(leaf) => LazyRef::Leaf(leaf),
            None => self.dialect.run(Next(self, &mut at)).map_err(|error| self.fail(error))?,
        };
        *self = self.at(at);
        Ok(value)
    }

    /// Checks the whole value and returns it.
    #[inline]
    pub fn read(&self) -> Result<VariantRef<'a>> {
        if let Some(value) = string_or_int(&mut Cursor::new(self.window)) {
            return Ok(value);
        }
        match read_one(self.window, self.dialect, self.bounds()) {
            Ok((value, _)) => Ok(value),
            Err(error) => Err(self.fail(error)),
        }
    }

    /// Moves to the value of the first String or StringName key that equals `name`, if the value
    /// here is a dictionary without types.
    #[inline]
    pub fn enter(&mut self, name: &str) -> Result<Entered> {
        let mut at = Cursor::new(self.window);
        match self.dialect.run(Enter { place: self, at: &mut at, name: name.as_bytes() }) {
            Ok(Entered::Value) => {
                *self = Self { levels: self.levels.saturating_sub(1), ..self.at(at) };
                Ok(Entered::Value)
            }
            Ok(other) => Ok(other),
            Err(error) => Err(self.fail(error)),
        }
    }

    /// Checks the next `count` values, and returns the place after them.
    pub fn pass(&self, count: usize) -> Result<Self> {
        match self.dialect.run(Pass { place: self, count }) {
            Ok(at) => Ok(self.at(at)),
            Err(error) => Err(self.fail(error)),
        }
    }

    /// Returns the value of the first String or StringName key that equals `key`, among the next
    /// `pairs` pairs.
    pub fn value_of(&self, pairs: u32, key: &str) -> Result<Option<LazyRef<'a>>> {
        let lookup = Lookup { place: self, pairs, key: key.as_bytes() };
        self.dialect.run(lookup).map_err(|error| self.fail(error))
    }

    /// Reads a string without a header, and moves to its end.
    pub fn text(&mut self) -> Result<StrRef<'a>> {
        let mut at = Cursor::new(self.window);
        match text::read(&mut at, self.dialect.rules()) {
            Ok(text) => {
                *self = self.at(at);
                Ok(StrRef::new(text))
            }
            Err(error) => Err(self.fail(error)),
        }
    }

    /// Returns the place of a cursor over the window.
    #[inline(always)]
    fn at(&self, at: Cursor<'a>) -> Self {
        let offset = self.offset.saturating_add(at.pos() as u64);
        Self { window: at.rest(), offset, ..*self }
    }

    #[inline(always)]
    fn bounds(&self) -> Bounds {
        Bounds { depth: self.levels.into(), objects: self.objects }
    }

    /// Converts an error with a position in the window into an error with an offset in the input.
    #[cold]
    fn fail(&self, error: Error) -> Error {
        let kind = match error.kind() {
            ErrorKind::TooDeep { .. } => ErrorKind::TooDeep { limit: self.limit.into() },
            other => *other,
        };
        Error::new(kind, error.offset()).shifted(self.offset)
    }
}

impl<'a> Unchecked<'a> {
    /// Returns the place of the first item.
    pub fn first(&self) -> Place<'a> {
        let Self { place, head, .. } = *self;
        let at = Cursor::new_at(place.window, head as usize);
        Place { levels: place.levels.saturating_sub(1), ..place.at(at) }
    }

    /// Checks the whole container.
    pub fn read(&self) -> Result<VariantRef<'a>> {
        self.place.read()
    }

    pub const fn dialect(&self) -> Dialect {
        self.place.dialect
    }

    /// Reads the start of the container again.
    pub fn container(
        &self,
        read: impl FnOnce(&mut Cursor<'a>, Header, &Rules) -> Result<Container<'a>>,
    ) -> Option<Container<'a>> {
        open(self.place.window, self.place.dialect, read).0
    }
}

/// Reads a leaf at `at`, or the head of a container. Moves past a leaf.
#[inline(always)]
fn open_as<'a, D: Spec>(place: &Place<'a>, at: &mut Cursor<'a>) -> Result<LazyRef<'a>> {
    let start = *at;
    let header = Header(at.read::<U32>()?.get());
    let opens = match D::head(at, header, ReturnLeaf)? {
        Head::Leaf(leaf) => return Ok(LazyRef::Leaf(leaf)),
        Head::Open(opens) => opens,
    };
    let Some(container) = Container::read(opens, at, header, D::RULES, place.objects)? else {
        return Ok(LazyRef::Leaf(VariantRef::Object(ObjectRef::Null)));
    };
    let (items, each) = container.items();
    expect_items(at, items, each)?;
    if place.levels == 0 && !container.is_empty() {
        let limit = place.limit.into();
        return Err(Error::new(ErrorKind::TooDeep { limit }, start.pos() as u64));
    }
    let head = at.since(&start).len() as u32;
    *at = start;
    let unchecked = Unchecked { place: place.at(start), head, len: container.len() };
    Ok(match container {
        Container::Array { .. } => LazyRef::Array(LazyArray(unchecked)),
        Container::Dictionary { .. } => LazyRef::Dictionary(LazyDictionary(unchecked)),
        Container::Object { .. } => LazyRef::Object(LazyObject(unchecked)),
    })
}

/// A job that reads a leaf, or the head of a container. Moves past a leaf.
struct Next<'p, 'a>(&'p Place<'a>, &'p mut Cursor<'a>);

impl<'a> Job for Next<'_, 'a> {
    type Output = Result<LazyRef<'a>>;

    fn run<D: Spec>(self) -> Self::Output {
        open_as::<D>(self.0, self.1)
    }
}

/// The result of [`Place::enter`].
#[derive(Clone, Copy, Debug)]
pub(crate) enum Entered {
    /// The place is that of the value.
    Value,
    /// The dictionary does not contain the key.
    NoSuchKey,
    /// The value is not a dictionary, or it is a rare or malformed one. Nothing was checked.
    NotPlain,
}

/// A job that moves to the value of a key.
struct Enter<'p, 'a> {
    place: &'p Place<'a>,
    at: &'p mut Cursor<'a>,
    name: &'p [u8],
}

impl Job for Enter<'_, '_> {
    type Output = Result<Entered>;

    #[inline(never)]
    fn run<D: Spec>(self) -> Self::Output {
        let Self { place, at, name } = self;
        let Some((pairs, items)) = fast_path::dictionary::<D>(place.window) else {
            return Ok(Entered::NotPlain);
        };
        let mut first = *at;
        first.set_rest(items);
        let is_long_enough = items.len() as u64 >= u64::from(pairs).wrapping_mul(8);
        let Some(levels) = place.levels.checked_sub(1).filter(|_| is_long_enough) else {
            return Ok(Entered::NotPlain);
        };
        let bounds = Bounds { depth: levels.into(), objects: place.objects };
        match value_of_key::<D>(first, pairs, name, |at| end_of_container::<D>(at, bounds))? {
            Some(value) => {
                *at = value;
                Ok(Entered::Value)
            }
            None => Ok(Entered::NoSuchKey),
        }
    }
}

/// A job that moves past values.
struct Pass<'p, 'a> {
    place: &'p Place<'a>,
    count: usize,
}

impl<'a> Job for Pass<'_, 'a> {
    type Output = Result<Cursor<'a>>;

    fn run<D: Spec>(self) -> Self::Output {
        let bounds = self.place.bounds();
        let mut at = Cursor::new(self.place.window);
        for _ in 0..self.count {
            skip_with::<D>(&mut at, |at| end_of_container::<D>(at, bounds))?;
        }
        Ok(at)
    }
}

/// A job that finds the value of a key.
struct Lookup<'p, 'a> {
    place: &'p Place<'a>,
    pairs: u32,
    key: &'p [u8],
}

impl<'a> Job for Lookup<'_, 'a> {
    type Output = Result<Option<LazyRef<'a>>>;

    #[inline(never)]
    fn run<D: Spec>(self) -> Self::Output {
        let Self { place, pairs, key } = self;
        let (at, bounds) = (Cursor::new(place.window), place.bounds());
        match value_of_key::<D>(at, pairs, key, |at| end_of_container::<D>(at, bounds))? {
            Some(mut value) => open_as::<D>(place, &mut value).map(Some),
            None => Ok(None),
        }
    }
}

/// Returns the position after the container at `at`. Takes the cursor by value, so that the
/// caller's copy stays in registers.
#[inline(never)]
fn end_of_container<D: Spec>(mut at: Cursor<'_>, bounds: Bounds) -> Result<Cursor<'_>> {
    let (window, base) = (at.rest(), at.pos() as u64);
    let walk = Walk::<_> { window, visitor: &mut Skip, bounds, base, stack: None };
    at.skip(walk.run::<D>()?);
    Ok(at)
}
