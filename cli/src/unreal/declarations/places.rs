//! The files that may contain other packages.

use crate::archive::Member;
use crate::ui::input;
use gamewire::unreal::mappings::PackagePaths;
use std::path::{self, Path, PathBuf};

/// A search for other packages near the file of a package, or in its archive.
pub struct Places {
    /// The path of the archive and a colon, for a package in an archive.
    archive: Option<String>,
    paths: PackagePaths,
}

impl Places {
    pub fn new(path: &Path, name: &str) -> Self {
        match Member::of(path) {
            Some(member) => {
                let (archive, inside) = member.parts();
                let archive = Some(format!("{}:", archive.display()));
                Self { archive, paths: PackagePaths::new(inside, name) }
            }
            None => {
                let path = path::absolute(path).unwrap_or_else(|_| path.to_path_buf());
                Self { archive: None, paths: PackagePaths::new(path, name) }
            }
        }
    }

    /// Returns the existing files that may contain the package with this name, the most likely one
    /// first.
    pub fn of(&self, package: &str) -> impl Iterator<Item = PathBuf> {
        let files = self.paths.of(package).map(|path| match &self.archive {
            Some(archive) => PathBuf::from(format!("{archive}{}", path.display())),
            None => path,
        });
        files.filter(|path| input::exists(path))
    }
}
