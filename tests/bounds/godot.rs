//! Tests the bounds of Godot's values.

mod config;
mod files;
mod finding;
mod notations;
mod owned;
mod packets;
mod peer;
mod readers;
