//! One channel of one direction.

use super::Event;
use super::reliable::Reliable;
use super::room::{Desk, Part, Refused, Room, Taken};
use super::unreliable::{Place, Unreliable};
use crate::net::enet::{Body, Command, Fragment};

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
        let mut desk = Desk { channel: self.number, room, each };
        match command.body {
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
                self.unreliable.take_in(Place { sequence, number }, payload, &mut desk);
                Ok(())
            }
            Body::UnreliableFragment(part) => {
                let (part, payload) = checked(part)?;
                self.unreliable.take_in_part(sequence, part, payload, &mut desk)
            }
            _ => Ok(()),
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
        match command.body {
            Body::UnreliableFragment(part) => {
                let place = Place { sequence: command.sequence, number: part.start };
                self.unreliable.skip(place, &mut desk);
                false
            }
            _ => self.reliable.skip(command.sequence, &mut desk),
        }
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
            self.reliable.give_up(&mut desk);
        } else {
            self.unreliable.give_up(&mut desk);
        }
    }
}

/// A fragment without its payload, and the payload, if its fields are possible.
fn checked(part: Fragment<'_>) -> Result<(Part, &[u8]), Refused> {
    let Fragment { start, count, number, total, offset, payload } = part;
    let end = u64::from(offset).saturating_add(payload.len() as u64);
    // (A fragment holds at least a byte.)
    if number >= count || count > total || end > u64::from(total) {
        return Err(Refused::Bad);
    }
    Ok((Fragment { start, count, number, total, offset, payload: &[] }, payload))
}
