use super::names::Name;
use super::package_index::PackageIndex;

/// A name or an object that is referred to.
#[derive(Clone, Copy, Debug)]
pub enum Link {
    Name(Name),
    Object(PackageIndex),
}
