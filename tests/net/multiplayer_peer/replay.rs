//! Replays captures: feeds the packets of the clients to a server, makes the server do what the
//! script of the captured server did, and compares its packets with those of the engine.

use super::games;
use crate::support::net::captures;
use gamewire::capture::Reader;
use gamewire::godot::multiplayer::godot4::{
    Call, Delta, NetId, Packet, Scene, SimplifyPath, Spawn, Sync, System,
};
use gamewire::godot::multiplayer::peer::{
    Config, Event, Incoming, NodeId, Peer, SyncId, TransferMode,
};
use gamewire::godot::multiplayer::transport::script_channel;
use gamewire::godot::multiplayer::{NodeRef, Run};
use gamewire::traffic::{Content, Conversations, Delivery, Record};
use std::collections::{BTreeMap, HashMap};

/// A packet in a capture.
#[derive(Clone, Debug)]
struct Captured {
    from_server: bool,
    client: i32,
    mode: TransferMode,
    channel: u8,
    time: u64,
    bytes: Vec<u8>,
}

/// The packets to one client in one channel and mode. The order of others is not fixed.
type Stream = (i32, u8, bool);

impl Captured {
    fn stream(&self) -> Stream {
        (self.client, self.channel, self.mode == TransferMode::Reliable)
    }

    fn packet(&self) -> Packet<'_> {
        Packet::parse(&self.bytes).unwrap()
    }
}

/// Returns the multiplayer packets of a capture.
fn packets(name: &str) -> Vec<Captured> {
    let file = match name {
        "good" => crate::support::corpus::read("captures-diagnosis/good.pcap"),
        "enet_objects" | "lossy_dup" => {
            crate::support::corpus::read(&format!("captures-2/{name}.pcap"))
        }
        _ => captures::file(name),
    };
    let (mut packets, mut clients) = (Vec::new(), BTreeMap::new());
    let mut reader = Reader::new(&file[..]);
    let mut conversations = Conversations::default();
    let mut listener = |record: &Record<'_>| {
        let from_server = record.source.port() < record.destination.port();
        let port = if from_server { record.destination.port() } else { record.source.port() };
        if let Some(peer) = record.peer.filter(|peer| *peer > 1) {
            clients.insert(port, peer);
        }
        if !matches!(record.content, Content::Godot4(_) | Content::AddPeer(_) | Content::DelPeer(_))
        {
            return;
        }
        let mode = match record.delivery.unwrap() {
            Delivery::Reliable => TransferMode::Reliable,
            Delivery::Unreliable => TransferMode::UnreliableOrdered,
            Delivery::Unsequenced => TransferMode::Unreliable,
        };
        let channel = script_channel(record.channel.unwrap_or(0));
        let time = record.time.unwrap_or(0).unsigned_abs() / 1_000_000;
        let bytes = record.bytes.to_vec();
        let client = i32::from(port);
        packets.push(Captured { from_server, client, mode, channel, time, bytes });
    };
    while let Some(packet) = reader.next_packet().unwrap() {
        let segment = packet.segment().unwrap();
        conversations.segment(packet.time, &segment, &mut listener);
    }
    for packet in &mut packets {
        packet.client = clients[&(packet.client as u16)];
    }
    packets
}

/// A server that is made to do what the server in a capture did.
struct Replay<'c> {
    name: &'c str,
    captured: &'c [Captured],
    server: Peer,
    /// The packets of both servers, by client and channel.
    ours: BTreeMap<Stream, Vec<Vec<u8>>>,
    theirs: BTreeMap<Stream, Vec<Vec<u8>>>,
    /// The paths that the captured server has announced.
    paths: BTreeMap<u32, String>,
    /// The spawned nodes by net id.
    spawned: BTreeMap<u32, NodeId>,
    syncs: HashMap<NetId, SyncId>,
    /// The counter of the last SYNC that our server has sent to each client.
    times: BTreeMap<i32, u16>,
    is_websocket: bool,
}

impl<'c> Replay<'c> {
    fn new(name: &'c str, captured: &'c [Captured]) -> Self {
        let config = Config { auth: name == "relay", ..Config::default() };
        let mut server = Peer::server(config);
        games::declare(name, &mut server);
        Self {
            name,
            captured,
            server,
            ours: BTreeMap::new(),
            theirs: BTreeMap::new(),
            paths: BTreeMap::new(),
            spawned: BTreeMap::new(),
            syncs: HashMap::new(),
            times: BTreeMap::new(),
            is_websocket: name == "ws",
        }
    }

    fn run(&mut self) {
        let mut clients: Vec<i32> = Vec::new();
        for (index, packet) in self.captured.iter().enumerate() {
            if !clients.contains(&packet.client) {
                clients.push(packet.client);
                self.server.connected(packet.time, packet.client);
            }
            if !packet.from_server {
                let Captured { client: from, mode, channel, ref bytes, .. } = *packet;
                self.server.receive(packet.time, Incoming { from, mode, channel, bytes });
                self.drain();
                continue;
            }
            let stream = packet.stream();
            let theirs = self.theirs.entry(stream).or_default();
            theirs.push(packet.bytes.clone());
            if theirs.len() > self.ours.get(&stream).map_or(0, Vec::len) {
                self.act(index);
                self.drain();
            }
        }
    }

