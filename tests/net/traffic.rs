//! Checks conversations in captures of the corpus, unchanged and damaged, and in floods of packets.
//! `cli/tests/cli/packets_corpus.rs` compares the records of these captures with the engines' logs.

mod diagnosis;
mod engines;
mod flows;
mod nodes;
mod observer;
mod protocol_detection;
mod records;
#[cfg(feature = "serde")]
mod state;
mod unread;

use crate::laws;
use crate::laws::Step;
use crate::support::net::captures::{self, NAMES, Order, PROBLEMS, Pcap};
use crate::support::net::pcap;
use gamewire::capture::{Segment, Transport};
use gamewire::godot::multiplayer::transport::{EnetConfig, WebSocketBody, WebSocketMessage};
use gamewire::traffic::{Content, Control, Conversations, Engine, Limits, Options, Record};
use gamewire::transport::tcp;
use std::net::SocketAddr;

/// First bytes of inputs of `laws::conversation`. Each selects options: a limit of one or seven
/// conversations, no engine or a known one, and sometimes a port.
const FIRST_BYTES: [u8; 6] = [0x20, 0xE0, 0xE1, 0xE2, 0x21, 0xFC];

#[test]
fn captures_satisfy_the_laws() {
    for name in NAMES {
        for first in FIRST_BYTES {
            laws::conversation(&[&[first][..], &captures::file(name)].concat());
            laws::diagnosis(&[&[first][..], &captures::file(name)].concat());
        }
    }
}

/// Checks the law on runs of consecutive packets, of which a few are truncated, changed, dropped,
/// repeated or swapped.
#[test]
#[ignore = "slow"]
fn damaged_captures_satisfy_the_laws() {
    let mut random = crate::support::random::Random(17);
    for name in NAMES.into_iter().chain(PROBLEMS) {
        let packets = captures::packets(name);
        for _ in 0..60 {
            let from = random.below(2) * random.below(packets.len());
            let count = random.below(packets.len() - from).min(80);
            let mut some = packets[from..from + count].to_vec();
            for _ in 0..1 + random.below(8) {
                damage(&mut some, &mut random);
            }
            let file = captures::pcap(&some, Pcap::Nanos, Order { big: false });
            let data = [&[random.one_of(&FIRST_BYTES)][..], &file].concat();
            laws::conversation(&data);
            laws::diagnosis(&data);
        }
    }
}

fn damage(packets: &mut Vec<captures::Packet>, random: &mut crate::support::random::Random) {
    if packets.len() < 2 {
        return;
    }
    let at = random.below(packets.len() - 1);
    // The change is after the addresses, so that the packet stays in its flow.
    let data = &mut packets[at].data;
    let place = 38 + random.below((data.len() - 38).max(1));
    if place >= data.len() {
        return;
    }
    match random.below(8) {
        0 => packets.swap(at, at + 1),
        1 => drop(packets.remove(at)),
        2 => packets.insert(at, packets[at].clone()),
        3 => data.truncate(place),
        4 => data[place] = random.one_of(&[0, 1, 0x7F, 0x80, 0xFF]),
        _ => data[place] ^= 1 << random.below(8),
    }
}

/// Checks the law on packets of three captures in random order, where each capture has its own
/// addresses. In some packets, the payload, the addresses or the TCP header is changed.
#[test]
#[ignore = "slow"]
fn generated_traffic_satisfies_the_laws() {
    let mut random = crate::support::random::Random(18);
    let payloads = NAMES.map(captures::payloads);
    for _ in 0..300 {
        let mut data = vec![random.one_of(&FIRST_BYTES)];
        let mut sources = [0, 1, 2].map(|addresses| {
            let all = &payloads[random.below(payloads.len())];
            let from = random.below(2) * random.below(all.len());
            (addresses, all[from..].iter().filter(|payload| !payload.bytes.is_empty()))
        });
        for _ in 0..40 {
            let (addresses, source) = &mut sources[random.below(3)];
            let Some(payload) = source.next() else { break };
            let mut bytes = payload.bytes[..payload.bytes.len().min(900)].to_vec();
            let mut step = Step::from_payload(payload, *addresses);
            match random.below(20) {
                0 => step.kind = random.next() as u8,
                1 => step.damage = random.next() as u8,
                2 => drop(bytes.pop()),
                3 | 4 => {
                    let at = random.below(bytes.len());
                    bytes[at] ^= 1 << random.below(8);
                }
                _ => {}
            }
            Step { payload: &bytes, ..step }.write(&mut data);
        }
        laws::conversation(&data);
    }
}

