//! The diagnoses so far. Occurrences of the same problem are counted together.

use super::budget::Budget;
use super::types::{Diagnosis, Evidence, Fact, Problem, ReceivedState, Stall};
use crate::traffic::hash::RandomState;
use core::net::SocketAddr;
use std::collections::HashMap;
use std::string::String;
use std::vec::Vec;

/// The subject of a problem. Problems with the same [`Key`] are counted together. The comments on
/// the variants state what [`Key::detail`] contains.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub(super) enum Subject {
    /// The RPC methods of a node; the detail is a hash of its path.
    Checksum,
    /// The path of a node; the detail is a hash of it.
    Path,
    /// A method by its number; the detail is a hash of its node's path.
    UnknownMethod(u16),
    NotAuthority(u16),
    /// A SYNC; the detail is the id of the synchronizer.
    Sync,
    /// A DELTA; the detail is the id of the synchronizer.
    Delta,
    /// Unreliable packets in fragments; the detail is a hash of their description.
    Fragments,
    Datagrams,
    /// Stalls of a channel; the detail is 0.
    Stall(u8),
    /// Late packets of a channel; the detail is a hash of their description.
    Late(u8),
}

#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub(super) struct Key {
    pub source: SocketAddr,
    pub destination: SocketAddr,
    pub subject: Subject,
    pub detail: u64,
}

/// One or more occurrences of a problem.
#[derive(Debug)]
pub(super) struct Occurrence<'e> {
    pub problem: Problem,
    pub peer: Option<i32>,
    pub node: Option<String>,
    pub count: u64,
    pub evidence: &'e [(Fact, Evidence)],
    pub last: Option<Evidence>,
}

impl<'e> Occurrence<'e> {
    /// Creates a single occurrence of `problem`, without a peer or a node.
    pub(super) fn once(problem: Problem, evidence: &'e [(Fact, Evidence)]) -> Self {
        Self { problem, peer: None, node: None, count: 1, evidence, last: None }
    }
}

#[derive(Debug, Default)]
pub(super) struct Findings {
    all: Vec<Diagnosis>,
    by_key: HashMap<Key, usize, RandomState>,
    pub(super) omitted: u64,
    /// Limits the work of searches in the known methods.
    pub(super) budget: Budget,
}

/// Maximum number of diagnoses.
pub(super) const MAX_DIAGNOSES: usize = 1000;
impl Findings {
    /// Adds occurrences of a problem.
    pub(super) fn add(&mut self, key: Key, new: Occurrence<'_>) {
        if let Some(known) = self.by_key.get(&key).and_then(|index| self.all.get_mut(*index)) {
            return known.repeat(new);
        }
        if self.all.len() >= MAX_DIAGNOSES {
            self.omitted = self.omitted.saturating_add(1);
            return;
        }
        self.by_key.insert(key, self.all.len());
        let Key { source, destination, .. } = key;
        let Occurrence { problem, peer, node, count, evidence, last } = new;
        let evidence = evidence.to_vec();
        self.all.push(Diagnosis {
            problem,
            source,
            destination,
            peer,
            node,
            count,
            evidence,
            last,
        });
    }

    /// Notes that an id is spawned only now, after state was sent for it.
    pub(super) fn spawned(&mut self, key: Key, now: Evidence) {
        let Some(known) = self.by_key.get(&key).and_then(|index| self.all.get_mut(*index)) else {
            return;
        };
        if let Problem::UnknownNetId { state: state @ ReceivedState::NeverSpawned, .. } =
            &mut known.problem
        {
            *state = ReceivedState::NotYetSpawned;
            known.evidence.push((Fact::Spawned, now));
        }
    }

    /// Returns all diagnoses, sorted.
    pub(super) fn take(&mut self) -> Vec<Diagnosis> {
        self.by_key.clear();
        let mut all = core::mem::take(&mut self.all);
        let first = |it: &Diagnosis| it.evidence.first().map(|(_, at)| at.packet);
        let order = |it: &Diagnosis| (it.severity(), first(it));
        all.sort_by(|a, b| order(a).cmp(&order(b)).then_with(|| a.cmp(b)));
        all
    }
}

impl Diagnosis {
    /// Counts further occurrences. If they are stalls, keeps the worst one.
    fn repeat(&mut self, new: Occurrence<'_>) {
        self.count = self.count.saturating_add(new.count);
        let at = new.evidence.last().map(|(_, at)| *at);
        self.last = new.last.or(at).max(self.last);
        match (&mut self.problem, new.problem) {
            (Problem::Stall(worst), Problem::Stall(stall)) if rank(&stall) > rank(worst) => {
                *worst = stall;
                self.evidence = new.evidence.to_vec();
            }
            (
                Problem::OverMtu { len, oversize, .. },
                Problem::OverMtu { len: new, oversize: kind, .. },
            ) if new > *len => (*len, *oversize) = (new, kind),
            (Problem::Late { behind, .. }, Problem::Late { behind: new, .. }) => {
                *behind = new.max(*behind);
            }
            _ => {}
        }
    }
}

/// Returns a sort key for stalls: the worse the stall, the greater the key.
fn rank(stall: &Stall) -> (bool, bool, Option<i64>, u32) {
    (!stall.arrived, stall.waiting > 0, stall.delay, stall.waiting)
}
