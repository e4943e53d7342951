//! Bounds of Godot's values.

mod notations;
mod owned;
mod packets;
mod readers;
