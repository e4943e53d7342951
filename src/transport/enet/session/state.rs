//! The state of a [`Session`] in a form that can be stored.

use super::block_pool::Chain;
use super::buffer::{FragmentInfo, PacketBuffer, QueuedCommand};
use super::channel::{self, Channel};
use super::detection::Detection;
use super::reliable::{PartialPacket, Reliable};
use super::unreliable::{PacketNumber, Unreliable};
use super::{CompressionMode, Groups, Session};
use crate::transport::enet::Fragment;
use alloc::collections::VecDeque;
use alloc::vec::Vec;
use serde::{Deserialize, Serialize};

/// The stored state of a [`Session`].
#[derive(Deserialize, Serialize)]
pub(crate) struct SessionState {
    /// Number of the last compression mode, and `true` if it is certain.
    compression: Option<(u32, bool)>,
    connect_id: Option<u32>,
    channels: Vec<ChannelState>,
    /// First group of the window, and the groups in it that have arrived.
    groups: Option<(u16, [u64; 16])>,
    clock: u64,
}

#[derive(Deserialize, Serialize)]
struct ChannelState {
    /// Sequence number of the reliable command that is expected next.
    next: Option<u16>,
    early: Vec<QueuedState>,
    partial: Option<PartialState>,
    /// Sequence number and number of the newest unreliable packet.
    newest: Option<(u16, u16)>,
    parts: Vec<QueuedState>,
    none_complete_after: Option<u16>,
}

/// A command that waits for earlier ones.
#[derive(Deserialize, Serialize)]
struct QueuedState {
    sequence: u16,
    part: Option<FragmentState>,
    bytes: Vec<u8>,
    since: u64,
}

/// A reliable packet whose first fragments have arrived.
#[derive(Deserialize, Serialize)]
struct PartialState {
    part: FragmentState,
    bytes: Vec<u8>,
    since: u64,
}

#[derive(Deserialize, Serialize)]
struct FragmentState {
    start: u16,
    count: u32,
    number: u32,
    total: u32,
    offset: u32,
}

impl Session {
    /// Returns the state. It contains neither limits nor options.
    pub(crate) fn state(&self) -> SessionState {
        let compression = match self.compression {
            Detection::Fixed(mode) | Detection::Detected(mode) => Some((mode as u32, true)),
            Detection::Unknown(last) => last.map(|mode| (mode as u32, false)),
        };
        let Groups { base, arrived } = self.groups;
        SessionState {
            compression,
            connect_id: self.connect_id,
            channels: self.channels.iter().map(|channel| channel.state(&self.buffer)).collect(),
            groups: base.map(|base| (base, arrived)),
            clock: self.buffer.clock,
        }
    }

    /// Replaces the state of a new session. Keeps its limits and options. Returns `None` if the
    /// state contradicts itself or exceeds the limits.
    pub(crate) fn restored(mut self, state: SessionState) -> Option<Self> {
        let SessionState { compression, connect_id, channels, groups, clock } = state;
        if channels.len() > usize::from(Channel::CONTROL) {
            return None;
        }
        if let Some((mode, is_certain)) = compression {
            self.compression.learn(CompressionMode::from_mode(mode)?, is_certain);
        }
        self.connect_id = connect_id;
        if let Some((base, arrived)) = groups {
            self.groups = Groups { base: Some(base), arrived };
        }
        for (number, channel) in (0..).zip(channels) {
            self.channels.push(Channel::restore(number, channel, &mut self.buffer)?);
        }
        self.buffer.clock = clock;
        Some(self)
    }
}

impl Channel {
    fn state(&self, buffer: &PacketBuffer) -> ChannelState {
        let queued = |queued: &QueuedCommand| queued.state(buffer);
        let Self { reliable, unreliable, .. } = self;
        ChannelState {
            next: reliable.next,
            early: reliable.early.iter().map(queued).collect(),
            partial: reliable.partial.as_ref().map(|partial| partial.state(buffer)),
            newest: unreliable.newest.map(|newest| (newest.sequence, newest.number)),
            parts: unreliable.parts.iter().map(queued).collect(),
            none_complete_after: unreliable.none_complete_after,
        }
    }

