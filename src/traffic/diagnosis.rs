//! Finds out why a game's multiplayer does not work. The causes that it finds include calls that
//! are refused, state that is ignored, and packets that arrive late or not at all.
//!
//! Pass each captured packet to a [`Diagnoser`], and also what [`Conversations::observe`] reports
//! about the packet. At the end of the capture, the diagnoser returns [`Diagnosis`] values. Each of
//! them has evidence: the numbers and times of the captured packets that prove the problem. A
//! problem is reported only if the capture proves it: for example, a node is reported as never
//! spawned only if the start of the connection was captured.
//!
//! [`Conversations::observe`]: super::Conversations::observe

mod budget;
mod channels;
mod connection;
mod difference;
mod findings;
mod label;
mod nodes;
mod replication;
mod scene;
mod text;
mod types;

pub use difference::{Difference, Methods};
pub use types::{
    Diagnosis, Evidence, Fact, Oversize, Problem, ReceivedState, Severity, Stall, StallCause,
};

use super::methods::MethodNames;
use super::observed::{EnetCommand, Observed};
use super::record::Record;
use crate::capture::{Segment, Skipped, Transport};
use connection::Connection;
use core::net::SocketAddr;
use findings::{Findings, Key, Occurrence, Subject};
use scene::Scene;
use std::collections::BTreeMap;
use std::vec::Vec;
use types::Now;

/// Finds problems in a capture. The packets must be passed in the order of capture.
///
/// Its memory is bounded: the state of connections is dropped when it exceeds 8 MiB, and at most
/// [`MAX_DIAGNOSES`](Self::MAX_DIAGNOSES) problems are kept.
///
/// ```
/// use gamewire::capture::{Segment, Transport};
/// use gamewire::traffic::Conversations;
/// use gamewire::traffic::diagnosis::{Diagnoser, Problem};
/// use gamewire::traffic::methods::MethodNames;
///
/// let names = MethodNames::default();
/// let mut diagnoser = Diagnoser::new(&names);
/// let mut conversations = Conversations::default();
/// let segment = Segment {
///     source: "10.0.0.1:4000".parse()?,
///     destination: "10.0.0.2:5000".parse()?,
///     transport: Transport::Udp { payload: &[0; 1500] },
/// };
/// diagnoser.packet(None, &Ok(segment));
/// conversations.observe(None, &segment, &mut |observed| diagnoser.observed(observed));
/// let diagnoses = diagnoser.finish();
/// assert!(matches!(diagnoses[0].problem, Problem::OverMtu { len: 1500, .. }));
/// # Ok::<(), std::net::AddrParseError>(())
/// ```
#[derive(Debug)]
pub struct Diagnoser<'n> {
    names: &'n MethodNames,
    connections: BTreeMap<(SocketAddr, SocketAddr), Connection>,
    findings: Findings,
    now: Now,
    /// Upper bound of the memory of all connections, in bytes.
    memory: usize,
}

/// Maximum memory for the state of all connections, in bytes.
const MAX_MEMORY: usize = 8 << 20;
/// Maximum length of a UDP payload that fits into an Ethernet frame with 1500 bytes of payload,
/// together with its IPv4 and UDP headers.
const MAX_PAYLOAD_V4: usize = 1500 - 20 - 8;
/// Maximum length of a UDP payload that fits into such an Ethernet frame, together with its IPv6
/// and UDP headers.
const MAX_PAYLOAD_V6: usize = 1500 - 40 - 8;

impl<'n> Diagnoser<'n> {
    /// Maximum number of diagnoses. Further ones are only [counted](Self::omitted).
    pub const MAX_DIAGNOSES: usize = findings::MAX_DIAGNOSES;

    /// Creates a diagnoser for a capture. `names` contains the methods of the game, as far as they
    /// are known.
    pub fn new(names: &'n MethodNames) -> Self {
        let (connections, findings) = (BTreeMap::new(), Findings::default());
        Self { names, connections, findings, now: Now::default(), memory: 0 }
    }

