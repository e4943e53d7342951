//! Follows the channels of one side of an ENet connection, to find reliable packets that were sent
//! again and unreliable packets that arrived too late or in fragments.

use super::findings::{Occurrence, Subject};
use super::scene::Scene;
use super::text::MAX_TEXT;
use super::types::{Evidence, Fact, Oversize, Problem, Stall, StallCause};
use crate::traffic::observed::EnetCommand;
use crate::transport::enet::{Acknowledge, Arrival, Body, Fragment};
use core::hash::BuildHasher;
use foldhash::fast::FixedState;
use std::collections::{BTreeMap, VecDeque};
use std::string::String;
use std::vec::Vec;

#[derive(Debug, Default)]
pub(super) struct Channels {
    reliable: BTreeMap<u8, Reliable>,
    unreliable: BTreeMap<u8, Unreliable>,
    /// `true` if an acknowledgement by the other side was captured, which shows that both
    /// directions are captured.
    acknowledged: bool,
}

/// A command that carries a packet or fragment, and what is known about the connection.
pub(super) struct Sending<'s> {
    pub enet: &'s EnetCommand<'s>,
    pub mtu: Option<u32>,
    /// `true` if the start of the connection was captured.
    pub from_start: bool,
    /// Multiplayer id of the sender.
    pub peer: Option<i32>,
    /// Returns a description of a packet, given its bytes or those of its first fragment.
    pub label: &'s dyn Fn(&[u8]) -> Option<String>,
}

/// The reliable commands of a channel.
#[derive(Debug)]
struct Reliable {
    /// The first sequence number whose command has not arrived or is not acknowledged.
    next: u16,
    /// The commands from `next` on that have arrived, in the order of their sequence numbers.
    sent: VecDeque<Sent>,
    /// The greatest length of `sent` so far, which determines the allocated memory.
    most: usize,
}

#[derive(Debug)]
struct Sent {
    sequence: u16,
    len: u32,
    label: Option<String>,
    first: Evidence,
    /// Time of sending, from the header of the first datagram that contained the command.
    sent_time: Option<u16>,
    /// The last repetition, and the time of sending from the header of its datagram.
    again: Option<(Evidence, Option<u16>)>,
    acknowledged: bool,
}

/// The unreliable packets of a channel.
#[derive(Debug, Default)]
struct Unreliable {
    /// The ENet numbers (reliable sequence and unreliable packet) of the last packets, to recognise
    /// repetitions.
    recent: VecDeque<(u16, u16)>,
    newest: Option<Evidence>,
}

/// Memory of a command and its description, in bytes.
const COMMAND: usize = 128 + MAX_TEXT;
/// Memory of a channel in bytes.
const CHANNEL: usize = 1024;
/// Maximum number of commands that are kept for a channel. The oldest are forgotten.
const MAX_COMMANDS: usize = 256;
/// Number of unreliable packets that are kept to recognise repetitions.
const MAX_RECENT: usize = 64;
/// Delay in nanoseconds up to which an overtaken packet is not reported.
const REORDERING: i64 = 20_000_000;
/// Minimum waiting time in nanoseconds. If a packet is still missing at the end of a connection, it
/// is reported only if later packets have waited for it at least this long.
const PATIENCE: i64 = 500_000_000;

impl Channels {
    /// Processes a command that carries a packet or fragment. Returns the allocated memory.
    pub(super) fn sent(&mut self, sending: &Sending<'_>, scene: &mut Scene<'_, '_>) -> usize {
        let command = &sending.enet.command;
        match command.body {
            Body::Reliable { payload } => self.reliable(sending, Some(payload), scene),
            Body::Fragment(part) => {
                let first = Some(part.payload).filter(|_| part.number == 0);
                self.reliable(sending, first, scene)
            }
            Body::Unreliable { number, payload } => {
                self.unreliable(sending, number, payload, scene)
            }
            Body::UnreliableFragment(part) if part.number == 0 => {
                if sending.enet.arrival == Arrival::InOrder {
                    fragmented(sending, part, scene);
                }
                self.unreliable(sending, part.start, part.payload, scene)
            }
            _ => 0,
        }
    }

