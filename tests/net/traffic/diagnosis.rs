//! Diagnoses captures of real engines. Each problem is found in a capture where the engine's own
//! messages or logs prove it. No problem is found in captures in which everything works.

mod methods;
mod transport;
mod wire;

use crate::support::corpus;
use crate::support::net::captures;
use gamewire::capture::Reader;
use gamewire::traffic::diagnosis::{
    Diagnoser, Diagnosis, Fact, Oversize, Problem, ReceivedState, Severity, StallCause,
};
use gamewire::traffic::methods::{MethodNames, Scripts};
use gamewire::traffic::{Conversations, Options};

fn diagnose(file: &[u8], names: &MethodNames) -> Vec<Diagnosis> {
    let mut diagnoser = Diagnoser::new(names);
    let mut conversations = Conversations::new(Options::default());
    let mut reader = Reader::new(file);
    while let Some(packet) = reader.next_packet().unwrap() {
        let segment = packet.segment();
        diagnoser.packet(packet.time, &segment);
        if let Ok(segment) = &segment {
            let mut observer = |observed: gamewire::traffic::Observed<'_, '_>| {
                diagnoser.observed(observed);
            };
            conversations.observe(packet.time, segment, &mut observer);
        }
    }
    conversations.finish(&mut |record| diagnoser.record(record));
    diagnoser.finish()
}

/// Returns the methods of the scripts in these folders of the corpus.
fn names(folders: &[&str]) -> MethodNames {
    let mut names = MethodNames::default();
    for folder in folders {
        let mut scripts = Scripts::default();
        for file in ["door.gd", "extra.gd"] {
            let path = format!("captures-diagnosis/{folder}/{file}");
            if corpus::corpus(&path).exists() {
                scripts.add(file, &String::from_utf8(corpus::read(&path)).unwrap());
            }
        }
        names.add_scripts(&scripts).unwrap();
    }
    names
}

fn of_capture(name: &str, folders: &[&str]) -> Vec<Diagnosis> {
    diagnose(&corpus::read(&format!("captures-diagnosis/{name}.pcap")), &names(folders))
}

/// Returns the name, the node and the count of each problem.
fn summary(found: &[Diagnosis]) -> Vec<(&str, &str, u64)> {
    fn of(it: &Diagnosis) -> (&str, &str, u64) {
        (it.problem.name(), it.node.as_deref().unwrap_or_default(), it.count)
    }
    found.iter().map(of).collect()
}

fn file_text(path: &str) -> String {
    String::from_utf8(corpus::read(&format!("captures-diagnosis/{path}"))).unwrap()
}

/// Returns how often an engine printed a message that contains `text`.
fn messages(log: &str, text: &str) -> u64 {
    let log = file_text(&format!("{log}.log"));
    let count = |line: &str| line.split(' ').next().unwrap().parse::<u64>().unwrap();
    log.lines().filter(|line| line.contains(text)).map(count).sum()
}

/// Checks a diagnosis that the checksums of the two sides differ: the methods that only one side
/// has, the node, and the evidence.
#[track_caller]
fn check_checksum(found: &Diagnosis, only_sender: &[&str], only_receiver: &[&str]) {
    let Problem::Checksum { difference } = &found.problem else { panic!("{found:?}") };
    assert_eq!(difference.only_sender, only_sender);
    assert_eq!(difference.only_receiver, only_receiver);
    assert_eq!((found.node.as_deref(), found.peer), (Some("Main/Door"), Some(1)));
    assert_eq!(found.severity(), Severity::Error);
    let facts: Vec<_> = found.evidence.iter().map(|(fact, _)| *fact).collect();
    assert_eq!(facts[..2], [Fact::Announced, Fact::ChecksumRefused]);
}

const CHECKSUM: &str = "The rpc node checksum failed";

#[test]
fn everything_works() {
    for name in ["good", "godot3_good", "good_udp", "acknowledgement_lost"] {
        assert_eq!(of_capture(name, &["project"]), [], "{name}");
    }
    let names = names(&["project"]);
    for name in captures::NAMES.iter().chain(&captures::OTHER_COMPRESSIONS) {
        assert_eq!(diagnose(&captures::file(name), &names), [], "{name}");
    }
    for name in ["enet_objects", "lossy_dup"] {
        let file = corpus::read(&format!("captures-2/{name}.pcap"));
        assert_eq!(diagnose(&file, &names), [], "{name}");
    }
}

