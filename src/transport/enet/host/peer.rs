//! The state of one peer, except for its queues' contents, which are in the arena.

use super::config::{Config, MAX_PEERS};
use super::event::{DisconnectReason, PeerInfo, PeerKey, PeerState};
use super::list::List;
use super::round_trip::{Loss, RoundTrip, Throttle};
use core::net::{Ipv4Addr, SocketAddr, SocketAddrV4};

/// The largest window for reliable data in flight, in bytes; the initial one.
pub(super) const MAX_WINDOW: u32 = 0x1_0000;
pub(super) const MIN_WINDOW: u32 = 0x1000;

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum State {
    /// The place is free.
    Free,
    /// CONNECT is queued or sent.
    Connecting,
    /// A client's CONNECT was received; VERIFY_CONNECT is not acknowledged.
    HalfOpen,
    Connected,
    /// The connection ends when all queued packets are acknowledged.
    Draining,
    /// DISCONNECT is queued or sent.
    Disconnecting,
    /// The acknowledgement of a DISCONNECT is queued.
    AcknowledgingDisconnect,
    /// A last DISCONNECT without acknowledgement is queued.
    Closing,
    /// The last event waits for the application.
    Ended,
}

/// What a peer uses of the shared pools. See [`Arena`](super::arena::Arena).
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(super) struct Usage {
    pub(super) outgoing: u32,
    pub(super) in_order: u32,
    pub(super) ahead: u32,
    pub(super) acknowledgements: u32,
    pub(super) channels: u32,
}

/// The state of a half-open peer.
#[derive(Clone, Copy, Debug, Default)]
pub(super) struct HalfOpen {
    /// Bytes that may be sent to the address.
    pub(super) credit: u32,
    pub(super) opened: u64,
    /// The times at which commands were last sent, as the wire has them.
    pub(super) sent_at: [u16; 4],
    pub(super) sent_count: u8,
    /// `true` if a ping was queued as well.
    pub(super) is_pinged: bool,
    /// Number of acknowledgements with a wrong time.
    pub(super) wrong: u8,
}

#[derive(Clone, Debug)]
pub(super) struct Peer {
    pub(super) slot: u16,
    pub(super) generation: u32,
    pub(super) state: State,
    pub(super) address: SocketAddr,
    pub(super) connect_id: u32,
    /// This host's place in the peer's host.
    pub(super) outgoing_peer: u16,
    pub(super) incoming_session: u8,
    pub(super) outgoing_session: u8,
    /// Added to the time before it is sent, so that nobody can guess the times that other peers see.
    pub(super) clock: u16,
    pub(super) mtu: u16,
    pub(super) window: u32,
    /// The window that VERIFY_CONNECT tells the client.
    pub(super) offered_window: u32,
    pub(super) channels: u16,
    /// Bytes per second that the peer can receive and send, 0 for no limit.
    pub(super) incoming_bandwidth: u32,
    pub(super) outgoing_bandwidth: u32,
    /// Bytes queued since the last second began.
    pub(super) outgoing_total: u32,
    /// `true` if the peer's own limit has set its throttle in this second.
    pub(super) is_limited: bool,
    pub(super) throttle: Throttle,
    pub(super) round_trip: RoundTrip,
    pub(super) loss: Loss,
    pub(super) last_receive: Option<u64>,
    pub(super) earliest_timeout: Option<u64>,
    /// Bytes of reliable packets that were sent and not acknowledged.
    pub(super) in_transit: u32,
    /// The last sequence number of a control command.
    pub(super) control_sequence: u16,
    pub(super) out_group: u16,
    pub(super) groups: Groups,
    pub(super) acknowledgements: List,
    /// Commands to send: unreliable packets and control commands.
    pub(super) commands: List,
    /// Reliable packets to send.
    pub(super) reliable: List,
    /// Reliable commands that were sent and not acknowledged.
    pub(super) sent: List,
    /// Reliable packets that wait for earlier ones, or for fragments; in no order.
    pub(super) waiting: List,
    /// Packets for the application.
    pub(super) dispatched: List,
    pub(super) usage: Usage,
    pub(super) half_open: HalfOpen,
    pub(super) announces_connection: bool,
    pub(super) end: Option<DisconnectReason>,
    /// The number that comes with CONNECT or DISCONNECT.
    pub(super) data: u32,
}

/// Number of sessions that no session has used yet.
pub(super) const NO_SESSION: u8 = 0xFF;

