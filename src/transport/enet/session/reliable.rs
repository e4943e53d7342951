//! Reliable packets of a channel: delivered once, in the order of their sequence numbers. Each
//! fragment has its own sequence number, so fragments are processed in order, too.

use super::block_pool::Chain;
use super::buffer::{
    ChannelContext, FragmentInfo, PushResult, QueuedCommand, Rejected, pop_if, shrink,
};
use super::event::{Arrival, Delivery, Event};
use alloc::collections::VecDeque;

#[derive(Clone, Debug)]
pub(super) struct Reliable {
    /// The sequence number that is expected next; `None` until the first is known.
    pub(super) next: Option<u16>,
    /// Commands after a gap, in the order of their sequence numbers.
    pub(super) early: VecDeque<QueuedCommand>,
    pub(super) partial: Option<PartialPacket>,
}

/// A packet whose first fragments have arrived.
#[derive(Clone, Debug)]
pub(super) struct PartialPacket {
    /// The last fragment that has arrived.
    pub(super) part: FragmentInfo,
    pub(super) bytes: Chain,
    pub(super) since: u64,
}

impl Reliable {
    pub(super) fn new(first: Option<u16>) -> Self {
        Self { next: first, early: VecDeque::new(), partial: None }
    }

    pub(super) fn clear(&mut self, first: Option<u16>) {
        self.next = first;
        self.early.clear();
        shrink(&mut self.early);
        self.partial = None;
    }

    pub(super) fn memory(&self) -> usize {
        self.early.capacity().saturating_mul(size_of::<QueuedCommand>())
    }

    /// Returns the last sequence number of the packets that were delivered or given up.
    pub(super) fn passed(&self) -> Option<u16> {
        let next = self.partial.as_ref().map(|partial| partial.part.start).or(self.next);
        next.map(|next| next.wrapping_sub(1))
    }

    pub(super) fn oldest(&self) -> Option<u64> {
        let early = self.early.front().map(|queued| queued.since);
        let partial = self.partial.as_ref().map(|partial| partial.since);
        [early, partial].into_iter().flatten().min()
    }

    /// Processes a packet or fragment.
    pub(super) fn push<E: FnMut(Event<'_>)>(
        &mut self,
        sequence: u16,
        part: Option<FragmentInfo>,
        payload: &[u8],
        context: &mut ChannelContext<'_, E>,
    ) -> PushResult {
        let next = self.next.unwrap_or_else(|| first_sequence(sequence, part, context));
        self.next = Some(next);
        // Sequence numbers wrap around. A number is ahead if its distance from the last delivered
        // packet is less than half of all numbers. A partial packet is not delivered yet.
        let partial =
            self.partial.as_ref().map_or(0, |partial| next.wrapping_sub(partial.part.start));
        match sequence.wrapping_sub(next) {
            0 => {
                self.push_in_order(sequence, part, payload, context)?;
                self.drain(context);
                Ok(Arrival::InOrder)
            }
            ahead @ 1.. if ahead.saturating_add(partial) < 0x7FFF => {
                self.enqueue(ahead, sequence, part, payload, context)
            }
            _ => Ok(Arrival::Repeated),
        }
    }

    #[allow(clippy::disallowed_methods, reason = "a search returns indices up to the end")]
    fn enqueue<E: FnMut(Event<'_>)>(
        &mut self,
        ahead: u16,
        sequence: u16,
        part: Option<FragmentInfo>,
        payload: &[u8],
        context: &mut ChannelContext<'_, E>,
    ) -> PushResult {
        let next = sequence.wrapping_sub(ahead);
        let index = self.early.partition_point(|queued| queued.sequence.wrapping_sub(next) < ahead);
        if self.early.get(index).is_some_and(|queued| queued.sequence == sequence) {
            return Ok(Arrival::Repeated);
        }
        // A packet above the limit is not reassembled, so its bytes are not needed.
        let large = part.is_some_and(|part| context.buffer.too_large(&part));
        let payload = if large { &[] } else { payload };
        let queued = context.buffer.store(sequence, part, payload).ok_or(Rejected::Full)?;
        self.early.insert(index, queued);
        Ok(Arrival::Early)
    }

    /// Processes the next packet or fragment in order.
    fn push_in_order<E: FnMut(Event<'_>)>(
        &mut self,
        sequence: u16,
        part: Option<FragmentInfo>,
        payload: &[u8],
        context: &mut ChannelContext<'_, E>,
    ) -> Result<(), Rejected> {
        match part {
            Some(part) => self.push_fragment(part, payload, context)?,
            None => {
                self.abandon(context);
                context.deliver(Delivery::Reliable, sequence, payload);
            }
        }
        self.next = Some(sequence.wrapping_add(1));
        Ok(())
    }

    /// Starts or continues a partial packet.
    fn push_fragment<E: FnMut(Event<'_>)>(
        &mut self,
        part: FragmentInfo,
        payload: &[u8],
        context: &mut ChannelContext<'_, E>,
    ) -> Result<(), Rejected> {
        if part.number == 0 {
            self.abandon(context);
            if context.buffer.too_large(&part) {
                context.lost(Delivery::Reliable, part.start, part.count);
                return Ok(());
            }
        }
        let mut partial = match self.partial.take() {
            Some(partial) => partial,
            None if part.number == 0 => {
                PartialPacket { part, bytes: Chain::EMPTY, since: context.buffer.now() }
            }
            // The packet was already reported as lost.
            None => return Ok(()),
        };
        let Some(rest) = partial.continued_by(part, payload) else {
            discard(partial, context);
            return Ok(());
        };
        if part.number.wrapping_add(1) == part.count {
            complete(partial, part, rest, context);
            return Ok(());
        }
        let fits = context.buffer.pool.append(&mut partial.bytes, rest);
        partial.part = if fits { part } else { partial.part };
        // If the first fragment does not fit, the packet is dropped. It has no bytes to release.
        self.partial = (fits || part.number > 0).then_some(partial);
        if fits { Ok(()) } else { Err(Rejected::Full) }
    }

