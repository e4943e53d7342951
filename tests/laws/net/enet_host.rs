//! Laws of ENet hosts: any datagrams in any order cost no more than their share, and a host delivers
//! what a passive session delivers.

use super::enet::datagrams;
use gamewire::transport::enet::{
    Acknowledge, Body, Command, Commands, CompressionMode, Config, Connect, Datagram,
    DatagramCodec, Delivery, Event, Flags, Host, HostEvent, Limits, PeerKey, Session,
    VerifyConnect,
};
use std::net::SocketAddr;

const SERVER: SocketAddr = SocketAddr::new(std::net::IpAddr::V4(std::net::Ipv4Addr::LOCALHOST), 1);

fn client(number: u8) -> SocketAddr {
    SocketAddr::from(([10, 0, 0, number], 4000))
}

fn config(seed: u64) -> Config {
    Config {
        peers: 3,
        half_open: 3,
        channels: 16,
        memory: 256 << 10,
        max_packet: 20_000,
        compression: CompressionMode::RangeCoder,
        seed,
        ..Config::default()
    }
}

/// Passes datagrams of three clients to a host. The input has the form that
/// [`enet_input`](super::enet_input) writes. The last byte of a datagram chooses the client and the
/// time that passes. The first client has joined: its datagrams get its place and session bits.
pub fn enet_host(data: &[u8]) {
    let mut world = World::new();
    let memory = world.host.memory();
    for datagram in datagrams(data) {
        let last = datagram.last().copied().unwrap_or(0);
        world.now += u64::from(last >> 2) * 8;
        world.receive(last & 3, datagram);
        world.poll();
        assert_eq!(world.host.memory(), memory);
    }
    world.end();
}

struct World {
    host: Host,
    now: u64,
    /// The answer to the first client, and the time in its datagram.
    answer: Option<(VerifyConnect, u16)>,
    /// For each client, the bytes from it and to it, and whether the host has seen its proof.
    clients: [(usize, usize, bool); 4],
    connected: Vec<PeerKey>,
}

impl World {
    fn new() -> Self {
        let mut world = Self {
            host: Host::new(config(7)),
            now: 0,
            answer: None,
            clients: [(0, 0, false); 4],
            connected: Vec::new(),
        };
        let request = Connect {
            mtu: 1392,
            window: 0x1_0000,
            channels: 16,
            incoming_session: 255,
            outgoing_session: 255,
            connect_id: 1,
            ..Connect::default()
        };
        world.send(command(1, Body::Connect(request)));
        world.poll();
        let (_, sent_time) = world.answer.expect("a request gets an answer");
        world.send(command(1, Body::Acknowledge(Acknowledge { sequence: 1, sent_time })));
        world.poll();
        assert_eq!(world.connected.len(), 1);
        world
    }

    /// Sends a command of the first client.
    fn send(&mut self, command: Command<'_>) {
        let mut body = Vec::new();
        command.write(&mut body).unwrap();
        let peer = if self.answer.is_some() { 0 } else { Datagram::NO_PEER };
        let (sent_time, compressed, checksum) = (Some(1), false, None);
        let datagram = Datagram { peer, session: 0, compressed, sent_time, checksum, body: &body };
        let mut bytes = Vec::new();
        datagram.write(&mut bytes).unwrap();
        self.receive(0, &bytes);
    }

    fn receive(&mut self, number: u8, bytes: &[u8]) {
        let mut bytes = bytes.to_vec();
        if let (0, Some((answer, _)), [first, second, ..]) = (number, &self.answer, &mut bytes[..])
        {
            let head = u16::from_be_bytes([*first, *second]) & 0xC000;
            let head = head | answer.outgoing_peer | u16::from(answer.outgoing_session) << 12;
            [*first, *second] = head.to_be_bytes();
        }
        self.clients[usize::from(number)].0 += bytes.len();
        self.host.receive(self.now, client(number), &bytes);
    }

    fn poll(&mut self) {
        let max_packet = self.host.max_packet();
        while let Some(event) = self.host.poll_event() {
            match event {
                HostEvent::Connected { peer, .. } => self.connected.push(peer),
                HostEvent::Received { payload, .. } => assert!(payload.len() <= max_packet),
                HostEvent::Disconnected { peer, .. } => {
                    let at = self.connected.iter().position(|known| *known == peer);
                    self.connected.remove(at.expect("it was connected"));
                }
                _ => {}
            }
        }
        for peer in &self.connected {
            let address = self.host.peer(*peer).map(|info| info.address);
            let number = (0..4).find(|number| Some(client(*number)) == address);
            self.clients[usize::from(number.unwrap_or(0))].2 = true;
        }
        while let Some(datagram) = self.host.poll_transmit(self.now) {
            let SocketAddr::V4(to) = datagram.to else { unreachable!() };
            let client = &mut self.clients[usize::from(to.ip().octets()[3])];
            client.1 += datagram.bytes.len();
            assert!(client.2 || client.1 <= client.0, "more bytes to a client than from it");
            let header = Datagram::parse(datagram.bytes).unwrap();
            let mut codec = DatagramCodec::new();
            let body = match header.compressed {
                true => codec.decompress(CompressionMode::RangeCoder, header.body, 4).unwrap(),
                false => header.body,
            };
            for command in Commands::new(body, 0) {
                if let Body::VerifyConnect(answer) = command.unwrap().body
                    && self.answer.is_none()
                {
                    self.answer = header.sent_time.map(|time| (answer, time));
                }
            }
        }
    }

