//! The single pass over a value that skipping, checking and visiting share.
//!
//! The walk is compiled for each dialect and each visitor. It counts the remaining items of each
//! open container on a stack of 32 levels. For a deeper packet it calls itself. Each call adds 256
//! levels, up to the engine's limit of 1024. The counters of a shallow packet therefore take 128
//! bytes of stack, and those of a deeper one at most a few KiB.

use super::fast_path::Start;
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

/// The engine's limit: 1024 containers around a leaf (Godot 3.3.5, 3.4.3, 4.0 and later).
pub(crate) const ENGINE_DEPTH: u32 = 1024;

/// Maximum number of nested containers for code that reads values into Rust types. Such code
/// recurses for each container. If the type is recursive, the packet determines the depth of the
/// recursion.
pub(crate) const TYPE_DEPTH: u32 = 128;

/// Number of levels that the first call of [`Walker::items`] can hold.
const LEVELS: usize = 32;

/// Number of levels that each recursive call adds.
const MORE_LEVELS: usize = 256;

/// Number of levels that a recursive call takes over from its caller. If it took over none, and the
/// depth of a packet alternated around the last level of the caller, every change of depth would
/// cause a new call.
const TAKEN: usize = 16;

/// Limits of a walk.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Bounds {
    /// Maximum number of nested containers.
    pub depth: u32,
    /// `true` if full objects are allowed.
    pub objects: bool,
}

/// A walk over one value. `TRUSTED` is `true` if an earlier walk has checked these bytes. Their
/// depth is then not counted again.
pub(crate) struct Walk<'a, 'v, V, const TRUSTED: bool = false> {
    /// The bytes from the header of the value on.
    pub window: &'a [u8],
    pub visitor: &'v mut V,
    pub bounds: Bounds,
    /// Offset of the window in the input.
    pub base: u64,
    /// Caller-provided memory for depths above the engine's limit.
    pub stack: Option<&'v mut [u32]>,
}

impl<'a, V: Visitor<'a>> Walk<'a, '_, V> {
    /// Walks a value of this dialect. Returns the offset of its end, from the start of the window.
    #[inline]
    pub fn value_of(self, dialect: Dialect) -> core::result::Result<usize, V::Error> {
        if !cfg!(gamewire_small) {
            return dialect.run(self);
        }
        let Self { window, visitor, bounds, base, stack } = self;
        erase(visitor, |visitor| dialect.run(Walk::<_> { window, visitor, bounds, base, stack }))
    }
}

impl<'a, V: Visitor<'a>, const TRUSTED: bool> Job for Walk<'a, '_, V, TRUSTED> {
    /// Offset of the end of the value, from the start of the window.
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

/// Returns the end of the value at the start of `window`, which begins at offset `base` of the
/// input. This function is neither generic nor inlined. The walk is therefore compiled only in this
/// crate, and not again in each crate that calls the function.
#[inline(never)]
pub(crate) fn end_of_value(
    window: &[u8],
    dialect: Dialect,
    bounds: Bounds,
    base: u64,
) -> Result<usize> {
    Walk { window, visitor: &mut Skip, bounds, base, stack: None }.value_of(dialect)
}

/// State of a walk except for the position. Functions pass the position to each other, so that it
/// stays in a register. This is important for speed, because the start of each value depends on the
/// end of the previous one.
struct Walker<'a, 'v, D, V, const TRUSTED: bool> {
    window: &'a [u8],
    visitor: &'v mut V,
    bounds: Bounds,
    base: u64,
    /// Number of open full objects.
    objects: u32,
    /// Number of remaining properties of the innermost container, if it is an object.
    properties: u32,
    spec: PhantomData<D>,
}

/// The position after the values that were walked.
type Walked<'a, V> = core::result::Result<usize, <V as Visitor<'a>>::Error>;

/// The position of the first item of a container, and its frame.
type Opened<'a, V> = core::result::Result<(Cursor<'a>, Frame), <V as Visitor<'a>>::Error>;

