//! What is kept for each pair of addresses, bounded in number and in memory.

use super::Options;
use super::tcp::TcpFlow;
use super::udp::UdpFlow;
use crate::capture::{Segment, Transport};
use core::net::SocketAddr;
use foldhash::fast::RandomState;
use std::boxed::Box;
use std::collections::HashMap;
use std::vec::Vec;

/// Two addresses that talk to each other.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub(super) struct Pair {
    pub(super) low: SocketAddr,
    pub(super) high: SocketAddr,
    udp: bool,
}

impl Pair {
    fn new(segment: &Segment<'_>) -> Self {
        let Segment { source, destination, .. } = *segment;
        let (low, high) = (source.min(destination), source.max(destination));
        Self { low, high, udp: matches!(segment.transport, Transport::Udp { .. }) }
    }

    fn words(&self) -> [u64; 2] {
        [word(&self.low, self.udp), word(&self.high, self.udp)]
    }
}

/// Bits of a word that no address of IPv4 has.
const UDP: u64 = 1 << 62;
const NOT_ALL: u64 = 1 << 63;

/// An address and its transport in a word, to find it without branches: all of it in IPv4,
/// else something of it.
#[inline(always)]
fn word(address: &SocketAddr, udp: bool) -> u64 {
    let own = match address {
        SocketAddr::V4(address) => {
            u64::from(address.ip().to_bits()) << 16 | u64::from(address.port())
        }
        SocketAddr::V6(address) => {
            let ip = address.ip().to_bits();
            let folded = (ip >> 64) as u64 ^ ip as u64;
            (folded << 16 & !UDP) | u64::from(address.port()) | NOT_ALL
        }
    };
    own | if udp { UDP } else { 0 }
}

/// What is known of a pair.
#[derive(Debug)]
pub(super) struct Flow {
    pub(super) pair: Pair,
    /// The pair's addresses.
    words: [u64; 2],
    /// Whether it had a packet since the hand came by.
    lately: bool,
    pub(super) kind: Kind,
    /// How much more it may keep since its memory was counted.
    uncounted: usize,
    memory: usize,
}

#[derive(Debug)]
pub(super) enum Kind {
    Udp(UdpFlow),
    Tcp(Box<TcpFlow>),
}

impl Flow {
    fn new(pair: Pair, options: &Options) -> Self {
        let kind = match pair.udp {
            true => Kind::Udp(UdpFlow::default()),
            false => Kind::Tcp(Box::new(TcpFlow::new(options))),
        };
        Self { pair, words: pair.words(), lately: true, kind, uncounted: 0, memory: 0 }
    }

    /// Whether the segment from one address to another belongs to the flow, and then whether
    /// it comes from the higher address.
    #[inline(always)]
    fn side(&self, segment: &Segment<'_>, from: u64, to: u64) -> Option<bool> {
        let [low, high] = self.words;
        let forth = (from == low) & (to == high);
        let back = (from == high) & (to == low) & !forth;
        if !(forth | back) {
            return None;
        }
        if (from | to) & NOT_ALL == 0 {
            return Some(back);
        }
        (self.pair == Pair::new(segment)).then_some(segment.source > segment.destination)
    }

    fn count(&self) -> usize {
        match &self.kind {
            Kind::Udp(flow) => flow.memory(),
            Kind::Tcp(flow) => size_of::<TcpFlow>().saturating_add(flow.memory()),
        }
    }

    /// As if nothing had been seen of it.
    fn forget(&mut self, options: &Options) {
        match &mut self.kind {
            Kind::Udp(flow) => *flow = UdpFlow::default(),
            Kind::Tcp(flow) => flow.forget(options),
        }
        self.memory = 0;
    }
}

/// The memory of a table: an eighth of its places stays free, and each has a byte besides.
pub(super) fn table<K, V, S>(map: &HashMap<K, V, S>) -> usize {
    let places = map.capacity().saturating_mul(8).div_ceil(7);
    places.saturating_mul(size_of::<(K, V)>().saturating_add(1))
}

/// All pairs.
#[derive(Debug)]
pub(super) struct Flows {
    by_pair: HashMap<Pair, u32, RandomState>,
    all: Vec<Flow>,
    /// Which pair came last, of those whose ports come to the same.
    recent: [u32; RECENT],
    /// Where the search for a silent flow goes on.
    hand: usize,
    /// Of all flows together, as it was counted for each.
    memory: usize,
}

