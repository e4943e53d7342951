//! Keeps what the packets of a connection have shown, and draws conclusions when it ends.

use super::channels::{Channels, Sending};
use super::label::label;
use super::nodes::{NodeId, Nodes};
use super::replication::SpawnedNodes;
use super::scene::Scene;
use super::types::{Evidence, Now};
use crate::godot::Target;
use crate::godot::multiplayer::NodeRef;
use crate::godot::multiplayer::godot3;
use crate::godot::multiplayer::godot4::{Method, Packet, PacketReader};
use crate::traffic::hash::RandomState;
use crate::traffic::observed::EnetCommand;
use crate::traffic::record::{Content, Control, Engine, Record, Transport};
use crate::transport::enet::Body;

/// Memory of a connection without any state, in bytes.
pub(super) const MEMORY: usize = size_of::<Connection>() + 64;

#[derive(Debug, Default)]
pub(super) struct Connection {
    /// Computes the keys of nodes. It is shared by both sides, so a node has the same key on both.
    hasher: RandomState,
    /// The side with the lower address, and the side with the higher one.
    sides: [Side; 2],
    engine: Option<Engine>,
    spawned: SpawnedNodes,
    /// `true` if all packets since the start of the connection were captured.
    from_start: bool,
    /// ENet's id of the connection.
    connect_id: Option<u32>,
    /// Maximum length of a datagram in bytes, as negotiated by ENet.
    mtu: Option<u32>,
}

/// What is known about a side from the packets that it sent.
#[derive(Debug, Default)]
struct Side {
    nodes: Nodes,
    channels: Channels,
    /// Multiplayer id.
    peer: Option<i32>,
    last: Option<Evidence>,
}

impl Connection {
    /// Processes a record. Returns the allocated memory.
    pub(super) fn record(&mut self, record: &Record<'_>, mut scene: Scene<'_, '_>) -> usize {
        if record.transport != Transport::Enet
            && matches!(record.content, Content::Control(Control::Connect))
        {
            self.restart(&mut scene);
        }
        self.engine = record.engine.or(self.engine);
        let is_high = record.source > record.destination;
        let (own, _) = self.sides(is_high);
        own.peer = record.peer.or(own.peer);
        own.last = Some(scene.now.evidence());
        let now = scene.now;
        match record.content {
            Content::Control(Control::Lost) => {
                self.from_start = false;
                0
            }
            Content::Godot4(packet) => self.godot4(packet, record, is_high, &mut scene),
            Content::Godot3(packet) => self.godot3(packet, record, is_high, now),
            Content::Malformed { .. } => {
                self.confirm_by_path(record, is_high, now);
                0
            }
            _ => 0,
        }
    }

    fn sides(&mut self, is_high: bool) -> (&mut Side, &mut Side) {
        let [low, high] = &mut self.sides;
        if is_high { (high, low) } else { (low, high) }
    }

    fn godot4(
        &mut self,
        packet: &Packet<'_>,
        record: &Record<'_>,
        is_high: bool,
        scene: &mut Scene<'_, '_>,
    ) -> usize {
        let now = scene.now;
        let relay = record.relay;
        let from_start = self.from_start;
        let owner = (is_high, relay);
        match packet {
            Packet::Spawn(spawn) => return self.spawned.spawn(owner, spawn, scene),
            Packet::Despawn { net_id } => self.spawned.despawn(owner, *net_id, now.evidence()),
            Packet::Sync(_) | Packet::Delta(_) => {
                let [low, high] = &self.sides;
                let nodes = if is_high { &high.nodes } else { &low.nodes };
                self.spawned.state(record, from_start, |id| nodes.knows(relay, id), scene);
            }
            Packet::Call(call) => {
                let has_path = matches!(call.node, NodeRef::Path(_));
                return self.call(record, is_high, Some(call.method), has_path, now);
            }
            Packet::SimplifyPath(simplify) => {
                let checksum = Some(simplify.checksum);
                return self.announce(record, is_high, simplify.id, checksum, now);
            }
            Packet::ConfirmPath(confirm) => {
                self.confirm(record, is_high, confirm.checksum_ok, now);
            }
            _ => {}
        }
        0
    }

    fn godot3(
        &mut self,
        packet: &godot3::Packet<'_>,
        record: &Record<'_>,
        is_high: bool,
        now: Now,
    ) -> usize {
        match packet {
            godot3::Packet::Call(call) => {
                let has_path = matches!(call.node, NodeRef::Path(_));
                self.call(record, is_high, None, has_path, now)
            }
            godot3::Packet::SimplifyPath { id, .. } => {
                self.announce(record, is_high, *id, None, now)
            }
            godot3::Packet::ConfirmPath { .. } => {
                self.confirm(record, is_high, true, now);
                0
            }
            _ => 0,
        }
    }

