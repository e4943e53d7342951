//! One side of a WebSocket.

use super::config::Config;
use super::event::{Closed, Event};
use super::handshake::{self, InvalidRequest, accept_key};
use super::output::Output;
use crate::buffer::{Full, Sink};
use crate::transport::random::Random;
use crate::transport::websocket::decoder::Decoder;
use crate::transport::websocket::error::{Error, ErrorKind};
use crate::transport::websocket::event::{Event as Decoded, Kind, Message};
use crate::transport::websocket::frame::{self, Header, Opcode, mask};
use crate::transport::websocket::head::{Head, Side};
use crate::transport::websocket::small_buffer::SmallBuffer;

/// Maximum size of a control frame in bytes.
const CONTROL_FRAME: usize = Header::MAX_CONTROL + Header::MAX;

/// Maximum length of the explanation in a close frame in bytes.
const REASON: usize = Header::MAX_CONTROL - 2;

/// Bytes of the output that messages do not use: for an answer to a ping, and for a close frame.
const CONTROL_RESERVE: usize = 2 * CONTROL_FRAME;

/// One side of a WebSocket. See the [module documentation](super).
///
/// It allocates its output when it is created, and the memory for messages of the other side when
/// they arrive, up to the [limit](Config::limits).
#[derive(Clone, Debug)]
pub struct Connection {
    decoder: Decoder,
    state: State,
}

/// The reason why a message was not queued.
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
pub enum SendError {
    /// The handshake is not complete, or the connection is closing.
    #[error("the WebSocket is not open")]
    NotOpen,
    /// Too many bytes wait to be sent. See [`Config::output`].
    #[error("too many bytes wait to be sent")]
    Full(Full),
}

/// Everything but the decoder, which calls methods of this.
#[derive(Clone, Debug)]
struct State {
    /// The side that we are.
    side: Side,
    config: Config,
    phase: Phase,
    output: Output,
    random: Random,
    /// A client's key, answered.
    accept: [u8; 28],
    /// Time of the last bytes of the other side.
    heard: u64,
    /// Time of the last ping that we sent.
    pinged: u64,
    /// Offset in the stream of the bytes that are being processed.
    offset: u64,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Phase {
    /// The handshake lasts at most until this time.
    Opening(u64),
    Open,
    /// We have sent a close frame, and wait for that of the other side until this time.
    Closing(u64),
    Closed,
}

impl Connection {
    /// Creates the server's side of a stream that was accepted at `now`.
    pub fn server(config: Config, now: u64) -> Self {
        Self::new(Side::Server, config, now, 0)
    }

    /// Creates the client's side of a new stream, and queues its request for `path` (with the query
    /// if there is one) on `host` (with the port if it is not 80 or 443).
    ///
    /// The key of the handshake and the masks of frames are made from `seed`. It should be
    /// different for each connection. In a program that runs content of others, as a browser does,
    /// it must be unpredictable.
    ///
    /// # Errors
    /// Returns an error if the host or the path cannot stand in an HTTP request.
    pub fn client(
        config: Config,
        now: u64,
        host: &str,
        path: &str,
        seed: u64,
    ) -> Result<Self, InvalidRequest> {
        let mut connection = Self::new(Side::Client, config, now, seed);
        let state = &mut connection.state;
        let key = handshake::key([state.random.next(), state.random.next()]);
        state.accept = accept_key(&key);
        handshake::request(&mut state.output, host, path, &key, config.protocol)?;
        Ok(connection)
    }

    fn new(side: Side, config: Config, now: u64, seed: u64) -> Self {
        let other = match side {
            Side::Client => Side::Server,
            Side::Server => Side::Client,
        };
        let size = (config.output as usize).max(1 << 10).saturating_add(CONTROL_RESERVE);
        let state = State {
            side,
            config,
            phase: Phase::Closed,
            output: Output::new(size),
            random: Random::new(seed),
            accept: [0; 28],
            heard: now,
            pinged: now,
            offset: 0,
        };
        let decoder = Decoder::new().limits(config.limits).side(other);
        let mut connection = Self { decoder, state };
        connection.restart(now);
        connection
    }

    /// Prepares the connection for a new stream. Keeps the allocated memory.
    pub(super) fn restart(&mut self, now: u64) {
        self.decoder.reset();
        self.state.output.clear();
        let until = now.saturating_add(self.state.config.handshake_timeout);
        (self.state.phase, self.state.heard, self.state.pinged) = (Phase::Opening(until), now, now);
    }

