//! Decodes the packets of Godot 3's `MultiplayerAPI`.

use super::{Amount, Node, Run, node, text};
use crate::support::fields::Fields;

#[derive(Clone, Debug, PartialEq)]
pub enum Packet {
    Call { node: Node, method: Vec<u8>, arguments: Run },
    Set { node: Node, property: Vec<u8>, value: Run },
    SimplifyPath { id: u32, path: Vec<u8> },
    ConfirmPath(Vec<u8>),
    Raw(Vec<u8>),
}

pub fn decode(packet: &[u8]) -> Option<Packet> {
    let mut fields = Fields::little(packet);
    let command = fields.u8()?;
    match command {
        0 | 1 => member(packet, command, fields),
        2 => {
            let id = fields.u32()?;
            Some(Packet::SimplifyPath { id, path: text(fields.rest()) })
        }
        3 | 4 if packet.len() < 2 => None,
        3 => Some(Packet::ConfirmPath(text(fields.rest()))),
        4 => Some(Packet::Raw(fields.rest().to_vec())),
        _ => None,
    }
}

/// Decodes a call (command 0) or the assignment of a property (command 1).
fn member(packet: &[u8], command: u8, mut fields: Fields<'_>) -> Option<Packet> {
    let target = fields.u32()?;
    let name = fields.text()?.to_vec();
    let (node, path) = node(packet, target)?;
    // The path may be anywhere in the packet. If it starts after the name, the values end at its
    // start; otherwise they extend to the end of the packet.
    let at = fields.at();
    let end = path.filter(|&path| path >= at).unwrap_or(packet.len());
    let (&first, rest) = packet[at..end].split_first()?;
    if command == 0 {
        let amount = Amount::Count(first.into());
        let arguments = Run { at: at + 1, bytes: rest.to_vec(), amount };
        return Some(Packet::Call { node, method: name, arguments });
    }
    let value = Run { at, bytes: packet[at..end].to_vec(), amount: Amount::Count(1) };
    Some(Packet::Set { node, property: name, value })
}

impl Packet {
    pub fn runs(&self) -> Vec<&Run> {
        match self {
            Self::Call { arguments, .. } => vec![arguments],
            Self::Set { value, .. } => vec![value],
            _ => Vec::new(),
        }
    }
}