    /// Takes the packets of our server.
    fn drain(&mut self) {
        while let Some(event) = self.server.poll_event() {
            assert!(!matches!(event, Event::Refused { .. }), "{}: {event:?}", self.name);
        }
        while let Some(sent) = self.server.poll_transmit() {
            let (mut mode, mut channel) = (sent.mode, sent.channel);
            if self.is_websocket {
                (mode, channel) = (TransferMode::Reliable, 0);
            }
            if let Ok(Packet::Sync(Sync { time, .. })) = Packet::parse(sent.bytes) {
                self.times.insert(sent.to, time);
            }
            let stream = (sent.to, channel, mode == TransferMode::Reliable);
            self.ours.entry(stream).or_default().push(sent.bytes.to_vec());
        }
    }

    /// Does what made the captured server send a packet that ours has not sent by itself.
    fn act(&mut self, index: usize) {
        let packet = &self.captured[index];
        let to = packet.client;
        match packet.packet() {
            Packet::Call(call) => self.call(to, &call),
            Packet::Raw(bytes) => {
                self.server.send_bytes(to, bytes, packet.mode, packet.channel).unwrap();
            }
            Packet::System(System::Auth([])) => self.server.complete_auth(to).unwrap(),
            Packet::System(System::Auth(data)) => self.server.send_auth(to, data).unwrap(),
            Packet::SimplifyPath(SimplifyPath { id, path, .. }) => {
                let path = path.to_str().unwrap().to_owned();
                // The script has called a method or spawned a node, which comes next, unless this
                // is a synchronizer.
                let is_sync = path.ends_with("Sync");
                self.paths.insert(id, path);
                if is_sync {
                    self.frame(index);
                }
            }
            Packet::Spawn(spawn) => self.spawn(to, &spawn),
            Packet::Despawn { net_id } => self.despawn(index, net_id),
            Packet::Sync(sync) => self.sync(index, to, &sync),
            Packet::Delta(delta) => {
                self.set_changes(&delta);
                self.server.tick(packet.time);
            }
            other => panic!("{}: not sent: {other:?}", self.name),
        }
    }

    /// Runs the frame in which the captured server announced a synchronizer. Its SYNC follows if the
    /// frame has one.
    fn frame(&mut self, index: usize) {
        let to = self.captured[index].client;
        let captured = self.captured;
        let mut later = captured.iter().enumerate().skip(index + 1);
        let next = later.find(|(_, packet)| packet.client == to);
        let next = next.filter(|(_, packet)| packet.from_server);
        match next.map(|(index, packet)| (index, packet.packet())) {
            Some((index, Packet::Sync(sync))) => self.sync(index, to, &sync),
            _ => self.server.tick(captured[index].time),
        }
    }

    fn node(&self, node: NodeRef<'_>) -> NodeId {
        let path = match node {
            NodeRef::Cached(id) => self.paths[&id].clone(),
            NodeRef::Path(path) => path.to_str().unwrap().to_owned(),
        };
        self.server.node(&path).unwrap_or_else(|| panic!("{}: {path}", self.name))
    }

    fn call(&mut self, to: i32, call: &Call<'_>) {
        let node = self.node(call.node);
        let name = self.server.method_name(node, call.method).unwrap().to_owned();
        self.server.call(to, node, &name, call.arguments).unwrap();
    }

    fn spawn(&mut self, to: i32, spawn: &Spawn<'_>) {
        if let Some(node) = self.spawned.get(&spawn.net_id).copied() {
            let sync = self.server.synchronizers(node)[0];
            self.set(sync, spawn.state, &spawn_properties(self.name));
            return self.server.set_visible_for(sync, to, true);
        }
        let spawner = self.server.node("Main/Spawner").unwrap();
        let name = spawn.name.to_str().unwrap();
        let node = match spawn.scene {
            Scene::Index(index) => self.server.create(spawner, index, name),
            Scene::Custom(argument) => {
                let argument = argument.iter().read_encoded().unwrap().unwrap();
                self.server.create_custom(spawner, argument, name)
            }
        };
        let node = node.unwrap();
        self.spawned.insert(spawn.net_id, node);
        let sync = self.server.synchronizers(node)[0];
        self.syncs.insert(NetId::Synchronizer(spawn.synchronizers[0].get()), sync);
        self.set(sync, spawn.state, &spawn_properties(self.name));
        if let Some(weapon) = self.server.synchronizers(node).get(1).copied() {
            self.server.set_property(weapon, 0, 0.0).unwrap(); // as in a new node
        }
        self.server.spawn(node).unwrap();
    }

