//! Checks the state machine of Godot's high-level multiplayer: against captures of real engines,
//! against itself, and against hostile peers.

mod games;
mod hostile;
mod pairs;
mod replay;
mod replay3;
