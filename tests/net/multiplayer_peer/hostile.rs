//! Peers that break the rules.

use gamewire::godot::multiplayer::peer::{
    Config, Event, Incoming, Node, Peer, Property, Refusal, Rpc, Scene, SendError, Spawner,
    Synchronizer,
};
use gamewire::godot::{Kind, Target};

fn server_with(config: Config) -> Peer {
    let mut server = Peer::server(config);
    let main = Node::new("/root/Main")
        .rpc(Rpc::new("chat").any_peer().arguments(&[Kind::String]).max_len(32))
        .rpc(Rpc::new("aim").any_peer().rate(10, 3))
        .rpc(Rpc::new("start"))
        .rpc(Rpc::new("stop").disabled());
    server.add_node(main).unwrap();
    let sync = Synchronizer::new("Sync").property(Property::always("aim").kind(Kind::Float));
    let scene = Scene::new().synchronizer(sync.authority(7));
    server
        .add_spawner(Spawner::new("Main/Spawner", "Main/World").scene(scene).authority(7))
        .unwrap();
    server
}

fn server() -> Peer {
    let mut server = server_with(Config::default());
    for client in [7, 8] {
        server.connected(0, client);
        assert_eq!(server.poll_event(), Some(Event::Connected { peer: client }));
    }
    while server.poll_transmit().is_some() {}
    server
}

/// Sends packets of the client 7. Returns the reasons why they were refused, with their counts.
fn refusals(server: &mut Peer, packets: &[&[u8]]) -> Vec<(Refusal, u32)> {
    for bytes in packets {
        server.receive(0, Incoming::reliable(7, bytes));
    }
    let mut refusals = Vec::new();
    while let Some(event) = server.poll_event() {
        match event {
            Event::Refused { from: 7, why, count, .. } => refusals.push((why, count)),
            Event::Refused { .. } => panic!("{event:?}"),
            _ => {}
        }
    }
    refusals
}

/// Returns the number of bytes that the server sends.
fn sent(server: &mut Peer) -> usize {
    let mut sent = 0;
    while let Some(packet) = server.poll_transmit() {
        sent += packet.bytes.len();
    }
    sent
}

/// A call by path of a method with a number.
fn call(method: u8, arguments: &[u8]) -> Vec<u8> {
    let end = 6 + arguments.len() as u8;
    [&[0x20, end, 0, 0, 0x80, method][..], arguments, b"Main\0"].concat()
}

fn simplify(id: u32, path: &str) -> Vec<u8> {
    let head = [b"\x01", &[b'0'; 32][..], b"\0"].concat();
    [&head[..], &id.to_le_bytes(), path.as_bytes(), b"\0"].concat()
}

// The sorted methods are aim, chat, start, stop.
const AIM: u8 = 0;
const CHAT: u8 = 1;
const START: u8 = 2;
const STOP: u8 = 3;
const HI: &[u8] = b"\x01\x04\0\0\0\x02\0\0\0hi\0\0";

#[test]
fn refused_calls_are_reported_and_have_no_effect() {
    let long = [b"\x01\x04\0\0\0\x40\0\0\0", &[b'x'; 64][..]].concat();
    for (packet, why) in [
        (call(START, b"\0"), Refusal::NotAllowed),
        (call(STOP, b"\0"), Refusal::NotAllowed),
        (call(9, b"\0"), Refusal::UnknownMethod),
        (call(CHAT, &long), Refusal::ArgumentsTooLong),
        (call(CHAT, b"\0"), Refusal::WrongArguments),
        (call(CHAT, b"\x01\x81"), Refusal::WrongArguments),
        (call(CHAT, b"\x02\x81\x81"), Refusal::WrongArguments),
        (call(CHAT, b"\x01\x04\0\0\0\xff\0\0\0"), Refusal::Malformed),
        (b"\x00\x05\x00\x00".to_vec(), Refusal::UnknownNode),
        (b"\x20\x07\0\0\x80\0\0Other\0".to_vec(), Refusal::UnknownNode),
        (simplify(1, "Other"), Refusal::UnknownNode),
        (b"\x02\x01\x01\0\0\0".to_vec(), Refusal::Malformed), // replaced below
        (b"\x07\x01\x09\0\0\0".to_vec(), Refusal::NotServer),
        (b"\x07\x02\x08\0\0\0".to_vec(), Refusal::NotServer),
        (b"\x07\x00xy".to_vec(), Refusal::NotServer),
        (b"\x07\x03\x63\0\0\0\x03x".to_vec(), Refusal::UnknownReceiver),
        (b"\x07\x03\0\0\0\0\x07\x01\0\0\0\0".to_vec(), Refusal::Malformed),
        (b"\x05\x01\0\0\0".to_vec(), Refusal::NetId),
        (b"".to_vec(), Refusal::Malformed),
        (b"\x03".to_vec(), Refusal::Malformed),
    ] {
        let mut server = server();
        if packet.starts_with(b"\x02\x01") {
            // A confirmation of a node that was never announced: the node may have been removed.
            assert_eq!(refusals(&mut server, &[&packet]), []);
            continue;
        }
        assert_eq!(refusals(&mut server, &[&packet]), [(why, 1)], "{packet:02x?}");
        assert_eq!(server.poll_event(), None);
        if !packet.starts_with(&[7, 3]) {
            assert_eq!(sent(&mut server), 0, "{packet:02x?}");
        }
    }
    assert_eq!(refusals(&mut server(), &[&call(CHAT, HI)]), []);
}

