//! The nodes of queues: commands to send, commands that were received, acknowledgements; and the keys
//! by which they are found.

use super::blocks::Position;
use super::list::{List, NIL};
use crate::transport::enet::Delivery;

/// The type of a queued command.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Kind {
    Connect,
    VerifyConnect,
    Disconnect,
    Ping,
    BandwidthLimit,
    Reliable,
    Unreliable,
    Unsequenced,
    Fragment,
    UnreliableFragment,
}

/// A command to send. The fields of control commands are those of the peer when it is sent.
#[derive(Clone, Copy, Debug)]
pub(super) struct Outgoing {
    pub(super) kind: Kind,
    pub(super) channel: u8,
    /// `true` if the command is repeated until it is acknowledged.
    pub(super) is_reliable: bool,
    /// Number of times that the command was sent.
    pub(super) attempts: u8,
    /// `true` between sending and acknowledgement, or the end of the time for it.
    pub(super) is_in_transit: bool,
    pub(super) sequence: u16,
    /// Unreliable number, or group.
    pub(super) number: u16,
    /// The first block of the packet, [`NIL`] for control commands.
    pub(super) packet: u32,
    /// The bytes of this command.
    pub(super) position: Position,
    pub(super) len: u16,
    /// Of a fragment: the first fragment's number, the number of fragments, this one's index and
    /// offset. In BANDWIDTH_LIMIT, `offset` is the incoming bandwidth.
    pub(super) start: u16,
    pub(super) count: u32,
    pub(super) index: u32,
    pub(super) offset: u32,
    /// Position in the order of all queued commands.
    pub(super) order: u64,
    pub(super) sent_at: u64,
    /// Milliseconds after which the command is sent again; 0 until it is sent.
    pub(super) timeout: u32,
}

impl Default for Outgoing {
    fn default() -> Self {
        Self {
            kind: Kind::Ping,
            channel: CONTROL,
            is_reliable: false,
            attempts: 0,
            is_in_transit: false,
            sequence: 0,
            number: 0,
            packet: NIL,
            position: Position { block: NIL, skip: 0 },
            len: 0,
            start: 0,
            count: 0,
            index: 0,
            offset: 0,
            order: 0,
            sent_at: 0,
            timeout: 0,
        }
    }
}

/// The channel of control commands.
pub(super) const CONTROL: u8 = 255;

/// Which part of the memory a received command takes.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Share {
    /// Packets that the application can take, and the packet whose fragments arrive.
    InOrder,
    /// Commands that have arrived before their turn.
    Ahead,
}

/// A received packet, a packet of which fragments have arrived, or such a fragment.
#[derive(Clone, Copy, Debug)]
pub(super) struct Incoming {
    pub(super) delivery: Delivery,
    pub(super) channel: u8,
    pub(super) share: Share,
    pub(super) sequence: u16,
    /// Unreliable number.
    pub(super) number: u16,
    /// The bytes, [`NIL`] for a packet of fragments.
    pub(super) packet: u32,
    /// Of a packet of fragments: how many there are, how many are missing, the length of each but
    /// the last (0 until known), the length of the packet, and those that have arrived.
    pub(super) count: u32,
    pub(super) missing: u32,
    pub(super) size: u32,
    pub(super) total: u32,
    pub(super) fragments: List,
}

impl Default for Incoming {
    fn default() -> Self {
        Self {
            delivery: Delivery::Reliable,
            channel: 0,
            share: Share::InOrder,
            sequence: 0,
            number: 0,
            packet: NIL,
            count: 0,
            missing: 0,
            size: 0,
            total: 0,
            fragments: List::EMPTY,
        }
    }
}

/// An acknowledgement to send.
#[derive(Clone, Copy, Debug, Default)]
pub(super) struct Acknowledgement {
    pub(super) sequence: u16,
    pub(super) sent_time: u16,
    pub(super) channel: u8,
    pub(super) is_disconnect: bool,
}

/// Key of a reliable command.
pub(super) fn outgoing_key(slot: u16, channel: u8, sequence: u16) -> u64 {
    u64::from(slot) << 24 | u64::from(channel) << 16 | u64::from(sequence)
}

/// Key of a received command that waits. `number` is 0 for reliable ones.
pub(super) fn incoming_key(slot: u16, delivery: Delivery, channel: u8, numbers: [u16; 2]) -> u64 {
    let [sequence, number] = numbers.map(u64::from);
    let kind = u64::from(delivery == Delivery::Reliable);
    1 << 63
        | kind << 62
        | u64::from(slot) << 40
        | u64::from(channel) << 32
        | sequence << 16
        | number
}

/// Key of a fragment.
pub(super) fn fragment_key(packet: u32, index: u32) -> u64 {
    u64::from(packet) << 20 | u64::from(index)
}
