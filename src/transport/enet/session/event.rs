use crate::transport::enet::{Command, Error};
use core::fmt;

/// The delivery guarantee of a packet.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Delivery {
    /// All packets arrive, once and in order.
    Reliable,
    /// Packets may be lost, but arrive in order.
    Unreliable,
    /// Packets may be lost, and arrive in any order.
    Unsequenced,
}

impl Delivery {
    /// Returns the name, in lower case.
    pub const fn name(self) -> &'static str {
        match self {
            Self::Reliable => "reliable",
            Self::Unreliable => "unreliable",
            Self::Unsequenced => "unsequenced",
        }
    }
}

impl fmt::Display for Delivery {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.pad(self.name())
    }
}

/// A packet that the receiver's application gets.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct Packet<'e> {
    /// Channel of the packet.
    pub channel: u8,
    /// Delivery guarantee.
    pub delivery: Delivery,
    /// Number of the packet. For a reliable packet, this is the sequence number of its first
    /// command. For an unreliable packet, it is the packet's own number, and for an unsequenced
    /// packet, the number of its group.
    pub number: u16,
    /// Bytes of the packet.
    pub payload: &'e [u8],
}

/// Packets that are not delivered, although later ones are.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct Lost {
    /// Channel of the packets.
    pub channel: u8,
    /// Delivery guarantee. An unreliable packet is reported if it is incomplete or waited for a
    /// reliable one in vain, but not if it is missing entirely.
    pub delivery: Delivery,
    /// Number of the first lost packet, as in [`Packet::number`].
    pub first: u16,
    /// Number of lost commands. For a fragmented reliable packet, each fragment is one command. If
    /// more fragments of such a packet arrive, they are dropped without a further report.
    pub count: u32,
}

/// How a command with a packet or fragment arrived, compared with the other commands of its
/// channel.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
#[non_exhaustive]
pub enum Arrival {
    /// The command is the next one. Its packet is delivered when it is complete.
    InOrder,
    /// The command waits for a reliable one before it.
    Early,
    /// The command has arrived before, and is dropped. An unreliable command that repeats any
    /// command but the newest is [`Late`](Self::Late) instead.
    Repeated,
    /// The unreliable command is dropped, because it is older than the newest one of its channel,
    /// or because the next reliable command after it has already arrived.
    Late,
}

/// An event that a datagram causes.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
#[non_exhaustive]
pub enum Event<'e> {
    /// A packet is delivered.
    Packet(Packet<'e>),
    /// A command without a packet, such as an acknowledgement, a ping, or the start or end of the
    /// connection. Repeated commands are reported each time.
    Control(Command<'e>),
    /// A command with a packet or fragment has been processed. Reported after the packets that the
    /// command completes, and only if this was [requested](super::Session::report_arrivals).
    Arrived {
        /// The command.
        command: Command<'e>,
        /// Time of sending in the header of the datagram (see
        /// [`Datagram::sent_time`](crate::transport::enet::Datagram::sent_time)).
        sent_time: Option<u16>,
        /// How the command arrived.
        arrival: Arrival,
    },
    /// Packets are given up as lost.
    Lost(Lost),
    /// The datagram or a command in it is malformed. The offset is relative to the datagram. After
    /// a bad fragment or channel, the next command is read; after any other error, the rest of the
    /// datagram is skipped.
    Malformed(Error),
}
