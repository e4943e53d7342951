//! Checks what `gamewire packets` prints for packets of every kind: lines, JSON and statistics. The
//! tests build these packets themselves.

use crate::command::{self, shown};
use crate::packets::{capture, enet, written};
use crate::support::net::captures::{self, ORDERS, Pcap};
use gamewire::godot::StrRef;
use gamewire::godot::multiplayer::godot3;
use gamewire::godot::multiplayer::godot4::{
    ConfirmPath, NetId, Packet, Scene, SimplifyPath, Spawn, System, relay_head,
};
use gamewire::godot::multiplayer::{NodeRef, Run};
use zerocopy::little_endian::U32;

const HIGH: u16 = 40000;
const LOW: u16 = 7000;

/// Returns a capture in which the client sends these packets to the server, on channel 1.
fn sent(packets: &[Vec<u8>]) -> Vec<u8> {
    let datagrams = packets.iter().zip(1..);
    let datagrams: Vec<_> =
        datagrams.map(|(packet, sequence)| (HIGH, LOW, enet(1, sequence, packet))).collect();
    capture("10.0.0.1", &datagrams)
}

fn packets(args: &[&str], capture: &[u8]) -> String {
    shown(command::run_on(&[&["packets"], args, &["-"]].concat(), capture))
}

/// Returns the part of each line after the transport and the delivery.
fn lines(args: &[&str], capture: &[u8]) -> Vec<String> {
    let out = packets(args, capture);
    let content = |line: &str| line.split_once("  reliable     ").unwrap().1.to_owned();
    out.lines().map(content).collect()
}

/// Returns the members that follow the delivery in each JSON object.
fn objects(args: &[&str], capture: &[u8]) -> Vec<String> {
    let out = packets(&[args, &["--json"]].concat(), capture);
    let content = |line: &str| line.split_once("\"reliable\",").unwrap().1.to_owned();
    out.lines().map(content).collect()
}

