//! Datagrams to send: as many commands of a peer as fit, in the order in which they were queued.

use super::arena::{Arena, Kind, Outgoing};
use super::checksum::crc32;
use super::config::{Config, MAX_PEERS};
use super::connections::{Connections, NEVER};
use super::event::DisconnectReason;
use super::list::NIL;
use super::outgoing::{CHECKSUM, HEADER};
use super::peer::{Peer, State};
use crate::buffer::Sink;
use crate::transport::enet::{
    Acknowledge, BandwidthLimit, Body, Command, Connect, Disconnect, Flags, Fragment, VerifyConnect,
};
use alloc::vec::Vec;

/// ENet's limit of commands in a datagram.
const MAX_COMMANDS: usize = 32;
/// Commands are written after this many bytes, so that the header fits before them.
pub(super) const HEADROOM: usize = 8;

/// The commands of a datagram that is being written.
pub(super) struct Batch<'b> {
    bytes: &'b mut Vec<u8>,
    count: usize,
    /// Length that the datagram may have, less the headroom.
    limit: usize,
    has_reliable: bool,
    /// `true` if more commands could be sent in another datagram.
    is_full: bool,
}

impl<'b> Batch<'b> {
    fn new(bytes: &'b mut Vec<u8>, peer: &Peer, config: &Config) -> Self {
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
    fn has_space(&mut self, len: usize) -> bool {
        let used = self.bytes.len().saturating_sub(HEADROOM);
        let fits = self.count < MAX_COMMANDS && used.saturating_add(len) <= self.limit;
        self.is_full |= !fits;
        fits
    }

    fn write(&mut self, command: &Command<'_>, payload_len: u16) {
        // The buffer is larger than any datagram.
        if command.write_head(payload_len, self.bytes).is_ok() {
            self.count = self.count.wrapping_add(1);
        }
    }
}

impl Connections {
    /// Writes the next datagram of a peer, if one is due: without the header, after
    /// [`HEADROOM`] bytes. Returns `true` if its header has the time.
    pub(super) fn next_datagram(&mut self, slot: u16) -> Option<bool> {
        let (now, config) = (self.now, &self.config);
        let peer = self.peers.get_mut(usize::from(slot))?;
        if matches!(peer.state, State::Free | State::Ended) {
            return None;
        }
        let arena = &mut self.arena;
        let mut batch = Batch::new(&mut self.buffer, peer, config);
        let has_ended = arena.write_acknowledgements(peer, &mut batch);
        if arena.resend(peer, now, config) {
            self.time_out(slot);
            return None;
        }
        arena.write_commands(peer, now, config, &mut batch);
        if arena.ping(peer, now, config) {
            arena.write_commands(peer, now, config, &mut batch);
        }
        let Batch { count, has_reliable, is_full, .. } = batch;
        if count > 0 {
            peer.loss.advance(now);
        }
        if has_reliable && peer.state == State::HalfOpen {
            peer.half_open.remember(peer.wire_time(now));
        }
        if is_full && peer.state != State::HalfOpen || peer.state == State::Closing {
            self.ready.push(slot);
        }
        self.after_sending(slot, has_ended);
        (count > 0).then_some(has_reliable)
    }

    fn time_out(&mut self, slot: u16) {
        match self.peer(slot).map(|peer| peer.state) {
            Some(State::HalfOpen) => self.free_slot(slot),
            Some(State::Disconnecting) => self.end(slot, DisconnectReason::Local),
            Some(_) => self.end(slot, DisconnectReason::TimedOut),
            None => {}
        }
    }

    /// Goes on with connections that end when something has been sent.
    fn after_sending(&mut self, slot: u16, has_ended: bool) {
        let Some(peer) = self.peers.get_mut(usize::from(slot)) else { return };
        match peer.state {
            State::AcknowledgingDisconnect if has_ended => {
                let reason = DisconnectReason::Remote { data: peer.data };
                self.end(slot, reason);
            }
            State::Draining if !peer.has_outgoing() => {
                let data = peer.data;
                self.disconnect(slot, data);
            }
            State::Closing if peer.commands.is_empty() => {
                peer.state = State::Ended;
            }
            _ => {}
        }
    }

