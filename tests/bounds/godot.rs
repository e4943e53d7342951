//! Godot's values.

#[path = "godot/notations.rs"]
mod notations;
#[path = "godot/owned.rs"]
mod owned;
#[path = "godot/packets.rs"]
mod packets;
#[path = "godot/readers.rs"]
mod readers;
#[path = "godot/shapes.rs"]
mod shapes;
