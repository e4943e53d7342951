//! The fields of a Dictionary that is being written.

use super::{PutFields, ToFields};
use crate::base::{BehindName, Here, Sink, SinkJob, unlikely};
use crate::godot::dialect::{Rules, Target};
use crate::godot::encoder::{Encoder, Pieces};
use crate::godot::walk::ENGINE_DEPTH;
use crate::godot::wire::U32;
use crate::godot::{Dialect, Error, ErrorKind, Kind, Result, ToVariant};
use core::convert::Infallible;

impl<T: ToFields + ?Sized> ToFields for &T {
    #[inline(always)]
    fn to_fields<F: PutFields>(&self, fields: &mut F) -> core::result::Result<(), F::Error> {
        T::to_fields(self, fields)
    }
}

/// As a Dictionary.
impl<T: ToFields> ToVariant for T {
    #[inline(always)]
    #[allow(private_interfaces)]
    fn write<S: Sink>(&self, out: &mut Encoder<'_, S>) -> Result<()> {
        out.whole(&Record(self))
    }
}

struct Record<'t, T>(&'t T);

impl<T: ToFields> Pieces for Record<'_, T> {
    type Error = Error;

    #[inline(always)]
    fn write<S: Sink>(&self, out: &mut Encoder<'_, S>) -> Result<()> {
        let mut count = Count(0);
        let Ok(()) = self.0.to_fields(&mut count);
        // An empty container may stand one level deeper than any other.
        let depth = match out.depth.checked_sub(1) {
            Some(inside) => inside,
            None if count.0 == 0 => 0,
            None => return Err(out.fail(ErrorKind::TooDeep { limit: ENGINE_DEPTH })),
        };
        let to = To { target: out.target, rules: out.rules, wide: out.wide, depth };
        if to.target == LATEST && !to.wide {
            // In code of its own, in which ids are constants.
            return out.sink.run(PutAll::<_, true> { fields: self.0, to, left: count.0 });
        }
        out.sink.run(PutAll::<_, false> { fields: self.0, to, left: count.0 })
    }
}

const LATEST: Target = Target::latest(Dialect::Godot4);

/// How it is written, see [`Encoder`].
#[derive(Clone, Copy)]
struct To {
    target: Target,
    rules: &'static Rules,
    wide: bool,
    depth: u32,
}

/// `GODOT4` where that is the target.
struct PutAll<'t, T, const GODOT4: bool> {
    fields: &'t T,
    to: To,
    left: usize,
}

impl<T: ToFields, const GODOT4: bool> SinkJob for PutAll<'_, T, GODOT4> {
    type Output = Result<()>;

    #[inline(always)]
    fn run<S: Sink>(self, sink: &mut S) -> Result<()> {
        let Self { fields, to, left } = self;
        Put::<S, GODOT4> { sink, to, left }.all(fields)
    }
}

/// How many fields there are. As a rule the compiler knows.
struct Count(usize);

impl PutFields for Count {
    type Error = Infallible;

    #[inline(always)]
    fn put<V: ToVariant>(&mut self, _: &'static str, _: V) -> core::result::Result<(), Infallible> {
        self.0 = self.0.wrapping_add(1);
        Ok(())
    }
}

struct Put<'p, S, const GODOT4: bool> {
    /// Not the sink itself: it is in memory for those who make room, and all that is next to it.
    sink: &'p mut S,
    to: To,
    /// Fields that may come.
    left: usize,
}

impl<S: Sink, const GODOT4: bool> Put<'_, S, GODOT4> {
    #[inline(always)]
    fn all<T: ToFields>(mut self, fields: &T) -> Result<()> {
        let here = &mut Here(&mut *self.sink);
        let mut out = Self::encoder(here, self.to);
        let count = out.count(self.left)?;
        out.fixed(Kind::Dictionary, 0, U32::new(count))?;
        fields.to_fields(&mut self)?;
        match self.left {
            0 => Ok(()),
            left => Err(missing(left, self.sink.position())),
        }
    }

    #[inline(always)]
    fn pair<V: ToVariant>(&mut self, name: &'static str, value: V) -> Result<()> {
        let here = &mut Here(&mut *self.sink);
        let mut out = Self::encoder(here, self.to);
        let short = out.short_string(name).map_err(unlikely)?;
        if V::ONE_APPEND
            && let Some(name) = short
        {
            let behind = &mut BehindName { name, here };
            return value.write(&mut Self::encoder(behind, self.to)).map_err(unlikely);
        }
        match short {
            Some(name) => out.short(name).map_err(unlikely)?,
            None => name.write(&mut out).map_err(unlikely)?,
        }
        value.write(&mut out).map_err(unlikely)
    }

    #[inline(always)]
    fn encoder<T: Sink>(sink: &mut T, to: To) -> Encoder<'_, T> {
        let To { target, rules, wide, depth } = to;
        if GODOT4 {
            // As constants.
            return Encoder::new(sink, LATEST, depth);
        }
        Encoder { sink, target, rules, wide, depth }
    }
}

impl<S: Sink, const GODOT4: bool> PutFields for Put<'_, S, GODOT4> {
    type Error = Error;

    #[inline(always)]
    fn put<V: ToVariant>(&mut self, name: &'static str, value: V) -> Result<()> {
        match self.left.checked_sub(1) {
            Some(left) => self.left = left,
            None => return Err(too_many(self.sink.position())),
        }
        let written = self.pair(name, value);
        if written.is_err() {
            // Also where the type does without it: what is half-written must not stay.
            self.left = usize::MAX;
        }
        written
    }
}

#[cold]
#[inline(never)]
fn missing(left: usize, position: usize) -> Error {
    Error::new(ErrorKind::MissingItems(u32::try_from(left).unwrap_or(u32::MAX)), position as u64)
}

#[cold]
#[inline(never)]
fn too_many(position: usize) -> Error {
    Error::new(ErrorKind::TooManyItems, position as u64)
}
