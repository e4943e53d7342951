//! The messages of one direction of a WebSocket.

#[cfg(all(feature = "serde", feature = "traffic"))]
pub(crate) mod state;

use super::error::{Error, ErrorKind};
use super::event::{Event, Kind, Message};
use super::frame::{Header, Opcode, mask};
use super::head::{self, Head, Side};
use super::small_buffer::SmallBuffer;
use crate::transport::Breakdown;
use alloc::vec::Vec;

/// Limits of a [`Decoder`].
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Limits {
    /// Length of the head of the HTTP message in bytes: 16 KiB by default.
    pub head: u32,
    /// Length of a message in bytes: 8 MiB by default, Godot's limit for an encoded packet. The
    /// decoder's buffer grows up to this length as bytes arrive.
    pub message: u32,
}

impl Default for Limits {
    fn default() -> Self {
        Self { head: 16 << 10, message: 8 << 20 }
    }
}

/// A decoder of one direction of a WebSocket. See the [module documentation](super).
#[derive(Clone, Debug)]
pub struct Decoder {
    limits: Limits,
    /// The side that must have sent the bytes, if only one is accepted.
    side: Option<Side>,
    state: State,
    /// Number of bytes of the stream that were processed.
    offset: u64,
    /// A partial head, or a partial message.
    buffer: Vec<u8>,
    /// Kind of the message whose last frame has not arrived yet.
    unfinished: Option<Kind>,
    /// The partial header of a frame, or the payload of a control frame.
    small: SmallBuffer,
}

#[derive(Clone, Copy, Debug)]
enum State {
    /// Expects the head of the HTTP message.
    Head,
    /// Expects the header of a frame.
    Header,
    Payload(Payload),
    Closed,
    Failed(Error),
}

/// A frame whose payload is being read.
#[derive(Clone, Copy, Debug)]
struct Payload {
    header: Header,
    /// Number of payload bytes that have arrived.
    done: u64,
    /// Offset of the frame in the stream.
    offset: u64,
}

impl Default for Decoder {
    fn default() -> Self {
        Self::new()
    }
}

impl Decoder {
    /// Creates a decoder for the start of a connection, before the head of the HTTP message.
    pub fn new() -> Self {
        Self {
            limits: Limits::default(),
            side: None,
            state: State::Head,
            offset: 0,
            buffer: Vec::new(),
            unfinished: None,
            small: SmallBuffer::default(),
        }
    }

    /// Creates a decoder for a stream that starts with a frame.
    pub fn frames() -> Self {
        Self { state: State::Header, ..Self::new() }
    }

    /// Replaces the default limits.
    #[must_use]
    pub fn limits(mut self, limits: Limits) -> Self {
        self.limits = limits;
        self
    }

    /// Requires that this side sends the bytes: a client sends a request and masks its frames, a
    /// server sends a response and does not.
    #[must_use]
    pub fn side(mut self, side: Side) -> Self {
        self.side = Some(side);
        self
    }

    /// Returns the number of bytes processed so far. It no longer changes after an error.
    pub fn offset(&self) -> u64 {
        self.offset
    }

    /// Returns the allocated memory in bytes.
    pub fn memory(&self) -> usize {
        self.buffer.capacity()
    }

    /// Returns the part of an incomplete message that has arrived, unmasked. Before the HTTP head
    /// is complete, returns the part of the head that has arrived.
    pub fn incomplete(&self) -> &[u8] {
        &self.buffer
    }

    /// Returns `true` if the HTTP head is complete (or not expected), and the bytes processed so
    /// far do not end inside a frame or message.
    pub fn is_between_messages(&self) -> bool {
        let between = matches!(self.state, State::Header | State::Closed);
        between && self.small.is_empty() && self.unfinished.is_none()
    }

    /// Resets the decoder for a new connection. Keeps the allocated memory.
    pub fn reset(&mut self) {
        self.state = State::Head;
        self.offset = 0;
        self.buffer.clear();
        self.unfinished = None;
        self.small.clear();
    }

