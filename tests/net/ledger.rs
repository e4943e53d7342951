//! Tests the ledger: the rows add up to the captured bytes, and agree with independent counts.

use crate::support::net::captures::{self, Order, Pcap};
use crate::support::net::enet_count::count;
use crate::support::{corpus, fastlz};
use gamewire::capture::{LinkType, Packet, Reader, Reassembler, Segment, Transport};
use gamewire::traffic::methods::MethodNames;
use gamewire::traffic::{Account, Conversations, Group, Ledger, LedgerLimits, Options, RecordKind};
use gamewire::transport::enet::{CompressionMode, DatagramCodec};
use gamewire::transport::tcp::{self, Flags};
use std::collections::BTreeMap;

/// Returns the paths of the captures in the folders `captures` and `captures-2` of the corpus.
fn captures() -> Vec<String> {
    let folders = ["captures", "captures-2"];
    let names = folders.into_iter().flat_map(|folder| {
        let files = std::fs::read_dir(corpus::corpus(folder)).unwrap();
        files.map(move |file| format!("{folder}/{}", file.unwrap().file_name().display()))
    });
    let mut captures: Vec<_> = names.filter(|name| name.ends_with(".pcap")).collect();
    captures.sort();
    assert!(captures.len() >= 18);
    captures
}

/// Reads captures one after the other into a ledger.
fn ledger_of(files: &[&[u8]], options: Options) -> Ledger {
    let (mut ledger, names) = (Ledger::default(), MethodNames::default());
    for file in files {
        let (mut reader, mut conversations) = (Reader::new(*file), Conversations::new(options));
        let mut reassembler = Reassembler::default();
        while let Some(packet) = reader.next_packet().unwrap() {
            let segment = reassembler.segment(&packet);
            ledger.packet(&packet, &segment, conversations.breakdown());
            if let Ok(Some(segment)) = &segment {
                conversations
                    .segment(packet.time, segment, &mut |record| ledger.record(record, &names));
            }
        }
        conversations.finish(&mut |record| ledger.record(record, &names));
        ledger.finish(conversations.breakdown(), reader.offset());
    }
    ledger
}

