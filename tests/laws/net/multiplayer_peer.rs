//! Laws of the state machine of Godot's high-level multiplayer. Any bytes are packets of clients to
//! a server, or of a server to a client, between changes by the caller. Nothing panics, memory stays
//! within the limits, and what a peer sends can be read by its receiver.

use gamewire::godot::multiplayer::godot4::PacketReader;
use gamewire::godot::multiplayer::peer::{
    Config, Event, Incoming, Limits, Node, NodeId, Peer, Property, Rpc, Scene, Spawner,
    Synchronizer, TransferMode, Transport3,
};
use gamewire::godot::multiplayer::{godot3, transport};
use gamewire::godot::{Dialect, Kind, StrRef, Target};

/// Limits that random input reaches.
const QUEUE: usize = 4096;

fn config(selector: u8) -> Config {
    let engine = match selector & 3 {
        0 | 1 => Dialect::Godot4.into(),
        2 => Target::GODOT4_0,
        _ => Dialect::Godot3.into(),
    };
    let transport = if selector & 16 == 0 { Transport3::Enet } else { Transport3::WebSocket };
    let limits = Limits {
        peers: 4,
        nodes: 12,
        spawned: 2,
        outgoing: QUEUE,
        events: QUEUE,
        ..Limits::default()
    };
    let (relay, auth) = (selector & 4 == 0, selector & 8 != 0);
    Config { engine, transport, relay, auth, limits, ..Config::default() }
}

/// Declares the same game on each peer.
fn declare(peer: &mut Peer) -> (NodeId, Option<NodeId>) {
    let main = Node::new("/root/Main")
        .rpc(Rpc::new("chat").any_peer().arguments(&[Kind::String]).max_len(64))
        .rpc(Rpc::new("aim").any_peer().unreliable().channel(1).rate(10, 2))
        .rpc(Rpc::new("start"))
        .rset(Rpc::new("score").any_peer());
    let main = peer.add_node(main).unwrap();
    let position = Property::always("position").spawn().kind(Kind::Vector2);
    let hp = Property::on_change("hp").spawn();
    let sync = Synchronizer::new("Sync").property(position).property(hp);
    // Godot 3 has neither synchronizers nor spawners.
    peer.add_synchronizer(main, &sync.clone().authority(2)).ok();
    let scene = Scene::new().rpc(Rpc::new("hit").any_peer()).synchronizer(sync);
    let spawner = Spawner::new("Main/Spawner", "Main/World").scene(scene.clone()).custom(scene);
    let own_id = if peer.is_server() { 1 } else { 2 };
    (main, peer.add_spawner(spawner.authority(own_id)).ok())
}

/// Reads bytes as a list of steps.
struct Steps<'d>(&'d [u8]);

impl<'d> Steps<'d> {
    fn byte(&mut self) -> Option<u8> {
        let (byte, rest) = self.0.split_first()?;
        self.0 = rest;
        Some(*byte)
    }

    fn bytes(&mut self) -> &'d [u8] {
        let len = usize::from(self.byte().unwrap_or(0)).min(self.0.len());
        let (bytes, rest) = self.0.split_at(len);
        self.0 = rest;
        bytes
    }
}

const MODES: [TransferMode; 3] =
    [TransferMode::Unreliable, TransferMode::UnreliableOrdered, TransferMode::Reliable];

