//! WebSocket (RFC 6455): the messages of one direction of a connection.
//!
//! A [`Decoder`] is fed the bytes as they come, in pieces of any size: first the head of
//! the HTTP request or response that turns the connection into a WebSocket, then frames. A
//! message that lies in one frame, unmasked, in one piece is given as it stands there;
//! others are put together and unmasked in one buffer, which is used again.
//!
//! ```
//! use gamewire::transport::websocket::{self, Decoder, Event, Kind};
//!
//! let mut stream = b"GET / HTTP/1.1\r\nHost: a\r\nUpgrade: websocket\r\n\r\n".to_vec();
//! websocket::write(&mut stream, Kind::Binary, b"hello", Some([1, 2, 3, 4]))?;
//!
//! let mut decoder = Decoder::new();
//! let mut messages = 0;
//! for piece in stream.chunks(7) {
//!     decoder.feed(piece, |event| match event {
//!         Event::Upgrade(head) => assert_eq!(head.field("host"), Some(b"a".as_slice())),
//!         Event::Message(message) => {
//!             assert_eq!(message.payload, b"hello");
//!             messages += 1;
//!         }
//!         other => panic!("{other:?}"),
//!     })?;
//! }
//! assert_eq!(messages, 1);
//! # Ok::<(), Box<dyn std::error::Error>>(())
//! ```
//!
//! Nothing here asks who may say what: both sides' frames may be masked or not, the key of
//! the handshake is not checked, nor is text, nor the compression that extensions bring
//! (their bits are an error; Godot offers none).
//!
//! The head needs no HTTP library. Three things are looked for in it, and it is bounded
//! first; `httparse` would need a table of all fields for that, and would start anew with
//! each piece.

mod error;
mod frame;
mod head;

pub use error::{Error, ErrorKind};
pub use frame::{Header, Opcode, mask, write};
pub use head::{Head, Side};

use alloc::vec::Vec;

/// What a [`Decoder`] has to tell.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Event<'a> {
    /// The connection is a WebSocket from here on.
    Upgrade(Head<'a>),
    /// A message, whole.
    Message(Message<'a>),
    /// The other side is to answer with a pong.
    Ping(&'a [u8]),
    /// The answer to a ping.
    Pong(&'a [u8]),
    /// The last frame of this side.
    Close {
        /// Why, by number (RFC 6455, 7.4).
        code: Option<u16>,
        /// Why, in words.
        reason: &'a [u8],
    },
}

/// A message: one frame, or several put together.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Message<'a> {
    /// What it says it is.
    pub kind: Kind,
    /// Its bytes, unmasked.
    pub payload: &'a [u8],
}

/// The kinds of messages.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Kind {
    /// UTF-8 by rights; that is not checked.
    Text,
    /// Anything.
    Binary,
}

/// What a [`Decoder`] allows.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Limits {
    /// The longest head of an HTTP message, in bytes: 16 KiB by default.
    pub head: u32,
    /// The longest message, in bytes: 8 MiB by default, what Godot allows a packet to
    /// encode. A decoder's buffer grows with the bytes that come, to this at the most.
    pub message: u32,
}

impl Default for Limits {
    fn default() -> Self {
        Self { head: 16 << 10, message: 8 << 20 }
    }
}

/// One direction of a WebSocket. See the [module](self).
#[derive(Clone, Debug)]
pub struct Decoder {
    limits: Limits,
    state: State,
    /// How many bytes of the stream were taken.
    offset: u64,
    /// A head that came in part, or a message.
    buffer: Vec<u8>,
    /// Of a message whose last frame is still to come.
    unfinished: Option<Kind>,
    /// The header of a frame that came in part, or the payload of a control frame.
    small: Small,
}

#[derive(Clone, Copy, Debug)]
enum State {
    /// In the HTTP message.
    Head,
    /// In the header of a frame.
    Header,
    Payload(Payload),
    Closed,
    Failed(Error),
}

/// A frame whose payload is being read.
#[derive(Clone, Copy, Debug)]
struct Payload {
    header: Header,
    /// How much of it has come.
    done: u64,
    /// Where the frame starts in the stream.
    offset: u64,
}

impl Default for Decoder {
    fn default() -> Self {
        Self::new()
    }
}

impl Decoder {
    /// At the start of a connection, before the head of the HTTP message.
    pub fn new() -> Self {
        Self {
            limits: Limits::default(),
            state: State::Head,
            offset: 0,
            buffer: Vec::new(),
            unfinished: None,
            small: Small::default(),
        }
    }

    /// At the start of a frame.
    pub fn frames() -> Self {
        Self { state: State::Header, ..Self::new() }
    }

