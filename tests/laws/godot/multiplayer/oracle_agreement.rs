//! Compares the crate's packets with those of the oracle.

use super::super::meaning::with_quiet_nans;
use crate::support::godot::multiplayer_oracle::{
    Amount, Item, Node, Rules, Run, godot3 as plain3, godot4 as plain4, transport as plain,
};
use crate::support::godot::oracle;
use crate::support::godot::values::{self, Build};
use gamewire::godot::multiplayer::godot4::{
    DeltaRecord, NetId, Packet, PacketReader, Scene, Spawn, SyncRecord, System,
};
use gamewire::godot::multiplayer::{self, NodeRef, godot3, transport};
use gamewire::godot::{Dialect, Error, Level, Limits, StrRef, Target};

/// Asserts that the crate and the oracle accept the same packets, and that the packets and their
/// values are equal.
pub fn agrees(data: &[u8]) {
    for (target, paths) in [(Dialect::Godot4.into(), false), (Target::GODOT4_0, true)] {
        let packet = PacketReader::new(data).target(target).read().ok();
        let theirs = plain4::decode(data, paths);
        assert_eq!(packet.map(godot4), theirs);
        let runs = packet.iter().flat_map(all_runs);
        let their_runs = theirs.iter().flat_map(|packet| packet.runs());
        pairs(runs, their_runs, Dialect::Godot4);
    }
    let packet = godot3::Packet::parse(data).ok();
    let theirs = plain3::decode(data);
    assert_eq!(packet.map(godot3_packet), theirs);
    let runs = packet.into_iter().flat_map(godot3_run);
    pairs(runs, theirs.iter().flat_map(|packet| packet.runs()), Dialect::Godot3);
    transports(data);
}

fn pairs<'a>(
    ours: impl Iterator<Item = multiplayer::Run<'a>>,
    theirs: impl Iterator<Item = &'a Run>,
    dialect: Dialect,
) {
    for (ours, theirs) in ours.zip(theirs) {
        same_values(ours, theirs, dialect);
    }
}

fn same_values(ours: multiplayer::Run<'_>, theirs: &Run, dialect: Dialect) {
    for (level, theirs_level) in
        [(Level::Structure, oracle::Level::Structure), (Level::Engine, oracle::Level::Engine)]
    {
        for objects in [false, true] {
            let rules = Rules { dialect: values::to_oracle(dialect), level: theirs_level, objects };
            let limits = super::super::limits(level, objects);
            let (mut items, whole) = theirs.values(rules);
            items.iter_mut().for_each(quiet);
            assert_eq!(items_of(ours, limits), (items, whole), "{limits:?}");
        }
    }
    // By default, the crate rejects objects and does not validate text.
    let level = oracle::Level::Structure;
    let rules = Rules { dialect: values::to_oracle(dialect), level, objects: false };
    assert_eq!(ours.check().is_ok(), theirs.values(rules).1);
}

/// Returns the values up to the first error, and `true` if there is no error.
fn items_of(run: multiplayer::Run<'_>, limits: Limits) -> (Vec<Item>, bool) {
    let mut items = Vec::new();
    let mut values = run.iter().limits(limits);
    let mut visited = values.clone();
    loop {
        let encoded = match values.read_encoded() {
            Ok(Some(encoded)) => encoded,
            Ok(None) => return (items, true),
            Err(_) => return (items, false),
        };
        let mut build = Build::default();
        assert_eq!(visited.visit(&mut build), Ok::<_, Error>(true));
        let (len, short) = (encoded.as_bytes().len(), encoded.is_compact());
        let mut item = Item { value: build.value(), len, short };
        quiet(&mut item);
        items.push(item);
    }
}

fn quiet(item: &mut Item) {
    item.value = with_quiet_nans(std::mem::replace(&mut item.value, oracle::Value::Nil));
}

fn bytes(text: StrRef<'_>) -> Vec<u8> {
    text.as_bytes().to_vec()
}

fn node(node: NodeRef<'_>) -> Node {
    match node {
        NodeRef::Cached(id) => Node::Cached(id),
        NodeRef::Path(path) => Node::Path(bytes(path)),
    }
}

fn run(run: multiplayer::Run<'_>) -> Run {
    let amount = match run.announced() {
        _ if run.is_raw() => Amount::Raw,
        Some(count) => Amount::Count(count),
        None => Amount::ToEnd,
    };
    Run { at: run.offset() as usize, bytes: run.as_bytes().to_vec(), amount }
}

fn godot4(packet: Packet<'_>) -> plain4::Packet {
    match packet {
        Packet::Call(call) => plain4::Packet::Call {
            node: node(call.node),
            method: call.method.0,
            arguments: run(call.arguments),
        },
        Packet::SimplifyPath(path) => plain4::Packet::SimplifyPath {
            checksum: path.checksum.to_vec(),
            id: path.id,
            path: bytes(path.path),
        },
        Packet::ConfirmPath(confirm) => plain4::Packet::ConfirmPath {
            checksum_ok: confirm.checksum_ok,
            node: node(confirm.node),
        },
        Packet::Raw(bytes) => plain4::Packet::Raw(bytes.to_vec()),
        Packet::Spawn(made) => plain4::Packet::Spawn(spawn(made)),
        Packet::Despawn { net_id } => plain4::Packet::Despawn(net_id),
        Packet::Sync(sync) => {
            plain4::Packet::Sync { time: sync.time, records: records(sync.records, synced) }
        }
        Packet::Delta(delta) => plain4::Packet::Delta(records(delta.records, changed)),
        Packet::System(system) => system_packet(system),
    }
}

