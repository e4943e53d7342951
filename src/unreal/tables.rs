//! The tables of a package's header: what a record of each is.

mod bulk;
mod editor;
mod objects;
mod references;
mod registry;
mod texts;
mod tiles;

pub use bulk::*;
pub use editor::*;
pub use objects::*;
pub use references::*;
pub use registry::*;
pub use texts::*;
pub use tiles::*;
