//! Peers against each other: what one sends, the other gets, in order.

use crate::laws;
use crate::support::random::Random;
use gamewire::godot::multiplayer::peer::{
    Config, Event, Events, Incoming, Node, NodeId, Peer, Property, Recipients, Rpc, Scene, Spawner,
    Synchronizer, TransferMode, Transport3,
};
use gamewire::godot::{Dialect, Target, Vector2};
use std::collections::BTreeMap;

/// A server and its clients.
struct Network {
    peers: BTreeMap<i32, Peer>,
    /// The events of each peer, except for calls.
    events: BTreeMap<i32, Vec<String>>,
    /// The numbers that each peer got from each other one.
    numbers: BTreeMap<(i32, i32), Vec<i64>>,
    now: u64,
}

fn node() -> Node {
    let count = ["count", "zoom", "act"].map(|name| Rpc::new(name).any_peer());
    count.into_iter().fold(Node::new("/root/Main"), Node::rpc)
}

impl Network {
    fn new(config: &Config, clients: &[i32]) -> Self {
        let mut peers = BTreeMap::from([(1, Peer::server(config.clone()))]);
        for client in clients {
            peers.insert(*client, Peer::client(config.clone(), *client));
        }
        for peer in peers.values_mut() {
            peer.add_node(node()).unwrap();
        }
        let (events, numbers) = (BTreeMap::new(), BTreeMap::new());
        Self { peers, events, numbers, now: 0 }
    }

    fn peer(&mut self, id: i32) -> &mut Peer {
        self.peers.get_mut(&id).unwrap()
    }

    fn main(&self, id: i32) -> NodeId {
        self.peers[&id].node("Main").unwrap()
    }

    fn connect(&mut self, client: i32) {
        let now = self.now;
        self.peer(1).connected(now, client);
        self.peer(client).connected(now, 1);
        self.run();
    }

    /// Delivers packets until there are none.
    fn run(&mut self) {
        loop {
            let mut packets = Vec::new();
            for (from, peer) in &mut self.peers {
                while let Some(sent) = peer.poll_transmit() {
                    let (mode, channel) = (sent.mode, sent.channel);
                    packets.push((*from, sent.to, mode, channel, sent.bytes.to_vec()));
                }
            }
            if packets.is_empty() {
                return;
            }
            for (from, to, mode, channel, bytes) in packets {
                let now = self.now;
                let packet = Incoming { from, mode, channel, bytes: &bytes };
                self.peer(to).receive(now, packet);
                self.take_events(to);
            }
        }
    }

    fn take_events(&mut self, id: i32) {
        let mut events = Events::new();
        self.peer(id).take_events(&mut events);
        while let Some(event) = events.poll() {
            match event {
                Event::Call(call) => {
                    let (number, _) = call.arguments.parse::<(i64, String)>().unwrap();
                    self.numbers.entry((id, call.from)).or_default().push(number);
                }
                other => self.events.entry(id).or_default().push(format!("{other:?}")),
            }
        }
    }
}

/// Returns the configurations of all engines and transports.
fn configs() -> Vec<Config> {
    let mut configs = Vec::new();
    for (engine, transport) in [
        (Target::from(Dialect::Godot4), Transport3::Enet),
        (Target::GODOT4_0, Transport3::Enet),
        (Target::from(Dialect::Godot3), Transport3::Enet),
        (Target::from(Dialect::Godot3), Transport3::WebSocket),
    ] {
        let mut config = Config::default();
        (config.engine, config.transport) = (engine, transport);
        configs.push(config);
    }
    configs
}

