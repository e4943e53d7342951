//! Writes lists of properties for a package.

use crate::buffer::PatchSink;
use crate::unreal::format::{Error, ErrorKind, Result};
use crate::unreal::package::Package;
use crate::unreal::properties::PropertyWriter;

impl<'s, 'p, S: PatchSink> PropertyWriter<'s, 'p, S> {
    /// Begins a list of properties for a package.
    ///
    /// # Errors
    /// If the package has no name `None`, which ends lists.
    pub fn in_package(sink: &'s mut S, package: &'p Package<'_>) -> Result<Self> {
        Self::in_context(sink, package.context()).ok_or_else(|| {
            let count = u32::try_from(package.names().len()).unwrap_or(u32::MAX);
            Error::new(ErrorKind::NoSuchName { index: -1, count }, 0)
        })
    }
}
