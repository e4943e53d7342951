//! Bounds of Godot's values.

mod finding;
mod notations;
mod owned;
mod packets;
mod readers;
