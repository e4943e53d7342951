use super::names::Name;
use super::package_index::PackageIndex;

/// A reference to a name or an object of the package.
#[derive(Clone, Copy, Debug)]
pub enum Link {
    Name(Name),
    Object(PackageIndex),
}
