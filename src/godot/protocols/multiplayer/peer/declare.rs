//! Declarations of nodes.

use super::{Node, NodeId, Peer, SendError};
use crate::godot::multiplayer::godot4::Method;

impl Peer {
    /// Declares a node with its remote methods.
    ///
    /// # Errors
    /// Returns [`SendError::TooManyNodes`] if there are [`Limits::nodes`](super::Limits::nodes) nodes,
    /// [`SendError::PathUsed`] if a node has this path, and [`SendError::SameMethods`] if two methods
    /// have the same name.
    pub fn add_node(&mut self, mut node: Node) -> Result<NodeId, SendError> {
        if self.nodes.len() >= self.config.limits.nodes as usize {
            return Err(SendError::TooManyNodes);
        }
        let path = core::mem::take(&mut node.path);
        let path = self.relative(&path);
        if self.node(path).is_some() {
            return Err(SendError::PathUsed);
        }
        if !node.sort() {
            return Err(SendError::SameMethods);
        }
        let id = self.nodes.add(path, node);
        self.remotes.reserve(self.nodes.slots(), self.nodes.limiters());
        Ok(id)
    }

    /// Removes a node. Calls of its methods are then refused. Its number is not used again.
    pub fn remove_node(&mut self, node: NodeId) {
        for index in (0..self.synchronizers(node).len()).rev() {
            if let Some(sync) = self.synchronizers(node).get(index).copied() {
                self.remove_sync(sync);
            }
        }
        self.remove_spawned(node);
    }

    /// Returns the declared node with this path.
    pub fn node(&self, path: &str) -> Option<NodeId> {
        self.nodes.by_path(self.relative(path).as_bytes(), &self.config.root)
    }

    /// Returns the path of a declared node, relative to [`Config::root`](super::Config::root).
    pub fn path(&self, node: NodeId) -> Option<&str> {
        self.nodes.get(node).map(|entry| &*entry.path)
    }

    /// Returns the number of a method by its name.
    pub fn method(&self, node: NodeId, name: &str) -> Option<Method> {
        self.nodes.get(node)?.number(name.as_bytes())
    }

    /// Returns the name of a method.
    pub fn method_name(&self, node: NodeId, method: Method) -> Option<&str> {
        Some(&self.nodes.get(node)?.method(method)?.rpc.name)
    }

    /// Changes the multiplayer authority of a node (`Node.set_multiplayer_authority`). Peers are
    /// not told: scripts make the same change on each side.
    pub fn set_authority(&mut self, node: NodeId, peer: i32) {
        if let Some(entry) = self.nodes.get_mut(node) {
            entry.authority = peer;
        }
    }

    /// Returns the path that packets contain for a node with this path.
    pub(super) fn relative<'p>(&self, path: &'p str) -> &'p str {
        match path.strip_prefix(&*self.config.root) {
            Some("") => ".",
            Some(rest) => rest.strip_prefix('/').unwrap_or(path),
            None => path,
        }
    }
}