/// Random peers call random others. Each number arrives once and in order, at exactly those peers
/// for which it was sent.
#[test]
fn calls_arrive_once_and_in_order() {
    for (seed, config) in (0..).zip(configs()) {
        let clients = [7, 3, 1_000_000_000, 12];
        let mut network = Network::new(&config, &clients);
        let mut random = Random(seed);
        let mut expected: BTreeMap<(i32, i32), Vec<i64>> = BTreeMap::new();
        clients.iter().for_each(|client| network.connect(*client));
        for number in 0..2000 {
            let all = [1, 7, 3, 1_000_000_000, 12];
            let (from, other) = (random.one_of(&all), random.one_of(&all));
            let to = match random.below(3) {
                0 => Recipients::All,
                1 if other != from => Recipients::AllExcept(other),
                _ if other != from => Recipients::Peer(other),
                _ => continue,
            };
            for receiver in all {
                let is_receiver = match to {
                    Recipients::All => true,
                    Recipients::AllExcept(one) => receiver != one,
                    Recipients::Peer(one) => receiver == one,
                };
                if is_receiver && receiver != from {
                    expected.entry((receiver, from)).or_default().push(number);
                }
            }
            let main = network.main(from);
            let name = random.one_of(&["count", "zoom", "act"]);
            network.peer(from).call(to, main, name, (number, "text")).unwrap();
            if random.below(4) == 0 {
                network.run();
            }
        }
        network.run();
        assert_eq!(network.numbers, expected, "{config:?}");
    }
}

#[test]
fn clients_know_each_other() {
    for config in configs() {
        let mut network = Network::new(&config, &[7, 3, 9]);
        [7, 3, 9].into_iter().for_each(|client| network.connect(client));
        for (peer, others) in [(1, [3, 7, 9]), (7, [1, 3, 9]), (3, [1, 7, 9]), (9, [1, 3, 7])] {
            let mut known = network.peer(peer).peers().to_vec();
            known.sort_unstable();
            assert_eq!(known, others, "{config:?}");
        }
        network.peer(1).disconnected(0, 3);
        network.peer(3).disconnected(0, 1);
        network.run();
        assert!(network.peer(3).peers().is_empty());
        let mut known = network.peer(9).peers().to_vec();
        known.sort_unstable();
        assert_eq!(known, [1, 7]);
        assert!(network.events[&9].contains(&"Disconnected { peer: 3 }".to_owned()));
        // The engine puts the last peer in the place of the removed one.
        assert_eq!(network.peer(1).peers(), [7, 9]);
        network.connect(3);
        network.peer(1).disconnected(0, 7);
        assert_eq!(network.peer(1).peers(), [3, 9]);
    }
}

#[test]
fn without_relay_clients_know_only_the_server() {
    for mut config in configs() {
        config.relay = false;
        let mut network = Network::new(&config, &[7, 3]);
        [7, 3].into_iter().for_each(|client| network.connect(client));
        assert_eq!(network.peer(7).peers(), [1]);
        let main = network.main(7);
        assert!(network.peer(7).call(3, main, "count", (1, "text")).is_err());
        network.peer(7).call(0, main, "count", (2, "text")).unwrap();
        network.run();
        assert_eq!(network.numbers, BTreeMap::from([((1, 7), vec![2])]));
    }
}

#[test]
fn peers_authenticate() {
    let config = Config { auth: true, ..Config::default() };
    let mut network = Network::new(&config, &[7]);
    network.connect(7);
    assert!(network.peer(1).peers().is_empty());
    network.peer(7).send_auth(1, b"token").unwrap();
    network.run();
    let token = format!("Auth {{ peer: 7, data: {:?} }}", b"token");
    assert_eq!(network.events[&1], ["Authenticating { peer: 7 }", &token]);
    network.peer(1).complete_auth(7).unwrap();
    assert!(
        network.peer(1).complete_auth(7).is_err() && network.peer(1).send_auth(7, b"x").is_err()
    );
    network.run();
    assert!(network.peer(1).peers().is_empty(), "the client has not completed it");
    network.peer(7).complete_auth(1).unwrap();
    network.run();
    assert_eq!(network.peers[&1].peers(), [7]);
    assert_eq!(network.peers[&7].peers(), [1]);

    let mut server = Peer::server(config);
    server.connected(0, 5);
    assert_eq!(server.next_timeout(), Some(3000));
    server.tick(2999);
    assert_eq!(server.poll_disconnect(), None);
    server.tick(3000);
    assert_eq!(server.poll_disconnect(), Some(5));
    assert_eq!(server.poll_event(), Some(Event::Authenticating { peer: 5 }));
    assert_eq!(server.poll_event(), Some(Event::AuthFailed { peer: 5 }));
    server.disconnected(3000, 5);
    assert_eq!(server.poll_event(), None);
    assert_eq!(server.next_timeout(), None);
}

