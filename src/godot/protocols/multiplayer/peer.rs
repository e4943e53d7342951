//! The state of Godot's high-level multiplayer: one peer, a server or a client.
//!
//! [`Peer`] does what the engine's `SceneMultiplayer` does, without the engine: it authenticates
//! peers, tells clients about each other, relays packets, negotiates the numbers of nodes, and sends
//! and accepts remote calls. It uses no socket, no clock and no thread. The caller connects it to a
//! transport: packets that arrive are passed to [`Peer::receive`], and packets to send
//! come from [`Peer::poll_transmit`].
//!
//! ```
//! use gamewire::godot::multiplayer::peer::{Config, Event, Incoming, Node, Peer, Rpc};
//!
//! let chat = || Node::new("/root/Main").rpc(Rpc::new("chat").any_peer());
//! let mut server = Peer::server(Config::default());
//! let mut client = Peer::client(Config::default(), 1234);
//! let at_server = server.add_node(chat())?;
//! let at_client = client.add_node(chat())?;
//! server.connected(0, 1234);
//! client.connected(0, 1);
//!
//! client.call(1, at_client, "chat", ("hello",))?;
//! while let Some(packet) = client.poll_transmit() {
//!     server.receive(5, Incoming::of(1234, &packet)); // in a program, through a transport
//! }
//! assert_eq!(server.poll_event(), Some(Event::Connected { peer: 1234 }));
//! let Some(Event::Call(call)) = server.poll_event() else { panic!() };
//! assert_eq!((call.from, call.node), (1234, at_server));
//! assert_eq!(call.arguments.parse::<(String,)>()?, ("hello".to_owned(),));
//! # Ok::<(), Box<dyn std::error::Error>>(())
//! ```
//!
//! # What peers may call
//!
//! A server accepts only calls of methods that it has declared with [`Peer::add_node`]. Each
//! declaration states who may call the method, the types of its arguments, their size, and a rate;
//! see [`Rpc`]. These are checked in this order: node, method, caller, size, rate, arguments. No value
//! is decoded before all checks but the last have passed. A refused packet changes nothing and
//! allocates nothing. It is reported as [`Event::Refused`].
//!
//! # Memory
//!
//! A peer allocates when a node is declared, when another peer connects or announces a path, and while
//! its queues grow to their largest size, which [`Limits`] bounds. Otherwise, sending and receiving do not allocate.

mod announce;
mod authenticate;
mod byte_queue;
mod calls;
mod config;
mod declare;
mod event;
mod events;
mod godot3;
mod godot3_peers;
mod node;
mod nodes;
mod outbox;
mod receive;
mod refuse;
mod relay;
mod remote;
mod replication;
mod router;
mod send;
mod send_error;
mod slots;
mod sorted;

pub use super::transport::TransferMode;
pub use config::{Config, Limits, Transport3};
pub use event::{Call, Event, Refusal};
pub use events::Events;
pub use node::{Caller, Node, Rpc};
pub use outbox::Outgoing;
pub use receive::Incoming;
pub use replication::{Property, Replication, Scene, Spawner, Synchronizer};
pub use router::Router;
pub use send::Recipients;
pub use send_error::SendError;
pub use slots::{NodeId, SyncId};

use alloc::collections::VecDeque;
use alloc::vec::Vec;
use event::Denied;
use events::Record;
use nodes::Nodes;
use outbox::Outbox;
use remote::{Phase, Refused, Remotes};
use replication::Syncs;

/// A server or a client of Godot's high-level multiplayer; see [the module](self).
#[derive(Debug)]
pub struct Peer {
    id: i32,
    config: Config,
    remotes: Remotes,
    nodes: Nodes,
    outbox: Outbox,
    events: Events,
    /// Counts of refused packets of peers that are not in `remotes`.
    unknown: Refused,
    /// The peers whose counts of refused packets may not be 0, without those not in `remotes`.
    refused_peers: Vec<i32>,
    /// Peers that the transport is to disconnect.
    disconnects: VecDeque<i32>,
    /// The packet being written, the announcement of its node, and its receivers. They are kept to
    /// reuse their memory.
    packet: Vec<u8>,
    announcement: Vec<u8>,
    receivers: Vec<i32>,
    syncs: Syncs,
    /// The nodes that this peer has spawned, in the order of the engine's `HashSet`.
    spawned: Vec<NodeId>,
    last_net_id: u32,
    /// Number of calls of [`tick`](Self::tick).
    frame: u64,
    /// The packet with properties being written, and the peers that are to get a node. They are
    /// kept to reuse their memory.
    update: Vec<u8>,
    visible_peers: Vec<i32>,
    /// The time of the last call, in milliseconds.
    now: u64,
}

/// The id of the server.
pub const SERVER: i32 = 1;

impl Peer {
    /// Creates a server. Its id is 1.
    pub fn server(config: Config) -> Self {
        Self::new(config, SERVER)
    }

    /// Creates a client. Over ENet, a client chooses its own id; see
    /// [`transport::client_id`](super::transport::client_id). Over WebSocket, the server assigns it;
    /// see [`transport::peer_id`](super::transport::peer_id).
    pub fn client(config: Config, id: i32) -> Self {
        Self::new(config, id)
    }

