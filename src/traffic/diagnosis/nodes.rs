//! Nodes that a side has announced or called: their paths, checksums and methods.

use super::budget::Budget;
use super::difference::Difference;
use super::findings::{Occurrence, Subject};
use super::scene::Scene;
use super::text::truncated;
use super::types::{Evidence, Fact, Now, Problem};
use crate::godot::multiplayer::godot4::Method;
use crate::traffic::hash::RandomState;
use crate::traffic::methods::{Caller, MethodList, MethodNames};
use core::hash::BuildHasher;
use std::boxed::Box;
use std::collections::{BTreeMap, HashMap};
use std::string::String;
use std::vec::Vec;

/// The nodes of one side of a connection. A node is identified by its path and, in relayed packets,
/// by the peer in their header.
#[derive(Debug, Default)]
pub(super) struct Nodes {
    all: HashMap<u64, Node, RandomState>,
    /// The keys of the numbered nodes, by relayed peer and number.
    by_id: HashMap<(Option<i32>, u32), u64, RandomState>,
}

#[derive(Debug)]
pub(super) struct Node {
    path: String,
    /// The peer in the header of relayed packets.
    relay: Option<i32>,
    /// Multiplayer id of the sender.
    sender: Option<i32>,
    announced: Option<Announced>,
    /// The answer of the other side: `true` if its checksum is the same.
    confirmed: Option<(bool, Evidence)>,
    calls: BTreeMap<u16, Calls>,
    /// Number of calls that contained the whole path instead of a number.
    path_calls: u64,
}

#[derive(Clone, Copy, Debug)]
struct Announced {
    first: Evidence,
    checksum: Option<[u8; 32]>,
}

#[derive(Clone, Copy, Debug)]
struct Calls {
    count: u64,
    first: Evidence,
    last: Evidence,
}

/// Memory of a node in bytes, not counting its path.
const NODE: usize = 320;
/// Memory of the calls of a method in bytes.
const CALLS: usize = 80;
/// Time in nanoseconds after which a path that is not confirmed is reported.
const PATIENCE: i64 = 1_000_000_000;

/// The identity of the node that a packet addresses.
#[derive(Clone, Copy, Debug)]
pub(super) struct NodeId<'a> {
    pub(super) path: &'a [u8],
    /// The peer in the header of a relayed packet.
    pub(super) relay: Option<i32>,
    /// Multiplayer id of the sender.
    pub(super) sender: Option<i32>,
}

impl NodeId<'_> {
    pub(super) fn key(&self, hasher: &RandomState) -> u64 {
        hasher.hash_one((self.relay, self.path))
    }
}

impl Nodes {
    /// Returns the path and the checksum of the node that has the number `id`.
    pub(super) fn by_id(&self, relay: Option<i32>, id: u32) -> (Option<String>, Option<[u8; 32]>) {
        let node = self.by_id.get(&(relay, id)).and_then(|key| self.all.get(key));
        let checksum = node.and_then(|node| node.announced?.checksum);
        (node.map(|node| node.path.clone()), checksum)
    }

    /// Returns `true` if the sender has announced a node with the number `id`.
    pub(super) fn knows(&self, relay: Option<i32>, id: u32) -> bool {
        self.by_id.contains_key(&(relay, id))
    }

    /// Returns the node with a key, and the memory that was allocated for it.
    fn entry(&mut self, key: u64, id: NodeId<'_>) -> (&mut Node, usize) {
        let mut memory = 0;
        let node = self.all.entry(key).or_insert_with(|| {
            let path = truncated(id.path);
            memory = NODE.saturating_add(path.len());
            Node {
                path,
                relay: id.relay,
                sender: None,
                announced: None,
                confirmed: None,
                calls: BTreeMap::new(),
                path_calls: 0,
            }
        });
        node.sender = id.sender.or(node.sender);
        (node, memory)
    }

