//! A server for unmodified clients of Godot games: the multiplayer state, ENet and WebSockets in one.
//!
//! [`Server`] combines a [`Peer`] with an [`enet::Host`] and a [`websocket::Host`], so that clients
//! of both transports are in one game and can call each other. It has no socket, no clock and no
//! thread. The program passes in datagrams, bytes of streams, and the time, and sends what the
//! server returns.
//!
//! ```
//! use gamewire::godot::multiplayer::peer::{Event, Node, Rpc};
//! use gamewire::server::{Config, Server};
//!
//! let mut server = Server::new(Config::default());
//! let chat = Rpc::new("chat").any_peer();
//! let main = server.peer_mut().add_node(Node::new("/root/Main").rpc(chat))?;
//!
//! // The loop of a program. `datagrams` stands for a UDP socket.
//! let datagrams: Vec<(std::net::SocketAddr, Vec<u8>)> = Vec::new();
//! for now in 0..3 {
//!     for (from, bytes) in &datagrams {
//!         server.receive_datagram(now, *from, bytes);
//!     }
//!     server.tick(now);
//!     while let Some(event) = server.peer_mut().poll_event() {
//!         if let Event::Call(call) = event {
//!             println!("{} says {:?}", call.from, call.arguments.parse::<(String,)>());
//!         }
//!     }
//!     server.peer_mut().call(0, main, "chat", ("tick",))?;
//!     while let Some(datagram) = server.poll_datagram(now) {
//!         println!("{} bytes to {}", datagram.bytes.len(), datagram.to);
//!     }
//! }
//! # Ok::<(), Box<dyn std::error::Error>>(())
//! ```
//!
//! For WebSockets, the program accepts TCP connections and passes them to
//! [`accept_stream`](Server::accept_stream), [`receive_stream`](Server::receive_stream),
//! [`poll_stream`](Server::poll_stream) and [`poll_ended_stream`](Server::poll_ended_stream).
//! `examples/multiplayer_server` is a complete program.

mod datagrams;
mod delivery;
mod flush;
mod streams;

pub use delivery::{delivery, transfer_mode};

use crate::godot::Dialect;
use crate::godot::multiplayer::peer::{self, Peer};
use crate::transport::random::Random;
use crate::transport::{enet, websocket};
use alloc::collections::{BTreeMap, VecDeque};
use alloc::vec::Vec;

/// The settings of a [`Server`].
#[derive(Clone, Debug, Default)]
pub struct Config {
    /// Settings of the multiplayer state. Clients of Godot 3 can join through one transport only,
    /// that of [`transport`](peer::Config::transport).
    pub peer: peer::Config,
    /// Settings of ENet.
    pub enet: enet::Config,
    /// Settings of WebSockets.
    pub websocket: websocket::host::HostConfig,
    /// Seed of all random numbers; that of `enet` is not used. It must be unpredictable if the server
    /// is on the internet: otherwise, an attacker can open connections in the name of other addresses.
    pub seed: u64,
}

/// A server for unmodified clients of Godot games. See the [module documentation](self).
#[derive(Debug)]
pub struct Server {
    peer: Peer,
    enet: enet::Host,
    websocket: websocket::Host,
    /// The connections of clients, by id.
    links: BTreeMap<i32, Link>,
    /// The ids of the clients in the slots of ENet, 0 for none.
    enet_ids: Vec<i32>,
    /// The ids of the clients in the slots of WebSockets, 0 for none.
    websocket_ids: Vec<i32>,
    /// Streams that have ended.
    ended: VecDeque<websocket::host::PeerKey>,
    random: Random,
    /// `true` if the clients run Godot 3.
    is_godot3: bool,
    now: u64,
}

/// The connection of a client.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Link {
    Enet(enet::PeerKey),
    WebSocket(websocket::host::PeerKey),
}

/// A client does not receive reliable packets as fast as they are sent. Without them, the client
/// would be in a state that no client of the engine can be in, so it is disconnected.
struct TooSlow;

impl Server {
    /// Creates a server without clients.
    pub fn new(config: Config) -> Self {
        let enet = enet::Config { seed: config.seed, ..config.enet };
        Self {
            is_godot3: config.peer.engine.dialect() == Dialect::Godot3,
            peer: Peer::server(config.peer),
            enet: enet::Host::new(enet),
            websocket: websocket::Host::new(config.websocket),
            links: BTreeMap::new(),
            enet_ids: Vec::new(),
            websocket_ids: Vec::new(),
            ended: VecDeque::new(),
            random: Random::new(config.seed),
            now: 0,
        }
    }

    /// Returns the multiplayer state, for events, calls and declarations.
    pub fn peer_mut(&mut self) -> &mut Peer {
        &mut self.peer
    }

    /// Returns the multiplayer state.
    pub fn peer(&self) -> &Peer {
        &self.peer
    }

    /// Returns the ENet connections, for statistics.
    pub fn enet(&self) -> &enet::Host {
        &self.enet
    }

    /// Returns the WebSockets, for statistics.
    pub fn websocket(&self) -> &websocket::Host {
        &self.websocket
    }

    /// Ends connections and handshakes that have lasted too long. Call this method whenever something
    /// has arrived, and at [`next_timeout`](Self::next_timeout).
    pub fn advance(&mut self, now: u64) {
        self.now = now;
        self.advance_streams();
        self.take_enet_events();
    }

    /// Does what the engine does in each frame: ends authentications that have lasted too long, and
    /// sends the properties of synchronizers. Call this method at each tick of the game, after what
    /// has arrived was passed in.
    pub fn tick(&mut self, now: u64) {
        self.advance(now);
        self.peer.tick(now);
    }

    /// Returns the time at which [`advance`](Self::advance), [`poll_datagram`](Self::poll_datagram)
    /// and [`poll_stream`](Self::poll_stream) should be called at the latest, even if nothing
    /// arrives. It does not depend on [`tick`](Self::tick), which has the pace of the game.
    pub fn next_timeout(&self) -> Option<u64> {
        [self.enet.next_timeout(), self.websocket.next_timeout()].into_iter().flatten().min()
    }

    /// Adds a client whose connection is complete. Returns `false` if the connection must be dropped.
    fn connect(&mut self, id: i32, link: Link) -> bool {
        let is_accepted = !self.links.contains_key(&id) && self.peer.connected(self.now, id);
        if is_accepted {
            self.links.insert(id, link);
        }
        is_accepted
    }

    /// Removes a client whose connection has ended.
    fn lose(&mut self, id: i32) {
        if self.links.remove(&id).is_some() {
            self.peer.disconnected(self.now, id);
        }
    }
}

/// Sets an element of a table that grows as necessary.
fn set(table: &mut Vec<i32>, index: usize, id: i32) {
    if table.len() <= index {
        table.resize(index.saturating_add(1), 0);
    }
    if let Some(entry) = table.get_mut(index) {
        *entry = id;
    }
}

/// Returns the id in a slot.
fn id_of(table: &[i32], slot: usize) -> Option<i32> {
    table.get(slot).copied().filter(|id| *id != 0)
}
