//! Checks the limits in the section "Command line" of `docs/bounds.md` on the work, the memory and
//! the output of every command. The inputs are as expensive as an attacker could make them.
//!
//! Massif, a tool of valgrind, runs the program and counts its instructions and the bytes on its
//! heap. Without valgrind, nothing is measured. No test depends on a clock.
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
#[path = "../../../tests/support"]
mod support {
    pub mod hostile;
}
mod unreal;
