//! Input files, standard output and standard error, for all commands.

pub mod budget;
pub mod collected;
pub mod conversion;
pub mod encoding;
pub mod file_output;
pub mod indented;
pub mod input;
pub mod on_demand;
pub mod output;
pub mod parallel;
pub mod path;
pub mod progress;
pub mod report;
mod signals;
pub mod style;
pub mod table;
pub mod text;
pub mod walk;

pub use gamewire::printable;
