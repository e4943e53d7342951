//! Open containers: their items, their count, and roll-back.

use super::{BROKEN, Due, PENDING, Writer};
use crate::buffer::Sink;
use crate::godot::{ErrorKind, Result};
use core::ops::{Deref, DerefMut};

/// An open container, which dereferences to the [`Writer`] of its items. It must be closed with
/// [`finish`](Self::finish). If it is dropped without that call, its bytes are removed. If the sink
/// cannot rewind, the bytes stay, and the writer returns [`ErrorKind::HalfWritten`] from then on.
///
/// ```
/// use gamewire::godot::{Dialect, Writer};
///
/// let mut packet = Vec::new();
/// let mut writer = Writer::new(&mut packet, Dialect::Godot4);
/// let mut items = writer.array_counted()?; // its length is counted
/// for name in ["a", "b"] {
///     items.put(name)?;
/// }
/// items.finish()?;
/// writer.array(3)?.put(1)?; // abandoned: two items are missing
/// assert_eq!(packet.len(), 32);
/// assert_eq!(packet[4], 2);
/// # Ok::<(), gamewire::godot::Error>(())
/// ```
#[must_use = "a container must be finished"]
#[derive(Debug)]
pub struct Items<'w, S: Sink> {
    pub(super) writer: &'w mut Writer<S>,
    pub(super) outer: Due,
    /// Position of the container in the sink.
    pub(super) start: usize,
    pub(super) count: Count<S>,
}

/// A function that overwrites four bytes of a sink.
pub(super) type PatchCount<S> = fn(&mut S, usize, [u8; 4]);

#[derive(Clone, Copy, Debug)]
pub(super) enum Count<S> {
    /// The count was written when the container was opened.
    Known,
    /// The number of elements will be written when the array is closed.
    Elements(PatchCount<S>),
    /// The number of pairs will be written when the dictionary is closed.
    Pairs(PatchCount<S>),
}

impl<S: Sink> Items<'_, S> {
    /// Closes the container.
    ///
    /// # Errors
    /// Returns [`ErrorKind::MissingItems`] if the container has fewer items than announced, or if
    /// its last key has no value. In this case, the container is removed if the sink can rewind.
    /// Returns [`ErrorKind::HalfWritten`] if a nested container was left half-written.
    #[inline]
    pub fn finish(mut self) -> Result<()> {
        let Due { values, names, .. } = self.writer.due;
        if values != 0 || names != 0 || !matches!(self.count, Count::Known) {
            self.check_count()?;
        }
        let Due { values, .. } = self.outer;
        self.writer.due = Due { values: values.wrapping_sub(1), ..self.outer };
        // Prevents `drop` from removing the container.
        core::mem::forget(self);
        Ok(())
    }

    /// Checks the number of items, and writes it if it was not known when the container was opened.
    #[inline(never)]
    fn check_count(&mut self) -> Result<()> {
        if self.writer.due.is_broken() {
            return Err(self.fail(ErrorKind::HalfWritten));
        }
        let left = self.writer.due.values.saturating_add(self.writer.due.names.into());
        let (each, patch) = match self.count {
            Count::Known => {
                let missing = u32::try_from(left).unwrap_or(u32::MAX);
                return Err(self.fail(ErrorKind::MissingItems(missing)));
            }
            Count::Elements(patch) => (1, patch),
            Count::Pairs(patch) => (2, patch),
        };
        if left.checked_rem(each) != Some(0) {
            return Err(self.fail(ErrorKind::MissingItems(1)));
        }
        let left = left.checked_div(each).unwrap_or_default();
        let count = u32::try_from(u64::from(PENDING).saturating_sub(left)).unwrap_or(PENDING);
        // The count follows the header.
        patch(&mut self.writer.sink, self.start.saturating_add(4), count.to_le_bytes());
        Ok(())
    }
}

impl<S: Sink> Drop for Items<'_, S> {
    #[cold]
    fn drop(&mut self) {
        self.writer.due = self.outer;
        self.writer.sink.rewind(self.start);
        if !S::REWINDS {
            (self.writer.due.values, self.writer.due.names) = (0, BROKEN);
        }
    }
}

impl<S: Sink> Deref for Items<'_, S> {
    type Target = Writer<S>;

    fn deref(&self) -> &Writer<S> {
        self.writer
    }
}

impl<S: Sink> DerefMut for Items<'_, S> {
    fn deref_mut(&mut self) -> &mut Writer<S> {
        self.writer
    }
}
