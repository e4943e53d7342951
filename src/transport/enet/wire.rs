//! Layouts of the commands. The macro generates two structs from each list of fields: one of plain
//! numbers, and one of big-endian fields as on the wire.

use super::Result;
use crate::buffer::{Cursor, Full, Sink};
use zerocopy::{FromBytes, Immutable, KnownLayout, Unaligned};

macro_rules! layouts {
    ($(
        $(#[$doc:meta])*
        $Name:ident { $( $(#[$field_doc:meta])* $field:ident: $plain:ty as $wire:ident, )* }
    )*) => {
        pub(crate) mod be {
            use zerocopy::big_endian::{U16, U32};
            use zerocopy::{FromBytes, Immutable, IntoBytes, KnownLayout, Unaligned};

            type U8 = u8;

            $(
                #[derive(FromBytes, IntoBytes, KnownLayout, Immutable, Unaligned)]
                #[repr(C)]
                pub(crate) struct $Name { $( pub(super) $field: $wire, )* }
            )*
        }

        $(
            $(#[$doc])*
            #[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
            pub struct $Name { $( $(#[$field_doc])* pub $field: $plain, )* }

            impl Layout for $Name {
                type Wire = be::$Name;

                #[inline(always)]
                fn plain(wire: &be::$Name) -> Self {
                    let be::$Name { $( $field ),* } = wire;
                    Self { $( $field: (*$field).into() ),* }
                }

                #[inline]
                fn write<S: Sink>(&self, sink: &mut S) -> core::result::Result<(), Full> {
                    sink.append(be::$Name { $( $field: self.$field.into() ),* })
                }
            }
        )*
    };
}

/// A sequence of fields with a constant size.
pub(crate) trait Layout: Sized {
    /// The fields as on the wire.
    type Wire: FromBytes + KnownLayout + Immutable + Unaligned + 'static;

    const SIZE: usize = size_of::<Self::Wire>();

    fn plain(wire: &Self::Wire) -> Self;

    #[inline]
    fn read(cursor: &mut Cursor<'_>) -> Result<Self> {
        Ok(Self::plain(cursor.read()?))
    }

    fn write<S: Sink>(&self, sink: &mut S) -> core::result::Result<(), Full>;
}

layouts! {
    /// The start of each command.
    CommandHeader {
        /// Type and flags.
        kind: u8 as U8,
        /// The channel.
        channel: u8 as U8,
        /// Sequence number; see [`Command::sequence`](super::Command::sequence).
        sequence: u16 as U16,
    }

    /// A reliable command has arrived (type 1).
    Acknowledge {
        /// Sequence number of the reliable command.
        sequence: u16 as U16,
        /// Sent time of the datagram with the reliable command.
        sent_time: u16 as U16,
    }

    /// A client requests a connection (type 2).
    Connect {
        /// The client's slot for the server: the peer id in datagrams from the server.
        outgoing_peer: u16 as U16,
        /// Session number of datagrams to the client; 255 if there was no earlier session.
        incoming_session: u8 as U8,
        /// Session number of datagrams from the client; 255 if there was no earlier session.
        outgoing_session: u8 as U8,
        /// Length of the largest datagram.
        mtu: u32 as U32,
        /// Number of reliable bytes that may be in flight.
        window: u32 as U32,
        /// Number of channels.
        channels: u32 as U32,
        /// Incoming bandwidth of the client in bytes per second, 0 for no limit.
        incoming_bandwidth: u32 as U32,
        /// Outgoing bandwidth of the client in bytes per second, 0 for no limit.
        outgoing_bandwidth: u32 as U32,
        /// Interval of the throttle's measurements in milliseconds.
        throttle_interval: u32 as U32,
        /// Rate at which the throttle opens.
        throttle_acceleration: u32 as U32,
        /// Rate at which the throttle closes.
        throttle_deceleration: u32 as U32,
        /// Random number that identifies the connection, chosen by the client.
        connect_id: u32 as U32,
        /// Data of the application. Godot's client sends its peer id.
        data: u32 as U32,
    }

    /// The server accepts a connection (type 3).
    VerifyConnect {
        /// The server's slot for the client: the peer id in all further datagrams from the
        /// client.
        outgoing_peer: u16 as U16,
        /// Session number of datagrams to the server.
        incoming_session: u8 as U8,
        /// Session number of datagrams from the server.
        outgoing_session: u8 as U8,
        /// Length of the largest datagram.
        mtu: u32 as U32,
        /// Number of reliable bytes that may be in flight.
        window: u32 as U32,
        /// Number of channels.
        channels: u32 as U32,
        /// Incoming bandwidth of the server in bytes per second, 0 for no limit.
        incoming_bandwidth: u32 as U32,
        /// Outgoing bandwidth of the server in bytes per second, 0 for no limit.
        outgoing_bandwidth: u32 as U32,
        /// Copied from the client's [`Connect`].
        throttle_interval: u32 as U32,
        /// Copied from the client's [`Connect`].
        throttle_acceleration: u32 as U32,
        /// Copied from the client's [`Connect`].
        throttle_deceleration: u32 as U32,
        /// Copied from the client's [`Connect`].
        connect_id: u32 as U32,
    }

    /// The connection ends (type 4).
    Disconnect {
        /// Data of the application. Godot 4 sends 0, Godot 3 the peer id.
        data: u32 as U32,
    }

    /// Bandwidth limits of the sender (type 10).
    BandwidthLimit {
        /// Incoming bytes per second, 0 for no limit.
        incoming: u32 as U32,
        /// Outgoing bytes per second, 0 for no limit.
        outgoing: u32 as U32,
    }

    /// Settings of the throttle for unreliable packets (type 11).
    ThrottleConfigure {
        /// Interval of the measurements in milliseconds.
        interval: u32 as U32,
        /// Rate at which the throttle opens.
        acceleration: u32 as U32,
        /// Rate at which the throttle closes.
        deceleration: u32 as U32,
    }

    /// Fields before the payload of type 6.
    ReliableHeader {
        /// Length of the payload.
        len: u16 as U16,
    }

    /// Fields before the payload of types 7 and 9.
    UnreliableHeader {
        /// Number of the unreliable packet, or group of the unsequenced one.
        number: u16 as U16,
        /// Length of the payload.
        len: u16 as U16,
    }

    /// Fields before the payload of types 8 and 12.
    FragmentHeader {
        /// Number of the packet; see [`Fragment::start`](super::Fragment::start).
        start: u16 as U16,
        /// Length of the payload.
        len: u16 as U16,
        /// Number of fragments.
        count: u32 as U32,
        /// Index of this fragment, from 0.
        number: u32 as U32,
        /// Length of the packet.
        total: u32 as U32,
        /// Offset of the payload in the packet.
        offset: u32 as U32,
    }
}

// Sizes in ENet's `protocol.h`.
const _: () = assert!(CommandHeader::SIZE == 4);
const _: () = assert!(Connect::SIZE == 44 && VerifyConnect::SIZE == 40);
const _: () = assert!(FragmentHeader::SIZE == 20 && ThrottleConfigure::SIZE == 12);
