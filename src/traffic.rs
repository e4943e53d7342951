//! Packets of games in captured traffic, with what earlier packets say about them.
//!
//! [`Conversations`] takes captured [segments](Segment). For each pair of addresses it detects
//! the transport and the engine, reorders and reassembles packets, and remembers which numbers
//! stand for which nodes. It calls a listener once per packet with a [`Record`] that borrows
//! from the capture.
//!
//! Memory is bounded, see [`Limits`]: under a flood, old state is dropped.

mod builder;
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
use flows::{FlowKind, Flows};

/// Options of [`Conversations`].
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
#[non_exhaustive]
pub struct Options {
    /// Engine of the packets. `None` detects it.
    pub engine: Option<Engine>,
    /// Reads only segments from or to this port.
    pub port: Option<u16>,
    /// Limits of memory.
    pub limits: Limits,
}

/// Limits on the state that [`Conversations`] keep.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Limits {
    /// Number of pairs of addresses: 1024 by default. A new pair replaces one that was not
    /// used recently.
    pub flows: usize,
    /// Bytes of memory for all pairs together: 64 MiB by default. If they exceed it, the state
    /// of the largest pair is dropped. Memory is measured each time a pair may have grown by
    /// 1 KiB, so each pair can exceed its share by a few KiB.
    pub memory: usize,
    /// Limits for each direction of an ENet connection. By default, 1 MiB of packets can wait
    /// for missing ones.
    pub enet: enet::Limits,
    /// Limits for each direction of a TCP connection: [`stream::Limits::default`].
    pub tcp: stream::Limits,
    /// Length of a WebSocket message, or of a value in a TCP stream, in bytes: 8 MiB by
    /// default. A message in several segments is kept in memory until it is complete.
    pub message: u32,
}

impl Default for Limits {
    fn default() -> Self {
        let enet = enet::Limits { buffered: 1 << 20, waiting: 1024, packet: 1 << 20 };
        let tcp = stream::Limits::default();
        Self { flows: 1024, memory: 64 << 20, enet, tcp, message: 8 << 20 }
    }
}

/// The state of all conversations in a capture.
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
    /// Time of the last segment.
    time: Option<i64>,
}

impl Default for Conversations {
    fn default() -> Self {
        Self::new(Options::default())
    }
}

impl Conversations {
    /// Creates an empty state, for the start of a capture.
    pub fn new(options: Options) -> Self {
        Self { options, flows: Flows::default(), coder: RangeCoder::new(), time: None }
    }

    /// Returns the allocated memory in bytes: for each pair of addresses a few hundred bytes,
    /// and up to what its [`Limits`] allow. The 100 KB of the [`RangeCoder`] are not included.
    pub fn memory(&self) -> usize {
        self.flows.memory()
    }

    /// Processes the next segment, and calls `listener` for each packet that it completes.
    /// `time` is the time of capture in nanoseconds since 1970.
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
        let context = Context { time, source, destination, side, options: &self.options };
        let growth = match (&mut flow.kind, transport) {
            (FlowKind::Udp(flow), capture::Transport::Udp { payload }) => {
                flow.datagram(&context, payload, &mut self.coder, listener)
            }
            (FlowKind::Tcp(flow), capture::Transport::Tcp(segment)) => {
                flow.segment(&context, *segment, listener)
            }
            _ => 0,
        };
        self.flows.grown(index, growth, &self.options);
    }

    /// Ends the capture: calls `listener` for packets that still wait for missing ones.
    pub fn finish(&mut self, listener: &mut impl FnMut(&Record<'_>)) {
        for flow in self.flows.iter_mut() {
            let (low, high) = (flow.pair.low, flow.pair.high);
            for (side, source, destination) in [(false, low, high), (true, high, low)] {
                let (source, destination) = (&source, &destination);
                let context =
                    Context { time: self.time, source, destination, side, options: &self.options };
                match &mut flow.kind {
                    FlowKind::Udp(flow) => flow.finish(&context, listener),
                    FlowKind::Tcp(flow) => flow.finish(&context, listener),
                }
            }
        }
    }
}

/// The segment being processed, without its payload.
#[derive(Clone, Copy, Debug)]
struct Context<'o> {
    time: Option<i64>,
    source: &'o SocketAddr,
    destination: &'o SocketAddr,
    /// The direction: `true` if the source is the higher of the two addresses.
    side: bool,
    options: &'o Options,
}
