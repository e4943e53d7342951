//! Decodes one direction of a TCP connection: detects its protocol, and reports or counts the bytes
//! that belong to no known protocol.

#[cfg(feature = "serde")]
pub(super) mod state;

use super::builder::RecordBuilder;
use super::context::Context;
use super::encryption::{self, Encryption};
use super::frames::Frames;
use super::options::Options;
use super::other::Unread;
use super::peers::Peers;
use super::record::{Content, Control, Record, Transport};
use super::websocket::Messages;
use crate::transport::Breakdown;
use crate::transport::tcp::Event;
use alloc::boxed::Box;
use alloc::vec::Vec;
use std::borrow::Cow;

/// The connection of a stream, and the segment being processed.
pub(super) struct Connection<'c> {
    pub peers: &'c mut Peers,
    pub unread: &'c mut Unread,
    pub breakdown: &'c mut Breakdown,
    pub context: &'c Context<'c>,
}

#[derive(Clone, Debug, Default)]
pub(super) struct StreamContent {
    protocol: Protocol,
    /// Offset of the next byte in the stream.
    offset: u64,
    /// The last bytes before `offset` that are in no record yet: bytes of an unknown protocol, or
    /// an incomplete HTTP head. They are reported if the next bytes turn out to belong to a game.
    /// Until then, they are included in [`Unread::bytes`].
    held: Vec<u8>,
}

/// The protocol in a stream.
#[derive(Clone, Debug)]
enum Protocol {
    /// Not detected yet.
    Unknown {
        /// Number of further segments to examine. Most segments start with a frame, so the protocol
        /// can be detected at any segment.
        tries: u8,
        /// Number of bytes at the end of [`StreamContent::held`] that were too few to decide.
        undecided: usize,
    },
    WebSocket(Box<Messages>),
    Frames(Box<Frames>),
    Tls,
    /// Not recognised, or no longer decodable.
    Other,
}

impl Default for Protocol {
    fn default() -> Self {
        Self::Unknown { tries: u8::MAX, undecided: 0 }
    }
}

/// The result of an attempt to detect the protocol.
enum Detected {
    Protocol(Protocol),
    /// More bytes are needed.
    Undecided,
    Nothing,
}

/// Bytes needed to detect a WebSocket.
const MIN_WEBSOCKET: usize = 4;
/// Bytes needed to detect a frame: its length, and the header of the value.
const MIN_FRAME: usize = 8;
/// Maximum length of [`StreamContent::held`]. Older bytes are not reported, only counted.
const MAX_HELD: usize = 4096;

impl StreamContent {
    pub(super) fn memory(&self) -> usize {
        let protocol = match &self.protocol {
            Protocol::WebSocket(messages) => messages.memory(),
            Protocol::Frames(frames) => frames.memory(),
            Protocol::Unknown { .. } | Protocol::Tls | Protocol::Other => 0,
        };
        self.held.capacity().saturating_add(protocol)
    }

    /// Returns the number of bytes that are in no record yet, but may still be reported.
    pub(super) fn held(&self) -> usize {
        self.held.len()
    }

