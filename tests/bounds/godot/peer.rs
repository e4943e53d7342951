//! Tests the bounds of the state machine of the multiplayer API. The input is the packets of one
//! client; each is a length in one byte, and its bytes.

use crate::measure::{
    Entry, Family, Memory, SMALL_INPUT, Shape, Work, consume, shape, without_allocation,
};
use gamewire::godot::multiplayer::peer::{
    Config, Incoming, Limits, Node, Peer, Property, Rpc, Scene, Spawner, Synchronizer,
};
use gamewire::godot::{Dialect, Kind};

/// Limit of each of the two queues.
const QUEUE: usize = 64 << 10;

fn server(engine: Dialect) -> Peer {
    let limits =
        Limits { outgoing: QUEUE, events: QUEUE, nodes: 64, spawned: 8, ..Limits::default() };
    let config = Config { engine: engine.into(), limits, ..Config::default() };
    let mut server = Peer::server(config);
    for index in 0..16 {
        let chat = Rpc::new("chat").any_peer().arguments(&[Kind::String, Kind::Array]);
        let node = Node::new(format!("N{index}")).rpc(chat).rpc(Rpc::new("aim").any_peer());
        server.add_node(node).unwrap();
    }
    let sync = Synchronizer::new("Sync").authority(2).property(Property::always("position"));
    let scene = Scene::new().synchronizer(sync);
    server.add_spawner(Spawner::new("S", "W").scene(scene).authority(2)).ok();
    assert!((2..10).all(|client| server.connected(0, client)));
    server
}

/// Feeds all packets. Takes the events and the packets of the server after each one, or never.
fn run(engine: Dialect, is_polled: bool, mut bytes: &[u8]) {
    let mut server = server(engine);
    while let Some((len, rest)) = bytes.split_first() {
        let (packet, rest) = rest.split_at(rest.len().min((*len).into()));
        let from_enet = Incoming { channel: 1, ..Incoming::reliable(2, packet) };
        server.receive(0, from_enet);
        bytes = rest;
        while is_polled && server.poll_transmit().is_some() {}
        while is_polled && server.poll_event().is_some() {}
    }
    consume(server);
}

fn family() -> Family {
    // Both queues may hold twice their limits. The tables of 17 nodes and 8 peers come on top.
    let memory = Memory::PerByte(0, 4 * QUEUE + (96 << 10));
    let entry = |name, run| Entry { memory, work: Work::Linear, ..without_allocation(name, run) };
    let entries = vec![
        entry("Peer::receive (Godot 4)", |bytes| run(Dialect::Godot4, true, bytes)),
        entry("Peer::receive (Godot 3)", |bytes| run(Dialect::Godot3, true, bytes)),
        entry("Peer::receive, never polled", |bytes| run(Dialect::Godot4, false, bytes)),
    ];
    Family {
        entries,
        shapes: shapes(),
        max_instructions_per_byte: 20_000.0,
        small_input: 4 * SMALL_INPUT,
    }
}

#[test]
fn work() {
    family().assert_work("godot::peer::work");
}

#[test]
fn memory() {
    family().assert_memory();
}

/// Returns the packet with its length.
fn framed(packet: &[u8]) -> Vec<u8> {
    [&[packet.len() as u8], packet].concat()
}

fn simplify(id: u32, path: &str) -> Vec<u8> {
    let head = [b"\x01", &[b'0'; 32][..], b"\0"].concat();
    framed(&[&head[..], &id.to_le_bytes(), path.as_bytes(), b"\0"].concat())
}

fn shapes() -> Vec<Shape> {
    let repeated = |name, packet: &'static [u8]| {
        shape(name, move |size| {
            let packet = framed(packet);
            packet.repeat(size / packet.len() + 1)
        })
    };
    let announced = |name, path: fn(u32) -> String, step: u32| {
        shape(name, move |size| {
            let count = size as u32 / 40;
            (1..count).flat_map(|at| simplify(at.wrapping_mul(step), &path(at))).collect()
        })
    };
    vec![
        repeated("empty packets", b""),
        repeated("malformed packets", b"\x04"),
        repeated("relays to all", b"\x07\x03\0\0\0\0\x03x"),
        repeated("relays to nobody", b"\x07\x03\x63\0\0\0\x03x"),
        repeated("calls by path", b"\x20\x06\0\0\x80\0N1\0"),
        repeated("calls of nodes that do not exist", b"\x20\x06\0\0\x80\x01X\0"),
        repeated("calls with wrong arguments", b"\x20\x08\0\0\x80\x01\x01\x81N1\0"),
        repeated("raw bytes", b"\x03x"),
        repeated("calls of Godot 3", b"\x02\0\0\0\0\0\0\0\0\x0b\0\0\x80aim\0\0N1\0"),
        announced("announcements of one node", |_| "N1".to_owned(), 1),
        announced("announcements in reverse", |at| format!("N{}", at % 16), u32::MAX),
        announced("announcements of unknown nodes", |at| format!("X{at}"), 1),
        shape("nodes that are spawned and removed", |size| {
            let spawn = b"\x04\0\x01\0\0\0\x01\0\0\0\x01\0\0\0\x02\0\0\0\x02\0\0\0A\0";
            let pair = [framed(spawn), framed(b"\x05\x01\0\0\0")].concat();
            [simplify(1, "S"), pair.repeat(size / pair.len() + 1)].concat()
        }),
        shape("updates of many synchronizers", |size| {
            let record = b"\x02\0\0\0\x02\0\0\0\x02\x05";
            let packet = framed(&[b"\x06\x01\0", &record.repeat(24)[..]].concat());
            packet.repeat(size / packet.len() + 1)
        }),
    ]
}
