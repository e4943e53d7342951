//! The one pass over a packet that skipping, checking and traversing share.
//!
//! The walk is compiled for each dialect and each visitor. Pending items are
//! counted on an exact stack of 32 levels; a packet that goes deeper continues in a
//! call of its own with a stack for the rest of the engine's 1024. So shallow
//! packets pay for 128 bytes, and no packet takes more than a few KiB.

use super::container::{Container, expect_items};
use super::dialect::{Job, Spec};
use super::payload::{Forget, Head, Header, OnLeaf};
use super::text::{self, StrRef};
use super::wire::{I32, U32};
use super::{Dialect, Encoded, Error, ErrorKind, Kind, ObjectRef, Result, VariantRef};
use crate::base::Cursor;
use core::marker::PhantomData;

/// Told of every value of a packet, in the order of its bytes, in one pass whose
/// cost per value does not grow with depth. See [`Reader::visit`](super::Reader::visit).
///
/// The walk is inlined into the visitor for each dialect; where a method is large,
/// keep it out of line.
pub trait Visitor<'a> {
    /// What ends the walk early; a malformed packet does.
    type Error: From<Error>;

    /// Nobody listens: values may be skipped without telling.
    #[doc(hidden)]
    const SILENT: bool = false;

    /// Whether a container opens although the packet has not bytes enough for its
    /// count, so that the items that are there are told of before the walk fails.
    /// The error is then that of the first item missing; otherwise the container's.
    const CUT_OFF: bool = false;

    /// A value without items of its own.
    fn leaf(&mut self, leaf: Leaf<'a>) -> core::result::Result<(), Self::Error>;

    /// A container opens. Its items follow, then [`close`](Self::close).
    fn open(&mut self, open: Open<'a>) -> core::result::Result<(), Self::Error>;

    /// The name of an object's property; its value comes next.
    fn property(&mut self, property: Property<'a>) -> core::result::Result<(), Self::Error>;

    /// The container that was opened last and not closed yet ends.
    fn close(&mut self, kind: Kind) -> core::result::Result<(), Self::Error>;
}

/// What a value is to the container it stands in.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Role {
    /// The packet's value itself, or an array's element.
    Element,
    /// A dictionary's key; its value is next.
    Key,
    /// A dictionary's value.
    Value,
    /// An object's property, named just before.
    Property,
}

/// A value without items, as a [`Visitor`] is told of it.
#[derive(Clone, Copy, Debug)]
pub struct Leaf<'a> {
    /// Never a container, but for a null object or one that is an id.
    pub value: VariantRef<'a>,
    /// Its bytes.
    pub encoded: Encoded<'a>,
    /// Where its header is, from the start of the input.
    pub offset: u64,
    /// What it is to its container.
    pub role: Role,
}

/// A container that opens, as a [`Visitor`] is told of it.
#[derive(Clone, Copy, Debug)]
pub struct Open<'a> {
    /// What it is, and how many items follow.
    pub container: Container<'a>,
    /// Its bytes up to the first item.
    pub head: &'a [u8],
    /// Where its header is, from the start of the input.
    pub offset: u64,
    /// What it is to the container around it.
    pub role: Role,
    /// Whose bytes these are.
    pub dialect: Dialect,
}

/// The name of a property, as a [`Visitor`] is told of it.
#[derive(Clone, Copy, Debug)]
pub struct Property<'a> {
    /// The name.
    pub name: StrRef<'a>,
    /// Its bytes, with length and pad.
    pub bytes: &'a [u8],
    /// Where its length is, from the start of the input.
    pub offset: u64,
    /// Whose bytes these are.
    pub dialect: Dialect,
}

/// Tells nobody.
pub(crate) struct Skip;

impl Visitor<'_> for Skip {
    type Error = Error;
    const SILENT: bool = true;

    #[inline(always)]
    fn leaf(&mut self, _: Leaf<'_>) -> Result<()> {
        Ok(())
    }

    #[inline(always)]
    fn open(&mut self, _: Open<'_>) -> Result<()> {
        Ok(())
    }

    #[inline(always)]
    fn property(&mut self, _: Property<'_>) -> Result<()> {
        Ok(())
    }

    #[inline(always)]
    fn close(&mut self, _: Kind) -> Result<()> {
        Ok(())
    }
}

/// The engine's limit: 1024 containers around a leaf (Godot 3.3.5, 3.4.3, 4.0 and
/// later).
pub(crate) const ENGINE_DEPTH: u32 = 1024;

/// Levels counted without a further call.
const LEVELS: usize = 32;

