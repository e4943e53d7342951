//! Clearing of the queues of a peer.

use super::arena::Arena;
use super::list::List;
use super::peer::Peer;

impl Arena {
    /// Releases everything of a peer but the packets for the application.
    pub(super) fn clear(&mut self, peer: &mut Peer) {
        while self.pop_acknowledgement(peer).is_some() {}
        self.clear_outgoing(peer, |peer| &mut peer.commands);
        self.clear_outgoing(peer, |peer| &mut peer.reliable);
        self.clear_outgoing(peer, |peer| &mut peer.sent);
        peer.in_transit = 0;
        let mut waiting = core::mem::take(&mut peer.waiting);
        self.clear_incoming(peer, &mut waiting);
        for number in 0..peer.channels.min(255) as u8 {
            if let Some(mut waiting) = self.channel(peer, number).map(|channel| channel.waiting) {
                self.clear_incoming(peer, &mut waiting);
            }
        }
        self.release_channels(peer);
    }

    /// Releases the packets for the application.
    pub(super) fn clear_dispatched(&mut self, peer: &mut Peer) {
        let mut dispatched = core::mem::take(&mut peer.dispatched);
        self.clear_incoming(peer, &mut dispatched);
    }

    fn clear_outgoing(&mut self, peer: &mut Peer, list: impl Fn(&mut Peer) -> &mut List) {
        while let Some(id) = self.outgoing.links.pop_front(list(peer)) {
            self.release_outgoing(peer, id);
        }
    }

    fn clear_incoming(&mut self, peer: &mut Peer, list: &mut List) {
        while let Some(id) = self.incoming.links.pop_front(list) {
            self.release_incoming(peer, id);
        }
    }
}
