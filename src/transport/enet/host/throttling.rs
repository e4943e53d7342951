//! Limits of bandwidth: once a second, the throttles of the peers are limited so that what is sent
//! fits, and the peers are told how much they may send. The formulas are those of ENet's
//! `enet_host_bandwidth_throttle`.

use super::bandwidth::INTERVAL;
use super::commands::Kind;
use super::connections::Connections;
use super::peer::Peer;
use super::round_trip::Throttle;

impl Connections {
    /// Adjusts the throttles if a second is over.
    pub(super) fn adjust_bandwidth(&mut self) {
        let elapsed = self.now.saturating_sub(self.bandwidth.epoch);
        if elapsed < INTERVAL {
            return;
        }
        self.bandwidth.epoch = self.now;
        let peers = self.connected().count() as u64;
        let has_limits = self.connected().any(|peer| peer.incoming_bandwidth != 0);
        self.bandwidth.has_limits = has_limits;
        if peers == 0 {
            self.bandwidth.recalculate = false;
            return;
        }
        self.limit_throttles(peers, elapsed);
        if self.bandwidth.recalculate {
            self.bandwidth.recalculate = false;
            self.share_incoming(peers);
        }
    }

    fn connected(&self) -> impl Iterator<Item = &Peer> {
        self.peers.iter().filter(|peer| peer.is_connected())
    }

    fn connected_mut(&mut self) -> impl Iterator<Item = &mut Peer> {
        self.peers.iter_mut().filter(|peer| peer.is_connected())
    }

    /// Limits first the peers that receive less than their part of the outgoing bandwidth, and then
    /// the others.
    fn limit_throttles(&mut self, peers: u64, elapsed: u64) {
        let per_interval = |bandwidth: u32| u64::from(bandwidth).saturating_mul(elapsed) / 1000;
        let mut bandwidth = u64::from(u32::MAX);
        let mut total = bandwidth;
        if self.config.outgoing_bandwidth != 0 {
            bandwidth = per_interval(self.config.outgoing_bandwidth);
            total = self.connected().map(|peer| u64::from(peer.outgoing_total)).sum();
        }
        self.connected_mut().for_each(|peer| peer.is_limited = false);
        let mut remaining = peers;
        let mut changed = true;
        while remaining > 0 && core::mem::take(&mut changed) {
            let throttle = throttle_for(bandwidth, total);
            for peer in self.connected_mut() {
                let own = per_interval(peer.incoming_bandwidth);
                let wanted = u64::from(peer.outgoing_total);
                let is_within = throttle.saturating_mul(wanted) / SCALE <= own;
                if peer.incoming_bandwidth == 0 || peer.is_limited || is_within {
                    continue;
                }
                let limit = own.saturating_mul(SCALE).checked_div(wanted).unwrap_or(SCALE);
                peer.throttle.set_limit(limit.clamp(1, SCALE) as u32);
                (peer.is_limited, peer.outgoing_total, changed) = (true, 0, true);
                remaining = remaining.saturating_sub(1);
                bandwidth = bandwidth.saturating_sub(own);
                total = total.saturating_sub(own);
            }
        }
        let throttle = throttle_for(bandwidth, total) as u32;
        for peer in self.connected_mut().filter(|peer| !peer.is_limited) {
            peer.throttle.set_limit(throttle);
            peer.outgoing_total = 0;
        }
    }

    /// Divides the incoming bandwidth among the peers: those that send less than their part keep
    /// what they send, and the others share the rest. Tells each peer its part.
    fn share_incoming(&mut self, peers: u64) {
        let mut bandwidth = u64::from(self.config.incoming_bandwidth);
        let mut limit = 0;
        self.connected_mut().for_each(|peer| peer.is_limited = false);
        let mut remaining = peers;
        let mut changed = bandwidth != 0;
        while remaining > 0 && core::mem::take(&mut changed) {
            limit = bandwidth.checked_div(remaining).unwrap_or(0);
            for peer in self.connected_mut().filter(|peer| !peer.is_limited) {
                let own = u64::from(peer.outgoing_bandwidth);
                if own > 0 && own >= limit {
                    continue;
                }
                (peer.is_limited, changed) = (true, true);
                remaining = remaining.saturating_sub(1);
                bandwidth = bandwidth.saturating_sub(own);
            }
        }
        for slot in 0..self.peers.len() as u16 {
            let Some((peer, arena)) = self.with_arena(slot) else { continue };
            if peer.is_connected() {
                let part = if peer.is_limited { peer.outgoing_bandwidth } else { limit as u32 };
                arena.queue_control(peer, Kind::BandwidthLimit, true, part);
                self.set_ready(slot);
            }
        }
    }
}

const SCALE: u64 = Throttle::SCALE as u64;

fn throttle_for(bandwidth: u64, total: u64) -> u64 {
    if total <= bandwidth {
        return SCALE;
    }
    bandwidth.saturating_mul(SCALE).checked_div(total).unwrap_or(SCALE)
}
