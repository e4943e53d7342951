//! Attributes the packets of games to their rows.

use super::Ledger;
use super::peers::OTHERS;
use super::rows::{Key, Node, Numbers};
use crate::godot::multiplayer::godot4::{self, NetId};
use crate::godot::multiplayer::{Run, godot3, transport};
use crate::traffic::methods::MethodNames;
use crate::traffic::record::{Content, Control, Reason, Record, Transport};
use crate::traffic::websocket::GODOT3_HEADER;
use crate::traffic::{Node as RecordNode, RecordKind};
use crate::transport::websocket;

/// Multiplayer id of the server.
const SERVER: i32 = 1;
/// Length of the header of a state in a SYNC packet: synchronizer and size.
const SYNC_HEADER: usize = 8;
/// Length of the header of a state in a DELTA packet: synchronizer, changed properties and size.
const DELTA_HEADER: usize = 16;

impl Ledger {
    /// Counts a packet of a game. `names` contains the names of the methods of the game.
    #[inline]
    pub fn record(&mut self, record: &Record<'_>, names: &MethodNames) {
        let Some(len) = record.payload_len() else {
            if let Content::Control(Control::Connect | Control::Accept) = record.content {
                self.rows.forget_numbers();
            }
            return;
        };
        let sender = self.sender.unwrap_or_else(|| self.peers.find(&record.source));
        self.peers.packet(sender, record.peer, len);
        let kind = record.kind();
        let mut bytes = len;
        if record.relay.is_some() || matches!(record.content, Content::Godot3(_)) {
            let header = addressing_len(record).min(len);
            self.addressing.add(header);
            bytes = len.wrapping_sub(header);
        }
        if let Some(sum) = self.kinds.get_mut(kind as usize) {
            sum.add(bytes);
        }
        match record.content {
            Content::Godot4(godot4::Packet::Sync(sync)) => {
                let mut states = States::new(self, record, kind, sender, bytes);
                sync.records.for_each_state(|node, state| states.add(node, None, state));
                states.finish();
            }
            Content::Godot4(godot4::Packet::Delta(delta)) => {
                let mut states = States::new(self, record, kind, sender, bytes);
                let add = |node, changed, state: Run<'_>| states.add(node, Some(changed), state);
                delta.records.for_each_state(add);
                states.finish();
            }
            Content::Godot4(godot4::Packet::Spawn(spawn)) => {
                self.spawn(record, sender, bytes, spawn)
            }
            _ => self.whole(record, sender, kind, bytes, names),
        }
    }

    /// Counts a packet of a game that the caller excludes, for example because a filter rejects it.
    pub fn exclude(&mut self, record: &Record<'_>) {
        if let Some(len) = record.payload_len() {
            self.excluded.add(len);
        }
    }

    fn spawn(&mut self, record: &Record<'_>, sender: u32, bytes: usize, spawn: &godot4::Spawn<'_>) {
        let key = Key { node: node_of(record.node, sender), ..Key::new(RecordKind::Spawn) };
        let header = bytes.saturating_sub(spawn.state.as_bytes().len());
        let row = self.rows.add(&key, header, || None);
        self.properties(row, RecordKind::Spawn, bytes.wrapping_sub(header), None, spawn.state);
        self.leak(record.leaked());
    }

    /// Adds the values of properties, `len` bytes in all, to the rows of these properties. If
    /// `changed` is given, the positions of its set bits are the indices of the properties.
    /// Otherwise the values are those of the first properties. Returns `true` if a value can have
    /// padding.
    #[inline(always)]
    fn properties(
        &mut self,
        row: Option<usize>,
        kind: RecordKind,
        len: usize,
        changed: Option<u64>,
        state: Run<'_>,
    ) -> bool {
        let bytes = state.as_bytes().len();
        let mut values = Properties { rest: len, property: 0, left: changed };
        let (mut at, mut is_padded) = (0_usize, false);
        while let Some((value, can_have_padding)) = state.leaf_at(at) {
            at = at.wrapping_add(value);
            is_padded |= can_have_padding;
            let (property, value) = values.next(value);
            self.rows.add_property(row, kind, property, value);
        }
        if at < bytes {
            self.other_properties(row, kind, values, at, state);
            return true;
        }
        // These bytes belong to no value.
        if values.rest > 0 {
            self.rows.add_bytes(row, kind, values.rest);
        }
        is_padded
    }

