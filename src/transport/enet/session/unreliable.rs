//! Unreliable packets of a channel: delivered in order, with gaps.
//!
//! As in ENet, each unreliable packet follows a reliable packet. It waits for this reliable packet,
//! and is dropped once the next reliable packet has arrived.

use super::buffer::{
    ChannelContext, FragmentInfo, PushResult, QueuedCommand, Rejected, pop_if, shrink,
};
use super::event::{Arrival, Delivery, Event};
use alloc::collections::VecDeque;

/// Identifies an unreliable packet on its channel. `sequence` is the sequence number of the last
/// reliable packet before it. `number` counts the unreliable packets after this reliable packet.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct PacketNumber {
    pub(super) sequence: u16,
    pub(super) number: u16,
}

impl PacketNumber {
    fn is_after(self, other: Self) -> bool {
        let ahead = self.sequence.wrapping_sub(other.sequence) as i16;
        // `number` does not wrap around: ENet sends a reliable packet instead when `number` has
        // reached its maximum.
        ahead > 0 || ahead == 0 && self.number > other.number
    }

    /// Returns a sort key for packets that follow the reliable packet `base` or a later one.
    fn order_after(self, base: u16) -> u32 {
        u32::from(self.sequence.wrapping_sub(base)) << 16 | u32::from(self.number)
    }
}

/// The arrival of an unreliable packet relative to the reliable packet that it follows.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Timing {
    Early,
    InOrder,
    Late,
}

impl QueuedCommand {
    fn packet(&self) -> PacketNumber {
        PacketNumber { sequence: self.sequence, number: self.part.map_or(0, |part| part.start) }
    }

    fn number(&self) -> u32 {
        self.part.map_or(0, |part| part.number)
    }
}

#[derive(Clone, Debug, Default)]
pub(super) struct Unreliable {
    pub(super) newest: Option<PacketNumber>,
    /// Fragments of packets after `newest`, in order. A packet without fragments is stored as one
    /// fragment.
    pub(super) parts: VecDeque<QueuedCommand>,
    /// The sequence number of a reliable packet, if [`give_up`](Self::give_up) has found that no
    /// complete packet waits for it.
    pub(super) none_complete_after: Option<u16>,
}

impl Unreliable {
    pub(super) fn clear(&mut self) {
        self.newest = None;
        self.none_complete_after = None;
        self.parts.clear();
        shrink(&mut self.parts);
    }

    pub(super) fn memory(&self) -> usize {
        self.parts.capacity().saturating_mul(size_of::<QueuedCommand>())
    }

    pub(super) fn oldest(&self) -> Option<u64> {
        self.parts.front().map(|queued| queued.since)
    }

    /// Returns the timing of `packet`. `passed` is the sequence number of the last reliable packet
    /// that was delivered or given up. Also returns the sequence number of the reliable packet that
    /// an unreliable packet must currently follow to be in order. If the start of the channel was
    /// not captured, the newest unreliable packet determines this number.
    fn timing(&self, packet: PacketNumber, passed: Option<u16>) -> (Timing, u16) {
        let newest = self.newest.map(|newest| newest.sequence);
        let ahead = |sequence: u16, base: u16| sequence.wrapping_sub(base) as i16;
        let due = match (passed, newest) {
            (Some(passed), Some(newest)) if ahead(newest, passed) > 0 => newest,
            (Some(passed), _) => passed,
            (None, newest) => newest.unwrap_or(packet.sequence),
        };
        // Also compares with `passed`, because the newest packet may be far ahead of it.
        let late = passed.is_some_and(|passed| ahead(packet.sequence, passed) < 0);
        let timing = match ahead(packet.sequence, due) {
            _ if late => Timing::Late,
            ..0 => Timing::Late,
            0 if self.newest.is_some_and(|newest| !packet.is_after(newest)) => Timing::Late,
            1.. if passed.is_some() => Timing::Early,
            _ => Timing::InOrder,
        };
        (timing, due)
    }

    /// Classifies a packet that is not delivered because it is not newer than the newest packet.
    fn late(&self, packet: PacketNumber) -> Arrival {
        if self.newest == Some(packet) { Arrival::Repeated } else { Arrival::Late }
    }

