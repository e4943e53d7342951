//! Compares Parquet files with the other output of the same commands.

mod tables;

use crate::command::{empty_folder, root, run, run_on, shown};
use crate::support::native_json::{self, Json};
use parquet::basic::{Compression, LogicalType, Type as Physical};
use parquet::file::properties::ReaderProperties;
use parquet::file::reader::{FileReader, SerializedFileReader};
use parquet::file::serialized_reader::ReadOptionsBuilder;
use parquet::record::{Field, Row};
use parquet::schema::types::ColumnDescriptor;
use std::fs::{self, File};
use std::net::SocketAddr;
use std::path::{Path, PathBuf};

/// Returns the paths of all captures of the corpus.
fn captures() -> Vec<String> {
    let mut captures = Vec::new();
    let mut folders = vec![root("corpus")];
    while let Some(folder) = folders.pop() {
        for entry in fs::read_dir(folder).unwrap() {
            let path = entry.unwrap().path();
            match path.extension().and_then(|extension| extension.to_str()) {
                _ if path.is_dir() => folders.push(path),
                Some("pcap" | "pcapng") => captures.push(path.to_str().unwrap().to_owned()),
                _ => {}
            }
        }
    }
    captures.sort();
    assert!(captures.len() > 20, "{captures:?}");
    captures
}

fn open(path: &Path) -> SerializedFileReader<File> {
    let properties = ReaderProperties::builder().set_read_bloom_filter(true).build();
    let options = ReadOptionsBuilder::new().with_page_index().with_reader_properties(properties);
    SerializedFileReader::new_with_options(File::open(path).unwrap(), options.build()).unwrap()
}

fn rows(path: &Path) -> Vec<Row> {
    open(path).get_row_iter(None).unwrap().map(Result::unwrap).collect()
}

/// Returns all files in a folder and the folders in it, in alphabetical order, relative to it.
fn files(folder: &Path) -> Vec<String> {
    let mut files = Vec::new();
    let mut folders = vec![folder.to_owned()];
    while let Some(inner) = folders.pop() {
        for entry in fs::read_dir(inner).unwrap() {
            let path = entry.unwrap().path();
            match path.is_dir() {
                true => folders.push(path),
                false => {
                    files.push(path.strip_prefix(folder).unwrap().to_str().unwrap().to_owned())
                }
            }
        }
    }
    files.sort();
    files
}

fn field<'r>(row: &'r Row, name: &str) -> &'r Field {
    row.get_column_iter().find(|column| column.0 == name).unwrap().1
}

/// Returns the value of a column in the form that the JSON of `--json` would have.
fn json(column: &str, field: &Field) -> Option<Json> {
    let number = |number: i64| Json::Number(number as f64, number.to_string());
    Some(match field {
        Field::Null => return None,
        Field::Bool(value) => Json::Bool(*value),
        Field::UByte(value) => number((*value).into()),
        Field::UShort(value) => number((*value).into()),
        Field::Int(value) => number((*value).into()),
        Field::UInt(value) => number((*value).into()),
        Field::Long(value) => number(*value),
        Field::Double(value) => Json::Number(*value, value.to_string()),
        Field::Str(text) if ["args", "value", "details"].contains(&column) => {
            native_json::parse(text).unwrap()
        }
        Field::Str(text) => Json::String(text.clone()),
        Field::Bytes(bytes) => {
            Json::String(bytes.data().iter().map(|byte| format!("{byte:02x}")).collect())
        }
        Field::ListInternal(list) => {
            let items = list.elements().iter().map(|item| json("", item).unwrap_or(Json::Null));
            Json::Array(items.collect())
        }
        other => panic!("{column}: {other:?}"),
    })
}

/// The columns that `--json` does not print for all packets.
const ONLY_COLUMNS: [&str; 3] = ["size", "frame", "frame_size"];

