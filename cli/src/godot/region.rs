//! The part of a file that a command reads as values: the options `--skip`, `--count` and
//! `--big-endian`.

use super::format::Format;
use crate::args::Source;
use crate::ui::input::{Input, Stop};
use crate::ui::report;
use gamewire::godot::frame::{Frame, Frames};
use gamewire::godot::{Error, Reader};

/// The part of a file that contains values, and their format.
#[derive(Clone, Copy, Debug)]
pub struct Region<'b> {
    /// The bytes of the file before the region.
    pub before: &'b [u8],
    /// The bytes from the first value or frame to the end of the file.
    pub bytes: &'b [u8],
    pub format: Format,
    /// Maximum number of values or frames. The bytes after them belong to other data.
    pub count: Option<usize>,
}

impl<'b> Region<'b> {
    /// Returns the region that the command line selects. If the region is not valid in its format,
    /// but is valid in a different framing, selects this framing and prints a note. If the format
    /// has frames, only frames with big-endian lengths are tried. If the format has no frames,
    /// frames are tried unless the command line names the format; those with big-endian lengths are
    /// tried last.
    pub fn select(input: Input<'_>, bytes: &'b [u8], source: Source) -> Result<Self, Stop> {
        let (skip, len) = (source.part.skip, bytes.len());
        let start = usize::try_from(skip).ok();
        let Some((before, bytes)) = start.and_then(|start| bytes.split_at_checked(start)) else {
            return Err(Stop::input(format_args!(
                "--skip {skip} is after the end of the file, which has {len} bytes"
            )));
        };
        let count = source.part.count.map(|count| usize::try_from(count).unwrap_or(usize::MAX));
        let region = Self { before, bytes, format: source.format(), count };
        if region.fits() {
            return Ok(region);
        }
        let Some(other) = region.in_other_framing(source) else { return Ok(region) };
        let order = if other.format.big_endian { " with big-endian lengths" } else { "" };
        let message = format_args!("read as frames{order} (--as {})", other.format);
        report::note(&input.name(), message);
        Ok(other)
    }

    /// Tries different framings, and returns the region with the first framing in which its bytes
    /// are valid. Returns `None` if there is no such framing.
    fn in_other_framing(self, source: Source) -> Option<Self> {
        let Self { format, .. } = self;
        let frames = Format { frames: true, ..format };
        let formats = match (source.is_format_given(), format.frames, format.big_endian) {
            (_, true, false) => [None, Some(format.big_endian())],
            (false, false, _) => [Some(frames), Some(format.big_endian())],
            _ => return None,
        };
        let regions = formats.into_iter().flatten().map(|format| Self { format, ..self });
        regions.into_iter().find(Self::fits)
    }

    /// Returns `true` if the region is valid in its format. In a format without frames, it must be
    /// exactly one value. In a format with frames, it must consist of complete frames, each of
    /// which contains exactly one value.
    fn fits(&self) -> bool {
        let is_value = |frame: Frame<'_>| self.format.dialect_fits(frame.bytes);
        match self.format.frames {
            true => !self.bytes.is_empty() && self.frames().all(|frame| frame.is_ok_and(is_value)),
            false => self.format.dialect_fits(self.bytes),
        }
    }

    /// Returns `true` if each value that `--count` selects can be read.
    pub fn is_readable(&self) -> bool {
        if self.format.frames {
            let is_value =
                |frame: Frame<'_>| Reader::new(frame.bytes, self.format.dialect).skip().is_ok();
            return self.frames().all(|frame| frame.is_ok_and(is_value));
        }
        let mut reader = self.reader();
        let next = |_| (!reader.is_empty()).then(|| reader.skip().is_ok());
        (0..self.limit()).map_while(next).all(|is_ok| is_ok)
    }

    /// Returns the offset of the region in the file.
    pub fn start(&self) -> u64 {
        self.before.len() as u64
    }

    /// Returns a reader at the start of the region.
    pub fn reader(&self) -> Reader<'b, 'static> {
        Reader::new(self.bytes, self.format.dialect).origin(self.start())
    }

    /// Iterates over the frames. All offsets are offsets in the file.
    pub fn frames(&self) -> impl Iterator<Item = Result<Frame<'b>, Error>> + use<'b> {
        let start = self.start();
        let frames = Frames::with(self.bytes, self.format.framing());
        frames.take(self.limit()).map(move |frame| match frame {
            Ok(Frame { bytes, offset }) => {
                Ok(Frame { bytes, offset: offset.saturating_add(start) })
            }
            Err(error) => Err(error.shifted(start)),
        })
    }

    /// Returns the maximum number of values or frames.
    pub fn limit(&self) -> usize {
        self.count.unwrap_or(usize::MAX)
    }

    /// Returns the bytes from an offset in the file to the end of the file.
    pub fn from(&self, offset: u64) -> &'b [u8] {
        let start = usize::try_from(offset.saturating_sub(self.start())).ok();
        start.and_then(|start| self.bytes.get(start..)).unwrap_or_default()
    }
}
