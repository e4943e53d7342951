//! Checks that functions documented as not allocating do not allocate. This is a separate test
//! program because it replaces the global allocator with one that counts allocations.

#[cfg(feature = "compression")]
mod compression;
#[path = "../support/counting.rs"]
mod counting;
#[cfg(feature = "host")]
mod enet_host;
#[cfg(feature = "godot")]
mod godot;
#[cfg(feature = "godot")]
mod godot_fields;
#[cfg(all(feature = "godot", feature = "serde"))]
mod godot_serde;
#[cfg(feature = "host")]
mod host;
#[cfg(feature = "multiplayer")]
mod multiplayer;
#[cfg(feature = "rems")]
mod rems;
#[allow(dead_code, unused_imports)]
#[path = "../support"]
mod support {
    #[cfg(feature = "godot")]
    pub mod corpus;
    #[cfg(feature = "godot")]
    pub mod damage;
    #[cfg(feature = "godot")]
    pub mod fields;
    #[cfg(feature = "godot")]
    pub mod godot;
    #[cfg(feature = "godot")]
    pub mod native_json;
    #[cfg(feature = "godot")]
    pub mod net;
    pub mod random;
    #[cfg(feature = "godot")]
    pub mod strict_json;
    #[cfg(feature = "unreal")]
    pub mod unreal {
        pub mod zen;
    }
}
#[cfg(feature = "traffic")]
mod traffic;
#[cfg(feature = "unreal")]
mod unreal;
