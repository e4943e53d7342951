//! ENet: the captures of real sessions, and what was made up.

mod captures;
mod limits;
mod lossy_lines;
mod observer;
mod range_coder;
mod sessions;
