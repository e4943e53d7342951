//! A server and its clients exchange calls, properties and relayed packets without allocating.

use crate::counting::without_allocating;
use gamewire::godot::multiplayer::peer::{
    Config, Event, Events, Incoming, Node, NodeId, Peer, Property, Rpc, Scene, Spawner, SyncId,
    Synchronizer, TransferMode,
};
use gamewire::godot::{Dialect, Vector2};

const CLIENTS: [i32; 6] = [2, 3, 50, 4, 1_000_000_000, 7];

fn main() -> Node {
    let chat = Rpc::new("chat").any_peer().rate(1000, 1000).max_len(200);
    Node::new("/root/Main").rpc(chat).rpc(Rpc::new("state").unreliable().channel(1))
}

struct Game {
    server: Peer,
    clients: Vec<Peer>,
    nodes: Vec<NodeId>,
    sync: Option<SyncId>,
    events: Events,
    now: u64,
}

impl Game {
    fn new(config: &Config) -> Self {
        let mut server = Peer::server(config.clone());
        let client = |id: &i32| Peer::client(config.clone(), *id);
        let mut clients: Vec<Peer> = CLIENTS.iter().map(client).collect();
        let sync = Synchronizer::new("Sync")
            .property(Property::always("position").spawn())
            .property(Property::on_change("hp").spawn());
        let spawner = Spawner::new("Main/Spawner", "Main").scene(Scene::new().synchronizer(sync));
        let mut nodes = Vec::new();
        for peer in [&mut server].into_iter().chain(&mut clients) {
            nodes.push(peer.add_node(main()).unwrap());
            peer.add_spawner(spawner.clone()).ok();
        }
        for client in &mut clients {
            server.connected(0, client.id());
            client.connected(0, 1);
        }
        let node = server.node("Main/Spawner").map(|id| server.create(id, 0, "P").unwrap());
        let sync = node.map(|node| {
            server.spawn(node).unwrap();
            server.synchronizers(node)[0]
        });
        Self { server, clients, nodes, sync, events: Events::new(), now: 0 }
    }

    /// Plays a frame. Returns the number of packets.
    fn frame(&mut self) -> usize {
        self.now += 16;
        let Self { server, clients, nodes, sync, events, now } = self;
        server.call(0, nodes[0], "state", (*now as i64, Vector2 { x: 1.0_f32, y: 2.0 })).unwrap();
        if let Some(sync) = *sync {
            server.set_property(sync, 0, Vector2 { x: *now as f32, y: 0.0 }).unwrap();
            server.set_property(sync, 1, *now as i64 / 64).unwrap();
        }
        for (client, node) in clients.iter_mut().zip(&nodes[1..]) {
            client.call(0, *node, "chat", ("hello", *now as i64)).unwrap();
            // The server refuses this one.
            client.call(1, *node, "state", (1,)).unwrap();
            client.send_bytes(0, b"abc", TransferMode::Unreliable, 2).unwrap();
            client.tick(*now);
        }
        server.tick(*now);
        let mut packets = 0;
        loop {
            let before = packets;
            while let Some(sent) = server.poll_transmit() {
                let to = CLIENTS.iter().position(|id| *id == sent.to).unwrap();
                clients[to].receive(*now, Incoming::of(1, &sent));
                packets += 1;
            }
            for client in clients.iter_mut() {
                let from = client.id();
                while let Some(sent) = client.poll_transmit() {
                    server.receive(*now, Incoming::of(from, &sent));
                    packets += 1;
                }
                while client.poll_event().is_some() {}
            }
            server.take_events(events);
            while let Some(event) = events.poll() {
                if let Event::Call(call) = event {
                    let (text, _) = call.arguments.parse::<(&str, i64)>().unwrap();
                    assert_eq!(text, "hello");
                }
            }
            if packets == before {
                return packets;
            }
        }
    }
}

#[test]
fn peers_do_not_allocate_after_warm_up() {
    for engine in [Dialect::Godot4, Dialect::Godot3] {
        let config = Config { engine: engine.into(), ..Config::default() };
        let mut game = Game::new(&config);
        let expected = (0..100).map(|_| game.frame()).last().unwrap();
        assert!(expected > 60);
        without_allocating("Peer", || {
            for _ in 0..200 {
                assert!(game.frame() >= expected - 12);
            }
        });
    }
}
