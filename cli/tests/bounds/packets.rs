//! Bounds of `gamewire packets`.

use crate::measure::{Files, Input, SMALL_INPUT, check, command, file, files, input, pick};
use crate::support::hostile::conversation::{self, HEADER_LEN};
use crate::support::hostile::{Shape, captures};

/// Memory for the state of conversations, such as stream windows and channel tables. The library
/// limits this state to 64 MiB; the inputs of these tests need less.
const STATE: u64 = 2 << 20;

/// Converts packets from [`conversation`] to a capture. In `packets`, a header of [`HEADER_LEN`]
/// bytes precedes the payload of each packet.
fn to_pcap(packets: Vec<u8>) -> Vec<u8> {
    let mut capture = captures::pcap(0, &[]);
    let mut rest = &packets[..];
    while let Some((header, after)) = rest.split_first_chunk::<HEADER_LEN>() {
        let (payload, after) = after.split_at(u16::from_le_bytes([header[11], header[12]]).into());
        let data = ethernet(header, payload);
        let len = data.len() as u32;
        capture.extend([1, 2, len, len].into_iter().flat_map(u32::to_le_bytes));
        capture.extend(data);
        rest = after;
    }
    capture
}

/// Returns the Ethernet frame of a UDP or TCP packet with this header and payload.
fn ethernet(header: &[u8; HEADER_LEN], payload: &[u8]) -> Vec<u8> {
    let word = |at: usize| u32::from_le_bytes(header[at..][..4].try_into().unwrap());
    let (is_tcp, is_by_server) = (header[4] != 0, header[5] != 0);
    let client = ((word(0) >> 12 | 10 << 24).to_be_bytes(), word(0) as u16 | 1 << 12);
    let server = ([10, 255, 0, 1], 7000);
    let [(from, from_port), (to, to_port)] =
        if is_by_server { [server, client] } else { [client, server] };
    let ports = [from_port.to_be_bytes(), to_port.to_be_bytes()].concat();
    let segment = if is_tcp {
        let sequence = word(7).to_be_bytes();
        [&ports[..], &sequence, &[0; 4], &[5 << 4, header[6]], &[0; 6], payload].concat()
    } else {
        let len = (payload.len() as u16 + 8).to_be_bytes();
        [&ports[..], &len, &[0; 2], payload].concat()
    };
    let len = (segment.len() as u16 + 20).to_be_bytes();
    let protocol = if is_tcp { 6 } else { 17 };
    let ip = [&[0x45, 0][..], &len, &[0, 0, 0, 0, 64, protocol, 0, 0], &from, &to].concat();
    [vec![0; 12], vec![8, 0], ip, segment].concat()
}

/// Returns an input of packets that are sent one after the other on a reliable channel of ENet.
fn reliable(name: &'static str, packets: fn(usize) -> Vec<Vec<u8>>) -> Input {
    input(name, move |size| {
        let packets = packets(size).into_iter().zip(1..);
        let packets: Vec<_> = packets
            .map(|(packet, number)| {
                conversation::udp(0, conversation::reliable(0, number, &packet))
            })
            .collect();
        vec![("input".into(), to_pcap(conversation::join(packets)))]
    })
}

/// Returns a packet that gives the number 1 to the node at this path.
fn simplify_path(path: &[u8]) -> Vec<u8> {
    [&[1][..], &[b'0'; 32], &[0, 1, 0, 0, 0], path, &[0]].concat()
}

/// A call of method 2 of node 1 without arguments.
const CALL: [u8; 4] = [0, 1, 2, 0];

fn calls() -> Vec<Input> {
    vec![
        reliable("calls of a node with a long path", |size| {
            let path = b"a/".repeat(size / 8);
            [vec![simplify_path(&path)], vec![CALL.to_vec(); size / 120]].concat()
        }),
        reliable("states of a node with a long path", |size| {
            // The records of one packet name the same node again and again.
            let path = b"a/".repeat(size / 8);
            let records = [1, 0, 0, 0x80, 0, 0, 0, 0].repeat(size / 16);
            vec![simplify_path(&path), [&[6, 1, 0][..], &records].concat()]
        }),
        reliable("a call with many arguments", |size| {
            vec![[&[0, 1, 2, 255][..], &[0x81; 255]].concat(); size / 330]
        }),
        reliable("malformed packets", |size| {
            (0..size / 84)
                .map(|n| [&[0, 1, 2, 9, 0x7f, 7][..], &n.to_le_bytes()].concat())
                .collect()
        }),
    ]
}

fn inputs() -> Vec<Input> {
    let conversations = pick(
        conversation::shapes(),
        &[
            "a value from each address",
            "paths for ever new nodes",
            "gaps",
            "what a coder has compressed",
        ],
    );
    let mut inputs = calls();
    inputs.extend(conversations.into_iter().map(|shape| file("input", shape, to_pcap)));
    inputs
}

