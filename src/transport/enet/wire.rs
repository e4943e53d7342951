//! Layouts, said once: the macro makes of each list of fields a struct of plain numbers,
//! and one of big-endian fields for the wire.

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

/// Fields in a row, of constant size.
pub(crate) trait Layout: Sized {
    /// As it lies on the wire.
    type Wire: FromBytes + KnownLayout + Immutable + Unaligned + 'static;

    const SIZE: usize = size_of::<Self::Wire>();

    fn plain(wire: &Self::Wire) -> Self;

    #[inline]
    fn read(at: &mut Cursor<'_>) -> Result<Self> {
        Ok(Self::plain(at.read()?))
    }

    fn write<S: Sink>(&self, sink: &mut S) -> core::result::Result<(), Full>;
}

layouts! {
    /// What every command begins with.
    Head {
        /// Type and flags.
        kind: u8 as U8,
        /// The channel.
        channel: u8 as U8,
        /// The sequence.
        sequence: u16 as U16,
    }

    /// That a reliable command came (type 1).
    Acknowledge {
        /// The sequence of the command that came.
        sequence: u16 as U16,
        /// The time of sending of the datagram in which it came.
        sent_time: u16 as U16,
    }

    /// A client asks for a connection (type 2).
    Connect {
        /// The slot that the client keeps for the server: the peer id of the
        /// datagrams that the server sends.
        outgoing_peer: u16 as U16,
        /// Session number of what comes to the client; 255 where there was none.
        incoming_session: u8 as U8,
        /// Session number of what the client sends; 255 where there was none.
        outgoing_session: u8 as U8,
        /// The largest datagram.
        mtu: u32 as U32,
        /// How many reliable bytes may be on their way.
        window: u32 as U32,
        /// How many channels.
        channels: u32 as U32,
        /// The client's bandwidth in, bytes a second; 0 for no limit.
        incoming_bandwidth: u32 as U32,
        /// The client's bandwidth out, bytes a second; 0 for no limit.
        outgoing_bandwidth: u32 as U32,
        /// Over how many milliseconds the throttle measures.
        throttle_interval: u32 as U32,
        /// How fast the throttle opens.
        throttle_acceleration: u32 as U32,
        /// How fast the throttle closes.
        throttle_deceleration: u32 as U32,
        /// Made up by the client: another one is another connection.
        connect_id: u32 as U32,
        /// The application's; Godot's client sends the peer id it has chosen.
        data: u32 as U32,
    }

    /// The server agrees to a connection (type 3).
    VerifyConnect {
        /// The slot that the server keeps for the client: the peer id of the
        /// datagrams that the client sends from now on.
        outgoing_peer: u16 as U16,
        /// Session number of what comes to the server.
        incoming_session: u8 as U8,
        /// Session number of what the server sends.
        outgoing_session: u8 as U8,
        /// The largest datagram.
        mtu: u32 as U32,
        /// How many reliable bytes may be on their way.
        window: u32 as U32,
        /// How many channels.
        channels: u32 as U32,
        /// The server's bandwidth in, bytes a second; 0 for no limit.
        incoming_bandwidth: u32 as U32,
        /// The server's bandwidth out, bytes a second; 0 for no limit.
        outgoing_bandwidth: u32 as U32,
        /// As the client asked.
        throttle_interval: u32 as U32,
        /// As the client asked.
        throttle_acceleration: u32 as U32,
        /// As the client asked.
        throttle_deceleration: u32 as U32,
        /// As the client asked.
        connect_id: u32 as U32,
    }

    /// The connection ends (type 4).
    Disconnect {
        /// The application's; Godot 4 sends 0, Godot 3 the peer id.
        data: u32 as U32,
    }

    /// What the sender takes and sends at the most (type 10).
    BandwidthLimit {
        /// Bytes a second; 0 for no limit.
        incoming: u32 as U32,
        /// Bytes a second; 0 for no limit.
        outgoing: u32 as U32,
    }

    /// How unreliable packets are to be throttled (type 11).
    ThrottleConfigure {
        /// Over how many milliseconds is measured.
        interval: u32 as U32,
        /// How fast the throttle opens.
        acceleration: u32 as U32,
        /// How fast the throttle closes.
        deceleration: u32 as U32,
    }

    /// Between the head and the payload of type 6.
    ReliableHead {
        /// The payload's length.
        len: u16 as U16,
    }

    /// Between the head and the payload of types 7 and 9.
    UnreliableHead {
        /// The packet's number among the unreliable ones, or its group.
        number: u16 as U16,
        /// The payload's length.
        len: u16 as U16,
    }

    /// Between the head and the payload of types 8 and 12.
    FragmentHead {
        /// The sequence of the packet's first fragment.
        start: u16 as U16,
        /// The payload's length.
        len: u16 as U16,
        /// How many fragments.
        count: u32 as U32,
        /// Which one this is, from 0.
        number: u32 as U32,
        /// The packet's length.
        total: u32 as U32,
        /// Where the payload belongs in the packet.
        offset: u32 as U32,
    }
}

// As the protocol has them.
const _: () = assert!(Head::SIZE == 4);
const _: () = assert!(Connect::SIZE == 44 && VerifyConnect::SIZE == 40);
const _: () = assert!(FragmentHead::SIZE == 20 && ThrottleConfigure::SIZE == 12);