/// Items left in a container, with its form in the top bits. A window has less than
/// 2 GiB and an item at least 4 bytes, so 30 bits suffice.
pub(crate) type Frame = u32;
pub(crate) const OBJECT: Frame = 1 << 31;
const DICTIONARY: Frame = 1 << 30;
pub(crate) const LEFT: Frame = DICTIONARY - 1;

/// The frame of a container whose items are there.
pub(crate) fn frame_of(container: &Container<'_>) -> Frame {
    match *container {
        Container::Array { len, .. } => len,
        Container::Dictionary { len, .. } => DICTIONARY | len.wrapping_mul(2),
        Container::Object { len, .. } => OBJECT | len,
    }
}

const fn kind_of(frame: Frame) -> Kind {
    match frame & !LEFT {
        0 => Kind::Array,
        DICTIONARY => Kind::Dictionary,
        _ => Kind::Object,
    }
}

#[inline(always)]
pub(crate) fn role_of(frame: Frame) -> Role {
    match frame & !LEFT {
        0 => Role::Element,
        DICTIONARY if frame & 1 == 0 => Role::Key,
        DICTIONARY => Role::Value,
        _ => Role::Property,
    }
}

/// How a walk is limited.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Bounds {
    /// Containers inside each other.
    pub depth: u32,
    /// Whether full objects may come.
    pub objects: bool,
}

/// One value, walked; `TRUSTED` where an earlier walk has checked these bytes, so
/// that depth needs no second look.
pub(crate) struct Walk<'a, 'v, V, const TRUSTED: bool = false> {
    /// From the value's header on.
    pub window: &'a [u8],
    pub visitor: &'v mut V,
    pub bounds: Bounds,
    /// Where the window starts in the input.
    pub base: u64,
    /// The caller's memory, for depths above the engine's.
    pub stack: Option<&'v mut [u32]>,
}

impl<'a, V: Visitor<'a>, const TRUSTED: bool> Job for Walk<'a, '_, V, TRUSTED> {
    /// Where the value ends in the window.
    type Output = core::result::Result<usize, V::Error>;

    #[inline]
    fn run<D: Spec>(self) -> Self::Output {
        let Self { window, visitor, bounds, base, stack } = self;
        let objects = 0;
        let mut walker =
            Walker::<D, V, TRUSTED> { window, visitor, bounds, base, objects, spec: PhantomData };
        match stack {
            Some(stack) => walker.items(stack, 0, 1, bounds.depth),
            None => walker.items(&mut [0; LEVELS], 0, 1, bounds.depth),
        }
    }
}

/// The position is passed from hand to hand rather than kept here, so that it stays
/// in a register: it is what every next value waits for.
struct Walker<'a, 'v, D, V, const TRUSTED: bool> {
    window: &'a [u8],
    visitor: &'v mut V,
    bounds: Bounds,
    base: u64,
    /// Full objects open now.
    objects: u32,
    spec: PhantomData<D>,
}

/// The position after what was walked.
type Walked<'a, V> = core::result::Result<usize, <V as Visitor<'a>>::Error>;

