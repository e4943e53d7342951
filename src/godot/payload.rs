//! Families of payloads: what follows the header, by form rather than by type.
//! Most rows of the table in `kinds.rs` share one of these; the irregular ones have
//! files of their own (`text.rs`, `array.rs`, `node_path.rs` …).

use super::VariantRef;
use super::dialect::{Rules, Width};
use super::encoder::Encoder;
use super::parts::Part;
#[cfg(feature = "alloc")]
use super::parts::{Built, PartSource};
use super::text::{self, StrRef};
use super::wire::{F32, F64, I32, I64, Layout, Rect2, U32, U64, Vector2, Vector3, Vector4, Wire};
use super::{Container, Error, ErrorKind, Kind, Result, Unsayable};
use crate::base::{Cursor, Sink};
use core::fmt;
use zerocopy::IntoBytes;

/// The first four bytes of a value: type id, and flags from bit 16 up.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Header(pub(crate) u32);

impl Header {
    /// 64-bit int or float, double-precision reals, object as id.
    pub(crate) const WIDE: u32 = 1 << 16;

    #[inline(always)]
    pub(crate) const fn id(self, rules: &Rules) -> u32 {
        self.0 & rules.type_mask
    }

    #[inline(always)]
    pub(crate) const fn is_wide(self, rules: &Rules) -> bool {
        rules.flags && self.0 & Self::WIDE != 0
    }
}

/// What becomes of a leaf once it is read. It is inlined into the `match` over types,
/// and so compiled for each type on its own (a closure would not be).
pub(crate) trait OnLeaf<'a> {
    type Output;
    fn leaf(self, at: Cursor<'a>, value: VariantRef<'a>) -> Self::Output;
}

/// It becomes the result.
pub(crate) struct Take;

impl<'a> OnLeaf<'a> for Take {
    type Output = VariantRef<'a>;

    #[inline(always)]
    fn leaf(self, _: Cursor<'a>, value: VariantRef<'a>) -> VariantRef<'a> {
        value
    }
}

/// It is forgotten.
pub(crate) struct Forget;

impl<'a> OnLeaf<'a> for Forget {
    type Output = ();

    #[inline(always)]
    fn leaf(self, _: Cursor<'a>, _: VariantRef<'a>) {}
}

/// A value's header and what could be read without going through children.
pub(crate) enum Head<'a, T> {
    /// The whole value was read; what became of it.
    Leaf(T),
    /// An array or dictionary opens; its items follow.
    Open(Container<'a>),
    /// A full object: class and properties follow, if objects are allowed.
    Object,
}