    /// Processes bytes of the stream, and calls `each` for each event. Ignores bytes after the end
    /// of the connection. Answers go to the output.
    pub fn receive(&mut self, now: u64, bytes: &[u8], mut each: impl FnMut(Event<'_>)) {
        let state = &mut self.state;
        (state.heard, state.offset) = (now, self.decoder.offset());
        if !state.is_closed()
            && let Err(error) = self.decoder.feed(bytes, |event| state.event(event, &mut each))
            && !state.is_closed()
        {
            state.fail(error, &mut each);
        }
    }

    /// Processes the end of the stream.
    pub fn end(&mut self, mut each: impl FnMut(Event<'_>)) {
        self.state.finish(Closed::Aborted, &mut each);
    }

    /// Ends what has lasted too long, and sends a ping if one is due. Call it at the time of
    /// [`next_timeout`](Self::next_timeout), or at any other time.
    pub fn advance(&mut self, now: u64, mut each: impl FnMut(Event<'_>)) {
        let state = &mut self.state;
        match state.phase {
            Phase::Opening(until) if until <= now => {
                state.finish(Closed::TimedOut, &mut each);
            }
            Phase::Closing(until) if until <= now => {
                state.finish(Closed::ByUs, &mut each);
            }
            Phase::Open if state.silence_ends().is_some_and(|until| until <= now) => {
                state.finish(Closed::TimedOut, &mut each);
            }
            Phase::Open if state.next_ping().is_some_and(|at| at <= now) => {
                state.pinged = now;
                state.put_control(Opcode::Ping, &[]);
            }
            _ => {}
        }
    }

    /// Returns the time at which [`advance`](Self::advance) has something to do.
    pub fn next_timeout(&self) -> Option<u64> {
        let state = &self.state;
        match state.phase {
            Phase::Opening(until) | Phase::Closing(until) => Some(until),
            Phase::Open => [state.silence_ends(), state.next_ping()].into_iter().flatten().min(),
            Phase::Closed => None,
        }
    }

    /// Queues a message.
    ///
    /// # Errors
    /// Returns an error, and queues nothing, if the WebSocket is not open, or if the output has no
    /// room for the message and the header of a frame.
    pub fn send(&mut self, kind: Kind, payload: &[u8]) -> Result<(), SendError> {
        let state = &mut self.state;
        if state.phase != Phase::Open {
            return Err(SendError::NotOpen);
        }
        let size = payload.len().saturating_add(Header::MAX);
        let free = state.output.free().saturating_sub(CONTROL_RESERVE);
        if size > free {
            return Err(SendError::Full(Full::short_of(size, free)));
        }
        let key = state.next_mask();
        frame::write(&mut state.output, kind, payload, key).map_err(SendError::Full)
    }

    /// Closes the WebSocket with a status code (1000 is the normal one) and an explanation, which
    /// is cut to 123 bytes. Has no effect if it is already closing. Messages that are queued are
    /// sent first. [`Event::Closed`] follows when the other side has answered, or at the latest
    /// after [`Config::close_timeout`].
    pub fn close(&mut self, now: u64, code: u16, reason: &str) {
        let state = &mut self.state;
        match state.phase {
            Phase::Open => state.put_close(Some(code), reason.as_bytes()),
            Phase::Opening(_) => {}
            Phase::Closing(_) | Phase::Closed => return,
        }
        state.phase = Phase::Closing(now.saturating_add(state.config.close_timeout));
    }

    /// Returns bytes to write to the stream. After [`sent`](Self::sent), there may be
    /// more.
    pub fn output(&self) -> &[u8] {
        self.state.output.first_part()
    }

    /// Removes the first `n` bytes from the output, because they were written to the stream.
    pub fn sent(&mut self, n: usize) {
        self.state.output.remove(n);
    }

    /// Returns `true` if messages can be sent.
    pub fn is_open(&self) -> bool {
        self.state.phase == Phase::Open
    }

    /// Returns `true` until the handshake is complete.
    pub fn is_opening(&self) -> bool {
        matches!(self.state.phase, Phase::Opening(_))
    }

    /// Returns `true` if the connection has ended and everything was sent, so that the caller can
    /// close the stream.
    pub fn is_finished(&self) -> bool {
        self.state.is_closed() && self.state.output.is_empty()
    }

    /// Returns the allocated memory in bytes.
    pub fn memory(&self) -> usize {
        self.decoder.memory().saturating_add(self.state.output.memory())
    }
}

impl State {
    fn is_closed(&self) -> bool {
        self.phase == Phase::Closed
    }

    /// Processes an event of the decoder.
    fn event(&mut self, event: Decoded<'_>, each: &mut dyn FnMut(Event<'_>)) {
        match (event, self.phase) {
            (_, Phase::Closed) => {}
            (Decoded::Upgrade(head), Phase::Opening(_)) => self.open(head, each),
            (Decoded::Message(message), Phase::Open) => self.message(message, each),
            (Decoded::Ping(payload), Phase::Open) => self.answer_ping(payload),
            (Decoded::Close { code, reason }, phase) => {
                let closed = match phase {
                    Phase::Closing(_) => Closed::ByUs,
                    _ => {
                        // The answer has the same status code (RFC 6455, 5.5.1).
                        self.put_close(code, &[]);
                        Closed::ByPeer { code, reason }
                    }
                };
                self.finish(closed, each);
            }
            // After our close frame, nothing but the answer to it matters.
            _ => {}
        }
    }

    /// Completes the handshake, if the head has what it must have.
    fn open(&mut self, head: Head<'_>, each: &mut dyn FnMut(Event<'_>)) {
        let is_valid = match self.side {
            Side::Server => match handshake::check_request(&head) {
                Ok(key) => {
                    handshake::respond(&mut self.output, &head, key, self.config.protocol);
                    true
                }
                Err(refusal) => {
                    handshake::refuse(&mut self.output, refusal);
                    false
                }
            },
            Side::Client => handshake::check_response(&head, &self.accept, self.config.protocol),
        };
        if is_valid {
            self.phase = Phase::Open;
            each(Event::Opened(head));
        } else {
            self.finish(Closed::BadHandshake, each);
        }
    }

    fn message(&mut self, message: Message<'_>, each: &mut dyn FnMut(Event<'_>)) {
        if message.kind == Kind::Text && str::from_utf8(message.payload).is_err() {
            self.fail(Error::new(ErrorKind::NotUtf8, self.offset), each);
        } else {
            each(Event::Message(message));
        }
    }