#[test]
fn any_bytes_satisfy_the_laws() {
    let mut random = crate::support::random::Random(19);
    for len in 0..600 {
        let data: Vec<u8> = (0..len).map(|_| random.next() as u8 & 0xBF).collect();
        laws::conversation(&data);
    }
}

fn address(number: u32, port: u16) -> SocketAddr {
    (number.to_be_bytes(), port).into()
}

fn tcp(sequence: u32, payload: &[u8]) -> Transport<'_> {
    Transport::Tcp(tcp::Segment { sequence, payload, ..tcp::Segment::default() })
}

/// Sends packets that need much memory, from 400 addresses. Only the last 16 conversations are
/// kept, so the memory stops growing.
#[test]
fn memory_stays_limited_during_floods() {
    let connect = &pcap::udp(&captures::file("enet"))[0].payload;
    // Two reliable packets on the last channel. The second one waits for the packets between them.
    let early = |sequence| [&[6, 254, 0, sequence, 0, 200][..], &[1; 200]].concat();
    let early = [&[0x80, 0, 0, 0][..], &early(1), &early(9)].concat();
    let head = b"GET / HTTP/1.1\r\n";
    let frame = [&[0xF0, 0, 0, 0, 0x1C, 0, 0, 0, 0x10, 0, 0, 0][..], &[0; 40]].concat();
    let send = |flood: &mut Flood, kind, from| match kind {
        0 => flood.send(from, Transport::Udp { payload: connect }),
        1 => flood.send(from, Transport::Udp { payload: &early }),
        _ => {
            flood.send(from, tcp(1, if kind == 2 { head } else { &frame }));
            flood.send(from, tcp(60_000, b"early"));
            flood.send(from, tcp(200_000, b"further ahead than what is kept"));
        }
    };
    for kind in 0..4 {
        let mut flood = Flood::new();
        (0..16).for_each(|from| send(&mut flood, kind, from));
        let full = flood.0.memory();
        assert!(full < 16 * 150_000);
        (16..400).for_each(|from| send(&mut flood, kind, from));
        // The table of pairs may still double in size.
        assert!(flood.0.memory() <= full + 10_000, "flood {kind}: {}", flood.0.memory());
    }
    let mut all = Flood::new();
    for from in 0..400 {
        send(&mut all, from % 4, from);
        assert!(all.0.memory() < 16 * (2 * 130_000 + 100_000));
    }
}

/// The memory limit holds for any number of pairs.
#[test]
fn memory_limit_holds_for_any_number_of_pairs() {
    let last_channel = [0x80, 0, 0, 0, 6, 254, 0, 1, 0, 2, 3, 120];
    let frame = [8, 0, 0, 0, 2, 0, 0, 0, 1, 0, 0, 0];
    for udp in [false, true] {
        let mut options = Options::default();
        options.limits.memory = 1 << 20;
        let mut flood = Flood(Conversations::new(options));
        for from in 0..300 {
            if udp {
                flood.send(from, Transport::Udp { payload: &last_channel });
            } else {
                flood.send(from, tcp(1, &frame));
                flood.send(from, tcp(200_000, b"early")); // allocates a window of 256 KiB
            }
            // The limit does not include the table of pairs and the first KiB of each pair.
            let memory = flood.0.memory();
            assert!(memory < (1 << 20) + 300 * 1024 + 200_000, "{udp} {from}: {memory}");
        }
    }
}

