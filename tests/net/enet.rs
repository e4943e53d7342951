//! Tests ENet on captures of real sessions, and on generated sessions.

mod captures;
mod compression;
mod limits;
mod lossy_lines;
mod observer;
mod range_coder;
mod sessions;
