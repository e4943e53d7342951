//! The parts of a registry: its assets, its dependencies and the data of its packages.

use super::assets::Assets;
use super::dependencies::Graph;
use super::packages::Packages;
use super::records::StoredPackage;
use super::versions::{ADDED_DEPENDENCY_FLAGS, REMOVED_MD5_HASH};
use super::view::Registry;
use crate::unreal::format::{ErrorKind, FileCursor, Records, Result, Value};

impl<'a> Registry<'a> {
    /// Returns the assets, in the order of the file. After an error, the iterator ends.
    pub fn assets(&self) -> Assets<'a, '_> {
        Assets::new(self, self.stored_assets())
    }

    /// Returns `true` from version 4 on, where the parts after the assets can be read.
    pub(super) const fn has_later_parts(&self) -> bool {
        self.version() >= REMOVED_MD5_HASH
    }

    /// Returns the dependencies, which are empty below version 4. Works in linear time, because the
    /// dependencies begin after the last asset, and so all assets must be read.
    ///
    /// # Errors
    /// If an asset cannot be read, or the size of the dependencies or the number of nodes is wrong.
    ///
    /// ```
    /// use gamewire::unreal::registry::{Registry, dependency_properties::HARD};
    ///
    /// # if !std::path::Path::new("corpus").exists() { return Ok(()) } // not published
    /// let file = &std::fs::read("corpus/unreal-registry/v16.bin")?;
    /// let registry = Registry::open(file)?;
    /// let graph = registry.dependencies()?;
    /// let map = graph.node(0).unwrap();
    /// assert_eq!(map.identifier()?.to_string(), "/Game/Maps/Start");
    /// let first = map.package_dependencies().next().unwrap();
    /// assert!(first.properties.any(HARD));
    /// let wall = graph.node(first.node).unwrap();
    /// assert_eq!(wall.identifier()?.to_string(), "/Game/Textures/Wall_3");
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    pub fn dependencies(&self) -> Result<Graph<'a, '_>> {
        if !self.has_later_parts() {
            return Ok(Graph::none(self));
        }
        let mut from = self.stored_assets().end()?;
        if self.version() >= ADDED_DEPENDENCY_FLAGS {
            from = self.sized_part(&mut from)?;
        }
        Graph::read(self, &mut from)
    }

    /// Reads the size of a part, returns a cursor over the part, and moves `from` past it.
    fn sized_part(&self, from: &mut FileCursor<'a>) -> Result<FileCursor<'a>> {
        let at = *from;
        let size: i64 = from.read(self.layout())?;
        let wrong = || at.error(ErrorKind::BadSize(size));
        from.window(u64::try_from(size).map_err(|_| wrong())?).map_err(|_| wrong())
    }

    /// Returns the data of packages, which are empty below version 4. Works in linear time, because
    /// all assets and, below version 7, all nodes must be read first.
    ///
    /// # Errors
    /// If an asset or, below version 7, a node cannot be read, or the size of the dependencies or
    /// the number of packages is wrong.
    ///
    /// ```
    /// use gamewire::unreal::registry::Registry;
    ///
    /// # if !std::path::Path::new("corpus").exists() { return Ok(()) } // not published
    /// let file = &std::fs::read("corpus/unreal-registry/v24.bin")?;
    /// let registry = Registry::open(file)?;
    /// let package = registry.packages()?.next().unwrap()?;
    /// assert_eq!(package.name()?.to_string(), "/Game/Maps/Start");
    /// assert_eq!(package.disk_size(), 4711);
    /// assert_eq!(package.file_versions().unwrap().versions.ue5, 1009);
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    pub fn packages(&self) -> Result<Packages<'a, '_>> {
        if !self.has_later_parts() {
            return Ok(Packages::new(self, Records::none(*self.layout())));
        }
        let mut from = self.stored_assets().end()?;
        match self.version() >= ADDED_DEPENDENCY_FLAGS {
            true => _ = self.sized_part(&mut from)?,
            false => from = Graph::read(self, &mut from)?.nodes().end()?,
        }
        let count = from.count(StoredPackage::LEAST, self.layout())?;
        Ok(Packages::new(self, Records::new(from, count, *self.layout())))
    }
}
