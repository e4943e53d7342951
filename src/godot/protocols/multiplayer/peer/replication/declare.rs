//! Declarations of spawners and synchronizers.

use super::super::node::{Node, Rpc};
use crate::godot::Kind;
use alloc::string::String;
use alloc::vec::Vec;

/// A `MultiplayerSpawner`: its path, the path below which it spawns nodes, and its scenes.
///
/// ```
/// use gamewire::godot::Kind;
/// use gamewire::godot::multiplayer::peer::{Property, Rpc, Scene, Spawner, Synchronizer};
///
/// let player = Scene::new()
///     .rpc(Rpc::new("jump").any_peer())
///     .synchronizer(Synchronizer::new("Sync").property(Property::always("position").spawn()));
/// let spawner = Spawner::new("/root/Main/Spawner", "/root/Main/World").scene(player);
/// # drop(spawner);
/// ```
#[derive(Clone, Debug)]
pub struct Spawner {
    pub(in super::super) path: String,
    pub(in super::super) spawn_path: String,
    pub(in super::super) scenes: Vec<Scene>,
    pub(in super::super) custom: Option<Scene>,
    pub(in super::super) authority: i32,
}

impl Spawner {
    /// Declares a spawner. `spawn_path` is the path of the node that becomes the parent of the
    /// spawned nodes.
    pub fn new(path: impl Into<String>, spawn_path: impl Into<String>) -> Self {
        let (path, spawn_path) = (path.into(), spawn_path.into());
        Self { path, spawn_path, scenes: Vec::new(), custom: None, authority: 1 }
    }

    /// Adds a scene. Packets contain the index of a scene, so the order must be that of the spawner
    /// in the game.
    #[must_use]
    pub fn scene(mut self, scene: Scene) -> Self {
        self.scenes.push(scene);
        self
    }

    /// Declares the nodes that the spawner's `spawn_function` creates.
    #[must_use]
    pub fn custom(mut self, scene: Scene) -> Self {
        self.custom = Some(scene);
        self
    }

    /// Sets the peer that spawns nodes. By default, this is the server.
    #[must_use]
    pub fn authority(mut self, peer: i32) -> Self {
        self.authority = peer;
        self
    }

    /// Returns a scene. `None` stands for the nodes of the spawn function.
    pub(in super::super) fn get(&self, scene: Option<u8>) -> Option<&Scene> {
        match scene {
            Some(index) => self.scenes.get(usize::from(index)),
            None => self.custom.as_ref(),
        }
    }
}

/// A scene that a spawner can create: the remote methods of its root node, and its synchronizers.
#[derive(Clone, Debug, Default)]
pub struct Scene {
    pub(in super::super) of_script: Vec<Rpc>,
    pub(in super::super) synchronizers: Vec<Synchronizer>,
    pub(in super::super) is_owned_by_name: bool,
}

impl Scene {
    /// Declares a scene without methods and synchronizers.
    pub fn new() -> Self {
        Self::default()
    }

    /// Adds a method that the script of the root node declares with `@rpc`.
    #[must_use]
    pub fn rpc(mut self, rpc: Rpc) -> Self {
        self.of_script.push(rpc);
        self
    }

    /// Adds a synchronizer. Its path is relative to the root node of the scene. The order must be
    /// that of the scene tree.
    #[must_use]
    pub fn synchronizer(mut self, synchronizer: Synchronizer) -> Self {
        self.synchronizers.push(synchronizer);
        self
    }

    /// Makes the peer whose id is the name of the root node the authority of the root node. Many
    /// games do this for players: `set_multiplayer_authority(name.to_int())`.
    #[must_use]
    pub fn authority_by_name(mut self) -> Self {
        self.is_owned_by_name = true;
        self
    }

    /// Returns the declaration of the root node with this path.
    pub(in super::super) fn node(&self, path: String, authority: i32) -> Node {
        let node = Node::new(path).authority(authority);
        self.of_script.iter().fold(node, |node, rpc| node.rpc(rpc.clone()))
    }
}

