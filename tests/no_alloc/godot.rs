//! Asserts that reading, printing, and writing into a fixed slice do not allocate.

use crate::counting::without_allocating;
use crate::support::corpus;
use crate::support::net::pcap;
use gamewire::SliceSink;
use gamewire::godot::debugger::Message;
use gamewire::godot::frame::Frames;
use gamewire::godot::json::Printer;
use gamewire::godot::multiplayer::{NodeRef, godot3, godot4};
use gamewire::godot::patch::Patch;
use gamewire::godot::path::Path;
use gamewire::godot::{
    Dialect, Encoded, Error, IndexEntry, Kind, Leaf, Level, Limits, ObjectRef, Open, Property,
    Reader, VariantRef, Visitor, Writer, detect,
};
use std::fmt::{self, Write};

fn for_each_packet(check: impl Fn(&str, &[u8], Dialect)) {
    let more = [corpus::HOSTILE, ("bench", Dialect::Godot4)];
    for (folder, dialect) in corpus::WRITTEN.into_iter().chain(more) {
        for (name, bytes) in corpus::packets(folder) {
            check(&format!("{folder}/{name}"), &bytes, dialect);
        }
    }
}

#[test]
fn reading_does_not_allocate() {
    for_each_packet(|name, bytes, _| {
        for &dialect in Dialect::ALL {
            for level in [Level::Structure, Level::Engine, Level::Strict] {
                for objects in [true, false] {
                    let limits = Limits { level, objects, ..Limits::default() };
                    without_allocating(name, || read(bytes, dialect, limits));
                }
            }
        }
        without_allocating(name, || detect(bytes));
        without_allocating(name, || Frames::new(bytes).filter(Result::is_ok).count());
    });
}

fn read(bytes: &[u8], dialect: Dialect, limits: Limits) -> usize {
    let reader = || Reader::new(bytes, dialect).limits(limits);
    let results = [
        reader().skip(),
        reader().read().map(drop),
        reader().read_encoded().map(drop),
        reader().visit(&mut Discard),
        reader().deviations(|_, _| Ok(())),
        index(reader()),
        reader().lazy().and_then(|value| value.read()).map(drop),
        reader().find("players/0/no such key").map(drop),
    ];
    let prints = |error: &Error| write!(Discard, "{error} {error:?}").is_ok();
    results.iter().filter_map(|result| result.as_ref().err()).filter(|error| prints(error)).count()
}

fn index(mut reader: Reader<'_, '_>) -> Result<(), Error> {
    let mut memory = [IndexEntry::default(); 64];
    let index = reader.index(&mut memory)?;
    let value = index.root();
    assert_eq!(value.items().len(), value.items().count());
    Ok(())
}

/// A visitor and writer that discards everything.
struct Discard;

impl<'a> Visitor<'a> for Discard {
    type Error = Error;

    fn leaf(&mut self, _: Leaf<'a>) -> Result<(), Error> {
        Ok(())
    }

    fn open(&mut self, _: Open<'a>) -> Result<(), Error> {
        Ok(())
    }

    fn property(&mut self, _: Property<'a>) -> Result<(), Error> {
        Ok(())
    }

    fn close(&mut self, _: Kind) -> Result<(), Error> {
        Ok(())
    }
}

impl fmt::Write for Discard {
    fn write_str(&mut self, _: &str) -> fmt::Result {
        Ok(())
    }
}

/// Decodes views recursively, looks up values by key, and prints them.
#[test]
fn views_do_not_allocate() {
    for_each_packet(|name, bytes, dialect| {
        without_allocating(name, || {
            let depth = Limits { depth: 100, ..Limits::default() };
            let encoded = Reader::new(bytes, dialect).limits(depth).read_encoded();
            // Printing tens of thousands of numbers would be slow.
            let print = bytes.len() < 10_000;
            encoded.map(|encoded| count_values(encoded, print)).unwrap_or(0)
        });
    });
}