    /// Adds an announcement. Returns the allocated memory.
    pub(super) fn announce(
        &mut self,
        key: u64,
        id: NodeId<'_>,
        number: u32,
        checksum: Option<&[u8; 32]>,
        now: Now,
    ) -> usize {
        let known = self.by_id.insert((id.relay, number), key);
        let (node, memory) = self.entry(key, id);
        let checksum = checksum.copied();
        match &mut node.announced {
            Some(announced) if announced.checksum == checksum => {}
            announced => {
                *announced = Some(Announced { first: now.evidence(), checksum });
                node.confirmed = None;
            }
        }
        memory.saturating_add(if known.is_none() { NODE } else { 0 })
    }

    /// Adds the answer to an announcement.
    pub(super) fn confirm(&mut self, key: u64, is_same: bool, now: Now) {
        if let Some(node) = self.all.get_mut(&key) {
            node.confirmed.get_or_insert((is_same, now.evidence()));
        }
    }

    /// Adds a call. Returns the allocated memory.
    pub(super) fn call(
        &mut self,
        key: u64,
        id: NodeId<'_>,
        method: Option<Method>,
        has_path: bool,
        now: Now,
    ) -> usize {
        let (node, mut memory) = self.entry(key, id);
        node.path_calls = node.path_calls.saturating_add(u64::from(has_path));
        let Some(method) = method.filter(|method| !method.is_of_node()) else { return memory };
        let at = now.evidence();
        let calls = node.calls.entry(method.0).or_insert_with(|| {
            memory = memory.saturating_add(CALLS);
            Calls { count: 0, first: at, last: at }
        });
        *calls = Calls { count: calls.count.saturating_add(1), last: at, ..*calls };
        memory
    }

    /// Draws the conclusions about the nodes of this side. `other` are the nodes of the other side,
    /// and `last` is the last packet from there.
    pub(super) fn close(&self, other: &Self, last: Option<Evidence>, scene: &mut Scene<'_, '_>) {
        let mut all: Vec<_> = self.all.iter().collect();
        // The order matters because only the first diagnoses are kept if there are too many.
        all.sort_by(|(_, a), (_, b)| (&a.path, a.relay).cmp(&(&b.path, b.relay)));
        for (key, node) in all {
            let conclusions = Conclusions { key: *key, node, other: other.all.get(key) };
            conclusions.unconfirmed(last, scene);
            conclusions.checksum(scene);
            conclusions.calls(scene);
        }
    }
}

/// A node about which conclusions are drawn at the end of a connection.
struct Conclusions<'c> {
    key: u64,
    node: &'c Node,
    /// The same node on the other side.
    other: Option<&'c Node>,
}