    /// Writes the header before the commands, and returns where the datagram begins.
    pub(super) fn write_header(&mut self, slot: u16, has_time: bool, compressed: bool) -> usize {
        let Some(peer) = self.peers.get(usize::from(slot)) else { return 0 };
        let is_numbered = peer.outgoing_peer < MAX_PEERS;
        let session = if is_numbered { peer.outgoing_session & 3 } else { 0 };
        let flags = u16::from(has_time) << 15 | u16::from(compressed) << 14;
        let first = peer.outgoing_peer | flags | u16::from(session) << 12;
        let [a, b] = first.to_be_bytes();
        let [c, d] = peer.wire_time(self.now).to_be_bytes();
        let connect_id = if is_numbered { peer.connect_id } else { 0 };
        let checksum = self.config.checksums.then_some(connect_id.to_be_bytes());
        let head = [a, b, c, d];
        let head = head.get(..if has_time { 4 } else { 2 }).unwrap_or_default();
        let checksum = checksum.as_ref().map_or(&[][..], |bytes| &bytes[..]);
        let len = head.len().saturating_add(checksum.len());
        let start = HEADROOM.saturating_sub(len);
        let header = head.iter().chain(checksum);
        self.buffer.iter_mut().skip(start).zip(header).for_each(|(to, from)| *to = *from);
        start
    }

    /// Writes the checksum of a datagram that begins at `start`, over its place, which has the
    /// connect id.
    pub(super) fn write_checksum(&mut self, start: usize) {
        if self.config.checksums {
            let checksum = crc32(&[self.buffer.get(start..).unwrap_or_default()]).to_be_bytes();
            let at = HEADROOM.saturating_sub(checksum.len());
            let place = self.buffer.iter_mut().skip(at);
            place.zip(checksum).for_each(|(to, from)| *to = from);
        }
    }

    pub(super) fn use_credit(&mut self, slot: u16, len: usize) {
        if let Some(peer) = self.peers.get_mut(usize::from(slot)) {
            let len = u32::try_from(len).unwrap_or(u32::MAX);
            peer.half_open.credit = peer.half_open.credit.saturating_sub(len);
        }
    }

    /// Sets the time. It does not go back.
    pub(super) fn advance(&mut self, now: u64) {
        self.now = self.now.max(now);
    }

    /// Returns the time at which something is due.
    pub(super) fn next_timeout(&self) -> Option<u64> {
        if !self.ready.is_empty() {
            return Some(self.now);
        }
        let adjustment = self.bandwidth.next(self.config.outgoing_bandwidth);
        Some(self.next_deadline.min(adjustment)).filter(|time| *time != NEVER)
    }

    /// Sets the time at which a peer must be served even if nothing happens.
    pub(super) fn set_deadline(&mut self, slot: u16) {
        let ping_interval = u64::from(self.config.ping_interval);
        let Some(peer) = self.peer(slot) else { return };
        let mut due = NEVER;
        if let Some(first) = peer.sent.first().and_then(|id| self.arena.outgoing.get(id)) {
            due = first.sent_at.saturating_add(first.timeout.into());
        } else if peer.state == State::Connected {
            due = peer.last_receive.map_or(0, |last| last.saturating_add(ping_interval));
        }
        if peer.state == State::HalfOpen {
            let end = peer.half_open.opened.saturating_add(self.config.timeout_maximum.into());
            due = due.min(end);
        }
        if let Some(deadline) = self.deadlines.get_mut(usize::from(slot)) {
            *deadline = due;
        }
        self.next_deadline = self.next_deadline.min(due);
    }

