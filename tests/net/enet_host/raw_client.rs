//! A client that sends whatever a test wants: it keeps no rules.

use super::network::Seen;
use gamewire::transport::enet::{
    Acknowledge, Body, Command, Connect, Datagram, Flags, Fragment, Host, PeerKey, VerifyConnect,
};
use std::net::SocketAddr;

pub struct RawClient {
    pub address: SocketAddr,
    /// The server's answer, once it has come.
    pub answer: Option<VerifyConnect>,
    pub answered_at: Option<u16>,
    /// Bytes that were sent to the server, and came from it.
    pub sent: usize,
    pub received: usize,
    /// Sequence numbers, with channels, that the server acknowledged.
    pub acknowledged: Vec<(u8, u16)>,
}

pub fn connect(connect_id: u32) -> Connect {
    Connect {
        outgoing_peer: 0,
        incoming_session: 255,
        outgoing_session: 255,
        mtu: 1392,
        window: 0x1_0000,
        channels: 8,
        throttle_interval: 5000,
        throttle_acceleration: 2,
        throttle_deceleration: 2,
        connect_id,
        ..Connect::default()
    }
}

pub fn reliable(channel: u8, sequence: u16, payload: &[u8]) -> Command<'_> {
    command(channel, sequence, Body::Reliable { payload })
}

pub fn command(channel: u8, sequence: u16, body: Body<'_>) -> Command<'_> {
    let flags = match body {
        Body::Acknowledge(_) | Body::Unreliable { .. } | Body::UnreliableFragment(_) => Flags::NONE,
        Body::Unsequenced { .. } => Flags::UNSEQUENCED,
        _ => Flags::ACKNOWLEDGE,
    };
    Command { flags, channel, sequence, body }
}

/// A reliable fragment of a packet that begins with number 1 on channel 0.
pub fn fragment(number: u32, count: u32, total: u32, offset: u32, payload: &[u8]) -> Command<'_> {
    let part = Fragment { start: 1, count, number, total, offset, payload };
    command(0, 1_u16.wrapping_add(number as u16), Body::Fragment(part))
}

impl RawClient {
    pub fn new(address: SocketAddr) -> Self {
        Self {
            address,
            answer: None,
            answered_at: None,
            sent: 0,
            received: 0,
            acknowledged: Vec::new(),
        }
    }

    /// Sends a datagram with the server's place and session bits, if they are known.
    pub fn send(&mut self, host: &mut Host, now: u64, commands: &[Command<'_>]) {
        let (peer, session) = match &self.answer {
            Some(answer) => (answer.outgoing_peer, answer.outgoing_session),
            None => (Datagram::NO_PEER, 0),
        };
        self.send_as(host, now, peer, session, commands);
    }

    pub fn send_as(
        &mut self,
        host: &mut Host,
        now: u64,
        peer: u16,
        session: u8,
        commands: &[Command<'_>],
    ) {
        let mut body = Vec::new();
        commands.iter().for_each(|command| command.write(&mut body).unwrap());
        let (sent_time, compressed, checksum) = (Some(now as u16), false, None);
        let datagram = Datagram { peer, session, compressed, sent_time, checksum, body: &body };
        let mut bytes = Vec::new();
        datagram.write(&mut bytes).unwrap();
        self.sent += bytes.len();
        host.receive(now, self.address, &bytes);
    }

    /// Notes what a datagram of the server contains.
    fn read(&mut self, bytes: &[u8]) {
        self.received += bytes.len();
        let datagram = Datagram::parse(bytes).unwrap();
        for command in datagram.commands() {
            let command = command.unwrap();
            match command.body {
                Body::VerifyConnect(answer) => {
                    (self.answer, self.answered_at) = (Some(answer), datagram.sent_time);
                }
                Body::Acknowledge(it) => self.acknowledged.push((command.channel, it.sequence)),
                _ => {}
            }
        }
    }

    pub fn prove(&mut self, host: &mut Host, now: u64) {
        let sent_time = self.answered_at.unwrap();
        let proof = Body::Acknowledge(Acknowledge { sequence: 1, sent_time });
        self.send(host, now, &[command(255, 1, proof)]);
    }

    /// Connects, and returns the host's key.
    pub fn join(&mut self, host: &mut Host, now: u64, connect_id: u32) -> PeerKey {
        let request = Body::Connect(connect(connect_id));
        self.send(host, now, &[command(255, 1, request)]);
        poll(host, now, std::slice::from_mut(self));
        self.prove(host, now);
        let events = poll(host, now, std::slice::from_mut(self));
        let [Seen::Connected(key, _)] = events[..] else { panic!("{events:?}") };
        key
    }
}

/// Passes the host's datagrams to those clients they are for. Returns the host's events.
pub fn poll(host: &mut Host, now: u64, clients: &mut [RawClient]) -> Vec<Seen> {
    let mut events = Vec::new();
    while let Some(event) = host.poll_event() {
        events.push(Seen::of(event));
    }
    while let Some(datagram) = host.poll_transmit(now) {
        if let Some(client) = clients.iter_mut().find(|client| client.address == datagram.to) {
            client.read(datagram.bytes);
        }
    }
    while let Some(event) = host.poll_event() {
        events.push(Seen::of(event));
    }
    events
}