impl<'a, D: Spec, V: Visitor<'a>, const TRUSTED: bool> Walker<'a, '_, D, V, TRUSTED> {
    /// Walks the items of `frame` from `pos` on, and then the remaining items of the `height`
    /// frames on the stack. The outermost container of all these frames may contain at most
    /// `levels` levels of containers.
    fn items(
        &mut self,
        stack: &mut [Frame],
        mut height: usize,
        pos: usize,
        frame: Frame,
        levels: u32,
    ) -> Walked<'a, V> {
        let capacity = stack.len().min(levels as usize);
        let stack = stack.get_mut(..capacity).unwrap_or_default();
        let mut at = Cursor::new_at(self.window, pos);
        let mut left = self.resume(frame);
        loop {
            if left & LEFT == 0 {
                if left >= OBJECT && self.properties > 0 {
                    at = at.with_pos(self.window, self.property(at.pos())?);
                    left = OBJECT | 1;
                    continue;
                }
                let Some(parent) = height.checked_sub(1) else { return Ok(at.pos()) };
                self.close(left, at.pos())?;
                height = parent;
                left = self.resume(stack.get(height).copied().unwrap_or_default());
                continue;
            }
            let start = ValueStart { at, frame: left };
            left = left.wrapping_sub(1);

            // Strings and 32-bit Ints come first, because most values have one of these types, and
            // two comparisons cost less than a jump table. One bounds check covers the header and
            // the word that nearly always follows it.
            if let Some((&[header, word], after)) = at.peek::<Start>() {
                if header.get() == D::STRING {
                    at = after;
                    if V::PASSES_PLAIN
                        && let Some(rest) = text::past_plain(at.rest(), word.get())
                    {
                        at.set_rest(rest);
                        continue;
                    }
                    match text::rest(&mut at, word.get(), D::RULES) {
                        Ok(text) => self.leaf(at, VariantRef::String(StrRef::new(text)), start)?,
                        Err(error) => return Err(self.fail(error)),
                    }
                    continue;
                }
                if header.get() == D::INT {
                    at = after;
                    let int = (word.get() as i32).into();
                    self.leaf(at, VariantRef::Int(int), start)?;
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
            let opens = match D::head(&mut at, header, ReportLeaf { walker: self, start }) {
                Ok(Head::Leaf(result)) => {
                    result?;
                    continue;
                }
                Ok(Head::Open(opens)) => opens,
                Err(error) => return Err(self.fail(error)),
            };
            let (after, inner) = self.open(opens, at, header, start)?;
            at.set_rest(after.rest());
            if inner & LEFT == 0 {
                continue;
            }
            if TRUSTED && (left | inner) < OBJECT {
                // In trusted bytes, it does not matter to which array or dictionary an item
                // belongs, so their items are counted together. Objects are excluded, because a
                // name precedes each of their values.
                left = (left & LEFT).wrapping_add(inner & LEFT);
            } else if let Some(saved) = stack.get_mut(height) {
                *saved = self.suspend(left);
                height = height.wrapping_add(1);
                left = self.resume(inner);
            } else {
                left = self.suspend(left);
                at = at.with_pos(
                    self.window,
                    self.deeper(stack, [left, inner], levels, at.pos(), start)?,
                );
                // The recursive call has closed all levels that it took over.
                height = height.saturating_sub(TAKEN);
                left = stack.get(height).copied().unwrap_or(left) & !LEFT;
            }
        }
    }

    /// Continues in a recursive call when all levels are in use. This call takes over the last
    /// levels, and returns when they are closed. Within the engine's limit of 1024 levels, at most
    /// five calls nest. In trusted bytes only objects take levels, at most two each, so at most
    /// nine calls nest.
    #[cold]
    #[inline(never)]
    fn deeper(
        &mut self,
        stack: &[Frame],
        [left, inner]: [Frame; 2],
        levels: u32,
        pos: usize,
        start: ValueStart<'a>,
    ) -> Walked<'a, V> {
        if stack.len() >= levels as usize {
            let limit = self.bounds.depth;
            return Err(self.fail(Error::new(ErrorKind::TooDeep { limit }, start.at.pos() as u64)));
        }
        let kept = stack.len().saturating_sub(TAKEN);
        let taken = stack.get(kept..).unwrap_or_default().iter().chain([&left]);
        let mut more = [0; MORE_LEVELS];
        more.iter_mut().zip(taken).for_each(|(level, frame)| *level = *frame);
        let height = stack.len().wrapping_sub(kept).wrapping_add(1);
        self.items(&mut more, height, pos, inner, levels.wrapping_sub(kept as u32))
    }

    #[inline(always)]
    fn leaf(
        &mut self,
        at: Cursor<'a>,
        value: VariantRef<'a>,
        start: ValueStart<'a>,
    ) -> core::result::Result<(), V::Error> {
        let encoded = Encoded::trusted(at.since(&start.at), D::RULES.dialect);
        let (offset, role) = (self.offset(start.at.pos()), role_of(start.frame));
        self.visitor.leaf(Leaf { value, encoded, offset, role })
    }

