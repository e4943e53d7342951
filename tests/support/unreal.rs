//! Packages and saves of Unreal Engine: corpus files, generated files, and an oracle.

pub mod archives;
pub mod compare;
pub mod compressed_containers;
pub mod oracle;
pub mod random_lists;
pub mod samples;
pub mod saves;
pub mod tally;
pub mod transform;
#[cfg(feature = "serde")]
pub mod unversioned;
pub mod wrapped;
pub mod zen;