    fn reliable(
        &mut self,
        sending: &Sending<'_>,
        start: Option<&[u8]>,
        scene: &mut Scene<'_, '_>,
    ) -> usize {
        let command = &sending.enet.command;
        let mut memory = 0_usize;
        let channel = self.reliable.entry(command.channel).or_insert_with(|| {
            memory = memory.saturating_add(CHANNEL);
            // The first command of a connection has the number 1.
            let next = if sending.from_start { 1 } else { command.sequence };
            Reliable { next, sent: VecDeque::new(), most: 0 }
        });
        let most = channel.most;
        channel.sent(sending, start, scene);
        memory.saturating_add(channel.most.saturating_sub(most).saturating_mul(COMMAND))
    }

    fn unreliable(
        &mut self,
        sending: &Sending<'_>,
        number: u16,
        payload: &[u8],
        scene: &mut Scene<'_, '_>,
    ) -> usize {
        let EnetCommand { command, arrival, .. } = sending.enet;
        let mut memory = 0;
        let channel = self.unreliable.entry(command.channel).or_insert_with(|| {
            memory = CHANNEL;
            Unreliable::default()
        });
        let packet = (command.sequence, number);
        match arrival {
            Arrival::Repeated => {}
            Arrival::Late if channel.recent.contains(&packet) => {}
            Arrival::Late => channel.late(sending, payload, scene),
            _ => channel.add(packet, scene.now.evidence()),
        }
        memory
    }

    /// Processes an acknowledgement of a command. `peer` is the sender of the command.
    pub(super) fn acknowledged(
        &mut self,
        channel: u8,
        acknowledge: Acknowledge,
        peer: Option<i32>,
        scene: &mut Scene<'_, '_>,
    ) {
        self.acknowledged = true;
        if let Some(known) = self.reliable.get_mut(&channel) {
            known.acknowledged(channel, acknowledge, peer, scene);
        }
    }

    /// Reports the packets that are still missing or not acknowledged at the end.
    pub(super) fn close(&self, peer: Option<i32>, scene: &mut Scene<'_, '_>) {
        for (number, channel) in &self.reliable {
            channel.close(*number, self.acknowledged, peer, scene);
        }
    }
}

impl Reliable {
    /// Returns the distance of a sequence number from `next`, which is negative for a number before
    /// `next`.
    fn ahead(&self, sequence: u16) -> i16 {
        sequence.wrapping_sub(self.next).cast_signed()
    }

    /// Searches `sent` for a sequence number. Returns `Ok` with its index, or `Err` with the index
    /// at which to insert it.
    fn find(&self, sequence: u16) -> Result<usize, usize> {
        self.sent.binary_search_by_key(&self.ahead(sequence), |sent| self.ahead(sent.sequence))
    }

    #[allow(clippy::disallowed_methods, reason = "a search returns indices up to the end")]
    fn insert(&mut self, index: usize, sent: Sent) {
        self.sent.insert(index, sent);
        self.most = self.most.max(self.sent.len());
        if self.sent.len() > MAX_COMMANDS
            && let Some(oldest) = self.sent.pop_front()
        {
            self.next = oldest.sequence.wrapping_add(1);
        }
    }

    fn sent(&mut self, sending: &Sending<'_>, start: Option<&[u8]>, scene: &mut Scene<'_, '_>) {
        let EnetCommand { command, sent_time, arrival, .. } = *sending.enet;
        if self.ahead(command.sequence) < 0 {
            return; // a repetition of an old command
        }
        let label = || start.and_then(sending.label);
        match self.find(command.sequence) {
            Ok(index) => {
                let Some(sent) = self.sent.get_mut(index) else { return };
                let last = sent.again.map_or(sent.sent_time, |(_, sent_time)| sent_time);
                // The network may also duplicate a datagram, but the copy then has the same time of
                // sending.
                if last == sent_time {
                    return;
                }
                sent.again = Some((scene.now.evidence(), sent_time));
                if sent.label.is_none() {
                    sent.label = label();
                }
            }
            Err(_) if arrival == Arrival::Repeated => {}
            Err(index) => {
                let sent = Sent {
                    sequence: command.sequence,
                    len: command.body.payload().len() as u32,
                    label: None,
                    first: scene.now.evidence(),
                    sent_time,
                    again: None,
                    acknowledged: false,
                };
                if index < self.sent.len() {
                    self.gap_filled(index, &sent, label(), sending, scene);
                }
                self.insert(index, sent);
                self.forget();
            }
        }
    }

