//! Finds the engines that could have written a package without a version.

use super::Files;
use gamewire::unreal::{Package, Versions};

impl Files {
    /// Returns `true` for a package that does not state its version.
    pub fn is_unversioned_package(&self) -> bool {
        let header = self.content().unwrap_or(&self.header);
        Package::is_package(header) && Package::peek(header).0.is_unversioned()
    }

    /// Returns the engines, such as `4.27`, whose file versions fit the package. A version fits if
    /// all tables of the package can be read with it without a problem.
    pub fn fitting_engines(&self) -> Vec<String> {
        let mut last = None;
        let fitting = engines().filter(|(_, _, versions)| {
            let fits = match last {
                Some((tried, fits)) if tried == *versions => fits,
                _ => self.fits(*versions),
            };
            last = Some((*versions, fits));
            fits
        });
        fitting.map(|(major, minor, _)| format!("{major}.{minor}")).collect()
    }

    fn fits(&self, versions: Versions) -> bool {
        // If a package is read with a wrong version, it can seem to be compressed.
        let header = self.content().unwrap_or(&self.header);
        let package = Package::open_as(header, self.exports.as_deref(), Some(versions));
        let is_exact = |package: Package<'_>| {
            let mut exact = true;
            package.verify(|_| exact = false);
            exact
        };
        package.is_ok_and(is_exact)
    }
}

/// Returns the major and minor number of each engine, with the versions of its files.
fn engines() -> impl Iterator<Item = (u16, u16, Versions)> {
    [4, 5].into_iter().flat_map(|major| {
        let versions = move |minor| Some((major, minor, Versions::of_engine(major, minor)?));
        (0..).map_while(versions)
    })
}
