//! Vectors, matrices and colours, and packed arrays of them. Their components are reals, which have
//! one of two widths on the wire.

use super::components::{Components, Elements, SubValues};
use super::packed::counted;
#[cfg(feature = "alloc")]
use super::parts::{BuildResult, PartSource};
use super::parts::{Part, PartResult};
use crate::buffer::{Cursor, Sink};
#[cfg(feature = "alloc")]
use crate::godot::Error;
use crate::godot::table::dialect::{Rules, Width};
#[cfg(feature = "alloc")]
use crate::godot::table::layouts::F64;
use crate::godot::table::layouts::{F32, RealLayout};
use crate::godot::table::payload::{Header, Number, Numbers, Payload};
use crate::godot::write::encoder::Encoder;
use crate::godot::{Kind, Result, Unrepresentable};
use core::fmt;
use zerocopy::{FromBytes, IntoBytes};

/// A vector, matrix or colour, borrowed from the input in its width on the wire. [`get`](Self::get)
/// decodes it.
///
/// Godot 4 marks double precision with header bit 16. Older engines write `f32`.
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
pub enum Real<'a, L: RealLayout> {
    /// `f32` components.
    Single(&'a L::Single),
    /// `f64` components.
    Double(&'a L::Double),
}

impl<L: RealLayout> Real<'_, L> {
    /// Returns the value. `f32` components are widened without loss.
    #[inline]
    pub fn get(self) -> L {
        match self {
            Self::Single(wire) => L::from_single(wire),
            Self::Double(wire) => L::from_double(wire),
        }
    }

    /// Returns `true` if the components are `f64` on the wire.
    pub fn is_double(self) -> bool {
        matches!(self, Self::Double(_))
    }
}

impl<L: RealLayout> fmt::Debug for Real<'_, L> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        self.get().fmt(f)
    }
}

fn each_real<'a, L: RealLayout, E>(
    value: L,
    to: &mut impl FnMut(Part<'a>) -> PartResult<E>,
) -> PartResult<E> {
    value.parts().as_ref().iter().try_for_each(|part| to(Part::Real(*part)))
}

#[cfg(feature = "alloc")]
fn real<'t, L: RealLayout, E>(
    from: &mut PartSource<'_, 't, E>,
    double: bool,
) -> core::result::Result<L, E> {
    let mut parts = L::Parts::default();
    for part in parts.as_mut() {
        *part = if double { from.real()? } else { from.single()? };
    }
    if from.is_by_rows() {
        return Ok(from_wire_parts(parts));
    }
    Ok(L::from_parts(parts))
}

/// Returns the position of a component on the wire. To find it, encodes a value in which all other
/// components are 0.
fn slot<L: RealLayout>(part: usize) -> usize {
    let mut parts = L::Parts::default();
    parts.as_mut().iter_mut().skip(part).take(1).for_each(|part| *part = 1.0);
    let wire = L::from_parts(parts).to_double();
    let (numbers, _) = wire.as_bytes().as_chunks::<8>();
    numbers.iter().position(|number| *number != [0; 8]).unwrap_or(part)
}

/// Builds a value from components in wire order.
#[cfg(feature = "alloc")]
fn from_wire_parts<L: RealLayout>(parts: L::Parts) -> L {
    let mut wire = [F64::ZERO; MOST_PARTS];
    for (slot, part) in wire.iter_mut().zip(parts.as_ref()) {
        slot.set(*part);
    }
    match L::Double::read_from_prefix(wire.as_bytes()) {
        Ok((double, _)) => L::from_double(&double),
        Err(_) => L::from_parts(parts), // unreachable: no type has more components
    }
}

/// Number of components of a Projection, the type with the most components.
#[cfg(feature = "alloc")]
const MOST_PARTS: usize = 16;

#[inline(always)]
fn is_double<L: RealLayout>(header: Header, rules: &Rules) -> bool {
    match rules.reals {
        Width::Single => false,
        Width::Flagged => L::FLAGGED && header.is_wide(rules),
        Width::Double => true,
    }
}

/// Returns `true` if a value of this type may be built in double precision. Colours may not, except
/// in `DocsDouble`. The encoder returns an error if the dialect has only single precision.
#[cfg(feature = "alloc")]
fn may_be_double<L: RealLayout>(rules: &Rules) -> bool {
    L::FLAGGED || rules.reals == Width::Double
}

/// Returns the header flag that marks reals of this width. Returns an error if the target cannot
/// represent reals of this width.
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
        _ => out.unrepresentable(kind, Unrepresentable::DoubleReal),
    }
}

#[cfg_attr(not(feature = "serde"), allow(dead_code, reason = "only serde uses it"))]
const fn numbers<L: RealLayout>(counted: bool) -> Option<Numbers> {
    const NUMBER: usize = size_of::<F32>();
    let each = size_of::<L::Single>() / NUMBER;
    Some(Numbers { number: Number::Real { flagged: L::FLAGGED }, each, counted })
}

