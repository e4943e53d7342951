//! Cuts fuzzing seeds out of the captures and a debugger stream. Writes the seeds and the
//! dictionaries for fuzzing to the directory in the variable `GAMEWIRE_SEEDS`, which `fuzz/seed`
//! sets:
//!
//! ```text
//! GAMEWIRE_SEEDS=fuzz/corpus cargo test --all-features --test net fuzz_seeds
//! ```

use crate::laws;
use crate::laws::Step;
use crate::support::net::captures::{
    self, Block, NAMES, ORDERS, OTHER_COMPRESSIONS, PROBLEMS, Pcap,
};
use crate::support::{corpus, damage};
use gamewire::capture::{Reader, Transport};
use gamewire::godot::frame::Frames;
use gamewire::godot::{Dialect, Kind};
use gamewire::traffic::{Content, Conversations};
use gamewire::transport::enet::Datagram;
use std::collections::{BTreeMap, BTreeSet};
use std::fs;
use std::path::{Path, PathBuf};

/// Maximum length of a seed, which is also the maximum length of an input in `fuzz/campaign`.
const MAX_SEED: usize = 4096;

/// The seeds of each fuzz target.
type Seeds = BTreeMap<&'static str, BTreeSet<Vec<u8>>>;

fn seeds() -> Seeds {
    let mut seeds = Seeds::new();
    for name in NAMES.into_iter().chain(OTHER_COMPRESSIONS) {
        let capture = &captures::file(name)[..];
        files(name, &mut seeds);
        packets(capture, &mut seeds);
        let sides = sides(capture);
        for (number, side) in sides.iter().enumerate() {
            if name.contains("enet") || name == "relay" {
                enet(side, &mut seeds);
            } else if name != "udp" {
                tcp(side, name == "ws", number, &mut seeds);
            }
        }
        conversation(name, &mut seeds);
    }
    for name in PROBLEMS {
        conversation(name, &mut seeds);
    }
    let frames = corpus::read("frames/debugger4.bin");
    for frame in Frames::new(&frames).filter_map(Result::ok) {
        add(&mut seeds, "godot_debugger", frame.bytes);
    }
    add(&mut seeds, "godot_debugger", &frames);
    seeds
}

fn add(seeds: &mut Seeds, target: &'static str, seed: &[u8]) {
    seeds.entry(target).or_default().insert(seed[..seed.len().min(MAX_SEED)].to_vec());
}

/// Adds captures with a few packets in all formats, and one packet with each link layer.
fn files(name: &str, seeds: &mut Seeds) {
    let few = &captures::packets(name)[..8];
    for order in ORDERS {
        for form in [Pcap::Micros, Pcap::Nanos, Pcap::Kuznetsov] {
            add(seeds, "capture", &captures::pcap(few, form, order));
        }
        for form in [Block::Enhanced, Block::Obsolete, Block::Simple] {
            add(seeds, "capture", &captures::pcapng(&few[..5], form, None, order));
        }
    }
    // The fuzz target also reads its input as a packet of each link type.
    for (_, packet) in captures::rewrap(&few[7].data) {
        add(seeds, "capture", &packet);
    }
}

/// Adds the Godot packets of a capture that differ in length, first byte or ninth byte. Adds each
/// packet with and without its first eight bytes.
fn packets(capture: &[u8], seeds: &mut Seeds) {
    let (mut reader, mut conversations) = (Reader::new(capture), Conversations::default());
    let mut seen = BTreeSet::new();
    let mut sides = [Vec::new(), Vec::new()];
    while let Some(packet) = reader.next_packet().unwrap() {
        let segment = packet.segment().unwrap();
        conversations.segment(None, &segment, &mut |record| {
            let bytes = record.bytes;
            let is_packet = matches!(record.content, Content::Godot4(_) | Content::Godot3(_));
            if is_packet {
                let side =
                    &mut sides[usize::from(record.source.port() < record.destination.port())];
                side.push((matches!(record.content, Content::Godot3(_)), bytes.to_vec()));
            }
            if is_packet && seen.insert((bytes.len(), bytes[0], bytes.get(8).copied())) {
                add(seeds, "godot_multiplayer", bytes);
                // In ENet, the first eight bytes of a Godot 3 packet are a prefix.
                add(seeds, "godot_multiplayer", bytes.get(8..).unwrap_or_default());
            }
        });
    }
    for (side, selector) in sides.iter().zip([0x40, 0x60]) {
        peer(side, selector, seeds);
    }
}

