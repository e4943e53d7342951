//! An independent oracle for ENet, written from the description of the protocol: datagrams,
//! commands, and the packets that one side receives. Its values are owned, and the number of
//! waiting packets is not limited. The oracle for the range coder is
//! [`range_coder`](crate::support::net::range_coder).

mod channel;
mod session;
mod wire;

pub use channel::Undelivered;
pub use session::Session;
pub use wire::{Body, Command, Datagram, Fragment, commands, datagram};

/// An effect of a datagram.
#[derive(Clone, Debug, PartialEq)]
pub enum Event {
    Delivery {
        channel: u8,
        mode: Mode,
        number: u16,
        payload: Vec<u8>,
    },
    /// The type of a command without a packet.
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
