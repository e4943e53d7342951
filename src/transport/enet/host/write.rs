//! The bytes of commands in a datagram.

use super::arena::Arena;
use super::commands::{Kind, Outgoing};
use super::config::Config;
use super::outgoing::{CHECKSUM, HEADER};
use super::peer::{Peer, State};
use crate::buffer::Sink;
use crate::transport::enet::{
    BandwidthLimit, Body, Command, Connect, Disconnect, Flags, Fragment, VerifyConnect,
};
use alloc::vec::Vec;

/// ENet's limit of commands in a datagram.
const MAX_COMMANDS: usize = 32;
/// Commands are written after this many bytes, so that the header fits before them.
pub(super) const HEADROOM: usize = 8;

/// The commands of a datagram that is being written.
pub(super) struct Batch<'b> {
    bytes: &'b mut Vec<u8>,
    pub(super) count: usize,
    /// Length that the datagram may have, less the headroom.
    limit: usize,
    pub(super) has_reliable: bool,
    /// `true` if more commands could be sent in another datagram.
    pub(super) is_full: bool,
}

impl<'b> Batch<'b> {
    pub(super) fn new(bytes: &'b mut Vec<u8>, peer: &Peer, config: &Config) -> Self {
        bytes.clear();
        bytes.resize(HEADROOM, 0);
        let header = HEADER.wrapping_add(if config.checksums { CHECKSUM } else { 0 });
        // A half-open peer gets no more bytes than came from its address.
        let most = match peer.state {
            State::HalfOpen => peer.half_open.credit.min(peer.mtu.into()),
            _ => peer.mtu.into(),
        };
        let limit = most.saturating_sub(header.into()) as usize;
        Self { bytes, count: 0, limit, has_reliable: false, is_full: false }
    }

    /// Returns `true` if a command of this length fits. Otherwise, another datagram is needed.
    pub(super) fn has_space(&mut self, len: usize) -> bool {
        let used = self.bytes.len().saturating_sub(HEADROOM);
        let fits = self.count < MAX_COMMANDS && used.saturating_add(len) <= self.limit;
        self.is_full |= !fits;
        fits
    }

    pub(super) fn write(&mut self, command: &Command<'_>, payload_len: u16) {
        // The buffer is larger than any datagram.
        if command.write_head(payload_len, self.bytes).is_ok() {
            self.count = self.count.wrapping_add(1);
        }
    }
}

impl Arena {
    pub(super) fn write_command(
        &self,
        peer: &Peer,
        command: &Outgoing,
        config: &Config,
        batch: &mut Batch<'_>,
    ) {
        let Outgoing { channel, sequence, number, len, .. } = *command;
        let payload: &[u8] = &[];
        let Outgoing { start, count, index, offset, .. } = *command;
        let total = self.blocks.len(command.packet) as u32;
        let part = Fragment { start, count, number: index, total, offset, payload };
        let body = match command.kind {
            Kind::Connect => Body::Connect(connect(peer, config)),
            Kind::VerifyConnect => Body::VerifyConnect(verify_connect(peer, config)),
            Kind::Disconnect => Body::Disconnect(Disconnect { data: peer.data }),
            Kind::Ping => Body::Ping,
            Kind::BandwidthLimit => Body::BandwidthLimit(BandwidthLimit {
                incoming: offset,
                outgoing: config.outgoing_bandwidth,
            }),
            Kind::Reliable => Body::Reliable { payload },
            Kind::Unreliable => Body::Unreliable { number, payload },
            Kind::Unsequenced => Body::Unsequenced { group: number, payload },
            Kind::Fragment => Body::Fragment(part),
            Kind::UnreliableFragment => Body::UnreliableFragment(part),
        };
        let flags = match command {
            Outgoing { is_reliable: true, .. } => Flags::ACKNOWLEDGE,
            Outgoing { kind: Kind::Unsequenced | Kind::Disconnect, .. } => Flags::UNSEQUENCED,
            _ => Flags::NONE,
        };
        batch.write(&Command { flags, channel, sequence, body }, len);
        self.blocks.read(command.position, len.into(), |bytes| batch.bytes.put(bytes));
    }
}

fn connect(peer: &Peer, config: &Config) -> Connect {
    Connect {
        outgoing_peer: peer.slot,
        incoming_session: peer.incoming_session,
        outgoing_session: peer.outgoing_session,
        mtu: peer.mtu.into(),
        window: peer.window,
        channels: peer.channels.into(),
        incoming_bandwidth: config.incoming_bandwidth,
        outgoing_bandwidth: config.outgoing_bandwidth,
        throttle_interval: peer.throttle.interval,
        throttle_acceleration: peer.throttle.acceleration,
        throttle_deceleration: peer.throttle.deceleration,
        connect_id: peer.connect_id,
        data: peer.data,
    }
}

/// The session numbers are those from the client's view: its outgoing one is in datagrams to here.
fn verify_connect(peer: &Peer, config: &Config) -> VerifyConnect {
    VerifyConnect {
        outgoing_peer: peer.slot,
        incoming_session: peer.outgoing_session,
        outgoing_session: peer.incoming_session,
        mtu: peer.mtu.into(),
        window: peer.offered_window,
        channels: peer.channels.into(),
        incoming_bandwidth: config.incoming_bandwidth,
        outgoing_bandwidth: config.outgoing_bandwidth,
        throttle_interval: peer.throttle.interval,
        throttle_acceleration: peer.throttle.acceleration,
        throttle_deceleration: peer.throttle.deceleration,
        connect_id: peer.connect_id,
    }
}
