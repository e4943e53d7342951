//! Delivery on one channel. Reliable packets are delivered once and in order. An unreliable packet
//! waits for the reliable packet that was sent before it.

use super::wire::{Fragment, reassembled};
use super::{Event, Mode};
use std::collections::{BTreeMap, HashMap};

/// A channel since the start of a connection.
#[derive(Default)]
pub struct Channel {
    /// The sequence number of the last completed packet. The first sequence number is 1.
    last_completed: u16,
    /// Reliable packets that arrived before one of the packets that precede them.
    early: HashMap<u16, Reliable>,
    /// `true` after contradictory fragments. The result for these fragments, and for all later
    /// packets, depends on the receiver.
    pub contradictory: bool,
    /// The number of the newest unreliable packet that was delivered after the reliable packet
    /// `last_completed`.
    newest: Option<u16>,
    /// Unreliable packets that wait for a reliable packet or for fragments.
    waiting: Vec<Waiting>,
}

enum Reliable {
    Packet(Vec<u8>),
    Part(Fragment),
}

struct Waiting {
    sequence: u16,
    number: u16,
    packet: Unreliable,
}

enum Unreliable {
    Packet(Vec<u8>),
    Parts(BTreeMap<u32, Fragment>),
}

/// Events of a channel. Each contains the mode, the number and the payload of a packet. The payload
/// is `None` if the packet is lost.
pub type ChannelEvents = Vec<(Mode, u16, Option<Vec<u8>>)>;

/// Returns `true` if `number` is ahead of `than` by less than 2^15. Numbers wrap around.
fn is_later(number: u16, than: u16) -> bool {
    (number.wrapping_sub(than) as i16) > 0
}

/// Reliable packets.
impl Channel {
    pub fn packet(&mut self, sequence: u16, payload: Vec<u8>, events: &mut ChannelEvents) {
        self.reliable(sequence, Reliable::Packet(payload), events);
    }

    /// Adds a reliable fragment. Returns `false` if its numbers contradict each other.
    pub fn fragment(&mut self, sequence: u16, part: Fragment, events: &mut ChannelEvents) -> bool {
        if !part.is_valid() || part.start.wrapping_add(part.number as u16) != sequence {
            return false;
        }
        self.reliable(sequence, Reliable::Part(part), events);
        true
    }

    fn reliable(&mut self, sequence: u16, what: Reliable, events: &mut ChannelEvents) {
        if !is_later(sequence, self.last_completed) {
            return;
        }
        self.contradictory |= !self.is_consistent(sequence, &what);
        self.early.entry(sequence).or_insert(what);
        let before = self.last_completed;
        while self.deliver_next(events) {}
        if self.last_completed != before {
            self.newest = None;
            self.deliver_waiting(events);
        }
    }

    /// Returns `true` if a packet or fragment does not contradict those in `early`. A sequence
    /// number inside a fragmented packet must belong to one of its fragments.
    fn is_consistent(&self, sequence: u16, what: &Reliable) -> bool {
        let valid_alone = match what {
            Reliable::Packet(_) => true,
            Reliable::Part(part) => {
                part.has_valid_position() && is_later(part.start, self.last_completed)
            }
        };
        let inside = |part: &Fragment, at: u16| u32::from(at.wrapping_sub(part.start)) < part.count;
        valid_alone
            && self.early.iter().all(|(&at, other)| match (what, other) {
                (Reliable::Packet(_), Reliable::Packet(_)) => true,
                (Reliable::Part(part), Reliable::Packet(_)) => !inside(part, at),
                (Reliable::Packet(_), Reliable::Part(other)) => !inside(other, sequence),
                (Reliable::Part(part), Reliable::Part(other)) => {
                    part.is_consistent_with(other) || !(inside(part, at) || inside(other, sequence))
                }
            })
    }

    /// Reports the next packet in order, or skips it if its fragments contradict each other.
    /// Returns `false` if the packet is not complete.
    fn deliver_next(&mut self, events: &mut ChannelEvents) -> bool {
        let due = self.last_completed.wrapping_add(1);
        let (packet, count) = match self.early.get(&due) {
            None => return false,
            Some(Reliable::Packet(payload)) => (Some(payload.clone()), 1),
            Some(Reliable::Part(first)) => match self.parts(due, first) {
                Ok(parts) => (reassembled(&parts), parts.len() as u16),
                Err(Incomplete::Missing) => return false,
                Err(Incomplete::Other) => (None, 1),
            },
        };
        match packet {
            Some(packet) => events.push((Mode::Reliable, due, Some(packet))),
            None => self.contradictory = true,
        }
        self.skip(count);
        true
    }

    /// Returns all fragments of the packet with the sequence number `due`, or the reason why they
    /// are not a packet.
    fn parts(&self, due: u16, first: &Fragment) -> Result<Vec<&Fragment>, Incomplete> {
        (0..first.count)
            .map(|number| match self.early.get(&due.wrapping_add(number as u16)) {
                None => Err(Incomplete::Missing),
                Some(Reliable::Part(part))
                    if part.is_consistent_with(first) && part.number == number =>
                {
                    Ok(part)
                }
                Some(_) => Err(Incomplete::Other),
            })
            .collect()
    }

    fn skip(&mut self, count: u16) {
        for _ in 0..count {
            self.last_completed = self.last_completed.wrapping_add(1);
            self.early.remove(&self.last_completed);
        }
    }
}

/// The reason why fragments are not a packet: a fragment is missing, or belongs to a different
/// packet.
enum Incomplete {
    Missing,
    Other,
}

