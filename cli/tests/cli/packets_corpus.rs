//! Compares `gamewire packets` on real captures with the logs of the engines on both sides.

use crate::command::gamewire;
use crate::support::corpus::unhex;
use crate::support::godot::engine_json::Engine;
use crate::support::native_json::{self, Json};
use gamewire::godot::json::Printer;
use gamewire::godot::{Dialect, Reader};
use std::process::Command;

/// Returns the JSON objects that the program prints for a capture.
fn packets(name: &str, options: &[&str]) -> Vec<Json> {
    packets_of(&format!("captures/{name}"), options)
}

/// Returns the JSON objects that the program prints for the capture `corpus/FILE.pcap`.
fn packets_of(file: &str, options: &[&str]) -> Vec<Json> {
    let output = gamewire()
        .args(["packets", "--json"])
        .args(options)
        .arg(format!("corpus/{file}.pcap"))
        .output()
        .unwrap();
    assert_eq!(String::from_utf8_lossy(&output.stderr), "");
    assert!(output.status.success());
    let text = String::from_utf8(output.stdout).unwrap();
    text.lines().map(|line| native_json::parse(line).unwrap()).collect()
}

fn text<'a>(json: &'a Json, name: &str) -> &'a str {
    json.get(name).and_then(Json::as_str).unwrap_or_default()
}

fn is(json: &Json, name: &str, wanted: &str) -> bool {
    text(json, name) == wanted
}

/// Returns the kind and the values of a received packet, as an engine logs them. Returns `None` if
/// the engines do not log packets of this kind.
fn received(packet: &Json) -> Option<(String, Json)> {
    match text(packet, "kind") {
        "rpc" => {
            let name = format!("rpc {}", text(packet, "method"));
            Some((name, packet.get("args").unwrap().clone()))
        }
        "raw" => Some(("bytes".into(), bytes(packet))),
        "auth" if !text(packet, "bytes").is_empty() => Some(("auth".into(), bytes(packet))),
        "var" => Some(("var".into(), packet.get("value").unwrap().clone())),
        _ => None,
    }
}

fn bytes(packet: &Json) -> Json {
    let numbers = unhex(text(packet, "bytes")).into_iter();
    Json::Array(numbers.map(|byte| Json::Number(byte.into(), byte.to_string())).collect())
}

/// Returns the kind and the values in a line of a log, as [`received`] returns them.
fn logged(line: &Json) -> (String, Json) {
    let kind = text(line, "kind");
    if let Some(hex) = line.get("hex").and_then(Json::as_str) {
        let mut text = String::new();
        let packet = unhex(hex);
        Reader::new(&packet, Dialect::Godot3).visit(&mut Printer::new(&mut text)).unwrap();
        let value = native_json::parse(&text).unwrap();
        return match kind {
            "bytes" => ("bytes".into(), args(&value.as_array().unwrap()[0])),
            _ => (kind.into(), value),
        };
    }
    let value = native_json::parse(text(line, "value")).unwrap();
    match kind {
        "bytes_from" => ("bytes".into(), args(&value.as_array().unwrap()[1])),
        "auth_from" => ("auth".into(), args(&value.as_array().unwrap()[1])),
        "udp" | "tcp" | "pps" => ("var".into(), value),
        _ => (kind.into(), value),
    }
}

fn args(json: &Json) -> Json {
    json.get("args").unwrap().clone()
}

/// Asserts that the log of one side contains the packets that were sent to it, in order.
fn same(name: &str, sent: &[(String, Json)], log: &str) {
    let lines = crate::support::corpus::lines(&format!("captures/{log}.jsonl"));
    let logged: Vec<_> = lines.iter().map(logged).collect();
    // The clients' logs also contain local calls, which are not on the wire.
    let local = log.ends_with("client") && !name.starts_with("relay");
    let wanted = logged.iter().filter(|(kind, _)| !(local && kind == "rpc move"));
    let wanted: Vec<_> = wanted.collect();
    assert_eq!(sent.len(), wanted.len(), "{log}");
    let engine = Engine { dialect: Dialect::Godot4, single: true, reread: false };
    for (index, ((kind, value), (logged_kind, logged))) in sent.iter().zip(wanted).enumerate() {
        assert_eq!(kind, logged_kind, "{log}, {index}");
        engine.alike(value, logged).unwrap_or_else(|error| panic!("{log}, {index}: {error}"));
    }
}

