//! What goes over TCP: a WebSocket, or values behind their lengths.

use super::envelope::Envelope;
use super::frames::Frames;
use super::peers::Peers;
use super::record::{Content, Control, Record, Transport};
use super::websocket::Messages;
use super::{Options, Place};
use crate::transport::tcp::{self, Segment, Stream};
use alloc::boxed::Box;
use alloc::vec::Vec;

/// Both directions of a TCP connection.
#[derive(Debug)]
pub(super) struct TcpFlow {
    /// By the side that sends.
    directions: [Direction; 2],
    peers: Peers,
}

#[derive(Debug)]
struct Direction {
    stream: Stream,
    content: Inside,
}

/// What is in a stream.
#[derive(Debug)]
enum Inside {
    /// Nothing that was recognised came yet.
    Unknown {
        /// In how many more pieces it is looked for: what a game sends in one piece mostly
        /// begins where a frame does.
        tries: u8,
        /// The first bytes, where they are too few.
        begun: Vec<u8>,
    },
    WebSocket(Box<Messages>),
    Frames(Box<Frames>),
    /// Nothing of a game's.
    Other,
}

impl Default for Inside {
    fn default() -> Self {
        Self::Unknown { tries: u8::MAX, begun: Vec::new() }
    }
}

/// How many bytes it takes to recognise a WebSocket, and a frame: a length and a value's
/// header.
const ENOUGH: usize = 4;
const ENOUGH_FOR_FRAMES: usize = 8;

impl TcpFlow {
    pub(super) fn new(options: &Options) -> Self {
        let directions = [options.limits.tcp; 2].map(|limits| Direction {
            stream: Stream::new().limits(limits),
            content: Inside::default(),
        });
        Self { directions, peers: Peers::new(options) }
    }

    pub(super) fn memory(&self) -> usize {
        let directions = self.directions.iter().map(Direction::memory);
        directions.fold(self.peers.paths.memory(), usize::saturating_add)
    }

    pub(super) fn forget(&mut self, options: &Options) {
        *self = Self::new(options);
    }

    /// How many bytes more it may keep now.
    #[inline]
    pub(super) fn segment(
        &mut self,
        place: &Place<'_>,
        segment: Segment<'_>,
        listener: &mut impl FnMut(&Record<'_>),
    ) -> usize {
        let (Direction { stream, content }, peers) = self.of(place);
        let window = stream.memory();
        stream.feed(segment, |event| content.heard(peers, place, event, listener));
        // (One byte that comes early may open a window for all that is missing before it.)
        stream.memory().saturating_sub(window).saturating_add(segment.payload.len())
    }

    /// What waits for bytes that will not come.
    pub(super) fn finish(&mut self, place: &Place<'_>, listener: &mut impl FnMut(&Record<'_>)) {
        let (Direction { stream, content }, peers) = self.of(place);
        stream.flush(|event| content.heard(peers, place, event, listener));
    }

    #[inline(always)]
    fn of(&mut self, place: &Place<'_>) -> (&mut Direction, &mut Peers) {
        let Self { directions: [low, high], peers } = self;
        (if place.side { high } else { low }, peers)
    }
}

impl Direction {
    fn memory(&self) -> usize {
        let content = match &self.content {
            Inside::WebSocket(messages) => messages.memory(),
            Inside::Frames(frames) => frames.memory(),
            Inside::Unknown { begun, .. } => begun.capacity(),
            Inside::Other => 0,
        };
        self.stream.memory().saturating_add(content)
    }
}

impl Inside {
    fn heard(
        &mut self,
        peers: &mut Peers,
        place: &Place<'_>,
        event: tcp::Event<'_>,
        listener: &mut impl FnMut(&Record<'_>),
    ) {
        match event {
            tcp::Event::Bytes(bytes) => self.bytes(peers, place, bytes, listener),
            tcp::Event::Start { whole } => {
                // (From the middle, the other direction may have told something already.)
                if whole {
                    peers.reset(place.options);
                }
                *self = Self::default();
            }
            tcp::Event::Gap { .. } => {
                let transport = match self {
                    Self::Unknown { begun, .. } => return begun.clear(),
                    Self::Other => return,
                    Self::WebSocket(_) => Transport::WebSocket,
                    Self::Frames(_) => Transport::Tcp,
                };
                // Where the next frame starts has to be found again.
                *self = Self::default();
                let envelope = Envelope::new(place, transport);
                listener(&envelope.record(Content::Control(Control::Lost), &[]));
            }
            // What was begun will not be ended.
            tcp::Event::End | tcp::Event::Reset => *self = Self::Other,
        }
    }

    fn bytes(
        &mut self,
        peers: &mut Peers,
        place: &Place<'_>,
        bytes: &[u8],
        listener: &mut impl FnMut(&Record<'_>),
    ) {
        let whole = match self {
            Self::WebSocket(messages) => messages.bytes(peers, place, bytes, listener),
            Self::Frames(frames) => frames.bytes(place, bytes, listener),
            Self::Other => true,
            Self::Unknown { .. } => {
                return match self.recognise(peers, place, bytes) {
                    Some(begun) if begun.is_empty() => self.bytes(peers, place, bytes, listener),
                    Some(begun) => self.bytes(peers, place, &begun, listener),
                    None => {}
                };
            }
        };
        if !whole {
            *self = Self::Other; // where it would go on is not known
        }
    }

    /// Looks at the first bytes. If they are recognised (or given up), tells which they are,
    /// where they came in pieces.
    #[cold]
    fn recognise(&mut self, peers: &mut Peers, place: &Place<'_>, bytes: &[u8]) -> Option<Vec<u8>> {
        let Self::Unknown { tries, begun } = self else { return None };
        let mut begun = core::mem::take(begun);
        let short = |bytes: &[u8]| bytes.len() < ENOUGH || Messages::is_bare_header(bytes);
        if !begun.is_empty() || short(bytes) {
            begun.extend_from_slice(bytes);
        }
        let all = if begun.is_empty() { bytes } else { &begun };
        if short(all) {
            *self = Self::Unknown { tries: *tries, begun };
            return None;
        }
        *self = if let Some(messages) = Messages::recognise(all, peers, place) {
            Self::WebSocket(Box::new(messages))
        } else if all.len() < ENOUGH_FOR_FRAMES {
            let begun = if begun.is_empty() { bytes.to_vec() } else { begun };
            *self = Self::Unknown { tries: *tries, begun };
            return None;
        } else if let Some(frames) = Frames::recognise(all, place) {
            Self::Frames(Box::new(frames))
        } else if let Some(tries) = tries.checked_sub(1) {
            *self = Self::Unknown { tries, begun: Vec::new() };
            return None;
        } else {
            Self::Other
        };
        Some(begun)
    }
}
