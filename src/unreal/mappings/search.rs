//! Searches for packages that declare the types which other packages need.

use super::{PackageTypes, TypePath};
use alloc::collections::{BTreeSet, VecDeque};
use alloc::vec::Vec;
use core::borrow::Borrow;

/// Maximum number of other packages that are found for a package.
const MAX_PACKAGES: usize = 256;

/// Maximum length of a chain in which each package needs a type from the next one.
const MAX_DEPTH: usize = 32;

impl PackageTypes {
    /// Finds the packages that declare the types which a package needs, then the packages that
    /// declare the types which those packages need, and so on. `find` must return the types of the
    /// package that declares a type, or `None` if it does not find this package. Returns the types
    /// of all packages, `own` first, and the types that were not found.
    ///
    /// Calls `find` at most once for each package. Finds at most 256 other packages, and at most 32
    /// in a chain in which each package needs a type from the next one.
    pub fn find_all<T: Borrow<Self>>(
        own: T,
        mut find: impl FnMut(&TypePath) -> Option<T>,
    ) -> (Vec<T>, Vec<TypePath>) {
        let needed = |of: &Self, depth: usize| {
            let missing = of.missing.iter().cloned();
            missing.map(move |of| (of, depth)).collect::<Vec<_>>()
        };
        let (mut known, mut missing) = (BTreeSet::new(), Vec::new());
        let mut queue: VecDeque<_> = needed(own.borrow(), 0).into();
        let mut found = Vec::from([own]);
        while let Some((of, depth)) = queue.pop_front() {
            if found.iter().any(|other| other.borrow().declares(&of)) {
                continue;
            }
            let is_new = known.insert(of.package.to_ascii_lowercase());
            let may_read = is_new && depth < MAX_DEPTH && found.len() <= MAX_PACKAGES;
            match may_read.then(|| find(&of)).flatten() {
                Some(types) => {
                    queue.extend(needed(types.borrow(), depth.saturating_add(1)));
                    found.push(types);
                }
                None => missing.push(of),
            }
        }
        (found, missing)
    }

    /// Returns `true` if the package declares the type, and has the name in the path or does not
    /// state its name. Packages from before engine 5.0 do not state it.
    pub fn may_declare(&self, of: &TypePath) -> bool {
        (self.package.is_empty() || self.is_package(of)) && self.declares_named(&of.name)
    }

    /// Returns `true` if the package has the name in the path and declares the type.
    fn declares(&self, of: &TypePath) -> bool {
        self.is_package(of) && self.declares_named(&of.name)
    }

    fn is_package(&self, of: &TypePath) -> bool {
        self.package.eq_ignore_ascii_case(&of.package)
    }

    fn declares_named(&self, name: &str) -> bool {
        let declared = &self.declared;
        declared.structs.iter().any(|of| of.name.eq_ignore_ascii_case(name))
            || declared.enums.iter().any(|of| of.name.eq_ignore_ascii_case(name))
    }
}