const METHODS: [&str; 2] = ["--methods", "corpus/captures/methods.txt"];

/// Compares a capture of a server and one client with the logs of both sides. The sides are
/// identified by their addresses.
fn pair(name: &str, transport: &str, engine: &str) {
    let packets = packets(name, &METHODS);
    assert!(packets.len() >= 40, "{name}");
    for packet in &packets {
        assert!(is(packet, "transport", transport) && is(packet, "engine", engine), "{packet:?}");
        assert!(!is(packet, "kind", "malformed"), "{packet:?}");
        let node = packet.get("node_id").is_some() && !is(packet, "kind", "confirm_path");
        assert!(!node || packet.get("path").is_some(), "{packet:?}");
    }
    let port = server_port(&packets);
    for (log, to_server) in [("server", true), ("client", false)] {
        let file = format!("{name}.{log}");
        if !crate::support::corpus::corpus(&format!("captures/{file}.jsonl")).exists() {
            continue;
        }
        let to = |packet: &&Json| text(packet, "dst").ends_with(&port) == to_server;
        let sent: Vec<_> = packets.iter().filter(to).filter_map(received).collect();
        same(name, &sent, &file);
    }
}

/// Returns `:PORT` for the server. It has the lower port, since the system assigns higher ports to
/// clients.
fn server_port(packets: &[Json]) -> String {
    let port = |address: &str| address.rsplit_once(':').unwrap().1.parse::<u16>().unwrap();
    let ports = [text(&packets[0], "src"), text(&packets[0], "dst")].map(port);
    format!(":{}", ports[0].min(ports[1]))
}

#[test]
fn enet() {
    pair("enet", "enet", "godot4");
}

#[test]
fn enet_compressed() {
    pair("enet_rle", "enet", "godot4");
}

#[test]
fn godot3_enet() {
    pair("godot3_enet", "enet", "godot3");
}

#[test]
fn godot3_enet_compressed() {
    pair("godot3_enet_rle", "enet", "godot3");
}

#[test]
fn websocket() {
    pair("ws", "websocket", "godot4");
}

#[test]
fn udp() {
    pair("udp", "udp", "godot4");
}

#[test]
fn tcp() {
    pair("tcp", "tcp", "godot4");
}

#[test]
fn packet_peer_stream() {
    pair("pps", "tcp", "godot4");
}

/// Checks a capture of a server and two clients. The clients authenticate, and call each other's
/// methods through the server.
#[test]
fn relay() {
    let packets = packets("relay", &METHODS);
    let port = server_port(&packets);
    let number = |packet: &Json, name: &str| match packet.get(name) {
        Some(Json::Number(number, _)) => Some(*number as i64),
        _ => None,
    };
    // The server also handles packets that are relayed to all, or to all except one other peer.
    let to_server: Vec<_> = packets
        .iter()
        .filter(|packet| text(packet, "dst").ends_with(&port))
        .filter(|packet| number(packet, "relay").is_none_or(|peer| peer <= 0 && peer != -1))
        .filter_map(received)
        .collect();
    same("relay", &to_server, "relay.server");

    let mut clients: Vec<_> = packets.iter().map(|packet| text(packet, "dst")).collect();
    clients.retain(|client| !client.ends_with(&port));
    clients.sort();
    clients.dedup();
    assert_eq!(clients.len(), 2);
    for client in clients {
        let mine: Vec<_> = packets.iter().filter(|packet| is(packet, "dst", client)).collect();
        // Find the log of this client: the calls in it name the client's id as the receiver.
        let id = packets
            .iter()
            .find(|packet| is(packet, "src", client))
            .and_then(|packet| number(packet, "peer"))
            .unwrap();
        let log = ["relay.client1", "relay.client2"].into_iter().find(|log| {
            let lines = crate::support::corpus::lines(&format!("captures/{log}.jsonl"));
            lines.iter().any(|line| text(line, "value").contains(&format!("to {id} from")))
        });
        let sent: Vec<_> = mine.into_iter().filter_map(received).collect();
        same("relay", &sent, log.unwrap());
    }
    let relayed = packets.iter().filter(|packet| packet.get("relay").is_some());
    let resolved =
        relayed.filter(|packet| is(packet, "kind", "rpc")).map(|packet| text(packet, "path"));
    assert!(resolved.clone().count() > 50);
    assert!(resolved.into_iter().all(|path| path == "Main"));
}

