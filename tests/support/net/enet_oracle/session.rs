//! One direction of a connection.

use super::channel::{Channel, Left, Told, events};
use super::wire::{Body, Command, commands, datagram};
use super::{Event, Mode};
use crate::support::net::range_coder;
use std::collections::{BTreeMap, HashMap, HashSet};

/// ENet's limit for a datagram.
const LARGEST: usize = 4096;

/// State of one direction. It begins with a CONNECT or VERIFY_CONNECT.
#[derive(Default)]
pub struct Session {
    connection: Option<u32>,
    channels: HashMap<u8, Channel>,
    groups: Groups,
    /// Channels with contradictory fragments, up to the last datagram.
    pub odd: HashSet<u8>,
}

impl Session {
    pub fn feed(&mut self, bytes: &[u8]) -> Vec<Event> {
        let mut told = Vec::new();
        self.odd.retain(|number| self.channels.get(number).is_some_and(|channel| channel.odd));
        let Some(datagram) = datagram(bytes, false) else { return vec![Event::Malformed] };
        let head = bytes.len() - datagram.body.len();
        let body = match datagram.compressed {
            true => range_coder::decode(&datagram.body, LARGEST - head),
            false => Ok(datagram.body),
        };
        let Ok(body) = body else { return vec![Event::Malformed] };
        let (commands, bad) = commands(&body);
        // Data of another coder decompress to random bytes: used only if all commands are valid.
        if datagram.compressed && bad.is_some() {
            return vec![Event::Malformed];
        }
        for command in commands {
            self.take(command, &mut told);
        }
        told.extend(bad.map(|_| Event::Malformed));
        told
    }

    /// Returns the undelivered packets of each channel. Skips channels with contradictory fragments.
    pub fn left(&self) -> BTreeMap<u8, Left> {
        let sound = self.channels.iter().filter(|(_, channel)| !channel.odd);
        let left = sound.map(|(&number, channel)| (number, channel.left()));
        left.filter(|(_, left)| *left != Left::default()).collect()
    }

    fn take(&mut self, command: Command, told: &mut Vec<Event>) {
        if let Body::Control { kind, numbers } = command.body {
            self.control(kind, &numbers);
            return told.push(Event::Control(kind));
        }
        // That channel does not exist.
        if command.channel == 255 {
            return told.push(Event::Malformed);
        }
        let number = command.channel;
        if let Body::Unsequenced { group, payload } = command.body {
            if self.groups.is_new(group) {
                let mode = Mode::Unsequenced;
                told.push(Event::Delivery { channel: number, mode, number: group, payload });
            }
            return;
        }
        let channel = self.channels.entry(number).or_default();
        let (sequence, mut heard) = (command.sequence, Told::new());
        let sound = match command.body {
            Body::Reliable(payload) => {
                channel.packet(sequence, payload, &mut heard);
                true
            }
            Body::Unreliable { number, payload } => {
                channel.unreliable(sequence, number, payload, &mut heard);
                true
            }
            Body::Fragment(part) => channel.fragment(sequence, part, &mut heard),
            Body::UnreliableFragment(part) => {
                channel.unreliable_fragment(sequence, part, &mut heard)
            }
            Body::Control { .. } | Body::Unsequenced { .. } => true,
        };
        if channel.odd {
            self.odd.insert(number);
        }
        told.extend((!sound).then_some(Event::Malformed));
        told.extend(events(number, heard));
    }

    /// Another connection starts with new state.
    fn control(&mut self, kind: u8, numbers: &[u32]) {
        // The id follows the slot, the sessions and eight other numbers.
        let id = if kind == 2 || kind == 3 { numbers.get(11).copied() } else { None };
        if id.is_some() && id != self.connection {
            let odd = std::mem::take(&mut self.odd);
            *self = Self { connection: id, odd, ..Self::default() };
        }
    }
}

/// Unsequenced packets received, in a window of 1024 groups.
#[derive(Default)]
struct Groups {
    /// The first group of the window, a multiple of 1024.
    start: u16,
    seen: HashSet<u16>,
}

impl Groups {
    fn is_new(&mut self, group: u16) -> bool {
        // Up to 32 windows ahead is new; all others are old.
        if group.wrapping_sub(self.start) >= 32 * 1024 {
            return false;
        }
        let start = group - group % 1024;
        if start != self.start {
            *self = Self { start, seen: HashSet::new() };
        }
        self.seen.insert(group)
    }
}
