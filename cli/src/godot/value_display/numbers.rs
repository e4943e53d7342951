//! Prints numbers, vectors and matrices with the names of their members, and shortened lists.

use crate::ui::style::{DIM, Styled};
use crate::ui::text::Count;
use gamewire::godot::{Kind, Real, RealLayout};
use std::fmt::{self, Display, Formatter, Write};

/// Approximate maximum width of a packed array that is printed without `--full`.
const MAX_COLUMNS: usize = 64;

/// A float, printed with the fewest digits that identify its value.
#[derive(Clone, Copy)]
pub struct Float {
    pub value: f64,
    /// `true` if the value was converted from an `f32`, which needs fewer digits.
    pub single: bool,
}

impl Display for Float {
    // The cast is exact: a `single` value was an `f32`.
    fn fmt(&self, f: &mut Formatter<'_>) -> fmt::Result {
        if self.single {
            write!(f, "{:?}", self.value as f32)
        } else {
            write!(f, "{:?}", self.value)
        }
    }
}

/// An element of a packed array: `(1.0, 2.0)`.
pub struct Tuple<P> {
    pub parts: P,
    pub single: bool,
}

impl<P: AsRef<[f64]>> Display for Tuple<P> {
    fn fmt(&self, f: &mut Formatter<'_>) -> fmt::Result {
        let single = self.single;
        tuple(f, self.parts.as_ref().iter().map(|value| Float { value: *value, single }))
    }
}

pub fn tuple(f: &mut Formatter<'_>, parts: impl Iterator<Item = impl Display>) -> fmt::Result {
    f.write_char('(')?;
    for (index, part) in parts.enumerate() {
        write!(f, "{}{part}", if index == 0 { "" } else { ", " })?;
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

pub fn reals<L: RealLayout>(f: &mut Formatter<'_>, kind: Kind, real: Real<'_, L>) -> fmt::Result {
    let single = !real.is_double();
    let all = real.get().parts();
    parts(f, kind, all.as_ref().iter().map(|value| Float { value: *value, single }))
}

pub fn parts(
    f: &mut Formatter<'_>,
    kind: Kind,
    parts: impl IntoIterator<Item = impl Display>,
) -> fmt::Result {
    let mut parts = parts.into_iter();
    let members = members(kind);
    if members.is_empty() {
        return tuple(f, parts);
    }
    for (index, (name, count)) in members.iter().enumerate() {
        write!(f, "{}{name} ", if index == 0 { "" } else { " " })?;
        match (count, parts.by_ref()) {
            (1, parts) => parts.next().map_or(Ok(()), |part| part.fmt(f))?,
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
}

impl List {
    pub fn write(
        &self,
        f: &mut Formatter<'_>,
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
                item.fmt(f)?;
                continue;
            }
            let item = item.to_string();
            columns =
                columns.saturating_add(item.chars().count()).saturating_add(self.separator.len());
            if index > 0 && columns > MAX_COLUMNS {
                Styled(DIM, format_args!("… {}", Count(count, self.unit))).fmt(f)?;
                break;
            }
            f.write_str(&item)?;
        }
        f.write_char(']')
    }
}
