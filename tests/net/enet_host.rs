//! Tests ENet hosts: joined through a simulated network, against hostile senders, on captures of
//! real engines, and beside another implementation.

mod delivery;
mod ends;
mod network;
mod replay;
