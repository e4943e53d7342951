//! Captures, and oracles for the transports in them.

pub mod captures;
pub mod enet_count;
pub mod enet_oracle;
pub mod ip_fragments;
pub mod pcap;
pub mod range_coder;
pub mod tcp_oracle;
