//! An independent oracle for ENet: datagrams, commands, and what one side of a connection hears,
//! all of it owned and kept without limits. Written from the protocol's description; the
//! range coder is that of [`range_coder`](crate::support::net::range_coder).

mod channel;
mod session;
mod wire;

pub use channel::Left;
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
