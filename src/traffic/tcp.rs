//! Conversations over TCP: two streams of bytes.

use super::context::Context;
use super::options::Options;
use super::other::Unread;
use super::peers::Peers;
use super::record::Record;
use super::stream::{Connection, StreamContent};
use crate::transport::tcp::{Segment, Stream};

/// Both directions of a TCP connection.
#[derive(Debug)]
pub(super) struct TcpFlow {
    /// Indexed by the side of the sender.
    directions: [Direction; 2],
    peers: Peers,
    unread: Unread,
}

#[derive(Debug)]
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

    pub(super) fn reset(&mut self, options: &Options) {
        *self = Self::new(options);
    }

    /// Processes a segment. Returns an upper bound of the growth in memory.
    #[inline]
    pub(super) fn segment(
        &mut self,
        context: &Context<'_>,
        segment: Segment<'_>,
        listener: &mut impl FnMut(&Record<'_>),
    ) -> usize {
        let (Direction { stream, content }, mut connection) = self.direction(context);
        let window = stream.memory();
        stream.feed(segment, |event| content.event(&mut connection, event, listener));
        // A single byte that arrives early can allocate a window for all bytes missing before it.
        stream.memory().saturating_sub(window).saturating_add(segment.payload.len())
    }

    /// Reports packets that wait for missing bytes, and bytes of incomplete packets.
    pub(super) fn finish(&mut self, context: &Context<'_>, listener: &mut impl FnMut(&Record<'_>)) {
        let (Direction { stream, content }, mut connection) = self.direction(context);
        stream.flush(|event| content.event(&mut connection, event, listener));
        content.give_up(&mut connection, listener);
    }

    #[inline(always)]
    fn direction<'c>(
        &'c mut self,
        context: &'c Context<'c>,
    ) -> (&'c mut Direction, Connection<'c>) {
        let Self { directions: [low, high], peers, unread } = self;
        let direction = if context.side { high } else { low };
        (direction, Connection { peers, unread, context })
    }
}