/// What follows the header of a type, read and written.
pub(crate) trait Payload<'a>: Copy {
    /// Reads a payload, checking no more than its structure.
    fn read(at: &mut Cursor<'a>, header: Header, rules: &'static Rules) -> Result<Self>;

    /// Writes header and payload as the target's engine would, or nothing at all.
    fn encode<S: Sink>(&self, kind: Kind, out: &mut Encoder<'_, S>) -> Result<()>;

    /// Tells `to` the parts.
    fn parts<E>(
        &self,
        to: &mut impl FnMut(Part<'a>) -> core::result::Result<(), E>,
    ) -> core::result::Result<(), E>;

    /// Writes header and payload of the value that has these parts, or nothing.
    #[cfg(feature = "alloc")]
    fn build<'t, S: Sink, P: PartSource<'t>>(
        kind: Kind,
        from: &mut P,
        out: &mut Encoder<'_, S>,
    ) -> Built<'t, P>;

    /// Whether this is made of `f64` reals.
    #[inline]
    fn is_double(&self) -> bool {
        false
    }

    /// Calls `each` with every text inside.
    #[inline(always)]
    fn texts(&self, _each: &mut impl FnMut(StrRef<'a>) -> Result<()>) -> Result<()> {
        Ok(())
    }
}

impl<'a> Payload<'a> for bool {
    /// Any bit makes it true (2 and 0xFFFFFFFF seen in 4.6.3).
    #[inline(always)]
    fn read(at: &mut Cursor<'a>, _: Header, _: &'static Rules) -> Result<Self> {
        Ok(at.read::<U32>()?.get() != 0)
    }

    #[inline(always)]
    fn encode<S: Sink>(&self, kind: Kind, out: &mut Encoder<'_, S>) -> Result<()> {
        out.fixed(kind, 0, U32::new(u32::from(*self)))
    }

    fn parts<E>(
        &self,
        to: &mut impl FnMut(Part<'a>) -> core::result::Result<(), E>,
    ) -> core::result::Result<(), E> {
        to(Part::Truth(*self))
    }

    #[cfg(feature = "alloc")]
    fn build<'t, S: Sink, P: PartSource<'t>>(
        kind: Kind,
        from: &mut P,
        out: &mut Encoder<'_, S>,
    ) -> Built<'t, P> {
        Ok(from.truth()?.encode(kind, out)?)
    }
}

impl<'a> Payload<'a> for i64 {
    #[inline(always)]
    fn read(at: &mut Cursor<'a>, header: Header, rules: &'static Rules) -> Result<Self> {
        if header.is_wide(rules) {
            Ok(at.read::<I64>()?.get())
        } else {
            Ok(Self::from(at.read::<I32>()?.get()))
        }
    }

    /// 32 bits where they suffice (3.0 wrote 64 always, a slip mended in 3.1).
    #[inline(always)]
    fn encode<S: Sink>(&self, kind: Kind, out: &mut Encoder<'_, S>) -> Result<()> {
        match i32::try_from(*self) {
            Ok(narrow) if !out.is_wide() => out.fixed(kind, 0, I32::new(narrow)),
            _ if out.rules().flags => out.fixed(kind, Header::WIDE, I64::new(*self)),
            Ok(narrow) => out.fixed(kind, 0, I32::new(narrow)),
            Err(_) => out.cannot_say(kind, Unsayable::WideInt),
        }
    }

    fn parts<E>(
        &self,
        to: &mut impl FnMut(Part<'a>) -> core::result::Result<(), E>,
    ) -> core::result::Result<(), E> {
        to(Part::Int(*self))
    }

    #[cfg(feature = "alloc")]
    fn build<'t, S: Sink, P: PartSource<'t>>(
        kind: Kind,
        from: &mut P,
        out: &mut Encoder<'_, S>,
    ) -> Built<'t, P> {
        Ok(from.int::<Self>()?.encode(kind, out)?)
    }
}

impl<'a> Payload<'a> for f64 {
    #[inline(always)]
    fn read(at: &mut Cursor<'a>, header: Header, rules: &'static Rules) -> Result<Self> {
        if header.is_wide(rules) {
            Ok(at.read::<F64>()?.get())
        } else {
            Ok(Self::from(at.read::<F32>()?.get()))
        }
    }

    /// `f32` where that is exact. NaN differs from itself, so it always takes 64
    /// bits, as in the engine. Godot 2 has `f32` only, and narrows.
    #[inline(always)]
    #[allow(clippy::cast_possible_truncation, clippy::float_cmp)]
    fn encode<S: Sink>(&self, kind: Kind, out: &mut Encoder<'_, S>) -> Result<()> {
        let narrow = *self as f32;
        let exact = Self::from(narrow) == *self && !out.is_wide();
        if exact || !out.rules().flags {
            out.fixed(kind, 0, F32::new(narrow))
        } else {
            out.fixed(kind, Header::WIDE, F64::new(*self))
        }
    }

    fn parts<E>(
        &self,
        to: &mut impl FnMut(Part<'a>) -> core::result::Result<(), E>,
    ) -> core::result::Result<(), E> {
        to(Part::Real(*self))
    }

    #[cfg(feature = "alloc")]
    fn build<'t, S: Sink, P: PartSource<'t>>(
        kind: Kind,
        from: &mut P,
        out: &mut Encoder<'_, S>,
    ) -> Built<'t, P> {
        Ok(from.real()?.encode(kind, out)?)
    }
}

/// The id of a RID, where the dialect sends one (Godot 4).
impl<'a> Payload<'a> for Option<u64> {
    #[inline(always)]
    fn read(at: &mut Cursor<'a>, _: Header, rules: &'static Rules) -> Result<Self> {
        Ok(if rules.rid_id { Some(at.read::<U64>()?.get()) } else { None })
    }

    fn encode<S: Sink>(&self, kind: Kind, out: &mut Encoder<'_, S>) -> Result<()> {
        match self.unwrap_or_default() {
            id if out.rules().rid_id => out.fixed(kind, 0, U64::new(id)),
            0 => out.fixed(kind, 0, ()),
            _ => out.cannot_say(kind, Unsayable::RidId),
        }
    }

    fn parts<E>(
        &self,
        to: &mut impl FnMut(Part<'a>) -> core::result::Result<(), E>,
    ) -> core::result::Result<(), E> {
        self.map_or(Ok(()), |id| to(Part::Id(id)))
    }

    #[cfg(feature = "alloc")]
    fn build<'t, S: Sink, P: PartSource<'t>>(
        kind: Kind,
        from: &mut P,
        out: &mut Encoder<'_, S>,
    ) -> Built<'t, P> {
        let id = if from.left() == 0 { 0 } else { from.id()? };
        Ok(Some(id).encode(kind, out)?)
    }
}

macro_rules! integer_vectors {
    ($($Name:ident)*) => {$(
        impl<'a> Payload<'a> for $Name<i32> {
            #[inline(always)]
            fn read(at: &mut Cursor<'a>, _: Header, _: &'static Rules) -> Result<Self> {
                Ok(at.read::<$Name<I32>>()?.map(I32::get))
            }

            #[inline(always)]
            fn encode<S: Sink>(&self, kind: Kind, out: &mut Encoder<'_, S>) -> Result<()> {
                out.fixed(kind, 0, self.map(I32::new))
            }

            fn parts<E>(&self, to: &mut impl FnMut(Part<'a>) -> core::result::Result<(), E>) -> core::result::Result<(), E> {
                // `f64` holds them exactly.
                #[allow(clippy::cast_possible_truncation)]
                self.map(f64::from).parts().iter().try_for_each(|part| to(Part::Int(*part as i64)))
            }

            #[cfg(feature = "alloc")]
            fn build<'t, S: Sink, P: PartSource<'t>>(
                kind: Kind,
                from: &mut P,
                out: &mut Encoder<'_, S>,
            ) -> Built<'t, P> {
                let mut parts = <$Name as Layout>::Parts::default();
                for part in &mut parts {
                    *part = f64::from(from.int::<i32>()?);
                }
                #[allow(clippy::cast_possible_truncation)]
                let value = $Name::from_parts(parts).map(|part| I32::new(part as i32));
                Ok(out.fixed(kind, 0, value)?)
            }
        }
    )*};
}
integer_vectors!(Vector2 Rect2 Vector3 Vector4);

/// A value of a fixed number of reals, borrowed from the input in the width it has
/// there. [`get`](Self::get) decodes it.
///
/// Godot 4 marks double precision by header bit 16; other engines send `f32`.
///
/// ```
/// use gamewire::godot::{Dialect, Reader, VariantRef, Vector2};
///
/// let packet = [5, 0, 0, 0, 0, 0, 0x80, 0x3f, 0, 0, 0, 0x40]; // Vector2(1, 2)
/// let VariantRef::Vector2(vector) = Reader::new(&packet, Dialect::Godot4).read()? else {
///     unreachable!()
/// };
/// assert_eq!(vector.get(), Vector2 { x: 1.0, y: 2.0 });
/// assert!(!vector.is_double());
/// # Ok::<(), gamewire::godot::Error>(())
/// ```
#[derive(Clone, Copy)]
pub enum Real<'a, L: Layout> {
    /// `f32` parts.
    Single(&'a L::Single),
    /// `f64` parts.
    Double(&'a L::Double),
}

impl<L: Layout> Real<'_, L> {
    /// The value; `f32` parts are widened, exactly.
    #[inline]
    pub fn get(self) -> L {
        match self {
            Self::Single(wire) => L::from_single(wire),
            Self::Double(wire) => L::from_double(wire),
        }
    }

    /// Whether the parts are `f64` on the wire.
    pub fn is_double(self) -> bool {
        matches!(self, Self::Double(_))
    }
}

impl<L: Layout> fmt::Debug for Real<'_, L> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        self.get().fmt(f)
    }
}