impl<'a, D: Spec, V: Visitor<'a>, const TRUSTED: bool> Walker<'a, '_, D, V, TRUSTED> {
    /// Walks the items of `frame` from `pos` on; at most `room` levels may open below
    /// it.
    fn items(&mut self, stack: &mut [Frame], pos: usize, frame: Frame, room: u32) -> Walked<'a, V> {
        let mut at = Cursor::new_at(self.window, pos);
        let mut left = frame;
        let mut height = 0_usize;
        loop {
            if left & LEFT == 0 {
                let Some(below) = height.checked_sub(1) else { return Ok(at.pos()) };
                self.close(left)?;
                height = below;
                left = stack.get(height).copied().unwrap_or_default();
                continue;
            }
            if left >= OBJECT {
                at = Cursor::new_at(self.window, self.property(at.pos())?);
            }
            let place = Place { start: at, frame: left };
            left = left.wrapping_sub(1);

            let header = Header(match at.read::<U32>() {
                Ok(header) => header.get(),
                Err(end) => return Err(self.fail(end.into())),
            });
            // Text and small ints first: most values are one or the other, and a test
            // for each costs less than a jump through a table.
            if header.0 == D::STRING {
                match text::read(&mut at, D::RULES) {
                    Ok(text) => self.leaf(at, VariantRef::String(StrRef::new(text)), place)?,
                    Err(error) => return Err(self.fail(error)),
                }
                continue;
            }
            if header.0 == D::INT {
                match at.read::<I32>() {
                    Ok(int) => self.leaf(at, VariantRef::Int(int.get().into()), place)?,
                    Err(end) => return Err(self.fail(end.into())),
                }
                if V::SILENT && left < OBJECT {
                    left = skip_ints::<D>(&mut at, left);
                }
                continue;
            }
            let container = match D::head(&mut at, header, Tell { walker: self, place }) {
                Ok(Head::Leaf(told)) => {
                    told?;
                    continue;
                }
                Ok(Head::Open(container)) => container,
                Ok(Head::Object) => {
                    let (pos, container) = self.object(at.pos(), place)?;
                    at = Cursor::new_at(self.window, pos);
                    let Some(container) = container else {
                        self.leaf(at, VariantRef::Object(ObjectRef::Null), place)?;
                        continue;
                    };
                    container
                }
                Err(error) => return Err(self.fail(error)),
            };
            let inner = self.open(&at, container, place)?;
            if inner & LEFT == 0 {
                self.close(inner)?;
            } else if TRUSTED && (left | inner) < OBJECT {
                // Of checked bytes only the number of items to come matters, but for
                // objects, whose values have names in front.
                left = (left & LEFT).wrapping_add(inner & LEFT);
            } else if let Some(saved) = stack.get_mut(height).filter(|_| room as usize > height) {
                *saved = left;
                height = height.wrapping_add(1);
                left = inner;
            } else {
                let pos = self.deeper(at.pos(), inner, room, height, place)?;
                at = Cursor::new_at(self.window, pos);
            }
        }
    }

    /// The levels on hand are used up: goes on in a call of its own, with as many as
    /// the engine allows. (Of checked bytes only objects take levels, two at the
    /// most each, so that this calls itself twice at the most.)
    #[cold]
    #[inline(never)]
    fn deeper(
        &mut self,
        pos: usize,
        frame: Frame,
        room: u32,
        height: usize,
        place: Place<'a>,
    ) -> Walked<'a, V> {
        let Some(room) = (room as usize).checked_sub(height).and_then(|room| room.checked_sub(1))
        else {
            let limit = self.bounds.depth;
            return Err(
                self.fail(Error::new(ErrorKind::TooDeep { limit }, place.start.pos() as u64))
            );
        };
        let mut stack = [0; ENGINE_DEPTH as usize];
        let end = self.items(&mut stack, pos, frame, room as u32)?;
        self.close(frame)?;
        Ok(end)
    }

    #[inline(always)]
    fn leaf(
        &mut self,
        at: Cursor<'a>,
        value: VariantRef<'a>,
        place: Place<'a>,
    ) -> core::result::Result<(), V::Error> {
        let encoded = Encoded::trusted(at.since(&place.start), D::RULES.dialect);
        let (offset, role) = (self.offset(place.start.pos()), role_of(place.frame));
        self.visitor.leaf(Leaf { value, encoded, offset, role })
    }

    #[inline(always)]
    fn open(
        &mut self,
        at: &Cursor<'a>,
        container: Container<'a>,
        place: Place<'a>,
    ) -> core::result::Result<Frame, V::Error> {
        let len = container.len();
        let (form, items, each) = match container {
            Container::Array { .. } => (0, u64::from(len), 4),
            Container::Dictionary { .. } => (DICTIONARY, u64::from(len).wrapping_mul(2), 4),
            Container::Object { .. } => (OBJECT, u64::from(len), 8),
        };
        let items = match expect_items(at, items, each) {
            Ok(()) => items,
            // More than can be there, and even, as a dictionary's are.
            Err(_) if V::CUT_OFF => (at.remaining() as u64).wrapping_shr(2).wrapping_add(2) & !1,
            Err(error) => return Err(self.fail(error)),
        };
        self.visitor.open(Open {
            container,
            head: at.since(&place.start),
            offset: self.offset(place.start.pos()),
            role: role_of(place.frame),
            dialect: D::RULES.dialect,
        })?;
        Ok(form | items as Frame & LEFT)
    }

    #[inline(always)]
    fn close(&mut self, frame: Frame) -> core::result::Result<(), V::Error> {
        if frame >= OBJECT {
            self.objects = self.objects.saturating_sub(1);
        }
        self.visitor.close(kind_of(frame))
    }

    #[cold]
    #[inline(never)]
    fn property(&mut self, pos: usize) -> Walked<'a, V> {
        let mut at = Cursor::new_at(self.window, pos);
        let start = at;
        let name = match text::read(&mut at, D::RULES) {
            Ok(name) => StrRef::new(name),
            Err(error) => return Err(self.fail(error)),
        };
        self.visitor.property(Property {
            name,
            bytes: at.since(&start),
            offset: self.offset(pos),
            dialect: D::RULES.dialect,
        })?;
        Ok(at.pos())
    }

    /// A full object's class and count; no container where the class is empty, which
    /// is null. The engine refuses objects before it reads on, so this does too.
    #[cold]
    #[inline(never)]
    #[allow(clippy::type_complexity)]
    fn object(
        &mut self,
        pos: usize,
        place: Place<'a>,
    ) -> core::result::Result<(usize, Option<Container<'a>>), V::Error> {
        let mut at = Cursor::new_at(self.window, pos);
        let container = if self.bounds.objects {
            Container::object(&mut at, D::RULES)
        } else {
            Container::null_object(&mut at, D::RULES).map(|()| None)
        };
        let container = container.map_err(|error| self.fail(error))?;
        if container.is_some() {
            self.objects = self.objects.saturating_add(1);
            // With the caller's memory arrays may go deeper than this; objects may
            // not, so that later walks over checked bytes need no memory for them.
            if self.objects > ENGINE_DEPTH {
                let kind = ErrorKind::TooDeep { limit: ENGINE_DEPTH };
                return Err(self.fail(Error::new(kind, place.start.pos() as u64)));
            }
        }
        Ok((at.pos(), container))
    }

    #[inline(always)]
    fn offset(&self, pos: usize) -> u64 {
        self.base.wrapping_add(pos as u64)
    }

    #[cold]
    #[inline(never)]
    fn fail(&self, error: Error) -> V::Error {
        error.shifted(self.base).into()
    }
}