    /// Lets the peers for which something is due be served.
    pub(super) fn wake(&mut self) {
        self.adjust_bandwidth();
        if self.now < self.next_deadline {
            return;
        }
        self.next_deadline = NEVER;
        for (slot, deadline) in (0..).zip(self.deadlines.iter_mut()) {
            if *deadline <= self.now {
                *deadline = NEVER;
                self.ready.push(slot);
            } else {
                self.next_deadline = self.next_deadline.min(*deadline);
            }
        }
    }
}

impl super::peer::HalfOpen {
    fn remember(&mut self, time: u16) {
        let [first, second, third, _] = self.sent_at;
        self.sent_at = [time, first, second, third];
        self.sent_count = self.sent_count.saturating_add(1).min(4);
    }
}

impl Arena {
    /// Writes acknowledgements. Returns `true` if one of them was that of a DISCONNECT.
    fn write_acknowledgements(&mut self, peer: &mut Peer, batch: &mut Batch<'_>) -> bool {
        const LEN: usize = 8;
        let mut has_ended = false;
        while !peer.acknowledgements.is_empty() && batch.has_space(LEN) {
            let Some(item) = self.pop_acknowledgement(peer) else { break };
            let body = Body::Acknowledge(Acknowledge {
                sequence: item.sequence,
                sent_time: item.sent_time,
            });
            let (channel, sequence) = (item.channel, item.sequence);
            batch.write(&Command { flags: Flags::NONE, channel, sequence, body }, 0);
            has_ended |= item.is_disconnect;
        }
        has_ended
    }

    /// Queues the commands again whose time is over. Returns `true` if the connection is dead.
    fn resend(&mut self, peer: &mut Peer, now: u64, config: &Config) -> bool {
        let is_over =
            |command: &Outgoing| now.saturating_sub(command.sent_at) >= command.timeout.into();
        let first = peer.sent.first().and_then(|id| self.outgoing.get(id));
        if peer.state == State::HalfOpen {
            let age = now.saturating_sub(peer.half_open.opened);
            if age >= config.timeout_maximum.into() {
                return true;
            }
        }
        // ENet looks at the first one only, to decide whether to look at all.
        if !first.is_some_and(is_over) {
            return false;
        }
        let (commands, reliable) = (peer.commands.first(), peer.reliable.first());
        let mut at = peer.sent.first();
        while let Some(id) = at {
            at = self.outgoing.links.next(id);
            let Some(command) = self.outgoing.get_mut(id) else { break };
            if !is_over(command) {
                continue;
            }
            let earliest = peer.earliest_timeout.unwrap_or(command.sent_at).min(command.sent_at);
            peer.earliest_timeout = Some(earliest);
            if is_dead(command, now.saturating_sub(earliest), config) {
                return true;
            }
            peer.loss.lost = peer.loss.lost.saturating_add(1);
            command.timeout = command.timeout.saturating_mul(2);
            command.is_in_transit = false;
            let is_data = command.packet != NIL;
            let len = u32::from(command.len);
            self.outgoing.links.remove(&mut peer.sent, id);
            if is_data {
                peer.in_transit = peer.in_transit.saturating_sub(len);
                self.outgoing.links.insert_before(&mut peer.reliable, reliable, id);
            } else {
                self.outgoing.links.insert_before(&mut peer.commands, commands, id);
            }
        }
        false
    }

    /// Writes commands as long as they fit, and the windows allow them.
    fn write_commands(
        &mut self,
        peer: &mut Peer,
        now: u64,
        config: &Config,
        batch: &mut Batch<'_>,
    ) {
        let (mut next, mut next_reliable) = (peer.commands.first(), peer.reliable.first());
        loop {
            let order = |id: Option<u32>| {
                id.and_then(|id| self.outgoing.get(id)).map_or(u64::MAX, |command| command.order)
            };
            let is_reliable = order(next_reliable) < order(next);
            let Some(id) = (if is_reliable { next_reliable } else { next }) else { return };
            let Some(command) = self.outgoing.get(id).copied() else { return };
            let after = self.outgoing.links.next(id);
            if is_reliable && self.must_wait(peer, &command) {
                next_reliable = None;
                continue;
            }
            let len = command.header_len().saturating_add(command.len);
            if !batch.has_space(len.into()) {
                if peer.state == State::HalfOpen {
                    // VERIFY_CONNECT waits for more credit. The ping after it may fit.
                    next = after;
                    continue;
                }
                return;
            }
            if is_reliable {
                next_reliable = after;
            } else {
                next = after;
            }
            if command.is_reliable {
                self.send_reliable(peer, now, id, batch);
            } else if !self.send_unreliable(peer, id, &command) {
                next = self.drop_fragments(peer, next, &command);
                continue;
            }
            peer.loss.sent = peer.loss.sent.saturating_add(1);
            self.write_command(peer, &command, config, batch);
            if !command.is_reliable {
                self.release_outgoing(peer, id);
            }
        }
    }

