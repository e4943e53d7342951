//! Reassembles IP packets from captured fragments.

#[cfg(feature = "serde")]
mod state;

use super::ip::{Segment, Skipped};
use super::limits::ReassemblyLimits;
use super::link;
use super::partial_packet::PartialPacket;
use super::reader::Packet;
use alloc::collections::VecDeque;

/// Reassembles IP packets (IPv4 and IPv6) from captured fragments.
///
/// Fragments may arrive in any order. Repeated fragments are ignored. If fragments overlap in any
/// other way, the whole packet is dropped, as RFC 5722 requires. A packet is also dropped if its
/// fragments imply different lengths of the packet, or do not all arrive within 60 seconds (RFC
/// 8200). At the [limits](ReassemblyLimits), the oldest packets are dropped.
///
/// Allocates nothing until a fragment arrives. The time to reassemble a packet is linear in its
/// length. In addition, each fragment causes a linear search of the incomplete packets.
///
/// ```
/// use gamewire::capture::{LinkType, Packet, Reassembler, Skipped, Transport};
///
/// // UDP with 16 bytes of payload, in two fragments.
/// let fragment = |offset: u8, more: u8, bytes: &[u8]| {
///     let len = 20 + bytes.len() as u8;
///     let addresses = [127, 0, 0, 1, 127, 0, 0, 2];
///     let head = [0x45, 0, 0, len, 0, 9, more << 5, offset / 8, 64, 17, 0, 0];
///     [&head[..], &addresses, bytes].concat()
/// };
/// let second = fragment(16, 0, b"the rest");
/// let first = fragment(0, 1, b"\x30\x39\x1f\x90\0\x18\0\0begins, ");
/// let packet = |data| {
///     let (link_type, original_len) = (LinkType::RAW, 0);
///     Packet { time: None, link_type, data, original_len, offset: 0 }
/// };
///
/// let mut reassembler = Reassembler::default();
/// assert_eq!(reassembler.segment(&packet(&second)), Ok(None));
/// assert_eq!(reassembler.skipped(), [(Skipped::Fragment, 1), (Skipped::Contradictory, 0)]);
/// let segment = reassembler.segment(&packet(&first))?.unwrap();
/// assert_eq!(segment.source.to_string(), "127.0.0.1:12345");
/// assert_eq!(segment.transport, Transport::Udp { payload: b"begins, the rest" });
/// assert_eq!(reassembler.skipped(), [(Skipped::Fragment, 0), (Skipped::Contradictory, 0)]);
/// # Ok::<(), Skipped>(())
/// ```
#[derive(Clone, Debug, Default)]
pub struct Reassembler {
    limits: ReassemblyLimits,
    /// The incomplete packets, in the order of their first fragments.
    packets: VecDeque<PartialPacket>,
    /// Number of bytes allocated for the fragments of the incomplete packets.
    memory: usize,
    /// The packet that was completed last.
    complete: Option<PartialPacket>,
    /// Number of fragments of dropped packets, apart from those in `contradictory`.
    incomplete: u64,
    /// Number of fragments of dropped packets whose fragments contradict each other.
    contradictory: u64,
}

/// Time in nanoseconds after which an incomplete packet is dropped.
const TIMEOUT: i64 = 60_000_000_000;

impl Reassembler {
    /// Creates a reassembler.
    pub fn new(limits: ReassemblyLimits) -> Self {
        Self { limits, ..Self::default() }
    }

    /// Returns the allocated memory in bytes. It is at most the sum of
    /// [`ReassemblyLimits::memory`], 200 bytes for each packet, and 65 KiB for the packet that was
    /// completed last.
    pub fn memory(&self) -> usize {
        let table = self.packets.capacity().saturating_mul(size_of::<PartialPacket>());
        let complete = self.complete.as_ref().map_or(0, PartialPacket::memory);
        self.memory.saturating_add(table).saturating_add(complete)
    }

    /// Returns the segment in a packet (see [`segment`](super::segment)). If the packet is a
    /// fragment that completes an IP packet, returns the segment in that IP packet. If it is a
    /// fragment that does not complete an IP packet, returns `None`.
    ///
    /// # Errors
    /// Returns the reason why the packet contains no segment. Never returns [`Skipped::Fragment`]
    /// or [`Skipped::Contradictory`]; see [`skipped`](Self::skipped) for these.
    #[inline(always)]
    pub fn segment<'a>(&'a mut self, packet: &Packet<'a>) -> Result<Option<Segment<'a>>, Skipped> {
        match packet.segment() {
            Ok(segment) => Ok(Some(segment)),
            Err(Skipped::Fragment) => self.fragment(packet),
            Err(reason) => Err(reason),
        }
    }