/// Asserts that the rows add up to the captured bytes, and that only the row for compression may be
/// negative.
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
    let names = captures();
    let files: Vec<_> = names.iter().map(|name| corpus::read(name)).collect();
    for (name, file) in names.iter().zip(&files) {
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

/// For captures of Godot 4 over ENet, compares the rows of the ledger with an independent count.
#[test]
fn rows_of_enet_are_those_of_the_datagrams() {
    let zlib = |body: &[u8]| miniz_oxide::inflate::decompress_to_vec_zlib(body).ok();
    let fastlz = |body: &[u8]| fastlz::decompress(body, 4096);
    let zstd = |body: &[u8]| {
        let mut codec = DatagramCodec::new();
        codec.decompress(CompressionMode::Zstd, body, 4).ok().map(<[u8]>::to_vec)
    };
    let none = |_: &[u8]| None;
    check_enet("captures/enet.pcap", none);
    check_enet("captures/enet_rle.pcap", none);
    check_enet("captures/pps.pcap", none);
    check_enet("captures/relay.pcap", none);
    check_enet("captures-2/enet_fastlz.pcap", fastlz);
    check_enet("captures-2/enet_objects.pcap", none);
    check_enet("captures-2/enet_zlib.pcap", zlib);
    check_enet("captures-2/enet_zstd.pcap", zstd);
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

/// Returns the count and the number of bytes of each row, by the name of the row.
fn by_name(ledger: &Ledger) -> BTreeMap<String, (u64, i64)> {
    ledger.rows().iter().map(|row| (row.name().to_string(), (row.count, row.bytes))).collect()
}

/// In `relay.pcap`, each SYNC packet contains the state of one node, which is a Vector2. Each of
/// the two DELTA packets contains one changed property.
#[test]
fn values_of_state_count_for_their_properties() {
    let rows = by_name(&ledger_of(&[&corpus::read("captures/relay.pcap")], Options::default()));
    assert_eq!(rows["sync Main/Sync"], (1428, 1428 * (3 + 8)));
    assert_eq!(rows["sync Main/Sync:property #0"], (1428, 1428 * 12));
    assert_eq!(rows["delta Main/Sync"], (2, 2 * (1 + 16)));
    assert_eq!(rows["delta Main/Sync:property #0"], (2, 2 * 8));
}

/// Returns a ledger of these segments. Each segment has the time of its capture.
fn ledger_of_segments(segments: &[(Option<i64>, Segment<'_>)], limits: LedgerLimits) -> Ledger {
    let (mut ledger, names) = (Ledger::new(limits), MethodNames::default());
    let mut conversations = Conversations::default();
    for (time, segment) in segments {
        let data = segment.transport.payload();
        let (link_type, original_len) = (LinkType::RAW, data.len() as u32 + 9);
        let packet = Packet { time: *time, link_type, data, original_len, offset: 0 };
        ledger.packet(&packet, &Ok(Some(*segment)), conversations.breakdown());
        conversations.segment(*time, segment, &mut |record| ledger.record(record, &names));
    }
    conversations.finish(&mut |record| ledger.record(record, &names));
    ledger.finish(conversations.breakdown(), 1000);
    check_sums(&ledger);
    ledger
}

const VALUE: &[u8] = &[2, 0, 0, 0, 5, 0, 0, 0];

fn udp(source: u16, payload: &[u8]) -> Segment<'_> {
    let [source, destination] = [source, 1].map(|port| ([10, 0, 0, 1], port).into());
    Segment { source, destination, transport: Transport::Udp { payload } }
}

#[test]
fn buckets_are_merged_at_the_limit() {
    let second = 1_000_000_000;
    let at = |seconds: i64| (Some(seconds * second + 1), udp(2, VALUE));
    let limits = LedgerLimits { buckets: 4, ..LedgerLimits::default() };
    let series = |times: &[i64]| {
        let segments: Vec<_> = times.iter().map(|time| at(*time)).collect();
        let ledger = ledger_of_segments(&segments, limits);
        let series = ledger.series();
        assert_eq!(series.start, second * times[0] + 1);
        let bytes = series.buckets().map(|bucket| bucket[Group::Messages as usize] / 8);
        (series.width / second, bytes.collect::<Vec<_>>())
    };
    assert_eq!(series(&[5]), (1, vec![1]));
    assert_eq!(series(&[5, 5, 8]), (1, vec![2, 0, 0, 1]));
    assert_eq!(series(&[5, 5, 8, 9]), (2, vec![2, 1, 1]));
    assert_eq!(series(&[5, 6, 7, 8, 25]), (8, vec![4, 0, 1]));
    // A time before the first captured time is counted in the first bucket.
    assert_eq!(series(&[5, 8, 1, 8]), (1, vec![2, 0, 0, 2]));
}

#[test]
fn addresses_beyond_the_limit_are_counted_together() {
    let segments: Vec<_> = (2..7).map(|port| (None, udp(port, VALUE))).collect();
    let ledger =
        ledger_of_segments(&segments, LedgerLimits { peers: 2, ..LedgerLimits::default() });
    let peers: Vec<_> = ledger
        .peers()
        .map(|peer| {
            (peer.address.map(|address| address.port()), peer.sent.bytes, peer.packets.count)
        })
        .collect();
    assert_eq!(peers, [(None, 32, 4), (Some(2), 8, 1), (Some(1), 0, 0)]);
    assert_eq!(ledger.not_captured(), 5 * 9);
    assert_eq!(ledger.file_headers(), 1000 - 40);
}

/// Checks that each byte of a TCP stream is counted in only one row, even if it is repeated, early
/// or ignored.
#[test]
fn bytes_of_a_stream_are_counted_once() {
    let tcp = |sequence, flags, payload| {
        let segment = tcp::Segment { sequence, flags: Flags(flags), payload, acknowledgement: 0 };
        (None, Segment { transport: Transport::Tcp(segment), ..udp(2, b"") })
    };
    let frame: &[u8] = &[&[8, 0, 0, 0][..], VALUE].concat();
    let segments = [
        tcp(99, Flags::SYN, b"".as_slice()),
        tcp(100, 0, frame),
        tcp(100, 0, frame),             // sent again
        tcp(124, 0, &frame[..6]),       // early, and never completed
        tcp(112 + (1 << 25), 0, frame), // too far from the stream
    ];
    let rows = by_name(&ledger_of_segments(&segments, LedgerLimits::default()));
    let expected = [
        ("bytes", (1, 6)),
        ("length prefixes", (1, 4)),
        ("outside of the TCP stream", (1, 12)),
        ("retransmissions", (1, 12)),
        ("var", (1, 8)),
    ];
    assert_eq!(rows, expected.map(|(name, sum)| (name.to_owned(), sum)).into());
}

/// Checks that truncated packets, packets of other protocols and packets of other ports are counted
/// in separate rows.
#[test]
fn bytes_that_are_not_read_are_told_apart() {
    let mut packets = captures::packets("enet");
    packets[3].data.truncate(50);
    packets[4].data[12] = 9; // not IP
    let file = captures::pcap(&packets, Pcap::Micros, Order { big: false });
    let ledger = ledger_of(&[&file], Options::default());
    check_sums(&ledger);
    let rows = by_name(&ledger);
    assert_eq!(rows["cut short by the capture"], (1, 50));
    assert_eq!(rows["neither UDP nor TCP"].0, 1);
    assert_eq!(ledger.not_captured(), u64::from(packets[3].original_len) - 50);

    let mut options = Options::default();
    options.port = Some(1);
    let ledger = ledger_of(&[&corpus::read("captures/udp.pcap")], options);
    check_sums(&ledger);
    assert_eq!(by_name(&ledger)["other ports"], (60, 60 * 22 + 24));
}
