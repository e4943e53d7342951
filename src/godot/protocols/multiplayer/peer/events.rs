//! The queue of events.

use super::byte_queue::ByteQueue;
use super::event::{Call, Event, Refusal};
use super::slots::{NodeId, SyncId};
use crate::godot::StrRef;
use crate::godot::multiplayer::godot4::Method;
use crate::godot::multiplayer::run::StoredRun;
use alloc::collections::VecDeque;

/// An event in the queue. Its bytes are in the queue of bytes.
#[derive(Clone, Copy, Debug)]
pub(super) enum Record {
    Authenticating {
        peer: i32,
    },
    Auth {
        peer: i32,
    },
    AuthFailed {
        peer: i32,
    },
    Connected {
        peer: i32,
    },
    Disconnected {
        peer: i32,
    },
    Call {
        from: i32,
        node: NodeId,
        method: Method,
        arguments: StoredRun,
    },
    Set {
        from: i32,
        node: NodeId,
        method: Method,
        arguments: StoredRun,
    },
    Bytes {
        from: i32,
    },
    Spawned {
        from: i32,
        spawner: NodeId,
        node: NodeId,
        scene: Option<u8>,
        /// The argument, and its length.
        argument: Option<(StoredRun, usize)>,
        state: StoredRun,
    },
    Despawned {
        from: i32,
        node: NodeId,
    },
    Synchronized {
        from: i32,
        sync: SyncId,
        values: StoredRun,
    },
    Changed {
        from: i32,
        sync: SyncId,
        changed: u64,
        values: StoredRun,
    },
    DifferentMethods {
        peer: i32,
        node: NodeId,
    },
    Refused {
        from: i32,
        why: Refusal,
        count: u32,
        node: Option<NodeId>,
        method: Option<Method>,
    },
}

/// A queue of events.
///
/// [`Peer::poll_event`](super::Peer::poll_event) returns one event, which borrows from the peer. To
/// call methods of the peer while an event is handled, move all events into a queue of your own
/// with [`Peer::take_events`](super::Peer::take_events).
#[derive(Debug, Default)]
pub struct Events {
    records: VecDeque<(Record, u32)>,
    bytes: ByteQueue,
}

impl Events {
    /// Creates an empty queue.
    pub fn new() -> Self {
        Self::default()
    }

    /// Returns `true` if there is no event.
    pub fn is_empty(&self) -> bool {
        self.records.is_empty()
    }

    /// Returns the size of all events.
    pub(super) fn used(&self) -> usize {
        let record = size_of::<(Record, u32)>();
        self.records.len().saturating_mul(record).saturating_add(self.bytes.len())
    }

    pub(super) fn push(&mut self, record: Record, bytes: &[u8]) {
        // A packet is below 4 GiB, since `Limits::packet` of `Peer` is capped.
        let len = u32::try_from(bytes.len()).unwrap_or(0);
        self.bytes.push(bytes);
        self.records.push_back((record, len));
    }

    /// Appends an event with two pieces of bytes.
    pub(super) fn push_two(&mut self, record: Record, first: &[u8], second: &[u8]) {
        let len = first.len().saturating_add(second.len());
        self.bytes.push(first);
        self.bytes.push(second);
        self.records.push_back((record, u32::try_from(len).unwrap_or(0)));
    }

    /// Returns the next event. Its memory is reused after the next call.
    pub fn poll(&mut self) -> Option<Event<'_>> {
        let (record, len) = self.records.pop_front()?;
        let bytes = self.bytes.pop(len as usize);
        Some(match record {
            Record::Authenticating { peer } => Event::Authenticating { peer },
            Record::Auth { peer } => Event::Auth { peer, data: bytes },
            Record::AuthFailed { peer } => Event::AuthFailed { peer },
            Record::Connected { peer } => Event::Connected { peer },
            Record::Disconnected { peer } => Event::Disconnected { peer },
            Record::Call { from, node, method, arguments } => {
                Event::Call(Call { from, node, method, arguments: arguments.of(bytes) })
            }
            Record::Set { from, node, method, arguments } => {
                Event::Set(Call { from, node, method, arguments: arguments.of(bytes) })
            }
            Record::Bytes { from } => Event::Bytes { from, bytes },
            Record::Spawned { from, spawner, node, scene, argument, state } => {
                let len = argument.map_or(0, |(_, len)| len);
                let (first, second) = bytes.split_at_checked(len).unwrap_or_default();
                let argument = argument.map(|(argument, _)| argument.of(first));
                Event::Spawned { from, spawner, node, scene, argument, state: state.of(second) }
            }
            Record::Despawned { from, node } => Event::Despawned { from, node },
            Record::Synchronized { from, sync, values } => {
                Event::Synchronized { from, sync, values: values.of(bytes) }
            }
            Record::Changed { from, sync, changed, values } => {
                Event::Changed { from, sync, changed, values: values.of(bytes) }
            }
            Record::DifferentMethods { peer, node } => Event::DifferentMethods { peer, node },
            Record::Refused { from, why, count, node, method } => {
                Event::Refused { from, why, count, node, method, path: StrRef::new(bytes) }
            }
        })
    }
}
