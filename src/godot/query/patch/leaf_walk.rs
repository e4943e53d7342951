//! Finds the leaves of trusted bytes one after another. A [`Visitor`](crate::godot::Visitor)
//! borrows the bytes during the whole walk. This walk does not borrow the bytes between two leaves,
//! so the caller can change them there. The walk stays valid, because no change moves a byte.

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
pub(super) struct LeafWalk {
    dialect: Dialect,
    pos: usize,
    /// Remaining items of each open container. The first entry stands for the value itself.
    left: [Frame; ENGINE_DEPTH as usize + 1],
    /// Index of the innermost container.
    height: usize,
}

impl LeafWalk {
    pub(super) fn new(dialect: Dialect) -> Self {
        let mut left = [0; ENGINE_DEPTH as usize + 1];
        left.iter_mut().take(1).for_each(|value| *value = 1);
        Self { dialect, pos: 0, left, height: 0 }
    }

    /// Returns the role and the range of the next leaf.
    pub(super) fn next(&mut self, bytes: &[u8]) -> Option<(Role, Range<usize>)> {
        loop {
            let frame = self.left.get_mut(self.height)?;
            if *frame & LEFT == 0 {
                self.height = self.height.checked_sub(1)?;
                continue;
            }
            let left = *frame;
            *frame = left.wrapping_sub(1);
            let item = self.dialect.run(ReadItem { bytes, pos: self.pos, named: left >= OBJECT });
            debug_assert!(item.is_ok(), "`Patch::new` has checked the bytes");
            let (value, inner) = item.ok()?;
            self.pos = value.end;
            let Some(inner) = inner else { return Some((role_of(left), value)) };
            self.height = self.height.saturating_add(1);
            *self.left.get_mut(self.height)? = inner;
        }
    }
}

/// A job that reads a leaf or the head of a container. If the name of a property precedes it, the
/// job skips the name.
struct ReadItem<'b> {
    bytes: &'b [u8],
    pos: usize,
    named: bool,
}

impl Job for ReadItem<'_> {
    /// The range of the leaf or head, and the items of a container.
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
