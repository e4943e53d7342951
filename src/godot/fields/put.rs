//! Writes structs as Dictionaries.

use super::{PutFields, ToFields};
use crate::buffer::{Sink, SinkJob, unlikely};
use crate::godot::read::walk::ENGINE_DEPTH;
use crate::godot::table::dialect::{Rules, Target};
use crate::godot::table::layouts::U32;
use crate::godot::write::encoder::{Encoder, Pieces};
use crate::godot::write::inline_sink::{InlineSink, NamedValueSink};
use crate::godot::{Dialect, Error, ErrorKind, Kind, Result, ToVariant};
use core::convert::Infallible;

impl<T: ToFields + ?Sized> ToFields for &T {
    #[inline(always)]
    fn to_fields<F: PutFields>(&self, fields: &mut F) -> core::result::Result<(), F::Error> {
        T::to_fields(self, fields)
    }
}

/// Writes the fields as a Dictionary.
impl<T: ToFields> ToVariant for T {
    #[inline(always)]
    #[allow(private_interfaces, reason = "hidden: for the types of this crate")]
    fn write<S: Sink>(&self, out: &mut Encoder<'_, S>) -> Result<()> {
        out.whole(&Record(self))
    }

    #[inline(always)]
    #[allow(private_interfaces, reason = "hidden: for the types of this crate")]
    fn write_inside<S: Sink>(&self, out: &mut Encoder<'_, S>) -> Result<()> {
        Record(self).write(out)
    }
}

struct Record<'t, T>(&'t T);

impl<T: ToFields> Pieces for Record<'_, T> {
    type Error = Error;

    #[inline(always)]
    fn write<S: Sink>(&self, out: &mut Encoder<'_, S>) -> Result<()> {
        let Self(fields) = *self;
        let mut count = Count(0);
        let Ok(()) = fields.to_fields(&mut count);
        // An empty container may be one level deeper than a container with items.
        let depth = match out.depth.checked_sub(1) {
            Some(depth) => depth,
            None if count.0 == 0 => 0,
            None => return Err(out.fail(ErrorKind::TooDeep { limit: ENGINE_DEPTH })),
        };
        if out.target == LATEST && !out.wide {
            return out.sink.run(PutAll { fields, count: count.0, to: Latest { depth } });
        }
        let to = Other { target: out.target, rules: out.rules, wide: out.wide, depth };
        out.sink.run(PutAll { fields, count: count.0, to })
    }
}

/// The settings with which fields are written. Creates an encoder with these settings for any sink.
trait To: Copy {
    fn encoder<S: Sink>(self, sink: &mut S) -> Encoder<'_, S>;
}

const LATEST: Target = Target::latest(Dialect::Godot4);

/// The settings for the latest version of Godot 4. The code for them is compiled separately, with
/// constant type ids.
#[derive(Clone, Copy)]
struct Latest {
    depth: u32,
}

impl To for Latest {
    #[inline(always)]
    fn encoder<S: Sink>(self, sink: &mut S) -> Encoder<'_, S> {
        Encoder::new(sink, LATEST, self.depth)
    }
}

/// The settings for targets other than the latest version of Godot 4, and for that version if all
/// numbers are written in 64 bits. Has the same fields as [`Encoder`], except for the sink.
#[derive(Clone, Copy)]
struct Other {
    target: Target,
    rules: &'static Rules,
    wide: bool,
    depth: u32,
}

impl To for Other {
    #[inline(always)]
    fn encoder<S: Sink>(self, sink: &mut S) -> Encoder<'_, S> {
        let Self { target, rules, wide, depth } = self;
        Encoder { sink, target, rules, wide, depth }
    }
}

struct PutAll<'t, F, T> {
    fields: &'t F,
    count: usize,
    to: T,
}

impl<F: ToFields, T: To> SinkJob for PutAll<'_, F, T> {
    type Output = Result<()>;

    #[inline(always)]
    fn run<S: Sink>(self, sink: &mut S) -> Result<()> {
        let Self { fields, count, to } = self;
        put_all(sink, fields, count, to)
    }
}

/// Writes all fields. This function is not inlined, so that there is only one copy of the code per
/// type. The arguments are separate, so that they stay in registers.
#[inline(never)]
fn put_all<S: Sink, F: ToFields, T: To>(
    sink: &mut S,
    fields: &F,
    count: usize,
    to: T,
) -> Result<()> {
    let mut put = Put { sink, to, left: count };
    let mut inline = InlineSink(&mut *put.sink);
    let mut out = to.encoder(&mut inline);
    let count = out.count(count)?;
    out.fixed(Kind::Dictionary, 0, U32::new(count))?;
    fields.to_fields(&mut put)?;
    match put.left {
        0 => Ok(()),
        left => Err(missing(left, put.sink.position())),
    }
}

/// Counts the fields of a struct. The optimizer usually reduces this to a constant.
struct Count(usize);

impl PutFields for Count {
    type Error = Infallible;

    #[inline(always)]
    fn put<V: ToVariant>(&mut self, _: &'static str, _: V) -> core::result::Result<(), Infallible> {
        self.0 = self.0.wrapping_add(1);
        Ok(())
    }
}

struct Put<'p, S, T> {
    /// A reference, because functions that grow the sink need it in memory. Stored by value, it
    /// would force the other fields of this struct into memory too.
    sink: &'p mut S,
    to: T,
    /// Number of remaining fields.
    left: usize,
}

impl<S: Sink, T: To> Put<'_, S, T> {
    #[inline(always)]
    fn pair<V: ToVariant>(&mut self, name: &'static str, value: V) -> Result<()> {
        let inline = &mut InlineSink(&mut *self.sink);
        let mut out = self.to.encoder(inline);
        let short = out.inline_string(name).map_err(unlikely)?;
        if V::ONE_APPEND
            && let Some(name) = short
        {
            let named = &mut NamedValueSink { name, inner: inline };
            return value.write(&mut self.to.encoder(named)).map_err(unlikely);
        }
        match short {
            Some(name) => out.inline(name).map_err(unlikely)?,
            None => name.write(&mut out).map_err(unlikely)?,
        }
        value.write_inside(&mut out).map_err(unlikely)
    }
}

impl<S: Sink, T: To> PutFields for Put<'_, S, T> {
    type Error = Error;

    #[inline(always)]
    fn put<V: ToVariant>(&mut self, name: &'static str, value: V) -> Result<()> {
        match self.left.checked_sub(1) {
            Some(left) => self.left = left,
            None => return Err(too_many(self.sink.position())),
        }
        let written = self.pair(name, value);
        if written.is_err() {
            // Makes writing the whole Dictionary fail, even if the type ignores the error. The
            // value is only half written and must not remain.
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
