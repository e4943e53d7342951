//! Tests Godot's Variant format, the modules built on it, and the packets and messages that contain
//! Variants.

mod boundaries;
mod config;
mod conversions;
mod corpus;
mod debugger;
mod deep_values;
mod derived;
mod deviations;
mod diff;
mod error_messages;
mod fields;
#[cfg(feature = "godot-file")]
mod files;
mod find;
#[cfg(feature = "arbitrary")]
mod generated_packets;
mod index;
mod json;
mod lazy;
#[allow(dead_code, unused_imports)]
#[path = "../laws"]
mod laws {
    pub mod godot;

    pub use godot::*;
}
mod multiplayer;
mod nesting_limits;
mod notation;
mod patch;
mod paths;
mod regressions;
mod sinks;
#[allow(dead_code, unused_imports)]
#[path = "../support"]
mod support {
    pub mod corpus;
    pub mod damage;
    pub mod fields;
    pub mod godot;
    pub mod native_json;
    pub mod net;
    pub mod random;
    pub mod small_stack;
    pub mod strict_json;
}
mod variant;
mod variant_paths;
mod verdicts;
