//! Tests Rust types that are read from and written as Godot values: `serde`, round trips of derived
//! types, and types generated from packets.

#[cfg(all(feature = "arbitrary", feature = "serde"))]
mod generated_round_trips;
#[cfg(feature = "schema")]
mod schema;
#[cfg(feature = "serde")]
mod serde;
#[allow(dead_code)]
#[path = "../support"]
mod support {
    pub mod corpus;
    pub mod native_json;
}
