use super::content::Content;
use super::names::KnownName;
use super::part::StructWriter;
use super::seq::Seq;
use super::{Error, Result};
use crate::buffer::{Count, PatchSink, Sink, unlikely};
use crate::godot::read::walk::ENGINE_DEPTH;
use crate::godot::table::layouts::U32;
use crate::godot::table::payload::Payload;
use crate::godot::write::encoder::Encoder;
use crate::godot::{Dialect, ErrorKind, Kind, StrRef, Target, Writer};
use alloc::vec::Vec;
use core::fmt;
use serde::ser::{self, Serialize};

/// Serializes a value for Godot 4, to the bytes that a [`Writer`] and the engine would write.
///
/// ```
/// use gamewire::godot::{self, Vector3};
///
/// let packet = godot::to_vec(&("spawn", Vector3 { x: 1.0_f32, y: 2.0, z: 3.0 }))?;
/// assert_eq!(packet.len(), 8 + 16 + 16);
/// # Ok::<(), godot::serde::Error>(())
/// ```
///
/// # Errors
/// Returns an error if serializing `T` itself fails, or if Godot 4 cannot represent the value
/// because an int needs more than 64 bits or more than 1024 containers are nested. Serializing is
/// recursive: in a debug build, 1024 levels need more stack than a small thread has.
#[inline]
pub fn to_vec<T: Serialize + ?Sized>(value: &T) -> Result<Vec<u8>> {
    to_vec_for(value, Dialect::Godot4)
}

/// Serializes a value for a target: a dialect, or an older version of Godot 4.
///
/// # Errors
/// Returns the errors of [`to_vec`], and an error if the target lacks a type.
#[inline]
pub fn to_vec_for<T: Serialize + ?Sized>(value: &T, target: impl Into<Target>) -> Result<Vec<u8>> {
    let mut packet = Vec::new();
    to_writer(&mut Writer::new(&mut packet, target), value)?;
    Ok(packet)
}

/// Appends a value to a writer, completely or not at all. `writer` can also be the writer of a
/// container.
///
/// ```
/// use gamewire::godot::{self, Dialect, Writer};
///
/// let mut packet = Vec::new();
/// let mut writer = Writer::new(&mut packet, Dialect::Godot4);
/// let mut call = writer.array(2)?;
/// call.put("spawn")?;
/// godot::to_writer(&mut call, &[("hp", 5)])?;
/// call.finish()?;
/// # Ok::<(), godot::serde::Error>(())
/// ```
///
/// # Errors
/// Returns the errors of [`to_vec`] and [`Writer::put`].
#[inline]
pub fn to_writer<S: PatchSink, T: Serialize + ?Sized>(
    writer: &mut Writer<S>,
    value: &T,
) -> Result<()> {
    const { assert!(S::REWINDS, "a sink that can be patched must also be able to rewind") };
    writer.put_with(|out| whole(out, Some(S::patch), value))
}

/// Appends a value to a writer whose sink cannot change the bytes that it has received
/// ([`BufSink`](crate::BufSink)). The value is serialized twice, first to check that it can be
/// written.
///
/// # Errors
/// Returns the errors of [`to_writer`]. Also returns an error if the number of items of a container
/// is not known in advance, as with `#[serde(flatten)]` and with some iterators.
pub fn to_append_only<S: Sink, T: Serialize + ?Sized>(
    writer: &mut Writer<S>,
    value: &T,
) -> Result<()> {
    writer.put_with(|out| {
        if !S::REWINDS {
            // The sink cannot be rewound, so a dry run into a counting sink comes first.
            let start = out.sink.position();
            let mut count = Count(start);
            whole(&mut out.dry(&mut count), None, value)?;
            out.reserve(count.0.saturating_sub(start))?;
        }
        whole(out, None, value)
    })
}

/// A function that overwrites the count at a position, or `None` if the sink cannot change written
/// bytes.
type Patch<S> = Option<fn(&mut S, usize, [u8; 4])>;

/// Writes a value. If an error occurs and the sink can be rewound, nothing is written.
#[inline(always)]
fn whole<S: Sink, T: Serialize + ?Sized>(
    out: &mut Encoder<'_, S>,
    patch: Patch<S>,
    value: &T,
) -> Result<()> {
    let start = out.sink.position();
    let written = value.serialize(To { out: &mut *out, patch });
    if let Err(error) = written {
        let failed = out.sink.position();
        out.sink.rewind(start);
        return Err(error.or_at(failed as u64));
    }
    written
}

/// The serializer of one value.
pub(super) struct To<'s, 'w, S> {
    pub out: &'s mut Encoder<'w, S>,
    pub patch: Patch<S>,
}

