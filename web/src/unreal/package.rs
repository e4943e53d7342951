//! The offsets and sizes of a package after a change.

use super::edit::Change;
use crate::place::{Fault, Place, Splice};
use gamewire::unreal::Package;

/// Adds the changes of all offsets and sizes in the tables of the package.
pub fn corrected(
    _: &Package<'_>,
    _: &[u8],
    _: &[Place],
    change: Change,
) -> Result<Vec<Splice>, Fault> {
    Ok(change.splices)
}

/// Returns the size of the tables of a package, after which a second file begins.
pub fn header_size(content: &[u8]) -> usize {
    let size = Package::peek(content).1.header_size();
    usize::try_from(size).unwrap_or(0).min(content.len())
}