#[test]
fn lines() {
    let commands = [command("packets --all input", 2).and_memory(STATE)];
    check("packets::lines", &commands, &inputs(), 2 * SMALL_INPUT);
}

#[test]
fn json() {
    // Each packet is printed with the path of its node, which has up to 4,096 bytes.
    let commands = [command("packets --all --json input", 2).and_memory(STATE).at_most(60_000.0)];
    check("packets::json", &commands, &calls(), 2 * SMALL_INPUT);
}

#[cfg(feature = "parquet")]
#[test]
fn table() {
    let commands = [command("packets --all --parquet out.parquet input", 2)
        .and_memory(STATE + (160 << 20))
        .at_most(120_000.0)];
    check("packets::table", &commands, &calls(), 2 * SMALL_INPUT);
}

#[test]
fn written() {
    // A comment and an exported PDU are kept until they are written, and so are a few buffers.
    let command = command("packets --all --write out.pcapng --annotate --pdus input", 2);
    let commands = [command.and_memory(STATE + (1 << 20)).at_most(120_000.0)];
    check("packets::written", &commands, &calls(), 2 * SMALL_INPUT);
}

#[test]
fn details() {
    let commands = [
        command("packets --tree --hex input", 2).and_memory(STATE),
        command("packets --stats --filter kind!=ping input", 8).and_memory(STATE),
    ];
    let inputs = &calls()[..2];
    check("packets::details", &commands, inputs, 2 * SMALL_INPUT);
}

#[test]
fn diagnoses() {
    // The library limits the state of diagnoses to 8 MiB, and the diagnoses to 1000.
    let commands = [command("packets --diagnose input", 8).and_memory(STATE + (12 << 20))];
    let shapes = pick(
        conversation::shapes(),
        &["checksums that differ", "ever new synchronizers", "calls of ever new methods", "gaps"],
    );
    let mut inputs = calls();
    inputs.extend(shapes.into_iter().map(|shape| file("input", shape, to_pcap)));
    check("packets::diagnoses", &commands, &inputs, 2 * SMALL_INPUT);
}

#[test]
fn records() {
    let commands = [command("packets --stats input", 2).and_memory(STATE)];
    let shapes: Vec<Shape> =
        pick(captures::shapes(), &["records of nothing", "sections", "a record that is not there"]);
    check("packets::records", &commands, &files("input", shapes), SMALL_INPUT);
}

/// Returns an input of a folder `scripts` with these scripts, and of an empty capture.
fn scripts(name: &'static str, scripts: fn(usize) -> Vec<String>) -> Input {
    input(name, move |size| -> Files {
        let scripts = scripts(size).into_iter().enumerate();
        let mut files: Files = scripts
            .map(|(number, script)| (format!("scripts/{number}.gd"), script.into_bytes()))
            .collect();
        files.push(("input".into(), captures::pcap(0, &[])));
        files
    })
}

fn method(name: &str) -> String {
    format!("@rpc func {name}(): pass\n")
}

#[test]
fn method_names() {
    // Each script also has the methods of up to 64 scripts that it extends. The limit on the number
    // of methods bounds the memory, too.
    let commands = [command("packets --quiet --scripts scripts input", 80)
        .and_memory(160 << 20)
        .at_most(60_000.0)];
    let inputs = [
        scripts("scripts that extend each other", |size| {
            let script =
                |n: usize| format!("extends \"{}.gd\"\n{}", n + 1, method(&format!("m{n}")));
            (0..size / 50).map(script).collect()
        }),
        scripts("scripts that extend one with many methods", |size| {
            let methods = (0..size / 60).map(|n| method(&format!("m{n}"))).collect();
            let script = |n: usize| format!("extends \"0.gd\"\n{}", method(&format!("s{n}")));
            [vec![methods], (1..size / 90).map(script).collect()].concat()
        }),
        scripts("scripts that extend one with a long method", |size| {
            let script = |n: usize| format!("extends \"0.gd\"\n{}", method(&format!("s{n}")));
            [vec![method(&"m".repeat(size / 2))], (1..size / 90).map(script).collect()].concat()
        }),
        scripts("empty lines", |size| vec!["\n".repeat(size)]),
    ];
    check("packets::method_names", &commands, &inputs, SMALL_INPUT);
}

#[test]
fn method_lists() {
    let commands = [command("packets --quiet --methods list input", 40)];
    let list = |name, line: fn(usize) -> String| {
        input(name, move |size| {
            let mut list = String::new();
            for number in 0.. {
                if list.len() >= size {
                    break;
                }
                list += &line(number);
            }
            vec![("list".into(), list.into_bytes()), ("input".into(), captures::pcap(0, &[]))]
        })
    };
    let inputs = [
        list("methods of different nodes", |n| format!("n{n}: m\n")),
        list("methods of the same node", |n| format!("n: m{n}\n")),
    ];
    check("packets::method_lists", &commands, &inputs, SMALL_INPUT);
}