impl<'s, 'w, S: Sink> To<'s, 'w, S> {
    #[inline(always)]
    fn reborrow(&mut self) -> To<'_, 'w, S> {
        To { out: &mut *self.out, patch: self.patch }
    }

    #[inline(always)]
    fn text(self, text: &str) -> Result<()> {
        Ok(StrRef::from(text).encode(Kind::String, self.out)?)
    }

    #[inline(always)]
    fn name(self, name: &str) -> Result<()> {
        Ok(self.out.literal(name)?)
    }

    #[inline(always)]
    fn int(self, value: i64) -> Result<()> {
        Ok(value.encode(Kind::Int, self.out)?)
    }

    #[cold]
    fn big(&self, value: impl fmt::Display) -> Error {
        Error::message(format_args!("{value} does not fit an int of 64 bits"))
    }

    fn nil(self) -> Result<()> {
        Ok(self.out.fixed(Kind::Nil, 0, ())?)
    }

    /// Opens a container with the announced number of items.
    #[inline(always)]
    pub(super) fn open(self, kind: Kind, len: Option<usize>) -> Result<Container<'s, 'w, S>> {
        let Self { out, patch } = self;
        let announced = match len {
            Some(len) => out.count(len)?,
            None => PENDING,
        };
        // An empty container may be one level deeper than a container with items.
        let inside = match out.depth.checked_sub(1) {
            Some(depth) => depth,
            None if announced == 0 => 0,
            None => return Err(too_deep(out)),
        };
        out.fixed(kind, 0, U32::new(announced))?;
        let outside = core::mem::replace(&mut out.depth, inside);
        let end = out.sink.position();
        Ok(Container { to: Self { out, patch }, end, outside, announced, written: 0 })
    }

    /// Opens the Dictionary of one pair that represents an enum variant with content, and writes
    /// the key.
    #[inline(always)]
    fn variant(self, name: &str) -> Result<Container<'s, 'w, S>> {
        let mut pair = self.open(Kind::Dictionary, Some(1))?;
        pair.to.reborrow().text(name)?;
        pair.written = 1;
        Ok(pair)
    }
}

#[cold]
fn too_deep<S: Sink>(out: &Encoder<'_, S>) -> Error {
    out.fail(ErrorKind::TooDeep { limit: ENGINE_DEPTH }).into()
}

/// The placeholder for a count that is not known yet; see [`Writer::array_counted`].
const PENDING: u32 = i32::MAX as u32;

/// A container that is being written.
pub(super) struct Container<'s, 'w, S> {
    to: To<'s, 'w, S>,
    /// Position after the count.
    end: usize,
    /// Number of levels that could still be opened before this container was opened. Restored when
    /// it is closed.
    outside: u32,
    announced: u32,
    /// Number of items written; [`FAILED`] or more after an item has failed.
    written: u32,
}

/// Marks a container that may be incomplete, because an item could not be written. Writing the
/// container then fails as well. Otherwise, a type that ignores the error of the item would produce
/// an unreadable packet.
const FAILED: u32 = 1 << 31;

impl<S: Sink> Container<'_, '_, S> {
    #[inline(always)]
    pub(super) fn item<T: Serialize + ?Sized>(&mut self, value: &T) -> Result<()> {
        self.written = self.written.wrapping_add(1);
        let put = value.serialize(self.to.reborrow());
        self.mark_failed(put)
    }

    /// Marks the container as failed if `put` is an error, and returns `put`. This method is
    /// inlined, because a call would force the fields of this struct into memory.
    #[inline(always)]
    fn mark_failed(&mut self, put: Result<()>) -> Result<()> {
        if put.is_err() {
            self.written = FAILED;
        }
        put
    }

    #[inline(always)]
    fn field<T: Serialize + ?Sized>(&mut self, name: &str, value: &T) -> Result<()> {
        let put = self.to.reborrow().name(name).map_err(unlikely);
        self.mark_failed(put)?;
        self.item(value).map_err(unlikely)
    }

    #[inline(always)]
    pub(super) fn close(self) -> Result<()> {
        self.to.out.depth = self.outside;
        if self.written == self.announced { Ok(()) } else { self.miscounted() }
    }

    #[cold]
    #[inline(never)]
    fn miscounted(self) -> Result<()> {
        match self.to.patch {
            _ if self.written >= FAILED => {
                Err(Error::message("the container is incomplete because an earlier item failed"))
            }
            Some(patch) => {
                let count = self.written.to_le_bytes();
                patch(self.to.out.sink, self.end.saturating_sub(4), count);
                Ok(())
            }
            None => {
                Err(Error::message("the number of items must be known in advance for this sink"))
            }
        }
    }
}

