//! ENet over UDP: datagrams, commands, compression, and the packets that the receiver's application
//! gets.
//!
//! All fields are big-endian. A datagram:
//!
//! | size | field | note |
//! |---|---|---|
//! | 2 | peer id and flags | bits 0–11: the receiver's slot for this peer, 12–13: session, 14: compressed, 15: the sent time follows |
//! | 2 | sent time | if bit 15 is set: milliseconds, modulo 2¹⁶ |
//! | 4 | checksum | only between hosts configured for it (Godot's are not) |
//! | … | commands | if bit 14 is set, compressed in the [mode](CompressionMode) that both hosts use; at most 4096 bytes with the header after decompression |
//!
//! A command, of at least 4 bytes:
//!
//! | size | field | note |
//! |---|---|---|
//! | 1 | type and flags | bits 0–3: type (1 to 12), 6: unsequenced, 7: acknowledgement requested |
//! | 1 | channel | 255 for commands about the connection itself |
//! | 2 | sequence | see [`Command::sequence`] |
//! | … | fields of the type | see [`Body`] |
//!
//! The format is defined by ENet's `protocol.h`, unchanged since 1.3.
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
//! The modules build on each other in this order: `wire` (layouts), [`Command`] and [`Commands`],
//! [`Datagram`], [`RangeCoder`], [`DatagramCodec`], [`Session`].

mod codec;
mod command;
mod compression_mode;
mod datagram;
mod error;
#[cfg(feature = "host")]
mod host;
mod range_coder;
mod session;
mod wire;

pub use codec::DatagramCodec;
pub use command::{Body, Command, Commands, Flags, Fragment};
pub use compression_mode::{CompressionMode, UnknownCompressionMode};
pub use datagram::Datagram;
pub use error::{Error, ErrorKind};
#[cfg(feature = "host")]
pub use host::{
    Config, ConnectError, DisconnectReason, Host, HostEvent, PeerInfo, PeerKey, PeerState,
    SendError, Transmit,
};
pub use range_coder::RangeCoder;
pub use session::{Arrival, Delivery, Event, Limits, Lost, Packet, Session};
pub use wire::{
    Acknowledge, BandwidthLimit, Connect, Disconnect, ThrottleConfigure, VerifyConnect,
};

pub(crate) use error::Result;
#[cfg(all(feature = "serde", feature = "traffic"))]
pub(crate) use session::state::SessionState;
