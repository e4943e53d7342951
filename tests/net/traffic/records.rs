//! Calls the methods of `Record` on the records of the captures.

use crate::support::net::captures;
use gamewire::godot::multiplayer::godot4::NetId;
use gamewire::traffic::methods::MethodNames;
use gamewire::traffic::{Conversations, Record, RecordKind};
use std::collections::{BTreeMap, BTreeSet};

fn each_record(capture: &str, mut each: impl FnMut(&Record<'_>)) {
    let file = captures::file(capture);
    let mut reader = gamewire::capture::Reader::new(&file[..]);
    let mut conversations = Conversations::default();
    while let Some(packet) = reader.next_packet().unwrap() {
        conversations.segment(packet.time, &packet.segment().unwrap(), &mut each);
    }
    conversations.finish(&mut each);
}

fn names() -> MethodNames {
    let mut names = MethodNames::default();
    names.add_list(include_str!("../../../corpus/captures/methods.txt")).unwrap();
    names
}

fn kinds(capture: &str) -> BTreeMap<RecordKind, usize> {
    let mut kinds = BTreeMap::new();
    each_record(capture, |record| *kinds.entry(record.kind()).or_default() += 1);
    kinds
}

#[test]
fn names_of_kinds_are_unique() {
    let names: BTreeSet<_> = RecordKind::ALL.iter().map(|kind| kind.name()).collect();
    assert_eq!(names.len(), RecordKind::ALL.len());
    assert!(RecordKind::ALL.iter().all(|kind| kind.to_string() == kind.name()));
}

#[test]
fn kinds_of_records() {
    let kinds3 = kinds("godot3_enet");
    for (kind, count) in [
        (RecordKind::Accept, 1),
        (RecordKind::ConfirmPath, 1),
        (RecordKind::Raw, 8),
        (RecordKind::Rpc, 35),
        (RecordKind::Set, 8),
        (RecordKind::SimplifyPath, 1),
    ] {
        assert_eq!(kinds3.get(&kind), Some(&count), "{kind}");
    }
    let kinds4 = kinds("enet");
    assert_eq!(kinds4[&RecordKind::Rpc], 70);
    for kind in [RecordKind::Spawn, RecordKind::Sync, RecordKind::Delta] {
        assert!(kinds4.contains_key(&kind), "{kind}");
    }
    assert_eq!(kinds("udp").keys().collect::<Vec<_>>(), [&RecordKind::Var]);
}

#[test]
fn only_control_records_have_no_bytes() {
    for capture in captures::NAMES {
        each_record(capture, |record| {
            assert_eq!(record.is_control(), record.bytes.is_empty(), "{record:?}");
            if record.is_control() {
                assert!(record.arguments().is_none() && record.member(&names()).is_none());
            }
        });
    }
}

#[test]
fn methods_are_named_by_checksum_and_by_number_without_a_list() {
    let (names, unknown) = (names(), MethodNames::default());
    let (mut named, mut numbered) = (BTreeSet::new(), BTreeSet::new());
    each_record("enet", |record| {
        named.extend(record.member(&names).map(|name| name.into_owned()));
        numbered.extend(record.member(&unknown).map(|name| name.into_owned()));
    });
    let methods = ["blob", "chat", "move", "no_args", "raw", "small", "state"];
    assert!(named.iter().eq(methods), "{named:?}");
    assert!(numbered.iter().eq(["#0", "#1", "#2", "#3", "#4", "#5", "#6"]), "{numbered:?}");
    let mut godot3 = BTreeSet::new();
    each_record("godot3_enet", |record| {
        godot3.extend(record.member(&unknown).map(|name| name.into_owned()));
    });
    assert!(godot3.contains("score") && godot3.contains("blob"), "{godot3:?}");
}

#[test]
fn states_of_nodes() {
    let (mut paths, mut synchronizers, mut changed) = (BTreeSet::new(), 0, BTreeSet::new());
    each_record("enet", |record| {
        let has_states = matches!(record.kind(), RecordKind::Sync | RecordKind::Delta);
        assert_eq!(record.node_states().next().is_some(), has_states);
        for state in record.node_states() {
            assert!(state.values.check().is_ok());
            assert_eq!(state.changed.is_some(), record.kind() == RecordKind::Delta);
            changed.extend(state.changed);
            match state.node {
                NetId::Cached(id) => drop(paths.insert(record.path(id).unwrap().to_string())),
                NetId::Synchronizer(_) => synchronizers += 1,
            }
        }
    });
    assert!(paths.iter().eq(["Main/Sync"]), "{paths:?}");
    assert!(synchronizers > 0 && !changed.contains(&0), "{synchronizers} {changed:?}");
}

#[test]
fn bytes_of_scripts_end_the_packet() {
    let mut raw = 0;
    each_record("enet", |record| {
        let Some(bytes) = record.raw_bytes() else { return };
        assert!(matches!(record.kind(), RecordKind::Raw | RecordKind::Auth));
        assert!(record.bytes.ends_with(bytes) && bytes.len() < record.bytes.len());
        raw += 1;
    });
    assert!(raw > 0);
}

#[test]
fn peers_that_connect_and_disconnect() {
    let mut announced = Vec::new();
    each_record("relay", |record| {
        let peer = record.announced_peer();
        let is_report = matches!(record.kind(), RecordKind::AddPeer | RecordKind::DelPeer);
        assert_eq!(peer.is_some(), is_report);
        announced.extend(peer);
    });
    assert!(announced.contains(&742_454_010) && announced.contains(&1_957_538_486));
}

#[test]
fn leaked_memory() {
    let leaked = |capture| {
        let (mut bytes, mut packets) = (0, 0);
        each_record(capture, |record| {
            bytes += record.leaked();
            packets += u32::from(record.leaked() > 0);
        });
        (bytes, packets)
    };
    assert_eq!(leaked("godot3_enet"), (4, 1));
    assert_eq!(leaked("enet"), (0, 0));
}
