//! Rules that the repository keeps.

mod architecture;
mod bounds;
mod dependencies;
mod links;
mod names;