/// Checks a capture that ends within a packet. The complete packets are printed, and then an error
/// that states the offset at which the capture ends.
#[test]
fn a_capture_that_is_cut_off() {
    let whole = crate::support::corpus::read("captures/udp.pcap");
    let path = std::env::temp_dir().join(format!("gamewire-cut-{}.pcap", std::process::id()));
    std::fs::write(&path, &whole[..whole.len() - 5]).unwrap();
    let run = |options: &[&str]| {
        let mut command = Command::new(env!("CARGO_BIN_EXE_gamewire"));
        command.arg("packets").args(options).arg(&path).output().unwrap()
    };
    let output = run(&["--json"]);
    assert_eq!(output.status.code(), Some(1));
    assert_eq!(String::from_utf8(output.stdout).unwrap().lines().count(), 59);
    let message = String::from_utf8(output.stderr).unwrap();
    assert!(message.starts_with("error: ") && message.contains(": offset "), "{message}");
    // The option `--port` with an unused port selects no packet.
    assert!(run(&["--json", "--port", "1"]).stdout.is_empty());
    std::fs::remove_file(&path).unwrap();
}

/// Returns the kind and the values of a line in a log of `captures-2`.
fn logged_2(line: &Json) -> (String, Json) {
    let value = native_json::parse(text(line, "value")).unwrap();
    match text(line, "kind") {
        "rpc" => {
            let path = text(line, "path").trim_start_matches("/root/");
            (format!("rpc {path}.{}", text(line, "method")), value)
        }
        "bytes" => ("bytes".into(), args(&value)),
        kind => (kind.into(), value),
    }
}

/// Returns what the receiver of a packet logs, in the form of [`logged_2`].
fn received_2(packet: &Json) -> Vec<(String, Json)> {
    match text(packet, "kind") {
        "rpc" => {
            let name = format!("rpc {}.{}", text(packet, "path"), text(packet, "method"));
            vec![(name, packet.get("args").unwrap().clone())]
        }
        "raw" => vec![("bytes".into(), bytes(packet))],
        "spawn" => vec![("spawned".into(), Json::String(format!("s:{}", text(packet, "name"))))],
        "sync" => {
            let records = packet.get("records").unwrap().as_array().unwrap();
            records.iter().map(|it| ("sync_in".into(), it.get("args").unwrap().clone())).collect()
        }
        _ => Vec::new(),
    }
}

/// Returns `true` if a packet has the values that the receiver logged. For a byte array, scripts
/// logged its length and a hash.
fn is_logged(engine: &Engine, (kind, sent): &(String, Json), logged: &(String, Json)) -> bool {
    if kind != &logged.0 {
        return false;
    }
    if kind.ends_with(".blob") {
        let len = args(&sent.as_array().unwrap()[0]).as_array().unwrap().len();
        return logged.1.as_array().unwrap()[0].as_str() == Some(&format!("i:{len}"));
    }
    engine.alike(sent, &logged.1).is_ok()
}

/// Asserts that every call, byte packet, spawn and state that a side logged was sent to it. On each
/// side, at most four packets may be missing from the log, because the sender closed the connection
/// right after it had sent them. Returns the number of logged packets.
fn all_logged(name: &str, options: &[&str]) -> usize {
    let scripts = ["--scripts", "corpus/captures-2/project"];
    let packets = packets_of(&format!("captures-2/{name}"), &[&scripts[..], options].concat());
    let port = server_port(&packets);
    let mut calls = 0;
    for (log, to_server) in [("server", true), ("client1", false)] {
        let to = |packet: &&Json| text(packet, "dst").ends_with(&port) == to_server;
        let mut sent: Vec<_> = packets.iter().filter(to).flat_map(received_2).collect();
        let lines = crate::support::corpus::lines(&format!("captures-2/{name}.{log}.jsonl"));
        let own = if to_server { 1 } else { client_id(name) };
        for line in &lines {
            // Skips the calls of a script to itself, which are not on the wire.
            if line.get("from").is_some() && crate::support::corpus::number(line, "from") == own {
                continue;
            }
            let logged = logged_2(line);
            if !matches!(&logged.0[..3], "rpc" | "byt" | "spa" | "syn") {
                continue;
            }
            let engine = Engine { dialect: Dialect::Godot4, single: true, reread: false };
            let found = sent.iter().position(|sent| is_logged(&engine, sent, &logged));
            sent.remove(found.unwrap_or_else(|| panic!("{name}.{log}: {logged:?}")));
            calls += 1;
        }
        assert!(sent.len() <= 4, "{name}.{log}: {sent:?}");
    }
    assert!(packets.iter().all(|packet| !is(packet, "kind", "malformed")));
    calls
}

