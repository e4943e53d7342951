//! Errors of calls and declarations.

use super::outbox::QueueFull;
use crate::godot;

/// The error of a call or of a declaration.
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
#[non_exhaustive]
pub enum SendError {
    /// The receiver is not connected.
    #[error("the peer is not connected")]
    UnknownPeer,
    /// The node is not declared, or was removed.
    #[error("the node is not declared")]
    UnknownNode,
    /// The node has no method with this name.
    #[error("the node has no such method")]
    UnknownMethod,
    /// The peer is not to authenticate.
    #[error("the peer is not authenticating")]
    NotAuthenticating,
    /// The engine does not send empty packets.
    #[error("there are no bytes to send")]
    Empty,
    /// The queue of outgoing packets is full.
    #[error("the queue of outgoing packets is full")]
    QueueFull,
    /// All 2^31 numbers of nodes have been assigned.
    #[error("no number is left for the node")]
    NumbersExhausted,
    /// There are as many nodes as [`Limits::nodes`](super::Limits::nodes).
    #[error("too many nodes")]
    TooManyNodes,
    /// Another node has the same path.
    #[error("another node has this path")]
    PathUsed,
    /// A name that a spawned node cannot have: it is empty, or contains `.`, `:`, `/`, `"` or `%`.
    #[error("not a name of a node")]
    Name,
    /// This peer is not the authority of the spawner.
    #[error("this peer is not the multiplayer authority")]
    NotAuthority,
    /// Godot 3 has no spawners and no synchronizers.
    #[error("Godot 3 has no replication")]
    NoReplication,
    /// The receiver may not see the node.
    #[error("the node is not visible to the peer")]
    NotVisible,
    /// Two methods have the same name, or there are 2^15 of them.
    #[error("two methods have the same name")]
    SameMethods,
    /// The arguments cannot be encoded.
    #[error(transparent)]
    Encode(#[from] godot::Error),
}

impl From<QueueFull> for SendError {
    fn from(_: QueueFull) -> Self {
        Self::QueueFull
    }
}