    /// Hides a node if a later packet spawns it again, and removes it otherwise.
    fn despawn(&mut self, index: usize, net_id: u32) {
        let node = self.spawned[&net_id];
        let is_again = self.captured[index..].iter().any(|packet| {
            packet.from_server
                && matches!(packet.packet(), Packet::Spawn(spawn) if spawn.net_id == net_id)
        });
        match is_again {
            true => {
                let sync = self.server.synchronizers(node)[0];
                self.server.set_public(sync, false);
                self.server.set_visible_for(sync, self.captured[index].client, false);
            }
            false => self.server.despawn(node).unwrap(),
        }
    }

    /// Runs frames until one has the counter of the captured packet.
    fn sync(&mut self, index: usize, to: i32, sync: &Sync<'_>) {
        for record in sync.records.map(Result::unwrap) {
            let id = self.sync_id(record.node);
            self.set(id, record.state, &[0]);
        }
        // The changed properties follow in the same frame.
        let is_same_frame =
            |packet: &&Captured| packet.client != to || !matches!(packet.packet(), Packet::Sync(_));
        let rest = self.captured[index + 1..].iter().filter(|packet| packet.from_server);
        let to_client = |packet: &&Captured| packet.client == to;
        for packet in rest.take_while(is_same_frame).filter(to_client).collect::<Vec<_>>() {
            match packet.packet() {
                Packet::Delta(delta) => self.set_changes(&delta),
                _ => break,
            }
        }
        for _ in 0..100 {
            if self.times.get(&to).is_some_and(|time| *time >= sync.time) {
                return;
            }
            self.server.tick(self.captured[index].time);
            self.drain();
        }
        panic!("{}: no SYNC with the counter {}", self.name, sync.time);
    }

    fn set_changes(&mut self, delta: &Delta<'_>) {
        for record in delta.records.map(Result::unwrap) {
            let id = self.sync_id(record.node);
            // In these games, the first property is always sent, and all others on change, except
            // for the one of the weapon.
            let first = usize::from(!is_weapon(&self.paths, record.node));
            let changed = (0..64).filter(|bit| record.changed >> bit & 1 == 1);
            let properties: Vec<usize> = changed.map(|bit| bit + first).collect();
            self.set(id, record.state, &properties);
        }
    }

    fn sync_id(&mut self, id: NetId) -> SyncId {
        match id {
            NetId::Synchronizer(_) => self.syncs[&id],
            NetId::Cached(number) => {
                let path = &self.paths[&number];
                let (root, _) = path.split_once("/Sync").or(path.split_once("/Weapon")).unwrap();
                let root = self.server.node(root).unwrap();
                *self.server.synchronizers(root).last().unwrap()
            }
        }
    }

    /// Sets properties to the values of a packet.
    fn set(&mut self, sync: SyncId, values: Run<'_>, properties: &[usize]) {
        let mut values = values.iter();
        for property in properties {
            let value = values.read_encoded().unwrap().unwrap();
            self.server.set_property(sync, *property, value).unwrap();
        }
    }
}

fn is_weapon(paths: &BTreeMap<u32, String>, id: NetId) -> bool {
    matches!(id, NetId::Cached(number) if paths[&number].ends_with("WSync"))
}

/// Returns the properties of the first synchronizer that are sent with a spawned node.
fn spawn_properties(name: &str) -> Vec<usize> {
    match name {
        "enet" | "enet_rle" | "ws" => vec![0],
        "good" => vec![0, 1],
        _ => vec![0, 1, 2, 3],
    }
}

/// Replays a capture. Returns the number of compared packets.
fn replay(name: &str) -> usize {
    let captured = packets(name);
    let mut replay = Replay::new(name, &captured);
    replay.run();
    let mut count = 0;
    for (stream, theirs) in &replay.theirs {
        let ours = replay.ours.remove(stream).unwrap_or_default();
        for (index, theirs) in theirs.iter().enumerate() {
            let ours = ours.get(index);
            assert_eq!(
                ours.map(|bytes| Packet::parse(bytes)),
                Some(Packet::parse(theirs)),
                "{name}, packet {index} of {stream:?}"
            );
            assert_eq!(ours, Some(theirs), "{name}, packet {index} of {stream:?}");
        }
        count += theirs.len();
        assert_eq!(ours.len(), theirs.len(), "{name}, {stream:?}");
    }
    assert!(replay.ours.is_empty(), "{name}: {:?}", replay.ours);
    count
}

#[test]
fn packets_are_those_of_the_engine() {
    for (name, expected) in [
        ("enet", 587),
        ("enet_rle", 585),
        ("ws", 590),
        ("relay", 1554),
        ("enet_fastlz", 404),
        ("enet_zlib", 410),
        ("enet_zstd", 245),
        ("enet_objects", 409),
        ("lossy_dup", 402),
        ("good", 253),
    ] {
        assert_eq!(replay(name), expected, "{name}");
    }
}
