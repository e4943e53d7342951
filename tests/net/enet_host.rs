//! Tests ENet hosts: joined through a simulated network, against hostile senders, on captures of
//! real engines, and beside another implementation.

mod delivery;
mod ends;
mod hostile;
mod laws;
mod network;
mod raw_client;
mod replay;
mod second_implementation;