pub fn multiplayer_peer(data: &[u8]) {
    let mut steps = Steps(data);
    let Some(selector) = steps.byte() else { return };
    let config = config(selector);
    let mut peer = match selector & 32 {
        0 => Peer::server(config.clone()),
        _ => Peer::client(config.clone(), 2),
    };
    let (main, spawner) = declare(&mut peer);
    let (mut now, mut spawned) = (0, None);
    while let Some(step) = steps.byte() {
        let other = i32::from(step >> 4 & 7);
        match step & 15 {
            0 => {
                let known = peer.peers().contains(&other);
                assert!(!(peer.connected(now, other) && known));
            }
            1 => peer.disconnected(now, other),
            2 => peer.tick(now),
            3 => now += u64::from(steps.byte().unwrap_or(0)) * 16,
            4 => drop(peer.send_auth(other, steps.bytes())),
            5 => drop(peer.complete_auth(other)),
            6 => drop(peer.call(other - 3, main, "chat", (StrRef::new(steps.bytes()),))),
            7 => drop(peer.call(other - 3, main, "aim", (1.5, steps.bytes()))),
            8 => drop(peer.send_bytes(other - 3, steps.bytes(), MODES[2], 1)),
            9 => drop(peer.set_remote(other - 3, main, "score", i64::from(step))),
            10 => match spawned.take() {
                Some(node) => drop(peer.despawn(node)),
                None => spawned = spawner.and_then(|spawner| spawn(&mut peer, spawner, step)),
            },
            11 => {
                if let Some(sync) = peer.synchronizers(main).first().copied() {
                    peer.set_public(sync, step & 16 != 0);
                    peer.set_visible_for(sync, other, step & 32 != 0);
                    peer.set_property(sync, 1, i64::from(step)).ok();
                }
            }
            12 => drain_events(&mut peer, &config),
            _ => {
                let (mode, channel) = (MODES[usize::from(step >> 4) % 3], step & 3);
                let packet = Incoming { from: other, mode, channel, bytes: steps.bytes() };
                peer.receive(now, packet);
            }
        }
        if selector & 64 != 0 {
            drain(&mut peer, &config);
        }
    }
    drain_events(&mut peer, &config);
    drain(&mut peer, &config);
}

fn spawn(peer: &mut Peer, spawner: NodeId, step: u8) -> Option<NodeId> {
    let node = match step & 16 {
        0 => peer.create(spawner, 0, "P"),
        _ => peer.create_custom(spawner, i64::from(step), "Q"),
    };
    let node = node.ok()?;
    peer.spawn(node).ok();
    Some(node)
}

/// Takes all packets. Checks that they fit into the limit and that a receiver can read them.
fn drain(peer: &mut Peer, config: &Config) {
    let mut total = 0;
    while let Some(packet) = peer.poll_transmit() {
        assert!(packet.to > 0);
        total += packet.bytes.len();
        check_packet(config, packet.channel, packet.bytes);
    }
    // A packet for several receivers is stored once.
    assert!(total <= QUEUE * config.limits.peers as usize);
    while peer.poll_disconnect().is_some() {}
}

fn check_packet(config: &Config, channel: u8, bytes: &[u8]) {
    let is_godot3 = config.engine.dialect() == Dialect::Godot3;
    match (is_godot3, config.transport) {
        (false, _) => {
            // A relayed packet is not parsed by the server, so only its head is valid.
            PacketReader::new(bytes).target(config.engine).read().unwrap();
        }
        (true, Transport3::Enet) if channel == 0 => {
            transport::EnetConfig::parse(bytes).unwrap();
        }
        (true, Transport3::Enet) => {
            let (prefix, inner) = transport::EnetPrefix::split(bytes).unwrap();
            if prefix.source.get() == 1 {
                godot3::Packet::parse(inner).unwrap();
            }
        }
        (true, Transport3::WebSocket) => {
            transport::WebSocketMessage::parse(bytes).unwrap();
        }
    }
}

/// Takes all events. Checks that arguments are as declared.
fn drain_events(peer: &mut Peer, config: &Config) {
    let (mut total, mut calls) = (0, Vec::new());
    while let Some(event) = peer.poll_event() {
        total += match event {
            Event::Call(call) | Event::Set(call) => {
                calls.push((call.node, call.method, call.arguments.announced()));
                call.arguments.as_bytes().len()
            }
            Event::Bytes { bytes, .. } | Event::Auth { data: bytes, .. } => bytes.len(),
            Event::Spawned { state, .. } => state.as_bytes().len(),
            Event::Synchronized { values, .. } | Event::Changed { values, .. } => {
                values.as_bytes().len()
            }
            _ => 0,
        };
    }
    assert!(total <= config.limits.events);
    for (node, method, count) in calls {
        let name = peer.method_name(node, method);
        if name == Some("chat") {
            assert_eq!(count, Some(1));
        }
    }
}
