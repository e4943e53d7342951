//! Serializes asset registries as documents.

use super::on_demand::{Entries, Sequence};
use crate::unreal::format::{AsDisplay, Hex};
use crate::unreal::registry::{
    Asset, Bundle, ChunkHash, Dependency, FileVersions, Graph, Node, PackageData, Registry,
    dependency_properties, manage_properties,
};
use core::fmt::Display;
use serde::ser::{Serialize, SerializeMap, Serializer};

/// Serializes a map that contains the assets, the dependencies and the packages. Items are
/// serialized one at a time, and items that cannot be read are left out. If assets [share
/// tags](Registry::shares_tags), the document can be many times as large as the file.
impl Serialize for Registry<'_> {
    fn serialize<S: Serializer>(&self, to: S) -> Result<S::Ok, S::Error> {
        let registry = self;
        let graph = registry.dependencies().ok().map(Graph::with_node_index);
        let mut map = to.serialize_map(None)?;
        map.serialize_entry("type", "asset_registry")?;
        map.serialize_entry("version", &registry.version())?;
        if let Some(filters) = registry.filters_editor_data() {
            map.serialize_entry("editor_data", &!filters)?;
        }
        let assets = || registry.assets().flatten().map(AssetDocument);
        map.serialize_entry("assets", &Sequence(assets))?;
        if let Some(graph) = &graph {
            let nodes = || graph.nodes().flatten().map(|node| NodeDocument { graph, node });
            map.serialize_entry("dependencies", &Sequence(nodes))?;
        }
        if let Ok(packages) = registry.packages() {
            let packages = || packages.clone().flatten().map(PackageDocument);
            map.serialize_entry("packages", &Sequence(packages))?;
        }
        map.end()
    }
}

/// Serializes an entry whose value is a text. Leaves it out if the text cannot be read.
fn text<M: SerializeMap, E>(
    map: &mut M,
    key: &'static str,
    text: Result<impl Display, E>,
) -> Result<(), M::Error> {
    match text {
        Ok(text) => map.serialize_entry(key, &AsDisplay(text)),
        Err(_) => Ok(()),
    }
}

struct AssetDocument<'a, 'r>(Asset<'a, 'r>);

impl Serialize for AssetDocument<'_, '_> {
    fn serialize<S: Serializer>(&self, to: S) -> Result<S::Ok, S::Error> {
        let asset = &self.0;
        let mut map = to.serialize_map(None)?;
        text(&mut map, "package", asset.package_name())?;
        text(&mut map, "path", asset.package_path())?;
        text(&mut map, "name", asset.asset_name())?;
        text(&mut map, "class", asset.class())?;
        if let Some(path) = asset.object_path() {
            text(&mut map, "object_path", path)?;
        }
        if let Some(path) = asset.outer_path() {
            text(&mut map, "outer_path", path)?;
        }
        let tags = || asset.tags().flatten().map(|tag| (AsDisplay(tag.key), AsDisplay(tag.value)));
        map.serialize_entry("tags", &Entries(tags))?;
        if asset.bundles().next().is_some() {
            let bundles = || asset.bundles().map(BundleDocument);
            map.serialize_entry("bundles", &Sequence(bundles))?;
        }
        map.serialize_entry("chunks", &Sequence(|| asset.chunks().iter().flatten()))?;
        map.serialize_entry("flags", &asset.flags())?;
        map.end()
    }
}

struct BundleDocument<'a, 'r>(Bundle<'a, 'r>);

impl Serialize for BundleDocument<'_, '_> {
    fn serialize<S: Serializer>(&self, to: S) -> Result<S::Ok, S::Error> {
        let mut map = to.serialize_map(None)?;
        text(&mut map, "name", self.0.name())?;
        map.serialize_entry("paths", &Sequence(|| self.0.paths().flatten().map(AsDisplay)))?;
        map.end()
    }
}

struct NodeDocument<'d, 'a> {
    graph: &'d Graph<'a, 'd>,
    node: Node<'a, 'd>,
}

impl<'a, 'd> NodeDocument<'d, 'a> {
    /// Returns the identifier of the node with this index.
    fn name(&self, index: i32) -> Option<AsDisplay<impl Display + use<'a>>> {
        self.graph.node(index)?.identifier().ok().map(AsDisplay)
    }

    fn dependencies(
        &self,
        from: impl Iterator<Item = Dependency>,
        names: &'static [(u8, &'static str)],
    ) -> impl Iterator<Item: Serialize> {
        from.map(move |dependency| DependencyDocument {
            node: self.name(dependency.node),
            dependency,
            names,
        })
    }
}

