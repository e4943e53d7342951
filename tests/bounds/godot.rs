//! Bounds of Godot's values.

mod config;
mod notations;
mod owned;
mod packets;
mod readers;