#[test]
fn renamed_method() {
    let found = of_capture("renamed_method", &["project", "client_renamed"]);
    assert_eq!(summary(&found), [("rpc_checksum", "Main/Door", 1)]);
    check_checksum(&found[0], &["knock"], &["knoc"]);
    // The client announces no checksum, but the script of the same name in the client's project has
    // different methods.
    let found = of_capture("renamed_method_one_way", &["project", "client_renamed"]);
    assert_eq!(summary(&found), [("rpc_checksum", "Main/Door", 1)]);
    check_checksum(&found[0], &["knock"], &["knoc"]);
    for log in ["renamed_method.client", "renamed_method_one_way.client"] {
        assert!(messages(log, CHECKSUM) > 0);
    }
    // If only the scripts of one side are known, the name on the other side is not known.
    let found = of_capture("renamed_method", &["project"]);
    assert_eq!(summary(&found), [("rpc_checksum", "Main/Door", 1)]);
    check_checksum(&found[0], &[], &[]);
}

#[test]
fn removed_method() {
    // The scripts of the server are enough, because leaving out one of the server's methods gives
    // the client's checksum.
    for folders in
        [&["project", "client_removed"][..], &["client_removed", "project"], &["project"]]
    {
        let found = of_capture("removed_method", folders);
        check_checksum(&found[0], &["zap"], &[]);
        if folders.len() < 2 {
            assert_eq!(summary(&found), [("rpc_checksum", "Main/Door", 1)]);
            continue;
        }
        let calls = messages("removed_method.client", "configs.has(p_rpc_method_id)");
        assert_eq!(
            summary(&found),
            [("rpc_checksum", "Main/Door", 1), ("unknown_method", "Main/Door", calls)]
        );
        let Problem::UnknownMethod { method, name, known } = &found[1].problem else { panic!() };
        assert_eq!((*method, name.as_deref(), *known), (5, Some("zap"), 5));
    }
    assert!(messages("removed_method.client", CHECKSUM) > 0);
    assert_eq!(summary(&of_capture("removed_method", &[])), [("rpc_checksum", "Main/Door", 1)]);
}

#[test]
fn missing_node() {
    let found = of_capture("missing_node", &["project"]);
    assert_eq!(summary(&found), [("unconfirmed_path", "Main/Extra", 1)]);
    let calls = messages("missing_node.client", "Failed to get path from RPC: Main/Extra");
    assert_eq!(found[0].problem, Problem::UnconfirmedPath { calls });
    assert!(messages("missing_node.client", "Node not found: \"Main/Extra\"") > 0);
}

#[test]
fn ids_that_are_not_spawned() {
    let state = |found: &Diagnosis| match found.problem {
        Problem::UnknownNetId { net_id, state, is_delta } => (net_id, state, is_delta),
        _ => panic!("{found:?}"),
    };
    let found = of_capture("never_spawned", &["project"]);
    assert_eq!(found.len(), 2);
    assert_eq!(state(&found[0]), (99, ReceivedState::NeverSpawned, true));
    assert_eq!(state(&found[1]), (99, ReceivedState::NeverSpawned, false));
    assert_eq!(messages("never_spawned.client", "Ignoring delta"), 1);

    let found = of_capture("sync_after_despawn", &["project"]);
    assert_eq!(summary(&found), [("unknown_net_id", "P1", 1)]);
    assert_eq!(state(&found[0]), (2, ReceivedState::Despawned, false));
    assert_eq!(found[0].evidence[0].0, Fact::Despawned);

    let found = of_capture("spawn_lost", &["project"]);
    assert_eq!(summary(&found)[0].0, "stall");
    assert_eq!(state(&found[1]), (2, ReceivedState::NotYetSpawned, false));
    // The client logged the states that it accepted. All other states came before the SPAWN.
    let log = file_text("spawn_lost.client.jsonl");
    let accepted = log.lines().filter(|line| line.contains("\"sync\"")).count() as u64;
    let all = states("spawn_lost");
    assert_eq!(found[1].count + accepted, all);
}

/// Returns the number of SYNC packets in a capture.
fn states(name: &str) -> u64 {
    let mut count = 0;
    let file = corpus::read(&format!("captures-diagnosis/{name}.pcap"));
    let mut conversations = Conversations::default();
    let mut reader = Reader::new(&file[..]);
    while let Some(packet) = reader.next_packet().unwrap() {
        conversations.segment(packet.time, &packet.segment().unwrap(), &mut |record| {
            count += u64::from(record.kind() == gamewire::traffic::RecordKind::Sync);
        });
    }
    count
}

