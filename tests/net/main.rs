//! Tests capture files, transports, and the traffic of Godot games in them.

mod capture;
mod capture_copy;
mod enet;
#[cfg(feature = "host")]
mod enet_host;
mod fuzz_seeds;
mod ip_fragments;
#[allow(dead_code, unused_imports)]
#[path = "../laws"]
mod laws {
    pub mod godot;
    pub mod net;

    pub use godot::*;
    pub use net::*;
}
#[allow(dead_code, unused_imports)]
#[path = "../support"]
mod support {
    pub mod corpus;
    pub mod damage;
    pub mod fastlz;
    pub mod fields;
    pub mod godot;
    pub mod native_json;
    pub mod net;
    pub mod random;
    pub mod strict_json;
}
mod ledger;
#[cfg(feature = "multiplayer")]
mod multiplayer_peer;
#[cfg(feature = "server")]
mod server;
mod tcp;
mod traffic;
mod websocket;
#[cfg(feature = "host")]
mod websocket_host;