/// The first refused packet is reported at once, and further ones by their number.
#[test]
fn refused_packets_are_counted() {
    let mut server = server();
    let packet = call(START, b"\0");
    let packets: Vec<&[u8]> = vec![&packet; 1000];
    let found = refusals(&mut server, &packets);
    assert_eq!(found, [(Refusal::NotAllowed, 1), (Refusal::NotAllowed, 999)]);
    assert_eq!(refusals(&mut server, &packets[..1]), [(Refusal::NotAllowed, 1)]);
    let mut report = |packet: &[u8]| {
        server.receive(0, Incoming::reliable(7, packet));
        format!("{:?}", server.poll_event().unwrap())
    };
    assert!(report(&packet).contains("method: Some(Method(2)), path: \"\""));
    assert!(report(&simplify(1, "Main/Door")).contains("path: \"Main/Door\""));
    assert!(report(&simplify(1, &"x".repeat(1000))).len() < 500);
}

#[test]
fn rates_are_limited() {
    let mut server = server();
    let aim = call(AIM, b"\0");
    let mut accepted = |now| {
        server.receive(now, Incoming::reliable(7, &aim));
        matches!(server.poll_event(), Some(Event::Call(_)))
    };
    // 10 calls a second, and 3 at once.
    let count = (0..100).filter(|_| accepted(1000)).count();
    assert_eq!(count, 3);
    let count = (1001..=2000).filter(|now| accepted(*now)).count();
    assert_eq!(count, 10);
    let count = (0..100).filter(|_| accepted(u64::MAX)).count();
    assert!((1..=3).contains(&count));
    // Another peer has its own limit.
    server.receive(2000, Incoming::reliable(8, &aim));
    let mut events = std::iter::from_fn(|| server.poll_event().map(|event| format!("{event:?}")));
    assert!(events.any(|event| event.starts_with("Call")));
}

#[test]
fn unauthenticated_peers_are_not_heard() {
    let config = Config { auth: true, ..Config::default() };
    let mut server = server_with(config);
    server.connected(0, 7);
    let relay = b"\x07\x03\0\0\0\0\x03x";
    let found = refusals(&mut server, &[&call(CHAT, HI), relay, b"\x07\x01\x09\0\0\0", b"\x03x"]);
    assert_eq!(found, [(Refusal::NotAuthenticated, 1), (Refusal::NotAuthenticated, 3)]);
    assert_eq!(sent(&mut server), 0);
    let main = server.node("Main").unwrap();
    assert_eq!(server.call(7, main, "start", ()), Err(SendError::UnknownPeer));
}

/// Paths of undeclared nodes and repeated announcements use no memory.
#[test]
fn announcements_are_bounded() {
    let mut server = server();
    let (a, b) = (simplify(1, "Main"), simplify(1, "/root/Main"));
    assert_eq!(refusals(&mut server, &[&a, &b]), [(Refusal::DuplicateNumber, 1)]);
    sent(&mut server);
    for id in 2..5000 {
        server.receive(0, Incoming::reliable(7, &simplify(id, "Main")));
        server.receive(0, Incoming::reliable(7, &simplify(id, &format!("N{id}"))));
    }
    while server.poll_event().is_some() {}
    // Each announcement was answered with 6 bytes, and only the last number is in use.
    assert_eq!(sent(&mut server), 4998 * 6);
    let by_number = |id: u16| [&[0x10][..], &id.to_le_bytes(), &[CHAT], HI].concat();
    assert_eq!(refusals(&mut server, &[&by_number(4999)]), []);
    assert_eq!(refusals(&mut server, &[&by_number(4998)]), [(Refusal::UnknownNode, 1)]);
}