/// Implements the methods for integers that always fit in an Int.
macro_rules! ints {
    ($($method:ident $T:ty)*) => {$(
        #[inline]
        fn $method(self, value: $T) -> Result<()> {
            self.int(value.into())
        }
    )*};
}

/// Implements the methods for integers that may not fit in an Int.
macro_rules! big_ints {
    ($($method:ident $T:ty)*) => {$(
        #[inline]
        fn $method(self, value: $T) -> Result<()> {
            match i64::try_from(value) {
                Ok(value) => self.int(value),
                Err(_) => Err(self.big(value)),
            }
        }
    )*};
}

impl<'s, 'w, S: Sink> ser::Serializer for To<'s, 'w, S> {
    type Ok = ();
    type Error = Error;
    type SerializeSeq = Seq<'s, 'w, S>;
    type SerializeTuple = Container<'s, 'w, S>;
    type SerializeTupleStruct = Container<'s, 'w, S>;
    type SerializeTupleVariant = Variant<'s, 'w, S>;
    type SerializeMap = Container<'s, 'w, S>;
    type SerializeStruct = Struct<'s, 'w, S>;
    type SerializeStructVariant = Variant<'s, 'w, S>;

    ints! {
        serialize_i8 i8 serialize_i16 i16 serialize_i32 i32 serialize_i64 i64
        serialize_u8 u8 serialize_u16 u16 serialize_u32 u32
    }
    big_ints! { serialize_u64 u64 serialize_i128 i128 serialize_u128 u128 }

    #[inline]
    fn serialize_bool(self, value: bool) -> Result<()> {
        Ok(value.encode(Kind::Bool, self.out)?)
    }

    #[inline]
    fn serialize_f32(self, value: f32) -> Result<()> {
        self.serialize_f64(value.into())
    }

    #[inline]
    fn serialize_f64(self, value: f64) -> Result<()> {
        Ok(value.encode(Kind::Float, self.out)?)
    }

    fn serialize_char(self, value: char) -> Result<()> {
        self.text(value.encode_utf8(&mut [0; 4]))
    }

    #[inline]
    fn serialize_str(self, value: &str) -> Result<()> {
        self.text(value)
    }

    #[inline]
    fn serialize_bytes(self, value: &[u8]) -> Result<()> {
        Ok(value.encode(Kind::PackedByteArray, self.out)?)
    }

    fn serialize_none(self) -> Result<()> {
        self.nil()
    }

    #[inline]
    fn serialize_some<T: Serialize + ?Sized>(self, value: &T) -> Result<()> {
        value.serialize(self)
    }

    fn serialize_unit(self) -> Result<()> {
        self.nil()
    }

    fn serialize_unit_struct(self, name: &'static str) -> Result<()> {
        match KnownName::named(name) {
            Some(KnownName::Value { kind, .. }) => Ok(self.out.fixed(kind, 0, ())?),
            _ => self.nil(),
        }
    }

    fn serialize_unit_variant(self, _: &'static str, _: u32, name: &'static str) -> Result<()> {
        self.text(name)
    }

    #[inline]
    fn serialize_newtype_struct<T: Serialize + ?Sized>(
        self,
        name: &'static str,
        value: &T,
    ) -> Result<()> {
        match KnownName::named(name) {
            None => value.serialize(self),
            Some(own) => value.serialize(Content::new(self.out, own)),
        }
    }

    fn serialize_newtype_variant<T: Serialize + ?Sized>(
        self,
        _: &'static str,
        _: u32,
        name: &'static str,
        value: &T,
    ) -> Result<()> {
        let mut pair = self.variant(name)?;
        value.serialize(pair.to.reborrow())?;
        pair.close()
    }

    #[inline]
    fn serialize_seq(self, len: Option<usize>) -> Result<Seq<'s, 'w, S>> {
        Ok(Seq::Bytes { to: self, len, bytes: Vec::new() })
    }

    #[inline]
    fn serialize_tuple(self, len: usize) -> Result<Container<'s, 'w, S>> {
        self.open(Kind::Array, Some(len))
    }

    fn serialize_tuple_struct(self, _: &'static str, len: usize) -> Result<Container<'s, 'w, S>> {
        self.open(Kind::Array, Some(len))
    }

    fn serialize_tuple_variant(
        self,
        _: &'static str,
        _: u32,
        name: &'static str,
        len: usize,
    ) -> Result<Variant<'s, 'w, S>> {
        Variant::open(self, name, Kind::Array, len)
    }

