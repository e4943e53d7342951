//! What packets travel in: streams and datagrams, as small, as late and as many as they come.

mod conversation;
mod enet;
mod files;
mod streams;
