//! An ENet connection between two hosts. All packets of the connection are passed to a diagnoser.

use gamewire::capture::{Segment, Transport};
use gamewire::traffic::diagnosis::{Diagnoser, Diagnosis};
use gamewire::traffic::methods::MethodNames;
use gamewire::traffic::{Conversations, Observed};
use gamewire::transport::enet::{
    Acknowledge, Body, Command, Connect, Datagram, Flags, VerifyConnect,
};

pub const CLIENT: u32 = 0x1234_5671;

pub struct Wire<'n> {
    pub diagnoser: Diagnoser<'n>,
    conversations: Conversations,
    /// The time, in milliseconds, at which the next datagram is sent and captured.
    pub time: u16,
    sequences: [u16; 2],
}

impl<'n> Wire<'n> {
    /// Starts a connection.
    pub fn new(names: &'n MethodNames) -> Self {
        let mut wire = Self::without_start(names);
        let connect =
            Connect { channels: 255, connect_id: 9, data: CLIENT, mtu: 1392, ..Connect::default() };
        wire.command(true, 255, 1, Body::Connect(connect));
        let verify = VerifyConnect { connect_id: 9, mtu: 1392, ..VerifyConnect::default() };
        wire.command(false, 255, 1, Body::VerifyConnect(verify));
        wire
    }

    /// Returns a connection whose start was not captured.
    pub fn without_start(names: &'n MethodNames) -> Self {
        let (diagnoser, conversations) = (Diagnoser::new(names), Conversations::default());
        Self { diagnoser, conversations, time: 1000, sequences: [0; 2] }
    }

    pub fn command(&mut self, to_server: bool, channel: u8, sequence: u16, body: Body<'_>) {
        let flags = match body {
            Body::Acknowledge(_) | Body::Unreliable { .. } | Body::UnreliableFragment(_) => {
                Flags::NONE
            }
            _ => Flags::ACKNOWLEDGE,
        };
        let (mut commands, mut payload) = (Vec::new(), Vec::new());
        Command { flags, channel, sequence, body }.write(&mut commands).unwrap();
        let (peer, session, compressed, checksum) = (0, 0, false, None);
        let sent_time = Some(self.time);
        let body = commands.as_slice();
        let datagram = Datagram { peer, session, compressed, sent_time, checksum, body };
        datagram.write(&mut payload).unwrap();
        self.udp(to_server, &payload);
    }

    pub fn udp(&mut self, to_server: bool, payload: &[u8]) {
        let (client, server) = (([10, 0, 0, 2], 40_000).into(), ([10, 0, 0, 1], 5000).into());
        let (source, destination) = if to_server { (client, server) } else { (server, client) };
        let segment = Segment { source, destination, transport: Transport::Udp { payload } };
        let time = Some(i64::from(self.time) * 1_000_000);
        let Self { diagnoser, conversations, .. } = self;
        diagnoser.packet(time, &Ok(segment));
        conversations.observe(time, &segment, &mut |observed: Observed<'_, '_>| {
            diagnoser.observed(observed)
        });
    }

    /// Sends a packet on channel 0 with the next sequence number.
    pub fn packet(&mut self, to_server: bool, payload: &[u8]) {
        let sequence = &mut self.sequences[usize::from(to_server)];
        *sequence += 1;
        let sequence = *sequence;
        self.command(to_server, 0, sequence, Body::Reliable { payload });
    }

    /// Sends a RAW packet of two bytes from the server on channel 2.
    pub fn reliable(&mut self, sequence: u16) {
        self.command(false, 2, sequence, Body::Reliable { payload: b"\x03r" });
    }

    /// Sends the client's acknowledgement of a packet on channel 2 that was sent at `sent_time`.
    pub fn acknowledge(&mut self, sequence: u16, sent_time: u16) {
        let body = Body::Acknowledge(Acknowledge { sequence, sent_time });
        self.command(true, 2, 0, body);
    }

    pub fn finish(mut self) -> Vec<Diagnosis> {
        let Self { diagnoser, conversations, .. } = &mut self;
        conversations.finish(&mut |record| diagnoser.record(record));
        diagnoser.finish()
    }
}

/// Returns a SIMPLIFY_PATH packet.
pub fn simplify_path(checksum: &[u8; 32], id: u32, path: &str) -> Vec<u8> {
    [b"\x01", &checksum[..], b"\0", &id.to_le_bytes(), path.as_bytes(), b"\0"].concat()
}

/// Returns a CONFIRM_PATH packet.
pub fn confirm_path(is_same: bool, id: u32) -> Vec<u8> {
    [&[2, u8::from(is_same)][..], &id.to_le_bytes()].concat()
}
