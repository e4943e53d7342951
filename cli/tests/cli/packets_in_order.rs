//! Checks that several captures, which are read at the same time, are printed as by one run for
//! each capture.

use crate::command::{empty_folder, together, write_file};
use crate::packets::{capture, enet};

/// A capture whose output as JSON is longer than the output that may wait.
fn long() -> Vec<u8> {
    let raw = [vec![3], vec![7; 60_000]].concat();
    let datagrams: Vec<_> =
        (0..160).map(|sequence| (50_000, 4321, enet(0, sequence + 1, &raw))).collect();
    capture("10.0.0.1", &datagrams)
}

#[test]
fn several_captures_are_printed_as_in_separate_runs() {
    let folder = empty_folder("packets/in_order");
    let long = write_file(&folder, "long.pcap", &long());
    let cut = write_file(&folder, "cut.pcap", &std::fs::read(&long).unwrap()[..90_000]);
    let empty = write_file(&folder, "empty.pcap", &capture("10.0.0.1", &[]));
    let foreign = write_file(&folder, "foreign.txt", b"not a capture\n");
    let corpus = ["enet", "ws", "udp", "relay"].map(|name| format!("corpus/captures/{name}.pcap"));
    let [enet, ws, udp, relay] = corpus.each_ref().map(String::as_str);
    let others = [enet, &cut, ws, &empty, &foreign, udp, relay, "corpus/captures/tcp.pcap"];
    // More files than may wait, and long ones before and between them.
    let files = [&[long.as_str()][..], &others, &others, &[&long, &long], &others].concat();

    for options in [&["--json"][..], &[], &["--all"], &["--tree", "--filter", "kind=rpc"]] {
        let args = [&["packets"], options].concat();
        let (mut expected, mut ok) = (String::new(), true);
        for file in &files {
            let (output, code) = together(&[&args[..], &[file]].concat(), b"");
            expected.push_str(&output);
            ok &= code == Some(0);
        }
        let (output, code) = together(&[&args[..], &files].concat(), b"");
        assert_eq!(code, Some(if ok { 0 } else { 1 }));
        assert!(output == expected, "{options:?}");
        if options == ["--json"] {
            assert!(output.len() > 3 << 24, "the long captures wait");
        }
    }
}
