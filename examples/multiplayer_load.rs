//! Measures a server with many players: the processor time of the server's thread, its allocations and
//! memory, and the latency that the players see.
//!
//! ```text
//! cargo run --release --features server --example multiplayer_load -- 1000 10
//! ```
//!
//! The arguments are the number of players and of seconds. The players are clients without an engine,
//! in one thread. Each player has a node with two synchronizers, as in
//! `multiplayer_server`: 60 times a second, it sends its input, and gets the states of the eight
//! players of its group. Everything goes through ENet and UDP on loopback. At the end, the example measures ENet
//! alone and compares it with `rusty_enet`, as `enet_load` does.

#[path = "../tests/support/counting.rs"]
mod counting;
#[path = "multiplayer_server/network.rs"]
mod network;
#[allow(dead_code, reason = "it is a program of its own")]
#[path = "enet_load.rs"]
mod transport_alone;

use gamewire::godot::Vector2;
use gamewire::godot::multiplayer::peer::{
    Config, Event, Events, Incoming, NodeId, Peer, Property, SERVER, Scene, SendError, Spawner,
    SyncId, Synchronizer,
};
use gamewire::godot::multiplayer::transport::script_channel;
use gamewire::server::{self, Server, delivery, transfer_mode};
use gamewire::transport::enet::{self, HostEvent, PeerKey};
use network::{Network, random_seed};
use std::collections::HashMap;
use std::env;
use std::fs;
use std::net::UdpSocket;
use std::ops::Range;
use std::sync::mpsc::{self, Receiver, Sender};
use std::thread;
use std::time::{Duration, Instant};

const TICKS_PER_SECOND: u64 = 60;
const GROUP: usize = 8;

/// The spawner and the scene of players. `x` of the input is the time at which it was sent.
fn spawner() -> Spawner {
    let state = Synchronizer::new("State").property(Property::always("position").spawn()).hidden();
    let input =
        Synchronizer::new("Input/Sync").property(Property::always("direction")).authority_by_name();
    let player = Scene::new().synchronizer(state).synchronizer(input);
    Spawner::new("/root/Main/Spawner", "/root/Main/Players").scene(player)
}

fn main() {
    let mut numbers = env::args().skip(1).map(|number| number.parse().expect("a number"));
    let players = numbers.next().unwrap_or(1000_usize);
    let seconds = numbers.next().unwrap_or(10) as u64;
    let (port, ports) = mpsc::channel();
    let (stop, stopped) = mpsc::channel();
    let (go, started) = mpsc::channel();
    let server = thread::spawn(move || serve(players, &port, &started, &stopped));
    let port = ports.recv().expect("the server runs");
    let mut sockets = connect(players, port);
    play(&mut sockets, Duration::from_secs(3)); // warms up
    go.send(()).expect("the server runs");
    sockets.iter_mut().for_each(|clients| clients.measured.is_counting = true);
    play(&mut sockets, Duration::from_secs(seconds));
    stop.send(()).expect("the server runs");
    let used = server.join().expect("the server does not panic");
    report(&sockets, players, seconds);
    used.report(players);
    println!("the transport alone, without sockets:");
    transport_alone::compare(players, seconds);
}

/// Connects the players, 25 on each socket.
fn connect(players: usize, port: u16) -> Vec<Clients> {
    let mut sockets: Vec<Clients> = Vec::new();
    for first in (0..players).step_by(25) {
        let ids = first as i32 + 2..players.min(first + 25) as i32 + 2;
        let first_tick = sockets.len() as u64 % (1000 / TICKS_PER_SECOND);
        sockets.push(Clients::connect(ids, port, first_tick));
        sockets.iter_mut().for_each(Clients::step);
    }
    sockets
}

/// What the server used.
struct Used {
    seconds: f64,
    processor: f64,
    received: u64,
    allocations: usize,
    memory: isize,
}

impl Used {
    fn report(&self, players: usize) {
        println!("server: {:.1} % of a core", 100.0 * self.processor / self.seconds);
        println!("server: {:.0} inputs a second", self.received as f64 / self.seconds);
        println!("server: {} allocations", self.allocations);
        println!(
            "server: {:.1} KiB of memory a player",
            self.memory as f64 / 1024.0 / players as f64
        );
    }
}

/// The game of the server.
struct Game {
    spawner: NodeId,
    /// The state of each player, by the synchronizer of its input.
    states: HashMap<SyncId, SyncId>,
    /// The players in the order in which they came, with their states.
    order: Vec<(i32, SyncId)>,
    received: u64,
}

