use super::ip::{Segment, Skipped};
use super::{Error, ErrorKind, Found, LinkType, Step, pcap, pcapng, segment};
use std::io::{self, Read};
use std::vec;
use std::vec::Vec;

/// What a [`Reader`] allows.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Limits {
    /// The longest record (pcap) or block with a packet (pcapng), in bytes with header and
    /// options: 1 MiB by default. Tools cut packets at 256 KiB, so this leaves room for
    /// options. The reader's buffer grows to this at the most, and starts with 128 KiB.
    pub record: u32,
    /// How many interfaces a pcapng section may describe: 4096 by default. Each takes 32
    /// bytes of memory.
    pub interfaces: u32,
}

impl Default for Limits {
    fn default() -> Self {
        Self { record: 1 << 20, interfaces: 4096 }
    }
}

/// One captured packet.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Packet<'a> {
    /// When, in nanoseconds since 1970 began (UTC). None where the file does not say.
    pub time: Option<i64>,
    /// What the bytes start with.
    pub link_type: LinkType,
    /// What was captured of it.
    pub data: &'a [u8],
    /// How long it was on the wire.
    pub original_len: u32,
    /// Where `data` starts in the file.
    pub offset: u64,
}

impl<'a> Packet<'a> {
    /// The segment inside, see [`segment`].
    ///
    /// # Errors
    /// The reason why the packet holds none.
    #[inline(always)]
    pub fn segment(&self) -> Result<Segment<'a>, Skipped> {
        segment(self.link_type, self.data)
    }
}

/// Reads a capture, packet by packet: pcap (seconds with micro- or nanoseconds, either
/// byte order, and Kuznetsov's longer records) or pcapng (any number of sections and
/// interfaces), told apart by the first bytes.
///
/// What there is to read is read in large pieces, but a packet is given as soon as it is
/// complete: on a pipe, `read` is only called when there is no whole packet left. So the
/// input needs no `BufReader`. Memory is one buffer (see [`Limits`]); it is taken once.
#[derive(Debug)]
pub struct Reader<R> {
    input: R,
    limits: Limits,
    format: Format,
    buffer: Vec<u8>,
    /// What of the buffer was read from the input, and not given yet.
    start: usize,
    end: usize,
    /// Where the buffer's first byte is in the file.
    base: u64,
    /// How much is to be read and dropped; until then nothing is in the buffer.
    dropping: u64,
}

#[derive(Debug)]
enum Format {
    /// Not known yet.
    Start,
    Pcap(pcap::File),
    Pcapng(pcapng::File),
    /// The file has ended, or something was wrong with it.
    Over,
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
        let kind = pcap::Kind::new(*magic).ok_or(ErrorKind::NotACapture(*magic))?;
        let Some(header) = window.first_chunk() else { return Ok(Step::More(pcap::HEADER)) };
        *self = Self::Pcap(pcap::File::new(kind, header)?);
        Ok(Step::Skip(pcap::HEADER as u64))
    }

    /// Whether a file that ends between two steps ends too early.
    fn is_inside(&self) -> bool {
        match self {
            Self::Start => true,
            Self::Pcapng(file) => file.is_inside(),
            Self::Pcap(_) | Self::Over => false,
        }
    }
}

/// What is read in one go, where there is so much.
const BUFFER: usize = 64 << 10;

impl<R: Read> Reader<R> {
    /// A reader at the start of a capture, with [`Limits::default`].
    pub fn new(input: R) -> Self {
        Self {
            input,
            limits: Limits::default(),
            format: Format::Start,
            buffer: Vec::new(),
            start: 0,
            end: 0,
            base: 0,
            dropping: 0,
        }
    }

    /// Reads with other limits.
    #[must_use]
    pub fn limits(mut self, limits: Limits) -> Self {
        self.limits = limits;
        self
    }

