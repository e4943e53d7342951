//! Output of a writer: the sink, and a small buffer in front of it.

use super::error::{KindResult, WriteError, WriteErrorKind};
use crate::buffer::{Full, Sink};
use crate::rems::print::{ItemBuffer, PART, ROW, Unreadable, Warning};

/// The output of a writer. It collects the bytes of an item in a buffer, and passes a short item to
/// the sink in one piece. Items stay in the buffer until it is full, or until the next end: a copy
/// that soon follows the stores of the same bytes stalls, so there should be few copies.
#[derive(Debug)]
pub(super) struct Output<S> {
    pub(super) sink: S,
    pub(super) printed: ItemBuffer,
    /// Length of the complete items in the buffer. The sink has reserved space for them.
    held: usize,
    pub(super) force: bool,
    pub(super) warning: Option<Warning>,
    pub(super) broken: bool,
    /// The first error of the sink. Bytes after it are discarded.
    full: Option<Full>,
}

impl<S: Sink> Output<S> {
    pub(super) const fn new(sink: S) -> Self {
        let printed = ItemBuffer::new();
        Self { sink, printed, held: 0, force: false, warning: None, broken: false, full: None }
    }

    /// Returns the position of the sink after the complete items. Call this method before an item is
    /// written.
    #[inline]
    pub(super) fn start(&self) -> usize {
        self.sink.position().saturating_add(self.held)
    }

    /// Discards an item that failed. If the sink has received a part of it, rewinds the sink to the
    /// start of the item.
    #[cold]
    pub(super) fn failed(&mut self, kind: WriteErrorKind, start: usize) -> WriteError {
        let position = self.sink.position();
        let offset = position.saturating_add(self.printed.len()) as u64;
        self.printed.truncate(self.held);
        if position > start {
            self.broken |= !S::REWINDS;
            self.sink.rewind(start);
        }
        self.full = None;
        WriteError::new(kind, offset)
    }

    /// Returns an error if the engine could not read the item back. Records a warning instead if
    /// `force` is `true`.
    #[inline]
    pub(super) fn read_back(&mut self, verdict: Result<(), Unreadable>) -> KindResult {
        match verdict {
            Ok(()) => Ok(()),
            Err(reason) => self.unreadable(reason),
        }
    }

    #[cold]
    fn unreadable(&mut self, reason: Unreadable) -> KindResult {
        if !self.force {
            return Err(reason.into());
        }
        let offset = self.start() as u64;
        Warning::add(&mut self.warning, reason, offset);
        Ok(())
    }

    /// Appends bytes. If the sink fails, [`flush`](Self::flush) returns the error.
    #[inline]
    pub(super) fn bytes(&mut self, bytes: &[u8]) {
        if !self.printed.fits(bytes) {
            self.long(bytes);
        }
    }

    #[inline(never)]
    fn long(&mut self, bytes: &[u8]) {
        self.spill_held();
        if !self.printed.fits(bytes) {
            self.spill();
            if !self.printed.fits(bytes) {
                put(&mut self.sink, &mut self.full, bytes);
            }
        }
    }

    /// Makes space for a component and a comma.
    #[inline]
    pub(super) fn reserve_part(&mut self) {
        if self.printed.free() < PART {
            self.make_space(PART);
        }
    }

    /// Makes space for a row of components.
    #[inline]
    pub(super) fn reserve_row(&mut self) {
        if self.printed.free() < ROW {
            self.make_space(ROW);
        }
    }

    #[inline(never)]
    fn make_space(&mut self, space: usize) {
        self.spill_held();
        if self.printed.free() < space {
            self.spill();
        }
    }

    /// Passes the complete items in the buffer to the sink, which has reserved space for them.
    fn spill_held(&mut self) {
        if self.held > 0 {
            self.sink.put(self.printed.as_bytes().get(..self.held).unwrap_or_default());
            self.printed.remove_first(self.held);
            self.held = 0;
        }
    }

    /// Passes the part of an item in the buffer to the sink.
    fn spill(&mut self) {
        put(&mut self.sink, &mut self.full, self.printed.as_bytes());
        self.printed.clear();
    }

    /// Ends an item that is not an end, and keeps it in the buffer. Returns an error if it does not
    /// fit in the sink.
    #[inline]
    pub(super) fn hold(&mut self) -> KindResult {
        match (self.full, self.sink.reserve(self.printed.len())) {
            (None, Ok(())) => {
                self.held = self.printed.len();
                Ok(())
            }
            (Some(full), _) | (None, Err(full)) => {
                self.printed.truncate(self.held);
                Err(full.into())
            }
        }
    }

    /// Ends an item, and passes all items in the buffer to the sink. Returns an error if the item
    /// does not fit in the sink.
    #[inline]
    pub(super) fn flush(&mut self) -> KindResult {
        self.hold()?;
        self.spill_held();
        Ok(())
    }
}

#[inline]
fn put(sink: &mut impl Sink, full: &mut Option<Full>, bytes: &[u8]) {
    match sink.reserve(bytes.len()) {
        Ok(()) if full.is_none() => sink.put(bytes),
        Ok(()) => {}
        Err(missing) => *full = full.or(Some(missing)),
    }
}

/// Defines the methods of [`ItemSink`](super::ItemSink) that are the same in both writers.
macro_rules! shared_sink_methods {
    () => {
        fn offset(&self) -> u64 {
            self.out.start() as u64
        }

        fn force(&mut self, force: bool) {
            self.out.force = force;
        }

        #[inline]
        fn take_warning(&mut self) -> Option<Warning> {
            self.out.warning.take()
        }

        fn value(&mut self, value: &Value<'_>) -> Result<(), WriteError> {
            self.atomic(|writer| writer.any_value(value))
        }

        fn text<'s>(&mut self, text: impl Into<StrRef<'s>>) -> Result<(), WriteError> {
            let text = text.into();
            self.atomic(|writer| writer.any_text(text))
        }

        fn parts<T: Part>(&mut self, parts: &[T]) -> Result<(), WriteError> {
            self.atomic(|writer| writer.new_value(0, &[parts]))
        }

        fn array<T: Part>(&mut self, parts: &[T]) -> Result<(), WriteError> {
            self.atomic(|writer| writer.new_value(1, &[parts]))
        }

        fn rows<T: Part>(&mut self, rows: &[&[T]]) -> Result<(), WriteError> {
            self.atomic(|writer| writer.new_value(2, rows))
        }
    };
}
pub(super) use shared_sink_methods;
