//! WebSocket connections of one's own: state machines without a socket and without a clock.
//!
//! A [`Connection`] is one side of one stream. The caller passes the bytes that arrive to
//! [`receive`](Connection::receive), writes the bytes of [`output`](Connection::output) to the
//! stream, and calls [`advance`](Connection::advance) at the time of
//! [`next_timeout`](Connection::next_timeout). A [`Host`] is a table of connections, for servers
//! that handle all streams in one thread.
//!
//! All times are milliseconds from any start that the caller chooses.
//!
//! ```
//! use gamewire::transport::websocket::host::{Config, Connection, Event};
//! use gamewire::transport::websocket::{Kind, Message};
//!
//! let config = Config::default();
//! let mut server = Connection::server(config, 0);
//! let mut client = Connection::client(config, 0, "127.0.0.1", "/", 0x5eed)?;
//!
//! // The request and the response of the handshake.
//! server.receive(0, client.output(), |event| assert!(matches!(event, Event::Opened(_))));
//! client.receive(0, server.output(), |event| assert!(matches!(event, Event::Opened(_))));
//! server.sent(server.output().len());
//! client.sent(client.output().len());
//!
//! client.send(Kind::Binary, b"hello")?;
//! server.receive(5, client.output(), |event| {
//!     assert_eq!(event, Event::Message(Message { kind: Kind::Binary, payload: b"hello" }));
//! });
//! # Ok::<(), Box<dyn std::error::Error>>(())
//! ```

mod config;
mod connection;
mod event;
mod handshake;
mod output;
mod table;

pub use config::Config;
pub use connection::{Connection, SendError};
pub use event::{Closed, Event};
pub use handshake::{InvalidRequest, accept_key};
pub use table::{Accepted, Host, HostConfig, HostFull, PeerKey};