    /// Ends all connections. Nothing may be left in the memory.
    fn end(&mut self) {
        for peer in self.connected.clone() {
            self.host.disconnect_now(peer, 0);
        }
        self.poll();
        assert!(self.connected.is_empty());
        self.now += 100_000;
        self.poll();
        assert_eq!((self.host.peers().count(), self.host.used_memory()), (0, 0));
        assert_eq!(self.host.next_timeout(), None);
    }
}

fn command(sequence: u16, body: Body<'_>) -> Command<'_> {
    Command { flags: Flags::ACKNOWLEDGE, channel: 255, sequence, body }
}

/// A client sends packets as the input says. Its datagrams go to a host and to a passive session,
/// some of them late, twice or never. Both must deliver the same.
pub fn enet_host_agreement(data: &[u8]) {
    let (timeout_limit, timeout_maximum) = (1 << 20, 60_000);
    let patient = Config { timeout_limit, timeout_maximum, channels: 4, ..Config::default() };
    let mut hosts = [1, 2].map(|seed| Host::new(Config { seed, ..patient.clone() }));
    let (mut session, mut codec) = (Session::new(Limits::default()), DatagramCodec::new());
    let mut lines: Vec<(u64, Vec<u8>)> = Vec::new();
    let key = hosts[1].connect(0, SERVER, 4, 0).unwrap();
    let mut actions = data.iter().copied().take(400);
    let mut number = 0_u32;
    let mut connected = false;
    let mut action = Some(0);
    let mut idle = 0;
    for now in 0.. {
        // A host drops packets of a client that has not proved its address. A session cannot know.
        // Packets are rare enough that those which wait stay within the host's limit.
        let is_due = now % 8 == 0;
        if connected && is_due {
            action = actions.next();
        }
        idle += u32::from(action.is_none());
        // At the end, all arrives, and what was lost is repeated.
        if idle > 4000 {
            break;
        }
        let action = action.unwrap_or(0);
        if connected && is_due {
            number += 1;
            let _ = send(&mut hosts[1], key, action, number);
        }
        while let Some(datagram) = hosts[1].poll_transmit(now) {
            let copies = match (idle, action >> 6) {
                (0, 0) if connected => 0,
                (0, 1) => 2,
                _ => 1,
            };
            for copy in 0..copies {
                let late = if idle == 0 && connected {
                    u64::from(action >> 3 & 7) * 5 * (copy + 1)
                } else {
                    0
                };
                lines.push((now + late, datagram.bytes.to_vec()));
            }
        }
        let due: Vec<_> = lines.extract_if(.., |(at, _)| *at <= now).collect();
        for (_, bytes) in due {
            let mut expected = Vec::new();
            session.feed(&bytes, &mut codec, |event| match event {
                Event::Packet(it) => {
                    expected.push((it.channel, it.delivery, it.payload.to_vec()));
                }
                Event::Malformed(error) => panic!("{error}"),
                _ => {}
            });
            hosts[0].receive(now, client(1), &bytes);
            let mut received = Vec::new();
            while let Some(event) = hosts[0].poll_event() {
                match event {
                    HostEvent::Received { channel, delivery, payload, .. } => {
                        received.push((channel, delivery, payload.to_vec()));
                    }
                    HostEvent::Connected { .. } => connected = true,
                    other => panic!("{other:?}"),
                }
            }
            let different = received.iter().zip(&expected).find(|(a, b)| a != b);
            assert_eq!(different, None);
            assert_eq!(received.len(), expected.len());
        }
        while let Some(datagram) = hosts[0].poll_transmit(now) {
            let bytes = datagram.bytes.to_vec();
            hosts[1].receive(now, SERVER, &bytes);
        }
        while hosts[1].poll_event().is_some() {}
    }
    assert!(connected);
}

/// Sends a packet whose kind, channel and length follow from the action.
fn send(
    host: &mut Host,
    key: PeerKey,
    action: u8,
    number: u32,
) -> Result<(), gamewire::transport::enet::SendError> {
    const DELIVERIES: [Delivery; 4] =
        [Delivery::Reliable, Delivery::Unreliable, Delivery::Unsequenced, Delivery::Unreliable];
    let delivery = DELIVERIES[usize::from(action & 3)];
    let len = if action & 0x1C == 0x1C { 4000 } else { 20 };
    let payload: Vec<u8> = number.to_le_bytes().into_iter().cycle().take(len).collect();
    host.send(key, (action >> 2 & 1) + (action & 2), delivery, &payload)
}