    /// Where the next record starts in the file, skipped ones aside; after an error, where
    /// the record is that it speaks of.
    pub fn offset(&self) -> u64 {
        self.base.saturating_add(self.start as u64)
    }

    /// The next packet; none at the end of the file and after an error.
    ///
    /// # Errors
    /// Where the file is damaged, ends inside a record, or cannot be read. Only after the
    /// last ([`ErrorKind::Read`]) it goes on.
    #[inline(always)]
    pub fn next_packet(&mut self) -> Result<Option<Packet<'_>>, Error> {
        let found = loop {
            let window = self.buffer.get(self.start..self.end).unwrap_or_default();
            match self.format.step(window, self.limits) {
                Ok(Step::Packet(found)) => break found,
                other => {
                    if !self.go_on(other)? {
                        return Ok(None);
                    }
                }
            }
        };
        Ok(Some(self.give(found)))
    }

    #[inline(always)]
    fn give(&mut self, found: Found) -> Packet<'_> {
        let Found { time, link_type, original_len, start, len, size } = found;
        let start = self.start.wrapping_add(start);
        self.start = self.start.wrapping_add(size);
        let data = self.buffer.get(start..start.wrapping_add(len)).unwrap_or_default();
        let offset = self.base.wrapping_add(start as u64);
        Packet { time, link_type, data, original_len, offset }
    }

    /// What is not a packet. False at the end.
    #[inline(never)]
    fn go_on(&mut self, step: Result<Step, ErrorKind>) -> Result<bool, Error> {
        match step {
            _ if matches!(self.format, Format::Over) => Ok(false),
            Ok(Step::More(_)) if self.dropping > 0 => self.drop_more(),
            Ok(Step::More(n)) => self.more(n),
            Ok(Step::Skip(n)) => {
                self.dropping = n;
                self.drop_at_hand();
                Ok(true)
            }
            Ok(Step::Packet(_)) => Ok(true),
            Err(kind) => Err(self.fail(kind)),
        }
    }

    fn window(&self) -> usize {
        self.end.saturating_sub(self.start)
    }

    fn drop_at_hand(&mut self) {
        let n = usize::try_from(self.dropping).unwrap_or(usize::MAX).min(self.window());
        self.start = self.start.saturating_add(n);
        self.dropping = self.dropping.saturating_sub(n as u64);
    }

    fn drop_more(&mut self) -> Result<bool, Error> {
        self.make_room(1);
        if !self.fill()? {
            return Err(self.fail(ErrorKind::CutOff { missing: self.dropping }));
        }
        self.drop_at_hand();
        Ok(true)
    }

    /// Reads until there are `n` bytes, or more.
    fn more(&mut self, n: usize) -> Result<bool, Error> {
        self.make_room(n);
        while self.window() < n {
            if !self.fill()? {
                return self.end(n);
            }
        }
        Ok(true)
    }

    /// The input has ended: well, if nothing was begun.
    fn end(&mut self, needed: usize) -> Result<bool, Error> {
        if self.window() > 0 || self.format.is_inside() {
            let missing = needed.saturating_sub(self.window()) as u64;
            return Err(self.fail(ErrorKind::CutOff { missing }));
        }
        self.format = Format::Over;
        Ok(false)
    }

    /// Moves what is left to the front, and makes the buffer large enough for `n` bytes
    /// (which the format measured by the limits).
    #[allow(clippy::disallowed_methods, reason = "the window is in the buffer")]
    fn make_room(&mut self, n: usize) {
        let offset = self.offset();
        if self.buffer.len() < n.max(BUFFER) {
            // (Zeroed memory that is never used costs nothing, unlike that of `resize`.)
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

    /// Reads once. False at the end of the input.
    fn fill(&mut self) -> Result<bool, Error> {
        let offset = self.offset();
        let room = self.buffer.get_mut(self.end..).unwrap_or_default();
        loop {
            match self.input.read(room) {
                Ok(n) => {
                    self.end = self.end.saturating_add(n.min(room.len()));
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
