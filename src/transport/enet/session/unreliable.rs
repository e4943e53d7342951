//! Unreliable packets of one channel: the newest, and never an older one after it.
//!
//! Each belongs behind a reliable packet, as in ENet: it waits for that one, and is of no use
//! once the next one has come.

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
        // (Numbers do not wrap: ENet sends a reliable packet before they would.)
        ahead > 0 || ahead == 0 && self.number > other.number
    }

    /// The order of places that are not before the packets behind `base`.
    fn behind(self, base: u16) -> u32 {
        u32::from(self.sequence.wrapping_sub(base)) << 16 | u32::from(self.number)
    }
}

/// Whether it is time for a packet.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Turn {
    Early,
    Now,
    TooLate,
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
    /// Packets after that, in order; one in a single piece is its only fragment.
    parts: VecDeque<Wait>,
    /// Behind this sequence no packet that waits is whole.
    none_whole: Option<u16>,
}

impl Unreliable {
    pub(super) fn clear(&mut self) {
        self.newest = None;
        self.none_whole = None;
        self.parts.clear();
        tidy(&mut self.parts);
    }

    pub(super) fn memory(&self) -> usize {
        self.parts.capacity().saturating_mul(size_of::<Wait>())
    }

    pub(super) fn oldest(&self) -> Option<u64> {
        self.parts.front().map(|wait| wait.since)
    }

    /// Whether it is time for the packet at `place`, after the reliable packets up to
    /// `passed`; and behind which sequence packets are due. (What is seen from the middle is
    /// so far as the newest packet says.)
    fn turn(&self, place: Place, passed: Option<u16>) -> (Turn, u16) {
        let newest = self.newest.map(|newest| newest.sequence);
        let ahead = |sequence: u16, base: u16| sequence.wrapping_sub(base) as i16;
        let due = match (passed, newest) {
            (Some(passed), Some(newest)) if ahead(newest, passed) > 0 => newest,
            (Some(passed), _) => passed,
            (None, newest) => newest.unwrap_or(place.sequence),
        };
        // (Also against what has come: the newest may be far ahead of that.)
        let late = passed.is_some_and(|passed| ahead(place.sequence, passed) < 0);
        let turn = match ahead(place.sequence, due) {
            _ if late => Turn::TooLate,
            ..0 => Turn::TooLate,
            0 if self.newest.is_some_and(|newest| !place.is_after(newest)) => Turn::TooLate,
            1.. if passed.is_some() => Turn::Early,
            _ => Turn::Now,
        };
        (turn, due)
    }

    /// A packet in one piece.
    pub(super) fn take_in<E: FnMut(Event<'_>)>(
        &mut self,
        place: Place,
        passed: Option<u16>,
        payload: &[u8],
        desk: &mut Desk<'_, E>,
    ) -> Taken {
        match self.turn(place, passed).0 {
            Turn::Now => {
                self.pass(place, desk);
                desk.deliver(Mode::Unreliable, place.number, payload);
                Ok(())
            }
            Turn::Early => {
                let (start, total) = (place.number, payload.len() as u32);
                let whole = Part { start, count: 1, number: 0, total, offset: 0, payload: &[] };
                self.take_in_part(place.sequence, passed, whole, payload, desk)
            }
            Turn::TooLate => Ok(()),
        }
    }

    /// The reliable packets up to `passed` have come: so have those behind them, and what is
    /// behind earlier ones is too late.
    #[allow(clippy::disallowed_methods, reason = "something is at `index`")]
    pub(super) fn advance<E: FnMut(Event<'_>)>(&mut self, passed: u16, desk: &mut Desk<'_, E>) {
        let mut index = 0;
        while let Some((place, part)) =
            self.parts.get(index).and_then(|wait| Some((wait.place(), wait.part?)))
        {
            let (ahead, waiting) = (place.sequence.wrapping_sub(passed) as i16, self.parts.len());
            let last = index.saturating_add(part.count as usize).wrapping_sub(1);
            if ahead > 0 {
                return;
            } else if ahead < 0 {
                self.pass(place, desk);
            } else if self.parts.get(last).is_some_and(|wait| wait.place() == place) {
                self.complete(index, last, place, part, desk);
            } else {
                let others = self.parts.range(index..);
                let same = others.take_while(|wait| wait.place() == place).count();
                index = index.saturating_add(same.max(1));
                continue;
            }
            if self.parts.len() == waiting {
                return; // so that this ends whatever the order
            }
            index = 0;
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

    /// Gives up what the oldest packet waits for: the reliable one before it, or the rest of
    /// itself. Packets that are not whole are looked at once, and not for each that is given up.
    pub(super) fn give_up<E: FnMut(Event<'_>)>(&mut self, desk: &mut Desk<'_, E>) {
        let Some(place) = self.parts.front().map(Wait::place) else { return };
        if self.none_whole != Some(place.sequence) {
            let waiting = self.parts.len();
            self.advance(place.sequence, desk);
            self.none_whole = Some(place.sequence);
            if self.parts.len() < waiting {
                return;
            }
        }
        self.pass(place, desk);
    }

    /// Gives up the packet at `place`, of which nothing waits.
    pub(super) fn skip<E: FnMut(Event<'_>)>(&mut self, place: Place, desk: &mut Desk<'_, E>) {
        self.pass(place, desk);
        desk.lost(Mode::Unreliable, place.number, 1);
    }

    /// A fragment.
    #[allow(clippy::disallowed_methods, reason = "a search gives places up to the end")]
    pub(super) fn take_in_part<E: FnMut(Event<'_>)>(
        &mut self,
        sequence: u16,
        passed: Option<u16>,
        part: Part,
        payload: &[u8],
        desk: &mut Desk<'_, E>,
    ) -> Taken {
        let place = Place { sequence, number: part.start };
        let (turn, due) = self.turn(place, passed);
        if turn == Turn::TooLate {
            return Ok(());
        }
        if desk.room.too_large(&part) {
            if part.number == 0 {
                desk.lost(Mode::Unreliable, part.start, 1);
            }
            return Ok(());
        }
        // What waits is behind the packets that are due now.
        let key = |wait: &Wait| (wait.place().behind(due), wait.number());
        let own = (place.behind(due), part.number);
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
        if passed.is_none() && self.newest.is_none() {
            // Those before it that come later are none that are known to be missing.
            self.newest = Some(Place { sequence, number: part.start.saturating_sub(1) });
        }
        let last = first.saturating_add(part.count as usize).wrapping_sub(1);
        let whole = self.parts.get(last).is_some_and(|wait| wait.place() == place);
        if whole {
            self.none_whole = None;
        }
        if whole && turn == Turn::Now {
            self.complete(first, last, place, part, desk);
        }
        Ok(())
    }

    /// From `first` to `last` are as many fragments as the packet at `place` has.
    #[allow(
        clippy::disallowed_methods,
        reason = "a packet is at both, and `last` is not before `first`"
    )]
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
    #[allow(
        clippy::disallowed_methods,
        reason = "a packet is at both, and `last` is not before `first`; as many bytes were appended as are drained"
    )]
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
