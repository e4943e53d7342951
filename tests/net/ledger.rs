//! The ledger: the bytes of all rows together are the captured bytes, and the rows are right.

use crate::support::corpus;
use gamewire::capture::Reader;
use gamewire::traffic::methods::MethodNames;
use gamewire::traffic::{Account, Conversations, Ledger, Options};

/// All captures of the corpus, by their path.
const CAPTURES: [&str; 14] = [
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
    "captures/enet.pcap",
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
        println!("{name}");
        for row in ledger.rows() {
            println!("{:>9} {:>8}  {}", row.bytes, row.count, row.name());
        }
        check_sums(&ledger);
        assert_eq!(ledger.captured().bytes + ledger.file_headers(), file.len() as u64);
    }
    let all: Vec<&[u8]> = files.iter().map(|file| &file[..]).collect();
    let ledger = ledger_of(&all, Options::default());
    check_sums(&ledger);
    let len: usize = files.iter().map(Vec::len).sum();
    assert_eq!(ledger.captured().bytes + ledger.file_headers(), len as u64);
}