    /// Processes the next bytes of the stream, and calls `then` for each event.
    ///
    /// # Errors
    /// Returns an error if the bytes are not a WebSocket, violate its rules, or exceed the
    /// [`Limits`]. Its offset is that of the malformed frame or head in the stream. All later calls
    /// with at least one byte return the same error.
    pub fn feed(&mut self, piece: &[u8], then: impl FnMut(Event<'_>)) -> Result<(), Error> {
        self.feed_counting(piece, &mut Breakdown::default(), then)
    }

    /// Processes the next bytes of the stream as [`feed`](Self::feed) does.
    ///
    /// The caller must already have added these bytes to the [accepted](Breakdown::accepted) bytes
    /// of `breakdown`. This function moves everything except the payload of messages to other
    /// fields. An HTTP head, the header of a data frame, or a control frame is moved when it is
    /// complete. After an error, the rest of `piece` is moved too.
    ///
    /// # Errors
    /// Returns the errors of [`feed`](Self::feed).
    pub fn feed_counting(
        &mut self,
        piece: &[u8],
        breakdown: &mut Breakdown,
        mut then: impl FnMut(Event<'_>),
    ) -> Result<(), Error> {
        let mut rest = piece;
        while !rest.is_empty() {
            let result = match self.state {
                State::Header => self.frame(rest, breakdown, &mut then),
                State::Payload(payload) => self.payload(payload, rest, breakdown, &mut then),
                State::Head => self.head(rest, breakdown, &mut then),
                State::Closed => Err(Error::new(ErrorKind::AfterClose, self.offset)),
                State::Failed(error) => Err(error),
            };
            match result {
                Ok(taken) => {
                    self.offset = self.offset.saturating_add(taken as u64);
                    rest = rest.get(taken..).unwrap_or_default();
                }
                Err(error) => {
                    breakdown.claim(|parts| &mut parts.malformed, rest.len());
                    self.state = State::Failed(error);
                    return Err(error);
                }
            }
        }
        Ok(())
    }

    /// Processes the head or a part of it. Returns the number of bytes taken from `rest`.
    fn head(
        &mut self,
        rest: &[u8],
        breakdown: &mut Breakdown,
        then: &mut dyn FnMut(Event<'_>),
    ) -> Result<usize, Error> {
        let limit = self.limits.head as usize;
        let known = self.buffer.len();
        let end = if known == 0 {
            head::find_end(rest, 0, limit)
        } else {
            let len = limit.saturating_sub(known).min(rest.len());
            self.buffer.extend_from_slice(rest.get(..len).unwrap_or_default());
            head::find_end(&self.buffer, known, limit)
        };
        let failed = |kind| Error::new(kind, 0);
        let Some(end) = end.map_err(failed)? else {
            if known == 0 {
                self.buffer.extend_from_slice(rest);
            }
            return Ok(rest.len());
        };
        let bytes = if known == 0 { rest } else { &self.buffer };
        let head = Head::read(bytes.get(..end).unwrap_or_default()).map_err(failed)?;
        if self.side.is_some_and(|side| side != head.side()) {
            return Err(failed(ErrorKind::WrongSide));
        }
        breakdown.claim(|parts| &mut parts.http_heads, end);
        then(Event::Upgrade(head));
        self.buffer.clear();
        self.state = State::Header;
        Ok(end.saturating_sub(known))
    }

    /// Processes a header and the part of its payload that `rest` contains. Reports a complete
    /// unmasked message without a copy. Returns the number of bytes taken from `rest`.
    #[inline(always)]
    fn frame(
        &mut self,
        rest: &[u8],
        breakdown: &mut Breakdown,
        then: &mut impl FnMut(Event<'_>),
    ) -> Result<usize, Error> {
        if !self.small.is_empty() {
            return self.split_header(rest, breakdown, then);
        }
        let failed = |kind| Error::new(kind, self.offset);
        let Some((header, size)) = Header::read(rest).map_err(failed)? else {
            return Ok(self.small.append(rest));
        };
        self.check(header).map_err(failed)?;
        let end = size.saturating_add(usize::try_from(header.len).unwrap_or(usize::MAX));
        count_header(header, size, breakdown);
        match (rest.get(size..end), header) {
            (Some(payload), Header { fin: true, mask: None, opcode: Opcode::Binary, .. }) => {
                then(Event::Message(Message { kind: Kind::Binary, payload }));
                Ok(end)
            }
            (Some(payload), Header { fin: true, mask: None, opcode: Opcode::Text, .. }) => {
                then(Event::Message(Message { kind: Kind::Text, payload }));
                Ok(end)
            }
            _ => {
                let payload = Payload { header, done: 0, offset: self.offset };
                let rest = rest.get(size..).unwrap_or_default();
                Ok(self.payload(payload, rest, breakdown, then)?.saturating_add(size))
            }
        }
    }

    /// Processes a header that is split between pieces.
    #[cold]
    fn split_header(
        &mut self,
        rest: &[u8],
        breakdown: &mut Breakdown,
        then: &mut dyn FnMut(Event<'_>),
    ) -> Result<usize, Error> {
        let known = self.small.bytes().len();
        let offset = self.offset.saturating_sub(known as u64);
        let failed = |kind| Error::new(kind, offset);
        let len = Header::MAX.saturating_sub(known).min(rest.len());
        self.small.append(rest.get(..len).unwrap_or_default());
        let Some((header, size)) = Header::read(self.small.bytes()).map_err(failed)? else {
            return Ok(len);
        };
        self.check(header).map_err(failed)?;
        self.small.clear();
        count_header(header, size, breakdown);
        let taken = size.saturating_sub(known);
        let payload = Payload { header, done: 0, offset };
        let rest = rest.get(taken..).unwrap_or_default();
        Ok(self.payload(payload, rest, breakdown, then)?.saturating_add(taken))
    }

    /// Checks that a frame is allowed at this point, and that its message is not too long.
    #[inline(always)]
    fn check(&self, header: Header) -> Result<(), ErrorKind> {
        if self.side.is_some_and(|side| (side == Side::Client) != header.mask.is_some()) {
            return Err(ErrorKind::WrongMask);
        }
        if header.opcode.is_control() {
            return Ok(());
        }
        match (header.opcode, self.unfinished) {
            (Opcode::Continuation, None) => return Err(ErrorKind::NothingToContinue),
            (Opcode::Text | Opcode::Binary, Some(_)) => return Err(ErrorKind::Unfinished),
            _ => {}
        }
        // The buffer is empty unless a message is unfinished.
        let len = header.len.saturating_add(self.buffer.len() as u64);
        if len > u64::from(self.limits.message) {
            return Err(ErrorKind::TooLong { len, limit: self.limits.message });
        }
        Ok(())
    }

    /// Processes a payload or a part of it. Returns the number of bytes taken from `rest`.
    fn payload(
        &mut self,
        mut payload: Payload,
        rest: &[u8],
        breakdown: &mut Breakdown,
        then: &mut dyn FnMut(Event<'_>),
    ) -> Result<usize, Error> {
        let Payload { header, done, .. } = payload;
        let left = usize::try_from(header.len.saturating_sub(done)).unwrap_or(usize::MAX);
        let part = rest.get(..left).unwrap_or(rest);
        self.append_unmasked(header, done, part);
        payload.done = done.saturating_add(part.len() as u64);
        if payload.done < header.len {
            self.state = State::Payload(payload);
            return Ok(part.len());
        }
        self.state = State::Header;
        if header.opcode.is_control() {
            let control = control(header.opcode, self.small.bytes());
            then(control.map_err(|kind| Error::new(kind, payload.offset))?);
            count_control(header, breakdown);
            self.small.clear();
            if header.opcode == Opcode::Close {
                self.state = State::Closed;
            }
        } else {
            self.end_data_frame(header, then);
        }
        Ok(part.len())
    }

    /// Appends a part of a payload to its buffer, and removes the mask.
    #[allow(clippy::disallowed_methods, reason = "rotates by less than the length of four")]
    fn append_unmasked(&mut self, header: Header, done: u64, part: &[u8]) {
        let fresh = if header.opcode.is_control() {
            let known = self.small.bytes().len();
            self.small.append(part);
            self.small.bytes_mut().get_mut(known..)
        } else {
            let known = self.buffer.len();
            self.reserve(part.len());
            self.buffer.extend_from_slice(part);
            self.buffer.get_mut(known..)
        };
        if let (Some(mut key), Some(fresh)) = (header.mask, fresh) {
            key.rotate_left((done & 3) as usize);
            mask(fresh, key);
        }
    }

    /// Doubles the buffer up to the limit. A `Vec` would double beyond it.
    fn reserve(&mut self, n: usize) {
        let len = self.buffer.len().saturating_add(n);
        if len > self.buffer.capacity() {
            let doubled = len.checked_next_power_of_two().unwrap_or(len);
            let capacity = doubled.min(self.limits.message as usize).max(len);
            self.buffer.reserve_exact(capacity.saturating_sub(self.buffer.len()));
        }
    }

    /// Processes the end of a data frame.
    fn end_data_frame(&mut self, header: Header, then: &mut dyn FnMut(Event<'_>)) {
        let kind = match header.opcode {
            Opcode::Text => Some(Kind::Text),
            Opcode::Binary => Some(Kind::Binary),
            _ => self.unfinished,
        };
        self.unfinished = kind.filter(|_| !header.fin);
        if let (true, Some(kind)) = (header.fin, kind) {
            then(Event::Message(Message { kind, payload: &self.buffer }));
            self.buffer.clear();
        }
    }
}

/// Counts the header of a frame with data.
#[inline(always)]
fn count_header(header: Header, size: usize, breakdown: &mut Breakdown) {
    if !header.opcode.is_control() {
        breakdown.claim(|parts| &mut parts.frame_headers, size);
    }
}

/// Counts a complete control frame with its header, which has no extended length.
fn count_control(header: Header, breakdown: &mut Breakdown) {
    let mask = header.mask.map_or(0, |mask| mask.len());
    let size = (header.len as usize).saturating_add(mask).saturating_add(2);
    match header.opcode {
        Opcode::Close => breakdown.claim(|parts| &mut parts.control, size),
        _ => breakdown.claim(|parts| &mut parts.pings, size),
    }
}

fn control(opcode: Opcode, payload: &[u8]) -> Result<Event<'_>, ErrorKind> {
    match (opcode, payload) {
        (Opcode::Ping, payload) => Ok(Event::Ping(payload)),
        (Opcode::Pong, payload) => Ok(Event::Pong(payload)),
        (_, []) => Ok(Event::Close { code: None, reason: &[] }),
        (_, [_]) => Err(ErrorKind::BadClose),
        (_, [high, low, reason @ ..]) => match u16::from_be_bytes([*high, *low]) {
            code @ (1000..=1003 | 1007..=1014 | 3000..=4999) => {
                Ok(Event::Close { code: Some(code), reason })
            }
            // The status code is reserved, or not allowed in a frame.
            code => Err(ErrorKind::BadCloseCode(code)),
        },
    }
}
