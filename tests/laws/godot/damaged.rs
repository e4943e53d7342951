//! Checks laws on generated packets that are damaged by a few edits.

use super::{differential_as, read_as};
use crate::support::damage::damaged;
use crate::support::random::Random;
use arbitrary::{Arbitrary, Result, Unstructured};
use gamewire::godot::ArbitraryPacket;

/// Generates two packets from arbitrary bytes. Damages the first packet, in part with bytes of the
/// second.
fn damaged_packet(data: &[u8]) -> Result<ArbitraryPacket> {
    let mut unstructured = Unstructured::new(data);
    let random = &mut Random::new(u64::arbitrary(&mut unstructured)?);
    let packet = ArbitraryPacket::arbitrary(&mut unstructured)?;
    let other = ArbitraryPacket::arbitrary(&mut unstructured)?;
    Ok(ArbitraryPacket { bytes: damaged(&packet.bytes, &other.bytes, random), ..packet })
}

/// Asserts that the crate agrees with the oracle on a damaged packet, and that all ways of reading
/// the packet agree.
pub fn godot_damaged(data: &[u8]) {
    if let Ok(ArbitraryPacket { bytes, dialect }) = damaged_packet(data) {
        differential_as(&bytes, dialect);
        read_as(&bytes, dialect);
    }
}
