//! A server for the game in `client/`, which Godot 4 runs: a chat, and players who move. Clients join
//! through ENet or WebSockets.
//!
//! ```text
//! cargo run --release --features server --example multiplayer_server
//! godot --path examples/multiplayer_server/client          # joins through ENet
//! godot --path examples/multiplayer_server/client -- ws    # joins through a WebSocket
//! ```
//!
//! The server has no copy of the game. It declares what clients may do: the methods of `main.gd`, and
//! the spawner and the synchronizers of the scenes, as they are in the project.

mod network;

use gamewire::godot::multiplayer::peer::{
    Event, Node, NodeId, Peer, Property, Router, Rpc, Scene, SendError, Spawner, SyncId,
    Synchronizer,
};
use gamewire::godot::{Kind, Vector2};
use gamewire::server::{Config, Server};
use network::{Network, random_seed};
use std::collections::BTreeMap;
use std::error::Error;

const TICKS_PER_SECOND: u64 = 30;
/// Pixels per second.
const SPEED: f32 = 200.0;

/// The state of the game.
struct Game {
    spawner: NodeId,
    /// The players by id.
    players: BTreeMap<i32, Player>,
}

struct Player {
    node: NodeId,
    /// The synchronizer of the position and the health.
    state: SyncId,
    position: Vector2<f32>,
    /// The direction in which the client wants to move.
    direction: Vector2<f32>,
}

fn main() -> Result<(), Box<dyn Error>> {
    let mut network = Network::bind("127.0.0.1:4433".parse()?, "127.0.0.1:4434".parse()?)?;
    let mut server = Server::new(Config { seed: random_seed(), ..Config::default() });
    println!("listening on ports {:?}", network.ports()?);

    let peer = server.peer_mut();
    let main = peer.add_node(main_node())?;
    let spawner = peer.add_spawner(spawner())?;
    let mut game = Game { spawner, players: BTreeMap::new() };

    let mut router = Router::new();
    router.on(peer, main, "chat", move |_: &mut Game, peer, call| {
        if let Ok((text,)) = call.arguments.parse::<(&str,)>() {
            println!("{}: {text}", call.from);
            let _ = peer.call(0, main, "said", (call.from, text));
        }
    })?;

    let mut next_tick = 0;
    loop {
        network.receive(&mut server, next_tick)?;
        router.run(&mut game, server.peer_mut(), |game, peer, event| {
            if let Err(error) = game.event(peer, event) {
                eprintln!("{error}");
            }
        });
        if network.now() >= next_tick {
            next_tick += 1000 / TICKS_PER_SECOND;
            game.tick(server.peer_mut())?;
            server.tick(network.now());
        }
        network.transmit(&mut server);
    }
}

/// The methods of main.gd. A client may chat five times a second, with short texts.
fn main_node() -> Node {
    let chat = Rpc::new("chat").any_peer().arguments(&[Kind::String]).max_len(500).rate(5, 10);
    Node::new("/root/Main").rpc(chat).rpc(Rpc::new("said"))
}

/// The spawner of main.tscn, and the synchronizers of player.tscn.
fn spawner() -> Spawner {
    let state = Synchronizer::new("State")
        .property(Property::always("position").spawn())
        .property(Property::on_change("health").spawn());
    let direction = Property::always("direction").kind(Kind::Vector2);
    let input = Synchronizer::new("Input/Sync").property(direction).authority_by_name();
    let player = Scene::new().synchronizer(state).synchronizer(input);
    Spawner::new("/root/Main/Spawner", "/root/Main/Players").scene(player)
}

impl Game {
    fn event(&mut self, peer: &mut Peer, event: Event<'_>) -> Result<(), SendError> {
        match event {
            Event::Connected { peer: id } => self.join(peer, id)?,
            Event::Disconnected { peer: id } => {
                println!("{id} has left");
                if let Some(player) = self.players.remove(&id) {
                    peer.despawn(player.node)?;
                }
            }
            // Only a player's own client can send the input, because it is the authority.
            Event::Synchronized { from, values, .. } => {
                let player = self.players.get_mut(&from);
                if let (Some(player), Ok((direction,))) = (player, values.parse()) {
                    player.direction = direction;
                }
            }
            other => println!("{other:?}"),
        }
        Ok(())
    }

    /// Spawns a player for a client, on all clients.
    fn join(&mut self, peer: &mut Peer, id: i32) -> Result<(), SendError> {
        println!("{id} has joined");
        let node = peer.create(self.spawner, 0, &id.to_string())?;
        let state = peer.synchronizers(node)[0];
        let position = Vector2 { x: 100.0, y: 100.0 };
        peer.set_property(state, 0, position)?;
        peer.set_property(state, 1, 100)?;
        let direction = Vector2 { x: 0.0, y: 0.0 };
        self.players.insert(id, Player { node, state, position, direction });
        peer.spawn(node)
    }

    /// Moves the players. A client that sends a longer direction is not faster.
    fn tick(&mut self, peer: &mut Peer) -> Result<(), SendError> {
        for player in self.players.values_mut() {
            let Vector2 { x, y } = player.direction;
            let step = SPEED / TICKS_PER_SECOND as f32 / x.hypot(y).max(1.0);
            if step.is_finite() {
                player.position.x += x * step;
                player.position.y += y * step;
            }
            peer.set_property(player.state, 0, player.position)?;
        }
        Ok(())
    }
}
