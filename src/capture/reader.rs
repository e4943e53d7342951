use super::error::{Error, ErrorKind};
use super::interface::Interface;
use super::ip::{Segment, Skipped};
use super::layers::Layers;
use super::limits::Limits;
use super::link::segment;
use super::link_type::LinkType;
use super::step::{PacketInfo, Step};
use super::{pcap, pcapng};
use core::ops::Range;
use std::io::{self, Read};
use std::vec;
use std::vec::Vec;

/// A captured packet.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Packet<'a> {
    /// Time of capture in nanoseconds since 1970 (UTC), if the file contains it.
    pub time: Option<i64>,
    /// Type of the first header in `data`.
    pub link_type: LinkType,
    /// Captured bytes of the packet.
    pub data: &'a [u8],
    /// Length of the packet on the wire.
    pub original_len: u32,
    /// Offset of `data` in the file.
    pub offset: u64,
}

impl<'a> Packet<'a> {
    /// Returns the segment in the packet (see [`segment`]).
    ///
    /// # Errors
    /// Returns the reason why the packet contains no segment.
    #[inline(always)]
    pub fn segment(&self) -> Result<Segment<'a>, Skipped> {
        segment(self.link_type, self.data)
    }

    /// Returns the sizes of the parts of the packet. `segment` is the segment that was found in it.
    /// Returns `None` if the payload of `segment` is not in the packet.
    ///
    /// ```
    /// use gamewire::capture::{Layers, LinkType, Packet};
    ///
    /// // IPv4 without a link header, UDP, "hi!", and a byte after the packet.
    /// let data = b"\x45\0\0\x1f\0\0\0\0\x40\x11\0\0\x7f\0\0\x01\x7f\0\0\x02\
    ///     \x30\x39\x1f\x90\0\x0b\0\0hi!\0";
    /// let (time, link_type, original_len, offset) = (None, LinkType::RAW, 32, 40);
    /// let packet = Packet { time, link_type, data, original_len, offset };
    /// let segment = packet.segment()?;
    /// let expected = Layers { link: 0, network: 20, transport: 8, payload: 3, trailer: 1 };
    /// assert_eq!(packet.layers(&segment), Some(expected));
    /// # Ok::<(), gamewire::capture::Skipped>(())
    /// ```
    #[inline(always)]
    pub fn layers(&self, segment: &Segment<'_>) -> Option<Layers> {
        Layers::new(self.link_type, self.data, segment)
    }
}

/// A reader that returns the packets of a capture one after another.
///
/// Supports pcap and pcapng, and detects the format from the first bytes. A pcap file can have
/// microseconds or nanoseconds, either byte order, and the longer records that Alexey Kuznetsov's
/// version of libpcap writes. A pcapng file can have any number of sections, and interfaces up to a
/// [limit](Limits::interfaces).
///
/// The reader reads large blocks, so the input needs no `BufReader`. It returns a packet as soon as
/// the packet is complete. On a pipe, the reader therefore does not wait for more input while its
/// buffer contains a complete packet. It allocates one buffer, and a list of the interfaces of a
/// pcapng section; see [`Limits`].
#[derive(Debug)]
pub struct Reader<R> {
    input: R,
    limits: Limits,
    format: Format,
    buffer: Vec<u8>,
    /// Range of the buffer that contains bytes that were read but not processed yet.
    start: usize,
    end: usize,
    /// Offset of the buffer in the file.
    base: u64,
    /// Number of bytes to skip. While this is not 0, all buffered bytes have been processed.
    skipping: u64,
}

/// A position between two packets of a capture. Contains the facts from earlier in the file that
/// are needed to read on: byte order, interfaces and clocks. See [`Reader::resume`].
#[derive(Clone, Debug)]
pub struct Position {
    format: Format,
    offset: u64,
    skipping: u64,
}

impl Position {
    /// Returns the offset of the next byte that the reader needs.
    pub fn offset(&self) -> u64 {
        self.offset
    }
}

/// A part of a capture file.
pub(super) enum Part {
    /// The header of a pcap file.
    PcapHeader(Interface),
    /// A packet, which [`Reader::take_record`] returns.
    Packet(PacketInfo),
    /// Bytes of blocks of pcapng that contain no packet, at this place in the buffer. A block can
    /// be divided into several parts.
    Other(Range<usize>),
}

#[derive(Clone, Debug)]
enum Format {
    /// Not detected yet.
    Start,
    Pcap(pcap::File),
    Pcapng(pcapng::File),
    /// The file has ended, or is malformed.
    Over,
}

/// Returns `true` if the bytes begin like a pcap or pcapng file.
pub(crate) fn is_capture(head: &[u8]) -> bool {
    let magic = head.first_chunk();
    magic.is_some_and(|magic| *magic == pcapng::MAGIC || pcap::Variant::new(*magic).is_some())
}

impl Format {
    #[inline(always)]
    fn step(&mut self, window: &[u8], limits: Limits) -> Result<Step, ErrorKind> {
        match self {
            Self::Pcap(file) => file.step(window, limits),
            Self::Pcapng(file) => file.step(window, limits),
            Self::Start => self.start(window),
            Self::Over => Ok(Step::More(0)),
        }
    }