    /// Begins the next captured packet. Call this for each packet of the capture, even for one
    /// without a segment, because evidence contains the numbers of packets.
    pub fn packet(&mut self, time: Option<i64>, segment: &Result<Segment<'_>, Skipped>) {
        self.now.next(time);
        let (len, source, destination, oversize) = match segment {
            Ok(Segment { source, destination, transport: Transport::Udp { payload } }) => {
                let limit = if source.is_ipv4() { MAX_PAYLOAD_V4 } else { MAX_PAYLOAD_V6 };
                if payload.len() <= limit {
                    return;
                }
                (payload.len(), *source, *destination, Oversize::Datagram { limit: limit as u32 })
            }
            Err(Skipped::Fragment) => {
                let unknown = SocketAddr::from(([0, 0, 0, 0], 0));
                (0, unknown, unknown, Oversize::IpFragment)
            }
            _ => return,
        };
        let problem = Problem::OverMtu { len: len as u64, packet: None, oversize };
        let key = Key { source, destination, subject: Subject::Datagrams, detail: 0 };
        let evidence = [(Fact::Sent, self.now.evidence())];
        self.findings.add(key, Occurrence::once(problem, &evidence));
    }

    /// Processes what [`Conversations::observe`](super::Conversations::observe) reports about the
    /// current packet.
    pub fn observed(&mut self, observed: Observed<'_, '_>) {
        match observed {
            Observed::Record(record) => self.record(record),
            Observed::Command(command) => self.command(command),
        }
        if self.memory > MAX_MEMORY {
            self.close_all();
        }
    }

    /// Processes a record. Stalls and late packets are found only if the commands of ENet are
    /// passed as well.
    pub fn record(&mut self, record: &Record<'_>) {
        let Self { names, findings, now, .. } = self;
        let (names, now) = (*names, *now);
        let (source, destination) = (record.source, record.destination);
        let (connection, memory) =
            connection(&mut self.connections, &mut self.memory, source, destination);
        let scene = Scene { names, now, source, destination, findings };
        *memory = memory.saturating_add(connection.record(record, scene));
    }

    fn command(&mut self, command: &EnetCommand<'_>) {
        let Self { names, findings, now, .. } = self;
        let (names, now) = (*names, *now);
        let (source, destination) = (command.source, command.destination);
        let (connection, memory) =
            connection(&mut self.connections, &mut self.memory, source, destination);
        let scene = Scene { names, now, source, destination, findings };
        *memory = memory.saturating_add(connection.command(command, scene));
    }

    /// Ends the capture, and returns the problems that were found, the most severe first. Problems
    /// of the same severity are in the order of their first evidence.
    pub fn finish(&mut self) -> Vec<Diagnosis> {
        self.close_all();
        self.findings.take()
    }

    /// Returns the number of captured packets so far.
    pub fn packets(&self) -> u64 {
        self.now.packet
    }

    /// Returns the number of problems that were found after the limit of diagnoses was reached.
    pub fn omitted(&self) -> u64 {
        self.findings.omitted
    }

    /// Draws the conclusions about all connections, and drops their state.
    fn close_all(&mut self) {
        for ((low, high), connection) in core::mem::take(&mut self.connections) {
            let (names, now, findings) = (self.names, self.now, &mut self.findings);
            let scene = Scene { names, now, source: low, destination: high, findings };
            connection.close(scene);
        }
        self.memory = 0;
    }
}

/// Returns the connection between two addresses, and the counter of the memory of all connections.
fn connection<'c>(
    all: &'c mut BTreeMap<(SocketAddr, SocketAddr), Connection>,
    memory: &'c mut usize,
    source: SocketAddr,
    destination: SocketAddr,
) -> (&'c mut Connection, &'c mut usize) {
    let pair = (source.min(destination), source.max(destination));
    let connection = all.entry(pair).or_insert_with(|| {
        *memory = memory.saturating_add(connection::MEMORY);
        Connection::default()
    });
    (connection, memory)
}
