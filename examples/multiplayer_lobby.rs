//! A lobby for clients of Godot 4. The server passes the calls of players to each other, knows their
//! names, and starts the game when two or more players are there and all are ready.
//!
//! ```text
//! cargo run --release --example multiplayer_lobby --features server
//! godot --path examples/multiplayer_server/client lobby.tscn -- Ada
//! godot --path examples/multiplayer_server/client lobby.tscn -- Grace
//! ```

#[path = "multiplayer_server/network.rs"]
mod network;

use gamewire::godot::multiplayer::peer::{Event, Node, Peer, Router, Rpc};
use gamewire::godot::{FieldError, Fields, FromFields, Kind};
use gamewire::server::{Config, Server};
use network::{Network, random_seed};
use std::collections::BTreeMap;
use std::error::Error;

/// The players by id. A player is ready or not, and has a name after it has registered.
type Players = BTreeMap<i32, Player>;

#[derive(Default)]
struct Player {
    name: String,
    is_ready: bool,
}

/// The Dictionary that a player sends to the others.
struct Info<'a> {
    name: &'a str,
}

impl<'a> FromFields<'a> for Info<'a> {
    fn from_fields<F: Fields<'a>>(fields: &mut F) -> Result<Self, FieldError> {
        Ok(Self { name: fields.get("name")? })
    }
}

fn main() -> Result<(), Box<dyn Error>> {
    let mut network = Network::bind("127.0.0.1:4433".parse()?, "127.0.0.1:4434".parse()?)?;
    let mut server = Server::new(Config { seed: random_seed(), ..Config::default() });
    println!("listening on ports {:?}", network.ports()?);

    // All methods with `@rpc` in lobby.gd, because Godot sends the number of a method in this list.
    let lobby = server.peer_mut().add_node(
        Node::new("/root/Lobby")
            .rpc(Rpc::new("register_player").any_peer().arguments(&[Kind::Dictionary]).max_len(200))
            .rpc(Rpc::new("player_ready").any_peer().arguments(&[]).rate(1, 5))
            .rpc(Rpc::new("start_game")),
    )?;

    let mut router = Router::new();
    router.on(server.peer(), lobby, "register_player", |players: &mut Players, _, call| {
        if let Ok((Info { name },)) = call.arguments.parse() {
            players.entry(call.from).or_default().name = name.to_owned();
        }
    })?;
    router.on(server.peer(), lobby, "player_ready", move |players: &mut Players, peer, call| {
        players.entry(call.from).or_default().is_ready = true;
        if players.len() >= 2 && players.values().all(|player| player.is_ready) {
            let _ = peer.call(0, lobby, "start_game", ("the first level",));
        }
    })?;

    let mut players = Players::new();
    loop {
        let until = network.now() + 1000;
        network.receive(&mut server, until)?;
        router.run(&mut players, server.peer_mut(), tell);
        network.transmit(&mut server);
    }
}

/// Prints who comes and goes, and what was refused.
fn tell(players: &mut Players, _: &mut Peer, event: Event<'_>) {
    match event {
        Event::Connected { peer } => {
            players.insert(peer, Player::default());
            println!("{peer} has joined");
        }
        Event::Disconnected { peer } => {
            let name = players.remove(&peer).map(|player| player.name).unwrap_or_default();
            println!("{peer} ({name}) has left");
        }
        other => println!("{other:?}"),
    }
}