    /// Tells the other side that it violated the protocol, and ends the connection.
    fn fail(&mut self, error: Error, each: &mut dyn FnMut(Event<'_>)) {
        match (self.phase, self.side) {
            (Phase::Opening(_), Side::Server) => {
                handshake::refuse(&mut self.output, handshake::Refusal::BadRequest);
            }
            (Phase::Open, _) => self.put_close(Some(status_of(error.kind())), &[]),
            _ => {}
        }
        self.finish(Closed::Failed(error), each);
    }

    fn finish(&mut self, closed: Closed<'_>, each: &mut dyn FnMut(Event<'_>)) {
        if !self.is_closed() {
            self.phase = Phase::Closed;
            each(Event::Closed(closed));
        }
    }

    /// Answers a ping, unless the other side sends pings without reading our answers: one answer
    /// is then enough (RFC 6455, 5.5.3).
    fn answer_ping(&mut self, payload: &[u8]) {
        if self.output.free() >= CONTROL_RESERVE {
            self.put_control(Opcode::Pong, payload);
        }
    }

    /// Queues a close frame. The explanation is cut if it is too long.
    fn put_close(&mut self, code: Option<u16>, reason: &[u8]) {
        let mut payload = SmallBuffer::default();
        if let Some(code) = code {
            payload.append(&code.to_be_bytes());
            payload.append(reason.get(..REASON).unwrap_or(reason));
        }
        self.put_control(Opcode::Close, payload.bytes());
    }

    /// Queues a control frame, if there is room. There is always room for a close frame, because
    /// messages and answers to pings leave some.
    fn put_control(&mut self, opcode: Opcode, payload: &[u8]) {
        let key = self.next_mask();
        let header = Header { fin: true, opcode, mask: key, len: payload.len() as u64 };
        if self.output.free() < CONTROL_FRAME || header.write(&mut self.output).is_err() {
            return;
        }
        let mut masked = SmallBuffer::default();
        masked.append(payload);
        mask(masked.bytes_mut(), key.unwrap_or_default());
        self.output.put(masked.bytes());
    }

    /// Returns a mask for the next frame. Only clients mask.
    fn next_mask(&mut self) -> Option<[u8; 4]> {
        let random = self.random.next();
        (self.side == Side::Client).then(|| ((random >> 32) as u32).to_ne_bytes())
    }

    fn silence_ends(&self) -> Option<u64> {
        let timeout = self.config.silence_timeout;
        (timeout != 0).then(|| self.heard.saturating_add(timeout))
    }

    fn next_ping(&self) -> Option<u64> {
        let interval = self.config.ping_interval;
        (interval != 0).then(|| self.heard.max(self.pinged).saturating_add(interval))
    }
}

/// Returns the status code for a violation of the protocol (RFC 6455, section 7.4.1).
fn status_of(kind: &ErrorKind) -> u16 {
    match kind {
        ErrorKind::NotUtf8 => 1007,
        ErrorKind::TooLong { .. } => 1009,
        _ => 1002,
    }
}
