//! Bounds of Godot's values.

mod config;
mod files;
mod notations;
mod owned;
mod packets;
mod readers;
