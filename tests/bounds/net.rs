//! Tests of streams and datagrams, with many, small and late packets.

mod conversation;
mod enet;
mod files;
mod streams;