/// Returns packets of every kind of Godot 4, each with its line and its JSON.
fn of_godot4() -> Vec<(Vec<u8>, &'static str, &'static str)> {
    let put = |packet| written(|out| out.put(&packet).unwrap());
    let simplify =
        SimplifyPath { checksum: b"0123456789abcdef0123456789abcdef", id: 7, path: "A/B".into() };
    let confirm = |checksum_ok| {
        put(Packet::ConfirmPath(ConfirmPath { checksum_ok, node: NodeRef::Cached(9) }))
    };
    let ids = [11, 12].map(U32::new);
    let spawn = Spawn {
        scene: Scene::Index(2),
        spawner: 7,
        net_id: 4,
        synchronizers: &ids,
        name: "Ball\n".into(),
        state: Run::compact(&[2, 7, 0x81]),
    };
    let custom = Spawn {
        scene: Scene::Custom(Run::compact(&[2, 5])),
        synchronizers: &[],
        state: Run::compact(&[]),
        ..spawn
    };
    let relay = |peer: i32, packet: &[u8]| [&relay_head(peer)[..], packet].concat();
    let raw = put(Packet::Raw(b"\x01\xff"));
    vec![
        (
            put(Packet::SimplifyPath(simplify)),
            "simplify_path  A/B is node 7",
            r#""kind":"simplify_path","path":"A/B","node_id":7,"checksum":"0123456789abcdef0123456789abcdef"}"#,
        ),
        (
            written(|out| out.call(NodeRef::Cached(7), 2, (1, "x")).unwrap()),
            r#"rpc            A/B.#2(1, "x")"#,
            r##""kind":"rpc","path":"A/B","node_id":7,"method":"#2","args":["i:1","s:x"]}"##,
        ),
        (
            written(|out| out.call(NodeRef::Cached(8), 300, ()).unwrap()),
            "rpc            node 8.#300()",
            r##""kind":"rpc","node_id":8,"method":"#300","args":[]}"##,
        ),
        (
            confirm(true),
            "confirm_path   node 9",
            r#""kind":"confirm_path","node_id":9,"checksum_ok":true}"#,
        ),
        (
            confirm(false),
            "confirm_path   node 9, checksum of methods differs",
            r#""kind":"confirm_path","node_id":9,"checksum_ok":false}"#,
        ),
        (
            put(Packet::Spawn(spawn)),
            r#"spawn          A/B  Ball\n is net id 4, synchronizer 11, synchronizer 12, scene 2"#,
            r#""kind":"spawn","path":"A/B","node_id":7,"net_id":4,"name":"Ball\n","scene":2,"synchronizers":[11,12],"args":["i:7",true]}"#,
        ),
        (
            put(Packet::Spawn(custom)),
            r#"spawn          A/B  Ball\n is net id 4, custom data 5"#,
            r#""kind":"spawn","path":"A/B","node_id":7,"net_id":4,"name":"Ball\n","custom":["i:5"],"synchronizers":[],"args":[]}"#,
        ),
        (
            put(Packet::Despawn { net_id: 4 }),
            "despawn        net id 4",
            r#""kind":"despawn","net_id":4}"#,
        ),
        (
            written(|out| {
                out.sync(7).unwrap();
                out.sync_record(NetId::Synchronizer(11), (1, true)).unwrap();
                out.sync_record(NetId::Cached(7), (2,)).unwrap();
            }),
            "sync           net id 11: 1, true; A/B: 2",
            r#""kind":"sync","sync_time":7,"records":[{"net_id":11,"args":["i:1",true]},{"node_id":7,"path":"A/B","args":["i:2"]}]}"#,
        ),
        (
            written(|out| {
                out.delta().unwrap();
                out.delta_record(NetId::Cached(8), 5, (1, 2)).unwrap();
            }),
            "delta          node 8: 1, 2",
            r#""kind":"delta","records":[{"node_id":8,"changed":5,"args":["i:1","i:2"]}]}"#,
        ),
        (
            put(Packet::Raw(&[7; 32])),
            "raw            32 bytes  0707070707070707070707070707070707070707070707070707070707070707",
            r#""kind":"raw","bytes":"0707070707070707070707070707070707070707070707070707070707070707"}"#,
        ),
        (
            put(Packet::Raw(&[7; 33])),
            "raw            33 bytes  0707070707070707070707070707070707070707070707070707070707070707…",
            r#""kind":"raw","bytes":"070707070707070707070707070707070707070707070707070707070707070707"}"#,
        ),
        (
            put(Packet::System(System::Auth(&[]))),
            "auth           0 bytes",
            r#""kind":"auth","bytes":""}"#,
        ),
        (
            put(Packet::System(System::Auth(b"a"))),
            "auth           1 byte  61",
            r#""kind":"auth","bytes":"61"}"#,
        ),
        (
            relay(5, &raw),
            "raw            relayed 5  2 bytes  01ff",
            r#""kind":"raw","relay":5,"bytes":"01ff"}"#,
        ),
        (
            relay(0, &raw),
            "raw            relayed 0  2 bytes  01ff",
            r#""kind":"raw","relay":0,"bytes":"01ff"}"#,
        ),
        (
            relay(-5, &raw),
            "raw            relayed -5  2 bytes  01ff",
            r#""kind":"raw","relay":-5,"bytes":"01ff"}"#,
        ),
        (
            vec![0, 1, 2, 0x27, 0, 0],
            "malformed      the packet ends inside a value (bytes missing: 2), at offset 4",
            r#""kind":"malformed","error":"the packet ends inside a value (bytes missing: 2)","offset":4,"bytes":"000102270000"}"#,
        ),
        (
            put(Packet::System(System::AddPeer(6))),
            "add_peer       peer 6",
            r#""kind":"add_peer","peer":6}"#,
        ),
        (
            relay(5, &raw),
            "raw            by 5  2 bytes  01ff",
            r#""kind":"raw","peer":1,"relay":5,"bytes":"01ff"}"#,
        ),
        (
            put(Packet::System(System::DelPeer(-6))),
            "del_peer       peer -6",
            r#""kind":"del_peer","peer":-6}"#,
        ),
    ]
}

/// Returns packets of every kind of Godot 3, each with its line and its JSON.
fn of_godot3() -> Vec<(Vec<u8>, &'static str, &'static str)> {
    let put = |packet| {
        let mut bytes = Vec::new();
        godot3::PacketWriter::new(&mut bytes).put(&packet).unwrap();
        prefixed(9, 1, &bytes)
    };
    let path = || StrRef::new(b"A/B");
    let mut call = Vec::new();
    godot3::PacketWriter::new(&mut call).call(NodeRef::Cached(3), "go", (1, "x")).unwrap();
    let mut set = Vec::new();
    godot3::PacketWriter::new(&mut set).set(NodeRef::Path(path()), "at", 2.5).unwrap();
    vec![
        (
            put(godot3::Packet::SimplifyPath { id: 3, path: path() }),
            "simplify_path  A/B is node 3",
            r#""kind":"simplify_path","peer":9,"path":"A/B","node_id":3}"#,
        ),
        (
            put(godot3::Packet::ConfirmPath { path: path() }),
            "confirm_path   A/B",
            r#""kind":"confirm_path","peer":9,"path":"A/B"}"#,
        ),
        (
            prefixed(9, 1, &call),
            r#"rpc            A/B.go(1, "x")"#,
            r#""kind":"rpc","peer":9,"path":"A/B","node_id":3,"method":"go","args":["i:1","s:x"]}"#,
        ),
        (
            prefixed(9, 1, &set),
            "set            A/B.at = 2.5",
            r#""kind":"set","peer":9,"path":"A/B","method":"at","value":"f:2.5"}"#,
        ),
        (
            put(godot3::Packet::Raw(b"ab")),
            "raw            2 bytes  6162",
            r#""kind":"raw","peer":9,"bytes":"6162"}"#,
        ),
        (
            prefixed(9, 1, b"\x09"),
            "malformed      9 is not a command of a multiplayer packet, at offset 8",
            r#""kind":"malformed","peer":9,"error":"9 is not a command of a multiplayer packet","offset":8,"bytes":"090000000100000009"}"#,
        ),
    ]
}

