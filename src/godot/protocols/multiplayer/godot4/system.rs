//! System packets: authentication, the list of peers and relayed packets.

use super::{
    COMMAND, CompactWriter, Fault, Message, Packet, PacketReader, Result, SYSTEM, Sink, fail,
};
use crate::buffer::Cursor;
use crate::godot::Error;
use crate::godot::table::layouts::I32;

const AUTH: u8 = 0;
const ADD_PEER: u8 = 1;
const DEL_PEER: u8 = 2;
const RELAY: u8 = 3;

/// A packet of the multiplayer API itself.
///
/// | size | field |
/// |---|---|
/// | 1 | command 7 |
/// | 1 | 0 authentication, 1 peer added, 2 peer removed, 3 relay |
/// | … | only authentication: bytes that a script sends, or no bytes when authentication is complete |
/// | 4 | all except authentication: the peer |
/// | … | only relay: a packet |
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum System<'a> {
    /// Bytes that a script sends with `send_auth`, or no bytes when authentication is complete. The
    /// engine accepts no other packet from a peer before authentication is complete.
    Auth(&'a [u8]),
    /// A client has joined; sent by the server.
    AddPeer(i32),
    /// A client has left; sent by the server.
    DelPeer(i32),
    /// A packet to or from another peer, relayed by the server.
    Relay(Relay<'a>),
}

impl<'a> System<'a> {
    pub(super) fn read(packet: &PacketReader<'a>) -> Result<Self> {
        let input = &packet.input;
        let mut at = input.at_least(2, Message::System)?;
        let command = *at.read::<u8>()?;
        let mut peer = |least, message| -> Result<i32> {
            input.at_least(least, message)?;
            Ok(at.read::<I32>()?.get())
        };
        match command {
            AUTH => Ok(Self::Auth(Cursor::new_at(input.bytes, 2).rest())),
            ADD_PEER => Ok(Self::AddPeer(peer(6, Message::AddPeer)?)),
            DEL_PEER => Ok(Self::DelPeer(peer(6, Message::DelPeer)?)),
            RELAY => {
                let peer = peer(7, Message::Relay)?;
                let mut inner = *packet;
                inner.input.bytes = at.rest();
                inner.input.origin = input.offset(at.pos());
                Ok(Self::Relay(Relay { peer, inner }))
            }
            command => Err(input.fail(Fault::UnknownSystemCommand(command), 1)),
        }
    }

    pub(super) fn message(&self) -> Message {
        match self {
            Self::Auth(_) => Message::Auth,
            Self::AddPeer(_) => Message::AddPeer,
            Self::DelPeer(_) => Message::DelPeer,
            Self::Relay(_) => Message::Relay,
        }
    }

    pub(super) fn write<S: Sink>(&self, out: &mut CompactWriter<S>) -> Result<()> {
        match self {
            Self::Auth(bytes) => {
                out.put_bytes(&[SYSTEM, AUTH])?;
                out.put_bytes(bytes)
            }
            Self::AddPeer(peer) => out.put_bytes(&head(ADD_PEER, *peer)),
            Self::DelPeer(peer) => out.put_bytes(&head(DEL_PEER, *peer)),
            Self::Relay(relay) if relay.as_bytes().is_empty() => {
                Err(fail(out, Fault::TooShort { message: Message::Relay, least: 7 }))
            }
            Self::Relay(relay) => {
                out.put_bytes(&relay_head(relay.peer))?;
                out.put_bytes(relay.as_bytes())
            }
        }
    }
}

const fn head(command: u8, peer: i32) -> [u8; 6] {
    let [a, b, c, d] = peer.to_le_bytes();
    [SYSTEM, command, a, b, c, d]
}

/// Returns an ADD_PEER packet.
#[cfg(feature = "multiplayer")]
pub(in super::super) const fn add_peer_packet(peer: i32) -> [u8; 6] {
    head(ADD_PEER, peer)
}

/// Returns a DEL_PEER packet.
#[cfg(feature = "multiplayer")]
pub(in super::super) const fn del_peer_packet(peer: i32) -> [u8; 6] {
    head(DEL_PEER, peer)
}

/// Returns the prefix of a relayed packet. Write the packet after it.
///
/// ```
/// use gamewire::godot::Dialect;
/// use gamewire::godot::multiplayer::NodeRef;
/// use gamewire::godot::multiplayer::godot4::{Packet, PacketWriter, System, relay_head};
///
/// let mut packet = relay_head(7).to_vec();
/// PacketWriter::new(&mut packet, Dialect::Godot4).call(NodeRef::Cached(1), 2, ("hi",))?;
/// let Packet::System(System::Relay(relay)) = Packet::parse(&packet)? else { unreachable!() };
/// assert_eq!(relay.peer(), 7);
/// assert!(matches!(relay.packet()?, Packet::Call(_)));
/// # Ok::<(), gamewire::godot::Error>(())
/// ```
pub const fn relay_head(peer: i32) -> [u8; 6] {
    head(RELAY, peer)
}

/// A packet that one client sends to others. A server relays it without parsing it, so it is only
/// parsed on request, by [`packet`](Self::packet).
#[derive(Clone, Copy, Debug)]
pub struct Relay<'a> {
    peer: i32,
    inner: PacketReader<'a>,
}

impl<'a> Relay<'a> {
    /// Creates a relayed packet to or from `peer`.
    pub fn new(peer: i32, packet: &'a [u8]) -> Self {
        Self { peer, inner: PacketReader::new(packet) }
    }

    /// Returns the id of a peer. If a client sends the packet to the server, this is the peer that
    /// is to receive it. If the server sends the packet to a client, this is the peer that it comes
    /// from. As a receiver, 0 means all peers, and `-n` means all peers except `n`.
    pub const fn peer(&self) -> i32 {
        self.peer
    }

    /// Returns the bytes of the packet.
    pub fn as_bytes(&self) -> &'a [u8] {
        self.inner.as_bytes()
    }

    /// Reads the packet with the same options as the outer packet.
    ///
    /// # Errors
    /// Returns the errors of [`Packet::parse`]. Returns [`Fault::SystemRelayed`] for a system
    /// packet, because the engine does not accept a relayed system packet.
    pub fn packet(&self) -> Result<Packet<'a>> {
        match self.as_bytes().first() {
            Some(first) if first & COMMAND == SYSTEM => {
                Err(Error::new(Fault::SystemRelayed.into(), self.inner.input.origin))
            }
            _ => self.inner.read(),
        }
    }
}

impl PartialEq for Relay<'_> {
    fn eq(&self, other: &Self) -> bool {
        (self.peer, self.as_bytes()) == (other.peer, other.as_bytes())
    }
}

impl Eq for Relay<'_> {}
