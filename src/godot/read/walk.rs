//! The one pass over a packet that skipping, checking and traversing share.
//!
//! The walk is compiled for each dialect and each visitor. Pending items are
//! counted on an exact stack of 32 levels; a packet that goes deeper continues in
//! calls of their own with 256 more each, up to the engine's 1024. So shallow packets
//! pay for 128 bytes, and no packet takes more than a few KiB.

use crate::buffer::Cursor;
use crate::godot::table::dialect::{Job, Spec};
use crate::godot::table::layouts::U32;
use crate::godot::table::payload::{ContainerKind, Head, Header, LeafHandler};
use crate::godot::types::container::{Container, expect_items};
use crate::godot::types::text::{self, StrRef};
use crate::godot::{Dialect, Encoded, Error, ErrorKind, ObjectRef, Result, VariantRef};
use core::marker::PhantomData;

mod erased;
mod frame;
mod visitor;

pub(crate) use erased::{Erased, Stop, erase};

use frame::{DICTIONARY, kind_of};
pub(crate) use frame::{Frame, LEFT, OBJECT, frame_of, role_of};
pub(crate) use visitor::Skip;
pub use visitor::{Leaf, Open, Property, Role, Visitor};

/// The engine's limit: 1024 containers around a leaf (Godot 3.3.5, 3.4.3, 4.0 and
/// later).
pub(crate) const ENGINE_DEPTH: u32 = 1024;

/// How many containers inside each other types are read from, and told of: such code calls
/// itself for each, and a type that can have itself inside as often as a packet says.
pub(crate) const TYPE_DEPTH: u32 = 128;

/// Levels counted without a further call.
const LEVELS: usize = 32;

/// Levels of each further call.
const MORE_LEVELS: usize = 256;

/// Levels that a further call takes along. A packet that goes up and down near the last level
/// on hand thus stays in that call, and does not begin it again and again.
const TAKEN: usize = 16;

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
        let mut walker = Walker::<D, V, TRUSTED> {
            window,
            visitor,
            bounds,
            base,
            objects: 0,
            properties: 0,
            spec: PhantomData,
        };
        match stack {
            Some(stack) => walker.items(stack, 0, 0, 1, bounds.depth),
            None => walker.items(&mut [0; LEVELS], 0, 0, 1, bounds.depth),
        }
    }
}

/// Returns the end of the value at the start of `window`, which starts at `base` of the input.
/// Not generic, so that callers in other crates do not compile the walk again.
#[inline(never)]
pub(crate) fn end_of_value(
    window: &[u8],
    dialect: Dialect,
    bounds: Bounds,
    base: u64,
) -> Result<usize> {
    dialect.run(Walk::<_> { window, visitor: &mut Skip, bounds, base, stack: None })
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
    /// Properties to come of the innermost container, where that is an object.
    properties: u32,
    spec: PhantomData<D>,
}

/// The position after what was walked.
type Walked<'a, V> = core::result::Result<usize, <V as Visitor<'a>>::Error>;

/// Where the items of a container start, and their frame.
type Opened<'a, V> = core::result::Result<(Cursor<'a>, Frame), <V as Visitor<'a>>::Error>;

