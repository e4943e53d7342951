use super::difference::Difference;
use core::fmt;
use core::net::SocketAddr;
use std::boxed::Box;
use std::string::String;
use std::vec::Vec;

/// A problem, with the connection and node that it concerns, and its evidence.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord)]
#[non_exhaustive]
pub struct Diagnosis {
    /// The problem.
    pub problem: Problem,
    /// Address of the sender of the packets in question, or 0.0.0.0 if it is not known.
    pub source: SocketAddr,
    /// Address of the receiver of these packets, or 0.0.0.0 if it is not known.
    pub destination: SocketAddr,
    /// Multiplayer id of the sender, if known.
    pub peer: Option<i32>,
    /// Path of the node, or only the name of a spawned node, if known. At most 256 bytes.
    pub node: Option<String>,
    /// Number of times that the problem occurred.
    pub count: u64,
    /// Packets that prove the first occurrence of the problem, or its worst occurrence if it is a
    /// [stall](Problem::Stall).
    pub evidence: Vec<(Fact, Evidence)>,
    /// The last occurrence, if there is more than one.
    pub last: Option<Evidence>,
}

impl Diagnosis {
    /// Returns the severity.
    pub fn severity(&self) -> Severity {
        self.problem.severity()
    }
}

/// A captured packet.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Evidence {
    /// Number of the packet in the capture, counted from 1 as in Wireshark.
    pub packet: u64,
    /// Time of capture in nanoseconds since 1970, if known.
    pub time: Option<i64>,
}

/// The role of a packet in the evidence.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
#[non_exhaustive]
pub enum Fact {
    /// The sender announced the path of a node.
    Announced,
    /// The receiver announced the path of the same node.
    AnnouncedByReceiver,
    /// The receiver answered that its checksum differs.
    ChecksumRefused,
    /// A method was called.
    Called,
    /// A node was spawned.
    Spawned,
    /// A node was despawned.
    Despawned,
    /// The state of a node was sent.
    State,
    /// A packet was sent.
    Sent,
    /// A later packet arrived and had to wait.
    Waited,
    /// A newer packet arrived.
    Overtaken,
    /// A packet was sent again.
    SentAgain,
    /// A packet arrived at last.
    Arrived,
    /// The receiver acknowledged a packet.
    Acknowledged,
    /// The last packet of the receiver.
    LastOfReceiver,
}

impl fmt::Display for Fact {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.pad(match self {
            Self::Announced => "path announced",
            Self::AnnouncedByReceiver => "path announced by the receiver",
            Self::ChecksumRefused => "checksum refused",
            Self::Called => "called",
            Self::Spawned => "spawned",
            Self::Despawned => "despawned",
            Self::State => "state sent",
            Self::Sent => "sent",
            Self::Waited => "first packet that waited",
            Self::Overtaken => "newer packet arrived",
            Self::SentAgain => "sent again",
            Self::Arrived => "arrived",
            Self::Acknowledged => "acknowledged",
            Self::LastOfReceiver => "last packet of the receiver",
        })
    }
}

/// The severity of a problem. The most severe is the first.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub enum Severity {
    /// A call or state never has its effect.
    Error,
    /// Packets must wait, or are likely to be lost.
    Warning,
    /// A single packet was dropped or sent again, as happens in any network.
    Notice,
}

impl fmt::Display for Severity {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.pad(match self {
            Self::Error => "error",
            Self::Warning => "warning",
            Self::Notice => "notice",
        })
    }
}

/// A problem of a game's multiplayer.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord)]
#[non_exhaustive]
pub enum Problem {
    /// The two sides have different RPC methods for a node; the engine prints "The rpc node
    /// checksum failed". Methods are called by their position in the sorted names, so a call may
    /// run the wrong method.
    Checksum {
        /// The difference, as far as it is known. Its sender is the side at [`Diagnosis::source`].
        difference: Box<Difference>,
    },
    /// Calls with a method number that the receiver does not have. The receiver ignores them.
    UnknownMethod {
        /// The number.
        method: u16,
        /// Name of the method at the sender, if known.
        name: Option<String>,
        /// Number of methods that the receiver has for the node.
        known: usize,
    },
    /// Calls of a method that only the authority of the node may call. The receiver refuses them.
    /// Only reported if no script mentions `set_multiplayer_authority`, because the authority is
    /// then the server.
    NotAuthority {
        /// Name of the method at the receiver.
        method: String,
    },
    /// The receiver never confirmed the path of a node, most likely because it has no such node.
    UnconfirmedPath {
        /// Number of calls that contained the whole path, as all calls do until the path is
        /// confirmed.
        calls: u64,
    },
    /// State for a synchronizer that the receiver does not have. The receiver ignores the state.
    UnknownNetId {
        /// Id of the synchronizer. If bit 31 is set, the other bits are the number of its path
        /// instead.
        net_id: u32,
        /// History of the id.
        state: ReceivedState,
        /// `true` if the state consists of properties that have changed (DELTA), which are not sent
        /// again. `false` if it is sent at regular intervals (SYNC).
        is_delta: bool,
    },
    /// Packets that do not fit into a datagram or an Ethernet frame. Each is sent in parts, and is
    /// lost if one of its parts is lost.
    OverMtu {
        /// Length of the largest packet in bytes; 0 if not known.
        len: u64,
        /// Description of the first packet, such as the call in it, if known.
        packet: Option<String>,
        /// Kind of the packet, and the limit that it exceeds.
        oversize: Oversize,
    },
    /// A reliable packet that was sent again, or overtaken by later ones. The packets after it on
    /// its channel wait for it.
    Stall(Stall),
    /// Unreliable packets that the receiver drops because a newer one arrived first.
    Late {
        /// Channel of ENet.
        channel: u8,
        /// Description of the first packet, such as the call in it, if known.
        packet: Option<String>,
        /// The longest delay of such a packet after the newer one, in nanoseconds.
        behind: Option<i64>,
    },
}

