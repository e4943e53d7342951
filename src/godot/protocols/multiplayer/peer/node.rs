//! Declarations of nodes and of their remote methods.

use crate::godot::Kind;
use crate::godot::multiplayer::methods;
use crate::godot::multiplayer::transport::TransferMode;
use alloc::boxed::Box;
use alloc::string::String;
use alloc::vec::Vec;

/// A remote method, declared like a function with the annotation `@rpc`. As in the engine, the
/// defaults are `@rpc("authority", "reliable")` and channel 0.
///
/// ```
/// use gamewire::godot::Kind;
/// use gamewire::godot::multiplayer::peer::Rpc;
///
/// // @rpc("any_peer", "unreliable", 1) func aim(direction: Vector2)
/// let aim = Rpc::new("aim").any_peer().unreliable().channel(1).arguments(&[Kind::Vector2]);
/// // 20 calls a second are accepted from each peer, and 40 in a row. No call may exceed 64 bytes.
/// let aim = aim.rate(20, 40).max_len(64);
/// # drop(aim);
/// ```
#[derive(Clone, Debug)]
pub struct Rpc {
    pub(super) name: Box<str>,
    pub(super) mode: TransferMode,
    pub(super) channel: u8,
    pub(super) caller: Caller,
    pub(super) arguments: Option<Box<[Kind]>>,
    pub(super) max_len: usize,
    pub(super) rate: Option<Rate>,
}

/// The peers that may call a remote method.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
pub enum Caller {
    /// No peer (`RPC_MODE_DISABLED`).
    Nobody,
    /// The multiplayer authority of the node: the server, unless declared otherwise.
    #[default]
    Authority,
    /// Any peer.
    AnyPeer,
}

/// The calls that are accepted from a peer, in microseconds.
#[derive(Clone, Copy, Debug)]
pub(super) struct Rate {
    /// The time between two calls of a peer that calls at the highest rate.
    pub interval: u64,
    /// The time by which calls may be ahead of this rate.
    pub tolerance: u64,
}

impl Rpc {
    /// Declares a method with this name.
    pub fn new(name: impl Into<String>) -> Self {
        Self {
            name: name.into().into_boxed_str(),
            mode: TransferMode::Reliable,
            channel: 0,
            caller: Caller::Authority,
            arguments: None,
            max_len: usize::MAX,
            rate: None,
        }
    }

    /// Accepts calls from any peer.
    #[must_use]
    pub fn any_peer(mut self) -> Self {
        self.caller = Caller::AnyPeer;
        self
    }

    /// Refuses all calls. The method can still be called on other peers, and still has a number.
    #[must_use]
    pub fn disabled(mut self) -> Self {
        self.caller = Caller::Nobody;
        self
    }

    /// Sends calls without guarantees.
    #[must_use]
    pub fn unreliable(mut self) -> Self {
        self.mode = TransferMode::Unreliable;
        self
    }

    /// Sends calls so that they may be lost, but do not arrive after later calls.
    #[must_use]
    pub fn unreliable_ordered(mut self) -> Self {
        self.mode = TransferMode::UnreliableOrdered;
        self
    }

    /// Sets the channel on which calls are sent.
    #[must_use]
    pub fn channel(mut self, channel: u8) -> Self {
        self.channel = channel;
        self
    }

    /// Accepts only calls with arguments of these types. As in a call by a script, an Int is
    /// accepted for a Float, and a StringName for a String. By default, all arguments are accepted.
    #[must_use]
    pub fn arguments(mut self, kinds: &[Kind]) -> Self {
        self.arguments = Some(kinds.into());
        self
    }

    /// Refuses calls with more than `len` bytes of arguments.
    #[must_use]
    pub fn max_len(mut self, len: usize) -> Self {
        self.max_len = len;
        self
    }

    /// Accepts `per_second` calls a second from each peer, and at most `burst` calls at once. Both
    /// are at least 1.
    #[must_use]
    pub fn rate(mut self, per_second: u32, burst: u32) -> Self {
        let interval = 1_000_000_u64.checked_div(per_second.into()).unwrap_or(1_000_000).max(1);
        let tolerance = interval.saturating_mul(burst.saturating_sub(1).into());
        self.rate = Some(Rate { interval, tolerance });
        self
    }
}

/// A node to declare: its path, its remote methods and its multiplayer authority.
///
/// The methods must be all methods that the node's script on the other side declares with `@rpc`,
/// because the numbers of methods depend on the whole list. The order does not matter.
///
/// ```
/// use gamewire::godot::multiplayer::peer::{Node, Rpc};
///
/// let main = Node::new("/root/Main").rpc(Rpc::new("chat").any_peer()).rpc(Rpc::new("start"));
/// # drop(main);
/// ```
#[derive(Clone, Debug)]
pub struct Node {
    pub(super) path: String,
    pub(super) of_node: Vec<Rpc>,
    pub(super) of_script: Vec<Rpc>,
    pub(super) authority: i32,
}

impl Node {
    /// Declares a node. `path` is the absolute path of the node, or its path relative to
    /// [`Config::root`](super::Config::root).
    pub fn new(path: impl Into<String>) -> Self {
        let (of_node, of_script) = (Vec::new(), Vec::new());
        Self { path: path.into(), of_node, of_script, authority: 1 }
    }

    /// Adds a method that the node's script declares with `@rpc`.
    #[must_use]
    pub fn rpc(mut self, rpc: Rpc) -> Self {
        self.of_script.push(rpc);
        self
    }

    /// Adds a method that is configured on the node itself, with `Node.rpc_config`.
    #[must_use]
    pub fn rpc_of_node(mut self, rpc: Rpc) -> Self {
        self.of_node.push(rpc);
        self
    }

    /// Adds a property that other peers may set with `rset` (Godot 3). The value is checked like the
    /// only argument of a method.
    #[must_use]
    pub fn rset(self, property: Rpc) -> Self {
        self.rpc_of_node(property)
    }

    /// Sets the peer that is the node's multiplayer authority. By default, this is the server.
    #[must_use]
    pub fn authority(mut self, peer: i32) -> Self {
        self.authority = peer;
        self
    }

    /// Sorts the methods. Returns `false` if one of the two lists has two methods with the same
    /// name, or too many methods.
    pub(super) fn sort(&mut self) -> bool {
        [&mut self.of_node, &mut self.of_script].into_iter().all(|list| {
            list.sort_unstable_by(|a, b| a.name.cmp(&b.name));
            let is_unique = list.windows(2).all(|pair| match pair {
                [a, b] => a.name != b.name,
                _ => true,
            });
            is_unique && list.len() < usize::from(i16::MAX.unsigned_abs())
        })
    }

    /// Computes the checksum of the sorted methods. The engine hashes the methods of the node
    /// first, then those of the script.
    pub(super) fn checksum(&self) -> [u8; 32] {
        methods::checksum(self.of_node.iter().chain(&self.of_script).map(|rpc| &rpc.name))
    }
}
