//! Checks the output of `gamewire packets`: lines, trees, bytes, filters and errors.
//! `packets_corpus.rs` compares the output for real captures with the engines' logs.

use crate::command::{self, Ran, empty_folder, gamewire, root, shown, write_file};
use crate::support::native_json::{self, Json};
use crate::support::net::captures::{self, ORDERS, Pcap};
use crate::support::strict_json;
use gamewire::godot::multiplayer::NodeRef;
use gamewire::godot::multiplayer::godot4::{NetId, Packet, PacketWriter, System};
use gamewire::godot::{Dialect, StrRef};
use std::collections::BTreeSet;
use std::io::Read;
use std::net::{IpAddr, SocketAddr};
use std::process::{Command, Stdio};

const ENET: &str = "corpus/captures/enet.pcap";
const RELAY: &str = "corpus/captures/relay.pcap";
const UDP: &str = "corpus/captures/udp.pcap";

fn packets(args: &[&str]) -> Command {
    let mut command = gamewire();
    command.arg("packets").args(args);
    command
}

fn run(args: &[&str]) -> Ran {
    command::run(&[&["packets"], args].concat())
}

fn run_on(args: &[&str], input: &[u8]) -> Ran {
    command::run_on(&[&["packets"], args, &["-"]].concat(), input)
}

fn count(args: &[&str]) -> usize {
    shown(run(args)).lines().count()
}

/// Returns a line without its time and addresses.
fn rest(line: &str) -> &str {
    let (_, after) = line.split_once(" → ").unwrap_or_else(|| panic!("no addresses: {line}"));
    after.split_once(' ').unwrap().1.trim_start()
}

/// Returns a capture of UDP datagrams, given by source port, destination port and payload. Every
/// datagram has `ip` as both source and destination address.
pub fn capture(ip: &str, datagrams: &[(u16, u16, Vec<u8>)]) -> Vec<u8> {
    let ip: IpAddr = ip.parse().unwrap();
    let packet = |index: usize, (from, to, payload): &(u16, u16, Vec<u8>)| {
        let mut udp = [from.to_be_bytes(), to.to_be_bytes()].concat();
        let len = u16::try_from(payload.len() + 8).unwrap();
        udp.extend(len.to_be_bytes());
        udp.extend([0, 0]);
        udp.extend(payload);
        let mut data = match ip {
            IpAddr::V4(ip) => {
                let mut head = vec![0x45, 0];
                head.extend((len + 20).to_be_bytes());
                head.extend([0, 0, 0, 0, 64, 17, 0, 0]);
                head.extend([ip.octets(), ip.octets()].concat());
                head
            }
            IpAddr::V6(ip) => {
                let mut head = vec![0x60, 0, 0, 0];
                head.extend(len.to_be_bytes());
                head.extend([17, 64]);
                head.extend([ip.octets(), ip.octets()].concat());
                head
            }
        };
        data.extend(udp);
        let time = Some(index as i64 * 1_000_000);
        captures::Packet { time, link_type: 101, original_len: data.len() as u32, data }
    };
    let packets: Vec<_> =
        datagrams.iter().enumerate().map(|(index, datagram)| packet(index, datagram)).collect();
    captures::pcap(&packets, Pcap::Micros, ORDERS[0])
}

/// Returns an ENet datagram with a multiplayer packet in a reliable command with this sequence
/// number.
pub fn enet(channel: u8, sequence: u16, packet: &[u8]) -> Vec<u8> {
    let mut datagram = vec![0x80, 0, 0, 1, 6 | 0x80, channel];
    datagram.extend(sequence.to_be_bytes());
    datagram.extend(u16::try_from(packet.len()).unwrap().to_be_bytes());
    datagram.extend(packet);
    datagram
}

pub fn written(write: impl FnOnce(&mut PacketWriter<&mut Vec<u8>>)) -> Vec<u8> {
    let mut packet = Vec::new();
    write(&mut PacketWriter::new(&mut packet, Dialect::Godot4));
    packet
}