    fn announce(
        &mut self,
        record: &Record<'_>,
        is_high: bool,
        number: u32,
        checksum: Option<&[u8; 32]>,
        now: Now,
    ) -> usize {
        let Some(id) = node_id(record) else { return 0 };
        let key = id.key(&self.hasher);
        let (own, _) = self.sides(is_high);
        own.nodes.announce(key, id, number, checksum, now)
    }

    fn confirm(&mut self, record: &Record<'_>, is_high: bool, is_same: bool, now: Now) {
        let Some(id) = node_id(record) else { return };
        let key = id.key(&self.hasher);
        let (_, other) = self.sides(is_high);
        other.nodes.confirm(key, is_same, now);
    }

    /// Processes a confirmation from Godot 4.0 to 4.2. It contains a path instead of a number, so
    /// its record is malformed.
    fn confirm_by_path(&mut self, record: &Record<'_>, is_high: bool, now: Now) {
        let reader = PacketReader::new(record.bytes).target(Target::GODOT4_0);
        let Ok(Packet::ConfirmPath(confirm)) = reader.read() else { return };
        let NodeRef::Path(path) = confirm.node else { return };
        let id = NodeId { path: path.as_bytes(), relay: record.relay, sender: None };
        let key = id.key(&self.hasher);
        let (_, other) = self.sides(is_high);
        other.nodes.confirm(key, confirm.checksum_ok, now);
    }

    fn call(
        &mut self,
        record: &Record<'_>,
        is_high: bool,
        method: Option<Method>,
        has_path: bool,
        now: Now,
    ) -> usize {
        let Some(id) = node_id(record) else { return 0 };
        let key = id.key(&self.hasher);
        let (own, _) = self.sides(is_high);
        own.nodes.call(key, id, method, has_path, now)
    }

    /// Processes a command of ENet. Returns the allocated memory.
    pub(super) fn command(&mut self, enet: &EnetCommand<'_>, mut scene: Scene<'_, '_>) -> usize {
        let command = &enet.command;
        match command.body {
            Body::Connect(connect) => {
                self.connect(connect.connect_id, connect.mtu, &mut scene);
                return 0;
            }
            Body::VerifyConnect(verify) => {
                self.connect(verify.connect_id, verify.mtu, &mut scene);
                return 0;
            }
            _ => {}
        }
        let is_high = enet.source > enet.destination;
        let Self { engine, mtu, from_start, .. } = *self;
        let (own, other) = self.sides(is_high);
        if let Body::Acknowledge(acknowledge) = command.body {
            // An acknowledgement concerns packets of the opposite direction.
            let Scene { source, destination, .. } = scene;
            (scene.source, scene.destination) = (destination, source);
            let sender = other.peer;
            other.channels.acknowledged(command.channel, acknowledge, sender, &mut scene);
            return 0;
        }
        let Side { nodes, channels, peer, .. } = own;
        let names = scene.names;
        let label = |payload: &[u8]| label(payload, engine, nodes, names);
        let sending = Sending { enet, mtu, from_start, peer: *peer, label: &label };
        channels.sent(&sending, &mut scene)
    }

    /// Begins a connection of ENet, unless this CONNECT repeats an earlier one.
    fn connect(&mut self, id: u32, mtu: u32, scene: &mut Scene<'_, '_>) {
        if self.connect_id != Some(id) {
            self.restart(scene);
            self.connect_id = Some(id);
        }
        self.mtu = Some(self.mtu.map_or(mtu, |known| known.min(mtu)));
    }

    /// Draws the conclusions about the current connection, and begins the next one.
    fn restart(&mut self, scene: &mut Scene<'_, '_>) {
        let Scene { names, now, source, destination, .. } = *scene;
        let (source, destination) = (source.min(destination), source.max(destination));
        self.close(Scene { names, now, source, destination, findings: scene.findings });
        let hasher = self.hasher.clone();
        *self = Self { from_start: true, hasher, ..Self::default() };
    }

    /// Draws the conclusions about the connection. The source of the scene is the lower address.
    pub(super) fn close(&self, mut scene: Scene<'_, '_>) {
        let [low, high] = &self.sides;
        for (own, other) in [(low, high), (high, low)] {
            own.nodes.close(&other.nodes, other.last, &mut scene);
            own.channels.close(own.peer, &mut scene);
            let Scene { source, destination, .. } = scene;
            (scene.source, scene.destination) = (destination, source);
        }
    }
}

/// Returns the identity of the node that a record addresses.
fn node_id<'a>(record: &Record<'a>) -> Option<NodeId<'a>> {
    let path = record.node?.path?.as_bytes();
    // In a packet from the server, the relay is the original sender.
    let sender = match (record.peer, record.relay) {
        (Some(1), Some(original)) => Some(original),
        (peer, _) => peer,
    };
    Some(NodeId { path, relay: record.relay, sender })
}
