//! What all channels of a session share: memory for what has to wait, and the way to
//! whoever listens.

use super::store::{Chain, Store};
use super::{Delivery, Event, Limits, Lost, Mode};
use crate::transport::enet::Fragment;
use alloc::collections::VecDeque;
use alloc::vec::Vec;

/// A fragment without its bytes.
pub(super) type Part = Fragment<'static>;

/// A command that waits. It has to be given back to its room.
#[derive(Debug)]
pub(super) struct Wait {
    pub(super) sequence: u16,
    pub(super) part: Option<Part>,
    pub(super) bytes: Chain,
    /// By the room's clock.
    pub(super) since: u64,
}

#[derive(Debug)]
pub(super) struct Room {
    limits: Limits,
    pub(super) store: Store,
    /// How many commands wait.
    waiting: usize,
    /// Counts what came to wait.
    clock: u64,
    /// A packet, in one piece.
    pub(super) packet: Vec<u8>,
    /// What a command that waited brought, in one piece.
    pub(super) payload: Vec<u8>,
}

impl Room {
    pub(super) fn new(limits: Limits) -> Self {
        let store = Store::new(limits.buffered);
        Self { limits, store, waiting: 0, clock: 0, packet: Vec::new(), payload: Vec::new() }
    }

    /// Forgets all that waits.
    pub(super) fn clear(&mut self) {
        self.store.clear();
        self.waiting = 0;
    }

    pub(super) fn memory(&self) -> usize {
        let scratch = self.packet.capacity().saturating_add(self.payload.capacity());
        self.store.memory().saturating_add(scratch)
    }

    pub(super) fn now(&mut self) -> u64 {
        self.clock = self.clock.wrapping_add(1);
        self.clock
    }

    /// Whether a packet is larger than it may be.
    pub(super) fn too_large(&self, part: &Part) -> bool {
        u64::from(part.total) > self.limits.packet as u64
    }

    /// A command that has to wait, if there is room.
    pub(super) fn keep(
        &mut self,
        sequence: u16,
        part: Option<Part>,
        payload: &[u8],
    ) -> Option<Wait> {
        let mut bytes = Chain::EMPTY;
        if self.waiting >= self.limits.waiting || !self.store.append(&mut bytes, payload) {
            return None;
        }
        self.waiting = self.waiting.wrapping_add(1);
        Some(Wait { sequence, part, bytes, since: self.now() })
    }

    pub(super) fn release(&mut self, wait: Wait) {
        self.waiting = self.waiting.saturating_sub(1);
        self.store.release(wait.bytes);
    }
}

/// A channel's way to the room and to whoever listens.
pub(super) struct Desk<'r, E> {
    pub(super) channel: u8,
    pub(super) room: &'r mut Room,
    pub(super) each: &'r mut E,
}

impl<E: FnMut(Event<'_>)> Desk<'_, E> {
    pub(super) fn deliver(&mut self, mode: Mode, number: u16, payload: &[u8]) {
        (self.each)(Event::Delivery(Delivery { channel: self.channel, mode, number, payload }));
    }

    /// Delivers what was put together in the room.
    pub(super) fn deliver_packet(&mut self, mode: Mode, number: u16) {
        let payload = self.room.packet.as_slice();
        (self.each)(Event::Delivery(Delivery { channel: self.channel, mode, number, payload }));
    }

    pub(super) fn lost(&mut self, mode: Mode, first: u16, count: u32) {
        (self.each)(Event::Lost(Lost { channel: self.channel, mode, first, count }));
    }
}

/// Why a command was not taken in.
pub(super) enum Refused {
    /// There is no room.
    NoRoom,
    /// A fragment contradicts itself, or another one of the packet.
    Bad,
}

pub(super) type Taken = Result<(), Refused>;

pub(super) fn pop_if(waiting: &mut VecDeque<Wait>, wanted: impl Fn(&Wait) -> bool) -> Option<Wait> {
    waiting.front().is_some_and(wanted).then(|| waiting.pop_front())?
}

/// Of what was needed in a burst little is kept: there are 255 channels.
pub(super) fn tidy(waiting: &mut VecDeque<Wait>) {
    const KEPT: usize = 32;
    if waiting.capacity() > KEPT && waiting.len() < waiting.capacity() / 4 {
        waiting.shrink_to(waiting.len().saturating_mul(2).max(KEPT));
    }
}