/// Returns a packet of Godot 3, preceded by its sender and its receiver as in ENet.
fn prefixed(source: u32, target: i32, packet: &[u8]) -> Vec<u8> {
    [&source.to_le_bytes(), &target.to_le_bytes(), packet].concat()
}

fn check(engine: &str, rows: &[(Vec<u8>, &str, &str)]) {
    let packets: Vec<_> = rows.iter().map(|(packet, ..)| packet.clone()).collect();
    let capture = sent(&packets);
    let args = ["--as", engine];
    let (lines, objects) = (lines(&args, &capture), objects(&args, &capture));
    let expected: Vec<_> = rows.iter().map(|(_, line, _)| *line).collect();
    assert_eq!(lines, expected);
    let expected: Vec<_> = rows.iter().map(|(_, _, object)| *object).collect();
    assert_eq!(objects, expected);
}

#[test]
fn every_kind_of_godot4_has_its_line_and_its_object() {
    check("godot4", &of_godot4());
}

#[test]
fn every_kind_of_godot3_has_its_line_and_its_object() {
    check("godot3", &of_godot3());
}

/// Returns an ENet datagram in which the client with this id requests a connection.
fn connect(client: u32) -> Vec<u8> {
    let [channels, connection] = [255_u32, 1].map(u32::to_be_bytes);
    let mut datagram = vec![0x8f, 0xff, 0, 1, 0x82, 0xff, 0, 1, 0, 0, 0xff, 0xff];
    datagram.extend([1392_u32, 32768].map(u32::to_be_bytes).concat());
    datagram.extend(channels);
    datagram.extend([0; 20]);
    datagram.extend(connection);
    datagram.extend(client.to_be_bytes());
    datagram
}

/// Checks the lines of relayed packets. A packet from a client names the receiver, and one from the
/// server names the original sender.
#[test]
fn relayed_packets_name_the_other_peer() {
    let relay = |peer: i32| [&relay_head(peer)[..], &[3, 1]].concat();
    let raw = |source, target| prefixed(source, target, b"\x04\x01");
    let of_godot4 = [relay(5), relay(0), relay(-5), relay(5)];
    let of_godot3 = [raw(6, 5), raw(6, 0), raw(6, -5), raw(5, 6)];
    for (engine, [one, all, others, by]) in [("godot4", of_godot4), ("godot3", of_godot3)] {
        let capture = capture(
            "10.0.0.1",
            &[
                (HIGH, LOW, connect(6)),
                (HIGH, LOW, enet(1, 1, &one)),
                (HIGH, LOW, enet(1, 2, &all)),
                (HIGH, LOW, enet(1, 3, &others)),
                (LOW, HIGH, enet(1, 1, &by)),
            ],
        );
        assert_eq!(
            lines(&["--as", engine], &capture),
            [
                "raw            for 5  1 byte  01",
                "raw            for all  1 byte  01",
                "raw            for all but 5  1 byte  01",
                "raw            by 5  1 byte  01",
            ]
        );
    }
}

