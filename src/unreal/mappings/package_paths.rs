//! The paths at which the files of packages may be.

use alloc::collections::BTreeSet;
use alloc::format;
use alloc::string::String;
use alloc::vec::Vec;
use std::path::{Path, PathBuf};

/// The file and the name of a package. They determine where the files of other packages may be.
///
/// ```
/// use gamewire::unreal::mappings::PackagePaths;
/// use std::path::Path;
///
/// let paths = PackagePaths::new("Content/Doors/Door.uasset", "/Game/Doors/Door");
/// let first = paths.of("/Game/Base/Wall").next().unwrap();
/// assert_eq!(first, Path::new("Content/Base/Wall.uasset"));
/// ```
#[derive(Clone, Debug)]
pub struct PackagePaths {
    /// The path of the file, without the extension.
    file: PathBuf,
    /// The parts of the package's name, such as `Game`, `Doors` and `Door`.
    name: Vec<String>,
}

/// Extensions of packages.
const EXTENSIONS: [&str; 2] = ["uasset", "umap"];

/// Maximum number of folders above a file that are searched.
const LEVELS: usize = 32;

impl PackagePaths {
    /// Creates the value from the path of a package's file, in an archive or on disk, and the name
    /// of the package, such as `/Game/Doors/Door`. A path on disk should be absolute. The name can
    /// be empty.
    pub fn new(file: impl AsRef<Path>, name: &str) -> Self {
        Self { file: file.as_ref().with_extension(""), name: parts(name) }
    }

    /// Returns the paths of the files that may contain the package with this name, the most likely
    /// one first. Most of these files do not exist.
    pub fn of(&self, package: &str) -> impl Iterator<Item = PathBuf> + use<> {
        let mut known = BTreeSet::new();
        let new = self.without_extension(&parts(package)).into_iter();
        let new = new.filter(move |path| known.insert(path.clone()));
        new.flat_map(|path| {
            // `with_extension` would replace the end of a name that contains a dot.
            EXTENSIONS.map(|extension| PathBuf::from(format!("{}.{extension}", path.display())))
        })
    }

    fn without_extension(&self, package: &[String]) -> Vec<PathBuf> {
        let [mount, rest @ ..] = package else { return Vec::new() };
        let Some(last) = rest.last() else { return Vec::new() };
        let mut all: Vec<_> = self.beside_own_name(package).into_iter().collect();
        all.extend(self.file.parent().map(|folder| folder.join(last)));
        let rest: PathBuf = rest.iter().collect();
        let own_mount = self.name.first().is_none_or(|own| own.eq_ignore_ascii_case(mount));
        for folder in self.file.ancestors().skip(1).take(LEVELS) {
            // The root folder of the package may be this folder or a folder in it.
            if own_mount {
                all.push(folder.join(&rest));
            }
            if mount.eq_ignore_ascii_case("Game") {
                all.push(folder.join("Content").join(&rest));
            }
            all.push(folder.join(mount).join("Content").join(&rest));
            all.push(folder.join("Plugins").join(mount).join("Content").join(&rest));
            all.push(folder.join(mount).join(&rest));
        }
        all
    }

    /// Returns the path of another package under the same root folder. To find the root folder,
    /// removes the parts at the end of this file's path that also end the name of this package.
    fn beside_own_name(&self, package: &[String]) -> Option<PathBuf> {
        let own: Vec<_> = self.file.iter().rev().collect();
        let same = self.name.iter().rev().zip(&own);
        let same = same.take_while(|(part, own)| own.eq_ignore_ascii_case(part)).count();
        let (root, _) = self.name.split_at_checked(self.name.len().checked_sub(same)?)?;
        let (start, rest) = package.split_at_checked(root.len())?;
        let is_under =
            same > 0 && start.iter().zip(root).all(|(part, root)| part.eq_ignore_ascii_case(root));
        let folder = self.file.ancestors().nth(same).filter(|_| is_under)?;
        Some(folder.join(rest.iter().collect::<PathBuf>()))
    }
}

/// Splits the name of a package at its slashes. Returns no parts for a name that could lead out of
/// the folder, such as `/Game/../Door`.
fn parts(name: &str) -> Vec<String> {
    let is_part =
        |part: &str| !matches!(part, "" | "." | "..") && !part.contains(['\\', ':', '\0']);
    match name.strip_prefix('/') {
        Some(path) if path.split('/').all(is_part) => path.split('/').map(String::from).collect(),
        _ => Vec::new(),
    }
}
