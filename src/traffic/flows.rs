//! Keeps the state of each pair of addresses. The number of pairs and their memory are bounded.

#[cfg(feature = "serde")]
mod state;

use super::hash::RandomState;
use super::options::Options;
use super::other::OtherProtocols;
use super::paths::table_memory;
use super::tcp::TcpFlow;
use super::udp::UdpFlow;
use crate::capture::{Segment, Transport};
use core::net::SocketAddr;
use std::boxed::Box;
use std::collections::HashMap;
use std::vec::Vec;

/// Two addresses that exchange segments.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub(super) struct AddressPair {
    pub(super) low: SocketAddr,
    pub(super) high: SocketAddr,
    udp: bool,
}

impl AddressPair {
    fn new(segment: &Segment<'_>) -> Self {
        let Segment { source, destination, .. } = *segment;
        let (low, high) = (source.min(destination), source.max(destination));
        Self { low, high, udp: matches!(segment.transport, Transport::Udp { .. }) }
    }

    fn keys(&self) -> [u64; 2] {
        [key(&self.low, self.udp), key(&self.high, self.udp)]
    }
}

/// The bit of a key that is set for UDP. A packed address never sets this bit.
const UDP: u64 = 1 << 62;
/// A bit that is set if the key contains a hash instead of the address.
const IS_HASH: u64 = 1 << 63;

/// Packs an address and its transport into a word, so that flows are compared without
/// branches. IPv6 addresses do not fit and are hashed.
#[inline(always)]
fn key(address: &SocketAddr, udp: bool) -> u64 {
    address_key(address) | if udp { UDP } else { 0 }
}

/// Packs an address into a word, or hashes it if it does not fit.
#[inline(always)]
pub(super) fn address_key(address: &SocketAddr) -> u64 {
    match address {
        SocketAddr::V4(address) => {
            u64::from(address.ip().to_bits()) << 16 | u64::from(address.port())
        }
        SocketAddr::V6(address) => {
            let ip = address.ip().to_bits();
            let folded = (ip >> 64) as u64 ^ ip as u64;
            (folded << 16 & !UDP) | u64::from(address.port()) | IS_HASH
        }
    }
}

/// The state of a pair of addresses.
#[derive(Clone, Debug)]
pub(super) struct Flow {
    pub(super) pair: AddressPair,
    /// Keys of the two addresses.
    keys: [u64; 2],
    /// `true` if a segment has arrived since the hand of the CLOCK algorithm last passed this flow
    /// (see [`Flows::find_idle`]).
    recently_used: bool,
    pub(super) kind: FlowKind,
    /// Upper bound, in bytes, of the growth of the flow since its memory was last measured.
    unmeasured: usize,
    memory: usize,
}

#[derive(Clone, Debug)]
pub(super) enum FlowKind {
    Udp(UdpFlow),
    Tcp(Box<TcpFlow>),
}

impl Flow {
    fn new(pair: AddressPair, options: &Options) -> Self {
        let kind = match pair.udp {
            true => FlowKind::Udp(UdpFlow::default()),
            false => FlowKind::Tcp(Box::new(TcpFlow::new(options))),
        };
        Self { pair, keys: pair.keys(), recently_used: true, kind, unmeasured: 0, memory: 0 }
    }

    /// Returns `true` if the segment comes from the higher address, `false` if it comes from the
    /// lower one, and `None` if it does not belong to the flow.
    #[inline(always)]
    fn side(&self, segment: &Segment<'_>, from: u64, to: u64) -> Option<bool> {
        let [low, high] = self.keys;
        let forth = (from == low) & (to == high);
        let back = (from == high) & (to == low) & !forth;
        if !(forth | back) {
            return None;
        }
        if (from | to) & IS_HASH == 0 {
            return Some(back);
        }
        (self.pair == AddressPair::new(segment)).then_some(segment.source > segment.destination)
    }

    fn measured_memory(&self) -> usize {
        match &self.kind {
            FlowKind::Udp(flow) => flow.memory(),
            FlowKind::Tcp(flow) => size_of::<TcpFlow>().saturating_add(flow.memory()),
        }
    }