/// Checks that the values on a line are cut off after 100 characters. Also checks that they have no
/// colours, even if the rest of the line is coloured.
#[test]
fn values_on_a_line_are_plain_and_short() {
    let node = NodeRef::Cached(1);
    let [long, x, y, e] = ["x".repeat(70), "x".repeat(46), "y".repeat(48), "é".repeat(30)];
    let rows = [
        (
            written(|out| out.call(node, 1, (true, "é", 1.5)).unwrap()),
            "true, \"é\", 1.5".to_owned(),
        ),
        (
            written(|out| out.call(node, 1, (&*long, &*long)).unwrap()),
            format!("\"{long}\", \"{}…", "x".repeat(25)),
        ),
        (
            written(|out| out.call(node, 1, (&*long, 7, &*e)).unwrap()),
            format!("\"{long}\", 7, \"{}…", "é".repeat(22)),
        ),
        (written(|out| out.call(node, 1, (&*x, &*y)).unwrap()), format!("\"{x}\", \"{y}\"")),
    ];
    let packets: Vec<_> = rows.iter().map(|(packet, _)| packet.clone()).collect();
    let expected: Vec<_> = rows.iter().map(|(_, values)| format!("node 1.#1({values})")).collect();
    let capture = sent(&packets);
    let plain = lines(&["--as", "godot4"], &capture);
    let plain: Vec<_> =
        plain.iter().map(|line| line.strip_prefix("rpc            ").unwrap()).collect();
    assert_eq!(plain, expected);
    let colored =
        command::run_on(&["packets", "--color", "always", "--as", "godot4", "-"], &capture);
    let colored = shown(colored);
    for (line, expected) in colored.lines().zip(&expected) {
        assert!(line.ends_with(&format!("m  {expected}")), "{line:?}");
    }
}

fn stats(capture: &[u8]) -> String {
    packets(&["--stats", "--quiet", "--as", "godot4"], capture)
}

fn call(node: &str) -> Vec<u8> {
    written(|out| out.call(NodeRef::Path(node.into()), 1, (0.5, "x")).unwrap())
}

#[test]
fn statistics_of_one_packet_have_no_rates() {
    assert_eq!(
        stats(&sent(&[call("A/B")])),
        "\
1 captured, 69 bytes, 0.000 seconds

  kind     packets         bytes
  rpc            1            31

  name                     share  packets  bytes  bytes/packet
  rpc A/B.#1              44.9 %        1     31          31.0
  IP headers              29.0 %        1     20          20.0
  UDP headers             11.6 %        1      8           8.0
  ENet command headers     8.7 %        1      6           6.0
  ENet datagram headers    5.8 %        1      4           4.0
  captured               100.0 %        1     69          69.0

  largest packets
          31 bytes  0.000000  10.0.0.1:40000 → 10.0.0.1:7000     rpc            A/B.#1
"
    );
}

/// Checks that control packets are counted by kind, but are not among the largest packets.
#[test]
fn statistics_of_control_packets() {
    let out = stats(&capture("10.0.0.1", &[(HIGH, LOW, connect(6))]));
    assert_eq!(
        out,
        "\
1 captured, 80 bytes, 0.000 seconds

  kind        packets         bytes
  connect           1             0

  name                     share  packets  bytes  bytes/packet
  connection control      60.0 %        1     48          48.0
  IP headers              25.0 %        1     20          20.0
  UDP headers             10.0 %        1      8           8.0
  ENet datagram headers    5.0 %        1      4           4.0
  captured               100.0 %        1     80          80.0
"
    );
}

/// Checks that malformed packets are counted by reason. Reasons that differ only in a number,
/// decimal or hexadecimal, are counted together.
#[test]
fn statistics_of_malformed_packets() {
    let negative = |last: u8| vec![4, 0, 0, 0, 0xff, 0xff, 0xff, last];
    let mut datagrams: Vec<_> = [call("B"), call("A"), vec![7, 1], vec![8; 2], vec![7, 9]]
        .iter()
        .zip(1..)
        .map(|(packet, sequence)| (HIGH, LOW, enet(1, sequence, packet)))
        .collect();
    datagrams.push((HIGH + 1, LOW, vec![2, 0, 0, 0, 5, 0, 0, 0]));
    datagrams.extend([0x80, 0x8a].map(|last| (HIGH + 1, LOW, negative(last))));
    let capture = capture("10.0.0.1", &datagrams);
    assert_eq!(
        stats(&capture),
        "\
8 captured, 362 bytes, 0.007 seconds

  kind          packets         bytes
  malformed           5            22
  rpc                 2            58
  var                 1             8

  name                     share  packets  bytes  bytes/packet  bytes/s
  IP headers              44.2 %        8    160          20.0  22857.1
  UDP headers             17.7 %        8     64           8.0   9142.9
  ENet command headers     8.3 %        5     30           6.0   4285.7
  rpc A.#1                 8.0 %        1     29          29.0   4142.9
  rpc B.#1                 8.0 %        1     29          29.0   4142.9
  malformed                6.1 %        5     22           4.4   3142.9
  ENet datagram headers    5.5 %        5     20           4.0   2857.1
  var                      2.2 %        1      8           8.0   1142.9
  captured               100.0 %        8    362          45.2  51714.3

  malformed
           2  expected a length, found #, which is negative
           1  # is not a system command
           1  expected a REMOTE_CALL of at least # bytes, found fewer
           1  expected an ADD_PEER of at least # bytes, found fewer

  largest packets
          29 bytes  0.000000  10.0.0.1:40000 → 10.0.0.1:7000     rpc            B.#1
          29 bytes  0.001000  10.0.0.1:40000 → 10.0.0.1:7000     rpc            A.#1
           8 bytes  0.005000  10.0.0.1:40001 → 10.0.0.1:7000     var
           8 bytes  0.006000  10.0.0.1:40001 → 10.0.0.1:7000     malformed
           8 bytes  0.007000  10.0.0.1:40001 → 10.0.0.1:7000     malformed
           2 bytes  0.002000  10.0.0.1:40000 → 10.0.0.1:7000     malformed
           2 bytes  0.003000  10.0.0.1:40000 → 10.0.0.1:7000     malformed
           2 bytes  0.004000  10.0.0.1:40000 → 10.0.0.1:7000     malformed
"
    );
}

