//! The hot paths: operations that programs repeat for every packet.

use super::callgrind::Counter;
use super::checksum::Checksum;
use super::packets::{
    PACKETS, STATE, WAYS, at_level, nested, over_index, reader, through_views, traverse,
};
use super::{derived, state};
use gamewire::capture::Reader;
use gamewire::godot::multiplayer::godot4::{Packet, PacketWriter};
use gamewire::godot::multiplayer::{NodeRef, Run};
use gamewire::godot::{Dialect, IndexEntry, Level, Vector3, Writer, from_bytes, to_writer};
use gamewire::traffic::methods::MethodNames;
use gamewire::traffic::{Conversations, Ledger};
use std::hint::black_box;

pub const CASES: &str = "hot";

pub fn count(counter: &mut Counter) {
    for (name, packet) in PACKETS {
        // The copy has the alignment of an allocation, regardless of the layout of the program.
        let packet = packet.to_vec();
        for (what, way) in WAYS {
            let mut case = || assert!(way(black_box(&packet)));
            counter.count(&format!("{name}/{what}"), packet.len(), &mut case);
        }
    }
    views(counter);
    index(counter);
    writer(counter);
    serde(counter);
    fields(counter);
    call(counter);
    traffic(counter);
}

fn views(counter: &mut Counter) {
    let packet = STATE.to_vec();
    let mut count = |what, case: &mut dyn FnMut()| {
        counter.count(&format!("state_simple/{what}"), STATE.len(), case);
    };
    count("validate strictly", &mut || {
        black_box(at_level(black_box(&packet), Level::Strict)).unwrap();
    });
    let value = reader(&packet).read().unwrap();
    let dictionary = value.as_dictionary().unwrap();
    count("one key", &mut || {
        let ping = black_box(dictionary).get("ping_ms").and_then(|value| value.as_i64());
        assert_eq!(ping, Some(43));
    });
    for (what, key) in [("find the first key", "match_id"), ("find one key", "ping_ms")] {
        count(what, &mut || {
            assert!(black_box(reader(black_box(&packet)).find(black_box(key))).unwrap().is_some());
        });
    }
    count("views", &mut || {
        let mut sum = Checksum::default();
        through_views(black_box(value), &mut sum);
        black_box(sum.0);
    });
}

fn index(counter: &mut Counter) {
    let mixed = [PACKETS[0], PACKETS[1]].map(|(name, packet)| (name.into(), packet.to_vec()));
    let nested =
        [2, 16, 256, 1024].map(|depth| (format!("ints, {depth} deep"), nested(depth, 4096)));
    let mut memory = vec![IndexEntry::default(); 2048];
    for (name, packet) in mixed.into_iter().chain(nested) {
        let mut count = |what, case: &mut dyn FnMut()| {
            counter.count(&format!("{name}/{what}"), packet.len(), case);
        };
        count("traverse in one pass", &mut || {
            black_box(traverse::<false>(black_box(&packet))).unwrap();
        });
        count("make an index", &mut || {
            black_box(reader(black_box(&packet)).index(&mut memory)).unwrap();
        });
        let index = reader(&packet).index(&mut memory).unwrap();
        let over_index = || over_index::<false>(black_box(&index));
        count("traverse over the index", &mut || {
            black_box(over_index());
        });
        assert_eq!(over_index(), traverse::<false>(&packet).unwrap());
    }
}

fn writer(counter: &mut Counter) {
    let state = state::sample();
    let mut packet = Vec::with_capacity(4096);
    counter.count("state_simple/write", STATE.len(), &mut || {
        packet.clear();
        state::write(black_box(&state), &mut Writer::new(&mut packet, Dialect::Godot4)).unwrap();
    });
    assert_eq!(packet, STATE, "the same bytes as the engine's");
}