impl Game {
    fn event(&mut self, peer: &mut Peer, event: Event<'_>) {
        match event {
            Event::Connected { peer: id } => self.spawn(peer, id).expect("there is room"),
            Event::Synchronized { sync, values, .. } => {
                self.received += 1;
                let Some(state) = self.states.get(&sync) else { return };
                if let Ok((input,)) = values.parse::<(Vector2<f32>,)>() {
                    peer.set_property(*state, 0, input).expect("the state is declared");
                }
            }
            Event::Refused { .. } | Event::Disconnected { .. } => panic!("{event:?}"),
            _ => {}
        }
    }

    /// Spawns a player, who sees the earlier players of the group, as they see the new one.
    fn spawn(&mut self, peer: &mut Peer, id: i32) -> Result<(), SendError> {
        let node = peer.create(self.spawner, 0, &id.to_string())?;
        let [state, input] = *peer.synchronizers(node) else { panic!("two synchronizers") };
        peer.set_property(state, 0, Vector2 { x: 0.0_f32, y: 0.0 })?;
        peer.spawn(node)?;
        let group = self.order.len() / GROUP * GROUP;
        self.order.push((id, state));
        for (other, their_state) in &self.order[group..] {
            peer.set_visible_for(state, *other, true);
            peer.set_visible_for(*their_state, id, true);
        }
        self.states.insert(input, state);
        Ok(())
    }
}

fn serve(players: usize, port: &Sender<u16>, started: &Receiver<()>, stop: &Receiver<()>) -> Used {
    let before = counting::held();
    let mut config = server::Config { seed: random_seed(), ..server::Config::default() };
    config.enet.peers = players as u16;
    config.enet.memory = 24 << 20;
    config.peer.relay = false;
    let mut server = Server::new(config);
    let loopback = "127.0.0.1:0".parse().expect("an address");
    let mut network = Network::bind(loopback, loopback).expect("a port is free");
    port.send(network.ports().expect("ports")[0]).expect("the client waits");
    let spawner = server.peer_mut().add_spawner(spawner()).expect("the first spawner");
    let mut game = Game { spawner, states: HashMap::new(), order: Vec::new(), received: 0 };
    let (mut events, mut next_tick) = (Events::new(), 0);
    let mut start = (Instant::now(), processor_time(), counting::asked());
    while stop.try_recv().is_err() {
        network.receive(&mut server, next_tick).expect("the sockets work");
        let peer = server.peer_mut();
        peer.take_events(&mut events);
        while let Some(event) = events.poll() {
            game.event(peer, event);
        }
        if network.now() >= next_tick {
            next_tick += 1000 / TICKS_PER_SECOND;
            server.tick(network.now());
        }
        network.transmit(&mut server);
        if started.try_recv().is_ok() {
            start = (Instant::now(), processor_time(), counting::asked());
            game.received = 0;
        }
    }
    // Reading the processor time allocates.
    let allocations = counting::asked() - start.2;
    Used {
        seconds: start.0.elapsed().as_secs_f64(),
        processor: processor_time() - start.1,
        received: game.received,
        allocations,
        memory: counting::held() - before,
    }
}

/// Returns the processor time of this thread in seconds, which Linux counts in hundredths.
fn processor_time() -> f64 {
    let stat = fs::read_to_string("/proc/thread-self/stat").unwrap_or_default();
    let fields = stat.rsplit(')').next().unwrap_or_default().split_whitespace();
    fields.skip(11).take(2).filter_map(|field| field.parse::<f64>().ok()).sum::<f64>() / 100.0
}

/// The players who share a socket. A socket for all would lose datagrams, as its buffer in the kernel is
/// small.
struct Clients {
    socket: UdpSocket,
    enet: enet::Host,
    players: HashMap<PeerKey, Player>,
    start: Instant,
    next_tick: u64,
    measured: Measured,
}

/// What the players measured.
#[derive(Default)]
struct Measured {
    is_counting: bool,
    /// Milliseconds from sending an input to the arrival of the state.
    latencies: Vec<f32>,
}

impl Clients {
    /// Connects players with these ids. The sockets send at different times.
    fn connect(ids: Range<i32>, port: u16, first_tick: u64) -> Self {
        let socket = UdpSocket::bind("127.0.0.1:0").expect("a port is free");
        socket.connect(("127.0.0.1", port)).expect("an address");
        socket.set_nonblocking(true).expect("the socket works");
        let config = enet::Config { peers: ids.len() as u16, ..enet::Config::default() };
        let mut clients = Self {
            socket,
            enet: enet::Host::new(config),
            players: HashMap::new(),
            start: Instant::now(),
            next_tick: first_tick,
            measured: Measured::default(),
        };
        for id in ids {
            let address = ([127, 0, 0, 1], port).into();
            let key = clients.enet.connect(clients.now(), address, 255, id as u32);
            let config = Config { relay: false, ..Config::default() };
            let mut peer = Peer::client(config, id);
            peer.add_spawner(spawner()).expect("the first spawner");
            let player = Player { peer, id, input: None, state: None };
            clients.players.insert(key.expect("there is room"), player);
        }
        while clients.players.values().any(|player| player.state.is_none()) {
            assert!(clients.start.elapsed() < Duration::from_secs(30), "not all players connected");
            clients.step();
            thread::sleep(Duration::from_micros(300));
        }
        clients
    }