/// Returns the columns of a packet that `--json` has printed, apart from [`ONLY_COLUMNS`].
fn expected(packet: &Json, file: &str) -> Vec<(String, Json)> {
    let Json::Object(members) = packet else { panic!("{packet:?}") };
    let number = |number: i64| Json::Number(number as f64, number.to_string());
    let mut columns = vec![("file".to_owned(), Json::String(file.to_owned()))];
    let mut details = Vec::new();
    for (name, value) in members {
        match name.as_str() {
            "time" => {
                let Json::Number(_, text) = value else { panic!("{value:?}") };
                let (seconds, rest) = text.split_once('.').unwrap();
                let time: i64 = format!("{seconds}{rest:0<9}").parse().unwrap();
                columns.push((name.clone(), number(time)));
            }
            "src" | "dst" => {
                let address: SocketAddr = value.as_str().unwrap().parse().unwrap();
                columns.push((name.clone(), Json::String(address.ip().to_string())));
                columns.push((format!("{name}_port"), number(address.port().into())));
            }
            "size" => {}
            "args" => {
                columns.push((name.clone(), value.clone()));
                columns.extend(lists(value.as_array().unwrap()));
            }
            "transport" | "engine" | "guessed" | "channel" | "delivery" | "kind" | "peer"
            | "relay" | "path" | "node_id" | "method" | "net_id" | "value" | "text" | "bytes"
            | "error" | "offset" => columns.push((name.clone(), value.clone())),
            _ => details.push((name.clone(), value.clone())),
        }
    }
    if packet.get("guessed").is_none() {
        columns.push(("guessed".to_owned(), Json::Bool(false)));
    }
    if !details.is_empty() {
        columns.push(("details".to_owned(), Json::Object(details)));
    }
    columns.sort_by(|a, b| a.0.cmp(&b.0));
    columns
}

/// Returns the typed lists of arguments.
fn lists(args: &[Json]) -> Vec<(String, Json)> {
    let text = |arg: &Json, prefix: &str| Some(arg.as_str()?.strip_prefix(prefix)?.to_owned());
    let int = |arg: &Json| {
        let text = text(arg, "i:")?;
        Some(Json::Number(text.parse().unwrap(), text))
    };
    let float = |arg: &Json| {
        let value: f64 = text(arg, "f:").or_else(|| text(arg, "i:"))?.parse().unwrap();
        Some(Json::Number(value, value.to_string()))
    };
    let string = |arg: &Json| text(arg, "s:").or_else(|| text(arg, "sn:")).map(Json::String);
    let list = |name: &str, items: Vec<Option<Json>>| {
        let items = items.iter().any(Option::is_some).then_some(items)?;
        let items = items.into_iter().map(|item| item.unwrap_or(Json::Null));
        Some((name.to_owned(), Json::Array(items.collect())))
    };
    let lists = [
        list("args_int", args.iter().map(int).collect()),
        list("args_float", args.iter().map(float).collect()),
        list("args_text", args.iter().map(string).collect()),
    ];
    lists.into_iter().flatten().collect()
}

fn actual(row: &Row) -> Vec<(String, Json)> {
    let columns = row.get_column_iter().filter(|column| !ONLY_COLUMNS.contains(&column.0.as_str()));
    let columns = columns.filter_map(|(name, field)| Some((name.clone(), json(name, field)?)));
    let mut columns: Vec<_> = columns.collect();
    columns.sort_by(|a, b| a.0.cmp(&b.0));
    columns
}

/// Compares the rows of a file with the JSON of the same captures.
#[track_caller]
fn check_rows(rows: &[Row], packets: &[(String, Json)]) {
    assert_eq!(rows.len(), packets.len());
    for (row, (file, packet)) in rows.iter().zip(packets) {
        assert_eq!(actual(row), expected(packet, file));
    }
}

/// Returns the JSON of all packets of a capture, and its name.
fn packets(capture: &str, options: &[&str]) -> Vec<(String, Json)> {
    let ran = run(&[&["packets", "--json", capture], options].concat());
    ran.out.lines().map(|line| (capture.to_owned(), native_json::parse(line).unwrap())).collect()
}

