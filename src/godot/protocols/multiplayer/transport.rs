//! The framing that peers add to multiplayer packets.
//!
//! | transport | Godot 4 | Godot 3 |
//! |---|---|---|
//! | ENet | nothing; the peer's id is the data of CONNECT | [`EnetPrefix`]; on channel 0 [`EnetConfig`] |
//! | WebSocket | first the client's [`peer_id`], then nothing | [`WebSocketMessage`] |
//!
//! The id of a peer is positive, and 1 is the server. As a target, 0 means all peers, and `-n`
//! means all peers except `n`.

use super::{Fault, Input, Message};
use crate::buffer::{Cursor, Sink};
use crate::godot::table::layouts::{I32, U32};
use crate::godot::{Error, Result};
use zerocopy::{FromBytes, Immutable, IntoBytes, KnownLayout, Unaligned};

/// The guarantees of delivery (`MultiplayerPeer.TransferMode`). Over ENet, each mode has a form of
/// packet:
///
/// | mode | packet of ENet |
/// |---|---|
/// | unreliable | unsequenced; fragments of a large packet are unreliable |
/// | unreliable ordered | unreliable, in sequence; fragments of a large packet are unreliable |
/// | reliable | reliable |
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
pub enum TransferMode {
    /// Packets may be lost and may arrive in any order.
    Unreliable,
    /// Packets may be lost. A packet that arrives after a later one is dropped.
    UnreliableOrdered,
    /// Packets arrive once and in order.
    #[default]
    Reliable,
}

impl TransferMode {
    /// Returns the channel of ENet on which Godot 4 sends a packet. `channel` is the number in a
    /// script. 0 stands for a channel of reliable packets and a channel of all others.
    ///
    /// ```
    /// use gamewire::godot::multiplayer::transport::TransferMode;
    ///
    /// assert_eq!(TransferMode::Reliable.enet_channel(0), 0);
    /// assert_eq!(TransferMode::Unreliable.enet_channel(0), 1);
    /// assert_eq!(TransferMode::Unreliable.enet_channel(1), 2);
    /// assert_eq!(TransferMode::Reliable.enet_channel(1), 2);
    /// ```
    pub const fn enet_channel(self, channel: u8) -> u8 {
        match (self, channel) {
            (Self::Reliable, 0) => 0,
            (_, 0) => 1,
            (_, channel) => channel.saturating_add(1),
        }
    }

    /// Returns the channel of ENet on which Godot 3 sends a packet. Channel 0 is for
    /// [`EnetConfig`].
    pub const fn enet_channel_of_godot3(self) -> u8 {
        match self {
            Self::Reliable => 1,
            Self::Unreliable | Self::UnreliableOrdered => 2,
        }
    }
}

/// Returns the channel in a script for a channel of ENet (Godot 4). This is the inverse of
/// [`TransferMode::enet_channel`].
pub const fn script_channel(enet_channel: u8) -> u8 {
    match enet_channel {
        0 | 1 => 0,
        channel => channel.saturating_sub(1),
    }
}

/// The prefix of each packet that Godot 3 sends through ENet.
///
/// ```
/// use gamewire::godot::multiplayer::transport::EnetPrefix;
///
/// let (prefix, packet) = EnetPrefix::split(b"\xca\xa3\xd3\x12\x01\0\0\0\x04abc")?;
/// assert_eq!((prefix.source.get(), prefix.target.get()), (0x12d3_a3ca, 1));
/// assert_eq!(packet, b"\x04abc");
/// # Ok::<(), gamewire::godot::Error>(())
/// ```
#[derive(
    Clone, Copy, Debug, PartialEq, Eq, FromBytes, IntoBytes, KnownLayout, Immutable, Unaligned,
)]
#[repr(C)]
pub struct EnetPrefix {
    /// The sender.
    pub source: U32,
    /// The receiver.
    pub target: I32,
}

impl EnetPrefix {
    /// Creates a prefix, to be written with [`IntoBytes::as_bytes`] or [`write`](Self::write).
    pub fn new(source: u32, target: i32) -> Self {
        Self { source: source.into(), target: target.into() }
    }

    /// Splits bytes into the prefix and the packet.
    ///
    /// # Errors
    /// Returns [`Fault::TooShort`] for fewer than 8 bytes.
    pub fn split(bytes: &[u8]) -> Result<(&Self, &[u8])> {
        let mut at = head(bytes, 8, Message::EnetPrefix)?;
        Ok((at.read::<Self>()?, at.rest()))
    }

    /// Appends the prefix. Write the packet after it.
    ///
    /// # Errors
    /// Returns an error if the sink is full.
    pub fn write<S: Sink>(&self, sink: &mut S) -> Result<()> {
        append(sink, *self)
    }
}

/// A message of a Godot 3 server on ENet's channel 0, without a prefix.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum EnetConfig {
    /// A client has joined.
    AddPeer(u32),
    /// A client has left.
    RemovePeer(u32),
}

impl EnetConfig {
    /// Reads a message.
    ///
    /// # Errors
    /// Returns [`Fault::TooShort`] for fewer than 8 bytes, and [`Fault::UnknownCommand`] if the
    /// command is unknown.
    pub fn parse(bytes: &[u8]) -> Result<Self> {
        let mut at = head(bytes, 8, Message::EnetConfig)?;
        let (command, peer) = (at.read::<U32>()?.get(), at.read::<U32>()?.get());
        match command {
            0 => Ok(Self::AddPeer(peer)),
            1 => Ok(Self::RemovePeer(peer)),
            command => Err(Error::new(Fault::UnknownCommand(command).into(), 0)),
        }
    }

