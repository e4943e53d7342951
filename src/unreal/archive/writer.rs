use super::bit_archive::{BitArchive, bits_in_byte, bytes_of, low_bits};
use super::bit_writer::sink_full;
use super::number::Number;
use super::origin::Origin;
use super::serialize::Archive;
use crate::buffer::{Full, PatchSink, Sink};
use crate::unreal::format::{ByteOrder, ErrorKind, FileCursor, Layout, Result, Value};
use crate::unreal::properties::FormattedText;
use core::fmt;

/// Writes an archive to a [`Sink`], and allocates nothing itself.
///
/// After an error because the sink is full, part of the last value may have been written.
pub struct ArchiveWriter<'s, 'a, S> {
    sink: &'s mut S,
    layout: Layout,
    origin: Origin<'a>,
    depth: u8,
}

impl<'s, 'a, S: Sink> ArchiveWriter<'s, 'a, S> {
    /// Creates a writer that appends to `sink`. Values are written for the versions and in the byte
    /// order of `origin`.
    pub fn new(sink: &'s mut S, origin: impl Into<Origin<'a>>) -> Self {
        let origin = origin.into();
        Self { sink, layout: origin.context().layout, origin, depth: 0 }
    }

    /// Writes numbers and 16-bit strings in another byte order.
    #[must_use]
    pub const fn with_order(mut self, order: ByteOrder) -> Self {
        self.layout.order = order;
        self
    }

    fn write(&mut self, write: impl FnOnce(&mut S, &Layout) -> Result<bool, Full>) -> Result<()> {
        match write(self.sink, &self.layout) {
            Ok(true) => Ok(()),
            Ok(false) => Err(self.error(ErrorKind::DoesNotFit)),
            Err(full) => Err(sink_full(full, self.offset())),
        }
    }
}

impl<S: PatchSink> ArchiveWriter<'_, '_, S> {
    /// Overwrites the four bytes at an offset, counted as by [`offset`](BitArchive::offset), with a
    /// number. Classes of the engine use `Seek` to fill in a size or an offset that becomes known
    /// only later.
    ///
    /// # Errors
    /// If fewer than four bytes have been written from the offset on.
    pub fn patch(&mut self, offset: u64, number: i32) -> Result<()> {
        let place = usize::try_from(offset).ok();
        let end = place.and_then(|place| place.checked_add(4));
        match place.filter(|_| end.is_some_and(|end| end <= self.sink.position())) {
            Some(place) => {
                let [a, b, c, d, ..] = number.to_bytes(self.layout.order);
                self.sink.patch(place, [a, b, c, d]);
                Ok(())
            }
            None => Err(self.error(ErrorKind::BadOffset(offset.cast_signed()))),
        }
    }
}

impl<S: Sink> BitArchive for ArchiveWriter<'_, '_, S> {
    fn is_loading(&self) -> bool {
        false
    }

    fn offset(&self) -> u64 {
        self.sink.position() as u64
    }

    fn bits(&mut self, bits: &mut [u8], count: u64) -> Result<()> {
        let Some(bytes) = bytes_of(bits, count) else {
            return Err(self.error(ErrorKind::DoesNotFit));
        };
        for (index, byte) in bytes.iter().enumerate() {
            self.number(&mut (byte & low_bits(bits_in_byte(count, index))))?;
        }
        Ok(())
    }

    fn int(&mut self, value: &mut u32, _: u32) -> Result<()> {
        self.number(value)
    }

    #[inline]
    fn number<N: Number>(&mut self, value: &mut N) -> Result<()> {
        self.write(|to, layout| value.write(to, layout).map(|()| true))
    }
}

impl<'a, S: Sink> Archive<'a> for ArchiveWriter<'_, 'a, S> {
    fn origin(&self) -> Origin<'a> {
        self.origin
    }

    fn layout(&self) -> &Layout {
        &self.layout
    }

    fn raw(&mut self, bytes: &mut &'a [u8], len: u64) -> Result<()> {
        if bytes.len() as u64 != len {
            return Err(self.error(ErrorKind::DoesNotFit));
        }
        self.write(|to, _| {
            to.reserve(bytes.len())?;
            to.put(bytes);
            Ok(true)
        })
    }

    fn count(&mut self, count: &mut u32, _: u64) -> Result<()> {
        let Ok(mut stored) = i32::try_from(*count) else {
            return Err(self.error(ErrorKind::FieldTooSmall((*count).into())));
        };
        self.number(&mut stored)
    }

    #[inline]
    fn value<T: Value<'a>>(&mut self, value: &mut T) -> Result<()> {
        self.write(|to, layout| value.write(to, layout).map(|()| true))
    }

    fn text(&mut self, text: &mut FormattedText<'a>) -> Result<()> {
        self.write(|to, layout| text.write(to, layout))
    }

    fn cursor(&self) -> Option<FileCursor<'a>> {
        None
    }

    fn depth_mut(&mut self) -> &mut u8 {
        &mut self.depth
    }
}

impl<S: Sink> fmt::Debug for ArchiveWriter<'_, '_, S> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "ArchiveWriter({})", self.offset())
    }
}
