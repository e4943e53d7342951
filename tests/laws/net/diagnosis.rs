//! Laws of diagnoses: the evidence of each diagnosis consists of packets of the capture, in the
//! order of the capture, and the most severe diagnoses come first.

use super::conversation::{Damage, Step, options, segments};
use gamewire::capture::{self, Reader, Segment, Skipped};
use gamewire::traffic::diagnosis::{Diagnoser, Diagnosis, Problem};
use gamewire::traffic::methods::{MethodNames, Scripts};
use gamewire::traffic::{Conversations, Observed, Options};

/// Checks the laws. The input has the form that [`conversation`](super::conversation()) reads.
pub fn diagnosis(data: &[u8]) {
    let [first, data @ ..] = data else { return };
    let options = options(*first);
    let (mut capture, mut reader) = (Vec::new(), Reader::new(data));
    while let Ok(Some(packet)) = reader.next_packet() {
        capture.push((packet.time, packet.link_type, packet.data.to_vec()));
    }
    if !capture.is_empty() {
        let segment = |data, link_type| capture::segment(link_type, data);
        let packets = capture.iter().map(|(time, link, data)| (*time, segment(data, *link)));
        return check(&packets.collect::<Vec<_>>(), options);
    }
    let steps = Step::all(data);
    // Some packets have no time.
    let time = |number: usize| (number % 7 != 6).then_some(number as i64 * 30_000_000);
    let segments = segments(&steps, Damage::Kept, options).into_iter().enumerate();
    let packets: Vec<_> = segments.map(|(number, segment)| (time(number), Ok(segment))).collect();
    check(&packets, options);
}

type Packet<'a> = (Option<i64>, Result<Segment<'a>, Skipped>);

fn check(packets: &[Packet<'_>], options: Options) {
    let names = names();
    let found = diagnose(packets, options, &names);
    assert_eq!(found, diagnose(packets, options, &names), "the same again");
    assert!(found.iter().map(Diagnosis::severity).is_sorted());
    found.iter().for_each(|found| check_diagnosis(found, packets));
    // Some problems can be found only if the names of methods are known.
    let without = diagnose(packets, options, &MethodNames::default());
    let needs_names = |found: &&Diagnosis| {
        matches!(found.problem, Problem::UnknownMethod { .. } | Problem::NotAuthority { .. })
    };
    assert_eq!(without.iter().find(needs_names), None);
    assert_eq!(without.len(), found.iter().filter(|found| !needs_names(found)).count());
}

fn check_diagnosis(found: &Diagnosis, packets: &[Packet<'_>]) {
    assert!(found.count > 0 && !found.problem.name().is_empty());
    assert!(!found.evidence.is_empty());
    let evidence: Vec<_> = found.evidence.iter().map(|(_, at)| *at).collect();
    assert!(evidence.is_sorted_by_key(|at| at.packet), "{found:?}");
    for at in evidence.iter().chain(&found.last) {
        let (time, _) = packets[usize::try_from(at.packet).unwrap() - 1];
        assert_eq!(at.time, time);
    }
    // Each byte that is not UTF-8 is replaced by a character of three bytes, so the name of a node
    // can become three times as long.
    assert!(found.node.as_ref().is_none_or(|node| node.len() <= 3 * 256));
    if let Problem::Stall(stall) = &found.problem {
        assert!(stall.waiting <= 256);
    }
}

fn diagnose(packets: &[Packet<'_>], options: Options, names: &MethodNames) -> Vec<Diagnosis> {
    let mut diagnoser = Diagnoser::new(names);
    let mut conversations = Conversations::new(options);
    for (time, segment) in packets {
        diagnoser.packet(*time, segment);
        if let Ok(segment) = segment {
            let mut observer = |observed: Observed<'_, '_>| diagnoser.observed(observed);
            conversations.observe(*time, segment, &mut observer);
        }
    }
    conversations.finish(&mut |record| diagnoser.record(record));
    assert_eq!(diagnoser.packets(), packets.len() as u64);
    let found = diagnoser.finish();
    assert!(found.len() <= Diagnoser::MAX_DIAGNOSES);
    found
}

/// Returns the method names of two projects, and of the node `Main`.
fn names() -> MethodNames {
    let mut names = MethodNames::default();
    let both = "@rpc func a(): pass\n@rpc(\"any_peer\") func b(): pass";
    for script in [both, "@rpc func a(): pass"] {
        let mut scripts = Scripts::default();
        scripts.add("main.gd", script);
        names.add_scripts(&scripts).unwrap();
    }
    names.add_list("Main: move\nMain: chat").unwrap();
    names
}