/// Visits all values and returns their number.
fn count_values(encoded: Encoded<'_>, print: bool) -> usize {
    let value = encoded.decode();
    if print {
        write!(Discard, "{value:?} {encoded:?}").unwrap();
    }
    let each = |encoded| count_values(encoded, print);
    1 + match value {
        VariantRef::Array(array) => {
            array.get(array.len() / 2).map(|value| value.kind());
            array.iter().count() + array.iter().encoded().map(each).sum::<usize>()
        }
        VariantRef::Dictionary(dictionary) => {
            let (key, _) = dictionary.iter().last().unzip();
            let key = key.and_then(|key| key.as_str()).and_then(|key| key.to_str().ok());
            dictionary.get(key.unwrap_or("none")).map(|value| value.kind());
            dictionary.get_last("none").map(|value| value.kind());
            dictionary.flat().encoded().map(each).sum::<usize>()
        }
        VariantRef::Object(ObjectRef::Full(object)) => {
            object.get("none").map(|value| value.kind());
            object.class().to_str().unwrap_or_default();
            object.properties().encoded().map(|(_, value)| each(value)).sum()
        }
        VariantRef::String(text) | VariantRef::StringName(text) => {
            write!(Discard, "{text}").unwrap();
            text.to_str().map_or(0, str::len)
        }
        VariantRef::NodePath(path) => {
            write!(Discard, "{path}").unwrap();
            path.names().count() + path.subnames().count()
        }
        VariantRef::PackedStringArray(texts) => texts.iter().count(),
        VariantRef::PackedVector3Array(vectors) => vectors.iter().count(),
        _ => 0,
    }
}

/// A writer that counts the printed bytes and discards them.
struct Length(usize);

impl Write for Length {
    fn write_str(&mut self, text: &str) -> fmt::Result {
        self.0 += text.len();
        Ok(())
    }
}

/// Builds and resolves a path, and changes the value at the path.
#[test]
fn paths_and_patches_do_not_allocate() {
    for_each_packet(|name, bytes, dialect| {
        let Ok(encoded) = Reader::new(bytes, dialect).read_encoded() else { return };
        let path = Path::new(bytes, dialect, bytes.len() as u64 / 2).to_string();
        let mut memory = encoded.as_bytes().to_vec();
        without_allocating(name, || {
            write!(Discard, "{}", Path::new(bytes, dialect, 8)).unwrap();
            let missing = encoded.decode().find("none/[Vector2(1, 2)]").map(drop).unwrap_err();
            write!(Discard, "{missing} {}", encoded.find(&path).is_ok()).unwrap();
            let mut packet = Patch::new(&mut memory, dialect).unwrap();
            let _ = packet.set(&path, 5);
            packet.fill(b'x');
        });
    });
}

#[test]
fn printing_json_does_not_allocate() {
    for_each_packet(|name, bytes, dialect| {
        for exact in [true, false] {
            let printed = without_allocating(name, || {
                let mut length = Length(0);
                let mut printer = Printer::new(&mut length).exact(exact);
                let printed = Reader::new(bytes, dialect).visit(&mut printer).is_ok();
                printed.then_some(length.0)
            });
            assert_ne!(printed, Some(0), "{name}");
        }
    });
}

#[test]
fn writing_into_a_slice_does_not_allocate() {
    for_each_packet(|name, bytes, dialect| {
        let Ok(encoded) = Reader::new(bytes, dialect).read_encoded() else { return };
        let mut memory = vec![0; 3 * bytes.len() + 64];
        without_allocating(name, || {
            for &target in Dialect::ALL {
                let mut writer = Writer::new(SliceSink::new(&mut memory), target);
                let _ = writer.put(encoded.decode());
                let mut writer = Writer::new(SliceSink::new(&mut memory), target);
                let _ = writer.put(encoded);
            }
            let mut writer = Writer::new(SliceSink::new(&mut memory), dialect);
            writer.put(encoded.decode()).unwrap();
        });
    });
}

/// A session does not allocate once its buffers have grown. The captured datagrams include
/// fragments, repeated datagrams and compressed datagrams; some are fed out of order.
#[cfg(feature = "transport")]
#[test]
fn enet_sessions_do_not_allocate_after_warm_up() {
    use gamewire::transport::enet::{DatagramCodec, Event, Limits, Session};

    let mut codec = DatagramCodec::new();
    for name in ["enet", "enet_rle", "godot3_enet", "godot3_enet_rle", "relay"] {
        let capture = pcap::udp(&corpus::read(&format!("captures/{name}.pcap")));
        let Some(first) = capture.first() else { panic!("{name} is empty") };
        let mut side: Vec<_> = capture.iter().filter(|udp| udp.from == first.from).collect();
        for pair in side.chunks_exact_mut(2).step_by(3).skip(2) {
            pair.reverse();
        }
        let mut session = Session::new(Limits::default());
        let mut packets = 0;
        let mut feed_all = |session: &mut Session| {
            for udp in &side {
                session.feed(&udp.payload, &mut codec, |event| {
                    packets += usize::from(matches!(event, Event::Packet(_)));
                });
            }
            session.flush(|_| ());
            session.reset();
        };
        feed_all(&mut session);
        without_allocating(name, || feed_all(&mut session));
        assert!(packets > 0);
    }
}

