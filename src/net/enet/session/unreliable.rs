//! Unreliable packets of one channel: the newest, and never an older one after it.

use super::room::{Desk, Part, Refused, Taken, Wait, pop_if, tidy};
use super::{Event, Mode};
use alloc::collections::VecDeque;

/// Where an unreliable packet stands in its channel: the reliable sequence before it, and
/// its number since then.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Place {
    pub(super) sequence: u16,
    pub(super) number: u16,
}

impl Place {
    fn is_after(self, other: Self) -> bool {
        let ahead = self.sequence.wrapping_sub(other.sequence) as i16;
        ahead > 0 || ahead == 0 && self.number.wrapping_sub(other.number) as i16 > 0
    }

    /// How far ahead of `base`: the order of places after it.
    fn ahead_of(self, base: Self) -> u32 {
        let ahead = self.sequence.wrapping_sub(base.sequence);
        let number = if ahead == 0 { self.number.wrapping_sub(base.number) } else { self.number };
        u32::from(ahead) << 16 | u32::from(number)
    }
}

impl Wait {
    fn place(&self) -> Place {
        Place { sequence: self.sequence, number: self.part.map_or(0, |part| part.start) }
    }

    fn number(&self) -> u32 {
        self.part.map_or(0, |part| part.number)
    }
}

#[derive(Debug, Default)]
pub(super) struct Unreliable {
    newest: Option<Place>,
    /// Fragments of packets after that, in order.
    parts: VecDeque<Wait>,
}

impl Unreliable {
    pub(super) fn clear(&mut self) {
        self.newest = None;
        self.parts.clear();
        tidy(&mut self.parts);
    }

    pub(super) fn memory(&self) -> usize {
        self.parts.capacity().saturating_mul(size_of::<Wait>())
    }

    pub(super) fn oldest(&self) -> Option<u64> {
        self.parts.front().map(|wait| wait.since)
    }

    /// A packet in one piece.
    pub(super) fn take_in<E: FnMut(Event<'_>)>(
        &mut self,
        place: Place,
        payload: &[u8],
        desk: &mut Desk<'_, E>,
    ) {
        if self.newest.is_none_or(|newest| place.is_after(newest)) {
            self.pass(place, desk);
            desk.deliver(Mode::Unreliable, place.number, payload);
        }
    }

    /// Makes `place` the newest one; what is incomplete up to there is lost.
    fn pass<E: FnMut(Event<'_>)>(&mut self, place: Place, desk: &mut Desk<'_, E>) {
        let mut told = None;
        while let Some(wait) = pop_if(&mut self.parts, |wait| !wait.place().is_after(place)) {
            if told.replace(wait.place()) != Some(wait.place()) {
                desk.lost(Mode::Unreliable, wait.place().number, 1);
            }
            desk.room.release(wait);
        }
        tidy(&mut self.parts);
        self.newest = Some(place);
    }

    /// Gives up the oldest incomplete packet.
    pub(super) fn give_up<E: FnMut(Event<'_>)>(&mut self, desk: &mut Desk<'_, E>) {
        if let Some(place) = self.parts.front().map(Wait::place) {
            self.pass(place, desk);
        }
    }

    /// Gives up the packet at `place`, of which nothing waits.
    pub(super) fn skip<E: FnMut(Event<'_>)>(&mut self, place: Place, desk: &mut Desk<'_, E>) {
        self.pass(place, desk);
        desk.lost(Mode::Unreliable, place.number, 1);
    }

    /// A fragment.
    pub(super) fn take_in_part<E: FnMut(Event<'_>)>(
        &mut self,
        sequence: u16,
        part: Part,
        payload: &[u8],
        desk: &mut Desk<'_, E>,
    ) -> Taken {
        let place = Place { sequence, number: part.start };
        // The order of what waits is that of the distance from the newest.
        let before = Place { sequence, number: part.start.wrapping_sub(1) };
        let newest = *self.newest.get_or_insert(before);
        if !place.is_after(newest) {
            return Ok(()); // too late
        }
        if desk.room.too_large(&part) {
            if part.number == 0 {
                desk.lost(Mode::Unreliable, part.start, 1);
            }
            return Ok(());
        }
        let key = |wait: &Wait| (wait.place().ahead_of(newest), wait.number());
        let own = (place.ahead_of(newest), part.number);
        let index = self.parts.partition_point(|wait| key(wait) < own);
        if self.parts.get(index).is_some_and(|wait| key(wait) == own) {
            return Ok(()); // again
        }
        let first = self.parts.partition_point(|wait| key(wait) < (own.0, 0));
        if self.parts.get(first).is_some_and(|other| contradict(other, place, part)) {
            return Err(Refused::Bad);
        }
        let wait = desk.room.keep(sequence, Some(part), payload).ok_or(Refused::NoRoom)?;
        self.parts.insert(index, wait);
        let last = first.saturating_add(part.count as usize).wrapping_sub(1);
        if self.parts.get(last).is_some_and(|wait| wait.place() == place) {
            self.complete(first, last, place, part, desk);
        }
        Ok(())
    }

    /// From `first` to `last` are as many fragments as the packet at `place` has.
    fn complete<E: FnMut(Event<'_>)>(
        &mut self,
        first: usize,
        last: usize,
        place: Place,
        part: Part,
        desk: &mut Desk<'_, E>,
    ) {
        if !self.put_together(first, last, place, part, desk) {
            return self.pass(place, desk);
        }
        // (Those of this packet go without being told of as lost.)
        for wait in self.parts.drain(first..=last) {
            desk.room.release(wait);
        }
        self.pass(place, desk);
        desk.deliver_packet(Mode::Unreliable, place.number);
    }

    /// Puts the packet into the room, in one piece; says whether it is whole.
    fn put_together<E>(
        &self,
        first: usize,
        last: usize,
        place: Place,
        part: Part,
        desk: &mut Desk<'_, E>,
    ) -> bool {
        let fragments = self.parts.range(first..=last);
        let packet = &mut desk.room.packet;
        packet.clear();
        packet.reserve_exact(fragments.clone().map(|wait| wait.bytes.len()).sum());
        for wait in fragments {
            let offset = wait.part.map_or(0, |part| part.offset as usize);
            let end = packet.len();
            match end.checked_sub(offset) {
                Some(known) if wait.place() == place => {
                    desk.room.store.read(&wait.bytes, packet);
                    // What overlaps is taken as it came first.
                    packet.drain(end..end.saturating_add(known.min(wait.bytes.len())));
                }
                _ => return false, // a gap
            }
        }
        packet.len() == part.total as usize
    }
}

/// Whether a fragment of the packet at `place` and another that waits do not go together.
fn contradict(other: &Wait, place: Place, part: Part) -> bool {
    let alike = |other: Part| (other.count, other.total) == (part.count, part.total);
    other.place() == place && !other.part.is_some_and(alike)
}