    /// Returns the part of a frame that the loop counts down. For an object, this part covers only
    /// one property. The loop then handles only items without names, and need not check for names
    /// between the items of other containers.
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

    /// Returns the frame to store on the stack while the walk is inside a nested container.
    #[inline(always)]
    fn suspend(&self, left: Frame) -> Frame {
        if left < OBJECT { left } else { OBJECT | self.properties }
    }

    /// Opens a container, and closes it if it is empty.
    #[inline(always)]
    fn open(
        &mut self,
        opens: ContainerKind,
        mut at: Cursor<'a>,
        header: Header,
        start: ValueStart<'a>,
    ) -> Opened<'a, V> {
        // Nearly all containers have only a count before their items.
        if opens == ContainerKind::Object || header.has_types(D::RULES) {
            return self.open_rare(opens, at, header, start);
        }
        match Container::untyped(opens, &mut at) {
            Ok(container) => self.enter(at, container, start),
            Err(error) => Err(self.fail(error)),
        }
    }

    #[inline(never)]
    fn open_rare(
        &mut self,
        opens: ContainerKind,
        mut at: Cursor<'a>,
        header: Header,
        start: ValueStart<'a>,
    ) -> Opened<'a, V> {
        match Container::read(opens, &mut at, header, D::RULES, self.bounds.objects) {
            Ok(Some(container)) => {
                if opens == ContainerKind::Object {
                    self.enter_object(start)?;
                }
                self.enter(at, container, start)
            }
            Ok(None) => {
                self.leaf(at, VariantRef::Object(ObjectRef::Null), start)?;
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
        start: ValueStart<'a>,
    ) -> Opened<'a, V> {
        let flag = match container {
            Container::Array { .. } => 0,
            Container::Dictionary { .. } => DICTIONARY,
            Container::Object { .. } => OBJECT,
        };
        let (items, each) = container.items();
        let items = match expect_items(&at, items, each) {
            Ok(()) => items,
            // Expects more items than the window can hold, so that the walk fails at the first
            // missing item. The number is small enough for a `Frame`. The number is even, as a
            // dictionary requires.
            Err(_) if self.visitor.cuts_off() => {
                (at.remaining() as u64).wrapping_shr(2).wrapping_add(2) & !1
            }
            Err(error) => return Err(self.fail(error)),
        };
        self.visitor.open(Open {
            container,
            head: at.since(&start.at),
            offset: self.offset(start.at.pos()),
            role: role_of(start.frame),
            dialect: D::RULES.dialect,
        })?;
        let frame = flag | items as Frame & LEFT;
        if frame & LEFT == 0 {
            self.close(frame, at.pos())?;
        }
        Ok((at, frame))
    }

    /// Counts an open object. With caller-provided memory, arrays may nest deeper than 1024 levels,
    /// but objects may not. Later walks over trusted bytes therefore need no such memory.
    #[cold]
    fn enter_object(&mut self, start: ValueStart<'a>) -> core::result::Result<(), V::Error> {
        self.objects = self.objects.saturating_add(1);
        if self.objects > ENGINE_DEPTH {
            let kind = ErrorKind::TooDeep { limit: ENGINE_DEPTH };
            return Err(self.fail(Error::new(kind, start.at.pos() as u64)));
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

/// A handler that passes a leaf to the visitor.
struct ReportLeaf<'w, 'a, 'v, D, V, const TRUSTED: bool> {
    walker: &'w mut Walker<'a, 'v, D, V, TRUSTED>,
    start: ValueStart<'a>,
}

impl<'a, D: Spec, V: Visitor<'a>, const TRUSTED: bool> LeafHandler<'a>
    for ReportLeaf<'_, 'a, '_, D, V, TRUSTED>
{
    type Output = core::result::Result<(), V::Error>;

    #[inline(always)]
    fn leaf(self, at: Cursor<'a>, value: VariantRef<'a>) -> Self::Output {
        self.walker.leaf(at, value, self.start)
    }
}

/// The start of a value, and the frame of its container.
#[derive(Clone, Copy)]
struct ValueStart<'a> {
    at: Cursor<'a>,
    /// Frame of the container. Its remaining items include this value.
    frame: Frame,
}

/// Skips 32-bit Ints after an Int, four at a time.
#[inline(always)]
fn skip_ints<D: Spec>(at: &mut Cursor<'_>, mut left: Frame) -> Frame {
    while let Some(([a, b, c, d], after)) = at.peek::<[[U32; 2]; 4]>() {
        // Checks the next header alone first, because it is rarely an Int.
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