/// Adds steps for `laws::multiplayer_peer`: a peer connects, and sends packets of a capture. Bit 5 of
/// the selector chooses the packets of a server, and the two lowest bits choose Godot 3.
fn peer(side: &[(bool, Vec<u8>)], selector: u8, seeds: &mut Seeds) {
    let other: u8 = if selector & 0x20 == 0 { 2 } else { 1 };
    for few in side.chunks(16).step_by(side.len() / 200 + 1) {
        let mut seed = vec![selector | if few[0].0 { 3 } else { 0 }, other << 4];
        for (_, packet) in few {
            let packet = &packet[..packet.len().min(255)];
            seed.extend([other << 4 | 13, packet.len() as u8]);
            seed.extend_from_slice(packet);
        }
        add(seeds, "multiplayer_peer", &seed);
    }
}

/// Returns the payloads of each direction in a capture.
fn sides(capture: &[u8]) -> Vec<Vec<Vec<u8>>> {
    let mut sides = BTreeMap::<_, Vec<Vec<u8>>>::new();
    let mut reader = Reader::new(capture);
    while let Some(packet) = reader.next_packet().unwrap() {
        let segment = packet.segment().unwrap();
        let payload = match segment.transport {
            Transport::Udp { payload } => payload,
            Transport::Tcp(tcp) => tcp.payload,
        };
        sides.entry((segment.source, segment.destination)).or_default().push(payload.to_vec());
    }
    sides.into_values().collect()
}

fn enet(side: &[Vec<u8>], seeds: &mut Seeds) {
    for run in side.chunks(24).step_by(3) {
        let input = laws::enet_input(run.iter().map(Vec::as_slice));
        add(seeds, "enet", &input);
        #[cfg(feature = "host")]
        add(seeds, "enet_host", &input);
    }
    for datagram in side.iter().step_by(5) {
        let body = Datagram::parse(datagram).unwrap().body;
        add(seeds, "enet_range_coder", body);
        add(seeds, "enet_compression", body);
    }
}

fn tcp(side: &[Vec<u8>], is_websocket: bool, number: usize, seeds: &mut Seeds) {
    let stream = side.concat();
    if is_websocket {
        let end = stream.windows(4).position(|four| four == b"\r\n\r\n").unwrap() + 4;
        add(seeds, "websocket", &stream[..end]);
        add(seeds, "websocket", &stream[end..]);
        #[cfg(feature = "host")]
        for seed in [&stream[..], &stream[end..], &stream[..end]] {
            add(seeds, "websocket_host", seed);
        }
    } else {
        for size in [3, 7, 200] {
            add(seeds, "godot_framer", &[&[2, size], &stream[..]].concat());
        }
    }
    // `laws::tcp` reads five bytes per segment: its start in two bytes, its length, a byte that
    // disables the flags if it is 16 or more, and the flags.
    let mut segments = Vec::new();
    let mut start = 0_u16;
    for payload in side {
        let [low, high] = start.to_le_bytes();
        let len = payload.len() as u8 % 100;
        segments.push([low, high, len, 255, 0]);
        start = start.wrapping_add(len.into());
    }
    add(seeds, "tcp", &segments.concat());
    segments.chunks_mut(2 + number).for_each(<[_]>::reverse);
    add(seeds, "tcp", &segments.concat());
}

