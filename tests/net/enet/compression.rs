//! Tests datagrams in all of Godot's compression modes, and how a session detects its compression
//! mode. Some datagrams were sent by the engine, and others are written by the tests.

use super::observer::{Observer, command, connect, control, datagram, reliable};
use crate::laws;
use crate::support::corpus::{self, unhex};
use crate::support::net::pcap;
use crate::support::random::Random;
use gamewire::transport::enet::{
    Body, Command, Commands, CompressionMode, Datagram, DatagramCodec, ErrorKind, Event, Limits,
    Session,
};

const COMPRESSED: [CompressionMode; 4] = [
    CompressionMode::RangeCoder,
    CompressionMode::FastLz,
    CompressionMode::Zlib,
    CompressionMode::Zstd,
];

/// Returns the rows of `enet_compressed_datagrams.tsv`: the compression, a datagram and its
/// commands.
fn rows() -> Vec<(CompressionMode, Vec<u8>, Vec<u8>)> {
    let table = corpus::read("captures-2/enet_compressed_datagrams.tsv");
    let row = |line: &str| {
        let [mode, datagram, plain] = line.split('\t').collect::<Vec<_>>()[..] else {
            panic!("{line}: not three cells")
        };
        (mode.parse().unwrap(), unhex(datagram), unhex(plain))
    };
    String::from_utf8(table).unwrap().lines().map(row).collect()
}

fn with_body(body: &[u8]) -> Vec<u8> {
    let datagram = Datagram {
        peer: 0,
        session: 0,
        compressed: true,
        sent_time: Some(1),
        checksum: None,
        body,
    };
    let mut bytes = Vec::new();
    datagram.write(&mut bytes).unwrap();
    bytes
}

