//! `packets --stats`: what captured bytes are spent on, as a table, CSV and JSON.

use crate::command::{self, Ran, empty_folder, write_file};
use serde_json::Value;

/// Returns the paths of all captures of the corpus.
fn captures() -> Vec<String> {
    let names = ["corpus/captures", "corpus/captures-2"].into_iter().flat_map(|folder| {
        let files = std::fs::read_dir(command::root(folder)).unwrap();
        files.map(move |file| format!("{folder}/{}", file.unwrap().file_name().display()))
    });
    let mut captures: Vec<_> = names.filter(|name| name.ends_with(".pcap")).collect();
    captures.sort();
    captures
}

fn path(name: &str) -> String {
    format!("corpus/{name}.pcap")
}

#[track_caller]
fn run(args: &[&str]) -> String {
    let Ran { code, out, err } = command::run(&[&["packets", "--stats"], args].concat());
    assert_eq!(code, Some(0), "{err}");
    out
}

fn document(args: &[&str]) -> Value {
    serde_json::from_str(&run(&[&["--json"], args].concat())).unwrap()
}

/// Returns the sum of a column of a CSV table.
fn sum_of(table: &str, column: &str) -> f64 {
    let mut lines = table.lines().map(|line| line.rsplit(',').collect::<Vec<_>>());
    let heads = lines.next().unwrap();
    let index = heads.iter().position(|head| *head == column).unwrap();
    lines.map(|fields| fields[index].parse::<f64>().unwrap()).sum()
}

/// Checks that the bytes in each view add up to the number of captured bytes. Also checks that this
/// number plus the size of the headers in the file is the size of the file.
#[test]
fn sums_are_the_captured_bytes() {
    for path in captures() {
        let name = &path;
        let document = document(&[&path]);
        let captured = document["captured"]["bytes"].as_i64().unwrap();
        let rows = document["rows"].as_array().unwrap();
        let sum: i64 = rows.iter().map(|row| row["bytes"].as_i64().unwrap()).sum();
        assert_eq!(sum, captured, "{name}");
        let size = std::fs::metadata(command::root(&path)).unwrap().len() as i64;
        assert_eq!(captured + document["file_headers"].as_i64().unwrap(), size, "{name}");
        let buckets = document["series"]["buckets"].as_array().unwrap();
        let in_time = buckets.iter().flat_map(|bucket| bucket.as_array().unwrap());
        let in_time: i64 = in_time.map(|bytes| bytes.as_i64().unwrap()).sum();
        assert_eq!(in_time, captured, "{name}");
        for view in ["method", "node", "layer", "second"] {
            let table = run(&["--csv", "--by", view, &path]);
            assert_eq!(sum_of(&table, "bytes"), captured as f64, "{name} by {view}");
        }
        let table = run(&["--csv", "--by", "peer", &path]);
        assert_eq!(sum_of(&table, "bytes_sent"), captured as f64, "{name}");
        assert_eq!(sum_of(&table, "bytes_received"), captured as f64, "{name}");
    }
}

/// Checks that the statistics of several captures are added up in one table.
#[test]
fn captures_are_added_up() {
    let paths = captures();
    let paths: Vec<_> = paths.iter().map(String::as_str).collect();
    let document = document(&paths);
    let each = paths.iter().map(|path| self::document(&[path]));
    let captured: i64 = each.map(|one| one["captured"]["bytes"].as_i64().unwrap()).sum();
    assert_eq!(document["captured"]["bytes"].as_i64().unwrap(), captured);
    let rows = document["rows"].as_array().unwrap();
    assert_eq!(rows.iter().map(|row| row["bytes"].as_i64().unwrap()).sum::<i64>(), captured);
}

#[test]
fn rows_are_sorted() {
    let names = |sort: &str| {
        let table = run(&["--csv", "--sort", sort, &path("captures/enet")]);
        let lines = table.lines().skip(1).map(|line| {
            let fields: Vec<_> = line.split(',').collect();
            let number = |index: usize| fields[index].parse::<i64>().unwrap();
            (fields[0].to_owned(), number(2), number(3))
        });
        lines.collect::<Vec<_>>()
    };
    let (bytes, packets, name) = (names("bytes"), names("packets"), names("name"));
    assert!(bytes.is_sorted_by_key(|row| std::cmp::Reverse(row.2)));
    assert!(packets.is_sorted_by_key(|row| std::cmp::Reverse(row.1)));
    assert!(name.is_sorted_by_key(|row| row.0.clone()));
    assert_eq!(bytes.len(), name.len());
}

/// Packets that a filter or a port excludes have separate rows, so the sum of all rows is still the
/// number of captured bytes.
#[test]
fn excluded_packets_have_a_row() {
    let enet = path("captures/enet");
    let all = run(&["--csv", &enet]);
    let row = |table: &str, name: &str| {
        let line = table.lines().find(|line| line.starts_with(name)).map(str::to_owned);
        line.map(|line| line.split(',').nth(3).unwrap().parse::<i64>().unwrap())
    };
    let calls = run(&["--csv", "--filter", "kind=rpc", &enet]);
    assert_eq!(sum_of(&calls, "bytes"), sum_of(&all, "bytes"));
    assert_eq!(row(&calls, "rpc Main.#0"), row(&all, "rpc Main.#0"));
    assert_eq!((row(&calls, "sync Main/Sync"), row(&all, "other records")), (None, None));
    assert!(row(&calls, "other records").unwrap() > 20_000);
    let other = run(&["--csv", "--port", "1", &enet]);
    assert_eq!(sum_of(&other, "bytes"), sum_of(&all, "bytes"));
    assert!(row(&other, "other ports").unwrap() > 40_000);
}

