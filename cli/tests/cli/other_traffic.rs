//! Checks what `gamewire packets` prints for traffic that does not consist of the engine's packets.
//! Such traffic can be bytes of a game's own protocol, text messages, encrypted conversations, or
//! other protocols.

use crate::command::{self, Ran, shown};
use crate::packets::capture;
use crate::support::net::captures::{self, ORDERS, Pcap};
use crate::support::net::ip_fragments::Fragment;
use crate::support::strict_json;

const WS: &str = "corpus/captures-2/ws_raw.pcap";
const MIXED: &str = "corpus/captures-2/tcp_mixed.pcap";

fn run_on(args: &[&str], datagrams: &[&[u8]]) -> Ran {
    let datagrams: Vec<_> = datagrams.iter().map(|bytes| (40_000, 7000, bytes.to_vec())).collect();
    let capture = capture("10.0.0.1", &datagrams);
    command::run_on(&[&["packets"], args, &["-"]].concat(), &capture)
}

/// Returns the part of each line after the addresses.
fn lines(out: &str) -> Vec<String> {
    let rest = |line: &str| {
        let (_, after) = line.split_once(" → ").unwrap();
        after.split_once(' ').unwrap().1.split_whitespace().collect::<Vec<_>>().join(" ")
    };
    out.lines().map(rest).collect()
}

/// Bytes of a game's own protocol: one byte, the value `["hp", 5]` preceded by its length, and one
/// more byte.
const INSIDE: &[u8] =
    b"\x09\x1c\0\0\0\x1c\0\0\0\x02\0\0\0\x04\0\0\0\x02\0\0\0hp\0\0\x02\0\0\0\x05\0\0\0\xff";

/// A DTLS record with application data, and a STUN request.
const DTLS: &[u8] = b"\x17\xfe\xfd\0\x01\0\0\0\0\0\x09\0\x03abc";
const STUN: &[u8] = b"\0\x01\0\0\x21\x12\xa4\x42abcdefghijkl";

#[test]
fn values_inside_of_bytes() {
    let out = shown(run_on(&[], &[INSIDE]));
    let hex: String = INSIDE.iter().take(32).map(|byte| format!("{byte:02x}")).collect();
    assert_eq!(lines(&out), [format!("udp bytes 34 bytes {hex}… at 1: [\"hp\", 5]")]);
    let tree = shown(run_on(&["--tree"], &[INSIDE]));
    let tree: Vec<_> = tree.lines().skip(1).collect();
    assert_eq!(
        tree,
        [
            "     0  09                                   .",
            "        value at 1, 32 bytes, with its length, certain",
            "     0    Array, 2 elements",
            "     8      [0] String \"hp\"",
            "    20      [1] int 5",
            "    33  ff                                   .",
        ]
    );
    let json = shown(run_on(&["--json"], &[INSIDE]));
    strict_json::check(json.trim_end()).unwrap();
    let value = "\"values\":[{\"offset\":1,\"size\":32,\"confidence\":\"certain\",\"value\":[\"s:hp\",\"i:5\"]}]}\n";
    assert!(json.ends_with(value), "{json}");
    assert!(json.contains("\"kind\":\"bytes\",\"bytes\":\"091c"), "{json}");
}

#[test]
fn other_protocols_are_counted_and_shown_on_request() {
    let datagrams: [&[u8]; 2] = [b"anything", b"else"];
    let ran = run_on(&[], &datagrams);
    assert_eq!((ran.code, &*ran.out), (Some(0), ""));
    assert_eq!(
        ran.err,
        "warning: <stdin>: the capture contains no packets of Godot games\n\
         hint: 12 bytes of other protocols are not listed (--all lists them)\n"
    );
    let totals = run_on(&["--quiet"], &datagrams).out;
    assert!(totals.contains("\n12 bytes of other protocols, in 1 conversation\n"), "{totals}");
    let expected = ["udp bytes 8 bytes 616e797468696e67", "udp bytes 4 bytes 656c7365"];
    for options in [&["--all"][..], &["--port", "7000"], &["--filter", "kind=bytes,var"]] {
        assert_eq!(lines(&shown(run_on(options, &datagrams))), expected, "{options:?}");
    }
    assert_eq!(run_on(&["--filter", "kind!=rpc"], &datagrams).out, "");
}