    /// Adds the values from position `at` on, the first of which is a container.
    #[inline(never)]
    fn other_properties(
        &mut self,
        row: Option<usize>,
        kind: RecordKind,
        mut values: Properties,
        at: usize,
        state: Run<'_>,
    ) {
        for value in state.lengths_from(at) {
            let (property, value) = values.next(value);
            self.rows.add_property(row, kind, property, value);
        }
        self.rows.add_bytes(row, kind, values.rest);
    }

    /// Adds a packet to one row.
    #[inline(always)]
    fn whole(
        &mut self,
        record: &Record<'_>,
        sender: u32,
        kind: RecordKind,
        bytes: usize,
        names: &MethodNames,
    ) {
        let mut key = Key::new(kind);
        let numbers = match (&record.content, record.node.and_then(|node| node.id)) {
            (Content::Godot4(godot4::Packet::Call(call)), Some(id))
                if has_own_numbers(record, sender) =>
            {
                key.method = call.method.0;
                Some(Numbers::new(kind, Node::Number(id, sender), key.method))
            }
            (Content::Godot3(_), _) => None,
            (_, None) if record.node.is_none() => Some(Numbers::new(kind, Node::None, 0)),
            _ => None,
        };
        let known = numbers.and_then(|numbers| self.rows.add_recent(numbers, bytes));
        if known.is_none() {
            self.new_whole(record, sender, key, bytes, numbers, names);
        }
        if can_leak(&record.content) {
            self.leak(record.leaked());
        }
    }

    #[inline(never)]
    fn new_whole(
        &mut self,
        record: &Record<'_>,
        sender: u32,
        key: Key<'_>,
        bytes: usize,
        numbers: Option<Numbers>,
        names: &MethodNames,
    ) {
        if let Content::Godot4(godot4::Packet::SimplifyPath(_)) = record.content {
            self.rows.forget_numbers();
        }
        let mut key = Key { node: node_of(record.node, sender), ..key };
        match &record.content {
            Content::Godot4(godot4::Packet::Call(call)) => {
                key.method = call.method.0;
                let checksum = record.node.and_then(|node| node.checksum?.first_chunk::<8>());
                key.checksum = checksum.map_or(0, |first| u64::from_le_bytes(*first));
            }
            Content::Godot3(godot3::Packet::Call(call)) => key.name = call.method.as_bytes(),
            Content::Godot3(godot3::Packet::Set(set)) => key.name = set.property.as_bytes(),
            _ => {}
        }
        key = key.relayed_by(original_sender(record));
        let label = || record.member(names).map(|name| name.as_bytes().into());
        let row = self.rows.add(&key, bytes, label);
        if let Some(numbers) = numbers {
            self.rows.remember(numbers, row);
        }
    }

    #[inline(always)]
    fn leak(&mut self, bytes: u64) {
        if bytes > 0 {
            self.leaked.count = self.leaked.count.wrapping_add(1);
            self.leaked.bytes = self.leaked.bytes.wrapping_add(bytes);
        }
    }
}

/// The part of a node's state that has not been added to the ledger yet.
#[derive(Clone, Copy)]
struct Properties {
    /// Number of bytes of the state that have not been added yet.
    rest: usize,
    /// Index of the next property, if `left` is `None`.
    property: usize,
    /// Bit set of the changed properties that have not been added yet.
    left: Option<u64>,
}

impl Properties {
    /// Returns the index of the property to which the next value belongs, and the number of bytes
    /// to add to it.
    #[inline(always)]
    fn next(&mut self, value: usize) -> (usize, usize) {
        let value = value.min(self.rest);
        self.rest = self.rest.wrapping_sub(value);
        if let Some(left) = &mut self.left {
            let property = left.trailing_zeros() as usize;
            *left &= left.wrapping_sub(1);
            return (property, value);
        }
        let property = self.property;
        self.property = property.wrapping_add(1);
        (property, value)
    }
}

/// The states of nodes in a SYNC or DELTA packet while they are added to their rows.
struct States<'l, 'r> {
    ledger: &'l mut Ledger,
    record: &'r Record<'r>,
    kind: RecordKind,
    sender: u32,
    /// Number of bytes of the packet that have not been added yet.
    rest: usize,
    /// The row of the last state.
    row: Option<usize>,
    is_padded: bool,
}

impl<'l, 'r> States<'l, 'r> {
    fn new(
        ledger: &'l mut Ledger,
        record: &'r Record<'r>,
        kind: RecordKind,
        sender: u32,
        rest: usize,
    ) -> Self {
        Self { ledger, record, kind, sender, rest, row: None, is_padded: false }
    }