impl<'a, L: RealLayout> Payload<'a> for Real<'a, L> {
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

    /// Passes the components of a basis row by row.
    fn wire_parts<E>(&self, to: &mut impl FnMut(Part<'a>) -> PartResult<E>) -> PartResult<E> {
        let mut real = |value| to(Part::Real(value));
        match self {
            Self::Single(wire) => {
                let (parts, _) = wire.as_bytes().as_chunks();
                parts.iter().try_for_each(|part| real(f32::from_le_bytes(*part).into()))
            }
            Self::Double(wire) => {
                let (parts, _) = wire.as_bytes().as_chunks();
                parts.iter().try_for_each(|part| real(f64::from_le_bytes(*part)))
            }
        }
    }

    fn parts<E>(&self, to: &mut impl FnMut(Part<'a>) -> PartResult<E>) -> PartResult<E> {
        each_real(self.get(), to)
    }

    #[cfg(feature = "alloc")]
    fn build<'t, S: Sink, E: From<Error>>(
        kind: Kind,
        from: &mut PartSource<'_, 't, E>,
        out: &mut Encoder<'_, S>,
    ) -> BuildResult<E> {
        let double = from.is_double() && may_be_double::<L>(out.rules());
        let value: L = real(from, double)?;
        if double {
            return Ok(Real::<L>::Double(&value.to_double()).encode(kind, out)?);
        }
        Ok(Real::<L>::Single(&value.to_single()).encode(kind, out)?)
    }

    fn sub_values(&self) -> SubValues<'a> {
        SubValues::Components(Components { names: L::NAMES, slot: slot::<L> })
    }
}

/// A packed array of vectors or colours, borrowed from the input in its width on the wire.
///
/// Both variants hold slices of little-endian elements, which need no alignment.
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
pub enum Reals<'a, L: RealLayout> {
    /// Elements with `f32` components.
    Single(&'a [L::Single]),
    /// Elements with `f64` components.
    Double(&'a [L::Double]),
}

impl<'a, L: RealLayout> Reals<'a, L> {
    /// Returns the number of elements.
    pub fn len(&self) -> usize {
        match self {
            Self::Single(wire) => wire.len(),
            Self::Double(wire) => wire.len(),
        }
    }

    /// Returns `true` if there are no elements.
    pub fn is_empty(&self) -> bool {
        self.len() == 0
    }

    /// Returns one element. `f32` components are widened without loss.
    pub fn get(&self, index: usize) -> Option<L> {
        match self {
            Self::Single(wire) => wire.get(index).map(L::from_single),
            Self::Double(wire) => wire.get(index).map(L::from_double),
        }
    }

    /// Iterates over the elements. Matching on the variant and iterating over its slice is faster.
    pub fn iter(&self) -> RealsIter<'a, L> {
        RealsIter { reals: *self, next: 0 }
    }
}

/// Iterator over the elements of a [`Reals`].
#[derive(Clone, Debug)]
pub struct RealsIter<'a, L: RealLayout> {
    reals: Reals<'a, L>,
    next: usize,
}

impl<L: RealLayout> Iterator for RealsIter<'_, L> {
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

impl<L: RealLayout> ExactSizeIterator for RealsIter<'_, L> {}
impl<L: RealLayout> core::iter::FusedIterator for RealsIter<'_, L> {}

impl<L: RealLayout> fmt::Debug for Reals<'_, L> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_list().entries(self.iter()).finish()
    }
}

impl<'a, L: RealLayout> Payload<'a> for Reals<'a, L> {
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

    fn parts<E>(&self, to: &mut impl FnMut(Part<'a>) -> PartResult<E>) -> PartResult<E> {
        self.iter().try_for_each(|element| each_real(element, to))
    }

    #[cfg(feature = "alloc")]
    fn build<'t, S: Sink, E: From<Error>>(
        kind: Kind,
        from: &mut PartSource<'_, 't, E>,
        out: &mut Encoder<'_, S>,
    ) -> BuildResult<E> {
        if from.is_double() && may_be_double::<L>(out.rules()) {
            let elements = from.all(|from| real(from, true).map(L::to_double))?;
            return Ok(Reals::<L>::Double(&elements).encode(kind, out)?);
        }
        let elements = from.all(|from| real(from, false).map(L::to_single))?;
        Ok(Reals::<L>::Single(&elements).encode(kind, out)?)
    }

    fn sub_values(&self) -> SubValues<'a> {
        SubValues::Elements(match *self {
            Self::Single(wire) => Elements::row(wire, |bytes| {
                let element = L::Single::ref_from_bytes(bytes).ok()?;
                Some(L::value(Real::Single(element)))
            }),
            Self::Double(wire) => Elements::row(wire, |bytes| {
                let element = L::Double::ref_from_bytes(bytes).ok()?;
                Some(L::value(Real::Double(element)))
            }),
        })
    }
}
