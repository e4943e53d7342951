use crate::godot::StrRef;
use crate::godot::multiplayer::Run;
use crate::godot::multiplayer::godot4::NetId;

/// The node that a packet addresses.
#[derive(Clone, Copy, Debug)]
pub struct Node<'a> {
    /// Number of the node, if the packet contains it.
    pub id: Option<u32>,
    /// Path of the node, if this packet contains it or an earlier packet has announced it.
    pub path: Option<StrRef<'a>>,
    /// MD5 of the names of its RPC methods, as 32 hexadecimal digits (Godot 4). See
    /// [`methods::checksum`](super::methods::checksum).
    pub checksum: Option<&'a [u8; 32]>,
}

/// The state of one node in a SYNC or DELTA packet.
#[derive(Clone, Copy, Debug)]
pub struct NodeState<'a> {
    /// The synchronizer that sends the properties.
    pub node: NetId,
    /// Bit set of the properties that are present (DELTA only).
    pub changed: Option<u64>,
    /// The values of the properties.
    pub values: Run<'a>,
}
