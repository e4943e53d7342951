//! Rules that the repository keeps.

mod dependencies;