#[test]
fn a_line_for_each_packet() {
    let out = shown(run(&["--methods", "corpus/captures/methods.txt", ENET]));
    let lines: BTreeSet<_> = out.lines().map(rest).collect();
    for line in [
        "enet/0     reliable     simplify_path  Main/Sync is node 1",
        "enet/0     reliable     confirm_path   Main/Sync",
        "enet/1     unsequenced  sync           Main/Sync: Vector2(1.0, 2.0)",
        "enet/0     reliable     delta          Main/Sync: 0.5",
        "enet/2     unsequenced  rpc            \
         Main.move(Vector3(1.0, 0.0, 1.0), Vector3(0.5, 0.0, -0.5), 1)",
        "enet/0     reliable     rpc            Main.no_args()",
        "enet/0     reliable     raw            for all  3 bytes  dead06",
    ] {
        assert!(lines.contains(line), "no line {line:?} in\n{out}");
    }
    assert!(out.lines().all(|line| line.trim_end() == line), "space at the end");
}

#[test]
fn long_values_are_shortened() {
    let packet = written(|out| {
        out.call(NodeRef::Cached(1), 2, ("long ".repeat(1000).as_str(), 5)).unwrap();
    });
    let capture = capture("10.0.0.1", &[(1, 2, enet(0, 1, &packet))]);
    let line = shown(run_on(&[], &capture));
    assert!(line.trim_end().ends_with("… 5000 bytes…)") || line.contains('…'), "{line}");
    assert!(line.chars().count() < 250, "{line}");
    let tree = shown(run_on(&["--tree"], &capture));
    assert!(tree.contains(&"long ".repeat(1000)), "{tree}");
    assert!(tree.contains("\n  5012  [1] int 5\n"), "{tree}");
}

#[test]
fn long_paths_and_many_states_are_shortened() {
    let path = "a/".repeat(1000);
    let simplify = [&[1][..], &[b'0'; 32], &[0, 1, 0, 0, 0], path.as_bytes(), &[0]].concat();
    let state = [1, 0, 0, 0x80, 1, 0, 0, 0, 0x81];
    let sync = [&[6, 1, 0][..], &state.repeat(1000)].concat();
    let packets = [simplify, vec![0, 1, 2, 0], sync];
    let datagrams: Vec<_> = packets
        .into_iter()
        .zip(1..)
        .map(|(packet, sequence)| (1, 2, enet(0, sequence, &packet)))
        .collect();
    let capture = capture("10.0.0.1", &datagrams);
    let out = shown(run_on(&[], &capture));
    let lines: Vec<_> = out.lines().collect();
    assert!(lines[1].ends_with("a/a/….#2()"), "{out}");
    assert!(lines[2].contains("a/a/…: true; a/a/") && lines[2].ends_with('…'), "{out}");
    let lens: Vec<_> = lines.iter().map(|line| line.len()).collect();
    assert!(lens[1] < 400 && (4096..4300).contains(&lens[2]), "{lens:?}");
    // JSON has the whole path and every state.
    let json = shown(run_on(&["--json"], &capture));
    assert_eq!(json.matches(&path).count(), 2 + 1000);
}

#[test]
fn a_tree_has_every_value() {
    let out = shown(run(&["--tree", "--filter", "method=#6", ENET]));
    let tree: Vec<_> = out.lines().skip(1).take(6).collect();
    assert_eq!(
        tree,
        [
            "     7  [0] Dictionary, 3 pairs",
            "    27    \"tick\": int 4",
            "    51    \"score\": Dictionary, 2 pairs",
            "    71      &\"red\": int 4",
            "    91      &\"blue\": int 2",
            "   111    \"v\": float 1.5",
        ]
    );
    // A packet that is a single value, and a packet that sets a property.
    let out = shown(run(&["--tree", UDP]));
    assert_eq!(out.lines().nth(1), Some("     0  bool true"));
    let out = shown(run(&["--tree", "--filter", "kind=set", "corpus/captures/godot3_enet.pcap"]));
    assert_eq!(out.lines().nth(1), Some("    19  int 4"));
}

