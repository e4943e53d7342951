//! Conversations over TCP: a WebSocket, or length-prefixed values.

use super::builder::RecordBuilder;
use super::context::Context;
use super::frames::Frames;
use super::options::Options;
use super::peers::Peers;
use super::record::{Content, Control, Record, Transport};
use super::websocket::Messages;
use crate::transport::Breakdown;
use crate::transport::tcp::{self, Novelty, Segment, Stream};
use alloc::boxed::Box;
use alloc::vec::Vec;

/// Both directions of a TCP connection.
#[derive(Debug)]
pub(super) struct TcpFlow {
    /// Indexed by the side of the sender.
    directions: [Direction; 2],
    peers: Peers,
}

#[derive(Debug)]
struct Direction {
    stream: Stream,
    protocol: Protocol,
}

/// The protocol in a stream.
#[derive(Debug)]
enum Protocol {
    /// Not detected yet.
    Unknown {
        /// Number of further segments to examine. Most segments start with a frame, so the protocol
        /// can be detected at any segment.
        tries: u8,
        /// The first bytes, if they are too few to decide.
        pending: Vec<u8>,
    },
    WebSocket(Box<Messages>),
    Frames(Box<Frames>),
    /// Not the traffic of a game, or no longer decodable.
    Other,
}

impl Default for Protocol {
    fn default() -> Self {
        Self::Unknown { tries: u8::MAX, pending: Vec::new() }
    }
}

/// Bytes needed to detect a WebSocket.
const MIN_WEBSOCKET: usize = 4;
/// Bytes needed to detect a frame: its length, and the header of the value.
const MIN_FRAME: usize = 8;

impl TcpFlow {
    pub(super) fn new(options: &Options) -> Self {
        let directions = [options.limits.tcp; 2].map(|limits| Direction {
            stream: Stream::new().limits(limits),
            protocol: Protocol::default(),
        });
        Self { directions, peers: Peers::new(options) }
    }

    pub(super) fn memory(&self) -> usize {
        let directions = self.directions.iter().map(Direction::memory);
        directions.fold(self.peers.paths.memory(), usize::saturating_add)
    }

    pub(super) fn reset(&mut self, options: &Options) {
        *self = Self::new(options);
    }

