//! Tests configuration files.

mod editor;
mod files;
mod names;
mod verdicts;