#[test]
fn rows_have_what_json_has() {
    let folder = empty_folder("parquet/json");
    let mut count = 0;
    for options in [&["--all"][..], &["--filter", "kind=rpc,sync", "--as", "godot4"]] {
        for (index, capture) in captures().iter().enumerate() {
            let file = folder.join(format!("{index}.parquet"));
            let out = file.to_str().unwrap();
            let ran = run(&[&["packets", "--parquet", out, capture], options].concat());
            assert_eq!(ran.out, "");
            let packets = packets(capture, options);
            check_rows(&rows(&file), &packets);
            count += packets.len();
        }
    }
    assert!(count > 10_000, "{count}");
}

#[test]
fn one_file_has_the_rows_of_all_captures_in_order() {
    let folder = empty_folder("parquet/one");
    let file = folder.join("all.parquet");
    let names = ["corpus/captures/ws.pcap", "corpus/captures/enet.pcap"];
    let methods = ["--methods", "corpus/captures/methods.txt"];
    let args = ["packets", "--parquet", file.to_str().unwrap(), names[0], names[1]];
    shown(run(&[&args[..], &methods].concat()));
    let packets = names.map(|name| packets(name, &methods)).concat();
    check_rows(&rows(&file), &packets);
    assert_eq!(files(&folder), ["all.parquet"], "no temporary file is left");
}

/// The second part of a capture lacks the paths that the first part announces.
#[test]
fn a_series_has_the_rows_of_the_whole() {
    let folder = empty_folder("parquet/series");
    let whole = "corpus/captures/enet.pcap";
    let bytes = fs::read(root(whole)).unwrap();
    let (first, rest) = bytes.split_at(24_385);
    let first = crate::command::write_file(&folder, "cap0.pcap", first);
    let second = crate::command::write_file(&folder, "cap1.pcap", &[&bytes[..24], rest].concat());
    let state = crate::command::write_file(&folder, "state", b"");
    let expected = packets(whole, &[]);
    let in_parts = |first_rows: usize| {
        let file = |index| if index < first_rows { first.clone() } else { second.clone() };
        let packets = expected.iter().enumerate();
        packets.map(|(index, (_, packet))| (file(index), packet.clone())).collect::<Vec<_>>()
    };

    let out = folder.join("out/");
    let args = ["packets", "--state-in", &state, "--parquet"];
    shown(run(&[&args[..], &[out.to_str().unwrap(), &first, &second]].concat()));
    let [mut all, last] =
        ["cap0", "cap1"].map(|name| rows(&out.join(format!("{name}.pcap.parquet"))));
    let packets = in_parts(all.len());
    assert!(all.len() > 100 && last.len() > 100);
    all.extend(last);
    check_rows(&all, &packets);

    // Two runs, each of which writes one file.
    let file = folder.join("one.parquet");
    let to_file = ["--parquet", file.to_str().unwrap()];
    let with_state = ["packets", "--state-in", &state, "--state-out", &state];
    shown(run(&[&with_state[..], &to_file, &[&first]].concat()));
    let mut all = rows(&file);
    shown(run(&[&args[..3], &to_file, &[&second]].concat()));
    all.extend(rows(&file));
    check_rows(&all, &packets);
}

#[test]
fn sizes_are_those_of_the_statistics() {
    let folder = empty_folder("parquet/sizes");
    for capture in ["corpus/captures/enet.pcap", "corpus/captures/ws.pcap"] {
        let file = folder.join("sizes.parquet");
        shown(run(&["packets", "--all", "--parquet", file.to_str().unwrap(), capture]));
        let statistics = shown(run(&["packets", "--all", "--stats", "--json", capture]));
        let statistics = native_json::parse(&statistics).unwrap();
        let Some(Json::Array(kinds)) = statistics.get("kinds") else { panic!("{statistics:?}") };
        let rows = rows(&file);
        for kind in kinds {
            let name = kind.get("kind").unwrap().as_str().unwrap();
            let of_kind = rows.iter().filter(|row| *field(row, "kind") == Field::Str(name.into()));
            let sizes = of_kind.map(|row| match field(row, "size") {
                Field::Long(size) => *size as f64,
                other => panic!("{other:?}"),
            });
            let sizes: Vec<_> = sizes.collect();
            let figure = |name| match kind.get(name) {
                Some(Json::Number(figure, _)) => *figure,
                other => panic!("{other:?}"),
            };
            assert_eq!(
                (sizes.len() as f64, sizes.iter().sum()),
                (figure("packets"), figure("bytes"))
            );
        }
    }
}

