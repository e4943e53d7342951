//! One channel of one direction.

use super::Event;
use super::reliable::Reliable;
use super::room::{Desk, Part, Refused, Room, Taken};
use super::unreliable::{Place, Unreliable};
use crate::transport::enet::{Body, Command, Fragment};

#[derive(Debug)]
pub(super) struct Channel {
    number: u8,
    reliable: Reliable,
    unreliable: Unreliable,
}

impl Channel {
    /// What concerns the connection as a whole; no packets.
    pub(super) const CONTROL: u8 = 255;

    /// With the reliable sequence that is the first, if that is known.
    pub(super) fn new(number: u8, first: Option<u16>) -> Self {
        Self { number, reliable: Reliable::new(first), unreliable: Unreliable::default() }
    }

    /// As if it were new, but for its memory. (The session clears the room.)
    pub(super) fn clear(&mut self, first: Option<u16>) {
        self.reliable.clear(first);
        self.unreliable.clear();
    }

    pub(super) fn memory(&self) -> usize {
        self.reliable.memory().saturating_add(self.unreliable.memory())
    }

    /// Takes in a packet or a part of one.
    pub(super) fn take_in<E: FnMut(Event<'_>)>(
        &mut self,
        command: &Command<'_>,
        room: &mut Room,
        each: &mut E,
    ) -> Taken {
        let sequence = command.sequence;
        let passed = self.reliable.passed();
        let mut desk = Desk { channel: self.number, room, each };
        let taken = match command.body {
            Body::Reliable { payload } => self.reliable.take_in(sequence, None, payload, &mut desk),
            Body::Fragment(part) => {
                let own = part.start.wrapping_add(part.number as u16);
                let (part, payload) = checked(part)?;
                if own != sequence {
                    return Err(Refused::Bad);
                }
                self.reliable.take_in(sequence, Some(part), payload, &mut desk)
            }
            Body::Unreliable { number, payload } => {
                let place = Place { sequence, number };
                return self.unreliable.take_in(place, passed, payload, &mut desk);
            }
            Body::UnreliableFragment(part) => {
                let (part, payload) = checked(part)?;
                return self.unreliable.take_in_part(sequence, passed, part, payload, &mut desk);
            }
            _ => Ok(()),
        };
        self.advance(passed, &mut desk);
        taken
    }

    /// Whatever waited for the reliable packets since `before`.
    fn advance<E: FnMut(Event<'_>)>(&mut self, before: Option<u16>, desk: &mut Desk<'_, E>) {
        if let Some(passed) = self.reliable.passed().filter(|passed| before != Some(*passed)) {
            self.unreliable.advance(passed, desk);
        }
    }

    /// There is no room for a command, and nothing to give up for it: goes on without it.
    /// Says whether it could be taken in now, the gap before it being given up.
    pub(super) fn skip<E: FnMut(Event<'_>)>(
        &mut self,
        command: &Command<'_>,
        room: &mut Room,
        each: &mut E,
    ) -> bool {
        let mut desk = Desk { channel: self.number, room, each };
        let sequence = command.sequence;
        let number = match command.body {
            Body::UnreliableFragment(part) => part.start,
            Body::Unreliable { number, .. } => number,
            _ => {
                let passed = self.reliable.passed();
                let skipped = self.reliable.skip(sequence, &mut desk);
                self.advance(passed, &mut desk);
                return skipped;
            }
        };
        self.unreliable.skip(Place { sequence, number }, &mut desk);
        false
    }

    /// Since when something has been waiting.
    pub(super) fn oldest(&self) -> Option<u64> {
        let both = [self.reliable.oldest(), self.unreliable.oldest()];
        both.into_iter().flatten().min()
    }

    /// Gives up what has waited longest.
    pub(super) fn give_up<E: FnMut(Event<'_>)>(&mut self, room: &mut Room, each: &mut E) {
        let mut desk = Desk { channel: self.number, room, each };
        if self.reliable.oldest().is_some() && self.oldest() == self.reliable.oldest() {
            let passed = self.reliable.passed();
            self.reliable.give_up(&mut desk);
            self.advance(passed, &mut desk);
        } else {
            self.unreliable.give_up(&mut desk);
        }
    }
}

/// A fragment without its payload, and the payload, if its fields are possible.
fn checked(part: Fragment<'_>) -> Result<(Part, &[u8]), Refused> {
    let Fragment { start, count, number, total, offset, payload } = part;
    let end = u64::from(offset).saturating_add(payload.len() as u64);
    // (As many bytes as fragments, at least. ENet refuses one that begins where the packet ends,
    // even if nothing is in it.)
    if number >= count || count > total || offset >= total || end > u64::from(total) {
        return Err(Refused::Bad);
    }
    Ok((Fragment { start, count, number, total, offset, payload: &[] }, payload))
}