    fn now(&self) -> u64 {
        self.start.elapsed().as_millis() as u64
    }

    /// Receives what has arrived, and sends the inputs if it is time.
    fn step(&mut self) {
        let address = self.socket.peer_addr().expect("the socket is connected");
        let mut buffer = [0; 4096];
        while let Ok(len) = self.socket.recv(&mut buffer) {
            self.enet.receive(self.now(), address, &buffer[..len]);
            self.take_events();
        }
        let now = self.now();
        if now >= self.next_tick {
            self.next_tick += 1000 / TICKS_PER_SECOND;
            let sent = self.start.elapsed().as_secs_f32() * 1000.0;
            for (key, player) in &mut self.players {
                player.tick(now, sent);
                player.transmit(&mut self.enet, *key);
            }
        }
        while let Some(datagram) = self.enet.poll_transmit(now) {
            let _ = self.socket.send(datagram.bytes);
        }
    }

    fn take_events(&mut self) {
        let now = self.start.elapsed();
        let millis = now.as_millis() as u64;
        while let Some(event) = self.enet.poll_event() {
            match event {
                HostEvent::Connected { peer, .. } => {
                    let player = self.players.get_mut(&peer).expect("a player");
                    player.peer.connected(millis, SERVER);
                }
                HostEvent::Received { peer, channel, delivery, payload } => {
                    let player = self.players.get_mut(&peer).expect("a player");
                    let mode = transfer_mode(delivery);
                    let channel = script_channel(channel);
                    let packet = Incoming { from: SERVER, mode, channel, bytes: payload };
                    player.peer.receive(millis, packet);
                    if let Some(sent) = player.take_events()
                        && self.measured.is_counting
                    {
                        self.measured.latencies.push(now.as_secs_f32() * 1000.0 - sent);
                    }
                }
                other => panic!("{other:?}"),
            }
        }
    }
}

struct Player {
    peer: Peer,
    id: i32,
    input: Option<SyncId>,
    state: Option<SyncId>,
}

/// Lets all players play for a time.
fn play(sockets: &mut [Clients], time: Duration) {
    let end = Instant::now() + time;
    while Instant::now() < end {
        sockets.iter_mut().for_each(Clients::step);
        thread::sleep(Duration::from_micros(200));
    }
}

fn report(sockets: &[Clients], players: usize, seconds: u64) {
    let all = sockets.iter().flat_map(|clients| &clients.measured.latencies);
    let mut latencies: Vec<f32> = all.copied().collect();
    latencies.sort_by(f32::total_cmp);
    let at = |share: f64| {
        let index = (latencies.len() as f64 * share) as usize;
        latencies.get(index).copied().unwrap_or_default()
    };
    println!("{players} players, {seconds} s");
    println!("clients: {} states a second", latencies.len() as u64 / seconds);
    let (median, often, most) = (at(0.5), at(0.99), at(0.9999));
    println!("clients: latency {median:.1} ms (median), {often:.1} (99 %), {most:.1} (99.99 %)");
}

impl Player {
    /// Sends the input, as a client of the engine does in each frame.
    fn tick(&mut self, now: u64, sent: f32) {
        if let Some(input) = self.input {
            let direction = Vector2 { x: sent, y: self.id as f32 };
            self.peer.set_property(input, 0, direction).expect("the input is declared");
        }
        self.peer.tick(now);
    }

    fn transmit(&mut self, enet: &mut enet::Host, key: PeerKey) {
        while let Some(packet) = self.peer.poll_transmit() {
            let delivery = delivery(packet.mode);
            let channel = packet.mode.enet_channel(packet.channel);
            enet.send(key, channel, delivery, packet.bytes).expect("there is room");
        }
    }

    /// Returns the time in the state of this player, if it has arrived.
    fn take_events(&mut self) -> Option<f32> {
        let mut sent = None;
        while let Some(event) = self.peer.poll_event() {
            match event {
                Event::Spawned { node, .. } => {
                    let is_own = self
                        .peer
                        .path(node)
                        .is_some_and(|path| path.ends_with(&format!("/{}", self.id)));
                    let [state, input] = *self.peer.synchronizers(node) else { continue };
                    if is_own {
                        (self.state, self.input) = (Some(state), Some(input));
                    }
                }
                Event::Synchronized { sync, values, .. } if Some(sync) == self.state => {
                    let (state,) = values.parse::<(Vector2<f32>,)>().expect("a vector");
                    sent = (state.x != 0.0).then_some(state.x);
                }
                Event::Refused { .. } => panic!("{event:?}"),
                _ => {}
            }
        }
        sent
    }
}
