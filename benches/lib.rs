//! The benches of gamewire are in a separate package, so that tests do not compile Criterion.