    /// Returns the number of bytes that are in no record.
    fn unread_bytes(&self) -> u64 {
        match &self.kind {
            FlowKind::Udp(flow) => flow.unread_bytes(),
            FlowKind::Tcp(flow) => flow.unread_bytes(),
        }
    }

    /// Starts the count of bytes in no record anew. Returns the count without the bytes that may
    /// still be reported, which the new count includes.
    fn restart_count(&mut self) -> u64 {
        match &mut self.kind {
            FlowKind::Udp(flow) => flow.restart_count(),
            FlowKind::Tcp(flow) => flow.restart_count(),
        }
    }

    /// Drops the state and its memory.
    fn reset(&mut self, options: &Options) {
        match &mut self.kind {
            FlowKind::Udp(flow) => *flow = UdpFlow::default(),
            FlowKind::Tcp(flow) => flow.reset(options),
        }
        self.memory = 0;
    }
}

/// All flows, found by their pair of addresses.
#[derive(Clone, Debug)]
pub(super) struct Flows {
    by_pair: HashMap<AddressPair, u32, RandomState>,
    all: Vec<Flow>,
    /// A direct-mapped cache: index of the flow that last used a slot.
    recent: [u32; RECENT],
    /// Position of the clock hand (see [`find_idle`](Self::find_idle)).
    hand: usize,
    /// Sum of the measured memory of all flows.
    memory: usize,
    /// Unread bytes of the flows whose state was dropped.
    dropped: OtherProtocols,
}

/// Growth in bytes after which a flow's memory is measured again.
const MEASURE_INTERVAL: usize = 1024;

const RECENT: usize = 64;

impl Default for Flows {
    fn default() -> Self {
        let (by_pair, all) = (HashMap::default(), Vec::new());
        let dropped = OtherProtocols::default();
        Self { by_pair, all, recent: [0; RECENT], hand: 0, memory: 0, dropped }
    }
}

impl Flows {
    pub(super) fn memory(&self) -> usize {
        let flows = self.all.capacity().saturating_mul(size_of::<Flow>());
        let own = flows.saturating_add(table_memory(&self.by_pair));
        self.all.iter().map(Flow::measured_memory).fold(own, usize::saturating_add)
    }

    /// Returns the number of bytes that are in no record.
    pub(super) fn other_protocols(&self) -> OtherProtocols {
        let mut sum = self.dropped;
        self.all.iter().for_each(|flow| sum.add(flow.unread_bytes()));
        sum
    }

    /// Starts the counts of bytes in no record anew. Returns the old counts, without the bytes that
    /// may still be reported.
    pub(super) fn restart_counts(&mut self) -> OtherProtocols {
        let mut sum = core::mem::take(&mut self.dropped);
        self.all.iter_mut().for_each(|flow| sum.add(flow.restart_count()));
        sum
    }

    /// Returns the index of the segment's flow, and `true` if the segment comes from the higher
    /// address. Creates the flow if it is new.
    #[inline(always)]
    pub(super) fn find(&mut self, segment: &Segment<'_>, options: &Options) -> (usize, bool) {
        let udp = matches!(segment.transport, Transport::Udp { .. });
        let (from, to) = (key(&segment.source, udp), key(&segment.destination, udp));
        // The slot depends only on the low bits of the ports, and is the same for both directions.
        let slot = (from ^ to) as usize % RECENT;
        let recent = self.recent.get(slot).map_or(0, |index| *index as usize);
        let side = self.all.get(recent).and_then(|flow| flow.side(segment, from, to));
        side.map_or_else(|| self.look_up(slot, segment, options), |side| (recent, side))
    }

    #[inline(never)]
    fn look_up(&mut self, slot: usize, segment: &Segment<'_>, options: &Options) -> (usize, bool) {
        let pair = AddressPair::new(segment);
        let index = match self.by_pair.get(&pair) {
            Some(&index) => index,
            None => self.add(pair, options),
        };
        if let Some(recent) = self.recent.get_mut(slot) {
            *recent = index;
        }
        (index as usize, segment.source > segment.destination)
    }

