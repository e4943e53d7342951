//! A helper for tests of traffic: conversations between two hosts, and a short form of their
//! records.

use gamewire::capture::{Segment, Transport};
use gamewire::godot::multiplayer::{godot3, godot4};
use gamewire::traffic::{Content, Control, Conversations, Engine, Options, Record};
use gamewire::transport::enet::{Body, Command, Connect, Datagram, Flags};
use gamewire::transport::tcp;

pub const CLIENT: u32 = 0x1234_5671;
pub const SERVER_PORT: u16 = 5000;
pub const CLIENT_PORT: u16 = 40_000;

/// Conversations between two hosts, and their records as text.
pub struct Observer {
    pub conversations: Conversations,
    /// Port of the client. Packets from a different port start a new conversation.
    pub client: u16,
    sequence: [u32; 2],
    pub records: Vec<String>,
    format_record: fn(&Record<'_>) -> String,
}

impl Observer {
    pub fn new() -> Self {
        Self::with(Options::default(), short)
    }

    /// Creates an observer that formats records with `format_record`.
    pub fn with(options: Options, format_record: fn(&Record<'_>) -> String) -> Self {
        let conversations = Conversations::new(options);
        Self {
            conversations,
            client: CLIENT_PORT,
            sequence: [1; 2],
            records: Vec::new(),
            format_record,
        }
    }

    /// Creates an observer and starts an ENet connection with this number of channels.
    pub fn enet(channels: u32) -> Self {
        let mut observer = Self::new();
        observer.connect(channels);
        observer
    }

    pub fn connect(&mut self, channels: u32) {
        let connect = Connect { channels, connect_id: 9, data: CLIENT, ..Connect::default() };
        self.command(true, 255, 1, Body::Connect(connect));
        assert_eq!(self.take().last().unwrap(), "connect");
    }

    pub fn command(&mut self, to_server: bool, channel: u8, sequence: u16, body: Body<'_>) {
        let mut commands = Vec::new();
        let command = Command { flags: Flags::ACKNOWLEDGE, channel, sequence, body };
        command.write(&mut commands).unwrap();
        let mut payload = Vec::new();
        let (sent_time, checksum) = (Some(1), None);
        let datagram = Datagram {
            peer: 0,
            session: 0,
            compressed: false,
            sent_time,
            checksum,
            body: &commands,
        };
        datagram.write(&mut payload).unwrap();
        self.udp(to_server, &payload);
    }

    pub fn packet(&mut self, to_server: bool, channel: u8, sequence: u16, payload: &[u8]) {
        self.command(to_server, channel, sequence, Body::Reliable { payload });
    }

    pub fn udp(&mut self, to_server: bool, payload: &[u8]) {
        self.segment(to_server, SERVER_PORT, Transport::Udp { payload });
    }

    pub fn tcp(&mut self, to_server: bool, port: u16, payload: &[u8]) {
        let sequence = &mut self.sequence[usize::from(to_server)];
        let (flags, acknowledgement) = (tcp::Flags(tcp::Flags::ACK), 1);
        let segment = tcp::Segment { sequence: *sequence, acknowledgement, flags, payload };
        *sequence += payload.len() as u32;
        self.segment(to_server, port, Transport::Tcp(segment));
    }

    /// Leaves a gap of this many bytes in a TCP stream.
    pub fn skip_bytes(&mut self, to_server: bool, bytes: u32) {
        self.sequence[usize::from(to_server)] += bytes;
    }

    pub fn segment(&mut self, to_server: bool, port: u16, transport: Transport<'_>) {
        let client = ([10, 0, 0, 2], self.client).into();
        let server = ([10, 0, 0, 1], port).into();
        let (source, destination) = if to_server { (client, server) } else { (server, client) };
        let segment = Segment { source, destination, transport };
        let (records, format_record) = (&mut self.records, self.format_record);
        self.conversations
            .segment(None, &segment, &mut |record| records.push(format_record(record)));
    }

    pub fn finish(&mut self) {
        let (records, format_record) = (&mut self.records, self.format_record);
        self.conversations.finish(&mut |record| records.push(format_record(record)));
    }

    pub fn take(&mut self) -> Vec<String> {
        std::mem::take(&mut self.records)
    }
}

pub fn short(record: &Record<'_>) -> String {
    let mut text = match record.engine {
        Some(Engine::Godot4) => String::from("4"),
        Some(Engine::Godot3) => String::from("3"),
        None => String::new(),
    };
    text += if record.guessed { "? " } else { " " };
    text += &match record.content {
        Content::Control(control @ Control::Connect) => return control.to_string(),
        Content::Godot4(godot4::Packet::Call(_)) => String::from("call"),
        Content::Godot4(godot4::Packet::SimplifyPath(_)) => String::from("path"),
        Content::Godot4(godot4::Packet::Raw(bytes)) => String::from_utf8_lossy(bytes).into(),
        Content::Godot3(godot3::Packet::Raw(bytes)) => String::from_utf8_lossy(bytes).into(),
        Content::AddPeer(peer) => format!("add {peer}"),
        Content::Value(bytes) => format!("value {}", bytes[0]),
        Content::Debugger(bytes) => format!("debugger {}", bytes[0]),
        Content::Bytes { offset: None } => format!("bytes of {}", record.bytes.len()),
        Content::Bytes { offset: Some(offset) } => {
            format!("bytes of {} at {offset}", record.bytes.len())
        }
        Content::Malformed { reason, .. } => format!("malformed: {reason}"),
        other => format!("{other:?}"),
    };
    if let Some(node) = record.node {
        let path = node.path.map_or_else(|| "?".into(), |path| path.to_string());
        text += &format!(" of {path}{}", if node.checksum.is_some() { ", checked" } else { "" });
    }
    text += &record.relay.map(|peer| format!(", relay {peer}")).unwrap_or_default();
    text
}

/// Returns a packet with the prefix of Godot 3: the ids of the sender and of the receiver.
pub fn prefixed(source: u32, target: i32, packet: &[u8]) -> Vec<u8> {
    [&source.to_le_bytes()[..], &target.to_le_bytes(), packet].concat()
}

pub fn message(masked: bool, first: u8, packet: &[u8]) -> Vec<u8> {
    let mask = if masked { 0x80 } else { 0 };
    let key: &[u8] = if masked { &[0; 4] } else { &[] };
    [&[first, mask | packet.len() as u8][..], key, packet].concat()
}

/// Godot 4's SIMPLIFY_PATH of `Main`, and calls of its third method by path and by number.
pub const PATH: &[u8] = b"\x010123456789abcdef0123456789abcdef\0\x07\0\0\0Main\0";
pub const CALL_BY_PATH: &[u8] = b"\xa0\x06\0\0\x80\x02Main\0";
pub const CALL_BY_NUMBER: &[u8] = b"\x80\x07\x02";