/// If a conversation over ENet exceeds the memory limit of all conversations, it is dropped with
/// its waiting packets.
#[test]
fn enet_pair_over_the_memory_limit_is_dropped() {
    // Returns a datagram with one reliable packet.
    let datagram = |sequence: u8, len: u16| {
        let head = [0x80, 0, 0, 0, 0x86, 0, 0, sequence];
        [&head[..], &len.to_be_bytes(), &vec![sequence; len.into()]].concat()
    };
    let receive = |memory: usize| {
        let mut options = Options::default();
        options.limits.memory = memory;
        let mut conversations = Conversations::new(options);
        let (mut packets, mut max_memory) = (0, 0);
        // Packet 1 sets the start of the channel. Packets 3 to 9 wait for packet 2.
        for sequence in [1, 3, 4, 5, 6, 7, 8, 9, 2] {
            let payload = datagram(sequence, 1000);
            let transport = Transport::Udp { payload: &payload };
            let segment =
                Segment { source: address(1, 50_000), destination: address(2, 7000), transport };
            conversations.segment(None, &segment, &mut |record| {
                packets += u32::from(!matches!(record.content, Content::Control(_)));
            });
            max_memory = max_memory.max(conversations.memory());
        }
        (packets, max_memory)
    };
    let (all, kept) = receive(1 << 20);
    assert_eq!(all, 9);
    let (some, less) = receive(3000);
    assert!(some < 9, "{some}");
    assert!(kept > less + 2000, "{kept} {less}");
}

#[test]
fn names_of_control_records() {
    let words = [
        (Control::Connect, "connect"),
        (Control::Accept, "accept"),
        (Control::Disconnect, "disconnect"),
        (Control::Ping, "ping"),
        (Control::Acknowledge, "acknowledge"),
        (Control::Configure, "configure"),
        (Control::Lost, "lost"),
    ];
    for (control, word) in words {
        assert_eq!(control.to_string(), word);
        assert_eq!(format!("{control:>12}|{control:.2}"), format!("{word:>12}|{}", &word[..2]));
    }
}

/// Control frames of a WebSocket are reported as control records, and text frames as text.
#[test]
fn control_and_text_frames_of_a_websocket() {
    let answer = b"HTTP/1.1 101 Sure\r\nUpgrade: websocket\r\n\r\n";
    let frames: [(&[u8], &str); 8] = [
        (b"\x89\x00", "ping"),
        (b"\x8A\x01x", "ping"),
        (b"\x81\x02hi", "text hi"),
        (b"\x81\x00", "text "),
        (b"\x81\x03\xC3\xA4\xFF", "a text message that is not valid UTF-8, at 2 of 3"),
        (b"\x82\x02hi", "bytes hi"),
        (b"\x88\x02\x03\xE8", "disconnect"),
        (b"\x88\x00", "disconnect"),
    ];
    for (frame, expected) in frames {
        let mut conversations = Conversations::default();
        let mut records = Vec::new();
        for (sequence, payload) in [(1, &answer[..]), (1 + answer.len() as u32, frame)] {
            let (source, destination) = (address(2, 9080), address(1, 50_000));
            let segment = Segment { source, destination, transport: tcp(sequence, payload) };
            conversations.segment(None, &segment, &mut |record: &Record<'_>| {
                records.push(match record.content {
                    Content::Control(control) => control.to_string(),
                    Content::Text(text) => {
                        assert_eq!(text.as_bytes(), record.bytes);
                        format!("text {text}")
                    }
                    Content::Bytes { offset: None } => {
                        format!("bytes {}", String::from_utf8_lossy(record.bytes))
                    }
                    Content::Malformed { reason, offset } => {
                        format!("{reason}, at {offset} of {}", record.bytes.len())
                    }
                    ref other => panic!("{other:?}"),
                });
            });
        }
        assert_eq!(records, ["accept", expected], "{frame:?}");
    }
}

