//! Conversations of games: from captured segments to the packets that were sent, with what
//! earlier packets told about them.
//!
//! [`Conversations`] keeps for each pair of addresses which transport it is and which
//! engine, puts datagrams and streams in order, and remembers which numbers stand for
//! which nodes. Each packet is told of as a [`Record`], which borrows from the capture.
//!
//! What it keeps is bounded, see [`Limits`]: a flood makes it forget, and not grow.

mod envelope;
mod flows;
mod frames;
pub mod methods;
mod multiplayer;
mod paths;
mod peers;
mod record;
mod tcp;
mod udp;
mod values;
mod websocket;

pub use record::{
    Content, Control, Delivery, Engine, Node, NodeState, Reason, Record, RecordKind, Transport,
};

use crate::capture::{self, Segment};
use crate::transport::enet::{self, RangeCoder};
use crate::transport::tcp as stream;
use core::net::SocketAddr;
use flows::{Flows, Kind};

/// What is known of the traffic beforehand, and how much is kept.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
#[non_exhaustive]
pub struct Options {
    /// Whose packets these are; otherwise it is found out.
    pub engine: Option<Engine>,
    /// The only port to look at.
    pub port: Option<u16>,
    /// What is kept.
    pub limits: Limits,
}

/// How much [`Conversations`] keep.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Limits {
    /// How many pairs of addresses: 1024 by default. Another one takes the place of one
    /// that was silent for long.
    pub flows: usize,
    /// How many bytes for all of them: 64 MiB by default. Beyond it, the pair for which
    /// most is kept is forgotten. (It is counted whenever a pair may keep another KiB, so
    /// for each pair there may be some KiB more.)
    pub memory: usize,
    /// For each direction of an ENet connection: by default 1 MiB that waits for what is
    /// missing.
    pub enet: enet::Limits,
    /// For each direction of a TCP connection: [`stream::Limits::default`].
    pub tcp: stream::Limits,
    /// Bytes of the longest message of a WebSocket, or value in a TCP stream: by default
    /// 8 MiB. One that comes in several segments is kept until it is whole.
    pub message: u32,
}

impl Default for Limits {
    fn default() -> Self {
        let enet = enet::Limits { buffered: 1 << 20, waiting: 1024, packet: 1 << 20 };
        let tcp = stream::Limits::default();
        Self { flows: 1024, memory: 64 << 20, enet, tcp, message: 8 << 20 }
    }
}

/// All conversations of a capture.
///
/// ```
/// use gamewire::capture::{Segment, Transport};
/// use gamewire::traffic::{Content, Conversations};
///
/// let mut conversations = Conversations::default();
/// let segment = Segment {
///     source: "10.0.0.1:4000".parse()?,
///     destination: "10.0.0.2:5000".parse()?,
///     transport: Transport::Udp { payload: &[2, 0, 0, 0, 5, 0, 0, 0] }, // put_var(5)
/// };
/// let mut values = 0;
/// conversations.segment(None, &segment, &mut |record| {
///     values += usize::from(matches!(record.content, Content::Value(_)));
///     assert!(record.guessed);
/// });
/// assert_eq!(values, 1);
/// # Ok::<(), std::net::AddrParseError>(())
/// ```
#[derive(Debug)]
pub struct Conversations {
    options: Options,
    flows: Flows,
    coder: RangeCoder,
    /// When the last segment was captured.
    time: Option<i64>,
}

impl Default for Conversations {
    fn default() -> Self {
        Self::new(Options::default())
    }
}

impl Conversations {
    /// Of which nothing was seen yet.
    pub fn new(options: Options) -> Self {
        Self { options, flows: Flows::default(), coder: RangeCoder::new(), time: None }
    }

    /// How many bytes of memory are kept, besides the 100 KB of a [`RangeCoder`]: for each
    /// pair of addresses what its [`Limits`] allow, and some hundred bytes.
    pub fn memory(&self) -> usize {
        self.flows.memory()
    }

    /// Takes the next segment, captured at `time` (nanoseconds since 1970 began), and tells
    /// `listener` of the packets that come of it.
    #[inline]
    pub fn segment(
        &mut self,
        time: Option<i64>,
        segment: &Segment<'_>,
        listener: &mut impl FnMut(&Record<'_>),
    ) {
        let Segment { source, destination, transport } = segment;
        self.time = time;
        if self.options.port.is_some_and(|port| port != source.port() && port != destination.port())
        {
            return;
        }
        let (index, side) = self.flows.find(segment, &self.options);
        let Some(flow) = self.flows.get_mut(index) else { return };
        let place = Place { time, source, destination, side, options: &self.options };
        let growth = match (&mut flow.kind, transport) {
            (Kind::Udp(flow), capture::Transport::Udp { payload }) => {
                flow.datagram(&place, payload, &mut self.coder, listener)
            }
            (Kind::Tcp(flow), capture::Transport::Tcp(segment)) => {
                flow.segment(&place, *segment, listener)
            }
            _ => 0,
        };
        self.flows.grew(index, growth, &self.options);
    }

    /// The capture has ended: tells of the packets that have waited for missing ones.
    pub fn finish(&mut self, listener: &mut impl FnMut(&Record<'_>)) {
        for flow in self.flows.iter_mut() {
            let (low, high) = (flow.pair.low, flow.pair.high);
            for (side, source, destination) in [(false, low, high), (true, high, low)] {
                let (source, destination) = (&source, &destination);
                let place =
                    Place { time: self.time, source, destination, side, options: &self.options };
                match &mut flow.kind {
                    Kind::Udp(flow) => flow.finish(&place, listener),
                    Kind::Tcp(flow) => flow.finish(&place, listener),
                }
            }
        }
    }
}

/// Where and when a segment was seen.
#[derive(Clone, Copy, Debug)]
struct Place<'o> {
    time: Option<i64>,
    source: &'o SocketAddr,
    destination: &'o SocketAddr,
    /// Whether it comes from the higher address.
    side: bool,
    options: &'o Options,
}