#[test]
fn times_can_be_microseconds() {
    let folder = empty_folder("parquet/time_unit");
    let file = folder.join("time.parquet");
    let args = ["packets", "--parquet", file.to_str().unwrap(), "corpus/captures/enet.pcap"];
    let long = |row: &Row| match field(row, "time") {
        Field::Long(time) => *time,
        Field::TimestampMicros(time) => *time,
        other => panic!("{other:?}"),
    };
    let times = |options: &[&str]| {
        shown(run(&[&args[..], options].concat()));
        rows(&file).iter().map(long).collect::<Vec<_>>()
    };
    let nanoseconds = times(&["--time-unit", "ns"]);
    assert_eq!(times(&[]), nanoseconds);
    let microseconds = times(&["--time-unit", "us"]);
    assert!(nanoseconds.iter().map(|time| time / 1000).eq(microseconds));
    let schema = open(&file).metadata().file_metadata().schema_descr_ptr();
    assert!(matches!(schema.column(0).logical_type_ref(), Some(LogicalType::Timestamp(time))
        if time.is_adjusted_to_u_t_c && time.unit == parquet::basic::TimeUnit::MICROS));
}

#[test]
fn metadata_helps_readers() {
    let folder = empty_folder("parquet/metadata");
    let file = folder.join("metadata.parquet");
    let methods = ["--methods", "corpus/captures/methods.txt"];
    let args = ["packets", "--parquet", file.to_str().unwrap(), "corpus/captures/enet.pcap"];
    shown(run(&[&args[..], &methods].concat()));
    let reader = open(&file);
    let metadata = reader.metadata();
    let pairs = metadata.file_metadata().key_value_metadata().unwrap();
    let value = |key: &str| pairs.iter().find(|pair| pair.key == key).unwrap().value.clone();
    assert_eq!(value("gamewire.schema").as_deref(), Some("1"));
    assert_eq!(value("gamewire.version").as_deref(), Some(env!("CARGO_PKG_VERSION")));

    let schema = metadata.file_metadata().schema_descr();
    let group = metadata.row_group(0);
    let index_of = |name: &str| {
        schema.columns().iter().position(|column| column.path().string() == name).unwrap()
    };
    let column = |name: &str| group.column(index_of(name));
    let time = schema.column(index_of("time"));
    assert!(matches!(time.logical_type_ref(), Some(LogicalType::Timestamp(time))
        if time.is_adjusted_to_u_t_c && time.unit == parquet::basic::TimeUnit::NANOS));
    for name in [
        "time",
        "src",
        "dst_port",
        "kind",
        "method",
        "path",
        "size",
        "peer",
        "args_int.list.element",
    ] {
        assert!(column(name).statistics().unwrap().min_bytes_opt().is_some(), "{name}");
        assert!(column(name).column_index_offset().is_some(), "{name}");
        assert_eq!(column(name).compression(), Compression::SNAPPY);
    }
    let group = reader.get_row_group(0).unwrap();
    for (name, present, absent) in [("method", "chat", "chats"), ("path", "Main", "Mains")] {
        let filter = group.get_column_bloom_filter(index_of(name)).unwrap();
        assert!(filter.check(&present) && !filter.check(&absent), "{name}");
    }
    assert!(group.get_column_bloom_filter(index_of("kind")).is_none());
}

