//! One direction of a channel.

use super::buffer::{ChannelContext, FragmentInfo, PacketBuffer, PushResult, Rejected};
use super::event::{Arrival, Event};
use super::reliable::Reliable;
use super::unreliable::{PacketNumber, Unreliable};
use crate::transport::enet::{Body, Command, Fragment};

#[derive(Clone, Debug)]
pub(super) struct Channel {
    pub(super) number: u8,
    pub(super) reliable: Reliable,
    pub(super) unreliable: Unreliable,
}

impl Channel {
    /// The channel of commands about the connection itself. It has no packets.
    pub(super) const CONTROL: u8 = 255;

    /// Creates a channel that starts with reliable sequence number `first`, if it is known.
    pub(super) fn new(number: u8, first: Option<u16>) -> Self {
        Self { number, reliable: Reliable::new(first), unreliable: Unreliable::default() }
    }

    /// Resets the channel. Keeps the allocated memory. The session clears the buffer.
    pub(super) fn clear(&mut self, first: Option<u16>) {
        self.reliable.clear(first);
        self.unreliable.clear();
    }

    pub(super) fn memory(&self) -> usize {
        self.reliable.memory().saturating_add(self.unreliable.memory())
    }

    /// Processes a packet or fragment.
    pub(super) fn push<E: FnMut(Event<'_>)>(
        &mut self,
        command: &Command<'_>,
        buffer: &mut PacketBuffer,
        each: &mut E,
    ) -> PushResult {
        let sequence = command.sequence;
        let passed = self.reliable.passed();
        let mut context = ChannelContext { channel: self.number, buffer, each };
        let result = match command.body {
            Body::Reliable { payload } => self.reliable.push(sequence, None, payload, &mut context),
            Body::Fragment(part) => {
                let own_sequence = part.start.wrapping_add(part.number as u16);
                let (part, payload) = checked(part)?;
                if own_sequence != sequence {
                    return Err(Rejected::Malformed);
                }
                self.reliable.push(sequence, Some(part), payload, &mut context)
            }
            Body::Unreliable { number, payload } => {
                let number = PacketNumber { sequence, number };
                return self.unreliable.push(number, passed, payload, &mut context);
            }
            Body::UnreliableFragment(part) => {
                let (part, payload) = checked(part)?;
                return self.unreliable.push_fragment(
                    sequence,
                    passed,
                    part,
                    payload,
                    &mut context,
                );
            }
            _ => Ok(Arrival::InOrder),
        };
        self.advance(passed, &mut context);
        result
    }

    /// Delivers unreliable packets that waited for the reliable packets after `before`.
    fn advance<E: FnMut(Event<'_>)>(
        &mut self,
        before: Option<u16>,
        context: &mut ChannelContext<'_, E>,
    ) {
        if let Some(passed) = self.reliable.passed().filter(|passed| before != Some(*passed)) {
            self.unreliable.advance(passed, context);
        }
    }

    /// Skips a command that does not fit into the empty buffer. If commands are missing before it,
    /// gives up the missing commands instead and returns `true`, so that the caller tries the
    /// command again.
    pub(super) fn skip<E: FnMut(Event<'_>)>(
        &mut self,
        command: &Command<'_>,
        buffer: &mut PacketBuffer,
        each: &mut E,
    ) -> bool {
        let mut context = ChannelContext { channel: self.number, buffer, each };
        let sequence = command.sequence;
        let number = match command.body {
            Body::UnreliableFragment(part) => part.start,
            Body::Unreliable { number, .. } => number,
            _ => {
                let passed = self.reliable.passed();
                let skipped = self.reliable.skip(sequence, &mut context);
                self.advance(passed, &mut context);
                return skipped;
            }
        };
        self.unreliable.skip(PacketNumber { sequence, number }, &mut context);
        false
    }

    /// Returns the time since which the oldest command has been waiting.
    pub(super) fn oldest(&self) -> Option<u64> {
        let both = [self.reliable.oldest(), self.unreliable.oldest()];
        both.into_iter().flatten().min()
    }

    /// Gives up the gap before the oldest waiting command.
    pub(super) fn give_up<E: FnMut(Event<'_>)>(&mut self, buffer: &mut PacketBuffer, each: &mut E) {
        let mut context = ChannelContext { channel: self.number, buffer, each };
        if self.reliable.oldest().is_some() && self.oldest() == self.reliable.oldest() {
            let passed = self.reliable.passed();
            self.reliable.give_up(&mut context);
            self.advance(passed, &mut context);
        } else {
            self.unreliable.give_up(&mut context);
        }
    }
}

/// Splits a fragment into its fields and its payload. Checks the fields.
pub(super) fn checked(part: Fragment<'_>) -> Result<(FragmentInfo, &[u8]), Rejected> {
    let Fragment { start, count, number, total, offset, payload } = part;
    let end = u64::from(offset).saturating_add(payload.len() as u64);
    // A packet has at least one byte for each fragment. ENet rejects a fragment that starts at the
    // end of the packet, even if it is empty.
    if number >= count || count > total || offset >= total || end > u64::from(total) {
        return Err(Rejected::Malformed);
    }
    Ok((Fragment { start, count, number, total, offset, payload: &[] }, payload))
}
