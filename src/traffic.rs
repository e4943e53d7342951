//! Decodes the packets of Godot games in captured traffic, and adds what earlier packets say about
//! them, such as the paths of nodes.
//!
//! [`Conversations`] takes captured [segments](Segment). For each pair of addresses it detects
//! the transport and the engine, reorders and reassembles packets, and remembers which numbers
//! stand for which nodes. It calls a listener once per packet with a [`Record`] that borrows
//! from the capture.
//!
//! [`Limits`] bounds the memory: under a flood of packets, old state is dropped.

mod builder;
mod context;
pub mod diagnosis;
mod encryption;
mod filter;
mod flows;
mod frames;
mod hash;
pub mod json;
mod ledger;
pub mod methods;
mod multiplayer;
mod node;
mod observed;
mod options;
mod other;
mod paths;
mod peers;
mod record;
mod record_contents;
mod record_kind;
#[cfg(feature = "serde")]
mod state;
mod stream;
mod tcp;
mod udp;
mod values;
mod websocket;

pub use encryption::{Dtls, Encryption};
pub use filter::Filter;
pub use ledger::{Account, Group, Ledger, LedgerLimits, Peer, Row, RowMember, RowNode, Series};
pub use node::{Node, NodeState};
pub use observed::{EnetCommand, Observed};
pub use options::{Limits, Options};
pub use other::OtherProtocols;
pub use record::{Content, Control, Delivery, Engine, Reason, Record, Transport};
pub use record_kind::RecordKind;

use crate::capture::{self, Segment};
use crate::transport::Breakdown;
use crate::transport::enet::DatagramCodec;
use context::Context;
use flows::{FlowKind, Flows};

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
    codec: DatagramCodec,
    breakdown: Breakdown,
    /// Time of the last segment.
    time: Option<i64>,
}

impl Default for Conversations {
    fn default() -> Self {
        Self::new(Options::default())
    }
}

/// A clone decodes later packets as the original does. A program can keep a clone, to return to
/// this position in a capture.
impl Clone for Conversations {
    fn clone(&self) -> Self {
        let Self { options, breakdown, time, .. } = *self;
        // The codec has only tables and buffers, whose content is not needed after a datagram.
        Self { options, flows: self.flows.clone(), codec: DatagramCodec::new(), breakdown, time }
    }
}

impl Conversations {
    /// Creates an empty state, for the start of a capture.
    pub fn new(options: Options) -> Self {
        let (flows, codec, breakdown) = Default::default();
        Self { options, flows, codec, breakdown, time: None }
    }

    /// Returns the allocated memory in bytes. Each pair of addresses takes a few hundred bytes,
    /// plus state that [`Limits`] bounds. The tables of the [`DatagramCodec`] are not included.
    pub fn memory(&self) -> usize {
        self.flows.memory()
    }

    /// Returns the number of bytes so far that are in no record because they belong to protocols
    /// other than those of games. The first bytes of a conversation are counted here until the
    /// conversation is recognised; they are then reported instead.
    pub fn other_protocols(&self) -> OtherProtocols {
        self.flows.other_protocols()
    }

    /// Returns the number of payload bytes of all segments so far, divided by purpose. The
    /// [accepted](Breakdown::accepted) bytes are those of records and of incomplete packets.
    pub fn breakdown(&self) -> &Breakdown {
        &self.breakdown
    }

    /// Processes the next segment, and calls `listener` for each packet that the segment completes.
    /// `time` is the time of capture in nanoseconds since 1970.
    #[inline]
    pub fn segment(
        &mut self,
        time: Option<i64>,
        segment: &Segment<'_>,
        listener: &mut impl FnMut(&Record<'_>),
    ) {
        let mut observer = |observed: Observed<'_, '_>| match observed {
            Observed::Record(record) => listener(record),
            Observed::Command(_) => {}
        };
        self.process(time, segment, false, &mut observer);
    }

    /// Processes the next segment as [`segment`](Self::segment) does, and also reports the commands
    /// of ENet. A command does not wait for missing commands: it is reported when its datagram
    /// arrives.
    pub fn observe(
        &mut self,
        time: Option<i64>,
        segment: &Segment<'_>,
        observer: &mut impl FnMut(Observed<'_, '_>),
    ) {
        self.process(time, segment, true, observer);
    }

    #[inline(always)]
    fn process(
        &mut self,
        time: Option<i64>,
        segment: &Segment<'_>,
        commands: bool,
        observer: &mut impl FnMut(Observed<'_, '_>),
    ) {
        let Segment { source, destination, transport } = segment;
        self.time = time;
        if self.options.port.is_some_and(|port| port != source.port() && port != destination.port())
        {
            self.breakdown.excluded.add(transport.payload().len());
            return;
        }
        let (index, side) = self.flows.find(segment, &self.options);
        let Some(flow) = self.flows.get_mut(index) else { return };
        let context = Context { time, source, destination, side, options: &self.options, commands };
        let breakdown = &mut self.breakdown;
        let growth = match (&mut flow.kind, transport) {
            (FlowKind::Udp(flow), capture::Transport::Udp { payload }) => {
                flow.datagram(&context, payload, &mut self.codec, breakdown, observer)
            }
            (FlowKind::Tcp(flow), capture::Transport::Tcp(segment)) => {
                let mut listener = |record: &Record<'_>| observer(Observed::Record(record));
                if cfg!(gamewire_small) {
                    // `finish` uses the same type of listener, so both share the compiled code.
                    let mut listener: &mut dyn FnMut(&Record<'_>) = &mut listener;
                    flow.segment(&context, *segment, breakdown, &mut listener)
                } else {
                    flow.segment(&context, *segment, breakdown, &mut listener)
                }
            }
            _ => 0,
        };
        self.flows.grown(index, growth, &self.options);
    }

    /// Ends a capture that the next segments continue, as in a series of files that `tcpdump -C`
    /// writes. Keeps packets that wait for missing packets, whereas [`finish`](Self::finish)
    /// reports them. Starts all counts anew. Returns the number of bytes of the capture that are in
    /// no record and cannot be in a later one.
    pub fn next_capture(&mut self) -> OtherProtocols {
        self.breakdown = Breakdown::default();
        self.flows.restart_counts()
    }

    /// Returns `true` if [`finish`](Self::finish) could report a packet. Takes time proportional to
    /// the number of pairs of addresses.
    pub fn is_waiting(&self) -> bool {
        self.flows.iter().any(|flow| match &flow.kind {
            FlowKind::Udp(flow) => flow.is_waiting(),
            FlowKind::Tcp(flow) => flow.is_waiting(),
        })
    }

    /// Ends the capture: calls `listener` for the packets that still wait for missing packets.
    pub fn finish(&mut self, listener: &mut impl FnMut(&Record<'_>)) {
        let mut listener: &mut dyn FnMut(&Record<'_>) = listener;
        for flow in self.flows.iter_mut() {
            let (low, high) = (flow.pair.low, flow.pair.high);
            for (side, source, destination) in [(false, low, high), (true, high, low)] {
                let (source, destination) = (&source, &destination);
                let (time, options) = (self.time, &self.options);
                let context = Context { time, source, destination, side, options, commands: false };
                match &mut flow.kind {
                    FlowKind::Udp(flow) => flow.finish(&context, &mut listener),
                    FlowKind::Tcp(flow) => {
                        flow.finish(&context, &mut self.breakdown, &mut listener);
                    }
                }
            }
        }
    }
}
