//! Datagrams to send: as many commands of a peer as fit, in the order in which they were queued.

use super::checksum::crc32;
use super::config::MAX_PEERS;
use super::connections::Connections;
use super::event::DisconnectReason;
use super::peer::State;
use super::write::{Batch, HEADROOM};

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
        if is_full && count > 0 && peer.state != State::HalfOpen {
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
}

impl super::peer::HalfOpen {
    fn remember(&mut self, time: u16) {
        let [first, second, third, _] = self.sent_at;
        self.sent_at = [time, first, second, third];
        self.sent_count = self.sent_count.saturating_add(1).min(4);
    }
}