    /// Appends the message.
    ///
    /// # Errors
    /// Returns an error if the sink is full.
    pub fn write<S: Sink>(&self, sink: &mut S) -> Result<()> {
        let (command, peer) = match *self {
            Self::AddPeer(peer) => (0, peer),
            Self::RemovePeer(peer) => (1, peer),
        };
        append(sink, [U32::new(command), U32::new(peer)])
    }
}

/// A message that Godot 3 sends through a WebSocket.
///
/// | size | field |
/// |---|---|
/// | 1 | type of the message: 0 packet, 1 peer added, 2 peer removed, 3 id of the receiver |
/// | 4 | sender |
/// | 4 | receiver |
/// | … | type 0: a packet; other types: the id of a peer in 4 bytes |
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct WebSocketMessage<'a> {
    /// The sender.
    pub from: i32,
    /// The receiver.
    pub to: i32,
    /// The content.
    pub body: WebSocketBody<'a>,
}

/// The content of a [`WebSocketMessage`].
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum WebSocketBody<'a> {
    /// A packet.
    Packet(&'a [u8]),
    /// A client has joined.
    AddPeer(i32),
    /// A client has left.
    RemovePeer(i32),
    /// The id that the server assigned to the receiver of this message.
    YourId(i32),
}

/// The first 9 bytes of a message.
#[derive(FromBytes, IntoBytes, KnownLayout, Immutable, Unaligned)]
#[repr(C)]
struct WebSocketPrefix {
    command: u8,
    from: I32,
    to: I32,
}

impl<'a> WebSocketMessage<'a> {
    /// Reads a message.
    ///
    /// # Errors
    /// Returns [`Fault::TooShort`] for fewer than 9 bytes, or for fewer than 13 bytes if the
    /// message contains the id of a peer. Returns [`Fault::UnknownCommand`] if the type of the
    /// message is unknown.
    pub fn parse(bytes: &'a [u8]) -> Result<Self> {
        let mut at = head(bytes, 9, Message::WebSocketPrefix)?;
        let prefix = at.read::<WebSocketPrefix>()?;
        let mut peer = || -> Result<i32> {
            head(bytes, 13, Message::WebSocketPeer)?;
            Ok(at.read::<I32>()?.get())
        };
        let body = match prefix.command {
            0 => WebSocketBody::Packet(at.rest()),
            1 => WebSocketBody::AddPeer(peer()?),
            2 => WebSocketBody::RemovePeer(peer()?),
            3 => WebSocketBody::YourId(peer()?),
            command => {
                return Err(Error::new(Fault::UnknownCommand(command.into()).into(), 0));
            }
        };
        Ok(Self { from: prefix.from.get(), to: prefix.to.get(), body })
    }

    /// Appends the message.
    ///
    /// # Errors
    /// Returns an error if the sink is full. Nothing is then written.
    pub fn write<S: Sink>(&self, sink: &mut S) -> Result<()> {
        let id;
        let (command, body) = match self.body {
            WebSocketBody::Packet(bytes) => (0, bytes),
            WebSocketBody::AddPeer(peer) => {
                id = peer.to_le_bytes();
                (1, &id[..])
            }
            WebSocketBody::RemovePeer(peer) => {
                id = peer.to_le_bytes();
                (2, &id[..])
            }
            WebSocketBody::YourId(peer) => {
                id = peer.to_le_bytes();
                (3, &id[..])
            }
        };
        let prefix = WebSocketPrefix { command, from: self.from.into(), to: self.to.into() };
        let reserved = sink.reserve(body.len().saturating_add(size_of_val(&prefix)));
        reserved.map_err(|full| Error::new(full.into(), sink.position() as u64))?;
        sink.put(prefix.as_bytes());
        sink.put(body);
        Ok(())
    }
}

/// Reads the id that a client receives in the first message of a WebSocket (Godot 4).
///
/// # Errors
/// Returns [`Fault::TooShort`] or [`Fault::TooLong`] if there are not exactly 4 bytes.
pub fn peer_id(bytes: &[u8]) -> Result<i32> {
    let mut at = head(bytes, 4, Message::PeerId)?;
    let id = at.read::<I32>()?.get();
    Input { bytes, origin: 0 }.at_most(4, Message::PeerId)?;
    Ok(id)
}

/// Appends the first message of a WebSocket server to a client: the id of the client (Godot 4).
///
/// ```
/// use gamewire::godot::multiplayer::transport::{peer_id, put_peer_id};
///
/// let mut message = Vec::new();
/// put_peer_id(&mut message, 1234)?;
/// assert_eq!(peer_id(&message), Ok(1234));
/// # Ok::<(), gamewire::godot::Error>(())
/// ```
///
/// # Errors
/// Returns an error if the sink is full.
pub fn put_peer_id<S: Sink>(sink: &mut S, id: i32) -> Result<()> {
    append(sink, I32::new(id))
}

/// Makes the id of a client from a random number: a number between 2 and 2^31 - 1. Over ENet, the
/// client chooses its id, and sends it as the data of CONNECT. Over WebSocket, the server chooses
/// it. Another peer may have the same id, so a server checks it.
pub const fn client_id(random: u32) -> i32 {
    match random.cast_signed() & i32::MAX {
        id @ 2.. => id,
        small => small.wrapping_add(2),
    }
}

fn head(bytes: &[u8], least: u8, message: Message) -> Result<Cursor<'_>> {
    Input { bytes, origin: 0 }.at_least(least, message)?;
    Ok(Cursor::new(bytes))
}

fn append<S: Sink>(sink: &mut S, value: impl IntoBytes + Immutable) -> Result<()> {
    let appended = sink.append(value);
    appended.map_err(|full| Error::new(full.into(), sink.position() as u64))
}