    /// Gives up the partial packet.
    fn abandon<E: FnMut(Event<'_>)>(&mut self, context: &mut ChannelContext<'_, E>) {
        if let Some(partial) = self.partial.take() {
            discard(partial, context);
        }
    }

    /// Processes early commands that are now in order.
    fn drain<E: FnMut(Event<'_>)>(&mut self, context: &mut ChannelContext<'_, E>) {
        while let Some(queued) =
            pop_if(&mut self.early, |queued| self.next == Some(queued.sequence))
        {
            let mut payload = core::mem::take(&mut context.buffer.payload);
            payload.clear();
            context.buffer.pool.read(&queued.bytes, &mut payload);
            let QueuedCommand { sequence, part, .. } = queued;
            context.buffer.release(queued);
            // The payload fits, as the same number of blocks was just released.
            if self.push_in_order(sequence, part, &payload, context).is_err() {
                self.abandon(context);
                self.next = Some(sequence.wrapping_add(1));
            }
            context.buffer.payload = payload;
        }
        shrink(&mut self.early);
    }

    /// Gives up the first gap, or the partial packet if there is no gap.
    pub(super) fn give_up<E: FnMut(Event<'_>)>(&mut self, context: &mut ChannelContext<'_, E>) {
        match self.early.front().map(|queued| queued.sequence) {
            Some(sequence) => self.resume_at(sequence, context),
            None => self.abandon(context),
        }
    }

    /// Gives up all commands before `sequence`, including the partial packet.
    fn resume_at<E: FnMut(Event<'_>)>(
        &mut self,
        sequence: u16,
        context: &mut ChannelContext<'_, E>,
    ) {
        let next = self.next.unwrap_or(sequence);
        let first = self.partial.as_ref().map_or(next, |partial| partial.part.start);
        if let Some(partial) = self.partial.take() {
            context.buffer.pool.release(partial.bytes);
        }
        context.lost(Delivery::Reliable, first, sequence.wrapping_sub(first).into());
        self.next = Some(sequence);
        self.drain(context);
    }

    /// Skips `sequence`. If it is not the next in order, gives up the gap before it instead and
    /// returns `true`.
    pub(super) fn skip<E: FnMut(Event<'_>)>(
        &mut self,
        sequence: u16,
        context: &mut ChannelContext<'_, E>,
    ) -> bool {
        if self.next != Some(sequence) {
            self.resume_at(sequence, context);
            return true;
        }
        self.abandon(context);
        context.lost(Delivery::Reliable, sequence, 1);
        self.next = Some(sequence.wrapping_add(1));
        false
    }
}

/// Returns the first sequence number of a channel whose start was not captured. If the first
/// command is in the middle of a fragmented packet, reports that packet as lost, and returns the
/// number after it.
fn first_sequence<E: FnMut(Event<'_>)>(
    sequence: u16,
    part: Option<FragmentInfo>,
    context: &mut ChannelContext<'_, E>,
) -> u16 {
    match part {
        Some(FragmentInfo { start, count, number: 1.., .. }) => {
            context.lost(Delivery::Reliable, start, count);
            start.wrapping_add(count as u16)
        }
        _ => sequence,
    }
}

/// Delivers a packet after its last fragment, or reports it as lost if it does not have the stated
/// length.
fn complete<E: FnMut(Event<'_>)>(
    partial: PartialPacket,
    part: FragmentInfo,
    rest: &[u8],
    context: &mut ChannelContext<'_, E>,
) {
    let FragmentInfo { start, count, total, .. } = part;
    let packet = &mut context.buffer.packet;
    packet.clear();
    packet.reserve_exact(partial.bytes.len().saturating_add(rest.len()));
    context.buffer.pool.read(&partial.bytes, packet);
    packet.extend_from_slice(rest);
    let complete = packet.len() == total as usize;
    context.buffer.pool.release(partial.bytes);
    match complete {
        true => context.deliver_packet(Delivery::Reliable, start),
        false => context.lost(Delivery::Reliable, start, count),
    }
}

/// Drops a partial packet and reports it as lost.
fn discard<E: FnMut(Event<'_>)>(partial: PartialPacket, context: &mut ChannelContext<'_, E>) {
    context.buffer.pool.release(partial.bytes);
    context.lost(Delivery::Reliable, partial.part.start, partial.part.count);
}

impl PartialPacket {
    /// Returns the new bytes of a fragment, or `None` if it does not continue the packet. If
    /// fragments overlap, the earlier bytes are kept.
    fn continued_by<'p>(&self, part: FragmentInfo, payload: &'p [u8]) -> Option<&'p [u8]> {
        let FragmentInfo { start, count, number, total, offset, .. } = part;
        let last = self.part;
        let follows = number == 0 || number == last.number.wrapping_add(1);
        if !follows || (start, count, total) != (last.start, last.count, last.total) {
            return None;
        }
        let known = self.bytes.len().checked_sub(offset as usize)?;
        Some(payload.get(known..).unwrap_or_default())
    }
}
