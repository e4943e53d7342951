//! Packets of the multiplayer, of both engines, into records.

use super::paths::{Paths, Sender};
use super::peers::Peers;
use super::record::{Content, Node, Reason, Record};
use crate::godot::multiplayer::godot4::{self, System};
use crate::godot::multiplayer::transport::{EnetConfig, EnetPrefix};
use crate::godot::multiplayer::{NodeRef, Run, godot3};
use crate::godot::{self, StrRef};

/// Godot 4's packet.
pub(super) fn godot4<'a>(
    record: Record<'a>,
    peers: &'a mut Peers,
    listener: &mut impl FnMut(&Record<'_>),
) {
    let from_server = peers.server == Some(record.sender.side);
    let paths = &mut peers.paths;
    let parsed = godot4::Packet::parse(record.bytes);
    let (relay, parsed) = match parsed {
        Ok(godot4::Packet::System(System::Relay(relay))) => (Some(relay.peer()), relay.packet()),
        other => (None, other),
    };
    // A client names the receiver, so the numbers are its own.
    let peer = relay.filter(|_| from_server);
    let sender = Sender { side: record.sender.side, peer };
    let record = Record { relay, sender, ..record };
    let packet = match parsed.and_then(|packet| check4(&packet).map(|()| packet)) {
        Ok(packet) => packet,
        Err(error) => return listener(&malformed(record, &error)),
    };
    if let godot4::Packet::SimplifyPath(told) = packet {
        paths.learn(sender, told.id, told.path, Some(told.checksum));
    }
    let node = node4(&packet);
    listener(&with_node(Record { content: Content::Godot4(packet), ..record }, paths, node));
}

/// Godot 3's packet, without what its transport puts in front.
pub(super) fn godot3<'a>(
    record: Record<'a>,
    paths: &'a mut Paths,
    bytes: &'a [u8],
    origin: u64,
    listener: &mut impl FnMut(&Record<'_>),
) {
    let parsed = godot3::Packet::parse_at(bytes, origin);
    let packet = match parsed.and_then(|packet| check3(&packet).map(|()| packet)) {
        Ok(packet) => packet,
        Err(error) => return listener(&malformed(record, &error)),
    };
    if let godot3::Packet::SimplifyPath { id, path } = packet {
        paths.learn(record.sender, id, path, None);
    }
    let node = node3(&packet);
    listener(&with_node(Record { content: Content::Godot3(packet), ..record }, paths, node));
}

/// What Godot 3 sends in ENet.
pub(super) fn godot3_enet<'a>(
    record: Record<'a>,
    peers: &'a mut Peers,
    listener: &mut impl FnMut(&Record<'_>),
) {
    if record.channel == Some(0) {
        let content = match EnetConfig::parse(record.bytes) {
            Ok(EnetConfig::AddPeer(peer)) => Content::AddPeer(peer.cast_signed()),
            Ok(EnetConfig::RemovePeer(peer)) => Content::DelPeer(peer.cast_signed()),
            Err(error) => return listener(&malformed(record, &error)),
        };
        return listener(&Record { content, ..record });
    }
    let (prefix, packet) = match EnetPrefix::split(record.bytes) {
        Ok(split) => split,
        Err(error) => return listener(&malformed(record, &error)),
    };
    let (source, target) = (prefix.source.get().cast_signed(), prefix.target.get());
    let record = between(record, peers, source, target);
    godot3(record, &mut peers.paths, packet, size_of::<EnetPrefix>() as u64, listener);
}

/// Between whom Godot 3's header says that a packet is.
pub(super) fn between<'a>(
    record: Record<'a>,
    peers: &Peers,
    source: i32,
    target: i32,
) -> Record<'a> {
    let side = record.sender.side;
    let sender = Sender { side, peer: Some(source) };
    let relay = peers.relay(side, source, target);
    Record { peer: record.peer.or(Some(source)), relay, sender, ..record }
}

pub(super) fn malformed<'a>(record: Record<'a>, error: &godot::Error) -> Record<'a> {
    let (reason, offset) = (Reason::Godot(*error.kind()), error.offset());
    Record { content: Content::Malformed { reason, offset }, ..record }
}

/// The node, and where the numbers that the packet has may be looked up.
fn with_node<'a>(record: Record<'a>, paths: &'a Paths, node: Option<Node<'a>>) -> Record<'a> {
    let known = paths.known();
    let node = node.map(|node| {
        // A call by path is of a node that has got a number, too, which is not confirmed yet.
        let by_path = || known.id(record.sender, node.path?);
        let Some(id) = node.id.or_else(by_path) else { return node };
        let path = node.path.or_else(|| known.path(record.sender, id));
        let checksum = node.checksum.or_else(|| known.checksum(record.sender, id));
        Node { path, checksum, ..node }
    });
    Record { known, node, ..record }
}

fn node4<'a>(packet: &godot4::Packet<'a>) -> Option<Node<'a>> {
    match packet {
        godot4::Packet::Call(call) => Some(node(call.node)),
        godot4::Packet::ConfirmPath(confirm) => Some(node(confirm.node)),
        godot4::Packet::SimplifyPath(told) => {
            Some(Node { id: Some(told.id), path: Some(told.path), checksum: Some(told.checksum) })
        }
        godot4::Packet::Spawn(spawn) => Some(node(NodeRef::Cached(spawn.spawner))),
        _ => None,
    }
}

fn node3<'a>(packet: &godot3::Packet<'a>) -> Option<Node<'a>> {
    match *packet {
        godot3::Packet::Call(call) => Some(node(call.node)),
        godot3::Packet::Set(set) => Some(node(set.node)),
        godot3::Packet::SimplifyPath { id, path } => Some(with_path(Some(id), path)),
        godot3::Packet::ConfirmPath { path } => Some(with_path(None, path)),
        godot3::Packet::Raw(_) => None,
    }
}

fn node(node: NodeRef<'_>) -> Node<'_> {
    match node {
        NodeRef::Cached(id) => Node { id: Some(id), path: None, checksum: None },
        NodeRef::Path(path) => with_path(None, path),
    }
}

fn with_path(id: Option<u32>, path: StrRef<'_>) -> Node<'_> {
    Node { id, path: Some(path), checksum: None }
}

/// That all values in a packet can be read.
pub(super) fn check4(packet: &godot4::Packet<'_>) -> Result<(), godot::Error> {
    match packet {
        godot4::Packet::Call(call) => check(call.arguments),
        godot4::Packet::Spawn(spawn) => {
            if let godot4::Scene::Custom(argument) = spawn.scene {
                check(argument)?;
            }
            check(spawn.state)
        }
        godot4::Packet::Sync(sync) => {
            sync.records.into_iter().try_for_each(|record| check(record?.state))
        }
        godot4::Packet::Delta(delta) => {
            delta.records.into_iter().try_for_each(|record| check(record?.state))
        }
        _ => Ok(()),
    }
}

pub(super) fn check3(packet: &godot3::Packet<'_>) -> Result<(), godot::Error> {
    match packet {
        godot3::Packet::Call(call) => check(call.arguments),
        godot3::Packet::Set(set) => check(set.value),
        _ => Ok(()),
    }
}

fn check(values: Run<'_>) -> Result<(), godot::Error> {
    values.iter().try_for_each(|value| value.map(drop))
}