    #[inline(always)]
    pub(super) fn get_mut(&mut self, index: usize) -> Option<&mut Flow> {
        let flow = self.all.get_mut(index)?;
        flow.recently_used = true;
        Some(flow)
    }

    /// Notes that a flow may have grown by `growth` bytes, and enforces the memory limit.
    #[inline(always)]
    pub(super) fn grown(&mut self, index: usize, growth: usize, options: &Options) {
        let Some(flow) = self.all.get_mut(index) else { return };
        flow.unmeasured = flow.unmeasured.saturating_add(growth);
        if flow.unmeasured >= MEASURE_INTERVAL {
            self.measure(index, options);
        }
    }

    #[inline(never)]
    fn measure(&mut self, index: usize, options: &Options) {
        let Some(flow) = self.all.get_mut(index) else { return };
        let before = flow.memory;
        (flow.memory, flow.unmeasured) = (flow.measured_memory(), 0);
        self.memory = self.memory.saturating_sub(before).saturating_add(flow.memory);
        while self.memory > options.limits.memory {
            let Some(largest) = self.all.iter_mut().max_by_key(|flow| flow.memory) else { return };
            if largest.memory == 0 {
                return;
            }
            self.memory = self.memory.saturating_sub(largest.memory);
            self.dropped.add(largest.unread_bytes());
            largest.reset(options);
        }
    }

    pub(super) fn iter(&self) -> impl Iterator<Item = &Flow> {
        self.all.iter()
    }

    pub(super) fn iter_mut(&mut self) -> impl Iterator<Item = &mut Flow> {
        self.all.iter_mut()
    }

    #[cold]
    fn add(&mut self, pair: AddressPair, options: &Options) -> u32 {
        let flow = Flow::new(pair, options);
        let index = if self.all.len() < options.limits.flows.max(1) {
            self.all.push(flow);
            self.all.len().saturating_sub(1)
        } else {
            let index = self.find_idle();
            if let Some(old) = self.all.get_mut(index) {
                self.by_pair.remove(&old.pair);
                self.memory = self.memory.saturating_sub(old.memory);
                self.dropped.add(old.unread_bytes());
                *old = flow;
            }
            index
        };
        let index = u32::try_from(index).unwrap_or(u32::MAX);
        self.by_pair.insert(pair, index);
        index
    }

    /// Uses the CLOCK algorithm to find a flow that can be replaced: the hand passes over flows
    /// that were used since it last passed them, and stops at the first other flow.
    fn find_idle(&mut self) -> usize {
        loop {
            let index = self.hand;
            self.hand = index.saturating_add(1);
            match self.all.get_mut(index) {
                None => self.hand = 0,
                Some(flow) if flow.recently_used => flow.recently_used = false,
                Some(_) => return index,
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::super::{Conversations, Options};
    use super::*;
    use crate::transport::tcp;

    /// Processes bytes of a stream that arrive after a gap, and returns the measured memory.
    /// `memory` is the memory limit.
    fn measured(memory: usize) -> usize {
        let mut options = Options::default();
        options.limits.memory = memory;
        let mut conversations = Conversations::new(options);
        for (sequence, payload) in [(1, &b"anything"[..]), (5000, b"early")] {
            let segment = tcp::Segment { sequence, payload, ..tcp::Segment::default() };
            let (source, destination) =
                (([10, 0, 0, 2], 4000).into(), ([10, 0, 0, 1], 5000).into());
            let segment = Segment { source, destination, transport: Transport::Tcp(segment) };
            conversations.segment(None, &segment, &mut |_| ());
        }
        conversations.flows.memory
    }

    #[test]
    fn memory_up_to_the_limit_is_kept() {
        let whole = measured(usize::MAX);
        assert!(whole > 4096);
        assert_eq!(measured(whole), whole);
        assert_eq!(measured(whole - 1), 0);
    }
}