fn serde(counter: &mut Counter) {
    let packet = STATE.to_vec();
    counter.count("state_simple/decode by serde", STATE.len(), &mut || {
        black_box(&from_bytes::<derived::State<'_>>(black_box(&packet)).unwrap());
    });
    let state: derived::State<'_> = from_bytes(&packet).unwrap();
    let mut written = Vec::with_capacity(4096);
    counter.count("state_simple/encode by serde", STATE.len(), &mut || {
        written.clear();
        to_writer(&mut Writer::new(&mut written, Dialect::Godot4), black_box(&state)).unwrap();
    });
    assert_eq!(written, STATE, "the same bytes as the engine's");
}

/// Counts the instructions for reading and writing structs that implement `FromFields` and
/// `ToFields`.
fn fields(counter: &mut Counter) {
    let packet = STATE.to_vec();
    counter.count("state_simple/decode by fields", STATE.len(), &mut || {
        let read = reader(black_box(&packet)).read_fields::<derived::State<'_>>();
        assert!(black_box(&read).is_ok());
    });
    let state: derived::State<'_> = reader(&packet).read_fields().unwrap();
    let mut written = Vec::with_capacity(4096);
    counter.count("state_simple/encode by fields", STATE.len(), &mut || {
        written.clear();
        Writer::new(&mut written, Dialect::Godot4).put(black_box(&state)).unwrap();
    });
    assert_eq!(written, STATE, "the same bytes as the engine's");
}

/// Counts the instructions for a remote call, which is a multiplayer packet that contains compact
/// values.
fn call(counter: &mut Counter) {
    let mut packet = Vec::with_capacity(256);
    let position = Vector3 { x: 1.5_f32, y: 0.25, z: -3.0 };
    let mut write = || {
        packet.clear();
        let mut writer = PacketWriter::new(&mut packet, Dialect::Godot4);
        let arguments = black_box((true, 300, "player_one", position, 183.25));
        writer.call(NodeRef::Cached(1), 2, arguments).unwrap();
        packet.len()
    };
    let len = write();
    counter.count("call/write", len, &mut || assert_eq!(write(), len));

    counter.count("call/parse", len, &mut || {
        black_box(arguments(black_box(&packet)));
    });
    counter.count("call/check", len, &mut || arguments(black_box(&packet)).check().unwrap());
    counter.count("call/read", len, &mut || {
        arguments(black_box(&packet)).iter().for_each(|argument| {
            black_box(argument.unwrap());
        });
    });
}

const CAPTURE: &[u8] = include_bytes!("../../corpus/captures/enet.pcap");

/// Counts the instructions for reading a capture, without and with a ledger of its bytes.
fn traffic(counter: &mut Counter) {
    let names = MethodNames::default();
    counter.count("enet.pcap/records", CAPTURE.len(), &mut || {
        let mut records = 0_u64;
        let mut conversations = Conversations::default();
        let mut reader = Reader::new(black_box(CAPTURE));
        while let Some(packet) = reader.next_packet().unwrap() {
            let segment = packet.segment().unwrap();
            conversations.segment(packet.time, &segment, &mut |_| records += 1);
        }
        assert_eq!(black_box(records), RECORDS);
    });
    counter.count("enet.pcap/ledger", CAPTURE.len(), &mut || {
        let (mut records, mut ledger) = (0_u64, Ledger::default());
        let mut conversations = Conversations::default();
        let mut reader = Reader::new(black_box(CAPTURE));
        while let Some(packet) = reader.next_packet().unwrap() {
            let segment = Ok(Some(packet.segment().unwrap()));
            ledger.packet(&packet, &segment, conversations.breakdown());
            if let Ok(Some(segment)) = &segment {
                conversations.segment(packet.time, segment, &mut |record| {
                    ledger.record(record, &names);
                    records += 1;
                });
            }
        }
        assert_eq!((black_box(records), ledger.captured().count), (RECORDS, 739));
    });
}

/// Number of records of [`CAPTURE`].
const RECORDS: u64 = 745;

fn arguments(packet: &[u8]) -> Run<'_> {
    match Packet::parse(packet) {
        Ok(Packet::Call(call)) => call.arguments,
        other => panic!("{other:?}"),
    }
}
