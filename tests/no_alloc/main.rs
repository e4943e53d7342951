//! Checks that functions documented as not allocating do not allocate. This is a separate test
//! program because it replaces the global allocator with one that counts allocations.

#[cfg(feature = "compression")]
mod compression;
#[path = "../support/counting.rs"]
mod counting;
#[cfg(feature = "godot")]
mod godot;
#[cfg(feature = "godot")]
mod godot_fields;
#[cfg(all(feature = "godot", feature = "serde"))]
mod godot_serde;
#[cfg(feature = "rems")]
mod rems;
#[cfg(feature = "godot")]
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
    pub mod strict_json;
}
#[cfg(feature = "traffic")]
mod traffic;
#[cfg(feature = "unreal")]
mod unreal;