/// A `MultiplayerSynchronizer`: its path, its properties, and how often they are sent.
#[derive(Clone, Debug)]
pub struct Synchronizer {
    pub(in super::super) path: String,
    pub(in super::super) properties: Vec<Property>,
    pub(in super::super) interval: u64,
    pub(in super::super) delta_interval: u64,
    pub(in super::super) authority: i32,
    pub(in super::super) is_owned_by_name: bool,
    pub(in super::super) is_by_path: bool,
    pub(in super::super) is_public: bool,
}

impl Synchronizer {
    /// Declares a synchronizer. In a [`Scene`], `path` is relative to the root node of the scene.
    pub fn new(path: impl Into<String>) -> Self {
        Self {
            path: path.into(),
            properties: Vec::new(),
            interval: 0,
            delta_interval: 0,
            authority: 1,
            is_owned_by_name: false,
            is_by_path: false,
            is_public: true,
        }
    }

    /// Adds a property. The order must be that of the replication configuration.
    #[must_use]
    pub fn property(mut self, property: Property) -> Self {
        self.properties.push(property);
        self
    }

    /// Sets the milliseconds between two updates of the properties that are always sent
    /// (`replication_interval`). By default, they are sent at each tick.
    #[must_use]
    pub fn interval(mut self, milliseconds: u64) -> Self {
        self.interval = milliseconds;
        self
    }

    /// Sets the milliseconds between two updates of changed properties (`delta_interval`).
    #[must_use]
    pub fn delta_interval(mut self, milliseconds: u64) -> Self {
        self.delta_interval = milliseconds;
        self
    }

    /// Sets the peer that sends the properties. By default, this is the server.
    #[must_use]
    pub fn authority(mut self, peer: i32) -> Self {
        self.authority = peer;
        self
    }

    /// Makes the peer whose id is the name of the spawned node the authority; see
    /// [`Scene::authority_by_name`].
    #[must_use]
    pub fn authority_by_name(mut self) -> Self {
        self.is_owned_by_name = true;
        self
    }

    /// Declares that the synchronizer's `root_path` is not the root node of the scene, but a node
    /// inside. The engine does not put such a synchronizer into SPAWN, and refers to it by its path.
    #[must_use]
    pub fn of_inner_node(mut self) -> Self {
        self.is_by_path = true;
        self
    }

    /// Hides the synchronizer from all peers until it is made visible (`public_visibility`).
    #[must_use]
    pub fn hidden(mut self) -> Self {
        self.is_public = false;
        self
    }
}

/// A property of a [`Synchronizer`].
#[derive(Clone, Debug)]
pub struct Property {
    pub(in super::super) name: String,
    pub(in super::super) is_spawned: bool,
    pub(in super::super) mode: Replication,
    pub(in super::super) kind: Option<Kind>,
}

/// The time at which a property is sent (`SceneReplicationConfig.ReplicationMode`).
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Replication {
    /// Only when the node is spawned.
    Never,
    /// At each update, without guarantees.
    Always,
    /// When it has changed, reliably.
    OnChange,
}

impl Property {
    /// Declares a property with a mode. Packets do not contain the name.
    pub fn new(name: impl Into<String>, mode: Replication) -> Self {
        Self { name: name.into(), is_spawned: false, mode, kind: None }
    }

    /// Declares a property that is sent at each update.
    pub fn always(name: impl Into<String>) -> Self {
        Self::new(name, Replication::Always)
    }

    /// Declares a property that is sent when it has changed.
    pub fn on_change(name: impl Into<String>) -> Self {
        Self::new(name, Replication::OnChange)
    }

    /// Declares a property that is sent only with the spawned node.
    pub fn never(name: impl Into<String>) -> Self {
        Self::new(name, Replication::Never).spawn()
    }

    /// Sends the property also when the node is spawned.
    #[must_use]
    pub fn spawn(mut self) -> Self {
        self.is_spawned = true;
        self
    }

    /// Refuses updates of other peers with a value of another type.
    #[must_use]
    pub fn kind(mut self, kind: Kind) -> Self {
        self.kind = Some(kind);
        self
    }
}
