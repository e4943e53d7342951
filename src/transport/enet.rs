//! ENet over UDP, as a listener sees it: datagrams, the commands in them, what the range
//! coder made of them, and the packets that a receiver would have been given.
//!
//! All fields are big-endian. A datagram is
//!
//! | size | field | note |
//! |---|---|---|
//! | 2 | peer id and flags | bits 0–11 the receiver's slot for this peer, 12–13 session, 14 compressed, 15 a time follows |
//! | 2 | time of sending | if bit 15 is set: milliseconds, modulo 2¹⁶ |
//! | 4 | checksum | only between hosts that were told to (Godot's are not) |
//! | … | commands, end to end | if bit 14 is set, as the range coder wrote them |
//!
//! and a command, of at least 4 bytes, is
//!
//! | size | field | note |
//! |---|---|---|
//! | 1 | type and flags | bits 0–3 type (1 to 12), 6 unsequenced, 7 wants to be acknowledged |
//! | 1 | channel | 255 for what concerns the connection as a whole |
//! | 2 | sequence | counts the channel's reliable commands |
//! | … | fields of the type | see [`Body`] |
//!
//! Defined by ENet's `protocol.h`, which has not changed since 1.3.
//!
//! ```
//! use gamewire::transport::enet::{Body, Datagram};
//!
//! // A Godot 3.2.3 server confirms a path to its client.
//! let bytes = b"\x80\x00\x58\xdc\x86\x01\0\x01\0\x0b\x01\0\0\0\xca\xa3\xd3\x12\x03N\0";
//! let datagram = Datagram::parse(bytes)?;
//! assert_eq!((datagram.peer, datagram.sent_time), (0, Some(0x58dc)));
//! for command in datagram.commands() {
//!     let command = command?;
//!     assert_eq!((command.channel, command.sequence), (1, 1));
//!     let Body::Reliable { payload } = command.body else { unreachable!() };
//!     assert!(payload.ends_with(b"N\0"));
//! }
//! # Ok::<(), gamewire::transport::enet::Error>(())
//! ```
//!
//! Read from top to bottom: `wire` (layouts) → [`Command`] and [`Commands`] →
//! [`Datagram`] → [`RangeCoder`] → [`Session`].

mod command;
mod datagram;
mod error;
mod range_coder;
mod session;
mod wire;

pub use command::{Body, Command, Commands, Flags, Fragment};
pub use datagram::Datagram;
pub use error::{Error, ErrorKind};
pub use range_coder::RangeCoder;
pub use session::{Delivery, Event, Limits, Lost, Mode, Session};
pub use wire::{
    Acknowledge, BandwidthLimit, Connect, Disconnect, ThrottleConfigure, VerifyConnect,
};

pub(crate) use error::Result;
