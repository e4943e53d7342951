//! WebSocket (RFC 6455): the messages of one direction of a connection.
//!
//! Feed a [`Decoder`] the bytes of the stream, in pieces of any size. The stream begins with the
//! head of the HTTP request or response that upgrades the connection to a WebSocket, and continues
//! with frames. An unmasked message that consists of one frame in one piece is reported without a
//! copy. All other messages are reassembled and unmasked in a buffer, which is reused.
//!
//! ```
//! use gamewire::transport::websocket::{self, Decoder, Event, Kind};
//!
//! let mut stream = b"GET / HTTP/1.1\r\nHost: a\r\nUpgrade: websocket\r\n\r\n".to_vec();
//! websocket::write(&mut stream, Kind::Binary, b"hello", Some([1, 2, 3, 4]))?;
//!
//! let mut decoder = Decoder::new();
//! let mut messages = 0;
//! for piece in stream.chunks(7) {
//!     decoder.feed(piece, |event| match event {
//!         Event::Upgrade(head) => assert_eq!(head.field("host"), Some(b"a".as_slice())),
//!         Event::Message(message) => {
//!             assert_eq!(message.payload, b"hello");
//!             messages += 1;
//!         }
//!         other => panic!("{other:?}"),
//!     })?;
//! }
//! assert_eq!(messages, 1);
//! # Ok::<(), Box<dyn std::error::Error>>(())
//! ```
//!
//! By default, the decoder accepts both sides of a connection, masked or not;
//! [`Decoder::side`] requires one of them. The decoder does not check the key of the handshake or
//! the encoding of text. Extensions such as compression are not supported, and their reserved bits
//! are an error; Godot offers none.
//!
//! To take part in connections rather than to read those of others, use a [`Connection`], or a
//! [`Host`] for many of them (feature `host`).
//!
//! The head of the HTTP handshake is parsed without an HTTP library. Only its first line and a few
//! fields are needed, and its length is limited first. `httparse` would need an array for all
//! header fields, and would start parsing again from the beginning for each further piece.

mod decoder;
mod error;
mod event;
mod frame;
mod head;
#[cfg(feature = "host")]
pub mod host;
mod small_buffer;

#[cfg(all(feature = "serde", feature = "traffic"))]
pub(crate) use decoder::state::DecoderState;
pub use decoder::{Decoder, Limits};
pub use error::{Error, ErrorKind};
pub use event::{Event, Kind, Message};
pub use frame::{Header, Opcode, mask, write};
pub use head::{Head, Side};
#[cfg(feature = "host")]
pub use host::{Connection, Host};
