use crate::traffic::RecordKind;
use core::fmt;

/// A category of captured bytes, such as the headers of a protocol, or the packets of one kind.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
#[non_exhaustive]
pub enum Account {
    /// Headers before IP.
    Link,
    /// Headers of IP.
    Ip,
    /// Headers of UDP.
    Udp,
    /// Headers of TCP.
    Tcp,
    /// Bytes after the IP packet: padding and checksums of the link.
    Trailer,
    /// Fragments of IP packets. This account counts their headers, the header of UDP or TCP in
    /// them, and all bytes of packets that were never complete. The payload of a complete packet is
    /// counted in other accounts.
    Fragments,
    /// Whole packets that contain neither UDP nor TCP.
    OtherPackets,
    /// All captured bytes of packets that the capture has cut short. They are not divided among
    /// other accounts, because the payload is incomplete.
    CutShort,
    /// ENet: headers of datagrams.
    EnetDatagrams,
    /// ENet: headers of the commands that carry packets.
    EnetCommands,
    /// Acknowledgements of ENet.
    Acknowledgements,
    /// Pings of ENet and of WebSockets.
    Pings,
    /// Messages that open, configure and close connections.
    Connection,
    /// Heads of HTTP messages that upgrade to a WebSocket.
    HttpHeads,
    /// Headers of WebSocket frames.
    WebSocketFrames,
    /// Length prefixes of the values in a TCP stream.
    LengthPrefixes,
    /// ENet commands and TCP bytes that were sent again.
    Repeated,
    /// Unreliable packets of ENet that arrived after a later one.
    Late,
    /// Bytes of TCP segments that are outside of the stream, for example after its end.
    OutsideStream,
    /// ENet: the bytes that compression saves. The other accounts count decompressed bytes, so this
    /// account is negative unless compression makes datagrams longer.
    Compression,
    /// Headers that contain the sender and the receiver of a packet. In Godot 4, only relayed
    /// packets have such a header; in Godot 3, all packets have one.
    Addressing,
    /// The packets of a game, by kind.
    Packets(RecordKind),
    /// Bytes that violate the protocol of their transport.
    BadTransport,
    /// Bytes of other protocols over UDP and TCP.
    OtherProtocols,
    /// Payload of conversations that [`Options::port`](crate::traffic::Options::port) excludes.
    OtherPorts,
    /// Packets that the caller excludes with [`Ledger::exclude`](super::Ledger::exclude).
    Excluded,
    /// Parts of packets whose other parts are missing.
    Incomplete,
}

impl Account {
    /// Returns the group of the account.
    pub const fn group(self) -> Group {
        match self {
            Self::Link | Self::Trailer => Group::Link,
            Self::Ip | Self::Fragments => Group::Ip,
            Self::Udp | Self::Tcp => Group::UdpTcp,
            Self::EnetDatagrams
            | Self::EnetCommands
            | Self::WebSocketFrames
            | Self::LengthPrefixes
            | Self::Addressing => Group::Framing,
            Self::Acknowledgements | Self::Pings | Self::Connection | Self::HttpHeads => {
                Group::Connection
            }
            Self::Repeated | Self::Late | Self::OutsideStream => Group::Repeated,
            Self::Compression => Group::Compression,
            Self::Packets(kind) => Group::of_kind(kind),
            Self::BadTransport | Self::Incomplete => Group::Damaged,
            Self::OtherPackets
            | Self::CutShort
            | Self::OtherProtocols
            | Self::OtherPorts
            | Self::Excluded => Group::Other,
        }
    }
}

/// Writes a short name, such as `ENet command headers`. For packets of a game, this is the name of
/// their kind.
impl fmt::Display for Account {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.pad(match self {
            Self::Link => "link headers",
            Self::Ip => "IP headers",
            Self::Udp => "UDP headers",
            Self::Tcp => "TCP headers",
            Self::Trailer => "link padding",
            Self::Fragments => "IP fragments",
            Self::OtherPackets => "neither UDP nor TCP",
            Self::CutShort => "cut short by the capture",
            Self::EnetDatagrams => "ENet datagram headers",
            Self::EnetCommands => "ENet command headers",
            Self::Acknowledgements => "acknowledgements",
            Self::Pings => "pings",
            Self::Connection => "connection control",
            Self::HttpHeads => "HTTP heads",
            Self::WebSocketFrames => "WebSocket frame headers",
            Self::LengthPrefixes => "length prefixes",
            Self::Repeated => "retransmissions",
            Self::Late => "late unreliable packets",
            Self::OutsideStream => "outside of the TCP stream",
            Self::Compression => "compression gain",
            Self::Addressing => "sender and receiver",
            Self::Packets(kind) => kind.name(),
            Self::BadTransport => "malformed transport",
            Self::OtherProtocols => "other protocols",
            Self::OtherPorts => "other ports",
            Self::Excluded => "other records",
            Self::Incomplete => "never completed",
        })
    }
}

/// A group of [`Account`]s, for charts with few colours.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
#[non_exhaustive]
pub enum Group {
    /// Headers and padding of the link.
    Link,
    /// Headers of IP.
    Ip,
    /// Headers of UDP and TCP.
    UdpTcp,
    /// Headers of ENet, of WebSocket frames and of packets.
    Framing,
    /// Acknowledgements, pings, and messages that open and close connections.
    Connection,
    /// Bytes that were sent again or arrived too late.
    Repeated,
    /// Bytes that compression saves, as a negative number.
    Compression,
    /// Negotiation of the numbers of paths.
    Paths,
    /// Remote calls, and properties set remotely.
    Calls,
    /// Replicated state: spawns, and the synchronization of properties.
    State,
    /// All other packets of a game, such as single values, text, and bytes sent by scripts.
    Messages,
    /// Malformed and incomplete packets.
    Damaged,
    /// Traffic that is not a game's, is encrypted, or is excluded by the caller.
    Other,
}

impl Group {
    /// All groups, in the order of their declaration.
    pub const ALL: [Self; 13] = [
        Self::Link,
        Self::Ip,
        Self::UdpTcp,
        Self::Framing,
        Self::Connection,
        Self::Repeated,
        Self::Compression,
        Self::Paths,
        Self::Calls,
        Self::State,
        Self::Messages,
        Self::Damaged,
        Self::Other,
    ];

    const fn of_kind(kind: RecordKind) -> Self {
        match kind {
            RecordKind::Rpc | RecordKind::Set => Self::Calls,
            RecordKind::SimplifyPath | RecordKind::ConfirmPath => Self::Paths,
            RecordKind::Spawn | RecordKind::Despawn | RecordKind::Sync | RecordKind::Delta => {
                Self::State
            }
            RecordKind::Malformed | RecordKind::Lost => Self::Damaged,
            RecordKind::Encrypted | RecordKind::Stun => Self::Other,
            _ => Self::Messages,
        }
    }

    /// Returns the name of the group, in a few words.
    pub const fn name(self) -> &'static str {
        match self {
            Self::Link => "link",
            Self::Ip => "IP",
            Self::UdpTcp => "UDP and TCP",
            Self::Framing => "framing",
            Self::Connection => "connection",
            Self::Repeated => "sent again",
            Self::Compression => "compression gain",
            Self::Paths => "paths",
            Self::Calls => "calls",
            Self::State => "state",
            Self::Messages => "messages",
            Self::Damaged => "damaged",
            Self::Other => "other traffic",
        }
    }
}

impl fmt::Display for Group {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.pad(self.name())
    }
}
