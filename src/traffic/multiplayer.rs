//! Builds records from multiplayer packets of Godot 3 and Godot 4.

use super::builder::{MultiplayerFields, RecordBuilder};
use super::node::Node;
use super::paths::{PathLookup, Sender};
use super::peers::Peers;
use super::record::{Content, Record};
use crate::godot::multiplayer::godot4::{self, Call, Scene, Spawn, System};
use crate::godot::multiplayer::transport::{EnetConfig, EnetPrefix};
use crate::godot::multiplayer::{NodeRef, godot3};
use crate::godot::{self, StrRef};

/// Reports a packet of Godot 4.
pub(super) fn godot4(
    builder: &RecordBuilder<'_>,
    peers: &mut Peers,
    bytes: &[u8],
    listener: &mut impl FnMut(&Record<'_>),
) {
    let mut parsed = godot4::Packet::parse(bytes);
    let mut relay = None;
    if let Ok(godot4::Packet::System(System::Relay(relayed))) = parsed {
        relay = Some(relayed.peer());
        parsed = relayed.packet();
    }
    if let Ok(godot4::Packet::System(System::AddPeer(_) | System::DelPeer(_))) = parsed {
        peers.server.get_or_insert(builder.context.side); // only the server sends these
    }
    let paths = &mut peers.paths;
    // The header of a relayed packet contains the receiver if a client sends it, and the original
    // sender if the server does. If it is not known which side is the server, the peer in the
    // header is assumed to be the sender, so that the packet does not share node numbers with
    // packets that are not relayed.
    let from_server = peers.server.map(|side| side == builder.context.side);
    let sender = Sender { peer: relay.filter(|_| from_server != Some(false)), ..builder.sender() };
    let peer = relay.filter(|_| from_server != Some(true));
    let receiver = Sender { side: !sender.side, peer };
    let mut malformed = |error| listener(&Record { relay, ..builder.malformed(&error, bytes) });
    let packet = match parsed {
        Ok(packet) => with_objects(packet),
        Err(error) => return malformed(error),
    };
    let packet = &packet;
    if let Err(error) = check_godot4(packet) {
        return malformed(error);
    }
    if let godot4::Packet::SimplifyPath(simplify) = packet {
        paths.insert(sender, simplify.id, simplify.path, Some(simplify.checksum));
    }
    let paths = paths.lookup();
    let node = node_godot4(packet, sender, receiver, paths);
    let fields = MultiplayerFields { relay, sender, node, paths };
    listener(&builder.multiplayer_record(Content::Godot4(packet), bytes, fields));
}

/// Reports a packet of Godot 3.
pub(super) fn godot3(
    builder: &RecordBuilder<'_>,
    peers: &mut Peers,
    packet: Godot3Packet<'_>,
    listener: &mut impl FnMut(&Record<'_>),
) {
    let Godot3Packet { all, bytes, origin, source, target } = packet;
    let builder = RecordBuilder { peer: builder.peer.or(Some(source)), ..*builder };
    let sender = Sender { peer: Some(source), ..builder.sender() };
    let relay = peers.relay(sender.side, source, target);
    let paths = &mut peers.paths;
    let parsed = godot3::Packet::parse_at(bytes, origin).map(with_objects_godot3);
    let packet = match parsed.and_then(|packet| check_godot3(&packet).map(|()| packet)) {
        Ok(packet) => packet,
        Err(error) => {
            return listener(&Record { relay, ..builder.malformed(&error, all) });
        }
    };
    if let godot3::Packet::SimplifyPath { id, path } = packet {
        paths.insert(sender, id, path, None);
    }
    let paths = paths.lookup();
    let node = node_godot3(&packet, sender, paths);
    let fields = MultiplayerFields { relay, sender, node, paths };
    listener(&builder.multiplayer_record(Content::Godot3(&packet), all, fields));
}

/// A packet of Godot 3 with the header that its transport adds.
pub(super) struct Godot3Packet<'a> {
    /// Header and packet.
    pub all: &'a [u8],
    /// The packet.
    pub bytes: &'a [u8],
    /// Offset of the packet in `all`.
    pub origin: u64,
    /// Multiplayer id of the sender.
    pub source: i32,
    /// Multiplayer id of the receiver: 0 for all peers, negative for all but one.
    pub target: i32,
}

/// Reports a packet of Godot 3 in ENet.
pub(super) fn godot3_enet(
    builder: &RecordBuilder<'_>,
    peers: &mut Peers,
    bytes: &[u8],
    listener: &mut impl FnMut(&Record<'_>),
) {
    if builder.channel == Some(0) {
        let content = match EnetConfig::parse(bytes) {
            Ok(EnetConfig::AddPeer(peer)) => Content::AddPeer(peer.cast_signed()),
            Ok(EnetConfig::RemovePeer(peer)) => Content::DelPeer(peer.cast_signed()),
            Err(error) => return listener(&builder.malformed(&error, bytes)),
        };
        return listener(&builder.record(content, bytes));
    }
    match EnetPrefix::split(bytes) {
        Ok((prefix, packet)) => {
            let source = prefix.source.get().cast_signed();
            let origin = size_of::<EnetPrefix>() as u64;
            let target = prefix.target.get();
            let packet = Godot3Packet { all: bytes, bytes: packet, origin, source, target };
            godot3(builder, peers, packet, listener);
        }
        Err(error) => listener(&builder.malformed(&error, bytes)),
    }
}

fn node_godot4<'a>(
    packet: &godot4::Packet<'a>,
    sender: Sender,
    receiver: Sender,
    paths: PathLookup<'a>,
) -> Option<Node<'a>> {
    match packet {
        godot4::Packet::Call(call) => Some(node(call.node, sender, paths)),
        // This packet confirms a number that its receiver has assigned.
        godot4::Packet::ConfirmPath(confirm) => Some(node(confirm.node, receiver, paths)),
        godot4::Packet::SimplifyPath(simplify) => Some(Node {
            id: Some(simplify.id),
            path: Some(simplify.path),
            checksum: Some(simplify.checksum),
        }),
        godot4::Packet::Spawn(spawn) => Some(paths.node(sender, spawn.spawner)),
        _ => None,
    }
}

