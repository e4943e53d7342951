//! Tests the bounds of streams and datagrams with many, small or late packets.

mod conversation;
mod enet;
mod enet_host;
mod files;
mod ledger;
mod states;
mod streams;