fn each_real<'a, L: Layout, E>(
    value: L,
    to: &mut impl FnMut(Part<'a>) -> core::result::Result<(), E>,
) -> core::result::Result<(), E> {
    value.parts().as_ref().iter().try_for_each(|part| to(Part::Real(*part)))
}

#[cfg(feature = "alloc")]
fn real<'t, L: Layout, P: PartSource<'t>>(from: &mut P) -> core::result::Result<L, P::Error> {
    let mut parts = L::Parts::default();
    for part in parts.as_mut() {
        *part = from.real()?;
    }
    Ok(L::from_parts(parts))
}

#[inline(always)]
fn is_double<L: Layout>(header: Header, rules: &Rules) -> bool {
    match rules.reals {
        Width::Single => false,
        Width::Flagged => L::FLAGGED && header.is_wide(rules),
        Width::Double => true,
    }
}

/// The header flag of reals in this width, if the target can say it.
#[inline(always)]
fn width_flag<L: Layout, S: Sink>(kind: Kind, double: bool, out: &Encoder<'_, S>) -> Result<u32> {
    match (out.rules().reals, double) {
        (Width::Single | Width::Flagged, false) | (Width::Double, true) => Ok(0),
        (Width::Flagged, true) if L::FLAGGED => Ok(Header::WIDE),
        _ => out.cannot_say(kind, Unsayable::DoubleReal),
    }
}

