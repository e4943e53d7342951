//! Input files, standard output and standard error: what all commands share.

pub mod encoding;
pub mod input;
pub mod output;
pub mod path;
pub mod progress;
pub mod replace_file;
pub mod report;
pub mod style;
pub mod table;
pub mod text;
