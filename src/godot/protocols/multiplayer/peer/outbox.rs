//! The queue of packets for the transport.

use super::byte_queue::ByteQueue;
use crate::godot::multiplayer::transport::TransferMode;
use alloc::collections::VecDeque;

/// A packet for the transport.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Outgoing<'a> {
    /// The peer to which the transport sends the packet.
    pub to: i32,
    /// The guarantees of delivery.
    pub mode: TransferMode,
    /// The channel as scripts count it: 0 is the default channel of each mode. For Godot 3, this is
    /// the channel of ENet: 0 for messages about peers, 1 for reliable packets, and 2 for others.
    pub channel: u8,
    /// The bytes.
    pub bytes: &'a [u8],
}

/// A packet in the queue. Its receivers and its bytes are in the queue of bytes.
#[derive(Clone, Copy, Debug)]
struct Head {
    mode: TransferMode,
    channel: u8,
    receivers: usize,
    len: usize,
    /// Number of receivers that have got the packet.
    done: usize,
}

impl Head {
    fn size(&self) -> usize {
        self.receivers.saturating_mul(RECEIVER).saturating_add(self.len)
    }
}

/// Size of a receiver in the queue.
const RECEIVER: usize = size_of::<i32>();

/// The queue of outgoing packets. A packet for many receivers is stored once.
#[derive(Debug)]
pub(super) struct Outbox {
    heads: VecDeque<Head>,
    bytes: ByteQueue,
    limit: usize,
}

/// The queue is full.
#[derive(Clone, Copy, Debug)]
pub(super) struct QueueFull;

/// The cause of a packet. Answers to peers may use memory that the caller's packets may not.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Cause {
    Caller,
    Answer,
}

impl Outbox {
    pub(super) fn new(limit: usize) -> Self {
        Self { heads: VecDeque::new(), bytes: ByteQueue::default(), limit }
    }

    /// Appends a packet, whose bytes are the concatenation of `parts`.
    pub(super) fn push(
        &mut self,
        cause: Cause,
        (mode, channel): (TransferMode, u8),
        receivers: &[i32],
        parts: [&[u8]; 2],
    ) -> Result<(), QueueFull> {
        if receivers.is_empty() {
            return Ok(());
        }
        let [a, b] = parts.map(<[u8]>::len);
        let len = a.saturating_add(b);
        let head = Head { mode, channel, receivers: receivers.len(), len, done: 0 };
        if self.used().saturating_add(head.size()) > self.limit_for(cause) {
            return Err(QueueFull);
        }
        receivers.iter().for_each(|receiver| self.bytes.push(&receiver.to_le_bytes()));
        parts.iter().for_each(|part| self.bytes.push(part));
        self.heads.push_back(head);
        Ok(())
    }

    fn used(&self) -> usize {
        self.heads.len().saturating_mul(size_of::<Head>()).saturating_add(self.bytes.len())
    }

    fn limit_for(&self, cause: Cause) -> usize {
        match cause {
            Cause::Answer => self.limit,
            Cause::Caller => self.limit.saturating_sub(self.limit / 16),
        }
    }

    /// Returns the next packet. Its memory is reused after the next call.
    pub(super) fn poll(&mut self) -> Option<Outgoing<'_>> {
        let (to, head) = loop {
            let head = self.heads.front_mut()?;
            if head.done >= head.receivers {
                let size = head.size();
                self.bytes.pop(size);
                self.heads.pop_front();
                continue;
            }
            let at = head.done.saturating_mul(RECEIVER);
            head.done = head.done.saturating_add(1);
            let to = receiver(self.bytes.get(at..at.saturating_add(RECEIVER)));
            // 0 stands for a receiver that has left.
            if to != 0 {
                break (to, *head);
            }
        };
        let start = head.receivers.saturating_mul(RECEIVER);
        let bytes = self.bytes.get(start..start.saturating_add(head.len));
        Some(Outgoing { to, mode: head.mode, channel: head.channel, bytes })
    }

    /// Removes a receiver from all packets. The work is linear in the number of receivers in the
    /// queue.
    pub(super) fn forget(&mut self, peer: i32) {
        let mut rest = self.bytes.as_mut();
        for head in &self.heads {
            let Some((packet, after)) = rest.split_at_mut_checked(head.size()) else { return };
            for place in packet.chunks_exact_mut(RECEIVER).take(head.receivers) {
                if receiver(place) == peer {
                    place.fill(0);
                }
            }
            rest = after;
        }
    }
}

fn receiver(bytes: &[u8]) -> i32 {
    bytes.first_chunk().map_or(0, |bytes| i32::from_le_bytes(*bytes))
}