#[test]
fn each_node_of_a_sync_has_its_heading() {
    let sync = written(|out| {
        out.sync(7).unwrap();
        out.sync_record(NetId::Synchronizer(3), (1, true)).unwrap();
        out.sync_record(NetId::Cached(4), ("x",)).unwrap();
    });
    let delta = written(|out| {
        out.delta().unwrap();
        out.delta_record(NetId::Cached(4), 0b101, (1.5, 2)).unwrap();
    });
    let path = NodeRef::Path("A/B".into());
    let call = written(|out| out.call(path, 1, ()).unwrap());
    let datagrams = [enet(0, 1, &call), enet(0, 2, &sync), enet(0, 3, &delta)];
    let capture = capture("10.0.0.1", &datagrams.map(|datagram| (1, 2, datagram)));
    let out = shown(run_on(&["--tree"], &capture));
    let lines: Vec<_> = out.lines().collect();
    assert!(lines[0].ends_with("rpc            A/B.#1()"), "{out}");
    assert!(lines[1].ends_with("sync           net id 3: 1, true; node 4: \"x\""), "{out}");
    assert_eq!(
        lines[2..7],
        [
            "        net id 3",
            "    11    [0] int 1",
            "    13    [1] bool true",
            "        node 4",
            "    22    [0] String \"x\"",
        ]
    );
    assert_eq!(
        lines[8..],
        ["        node 4, changed: 0, 2", "    17    [0] float 1.5", "    25    [1] int 2"]
    );
}

#[test]
fn hex_is_shown_next_to_values_or_below() {
    let move_ = ["--filter", "method=#2", ENET];
    let out = shown(run(&[&["--tree", "--hex"], &move_[..]].concat()));
    assert_eq!(
        out.lines().skip(1).take(3).collect::<Vec<_>>(),
        [
            "     7  09000000 0000803f 00000000   [0] Vector3 (1.0, 0.0, 1.0)",
            "    19  0000803f",
            "    23  09000000 0000003f 00000000   [1] Vector3 (0.5, 0.0, -0.5)",
        ]
    );
    let out = shown(run(&[&["--hex"], &move_[..]].concat()));
    assert_eq!(
        out.lines().skip(1).take(3).collect::<Vec<_>>(),
        [
            "     0  20290000 80020309 00000000 00803f00   )............?.",
            "    16  00000000 00803f09 00000000 00003f00  ......?.......?.",
            "    32  00000000 0000bf02 014d6169 6e00      .........Main.",
        ]
    );
    // The raw bytes that a script sent are printed as a hex dump in a tree, too. Their offset
    // counts from the start of the packet.
    let out = shown(run(&["--tree", "--filter", "kind=raw", ENET]));
    assert_eq!(out.lines().nth(1), Some("     7  dead06                               ..."));
    // Malformed packets show their bytes.
    let capture = capture("10.0.0.1", &[(1, 2, enet(0, 1, b"\x00\x01\x02\x27\0\0"))]);
    let out = shown(run_on(&["--tree"], &capture));
    assert!(out.contains("malformed"), "{out}");
    assert!(out.ends_with("     0  00010227 0000                        ...'..\n"), "{out}");
}

#[test]
fn every_capture_has_trees_and_bytes() {
    for name in captures::NAMES {
        let file = format!("corpus/captures/{name}.pcap");
        let lines = shown(run(&["--all", &file]));
        for options in [&["--tree"][..], &["--hex"], &["--tree", "--hex"]] {
            let out = shown(run(&[options, &["--all", &file]].concat()));
            let (below, above): (Vec<_>, Vec<_>) =
                out.lines().partition(|line| line.starts_with(' '));
            assert_eq!(above, lines.lines().collect::<Vec<_>>(), "{name} {options:?}");
            assert!(below.len() > above.len() / 10, "{name} {options:?}");
        }
    }
}

