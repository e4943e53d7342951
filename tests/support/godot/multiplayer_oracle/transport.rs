//! Decodes the headers that transports add to multiplayer packets.

use crate::support::fields::Fields;

/// Splits a Godot 3 message over ENet into its sender, its receiver and the packet.
pub fn enet_prefix(message: &[u8]) -> Option<(u32, i32, Vec<u8>)> {
    let mut fields = Fields::little(message);
    Some((fields.u32()?, fields.i32()?, fields.rest().to_vec()))
}

/// Decodes a Godot 3 message on ENet channel 0. Returns a flag and the id of a peer. The flag is
/// `true` if the peer was added, and `false` if it was removed.
pub fn enet_config(message: &[u8]) -> Option<(bool, u32)> {
    let mut fields = Fields::little(message);
    let (what, peer) = (fields.u32()?, fields.u32()?);
    match what {
        0 => Some((true, peer)),
        1 => Some((false, peer)),
        _ => None,
    }
}

/// A message of Godot 3 over a WebSocket.
#[derive(Clone, Debug, PartialEq)]
pub struct WebSocketMessage {
    pub from: i32,
    pub to: i32,
    pub body: Body,
}

#[derive(Clone, Debug, PartialEq)]
pub enum Body {
    Packet(Vec<u8>),
    AddPeer(i32),
    RemovePeer(i32),
    YourId(i32),
}

pub fn websocket(message: &[u8]) -> Option<WebSocketMessage> {
    let mut fields = Fields::little(message);
    let kind = fields.u8()?;
    let (from, to) = (fields.i32()?, fields.i32()?);
    let body = match kind {
        0 => Body::Packet(fields.rest().to_vec()),
        1 => Body::AddPeer(fields.i32()?),
        2 => Body::RemovePeer(fields.i32()?),
        3 => Body::YourId(fields.i32()?),
        _ => return None,
    };
    Some(WebSocketMessage { from, to, body })
}

/// Decodes the first message of Godot 4 over a WebSocket. The message contains only the id of the
/// peer.
pub fn peer_id(message: &[u8]) -> Option<i32> {
    let mut fields = Fields::little(message);
    fields.i32().filter(|_| fields.left() == 0)
}
