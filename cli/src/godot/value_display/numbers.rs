//! Prints numbers, vectors and matrices with the names of their members, and shortened lists.

use crate::ui::style::Styled;
use crate::ui::text::Count;
use anstyle::Style;
use gamewire::godot::{Kind, Real, RealLayout};
use std::fmt::{self, Display, Formatter, Write};

/// Approximate maximum width of a packed array that is printed without `--full`.
const MAX_COLUMNS: usize = 64;

/// A number. A float is printed with the fewest digits that identify its value.
#[derive(Clone, Copy)]
pub enum Number {
    Int(i64),
    Single(f32),
    Double(f64),
}

impl Number {
    /// Returns a float. If it is `single`, it was converted from an `f32`, which needs fewer
    /// digits.
    pub fn real(value: f64, single: bool) -> Self {
        // The cast is exact: a `single` value was an `f32`.
        if single { Self::Single(value as f32) } else { Self::Double(value) }
    }

    pub fn write(self, out: &mut impl Write) -> fmt::Result {
        if let Some(whole) = self.as_whole() {
            out.write_str(itoa::Buffer::new().format(whole))?;
            return out.write_str(".0");
        }
        match self {
            Self::Int(value) => out.write_str(itoa::Buffer::new().format(value)),
            Self::Single(value) => match zmij::Buffer::new().format(value) {
                printed if is_usual(value.into(), printed) => out.write_str(printed),
                _ => write!(out, "{value:?}"),
            },
            Self::Double(value) => match zmij::Buffer::new().format(value) {
                printed if is_usual(value, printed) => out.write_str(printed),
                _ => write!(out, "{value:?}"),
            },
        }
    }

    /// Returns a float as an integer if this integer has the digits that `Debug` prints. Such
    /// floats are frequent, and are printed faster as integers.
    fn as_whole(self) -> Option<i32> {
        let value = match self {
            // Of a larger `f32`, `Debug` prints the fewest digits that identify it. They can be
            // another whole number.
            Self::Single(value) if value.abs() < EXACT => value.into(),
            Self::Double(value) => value,
            Self::Int(_) | Self::Single(_) => return None,
        };
        let whole = value as i32;
        let is_negative_zero = whole == 0 && value.is_sign_negative();
        (f64::from(whole) == value && !is_negative_zero).then_some(whole)
    }
}

/// An `f32` can represent every whole number up to this one.
const EXACT: f32 = 16_777_216.0;

/// Returns `true` if `Debug` prints the number as `zmij` has printed it. `zmij` is faster, but it
/// writes exponents in a different way. If the number is halfway between two decimals, `zmij`
/// chooses the even one, and `Debug` the one farther from zero.
fn is_usual(value: f64, printed: &str) -> bool {
    if value == 0.0 {
        return true;
    }
    if !(1e-4..1e12).contains(&value.abs()) {
        return false;
    }
    // Different decimals with at most 6 digits never stand for the same float, so neither printer
    // had a choice.
    if printed.len() < 8 {
        return true;
    }
    // A number halfway between two decimals with n places has exactly n + 1 binary places.
    let places = printed.bytes().rev().take_while(|byte| *byte != b'.').count();
    let scaled = value * 2_f64.powi(i32::try_from(places).unwrap_or(0).saturating_add(1));
    scaled % 2.0 != 1.0 && scaled % 2.0 != -1.0
}

impl Display for Number {
    fn fmt(&self, f: &mut Formatter<'_>) -> fmt::Result {
        self.write(f)
    }
}

/// An element of a packed array: `(1.0, 2.0)`.
pub struct Tuple<P> {
    pub parts: P,
    pub single: bool,
}

impl<P: AsRef<[f64]>> Display for Tuple<P> {
    fn fmt(&self, f: &mut Formatter<'_>) -> fmt::Result {
        tuple(f, self.parts.as_ref().iter().map(|value| Number::real(*value, self.single)))
    }
}

pub fn tuple(f: &mut impl Write, parts: impl Iterator<Item = Number>) -> fmt::Result {
    f.write_char('(')?;
    for (index, part) in parts.enumerate() {
        if index > 0 {
            f.write_str(", ")?;
        }
        part.write(f)?;
    }
    f.write_char(')')
}

