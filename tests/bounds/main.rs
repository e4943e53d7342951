//! That no input costs more than `docs/bounds.md` says: work, memory and stack of every entry
//! point, given what someone would send who wants it to cost much.
//!
//! Work is counted in instructions, by callgrind, which runs this program once more (nothing is
//! counted where there is no valgrind); memory by an allocator that counts; stack by threads
//! that have little. No clock decides anything.
//!
//! ```text
//! cargo test --all-features --test bounds -- --nocapture      # with all figures
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