    /// Processes an event of the stream.
    #[inline]
    pub(super) fn event(
        &mut self,
        connection: &mut Connection<'_>,
        event: Event<'_>,
        listener: &mut impl FnMut(&Record<'_>),
    ) {
        match event {
            Event::Bytes(bytes) => self.bytes(connection, bytes, listener),
            Event::Start { whole } => {
                self.give_up(connection, listener);
                // If the stream starts in the middle of the connection, the other direction may
                // already have provided some state, which is kept.
                if whole {
                    connection.peers.reset(connection.context.options);
                    connection.unread.is_game = false;
                }
                *self = Self::default();
            }
            Event::Gap { bytes } => self.gap(connection, bytes, listener),
            Event::End | Event::Reset => {
                self.give_up(connection, listener);
                self.protocol = Protocol::Other;
            }
        }
    }

    fn gap(
        &mut self,
        connection: &mut Connection<'_>,
        bytes: u32,
        listener: &mut impl FnMut(&Record<'_>),
    ) {
        self.give_up(connection, listener);
        self.offset = self.offset.saturating_add(bytes.into());
        let transport = match &mut self.protocol {
            Protocol::Unknown { undecided, .. } => {
                *undecided = 0;
                connection.unread.is_game.then_some(Transport::Tcp)
            }
            Protocol::Other => connection.unread.is_game.then_some(Transport::Tcp),
            Protocol::Tls => None,
            // After a gap, the start of the next frame must be detected again.
            Protocol::WebSocket(_) => {
                self.protocol = Protocol::default();
                Some(Transport::WebSocket)
            }
            Protocol::Frames(_) => {
                self.protocol = Protocol::default();
                Some(Transport::Tcp)
            }
        };
        if let Some(transport) = transport {
            let builder = RecordBuilder::new(connection.context, transport);
            listener(&builder.record(Content::Control(Control::Lost), &[]));
        }
    }

    fn bytes(
        &mut self,
        connection: &mut Connection<'_>,
        bytes: &[u8],
        listener: &mut impl FnMut(&Record<'_>),
    ) {
        let Connection { peers, context, breakdown, .. } = connection;
        match &mut self.protocol {
            Protocol::Unknown { tries, undecided } => {
                let (tries, undecided) = (*tries, *undecided);
                return self.detect(connection, tries, undecided, bytes, listener);
            }
            Protocol::WebSocket(messages) if messages.is_upgraded() => {
                if !messages.feed(peers, context, bytes, breakdown, listener) {
                    self.protocol = Protocol::Other;
                }
            }
            Protocol::WebSocket(_) => self.http_head(connection, bytes, listener),
            Protocol::Frames(frames) => {
                if !frames.feed(context, self.offset, bytes, breakdown, listener) {
                    self.protocol = Protocol::Other;
                }
            }
            Protocol::Tls => {
                let builder = RecordBuilder::new(context, Transport::Tcp);
                listener(&builder.record(Content::Encrypted(Encryption::Tls), bytes));
            }
            Protocol::Other => self.unread(connection, bytes, listener),
        }
        self.offset = self.offset.saturating_add(bytes.len() as u64);
    }

    /// Detects the protocol from the first bytes of a segment, and processes them.
    #[cold]
    fn detect(
        &mut self,
        connection: &mut Connection<'_>,
        tries: u8,
        undecided: usize,
        bytes: &[u8],
        listener: &mut impl FnMut(&Record<'_>),
    ) {
        let known = self.held.len().saturating_sub(undecided);
        let all = match self.held.get(known..) {
            None | Some([]) => Cow::Borrowed(bytes),
            Some(undecided) => Cow::Owned([undecided, bytes].concat()),
        };
        match protocol(&all, connection) {
            Detected::Protocol(protocol) => {
                connection.unread.is_game |= matches!(protocol, Protocol::Frames(_))
                    || matches!(&protocol, Protocol::WebSocket(it) if it.is_upgraded());
                self.protocol = protocol;
                self.held.truncate(known);
                connection.unread.remove(undecided);
                self.offset = self.offset.saturating_sub(undecided as u64);
                self.report_held(connection, listener);
                return self.bytes(connection, &all, listener);
            }
            Detected::Undecided => {
                self.hold(connection, bytes);
                let undecided = undecided.saturating_add(bytes.len());
                self.protocol = Protocol::Unknown { tries, undecided };
            }
            Detected::Nothing => {
                connection.unread.search(&all, connection.context.options);
                self.protocol = match tries.checked_sub(1) {
                    Some(tries) => Protocol::Unknown { tries, undecided: 0 },
                    None => Protocol::Other,
                };
                self.unread(connection, bytes, listener);
            }
        }
        self.offset = self.offset.saturating_add(bytes.len() as u64);
    }

    /// Processes a part of an HTTP head, which may turn out not to be that of a WebSocket.
    fn http_head(
        &mut self,
        connection: &mut Connection<'_>,
        bytes: &[u8],
        listener: &mut impl FnMut(&Record<'_>),
    ) {
        let Protocol::WebSocket(messages) = &mut self.protocol else { return };
        let Connection { peers, context, breakdown, .. } = connection;
        let fed = messages.feed(peers, context, bytes, breakdown, listener);
        if messages.is_upgraded() {
            connection.unread.is_game = true;
            connection.unread.remove(self.held.len()); // the record of the head accounts for them
            self.held = Vec::new();
        } else if fed {
            self.hold(connection, bytes);
        } else {
            self.unread(connection, bytes, listener);
        }
        if !fed {
            self.protocol = Protocol::Other;
        }
    }

    /// Reports, counts or holds the next bytes, which belong to no known protocol.
    fn unread(
        &mut self,
        connection: &mut Connection<'_>,
        bytes: &[u8],
        listener: &mut impl FnMut(&Record<'_>),
    ) {
        if connection.are_reported() {
            self.report_held(connection, listener);
            connection.report(bytes, self.offset, listener);
        } else if matches!(self.protocol, Protocol::Other) {
            connection.unread.add(bytes.len());
            connection.count_other(bytes.len());
            self.drop_held(connection);
        } else {
            self.hold(connection, bytes);
        }
    }

    /// Holds bytes until the next bytes decide whether they are reported.
    fn hold(&mut self, connection: &mut Connection<'_>, bytes: &[u8]) {
        connection.unread.add(bytes.len());
        if self.held.len().saturating_add(bytes.len()) > MAX_HELD {
            self.drop_held(connection);
        }
        match bytes.len() {
            ..=MAX_HELD => self.held.extend_from_slice(bytes),
            len => connection.count_other(len),
        }
    }

    /// Drops the held bytes, and counts them as bytes that will never be in a record.
    fn drop_held(&mut self, connection: &mut Connection<'_>) {
        connection.count_other(self.held.len());
        self.held = Vec::new();
    }

    /// Reports the held bytes if bytes of unknown protocols are reported.
    fn report_held(
        &mut self,
        connection: &mut Connection<'_>,
        listener: &mut impl FnMut(&Record<'_>),
    ) {
        if !self.held.is_empty() && connection.are_reported() {
            let held = core::mem::take(&mut self.held);
            connection.unread.remove(held.len());
            let offset = self.offset.saturating_sub(held.len() as u64);
            connection.report(&held, offset, listener);
        }
    }

    /// Returns `true` if bytes wait for further bytes.
    pub(super) fn is_waiting(&self) -> bool {
        let in_message = match &self.protocol {
            Protocol::WebSocket(messages) => messages.is_waiting(),
            Protocol::Frames(frames) => frames.is_waiting(),
            Protocol::Unknown { .. } | Protocol::Tls | Protocol::Other => false,
        };
        in_message || !self.held.is_empty()
    }

    /// Ends the stream: reports or counts the bytes that were waiting for later bytes.
    pub(super) fn give_up(
        &mut self,
        connection: &mut Connection<'_>,
        listener: &mut impl FnMut(&Record<'_>),
    ) {
        match &mut self.protocol {
            Protocol::WebSocket(messages) => {
                messages.give_up(connection.peers, connection.context, listener);
            }
            Protocol::Frames(frames) => frames.give_up(connection.context, self.offset, listener),
            Protocol::Unknown { .. } | Protocol::Tls | Protocol::Other => {}
        }
        self.report_held(connection, listener);
        self.drop_held(connection);
    }
}

impl Connection<'_> {
    /// Returns `true` if bytes that belong to no known protocol are reported.
    fn are_reported(&self) -> bool {
        let Options { other_protocols, .. } = *self.context.options;
        self.unread.is_game || other_protocols
    }

    /// Counts bytes that will never be in a record.
    fn count_other(&mut self, bytes: usize) {
        if bytes > 0 {
            self.breakdown.claim(|parts| &mut parts.unrecognised, bytes);
        }
    }

    fn report(&self, bytes: &[u8], offset: u64, listener: &mut impl FnMut(&Record<'_>)) {
        let builder = RecordBuilder::new(self.context, Transport::Tcp);
        listener(&builder.record(Content::Bytes { offset: Some(offset) }, bytes));
    }
}

/// Detects the protocol from the first bytes of a segment.
fn protocol(bytes: &[u8], connection: &mut Connection<'_>) -> Detected {
    let Connection { peers, context, .. } = connection;
    if bytes.len() < MIN_WEBSOCKET || Messages::is_bare_header(bytes) {
        return Detected::Undecided;
    }
    if let Some(messages) = Messages::detect(bytes, peers, context) {
        return Detected::Protocol(Protocol::WebSocket(Box::new(messages)));
    }
    if bytes.len() >= encryption::MIN_TLS && encryption::is_tls(bytes) {
        return Detected::Protocol(Protocol::Tls);
    }
    if bytes.len() < MIN_FRAME {
        return Detected::Undecided;
    }
    match Frames::detect(bytes, context) {
        Some(frames) => Detected::Protocol(Protocol::Frames(Box::new(frames))),
        None => Detected::Nothing,
    }
}