    /// Reports a command that arrived after commands with later numbers, which start at `index` in
    /// `sent`.
    fn gap_filled(
        &self,
        index: usize,
        sent: &Sent,
        label: Option<String>,
        sending: &Sending<'_>,
        scene: &mut Scene<'_, '_>,
    ) {
        let (waiting, first) = self.waiting(index, sent.sequence);
        let now = scene.now.evidence();
        let delay = first.and_then(|(at, _)| now.since(at));
        let is_later = |other: Option<u16>| {
            Some(sent.sent_time?.wrapping_sub(other?).cast_signed() > 0).filter(|later| *later)
        };
        let after = self.sent.get(index).and_then(|after| is_later(after.sent_time));
        let cause = if after.is_some() { StallCause::Lost } else { StallCause::Overtaken };
        if cause == StallCause::Overtaken && delay.is_none_or(|delay| delay < REORDERING) {
            return;
        }
        let waited = first.map(|(at, _)| (Fact::Waited, at));
        let arrived = if cause == StallCause::Lost { Fact::SentAgain } else { Fact::Arrived };
        let channel = sending.enet.command.channel;
        let stall = Stall {
            channel,
            sequence: sent.sequence,
            len: sent.len,
            packet: label,
            cause,
            arrived: true,
            waiting,
            delay,
        };
        report(stall, [waited, Some((arrived, now)), None], sending.peer, scene);
    }

    /// Counts the commands that follow `sequence` without a gap. Also returns the evidence and the
    /// sequence number of the one that arrived first. `index` is the index in `sent` of the first
    /// command after `sequence`.
    fn waiting(&self, index: usize, sequence: u16) -> (u32, Option<(Evidence, u16)>) {
        let after = self.sent.iter().skip(index).zip(1_u16..);
        let run =
            after.take_while(|(sent, distance)| sent.sequence == sequence.wrapping_add(*distance));
        let mut first: Option<(Evidence, u16)> = None;
        let mut count = 0_u32;
        for (sent, _) in run {
            count = count.saturating_add(1);
            if first.is_none_or(|(at, _)| sent.first < at) {
                first = Some((sent.first, sent.sequence));
            }
        }
        (count, first)
    }

    fn acknowledged(
        &mut self,
        channel: u8,
        acknowledge: Acknowledge,
        peer: Option<i32>,
        scene: &mut Scene<'_, '_>,
    ) {
        let Acknowledge { sequence, sent_time } = acknowledge;
        if self.ahead(sequence) < 0 {
            return;
        }
        let now = scene.now.evidence();
        match self.find(sequence) {
            Ok(index) => {
                let is_repeated = self.sent.get(index).is_some_and(|sent| sent.again.is_some());
                let (waiting, first) = match is_repeated {
                    true => self.waiting(index.saturating_add(1), sequence),
                    false => (0, None),
                };
                let Some(sent) = self.sent.get_mut(index) else { return };
                let is_first = !core::mem::replace(&mut sent.acknowledged, true);
                // An acknowledgement with the time of the first datagram proves that nothing was
                // lost.
                if let Some((again, _)) = sent.again
                    && is_first
                    && sent.sent_time != Some(sent_time)
                {
                    let since = first.map_or(sent.first, |(at, _)| at);
                    let stall = Stall {
                        channel,
                        sequence,
                        len: sent.len,
                        packet: sent.label.take(),
                        cause: StallCause::LostOrUnacknowledged,
                        arrived: true,
                        waiting,
                        delay: now.since(since),
                    };
                    let evidence = [
                        Some((Fact::Sent, sent.first)),
                        Some((Fact::SentAgain, again)),
                        Some((Fact::Acknowledged, now)),
                    ];
                    report(stall, evidence, peer, scene);
                }
            }
            // The command must have arrived, because it is acknowledged, but it was not captured.
            Err(index) => {
                let (first, len, label, again) = (now, 0, None, None);
                let sent_time = Some(sent_time);
                let acknowledged = true;
                let sent = Sent { sequence, len, label, first, sent_time, again, acknowledged };
                self.insert(index, sent);
            }
        }
        self.forget();
    }

