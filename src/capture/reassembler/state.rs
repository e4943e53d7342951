//! Stores the state of a [`Reassembler`], and restores it.

use super::{PartialPacket, Reassembler, ReassemblyLimits};
use crate::capture::ip::{Fragment, FragmentKey};
use alloc::vec::Vec;
use serde::de::{Deserializer, Error};
use serde::{Deserialize, Serialize, Serializer};

/// The stored state of a [`PartialPacket`].
#[derive(Deserialize, Serialize)]
struct PacketState {
    key: FragmentKey,
    time: Option<i64>,
    fragments: u64,
    is_contradictory: bool,
    /// Length of the payload.
    len: Option<u16>,
    protocol: Option<u8>,
    /// Offsets of the parts that have arrived, and their bytes.
    parts: Vec<(u16, Vec<u8>)>,
}

/// Serializes the state for [`Reassembler::restore`]. The state contains no counts of skipped
/// fragments, except for those in incomplete packets. The same packets always give the same state.
///
/// The serialized form can change with each version of this crate. Store the version with it.
impl Serialize for Reassembler {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        serializer.collect_seq(self.packets.iter().map(PartialPacket::state))
    }
}

impl Reassembler {
    /// Restores a state that was serialized by the same version of this crate. The next packet to
    /// process is the one after the last packet that the original reassembler has processed.
    ///
    /// The state may come from an untrusted source: a state that is wrong can only lead to wrong
    /// segments. If the packets need more memory than the limit, the oldest packets are dropped.
    ///
    /// # Errors
    /// Returns an error if the deserializer fails, or if the state contradicts itself or exceeds
    /// [`ReassemblyLimits::packets`].
    pub fn restore<'de, D: Deserializer<'de>>(
        limits: ReassemblyLimits,
        deserializer: D,
    ) -> Result<Self, D::Error> {
        let states = Vec::<PacketState>::deserialize(deserializer)?;
        let mut reassembler = Self::new(limits);
        let packets = (states.len() <= limits.packets.max(1) as usize)
            .then(|| states.into_iter().map(PartialPacket::restore).collect());
        reassembler.packets = packets.flatten().ok_or_else(|| {
            D::Error::custom("the state of an IP packet contradicts itself or exceeds a limit")
        })?;
        let memory = reassembler.packets.iter().map(PartialPacket::memory);
        reassembler.memory = memory.fold(0, usize::saturating_add);
        reassembler.enforce_memory_limit();
        Ok(reassembler)
    }
}

impl PartialPacket {
    fn state(&self) -> PacketState {
        let parts = self.parts().map(|(start, bytes)| (start as u16, bytes.to_vec()));
        // The content of a packet that will be dropped is not needed.
        let is_valid = !self.is_contradictory;
        PacketState {
            key: self.key,
            time: self.time,
            fragments: self.fragments,
            is_contradictory: self.is_contradictory,
            len: self.len.filter(|_| is_valid).map(|len| len as u16),
            protocol: self.protocol.filter(|_| is_valid),
            parts: parts.collect(),
        }
    }

    /// Restores a packet from its parts. Returns `None` if they contradict each other, or if the
    /// packet is complete.
    fn restore(state: PacketState) -> Option<Self> {
        let PacketState { key, time, fragments, is_contradictory, len, protocol, parts } = state;
        let mut packet = Self::new(key, time);
        for (offset, bytes) in &parts {
            let end = usize::from(*offset).saturating_add(bytes.len());
            let more = len.is_none_or(|len| usize::from(len) != end);
            let protocol = protocol.unwrap_or_default();
            let fragment = Fragment { key, offset: *offset, more, protocol, bytes };
            if !fragment.is_possible() || packet.add(&fragment) || packet.is_contradictory {
                return None;
            }
        }
        let same = packet.len == len.map(usize::from) && packet.protocol == protocol;
        (packet.fragments, packet.is_contradictory) = (fragments, is_contradictory);
        (if is_contradictory { parts.is_empty() } else { same }).then_some(packet)
    }
}