#[test]
fn filters_choose_packets() {
    let all = ["--all", ENET];
    let filtered = |filters: &[&str]| {
        let options: Vec<_> = filters.iter().flat_map(|filter| ["--filter", filter]).collect();
        count(&[&options[..], &all[..]].concat())
    };
    let whole = filtered(&[]);
    for filter in ["kind=rpc,raw", "path=Main", "method=#2", "peer=1", "transport=enet"] {
        let (field, value) = filter.split_once('=').unwrap();
        let others = format!("{field}!={value}");
        assert_eq!(filtered(&[filter]) + filtered(&[&others]), whole, "{filter}");
        assert_eq!(filtered(&[filter, &others]), 0, "{filter}");
    }
    assert_eq!(filtered(&["kind=rpc"]), 70);
    assert_eq!(filtered(&["kind=rpc,raw"]), 78);
    assert_eq!(filtered(&["kind=rpc", "method=#2"]), 9);
    assert_eq!(filtered(&["kind=rpc", "method=*"]), 70);
    assert_eq!(filtered(&["transport=enet,udp"]), whole);
    assert_eq!(filtered(&["transport!=enet,udp"]), 0);
    assert_eq!(filtered(&["path=/root/Main/S*", "kind=spawn"]), 2);
    assert_eq!(filtered(&["path=Main/Sync", "kind=sync"]), 549, "by the nodes inside");
    assert_eq!(filtered(&["path=Sync"]), 0);
    let moves = ["--methods", "corpus/captures/methods.txt", "--filter", "method=move", ENET];
    assert_eq!(count(&moves), 9);
}

#[test]
fn control_packets_are_shown_where_they_are_named() {
    assert_eq!(count(&["--filter", "kind=ping,connect", ENET]), 3);
    assert_eq!(count(&["--filter", "kind!=sync", ENET]), 103);
    let pings = shown(run(&["--json", "--filter", "kind=ping", ENET]));
    assert_eq!(pings.lines().count(), 2);
}

#[test]
fn filters_are_of_totals_too() {
    let out = shown(run(&["--quiet", "--filter", "kind=rpc,set", ENET]));
    assert!(out.contains("rpc") && out.contains("70"), "{out}");
    assert!(!out.contains("sync") && !out.contains("ping"), "{out}");
}

#[test]
fn peers_are_senders_relayed_and_announced_ids() {
    let out = shown(run(&["--filter", "peer=742454010", "--filter", "kind=add_peer,rpc", RELAY]));
    assert!(out.contains("add_peer       peer 742454010"), "{out}");
    for part in ["for 742454010  Main", "by 742454010  Main", "rpc            Main"] {
        assert!(out.contains(part), "{part}: {out}");
    }
    let others = shown(run(&["--filter", "peer!=742454010", "--filter", "kind=rpc", RELAY]));
    assert!(!others.contains("742454010  Main"), "{others}");
}

#[test]
fn no_object_has_a_name_twice() {
    fn check(json: &Json) {
        match json {
            Json::Object(members) => {
                let names: BTreeSet<_> = members.iter().map(|(name, _)| name).collect();
                assert_eq!(names.len(), members.len(), "{members:?}");
                members.iter().for_each(|(_, json)| check(json));
            }
            Json::Array(items) => items.iter().for_each(check),
            _ => {}
        }
    }
    let mut names = BTreeSet::new();
    let mut packets = |text: &str| {
        for line in text.lines() {
            strict_json::check(line).unwrap_or_else(|at| panic!("byte {at}: {line}"));
            let json = native_json::parse(line).unwrap();
            check(&json);
            let Json::Object(members) = json else { panic!("no object: {line}") };
            names.extend(members.into_iter().map(|(name, _)| name));
        }
    };
    for name in captures::NAMES {
        let file = format!("corpus/captures/{name}.pcap");
        packets(&shown(run(&["--json", "--all", &file])));
    }
    let announced = [System::AddPeer(5), System::DelPeer(5)]
        .map(|system| written(|out| out.put(&Packet::System(system)).unwrap()));
    let datagrams: Vec<_> =
        (1..).zip(&announced).map(|(index, packet)| (1, 2, enet(0, index, packet))).collect();
    let out = shown(run_on(&["--json"], &capture("10.0.0.1", &datagrams)));
    assert_eq!(out.matches("_peer\",\"peer\":5}").count(), 2, "{out}");
    packets(&out);
    let documented = std::fs::read_to_string(root("docs/command-line.md")).unwrap();
    for name in names {
        assert!(documented.contains(&format!("`{name}`")), "{name} is not documented");
    }
}

