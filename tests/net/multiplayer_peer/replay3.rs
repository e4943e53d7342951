//! Replays captures of Godot 3, as `replay.rs` does for Godot 4.

use crate::support::net::captures;
use gamewire::capture::Reader;
use gamewire::godot::Dialect;
use gamewire::godot::multiplayer::NodeRef;
use gamewire::godot::multiplayer::godot3::Packet;
use gamewire::godot::multiplayer::peer::{Config, Event, Incoming, Node, Peer, Rpc, TransferMode};
use gamewire::godot::multiplayer::transport::EnetPrefix;
use gamewire::traffic::{Content, Conversations, Delivery, Record};
use std::collections::VecDeque;

/// A packet: `true` if the server sends it, the channel of ENet, the mode, and the bytes.
type Captured = (bool, u8, TransferMode, Vec<u8>);

fn packets(name: &str) -> (i32, Vec<Captured>) {
    let file = captures::file(name);
    let (mut packets, mut client) = (Vec::new(), 0);
    let mut reader = Reader::new(&file[..]);
    let mut conversations = Conversations::default();
    let mut listener = |record: &Record<'_>| {
        let from_server = record.source.port() < record.destination.port();
        let Content::Godot3(_) = record.content else { return };
        if !from_server {
            client = record.peer.unwrap();
        }
        let mode = match record.delivery.unwrap() {
            Delivery::Reliable => TransferMode::Reliable,
            Delivery::Unreliable => TransferMode::UnreliableOrdered,
            Delivery::Unsequenced => TransferMode::Unreliable,
        };
        packets.push((from_server, record.channel.unwrap(), mode, record.bytes.to_vec()));
    };
    while let Some(packet) = reader.next_packet().unwrap() {
        conversations.segment(packet.time, &packet.segment().unwrap(), &mut listener);
    }
    (client, packets)
}

fn server() -> Peer {
    let config = Config { engine: Dialect::Godot3.into(), ..Config::default() };
    let mut server = Peer::server(config);
    let main = ["blob", "chat", "many", "none", "obj", "odd"].map(|name| Rpc::new(name).any_peer());
    let main = main.into_iter().fold(Node::new("/root/Main"), Node::rpc);
    let main = ["move", "state"]
        .into_iter()
        .fold(main, |main, name| main.rpc(Rpc::new(name).any_peer().unreliable()));
    server.add_node(main.rset(Rpc::new("score").any_peer())).unwrap();
    server
}

/// Makes the server do what made the captured server send a packet.
fn act(server: &mut Peer, mode: TransferMode, bytes: &[u8]) {
    let (prefix, inner) = EnetPrefix::split(bytes).unwrap();
    let to = prefix.target.get();
    let main = server.node("Main").unwrap();
    match Packet::parse(inner).unwrap() {
        // The call of a method follows.
        Packet::SimplifyPath { .. } => {}
        Packet::Call(call) => {
            // A call with a path has its own receiver in the prefix, even if all peers are called.
            let to = if matches!(call.node, NodeRef::Path(_)) { 0 } else { to };
            server.call(to, main, call.method.to_str().unwrap(), call.arguments).unwrap();
        }
        Packet::Set(set) => {
            let value = set.value.iter().read_encoded().unwrap().unwrap();
            server.set_remote(to, main, set.property.to_str().unwrap(), value).unwrap();
        }
        Packet::Raw(bytes) => server.send_bytes(to, bytes, mode, 0).unwrap(),
        other => panic!("not sent: {other:?}"),
    }
}

fn replay(name: &str) -> usize {
    let (client, captured) = packets(name);
    let mut server = server();
    server.connected(0, client);
    // The packets of both servers, in the channels 1 and 2.
    let mut ours = [VecDeque::new(), VecDeque::new()];
    let mut theirs = [VecDeque::new(), VecDeque::new()];
    let mut count = 0;
    for (from_server, channel, mode, bytes) in &captured {
        let index = usize::from(*channel) - 1;
        match from_server {
            true => {
                count += 1;
                theirs[index].push_back((*mode, bytes.clone()));
                if theirs[index].len() > ours[index].len() {
                    act(&mut server, *mode, bytes);
                }
            }
            false => {
                let (mode, channel) = (*mode, *channel);
                server.receive(0, Incoming { from: client, mode, channel, bytes });
            }
        }
        while let Some(event) = server.poll_event() {
            assert!(!matches!(event, Event::Refused { .. }), "{name}: {event:?}");
        }
        while let Some(sent) = server.poll_transmit() {
            assert_eq!(sent.to, client);
            ours[usize::from(sent.channel) - 1].push_back((sent.mode, sent.bytes.to_vec()));
        }
    }
    assert_eq!(ours, theirs, "{name}");
    count
}

#[test]
fn packets_are_those_of_the_engine() {
    for (name, expected) in
        [("godot3_enet", 1), ("godot3_enet_rle", 1), ("godot3_enet_objects", 35)]
    {
        assert_eq!(replay(name), expected, "{name}");
    }
}
