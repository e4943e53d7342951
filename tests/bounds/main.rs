//! Checks that no input exceeds the limits in `docs/bounds.md`: work, memory and stack of every
//! entry point, with input that an attacker would send to be expensive.
//!
//! Callgrind runs this program again and counts instructions; without valgrind, work is not
//! measured. A counting allocator measures memory; threads with small stacks limit the stack. No
//! test depends on a clock.
//!
//! ```text
//! cargo test --all-features --test bounds -- --nocapture      # prints all figures
//! ```
#![allow(clippy::unwrap_used, clippy::panic)]

mod callgrind;
#[path = "../support/counting.rs"]
mod counting;
mod godot;
mod measure;
mod net;
mod rems;
mod unreal;