impl Conclusions<'_> {
    fn occurrence<'e>(&self, problem: Problem, evidence: &'e [(Fact, Evidence)]) -> Occurrence<'e> {
        let Node { sender, path, .. } = self.node;
        let node = Some(path.clone());
        Occurrence { peer: *sender, node, ..Occurrence::once(problem, evidence) }
    }

    /// Reports a path that was not confirmed although the other side had enough time to confirm it.
    fn unconfirmed(&self, last: Option<Evidence>, scene: &mut Scene<'_, '_>) {
        let (Some(Announced { first, .. }), None, Some(last)) =
            (self.node.announced, self.node.confirmed, last)
        else {
            return;
        };
        let is_later = |at: Evidence| match at.since(first) {
            Some(time) => time > PATIENCE && at.packet > first.packet,
            None => at.packet > first.packet.saturating_add(1000),
        };
        if !is_later(last) {
            return;
        }
        let evidence = [(Fact::Announced, first), (Fact::LastOfReceiver, last)];
        let calls = self.node.path_calls;
        let occurrence = self.occurrence(Problem::UnconfirmedPath { calls }, &evidence);
        scene.findings.add(scene.key(Subject::Path, self.key), occurrence);
    }

    /// Reports that the checksums of the two sides differ. If both sides announced a checksum, the
    /// problem is reported only for the side that announced the node first.
    fn checksum(&self, scene: &mut Scene<'_, '_>) {
        let Some(own) = self.node.announced else { return };
        let other = self.other.and_then(|other| other.announced);
        let sums = own.checksum.zip(other.and_then(|other| other.checksum));
        let refused = match self.node.confirmed {
            Some((false, at)) => Some(at),
            _ => None,
        };
        if refused.is_none() && sums.is_none_or(|(own, other)| own == other) {
            return;
        }
        if other.is_some_and(|other| other.first < own.first) && sums.is_some() {
            return;
        }
        let receiver = other.and_then(|other| other.checksum);
        let budget = &mut scene.findings.budget;
        let (sender, receiver) = (own.checksum.as_ref(), receiver.as_ref());
        let difference = Difference::find(scene.names, &self.node.path, sender, receiver, budget);
        let other = other.map(|other| (Fact::AnnouncedByReceiver, other.first));
        let refused = refused.map(|at| (Fact::ChecksumRefused, at));
        let mut evidence: Vec<_> =
            [Some((Fact::Announced, own.first)), refused, other].into_iter().flatten().collect();
        evidence.sort_by_key(|(_, at)| *at);
        let problem = Problem::Checksum { difference: Box::new(difference) };
        let occurrence = self.occurrence(problem, &evidence);
        scene.findings.add(scene.key(Subject::Checksum, self.key), occurrence);
    }

    /// Reports calls that the other side refuses.
    fn calls(&self, scene: &mut Scene<'_, '_>) {
        let Some(list) = self.methods_of_receiver(scene.names, &mut scene.findings.budget) else {
            return;
        };
        for (number, calls) in &self.node.calls {
            let method = Method(*number);
            let (problem, subject) = match list.get(method) {
                None => {
                    let name = self.own_methods(scene.names).and_then(|own| own.get(method));
                    let name = name.map(|method| truncated(method.name().as_bytes()));
                    let known = list.methods().len();
                    let problem = Problem::UnknownMethod { method: *number, name, known };
                    (problem, Subject::UnknownMethod(*number))
                }
                Some(known) if known.caller() == Some(Caller::Authority) => {
                    let is_authority = self.node.sender.is_none_or(|peer| peer == SERVER);
                    if is_authority || scene.names.authority_changes() {
                        continue;
                    }
                    let method = truncated(known.name().as_bytes());
                    (Problem::NotAuthority { method }, Subject::NotAuthority(*number))
                }
                Some(_) => continue,
            };
            let evidence = [(Fact::Called, calls.first)];
            let last = (calls.count > 1).then_some(calls.last);
            let occurrence = self.occurrence(problem, &evidence);
            let occurrence = Occurrence { count: calls.count, last, ..occurrence };
            scene.findings.add(scene.key(subject, self.key), occurrence);
        }
    }

    fn own_methods<'n>(&self, names: &'n MethodNames) -> Option<&'n MethodList> {
        names.list(self.node.announced?.checksum.as_ref()?)
    }

    /// Returns the methods of the other side. If the other side announced or confirmed a checksum,
    /// these are the methods with that checksum. If it refused the checksum, these are the methods
    /// of the script with the same name in a different project.
    fn methods_of_receiver<'n>(
        &self,
        names: &'n MethodNames,
        budget: &mut Budget,
    ) -> Option<&'n MethodList> {
        if let Some(other) = self.other.and_then(|other| other.announced) {
            return names.list(other.checksum.as_ref()?);
        }
        let own = self.own_methods(names)?;
        match self.node.confirmed {
            Some((true, _)) => Some(own),
            Some((false, _)) => budget.other_project(names, own).map(|(.., list)| list),
            None => None,
        }
    }
}

/// Multiplayer id of the server, which is the authority of all nodes unless a script changes it.
const SERVER: i32 = 1;