/// Unreliable packets.
impl Channel {
    pub fn unreliable(
        &mut self,
        sequence: u16,
        number: u16,
        payload: Vec<u8>,
        events: &mut ChannelEvents,
    ) {
        if self.is_old(sequence, number) {
            return;
        }
        match self.find(sequence, number) {
            Some(other) => self.contradictory |= matches!(other.packet, Unreliable::Parts(_)),
            None => {
                let packet = Unreliable::Packet(payload);
                self.waiting.push(Waiting { sequence, number, packet });
                self.deliver_waiting(events);
            }
        }
    }

    /// Adds an unreliable fragment. Returns `false` if its numbers contradict each other.
    pub fn unreliable_fragment(
        &mut self,
        sequence: u16,
        part: Fragment,
        events: &mut ChannelEvents,
    ) -> bool {
        if !part.is_valid() {
            return false;
        }
        let number = part.start;
        if self.is_old(sequence, number) {
            return true;
        }
        if self.find(sequence, number).is_none() {
            let packet = Unreliable::Parts(BTreeMap::new());
            self.waiting.push(Waiting { sequence, number, packet });
        }
        let Some(Waiting { packet, .. }) = self.find(sequence, number) else { return true };
        let contradictory = match packet {
            Unreliable::Packet(_) => true,
            Unreliable::Parts(parts) => {
                let contradictory = !part.has_valid_position()
                    || parts.values().any(|it| !part.is_consistent_with(it));
                parts.entry(part.number).or_insert(part);
                contradictory
            }
        };
        self.contradictory |= contradictory;
        self.deliver_waiting(events);
        true
    }

    fn is_old(&self, sequence: u16, number: u16) -> bool {
        // The numbers of unreliable packets start again after each reliable packet, and do not wrap
        // around.
        match sequence == self.last_completed {
            true => self.newest.is_some_and(|newest| number <= newest),
            false => !is_later(sequence, self.last_completed),
        }
    }

    fn find(&mut self, sequence: u16, number: u16) -> Option<&mut Waiting> {
        self.waiting.iter_mut().find(|it| (it.sequence, it.number) == (sequence, number))
    }

    /// Delivers or gives up the unreliable packets that waited for the current sequence number or
    /// an earlier one.
    fn deliver_waiting(&mut self, events: &mut ChannelEvents) {
        let last_completed = self.last_completed;
        self.waiting.sort_by_key(|it| (it.sequence.wrapping_sub(last_completed) as i16, it.number));
        // Packets before the newest complete one are lost if they are incomplete.
        let here = |it: &Waiting| it.sequence == last_completed;
        let last =
            self.waiting.iter().rposition(|it| here(it) && it.packet.complete_payload().is_some());
        let passed = |it: &&Waiting| !here(it) && !is_later(it.sequence, last_completed);
        let passed = self.waiting.iter().filter(passed).count();
        for it in self.waiting.drain(..last.map_or(passed, |last| last + 1)) {
            match it.packet.complete_payload().filter(|_| it.sequence == last_completed) {
                Some(packet) => {
                    self.newest = Some(it.number);
                    events.push((Mode::Unreliable, it.number, Some(packet)));
                }
                None => events.push((Mode::Unreliable, it.number, None)),
            }
        }
    }
}

impl Unreliable {
    fn complete_payload(&self) -> Option<Vec<u8>> {
        match self {
            Self::Packet(packet) => Some(packet.clone()),
            Self::Parts(parts) => {
                let parts: Vec<_> = parts.values().collect();
                reassembled(&parts).filter(|_| parts.len() == parts[0].count as usize)
            }
        }
    }
}

/// The packets of a channel that are undelivered when no more datagrams arrive.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Undelivered {
    /// Reliable packets after gaps, in order.
    pub reliable: Vec<(u16, Vec<u8>)>,
    /// All known sequence numbers that were not delivered.
    pub lost: Vec<u16>,
    /// The numbers of the waiting unreliable packets, each with its payload or `None` if it is
    /// incomplete.
    pub unreliable: Vec<(u16, Option<Vec<u8>>)>,
}

impl Channel {
    pub fn undelivered(&self) -> Undelivered {
        let ahead = |sequence: u16| sequence.wrapping_sub(self.last_completed);
        let last = self.early.iter().map(|(&sequence, what)| match what {
            Reliable::Packet(_) => ahead(sequence),
            Reliable::Part(part) => ahead(part.start.wrapping_add((part.count - 1) as u16)),
        });
        let last = last.max().unwrap_or(0);
        let waiting = self.waiting.iter().map(|it| (it.number, it.packet.complete_payload()));
        let mut undelivered =
            Undelivered { unreliable: waiting.collect(), ..Undelivered::default() };
        let mut at = 1;
        while at <= last {
            let sequence = self.last_completed.wrapping_add(at);
            at += match self.early.get(&sequence) {
                Some(Reliable::Packet(packet)) => {
                    undelivered.reliable.push((sequence, packet.clone()));
                    1
                }
                Some(Reliable::Part(first)) => match self.parts(sequence, first) {
                    Ok(parts) => {
                        undelivered
                            .reliable
                            .push((sequence, reassembled(&parts).unwrap_or_default()));
                        parts.len() as u16
                    }
                    Err(_) => {
                        undelivered.lost.push(sequence);
                        1
                    }
                },
                None => {
                    undelivered.lost.push(sequence);
                    1
                }
            };
        }
        undelivered
    }
}

/// Converts the events of a channel.
pub fn to_events(channel: u8, events: ChannelEvents) -> impl Iterator<Item = Event> {
    events.into_iter().map(move |(mode, number, what)| match what {
        Some(payload) => Event::Delivery { channel, mode, number, payload },
        None => Event::Lost { channel, mode, first: number, count: 1 },
    })
}
