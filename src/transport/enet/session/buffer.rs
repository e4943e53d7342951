//! State shared by all channels of a session: the memory of waiting packets, and the callback.

use super::block_pool::{BlockPool, Chain};
use super::event::{Arrival, Delivery, Event, Lost, Packet};
use super::limits::Limits;
use crate::transport::enet::Fragment;
use alloc::collections::VecDeque;
use alloc::vec::Vec;

/// The fields of a fragment, with an empty payload.
pub(super) type FragmentInfo = Fragment<'static>;

/// A command that waits for earlier ones. When it no longer has to wait, it must be passed to
/// [`PacketBuffer::release`].
#[derive(Clone, Debug)]
pub(super) struct QueuedCommand {
    pub(super) sequence: u16,
    pub(super) part: Option<FragmentInfo>,
    pub(super) bytes: Chain,
    /// Time of arrival according to the buffer's clock.
    pub(super) since: u64,
}

/// The bytes of all waiting commands.
#[derive(Clone, Debug)]
pub(super) struct PacketBuffer {
    limits: Limits,
    pub(super) pool: BlockPool,
    /// Number of waiting commands.
    waiting: usize,
    /// Number of commands that had to wait so far. Serves as the clock for times of arrival.
    pub(super) clock: u64,
    /// Scratch memory to reassemble a packet.
    pub(super) packet: Vec<u8>,
    /// Scratch memory for the payload of a command that waited.
    pub(super) payload: Vec<u8>,
}

impl PacketBuffer {
    pub(super) fn new(limits: Limits) -> Self {
        let pool = BlockPool::new(limits.buffered);
        Self { limits, pool, waiting: 0, clock: 0, packet: Vec::new(), payload: Vec::new() }
    }

    /// Drops all waiting commands.
    pub(super) fn clear(&mut self) {
        self.pool.clear();
        self.waiting = 0;
    }

    pub(super) fn memory(&self) -> usize {
        let scratch = self.packet.capacity().saturating_add(self.payload.capacity());
        self.pool.memory().saturating_add(scratch)
    }

    pub(super) fn now(&mut self) -> u64 {
        self.clock = self.clock.wrapping_add(1);
        self.clock
    }

    /// Returns `true` if the packet of a fragment exceeds [`Limits::packet`].
    pub(super) fn too_large(&self, part: &FragmentInfo) -> bool {
        u64::from(part.total) > self.limits.packet as u64
    }

    /// Stores a command that must wait. Returns `None` if the buffer is full.
    pub(super) fn store(
        &mut self,
        sequence: u16,
        part: Option<FragmentInfo>,
        payload: &[u8],
    ) -> Option<QueuedCommand> {
        let mut bytes = Chain::EMPTY;
        if self.waiting >= self.limits.waiting || !self.pool.append(&mut bytes, payload) {
            return None;
        }
        self.waiting = self.waiting.wrapping_add(1);
        Some(QueuedCommand { sequence, part, bytes, since: self.now() })
    }

    pub(super) fn release(&mut self, queued: QueuedCommand) {
        self.waiting = self.waiting.saturating_sub(1);
        self.pool.release(queued.bytes);
    }
}

/// The shared state and the callback, for use by one channel.
pub(super) struct ChannelContext<'r, E> {
    pub(super) channel: u8,
    pub(super) buffer: &'r mut PacketBuffer,
    pub(super) each: &'r mut E,
}

impl<E: FnMut(Event<'_>)> ChannelContext<'_, E> {
    pub(super) fn deliver(&mut self, delivery: Delivery, number: u16, payload: &[u8]) {
        (self.each)(Event::Packet(Packet { channel: self.channel, delivery, number, payload }));
    }

    /// Delivers the packet that was reassembled in the buffer.
    pub(super) fn deliver_packet(&mut self, delivery: Delivery, number: u16) {
        let payload = self.buffer.packet.as_slice();
        (self.each)(Event::Packet(Packet { channel: self.channel, delivery, number, payload }));
    }

    pub(super) fn lost(&mut self, delivery: Delivery, first: u16, count: u32) {
        (self.each)(Event::Lost(Lost { channel: self.channel, delivery, first, count }));
    }
}

/// The reason why a command is rejected.
pub(super) enum Rejected {
    /// The buffer is full.
    Full,
    /// The fields of a fragment contradict each other, or another fragment of the packet.
    Malformed,
}

pub(super) type PushResult = Result<Arrival, Rejected>;

pub(super) fn pop_if(
    queue: &mut VecDeque<QueuedCommand>,
    condition: impl Fn(&QueuedCommand) -> bool,
) -> Option<QueuedCommand> {
    queue.front().is_some_and(condition).then(|| queue.pop_front())?
}

/// Shrinks a queue after a burst. Otherwise up to 255 channels would each keep a large queue.
pub(super) fn shrink(queue: &mut VecDeque<QueuedCommand>) {
    const MIN_CAPACITY: usize = 32;
    if queue.capacity() > MIN_CAPACITY && queue.len() < queue.capacity() / 4 {
        queue.shrink_to(queue.len().saturating_mul(2).max(MIN_CAPACITY));
    }
}