    fn restore(number: u8, state: ChannelState, buffer: &mut PacketBuffer) -> Option<Self> {
        let ChannelState { next, early, partial, newest, parts, none_complete_after } = state;
        let partial = match partial {
            Some(partial) => Some(PartialPacket::restore(partial, buffer)?),
            None => None,
        };
        let early = restore_queue(early, buffer)?;
        let reliable = Reliable { next, early, partial };
        let newest = newest.map(|(sequence, number)| PacketNumber { sequence, number });
        let parts = restore_queue(parts, buffer)?;
        let unreliable = Unreliable { newest, parts, none_complete_after };
        let is_consistent = reliable.is_consistent() && unreliable.is_consistent(buffer);
        is_consistent.then_some(Self { number, reliable, unreliable })
    }
}

impl Reliable {
    /// Checks the order of the queue, and the sequence numbers of fragments.
    fn is_consistent(&self) -> bool {
        let Self { next, early, partial } = self;
        let ahead = |queued: &QueuedCommand| queued.sequence.wrapping_sub(next.unwrap_or_default());
        let follows = partial.as_ref().is_none_or(|partial| {
            let FragmentInfo { start, number, .. } = partial.part;
            *next == Some(start.wrapping_add(number as u16).wrapping_add(1))
        });
        follows
            && (next.is_some() || early.is_empty())
            && early.iter().map(ahead).is_sorted_by(|a, b| a < b)
            && early.front().is_none_or(|queued| ahead(queued) > 0)
            && early.iter().all(|queued| {
                let own = |part: FragmentInfo| part.start.wrapping_add(part.number as u16);
                queued.part.is_none_or(|part| own(part) == queued.sequence)
            })
    }
}

impl Unreliable {
    /// Checks that the queue consists of fragments of packets that may be reassembled. The code that
    /// reassembles a packet checks their order.
    fn is_consistent(&self, buffer: &PacketBuffer) -> bool {
        let is_valid = |part: &FragmentInfo| !buffer.too_large(part);
        self.parts.iter().all(|queued| queued.part.as_ref().is_some_and(is_valid))
    }
}

fn restore_queue(
    queue: Vec<QueuedState>,
    buffer: &mut PacketBuffer,
) -> Option<VecDeque<QueuedCommand>> {
    queue.into_iter().map(|state| QueuedCommand::restore(state, buffer)).collect()
}

impl QueuedCommand {
    fn state(&self, buffer: &PacketBuffer) -> QueuedState {
        let Self { sequence, part, since, .. } = *self;
        let part = part.map(FragmentState::new);
        QueuedState { sequence, part, bytes: buffer.bytes(&self.bytes), since }
    }

    fn restore(state: QueuedState, buffer: &mut PacketBuffer) -> Option<Self> {
        let QueuedState { sequence, part, bytes, since } = state;
        let part = match part {
            Some(part) => Some(part.restore(&bytes)?),
            None => None,
        };
        Some(Self { since, ..buffer.store(sequence, part, &bytes)? })
    }
}

impl PartialPacket {
    fn state(&self, buffer: &PacketBuffer) -> PartialState {
        let part = FragmentState::new(self.part);
        PartialState { part, bytes: buffer.bytes(&self.bytes), since: self.since }
    }

    fn restore(state: PartialState, buffer: &mut PacketBuffer) -> Option<Self> {
        let PartialState { part, bytes, since } = state;
        let part = part.restore(&[])?;
        let is_unfinished = part.number.saturating_add(1) < part.count;
        let mut chain = Chain::EMPTY;
        let fits = !buffer.too_large(&part) && buffer.pool.append(&mut chain, &bytes);
        (is_unfinished && fits).then_some(Self { part, bytes: chain, since })
    }
}

impl FragmentState {
    fn new(part: FragmentInfo) -> Self {
        let FragmentInfo { start, count, number, total, offset, .. } = part;
        Self { start, count, number, total, offset }
    }

    /// Returns `None` if no fragment with these bytes has such fields.
    fn restore(self, payload: &[u8]) -> Option<FragmentInfo> {
        let Self { start, count, number, total, offset } = self;
        let part = Fragment { start, count, number, total, offset, payload };
        channel::checked(part).ok().map(|(part, _)| part)
    }
}

impl PacketBuffer {
    fn bytes(&self, chain: &Chain) -> Vec<u8> {
        let mut bytes = Vec::with_capacity(chain.len());
        self.pool.read(chain, &mut bytes);
        bytes
    }
}
