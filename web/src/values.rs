//! The family `values`: values of Godot, alone, in frames, in compressed and encrypted files, and in
//! configuration files; saves of Rem's Engine.

mod config;
mod container;
mod godot;
pub mod open;
mod rems;
#[cfg(test)]
mod tests;
