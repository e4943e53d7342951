//! Laws of capture files, transports and traffic: functions that accept arbitrary bytes and panic
//! if a law is broken.

#[cfg(feature = "traffic")]
mod capture;
#[cfg(feature = "traffic")]
mod capture_copy;
#[cfg(feature = "traffic")]
mod conversation;
#[cfg(feature = "traffic")]
mod diagnosis;
mod enet;
#[cfg(feature = "host")]
mod enet_host;
#[cfg(feature = "traffic")]
mod ip_fragments;
#[cfg(feature = "multiplayer")]
mod multiplayer_peer;
mod tcp;
#[cfg(all(feature = "serde", feature = "traffic"))]
mod traffic_state;
mod websocket;
#[cfg(feature = "host")]
mod websocket_host;

#[cfg(feature = "traffic")]
pub use capture::{capture, segments};
#[cfg(feature = "traffic")]
pub use conversation::{Step, conversation};
#[cfg(feature = "traffic")]
pub use diagnosis::diagnosis;
#[cfg(feature = "compression")]
pub use enet::enet_compression;
pub use enet::{enet, enet_input, enet_range_coder, enet_session};
#[cfg(feature = "host")]
pub use enet_host::{enet_host, enet_host_agreement};
#[cfg(feature = "traffic")]
pub use ip_fragments::ip_fragments;
#[cfg(feature = "multiplayer")]
pub use multiplayer_peer::multiplayer_peer;
pub use tcp::tcp;
#[cfg(all(feature = "serde", feature = "traffic"))]
pub use traffic_state::{Listener, records, restore, save, traffic_state, traffic_state_input};
pub use websocket::websocket;
#[cfg(feature = "host")]
pub use websocket_host::websocket_host;
