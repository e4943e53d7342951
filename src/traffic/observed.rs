//! The reports of [`Conversations::observe`](super::Conversations::observe): records and commands.

use super::record::Record;
use crate::transport::enet::{Arrival, Command};
use core::net::SocketAddr;

/// A record, or a command of the transport that carries records. See
/// [`Conversations::observe`](super::Conversations::observe).
#[derive(Clone, Copy, Debug)]
#[non_exhaustive]
pub enum Observed<'r, 'a> {
    /// A packet of the game.
    Record(&'r Record<'a>),
    /// An ENet command. A command without a packet is reported before its record; a command with a
    /// packet is reported after the records of the packets that it completes.
    Command(&'r EnetCommand<'a>),
}

/// A command of ENet in a captured datagram.
#[derive(Clone, Copy, Debug)]
#[non_exhaustive]
pub struct EnetCommand<'a> {
    /// Time of capture in nanoseconds since 1970, if known.
    pub time: Option<i64>,
    /// Address of the sender.
    pub source: SocketAddr,
    /// Address of the receiver.
    pub destination: SocketAddr,
    /// The command.
    pub command: Command<'a>,
    /// Time of sending in the header of the datagram. `None` for a command without a packet.
    pub sent_time: Option<u16>,
    /// How the command arrived. Always [`Arrival::InOrder`] for a command without a packet.
    pub arrival: Arrival,
}
