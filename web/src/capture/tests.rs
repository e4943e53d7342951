#![allow(clippy::unwrap_used)]

use super::filter::Filter;
use super::list::List;
use super::source::Source;
use gamewire::capture::{Interface, PacketRecord, Reader, Reassembler, Writer};
use gamewire::traffic::json::Members;
use gamewire::traffic::methods::MethodNames;
use gamewire::traffic::{Content, Conversations, Options, Record, RecordKind};
use serde_json::Value;
use std::collections::BTreeMap;
use std::path::Path;
use std::rc::Rc;

impl Source for Vec<u8> {
    fn read_at(&self, offset: u64, to: &mut [u8]) -> Option<usize> {
        let rest = self.get(offset as usize..).unwrap_or_default();
        let len = rest.len().min(to.len());
        to[..len].copy_from_slice(&rest[..len]);
        Some(len)
    }
}

/// Returns all captures of the corpus, with their names.
fn captures() -> Vec<(String, Vec<u8>)> {
    let corpus = Path::new(env!("CARGO_MANIFEST_DIR")).join("../corpus");
    let folders = ["captures", "captures-2", "captures-diagnosis"];
    let files = folders.iter().flat_map(|folder| std::fs::read_dir(corpus.join(folder)).unwrap());
    let paths = files.map(|entry| entry.unwrap().path());
    let is_capture = |path: &std::path::PathBuf| path.extension().is_some_and(|it| it == "pcap");
    let read = |path: std::path::PathBuf| {
        (path.file_name().unwrap().display().to_string(), std::fs::read(&path).unwrap())
    };
    paths.filter(is_capture).map(read).collect()
}