impl Serialize for NodeDocument<'_, '_> {
    fn serialize<S: Serializer>(&self, to: S) -> Result<S::Ok, S::Error> {
        let node = &self.node;
        let mut map = to.serialize_map(None)?;
        text(&mut map, "node", node.identifier())?;
        let packages = || self.dependencies(node.package_dependencies(), PACKAGE);
        map.serialize_entry("packages", &Sequence(packages))?;
        let names = || node.name_dependencies().iter().flatten().map(|index| self.name(index));
        map.serialize_entry("names", &Sequence(names))?;
        let managed = || self.dependencies(node.manage_dependencies(), MANAGE);
        map.serialize_entry("managed", &Sequence(managed))?;
        let referencers = || node.referencers().iter().flatten().map(|index| self.name(index));
        map.serialize_entry("referencers", &Sequence(referencers))?;
        map.end()
    }
}

const PACKAGE: &[(u8, &str)] = &[
    (dependency_properties::HARD, "hard"),
    (dependency_properties::GAME, "game"),
    (dependency_properties::BUILD, "build"),
];
const MANAGE: &[(u8, &str)] =
    &[(manage_properties::DIRECT, "direct"), (manage_properties::COOK_RULE, "cook_rule")];

struct DependencyDocument<T> {
    /// `None` if the node does not exist or cannot be read.
    node: Option<T>,
    dependency: Dependency,
    names: &'static [(u8, &'static str)],
}

impl<T: Serialize> Serialize for DependencyDocument<T> {
    fn serialize<S: Serializer>(&self, to: S) -> Result<S::Ok, S::Error> {
        let mut map = to.serialize_map(None)?;
        map.serialize_entry("node", &self.node)?;
        let combinations = || {
            self.dependency.properties.combinations().iter().map(|bits| {
                Sequence(move || {
                    let has = move |(bit, _): &&(u8, &str)| bits & bit != 0;
                    self.names.iter().filter(has).map(|(_, name)| name)
                })
            })
        };
        map.serialize_entry("properties", &Sequence(combinations))?;
        map.end()
    }
}

struct PackageDocument<'a, 'r>(PackageData<'a, 'r>);

impl Serialize for PackageDocument<'_, '_> {
    fn serialize<S: Serializer>(&self, to: S) -> Result<S::Ok, S::Error> {
        let package = &self.0;
        let mut map = to.serialize_map(None)?;
        text(&mut map, "package", package.name())?;
        map.serialize_entry("size", &package.disk_size())?;
        if let Some(guid) = package.guid() {
            map.serialize_entry("guid", &AsDisplay(guid))?;
        }
        if let Some(hash) = package.saved_hash() {
            map.serialize_entry("saved_hash", &Hex(&hash))?;
        }
        if let Some(hash) = package.cooked_hash() {
            map.serialize_entry("cooked_hash", &Hex(&hash))?;
        }
        if !package.chunk_hashes().is_empty() {
            let hashes = || package.chunk_hashes().iter().flatten().map(ChunkHashDocument);
            map.serialize_entry("chunk_hashes", &Sequence(hashes))?;
        }
        if let Some(versions) = package.file_versions() {
            map.serialize_entry("versions", &VersionsDocument(versions))?;
        }
        if package.imported_classes().next().is_some() {
            let classes = || package.imported_classes().flatten().map(AsDisplay);
            map.serialize_entry("imported_classes", &Sequence(classes))?;
        }
        if let Some(extension) = package.extension() {
            map.serialize_entry("extension", &AsDisplay(extension))?;
        }
        map.end()
    }
}

struct ChunkHashDocument(ChunkHash);

impl Serialize for ChunkHashDocument {
    fn serialize<S: Serializer>(&self, to: S) -> Result<S::Ok, S::Error> {
        let mut map = to.serialize_map(None)?;
        map.serialize_entry("chunk", &Hex(&self.0.chunk))?;
        map.serialize_entry("hash", &Hex(&self.0.hash))?;
        map.end()
    }
}

struct VersionsDocument<'a>(FileVersions<'a>);

impl Serialize for VersionsDocument<'_> {
    fn serialize<S: Serializer>(&self, to: S) -> Result<S::Ok, S::Error> {
        let FileVersions { versions, licensee, flags, custom } = &self.0;
        let mut map = to.serialize_map(None)?;
        map.serialize_entry("ue4", &versions.ue4)?;
        map.serialize_entry("ue5", &versions.ue5)?;
        map.serialize_entry("licensee", licensee)?;
        map.serialize_entry("flags", flags)?;
        let custom = || custom.iter().flatten().map(|one| (AsDisplay(one.guid), one.version));
        map.serialize_entry("custom", &Entries(custom))?;
        map.end()
    }
}
