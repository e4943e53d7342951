//! Input files, standard output and standard error, for all commands.

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
