//! From leaf to leaf of checked bytes. A [`Visitor`](crate::godot::Visitor) holds on to the
//! bytes for as long as the walk lasts; here they can be changed between two steps, since
//! what is changed stays where it is.

use crate::buffer::Cursor;
use crate::godot::read::walk::{ENGINE_DEPTH, Frame, LEFT, OBJECT, frame_of, role_of};
use crate::godot::table::dialect::{Job, Spec};
use crate::godot::table::layouts::U32;
use crate::godot::table::payload::{DiscardLeaf, Head, Header};
use crate::godot::types::container::Container;
use crate::godot::types::text;
use crate::godot::{Dialect, Result, Role};
use core::ops::Range;

/// The position of a walk over trusted bytes.
#[derive(Debug)]
pub(super) struct Steps {
    dialect: Dialect,
    pos: usize,
    /// What is left of each container that is open; the first is that of the value itself.
    left: [Frame; ENGINE_DEPTH as usize + 1],
    /// The innermost of them.
    height: usize,
}

impl Steps {
    pub(super) fn new(dialect: Dialect) -> Self {
        let mut left = [0; ENGINE_DEPTH as usize + 1];
        left.iter_mut().take(1).for_each(|value| *value = 1);
        Self { dialect, pos: 0, left, height: 0 }
    }

    /// The next value that is no container: what it is to its container, and where.
    pub(super) fn next(&mut self, bytes: &[u8]) -> Option<(Role, Range<usize>)> {
        loop {
            let frame = self.left.get_mut(self.height)?;
            if *frame & LEFT == 0 {
                self.height = self.height.checked_sub(1)?;
                continue;
            }
            let left = *frame;
            *frame = left.wrapping_sub(1);
            let step = self.dialect.run(Step { bytes, pos: self.pos, named: left >= OBJECT });
            debug_assert!(step.is_ok(), "checked when the patch was made");
            let (value, inner) = step.ok()?;
            self.pos = value.end;
            let Some(inner) = inner else { return Some((role_of(left), value)) };
            self.height = self.height.saturating_add(1);
            *self.left.get_mut(self.height)? = inner;
        }
    }
}

/// Reads a value, and the name in front of it if it is a property.
struct Step<'b> {
    bytes: &'b [u8],
    pos: usize,
    named: bool,
}

impl Job for Step<'_> {
    /// Where it is up to its first item, and its items.
    type Output = Result<(Range<usize>, Option<Frame>)>;

    fn run<D: Spec>(self) -> Self::Output {
        let mut at = Cursor::new_at(self.bytes, self.pos);
        if self.named {
            text::read(&mut at, D::RULES)?;
        }
        let start = at.pos();
        let header = Header(at.read::<U32>()?.get());
        let container = match D::head(&mut at, header, DiscardLeaf)? {
            Head::Leaf(()) => None,
            Head::Open(opens) => Container::read(opens, &mut at, header, D::RULES, true)?,
        };
        Ok((start..at.pos(), container.as_ref().map(frame_of)))
    }
}