fn bytes_of(commands: &[Command<'_>]) -> Vec<u8> {
    let mut bytes = Vec::new();
    commands.iter().for_each(|command| command.write(&mut bytes).unwrap());
    bytes
}

/// Returns a compressed datagram with these commands.
fn compressed(mode: CompressionMode, commands: &[Command<'_>]) -> Vec<u8> {
    let mut codec = DatagramCodec::new();
    with_body(
        codec
            .compress(mode, &bytes_of(commands))
            .unwrap()
            .expect("compression makes the commands shorter"),
    )
}

#[test]
fn datagrams_of_the_engine_are_decompressed_and_detected() {
    let mut codec = DatagramCodec::new();
    for (mode, bytes, plain) in rows() {
        let datagram = Datagram::parse(&bytes).unwrap();
        assert!(datagram.compressed);
        let commands = codec.decompress(mode, datagram.body, datagram.header_len());
        assert_eq!(commands, Ok(&plain[..]), "{mode}");
        let mut session = Session::new(Limits::default());
        let mut events = 0;
        session.feed(&bytes, &mut codec, |event| {
            assert!(!matches!(event, Event::Malformed(_)), "{mode}: {event:?}");
            events += 1;
        });
        assert_eq!((events, session.compression_mode()), (1, Some(mode)));
        // In a session with a different compression, the datagram is malformed.
        for other in CompressionMode::ALL.into_iter().filter(|other| *other != mode) {
            let mut session = Session::new(Limits::default()).compression(other);
            session.feed(&bytes, &mut codec, |event| {
                assert!(matches!(event, Event::Malformed(_)), "{mode} as {other}: {event:?}");
            });
        }
    }
}

/// FastLZ and the range coder compress to the same bytes as the engine.
#[test]
fn captured_datagrams_are_written_back() {
    let mut codec = DatagramCodec::new();
    for (name, mode) in [
        ("captures-2/enet_fastlz", CompressionMode::FastLz),
        ("captures-2/godot3_enet_objects", CompressionMode::FastLz),
        ("captures-2/enet_zlib", CompressionMode::Zlib),
        ("captures-2/enet_zstd", CompressionMode::Zstd),
        ("captures/enet_rle", CompressionMode::RangeCoder),
    ] {
        let is_identical = matches!(mode, CompressionMode::FastLz | CompressionMode::RangeCoder);
        let mut count = 0;
        let capture = pcap::udp(&corpus::read(&format!("{name}.pcap")));
        for udp in &capture {
            let datagram = Datagram::parse(&udp.payload).unwrap();
            let (body, head) = (datagram.body, datagram.header_len());
            if !datagram.compressed {
                assert!(!is_identical || codec.compress(mode, body) == Ok(None));
                continue;
            }
            count += 1;
            let plain = codec.decompress(mode, body, head).unwrap().to_vec();
            assert!(Commands::new(&plain, 0).all(|command| command.is_ok()));
            let coded = codec.compress(mode, &plain).unwrap().map(<[u8]>::to_vec);
            match coded {
                coded if is_identical => assert_eq!(coded.as_deref(), Some(body), "{name}"),
                Some(coded) => assert_eq!(codec.decompress(mode, &coded, head), Ok(&plain[..])),
                None => {}
            }
        }
        assert!(count > 20, "{name}: {count}");
        laws::enet(&laws::enet_input(capture.iter().map(|udp| udp.payload.as_slice())));
    }
}

/// Compresses commands of all lengths and many forms in all modes, and decompresses them again.
#[test]
fn compressed_commands_are_read_back() {
    let mut random = Random::new(3);
    for len in (0..300).chain([1000, 2047, 4000, 4095, 4096]) {
        for form in 0..4 {
            let bytes: Vec<u8> = (0..len)
                .map(|at: usize| match form {
                    0 => random.next() as u8,
                    1 => random.below(2) as u8,
                    2 => (at / 7 % 5) as u8 * 50,
                    _ => b"hello, world. hello, Godot! "[at % 28],
                })
                .collect();
            laws::enet_compression(&bytes);
        }
    }
}

#[test]
fn too_many_commands_are_an_error() {
    let mut codec = DatagramCodec::new();
    for mode in CompressionMode::ALL {
        let error = codec.compress(mode, &[0; 4097]).unwrap_err();
        assert_eq!(*error.kind(), ErrorKind::TooLong);
    }
}

/// ENet's limit of 4,096 bytes applies to the whole datagram, including its header.
#[test]
fn datagram_of_more_than_4096_bytes_is_an_error() {
    let mut codec = DatagramCodec::new();
    for mode in COMPRESSED {
        let body = codec.compress(mode, &[0; 4096]).unwrap().unwrap().to_vec();
        let error = codec.decompress(mode, &body, 4).unwrap_err();
        assert_eq!(*error.kind(), ErrorKind::TooLong, "{mode}");
        assert_eq!(codec.decompress(mode, &body, 0).unwrap().len(), 4096);
    }
    let error = codec.decompress(CompressionMode::None, &[1, 2], 4).unwrap_err();
    assert_eq!((*error.kind(), error.offset()), (ErrorKind::Unsupported, 4));
}

/// Before Godot compresses fewer than 16 bytes of commands with FastLZ, it pads them with zeros.
#[test]
fn padding_of_fastlz_is_removed() {
    let commands = bytes_of(&[reliable(0, "\0\0\0")]);
    assert_eq!(commands.len(), 9);
    let mut codec = DatagramCodec::new();
    // A literal run of 9 bytes, and a zero that is repeated 7 times.
    let body = [&[8][..], &commands, &[0xa0, 0]].concat();
    assert_eq!(codec.decompress(CompressionMode::FastLz, &body, 4), Ok(&commands[..]));
    let mut session = Session::new(Limits::default());
    let mut packets = 0;
    session.feed(&with_body(&body), &mut codec, |event| {
        assert!(matches!(event, Event::Packet(_)), "{event:?}");
        packets += 1;
    });
    assert_eq!(packets, 1);
}

/// Bytes that are not commands keep their padding, because it is not known where the padding
/// starts.
#[test]
fn padding_after_other_bytes_than_commands_is_kept() {
    let bytes = [0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 1, 8, 0x3c];
    let mut codec = DatagramCodec::new();
    let body = codec.compress(CompressionMode::FastLz, &bytes).unwrap().unwrap().to_vec();
    let padded = [&bytes[..], &[0]].concat();
    assert_eq!(codec.decompress(CompressionMode::FastLz, &body, 4), Ok(&padded[..]));
    laws::enet_compression(&bytes);
}

/// The first compressed datagram of a session determines its compression. Later datagrams in a
/// different compression are malformed.
#[test]
fn session_keeps_its_compression() {
    let text = &"the same words, ".repeat(9)[..];
    for mode in COMPRESSED {
        let mut observer = Observer::connected();
        observer.feed_bytes(&compressed(mode, &[reliable(1, text)]));
        assert_eq!(observer.take(), [format!("r0:1={text}")], "{mode}");
        for other in COMPRESSED.into_iter().filter(|other| *other != mode) {
            observer.feed_bytes(&compressed(other, &[reliable(2, text)]));
            let events = observer.take();
            assert!(!events.is_empty() && events.iter().all(|event| !event.contains("r0")));
        }
        observer.feed_bytes(&compressed(mode, &[reliable(2, text)]));
        assert_eq!(observer.take(), [format!("r0:2={text}")], "{mode}");
        // A new connection can use a different compression. Its first datagram is also compressed.
        for other in COMPRESSED {
            let commands = [control(connect(77 + other as u32)), reliable(1, text)];
            let mut fresh = Observer::connected();
            fresh.feed_bytes(&compressed(mode, &[reliable(1, text)]));
            fresh.feed(&[control(connect(77 + other as u32))]);
            fresh.take();
            fresh.feed_bytes(&compressed(other, &commands));
            assert_eq!(fresh.take().last(), Some(&format!("r0:1={text}")), "{mode} {other}");
        }
    }
}

/// A body that both FastLZ and the range coder decode to an acknowledgement.
const AMBIGUOUS: [u8; 10] = [0x02, 0x01, 0x9c, 0x04, 0x04, 0xdd, 0x2f, 0xa1, 0x7e, 0xeb];

/// Feeds a datagram to a session, and returns the channels of the commands in it.
fn channels(session: &mut Session, datagram: &[u8]) -> Vec<u8> {
    let mut channels = Vec::new();
    session.feed(datagram, &mut DatagramCodec::new(), |event| match event {
        Event::Control(command) => channels.push(command.channel),
        Event::Packet(packet) => channels.push(packet.channel),
        other => panic!("{other:?}"),
    });
    channels
}

#[test]
fn ambiguous_datagram_decides_nothing() {
    let mut codec = DatagramCodec::new();
    for (mode, channel) in [(CompressionMode::RangeCoder, 1), (CompressionMode::FastLz, 0x9c)] {
        let commands = codec.decompress(mode, &AMBIGUOUS, 4).unwrap();
        let command = Commands::new(commands, 0).next().unwrap().unwrap();
        assert!(matches!(command.body, Body::Acknowledge(_)));
        assert_eq!((commands.len(), command.channel), (8, channel));
    }
    let mut session = Session::new(Limits::default());
    assert_eq!(channels(&mut session, &with_body(&AMBIGUOUS)), [1]);
    assert_eq!(session.compression_mode(), None);
    let text = "certain, certain, certain";
    let certain = compressed(CompressionMode::FastLz, &[reliable(1, text)]);
    assert_eq!(channels(&mut session, &certain), [0]);
    assert_eq!(session.compression_mode(), Some(CompressionMode::FastLz));
    assert_eq!(channels(&mut session, &with_body(&AMBIGUOUS)), [0x9c]);
    // After the start of the next connection, the mode is unknown again, but the previous mode is
    // tried first.
    let connect = datagram(&bytes_of(&[control(connect(7))]));
    assert_eq!(channels(&mut session, &connect), [255]);
    assert_eq!(session.compression_mode(), None);
    assert_eq!(channels(&mut session, &with_body(&AMBIGUOUS)), [0x9c]);
    assert_eq!(session.compression_mode(), None);
}

/// Random bytes do not decode to commands. (A few random bytes can be the output of the range coder
/// for a single command, so the test uses at least 20 bytes.)
#[test]
fn random_bodies_are_malformed() {
    let mut random = Random::new(4);
    let mut codec = DatagramCodec::new();
    for mode in COMPRESSED {
        let mut session = Session::new(Limits::default());
        session.learn_compression(mode);
        for _ in 0..2000 {
            let body: Vec<u8> = (0..20 + random.below(40)).map(|_| random.next() as u8).collect();
            let mut commands = 0;
            session.feed(&with_body(&body), &mut codec, |event| {
                commands += usize::from(!matches!(event, Event::Malformed(_)));
            });
            assert_eq!(commands, 0, "{mode} {body:x?}");
        }
    }
    let ping = command(255, 1, Body::Ping);
    assert_eq!(codec.compress(CompressionMode::FastLz, &bytes_of(&[ping])), Ok(None));
}
