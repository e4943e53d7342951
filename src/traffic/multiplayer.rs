//! Packets of the multiplayer, of both engines, into records.

use super::envelope::{About, Envelope};
use super::paths::{Known, Sender};
use super::peers::Peers;
use super::record::{Content, Node, Record};
use crate::godot::multiplayer::godot4::{self, System};
use crate::godot::multiplayer::transport::{EnetConfig, EnetPrefix};
use crate::godot::multiplayer::{NodeRef, godot3};
use crate::godot::{self, StrRef};

/// Godot 4's packet.
pub(super) fn godot4(
    envelope: &Envelope<'_>,
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
        peers.server.get_or_insert(envelope.place.side); // nobody else says so
    }
    let paths = &mut peers.paths;
    // A client's relay names the receiver, a server's the sender. (Where it is not known who
    // is who, what is relayed is kept apart from what is not.)
    let from_server = peers.server.map(|side| side == envelope.place.side);
    let sender = Sender { peer: relay.filter(|_| from_server != Some(false)), ..envelope.sender() };
    let peer = relay.filter(|_| from_server != Some(true));
    let receiver = Sender { side: !sender.side, peer };
    let mut malformed = |error| listener(&Record { relay, ..envelope.malformed(&error, bytes) });
    let packet = match &parsed {
        Ok(packet) => packet,
        Err(error) => return malformed(*error),
    };
    if let Err(error) = check4(packet) {
        return malformed(error);
    }
    if let godot4::Packet::SimplifyPath(told) = packet {
        paths.learn(sender, told.id, told.path, Some(told.checksum));
    }
    let known = paths.known();
    let node = node4(packet, sender, receiver, known);
    let about = About { relay, sender, node, known };
    listener(&envelope.record_about(Content::Godot4(packet), bytes, about));
}

/// Godot 3's packet, in what its transport puts around it.
pub(super) fn godot3(
    envelope: &Envelope<'_>,
    peers: &mut Peers,
    packet: Inner<'_>,
    listener: &mut impl FnMut(&Record<'_>),
) {
    let Inner { all, bytes, origin, source, target } = packet;
    let envelope = Envelope { peer: envelope.peer.or(Some(source)), ..*envelope };
    let sender = Sender { peer: Some(source), ..envelope.sender() };
    let relay = peers.relay(sender.side, source, target);
    let paths = &mut peers.paths;
    let parsed = godot3::Packet::parse_at(bytes, origin);
    let packet = match parsed.and_then(|packet| check3(&packet).map(|()| packet)) {
        Ok(packet) => packet,
        Err(error) => {
            return listener(&Record { relay, ..envelope.malformed(&error, all) });
        }
    };
    if let godot3::Packet::SimplifyPath { id, path } = packet {
        paths.learn(sender, id, path, None);
    }
    let known = paths.known();
    let node = node3(&packet, sender, known);
    let about = About { relay, sender, node, known };
    listener(&envelope.record_about(Content::Godot3(&packet), all, about));
}

/// A packet inside of what a transport puts around it.
pub(super) struct Inner<'a> {
    /// With what is around it.
    pub all: &'a [u8],
    /// The packet.
    pub bytes: &'a [u8],
    /// Where it starts in `all`.
    pub origin: u64,
    /// Who sends it.
    pub source: i32,
    /// For whom it is; 0 for all, negative for all but one.
    pub target: i32,
}

