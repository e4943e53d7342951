//! Vectors and the like, and arrays of them: made of reals, of which the wire has two
//! widths.

use super::dialect::{Rules, Width};
use super::encoder::Encoder;
use super::packed::counted;
#[cfg(feature = "alloc")]
use super::parts::{Built, PartSource};
use super::parts::{Part, Told};
use super::payload::{Header, Number, Numbers, Payload};
use super::wire::{F32, Layout};
use super::{Kind, Result, Unsayable};
use crate::base::{Cursor, Sink};
use core::fmt;
use zerocopy::IntoBytes;

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

fn each_real<'a, L: Layout, E>(value: L, to: &mut impl FnMut(Part<'a>) -> Told<E>) -> Told<E> {
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
pub(crate) fn width_flag<S: Sink>(
    kind: Kind,
    flagged: bool,
    double: bool,
    out: &Encoder<'_, S>,
) -> Result<u32> {
    match (out.rules().reals, double) {
        (Width::Single | Width::Flagged, false) | (Width::Double, true) => Ok(0),
        (Width::Flagged, true) if flagged => Ok(Header::WIDE),
        _ => out.cannot_say(kind, Unsayable::DoubleReal),
    }
}

#[cfg_attr(not(feature = "serde"), allow(dead_code))]
const fn numbers<L: Layout>(counted: bool) -> Option<Numbers> {
    const NUMBER: usize = size_of::<F32>();
    let each = size_of::<L::Single>() / NUMBER;
    Some(Numbers { number: Number::Real { flagged: L::FLAGGED }, each, counted })
}

impl<'a, L: Layout> Payload<'a> for Real<'a, L> {
    const NUMBERS: Option<Numbers> = numbers::<L>(false);

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
                let flag = width_flag(kind, L::FLAGGED, true, out)?;
                out.fixed(kind, flag, *wire)
            }
        }
    }

    fn parts<E>(&self, to: &mut impl FnMut(Part<'a>) -> Told<E>) -> Told<E> {
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
    const NUMBERS: Option<Numbers> = numbers::<L>(true);

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
                let flag = width_flag(kind, L::FLAGGED, true, out)?;
                out.counted(kind, flag, wire.as_bytes(), wire.len())
            }
        }
    }

    fn parts<E>(&self, to: &mut impl FnMut(Part<'a>) -> Told<E>) -> Told<E> {
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
