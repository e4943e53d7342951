//! Checks the limits that `docs/bounds.md` states for the work, the memory and the stack of every
//! entry point. The inputs are as expensive as an attacker could make them.
//!
//! To measure work, this program runs again under callgrind, which counts instructions; without
//! valgrind, work is not measured. A counting allocator measures memory; threads with small stacks
//! limit the stack. No test depends on a clock.
//!
//! ```text
//! cargo test --all-features --test bounds -- --nocapture      # prints all figures
//! ```
#![allow(clippy::unwrap_used, clippy::panic)]

mod callgrind;
mod compression;
#[path = "../support/counting.rs"]
mod counting;
mod godot;
mod measure;
mod net;
mod rems;
#[path = "../support"]
#[allow(dead_code)]
mod support {
    pub mod hostile;
    pub mod iostore;
    pub mod locres;
    pub mod paks;
    pub mod random;
    pub mod registry;
    pub mod strings;
    pub mod unreal {
        pub mod archives;
        pub mod compressed_containers;
        pub mod transform;
        pub mod unversioned;
        pub mod wrapped;
    }
}
mod unreal;