/// After how many bytes more a flow's memory is counted again.
const COUNTED_EACH: usize = 1024;

const RECENT: usize = 64;

impl Default for Flows {
    fn default() -> Self {
        let (by_pair, all) = (HashMap::default(), Vec::new());
        Self { by_pair, all, recent: [0; RECENT], hand: 0, memory: 0 }
    }
}

impl Flows {
    pub(super) fn memory(&self) -> usize {
        let flows = self.all.capacity().saturating_mul(size_of::<Flow>());
        let own = flows.saturating_add(table(&self.by_pair));
        self.all.iter().map(Flow::count).fold(own, usize::saturating_add)
    }

    /// The place of the segment's flow, and whether it comes from the higher address.
    #[inline(always)]
    pub(super) fn find(&mut self, segment: &Segment<'_>, options: &Options) -> (usize, bool) {
        let udp = matches!(segment.transport, Transport::Udp { .. });
        let (from, to) = (word(&segment.source, udp), word(&segment.destination, udp));
        // By the ports, the same in both directions.
        let slot = (from ^ to) as usize % RECENT;
        let recent = self.recent.get(slot).map_or(0, |index| *index as usize);
        let side = self.all.get(recent).and_then(|flow| flow.side(segment, from, to));
        side.map_or_else(|| self.look_up(slot, segment, options), |side| (recent, side))
    }

    #[inline(never)]
    fn look_up(&mut self, slot: usize, segment: &Segment<'_>, options: &Options) -> (usize, bool) {
        let pair = Pair::new(segment);
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
        flow.lately = true;
        Some(flow)
    }

    /// The flow may keep so many bytes more.
    #[inline(always)]
    pub(super) fn grew(&mut self, index: usize, growth: usize, options: &Options) {
        let Some(flow) = self.all.get_mut(index) else { return };
        flow.uncounted = flow.uncounted.saturating_add(growth);
        if flow.uncounted >= COUNTED_EACH {
            self.count(index, options);
        }
    }

    #[inline(never)]
    fn count(&mut self, index: usize, options: &Options) {
        let Some(flow) = self.all.get_mut(index) else { return };
        let before = flow.memory;
        (flow.memory, flow.uncounted) = (flow.count(), 0);
        self.memory = self.memory.saturating_sub(before).saturating_add(flow.memory);
        while self.memory > options.limits.memory {
            let Some(largest) = self.all.iter_mut().max_by_key(|flow| flow.memory) else { return };
            if largest.memory == 0 {
                return;
            }
            self.memory = self.memory.saturating_sub(largest.memory);
            largest.forget(options);
        }
    }

    pub(super) fn iter_mut(&mut self) -> impl Iterator<Item = &mut Flow> {
        self.all.iter_mut()
    }

    #[cold]
    fn add(&mut self, pair: Pair, options: &Options) -> u32 {
        let flow = Flow::new(pair, options);
        let index = if self.all.len() < options.limits.flows.max(1) {
            self.all.push(flow);
            self.all.len().saturating_sub(1)
        } else {
            let index = self.silent();
            if let Some(old) = self.all.get_mut(index) {
                self.by_pair.remove(&old.pair);
                self.memory = self.memory.saturating_sub(old.memory);
                *old = flow;
            }
            index
        };
        let index = u32::try_from(index).unwrap_or(u32::MAX);
        self.by_pair.insert(pair, index);
        index
    }

    /// A flow that had no packet since the hand last came by.
    fn silent(&mut self) -> usize {
        loop {
            let index = self.hand;
            self.hand = index.saturating_add(1);
            match self.all.get_mut(index) {
                None => self.hand = 0,
                Some(flow) if flow.lately => flow.lately = false,
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

    /// What is counted after an early byte of a stream, where so much may be kept.
    fn counted(memory: usize) -> usize {
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
    fn as_many_bytes_are_kept_as_may_be() {
        let whole = counted(usize::MAX);
        assert!(whole > 4096);
        assert_eq!(counted(whole), whole);
        assert_eq!(counted(whole - 1), 0);
    }
}
