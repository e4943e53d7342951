//! Reports of refused packets.

use super::Peer;
use super::event::Denied;
use super::events::Record;

impl Peer {
    /// Counts a refused packet, and reports the first one of its kind.
    pub(super) fn refuse(&mut self, from: i32, denied: Denied<'_>) {
        let Denied { why, node, method, path } = denied;
        let counts = match self.remotes.get_mut(from) {
            Some(remote) => {
                if remote.refused.is_flushed() {
                    self.refused_peers.push(from);
                }
                &mut remote.refused
            }
            None => &mut self.unknown,
        };
        if counts.count(why) {
            let path = path.as_bytes();
            let path = path.get(..path.len().min(MAX_REPORTED_PATH)).unwrap_or_default();
            self.events.push(Record::Refused { from, why, count: 1, node, method }, path);
        }
    }

    /// Reports the counts of refused packets.
    pub(super) fn flush_refusals(&mut self) {
        let Self { remotes, events, unknown, refused_peers, .. } = self;
        let mut report = |from, why, count| {
            events.push(Record::Refused { from, why, count, node: None, method: None }, &[]);
        };
        unknown.flush(|why, count| report(0, why, count));
        while let Some(from) = refused_peers.pop() {
            if let Some(remote) = remotes.get_mut(from) {
                remote.refused.flush(|why, count| report(from, why, count));
            }
        }
    }
}

/// Maximum number of bytes of a path in [`Event::Refused`](super::Event::Refused).
const MAX_REPORTED_PATH: usize = 255;