    #[inline]
    fn serialize_map(self, len: Option<usize>) -> Result<Container<'s, 'w, S>> {
        self.open(Kind::Dictionary, len)
    }

    #[inline(always)]
    fn serialize_struct(self, name: &'static str, len: usize) -> Result<Struct<'s, 'w, S>> {
        match KnownName::named(name) {
            Some(KnownName::Value { kind, double }) => {
                Ok(Struct::Own(StructWriter::open(self.out, kind, double)?))
            }
            _ => Ok(Struct::Dictionary(self.open(Kind::Dictionary, Some(len))?)),
        }
    }

    fn serialize_struct_variant(
        self,
        _: &'static str,
        _: u32,
        name: &'static str,
        len: usize,
    ) -> Result<Variant<'s, 'w, S>> {
        Variant::open(self, name, Kind::Dictionary, len)
    }

    #[inline(always)]
    fn is_human_readable(&self) -> bool {
        false
    }
}

impl<S: Sink> ser::SerializeTuple for Container<'_, '_, S> {
    type Ok = ();
    type Error = Error;

    #[inline]
    fn serialize_element<T: Serialize + ?Sized>(&mut self, value: &T) -> Result<()> {
        self.item(value)
    }

    #[inline]
    fn end(self) -> Result<()> {
        self.close()
    }
}

impl<S: Sink> ser::SerializeTupleStruct for Container<'_, '_, S> {
    type Ok = ();
    type Error = Error;

    #[inline]
    fn serialize_field<T: Serialize + ?Sized>(&mut self, value: &T) -> Result<()> {
        self.item(value)
    }

    #[inline]
    fn end(self) -> Result<()> {
        self.close()
    }
}

impl<S: Sink> ser::SerializeMap for Container<'_, '_, S> {
    type Ok = ();
    type Error = Error;

    #[inline]
    fn serialize_key<T: Serialize + ?Sized>(&mut self, key: &T) -> Result<()> {
        let put = key.serialize(self.to.reborrow());
        self.mark_failed(put)
    }

    #[inline]
    fn serialize_value<T: Serialize + ?Sized>(&mut self, value: &T) -> Result<()> {
        self.item(value)
    }

    #[inline]
    fn end(self) -> Result<()> {
        self.close()
    }
}

/// A struct: a Dictionary, or one of the engine's types.
pub(super) enum Struct<'s, 'w, S> {
    Dictionary(Container<'s, 'w, S>),
    Own(StructWriter<'s, 'w, S>),
}

impl<S: Sink> ser::SerializeStruct for Struct<'_, '_, S> {
    type Ok = ();
    type Error = Error;

    #[inline(always)]
    fn serialize_field<T: Serialize + ?Sized>(
        &mut self,
        name: &'static str,
        value: &T,
    ) -> Result<()> {
        match self {
            Self::Dictionary(dictionary) => dictionary.field(name, value),
            Self::Own(whole) => whole.field(value),
        }
    }

    #[inline]
    fn end(self) -> Result<()> {
        match self {
            Self::Dictionary(dictionary) => dictionary.close(),
            Self::Own(_) => Ok(()),
        }
    }
}

/// The content of an enum variant: the value in the variant's one-pair Dictionary.
pub(super) struct Variant<'s, 'w, S> {
    content: Container<'s, 'w, S>,
    /// Number of levels that could still be opened before the pair was opened.
    outside: u32,
}

impl<'s, 'w, S: Sink> Variant<'s, 'w, S> {
    pub(super) fn open(to: To<'s, 'w, S>, name: &str, kind: Kind, len: usize) -> Result<Self> {
        let pair = to.variant(name)?;
        let outside = pair.outside;
        Ok(Self { content: pair.to.open(kind, Some(len))?, outside })
    }

    pub(super) fn close(mut self) -> Result<()> {
        self.content.outside = self.outside;
        self.content.close()
    }
}

impl<S: Sink> ser::SerializeTupleVariant for Variant<'_, '_, S> {
    type Ok = ();
    type Error = Error;

    fn serialize_field<T: Serialize + ?Sized>(&mut self, value: &T) -> Result<()> {
        self.content.item(value)
    }

    fn end(self) -> Result<()> {
        self.close()
    }
}

impl<S: Sink> ser::SerializeStructVariant for Variant<'_, '_, S> {
    type Ok = ();
    type Error = Error;

    fn serialize_field<T: Serialize + ?Sized>(
        &mut self,
        name: &'static str,
        value: &T,
    ) -> Result<()> {
        self.content.field(name, value)
    }

    fn end(self) -> Result<()> {
        self.close()
    }
}