    #[cold]
    fn start(&mut self, window: &[u8]) -> Result<Step, ErrorKind> {
        let Some(magic) = window.first_chunk() else { return Ok(Step::More(4)) };
        if *magic == pcapng::MAGIC {
            *self = Self::Pcapng(pcapng::File::default());
            return Ok(Step::Skip(0));
        }
        let variant = pcap::Variant::new(*magic).ok_or(ErrorKind::NotACapture(*magic))?;
        let Some(header) = window.first_chunk() else { return Ok(Step::More(pcap::HEADER)) };
        *self = Self::Pcap(pcap::File::new(variant, header)?);
        Ok(Step::Skip(pcap::HEADER as u64))
    }

    /// Returns `true` if the input must not end before the next step.
    fn is_incomplete(&self) -> bool {
        match self {
            Self::Start => true,
            Self::Pcapng(file) => file.is_mid_block(),
            Self::Pcap(_) | Self::Over => false,
        }
    }
}

/// Initial size of the buffer in bytes. A `read` requests at most this many, unless a larger record
/// has enlarged the buffer.
const BUFFER: usize = 64 << 10;

impl<R: Read> Reader<R> {
    /// Creates a reader for the start of a capture, with [`Limits::default`].
    pub fn new(input: R) -> Self {
        Self {
            input,
            limits: Limits::default(),
            format: Format::Start,
            buffer: Vec::new(),
            start: 0,
            end: 0,
            base: 0,
            skipping: 0,
        }
    }

    /// Creates a reader that continues at a [position](Self::position) of another reader of the
    /// same capture, with [`Limits::default`]. The input must begin at the
    /// [offset](Position::offset) of the position.
    ///
    /// ```
    /// use gamewire::capture::Reader;
    ///
    /// // A pcap file with two packets of one byte.
    /// let file = b"\xd4\xc3\xb2\xa1\x02\0\x04\0\0\0\0\0\0\0\0\0\0\0\x04\0\x01\0\0\0\
    ///     \x05\0\0\0\x07\0\0\0\x01\0\0\0\x01\0\0\0a\
    ///     \x06\0\0\0\x07\0\0\0\x01\0\0\0\x01\0\0\0b";
    /// let mut reader = Reader::new(&file[..]);
    /// reader.next_packet()?;
    /// let position = reader.position();
    /// let mut resumed = Reader::resume(&file[position.offset() as usize..], &position);
    /// assert_eq!(resumed.next_packet()?.unwrap().data, b"b");
    /// # Ok::<(), gamewire::capture::Error>(())
    /// ```
    pub fn resume(input: R, position: &Position) -> Self {
        let Position { format, offset, skipping } = position.clone();
        Self { format, base: offset, skipping, ..Self::new(input) }
    }

    /// Returns the current position, at which [`resume`](Self::resume) can continue.
    pub fn position(&self) -> Position {
        let Self { skipping, .. } = *self;
        Position { format: self.format.clone(), offset: self.offset(), skipping }
    }

    /// Replaces the default limits.
    #[must_use]
    pub fn limits(mut self, limits: Limits) -> Self {
        self.limits = limits;
        self
    }

    /// Returns the offset of the next record in the file. After an error, returns the offset of the
    /// malformed record.
    pub fn offset(&self) -> u64 {
        self.base.saturating_add(self.start as u64)
    }