#[test]
fn streams_are_reliable() {
    for name in ["ws", "tcp", "pps"] {
        let file = format!("corpus/captures/{name}.pcap");
        let all = count(&["--json", &file]);
        let out = shown(run(&["--json", &file]));
        assert_eq!(out.matches("\"delivery\":\"reliable\"").count(), all, "{name}");
    }
    for args in [&["--json", UDP][..], &["--json", "--filter", "kind=ping", ENET]] {
        assert!(!shown(run(args)).contains("delivery"));
    }
}

/// Checks that the arrow and the columns after it are aligned.
#[test]
fn columns_are_aligned() {
    let value = || vec![2, 0, 0, 0, 5, 0, 0, 0];
    for ip in ["10.0.0.1", "255.255.255.255", "::1", "2001:db8:1111:2222:3333:4444:5555:6666"] {
        let ports = [(1, 65535), (65535, 1), (1, 65535)];
        let datagrams = ports.map(|(from, to)| (from, to, value()));
        let out = shown(run_on(&[], &capture(ip, &datagrams)));
        for part in [" → ", "  udp  ", "  var  "] {
            let column = |line: &str| line.chars().count() - rest_of(line, part);
            let columns: BTreeSet<_> = out.lines().map(column).collect();
            assert_eq!(columns.len(), 1, "{out}");
        }
        let address: SocketAddr = (ip.parse::<IpAddr>().unwrap(), 65535).into();
        assert!(out.contains(&format!(" → {address}  udp  ")), "{out}");
    }
    // A channel number of three digits fits in the column of transports.
    let packet = written(|out| out.call(NodeRef::Cached(1), 2, ()).unwrap());
    let capture = capture("10.0.0.1", &[(1, 2, enet(254, 1, &packet))]);
    assert!(shown(run_on(&[], &capture)).contains("  enet/254   reliable     rpc  "));
}

fn rest_of(line: &str, part: &str) -> usize {
    line.split_once(part).unwrap().1.chars().count()
}

/// Checks that the content of a packet cannot send escape sequences to the terminal.
#[test]
fn control_characters_never_reach_the_terminal() {
    const NASTY: &[u8] = b"\x1b]0;owned\x07\x1b[31m\n\r\t\x7f\xc2\x9b31m\xff\xe2\x80\xae";
    let text = StrRef::new(NASTY);
    let path = StrRef::new(b"A/\x1b[2J\xff\n");
    let packets = [
        written(|out| out.call(NodeRef::Path(path), 2, (text,)).unwrap()),
        written(|out| out.put(&Packet::Raw(NASTY)).unwrap()),
    ];
    // A call in Godot 3 contains the name of the method.
    let mut call = vec![0, 1, 0, 0, 0];
    call.extend(&NASTY[..5]);
    call.extend([0, 0]);
    // A packet that is a single String is recognised only if it is valid UTF-8.
    let utf8 = std::str::from_utf8(&NASTY[..24]).unwrap();
    let mut value = vec![4, 0, 0, 0];
    value.extend((utf8.len() as u32).to_le_bytes());
    value.extend(utf8.as_bytes());
    value.resize(value.len().next_multiple_of(4), 0);
    let datagrams: Vec<_> =
        (1..).zip(&packets).map(|(index, packet)| (1, 2, enet(0, index, packet))).collect();
    let mut all = vec![capture("10.0.0.1", &datagrams), capture("10.0.0.1", &[(3, 4, value)])];
    let mut prefixed = vec![1, 0, 0, 0, 0, 0, 0, 0];
    prefixed.extend(call);
    all.push(capture("10.0.0.1", &[(5, 6, enet(1, 1, &prefixed))]));
    for capture in all {
        for options in [&[][..], &["--tree"], &["--hex"], &["--tree", "--hex"], &["--json"]] {
            let ran = run_on(options, &capture);
            assert_eq!(ran.code, Some(0));
            assert!(ran.out.contains("u{1b}") || ran.out.contains("u001b"), "{ran:?}");
            assert!(!ran.out.contains(|c: char| c.is_control() && c != '\n'), "{:?}", ran.out);
        }
        let out = run_on(&["--stats", "--quiet"], &capture).out;
        assert!(!out.contains(|c: char| c.is_control() && c != '\n'), "{out:?}");
    }
}

