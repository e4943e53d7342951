//! Reliable packets of one channel: each once, in the order of their sequences. A fragment
//! has a sequence of its own, so what is due is all there is to put a packet together.

use super::room::{Desk, Part, Refused, Taken, Wait, pop_if, tidy};
use super::store::Chain;
use super::{Event, Mode};
use alloc::collections::VecDeque;

#[derive(Debug)]
pub(super) struct Reliable {
    /// The sequence that is due.
    next: Option<u16>,
    /// What came early, the next one first.
    early: VecDeque<Wait>,
    begun: Option<Begun>,
}

/// A packet of which the first fragments came.
#[derive(Debug)]
struct Begun {
    /// The last fragment that came.
    part: Part,
    bytes: Chain,
    since: u64,
}

impl Reliable {
    pub(super) fn new(first: Option<u16>) -> Self {
        Self { next: first, early: VecDeque::new(), begun: None }
    }

    pub(super) fn clear(&mut self, first: Option<u16>) {
        self.next = first;
        self.early.clear();
        tidy(&mut self.early);
        self.begun = None;
    }

    pub(super) fn memory(&self) -> usize {
        self.early.capacity().saturating_mul(size_of::<Wait>())
    }

    /// The last sequence of the packets that were delivered, or given up.
    pub(super) fn passed(&self) -> Option<u16> {
        let next = self.begun.as_ref().map(|begun| begun.part.start).or(self.next);
        next.map(|next| next.wrapping_sub(1))
    }

    pub(super) fn oldest(&self) -> Option<u64> {
        let early = self.early.front().map(|wait| wait.since);
        let begun = self.begun.as_ref().map(|begun| begun.since);
        [early, begun].into_iter().flatten().min()
    }

    /// A packet or a fragment.
    pub(super) fn take_in<E: FnMut(Event<'_>)>(
        &mut self,
        sequence: u16,
        part: Option<Part>,
        payload: &[u8],
        desk: &mut Desk<'_, E>,
    ) -> Taken {
        let next = self.next.unwrap_or_else(|| first_seen(sequence, part, desk));
        self.next = Some(next);
        // Less than half of all numbers ahead, of what has passed: a packet that is begun has not.
        let begun = self.begun.as_ref().map_or(0, |begun| next.wrapping_sub(begun.part.start));
        match sequence.wrapping_sub(next) {
            0 => {
                self.due(sequence, part, payload, desk)?;
                self.drain(desk);
                Ok(())
            }
            ahead @ 1.. if ahead.saturating_add(begun) < 0x7FFF => {
                self.wait(ahead, sequence, part, payload, desk)
            }
            _ => Ok(()), // again
        }
    }

    #[allow(clippy::disallowed_methods, reason = "a search gives places up to the end")]
    fn wait<E: FnMut(Event<'_>)>(
        &mut self,
        ahead: u16,
        sequence: u16,
        part: Option<Part>,
        payload: &[u8],
        desk: &mut Desk<'_, E>,
    ) -> Taken {
        let next = sequence.wrapping_sub(ahead);
        let index = self.early.partition_point(|wait| wait.sequence.wrapping_sub(next) < ahead);
        if self.early.get(index).is_some_and(|wait| wait.sequence == sequence) {
            return Ok(()); // again
        }
        // What will not be put together need not be kept; that it came is enough.
        let large = part.is_some_and(|part| desk.room.too_large(&part));
        let payload = if large { &[] } else { payload };
        let wait = desk.room.keep(sequence, part, payload).ok_or(Refused::NoRoom)?;
        self.early.insert(index, wait);
        Ok(())
    }

    /// What is due.
    fn due<E: FnMut(Event<'_>)>(
        &mut self,
        sequence: u16,
        part: Option<Part>,
        payload: &[u8],
        desk: &mut Desk<'_, E>,
    ) -> Taken {
        match part {
            Some(part) => self.join(part, payload, desk)?,
            None => {
                self.abandon(desk);
                desk.deliver(Mode::Reliable, sequence, payload);
            }
        }
        self.next = Some(sequence.wrapping_add(1));
        Ok(())
    }

    /// The first fragment of a packet, or one more.
    fn join<E: FnMut(Event<'_>)>(
        &mut self,
        part: Part,
        payload: &[u8],
        desk: &mut Desk<'_, E>,
    ) -> Taken {
        if part.number == 0 {
            self.abandon(desk);
            if desk.room.too_large(&part) {
                desk.lost(Mode::Reliable, part.start, part.count);
                return Ok(());
            }
        }
        let mut begun = match self.begun.take() {
            Some(begun) => begun,
            None if part.number == 0 => Begun { part, bytes: Chain::EMPTY, since: desk.room.now() },
            // Without its beginning a packet was told of as lost.
            None => return Ok(()),
        };
        let Some(rest) = begun.goes_on_with(part, payload) else {
            give_back(begun, desk);
            return Ok(());
        };
        if part.number.wrapping_add(1) == part.count {
            complete(begun, part, rest, desk);
            return Ok(());
        }
        let room = desk.room.store.append(&mut begun.bytes, rest);
        begun.part = if room { part } else { begun.part };
        // (Without room for its first fragment there is nothing to give back.)
        self.begun = (room || part.number > 0).then_some(begun);
        if room { Ok(()) } else { Err(Refused::NoRoom) }
    }

