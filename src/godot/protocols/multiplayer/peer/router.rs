//! Handlers of calls.

use super::{Call, Event, Events, NodeId, Peer, SendError};
use crate::godot::multiplayer::godot4::Method;
use alloc::boxed::Box;
use alloc::collections::BTreeMap;

/// A handler of a call. It gets the state of the program, the peer, and the call.
type Handler<S> = Box<dyn FnMut(&mut S, &mut Peer, Call<'_>)>;

/// Calls a function for each call of a remote method.
///
/// A router is a table of closures on top of the events of a [`Peer`]. `S` is the state of the
/// program, which each closure gets.
///
/// ```
/// use gamewire::godot::multiplayer::peer::{Config, Incoming, Node, Peer, Router, Rpc};
///
/// struct Server { lines: Vec<String> }
///
/// let mut peer = Peer::server(Config::default());
/// let main = peer.add_node(Node::new("/root/Main").rpc(Rpc::new("chat").any_peer()))?;
/// let mut router = Router::new();
/// router.on(&peer, main, "chat", move |server: &mut Server, peer, call| {
///     let Ok((text,)) = call.arguments.parse::<(String,)>() else { return };
///     peer.call(0, main, "chat", (&*text,)).ok();
///     server.lines.push(text);
/// })?;
///
/// let mut server = Server { lines: Vec::new() };
/// peer.connected(0, 7);
/// peer.receive(0, Incoming::reliable(7, b"\x20\x13\0\0\x80\0\x01\x04\0\0\0\x02\0\0\0hi\0\0Main\0"));
/// router.run(&mut server, &mut peer, |_server, _peer, event| println!("{event:?}"));
/// assert_eq!(server.lines, ["hi"]);
/// # Ok::<(), gamewire::godot::multiplayer::peer::SendError>(())
/// ```
pub struct Router<S> {
    handlers: BTreeMap<(NodeId, u16), Handler<S>>,
    events: Events,
}

impl<S> core::fmt::Debug for Router<S> {
    fn fmt(&self, f: &mut core::fmt::Formatter<'_>) -> core::fmt::Result {
        f.debug_struct("Router").field("handlers", &self.handlers.len()).finish_non_exhaustive()
    }
}

impl<S> Default for Router<S> {
    fn default() -> Self {
        Self { handlers: BTreeMap::new(), events: Events::new() }
    }
}

impl<S> Router<S> {
    /// Creates a router without handlers.
    pub fn new() -> Self {
        Self::default()
    }

    /// Calls `handler` for each accepted call of a method. A second handler for the same method
    /// replaces the first.
    ///
    /// # Errors
    /// Returns an error if the node or the method is not declared.
    pub fn on(
        &mut self,
        peer: &Peer,
        node: NodeId,
        method: &str,
        handler: impl FnMut(&mut S, &mut Peer, Call<'_>) + 'static,
    ) -> Result<(), SendError> {
        let number = peer.method(node, method).ok_or(SendError::UnknownMethod)?;
        self.handlers.insert((node, number.0), Box::new(handler));
        Ok(())
    }

    /// Removes the handlers of a node.
    pub fn remove(&mut self, node: NodeId) {
        self.handlers.retain(|(other, _), _| *other != node);
    }

    /// Handles all events of the peer. Calls without a handler and all other events are passed to
    /// `other`.
    pub fn run(
        &mut self,
        state: &mut S,
        peer: &mut Peer,
        mut other: impl FnMut(&mut S, &mut Peer, Event<'_>),
    ) {
        let Self { handlers, events } = self;
        peer.take_events(events);
        while let Some(event) = events.poll() {
            let Event::Call(call) = event else {
                other(state, peer, event);
                continue;
            };
            let Method(number) = call.method;
            match handlers.get_mut(&(call.node, number)) {
                Some(handler) => handler(state, peer, call),
                None => other(state, peer, event),
            }
        }
    }
}
