//! Tests a server with clients of both transports, which are made with the same library.

use gamewire::godot::Kind;
use gamewire::godot::multiplayer::peer::{
    self, Event, Incoming, Node, NodeId, Peer, Recipients, Rpc, SERVER,
};
use gamewire::godot::multiplayer::transport::{peer_id, script_channel};
use gamewire::server::{Config, Server, delivery, transfer_mode};
use gamewire::transport::enet::{self, HostEvent};
use gamewire::transport::websocket;
use std::net::SocketAddr;

fn node() -> Node {
    let chat = Rpc::new("chat").any_peer().arguments(&[Kind::String]);
    Node::new("/root/Main").rpc(chat).rpc(Rpc::new("aim").any_peer().unreliable().channel(2))
}

/// Takes the events of a peer, as text.
fn take_events(peer: &mut Peer) -> Vec<String> {
    let mut lines = Vec::new();
    while let Some(event) = peer.poll_event() {
        lines.push(match event {
            Event::Connected { peer } => format!("{peer} joined"),
            Event::Disconnected { peer } => format!("{peer} left"),
            Event::Call(call) => {
                let text = call.arguments.parse::<(&str,)>().map_or("?", |(text,)| text);
                format!("{}: {text}", call.from)
            }
            other => format!("{other:?}"),
        });
    }
    lines
}

struct EnetClient {
    host: enet::Host,
    key: enet::PeerKey,
    address: SocketAddr,
    peer: Peer,
    main: NodeId,
}

impl EnetClient {
    fn new(id: i32, port: u16) -> Self {
        let config = enet::Config { peers: 1, seed: u64::from(port), ..enet::Config::default() };
        let mut host = enet::Host::new(config);
        let key = host.connect(0, ([127, 0, 0, 1], 4433).into(), 255, id as u32).unwrap();
        let mut peer = Peer::client(peer::Config::default(), id);
        let main = peer.add_node(node()).unwrap();
        Self { host, key, address: ([127, 0, 0, 1], port).into(), peer, main }
    }

    /// Exchanges datagrams with the server. Returns `false` if the connection has ended.
    fn exchange(&mut self, now: u64, server: &mut Server) -> bool {
        while let Some(packet) = self.peer.poll_transmit() {
            let channel = packet.mode.enet_channel(packet.channel);
            self.host.send(self.key, channel, delivery(packet.mode), packet.bytes).unwrap();
        }
        while let Some(datagram) = self.host.poll_transmit(now) {
            server.receive_datagram(now, self.address, datagram.bytes);
        }
        let mut is_connected = true;
        while let Some(event) = self.host.poll_event() {
            match event {
                HostEvent::Connected { .. } => assert!(self.peer.connected(now, SERVER)),
                HostEvent::Received { channel, delivery, payload, .. } => {
                    let mode = transfer_mode(delivery);
                    let channel = script_channel(channel);
                    let packet = Incoming { from: SERVER, mode, channel, bytes: payload };
                    self.peer.receive(now, packet);
                }
                HostEvent::Disconnected { .. } => is_connected = false,
                other => panic!("{other:?}"),
            }
        }
        is_connected
    }
}

struct WebClient {
    connection: websocket::Connection,
    key: websocket::host::PeerKey,
    /// The peer, once the server has sent the id.
    peer: Option<(Peer, NodeId)>,
}

impl WebClient {
    fn new(server: &mut Server) -> Self {
        let config = websocket::host::Config::default();
        let connection = websocket::Connection::client(config, 0, "127.0.0.1", "/", 5).unwrap();
        Self { connection, key: server.accept_stream(0).unwrap().peer, peer: None }
    }

    fn exchange(&mut self, now: u64, server: &mut Server) {
        if let Some((peer, _)) = &mut self.peer {
            while let Some(packet) = peer.poll_transmit() {
                self.connection.send(websocket::Kind::Binary, packet.bytes).unwrap();
            }
        }
        while !self.connection.output().is_empty() {
            server.receive_stream(now, self.key, self.connection.output());
            self.connection.sent(self.connection.output().len());
        }
    }

    fn receive(&mut self, now: u64, bytes: &[u8]) {
        let peer = &mut self.peer;
        self.connection.receive(now, bytes, |event| {
            let websocket::host::Event::Message(message) = event else { return };
            match peer {
                Some((peer, _)) => peer.receive(now, Incoming::reliable(SERVER, message.payload)),
                None => {
                    let id = peer_id(message.payload).unwrap();
                    let mut new = Peer::client(peer::Config::default(), id);
                    let main = new.add_node(node()).unwrap();
                    assert!(new.connected(now, SERVER));
                    *peer = Some((new, main));
                }
            }
        });
    }
}

struct World {
    server: Server,
    main: NodeId,
    enet: Vec<EnetClient>,
    web: Vec<WebClient>,
    now: u64,
}

impl World {
    fn new() -> Self {
        let mut server = Server::new(Config { seed: 7, ..Config::default() });
        let main = server.peer_mut().add_node(node()).unwrap();
        Self { server, main, enet: Vec::new(), web: Vec::new(), now: 0 }
    }