    /// Returns the next packet, or `None` at the end of the file.
    ///
    /// # Errors
    /// Returns an error if the file is malformed, ends inside a record, or cannot be read. If it
    /// cannot be read ([`ErrorKind::Read`]), the call can be repeated. After any other error, all
    /// further calls return `None`.
    #[inline(always)]
    pub fn next_packet(&mut self) -> Result<Option<Packet<'_>>, Error> {
        let found = loop {
            let window = self.buffer.get(self.start..self.end).unwrap_or_default();
            match self.format.step(window, self.limits) {
                Ok(Step::Packet(found)) => break found,
                other => {
                    if !self.advance(other)? {
                        return Ok(None);
                    }
                }
            }
        };
        Ok(Some(self.take_record(found).0))
    }

    /// Finds the next part of the file. Returns `None` at its end. The parts together are the whole
    /// file, except for an incomplete record at its end.
    ///
    /// # Errors
    /// See [`next_packet`](Self::next_packet).
    pub(super) fn next_part(&mut self) -> Result<Option<Part>, Error> {
        loop {
            if self.skipping > 0 {
                if self.window() == 0 {
                    self.fill_skipped()?;
                }
                let start = self.start;
                self.skip_buffered();
                return Ok(Some(Part::Other(start..self.start)));
            }
            let is_start = matches!(self.format, Format::Start);
            let window = self.buffer.get(self.start..self.end).unwrap_or_default();
            match self.format.step(window, self.limits) {
                Ok(Step::Packet(found)) => return Ok(Some(Part::Packet(found))),
                Ok(Step::Skip(n)) => {
                    self.skipping = n;
                    if let (true, Format::Pcap(file)) = (is_start, &self.format) {
                        let interface = file.interface();
                        self.skip_buffered();
                        return Ok(Some(Part::PcapHeader(interface)));
                    }
                }
                other => {
                    if !self.advance(other)? {
                        return Ok(None);
                    }
                }
            }
        }
    }

    /// Returns the bytes of a [`Part::Other`].
    pub(super) fn buffered(&self, range: Range<usize>) -> &[u8] {
        self.buffer.get(range).unwrap_or_default()
    }

    /// Returns `true` if no input is buffered, so that the next packet needs more input.
    pub(super) fn is_drained(&self) -> bool {
        self.window() == 0
    }

    /// Returns a packet and the bytes of its record.
    #[inline(always)]
    pub(super) fn take_record(&mut self, found: PacketInfo) -> (Packet<'_>, &[u8]) {
        let PacketInfo { time, link_type, original_len, start, len, size } = found;
        let from = self.start;
        let start = from.wrapping_add(start);
        self.start = from.wrapping_add(size);
        let record = self.buffer.get(from..self.start).unwrap_or_default();
        let data = self.buffer.get(start..start.wrapping_add(len)).unwrap_or_default();
        let offset = self.base.wrapping_add(start as u64);
        (Packet { time, link_type, data, original_len, offset }, record)
    }

    /// Processes a step other than a packet. Returns `false` at the end of the file.
    #[inline(never)]
    fn advance(&mut self, step: Result<Step, ErrorKind>) -> Result<bool, Error> {
        match step {
            _ if matches!(self.format, Format::Over) => Ok(false),
            Ok(Step::More(_)) if self.skipping > 0 => self.skip_more(),
            Ok(Step::More(n)) => self.more(n),
            Ok(Step::Skip(n)) => {
                self.skipping = n;
                self.skip_buffered();
                Ok(true)
            }
            Ok(Step::Packet(_)) => Ok(true),
            Err(kind) => Err(self.fail(kind)),
        }
    }

    fn window(&self) -> usize {
        self.end.saturating_sub(self.start)
    }

    fn skip_buffered(&mut self) {
        let n = usize::try_from(self.skipping).unwrap_or(usize::MAX).min(self.window());
        self.start = self.start.saturating_add(n);
        self.skipping = self.skipping.saturating_sub(n as u64);
    }

    fn skip_more(&mut self) -> Result<bool, Error> {
        self.fill_skipped()?;
        self.skip_buffered();
        Ok(true)
    }

    /// Reads some of the bytes to skip into the empty buffer.
    fn fill_skipped(&mut self) -> Result<(), Error> {
        self.reserve(1);
        match self.fill()? {
            true => Ok(()),
            false => Err(self.fail(ErrorKind::CutOff { missing: self.skipping })),
        }
    }

    /// Reads until at least `n` bytes are buffered. Returns `false` at the end of the file.
    fn more(&mut self, n: usize) -> Result<bool, Error> {
        self.reserve(n);
        while self.window() < n {
            if !self.fill()? {
                return self.end(n);
            }
        }
        Ok(true)
    }

    /// Processes the end of the input: returns an error inside a record, otherwise `false`.
    fn end(&mut self, needed: usize) -> Result<bool, Error> {
        if self.window() > 0 || self.format.is_incomplete() {
            let missing = needed.saturating_sub(self.window()) as u64;
            return Err(self.fail(ErrorKind::CutOff { missing }));
        }
        self.format = Format::Over;
        Ok(false)
    }

    /// Moves the remaining bytes to the front, and enlarges the buffer to at least `n` bytes. The
    /// format has already checked `n` against the limits.
    #[allow(clippy::disallowed_methods, reason = "the window is in the buffer")]
    fn reserve(&mut self, n: usize) {
        let offset = self.offset();
        if self.buffer.len() < n.max(BUFFER) {
            // The allocator's zeroed memory costs nothing until it is used. `resize` would write
            // the zeros.
            let mut larger = vec![0; n.max(BUFFER)];
            let window = self.buffer.get(self.start..self.end).unwrap_or_default();
            larger.iter_mut().zip(window).for_each(|(to, from)| *to = *from);
            self.buffer = larger;
        } else {
            self.buffer.copy_within(self.start..self.end, 0);
        }
        self.base = offset;
        self.end = self.window();
        self.start = 0;
    }

    /// Calls `read` once, or again if it is interrupted. Returns `false` at the end of the input.
    fn fill(&mut self) -> Result<bool, Error> {
        let offset = self.offset();
        let free = self.buffer.get_mut(self.end..).unwrap_or_default();
        loop {
            match self.input.read(free) {
                Ok(n) => {
                    self.end = self.end.saturating_add(n.min(free.len()));
                    return Ok(n > 0);
                }
                Err(error) if error.kind() == io::ErrorKind::Interrupted => {}
                Err(error) => return Err(Error::new(ErrorKind::Read(error.kind()), offset)),
            }
        }
    }

    #[cold]
    fn fail(&mut self, kind: ErrorKind) -> Error {
        self.format = Format::Over;
        Error::new(kind, self.offset())
    }
}
