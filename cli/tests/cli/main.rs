//! The command line, run as a user would run it.

#![allow(clippy::unwrap_used, clippy::panic)]

mod command;
mod editing;
mod godot;
mod packets;
mod packets_corpus;
#[cfg(unix)]
mod pages;
mod rems;
mod schema;
#[path = "../../../tests/support/mod.rs"]
mod support;
mod unreal;
mod unreal_compressed;
#[path = "../../../tests/support/unreal_containers.rs"]
mod unreal_containers;
#[path = "../../../tests/support/unreal_transform.rs"]
mod unreal_transform;