/// Returns the id of the client. The server logged this id when the client connected.
fn client_id(name: &str) -> usize {
    let lines = crate::support::corpus::lines(&format!("captures-2/{name}.server.jsonl"));
    let connected = lines.iter().find(|line| is(line, "kind", "connected")).unwrap();
    let id = native_json::parse(text(connected, "value")).unwrap();
    id.as_str().unwrap().trim_start_matches("i:").parse().unwrap()
}

#[test]
fn enet_with_other_compressions() {
    for (name, mode, least) in
        [("enet_fastlz", "fastlz", 500), ("enet_zlib", "zlib", 500), ("enet_zstd", "zstd", 300)]
    {
        let detected = all_logged(name, &[]);
        assert!(detected > least, "{detected}");
        assert_eq!(all_logged(name, &["--enet-compressor", mode]), detected);
    }
}

#[test]
fn enet_with_a_wrong_compression() {
    for (name, mode) in [
        ("enet_fastlz", "zlib"),
        ("enet_fastlz", "zstd"),
        ("enet_zlib", "fastlz"),
        ("enet_zlib", "range-coder"),
        ("enet_zlib", "none"),
        ("enet_zstd", "zlib"),
        ("enet_zstd", "fastlz"),
        ("enet_zstd", "range-coder"),
    ] {
        let packets = packets_of(&format!("captures-2/{name}"), &["--enet-compressor", mode]);
        let malformed = packets.iter().filter(|packet| is(packet, "kind", "malformed")).count();
        assert!(malformed >= 38, "{name} as {mode}: {malformed}");
    }
}

/// Checks a game that allows objects in calls, and sends an object in every eighth call.
#[test]
fn enet_with_objects() {
    assert!(all_logged("enet_objects", &[]) > 500);
    let packets = packets_of("captures-2/enet_objects", &[]);
    let full = packets.iter().filter(|packet| is(packet, "objects", "full")).count();
    assert!(full >= 10, "{full}");
    assert!(packets.iter().all(|packet| packet.get("unread").is_none()));
}

/// Objects in calls of Godot 3. Instead of an object, the scripts logged the name of its class.
#[test]
fn godot3_enet_with_objects() {
    let name = "captures-2/godot3_enet_objects";
    let packets = packets_of(name, &[]);
    assert!(packets.iter().all(|packet| !is(packet, "kind", "malformed")));
    assert!(packets.iter().all(|packet| packet.get("unread").is_none()));
    let port = server_port(&packets);
    let engine = Engine { dialect: Dialect::Godot4, single: true, reread: false };
    let mut objects = 0;
    for (log, to_server) in [("server", true), ("client1", false)] {
        let to = |packet: &&Json| text(packet, "dst").ends_with(&port) == to_server;
        let sent = packets.iter().filter(to).filter_map(received);
        let lines = crate::support::corpus::lines(&format!("{name}.{log}.jsonl"));
        let is_sent = |line: &&Json| match text(line, "kind") {
            "connected" => false,
            // The log also has calls that the script made to itself, which were not sent.
            "rpc move" => (crate::support::corpus::number(line, "from") == 1) != to_server,
            _ => true,
        };
        let lines = lines.iter().filter(is_sent);
        let logged: Vec<_> = lines.map(logged).collect();
        let mut count = 0;
        for ((kind, value), (logged_kind, logged)) in sent.zip(&logged) {
            assert_eq!(kind, *logged_kind);
            if kind == "rpc obj" {
                let parts = |value: &Json| value.as_array().unwrap().to_vec();
                let [object, list] = &parts(&value)[..] else { panic!("{value:?}") };
                let [class, logged_list] = &parts(logged)[..] else { panic!("{logged:?}") };
                assert_eq!(class.as_str().unwrap(), format!("s:{}", text(object, "type")));
                engine.alike(list, logged_list).unwrap();
                objects += 1;
            } else {
                engine.alike(&value, logged).unwrap();
            }
            count += 1;
        }
        assert_eq!(count, logged.len());
    }
    assert_eq!(objects, 6);
}