/// A late joiner gets the nodes that were spawned before, with their current properties.
#[test]
fn late_joiners_get_spawned_nodes() {
    let spawner = || {
        let sync = Synchronizer::new("Sync")
            .property(Property::always("position").spawn())
            .property(Property::on_change("hp").spawn());
        let scene = Scene::new().rpc(Rpc::new("hit").any_peer()).synchronizer(sync);
        Spawner::new("/root/Main/Spawner", "/root/Main/World").scene(scene)
    };
    let mut network = Network::new(&Config::default(), &[7, 3]);
    let ids: Vec<NodeId> =
        network.peers.values_mut().map(|peer| peer.add_spawner(spawner()).unwrap()).collect();
    network.connect(7);
    let server = network.peer(1);
    let node = server.create(ids[0], 0, "P1").unwrap();
    let sync = server.synchronizers(node)[0];
    server.set_property(sync, 0, Vector2 { x: 1.0_f32, y: 2.0 }).unwrap();
    server.set_property(sync, 1, 100).unwrap();
    server.spawn(node).unwrap();
    network.run();
    network.peer(1).set_property(sync, 1, 90).unwrap();
    network.connect(3);
    for (client, hp) in [(7, 100), (3, 90)] {
        let spawned = network.events[&client].iter().find(|event| event.contains("Spawned"));
        assert!(spawned.is_some(), "{client}");
        let node = network.peers[&client].node("Main/World/P1").unwrap();
        let peer = network.peer(client);
        assert_eq!(peer.path(node), Some("Main/World/P1"));
        assert!(peer.method(node, "hit").is_some(), "{hp}");
    }
    // The spawned node can be called by path and by number, from both sides.
    network.peer(1).tick(0);
    network.run();
    for _ in 0..2 {
        network.peer(1).call(0, node, "hit", (5, "text")).unwrap();
        let at_client = network.peers[&3].node("Main/World/P1").unwrap();
        network.peer(3).call(1, at_client, "hit", (6, "text")).unwrap();
        network.run();
    }
    assert_eq!((&network.numbers[&(3, 1)], &network.numbers[&(1, 3)]), (&vec![5, 5], &vec![6, 6]));
    let is_synced = |event: &String| event.contains("Synchronized") || event.contains("Changed");
    assert_eq!(network.events[&3].iter().filter(|event| is_synced(event)).count(), 2);

    // A hidden node disappears, and cannot be called.
    network.peer(1).set_public(sync, false);
    network.peer(1).set_visible_for(sync, 3, true);
    network.run();
    assert!(network.peers[&7].node("Main/World/P1").is_none());
    assert!(network.peer(1).call(7, node, "hit", (7, "text")).is_err());
    network.peer(1).despawn(node).unwrap();
    network.run();
    assert!(network.peers[&3].node("Main/World/P1").is_none());
    assert!(network.peers[&1].node("Main/World/P1").is_none());
}

