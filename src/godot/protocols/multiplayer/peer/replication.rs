//! Replication: spawned nodes and synchronized properties.

mod declare;
mod receive;
mod send_spawn;
mod spawn;
mod sync;
mod table;
mod visibility;

pub use declare::{Property, Replication, Scene, Spawner, Synchronizer};
pub(super) use table::{Spawned, Syncs};