fn node_godot3<'a>(
    packet: &godot3::Packet<'a>,
    sender: Sender,
    paths: PathLookup<'a>,
) -> Option<Node<'a>> {
    match *packet {
        godot3::Packet::Call(call) => Some(node(call.node, sender, paths)),
        godot3::Packet::Set(set) => Some(node(set.node, sender, paths)),
        godot3::Packet::SimplifyPath { id, path } => Some(with_path(Some(id), path)),
        godot3::Packet::ConfirmPath { path } => Some(with_path(None, path)),
        godot3::Packet::Raw(_) => None,
    }
}

fn node<'a>(node: NodeRef<'a>, sender: Sender, paths: PathLookup<'a>) -> Node<'a> {
    match node {
        NodeRef::Cached(id) => paths.node(sender, id),
        NodeRef::Path(path) => paths.by_path(sender, path),
    }
}

fn with_path(id: Option<u32>, path: StrRef<'_>) -> Node<'_> {
    Node { id, path: Some(path), checksum: None }
}

/// Returns `true` if the bytes are a packet as Godot 4 sends it. Packets with unused bits set are
/// excluded: the engine accepts them, but they are more likely something else.
pub(super) fn is_godot4(bytes: &[u8]) -> bool {
    let usual = bytes.first().is_some_and(|first| match first & 7 {
        0 => first & 8 == 0,
        6 => matches!(first >> 3, 0 | 2),
        _ => first >> 3 == 0,
    });
    let parsed = || godot4::Packet::parse(bytes).map(with_objects);
    usual && parsed().is_ok_and(|packet| check_godot4(&packet).is_ok())
}

/// Returns `true` if the bytes are a packet of Godot 3.
pub(super) fn is_godot3(bytes: &[u8]) -> bool {
    let parsed = godot3::Packet::parse(bytes).map(with_objects_godot3);
    parsed.is_ok_and(|packet| check_godot3(&packet).is_ok())
}

/// Detects how the objects in a packet are encoded. Leaves SYNC and DELTA packets unchanged,
/// because their records are read only when they are needed.
fn with_objects(packet: godot4::Packet<'_>) -> godot4::Packet<'_> {
    match packet {
        godot4::Packet::Call(call) => {
            godot4::Packet::Call(Call { arguments: call.arguments.detect_objects(), ..call })
        }
        godot4::Packet::Spawn(spawn) => {
            let scene = match spawn.scene {
                Scene::Custom(argument) => Scene::Custom(argument.detect_objects()),
                scene @ Scene::Index(_) => scene,
            };
            godot4::Packet::Spawn(Spawn { scene, state: spawn.state.detect_objects(), ..spawn })
        }
        packet => packet,
    }
}

/// Detects how the objects in a Godot 3 packet are encoded.
fn with_objects_godot3(packet: godot3::Packet<'_>) -> godot3::Packet<'_> {
    match packet {
        godot3::Packet::Call(call) => godot3::Packet::Call(godot3::Call {
            arguments: call.arguments.detect_objects(),
            ..call
        }),
        godot3::Packet::Set(set) => {
            godot3::Packet::Set(godot3::Set { value: set.value.detect_objects(), ..set })
        }
        packet => packet,
    }
}

/// Checks all values in a packet.
fn check_godot4(packet: &godot4::Packet<'_>) -> Result<(), godot::Error> {
    match packet {
        godot4::Packet::Call(call) => call.arguments.check(),
        godot4::Packet::Spawn(spawn) => {
            if let Scene::Custom(argument) = spawn.scene {
                argument.check()?;
            }
            spawn.state.check()
        }
        godot4::Packet::Sync(sync) => {
            sync.records.into_iter().try_for_each(|record| match &record {
                Ok(record) => record.state.check_with_objects(),
                Err(error) => Err(*error),
            })
        }
        godot4::Packet::Delta(delta) => {
            delta.records.into_iter().try_for_each(|record| match &record {
                Ok(record) => record.state.check_with_objects(),
                Err(error) => Err(*error),
            })
        }
        _ => Ok(()),
    }
}

fn check_godot3(packet: &godot3::Packet<'_>) -> Result<(), godot::Error> {
    match packet {
        godot3::Packet::Call(call) => call.arguments.check(),
        godot3::Packet::Set(set) => set.value.check(),
        _ => Ok(()),
    }
}