impl<'a, L: Layout> Payload<'a> for Real<'a, L> {
    fn is_double(&self) -> bool {
        Real::is_double(*self)
    }

    #[inline(always)]
    fn read(at: &mut Cursor<'a>, header: Header, rules: &'static Rules) -> Result<Self> {
        if is_double::<L>(header, rules) {
            Ok(Self::Double(at.read()?))
        } else {
            Ok(Self::Single(at.read()?))
        }
    }

    #[inline(always)]
    fn encode<S: Sink>(&self, kind: Kind, out: &mut Encoder<'_, S>) -> Result<()> {
        match *self {
            Self::Single(wire) if out.rules().reals == Width::Double => {
                out.fixed(kind, 0, L::from_single(wire).to_double())
            }
            Self::Single(wire) => out.fixed(kind, 0, *wire),
            Self::Double(wire) => {
                let flag = width_flag::<L, S>(kind, true, out)?;
                out.fixed(kind, flag, *wire)
            }
        }
    }

    fn parts<E>(
        &self,
        to: &mut impl FnMut(Part<'a>) -> core::result::Result<(), E>,
    ) -> core::result::Result<(), E> {
        each_real(self.get(), to)
    }

    #[cfg(feature = "alloc")]
    fn build<'t, S: Sink, P: PartSource<'t>>(
        kind: Kind,
        from: &mut P,
        out: &mut Encoder<'_, S>,
    ) -> Built<'t, P> {
        let value: L = real(from)?;
        if from.is_double() {
            return Ok(Real::<L>::Double(&value.to_double()).encode(kind, out)?);
        }
        Ok(Real::<L>::Single(&value.to_single()).encode(kind, out)?)
    }
}

/// A packed array of vectors or colours, borrowed from the input in the width it
/// has there: slices of little-endian elements, usable at any address.
///
/// ```
/// use gamewire::godot::{Dialect, Reader, Reals, VariantRef, Vector2};
///
/// // PackedVector2Array [(1, 2)]
/// let packet = [35, 0, 0, 0, 1, 0, 0, 0, 0, 0, 0x80, 0x3f, 0, 0, 0, 0x40];
/// let VariantRef::PackedVector2Array(points) = Reader::new(&packet, Dialect::Godot4).read()? else {
///     unreachable!()
/// };
/// assert_eq!(points.get(0), Some(Vector2 { x: 1.0, y: 2.0 }));
/// if let Reals::Single(slice) = points {
///     assert_eq!(slice[0].y.get(), 2.0); // straight from the packet
/// }
/// # Ok::<(), gamewire::godot::Error>(())
/// ```
#[derive(Clone, Copy)]
pub enum Reals<'a, L: Layout> {
    /// Elements with `f32` parts.
    Single(&'a [L::Single]),
    /// Elements with `f64` parts.
    Double(&'a [L::Double]),
}

impl<'a, L: Layout> Reals<'a, L> {
    /// How many elements.
    pub fn len(&self) -> usize {
        match self {
            Self::Single(wire) => wire.len(),
            Self::Double(wire) => wire.len(),
        }
    }

    /// Whether there are none.
    pub fn is_empty(&self) -> bool {
        self.len() == 0
    }

    /// One element; `f32` parts are widened, exactly.
    pub fn get(&self, index: usize) -> Option<L> {
        match self {
            Self::Single(wire) => wire.get(index).map(L::from_single),
            Self::Double(wire) => wire.get(index).map(L::from_double),
        }
    }

    /// All elements. Where speed counts, match on the width and use the slice.
    pub fn iter(&self) -> RealsIter<'a, L> {
        RealsIter { reals: *self, next: 0 }
    }
}

/// Iterator over the elements of a [`Reals`].
#[derive(Clone, Debug)]
pub struct RealsIter<'a, L: Layout> {
    reals: Reals<'a, L>,
    next: usize,
}