impl Problem {
    /// Returns a short name in lower case with underscores, such as `rpc_checksum`.
    pub const fn name(&self) -> &'static str {
        match self {
            Self::Checksum { .. } => "rpc_checksum",
            Self::UnknownMethod { .. } => "unknown_method",
            Self::NotAuthority { .. } => "not_authority",
            Self::UnconfirmedPath { .. } => "unconfirmed_path",
            Self::UnknownNetId { .. } => "unknown_net_id",
            Self::OverMtu { .. } => "over_mtu",
            Self::Stall(_) => "stall",
            Self::Late { .. } => "late",
        }
    }

    /// Returns the severity.
    pub const fn severity(&self) -> Severity {
        match self {
            Self::Checksum { .. }
            | Self::UnknownMethod { .. }
            | Self::NotAuthority { .. }
            | Self::UnconfirmedPath { .. } => Severity::Error,
            Self::UnknownNetId { is_delta: true, .. } => Severity::Error,
            Self::UnknownNetId { state: ReceivedState::NeverSpawned, .. } => Severity::Warning,
            Self::UnknownNetId { .. } | Self::Late { .. } => Severity::Notice,
            Self::Stall(Stall { waiting: 0, arrived: true, .. }) => Severity::Notice,
            Self::OverMtu { .. } | Self::Stall(_) => Severity::Warning,
        }
    }
}

/// The history of an id that the receiver does not know.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub enum ReceivedState {
    /// No packet has spawned the id.
    NeverSpawned,
    /// The packet that spawns the id came later.
    NotYetSpawned,
    /// The id was despawned before the state was sent.
    Despawned,
}

/// The kind of a packet that is too large.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub enum Oversize {
    /// An unreliable packet that ENet sends in fragments.
    Unreliable {
        /// Length of the largest datagram that both sides accept. Known only if the start of the
        /// connection was captured.
        mtu: Option<u32>,
        /// Number of fragments of the largest packet.
        fragments: u32,
    },
    /// A datagram that does not fit into an Ethernet frame.
    Datagram {
        /// Length of the largest payload that fits.
        limit: u32,
    },
    /// A fragment of an IP packet.
    IpFragment,
}

/// A reliable packet that was sent again or overtaken, and the number of packets that waited for
/// it.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord)]
#[non_exhaustive]
pub struct Stall {
    /// Channel of ENet.
    pub channel: u8,
    /// Sequence number on the channel.
    pub sequence: u16,
    /// Length of the packet or fragment in bytes; 0 if it was never captured.
    pub len: u32,
    /// Description of the packet, such as the call in it, if known.
    pub packet: Option<String>,
    /// The cause.
    pub cause: StallCause,
    /// `false` if the packet had not arrived, or was not acknowledged, when the capture or the
    /// connection ended.
    pub arrived: bool,
    /// Number of reliable packets and fragments of the channel that waited.
    pub waiting: u32,
    /// Time in nanoseconds that the first of the waiting packets waited. If no packet waited, this
    /// is the time between the first sending of this packet and its acknowledgement.
    pub delay: Option<i64>,
}

/// The cause of a stall.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub enum StallCause {
    /// The packet was lost before it was captured, and sent again.
    Lost,
    /// The packet was captured, then it or its acknowledgement was lost, and the packet was sent
    /// again.
    LostOrUnacknowledged,
    /// The packet was overtaken by later ones.
    Overtaken,
}

/// The current captured packet.
#[derive(Clone, Copy, Debug, Default)]
pub(super) struct Now {
    pub packet: u64,
    pub time: Option<i64>,
}

impl Now {
    pub(super) fn next(&mut self, time: Option<i64>) {
        *self = Self { packet: self.packet.saturating_add(1), time };
    }

    pub(super) fn evidence(self) -> Evidence {
        Evidence { packet: self.packet, time: self.time }
    }
}

impl Evidence {
    /// Returns the time in nanoseconds from `earlier` to this packet, if both times are known.
    /// Returns 0 if the clock of the capture went back.
    pub fn since(self, earlier: Self) -> Option<i64> {
        Some(self.time?.saturating_sub(earlier.time?).max(0))
    }
}