#[test]
fn checksums_are_compared() {
    let mut server = server();
    server.receive(0, Incoming::reliable(7, &simplify(3, "Main")));
    assert_eq!(server.poll_transmit().unwrap().bytes, [2, 0, 3, 0, 0, 0]);
    assert!(matches!(server.poll_event(), Some(Event::DifferentMethods { peer: 7, .. })));

    let config = Config { engine: Target::GODOT4_0, ..Config::default() };
    let mut old = server_with(config);
    old.connected(0, 7);
    old.receive(0, Incoming::reliable(7, &simplify(3, "Main")));
    assert_eq!(old.poll_transmit().unwrap().bytes, b"\x02\0Main\0");
}

#[test]
fn spawned_nodes_are_bounded() {
    let spawn = |scene: u8, net_id: u32, name: &str, syncs: &[u32]| {
        let ids: Vec<u8> = syncs.iter().flat_map(|id| id.to_le_bytes()).collect();
        let numbers = [1, net_id, syncs.len() as u32, name.len() as u32 + 1];
        let numbers: Vec<u8> = numbers.iter().flat_map(|number| number.to_le_bytes()).collect();
        [&[4, scene][..], &numbers, &ids, name.as_bytes(), b"\0"].concat()
    };
    let mut config = Config::default();
    config.limits.spawned = 3;
    let mut server = server_with(config);
    server.connected(0, 7);
    let announce = simplify(1, "Main/Spawner");
    server.receive(0, Incoming::reliable(7, &announce));
    while server.poll_event().is_some() {}
    for (packet, why) in [
        (spawn(1, 1, "A", &[2]), Refusal::UnknownNode),
        (spawn(0, 1, "A/B", &[2]), Refusal::Malformed),
        (spawn(0, 1, "", &[2]), Refusal::Malformed),
        (spawn(0, 1, "A", &[]), Refusal::NetId),
        (spawn(0, 1, "A", &[2, 3]), Refusal::NetId),
    ] {
        assert_eq!(refusals(&mut server, &[&packet]), [(why, 1)], "{packet:02x?}");
    }
    assert_eq!(refusals(&mut server, &[&spawn(0, 1, "A", &[2])]), []);
    assert_eq!(refusals(&mut server, &[&spawn(0, 1, "B", &[2])]), [(Refusal::NetId, 1)]);
    assert_eq!(refusals(&mut server, &[&spawn(0, 2, "A", &[2])]), [(Refusal::NetId, 1)]);
    for net_id in 3..100 {
        let name = format!("N{net_id}");
        server.receive(0, Incoming::reliable(7, &spawn(0, net_id, &name, &[net_id + 1000])));
    }
    let (mut spawned, mut refused) = (0, 0);
    while let Some(event) = server.poll_event() {
        match event {
            Event::Spawned { .. } => spawned += 1,
            Event::Refused { why: Refusal::NetId, count, .. } => refused += count,
            other => panic!("{other:?}"),
        }
    }
    assert_eq!((spawned, refused), (2, 95));
    // A value of another type, an old counter, and a peer that is not the authority.
    let sync = |time: u8, value: &[u8]| {
        let len = value.len() as u8;
        [&[6, time, 0, 2, 0, 0, 0, len, 0, 0, 0][..], value].concat()
    };
    let float = b"\x03\0\0\0\0\0\0\x3f";
    server.receive(0, Incoming::reliable(7, &sync(2, float)));
    assert!(matches!(server.poll_event(), Some(Event::Synchronized { from: 7, .. })));
    server.receive(0, Incoming::reliable(7, &sync(1, float)));
    assert_eq!(server.poll_event(), None);
    assert_eq!(refusals(&mut server, &[&sync(3, b"\x02\x05")]), [(Refusal::WrongArguments, 1)]);
    assert_eq!(refusals(&mut server, &[b"\x05\x63\0\0\0"]), [(Refusal::NetId, 1)]);
    server.receive(0, Incoming::reliable(7, b"\x05\x01\0\0\0"));
    assert!(matches!(server.poll_event(), Some(Event::Despawned { from: 7, .. })));
    assert_eq!(refusals(&mut server, &[&spawn(0, 1, "A", &[2])]), []);
}