fn spawn(spawn: Spawn<'_>) -> plain4::Spawn {
    let (scene, argument) = match spawn.scene {
        Scene::Index(index) => (Some(index), None),
        Scene::Custom(argument) => (None, Some(run(argument))),
    };
    plain4::Spawn {
        scene,
        spawner: spawn.spawner,
        net_id: spawn.net_id,
        synchronizers: spawn.synchronizers.iter().map(|id| id.get()).collect(),
        name: bytes(spawn.name),
        argument,
        state: run(spawn.state),
    }
}

fn records<R>(
    records: impl Iterator<Item = Result<R, Error>>,
    record: impl Fn(R) -> plain4::Record,
) -> plain4::Records {
    let mut whole = Vec::new();
    for found in records {
        match found {
            Ok(found) => whole.push(record(found)),
            Err(_) => return plain4::Records { whole, cut: true },
        }
    }
    plain4::Records { whole, cut: false }
}

fn synced(record: SyncRecord<'_>) -> plain4::Record {
    plain4::Record { net_id: net_id(record.node), changed: None, state: run(record.state) }
}

fn changed(record: DeltaRecord<'_>) -> plain4::Record {
    let mut state = run(record.state);
    if let Amount::Count(count) = state.amount {
        state.amount = Amount::Exactly(count);
    }
    plain4::Record { net_id: net_id(record.node), changed: Some(record.changed), state }
}

fn net_id(id: NetId) -> plain4::NetId {
    match id {
        NetId::Synchronizer(id) => plain4::NetId::Synchronizer(id),
        NetId::Cached(id) => plain4::NetId::Cached(id),
    }
}

fn system_packet(system: System<'_>) -> plain4::Packet {
    match system {
        System::Auth(bytes) => plain4::Packet::Auth(bytes.to_vec()),
        System::AddPeer(peer) => plain4::Packet::AddPeer(peer),
        System::DelPeer(peer) => plain4::Packet::DelPeer(peer),
        System::Relay(relay) => plain4::Packet::Relay {
            peer: relay.peer(),
            bytes: relay.as_bytes().to_vec(),
            packet: relay.packet().ok().map(|packet| Box::new(godot4(packet))),
        },
    }
}

/// Returns all runs of values in a packet, including those of a relayed packet.
fn all_runs<'a>(packet: &Packet<'a>) -> Vec<multiplayer::Run<'a>> {
    match packet {
        Packet::System(System::Relay(relay)) => {
            relay.packet().map(|packet| super::runs(&packet)).unwrap_or_default()
        }
        other => super::runs(other),
    }
}

fn godot3_packet(packet: godot3::Packet<'_>) -> plain3::Packet {
    match packet {
        godot3::Packet::Call(call) => plain3::Packet::Call {
            node: node(call.node),
            method: bytes(call.method),
            arguments: run(call.arguments),
        },
        godot3::Packet::Set(set) => plain3::Packet::Set {
            node: node(set.node),
            property: bytes(set.property),
            value: run(set.value),
        },
        godot3::Packet::SimplifyPath { id, path } => {
            plain3::Packet::SimplifyPath { id, path: bytes(path) }
        }
        godot3::Packet::ConfirmPath { path } => plain3::Packet::ConfirmPath(bytes(path)),
        godot3::Packet::Raw(bytes) => plain3::Packet::Raw(bytes.to_vec()),
    }
}

fn godot3_run(packet: godot3::Packet<'_>) -> Option<multiplayer::Run<'_>> {
    match packet {
        godot3::Packet::Call(call) => Some(call.arguments),
        godot3::Packet::Set(set) => Some(set.value),
        _ => None,
    }
}

fn transports(data: &[u8]) {
    let prefix = transport::EnetPrefix::split(data).ok();
    let prefix =
        prefix.map(|(prefix, packet)| (prefix.source.get(), prefix.target.get(), packet.to_vec()));
    assert_eq!(prefix, plain::enet_prefix(data));
    let config = transport::EnetConfig::parse(data).ok().map(|config| match config {
        transport::EnetConfig::AddPeer(peer) => (true, peer),
        transport::EnetConfig::RemovePeer(peer) => (false, peer),
    });
    assert_eq!(config, plain::enet_config(data));
    let message = transport::WebSocketMessage::parse(data).ok().map(websocket);
    assert_eq!(message, plain::websocket(data));
    assert_eq!(transport::peer_id(data).ok(), plain::peer_id(data));
}

fn websocket(message: transport::WebSocketMessage<'_>) -> plain::WebSocketMessage {
    let body = match message.body {
        transport::WebSocketBody::Packet(packet) => plain::Body::Packet(packet.to_vec()),
        transport::WebSocketBody::AddPeer(peer) => plain::Body::AddPeer(peer),
        transport::WebSocketBody::RemovePeer(peer) => plain::Body::RemovePeer(peer),
        transport::WebSocketBody::YourId(peer) => plain::Body::YourId(peer),
    };
    plain::WebSocketMessage { from: message.from, to: message.to, body }
}