    /// Processes a segment. Returns an upper bound of the growth in memory.
    #[inline]
    pub(super) fn segment(
        &mut self,
        context: &Context<'_>,
        segment: Segment<'_>,
        breakdown: &mut Breakdown,
        listener: &mut impl FnMut(&Record<'_>),
    ) -> usize {
        let (Direction { stream, protocol }, peers) = self.direction(context);
        let window = stream.memory();
        let Novelty { new, repeated } = stream
            .feed(segment, |event| protocol.event(peers, context, event, breakdown, listener));
        count_segment(segment.payload.len(), new, repeated, breakdown);
        // A single byte that arrives early can allocate a window for all bytes missing before it.
        stream.memory().saturating_sub(window).saturating_add(segment.payload.len())
    }

    /// Reports packets that wait for missing bytes.
    pub(super) fn finish(
        &mut self,
        context: &Context<'_>,
        breakdown: &mut Breakdown,
        listener: &mut impl FnMut(&Record<'_>),
    ) {
        let (Direction { stream, protocol }, peers) = self.direction(context);
        stream.flush(|event| protocol.event(peers, context, event, breakdown, listener));
    }

    #[inline(always)]
    fn direction(&mut self, context: &Context<'_>) -> (&mut Direction, &mut Peers) {
        let Self { directions: [low, high], peers } = self;
        (if context.side { high } else { low }, peers)
    }
}

/// Counts the payload of a segment, of which the stream has processed or stored `new` bytes.
#[inline(always)]
fn count_segment(len: usize, new: usize, repeated: usize, breakdown: &mut Breakdown) {
    if new > 0 {
        breakdown.accepted.add(new);
    }
    if new < len {
        count_old(len.wrapping_sub(new), repeated, breakdown);
    }
}

#[cold]
fn count_old(old: usize, repeated: usize, breakdown: &mut Breakdown) {
    if repeated > 0 {
        breakdown.repeated.add(repeated);
    }
    if repeated < old {
        breakdown.outside.add(old.wrapping_sub(repeated));
    }
}

impl Direction {
    fn memory(&self) -> usize {
        let protocol = match &self.protocol {
            Protocol::WebSocket(messages) => messages.memory(),
            Protocol::Frames(frames) => frames.memory(),
            Protocol::Unknown { pending, .. } => pending.capacity(),
            Protocol::Other => 0,
        };
        self.stream.memory().saturating_add(protocol)
    }
}

impl Protocol {
    fn event(
        &mut self,
        peers: &mut Peers,
        context: &Context<'_>,
        event: tcp::Event<'_>,
        breakdown: &mut Breakdown,
        listener: &mut impl FnMut(&Record<'_>),
    ) {
        match event {
            tcp::Event::Bytes(bytes) => self.bytes(peers, context, bytes, breakdown, listener),
            tcp::Event::Start { whole } => {
                // If the stream starts in the middle of the connection, the other direction may
                // already have provided some state, which is kept.
                if whole {
                    peers.reset(context.options);
                }
                *self = Self::default();
            }
            tcp::Event::Gap { .. } => {
                let transport = match self {
                    Self::Unknown { pending, .. } => return pending.clear(),
                    Self::Other => return,
                    Self::WebSocket(_) => Transport::WebSocket,
                    Self::Frames(_) => Transport::Tcp,
                };
                // The start of the next frame has to be detected again.
                *self = Self::default();
                let builder = RecordBuilder::new(context, transport);
                listener(&builder.record(Content::Control(Control::Lost), &[]));
            }
            // If a frame is incomplete at the end of the stream, nothing is reported for it.
            tcp::Event::End | tcp::Event::Reset => *self = Self::Other,
        }
    }

    fn bytes(
        &mut self,
        peers: &mut Peers,
        context: &Context<'_>,
        bytes: &[u8],
        breakdown: &mut Breakdown,
        listener: &mut impl FnMut(&Record<'_>),
    ) {
        let ok = match self {
            Self::WebSocket(messages) => messages.feed(peers, context, bytes, breakdown, listener),
            Self::Frames(frames) => frames.feed(context, bytes, breakdown, listener),
            Self::Other => {
                breakdown.claim(|parts| &mut parts.unrecognised, bytes.len());
                true
            }
            Self::Unknown { .. } => {
                return match self.detect(peers, context, bytes, breakdown) {
                    Some(pending) if pending.is_empty() => {
                        self.bytes(peers, context, bytes, breakdown, listener)
                    }
                    Some(pending) => self.bytes(peers, context, &pending, breakdown, listener),
                    None => {}
                };
            }
        };
        if !ok {
            *self = Self::Other;
        }
    }

    /// Detects the protocol from the first bytes. Returns `None` if the protocol is still unknown,
    /// and more bytes or the next segment have to be examined. Otherwise returns the pending bytes
    /// of earlier segments followed by `bytes`, or an empty vector if there are no pending bytes.
    #[cold]
    fn detect(
        &mut self,
        peers: &mut Peers,
        context: &Context<'_>,
        bytes: &[u8],
        breakdown: &mut Breakdown,
    ) -> Option<Vec<u8>> {
        let Self::Unknown { tries, pending } = self else { return None };
        let mut pending = core::mem::take(pending);
        let short = |bytes: &[u8]| bytes.len() < MIN_WEBSOCKET || Messages::is_bare_header(bytes);
        if !pending.is_empty() || short(bytes) {
            pending.extend_from_slice(bytes);
        }
        let all = if pending.is_empty() { bytes } else { &pending };
        if short(all) {
            *self = Self::Unknown { tries: *tries, pending };
            return None;
        }
        *self = if let Some(messages) = Messages::detect(all, peers, context) {
            Self::WebSocket(Box::new(messages))
        } else if all.len() < MIN_FRAME {
            let pending = if pending.is_empty() { bytes.to_vec() } else { pending };
            *self = Self::Unknown { tries: *tries, pending };
            return None;
        } else if let Some(frames) = Frames::detect(all, context) {
            Self::Frames(Box::new(frames))
        } else if let Some(tries) = tries.checked_sub(1) {
            breakdown.claim(|parts| &mut parts.unrecognised, all.len());
            *self = Self::Unknown { tries, pending: Vec::new() };
            return None;
        } else {
            Self::Other
        };
        Some(pending)
    }
}