/// Returns the members of a type, in the order of [`RealLayout::parts`]. Each member is a name and
/// the number of its components. Types without named members are printed as tuples.
pub fn members(kind: Kind) -> &'static [(&'static str, usize)] {
    match kind {
        Kind::Rect2 | Kind::Rect2i => &[("position", 2), ("size", 2)],
        Kind::Aabb => &[("position", 3), ("size", 3)],
        Kind::Plane => &[("normal", 3), ("d", 1)],
        Kind::Transform2D => &[("x", 2), ("y", 2), ("origin", 2)],
        Kind::Basis => &[("x", 3), ("y", 3), ("z", 3)],
        Kind::Transform3D => &[("x", 3), ("y", 3), ("z", 3), ("origin", 3)],
        Kind::Projection => &[("x", 4), ("y", 4), ("z", 4), ("w", 4)],
        _ => &[],
    }
}

pub fn reals<L: RealLayout>(f: &mut impl Write, kind: Kind, real: Real<'_, L>) -> fmt::Result {
    let single = !real.is_double();
    let all = real.get().parts();
    parts(f, kind, all.as_ref().iter().map(|value| Number::real(*value, single)))
}

pub fn integers<const N: usize>(f: &mut impl Write, kind: Kind, all: [i32; N]) -> fmt::Result {
    parts(f, kind, all.into_iter().map(|value| Number::Int(value.into())))
}

fn parts(f: &mut impl Write, kind: Kind, mut parts: impl Iterator<Item = Number>) -> fmt::Result {
    let members = members(kind);
    if members.is_empty() {
        return tuple(f, parts);
    }
    for (index, (name, count)) in members.iter().enumerate() {
        f.write_str(if index == 0 { "" } else { " " })?;
        f.write_str(name)?;
        f.write_char(' ')?;
        match (count, parts.by_ref()) {
            (1, parts) => parts.next().map_or(Ok(()), |part| part.write(f))?,
            (_, parts) => tuple(f, parts.take(*count))?,
        }
    }
    Ok(())
}

/// Items in brackets. Unless `full` is `true`, a long list is truncated, and ends with its number
/// of items.
pub struct List {
    pub separator: &'static str,
    pub unit: &'static str,
    pub full: bool,
    /// Style of the number of items.
    pub style: Style,
}

impl List {
    pub fn write(
        &self,
        f: &mut impl Write,
        items: impl ExactSizeIterator<Item = impl Display>,
    ) -> fmt::Result {
        let count = items.len() as u64;
        let mut columns = 0_usize;
        f.write_char('[')?;
        for (index, item) in items.enumerate() {
            if index > 0 {
                f.write_str(self.separator)?;
            }
            if self.full {
                write!(f, "{item}")?;
                continue;
            }
            let item = item.to_string();
            columns =
                columns.saturating_add(item.chars().count()).saturating_add(self.separator.len());
            if index > 0 && columns > MAX_COLUMNS {
                let count = Count(count, self.unit);
                write!(f, "{}", Styled(self.style, format_args!("… {count}")))?;
                break;
            }
            f.write_str(&item)?;
        }
        f.write_char(']')
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn floats_are_printed_as_debug_prints_them() {
        let bits = (0..200_000_u64).map(|n| n.wrapping_mul(0x9E37_79B9_7F4A_7C15));
        // Numbers of game worlds, halfway cases, and the limits of the notations.
        let usual = (-20_000..20_000).flat_map(|n| [f64::from(n) / 8.0, f64::from(n) * 0.1]);
        let halves = (0..52).flat_map(|size| {
            (1..40).flat_map(move |places| {
                (1..40)
                    .step_by(2)
                    .map(move |odd| 2_f64.powi(size) + f64::from(odd) / 2_f64.powi(places))
            })
        });
        let limits =
            [0.0, -0.0, 1e-4, 1e12, 1e13, 1e15, 1e16, f64::INFINITY, f64::NAN, f64::MIN_POSITIVE];
        let near = limits.into_iter().flat_map(|limit| [limit, limit.next_up(), limit.next_down()]);
        for value in bits.map(f64::from_bits).chain(usual).chain(halves).chain(near) {
            assert_eq!(Number::Double(value).to_string(), format!("{value:?}"));
            let single = value as f32;
            for single in [single, single.next_up(), single.next_down()] {
                let printed = Number::Single(single).to_string();
                assert_eq!(printed, format!("{single:?}"));
            }
        }
        let bits = (0..400_000_u32).map(|n| n.wrapping_mul(0x9E37_79B9));
        for single in bits.map(f32::from_bits) {
            let printed = Number::Single(single).to_string();
            assert_eq!(printed, format!("{single:?}"));
        }
    }
}