/// Adds short captures and sequences of steps. The first byte of a seed selects the engine of the
/// capture, or no engine.
fn conversation(name: &str, seeds: &mut Seeds) {
    let first = [0xE0, 0xE1 + u8::from(!name.contains("godot3")), 0x20];
    let packets = captures::packets(name);
    let little = ORDERS[0];
    for (few, first) in packets.chunks(30).step_by(packets.len() / 90 + 1).zip(first.iter().cycle())
    {
        let file = captures::pcap(few, Pcap::Micros, little);
        let seed = [&[*first][..], &file].concat();
        add(seeds, "conversation", &seed);
        add(seeds, "diagnosis", &seed);
    }
    let payloads = captures::payloads(name);
    let some = payloads.iter().filter(|payload| !payload.bytes.is_empty());
    let steps: Vec<_> = some.map(|payload| Step::from_payload(payload, 0)).collect();
    for (few, first) in steps.chunks(24).step_by(3).zip(first.iter().cycle()) {
        let mut seed = vec![*first];
        few.iter().for_each(|step| step.write(&mut seed));
        add(seeds, "conversation", &seed);
        add(seeds, "diagnosis", &seed);
        #[cfg(feature = "serde")]
        {
            let (before, after) = few.split_at(few.len() * 2 / 3);
            add(seeds, "traffic_state", &laws::traffic_state_input(*first, before, after));
        }
    }
}

#[test]
fn seeds_satisfy_the_laws() {
    for (target, seeds) in seeds() {
        let law: fn(&[u8]) = match target {
            "capture" => laws::capture,
            "conversation" => laws::conversation,
            "diagnosis" => laws::diagnosis,
            "enet" => laws::enet,
            "enet_compression" => laws::enet_compression,
            #[cfg(feature = "host")]
            "enet_host" => laws::enet_host,
            "enet_range_coder" => laws::enet_range_coder,
            "godot_debugger" => laws::godot_debugger,
            "godot_framer" => laws::godot_framer,
            "godot_multiplayer" => laws::godot_multiplayer,
            #[cfg(feature = "multiplayer")]
            "multiplayer_peer" => laws::multiplayer_peer,
            #[cfg(not(feature = "multiplayer"))]
            "multiplayer_peer" => |_| {},
            "tcp" => laws::tcp,
            #[cfg(feature = "serde")]
            "traffic_state" => laws::traffic_state,
            "websocket" => laws::websocket,
            #[cfg(feature = "host")]
            "websocket_host" => laws::websocket_host,
            #[cfg(not(feature = "host"))]
            "enet_host" | "websocket_host" => |_| {},
            other => panic!("{other}"),
        };
        assert!((4..2000).contains(&seeds.len()), "{target}: {}", seeds.len());
        seeds.iter().take(40).for_each(|seed| law(seed));
    }
}

/// Strings in Unreal files that determine the format of the bytes after them.
const UNREAL: [&str; 34] = [
    "GVAS",
    "None",
    "ArrayProperty",
    "BoolProperty",
    "ByteProperty",
    "DelegateProperty",
    "DoubleProperty",
    "EnumProperty",
    "FieldPathProperty",
    "FloatProperty",
    "Int16Property",
    "Int64Property",
    "Int8Property",
    "IntProperty",
    "InterfaceProperty",
    "LazyObjectProperty",
    "MapProperty",
    "MulticastInlineDelegateProperty",
    "MulticastSparseDelegateProperty",
    "NameProperty",
    "ObjectProperty",
    "OptionalProperty",
    "SetProperty",
    "SoftObjectProperty",
    "StrProperty",
    "StructProperty",
    "TextProperty",
    "UInt16Property",
    "UInt32Property",
    "UInt64Property",
    "DateTime",
    "Guid",
    "Vector",
    "/Script/CoreUObject",
];

