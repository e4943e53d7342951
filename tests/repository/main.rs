//! Checks that the repository follows its own rules: architecture, documentation, dependencies.

mod architecture;
mod bounds;
mod dependencies;
mod links;
mod names;