impl Peer {
    pub(super) fn new(slot: u16, config: &Config) -> Self {
        Self {
            slot,
            generation: 0,
            state: State::Free,
            address: SocketAddr::V4(SocketAddrV4::new(Ipv4Addr::UNSPECIFIED, 0)),
            connect_id: 0,
            outgoing_peer: MAX_PEERS,
            incoming_session: NO_SESSION,
            outgoing_session: NO_SESSION,
            clock: 0,
            mtu: config.mtu,
            window: MAX_WINDOW,
            offered_window: MAX_WINDOW,
            channels: 0,
            incoming_bandwidth: 0,
            outgoing_bandwidth: 0,
            outgoing_total: 0,
            is_limited: false,
            throttle: Throttle::default(),
            round_trip: RoundTrip::default(),
            loss: Loss::default(),
            last_receive: None,
            earliest_timeout: None,
            in_transit: 0,
            control_sequence: 0,
            out_group: 0,
            groups: Groups::default(),
            acknowledgements: List::EMPTY,
            commands: List::EMPTY,
            reliable: List::EMPTY,
            sent: List::EMPTY,
            waiting: List::EMPTY,
            dispatched: List::EMPTY,
            usage: Usage::default(),
            half_open: HalfOpen::default(),
            announces_connection: false,
            end: None,
            data: 0,
        }
    }

    /// Makes the place free for the next peer. The queues must be empty. The session numbers stay,
    /// since the next session must have other ones.
    pub(super) fn reset(&mut self, config: &Config) {
        *self = Self {
            generation: self.generation.wrapping_add(1),
            incoming_session: self.incoming_session,
            outgoing_session: self.outgoing_session,
            ..Self::new(self.slot, config)
        };
    }

    pub(super) fn key(&self) -> PeerKey {
        PeerKey { slot: self.slot, generation: self.generation }
    }

    /// Returns `true` if packets can be received. A peer that is being disconnected after its queue
    /// still acknowledges them.
    pub(super) fn is_connected(&self) -> bool {
        matches!(self.state, State::Connected | State::Draining)
    }

    /// Returns `true` if the application knows the peer.
    pub(super) fn is_known(&self) -> bool {
        !matches!(self.state, State::Free | State::HalfOpen)
    }

    pub(super) fn has_outgoing(&self) -> bool {
        !(self.commands.is_empty() && self.reliable.is_empty() && self.sent.is_empty())
    }

    /// Returns the time as datagrams to this peer state it.
    pub(super) fn wire_time(&self, now: u64) -> u16 {
        (now as u16).wrapping_add(self.clock)
    }

    pub(super) fn info(&self, block: usize) -> PeerInfo {
        let state = match self.state {
            State::Connecting => PeerState::Connecting,
            State::Connected => PeerState::Connected,
            _ => PeerState::Disconnecting,
        };
        let bytes = |blocks: u32| (blocks as usize).saturating_mul(block);
        let Usage { outgoing, in_order, ahead, .. } = self.usage;
        PeerInfo {
            address: self.address,
            state,
            channels: self.channels,
            mtu: self.mtu,
            round_trip_time: self.round_trip.mean,
            round_trip_time_variance: self.round_trip.variance,
            packet_loss: self.loss.share(),
            throttle: self.throttle.share(),
            queued: bytes(outgoing),
            received: bytes(in_order.saturating_add(ahead)),
        }
    }
}

/// The unsequenced packets that have arrived: a window of 1024 numbers.
#[derive(Clone, Copy, Debug, Default)]
pub(super) struct Groups {
    first: u16,
    seen: [u64; 16],
}

impl Groups {
    const SIZE: u16 = 1024;
    /// Numbers up to this many windows ahead move the window; others are old.
    const FREE_WINDOWS: u16 = 32;

    /// Returns `true` and remembers the number if the packet is new.
    pub(super) fn insert(&mut self, group: u16) -> bool {
        if group.wrapping_sub(self.first) >= Self::FREE_WINDOWS.wrapping_mul(Self::SIZE) {
            return false;
        }
        let index = group % Self::SIZE;
        let first = group.wrapping_sub(index);
        if first != self.first {
            *self = Self { first, ..Self::default() };
        }
        let bit = 1_u64 << (index % 64);
        let Some(word) = self.seen.get_mut(usize::from(index / 64)) else { return false };
        let is_new = *word & bit == 0;
        *word |= bit;
        is_new
    }
}