/// The first bytes of compressed blocks and of files: the headers of zlib, gzip and Zstandard
/// (including a skippable frame, and the blocks in a frame), and the signatures, modes and block
/// sizes of Godot's files.
const COMPRESSION: [&[u8]; 20] = [
    b"\x78\x01",
    b"\x78\x5e",
    b"\x78\x9c",
    b"\x78\xda",
    b"\x1f\x8b\x08\0\0\0\0\0\0\x03",
    b"\x1f\x8b\x08\x1e",
    b"\x28\xb5\x2f\xfd",
    b"\x28\xb5\x2f\xfd\x20",
    b"\x28\xb5\x2f\xfd\x24",
    b"\x28\xb5\x2f\xfd\x60",
    b"\x28\xb5\x2f\xfd\x04\x58",
    b"\x50\x2a\x4d\x18\x04\0\0\0",
    b"\x01\0\0",
    b"\x05\0\0",
    b"GCPF",
    b"GDEC",
    b"\x01\0\0\0",
    b"\x02\0\0\0",
    b"\x03\0\0\0",
    b"\0\x10\0\0",
];

/// Returns four dictionaries for libFuzzer (`-dict=`), each with its file name. They contain
/// headers and extreme numbers for Godot packets, type names for Godot's text forms, names for
/// Unreal files, and the first bytes of compressed data.
fn dictionaries() -> [(&'static str, BTreeSet<Vec<u8>>); 4] {
    let mut words = BTreeSet::new();
    let mut names = BTreeSet::new();
    for (&dialect, &kind) in
        Dialect::ALL.iter().flat_map(|it| Kind::ALL.iter().map(move |kind| (it, kind)))
    {
        let (Some(id), Some(name)) = (dialect.id(kind), dialect.type_name(kind)) else { continue };
        // Headers without flags, and headers with the flags for 64 bits, object ids, declared
        // container types and shared containers.
        for flags in [0, 1, 2, 3, 4, 5, 8, 0xc, 0x8000] {
            words.insert((u32::from(id) | flags << 16).to_le_bytes().to_vec());
        }
        names.insert(name.as_bytes().to_vec());
        names.insert(format!("{name}(").into_bytes());
        names.insert(format!("{{\"type\":\"{name}\",\"args\":[").into_bytes());
    }
    words.extend(damage::ODD.map(|number| number.to_le_bytes().to_vec()));
    // Names as they are encoded in Unreal's tables and saves, with their length and a NUL.
    let unreal = UNREAL.iter().flat_map(|word| {
        let counted = [&(word.len() as u32 + 1).to_le_bytes(), word.as_bytes(), b"\0"].concat();
        [word.as_bytes().to_vec(), counted]
    });
    [
        ("godot.dict", words),
        ("godot_text.dict", names),
        ("unreal.dict", unreal.collect()),
        ("compression.dict", COMPRESSION.map(<[u8]>::to_vec).into()),
    ]
}

/// Formats an entry of a dictionary. Every byte is escaped.
fn entry(word: &[u8]) -> String {
    let bytes: String = word.iter().map(|byte| format!("\\x{byte:02x}")).collect();
    format!("\"{bytes}\"\n")
}

#[test]
fn write() {
    let wanted = std::env::var_os("GAMEWIRE_SEEDS").map(PathBuf::from);
    let corpus = wanted.unwrap_or_else(|| Path::new(env!("CARGO_TARGET_TMPDIR")).join("seeds"));
    fs::create_dir_all(&corpus).unwrap();
    for (name, words) in dictionaries() {
        assert!(words.len() >= 20, "{name}: {}", words.len());
        fs::write(corpus.join(name), words.iter().map(|word| entry(word)).collect::<String>())
            .unwrap();
    }
    for (target, seeds) in seeds() {
        let folder = corpus.join(target);
        fs::create_dir_all(&folder).unwrap();
        for (number, seed) in seeds.iter().enumerate() {
            let file = folder.join(format!("captured_{number:03}"));
            fs::write(&file, seed).unwrap();
            assert_eq!(fs::read(&file).unwrap(), *seed);
        }
    }
}