    fn new(mut config: Config, id: i32) -> Self {
        // Lengths in the queues are stored in 32 bits.
        config.limits.packet = config.limits.packet.min(1 << 30);
        Self {
            id,
            outbox: Outbox::new(config.limits.outgoing),
            config,
            remotes: Remotes::default(),
            nodes: Nodes::default(),
            events: Events::new(),
            unknown: Refused::default(),
            refused_peers: Vec::new(),
            disconnects: VecDeque::new(),
            packet: Vec::new(),
            announcement: Vec::new(),
            receivers: Vec::new(),
            syncs: Syncs::default(),
            spawned: Vec::new(),
            last_net_id: 0,
            frame: 0,
            update: Vec::new(),
            visible_peers: Vec::new(),
            now: 0,
        }
    }

    /// Returns the id of this peer.
    pub fn id(&self) -> i32 {
        self.id
    }

    /// Returns `true` if this peer is the server.
    pub fn is_server(&self) -> bool {
        self.id == SERVER
    }

    /// Returns the ids of the connected peers, in the order in which the engine sends to them.
    pub fn peers(&self) -> &[i32] {
        self.remotes.connected()
    }

    /// Tells that the transport has connected to a peer. A client calls it with the id 1 when it is
    /// connected to the server. A server calls it for each client.
    ///
    /// Returns `false` if the transport must drop the connection: if the id is not positive, is that
    /// of this peer or of another connection, or if there are too many peers. This peer then ignores
    /// packets of the connection. Over ENet, clients choose their ids, so a server must expect this.
    pub fn connected(&mut self, now: u64, peer: i32) -> bool {
        self.now = now;
        if peer <= 0 || peer == self.id || self.remotes.get(peer).is_some() {
            self.refuse(0, Denied::new(Refusal::UnknownPeer));
            return false;
        }
        if self.remotes.len() >= self.config.limits.peers as usize {
            self.refuse(peer, Denied::new(Refusal::TooManyPeers));
            return false;
        }
        let room = (self.nodes.slots(), self.nodes.limiters());
        let phase = Phase::Authenticating { local: false, remote: false };
        self.remotes.add(peer, phase, now, room);
        let is_godot3 = self.is_godot3();
        let waits_for_id =
            is_godot3 && self.config.transport == Transport3::WebSocket && !self.is_server();
        match self.config.auth && !is_godot3 {
            true => self.events.push(Record::Authenticating { peer }, &[]),
            // The server's message with the id of this client comes first.
            false if waits_for_id => {}
            false => self.admit(peer),
        }
        true
    }

    /// Tells that the transport has lost a peer. Packets for it that are still queued are dropped.
    pub fn disconnected(&mut self, now: u64, peer: i32) {
        self.now = now;
        self.flush_refusals();
        match self.remotes.get(peer).map(|remote| remote.phase) {
            None => return,
            Some(Phase::Authenticating { .. }) => {
                self.events.push(Record::AuthFailed { peer }, &[]);
            }
            Some(Phase::Connected) => self.dismiss(peer),
        }
        self.remotes.remove(peer);
        self.outbox.forget(peer);
        if peer == SERVER {
            self.clear();
        }
    }

    /// Forgets all peers and all numbers, as the engine does when a client loses its server.
    /// Declared nodes stay.
    pub fn clear(&mut self) {
        self.flush_refusals();
        for index in 0..self.remotes.connected().len() {
            if let Some(peer) = self.remotes.connected().get(index).copied() {
                self.remove_spawned_by(peer);
            }
        }
        self.remotes.clear();
        self.nodes.forget_numbers();
        self.syncs.reset();
        self.last_net_id = 0;
    }

    /// Asks the transport to disconnect a peer, after the packets that are queued for it.
    /// [`poll_disconnect`](Self::poll_disconnect) then returns the peer.
    pub fn disconnect(&mut self, peer: i32) {
        self.disconnects.push_back(peer);
    }

    /// Returns the next peer that the transport is to disconnect. Call this method when
    /// [`poll_transmit`](Self::poll_transmit) returns `None`, and call
    /// [`disconnected`](Self::disconnected) when the peer is disconnected.
    pub fn poll_disconnect(&mut self) -> Option<i32> {
        self.disconnects.pop_front()
    }

    /// Returns the next packet for the transport.
    pub fn poll_transmit(&mut self) -> Option<Outgoing<'_>> {
        self.outbox.poll()
    }

    /// Returns the next event. It borrows from this peer; see also
    /// [`take_events`](Self::take_events).
    pub fn poll_event(&mut self) -> Option<Event<'_>> {
        if self.events.is_empty() {
            self.flush_refusals();
        }
        self.events.poll()
    }

    /// Exchanges the queue of events with `events`, which should be empty. The events can then be
    /// polled from there while methods of this peer are called.
    pub fn take_events(&mut self, events: &mut Events) {
        self.flush_refusals();
        core::mem::swap(&mut self.events, events);
    }

    /// Disconnects peers whose time to authenticate has run out, and sends the properties of
    /// synchronizers. Call this method at each tick of the game, after the packets that have
    /// arrived, as the engine does in each frame.
    pub fn tick(&mut self, now: u64) {
        self.now = now;
        self.expire_authentications();
        self.replicate();
    }

    /// Returns the time at which [`tick`](Self::tick) should be called at the latest, if a peer is
    /// to authenticate. Properties are sent at each tick, and do not affect this time.
    pub fn next_timeout(&self) -> Option<u64> {
        let timeout = Some(self.config.auth_timeout).filter(|timeout| *timeout != 0)?;
        let pending = self.remotes.iter().filter(|remote| remote.phase != Phase::Connected);
        pending.map(|remote| remote.since.saturating_add(timeout)).min()
    }
}