impl<L: Layout> Iterator for RealsIter<'_, L> {
    type Item = L;

    fn next(&mut self) -> Option<L> {
        let value = self.reals.get(self.next)?;
        self.next = self.next.saturating_add(1);
        Some(value)
    }

    fn size_hint(&self) -> (usize, Option<usize>) {
        let left = self.reals.len().saturating_sub(self.next);
        (left, Some(left))
    }
}

impl<L: Layout> ExactSizeIterator for RealsIter<'_, L> {}
impl<L: Layout> core::iter::FusedIterator for RealsIter<'_, L> {}

impl<L: Layout> fmt::Debug for Reals<'_, L> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_list().entries(self.iter()).finish()
    }
}

impl<'a, L: Layout> Payload<'a> for Reals<'a, L> {
    fn is_double(&self) -> bool {
        matches!(self, Self::Double(_))
    }

    #[inline(always)]
    fn read(at: &mut Cursor<'a>, header: Header, rules: &'static Rules) -> Result<Self> {
        if is_double::<L>(header, rules) {
            Ok(Self::Double(counted(at)?))
        } else {
            Ok(Self::Single(counted(at)?))
        }
    }

    fn encode<S: Sink>(&self, kind: Kind, out: &mut Encoder<'_, S>) -> Result<()> {
        match *self {
            Self::Single(wire) if out.rules().reals == Width::Double => {
                let elements = wire.iter().map(|element| L::from_single(element).to_double());
                out.elements(kind, 0, elements)
            }
            Self::Single(wire) => out.counted(kind, 0, wire.as_bytes(), wire.len()),
            Self::Double(wire) => {
                let flag = width_flag::<L, S>(kind, true, out)?;
                out.counted(kind, flag, wire.as_bytes(), wire.len())
            }
        }
    }

    fn parts<E>(
        &self,
        to: &mut impl FnMut(Part<'a>) -> core::result::Result<(), E>,
    ) -> core::result::Result<(), E> {
        self.iter().try_for_each(|element| each_real(element, to))
    }

    #[cfg(feature = "alloc")]
    fn build<'t, S: Sink, P: PartSource<'t>>(
        kind: Kind,
        from: &mut P,
        out: &mut Encoder<'_, S>,
    ) -> Built<'t, P> {
        if from.is_double() {
            let elements = from.all(|from| real::<L, P>(from).map(L::to_double))?;
            return Ok(Reals::<L>::Double(&elements).encode(kind, out)?);
        }
        let elements = from.all(|from| real::<L, P>(from).map(L::to_single))?;
        Ok(Reals::<L>::Single(&elements).encode(kind, out)?)
    }
}

/// A count and that many elements. The count is signed in the engine, and so is
/// the size in bytes.
#[inline(always)]
fn counted<'a, T: Wire>(at: &mut Cursor<'a>) -> Result<&'a [T]> {
    let count = at.read::<U32>()?.get();
    at.slice(count).map_err(|end| too_long(count, size_of::<T>(), end.into()))
}

/// Why a count or length leads past the end: negative, absurd, or cut off.
#[cold]
#[inline(never)]
pub(crate) fn too_long(count: u32, size: usize, end: Error) -> Error {
    let kind = if i32::try_from(count).is_err() {
        ErrorKind::NegativeLength(count)
    } else if (size as u64).saturating_mul(u64::from(count)) > i32::MAX as u64 {
        ErrorKind::TooLarge
    } else {
        return end;
    };
    Error::new(kind, end.offset().saturating_sub(4))
}

/// A count and that many bytes.
#[inline(always)]
pub(crate) fn bytes<'a>(at: &mut Cursor<'a>) -> Result<&'a [u8]> {
    let len = at.read::<U32>()?.get();
    text::unpadded(at, len)
}

impl<'a> Payload<'a> for &'a [u8] {
    #[inline(always)]
    fn read(at: &mut Cursor<'a>, _: Header, _: &'static Rules) -> Result<Self> {
        bytes(at)
    }

    fn encode<S: Sink>(&self, kind: Kind, out: &mut Encoder<'_, S>) -> Result<()> {
        out.counted(kind, 0, self, self.len())
    }

    fn parts<E>(
        &self,
        to: &mut impl FnMut(Part<'a>) -> core::result::Result<(), E>,
    ) -> core::result::Result<(), E> {
        self.iter().try_for_each(|byte| to(Part::Int(i64::from(*byte))))
    }

    #[cfg(feature = "alloc")]
    fn build<'t, S: Sink, P: PartSource<'t>>(
        kind: Kind,
        from: &mut P,
        out: &mut Encoder<'_, S>,
    ) -> Built<'t, P> {
        let bytes = from.all(|from| from.int::<u8>())?;
        Ok(bytes.as_slice().encode(kind, out)?)
    }
}

