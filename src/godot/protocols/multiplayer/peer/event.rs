//! Events that a peer reports.

use super::slots::{NodeId, SyncId};
use crate::godot::StrRef;
use crate::godot::multiplayer::Run;
use crate::godot::multiplayer::godot4::Method;

/// An event of a [`Peer`](super::Peer).
#[derive(Clone, Copy, Debug, PartialEq)]
#[non_exhaustive]
pub enum Event<'a> {
    /// A peer has connected and must authenticate. Answer its [`Auth`](Self::Auth) messages with
    /// [`send_auth`](super::Peer::send_auth), and finish with
    /// [`complete_auth`](super::Peer::complete_auth).
    Authenticating {
        /// The peer.
        peer: i32,
    },
    /// A message of a peer that has not authenticated yet.
    Auth {
        /// The peer.
        peer: i32,
        /// The bytes that the peer sent with `send_auth`.
        data: &'a [u8],
    },
    /// A peer has left before it was authenticated, or its time has run out.
    AuthFailed {
        /// The peer.
        peer: i32,
    },
    /// A peer has connected, and has authenticated if that is required. It can now be called.
    Connected {
        /// The peer.
        peer: i32,
    },
    /// A peer has left. For a client whose server has left, this is the only such event: all other
    /// peers have left, too.
    Disconnected {
        /// The peer.
        peer: i32,
    },
    /// A peer has called a method that the table allows.
    Call(Call<'a>),
    /// A peer has set a property that the table allows (Godot 3). The only argument is the value.
    Set(Call<'a>),
    /// A peer has sent bytes with `send_bytes`.
    Bytes {
        /// The sender.
        from: i32,
        /// The bytes.
        bytes: &'a [u8],
    },
    /// A peer has spawned a node. The node and its synchronizers are now declared, as the scene of
    /// the spawner states.
    Spawned {
        /// The peer.
        from: i32,
        /// The spawner.
        spawner: NodeId,
        /// The node.
        node: NodeId,
        /// The index of the scene, or `None` for the spawn function.
        scene: Option<u8>,
        /// The argument of the spawn function.
        argument: Option<Run<'a>>,
        /// The properties that are sent with a spawned node, of all synchronizers whose authority is
        /// the peer.
        state: Run<'a>,
    },
    /// A node that a peer had spawned was removed, by the peer or because it has left. The node is
    /// no longer declared.
    Despawned {
        /// The peer.
        from: i32,
        /// The node.
        node: NodeId,
    },
    /// A peer has sent the properties of a synchronizer that are always sent.
    Synchronized {
        /// The peer.
        from: i32,
        /// The synchronizer.
        sync: SyncId,
        /// A value for each such property, in the order of the declaration. Further values are to
        /// be ignored.
        values: Run<'a>,
    },
    /// A peer has sent properties of a synchronizer that have changed.
    Changed {
        /// The peer.
        from: i32,
        /// The synchronizer.
        sync: SyncId,
        /// A set bit for each property that has changed. The lowest bit is the first property that
        /// is sent on change.
        changed: u64,
        /// A value for each set bit.
        values: Run<'a>,
    },
    /// The remote methods of a node are not the same on both sides. Calls of its methods may reach
    /// different methods. The engine prints an error in this case, and continues.
    DifferentMethods {
        /// The other peer.
        peer: i32,
        /// The node.
        node: NodeId,
    },
    /// Packets of a peer were refused.
    Refused {
        /// The sender.
        from: i32,
        /// The reason.
        why: Refusal,
        /// The number of refused packets. The first one is reported at once. Further ones of the
        /// same peer for the same reason are counted, and reported together.
        count: u32,
        /// The node, if it is declared and if the event is for one packet.
        node: Option<NodeId>,
        /// The number of the method, for one refused call.
        method: Option<Method>,
        /// The start of the path of a node that is not declared; otherwise empty.
        path: StrRef<'a>,
    },
}

/// A call of a declared method by another peer.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Call<'a> {
    /// The caller.
    pub from: i32,
    /// The node.
    pub node: NodeId,
    /// The method.
    pub method: Method,
    /// The arguments.
    pub arguments: Run<'a>,
}

/// Declares [`Refusal`] and the list of its values.
macro_rules! refusals {
    ($($(#[$doc:meta])* $Name:ident,)*) => {
        /// The reason why a packet was refused.
        #[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
        #[non_exhaustive]
        #[repr(u8)]
        pub enum Refusal {
            $($(#[$doc])* $Name,)*
        }

        impl Refusal {
            pub(super) const ALL: [Self; Self::COUNT] = [$(Self::$Name,)*];
            /// Number of reasons.
            pub const COUNT: usize = [$(stringify!($Name),)*].len();
        }
    };
}

refusals! {
    /// The bytes are not a packet, or a value in them is malformed.
    Malformed,
    /// The packet is longer than [`Limits::packet`](super::Limits::packet).
    TooLong,
    /// The sender is not connected, or a new connection has an id that is not allowed or already
    /// used.
    UnknownPeer,
    /// The sender has not authenticated.
    NotAuthenticated,
    /// The peer connected when there were [`Limits::peers`](super::Limits::peers) already.
    TooManyPeers,
    /// A system packet that only a server may send, or that has no place in a relayed packet.
    NotServer,
    /// A relayed packet, but relays are switched off.
    NoRelay,
    /// A relayed packet for a peer that is not connected.
    UnknownReceiver,
    /// The path or the number of a node that is not declared.
    UnknownNode,
    /// A number that the peer has already assigned to a node.
    DuplicateNumber,
    /// A confirmation of a path that was not announced to the peer.
    NotAnnounced,
    /// A call of a method that the node does not have.
    UnknownMethod,
    /// A call of a method that this peer may not call.
    NotAllowed,
    /// A packet in the name of another peer (Godot 3).
    WrongSender,
    /// A call with arguments of other types, or of another number, than declared.
    WrongArguments,
    /// A call with more bytes of arguments than declared.
    ArgumentsTooLong,
    /// A call above the declared rate.
    TooFast,
    /// A packet of replication from a peer that is not the authority, or for an unknown node.
    NotAuthority,
    /// A spawned node, but there are [`Limits::nodes`](super::Limits::nodes) nodes.
    TooManyNodes,
    /// A net id that is used or not known, or more of them than allowed.
    NetId,
    /// The queue of events is full.
    EventsFull,
    /// The queue of outgoing packets is full, so an answer or a relayed packet was dropped.
    OutgoingFull,
}

/// A refused packet.
#[derive(Clone, Copy, Debug)]
pub(super) struct Denied<'a> {
    pub why: Refusal,
    pub node: Option<NodeId>,
    pub method: Option<Method>,
    pub path: StrRef<'a>,
}

impl Denied<'_> {
    pub(super) const fn new(why: Refusal) -> Self {
        Self { why, node: None, method: None, path: StrRef::new(b"") }
    }
}

impl From<Refusal> for Denied<'_> {
    fn from(why: Refusal) -> Self {
        Self::new(why)
    }
}
