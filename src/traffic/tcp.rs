//! Decodes conversations over TCP, which consist of two streams of bytes.

#[cfg(feature = "serde")]
pub(super) mod state;

use super::context::Context;
use super::options::Options;
use super::other::Unread;
use super::peers::Peers;
use super::record::Record;
use super::stream::{Connection, StreamContent};
use crate::transport::Breakdown;
use crate::transport::tcp::{Novelty, Segment, Stream};

/// Both directions of a TCP connection.
#[derive(Clone, Debug)]
pub(super) struct TcpFlow {
    /// Indexed by the side of the sender.
    directions: [Direction; 2],
    peers: Peers,
    unread: Unread,
}

#[derive(Clone, Debug)]
struct Direction {
    stream: Stream,
    content: StreamContent,
}

impl TcpFlow {
    pub(super) fn new(options: &Options) -> Self {
        let directions = [options.limits.tcp; 2].map(|limits| Direction {
            stream: Stream::new().limits(limits),
            content: StreamContent::default(),
        });
        Self { directions, peers: Peers::new(options), unread: Unread::default() }
    }

    pub(super) fn memory(&self) -> usize {
        let directions = self
            .directions
            .iter()
            .map(|direction| direction.stream.memory().saturating_add(direction.content.memory()));
        directions.fold(self.peers.paths.memory(), usize::saturating_add)
    }

    /// Returns the number of bytes that are in no record.
    pub(super) fn unread_bytes(&self) -> u64 {
        self.unread.bytes
    }

    /// Starts the count of unread bytes anew. Returns the count without the bytes that may still be
    /// reported, which the new count includes.
    pub(super) fn restart_count(&mut self) -> u64 {
        let held = self.directions.iter().map(|direction| direction.content.held());
        let held = held.fold(0, usize::saturating_add) as u64;
        core::mem::replace(&mut self.unread.bytes, held).saturating_sub(held)
    }

    pub(super) fn reset(&mut self, options: &Options) {
        *self = Self::new(options);
    }

    /// Processes a segment. Returns an upper bound of the growth in memory.
    #[inline]
    pub(super) fn segment(
        &mut self,
        context: &Context<'_>,
        segment: Segment<'_>,
        breakdown: &mut Breakdown,
        listener: &mut impl FnMut(&Record<'_>),
    ) -> usize {
        let (Direction { stream, content }, mut connection) = self.direction(context, breakdown);
        let window = stream.memory();
        let novelty = stream.feed(segment, |event| content.event(&mut connection, event, listener));
        count_segment(segment.payload.len(), novelty, connection.breakdown);
        // A single byte after a gap makes the stream allocate a window for all bytes missing before
        // it.
        stream.memory().saturating_sub(window).saturating_add(segment.payload.len())
    }

    /// Returns `true` if bytes wait for missing or further bytes.
    pub(super) fn is_waiting(&self) -> bool {
        self.directions
            .iter()
            .any(|Direction { stream, content }| stream.is_waiting() || content.is_waiting())
    }

    /// Reports packets that wait for missing bytes, and bytes of incomplete packets.
    pub(super) fn finish(
        &mut self,
        context: &Context<'_>,
        breakdown: &mut Breakdown,
        listener: &mut impl FnMut(&Record<'_>),
    ) {
        let (Direction { stream, content }, mut connection) = self.direction(context, breakdown);
        stream.flush(|event| content.event(&mut connection, event, listener));
        content.give_up(&mut connection, listener);
    }

    #[inline(always)]
    fn direction<'c>(
        &'c mut self,
        context: &'c Context<'c>,
        breakdown: &'c mut Breakdown,
    ) -> (&'c mut Direction, Connection<'c>) {
        let Self { directions: [low, high], peers, unread } = self;
        let direction = if context.side { high } else { low };
        (direction, Connection { peers, unread, breakdown, context })
    }
}

/// Counts the payload of a segment.
#[inline(always)]
fn count_segment(len: usize, novelty: Novelty, breakdown: &mut Breakdown) {
    let Novelty { new, repeated } = novelty;
    if new > 0 {
        breakdown.accepted.add(new);
    }
    if new < len {
        count_old(len.wrapping_sub(new), repeated, breakdown);
    }
}

#[cold]
fn count_old(old: usize, repeated: usize, breakdown: &mut Breakdown) {
    if repeated > 0 {
        breakdown.repeated.add(repeated);
    }
    if repeated < old {
        breakdown.outside.add(old.wrapping_sub(repeated));
    }
}