    /// Gives up the packet that was begun.
    fn abandon<E: FnMut(Event<'_>)>(&mut self, desk: &mut Desk<'_, E>) {
        if let Some(begun) = self.begun.take() {
            give_back(begun, desk);
        }
    }

    /// What came early and is due now.
    fn drain<E: FnMut(Event<'_>)>(&mut self, desk: &mut Desk<'_, E>) {
        while let Some(wait) = pop_if(&mut self.early, |wait| self.next == Some(wait.sequence)) {
            let mut payload = core::mem::take(&mut desk.room.payload);
            payload.clear();
            desk.room.store.read(&wait.bytes, &mut payload);
            let Wait { sequence, part, .. } = wait;
            desk.room.release(wait);
            // (There is room: as much was just given back.)
            if self.due(sequence, part, &payload, desk).is_err() {
                self.abandon(desk);
                self.next = Some(sequence.wrapping_add(1));
            }
            desk.room.payload = payload;
        }
        tidy(&mut self.early);
    }

    /// Goes on behind the gap; without one, the packet that was begun is given up.
    pub(super) fn give_up<E: FnMut(Event<'_>)>(&mut self, desk: &mut Desk<'_, E>) {
        match self.early.front().map(|wait| wait.sequence) {
            Some(sequence) => self.go_on_at(sequence, desk),
            None => self.abandon(desk),
        }
    }

    /// Gives up what is missing before `sequence`, and a packet that was begun with it.
    fn go_on_at<E: FnMut(Event<'_>)>(&mut self, sequence: u16, desk: &mut Desk<'_, E>) {
        let next = self.next.unwrap_or(sequence);
        let first = self.begun.as_ref().map_or(next, |begun| begun.part.start);
        if let Some(begun) = self.begun.take() {
            desk.room.store.release(begun.bytes);
        }
        desk.lost(Mode::Reliable, first, sequence.wrapping_sub(first).into());
        self.next = Some(sequence);
        self.drain(desk);
    }

    /// Goes on without `sequence`, or, if that is not due yet, without what is before it.
    /// Says which.
    pub(super) fn skip<E: FnMut(Event<'_>)>(
        &mut self,
        sequence: u16,
        desk: &mut Desk<'_, E>,
    ) -> bool {
        if self.next != Some(sequence) {
            self.go_on_at(sequence, desk);
            return true;
        }
        self.abandon(desk);
        desk.lost(Mode::Reliable, sequence, 1);
        self.next = Some(sequence.wrapping_add(1));
        false
    }
}

/// What a channel begins with whose beginning was not seen: the rest of a packet is of no
/// use.
fn first_seen<E: FnMut(Event<'_>)>(
    sequence: u16,
    part: Option<Part>,
    desk: &mut Desk<'_, E>,
) -> u16 {
    match part {
        Some(Part { start, count, number: 1.., .. }) => {
            desk.lost(Mode::Reliable, start, count);
            start.wrapping_add(count as u16)
        }
        _ => sequence,
    }
}

/// `begun` and its last fragment.
fn complete<E: FnMut(Event<'_>)>(begun: Begun, part: Part, rest: &[u8], desk: &mut Desk<'_, E>) {
    let Part { start, count, total, .. } = part;
    let packet = &mut desk.room.packet;
    packet.clear();
    packet.reserve_exact(begun.bytes.len().saturating_add(rest.len()));
    desk.room.store.read(&begun.bytes, packet);
    packet.extend_from_slice(rest);
    let whole = packet.len() == total as usize;
    desk.room.store.release(begun.bytes);
    match whole {
        true => desk.deliver_packet(Mode::Reliable, start),
        false => desk.lost(Mode::Reliable, start, count),
    }
}

fn give_back<E: FnMut(Event<'_>)>(begun: Begun, desk: &mut Desk<'_, E>) {
    desk.room.store.release(begun.bytes);
    desk.lost(Mode::Reliable, begun.part.start, begun.part.count);
}

impl Begun {
    /// What `payload` adds, if it belongs where the packet ends so far. What overlaps is
    /// taken as it came first.
    fn goes_on_with<'p>(&self, part: Part, payload: &'p [u8]) -> Option<&'p [u8]> {
        let Part { start, count, number, total, offset, .. } = part;
        let last = self.part;
        let follows = number == 0 || number == last.number.wrapping_add(1);
        if !follows || (start, count, total) != (last.start, last.count, last.total) {
            return None;
        }
        let known = self.bytes.len().checked_sub(offset as usize)?;
        Some(payload.get(known..).unwrap_or_default())
    }
}
