//! Conversations of games: from captured segments to the packets that were sent, with what
//! earlier packets told about them.
//!
//! [`Conversations`] keeps for each pair of addresses which transport it is and which
//! engine, puts datagrams and streams in order, and remembers which numbers stand for
//! which nodes. Each packet is told of as a [`Record`], which borrows from the capture.
//!
//! What it keeps is bounded, see [`Limits`]: a flood makes it forget, and not grow.

mod multiplayer;
mod paths;
mod peers;
mod record;
mod stream;
mod udp;
mod values;

pub use record::{Content, Control, Delivery, Engine, Node, Reason, Record, Transport};

use crate::capture::{self, Segment};
use crate::net::enet::{self, RangeCoder};
use core::net::SocketAddr;
use paths::Sender;
use std::boxed::Box;
use std::collections::HashMap;
use std::vec::Vec;
use stream::TcpFlow;
use udp::UdpFlow;

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
    /// that was silent for long. For each, 256 KiB of node paths are kept at the most.
    pub flows: usize,
    /// For each direction of an ENet connection: by default 1 MiB that waits for what is
    /// missing.
    pub enet: enet::Limits,
}

impl Default for Limits {
    fn default() -> Self {
        let enet = enet::Limits { buffered: 1 << 20, waiting: 1024, packet: 1 << 20 };
        Self { flows: 1024, enet }
    }
}

/// Two addresses that talk to each other.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
struct Pair {
    low: SocketAddr,
    high: SocketAddr,
    udp: bool,
}

/// What is known of a pair.
#[derive(Debug)]
struct Flow {
    pair: Pair,
    /// Whether it had a packet since the hand came by.
    lately: bool,
    kind: Kind,
}

#[derive(Debug)]
enum Kind {
    Udp(UdpFlow),
    Tcp(Box<TcpFlow>),
}

/// All conversations of a capture.
///
/// ```
/// use gamewire::capture::{Segment, Transport};
/// use gamewire::net::conversation::{Content, Conversations};
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
    by_pair: HashMap<Pair, usize>,
    flows: Vec<Flow>,
    /// The flow of the last segment: mostly that of the next, too.
    last: usize,
    /// Where the search for a silent flow goes on.
    hand: usize,
    coder: RangeCoder,
}

impl Default for Conversations {
    fn default() -> Self {
        Self::new(Options::default())
    }
}

impl Conversations {
    /// Of which nothing was seen yet.
    pub fn new(options: Options) -> Self {
        let (by_pair, flows) = (HashMap::new(), Vec::new());
        Self { options, by_pair, flows, last: 0, hand: 0, coder: RangeCoder::new() }
    }

    /// Takes the next segment, captured at `time` (nanoseconds since 1970 began), and tells
    /// `listener` of the packets that come of it.
    pub fn segment(
        &mut self,
        time: Option<i64>,
        segment: &Segment<'_>,
        listener: &mut impl FnMut(&Record<'_>),
    ) {
        let Segment { source, destination, .. } = *segment;
        if self.options.port.is_some_and(|port| port != source.port() && port != destination.port())
        {
            return;
        }
        let udp = matches!(segment.transport, capture::Transport::Udp { .. });
        let side = source > destination;
        let (low, high) = if side { (destination, source) } else { (source, destination) };
        let index = self.flow(Pair { low, high, udp });
        let Some(flow) = self.flows.get_mut(index) else { return };
        flow.lately = true;
        let place = Place { time, source, destination, side, options: &self.options };
        match (&mut flow.kind, segment.transport) {
            (Kind::Udp(flow), capture::Transport::Udp { payload }) => {
                flow.datagram(&place, payload, &mut self.coder, listener);
            }
            (Kind::Tcp(flow), capture::Transport::Tcp(segment)) => {
                flow.segment(&place, segment, listener);
            }
            _ => {}
        }
    }

    /// Where the flow of a pair is.
    fn flow(&mut self, pair: Pair) -> usize {
        if self.flows.get(self.last).is_some_and(|flow| flow.pair == pair) {
            return self.last;
        }
        self.last = match self.by_pair.get(&pair) {
            Some(&index) => index,
            None => self.add(pair),
        };
        self.last
    }

    #[cold]
    fn add(&mut self, pair: Pair) -> usize {
        let limits = self.options.limits;
        let kind = match pair.udp {
            true => Kind::Udp(UdpFlow::default()),
            false => Kind::Tcp(Box::new(TcpFlow::new(&self.options))),
        };
        let flow = Flow { pair, lately: true, kind };
        let index = if self.flows.len() < limits.flows.max(1) {
            self.flows.push(flow);
            self.flows.len().saturating_sub(1)
        } else {
            let index = self.silent();
            if let Some(old) = self.flows.get_mut(index) {
                self.by_pair.remove(&old.pair);
                *old = flow;
            }
            index
        };
        self.by_pair.insert(pair, index);
        index
    }

    /// A flow that had no packet since the hand last came by.
    fn silent(&mut self) -> usize {
        loop {
            let index = self.hand;
            self.hand = index.saturating_add(1);
            match self.flows.get_mut(index) {
                None => self.hand = 0,
                Some(flow) if flow.lately => flow.lately = false,
                Some(_) => return index,
            }
        }
    }
}

/// Where and when a segment was seen.
#[derive(Clone, Copy, Debug)]
struct Place<'o> {
    time: Option<i64>,
    source: SocketAddr,
    destination: SocketAddr,
    /// Whether it comes from the higher address.
    side: bool,
    options: &'o Options,
}

impl Place<'_> {
    fn record<'a>(
        &self,
        transport: Transport,
        content: Content<'a>,
        bytes: &'a [u8],
    ) -> Record<'a> {
        Record {
            time: self.time,
            source: self.source,
            destination: self.destination,
            transport,
            engine: None,
            guessed: false,
            channel: None,
            delivery: None,
            peer: None,
            relay: None,
            node: None,
            content,
            bytes,
            known: paths::Known(None),
            sender: Sender { side: self.side, peer: None },
        }
    }
}