#[test]
fn a_folder_gets_a_file_for_each_capture() {
    let folder = empty_folder("parquet/folder");
    let out = folder.join("new/out/");
    let copy = folder.join("enet.pcap");
    fs::copy(root("corpus/captures/enet.pcap"), &copy).unwrap();
    let captures = ["corpus/captures/enet.pcap", "corpus/captures/ws.pcap", copy.to_str().unwrap()];
    shown(run(&[&["packets", "--parquet", out.to_str().unwrap()], &captures[..]].concat()));
    let names = ["enet.pcap-2.parquet", "enet.pcap.parquet", "ws.pcap.parquet"];
    assert_eq!(files(&out), names);
    for (name, capture) in names.iter().zip([captures[2], captures[0], captures[1]]) {
        check_rows(&rows(&out.join(name)), &packets(capture, &[]));
    }
    // Captures that are read at the same time are independent, even if one is damaged.
    let bytes = fs::read(root(captures[1])).unwrap();
    let cut = crate::command::write_file(&folder, "cut.pcap", &bytes[..bytes.len() / 2]);
    let damaged = folder.join("damaged/");
    let args = ["packets", "--parquet", damaged.to_str().unwrap(), captures[0], &cut, captures[1]];
    let ran = run(&args);
    assert_eq!((ran.code, ran.err.matches("cut.pcap").count()), (Some(1), 1), "{}", ran.err);
    for (name, capture) in [("enet", captures[0]), ("cut", &cut), ("ws", captures[1])] {
        check_rows(&rows(&damaged.join(format!("{name}.pcap.parquet"))), &packets(capture, &[]));
    }

    let capture = fs::read(root("corpus/captures/udp.pcap")).unwrap();
    shown(run_on(&["packets", "--parquet", out.to_str().unwrap(), "-"], &capture));
    assert_eq!(files(&out).len(), 4);
    assert_eq!(*field(&rows(&out.join("stdin.parquet"))[0], "file"), Field::Str("<stdin>".into()));
}

/// Captures and the parts of a capture get different names, even if their names would collide.
#[test]
fn no_file_replaces_another_of_the_same_command() {
    let folder = empty_folder("parquet/names");
    let enet = "corpus/captures/enet.pcap";
    let copy = |name: &str| {
        let path = folder.join(name);
        fs::create_dir_all(path.parent().unwrap()).unwrap();
        fs::copy(root(enet), &path).unwrap();
        path.to_str().unwrap().to_owned()
    };
    let [second, third] = [copy("in/enet.pcap"), copy("in/enet.pcap-2")];
    let fourth = copy("in/enet.pcap-2-part2");
    let filter = ["--filter", "kind=rpc"];
    let count = packets(enet, &filter).len();
    for (options, parts) in [(&[][..], 1), (&["--roll", "1"], count)] {
        let out = folder.join(format!("out{parts}/"));
        let args = ["packets", "--parquet", out.to_str().unwrap(), &fourth, enet, &second, &third];
        shown(run(&[&args[..], &filter, options].concat()));
        let files = files(&out);
        let rows: usize = files.iter().map(|file| rows(&out.join(file)).len()).sum();
        assert_eq!((files.len() >= 4, rows), (true, 4 * count), "{files:?}");
    }
    let names = ["-2-part2-1", "-2", "-3", ""].map(|end| format!("enet.pcap{end}.parquet"));
    assert_eq!(files(&folder.join("out1")), names);
}

/// Compares the frames of UDP packets with the headers of the records in the capture.
#[test]
fn frames_are_those_of_the_capture() {
    let folder = empty_folder("parquet/frames");
    let path = folder.join("frames.parquet");
    let capture = "corpus/captures/udp.pcap";
    shown(run(&["packets", "--parquet", path.to_str().unwrap(), capture]));
    let bytes = fs::read(root(capture)).unwrap();
    let number = |at: usize| u32::from_le_bytes(bytes[at..at + 4].try_into().unwrap());
    let (mut lens, mut at) = (Vec::new(), 24);
    while at < bytes.len() {
        lens.push(i64::from(number(at + 12)));
        at += 16 + number(at + 8) as usize;
    }
    let long = |row: &Row, name| match field(row, name) {
        Field::Long(value) => *value,
        other => panic!("{other:?}"),
    };
    let rows = rows(&path);
    assert!(rows.len() > 10);
    for row in &rows {
        let [frame, frame_size, size] = ["frame", "frame_size", "size"].map(|name| long(row, name));
        assert_eq!(lens[frame as usize - 1], frame_size);
        assert_eq!(size + 14 + 20 + 8, frame_size, "headers of Ethernet, IPv4 and UDP");
    }
    assert!(rows.is_sorted_by_key(|row| long(row, "frame")));
}