/// With --json and --csv, nothing but the statistics is printed.
#[test]
fn documents_contain_no_packets() {
    let udp = path("captures/udp");
    let lines = run(&["--csv", &udp]);
    assert!(
        lines.starts_with("name,share,packets,bytes,bytes_per_packet,bytes_per_s\n"),
        "{lines}"
    );
    assert_eq!(lines.lines().count(), 5);
    let document = document(&[&udp]);
    let row = &document["rows"][3];
    assert_eq!(row["name"], "var");
    assert_eq!((&row["packets"], &row["bytes"]), (&60.into(), &1344.into()));
    assert_eq!(document["kinds"][0]["kind"], "var");
    assert_eq!(document["largest"].as_array().unwrap().len(), 10);
}

#[test]
fn rows_name_nodes_and_members() {
    let document = document(&[&path("captures-2/enet_fastlz")]);
    let rows = document["rows"].as_array().unwrap();
    let row = |name: &str| rows.iter().find(|row| row["name"] == name).unwrap();
    let call = row("rpc Main.#3");
    assert_eq!((&call["path"], &call["method"]), (&"Main".into(), &"#3".into()));
    let state = row("delta Main/World/P1/Weapon/WSync:property #0");
    assert_eq!((&state["kind"], &state["property"]), (&"delta".into(), &0.into()));
    let spawned = row("sync net id 2:property #0 from 127.0.0.1:25002");
    assert_eq!((&spawned["net_id"], &spawned["layer"]), (&2.into(), &"state".into()));
    let gain = row("compression gain");
    assert_eq!(gain["bytes"], -23917);
}

#[test]
fn options_need_stats() {
    for option in [&["--csv"][..], &["--by", "node"], &["--sort", "name"]] {
        let ran = command::run(&[&["packets"], option, &["corpus/captures/udp.pcap"]].concat());
        assert_eq!(ran.code, Some(2));
        assert!(ran.err.contains("--stats"), "{}", ran.err);
    }
}

/// Writes the page of `--report`. Returns the page and its data.
fn report(name: &str, args: &[&str]) -> (String, Value) {
    let folder = empty_folder(&format!("report/{name}"));
    let path = folder.join("report.html");
    let report = ["packets", "--report", path.to_str().unwrap()];
    let Ran { code, out, err } = command::run(&[&report, args].concat());
    assert_eq!((code, &*out, &*err), (Some(0), "", ""));
    let page = std::fs::read_to_string(path).unwrap();
    let (_, data) = page.split_once("id=\"data\">").unwrap();
    let (data, rest) = data.split_once("</script>").unwrap();
    assert_eq!(rest.matches("</script>").count(), 1, "the data end the element");
    let data = serde_json::from_str(data).unwrap();
    (page, data)
}

/// The page contains the same statistics as `--stats --json`, and loads no other files.
#[test]
fn page_of_a_report() {
    for name in ["captures/relay", "captures/ws", "captures-2/tcp_mixed"] {
        let capture = &*path(name);
        let (page, data) = report(name, &[capture]);
        assert_eq!(data["files"], serde_json::json!([capture]));
        assert_eq!(data["statistics"], document(&[capture]));
        for loads in ["src=", "href=", "url(", "@import", "fetch(", "import("] {
            assert!(!page.contains(loads), "{loads}");
        }
    }
    let (_, data) = report("filtered", &["--filter", "kind=rpc", &path("captures/relay")]);
    let rows = data["statistics"]["rows"].as_array().unwrap();
    assert!(rows.iter().any(|row| row["name"] == "other records"));
}

/// A name in the capture or in a list of methods cannot end the data and run as a script.
#[test]
fn names_in_a_report_are_not_markup() {
    let folder = empty_folder("report/names");
    let name = "</script><script>alert(1)</script><!--";
    let methods = write_file(&folder, "methods.txt", format!("Main: {name}\n").as_bytes());
    let (page, data) = report("markup", &["--methods", &methods, &path("captures-2/enet_fastlz")]);
    let rows = data["statistics"]["rows"].as_array().unwrap();
    assert!(rows.iter().any(|row| row["method"] == name));
    assert!(!page.contains("<script>alert"), "the name is escaped");
}

#[test]
fn a_report_that_cannot_be_written_is_an_error() {
    let path = empty_folder("report/errors").join("none/report.html");
    let ran =
        command::run(&["packets", "--report", path.to_str().unwrap(), "corpus/captures/udp.pcap"]);
    assert_eq!((ran.code, &*ran.out), (Some(1), ""));
    assert!(ran.err.starts_with("error: ") && ran.err.contains("report.html"), "{}", ran.err);
}