#[test]
fn not_authority() {
    let found = of_capture("not_authority", &["project"]);
    let calls =
        messages("not_authority.server", "RPC 'open' is not allowed on node /root/Main/Door");
    assert_eq!(summary(&found), [("not_authority", "Main/Door", calls)]);
    let message = format!("from: {}.", found[0].peer.unwrap());
    assert_eq!(messages("not_authority.server", &message), calls);
    assert_eq!(found[0].problem, Problem::NotAuthority { method: "open".into() });
    // Without scripts, it is not known who may call the method.
    assert_eq!(of_capture("not_authority", &[]), []);
    // If a script changes the authority of nodes, the client could be the authority, so nothing is
    // reported.
    let mut names = names(&["project"]);
    let mut scripts = Scripts::default();
    scripts.add("other.gd", "func _ready(): $Door.set_multiplayer_authority(2)");
    names.add_scripts(&scripts).unwrap();
    assert_eq!(diagnose(&corpus::read("captures-diagnosis/not_authority.pcap"), &names), []);
}

#[test]
fn over_the_mtu() {
    for (name, bytes) in [("over_mtu", 3003), ("godot3_over_mtu", 3030)] {
        let found = of_capture(name, &["project"]);
        assert_eq!(summary(&found), [("over_mtu", "", 5)], "{name}");
        let Problem::OverMtu { len, packet, oversize } = &found[0].problem else { panic!() };
        assert_eq!((*len, packet.as_deref()), (bytes, Some("Main/Door.scatter")));
        assert_eq!(*oversize, Oversize::Unreliable { mtu: Some(1392), fragments: 3 });
        let message = format!("Sending {bytes} bytes");
        assert_eq!(messages(&format!("{name}.server"), &message), 1);
    }
    // Four datagrams, each in two fragments.
    let found = of_capture("ip_fragments", &[]);
    assert_eq!(summary(&found), [("over_mtu", "", 8)]);
    let received = file_text("ip_fragments.server.jsonl").matches("\"size\":2000").count() as u64;
    assert_eq!(found[0].count, 2 * (received + 1), "the server ended before the last datagram");
    let found = of_capture("over_mtu_udp", &[]);
    assert_eq!(summary(&found), [("over_mtu", "", 4)]);
    let oversize = Oversize::Datagram { limit: 1472 };
    assert_eq!(found[0].problem, Problem::OverMtu { len: 2008, packet: None, oversize });
}

#[test]
fn stalls() {
    for (name, call, channel, cause) in [
        ("stall_at_receiver", "Main/Door.close", 0, StallCause::Lost),
        ("stall_at_sender", "Main/Door.close", 0, StallCause::LostOrUnacknowledged),
        ("godot3_stall", "Main/Door.knock", 1, StallCause::Lost),
    ] {
        let found = of_capture(name, &["project"]);
        assert_eq!(summary(&found), [("stall", "", 1)], "{name}");
        let Problem::Stall(stall) = &found[0].problem else { panic!() };
        assert_eq!((stall.channel, stall.sequence, stall.cause), (channel, 12, cause), "{name}");
        assert_eq!((stall.packet.as_deref(), stall.arrived), (Some(call), true), "{name}");
        assert!(stall.waiting >= 4 && stall.delay > Some(100_000_000), "{name}: {stall:?}");
        assert_eq!(found[0].severity(), Severity::Warning);
    }
}

#[test]
fn late() {
    let found = of_capture("late", &["project"]);
    assert_eq!(summary(&found), [("late", "", 1)]);
    let Problem::Late { channel, packet, behind } = &found[0].problem else { panic!() };
    assert_eq!((*channel, packet.as_deref()), (3, Some("Main/Door.swing")));
    assert!(behind.is_some_and(|behind| behind > 0));
    // The client received all calls but the ninth.
    let log = file_text("late.client.jsonl");
    let swing = |step: usize| {
        log.lines().any(|line| line.contains("\"swing\"") && line.contains(&format!("[{step},")))
    };
    assert!(!swing(9) && (1..=40).all(|step| step == 9 || swing(step)));
}

/// The problems are sorted by severity, with the most severe first.
#[test]
fn the_most_severe_problem_is_the_first() {
    for name in ["removed_method", "never_spawned", "spawn_lost"] {
        let severities: Vec<_> =
            of_capture(name, &["project"]).iter().map(Diagnosis::severity).collect();
        assert!(severities.is_sorted(), "{name}: {severities:?}");
    }
}