    /// Processes a packet without fragments.
    pub(super) fn push<E: FnMut(Event<'_>)>(
        &mut self,
        packet: PacketNumber,
        passed: Option<u16>,
        payload: &[u8],
        context: &mut ChannelContext<'_, E>,
    ) -> PushResult {
        match self.timing(packet, passed).0 {
            Timing::InOrder => {
                self.pass(packet, context);
                context.deliver(Delivery::Unreliable, packet.number, payload);
                Ok(Arrival::InOrder)
            }
            Timing::Early => {
                let (start, total) = (packet.number, payload.len() as u32);
                let fragment =
                    FragmentInfo { start, count: 1, number: 0, total, offset: 0, payload: &[] };
                self.push_fragment(packet.sequence, passed, fragment, payload, context)
            }
            Timing::Late => Ok(self.late(packet)),
        }
    }

    /// Delivers the complete packets that follow the reliable packet `passed`, which has arrived or
    /// was given up. Drops packets that follow earlier reliable packets.
    #[allow(clippy::disallowed_methods, reason = "`index` is in range")]
    pub(super) fn advance<E: FnMut(Event<'_>)>(
        &mut self,
        passed: u16,
        context: &mut ChannelContext<'_, E>,
    ) {
        let mut index = 0;
        while let Some((packet, part)) =
            self.parts.get(index).and_then(|queued| Some((queued.packet(), queued.part?)))
        {
            let (ahead, waiting) = (packet.sequence.wrapping_sub(passed) as i16, self.parts.len());
            let last = index.saturating_add(part.count as usize).wrapping_sub(1);
            if ahead > 0 {
                return;
            } else if ahead < 0 {
                self.pass(packet, context);
            } else if self.parts.get(last).is_some_and(|queued| queued.packet() == packet) {
                self.complete(index, last, packet, part, context);
            } else {
                let others = self.parts.range(index..);
                let same = others.take_while(|queued| queued.packet() == packet).count();
                index = index.saturating_add(same.max(1));
                continue;
            }
            if self.parts.len() == waiting {
                return; // guarantees progress
            }
            index = 0;
        }
    }

    /// Makes `packet` the newest packet. Reports incomplete packets up to it as lost.
    fn pass<E: FnMut(Event<'_>)>(
        &mut self,
        packet: PacketNumber,
        context: &mut ChannelContext<'_, E>,
    ) {
        let mut reported = None;
        while let Some(queued) = pop_if(&mut self.parts, |queued| !queued.packet().is_after(packet))
        {
            if reported.replace(queued.packet()) != Some(queued.packet()) {
                context.lost(Delivery::Unreliable, queued.packet().number, 1);
            }
            context.buffer.release(queued);
        }
        shrink(&mut self.parts);
        self.newest = Some(packet);
    }

    /// Removes at least one packet from the queue, unless the queue is empty. The oldest packet
    /// waits for a reliable packet. This function stops waiting for that reliable packet, and
    /// delivers the complete packets that waited for it. If there are none, it gives up the oldest
    /// packet. It remembers that all remaining packets with the same reliable packet are
    /// incomplete, so that the next call does not examine them again.
    pub(super) fn give_up<E: FnMut(Event<'_>)>(&mut self, context: &mut ChannelContext<'_, E>) {
        let Some(packet) = self.parts.front().map(QueuedCommand::packet) else { return };
        if self.none_complete_after != Some(packet.sequence) {
            let waiting = self.parts.len();
            self.advance(packet.sequence, context);
            self.none_complete_after = Some(packet.sequence);
            if self.parts.len() < waiting {
                return;
            }
        }
        self.pass(packet, context);
    }

    /// Skips a packet that has no waiting fragments.
    pub(super) fn skip<E: FnMut(Event<'_>)>(
        &mut self,
        packet: PacketNumber,
        context: &mut ChannelContext<'_, E>,
    ) {
        self.pass(packet, context);
        context.lost(Delivery::Unreliable, packet.number, 1);
    }

