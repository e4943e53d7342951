//! The benches of gamewire are a package of their own, so that tests do not compile Criterion.
