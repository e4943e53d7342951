//! Checks that every command stays within its limits on work, memory and output. The section
//! "Command line" of `docs/bounds.md` states these limits. The inputs are as expensive as an
//! attacker could make them.
//!
//! Massif, a tool of valgrind, runs the program and counts its instructions and the bytes on its
//! heap. If valgrind is not installed, the tests pass without measuring anything. No test depends
//! on a clock.
//!
//! ```text
//! cargo test --all-features -p gamewire-cli --test bounds -- --nocapture      # prints all figures
//! ```
#![allow(clippy::unwrap_used, clippy::panic)]

mod godot;
mod massif;
mod measure;
mod packets;
mod rems;
#[allow(dead_code)]
#[path = "../../../tests/support"]
mod support {
    pub mod hostile;
    pub mod random;
    pub mod registry;
    pub mod strings;
}
mod unreal;
