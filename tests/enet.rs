//! ENet: the captures of real sessions, and what was made up.

mod laws;
mod support;

#[path = "enet/captures.rs"]
mod captures;
#[path = "enet/ear.rs"]
mod ear;
#[path = "enet/limits.rs"]
mod limits;
#[path = "enet/lines.rs"]
mod lines;
#[path = "enet/range_coder.rs"]
mod range_coder;
#[path = "enet/sessions.rs"]
mod sessions;
