//! Bounds of Godot's values.

mod files;
mod notations;
mod owned;
mod packets;
mod readers;