#[test]
fn colours_only_where_wanted() {
    for options in [&[][..], &["--tree", "--hex"]] {
        let plain = shown(run(&[options, &[ENET]].concat()));
        assert!(!plain.contains('\x1b'));
        let colourful = shown(run(&[options, &["--color", "always", ENET]].concat()));
        assert!(colourful.contains("\x1b[36mrpc"), "{colourful}");
        assert_eq!(anstream::adapter::strip_str(&colourful).to_string(), plain);
    }
    assert!(!shown(run(&["--color", "always", "--json", ENET])).contains('\x1b'));
}

#[test]
fn errors_name_the_detected_format() {
    let folder = empty_folder("packets/errors");
    let file = |name: &str, bytes: &[u8]| write_file(&folder, name, bytes);
    for (path, message) in [
        (file("empty.pcap", b""), "not a capture: the input is empty"),
        (file("other.pcap", b"\xA7\xA7\xA7\xA7\0"), "not a capture: neither pcap nor pcapng"),
        (file("two", b"\xd4\xc3"), "the file ends inside a record (bytes missing: 2)"),
        (file("packed.gz", b"\x1f\x8b\x08\0\0\0\0\0"), "gzip -dc FILE | gamewire packets -"),
        (file("packed.zst", b"\x28\xb5\x2f\xfd\0"), "zstd -dc FILE | gamewire packets -"),
        (file("packed.xz", b"\xfd7zXZ\0"), "xz -dc FILE | gamewire packets -"),
        (folder.to_str().unwrap().to_owned(), "is a directory"),
        (folder.join("none").to_str().unwrap().to_owned(), "No such file"),
    ] {
        let ran = run(&[&path]);
        assert_eq!((ran.code, ran.out.as_str()), (Some(1), ""), "{path}");
        assert_eq!(ran.err.lines().count(), 1, "{}", ran.err);
        assert!(ran.err.starts_with(&format!("error: {path}: ")), "{}", ran.err);
        assert!(ran.err.contains(message), "{}", ran.err);
    }
    // After an error in one file, the other files are still read.
    let ran = run(&[&file("empty.pcap", b""), UDP]);
    assert_eq!((ran.code, ran.out.lines().count()), (Some(1), 60));
}

#[test]
fn records_before_a_truncation_are_printed() {
    let whole = crate::support::corpus::read("captures/enet.pcap");
    let before = shown(run(&[ENET]));
    for options in [&[][..], &["--tree"], &["--hex"]] {
        let ran = run_on(options, &whole[..whole.len() / 2]);
        assert_eq!(ran.code, Some(1));
        assert!(ran.err.contains("the file ends inside a record"), "{}", ran.err);
        let lines: Vec<_> = ran.out.lines().filter(|line| !line.starts_with(' ')).collect();
        assert!(lines.len() > 100);
        assert!(before.lines().take(lines.len()).eq(lines), "{options:?}");
    }
}

