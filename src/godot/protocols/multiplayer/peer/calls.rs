//! Calls by other peers.

use super::event::Denied;
use super::events::Record;
use super::node::{Caller, Rpc};
use super::receive::Verdict;
use super::slots::NodeId;
use super::{Peer, Refusal};
use crate::godot::Kind;
use crate::godot::multiplayer::godot4::{Call, Method};
use crate::godot::multiplayer::{NodeRef, Run};

impl Peer {
    /// Processes REMOTE_CALL.
    pub(super) fn called<'a>(&mut self, from: i32, call: &Call<'a>) -> Verdict<'a> {
        let node = self.find_node(from, call.node)?;
        self.called_method(from, node, call.method, &call.arguments)
    }

    /// Reports a call of a method if it is allowed.
    pub(super) fn called_method<'a>(
        &mut self,
        from: i32,
        node: NodeId,
        method: Method,
        arguments: &Run<'a>,
    ) -> Verdict<'a> {
        let denied = |why| Denied { node: Some(node), method: Some(method), ..Denied::new(why) };
        self.check_call(from, node, method, arguments).map_err(denied)?;
        let (arguments, bytes) = (arguments.stored(), arguments.as_bytes());
        let record = match self.is_godot3() && method.is_of_node() {
            true => Record::Set { from, node, method, arguments },
            false => Record::Call { from, node, method, arguments },
        };
        self.report(record, bytes)
    }

    /// Returns the node that a packet of `from` refers to.
    pub(super) fn find_node<'a>(&self, from: i32, node: NodeRef<'a>) -> Result<NodeId, Denied<'a>> {
        match node {
            NodeRef::Path(path) => self.find_path(path),
            NodeRef::Cached(id) => {
                let received = self.remotes.get(from).and_then(|remote| remote.received.get(&id));
                received.copied().ok_or(Refusal::UnknownNode.into())
            }
        }
    }

    /// Checks a call against the declaration of its method, from the cheapest check to the most
    /// expensive one.
    fn check_call(
        &mut self,
        from: i32,
        node: NodeId,
        method: Method,
        arguments: &Run<'_>,
    ) -> Result<(), Refusal> {
        let entry = self.nodes.get(node).ok_or(Refusal::UnknownNode)?;
        let found = entry.method(method).ok_or(Refusal::UnknownMethod)?;
        let rpc = found.rpc;
        let is_allowed = match rpc.caller {
            Caller::Nobody => false,
            Caller::Authority => from == entry.authority,
            Caller::AnyPeer => true,
        };
        if !is_allowed {
            return Err(Refusal::NotAllowed);
        }
        if arguments.as_bytes().len() > rpc.max_len {
            return Err(Refusal::ArgumentsTooLong);
        }
        if let (Some(rate), Some(remote)) = (rpc.rate, self.remotes.get_mut(from))
            && !remote.is_within_rate(found.limiter, rate, self.now)
        {
            return Err(Refusal::TooFast);
        }
        check_arguments(rpc, arguments)
    }
}

/// Checks the number and the types of the arguments. Reads no further than the first wrong one.
fn check_arguments(rpc: &Rpc, arguments: &Run<'_>) -> Result<(), Refusal> {
    let Some(kinds) = &rpc.arguments else { return Ok(()) };
    if arguments.announced() != Some(kinds.len()) {
        return Err(Refusal::WrongArguments);
    }
    let mut values = arguments.iter();
    for kind in kinds {
        match values.read_encoded() {
            Ok(Some(value)) if accepts(*kind, value.kind()) => {}
            Ok(_) => return Err(Refusal::WrongArguments),
            Err(_) => return Err(Refusal::Malformed),
        }
    }
    Ok(())
}

/// Returns `true` if a parameter of type `wanted` accepts a value of type `found`. GDScript converts
/// an int to a float and a StringName to a String, and every Object can be null.
fn accepts(wanted: Kind, found: Kind) -> bool {
    match (wanted, found) {
        (Kind::Float, Kind::Int) | (Kind::String, Kind::StringName) | (Kind::Object, Kind::Nil) => {
            true
        }
        _ => wanted == found,
    }
}
