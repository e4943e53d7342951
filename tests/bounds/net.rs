//! What packets travel in: streams and datagrams, as small, as late and as many as they come.

#[path = "net/conversation.rs"]
mod conversation;
#[path = "net/enet.rs"]
mod enet;
#[path = "net/files.rs"]
mod files;
#[path = "net/streams.rs"]
mod streams;