/// Returns a description of each record of a WebSocket in which the server sends these frames.
fn websocket_records(frames: &[Vec<u8>]) -> Vec<String> {
    let answer = b"HTTP/1.1 101 Sure\r\nUpgrade: websocket\r\n\r\n";
    let mut conversations = Conversations::default();
    let (mut records, mut sequence) = (Vec::new(), 1);
    for payload in [&answer[..]].into_iter().chain(frames.iter().map(Vec::as_slice)) {
        let (source, destination) = (address(2, 9080), address(1, 50_000));
        let segment = Segment { source, destination, transport: tcp(sequence, payload) };
        conversations.segment(None, &segment, &mut |record: &Record<'_>| {
            let engine = record.engine.map_or("?".into(), |engine| format!("{engine:?}"));
            records.push(match record.content {
                Content::Control(control) => control.to_string(),
                Content::Value(bytes) => format!("{engine} value of {}", bytes.len()),
                Content::AddPeer(peer) => format!("{engine} +{peer}"),
                Content::DelPeer(peer) => format!("{engine} -{peer}"),
                other => panic!("{other:?}"),
            });
        });
        sequence += payload.len() as u32;
    }
    records
}

/// Returns a binary WebSocket frame.
fn frame(payload: &[u8]) -> Vec<u8> {
    [&[0x82, payload.len() as u8], payload].concat()
}

#[test]
fn values_in_a_websocket() {
    let value = frame(&[2, 0, 0, 0, 5, 0, 0, 0]);
    // A double, whose type id is the same in Godot 3 and 4.
    let real = frame(&[3, 0, 1, 0, 0, 0, 0, 0, 0, 0, 0xF0, 0x3F]);
    let records = websocket_records(&[value.clone(), real, value]);
    let expected = ["accept", "Godot4 value of 8", "Godot4 value of 12", "Godot4 value of 8"];
    assert_eq!(records, expected);
}

#[test]
fn peers_of_godot_3() {
    let message = |body| {
        let mut bytes = Vec::new();
        WebSocketMessage { from: 1, to: 0, body }.write(&mut bytes).unwrap();
        frame(&bytes)
    };
    let records = websocket_records(&[
        message(WebSocketBody::YourId(77)),
        message(WebSocketBody::AddPeer(99)),
        message(WebSocketBody::RemovePeer(99)),
    ]);
    assert_eq!(records, ["accept", "accept", "Godot3 +99", "Godot3 -99"]);
    // In ENet, Godot 3 announces peers on channel 0.
    let mut options = Options::default();
    options.engine = Some(Engine::Godot3);
    let mut conversations = Conversations::new(options);
    let mut peers = Vec::new();
    let configs = [EnetConfig::AddPeer(99), EnetConfig::RemovePeer(99)];
    for (config, sequence) in configs.into_iter().zip(1_u8..) {
        let mut payload = vec![0x80, 0, 0, 0, 0x86, 0, 0, sequence, 0, 8];
        config.write(&mut payload).unwrap();
        let transport = Transport::Udp { payload: &payload };
        let (source, destination) = (address(1, 9000), address(2, 50_000));
        let segment = Segment { source, destination, transport };
        conversations.segment(None, &segment, &mut |record| match record.content {
            Content::AddPeer(peer) => peers.push((true, peer)),
            Content::DelPeer(peer) => peers.push((false, peer)),
            other => panic!("{other:?}"),
        });
    }
    assert_eq!(peers, [(true, 99), (false, 99)]);
}

struct Flood(Conversations);

impl Flood {
    fn new() -> Self {
        let mut options = Options::default();
        options.limits = Limits { flows: 16, ..Limits::default() };
        options.limits.tcp.ahead = 64 << 10;
        Self(Conversations::new(options))
    }

    fn send(&mut self, from: u32, transport: Transport<'_>) {
        let (source, destination) = (address(from, 50_000), address(1 << 24, 7000));
        let segment = Segment { source, destination, transport };
        self.0.segment(None, &segment, &mut |_| ());
    }
}