#[test]
fn enet_with_repeated_datagrams() {
    assert!(all_logged("lossy_dup", &[]) > 500);
}

/// Returns the packets that were sent to the server.
fn to_server(name: &str) -> Vec<Json> {
    let packets = packets_of(&format!("captures-2/{name}"), &[]);
    let port = server_port(&packets);
    packets.into_iter().filter(|packet| text(packet, "dst").ends_with(&port)).collect()
}

const ENGINE: Engine = Engine { dialect: Dialect::Godot4, single: true, reread: false };

/// A stream with big-endian lengths: the client sends two values, which the server logs and returns.
#[test]
fn tcp_big_endian() {
    let packets = packets_of("captures-2/tcp_be", &[]);
    assert!(packets.iter().all(|packet| is(packet, "kind", "var")));
    let sent = to_server("tcp_be");
    let lines = crate::support::corpus::lines("captures-2/tcp_be.server.jsonl");
    assert_eq!((packets.len(), sent.len(), lines.len()), (30, 20, 10));
    let returned = packets.iter().filter(|packet| !text(packet, "dst").ends_with(":25041"));
    for ((sent, returned), logged) in sent.chunks(2).zip(returned).zip(&lines) {
        let sent = sent.iter().map(|packet| packet.get("value").unwrap().clone()).collect();
        ENGINE.alike(&Json::Array(sent), logged).unwrap();
        ENGINE.alike(returned.get("value").unwrap(), logged).unwrap();
    }
}

/// Checks a game's own protocol. Each message consists of a byte, a length-prefixed text, a number,
/// a length-prefixed value, and a floating-point number. Each value that the server logged is
/// reported, and so are the bytes around it.
#[test]
fn tcp_with_a_protocol_of_the_game() {
    let sent = to_server("tcp_mixed");
    let inside = |packet: &Json| match packet.get("values") {
        Some(values) => values.as_array().unwrap().iter().map(value).collect(),
        None if is(packet, "kind", "var") => vec![value(packet)],
        None => Vec::new(),
    };
    let values: Vec<_> = sent.iter().flat_map(inside).collect();
    let hex: String = sent.iter().map(|packet| text(packet, "bytes")).collect();
    let lines = crate::support::corpus::lines("captures-2/tcp_mixed.server.jsonl");
    assert_eq!((values.len(), lines.len()), (10, 10));
    for (index, (line, value)) in lines.iter().zip(&values).enumerate() {
        ENGINE.alike(value, &line.as_array().unwrap()[3]).unwrap();
        let name: String = format!("join {index}").bytes().map(|it| format!("{it:02x}")).collect();
        assert!(hex.contains(&name), "{index}");
    }
    assert!(sent.iter().all(|packet| is(packet, "kind", "bytes") || is(packet, "kind", "var")));
}

fn value(packet: &Json) -> Json {
    packet.get("value").unwrap().clone()
}

/// Text and binary messages of a `WebSocketPeer`.
#[test]
fn websocket_messages_of_scripts() {
    let packets = packets_of("captures-2/ws_raw", &[]);
    let port = server_port(&packets);
    for (log, to_server) in [("server", true), ("client1", false)] {
        let to = |packet: &&Json| text(packet, "dst").ends_with(&port) == to_server;
        let mut sent = packets.iter().filter(to);
        for line in crate::support::corpus::lines(&format!("captures-2/ws_raw.{log}.jsonl")) {
            let packet = sent.next().unwrap();
            let is_text = line.get("text") == Some(&Json::Bool(true));
            assert_eq!(is(packet, "kind", "text"), is_text, "{packet:?}");
            assert!(is_text || is(packet, "kind", "var"), "{packet:?}");
            let logged = native_json::parse(text(&line, "value")).unwrap();
            if is_text {
                let bytes = text(packet, "text").bytes();
                let sent = bytes.map(|byte| Json::Number(byte.into(), byte.to_string()));
                assert_eq!(Json::Array(sent.collect()), args(&logged));
            }
        }
        assert!(sent.next().is_none());
    }
}
