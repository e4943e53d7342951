//! Finds the engines that could have written a package without a version.

use super::{Files, Opened};
use crate::ui::report;
use gamewire::unreal::{Package, Save, Versions, ZenPackage};

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

    /// Returns a message if a version was supplied and the file states another one. `stated` is
    /// zero for a file that does not state its version.
    pub fn ignored_version(&self, stated: Versions) -> impl Iterator<Item = String> + use<> {
        let supplied = self.engine.filter(|supplied| {
            stated != Versions::default() && ![stated, stated.built_on()].contains(supplied)
        });
        let what = if Save::is_save(&self.header) { "save" } else { "package" };
        supplied.into_iter().map(move |supplied| {
            format!(
                "the {what} states its version, {stated}: --unreal-version (version {supplied}) \
                 is ignored"
            )
        })
    }

    /// Reports a supplied version that cannot be right: either the file states another version, or
    /// the tables of an unversioned package do not fit the supplied one, but fit another. Returns
    /// `false` in the second case.
    pub fn report_version(&self, name: &str) -> bool {
        let stated = match self.open() {
            Ok(Opened::Save(save)) => save.versions().versions(),
            Ok(Opened::Zen(package)) => self.stated_version(&package),
            Ok(Opened::Package(package)) if package.lacks_exports() => return true,
            Ok(Opened::Package(package)) => package.versions().versions(),
            Err(_) => Versions::default(),
        };
        self.ignored_version(stated).for_each(|text| report::warning(name, text));
        let Some(supplied) = self.engine.filter(|_| self.is_unversioned_package()) else {
            return true;
        };
        if self.fits(supplied) {
            return true;
        }
        let Some(engines) = listed(&self.fitting_engines()) else { return true };
        let text = "--unreal-version cannot be right: the tables of the package do not fit it";
        report::error(name, text);
        report::hint(format_args!("its tables fit --unreal-version {engines}"));
        false
    }

    /// Returns the version that a package from an `IoStore` container states, or zeros if it states
    /// none.
    pub fn stated_version(&self, package: &ZenPackage<'_>) -> Versions {
        let stated = package.versions();
        stated.map_or_else(Versions::default, |stated| Versions {
            ue4: stated.ue4_version,
            ue5: stated.ue5_version,
        })
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

/// Lists engines in a text such as `5.2, 5.3 or 5.4`. Returns `None` if there are none.
pub fn listed(engines: &[String]) -> Option<String> {
    match engines {
        [] => None,
        [only] => Some(only.clone()),
        [others @ .., last] => Some(format!("{} or {last}", others.join(", "))),
    }
}