/// If a peer announces many paths, the new paths replace old ones.
#[test]
fn new_paths_replace_old_ones() {
    let mut flood = Flood::new();
    let mut max_memory = 0;
    for count in 0..40_000_u32 {
        // Each path number up to 20,000 is announced once, and 20,000 then repeatedly.
        let number = count.min(20_000);
        // A SIMPLIFY_PATH packet of Godot 3 in ENet, with a path of at most 410 bytes.
        let path = [
            &b"/root/"[..],
            &vec![b'a'; number as usize % 400],
            &count.to_string().into_bytes(),
            b"\0",
        ]
        .concat();
        let packet = [&[1, 0, 0, 0, 1, 0, 0, 0, 2][..], &number.to_le_bytes(), &path].concat();
        let (group, low) = ((count >> 8) as u8, count as u8);
        let head = [0x49, 1, 0, 0, group, low, 0, 0];
        let mut datagram = [&[0x80, 0, 0, 0][..], &head].concat();
        datagram[10..12].copy_from_slice(&(packet.len() as u16).to_be_bytes());
        datagram.extend(&packet);
        let mut known = false;
        let segment = Segment {
            source: address(1, 1),
            destination: address(2, 2),
            transport: Transport::Udp { payload: &datagram },
        };
        flood.0.segment(None, &segment, &mut |record| {
            known = record
                .path(number)
                .is_some_and(|known| *known.as_bytes() == path[..path.len() - 1]);
            assert!(known, "{record:?}");
        });
        assert!(known);
        max_memory = max_memory.max(flood.0.memory());
    }
    assert!((200_000..600_000).contains(&max_memory), "{max_memory}");
}

/// The upgrade to a WebSocket is found, even if its request and its answer are split into segments.
#[test]
fn split_upgrades() {
    let request = b"GET / HTTP/1.1\r\nUpgrade: websocket\r\n\r\n";
    let answer = b"HTTP/1.1 101 Switching Protocols\r\nUpgrade: websocket\r\n\r\n";
    for at in [12, 20, request.len()] {
        let mut controls = Vec::new();
        let mut conversations = Conversations::default();
        let (client, server) = (address(1, 50_000), address(2, 9080));
        let mut send = |source, destination, sequence, payload: &[u8]| {
            let segment = Segment { source, destination, transport: tcp(sequence, payload) };
            conversations.segment(None, &segment, &mut |record: &Record<'_>| {
                let Content::Control(control) = record.content else { panic!("{record:?}") };
                controls.push((control, record.peer, record.source == server));
            });
        };
        let halves = |bytes: &'static [u8]| bytes.split_at(at);
        for (source, destination, (front, back)) in
            [(client, server, halves(request)), (server, client, halves(answer))]
        {
            send(source, destination, 1, front);
            send(source, destination, 1 + at as u32, back);
        }
        // The server sends the client's id.
        let id = [&[0x82, 4][..], &77_i32.to_le_bytes()].concat();
        send(server, client, 1 + answer.len() as u32, &id);
        // Then the client sends a ping.
        send(client, server, 1 + request.len() as u32, &[0x89, 0]);
        let expected = [
            (Control::Connect, None, false),
            (Control::Accept, Some(1), true),
            (Control::Accept, Some(1), true),
            (Control::Ping, Some(77), false),
        ];
        assert_eq!(controls, expected, "cut at {at}");
    }
}

/// The message with the client's id is a control record in Godot 3 as well. A regression test for a
/// bug that fuzzing found.
#[test]
fn client_id_of_godot_3_is_not_a_packet() {
    let answer = b"HTTP/1.1 101 Sure\r\nUpgrade: websocket\r\n\r\n";
    let mut id = vec![0x82, 13];
    WebSocketMessage { from: 1, to: 0, body: WebSocketBody::YourId(77) }.write(&mut id).unwrap();
    let mut data = vec![0x21]; // Godot 3
    for payload in [&answer[..], &id] {
        Step { kind: 3, damage: 0, payload }.write(&mut data);
    }
    laws::conversation(&data);

    let (client, server) = (address(1, 50_000), address(2, 9080));
    let mut conversations = Conversations::default();
    let mut accepted = 0;
    for (sequence, payload) in [(1, &answer[..]), (1 + answer.len() as u32, &id)] {
        let transport = tcp(sequence, payload);
        let segment = Segment { source: server, destination: client, transport };
        conversations.segment(None, &segment, &mut |record| {
            assert!(matches!(record.content, Content::Control(Control::Accept)), "{record:?}");
            assert_eq!((record.peer, record.bytes), (Some(1), &b""[..]));
            accepted += 1;
        });
    }
    assert_eq!(accepted, 2);
}