    /// With other limits.
    #[must_use]
    pub fn limits(mut self, limits: Limits) -> Self {
        self.limits = limits;
        self
    }

    /// How many bytes were fed, up to an error.
    pub fn offset(&self) -> u64 {
        self.offset
    }

    /// How many bytes of memory the decoder has allocated.
    pub fn memory(&self) -> usize {
        self.buffer.capacity()
    }

    /// Whether the bytes end where a message does, so that nothing was cut off.
    pub fn is_between_messages(&self) -> bool {
        let between = matches!(self.state, State::Header | State::Closed);
        between && self.small.is_empty() && self.unfinished.is_none()
    }

    /// Forgets everything, and keeps the memory for another connection.
    pub fn reset(&mut self) {
        self.state = State::Head;
        self.offset = 0;
        self.buffer.clear();
        self.unfinished = None;
        self.small.clear();
    }

    /// Takes the next bytes of the stream, and calls `then` with what is in them.
    ///
    /// # Errors
    /// Where the bytes are no WebSocket, or one that breaks its rules, and at what offset
    /// of the stream the frame (or head) is that does. There is no way to go on after
    /// that: the same error comes again.
    pub fn feed(&mut self, piece: &[u8], mut then: impl FnMut(Event<'_>)) -> Result<(), Error> {
        let mut rest = piece;
        while !rest.is_empty() {
            let taken = match self.state {
                State::Header => self.frame(rest, &mut then),
                State::Payload(payload) => self.payload(payload, rest, &mut then),
                State::Head => self.head(rest, &mut then),
                State::Closed => Err(Error::new(ErrorKind::AfterClose, self.offset)),
                State::Failed(error) => return Err(error),
            };
            match taken {
                Ok(taken) => {
                    self.offset = self.offset.saturating_add(taken as u64);
                    rest = rest.get(taken..).unwrap_or_default();
                }
                Err(error) => {
                    self.state = State::Failed(error);
                    return Err(error);
                }
            }
        }
        Ok(())
    }

    /// The head, or a part of it. How many bytes of `rest` were taken.
    fn head(&mut self, rest: &[u8], then: &mut dyn FnMut(Event<'_>)) -> Result<usize, Error> {
        let limit = self.limits.head as usize;
        let known = self.buffer.len();
        let end = if known == 0 {
            head::find_end(rest, 0, limit)
        } else {
            let room = limit.saturating_sub(known).min(rest.len());
            self.buffer.extend_from_slice(rest.get(..room).unwrap_or_default());
            head::find_end(&self.buffer, known, limit)
        };
        let failed = |kind| Error::new(kind, 0);
        let Some(end) = end.map_err(failed)? else {
            if known == 0 {
                self.buffer.extend_from_slice(rest);
            }
            return Ok(rest.len());
        };
        let from = if known == 0 { rest } else { &self.buffer };
        let head = Head::read(from.get(..end).unwrap_or_default()).map_err(failed)?;
        then(Event::Upgrade(head));
        self.buffer.clear();
        self.state = State::Header;
        Ok(end.saturating_sub(known))
    }

    /// A header, and the payload if it need not be copied.
    #[inline(always)]
    fn frame(&mut self, rest: &[u8], then: &mut impl FnMut(Event<'_>)) -> Result<usize, Error> {
        if !self.small.is_empty() {
            return self.split_header(rest, then);
        }
        let failed = |kind| Error::new(kind, self.offset);
        let Some((header, size)) = Header::read(rest).map_err(failed)? else {
            return Ok(self.small.append(rest));
        };
        self.check(header).map_err(failed)?;
        let end = size.saturating_add(usize::try_from(header.len).unwrap_or(usize::MAX));
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
                let behind = rest.get(size..).unwrap_or_default();
                Ok(self.payload(payload, behind, then)?.saturating_add(size))
            }
        }
    }

    /// A header that is split between pieces.
    #[cold]
    fn split_header(
        &mut self,
        rest: &[u8],
        then: &mut dyn FnMut(Event<'_>),
    ) -> Result<usize, Error> {
        let known = self.small.bytes().len();
        let offset = self.offset.saturating_sub(known as u64);
        let failed = |kind| Error::new(kind, offset);
        let room = Header::MAX.saturating_sub(known).min(rest.len());
        self.small.append(rest.get(..room).unwrap_or_default());
        let Some((header, size)) = Header::read(self.small.bytes()).map_err(failed)? else {
            return Ok(room);
        };
        self.check(header).map_err(failed)?;
        self.small.clear();
        let taken = size.saturating_sub(known);
        let payload = Payload { header, done: 0, offset };
        let behind = rest.get(taken..).unwrap_or_default();
        Ok(self.payload(payload, behind, then)?.saturating_add(taken))
    }

    /// Whether the frame may come here and now.
    #[inline(always)]
    fn check(&self, header: Header) -> Result<(), ErrorKind> {
        if header.opcode.is_control() {
            return Ok(());
        }
        match (header.opcode, self.unfinished) {
            (Opcode::Continuation, None) => return Err(ErrorKind::NothingToContinue),
            (Opcode::Text | Opcode::Binary, Some(_)) => return Err(ErrorKind::Unfinished),
            _ => {}
        }
        // (Empty, where no message is begun.)
        let len = header.len.saturating_add(self.buffer.len() as u64);
        if len > u64::from(self.limits.message) {
            return Err(ErrorKind::TooLong { len, limit: self.limits.message });
        }
        Ok(())
    }

    /// The payload, or a part of it.
    fn payload(
        &mut self,
        mut payload: Payload,
        rest: &[u8],
        then: &mut dyn FnMut(Event<'_>),
    ) -> Result<usize, Error> {
        let Payload { header, done, .. } = payload;
        let left = usize::try_from(header.len.saturating_sub(done)).unwrap_or(usize::MAX);
        let part = rest.get(..left).unwrap_or(rest);
        self.keep(header, done, part);
        payload.done = done.saturating_add(part.len() as u64);
        if payload.done < header.len {
            self.state = State::Payload(payload);
            return Ok(part.len());
        }
        self.state = State::Header;
        if header.opcode.is_control() {
            let control = control(header.opcode, self.small.bytes());
            then(control.map_err(|kind| Error::new(kind, payload.offset))?);
            self.small.clear();
            if header.opcode == Opcode::Close {
                self.state = State::Closed;
            }
        } else {
            self.fragment(header, then);
        }
        Ok(part.len())
    }

    /// Appends a part of a payload, unmasked, to what it belongs to.
    #[allow(clippy::disallowed_methods, reason = "by less than four")]
    fn keep(&mut self, header: Header, done: u64, part: &[u8]) {
        let fresh = if header.opcode.is_control() {
            let known = self.small.bytes().len();
            self.small.append(part);
            self.small.bytes_mut().get_mut(known..)
        } else {
            let known = self.buffer.len();
            self.make_room(part.len());
            self.buffer.extend_from_slice(part);
            self.buffer.get_mut(known..)
        };
        if let (Some(mut key), Some(fresh)) = (header.mask, fresh) {
            key.rotate_left((done & 3) as usize);
            mask(fresh, key);
        }
    }

    /// Doubles the buffer, up to the limit: a `Vec` left to itself goes beyond.
    fn make_room(&mut self, n: usize) {
        let len = self.buffer.len().saturating_add(n);
        if len > self.buffer.capacity() {
            let doubled = len.checked_next_power_of_two().unwrap_or(len);
            let capacity = doubled.min(self.limits.message as usize).max(len);
            self.buffer.reserve_exact(capacity.saturating_sub(self.buffer.len()));
        }
    }

    /// The end of a data frame.
    fn fragment(&mut self, header: Header, then: &mut dyn FnMut(Event<'_>)) {
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
            // Not assigned, or not to be sent.
            code => Err(ErrorKind::BadCloseCode(code)),
        },
    }
}

/// At most as many bytes as a control frame may have.
#[derive(Clone, Copy, Debug)]
struct Small {
    bytes: [u8; Header::MAX_CONTROL],
    len: u8,
}

impl Default for Small {
    fn default() -> Self {
        Self { bytes: [0; Header::MAX_CONTROL], len: 0 }
    }
}

impl Small {
    #[inline(always)]
    fn is_empty(&self) -> bool {
        self.len == 0
    }

    fn clear(&mut self) {
        self.len = 0;
    }

    fn bytes(&self) -> &[u8] {
        self.bytes.get(..usize::from(self.len)).unwrap_or_default()
    }

    fn bytes_mut(&mut self) -> &mut [u8] {
        self.bytes.get_mut(..usize::from(self.len)).unwrap_or_default()
    }

    /// How many bytes were appended: all, since no one appends more than fit.
    #[allow(clippy::disallowed_methods, reason = "the place is as long as the bytes")]
    fn append(&mut self, bytes: &[u8]) -> usize {
        let free = self.bytes.get_mut(usize::from(self.len)..).unwrap_or_default();
        if let Some(place) = free.get_mut(..bytes.len()) {
            place.copy_from_slice(bytes);
            self.len = self.len.saturating_add(bytes.len() as u8);
        }
        bytes.len()
    }
}
