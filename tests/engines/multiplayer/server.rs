//! The server of `check.py`. It prints a JSON object per line, and takes the engine of its clients (3 or
//! 4) as its argument.

#[path = "../../../examples/multiplayer_server/network.rs"]
mod network;

use gamewire::godot::multiplayer::Run;
use gamewire::godot::multiplayer::peer::{
    Call, Event, Node, NodeId, Peer, Property, Router, Rpc, Scene, SendError, Spawner,
    Synchronizer, Transport3,
};
use gamewire::godot::{Dialect, Vector2};
use gamewire::server::{self, Server};
use gamewire::transport::enet::CompressionMode;
use network::{Network, random_seed};
use std::collections::BTreeMap;
use std::env;
use std::error::Error;

/// The state of the game.
struct Game {
    main: NodeId,
    /// The spawner of players. Godot 3 has none.
    spawner: Option<NodeId>,
    /// The nodes of the players, by id. Clients of Godot 3 have none.
    players: BTreeMap<i32, NodeId>,
    ticks: i64,
    /// The number of clients that are done.
    done: i64,
}

fn say(event: &str, value: impl std::fmt::Display) {
    println!("{{\"event\":\"{event}\",\"value\":{value}}}");
}

fn main_node() -> Node {
    Node::new("/root/Main")
        .rpc(Rpc::new("count").any_peer())
        .rpc(Rpc::new("wave").any_peer().unreliable())
        .rpc(Rpc::new("kick_me").any_peer())
        .rpc(Rpc::new("bye").any_peer())
        .rpc(Rpc::new("on_all_done"))
        .rpc(Rpc::new("on_counted"))
        .rpc(Rpc::new("on_tick").unreliable_ordered().channel(3))
        .rpc(Rpc::new("hello").any_peer())
}

/// The spawner of main.tscn, with the synchronizers of player.tscn.
fn spawner() -> Spawner {
    let state = Synchronizer::new("State")
        .property(Property::always("position").spawn())
        .property(Property::on_change("health").spawn());
    let input =
        Synchronizer::new("Input/Sync").property(Property::always("direction")).authority_by_name();
    let player = Scene::new().synchronizer(state).synchronizer(input);
    Spawner::new("/root/Main/Spawner", "/root/Main/Players").scene(player)
}

impl Game {
    fn spawn(&mut self, peer: &mut Peer, spawner: NodeId, id: i32) -> Result<(), SendError> {
        let player = peer.create(spawner, 0, &id.to_string())?;
        self.players.insert(id, player);
        let state = peer.synchronizers(player)[0];
        peer.set_property(state, 0, Vector2 { x: 0.0_f32, y: 0.0 })?;
        peer.set_property(state, 1, 100)?;
        peer.spawn(player)
    }

    /// Moves a player to its input, and takes some health.
    fn move_player(&self, peer: &mut Peer, id: i32, values: Run<'_>) -> Result<(), SendError> {
        let Some(player) = self.players.get(&id) else { return Ok(()) };
        let Ok((direction,)) = values.parse::<(Vector2<f32>,)>() else { return Ok(()) };
        let state = peer.synchronizers(*player)[0];
        peer.set_property(state, 0, direction)?;
        peer.set_property(state, 1, 100 - self.ticks % 50)
    }
}

fn routes(peer: &Peer, main: NodeId) -> Result<Router<Game>, SendError> {
    let mut router = Router::new();
    router.on(peer, main, "count", |game: &mut Game, peer, call: Call<'_>| {
        let Some(n) = call.arguments.iter().read().ok().flatten().and_then(|n| n.as_i64()) else {
            return;
        };
        say("count", format_args!("[{},{n}]", call.from));
        peer.call(call.from, game.main, "on_counted", (n,)).unwrap();
    })?;
    router.on(peer, main, "wave", |_, _, _| {})?;
    router.on(peer, main, "hello", |_, _, _| {})?;
    router.on(peer, main, "kick_me", |_, peer, call| peer.disconnect(call.from))?;
    router.on(peer, main, "bye", |game, peer, call| {
        let Ok((peers,)) = call.arguments.parse::<(i64,)>() else { return };
        game.done += 1;
        if game.done == peers {
            peer.call(0, game.main, "on_all_done", ()).unwrap();
        }
    })?;
    Ok(router)
}

fn event(game: &mut Game, peer: &mut Peer, event: Event<'_>) {
    match event {
        Event::Auth { peer: id, data } => match data.strip_prefix(b"name ") {
            Some(name) if name != b"nobody" => {
                peer.send_auth(id, b"welcome").unwrap();
                peer.complete_auth(id).unwrap();
            }
            _ => peer.disconnect(id),
        },
        Event::Connected { peer: id } => {
            say("joined", id);
            match game.spawner {
                Some(spawner) => game.spawn(peer, spawner, id).unwrap(),
                None => peer.set_remote(id, game.main, "shared", 77).unwrap(),
            }
        }
        Event::Disconnected { peer: id } => {
            say("left", id);
            if let Some(player) = game.players.remove(&id) {
                peer.despawn(player).unwrap();
            }
        }
        Event::Synchronized { from, values, .. } => {
            game.move_player(peer, from, values).unwrap();
        }
        Event::Bytes { from, bytes } => {
            say("bytes", format_args!("[{from},{}]", bytes.len()));
            peer.send_bytes(from, bytes, Default::default(), 0).unwrap();
        }
        Event::Refused { from, why, count, path, .. } => {
            say("refused", format_args!("\"{from} {why:?} {count} {path}\""));
        }
        other => eprintln!("{other:?}"),
    }
}

fn main() -> Result<(), Box<dyn Error>> {
    let options: Vec<String> = env::args().skip(1).collect();
    let has = |option: &str| options.iter().any(|other| other == option);
    let mut config = server::Config { seed: random_seed(), ..server::Config::default() };
    config.peer.auth = !has("3");
    if has("3") {
        config.peer.engine = Dialect::Godot3.into();
    }
    if has("ws") {
        config.peer.transport = Transport3::WebSocket;
    }
    if has("range-coder") {
        config.enet.compression = CompressionMode::RangeCoder;
    }
    let mut network = Network::bind("127.0.0.1:0".parse()?, "127.0.0.1:0".parse()?)?;
    let mut server = Server::new(config);
    let main = match has("3") {
        true => main_node().rset(Rpc::new("shared")),
        false => main_node(),
    };
    let main = server.peer_mut().add_node(main)?;
    let mut router = routes(server.peer(), main)?;
    let spawner = match has("3") {
        true => None,
        false => Some(server.peer_mut().add_spawner(spawner())?),
    };
    let mut game = Game { main, spawner, players: BTreeMap::new(), ticks: 0, done: 0 };
    say("listening", format_args!("{:?}", network.ports()?));
    let mut next_tick = 0;
    loop {
        network.receive(&mut server, next_tick)?;
        let peer = server.peer_mut();
        router.run(&mut game, peer, event);
        if network.now() >= next_tick {
            next_tick += 50;
            game.ticks += 1;
            peer.call(0, main, "on_tick", (game.ticks,))?;
            server.tick(network.now());
        }
        network.transmit(&mut server);
    }
}
