//! Tests `packets --write` and `wireshark-lua`.

use crate::command::{empty_folder, gamewire, output_on, root, run, shown};
use crate::support::net::captures::{self, NAMES};
use serde_json::Value;
use std::fs;
use std::io::{Read, Write};
use std::process::Stdio;

/// A packet of a pcapng file: its link type, data and comments.
struct Packet {
    link_type: u16,
    data: Vec<u8>,
    comments: Vec<String>,
}

fn word(bytes: &[u8], at: usize) -> usize {
    u32::from_le_bytes(bytes[at..at + 4].try_into().unwrap()) as usize
}

fn half(bytes: &[u8], at: usize) -> usize {
    usize::from(u16::from_le_bytes([bytes[at], bytes[at + 1]]))
}

/// Reads the blocks that the program writes, in little-endian order.
fn packets(file: &[u8]) -> Vec<Packet> {
    let (mut links, mut packets, mut at) = (Vec::new(), Vec::new(), 0);
    while at < file.len() {
        let (kind, len) = (word(file, at), word(file, at + 4));
        let body = &file[at + 8..at + len - 4];
        at += len;
        match kind {
            0x0a0d_0d0a => links.clear(),
            1 => links.push(half(body, 0) as u16),
            6 => {
                let data = body[20..20 + word(body, 12)].to_vec();
                let mut options = &body[20 + data.len().next_multiple_of(4)..];
                let mut comments = Vec::new();
                while options.len() > 4 {
                    let len = half(options, 2);
                    if half(options, 0) == 1 {
                        comments.push(String::from_utf8(options[4..4 + len].to_vec()).unwrap());
                    }
                    options = &options[4 + len.next_multiple_of(4)..];
                }
                packets.push(Packet { link_type: links[word(body, 0)], data, comments });
            }
            _ => {}
        }
    }
    packets
}

/// Returns the JSON in an exported PDU.
fn json(pdu: &[u8]) -> Value {
    let mut rest = pdu;
    loop {
        let (tag, len) = (&rest[..2], usize::from(u16::from_be_bytes([rest[2], rest[3]])));
        let end = tag == [0, 0];
        rest = &rest[4 + len..];
        if end {
            return serde_json::from_slice(rest).unwrap();
        }
    }
}

fn lines_of_json(capture: &str, options: &[&str]) -> Vec<Value> {
    let ran = run(&[&["packets", "--json", capture], options].concat());
    ran.out.lines().map(|line| serde_json::from_str(line).unwrap()).collect()
}

/// Each captured packet is kept, and each packet of the game is a comment and a PDU.
#[test]
fn all_captures_are_annotated() {
    let folder = empty_folder("wireshark/all");
    let out = folder.join("out.pcapng");
    let out = out.to_str().unwrap();
    for name in NAMES {
        let capture = format!("corpus/captures/{name}.pcap");
        let lines = lines_of_json(&capture, &["--all"]);
        shown(run(&["packets", &capture, "--all", "--write", out, "--annotate", "--pdus"]));
        let written = packets(&fs::read(out).unwrap());
        let (pdus, captured): (Vec<_>, Vec<_>) =
            written.into_iter().partition(|packet| packet.link_type == 252);
        let original = captures::packets(name);
        assert!(captured.iter().map(|packet| &packet.data).eq(original.iter().map(|it| &it.data)));
        assert_eq!(pdus.iter().map(|pdu| json(&pdu.data)).collect::<Vec<_>>(), lines, "{name}");
        let comments: Vec<_> = captured.iter().flat_map(|packet| &packet.comments).collect();
        assert_eq!(comments.len(), lines.len());
        for (comment, line) in comments.iter().zip(&lines) {
            let kind = comment.split(' ').next().unwrap();
            assert_eq!(kind, line["kind"].as_str().unwrap());
            if let Some(method) = line["method"].as_str() {
                assert!(comment.contains(&format!(".{method}")), "{comment}");
            }
        }
    }
}