#[test]
fn encrypted_conversations_are_named() {
    let ran = run_on(&[], &[DTLS, DTLS]);
    assert_eq!((ran.code, &*ran.out), (Some(0), ""));
    assert_eq!(
        ran.err,
        "warning: <stdin>: the capture contains no packets of Godot games\n\
         warning: <stdin>: the conversation of 10.0.0.1:7000 and 10.0.0.1:40000 is encrypted \
         (DTLS): gamewire cannot read it\n\
         hint: capture the game without `dtls_server_setup` and `dtls_client_setup` of its ENet \
         connection\n"
    );
    let webrtc = run_on(&["--all"], &[STUN, DTLS]);
    assert!(webrtc.err.contains("(DTLS, WebRTC)") && webrtc.err.contains("always encrypts"));
    let expected = ["udp stun 20 bytes", "udp encrypted DTLS 1.2 application data, 16 bytes"];
    assert_eq!(lines(&webrtc.out), expected);
    for options in [&["--port", "7000"][..], &["--filter", "kind=stun,encrypted"]] {
        assert_eq!(lines(&run_on(options, &[STUN, DTLS]).out), expected);
    }
    let json = run_on(&["--json", "--all"], &[STUN, DTLS]).out;
    json.lines().for_each(|line| strict_json::check(line).unwrap());
    assert!(json.contains("\"kind\":\"stun\",\"size\":20}"), "{json}");
    let encrypted = "\"encryption\":\"DTLS 1.2 application data\",\"size\":16}";
    assert!(json.contains(encrypted), "{json}");
    // The packets of a game are listed even if a different conversation is encrypted.
    let ran = run_on(&[], &[DTLS, &[2, 0, 0, 0, 5, 0, 0, 0]]);
    assert_eq!(lines(&ran.out), ["udp var 5"]);
    assert!(!ran.err.contains("no packets"), "{}", ran.err);
}

#[test]
fn bytes_after_a_value() {
    let value = [2, 0, 0, 0, 5, 0, 0, 0];
    let longer = [&value[..], b"abc"].concat();
    let out = shown(run_on(&[], &[&value, &longer]));
    assert_eq!(lines(&out), ["udp var 5", "udp var 5 unread: 3 bytes 616263"]);
    let json = shown(run_on(&["--json"], &[&value, &longer]));
    assert!(json.ends_with(",\"value\":\"i:5\",\"unread\":\"616263\"}\n"), "{json}");
    let tree = shown(run_on(&["--tree"], &[&value, &longer]));
    assert!(tree.ends_with("\n     8  616263                               abc\n"), "{tree}");
}

#[test]
fn text_messages() {
    let run = |args: &[&str]| {
        shown(command::run(&[&["packets", "--filter", "kind=text"], args, &[WS]].concat()))
    };
    let lines = lines(&run(&[]));
    assert_eq!(lines.len(), 9);
    assert_eq!(lines[0], "websocket reliable text \"echo\"");
    assert_eq!(lines[2], "websocket reliable text {\"a\":4}");
    let tree = run(&["--tree"]);
    assert!(tree.contains("text           \"echo\"\n  echo\n"), "{tree}");
    assert!(tree.contains("text           {\"a\":4}\n  {\n    \"a\": 4\n  }\n"), "{tree}");
    let json = run(&["--json"]);
    json.lines().for_each(|line| strict_json::check(line).unwrap());
    assert!(json.contains("\"kind\":\"text\",\"peer\":1,\"text\":\"echo\"}\n"), "{json}");
    assert!(json.contains("\"text\":\"{\\\"a\\\": 4}\",\"value\":{\"a\":4}}\n"), "{json}");
}

#[test]
fn offsets_in_a_stream() {
    let tree = shown(command::run(&["packets", "--tree", MIXED]));
    assert!(tree.contains("  at 146: 4 bytes  0000003f\n"), "{tree}");
    let value = "   226  06000000 6a6f696e 20330a00 0000      ....join 3....\n\
                 \x20       value at 240, 56 bytes, with its length, certain\n";
    assert!(tree.contains(value), "{tree}");
}

/// Fragments of IP packets are reassembled. Fragments of incomplete packets are counted.
#[test]
fn fragments_of_ip_packets() {
    let text = [&[4, 0, 0, 0, 40, 0, 0, 0][..], &[b'a'; 40]].concat();
    let datagram = [&[0x9C, 0x40, 0x1B, 0x58, 0, 0, 0, 0][..], &text].concat();
    let complete = Fragment::split(true, 1, 17, &datagram, 24);
    let incomplete = Fragment::split(false, 2, 17, &datagram, 24);
    let mut contradictory = Fragment::split(false, 3, 17, &datagram, 24);
    contradictory[1].offset = 16;
    let all = complete.iter().rev().chain(&incomplete[1..]).chain(&contradictory);
    let packet = |fragment: &Fragment| {
        let data = fragment.packet();
        captures::Packet { time: Some(0), link_type: 101, original_len: data.len() as u32, data }
    };
    let capture = captures::pcap(&all.map(packet).collect::<Vec<_>>(), Pcap::Micros, ORDERS[0]);
    let out = shown(command::run_on(&["packets", "-"], &capture));
    assert_eq!(lines(&out), [format!("udp var \"{}\"", "a".repeat(40))]);
    assert!(out.contains("[::1]:40000 → [::2]:7000"), "{out}");
    let totals = shown(command::run_on(&["packets", "--quiet", "-"], &capture));
    let (count, contradictions) = (incomplete.len() - 1, contradictory.len());
    assert!(
        totals.contains(&format!("\n{count} skipped: a fragment of an IP packet\n")),
        "{totals}"
    );
    let skipped = format!(
        "\n{contradictions} skipped: a fragment of an IP packet whose fragments contradict each other\n"
    );
    assert!(totals.contains(&skipped), "{totals}");
}