/// What Godot 3 sends in ENet.
pub(super) fn godot3_enet(
    envelope: &Envelope<'_>,
    peers: &mut Peers,
    bytes: &[u8],
    listener: &mut impl FnMut(&Record<'_>),
) {
    if envelope.channel == Some(0) {
        let content = match EnetConfig::parse(bytes) {
            Ok(EnetConfig::AddPeer(peer)) => Content::AddPeer(peer.cast_signed()),
            Ok(EnetConfig::RemovePeer(peer)) => Content::DelPeer(peer.cast_signed()),
            Err(error) => return listener(&envelope.malformed(&error, bytes)),
        };
        return listener(&envelope.record(content, bytes));
    }
    match EnetPrefix::split(bytes) {
        Ok((prefix, packet)) => {
            let source = prefix.source.get().cast_signed();
            let origin = size_of::<EnetPrefix>() as u64;
            let target = prefix.target.get();
            let packet = Inner { all: bytes, bytes: packet, origin, source, target };
            godot3(envelope, peers, packet, listener);
        }
        Err(error) => listener(&envelope.malformed(&error, bytes)),
    }
}

fn node4<'a>(
    packet: &godot4::Packet<'a>,
    sender: Sender,
    receiver: Sender,
    known: Known<'a>,
) -> Option<Node<'a>> {
    match packet {
        godot4::Packet::Call(call) => Some(node(call.node, sender, known)),
        // It confirms what the other one has told.
        godot4::Packet::ConfirmPath(confirm) => Some(node(confirm.node, receiver, known)),
        godot4::Packet::SimplifyPath(told) => {
            Some(Node { id: Some(told.id), path: Some(told.path), checksum: Some(told.checksum) })
        }
        godot4::Packet::Spawn(spawn) => Some(known.node(sender, spawn.spawner)),
        _ => None,
    }
}

fn node3<'a>(packet: &godot3::Packet<'a>, sender: Sender, known: Known<'a>) -> Option<Node<'a>> {
    match *packet {
        godot3::Packet::Call(call) => Some(node(call.node, sender, known)),
        godot3::Packet::Set(set) => Some(node(set.node, sender, known)),
        godot3::Packet::SimplifyPath { id, path } => Some(with_path(Some(id), path)),
        godot3::Packet::ConfirmPath { path } => Some(with_path(None, path)),
        godot3::Packet::Raw(_) => None,
    }
}

fn node<'a>(node: NodeRef<'a>, sender: Sender, known: Known<'a>) -> Node<'a> {
    match node {
        NodeRef::Cached(id) => known.node(sender, id),
        NodeRef::Path(path) => known.named(sender, path),
    }
}

fn with_path(id: Option<u32>, path: StrRef<'_>) -> Node<'_> {
    Node { id, path: Some(path), checksum: None }
}

/// Whether this is a packet as Godot 4 sends them. (It takes others, too: those whose unused
/// bits are set. But here they are more likely something else.)
pub(super) fn is_godot4(bytes: &[u8]) -> bool {
    let usual = bytes.first().is_some_and(|first| match first & 7 {
        0 => first & 8 == 0,
        6 => matches!(first >> 3, 0 | 2),
        _ => first >> 3 == 0,
    });
    usual && godot4::Packet::parse(bytes).is_ok_and(|packet| check4(&packet).is_ok())
}

/// Whether this is a packet of Godot 3.
pub(super) fn is_godot3(bytes: &[u8]) -> bool {
    godot3::Packet::parse(bytes).is_ok_and(|packet| check3(&packet).is_ok())
}

/// That all values in a packet can be read.
fn check4(packet: &godot4::Packet<'_>) -> Result<(), godot::Error> {
    match packet {
        godot4::Packet::Call(call) => call.arguments.check(),
        godot4::Packet::Spawn(spawn) => {
            if let godot4::Scene::Custom(argument) = spawn.scene {
                argument.check()?;
            }
            spawn.state.check()
        }
        godot4::Packet::Sync(sync) => {
            sync.records.into_iter().try_for_each(|record| match &record {
                Ok(record) => record.state.check(),
                Err(error) => Err(*error),
            })
        }
        godot4::Packet::Delta(delta) => {
            delta.records.into_iter().try_for_each(|record| match &record {
                Ok(record) => record.state.check(),
                Err(error) => Err(*error),
            })
        }
        _ => Ok(()),
    }
}

fn check3(packet: &godot3::Packet<'_>) -> Result<(), godot::Error> {
    match packet {
        godot3::Packet::Call(call) => call.arguments.check(),
        godot3::Packet::Set(set) => set.value.check(),
        _ => Ok(()),
    }
}