/// Tells the visitor of a leaf.
struct Tell<'w, 'a, 'v, D, V, const TRUSTED: bool> {
    walker: &'w mut Walker<'a, 'v, D, V, TRUSTED>,
    place: Place<'a>,
}

impl<'a, D: Spec, V: Visitor<'a>, const TRUSTED: bool> OnLeaf<'a>
    for Tell<'_, 'a, '_, D, V, TRUSTED>
{
    type Output = core::result::Result<(), V::Error>;

    #[inline(always)]
    fn leaf(self, at: Cursor<'a>, value: VariantRef<'a>) -> Self::Output {
        self.walker.leaf(at, value, self.place)
    }
}

/// Where a value starts, and in what.
#[derive(Clone, Copy)]
struct Place<'a> {
    start: Cursor<'a>,
    /// The container's, with this value among its items left.
    frame: Frame,
}

/// Past the small ints that follow one, four at a time.
#[inline(always)]
fn skip_ints<D: Spec>(at: &mut Cursor<'_>, mut left: Frame) -> Frame {
    while left & LEFT >= 4 {
        let mut ahead = *at;
        let Ok(values) = ahead.read::<[[u8; 8]; 4]>() else { break };
        let other = values.iter().fold(0, |other, [a, b, c, d, ..]| {
            other | (u32::from_le_bytes([*a, *b, *c, *d]) ^ D::INT)
        });
        if other != 0 {
            break;
        }
        *at = ahead;
        left = left.wrapping_sub(4);
    }
    left
}

/// Moves past one value of checked bytes.
#[inline(always)]
pub(crate) fn skip_checked<D: Spec>(at: &mut Cursor<'_>) -> Result<()> {
    let start = *at;
    let header = Header(at.read::<U32>()?.get());
    if header.0 == D::STRING {
        return text::read(at, D::RULES).map(drop);
    }
    if header.0 == D::INT {
        return Ok(at.read::<I32>().map(drop)?);
    }
    if !matches!(D::head(at, header, Forget)?, Head::Leaf(())) {
        *at = skip_container::<D>(start)?;
    }
    Ok(())
}

/// Where the value at the start of `bytes` ends, if it has no items and nothing is wrong with
/// it: a shorter way to that than a walk, for values that stand alone.
#[inline]
pub(crate) fn leaf_len<D: Spec>(bytes: &[u8]) -> Option<usize> {
    let mut at = Cursor::new(bytes);
    let header = Header(at.read::<U32>().ok()?.get());
    if header.0 == D::INT {
        at.read::<I32>().ok()?;
    } else if header.0 == D::STRING {
        text::read(&mut at, D::RULES).ok()?;
    } else if !matches!(D::head(&mut at, header, Forget), Ok(Head::Leaf(()))) {
        return None;
    }
    Some(at.pos())
}

/// By value, so that the caller's position stays in a register.
#[inline(never)]
fn skip_container<D: Spec>(mut at: Cursor<'_>) -> Result<Cursor<'_>> {
    let bounds = Bounds { depth: u32::MAX, objects: true };
    let window = at.rest();
    let walk = Walk::<_, true> { window, visitor: &mut Skip, bounds, base: 0, stack: None };
    let end = walk.run::<D>()?;
    at.skip(end);
    Ok(at)
}