/// Removes the kind of a packet, which is in the path of a file instead.
fn without_kind((file, packet): &(String, Json)) -> (String, Json) {
    let Json::Object(members) = packet else { panic!("{packet:?}") };
    let members = members.iter().filter(|member| member.0 != "kind").cloned();
    (file.clone(), Json::Object(members.collect()))
}

#[test]
fn page_lists_all_columns() {
    let folder = empty_folder("parquet/page");
    let file = folder.join("page.parquet");
    shown(run(&["packets", "--parquet", file.to_str().unwrap(), "corpus/captures/udp.pcap"]));
    check_page(&file, "Columns");
}

/// Compares the columns of a file with the table under a heading of the documentation.
#[track_caller]
fn check_page(file: &Path, heading: &str) {
    let reader = open(file);
    let schema = reader.metadata().file_metadata().schema_descr();
    let columns: Vec<_> = schema.columns().iter().map(|column| page_row(column)).collect();
    let page = fs::read_to_string(root("docs/parquet.md")).unwrap();
    let (_, section) = page.split_once(&format!("\n## {heading}\n")).unwrap();
    let rows = section.lines().skip_while(|line| !line.starts_with("|---"));
    let rows = rows.skip(1).take_while(|line| line.starts_with('|'));
    let start = |row: &'_ str| row[..row.match_indices('|').nth(3).unwrap().0 + 1].to_owned();
    assert_eq!(rows.map(start).collect::<Vec<_>>(), columns);
}

/// Returns the start of the row about a column in the documentation.
fn page_row(column: &ColumnDescriptor) -> String {
    let element = match (column.logical_type_ref(), column.physical_type()) {
        (Some(LogicalType::Timestamp(_)), _) => "timestamp".to_owned(),
        (Some(LogicalType::String), _) => "text".to_owned(),
        (Some(LogicalType::Integer(int)), _) if !int.is_signed => format!("uint{}", int.bit_width),
        (_, Physical::BYTE_ARRAY) => "bytes".to_owned(),
        (_, Physical::BOOLEAN) => "bool".to_owned(),
        (_, other) => other.to_string().to_lowercase(),
    };
    let list = if column.max_rep_level() > 0 { "list of " } else { "" };
    let nullable = if column.max_def_level() > 0 { "yes" } else { "no" };
    format!("| `{}` | {list}{element} | {nullable} |", column.path().parts()[0])
}

#[test]
fn partitions_have_all_rows() {
    let folder = empty_folder("parquet/partitions");
    let captures = ["corpus/captures/enet.pcap", "corpus/captures/ws.pcap"];
    let out = folder.to_str().unwrap();
    let args = ["packets", "--all", "--partition-by", "hour,kind", "--parquet", out];
    shown(run(&[&args[..], &captures].concat()));
    let all = captures.map(|capture| packets(capture, &["--all"])).concat();
    let mut count = 0;
    for file in files(&folder) {
        let parts: Vec<_> = file.split('/').collect();
        let [hour, kind, name] = parts[..] else { panic!("{file}") };
        assert!(hour.starts_with("hour=2026-11-21T0"), "{file}");
        let capture = captures[usize::from(name.starts_with("part-ws.pcap"))];
        let kind = kind.strip_prefix("kind=").unwrap();
        let fits = |(file, packet): &&(String, Json)| {
            file == capture && packet.get("kind").unwrap().as_str() == Some(kind)
        };
        let expected: Vec<_> = all.iter().filter(fits).cloned().collect();
        check_rows(
            &rows(&folder.join(&file)),
            &expected.iter().map(without_kind).collect::<Vec<_>>(),
        );
        count += expected.len();
    }
    assert_eq!(count, all.len());
}