    /// Processes a fragment.
    #[allow(clippy::disallowed_methods, reason = "a search returns indices up to the end")]
    pub(super) fn push_fragment<E: FnMut(Event<'_>)>(
        &mut self,
        sequence: u16,
        passed: Option<u16>,
        part: FragmentInfo,
        payload: &[u8],
        context: &mut ChannelContext<'_, E>,
    ) -> PushResult {
        let packet = PacketNumber { sequence, number: part.start };
        let (timing, due) = self.timing(packet, passed);
        let arrival = match timing {
            Timing::Late => return Ok(self.late(packet)),
            Timing::Early => Arrival::Early,
            Timing::InOrder => Arrival::InOrder,
        };
        if context.buffer.too_large(&part) {
            if part.number == 0 {
                context.lost(Delivery::Unreliable, part.start, 1);
            }
            return Ok(arrival);
        }
        // All waiting packets follow the reliable packet `due` or a later one.
        let key = |queued: &QueuedCommand| (queued.packet().order_after(due), queued.number());
        let own_key = (packet.order_after(due), part.number);
        let index = self.parts.partition_point(|queued| key(queued) < own_key);
        if self.parts.get(index).is_some_and(|queued| key(queued) == own_key) {
            return Ok(Arrival::Repeated);
        }
        let first = self.parts.partition_point(|queued| key(queued) < (own_key.0, 0));
        if self.parts.get(first).is_some_and(|other| contradict(other, packet, part)) {
            return Err(Rejected::Malformed);
        }
        let queued = context.buffer.store(sequence, Some(part), payload).ok_or(Rejected::Full)?;
        self.parts.insert(index, queued);
        if passed.is_none() && self.newest.is_none() {
            // It is not known whether earlier packets of this channel are missing.
            self.newest = Some(PacketNumber { sequence, number: part.start.saturating_sub(1) });
        }
        let last = first.saturating_add(part.count as usize).wrapping_sub(1);
        let complete = self.parts.get(last).is_some_and(|queued| queued.packet() == packet);
        if complete {
            self.none_complete_after = None;
        }
        if complete && timing == Timing::InOrder {
            self.complete(first, last, packet, part, context);
        }
        Ok(arrival)
    }

    /// Delivers the packet whose fragments are at `first..=last`, or reports it as lost if they
    /// have gaps. The range has as many fragments as the packet should have.
    #[allow(
        clippy::disallowed_methods,
        reason = "both are in range, and `last` is not before `first`"
    )]
    fn complete<E: FnMut(Event<'_>)>(
        &mut self,
        first: usize,
        last: usize,
        packet: PacketNumber,
        part: FragmentInfo,
        context: &mut ChannelContext<'_, E>,
    ) {
        if !self.reassemble(first, last, packet, part, context) {
            return self.pass(packet, context);
        }
        // Removes the fragments first, so that the packet is not reported as lost.
        for queued in self.parts.drain(first..=last) {
            context.buffer.release(queued);
        }
        self.pass(packet, context);
        context.deliver_packet(Delivery::Unreliable, packet.number);
    }

    /// Reassembles a packet in the buffer. Returns `false` if it is not complete.
    #[allow(
        clippy::disallowed_methods,
        reason = "both are in range, and `last` is not before `first`; the drained bytes were just appended"
    )]
    fn reassemble<E>(
        &self,
        first: usize,
        last: usize,
        packet: PacketNumber,
        part: FragmentInfo,
        context: &mut ChannelContext<'_, E>,
    ) -> bool {
        let fragments = self.parts.range(first..=last);
        let bytes = &mut context.buffer.packet;
        bytes.clear();
        bytes.reserve_exact(fragments.clone().map(|queued| queued.bytes.len()).sum());
        for queued in fragments {
            let offset = queued.part.map_or(0, |part| part.offset as usize);
            let end = bytes.len();
            match end.checked_sub(offset) {
                Some(known) if queued.packet() == packet => {
                    context.buffer.pool.read(&queued.bytes, bytes);
                    // If fragments overlap, the earlier bytes are kept.
                    bytes.drain(end..end.saturating_add(known.min(queued.bytes.len())));
                }
                _ => return false, // a gap
            }
        }
        bytes.len() == part.total as usize
    }
}

/// Returns `true` if a fragment contradicts a waiting one of the same packet.
fn contradict(other: &QueuedCommand, packet: PacketNumber, part: FragmentInfo) -> bool {
    let alike = |other: FragmentInfo| (other.count, other.total) == (part.count, part.total);
    other.packet() == packet && !other.part.is_some_and(alike)
}