impl<'a, D: Spec, V: Visitor<'a>, const TRUSTED: bool> Walker<'a, '_, D, V, TRUSTED> {
    /// Walks the items of `frame` from `pos` on, and what then is left of the frames on the
    /// stack, of which there are `height`; at most `room` levels may open below the first.
    fn items(
        &mut self,
        stack: &mut [Frame],
        mut height: usize,
        pos: usize,
        frame: Frame,
        room: u32,
    ) -> Walked<'a, V> {
        let levels = stack.len().min(room as usize);
        let stack = stack.get_mut(..levels).unwrap_or_default();
        let mut at = Cursor::new_at(self.window, pos);
        let mut left = self.resume(frame);
        loop {
            if left & LEFT == 0 {
                if left >= OBJECT && self.properties > 0 {
                    at = at.with_pos(self.window, self.property(at.pos())?);
                    left = OBJECT | 1;
                    continue;
                }
                let Some(below) = height.checked_sub(1) else { return Ok(at.pos()) };
                self.close(left, at.pos())?;
                height = below;
                left = self.resume(stack.get(height).copied().unwrap_or_default());
                continue;
            }
            let place = Place { start: at, frame: left };
            left = left.wrapping_sub(1);

            // Text and small ints first: most values are one or the other, and a test
            // for each costs less than a jump through a table. One look at the end of the
            // window does for the header and what nearly always follows it.
            if let Some((&[header, word], after)) = at.peek::<[U32; 2]>() {
                if header.get() == D::STRING {
                    at = after;
                    if V::PASSES_PLAIN
                        && let Some(rest) = text::past_plain(at.rest(), word.get())
                    {
                        at.set_rest(rest);
                        continue;
                    }
                    match text::rest(&mut at, word.get(), D::RULES) {
                        Ok(text) => self.leaf(at, VariantRef::String(StrRef::new(text)), place)?,
                        Err(error) => return Err(self.fail(error)),
                    }
                    continue;
                }
                if header.get() == D::INT {
                    at = after;
                    let int = (word.get() as i32).into();
                    self.leaf(at, VariantRef::Int(int), place)?;
                    if V::SILENT {
                        left = skip_ints::<D>(&mut at, left);
                    }
                    continue;
                }
            }
            let header = Header(match at.read::<U32>() {
                Ok(header) => header.get(),
                Err(end) => return Err(self.fail(end.into())),
            });
            let opens = match D::head(&mut at, header, Tell { walker: self, place }) {
                Ok(Head::Leaf(told)) => {
                    told?;
                    continue;
                }
                Ok(Head::Open(opens)) => opens,
                Err(error) => return Err(self.fail(error)),
            };
            let (after, inner) = self.open(opens, at, header, place)?;
            at.set_rest(after.rest());
            if inner & LEFT == 0 {
                continue;
            }
            if TRUSTED && (left | inner) < OBJECT {
                // Of checked bytes only the number of items to come matters, but for
                // objects, whose values have names in front.
                left = (left & LEFT).wrapping_add(inner & LEFT);
            } else if let Some(saved) = stack.get_mut(height) {
                *saved = self.suspend(left);
                height = height.wrapping_add(1);
                left = self.resume(inner);
            } else {
                left = self.suspend(left);
                at = at.with_pos(
                    self.window,
                    self.deeper(stack, [left, inner], room, at.pos(), place)?,
                );
                // Of all that was taken along, nothing is left.
                height = height.saturating_sub(TAKEN);
                left = stack.get(height).copied().unwrap_or(left) & !LEFT;
            }
        }
    }

    /// The levels on hand are used up: goes on in a call of its own, with more of them, which
    /// takes the last ones along and ends where these do. (Five times at the most, for the
    /// engine's 1024. Of checked bytes only objects take levels, two at the most each: nine.)
    #[cold]
    #[inline(never)]
    fn deeper(
        &mut self,
        stack: &[Frame],
        [left, inner]: [Frame; 2],
        room: u32,
        pos: usize,
        place: Place<'a>,
    ) -> Walked<'a, V> {
        if stack.len() >= room as usize {
            let limit = self.bounds.depth;
            return Err(
                self.fail(Error::new(ErrorKind::TooDeep { limit }, place.start.pos() as u64))
            );
        }
        let kept = stack.len().saturating_sub(TAKEN);
        let taken = stack.get(kept..).unwrap_or_default().iter().chain([&left]);
        let mut more = [0; MORE_LEVELS];
        more.iter_mut().zip(taken).for_each(|(level, frame)| *level = *frame);
        let height = stack.len().wrapping_sub(kept).wrapping_add(1);
        self.items(&mut more, height, pos, inner, room.wrapping_sub(kept as u32))
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

    /// What of a frame the loop counts down. An object's properties come one at a time, so
    /// that between the items of others nobody has to ask for names.
    #[inline(always)]
    fn resume(&mut self, frame: Frame) -> Frame {
        if frame < OBJECT { frame } else { self.resume_object(frame) }
    }

    #[cold]
    #[inline(never)]
    fn resume_object(&mut self, frame: Frame) -> Frame {
        self.properties = frame & LEFT;
        OBJECT
    }

    /// The frame to resume with after another one.
    #[inline(always)]
    fn suspend(&self, left: Frame) -> Frame {
        if left < OBJECT { left } else { OBJECT | self.properties }
    }

    /// A container opens, and closes at once where it has no items: where these start, and
    /// their frame.
    #[inline(always)]
    fn open(
        &mut self,
        opens: ContainerKind,
        mut at: Cursor<'a>,
        header: Header,
        place: Place<'a>,
    ) -> Opened<'a, V> {
        // Nearly all have nothing but a count in front of their items.
        if opens == ContainerKind::Object || header.has_types(D::RULES) {
            return self.open_rare(opens, at, header, place);
        }
        match Container::untyped(opens, &mut at) {
            Ok(container) => self.enter(at, container, place),
            Err(error) => Err(self.fail(error)),
        }
    }

    #[inline(never)]
    fn open_rare(
        &mut self,
        opens: ContainerKind,
        mut at: Cursor<'a>,
        header: Header,
        place: Place<'a>,
    ) -> Opened<'a, V> {
        match Container::read(opens, &mut at, header, D::RULES, self.bounds.objects) {
            Ok(Some(container)) => {
                if opens == ContainerKind::Object {
                    self.enter_object(place)?;
                }
                self.enter(at, container, place)
            }
            Ok(None) => {
                self.leaf(at, VariantRef::Object(ObjectRef::Null), place)?;
                Ok((at, 0))
            }
            Err(error) => Err(self.fail(error)),
        }
    }

    #[inline(always)]
    fn enter(
        &mut self,
        at: Cursor<'a>,
        container: Container<'a>,
        place: Place<'a>,
    ) -> Opened<'a, V> {
        let len = u64::from(container.len());
        let (form, items, each) = match container {
            Container::Array { .. } => (0, len, 4),
            Container::Dictionary { .. } => (DICTIONARY, len.wrapping_mul(2), 4),
            Container::Object { .. } => (OBJECT, len, 8),
        };
        let items = match expect_items(&at, items, each) {
            Ok(()) => items,
            // More than can be there, and even, as a dictionary's are.
            Err(_) if self.visitor.cuts_off() => {
                (at.remaining() as u64).wrapping_shr(2).wrapping_add(2) & !1
            }
            Err(error) => return Err(self.fail(error)),
        };
        self.visitor.open(Open {
            container,
            head: at.since(&place.start),
            offset: self.offset(place.start.pos()),
            role: role_of(place.frame),
            dialect: D::RULES.dialect,
        })?;
        let frame = form | items as Frame & LEFT;
        if frame & LEFT == 0 {
            self.close(frame, at.pos())?;
        }
        Ok((at, frame))
    }

    /// With the caller's memory arrays may go deeper than 1024; objects may not, so that
    /// later walks over checked bytes need no memory for them.
    #[cold]
    fn enter_object(&mut self, place: Place<'a>) -> core::result::Result<(), V::Error> {
        self.objects = self.objects.saturating_add(1);
        if self.objects > ENGINE_DEPTH {
            let kind = ErrorKind::TooDeep { limit: ENGINE_DEPTH };
            return Err(self.fail(Error::new(kind, place.start.pos() as u64)));
        }
        Ok(())
    }

    #[inline(always)]
    fn close(&mut self, frame: Frame, pos: usize) -> core::result::Result<(), V::Error> {
        if frame >= OBJECT {
            self.objects = self.objects.saturating_sub(1);
        }
        self.visitor.close_at(kind_of(frame), self.offset(pos))
    }

    #[cold]
    #[inline(never)]
    fn property(&mut self, pos: usize) -> Walked<'a, V> {
        self.properties = self.properties.saturating_sub(1);
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

impl<'a, D: Spec, V: Visitor<'a>, const TRUSTED: bool> LeafHandler<'a>
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
    while let Some(([a, b, c, d], after)) = at.peek::<[[U32; 2]; 4]>() {
        // The next one alone first: mostly it is something else.
        if a[0].get() != D::INT || left & LEFT < 4 {
            break;
        }
        let other = [b, c, d].iter().fold(0, |other, [header, _]| other | header.get() ^ D::INT);
        if other != 0 {
            break;
        }
        *at = after;
        left = left.wrapping_sub(4);
    }
    left
}