/// A relayed packet goes to its receivers and nowhere else. A client may name itself, as in the
/// engine.
#[test]
fn relays_have_the_receivers_of_the_engine() {
    let receivers = |target: i32, engine: Option<Target>| {
        let defaults = Config::default();
        let config = Config { engine: engine.unwrap_or(defaults.engine), ..defaults };
        let mut server = server_with(config);
        for client in [7, 8, 9] {
            server.connected(0, client);
        }
        while server.poll_event().is_some() || server.poll_transmit().is_some() {}
        let packet = [b"\x07\x03", &target.to_le_bytes()[..], b"\x03x"].concat();
        server.receive(0, Incoming::reliable(7, &packet));
        let mut receivers = Vec::new();
        while let Some(packet) = server.poll_transmit() {
            assert_eq!(packet.bytes, b"\x07\x03\x07\0\0\0\x03x");
            receivers.push(packet.to);
        }
        (receivers, matches!(server.poll_event(), Some(Event::Bytes { from: 7, .. })))
    };
    assert_eq!(receivers(0, None), (vec![8, 9], true));
    assert_eq!(receivers(-1, None), (vec![8, 9], false));
    assert_eq!(receivers(-8, None), (vec![9], true));
    assert_eq!(receivers(8, None), (vec![8], false));
    assert_eq!(receivers(7, None), (vec![7], false));
    assert_eq!(receivers(1, None), (vec![], false));
    assert_eq!(receivers(i32::MIN, None), (vec![8, 9], true));
    // Before 4.3, the excluded peer was the only one to get the packet.
    assert_eq!(receivers(-8, Some(Target::GODOT4_0)), (vec![8], false));
    assert_eq!(receivers(-1, Some(Target::GODOT4_0)), (vec![], true));
}

#[test]
fn queues_are_bounded() {
    let mut config = Config::default();
    config.limits.outgoing = 4096;
    config.limits.events = 4096;
    config.limits.peers = 2;
    let mut server = server_with(config);
    for client in [7, 8] {
        server.connected(0, client);
    }
    assert!(!server.connected(0, 9));
    while server.poll_event().is_some() {}
    let main = server.node("Main").unwrap();
    let mut calls = 0;
    while server.call(0, main, "start", ("some text",)).is_ok() {
        calls += 1;
    }
    assert!((20..200).contains(&calls));
    // Answers to peers still fit.
    server.receive(0, Incoming::reliable(7, &simplify(1, "Main")));
    let mut last = Vec::new();
    while let Some(packet) = server.poll_transmit() {
        last = packet.bytes.to_vec();
    }
    assert_eq!(last, [2, 0, 1, 0, 0, 0]);
    let bytes = [&[3][..], &[b'x'; 1000]].concat();
    let packets: Vec<&[u8]> = vec![&bytes; 50];
    let found = refusals(&mut server, &packets);
    assert!(found.contains(&(Refusal::EventsFull, 1)), "{found:?}");
    let relay = [b"\x07\x03\x08\0\0\0", &bytes[..]].concat();
    let found = refusals(&mut server, &[&relay[..]; 10]);
    assert!(found.contains(&(Refusal::OutgoingFull, 1)), "{found:?}");
}

#[test]
fn ids_are_checked() {
    let mut server = server();
    for id in [0, -5, i32::MIN, 1, 7] {
        assert!(!server.connected(0, id));
    }
    assert_eq!(server.peers(), [7, 8]);
    server.disconnected(0, 99);
    server.receive(0, Incoming::reliable(99, b"\x03x"));
    assert!(matches!(server.poll_event(), Some(Event::Refused { why: Refusal::UnknownPeer, .. })));
    let mut client = Peer::client(Config::default(), 5);
    client.connected(0, 1);
    client.poll_event();
    for packet in [&b"\x07\x01\x05\0\0\0"[..], b"\x07\x01\xff\xff\xff\xff", b"\x07\x02\x01\0\0\0"] {
        client.receive(0, Incoming::reliable(1, packet));
        assert!(matches!(client.poll_event(), Some(Event::Refused { .. })), "{packet:?}");
    }
    assert_eq!(client.peers(), [1]);
    // Only the server's word counts, not that of a relayed packet.
    client.receive(0, Incoming::reliable(1, b"\x07\x01\x09\0\0\0"));
    client.receive(0, Incoming::reliable(1, b"\x07\x03\x09\0\0\0\x07\x01\x0a\0\0\0"));
    assert_eq!(client.peers(), [1, 9]);
}
