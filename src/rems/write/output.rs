//! Output of a writer: the sink, and a small buffer in front of it.

use super::error::{KindResult, WriteError, WriteErrorKind};
use crate::buffer::{Full, Sink};
use crate::rems::print::{ItemBuffer, PART, Unreadable, Warning};

/// The output of a writer. It collects the bytes of an item in a buffer, and passes a short item to
/// the sink in one piece.
#[derive(Debug)]
pub(super) struct Output<S> {
    pub(super) sink: S,
    pub(super) printed: ItemBuffer,
    pub(super) force: bool,
    pub(super) warning: Option<Warning>,
    pub(super) broken: bool,
    /// The first error of the sink. Bytes after it are discarded.
    full: Option<Full>,
}

impl<S: Sink> Output<S> {
    pub(super) const fn new(sink: S) -> Self {
        let printed = ItemBuffer::new();
        Self { sink, printed, force: false, warning: None, broken: false, full: None }
    }

    /// Returns the position of the sink. Call this method before an item is written.
    #[inline]
    pub(super) fn start(&self) -> usize {
        self.sink.position()
    }

    /// Discards an item that failed, and rewinds the sink to the start of the item.
    #[cold]
    pub(super) fn failed(&mut self, kind: WriteErrorKind, start: usize) -> WriteError {
        let position = self.sink.position();
        let offset = position.saturating_add(self.printed.len()) as u64;
        self.broken |= !S::REWINDS && position != start;
        self.sink.rewind(start);
        self.full = None;
        self.clear();
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
        let offset = self.sink.position() as u64;
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
        self.spill();
        if !self.printed.fits(bytes) {
            put(&mut self.sink, &mut self.full, bytes);
        }
    }

    /// Makes space for a component and a comma.
    #[inline]
    pub(super) fn reserve_part(&mut self) {
        if self.printed.free() < PART {
            self.spill();
        }
    }

    /// Discards the buffer.
    pub(super) const fn clear(&mut self) {
        self.printed.clear();
    }

    /// Passes the buffer to the sink.
    fn spill(&mut self) {
        put(&mut self.sink, &mut self.full, self.printed.as_bytes());
        self.clear();
    }

    /// Ends an item. Returns an error if the item did not fit in the sink.
    #[inline]
    pub(super) fn flush(&mut self) -> KindResult {
        self.spill();
        match self.full {
            None => Ok(()),
            Some(full) => Err(full.into()),
        }
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