    /// Adds the header of a state to the row of its node, and its values to the rows of the
    /// properties.
    #[inline(always)]
    fn add(&mut self, node: NetId, changed: Option<u64>, state: Run<'_>) {
        let header = if changed.is_some() { DELTA_HEADER } else { SYNC_HEADER }.min(self.rest);
        let values = state.as_bytes().len().min(self.rest.wrapping_sub(header));
        self.rest = self.rest.wrapping_sub(header).wrapping_sub(values);
        let node = match node {
            NetId::Synchronizer(id) => Node::NetId(id, self.sender),
            NetId::Cached(id) => Node::Number(id, self.sender),
        };
        let numbers = Numbers::new(self.kind, node, 0);
        let known = match has_own_numbers(self.record, self.sender) {
            true => self.ledger.rows.add_recent(numbers, header),
            false => None,
        };
        self.row = known.or_else(|| self.new_row(node, numbers, header));
        self.is_padded |= self.ledger.properties(self.row, self.kind, values, changed, state);
    }

    #[inline(never)]
    fn new_row(&mut self, node: Node<'_>, numbers: Numbers, header: usize) -> Option<usize> {
        let path = match node {
            Node::Number(id, _) => self.record.path(id),
            _ => None,
        };
        let node = path.map_or(node, |path| Node::Path(path.as_bytes()));
        let key = Key { node, ..Key::new(self.kind) }.relayed_by(original_sender(self.record));
        let row = self.ledger.rows.add(&key, header, || None);
        if has_own_numbers(self.record, self.sender) {
            self.ledger.rows.remember(numbers, row);
        }
        row
    }

    /// Adds the header of the packet to the row of the last node.
    #[inline(always)]
    fn finish(self) {
        self.ledger.rows.add_bytes(self.row, self.kind, self.rest);
        if self.is_padded {
            self.ledger.leak(self.record.leaked());
        }
    }
}

impl Record<'_> {
    /// Returns the number of payload bytes that the record accounts for, or `None` for messages and
    /// errors of the transport.
    #[inline(always)]
    pub(super) fn payload_len(&self) -> Option<usize> {
        match self.content {
            Content::Control(_) | Content::Malformed { reason: Reason::Enet(_), .. } => None,
            Content::Malformed { reason: Reason::WebSocket(kind), .. }
                if kind != websocket::ErrorKind::NotUtf8 =>
            {
                None
            }
            _ => Some(self.bytes.len()),
        }
    }
}

/// Returns the peer that sent a packet which the server relays. In packets from clients, the header
/// contains the receiver instead.
fn original_sender(record: &Record<'_>) -> Option<i32> {
    record.relay.filter(|_| record.peer.is_none_or(|peer| peer == SERVER))
}

/// Returns `true` if the sender itself has assigned the numbers of nodes in the packet, and is not
/// counted among [`OTHERS`].
#[inline(always)]
fn has_own_numbers(record: &Record<'_>, sender: u32) -> bool {
    record.relay.is_none() && sender != OTHERS
}

/// Returns `true` for packets whose values can have padding. The values of replicated state are
/// checked one by one instead, by [`Ledger::properties`].
#[inline(always)]
fn can_leak(content: &Content<'_>) -> bool {
    match content {
        Content::Godot4(packet) => matches!(packet, godot4::Packet::Call(_)),
        Content::Godot3(packet) => {
            matches!(packet, godot3::Packet::Call(_) | godot3::Packet::Set(_))
        }
        Content::Value(_) | Content::Debugger(_) => true,
        _ => false,
    }
}

/// Returns the length of the header with the sender and the receiver of a packet.
fn addressing_len(record: &Record<'_>) -> usize {
    match record.content {
        Content::Godot4(_) if record.relay.is_some() => godot4::relay_head(0).len(),
        Content::Godot3(_) if record.transport == Transport::WebSocket => GODOT3_HEADER as usize,
        Content::Godot3(_) => size_of::<transport::EnetPrefix>(),
        _ => 0,
    }
}

#[inline(always)]
fn node_of(node: Option<RecordNode<'_>>, sender: u32) -> Node<'_> {
    match node {
        None => Node::None,
        Some(node) => match (node.path, node.id) {
            (Some(path), _) => Node::Path(path.as_bytes()),
            (None, Some(id)) => Node::Number(id, sender),
            (None, None) => Node::None,
        },
    }
}
