//! Tests the state machine of Godot's high-level multiplayer with captures of real engines, in pairs
//! of a client and a server, and with hostile peers.

mod games;
mod hostile;
mod pairs;
mod replay;
mod replay3;