    /// Lets some milliseconds pass, in which everything that is sent arrives.
    fn run(&mut self, milliseconds: u64) {
        for _ in 0..milliseconds {
            self.now += 1;
            let Self { server, enet, web, now, .. } = self;
            enet.retain_mut(|client| client.exchange(*now, server));
            web.iter_mut().for_each(|client| client.exchange(*now, server));
            server.tick(*now);
            while let Some(datagram) = server.poll_datagram(*now) {
                let to = datagram.to;
                let client = enet.iter_mut().find(|client| client.address == to);
                if let Some(client) = client {
                    client.host.receive(*now, ([127, 0, 0, 1], 4433).into(), datagram.bytes);
                }
            }
            while let Some((key, bytes)) = server.poll_stream(*now) {
                let written = bytes.len();
                if let Some(client) = web.iter_mut().find(|client| client.key == key) {
                    client.receive(*now, bytes);
                }
                server.stream_sent(key, written);
            }
            while let Some(key) = server.poll_ended_stream() {
                server.end_stream(*now, key);
                web.retain(|client| client.key != key);
            }
        }
    }
}

#[test]
fn clients_of_both_transports_are_in_one_game() {
    let mut world = World::new();
    world.enet.push(EnetClient::new(77, 5000));
    let web = WebClient::new(&mut world.server);
    world.web.push(web);
    world.run(20);
    let web_id = world.web[0].peer.as_ref().unwrap().0.id();
    let mut expected = vec!["77 joined".to_owned(), format!("{web_id} joined")];
    expected.sort();
    let mut joined = take_events(world.server.peer_mut());
    joined.sort();
    assert_eq!(joined, expected);
    assert_eq!(
        take_events(&mut world.enet[0].peer),
        ["1 joined".to_owned(), format!("{web_id} joined")]
    );

    // From ENet to all, through the server to the other client, and to the server.
    let main = world.enet[0].main;
    world.enet[0].peer.call(Recipients::All, main, "chat", ("from ENet",)).unwrap();
    let (peer, main) = world.web[0].peer.as_mut().unwrap();
    peer.call(77, *main, "chat", ("from the Web",)).unwrap();
    world.run(20);
    assert_eq!(take_events(world.server.peer_mut()), ["77: from ENet"]);
    assert_eq!(take_events(&mut world.enet[0].peer), [format!("{web_id}: from the Web")]);
    let (peer, _) = world.web[0].peer.as_mut().unwrap();
    let mut lines = take_events(peer);
    assert_eq!(lines.pop().unwrap(), "77: from ENet");

    world.server.peer_mut().call(0, world.main, "chat", ("from the server",)).unwrap();
    world.run(20);
    assert_eq!(take_events(&mut world.enet[0].peer), ["1: from the server"]);
    let (peer, _) = world.web[0].peer.as_mut().unwrap();
    assert_eq!(take_events(peer), ["1: from the server"]);

    // The server removes one client after a last call, and notices when the other leaves.
    world.server.peer_mut().call(77, world.main, "chat", ("bye",)).unwrap();
    world.server.peer_mut().disconnect(77);
    world.web[0].connection.close(world.now, 1000, "");
    world.run(50);
    assert!(world.enet.is_empty() && world.web.is_empty());
    let mut left = take_events(world.server.peer_mut());
    left.sort();
    let mut expected = vec!["77 left".to_owned(), format!("{web_id} left")];
    expected.sort();
    assert_eq!(left, expected);
    assert!(world.server.peer().peers().is_empty());
    assert_eq!(world.server.websocket().peers().count(), 0);
}

#[test]
fn ids_that_no_client_can_have_are_refused() {
    let mut world = World::new();
    world.enet.push(EnetClient::new(5, 5000));
    world.run(20);
    assert_eq!(take_events(world.server.peer_mut()), ["5 joined"]);
    for (id, port) in [(5, 5001), (1, 5002), (0, 5003), (-3, 5004)] {
        let mut client = EnetClient::new(7, port);
        client.key = {
            client.host = enet::Host::new(enet::Config { peers: 1, ..enet::Config::default() });
            client.host.connect(world.now, ([127, 0, 0, 1], 4433).into(), 255, id as u32).unwrap()
        };
        world.enet.push(client);
        world.run(40);
        assert_eq!(world.enet.len(), 1, "{id}");
        assert_eq!(world.server.peer().peers(), [5]);
    }
}

#[test]
fn client_that_takes_nothing_is_disconnected() {
    let mut world = World::new();
    let web = WebClient::new(&mut world.server);
    world.web.push(web);
    world.run(10);
    assert_eq!(take_events(world.server.peer_mut()).len(), 1);
    // The client reads nothing any more. Unreliable calls are dropped, reliable ones end it.
    let text = "x".repeat(1000);
    for _ in 0..100 {
        world.server.peer_mut().call(0, world.main, "aim", (&*text,)).unwrap();
    }
    while world.server.poll_datagram(world.now).is_some() {}
    assert_eq!(take_events(world.server.peer_mut()), [""; 0]);
    for _ in 0..100 {
        world.server.peer_mut().call(0, world.main, "chat", (&*text,)).unwrap();
    }
    while world.server.poll_datagram(world.now).is_some() {}
    let lines = take_events(world.server.peer_mut());
    assert_eq!(lines.len(), 1, "{lines:?}");
    assert!(lines[0].ends_with(" left"));
}
