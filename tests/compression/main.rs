//! Tests compressed blocks: blocks that engines wrote, round trips, and damaged blocks.

mod corpus;
mod damage;
mod round_trips;
mod vectors;

#[allow(dead_code)]
#[path = "../laws/compression.rs"]
mod laws;
#[allow(dead_code, unused_imports)]
#[path = "../support"]
mod support {
    pub mod corpus;
    pub mod damage;
    pub mod fastlz;
    pub mod native_json;
    pub mod random;
    pub mod strict_json;
}