macro_rules! packed_numbers {
    ($($T:ty: $Part:ident, |$from:ident| $read:expr;)*) => {$(
        impl<'a> Payload<'a> for &'a [$T] {
            #[inline(always)]
            fn read(at: &mut Cursor<'a>, _: Header, _: &'static Rules) -> Result<Self> {
                counted(at)
            }

            fn encode<S: Sink>(&self, kind: Kind, out: &mut Encoder<'_, S>) -> Result<()> {
                out.counted(kind, 0, self.as_bytes(), self.len())
            }

            fn parts<E>(&self, to: &mut impl FnMut(Part<'a>) -> core::result::Result<(), E>) -> core::result::Result<(), E> {
                self.iter().try_for_each(|part| to(Part::$Part(part.get().into())))
            }

            #[cfg(feature = "alloc")]
            fn build<'t, S: Sink, P: PartSource<'t>>(
                kind: Kind,
                from: &mut P,
                out: &mut Encoder<'_, S>,
            ) -> Built<'t, P> {
                #[allow(clippy::cast_possible_truncation)] // f32: to the nearest
                let parts = from.all(|$from| Ok(<$T>::new($read)))?;
                Ok(parts.as_slice().encode(kind, out)?)
            }
        }
    )*};
}
packed_numbers! {
    I32: Int, |from| from.int()?;
    I64: Int, |from| from.int()?;
    F32: Real, |from| from.real()? as f32;
    F64: Real, |from| from.real()?;
}

/// A signal: its name and the id of the object it belongs to, both of them only of
/// meaning to the engine that wrote them. Godot 4.
///
/// ```
/// use gamewire::godot::{Dialect, Reader, VariantRef};
///
/// let packet = b"\x1a\0\0\0\x03\0\0\0hit\0\x07\0\0\0\0\0\0\0";
/// let VariantRef::Signal(signal) = Reader::new(packet, Dialect::Godot4).read()? else {
///     unreachable!()
/// };
/// assert!(signal.name == "hit");
/// assert_eq!(signal.object, 7);
/// # Ok::<(), gamewire::godot::Error>(())
/// ```
#[derive(Clone, Copy, Debug)]
pub struct Signal<'a> {
    /// The signal's name.
    pub name: StrRef<'a>,
    /// The object's instance id; 0 for none.
    pub object: u64,
}

impl<'a> Payload<'a> for Signal<'a> {
    #[inline(always)]
    fn read(at: &mut Cursor<'a>, header: Header, rules: &'static Rules) -> Result<Self> {
        Ok(Self { name: StrRef::read(at, header, rules)?, object: at.read::<U64>()?.get() })
    }

    fn encode<S: Sink>(&self, kind: Kind, out: &mut Encoder<'_, S>) -> Result<()> {
        let header = out.header(kind, 0)?;
        let text = self.name.as_bytes();
        out.reserve(out.text_len(text.len())?.saturating_add(12))?;
        out.put(&header);
        out.text(text);
        out.put(&self.object.to_le_bytes());
        Ok(())
    }

    fn parts<E>(
        &self,
        to: &mut impl FnMut(Part<'a>) -> core::result::Result<(), E>,
    ) -> core::result::Result<(), E> {
        to(Part::Text(self.name))?;
        to(Part::Id(self.object))
    }

    #[cfg(feature = "alloc")]
    fn build<'t, S: Sink, P: PartSource<'t>>(
        kind: Kind,
        from: &mut P,
        out: &mut Encoder<'_, S>,
    ) -> Built<'t, P> {
        if from.left() == 0 {
            return Ok(Signal { name: "".into(), object: 0 }.encode(kind, out)?);
        }
        let name = from.text()?;
        Ok(Signal { name: (&*name).into(), object: from.id()? }.encode(kind, out)?)
    }

    #[inline(always)]
    fn texts(&self, each: &mut impl FnMut(StrRef<'a>) -> Result<()>) -> Result<()> {
        each(self.name)
    }
}