#[test]
fn a_capture_without_games_is_pointed_out() {
    let ran = run(&["--port", "53", UDP]);
    assert_eq!((ran.code, ran.out.as_str()), (Some(0), ""));
    assert_eq!(
        ran.err,
        format!("warning: {UDP}: the capture contains no packets of Godot games\n")
    );
    // A filter without matches is not an error.
    assert_eq!(shown(run(&["--filter", "kind=rpc", UDP])), "");
}

#[test]
fn a_closed_pipe_ends_it_quietly() {
    for options in [&["--hex", "--tree"][..], &["--json"]] {
        let mut command = packets(options);
        command.args([RELAY; 8]).stdout(Stdio::piped()).stderr(Stdio::piped());
        let mut child = command.spawn().unwrap();
        let mut first = [0; 1];
        child.stdout.take().unwrap().read_exact(&mut first).unwrap(); // this also closes the pipe
        let ran = Ran::from(child.wait_with_output().unwrap());
        assert_eq!((ran.code, ran.err.as_str()), (Some(0), ""));
    }
}

#[test]
fn usage_errors_exit_2() {
    for (args, message) in [
        (&["--tree", "--json"][..], "cannot be used with"),
        (&["--tree", "--quiet"], "cannot be used with"),
        (&["--hex", "--json"], "cannot be used with"),
        (&["--hex", "--quiet"], "cannot be used with"),
        (&["--filter", "rpc"], "FIELD=VALUE"),
        (&["--filter", "sort=rpc"], "expected one of kind, path, method, peer, transport"),
        (&["--filter", "kind=rcp"], "expected one of rpc, set, raw"),
        (&["--filter", "transport=ip"], "expected one of enet, websocket, tcp, udp"),
        (&["--filter", "peer=me"], "1 for the server"),
        (&["--filter"], "--filter <EXPR>"),
    ] {
        let ran = run(&[args, &[ENET][..]].concat()[..args.len() + usize::from(args.len() > 1)]);
        assert_eq!((ran.code, ran.out.as_str()), (Some(2), ""), "{args:?}");
        assert!(ran.err.contains(message), "{args:?}: {}", ran.err);
    }
}

#[test]
fn help_has_an_example_of_each() {
    let help = shown(run(&["--help"]));
    for part in ["--tree", "--hex", "--filter", "--json", "--stats", "--quiet", "--port"] {
        assert!(
            help.contains(&format!("  gamewire packets {part}"))
                || help.lines().any(|line| line.starts_with("  gamewire ") && line.contains(part)),
            "{part} in {help}"
        );
    }
    for kind in ["simplify_path", "acknowledge", "debugger"] {
        assert!(help.contains(kind), "{help}");
    }
}

/// Checks that there is no progress bar without a terminal, even for a large file.
#[test]
fn a_bar_is_for_terminals() {
    let path = std::env::temp_dir().join(format!("gamewire-large-{}.pcap", std::process::id()));
    std::fs::File::create(&path).unwrap().set_len(65 << 20).unwrap();
    let ran = run(&["--quiet", path.to_str().unwrap()]);
    std::fs::remove_file(&path).unwrap();
    assert_eq!((ran.code, ran.err.lines().count()), (Some(1), 2), "{ran:?}");
    assert!(ran.err.starts_with("error: ") && ran.err.contains("\nhint: "), "{ran:?}");
}

#[cfg(not(feature = "parquet"))]
#[test]
fn without_its_feature_parquet_is_refused() {
    for command in [&["packets", ENET][..], &["json", ENET], &["unreal", "deps", ENET]] {
        let ran = command::run(&[command, &["--parquet", "never.parquet"]].concat());
        assert_eq!(ran.code, Some(2));
        assert!(ran.err.contains("cargo install --path cli --features parquet"), "{}", ran.err);
    }
    assert!(!command::root("never.parquet").exists());
}