/// Parses the packets of the corpus as multiplayer packets, each prefixed with a byte from 0 to 7,
/// and as debugger messages. Writes the multiplayer packets again.
#[test]
fn multiplayer_packets_do_not_allocate() {
    for_each_packet(|name, bytes, _| {
        let mut memory = vec![0; 3 * bytes.len() + 64];
        for first in 0..8 {
            let packet = [&[first], bytes].concat();
            without_allocating(name, || godot4_packet(&packet, &mut memory));
            without_allocating(name, || {
                if let Ok(packet) = godot3::Packet::parse(&packet) {
                    let mut writer = godot3::PacketWriter::new(SliceSink::new(&mut memory));
                    let _ = writer.put(&packet);
                }
            });
        }
        without_allocating(name, || Message::parse(bytes).map(|message| message.body()).is_ok());
    });
}

fn godot4_packet(packet: &[u8], memory: &mut [u8]) {
    let mut writer = godot4::PacketWriter::new(SliceSink::new(memory), Dialect::Godot4);
    if let Ok(packet) = godot4::Packet::parse(packet) {
        let _ = writer.put(&packet);
        if let godot4::Packet::Call(call) = packet {
            call.arguments.into_iter().filter(Result::is_ok).count();
        }
    }
    let _ = writer.call(NodeRef::Path("N/a".into()), 300, ("text", true, 5, 0.1));
}

/// Decoding a capture file to messages does not allocate once all buffers have grown, even if
/// packets are out of order.
#[cfg(feature = "traffic")]
#[test]
fn captures_do_not_allocate_after_warm_up() {
    use crate::support::net::captures::{self, Order, Pcap};
    use gamewire::capture::{Reader, Transport};
    use gamewire::transport::{tcp, websocket};

    /// Feeds a segment to a stream and a WebSocket decoder, and returns the number of messages. If
    /// the TCP stream is not a WebSocket, the decoder fails at its start.
    fn feed(tcp: tcp::Segment<'_>, side: &mut (tcp::Stream, websocket::Decoder)) -> usize {
        let (stream, decoder) = side;
        let mut messages = 0;
        let mut count = |event: websocket::Event<'_>| {
            messages += usize::from(matches!(event, websocket::Event::Message(_)));
        };
        stream.feed(tcp, |event| {
            if let tcp::Event::Bytes(bytes) = event {
                let _ = decoder.feed(bytes, &mut count);
            }
        });
        messages
    }

    for name in captures::NAMES {
        let mut packets = captures::packets(name);
        // The first packets stay in order, since they open the connections.
        for pair in packets[20..].chunks_exact_mut(2) {
            pair.swap(0, 1);
        }
        let count = packets.len();
        let twice = [&packets[..], &packets].concat();
        let order = Order { big: true };
        for file in [
            captures::pcap(&twice, Pcap::Micros, order),
            captures::pcapng(&twice, captures::Block::Enhanced, Some(9), order),
        ] {
            let mut reader = Reader::new(&file[..]);
            let new = || (tcp::Stream::new(), websocket::Decoder::new());
            let mut sides = [new(), new()];
            let mut round = || {
                let mut received = (0, 0);
                for _ in 0..count {
                    let segment = reader.next_packet().unwrap().unwrap().segment().unwrap();
                    let side = usize::from(segment.source.port() < segment.destination.port());
                    match segment.transport {
                        Transport::Tcp(tcp) => received.0 += feed(tcp, &mut sides[side]),
                        Transport::Udp { payload } => received.1 += payload.len(),
                    }
                }
                for (stream, decoder) in &mut sides {
                    stream.reset();
                    decoder.reset();
                }
                received
            };
            let first = round();
            let again = without_allocating(name, round);
            assert_eq!(first, again);
            assert_eq!(first.0, if name == "ws" { 656 } else { 0 }, "messages in {name}");
        }
    }
}