/// A client may own a synchronizer, and spawn nodes, if the declarations say so.
#[test]
fn clients_can_be_authorities() {
    let spawner = |authority| {
        let sync = Synchronizer::new("Sync").authority(7);
        let sync =
            sync.property(Property::always("aim")).property(Property::on_change("name").spawn());
        let scene = Scene::new().synchronizer(sync);
        Spawner::new("Main/Spawner", "Main/World").scene(scene).authority(authority)
    };
    let mut network = Network::new(&Config::default(), &[7]);
    let ids: Vec<NodeId> =
        network.peers.values_mut().map(|peer| peer.add_spawner(spawner(7)).unwrap()).collect();
    network.connect(7);
    let client = network.peer(7);
    let node = client.create(ids[1], 0, "Mine").unwrap();
    let sync = client.synchronizers(node)[0];
    client.set_property(sync, 1, "Ada").unwrap();
    client.spawn(node).unwrap();
    for _ in 0..3 {
        network.peer(7).tick(0);
        network.run();
    }
    let events = &network.events[&1];
    assert!(events.iter().any(|event| event.contains("Spawned")), "{events:?}");
    assert_eq!(events.iter().filter(|event| event.contains("Synchronized")).count(), 3);
    assert_eq!(events.iter().filter(|event| event.contains("Changed")).count(), 1);
    assert!(!events.iter().any(|event| event.contains("Refused")), "{events:?}");
    // When the client leaves, its nodes disappear.
    network.peer(1).disconnected(0, 7);
    network.take_events(1);
    assert!(network.events[&1].iter().any(|event| event.contains("Despawned")));
    assert!(network.peers[&1].node("Main/World/Mine").is_none());
}

#[test]
fn raw_bytes_arrive() {
    for config in configs() {
        let mut network = Network::new(&config, &[7, 3]);
        [7, 3].into_iter().for_each(|client| network.connect(client));
        let mode = TransferMode::UnreliableOrdered;
        network.peer(7).send_bytes(0, b"abc", mode, 4).unwrap();
        network.peer(1).send_bytes(-7, b"de", mode, 4).unwrap();
        network.run();
        let got = |peer: i32| {
            let events = network.events[&peer].iter();
            events.filter(|event| event.starts_with("Bytes")).cloned().collect::<Vec<_>>()
        };
        let abc = format!("Bytes {{ from: 7, bytes: {:?} }}", b"abc");
        assert_eq!((got(1), got(7)), (vec![abc.clone()], vec![]));
        assert_eq!(got(3), [format!("Bytes {{ from: 1, bytes: {:?} }}", b"de"), abc]);
    }
}

#[test]
fn random_steps_satisfy_the_laws() {
    let mut random = Random(3);
    for _ in 0..5000 {
        let mut data = vec![random.next() as u8];
        for _ in 0..random.below(60) {
            let step = random.next() as u8;
            data.push(step);
            if step & 15 > 12 {
                let packet = packet(&mut random);
                data.push(packet.len() as u8);
                data.extend(packet);
            }
        }
        laws::multiplayer_peer(&data);
    }
}

/// Returns a packet that is often valid.
fn packet(random: &mut Random) -> Vec<u8> {
    let chat = b"\x20\x13\0\0\x80\0\x01\x04\0\0\0\x02\0\0\0hi\0\0Main\0";
    let aim = b"\x20\x06\0\0\x80\x01Main\0";
    let simplify = [b"\x01", &[b'0'; 32][..], b"\0\x01\0\0\0Main/Spawner\0"].concat();
    let spawn = b"\x04\0\x01\0\0\0\x01\0\0\0\x01\0\0\0\x02\0\0\0\x02\0\0\0X\0\x05\0\0\0\0\0\0\0\0\0\0\0\x02\x05";
    let sync = b"\x06\x01\0\x02\0\0\0\x0c\0\0\0\x05\0\0\0\0\0\0\0\0\0\0\0";
    let godot3 = b"\x03\0\0\0\x01\0\0\0\0\x0b\0\0\x80chat\0\0Main\0";
    let all: [&[u8]; 12] = [
        chat,
        aim,
        &simplify,
        spawn,
        sync,
        godot3,
        b"\x07\0",
        b"\x07\0ab",
        b"\x07\x01\x05\0\0\0",
        b"\x07\x02\x05\0\0\0",
        b"\x05\x01\0\0\0",
        b"\x02\x01\x01\0\0\0",
    ];
    let mut bytes = random.one_of(&all).to_vec();
    match random.below(4) {
        0 => bytes = [b"\x07\x03\0\0\0\0", &bytes[..]].concat(),
        1 => {
            let at = random.below(bytes.len());
            bytes[at] = random.next() as u8;
        }
        _ => {}
    }
    bytes
}