#[test]
fn calls_are_readable() {
    let written = output_on(
        &[
            "packets",
            "--filter",
            "kind=rpc",
            "--methods",
            "corpus/captures/methods.txt",
            "--write",
            "-",
            "-",
        ],
        &fs::read(root("corpus/captures/enet.pcap")).unwrap(),
    );
    assert!(written.status.success());
    let comments: Vec<_> =
        packets(&written.stdout).into_iter().flat_map(|packet| packet.comments).collect();
    let move_call =
        "rpc Main.move(Vector3(1.0, 0.0, 1.0), Vector3(0.5, 0.0, -0.5), 1) by 1210655142";
    assert_eq!(comments[0], move_call);
}

/// Without `--annotate`, only the PDUs are written. A PDU contains the number of its packet in the
/// capture.
#[test]
fn only_pdus() {
    let folder = empty_folder("wireshark/pdus");
    let out = folder.join("out.pcapng");
    let out = out.to_str().unwrap();
    let capture = "corpus/captures/tcp.pcap";
    shown(run(&["packets", "--write", out, "--pdus", capture, capture]));
    let written = packets(&fs::read(out).unwrap());
    assert!(written.iter().all(|packet| packet.link_type == 252 && packet.comments.is_empty()));
    let lines = lines_of_json(capture, &[]);
    let found: Vec<_> = written.iter().map(|packet| json(&packet.data)).collect();
    assert_eq!(found, [&lines[..], &lines].concat());
}

/// While the writer of the capture pauses, the packets before the pause are already written.
#[test]
fn live_captures() {
    for options in [&["--annotate"][..], &["--pdus"]] {
        let capture = fs::read(root("corpus/captures/udp.pcap")).unwrap();
        let whole = output_on(&[&["packets", "--write", "-", "-"], options].concat(), &capture);
        let mut command = gamewire();
        command.args(["packets", "--write", "-", "-"]).args(options);
        let mut child = command.stdin(Stdio::piped()).stdout(Stdio::piped()).spawn().unwrap();
        let (mut stdin, mut stdout) = (child.stdin.take().unwrap(), child.stdout.take().unwrap());
        let first = &captures::packets("udp")[..20];
        let start = captures::pcap(first, captures::Pcap::Micros, captures::ORDERS[0]).len();
        let part =
            output_on(&[&["packets", "--write", "-", "-"], options].concat(), &capture[..start]);
        stdin.write_all(&capture[..start]).unwrap();
        let mut read = vec![0; part.stdout.len()];
        stdout.read_exact(&mut read).unwrap();
        assert!(read == part.stdout);
        stdin.write_all(&capture[start..]).unwrap();
        drop(stdin);
        stdout.read_to_end(&mut read).unwrap();
        assert!(read == whole.stdout);
        assert!(child.wait().unwrap().success());
    }
}

/// The copy of a truncated capture has all of its packets.
#[test]
fn truncated_captures() {
    let capture = fs::read(root("corpus/captures/enet.pcap")).unwrap();
    let ran = output_on(&["packets", "--write", "-", "-"], &capture[..capture.len() - 1]);
    assert_eq!(ran.status.code(), Some(1));
    assert_eq!(packets(&ran.stdout).len(), captures::packets("enet").len() - 1);
    let message = String::from_utf8(ran.stderr).unwrap();
    assert!(message.contains("the file ends inside a record"), "{message}");
}

#[test]
fn options_that_exclude_each_other() {
    for option in ["--json", "--tree", "--quiet", "--stats", "--diagnose"] {
        let ran = run(&["packets", "--write", "x.pcapng", option, "corpus/captures/udp.pcap"]);
        assert_eq!(ran.code, Some(2), "{option}");
    }
    assert_eq!(run(&["packets", "--pdus", "corpus/captures/udp.pcap"]).code, Some(2));
}

/// The files in `integrations/wireshark` are those that the program prints.
#[test]
fn files_of_the_integration() {
    for (name, options) in [("gamewire.lua", &[][..]), ("colorfilters", &["--colors"])] {
        let printed = shown(run(&[&["wireshark-lua"], options].concat()));
        let file = fs::read_to_string(root("integrations/wireshark").join(name)).unwrap();
        assert!(printed == file, "`gamewire wireshark-lua` prints another {name}");
    }
}
