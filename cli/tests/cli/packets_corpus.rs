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
    let output = gamewire()
        .args(["packets", "--json"])
        .args(options)
        .arg(format!("corpus/captures/{name}.pcap"))
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

/// Returns the kind of a received packet, as the log names it, and its values; `None` if the
/// engines do not log such packets.
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

/// Checks a capture of a server and two clients, which authenticate and call each other through the
/// server.
#[test]
fn relay() {
    let packets = packets("relay", &METHODS);
    let port = server_port(&packets);
    let number = |packet: &Json, name: &str| match packet.get(name) {
        Some(Json::Number(number, _)) => Some(*number as i64),
        _ => None,
    };
    // The server also handles packets that are relayed to all, or to all except another peer.
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

/// Checks that the packets before a truncation are printed, then an error with the offset of the
/// truncation.
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