/// Checks that the table has rows for at most 4,096 methods. The packets of all other methods share
/// a row.
#[test]
fn statistics_of_many_names_are_bounded() {
    let names = |count: u32| {
        let packets: Vec<_> = (0..count).map(|number| call(&format!("{number:05}"))).collect();
        let out = stats(&sent(&packets));
        let table = out.split_once("  name").unwrap().1.split_once("\n\n").unwrap().0;
        let lines = table.lines().skip(1).filter(|line| line.starts_with("  rpc "));
        lines.map(|line| line.trim_end().to_owned()).collect::<Vec<_>>()
    };
    let rows = names(4096);
    assert_eq!(rows.len(), 4096);
    assert!(rows[4095].starts_with("  rpc 04095.#1 "), "{}", rows[4095]);
    let more = names(4098);
    assert_eq!(more.len(), 4097);
    assert!(more[4096].starts_with("  rpc 04095.#1 "), "{}", more[4096]);
    // The row of the other methods is the first, because it has the most bytes.
    let others: Vec<_> = more[0].split_whitespace().collect();
    assert_eq!(others[..6], ["rpc", "others", "0.0", "%", "2", "66"]);
}

/// Checks that packets that are neither UDP nor TCP are counted by reason. The 33rd reason and
/// further ones are counted together.
#[test]
fn skipped_packets_are_counted_by_reason() {
    let packet = |protocol: u8| {
        let mut data = vec![0x45, 0, 0, 20, 0, 0, 0, 0, 64, protocol];
        data.extend([0; 10]);
        captures::Packet { time: Some(0), link_type: 101, original_len: 20, data }
    };
    let protocols = [99, 100, 99].into_iter().chain(101..140);
    let file = captures::pcap(&protocols.map(packet).collect::<Vec<_>>(), Pcap::Micros, ORDERS[0]);
    let ran = command::run_on(&["packets", "--quiet", "-"], &file);
    let line = |protocol: u8| {
        let count = if protocol == 99 { 2 } else { 1 };
        format!("{count} skipped: IP protocol {protocol}, which is neither UDP nor TCP\n")
    };
    let lines: String = (99..99 + 32).map(line).collect();
    let expected = "42 captured, 840 bytes, 0.000 seconds\n".to_owned()
        + &lines
        + "9 skipped: other reasons\n";
    assert_eq!(ran.out, expected);
    assert_eq!(ran.err, "warning: <stdin>: the capture contains no packets of Godot games\n");
}

/// Calls to a node without a known path have a row for each number and sender.
#[test]
fn statistics_of_nodes_without_a_path() {
    let call = |id: u8| vec![0x80, id, 3];
    let datagrams: Vec<_> = [(HIGH, LOW, 17), (HIGH, LOW, 17), (HIGH, LOW, 18), (LOW, HIGH, 17)]
        .iter()
        .zip(1..)
        .map(|((from, to, id), sequence)| (*from, *to, enet(1, sequence, &call(*id))))
        .collect();
    let out = packets(&["--stats", "--quiet"], &capture("10.0.0.1", &datagrams));
    for row in [
        "rpc #17.#3 from 10.0.0.1:40000    3.7 %        2      6",
        "rpc #18.#3 from 10.0.0.1:40000    1.8 %        1      3",
        "rpc #17.#3 from 10.0.0.1:7000     1.8 %        1      3",
    ] {
        assert!(out.contains(row), "{row}\n{out}");
    }
}
