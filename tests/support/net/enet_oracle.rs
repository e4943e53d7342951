//! An independent oracle for ENet: datagrams, commands, and the packets that one side receives, all
//! owned and kept without limits. Written from the description of the protocol; the range coder is
//! [`range_coder`](crate::support::net::range_coder).

mod channel;
mod session;
mod wire;

pub use channel::Undelivered;
pub use session::Session;
pub use wire::{Body, Command, Datagram, Fragment, commands, datagram};

/// Effects of a datagram.
#[derive(Clone, Debug, PartialEq)]
pub enum Event {
    Delivery {
        channel: u8,
        mode: Mode,
        number: u16,
        payload: Vec<u8>,
    },
    /// A command without a packet: its type.
    Control(u8),
    Lost {
        channel: u8,
        mode: Mode,
        first: u16,
        count: u32,
    },
    Malformed,
}

#[derive(Clone, Copy, Debug, PartialEq)]
pub enum Mode {
    Reliable,
    Unreliable,
    Unsequenced,
}
