//! Rules that the repository keeps.

mod architecture;
mod dependencies;