    /// Returns `true` if a reliable packet must wait for acknowledgements, and those after it with
    /// it.
    fn must_wait(&self, peer: &Peer, command: &Outgoing) -> bool {
        let is_new = command.attempts == 0;
        let channel = self.channel(peer, command.channel);
        let window = peer.throttle.window(peer.window).max(peer.mtu.into());
        is_new && channel.is_some_and(|channel| channel.is_blocked(command.sequence))
            || peer.in_transit.saturating_add(command.len.into()) > window
    }

    /// Moves a reliable command to those that wait for acknowledgement.
    fn send_reliable(&mut self, peer: &mut Peer, now: u64, id: u32, batch: &mut Batch<'_>) {
        let timeout = peer.round_trip.timeout();
        let Some(command) = self.outgoing.get_mut(id) else { return };
        let is_first = command.attempts == 0;
        command.attempts = command.attempts.saturating_add(1);
        if command.timeout == 0 {
            command.timeout = timeout;
        }
        (command.sent_at, command.is_in_transit) = (now, true);
        let command = *command;
        let is_data = command.packet != NIL;
        let list = if is_data { &mut peer.reliable } else { &mut peer.commands };
        self.outgoing.links.remove(list, id);
        self.outgoing.links.push_back(&mut peer.sent, id);
        peer.in_transit = peer.in_transit.saturating_add(command.len.into());
        if is_data
            && is_first
            && let Some(channel) = self.channel_mut(peer, command.channel)
        {
            channel.sent(command.sequence);
        }
        batch.has_reliable = true;
    }

    /// Takes an unreliable command out of its queue. Returns `false` if the throttle drops it.
    fn send_unreliable(&mut self, peer: &mut Peer, id: u32, command: &Outgoing) -> bool {
        self.outgoing.links.remove(&mut peer.commands, id);
        let is_packet = command.packet != NIL && command.offset == 0;
        if is_packet && !peer.throttle.admits() {
            self.release_outgoing(peer, id);
            return false;
        }
        true
    }

    /// Drops the other fragments of a packet whose first one was dropped. (ENet also drops the
    /// unsequenced packets that follow an unsequenced one, since all have the number 0.)
    fn drop_fragments(
        &mut self,
        peer: &mut Peer,
        mut next: Option<u32>,
        first: &Outgoing,
    ) -> Option<u32> {
        while let Some(id) = next
            && let Some(command) = self.outgoing.get(id)
            && command.packet == first.packet
            && command.offset > 0
        {
            next = self.outgoing.links.next(id);
            self.outgoing.links.remove(&mut peer.commands, id);
            self.release_outgoing(peer, id);
        }
        next
    }

    /// Queues a ping if nothing has been acknowledged for some time, and nothing reliable is under
    /// way.
    fn ping(&mut self, peer: &mut Peer, now: u64, config: &Config) -> bool {
        let is_due = |last: u64| now.saturating_sub(last) >= config.ping_interval.into();
        peer.state == State::Connected
            && peer.sent.is_empty()
            && peer.last_receive.is_none_or(is_due)
            && self.queue_control(peer, Kind::Ping, true, 0)
    }

    fn write_command(
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

/// Returns `true` if a command has waited too long for its acknowledgement.
fn is_dead(command: &Outgoing, waited: u64, config: &Config) -> bool {
    let repetitions = u32::from(command.attempts.saturating_sub(1)).min(31);
    waited >= config.timeout_maximum.into()
        || 1_u32 << repetitions >= config.timeout_limit && waited >= config.timeout_minimum.into()
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
