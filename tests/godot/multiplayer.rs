//! Tests multiplayer packets. The bytes of some were worked out by hand; the others were captured
//! from engines.

mod arguments;
mod capture;
mod damaged;
mod godot3;
mod godot4;
mod objects;
mod traffic;

use crate::laws;
use crate::support::corpus;
use gamewire::godot::{Error, ErrorKind, multiplayer::Fault};

/// Parses hex with comments: lines of the form `hex | meaning`.
fn bytes(hex: &str) -> Vec<u8> {
    let digits = hex.lines().filter_map(|line| line.split('|').next());
    corpus::unhex(&digits.flat_map(str::split_whitespace).collect::<String>())
}

/// Checks the laws on a packet. If it has at most 600 bytes, also checks them on each of its
/// prefixes.
fn check_laws(packet: &[u8]) {
    laws::godot_multiplayer(packet);
    if packet.len() <= 600 {
        (0..packet.len()).for_each(|end| laws::godot_multiplayer(&packet[..end]));
    }
}

/// Asserts that the error has this fault and this offset.
#[track_caller]
fn fault(error: Error, fault: Fault, offset: u64) {
    assert_eq!((*error.kind(), error.offset()), (ErrorKind::Multiplayer(fault), offset));
}