/// Calls a function with each record, decoded with the library alone, and with the number of the
/// captured packet.
fn for_each_record(file: &[u8], all: bool, each: &mut dyn FnMut(&Record<'_>, u64)) {
    let mut options = Options::default();
    options.other_protocols = all;
    let mut conversations = Conversations::new(options);
    let (mut reader, mut reassembler) = (Reader::new(file), Reassembler::default());
    let mut number = 0;
    while let Ok(Some(packet)) = reader.next_packet() {
        number += 1;
        if let Ok(Some(segment)) = reassembler.segment(&packet) {
            conversations.segment(packet.time, &segment, &mut |record| each(record, number));
        }
    }
    conversations.finish(&mut |record| each(record, 0));
}

/// Returns a record as JSON, as `gamewire packets --json` prints it.
fn object(record: &Record<'_>) -> Value {
    let names = MethodNames::default();
    let mut text = String::new();
    let mut members = Members::new(&mut text, &names);
    members.record(record);
    members.finish().unwrap();
    let text = format!("{{{}}}", text.strip_prefix(',').unwrap_or_default());
    let mut value: Value = serde_json::from_str(&text).unwrap();
    let object = value.as_object_mut().unwrap();
    let mut add = |key: &str, value: Value| object.insert(key.into(), value);
    if let Some(time) = record.time {
        let time = format!("{}.{:09}", time / 1_000_000_000, time % 1_000_000_000);
        add("time", serde_json::from_str(&time).unwrap());
    }
    add("src", record.source.to_string().into());
    add("dst", record.destination.to_string().into());
    add("transport", record.transport.to_string().into());
    add("kind", record.kind().to_string().into());
    record.engine.map(|engine| add("engine", engine.to_string().into()));
    record.channel.map(|channel| add("channel", channel.into()));
    record.delivery.map(|delivery| add("delivery", delivery.to_string().into()));
    if record.guessed {
        add("guessed", true.into());
    }
    if let Content::Text(text) = record.content
        && let Ok(value) = serde_json::from_str(text)
    {
        add("value", value);
    }
    value
}

fn is_shown(record: &Record<'_>) -> bool {
    !record.is_control() && !record.is_encrypted()
}

/// Opens a capture with checkpoints every `interval` bytes, which need no more than `memory`.
fn open(file: &[u8], all: bool, interval: u64, memory: usize) -> List {
    let mut list = List::new(Rc::new(file.to_vec()), all);
    list.index.set_limits(interval, memory);
    while !list.read(777).1 {}
    list
}

fn apply(list: &mut List, filter: Filter) {
    list.set_filter(filter);
    while !list.filter(999).1 {}
}

fn export(list: &mut List, is_csv: bool) -> String {
    let mut text = String::new();
    list.start_export(is_csv);
    while !list.export(500, &mut text).1 {}
    text
}

#[test]
fn the_export_is_what_the_library_prints() {
    let mut records = 0;
    for (name, file) in captures() {
        for all in [false, true] {
            let mut expected = Vec::new();
            for_each_record(&file, all, &mut |record, _| {
                if all || is_shown(record) {
                    expected.push(object(record));
                }
            });
            let mut list = open(&file, all, 2000, usize::MAX);
            assert_eq!(list.len(), expected.len() as u64, "{name}");
            let text = export(&mut list, false);
            let lines: Vec<Value> =
                text.lines().map(|line| serde_json::from_str(line).unwrap()).collect();
            for (line, expected) in lines.iter().zip(&expected) {
                assert_eq!(line, expected, "{name}");
            }
            records += lines.len();
        }
    }
    assert!(records > 10_000);
}

#[test]
fn counts_by_kind_are_those_of_the_library() {
    for (name, file) in captures() {
        let list = open(&file, false, 1 << 20, usize::MAX);
        let mut expected = BTreeMap::new();
        let mut of_time: BTreeMap<_, u64> = BTreeMap::new();
        for_each_record(&file, false, &mut |record, _| {
            let sum: &mut (u64, u64) = expected.entry(record.kind().to_string()).or_default();
            sum.0 += 1;
            sum.1 += record.bytes.len() as u64;
            *of_time.entry(record.kind().to_string()).or_default() += 1_u64;
        });
        let summary: Value = serde_json::from_str(&list.summary.json()).unwrap();
        let kinds = summary["kinds"].as_array().unwrap();
        assert_eq!(kinds.len(), expected.len(), "{name}");
        for kind in kinds {
            let (packets, bytes) = expected[kind[0].as_str().unwrap()];
            assert_eq!(
                (kind[1].as_u64(), kind[2].as_u64()),
                (Some(packets), Some(bytes)),
                "{name}"
            );
        }
        // The rows of the ledger are all captured bytes.
        let sum: i64 =
            summary["rows"].as_array().unwrap().iter().map(|row| row[5].as_i64().unwrap()).sum();
        assert_eq!(Some(sum), summary["bytes"].as_i64(), "{name}");
        // The timeline has all packets.
        let timeline: Value = serde_json::from_str(&list.summary.timeline.json()).unwrap();
        for column in timeline["columns"].as_array().unwrap() {
            let packets = column["packets"].as_array().unwrap();
            let sum: u64 = packets.iter().map(|packets| packets.as_u64().unwrap()).sum();
            if let Some(expected) = of_time.get(column["name"].as_str().unwrap()) {
                assert_eq!(sum, *expected, "{name}");
            }
        }
    }
}

/// Opens each capture with many checkpoints, with few, and with one. Requests rows and details from
/// the end to the start, so that each request restores a checkpoint.
#[test]
fn rows_after_a_checkpoint_are_those_of_a_straight_run() {
    for (name, file) in captures() {
        let mut whole = open(&file, true, u64::MAX, usize::MAX);
        let count = whole.len();
        let expected = whole.rows(0, count).to_vec();
        assert_eq!(expected.len() as u64, count, "{name}");
        for (interval, memory) in [(500, usize::MAX), (5000, usize::MAX), (1000, 100_000)] {
            let mut list = open(&file, true, interval, memory);
            assert!(list.index.memory() <= memory || list.index.chunks.len() == 1);
            assert_eq!(list.len(), count, "{name}");
            let mut row = count;
            while row > 0 {
                let size = 1 + row % 37;
                let from = row.saturating_sub(size);
                let rows = list.rows(from, size).to_vec();
                assert_eq!(rows, expected[from as usize..][..rows.len()], "{name}, row {from}");
                assert_eq!(rows.len() as u64, (count - from).min(size), "{name}, row {from}");
                row = from.saturating_sub(250);
            }
            for row in (0..count).step_by(397) {
                assert_eq!(list.details(row), whole.details(row), "{name}, row {row}");
            }
        }
    }
}

type Accepts = Box<dyn Fn(&Record<'_>) -> bool>;

/// Returns the packets of a capture as a pcapng file, in sections of 100 packets whose interfaces have
/// different clocks.
fn pcapng(file: &[u8]) -> Vec<u8> {
    let (mut reader, mut writer) = (Reader::new(file), Writer::new(Vec::new()));
    let mut number = 0;
    while let Some(packet) = reader.next_packet().unwrap() {
        if number % 100 == 0 {
            writer.section().unwrap();
            let interface = Interface::new(packet.link_type);
            writer.interface(&interface).unwrap();
            writer.interface(&Interface { digits: 6, ..interface }).unwrap();
        }
        let interface = number % 2;
        let time = packet.time.unwrap().cast_unsigned() / if interface == 0 { 1 } else { 1000 };
        let (data, original_len) = (packet.data, packet.original_len);
        let record = PacketRecord { time, data, original_len };
        writer.packet(interface, &record, std::iter::empty()).unwrap();
        number += 1;
    }
    writer.get_mut().clone()
}

#[test]
fn both_formats_give_the_same_rows() {
    let names = ["enet.pcap", "ws.pcap", "ip_fragments.pcap"];
    for (name, file) in captures().into_iter().filter(|(name, _)| names.contains(&&**name)) {
        let mut old = open(&file, true, u64::MAX, usize::MAX);
        let mut new = open(&pcapng(&file), true, 700, usize::MAX);
        let count = old.len();
        assert_eq!(new.len(), count, "{name}");
        let expected = old.rows(0, count).to_vec();
        for from in (0..count).rev().step_by(150) {
            let rows = new.rows(from, 100);
            assert_eq!(rows, &expected[from as usize..][..rows.len()], "{name}, row {from}");
            assert_eq!(rows.len() as u64, (count - from).min(100), "{name}");
        }
    }
}

/// Returns filters, each with a function that returns `true` for the records that it accepts.
fn filters() -> Vec<(Filter, Accepts)> {
    let rpc = 1 << RecordKind::Rpc as u32 | 1 << RecordKind::Ping as u32;
    let plain = Filter::default;
    let contains = |record: &Record<'_>, text: &str| {
        let path = record.node.and_then(|node| node.path);
        let path = path.map(|path| path.to_string_lossy().to_lowercase()).unwrap_or_default();
        path.contains(text)
    };
    vec![
        (
            Filter { only: rpc, ..plain() },
            Box::new(|record| matches!(record.kind(), RecordKind::Rpc | RecordKind::Ping)),
        ),
        (
            Filter { errors: true, ..plain() },
            Box::new(|record| matches!(record.kind(), RecordKind::Malformed | RecordKind::Lost)),
        ),
        (
            Filter { peer: "1".into(), ..plain() },
            Box::new(|record| {
                let ids = [record.peer, record.relay, record.announced_peer()];
                is_shown(record) && ids.contains(&Some(1))
            }),
        ),
        (
            Filter { peer: "127.0.0.1:24".into(), ..plain() },
            Box::new(|record| {
                let addresses = [record.source, record.destination].map(|it| it.to_string());
                let contains = addresses.iter().any(|it| it.contains("127.0.0.1:24"));
                is_shown(record) && contains
            }),
        ),
        (
            Filter { member: "main".into(), only: 1, ..plain() },
            Box::new(move |record| record.kind() == RecordKind::Rpc && contains(record, "main")),
        ),
        (
            Filter { text: " rpc ".into(), ..plain() },
            Box::new(|record| record.kind() == RecordKind::Rpc),
        ),
    ]
}

#[test]
fn filters_keep_what_they_accept() {
    let mut hits = 0;
    // The largest captures take long without optimisation.
    let captures = captures().into_iter().filter(|(_, file)| file.len() < 60_000);
    for (name, file) in captures {
        for (filter, accepts) in filters() {
            let mut expected = Vec::new();
            for_each_record(&file, false, &mut |record, _| {
                if accepts(record) {
                    expected.push(object(record));
                }
            });
            let mut list = open(&file, false, 3000, usize::MAX);
            apply(&mut list, filter);
            assert_eq!(list.len(), expected.len() as u64, "{name}");
            let lines = export(&mut list, false);
            let lines: Vec<Value> =
                lines.lines().map(|line| serde_json::from_str(line).unwrap()).collect();
            assert!(lines == expected, "{name}");
            for row in (0..list.len()).step_by(31) {
                let details: Value = serde_json::from_str(&list.details(row)).unwrap();
                assert_eq!(details["record"], expected[row as usize], "{name}");
            }
            hits += expected.len();
            apply(&mut list, Filter::default());
            let shown = open(&file, false, u64::MAX, usize::MAX).len();
            assert_eq!(list.len(), shown, "{name}");
        }
    }
    assert!(hits > 1000);
}

#[test]
fn a_filter_of_times_keeps_the_packets_between_them() {
    let (name, file) = captures().into_iter().find(|(name, _)| name == "enet.pcap").unwrap();
    let mut times = Vec::new();
    for_each_record(&file, false, &mut |record, _| {
        if is_shown(record) {
            times.extend(record.time);
        }
    });
    let (from, to) = (times[times.len() / 3], times[times.len() / 2]);
    let expected = times.iter().filter(|time| (from..=to).contains(time)).count();
    let mut list = open(&file, false, 1000, usize::MAX);
    apply(&mut list, Filter { times: Some((from, to)), ..Filter::default() });
    assert_eq!(list.len(), expected as u64, "{name}");
}

#[test]
fn details_lead_to_the_bytes() {
    for (name, file) in captures() {
        let mut expected = Vec::new();
        for_each_record(&file, false, &mut |record, number| {
            if is_shown(record) {
                expected.push((number, record.bytes.to_vec()));
            }
        });
        let mut list = open(&file, false, 4000, usize::MAX);
        for (row, (number, bytes)) in (0..).zip(&expected).step_by(13) {
            let details: Value = serde_json::from_str(&list.details(row)).unwrap();
            assert_eq!(details["frame"].as_u64().unwrap_or(0), *number, "{name}");
            assert_eq!(details["len"], bytes.len(), "{name}");
            if let Some(at) = details["at"].as_u64() {
                assert_eq!(file[at as usize..][..bytes.len()], bytes[..], "{name}");
            }
        }
    }
}

#[test]
fn a_capture_that_is_cut_off_keeps_its_packets() {
    let (_, file) = captures().into_iter().find(|(name, _)| name == "ws.pcap").unwrap();
    let mut list = open(&file[..file.len() / 2 + 3], false, 1000, usize::MAX);
    let (text, offset) = list.fault.clone().unwrap();
    assert!(text.contains("ends inside a record"), "{text}");
    assert!(offset < file.len() as u64 / 2);
    let mut expected = 0;
    for_each_record(&file[..file.len() / 2 + 3], false, &mut |record, _| {
        expected += u64::from(is_shown(record));
    });
    assert_eq!(list.len(), expected);
    assert_eq!(list.rows(0, u64::MAX).len() as u64, expected);
}

#[test]
fn a_stopped_list_ends_where_it_was_stopped() {
    let (_, file) = captures().into_iter().find(|(name, _)| name == "pps.pcap").unwrap();
    let mut list = List::new(Rc::new(file), false);
    list.index.set_limits(1000, usize::MAX);
    for _ in 0..30 {
        list.read(500);
        let count = list.len();
        assert_eq!(list.rows(0, u64::MAX).len() as u64, count);
    }
    list.stop();
    let count = list.len();
    assert!(count > 10);
    assert!(list.read(1000).1);
    apply(&mut list, Filter { text: "→".into(), ..Filter::default() });
    assert_eq!(list.len(), count);
}

#[test]
fn csv_has_a_field_for_each_column() {
    let (_, file) = captures().into_iter().find(|(name, _)| name == "enet.pcap").unwrap();
    let mut list = open(&file, false, 1 << 20, usize::MAX);
    let text = export(&mut list, true);
    let fields = |line: &str| {
        let mut is_quoted = false;
        let commas = line.chars().filter(|char| {
            is_quoted ^= *char == '"';
            *char == ',' && !is_quoted
        });
        commas.count()
    };
    let columns = fields(text.lines().next().unwrap());
    assert_eq!(text.lines().count() as u64, 1 + list.len());
    assert!(text.lines().all(|line| fields(line) == columns));
}

#[test]
fn text_that_is_json_is_recognised_like_serde_does() {
    let texts = [
        "5",
        "-0",
        "01",
        "1.",
        "1.5e-3",
        "1e",
        "\"a\\u00e9\"",
        "\"\\x\"",
        "\"\u{1}\"",
        "[]",
        "[ 1 , 2 ]",
        "[1,]",
        "{}",
        "{\"a\": [true, null]}",
        "{a:1}",
        "{\"a\"}",
        "",
        " ",
        "tru",
        "[[[]]]",
        "[1 2]",
        "{\"a\":1,}",
        "\"",
        "nullx",
        "[",
        "]",
    ];
    for text in texts {
        let expected = serde_json::from_str::<Value>(text).ok();
        let found = crate::json_text::compact(text);
        let value = found.as_ref().map(|text| serde_json::from_str::<Value>(text).unwrap());
        assert_eq!(value, expected, "{text}");
        let is_compact = |text: String| !text.contains([' ', '\n']);
        assert!(found.is_none_or(is_compact), "{text}");
    }
}
