//! Commands on Godot values: `show`, `check`, `json`, `text`, `encode`, `get`, `set`, `diff`,
//! `schema`, `find`, `pack` and `unpack`.
//!
//! `show`, `check`, `json`, `get` and `diff` accept files of other engines, too. They detect the
//! format of a file with [`DetectedInput`](crate::detected_input::DetectedInput), and pass packages
//! to [`unreal`](crate::unreal) and saves to [`rems`](crate::rems). They and `set` also accept
//! configuration files ([`config`]).

pub mod check;
mod config;
pub mod diff;
pub mod encode;
pub mod extent;
mod file_values;
pub mod find;
pub mod format;
pub mod get;
pub mod json;
mod messages;
pub mod pack;
mod packet_lines;
mod region;
pub mod schema;
pub mod set;
pub mod show;
pub mod text;
pub mod tree;
pub mod value_display;