    /// Removes commands from the start of `sent`, up to the first one that is missing or not
    /// acknowledged.
    fn forget(&mut self) {
        let next = self.next;
        while let Some(front) = self.sent.front()
            && front.acknowledged
            && front.sequence == self.next
        {
            self.next = self.next.wrapping_add(1);
            self.sent.pop_front();
        }
        // Each iteration removes a command, so there are no more iterations than commands.
        debug_assert!(self.next.wrapping_sub(next) as usize <= MAX_COMMANDS + 1);
    }

    fn close(
        &self,
        channel: u8,
        any_acknowledged: bool,
        peer: Option<i32>,
        scene: &mut Scene<'_, '_>,
    ) {
        if !any_acknowledged {
            return; // only one direction was captured
        }
        let now = scene.now.evidence();
        let is_long = |at: Evidence| now.since(at).is_some_and(|time| time > PATIENCE);
        if let Some(front) = self.sent.front()
            && front.sequence != self.next
            && is_long(front.first)
        {
            let missing = front.sequence.wrapping_sub(1);
            let (waiting, first) = self.waiting(0, missing);
            let stall = Stall {
                channel,
                sequence: missing,
                len: 0,
                packet: None,
                cause: StallCause::Lost,
                arrived: false,
                waiting,
                delay: first.and_then(|(at, _)| now.since(at)),
            };
            report(stall, [Some((Fact::Waited, front.first)), None, None], peer, scene);
        }
        for (index, sent) in (1..).zip(&self.sent) {
            let Some((again, _)) = sent.again.filter(|_| !sent.acknowledged) else { continue };
            let (waiting, first) = self.waiting(index, sent.sequence);
            let stall = Stall {
                channel,
                sequence: sent.sequence,
                len: sent.len,
                packet: sent.label.clone(),
                cause: StallCause::LostOrUnacknowledged,
                arrived: false,
                waiting,
                delay: now.since(first.map_or(sent.first, |(at, _)| at)),
            };
            let evidence = [Some((Fact::Sent, sent.first)), Some((Fact::SentAgain, again)), None];
            report(stall, evidence, peer, scene);
        }
    }
}

fn report(
    stall: Stall,
    evidence: [Option<(Fact, Evidence)>; 3],
    peer: Option<i32>,
    scene: &mut Scene<'_, '_>,
) {
    let evidence: Vec<_> = evidence.into_iter().flatten().collect();
    let key = scene.key(Subject::Stall(stall.channel), 0);
    let occurrence = Occurrence { peer, ..Occurrence::once(Problem::Stall(stall), &evidence) };
    scene.findings.add(key, occurrence);
}

impl Unreliable {
    fn add(&mut self, packet: (u16, u16), now: Evidence) {
        if self.recent.len() >= MAX_RECENT {
            self.recent.pop_front();
        }
        self.recent.push_back(packet);
        self.newest = Some(now);
    }

    fn late(&self, sending: &Sending<'_>, payload: &[u8], scene: &mut Scene<'_, '_>) {
        let now = scene.now.evidence();
        let channel = sending.enet.command.channel;
        let packet = (sending.label)(payload);
        let key = scene.key(Subject::Late(channel), hash(packet.as_deref()));
        let behind = self.newest.and_then(|newest| now.since(newest));
        let newer = self.newest.map(|newest| (Fact::Overtaken, newest));
        let evidence: Vec<_> = newer.into_iter().chain([(Fact::Arrived, now)]).collect();
        let once = Occurrence::once(Problem::Late { channel, packet, behind }, &evidence);
        scene.findings.add(key, Occurrence { peer: sending.peer, ..once });
    }
}

/// Reports an unreliable packet that is sent in fragments.
fn fragmented(sending: &Sending<'_>, part: Fragment<'_>, scene: &mut Scene<'_, '_>) {
    let packet = (sending.label)(part.payload);
    let key = scene.key(Subject::Fragments, hash(packet.as_deref()));
    let oversize = Oversize::Unreliable { mtu: sending.mtu, fragments: part.count };
    let problem = Problem::OverMtu { len: part.total.into(), packet, oversize };
    let evidence = [(Fact::Sent, scene.now.evidence())];
    let occurrence = Occurrence { peer: sending.peer, ..Occurrence::once(problem, &evidence) };
    scene.findings.add(key, occurrence);
}

/// Returns a hash of a description. Equal descriptions have equal hashes in all connections.
fn hash(label: Option<&str>) -> u64 {
    FixedState::default().hash_one(label)
}