    /// Returns how many fragments do not belong to a segment that was returned. The first number
    /// counts the fragments of packets that are incomplete, or were dropped for a reason other than
    /// a contradiction. The second number counts the fragments of packets whose fragments
    /// contradict each other.
    pub fn skipped(&self) -> [(Skipped, u64); 2] {
        let mut counts = [self.incomplete, self.contradictory];
        for packet in &self.packets {
            count(packet, &mut counts);
        }
        let [incomplete, contradictory] = counts;
        [(Skipped::Fragment, incomplete), (Skipped::Contradictory, contradictory)]
    }

    /// Ends a capture that the next packets continue. Keeps incomplete packets. Starts the counts of
    /// [`skipped`](Self::skipped) anew, and returns the old counts without the fragments in
    /// incomplete packets, which the new counts include.
    pub fn next_capture(&mut self) -> [(Skipped, u64); 2] {
        let incomplete = core::mem::take(&mut self.incomplete);
        let contradictory = core::mem::take(&mut self.contradictory);
        [(Skipped::Fragment, incomplete), (Skipped::Contradictory, contradictory)]
    }

    #[cold]
    fn fragment<'a>(&'a mut self, packet: &Packet<'a>) -> Result<Option<Segment<'a>>, Skipped> {
        let fragment = link::fragment(packet.link_type, packet.data)?;
        self.complete = None;
        self.expire(packet.time);
        let found = self.packets.iter().rposition(|partial| partial.key == fragment.key);
        let index = found.unwrap_or_else(|| {
            let limit = self.limits.packets.max(1) as usize;
            self.drop_oldest(self.packets.len().saturating_add(1).saturating_sub(limit));
            self.packets.push_back(PartialPacket::new(fragment.key, packet.time));
            self.packets.len().saturating_sub(1)
        });
        let Some(partial) = self.packets.get_mut(index) else { return Ok(None) };
        let before = partial.memory();
        let is_complete = partial.add(&fragment);
        self.memory = self.memory.saturating_sub(before).saturating_add(partial.memory());
        if is_complete && let Some(complete) = self.packets.remove(index) {
            self.memory = self.memory.saturating_sub(complete.memory());
            let complete = self.complete.insert(complete);
            let segment = complete.segment();
            if segment.is_err() {
                // The caller counts the last fragment, because an error is returned for it.
                let others = complete.fragments.saturating_sub(1);
                self.incomplete = self.incomplete.saturating_add(others);
            }
            return segment.map(Some);
        }
        self.enforce_memory_limit();
        Ok(None)
    }

    /// Drops the oldest packets if all packets together exceed the memory limit.
    fn enforce_memory_limit(&mut self) {
        while self.memory > self.limits.memory as usize && !self.packets.is_empty() {
            self.drop_oldest(1);
        }
    }

    /// Drops packets whose first fragment arrived more than [`TIMEOUT`] before `now`.
    fn expire(&mut self, now: Option<i64>) {
        let is_old = |packet: &PartialPacket| match (packet.time, now) {
            (Some(time), Some(now)) => now.saturating_sub(time) > TIMEOUT,
            _ => false,
        };
        self.drop_oldest(self.packets.iter().take_while(|packet| is_old(packet)).count());
    }

    /// Drops the given number of packets, the oldest first.
    fn drop_oldest(&mut self, packets: usize) {
        let mut counts = [self.incomplete, self.contradictory];
        for _ in 0..packets {
            let Some(packet) = self.packets.pop_front() else { break };
            self.memory = self.memory.saturating_sub(packet.memory());
            count(&packet, &mut counts);
        }
        [self.incomplete, self.contradictory] = counts;
    }
}

/// Adds the number of fragments in a packet to `contradictory` if they contradict each other, and
/// to `incomplete` otherwise.
fn count(packet: &PartialPacket, [incomplete, contradictory]: &mut [u64; 2]) {
    let sum = if packet.is_contradictory { contradictory } else { incomplete };
    *sum = sum.saturating_add(packet.fragments);
}
