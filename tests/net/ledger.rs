//! The ledger: the bytes of all rows together are the captured bytes, and the rows are right.

use crate::support::net::enet_count::count;
use crate::support::{corpus, fastlz};
use gamewire::capture::Reader;
use gamewire::traffic::methods::MethodNames;
use gamewire::traffic::{Account, Conversations, Ledger, Options, RecordKind};

/// All captures of the corpus, by their path.
const CAPTURES: [&str; 13] = [
    "captures/enet.pcap",
    "captures/enet_rle.pcap",
    "captures/godot3_enet.pcap",
    "captures/godot3_enet_rle.pcap",
    "captures/pps.pcap",
    "captures/relay.pcap",
    "captures/tcp.pcap",
    "captures/udp.pcap",
    "captures/ws.pcap",
    "captures-2/enet_fastlz.pcap",
    "captures-2/enet_objects.pcap",
    "captures-2/enet_zlib.pcap",
    "captures-2/lossy_dup.pcap",
];

/// Reads captures one after the other into a ledger.
fn ledger_of(files: &[&[u8]], options: Options) -> Ledger {
    let (mut ledger, names) = (Ledger::default(), MethodNames::default());
    for file in files {
        let (mut reader, mut conversations) = (Reader::new(*file), Conversations::new(options));
        while let Some(packet) = reader.next_packet().unwrap() {
            let segment = packet.segment();
            ledger.packet(&packet, segment.as_ref(), conversations.breakdown());
            if let Ok(segment) = &segment {
                conversations
                    .segment(packet.time, segment, &mut |record| ledger.record(record, &names));
            }
        }
        conversations.finish(&mut |record| ledger.record(record, &names));
        ledger.finish(conversations.breakdown(), reader.offset());
    }
    ledger
}

/// Asserts that the rows are the captured bytes, and that only compression is negative.
fn check_sums(ledger: &Ledger) {
    let rows = ledger.rows();
    let sum: i64 = rows.iter().map(|row| row.bytes).sum();
    assert_eq!(sum, ledger.captured().bytes as i64);
    for row in rows {
        assert!(row.bytes >= 0 || row.account == Account::Compression, "{} {row:?}", row.name());
    }
}

#[test]
fn rows_are_the_captured_bytes() {
    let files = CAPTURES.map(corpus::read);
    for (name, file) in CAPTURES.iter().zip(&files) {
        let ledger = ledger_of(&[file], Options::default());
        check_sums(&ledger);
        let sum = ledger.captured().bytes + ledger.file_headers();
        assert_eq!(sum, file.len() as u64, "{name}");
        assert_eq!(ledger.not_captured(), 0, "{name}");
    }
    let all: Vec<&[u8]> = files.iter().map(|file| &file[..]).collect();
    let ledger = ledger_of(&all, Options::default());
    check_sums(&ledger);
    let len: usize = files.iter().map(Vec::len).sum();
    assert_eq!(ledger.captured().bytes + ledger.file_headers(), len as u64);
}

/// Compares the rows of the captures of Godot 4 over ENet with a count that was written apart.
#[test]
fn rows_of_enet_are_those_of_the_datagrams() {
    let zlib = |body: &[u8]| miniz_oxide::inflate::decompress_to_vec_zlib(body).ok();
    let fastlz = |body: &[u8]| fastlz::decompress(body, 4096);
    let none = |_: &[u8]| None;
    check_enet("captures/enet.pcap", none);
    check_enet("captures/enet_rle.pcap", none);
    check_enet("captures/pps.pcap", none);
    check_enet("captures/relay.pcap", none);
    check_enet("captures-2/enet_fastlz.pcap", fastlz);
    check_enet("captures-2/enet_objects.pcap", none);
    check_enet("captures-2/enet_zlib.pcap", zlib);
    check_enet("captures-2/lossy_dup.pcap", none);
}

fn check_enet(name: &str, decompress: impl Fn(&[u8]) -> Option<Vec<u8>>) {
    let file = corpus::read(name);
    let (ledger, count) = (ledger_of(&[&file], Options::default()), count(&file, decompress));
    let rows = ledger.rows();
    let sum = |is: &dyn Fn(Account) -> bool| {
        let rows = rows.iter().filter(|row| is(row.account));
        rows.fold((0, 0), |(count, bytes), row| (count + row.count, bytes + row.bytes))
    };
    for (account, expected) in [
        (Account::EnetDatagrams, count.datagrams),
        (Account::EnetCommands, count.commands),
        (Account::Acknowledgements, count.acknowledgements),
        (Account::Pings, count.pings),
        (Account::Connection, count.control),
        (Account::Repeated, count.repeated),
        (Account::Late, count.late),
        (Account::Addressing, count.relays),
    ] {
        assert_eq!(sum(&|other| other == account), expected, "{name}: {account}");
    }
    assert_eq!(sum(&|account| account == Account::Compression).1, count.gain, "{name}");
    assert_eq!(sum(&|account| account == Account::Incomplete).1, 0, "{name}");
    for (message, kinds) in [
        (0, &[RecordKind::Rpc][..]),
        (1, &[RecordKind::SimplifyPath]),
        (2, &[RecordKind::ConfirmPath]),
        (3, &[RecordKind::Raw]),
        (4, &[RecordKind::Spawn]),
        (5, &[RecordKind::Despawn]),
        (6, &[RecordKind::Sync, RecordKind::Delta]),
        (7, &[RecordKind::Auth, RecordKind::AddPeer, RecordKind::DelPeer]),
    ] {
        let is = |account| kinds.iter().any(|kind| account == Account::Packets(*kind));
        let expected = count.packets.get(&message).map_or(0, |sum| sum.1);
        assert_eq!(sum(&is).1, expected, "{name}: {kinds:?}");
    }
}
