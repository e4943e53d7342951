//! Protocols that carry values: frames of a stream, messages of the debugger, packets of the
//! multiplayer API.

pub mod debugger;
pub mod frame;
pub mod multiplayer;
