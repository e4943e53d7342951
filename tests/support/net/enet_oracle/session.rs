//! One direction of a connection.

use super::channel::{Channel, ChannelEvents, Undelivered, to_events};
use super::wire::{Body, Command, commands, datagram};
use super::{Event, Mode};
use crate::support::net::range_coder;
use std::collections::{BTreeMap, HashMap, HashSet};

/// ENet's limit for a datagram.
const MAX_DATAGRAM: usize = 4096;

/// The state of one direction of a connection. A connection begins with a CONNECT or VERIFY_CONNECT
/// command.
#[derive(Default)]
pub struct Session {
    connection: Option<u32>,
    channels: HashMap<u8, Channel>,
    groups: Groups,
    /// Channels with contradictory fragments. If a datagram starts a new connection, the set keeps
    /// the channels of the previous connection until the next datagram.
    pub contradictory: HashSet<u8>,
}

impl Session {
    pub fn feed(&mut self, bytes: &[u8]) -> Vec<Event> {
        let mut events = Vec::new();
        self.contradictory.retain(|number| {
            self.channels.get(number).is_some_and(|channel| channel.contradictory)
        });
        let Some(datagram) = datagram(bytes, false) else { return vec![Event::Malformed] };
        let header_len = bytes.len() - datagram.body.len();
        let body = match datagram.compressed {
            true => range_coder::decode(&datagram.body, MAX_DATAGRAM - header_len),
            false => Ok(datagram.body),
        };
        let Ok(body) = body else { return vec![Event::Malformed] };
        let (commands, malformed) = commands(&body);
        // If a different coder compressed the data, the range coder decompresses them to random
        // bytes. Therefore, the decompressed data are used only if all commands are valid.
        if datagram.compressed && malformed.is_some() {
            return vec![Event::Malformed];
        }
        for command in commands {
            self.handle(command, &mut events);
        }
        events.extend(malformed.map(|_| Event::Malformed));
        events
    }

    /// Returns the undelivered packets of each channel. Skips channels with contradictory
    /// fragments.
    pub fn undelivered(&self) -> BTreeMap<u8, Undelivered> {
        let consistent = self.channels.iter().filter(|(_, channel)| !channel.contradictory);
        let undelivered = consistent.map(|(&number, channel)| (number, channel.undelivered()));
        undelivered.filter(|(_, undelivered)| *undelivered != Undelivered::default()).collect()
    }

    fn handle(&mut self, command: Command, events: &mut Vec<Event>) {
        if let Body::Control { kind, numbers } = command.body {
            self.control(kind, &numbers);
            return events.push(Event::Control(kind));
        }
        // Channel 255 is only for control commands.
        if command.channel == 255 {
            return events.push(Event::Malformed);
        }
        let number = command.channel;
        if let Body::Unsequenced { group, payload } = command.body {
            if self.groups.is_new(group) {
                let mode = Mode::Unsequenced;
                events.push(Event::Delivery { channel: number, mode, number: group, payload });
            }
            return;
        }
        let channel = self.channels.entry(number).or_default();
        let (sequence, mut channel_events) = (command.sequence, ChannelEvents::new());
        let is_valid = match command.body {
            Body::Reliable(payload) => {
                channel.packet(sequence, payload, &mut channel_events);
                true
            }
            Body::Unreliable { number, payload } => {
                channel.unreliable(sequence, number, payload, &mut channel_events);
                true
            }
            Body::Fragment(part) => channel.fragment(sequence, part, &mut channel_events),
            Body::UnreliableFragment(part) => {
                channel.unreliable_fragment(sequence, part, &mut channel_events)
            }
            Body::Control { .. } | Body::Unsequenced { .. } => true,
        };
        if channel.contradictory {
            self.contradictory.insert(number);
        }
        events.extend((!is_valid).then_some(Event::Malformed));
        events.extend(to_events(number, channel_events));
    }

    /// Resets the state if a command starts a new connection.
    fn control(&mut self, kind: u8, numbers: &[u32]) {
        // The id follows the slot, the sessions and eight other numbers.
        let id = if kind == 2 || kind == 3 { numbers.get(11).copied() } else { None };
        if id.is_some() && id != self.connection {
            let contradictory = std::mem::take(&mut self.contradictory);
            *self = Self { connection: id, contradictory, ..Self::default() };
        }
    }
}

/// The groups of unsequenced packets that arrived, in a window of 1,024 groups.
#[derive(Default)]
struct Groups {
    /// The first group of the window, a multiple of 1024.
    start: u16,
    seen: HashSet<u16>,
}

impl Groups {
    fn is_new(&mut self, group: u16) -> bool {
        // Groups less than 32 windows ahead may be new; all others are old.
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