/// A file is completed when too many others are open. Later records of the same hour are in another
/// file.
#[test]
fn few_files_are_open_at_the_same_time() {
    let folder = empty_folder("parquet/many");
    let out = folder.join("out");
    // Twenty hours, twice, with a value in each datagram.
    let datagrams = (0..40).map(|_| (4000, 5000, vec![2, 0, 0, 0, 5, 0, 0, 0])).collect::<Vec<_>>();
    let mut capture = crate::packets::capture("10.0.0.1", &datagrams);
    let record = (capture.len() - 24) / 40;
    for index in 0..40 {
        let seconds = 1_800_000_000 + index as u32 % 20 * 3600;
        capture[24 + index * record..][..4].copy_from_slice(&seconds.to_le_bytes());
    }
    let path = crate::command::write_file(&folder, "hours.pcap", &capture);
    let args = ["packets", "--partition-by", "hour", "--parquet"];
    shown(run(&[&args[..], &[out.to_str().unwrap(), &path]].concat()));
    let files = files(&out);
    let of_part = |end: &str| files.iter().filter(|file| file.ends_with(end)).count();
    assert_eq!((of_part("/part-hours.pcap.parquet"), files.len()), (20, 40), "{files:?}");
    let rows: usize = files.iter().map(|file| rows(&out.join(file)).len()).sum();
    assert_eq!(rows, 40);
}

#[test]
fn rolled_files_continue_in_the_next() {
    let folder = empty_folder("parquet/rolled");
    let out = folder.to_str().unwrap();
    let capture = "corpus/captures/enet.pcap";
    shown(run(&["packets", "--roll", "1", "--parquet", out, capture]));
    // The capture is smaller than a group of rows, so only the magic number is written before a
    // file ends. It is already larger than one byte.
    let files = files(&folder);
    assert!(files.len() > 1, "{files:?}");
    let rows: usize = files.iter().map(|file| rows(&folder.join(file)).len()).sum();
    assert_eq!(rows, packets(capture, &[]).len());
}

#[test]
fn a_truncated_capture_has_the_rows_before_its_end() {
    let folder = empty_folder("parquet/truncated");
    let capture = fs::read(root("corpus/captures/enet.pcap")).unwrap();
    let path = crate::command::write_file(&folder, "cut.pcap", &capture[..50_000]);
    let file = folder.join("cut.parquet");
    let ran = run(&["packets", "--parquet", file.to_str().unwrap(), &path]);
    assert_eq!(ran.code, Some(1));
    assert!(ran.err.contains("cut.pcap"), "{}", ran.err);
    check_rows(&rows(&file), &packets(&path, &[]));
}

#[test]
fn errors_name_the_file() {
    let folder = empty_folder("parquet/errors");
    let capture = "corpus/captures/enet.pcap";
    let missing = folder.join("missing");
    fs::write(&missing, "").unwrap();
    let out = missing.join("out.parquet");
    for out in [out, missing.join("out/")] {
        let ran = run(&["packets", "--parquet", out.to_str().unwrap(), capture, capture]);
        assert_eq!(ran.code, Some(1));
        assert_eq!(ran.err.matches("missing/out").count(), 1, "{}", ran.err);
    }

    let out = PathBuf::from(&folder).join("out.parquet");
    let out = out.to_str().unwrap();
    for (args, part) in [
        (&["--parquet", "out"][..], ".parquet"),
        (&["--parquet", out, "--roll", "1M"], "folder"),
        (&["--parquet", out, "--partition-by", "kind"], "folder"),
        (&["--parquet", out, "--json"], "--json"),
        (&["--parquet", out, "--tree"], "--tree"),
        (&["--parquet", out, "--diagnose"], "--diagnose"),
        (&["--partition-by", "kind"], "--parquet"),
        (&["--parquet", "out/", "--partition-by", "peer"], "peer"),
    ] {
        let ran = run(&[&["packets", capture], args].concat());
        assert!(ran.code == Some(2) && ran.err.contains(part), "{args:?}: {}", ran.err);
    }
    assert_eq!(files(&folder), ["missing"]);
}
